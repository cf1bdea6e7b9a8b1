r"""Proposition 7: N(N+1) neurons of each layer suffice.

Statement
    If each hidden layer of two networks has at least N(N+1) neurons, then their infima of :math:`L_\lambda` are equal, and so
    are their representation costs on N points, for homogeneous activations.
Checked
    Any network, of any width, is narrowed in all its hidden layers by `prune_network`: outputs at the points and pairs of
    covariances are the same, the cost :math:`\sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+]` is not larger (it is
    :math:`\|W\|^2` without the residuals), and no layer has more than N(N+1) neurons. Scaled neurons of an activation that
    saturates have other covariances.
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

from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import SLOPES, Activation
from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.constructions.narrow import Narrowed, OnData, for_each, narrowed, on_data, pruned_network
from verify import Claim, Domain, Networks, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, rationals
from verify.cones.covariance_pairs import rank_of_pair
from verify.cones.hidden_layers import Kept
from verify.networks import FullyConnected, HomogeneousActivation, relu
from verify.variables import Sizes


def at_most(narrow: Narrowed, number: int) -> Relation:
    """No hidden layer has more neurons."""
    return le(narrow.neurons, 0 * narrow.neurons + number, name="neurons")


def layers_can_be_pruned(wide: OnData) -> Relation:
    """Outputs, cost, covariances and numbers of neurons after pruning every hidden layer."""
    narrow, count = narrowed(wide, "pair"), wide.points.shape[-2]
    return (
        eq(narrow.new_outputs, narrow.outputs, name="outputs", over=2)
        & eq(narrow.new_pairs, narrow.pairs, name="covariances", over=4)
        & le(narrow.new_norm, narrow.cost, name="cost")
        & at_most(narrow, count * (count + 1))
    )


# False variants


def half_with_the_same_pairs(wide: OnData) -> Relation:
    """N(N + 1)/2 neurons, any ones, have the same pair without the bias."""

    def least(one: OnData) -> tuple[int]:
        rows, image = one.hidden_layers()[0]
        return (rank_of_pair(gram(rows), gram(image), one.network.activation).lower,)

    (needed,) = for_each(least, wide)
    count = wide.points.shape[-2]
    return le(needed, 0 * needed + count * (count + 1) // 2)


def same_function(wide: OnData, elsewhere: Array, keep: Kept = "pair") -> Relation:
    """The narrow network has the same outputs at other points."""

    def both(one: OnData, points: Array) -> tuple[Array, Array]:
        return one.network(points), pruned_network(one, keep).network(points)

    old, new = for_each(both, wide, elsewhere)
    return eq(new, old, over=2)


def scaled_neurons_of_any_activation(wide: OnData) -> Relation:
    """A neuron of twice the size counts four times, also for an activation that saturates."""
    rows, slopes = wide.hidden_layers()[0][0], wide.network.activation
    one = 0 * wide.bias + 1
    saturating = Activation(np.stack([slopes.positive + 0 * one, slopes.negative + 0 * one], axis=-1), one)
    return eq(gram(saturating(2 * rows)), 4 * gram(saturating(rows)), over=2)


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
    {
        "wide": derived(
            on_data, network=Networks(), slopes=SLOPES, points=reals("points", "inputs"), bias=interval(0, 2, often=(0,))
        ),
        "elsewhere": reals("points", "inputs"),
    },
    {
        "depth": (2, 3, 6),
        "inputs": (1, 2, 3),
        "width": sorted({width for widths in WIDTHS.values() for width in widths}),
        "outputs": (1, 2, 3),
        "points": tuple(WIDTHS),
    },
    sizes_where=around_the_bounds,
)


def at_one_point(incoming: list[list[int]], outgoing: list[list[int]]) -> dict[str, Any]:
    """A ReLU network without biases at the point 1."""
    network = FullyConnected([rationals(incoming), rationals(outgoing)], activation=HomogeneousActivation(1, 0))
    return {"wide": OnData(network, rationals([[1]]), rationals(0)), "elsewhere": rationals([[1]])}


CLAIM = Claim(
    id="feature_learning.prop_7",
    title="N(N + 1) neurons of each layer suffice",
    source=Source("feature_learning", "Proposition 7"),
    statement=layers_can_be_pruned,
    domain=DOMAIN,
    tight={"neurons of both signs": Tight(partial(at_one_point, [[1], [-1]], [[1, 1]]), of=("cost", "neurons"))},
    false_neighbours={
        "N(N + 1)/2 neurons with the same pairs": half_with_the_same_pairs,
        "the function does not change": same_function,
        "any activation": scaled_neurons_of_any_activation,
    },
    exact={"three neurons for two points": three_neurons_for_two_points},
    cost=price,
)
