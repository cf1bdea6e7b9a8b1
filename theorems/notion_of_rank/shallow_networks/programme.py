r"""Shallow ReLU networks of one input: the cheapest interpolation of data, by a linear programme and its dual, both exact.

Statement
    For data :math:`(x_j, y_j)` with distinct points, R on :math:`\Omega = \{x_1, \dots, x_n\}` is

    .. math:: \min_{\nu, \beta}\; 2\sum_i |\nu_i|\,\|(w_i, b_i)\| + \beta^2, \qquad
              \beta + \sum_i \nu_i\,\sigma(w_i x_j + b_i) = y_j ,

    over all neurons, and the bounds of ``duality`` are its dual:

    .. math:: \max_\lambda\; \lambda \cdot y - \tfrac14 \Bigl(\sum_j \lambda_j\Bigr)^2, \qquad
              \Bigl|\sum_j \lambda_j \sigma(w x_j + b)\Bigr| \le 2 \text{ for } w^2 + b^2 = 1 .
Checked
    The network interpolates; its cost is at least the bound and exceeds it by a relative `ACCURACY` at most, so that neither
    can be improved by more; fewer points do not cost more. `cheapest_interpolation` finds the network and the multipliers.
    Neurons with their kinks at the data do not suffice: to connect the dots is not the cheapest interpolation.
Proof idea
    Duality of linear programmes.
Sharp
    The bounds, for all data; a further point costs nothing where the cheapest function has its value there already.
Source
    ours, beside the representation cost of shallow networks in notion_of_rank.
"""

from __future__ import annotations

import numpy as np

from theorems.notion_of_rank.shallow_networks.cheapest_interpolation import Interpolation, cheapest_interpolation
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, derived, eq, ge, integers, le
from verify.arithmetic import Array, compare, floats, is_exact, rational, rationals

ACCURACY = Q("1/10000000")
"""Largest relative difference of the cost and its bound, the gap with which the method ends."""


def positions(start: Array, gaps: Array) -> Array:
    """Distinct points at half integers, shapes ``(...)`` and ``(..., n - 1)``."""
    steps = np.concatenate([start[..., None], gaps], axis=-1)
    return np.asarray(np.cumsum(steps, axis=-1) / 2)


def some_values(values: Array, level: Array, varied: Array) -> Array:
    """The values, or a constant in quarters where `varied` is 0: what the output bias gives without a neuron if below 1."""
    flat = 0 * values + level[..., None] / 4
    return np.asarray(np.where(compare(varied, 0)[..., None] == 0, flat, values))


def bounds_meet(points: Array, values: Array) -> Relation:
    """Both bounds for each set of data, and the cost without the last point."""
    x, y = points.reshape(-1, points.shape[-1]), values.reshape(-1, values.shape[-1])
    found = [cheapest_interpolation(*data) for data in zip(x, y, strict=True)]
    outputs = np.array([one.network(rationals(at)[:, None])[:, 0] for one, at in zip(found, x, strict=True)], dtype=object)
    fitted = outputs.reshape(points.shape) if is_exact(points) else floats(outputs.reshape(points.shape))
    cost, bound = collected(points, found, "cost"), collected(points, found, "bound")
    above = ACCURACY * bound
    return (
        eq(fitted, values, name="interpolates", over=1)
        & ge(cost, bound, name="above the bound")
        & le(cost, bound + above, name="near the bound")
        & le(cost_without_the_last(points, values), cost + ACCURACY * cost, name="fewer points")
    )


def cost_without_the_last(points: Array, values: Array) -> Array:
    """The cost of the data without their last point."""
    x, y = points.reshape(-1, points.shape[-1])[:, :-1], values.reshape(-1, values.shape[-1])[:, :-1]
    return collected(points, [cheapest_interpolation(*data) for data in zip(x, y, strict=True)], "cost")


def collected(points: Array, found: list[Interpolation], name: str) -> Array:
    """An attribute of many results, in the arithmetic and batch shape of the points."""
    numbers = np.array([getattr(one, name) for one in found], dtype=object).reshape(points.shape[:-1])
    return numbers if is_exact(points) else floats(numbers)


# False variants


def kinks_at_the_points_suffice(points: Array, values: Array) -> Relation:
    """The cost with neurons that have their kinks at the data is near the bound."""
    x, y = points.reshape(-1, points.shape[-1]), values.reshape(-1, values.shape[-1])
    found = [cheapest_interpolation(*data) for data in zip(x, y, strict=True)]
    restricted = [cheapest_interpolation(*data, neurons_at_points=True) for data in zip(x, y, strict=True)]
    bound = collected(points, found, "bound")
    return le(collected(points, restricted, "cost"), bound + ACCURACY * bound)


def fewer_points_cost_the_same(points: Array, values: Array) -> Relation:
    """The last point costs nothing."""
    x, y = points.reshape(-1, points.shape[-1]), values.reshape(-1, values.shape[-1])
    cost = collected(points, [cheapest_interpolation(*data) for data in zip(x, y, strict=True)], "cost")
    fewer = cost_without_the_last(points, values)
    return ge(fewer + ACCURACY * fewer, cost)


def constant_data() -> dict[str, Array]:
    """Two points, one of them 0, with the value 1: both cost what the first of them costs."""
    return {"points": rationals([0, 1]), "values": rationals([1, 1])}


def values_on_the_interval() -> Relation:
    r"""The programme on a few points of [-1, 1] finds the values known there: 4, 3, and the root of 8, up to its accuracy."""
    relation, points = Relation(()), rationals([-1, 0, 1])
    for values, square in (([1, 0, 1], 16), ([2, 2, 2], 9), ([-1, 0, 1], 8)):
        found = cheapest_interpolation(points, rationals(values))
        relation &= le(np.array(found.bound**2, dtype=object), rationals(square) * (1 + ACCURACY))
        relation &= ge(np.array(found.cost**2, dtype=object), rationals(square) * (1 - ACCURACY))
        relation &= le(np.array(found.cost, dtype=object), np.array(found.bound * (1 + rational(ACCURACY)), dtype=object))
    return relation


CLAIM = Claim(
    id="notion_of_rank.shallow_networks.programme",
    title="A linear programme and its dual find the cheapest interpolation",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=bounds_meet,
    domain=Domain(
        {
            "points": derived(positions, start=integers(-6, 0), gaps=integers(1, 4, lambda sizes: sizes["points"] - 1)),
            "values": derived(some_values, values=integers(-4, 4, "points"), level=integers(-6, 6), varied=integers(0, 3)),
        },
        {"points": range(2, 5)},
    ),
    tight={"a constant": Tight(constant_data, relative_slack=1e-6, why="the programme ends when the bounds are 1e-7 apart")},
    false_variants={
        "kinks at the points suffice": kinks_at_the_points_suffice,
        "fewer points cost the same": fewer_points_cost_the_same,
    },
    exact={"values on [-1, 1]": values_on_the_interval},
    cost=400,
)
