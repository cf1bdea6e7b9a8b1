"""The rank through a bottleneck, and between homeomorphisms."""

from __future__ import annotations

from functools import reduce

import numpy as np

from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from verify import Claim, Domain, Networks, Relation, Source, Tight, derived, eq, le, reals, slopes
from verify.arithmetic import Array, rationals
from verify.matrices import rank
from verify.networks import FullyConnected, compose
from verify.variables import Variable


def rank_through_bottleneck(parts: Parts, x: Array) -> Relation:
    """Rank of the Jacobian of the network for h(g(x)) against the dimension of the bottleneck."""
    inner, outer = parts
    found = rank(compose(outer, inner, merge=True).jacobian(x))
    return le(found, 0 * found + inner.widths[-1])


def shear(direction: Array, kink: Array, slope: Array, onto: int) -> FullyConnected:
    """Homeomorphism of d dimensions: coordinate `onto` moved by ``slope * relu(direction @ others + kink)``.

    `direction` has the shape ``(..., d)``; its entry `onto` is left out. On a line it is a translation.
    """
    dimension = direction.shape[-1]
    if onto not in range(dimension):
        raise ValueError(f"onto must be one of the {dimension} coordinates, got {onto}")
    unit = np.eye(dimension, dtype=np.int64)
    one = unit + 0 * direction[..., None]
    moving = (direction * (1 - unit[onto]))[..., None, :]
    moved = (slope[..., None] * unit[onto])[..., None]
    layers = [np.concatenate([one, -one, moving], axis=-2), np.concatenate([one, -one, moved], axis=-1)]
    zeros = 0 * np.concatenate([direction, direction], axis=-1)
    return FullyConnected(layers, [np.concatenate([zeros, kink[..., None]], axis=-1), 0 * direction])


def shears(numbers: Array) -> FullyConnected:
    """Composition of a shear for each of d coordinates; a row is a direction, a kink and a slope, shape ``(..., d, d + 2)``."""
    if numbers.ndim < 2 or numbers.shape[-1] != numbers.shape[-2] + 2:
        raise ValueError(f"numbers must have the shape (..., d, d + 2), got {numbers.shape}: d + 2 for each shear")
    rows = [numbers[..., place, :] for place in range(numbers.shape[-2])]
    found = [shear(row[..., :-2], row[..., -2], row[..., -1], place) for place, row in enumerate(rows)]
    return reduce(lambda inner, outer: compose(outer, inner, merge=True), found)


def between(before: FullyConnected, matrix: Array, offset: Array, after: FullyConnected) -> FullyConnected:
    """The affine map between two networks."""
    return compose(after, compose(FullyConnected([matrix], [offset]), before, merge=True), merge=True)


def rank_between_homeomorphisms(
    before: FullyConnected, matrix: Array, offset: Array, after: FullyConnected, x: Array
) -> Relation:
    """Rank of the Jacobian of the composition with an affine map in the middle, against that of its matrix."""
    return eq(rank(between(before, matrix, offset, after).jacobian(x)), rank(matrix))


# False variants


def rank_equal_to_the_dimension(parts: Parts, x: Array) -> Relation:
    """Every bottleneck is used."""
    inner, outer = parts
    found = rank(compose(outer, inner, merge=True).jacobian(x))
    return eq(found, 0 * found + inner.widths[-1])


def one_dimension_less(parts: Parts, x: Array) -> Relation:
    """A bottleneck loses a dimension."""
    inner, outer = parts
    found = rank(compose(outer, inner, merge=True).jacobian(x))
    return le(found, 0 * found + inner.widths[-1] - 1)


def folded_before_the_matrix(before: FullyConnected, matrix: Array, offset: Array, after: FullyConnected, x: Array) -> Relation:
    """The homeomorphism before the matrix is followed by a ReLU."""
    identity = FullyConnected([0 * matrix[..., :1, :1] + np.eye(matrix.shape[-1], dtype=np.int64)])
    network = between(compose(identity, before, merge=False), matrix, offset, after)
    return eq(rank(network.jacobian(x)), rank(matrix))


def full_rank_between_homeomorphisms(
    before: FullyConnected, matrix: Array, offset: Array, after: FullyConnected, x: Array
) -> Relation:
    """The rank is the smaller dimension."""
    found = rank(between(before, matrix, offset, after).jacobian(x))
    return eq(found, 0 * found + min(matrix.shape[-2:]))


# Sharp instances


def plane_in_space() -> dict[str, object]:
    """Two of three coordinates through a layer of three neurons, and back into space."""
    keep = rationals([[1, 0, 0], [0, 1, 0]])
    inner = FullyConnected([rationals(np.eye(3, dtype=int)), keep])
    return {"parts": (inner, FullyConnected([np.swapaxes(keep, 0, 1)])), "x": rationals([1, 2, 3])}


def identities(dimension: int) -> dict[str, object]:
    """The identity as g and as h."""
    one = FullyConnected([rationals(np.eye(dimension, dtype=int))])
    return {"parts": (one, one), "x": rationals([1] * dimension)}


SOURCE = Source("notion_of_rank", "Proposition 1")


def homeomorphism(dimension: str) -> Variable:
    """A shear for each coordinate."""
    return derived(shears, numbers=reals(dimension, lambda sizes: sizes[dimension] + 2))


PARTS = derived(
    with_common_slope,
    inner=Networks(depth="inner_depth", outputs="bottleneck", slope=0),
    outer=Networks(depth="outer_depth", inputs="bottleneck", slope=0),
    slope=slopes(-1, 1),
)

CLAIM = Claim(
    id="notion_of_rank.prop_1",
    title="The rank of the Jacobian is at most the bottleneck rank",
    source=SOURCE,
    statement=rank_through_bottleneck,
    domain=Domain(
        {"parts": PARTS, "x": reals("inputs")},
        {
            "inner_depth": (1, 2, 6),
            "outer_depth": (1, 2, 7),
            "inputs": (2, 4),
            "width": (3, 5),
            "bottleneck": (1, 2, 3),
            "outputs": (2, 4),
        },
    ),
    tight={"the identity": Tight(lambda: identities(2)), "a plane in space": Tight(plane_in_space)},
    false_neighbours={
        "k - 1": one_dimension_less,
        "equal to k": rank_equal_to_the_dimension,
    },
)

HOMEOMORPHISMS = Claim(
    id="notion_of_rank.prop_1.homeomorphisms",
    title="Homeomorphisms keep the rank of an affine map",
    source=SOURCE,
    statement=rank_between_homeomorphisms,
    domain=Domain(
        {
            "before": homeomorphism("inputs"),
            "matrix": reals("outputs", "inputs"),
            "offset": reals("outputs"),
            "after": homeomorphism("outputs"),
            "x": reals("inputs"),
        },
        {"inputs": range(1, 4), "outputs": range(1, 4)},
    ),
    false_neighbours={
        "full rank": full_rank_between_homeomorphisms,
        "a ReLU before the matrix": folded_before_the_matrix,
    },
)
