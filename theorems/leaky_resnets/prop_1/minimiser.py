r"""Proposition 1, proof: the least product of norms is the nuclear norm.

Statement
    .. math:: \min_{\|B\|_F = \|A\|_F} \|AB^+\|_F^2 = \frac{\|A\|_*^2}{\|A\|_F^2} , \qquad \text{attained at }
              B = \frac{\|A\|_F}{\sqrt{\|A\|_*}}(A^TA)^{1/4} .
Correction
    As printed the minimum is over all B, and 0: at B = 0, or any B orthogonal to A. With the convention that the norm is
    infinite unless :math:`\mathrm{Im}\,A^T \subset \mathrm{Im}\,B^T`, which the paper has for the cost, it is true.
Checked
    :math:`\|AB^+\|_F^2\|B\|_F^2 \ge \|A\|_*^2`, which does not depend on the norm of B, and that the fourth root attains it.
Proof idea
    :math:`\|A\|_* = \|(AB^+)B\|_* \le \|AB^+\|_F\|B\|_F`.
Source
    leaky_resnets, Proposition 1, proof.
"""

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import in_row_space
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Q, Source, derived, integers, reals
from verify.instances import InstanceArray
from verify.matrices.arguments import checked
from verify.numbers.arithmetic import Array
from verify.words import eq, ge, gram_power, norm2, nuclear_norm, pinv, rank, sqrt, trace, where


def smallest_product(pair):
    A, B = pair
    return ge(norm2(A @ pinv(B)) * norm2(B), nuclear_norm(A) ** 2)


def factor(A):
    r""":math:`\|A\|_F/\sqrt{\|A\|_*}`, squared."""
    return norm2(A) / nuclear_norm(A)


def best_features_attain(A, order=4, size=factor):
    r"""The norm of B, the pseudo-inverse of :math:`B^TB` as far as A goes, and the cost."""
    root = gram_power(A, Q(1, order))
    gram, inverse = size(A) * (root @ root), gram_power(A, -Q(2, order)) / size(A)
    return (
        eq(trace(gram), norm2(A), name="norm")
        & eq(gram @ inverse @ A.T, A.T, name="inverse")
        & eq(trace(A @ inverse @ A.T) * norm2(A), nuclear_norm(A) ** 2, name="cost")
    )


def rank_for_nuclear_norm(pair):
    """The squared norm times the rank, which is larger than the square of the nuclear norm."""
    A, B = pair
    return ge(norm2(A @ pinv(B)) * norm2(B), norm2(A) * rank(A))


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
    instances: Any = InstanceArray(A, A.ndim - 2)
    if not is_not_zero(instances).values.all():
        raise ValueError("A must not be zero, got a matrix of zeros")
    return np.asarray((sqrt(factor(instances)) * gram_power(instances, Q(1, 4))).values)


def is_not_zero(A):
    return (A != 0).any()


def with_rational_roots(entries, kind):
    """Any matrix, or for kind 0 a diagonal one with squares: its fourth root is rational, and rationals decide."""
    return where(kind == 0, np.eye(*entries.shape, dtype=np.int64) * entries**2, entries)


def combined(rows, mix, B, inside):
    """Rows that are combinations of those of B unless `inside` is 0, and B."""
    return where(inside == 0, rows, mix @ B), B


def identity_pair():
    """The identity and a multiple of it."""
    return {"pair": ([[1, 0], [0, 1]], [[2, 0], [0, 2]])}


def best_pair():
    """A diagonal matrix with the entries 1, 4 and 9, and the fourth root of its Gram matrix."""
    return {"pair": (np.diag([1, 4, 9]), np.diag([1, 2, 3]))}


IMAGE = {"the rows of A are combinations of those of B": lambda pair: in_row_space(*pair)}
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
    status=DerivedHere(),
    statement=smallest_product,
    domain=Domain(PAIRS, PAIR_SIZES, IMAGE),
    needs=tuple(IMAGE),
    tight={"identity": identity_pair, "fourth root": best_pair},
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
    false_variants={"square root": {"order": 2}, "without the factor": {"size": lambda _: 1}},
    cost=4,
)

PRINTED = Claim(
    id="leaky_resnets.prop_1.printed",
    title="Proof of Prop 1: the minimum over all features of the same norm",
    source=PROOF,
    status=FalseAsPrinted(corrected_by=MINIMISER.id),
    statement=smallest_product,
    domain=Domain(PAIRS, PAIR_SIZES),
    false_variants={},
)
