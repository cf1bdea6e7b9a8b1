r"""Figure 1: with the depth the rank falls.

Recipe
    A latent vector z of several coordinates; inputs x = g(z), labels y = h(z_1, z_2), with g and h shallow networks with random
    parameters: a task of bottleneck rank 2. Networks of growing depth are trained on it with a ridge, and the singular values
    above 0.1 of the weights in their middle are counted.
Shown
    Ranges of depths with one rank each, which falls; in each of them the squared norm is affine in the depth with the rank as
    its slope, because only the middle part grows; beyond a depth training ends in the zero network.
Not shown
    That the minima within one range represent the same function.
Source
    bottleneck_structure, Figure 1 and Appendix E.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from verify import Source
from verify.experiments import Assertion, Experiment, Row, Table, Within
from verify.experiments.batches import each_seed, he_batch, on_samples
from verify.experiments.drawing import INK, RANGE, mosaic, range_entry, rank_colour, relation, value_label
from verify.networks.training import Adam, Linear, train

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = npt.NDArray[Any]
DATA = 0
"""The stream of the data of a seed; that of the initial parameters is the depth."""
ABOVE = 0.1
"""Singular values above this count for the rank, and a fraction of the labels' variance above this is no fit."""


@dataclass(frozen=True)
class Recipe:
    """Sizes of the task and of the networks; `spectra` are the depths whose singular values are shown."""

    depths: tuple[int, ...]
    spectra: tuple[int, ...]
    latent: int
    dimension: int
    points: int
    width: int
    ridge: float
    learning_rate: float
    steps: int


# The task


def shallow_network(generator: np.random.Generator, inputs: int, outputs: int, neurons: int = 100) -> Any:
    """A function: a ReLU layer with random weights and biases, and random weights above."""
    inner = generator.standard_normal((neurons, inputs)) * (2 / inputs) ** 0.5
    bias = generator.standard_normal(neurons)
    outer = generator.standard_normal((outputs, neurons))
    return lambda z: np.maximum(z @ inner.T + bias, 0) @ outer.T


def rank_two_task(generator: np.random.Generator, recipe: Recipe) -> list[Array]:
    """Points g(z) and labels h(z_1, z_2), every coordinate with mean 0 and variance 1."""
    z = generator.standard_normal((recipe.points, recipe.latent))
    g, h = (shallow_network(generator, inputs, recipe.dimension) for inputs in (recipe.latent, 2))
    return [((values - values.mean(0)) / values.std(0)).astype(np.float32) for values in (g(z), h(z[:, :2]))]


# The runs


def runs(recipe: Recipe, seeds: Sequence[int]) -> list[dict[str, Any]]:
    """One for each depth: the networks of all seeds are trained as one batch."""
    return [{"depth": depth, "seeds": list(seeds)} for depth in recipe.depths]


