r"""Proposition 2, the limit: the costs with bias and without agree for non-negative representations.

Statement
    For :math:`A \ge 0` with :math:`1 \notin \mathrm{Im}\,A^T`,
    :math:`\|A\|_{\bar K + \gamma I}^2 - \mathrm{Tr}[A(K + \gamma I)^{-1}A^T] \to 0` as :math:`\gamma \to 0`.
Correction
    The print bounds the difference by :math:`1^TR1/(1 + 1^TR1)` with :math:`R = (\bar K + \gamma I)^{-1}`, and lets that go to
    0. It goes to 1, for :math:`1^TR1 \ge d^2/\gamma` with the distance d of 1 from :math:`\mathrm{Im}\,A^T`. The equality of
    the costs that is drawn from it is true.
Checked
    With :math:`s = 1^T\bar K^+1`,

    .. math:: \|A\|_{\bar K + \gamma I}^2 - \|A\|_{K + \gamma I}^2
              = \frac{1^TR\bar KR1}{1 + 1^TR1} \le \frac{\gamma s}{d^2} ,

    The printed quotient grows as :math:`\gamma` falls, so that its limit is not below its value at any :math:`\gamma`: that
    this value is at most 0 is refuted (``.printed``).
Proof idea
    Sherman and Morrison; the numerator is at most s, and the denominator at least :math:`d^2/\gamma`.
Sharp
    One neuron, active for one of two points, as :math:`\gamma \to 0`.
Source
    leaky_resnets, Proposition 6 (Proposition 2 of the main text), proof; the rate is ours.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    NONNEGATIVE_PRODUCTS,
    NOT_NEGATIVE,
    fit,
    is_not_zero,
    ones_like_row,
    transposed,
)
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, eq, interval, le
from verify.arithmetic import Array, rationals
from verify.matrices import solve
from verify.networks.leaky_resnet import (
    activation_kernel,
    inner,
    is_in_row_space,
    squared_norm,
    stable_cost_of_identity,
)


def image_of_ones(A: Array, gamma: Array) -> Array:
    """:math:`1^TR`, shape ``(..., 1, N)``."""
    stable = activation_kernel(A, bias=False) + gamma[..., None, None] * np.eye(A.shape[-1], dtype=int)
    return transposed(solve(stable, transposed(ones_like_row(A))))


def rate(A: Array, gamma: Array) -> Array:
    r""":math:`\gamma s/d^2`."""
    constants, ones = fit(ones_like_row(A), A), ones_like_row(A)
    return gamma * constants.squared_norm / squared_norm(ones - constants.weights @ A)


def difference_of_costs(A: Array, gamma: Array) -> Relation:
    """Difference of the two stabilised costs, and its bound."""
    image = image_of_ones(A, gamma)
    quotient = inner(image @ activation_kernel(A, bias=False), image) / (1 + image.sum(axis=(-2, -1)))
    with_bias, without = stable_cost_of_identity(A, gamma), stable_cost_of_identity(A, gamma, bias=False)
    return eq(with_bias + quotient, without, name="difference") & le(quotient, rate(A, gamma), name="bound")


def printed_quotient(A: Array, gamma: Array) -> Array:
    """The quotient without the kernel in its numerator."""
    total = image_of_ones(A, gamma).sum(axis=(-2, -1))
    return np.asarray(total / (1 + total))


def printed_limit_is_zero(A: Array, gamma: Array) -> Relation:
    """The printed quotient against its printed limit, which is not below it: it grows as gamma falls."""
    return le(printed_quotient(A, gamma), 0 * gamma)


# False variants


def printed_quotient_is_bounded(A: Array, gamma: Array) -> Relation:
    """The quotient without the kernel in its numerator obeys the bound."""
    return le(printed_quotient(A, gamma), rate(A, gamma))


def difference_without_denominator(A: Array, gamma: Array) -> Relation:
    """The numerator alone."""
    image = image_of_ones(A, gamma)
    difference = stable_cost_of_identity(A, gamma, bias=False) - stable_cost_of_identity(A, gamma)
    return eq(difference, inner(image @ activation_kernel(A, bias=False), image))


def ones_are_outside(A: Array) -> Array:
    """Whether the constants are no combination of the rows."""
    return ~is_in_row_space(ones_like_row(A), A)


def fourth_power(root: Array) -> Array:
    """Small numbers are drawn more often so."""
    return np.asarray(root**4)


def on_an_axis() -> dict[str, Any]:
    """One neuron active for one of two points, and a small gamma."""
    return {"A": rationals([[[1, 0]]]), "gamma": rationals(["1/1000000000000"])}


LIMIT_DOMAIN = Domain(
    {**NONNEGATIVE_PRODUCTS.variables, "gamma": derived(fourth_power, root=interval(1 / 16, 3 / 4, role="free"))},
    NONNEGATIVE_PRODUCTS.sizes,
    {**NONNEGATIVE_PRODUCTS.hypotheses, "the constants are no combination of the rows": ones_are_outside},
)
PROOF = Source("leaky_resnets", "Proposition 6, proof")

LIMIT = Claim(
    id="leaky_resnets.prop_2.limit",
    title="Both stabilised costs agree in the limit",
    source=PROOF,
    status=Ours(),
    statement=difference_of_costs,
    domain=LIMIT_DOMAIN,
    needs=(NOT_NEGATIVE,),
    tight={"one neuron": Tight(on_an_axis, 1e-11, "approached as gamma goes to 0", of=("bound",))},
    false_variants={
        "kernel in the numerator missing": printed_quotient_is_bounded,
        "without the denominator": difference_without_denominator,
    },
    cost=8,
)

PRINTED_LIMIT = Claim(
    id="leaky_resnets.prop_2.limit.printed",
    title="The limit of the printed bound is zero",
    source=PROOF,
    status=FalseAsPrinted(corrected_by=LIMIT.id),
    statement=printed_limit_is_zero,
    domain=replace(LIMIT_DOMAIN, hypotheses={**LIMIT_DOMAIN.hypotheses, "A is not zero": is_not_zero}),
    false_variants={},
)
