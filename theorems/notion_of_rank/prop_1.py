r"""Proposition 1: the rank of the Jacobian is at most the bottleneck rank; when they agree, and when they do not.

If f = h o g through dimension k with piecewise linear h and g, then :math:`\mathrm{rank}\, Jf \le k` wherever f is
differentiable. If :math:`f = \psi \circ (x \mapsto Ax + b) \circ \varphi` with piecewise linear homeomorphisms :math:`\psi` and
:math:`\varphi`, both ranks are that of A (``.homeomorphisms``, with shears).

They differ for the map that clips both coordinates to [-1, 1] on the square ring :math:`1 \le \|x\|_\infty \le 2`: on each of
its eight linear regions the Jacobian has rank 0 or 1 (decided over all regions), and the bottleneck rank is 2. For on the inner
boundary Q the map is the identity, and for every continuous :math:`g : Q \to \mathbb{R}` there is a p with g(p) = g(-p): so
every :math:`\hat f = h \circ g` has :math:`\hat f(p) = \hat f(-p)` and

.. math:: \sup_Q \|\hat f - f\|_\infty \ge 1 ,

which the constant 0 attains (``.ring``). The point is found by bisection, for every scalar encoder drawn: what remains of
:math:`\hat f(p) - \hat f(-p)` is at most the Lipschitz constant of the networks times the width of the last interval. The curve
must be closed: on half of it the first coordinate is injective.

Source: notion_of_rank, Proposition 1; the error on the ring is ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.notion_of_rank.constructions.bottleneck import Parts
from theorems.notion_of_rank.rank_axioms import rank_number
from theorems.notion_of_rank.theorem_1.statement import PARTS, SIZES
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, ge, le, reals
from verify.arithmetic import Array, absolute, compare, largest, maximum, minimum, rationals
from verify.networks import FullyConnected, compose
from verify.piecewise import Polytope, jacobian_rank, linear_pieces

STEPS = 24
"""Bisections: the last interval is 4 / 2^24 long."""


def rank_through_bottleneck(parts: Parts, x: Array, less: int = 0, exactly: bool = False) -> Relation:
    """Rank of the Jacobian of h(g(x)) against the dimension of the bottleneck."""
    inner, outer = parts
    k = inner.widths[-1]
    found = rank_number(outer.jacobian(inner(x)) @ inner.jacobian(x))
    return eq(found, 0 * found + k) if exactly else le(found, 0 * found + k - less)


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


def rank_between_homeomorphisms(
    before: FullyConnected, matrix: Array, after: FullyConnected, x: Array, off: int = 0, folded: bool = False
) -> Relation:
    """Rank of the Jacobian of the composition with a matrix in the middle, against that of the matrix.

    In a false neighbour the homeomorphism before the matrix is followed by a ReLU.
    """
    middle = FullyConnected([matrix])
    if folded:
        identity = FullyConnected([0 * matrix + np.eye(2, dtype=np.int64)])
        before = compose(identity, before, merge=False)
    network = compose(after, compose(middle, before, merge=True), merge=True)
    return eq(rank_number(network.jacobian(x)), rank_number(matrix) - off)


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


def error_on_the_square(
    encoder: FullyConnected, decoder: FullyConnected, percent: int = 100, sees_the_point: bool = False
) -> Relation:
    """Largest error of h(g(p)) as an approximation of p, at the two points found, against 1 less what bisection leaves."""
    p = antipodal_pair(encoder)
    errors = []
    for point in (p, -p):
        value = decoder(encoder(point)) + (point if sees_the_point else 0)
        errors.append(largest(absolute(value - point)))
    # g moves by at most 2 Lip(g) times the width between the points where its difference has other signs
    left = lipschitz_bound(encoder) * lipschitz_bound(decoder) * 8 / 2**STEPS
    size = 1 + largest(absolute(decoder.biases[-1])) + lipschitz_bound(decoder) * (1 + absolute(encoder(p))[..., 0])
    return ge(maximum(*errors) + left, (0 * left + 1) * percent / 100, scale=size + left)


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


SOURCE = Source("notion_of_rank", "Proposition 1")
SHEARS = derived(two_shears, numbers=reals(6))

CLAIM = Claim(
    id="notion_of_rank.prop_1",
    title="The rank of the Jacobian is at most the bottleneck rank",
    source=SOURCE,
    statement=rank_through_bottleneck,
    domain=Domain({"parts": PARTS, "x": reals("inputs")}, SIZES | {"inputs": range(2, 3), "outputs": range(2, 3)}),
    false_neighbours={
        "k - 1": partial(rank_through_bottleneck, less=1),
        "equal to k": partial(rank_through_bottleneck, exactly=True),
    },
)

HOMEOMORPHISMS = Claim(
    id="notion_of_rank.prop_1.homeomorphisms",
    title="Homeomorphisms keep the rank of a matrix",
    source=SOURCE,
    statement=rank_between_homeomorphisms,
    domain=Domain({"before": SHEARS, "matrix": reals(2, 2), "after": SHEARS, "x": reals(2)}),
    false_neighbours={
        "one less": partial(rank_between_homeomorphisms, off=1),
        "a ReLU before the matrix": partial(rank_between_homeomorphisms, folded=True),
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
            "encoder": Networks(depth=2, inputs=2, outputs=1),
            "decoder": Networks(depth=2, inputs=1, outputs=2),
        },
        {"width": range(1, 4)},
    ),
    tight={"zero": Tight(nothing)},
    false_neighbours={
        "error 1.01": partial(error_on_the_square, percent=101),
        "the decoder sees the point": partial(error_on_the_square, sees_the_point=True),
    },
    exact={"ranks on the ring": ranks_on_the_ring},
)
