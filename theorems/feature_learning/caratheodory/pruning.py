r"""Caratheodory's theorem for conical hulls, by pruning.

Statement
    For a non-empty set in :math:`\mathbb R^d` the m-conical hull is the conical hull as soon as m >= d.
Checked
    The constructive form: from any weights, pruning gives weights of the same point, not negative, on generators that were
    used before and are linearly independent, so at most d of them. If every weight has a cost, it does not grow (ours).
Proof idea
    While the generators in use are dependent, move along the dependence until a weight vanishes. The direction can be chosen,
    so that a linear cost need not grow.
Sharp
    Of :math:`e_1, \dots, e_d` the sum needs all, which is decided for every smaller family by a functional that separates.
Source
    feature_learning, Definition 2 and the note after it.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np

from theorems.feature_learning.constructions.pruning import combined, in_use, number_in_use, pruned
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, interval, le, reals
from verify.arithmetic import Array, rationals
from verify.cones.conical_hull import contains
from verify.cones.support_graphs import like
from verify.matrices import rank
from verify.relation import Verdict


def few_generators_suffice(generators: Array, weights: Array) -> Relation:
    """What pruning keeps, and how few generators it leaves."""
    after = pruned(generators, weights)
    count = number_in_use(after)
    return (
        eq(combined(after, generators), combined(weights, generators), name="point", over=1)
        & ge(after, 0 * after, name="no negative weight", over=1)
        & le(in_use(after), in_use(weights), name="used before", over=1)
        & eq(like(rank(in_use(after)[..., None] * generators), generators), count, name="independent")
        & le(count, 0 * count + generators.shape[-1], name="number")
    )


def cost_does_not_grow(generators: Array, weights: Array, cost: Array) -> Relation:
    """The same point on at most d generators at no larger cost."""
    after = pruned(generators, weights, cost)
    count = number_in_use(after)
    return (
        eq(combined(after, generators), combined(weights, generators), name="point", over=1)
        & le((cost * after).sum(axis=-1), (cost * weights).sum(axis=-1), name="cost")
        & le(count, 0 * count + generators.shape[-1], name="number")
    )


# False variants


def one_generator_less(generators: Array, weights: Array) -> Relation:
    """At most d - 1 of the generators."""
    count = number_in_use(pruned(generators, weights))
    return le(count, 0 * count + generators.shape[-1] - 1)


def sum_of_weights_is_kept(generators: Array, weights: Array) -> Relation:
    """Pruning keeps the sum of the weights, as it does for convex hulls."""
    return eq(pruned(generators, weights).sum(axis=-1), weights.sum(axis=-1))


def no_weight_grows(generators: Array, weights: Array) -> Relation:
    """Pruning only takes weight away."""
    return le(pruned(generators, weights), weights, over=1)


def cost_of_any_pruning(generators: Array, weights: Array, cost: Array) -> Relation:
    """The cost does not grow when the pruning does not look at it."""
    return le((cost * pruned(generators, weights)).sum(axis=-1), (cost * weights).sum(axis=-1))


def convex_hull_with_cost(generators: Array, weights: Array, cost: Array) -> Relation:
    """The sum of the weights does not grow, whatever the cost."""
    return le(pruned(generators, weights, cost).sum(axis=-1), weights.sum(axis=-1))


# Exact parts and sharp instances


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


def one_of_two_unit_vectors() -> dict[str, Array]:
    """A weight of zero, and one that is not."""
    return {"generators": rationals(np.eye(2, dtype=np.int64)), "weights": rationals([1, 0])}


SOURCE = Source("feature_learning", "Definition 2")
WEIGHTED = {"generators": reals("number", "dimension"), "weights": interval(0, np.inf, "number")}
SIZES = {"number": (1, 2, 3, 5, 7), "dimension": range(1, 5)}

CLAIM = Claim(
    id="feature_learning.caratheodory",
    title="Caratheodory's theorem for conical hulls",
    source=SOURCE,
    statement=few_generators_suffice,
    domain=Domain(WEIGHTED, SIZES),
    tight={f"sum of {size} unit vectors": Tight(partial(sum_of_unit_vectors, size), of=("number",)) for size in (1, 4)}
    | {
        "a weight of zero": Tight(one_of_two_unit_vectors, of=("used before",)),
        "a weight of zero beside another": Tight(one_of_two_unit_vectors, of=("no negative weight",), partly=True),
    },
    false_neighbours={
        "d - 1 of the generators": one_generator_less,
        "the sum of the weights is kept": sum_of_weights_is_kept,
        "no weight grows": no_weight_grows,
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
    title="Pruning need not raise a linear cost",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=cost_does_not_grow,
    domain=Domain({**WEIGHTED, "cost": interval(0, np.inf, "number")}, SIZES),
    tight={
        "three unit vectors": Tight(lambda: {**sum_of_unit_vectors(3), "cost": rationals([1, 2, 0])}, of=("cost", "number"))
    },
    false_neighbours={
        "by any pruning": cost_of_any_pruning,
        "nor does the sum of the weights": convex_hull_with_cost,
    },
    cost=10,
)
