r"""Attraction and repulsion: the derivatives of the two terms of :math:`L^r` in which a hidden layer stands.

.. math:: A_\ell = \partial_{Z_\ell}\|Z_\ell (Z_{\ell-1}^\sigma)^+\|_F^2 = 2 Z_\ell (K_{\ell-1}^\sigma)^+, \qquad
   R_\ell = \partial_{Z_\ell}\|Z_{\ell+1} (Z_\ell^\sigma)^+\|_F^2
   = -2\,\dot\sigma(Z_\ell) \odot [\sigma(Z_\ell) (K_\ell^\sigma)^+ K_{\ell+1} (K_\ell^\sigma)^+] .

Source: feature_learning, Section 3.1.
"""

from __future__ import annotations

from typing import NamedTuple

from theorems.feature_learning.constructions.activations import ACTIVATIONS, Activation
from theorems.feature_learning.constructions.layers import gram, with_bias_row
from theorems.feature_learning.constructions.tuples import kernel_inverse
from verify import derived, interval, reals
from verify.numbers.arithmetic import Array
from verify.words import norm2, pinv


class Layer(NamedTuple):
    r"""A hidden layer between its neighbours.

    Attributes
    ----------
    before
        :math:`Z_{\ell-1}^\sigma`, shape ``(m, N)``.
    Z
        :math:`Z_\ell`, shape ``(n, N)``.
    after
        :math:`Z_{\ell+1}`, shape ``(p, N)``.
    sigma, beta
        The activation and the amount of bias of the layer.
    """

    before: Array
    Z: Array
    after: Array
    sigma: Activation
    beta: Array | int

    def moved(self, step: Array) -> Layer:
        """The layer with other values."""
        return self._replace(Z=self.Z + step)

    def seen(self) -> Array:
        r""":math:`Z_\ell^\sigma`."""
        return with_bias_row(self.sigma(self.Z), self.beta)

    def incoming(self) -> Array:
        r""":math:`W_\ell = Z_\ell (Z_{\ell-1}^\sigma)^+`."""
        return self.Z @ pinv(self.before)

    def outgoing(self) -> Array:
        r""":math:`W_{\ell+1} = Z_{\ell+1} (Z_\ell^\sigma)^+`."""
        return self.after @ pinv(self.seen())

    def costs(self) -> tuple[Array, Array]:
        """The two terms."""
        return norm2(self.incoming()), norm2(self.outgoing())

    def attraction(self) -> Array:
        r""":math:`A_\ell`."""
        return 2 * self.Z @ kernel_inverse(self.before)

    def repulsion(self) -> Array:
        r""":math:`R_\ell`."""
        inverse = kernel_inverse(self.seen())
        return -2 * self.sigma.derivative(self.Z) * (self.sigma(self.Z) @ inverse @ gram(self.after) @ inverse)


LAYERS = derived(
    Layer,
    before=reals("inputs", "points", role="inputs of the layer"),
    Z=reals("width", "points", role="values"),
    after=reals("outputs", "points", role="next values"),
    sigma=ACTIVATIONS,
    beta=interval(0, 2, role="1"),
)
"""Layers of sizes `inputs`, `width`, `outputs` and `points`; neighbours need not satisfy the constraints."""
