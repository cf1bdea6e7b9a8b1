r"""Discrete paths of activations, with the problem of moving along them at the least cost.

:math:`\partial A` is a difference quotient, :math:`(A_\ell - A_{\ell-1})/\rho_\ell`, and an integral over p a sum over layers.
"""

from __future__ import annotations

from typing import NamedTuple

from verify import Sizes, derived, integers, interval, reals
from verify.claims.variables import Derived, Variable
from verify.networks.leaky_resnet import LeakyResNet
from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened
from verify.words import lifted, norm2, stack, where


class Problem(NamedTuple):
    r"""A discrete problem with a path and, where the path is that of a network, its weights."""

    path: Array
    r"""Activations :math:`A_0, \ldots, A_M`, shape ``(M + 1, w, N)``."""
    W: Array
    """Weights of the layers, shape ``(M, w, w + 1)``."""
    F: Array
    """Target, shape ``(w, N)``."""
    L: Array
    """The leak."""
    lam: Array
    r""":math:`\lambda`."""
    rho: Array
    """Lengths of the layers, shape ``(M,)``."""

    @property
    def A(self) -> Array:
        r""":math:`A_0, \ldots, A_{M-1}`, shape ``(M, w, N)``."""
        return self.path[:-1]

    @property
    def dA(self) -> Array:
        r""":math:`\partial A` in each layer, shape ``(M, w, N)``."""
        return (self.path[1:] - self.path[:-1]) / self.rho[:, None, None]

    @property
    def misfit(self) -> Array:
        r""":math:`\frac1N\|F - A_M\|^2`."""
        return norm2(self.F - self.path[-1]) / self.F.shape[1]


@widened
def driven(X: Array, W: Array, rho: Array, L: Array, lam: Array, F: Array) -> Problem:
    """The path of a network."""
    return Problem(stack(lifted(LeakyResNet)(list(W), L, rho).activations(X)), W, F, L, lam, rho)


@widened
def wandering(path: Array, kind: Array, W: Array, rho: Array, L: Array, lam: Array, F: Array) -> Problem:
    """The path of a network, or where `kind` is 0 any path."""
    problem = driven(path[0], W, rho, L, lam, F)
    return problem._replace(path=where(kind == 0, path, problem.path))


def _common() -> dict[str, Variable]:
    return {
        "W": reals("layers", "width", lambda sizes: sizes["width"] + 1, role="all weights"),
        "rho": interval(1 / 8, 1, "layers", role="steps"),
        "L": interval(1 / 4, 4, role="leak"),
        "lam": interval(1 / 8, 2, role="ridge"),
        "F": reals("width", "points", role="targets as columns"),
    }


def _ends(sizes: Sizes) -> int:
    return sizes["layers"] + 1


def driven_problems() -> Derived:
    """Paths of networks, of the sizes "layers", "width" and "points"."""
    return derived(driven, X=reals("width", "points", role="start of the path"), **_common())


def wandering_problems() -> Derived:
    """The same, and paths that no network need have."""
    return derived(wandering, path=reals(_ends, "width", "points", role="path"), kind=integers(0, 1, role="1"), **_common())
