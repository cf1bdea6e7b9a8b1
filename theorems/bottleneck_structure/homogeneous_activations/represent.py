r"""Networks with homogeneous activations represent the continuous piecewise linear functions with finitely many pieces.

Statement
    For slopes p and q with :math:`p^2 \ne q^2` every continuous piecewise linear function with finitely many pieces is a
    network, and conversely.
Checked
    The network of ``verify.networks.from_lattice`` against a maximum of minima of affine pieces, at points, for any slopes.
    Exactly, on a whole square: the affine map of every linear region of such a network is one of the pieces, and the maximum
    of minima at its vertices takes it. The network of a triangulated interpolant has the given values.
Proof idea
    Every such function is, in each output, a maximum of minima of affine pieces; two neurons give :math:`\max(t, 0)` and t,
    and :math:`\max(u, v) = v + \max(u - v, 0)`. A network is affine where no neuron changes its sign.
Source
    bottleneck_structure, Section 2 (networks and piecewise linear functions).
"""

from __future__ import annotations

import numpy as np

from verify import Claim, Domain, Relation, Source, derived, eq, integers, interval, reals
from verify.arithmetic import Array, absolute, compare, largest, rationals, smallest
from verify.networks import FullyConnected, HomogeneousActivation, from_lattice
from verify.piecewise import Polytope, linear_regions, triangulated_interpolant

GROUPS = ([[0, 1], [1, 2, 3]], [[0], [3]])
"""Of four pieces, the groups of two outputs: max(min(0, 1), min(1, 2, 3)) and max(0, 3)."""


def affine_pieces(pieces: Array, offsets: Array, x: Array) -> Array:
    """Values of the pieces, shapes ``(..., 4, d)``, ``(..., 4)`` and ``(..., d)`` to ``(..., 4)``."""
    return np.asarray((pieces @ x[..., None])[..., 0] + offsets)


def maximum_of_minima(pieces: Array, offsets: Array, x: Array) -> Array:
    """The formula, to ``(..., 2)``."""
    values = affine_pieces(pieces, offsets, x)
    minima = [np.stack([smallest(values[..., group]) for group in groups], axis=-1) for groups in GROUPS]
    return np.stack([largest(one) for one in minima], axis=-1)


def slopes(steeper: Array, ratio: Array, swapped: Array) -> tuple[Array, Array]:
    """Slopes for t >= 0 and below: `steeper` and `ratio` times it, or the other way round where `swapped` is 1."""
    other = ratio * steeper
    return steeper + swapped * (other - steeper), other + swapped * (steeper - other)


def network_is_the_formula(pieces: Array, offsets: Array, pair: tuple[Array, Array], x: Array) -> Relation:
    """Value of the network and of the formula; `pair` are the slopes of the activation."""
    network = from_lattice(pieces, offsets, GROUPS, HomogeneousActivation(*pair))
    # beside the sizes of the pieces, of which the values may be small differences
    size = absolute(affine_pieces(pieces, offsets, x)).sum(axis=-1)[..., None] + absolute(offsets).sum(axis=-1)[..., None]
    return eq(network(x) + size, maximum_of_minima(pieces, offsets, x) + size, over=1)


def regions_are_pieces() -> Relation:
    """On [-1, 1]^2: how many regions have an affine map that is not a piece, or not the value of the formula at a vertex."""
    pieces, offsets = rationals([[1, 0], [0, 1], [-1, 1], [1, -2]]), rationals([0, "1/2", "-1/4", 1])
    network = from_lattice(pieces, offsets, GROUPS)
    square = Polytope.box(rationals([-1, -1]), rationals([1, 1]))
    counted = strange = wrong = 0
    for region in linear_regions(network, square):
        counted += 1
        for output in range(2):
            row, constant = region.matrix[output], region.offset[output]
            strange += not any(
                (row == piece).all() and constant == offset for piece, offset in zip(pieces, offsets, strict=True)
            )
        for vertex in region.polytope.vertices:
            value = region.matrix @ vertex + region.offset
            wrong += int((compare(value, maximum_of_minima(pieces, offsets, vertex)) != 0).any())
    return eq(rationals([strange, wrong, min(counted, 5)]), rationals([0, 0, 5]), over=1)


def interpolant_has_its_values() -> Relation:
    """A square with a point inside: the interpolant of integers at the five points."""
    points = rationals([[0, 0], [2, 0], [2, 2], [0, 2], [1, "1/2"]])
    values = rationals([[1, 0], [-2, 1], [3, 5], [0, 0], [7, -1]])
    return eq(triangulated_interpolant(points, values)(points), values, over=2)


# False variants


def minima_of_maxima(pieces: Array, offsets: Array, pair: tuple[Array, Array], x: Array) -> Relation:
    """Minimum and maximum exchanged."""
    values = affine_pieces(pieces, offsets, x)
    maxima = [np.stack([largest(values[..., group]) for group in groups], axis=-1) for groups in GROUPS]
    network = from_lattice(pieces, offsets, GROUPS, HomogeneousActivation(*pair))
    return eq(network(x), np.stack([smallest(one) for one in maxima], axis=-1), over=1)


def with_other_activation(pieces: Array, offsets: Array, pair: tuple[Array, Array], x: Array) -> Relation:
    """The same weights with the slopes exchanged."""
    network = from_lattice(pieces, offsets, GROUPS, HomogeneousActivation(*pair))
    other = FullyConnected(network.weights, network.biases, HomogeneousActivation(*pair[::-1]))
    return eq(other(x), maximum_of_minima(pieces, offsets, x), over=1)


CLAIM = Claim(
    id="bottleneck_structure.homogeneous_activations.represent",
    title="Maxima of minima of affine pieces are networks",
    source=Source("bottleneck_structure", "Section 2, homogeneous nonlinearities"),
    statement=network_is_the_formula,
    domain=Domain(
        {
            "pieces": reals(4, "inputs"),
            "offsets": reals(4),
            "pair": derived(
                slopes, steeper=interval(1 / 2, 2), ratio=interval(-3 / 4, 3 / 4, often=(0,)), swapped=integers(0, 1)
            ),
            "x": reals("inputs"),
        },
        {"inputs": range(1, 4)},
    ),
    false_neighbours={"minima of maxima": minima_of_maxima, "the slopes exchanged": with_other_activation},
    exact={"every region of a square": regions_are_pieces, "a triangulated interpolant": interpolant_has_its_values},
)
