r"""Proposition 1: the rank of the Jacobian is at most the bottleneck rank; when they agree, and when they do not.

Statement
    If f = h o g through dimension k with piecewise linear h and g, then :math:`\mathrm{rank}\, Jf \le k` wherever f is
    differentiable. If :math:`f = \psi \circ (x \mapsto Ax + b) \circ \varphi` with piecewise linear homeomorphisms :math:`\psi`
    and :math:`\varphi`, both ranks are that of A (``.homeomorphisms``).

    They differ for the map that clips both coordinates to [-1, 1] on the square ring :math:`1 \le \|x\|_\infty \le 2`: on each
    of its eight linear regions the Jacobian has rank 0 or 1, and the bottleneck rank is 2. For on the inner boundary Q the map
    is the identity, and every :math:`\hat f = h \circ g` with continuous :math:`g : Q \to \mathbb{R}` has (``.ring``)

    .. math:: \sup_Q \|\hat f - f\|_\infty \ge 1 .
Checked
    The rank of the network that composes h and g, at points. Homeomorphisms that are shears. On the ring the ranks over all
    regions; and for every scalar encoder drawn a point with nearly g(p) = g(-p), found by bisection: what remains of
    :math:`\hat f(p) - \hat f(-p)` is at most the Lipschitz constant of the networks times the width of the last interval.
Proof idea
    The chain rule. There is a p with g(p) = g(-p) because g(p) - g(-p) is odd on a closed curve; on half of it the first
    coordinate is injective.
Sharp
    The identity and a plane in space, through a bottleneck; the constant 0 and the first coordinate on the ring.
Source
    notion_of_rank, Proposition 1; the error on the ring is ours.
"""

from __future__ import annotations

import numpy as np

from theorems.notion_of_rank.constructions.bisection import STEPS, bisected, lipschitz_bound
from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, ge, le, reals, slopes
from verify.arithmetic import Array, absolute, largest, maximum, minimum, rationals
from verify.matrices import rank
from verify.networks import FullyConnected, compose
from verify.piecewise import Polytope, jacobian_rank, linear_pieces


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
