r"""What regularisation by the representation cost selects: the soft threshold at depth 2, beyond it zero or a jump.

For linear networks ``ridge`` reduces the regularised problem to

.. math:: \min_a G(a), \qquad G(a) = (a - t)^2 + \lambda L |a|^{2/L}, \qquad t, \lambda > 0,

one for each singular value t of the target. What is checked:

- L = 2 (``.soft_threshold``): the minimiser is :math:`\hat a = \mathrm{sign}(t)\max(|t| - \lambda, 0)`, because
  :math:`G(a) \ge G(\hat a) + (a - \hat a)^2`;
- L >= 3: zero is a strict local minimum for every t, because :math:`|a|^{2/L}` has an infinite slope there. In parameters
  (``.local_minimum``): with P the product of the weights and :math:`n = \|w\|^2`,

  .. math:: \|P - T\|_F^2 + \lambda n \ge \|T\|_F^2 + \|P\|_F^2 + \lambda n - 2\|T\|_F (n/L)^{L/2} ,

  so that no w with :math:`2\|T\|_F(n/L)^{L/2-1} \le \lambda L` is better than w = 0;
- L >= 3: the global minimiser jumps. With the root v of the size :math:`v^L = \frac{L-2}{L-1}t` of the jump and
  :math:`\lambda^* = v^{2L-2}/(L-2)`,

  .. math:: G(u^L) \ge t^2 + L u^2 (\lambda - \lambda^*) \quad \text{for } u \ge 0,

  with equality at u = v (``.critical``): zero is a global minimiser if and only if :math:`\lambda \ge \lambda^*`. And no value
  between is one (``.jump``): :math:`G(u^L) \ge \min\{G(0), G(v^L)\}` for :math:`0 \le u \le v`, strictly inside.

At L = 2 the size of the jump is 0 and :math:`\lambda^* = t`. Idea of the proof of the last two: :math:`G(u^L) - t^2 = u^2h(u)`
with :math:`h(u) = u^{2L-2} - 2tu^{L-2} + \lambda L`, which decreases up to v, increases after it, and has the value
:math:`L(\lambda - \lambda^*)` there.

Source: ours, beside the representation cost of linear networks in notion_of_rank.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.given_depth import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.linear_networks import end_to_end
from theorems.notion_of_rank.ridge import POSITIVE, largest_stationary_root, least_objective, objective
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, eq, ge, interval, le, reals
from verify.arithmetic import Array, absolute, maximum, minimum, power, rationals, sqrt
from verify.matrices import frobenius_norm_squared
from verify.networks import FullyConnected, identity


def soft_threshold(target: Array, ridge: Array) -> Array:
    """The minimiser of ``(a - t)^2 + 2 lam |a|``, entrywise, for any sign of the target."""
    zero = 0 * target
    return np.asarray(maximum(target - ridge, zero) - maximum(-target - ridge, zero))


def strong_convexity(
    value: Array, target: Array, ridge: Array, thresholds: int = 100, curvature: int = 10_000, hard: bool = False
) -> Relation:
    """The inequality that makes the soft threshold the minimiser; false neighbours threshold elsewhere, or ask for more."""
    best = soft_threshold(target, ridge * thresholds / 100)
    if hard:
        best = np.where(best == 0, best, target)
    found, least = ((a - target) ** 2 + 2 * ridge * absolute(a) for a in (value, best))
    return ge(found, least + (value - best) ** 2 * curvature / 10_000, scale=value**2 + target**2 + found)


def growth_at_zero(network: FullyConnected, target: Array, ridge: Array, cross: int = 20_000, fit: int = 10_000) -> Relation:
    """The objective of a linear network against that of the zero network; factors in units of 1/10000."""
    product, depth, norm = end_to_end(network), network.depth, network.weight_norm_squared
    zero = frobenius_norm_squared(target)
    found = frobenius_norm_squared(product - target) + ridge * norm
    interaction = sqrt(zero) * power(norm / depth, Fraction(depth, 2)) * cross / 10_000
    least = zero + frobenius_norm_squared(product) * fit / 10_000 + ridge * norm - interaction
    return ge(found, least, scale=zero + found + interaction)


def target_of_the_jump(jump: Array, depth: int) -> Array:
    r"""The target t whose minimiser jumps to :math:`v^L`: :math:`t = \frac{L-1}{L-2}v^L`.

    Raises
    ------
    ValueError
        `depth` is below 3: at depth 2 there is no jump, at depth 1 no threshold.
    """
    if depth < 3:
        raise ValueError(f"depth must be at least 3, got {depth}: the minimiser depends continuously on the ridge")
    return np.asarray(jump**depth * (depth - 1) / (depth - 2))


def critical_ridge(jump: Array, depth: int) -> Array:
    r""":math:`\lambda^* = v^{2L-2}/(L-2)`: from there on zero is a global minimiser.

    Raises
    ------
    ValueError
        `depth` is below 3.
    """
    if depth < 3:
        raise ValueError(f"depth must be at least 3, got {depth}")
    return np.asarray(jump ** (2 * depth - 2) / (depth - 2))


def against_zero(jump: Array, root: Array, ridge: Array, depth: Depth, critical: int = 10_000) -> Relation:
    """The objective at a root against that at zero; the critical ridge is in units of 1/10000."""
    layers = depth.depth
    target = target_of_the_jump(jump, layers)
    gain = layers * root**2 * (ridge - critical_ridge(jump, layers) * critical / 10_000)
    found = objective(root, target, ridge, layers)
    return ge(found, target**2 + gain, scale=found + target**2 + layers * root**2 * ridge)


def nothing_between(jump: Array, share: Array, ridge: Array, depth: Depth, reach: int = 100, zero: bool = True) -> Relation:
    """No root between 0 and that of the jump is better than both; `reach`, in percent, is how far that is said to go."""
    target = target_of_the_jump(jump, depth.depth)
    found = objective(share * jump * reach / 100, target, ridge, depth.depth)
    ends = objective(jump, target, ridge, depth.depth)
    best = minimum(ends, target**2) if zero else ends
    return ge(found, best, scale=found + target**2)


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


def jump_at_depth_four() -> Relation:
    r"""For L = 4, t = 1 the jump is at :math:`\lambda = \sqrt{2/27} = 0.2721\ldots`, from above 2/3 to 0."""
    one = rationals(1)
    before, after = rationals("2721/10000"), rationals("2722/10000")
    root = largest_stationary_root(one, before, 4)
    least = least_objective(one, before, 4)
    return (
        ge(root**4, one * 2 / 3)
        & le(least + rationals("1/20000"), one)
        & eq(least_objective(one, after, 4), one)
        & ge(objective(largest_stationary_root(one, after, 4), one, after, 4), one + rationals("1/20000"))
        & le(before**2, rationals("2/27"))
        & ge(after**2, rationals("2/27"))
    )


def aligned_chain(depth: int, weight: object, target: object) -> dict[str, Any]:
    """Equal weights, one neuron in every layer."""
    network = FullyConnected([rationals([[weight]])] * depth, activation=identity())
    return {"network": network, "target": rationals([[target]]), "ridge": rationals("1/2")}


def at_the_jump(depth: int, jump: object) -> dict[str, Any]:
    """The critical ridge, and the root to which the minimiser jumps."""
    v = rationals(jump)
    return {"jump": v, "root": v, "share": rationals(1), "ridge": critical_ridge(v, depth), "depth": Depth(depth)}


OURS = Source("notion_of_rank", "ours")
JUMPS = {"depth": GIVEN_DEPTH, "jump": interval(1 / 4, 2), "ridge": POSITIVE}
DEPTHS = {"depth": range(3, 8)}

SOFT_THRESHOLD = Claim(
    id="notion_of_rank.ridge.soft_threshold",
    title="Depth 2: the soft threshold",
    source=OURS,
    status=Ours(),
    statement=strong_convexity,
    domain=Domain({"value": reals(), "target": reals(), "ridge": POSITIVE}),
    tight={
        "on the same side": Tight(lambda: dict(zip(("value", "target", "ridge"), rationals([1, "5/2", "1/2"]), strict=True))),
        "both negative": Tight(lambda: dict(zip(("value", "target", "ridge"), rationals([-3, -2, "1/2"]), strict=True))),
    },
    false_neighbours={
        "threshold lambda / 2": partial(strong_convexity, thresholds=50),
        "threshold 1.01 lambda": partial(strong_convexity, thresholds=101),
        "hard threshold": partial(strong_convexity, hard=True),
        "curvature 1.0001": partial(strong_convexity, curvature=10_001),
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
            "network": Networks(inputs="inputs", width="width", outputs="outputs", slope=1, biases=False),
            "target": reals("outputs", "inputs"),
            "ridge": POSITIVE,
        },
        {"depth": range(2, 5), "inputs": (2,), "width": range(1, 3), "outputs": range(1, 3)},
    ),
    tight={
        "depth 2": Tight(partial(aligned_chain, 2, "3/2", 2)),
        "depth 3, on the sphere on which the bound is zero": Tight(partial(aligned_chain, 3, "3/4", 1)),
        "depth 5": Tight(partial(aligned_chain, 5, "1/2", 3)),
    },
    false_neighbours={
        "twice the distance counted 1.0001 times": partial(growth_at_zero, fit=10_001),
        "interaction 1.98": partial(growth_at_zero, cross=19_800),
        "interaction 1.9998": partial(growth_at_zero, cross=19_998),
        "no interaction": partial(growth_at_zero, cross=0),
    },
)

CRITICAL = Claim(
    id="notion_of_rank.ridge.critical",
    title="The ridge at which zero becomes a global minimiser",
    source=OURS,
    status=Ours(),
    statement=against_zero,
    domain=Domain({**JUMPS, "root": interval(0, np.inf)}, DEPTHS),
    tight={
        "depth 3": Tight(partial(at_the_jump, 3, "3/2")),
        "depth 4": Tight(partial(at_the_jump, 4, "2/3")),
        "depth 9": Tight(partial(at_the_jump, 9, 1)),
    },
    false_neighbours={
        "critical ridge 1 % lower": partial(against_zero, critical=9_900),
        "critical ridge 0.01 % lower": partial(against_zero, critical=9_999),
        "zero is always a global minimiser": partial(against_zero, critical=0),
    },
)

JUMP = Claim(
    id="notion_of_rank.ridge.jump",
    title="No minimiser between zero and the jump",
    source=OURS,
    status=Ours(),
    statement=nothing_between,
    domain=Domain({**JUMPS, "share": interval(0, 1)}, DEPTHS),
    tight={"depth 3": Tight(partial(at_the_jump, 3, "3/2")), "depth 5": Tight(partial(at_the_jump, 5, "4/5"))},
    false_neighbours={
        "a jump 10 % longer": partial(nothing_between, reach=110),
        "a jump 1 % longer": partial(nothing_between, reach=101),
        "without zero": partial(nothing_between, zero=False),
    },
    exact={"depth 4": jump_at_depth_four},
)
