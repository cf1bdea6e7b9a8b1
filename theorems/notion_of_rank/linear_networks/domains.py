r"""Linear networks on a domain that does not span the inputs: only the part of the matrix that the domain sees is paid for.

Statement
    Let P be the orthogonal projection onto the span of :math:`\Omega`. For linear networks

    .. math:: R(A; \Omega, L) = L \sum_i s_i(A P)^{2/L} \le L \sum_i s_i(A)^{2/L} .
Checked
    That every network costs at least this for the matrix that it is on the domain. Balanced factors of AP equal A on the domain
    and attain it (``cost``).
Proof idea
    Networks that agree on :math:`\Omega` have the same product with P, and :math:`s_i(W P) \le s_i(W)`.
Sharp
    Balanced factors, and points that span all inputs.
Source
    notion_of_rank, representation cost of linear networks; the domains are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from theorems.notion_of_rank.constructions.balanced import end_to_end, rational_factors
from theorems.notion_of_rank.linear_networks.cost import FACTORS, least_cost
from verify import Claim, Domain, Ours, Relation, Source, Tight, le, reals
from verify.arithmetic import Array, rationals
from verify.matrices import pseudo_inverse
from verify.networks import FullyConnected


def cost_on_a_domain(network: FullyConnected, points: Array) -> Relation:
    """The lower bound for the product on the span of the columns of `points`, shape ``(..., n_0, N)``."""
    return le(least_cost(end_to_end(network) @ projection(points), network.depth), network.weight_norm_squared)


def projection(points: Array) -> Array:
    """The orthogonal projection onto the span of the columns, shape ``(..., n, N) -> (..., n, n)``."""
    return points @ pseudo_inverse(points)


# False variants


def values_on_the_domain(network: FullyConnected, points: Array) -> Relation:
    """The bound for the matrix of the values at the points."""
    return le(least_cost(end_to_end(network) @ points, network.depth), network.weight_norm_squared)


def last_layer_is_free(network: FullyConnected, points: Array) -> Relation:
    """The bound for all layers but the last."""
    paid = network.weight_norm_squared - (network.weights[-1] * network.weights[-1]).sum(axis=(-2, -1))
    return le(least_cost(end_to_end(network) @ projection(points), network.depth), paid)


def factors_and_points(depth: int, *roots: object) -> dict[str, Any]:
    """Balanced factors, and points that span all inputs."""
    return {**rational_factors(depth, *roots), "points": rationals([[1, 0, 1], [0, 1, 1], [0, 0, 2]])}


OURS = Source("notion_of_rank", "ours")
LENGTHS = {"inputs": (2, 3), "outputs": (1, 2, 3), "points": (1, 2, 3)}

DOMAINS = Claim(
    id="notion_of_rank.linear_networks.domains",
    title="The cost on a domain is at least that of the matrix on its span",
    source=OURS,
    status=Ours(),
    statement=cost_on_a_domain,
    domain=Domain(
        {"network": FACTORS, "points": reals("inputs", "points")}, {"depth": (1, 2, 3, 6), "width": (1, 2, 4), **LENGTHS}
    ),
    tight={"depth 3": Tight(partial(factors_and_points, 3, 2, 1, "1/2"))},
    false_neighbours={
        "the values at the points": values_on_the_domain,
        "the last layer is free": last_layer_is_free,
    },
)
