r"""The first reformulation: the loss of the representations, and the maps between weights and representations.

.. math:: L^r(Z) = C(Z_L) + \lambda \sum_\ell \|Z_\ell (Z_{\ell-1}^\sigma)^+\|_F^2 , \qquad
   \mathcal Z = \{Z : \mathrm{Im}\, Z_\ell^T \subset \mathrm{Im}\, (Z_{\ell-1}^\sigma)^T\} .

:math:`\psi` maps weights to their representations, :math:`\phi` maps Z to the weights :math:`Z_\ell (Z_{\ell-1}^\sigma)^+`. The
cost C is the squared distance from given targets Y.

Source: feature_learning, Section 3.1 and Appendix B.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, Activation
from theorems.feature_learning.constructions.layers import DATA, gram, representations, trace_of_product, with_bias_row
from theorems.feature_learning.constructions.tuples import kernel_inverse, onto_image
from verify import derived, interval, reals
from verify.instances import lifted
from verify.matrices import frobenius_norm_squared
from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened
from verify.words import pinv

Representations = Sequence[Array]
r""":math:`(Z_1, \ldots, Z_L)`, shapes ``(n_l, N)``."""


class Problem(NamedTuple):
    """Data with one row for each point, the amount of bias, an activation, targets ``(n_L, N)``, and the ridge.

    Of one instance; of arrays with leading axes, for each of a batch.
    """

    x: Array
    beta: Array | int
    sigma: Activation
    Y: Array
    lam: Array

    def inputs(self) -> Array:
        r""":math:`Z_0^\sigma`."""
        return with_bias_row(np.swapaxes(self.x, -1, -2), self.beta)

    def activated(self, Z: Array) -> Array:
        r""":math:`Z_\ell^\sigma`."""
        return with_bias_row(self.sigma(Z), self.beta)

    def seen(self, Z: Representations) -> list[Array]:
        r""":math:`(Z_0^\sigma, \ldots, Z_{L-1}^\sigma)`."""
        return [self.inputs(), *(self.activated(values) for values in Z[:-1])]

    def of_weights(self, W: Sequence[Array]) -> list[Array]:
        r""":math:`\psi(W)`."""
        return representations(W, self.x, self.sigma, self.beta)[0]

    def to_weights(self, Z: Representations) -> list[Array]:
        r""":math:`\phi(Z)`."""
        return [values @ pinv(before) for values, before in zip(Z, self.seen(Z), strict=True)]

    def without_residuals(self, W: Sequence[Array]) -> list[Array]:
        r""":math:`\phi(\psi(W))`."""
        return self.to_weights(self.of_weights(W))

    def onto_the_constraints(self, Z: Representations) -> list[Array]:
        r"""P, layer by layer: :math:`Z_\ell \mapsto Z_\ell (Z_{\ell-1}^\sigma)^+ Z_{\ell-1}^\sigma`."""
        seen, inside = self.inputs(), []
        for values in Z:
            inside.append(onto_image(values, seen))
            seen = self.activated(inside[-1])
        return inside

    def cost(self, outputs: Array) -> Array:
        """C: the squared distance of the outputs from the targets."""
        return squared_norm([outputs - self.Y])

    def loss(self, W: Sequence[Array]) -> Array:
        r""":math:`L_\lambda(W)`."""
        return self.cost(self.of_weights(W)[-1]) + self.lam * squared_norm(W)

    def loss_of_representations(self, Z: Representations) -> Array:
        r""":math:`L^r(Z)`."""
        return self.cost(Z[-1]) + self.lam * squared_norm(self.to_weights(Z))

    def loss_of_covariances(self, Z: Representations) -> Array:
        r""":math:`L^k(K, Z_L) = C(Z_L) + \lambda\sum_\ell\mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+]` at the covariances of Z."""
        layers = zip(Z, self.seen(Z), strict=True)
        traces = sum(trace_of_product(gram(values), kernel_inverse(before)) for values, before in layers)
        return self.cost(Z[-1]) + self.lam * traces


@lifted
@widened
def squared_norm(matrices: Sequence[Array]) -> Array:
    """The sum of the squares of all entries."""
    return np.asarray(sum(frobenius_norm_squared(one) for one in matrices))


@widened
def listed(hidden: Array, last: Array) -> tuple[Array, ...]:
    """Representations of equally wide hidden layers, ``(..., L - 1, n, N)``, and the outputs, as a tuple."""
    return (*(hidden[..., layer, :, :] for layer in range(hidden.shape[-3])), last)


PROBLEMS = derived(
    Problem,
    **DATA,
    sigma=ACTIVATIONS,
    Y=reals("outputs", "points", role="targets as columns"),
    lam=interval(0, 2, role="ridge"),
)
"""Problems of sizes `points`, `inputs` and `outputs`, with any activation."""
REPRESENTATIONS = derived(
    listed,
    hidden=reals(lambda sizes: sizes["depth"] - 1, "width", "points", role="values of all hidden layers"),
    last=reals("outputs", "points", role="outputs as columns"),
)
"""Any matrices, of sizes `depth`, `width`, `outputs` and `points`: they need not satisfy the constraints."""
