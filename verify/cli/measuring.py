"""The command measure."""

from __future__ import annotations

import io
import math
import re
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
    from verify.trained.points import Points
    from verify.trained.reading import Reading


SUFFIXES = (".npz", ".safetensors", ".pt", ".pth", ".onnx")
"""Of files of a folder that are taken for networks."""


@app.command()
def measure(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Networks: .npz, .safetensors, .pt or .onnx; two are compared, several or a folder are a series.",
        ),
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
    activation: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The activation, where the file does not say: relu, leaky_relu, linear, tanh, gelu, ..."
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Measure what a file of weights was read as, without being asked.")
    ] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Load whole modules from .pt files, which runs code that they name; needs PyTorch.")
    ] = False,
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

    The exit status is 0 when no claim that should hold fails, 1 when one does or a reading is to be confirmed, 2 for a file
    that cannot be read.
    """
    from verify.trained.files import Unreadable
    from verify.trained.measurement import measured, measured_reading

    writable(json_file)
    writable(prune, "--prune")
    if prune is not None and (len(files) > 1 or files[0].is_dir() or prune.suffix != ".npz"):
        raise unusable("--prune", f"one network is pruned, into a file .npz; got {len(files)} networks and {prune}")
    _usable(points, ridge)
    networks = []
    options: dict[str, Any] = {"slope": slope, "image": _lengths(image), "activation": activation, "trust": trust}
    for file in _checkpoints(files, points):
        try:
            networks.append((file.name, *measured_reading(file, points, ridge=ridge, **options)))
        except Unreadable as error:
            raise unusable("FILE", str(error)) from error
        except OSError as error:
            raise unusable("FILE", explained(error)) from error
        except ValueError as error:
            raise unusable("--slope" if str(error).startswith("slope must") else "--activation", str(error)) from error
    if not yes and sum(_to_confirm(name, reading, data) for name, reading, data in networks):
        raise typer.Exit(1)
    claims = claims_of(package)
    measurements: list[Measurement] = []
    for name, reading, data in networks:
        description = f"read as {reading.words}, {reading.details}" if reading.words else reading.details
        if description and not quiet:
            typer.echo(
                f"{name}: {description}{', which was assumed: --activation NAME says another' * reading.assumed}",
                err=json_file == STDOUT,
            )
        with _status(name) as progress:
            measurements.append(measured(name, reading.network, data, claims.values(), progress, seconds, description))
    if not quiet:
        from verify.trained.tables import shown

        screen = console(stderr=json_file == STDOUT)
        for part in shown(measurements, every=every):
            part(screen)
    if prune is not None:
        _prune(measurements[0], prune)
    if html is not None:
        _write_page(measurements, html)
    write_json(json_file, {"schema": 1, "networks": [measurement.as_json() for measurement in measurements]})
    raise typer.Exit(int(any(measurement.failing for measurement in measurements)))


def _usable(points: Path | None, ridge: float | None) -> None:
    """Refuse a ridge and points that cannot be used, by their own names."""
    from verify.trained.files import Unreadable
    from verify.trained.measurement import named
    from verify.trained.points import read_points

    if ridge is not None and not 0 <= ridge < math.inf:
        raise unusable("--ridge", f"ridge must be a number that is not negative, got {ridge}")
    if points is not None:
        try:
            named(points, read_points)
        except Unreadable as error:
            raise unusable("--points", str(error)) from error
        except OSError as error:
            raise unusable("--points", explained(error)) from error


def _checkpoints(files: Sequence[Path], points: Path | None) -> list[Path]:
    """The files, and those of folders that are networks, in the order of the numbers in their names; not that of the points."""
    paths: list[Path] = []
    for file in files:
        if not file.is_dir():
            paths.append(file)
            continue
        inside = [path for path in file.iterdir() if path.suffix in SUFFIXES and path.is_file() and path != points]
        if not inside:
            raise unusable("FILE", f"{file} must hold networks ({', '.join(SUFFIXES)}), it has none")
        paths += sorted(inside, key=_by_number)
    return paths


def _by_number(file: Path) -> list[tuple[int, str]]:
    """Numbers as numbers: step9 before step10."""
    parts = re.split(r"(\d+)", file.name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def _to_confirm(name: str, reading: Reading, data: Points) -> bool:
    """Asks whether a network that was guessed is the one that was trained, where the data can tell."""
    from verify.trained.checking import mean_squared_error

    if not reading.assumed or data.targets is None:
        return False
    error = mean_squared_error(reading.network, data)
    typer.echo(
        f"{name}: read as {reading.words}, its mean squared error is {error:.3g}; is that yours? It was read "
        f"{reading.details}: --yes measures it, --activation NAME says another; "
        "weights are outputs x inputs, save W.T where a layer computes x W"
    )
    return True


def _prune(measurement: Measurement, file: Path) -> None:
    import numpy as np

    from verify.evidence import write_whole
    from verify.networks import FullyConnected
    from verify.numbers.arithmetic import floats
    from verify.trained.layers import pruned

    if not isinstance(measurement.network, FullyConnected):
        raise unusable("--prune", f"neurons are dropped from fully connected networks, this is: {measurement.description}")
    small, _ = pruned(measurement.network, measurement.points.inputs)
    arrays: dict[str, Any] = {f"W{k}": weight for k, weight in enumerate(small.weights, start=1)}
    arrays |= {f"b{k}": bias for k, bias in enumerate(small.biases, start=1)}
    content = io.BytesIO()
    np.savez(content, **arrays, slope=floats(np.asarray(small.activation.negative)))
    write_whole(file, content.getvalue())
    widths = [" - ".join(map(str, network.widths)) for network in (measurement.network, small)]
    typer.echo(
        f"{file}: {widths[0]} neurons become {widths[1]}, the squared norm "
        f"{float(measurement.network.parameter_norm_squared):.6g} becomes {float(small.parameter_norm_squared):.6g}",
        err=True,
    )


def _write_page(measurements: Sequence[Measurement], folder: Path) -> None:
    from verify.evidence import write_whole
    from verify.trained.pages import page

    try:
        text = page(measurements)
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
        yield lambda step: None  # noqa: ARG005
        return
    with screen.status(name) as status:
        yield lambda step: status.update(f"{name}: {step}")
