r"""The loss that is decoupled into rank and regularity is not bounded from below.

Statement
    Deep networks minimise :math:`C(f(X)) + \lambda L R^{(0)}(f) + \lambda R^{(1)}(f)`, approximately. Where the rank is an
    integer this is :math:`\min_k \lambda Lk + \min_{f : R^{(0)}(f) = k} C(f(X)) + \lambda R^{(1)}(f)`.
Correction
    For k > 0 the inner minimum is not attained: the value tends to :math:`-\infty` along the multiples cf of any f as c tends
    to 0, because :math:`R^{(1)}(cf) = R^{(1)}(f) + 2k\log c`. What can be meant are local minima (``truncated_objective``).
Checked
    On linear maps, where both corrections are known, with the mean square as the cost. For every map A of rank k > 0, any
    data, every :math:`\lambda > 0`, depth and level m >= 0, the multiple :math:`2^{-j}A` has a value of at most -m, for

    .. math:: j \ge \frac{m + \lambda Lk + B + 2\lambda\log|A|_+}{2\lambda k\log 2} , \qquad
              B = \frac2N(\|AX\|_F^2 + \|Y\|_F^2) .

    So no A is a minimiser among the maps of its rank, whatever the data (``.printed``).
Proof idea
    The multiples have the rank of A, and :math:`|cA|_+ = c^k|A|_+`; the cost stays below B.
Not checked
    Nonlinear f: the same holds for the multiples of any f with a finite :math:`R^{(1)}`.
Source
    bottleneck_structure, Section 3.1, equation (1).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import squares
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from verify import Claim, Domain, FalseAsPrinted, Ours, Q, Relation, Source, integers, interval, le
from verify.arithmetic import Array, chosen_rationals, compare, floats, is_exact
from verify.matrices import log_pseudo_determinant, rank


def mean_square(matrix: Array, points: Array, labels: Array) -> Array:
    """The cost of a map, shapes ``(..., m, n), (..., n, N), (..., m, N) -> (...)``."""
    return np.asarray(squares(matrix @ points - labels, (-2, -1)) / points.shape[-1])


def decoupled(matrix: Array, points: Array, labels: Array, ridge: Array, depth: Depth) -> Array:
    r""":math:`C(AX) + \lambda L\,\mathrm{rank} A + 2\lambda\log|A|_+`."""
    regularity = depth.depth * rank(matrix) + 2 * log_pseudo_determinant(matrix)
    return np.asarray(mean_square(matrix, points, labels) + ridge * regularity)


def halvings(matrix: Array, points: Array, labels: Array, ridge: Array, depth: Depth, level: Array) -> npt.NDArray[np.int64]:
    """How often A is halved until its value is at most -m."""
    size = 2 * (squares(matrix @ points, (-2, -1)) + squares(labels, (-2, -1))) / points.shape[-1]
    regularity = depth.depth * rank(matrix) + 2 * log_pseudo_determinant(matrix)
    needed = floats((level + size + ridge * regularity) / (2 * ridge * rank(matrix))) / np.log(2)
    # one more than needed, so that rounding does not matter
    return np.asarray(np.maximum(np.ceil(needed) + 1, 1), dtype=np.int64)


def halved(matrix: Array, times: npt.NDArray[np.int64]) -> Array:
    r""":math:`2^{-j}A`."""
    factor = 0.5 ** times.astype(float)
    return np.asarray((chosen_rationals(factor) if is_exact(matrix) else factor)[..., None, None] * matrix)


def value_of_a_multiple(matrix: Array, points: Array, labels: Array, ridge: Array, depth: Depth, level: Array) -> Relation:
    """The value of the multiple against the level."""
    multiple = halved(matrix, halvings(matrix, points, labels, ridge, depth, level))
    return le(decoupled(multiple, points, labels, ridge, depth), -level)


def better_than_its_multiple(matrix: Array, points: Array, labels: Array, ridge: Array, depth: Depth) -> Relation:
    """A as a minimiser: its value against that of the multiple whose value is at most -|value of A| - 1."""
    value = decoupled(matrix, points, labels, ridge, depth)
    multiple = halved(matrix, halvings(matrix, points, labels, ridge, depth, abs(value) + 1))
    return le(value, decoupled(multiple, points, labels, ridge, depth))


def is_not_zero(matrix: Array) -> npt.NDArray[np.bool_]:
    """Whether the rank is positive."""
    return np.asarray((compare(matrix, 0) != 0).any(axis=(-2, -1)))


# False variants


def half_of_the_halvings(matrix: Array, points: Array, labels: Array, ridge: Array, depth: Depth, level: Array) -> Relation:
    """Half as many halvings."""
    times = halvings(matrix, points, labels, ridge, depth, level) // 2
    return le(decoupled(halved(matrix, times), points, labels, ridge, depth), -level)


def without_the_rank(matrix: Array, points: Array, labels: Array, ridge: Array, depth: Depth, level: Array) -> Relation:
    """As if a large rank made up for a small determinant: the value with the rank once more."""
    multiple = halved(matrix, halvings(matrix, points, labels, ridge, depth, level))
    value = decoupled(multiple, points, labels, ridge, depth)
    return le(value + ridge * depth.depth * rank(matrix), -level)


def value_of_the_map(matrix: Array, points: Array, labels: Array, ridge: Array, depth: Depth, level: Array) -> Relation:
    """The value of A itself."""
    return le(decoupled(matrix, points, labels, ridge, depth), -level)


SOURCE = Source("bottleneck_structure", "Section 3.1, equation (1)")
PROBLEM = {
    "matrix": interval(-2, 2, "outputs", "inputs"),
    "points": interval(-1, 1, "inputs", "points"),
    "labels": interval(-2, 2, "outputs", "points"),
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
    domain=Domain({**PROBLEM, "level": integers(0, 16)}, SIZES, NOT_ZERO),
    false_neighbours={
        "half of the halvings": half_of_the_halvings,
        "the rank once more": without_the_rank,
        "the map itself": value_of_the_map,
    },
    loose={"": "the number of halvings is rounded up, and the bound B of the cost is not attained"},
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
