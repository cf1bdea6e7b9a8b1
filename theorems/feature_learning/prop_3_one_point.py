r"""Proposition 3 for one data point: the pairs of covariances, and the representation cost.

For N = 1 the pairs :math:`(K, K^\sigma)` are pairs of numbers, and the conical hull of Proposition 3 consists of those with
:math:`K^\sigma - \beta^2` between :math:`d^2K` and :math:`a^2K`, where a and d are the slopes of the activation for t > 0 and
for t < 0. This is checked on the rows of a layer, and by two neurons for every number between the bounds. Without bias, the
cost of a tuple that leads from x to the output y is

.. math:: \sum_{\ell=1}^L \frac{K_\ell}{K_{\ell-1}^\sigma} \ge L\Bigl(\frac{|y|}{c^{L-1}|x|}\Bigr)^{2/L}, \qquad
   c = \max(|a|, |d|), \quad K_0^\sigma = x^2, \quad K_L = y^2 ,

by the inequality of the means, with equality for :math:`K^\sigma = c^2K` and equal summands: one neuron in each layer.

Source: feature_learning, Proposition 3; the case of one point is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.prop_3_covariances import cone_pairs
from theorems.feature_learning.weight_decomposition import for_entries
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, maximum, minimum, power, rationals
from verify.networks import HomogeneousActivation


def pairs_of_one_point(row: Array, slopes: Array, bias: Array, share: Array, steep: int = 100, flat: int = 100) -> Relation:
    r"""Covariances of neurons at one point lie between the slopes, and two neurons with shares of K reach what is between."""
    activation = HomogeneousActivation(slopes[..., :1], slopes[..., 1:])
    squares = slopes**2
    upper, lower = maximum(squares[..., 0], squares[..., 1]), minimum(squares[..., 0], squares[..., 1])
    own, image = (row**2).sum(axis=-1), (activation(row[..., None]) ** 2).sum(axis=(-2, -1)) + bias**2
    between = le(lower * own * flat / 100 + bias**2, image) & le(image, upper * own * steep / 100 + bias**2)
    cone_weights = np.stack([share * own, (1 - share) * own], axis=-1)[..., None, :]
    both_signs = np.array([[1], [-1]]) + 0 * for_entries(share)
    ((covariance, rectified),) = cone_pairs(cone_weights, [both_signs], slopes, bias)
    wanted = (share * squares[..., 0] + (1 - share) * squares[..., 1]) * own + bias**2
    return between & eq(covariance[..., 0, 0], own) & eq(rectified[..., 0, 0], wanted)


def cost_of_one_point(
    covariances: Array, shares: Array, slopes: Array, ends: Array, percent: int = 10_000, steep: bool = True, layers: int = 0
) -> Relation:
    r"""Costs of tuples for one point, :math:`\sum_\ell K_\ell/K_{\ell-1}^\sigma`, against the smallest, without bias.

    `ends` are :math:`x^2` and :math:`y^2`, and :math:`K^\sigma = (ta^2 + (1 - t)d^2)K` for the shares t.
    """
    squares = slopes**2
    images = (shares * squares[..., :1] + (1 - shares) * squares[..., 1:]) * covariances
    before = np.concatenate([ends[..., :1], images], axis=-1)
    after = np.concatenate([covariances, ends[..., 1:]], axis=-1)
    depth = after.shape[-1]
    largest = maximum(squares[..., 0], squares[..., 1]) if steep else minimum(squares[..., 0], squares[..., 1])
    product = ends[..., 1] / (ends[..., 0] * largest ** (depth - 1))
    bound = depth * power(product, Fraction(1, depth + layers))
    return le(bound * percent / 10_000, (after / before).sum(axis=-1))


def optimal_tuple(depth: int, slopes: Sequence[int]) -> dict[str, Any]:
    """For x = 1, costs of 4 in every layer, all on the steeper side: y^2 is 4^L c^(2L - 2)."""
    square = max(slope**2 for slope in slopes)
    first = slopes[0] ** 2 == square
    covariances = [4 ** (layer + 1) * square**layer for layer in range(depth)]
    return {
        "covariances": rationals(covariances[:-1]),
        "shares": rationals([int(first)] * (depth - 1)),
        "slopes": rationals(list(slopes)),
        "ends": rationals([1, covariances[-1]]),
    }


ONE_POINT = Claim(
    id="feature_learning.prop_3.one_point",
    title="Pairs of covariances of one data point",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=pairs_of_one_point,
    domain=Domain(
        {"row": reals("width"), "slopes": interval(-1, 1, 2), "bias": interval(0, 2), "share": interval(0, 1)},
        {"width": range(1, 4)},
    ),
    tight={
        "a neuron on the steep side": Tight(
            lambda: {
                "row": rationals([3, 1]),
                "slopes": rationals([1, 1]),
                "bias": rationals(1),
                "share": rationals("1/2"),
            }
        )
    },
    false_neighbours={
        "at most 0.99 a^2 K": partial(pairs_of_one_point, steep=99),
        "at least 1.01 d^2 K": partial(pairs_of_one_point, flat=101),
    },
)

ONE_POINT_COST = Claim(
    id="feature_learning.prop_3.one_point_cost",
    title="The representation cost of one data point",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=cost_of_one_point,
    domain=Domain(
        {
            "covariances": interval(0, float("inf"), lambda sizes: sizes["depth"] - 1),
            "shares": interval(0, 1, lambda sizes: sizes["depth"] - 1),
            "slopes": interval(-2, 2, 2),
            "ends": interval(0, float("inf"), 2),
        },
        {"depth": range(2, 5)},
        {
            "no covariance is zero": lambda covariances, ends: (covariances > 0).all(axis=-1) & (ends[..., 0] > 0),
            "neither slope is zero": lambda slopes: (slopes != 0).all(axis=-1),
        },
    ),
    tight={
        "ReLU-like, depth 3": Tight(partial(optimal_tuple, 3, (1, -1))),
        "steeper below zero, depth 4": Tight(partial(optimal_tuple, 4, (1, -2))),
    },
    false_neighbours={
        "1.0001 times the cost": partial(cost_of_one_point, percent=10_001),
        "the smaller slope": partial(cost_of_one_point, steep=False),
        "exponent 2/(L + 1)": partial(cost_of_one_point, layers=1),
    },
)
