r"""Proposition 5, the gap: how much a negative entry of a column saves, and that nothing is saved without one.

Statement
    If the smallest entry m of :math:`A_{\cdot i}` is negative, then

    .. math:: \|A_{\cdot i}\|^2 \ge \|\bar\sigma(A_{\cdot i})\|^2 + m^2 .

    At a column without a negative entry, at rest and without bias, the squared norm of the weights of ``construction`` grows by
    :math:`\varepsilon^4 t^4 \|A_{\cdot i}\|^4` for L = 1: it has no term in :math:`\varepsilon^2`.
Correction
    The print keeps the entry 1 of :math:`\sigma(A_{\cdot i})`, with which a negative entry does not give
    :math:`\|A_{\cdot i}\|^2 > \|\sigma(A_{\cdot i})\|^2`: the negative part has to have a norm above 1 (``.printed_gap``).
Checked
    Both, and the print.
Sharp
    Columns whose negative part is a single entry.
Source
    leaky_resnets, Proposition 9 of the appendix, proof.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.prop_5.construction import HELD, POINT, SIZES, SOURCE, is_held, weights_at_rest, widened_weights
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Tight, eq, ge, interval, reals
from verify.arithmetic import Array, compare, rationals, smallest
from verify.networks.leaky_resnet import feature_matrix, rectified, squared_norm


def gap(A: Array) -> Relation:
    r""":math:`\|A_{\cdot i}\|^2` against :math:`\|\bar\sigma(A_{\cdot i})\|^2` and the squared smallest entry."""
    column = A[..., POINT : POINT + 1]
    return ge(squared_norm(column), squared_norm(rectified(column)) + smallest(column[..., 0]) ** 2)


def gap_as_printed(A: Array) -> Relation:
    r""":math:`\|A_{\cdot i}\|^2` against :math:`\|\sigma(A_{\cdot i})\|^2`, with its entry 1."""
    column = A[..., POINT : POINT + 1]
    return ge(squared_norm(column), squared_norm(feature_matrix(column)))


def no_leading_term(A: Array, size: Array, height: Array) -> Relation:
    r"""At rest without bias at a non-negative column, L = 1: the norm grows by :math:`\varepsilon^4t^4\|A_{\cdot i}\|^4`."""
    weights = weights_at_rest(A)
    wider = widened_weights(A, weights, 0 * size + 1, size, height)
    return eq(squared_norm(wider), squared_norm(weights) + (size * height) ** 4 * squared_norm(A[..., POINT : POINT + 1]) ** 2)


# False variants


def nothing_at_all(A: Array, size: Array, height: Array) -> Relation:
    """As if a new neuron at a non-negative column were for nothing."""
    weights = weights_at_rest(A)
    return eq(squared_norm(widened_weights(A, weights, 0 * size + 1, size, height)), squared_norm(weights))


def has_negative_entry(A: Array) -> Array:
    """Whether the column has one."""
    return np.asarray(compare(smallest(A[..., POINT]), 0) == -1)


def column_is_not_negative(A: Array) -> Array:
    """Whether it has none."""
    return ~has_negative_entry(A)


def one_negative_entry() -> dict[str, Any]:
    """Columns whose negative part is a single entry."""
    return {"A": rationals([[[-1, 2], [3, -1]], [["-1/2", 0], [0, 5]]])}


NEGATIVE_ENTRY = "an entry of the column is negative"

NONNEGATIVE_COLUMN = "no entry of the column is negative"

GAP_DOMAIN = Domain({"A": reals("width", "points", role="values")}, SIZES, {NEGATIVE_ENTRY: has_negative_entry})

GAP = Claim(
    id="leaky_resnets.prop_5.gap",
    title="A negative entry makes a column longer than its ReLU",
    source=SOURCE,
    status=Ours(),
    statement=gap,
    domain=GAP_DOMAIN,
    needs=(NEGATIVE_ENTRY,),
    tight={"a single negative entry": Tight(one_negative_entry)},
    false_variants={"than its ReLU with the entry 1, as printed": gap_as_printed},
)

NOTHING_NEGATIVE = Claim(
    id="leaky_resnets.prop_5.nonnegative",
    title="At a non-negative column another neuron has no effect of leading order",
    source=SOURCE,
    status=Ours(),
    statement=no_leading_term,
    domain=Domain(
        {
            "A": reals("width", "points", role="values"),
            "size": interval(1 / 16, 1, role="free"),
            "height": interval(0, 1, role="free"),
        },
        {"width": range(1, 4), "points": range(1, 4)},
        {HELD: is_held, NONNEGATIVE_COLUMN: column_is_not_negative},
    ),
    needs=(HELD, NONNEGATIVE_COLUMN),
    false_variants={"nothing at all": nothing_at_all},
    cost=4,
)

PRINTED_GAP = Claim(
    id="leaky_resnets.prop_5.printed_gap",
    title="A negative entry makes a column longer than its ReLU with the entry 1",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=GAP.id),
    statement=gap_as_printed,
    domain=GAP_DOMAIN,
    false_variants={},
)
