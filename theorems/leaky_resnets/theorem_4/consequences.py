r"""What follows from Theorem 4.

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
Tight
    Where BK = 0 nearly and A is along B; the length, where K vanishes on the velocity.
Source
    leaky_resnets, Theorem 4 and Section 2.1; the finite forms are derived here.
"""

from functools import partial

import numpy as np

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES, hamiltonian
from theorems.leaky_resnets.constructions.seen_trajectories import kernel, kernel_norm2, velocity
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, derived, integers, interval, reals
from verify.networks import leaky_resnet
from verify.numbers.arithmetic import rationals
from verify.words import absolute, eq, eye, greatest, inner, le, lifted, norm, norm2, ones, relu, solve, sqrt, where


def difference(A, B, gamma):
    r""":math:`\frac2L(\mathcal H - \mathcal H_\gamma)`."""
    K = kernel(A)
    return 2 * hamiltonian(A, B) - (kernel_norm2(velocity(A, B), K, gamma) - kernel_norm2(A, K, gamma))


def through_stable_kernel(A, B, gamma):
    r""":math:`B(K + \gamma I)^{-1}`."""
    return solve(kernel(A) + gamma * eye(A.shape[1]), B.T).T


def stable_hamiltonian_differs(A, B, gamma, two=2):
    S = through_stable_kernel(A, B, gamma)
    return eq(difference(A, B, gamma), two * gamma * inner(S, velocity(A, B)) - gamma * inner(S @ kernel(A), B))


def squared_speed(A, B, gamma):
    r""":math:`u^2 = \|\frac1L\partial A\|^2`."""
    return relu(kernel_norm2(velocity(A, B), kernel(A), gamma))


def difference_is_small(A, B, gamma, two=2):
    uu, BB = squared_speed(A, B, gamma), gamma * norm2(B)
    return le(absolute(difference(A, B, gamma)), two * sqrt(BB * uu) + BB)


def squared_speeds(A, B, gamma):
    """In all layers."""
    return squared_speed(A, B, gamma * ones(len(A)))


def count(A, B, gamma, delta):
    r"""Number of layers with :math:`x^2 = \|A\|^2 + \frac2L\mathcal H \ge \delta^2`."""
    xx = kernel_norm2(A, kernel(A), gamma * ones(len(A))) + 2 * lifted(leaky_resnet.hamiltonian)(A, B)
    return (xx >= delta**2).sum()


def largest_adjoint(B, gamma):
    r""":math:`G^2`."""
    return gamma * greatest((B * B).sum(axis=(1, 2)))


def few_layers(A, B, gamma, delta, share=1):
    distance = delta - share * sqrt(largest_adjoint(B, gamma))
    return le(count(A, B, gamma, delta) * distance, sqrt(squared_speeds(A, B, gamma)).sum())


def few_layers_at(case, share=1):
    A, B, gamma, delta = case
    return few_layers(A, B, gamma, delta, share)


def length_in_the_frobenius_norm(A, B, gamma):
    V = velocity(A, B)
    return le(gamma * kernel_norm2(V, kernel(A), gamma), norm2(V))


def unseen_velocity():
    r"""One neuron that is negative at two points, :math:`K = 11^T`, and the velocity (-1, 1), on which K vanishes."""
    return {"A": [[-1, -3]], "B": [[-1, -1]], "gamma": "1/4"}


def small_adjoint():
    """B = (1, -1) / 10^20 and A = -10^8 B: nearly BK = 0, so that the velocity is -A."""
    b, a = Q(1, 10**20), Q(1, 10**12)
    return {"A": [[-a, a]], "B": [[b, -b]], "gamma": 1}


def fast_layers(moving, resting=0):
    r"""So many layers with :math:`u = x - \sqrt\gamma\|B\|` nearly: B = (1, -1, 1, -1) / 10^10 and A = -10^4 B.

    Beside them there are layers in which everything is zero.
    """
    b, a = Q(1, 10**10), Q(1, 10**6)
    B = [[[b, -b, b, -b]]] * moving + [[[0] * 4]] * resting
    A = [[[-a, a, -a, a]]] * moving + [[[0] * 4]] * resting
    # x is 2m + 1/2 - 1/(16 m) times the norm of B, to the next order
    delta = (20000 + Q(1, 2) - Q(1, 80000)) * 2 / 10**10
    return {"case": (rationals(A), rationals(B), rationals("1/4"), rationals(delta))}


# False variants


def whole_adjoint_differs(A, B, gamma):
    S = through_stable_kernel(A, B, gamma)
    return eq(difference(A, B, gamma), 2 * gamma * inner(S, velocity(A, B)) - gamma * norm2(B))


def adjoint_alone_differs(A, B, gamma):
    return eq(difference(A, B, gamma), -gamma * inner(through_stable_kernel(A, B, gamma) @ kernel(A), B))


def difference_of_the_order_of_gamma(A, B, gamma):
    return le(absolute(difference(A, B, gamma)), gamma * norm2(B))


def difference_in_gamma(A, B, gamma):
    uu = squared_speed(A, B, gamma)
    return le(absolute(difference(A, B, gamma)), 2 * gamma * sqrt(norm2(B) * uu) + gamma * norm2(B))


