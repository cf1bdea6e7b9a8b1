"""The distance to the rank, in special cases."""

from functools import partial

import numpy as np

from theorems.notion_of_rank.depth_expansion import MATRIX, log_or_zero, singular_values_or_zero
from theorems.notion_of_rank.infinite_depth_limit.statement import LADDER, OURS, SIZES, deep, distances
from verify import Claim, DerivedHere, Domain, Q, Rate, Tight, interval
from verify.words import absolute, exp, ge, le, log, maximum, power, rank, schatten_power, vector


def logs(A):
    return log_or_zero(singular_values_or_zero(A))


def explicit(A, depth, factor=2):
    distance = absolute(schatten_power(A, Q(2, depth)) - rank(A))
    return le(distance, factor * absolute(logs(A)).sum() / depth * (exp(1) - 1))


def log_of_the_determinant(A, depth):
    distance = absolute(schatten_power(A, Q(2, depth)) - rank(A))
    return le(distance, 2 * absolute(logs(A).sum()) / depth * (exp(1) - 1))


def one_for_e_less_one(A, depth):
    return le(absolute(schatten_power(A, Q(2, depth)) - rank(A)), 2 * absolute(logs(A)).sum() / depth)


def unit_determinant(s, depth):
    """For the singular values s and 1/s."""
    L, both = depth, vector(s, 1 / s)
    distance = power(both, Q(2, L)).sum() - 2
    return ge(distance, 2 * (log(both) ** 2).sum() / L**2, name="from below") & le(
        distance, 2 * (log(both) ** 2 * maximum(power(both, Q(2, L)), 1)).sum() / L**2, name="from above"
    )


def without_the_maximum(s, depth):
    L, both = depth, vector(s, 1 / s)
    return le(power(both, Q(2, L)).sum() - 2, 2 * (log(both) ** 2).sum() / L**2)


def of_order_one(s, depth):
    L, both = depth, vector(s, 1 / s)
    return ge(power(both, Q(2, L)).sum() - 2, 2 * (log(both) ** 2).sum() / L)


def near_the_border(L):
    return {"A": np.array([[np.exp(L / 2) * (1 - 1e-9)]]), "depth": L}


DEEP = "L >= 2 max |log s|"

EXPLICIT = Claim(
    id="notion_of_rank.infinite_depth_limit.explicit",
    title="The absolute logs bound the distance of the cost per layer to the rank",
    source=OURS,
    status=DerivedHere(),
    statement=explicit,
    domain=Domain({"A": MATRIX}, SIZES, {DEEP: lambda A, depth: (2 * absolute(logs(A)) <= depth).all()}),
    needs=(DEEP,),
    tight={
        "largest singular value, depth 3": Tight(partial(near_the_border, 3), 1e-8, "e^{L/2} is rounded down"),
        "largest singular value, depth 10": Tight(partial(near_the_border, 10), 1e-8, "e^{L/2} is rounded down"),
    },
    false_variants={
        "19/10 in place of 2": {"factor": Q("19/10")},
        "1 in place of e - 1": one_for_e_less_one,
        "log of the determinant": log_of_the_determinant,
    },
)

UNIT_DETERMINANT = Claim(
    id="notion_of_rank.infinite_depth_limit.unit_determinant",
    title="For s and 1/s the cost per layer nears the rank like 1/L^2",
    source=OURS,
    status=DerivedHere(),
    statement=unit_determinant,
    domain=Domain({"s": interval(Q("1/8"), 8, role="free")}, {"depth": SIZES["depth"]}),
    tight={
        "s = 1": {"s": 1, "depth": 5},
        "depth 2000": Tight(partial(deep, "s", 2_000), 1e-6, "they differ by O(1 / L^4)", of=("from below",)),
        "depth 2000000": Tight(
            partial(deep, "s", 2_000_000), 1e-6, "they differ by O(1 / L^3)", of=("from below", "from above")
        ),
    },
    false_variants={"upper bound without the maximum": without_the_maximum, "of order 1 / L": of_order_one},
    rate=Rate(partial(distances, (3.0, 1 / 3)), LADDER, -2.0),
)
