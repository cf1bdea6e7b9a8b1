r"""What a constant costs at every depth, by a rational parameter.

The cheapest network for a constant has one neuron in each layer. For :math:`s \ge 1` let :math:`c_\ell` be the values after its
layers, and :math:`p_\ell` the squared norms of weight and bias:

.. math:: c_1^2 = p_1 = s - 1 , \quad c_2 = p_2 = s , \quad p_{\ell+1} = p_\ell\,\frac{1 + c_\ell^2}{c_\ell^2} , \quad
          c_{\ell+1}^2 = p_{\ell+1}(1 + c_\ell^2) :

balanced layers, :math:`p_\ell = w_{\ell+1}^2`, each with the best split :math:`w : b = c_{\ell-1} : 1`.
"""

from __future__ import annotations

from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, integer
from verify.numbers.parameters import widened
from verify.words import norm2, stack


@widened
def cheapest_constant(s: Array, layers: int) -> tuple[Array, Array]:
    r""":math:`c_\ell^2` and :math:`p_\ell` of the constant with the parameter s >= 1 that so many layers are for.

    With s from 1 to 2 it is the cheapest at every depth of at least `layers`; with larger s at that depth.

    Raises
    ------
    ValueError
        `layers` is below 1.
    """
    integer("layers", layers, 1)
    squares, norms = [s - 1, s**2][:layers], [s - 1, s][:layers]
    for _ in range(layers - 2):
        norms.append(norms[-1] * (1 + squares[-1]) / squares[-1])
        squares.append(norms[-1] * (1 + squares[-1]))
    return stack(squares), stack(norms)


@widened
def cost_at_the_value(f: FullyConnected, x: Array, square: Array) -> Array:
    """The squared norm of the network, with its last layer scaled so that ``|f(x)|^2`` is `square`."""
    last = norm2(f.weights[-1]) + norm2(f.biases[-1])
    return f.parameter_norm_squared + (square / norm2(f(x)) - 1) * last
