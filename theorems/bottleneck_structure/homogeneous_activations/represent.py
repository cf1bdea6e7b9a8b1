r"""Homogeneous activations represent all piecewise linear functions.

Statement
    For slopes p and q with :math:`p^2 \ne q^2` every continuous piecewise linear function with finitely many pieces is a
    network, and conversely.
Checked
    The network of ``verify.networks.from_lattice`` against :math:`\max(\min(v_0, v_1), \min(v_1, v_2, v_3))` and
    :math:`\max(v_0, v_3)` of four affine pieces v = Px + o, at points, for any slopes. Exactly, on a whole square: the affine
    map of every linear region of such a network is one of the pieces, and the maximum of minima at its vertices takes it. The
    network of a triangulated interpolant has the given values.
Proof idea
    Every such function is, in each output, a maximum of minima of affine pieces; two neurons give :math:`\max(t, 0)` and t,
    and :math:`\max(u, v) = v + \max(u - v, 0)`. A network is affine where no neuron changes its sign.
Source
    bottleneck_structure, Section 2 (networks and piecewise linear functions).
"""

from verify import Claim, Domain, Source, derived, integers, interval, reals
from verify.networks import FullyConnected, HomogeneousActivation, from_lattice
from verify.numbers.arithmetic import rationals
from verify.piecewise import Polytope, linear_regions, triangulated_interpolant
from verify.words import absolute, eq, greatest, least, lifted, stack

GROUPS = ([[0, 1], [1, 2, 3]], [[0], [3]])
"""Of four pieces, the groups of two outputs."""
network, activation, lattice = lifted(FullyConnected), lifted(HomogeneousActivation), lifted(from_lattice)


def formula(P, o, x, inner=least, outer=greatest):
    """The maximum of minima of the pieces, for both outputs."""
    v = P @ x + o
    return stack([outer(stack([inner(v[group]) for group in groups])) for groups in GROUPS])


def network_is_the_formula(P, o, slopes, x, inner=least, outer=greatest):
    f, size = lattice(P, o, GROUPS, activation(*slopes)), absolute(P @ x + o).sum() + absolute(o).sum()
    return eq(f(x), formula(P, o, x, inner, outer), beside=size)


def with_slopes_exchanged(P, o, slopes, x):
    f = lattice(P, o, GROUPS, activation(*slopes))
    return eq(network(f.weights, f.biases, activation(*slopes[::-1]))(x), formula(P, o, x))


def slopes(steeper, ratio, swapped):
    """Slopes above and below zero: `steeper` and `ratio` times it, or the other way round where `swapped` is 1."""
    other = ratio * steeper
    return steeper + swapped * (other - steeper), other + swapped * (steeper - other)


def regions_are_pieces():
    """On [-1, 1]^2: how many regions have an affine map that is not a piece, or not the value of the formula at a vertex."""
    P, o = rationals([[1, 0], [0, 1], [-1, 1], [1, -2]]), rationals([0, "1/2", "-1/4", 1])
    f, square = from_lattice(P, o, GROUPS), Polytope.box(rationals([-1, -1]), rationals([1, 1]))
    pieces = [(*row, offset) for row, offset in zip(P, o, strict=True)]
    regions = [*linear_regions(f, square)]
    strange = sum((*A, b) not in pieces for region in regions for A, b in zip(region.matrix, region.offset, strict=True))
    vertices = [(region, v) for region in regions for v in region.polytope.vertices]
    wrong = sum((region.matrix @ v + region.offset != formula(P, o, v)).any() for region, v in vertices)
    return eq([int(strange), int(wrong), min(len(regions), 5)], [0, 0, 5])


def interpolant_has_its_values():
    """A square with a point inside: the interpolant of integers at the five points."""
    points = rationals([[0, 0], [2, 0], [2, 2], [0, 2], [1, "1/2"]])
    values = rationals([[1, 0], [-2, 1], [3, 5], [0, 0], [7, -1]])
    return eq(triangulated_interpolant(points, values)(points), values)


CLAIM = Claim(
    id="bottleneck_structure.homogeneous_activations.represent",
    title="Maxima of minima of affine pieces are networks",
    source=Source("bottleneck_structure", "Section 2, homogeneous nonlinearities"),
    statement=network_is_the_formula,
    domain=Domain(
        {
            "P": reals(4, "inputs"),
            "o": reals(4),
            "slopes": derived(
                slopes, steeper=interval(1 / 2, 2), ratio=interval(-3 / 4, 3 / 4, often=(0,)), swapped=integers(0, 1)
            ),
            "x": reals("inputs"),
        },
        {"inputs": range(1, 4)},
    ),
    false_variants={
        "minima of maxima": {"inner": greatest, "outer": least},
        "the slopes exchanged": with_slopes_exchanged,
    },
    exact={"every region of a square": regions_are_pieces, "a triangulated interpolant": interpolant_has_its_values},
)
