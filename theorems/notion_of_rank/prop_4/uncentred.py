r"""Proposition 4 for representations with their means.

Without biases the inequality of ``prop_4`` holds as it is for the representations themselves: for every network whose
activation has slopes of at most 1 and all data with outputs that are not all zero

.. math:: \sum_{\ell=0}^{L-1} \log \frac{\|Z_\ell\|_F^2}{s_1(Z_\ell)^2}
          \le \sum_\ell \|W_\ell\|_F^2 - L + \log \frac{\|X\|_F^2}{\|F\|_F^2},

so that again :math:`s_2 / s_1 = O(L^{-1/2})` in some hidden layer.

With biases each layer can add to the mean, and the bound becomes (``.with_biases``), for representations that are not zero,

.. math:: \sum_{\ell=0}^{L-1} \log \frac{\|Z_\ell\|_F^2}{s_1(Z_\ell)^2}
          \le \sum_\ell \|W_\ell\|_F^2 - L + \log \frac{\|X\|_F^2}{\|F\|_F^2}
            + 2 \sqrt N \sum_{\ell=1}^L \frac{\|b_\ell\|}{s_1(Z_{\ell-1})} .

The last sum is at most :math:`2 \sqrt{N L B} / z` with :math:`B = \sum_\ell \|b_\ell\|^2` and z the smallest
:math:`s_1(Z_\ell)`. For networks of norm L + C whose representations do not become small, the smallest of the first
L - 1 hidden terms is :math:`O(L^{-1/2})`, and :math:`s_2/s_1 = O(L^{-1/4})`, the rate that the slides print. With the right
side C'' the smallest hidden :math:`(s_2/s_1)^2` is at most :math:`e^{C''/(L-1)} - 1`, which is checked, too, and not sharp.
Without a lower bound z it is false: see ``prop_4_witnesses``.

Idea of the proof: :math:`\|Z_\ell\|_F \le \|W_\ell\|_F \, s_1(Z_{\ell-1}) + \sqrt N \|b_\ell\|`, and
:math:`2 \log(t + g) \le t^2 - 1 + 2 g` for t, g >= 0 with t + g > 0: least at :math:`t (t + g) = 1`, where the difference grows
from 0 with g.

Source: ours, beside Proposition 4 of notion_of_rank.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.activations import SLOPES, has_slopes_at_most_one, with_slope
from theorems.notion_of_rank.constructions.arrays import squares
from theorems.notion_of_rank.prop_4.statement import (
    ISOTROPIC_WEIGHTS,
    OURS,
    log_stable_rank,
    reach,
    representations,
    rounding,
    squared_ratio,
    total_energy,
)
from verify import Claim, Domain, Networks, Ours, Relation, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, compare, exp, floats, rationals, smallest, sqrt
from verify.matrices import operator_norm
from verify.networks import FullyConnected, identity
from verify.symbolic import identically_zero


def without_means_taken_off(
    network: FullyConnected, points: Array, basis_points: int = 10_000, logarithm: bool = True
) -> Relation:
    """The inequality without biases, with the constant in units of 1/10000."""
    values = representations(network, points)
    ranks = sum(log_stable_rank(rows) for rows in values[:-1])
    total, noise = total_energy(network, values, logarithm), rounding(network, points, values)
    return le(ranks * basis_points / 10_000, total, scale=network.weight_norm_squared, noise=noise)


def with_biases(network: FullyConnected, points: Array, percent: int = 100, counted: bool = True) -> Relation:
    """Both forms of the inequality, with `percent` of the term of the biases, and the smallest ratio of a hidden layer."""
    values = representations(network, points)
    count = points.shape[-2] if counted else 1
    ranks = sum(log_stable_rank(rows) for rows in values[:-1])
    total, noise = total_energy(network, values), rounding(network, points, values)
    largest = [operator_norm(rows) for rows in values[:-1]]
    biases = [squares(bias) for bias in network.biases]
    each = [sqrt(count * bias) / one for bias, one in zip(biases, largest, strict=True)]
    spread = sqrt(count * network.depth * sum(biases)) / smallest(np.stack(largest, axis=-1))
    size = floats(network.weight_norm_squared) + floats(spread)
    by_layers, by_smallest = (total + 2 * term * percent / 100 for term in (sum(each), spread))
    relation = le(ranks, by_layers, scale=size, noise=noise) & le(ranks, by_smallest, scale=size, noise=noise)
    ratios = np.stack([squared_ratio(rows) for rows in values[1:-1]], axis=-1)
    return relation & le(smallest(ratios), exp(by_smallest / (network.depth - 1)) - 1, scale=1, noise=noise)


def largest_excess_in_symbols() -> Relation:
    """The difference t^2 - 1 + 2 g - 2 log(t + g) is least, for given g, at t = 1 / y with g = y - 1 / y.

    There it is 0 for y = 1, and the factors of its derivative are not negative for y >= 1.
    """
    import sympy as sp

    y, t, g = sp.symbols("y t g", positive=True)
    difference = t**2 - 1 + 2 * g - 2 * sp.log(t + g)
    at_least = difference.subs({t: 1 / y, g: y - 1 / y})
    stationary = sp.diff(difference, t).subs({t: 1 / y, g: y - 1 / y})
    return identically_zero(at_least.subs(y, 1), sp.diff(at_least, y) - 2 * (1 - 1 / y) * (1 + 1 / y**2), stationary)


def with_some_biases(network: FullyConnected, slope: Array, excess: Array, biased: Array) -> FullyConnected:
    """The network with the slope ``slope + 2 * excess`` below zero, and with its biases times `biased`, 0 or 1."""
    sloped = with_slope(network, slope, excess)
    return FullyConnected(sloped.weights, [biased[..., None] * bias for bias in sloped.biases], sloped.activation)


def has_no_bias(network: FullyConnected) -> Array:
    """Whether all biases are zero."""
    return np.asarray(compare(sum(squares(bias) for bias in network.biases), 0) == 0)


def nothing_vanishes(network: FullyConnected, points: Array) -> Array:
    """Whether no representation is zero, nor zero but for rounding errors; the outputs are one of them."""
    sizes = [2.0**-80 * size for size in reach(network, points)]
    least = [rationals(size) for size in sizes] if network.is_exact else sizes
    pairs = zip(representations(network, points), least, strict=True)
    return np.asarray(np.stack([compare(squares(rows, (-2, -1)), size) == 1 for rows, size in pairs]).all(axis=0))


def isotropic_weights(depth: int) -> dict[str, Any]:
    """An orthogonal matrix of Frobenius norm 1 in every layer, no biases, an activation without a kink: equality."""
    points = rationals(np.eye(4, dtype=int))
    return {"network": FullyConnected([ISOTROPIC_WEIGHTS] * depth, activation=identity()), "points": points}


def growing_chain(inverse: int) -> dict[str, Any]:
    """One neuron and one point: x to x + 1 / inverse, twice."""
    bias = rationals([Fraction(1, inverse)])
    return {"network": FullyConnected([rationals([[1]])] * 2, [bias, bias]), "points": rationals([[1]])}


NETWORKS = derived(
    with_some_biases,
    network=Networks(inputs=2, outputs=2, slope=0),
    slope=interval(-1, 1),
    excess=integers(0, 1),
    biased=integers(0, 1),
)
SIZES = {"depth": (2, 3), "width": (1, 2), "points": (1, 3)}
VARIABLES = {"network": NETWORKS, "points": reals("points", 2)}
HYPOTHESES: dict[str, Callable[..., Any]] = {SLOPES: has_slopes_at_most_one, "no representation is zero": nothing_vanishes}

BIAS_FREE = Claim(
    id="notion_of_rank.prop_4.bias_free",
    title="Representations without biases are nearly of rank one",
    source=OURS,
    status=Ours(),
    statement=without_means_taken_off,
    domain=Domain(VARIABLES, SIZES, {**HYPOTHESES, "no biases": has_no_bias}),
    needs=(SLOPES, "no biases"),
    tight={"isotropic, depth 3": Tight(partial(isotropic_weights, 3))},
    false_neighbours={
        "constant 1.01": partial(without_means_taken_off, basis_points=10_100),
        "without the change of norm": partial(without_means_taken_off, logarithm=False),
    },
)

WITH_BIASES = Claim(
    id="notion_of_rank.prop_4.with_biases",
    title="Representations with biases that do not become small",
    source=OURS,
    status=Ours(),
    statement=with_biases,
    domain=Domain(VARIABLES, SIZES, HYPOTHESES),
    needs=(SLOPES,),
    tight={
        "isotropic, depth 3": Tight(partial(isotropic_weights, 3)),
        "a chain that grows": Tight(partial(growing_chain, 1000), 1e-5, "the biases enter to second order"),
    },
    false_neighbours={
        "no term for the biases": partial(with_biases, percent=0),
        "half the term for the biases": partial(with_biases, percent=50),
        "without the number of data": partial(with_biases, counted=False),
    },
    exact={"least excess in symbols": largest_excess_in_symbols},
)
