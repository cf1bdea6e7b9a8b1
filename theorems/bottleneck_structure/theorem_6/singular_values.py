r"""Theorem 6, proof: the distance to partial isometries.

Statement
    For all U and V with k orthonormal columns,
    :math:`\|W - UV^T\|_F^2 \ge \sum_{i \le k} (s_i(W) - 1)^2 + \sum_{i > k} s_i(W)^2`. So k singular values of most layers
    are near 1 and the others near 0. In the proof: for :math:`A = USV^T` of rank k,
    :math:`\|A\|_F^2 - k - 2\log|A|_+ \ge \|A - UV^T\|_F^2`.
Checked
    Both inequalities, the first for all frames.
Proof idea
    :math:`\mathrm{tr}(W^T UV^T) \le \sum_{i \le k} s_i(W)`; and :math:`s - 1 \ge \log s`.
Tight
    Singular vectors as frames; partial isometries.
Source
    bottleneck_structure, proof of Theorem 15; the first inequality is derived here.
"""

import numpy as np

from theorems.bottleneck_structure.constructions.frames import reflected_frame
from verify import Claim, DerivedHere, Domain, Q, Source, derived, integers, reals
from verify.words import ge, le, lifted, log_pseudo_determinant, norm2, polar_factor, rank, singular_values, where

frame = lifted(reflected_frame)


def distance(W, k, others=1):
    r""":math:`\sum_{i \le k} (s_i(W) - 1)^2 + \sum_{i > k} s_i(W)^2`."""
    s = singular_values(W)
    return norm2(s[:k] - 1) + others * norm2(s[k:])


def singular_values_are_near(W, U, V):
    return le(distance(W, U.shape[1]), norm2(W - U @ V.T))


def one_more_near_one(W, U, V):
    return le(distance(W, U.shape[1] + 1), norm2(W - U @ V.T))


def others_twice(W, U, V):
    return le(distance(W, U.shape[1], 2), norm2(W - U @ V.T))


def logarithm_is_less(A, log_factor=2):
    return ge(norm2(A) - log_factor * log_pseudo_determinant(A), norm2(A - polar_factor(A)) + rank(A))


def one_more_dimension(A):
    return ge(norm2(A) - rank(A) - 1 - 2 * log_pseudo_determinant(A), norm2(A - polar_factor(A)))


def product_near_identity(left, right, kind, halvings):
    """The product of two matrices (kind 0), or of identities changed by what is left of them after halvings (1)."""
    small = where(kind > 0, where(halvings > np.arange(24), Q(1, 2), 1).prod(), 1)
    near = [kind * np.eye(len(matrix), matrix.shape[1], dtype=int) + small * matrix for matrix in (left, right)]
    return near[0] @ near[1]


MATRIX = [[3, 0], [0, "1/2"]]

SINGULAR_VALUES = Claim(
    id="bottleneck_structure.theorem_6.singular_values",
    title="Near a partial isometry k singular values are near 1, others near 0",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=singular_values_are_near,
    domain=Domain(
        {
            "W": reals("rows", "columns", role="weights"),
            "U": derived(frame, mirrors=reals("k", "rows"), role="frame of outputs"),
            "V": derived(frame, mirrors=reals("k", "columns"), role="frame of inputs"),
        },
        {"rows": range(1, 5), "columns": range(1, 5), "k": range(1, 5)},
        sizes_where=lambda sizes: sizes["k"] <= min(sizes["rows"], sizes["columns"]),
    ),
    tight={
        "diagonal matrix": {"W": MATRIX, "U": [[1], [0]], "V": [[1], [0]]},
        "all singular values": {"W": MATRIX, "U": [[1, 0], [0, 1]], "V": [[1, 0], [0, 1]]},
    },
    false_variants={"k + 1 values near 1": one_more_near_one, "the others counted twice": others_twice},
)

SCALAR_INEQUALITY = Claim(
    id="bottleneck_structure.theorem_6.scalar_inequality",
    title="Norm and pseudo-determinant bound the distance to a partial isometry",
    source=Source("bottleneck_structure", "Theorem 15, proof"),
    statement=logarithm_is_less,
    domain=Domain(
        {
            "A": derived(
                product_near_identity,
                left=reals("rows", "inner"),
                right=reals("inner", "columns"),
                kind=integers(0, 1),
                halvings=integers(0, 24),
                role="weights",
            )
        },
        {"rows": range(1, 5), "inner": range(1, 4), "columns": range(1, 5)},
    ),
    tight={"permutation": {"A": [[0, 1], [1, 0], [0, 0]]}},
    false_variants={"without the volume": {"log_factor": 0}, "k + 1": one_more_dimension},
)
