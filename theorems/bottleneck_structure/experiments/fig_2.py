r"""Figure 2: a deep network learns the rotation symmetry of its task.

Recipe
    Gradient descent on :math:`C(v) = \|vv^T - (ww^T + E)\|_F^2` with a small noise E. A network is trained with a ridge to map
    v(0) to the losses C(v(1)), ..., C(v(T)). Up to E they depend on two summary statistics of v(0): its length along w and
    across w. The task has bottleneck rank 2.
Shown
    (a) In the middle the weights have two singular values that stand out. (b) In the first two principal components of a hidden
    layer the images of paths of gradient descent do not cross. (c) A layer close to the inputs sends vectors that differ by a
    rotation around w to nearly the same place.
Not shown
    That what is learned is a function of the two statistics everywhere.
Source
    bottleneck_structure, Figure 2 and Section 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from theorems.shared.hidden_direction import gradient, loss, symmetric_part
from verify import Source
from verify.experiments import Assertion, Experiment, Row, Table, Within
from verify.experiments.batches import he_batch
from verify.experiments.drawing import COLOURS, INK, band, mosaic, range_entry, rank_colour, value_label
from verify.instances import batched
from verify.networks import FullyConnected
from verify.networks.training import Adam, Linear, train

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = npt.NDArray[Any]
DATA, NETWORK, TEST = 0, 1, 2
"""The streams of a seed."""
ANGLE = 30
"""Degrees: paths that run into one another cross at small angles, however little the map to the plane errs."""


@dataclass(frozen=True)
class Recipe:
    """Sizes; `rate` and `gap` are the step of the gradient descent and the steps from one loss to the next."""

    depth: int
    width: int
    dimension: int
    points: int
    times: int
    gap: int
    rate: float
    noise: float
    ridge: float
    learning_rate: float
    steps: int
    shown_layer: int
    paths: int
    grid: int


# The task


@dataclass(frozen=True)
class Task:
    """The direction w and the symmetric part of the noise."""

    w: Array
    noise: Array

    def descent(self, v: Array, steps: int, rate: float) -> Iterator[Array]:
        """The vectors of a gradient descent from `v`, which comes first."""
        yield v
        for _ in range(steps):
            v = v - rate * batched(lambda one: gradient(one, self.w, self.noise))(v)
            yield v

    def rotated(self, v: Array, generator: np.random.Generator) -> Array:
        """Each vector with a random direction across w in place of its own: a rotation around w."""
        along = (v @ self.w)[:, None] * self.w
        across = self.across(generator.standard_normal(v.shape))
        return np.asarray(along + across * np.linalg.norm(v - along, axis=1, keepdims=True))

    def statistics(self, v: Array) -> Array:
        """The squared lengths along w and across w, ``(..., d) -> (..., 2)``."""
        along = (v @ self.w) ** 2
        return np.stack([along, (v**2).sum(axis=-1) - along], axis=-1)

    def across(self, vectors: Array) -> Array:
        """The directions of vectors across w, of length 1."""
        across = vectors - (vectors @ self.w)[:, None] * self.w
        return np.asarray(across / np.linalg.norm(across, axis=1, keepdims=True))


def task_of(recipe: Recipe, generator: np.random.Generator) -> Task:
    """A random direction and random noise."""
    w = generator.standard_normal(recipe.dimension)
    noise = recipe.noise * generator.standard_normal((recipe.dimension, recipe.dimension))
    return Task(w / np.linalg.norm(w), symmetric_part(noise))


def starts(recipe: Recipe, count: int, generator: np.random.Generator) -> Array:
    """Gaussian vectors of many lengths."""
    lengths = generator.uniform(0.3, 1.6, (count, 1))
    return np.asarray(lengths * generator.standard_normal((count, recipe.dimension)) / recipe.dimension**0.5)


def losses(recipe: Recipe, task: Task, v: Array) -> Array:
    """The losses after `gap`, 2 `gap`, ... steps, each with mean 0 and variance 1."""
    path = list(task.descent(v, recipe.times * recipe.gap, recipe.rate))[recipe.gap :: recipe.gap]
    found = np.stack([batched(lambda v: loss(v, task.w, task.noise))(one) for one in path], axis=-1)
    return np.asarray((found - found.mean(0)) / found.std(0))


# The runs


def runs(recipe: Recipe, seeds: Sequence[int]) -> list[dict[str, Any]]:  # noqa: ARG001 (the same for every recipe)
    """One for each seed: the matrices are large enough that a batch would save nothing. The first one is shown in the plane."""
    return [{"seed": seed, "shown": seed == seeds[0]} for seed in seeds]


def learn_the_statistics(recipe: Recipe, seed: int, *, shown: bool) -> Iterator[Row]:
    """Singular values and orbit statistics of all layers; of the shown layer images of paths; distances in layer 2."""
    generator = np.random.default_rng([seed, DATA])
    task = task_of(recipe, generator)
    v = starts(recipe, recipe.points, generator)
    y = losses(recipe, task, v)
    widths = (recipe.dimension, *[recipe.width] * (recipe.depth - 1), recipe.times)
    adam = Adam(Linear(recipe.learning_rate, recipe.steps, decay=2 * recipe.steps // 5, warm_up=50))
    start = he_batch([seed], NETWORK, widths)
    sample = v.astype(np.float32), y.astype(np.float32)
    network = train(start, *sample, steps=recipe.steps, optimiser=adam, ridge=recipe.ridge).network[0]
    error = float(((network(sample[0]) - y) ** 2).sum() / (y**2).sum())
    yield {"panel": "fit", "seed": seed, "error": error, "norm": network.parameter_norm_squared}
    for layer, weight in enumerate(network.weights, 1):
        for index, value in enumerate(np.linalg.svd(weight, compute_uv=False)[:6], 1):
            yield {"panel": "spectrum", "seed": seed, "layer": layer, "index": index, "singular_value": value}
    generator = np.random.default_rng([seed, TEST])
    yield from _orbits(recipe, task, network, seed, generator)
    yield from _paths(recipe, task, network, seed, generator, shown=shown)
    if shown:
        yield from _distances(recipe, task, network, generator)


def hidden(network: FullyConnected, v: Array) -> list[Array]:
    """The points and what the hidden layers make of them."""
    return list(network.activations(v.astype(np.float32)))


def _orbits(recipe: Recipe, task: Task, network: FullyConnected, seed: int, generator: np.random.Generator) -> Iterator[Row]:
    """The mean squared distance of two points of an orbit over that of two points, for each layer."""
    v, other = starts(recipe, 500, generator), starts(recipe, 500, generator)
    images = (hidden(network, points) for points in (v, task.rotated(v, generator), other))
    for layer, (here, turned, elsewhere) in enumerate(zip(*images, strict=True)):
        within, between = (((here - one) ** 2).sum(axis=1).mean() for one in (turned, elsewhere))
        yield {"panel": "orbits", "seed": seed, "layer": layer, "orbit": within / between}


def _paths(
    recipe: Recipe, task: Task, network: FullyConnected, seed: int, generator: np.random.Generator, *, shown: bool
) -> Iterator[Row]:
    """Paths of gradient descent in two principal components of the shown layer, and of the inputs: how many pairs cross.

    And how many cross in the plane of the statistics themselves, where they do for two reasons: the noise, and long steps.
    """
    start = starts(recipe, recipe.paths, generator)
    steps = recipe.times * recipe.gap
    path = np.stack(list(task.descent(start, steps, recipe.rate)), axis=1)
    images = hidden(network, path.reshape(-1, recipe.dimension))
    cloud = hidden(network, starts(recipe, 500, generator))
    of_statistics = crossing_pairs(task.statistics(path))
    for layer in (0, recipe.shown_layer):
        mean = cloud[layer].mean(0)
        axes = np.linalg.svd(cloud[layer] - mean, full_matrices=False)[2][:2]
        planar = ((images[layer] - mean) @ axes.T).reshape(*path.shape[:2], 2)
        shares = {"crossing_pairs": crossing_pairs(planar), "at_an_angle": crossing_pairs(planar, least_angle=ANGLE)}
        yield {"panel": "crossings", "seed": seed, "layer": layer, **shares, "of_statistics": of_statistics}
        if layer and shown:
            for number, one in enumerate(planar):
                for time, (a, b) in enumerate(one):
                    yield {"panel": "paths", "path": number, "time": time, "a": a, "b": b}


def crossing_pairs(paths: Array, least_angle: float = 0.0) -> float:
    """The share of pairs of polygonal lines, shape ``(paths, points, 2)``, that cross, at an angle of so many degrees."""
    begin, end = paths[:, None, :-1, None], paths[:, None, 1:, None]
    other_begin, other_end = paths[None, :, None, :-1], paths[None, :, None, 1:]

    def turn(p: Array, q: Array) -> Array:
        return np.asarray(p[..., 0] * q[..., 1] - p[..., 1] * q[..., 0])

    one, other = end - begin, other_end - other_begin
    crossing = np.asarray(turn(one, other_begin - begin) * turn(one, other_end - begin) < 0)
    crossing &= turn(other, begin - other_begin) * turn(other, end - other_begin) < 0
    angles = np.degrees(np.abs(np.arctan2(turn(one, other), (one * other).sum(axis=-1))))
    crosses = (crossing & (angles >= least_angle)).any(axis=(-2, -1))
    return float(crosses[np.triu_indices(len(paths), 1)].mean())


def _distances(recipe: Recipe, task: Task, network: FullyConnected, generator: np.random.Generator) -> Iterator[Row]:
    """Distances in layer 2 from one point of a plane across w to all of it."""
    first, second = task.across(generator.standard_normal((2, recipe.dimension)))
    second = second - (second @ first) * first
    second /= np.linalg.norm(second)
    ticks = np.linspace(-1, 1, recipe.grid)
    plane = ticks[:, None, None] * first + ticks[None, :, None] * second
    image = hidden(network, plane.reshape(-1, recipe.dimension))[2]
    fixed = hidden(network, 0.5 * first[None])[2]
    distances = np.linalg.norm(image - fixed, axis=1).reshape(recipe.grid, recipe.grid)
    for row, a in enumerate(ticks):
        for column, b in enumerate(ticks):
            yield {"panel": "distance", "a": a, "b": b, "distance": distances[row, column]}


# What the figure shows


def in_the_middle(table: Table, index: int) -> Array:
    """A singular value of the weights in the middle, over the one before it, for each seed."""
    layers = table.where(panel="spectrum").distinct("layer")
    middle = table.where(panel="spectrum", layer=layers[(len(layers) - 1) // 2])
    return np.asarray(
        middle.where(index=index).column("singular_value") / middle.where(index=index - 1).column("singular_value")
    )


def third_over_second(table: Table) -> dict[str, Array]:
    """In the middle."""
    return {"middle": in_the_middle(table, 3)}


def second_over_first(table: Table) -> dict[str, Array]:
    """In the middle."""
    return {"middle": in_the_middle(table, 2)}


def orbits_from_layer_two(table: Table) -> dict[str, Array]:
    """The orbit statistic of the layers 2, 3, ..."""
    found = table.where(panel="orbits")
    return Table([row for row in found.rows if row["layer"] not in (0, 1)]).each("layer", "orbit")


def orbits_of_layer_one(table: Table) -> dict[str, Array]:
    """The orbit statistic of layer 1."""
    return table.where(panel="orbits", layer=1).each("layer", "orbit")


def crossings(table: Table) -> dict[str, Array]:
    """The share of pairs of paths that cross in the shown layer, minus the share of those that do in the statistics."""
    found = table.where(panel="crossings")
    shown = found.where(layer=found.distinct("layer")[-1])
    of_statistics = shown.each("layer", "of_statistics")
    return {layer: values - of_statistics[layer] for layer, values in shown.each("layer", "crossing_pairs").items()}


def crossings_at_an_angle(table: Table) -> dict[str, Array]:
    """The share of pairs of paths that cross at a large angle, in the shown layer."""
    found = table.where(panel="crossings")
    return found.where(layer=found.distinct("layer")[-1]).each("layer", "at_an_angle")


def crossings_of_inputs(table: Table) -> dict[str, Array]:
    """The share of pairs of paths that cross at a large angle, in two principal components of the inputs."""
    return table.where(panel="crossings", layer=0).each("layer", "at_an_angle")


ASSERTIONS = [
    Assertion(
        "two singular values stand out in the middle: the third over the second",
        Within(third_over_second, high=0.2),
        false={"one does: the second over the first": Within(second_over_first, high=0.2)},
    ),
    Assertion(
        "an orbit of the rotations is nearly one point from layer 2 on: squared distances in an orbit over those of all",
        Within(orbits_from_layer_two, high=0.05),
        false={"in layer 1 already": Within(orbits_of_layer_one, high=0.05)},
    ),
    Assertion(
        "paths of gradient descent do not cross in two principal components of a hidden layer more than in the two statistics: "
        "share of pairs, minus that in the statistics",
        Within(crossings, high=0.01),
        false={"a fifth of the pairs does": Within(crossings, low=0.2)},
        scales=("laptop", "paper"),
    ),
    Assertion(
        "where they do, they run into one another: share of pairs that cross at 30 degrees or more",
        Within(crossings_at_an_angle, high=0.01),
        false={"nor do they in two principal components of the inputs": Within(crossings_of_inputs, high=0.01)},
        scales=("laptop", "paper"),
    ),
]


def figure(table: Table) -> Figure:
    """Singular values along the layers; paths in the plane of a hidden layer; distances in layer 2 on a plane across w."""
    drawn, axes = mosaic([["spectrum", "spectrum"], ["paths", "distance"]], (2.4, 3.0))
    _spectra(axes["spectrum"], table.where(panel="spectrum"))
    layer = table.where(panel="crossings").distinct("layer")[-1]
    _drawn_paths(axes["paths"], table.where(panel="paths"), layer)
    _map(axes["distance"], table.where(panel="distance"))
    return drawn


def _spectra(ax: Any, spectra: Table) -> None:
    for index in spectra.distinct("index"):
        band(
            ax,
            spectra.where(index=index),
            "layer",
            "singular_value",
            colour=rank_colour(index),
            marker=".",
            label=value_label(index),
        )
    range_entry(ax)
    ax.set_xlabel("layer")
    ax.set_title("singular values of the weights: medians of the seeds")
    ax.set_ylim(bottom=0)
    ax.legend(loc="center", bbox_to_anchor=(0.5, 0.4), ncols=3)


def _drawn_paths(ax: Any, paths: Table, layer: int) -> None:
    for number in paths.distinct("path"):
        one = paths.where(path=number)
        a, b = one.column("a"), one.column("b")
        ax.plot(a, b, color=COLOURS[0], linewidth=0.8)
        ax.plot(a[:1], b[:1], ".", color=COLOURS[1], markersize=4)
    ax.plot(
        [], [], ".-", color=COLOURS[0], markerfacecolor=COLOURS[1], markeredgecolor=COLOURS[1], label="a path, from its start"
    )
    ax.legend(loc="upper right")
    ax.set_title(f"layer {layer}: paths of gradient descent")
    ax.set_xlabel("first principal component")
    ax.set_ylabel("second")


def _map(ax: Any, distances: Table) -> None:
    ticks = distances.distinct("a")
    values = distances.column("distance").reshape(len(ticks), len(ticks))
    drawn = ax.pcolormesh(ticks, ticks, values.T, cmap="viridis", shading="nearest", rasterized=True)
    ax.figure.colorbar(drawn, ax=ax, shrink=0.8)
    ax.plot([0.5], [0], "o", color="white", markeredgecolor=INK, linestyle="", label="point")
    angles = np.linspace(0, 2 * np.pi, 200)
    ax.plot(0.5 * np.cos(angles), 0.5 * np.sin(angles), "--", color="white", linewidth=1.1, label="its orbit")
    ax.legend(loc="upper left", frameon=True, facecolor="#440154", framealpha=0.8, edgecolor="none", labelcolor="white")
    ax.set_aspect("equal")
    ax.set_title("layer 2: distance to the white point")
    ax.set_xlabel("plane across w")


EXPERIMENT = Experiment(
    name="bottleneck_structure.fig_2",
    title="A deep network learns the rotation symmetry of a gradient descent",
    source=Source("bottleneck_structure", "Figure 2"),
    recipes={
        "smoke": Recipe(
            depth=8,
            width=24,
            dimension=5,
            points=300,
            times=6,
            gap=4,
            rate=0.02,
            noise=0.01,
            ridge=0.04,
            learning_rate=0.005,
            steps=2000,
            shown_layer=6,
            paths=30,
            grid=31,
        ),
        "laptop": Recipe(
            depth=12,
            width=40,
            dimension=8,
            points=600,
            times=6,
            gap=4,
            rate=0.02,
            noise=0.01,
            ridge=0.02,
            learning_rate=0.005,
            steps=12_000,
            shown_layer=6,
            paths=40,
            grid=41,
        ),
        "paper": Recipe(
            depth=25,
            width=200,
            dimension=50,
            points=5000,
            times=10,
            gap=4,
            rate=0.02,
            noise=0.01,
            ridge=2e-4,
            learning_rate=1e-3,
            steps=50_000,
            shown_layer=6,
            paths=60,
            grid=61,
        ),
    },
    seconds={"smoke": 4, "laptop": 70, "paper": 200_000},
    runs=runs,
    run=learn_the_statistics,
    assertions=ASSERTIONS,
    figure=figure,
    text=(
        "Above, the largest singular values of the weights against the layer: two stand out in the middle layers. Below left, "
        "images of paths of gradient descent in the plane of the first two principal components of layer 6. Below right, the "
        "distances in layer 2 from the image of one point to those of a plane across the axis of rotation, as colours; they "
        "are small along a dashed circle, the orbit of the point."
    ),
    caption=(
        '"(a) Singular values of the weight matrices of the network, showing two outliers in the bottleneck [...] (b) '
        "[...] images of GD paths do not cross in this space, showing that the dynamics on these two dimensions are self- "
        "consistent. (c) [...] all points on the same symmetry orbit are collapsed together, proving that the network has "
        'learned the rotation symmetry."'
    ),
    read_off={
        "depth, width and ridge": "25, 200 and 0.0002",
        "(a)": "two outlying singular values in the middle",
        "(b)": "hidden layer 6, its first two dimensions: paths of gradient descent do not cross",
        "(c)": "hidden layer 2, a plane across the axis: points of an orbit collapse",
    },
    choices={
        "dimension, points, law of v(0)": "not given: see the recipe; Gaussian directions, lengths uniform from 0.3 to 1.6",
        "losses": "after 4, 8, ..., 24 steps with the rate 0.02, each standardised",
        "noise E": "Gaussian entries of standard deviation 0.01",
        "optimiser": "not given: Adam with a warm-up and two fifths linear at the end",
        "first two dimensions": "principal components of the layer, over 500 points",
        "paths do not cross": "as little as in the statistics themselves: there 1.8 % of the pairs do with our noise, and none "
        "without noise (medians of five seeds), so that not even a network without errors has none. In layer 6 of a laptop "
        "6.1 % more do, but 0.3 % at 30 degrees or more: the others run into one another, which nobody sees as a crossing in "
        "a figure. So it fails by our criterion",
        "orbit statistic": "ours: the mean squared distance of v and a rotated v over that of two points, in a layer",
        "maps of (b) and (c)": "those of the first seed",
        "ridge and steps of a laptop": "0.02 and 12000; after 4000, tried before, training had not ended for a seed",
    },
)
