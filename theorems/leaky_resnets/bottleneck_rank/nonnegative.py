r"""The constant is at most the rank of any non-negative representation on the path, whose stable cost is near it.

Statement
    :math:`-\frac2L\mathcal H \le \min_p\|A_p\|_K^2`, the rank of a non-negative representation.
Checked
    For a non-negative A and any B, :math:`-\frac2L\mathcal H(A, B) \le \mathrm{Rank}A`; as H is constant, it is at most the
    smallest rank on the path. The stable cost, without bias, is between :math:`\mathrm{Rank}A - \gamma\|A^+\|_F^2` and
    the rank.
Proof idea
    :math:`-\frac2L\mathcal H = \|A\|_K^2 - \|(B - AK^+)\sigma(A)^T\|_F^2`; of the stable cost, by singular values.
Sharp
    At rest, where the constants are no combination of the rows. Of the stable cost, singular values that are large beside
    :math:`\gamma`.
Source
    leaky_resnets, Section 2.1, after Proposition 5; the exact parts are ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import NONNEGATIVE_PRODUCTS, NOT_NEGATIVE, is_nonnegative
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import nuclear_norm, operator_norm, pseudo_inverse, rank
from verify.networks.leaky_resnet import hamiltonian, kernel_inverse, squared_norm, stable_cost_of_identity

Point = tuple[Array, Array]
"""A point of phase space: A and B."""


def energy_is_below_rank(point: Point) -> Relation:
    r""":math:`-\frac2L\mathcal H` against the rank of A."""
    return le(-2 * hamiltonian(*point), rank(point[0]))


def stable_cost_is_nearly_rank(A: Array, gamma: Array) -> Relation:
    """The stable cost without bias, between its bounds."""
    stable = stable_cost_of_identity(A, gamma, bias=False)
    return le(stable, rank(A), name="at most") & le(rank(A) - stable, gamma * squared_norm(pseudo_inverse(A)), name="at least")


# False variants


def energy_is_below_effective_dimension(point: Point) -> Relation:
    """The effective dimension for the rank."""
    A, _ = point
    return le(-2 * hamiltonian(*point) * squared_norm(A), nuclear_norm(A) ** 2)


def energy_is_below_points(point: Point) -> Relation:
    """The number of points less one for the rank: as if the constants were never a combination of the rows."""
    return le(-2 * hamiltonian(*point), point[0].shape[-1] - 1)


def stable_cost_with_bias(A: Array, gamma: Array) -> Relation:
    """The stable cost with bias."""
    return le(rank(A) - stable_cost_of_identity(A, gamma), gamma * squared_norm(pseudo_inverse(A)))


def stable_cost_by_the_smallest_value(A: Array, gamma: Array) -> Relation:
    """As if only the smallest singular value counted."""
    stable = stable_cost_of_identity(A, gamma, bias=False)
    return le(rank(A) - stable, gamma * operator_norm(pseudo_inverse(A)) ** 2)


def near_rest(A: Array, B: Array, rest: Array) -> Point:
    """A point of phase space, at rest where `rest` is 0 and near rest where it is 1."""
    still = A @ kernel_inverse(A)
    moved = np.where(compare(rest, 1)[..., None, None] == 0, still + B / 64, B)
    return A, np.where(compare(rest, 0)[..., None, None] == 0, still, moved)


def point_is_not_negative(point: Point) -> Array:
    """Whether no activation is negative."""
    return is_nonnegative(point[0])


def resting_representation() -> dict[str, Any]:
    r"""At rest, :math:`B = AK^+`, at non-negative representations of rank 1 and 2 whose rows do not span the constants."""
    A = rationals([[[1, 2, 3], [2, 4, 6]], [[1, 2, 2], [1, 1, 2]]])
    return {"point": (A, A @ kernel_inverse(A))}


def large_values() -> dict[str, Any]:
    """Two large singular values."""
    return {"A": rationals([[[1000, 0, 0], [0, 1000, 0]]]), "gamma": rationals(["1/64"])}


OURS = Source("leaky_resnets", "Section 2.1")

BELOW_RANK = Claim(
    id="leaky_resnets.bottleneck_rank.from_below",
    title="The constant is at most the rank of any non-negative representation on the path",
    source=OURS,
    status=Ours(),
    statement=energy_is_below_rank,
    domain=Domain(
        {
            "point": derived(
                near_rest,
                A=NONNEGATIVE_PRODUCTS.variables["A"],
                B=reals("width", "points", role="adjoint"),
                rest=integers(0, 3, role="free"),
            )
        },
        NONNEGATIVE_PRODUCTS.sizes,
        {NOT_NEGATIVE: point_is_not_negative},
    ),
    needs=(NOT_NEGATIVE,),
    tight={"at rest": Tight(resting_representation)},
    false_variants={
        "at most the effective dimension": energy_is_below_effective_dimension,
        "at most N - 1": energy_is_below_points,
    },
    cost=4,
)

STABLE = Claim(
    id="leaky_resnets.bottleneck_rank.stable",
    title="The stable cost of a non-negative representation is nearly its rank",
    source=OURS,
    status=Ours(),
    statement=stable_cost_is_nearly_rank,
    domain=Domain(
        {**NONNEGATIVE_PRODUCTS.variables, "gamma": interval(1 / 64, 1, role="free")},
        NONNEGATIVE_PRODUCTS.sizes,
        NONNEGATIVE_PRODUCTS.hypotheses,
    ),
    needs=(NOT_NEGATIVE,),
    tight={"large values": Tight(large_values, 1e-7, "approached as the singular values grow", of=("at most", "at least"))},
    false_variants={
        "with bias": stable_cost_with_bias,
        "by the smallest singular value": stable_cost_by_the_smallest_value,
    },
    cost=4,
)
