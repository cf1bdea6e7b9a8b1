r"""Proposition 3 for one data point: the pairs of covariances, and the representation cost.

Statement
    For N = 1 the pairs :math:`(K, K^\sigma)` are pairs of numbers, and those of a layer are the ones with
    :math:`K^\sigma - \beta^2` between :math:`d^2K` and :math:`a^2K`, where a and d are the slopes of the activation for t > 0
    and for t < 0. Without bias, a tuple that leads from x to the output y costs at least

    .. math:: \sum_{\ell=1}^L \frac{K_\ell}{K_{\ell-1}^\sigma} \ge L\Bigl(\frac{|y|}{c^{L-1}|x|}\Bigr)^{2/L}, \qquad
       c = \max(|a|, |d|), \quad K_0^\sigma = x^2, \quad K_L = y^2 .
Checked
    The bounds for the rows of a layer; that two neurons reach every number between them; the cost of any tuple.
Proof idea
    The inequality of the means.
Sharp
    Neurons of one sign for each of the bounds. For the cost, :math:`K^\sigma = c^2K` and equal summands: one neuron in each
    layer.
Source
    feature_learning, Proposition 3; the case of one point is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import SLOPES
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, maximum, minimum, power, rationals
from verify.networks import HomogeneousActivation


def squared_norm_after(row: Array, slopes: Array) -> Array:
    """What the activation leaves of the squares of neurons at one point."""
    activation = HomogeneousActivation(slopes[..., :1], slopes[..., 1:])
    return np.asarray((activation(row[..., None]) ** 2).sum(axis=(-2, -1)))


def steeper(slopes: Array) -> Array:
    """The larger of both squared slopes."""
    return maximum(slopes[..., 0] ** 2, slopes[..., 1] ** 2)


def flatter(slopes: Array) -> Array:
    """The smaller of both squared slopes."""
    return minimum(slopes[..., 0] ** 2, slopes[..., 1] ** 2)


def pairs_of_one_point(row: Array, slopes: Array, bias: Array, share: Array) -> Relation:
    r"""Covariances of neurons at one point lie between the slopes, and two neurons with shares of K reach what is between."""
    own, image = (row**2).sum(axis=-1), squared_norm_after(row, slopes) + bias**2
    between = le(flatter(slopes) * own + bias**2, image, name="flat side")
    between = between & le(image, steeper(slopes) * own + bias**2, name="steep side")
    # one neuron of each sign, with these cone weights
    weights, signs = np.stack([share * own, (1 - share) * own], axis=-1), np.array([1, -1]) + 0 * share[..., None]
    squares = HomogeneousActivation(slopes[..., :1], slopes[..., 1:])(signs[..., None])[..., 0] ** 2
    wanted = (share * slopes[..., 0] ** 2 + (1 - share) * slopes[..., 1] ** 2) * own
    return (
        between
        & eq((weights * signs**2).sum(axis=-1), own, name="first number")
        & eq((weights * squares).sum(axis=-1), wanted, name="second number")
    )


def quotients_exist(covariances: Array, shares: Array, slopes: Array, ends: Array) -> Any:
    """Every covariance before a layer is positive."""
    images = images_of(covariances, shares, slopes)
    return (images > 0).all(axis=-1) & (ends[..., 0] > 0)


def images_of(covariances: Array, shares: Array, slopes: Array) -> Array:
    """The second numbers of the pairs."""
    squares = slopes**2
    return np.asarray((shares * squares[..., :1] + (1 - shares) * squares[..., 1:]) * covariances)


def cost_against(factor: Array, covariances: Array, shares: Array, slopes: Array, ends: Array, root: int) -> Relation:
    """The cost of a tuple, and L times a root of the product of its summands for images `factor` times the covariances."""
    before = np.concatenate([ends[..., :1], images_of(covariances, shares, slopes)], axis=-1)
    after = np.concatenate([covariances, ends[..., 1:]], axis=-1)
    depth = after.shape[-1]
    product = ends[..., 1] / (ends[..., 0] * factor ** (depth - 1))
    return le(depth * power(product, Fraction(1, root)), (after / before).sum(axis=-1))


def cost_of_one_point(covariances: Array, shares: Array, slopes: Array, ends: Array) -> Relation:
    r"""Costs of tuples for one point against the smallest, without bias.

    `ends` are :math:`x^2` and :math:`y^2`, and :math:`K^\sigma = (ta^2 + (1 - t)d^2)K` for the shares t.
    """
    return cost_against(steeper(slopes), covariances, shares, slopes, ends, covariances.shape[-1] + 1)


# False variants


def flat_slope_above(row: Array, slopes: Array, bias: Array, share: Array) -> Relation:
    """The upper bound with the smaller slope."""
    del share
    return le(squared_norm_after(row, slopes) + bias**2, flatter(slopes) * (row**2).sum(axis=-1) + bias**2)


def bias_on_one_side(row: Array, slopes: Array, bias: Array, share: Array) -> Relation:
    """The upper bound without the bias."""
    del share
    return le(squared_norm_after(row, slopes) + bias**2, steeper(slopes) * (row**2).sum(axis=-1))


def cost_with_the_smaller_slope(covariances: Array, shares: Array, slopes: Array, ends: Array) -> Relation:
    """The bound with min(|a|, |d|)."""
    smaller = np.where(np.asarray(flatter(slopes) > 0), flatter(slopes), steeper(slopes))
    return cost_against(smaller, covariances, shares, slopes, ends, covariances.shape[-1] + 1)


def exponent_of_one_more_layer(covariances: Array, shares: Array, slopes: Array, ends: Array) -> Relation:
    """The bound with the exponent 2/(L + 1)."""
    return cost_against(steeper(slopes), covariances, shares, slopes, ends, covariances.shape[-1] + 2)


# Sharp instances


def neuron(value: int, *slopes: object) -> dict[str, Array]:
    """One neuron with this value."""
    numbers = {"row": [value], "slopes": slopes, "bias": 1, "share": "1/3"}
    return {name: rationals(number) for name, number in numbers.items()}


def optimal_tuple(depth: int, slopes: Sequence[int]) -> dict[str, Array]:
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
    title="Pairs of covariances of one data point lie between the slopes",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=pairs_of_one_point,
    domain=Domain(
        {"row": reals("width"), "slopes": SLOPES, "bias": interval(0, 2), "share": interval(0, 1)},
        {"width": (1, 2, 4)},
    ),
    tight={
        "a positive neuron": Tight(partial(neuron, 3, 1, "1/2"), of=("steep side",)),
        "a negative neuron": Tight(partial(neuron, -3, 1, "1/2"), of=("flat side",)),
        "a positive neuron, steeper below zero": Tight(partial(neuron, 3, "1/2", "-1/3"), of=("steep side",)),
        "a positive neuron, flatter above zero": Tight(partial(neuron, 3, "1/2", -1), of=("flat side",)),
    },
    false_neighbours={"at most the flat slope": flat_slope_above, "the bias on one side": bias_on_one_side},
)

ONE_POINT_COST = Claim(
    id="feature_learning.prop_3.one_point_cost",
    title="One data point costs L times the ratio of its norms to the power 2/L",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=cost_of_one_point,
    domain=Domain(
        {
            "covariances": interval(0, np.inf, lambda sizes: sizes["depth"] - 1),
            "shares": interval(0, 1, lambda sizes: sizes["depth"] - 1),
            "slopes": SLOPES,
            "ends": interval(0, np.inf, 2),
        },
        {"depth": (2, 3, 4, 6, 14)},
        {"no division by zero": quotients_exist},
    ),
    tight={
        "absolute value, depth 3": Tight(partial(optimal_tuple, 3, (1, -1))),
        "ReLU, depth 6": Tight(partial(optimal_tuple, 6, (1, 0))),
        "steeper below zero, depth 4": Tight(partial(optimal_tuple, 4, (1, -2))),
    },
    false_neighbours={
        "the smaller slope": cost_with_the_smaller_slope,
        "exponent 2/(L + 1)": exponent_of_one_more_layer,
    },
)
