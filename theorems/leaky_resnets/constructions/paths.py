r"""Discrete paths of activations, with the problem of moving along them at the least price.

:math:`\partial A` is a difference quotient, :math:`(A_\ell - A_{\ell-1})/\rho_\ell`, and an integral over p a sum over layers.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from verify import Sizes, derived, integers, interval, reals
from verify.arithmetic import Array, compare
from verify.networks.leaky_resnet import LeakyResNet, feature_matrix, smallest_weights, squared_norm
from verify.variables import Derived, Variable


@dataclass(frozen=True, eq=False)
class Problem:
    r"""A discrete problem with a path and, where the path is that of a network, its weights.

    Attributes
    ----------
    path
        Activations :math:`A_0, \ldots, A_M`, shapes ``(..., w, N)``.
    weights
        Weights of the layers, shapes ``(..., w, w + 1)``.
    target
        F.
    leak, penalty
        L and :math:`\lambda`.
    steps
        Lengths of the layers, shape ``(..., M)``.
    """

    path: tuple[Array, ...]
    weights: tuple[Array, ...]
    target: Array
    leak: Array
    penalty: Array
    steps: Array

    def __getitem__(self, index: Any) -> Problem:
        parts = {one.name: getattr(self, one.name) for one in fields(self)}
        chosen: dict[str, Any] = {
            name: tuple(one[index] for one in part) if isinstance(part, tuple) else part[index] for name, part in parts.items()
        }
        return Problem(**chosen)

    @property
    def before(self) -> Array:
        r""":math:`A_0, \ldots, A_{M-1}`, shape ``(..., M, w, N)``."""
        return np.stack(self.path[:-1], axis=-3)

    @property
    def moved(self) -> Array:
        r""":math:`\partial A` in each layer, shape ``(..., M, w, N)``."""
        return np.asarray((np.stack(self.path[1:], axis=-3) - self.before) / self.steps[..., None, None])

    @property
    def driving(self) -> Array:
        r""":math:`LA + \partial A` in each layer, what :math:`W\sigma(A)` has to be, shape ``(..., M, w, N)``."""
        return np.asarray(self.leak[..., None, None, None] * self.before + self.moved)

    @property
    def smallest_weights(self) -> Array:
        """The smallest weights with that product, or which come closest to it, shape ``(..., M, w, w + 1)``."""
        return smallest_weights(self.driving, feature_matrix(self.before))

    @property
    def misfit(self) -> Array:
        """C at the end of the path, batch-shaped."""
        return np.asarray(squared_norm(self.target - self.path[-1]) / self.target.shape[-1])

    def over_layers(self, values: Array) -> Array:
        """The integral of values ``(..., M)`` over p: their sum, weighted by the steps."""
        return np.asarray((self.steps * values).sum(axis=-1))


def driven(X: Array, weights: Array, steps: Array, leak: Array, penalty: Array, target: Array) -> Problem:
    """The path of a network; `weights` has an axis of layers before its last two."""
    layers = tuple(weights[..., k, :, :] for k in range(weights.shape[-3]))
    return Problem(LeakyResNet(layers, leak, steps).activations(X), layers, target, leak, penalty, steps)


def wandering(path: Array, weights: Array, steps: Array, leak: Array, penalty: Array, target: Array, kind: Array) -> Problem:
    """The path of a network, or where `kind` is 0 any path."""
    problem = driven(path[..., 0, :, :], weights, steps, leak, penalty, target)
    free = compare(kind, 0)[..., None, None] == 0
    chosen = tuple(np.where(free, path[..., k, :, :], one) for k, one in enumerate(problem.path))
    return Problem(chosen, problem.weights, target, leak, penalty, steps)


def _common() -> dict[str, Variable]:
    return {
        "weights": reals("layers", "width", lambda sizes: sizes["width"] + 1),
        "steps": interval(1 / 8, 1, "layers"),
        "leak": interval(1 / 4, 4),
        "penalty": interval(1 / 8, 2),
        "target": reals("width", "points"),
    }


def _ends(sizes: Sizes) -> int:
    return sizes["layers"] + 1


def driven_problems() -> Derived:
    """Paths of networks, of the sizes "layers", "width" and "points"."""
    return derived(driven, X=reals("width", "points"), **_common())


def wandering_problems() -> Derived:
    """The same, and paths that no network need have."""
    return derived(wandering, path=reals(_ends, "width", "points"), kind=integers(0, 1), **_common())
