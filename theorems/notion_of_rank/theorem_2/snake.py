r"""Theorem 2 on the square grid: a snake attains the exponent.

Statement
    The n x n grid of :math:`[0, 1]^2`, :math:`N = n^2`, has a shortest path of length :math:`(N - 1)/(n - 1)`, so that a
    function of bottleneck rank one that is the identity on it has :math:`\sup \|Jf\|_{op} \ge (n + 1)/\sqrt 2`. The
    `SnakeInterpolant` is h(g(x)). Its g is the number along a snake through the grid, interpolated linearly on triangles, and h
    the snake as a path of speed 1 / (n - 1). It has

    .. math:: \sup \|Jf\|_{op} = \sqrt{1 + (2 n - 1)^2} < 2 \sqrt 2 \, \frac{n + 1}{\sqrt 2} ,

    so that both are of the order :math:`N^{1/2}`.
Checked
    Values on the grid and largest slope of the snake for n = 2, ..., 17, and the Lipschitz bound for pairs of points.
Tight
    Two points of the snake in the direction of the largest gradient.
Source
    derived here, beside Theorem 2 of notion_of_rank.
"""

from functools import partial

from theorems.notion_of_rank.constructions.snake import SnakeInterpolant
from theorems.shared.paths import grid_points
from verify import Claim, DerivedHere, Domain, Q, Relation, Source, interval
from verify.numbers.arithmetic import rationals
from verify.words import eq, ge, le, lifted, norm2


@lifted
def f(side, x):
    return SnakeInterpolant(side)(x)


def squared_distances(x, toward, side):
    """The squared distance of the images of x and of a point near it, and that of the points."""
    y = x + (toward - x) / 64
    return norm2(f(side, x) - f(side, y)), norm2(x - y)


def no_steeper(x, toward, side):
    images, points = squared_distances(x, toward, side)
    return le(images, (1 + (2 * side - 1) ** 2) * points)


def slope_that_is_necessary(x, toward, side):
    """The snake is as flat as the shortest path asks for."""
    images, points = squared_distances(x, toward, side)
    return le(images, (side + 1) ** 2 * points / 2)


def slope_of_a_shorter_row(x, toward, side):
    images, points = squared_distances(x, toward, side)
    return le(images, (1 + (2 * side - 2) ** 2) * points)


def snakes_are_sharp():
    """Values on the grid, the largest slope, and its square against what is necessary, for n = 2, ..., 17."""
    relation = Relation(())
    for side in range(2, 18):
        snake, points = SnakeInterpolant(side), grid_points(side, 2)
        slope, necessary = rationals(snake.largest_slope_squared), rationals((side + 1) ** 2) / 2
        relation &= eq(snake(points), points) & eq(slope, 1 + (2 * side - 1) ** 2)
        relation &= ge(slope, necessary) & le(slope, 8 * necessary)
    return relation


def steepest_place(side):
    """A point, and another one in the direction of the largest gradient of g, between two places of the snake."""
    step, row = Q(1, (1 + (2 * side - 1) ** 2) * (side - 1)), Q(1, side - 1)
    return {"x": [0, row], "toward": [step, row - (2 * side - 1) * step], "side": side}


SIDES = (2, 3, 5)

SNAKE = Claim(
    id="notion_of_rank.theorem_2.snake",
    title="Along a snake the exponent of the theorem is attained",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=no_steeper,
    domain=Domain({"x": interval(0, 1, 2), "toward": interval(0, 1, 2)}, {"side": SIDES}),
    tight={f"n = {side}": partial(steepest_place, side) for side in SIDES},
    false_variants={
        "2 n - 2 for 2 n - 1": slope_of_a_shorter_row,
        "the slope that is necessary": slope_that_is_necessary,
    },
    exact={"n = 2, ..., 17": snakes_are_sharp},
    cost=4,
)
