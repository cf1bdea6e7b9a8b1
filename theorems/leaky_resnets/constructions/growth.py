"""How the norm of the weights grows along a trajectory, beside what the biases are: in closed form, and integrated."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from theorems.leaky_resnets.constructions.trajectories import INTEGRATED, INTEGRATED_KINDS
from verify import Domain, Measured, derived, interval, measured
from verify.networks.leaky_resnet import adjoint_velocity, critical_weights, integrate_hamiltonian, squared_norm, velocity
from verify.numbers.arithmetic import Array, log
from verify.numbers.parameters import widened
from verify.words import lifted, norm2


class Growth(NamedTuple):
    r"""Of a trajectory, all divided by L squared."""

    first: Measured
    r""":math:`\|W\|^2` at p = 0."""
    last: Measured
    r""":math:`\|W\|^2` at p = 1."""
    integral: Measured
    r""":math:`L\int_0^1\|b_p\|^2dp`."""
    genuine: Array
    """Whether the activations of a closed form stay negative."""


@widened
def pure_bias_growth(A: Array, B: Array, growth: Array) -> Growth:
    r"""Negative activations, shapes ``(w, N)``, with :math:`e^L` = `growth` > 1; rational for rationals.

    :math:`\int_0^1\|e^{Lp}b_0\|^2dp = \|b_0\|^2(e^{2L} - 1)/(2L)`; the weights have no other column.
    """
    b = B.sum(axis=1, keepdims=True)
    end = b / 2 * growth + (A - b / 2) / growth
    norm = norm2(b)
    sides = measured(norm), measured(norm * growth**2), measured(norm * (growth**2 - 1) / 2)
    return Growth(*sides, (A < 0).all() & (end < 0).all())


@lifted
@widened
def integrated_growth(A: Array, B: Array, growth: Array) -> Growth:
    """From any activations, shapes ``(w, N)``, or a batch of them; floats only. The integral is by Simpson's rule."""
    from scipy.integrate import simpson

    leak = np.asarray(log(growth))
    path = integrate_hamiltonian(A, B, leak, nodes=129)
    norms = squared_norm(critical_weights(path.activations, path.adjoints, 1))
    biases = path.adjoints.sum(axis=-1)
    squares = (biases * biases).sum(axis=-1)
    # gradients of the energy and of the trace, whose sum is half the norm
    gradients = squared_norm(velocity(path.activations, path.adjoints)) + squared_norm(path.activations)
    gradients += squared_norm(adjoint_velocity(path.activations, path.adjoints)) + squared_norm(path.adjoints)
    drift = 4 * np.sqrt(gradients.max(axis=-1)) * path.step_errors
    fine, coarse = (simpson(squares[..., ::every], axis=-1) * leak * every / 128 for every in (1, 2))
    genuine = np.ones(np.shape(growth), dtype=bool)
    return Growth(measured(norms[..., 0]), measured(norms[..., -1], drift), measured(fine, abs(fine - coarse)), genuine)


CLOSED = {0: (1, 1), 1: (2, 2), 2: (3, 4)}
"""Neurons and points of the closed form, by family."""
FAMILIES = {**CLOSED, **INTEGRATED}
KINDS = {0: "pure bias, 1 x 1", 1: "pure bias, 2 x 2", 2: "pure bias, 3 x 4", **INTEGRATED_KINDS}
"""The families in words: neurons x points."""


@widened
def growth_of_family(A: Array, B: Array, growth: Array, family: int) -> Growth:
    """The closed form from minus the positive numbers A, or an integrated trajectory from A - 1."""
    return integrated_growth(A - 1, B, growth) if family in INTEGRATED else pure_bias_growth(-A, B, growth)


GROWING = Domain(
    {
        "growth": derived(
            growth_of_family,
            A=interval(1 / 4, 2, lambda sizes: FAMILIES[sizes["family"]][0], lambda sizes: FAMILIES[sizes["family"]][1]),
            B=interval(-1, 1, lambda sizes: FAMILIES[sizes["family"]][0], lambda sizes: FAMILIES[sizes["family"]][1]),
            growth=interval(9 / 8, 5),
        )
    },
    {"family": KINDS},
    {"the activations of the closed form stay negative": lambda growth: growth.genuine},
)
"""Growths of all families."""
