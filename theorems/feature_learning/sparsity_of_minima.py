r"""The abstract's sparsity: what a network does on N points is done with N(N+1) neurons in each hidden layer.

Statement
    "Any local minimum can be achieved with at most N(N+1) neurons in each hidden layer", for homogeneous activations.
Checked
    For every network, minimum or not, with an amount of bias b = 1, `prune_network` gives one with the same outputs on the
    data, at most N(N+1) neurons in each hidden layer, and the same pairs of covariances. Its squared norm is the cost

    .. math:: \sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+] \le \|W\|^2

    of these covariances, with equality for networks without residuals, as local minima are (see `weight_decomposition`); so
    the loss is reproduced. If the pairs may change, N(N+1)/2 neurons suffice for the same outputs at no larger a cost. For a
    local minimum this is again the same loss, since the cost is linear along the changes, which go both ways.
Proof idea
    Caratheodory's theorem for the pairs :math:`(zz^T, \sigma(z)\sigma(z)^T)`, or for the second parts alone with the cost of a
    neuron, :math:`z^T(K_{\ell-1}^\sigma)^+z`, as a linear cost.
Sharp
    One point and a neuron of each sign.
Not checked
    That the narrower weights are a local minimum again. They need not be: from the segment of minima of Proposition 19, pruning
    leads to its end, from where the loss descends. That is the exact part.
Source
    feature_learning, abstract, with Propositions 3 and 7. The form that is checked, and N(N+1)/2, are ours.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import NEGATIVE_SLOPES
from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.constructions.pairs import second_parts
from theorems.feature_learning.constructions.segment import change_at_the_end, shallow_network
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, le, reals
from verify.arithmetic import Array, UndecidedInstances, is_exact, rationals
from verify.cones.covariance_pairs import covariance_pair, rank_of_pair
from verify.cones.hidden_layers import Kept, Pruned, covariance_cost, covariances, prune_network, representations
from verify.domain import Sizes
from verify.matrices import rank
from verify.networks import FullyConnected, HomogeneousActivation

BIAS = 1


def for_each(function: Callable[..., tuple[Any, ...]], network: FullyConnected, points: Array) -> list[Array]:
    """The results of a function of one network and its points, stacked over the batch.

    Raises
    ------
    UndecidedInstances
        The function does so for some; they are marked.
    """
    batch = points.shape[:-2]
    undecided = np.zeros(batch, dtype=bool)
    found = []
    for index in np.ndindex(batch):
        try:
            found.append(function(network[index] if batch else network, points[index]))
        except UndecidedInstances:
            undecided[index] = True
    if undecided.any():
        raise UndecidedInstances(f"{int(undecided.sum())} networks have covariances of uncertain rank", undecided)
    exact = is_exact(points)
    stacked = (rationals(np.array(each, dtype=object)) if exact else np.array(each) for each in zip(*found, strict=True))
    return [each.reshape(batch + each.shape[1:]) for each in stacked]


def widest(pruned: Pruned) -> int:
    """The largest number of neurons of a hidden layer."""
    return max(len(weights) for weights in pruned.weights)


def pairs_of(pruned: Pruned, points: Array) -> Array:
    """All pairs of covariances of the hidden layers, those of exact networks from their cone weights: ``(L - 1, 2, N, N)``."""
    rows = representations(pruned.network, points)[:-1]
    exact = is_exact(points)
    weights = [each if exact else None for each in pruned.weights]
    activation = pruned.network.activation
    return np.array([covariance_pair(z, activation, BIAS, w) for z, w in zip(rows, weights, strict=True)])


def compared(network: FullyConnected, points: Array, keep: Kept) -> tuple[Any, ...]:
    """Outputs and pairs before and after pruning; the largest width after it; the norms, and the cost of the covariances."""
    before = covariances(network, points, bias=BIAS)
    pruned = prune_network(network, points, bias=BIAS, keep=keep)
    cost = covariance_cost(network, points, bias=BIAS)
    numbers = (widest(pruned), pruned.norm_squared_before, pruned.norm_squared, cost)
    return before.outputs, pruned.network(points), np.array(before.pairs), pairs_of(pruned, points), *numbers


def narrow_network_suffices(network: FullyConnected, points: Array) -> Relation:
    """Outputs, pairs of covariances, widths at most N(N + 1), and norms."""
    old, new, pairs, kept, width, before, after, cost = for_each(partial(compared, keep="pair"), network, points)
    count = points.shape[-2]
    return (
        eq(new, old, name="outputs", over=2)
        & eq(kept, pairs, name="pairs", over=4)
        & eq(after, cost, name="cost")
        & le(after, before, name="norm")
        & le(width, 0 * width + count * (count + 1), name="neurons")
    )


def outputs_need_half(network: FullyConnected, points: Array) -> Relation:
    """Outputs, widths at most N(N + 1)/2, and norms."""
    old, new, _, _, width, before, after, cost = for_each(partial(compared, keep="outputs"), network, points)
    count = points.shape[-2]
    return (
        eq(new, old, name="outputs", over=2)
        & le(after, cost, name="cost")
        & le(after, before, name="norm")
        & le(width, 0 * width + count * (count + 1) // 2, name="neurons")
    )


# False variants


def half_with_the_same_pairs(network: FullyConnected, points: Array) -> Relation:
    """N(N + 1)/2 neurons, any ones, have the same pair in the first hidden layer."""

    def least(one: FullyConnected, inputs: Array) -> tuple[int]:
        rows = representations(one, inputs)[0]
        return (rank_of_pair(gram(rows), gram(one.activation(rows)), one.activation).lower,)

    (needed,) = for_each(least, network, points)
    count = points.shape[-2]
    return le(needed, 0 * needed + count * (count + 1) // 2)


def fewer_of_its_own(network: FullyConnected, points: Array) -> Relation:
    """N(N + 1)/2 - 1 of the neurons of the first hidden layer have the same covariance after the activation."""

    def all_of_them(one: FullyConnected, inputs: Array) -> tuple[int]:
        products = second_parts(one.activation(representations(one, inputs)[0]))
        # where they are independent, all are needed; else none, which is a lower bound
        return (len(products) if int(rank(products)) == len(products) else 0,)

    (needed,) = for_each(all_of_them, network, points)
    count = points.shape[-2]
    return le(needed, 0 * needed + count * (count + 1) // 2 - 1)


def norm_of_the_weights(network: FullyConnected, points: Array) -> Relation:
    """The narrow network has the norm of the network."""
    *_, before, after, _ = for_each(partial(compared, keep="pair"), network, points)
    return eq(after, before)


def cost_without_a_change(network: FullyConnected, points: Array) -> Relation:
    """Pruning for the outputs leaves the cost as it was."""
    *_, after, cost = for_each(partial(compared, keep="outputs"), network, points)
    return eq(after, cost)


# Exact parts and sharp instances


def end_of_the_segment() -> Relation:
    """The segment of minima for lam = 3/4, a = 3/10 and b = 4/10: pruned, it is its end, 1/2; a step from there descends."""
    weights = rationals(["3/10", "2/5"])
    points = rationals([[1], [-1]])
    pruned = prune_network(shallow_network(weights, weights), points)
    end = pruned.scaled().weights
    single = rationals(["1/2"])
    before, after = change_at_the_end(single, rationals(["1/4"]), rationals([1]))
    return (
        eq(rationals(widest(pruned)), 1)
        & eq(end[0][..., 0] * end[1][..., 0, :], single * single, over=1)
        & eq(end[0][..., 0] ** 2, single * single, over=1)
        & le(after, before - rationals("1/40"))
    )


def at_one_point(incoming: list[list[int]], offsets: list[int], outgoing: list[list[int]]) -> dict[str, Any]:
    """A ReLU network at the point 1, with the output bias 1."""
    weights, biases = [rationals(incoming), rationals(outgoing)], [rationals(offsets), rationals([1])]
    return {"network": FullyConnected(weights, biases, HomogeneousActivation(1, 0)), "points": rationals([[1]])}


def neuron_of_each_sign() -> dict[str, Any]:
    """Two neurons, of which one is not active."""
    return at_one_point([[1], [-1]], [0, 0], [[1, 1]])


def without_residuals() -> dict[str, Any]:
    """One neuron with weight and bias 1, which sees the point with both; its output counts 2, beside the bias 1."""
    return at_one_point([[1]], [1], [[2]])


def with_slope(network: FullyConnected, slope: Array) -> FullyConnected:
    """The same weights with the activation of slopes 1 and `slope`."""
    return FullyConnected(network.weights, network.biases, HomogeneousActivation(1, slope))


def price(sizes: Sizes) -> int:
    """Solving for the weights of a layer is what takes time."""
    return 60 * (sizes["depth"] - 1) * sizes["points"]


WIDTHS = {1: (1, 2, 4), 2: (3, 6, 8), 3: (6,)}


def around_the_bounds(sizes: Sizes) -> bool:
    """Widths for the number of points, and one hidden layer for three of them."""
    return sizes["width"] in WIDTHS[sizes["points"]] and sizes["depth"] + sizes["points"] <= 5


SOURCE = Source("feature_learning", "abstract")
DOMAIN = Domain(
    {
        "network": derived(with_slope, network=Networks(), slope=NEGATIVE_SLOPES),
        "points": reals("points", "inputs"),
    },
    {"depth": (2, 3), "inputs": (1, 2), "width": (1, 2, 3, 4, 6, 8), "outputs": (1, 3), "points": (1, 2, 3)},
    sizes_where=around_the_bounds,
)

CLAIM = Claim(
    id="feature_learning.sparsity_of_minima",
    title="Outputs and covariances are reproduced with N(N+1) neurons",
    source=SOURCE,
    statement=narrow_network_suffices,
    domain=DOMAIN,
    tight={
        "a neuron of each sign": Tight(neuron_of_each_sign, of=("neurons",)),
        "no residual": Tight(without_residuals, of=("norm",)),
    },
    false_neighbours={
        "N(N+1)/2 neurons with the same pairs": half_with_the_same_pairs,
        "the norm stays": norm_of_the_weights,
    },
    exact={"the narrow network need not be a local minimum": end_of_the_segment},
    cost=price,
)

OUTPUTS = Claim(
    id="feature_learning.sparsity_of_minima.outputs",
    title="Outputs are reproduced with N(N+1)/2 neurons at no larger a norm",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=outputs_need_half,
    domain=DOMAIN,
    tight={"no residual": Tight(without_residuals, of=("cost", "norm", "neurons"))},
    false_neighbours={
        "N(N+1)/2 - 1 of its own neurons": fewer_of_its_own,
        "the cost stays": cost_without_a_change,
    },
    cost=price,
)
