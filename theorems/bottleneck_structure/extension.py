r"""Appendix D.2: the cost of a function that is the limit of piecewise linear ones.

Statement
    The cost of f is the least limit of the costs of piecewise linear :math:`f_i \to f` whose Jacobians converge.
Correction
    The paper calls the cost of "any such function" infinite, by which it means every other function.
Checked
    Consistency of the lower bound :math:`R(f_i) \ge L \max|f_i'|^{2/L}` for interpolants :math:`f_i` of any curve f in
    :math:`\mathbb{R}^m`. Another node never lowers it, so that it converges along refinements; it stays below the bound
    for f, where :math:`|f'| \le C`. For :math:`f(x) = x^2` on [0, 1] and n equal pieces the largest slope is 2 - 1/n, and

    .. math:: \frac1n \le 2\log 2 - 2\log\max|f_n'| \le \frac1n + \frac{2\log 2 - 1}{n^2} .

    The networks of the interpolants (notion_of_rank, ``prop_2``) obey it.
Proof idea
    The slope between two nodes is a mean of the slopes to a node between them.
Sharp
    A node at which nothing bends; the identity; n = 1, and large n.
Not checked
    That the costs themselves converge: they are not known. That R is lower semicontinuous, so that nothing changes for
    piecewise linear functions: the widths along a sequence are not bounded.
Source
    bottleneck_structure, Appendix D.2; the bounds are ours.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import squares
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.rank_one import norm_of_network, rank_one_curve
from verify import Claim, Domain, Ours, Rate, Relation, Source, Tight, ge, integers, interval, le, reals
from verify.arithmetic import Array, compare, largest, log, power, rationals


def nodes_of(gaps: Array) -> Array:
    """Ascending nodes from 0 on with these gaps, shape ``(..., N) -> (..., N + 1)``."""
    return np.concatenate([0 * gaps[..., :1], np.cumsum(gaps, axis=-1)], axis=-1)


def steepest(nodes: Array, values: Array) -> Array:
    """Square of the largest slope of the interpolant, shapes ``(..., N), (..., N, m) -> (...)``."""
    rises = squares(values[..., 1:, :] - values[..., :-1, :])
    return largest(rises / (nodes[..., 1:] - nodes[..., :-1]) ** 2)


def without(array: Array, place: int, axis: int) -> Array:
    """All entries along an axis but one."""
    return np.delete(array, place, axis=axis)


def refinement_is_steeper(gaps: Array, values: Array) -> Relation:
    """The interpolant without one of its inner nodes against the whole one."""
    nodes = nodes_of(gaps)
    coarse = [steepest(without(nodes, place, -1), without(values, place, -2)) for place in range(1, nodes.shape[-1] - 1)]
    return le(np.stack(coarse, axis=-1), steepest(nodes, values)[..., None], over=1)


def networks_obey_the_bound(gaps: Array, values: Array, scales: Array, depth: Depth) -> Relation:
    """The norm of the network of the interpolant against the bound by its largest slope."""
    nodes, one = nodes_of(gaps)[..., None], 1 + 0 * gaps[..., :1]
    curve = rank_one_curve(nodes, values, one)
    cost = norm_of_network(curve, depth.depth, scales)
    return ge(cost, depth.depth * power(steepest(nodes[..., 0], values), Fraction(1, depth.depth)))


def square_is_the_limit(pieces: Array) -> Relation:
    """How far the bound of the interpolants of the square is from that of the square."""
    limit = 2 * log(0 * pieces + 2)
    missing = limit - 2 * log(2 - 1 / pieces)
    above = 1 / pieces + (limit - 1) / pieces**2
    return ge(missing, 1 / pieces, name="from below") & le(missing, above, name="from above")


def slopes_of_the_square() -> Relation:
    """The largest slope of interpolants of the square with up to 40 equal pieces is 2 - 1/n."""
    relation = Relation(())
    for pieces in range(1, 41):
        nodes = rationals(np.arange(pieces + 1)) / pieces
        found = steepest(nodes, (nodes**2)[:, None])
        expected = (2 - rationals([1]) / pieces) ** 2
        relation &= le(found, expected) & ge(found, expected)
    return relation


def distance_to_the_limit(pieces: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """What the bound of n pieces misses."""
    return np.asarray(-2 * np.log1p(-1 / (2 * pieces)))


# False variants


def refinement_is_flatter(gaps: Array, values: Array) -> Relation:
    """The opposite inequality."""
    nodes = nodes_of(gaps)
    coarse = steepest(without(nodes, 1, -1), without(values, 1, -2))
    return ge(coarse, steepest(nodes, values))


def an_end_may_go(gaps: Array, values: Array) -> Relation:
    """An end of the interval in the place of an inner node, from above."""
    nodes = nodes_of(gaps)
    return ge(steepest(nodes[..., 1:], values[..., 1:, :]), steepest(nodes, values))


def by_the_length(gaps: Array, values: Array, scales: Array, depth: Depth) -> Relation:
    """The sum of the slopes in place of the largest."""
    nodes = nodes_of(gaps)
    cost = norm_of_network(rank_one_curve(nodes[..., None], values, 1 + 0 * gaps[..., :1]), depth.depth, scales)
    rises = squares(values[..., 1:, :] - values[..., :-1, :]) / gaps**2
    return ge(cost, depth.depth * power(rises.sum(axis=-1), Fraction(1, depth.depth)))


def without_the_root(gaps: Array, values: Array, scales: Array, depth: Depth) -> Relation:
    """The largest slope without the L-th root."""
    nodes = nodes_of(gaps)
    cost = norm_of_network(rank_one_curve(nodes[..., None], values, 1 + 0 * gaps[..., :1]), depth.depth, scales)
    return ge(cost, depth.depth * steepest(nodes, values))


def twice_as_fast(pieces: Array) -> Relation:
    """Half of the distance."""
    return ge(2 * log(2 - 1 / pieces), 2 * log(0 * pieces + 2) - 1 / (2 * pieces) - 1 / (2 * pieces**2))


def faster_than_any_rate(pieces: Array) -> Relation:
    """The distance of order 1/n^2."""
    return ge(2 * log(2 - 1 / pieces), 2 * log(0 * pieces + 2) - 2 / pieces**2)


def straight() -> dict[str, Any]:
    """A node on a straight piece."""
    return {"gaps": rationals([1, 2]), "values": rationals([[0, 0], [3, 4], [9, 12]])}


def line() -> dict[str, Any]:
    """The identity at depth 3."""
    return {"gaps": rationals([[2]]), "values": rationals([[[0], [2]]]), "scales": rationals([[1]]), "depth": Depth(3)}


def many_pieces() -> dict[str, Any]:
    """A million pieces."""
    return {"pieces": rationals([10**6])}


def positive(gaps: Array) -> Array:
    """Whether the nodes are distinct."""
    return np.asarray((compare(gaps, 0) == 1).all(axis=-1))


OURS = Source("bottleneck_structure", "ours")
DISTINCT = {"the nodes are distinct": positive}
CURVE = {"gaps": interval(0, 4, "pieces"), "values": reals(lambda sizes: sizes["pieces"] + 1, "outputs")}

CLAIM = Claim(
    id="bottleneck_structure.extension",
    title="Refinements of an interpolant do not lower the bound for its cost",
    source=OURS,
    status=Ours(),
    statement=refinement_is_steeper,
    domain=Domain(CURVE, {"pieces": (2, 3, 4, 7), "outputs": (1, 2, 3)}, DISTINCT),
    tight={"a node on a straight piece": Tight(straight)},
    false_neighbours={"flatter": refinement_is_flatter, "an end in its place": an_end_may_go},
)

NETWORKS = Claim(
    id="bottleneck_structure.extension.networks",
    title="Networks of interpolants cost at least what their slopes do",
    source=OURS,
    status=Ours(),
    statement=networks_obey_the_bound,
    domain=Domain(
        {**CURVE, "scales": interval(Fraction(1, 4), 4, "pieces"), "depth": GIVEN_DEPTH},
        {"pieces": (1, 2, 3, 6), "outputs": (1, 2), "depth": (2, 3, 6)},
        DISTINCT,
    ),
    tight={"a straight line": Tight(line)},
    false_neighbours={"the sum of the slopes": by_the_length, "without the root": without_the_root},
)

SQUARE = Claim(
    id="bottleneck_structure.extension.square",
    title="The bounds of the interpolants of the square converge to that of the square",
    source=OURS,
    status=Ours(),
    statement=square_is_the_limit,
    domain=Domain({"pieces": integers(1, 10**6)}),
    tight={
        "many pieces": Tight(many_pieces, relative_slack=3e-7, why="they agree up to 1/n^2", of=("from below",)),
        "many pieces, from above": Tight(many_pieces, relative_slack=3e-7, why="they agree up to 1/n^2", of=("from above",)),
        "one piece": Tight(lambda: {"pieces": rationals([1])}, of=("from above",)),
    },
    false_neighbours={"half of the distance": twice_as_fast, "of order 1/n^2": faster_than_any_rate},
    exact={"slopes of the square": slopes_of_the_square},
    rate=Rate(distance_to_the_limit, tuple(2**k for k in range(3, 12)), -1.0),
)
