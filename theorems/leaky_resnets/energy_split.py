r"""The Lagrangian as the sum of three terms: cost of identity, a cross term, kinetic energy.

If :math:`\mathrm{Im}\,A^T \subset \mathrm{Im}\,\sigma(A)^T` and the left side is finite,

.. math:: \frac1{2L}\|LA + \partial A\|_K^2 = \frac L2\|A\|_K^2 + \langle\partial A, A\rangle_K + \frac1{2L}\|\partial A\|_K^2 ,

which says that potential energy :math:`-\frac L2\|A\|_K^2` and kinetic energy :math:`\frac1{2L}\|\partial A\|_K^2` enter. The
text names the first condition. Without it the left side may be finite and the right side a difference of infinities: for
A = (-1, -2), L = 1 and :math:`\partial A = -A + (0, \frac12)\sigma(A)` the left side is 1/8, and no weights give A, or
:math:`\partial A` (exact part). What is checked: the identity, with the energies as functions of their own, and that the
kinetic energy is finite under both conditions, but not under one of them (``.finite``).

Source: leaky_resnets, Section 1.3.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    InverseKernel,
    cost_is_finite,
    derivative,
    fit,
    numbers_like,
    with_rows,
)
from verify import Claim, Domain, Ours, Relation, Source, derived, eq, integers, interval, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import pseudo_inverse, rank
from verify.networks.leaky_resnet import (
    activation_kernel,
    feature_matrix,
    inner,
    is_in_row_space,
    kinetic_energy,
    potential_energy,
    squared_norm,
)

Moving = tuple[Array, Array, Array]
"""A representation, its derivative and the leak."""


def moving(A: Array, weights: Array, leak: Array, free: Array, kind: Array) -> Moving:
    """A representation moved by weights, or where `kind` is 0 in any direction."""
    arbitrary = compare(kind, 0)[..., None, None] == 0
    return A, np.where(arbitrary, free, derivative(A, weights, leak)), leak


def three_terms(motion: Moving, cross: int = 2, potential: int = 1, kinetic: int = 1) -> Relation:
    """The Lagrangian against its three terms, both times 2/L; the integers are their coefficients."""
    A, moved, leak = motion
    rate = leak[..., None, None]
    at, total = InverseKernel.at(A), fit(rate * A + moved, feature_matrix(A))
    product = inner(moved @ pseudo_inverse(activation_kernel(A)), A)
    terms = (
        -2 * potential * leak**2 * potential_energy(A)
        + cross * leak * product
        + 2 * kinetic * leak**2 * kinetic_energy(A, moved / rate)
    )
    noise = total.noise + at.noise(rate * A, moved, factors=2)
    size = (leak**2 * squared_norm(A) + squared_norm(moved)) * squared_norm(at.inverse)
    return eq(total.squared_norm, terms, scale=size, noise=noise)


def kinetic_energy_is_finite(motion: Moving) -> Relation:
    """Whether some weights give the derivative: 1 if they do, else 0."""
    A, moved, _ = motion
    finite = is_in_row_space(moved, feature_matrix(A)).astype(np.int64)
    return eq(numbers_like(A, finite), numbers_like(A, np.array(1)))


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
    missing = [rank(with_rows(F, part)) - rank(F) for part in (A, moved, A + moved)]
    finite = eq(fit(A + moved, F).squared_norm, rationals(["1/4"]))
    return finite & eq(numbers_like(A, np.concatenate(missing)), rationals([1, 1, 0]), over=1)


HYPOTHESES = {"the cost of A is finite": identity_is_affordable, "the sum is finite": total_is_finite}

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
    HYPOTHESES,
)
SOURCE = Source("leaky_resnets", "Section 1.3")

CLAIM = Claim(
    id="leaky_resnets.energy_split",
    title="The Lagrangian is potential energy, a cross term and kinetic energy",
    source=SOURCE,
    statement=three_terms,
    domain=DOMAIN,
    false_neighbours={
        "half of the cross term": partial(three_terms, cross=1),
        "no cross term": partial(three_terms, cross=0),
        "twice the potential energy": partial(three_terms, potential=2),
        "no kinetic energy": partial(three_terms, kinetic=0),
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
    needs=tuple(HYPOTHESES),
    false_neighbours={},
)
