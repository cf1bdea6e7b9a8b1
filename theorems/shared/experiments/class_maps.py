"""Four classes in the plane: points, networks and pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from theorems.shared.tripoints import tripoints
from verify.experiments import Row, Table
from verify.experiments.batches import each_seed
from verify.experiments.drawing import COLOURS, INK
from verify.networks import FullyConnected
from verify.networks.training import Adam, CrossEntropy, Linear, WarmUp, he_network, train
from verify.piecewise import Polytope

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = npt.NDArray[Any]
CLASSES = 4
SPACING, NOISE = 0.8, 0.02
"""Of neighbouring classes, and of the points around their S."""
CORNERS = ((-4, -2), (4, 2))
"""The rectangle in which points where three classes meet are counted."""
NAMES = "abcdefgh"
"""Of classes, in the rows of a picture."""
DATA = 0
"""The stream of the points of a seed; that of its initial weights is the depth."""


def inverted_s(generator: np.random.Generator, points: int, amplitude: float) -> list[Array]:
    """Points near four curves of the shape of an inverted S, side by side, and their classes as unit vectors."""
    classes = np.arange(points) % CLASSES
    y = generator.uniform(-1, 1, points)
    x = (classes - (CLASSES - 1) / 2) * SPACING - amplitude * np.sin(np.pi * y)
    near = np.stack([x, y], axis=-1) + NOISE * generator.standard_normal((points, 2))
    return [near.astype(np.float32), np.eye(CLASSES, dtype=np.float32)[classes]]


def small_networks(seeds: Sequence[int], widths: Sequence[int], scale: float) -> FullyConnected:
    """Networks for each seed, with `scale` times the weights of He."""
    depth = len(widths) - 1
    return FullyConnected(
        each_seed(seeds, depth, lambda generator: he_network(generator, widths, scale=scale, dtype=np.float32).weights)
    )


def classifiers(
    start: FullyConnected, x: Array, targets: Array, learning_rate: float, steps: int, ridge: float
) -> FullyConnected:
    """Networks that are trained with the cross entropy, from `start`; the ridge comes between a fifth and two fifths."""
    adam = Adam(Linear(learning_rate, steps, decay=2 * steps // 5, warm_up=50))
    late = WarmUp(ridge, steps // 5, start=steps // 5)
    loss = CrossEntropy()
    network: FullyConnected = train(start, x, targets, steps=steps, optimiser=adam, loss=loss, ridge=late).network
    return network


def tripoints_of(network: FullyConnected) -> Array:
    """The points of the rectangle where three classes meet, as floats, shape ``(count, 2)``."""
    return tripoints(network, Polytope.box(*CORNERS)).astype(np.float64)


def picture(network: FullyConnected, met: Array, x: Array, targets: Array, grid: int) -> Iterator[Row]:
    """The classes on a grid, a letter for each point; where three meet; and the points that were learned."""
    (left, low), (right, high) = CORNERS
    for y in np.linspace(low, high, grid):
        line = np.stack([np.linspace(left, right, grid), np.full(grid, y)], axis=-1)
        found = network(line.astype(np.float32)).argmax(axis=-1)
        yield {"kind": "line", "y": y, "classes": "".join(NAMES[c] for c in found)}
    for a, b in met:
        yield {"kind": "tripoint", "x": a, "y": b}
    for (a, b), one in zip(x, targets.argmax(axis=-1), strict=True):
        yield {"kind": "point", "x": a, "y": b, "class": NAMES[one]}


def draw_picture(ax: Axes, table: Table) -> None:
    """What `picture` gave."""
    from matplotlib.colors import ListedColormap

    lines = table.where(kind="line").rows
    found = np.array([[NAMES.index(letter) for letter in str(row["classes"])] for row in lines])
    (left, low), (right, high) = CORNERS
    ax.imshow(
        found,
        origin="lower",
        extent=(left, right, low, high),
        cmap=ListedColormap(COLOURS[:CLASSES]),
        vmin=-0.5,
        vmax=CLASSES - 0.5,
        alpha=0.4,
        aspect="auto",
        interpolation="nearest",
    )
    for name, colour in zip(NAMES, COLOURS[:CLASSES], strict=False):
        here = table.where(kind="point", **{"class": name})
        ax.plot(here.column("x"), here.column("y"), ".", color=colour, markersize=2.5)
    met = table.where(kind="tripoint")
    ax.plot(met.column("x"), met.column("y"), "o", color="white", markeredgecolor=INK, markersize=6)
