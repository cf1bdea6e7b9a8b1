r"""Figure 3: the stability of the energies does not grow with the depth.

Recipe
    That of Figure 1: leaky ResNets of one number of layers, with adaptive steps, trained for a range of effective depths.
Shown
    The length of the path of activations, the norm of :math:`B_p` and the norm of :math:`B_p\sigma(A_p)^T` stay about the same,
    while the effective depth and with it the weights :math:`W_p = \tilde L B_p\sigma(A_p)^T` grow five times.
Not shown
    That they are bounded.
Source
    leaky_resnets, Appendix B; of the figure there is the caption only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.experiments.adaptive_training import Path
from theorems.leaky_resnets.experiments.effective_depths import RECIPES, Recipe, runs, trained_at_depth
from verify import Source
from verify.experiments import Assertion, Experiment, Row, Table, Within
from verify.experiments.drawing import COLOURS, INK, band, panels, range_entry, relation
from verify.networks.leaky_resnet import feature_matrix, path_length

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = npt.NDArray[Any]
QUANTITIES = {
    "length": "length of the path",
    "adjoints": r"largest $\|B_p\|$",
    "products": r"largest $\|B_p\sigma(A_p)^T\|$",
}


# The runs


def sizes(path: Path) -> dict[str, Array]:
    """The quantities of the figure and the largest norm of weights, one number for each network."""
    here, momenta = path.activations[:-1], path.adjoints[1:]
    products = momenta @ feature_matrix(here).swapaxes(-1, -2)
    return {
        "length": path_length(np.moveaxis(path.activations, 0, -3)),
        "adjoints": np.linalg.norm(momenta, axis=(-2, -1)).max(axis=0),
        "products": np.linalg.norm(products, axis=(-2, -1)).max(axis=0),
        "weights": np.sqrt(path.network.weight_norms_squared).max(axis=-1),
    }


def measure_the_path(recipe: Recipe, depth: float, seeds: Sequence[int]) -> Iterator[Row]:
    """The quantities for each seed."""
    found = sizes(trained_at_depth(recipe, depth, seeds))
    for place, seed in enumerate(seeds):
        yield {"depth": depth, "seed": seed, **{name: values[place] for name, values in found.items()}}


# What the figure shows


def spread(table: Table, column: str) -> list[float]:
    """The largest value over the effective depths over the least one, for each seed."""
    values = [table.where(seed=seed).column(column) for seed in table.distinct("seed")]
    return [float(one.max() / one.min()) for one in values]


def spread_of_length(table: Table) -> dict[str, list[float]]:
    """Of the length of the path."""
    return {"all depths": spread(table, "length")}


def spread_of_adjoints(table: Table) -> dict[str, list[float]]:
    """Of the largest norm of B."""
    return {"all depths": spread(table, "adjoints")}


def spread_of_products(table: Table) -> dict[str, list[float]]:
    """Of the largest norm of B sigma(A)^T."""
    return {"all depths": spread(table, "products")}


def spread_of_weights(table: Table) -> dict[str, list[float]]:
    """Of the largest norm of weights."""
    return {"all depths": spread(table, "weights")}


ASSERTIONS = [
    Assertion(
        "while the depth grows five times, the length of the path stays within a factor of 2: the largest over the least",
        Within(spread_of_length, high=2),
        false={"the norm of the weights, too": Within(spread_of_weights, high=2)},
        scales=("laptop", "paper"),
    ),
    Assertion(
        "so does the largest norm of B",
        Within(spread_of_adjoints, high=2),
        false={"the norm of the weights, too": Within(spread_of_weights, high=2)},
        scales=("laptop", "paper"),
    ),
    Assertion(
        "so does the largest norm of B sigma(A)^T",
        Within(spread_of_products, high=2),
        false={"the norm of the weights, too": Within(spread_of_weights, high=2)},
    ),
]


def figure(table: Table) -> Figure:
    """The three quantities against the effective depth."""
    drawn, (axes,) = panels(1, 3, 2.2)
    depths = table.distinct("depth")
    for ax, (name, label), colour in zip(axes, QUANTITIES.items(), COLOURS, strict=False):
        band(ax, table, "depth", name, colour=colour, marker="o")
        relation(ax, [depths[0], depths[-1]], float(np.median(table.column(name))))
        ax.set_title(label)
        ax.set_xlabel(r"effective depth $\tilde L$")
        ax.set_ylim(0, 1.1 * table.column(name).max())
    first = axes[0]
    first.plot([], [], color=INK, marker="o", label="median of the seeds")
    range_entry(first)
    relation(first, [], [], "median of all")
    drawn.legend(*first.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return drawn


EXPERIMENT = Experiment(
    name="leaky_resnets.fig_3",
    title="Path length, B and B sigma(A)^T stay about the same as the effective depth grows",
    source=Source("leaky_resnets", "Figure 3"),
    recipes={**RECIPES, "laptop": replace(RECIPES["laptop"], depths=(4, 9, 20))},
    seconds={"smoke": 4, "laptop": 60, "paper": 120_000},
    runs=runs,
    run=measure_the_path,
    assertions=ASSERTIONS,
    figure=figure,
    text=(
        "Three panels against the effective depth: the length of the path of activations, the largest norm of the adjoints B "
        "along it, and the largest norm of B sigma(A)^T. Each has a dashed line at its median."
    ),
    caption=(
        '"how their respective magnitudes remains relatively constant as the effective depth grows" (Appendix B, of the '
        "path length, of B and of B sigma(A)^T)"
    ),
    read_off={
        "quantities": "path length, B and B sigma(A)^T",
        "what is said of them": "they remain relatively constant as the effective depth grows",
        "effective depths": "from 4 to 22",
    },
    choices={
        "networks": "those of leaky_resnets.fig_1, with its choices; of three of its depths at the scale of a laptop",
        "relatively constant": "within a factor of 2, for a depth that grows five times",
        "norms": "the largest along the path; Frobenius",
        "figure": "the paper lacks it; its axes are derived here",
    },
)
