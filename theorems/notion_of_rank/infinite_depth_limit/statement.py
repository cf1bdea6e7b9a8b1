"""The distance of the cost per layer to the rank, at every depth."""

from functools import partial

import numpy as np

from theorems.notion_of_rank.constructions.diagonal import quasi_norm
from theorems.notion_of_rank.depth_expansion import MATRIX, log_or_zero, singular_values_or_zero
from verify import Claim, Domain, Q, Rate, Source, Tight, reals
from verify.numbers.arithmetic import rationals
from verify.words import absolute, le, lifted, maximum, power, rank, schatten_power

norm_power = lifted(quasi_norm)


def within_the_logs(distance, s, L, logs=2):
    """The bound on a distance by the numbers s that are not zero."""
    rest = 2 * (log_or_zero(s) ** 2 * maximum(power(s, Q(2, L)), 1)).sum() / L
    return le(absolute(distance), (logs * absolute(log_or_zero(s).sum()) + rest) / L)


def distance_to_the_rank(A, depth, logs=2):
    return within_the_logs(schatten_power(A, Q(2, depth)) - rank(A), singular_values_or_zero(A), depth, logs)


def distance_to_the_count(v, depth, logs=2):
    return within_the_logs(norm_power(v, Q(2, depth)) - (v != 0).sum(), absolute(v), depth, logs)


def at_most_the_rank(A, depth):
    return le(schatten_power(A, Q(2, depth)), rank(A))


def at_most_the_count(v, depth):
    return le(norm_power(v, Q(2, depth)), (v != 0).sum())


def first_term_alone(A, depth):
    logs = log_or_zero(singular_values_or_zero(A)).sum()
    return le(absolute(schatten_power(A, Q(2, depth)) - rank(A)), 2 * absolute(logs) / depth)


def first_term_alone_for_a_vector(v, depth):
    logs = log_or_zero(absolute(v)).sum()
    return le(absolute(norm_power(v, Q(2, depth)) - (v != 0).sum()), 2 * absolute(logs) / depth)


def quadratically(A, depth):
    L, s = depth, singular_values_or_zero(A)
    rest = 2 * (log_or_zero(s) ** 2 * maximum(power(s, Q(2, L)), 1)).sum() / L
    return le(absolute(schatten_power(A, Q(2, L)) - rank(A)), (2 * absolute(log_or_zero(s).sum()) + rest) / L**2)


def distances(s, depths):
    """Of the cost per layer to the rank, for a diagonal matrix, on a ladder of depths."""
    A = np.diag(s)
    return np.abs([float(schatten_power(A, Q(2, int(L))) - rank(A)) for L in depths])


def counts(v, depths):
    """Of the cost per layer to the number of non-zero entries of a vector, on a ladder of depths."""
    return np.abs([float(quasi_norm(np.array(v), Q(2, int(L)))) - np.count_nonzero(v) for L in depths])


def deep(name, L, *shape, value=2):
    return {name: np.full(shape, rationals(value)), "depth": L}


def far_down(name, *shape):
    return {
        "depth 1000": Tight(partial(deep, name, 1000, *shape), 1e-6, "the terms of third order are left out"),
        "below the rank": Tight(
            partial(deep, name, 2_000_000, *shape, value="1/2"), 1e-6, "the term of second order has the other sign"
        ),
    }


SOURCE = Source("notion_of_rank", "Representation cost, limit of infinite depth")
OURS = Source("notion_of_rank", "derived here")
SIZES = {"depth": (1, 2, 3, 4, 6, 14), "dimension": range(1, 4)}
LADDER = tuple(2**k for k in range(4, 16))

CLAIM = Claim(
    id="notion_of_rank.infinite_depth_limit",
    title="The cost per layer tends to the rank",
    source=SOURCE,
    statement=distance_to_the_rank,
    domain=Domain({"A": MATRIX}, SIZES),
    tight={"isometry": lambda: {"A": rationals([["3/5", "-4/5", 0]]), "depth": 4}, **far_down("A", 1, 1)},
    false_variants={
        "19/10 times the log": {"logs": Q("19/10")},
        "at most the rank": at_most_the_rank,
        "first term alone": first_term_alone,
        "of order 1 / L^2": quadratically,
    },
    rate=Rate(partial(distances, (3.0, 0.5, 0.25)), LADDER, -1.0),
)

DIAGONAL = Claim(
    id="notion_of_rank.infinite_depth_limit.diagonal",
    title="The cost per layer tends to the number of non-zeros",
    source=SOURCE,
    statement=distance_to_the_count,
    domain=Domain({"v": reals("dimension", role="values at a point")}, SIZES),
    tight={"signs": {"v": [1, -1, 0], "depth": 3}, **far_down("v", 1)},
    false_variants={
        "19/10 times the log": {"logs": Q("19/10")},
        "at most the number": at_most_the_count,
        "first term alone": first_term_alone_for_a_vector,
    },
    rate=Rate(partial(counts, (2.0, -0.3, 0.0, 5.0)), LADDER, -1.0),
)
