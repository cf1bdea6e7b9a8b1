r"""Proposition 3, the other inclusion: a network has a tuple whose cost is its squared norm less that of its residuals.

Statement
    The covariances and outputs of a network satisfy the conditions on the images, and

    .. math:: \|W\|^2 = \sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+] + \sum_\ell \|\tilde W_\ell\|_F^2 .
Checked
    Both, for any activation, homogeneous or not.
Proof idea
    The decomposition of the weights, and :math:`Z_\ell = W_\ell Z_{\ell-1}^\sigma`.
Source
    feature_learning, Proposition 3 (Proposition 17 in the appendix).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, Activation
from theorems.feature_learning.constructions.layers import DATA, WEIGHTS, gram, representations, row_costs
from theorems.feature_learning.constructions.tuples import onto_image
from verify import Claim, Domain, Relation, Source, eq
from verify.arithmetic import Array
from verify.matrices import frobenius_norm_squared, pseudo_inverse


def total_norm(weights: Sequence[Array]) -> Array:
    """Sum of the squared norms."""
    return np.asarray(sum(frobenius_norm_squared(weight) for weight in weights))


def cost_of(given: Sequence[Array], seen: Sequence[Array]) -> Array:
    r""":math:`\sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+]`."""
    return np.asarray(sum(row_costs(own, before).sum(axis=-1) for own, before in zip(given, seen, strict=True)))


def networks_reach_the_set(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """The conditions on the images; the cost and the norm of the residuals add to the norm of the network."""
    given, seen = representations(weights, points, activation, bias)
    layers = list(zip(weights, given, seen, strict=True))
    images = (
        eq(onto_image(gram(own), before), gram(own), name=f"image {layer}", over=2)
        for layer, (_, own, before) in enumerate(layers, start=1)
    )
    unseen = [weight - weight @ (before @ pseudo_inverse(before)) for weight, _, before in layers]
    return reduce(and_, images) & eq(cost_of(given, seen) + total_norm(unseen), total_norm(weights), name="cost")


# False variants


def without_residuals(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """The cost is the norm of the network."""
    return eq(cost_of(*representations(weights, points, activation, bias)), total_norm(weights))


def of_the_layer_itself(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    r"""The image of :math:`K_\ell` lies in that of :math:`K_\ell^\sigma`, in place of :math:`K_{\ell-1}^\sigma`."""
    given, seen = representations(weights, points, activation, bias)
    layers = zip(given[:-1], seen[1:], strict=True)
    own = (eq(onto_image(gram(own), after), gram(own), over=2) for own, after in layers)
    return reduce(and_, own, eq(bias, bias))


CLAIM = Claim(
    id="feature_learning.prop_3.image",
    title="Covariances of a network cost what its norm is without the residuals",
    source=Source("feature_learning", "Proposition 3"),
    statement=networks_reach_the_set,
    domain=Domain(
        {"weights": WEIGHTS, "activation": ACTIVATIONS, **DATA},
        {"depth": (1, 2, 3, 6), "inputs": range(1, 4), "width": (1, 2, 4), "outputs": range(1, 4), "points": (1, 3, 4)},
    ),
    false_neighbours={
        "no residuals": without_residuals,
        "in the image of the covariance after the layer": of_the_layer_itself,
    },
)
