r"""Steps of the proof of Proposition 2, each an identity at every representation A with a finite cost.

With :math:`P = K^+`, :math:`b = AP1` (the bias of the smallest weights that keep A) and :math:`c = 1^TP1`:

- *Scaling* (``.scaling``). For :math:`s > 0` and :math:`h = s^{-2} - 1`, the cost of sA is that of A less
  :math:`h\|b\|^2/(1 + hc)`; its derivative in s at 1 is :math:`2\mathrm{Tr}[A^TAP] - 2\mathrm{Tr}[A^TAP\bar KP] = 2\|b\|^2`. So
  b = 0 at a local minimum, and then sA costs the same for every s: no local minimum but zero is strict (``.not_strict``).
- *A new neuron* (``.expansion``). For z and :math:`v = \bar\sigma(z)` both in :math:`\mathrm{Im}\,\sigma(A)^T`,

  .. math:: \|(A; \epsilon z)\|_K^2 = \|A\|_K^2 + \epsilon^2\Bigl(z^TPz
            - \frac{\epsilon^2 (z^TPv)^2 + \|APv\|^2}{1 + \epsilon^2 v^TPv}\Bigr)
            = \|A\|_K^2 + \epsilon^2 (z^TPz - \|APv\|^2) + O(\epsilon^4) .

  The print asks only for z to be there; where v is not, the coefficient is :math:`z^TPz`, without the second term
  (``.expansion_outside``), and the printed expansion is false (``.expansion.printed``).
- *The column neuron* (``.column``). :math:`z = \bar K_{\cdot i} \ge 0` has :math:`z^TPz = \|\sigma(A_{\cdot i})\|^2 - 2 + c`
  and :math:`APz = A_{\cdot i} - b`.

What is checked: each identity, in floats and on rationals; dead neurons, singular kernels, more points than neurons.

Source: leaky_resnets, Proposition 6 (Proposition 2 of the main text), proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    InverseKernel,
    bare_cost,
    cost_is_finite,
    representation,
    scaled,
    transposed,
    with_rows,
    zeros_like_rows,
)
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, eq, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, floats, rationals
from verify.domain import Variable
from verify.networks.leaky_resnet import activation_kernel, feature_matrix, is_in_row_space, rectified, squared_norm


def scaling(A: Array, scale: Array, twice: int = 2, *, saturates: bool = True, one: bool = False) -> Relation:
    """The cost of sA, and the derivative in s; in false neighbours the denominator is missing, or c is taken to be 1."""
    at, moved = InverseKernel.at(A), bare_cost(scaled(A, scale))
    lost, h = (at.bias**2).sum(axis=-1), 1 / scale**2 - 1
    c = 0 * h + 1 if one else at.c
    lower = at.cost - h * lost / (1 + h * c if saturates else 1)
    noise = at.noise(A) * floats(1 + 1 / scale**2) + moved.noise
    middle = at.weights @ transposed(at.inverse) @ column_neurons(A) @ at.inverse
    derivative = 2 * at.cost - 2 * (middle * at.weights).sum(axis=(-2, -1))
    return eq(moved.squared_norm, lower, noise=noise) & eq(
        derivative, twice * lost, scale=at.cost, noise=at.noise(A, factors=3)
    )


def shrinking_never_costs(A: Array, scale: Array, power: int = 0, *, reverse: bool = False) -> Relation:
    """The cost of sA for s up to 1 against the cost of A times a power of s, or the other way round."""
    at, moved = InverseKernel.at(A), bare_cost(scaled(A, scale))
    sides = (at.cost * scale**power, moved.squared_norm)
    noise = at.noise(A) + moved.noise
    low, high = sides if reverse else reversed(sides)
    return le(low, high, noise=noise)


Extended = tuple[Array, Array]
"""A representation and one more neuron, shapes ``(..., w, N)`` and ``(..., 1, N)``."""


def with_neuron(A: Array, free: Array, coefficients: Array, kind: Array) -> Extended:
    """A neuron of kind 0 is any row; one of kind 1 is a combination of the features of mean 0, one of kind 2 a positive one."""
    F = feature_matrix(A)
    positive = absolute(coefficients)[..., None, :] @ F
    mixed = coefficients[..., None, :] @ F
    mixed = mixed - mixed.sum(axis=-1)[..., None] / A.shape[-1]
    combination = np.where(compare(kind, 1)[..., None, None] == 0, mixed, positive)
    return A, np.where(compare(kind, 0)[..., None, None] == 0, free[..., None, :], combination)


@dataclass(frozen=True, eq=False)
class Expansion:
    """The cost with a new neuron, and what its expansion consists of."""

    before: Array
    after: Array
    neuron: Array
    mixed: Array
    image: Array
    gained: Array
    noise: Array


def expansion_terms(extended: Extended, step: Array) -> Expansion:
    """Costs before and after, and z.z, z.v, v.v, |APv|^2 in the scalar product of P."""
    A, z = extended
    at, v = InverseKernel.at(A), rectified(z)
    after = bare_cost(with_rows(A, scaled(z, step)))
    ours, image = at.coordinates(z), at.coordinates(v)
    gained = at.weights @ transposed(image)
    weight = floats(squared_norm(image) + squared_norm(ours)) + 1
    return Expansion(
        before=at.cost,
        after=after.squared_norm,
        neuron=squared_norm(ours),
        mixed=(ours * image).sum(axis=(-2, -1)),
        image=squared_norm(image),
        gained=squared_norm(gained),
        noise=after.noise + at.noise(A, z) * weight**2,
    )


def expansion(extended: Extended, step: Array, percent: int = 100, *, mixed: bool = True) -> Relation:
    """The cost with a new neuron, times a step, in closed form."""
    at, square = expansion_terms(extended, step), step**2
    lost = (square * at.mixed**2 * mixed + at.gained) / (1 + square * at.image)
    scale = at.before + at.after + at.neuron
    return eq(at.after, at.before + square * (at.neuron - percent * lost / 100), scale=scale, noise=at.noise)


def expansion_to_fourth_order(extended: Extended, step: Array, percent: int = 100) -> Relation:
    """The printed expansion, with the constant that the closed form gives for the remainder."""
    at, square = expansion_terms(extended, step), step**2
    error = at.after - at.before - square * (at.neuron - percent * at.gained / 100)
    bound = square**2 * (at.mixed**2 + at.image * at.gained)
    return le(absolute(error), bound, scale=at.before + at.after + at.neuron, noise=at.noise)


def closed_and_expanded(extended: Extended, step: Array) -> Relation:
    """The closed form and the expansion."""
    return expansion(extended, step) & expansion_to_fourth_order(extended, step)


def expansion_outside(extended: Extended, step: Array, percent: int = 100, gained: int = 0) -> Relation:
    """The cost with a new neuron whose ReLU no weights give; in the print, the second term is `gained`."""
    at = expansion_terms(extended, step)
    change = step**2 * (percent * at.neuron / 100 - gained * at.gained)
    return eq(at.after, at.before + change, scale=at.before, noise=at.noise)


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


def column_neurons(A: Array) -> Array:
    r""":math:`\bar K`: its rows are the neurons that the proof appends."""
    return activation_kernel(A, bias=False)


def column_neuron(A: Array, two: int = 2, *, bias: bool = True) -> Relation:
    """Scalar products of the columns of the kernel without bias with each other and with A."""
    at, columns = InverseKernel.at(A), column_neurons(A)
    ours = at.coordinates(columns)
    products = activation_kernel(A) - two + at.c[..., None, None]
    offset = at.bias[..., :, None] if bias else 0
    noise = at.noise(A, columns, zeros_like_rows(A, 1) + 1, factors=2)[..., None, None]
    size = (squared_norm(A) + A.shape[-1])[..., None, None]
    return eq(ours @ transposed(ours), products, scale=size, noise=noise, over=2) & eq(
        at.weights @ transposed(ours), A - offset, scale=size, noise=noise, over=2
    )


def still_representation() -> dict[str, Any]:
    """A negative entry and a point at the origin: the smallest weights have no bias, and all multiples cost the same."""
    return {"A": rationals([[[1, "-1/2", 0], ["3/10", 1, 0]]]), "scale": rationals(["1/2"])}


def dead_neuron() -> dict[str, Any]:
    """A new neuron that is active nowhere: no fourth order."""
    A = rationals([[[1, "-1/2", 0], ["3/10", 1, 0]]])
    return {"extended": (A, rationals([[[-1, -2, -3]]])), "step": rationals(["1/2"])}


FINITE = {"the cost is finite": cost_is_finite}


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
    return {"extended": neuron, "step": interval(1 / 16, 1)}


EXTENDED = extended_variables(0, 0)
BEFORE = {"the cost is finite": extended_is_finite, "the features give the neuron": neuron_fits}
IMAGE = {"the features give the ReLU of the neuron": image_fits}
OUTSIDE_IMAGE = {"the features do not give the ReLU of the neuron": image_is_outside}
WIDE = {"width": range(1, 3), "points": range(3, 6)}
PROOF = Source("leaky_resnets", "Proposition 6, proof")
OURS = Source("leaky_resnets", "ours")

SCALING = Claim(
    id="leaky_resnets.prop_2.scaling",
    title="What the cost of identity loses when a representation shrinks",
    source=PROOF,
    statement=scaling,
    domain=Domain({"A": REPRESENTATION, "scale": interval(1 / 4, 4)}, SHAPES, FINITE),
    false_neighbours={
        "derivative half as large": partial(scaling, twice=1),
        "no denominator": partial(scaling, saturates=False),
        "c = 1": partial(scaling, one=True),
    },
    cost=2,
)

NOT_STRICT = Claim(
    id="leaky_resnets.prop_2.not_strict",
    title="Shrinking never costs: no minimum of the cost but zero is strict",
    source=OURS,
    status=Ours(),
    statement=shrinking_never_costs,
    domain=Domain({"A": REPRESENTATION, "scale": interval(1 / 4, 1)}, SHAPES, FINITE),
    tight={"negative entry, no bias": Tight(still_representation)},
    false_neighbours={
        "as the square of the scale": partial(shrinking_never_costs, power=2),
        "shrinking never saves": partial(shrinking_never_costs, reverse=True),
    },
    cost=4,
)

EXPANSION = Claim(
    id="leaky_resnets.prop_2.expansion",
    title="The cost of identity with a new neuron",
    source=OURS,
    status=Ours(),
    statement=closed_and_expanded,
    domain=Domain(EXTENDED, SHAPES, {**BEFORE, **IMAGE}),
    needs=tuple(IMAGE),
    tight={"neuron that is never active": Tight(dead_neuron)},
    false_neighbours={
        "second term 1 % larger": partial(expansion, percent=101),
        "without the mixed term": partial(expansion, mixed=False),
        "fourth order with the second term 1 % larger": partial(expansion_to_fourth_order, percent=101),
    },
    cost=4,
)

PRINTED_EXPANSION = Claim(
    id="leaky_resnets.prop_2.expansion.printed",
    title="The expansion to fourth order, wherever the ReLU of the neuron lies",
    source=PROOF,
    status=FalseAsPrinted(corrected_by=EXPANSION.id),
    statement=expansion_to_fourth_order,
    domain=Domain(EXTENDED, SHAPES, BEFORE),
    false_neighbours={},
)

OUTSIDE = Claim(
    id="leaky_resnets.prop_2.expansion_outside",
    title="A new neuron whose ReLU is not given by the features only costs",
    source=OURS,
    status=Ours(),
    statement=expansion_outside,
    domain=Domain(
        extended_variables(1, 1), WIDE, {**BEFORE, "the features do not give the ReLU of the neuron": image_is_outside}
    ),
    needs=tuple(OUTSIDE_IMAGE),
    false_neighbours={
        "1 % more": partial(expansion_outside, percent=101),
        "second term of the print": partial(expansion_outside, gained=1),
    },
    cost=2,
)

COLUMN = Claim(
    id="leaky_resnets.prop_2.column",
    title="The columns of the kernel as neurons",
    source=PROOF,
    statement=column_neuron,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE),
    needs=tuple(FINITE),
    false_neighbours={
        "1 for 2": partial(column_neuron, two=1),
        "without the bias, also where it is not zero": partial(column_neuron, bias=False),
    },
    cost=2,
)
