r"""Linear networks of infinite depth: the cost per layer tends to the rank, or to the number of non-zero entries.

For fully connected networks, and for diagonal ones, with p = 2 / L and L to infinity,

.. math:: \frac{R(A; L)}L = \sum_i s_i(A)^p \to \mathrm{rank} A, \qquad \frac{R(v; L)}L = \|v\|_p^p \to \|v\|_0 .

This is a statement on limits; what is checked is what the expansion in ``depth_expansion`` gives at every depth, with sums over
non-zero singular values:

.. math:: \Bigl|\frac{R(A; L)}L - \mathrm{rank} A\Bigr|
          \le \frac2L \bigl|\log|A|_+\bigr| + \frac2{L^2} \sum_i (\log s_i)^2 \max(1, s_i^{2/L}) ,

the same for the entries of a vector (``.diagonal``), and, in a form that is easily used (``.explicit``),

.. math:: \Bigl|\frac{R(A; L)}L - \mathrm{rank} A\Bigr| \le (e - 1) \frac2L \sum_i |\log s_i|
          \quad\text{for } L \ge 2 \max_i |\log s_i| .

The rate 1 / L is that of the first term: where :math:`|A|_+ = 1` the distance is non-negative and of order
:math:`1 / L^2` (``.unit_determinant``). The sign of the distance is that of :math:`\log|A|_+` for large L, and R / L need not
decrease to the rank: it increases where all singular values are below 1.

Source: notion_of_rank, representation cost of linear networks, limit of infinite depth; the bounds are ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.depth_expansion import (
    MATRIX,
    cost_per_layer,
    logs_of,
    positive_singular_values,
    remainder,
    rounding,
    rounding_of_the_log,
)
from theorems.notion_of_rank.diagonal_networks import quasi_norm
from theorems.notion_of_rank.given_depth import GIVEN_DEPTH, Depth
from verify import Claim, Domain, Ours, Rate, Relation, Source, Tight, ge, interval, le, reals
from verify.arithmetic import Array, absolute, compare, exp, power, rationals
from verify.matrices import rank


def within_the_logs(
    distance: Array,
    values: Array,
    layers: int,
    noise: Any,
    logs: int = 20_000,
    share: int = 10_000,
    order: int = 1,
    below: bool = False,
) -> Relation:
    """The bound on a distance by the `values` that count; false neighbours change factors, in units of 1/10000, or the order
    in 1 / L, or say that the distance is never positive.
    """
    size = power(values, Fraction(2, layers)).sum(axis=-1)
    if below:
        return le(distance, 0 * distance, scale=size, noise=noise)
    first = absolute(logs_of(values).sum(axis=-1)) * logs / 10_000
    second = remainder(values, layers) * share / 10_000
    return le(absolute(distance), (first + second) / layers**order, scale=size, noise=noise)


def distance_to_the_rank(
    matrix: Array, depth: Depth, logs: int = 20_000, share: int = 10_000, order: int = 1, below: bool = False
) -> Relation:
    """The bound for a matrix; see `within_the_logs`."""
    noise = rounding(matrix, depth.depth) + 2 * rounding_of_the_log(matrix) / depth.depth
    values, distance = positive_singular_values(matrix), cost_per_layer(matrix, depth.depth) - rank(matrix)
    return within_the_logs(distance, values, depth.depth, noise, logs, share, order, below)


def distance_to_the_count(
    vector: Array, depth: Depth, logs: int = 20_000, share: int = 10_000, order: int = 1, below: bool = False
) -> Relation:
    """The bound for a vector and the number of its non-zero entries; see `within_the_logs`."""
    count = (compare(vector, 0) != 0).sum(axis=-1)
    distance = quasi_norm(vector, Fraction(2, depth.depth)) - count
    return within_the_logs(distance, absolute(vector), depth.depth, None, logs, share, order, below)


def explicit(
    matrix: Array, depth: Depth, basis_points: int = 10_000, factor: str = "e - 1", determinant: bool = False
) -> Relation:
    """The bound by the sum of the absolute logs; false neighbours have the factor 1, or the log of the determinant."""
    layers, logs = depth.depth, logs_of(positive_singular_values(matrix))
    total = absolute(logs.sum(axis=-1)) if determinant else absolute(logs).sum(axis=-1)
    constant = exp(0 * total + 1) - 1 if factor == "e - 1" else 1
    found = absolute(cost_per_layer(matrix, layers) - rank(matrix))
    noise = rounding(matrix, layers) + 2 * rounding_of_the_log(matrix) / layers
    return le(found, constant * 2 * total / layers * basis_points / 10_000, scale=cost_per_layer(matrix, layers), noise=noise)


def is_deep_enough(matrix: Array, depth: Depth) -> Array:
    r"""Whether :math:`L \ge 2 \max_i|\log s_i|`."""
    logs = logs_of(positive_singular_values(matrix))
    return np.asarray((compare(2 * absolute(logs), 0 * logs + depth.depth) <= 0).all(axis=-1))


def unit_determinant(
    size: Array, depth: Depth, lower: int = 10_000, share: int = 10_000, order: int = 2, larger: bool = True
) -> Relation:
    """Both bounds for the singular values s and 1 / s; factors in units of 1/10000."""
    layers = depth.depth
    values = np.stack([size, 1 / size], axis=-1)
    found = power(values, Fraction(2, layers)).sum(axis=-1) - 2
    least = remainder(values, layers, larger=False) / layers ** (order - 1) * lower / 10_000
    most = remainder(values, layers, larger=larger) / layers * share / 10_000
    return ge(found, least, scale=found + 2) & le(found, most, scale=found + 2)


def distances(values: tuple[float, ...], depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of the cost per layer to the rank, for a diagonal matrix with these values, on a ladder of depths."""
    matrix = np.diag(values)
    return np.abs([float(cost_per_layer(matrix, int(depth)) - rank(matrix)) for depth in depths])


