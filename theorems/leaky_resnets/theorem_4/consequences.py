r"""What follows from Theorem 4: the stable Hamiltonian, how few layers are fast, and the length in the Frobenius norm.

Statement
    With the norm of :math:`K + \gamma I`, :math:`u = \frac1L\|\partial A\|` and :math:`x^2 = \|A\|^2 + \frac2L\mathcal H`, at
    every point of phase space with :math:`\frac1L\partial A = BK - A`:

    * the stable Hamiltonian :math:`\mathcal H_\gamma = \frac1{2L}\|\partial A\|^2 - \frac L2\|A\|^2` differs from H by

      .. math:: \tfrac2L(\mathcal H - \mathcal H_\gamma) = 2\gamma\langle\tfrac1L\partial A, B\rangle_{K+\gamma I}
                - \gamma\mathrm{Tr}[BK(K + \gamma I)^{-1}B^T] ,

      at most :math:`2\sqrt\gamma\|B\|u + \gamma\|B\|^2` in absolute value (``.stable_hamiltonian``, ``.stable_difference``);
    * of any layers with :math:`\sqrt\gamma\|B\| \le G` at most :math:`\sum u / (\delta - G)` have :math:`x \ge \delta > G`: the
      cost of the identity is nearly optimal in most layers of a path of bounded length (``.few_layers``);
    * :math:`\|\partial A\|_{K+\gamma I} \le \gamma^{-1/2}\|\partial A\|_F` (``.length``).
Checked
    All of it, for any A, B and up to 14 layers.
Proof idea
    :math:`x \le u + \sqrt\gamma\|B\|` from Theorem 4, and the theorem of Markov.
Sharp
    Where BK = 0 nearly and A is along B; the length, where K vanishes on the velocity.
Source
    leaky_resnets, Theorem 4 and Section 2.1; the finite forms are ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, absolute, compare, is_exact, largest, maximum, rationals, sqrt
from verify.matrices import solve
from verify.networks.leaky_resnet import (
    activation_kernel,
    hamiltonian,
    inner,
    squared_norm,
    stable_hamiltonian,
    stable_kernel_norm_squared,
    velocity,
)


def speed_and_excess(A: Array, B: Array, gamma: Array) -> tuple[Array, Array]:
    r""":math:`u^2` and :math:`x^2`, batch-shaped."""
    kernel = activation_kernel(A)
    speed = stable_kernel_norm_squared(velocity(A, B), kernel, gamma)
    return maximum(speed, 0 * speed), stable_kernel_norm_squared(A, kernel, gamma) + 2 * hamiltonian(A, B)


def through_stable_kernel(A: Array, B: Array, gamma: Array) -> Array:
    r""":math:`B(K + \gamma I)^{-1}`."""
    stable = activation_kernel(A) + gamma[..., None, None] * np.eye(A.shape[-1], dtype=np.int64)
    return np.swapaxes(solve(stable, np.swapaxes(B, -1, -2)), -1, -2)


def difference(A: Array, B: Array, gamma: Array) -> Array:
    r""":math:`\frac2L(\mathcal H - \mathcal H_\gamma)`."""
    return np.asarray(2 * (hamiltonian(A, B) - stable_hamiltonian(A, velocity(A, B), gamma)))


def stable_hamiltonian_differs(A: Array, B: Array, gamma: Array, two: int = 2) -> Relation:
    """The formula for the difference of the two Hamiltonians."""
    solved, V = through_stable_kernel(A, B, gamma), velocity(A, B)
    stated = two * gamma * inner(solved, V) - gamma * inner(solved @ activation_kernel(A), B)
    return eq(difference(A, B, gamma), stated)


def difference_is_small(A: Array, B: Array, gamma: Array, two: int = 2) -> Relation:
    r"""Its absolute value against :math:`2\sqrt\gamma\|B\|u + \gamma\|B\|^2`."""
    speed, _ = speed_and_excess(A, B, gamma)
    square = gamma * squared_norm(B)
    return le(absolute(difference(A, B, gamma)), two * sqrt(square * speed) + square)


def number_of(holds: npt.NDArray[np.bool_], like: Array) -> Array:
    """How many layers satisfy something, in the arithmetic of `like`."""
    count = holds.sum(axis=-1)
    return rationals(count) if is_exact(like) else count.astype(np.float64)


def largest_adjoint(B: Array, gamma: Array) -> Array:
    """The square of G."""
    return largest(gamma[..., None] * squared_norm(B))


def few_layers(A: Array, B: Array, gamma: Array, delta: Array) -> Relation:
    r"""Number of layers with :math:`x \ge \delta` times :math:`\delta - G` against the sum of u; shapes ``(..., M, w, N)``."""
    speed, excess = speed_and_excess(A, B, gamma[..., None] + 0 * A[..., 0, 0])
    many = number_of(compare(excess, (delta * delta)[..., None]) >= 0, A)
    return le(many * (delta - sqrt(largest_adjoint(B, gamma))), np.asarray(sqrt(speed)).sum(axis=-1))


def threshold_is_above(B: Array, gamma: Array, delta: Array) -> npt.NDArray[np.bool_]:
    r"""Whether :math:`\delta > G`, the largest :math:`\sqrt\gamma\|B\|` of the layers."""
    return np.asarray(compare(delta * delta, largest_adjoint(B, gamma)) > 0)


def length_in_the_frobenius_norm(A: Array, B: Array, gamma: Array) -> Relation:
    """Squared speed in the norm of the kernel, times gamma, against the squared Frobenius norm."""
    V = velocity(A, B)
    return le(gamma * stable_kernel_norm_squared(V, activation_kernel(A), gamma), squared_norm(V))


def unseen_velocity() -> dict[str, Array]:
    r"""One neuron that is negative at two points, :math:`K = 11^T`, and the velocity (-1, 1), on which K vanishes."""
    return {"A": rationals([[[-1, -3]]]), "B": rationals([[[-1, -1]]]), "gamma": rationals(["1/4"])}


def small_adjoint() -> dict[str, Array]:
    """B = (1, -1) / 10^20 and A = -10^8 B: nearly BK = 0, so that the velocity is -A."""
    B = rationals([[[1, -1]]]) / 10**20
    return {"A": -(10**8) * B, "B": B, "gamma": rationals([1])}


def fast_layers(count: int, resting: int = 0) -> dict[str, Array]:
    r"""So many layers with :math:`u = x - \sqrt\gamma\|B\|` nearly: B = (1, -1, 1, -1) / 10^10 and A = -10^4 B.

    Beside them there are layers in which everything is zero.
    """
    B = rationals([[[[1, -1, 1, -1]]] * count + [[[0] * 4]] * resting]) / 10**10
    # x is 2m + 1/2 - 1/(16 m) times the norm of B, to the next order
    delta = rationals([20000]) + rationals(["1/2"]) - rationals(["1/80000"])
    return {"A": -(10**4) * B, "B": B, "gamma": rationals(["1/4"]), "delta": 2 * delta / 10**10}


# False variants


def whole_adjoint_differs(A: Array, B: Array, gamma: Array) -> Relation:
    """The Hamiltonians differ by the whole norm of the adjoint."""
    stated = 2 * gamma * inner(through_stable_kernel(A, B, gamma), velocity(A, B)) - gamma * squared_norm(B)
    return eq(difference(A, B, gamma), stated)


def adjoint_alone_differs(A: Array, B: Array, gamma: Array) -> Relation:
    """Without the inner product."""
    solved = through_stable_kernel(A, B, gamma)
    return eq(difference(A, B, gamma), -gamma * inner(solved @ activation_kernel(A), B))


def difference_of_the_order_of_gamma(A: Array, B: Array, gamma: Array) -> Relation:
    """Without the linear term."""
    return le(absolute(difference(A, B, gamma)), gamma * squared_norm(B))


def difference_in_gamma(A: Array, B: Array, gamma: Array) -> Relation:
    """With gamma for its root."""
    speed, _ = speed_and_excess(A, B, gamma)
    return le(absolute(difference(A, B, gamma)), 2 * gamma * sqrt(squared_norm(B) * speed) + gamma * squared_norm(B))


def few_layers_without_adjoints(A: Array, B: Array, gamma: Array, delta: Array) -> Relation:
    """The theorem of Markov for x in place of u."""
    speed, excess = speed_and_excess(A, B, gamma[..., None] + 0 * A[..., 0, 0])
    many = number_of(compare(excess, (delta * delta)[..., None]) >= 0, A)
    return le(many * delta, np.asarray(sqrt(speed)).sum(axis=-1))


def few_layers_by_their_squares(A: Array, B: Array, gamma: Array, delta: Array) -> Relation:
    """The theorem of Chebyshev without the square of the distance."""
    speed, excess = speed_and_excess(A, B, gamma[..., None] + 0 * A[..., 0, 0])
    many = number_of(compare(excess, (delta * delta)[..., None]) >= 0, A)
    return le(many * (delta - sqrt(largest_adjoint(B, gamma))), speed.sum(axis=-1))


def length_without_gamma(A: Array, B: Array, gamma: Array) -> Relation:
    """As if no eigenvalue of the kernel were below 1."""
    V = velocity(A, B)
    return le(stable_kernel_norm_squared(V, activation_kernel(A), gamma), squared_norm(V))


def length_without_bias(A: Array, B: Array, gamma: Array) -> Relation:
    """As if the kernel saw all velocities as it sees the ones."""
    V = velocity(A, B)
    return le((1 + gamma) * stable_kernel_norm_squared(V, activation_kernel(A), gamma), squared_norm(V))


OURS = Source("leaky_resnets", "ours")
POINT = {
    "A": reals("width", "points", role="values"),
    "B": reals("width", "points", role="adjoint"),
    "gamma": interval(1 / 16, 2, role="free"),
}
LAYERS = {
    "A": reals("layers", "width", "points", role="starts of layers"),
    "B": reals("layers", "width", "points", role="adjoints of starts"),
    "gamma": interval(1 / 256, 1 / 4, role="free"),
    "delta": interval(2.0**-20, 4, role="free"),
}
ABOVE = "delta is above the largest adjoint"

STABLE = Claim(
    id="leaky_resnets.theorem_4.stable_hamiltonian",
    title="Hamiltonian and stable Hamiltonian differ by two terms in gamma",
    source=OURS,
    status=Ours(),
    statement=stable_hamiltonian_differs,
    domain=Domain(POINT, PHASE_SIZES),
    false_variants={
        "the inner product dropped": adjoint_alone_differs,
        "the whole norm of the adjoint": whole_adjoint_differs,
    },
)

SMALL = Claim(
    id="leaky_resnets.theorem_4.stable_difference",
    title="The stable Hamiltonian differs little from the Hamiltonian",
    source=OURS,
    status=Ours(),
    statement=difference_is_small,
    domain=Domain(POINT, PHASE_SIZES),
    tight={"a small adjoint": Tight(small_adjoint, 1e-8, "approached as B shrinks and A/B grows")},
    false_variants={
        "without the linear term": difference_of_the_order_of_gamma,
        "gamma for its root": difference_in_gamma,
    },
)

FEW = Claim(
    id="leaky_resnets.theorem_4.few_layers",
    title="Few layers are far from the optimal cost of the identity",
    source=OURS,
    status=Ours(),
    statement=few_layers,
    cost=3,
    domain=Domain(LAYERS, {"layers": (1, 2, 3, 6, 14), "width": range(1, 4), "points": (1, 2, 4)}, {ABOVE: threshold_is_above}),
    tight={
        "one layer": Tight(partial(fast_layers, 1), 1e-8, "approached as B shrinks and A/B grows"),
        "six layers": Tight(partial(fast_layers, 6), 1e-8, "approached as B shrinks and A/B grows"),
        "two layers of three": Tight(partial(fast_layers, 2, 1), 1e-8, "approached as B shrinks and A/B grows"),
    },
    false_variants={
        "without the adjoints": few_layers_without_adjoints,
        "the squares of the speeds": few_layers_by_their_squares,
    },
)

LENGTH = Claim(
    id="leaky_resnets.theorem_4.length",
    title="The norm of the kernel is at most the Frobenius norm over the root of gamma",
    source=OURS,
    status=Ours(),
    statement=length_in_the_frobenius_norm,
    domain=Domain(POINT, PHASE_SIZES),
    tight={"a velocity that the kernel does not see": Tight(unseen_velocity)},
    false_variants={
        "without gamma": length_without_gamma,
        "one more than gamma": length_without_bias,
    },
)
