r"""Minima of deficient rank are local minima of the loss of deep networks, and none of its approximation by two corrections.

Statement
    Of :math:`C(f(X)) + \lambda L R^{(0)}(f) + \lambda R^{(1)}(f)`: every inner minimum of a rank k that is attained corresponds
    to a different local minimum. For matrices, :math:`C(A) + \lambda L\,\mathrm{rank} A + 2\lambda\log|A|_+` recovers the local
    minima of :math:`C(A) + \lambda R(A; L)`, which :math:`C(A) + \lambda L\,\mathrm{rank} A` does not.
    The local minima are those of the loss, which the paper does not repeat: of the approximation itself a minimum of a rank k
    below the largest is none. A further singular value s changes it by :math:`\lambda L + 2\lambda\log s + O(s)`, which tends
    to :math:`-\infty` as s tends to 0, so that its local minima have full rank. In the loss, for L >= 3, the same singular
    value costs :math:`\lambda L s^{2/L}`, more than it can gain where it is small: there the minima of every rank are local
    minima.
Checked
    With :math:`C(A) = \|A - T\|_F^2` and square matrices. T has the singular values :math:`t_i = r_i + \lambda/r_i`,
    :math:`r_i^2 > \lambda`, for i <= k, and smaller ones beyond. The matrix with the frames of T and the singular values
    :math:`r_i`, of rank k, is a minimum among those of rank k (``truncated_objective``). That it is one of the approximation
    among all matrices is a false variant. What a further singular value s does to any matrix A (``.small_values``): with
    uv^T orthogonal to A from both sides,

    .. math:: F(A + suv^T) \le F(A) + \lambda(L + 2\log s) + s^2 + 2s\|A - T\|_F .

    For the loss, with :math:`r_i = u_i^L`, :math:`t_i = r_i + \lambda u_i^{2-L}` for i <= k: no matrix B is better whose
    singular values satisfy :math:`s_i^{2-2/L} \ge \lambda(1 - 2/L)` for i <= k, as :math:`r_i` does, and
    :math:`\lambda L s_i^{2/L} \ge 2s_it_i` beyond. That is a neighbourhood for L >= 3, if it is strict for :math:`r_i`.
Proof idea
    :math:`\mathrm{Tr}[B^TT] \le \sum_i s_i(B)t_i`. The derivative of :math:`(s - t)^2 + \lambda Ls^{2/L}` is convex, with the
    minimum at :math:`s^{2-2/L} = \lambda(1 - 2/L)`; beyond, the function itself is convex.
Sharp
    The minimum; a matrix of rank 1 from which T differs by the direction of the further singular value.
Source
    bottleneck_structure, Section 3.1, after equation (1), and Section 3, after the Taylor expansion. What is said of the
    approximation is ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import descending, squares
from theorems.notion_of_rank.constructions.balanced import plane_rotations, rotated, rotation
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, derived, interval, le, reals
from verify.arithmetic import Array, compare, log, power, rationals, sqrt
from verify.matrices import log_pseudo_determinant, rank, schatten_power, singular_values


def approximation(matrix: Array, target: Array, ridge: Array, depth: Depth) -> Array:
    r""":math:`\|A - T\|_F^2 + \lambda L\,\mathrm{rank} A + 2\lambda\log|A|_+`."""
    corrections = depth.depth * rank(matrix) + 2 * log_pseudo_determinant(matrix)
    return np.asarray(squares(matrix - target, (-2, -1)) + ridge * corrections)


def loss(matrix: Array, target: Array, ridge: Array, depth: Depth) -> Array:
    r""":math:`\|A - T\|_F^2 + \lambda L\sum_i s_i^{2/L}`."""
    cost = depth.depth * schatten_power(matrix, Fraction(2, depth.depth))
    return np.asarray(squares(matrix - target, (-2, -1)) + ridge * cost)


def filled(values: Array, others: Array) -> Array:
    """All singular values: the first ones, and others."""
    return np.concatenate([values, others], axis=-1)


def one_more(left: Array, values: Array, right: Array, more: Array) -> tuple[Array, Array]:
    """A matrix that lacks one rank, and the same with a further singular value."""
    last = np.asarray(more)[..., None]
    return rotated(left, filled(values, 0 * last), right), rotated(left, filled(values, last), right)


def a_small_value_helps(
    left: Array, values: Array, right: Array, more: Array, target: Array, ridge: Array, depth: Depth
) -> Relation:
    """The approximation with a further singular value against the bound."""
    matrix, nearby = one_more(left, values, right, more)
    changes = ridge * (depth.depth + 2 * log(more)) + more**2 + 2 * more * sqrt(squares(matrix - target, (-2, -1)))
    return le(approximation(nearby, target, ridge, depth), approximation(matrix, target, ridge, depth) + changes)


def target_of(left: Array, roots: Array, others: Array, right: Array, ridge: Array, depth: Depth) -> Array:
    r"""T with the singular values :math:`u^L + \lambda u^{2-L}` and the others."""
    minima = roots**depth.depth
    return rotated(left, filled(minima + ridge[..., None] * roots**2 / minima, others), right)


def local_minimum(
    left: Array, roots: Array, others: Array, right: Array, matrix: Array, ridge: Array, depth: Depth
) -> Relation:
    """The loss of the matrix with the singular values u^L, of deficient rank, against that of another one."""
    target = target_of(left, roots, others, right, ridge, depth)
    least = rotated(left, filled(roots**depth.depth, 0 * others), right)
    return le(loss(least, target, ridge, depth), loss(matrix, target, ridge, depth))


def is_beyond_the_turn(values: Array, ridge: Array, depth: int) -> npt.NDArray[np.bool_]:
    r"""Whether :math:`s^{2-2/L} \ge \lambda(1 - 2/L)` for all values."""
    least = ridge[..., None] * Q(f"{depth - 2}/{depth}")
    return np.asarray((compare(power(values, Fraction(2 * depth - 2, depth)), least) >= 0).all(axis=-1))


def roots_are_minima(roots: Array, ridge: Array, depth: Depth) -> npt.NDArray[np.bool_]:
    """Whether the minima are beyond the turn."""
    return is_beyond_the_turn(roots**depth.depth, ridge, depth.depth)


def large_values_are_large(matrix: Array, roots: Array, ridge: Array, depth: Depth) -> npt.NDArray[np.bool_]:
    """Whether the k largest singular values are beyond the turn."""
    return is_beyond_the_turn(singular_values(matrix)[..., : roots.shape[-1]], ridge, depth.depth)


def small_values_are_small(matrix: Array, roots: Array, others: Array, ridge: Array, depth: Depth) -> npt.NDArray[np.bool_]:
    r"""Whether :math:`\lambda Ls^{2/L} \ge 2st` for the other ones."""
    small, cost = singular_values(matrix)[..., roots.shape[-1] :], ridge[..., None] * depth.depth
    gain = 2 * small * descending(others)
    return np.asarray((compare(cost * power(small, Fraction(2, depth.depth)), gain) >= 0).all(axis=-1))


def others_are_smaller(roots: Array, others: Array, ridge: Array, depth: Depth) -> npt.NDArray[np.bool_]:
    """Whether the first singular values of T are its largest."""
    minima = roots**depth.depth
    first = descending(minima + ridge[..., None] * roots**2 / minima)[..., -1]
    return np.asarray((compare(first[..., None], others) >= 0).all(axis=-1))


# False variants


def three_logarithms(
    left: Array, values: Array, right: Array, more: Array, target: Array, ridge: Array, depth: Depth
) -> Relation:
    """The bound with log s^3 in place of log s^2."""
    matrix, nearby = one_more(left, values, right, more)
    changes = ridge * (depth.depth + 3 * log(more)) + more**2 + 2 * more * sqrt(squares(matrix - target, (-2, -1)))
    return le(approximation(nearby, target, ridge, depth), approximation(matrix, target, ridge, depth) + changes)


def the_loss_falls_as_much(
    left: Array, values: Array, right: Array, more: Array, target: Array, ridge: Array, depth: Depth
) -> Relation:
    """The bound for the loss in place of the approximation."""
    matrix, nearby = one_more(left, values, right, more)
    changes = ridge * (depth.depth + 2 * log(more)) + more**2 + 2 * more * sqrt(squares(matrix - target, (-2, -1)))
    return le(loss(nearby, target, ridge, depth), loss(matrix, target, ridge, depth) + changes)


def all_of_the_target(
    left: Array, roots: Array, others: Array, right: Array, matrix: Array, ridge: Array, depth: Depth
) -> Relation:
    """The matrix with the other singular values of T, too."""
    target = target_of(left, roots, others, right, ridge, depth)
    full = rotated(left, filled(roots**depth.depth, others), right)
    return le(loss(full, target, ridge, depth), loss(matrix, target, ridge, depth))


def minimum_of_the_approximation(
    left: Array, roots: Array, others: Array, right: Array, matrix: Array, ridge: Array, depth: Depth
) -> Relation:
    """The same matrix, for the approximation."""
    target = target_of(left, roots, others, right, ridge, depth)
    least = rotated(left, filled(roots**depth.depth, 0 * others), right)
    return le(approximation(least, target, ridge, depth), approximation(matrix, target, ridge, depth))


# Sharp instances


def against_the_direction() -> dict[str, Any]:
    """diag(2, 0) with T = diag(2, -3): the further singular value leads away from T."""
    unit = rationals([[1, 0], [0, 1]])
    numbers = {"values": [2], "more": "1/8", "target": [[2, 0], [0, -3]], "ridge": "1/2"}
    return {"left": unit, "right": unit, **{name: rationals(one) for name, one in numbers.items()}, "depth": Depth(4)}


def at_the_minimum(depth: int) -> dict[str, Any]:
    """Rank 1 of 3, between rotations, and the minimum itself."""
    left, right = rotation(rationals([["1/2", 1, "-1/3"], [2, "1/2", 1]]))
    roots, others = rationals(["5/4"]), rationals(["1/2", "1/4"])
    given = {"left": left, "roots": roots, "others": others, "right": right, "ridge": rationals("1/2")}
    return {**given, "matrix": rotated(left, filled(roots**depth, 0 * others), right), "depth": Depth(depth)}


OURS = Source("bottleneck_structure", "ours")
FRAME = derived(rotation, chart=reals(plane_rotations("dimension")))
RIDGE = interval(Q("1/16"), 4)
SIZES = {"dimension": (2, 3), "rank": (1, 2)}


def lacking(sizes: Any) -> int:
    """How many singular values are zero."""
    return int(sizes["dimension"] - sizes["rank"])


def is_deficient(sizes: Any) -> bool:
    """Whether the rank is below the largest."""
    return bool(sizes["rank"] < sizes["dimension"])


CLAIM = Claim(
    id="bottleneck_structure.inner_minima",
    title="Minima of deficient rank are local minima of the loss of deep networks",
    source=OURS,
    status=Ours(),
    statement=local_minimum,
    cost=2,
    domain=Domain(
        {
            "left": FRAME,
            "roots": interval(Q("1/2"), 2, "rank"),
            "others": interval(0, 6, lacking),
            "right": FRAME,
            "matrix": derived(
                lambda left, large, small, right: rotated(left, filled(large, small), right),
                left=FRAME,
                large=interval(Q("1/8"), 8, "rank"),
                small=interval(0, 1, lacking),
                right=FRAME,
            ),
            "ridge": RIDGE,
            "depth": GIVEN_DEPTH,
        },
        {**SIZES, "depth": (3, 4, 7)},
        {
            "roots are minima": roots_are_minima,
            "the large singular values are large": large_values_are_large,
            "the small ones are small": small_values_are_small,
            "the other singular values of T are smaller": others_are_smaller,
        },
        sizes_where=is_deficient,
    ),
    needs=(
        "roots are minima",
        "the large singular values are large",
        "the small ones are small",
        "the other singular values of T are smaller",
    ),
    tight={f"the minimum, L = {depth}": Tight(partial(at_the_minimum, depth)) for depth in (3, 7)},
    false_neighbours={"all of the target": all_of_the_target, "of the approximation": minimum_of_the_approximation},
)

SMALL_VALUES = Claim(
    id="bottleneck_structure.inner_minima.small_values",
    title="A further small singular value lowers the approximation without bound",
    source=OURS,
    status=Ours(),
    statement=a_small_value_helps,
    cost=2,
    domain=Domain(
        {
            "left": FRAME,
            "values": interval(Q("1/8"), 8, lambda sizes: sizes["dimension"] - 1),
            "right": FRAME,
            "more": interval(Q("1/1024"), 1),
            "target": reals("dimension", "dimension"),
            "ridge": RIDGE,
            "depth": GIVEN_DEPTH,
        },
        {"dimension": (2, 3), "depth": (1, 2, 4, 12)},
    ),
    tight={"against the direction": Tight(against_the_direction)},
    false_neighbours={"three logarithms": three_logarithms, "of the loss": the_loss_falls_as_much},
)