def few_layers_without_adjoints(case):
    """The theorem of Markov for x in place of u."""
    A, B, gamma, delta = case
    return le(count(A, B, gamma, delta) * delta, sqrt(squared_speeds(A, B, gamma)).sum())


def few_layers_by_the_first(case):
    """The adjoint of the first layer for the largest."""
    A, B, gamma, delta = case
    distance = delta - sqrt(gamma * norm2(B[0]))
    return le(count(A, B, gamma, delta) * distance, sqrt(squared_speeds(A, B, gamma)).sum())


def few_layers_by_the_mean(case):
    """The root of the mean square of the adjoints for the largest."""
    A, B, gamma, delta = case
    distance = delta - sqrt(gamma * norm2(B) / len(B))
    return le(count(A, B, gamma, delta) * distance, sqrt(squared_speeds(A, B, gamma)).sum())


def few_layers_by_their_squares(case):
    """The theorem of Chebyshev without the square of the distance."""
    A, B, gamma, delta = case
    distance = delta - sqrt(largest_adjoint(B, gamma))
    return le(count(A, B, gamma, delta) * distance, squared_speeds(A, B, gamma).sum())


def length_without_gamma(A, B, gamma):
    """As if no eigenvalue of the kernel were below 1."""
    V = velocity(A, B)
    return le(kernel_norm2(V, kernel(A), gamma), norm2(V))


def length_without_bias(A, B, gamma):
    """As if the kernel saw all velocities as it sees the ones."""
    V = velocity(A, B)
    return le((1 + gamma) * kernel_norm2(V, kernel(A), gamma), norm2(V))


OURS = Source("leaky_resnets", "derived here")
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
SPECIAL = {
    "kind": integers(0, 1, role="0"),
    "size": interval(1 / 4, 4, role="free"),
    "ratio": interval(1, 64, role="free"),
    "place": interval(0, 1, often=(Q(127, 128),), role="free"),
    "moving": integers(0, 2, role="free"),
}
ABOVE = "delta is above the largest adjoint"


def layers_of_adjoints(A, B, gamma, delta, kind, size, ratio, place, moving):
    r"""What is drawn (kind 0), or layers with :math:`u = x - \sqrt\gamma\|B\|` nearly, beside others at rest (1).

    B alternates between small values and their opposites, which the ones do not see, A = -`ratio` B, and delta lies between
    u (place 0) and x (1), to the next order. All layers move (`moving` 0), or every second one, from the first (1) or the
    second (2) on.
    """
    signs = (np.arange(B.shape[2]) % 2 * -2 + 1) * (np.arange(B.shape[1]) == 0)[:, None]
    odd = np.arange(len(B)) % 2
    moves = where(moving == 0, True, odd == moving - 1)[:, None, None]
    adjoint = where(moves, size * signs / 2**30, 0)
    root = where(kind == 1, gamma, 1)
    near = size / 2**30 * norm(ones(B.shape[2])) * (ratio / root + root * place)
    given, made = (A, B, gamma, delta), (-ratio * adjoint, adjoint, gamma**2, near)
    return tuple(where(kind == 1, one, other) for one, other in zip(made, given, strict=True))


STABLE = Claim(
    id="leaky_resnets.theorem_4.stable_hamiltonian",
    title="Hamiltonian and stable Hamiltonian differ by two terms in gamma",
    source=OURS,
    status=DerivedHere(),
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
    status=DerivedHere(),
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
    status=DerivedHere(),
    statement=few_layers_at,
    cost=3,
    domain=Domain(
        {"case": derived(layers_of_adjoints, **LAYERS, **SPECIAL)},
        {"layers": (1, 2, 3, 6, 14), "width": range(1, 4), "points": (1, 2, 4)},
        {ABOVE: lambda case: case[3] ** 2 > largest_adjoint(case[1], case[2])},
    ),
    tight={
        "one layer": Tight(partial(fast_layers, 1), 1e-8, "approached as B shrinks and A/B grows"),
        "six layers": Tight(partial(fast_layers, 6), 1e-8, "approached as B shrinks and A/B grows"),
        "two layers of three": Tight(partial(fast_layers, 2, 1), 1e-8, "approached as B shrinks and A/B grows"),
    },
    false_variants={
        "without the adjoints": few_layers_without_adjoints,
        "half the largest adjoint": {"share": Q(1, 2)},
        "99 % of the largest adjoint": {"share": Q(99, 100)},
        "the mean adjoint": few_layers_by_the_mean,
        "the first adjoint": few_layers_by_the_first,
        "the squares of the speeds": few_layers_by_their_squares,
    },
)

LENGTH = Claim(
    id="leaky_resnets.theorem_4.length",
    title="The norm of the kernel is at most the Frobenius norm / sqrt(gamma)",
    source=OURS,
    status=DerivedHere(),
    statement=length_in_the_frobenius_norm,
    domain=Domain(POINT, PHASE_SIZES),
    tight={"a velocity that the kernel does not see": Tight(unseen_velocity)},
    false_variants={
        "without gamma": length_without_gamma,
        "one more than gamma": length_without_bias,
    },
)
