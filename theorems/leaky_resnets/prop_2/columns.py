r"""Proposition 2, the neurons that the proof appends: the columns of the kernel.

Statement
    For :math:`z = \bar K_{\cdot i}`, :math:`P = K^+`, :math:`z^TPz = \|\sigma(A_{\cdot i})\|^2 - 2 + 1^TP1` and
    :math:`APz = A_{\cdot i} - AP1`. If no such neuron lowers the cost to second order, and AP1 = 0, then

    .. math:: \|\sigma(A_{\cdot i})\|^2 \ge \|A_{\cdot i}\|^2 + 1 .
Correction
    The print has :math:`\|\sigma(A_{\cdot i})\|^2 - 1` on the left of the last line. No representation satisfies that: the
    other inequality always holds, and both sides are equal only if no entry of the point is negative.
Checked
    Both scalar products, for all pairs of points. The inequality, for points one of which is zero, so that AP1 = 0; for
    the printed form, too.
Proof idea
    :math:`Kz = K(K_{\cdot i} - 1)`, and :math:`AP K = A` where the cost is finite.
Sharp
    Representations that are not negative.
Source
    leaky_resnets, Proposition 6 (Proposition 2 of the main text), proof.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    InverseKernel,
    cost_is_finite,
    transposed,
)
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, eq, ge
from verify.arithmetic import Array, compare, is_exact, rationals
from verify.networks.leaky_resnet import activation_kernel, feature_matrix, rectified, squared_norm


def column_neurons(A: Array) -> Array:
    r""":math:`\bar K`: its rows are the neurons that the proof appends."""
    return activation_kernel(A, bias=False)


def column_neuron(A: Array) -> Relation:
    """Scalar products of the columns of the kernel without bias with each other and with A."""
    at = InverseKernel.at(A)
    columns = at.coordinates(column_neurons(A))
    return eq(
        columns @ transposed(columns) + 2, activation_kernel(A) + at.c[..., None, None], name="with each other", over=2
    ) & eq(at.weights @ transposed(columns) + at.bias[..., :, None], A, name="with A", over=2)


def column_norms(A: Array) -> Relation:
    """The norm of every point after the activation, with its 1, against the norm before and 1."""
    return ge((feature_matrix(A) ** 2).sum(axis=-2), (A**2).sum(axis=-2) + 1, over=1)


def column_norms_as_printed(A: Array) -> Relation:
    """The same with one less on the left."""
    return ge((feature_matrix(A) ** 2).sum(axis=-2) - 1, (A**2).sum(axis=-2) + 1, over=1)


# False variants


def column_neuron_with_one(A: Array) -> Relation:
    """1 for 2."""
    at = InverseKernel.at(A)
    columns = at.coordinates(column_neurons(A))
    return eq(columns @ transposed(columns) + 1, activation_kernel(A) + at.c[..., None, None], over=2)


def column_neuron_without_bias(A: Array) -> Relation:
    """As if the smallest weights never had a bias."""
    at = InverseKernel.at(A)
    return eq(at.weights @ transposed(at.coordinates(column_neurons(A))), A, over=2)


def starts_at_the_origin(A: Array) -> Array:
    """Whether the first point is zero: the smallest weights of finite cost have no bias then."""
    return np.asarray((compare(A[..., 0], 0) == 0).all(axis=-1))


ROUNDED = 2.0**-40
"""Coefficients of relative size below this count as zero in floats: half of them would else be lost to rounding."""


def columns_do_not_help(A: Array) -> Array:
    """Whether no column neuron lowers the cost to second order."""
    at, columns = InverseKernel.at(A), column_neurons(A)
    ours = at.coordinates(columns)
    costs, gains = (ours**2).sum(axis=-1), ((at.weights @ transposed(ours)) ** 2).sum(axis=-2)
    least = 0 * costs if is_exact(A) else -ROUNDED * (1 + squared_norm(rectified(A)))[..., None]
    return np.asarray((compare(costs - gains, least) >= 0).all(axis=-1))


def without_negative_entries() -> dict[str, Any]:
    """Two neurons, three points, the first at the origin."""
    return {"A": rationals([[[0, 2, 1], [0, 0, 3]]])}


FINITE = {"the cost is finite": cost_is_finite}
NO_HELP = "no column neuron lowers the cost"
COLUMNS = Domain(
    {"A": REPRESENTATION}, SHAPES, {**FINITE, "the first point is zero": starts_at_the_origin, NO_HELP: columns_do_not_help}
)
PROOF = Source("leaky_resnets", "Proposition 6, proof")

COLUMN = Claim(
    id="leaky_resnets.prop_2.column",
    title="The columns of the kernel as neurons",
    source=PROOF,
    statement=column_neuron,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE),
    needs=tuple(FINITE),
    false_variants={"1 for 2": column_neuron_with_one, "without the bias": column_neuron_without_bias},
    cost=2,
)

COLUMN_NORMS = Claim(
    id="leaky_resnets.prop_2.column_norms",
    title="Where no column neuron helps, no point loses norm in the activation",
    source=PROOF,
    status=Ours(),
    statement=column_norms,
    domain=COLUMNS,
    needs=tuple(COLUMNS.hypotheses),
    tight={"not negative": Tight(without_negative_entries)},
    false_variants={"one less, as printed": column_norms_as_printed},
    cost=2,
)

PRINTED_COLUMN_NORMS = Claim(
    id="leaky_resnets.prop_2.column_norms.printed",
    title="Where no column neuron helps, the activation gains a norm of 1 at every point",
    source=PROOF,
    status=FalseAsPrinted(corrected_by=COLUMN_NORMS.id),
    statement=column_norms_as_printed,
    domain=COLUMNS,
    false_variants={},
)
