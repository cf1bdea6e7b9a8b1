r"""What the ridge selects: the soft threshold at depth 2, and zero as a local minimum beyond.

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
Sharp
    The soft threshold for values on its side of zero; a chain of equal weights.
Source
    ours, beside the representation cost of linear networks in notion_of_rank.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.balanced import end_to_end
from theorems.notion_of_rank.constructions.scalars import largest_stationary_root, least_objective
from theorems.notion_of_rank.ridge.chain import POSITIVE
from verify import Claim, Domain, Networks, Ours, Q, Relation, Source, Tight, eq, ge, reals
from verify.arithmetic import Array, absolute, maximum, power, rationals, sqrt
from verify.matrices import frobenius_norm_squared
from verify.networks import FullyConnected, identity


def soft_threshold(target: Array, ridge: Array) -> Array:
    """The minimiser of ``(a - t)^2 + 2 lam |a|``, entrywise, for any sign of the target."""
    zero = 0 * target
    return np.asarray(maximum(target - ridge, zero) - maximum(-target - ridge, zero))


def strong_convexity(value: Array, target: Array, ridge: Array, curvature: Q | int = 1) -> Relation:
    """The inequality that makes the soft threshold the minimiser."""
    return grows_from(soft_threshold(target, ridge), value, target, ridge, curvature)


def grows_from(best: Array, value: Array, target: Array, ridge: Array, curvature: Q | int = 1) -> Relation:
    """``G(value)`` against ``G(best)`` and the square of their distance."""
    found, least = ((a - target) ** 2 + 2 * ridge * absolute(a) for a in (value, best))
    return ge(found, least + curvature * (value - best) ** 2)


def growth_at_zero(network: FullyConnected, target: Array, ridge: Array, cross: Q | int = 2) -> Relation:
    """The objective of a linear network against that of the zero network."""
    product, norm, zero = end_to_end(network), network.weight_norm_squared, frobenius_norm_squared(target)
    found = frobenius_norm_squared(product - target) + ridge * norm
    reach = sqrt(zero) * power(norm / network.depth, Fraction(network.depth, 2))
    return ge(found, zero + frobenius_norm_squared(product) + ridge * norm - cross * reach)


# False variants


def half_the_threshold(value: Array, target: Array, ridge: Array) -> Relation:
    """A threshold at lambda / 2."""
    return grows_from(soft_threshold(target, ridge / 2), value, target, ridge)


def hard_threshold(value: Array, target: Array, ridge: Array) -> Relation:
    """A value that is kept as it is above the threshold."""
    best = soft_threshold(target, ridge)
    return grows_from(np.where(best == 0, best, target), value, target, ridge)


def growth_with_one_norm_less(network: FullyConnected, target: Array, ridge: Array) -> Relation:
    """The cross term with the exponent of one layer more."""
    product, norm, zero = end_to_end(network), network.weight_norm_squared, frobenius_norm_squared(target)
    found = frobenius_norm_squared(product - target) + ridge * norm
    reach = sqrt(zero) * power(norm / network.depth, Fraction(network.depth + 1, 2))
    return ge(found, zero + frobenius_norm_squared(product) + ridge * norm - 2 * reach)


# Single numbers, and tight examples


def isolated_soft_thresholds() -> Relation:
    """At depth 2, the minimum by isolation of roots is that of the soft threshold."""
    ridge, relation = rationals("1/4"), Relation(())
    for text in ("0", "1/8", "1/4", "1/2", "5/4", "5/2"):
        target = rationals(text)
        best = soft_threshold(target, ridge)
        stated = (best - target) ** 2 + 2 * ridge * best
        relation &= eq(least_objective(target, ridge, 2), stated)
        relation &= eq(largest_stationary_root(target, ridge, 2) ** 2, best)
    return relation


def aligned_chain(depth: int, weight: object, target: object) -> dict[str, Any]:
    """Equal weights, one neuron in every layer."""
    network = FullyConnected([rationals([[weight]])] * depth, activation=identity())
    return {"network": network, "target": rationals([[target]]), "ridge": rationals("1/2")}


def numbers(value: object, target: object, ridge: object) -> dict[str, Array]:
    """A value, a target and a ridge."""
    return {"value": rationals(value), "target": rationals(target), "ridge": rationals(ridge)}


OURS = Source("notion_of_rank", "ours")

SOFT_THRESHOLD = Claim(
    id="notion_of_rank.ridge.soft_threshold",
    title="At depth 2 the minimiser is the soft threshold",
    source=OURS,
    status=Ours(),
    statement=strong_convexity,
    domain=Domain({"value": reals(), "target": reals(), "ridge": POSITIVE}),
    tight={
        "on the same side": Tight(partial(numbers, 1, "5/2", "1/2")),
        "both negative": Tight(partial(numbers, -3, -2, "1/2")),
    },
    false_variants={
        "curvature 11/10": partial(strong_convexity, curvature=Q("11/10")),
        "threshold lambda / 2": half_the_threshold,
        "hard threshold": hard_threshold,
    },
    exact={"isolated roots": isolated_soft_thresholds},
)

LOCAL_MINIMUM = Claim(
    id="notion_of_rank.ridge.local_minimum",
    title="Near zero the zero network is best, from depth 3 on",
    source=OURS,
    status=Ours(),
    statement=growth_at_zero,
    domain=Domain(
        {
            "network": Networks(slope=1, biases=False),
            "target": reals("outputs", "inputs", role="best linear map"),
            "ridge": POSITIVE,
        },
        {"depth": (1, 2, 3, 4, 6, 13), "inputs": range(1, 4), "width": range(1, 5), "outputs": range(1, 4)},
    ),
    tight={
        "depth 2": Tight(partial(aligned_chain, 2, "3/2", 2)),
        "depth 3, on the sphere on which the bound is zero": Tight(partial(aligned_chain, 3, "3/4", 1)),
        "depth 5": Tight(partial(aligned_chain, 5, "1/2", 3)),
    },
    false_variants={
        "cross term 19/10": partial(growth_at_zero, cross=Q("19/10")),
        "no cross term": partial(growth_at_zero, cross=0),
        "exponent (L + 1) / 2": growth_with_one_norm_less,
    },
)
