"""Homogeneous activations; fully connected, leaky residual and circular convolutional networks; what is built from them.

Everything takes leading batch axes and works in floats and in exact arithmetic (see `verify.numbers.arithmetic`).
"""

from verify.networks.activations import HomogeneousActivation, absolute_value, identity, leaky_relu, relu
from verify.networks.circular import CircularCNN
from verify.networks.combinations import add, compose, through_bottleneck
from verify.networks.constructions import from_affine_pieces, from_lattice, from_matrix
from verify.networks.continuation import depth_continuation
from verify.networks.fully_connected import FullyConnected
from verify.networks.leaky_resnet import ContinuousLeakyResNet, LeakyResNet

__all__ = [
    "CircularCNN",
    "ContinuousLeakyResNet",
    "FullyConnected",
    "HomogeneousActivation",
    "LeakyResNet",
    "absolute_value",
    "add",
    "compose",
    "depth_continuation",
    "from_affine_pieces",
    "from_lattice",
    "from_matrix",
    "identity",
    "leaky_relu",
    "relu",
    "through_bottleneck",
]