def counts(values: tuple[float, ...], depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of the cost per layer to the number of non-zero entries of a vector, on a ladder of depths."""
    vector = np.array(values)
    return np.abs([float(quasi_norm(vector, Fraction(2, int(depth)))) - np.count_nonzero(vector) for depth in depths])


def near_the_border(depth: int) -> dict[str, Any]:
    r"""The singular value :math:`e^{L/2}`, rounded down to a rational."""
    return {"matrix": np.array([[np.exp(depth / 2) * (1 - 1e-9)]]), "depth": Depth(depth)}


def isometry(depth: int) -> dict[str, Any]:
    """A partial isometry and a vector of signs: the distance is zero."""
    rows = rationals([["3/5", "-4/5", 0]])
    return {"matrix": rows, "vector": rationals([1, -1, 0]), "depth": Depth(depth)}


SOURCE = Source("notion_of_rank", "Representation cost, limit of infinite depth")
OURS = Source("notion_of_rank", "ours")
DEPTHS = (1, 2, 3, 4, 6, 12)
LADDER = tuple(2**k for k in range(4, 16))

CLAIM = Claim(
    id="notion_of_rank.infinite_depth_limit",
    title="The cost per layer tends to the rank",
    source=SOURCE,
    statement=distance_to_the_rank,
    domain=Domain({"matrix": MATRIX, "depth": GIVEN_DEPTH}, {"depth": DEPTHS, "dimension": range(1, 3)}),
    tight={"isometry": Tight(partial(isometry, 4))},
    false_neighbours={
        "at most the rank": partial(distance_to_the_rank, below=True),
        "first term 1.98": partial(distance_to_the_rank, logs=19_800),
        "first term alone": partial(distance_to_the_rank, share=0),
        "0.99 of the second term": partial(distance_to_the_rank, share=9_900),
        "of order 1 / L^2": partial(distance_to_the_rank, order=2),
    },
    rate=Rate(partial(distances, (3.0, 0.5, 0.25)), LADDER, -1.0),
)

DIAGONAL = Claim(
    id="notion_of_rank.infinite_depth_limit.diagonal",
    title="The cost per layer tends to the number of non-zeros",
    source=SOURCE,
    statement=distance_to_the_count,
    domain=Domain({"vector": reals("width"), "depth": GIVEN_DEPTH}, {"depth": DEPTHS, "width": range(1, 3)}),
    tight={"signs": Tight(partial(isometry, 3))},
    false_neighbours={
        "at most the number": partial(distance_to_the_count, below=True),
        "first term 1.98": partial(distance_to_the_count, logs=19_800),
        "first term alone": partial(distance_to_the_count, share=0),
        "of order 1 / L^2": partial(distance_to_the_count, order=2),
    },
    rate=Rate(partial(counts, (2.0, -0.3, 0.0, 5.0)), LADDER, -1.0),
)

EXPLICIT = Claim(
    id="notion_of_rank.infinite_depth_limit.explicit",
    title="A bound by the sum of the absolute logs",
    source=OURS,
    status=Ours(),
    statement=explicit,
    domain=Domain(
        {"matrix": MATRIX, "depth": GIVEN_DEPTH},
        {"depth": (1, 2, 3, 4, 6, 12), "dimension": range(1, 3)},
        {"L >= 2 max |log s|": is_deep_enough},
    ),
    needs=("L >= 2 max |log s|",),
    tight={
        "largest singular value, depth 3": Tight(partial(near_the_border, 3), 1e-8, "e^{L/2} is rounded down"),
        "largest singular value, depth 10": Tight(partial(near_the_border, 10), 1e-8, "e^{L/2} is rounded down"),
    },
    false_neighbours={
        "constant 2": partial(explicit, factor="1"),
        "0.99 of the bound": partial(explicit, basis_points=9_900),
        "log of the determinant": partial(explicit, determinant=True),
    },
)

UNIT_DETERMINANT = Claim(
    id="notion_of_rank.infinite_depth_limit.unit_determinant",
    title="Order 1 / L^2 for the singular values s and 1 / s",
    source=OURS,
    status=Ours(),
    statement=unit_determinant,
    domain=Domain({"size": interval(1 / 8, 8), "depth": GIVEN_DEPTH}, {"depth": DEPTHS}),
    tight={"s = 1": Tight(lambda: {"size": rationals([1]), "depth": Depth(5)})},
    false_neighbours={
        "lower bound 1.01": partial(unit_determinant, lower=10_100),
        "upper bound 0.99": partial(unit_determinant, share=9_900),
        "upper bound without the maximum": partial(unit_determinant, larger=False),
        "of order 1 / L": partial(unit_determinant, order=1),
    },
    rate=Rate(partial(distances, (3.0, 1 / 3)), LADDER, -2.0),
)
