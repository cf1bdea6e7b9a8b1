r"""Figure 1: the Hamiltonian is nearly constant and tends to the rank.

Recipe
    A task of bottleneck rank k: two random shallow networks with k numbers between them. Leaky ResNets of one number of layers,
    with adaptive steps, are trained on it with a ridge, for a range of effective depths :math:`\tilde L`.
Shown
    (a) :math:`-\frac{2}{\tilde L}H` tends to k from below, the least cost of the identity from above. (b, c, d) Above, the
    largest singular values of :math:`W_p` along the path: k of them stand out in the middle. Below, the same for the energies:
    both the cost of the identity and the kinetic part are large at the ends, and their difference varies much less.
Not shown
    That there is a limit, and that k is the rank of the task for every seed.
Source
    leaky_resnets, Figure 1, Section 2.1 and Appendix B.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.experiments.adaptive_training import Path
from theorems.leaky_resnets.experiments.effective_depths import RECIPES, Recipe, runs, trained_at_depth
from verify import Source
from verify.experiments import Assertion, Experiment, Row, Table, Within
from verify.experiments.drawing import COLOURS, INK, mosaic, range_entry, rank_colour, relation, value_label
from verify.networks.leaky_resnet import (
    activation_kernel,
    hamiltonian,
    stable_cost_of_identity,
    stable_kernel_norm_squared,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = npt.NDArray[Any]
GAMMA = 1e-3
r""":math:`\gamma_0` in :math:`\gamma_p = \gamma_0\|K_p\|_{op}`."""
ABOVE = 0.5
"""Singular values of the weights above this, over the effective depth, count for the rank: on its image a layer is near 1."""
SPECTRUM = 10

ENERGIES = {
    "hamiltonian": (r"$-2H/\tilde L$", COLOURS[0], "-"),
    "stable": (r"$-2H_\gamma/\tilde L$", COLOURS[2], "-."),
    "identity": ("cost of the identity", COLOURS[1], "-"),
    "kinetic": ("kinetic part", COLOURS[3], ":"),
}


# The runs


def energies(path: Path) -> list[dict[str, Array]]:
    r"""Of each layer, for all networks, in units of :math:`\tilde L/2`, with A before the layer and B behind it.

    The stable Hamiltonian is the cost of the identity minus the kinetic part, both in the norm of :math:`K + \gamma I`.
    """
    found = []
    lengths = path.network.steps * path.network.leak[..., None]
    for layer in range(path.network.depth):
        here, after = path.activations[layer : layer + 2].astype(np.float64)
        kernel = activation_kernel(here)
        gamma = GAMMA * np.linalg.norm(kernel, ord=2, axis=(-2, -1))
        identity = stable_cost_of_identity(here, gamma)
        kinetic = stable_kernel_norm_squared((after - here) / lengths[..., layer, None, None], kernel, gamma)
        found.append(
            {
                "hamiltonian": -2 * hamiltonian(here, path.adjoints[layer + 1].astype(np.float64)),
                "stable": identity - kinetic,
                "identity": identity,
                "kinetic": kinetic,
            }
        )
    return found


def follow_the_layers(recipe: Recipe, depth: float, seeds: Sequence[int]) -> Iterator[Row]:
    """Position, energies and the largest singular values of every layer of the trained networks."""
    path = trained_at_depth(recipe, depth, seeds)
    found = energies(path)
    ends = path.network.positions
    spectra = [np.linalg.svd(weight, compute_uv=False) / depth for weight in path.network.weights]
    for place, seed in enumerate(seeds):
        for layer, values in enumerate(spectra):
            yield {
                "depth": depth,
                "seed": seed,
                "layer": layer + 1,
                "position": ends[place, layer],
                "teacher": recipe.rank,
                **{name: energy[place] for name, energy in found[layer].items()},
                **{f"s{index}": value for index, value in enumerate(values[place][:SPECTRUM], 1)},
            }


# What the figure shows


def each_network(table: Table, of_one: Callable[[Table], float]) -> dict[float, list[float]]:
    """For each effective depth a number of the layers of each seed."""
    return {
        depth: [of_one(table.where(depth=depth, seed=seed)) for seed in table.distinct("seed")]
        for depth in table.distinct("depth")
    }


def named(values: dict[float, list[float]]) -> dict[str, list[float]]:
    """With words for the depths."""
    return {f"depth {depth:g}": one for depth, one in values.items()}


def at_the_largest(values: dict[float, list[float]]) -> dict[str, list[float]]:
    """Only the largest depth."""
    return named({max(values): values[max(values)]})


def middle(layers: Table) -> Any:
    """The layer that contains the position 1/2."""
    return layers.rows[int((layers.column("position") <= 1 / 2).sum()) - 1]


def rank(layers: Table) -> int:
    """How many singular values of the layer in the middle count."""
    return sum(value > ABOVE for name, value in middle(layers).items() if name.startswith("s") and name[1:].isdigit())


def gap(layers: Table) -> float:
    """The rank minus the median of -2H/L over the layers."""
    return rank(layers) - float(np.median(layers.column("hamiltonian")))


def gaps(table: Table) -> dict[str, list[float]]:
    """How far the Hamiltonian is below the rank."""
    return named(each_network(table, gap))


def gap_at_the_largest(table: Table) -> dict[str, list[float]]:
    """The same at the largest effective depth."""
    return at_the_largest(each_network(table, gap))


def changes_of_the_gap(table: Table) -> dict[str, Array]:
    """From each effective depth to the next."""
    found = each_network(table, gap)
    return {f"from {one:g} to {two:g}": np.subtract(found[two], found[one]) for one, two in pairwise(sorted(found))}


def kinetic_share(layers: Table) -> float:
    """The kinetic part over the cost of the identity, in the middle."""
    return float(middle(layers)["kinetic"] / middle(layers)["identity"])


def kinetic_in_the_middle(table: Table) -> dict[str, list[float]]:
    """At the largest effective depth."""
    return at_the_largest(each_network(table, kinetic_share))


def kinetic_at_the_start(table: Table) -> dict[str, list[float]]:
    """The same in the first layer."""
    return at_the_largest(each_network(table, lambda one: one.column("kinetic")[0] / one.column("identity")[0]))


def variations(table: Table) -> dict[str, list[float]]:
    """The range of -2H/L over the layers, over that of the cost of the identity."""
    return named(each_network(table, lambda one: float(np.ptp(one.column("hamiltonian")) / np.ptp(one.column("identity")))))


def variations_in_units(table: Table) -> dict[str, list[float]]:
    """The range of -2H/L over the layers."""
    return named(each_network(table, lambda one: float(np.ptp(one.column("hamiltonian")))))


def last_of_the_rank(table: Table) -> dict[str, list[float]]:
    """The k-th singular value in the middle at the largest effective depth, k the rank of the task."""
    return at_the_largest(each_network(table, lambda one: middle(one)[f"s{middle(one)['teacher']}"]))


def first_beyond_the_rank(table: Table) -> dict[str, list[float]]:
    """The next one."""
    return at_the_largest(each_network(table, lambda one: middle(one)[f"s{middle(one)['teacher'] + 1}"]))


ASSERTIONS = [
    Assertion(
        "-2H/L lies below the rank k of the middle at every effective depth: k minus its median over the layers",
        Within(gaps, low=0),
        false={"it lies above": Within(gaps, high=0)},
    ),
    Assertion(
        "it comes nearer with each effective depth: changes of this gap",
        Within(changes_of_the_gap, high=0),
        false={"it keeps away": Within(changes_of_the_gap, low=0)},
        scales=("laptop", "paper"),
    ),
    Assertion(
        "it tends to k: the gap at the largest effective depth",
        Within(gap_at_the_largest, -0.5, 0.5),
        false={"to k - 1": Within(gap_at_the_largest, 0.5, 1.5), "everywhere": Within(gaps, -0.5, 0.5)},
        scales=("laptop", "paper"),
    ),
    Assertion(
        "the kinetic part is small in the middle: over the cost of the identity, at the largest effective depth",
        Within(kinetic_in_the_middle, high=0.1),
        false={"and in the first layer": Within(kinetic_at_the_start, high=0.1)},
        scales=("laptop", "paper"),
    ),
    Assertion(
        "the Hamiltonian varies less than the cost of the identity: ratio of their ranges over the layers",
        Within(variations, high=1),
        false={"it does not vary: its range": Within(variations_in_units, high=0.01)},
    ),
    Assertion(
        "as many singular values as the rank of the task are large in the middle: the last of them, over the effective depth",
        Within(last_of_the_rank, low=0.5),
        false={"one more": Within(first_beyond_the_rank, low=0.5)},
        scales=("laptop", "paper"),
    ),
]


# The figure


def figure(table: Table) -> Figure:
    """Energies against the effective depth; spectra and energies along the layers at three depths."""
    depths = table.distinct("depth")
    shown = sorted({depths[0], depths[len(depths) // 2], depths[-1]})
    names = [f"{depth:g}" for depth in shown]
    spectra, energies = ([f"{kind} {name}" for name in names] for kind in ("spectra", "energies"))
    drawn, axes = mosaic([["depths"] * len(shown), spectra, ["key"] * len(shown), energies], (2.3, 1.8, 0.5, 2.0))
    _against_depth(axes["depths"], table)
    for depth, name in zip(shown, names, strict=True):
        layers = table.where(depth=depth)
        _spectra(axes[f"spectra {name}"], layers)
        _energies(axes[f"energies {name}"], layers)
        axes[f"spectra {name}"].set_title(rf"$\tilde L$ = {name}")
        axes[f"energies {name}"].set_xlabel("p")
    axes[f"spectra {names[0]}"].set_ylabel(r"singular values of $W_p/\tilde L$")
    axes[f"energies {names[0]}"].set_ylabel("energies")
    top = 1.05 * max(table.where(depth=depths[0]).column("s1"))
    for name in names:
        axes[f"spectra {name}"].set_ylim(0, top)
    range_entry(axes[spectra[0]])
    axes["key"].axis("off")
    axes["key"].legend(*axes[spectra[0]].get_legend_handles_labels(), loc="center", ncols=5)
    handles, labels = axes[f"energies {names[0]}"].get_legend_handles_labels()
    drawn.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return drawn


def _against_depth(ax: Any, table: Table) -> None:
    depths = table.distinct("depth")
    for name, shift, marker in (("hamiltonian", -0.12, "o"), ("stable", 0.12, "s")):
        label, colour, line = ENERGIES[name]
        low, centre, high = (_over_layers(table, name, of) for of in (np.min, np.median, np.max))
        bars = [centre - low, high - centre]
        places = np.array(depths) + shift
        ax.errorbar(places, centre, bars, color=colour, linestyle=line, marker=marker, markersize=4, capsize=2, label=label)
    least = each_network(table, lambda one: float(one.column("identity").min()))
    _band(ax, depths, list(least.values()), COLOURS[1], label="least cost of the identity", marker="^")
    ax.plot([], [], "|", color=INK, markersize=9, label="least to greatest over the layers")
    range_entry(ax)
    ranks = each_network(table, rank)
    (k,) = {int(np.median(ranks[depths[-1]]))}
    relation(ax, [depths[0], depths[-1]], k, f"k = {k}")
    ax.set_xlabel(r"effective depth $\tilde L$")
    ax.set_ylim(-3, 3 * k + 2)
    ax.legend(ncols=2, loc="upper right")


def _over_layers(table: Table, name: str, of: Callable[[Array], Any]) -> Array:
    """The median over the seeds of a number of each network's layers, for each effective depth."""
    return np.array([np.median(values) for values in each_network(table, lambda one: float(of(one.column(name)))).values()])