def train_at_depth(recipe: Recipe, depth: int, seeds: Sequence[int]) -> Iterator[Row]:
    """Norm, rank and error of a network for each seed and, at some depths, the singular values of all its weights."""
    x, y = each_seed(seeds, DATA, lambda generator: rank_two_task(generator, recipe))
    start = he_batch(seeds, depth, (recipe.dimension, *[recipe.width] * (depth - 1), recipe.dimension))
    adam = Adam(Linear(recipe.learning_rate, recipe.steps, decay=2 * recipe.steps // 5, warm_up=50))
    network = train(start, x, y, steps=recipe.steps, optimiser=adam, ridge=recipe.ridge).network
    errors = ((on_samples(network, x) - y) ** 2).sum(axis=(-2, -1)) / (y**2).sum(axis=(-2, -1))
    spectra = [np.linalg.svd(weight, compute_uv=False) for weight in network.weights]
    ranks = np.stack([(values > ABOVE).sum(axis=-1) for values in spectra], axis=-1)
    middle = ranks[:, (depth - 1) // 2]
    for place, seed in enumerate(seeds):
        yield {
            "depth": depth,
            "seed": seed,
            "rank": middle[place],
            "norm": network.parameter_norm_squared[place],
            "error": errors[place],
            "wide_layers": (ranks[place] > middle[place]).sum(),
        }
        for layer, values in enumerate(spectra, 1) if depth in recipe.spectra else ():
            for index, value in enumerate(values[place][:6], 1):
                yield {"depth": depth, "seed": seed, "layer": layer, "index": index, "singular_value": value}


# What the figure shows


def slope_by_rank(table: Table, column: str) -> dict[int, list[float]]:
    """For each rank, how much `column` grows with a layer: a line for each seed with at least three depths of this rank."""
    norms = Table([row for row in table.rows if "norm" in row])
    found: dict[int, list[float]] = {}
    for rank in norms.distinct("rank"):
        for seed in norms.distinct("seed"):
            here = norms.where(rank=rank, seed=seed)
            if rank and len(here.rows) >= 3:
                slope = np.polyfit(here.column("depth"), here.column(column), 1)[0]
                found.setdefault(rank, []).append(float(slope))
    return {rank: slopes for rank, slopes in found.items() if len(slopes) >= 3}


def excess_slope(table: Table) -> dict[str, list[float]]:
    """The slope of the norm minus the rank."""
    return {f"rank {k}": [slope - k for slope in slopes] for k, slopes in slope_by_rank(table, "norm").items()}


def wide_layers(table: Table) -> dict[str, list[float]]:
    """How many layers of more than the rank come with a layer."""
    return {f"rank {k}": slopes for k, slopes in slope_by_rank(table, "wide_layers").items()}


def changes_of_rank(table: Table) -> dict[str, Array]:
    """The rank at a depth minus that at the depth before, for each seed."""
    depths = table.distinct("depth")
    return {
        f"from {one} to {other}": table.where(depth=other).column("rank") - table.where(depth=one).column("rank")
        for one, other in pairwise(depths)
    }


def whole_change_of_rank(table: Table) -> dict[str, Array]:
    """The rank at the last depth minus that at the first."""
    first, last = table.distinct("depth")[0], table.distinct("depth")[-1]
    return {f"from {first} to {last}": table.where(depth=last).column("rank") - table.where(depth=first).column("rank")}


def norm_at_the_end(table: Table) -> dict[str, Array]:
    """The squared norm at the largest depth."""
    last = table.distinct("depth")[-1]
    return {f"depth {last}": table.where(depth=last).column("norm")}


def norm_at_half(table: Table) -> dict[str, Array]:
    """The squared norm at the depth in the middle of those that were tried."""
    depths = table.distinct("depth")
    half = depths[len(depths) // 2]
    return {f"depth {half}": table.where(depth=half).column("norm")}


ASSERTIONS = [
    Assertion(
        "within one rank the squared norm grows by the rank with each layer: slope minus rank",
        Within(excess_slope, -0.3, 0.3),
        false={"by the rank and a half": Within(excess_slope, 0.2, 0.8), "by one less": Within(excess_slope, -1.3, -0.7)},
        scales=("laptop", "paper"),
    ),
    Assertion(
        "the rank does not rise with the depth: changes from one depth to the next",
        Within(changes_of_rank, high=0),
        false={"nor does it fall, from the first depth to the last": Within(whole_change_of_rank, low=0)},
    ),
    Assertion(
        "only the middle part grows: layers of a higher rank for each layer more",
        Within(wide_layers, -0.3, 0.3),
        false={"all parts grow": Within(wide_layers, 0.5, 1)},
    ),
    Assertion(
        "beyond a depth the network is zero: squared norm at the largest depth",
        Within(norm_at_the_end, high=1e-2),
        false={"at every depth": Within(norm_at_half, high=1e-2)},
        scales=("laptop", "paper"),
    ),
]


def figure(table: Table) -> Figure:
    """Squared norm against depth with the ranks; singular values along the layers at three depths."""
    norms = Table([row for row in table.rows if "norm" in row])
    spectra = Table([row for row in table.rows if "layer" in row])
    shown = [str(depth) for depth in spectra.distinct("depth")]
    drawn, axes = mosaic([["norm"] * len(shown), shown], (3.2, 2.2))
    ax = axes["norm"]
    _norms(ax, norms)
    for name in shown:
        _spectra(axes[name], spectra.where(depth=int(name)))
        axes[name].set_title(f"depth {name}")
        axes[name].set_ylim(0, max(spectra.column("singular_value")) * 1.05)
    axes[shown[0]].set_ylabel("singular values")
    range_entry(axes[shown[0]])
    drawn.legend(*axes[shown[0]].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return drawn


def _norms(ax: Any, norms: Table) -> None:
    depths = norms.distinct("depth")
    values = [norms.where(depth=depth).column("norm") for depth in depths]
    ax.fill_between(
        depths, [min(one) for one in values], [max(one) for one in values], color="#dddddd", linewidth=0, label=RANGE
    )
    ax.plot(depths, [np.median(one) for one in values], color=INK, linewidth=1, label="their median")
    for rank in norms.distinct("rank"):
        here = norms.where(rank=rank)
        fits = here.column("error") < ABOVE
        for fit, marker in ((True, "o"), (False, "x")):
            chosen = fits == fit
            label = f"rank {rank}" if fit == bool(fits.any()) else ""
            at, norm = here.column("depth")[chosen], here.column("norm")[chosen]
            ax.plot(at, norm, marker, color=rank_colour(rank), markersize=4, label=label or None)
        if rank and len(here.distinct("depth")) >= 3:
            ends = np.array([min(here.column("depth")), max(here.column("depth"))])
            offset = np.median(here.column("norm") - rank * here.column("depth"))
            relation(ax, ends, rank * ends + offset, colour=rank_colour(rank))
    ax.plot([], [], "--", color=INK, label="slope = rank")
    ax.plot([], [], "x", color=INK, markersize=4, label="no fit")
    ax.set_xlabel("depth")
    ax.set_ylabel("squared norm of the parameters")
    ax.set_ylim(-3, 1.4 * max(norms.column("norm")))
    ax.legend(loc="upper left", ncols=4)


def _spectra(ax: Any, spectra: Table) -> None:
    for index in spectra.distinct("index"):
        here = spectra.where(index=index)
        layers = here.distinct("layer")
        values = [here.where(layer=layer).column("singular_value") for layer in layers]
        ax.fill_between(
            layers, [min(one) for one in values], [max(one) for one in values], color=rank_colour(index), alpha=0.2, linewidth=0
        )
        ax.plot(layers, [np.median(one) for one in values], color=rank_colour(index), label=value_label(index) or None)
    ax.set_xlabel("layer")
    ax.xaxis.get_major_locator().set_params(integer=True)


EXPERIMENT = Experiment(
    name="bottleneck_structure.fig_1",
    title="Squared norm against depth: affine within one rank, with the rank as slope",
    source=Source("bottleneck_structure", "Figure 1"),
    recipes={
        "smoke": Recipe(
            depths=(4, 6, 10, 16, 20, 24),
            spectra=(6, 24),
            latent=4,
            dimension=8,
            points=50,
            width=16,
            ridge=0.15,
            learning_rate=0.01,
            steps=1200,
        ),
        "laptop": Recipe(
            depths=(4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 28, 32, 40, 50, 64),
            spectra=(8, 16, 24),
            latent=4,
            dimension=10,
            points=80,
            width=24,
            ridge=0.07,
            learning_rate=0.005,
            steps=10_000,
        ),
        "paper": Recipe(
            depths=tuple(range(4, 33)),
            spectra=(8, 12, 18, 24),
            latent=8,
            dimension=20,
            points=1000,
            width=100,
            ridge=1e-3,
            learning_rate=1e-3,
            steps=50_000,
        ),
    },
    seconds={"smoke": 4, "laptop": 160, "paper": 90_000},
    runs=runs,
    run=train_at_depth,
    assertions=ASSERTIONS,
    figure=figure,
    text=(
        "Above, the squared norm of trained networks against their depth, in colours by the rank of the weights in the "
        "middle. The rank falls with the depth. The points of one rank lie along dashed lines with the rank as slope; crosses "
        "mark networks that do not fit; the deepest are zero. Below, the largest singular values of the weights against the "
        "layer, at several depths, the k-th in the colour of the rank k: some large ones near both ends, and as many as the "
        "rank in between."
    ),
    caption=(
        '"We see different ranges of depth where the network converges to different rank, with larger depths leading to '
        "smaller rank, until training fails and recover the zero parameters for L > 25. Within each range the norm is "
        "well approximated by a affine function with slope equal to the rank. (b) [...] the bottleneck structure remains "
        'essentially the same throughout each range of depth, with only the middle low-rank part growing with the depth."'
    ),
    read_off={
        "latent dimension, and dimension of inputs and labels": "8 and 20",
        "ridge": "0.001",
        "bottleneck rank of the task": "2",
        "rank": "number of singular values above 0.1 of the weights in the middle",
        "depth from which the network is zero": "above 25",
        "slope within one range": "the rank",
        "trials whose singular values are shown": "4",
    },
    choices={
        "points, width, optimiser, steps": "not given: see the recipe; Adam with a warm-up and two fifths linear at the end",
        "law of the latent vector": "Gaussian",
        "inputs and labels": "standardised, each coordinate to mean 0 and variance 1",
        "cross": "an error above a tenth of the variance of the labels; the paper has a train cost above 0.1",
        "seeds": "each has a task and initial parameters of its own",
        "smaller scales": "fewer dimensions, points and neurons, and a larger ridge, with which training ends sooner",
        "ridge and steps of a laptop": "found by trial: with 0.1 and 3000 steps the slope at rank 3 was 2.1 and the rank rose "
        "from 14 to 16 layers, because training had not ended; no third pair was tried at all depths",
        "largest depth": "64 on a laptop, which is too small for its ridge: there six of ten networks have rank 1 and an "
        "objective of 7.5 to 8.2, and zero has 10. From 50 to 64 theirs grows by 0.07 with each layer, the ridge times the "
        "rank, so that zero is the least from about 95 on. The four that are zero are so because training ends there",
    },
)
