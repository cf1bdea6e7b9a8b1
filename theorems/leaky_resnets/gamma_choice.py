r"""The choice of gamma that scales with the kernel: :math:`\gamma_p = \gamma_0\|\sigma(A_p)\|_{op}^2 = \gamma_0\|K_p\|_{op}`.

Printed is :math:`\gamma_0\|\sigma(A_p)\|_{op}^2 = \gamma_0\|K_p\|_{op}^2`; but K is the square of :math:`\sigma(A)`, not its equal:
for one neuron and A = (1, 0) the sides are 2.618 and 6.854 times :math:`\gamma_0`. What the corrected choice gives:

- it is bounded below, :math:`N \le N + \frac1N\|\bar\sigma(A)\mathbf 1\|^2 \le \|K\|_{op} \le N + \|\bar\sigma(A)\|_F^2`, because
  no entry of K is below 1;
- the condition number of :math:`K + \gamma I` is at most :math:`1 + 1/\gamma_0`:
  :math:`\frac{\|M\|^2}{(1 + \gamma_0)\|K\|_{op}} \le \|M\|_{K+\gamma I}^2 \le \frac{\|M\|^2}{\gamma_0\|K\|_{op}}`;
- :math:`\gamma_p\|B_p\|^2`, which bounds the errors of Theorem 4, is at least :math:`\gamma_0\|W_p\|^2/L^2`; and without bias it
  does not change when A is multiplied by a number and B divided by it, which leaves the weights as they are. With the square
  of the norm it would be multiplied by the square of the number.

What is checked: the equality of the norms, and on rationals that of the characteristic polynomials of
:math:`\sigma\sigma^T` and :math:`\sigma^T\sigma`; the bounds, for all activations, and the invariance.

Source: leaky_resnets, Section 2.1, after Theorem 4; the consequences are ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, eq, ge, interval, le, reals
from verify.arithmetic import Array, rationals
from verify.matrices import determinant, frobenius_norm_squared, operator_norm
from verify.networks.leaky_resnet import (
    activation_kernel,
    critical_weights,
    feature_matrix,
    rectified,
    squared_norm,
    stable_kernel_norm_squared,
)


def chosen_gamma(A: Array, gamma: Array, *, power: int = 1, bias: bool = True) -> Array:
    r""":math:`\gamma_0\|K\|_{op}`, ``(..., w, N), (...) -> (...)``; `power` 2 for the print."""
    return np.asarray(gamma * operator_norm(activation_kernel(A, bias=bias)) ** power)
