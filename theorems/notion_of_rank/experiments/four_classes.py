r"""Figure 2: class boundaries of shallow networks meet in threes.

Recipe
    Four classes, points near four curves of the shape of an inverted S that differ by translations along the x-axis. Networks
    of two depths learn them with the cross entropy, with and without a ridge.
Shown
    In some points three classes of the shallow networks meet, in none three of the deep ones: a function of bottleneck rank 1
    has no such points. The ridge makes little difference, since the cross entropy favours small norms by itself.
Not shown
    That the deep networks have rank 1: floats never have.
Source
    notion_of_rank, "Deep networks learn low-dimensional topology". The points are counted exactly, among the vertices of all
    linear regions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from theorems.shared.experiments.class_maps import (
    CLASSES,
    DATA,
    classifiers,
    draw_picture,
    inverted_s,
    picture,
    small_networks,
    tripoints_of,
)
from verify import Source
from verify.experiments import Assertion, Experiment, Row, Table, Within
from verify.experiments.batches import each_seed, on_samples
from verify.experiments.drawing import panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


SCALE = 6**-0.5
"""Initial weights have the standard deviation 1 / sqrt(3 n), as those of PyTorch: He's times this."""


@dataclass(frozen=True)
class Recipe:
    """Sizes of the shallow and of the deep networks; `grid` is that of the picture."""

    depths: tuple[int, int]
    widths: tuple[int, int]
    points: int
    amplitude: float
    ridges: tuple[float, float]
    learning_rate: float
    steps: int
    grid: int


# The runs


def runs(recipe: Recipe, seeds: Sequence[int]) -> list[dict[str, Any]]:
    """One for each depth and ridge: the networks of all seeds are trained as one batch."""
    return [{"depth": depth, "ridge": ridge, "seeds": list(seeds)} for depth in recipe.depths for ridge in recipe.ridges]


def learn_four_classes(recipe: Recipe, depth: int, ridge: float, seeds: Sequence[int]) -> Iterator[Row]:
    """For each seed how many points there are where three classes meet, and the error; a picture of the first one."""
    x, targets = each_seed(seeds, DATA, lambda generator: inverted_s(generator, recipe.points, recipe.amplitude))
    hidden = [recipe.widths[recipe.depths.index(depth)]] * (depth - 1)
    widths = (2, *hidden, CLASSES)
    network = classifiers(small_networks(seeds, widths, SCALE), x, targets, recipe.learning_rate, recipe.steps, ridge)
    right = (on_samples(network, x).argmax(axis=-1) == targets.argmax(axis=-1)).mean(axis=-1)
    names = {"depth": depth, "ridge": "with a ridge" if ridge else "without a ridge"}
    for place, seed in enumerate(seeds):
        met = tripoints_of(network[place])
        norm = network.parameter_norm_squared[place] / depth
        yield {**names, "kind": "count", "seed": seed, "tripoints": len(met), "error": 1 - right[place], "norm_per_layer": norm}
        if place == 0:
            for row in picture(network[place], met, x[place], targets[place], recipe.grid):
                yield {**names, **row}


# What the figure shows


def counts(table: Table, place: int) -> dict[str, Any]:
    """How many points there are where three classes meet, for the shallow (0) or the deep (-1) networks."""
    found = table.where(kind="count")
    depth = found.distinct("depth")[place]
    return {f"depth {depth}, {name}": one for name, one in _by_ridge(found.where(depth=depth)).items()}


def _by_ridge(table: Table) -> dict[str, Any]:
    return {ridge: table.where(ridge=ridge).column("tripoints") for ridge in table.distinct("ridge")}


def of_shallow(table: Table) -> dict[str, Any]:
    """The numbers for the shallow networks."""
    return counts(table, 0)


def of_deep(table: Table) -> dict[str, Any]:
    """The numbers for the deep networks."""
    return counts(table, -1)


def errors(table: Table) -> dict[str, Any]:
    """The share of the points that are given to a wrong class."""
    found = table.where(kind="count")
    return {
        f"depth {depth}, {ridge}": found.where(depth=depth, ridge=ridge).column("error")
        for depth in found.distinct("depth")
        for ridge in found.distinct("ridge")
    }


