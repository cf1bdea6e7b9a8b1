r"""Proposition 10, balancedness: at a critical point the norm of the weights grows by what the biases are.

Printed is :math:`\|W_p\|^2 = \|W_0\|^2 + L\int_0^p\|b_q\|^2dq`, with b the last column of W. Half of the growth is
missing; true is

.. math:: \|W_p\|^2 = \|W_0\|^2 + 2L\int_0^p\|b_q\|^2dq .

For :math:`\|W\|^2 = 2L\mathcal H + 2L^2\,\mathrm{Tr}[BA^T]`, H is constant, and :math:`\frac d{dp}\mathrm{Tr}[BA^T] =
L\|B\mathbf 1\|^2` with :math:`b = LB\mathbf 1`. (The proof in print varies a reparametrisation r, and forgets that the norm,
too, is evaluated at r.)

What is checked: at every point of phase space without zero activations, the derivative of :math:`\|LB\sigma(A)^T\|^2` along
Hamilton's equations, by the product rule; the integral along trajectories in which only the biases act, where
:math:`B_p = B_0e^{Lp}`, and along integrated ones, by Simpson's rule. The printed form fails on each of the former with a bias.
In layers of a critical discrete network in which only the biases act the factor is :math:`2 - \rho L`: 2 for short steps, and
1 for a fully connected network.

Source: leaky_resnets, Proposition 10.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.trajectories import INTEGRATED
from theorems.leaky_resnets.hamiltonian import has_no_zero
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Sizes, Source, derived, eq, interval, reals
from verify.arithmetic import Array, compare, log
from verify.networks.leaky_resnet import (
    active,
    adjoint_velocity,
    critical_weights,
    feature_matrix,
    inner,
    integrate_hamiltonian,
    squared_norm,
    symplectic_euler_step,
    velocity,
)


def derivative_of_the_norm(A: Array, B: Array, factor: int = 2, rate: int = 1) -> Relation:
    r"""Half the derivative of :math:`\|W\|^2` along Hamilton's equations, divided by L cubed, against that of the biases."""
    features = feature_matrix(A)
    grown = active(A) * velocity(A, B)
    features_moved = np.concatenate([grown, 0 * grown[..., :1, :]], axis=-2)
    weights = B @ features.swapaxes(-1, -2)
    moved = rate * adjoint_velocity(A, B) @ features.swapaxes(-1, -2) + B @ features_moved.swapaxes(-1, -2)
    biases = B.sum(axis=-1)
    size = (1 + squared_norm(A)) ** 2 * (1 + squared_norm(B)) ** 2
    return eq(2 * inner(weights, moved), factor * (biases * biases).sum(axis=-1), scale=size)


@dataclass(frozen=True, eq=False)
class Growth:
    r"""Of a batch of trajectories, what the proposition compares; all divided by L squared.

    Attributes
    ----------
    norms
        :math:`\|W\|^2` at p = 0 and 1, shape ``(..., 2)``.
    biases
        :math:`L\int_0^1\|b_p\|^2dp`, shape ``(...)``.
    noise
        Error of the integration and of Simpson's rule; 0 for closed forms.
    genuine
        Whether the activations of a closed form stay negative.
    """

    norms: Array
    biases: Array
    noise: Array
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
    return Growth(
        norms=np.stack([start, start * growth**2], axis=-1),
        biases=start * (growth**2 - 1) / 2,
        noise=0 * growth,
        genuine=negative.all(axis=(-2, -1)),
    )


def integrated_growth(A: Array, B: Array, growth: Array) -> Growth:
    """From any activations, shapes ``(..., w, N)``; floats only."""
    from scipy.integrate import simpson

    leak = np.asarray(log(growth))
    path = integrate_hamiltonian(A, B, leak, nodes=129)
    norms = squared_norm(critical_weights(path.activations, path.adjoints, 1))
    biases = path.adjoints.sum(axis=-1)
    squares = (biases * biases).sum(axis=-1)
    # gradients of the energy and of the trace, whose sum is half the norm
    gradients = squared_norm(velocity(path.activations, path.adjoints)) + squared_norm(path.activations)
    gradients += squared_norm(adjoint_velocity(path.activations, path.adjoints)) + squared_norm(path.adjoints)
    fine, coarse = (simpson(squares[..., ::every], axis=-1) * leak * every / 128 for every in (1, 2))
    return Growth(
        norms=norms[..., [0, -1]],
        biases=fine,
        noise=abs(fine - coarse) + 4 * np.sqrt(gradients.max(axis=-1)) * path.step_errors,
        genuine=np.ones(growth.shape, dtype=bool),
    )


