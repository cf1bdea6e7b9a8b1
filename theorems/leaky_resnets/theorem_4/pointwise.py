"""The identity and the inequalities at a point of phase space, from which Theorem 4 follows."""

from __future__ import annotations

from functools import partial

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES
from theorems.leaky_resnets.constructions.seen_trajectories import (
    norms_at,
)
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, interval, le, reals
from verify.arithmetic import Array, maximum, rationals, sqrt


def pointwise_identity(A: Array, B: Array, gamma: Array) -> Relation:
    r""":math:`\|\frac1L\partial A + \gamma B\|^2 = \|A\|^2 + \frac2L\mathcal H + \gamma\|B\|^2`; all else follows."""
    at = norms_at(A, B, gamma)
    return eq(at.shifted, at.cost - at.energy + gamma * at.plain_adjoint)


def pointwise_bounds(A: Array, B: Array, root_gamma: Array, two: int = 2) -> Relation:
    r"""With :math:`u = \frac1L\|\partial A\|`, :math:`v = \gamma\|B\|_{K+\gamma I}`, :math:`x^2 = \|A\|^2 + \frac2L\mathcal H`:

    :math:`-\gamma\|B\|^2 \le x^2 \le u^2 + 2uv` and :math:`-v \le u - \sqrt{[x^2]_+} \le v + \sqrt\gamma\|B\|`.
    """
    gamma = root_gamma**2
    at = norms_at(A, B, gamma)
    u, v, plain = sqrt(at.speed), gamma * sqrt(at.adjoint), root_gamma * sqrt(at.plain_adjoint)
    radicand = at.cost - at.energy
    excess = u - sqrt(maximum(radicand, 0 * radicand))
    return (
        ge(radicand, -gamma * at.plain_adjoint, name="radicand from below")
        & le(radicand, at.speed + two * u * v, name="radicand from above")
        & ge(excess, -v, name="speed from below")
        & le(excess, v + plain, name="speed from above")
    )


def pairs_of_points(multiple: str, size: str) -> dict[str, Array]:
    r"""One neuron, two points, :math:`\sqrt\gamma` 1 and 1/2, B = size (1, -1) and :math:`A = \gamma\,` multiple B.

    Nearly BK = 0, so that the velocity is -A.
    """
    root_gamma = rationals([1, "1/2"])
    B = rationals([[[1, -1]], [[1, -1]]]) * rationals(size)
    return {"A": (root_gamma**2)[:, None, None] * B * rationals(multiple), "B": B, "root_gamma": root_gamma}


def resting_shift() -> dict[str, Array]:
    r""":math:`B = A(K + \gamma I)^{-1}` for one neuron and one point: :math:`\frac1L\partial A + \gamma B` vanishes."""
    return {"A": rationals([[[2]], [[2]]]), "B": rationals([[["1/3"]], [["8/21"]]]), "root_gamma": rationals([1, "1/2"])}


# False variants


def identity_without_adjoint(A: Array, B: Array, gamma: Array) -> Relation:
    r"""Without the term in :math:`\gamma`."""
    at = norms_at(A, B, gamma)
    return eq(at.shifted, at.cost - at.energy)


def identity_with_other_sign(A: Array, B: Array, gamma: Array) -> Relation:
    """With the Hamiltonian subtracted."""
    at = norms_at(A, B, gamma)
    return eq(at.shifted, at.cost + at.energy + gamma * at.plain_adjoint)


def identity_in_one_norm(A: Array, B: Array, gamma: Array) -> Relation:
    """With the norm of the adjoint in that of the kernel."""
    at = norms_at(A, B, gamma)
    return eq(at.shifted, at.cost - at.energy + gamma * at.adjoint)


def pointwise_without_cross_term(A: Array, B: Array, root_gamma: Array) -> Relation:
    """The radicand is at most the squared speed."""
    at = norms_at(A, B, root_gamma**2)
    return le(at.cost - at.energy, at.speed)


def pointwise_without_root(A: Array, B: Array, root_gamma: Array) -> Relation:
    r"""The speed exceeds the root by at most :math:`2\gamma\|B\|`, as printed."""
    at = norms_at(A, B, root_gamma**2)
    radicand = at.cost - at.energy
    excess = sqrt(at.speed) - sqrt(maximum(radicand, 0 * radicand))
    return le(excess, 2 * root_gamma**2 * sqrt(at.plain_adjoint))


PHASE_SPACE = {"A": reals("width", "points", role="values"), "B": reals("width", "points", role="adjoint")}

IDENTITY = Claim(
    id="leaky_resnets.theorem_4.identity",
    title="The shifted velocity has the squared norm of cost, Hamiltonian and adjoint together",
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
    title="At each point of phase space the speed is nearly the root of the extra cost",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=pointwise_bounds,
    domain=Domain({**PHASE_SPACE, "root_gamma": interval(1 / 8, 2, role="free")}, PHASE_SIZES),
    tight={
        "speed and adjoint cancel": Tight(resting_shift, of=("radicand from below",)),
        "against the adjoint": Tight(
            partial(pairs_of_points, "-1", "1/1000000"), 1e-11, "approached as B shrinks", of=("radicand from above",)
        ),
        "a small adjoint": Tight(
            partial(pairs_of_points, "-100000000", "1/100000000000000000000"),
            1e-8,
            "approached as B shrinks and A/B grows",
            of=("speed from below",),
        ),
        "along the adjoint": Tight(
            partial(pairs_of_points, "2", "1/1000000"), 1e-5, "approached as B shrinks", of=("speed from above",)
        ),
    },
    false_variants={
        "cross term dropped": pointwise_without_cross_term,
        "gamma for its root, as printed": pointwise_without_root,
    },
)
