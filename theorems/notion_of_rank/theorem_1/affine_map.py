r"""Theorem 1 for an affine map: its cost per layer tends to the rank of its matrix.

Statement
    Let A = B C have the rank k, with k columns of B and k rows of C, and :math:`\Omega = \{x : \|x\|_\infty \le \rho\}` for
    :math:`\rho > 0`. At every depth L >= 2 a network with slopes of at most 1 that equals Ax + b on :math:`\Omega` has a
    squared norm of at least :math:`kL + 2\log|A|_+`, and there is one of the squared norm

    .. math:: N = \|C\|_F^2 + \|s\|^2 + k(L - 2) + \|B\|_F^2 + \|b - Bs\|^2 , \qquad s_i = \rho\|C_{i\cdot}\|_1 .

    Hence :math:`kL + 2\log|A|_+ \le R(Ax + b; \Omega, L) \le N`, the limit of R / L exists, and

    .. math:: R_\infty(Ax + b; \Omega) = k = \mathrm{rank} A .
Checked
    That the network is the affine map on :math:`\Omega`, and both bounds of its norm.
Proof idea
    Proposition 3 and the inequality of means for the k singular values; the construction of Theorem 1 with the shift s.
Sharp
    The identity of one number at every depth, as the radius tends to 0.
Source
    notion_of_rank, Theorem 1 and property (4) of a rank; the constants are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import squares, transpose
from theorems.notion_of_rank.constructions.bottleneck import constructed
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, absolute, compare, largest, log, rationals
from verify.matrices import determinant
from verify.networks import FullyConnected


def affine_map_costs_its_rank(B: Array, C: Array, b: Array, place: Array, radius: Array, depth: Depth) -> Relation:
    """The value of the network at a place of the cube, times its radius, its norm, and the bound of all networks."""
    shift = radius[..., None] * absolute(C).sum(axis=-1)
    network, x = constructed((linear(C), FullyConnected([B], [b])), depth.depth - 2, shift), radius[..., None] * place
    norm, rank = network.parameter_norm_squared, C.shape[-2]
    stated = squares(C, (-2, -1)) + squares(shift) + squares(B, (-2, -1)) + squares(b - times(B, shift))
    return (
        eq(network(x), times(B, times(C, x)) + b, name="value", over=1)
        & eq(norm, stated + rank * (depth.depth - 2), name="norm")
        & le(rank * depth.depth + log_of_volume(B, C), norm, name="every network")
    )


def linear(matrix: Array) -> FullyConnected:
    """The network of one layer without bias."""
    return FullyConnected([matrix])


def times(matrix: Array, vector: Array) -> Array:
    """Matrix times vector, for each of a batch."""
    return np.asarray((matrix * vector[..., None, :]).sum(axis=-1))


def log_of_volume(B: Array, C: Array) -> Array:
    r""":math:`2\log|BC|_+` for k independent columns of B and rows of C."""
    return log(determinant(transpose(B) @ B) * determinant(C @ transpose(C)))


def has_rank(B: Array, C: Array) -> Array:
    """Whether the columns of B and the rows of C are independent."""
    volume = determinant(transpose(B) @ B) * determinant(C @ transpose(C))
    return np.asarray(compare(volume, 0) == 1)


def is_in_the_cube(place: Array) -> Array:
    """Whether no entry is larger than 1 in absolute value."""
    return np.asarray((compare(absolute(place), 1) <= 0).all(axis=-1))


# False variants


def one_rank_more(B: Array, C: Array, b: Array, radius: Array, depth: Depth) -> Relation:
    """K + 1 per layer in the bound of all networks."""
    shift = radius[..., None] * absolute(C).sum(axis=-1)
    norm = constructed((linear(C), FullyConnected([B], [b])), depth.depth - 2, shift).parameter_norm_squared
    return le((C.shape[-2] + 1) * depth.depth + log_of_volume(B, C), norm)


def largest_entry_for_the_sum(B: Array, C: Array, b: Array, place: Array, radius: Array, depth: Depth) -> Relation:
    """A shift by the largest entry of a row of C in place of the sum."""
    shift = radius[..., None] * largest(absolute(C))
    network, x = constructed((linear(C), FullyConnected([B], [b])), depth.depth - 2, shift), radius[..., None] * place
    return eq(network(x), times(B, times(C, x)) + b, over=1)


def identity_of_a_number(depth: int) -> dict[str, Any]:
    """B = C = 1 on the half-line."""
    one, zero = rationals([[[1]]]), rationals([[0]])
    return {"B": one, "C": one, "b": zero, "place": zero, "radius": zero[0], "depth": Depth(depth)}


IN_THE_CUBE = "x is in the cube"

CLAIM = Claim(
    id="notion_of_rank.theorem_1.affine_map",
    title="The cost per layer of an affine map tends to its rank",
    source=Source("notion_of_rank", "Theorem 1"),
    status=Ours(),
    statement=affine_map_costs_its_rank,
    domain=Domain(
        {
            "B": reals("outputs", "rank"),
            "C": reals("rank", "inputs"),
            "b": reals("outputs"),
            "place": interval(-2, 2, "inputs"),
            "radius": interval(0, 8),
            "depth": GIVEN_DEPTH,
        },
        {"inputs": (1, 3), "outputs": (1, 2, 3), "rank": (1, 2, 3), "depth": (2, 14)},
        {"B and C have rank k": has_rank, IN_THE_CUBE: is_in_the_cube},
        sizes_where=lambda sizes: sizes["rank"] <= min(sizes["inputs"], sizes["outputs"]),
    ),
    needs=(IN_THE_CUBE,),
    tight={f"depth {depth}": Tight(partial(identity_of_a_number, depth), of=("every network",)) for depth in (2, 7)},
    false_variants={
        "k + 1 per layer": one_rank_more,
        "the largest entry for the sum": largest_entry_for_the_sum,
    },
    cost=4,
)
