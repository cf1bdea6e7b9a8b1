"""Circular convolutions and convolutional networks on a torus: dense matrices, frequency blocks, equivariant maps.

Source: symmetry_learning, the section on convolutional networks.
"""

from verify.networks.circular.constructions import balanced_frequency_factors, equivariant_network
from verify.networks.circular.kernels import (
    convolution_matrix,
    frequency_blocks,
    image_shape,
    real_form,
    singular_values_by_frequency,
)
from verify.networks.circular.network import CircularCNN

__all__ = [
    "CircularCNN",
    "balanced_frequency_factors",
    "convolution_matrix",
    "equivariant_network",
    "frequency_blocks",
    "image_shape",
    "real_form",
    "singular_values_by_frequency",
]
