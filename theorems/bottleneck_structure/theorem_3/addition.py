r"""Theorem 3 (2): the first correction of a sum.

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
Tight
    Orthogonal images, and orthogonal images of the transposes.
Not checked
    The inequality of :math:`R^{(1)}` for functions that are not linear: neither side can be computed.
Source
    bottleneck_structure, Theorem 3 (2).
"""

from theorems.bottleneck_structure.constructions.corrections import squared_volume
from verify import Claim, Domain, FalseAsPrinted, Source, derived, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import diag, le, lifted, rank, where

volume2 = lifted(squared_volume)


def product(left, right):
    """A matrix whose rank is at most the number of columns of both."""
    return left @ right.T


def volume_of_a_sum(A, B):
    return le(volume2(A + B), volume2(A) * volume2(B))


def ranks_add(A, B):
    return rank(A + B) == rank(A) + rank(B)


def cost(c):
    """What a constant in [0, 2] costs at every depth from 2 on."""
    return where(c <= 1, c**2, 2 * c - 1)


def printed(c, d):
    """The costs do not depend on the depth, so that they are the first corrections."""
    return le(cost(c + d), cost(c) + cost(d))


def sum_of_the_volumes(A, B):
    return le(volume2(A + B), volume2(A) + volume2(B))


def at_least(A, B):
    return le(volume2(A) * volume2(B), volume2(A + B))


def volume_of_the_first(A, B):
    return le(volume2(A + B), volume2(A) ** 2)


def orthogonal():
    """Ranks 1 and 2 with orthogonal images and coimages, between rotated axes."""
    turned = rationals([[1, 2, 2], [2, 1, -2], [2, -2, 1]]) / 3
    A = 3 * turned[:, :1] @ turned[:, 1:2].T
    B = turned[:, 1:] @ rationals([[2, 1], [0, 5]]) @ turned[:, [0, 2]].T
    return {"A": A, "B": B}


def side_by_side():
    """Two numbers on a diagonal, one of them below 1."""
    return {"A": diag(rationals([7, 0])), "B": diag(rationals([0, "1/3"]))}


SOURCE = Source("bottleneck_structure", "Theorem 3 (2)")
ADD = {"the ranks add": ranks_add}

CLAIM = Claim(
    id="bottleneck_structure.theorem_3.addition",
    title="Where the ranks add, volume(A + B) <= volume(A) volume(B)",
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
    tight={"orthogonal, ranks 1 and 2": orthogonal, "diagonal": side_by_side},
    false_variants={
        "the sum of the volumes": sum_of_the_volumes,
        "at least": at_least,
        "the volume of A alone": volume_of_the_first,
    },
)

PRINTED = Claim(
    id="bottleneck_structure.theorem_3.addition.printed",
    title="The first corrections of two constants bound that of their sum",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="notion_of_rank.finite_depth_axioms.sum_of_constants"),
    statement=printed,
    domain=Domain({"c": interval(0, 1), "d": interval(0, 1)}),
)
