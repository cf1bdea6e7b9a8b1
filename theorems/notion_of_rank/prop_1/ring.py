"""On the ring the rank of the Jacobian is 1 and the bottleneck rank 2: no scalar encoder comes near the map."""

from __future__ import annotations

import numpy as np

from theorems.notion_of_rank.constructions.bisection import STEPS, bisected, lipschitz_bound
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, eq, ge
from verify.arithmetic import Array, absolute, largest, maximum, minimum, rationals
from verify.networks import FullyConnected
from verify.piecewise import Polytope, jacobian_rank, linear_pieces


def on_the_square(t: Array) -> Array:
    """Point of half of the boundary of [-1, 1]^2 at t in [0, 4], from (1, 0) to (-1, 0); the other half is its negative."""
    first, second = 2 - t, minimum(t, 4 - t)
    clipped = [maximum(minimum(coordinate, 0 * t + 1), 0 * t - 1) for coordinate in (first, second)]
    return np.stack(clipped, axis=-1)


def antipodal_pair(encoder: FullyConnected) -> Array:
    """A point p of the square with nearly g(p) = g(-p), by bisection, shape ``(..., 2)``."""

    def difference(t: Array) -> Array:
        point = on_the_square(t)
        return (encoder(point) - encoder(-point))[..., 0]

    start = 0 * encoder.biases[-1][..., 0]
    return on_the_square(bisected(difference, start, start + 4))


def error_on_the_square(encoder: FullyConnected, decoder: FullyConnected) -> Relation:
    """Largest error of h(g(p)) as an approximation of p, at the two points found, against 1 less what bisection leaves."""
    p = antipodal_pair(encoder)
    errors = [largest(absolute(decoder(encoder(point)) - point)) for point in (p, -p)]
    return ge(maximum(*errors) + left_by_bisection(encoder, decoder), 0 * errors[0] + 1)


def left_by_bisection(encoder: FullyConnected, decoder: FullyConnected) -> Array:
    """Half of what h(g(p)) and h(g(-p)) may differ by."""
    # g(p) - g(-p) has other signs at the ends of an interval 4 / 2^24 long
    return np.asarray(lipschitz_bound(encoder) * lipschitz_bound(decoder) * 4 / 2**STEPS)


# False variants


def decoder_sees_the_point(encoder: FullyConnected, decoder: FullyConnected) -> Relation:
    """A decoder that is given the point, too."""
    p = antipodal_pair(encoder)
    errors = [largest(absolute(decoder(encoder(point)))) for point in (p, -p)]
    return ge(maximum(*errors) + left_by_bisection(encoder, decoder), 0 * errors[0] + 1)


def error_at_any_point(encoder: FullyConnected, decoder: FullyConnected) -> Relation:
    """The error at the corner (1, 1) and opposite to it."""
    corner = 0 * encoder.weights[0][..., 0, :] + 1
    errors = [largest(absolute(decoder(encoder(point)) - point)) for point in (corner, -corner)]
    return ge(maximum(*errors), 1 + 0 * corner[..., 0])


# The ring


def clipping() -> FullyConnected:
    """Both coordinates clipped to [-1, 1]: relu(t + 1) - relu(t - 1) - 1."""
    first = rationals([[1, 0], [1, 0], [0, 1], [0, 1]])
    second = rationals([[1, -1, 0, 0], [0, 0, 1, -1]])
    return FullyConnected([first, second], [rationals([1, -1, 1, -1]), rationals([-1, -1])])


def ring_squares() -> list[Polytope]:
    """The eight unit-sided pieces of the ring."""
    cuts = [(-2, -1), (-1, 1), (1, 2)]
    pieces = [(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
    return [Polytope.box(rationals([cuts[i][0], cuts[j][0]]), rationals([cuts[i][1], cuts[j][1]])) for i, j in pieces]


def ranks_on_the_ring() -> Relation:
    """Number of linear pieces and largest rank on the eight pieces of the ring; both inside it, where the rank is 2."""
    network, inside = clipping(), Polytope.box(rationals([-1, -1]), rationals([1, 1]))
    ranks = [int(jacobian_rank(network, square).value) for square in ring_squares()]
    everywhere = Polytope.box(rationals([-2, -2]), rationals([2, 2]))
    counts = [len(linear_pieces(network, everywhere)), int(jacobian_rank(network, inside).value), max(ranks), min(ranks)]
    return eq(rationals(counts), rationals([9, 2, 1, 0]), over=1)


def nothing() -> dict[str, FullyConnected]:
    """Encoder and decoder that are zero: the error is 1 everywhere on the square."""
    return {
        "encoder": FullyConnected([rationals([[[0, 0]]])]),
        "decoder": FullyConnected([rationals([[[0], [0]]])]),
    }


def first_coordinate() -> dict[str, FullyConnected]:
    """The first coordinate as encoder, and a decoder that returns it: the error is 1 where it is 0."""
    return {"encoder": FullyConnected([rationals([[[1, 0]]])]), "decoder": FullyConnected([rationals([[[1], [0]]])])}


RING = Claim(
    id="notion_of_rank.prop_1.ring",
    title="No scalar bottleneck approximates the clipping map on a ring",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=error_on_the_square,
    cost=3,
    domain=Domain(
        {
            "encoder": Networks(inputs=2, outputs=1, slope=(-1, 1)),
            "decoder": Networks(inputs=1, outputs=2, slope=(-1, 1)),
        },
        {"depth": (1, 2, 3, 6), "width": range(1, 5)},
    ),
    tight={
        "zero": Tight(nothing),
        "the first coordinate": Tight(first_coordinate, relative_slack=1e-6, why="bisection leaves 4 / 2^24"),
    },
    false_neighbours={
        "the decoder sees the point": decoder_sees_the_point,
        "the error at a corner": error_at_any_point,
    },
    exact={"ranks on the ring": ranks_on_the_ring},
)