ASSERTIONS = [
    Assertion(
        "classes of shallow networks meet in threes: number of such points",
        Within(of_shallow, low=1),
        false={"nowhere": Within(of_shallow, high=0)},
    ),
    Assertion(
        "those of deep networks do not, with and without a ridge",
        Within(of_deep, high=0),
        false={"somewhere": Within(of_deep, low=1)},
    ),
    Assertion(
        "the classes are learned: share of points in a wrong one",
        Within(errors, high=0.05),
        false={"half of them": Within(errors, low=0.5)},
    ),
]


def figure(table: Table) -> Figure:
    """The classes in the plane for two depths, with and without a ridge; where three meet there is a circle."""
    drawn, axes = panels(2, 2, 2.3, sharex=True, sharey=True)
    for row, depth in zip(axes, table.distinct("depth"), strict=True):
        for ax, ridge in zip(row, sorted(table.distinct("ridge"), reverse=True), strict=True):
            draw_picture(ax, table.where(depth=depth, ridge=ridge))
            ax.set_title(f"depth {depth}, {ridge}")
    for ax in axes[-1]:
        ax.set_xlabel("x")
    for ax in axes[:, 0]:
        ax.set_ylabel("y")
    return drawn


EXPERIMENT = Experiment(
    name="notion_of_rank.four_classes",
    title="Classes of shallow networks meet in threes, those of deep ones do not",
    source=Source("notion_of_rank", "Deep networks learn low-dimensional topology"),
    recipes={
        "smoke": Recipe(
            depths=(2, 8),
            widths=(20, 12),
            points=200,
            amplitude=2.0,
            ridges=(0.0, 1e-3),
            learning_rate=0.005,
            steps=1500,
            grid=81,
        ),
        "laptop": Recipe(
            depths=(2, 10),
            widths=(20, 14),
            points=200,
            amplitude=2.0,
            ridges=(0.0, 1e-3),
            learning_rate=0.004,
            steps=4000,
            grid=121,
        ),
        "paper": Recipe(
            depths=(3, 14),
            widths=(100, 100),
            points=4000,
            amplitude=2.0,
            ridges=(0.0, 1e-3),
            learning_rate=1e-3,
            steps=20_000,
            grid=121,
        ),
    },
    seconds={"smoke": 5, "laptop": 40, "paper": 20_000},
    runs=runs,
    run=learn_four_classes,
    assertions=ASSERTIONS,
    figure=figure,
    text=(
        "Four maps of the plane in the colours of four classes, with the points that were learned: four curves of the shape of "
        "an inverted S side by side. Above for shallow networks, with circles where three classes meet; below for deep ones, "
        "whose classes lie side by side without such points. Left without a ridge, right with one."
    ),
    caption=(
        '"The class boundaries in shallow networks (A,B) feature tripoints, which are not observed in deeper networks (C,D)."'
    ),
    read_off={
        "classes": "4 inverted S, translated along the x-axis",
        "networks": "two depths, with and without an L2 regularisation",
        "shallow": "the boundaries have points where three classes meet",
        "deep": "no such points are observed",
    },
    choices={
        "depths, widths, points, ridge and steps": "not given: see the recipe",
        "S": "x = -2 sin(pi y), neighbours 0.8 apart, with Gaussian noise of standard deviation 0.02",
        "initial weights": "of standard deviation 1 / sqrt(3 n), as in PyTorch; from He's, 2.4 times as large, a deep network "
        "without a ridge keeps points where three classes meet (3, 2 and 4 of them for 12 layers)",
        "ridge": "it comes between a fifth and two fifths of the steps: from the start it ends in the zero network",
        "where points are counted": "in the rectangle of the picture, exactly, for the float32 parameters as they are",
        "amplitude 2": "with 1.2, tried before, two of five shallow networks had no such point, and one with 300 points",
        "pictures": "those of the first seed",
    },
)
