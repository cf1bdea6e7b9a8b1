"""A window always begins at depth 1.

For rank k and a cost of kL + C beyond the constants the power (k + C/L)^L does not decrease with L, if k is at least 1 and the
cost is positive.
"""

import numpy as np

from theorems.notion_of_rank.depth_window.statement import OURS
from verify import Claim, DerivedHere, Domain, Tight, interval, reals
from verify.words import ge, le


def steeper_with_the_depth(k, C, L):
    return le((k + C / L) ** L, (k + C / (L + 1)) ** (L + 1))


def the_other_way(k, C, L):
    return ge((k + C / L) ** L, (k + C / (L + 1)) ** (L + 1))


def cost_per_layer_grows(k, C, L):
    return le(k + C / L, k + C / (L + 1))


RANK = "k >= 1"

INITIAL = Claim(
    id="notion_of_rank.depth_window.initial",
    title="The window begins at depth 1",
    source=OURS,
    status=DerivedHere(),
    statement=steeper_with_the_depth,
    domain=Domain(
        {"k": interval(0, np.inf), "C": reals()},
        {"L": (1, 2, 3, 5, 8, 13)},
        {RANK: lambda k: k >= 1, "positive cost": lambda k, C, L: k * L + C > 0},
    ),
    needs=(RANK,),
    tight={
        "k = 1 without excess": {"k": 1, "C": 0, "L": 7},
        "k = 1 with a small excess": Tight(lambda: {"k": 1, "C": "1/1000", "L": 2}, 1e-6, "to first order they agree"),
    },
    false_variants={"the other way": the_other_way, "the cost per layer grows": cost_per_layer_grows},
)
