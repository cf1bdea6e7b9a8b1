r"""For at most two points the hypothesis of Proposition 3 is empty: no local minimum has a negative entry.

Statement
    For N at most 2, let A have finite cost and the negative part :math:`A^- = \bar\sigma(-A)`. Then for t from 0 to 1

    .. math:: \|A + tA^-\|_K^2 \le \|A\|_K^2 - (2t - t^2)\|A^-\|_K^2 , \qquad
              \|A^-\|_K^2\|\sigma(A)\|_{op}^2 \ge \|A^-\|_F^2 .

    So a representation of finite cost with a negative entry is no local minimum.
Checked
    Both inequalities; that 3 points need not obey the first; the kernel stays what it is as the negative entries shrink.
Proof idea
    The left side is :math:`\|A\|_K^2 - (2t - t^2)\|A^-\|_K^2 + 2t\mathrm{Tr}[\bar\sigma(A)K^+A^{-T}]`. A row and its negative
    part share no place, and the entry of :math:`K^{-1}` off the diagonal is negative, for that of K is at least 1. If K is
    singular, then rows of finite cost are constant.
Sharp
    Each neuron of one sign; one active neuron.
Not checked
    Whether a local minimum of finite cost with a negative entry exists for 3 points and more: see ``negative_entries``.
Source
    leaky_resnets, Proposition 3; the statement is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, bare_cost, cost_is_finite, fit, scaled
from verify import Claim, Domain, Ours, Relation, Source, Tight, ge, interval, le
from verify.arithmetic import Array, rationals
from verify.matrices import operator_norm
from verify.networks.leaky_resnet import feature_matrix, rectified, squared_norm


def negative_entries_cost(A: Array, time: Array) -> Relation:
    """The cost with smaller negative entries, and how much they cost at least."""
    F, negative = feature_matrix(A), rectified(-A)
    price = fit(negative, F).squared_norm
    after = bare_cost(A + scaled(negative, time)).squared_norm
    return le(after + (2 * time - time**2) * price, bare_cost(A).squared_norm, name="saved") & ge(
        price * operator_norm(F) ** 2, squared_norm(negative), name="positive"
    )


# False variants


def saved_to_first_order(A: Array, time: Array) -> Relation:
    """As if nothing of the second order were lost."""
    price = fit(rectified(-A), feature_matrix(A)).squared_norm
    return le(bare_cost(A + scaled(rectified(-A), time)).squared_norm + 2 * time * price, bare_cost(A).squared_norm)


def whole_cost_of_a_negative_part(A: Array, time: Array) -> Relation:  # noqa: ARG001 (the parameters of the statement)
    """As if the features had the operator norm 1."""
    return ge(fit(rectified(-A), feature_matrix(A)).squared_norm, squared_norm(rectified(-A)))


def has_at_most_two_points(A: Array) -> Array:
    """Whether N is at most 2."""
    return np.full(A.shape[:-2], A.shape[-1] <= 2)


def neurons_of_one_sign() -> dict[str, Any]:
    """Two points: a positive neuron for each, a negative constant one, for which the features are longest."""
    return {"A": rationals([[[1, 0], [0, 1], [-2, -2]]]), "time": rationals(["1/2"])}


TWO_POINTS = Claim(
    id="leaky_resnets.prop_3.two_points",
    title="For at most two points no local minimum of the cost has a negative entry",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=negative_entries_cost,
    domain=Domain(
        {"A": REPRESENTATION, "time": interval(0, 1, role="free")},
        {"width": range(1, 5), "points": range(1, 4)},
        {"the cost is finite": cost_is_finite, "at most two points": has_at_most_two_points},
    ),
    needs=("the cost is finite", "at most two points"),
    tight={"neurons of one sign": Tight(neurons_of_one_sign, of=("saved", "positive"))},
    false_variants={
        "to first order": saved_to_first_order,
        "without the norm of the features": whole_cost_of_a_negative_part,
    },
    cost=4,
)
