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
    every: Annotated[bool, typer.Option("--all", help="Show every claim, and those that cannot be asked.")] = False,
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
    claims = claims_of(package)
    networks = []
    for file in files:
        try:
            networks.append((str(file), *measured_network(file, points, slope=slope, image=_lengths(image), ridge=ridge)))
        except Unreadable as error:
            raise unusable("FILE", str(error)) from error
        except OSError as error:
            raise unusable("FILE", explained(error)) from error
    found: list[Measurement] = []
    for name, network, data in networks:
        with _status(name) as progress:
            found.append(measured(name, network, data, claims.values(), progress))
    if not quiet:
        from verify.trained.tables import shown

        screen = console(stderr=json_file == STDOUT)
        for part in shown(found, every=every):
            part(screen)
    write_json(json_file, [one.as_json() for one in found])
    raise typer.Exit(int(any(answer.rank < 2 and answer.outcome == "fails" for one in found for answer in one.answers)))


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
