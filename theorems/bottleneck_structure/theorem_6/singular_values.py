r"""Theorem 6, consequence and proof: the distance to partial isometries in singular values.

Statement
    For all U and V with k orthonormal columns,
    :math:`\|W - UV^T\|_F^2 \ge \sum_{i \le k} (s_i(W) - 1)^2 + \sum_{i > k} s_i(W)^2`. So k singular values of most layers
    are near 1 and the others near 0. In the proof: for :math:`A = USV^T` of rank k,
    :math:`\|A\|_F^2 - k - 2\log|A|_+ \ge \|A - UV^T\|_F^2`.
Checked
    Both inequalities, the first for all frames.
Proof idea
    :math:`\mathrm{tr}(W^T UV^T) \le \sum_{i \le k} s_i(W)`; and :math:`s - 1 \ge \log s`.
Sharp
    Singular vectors as frames; partial isometries.
Source
    bottleneck_structure, proof of Theorem 15; the first inequality is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.frames import reflected_frame
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, ge, integers, le, reals
from verify.arithmetic import Array, rationals
from verify.matrices import frobenius_norm_squared, log_pseudo_determinant, polar_factor, rank, singular_values


def singular_values_are_near(weight: Array, left: Array, right: Array) -> Relation:
    """The distance to a partial isometry against the singular values."""
    values = singular_values(weight)
    k = left.shape[-1]
    near = ((values[..., :k] - 1) ** 2).sum(axis=-1) + (values[..., k:] ** 2).sum(axis=-1)
    return le(near, frobenius_norm_squared(weight - left @ np.swapaxes(right, -1, -2)))


def logarithm_is_less(matrix: Array, log_factor: int = 2) -> Relation:
    """The scalar inequality, summed over the singular values."""
    volume = log_pseudo_determinant(matrix)
    distance = frobenius_norm_squared(matrix - polar_factor(matrix))
    return ge(frobenius_norm_squared(matrix) - log_factor * volume, distance + rank(matrix))


# False variants


def one_more_near_one(weight: Array, left: Array, right: Array) -> Relation:
    """The first k + 1 singular values compared with 1."""
    values = singular_values(weight)
    k = left.shape[-1] + 1
    near = ((values[..., :k] - 1) ** 2).sum(axis=-1) + (values[..., k:] ** 2).sum(axis=-1)
    return le(near, frobenius_norm_squared(weight - left @ np.swapaxes(right, -1, -2)))


def others_twice(weight: Array, left: Array, right: Array) -> Relation:
    """The other singular values counted twice."""
    values = singular_values(weight)
    k = left.shape[-1]
    near = ((values[..., :k] - 1) ** 2).sum(axis=-1) + 2 * (values[..., k:] ** 2).sum(axis=-1)
    return le(near, frobenius_norm_squared(weight - left @ np.swapaxes(right, -1, -2)))


def without_the_volume(matrix: Array) -> Relation:
    """The norm alone."""
    return logarithm_is_less(matrix, log_factor=0)


def one_more_dimension(matrix: Array) -> Relation:
    """The norm compared with a rank of k + 1."""
    distance = frobenius_norm_squared(matrix - polar_factor(matrix))
    return ge(frobenius_norm_squared(matrix) - rank(matrix) - 1 - 2 * log_pseudo_determinant(matrix), distance)


def product_near_identity(left: Array, right: Array, kind: Array, halvings: Array) -> Array:
    """The product of two matrices (kind 0), or of identities changed by what is left of them after halvings (1)."""
    small = 1 + 0 * kind
    for count in range(24):
        small = np.where(halvings > count, small / 2, small)
    part = np.where(kind > 0, small, 1)[..., None, None]

    def near(matrix: Array) -> Array:
        ones = np.eye(*matrix.shape[-2:], dtype=np.int64)
        return np.asarray(kind[..., None, None] * ones + part * matrix)

    return np.asarray(near(left) @ near(right))


def unequal_singular_values() -> dict[str, Any]:
    """A diagonal matrix and its first singular vectors."""
    first = rationals([[[1], [0]]])
    return {"weight": rationals([[[3, 0], [0, "1/2"]]]), "left": first, "right": first}


def all_singular_values() -> dict[str, Any]:
    """A diagonal matrix and all its singular vectors."""
    basis = rationals([np.eye(2, dtype=int)])
    return {"weight": rationals([[[3, 0], [0, "1/2"]]]), "left": basis, "right": basis}


def permutation() -> dict[str, Any]:
    """A partial isometry: both sides are 0."""
    return {"matrix": rationals([[[0, 1], [1, 0], [0, 0]]])}


SINGULAR_VALUES = Claim(
    id="bottleneck_structure.theorem_6.singular_values",
    title="Near a partial isometry, k singular values are near 1 and the others near 0",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=singular_values_are_near,
    domain=Domain(
        {
            "weight": reals("rows", "columns", role="weights"),
            "left": derived(reflected_frame, mirrors=reals("k", "rows"), role="frame of outputs"),
            "right": derived(reflected_frame, mirrors=reals("k", "columns"), role="frame of inputs"),
        },
        {"rows": range(1, 5), "columns": range(1, 5), "k": range(1, 5)},
        sizes_where=lambda sizes: sizes["k"] <= min(sizes["rows"], sizes["columns"]),
    ),
    tight={"diagonal matrix": Tight(unequal_singular_values), "all singular values": Tight(all_singular_values)},
    false_variants={"k + 1 values near 1": one_more_near_one, "the others counted twice": others_twice},
)

SCALAR_INEQUALITY = Claim(
    id="bottleneck_structure.theorem_6.scalar_inequality",
    title="Norm and pseudo-determinant bound the distance to a partial isometry",
    source=Source("bottleneck_structure", "Theorem 15, proof"),
    statement=logarithm_is_less,
    domain=Domain(
        {
            "matrix": derived(
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
    tight={"permutation": Tight(permutation)},
    false_variants={"without the volume": without_the_volume, "k + 1": one_more_dimension},
)
