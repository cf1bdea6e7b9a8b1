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
Tight
    Where BK = 0 nearly and A is along B; the length, where K vanishes on the velocity.
Source
    leaky_resnets, Theorem 4 and Section 2.1; the finite forms are derived here.
"""

from functools import partial

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES, hamiltonian
from theorems.leaky_resnets.constructions.seen_trajectories import kernel, kernel_norm2, velocity
from verify import Claim, Domain, Ours, Q, Source, Tight, interval, reals
from verify.networks import leaky_resnet
from verify.words import absolute, eq, eye, greatest, inner, le, lifted, norm2, ones, relu, solve, sqrt


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


def few_layers(A, B, gamma, delta):
    return le(count(A, B, gamma, delta) * (delta - sqrt(largest_adjoint(B, gamma))), sqrt(squared_speeds(A, B, gamma)).sum())


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
    return {"A": A, "B": B, "gamma": "1/4", "delta": delta}


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


def few_layers_without_adjoints(A, B, gamma, delta):
    """The theorem of Markov for x in place of u."""
    return le(count(A, B, gamma, delta) * delta, sqrt(squared_speeds(A, B, gamma)).sum())


def few_layers_by_their_squares(A, B, gamma, delta):
    """The theorem of Chebyshev without the square of the distance."""
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
    domain=Domain(POINT, PHASE_SIZES, one_instance=True),
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
    domain=Domain(POINT, PHASE_SIZES, one_instance=True),
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
    domain=Domain(
        LAYERS,
        {"layers": (1, 2, 3, 6, 14), "width": range(1, 4), "points": (1, 2, 4)},
        {ABOVE: lambda B, gamma, delta: delta**2 > largest_adjoint(B, gamma)},
        one_instance=True,
    ),
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
    domain=Domain(POINT, PHASE_SIZES, one_instance=True),
    tight={"a velocity that the kernel does not see": Tight(unseen_velocity)},
    false_variants={
        "without gamma": length_without_gamma,
        "one more than gamma": length_without_bias,
    },
)
