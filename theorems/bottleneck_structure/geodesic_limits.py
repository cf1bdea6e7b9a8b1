r"""Limits of the representations: rank and regularity of their parts, and a middle that costs its rank.

Statement
    If the representations converge for :math:`\ell/L \to p`, the limit has :math:`R^{(0)}(f) = R^{(0)}(\tilde\alpha_p) =
    R^{(0)}(\sigma(\tilde\alpha_p) \to f)`, and :math:`R^{(1)}(f) = R^{(1)}(\tilde\alpha_p) + R^{(1)}(\sigma(\tilde\alpha_p)
    \to f)`. Where the limit is continuous, :math:`R^{(1)}(\sigma(\tilde\alpha_p) \to \tilde\alpha_p) = 0`, and the
    representation :math:`\tilde\alpha_p(\Omega)` is :math:`R^{(0)}(f)`-planar.
Checked
    On linear networks of least norm, for every layer at every depth: the ranks of :math:`M_\ell = W_\ell\cdots W_1` and
    :math:`N_\ell = W_L\cdots W_{\ell+1}` are the rank k of A, and :math:`|A|_+ = |N_\ell|_+|M_\ell|_+`. What the layers from
    l + 1 to m cost beyond k each lies between two sides that vanish with :math:`t = (m - l)/L` (``.middle``):

    .. math:: 2t\log|A|_+ \le \sum_{j=l+1}^m\|W_j\|_F^2 - (m - l)k
              \le 2t\log|A|_+ + \frac{2t}L\sum_i(\log s_i)^2\max(1, s_i^{2/L}) .

Proof idea
    The kernel :math:`M_\ell^TM_\ell` is a power of :math:`A^TA`; every layer costs :math:`\sum_i s_i^{2/L}`.
Sharp
    Partial isometries; a chain near the identity.
Not checked
    Networks that are not linear, where the limit need not exist (``example_20``). The construction of Theorem 3 (3) is
    ``theorem_3.linear_maps``, planar domains are ``prop_5``.
Source
    bottleneck_structure, Section 3.3, and the talk, representation geodesics; the finite depths are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.corrections import gram
from theorems.bottleneck_structure.constructions.linear_networks import (
    LEAST,
    LINEAR,
    SIZES,
    has_room,
    norms_of_layers,
    partial_products,
    planted,
    remaining_products,
)
from theorems.notion_of_rank.constructions.spectra import positive_singular_values, remainder
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, eq, ge, le
from verify.arithmetic import rationals
from verify.matrices import log_pseudo_determinant, pseudo_determinant, rank
from verify.networks import FullyConnected, identity


def ranks_and_determinants(network: FullyConnected) -> Relation:
    """Ranks and squared pseudo-determinants of the parts, at every layer."""
    before, after = partial_products(network), remaining_products(network)
    ranks = [np.stack([np.asarray(rank(part)) for part in parts], axis=-1) for parts in (before, after)]
    volumes = [np.stack([pseudo_determinant(gram(part)) for part in parts], axis=-1) for parts in (before, after)]
    return (
        eq(ranks[0][..., :-1], ranks[0][..., -1:], name="ranks before", over=1)
        & eq(ranks[1][..., 1:], ranks[0][..., -1:], name="ranks after", over=1)
        & eq(volumes[0][..., :-1] * volumes[1][..., 1:], volumes[0][..., -1:], name="determinants", over=1)
    )


def middle_costs(network: FullyConnected, logs: Q | int = 2) -> Relation:
    """What all runs of consecutive layers cost beyond the rank, divided by their share of the depth."""
    product, depth = partial_products(network)[-1], network.depth
    paid = np.cumsum(norms_of_layers(network) - np.asarray(rank(product))[..., None], axis=-1)
    paid = np.concatenate([0 * paid[..., :1], paid], axis=-1)
    ends = [(start, end) for start in range(depth) for end in range(start + 1, depth + 1)]
    found = np.stack([(paid[..., end] - paid[..., start]) * depth / (end - start) for start, end in ends], axis=-1)
    limit, rest = logs * log_pseudo_determinant(product), remainder(positive_singular_values(product), depth)
    below = ge(found, np.asarray(limit)[..., None], name="from below", over=1)
    return below & le(found, np.asarray(limit + rest)[..., None], name="from above", over=1)


# False variants


def determinants_are_shared_equally(network: FullyConnected) -> Relation:
    """Half of the first correction in each part, at the first layer."""
    product = gram(partial_products(network)[-1])
    return eq(pseudo_determinant(gram(network.weights[0])) ** 2, pseudo_determinant(product))


def full_rank_before(network: FullyConnected) -> Relation:
    """As if the first layers kept all inputs."""
    first = rank(network.weights[0])
    return eq(first, 0 * first + network.widths[0])


def middle_costs_the_rank(network: FullyConnected) -> Relation:
    """As if every layer cost its rank, and no more."""
    return eq(norms_of_layers(network), np.asarray(rank(partial_products(network)[-1]))[..., None], over=1)


def middle_without_the_rest(network: FullyConnected) -> Relation:
    """The cost of a layer without the term of second order."""
    product = partial_products(network)[-1]
    found = network.depth * (norms_of_layers(network)[..., 0] - rank(product))
    return le(found, 2 * log_pseudo_determinant(product))


# Sharp instances


def near_the_identity(depth: int) -> dict[str, Any]:
    """One neuron with the weight 1 + 10^-7 in every layer."""
    return {"network": FullyConnected([rationals([["10000001/10000000"]])] * depth, activation=identity())}


def isometries(depth: int) -> dict[str, Any]:
    """Partial isometries in every layer."""
    return planted(depth, 1, 1, 0)


SOURCE = Source("bottleneck_structure", "Section 3.3, representation geodesics")

CLAIM = Claim(
    id="bottleneck_structure.geodesic_limits",
    title="Every representation of a linear network of least norm has its rank, and splits its regularity",
    source=SOURCE,
    statement=ranks_and_determinants,
    domain=Domain({"network": LINEAR}, {**SIZES, "depth": (2, 3, 4, 6)}, LEAST, sizes_where=has_room),
    needs=tuple(LEAST),
    cost=10,
    false_neighbours={
        "half of the regularity in each part": determinants_are_shared_equally,
        "the first layers keep all inputs": full_rank_before,
    },
)

MIDDLE = Claim(
    id="bottleneck_structure.geodesic_limits.middle",
    title="Layers in the middle cost their rank, and a share of the regularity",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=middle_costs,
    domain=Domain({"network": LINEAR}, {**SIZES, "depth": (2, 3, 4, 6)}, LEAST, sizes_where=has_room),
    needs=tuple(LEAST),
    cost=10,
    tight={
        "partial isometries": Tight(partial(isometries, 5)),
        "near the identity": Tight(partial(near_the_identity, 4), 1e-6, "terms of second order are left out"),
    },
    false_neighbours={"every layer costs its rank": middle_costs_the_rank, "without the rest": middle_without_the_rest},
)
