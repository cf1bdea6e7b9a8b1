"""Every function of bottleneck rank 1 differs from the tripod by at least 1/2 somewhere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from theorems.notion_of_rank.constructions.bisection import STEPS, bisected, lipschitz_bound
from theorems.notion_of_rank.no_tripoints.statement import CORNERS, OURS, SIZES, tripod
from verify import Claim, Domain, Networks, Ours, Relation, Tight, ge
from verify.arithmetic import Array, absolute, compare, floats, largest, maximum, rationals
from verify.networks import FullyConnected


def double_on_segment(encoder: FullyConnected, first: Array, last: Array, target: Array) -> Array:
    """A point of the segment with nearly the value `target` of the encoder, which lies between the values at its ends."""

    def difference(share: Array) -> Array:
        return encoder(first + share[..., None] * (last - first))[..., 0] - target

    share = bisected(difference, 0 * target, 0 * target + 1)
    return np.asarray(first + share[..., None] * (last - first))


def error_on_the_tripod(encoder: FullyConnected, decoder: FullyConnected) -> Relation:
    """Largest error at the middle corner and at its double, against 1/2 less what bisection leaves."""
    network = tripod() if encoder.is_exact else tripod().as_float()
    return one_half_at_least(encoder, decoder, network)


def one_half_at_least(encoder: FullyConnected, decoder: FullyConnected, scores: Callable[[Array], Array]) -> Relation:
    """The error against these scores, and what bisection leaves, against 1/2."""
    corners = rationals(CORNERS) if encoder.is_exact else floats(rationals(CORNERS))
    values = [encoder(corner)[..., 0] for corner in corners]
    # the segments are at most 4/3 long, and half of what the decoder moves between the two points may be missing
    left = lipschitz_bound(encoder) * lipschitz_bound(decoder) * 2 / 3 / 2**STEPS
    worst = 0 * left
    for place in range(3):
        one, other = (corner for corner in range(3) if corner != place)
        sides = [compare(values[place], values[corner]) for corner in (one, other)]
        double = double_on_segment(encoder, corners[one], corners[other], values[place])
        for point in (0 * double + corners[place], double):
            error = largest(absolute(decoder(encoder(point)) - scores(point)))
            worst = np.where(sides[0] * sides[1] <= 0, maximum(worst, error), worst)
    return ge(worst + left, (0 * left + 1) / 2)


# False variants


def decoder_sees_the_scores(encoder: FullyConnected, decoder: FullyConnected) -> Relation:
    """A decoder that is given the scores, too: what it has to approximate is zero."""
    return one_half_at_least(encoder, decoder, lambda _: np.zeros(3, dtype=int))


def error_at_the_corners(encoder: FullyConnected, decoder: FullyConnected) -> Relation:
    """The error at the first two corners alone."""
    corners = rationals(CORNERS) if encoder.is_exact else floats(rationals(CORNERS))
    unit = np.eye(3, dtype=int)
    errors = [largest(absolute(decoder(encoder(corners[c] + 0 * encoder.weights[0][..., 0, :])) - unit[c])) for c in (0, 1)]
    return ge(maximum(*errors), (0 * errors[0] + 1) / 2)


# The tripod, and a sharp instance


def one_half() -> dict[str, FullyConnected]:
    """An encoder that is zero, and the constant 1/2."""
    return {
        "encoder": FullyConnected([rationals([[[0, 0]]])]),
        "decoder": FullyConnected([rationals([[[0], [0], [0]]])], [rationals([["1/2", "1/2", "1/2"]])]),
    }


def first_coordinate() -> dict[str, FullyConnected]:
    """The first coordinate as encoder, and a decoder with 1/2 for the score of the middle corner."""
    decoder = FullyConnected([rationals([[[1], [0], [0]]])], [rationals([[0, "1/2", 0]])])
    return {"encoder": FullyConnected([rationals([[[1, 0]]])]), "decoder": decoder}


TRIPOD = Claim(
    id="notion_of_rank.no_tripoints.tripod_error",
    title="Functions of bottleneck rank 1 stay 1/2 away from the tripod",
    source=OURS,
    status=Ours(),
    statement=error_on_the_tripod,
    cost=3,
    domain=Domain(
        {"encoder": Networks(inputs=2, outputs=1, slope=(-1, 1)), "decoder": Networks(inputs=1, outputs=3, slope=(-1, 1))},
        SIZES,
    ),
    tight={
        "the constant 1/2": Tight(one_half),
        "the first coordinate": Tight(first_coordinate, relative_slack=1e-6, why="bisection leaves 2/3 / 2^24"),
    },
    false_neighbours={
        "the decoder sees the scores": decoder_sees_the_scores,
        "the error at two corners": error_at_the_corners,
    },
)
