"""Several points of a sample, of which each may occur several times."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.points import is_smooth
from verify.matrices import singular_values
from verify.networks import FullyConnected
from verify.networks.ntk import ntk_trace
from verify.numbers.arithmetic import Array, is_exact, sqrt
from verify.numbers.parameters import widened


@widened
def singular_values_of_sample(values: Array, shares: Array) -> Array:
    r"""Of :math:`N^{-1/2}\alpha(X)` for the values of the different points, with the shares :math:`N_i / N` of the sample.

    Shapes ``(..., points, n), (..., points) -> (..., min(points, n))``, and n of them for exact values.
    """
    columns = values.swapaxes(-1, -2)
    if is_exact(values):  # the shares have roots, their squares have none
        return sqrt(singular_values((columns * shares[..., None, :]) @ values))
    return singular_values(columns * sqrt(shares)[..., None, :])


@widened
def kernel_traces(network: FullyConnected, points: Array, biases: bool) -> Array:
    """Traces of the kernel at the points, with or without the share of the biases, ``(..., points, n_0) -> (..., points)``."""
    return np.moveaxis(np.asarray(ntk_trace(network, np.moveaxis(points, -2, 0), biases=biases)), 0, -1)


@widened
def are_smooth(network: FullyConnected, points: Array) -> npt.NDArray[np.bool_]:
    """Whether no hidden neuron is at its kink at a point, ``(..., points, n_0) -> (..., points)``; see `is_smooth`."""
    first = np.moveaxis(points, -2, 0)
    return np.moveaxis(np.broadcast_to(is_smooth(network, first), first.shape[:-1]), 0, -1)
