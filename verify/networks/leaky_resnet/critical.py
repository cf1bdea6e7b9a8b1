r"""Critical discrete networks: the symplectic Euler method on Hamilton's equations.

A discrete network is a critical point of :math:`C(A_M) + \frac\lambda{2L}\sum_\ell\rho_\ell\|W_\ell\|^2` exactly if
:math:`W_\ell = LB_\ell\sigma(A_{\ell-1})^T` for all its layers, with its adjoints B. Then

.. math:: A_\ell = A_{\ell-1} + \rho_\ell\partial_BH(A_{\ell-1}, B_\ell), \qquad
          B_{\ell-1} = B_\ell + \rho_\ell\partial_AH(A_{\ell-1}, B_\ell) .

Source: leaky_resnets, Sections 1.5 and 3; the symplectic form is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.matrices import solve
from verify.networks._arrays import check_batches, eye, number_like
from verify.networks.leaky_resnet._features import active, checked_pair, factor, rectified
from verify.networks.leaky_resnet.hamiltonian import _adjoint_velocity, _velocity, critical_weights
from verify.networks.leaky_resnet.network import LeakyResNet, check_steps
from verify.numbers.arguments import flag
from verify.numbers.arithmetic import Array, FloatOnly, UndecidedInstances, array_module, is_exact

NEWTON_STEPS = 20
"""Newton's method squares its error at each step: what has not converged by then does not."""


@dataclass(frozen=True, eq=False)
class CriticalNetwork:
    """A discrete network that is a critical point, with its activations and adjoints at the ends of all layers.

    Attributes
    ----------
    network
        The network, or a batch of them.
    activations, adjoints
        ``A_0, ..., A_M`` and ``B_0, ..., B_M``, shapes ``(..., w, N)``.
    """

    network: LeakyResNet
    activations: tuple[Array, ...]
    adjoints: tuple[Array, ...]

    def target(self, ridge: Any) -> Array:
        r""":math:`F = A_M + \frac{\lambda N}2B_M`, shape ``(..., w, N)``: the outputs for which the network is critical.

        The loss is :math:`\frac1N\|F - A_M\|^2 + \frac\lambda{2L}\sum_\ell\rho_\ell\|W_\ell\|^2`; `ridge` is :math:`\lambda`.
        """
        weight = factor("ridge", ridge, self.activations[-1])
        target: Array = self.activations[-1] + weight * self.activations[-1].shape[-1] / 2 * self.adjoints[-1]
        return target


def symplectic_euler_step(
    activations: Array, adjoints: Array, leak: Any, step: Any, *, bias: bool = True
) -> tuple[Array, Array]:
    r""":math:`(A_{\ell-1}, B_\ell) \mapsto (A_\ell, B_{\ell-1})`, shapes ``(..., w, N)``, in either arithmetic.

    Raises
    ------
    ValueError
        The shapes differ; entries that are not finite real numbers; mixed arithmetics.

    Examples
    --------
    >>> after, before = symplectic_euler_step(rationals([[1, 2]]), rationals([[2, 0]]), leak=1, step=Q(1, 2), bias=False)
    >>> print(after, before)
    [[3/2 3]] [[3 0]]
    """
    bias = flag("bias", bias)
    activations, adjoints = checked_pair(("activations", activations), ("adjoints", adjoints))
    leaks, steps = (factor(name, value, activations, adjoints) for name, value in (("leak", leak), ("step", step)))
    check_batches(leak=leaks.shape[:-2], step=steps.shape[:-2])
    rate = leaks * steps
    after = activations + rate * _velocity(activations, adjoints, bias=bias)
    return after, adjoints - rate * _adjoint_velocity(activations, adjoints)


