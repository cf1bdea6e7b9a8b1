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
    The identity through a bottleneck; the constant 0 on the ring.
Source
    notion_of_rank, Proposition 1; the error on the ring is ours.
"""

from __future__ import annotations

import numpy as np

from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from theorems.notion_of_rank.rank_axioms import rank_number
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, ge, le, reals, slopes
from verify.arithmetic import Array, absolute, compare, largest, maximum, minimum, rationals
from verify.networks import FullyConnected, compose
from verify.piecewise import Polytope, jacobian_rank, linear_pieces

STEPS = 24
"""Bisections: the last interval is 4 / 2^24 long."""


def rank_through_bottleneck(parts: Parts, x: Array) -> Relation:
    """Rank of the Jacobian of the network for h(g(x)) against the dimension of the bottleneck."""
    inner, outer = parts
    found = rank_number(compose(outer, inner, merge=True).jacobian(x))
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
    return eq(rank_number(network.jacobian(x)), rank_number(matrix))


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
    low, high, sign = start, start + 4, compare(difference(start), 0)
    for _ in range(STEPS):
        middle = (low + high) / 2
        same = compare(difference(middle), 0) == sign
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return on_the_square(low)


def lipschitz_bound(network: FullyConnected) -> Array:
    """Product of the sums of the absolute weights of the layers, batch-shaped: at least the Lipschitz constant."""
    bound = 0 * network.biases[-1][..., 0] + 1
    for weight in network.weights:
        bound = bound * absolute(weight).sum(axis=(-2, -1))
    return np.asarray(bound)


def error_on_the_square(encoder: FullyConnected, decoder: FullyConnected) -> Relation:
    """Largest error of h(g(p)) as an approximation of p, at the two points found, against 1 less what bisection leaves."""
    p = antipodal_pair(encoder)
    errors = [largest(absolute(decoder(encoder(point)) - point)) for point in (p, -p)]
    # g moves by at most 2 Lip(g) times the width between the points where its difference has other signs
    left = lipschitz_bound(encoder) * lipschitz_bound(decoder) * 8 / 2**STEPS
    return ge(maximum(*errors) + left, 0 * left + 1)


# False variants


def rank_equal_to_the_dimension(parts: Parts, x: Array) -> Relation:
    """Every bottleneck is used."""
    inner, outer = parts
    found = rank_number(compose(outer, inner, merge=True).jacobian(x))
    return eq(found, 0 * found + inner.widths[-1])


def one_dimension_less(parts: Parts, x: Array) -> Relation:
    """A bottleneck loses a dimension."""
    inner, outer = parts
    found = rank_number(compose(outer, inner, merge=True).jacobian(x))
    return le(found, 0 * found + inner.widths[-1] - 1)


def folded_before_the_matrix(before: FullyConnected, matrix: Array, after: FullyConnected, x: Array) -> Relation:
    """The homeomorphism before the matrix is followed by a ReLU."""
    identity = FullyConnected([0 * matrix + np.eye(2, dtype=np.int64)])
    folded = compose(FullyConnected([matrix]), compose(identity, before, merge=False), merge=True)
    network = compose(after, folded, merge=True)
    return eq(rank_number(network.jacobian(x)), rank_number(matrix))


def full_rank_between_homeomorphisms(before: FullyConnected, matrix: Array, after: FullyConnected, x: Array) -> Relation:
    """The rank is that of the plane."""
    network = compose(after, compose(FullyConnected([matrix]), before, merge=True), merge=True)
    found = rank_number(network.jacobian(x))
    return eq(found, 0 * found + 2)


def decoder_sees_the_point(encoder: FullyConnected, decoder: FullyConnected) -> Relation:
    """A decoder that is given the point, too."""
    p = antipodal_pair(encoder)
    errors = [largest(absolute(decoder(encoder(point)))) for point in (p, -p)]
    left = lipschitz_bound(encoder) * lipschitz_bound(decoder) * 8 / 2**STEPS
    return ge(maximum(*errors) + left, 0 * left + 1)


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


def identity_of_the_line(dimension: int) -> dict[str, object]:
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
            "inner_depth": (1, 2, 4),
            "outer_depth": (1, 2),
            "inputs": (2, 3),
            "width": (3,),
            "bottleneck": (1, 2),
            "outputs": (2, 3),
        },
    ),
    tight={"the identity": Tight(lambda: identity_of_the_line(2))},
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
            "encoder": Networks(depth="depth", inputs=2, outputs=1),
            "decoder": Networks(depth="depth", inputs=1, outputs=2),
        },
        {"depth": (1, 2, 3), "width": range(1, 4)},
    ),
    tight={"zero": Tight(nothing)},
    false_neighbours={
        "the decoder sees the point": decoder_sees_the_point,
        "the error at a corner": error_at_any_point,
    },
    exact={"ranks on the ring": ranks_on_the_ring},
)
