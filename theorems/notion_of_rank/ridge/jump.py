r"""What the ridge selects from depth 3 on: the global minimiser jumps from a positive size to zero.

Statement
    Let :math:`G(a) = (a - t)^2 + \lambda L |a|^{2/L}` with L >= 3 and t > 0, let v be the root with
    :math:`v^L = \frac{L-2}{L-1}t`, and :math:`\lambda^* = v^{2L-2}/(L-2)`. Then for u >= 0 (``.critical``)

    .. math:: G(u^L) \ge t^2 + L u^2 (\lambda - \lambda^*)

    with equality at u = v: zero is a global minimiser if and only if :math:`\lambda \ge \lambda^*`. No value between zero and
    :math:`v^L` is one (``.jump``): :math:`G(u^L) \ge \min\{G(0), G(v^L)\}` for :math:`0 \le u \le v`, strictly inside.
Checked
    Both for all u. For L = 4 and t = 1 the jump is between :math:`\lambda = 0.2721` and 0.2722, decided by isolated roots. At
    L = 2 the size of the jump is 0 and :math:`\lambda^* = t`.
Proof idea
    :math:`G(u^L) - t^2 = u^2h(u)` with :math:`h(u) = u^{2L-2} - 2tu^{L-2} + \lambda L`, which decreases up to v, increases
    after it, and has the value :math:`L(\lambda - \lambda^*)` there.
Sharp
    u = v.
Source
    ours, beside the representation cost of linear networks in notion_of_rank.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.scalars import largest_stationary_root, least_objective, objective
from theorems.notion_of_rank.ridge.threshold import OURS
from verify import Claim, Domain, Ours, Q, Relation, Tight, eq, ge, interval, le
from verify.arithmetic import Array, minimum, rationals


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


def against_zero(jump: Array, root: Array, ridge: Array, depth: Depth) -> Relation:
    """The objective at a root against that at zero."""
    target, critical = target_of_the_jump(jump, depth.depth), critical_ridge(jump, depth.depth)
    return ge(objective(root, target, ridge, depth.depth), target**2 + depth.depth * root**2 * (ridge - critical))


def nothing_between(jump: Array, share: Array, ridge: Array, depth: Depth) -> Relation:
    """No root between 0 and that of the jump is better than both."""
    target = target_of_the_jump(jump, depth.depth)
    ends = objective(jump, target, ridge, depth.depth)
    return ge(objective(share * jump, target, ridge, depth.depth), minimum(ends, target**2))


# False variants


def always_above_zero(jump: Array, root: Array, ridge: Array, depth: Depth) -> Relation:
    """Zero is a global minimiser for every ridge."""
    target = target_of_the_jump(jump, depth.depth)
    return ge(objective(root, target, ridge, depth.depth), target**2 + 0 * root)


def critical_ridge_with_one_power_less(jump: Array, root: Array, ridge: Array, depth: Depth) -> Relation:
    """The critical ridge divided by L - 1 in place of L - 2."""
    target = target_of_the_jump(jump, depth.depth)
    critical = jump ** (2 * depth.depth - 2) / (depth.depth - 1)
    return ge(objective(root, target, ridge, depth.depth), target**2 + depth.depth * root**2 * (ridge - critical))


def nothing_up_to_beyond_the_jump(jump: Array, share: Array, ridge: Array, depth: Depth) -> Relation:
    """The interval, a little longer than the jump."""
    target = target_of_the_jump(jump, depth.depth)
    ends = objective(jump, target, ridge, depth.depth)
    return ge(objective(Q("101/100") * share * jump, target, ridge, depth.depth), minimum(ends, target**2))


def nothing_below_the_jump(jump: Array, share: Array, ridge: Array, depth: Depth) -> Relation:
    """No root below the jump is better than it, zero included."""
    target = target_of_the_jump(jump, depth.depth)
    return ge(objective(share * jump, target, ridge, depth.depth), objective(jump, target, ridge, depth.depth))


# Single numbers, and tight examples


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


def at_the_jump(depth: int, jump: object) -> dict[str, Any]:
    """The critical ridge, and the root to which the minimiser jumps."""
    v = rationals(jump)
    return {"jump": v, "root": v, "share": rationals(1), "ridge": critical_ridge(v, depth), "depth": Depth(depth)}


JUMPS = {"depth": GIVEN_DEPTH, "jump": interval(Q("1/4"), 2), "ridge": interval(Q("1/64"), 8)}
DEPTHS = {"depth": (3, 4, 5, 6, 13)}

CRITICAL = Claim(
    id="notion_of_rank.ridge.critical",
    title="From a critical ridge on zero is a global minimiser",
    source=OURS,
    status=Ours(),
    statement=against_zero,
    domain=Domain({**JUMPS, "root": interval(0, np.inf)}, DEPTHS),
    tight={
        "depth 3": Tight(partial(at_the_jump, 3, "3/2")),
        "depth 4": Tight(partial(at_the_jump, 4, "2/3")),
        "depth 9": Tight(partial(at_the_jump, 9, 1)),
    },
    false_variants={
        "L - 1 for L - 2": critical_ridge_with_one_power_less,
        "zero is always a global minimiser": always_above_zero,
    },
)

JUMP = Claim(
    id="notion_of_rank.ridge.jump",
    title="No minimiser is between zero and the jump",
    source=OURS,
    status=Ours(),
    statement=nothing_between,
    domain=Domain({**JUMPS, "share": interval(0, 1)}, DEPTHS),
    tight={"depth 3": Tight(partial(at_the_jump, 3, "3/2")), "depth 5": Tight(partial(at_the_jump, 5, "4/5"))},
    false_variants={
        "a longer jump": nothing_up_to_beyond_the_jump,
        "without zero": nothing_below_the_jump,
    },
    exact={"depth 4": jump_at_depth_four},
)
