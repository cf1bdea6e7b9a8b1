r"""The activation twice in the last hidden layer is once for the ReLU.

Statement
    The talk writes :math:`\alpha_\ell = \sigma(W_\ell \alpha_{\ell-1} + b_\ell)` and :math:`f = W_L \sigma(\alpha_{L-1}) +
    b_L`.
Correction
    As printed this has the activation twice, a slip in a definition. That is the network of the paper for the ReLU, and where
    nothing is negative; for other slopes it is another function.
Checked
    The equality of the two networks there; without the hypothesis it is refuted.
Proof idea
    The ReLU is idempotent.
Source
    symmetry_learning, definition of the network.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, FalseAsPrinted, Networks, Relation, Source, eq, reals
from verify.arithmetic import Array, compare
from verify.networks import FullyConnected


def network_of_the_talk(network: FullyConnected, x: Array) -> Array:
    r""":math:`W_L \sigma(\alpha_{L-1}) + b_L` with :math:`\alpha_{L-1} = \sigma(W_{L-1}\alpha_{L-2} + b_{L-1})`."""
    twice = network.activation(network.activations(x)[-1])
    return np.asarray((network.weights[-1] @ twice[..., None])[..., 0] + network.biases[-1])


def activation_once_or_twice(network: FullyConnected, x: Array) -> Relation:
    """The value as the paper and as the talk define it."""
    return eq(network(x), network_of_the_talk(network, x), over=1)


# False variants


def without_activation(network: FullyConnected, x: Array) -> Relation:
    """No activation in the last hidden layer."""
    linear = (network.weights[-1] @ network.preactivations(x)[-2][..., None])[..., 0] + network.biases[-1]
    return eq(network(x), linear, over=1)


def idempotent_at(network: FullyConnected, x: Array) -> npt.NDArray[np.bool_]:
    """Whether the activation is a ReLU or linear, or the last hidden pre-activations at `x` are all at least zero."""
    slope = network.activation.negative
    not_negative = (compare(network.preactivations(x)[-2], 0) >= 0).all(axis=-1)
    return np.asarray((compare(slope * slope, slope) == 0) | not_negative)


HIDDEN = {"network": Networks(slope=(-1, 1)), "x": reals("inputs")}
SIZES = {"depth": (2, 3, 6), "inputs": range(1, 3), "width": range(1, 4), "outputs": range(1, 4)}
SOURCE = Source("symmetry_learning", "definition of the network")
IDEMPOTENT_THERE = {"ReLU or linear, or nothing below zero": idempotent_at}

IDEMPOTENT = Claim(
    id="bottleneck_structure.homogeneous_activations.idempotent",
    title="The activation twice in the last hidden layer is once for the ReLU",
    source=SOURCE,
    statement=activation_once_or_twice,
    domain=Domain(HIDDEN, SIZES, IDEMPOTENT_THERE),
    needs=tuple(IDEMPOTENT_THERE),
    false_neighbours={"no activation": without_activation},
)

PRINTED = Claim(
    id="bottleneck_structure.homogeneous_activations.printed",
    title="The network of the talk, with the activation twice in the last hidden layer",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=IDEMPOTENT.id),
    statement=activation_once_or_twice,
    domain=Domain(HIDDEN, SIZES),
    false_neighbours={},
)