FAMILIES = {0: (1, 1), 1: (2, 2), **INTEGRATED}
"""Neurons and points: of the closed form (0 and 1), and of what is integrated."""


def growth_of_family(A: Array, B: Array, growth: Array, family: int) -> Growth:
    """The closed form from minus the positive numbers A, or an integrated trajectory from A - 1."""
    return integrated_growth(A - 1, B, growth) if family in INTEGRATED else pure_bias_growth(-A, B, growth)


def norm_grows_by_biases(growth: Growth, percent: int = 200) -> Relation:
    """The growth of the norm against the integral of the biases, times 2."""
    left = growth.norms[..., 1] - growth.norms[..., 0]
    return eq(left, growth.biases * percent / 100, scale=growth.norms.sum(axis=-1), noise=growth.noise)


def is_genuine(growth: Growth) -> Array:
    """Whether the closed form is a trajectory."""
    return growth.genuine


def growth_in_a_step(A: Array, B: Array, leak: Array, step: Array, factor: int = 2, kept: int = 1) -> Relation:
    r""":math:`\|W_{\ell+1}\|^2 - \|W_\ell\|^2` against :math:`\rho L(2 - \rho L)\|b_{\ell+1}\|^2`; the activations are -A."""
    _, before = symplectic_euler_step(-A, B, leak, step)
    norms = [squared_norm(critical_weights(-A, adjoint, leak)) for adjoint in (before, B)]
    biases = leak[..., None] * B.sum(axis=-1)
    rate = leak * step
    stated = rate * (factor - kept * rate) * (biases * biases).sum(axis=-1)
    return eq(norms[1] - norms[0], stated, scale=(1 + rate) ** 2 * norms[1])


def cost(sizes: Sizes) -> int:
    """An integration costs more than a closed form."""
    return 256 if sizes["family"] in INTEGRATED else 1


def _neurons(sizes: Sizes) -> int:
    return FAMILIES[sizes["family"]][0]


def _points(sizes: Sizes) -> int:
    return FAMILIES[sizes["family"]][1]


TRAJECTORIES = Domain(
    {
        "growth": derived(
            growth_of_family,
            A=interval(1 / 4, 2, _neurons, _points),
            B=interval(-1, 1, _neurons, _points),
            growth=interval(9 / 8, 5),
        )
    },
    {"family": tuple(FAMILIES)},
    {"the activations of the closed form stay negative": is_genuine},
)
PHASE_SPACE = {"A": reals("width", "points"), "B": reals("width", "points")}
SOURCE = Source("leaky_resnets", "Proposition 10")

CLAIM = Claim(
    id="leaky_resnets.prop_10",
    title="The norm of the weights grows by twice the biases",
    source=SOURCE,
    status=Ours(),
    statement=norm_grows_by_biases,
    domain=TRAJECTORIES,
    false_neighbours={
        "1 % more": partial(norm_grows_by_biases, percent=202),
        "balanced, as without biases": partial(norm_grows_by_biases, percent=0),
    },
    cost=cost,
)

AT_A_POINT = Claim(
    id="leaky_resnets.prop_10.at_a_point",
    title="The derivative of the norm of the weights",
    source=SOURCE,
    status=Ours(),
    statement=derivative_of_the_norm,
    domain=Domain(PHASE_SPACE, {"width": range(1, 4), "points": range(1, 5)}, {"no activation is zero": has_no_zero}),
    false_neighbours={
        "once the biases, as printed": partial(derivative_of_the_norm, factor=1),
        "adjoints that move twice as fast": partial(derivative_of_the_norm, rate=2),
    },
)

DISCRETE = Claim(
    id="leaky_resnets.prop_10.discrete",
    title="Growth of the norm in a step in which only the biases act",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=growth_in_a_step,
    domain=Domain(
        {
            "A": interval(1 / 4, 2, "width", "points"),
            "B": reals("width", "points"),
            "leak": interval(1 / 4, 3),
            "step": interval(1 / 16, 1),
        },
        {"width": range(1, 4), "points": range(1, 4)},
    ),
    false_neighbours={
        "factor 2": partial(growth_in_a_step, kept=0),
        "factor 1": partial(growth_in_a_step, factor=1, kept=0),
    },
)

PRINTED = Claim(
    id="leaky_resnets.prop_10.printed",
    title="The norm of the weights grows by the biases, once",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.prop_10"),
    statement=partial(norm_grows_by_biases, percent=100),
    domain=TRAJECTORIES,
    false_neighbours={},
    cost=cost,
)
