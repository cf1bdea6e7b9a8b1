r"""For at most two points Proposition 3 is empty.

Statement
    For N at most 2, let A have finite cost and the negative part :math:`A^- = \bar\sigma(-A)`. Then for t from 0 to 1

    .. math:: \|A + tA^-\|_K^2 \le \|A\|_K^2 - (2t - t^2)\|A^-\|_K^2 , \qquad
              \|A^-\|_K^2\|\sigma(A)\|_{op}^2 \ge \|A^-\|_F^2 .

    So a representation of finite cost with a negative entry is no local minimum.
Checked
    Both inequalities; that 3 points need not obey the first; the kernel stays what it is as the negative entries shrink.
Proof idea
    The left side is :math:`\|A\|_K^2 - (2t - t^2)\|A^-\|_K^2 + 2t\mathrm{Tr}[\bar\sigma(A)K^+A^{-T}]`. A row and its negative
    part share no place, and the entry of :math:`K^{-1}` off the diagonal is negative, for that of K is at least 1. If K is
    singular, then rows of finite cost are constant.
Tight
    Each neuron of one sign; one active neuron.
Not checked
    Whether a local minimum of finite cost with a negative entry exists for 3 points and more: see ``negative_entries``.
Source
    leaky_resnets, Proposition 3; the statement is derived here.
"""

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, cost, is_finite, sigma
from verify import Claim, DerivedHere, Domain, Source, Tight, interval
from verify.words import ge, le, norm2, operator_norm, pinv, relu


def negative_cost(A):
    r""":math:`\|A^-\|_K^2`."""
    return norm2(relu(-A) @ pinv(sigma(A)))


def negative_entries_cost(A, t, second=1):
    return le(cost(A + t * relu(-A)) + (2 * t - second * t**2) * negative_cost(A), cost(A), name="saved") & ge(
        negative_cost(A) * operator_norm(sigma(A)) ** 2, norm2(relu(-A)), name="positive"
    )


def whole_cost_of_a_negative_part(A):
    """As if the features had the operator norm 1."""
    return ge(negative_cost(A), norm2(relu(-A)))


TWO_POINTS = Claim(
    id="leaky_resnets.prop_3.two_points",
    title="For at most two points no local minimum has a negative entry",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=negative_entries_cost,
    domain=Domain(
        {"A": REPRESENTATION, "t": interval(0, 1, role="free")},
        {"width": range(1, 5), "points": range(1, 4)},
        {"the cost is finite": is_finite, "at most two points": lambda A: A.shape[1] <= 2},
    ),
    needs=("the cost is finite", "at most two points"),
    tight={
        # a positive neuron for each point, a negative constant one, for which the features are longest
        "neurons of one sign": Tight(lambda: {"A": [[1, 0], [0, 1], [-2, -2]], "t": "1/2"}, of=("saved", "positive"))
    },
    false_variants={
        "to first order": {"second": 0},
        "without the norm of the features": whole_cost_of_a_negative_part,
    },
    cost=4,
)
