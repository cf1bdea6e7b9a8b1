"""The points that a network is measured at: files of inputs, outputs and the ridge."""

from __future__ import annotations

import csv
import io
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from verify.networks import CircularCNN, FullyConnected, LeakyResNet
from verify.trained.files import Unreadable, content
from verify.trained.networks import Floats, checked, number
from verify.trained.tensors import loaded
from verify.trained.traced import AnyNetwork, LayersAlone, TracedNetwork

DRAWN = 64
"""Points that are drawn where none are given."""
MOST_TEXT, LONGEST_LINE = 2**25, 2**20
"""Bytes of a table of numbers with commas, and characters of its first line, at most."""
INPUTS, TARGETS, RIDGES = ("x", "X", "inputs", "points"), ("y", "Y", "targets", "outputs", "labels"), ("ridge", "lambda", "lam")


@dataclass(frozen=True, eq=False)
class Points:
    """Data: one point for each entry of the first axis.

    Attributes
    ----------
    inputs
        Shape ``(N, n_0)``, of images ``(N, channels, *lengths)``.
    targets
        Shape ``(N, n_L)``, of images accordingly; None if they are not known.
    ridge
        The factor of the squared norm in the loss that was minimised, mean squared error plus ridge; None if it is not known.
    drawn
        Whether the points are made up, because none were given.
    """

    inputs: Floats
    targets: Floats | None = None
    ridge: float | None = None
    drawn: bool = False


def read_points(path: Path) -> Points:
    """The points of a file .npy or .csv (inputs; outputs in columns that are called y...), or .npz (x, y, ridge).

    Raises
    ------
    Unreadable
        The file is none of these, or has entries that are no finite numbers.
    OSError
        The file cannot be opened.
    """
    if path.suffix == ".csv":
        return _of_csv(path)
    if path.suffix not in (".npy", ".npz"):
        raise Unreadable(f"points must be a file .npy, .csv or .npz, got {path.name!r}")
    arrays = loaded(path, "file of points, as numpy.save or numpy.savez writes them")
    if isinstance(arrays, np.ndarray):
        return Points(checked("points", arrays))
    inputs, targets, ridge = (_one_of(arrays, names) for names in (INPUTS, TARGETS, RIDGES))
    if inputs is None:
        raise Unreadable(f"an archive of points must have an array x, got {', '.join(arrays) or 'nothing'}")
    if targets is not None and not targets.size:
        raise Unreadable(f"y must have as many entries as x has points, got an array of the shape {targets.shape}")
    return Points(
        checked("x", inputs),
        None if targets is None else checked("y", targets),
        None if ridge is None else number("ridge", ridge),
    )


def _one_of(arrays: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((arrays[name] for name in names if name in arrays), None)


def _of_csv(path: Path) -> Points:
    try:
        text = content(path, MOST_TEXT).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"this is no file of numbers with commas between them: {error}") from error
    first_line, _, remaining = text.lstrip("\r\n").partition("\n")
    if not first_line:
        raise Unreadable("the file is empty")
    if len(first_line) > LONGEST_LINE:
        raise Unreadable(f"the first line has {len(first_line)} characters, at most {LONGEST_LINE} are read")
    try:
        names = [name.strip() for name in next(csv.reader([first_line]))]
        # a row with a number is none of names: what is no number in it is told of below
        header = None if any(map(_is_number, names)) else names
        if header is not None and "" in header:
            empty = header.index("") + 1
            raise ValueError(f"column {empty} has no name: leave out an index (pandas: index=False), and commas that end a row")
        if len(names) > 1 and names == [str(place) for place in range(len(names))]:
            raise ValueError("the first row counts the columns: leave it out (pandas: header=False), or give the columns names")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a file without rows, which is told below
            values = np.loadtxt(io.StringIO(text if header is None else remaining), delimiter=",", comments=None, ndmin=2)
    except (ValueError, csv.Error) as error:
        match = re.match(r"could not convert string (.*) to float64 at row (\d+)", str(error))
        said = f"row {int(match[2]) + 1} has the entry {match[1]}, which is no number" if match else str(error)
        raise Unreadable(f"this is no file of numbers with commas between them: {said}") from error
    if not values.size or values.shape[1] != len(names):
        raise Unreadable(f"all rows must have as many entries as the first one, {len(names)}, got {values.shape} for all")
    values = checked("points", values)
    outputs = [] if header is None else [k for k, name in enumerate(header) if name.lower().startswith("y")]
    inputs = [k for k in range(values.shape[1]) if k not in outputs]
    return Points(values[:, inputs], values[:, outputs] if outputs else None)


