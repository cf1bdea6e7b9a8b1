r"""The regularised loss up to the first correction has local minima, which those of deep networks approach.

Statement
    The loss :math:`C(A) + \lambda R(A; L)` of linear networks is approximated by :math:`C(A) + \lambda L\,\mathrm{rank} A +
    2\lambda\log|A|_+`, whose minima first minimise the rank, and then the pseudo-determinant among matrices of equal rank.
Correction
    On the matrices of a rank k > 0 the approximation is not bounded from below, so that only local minima can be meant
    (``decoupled_objective``).
Checked
    For :math:`C(A) = \|A - T\|_F^2` where T has the singular values :math:`t_i = r_i + \lambda/r_i`, :math:`r_i^2 \ge \lambda`,
    on square matrices of full rank: no matrix with singular values :math:`s_i \ge \lambda/r_i` (both in descending order) is
    better than the one with the frames of T and the singular values :math:`r_i`. For numbers, :math:`r = (t + \sqrt{t^2 -
    4\lambda})/2` is the local minimum, and :math:`\lambda/r` the local maximum. The local minimum :math:`a_L` of
    :math:`(a - t)^2 + \lambda L|a|^{2/L}` tends to it (``.depth``):

    .. math:: \frac{2\lambda}L|\log a_L|\min(1, a_L^{2/L}) \le |a_L - r|\,(a_L + r - t)
              \le \frac{2\lambda}L|\log a_L|\max(1, a_L^{2/L}) ,

    and with a fitted rate of 1/L.
Proof idea
    :math:`\mathrm{Tr}[A^TT] \le \sum_i s_i(A)t_i`. The derivative of :math:`(s - t)^2 + 2\lambda\log s` has the zeros r and
    :math:`\lambda/r`. Both :math:`a_L` and r are stationary, so that :math:`(a_L - r)(t - a_L - r) = \lambda(a_L^{2/L} - 1)`.
Sharp
    The local minimum; one singular value at a large depth.
Source
    bottleneck_structure, Section 3, after the Taylor expansion; the statements are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import descending
from theorems.notion_of_rank.constructions.balanced import plane_rotations, rotated, rotation
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.scalars import largest_stationary_root
from verify import Claim, Domain, Ours, Q, Rate, Relation, Source, Tight, derived, ge, interval, le, reals
from verify.arithmetic import Array, absolute, compare, log, maximum, minimum, rationals, sqrt
from verify.matrices import frobenius_norm_squared, log_pseudo_determinant, singular_values
from verify.symbolic import identically_zero


def truncated(matrix: Array, target: Array, ridge: Array) -> Array:
    r""":math:`\|A - T\|_F^2 + 2\lambda\log|A|_+`."""
    return np.asarray(frobenius_norm_squared(matrix - target) + 2 * ridge * log_pseudo_determinant(matrix))


def with_larger_root(minima: Array, ridge: Array) -> Array:
    r""":math:`t = r + \lambda/r`, entrywise, shapes ``(..., n), (...) -> (..., n)``."""
    return np.asarray(minima + ridge[..., None] / minima)


def local_minimum(left: Array, minima: Array, right: Array, matrix: Array, ridge: Array) -> Relation:
    """The matrix with the singular values r_i against another one."""
    target = rotated(left, with_larger_root(minima, ridge), right)
    return le(truncated(rotated(left, minima, right), target, ridge), truncated(matrix, target, ridge))


def steps_at_depth(root: Array, ridge: Array, depth: Depth) -> tuple[Array, Array]:
    r""":math:`L\,|a_L - r|\,(a_L + r - t)` and :math:`\lambda|\log a_L|` for the local minimum :math:`a_L = u^L` of the loss
    at a depth; the target is :math:`t = u^L + \lambda u^{2-L}`.
    """
    found = root**depth.depth
    target = found + ridge * root**2 / found
    limit = (target + sqrt(target**2 - 4 * ridge)) / 2
    return depth.depth * absolute(found - limit) * (found + limit - target), ridge * absolute(log(found))


def minimum_at_depth(root: Array, ridge: Array, depth: Depth, logs: int = 2) -> Relation:
    """The distance of the local minimum at a depth from that of the approximation, from both sides."""
    step, bound = steps_at_depth(root, ridge, depth)
    one = 0 * root + 1
    above = le(step, logs * bound * maximum(root**2, one), name="from above")
    return above & ge(step, logs * bound * minimum(root**2, one), name="from below")


def above_the_smaller_root(minima: Array, matrix: Array, ridge: Array) -> npt.NDArray[np.bool_]:
    r"""Whether :math:`s_i(A) \ge \lambda/r_i` for the r_i in descending order."""
    values, bounds = singular_values(matrix), ridge[..., None] / descending(minima)
    return np.asarray((compare(values, bounds) >= 0).all(axis=-1))


def minima_are_the_larger_roots(minima: Array, ridge: Array) -> npt.NDArray[np.bool_]:
    r"""Whether :math:`r_i^2 \ge \lambda`."""
    return np.asarray((compare(minima**2, ridge[..., None]) >= 0).all(axis=-1))


def target_has_roots(root: Array, ridge: Array, depth: Depth) -> npt.NDArray[np.bool_]:
    r"""Whether :math:`t^2 \ge 4\lambda`, and :math:`a_L + r \ge t`."""
    found = root**depth.depth
    target = found + ridge * root**2 / found
    return np.asarray((compare(target**2, 4 * ridge) > 0) & (compare(2 * found, target) >= 0))


# False variants


def global_minimum_of_the_loss(left: Array, minima: Array, right: Array, matrix: Array, ridge: Array) -> Relation:
    """The matrix T itself, as if the determinant did not move the minimum."""
    target = rotated(left, with_larger_root(minima, ridge), right)
    return le(truncated(target, target, ridge), truncated(matrix, target, ridge))


def smaller_roots(left: Array, minima: Array, right: Array, matrix: Array, ridge: Array) -> Relation:
    """The local maximum."""
    target = rotated(left, with_larger_root(minima, ridge), right)
    return le(truncated(rotated(left, ridge[..., None] / minima, right), target, ridge), truncated(matrix, target, ridge))


def minimum_of_higher_order(root: Array, ridge: Array, depth: Depth) -> Relation:
    """The distance of the minima with 1 / L^2."""
    step, bound = steps_at_depth(root, ridge, depth)
    return le(step * depth.depth, 2 * bound * maximum(root**2, 0 * root + 1))


def minimum_without_the_maximum(root: Array, ridge: Array, depth: Depth) -> Relation:
    """The distance of the minima without the maximum."""
    step, bound = steps_at_depth(root, ridge, depth)
    return le(step, 2 * bound)


# Exact parts, the ladder of depths, and sharp instances


def stationary_points_in_symbols() -> Relation:
    """The derivative of the approximation for numbers, factored; it has no zero where t^2 < 4 lambda."""
    import sympy as sp

    a, t, r, ridge = sp.symbols("a t r lambda", positive=True)
    derivative = sp.diff((a - t) ** 2 + 2 * ridge * sp.log(a), a)
    discriminant = sp.discriminant(sp.expand(derivative * a / 2), a)
    at_roots = derivative.subs(t, r + ridge / r) * a / 2 - (a - r) * (a - ridge / r)
    return identically_zero(at_roots, discriminant - (t**2 - 4 * ridge))


def distances(target: float, ridge: float, depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of the local minimum at each depth to that of the approximation."""
    limit = (target + np.sqrt(target**2 - 4 * ridge)) / 2
    roots = [float(largest_stationary_root(np.array(target), np.array(ridge), int(depth))) for depth in depths]
    return np.asarray(np.abs(np.array(roots) ** depths - limit))


