r"""Proposition 7 as printed: N(N+1) neurons of each layer suffice.

Statement
    If each hidden layer of two networks has at least N(N+1) neurons, then their infima of :math:`L_\lambda` are equal, and so
    are their representation costs on N points, for homogeneous activations.
Checked
    Any network, of any width, is narrowed in all its hidden layers: outputs at the points and pairs of covariances are the
    same, :math:`\sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+]` is not larger (it is :math:`\|W\|^2` without the
    residuals), and no layer has more than N(N+1) neurons.
Proof idea
    The pairs :math:`(K_\ell, K_\ell^\sigma)` lie in N(N+1) dimensions, and Caratheodory's theorem leaves that many neurons with
    positive weights, which homogeneity turns into scaled neurons.
Sharp
    For one point and a neuron of each sign, 2 = N(N+1) neurons are needed. For N > 1 fewer neurons suffice (Fenchel and Bunt),
    but not of the neurons that are given.
Source
    feature_learning, Proposition 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS, Activation, homogeneous
from theorems.feature_learning.constructions.layers import DATA, WEIGHTS, gram, representations
from theorems.feature_learning.constructions.narrow import Narrowed, keep_pair, narrowed
from theorems.feature_learning.constructions.pairs import second_parts
from theorems.feature_learning.constructions.tuples import Instance
from verify import Claim, Domain, Relation, Source, Tight, eq, le, reals
from verify.arithmetic import Array, rationals
from verify.cones.covariance_pairs import rank_of_pair
from verify.cones.support_graphs import like
from verify.domain import Sizes
from verify.matrices import rank
from verify.networks import HomogeneousActivation, relu


def same_outputs(narrow: Narrowed, points: Array) -> Relation:
    """The narrow network has the outputs of the network at its data."""
    instance = narrow.instance
    new = representations(narrow.weights(), points, instance.activation, instance.bias)[0][-1]
    return eq(new, narrow.given[-1], name="outputs", over=2)


def at_most(narrow: Narrowed, number: int) -> Relation:
    """No hidden layer has more neurons."""
    most = np.stack(narrow.numbers(), axis=-1).max(axis=-1)
    return le(most, 0 * most + number, name="neurons")


def layers_can_be_pruned(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """Outputs, cost, covariances and numbers of neurons after pruning every hidden layer."""
    narrow, count = narrowed(weights, Instance(points, activation, bias), keep_pair), points.shape[-2]
    parts = []
    for layer, (first, second) in enumerate(narrow.pairs()):
        parts.append(eq(first, gram(narrow.given[layer]), name=f"covariance of layer {layer + 1}", over=2))
        parts.append(eq(second, gram(narrow.seen[layer + 1]), name=f"covariance after layer {layer + 1}", over=2))
    cost = le(narrow.cost(), narrow.cost_before(), name="cost")
    return reduce(and_, parts, same_outputs(narrow, points) & cost & at_most(narrow, count * (count + 1)))


# False variants


def needed_of_its_own(rows: Array, image: Array) -> Array:
    """How many of the given neurons the pair needs: all, where their pairs are independent; else 0, a lower bound."""
    generators = np.concatenate([second_parts(rows), second_parts(image)], axis=-1)
    number = rows.shape[-2]
    return like(np.where(rank(generators) == number, number, 0), rows)


def fewer_of_its_own(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """N(N + 1) - 1 of the neurons of each layer have the same pair."""
    given, seen = representations(weights, points, activation, bias)
    count = points.shape[-2]
    needed = needed_of_its_own(given[0], seen[1][..., :-1, :])
    return le(needed, 0 * needed + count * (count + 1) - 1)


def least_neurons(rows: Array, activation: Activation) -> Array:
    """A lower bound of the number of any neurons with the same pair without bias: its rank, for few points."""
    result = np.zeros(rows.shape[:-2], dtype=np.int64)
    for index in np.ndindex(result.shape):
        own = HomogeneousActivation(*activation.slopes[index])
        image = own(rows[index])
        result[index] = rank_of_pair(gram(rows[index]), gram(image), own).lower
    return like(result, rows)


def half_with_the_same_pairs(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """N(N + 1)/2 neurons, any ones, have the same pair."""
    count = points.shape[-2]
    needed = least_neurons(representations(weights, points, activation, bias)[0][0], activation)
    return le(needed, 0 * needed + count * (count + 1) // 2)


def same_function(weights: Sequence[Array], points: Array, activation: Activation, bias: Array, elsewhere: Array) -> Relation:
    """The narrow network has the same outputs at other points."""
    narrow = narrowed(weights, Instance(points, activation, bias), keep_pair)
    old, new = (representations(each, elsewhere, activation, bias)[0][-1] for each in (weights, narrow.weights()))
    return eq(new, old, over=2)


# Exact parts and sharp instances


def three_neurons_for_two_points() -> Relation:
    """Two points, ReLU: the pair of three neurons needs all of them, one more than there are points."""
    own, rows = relu(), rationals([[-2, -1], [2, 1], [-3, 3]])
    found = rank_of_pair(gram(rows), gram(own(rows)), own)
    return eq(rationals([found.lower, found.upper]), 3, over=1)


def price(sizes: Sizes) -> int:
    """Solving for the weights of a layer is what takes time."""
    return 40 * (sizes["depth"] - 1) * sizes["points"]


WIDTHS = {1: (1, 2, 4), 2: (3, 6, 8), 3: (6, 12, 14), 4: (10, 20, 22)}
"""By the number of points: N(N + 1)/2, N(N + 1), and more neurons."""


def around_the_bounds(sizes: Sizes) -> bool:
    """Widths for the number of points; deep networks of few points."""
    return sizes["width"] in WIDTHS[sizes["points"]] and (sizes["depth"] < 4 or sizes["points"] < 3)


DOMAIN = Domain(
    {"weights": WEIGHTS, "activation": ACTIVATIONS, **DATA, "elsewhere": reals("points", "inputs")},
    {
        "depth": (2, 3, 6),
        "inputs": (1, 2, 3),
        "width": sorted({width for widths in WIDTHS.values() for width in widths}),
        "outputs": (1, 2, 3),
        "points": tuple(WIDTHS),
    },
    HOMOGENEOUS,
    sizes_where=around_the_bounds,
)


def neurons_of_both_signs() -> dict[str, Any]:
    """One point, and the neurons 1 and -1 of a ReLU layer."""
    return {
        "weights": (rationals([[[1, 0], [-1, 0]]]), rationals([[[1, 1, 0]]])),
        "points": rationals([[[1]]]),
        "activation": homogeneous(rationals([[1, 0]])),
        "bias": rationals([0]),
        "elsewhere": rationals([[[1]]]),
    }


CLAIM = Claim(
    id="feature_learning.prop_7",
    title="N(N + 1) neurons of each layer suffice",
    source=Source("feature_learning", "Proposition 7"),
    statement=layers_can_be_pruned,
    domain=DOMAIN,
    needs=("the activation is homogeneous",),
    tight={"neurons of both signs": Tight(neurons_of_both_signs, of=("cost", "neurons"))},
    false_neighbours={
        "N(N + 1) - 1 of its own neurons": fewer_of_its_own,
        "N(N + 1)/2 neurons with the same pairs": half_with_the_same_pairs,
        "the function does not change": same_function,
    },
    exact={"three neurons for two points": three_neurons_for_two_points},
    cost=price,
)
