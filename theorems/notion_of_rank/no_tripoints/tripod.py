r"""Bottleneck rank 1 differs from the tripod by at least 1/2.

The score c of the tripod is :math:`\bigl(s_c - \max_{j \ne c} s_j\bigr)_+` for :math:`s = (x_1, x_2, -x_1 - x_2)`. It is 1 at
the corner c of a triangle, where the others are 0.
"""

from theorems.notion_of_rank.constructions.bisection import STEPS, lipschitz_bound, point_on_segment
from theorems.notion_of_rank.no_tripoints.statement import OURS, SIZES
from verify import Claim, DerivedHere, Domain, Networks, Q, Tight
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import absolute, eye, ge, greatest, lifted, maximum, relu, sign, vector, where

on_segment = lifted(point_on_segment)


def tripod(x):
    a, b, c = x[0], x[1], -x[0] - x[1]
    return relu(vector(a - maximum(b, c), b - maximum(a, c), c - maximum(a, b)))


def corners():
    return [vector(1, 0), vector(0, 1), vector(Q(-1, 3), Q(-1, 3))]


def error_on_the_tripod(g, h, scores=tripod):
    """The largest error at the middle corner and at a point of the opposite side with nearly its value of g."""
    p, worst = corners(), 0
    z = [g(corner)[0] for corner in p]
    for c, i, j in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
        is_between = sign(z[c] - z[i]) * sign(z[c] - z[j]) <= 0
        for x in (p[c], on_segment(g, p[i], p[j], z[c])):
            worst = where(is_between, maximum(worst, greatest(absolute(h(g(x)) - scores(x)))), worst)
    # the sides are at most 4/3 long, and half of what h moves between the two points may be missing
    left_by_bisection = lipschitz_bound(g) * lipschitz_bound(h) * 2 / 3 / 2**STEPS
    return ge(worst + left_by_bisection, Q(1, 2))


def error_at_two_corners(g, h):
    first, second = (greatest(absolute(h(g(x)) - score)) for x, score in zip(corners()[:2], eye(3)[:2], strict=True))
    return ge(maximum(first, second), Q(1, 2))


def one_half():
    h = FullyConnected([rationals([[0], [0], [0]])], [rationals(["1/2", "1/2", "1/2"])])
    return {"g": FullyConnected([rationals([[0, 0]])]), "h": h}


def first_coordinate():
    h = FullyConnected([rationals([[1], [0], [0]])], [rationals([0, "1/2", 0])])
    return {"g": FullyConnected([rationals([[1, 0]])]), "h": h}


TRIPOD = Claim(
    id="notion_of_rank.no_tripoints.tripod_error",
    title="Functions of bottleneck rank 1 stay 1/2 away from the tripod",
    source=OURS,
    status=DerivedHere(),
    statement=error_on_the_tripod,
    cost=3,
    domain=Domain(
        {
            "g": Networks(inputs=2, outputs=1, slope=(-2, 2), role="first part"),
            "h": Networks(inputs=1, outputs=3, slope=(-2, 2), role="second part"),
        },
        SIZES,
    ),
    tight={
        "the constant 1/2": one_half,
        "the first coordinate": Tight(first_coordinate, relative_slack=1e-6, why="bisection leaves 2/3 / 2^24"),
    },
    false_variants={
        "the decoder sees the scores": {"scores": lambda _: 0},
        "the error at two corners": error_at_two_corners,
    },
)
