r"""Corollary 9: an example with global minimisers of rank 1 and 2.

Statement
    A width n is on the plateau if and only if there is a global minimiser with
    :math:`n_\ell \ge \mathrm{Rank}_\sigma(K_\ell, K_\ell^\sigma)` for every hidden layer. It need not be every minimiser.
Checked
    A shallow ReLU network with the amount of bias :math:`b = 1/\sqrt3`, inputs X = (-1, 1), and outputs Y = (y, y). For
    outgoing weights :math:`\sqrt3\nu_i`, biases :math:`\beta_i` (whose regularised weights are :math:`\sqrt3\beta_i`), an
    output bias :math:`\gamma/\sqrt3`, and masses :math:`\alpha_i \ge 0` (a neuron with all its weights scaled by
    :math:`\sqrt{\alpha_i}`),

    .. math:: \|W\|^2 = \sum_i\alpha_i(w_i^2 + 3\beta_i^2 + 3\nu_i^2) + \gamma^2 \;\ge\; \sqrt3\,(f(-1) + f(1)) - 1 .

    So for :math:`y \ge 1/\sqrt3` the representation cost is :math:`2\sqrt3y - 1` (for y = 6, 19.784610).
Proof idea
    Each neuron satisfies :math:`w^2 + 3\beta^2 + 3\nu^2 \ge 3\nu(\sigma(z_1) + \sigma(z_2))` for :math:`z = \beta \mp w`, by

    .. math:: w^2 + 3\beta^2 = \tfrac34(z_1 + z_2)^2 + \tfrac14(z_1 - z_2)^2 = \tfrac34z_1^2 + (\tfrac{z_1}2 + z_2)^2 .
Sharp
    A constant neuron, of rank 1; two neurons of which each sees one point, of rank 2; and mixtures. All are global minimisers;
    the plateau starts at width 1.
Source
    feature_learning, Corollary 9. The example is ours.
"""

from __future__ import annotations

from functools import partial, reduce
from operator import and_

import numpy as np

from theorems.feature_learning.constructions.pruning import number_in_use
from verify import Claim, Domain, Relation, Source, Tight, derived, eq, integers, interval, le, reals
from verify.arithmetic import Array, compare, maximum, rationals
from verify.matrices import rank
from verify.symbolic import identically_zero

INPUTS = (-1, 1)


def neurons(free: Array, kind: Array) -> Array:
    r"""Rows :math:`(w, \beta, \nu)`: constant neurons (kind 0), those of one point (1 and 2), and any (3), ``(..., k, 3)``."""
    t = free[..., 0]
    best = [np.stack(row, axis=-1) for row in ([0 * t, t, t], [t, t / 3, 2 * t / 3], [-t, t / 3, 2 * t / 3])]
    result = free
    for number, rows in enumerate(best):
        result = np.where(compare(kind, number)[..., None] == 0, rows, result)
    return np.asarray(result)


def values_at_points(layer: Array) -> Array:
    """Pre-activations at both inputs, ``(..., k, 3) -> (..., k, 2)``."""
    return np.stack([layer[..., 1] + x * layer[..., 0] for x in INPUTS], axis=-1)


def outputs(layer: Array, masses: Array, gamma: Array) -> Array:
    r""":math:`f(-1)/\sqrt3` and :math:`f(1)/\sqrt3`, shape ``(..., 2)``."""
    values = values_at_points(layer)
    hidden = (masses * layer[..., 2])[..., None] * maximum(values, 0 * values)
    return np.asarray(hidden.sum(axis=-2) + np.asarray(gamma)[..., None] / 3)


def norm_squared(layer: Array, masses: Array, gamma: Array) -> Array:
    """The regularised norm of the network."""
    each = layer[..., 0] ** 2 + 3 * layer[..., 1] ** 2 + 3 * layer[..., 2] ** 2
    return np.asarray((masses * each).sum(axis=-1) + gamma**2)


def cost_is_at_least(layer: Array, masses: Array, gamma: Array) -> Relation:
    """The bound of the norm by the sum of the outputs."""
    return le(3 * outputs(layer, masses, gamma).sum(axis=-1) - 1, norm_squared(layer, masses, gamma))


# False variants


