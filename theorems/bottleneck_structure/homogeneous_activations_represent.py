r"""Networks with homogeneous activations represent the continuous piecewise linear functions with finitely many pieces.

Every such function is, in each output, a maximum of minima of affine pieces, and these have networks: with an activation of
slopes p and q, :math:`p^2 \ne q^2`, two neurons give :math:`\max(t, 0)` and t, and :math:`\max(u, v) = v + \max(u - v, 0)`.
Conversely, a network is affine where no neuron changes its sign.

What is checked: the network of ``verify.networks.from_lattice`` against the formula at points, for any slopes; exactly, on a
whole square, that the affine map of every linear region of such a network is one of the pieces, and that the maximum of minima
at its vertices takes it; and that the network of a triangulated interpolant has the given values.

Source: bottleneck_structure, Section 2 (networks and piecewise linear functions).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from verify import Claim, Domain, Relation, Source, Tight, derived, eq, integers, interval, reals
from verify.arithmetic import Array, absolute, compare, largest, rationals, smallest
from verify.networks import FullyConnected, HomogeneousActivation, from_lattice
from verify.piecewise import Polytope, linear_regions, triangulated_interpolant

GROUPS = ([[0, 1], [1, 2, 3]], [[0], [3]])
"""Of four pieces, the groups of two outputs: max(min(0, 1), min(1, 2, 3)) and max(0, 3)."""


def maximum_of_minima(pieces: Array, offsets: Array, x: Array, exchanged: bool = False) -> Array:
    """The formula, shapes ``(..., 4, d)``, ``(..., 4)`` and ``(..., d)`` to ``(..., 2)``; or with min and max exchanged."""
    values = (pieces @ x[..., None])[..., 0] + offsets
    inner, outer = (largest, smallest) if exchanged else (smallest, largest)
    return np.stack([outer(np.stack([inner(values[..., group]) for group in groups], axis=-1)) for groups in GROUPS], axis=-1)


def slopes(steeper: Array, ratio: Array, swapped: Array) -> tuple[Array, Array]:
    """Slopes for t >= 0 and below: `steeper` and `ratio` times it, or the other way round where `swapped` is 1."""
    other = ratio * steeper
    return steeper + swapped * (other - steeper), other + swapped * (steeper - other)


def network_is_the_formula(
    pieces: Array, offsets: Array, pair: tuple[Array, Array], x: Array, exchanged: bool = False, flipped: bool = False
) -> Relation:
    """Value of the network and of the formula; `pair` is reversed after the construction in a false neighbour."""
    network = from_lattice(pieces, offsets, GROUPS, HomogeneousActivation(*pair))
    if flipped:
        network = FullyConnected(network.weights, network.biases, HomogeneousActivation(*pair[::-1]))
    size = 1 + absolute(x).sum(axis=-1) + absolute(offsets).sum(axis=-1)
    for weight in network.weights:
        size = size * (1 + absolute(weight).sum(axis=(-2, -1))) * (1 + absolute(pair[0]) + absolute(pair[1]))
    return eq(network(x), maximum_of_minima(pieces, offsets, x, exchanged), scale=np.asarray(size)[..., None], over=1)


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


def one_point() -> dict[str, Any]:
    """Four pieces on the line, the absolute slopes 1 and 2."""
    return {
        "pieces": rationals([[[1], [-1], [2], [0]]]),
        "offsets": rationals([[0, 1, -1, "1/2"]]),
        "pair": (rationals([1]), rationals([-2])),
        "x": rationals([["1/3"]]),
    }


CLAIM = Claim(
    id="bottleneck_structure.homogeneous_activations.represent",
    title="Maxima of minima of affine pieces are networks",
    source=Source("bottleneck_structure", "Section 2, homogeneous nonlinearities"),
    statement=network_is_the_formula,
    domain=Domain(
        {
            "pieces": reals(4, "inputs"),
            "offsets": reals(4),
            "pair": derived(slopes, steeper=interval(1 / 2, 2), ratio=interval(-3 / 4, 3 / 4), swapped=integers(0, 1)),
            "x": reals("inputs"),
        },
        {"inputs": range(1, 4)},
    ),
    tight={"four pieces on the line": Tight(one_point)},
    false_neighbours={
        "minima of maxima": partial(network_is_the_formula, exchanged=True),
        "the slopes exchanged": partial(network_is_the_formula, flipped=True),
    },
    exact={"every region of a square": regions_are_pieces, "a triangulated interpolant": interpolant_has_its_values},
)
