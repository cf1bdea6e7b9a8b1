r"""Figure 1: attraction and repulsion cluster classes and align neurons.

Recipe
    A network with two hidden layers learns to tell images of three digits apart, by gradient descent on all points at once,
    with a ridge. Before and after, the attraction :math:`A_\ell` and the repulsion :math:`R_\ell` of both hidden layers,
    with inverses of :math:`K + \tau I`, are taken column by column (a point) and row by row (a neuron), and projected to two
    principal components of the columns, or of the rows, of :math:`Z_\ell`.
Shown
    At the end the points of a class are close together, and the neurons lie on few rays from the origin. Along its ray a neuron
    is at rest: :math:`\langle z_k, A_k + R_k \rangle = 0`.
Correction
    The whole forces on a neuron need not cancel at a minimum, and they do not: where neurons lie on few rays the rank of a
    layer is below the number of points, so that not every change of :math:`Z_\ell` satisfies the constraints; and entries
    lie on the kink of the ReLU, where forces are one-sided. Along the ray of a neuron neither is in the way.
Source
    feature_learning, Figure 1, Section 3.1 and Appendix A. The correction is derived here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

from verify import Source
from verify.experiments import Assertion, Experiment, Row, Table, Within
from verify.experiments.batches import each_seed, he_batch
from verify.experiments.drawing import COLOURS, INK, MARKERS, panels
from verify.experiments.glyphs import digit_images
from verify.networks import FullyConnected
from verify.networks.training import CrossEntropy, GradientDescent, Linear, train

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = npt.NDArray[Any]
DIGITS = (7, 8, 9)
DATA, NETWORK = 0, 1
"""The streams of a seed."""
TIMES = ("before", "after")
LIVE = 0.05
"""Neurons below this share of the largest norm are dead, and on no ray."""
ONE_RAY = 0.98
"""Neurons with a cosine above this are on one ray."""


@dataclass(frozen=True)
class Recipe:
    """Sizes of the task, `width` of both hidden layers, and `tikhonov`, the number that is added to covariances."""

    per_class: int
    side: int
    width: int
    ridge: float
    tikhonov: float
    learning_rate: float
    steps: int


# The task


def images_of_digits(generator: np.random.Generator, recipe: Recipe) -> list[Array]:
    """Images, with mean 0 at every pixel, and one-hot labels."""
    labels = np.repeat(np.arange(len(DIGITS)), recipe.per_class)
    images = digit_images(generator, [DIGITS[label] for label in labels], recipe.side)
    return [(images - images.mean(0)).astype(np.float32), np.eye(len(DIGITS), dtype=np.float32)[labels]]


# The forces


@dataclass(frozen=True, eq=False)
class Forces:
    """Of a hidden layer: its values Z, attraction and repulsion, shape ``(neurons, points)`` each."""

    values: Array
    attraction: Array
    repulsion: Array

    def live(self) -> npt.NDArray[np.bool_]:
        """Which neurons are not dead."""
        norms = np.linalg.norm(self.values, axis=1)
        return np.asarray(norms >= LIVE * norms.max())


def forces(network: FullyConnected, x: Array, tikhonov: float) -> list[Forces]:
    """Those of each hidden layer of a ReLU network, at points of shape ``(N, n_0)``; the amount of bias is 1."""
    ones = np.ones((1, len(x)))
    seen, values = [np.vstack([x.T, ones])], list[Array]()
    for weight, bias in zip(network.weights, network.biases, strict=True):
        values.append(np.hstack([weight, bias[:, None]]) @ seen[-1])
        seen.append(np.vstack([np.maximum(values[-1], 0), ones]))
    inverses = [np.linalg.inv(below.T @ below + tikhonov * np.eye(len(x))) for below in seen[:-1]]
    found = []
    for layer, (here, after) in enumerate(pairwise(values)):
        pushed = np.maximum(here, 0) @ inverses[layer + 1] @ (after.T @ after) @ inverses[layer + 1]
        found.append(Forces(here, 2 * here @ inverses[layer], -2 * (here > 0) * pushed))
    return found


# What is measured of them


def angles(values: Array) -> Array:
    """For each row the angle to the nearest other row, in degrees."""
    cosines = _cosines(values)
    np.fill_diagonal(cosines, -1)
    return np.asarray(np.degrees(np.arccos(np.clip(cosines.max(axis=1), -1, 1))))


def rays(values: Array) -> int:
    """On how many rays the rows lie, where neighbours with a cosine above `ONE_RAY` share one."""
    return int(connected_components(_cosines(values) > ONE_RAY)[0])


def _cosines(values: Array) -> Array:
    unit = values / np.linalg.norm(values, axis=1, keepdims=True)
    return np.asarray(unit @ unit.T)


def net_along(found: Forces) -> Array:
    """The net force along each row, over the attraction along it."""
    attraction, repulsion = ((found.values * force).sum(axis=1) for force in (found.attraction, found.repulsion))
    return np.asarray(np.abs(attraction + repulsion) / attraction)


def net_whole(found: Forces) -> Array:
    """The length of the net force on each row, over that of the attraction."""
    lengths = [np.linalg.norm(force, axis=1) for force in (found.attraction + found.repulsion, found.attraction)]
    return np.asarray(lengths[0] / lengths[1])


def within_classes(columns: Array, labels: Array) -> float:
    """The variance of columns within their classes over their whole variance."""
    centred = columns - columns.mean(axis=1, keepdims=True)
    means = [columns[:, labels == label].mean(axis=1, keepdims=True) for label in np.unique(labels)]
    inside = sum(((columns[:, labels == label] - mean) ** 2).sum() for label, mean in enumerate(means))
    return float(inside / (centred**2).sum())


def measured(found: Forces, labels: Array) -> dict[str, float]:
    """All of these for the live neurons of a layer."""
    live = found.live()
    chosen = Forces(found.values[live], found.attraction[live], found.repulsion[live])
    return {
        "live": live.sum(),
        "angle": np.median(angles(chosen.values)),
        "rays": rays(chosen.values),
        "net_along": np.median(net_along(chosen)),
        "net_whole": np.median(net_whole(chosen)),
        "within": within_classes(found.values, labels),
    }


# The run


def runs(recipe: Recipe, seeds: Sequence[int]) -> list[dict[str, Any]]:  # noqa: ARG001 (the same for every recipe)
    """One: the networks of all seeds are trained as one batch."""
    return [{"seeds": list(seeds)}]


def learn_the_digits(recipe: Recipe, seeds: Sequence[int]) -> Iterator[Row]:
    """Numbers of both hidden layers for each seed, before and after; points, neurons and forces of the first one."""
    x, y = each_seed(seeds, DATA, lambda generator: images_of_digits(generator, recipe))
    start = he_batch(seeds, NETWORK, (recipe.side**2, recipe.width, recipe.width, len(DIGITS)))
    descent = GradientDescent(Linear(recipe.learning_rate, recipe.steps, decay=recipe.steps // 5))
    end = train(start, x, y, steps=recipe.steps, optimiser=descent, loss=CrossEntropy(), ridge=recipe.ridge).network
    for place, seed in enumerate(seeds):
        points, labels = x[place].astype(np.float64), y[place].argmax(axis=1)
        yield {"panel": "inputs", "seed": seed, "within": within_classes(points.T, labels)}
        for time, batch in zip(TIMES, (start, end), strict=True):
            for layer, found in enumerate(forces(batch[place], points, recipe.tikhonov), 1):
                yield {"panel": "numbers", "seed": seed, "time": time, "layer": layer, **measured(found, labels)}
                if not place:
                    yield from _drawn(found, labels, time, layer)


def _drawn(found: Forces, labels: Array, time: str, layer: int) -> Iterator[Row]:
    """Points and live neurons with what pulls and pushes them, in two principal components."""
    live = found.live()
    rows = [part[live] for part in (found.values, found.attraction, found.repulsion)]
    columns = [part.T for part in (found.values, found.attraction, found.repulsion)]
    for panel, parts in (("points", columns), ("neurons", rows)):
        axes = np.linalg.svd(parts[0] - parts[0].mean(axis=0), full_matrices=False)[2][:2]
        for number, (at, pull, push) in enumerate(zip(*(part @ axes.T for part in parts), strict=True)):
            row = {"a": at[0], "b": at[1], "pull_a": -pull[0], "pull_b": -pull[1], "push_a": -push[0], "push_b": -push[1]}
            yield {"panel": panel, "time": time, "layer": layer, "class": labels[number] if panel == "points" else 0, **row}


# What the figure shows


@dataclass(frozen=True)
class OfLayers:
    """A column of numbers of hidden layers, before or after: of all of them, or of the last one."""

    column: str
    time: str = "after"
    last: bool = False

    def __call__(self, table: Table) -> dict[str, Array]:
        """For each layer the number of each seed."""
        found = table.where(panel="numbers", time=self.time).each("layer", self.column)
        return dict(list(found.items())[-1:]) if self.last else found


def missing_rays(table: Table) -> dict[str, Array]:
    """Live neurons less rays at the end, in the last hidden layer."""
    live, on_rays = (OfLayers(column, last=True)(table) for column in ("live", "rays"))
    return {layer: live[layer] - on_rays[layer] for layer in live}


def inputs_within(table: Table) -> dict[str, Array]:
    """The variance of the images within their classes over the whole one."""
    return {"images": table.where(panel="inputs").column("within")}


ASSERTIONS = [
    Assertion(
        "neurons lie on rays at the end: median angle to the nearest other one, in degrees",
        Within(OfLayers("angle"), high=5),
        false={"before, too": Within(OfLayers("angle", "before"), high=5)},
    ),
    Assertion(
        "rays of the last hidden layer: one for each class",
        Within(OfLayers("rays", last=True), len(DIGITS), len(DIGITS)),
        false={"one for each live neuron: neurons less rays": Within(missing_rays, 0, 0)},
        scales=("laptop", "paper"),
    ),
    Assertion(
        "along its ray a neuron is at rest at the end: median net force over the attraction, along the neurons",
        Within(OfLayers("net_along"), high=0.05),
        false={
            "before, too": Within(OfLayers("net_along", "before"), high=0.05),
            "the whole forces cancel, not only along the ray": Within(OfLayers("net_whole"), high=0.05),
        },
    ),
    Assertion(
        "the points of a class cluster at the end: variance within classes over the whole one, in the last hidden layer",
        Within(OfLayers("within", last=True), high=0.1),
        false={"so do the images": Within(inputs_within, high=0.1)},
    ),
]


def figure(table: Table) -> Figure:
    """Rows of panels: the points, then the neurons, of each hidden layer; before and after."""
    layers = table.where(panel="numbers").distinct("layer")
    kinds = [(layer, panel) for layer in layers for panel in ("points", "neurons")]
    drawn, axes = panels(len(kinds), len(TIMES), 1.8)
    for row, (layer, panel) in zip(axes, kinds, strict=True):
        for ax, time in zip(row, TIMES, strict=True):
            _drawn_forces(ax, table.where(panel=panel, layer=layer, time=time))
            ax.set_title(f"{panel} of layer {layer}, {time}")
    drawn.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=6)
    return drawn


def _drawn_forces(ax: Any, found: Table) -> None:
    """Places, and the two forces as arrows; a force of the median length of attractions is a tenth of the panel."""
    a, b = found.column("a"), found.column("b")
    span = max(np.ptp(a), np.ptp(b))
    longest = span / 10 / np.median(np.hypot(found.column("pull_a"), found.column("pull_b")))
    for name, colour, label in (("pull", COLOURS[0], "attraction"), ("push", COLOURS[1], "repulsion")):
        u, v = (longest * found.column(f"{name}_{axis}") for axis in "ab")
        shrink = np.minimum(1, span / 5 / np.maximum(np.hypot(u, v), 1e-300))  # before training some are far out
        settings: dict[str, Any] = {"angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.004}
        ax.quiver(a, b, u * shrink, v * shrink, color=colour, label=label, **settings)
    for label in found.distinct("class"):
        here = found.where(**{"class": label})
        # a neuron has the mark of the first class
        name = f"a {DIGITS[label]}" if label else f"a {DIGITS[0]}, or a neuron"
        ax.plot(here.column("a"), here.column("b"), MARKERS[label], color=INK, markersize=2, label=name)
    ax.plot([0], [0], "+", color=INK, markersize=9, linestyle="", label="origin")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.update_datalim([(a.min() - span / 5, b.min() - span / 5), (a.max() + span / 5, b.max() + span / 5)])  # the arrows, too
    ax.margins(0)
    ax.set_aspect("equal", adjustable="datalim")


EXPERIMENT = Experiment(
    name="feature_learning.fig_1",
    title="Attraction and repulsion cluster the classes and align the neurons along rays",
    source=Source("feature_learning", "Figure 1"),
    recipes={
        "smoke": Recipe(per_class=7, side=6, width=20, ridge=5e-3, tikhonov=1e-3, learning_rate=0.5, steps=6000),
        "laptop": Recipe(per_class=14, side=12, width=50, ridge=5e-3, tikhonov=1e-3, learning_rate=0.5, steps=30_000),
        "paper": Recipe(per_class=14, side=28, width=50, ridge=2e-3, tikhonov=1e-3, learning_rate=0.1, steps=300_000),
    },
    seconds={"smoke": 1, "laptop": 8, "paper": 300},
    runs=runs,
    run=learn_the_digits,
    assertions=ASSERTIONS,
    figure=figure,
    text=(
        "Four rows of two panels, before training on the left and after it on the right: points of the first hidden layer, "
        "its neurons, points of the second hidden layer, its neurons, in two principal components each, with arrows for the "
        "attraction, towards the origin, and the repulsion, away from it. Before, points and neurons are clouds. After, the "
        "points form a group for each of three classes, and the neurons lie on few rays from the origin, on which the two "
        "arrows are opposite."
    ),
    caption=(
        '"Figures 1a and 1c illustrate how the inputs corresponding to different classes are pushed away from each other, '
        "leading to a clustering effect. Figures 1b and 1d show that the neurons naturally align along rays starting from "
        'the origin." (Section 3.1)'
    ),
    read_off={
        "activation, depth and width": "ReLU, 3 layers, 50 neurons in both hidden ones",
        "points": "42 images of the digits 7, 8 and 9",
        "loss and optimiser": "cross entropy with a ridge; gradient descent on all points",
        "forces": "with an addition to the covariances before they are inverted, in two principal components",
        "neurons": "on rays from the origin",
    },
    choices={
        "images": "drawn from fonts, turned, stretched and moved, with mean 0 at every pixel: no library "
        "that is used here ships handwritten ones",
        "ridge, steps, learning rate, Tikhonov": "not given: see the recipe. With a ridge of 0.002 on a laptop, tried "
        "before, the last hidden layer had 3 to 5 rays after 30 000 steps",
        "amount of bias": "1",
        "live neurons, rays": "norm above 0.05 of the largest; neighbours with a cosine above 0.98 share a ray",
        "net force": "along a neuron, <z, A + R> / <z, A>. Whole forces do not cancel where the rank of a layer is below the "
        "number of points, and at kinks; that they do is a false variant",
        "arrows": "those of a panel have one scale, with which the median attraction is a tenth of it; longer ones than a "
        "fifth are cut. The first seed is drawn",
        "principal components": "of the centred columns or rows; the cross is the origin",
    },
)
