r"""Proposition 2, scaling: shrinking never raises the cost of identity, and lowers it where the smallest weights have a bias.

Statement
    With :math:`P = K^+`, at a local minimum

    .. math:: \tfrac d{ds}\|sA\|_{K(sA)}^2\Big|_{s=1} = 2\mathrm{Tr}[A^TAP] - 2\mathrm{Tr}[A^TAP\bar KP] = 2\|AP1\|^2 = 0 .
Checked
    The derivative, at every A of finite cost. For every s > 0, with :math:`b = AP1`, :math:`c = 1^TP1` and
    :math:`h = s^{-2} - 1`, the cost of sA is that of A less :math:`h\|b\|^2/(1 + hc)`. So b = 0 at a local minimum, and then sA
    costs the same for every s: no local minimum but zero is strict (the text speaks of strict minima, see ``prop_3``).
    Neither needs that the cost is finite: they hold for the bare :math:`\|A\sigma(A)^+\|_F^2`.
Proof idea
    :math:`\sigma(sA)` is :math:`\sigma(A)` with another row of ones: Sherman and Morrison.
Sharp
    A negative entry and a point at the origin: all multiples cost the same.
Source
    leaky_resnets, Proposition 6 (Proposition 2 of the main text), proof; the cost of sA is ours.
"""

from __future__ import annotations

from typing import Any

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    InverseKernel,
    bare_cost,
    cost_is_finite,
    scaled,
    transposed,
)
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, interval, le
from verify.arithmetic import Array, rationals
from verify.networks.leaky_resnet import activation_kernel, inner


def scaling(A: Array, scale: Array) -> Relation:
    """The cost of sA, and the derivative in s."""
    at, h = InverseKernel.at(A), 1 / scale**2 - 1
    lost = (at.bias**2).sum(axis=-1)
    return eq(bare_cost(scaled(A, scale)).squared_norm + h * lost / (1 + h * at.c), at.cost, name="cost") & eq(
        2 * at.cost, 2 * lost + falling_part(A), name="derivative"
    )


def falling_part(A: Array) -> Array:
    r""":math:`2\mathrm{Tr}[A^TAP\bar KP]`: what the derivative has less than twice the cost."""
    at = InverseKernel.at(A)
    AP = at.weights @ transposed(at.inverse)
    return 2 * inner(AP @ activation_kernel(A, bias=False), AP)


def shrinking_never_costs(A: Array, scale: Array) -> Relation:
    """The cost of sA for s up to 1 against the cost of A."""
    return le(bare_cost(scaled(A, scale)).squared_norm, bare_cost(A).squared_norm)


# False variants


def scaling_without_denominator(A: Array, scale: Array) -> Relation:
    """As if c were 0."""
    at = InverseKernel.at(A)
    lost = (at.bias**2).sum(axis=-1)
    return eq(bare_cost(scaled(A, scale)).squared_norm, at.cost - (1 / scale**2 - 1) * lost)


def scaling_with_saturated_ones(A: Array, scale: Array) -> Relation:
    """As if c were 1."""
    at = InverseKernel.at(A)
    lost = (at.bias**2).sum(axis=-1)
    return eq(bare_cost(scaled(A, scale)).squared_norm, at.cost - (1 - scale**2) * lost)


def shrinking_saves_the_square(A: Array, scale: Array) -> Relation:
    """As if the kernel did not shrink."""
    return le(bare_cost(scaled(A, scale)).squared_norm, scale**2 * bare_cost(A).squared_norm)


def shrinking_never_saves(A: Array, scale: Array) -> Relation:
    """The other way round."""
    return ge(bare_cost(scaled(A, scale)).squared_norm, bare_cost(A).squared_norm)


def still_representation() -> dict[str, Any]:
    """A negative entry and a point at the origin: the smallest weights have no bias, and all multiples cost the same."""
    return {"A": rationals([[[1, "-1/2", 0], ["3/10", 1, 0]]]), "scale": rationals(["1/2"])}


FINITE = {"the cost is finite": cost_is_finite}

SCALING = Claim(
    id="leaky_resnets.prop_2.scaling",
    title="Where a representation shrinks, its cost falls by twice the squared bias",
    source=Source("leaky_resnets", "Proposition 6, proof"),
    statement=scaling,
    domain=Domain({"A": REPRESENTATION, "scale": interval(1 / 4, 4, role="free")}, SHAPES, FINITE),
    false_variants={"no denominator": scaling_without_denominator, "c = 1": scaling_with_saturated_ones},
    cost=2,
)

NOT_STRICT = Claim(
    id="leaky_resnets.prop_2.not_strict",
    title="Shrinking never costs: no minimum of the cost but zero is strict",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=shrinking_never_costs,
    domain=Domain({"A": REPRESENTATION, "scale": interval(1 / 4, 1, role="free")}, SHAPES, FINITE),
    tight={"negative entry, no bias": Tight(still_representation)},
    false_variants={
        "as the square of the scale": shrinking_saves_the_square,
        "shrinking never saves": shrinking_never_saves,
    },
    cost=4,
)
