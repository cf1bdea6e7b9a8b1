"""How the norm of the weights grows along a trajectory, beside what the biases are: in closed form, and integrated."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.trajectories import INTEGRATED
from verify import Domain, Measured, Sizes, derived, interval, measured
from verify.arithmetic import Array, compare, log
from verify.networks.leaky_resnet import adjoint_velocity, critical_weights, integrate_hamiltonian, squared_norm, velocity


@dataclass(frozen=True, eq=False)
class Growth:
    r"""Of a batch of trajectories, all divided by L squared, shapes ``(...)``.

    Attributes
    ----------
    first, last
        :math:`\|W\|^2` at p = 0 and 1.
    biases
        :math:`L\int_0^1\|b_p\|^2dp`.
    genuine
        Whether the activations of a closed form stay negative.
    """

    first: Array | Measured
    last: Array | Measured
    biases: Array | Measured
    genuine: Array

    def __getitem__(self, index: Any) -> Growth:
        return Growth(*(getattr(self, one.name)[index] for one in fields(self)))


def pure_bias_growth(A: Array, B: Array, growth: Array) -> Growth:
    r"""Negative activations, shapes ``(..., w, N)``, with :math:`e^L` = `growth` > 1; rational for rationals.

    :math:`\int_0^1\|e^{Lp}b_0\|^2dp = \|b_0\|^2(e^{2L} - 1)/(2L)`; the weights have no other column.
    """
    biases = B.sum(axis=-1, keepdims=True)
    start = squared_norm(biases)
    P = biases / 2 + 0 * A
    end = P * growth[..., None, None] + (A - P) / growth[..., None, None]
    negative = (compare(A, 0) == -1) & (compare(end, 0) == -1)
    return Growth(start, start * growth**2, start * (growth**2 - 1) / 2, negative.all(axis=(-2, -1)))


def integrated_growth(A: Array, B: Array, growth: Array) -> Growth:
    """From any activations, shapes ``(..., w, N)``; floats only. The integral is by Simpson's rule."""
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


def growth_of_family(A: Array, B: Array, growth: Array, family: int) -> Growth:
    """The closed form from minus the positive numbers A, or an integrated trajectory from A - 1."""
    return integrated_growth(A - 1, B, growth) if family in INTEGRATED else pure_bias_growth(-A, B, growth)


def is_genuine(growth: Growth) -> Array:
    """Whether the closed form is a trajectory."""
    return growth.genuine


def price(sizes: Sizes) -> int:
    """An integration costs more than a closed form."""
    return 256 if sizes["family"] in INTEGRATED else 1


GROWING = Domain(
    {
        "growth": derived(
            growth_of_family,
            A=interval(1 / 4, 2, lambda sizes: FAMILIES[sizes["family"]][0], lambda sizes: FAMILIES[sizes["family"]][1]),
            B=interval(-1, 1, lambda sizes: FAMILIES[sizes["family"]][0], lambda sizes: FAMILIES[sizes["family"]][1]),
            growth=interval(9 / 8, 5),
        )
    },
    {"family": tuple(FAMILIES)},
    {"the activations of the closed form stay negative": is_genuine},
)
"""Growths of all families."""
