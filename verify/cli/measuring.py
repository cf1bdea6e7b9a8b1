"""The command measure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verify.cli.common import (
    STDOUT,
    JsonFile,
    Package,
    Quiet,
    app,
    claims_of,
    console,
    explained,
    unusable,
    writable,
    write_json,
)

if TYPE_CHECKING:
    from verify.trained.measurement import Measurement


@app.command()
def measure(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Networks: .npz, .safetensors, .pt or .onnx; several are a series.")
    ],
    *,
    points: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Data: .npy, .csv or .npz with x, y and ridge; drawn ones if not given.")
    ] = None,
    ridge: Annotated[float | None, typer.Option(help="The ridge that the network was trained with, if it is known.")] = None,
    slope: Annotated[
        float | None, typer.Option(help="Slope of the activation below zero, where the file does not say; 0 is the ReLU.")
    ] = None,
    image: Annotated[str | None, typer.Option(metavar="NxM", help="Lengths of the images of a convolutional network.")] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            help="Processor time for all claims, of each network; by default 18 for large networks, no end for others."
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show every claim, and those that cannot be asked.")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a page with pictures to DIR/index.html; needs matplotlib.")
    ] = None,
    prune: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz", help="Write the network without neurons that the points do not need, at no more cost."
        ),
    ] = None,
    quiet: Quiet = False,
    json_file: JsonFile = None,
    package: Package = None,
) -> None:
    """Measure trained networks against the theory: its quantities, and every claim that can be asked of them.

    The exit status is 0 when no claim that should hold fails, 1 when one does, 2 for a file that cannot be read.
    """
    from verify.trained.measurement import measured, measured_network
    from verify.trained.tensors import Unreadable

    writable(json_file)
    writable(prune, "--prune")
    if prune is not None and (len(files) > 1 or prune.suffix != ".npz"):
        raise unusable("--prune", f"one network is pruned, into a file .npz; got {len(files)} networks and {prune}")
    claims = claims_of(package)
    networks = []
    for file in files:
        try:
            networks.append((file.name, *measured_network(file, points, slope=slope, image=_lengths(image), ridge=ridge)))
        except Unreadable as error:
            raise unusable("FILE", str(error)) from error
        except OSError as error:
            raise unusable("FILE", explained(error)) from error
    found: list[Measurement] = []
    for name, network, data in networks:
        with _status(name) as progress:
            found.append(measured(name, network, data, claims.values(), progress, seconds))
    if not quiet:
        from verify.trained.tables import shown

        screen = console(stderr=json_file == STDOUT)
        for part in shown(found, every=every):
            part(screen)
    if prune is not None:
        _prune(found[0], prune)
    if html is not None:
        _write_page(found, html)
    write_json(json_file, [one.as_json() for one in found])
    raise typer.Exit(int(any(answer.rank < 2 and answer.outcome == "fails" for one in found for answer in one.answers)))


def _prune(found: Measurement, file: Path) -> None:
    import numpy as np

    from verify.arithmetic import floats
    from verify.networks import FullyConnected
    from verify.trained.layers import pruned

    if not isinstance(found.network, FullyConnected):
        raise unusable("--prune", f"neurons are dropped from fully connected networks, this is a {found.description}")
    small, _ = pruned(found.network, found.points.inputs)
    arrays: dict[str, Any] = {f"W{k}": weight for k, weight in enumerate(small.weights, start=1)}
    arrays |= {f"b{k}": bias for k, bias in enumerate(small.biases, start=1)}
    np.savez(file, **arrays, slope=floats(np.asarray(small.activation.negative)))
    widths = [" - ".join(map(str, network.widths)) for network in (found.network, small)]
    typer.echo(
        f"{file}: {widths[0]} neurons become {widths[1]}, the squared norm {float(found.network.parameter_norm_squared):.6g} "
        f"becomes {float(small.parameter_norm_squared):.6g}",
        err=True,
    )


def _write_page(found: Sequence[Measurement], folder: Path) -> None:
    from verify.checker.evidence import write_whole
    from verify.trained.pages import page

    try:
        text = page(found)
    except ModuleNotFoundError as error:
        raise unusable("--html", str(error)) from error
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "index.html", text)


def _lengths(text: str | None) -> Sequence[int] | None:
    if text is None:
        return None
    parts = text.lower().split("x")
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise unusable("--image", f"an image must be lengths such as 8 or 8x8, got {text!r}")
    return [int(part) for part in parts]


@contextmanager
def _status(name: str) -> Iterator[Any]:
    """Says on a terminal what is being done."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda what: None  # noqa: ARG005
        return
    with screen.status(name) as status:
        yield lambda what: status.update(f"{name}: {what}")
