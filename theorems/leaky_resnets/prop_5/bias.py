r"""Proposition 5, the bias: it is small on average.

Statement
    .. math:: \int_0^1\|b_p/L\|^2dp \le \frac{\|W_1\|^2}{2L^3} .
Checked
    On trajectories in which only the biases act, in closed form, and on integrated ones.
Proof idea
    Proposition 10: :math:`2L\int\|b_p\|^2dp = \|W_1\|^2 - \|W_0\|^2`.
Sharp
    Growth for so long that the first weights are small beside the last.
Source
    leaky_resnets, Proposition 9 of the appendix, proof; the bound is ours.
"""

from __future__ import annotations

from theorems.leaky_resnets.constructions.growth import GROWING, Growth, price, pure_bias_growth
from verify import Claim, Ours, Relation, Source, Tight, le
from verify.arithmetic import rationals


def mean_bias(growth: Growth) -> Relation:
    r""":math:`2L\int\|b_p/L\|^2dp` against :math:`\|W_1\|^2/L^2`."""
    return le(2 * growth.biases, growth.last)


# False variants


def mean_bias_by_printed_growth(growth: Growth) -> Relation:
    """As Proposition 10 in print would have it: twice as small."""
    return le(4 * growth.biases, growth.last)


def mean_bias_by_first_weights(growth: Growth) -> Relation:
    """The first weights for the last."""
    return le(2 * growth.biases, growth.first)


def long_growth() -> dict[str, Growth]:
    """A negative activation on which only the bias acts, for so long that the first weights are small beside the last."""
    A, B = rationals([[[-1]]]), rationals([[[-1]]])
    return {"growth": pure_bias_growth(A, B, rationals([10_000]))}


BIAS = Claim(
    id="leaky_resnets.prop_5.mean_bias",
    title="The bias is small on average",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=mean_bias,
    domain=GROWING,
    tight={"long growth": Tight(long_growth, 2e-8, "approached as the first weights vanish beside the last")},
    false_neighbours={
        "as Proposition 10 has it in print": mean_bias_by_printed_growth,
        "the first weights": mean_bias_by_first_weights,
    },
    cost=price,
)
