r"""Figure 2: a deep network learns a function of rank 4.

Recipe
    A teacher :math:`f^* = h \circ g` through four dimensions, with g and h shallow networks with random parameters. A network
    of 13 layers is trained on it with the ridge :math:`\lambda/L`, :math:`\lambda = 0.05`.
Shown
    At the end the squared norm is a bit more than the rank for each layer. (a) In the middle the weights have four singular
    values, and (b) so have the representations. (c) The nonlinearity hardly changes them there: the layers in the middle are
    nearly the identity on their inputs.
Not shown
    That the function that is learned has bottleneck rank 4 everywhere.
Source
    notion_of_rank, "Experiment: rank recovery" and the figure of the introduction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from verify import Source
from verify.experiments import Assertion, Experiment, Row, Table, Within
from verify.experiments.batches import each_seed, he_batch
from verify.experiments.drawing import band, mosaic, range_entry, rank_colour, relation
from verify.networks.training import Adam, Linear, train

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = npt.NDArray[Any]
RANK = 4
SHOWN = 10
"""Singular values of each layer in the table."""
DATA, NETWORK = 0, 1
"""The streams of a seed."""


@dataclass(frozen=True)
class Recipe:
    """Sizes; `ridge` is that of the whole network, to be divided by its depth; `neurons` are those of g and of h."""

    depth: int
    width: int
    dimension: int
    points: int
    neurons: int
    ridge: float
    learning_rate: float
    steps: int


# The task


def shallow_network(generator: np.random.Generator, inputs: int, outputs: int, neurons: int) -> Any:
    """A function: a ReLU layer with random weights and biases, and random weights above."""
    inner = generator.standard_normal((neurons, inputs)) * (2 / inputs) ** 0.5
    bias = 0.5 * generator.standard_normal(neurons)
    outer = generator.standard_normal((outputs, neurons))
    return lambda x: np.maximum(x @ inner.T + bias, 0) @ outer.T


def standardised(values: Array) -> Array:
    """Every coordinate with mean 0 and variance 1."""
    return np.asarray((values - values.mean(0)) / values.std(0))


def rank_four_task(generator: np.random.Generator, recipe: Recipe) -> list[Array]:
    """Gaussian points x, and labels h(g(x)) whose squared norm has the mean 1."""
    x = generator.standard_normal((recipe.points, recipe.dimension))
    g = shallow_network(generator, recipe.dimension, RANK, recipe.neurons)
    h = shallow_network(generator, RANK, recipe.dimension, recipe.neurons)
    y = standardised(h(standardised(g(x)))) / recipe.dimension**0.5
    return [x.astype(np.float32), y.astype(np.float32)]


# The run


def runs(recipe: Recipe, seeds: Sequence[int]) -> list[dict[str, Any]]:  # noqa: ARG001 (the same for every recipe)
    """One for each seed."""
    return [{"seed": seed} for seed in seeds]


def learn_the_teacher(recipe: Recipe, seed: int) -> Iterator[Row]:
    """Norm and error; singular values of weights and representations, and what the nonlinearity does, by layer."""
    x, y = (one[0] for one in each_seed([seed], DATA, lambda generator: rank_four_task(generator, recipe)))
    start = he_batch([seed], NETWORK, (recipe.dimension, *[recipe.width] * (recipe.depth - 1), recipe.dimension))[0]
    adam = Adam(Linear(recipe.learning_rate, recipe.steps, decay=2 * recipe.steps // 5, warm_up=50))
    ridge = recipe.ridge / recipe.depth
    network = train(start, x, y, steps=recipe.steps, optimiser=adam, ridge=ridge).network
    error = ((network(x) - y) ** 2).sum() / (y**2).sum()
    yield {
        "panel": "fit",
        "seed": seed,
        "error": error,
        "norm_per_layer": network.parameter_norm_squared / recipe.depth,
    }
    scaled = [hidden / recipe.points**0.5 for hidden in network.activations(x)[1:]]
    for panel, matrices in (("weights", network.weights), ("representations", scaled)):
        for layer, matrix in enumerate(matrices, 1):
            for index, value in enumerate(np.linalg.svd(matrix, compute_uv=False)[:SHOWN], 1):
                yield {"panel": panel, "seed": seed, "layer": layer, "index": index, "singular_value": value}
    for layer, before in enumerate(network.preactivations(x)[:-1], 1):
        changed = np.linalg.norm(before - np.maximum(before, 0)) / np.linalg.norm(before)
        yield {"panel": "impact", "seed": seed, "layer": layer, "impact": changed}


# What the figure shows


def middle_layers(table: Table) -> list[int]:
    """The middle third of the layers."""
    depth = len(table.where(panel="weights").distinct("layer"))
    return [layer for layer in range(1, depth + 1) if depth < 3 * layer <= 2 * depth]


def ratios(table: Table, panel: str, index: int) -> dict[str, Array]:
    """A singular value over the one before it, for each layer in the middle."""
    found = {}
    for layer in middle_layers(table):
        here = table.where(panel=panel, layer=layer)
        one, before = (here.where(index=k).column("singular_value") for k in (index, index - 1))
        found[f"layer {layer}"] = np.asarray(one / before)
    return found


def fifth_over_fourth(table: Table) -> dict[str, Array]:
    """Of the weights in the middle."""
    return ratios(table, "weights", RANK + 1)


def fourth_over_third(table: Table) -> dict[str, Array]:
    """Of the weights in the middle."""
    return ratios(table, "weights", RANK)


def fifth_of_representations(table: Table) -> dict[str, Array]:
    """The fifth singular value of the representations in the middle, over the fourth."""
    return ratios(table, "representations", RANK + 1)


def fourth_of_representations(table: Table) -> dict[str, Array]:
    """The fourth singular value of the representations in the middle, over the third."""
    return ratios(table, "representations", RANK)


def norm_per_layer(table: Table) -> dict[str, Array]:
    """The squared norm of the parameters over the depth."""
    return {"all layers": table.where(panel="fit").column("norm_per_layer")}


def errors(table: Table) -> dict[str, Array]:
    """The squared error over the square of the labels."""
    return {"training points": table.where(panel="fit").column("error")}


def impact_in_the_middle(table: Table) -> dict[str, Array]:
    """What the nonlinearity changes in the middle layers."""
    return {f"layer {layer}": table.where(panel="impact", layer=layer).column("impact") for layer in middle_layers(table)}


def impact_at_the_start(table: Table) -> dict[str, Array]:
    """What the nonlinearity changes in the first hidden layer."""
    return {"layer 1": table.where(panel="impact", layer=1).column("impact")}


ASSERTIONS = [
    Assertion(
        "the squared norm is the rank and at most half of it more for each layer",
        Within(norm_per_layer, RANK, 6),
        false={
            "less than the rank": Within(norm_per_layer, high=RANK),
            "half to twice the rank more": Within(norm_per_layer, 6, 12),
        },
        scales=("laptop", "paper"),
    ),
    Assertion(
        "in the middle the weights have four singular values: the fifth over the fourth",
        Within(fifth_over_fourth, high=0.2),
        false={"they have three: the fourth over the third": Within(fourth_over_third, high=0.2)},
        scales=("laptop", "paper"),
    ),
    Assertion(
        "in the middle the representations have rank four, nearly: the fifth singular value over the fourth",
        Within(fifth_of_representations, high=0.2),
        false={"rank three: the fourth over the third": Within(fourth_of_representations, high=0.2)},
        scales=("laptop", "paper"),
    ),
    Assertion(
        "in the middle the nonlinearity changes little: the norm of the change over that of the pre-activations",
        Within(impact_in_the_middle, high=0.1),
        false={"and in the first hidden layer": Within(impact_at_the_start, high=0.1)},
    ),
    Assertion(
        "the labels are fitted: the squared error over the square of the labels",
        Within(errors, high=0.1),
        false={"without an error": Within(errors, high=1e-3)},
    ),
]


def figure(table: Table) -> Figure:
    """Singular values of the weights and of the representations against the layer, and what the nonlinearity changes."""
    drawn, axes = mosaic([["weights", "representations"], ["impact", "impact"]], (2.6, 1.8))
    for panel in ("weights", "representations"):
        ax, spectra = axes[panel], table.where(panel=panel)
        labels = dict(enumerate(("first", "second", "third", "fourth", "fifth to tenth"), 1))
        for index in spectra.distinct("index"):
            colour, label = rank_colour(index if index <= RANK else 0), labels.get(index, "")
            band(ax, spectra.where(index=index), "layer", "singular_value", colour=colour, marker=".", label=label)
        ax.set_title(f"singular values of the {panel}")
        ax.set_xlabel("layer")
        ax.set_ylim(bottom=0)
    relation(axes["weights"], table.where(panel="weights").distinct("layer"), 1.0, "1")
    axes["weights"].legend(loc="center", bbox_to_anchor=(0.53, 0.33))
    band(axes["impact"], table.where(panel="impact"), "layer", "impact", marker="o", label="median")
    range_entry(axes["impact"])
    axes["impact"].legend(loc="upper center")
    axes["impact"].set_xlabel("layer")
    axes["impact"].set_title("what the nonlinearity changes, relative to the pre-activations")
    axes["impact"].set_ylim(bottom=0)
    return drawn


EXPERIMENT = Experiment(
    name="notion_of_rank.rank_four_teacher",
    title="A network that learns a function of rank 4 has four singular values in its middle",
    source=Source("notion_of_rank", "Experiment: rank recovery"),
    recipes={
        "smoke": Recipe(depth=8, width=16, dimension=8, points=60, neurons=20, ridge=0.05, learning_rate=0.01, steps=4000),
        "laptop": Recipe(
            depth=13, width=40, dimension=20, points=200, neurons=50, ridge=0.05, learning_rate=0.006, steps=16_000
        ),
        "paper": Recipe(
            depth=13, width=100, dimension=50, points=500, neurons=100, ridge=0.05, learning_rate=0.003, steps=50_000
        ),
    },
    seconds={"smoke": 2, "laptop": 40, "paper": 1200},
    runs=runs,
    run=learn_the_teacher,
    assertions=ASSERTIONS,
    figure=figure,
    text=(
        "Above, the ten largest singular values of the weights, left, and of the representations, right, against the layer, as "
        "medians of the seeds with their range: in the middle four of them stay, near 1 for the weights, and the others are "
        "zero. Below, how much the nonlinearity changes its inputs in each layer: much near both ends, hardly in the middle."
    ),
    caption=(
        '"(a) First 10 singular values of the weight matrices [...] (b) First 10 singular values of the matrix of '
        "activations [...] The representations are approx. rank 4 in the middle layers. (c) [...] This impact [of the "
        "nonlinearity] vanishes in the middle layers, supporting the intuition that the middle layers represent "
        'approximate identities."'
    ),
    read_off={
        "depth, width, points and dimension": "13, 100, 500 and 50",
        "rank of the teacher": "4",
        "ridge": "lambda = 0.05 / L, in a loss with lambda / L times the squared norm",
        "squared norm over the depth at the end": "about 6",
        "representations": "of rank about 4 in the middle layers",
    },
    choices={
        "ridge": "0.05 over the depth times the squared norm: lambda = 0.05 in the loss of the paper",
        "teacher": "g and h are shallow networks with random weights and biases, the four values of g are standardised",
        "inputs and labels": "Gaussian inputs; labels with mean 0 and equal variances, the mean of their squared norm is 1; "
        "with 0.7 in its place, tried before, one of three networks had rank 3",
        "optimiser": "not given: Adam with a warm-up and two fifths linear at the end",
        "representations": "not centred, over the root of the number of points",
        "middle": "the middle third of the layers",
        "dimension, width and points of a laptop": "20, 40 and 200",
        "steps of a laptop": "16000; after 6000, tried before, training had not ended",
    },
)
