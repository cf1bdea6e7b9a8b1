r"""Balancedness: the norms of the layers grow by their biases.

Statement
    For a balanced network :math:`\|W_\ell\|_F^2 + \|b_\ell\|^2 = \|W_{\ell+1}\|_F^2`, hence
    :math:`\frac1\ell \sum_{m \le \ell} \|W_m\|_F^2 \le \frac1L \|\theta\|^2`.
Checked
    The equality between neighbouring layers, and the inequality for every number of layers.
Proof idea
    The sum over the neurons; the norms do not fall from layer to layer.
Sharp
    Networks without biases.
Source
    bottleneck_structure, Section 2 (balancedness).
"""

from __future__ import annotations

import numpy as np

from theorems.bottleneck_structure.balancedness.rescaling import SIZES, identity_chain
from theorems.bottleneck_structure.constructions.arrays import squares
from theorems.bottleneck_structure.constructions.balanced import BALANCED
from verify import Claim, Domain, Relation, Source, Tight, derived, eq, integers, le
from verify.arithmetic import Array
from verify.networks import FullyConnected


def norms_of_layers(network: FullyConnected) -> Array:
    """Squared norms of the weight matrices, shape ``(..., L)``."""
    return np.stack([squares(weight, (-2, -1)) for weight in network.weights], axis=-1)


def norms_of_biases(network: FullyConnected) -> Array:
    """Squared norms of the hidden biases, shape ``(..., L - 1)``."""
    return np.stack([squares(bias) for bias in network.biases[:-1]], axis=-1)


def averages_of(norms: Array, network: FullyConnected) -> Relation:
    """The average of the first norms against the average of all parameters."""
    numbers = np.arange(1, network.depth + 1)
    bound = numbers * np.asarray(network.parameter_norm_squared)[..., None]
    return le(network.depth * np.cumsum(norms, axis=-1), bound, name="average", over=1)


def layers_grow(network: FullyConnected) -> Relation:
    """Squared norms of neighbouring layers, and the average over the first layers against the average over all."""
    norms = norms_of_layers(network)
    neighbours = eq(norms[..., :-1] + norms_of_biases(network), norms[..., 1:], name="neighbours", over=1)
    return neighbours & averages_of(norms, network)


# False variants


def layers_are_equal(network: FullyConnected) -> Relation:
    """Without the biases."""
    norms = norms_of_layers(network)
    return eq(norms[..., :-1], norms[..., 1:], over=1)


def last_layers_are_small(network: FullyConnected) -> Relation:
    """The average of the last layers."""
    return averages_of(norms_of_layers(network)[..., ::-1], network)


def without_last_bias(network: FullyConnected, kind: Array) -> FullyConnected:
    """The network (kind 1), or the one without the bias of the output (0), which balancedness leaves free."""
    *others, last = network.biases
    return FullyConnected(network.weights, [*others, kind[..., None] * last], network.activation)


LAYERS = Claim(
    id="bottleneck_structure.balancedness.layers",
    title="In a balanced network the norms of the layers grow by their biases",
    source=Source("bottleneck_structure", "Section 2, balancedness"),
    statement=layers_grow,
    domain=Domain({"network": derived(without_last_bias, network=BALANCED, kind=integers(0, 1))}, SIZES),
    tight={"identities": Tight(lambda: identity_chain(3), of=("average",))},
    false_neighbours={"without the biases": layers_are_equal, "the last layers": last_layers_are_small},
)
