r"""Attraction and repulsion: the derivatives of the two terms of :math:`L^r` in which a hidden layer stands.

.. math:: A_\ell = \partial_{Z_\ell}\|Z_\ell (Z_{\ell-1}^\sigma)^+\|_F^2 = 2 Z_\ell (K_{\ell-1}^\sigma)^+, \qquad
   R_\ell = \partial_{Z_\ell}\|Z_{\ell+1} (Z_\ell^\sigma)^+\|_F^2
   = -2\,\dot\sigma(Z_\ell) \odot [\sigma(Z_\ell) (K_\ell^\sigma)^+ K_{\ell+1} (K_\ell^\sigma)^+] .

Source: feature_learning, Section 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, Activation
from theorems.feature_learning.constructions.layers import gram, with_bias_row
from theorems.feature_learning.constructions.tuples import kernel_inverse
from verify import derived, interval, reals
from verify.arithmetic import Array
from verify.matrices import frobenius_norm_squared, pseudo_inverse


@dataclass(frozen=True, eq=False)
class Layer:
    r"""A hidden layer between its neighbours.

    Attributes
    ----------
    before
        :math:`Z_{\ell-1}^\sigma`, shape ``(..., m, N)``.
    values
        :math:`Z_\ell`, shape ``(..., n, N)``.
    after
        :math:`Z_{\ell+1}`, shape ``(..., p, N)``.
    activation, bias
        Those of the layer.
    """

    before: Array
    values: Array
    after: Array
    activation: Activation
    bias: Array

    def __getitem__(self, index: Any) -> Layer:
        arrays = (self.before[index], self.values[index], self.after[index])
        return Layer(*arrays, self.activation[index], self.bias[index])

    def moved(self, step: Array) -> Layer:
        """The layer with other values."""
        return Layer(self.before, self.values + step, self.after, self.activation, self.bias)

    def seen(self) -> Array:
        r""":math:`Z_\ell^\sigma`."""
        return with_bias_row(self.activation(self.values), self.bias)

    def incoming(self) -> Array:
        r""":math:`W_\ell = Z_\ell (Z_{\ell-1}^\sigma)^+`."""
        return np.asarray(self.values @ pseudo_inverse(self.before))

    def outgoing(self) -> Array:
        r""":math:`W_{\ell+1} = Z_{\ell+1} (Z_\ell^\sigma)^+`."""
        return np.asarray(self.after @ pseudo_inverse(self.seen()))

    def costs(self) -> tuple[Array, Array]:
        """The two terms."""
        return frobenius_norm_squared(self.incoming()), frobenius_norm_squared(self.outgoing())

    def attraction(self) -> Array:
        r""":math:`A_\ell`."""
        return np.asarray(2 * self.values @ kernel_inverse(self.before))

    def repulsion(self) -> Array:
        r""":math:`R_\ell`."""
        inverse = kernel_inverse(self.seen())
        pushed = self.activation(self.values) @ inverse @ gram(self.after) @ inverse
        return np.asarray(-2 * self.activation.derivative(self.values) * pushed)


LAYER = {
    "before": reals("inputs", "points"),
    "values": reals("width", "points"),
    "after": reals("outputs", "points"),
    "activation": ACTIVATIONS,
    "bias": interval(0, 2),
}
LAYERS = derived(Layer, **LAYER)
"""Layers of sizes `inputs`, `width`, `outputs` and `points`; neighbours need not satisfy the constraints."""
