r"""The construction of Theorem 1 on a whole polytope, with the least shift.

``theorem_1`` compares the network with h(g(x)) at points where the shift makes g non-negative. Here the polytope is given, the
shift is the least one, :math:`s_i = -\min_\Omega g_i` (exactly, over the linear regions of g), and the network of any depth is
compared with h(g(x)) on all of :math:`\Omega`: by the structure of both, or on every cell of the common refinement of their
linear regions. A shift that is smaller in one entry is seen at a vertex, unless h does not use that entry there.

Source: notion_of_rank, Theorem 1; the least shift is ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.notion_of_rank.constructions.bottleneck import Parts
from theorems.notion_of_rank.theorem_1.statement import PARTS, SIZES
from verify import Claim, Domain, Ours, Relation, Source, eq
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


def equal_on_a_square(parts: Parts, less: int = 0, moved: bool = True) -> Relation:
    """Values of the construction and of h(g(x)); the shift is smaller by `less` hundredths in a false neighbour."""
    inner, outer = parts
    batch, polytope = inner.batch_shape, square(inner.widths[0])
    left, right = [], []
    for index in np.ndindex(batch):
        g, h = inner[index].as_exact(), outer[index].as_exact()
        shift = minimum_shift(g, polytope) - rationals(less) / 100
        for identities in DEPTHS:
            network = through_bottleneck(g, h, g.depth + h.depth + identities, shift)
            if not moved:
                biases = [*network.biases[:-1], network.biases[-1] + shift.sum()]
                network = FullyConnected(network.weights, biases, network.activation)
            values = values_where_they_differ(network, compose(h, g, merge=True), polytope)
            left.append(values[0])
            right.append(values[1])
    shape = (*batch, len(DEPTHS), -1)
    sides = [np.array(side, dtype=object).reshape(shape) for side in (left, right)]
    return eq(*(sides if inner.is_exact else [floats(side) for side in sides]), over=2)


CLAIM = Claim(
    id="notion_of_rank.theorem_1.on_a_polytope",
    title="The construction of Theorem 1 equals h after g on a whole polytope",
    source=Source("notion_of_rank", "Theorem 1"),
    status=Ours(),
    statement=equal_on_a_square,
    cost=50,
    domain=Domain(
        {"parts": PARTS},
        {name: range(2, 3) if name in ("width", "bottleneck") else values for name, values in SIZES.items()}
        | {"outputs": range(1, 2)},
    ),
    false_neighbours={
        "a shift smaller by 1/100": partial(equal_on_a_square, less=1),
        "the sum of the shifts added": partial(equal_on_a_square, moved=False),
    },
)
