r"""Theorem 4 as printed fails at local minimisers with an active neuron: one neuron and two points.

Statement
    For points :math:`x = (x_1, x_2)` with :math:`x_1 > x_2 > 0`, M equal layers of length :math:`\rho = 1/M` and a number
    :math:`\tau > 0`, put :math:`c = 1 - \rho L(1 - \tau) > 0`. The network with the weights :math:`W_\ell = (L\tau, 0)` has

    .. math:: A_\ell = c^\ell x, \qquad B_\ell = \frac{\tau}{c^{\ell-1}(x_1 - x_2)}(1, -1), \qquad
              -\tfrac2L\mathcal H(A_{\ell-1}, B_\ell) = 1 - (1 - \tau)^2

    and is critical for the target :math:`F = A_M + \lambda B_M`. For :math:`\lambda \le c^{2M-1}(x_1 - x_2)^2/(2\tau)` the
    second derivative of the loss along any direction :math:`\delta` is at least
    :math:`\frac{\rho\lambda}L\sum\|\delta_\ell\|^2`: a strict local minimiser, with the same convexity for every number of
    layers. As M grows it becomes the path

    .. math:: A_p = \frac xE, \qquad B_p = \frac{\tau E}{x_1 - x_2}(1, -1), \qquad E = e^{L(1 - \tau)p} ,

    of which Theorem 4 speaks. There the printed law for the speed fails, where its radicand is not negative.
Checked
    The first and the second derivative along every direction, from values of the loss, a polynomial along it; the closed form
    of the path of layers; that the Hessian of a network of two layers is positive definite, by its leading minors on rationals;
    and the printed law at both ends of the path of the theorem, for :math:`\tau < 1`. That this path solves Hamilton's
    equations is checked in ``trajectories``.
Proof idea
    Along :math:`\delta_\ell = (v_\ell, u_\ell)` the second derivative is

    .. math:: \frac{\rho\lambda}L\sum\|\delta_\ell\|^2
              + \frac{\lambda\rho^2\tau}c\Bigl[\sum v_\ell^2 - \bigl(\sum v_\ell\bigr)^2\Bigr]
              + \rho^2\Bigl\|\bigl(\sum v_\ell\bigr)c^{M-1}x + \sum c^{M-\ell}u_\ell\mathbf 1\Bigr\|^2 ,

    and the last square is at least half of :math:`(c^{M-1}(x_1 - x_2)\sum v_\ell)^2`.
Sharp
    Biases that move without an effect on the outputs.
Source
    Ours; the printed law is leaky_resnets, Theorem 4.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.seen_trajectories import PointNorms, norms_at
from theorems.leaky_resnets.constructions.varied_networks import Varied, derivatives, varied, varied_of_kind
from theorems.leaky_resnets.theorem_4.statement import NOT_NEGATIVE
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, eq, ge, integers, interval, le
from verify.arithmetic import Array, compare, maximum, rationals, sqrt
from verify.matrices import determinant
from verify.networks.leaky_resnet import (
    critical_weights,
    hamiltonian,
    inner,
    symplectic_euler_step,
)


def is_critical(instance: Varied, ridge: Array, target: Array) -> Relation:
    """What the misfit gains along the direction the regularisation loses."""
    (slope, _), (cost, _) = derivatives(instance, target, ridge)
    return eq(slope, -cost, name="slope")


def convexity(instance: Varied, ridge: Array) -> Array:
    r""":math:`\frac{\rho\lambda}L\sum\|\delta_\ell\|^2`."""
    network = instance.critical.network
    return np.asarray(ridge * inner(instance.direction, instance.direction).sum(axis=-1) / (network.leak * network.depth))


def is_strict_minimum(instance: Varied, ridge: Array) -> Relation:
    """No slope, a second derivative that is large, and the closed form."""
    target = instance.critical.target(ridge)
    (_, curvature), (_, cost) = derivatives(instance, target, ridge)
    relation = is_critical(instance, ridge, target)
    return relation & ge(curvature + cost, convexity(instance, ridge), name="curvature") & path_is_closed(instance)


def path_is_closed(instance: Varied) -> Relation:
    """Activations, adjoints and weights of all layers against the closed form, and the Hamiltonian."""
    critical = instance.critical
    network, layers = critical.network, range(critical.network.depth)
    before = np.stack(critical.activations[:-1], axis=-3)
    after, adjoints = np.stack(critical.activations[1:], axis=-3), np.stack(critical.adjoints[1:], axis=-3)
    leak = network.leak[..., None]
    stepped, pulled = symplectic_euler_step(before, adjoints, leak, network.steps)
    values = np.stack(network.activations(critical.activations[0])[1:], axis=-3)
    weights = np.stack([network.weights[layer] for layer in layers], axis=-3)
    return (
        eq(values, after, name="activations", over=3)
        & eq(stepped, after, name="forward", over=3)
        & eq(pulled, np.stack(critical.adjoints[:-1], axis=-3), name="backward", over=3)
        & eq(critical_weights(before, adjoints, leak), weights, name="weights", over=3)
        & eq(-2 * hamiltonian(before, adjoints), (1 - (1 - instance.rate) ** 2)[..., None], name="energy", over=1)
    )


def stays_positive(instance: Varied) -> Array:
    """Whether the loss is a polynomial where it is taken."""
    return instance.positive


def ridge_is_small(instance: Varied, ridge: Array) -> Array:
    r"""Whether :math:`\lambda` is at most the bound of the statement."""
    depth, leak = instance.critical.network.depth, instance.critical.network.leak
    kept = 1 - leak * (1 - instance.rate) / depth
    return np.asarray(compare(kept ** (2 * depth - 1) * instance.gap**2, 2 * instance.rate * ridge) >= 0)


def balanced_biases() -> dict[str, Any]:
    """Biases of two layers that cancel at the outputs."""
    one = rationals([1])
    direction = rationals([[[[0, 1]], [[0, -1]]]])
    return {"instance": varied(one, one, one, one, direction), "ridge": one / 2}


def hessian_is_positive() -> Relation:
    r"""Two layers, L = 1, points 2 and 1, :math:`\tau = 1`, :math:`\lambda = \frac14`: no slope, positive leading minors."""
    pairs = [(i, j) for i in range(4) for j in range(i, 4)]
    directions = np.zeros((len(pairs), 4), dtype=int)
    for place, (i, j) in enumerate(pairs):
        directions[place, [i, j]] = 1
    one = rationals([1] * len(pairs))
    instance = varied(one, one, one, one, rationals(directions.reshape(-1, 2, 1, 2)))
    (slope, curvature), (more_slope, more) = derivatives(instance, instance.critical.target(one / 4), one / 4)
    slope, curvature = slope + more_slope, curvature + more
    along = dict(zip(pairs, curvature, strict=True))
    hessian = rationals(np.zeros((4, 4), dtype=int))
    for i, j in pairs:
        hessian[i, j] = hessian[j, i] = along[i, j] if i == j else (along[i, j] - along[i, i] - along[j, j]) / 2
    minors = np.array([determinant(hessian[:k, :k])[()] for k in range(1, 5)], dtype=object)
    return eq(slope, 0 * slope, over=1) & eq(rationals(compare(minors, 0)), rationals([1] * 4), over=1)


def on_the_path(second: Array, gap: Array, rate: Array, growth: Array, gamma: Array) -> PointNorms:
    r"""The norms at p = 0 and p = 1 of the path of the theorem, where :math:`e^{L(1 - \tau)}` is `growth`."""
    E = np.stack([0 * growth + 1, growth], axis=-1)[..., None, None]
    x, opposite = (np.stack(pair, axis=-1)[..., None, None, :] for pair in ((second + gap, second), (rate / gap, -rate / gap)))
    return norms_at(x / E, opposite * E, gamma[..., None] + 0 * E[..., 0, 0])


def radicand(at: PointNorms) -> Array:
    r""":math:`\|A_p\|^2 + \frac2L\mathcal H`."""
    return np.asarray(at.cost - at.energy)


def radicand_stays(second: Array, gap: Array, rate: Array, growth: Array, gamma: Array) -> Array:
    """Whether the printed root exists."""
    return np.asarray((compare(radicand(on_the_path(second, gap, rate, growth, gamma)), 0) >= 0).all(axis=-1))


def printed_law_on_the_path(second: Array, gap: Array, rate: Array, growth: Array, gamma: Array) -> Relation:
    """The second display, with the largest norm of the adjoint, which is that at the end."""
    at = on_the_path(second, gap, rate, growth, gamma)
    root = radicand(at)
    excess = sqrt(at.speed) - sqrt(maximum(root, 0 * root))
    reach = gamma[..., None] * sqrt(at.plain_adjoint[..., 1:])
    return ge(excess, -reach, name="speed from below", over=1) & le(excess, 2 * reach, name="speed from above", over=1)


# False variants


def target_at_the_end(instance: Varied, ridge: Array) -> Relation:
    """The network is critical for the target that it reaches."""
    return is_critical(instance, ridge, instance.critical.activations[-1])


def convexity_by_the_entries(instance: Varied, ridge: Array) -> Relation:
    """A convexity that does not fall with the steps."""
    (_, curvature), (_, cost) = derivatives(instance, instance.critical.target(ridge), ridge)
    return ge(curvature + cost, convexity(instance, ridge) * instance.critical.network.depth)


def energy_is_the_rate(instance: Varied) -> Relation:
    r"""The constant is :math:`\tau`, as the singular value of the weights over L."""
    critical = instance.critical
    return eq(-2 * hamiltonian(critical.activations[0], critical.adjoints[1]), instance.rate)


PROBLEM = {
    "second": interval(1 / 4, 2),
    "gap": interval(1 / 4, 2),
    "rate": interval(1 / 2, 3 / 2),
    "leak": interval(1 / 4, 3 / 2),
}

POSITIVE = "no activation becomes negative"

SMALL = "the ridge is small enough"

CLAIM = Claim(
    id="leaky_resnets.theorem_4.local_minimiser",
    title="One active neuron at two points is a strict local minimiser",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=is_strict_minimum,
    domain=Domain(
        {
            "instance": derived(varied_of_kind, **PROBLEM, direction=interval(-1, 1, "depth", 1, 2), kind=integers(0, 2)),
            "ridge": interval(1 / 64, 2),
        },
        {"depth": (2, 3, 5)},
        {POSITIVE: stays_positive, SMALL: ridge_is_small},
    ),
    needs=(SMALL,),
    tight={"biases without an effect": Tight(balanced_biases, of=("curvature",))},
    false_variants={
        "the target is the output": target_at_the_end,
        "convexity by the entries that does not fall with the steps": convexity_by_the_entries,
        "the constant is the rate": energy_is_the_rate,
    },
    exact={"a positive definite Hessian": hessian_is_positive},
    cost=16,
)

PRINTED = Claim(
    id="leaky_resnets.theorem_4.printed_at_local_minimisers",
    title="At local minimisers with an active neuron the law for the speed holds with gamma for its root",
    source=Source("leaky_resnets", "Theorem 4"),
    status=FalseAsPrinted(corrected_by="leaky_resnets.theorem_4"),
    statement=printed_law_on_the_path,
    domain=Domain(
        {
            "second": interval(1 / 4, 2),
            "gap": interval(1 / 4, 2),
            "rate": interval(1 / 4, 15 / 16),
            "growth": interval(9 / 8, 8),
            "gamma": interval(1 / 1024, 2),
        },
        {},
        {NOT_NEGATIVE: radicand_stays},
    ),
    false_variants={},
)