def _along(layers: Table, column: str) -> tuple[list[float], list[Array]]:
    """The median position of each layer over the seeds, and the values of the seeds there."""
    each = [layers.where(layer=layer) for layer in layers.distinct("layer")]
    return [float(np.median(one.column("position"))) for one in each], [one.column(column) for one in each]


def _band(ax: Any, places: Sequence[float], values: Sequence[Any], colour: str, **settings: Any) -> None:
    ax.fill_between(places, [min(one) for one in values], [max(one) for one in values], color=colour, alpha=0.2, linewidth=0)
    ax.plot(places, [float(np.median(one)) for one in values], color=colour, markersize=4, **settings)


def _spectra(ax: Any, layers: Table) -> None:
    for index in range(1, SPECTRUM + 1):
        if f"s{index}" in layers.rows[0]:
            _band(ax, *_along(layers, f"s{index}"), rank_colour(index), label=value_label(index) or None)
    relation(ax, [0, 1], 1, "value 1")


def _energies(ax: Any, layers: Table) -> None:
    for name, (label, colour, line) in ENERGIES.items():
        _band(ax, *_along(layers, name), colour, linestyle=line, label=label)
    ax.axhline(0, color=INK, linewidth=0.5)
    ax.set_ylim(-3, 12)


EXPERIMENT = Experiment(
    name="leaky_resnets.fig_1",
    title="The Hamiltonian is nearly constant along the layers, and tends to the rank with the effective depth",
    source=Source("leaky_resnets", "Figure 1"),
    recipes=RECIPES,
    seconds={"smoke": 5, "laptop": 100, "paper": 120_000},
    runs=runs,
    run=follow_the_layers,
    assertions=ASSERTIONS,
    figure=figure,
    text=(
        "Above, minus twice the Hamiltonian over the effective depth, against that depth, with bars from the least to the "
        "greatest value over the layers: it rises to a dashed line at the rank. The least cost of the identity falls to it "
        "from above. Below, for three effective depths, the singular values of the weights along the path, the k-th in the "
        "colour of the rank k: few stay large in the middle of deep networks. Under them the energies along the path: the cost "
        "of the identity and the kinetic part are high at the ends, the kinetic part is near zero in the middle, and the "
        "Hamiltonian is nearly constant."
    ),
    caption=(
        '"(a) Estimates of the Hamiltonian constants for networks trained with different [effective depths]. [...] '
        "(b,c,d) Top: The 10 largest singular values [...] The bottleneck structure and separation of timescales becomes "
        "more visible as [the depth] grows. Bottom: [...] The Hamiltonian remains constant throughout the layers, and the "
        "stable Hamiltonian approximates it well except in the first layers [...] inside the bottleneck, the kinetic "
        'energy approaches zero and the COI approaches k*."'
    ),
    read_off={
        "layers, and effective depths": "50; from 4 to 22",
        "task": "from 20 to 5 to 20 numbers by two random fully connected networks; 1000 points",
        "ridge and width": "0.002 and 200",
        "training": "Adam for 20000 epochs, then gradient descent for 10000 with a smaller rate",
        "trend": "median over the layers, with the least and the greatest as bars",
        "rank that is recovered": "5 (and 3 in the text of Section 2.1)",
    },
    choices={
        "linear maps into and out of the width": "fixed: zeros below the inputs, and the first coordinates as outputs",
        "second part of the training": "Adam at a hundredth of its highest rate",
        "adjoints": "the mean over this second part: at a minimum some activations are zero, and the adjoints of one backward "
        "pass jump between those of both sides",
        "initial weights": "the effective depth times the identity plus noise; noise alone ends in the zero network",
        "gamma": "0.001 times the operator norm of K",
        "k": "singular values above half the effective depth of the layer at p = 1/2; not asked to be that of the task",
        "adaptive steps": "every 50 steps of training, three tenths of the way",
        "smaller scales": "fewer dimensions, points, neurons and layers, and a larger ridge, with which training ends sooner",
        "learning rate": "found by trial; with a quarter of it training had not ended",
        "kinetic part in the middle": "at p = 1/2; a tenth is our number for what the figure shows. On a laptop it is 0.94, "
        "0.81, 0.44, 0.113 and 0.108 at the effective depths 4 to 20 (medians of ten seeds). It fails by the place that we "
        "read: in the layer where it is least it is 0.073, and below a tenth for nine of ten",
    },
)
