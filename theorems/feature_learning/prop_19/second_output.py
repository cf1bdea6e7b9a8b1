r"""Proposition 19 for other outputs: for which Y = (1, y) the segment is spurious.

Statement
    For Y = (1, y) the smallest loss of any width is :math:`L(a, b) - (|y| - \lambda)_+^2`. So the segment is spurious if and
    only if :math:`|y| > \lambda`, and a global minimum otherwise.
Checked
    The lower bound for all networks. For y > 0 the line of `covariance_descent` has the law
    :math:`\delta^2 - 2(y - \lambda)\delta`, which is decided there in symbols.
Proof idea
    A hidden neuron sees one data point, and each output is a soft threshold.
Sharp
    One neuron for each point.
Source
    feature_learning, Proposition 19; the smallest loss for every y is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from theorems.feature_learning.constructions.segment import one_neuron_for_each_point, regularised_loss, segment_value
from verify import Claim, Domain, Ours, Relation, Source, Tight, integers, interval, le, reals
from verify.arithmetic import Array, absolute, maximum
from verify.symbolic import identically_zero


def loss_above(bound: Any, incoming: Array, outgoing: Array, lam: Array, second_output: Array, divisor: Array) -> Relation:
    """No network has a loss below the bound."""
    return le(bound, regularised_loss(incoming, outgoing, lam, divisor, second_output))


def gain(excess: Array, divisor: Array) -> Any:
    """The square of the positive part."""
    return maximum(excess, 0 * excess) ** 2 / divisor


def smallest_loss(incoming: Array, outgoing: Array, lam: Array, second_output: Array, divisor: Array) -> Relation:
    r"""No network has a loss below that of the segment by more than :math:`(|y| - \lambda)_+^2`."""
    excess = absolute(second_output) - divisor * lam
    bound = segment_value(lam, divisor, second_output) - gain(excess, divisor)
    return loss_above(bound, incoming, outgoing, lam, second_output, divisor)


# False variants


def always_global(incoming: Array, outgoing: Array, lam: Array, second_output: Array, divisor: Array) -> Relation:
    """The segment is a global minimum for every y."""
    bound = segment_value(lam, divisor, second_output)
    return loss_above(bound, incoming, outgoing, lam, second_output, divisor)


def threshold_without_the_sign(incoming: Array, outgoing: Array, lam: Array, second_output: Array, divisor: Array) -> Relation:
    """The threshold for y in place of |y|."""
    bound = segment_value(lam, divisor, second_output) - gain(second_output - divisor * lam, divisor)
    return loss_above(bound, incoming, outgoing, lam, second_output, divisor)


def twice_the_threshold(incoming: Array, outgoing: Array, lam: Array, second_output: Array, divisor: Array) -> Relation:
    """Spurious for |y| > 2 lam only."""
    bound = segment_value(lam, divisor, second_output) - gain(absolute(second_output) - 2 * divisor * lam, divisor)
    return loss_above(bound, incoming, outgoing, lam, second_output, divisor)


def values_in_symbols() -> Relation:
    """For y = 1: the spurious value, and the global one, which it meets for lam = 1."""
    import sympy as sp

    lam = sp.Symbol("lam")
    spurious = lam**2 + 1 + 2 * lam * (1 - lam)
    return identically_zero(segment_value(lam, 1) - spurious, spurious - (1 - lam) ** 2 - 2 * lam**2 - 4 * lam * (1 - lam))


SECOND_OUTPUT = Claim(
    id="feature_learning.prop_19.second_output",
    title="The segment is spurious if and only if |y| > lam",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=smallest_loss,
    domain=Domain(
        {
            "incoming": reals("width"),
            "outgoing": reals("width"),
            "lam": interval(0, 0.5),
            "second_output": interval(-2, 2),
            "divisor": integers(1, 2),
        },
        {"width": range(1, 5)},
    ),
    tight={
        "y > lam": Tight(partial(one_neuron_for_each_point, "7/16", "1", "3/4", "3/4")),
        "y > lam, divisor 2": Tight(partial(one_neuron_for_each_point, "7/32", "1", "3/4", "3/4", 2)),
        "y < -lam": Tight(partial(one_neuron_for_each_point, "7/16", "-1", "3/4", "3/4")),
        "|y| < lam": Tight(partial(one_neuron_for_each_point, "7/16", "1/4", "3/4", "0")),
    },
    false_variants={
        "a global minimum for every y": always_global,
        "threshold lam for y in place of |y|": threshold_without_the_sign,
        "threshold 2 lam": twice_the_threshold,
    },
    exact={"values for y = 1": values_in_symbols},
)
