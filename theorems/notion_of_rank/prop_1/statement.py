"""The rank through a bottleneck, and between homeomorphisms."""

from __future__ import annotations

import numpy as np

from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from verify import Claim, Domain, Networks, Relation, Source, Tight, derived, eq, le, reals, slopes
from verify.arithmetic import Array, rationals
from verify.matrices import rank
from verify.networks import FullyConnected, compose


def rank_through_bottleneck(parts: Parts, x: Array) -> Relation:
    """Rank of the Jacobian of the network for h(g(x)) against the dimension of the bottleneck."""
    inner, outer = parts
    found = rank(compose(outer, inner, merge=True).jacobian(x))
    return le(found, 0 * found + inner.widths[-1])


def shear(direction: Array, kink: Array, slope: Array, onto: int) -> FullyConnected:
    r"""Homeomorphism of the plane: coordinate `onto` moved by ``slope * relu(direction * other + kink)``."""
    if onto not in (0, 1):
        raise ValueError(f"onto must be 0 or 1, got {onto}: the plane has two coordinates")
    one, zero = 0 * slope + 1, 0 * slope
    other = 1 - onto
    rows = [[one, zero], [-one, zero], [zero, one], [zero, -one], [direction, zero] if other == 0 else [zero, direction]]
    out = [[one, -one, zero, zero, zero], [zero, zero, one, -one, zero]]
    out[onto][-1] = slope
    first, second = (np.stack([np.stack(row, axis=-1) for row in matrix], axis=-2) for matrix in (rows, out))
    return FullyConnected([first, second], [np.stack([zero] * 4 + [kink], axis=-1), np.stack([zero, zero], axis=-1)])


def two_shears(numbers: Array) -> FullyConnected:
    """Composition of two shears, one for each coordinate, from six numbers ``(..., 6)``."""
    if numbers.ndim < 1 or numbers.shape[-1] != 6:
        raise ValueError(f"numbers must have the shape (..., 6), got {numbers.shape}: three for each shear")
    a, b, c, d, e, f = (numbers[..., place] for place in range(6))
    first, second = shear(a, b, c, onto=0), shear(d, e, f, onto=1)
    return compose(second, first, merge=True)


def rank_between_homeomorphisms(before: FullyConnected, matrix: Array, after: FullyConnected, x: Array) -> Relation:
    """Rank of the Jacobian of the composition with a matrix in the middle, against that of the matrix."""
    network = compose(after, compose(FullyConnected([matrix]), before, merge=True), merge=True)
    return eq(rank(network.jacobian(x)), rank(matrix))


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


def folded_before_the_matrix(before: FullyConnected, matrix: Array, after: FullyConnected, x: Array) -> Relation:
    """The homeomorphism before the matrix is followed by a ReLU."""
    identity = FullyConnected([0 * matrix + np.eye(2, dtype=np.int64)])
    folded = compose(FullyConnected([matrix]), compose(identity, before, merge=False), merge=True)
    network = compose(after, folded, merge=True)
    return eq(rank(network.jacobian(x)), rank(matrix))


def full_rank_between_homeomorphisms(before: FullyConnected, matrix: Array, after: FullyConnected, x: Array) -> Relation:
    """The rank is that of the plane."""
    network = compose(after, compose(FullyConnected([matrix]), before, merge=True), merge=True)
    found = rank(network.jacobian(x))
    return eq(found, 0 * found + 2)


# The ring


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

SHEARS = derived(two_shears, numbers=reals(6))

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
    title="Homeomorphisms keep the rank of a matrix",
    source=SOURCE,
    statement=rank_between_homeomorphisms,
    domain=Domain({"before": SHEARS, "matrix": reals(2, 2), "after": SHEARS, "x": reals(2)}),
    false_neighbours={
        "full rank": full_rank_between_homeomorphisms,
        "a ReLU before the matrix": folded_before_the_matrix,
    },
)
