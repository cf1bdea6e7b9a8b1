r"""Theorem 3 (2): the first correction of a sum is at most the sum of both.

Statement
    If :math:`R^{(0)}(f + g) = R^{(0)}(f) + R^{(0)}(g)`, then :math:`R^{(1)}(f + g) \le R^{(1)}(f) + R^{(1)}(g)`. For linear
    maps, :math:`|A + B|_+ \le |A|_+ |B|_+` if rank(A + B) = rank A + rank B.
Correction
    As printed it is false for constants, of which :math:`R^{(0)} = 0`. On a domain that contains 0 a constant c costs
    :math:`c^2` for :math:`0 \le c \le 1` and 2c - 1 for :math:`1 \le c \le 2`, at every depth from 2 on: the sum of
    1 and 1 costs 3. Two networks of one depth :math:`L \ge 2` side by side give
    :math:`R(f + g; L) \le R(f; L) + R(g; L) + 2\langle b^f_L, b^g_L \rangle` (notion_of_rank, ``finite_depth_axioms.sum``), so
    that it holds where the output biases of the cheapest networks do not have a positive inner product, or are not counted.
Checked
    Linear maps, with squared volumes, which are rational; the print for constants.
Proof idea
    :math:`A + B = (U_A\; U_B)\, \mathrm{diag}(S_A, S_B)\, (V_A\; V_B)^T`; the columns of the outer factors are unit vectors, so
    that their volumes are at most 1 (Hadamard), and all three have rank rank A + rank B.
Sharp
    Orthogonal images, and orthogonal images of the transposes.
Not checked
    The inequality of :math:`R^{(1)}` for functions that are not linear: neither side can be computed.
Source
    bottleneck_structure, Theorem 3 (2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.bottleneck_structure.theorem_6.chain import squared_volume
from theorems.notion_of_rank.constructions.arrays import transpose
from verify import Claim, Domain, FalseAsPrinted, Relation, Source, Tight, derived, interval, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import rank


def product(left: Array, right: Array) -> Array:
    """A matrix of at most the given rank, shapes ``(..., m, r), (..., n, r) -> (..., m, n)``."""
    return np.asarray(left @ transpose(right))


def volume_of_a_sum(A: Array, B: Array) -> Relation:
    """The squared volume of the sum against those of the summands."""
    return le(squared_volume(A + B), squared_volume(A) * squared_volume(B))


def ranks_add(A: Array, B: Array) -> Array:
    """Whether the rank of the sum is the sum of the ranks."""
    return np.asarray(rank(A + B) == rank(A) + rank(B))


def cost_of_constant(value: Array) -> Array:
    """What a constant in [0, 2] costs at every depth from 2 on."""
    return np.asarray(np.where(compare(value, 1) <= 0, value**2, 2 * value - 1))


def printed(first: Array, second: Array) -> Relation:
    """The print for two constants; the costs do not depend on the depth, so that they are the first corrections."""
    return le(cost_of_constant(first + second), cost_of_constant(first) + cost_of_constant(second))


# False variants


def sum_of_the_volumes(A: Array, B: Array) -> Relation:
    """The sum of the squared volumes in place of their product."""
    return le(squared_volume(A + B), squared_volume(A) + squared_volume(B))


def at_least(A: Array, B: Array) -> Relation:
    """The opposite inequality."""
    return le(squared_volume(A) * squared_volume(B), squared_volume(A + B))


def larger_of_both(A: Array, B: Array) -> Relation:
    """The squared volume of A alone."""
    return le(squared_volume(A + B), squared_volume(A) ** 2)


def orthogonal() -> dict[str, Any]:
    """Ranks 1 and 2 with orthogonal images and coimages, between rotated axes."""
    turned = rationals([[1, 2, 2], [2, 1, -2], [2, -2, 1]]) / 3
    A = 3 * turned[:, :1] @ transpose(turned[:, 1:2])
    B = turned[:, 1:] @ rationals([[2, 1], [0, 5]]) @ transpose(turned[:, [0, 2]])
    return {"A": A, "B": B}


def side_by_side() -> dict[str, Any]:
    """Two numbers on a diagonal, one of them below 1."""
    return {"A": rationals([[7, 0], [0, 0]]), "B": rationals([[0, 0], [0, "1/3"]])}


SOURCE = Source("bottleneck_structure", "Theorem 3 (2)")
ADD = {"the ranks add": ranks_add}

CLAIM = Claim(
    id="bottleneck_structure.theorem_3.addition",
    title="Where the ranks add, the volume of a sum is at most the product of the volumes",
    source=SOURCE,
    statement=volume_of_a_sum,
    domain=Domain(
        {
            "A": derived(product, left=reals("rows", "first"), right=reals("columns", "first"), role="Jacobian"),
            "B": derived(product, left=reals("rows", "second"), right=reals("columns", "second"), role="second Jacobian"),
        },
        {"rows": (2, 3, 4), "columns": (2, 3, 4), "first": (1, 2, 3), "second": (1, 2, 3)},
        ADD,
    ),
    needs=tuple(ADD),
    tight={"orthogonal, ranks 1 and 2": Tight(orthogonal), "diagonal": Tight(side_by_side)},
    false_variants={
        "the sum of the volumes": sum_of_the_volumes,
        "at least": at_least,
        "the volume of A alone": larger_of_both,
    },
)

PRINTED = Claim(
    id="bottleneck_structure.theorem_3.addition.printed",
    title="The first corrections of two constants bound that of their sum",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="bottleneck_structure.theorem_3.addition"),
    statement=printed,
    domain=Domain({"first": interval(0, 1), "second": interval(0, 1)}),
    false_variants={},
)
