r"""Shallow ReLU networks of one input: the linear programme.

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
Tight
    The bounds, for all data; a further point costs nothing where the cheapest function has its value there already.
Source
    derived here, beside the representation cost of shallow networks in notion_of_rank.
"""

from theorems.notion_of_rank.shallow_networks.cheapest_interpolation import cheapest_interpolation, cheapest_interpolations
from verify import Claim, DerivedHere, Domain, Q, Relation, Source, Tight, derived, integers
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, ge, le, lifted, stack, vector, where

ACCURACY = Q("1/10000000")
"""Largest relative difference of the cost and its bound, the gap with which the method ends."""
cheapest = lifted(cheapest_interpolations)


def positions(start, gaps):
    """Distinct points at half integers."""
    return concatenate([vector(start), gaps]).cumsum() / 2


def some_values(values, level, varied):
    """The values, or a constant in quarters where `varied` is 0: what the output bias gives without a neuron if below 1."""
    return where(varied == 0, level / 4, values)


def bounds_meet(x, y):
    fitted, cost, bound = cheapest(x, y)
    _, fewer, _ = cheapest(x[:-1], y[:-1])
    return (
        eq(fitted, y, name="interpolates")
        & ge(cost, bound, name="above the bound")
        & le(cost, (1 + ACCURACY) * bound, name="near the bound")
        & le(fewer, (1 + ACCURACY) * cost, name="fewer points")
    )


def kinks_at_the_points_suffice(x, y):
    return le(cheapest(x, y, neurons_at_points=True)[1], (1 + ACCURACY) * cheapest(x, y)[2])


def fewer_points_cost_the_same(x, y):
    """The last point costs nothing."""
    return ge((1 + ACCURACY) * cheapest(x[:-1], y[:-1])[1], cheapest(x, y)[1])


def values_on_the_interval():
    r"""The programme on a few points of [-1, 1] finds the values known there: 4, 3, and the root of 8, up to its accuracy."""
    relation, x = Relation(()), rationals([-1, 0, 1])
    for y, square in (([1, 0, 1], 16), ([2, 2, 2], 9), ([-1, 0, 1], 8)):
        found = cheapest_interpolation(x, rationals(y))
        cost, bound = stack([found.cost, found.bound])
        relation &= le(bound**2, square * (1 + ACCURACY)) & ge(cost**2, square * (1 - ACCURACY))
        relation &= le(cost, (1 + ACCURACY) * bound)
    return relation


def constant_data():
    """Two points, one of them 0, with the value 1: both cost what the first of them costs."""
    return {"x": [0, 1], "y": [1, 1]}


CLAIM = Claim(
    id="notion_of_rank.shallow_networks.programme",
    title="A linear programme and its dual find the cheapest interpolation",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=bounds_meet,
    domain=Domain(
        {
            "x": derived(positions, start=integers(-6, 0), gaps=integers(1, 4, lambda sizes: sizes["points"] - 1)),
            "y": derived(some_values, values=integers(-4, 4, "points"), level=integers(-6, 6), varied=integers(0, 3)),
        },
        {"points": range(2, 5)},
    ),
    tight={"a constant": Tight(constant_data, 1e-6, "the programme ends when the bounds are 1e-7 apart")},
    false_variants={
        "kinks at the points suffice": kinks_at_the_points_suffice,
        "fewer points cost the same": fewer_points_cost_the_same,
    },
    exact={"values on [-1, 1]": values_on_the_interval},
    cost=400,
)
