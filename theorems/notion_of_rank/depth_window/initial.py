"""A window always begins at depth 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.depth_window.statement import OURS
from verify import Claim, Domain, Ours, Relation, Tight, ge, interval, le, reals
from verify.arithmetic import Array, compare, rationals


def first_depths(rank: Array, excess: Array, depth: Depth) -> Relation:
    """That the window begins at depth 1: the larger the depth, the steeper rank one may be at the cost kL + C."""
    layers = depth.depth
    return le((rank + excess / layers) ** layers, (rank + excess / (layers + 1)) ** (layers + 1))


def is_at_least_one(rank: Array) -> Array:
    """Whether k >= 1."""
    return np.asarray(compare(rank, 1) >= 0)


def is_positive(rank: Array, excess: Array, depth: Depth) -> Array:
    """Whether the cost kL + C is positive at this depth, and so at the next."""
    return np.asarray(compare(rank * depth.depth + excess, 0) > 0)


# False variants


def cost_per_layer_grows(rank: Array, excess: Array, depth: Depth) -> Relation:
    """The base instead of the power."""
    return le(rank + excess / depth.depth, rank + excess / (depth.depth + 1))


def decreases_with_the_depth(rank: Array, excess: Array, depth: Depth) -> Relation:
    """The other way."""
    return ge((rank + excess / depth.depth) ** depth.depth, (rank + excess / (depth.depth + 1)) ** (depth.depth + 1))


# Sharp instances


def rank_one_without_excess() -> dict[str, Any]:
    """Rank 1 and excess 0: both sides are 1."""
    return {"rank": rationals(1), "excess": rationals(0), "depth": Depth(7)}


INITIAL = Claim(
    id="notion_of_rank.depth_window.initial",
    title="The window begins at depth 1",
    source=OURS,
    status=Ours(),
    statement=first_depths,
    domain=Domain(
        {"rank": interval(0, np.inf), "excess": reals(), "depth": GIVEN_DEPTH},
        {"depth": (1, 2, 3, 5, 8, 13)},
        {"k >= 1": is_at_least_one, "positive cost": is_positive},
    ),
    needs=("k >= 1",),
    tight={
        "k = 1 without excess": Tight(rank_one_without_excess),
        "k = 1 with a small excess": Tight(
            lambda: {"rank": rationals(1), "excess": rationals("1/1000"), "depth": Depth(2)}, 1e-6, "to first order they agree"
        ),
    },
    false_neighbours={
        "the other way": decreases_with_the_depth,
        "the cost per layer grows": cost_per_layer_grows,
    },
)