def at_the_minimum(*minima: object) -> dict[str, Any]:
    """The minimum itself, between rotations, for the ridge 1/2."""
    frames, roots = rotation(rationals([["1/2"], ["-2/3"]])), rationals(minima)
    numbers = {"left": frames[0], "minima": roots, "right": frames[1], "ridge": rationals("1/2")}
    return {**numbers, "matrix": rotated(frames[0], roots, frames[1])}


def near_one(depth: int) -> dict[str, Any]:
    """The root 1 + 10^-9."""
    return {"root": rationals("1000000001/1000000000"), "ridge": rationals("1/4"), "depth": Depth(depth)}


SOURCE = Source("bottleneck_structure", "Section 3, minima of the approximation")
OURS = Source("bottleneck_structure", "ours")
FRAME = derived(rotation, chart=reals(plane_rotations("dimension")))
RIDGE = interval(Q("1/16"), 4)

CLAIM = Claim(
    id="bottleneck_structure.truncated_objective",
    title="The loss up to the first correction has a local minimum",
    source=OURS,
    status=Ours(),
    statement=local_minimum,
    domain=Domain(
        {
            "left": FRAME,
            "minima": interval(Q("1/8"), 8, "dimension"),
            "right": FRAME,
            "matrix": derived(rotated, left=FRAME, values=interval(Q("1/16"), 8, "dimension"), right=FRAME),
            "ridge": RIDGE,
        },
        {"dimension": range(1, 4)},
        {"no singular value below the local maximum": above_the_smaller_root, "larger roots": minima_are_the_larger_roots},
    ),
    needs=("no singular value below the local maximum", "larger roots"),
    tight={"the minimum": Tight(partial(at_the_minimum, 3, 1))},
    false_neighbours={"the target is the minimum": global_minimum_of_the_loss, "the smaller roots": smaller_roots},
    exact={"stationary points in symbols": stationary_points_in_symbols},
)

DEPTH = Claim(
    id="bottleneck_structure.truncated_objective.depth",
    title="Local minima of deep networks tend to that of the loss up to the first correction",
    source=SOURCE,
    statement=minimum_at_depth,
    domain=Domain(
        {"root": interval(Q("1/4"), 2), "ridge": RIDGE, "depth": GIVEN_DEPTH},
        {"depth": (1, 2, 3, 4, 6, 14)},
        {"both are local minima": target_has_roots},
    ),
    tight={"near one": Tight(partial(near_one, 3), 1e-8, "terms of second order are left out")},
    false_neighbours={"order 1 / L^2": minimum_of_higher_order, "without the maximum": minimum_without_the_maximum},
    rate=Rate(partial(distances, 3.0, 1.0), tuple(2**k for k in range(5, 14)), -1.0),
)
