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
    notion_of_rank, Theorem 1; the least shift is derived here.
"""

import numpy as np

from theorems.notion_of_rank.theorem_1.statement import PARTS, SIZES
from verify import Claim, DerivedHere, Domain, Q, Source
from verify.networks import FullyConnected, compose, through_bottleneck
from verify.numbers.arithmetic import floats, rationals
from verify.piecewise import Polytope, equal, minimum_shift
from verify.words import eq, lifted

IDENTITIES = (0, 1, 40)
"""Numbers of identity layers."""


@lifted
def values_where_they_differ(parts, build):
    r"""For each number of identity layers, values of what `build` makes of g, h, the least shift and a depth, and of h(g(x)).

    They are those at a point of :math:`[-1, 1]^d` where both differ, or inside it if they are equal.
    """
    sides, d = [], parts[0].widths[0]
    square = Polytope.box(rationals([-1] * d), rationals([1] * d))
    for index in np.ndindex(parts[0].batch_shape):
        g, h = ((part[index] if index else part).as_exact() for part in parts)
        shift, whole = minimum_shift(g, square), compose(h, g, merge=True)
        for identities in IDENTITIES:
            f = build(g, h, shift, g.depth + h.depth + identities)
            found = equal(f, whole, square).values
            sides.append((f(square.interior_point), whole(square.interior_point)) if found is None else found)
    shape = (*parts[0].batch_shape, len(IDENTITIES), -1)
    left, right = (np.array(side, dtype=object).reshape(shape) for side in zip(*sides, strict=True))
    return (left, right) if parts[0].is_exact else (floats(left), floats(right))


def equal_on_a_square(parts):
    return eq(*values_where_they_differ(parts, lambda g, h, s, L: through_bottleneck(g, h, L, s)))


def with_a_smaller_shift(parts):
    """Smaller by 1/100."""
    return eq(*values_where_they_differ(parts, lambda g, h, s, L: through_bottleneck(g, h, L, s - Q(1, 100))))


def with_the_sum_of_the_shifts_added(parts):
    """A bias in the last layer that nothing asks for."""

    def build(g, h, s, L):
        f = through_bottleneck(g, h, L, s)
        return FullyConnected(f.weights, [*f.biases[:-1], f.biases[-1] + s.sum()], f.activation)

    return eq(*values_where_they_differ(parts, build))


SMALL = {"inner_depth": (1, 2), "outer_depth": (1, 2), "inputs": (1, 2), "width": (2,), "bottleneck": (2,), "outputs": (1,)}

CLAIM = Claim(
    id="notion_of_rank.theorem_1.on_a_polytope",
    title="The construction of Theorem 1 equals h after g on a whole polytope",
    source=Source("notion_of_rank", "Theorem 1"),
    status=DerivedHere(),
    statement=equal_on_a_square,
    cost=50,
    domain=Domain({"parts": PARTS}, {**SIZES, **SMALL}),
    false_variants={
        "a smaller shift": with_a_smaller_shift,
        "the sum of the shifts added": with_the_sum_of_the_shifts_added,
    },
)