def critical_network(activations: Array, adjoints: Array, leak: Any, steps: Array, *, bias: bool = True) -> CriticalNetwork:
    r"""The critical network with given :math:`A_0` and :math:`B_0`, shapes ``(..., w, N)``; `steps` has shape ``(*batch, M)``.

    :math:`B_\ell` solves a quadratic equation at each layer, by Newton's method from :math:`B_{\ell-1}`.

    Raises
    ------
    FloatOnly
        The values are rationals: the equations have no rational solutions.
    UndecidedInstances
        Newton's method does not converge for some instances: the steps are too long for them.
    ValueError
        The shapes differ; entries that are not finite real numbers.

    Examples
    --------
    A stationary point of Hamilton's equations: all weights are the leak, and the activations stay.

    >>> critical = critical_network(np.array([[1.0, 2.0]]), np.array([[1.0, 0.0]]), 3.0, equidistant_steps(4), bias=False)
    >>> np.allclose(critical.network.weights, 3), np.allclose(critical.activations[-1], [[1, 2]])
    (True, True)
    """
    bias = flag("bias", bias)
    activations, adjoints = checked_pair(("activations", activations), ("adjoints", adjoints))
    if is_exact(activations):
        raise FloatOnly("a critical network is found by Newton's method, which has no exact evaluation")
    xp = array_module(activations)
    lengths = number_like("steps", steps, activations)
    if lengths.ndim < 1 or lengths.shape[-1] == 0:
        raise ValueError(f"steps must have the shape (*batch, layers) with one layer at least, got {lengths.shape}")
    check_steps(lengths, lengths.shape[-1])
    rate = number_like("leak", leak, activations)
    check_batches(activations=activations.shape[:-2], adjoints=adjoints.shape[:-2], leak=rate.shape, steps=lengths.shape[:-1])
    shape = np.broadcast_shapes(activations.shape, adjoints.shape, (*lengths.shape[:-1], 1, 1), (*rate.shape, 1, 1))
    before, after = [xp.broadcast_to(activations, shape)], [xp.broadcast_to(adjoints, shape)]
    weights = []
    for layer in range(lengths.shape[-1]):
        scale = (rate * lengths[..., layer])[..., None, None]
        next_adjoint = _next_adjoints(before[-1], after[-1], scale)
        weights.append(critical_weights(before[-1], next_adjoint, rate, bias=bias))
        before.append(before[-1] + scale * _velocity(before[-1], next_adjoint, bias=bias))
        after.append(next_adjoint)
    return CriticalNetwork(LeakyResNet(weights, rate, lengths), tuple(before), tuple(after))


def _next_adjoints(activations: Array, adjoints: Array, scale: Array) -> Array:
    r"""B with :math:`B - \rho L(B - \dot\sigma(A)\odot[\bar\sigma(A)B^TB])` equal to the given adjoints."""
    xp = array_module(activations)
    *batch, width, points = activations.shape
    mask, features = active(activations), rectified(activations)
    directions = eye(width * points, activations).reshape(width * points, width, points)
    iterate = adjoints
    for _ in range(NEWTON_STEPS):
        residual = iterate - scale * _adjoint_velocity(activations, iterate) - adjoints
        size = 1 + abs(iterate) + abs(scale * mask * (features @ (iterate.swapaxes(-1, -2) @ iterate)))
        error = (abs(residual) / size.max(axis=(-2, -1), keepdims=True)).max(axis=(-2, -1))
        if (error <= 16 * xp.finfo(residual.dtype).eps).all():
            return iterate
        direction = iterate[..., None, :, :]
        changed = directions.swapaxes(-1, -2) @ direction + direction.swapaxes(-1, -2) @ directions
        derivative = directions - scale[..., None, :, :] * (
            directions - mask[..., None, :, :] * (features[..., None, :, :] @ changed)
        )
        matrix = derivative.reshape(*batch, width * points, width * points).swapaxes(-1, -2)
        iterate = iterate - solve(matrix, residual.reshape(*batch, -1, 1)).reshape(iterate.shape)
        if not xp.isfinite(iterate).all():
            break
    failed = ~(error <= 16 * xp.finfo(residual.dtype).eps)
    raise UndecidedInstances(f"Newton's method does not converge for {int(failed.sum())} of {failed.size} networks", failed)
