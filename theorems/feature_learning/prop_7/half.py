r"""Proposition 7 improved: N(N+1)/2 neurons of each layer suffice.

Statement
    The infima of :math:`L_\lambda`, and the representation costs, are equal as soon as each hidden layer has N(N+1)/2 neurons.
Checked
    Any network is narrowed in all its hidden layers: the outputs at the points and the covariances after the activation are the
    same, :math:`\sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+]` is not larger, and no layer has more than N(N+1)/2 neurons.
Proof idea
    In the linear programme

    .. math:: \min_{\alpha \ge 0} \sum_i \alpha_i x_i^T(K_{\ell-1}^\sigma)^+x_i \quad\text{subject to}\quad
       \sum_i \alpha_i\sigma(x_i)\sigma(x_i)^T = K_\ell^\sigma - \beta^211^T

    only :math:`K_\ell^\sigma` is kept. The later layers do not notice, the cost of layer l does not grow, and some solution has
    at most N(N+1)/2 positive weights.
Sharp
    One neuron for one point. For N points :math:`\lfloor N^2/4 \rfloor` neurons may be needed (Proposition 14), and
    asymptotically N(N+1)/2 is attained through the largest CP-ranks.
Not checked
    The bounds by Proposition 14: see `prop_14`.
Source
    feature_learning, Proposition 7; N(N+1)/2 is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import Activation, homogeneous
from theorems.feature_learning.constructions.layers import gram, representations
from theorems.feature_learning.constructions.narrow import keep_second, narrowed
from theorems.feature_learning.constructions.pairs import second_parts
from theorems.feature_learning.constructions.tuples import Instance
from theorems.feature_learning.prop_7.pairs import DOMAIN, at_most, price, same_outputs
from verify import Claim, Ours, Relation, Source, Tight, eq, le
from verify.arithmetic import Array, rationals
from verify.cones.support_graphs import like
from verify.matrices import rank


def half_as_many_suffice(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """Outputs, cost, covariances after the activation, and numbers of neurons."""
    narrow, count = narrowed(weights, Instance(points, activation, bias), keep_second), points.shape[-2]
    seconds = (
        eq(second, gram(narrow.seen[layer]), name=f"covariance after layer {layer}", over=2)
        for layer, (_, second) in enumerate(narrow.pairs(), start=1)
    )
    cost = le(narrow.cost(), narrow.cost_before(), name="cost")
    return reduce(and_, seconds, same_outputs(narrow, points) & cost & at_most(narrow, count * (count + 1) // 2))


# False variants


def pairs_stay(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """The covariances before the activation stay, too."""
    narrow = narrowed(weights, Instance(points, activation, bias), keep_second)
    return reduce(and_, (eq(pair[0], gram(own), over=2) for pair, own in zip(narrow.pairs(), narrow.given, strict=False)))


def fewer_of_its_own(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """N(N + 1)/2 - 1 of the neurons of the first layer have the same covariance after the activation."""
    image, count = representations(weights, points, activation, bias)[1][1][..., :-1, :], points.shape[-2]
    number = image.shape[-2]
    # where their products are independent, all are needed
    needed = like(np.where(rank(second_parts(image)) == number, number, 0), points)
    return le(needed, 0 * needed + count * (count + 1) // 2 - 1)


def same_function(weights: Sequence[Array], points: Array, activation: Activation, bias: Array, elsewhere: Array) -> Relation:
    """The narrow network has the same outputs at other points."""
    narrow = narrowed(weights, Instance(points, activation, bias), keep_second)
    old, new = (representations(each, elsewhere, activation, bias)[0][-1] for each in (weights, narrow.weights()))
    return eq(new, old, over=2)


def one_neuron() -> dict[str, Any]:
    """One point and one neuron of a ReLU layer, without residuals."""
    return {
        "weights": (rationals([[[1, 0]]]), rationals([[[1, 0]]])),
        "points": rationals([[[1]]]),
        "activation": homogeneous(rationals([[1, 0]])),
        "bias": rationals([0]),
        "elsewhere": rationals([[[1]]]),
    }


HALF_CLAIM = Claim(
    id="feature_learning.prop_7.half",
    title="N(N + 1)/2 neurons of each layer suffice",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=half_as_many_suffice,
    domain=DOMAIN,
    needs=("the activation is homogeneous",),
    tight={"one neuron": Tight(one_neuron, of=("cost", "neurons"))},
    false_neighbours={
        "N(N + 1)/2 - 1 of its own neurons": fewer_of_its_own,
        "the covariances before the activation stay": pairs_stay,
        "the function does not change": same_function,
    },
    cost=price,
)
