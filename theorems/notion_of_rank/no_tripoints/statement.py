"""At every point at most two classes meet; a tripod with a Jacobian of rank 1 where three do."""

from __future__ import annotations

import numpy as np

from verify import Claim, Domain, Networks, Relation, Source, Tight, eq, le, reals
from verify.arithmetic import Array, compare, is_exact, rationals
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


# The tripod, and a tight example


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
    false_variants={
        "one class": one_class,
        "ties to the lowest index": ties_to_the_lowest_index,
        "two dimensions": through_two_dimensions,
    },
    exact={"a tripod with Jacobians of rank 1": tripod_meets_at_the_origin},
)
