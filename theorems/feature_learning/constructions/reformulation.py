r"""The first reformulation: the loss of the representations, and the maps between weights and representations.

.. math:: L^r(Z) = C(Z_L) + \lambda \sum_\ell \|Z_\ell (Z_{\ell-1}^\sigma)^+\|_F^2 , \qquad
   \mathcal Z = \{Z : \mathrm{Im}\, Z_\ell^T \subset \mathrm{Im}\, (Z_{\ell-1}^\sigma)^T\} .

:math:`\psi` maps weights to their representations, :math:`\phi` maps Z to the weights :math:`Z_\ell (Z_{\ell-1}^\sigma)^+`. The
cost C is the squared distance from given targets.

Source: feature_learning, Section 3.1 and Appendix B.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, Activation
from theorems.feature_learning.constructions.layers import DATA, gram, representations, trace_of_product, with_bias_row
from theorems.feature_learning.constructions.tuples import kernel_inverse, onto_image
from verify import derived, interval, reals
from verify.arithmetic import Array
from verify.matrices import frobenius_norm_squared, pseudo_inverse

Representations = Sequence[Array]
""":math:`(Z_1, \\ldots, Z_L)`, shapes ``(..., n_l, N)``."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Data with one row for each point, an activation, an amount of bias, targets ``(..., n_L, N)``, and the ridge."""

    points: Array
    activation: Activation
    bias: Array
    targets: Array
    ridge: Array

    def __getitem__(self, index: Any) -> Problem:
        numbers = (self.bias[index], self.targets[index], self.ridge[index])
        return Problem(self.points[index], self.activation[index], *numbers)

    def inputs(self) -> Array:
        r""":math:`Z_0^\sigma`."""
        return with_bias_row(np.swapaxes(self.points, -1, -2), self.bias)

    def activated(self, values: Array) -> Array:
        r""":math:`Z_\ell^\sigma`."""
        return with_bias_row(self.activation(values), self.bias)

    def seen(self, given: Representations) -> list[Array]:
        r""":math:`(Z_0^\sigma, \ldots, Z_{L-1}^\sigma)`."""
        return [self.inputs(), *(self.activated(values) for values in given[:-1])]

    def of_weights(self, weights: Sequence[Array]) -> list[Array]:
        r""":math:`\psi(W)`."""
        return representations(weights, self.points, self.activation, self.bias)[0]

    def to_weights(self, given: Representations) -> list[Array]:
        r""":math:`\phi(Z)`."""
        return [values @ pseudo_inverse(before) for values, before in zip(given, self.seen(given), strict=True)]

    def onto_the_constraints(self, given: Representations) -> list[Array]:
        r"""P, layer by layer: :math:`Z_\ell \mapsto Z_\ell (Z_{\ell-1}^\sigma)^+ Z_{\ell-1}^\sigma`."""
        seen, inside = self.inputs(), []
        for values in given:
            inside.append(onto_image(values, seen))
            seen = self.activated(inside[-1])
        return inside

    def cost(self, outputs: Array) -> Array:
        """C: the squared distance of the outputs from the targets."""
        return frobenius_norm_squared(outputs - self.targets)

    def loss(self, weights: Sequence[Array]) -> Array:
        r""":math:`L_\lambda(W)`."""
        return np.asarray(self.cost(self.of_weights(weights)[-1]) + self.ridge * squared_norm(weights))

    def loss_of_representations(self, given: Representations) -> Array:
        r""":math:`L^r(Z)`."""
        return np.asarray(self.cost(given[-1]) + self.ridge * squared_norm(self.to_weights(given)))

    def loss_of_covariances(self, given: Representations) -> Array:
        r""":math:`L^k(K, Z_L) = C(Z_L) + \lambda\sum_\ell\mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+]` at the covariances of Z."""
        layers = zip(given, self.seen(given), strict=True)
        traces = sum(trace_of_product(gram(values), kernel_inverse(before)) for values, before in layers)
        return np.asarray(self.cost(given[-1]) + self.ridge * traces)


def squared_norm(matrices: Sequence[Array]) -> Array:
    """The sum of the squares of all entries."""
    return np.asarray(sum(frobenius_norm_squared(one) for one in matrices))


def listed(hidden: Array, last: Array) -> tuple[Array, ...]:
    """Representations of equally wide hidden layers, ``(..., L - 1, n, N)``, and the outputs, as a tuple."""
    return (*(hidden[..., layer, :, :] for layer in range(hidden.shape[-3])), last)


PROBLEMS = derived(
    Problem,
    **DATA,
    activation=ACTIVATIONS,
    targets=reals("outputs", "points"),
    ridge=interval(0, 2),
)
"""Problems of sizes `points`, `inputs` and `outputs`, with any activation."""
REPRESENTATIONS = derived(
    listed, hidden=reals(lambda sizes: sizes["depth"] - 1, "width", "points"), last=reals("outputs", "points")
)
"""Any matrices, of sizes `depth`, `width`, `outputs` and `points`: they need not satisfy the constraints."""