def bias_does_not_help(layer: Array, masses: Array, gamma: Array) -> Relation:
    """The bound without what the output bias saves."""
    return le(3 * outputs(layer, masses, gamma).sum(axis=-1), norm_squared(layer, masses, gamma))


def bias_of_amount_one(layer: Array, masses: Array, gamma: Array) -> Relation:
    """The norm for b = 1, where biases cost as much as weights."""
    each = layer[..., 0] ** 2 + layer[..., 1] ** 2 + 3 * layer[..., 2] ** 2
    norm = (masses * each).sum(axis=-1) + gamma**2
    return le(3 * outputs(layer, masses, gamma).sum(axis=-1) - 1, norm)


def minimisers_have_one_neuron(layer: Array, masses: Array, gamma: Array) -> Relation:
    """Every neuron but one costs something more."""
    present = number_in_use(masses * (layer**2).sum(axis=-1))
    bound = 3 * outputs(layer, masses, gamma).sum(axis=-1) - 1 + (present - 1) / 10
    return le(bound, norm_squared(layer, masses, gamma))


MINIMISERS = {
    "a constant neuron": ([[0, 1, 1]], ["2"]),
    "two neurons, each for a point": ([[3, 1, 2], [-3, 1, 2]], ["1/4", "1/4"]),
    "a mixture": ([[0, 1, 1], [3, 1, 2], [-3, 1, 2]], ["1", "1/8", "1/8"]),
}
r"""Neurons and masses for the outputs :math:`y = 7/\sqrt3`, at the cost 13."""


def minimiser(name: str) -> dict[str, Array]:
    """One of the `MINIMISERS`, with its output bias."""
    layer, masses = MINIMISERS[name]
    return {"layer": rationals(layer), "masses": rationals(masses), "gamma": rationals(1)}


def minimisers_have_different_ranks() -> Relation:
    """They have equal outputs and costs, and first covariances of rank 1 and 2; the constant one has a single neuron."""
    parts = []
    for name, expected in zip(MINIMISERS, (1, 2, 2), strict=True):
        layer, masses, gamma = minimiser(name).values()
        values = values_at_points(layer)
        covariance = (masses * values.T) @ values
        parts += [eq(outputs(layer, masses, gamma), rationals([7, 7]) / 3, over=1), eq(norm_squared(layer, masses, gamma), 13)]
        parts += [eq(rationals(int(rank(covariance))), expected)]
    return reduce(and_, parts)


def neuron_in_symbols() -> Relation:
    """What a neuron costs more than it contributes, as sums of squares, on all sign patterns of its two values."""
    import sympy as sp

    w, beta, nu, gamma = sp.symbols("w beta nu gamma", real=True)
    z1, z2 = (beta + x * w for x in INPUTS)
    norm = w**2 + 3 * beta**2
    both = 3 * (nu - (z1 + z2) / 2) ** 2 + (z1 - z2) ** 2 / 4
    first, second = (3 * (nu - z / 2) ** 2 + (z / 2 + other) ** 2 for z, other in ((z1, z2), (z2, z1)))
    return identically_zero(
        norm + 3 * nu**2 - 3 * nu * (z1 + z2) - both,
        norm + 3 * nu**2 - 3 * nu * z1 - first,
        norm + 3 * nu**2 - 3 * nu * z2 - second,
        gamma**2 - 3 * 2 * gamma / 3 + 1 - (gamma - 1) ** 2,
    )


CLAIM = Claim(
    id="feature_learning.cor_9",
    title="Global minimisers of rank 1 and 2: the plateau starts at the smallest",
    source=Source("feature_learning", "Corollary 9"),
    statement=cost_is_at_least,
    domain=Domain(
        {
            "layer": derived(neurons, free=reals("neurons", 3), kind=integers(0, 3, "neurons")),
            "masses": interval(0, np.inf, "neurons"),
            "gamma": reals(),
        },
        {"neurons": range(1, 5)},
    ),
    tight={name: Tight(partial(minimiser, name)) for name in MINIMISERS},
    false_neighbours={
        "without the 1 of the bias": bias_does_not_help,
        "bias 1": bias_of_amount_one,
        "minimisers have one neuron": minimisers_have_one_neuron,
    },
    exact={"minimisers of rank 1 and 2": minimisers_have_different_ranks, "sums of squares": neuron_in_symbols},
)
