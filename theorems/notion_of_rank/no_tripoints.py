r"""Classification: with bottleneck rank 1 no three classes meet in a point.

Statement
    Let the scores f = h(g(x)) in R^K be piecewise linear through one dimension, and let a class be the open set where its score
    is larger than all others. Then every x is in the closure of at most two classes.

    A Jacobian of rank 1 does not suffice: of the scores
    :math:`f_c(x) = \max(0, a_c \cdot x - \max_{j \ne c} a_j \cdot x)` with a = (1, 0), (0, 1), (-1, -1) the Jacobian has rank 1
    on every linear region, and three classes meet at the origin; so their bottleneck rank is 2, on a convex set, without a
    hole. Every h(g(x)) with scalar g differs from it by at least 1/2 somewhere (``.tripod_error``).
Checked
    Points where all scores are equal (only there could three classes meet), with the exact one-sided derivatives of the network
    in a dozen directions: a class whose derivative is strictly the largest in a direction u is strictly ahead at x + tu for
    small t > 0. The tripod over all its regions. Its error for every encoder drawn, up to what bisection leaves. Strict classes
    are essential: if ties go to the lowest index, h = (0, -z, z) has three classes at z = 0.
Proof idea
    On each side of z = g(x) the scores h are affine nearby, so that there at most one class is strictly ahead. Of the three
    points where one score of the tripod is 1 and the others are 0, the middle one in the order of g has a double on a path
    between the other two, where its score is 0.
Sharp
    Two classes; the constant 1/2, and the first coordinate with a decoder, on the three segments between these points.
Source
    notion_of_rank, classification without tripoints; the tripod and its error are ours.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from theorems.notion_of_rank.constructions.bisection import STEPS, bisected, lipschitz_bound
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, eq, ge, le, reals
from verify.arithmetic import Array, absolute, compare, floats, is_exact, largest, maximum, rationals
from verify.networks import FullyConnected
from verify.piecewise import Polytope, jacobian_rank, linear_regions

DIRECTIONS = (
    (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1), (2, 1), (-1, 2), (-2, -1), (1, -2)
)  # fmt: skip
"""A dozen directions of the plane."""

CORNERS = (("1", "0"), ("0", "1"), ("-1/3", "-1/3"))
"""Where one score of the tripod is 1 and the others are 0."""


def derivative_along(network: FullyConnected, x: Array, direction: Array) -> Array:
    """One-sided derivative of the value at `x` in a direction, shapes ``(..., n_0) -> (..., n_L)``; exact at kinks, too."""
    for name, one in (("x", x), ("direction", direction)):
        if one.ndim < 1 or one.shape[-1] != network.widths[0]:
            raise ValueError(
                f"{name} must have the shape (..., {network.widths[0]}), as the network has inputs, got {one.shape}"
            )
    value, change = x, direction
    for layer in range(network.depth):
        weight = network.weights[layer]
        value = (weight @ value[..., None])[..., 0] + network.biases[layer]
        change = (weight @ change[..., None])[..., 0]
        if layer < network.depth - 1:
            # at a kink the sign of the change decides on which side the neuron goes
            side = np.where(compare(value, 0) == 0, change, value)
            change = change * network.activation.derivative(side)
            value = network.activation(value)
    return np.asarray(change)


def strictly_ahead(scores: Array) -> Array:
    """Which entry of the last axis is strictly larger than all others, as zeros and ones."""
    others = [np.delete(scores, place, axis=-1) for place in range(scores.shape[-1])]
    ahead = [(compare(scores[..., place, None], rest) > 0).all(axis=-1) for place, rest in enumerate(others)]
    return np.stack(ahead, axis=-1).astype(np.int64)


def classes_that_meet(encoder: FullyConnected, decoder: FullyConnected, x: Array) -> Relation:
    """Number of classes next to `x`, where all scores are made equal by constants; one output of the encoder is used."""
    return at_most(2, classes_ahead(first_output(encoder), decoder, x), x)


def first_output(encoder: FullyConnected) -> FullyConnected:
    """The encoder with its second output set to zero."""
    last = encoder.weights[-1] * np.array([1, 0])[:, None]
    return FullyConnected([*encoder.weights[:-1], last], encoder.biases, encoder.activation)


def classes_ahead(encoder: FullyConnected, decoder: FullyConnected, x: Array) -> Array:
    """For every class in how many directions it is strictly ahead next to `x`, shape ``(..., K)``."""
    ahead: Array = np.zeros(decoder.widths[-1], dtype=np.int64)
    for direction in DIRECTIONS:
        moved = derivative_along(encoder, x, 0 * x + np.array(direction))
        ahead = ahead + strictly_ahead(derivative_along(decoder, encoder(x), moved))
    return ahead


def at_most(most: int, ahead: Array, x: Array) -> Relation:
    """The number of classes that are ahead somewhere is at most `most`."""
    count = (ahead > 0).sum(axis=-1)
    return le(rationals(count) if is_exact(x) else count.astype(np.float64), 0 * x[..., 0] + most)


def tripod() -> FullyConnected:
    r"""The network of the tripod: :math:`\max_{j \ne c}` of two scores is one plus the positive part of the difference."""
    a = np.array([[1, 0], [0, 1], [-1, -1]])
    first, second = [], []
    for c in range(3):
        i, j = (other for other in range(3) if other != c)
        row = [0] * 9
        row[3 * c : 3 * c + 3] = [1, -1, -1]
        first += [a[c] - a[i], a[i] - a[c], a[j] - a[i]]
        second.append(row)
    return FullyConnected([rationals(np.array(first)), rationals(np.array(second)), rationals(np.eye(3, dtype=int))])


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


def one_class(encoder: FullyConnected, decoder: FullyConnected, x: Array) -> Relation:
    """At most one class."""
    return at_most(1, classes_ahead(first_output(encoder), decoder, x), x)


def ties_to_the_lowest_index(encoder: FullyConnected, decoder: FullyConnected, x: Array) -> Relation:
    """The point itself counts for the class with the lowest index."""
    return at_most(2, classes_ahead(first_output(encoder), decoder, x) + np.eye(decoder.widths[-1], dtype=int)[0], x)


def through_two_dimensions(encoder: FullyConnected, decoder: FullyConnected, x: Array) -> Relation:
    """Both outputs of the encoder are used."""
    return at_most(2, classes_ahead(encoder, decoder, x), x)


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


def tripod_meets_at_the_origin() -> Relation:
    """Largest and smallest rank over the regions of a square, classes next to the origin, and the scores at the corners."""
    network, square = tripod(), Polytope.box(rationals([-1, -1]), rationals([1, 1]))
    origin = rationals([[0, 0]])
    ahead = sum(strictly_ahead(derivative_along(network, origin, rationals([direction]))) for direction in DIRECTIONS)
    ranks = [np.linalg.matrix_rank(region.matrix.astype(float)) for region in linear_regions(network, square)]
    counts = [int(jacobian_rank(network, square).value), min(ranks), int((np.asarray(ahead) > 0).sum())]
    return eq(rationals(counts), rationals([1, 1, 3]), over=1) & eq(
        network(rationals(CORNERS)), rationals(np.eye(3, dtype=int)), over=2
    )


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


def two_sides() -> dict[str, object]:
    """Two classes on the two sides of a line."""
    encoder = FullyConnected([rationals([[1, 0], [0, 0]])])
    decoder = FullyConnected([rationals([[1, 0], [-1, 0], [0, 0]])])
    return {"encoder": encoder, "decoder": decoder, "x": rationals([0, 0])}


OURS = Source("notion_of_rank", "ours")
SIZES = {"depth": (1, 2, 3, 6), "width": (1, 2, 3, 5)}

CLAIM = Claim(
    id="notion_of_rank.no_tripoints",
    title="With a scalar bottleneck no three classes meet",
    source=Source("notion_of_rank", "Classification"),
    statement=classes_that_meet,
    domain=Domain(
        {
            "encoder": Networks(inputs=2, outputs=2, slope=(-1, 1)),
            "decoder": Networks(inputs=2, outputs="classes", slope=(-1, 1)),
            "x": reals(2),
        },
        {**SIZES, "classes": (3, 4)},
    ),
    tight={"two sides of a line": Tight(two_sides)},
    false_neighbours={
        "one class": one_class,
        "ties to the lowest index": ties_to_the_lowest_index,
        "two dimensions": through_two_dimensions,
    },
    exact={"a tripod with Jacobians of rank 1": tripod_meets_at_the_origin},
)

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
