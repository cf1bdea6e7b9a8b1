r"""The abstract's sparsity: what a network does on N points is done with N(N+1) neurons in each hidden layer.

"Any local minimum can be achieved with at most N(N+1) neurons in each hidden layer" is checked as follows, for networks with a
homogeneous activation and an amount of bias b = 1. For every network, minimum or not, pruning gives one with the same outputs
on the data, at most N(N+1) neurons in each hidden layer, and the same pairs of covariances. Its squared norm is the cost

.. math:: \sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+] \le \|W\|^2

of these covariances, with equality for networks without residuals, as local minima are (see `weight_decomposition`); so the
loss is reproduced.

If the pairs may change (*outputs*), N(N+1)/2 neurons suffice for the same outputs at no larger a cost. For a local minimum this
is again the same loss, since the cost is linear along the changes, which go both ways.

Not claimed is that the narrower weights are a local minimum again. They need not be: from the segment of minima of
Proposition 19, pruning leads to its end, from where the loss descends. That is the exact part.

The idea of the proof: Caratheodory's theorem for the pairs :math:`(zz^T, \sigma(z)\sigma(z)^T)`, or for the second parts alone
with the cost of a neuron, :math:`z^T(K_{\ell-1}^\sigma)^+z`, as a linear cost.

Source: feature_learning, abstract, with Propositions 3 and 7. The form that is checked, and N(N+1)/2, are ours.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.prop_19_spurious_minima import end_descends, shallow_network
from verify import Claim, Domain, Networks, Ours, Relation, Source, eq, le, reals
from verify.arithmetic import Array, UndecidedInstances, floats, is_exact, rationals
from verify.cones.covariance_pairs import covariance_pair
from verify.cones.hidden_layers import Kept, Pruned, covariance_cost, covariances, prune_network, representations
from verify.networks import FullyConnected

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
    after = pruned.network(points)
    cost = covariance_cost(network, points, bias=BIAS)
    numbers = (widest(pruned), pruned.norm_squared_before, pruned.norm_squared, cost)
    return before.outputs, after, np.array(before.pairs), pairs_of(pruned, points), *numbers


def narrow_network_suffices(
    network: FullyConnected, points: Array, keep: Kept = "pair", numerator: int = 2, fewer: int = 0, ratio: int = 10_000
) -> Relation:
    """Outputs, widths at most ``numerator * N(N+1)/2``, norms, and for ``keep="pair"`` the pairs of covariances."""
    old, new, pairs, kept, width, before, after, cost = for_each(partial(compared, keep=keep), network, points)
    count = points.shape[-2]
    size = before + 1
    # outputs are as large as the product of the layers
    scale = size ** (network.depth + 1)
    relation = (
        eq(new, old, scale=floats(scale)[..., None, None], over=2)
        & le(width, 0 * width + numerator * count * (count + 1) // 2 - fewer)
        & le(after, before, scale=scale)
    )
    if keep == "outputs":
        return relation & le(after, cost * ratio / 10_000, scale=scale)
    matrices = floats(scale)[..., None, None, None, None] ** 2
    return relation & eq(kept, pairs, scale=matrices, over=4) & eq(after, cost * ratio / 10_000, scale=scale)


def end_of_the_segment() -> Relation:
    """The segment of minima for lam = 3/4, a = 3/10 and b = 4/10: pruned, it is its end, 1/2; a step from there descends."""
    weights = rationals(["3/10", "2/5"])
    points = rationals([[1], [-1]])
    pruned = prune_network(shallow_network(weights, weights), points)
    end = pruned.scaled().weights
    single = rationals(["1/2"])
    return (
        eq(rationals(widest(pruned)), 1)
        & eq(end[0][..., 0] * end[1][..., 0, :], single * single, over=1)
        & eq(end[0][..., 0] ** 2, single * single, over=1)
        & end_descends(single, rationals(["1/4"]), rationals([1]))
    )


SOURCE = Source("feature_learning", "abstract")
DOMAIN = Domain(
    {"network": Networks(slope=(-1, 1)), "points": reals("points", "inputs")},
    {"depth": range(2, 4), "inputs": range(1, 3), "width": (1, 3, 7), "outputs": (1,), "points": range(1, 3)},
)

CLAIM = Claim(
    id="feature_learning.sparsity_of_minima",
    title="Outputs and covariances are reproduced with N(N+1) neurons",
    source=SOURCE,
    statement=narrow_network_suffices,
    domain=DOMAIN,
    false_neighbours={
        "N(N+1)/2 neurons": partial(narrow_network_suffices, numerator=1),
        "N(N+1) - 1 neurons": partial(narrow_network_suffices, fewer=1),
        "0.01 percent larger norm": partial(narrow_network_suffices, ratio=10_001),
    },
    exact={"the narrow network need not be a local minimum": end_of_the_segment},
    cost=40,
)

OUTPUTS = Claim(
    id="feature_learning.sparsity_of_minima.outputs",
    title="Outputs are reproduced with N(N+1)/2 neurons at no larger a norm",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=partial(narrow_network_suffices, keep="outputs", numerator=1),
    domain=DOMAIN,
    false_neighbours={
        "one neuron less": partial(narrow_network_suffices, keep="outputs", numerator=1, fewer=1),
        "0.01 percent less": partial(narrow_network_suffices, keep="outputs", numerator=1, ratio=9_999),
    },
    cost=40,
)
