r"""Narrow networks with the outputs of a wide one: `prune_network` for every instance of a batch.

Source: feature_learning, Proposition 7.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from verify.cones.covariance_pairs import covariance_pair
from verify.cones.hidden_layers import Kept, Pruned, covariance_cost, covariances, prune_network, representations
from verify.instances import lifted
from verify.networks import FullyConnected, HomogeneousActivation
from verify.numbers.arithmetic import Array, UndecidedInstances, is_exact, rationals
from verify.numbers.parameters import widened


class OnData(NamedTuple):
    """A network, its data with a row for each point, and the amount of bias."""

    network: FullyConnected
    x: Array
    beta: Array

    def hidden_layers(self) -> list[tuple[Array, Array]]:
        """The representations of the hidden layers before and after the activation, shapes ``(n_l, N)``."""
        values = self.network.preactivations(self.x)[:-1]
        return [(Z.T, self.network.activation(Z).T) for Z in values]


@lifted
@widened
def on_data(network: FullyConnected, slopes: Array, x: Array, beta: Array) -> OnData:
    """The network with these slopes, whose biases become weights of the amount of bias."""
    activation = HomogeneousActivation(slopes[..., 0], slopes[..., 1])
    biases = [beta[..., None] * offset for offset in network.biases]
    return OnData(FullyConnected(network.weights, biases, activation), x, beta)


class Narrowed(NamedTuple):
    """What becomes of a network when all its hidden layers are pruned.

    Attributes
    ----------
    outputs, new_outputs
        On the data, before and after.
    pairs, new_pairs
        Covariances of all hidden layers, shape ``(L - 1, 2, N, N)``.
    neurons
        The largest number of neurons of a hidden layer, after.
    norm, new_norm
        The squared norm with the bias weights.
    cost
        What the covariances of the network cost: its norm without residuals.
    """

    outputs: Array
    new_outputs: Array
    pairs: Array
    new_pairs: Array
    neurons: Array
    norm: Array
    new_norm: Array
    cost: Array


@lifted
@widened
def for_each(
    function: Callable[..., tuple[Any, ...]], network: FullyConnected, x: Array, beta: Array, *others: Array
) -> list[Array]:
    """The results of a function of one network on its data, and of other arrays, stacked over the batch.

    Raises
    ------
    UndecidedInstances
        The function does so for some; they are marked.
    """
    batch = x.shape[:-2]
    undecided = np.zeros(batch, dtype=bool)
    found = []
    whole: tuple[Any, ...] = (network, x, beta, *others)
    for index in np.ndindex(batch):
        given = [array[index] if batch else array for array in whole]
        try:
            found.append(function(OnData(*given[:3]), *given[3:]))
        except UndecidedInstances:
            undecided[index] = True
    if undecided.any():
        raise UndecidedInstances(f"{int(undecided.sum())} networks have covariances of uncertain rank", undecided)
    exact = is_exact(x)
    stacked = (rationals(np.array(each, dtype=object)) if exact else np.array(each) for each in zip(*found, strict=True))
    return [each.reshape(batch + each.shape[1:]) for each in stacked]


@widened
def narrowed(wide: OnData, keep: Kept) -> Narrowed:
    """Every hidden layer pruned.

    Raises
    ------
    UndecidedInstances
        As for `for_each`.
    """

    def compared(one: OnData) -> tuple[Any, ...]:
        before = covariances(one.network, one.x, bias=one.beta)
        pruned = pruned_network(one, keep)
        new_pairs = pairs_of(pruned, one)
        cost = covariance_cost(one.network, one.x, bias=one.beta)
        numbers = (widest(pruned), pruned.norm_squared_before, pruned.norm_squared, cost)
        return before.outputs, pruned.network(one.x), np.array(before.pairs), new_pairs, *numbers

    return Narrowed(*for_each(compared, *wide))


@widened
def pruned_network(one: OnData, keep: Kept) -> Pruned:
    """A single network pruned."""
    return prune_network(one.network, one.x, bias=one.beta, keep=keep)


@widened
def widest(pruned: Pruned) -> int:
    """The largest number of neurons of a hidden layer."""
    return max(len(weights) for weights in pruned.weights)


@widened
def pairs_of(pruned: Pruned, one: OnData) -> Array:
    """All pairs of covariances of the hidden layers, those of exact networks from their cone weights: ``(L - 1, 2, N, N)``."""
    rows = representations(pruned.network, one.x)[:-1]
    exact = is_exact(one.x)
    weights = [each if exact else None for each in pruned.weights]
    activation = pruned.network.activation
    return np.array([covariance_pair(z, activation, one.beta, w) for z, w in zip(rows, weights, strict=True)])
