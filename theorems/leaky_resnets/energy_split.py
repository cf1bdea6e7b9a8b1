r"""The Lagrangian is potential energy, cross term and kinetic energy.

Statement
    If :math:`\mathrm{Im}\,A^T \subset \mathrm{Im}\,\sigma(A)^T`,

    .. math:: \tfrac1{2L}\|LA + \partial A\|_K^2
              = \tfrac L2\|A\|_K^2 + \langle\partial A, A\rangle_K + \tfrac1{2L}\|\partial A\|_K^2 ,

    where :math:`-\frac L2\|A\|_K^2` is the potential and :math:`\frac1{2L}\|\partial A\|_K^2` the kinetic energy.
Checked
    The identity divided by L, where the left side is finite; else both sides are infinite. That the kinetic energy is finite
    where the cost of A and the left side are (``.finite``). The condition is needed: for A = (-1, -2), L = 1 and
    :math:`\partial A = -A + (0, \frac12)\sigma(A)` the left side is 1/8, and no weights give A, or :math:`\partial A` (exact
    part): a difference of infinities.
Source
    leaky_resnets, Section 1.3.
"""

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES, derivative, sigma
from verify import Claim, DerivedHere, Domain, Q, Source, derived, integers, interval, reals
from verify.networks.leaky_resnet import feature_norm_squared, is_in_row_space
from verify.numbers.arithmetic import rational, rationals
from verify.words import concatenate, eq, inner, lifted, norm2, pinv, rank, stack, where

in_row_space = lifted(is_in_row_space)
kernel_norm2 = lifted(feature_norm_squared)
r""":math:`\|M\|_K^2` by the features, infinite where no weights give M."""


def moving(A, W, L, D, kind):
    """A representation moved by weights, or where `kind` is 0 along D; with its derivative and the leak."""
    return A, where(kind == 0, D, derivative(A, W, L)), L


def three_terms(motion, potential=1, cross=1):
    """Everything divided by L."""
    A, dA, L = motion
    F = sigma(A)
    mixed = inner(dA @ pinv(F), A @ pinv(F)) / L
    return eq(
        kernel_norm2(L * A + dA, F) / (2 * L**2),
        potential * kernel_norm2(A, F) / 2 + cross * mixed + kernel_norm2(dA, F) / (2 * L**2),
    )


def kinetic_energy_is_finite(motion):
    A, dA = motion[:2]
    return eq(in_row_space(dA, sigma(A)), 1)


def identity_is_affordable(motion):
    return in_row_space(motion[0], sigma(motion[0]))


def total_is_finite(motion):
    A, dA, L = motion
    return in_row_space(L * A + dA, sigma(A))


def infinities_cancel():
    """The sum times 2L is 1/4, and no weights give A, nor its derivative."""
    A = rationals([[-1, -2]])
    dA, F = derivative(A, rationals([[0, "1/2"]]), rational(1)), sigma(A)
    missing = [rank(concatenate([F, M])) - rank(F) for M in (A, dA, A + dA)]
    return eq(norm2((A + dA) @ pinv(F)), Q(1, 4)) & eq(stack(missing), [1, 1, 0])


AFFORDABLE, TOTAL = "the cost of A is finite", "the sum is finite"
DOMAIN = Domain(
    {
        "motion": derived(
            moving,
            A=REPRESENTATION,
            W=reals("width", lambda sizes: sizes["width"] + 1, role="weights of a residual layer"),
            L=interval(1 / 8, 4, role="leak"),
            D=reals("width", "points", role="second values"),
            kind=integers(0, 2, role="1"),
        )
    },
    SHAPES,
    {AFFORDABLE: identity_is_affordable, TOTAL: total_is_finite},
)
SOURCE = Source("leaky_resnets", "Section 1.3")

CLAIM = Claim(
    id="leaky_resnets.energy_split",
    title="The Lagrangian is potential energy, a cross term and kinetic energy",
    source=SOURCE,
    statement=three_terms,
    domain=DOMAIN,
    needs=(AFFORDABLE,),
    false_variants={
        "half of the cross term": {"cross": Q(1, 2)},
        "no cross term": {"cross": 0},
        "potential energy of the other sign": {"potential": -1},
    },
    exact={"A = (-1, -2)": infinities_cancel},
    cost=2,
)

FINITE = Claim(
    id="leaky_resnets.energy_split.finite",
    title="The kinetic energy is finite where sum and cost of identity are",
    source=SOURCE,
    status=DerivedHere(),
    statement=kinetic_energy_is_finite,
    domain=DOMAIN,
    needs=(AFFORDABLE, TOTAL),
)
