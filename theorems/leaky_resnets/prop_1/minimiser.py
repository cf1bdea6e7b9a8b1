r"""The smallest product of the norms of two factors is the nuclear norm: the minimum in the proof of Proposition 1.

Statement
    .. math:: \min_{\|B\|_F = \|A\|_F} \|AB^+\|_F^2 = \frac{\|A\|_*^2}{\|A\|_F^2} , \qquad \text{attained at }
              B = \frac{\|A\|_F}{\sqrt{\|A\|_*}}(A^TA)^{1/4} .
Correction
    As printed the minimum is over all B, and 0: at B = 0, or any B orthogonal to A. With the convention that the norm is
    infinite unless :math:`\mathrm{Im}\,A^T \subset \mathrm{Im}\,B^T`, which the paper has for the cost and which is surely
    meant, it is true.
Checked
    :math:`\|AB^+\|_F^2\|B\|_F^2 \ge \|A\|_*^2`, which does not depend on the norm of B, and that the fourth root attains it.
Proof idea
    :math:`\|A\|_* = \|(AB^+)B\|_* \le \|AB^+\|_F\|B\|_F`.
Source
    leaky_resnets, Proposition 1, proof.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import fit, is_not_zero, transposed
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, eq, ge, integers, reals
from verify.arithmetic import Array, compare, rationals, sqrt
from verify.matrices import gram_power, nuclear_norm, rank
from verify.matrices.arguments import checked
from verify.networks.leaky_resnet import inner, is_in_row_space, squared_norm

Pair = tuple[Array, Array]
"""A and B, with as many columns each."""


def smallest_product(pair: Pair) -> Relation:
    """Smallest weights that give A from B, and the norm of B, against the nuclear norm of A."""
    A, B = pair
    return ge(fit(A, B).squared_norm * squared_norm(B), nuclear_norm(A) ** 2)


def best_features(A: Array) -> Array:
    r""":math:`\frac{\|A\|_F}{\sqrt{\|A\|_*}}(A^TA)^{1/4}`, shape ``(..., w, N) -> (..., N, N)``, for A that is not zero.

    Of all B with the norm of A, it has the smallest :math:`\|AB^+\|_F^2`, namely :math:`\|A\|_*^2/\|A\|_F^2`.

    Raises
    ------
    ValueError
        A is no matrix of finite numbers, or is zero.
    RankUndecided
        In floats, the singular values spread too much for the rank of A.

    Source: leaky_resnets, Proposition 1, proof.
    """
    A = checked(A, "A")
    if not is_not_zero(A).all():
        raise ValueError("A must not be zero, got a matrix of zeros")
    return np.asarray(sqrt(_ratio(A))) * gram_power(A, Fraction(1, 4))


def _ratio(A: Array) -> Array:
    r""":math:`\|A\|_F^2/\|A\|_*`, shape ``(..., 1, 1)``: the square of the factor of the best features."""
    return np.asarray(squared_norm(A) / nuclear_norm(A))[..., None, None]


def best_features_attain(A: Array) -> Relation:
    """Norm and cost of the best features."""
    return _attained(A, gram_power(A, Fraction(1, 4)), gram_power(A, Fraction(-1, 2)), _ratio(A))


def _attained(A: Array, root: Array, inverse: Array, ratio: Array) -> Relation:
    """For :math:`B^TB` = `ratio` times the square of `root`: its trace, its pseudo-inverse as far as A goes, and the cost."""
    gram, inverse = ratio * (root @ root), inverse / ratio
    return (
        eq(np.trace(gram, axis1=-2, axis2=-1), squared_norm(A), name="norm")
        & eq(gram @ inverse @ transposed(A), transposed(A), name="inverse", over=2)
        & eq(inner(A @ inverse, A) * squared_norm(A), nuclear_norm(A) ** 2, name="cost")
    )


# False variants


def rank_for_nuclear_norm(pair: Pair) -> Relation:
    """The squared norm times the rank, which is larger than the square of the nuclear norm."""
    A, B = pair
    return ge(fit(A, B).squared_norm * squared_norm(B), squared_norm(A) * rank(A))


def square_root_attains(A: Array) -> Relation:
    """The square root for the fourth root."""
    return _attained(A, gram_power(A, Fraction(1, 2)), gram_power(A, -1), _ratio(A))


def unscaled_attains(A: Array) -> Relation:
    """The fourth root without its factor."""
    return _attained(A, gram_power(A, Fraction(1, 4)), gram_power(A, Fraction(-1, 2)), 0 * _ratio(A) + 1)


def with_rational_roots(entries: Array, kind: Array) -> Array:
    """Any matrix, or for kind 0 a diagonal one with squares: its fourth root is rational, and rationals decide."""
    diagonal = np.eye(entries.shape[-2], entries.shape[-1], dtype=int) * entries**2
    return np.where(compare(kind, 0)[..., None, None] == 0, diagonal, entries)


def combined(rows: Array, mix: Array, B: Array, inside: Array) -> Pair:
    """Rows that are combinations of those of B unless `inside` is 0, and B."""
    return np.where(compare(inside, 0)[..., None, None] == 0, rows, mix @ B), B


def pair_fits(pair: Pair) -> Array:
    """Whether the rows of the first matrix are combinations of those of the second."""
    return is_in_row_space(*pair)


def identity_pair() -> dict[str, Any]:
    """The identity and a multiple of it."""
    one = rationals(np.eye(2, dtype=int)[None])
    return {"pair": (one, 2 * one)}


def best_pair() -> dict[str, Any]:
    """A diagonal matrix with the entries 1, 4 and 9, and the fourth root of its Gram matrix."""
    A, root = (np.diag(entries) for entries in ((1, 4, 9), (1, 2, 3)))
    return {"pair": (rationals(A[None]), rationals(root[None]))}


IMAGE = {"the rows of A are combinations of those of B": pair_fits}
PAIRS = {
    "pair": derived(
        combined,
        rows=reals("width", "points", role="values"),
        mix=reals("width", "height", role="identity"),
        B=reals("height", "points", role="third values"),
        inside=integers(0, 2, role="0"),
    )
}
PAIR_SIZES = {"width": range(1, 4), "points": range(1, 5), "height": range(1, 4)}
PROOF = Source("leaky_resnets", "Proposition 1, proof")

MINIMISER = Claim(
    id="leaky_resnets.prop_1.minimiser",
    title="The smallest product of norms of two factors is the nuclear norm",
    source=PROOF,
    status=Ours(),
    statement=smallest_product,
    domain=Domain(PAIRS, PAIR_SIZES, IMAGE),
    needs=tuple(IMAGE),
    tight={"identity": Tight(identity_pair), "fourth root": Tight(best_pair)},
    false_variants={"rank for nuclear norm": rank_for_nuclear_norm},
    cost=4,
)

ATTAINED = Claim(
    id="leaky_resnets.prop_1.attained",
    title="A fourth root attains the smallest product",
    source=PROOF,
    statement=best_features_attain,
    domain=Domain(
        {"A": derived(with_rational_roots, entries=reals("width", "points"), kind=integers(0, 2), role="values")},
        {"width": range(1, 4), "points": range(1, 4)},
        {"A is not zero": is_not_zero},
    ),
    false_variants={"square root": square_root_attains, "without the factor": unscaled_attains},
    cost=4,
)

PRINTED = Claim(
    id="leaky_resnets.prop_1.printed",
    title="The minimum in the proof of Proposition 1, over all features of the same norm",
    source=PROOF,
    status=FalseAsPrinted(corrected_by=MINIMISER.id),
    statement=smallest_product,
    domain=Domain(PAIRS, PAIR_SIZES),
    false_variants={},
)
