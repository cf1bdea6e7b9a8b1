"""The rank through a bottleneck, and between homeomorphisms."""

from functools import reduce

from theorems.shared.bottleneck import with_common_slope
from verify import Claim, Domain, Networks, Source, derived, networks, reals, slopes
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import block, concatenate, eq, eye, le, lifted, rank, vector, zeros

network, compose = lifted(FullyConnected), lifted(networks.compose)


def rank_through_bottleneck(parts, x):
    g, h = parts
    return le(rank(compose(h, g, merge=True).jacobian(x)), g.widths[-1])


def one_dimension_less(parts, x):
    g, h = parts
    return le(rank(compose(h, g, merge=True).jacobian(x)), g.widths[-1] - 1)


def every_bottleneck_is_used(parts, x):
    g, h = parts
    return eq(rank(compose(h, g, merge=True).jacobian(x)), g.widths[-1])


def shear(u, kink, slope, place):
    """The homeomorphism that moves one coordinate by slope * relu(u @ x + kink), where u looks at the others alone."""
    one, e = eye(len(u)), eye(len(u))[place]
    W, V = block([[one], [-one], [((1 - e) * u)[None, :]]]), block([[one, -one, (slope * e)[:, None]]])
    return network([W, V], [concatenate([zeros(2 * len(u)), vector(kink)]), zeros(len(u))])


def shears(numbers):
    """A shear for each coordinate, one after the other; a row of numbers is a direction, a kink and a slope."""
    found = [shear(row[:-2], row[-2], row[-1], place) for place, row in enumerate(numbers)]
    return reduce(lambda first, then: compose(then, first, merge=True), found)


def between(phi, A, b, psi, merge=True):
    """The affine map between two networks; without `merge` with a ReLU in front of it."""
    return compose(psi, compose(network([A], [b]), phi, merge=merge), merge=True)


def rank_between_homeomorphisms(phi, A, b, psi, x):
    return eq(rank(between(phi, A, b, psi).jacobian(x)), rank(A))


def full_rank(phi, A, b, psi, x):
    return eq(rank(between(phi, A, b, psi).jacobian(x)), min(A.shape))


def folded(phi, A, b, psi, x):
    return eq(rank(between(phi, A, b, psi, merge=False).jacobian(x)), rank(A))


def plane_in_space():
    keep = rationals([[1, 0, 0], [0, 1, 0]])
    return {"parts": (FullyConnected([rationals(eye(3)), keep]), FullyConnected([keep.T])), "x": [1, 2, 3]}


def homeomorphism(dimension):
    return derived(shears, numbers=reals(dimension, lambda sizes: sizes[dimension] + 2))


SOURCE = Source("notion_of_rank", "Proposition 1")
PARTS = derived(
    lifted(with_common_slope),
    inner=Networks(depth="inner_depth", outputs="bottleneck", slope=0, role="first part"),
    outer=Networks(depth="outer_depth", inputs="bottleneck", slope=0, role="second part"),
    slope=slopes(-2, 2, role="slope"),
)

CLAIM = Claim(
    id="notion_of_rank.prop_1",
    title="The rank of the Jacobian is at most the bottleneck rank",
    source=SOURCE,
    statement=rank_through_bottleneck,
    domain=Domain(
        {"parts": PARTS, "x": reals("inputs", role="point")},
        {
            "inner_depth": (1, 2, 6),
            "outer_depth": (1, 2, 7),
            "inputs": (2, 4),
            "width": (3, 5),
            "bottleneck": (1, 2, 3),
            "outputs": (2, 4),
        },
    ),
    tight={
        "the identity": lambda: {"parts": (FullyConnected([rationals(eye(2))]),) * 2, "x": [1, 1]},
        "a plane in space": plane_in_space,
    },
    false_variants={"k - 1": one_dimension_less, "equal to k": every_bottleneck_is_used},
)

HOMEOMORPHISMS = Claim(
    id="notion_of_rank.prop_1.homeomorphisms",
    title="Homeomorphisms keep the rank of an affine map",
    source=SOURCE,
    statement=rank_between_homeomorphisms,
    domain=Domain(
        {
            "phi": homeomorphism("inputs"),
            "A": reals("outputs", "inputs"),
            "b": reals("outputs"),
            "psi": homeomorphism("outputs"),
            "x": reals("inputs"),
        },
        {"inputs": range(1, 4), "outputs": range(1, 4)},
    ),
    false_variants={"full rank": full_rank, "a ReLU before the matrix": folded},
)
