"""On the ring the rank of the Jacobian is 1, the bottleneck rank 2."""

from theorems.notion_of_rank.constructions.bisection import STEPS, lipschitz_bound, opposite_points
from verify import Claim, DerivedHere, Domain, Networks, Source, Tight
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.piecewise import Polytope, jacobian_rank, linear_pieces
from verify.words import absolute, eq, ge, greatest, lifted, maximum, ones

opposite = lifted(opposite_points)


def left_by_bisection(g, h):
    """Half of what h(g(p)) and h(g(-p)) may differ by: g(p) - g(-p) changes its sign on an interval 4 / 2^24 long."""
    return lipschitz_bound(g) * lipschitz_bound(h) * 4 / 2**STEPS


def error_on_the_square(g, h):
    p = opposite(g)
    error = maximum(greatest(absolute(h(g(p)) - p)), greatest(absolute(h(g(-p)) + p)))
    return ge(error + left_by_bisection(g, h), 1)


def decoder_sees_the_point(g, h):
    p = opposite(g)
    return ge(maximum(greatest(absolute(h(g(p)))), greatest(absolute(h(g(-p))))) + left_by_bisection(g, h), 1)


def error_at_a_corner(g, h):
    p = ones(2)
    return ge(maximum(greatest(absolute(h(g(p)) - p)), greatest(absolute(h(g(-p)) + p))), 1)


def clipping():
    """Both coordinates clipped to [-1, 1]: relu(t + 1) - relu(t - 1) - 1."""
    W, V = rationals([[1, 0], [1, 0], [0, 1], [0, 1]]), rationals([[1, -1, 0, 0], [0, 0, 1, -1]])
    return FullyConnected([W, V], [rationals([1, -1, 1, -1]), rationals([-1, -1])])


def box(lower, upper):
    return Polytope.box(rationals(lower), rationals(upper))


def ranks_on_the_ring():
    """Number of linear pieces, rank inside the ring, largest and smallest rank on the eight squares of the ring."""
    f, cuts = clipping(), [(-2, -1), (-1, 1), (1, 2)]
    squares = [box((a, c), (b, d)) for a, b in cuts for c, d in cuts if (a, c) != (-1, -1)]
    ranks = [int(jacobian_rank(f, square).value) for square in squares]
    inside = int(jacobian_rank(f, box([-1, -1], [1, 1])).value)
    return eq([len(linear_pieces(f, box([-2, -2], [2, 2]))), inside, max(ranks), min(ranks)], [9, 2, 1, 0])


def zero():
    return {"g": FullyConnected([rationals([[0, 0]])]), "h": FullyConnected([rationals([[0], [0]])])}


def first_coordinate():
    return {"g": FullyConnected([rationals([[1, 0]])]), "h": FullyConnected([rationals([[1], [0]])])}


RING = Claim(
    id="notion_of_rank.prop_1.ring",
    title="No scalar bottleneck approximates the clipping map on a ring",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=error_on_the_square,
    cost=3,
    domain=Domain(
        {
            "g": Networks(inputs=2, outputs=1, slope=(-2, 2), role="first part"),
            "h": Networks(inputs=1, outputs=2, slope=(-2, 2), role="second part"),
        },
        {"depth": (1, 2, 3, 6), "width": range(1, 5)},
    ),
    tight={
        "zero": zero,
        "the first coordinate": Tight(first_coordinate, relative_slack=1e-6, why="bisection leaves 4 / 2^24"),
    },
    false_variants={"the decoder sees the point": decoder_sees_the_point, "the error at a corner": error_at_a_corner},
    exact={"ranks on the ring": ranks_on_the_ring},
)
