"""The distance of the cost per layer to the rank, or to the number of non-zero entries, at every depth."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.diagonal import quasi_norm
from theorems.notion_of_rank.constructions.spectra import (
    cost_per_layer,
    logs_of,
    positive_singular_values,
    remainder,
)
from theorems.notion_of_rank.depth_expansion import MATRIX
from verify import Claim, Domain, Q, Rate, Relation, Source, Tight, le, reals
from verify.arithmetic import Array, absolute, compare, rationals
from verify.matrices import rank


def distance_to_the_rank(matrix: Array, depth: Depth, logs: Q | int = 2) -> Relation:
    """The bound for a matrix; `logs` is the factor of the first term."""
    values = positive_singular_values(matrix)
    return within_the_logs(cost_per_layer(matrix, depth.depth) - rank(matrix), values, depth, logs)


def distance_to_the_count(vector: Array, depth: Depth, logs: Q | int = 2) -> Relation:
    """The bound for a vector and the number of its non-zero entries."""
    count = (compare(vector, 0) != 0).sum(axis=-1)
    return within_the_logs(quasi_norm(vector, Fraction(2, depth.depth)) - count, absolute(vector), depth, logs)


def within_the_logs(distance: Array, values: Array, depth: Depth, logs: Q | int) -> Relation:
    """The bound on a distance by the `values` that count."""
    first = logs * absolute(logs_of(values).sum(axis=-1))
    return le(absolute(distance), (first + remainder(values, depth.depth)) / depth.depth)


# False variants


def at_most_the_rank(matrix: Array, depth: Depth) -> Relation:
    """The cost per layer approaches the rank from below."""
    return le(cost_per_layer(matrix, depth.depth), 0 * cost_per_layer(matrix, depth.depth) + rank(matrix))


def at_most_the_count(vector: Array, depth: Depth) -> Relation:
    """The cost per layer approaches the number of non-zero entries from below."""
    found = quasi_norm(vector, Fraction(2, depth.depth))
    return le(found, 0 * found + (compare(vector, 0) != 0).sum(axis=-1))


def first_term_alone(matrix: Array, depth: Depth) -> Relation:
    """The bound for a matrix without the second term."""
    logs = absolute(logs_of(positive_singular_values(matrix)).sum(axis=-1))
    return le(absolute(cost_per_layer(matrix, depth.depth) - rank(matrix)), 2 * logs / depth.depth)


def first_term_alone_for_a_vector(vector: Array, depth: Depth) -> Relation:
    """The bound for a vector without the second term."""
    distance = quasi_norm(vector, Fraction(2, depth.depth)) - (compare(vector, 0) != 0).sum(axis=-1)
    return le(absolute(distance), 2 * absolute(logs_of(absolute(vector)).sum(axis=-1)) / depth.depth)


def quadratically(matrix: Array, depth: Depth) -> Relation:
    """The bound for a matrix, of the order 1 / L^2."""
    values = positive_singular_values(matrix)
    bound = 2 * absolute(logs_of(values).sum(axis=-1)) + remainder(values, depth.depth)
    return le(absolute(cost_per_layer(matrix, depth.depth) - rank(matrix)), bound / depth.depth**2)


# Ladders of depths, and sharp instances


def distances(values: tuple[float, ...], depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of the cost per layer to the rank, for a diagonal matrix with these values, on a ladder of depths."""
    matrix = np.diag(values)
    return np.abs([float(cost_per_layer(matrix, int(depth)) - rank(matrix)) for depth in depths])


def counts(values: tuple[float, ...], depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of the cost per layer to the number of non-zero entries of a vector, on a ladder of depths."""
    vector = np.array(values)
    return np.abs([float(quasi_norm(vector, Fraction(2, int(depth)))) - np.count_nonzero(vector) for depth in depths])


def isometry(depth: int) -> dict[str, Any]:
    """A partial isometry and a vector of signs: the distance is zero."""
    rows = rationals([["3/5", "-4/5", 0]])
    return {"matrix": rows, "vector": rationals([1, -1, 0]), "depth": Depth(depth)}


def deep(depth: int, value: str = "2") -> dict[str, Any]:
    """The singular value, entry or pair with a value at a large depth."""
    size = rationals(value)
    return {"matrix": size[None, None], "vector": size[None], "size": size, "depth": Depth(depth)}


SOURCE = Source("notion_of_rank", "Representation cost, limit of infinite depth")

OURS = Source("notion_of_rank", "ours")

SIZES = {"depth": (1, 2, 3, 4, 6, 14), "dimension": range(1, 4)}

LADDER = tuple(2**k for k in range(4, 16))

DEEP = {
    "depth 1000": Tight(partial(deep, 1000), 1e-6, "the terms of third order are left out"),
    "below the rank": Tight(partial(deep, 2_000_000, "1/2"), 1e-6, "the term of second order has the other sign"),
}

CLAIM = Claim(
    id="notion_of_rank.infinite_depth_limit",
    title="The cost per layer tends to the rank",
    source=SOURCE,
    statement=distance_to_the_rank,
    domain=Domain({"matrix": MATRIX, "depth": GIVEN_DEPTH}, SIZES),
    tight={"isometry": Tight(partial(isometry, 4)), **DEEP},
    false_neighbours={
        "19/10 times the log": partial(distance_to_the_rank, logs=Q("19/10")),
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
    domain=Domain({"vector": reals("dimension"), "depth": GIVEN_DEPTH}, SIZES),
    tight={"signs": Tight(partial(isometry, 3)), **DEEP},
    false_neighbours={
        "19/10 times the log": partial(distance_to_the_count, logs=Q("19/10")),
        "at most the number": at_most_the_count,
        "first term alone": first_term_alone_for_a_vector,
    },
    rate=Rate(partial(counts, (2.0, -0.3, 0.0, 5.0)), LADDER, -1.0),
)
