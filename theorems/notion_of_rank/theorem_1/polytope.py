r"""Theorem 1 on a whole polytope, with the least shift.

Statement
    On a polytope :math:`\Omega` the least shift is :math:`s_i = -\min_\Omega g_i`. With it the network of Theorem 1 equals
    h(g(x)) on all of :math:`\Omega`, at every depth.
Checked
    The minimum exactly, over the linear regions of g. Equality on :math:`[-1, 1]^d`, by the structure of both networks or on
    every cell of the common refinement of their linear regions, with 0, 1 and 40 identity layers.
Proof idea
    That of ``statement``.
Source
    notion_of_rank, Theorem 1; the least shift is ours.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from theorems.notion_of_rank.constructions.bottleneck import Parts
from theorems.notion_of_rank.theorem_1.statement import PARTS, SIZES
from verify import Claim, Domain, Ours, Q, Relation, Source, eq
from verify.arithmetic import Array, floats, rationals
from verify.networks import FullyConnected, compose, through_bottleneck
from verify.piecewise import Polytope, equal, minimum_shift

DEPTHS = (0, 1, 40)
"""Numbers of identity layers."""


def square(inputs: int) -> Polytope:
    """[-1, 1]^d."""
    return Polytope.box(rationals([-1] * inputs), rationals([1] * inputs))


def values_where_they_differ(network: FullyConnected, other: FullyConnected, polytope: Polytope) -> tuple[Array, Array]:
    """The values of two networks at a point where they differ on the polytope, or inside it if they are equal."""
    found = equal(network, other, polytope)
    if found.values is not None:
        return found.values
    point = polytope.interior_point
    return network(point), other(point)


def equal_on_a_square(parts: Parts) -> Relation:
    """Values of the construction and of h(g(x))."""
    return compared_on_a_square(parts, lambda g, h, shift, depth: through_bottleneck(g, h, depth, shift))


def compared_on_a_square(
    parts: Parts, build: Callable[[FullyConnected, FullyConnected, Array, int], FullyConnected]
) -> Relation:
    """Values of what `build` makes of g, h, the least shift and a depth, and of h(g(x))."""
    inner, outer = parts
    batch, polytope = inner.batch_shape, square(inner.widths[0])
    left, right = [], []
    for index in np.ndindex(batch):
        g, h = inner[index].as_exact(), outer[index].as_exact()
        shift = minimum_shift(g, polytope)
        for identities in DEPTHS:
            network = build(g, h, shift, g.depth + h.depth + identities)
            values = values_where_they_differ(network, compose(h, g, merge=True), polytope)
            left.append(values[0])
            right.append(values[1])
    shape = (*batch, len(DEPTHS), -1)
    sides = [np.array(side, dtype=object).reshape(shape) for side in (left, right)]
    return eq(*(sides if inner.is_exact else [floats(side) for side in sides]), over=2)


# False variants


def with_a_smaller_shift(parts: Parts) -> Relation:
    """A shift smaller by 1/100."""
    return compared_on_a_square(parts, lambda g, h, shift, depth: through_bottleneck(g, h, depth, shift - Q("1/100")))


def with_the_sum_of_the_shifts_added(parts: Parts) -> Relation:
    """A bias in the last layer that nothing asks for."""

    def build(g: FullyConnected, h: FullyConnected, shift: Array, depth: int) -> FullyConnected:
        network = through_bottleneck(g, h, depth, shift)
        biases = [*network.biases[:-1], network.biases[-1] + shift.sum()]
        return FullyConnected(network.weights, biases, network.activation)

    return compared_on_a_square(parts, build)


CLAIM = Claim(
    id="notion_of_rank.theorem_1.on_a_polytope",
    title="The construction of Theorem 1 equals h after g on a whole polytope",
    source=Source("notion_of_rank", "Theorem 1"),
    status=Ours(),
    statement=equal_on_a_square,
    cost=50,
    domain=Domain(
        {"parts": PARTS},
        {
            **SIZES,
            "inner_depth": (1, 2),
            "outer_depth": (1, 2),
            "inputs": (1, 2),
            "width": (2,),
            "bottleneck": (2,),
            "outputs": (1,),
        },
    ),
    false_variants={
        "a smaller shift": with_a_smaller_shift,
        "the sum of the shifts added": with_the_sum_of_the_shifts_added,
    },
)
