r"""Proposition 10, balancedness: the norm grows by twice the biases.

Statement
    With b the last column of W,

    .. math:: \|W_p\|^2 = \|W_0\|^2 + L\int_0^p\|b_q\|^2dq.
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

from theorems.leaky_resnets.constructions.growth import GROWING
from theorems.leaky_resnets.constructions.phase_points import SMOOTH, has_no_zero
from theorems.leaky_resnets.constructions.representations import sigma
from theorems.leaky_resnets.constructions.trajectories import cost
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source, interval, reals
from verify.networks import leaky_resnet
from verify.words import block, eq, inner, lifted, norm2, ones

velocity, adjoint_velocity = lifted(leaky_resnet.velocity), lifted(leaky_resnet.adjoint_velocity)
symplectic_euler_step = lifted(leaky_resnet.symplectic_euler_step)


def norm_grows_by_biases(growth, factor=2):
    return eq(growth.last, growth.first + factor * growth.integral)


def printed_growth(growth):
    return norm_grows_by_biases(growth, factor=1)


def norm_is_constant(growth):
    """Balanced, as without biases."""
    return eq(growth.last, growth.first)


def derivative_of_the_norm(A, B, factor=2, pace=1):
    """Along Hamilton's equations, by the product rule, divided by L cubed: the features move as far as they are active."""
    F, dF = sigma(A), block([[(A > 0) * velocity(A, B)], [0]])
    dW = pace * adjoint_velocity(A, B) @ F.T + B @ dF.T
    return eq(2 * inner(B @ F.T, dW), factor * norm2(B @ ones(B.shape[1])))


def growth_in_a_step(A, B, L, rho, factor=2, lost=1):
    r""":math:`\|W_{\ell+1}\|^2 = \|W_\ell\|^2 + \rho L(2 - \rho L)\|b_{\ell+1}\|^2`; the activations are -A."""
    F, before, b = sigma(-A), symplectic_euler_step(-A, B, L, rho)[1], L * B @ ones(B.shape[1])
    return eq(norm2(L * B @ F.T), norm2(L * before @ F.T) + rho * L * (factor - lost * rho * L) * norm2(b))


SOURCE = Source("leaky_resnets", "Proposition 10")

CLAIM = Claim(
    id="leaky_resnets.prop_10",
    title="The norm of the weights grows by twice the biases",
    source=SOURCE,
    status=DerivedHere(),
    statement=norm_grows_by_biases,
    domain=GROWING,
    false_variants={"once, as printed": {"factor": 1}, "balanced": norm_is_constant},
    cost=cost,
)

AT_A_POINT = Claim(
    id="leaky_resnets.prop_10.at_a_point",
    title="At each point the norm of critical weights grows by twice the biases",
    source=SOURCE,
    status=DerivedHere(),
    statement=derivative_of_the_norm,
    domain=Domain(
        {"A": reals("width", "points", role="values"), "B": reals("width", "points", role="adjoint")},
        {"width": range(1, 4), "points": range(1, 5)},
        {SMOOTH: has_no_zero},
    ),
    false_variants={"once, as printed": {"factor": 1}, "adjoints that move twice as fast": {"pace": 2}},
)

DISCRETE = Claim(
    id="leaky_resnets.prop_10.discrete",
    title="Growth of the norm in a step in which only the biases act",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=growth_in_a_step,
    domain=Domain(
        {
            "A": interval(1 / 4, 2, "width", "points", role="values"),
            "B": reals("width", "points", role="adjoint"),
            "L": interval(1 / 4, 3, role="leak"),
            "rho": interval(1 / 16, 1, role="step"),
        },
        {"width": range(1, 4), "points": range(1, 4)},
    ),
    false_variants={"factor 2": {"lost": 0}, "factor 1": {"factor": 1, "lost": 0}},
)

PRINTED = Claim(
    id="leaky_resnets.prop_10.printed",
    title="The norm of the weights grows by the biases, once",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=printed_growth,
    domain=GROWING,
    cost=cost,
)
