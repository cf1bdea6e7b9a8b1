"""At most two classes meet at a point; a tripod where three do."""

import numpy as np

from verify import Claim, Domain, Networks, Source, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.piecewise import Polytope, jacobian_rank, linear_regions
from verify.words import concatenate, eq, eye, greatest, le, lifted, stack, vector, where

network_of = lifted(FullyConnected)

DIRECTIONS = (
    (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1), (2, 1), (-1, 2), (-2, -1), (1, -2)
)  # fmt: skip
"""A dozen directions of the plane."""
CORNERS = (("1", "0"), ("0", "1"), ("-1/3", "-1/3"))
"""Where one score of the tripod is 1 and the others are 0."""


def derivative_along(f, x, u):
    """One-sided derivative of the value at x in the direction u; exact at kinks, too."""
    value, change = x, u
    for layer, (W, b) in enumerate(zip(f.weights, f.biases, strict=True), start=1):
        value, change = W @ value + b, W @ change
        if layer < f.depth:
            # at a kink the sign of the change decides on which side the neuron goes
            change = change * f.activation.derivative(where(value == 0, change, value))
            value = f.activation(value)
    return change


def strictly_ahead(scores):
    """Which score is larger than all others."""
    others = [concatenate([scores[:c], scores[c + 1 :]]) for c in range(len(scores))]
    return stack([scores[c] > greatest(rest) for c, rest in enumerate(others)])


def first_output(g):
    """The network with its second output set to zero."""
    last = vector(1, 0)[:, None] * g.weights[-1]
    return network_of([*g.weights[:-1], last], g.biases, g.activation)


def ahead_somewhere(g, h, x):
    """Which classes are strictly ahead in some direction next to x, where all scores are made equal by constants."""
    z = g(x)
    ahead = [strictly_ahead(derivative_along(h, z, derivative_along(g, x, vector(*u)))) for u in DIRECTIONS]
    return stack(ahead).any(axis=0)


def classes_that_meet(g, h, x, most=2):
    """One output of g is used."""
    return le(ahead_somewhere(first_output(g), h, x).sum(), most)


def ties_to_the_lowest_index(g, h, x):
    """The point itself counts for the class with the lowest index."""
    ahead = ahead_somewhere(first_output(g), h, x)
    return le(1 + ahead[1:].sum(), 2)


def through_two_dimensions(g, h, x):
    return le(ahead_somewhere(g, h, x).sum(), 2)


def tripod():
    r"""The network of the tripod: :math:`\max_{j \ne c}` of two scores is one plus the positive part of the difference."""
    a = np.array([[1, 0], [0, 1], [-1, -1]])
    first, second = [], []
    for c in range(3):
        i, j = (other for other in range(3) if other != c)
        row = [0] * 9
        row[3 * c : 3 * c + 3] = [1, -1, -1]
        first += [a[c] - a[i], a[i] - a[c], a[j] - a[i]]
        second.append(row)
    return FullyConnected([rationals(np.array(first)), rationals(np.array(second)), rationals(eye(3))])


def tripod_meets_at_the_origin():
    """Largest and smallest rank over the regions of a square, classes next to the origin, and the scores at the corners."""
    f, square = tripod(), Polytope.box(rationals([-1, -1]), rationals([1, 1]))
    ahead = [strictly_ahead(derivative_along(f, rationals([0, 0]), rationals(u))) for u in DIRECTIONS]
    ranks = [np.linalg.matrix_rank(region.matrix.astype(float)) for region in linear_regions(f, square)]
    counts = [int(jacobian_rank(f, square).value), min(ranks), stack(ahead).any(axis=0).sum()]
    return eq(rationals(counts), [1, 1, 3]) & eq(f(rationals(CORNERS)), eye(3))


def two_sides():
    """Two classes on the two sides of a line."""
    h = FullyConnected([rationals([[1, 0], [-1, 0], [0, 0]])])
    return {"g": FullyConnected([rationals([[1, 0], [0, 0]])]), "h": h, "x": [0, 0]}


OURS = Source("notion_of_rank", "derived here")
SIZES = {"depth": (1, 2, 3, 6), "width": (1, 2, 3, 5)}

CLAIM = Claim(
    id="notion_of_rank.no_tripoints",
    title="With a scalar bottleneck no three classes meet",
    source=Source("notion_of_rank", "Classification"),
    statement=classes_that_meet,
    domain=Domain(
        {
            "g": Networks(inputs=2, outputs=2, slope=(-2, 2)),
            "h": Networks(inputs=2, outputs="classes", slope=(-2, 2)),
            "x": reals(2),
        },
        {**SIZES, "classes": (3, 4)},
    ),
    tight={"two sides of a line": two_sides},
    false_variants={
        "one class": {"most": 1},
        "ties to the lowest index": ties_to_the_lowest_index,
        "two dimensions": through_two_dimensions,
    },
    exact={"a tripod with Jacobians of rank 1": tripod_meets_at_the_origin},
)
