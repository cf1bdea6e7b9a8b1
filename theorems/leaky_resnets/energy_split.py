r"""The Lagrangian is the sum of potential energy, a cross term and kinetic energy.

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

from __future__ import annotations

import numpy as np

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES, cost_is_finite, derivative
from verify import Claim, Domain, Ours, Q, Relation, Source, derived, eq, integers, interval, reals
from verify.arithmetic import Array, compare, is_exact, rationals
from verify.matrices import rank
from verify.networks.leaky_resnet import (
    feature_matrix,
    feature_norm_squared,
    inner,
    is_in_row_space,
    kinetic_energy,
    potential_energy,
    smallest_weights,
    squared_norm,
)

Moving = tuple[Array, Array, Array]
"""A representation, its derivative and the leak."""


def moving(A: Array, weights: Array, leak: Array, free: Array, kind: Array) -> Moving:
    """A representation moved by weights, or where `kind` is 0 in any direction."""
    arbitrary = compare(kind, 0)[..., None, None] == 0
    return A, np.where(arbitrary, free, derivative(A, weights, leak)), leak


def lagrangian(motion: Moving) -> Array:
    r""":math:`\frac1{2L^2}\|LA + \partial A\|_K^2`, infinite where no weights give it."""
    A, moved, leak = motion
    return np.asarray(feature_norm_squared(leak[..., None, None] * A + moved, feature_matrix(A)) / (2 * leak**2))


def cross_term(motion: Moving) -> Array:
    r""":math:`\frac1L\langle\partial A, A\rangle_K`."""
    A, moved, leak = motion
    features = feature_matrix(A)
    return np.asarray(inner(smallest_weights(moved, features), smallest_weights(A, features)) / leak)


def kinetic(motion: Moving) -> Array:
    r""":math:`\frac1{2L^2}\|\partial A\|_K^2`."""
    A, moved, leak = motion
    return kinetic_energy(A, moved / leak[..., None, None])


def three_terms(motion: Moving) -> Relation:
    """The Lagrangian against its three terms, all divided by L."""
    return eq(lagrangian(motion), -potential_energy(motion[0]) + cross_term(motion) + kinetic(motion))


def kinetic_energy_is_finite(motion: Moving) -> Relation:
    """Whether some weights give the derivative: 1 if they do, else 0."""
    A, moved, _ = motion
    finite = is_in_row_space(moved, feature_matrix(A)).astype(np.int64)
    return eq(rationals(finite) if is_exact(A) else finite, 1)


def identity_is_affordable(motion: Moving) -> Array:
    """Whether some weights give A."""
    return cost_is_finite(motion[0])


def total_is_finite(motion: Moving) -> Array:
    """Whether some weights move A so."""
    A, moved, leak = motion
    return is_in_row_space(leak[..., None, None] * A + moved, feature_matrix(A))


def infinities_cancel() -> Relation:
    """The sum times 2L is 1/4, and no weights give A, nor its derivative."""
    A, weights, one = rationals([[[-1, -2]]]), rationals([[[0, "1/2"]]]), rationals([1])
    moved, F = derivative(A, weights, one), feature_matrix(A)
    missing = [rank(np.concatenate([F, part], axis=-2)) - rank(F) for part in (A, moved, A + moved)]
    finite = eq(squared_norm(smallest_weights(A + moved, F)), Q("1/4"))
    return finite & eq(rationals(np.concatenate(missing)), rationals([1, 1, 0]), over=1)


# False variants


def half_of_the_cross_term(motion: Moving) -> Relation:
    """The binomial formula without its 2."""
    return eq(lagrangian(motion), -potential_energy(motion[0]) + cross_term(motion) / 2 + kinetic(motion))


def no_cross_term(motion: Moving) -> Relation:
    """Both energies alone."""
    return eq(lagrangian(motion), -potential_energy(motion[0]) + kinetic(motion))


def potential_energy_added(motion: Moving) -> Relation:
    """The potential energy with the sign that it has in the Hamiltonian."""
    return eq(lagrangian(motion), potential_energy(motion[0]) + cross_term(motion) + kinetic(motion))


AFFORDABLE, TOTAL = "the cost of A is finite", "the sum is finite"

DOMAIN = Domain(
    {
        "motion": derived(
            moving,
            A=REPRESENTATION,
            weights=reals("width", lambda sizes: sizes["width"] + 1),
            leak=interval(1 / 8, 4),
            free=reals("width", "points"),
            kind=integers(0, 2),
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
    false_neighbours={
        "half of the cross term": half_of_the_cross_term,
        "no cross term": no_cross_term,
        "potential energy of the other sign": potential_energy_added,
    },
    exact={"A = (-1, -2)": infinities_cancel},
    cost=2,
)

FINITE = Claim(
    id="leaky_resnets.energy_split.finite",
    title="The kinetic energy is finite where the sum and the cost of identity are",
    source=SOURCE,
    status=Ours(),
    statement=kinetic_energy_is_finite,
    domain=DOMAIN,
    needs=(AFFORDABLE, TOTAL),
    false_neighbours={},
)
