r"""Proposition 2, expansion: the cost of identity with one more neuron.

Statement
    For a neuron z in :math:`\mathrm{Im}\,\sigma(A)^T`, with :math:`P = K^+` and :math:`v = \bar\sigma(z)`,

    .. math:: \|(A; \epsilon z)\|_K^2 = \|A\|_K^2 + \epsilon^2 (z^TPz - \|v^TPA^T\|^2) + O(\epsilon^4) .
Correction
    v must be in :math:`\mathrm{Im}\,\sigma(A)^T`, too. Where it is not, the cost is exactly
    :math:`\|A\|_K^2 + \epsilon^2z^TPz`, so that the printed expansion is off by :math:`\epsilon^2\|v^TPA^T\|^2`, whatever the
    constant of the remainder is.
Checked
    For z and v in :math:`\mathrm{Im}\,\sigma(A)^T` and every :math:`\epsilon`, the closed form (ours)

    .. math:: \|(A; \epsilon z)\|_K^2 = \|A\|_K^2 + \epsilon^2\Bigl(z^TPz
              - \frac{\epsilon^2 (z^TPv)^2 + \|APv\|^2}{1 + \epsilon^2 v^TPv}\Bigr) ,

    and the remainder, at most :math:`\epsilon^4((z^TPv)^2 + v^TPv\|APv\|^2)`; the printed form is refuted with this
    constant. For v outside, the exact cost.

    For v inside, the closed form does not need that the cost is finite, nor that z is given by the features: it is one of the
    bare :math:`\|A\sigma(A)^+\|_F^2`.
Proof idea
    One more row :math:`\epsilon v` of features: Sherman and Morrison.
Sharp
    The remainder, as :math:`\epsilon \to 0`: for a constant neuron that gains nothing, and for one orthogonal to its ReLU.
Source
    leaky_resnets, Proposition 6 (Proposition 2 of the main text), proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    SHAPES,
    InverseKernel,
    bare_cost,
    cost_is_finite,
    representation,
    scaled,
    transposed,
    with_rows,
)
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, eq, ge, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, rationals
from verify.networks.leaky_resnet import feature_matrix, is_in_row_space, rectified, squared_norm
from verify.variables import Variable

Extended = tuple[Array, Array]
"""A representation and one more neuron, shapes ``(..., w, N)`` and ``(..., 1, N)``."""


@dataclass(frozen=True, eq=False)
class Expansion:
    r"""Costs before and after, and :math:`z^TPz`, :math:`z^TPv`, :math:`v^TPv` and :math:`\|APv\|^2`."""

    before: Array
    after: Array
    neuron: Array
    mixed: Array
    image: Array
    gained: Array


def expansion_terms(extended: Extended, step: Array) -> Expansion:
    """The cost with the neuron times `step`, and what its expansion consists of."""
    A, z = extended
    at = InverseKernel.at(A)
    ours, image = at.coordinates(z), at.coordinates(rectified(z))
    return Expansion(
        before=at.cost,
        after=bare_cost(with_rows(A, scaled(z, step))).squared_norm,
        neuron=squared_norm(ours),
        mixed=np.asarray((ours * image).sum(axis=(-2, -1))),
        image=squared_norm(image),
        gained=squared_norm(at.weights @ transposed(image)),
    )


def closed_form(extended: Extended, step: Array) -> Relation:
    """The cost with a new neuron, times a step."""
    at, square = expansion_terms(extended, step), step**2
    lost = (square * at.mixed**2 + at.gained) / (1 + square * at.image)
    return eq(at.after + square * lost, at.before + square * at.neuron, name="closed form")


def expansion_to_fourth_order(extended: Extended, step: Array) -> Relation:
    """The printed expansion, with the constant that the closed form gives for the remainder."""
    at, square = expansion_terms(extended, step), step**2
    remainder = square**2 * (at.mixed**2 + at.image * at.gained)
    found, stated = at.after + square * at.gained, at.before + square * at.neuron
    return le(found, stated + remainder, name="from above") & ge(found + remainder, stated, name="from below")


def expansion(extended: Extended, step: Array) -> Relation:
    """The closed form and the expansion."""
    return closed_form(extended, step) & expansion_to_fourth_order(extended, step)


def expansion_outside(extended: Extended, step: Array) -> Relation:
    """The cost with a new neuron whose ReLU no weights give."""
    at = expansion_terms(extended, step)
    return eq(at.after, at.before + step**2 * at.neuron)


# False variants


def closed_form_without_mixed_term(extended: Extended, step: Array) -> Relation:
    """As if z and v were orthogonal."""
    at, square = expansion_terms(extended, step), step**2
    return eq(at.after, at.before + square * (at.neuron - at.gained / (1 + square * at.image)))


def expansion_without_gain(extended: Extended, step: Array) -> Relation:
    """As if the new neuron were no use for the others: true outside."""
    return expansion_outside(extended, step)


def gain_outside(extended: Extended, step: Array) -> Relation:
    """The second term of the print where no weights give v."""
    at = expansion_terms(extended, step)
    return eq(at.after, at.before + step**2 * (at.neuron - at.gained))


def neuron_is_free_outside(extended: Extended, step: Array) -> Relation:
    """As if a neuron whose ReLU is outside cost nothing."""
    at = expansion_terms(extended, step)
    return eq(at.after, at.before)


def with_neuron(A: Array, free: Array, coefficients: Array, kind: Array) -> Extended:
    """A neuron of kind 0 is any row; one of kind 1 is a combination of the features of mean 0, one of kind 2 a positive one."""
    F = feature_matrix(A)
    positive = absolute(coefficients)[..., None, :] @ F
    mixed = coefficients[..., None, :] @ F
    mixed = mixed - mixed.sum(axis=-1)[..., None] / A.shape[-1]
    combination = np.where(compare(kind, 1)[..., None, None] == 0, mixed, positive)
    return A, np.where(compare(kind, 0)[..., None, None] == 0, free[..., None, :], combination)


def neuron_fits(extended: Extended) -> Array:
    """Whether the new neuron is a combination of the features."""
    return is_in_row_space(extended[1], feature_matrix(extended[0]))


def image_fits(extended: Extended) -> Array:
    """Whether its ReLU is."""
    return is_in_row_space(rectified(extended[1]), feature_matrix(extended[0]))


def image_is_outside(extended: Extended) -> Array:
    """Whether its ReLU is not."""
    return ~image_fits(extended)


def extended_is_finite(extended: Extended) -> Array:
    """Whether the cost before is finite."""
    return cost_is_finite(extended[0])


def constant_neuron() -> dict[str, Any]:
    """One neuron, active for one of two points, and a small constant one: no weight of the first uses it."""
    return {"extended": (rationals([[[1, 0]]]), rationals([[[1, 1]]])), "step": rationals(["1/64"])}


def orthogonal_parts() -> dict[str, Any]:
    """A neuron that is orthogonal to its ReLU, for the kernel of two positive neurons."""
    return {"extended": (rationals([[[1, 2, 1], [1, 4, 2]]]), rationals([[[2, -5, 0]]]) / 16), "step": rationals(["1/64"])}


def extended_variables(family: int, kind: int) -> dict[str, Variable]:
    """A representation with a new neuron, of these families and kinds or later ones, and a step."""
    weights = lambda sizes: sizes["width"] + 1  # noqa: E731
    A = derived(
        representation,
        rows=reals("width", "points"),
        mix=reals("width", weights),
        family=integers(family, 2),
        origin=integers(0, 2),
    )
    neuron = derived(with_neuron, A=A, free=reals("points"), coefficients=reals(weights), kind=integers(kind, 2))
    return {"extended": neuron, "step": interval(0, 1)}


BEFORE = {"the cost is finite": extended_is_finite, "the features give the neuron": neuron_fits}
INSIDE = "the features give the ReLU of the neuron"
OUTSIDE_IMAGE = "the features do not give the ReLU of the neuron"
OURS = Source("leaky_resnets", "ours")

EXPANSION = Claim(
    id="leaky_resnets.prop_2.expansion",
    title="The cost of identity with a new neuron is a closed form",
    source=OURS,
    status=Ours(),
    statement=expansion,
    domain=Domain(extended_variables(0, 0), SHAPES, {**BEFORE, INSIDE: image_fits}),
    needs=(INSIDE,),
    tight={
        "constant neuron": Tight(constant_neuron, 1e-7, "approached as the step goes to 0", of=("from below",)),
        "orthogonal parts": Tight(orthogonal_parts, 1e-7, "approached as the step goes to 0", of=("from above",)),
    },
    false_variants={
        "without the mixed term": closed_form_without_mixed_term,
        "without the gain": expansion_without_gain,
    },
    cost=8,
)

PRINTED_EXPANSION = Claim(
    id="leaky_resnets.prop_2.expansion.printed",
    title="The expansion of the cost with a new neuron holds wherever its ReLU lies",
    source=Source("leaky_resnets", "Proposition 6, proof"),
    status=FalseAsPrinted(corrected_by=EXPANSION.id),
    statement=expansion_to_fourth_order,
    domain=Domain(extended_variables(0, 0), SHAPES, BEFORE),
    false_variants={},
)

OUTSIDE = Claim(
    id="leaky_resnets.prop_2.expansion_outside",
    title="A new neuron whose ReLU is not given by the features only costs",
    source=OURS,
    status=Ours(),
    statement=expansion_outside,
    domain=Domain(
        extended_variables(1, 1),
        {"width": range(1, 3), "points": range(3, 6)},
        {**BEFORE, OUTSIDE_IMAGE: image_is_outside},
    ),
    needs=("the cost is finite", OUTSIDE_IMAGE),
    false_variants={"the gain of the print": gain_outside, "for nothing": neuron_is_free_outside},
    cost=6,
)