def _is_number(entry: str) -> bool:
    try:
        float(entry)
    except ValueError:
        return False
    return True


def input_shape(network: AnyNetwork) -> tuple[int, ...]:
    """Shape of one point; of layers alone, whose inputs are not known, that of none."""
    if isinstance(network, TracedNetwork):
        return network.input_shape
    if isinstance(network, LayersAlone):
        return (0,)
    if isinstance(network, FullyConnected):
        return (network.widths[0],)
    if isinstance(network, LeakyResNet):
        return (network.width,)
    return (network.channels[0], *network.image_shape)


def output_shape(network: AnyNetwork) -> tuple[int, ...]:
    """Shape of one output; of layers alone, whose outputs are not known, that of none."""
    if isinstance(network, TracedNetwork):
        return network.output_shape
    if isinstance(network, LayersAlone):
        return (0,)
    if isinstance(network, CircularCNN):
        return (network.channels[-1], *network.image_shape)
    return (network.widths[-1],) if isinstance(network, FullyConnected) else (network.width,)


def fitted(points: Points | None, network: AnyNetwork) -> Points:
    """The points in the shapes that the network takes and gives; drawn ones if there are none.

    Raises
    ------
    Unreadable
        They do not fit.
    """
    inside, outside = input_shape(network), output_shape(network)
    if isinstance(network, LayersAlone):
        return Points(np.zeros((0, 0)))
    if points is None:
        # the same points every time
        return Points(np.random.default_rng(0).standard_normal((DRAWN, *inside)), drawn=True)
    inputs, targets = points.inputs, points.targets
    size, outputs = int(np.prod(inside)), int(np.prod(outside))
    if inputs.ndim == 0 or (targets is not None and targets.ndim == 0):
        raise Unreadable("points must be arrays with one entry of the first axis for each, got a number")
    if inputs.ndim == 1:
        inputs = inputs[:, None]
    if targets is None and inputs.ndim == 2 and inputs.shape[1] == size + outputs:
        inputs, targets = inputs[:, :size], inputs[:, size:]
    if inputs.size == 0 or inputs[0].size != size or _of_other_axes(inputs, inside):
        raise Unreadable(f"the network takes points of shape {inside}, got an array of shape {inputs.shape} for all points")
    if targets is not None:
        if (
            targets.size == len(targets)
            and outputs > 1
            and np.all(targets == np.rint(targets))
            and 0 <= targets.min() <= targets.max() < outputs
        ):
            targets = np.eye(outputs)[targets.ravel().astype(int)]  # classes
        if len(targets) != len(inputs) or targets[0].size != outputs or _of_other_axes(targets, outside):
            raise Unreadable(
                f"the network gives outputs of shape {outside} for {len(inputs)} points, got y of shape {targets.shape}"
            )
        targets = targets.reshape(len(targets), *outside)
    if points.ridge is not None and not (np.isfinite(points.ridge) and points.ridge >= 0):
        raise Unreadable(f"ridge must be a number that is not negative, got {points.ridge}")
    return Points(inputs.reshape(len(inputs), *inside), targets, points.ridge)


def _of_other_axes(values: Floats, wanted: tuple[int, ...]) -> bool:
    """Whether values are images whose axes stand in another order, or are others, than those that are wanted."""
    given, needed = ([length for length in shape if length > 1] for shape in (values.shape[1:], wanted))
    return len(given) > 1 and len(needed) > 1 and given != needed
