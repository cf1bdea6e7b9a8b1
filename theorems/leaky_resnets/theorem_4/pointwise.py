"""Theorem 4 at a point of phase space."""

from functools import partial

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES, hamiltonian
from theorems.leaky_resnets.constructions.seen_trajectories import kernel, kernel_norm2, velocity
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, interval, reals
from verify.words import eq, ge, le, norm, norm2, relu, sqrt


def radicand(A, B, gamma):
    r""":math:`x^2 = \|A\|^2 + \frac2L\mathcal H`."""
    return kernel_norm2(A, kernel(A), gamma) + 2 * hamiltonian(A, B)


def speed(A, B, gamma):
    r""":math:`u = \frac1L\|\partial A\|`."""
    return sqrt(kernel_norm2(velocity(A, B), kernel(A), gamma))


def shifted_norm(A, B, gamma):
    return kernel_norm2(velocity(A, B) + gamma * B, kernel(A), gamma)


def pointwise_identity(A, B, gamma):
    r""":math:`\|\frac1L\partial A + \gamma B\|^2 = \|A\|^2 + \frac2L\mathcal H + \gamma\|B\|_F^2`; all else follows."""
    return eq(shifted_norm(A, B, gamma), radicand(A, B, gamma) + gamma * norm2(B))


def pointwise_bounds(A, B, root_gamma, two=2):
    r"""With :math:`v = \gamma\|B\|`: :math:`-\gamma\|B\|_F^2 \le x^2 \le u^2 + 2uv` and

    :math:`-v \le u - \sqrt{[x^2]_+} \le v + \sqrt\gamma\|B\|_F`.
    """
    gamma = root_gamma**2
    xx, u, v = radicand(A, B, gamma), speed(A, B, gamma), gamma * sqrt(kernel_norm2(B, kernel(A), gamma))
    return (
        ge(xx, -gamma * norm2(B), name="radicand from below")
        & le(xx, u**2 + two * u * v, name="radicand from above")
        & ge(u - sqrt(relu(xx)), -v, name="speed from below")
        & le(u - sqrt(relu(xx)), v + root_gamma * norm(B), name="speed from above")
    )


def pair_of_points(multiple, size):
    r"""One neuron, two points, B = size (1, -1) and :math:`A = \gamma\,` multiple B: nearly BK = 0, and the velocity is -A."""
    b, a = Q(size), Q(size) * Q(multiple) / 4
    return {"A": [[a, -a]], "B": [[b, -b]], "root_gamma": "1/2"}


def resting_shift():
    r""":math:`B = A(K + \gamma I)^{-1}`: :math:`\frac1L\partial A + \gamma B` vanishes."""
    return {"A": [[2]], "B": [["8/21"]], "root_gamma": "1/2"}


# False variants


def identity_without_adjoint(A, B, gamma):
    return eq(shifted_norm(A, B, gamma), radicand(A, B, gamma))


def identity_with_other_sign(A, B, gamma):
    cost = kernel_norm2(A, kernel(A), gamma)
    return eq(shifted_norm(A, B, gamma), cost - 2 * hamiltonian(A, B) + gamma * norm2(B))


def identity_in_one_norm(A, B, gamma):
    return eq(shifted_norm(A, B, gamma), radicand(A, B, gamma) + gamma * kernel_norm2(B, kernel(A), gamma))


def pointwise_without_cross_term(A, B, root_gamma):
    return le(radicand(A, B, root_gamma**2), speed(A, B, root_gamma**2) ** 2)


def pointwise_without_root(A, B, root_gamma):
    gamma = root_gamma**2
    return le(speed(A, B, gamma) - sqrt(relu(radicand(A, B, gamma))), 2 * gamma * norm(B))


PHASE_SPACE = {"A": reals("width", "points", role="values"), "B": reals("width", "points", role="adjoint")}

IDENTITY = Claim(
    id="leaky_resnets.theorem_4.identity",
    title="Shifted velocity squared = cost + Hamiltonian + adjoint",
    source=Source("leaky_resnets", "Theorem 8, proof"),
    statement=pointwise_identity,
    domain=Domain({**PHASE_SPACE, "gamma": interval(1 / 16, 4, role="free")}, PHASE_SIZES),
    false_variants={
        "no term in gamma": identity_without_adjoint,
        "other sign of the Hamiltonian": identity_with_other_sign,
        "the norm of the kernel for all terms": identity_in_one_norm,
    },
)

POINTWISE = Claim(
    id="leaky_resnets.theorem_4.pointwise",
    title="At each point of phase space, speed ~ root of the extra cost",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=pointwise_bounds,
    domain=Domain({**PHASE_SPACE, "root_gamma": interval(1 / 8, 2, role="free")}, PHASE_SIZES),
    tight={
        "speed and adjoint cancel": Tight(resting_shift, of=("radicand from below",)),
        "against the adjoint": Tight(
            partial(pair_of_points, "-1", "1/1000000"), 1e-11, "approached as B shrinks", of=("radicand from above",)
        ),
        "a small adjoint": Tight(
            partial(pair_of_points, "-100000000", "1/100000000000000000000"),
            1e-8,
            "approached as B shrinks and A/B grows",
            of=("speed from below",),
        ),
        "along the adjoint": Tight(
            partial(pair_of_points, "2", "1/1000000"), 1e-5, "approached as B shrinks", of=("speed from above",)
        ),
    },
    false_variants={
        "cross term dropped": pointwise_without_cross_term,
        "gamma for its root, as printed": pointwise_without_root,
    },
)
