r"""Proposition 19 for other outputs Y = (1, y).

Statement
    For Y = (1, y) the smallest loss of any width is :math:`L(a, b) - (|y| - \lambda)_+^2`. So the segment is spurious if and
    only if :math:`|y| > \lambda`, and a global minimum otherwise.
Checked
    The lower bound for all networks. For y > 0 the line of `covariance_descent` has the law
    :math:`\delta^2 - 2(y - \lambda)\delta`, which is decided there in symbols.
Proof idea
    A hidden neuron sees one data point, and each output is a soft threshold.
Tight
    One neuron for each point.
Source
    feature_learning, Proposition 19; the smallest loss for every y is derived here.
"""

from functools import partial

from theorems.feature_learning.constructions.segment import one_neuron_for_each_point, regularised_loss, segment_value
from verify import Claim, DerivedHere, Domain, Source, integers, interval, reals
from verify.numbers.symbolic import identically_zero
from verify.words import absolute, le, relu


def smallest_loss(W_1, W_2, lam, y, divisor, threshold=1, gain=1):
    least = segment_value(lam, divisor, y) - gain * relu(absolute(y) - threshold * divisor * lam) ** 2 / divisor
    return le(least, regularised_loss(W_1, W_2, lam, divisor, y))


def threshold_without_the_sign(W_1, W_2, lam, y, divisor):
    least = segment_value(lam, divisor, y) - relu(y - divisor * lam) ** 2 / divisor
    return le(least, regularised_loss(W_1, W_2, lam, divisor, y))


def values_in_symbols():
    """For y = 1: the spurious value, and the global one, which it meets for lam = 1."""
    import sympy as sp

    lam = sp.Symbol("lam")
    spurious = lam**2 + 1 + 2 * lam * (1 - lam)
    return identically_zero(segment_value(lam, 1) - spurious, spurious - (1 - lam) ** 2 - 2 * lam**2 - 4 * lam * (1 - lam))


SECOND_OUTPUT = Claim(
    id="feature_learning.prop_19.second_output",
    title="The segment is spurious if and only if |y| > lam",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=smallest_loss,
    domain=Domain(
        {
            "W_1": reals("width"),
            "W_2": reals("width"),
            "lam": interval(0, 0.5),
            "y": interval(-2, 2),
            "divisor": integers(1, 2),
        },
        {"width": range(1, 5)},
    ),
    tight={
        "y > lam": partial(one_neuron_for_each_point, "7/16", "1", "3/4", "3/4"),
        "y > lam, divisor 2": partial(one_neuron_for_each_point, "7/32", "1", "3/4", "3/4", 2),
        "y < -lam": partial(one_neuron_for_each_point, "7/16", "-1", "3/4", "3/4"),
        "|y| < lam": partial(one_neuron_for_each_point, "7/16", "1/4", "3/4", "0"),
    },
    false_variants={
        "a global minimum for every y": {"gain": 0},
        "threshold lam for y in place of |y|": threshold_without_the_sign,
        "threshold 2 lam": {"threshold": 2},
    },
    exact={"values for y = 1": values_in_symbols},
)
