"""Circular convolutions and their networks, as of one instance."""

from __future__ import annotations

import numpy as np

from verify.networks import circular, leaky_relu
from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened
from verify.words import lifted

network = lifted(circular.CircularCNN)
activation = lifted(leaky_relu)
equivariant_network = lifted(circular.equivariant_network)
convolution_matrix = lifted(circular.convolution_matrix)
frequency_blocks = lifted(circular.frequency_blocks)
real_form = lifted(circular.real_form)


@widened
def shifted(image: Array, shift: tuple[int, int]) -> Array:
    """The image moved by so many pixels along its last two axes."""
    return np.roll(image, shift, axis=(-2, -1))


@widened
def opposite(frequencies: Array) -> Array:
    r"""What an array of n x n frequencies has at :math:`-\omega`."""
    return np.roll(np.flip(frequencies), (1, 1), axis=(0, 1))
