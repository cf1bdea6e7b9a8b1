r"""Proposition 5, the bias: it is small on average.

Statement
    .. math:: \int_0^1\|b_p/L\|^2dp \le \frac{\|W_1\|^2}{2L^3} .
Checked
    On trajectories in which only the biases act, in closed form, and on integrated ones.
Proof idea
    Proposition 10: :math:`2L\int\|b_p\|^2dp = \|W_1\|^2 - \|W_0\|^2`.
Tight
    Growth for so long that the first weights are small beside the last.
Source
    leaky_resnets, Proposition 9 of the appendix, proof; the bound is derived here.
"""

from theorems.leaky_resnets.constructions.growth import GROWING, pure_bias_growth
from theorems.leaky_resnets.constructions.trajectories import cost
from verify import Claim, DerivedHere, Source, Tight
from verify.numbers.arithmetic import rational, rationals
from verify.words import le


def mean_bias(growth, two=2):
    r""":math:`2L\int\|b_p/L\|^2dp` against :math:`\|W_1\|^2/L^2`."""
    return le(two * growth.integral, growth.last)


def mean_bias_by_first_weights(growth):
    return le(2 * growth.integral, growth.first)


def long_growth():
    """A negative activation on which only the bias acts, for so long that the first weights are small beside the last."""
    return {"growth": pure_bias_growth(rationals([[-1]]), rationals([[-1]]), rational(10_000))}


BIAS = Claim(
    id="leaky_resnets.prop_5.mean_bias",
    title="The bias is small on average",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=mean_bias,
    domain=GROWING,
    tight={"long growth": Tight(long_growth, 2e-8, "approached as the first weights vanish beside the last")},
    false_variants={
        "twice as much": {"two": 4},
        "the first weights": mean_bias_by_first_weights,
    },
    cost=cost,
)
