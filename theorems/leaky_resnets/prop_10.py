r"""Proposition 10, balancedness: at a critical point the norm of the weights grows by twice what the biases are.

Statement
    .. math:: \|W_p\|^2 = \|W_0\|^2 + L\int_0^p\|b_q\|^2dq , with b the last column of W.
Correction
    Half of the growth is missing:

    .. math:: \|W_p\|^2 = \|W_0\|^2 + 2L\int_0^p\|b_q\|^2dq .

    The proof varies a reparametrisation r, and forgets that the norm, too, is evaluated at r (see ``reparametrisation``).
Checked
    The derivative of :math:`\|LB\sigma(A)^T\|^2` along Hamilton's equations, by the product rule, at every point of phase space
    without zero activations; the integral along trajectories in which only the biases act, where :math:`B_p = B_0e^{Lp}`, and
    along integrated ones. The printed form fails on each of the former with a bias. In layers of a critical discrete network
    in which only the biases act the factor is :math:`2 - \rho L`: 2 for short steps, 1 for a fully connected network.
Proof idea
    :math:`\|W\|^2 = 2L\mathcal H + 2L^2\,\mathrm{Tr}[BA^T]`, H is constant, and :math:`\frac d{dp}\mathrm{Tr}[BA^T] =
    L\|B\mathbf 1\|^2` with :math:`b = LB\mathbf 1`.
Not checked
    Points where an activation is zero: the identity holds there, too, if the derivative of the ReLU at 0 is taken for 0, but
    the norm has one-sided derivatives.
Source
    leaky_resnets, Proposition 10.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.leaky_resnets.constructions.growth import GROWING, Growth, price
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, eq, interval, reals
from verify.arithmetic import Array, compare
from verify.networks.leaky_resnet import (
    active,
    adjoint_velocity,
    critical_weights,
    feature_matrix,
    inner,
    squared_norm,
    symplectic_euler_step,
    velocity,
)


def norm_grows_by_biases(growth: Growth, factor: int = 2) -> Relation:
    """The norm of the last weights against that of the first and the integral of the biases."""
    return eq(growth.last, growth.first + factor * growth.biases)


def derivative_of_the_norm(A: Array, B: Array, factor: int = 2) -> Relation:
    r"""The derivative of :math:`\|W\|^2` along Hamilton's equations, divided by L cubed, against that of the biases."""
    return eq(_derivative(A, B, adjoint_velocity(A, B)), factor * squared_norm(B.sum(axis=-1)[..., None, :]))


def _derivative(A: Array, B: Array, adjoints_moved: Array) -> Array:
    """By the product rule: the features move as far as they are active."""
    features, grown = feature_matrix(A), active(A) * velocity(A, B)
    features_moved = np.concatenate([grown, 0 * grown[..., :1, :]], axis=-2)
    weights = B @ features.swapaxes(-1, -2)
    moved = adjoints_moved @ features.swapaxes(-1, -2) + B @ features_moved.swapaxes(-1, -2)
    return 2 * inner(weights, moved)


def growth_in_a_step(A: Array, B: Array, leak: Array, step: Array, factor: int = 2) -> Relation:
    r""":math:`\|W_{\ell+1}\|^2 = \|W_\ell\|^2 + \rho L(2 - \rho L)\|b_{\ell+1}\|^2`; the activations are -A."""
    before, after, biases = norms_of_a_step(A, B, leak, step)
    return eq(after, before + leak * step * (factor - leak * step) * biases)


def norms_of_a_step(A: Array, B: Array, leak: Array, step: Array) -> tuple[Array, Array, Array]:
    """Squared norms of the weights before and after a step, and of its bias."""
    _, before = symplectic_euler_step(-A, B, leak, step)
    norms = [squared_norm(critical_weights(-A, adjoint, leak)) for adjoint in (before, B)]
    return norms[0], norms[1], leak**2 * squared_norm(B.sum(axis=-1)[..., None, :])


# False variants


def norm_is_constant(growth: Growth) -> Relation:
    """Balanced, as without biases."""
    return eq(growth.last, growth.first)


def adjoints_move_twice_as_fast(A: Array, B: Array) -> Relation:
    """The derivative with another equation for the adjoints."""
    return eq(_derivative(A, B, 2 * adjoint_velocity(A, B)), 2 * squared_norm(B.sum(axis=-1)[..., None, :]))


def step_as_in_continuous_time(A: Array, B: Array, leak: Array, step: Array) -> Relation:
    """The factor 2 whatever the length of the step."""
    before, after, biases = norms_of_a_step(A, B, leak, step)
    return eq(after, before + 2 * leak * step * biases)


def step_as_fully_connected(A: Array, B: Array, leak: Array, step: Array) -> Relation:
    """The factor 1 whatever the length of the step."""
    before, after, biases = norms_of_a_step(A, B, leak, step)
    return eq(after, before + leak * step * biases)


def has_no_zero(A: Array) -> Array:
    """Whether no activation is zero."""
    return np.asarray((compare(A, 0) != 0).all(axis=(-2, -1)))


SOURCE = Source("leaky_resnets", "Proposition 10")

CLAIM = Claim(
    id="leaky_resnets.prop_10",
    title="The norm of the weights grows by twice the biases",
    source=SOURCE,
    status=Ours(),
    statement=norm_grows_by_biases,
    domain=GROWING,
    false_neighbours={"once, as printed": partial(norm_grows_by_biases, factor=1), "balanced": norm_is_constant},
    cost=price,
)

AT_A_POINT = Claim(
    id="leaky_resnets.prop_10.at_a_point",
    title="At each point the norm of critical weights grows by twice the biases",
    source=SOURCE,
    status=Ours(),
    statement=derivative_of_the_norm,
    domain=Domain(
        {"A": reals("width", "points"), "B": reals("width", "points")},
        {"width": range(1, 4), "points": range(1, 5)},
        {"no activation is zero": has_no_zero},
    ),
    false_neighbours={
        "once, as printed": partial(derivative_of_the_norm, factor=1),
        "adjoints that move twice as fast": adjoints_move_twice_as_fast,
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
    false_neighbours={"factor 2": step_as_in_continuous_time, "factor 1": step_as_fully_connected},
)

PRINTED = Claim(
    id="leaky_resnets.prop_10.printed",
    title="The norm of the weights grows by the biases, once",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=partial(norm_grows_by_biases, factor=1),
    domain=GROWING,
    false_neighbours={},
    cost=price,
)
