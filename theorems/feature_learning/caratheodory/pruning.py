r"""Caratheodory's theorem for conical hulls, by pruning.

Statement
    For a non-empty set in :math:`\mathbb R^d` the m-conical hull is the conical hull as soon as m >= d.
Checked
    The constructive form: from any weights, pruning gives weights of the same point, not negative, on generators that were
    used before and are linearly independent, so at most d of them. If every weight has a cost, it does not grow (derived here).
Proof idea
    While the generators in use are dependent, move along the dependence until a weight vanishes. The direction can be chosen,
    so that a linear cost need not grow.
Tight
    Of :math:`e_1, \dots, e_d` the sum needs all, which is decided for every smaller family by a functional that separates.
Source
    feature_learning, Definition 2 and the note after it.
"""

from functools import partial
from itertools import combinations

import numpy as np

from theorems.feature_learning.constructions.pruning import pruned
from verify import Claim, DerivedHere, Domain, Source, Tight, interval, reals
from verify.cones.conical_hull import contains
from verify.numbers.arithmetic import rationals
from verify.numbers.relation import Verdict
from verify.words import eq, eye, ge, le, rank


def few_generators_suffice(omega, alpha):
    d, after = omega.shape[1], pruned(omega, alpha)
    used, count = after > 0, (after > 0).sum()
    return (
        eq(after @ omega, alpha @ omega, name="point")
        & ge(after, 0, name="no negative weight")
        & le(used, alpha > 0, name="used before")
        & eq(rank(used[:, None] * omega), count, name="independent")
        & le(count, d, name="number")
    )


def one_generator_less(omega, alpha):
    return le((pruned(omega, alpha) > 0).sum(), omega.shape[1] - 1)


def sum_of_weights_is_kept(omega, alpha):
    return eq(pruned(omega, alpha).sum(), alpha.sum())


def no_weight_grows(omega, alpha):
    return le(pruned(omega, alpha), alpha)


def cost_does_not_grow(omega, alpha, c):
    d, after = omega.shape[1], pruned(omega, alpha, c)
    return (
        eq(after @ omega, alpha @ omega, name="point")
        & le(c @ after, c @ alpha, name="cost")
        & le((after > 0).sum(), d, name="number")
    )


def by_any_pruning(omega, alpha, c):
    return le(c @ pruned(omega, alpha), c @ alpha)


def sum_of_weights_does_not_grow(omega, alpha, c):
    return le(pruned(omega, alpha, c).sum(), alpha.sum())


def sum_needs_all():
    """The sum of up to six unit vectors is outside the hull of every family that lacks one."""
    verdicts = []
    for d in range(1, 7):
        unit = rationals(eye(d))
        verdicts += [contains(unit, unit.sum(axis=0)).verify() == Verdict.HOLDS]
        if d > 1:
            verdicts += [contains(np.delete(unit, i, 0), unit.sum(axis=0)).verify() == Verdict.FAILS for i in range(d)]
    return eq([int(one) for one in verdicts], 1)


def fewest_generators(omega, point):
    """How many generators the point needs: the smallest family that has it in its conical hull, by trying all."""
    for count in range(1, len(omega) + 1):
        for chosen in combinations(range(len(omega)), count):
            if contains(omega[list(chosen)], point).verify() == Verdict.HOLDS:
                return count
    raise ValueError(f"point must be in the conical hull of the {len(omega)} generators")


def square_pyramid():
    """Above the four edges of a square pyramid in three dimensions: the axis needs two, other points three, none needs four."""
    edges = rationals([[1, 0, 1], [0, 1, 1], [-1, 0, 1], [0, -1, 1]])
    points = rationals([[0, 0, 1], [1, 1, 3], [1, 0, 1]])
    return eq([fewest_generators(edges, point) for point in points], [2, 3, 1])


def many_generators():
    """A combination of 80 integer vectors in 20 dimensions, pruned exactly."""
    rng = np.random.default_rng(0)
    omega = rationals(rng.integers(-9, 10, size=(80, 20)))
    alpha, c = rationals(rng.integers(1, 10, size=80)) / 7, rationals(rng.integers(0, 10, size=80))
    return few_generators_suffice(omega, alpha) & cost_does_not_grow(omega, alpha, c)


def sum_of_unit_vectors(d):
    return {"omega": rationals(eye(d)), "alpha": [1] * d}


SOURCE = Source("feature_learning", "Definition 2")
WEIGHTED = {
    "omega": reals("number", "dimension", role="few values"),
    "alpha": interval(0, np.inf, "number", role="ones"),
}
SIZES = {"number": (1, 2, 3, 5, 7), "dimension": range(1, 5)}
ONE_OF_TWO = {"omega": [[1, 0], [0, 1]], "alpha": [1, 0]}

CLAIM = Claim(
    id="feature_learning.caratheodory",
    title="Caratheodory's theorem for conical hulls",
    source=SOURCE,
    statement=few_generators_suffice,
    domain=Domain(WEIGHTED, SIZES),
    tight={f"sum of {d} unit vectors": Tight(partial(sum_of_unit_vectors, d), of=("number",)) for d in (1, 4)}
    | {
        "a weight of zero": Tight(lambda: ONE_OF_TWO, of=("used before",)),
        "a weight of zero beside another": Tight(lambda: ONE_OF_TWO, of=("no negative weight",), partly=True),
    },
    false_variants={
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
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=cost_does_not_grow,
    domain=Domain({**WEIGHTED, "c": interval(0, np.inf, "number", role="ones")}, SIZES),
    tight={"three unit vectors": Tight(lambda: {**sum_of_unit_vectors(3), "c": [1, 2, 0]}, of=("cost", "number"))},
    false_variants={"by any pruning": by_any_pruning, "nor does the sum of the weights": sum_of_weights_does_not_grow},
    cost=10,
)
