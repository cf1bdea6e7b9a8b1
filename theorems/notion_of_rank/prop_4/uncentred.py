r"""Proposition 4 for representations with their means.

Statement
    Without biases the inequalities of ``statement`` hold as they are for the representations themselves (``.bias_free``), for
    every activation with slopes of at most 1 and all data with outputs that are not all zero. With biases each layer can add to
    the mean. For representations that are not zero (``.with_biases``)

    .. math:: \sum_{\ell=0}^{L-1} \log \frac{\|Z_\ell\|_F^2}{s_1(Z_\ell)^2}
              \le \sum_\ell \|W_\ell\|_F^2 - L + \log \frac{\|X\|_F^2}{\|F\|_F^2}
                + 2 \sqrt N \sum_{\ell=1}^L \frac{\|b_\ell\|}{s_1(Z_{\ell-1})} .

    The last sum is at most :math:`2 \sqrt{N L B} / z` with :math:`B = \sum_\ell \|b_\ell\|^2` and z the smallest
    :math:`s_1(Z_\ell)`. With C'' for the right side then, :math:`\min_\ell (s_2/s_1)^2 \le
    \exp ((C'' - \log (\|X\|_F^2 / s_1(X)^2)) / (L-1)) - 1` over the hidden layers. So for networks of norm L + C whose
    representations do not become small, :math:`s_2/s_1 = O(L^{-1/4})` in some hidden layer, the rate that the slides print.
Checked
    All inequalities. Without a lower bound z the rate is false for networks of norm L + C: see ``witnesses``.
Proof idea
    :math:`\|Z_\ell\|_F \le \|W_\ell\|_F \, s_1(Z_{\ell-1}) + \sqrt N \|b_\ell\|`, and :math:`2 \log(t + g) \le t^2 - 1 + 2 g`
    for t, g >= 0 with t + g > 0: least at :math:`t (t + g) = 1`, where the difference grows from 0 with g.
Sharp
    Isotropic networks without biases; for the terms of the biases one neuron with small biases.
Source
    ours, beside Proposition 4 of notion_of_rank.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.activations import SLOPES, has_slopes_at_most_one
from theorems.notion_of_rank.constructions.arrays import squares
from theorems.notion_of_rank.prop_4.statement import (
    ISOTROPIC_WEIGHTS,
    OURS,
    bounds,
    log_stable_rank,
    near_a_line,
    reach,
    representations,
    squared_ratios,
    total_energy,
)
from verify import Claim, Domain, Networks, Ours, Q, Relation, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, compare, exp, rationals, smallest, sqrt
from verify.matrices import operator_norm
from verify.networks import FullyConnected, identity
from verify.symbolic import identically_zero


def without_means_taken_off(network: FullyConnected, points: Array) -> Relation:
    """Both inequalities without biases."""
    return bounds(network, representations(network, points))


def with_biases(network: FullyConnected, points: Array, factor: Q | int = 2) -> Relation:
    """Both forms of the inequality, and the smallest ratio of a hidden layer; `factor` is that of the term of the biases."""
    values = representations(network, points)
    first, ranks = log_stable_rank(values[0]), sum(log_stable_rank(rows) for rows in values[:-1])
    weights, lost = network.weight_norm_squared, total_energy(network, values) - network.weight_norm_squared
    each, together = terms_of_the_biases(network, points, values)
    share = (weights + lost + factor * together - first) / (network.depth - 1)
    # the loss of norm stands on the left: both sides of a chain with small biases are then near L
    return (
        le(ranks - lost, weights + factor * each, name="layers")
        & le(ranks - lost, weights + factor * together, name="smallest representation")
        & le(1 + smallest(squared_ratios(values)), exp(share), name="one layer")
    )


def terms_of_the_biases(network: FullyConnected, points: Array, values: list[Array]) -> tuple[Array, Array]:
    r""":math:`\sqrt N \sum_\ell \|b_\ell\| / s_1(Z_{\ell-1})` and :math:`\sqrt{N L B} / z`."""
    count, sizes = points.shape[-2], np.stack([operator_norm(rows) for rows in values[:-1]], axis=-1)
    biases = np.stack([squares(bias) for bias in network.biases], axis=-1)
    together = sqrt(count * network.depth * biases.sum(axis=-1)) / smallest(sizes)
    return np.asarray((sqrt(count * biases) / sizes).sum(axis=-1)), np.asarray(together)


def has_no_bias(network: FullyConnected) -> Array:
    """Whether all biases are zero."""
    return np.asarray(compare(sum(squares(bias) for bias in network.biases), 0) == 0)


def nothing_vanishes(network: FullyConnected, points: Array) -> Array:
    """Whether no representation is zero, nor zero but for rounding errors; the outputs are one of them."""
    least = [0 * size if network.is_exact else 2.0**-80 * size for size in reach(network, points)]
    sizes = [squares(rows, (-2, -1)) for rows in representations(network, points)]
    return np.asarray((compare(np.stack(sizes, axis=-1), np.stack(least, axis=-1)) == 1).all(axis=-1))


# False variants


def without_the_change_of_norm(network: FullyConnected, points: Array) -> Relation:
    """The sum without biases, with the norm of the weights alone."""
    ranks = sum(log_stable_rank(rows) for rows in representations(network, points)[:-1])
    return le(ranks, network.weight_norm_squared - network.depth)


# Symbols, and tight examples


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


def with_some_biases(network: FullyConnected, distance: Array, nearness: Array, biased: Array) -> FullyConnected:
    """The network near a line, with its biases times `biased`, 0 or 1."""
    near = near_a_line(network, distance, nearness)
    return FullyConnected(near.weights, [biased[..., None] * bias for bias in near.biases], near.activation)


def isotropic_weights(dimension: int, depth: int) -> dict[str, Any]:
    """An orthogonal matrix of Frobenius norm 1 in every layer, no biases, an activation without a kink: equality."""
    points = rationals(np.eye(dimension, dtype=int))
    return {"network": FullyConnected([ISOTROPIC_WEIGHTS[dimension]] * depth, activation=identity()), "points": points}


def growing_chain(inverse: int) -> dict[str, Any]:
    """One neuron and one point: x to x + 1 / inverse, twice."""
    bias = rationals([Fraction(1, inverse)])
    return {"network": FullyConnected([rationals([[1]])] * 2, [bias, bias]), "points": rationals([[1]])}


NETWORKS = derived(
    with_some_biases,
    network=Networks(slope=(-2, 2)),
    distance=interval(0, 1, "depth"),
    nearness=interval(0, 1),
    biased=integers(0, 1),
    role="network",
)
VARIABLES = {"network": NETWORKS, "points": reals("points", "inputs", role="points")}
SIZES = {"depth": (2, 3, 6, 14), "inputs": (1, 2, 3), "width": (2, 3), "outputs": (1, 2), "points": (1, 3, 4)}
HYPOTHESES: dict[str, Callable[..., Any]] = {SLOPES: has_slopes_at_most_one, "no representation is zero": nothing_vanishes}

BIAS_FREE = Claim(
    id="notion_of_rank.prop_4.bias_free",
    title="Without biases some hidden representation is nearly of rank one",
    source=OURS,
    status=Ours(),
    statement=without_means_taken_off,
    domain=Domain(VARIABLES, SIZES, {**HYPOTHESES, "no biases": has_no_bias}),
    needs=(SLOPES, "no biases"),
    cost=2,
    tight={
        "isotropic in four dimensions": Tight(partial(isotropic_weights, 4, 3), of=("sum",)),
        "isotropic in the plane": Tight(partial(isotropic_weights, 2, 5), of=("sum", "one layer")),
    },
    false_variants={"without the change of norm": without_the_change_of_norm},
)

WITH_BIASES = Claim(
    id="notion_of_rank.prop_4.with_biases",
    title="Biases loosen the bound by their size relative to the representations",
    source=OURS,
    status=Ours(),
    statement=with_biases,
    domain=Domain(VARIABLES, SIZES, HYPOTHESES),
    needs=(SLOPES,),
    cost=2,
    tight={
        "isotropic in the plane": Tight(partial(isotropic_weights, 2, 5)),
        "a chain that grows": Tight(
            partial(growing_chain, 10_000_000),
            2e-14,
            "the biases enter to second order",
            of=("layers", "smallest representation"),
        ),
    },
    false_variants={
        "half the term of the biases": partial(with_biases, factor=1),
        "no term of the biases": without_means_taken_off,
    },
    exact={"least excess in symbols": largest_excess_in_symbols},
)
