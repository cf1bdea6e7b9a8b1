r"""What the proof of Proposition 2 says of the kernel, and where its print is false.

*Ones* (``.ones``). :math:`c = 1^TK^+1` is :math:`s/(1 + s)` with :math:`s = 1^T\bar K^+1` if
:math:`1 \in \mathrm{Im}\,\bar K`, else 1: at most 1.

*Columns* (``.column_norms``). If the smallest weights have no bias and no column neuron :math:`\bar K_{\cdot i}` lowers the
cost to second order, then :math:`\|\sigma(A_{\cdot i})\|^2 \ge \|A_{\cdot i}\|^2 + 1` for every point: as
:math:`|\bar\sigma(x)| \le |x|`, no entry is negative, and c = 1. The print has :math:`\|\sigma(A_{\cdot i})\|^2 - 1` on the
left (``.column_norms.printed``), which no representation satisfies.

*Limit* (``.limit``). For :math:`A \ge 0` with :math:`1 \notin \mathrm{Im}\,A^T` and the distance d of 1 from there,

.. math:: \|A\|_{\bar K + \gamma I}^2 - \|A\|_{K + \gamma I}^2
          = \frac{1^TR\bar KR1}{1 + 1^TR1} \le \frac{\gamma s}{d^2}, \qquad R = (\bar K + \gamma I)^{-1},

so that both costs are equal in the limit. The print bounds the numerator by :math:`1^TR1`, and that quotient tends to 1
(``.limit.printed``: it does not obey the bound).

Source: leaky_resnets, Proposition 6 (Proposition 2 of the main text), proof.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    InverseKernel,
    cost_is_finite,
    fit,
    is_not_zero,
    numbers_like,
    transposed,
    zeros_like_rows,
)
from theorems.leaky_resnets.cost_of_identity_rank import DOMAIN as PRODUCTS
from theorems.leaky_resnets.prop_2_steps import column_neurons
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, eq, ge, interval, le
from verify.arithmetic import Array, compare, floats, is_exact, rationals
from verify.matrices import solve
from verify.networks.leaky_resnet import (
    activation_kernel,
    feature_matrix,
    is_in_row_space,
    rectified,
    squared_norm,
    stable_cost_of_identity,
)


def ones_like(A: Array) -> Array:
    """A row of ones, shape ``(..., 1, N)``."""
    return zeros_like_rows(A, 1) + 1


def norm_of_ones(A: Array, *, saturates: bool = True, inside: bool = True, percent: int = 100) -> Relation:
    """The number c against s."""
    at, constants = InverseKernel.at(A), fit(ones_like(A), feature_matrix(A, bias=False))
    s = constants.squared_norm
    stated = s / (1 + s) if saturates else s
    if inside:
        stated = np.where(is_in_row_space(ones_like(A), feature_matrix(A, bias=False)), stated, 0 * s + 1)
    noise = at.noise(ones_like(A)) + constants.noise
    return eq(at.c, stated, scale=floats(s) + 1, noise=noise) & le(at.c, (0 * s + 1) * percent / 100, noise=noise)


def starts_at_the_origin(A: Array) -> Array:
    """Whether the first point is zero: the smallest weights of finite cost have no bias then."""
    return np.asarray((compare(A[..., 0], 0) == 0).all(axis=-1))


def changes_by_columns(A: Array) -> tuple[Array, Array]:
    """Coefficient of the square of the step for each column neuron, ``(..., N)``, and its rounding errors, ``(..., 1)``."""
    at, columns = InverseKernel.at(A), column_neurons(A)
    ours = at.coordinates(columns)
    gained = at.weights @ transposed(ours)
    coefficients = (ours**2).sum(axis=-1) - (gained**2).sum(axis=-2)
    return np.asarray(coefficients), at.noise(A, columns, factors=2)[..., None]


def columns_do_not_help(A: Array) -> Array:
    """Whether no column neuron lowers the cost to second order, up to rounding errors."""
    coefficients, noise = changes_by_columns(A)
    return np.asarray((compare(coefficients, 0 if is_exact(A) else -noise) >= 0).all(axis=-1))


def column_norms(A: Array, less: int = 0, percent: int = 100) -> Relation:
    """The norm of every point after the activation, with its 1, against the norm before."""
    after, before = (rectified(A) ** 2).sum(axis=-2) + 1, (A**2).sum(axis=-2) + 1
    return ge(after - less, percent * before / 100, noise=changes_by_columns(A)[1], over=1)


def ones_are_outside(A: Array) -> Array:
    """Whether the constants are no combination of the rows."""
    return ~is_in_row_space(ones_like(A), A)


def difference_of_costs(A: Array, gamma: Array, percent: int = 100) -> Relation:
    """Difference of the two stabilised costs, and its bound."""
    difference = stable_cost_of_identity(A, gamma, bias=False) - stable_cost_of_identity(A, gamma)
    size = floats(squared_norm(A) / gamma) * spread(A, gamma)
    return bound_of_the_limit(A, gamma, percent) & eq(difference, lost_to_ones(A, gamma), scale=size)


def lost_to_ones(A: Array, gamma: Array, *, kernel: bool = True) -> Array:
    """The quotient that the difference is; in the print, the kernel in its numerator is missing."""
    K, ones = activation_kernel(A, bias=False), ones_like(A)
    stable = K + gamma[..., None, None] * numbers_like(A, np.eye(A.shape[-1], dtype=int))
    image = transposed(solve(stable, transposed(ones)))
    numerator = (image @ K if kernel else ones) * image
    return np.asarray(numerator.sum(axis=(-2, -1)) / (1 + (image * ones).sum(axis=(-2, -1))))


def bound_of_the_limit(A: Array, gamma: Array, percent: int = 100, *, kernel: bool = True) -> Relation:
    """The quotient against its bound, which tends to 0 with gamma."""
    ones = ones_like(A)
    constants = fit(ones, A)
    distance = squared_norm(ones - constants.weights @ A)
    bound = percent * gamma * constants.squared_norm / distance / 100
    quotient = lost_to_ones(A, gamma, kernel=kernel)
    # a distance is known up to the rounding errors of a projection
    noise = (constants.noise + 2.0**-44) * floats(1 + bound) / floats(distance) + 2.0**-44 * spread(A, gamma) ** 2
    return le(quotient, bound, noise=0 * noise if is_exact(A) else noise)


def spread(A: Array, gamma: Array) -> Array:
    """Condition number of the stabilised kernel, at most."""
    return 1 + floats((squared_norm(A) + A.shape[-1]) / gamma)


def fourth_power(root: Array) -> Array:
    """Small numbers are drawn more often so."""
    return np.asarray(root**4)


def on_an_axis() -> dict[str, Any]:
    """One neuron active for one of two points, and a small gamma."""
    return {"A": rationals([[[1, 0]]]), "gamma": rationals(["1/1000000"])}


def constants_outside() -> dict[str, Any]:
    """Two neurons, three points, one of them at the origin of the active space."""
    return {"A": rationals([[[1, 0, 2], [0, 0, -1]]])}


def without_negative_entries() -> dict[str, Any]:
    """Two neurons, three points, the first at the origin."""
    return {"A": rationals([[[0, 2, 1], [0, 0, 3]]])}


COLUMNS = {
    "the cost is finite": cost_is_finite,
    "the first point is zero": starts_at_the_origin,
    "no column neuron lowers the cost": columns_do_not_help,
}
PROOF = Source("leaky_resnets", "Proposition 6, proof")

ONES = Claim(
    id="leaky_resnets.prop_2.ones",
    title="What the kernel makes of the constants",
    source=PROOF,
    status=Ours(),
    statement=norm_of_ones,
    domain=Domain({"A": REPRESENTATION}, SHAPES),
    tight={"constants outside": Tight(constants_outside)},
    false_neighbours={
        "s for s / (1 + s)": partial(norm_of_ones, saturates=False),
        "wherever the constants lie": partial(norm_of_ones, inside=False),
        "at most 99 %": partial(norm_of_ones, percent=99),
    },
    cost=4,
)

COLUMN_NORMS = Claim(
    id="leaky_resnets.prop_2.column_norms",
    title="Where no column neuron helps, no point loses norm in the activation",
    source=PROOF,
    status=Ours(),
    statement=column_norms,
    domain=Domain({"A": REPRESENTATION}, SHAPES, COLUMNS),
    needs=("no column neuron lowers the cost",),
    tight={"not negative": Tight(without_negative_entries)},
    false_neighbours={
        "1 % more": partial(column_norms, percent=101),
        "one less": partial(column_norms, less=1),
    },
    cost=2,
)

PRINTED_COLUMN_NORMS = Claim(
    id="leaky_resnets.prop_2.column_norms.printed",
    title="The same with one less on the left",
    source=PROOF,
    status=FalseAsPrinted(corrected_by=COLUMN_NORMS.id),
    statement=partial(column_norms, less=1),
    domain=Domain({"A": REPRESENTATION}, SHAPES, COLUMNS),
    false_neighbours={},
)

LIMIT_DOMAIN = Domain(
    {**PRODUCTS.variables, "gamma": derived(fourth_power, root=interval(1 / 16, 3 / 4))},
    SHAPES,
    {**PRODUCTS.hypotheses, "the constants are no combination of the rows": ones_are_outside},
)

LIMIT = Claim(
    id="leaky_resnets.prop_2.limit",
    title="Both stabilised costs agree in the limit",
    source=PROOF,
    status=Ours(),
    statement=difference_of_costs,
    domain=LIMIT_DOMAIN,
    needs=("no entry is negative",),
    tight={"one neuron": Tight(on_an_axis, 1e-5, "approached as gamma goes to 0")},
    false_neighbours={
        "1 % less": partial(difference_of_costs, percent=99),
        "half as much": partial(difference_of_costs, percent=50),
        "kernel in the numerator missing": partial(bound_of_the_limit, kernel=False),
    },
    cost=2,
)

PRINTED_LIMIT = Claim(
    id="leaky_resnets.prop_2.limit.printed",
    title="The subtracted term of the last bound tends to zero",
    source=PROOF,
    status=FalseAsPrinted(corrected_by=LIMIT.id),
    statement=partial(bound_of_the_limit, kernel=False),
    domain=replace(LIMIT_DOMAIN, hypotheses={**LIMIT_DOMAIN.hypotheses, "A is not zero": is_not_zero}),
    false_neighbours={},
)
