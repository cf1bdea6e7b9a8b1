r"""The loss that is decoupled into rank and regularity is not bounded from below.

Statement
    Deep networks minimise :math:`C(f(X)) + \lambda L R^{(0)}(f) + \lambda R^{(1)}(f)`, approximately. Where the rank is an
    integer this is :math:`\min_k \lambda Lk + \min_{f : R^{(0)}(f) = k} C(f(X)) + \lambda R^{(1)}(f)`.
Correction
    For k > 0 the inner minimum is not attained: the value tends to :math:`-\infty` along the multiples cf of any f as c tends
    to 0, because :math:`R^{(1)}(cf) = R^{(1)}(f) + 2k\log c`. As printed, "minimize" has no meaning then; with local
    minima, which are surely meant, it has one (``truncated_objective``).
Checked
    On linear maps, where both corrections are known, with the mean square over N points as the cost. For every map A of rank
    k > 0, any data, every :math:`\lambda > 0`, depth and j >= 0, the value of the multiple :math:`2^{-j}A` is at most

    .. math:: \frac2N(\|AX\|_F^2 + \|Y\|_F^2) + \lambda Lk + 2\lambda\log|A|_+ - 2\lambda k j\log 2 ,

    which tends to :math:`-\infty`. So no A is a minimiser among the maps of its rank, whatever the data (``.printed``).
Proof idea
    The multiples have the rank of A, and :math:`|cA|_+ = c^k|A|_+`; the cost is bounded.
Sharp
    AX = -Y, and j = 0.
Not checked
    Nonlinear f: the same holds for the multiples of any f with a finite :math:`R^{(1)}`.
Source
    bottleneck_structure, Section 3.1, equation (1).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import squares
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from verify import Claim, Domain, FalseAsPrinted, Ours, Q, Relation, Source, Tight, integers, interval, le, reals
from verify.arithmetic import Array, chosen_rationals, compare, floats, is_exact, log, rationals
from verify.matrices import log_pseudo_determinant, rank


def mean_square(matrix: Array, points: Array, labels: Array) -> Array:
    """The cost of a map, shapes ``(..., m, n), (..., n, N), (..., m, N) -> (...)``."""
    return np.asarray(squares(matrix @ points - labels, (-2, -1)) / points.shape[-1])


def decoupled(matrix: Array, points: Array, labels: Array, ridge: Array, depth: Depth) -> Array:
    r""":math:`C(AX) + \lambda L\,\mathrm{rank} A + 2\lambda\log|A|_+`."""
    regularity = depth.depth * rank(matrix) + 2 * log_pseudo_determinant(matrix)
    return np.asarray(mean_square(matrix, points, labels) + ridge * regularity)


def halved(matrix: Array, times: Array) -> Array:
    r""":math:`2^{-j}A`."""
    # a power of two is a float, and exact
    factor = chosen_rationals(0.5 ** floats(times)) if is_exact(matrix) else 0.5**times
    return np.asarray(factor[..., None, None] * matrix)


def bound_of_a_multiple(matrix: Array, points: Array, labels: Array, ridge: Array, depth: Depth, times: Array) -> Array:
    """What bounds the value of a multiple."""
    size = squares(matrix @ points, (-2, -1)) + squares(labels, (-2, -1))
    regularity = depth.depth * rank(matrix) + 2 * log_pseudo_determinant(matrix)
    falls = 2 * ridge * rank(matrix) * times * log(0 * ridge + 2)
    return np.asarray(2 * size / points.shape[-1] + ridge * regularity - falls)


def value_of_a_multiple(matrix: Array, points: Array, labels: Array, ridge: Array, depth: Depth, times: Array) -> Relation:
    """The value of a multiple against its bound."""
    value = decoupled(halved(matrix, times), points, labels, ridge, depth)
    return le(value, bound_of_a_multiple(matrix, points, labels, ridge, depth, times))


def better_than_its_multiple(matrix: Array, points: Array, labels: Array, ridge: Array, depth: Depth) -> Relation:
    """A as a minimiser: its value against that of a multiple whose bound is below it."""
    value, none = decoupled(matrix, points, labels, ridge, depth), 0 * ridge
    above = bound_of_a_multiple(matrix, points, labels, ridge, depth, none) - value
    times = np.ceil(floats(above / (2 * ridge * rank(matrix))) / np.log(2)) + 1
    multiple = halved(matrix, chosen_rationals(times) if is_exact(matrix) else times)
    return le(value, decoupled(multiple, points, labels, ridge, depth))


def is_not_zero(matrix: Array) -> npt.NDArray[np.bool_]:
    """Whether the rank is positive."""
    return np.asarray((compare(matrix, 0) != 0).any(axis=(-2, -1)))


# False variants


def twice_as_fast(matrix: Array, points: Array, labels: Array, ridge: Array, depth: Depth, times: Array) -> Relation:
    """The bound for twice as many halvings."""
    value = decoupled(halved(matrix, times), points, labels, ridge, depth)
    return le(value, bound_of_a_multiple(matrix, points, labels, ridge, depth, 2 * times))


def cost_of_the_labels(matrix: Array, points: Array, labels: Array, ridge: Array, depth: Depth, times: Array) -> Relation:
    """The bound without the share of AX in the cost, as if no multiple did worse than 0."""
    value = decoupled(halved(matrix, times), points, labels, ridge, depth)
    free = 2 * squares(matrix @ points, (-2, -1)) / points.shape[-1]
    return le(value, bound_of_a_multiple(matrix, points, labels, ridge, depth, times) - free)


def opposite_labels() -> dict[str, Any]:
    """Labels -AX, and A itself."""
    matrix, points = rationals([[1, 2], [0, 3]]), rationals([[1, 0, "1/2"], ["-1/2", 1, 0]])
    numbers = {"ridge": rationals("1/2"), "depth": Depth(4), "times": rationals(0)}
    return {"matrix": matrix, "points": points, "labels": -matrix @ points, **numbers}


SOURCE = Source("bottleneck_structure", "Section 3.1, equation (1)")
PROBLEM = {
    "matrix": reals("outputs", "inputs"),
    "points": reals("inputs", "points"),
    "labels": reals("outputs", "points"),
    "ridge": interval(Q("1/4"), 4),
    "depth": GIVEN_DEPTH,
}
SIZES = {"inputs": (1, 2, 3), "outputs": (1, 2, 3), "points": (1, 3, 4), "depth": (1, 2, 4, 12)}
NOT_ZERO = {"A is not zero": is_not_zero}

CLAIM = Claim(
    id="bottleneck_structure.decoupled_objective",
    title="The loss that is decoupled into rank and regularity is not bounded from below",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=value_of_a_multiple,
    domain=Domain({**PROBLEM, "times": integers(0, 40)}, SIZES, NOT_ZERO),
    tight={"opposite labels": Tight(opposite_labels)},
    false_neighbours={"twice as fast": twice_as_fast, "the cost of the labels": cost_of_the_labels},
)

PRINTED = Claim(
    id="bottleneck_structure.decoupled_objective.printed",
    title="A map of positive rank minimises the loss that is decoupled into rank and regularity",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="bottleneck_structure.decoupled_objective"),
    statement=better_than_its_multiple,
    domain=Domain(PROBLEM, SIZES, NOT_ZERO),
    false_neighbours={},
)
