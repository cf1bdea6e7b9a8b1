r"""Caratheodory's theorem for conical hulls, by pruning.

The conical hull of a set consists of the sums :math:`\sum_{i\le k}\alpha_i\omega_i` with :math:`\alpha_i \ge 0`, its m-conical
hull of those with k = m (where some :math:`\alpha_i` may be 0). For a non-empty set in :math:`\mathbb R^d` both are the same
as soon as m >= d. Checked is the constructive form: from any weights, pruning gives weights of the same point, not negative,
on generators that were used before and are linearly independent, so at most d of them. The idea of the proof: while the
generators in use are dependent, move along the dependence until a weight vanishes. As the direction can be chosen, a cost
that is linear in the weights need not grow (ours). Sharp: of :math:`e_1, \dots, e_d` the sum needs all, which is decided here
for every smaller family by a functional that separates.

Source: feature_learning, Definition 2 and the note after it.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, interval, le, reals
from verify.arithmetic import Array, absolute, rationals, where_positive
from verify.cones.conical_hull import caratheodory, contains
from verify.cones.support_graphs import like
from verify.matrices import rank
from verify.relation import Verdict


def combined(weights: Array, generators: Array) -> Array:
    """The sum of the weighted generators, shapes ``(..., m), (..., m, d) -> (..., d)``."""
    return np.asarray((weights[..., None] * generators).sum(axis=-2))


def pruned(generators: Array, weights: Array, cost: Array | None = None) -> Array:
    """`caratheodory` for every instance of a batch, shapes ``(..., m, d), (..., m) -> (..., m)``."""
    result = 0 * weights
    for index in np.ndindex(weights.shape[:-1]):
        prices = None if cost is None else cost[index]
        result[index] = caratheodory(generators[index], weights[index], cost=prices)
    return result


def in_use(weights: Array) -> Array:
    """1 where a weight is positive, else 0."""
    return where_positive(weights, 0 * weights + 1)


def size_of(weights: Array, generators: Array) -> Array:
    """Size of the terms of `combined`."""
    return combined(weights, absolute(generators))


def few_generators_suffice(
    generators: Array, weights: Array, fewer: int = 0, ratio: int = 10_000, total: bool = False, shrinking: bool = False
) -> Relation:
    """What pruning keeps, and how few generators it leaves."""
    after = pruned(generators, weights)
    used = in_use(after)
    count = used.sum(axis=-1)
    size = size_of(after, generators) + size_of(weights, generators)
    relation = (
        eq(combined(after, generators) * ratio / 10_000, combined(weights, generators), scale=size, over=1)
        & ge(after, 0 * after, over=1)
        & le(used, in_use(weights), over=1)
        & eq(like(rank(used[..., None] * generators), generators), count)
        & le(count, 0 * count + generators.shape[-1] - fewer)
    )
    if total:
        relation = relation & eq(after.sum(axis=-1), weights.sum(axis=-1))
    return relation & le(after, weights, over=1) if shrinking else relation


def cost_does_not_grow(
    generators: Array, weights: Array, cost: Array, ratio: int = 10_000, minded: bool = True, fewer: int = 0
) -> Relation:
    """The same point on at most d generators at no larger cost."""
    after = pruned(generators, weights, cost if minded else None)
    size = size_of(after, generators) + size_of(weights, generators)
    count = in_use(after).sum(axis=-1)
    return (
        eq(combined(after, generators), combined(weights, generators), scale=size, over=1)
        & le((cost * after).sum(axis=-1), (cost * weights).sum(axis=-1) * ratio / 10_000)
        & le(count, 0 * count + generators.shape[-1] - fewer)
    )


def sum_needs_all(largest: int = 6) -> Relation:
    """The sum of the unit vectors is outside the hull of every family that lacks one, for d up to `largest`."""
    verdicts = []
    for size in range(1, largest + 1):
        unit = rationals(np.eye(size, dtype=np.int64))
        verdicts += [contains(unit, unit.sum(axis=0)).verify() == Verdict.HOLDS]
        if size > 1:
            verdicts += [contains(np.delete(unit, i, 0), unit.sum(axis=0)).verify() == Verdict.FAILS for i in range(size)]
    return eq(rationals([int(one) for one in verdicts]), 1, over=1)


def fewest_generators(generators: Array, point: Array) -> int:
    """How many generators the point needs: the smallest family that has it in its conical hull, by trying all.

    Raises
    ------
    ValueError
        No family has.
    """
    if not point.any():
        return 0
    for count in range(1, len(generators) + 1):
        for chosen in combinations(range(len(generators)), count):
            if contains(generators[list(chosen)], point).verify() == Verdict.HOLDS:
                return count
    raise ValueError(f"point must be in the conical hull of the {len(generators)} generators")


def square_pyramid() -> Relation:
    """Above the four edges of a square pyramid in three dimensions: the axis needs two, other points three, none needs four."""
    edges = rationals([[1, 0, 1], [0, 1, 1], [-1, 0, 1], [0, -1, 1]])
    points, needed = rationals([[0, 0, 1], [1, 1, 3], [1, 0, 1]]), (2, 3, 1)
    return eq(rationals([fewest_generators(edges, point) for point in points]), rationals(needed), over=1)


def many_generators(count: int = 80, size: int = 20) -> Relation:
    """A combination of `count` integer vectors in `size` dimensions, pruned exactly."""
    rng = np.random.default_rng(0)
    generators = rationals(rng.integers(-9, 10, size=(1, count, size)))
    weights = rationals(rng.integers(1, 10, size=(1, count))) / 7
    cost = rationals(rng.integers(0, 10, size=(1, count)))
    return few_generators_suffice(generators, weights) & cost_does_not_grow(generators, weights, cost)


def sum_of_unit_vectors(size: int) -> dict[str, Array]:
    r""":math:`e_1 + \dots + e_d`."""
    return {"generators": rationals(np.eye(size, dtype=np.int64)), "weights": rationals([1] * size)}


SOURCE = Source("feature_learning", "Definition 2")
WEIGHTED = {"generators": reals("number", "dimension"), "weights": interval(0, np.inf, "number")}
SIZES = {"number": range(1, 8), "dimension": range(1, 5)}

CLAIM = Claim(
    id="feature_learning.caratheodory",
    title="Caratheodory's theorem for conical hulls",
    source=SOURCE,
    statement=few_generators_suffice,
    domain=Domain(WEIGHTED, SIZES),
    tight={f"sum of {size} unit vectors": Tight(partial(sum_of_unit_vectors, size)) for size in (1, 4)},
    false_neighbours={
        "d - 1 generators": partial(few_generators_suffice, fewer=1),
        "0.01 percent of the point are lost": partial(few_generators_suffice, ratio=10_001),
        "the sum of the weights is kept": partial(few_generators_suffice, total=True),
        "no weight grows": partial(few_generators_suffice, shrinking=True),
    },
    exact={
        "the sum of the unit vectors needs all": sum_needs_all,
        "square pyramid": square_pyramid,
        "80 generators in 20 dimensions": many_generators,
    },
    cost=10,
)

COST = Claim(
    id="feature_learning.caratheodory.cost",
    title="Pruning at no larger cost",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=cost_does_not_grow,
    domain=Domain({**WEIGHTED, "cost": interval(0, np.inf, "number")}, SIZES),
    tight={"three unit vectors": Tight(lambda: {**sum_of_unit_vectors(3), "cost": rationals([1, 2, 0])})},
    false_neighbours={
        "cost 0.01 percent smaller": partial(cost_does_not_grow, ratio=9_999),
        "by any pruning": partial(cost_does_not_grow, minded=False),
        "d - 1 generators": partial(cost_does_not_grow, fewer=1),
    },
    cost=10,
)
