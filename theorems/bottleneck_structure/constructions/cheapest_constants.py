r"""What a constant costs at every depth, by a rational parameter.

The cheapest network for a constant has one neuron in each layer. For :math:`s \ge 1` let :math:`c_\ell` be the values after its
layers, and :math:`p_\ell` the squared norms of weight and bias:

.. math:: c_1^2 = p_1 = s - 1 , \quad c_2 = p_2 = s , \quad p_{\ell+1} = p_\ell\,\frac{1 + c_\ell^2}{c_\ell^2} , \quad
          c_{\ell+1}^2 = p_{\ell+1}(1 + c_\ell^2) :

balanced layers, :math:`p_\ell = w_{\ell+1}^2`, each with the best split :math:`w : b = c_{\ell-1} : 1`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.arithmetic import Array, integer
from verify.networks import FullyConnected


@dataclass(frozen=True, eq=False)
class CheapestConstant:
    r"""A constant, and what it costs.

    Attributes
    ----------
    parameter
        s, shape ``(...)``.
    squares
        :math:`c_\ell^2` after each layer, shape ``(..., layers)``.
    norms
        :math:`p_\ell`, shape ``(..., layers)``.
    """

    parameter: Array
    squares: Array
    norms: Array

    def __getitem__(self, index: Any) -> CheapestConstant:
        return CheapestConstant(self.parameter[index], self.squares[index], self.norms[index])


def cheapest_constant(parameter: Array, layers: int) -> CheapestConstant:
    """The constant with the parameter s >= 1 that so many layers are for.

    With s from 1 to 2 it is the cheapest at every depth of at least `layers`; with larger s at that depth.

    Raises
    ------
    ValueError
        `layers` is below 1.
    """
    integer("layers", layers, 1)
    parameter = np.asarray(parameter)
    squares, norms = [parameter - 1, parameter**2][:layers], [parameter - 1, parameter][:layers]
    for _ in range(layers - 2):
        norms.append(norms[-1] * (1 + squares[-1]) / squares[-1])
        squares.append(norms[-1] * (1 + squares[-1]))
    return CheapestConstant(parameter, np.stack(squares, axis=-1), np.stack(norms, axis=-1))


def cost_at_the_value(network: FullyConnected, x: Array, square: Array) -> Array:
    """The squared norm of the network, with its last layer scaled so that ``|f(x)|^2`` is `square`."""
    value = network(x)
    last = (network.weights[-1] ** 2).sum(axis=(-2, -1)) + (network.biases[-1] ** 2).sum(axis=-1)
    return np.asarray(network.parameter_norm_squared + (square / (value * value).sum(axis=-1) - 1) * last)
