r"""The ridge gives the soft threshold at depth 2.

Statement
    For linear networks ``chain`` reduces the regularised problem to :math:`G(a) = (a - t)^2 + \lambda L |a|^{2/L}`, one for
    each singular value t of the target. At L = 2 the minimiser is the soft threshold
    :math:`\hat a = \mathrm{sign}(t)\max(|t| - \lambda, 0)` (``.soft_threshold``):

    .. math:: G(a) \ge G(\hat a) + (a - \hat a)^2 .

    From L = 3 on zero is a strict local minimum for every target T. With P the product of the weights and
    :math:`n = \|w\|^2` (``.local_minimum``)

    .. math:: \|P - T\|_F^2 + \lambda n \ge \|T\|_F^2 + \|P\|_F^2 + \lambda n - 2\|T\|_F (n/L)^{L/2} ,

    so that no w with :math:`2\|T\|_F(n/L)^{L/2-1} \le \lambda L` is better than w = 0.
Checked
    Both inequalities as they stand. At depth 2 the soft threshold is also what the isolation of roots finds.
Proof idea
    Strong convexity; Cauchy and Schwarz, and the inequality of means.
Tight
    The soft threshold for values on its side of zero; a chain of equal weights.
Source
    Derived here, beside the representation cost of linear networks in notion_of_rank.
"""

from functools import partial

from theorems.notion_of_rank.ridge.chain import POSITIVE
from theorems.shared.balanced import end_to_end
from theorems.shared.scalars import largest_stationary_root, least_objective
from verify import Claim, DerivedHere, Domain, Networks, Q, Source, reals
from verify.networks import FullyConnected, identity
from verify.numbers.arithmetic import rationals
from verify.words import absolute, eq, ge, lifted, norm, norm2, power, relu, where

product = lifted(end_to_end)


def G(a, t, ridge):
    return (a - t) ** 2 + 2 * ridge * absolute(a)


def soft_threshold(t, ridge):
    return relu(t - ridge) - relu(-t - ridge)


def strong_convexity(a, t, ridge, curvature=1, share=1):
    best = soft_threshold(t, share * ridge)
    return ge(G(a, t, ridge), G(best, t, ridge) + curvature * (a - best) ** 2)


def hard_threshold(a, t, ridge):
    """A value that is kept as it is above the threshold."""
    best = where(soft_threshold(t, ridge) == 0, 0, t)
    return ge(G(a, t, ridge), G(best, t, ridge) + (a - best) ** 2)


def growth_at_zero(f, T, ridge, cross=2, more=0):
    P, n, L = product(f), f.weight_norm_squared, f.depth
    least = norm2(T) + norm2(P) + ridge * n - cross * norm(T) * power(n / L, Q(L + more, 2))
    return ge(norm2(P - T) + ridge * n, least)


def isolated_soft_thresholds():
    """At depth 2, the minimum by isolation of roots is that of the soft threshold."""
    t, ridge = rationals([0, "1/8", "1/4", "1/2", "5/4", "5/2"]), rationals("1/4")
    a = soft_threshold(t, ridge)
    return eq(least_objective(t, ridge, 2), G(a, t, ridge)) & eq(largest_stationary_root(t, ridge, 2) ** 2, a)


def aligned_chain(L, weight, t):
    """Equal weights, one neuron in every layer."""
    f = FullyConnected([rationals([[weight]])] * L, activation=identity())
    return {"f": f, "T": [[t]], "ridge": "1/2"}


OURS = Source("notion_of_rank", "derived here")

SOFT_THRESHOLD = Claim(
    id="notion_of_rank.ridge.soft_threshold",
    title="At depth 2 the minimiser is the soft threshold",
    source=OURS,
    status=DerivedHere(),
    statement=strong_convexity,
    domain=Domain({"a": reals(), "t": reals(), "ridge": POSITIVE}),
    tight={
        "on the same side": {"a": 1, "t": "5/2", "ridge": "1/2"},
        "both negative": {"a": -3, "t": -2, "ridge": "1/2"},
    },
    false_variants={
        "curvature 11/10": {"curvature": Q("11/10")},
        "threshold lambda / 2": {"share": Q(1, 2)},
        "hard threshold": hard_threshold,
    },
    exact={"isolated roots": isolated_soft_thresholds},
)

LOCAL_MINIMUM = Claim(
    id="notion_of_rank.ridge.local_minimum",
    title="Near zero the zero network is best, from depth 3 on",
    source=OURS,
    status=DerivedHere(),
    statement=growth_at_zero,
    domain=Domain(
        {
            "f": Networks(slope=1, biases=False),
            "T": reals("outputs", "inputs", role="best linear map"),
            "ridge": POSITIVE,
        },
        {"depth": (1, 2, 3, 4, 6, 13), "inputs": range(1, 4), "width": range(1, 5), "outputs": range(1, 4)},
    ),
    tight={
        "depth 2": partial(aligned_chain, 2, "3/2", 2),
        "depth 3, on the sphere on which the bound is zero": partial(aligned_chain, 3, "3/4", 1),
        "depth 5": partial(aligned_chain, 5, "1/2", 3),
    },
    false_variants={
        "cross term 19/10": {"cross": Q("19/10")},
        "no cross term": {"cross": 0},
        "exponent (L + 1) / 2": {"more": 1},
    },
)
