r"""Proposition 3 for one data point.

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
Tight
    Neurons of one sign for each of the bounds. For the cost, :math:`K^\sigma = c^2K` and equal summands: one neuron in each
    layer.
Source
    feature_learning, Proposition 3; the case of one point is derived here.
"""

from functools import partial

import numpy as np

from theorems.feature_learning.constructions.activations import SLOPES
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, interval, reals
from verify.words import concatenate, eq, le, maximum, minimum, norm2, power, relu, vector, where


def activated(z, slopes):
    a, d = slopes
    return a * relu(z) - d * relu(-z)


def pairs_of_one_point(z, slopes, beta, t):
    """What is between is reached by a neuron of each sign, with the shares t and 1 - t of K as cone weights."""
    (a, d), K, K_sigma = slopes, norm2(z), norm2(activated(z, slopes)) + beta**2
    signs, weights = vector(1, -1), vector(t * K, (1 - t) * K)
    return (
        le(minimum(a**2, d**2) * K + beta**2, K_sigma, name="flat side")
        & le(K_sigma, maximum(a**2, d**2) * K + beta**2, name="steep side")
        & eq(weights @ signs**2, K, name="first number")
        & eq(weights @ activated(signs, slopes) ** 2, (t * a**2 + (1 - t) * d**2) * K, name="second number")
    )


def at_most_the_flat_slope(z, slopes, beta):
    a, d = slopes
    return le(norm2(activated(z, slopes)) + beta**2, minimum(a**2, d**2) * norm2(z) + beta**2)


def bias_on_one_side(z, slopes, beta):
    a, d = slopes
    return le(norm2(activated(z, slopes)) + beta**2, maximum(a**2, d**2) * norm2(z))


def images(K, t, slopes):
    r""":math:`K_\ell^\sigma = (t_\ell a^2 + (1 - t_\ell)d^2)K_\ell`."""
    a, d = slopes
    return (t * a**2 + (1 - t) * d**2) * K


def cost_of_one_point(K, t, slopes, ends, slope=maximum, more=0):
    """The ends are x^2 and y^2; between them the tuple has the shares t."""
    (a, d), (xx, yy), L = slopes, ends, len(K) + 1
    cost = (concatenate([K, vector(yy)]) / concatenate([vector(xx), images(K, t, slopes)])).sum()
    return le(L * power(yy / (slope(a**2, d**2) ** (L - 1) * xx), Q(1, L + more)), cost)


def smaller_if_positive(aa, dd):
    return where(minimum(aa, dd) > 0, minimum(aa, dd), maximum(aa, dd))


def quotients_exist(K, t, slopes, ends):
    return (images(K, t, slopes) > 0).all() & (ends[0] > 0)


def neuron(value, *slopes):
    return {"z": [value], "slopes": list(slopes), "beta": 1, "t": "1/3"}


def optimal_tuple(depth, slopes):
    """For x = 1, costs of 4 in every layer, all on the steeper side: y^2 is 4^L c^(2L - 2)."""
    cc = max(slope**2 for slope in slopes)
    K = [4 ** (layer + 1) * cc**layer for layer in range(depth)]
    share = int(slopes[0] ** 2 == cc)
    return {"K": K[:-1], "t": [share] * (depth - 1), "slopes": list(slopes), "ends": [1, K[-1]]}


ONE_POINT = Claim(
    id="feature_learning.prop_3.one_point",
    title="Pairs of covariances of one data point lie between the slopes",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=pairs_of_one_point,
    domain=Domain(
        {
            "z": reals("width", role="values at a point"),
            "slopes": SLOPES,
            "beta": interval(0, 2, role="1"),
            "t": interval(0, 1, role="free"),
        },
        {"width": (1, 2, 4)},
    ),
    tight={
        "a positive neuron": Tight(partial(neuron, 3, 1, "1/2"), of=("steep side",)),
        "a negative neuron": Tight(partial(neuron, -3, 1, "1/2"), of=("flat side",)),
        "a positive neuron, steeper below zero": Tight(partial(neuron, 3, "1/2", "-1/3"), of=("steep side",)),
        "a positive neuron, flatter above zero": Tight(partial(neuron, 3, "1/2", -1), of=("flat side",)),
    },
    false_variants={"at most the flat slope": at_most_the_flat_slope, "the bias on one side": bias_on_one_side},
)

ONE_POINT_COST = Claim(
    id="feature_learning.prop_3.one_point_cost",
    title="One data point costs L times the ratio of its norms to the power 2/L",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=cost_of_one_point,
    domain=Domain(
        {
            "K": interval(0, np.inf, lambda sizes: sizes["depth"] - 1),
            "t": interval(0, 1, lambda sizes: sizes["depth"] - 1),
            "slopes": SLOPES,
            "ends": interval(0, np.inf, 2),
        },
        {"depth": (2, 3, 4, 6, 14)},
        {"no division by zero": quotients_exist},
    ),
    tight={
        "absolute value, depth 3": partial(optimal_tuple, 3, (1, -1)),
        "ReLU, depth 6": partial(optimal_tuple, 6, (1, 0)),
        "steeper below zero, depth 4": partial(optimal_tuple, 4, (1, -2)),
    },
    false_variants={
        "the smaller slope": {"slope": smaller_if_positive},
        "without the slopes": {"slope": lambda aa, dd: 1 + 0 * (aa + dd)},
        "exponent 2/(L + 1)": {"more": 1},
    },
)
