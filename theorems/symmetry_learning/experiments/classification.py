r"""Classification: with the depth the rank of a classifier falls.

Recipe
    Four classes, points near four curves of the shape of an inverted S side by side, are learned with the cross entropy and a
    ridge by networks of several depths. They are level sets of one function of the plane: a task of bottleneck rank 1.
Shown
    The number of large singular values of the weights in the middle falls to 1. Shallow networks have points where three
    classes meet; those of rank 1 have none.
Not shown
    Tasks of a higher rank k, whose boundaries are said to be akin to those of classes in k dimensions.
Source
    symmetry_learning, "Implications: classification". The points are counted exactly, among the vertices of all linear regions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

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
from verify.experiments.drawing import COLOURS, band, mosaic, range_entry, relation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ABOVE = 0.1
"""Singular values of the weights in the middle above this count for the rank."""


SHALLOW = 2


@dataclass(frozen=True)
class Recipe:
    """Depths and sizes; a shallow network has `shallow_width` and no ridge; initial weights are `scale` times those of He."""

    depths: tuple[int, ...]
    shallow_width: int
    width: int
    points: int
    amplitude: float
    scale: float
    ridge: float
    learning_rate: float
    steps: int
    grid: int


# The runs


def runs(recipe: Recipe, seeds: Sequence[int]) -> list[dict[str, Any]]:
    """One for each depth, with the ridge, and a shallow one without: the networks of all seeds are trained as one batch."""
    pairs = [(SHALLOW, 0.0), *((depth, recipe.ridge) for depth in recipe.depths)]
    return [{"depth": depth, "ridge": ridge, "seeds": list(seeds)} for depth, ridge in pairs]


def classify_at_depth(recipe: Recipe, depth: int, ridge: float, seeds: Sequence[int]) -> Iterator[Row]:
    """For each seed the rank, the number of points where three classes meet and the error; of two depths a picture."""
    x, targets = each_seed(seeds, DATA, lambda generator: inverted_s(generator, recipe.points, recipe.amplitude))
    width = recipe.shallow_width if depth == SHALLOW else recipe.width
    widths = (2, *[width] * (depth - 1), CLASSES)
    start = small_networks(seeds, widths, recipe.scale)
    network = classifiers(start, x, targets, recipe.learning_rate, recipe.steps, ridge)
    right = (on_samples(network, x).argmax(axis=-1) == targets.argmax(axis=-1)).mean(axis=-1)
    ranks = (np.linalg.svd(network.weights[depth // 2 - 1], compute_uv=False) > ABOVE).sum(axis=-1)
    for place, seed in enumerate(seeds):
        met = tripoints_of(network[place])
        yield {
            "kind": "count",
            "depth": depth,
            "seed": seed,
            "rank": ranks[place],
            "tripoints": len(met),
            "error": 1 - right[place],
            "norm_per_layer": network.parameter_norm_squared[place] / depth,
        }
        if place == 0 and depth in (SHALLOW, recipe.depths[-1]):
            for row in picture(network[place], met, x[place], targets[place], recipe.grid):
                yield {"depth": depth, **row}


# What the figure shows


def at_depth(table: Table, column: str, place: int) -> dict[str, Any]:
    """A column for a depth: 0 for the shallow networks, 1 for the first ones with a ridge, -1 for the deepest."""
    found = table.where(kind="count")
    depth = found.distinct("depth")[place]
    return {f"depth {depth}": found.where(depth=depth).column(column)}


def last_rank(table: Table) -> dict[str, Any]:
    """The rank at the largest depth."""
    return at_depth(table, "rank", -1)


def first_rank(table: Table) -> dict[str, Any]:
    """The rank at the smallest depth with a ridge."""
    return at_depth(table, "rank", 1)


def changes_of_rank(table: Table) -> dict[str, Any]:
    """The rank at a depth minus that at the depth before."""
    found = table.where(kind="count")
    return {
        f"from {one} to {other}": found.where(depth=other).column("rank") - found.where(depth=one).column("rank")
        for one, other in pairwise(found.distinct("depth")[1:])
    }


def whole_change_of_rank(table: Table) -> dict[str, Any]:
    """The rank at the largest depth minus that at the smallest with a ridge."""
    (first, one), (last, other) = *first_rank(table).items(), *last_rank(table).items()
    return {f"from {first} to {last}": other - one}


def last_tripoints(table: Table) -> dict[str, Any]:
    """How many points there are where three classes meet, at the largest depth."""
    return at_depth(table, "tripoints", -1)


def shallow_tripoints(table: Table) -> dict[str, Any]:
    """How many points there are where three classes meet, for the shallow networks."""
    return at_depth(table, "tripoints", 0)


def errors(table: Table) -> dict[str, Any]:
    """The share of the points that are given to a wrong class."""
    return table.where(kind="count").each("depth", "error")


ASSERTIONS = [
    Assertion(
        "the rank falls to that of the task, 1: singular values above 0.1 of the weights in the middle, at the largest depth",
        Within(last_rank, 1, 1),
        false={"it is 1 at every depth": Within(first_rank, 1, 1)},
        scales=("laptop", "paper"),
    ),
    Assertion(
        "it does not rise with the depth: changes from one depth to the next",
        Within(changes_of_rank, high=0),
        false={"nor does it fall, from the first depth to the last": Within(whole_change_of_rank, low=0)},
        scales=("laptop", "paper"),
    ),
    Assertion(
        "then no three classes meet: number of such points at the largest depth",
        Within(last_tripoints, high=0),
        false={"nor do they for a shallow network": Within(shallow_tripoints, high=0)},
    ),
    Assertion(
        "the classes are learned: share of points in a wrong one",
        Within(errors, high=0.05),
        false={"half of them": Within(errors, low=0.5)},
    ),
]


def figure(table: Table) -> Figure:
    """The classes for a shallow and for the deepest networks; ranks, and points where three classes meet, by depth."""
    drawn, axes = mosaic([["shallow", "deep"], ["rank", "tripoints"]], (2.3, 2.0))
    found = table.where(kind="count")
    depths = found.distinct("depth")
    for name, depth, ridge in (("shallow", SHALLOW, "without"), ("deep", depths[-1], "with")):
        draw_picture(axes[name], table.where(depth=depth))
        axes[name].set_title(f"depth {depth}, {ridge} a ridge")
    deep = Table([row for row in found.rows if row["depth"] != SHALLOW])
    band(axes["rank"], deep, "depth", "rank", marker="o", label="with a ridge")
    relation(axes["rank"], depths[1:], 1.0, "rank of the task")
    axes["rank"].set_title("rank of the weights in the middle")
    range_entry(axes["rank"])
    axes["rank"].legend()
    band(axes["tripoints"], deep, "depth", "tripoints", colour=COLOURS[1], marker="s", label="with a ridge")
    shallow = found.where(depth=SHALLOW)
    band(axes["tripoints"], shallow, "depth", "tripoints", colour=COLOURS[2], marker="^", label="shallow, without a ridge")
    axes["tripoints"].set_title("points where three classes meet")
    axes["tripoints"].legend(loc="upper right")
    for name in ("rank", "tripoints"):
        axes[name].set_xlabel("depth")
        axes[name].set_xticks(depths)
        axes[name].set_ylim(bottom=0, top=1.4 * axes[name].get_ylim()[1])
    return drawn


EXPERIMENT = Experiment(
    name="symmetry_learning.classification",
    title="With the depth the rank of a classifier falls, and no three classes meet any more",
    source=Source("symmetry_learning", "Implications: classification"),
    recipes={
        "smoke": Recipe(
            depths=(4, 8),
            shallow_width=12,
            width=12,
            points=200,
            amplitude=2.0,
            scale=0.4,
            ridge=1e-3,
            learning_rate=0.005,
            steps=1500,
            grid=81,
        ),
        "laptop": Recipe(
            depths=(4, 8, 12, 16),
            shallow_width=14,
            width=12,
            points=200,
            amplitude=1.0,
            scale=0.5,
            ridge=0.01,
            learning_rate=0.004,
            steps=8000,
            grid=121,
        ),
        "paper": Recipe(
            depths=(4, 8, 12, 16, 24, 32),
            shallow_width=100,
            width=100,
            points=4000,
            amplitude=1.0,
            scale=0.7,
            ridge=0.01,
            learning_rate=1e-3,
            steps=50_000,
            grid=121,
        ),
    },
    seconds={"smoke": 3, "laptop": 35, "paper": 100_000},
    runs=runs,
    run=classify_at_depth,
    assertions=ASSERTIONS,
    figure=figure,
    text=(
        "Above, the plane in the colours of four classes, with the points that were learned, four curves of the shape of an "
        "inverted S side by side, for a shallow network, with circles where three classes meet, and for a deep one. Below, the "
        "rank of the weights in the middle and the number of those points against the depth, medians of the seeds with their "
        "range: both fall, the rank to the dashed line, the points to none."
    ),
    caption=('"Classification on 4 classes for two depths with L2-regularization."'),
    read_off={
        "classes": "4, for two depths with an L2 regularisation",
        "claim": "boundaries of a classifier of rank k are akin to those of classes in k dimensions; for k = 1 no three meet",
    },
    choices={
        "task": "that of notion_of_rank.four_classes, which shows the same figure",
        "depths, widths, points, ridge and steps": "not given: see the recipe",
        "rank": "number of singular values above 0.1 of the weights in the middle, of depth 2 those of the first layer",
        "initial weights": "half of those of He on a laptop: with 0.7 singular values had not settled after 5000 steps "
        "(ranks 1, 3, 3, 4 and 3 for 16 layers), with 0.45, and with a rate of 0.005, one network of five ended at zero",
        "shallow": "a network of depth 2 without a ridge: this ridge leaves a quarter of the points to it in wrong classes; "
        "with 12 and with 20 neurons, tried before, one of five had no point where three classes meet",
        "ridge": "it comes between a fifth and two fifths of the steps: from the start it ends in the zero network",
        "where points are counted": "in the rectangle of the picture, exactly, for the float32 parameters as they are",
        "pictures": "those of the first seed",
    },
)
