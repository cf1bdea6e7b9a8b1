r"""Minima of deficient rank, of the loss and of its two corrections.

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
Tight
    The minimum; a matrix of rank 1 from which T differs by the direction of the further singular value.
Source
    bottleneck_structure, Section 3.1, after equation (1), and Section 3, after the Taylor expansion. What is said of the
    approximation is derived here.
"""

from functools import partial

import numpy as np

from theorems.shared.balanced import plane_rotations, rotated, rotation
from verify import Claim, DerivedHere, Domain, Source, derived, interval, reals
from verify.claims.domain import Hypothesis
from verify.numbers.arithmetic import rationals
from verify.words import (
    Q,
    concatenate,
    le,
    lifted,
    log,
    log_pseudo_determinant,
    norm,
    norm2,
    power,
    rank,
    schatten_power,
    singular_values,
    vector,
)

framed = lifted(rotated)


def approximation(A, T, lam, L):
    return norm2(A - T) + lam * (L * rank(A) + 2 * log_pseudo_determinant(A))


def loss(A, T, lam, L):
    return norm2(A - T) + lam * L * schatten_power(A, Q(2, L))


def local_minimum(U, u, t, V, B, lam, L, kept=0, objective=loss):
    r = u**L
    T = framed(U, concatenate([r + lam * u**2 / r, t]), V)
    return le(objective(framed(U, concatenate([r, kept * t]), V), T, lam, L), objective(B, T, lam, L))


def a_small_value_helps(U, values, V, s, T, lam, L, logs=2, objective=approximation):
    A, nearby = (framed(U, concatenate([values, vector(more)]), V) for more in (0 * s, s))
    change = lam * (L + logs * log(s)) + s**2 + 2 * s * norm(A - T)
    return le(objective(nearby, T, lam, L), objective(A, T, lam, L) + change)


def beyond_the_turn(s, lam, L):
    return (power(s, Q(2 * L - 2, L)) >= lam * Q(L - 2, L)).all()


def roots_are_minima(u, lam, L):
    return beyond_the_turn(u**L, lam, L)


def large_values_are_large(B, u, lam, L):
    return beyond_the_turn(singular_values(B)[: len(u)], lam, L)


def small_values_are_small(B, u, t, lam, L):
    s = singular_values(B)[len(u) :]
    return (lam * L * power(s, Q(2, L)) >= 2 * s * np.sort(t)[::-1]).all()


def others_are_smaller(u, t, lam, L):
    """The first singular values of T are its largest."""
    r = u**L
    return ((r + lam * u**2 / r).min() >= t).all()


def at_the_minimum(L):
    """Rank 1 of 3, between rotations, and the minimum itself."""
    U, V = rotation(rationals([["1/2", 1, "-1/3"], [2, "1/2", 1]]))
    B = rotated(U, rationals([Q("5/4") ** L, 0, 0]), V)
    return {"U": U, "u": ["5/4"], "t": ["1/2", "1/4"], "V": V, "lam": "1/2", "B": B, "L": L}


def between_turned_frames(dimension, rank, L):
    """The free numbers of a minimum between two frames, of which the first is turned, with values of T beyond."""
    chart = [0] * (dimension * (dimension - 1) // 2)
    turned = [1, *chart[1:]]
    values = {"u": [1] * rank, "t": ["1/2"] * (dimension - rank), "B.large": [1] * rank, "B.small": [0] * (dimension - rank)}
    frames = {"U.chart": turned, "V.chart": chart, "B.left.chart": turned, "B.right.chart": chart}
    return {**frames, **values, "lam": "1/8", "L": L}


def against_the_direction():
    """diag(2, 0) with T = diag(2, -3): the further singular value leads away from T."""
    unit = [[1, 0], [0, 1]]
    return {"U": unit, "values": [2], "V": unit, "s": "1/8", "T": [[2, 0], [0, -3]], "lam": "1/2", "L": 4}


def lacking(sizes):
    """How many singular values are zero."""
    return sizes["dimension"] - sizes["rank"]


def with_values(left, large, small, right):
    return framed(left, concatenate([large, small]), right)


FRAME = derived(lifted(rotation), chart=reals(plane_rotations("dimension")))
RIDGE = interval(Q("1/16"), 4)
HYPOTHESES: dict[str, Hypothesis] = {
    "roots are minima": roots_are_minima,
    "the large singular values are large": large_values_are_large,
    "the small ones are small": small_values_are_small,
    "the other singular values of T are smaller": others_are_smaller,
}

CLAIM = Claim(
    id="bottleneck_structure.inner_minima",
    title="Minima of deficient rank are local minima of the loss of deep networks",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=local_minimum,
    cost=2,
    domain=Domain(
        {
            "U": FRAME,
            "u": interval(Q("1/2"), 2, "rank"),
            "t": interval(0, 6, lacking),
            "V": FRAME,
            "B": derived(
                with_values, left=FRAME, large=interval(Q("1/8"), 8, "rank"), small=interval(0, 1, lacking), right=FRAME
            ),
            "lam": RIDGE,
        },
        {"dimension": (2, 3), "rank": (1, 2), "L": (3, 4, 7)},
        HYPOTHESES,
        sizes_where=lambda sizes: sizes["rank"] < sizes["dimension"],
    ),
    needs=tuple(HYPOTHESES),
    tight={f"the minimum, L = {L}": partial(at_the_minimum, L) for L in (3, 7)},
    false_variants={"all of the target": {"kept": 1}, "of the approximation": {"objective": approximation}},
    examples=[between_turned_frames(n, k, L) for n, k in ((2, 1), (3, 1), (3, 2)) for L in (3, 4, 7)],
)

SMALL_VALUES = Claim(
    id="bottleneck_structure.inner_minima.small_values",
    title="A further small singular value lowers the approximation without bound",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=a_small_value_helps,
    cost=2,
    domain=Domain(
        {
            "U": FRAME,
            "values": interval(Q("1/8"), 8, lambda sizes: sizes["dimension"] - 1),
            "V": FRAME,
            "s": interval(Q("1/1024"), 1),
            "T": reals("dimension", "dimension"),
            "lam": RIDGE,
        },
        {"dimension": (2, 3), "L": (1, 2, 4, 12)},
    ),
    tight={"against the direction": against_the_direction},
    false_variants={"three logarithms": {"logs": 3}, "of the loss": {"objective": loss}},
)
