r"""From depth 3 on, the global minimiser jumps to zero.

Statement
    Let :math:`G(a) = (a - t)^2 + \lambda L |a|^{2/L}` with L >= 3 and t > 0, let v be the root with
    :math:`v^L = \frac{L-2}{L-1}t`, and :math:`\lambda^* = v^{2L-2}/(L-2)`. Then for u >= 0 (``.critical``)

    .. math:: G(u^L) \ge t^2 + L u^2 (\lambda - \lambda^*)

    with equality at u = v: zero is a global minimiser if and only if :math:`\lambda \ge \lambda^*`. No value between zero and
    :math:`v^L` is one (``.jump``): :math:`G(u^L) \ge \min\{G(0), G(v^L)\}` for :math:`0 \le u \le v`, strictly inside.
Correction
    "Rank underestimation never happens" for large N, the talk concludes from a comparison of fits. With a ridge no fit need be
    a minimiser: for one number and the inputs of mean square 1 the loss is G, whatever N is, and the best product that is not
    zero can cost more than zero (``.critical.printed``).
Checked
    Both for all u. For L = 4 and t = 1 the jump is between :math:`\lambda = 0.2721` and 0.2722, decided by isolated roots. At
    L = 2 the size of the jump is 0 and :math:`\lambda^* = t`.
Proof idea
    :math:`G(u^L) - t^2 = u^2h(u)` with :math:`h(u) = u^{2L-2} - 2tu^{L-2} + \lambda L`, which decreases up to v, increases
    after it, and has the value :math:`L(\lambda - \lambda^*)` there.
Tight
    u = v.
Source
    Derived here, beside the representation cost of linear networks in notion_of_rank.
"""

from functools import partial

import numpy as np

from theorems.notion_of_rank.ridge.threshold import OURS
from theorems.shared.scalars import largest_stationary_root, least_objective
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Q, Source, interval
from verify.numbers.arithmetic import rationals
from verify.words import eq, ge, le, minimum


def G(u, t, ridge, L):
    """At the value u^L."""
    return (u**L - t) ** 2 + ridge * L * u**2


def target_of_the_jump(v, L):
    r"""The target whose minimiser jumps to :math:`v^L`."""
    return v**L * (L - 1) / (L - 2)


def critical_ridge(v, L, less=2):
    return v ** (2 * L - 2) / (L - less)


def against_zero(v, u, ridge, depth, less=2):
    L, t = depth, target_of_the_jump(v, depth)
    return ge(G(u, t, ridge, L), t**2 + L * u**2 * (ridge - critical_ridge(v, L, less)))


def best_of_rank_one(u, ridge, depth):
    """The loss at the stationary point u, of the target that has it, against the loss of zero."""
    t = u**depth + ridge / u ** (depth - 2)
    return le(G(u, t, ridge, depth), t**2)


def always_above_zero(v, u, ridge, depth):
    t = target_of_the_jump(v, depth)
    return ge(G(u, t, ridge, depth), t**2)


def nothing_between(v, share, ridge, depth, stretch=1):
    L, t, u = depth, target_of_the_jump(v, depth), stretch * share * v
    return ge(G(u, t, ridge, L), minimum(t**2, G(v, t, ridge, L)))


def nothing_below_the_jump(v, share, ridge, depth):
    t = target_of_the_jump(v, depth)
    return ge(G(share * v, t, ridge, depth), G(v, t, ridge, depth))


def jump_at_depth_four():
    r"""For L = 4, t = 1 the jump is at :math:`\lambda = \sqrt{2/27} = 0.2721\ldots`, from above 2/3 to 0."""
    t, before, after = rationals(1), rationals("2721/10000"), rationals("2722/10000")
    return (
        ge(largest_stationary_root(t, before, 4) ** 4, Q(2, 3))
        & le(least_objective(t, before, 4) + Q(1, 20000), 1)
        & eq(least_objective(t, after, 4), 1)
        & ge(G(largest_stationary_root(t, after, 4), t, after, 4), 1 + Q(1, 20000))
        & le(before**2, Q(2, 27))
        & ge(after**2, Q(2, 27))
    )


def at_the_jump(L, v):
    """The critical ridge, and the root to which the minimiser jumps."""
    return {"v": v, "u": v, "share": 1, "ridge": critical_ridge(Q(v), L), "depth": L}


JUMPS = {"v": interval(Q("1/4"), 2), "ridge": interval(Q("1/64"), 8)}
DEPTHS = {"depth": (3, 4, 5, 6, 13)}

CRITICAL = Claim(
    id="notion_of_rank.ridge.critical",
    title="From a critical ridge on zero is a global minimiser",
    source=OURS,
    status=DerivedHere(),
    statement=against_zero,
    domain=Domain({**JUMPS, "u": interval(0, np.inf)}, DEPTHS),
    tight={
        "depth 3": partial(at_the_jump, 3, "3/2"),
        "depth 4": partial(at_the_jump, 4, "2/3"),
        "depth 9": partial(at_the_jump, 9, 1),
    },
    false_variants={"L - 1 for L - 2": {"less": 1}, "zero is always a global minimiser": always_above_zero},
)

JUMP = Claim(
    id="notion_of_rank.ridge.jump",
    title="No minimiser is between zero and the jump",
    source=OURS,
    status=DerivedHere(),
    statement=nothing_between,
    domain=Domain({**JUMPS, "share": interval(0, 1)}, DEPTHS),
    tight={"depth 3": partial(at_the_jump, 3, "3/2"), "depth 5": partial(at_the_jump, 5, "4/5")},
    false_variants={"a longer jump": {"stretch": Q("101/100")}, "without zero": nothing_below_the_jump},
    exact={"depth 4": jump_at_depth_four},
)

PRINTED = Claim(
    id="notion_of_rank.ridge.critical.printed",
    title="The best network of the true rank is better than zero, for every ridge",
    source=Source("notion_of_rank", "Proposition 5"),
    status=FalseAsPrinted(corrected_by=CRITICAL.id),
    statement=best_of_rank_one,
    domain=Domain({"u": interval(Q("1/4"), 2), "ridge": interval(Q("1/64"), 8)}, DEPTHS),
)
