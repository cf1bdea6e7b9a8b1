r"""Theorem 2 for the interpolants of Proposition 2.

Statement
    Let P be the length of the shortest open path through the labels and D the diameter of the data. The interpolant h(u x + c)
    along a direction u runs through all labels, so that with the length Z of the interval of its places

    .. math:: P \le Z \sup |h'| \le D \, \|u\| \sup |h'| , \qquad
              \frac RL \ge \Bigl(\frac PD\Bigr)^{2/L}, \qquad R - L \ge 2 \log \frac PD .
Checked
    All four, for every direction that separates the data. One point is fitted by a constant, for which nothing is necessary.
Tight
    Labels on a line in the order of the data; two points at distance 1 with such labels.
Source
    derived here, beside Theorem 2 of notion_of_rank.
"""

from functools import partial

from theorems.notion_of_rank.constructions import rank_one
from theorems.notion_of_rank.prop_2.statement import SEPARATED, VARIABLES, curve, mean_labels, separates, squared_norm
from theorems.notion_of_rank.theorem_2.statement import costs
from theorems.shared.paths import path_length, shortest_path, squared_distances
from verify import Claim, DerivedHere, Domain, Source, Tight
from verify.numbers.arithmetic import rationals
from verify.words import eq, greatest, le, lifted, norm, norm2, ones, stack

shortest, length, distances2 = map(lifted, (shortest_path, path_length, squared_distances))


@lifted
def extent(X, Y, u):
    """The squares of Z and of the largest slope of h."""
    found = rank_one.rank_one_curve(X, Y, u)
    return found.longest, found.steepest


def steep_interpolant(X, Y, u, depth):
    P, (longest, steepest) = shortest(mean_labels(X, Y)), extent(X, Y, u)
    cost = squared_norm(curve(X, Y, u), u, ones(len(X) - 1), depth)
    return (
        le(P**2, longest * steepest, name="curve")
        & le(P**2, greatest(distances2(X)) * norm2(u) * steepest, name="slope")
        & costs(P, X, cost, depth)
    )


def closed_paths_of_labels(X, Y, u):
    fitted, (longest, steepest) = mean_labels(X, Y), extent(X, Y, u)
    return le((shortest(fitted) + norm(fitted[0] - fitted[-1])) ** 2, longest * steepest)


def labels_in_the_order_of_the_data(X, Y, u):
    longest, steepest = extent(X, Y, u)
    return le(length(mean_labels(X, Y)) ** 2, longest * steepest)


def one_point():
    """One point is fitted by a constant of the same norm at every depth, and the path has length 0: nothing is necessary."""
    x, y = rationals([[1, 2]]), rationals([["3/5", "4/5"]])
    norms = [rank_one.rank_one_interpolant(x, y, L).parameter_norm_squared for L in (2, 3, 100)]
    return eq(stack(norms), 1) & eq(shortest(y), 0)


def labels_on_a_line():
    """Points and labels on lines, in the same order."""
    return {"X": [[0, 0], [3, 4], [9, 12]], "Y": [[1], [3], [7]], "u": ["3/5", "4/5"], "depth": 3}


def identity_of_two_points(L):
    """The labels 0 and 1 of (0, 0) and (1, 0): an interpolant of norm L at every depth."""
    return {"X": [[0, 0], [1, 0]], "Y": [[0], [1]], "u": [1, 0], "depth": L}


INTERPOLANTS = Claim(
    id="notion_of_rank.theorem_2.interpolants",
    title="The interpolants of Prop 2 are as steep as the label path is long",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=steep_interpolant,
    domain=Domain(
        VARIABLES,
        {"depth": (2, 3, 6), "count": (2, 3, 5), "inputs": (1, 2, 3), "outputs": (1, 2, 3)},
        {SEPARATED: lambda X, u: separates(X, u)},
    ),
    needs=(SEPARATED,),
    tight={
        "lines": Tight(labels_on_a_line, of=("curve", "slope")),
        "two points": partial(identity_of_two_points, 3),
        "two points, depth 7": partial(identity_of_two_points, 7),
    },
    exact={"one point": one_point},
    false_variants={
        "closed paths": closed_paths_of_labels,
        "the labels in the order of the data": labels_in_the_order_of_the_data,
    },
    cost=4,
)
