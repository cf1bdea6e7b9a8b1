r"""Symmetry overfitting: functions of bottleneck rank one through N scattered labels cost at least of order log N more.

Statement
    Given :math:`f^*` with :math:`\mathrm{Rank}_J(f^*; \Omega) = k^* > 1`, for all :math:`\epsilon` there is :math:`c_\epsilon`
    such that every function of bottleneck rank one that fits :math:`f^*` on N i.i.d. points with support :math:`\Omega` has
    :math:`R^{(1)} > 2(1 - 1/k^*) \log N + c_\epsilon` with probability :math:`1 - \epsilon`.
Correction
    The labels need a bounded density in k dimensions. Otherwise the statement is false for **every** constant c (``.printed``):
    take atoms that are dense in :math:`\Omega`, and let :math:`C_J` be the excess of a network through the first J. If the
    others have a mass below :math:`1/(2N_J)` with :math:`2(1 - 1/k) \log N_J \ge C_J + J`, half of the samples of :math:`N_J`
    points are among the first J, and :math:`C_J` is below :math:`2(1 - 1/k)\log N_J + c` for :math:`J > -c`. In the unit square
    :math:`C_J \le 16J^2` (``notion_of_rank.theorem_2.dense_atoms``). The instance of ``.printed`` has few atoms, which are
    all of its support. With a density, which is surely meant, the statement is true.
Checked
    What the labels of any sample make of it, at finite depth. Let d be the diameter of the data and :math:`r_m` the distance of
    the (N - m)-th closest pair of labels, with P the shortest path through the labels. Then for all m < N

    .. math:: m\,r_m \le P, \qquad \|\theta\|^2 - L \ge 2 \log \frac{m\,r_m}d .

    With a density at most F in k dimensions, m the integer part of N/2 and :math:`\rho = (\epsilon/(\omega_k F))^{1/k}`, a
    sample has :math:`r_m \ge \rho (N-1)^{-1/k}` with probability :math:`1 - \epsilon`
    (``notion_of_rank.theorem_2.probability``), so that
    :math:`R^{(1)} \ge 2(1 - 1/k) \log N + 2\log(\rho/(3d))`. Two neurons do not pay it: the identity of a grid.
Proof idea
    Among the N - 1 edges of a path all but N - m - 1 are at least as long as :math:`r_m`; Theorem 2 of notion_of_rank.
Sharp
    Equal steps on a line, fitted by a chain of unit weights; for smaller m some points are equal.
Source
    symmetry_learning, Symmetry overfitting; the form with the distances of pairs is ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import values_at
from theorems.notion_of_rank.constructions.bottleneck import Parts
from theorems.notion_of_rank.constructions.paths import grid_points, shortest_path, squared_distances
from theorems.notion_of_rank.constructions.rank_one import norm_of_network, rank_one_curve
from theorems.notion_of_rank.prop_2.statement import SEPARATED, are_separated
from theorems.notion_of_rank.theorem_2.probability import span_the_plane
from theorems.notion_of_rank.theorem_2.statement import PARTS, chain_on_a_line
from theorems.symmetry_learning.kernel_rate.monomials import integer_above
from verify import Claim, Domain, FalseAsPrinted, Relation, Source, Tight, ge, interval, le, reals
from verify.arithmetic import Array, exp, largest, log, maximum, power, rationals
from verify.networks import compose


def close_pairs(labels: Array) -> Array:
    """Squared distances of the closest pair, the second closest and so on, ascending, shape ``(..., N - 1)``."""
    count = labels.shape[-2]
    first, second = np.triu_indices(count, 1)
    return np.sort(squared_distances(labels)[..., first, second], axis=-1)[..., : count - 1]


def scattered_labels_cost(parts: Parts, points: Array, logs: int = 2) -> Relation:
    """For every m the path through the values, and the norm, against m times the distance of the (N - m)-th closest pair."""
    return costs_of_pairs(parts, points, pairs_passed(points), logs)


def pairs_passed(points: Array) -> Array:
    """The numbers m = N - 1, ..., 1: as many edges of a path are at least as long as the closest pair, the next, ..."""
    return np.arange(points.shape[-2] - 1, 0, -1)


def costs_of_pairs(parts: Parts, points: Array, numbers: Array, logs: int = 2) -> Relation:
    """The bounds with `numbers` for m."""
    network = compose(parts[1], parts[0], merge=False)
    labels = values_at(network, points)
    scattered = numbers**2 * close_pairs(labels)
    diameter = largest(largest(squared_distances(points)))
    path = le(scattered, shortest_path(labels)[..., None] ** 2, over=1, name="path")
    grown = exp(network.weight_norm_squared - network.depth) * power(diameter, Fraction(logs, 2))
    return path & le(power(scattered, Fraction(logs, 2)), np.asarray(grown)[..., None], over=1, name="norm")


def network_of_atoms(points: Array, direction: Array) -> Array:
    """Squared norm less depth of a network of bottleneck rank one through atoms; the same at all depths from 3 on."""
    curve = rank_one_curve(points, points, direction)
    return np.asarray(norm_of_network(curve, 3, 0 * points[..., 1:, 0] + 1) - 3)


def grows_with_the_sample(points: Array, direction: Array, constant: Array) -> Relation:
    """What is printed, for k = 2: every network through a sample of the atoms has an excess of log N + c.

    It is compared for a power N of 4 at which it fails; the sample is of the atoms only.
    """
    excess = network_of_atoms(points, direction)
    return ge(excess, log(4) * integer_above(maximum(excess - constant, 0)) + constant)


def spread_out(points: Array) -> Array:
    """Whether the first three atoms are not on a line."""
    return span_the_plane(points[..., :3, :])


def identity_of_a_grid() -> Relation:
    """The identity of a 4 x 4 grid at depth 2, of excess 2, against the bound for one neuron."""
    points = grid_points(4, 2)
    closest, diameter = close_pairs(points)[0], largest(largest(squared_distances(points)))
    return ge(15**2 * closest, exp(rationals(2)) * diameter)


# False variants


def one_edge_more(parts: Parts, points: Array) -> Relation:
    """One edge more than m."""
    return costs_of_pairs(parts, points, pairs_passed(points) + 1)


def all_edges(parts: Parts, points: Array) -> Relation:
    """N - 1 edges as long as any of the N - 1 closest pairs."""
    return costs_of_pairs(parts, points, 0 * pairs_passed(points) + points.shape[-2] - 1)


def chain_of_steps(root: str, longer: int = 0, count: int = 4) -> dict[str, Any]:
    """A chain of layers with weights `root`, and points of equal steps on a line."""
    return chain_on_a_line(root, longer, tuple(range(count))[::-1])


def equal_points(*places: int) -> dict[str, Any]:
    """The same with weights 1 and these places, of which some are the same."""
    return chain_on_a_line("1", 1, places)


SOURCE = Source("symmetry_learning", "Theorem (2023a)")

CLAIM = Claim(
    id="symmetry_learning.symmetry_overfitting",
    title="Functions of bottleneck rank one pay the logarithm of the number of scattered labels",
    source=SOURCE,
    statement=scattered_labels_cost,
    domain=Domain(
        {"parts": PARTS, "points": reals("count", "inputs")},
        {
            "inner_depth": (1, 2),
            "outer_depth": (1, 2, 4),
            "inputs": (2, 3),
            "width": (2,),
            "count": (2, 3, 5),
            "bottleneck": (1,),
            "outputs": (1, 2, 3),
        },
    ),
    tight={
        "equal steps": Tight(partial(chain_of_steps, "1"), partly=True),
        "six points, seven layers": Tight(partial(chain_of_steps, "1", 3, 6), partly=True),
        "equal steps, two equal points": Tight(partial(equal_points, 2, 0, 1, 0), of=("path", "norm"), partly=True),
        "two points, each twice": Tight(partial(equal_points, 1, 0, 1, 0), of=("path", "norm"), partly=True),
        "two points": Tight(partial(chain_of_steps, "1", 0, 2)),
        "a little steeper": Tight(
            partial(chain_of_steps, "10000001/10000000"),
            1e-13,
            "log and square agree to second order",
            of=("norm",),
            partly=True,
        ),
    },
    false_neighbours={"one edge more": one_edge_more, "all edges": all_edges},
    exact={"the identity of a grid": identity_of_a_grid},
    cost=4,
)

PRINTED = Claim(
    id="symmetry_learning.symmetry_overfitting.printed",
    title="Functions of bottleneck rank one pay the logarithm of the number of data, for every distribution",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=grows_with_the_sample,
    domain=Domain(
        {"points": reals("atoms", 2), "direction": reals(2), "constant": interval(-64, 64)},
        {"atoms": range(3, 6)},
        hypotheses={SEPARATED: are_separated, "three of the atoms are not on a line": spread_out},
    ),
    false_neighbours={},
)
