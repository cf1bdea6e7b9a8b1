r"""Theorem 1 at finite depth: the Schatten quasi-norm of the Jacobian and the bottleneck on the two sides of the cost.

Statement
    Let f = h(g(x)) through dimension k, and let N(L; s, c) be the norm of the network of ``statement``. At every depth
    :math:`L \ge L_g + L_h`

    .. math:: \sum_i s_i(Jf(x))^{2/L} \le \frac{N(L; s, c)}L = k + \frac CL, \qquad \mathrm{rank} Jf(x) \le k .

    For L to infinity the left side tends to the rank of the Jacobian, the right one to k.
Checked
    Both for the product of the layers at every point, for all shifts and scales: that the shift lifts g is not needed here.
Proof idea
    Proposition 3 for the network of Theorem 1.
Sharp
    The identity through identity layers.
Not checked
    That the limit of R / L exists, and that it is the bottleneck rank: both are open.
Source
    notion_of_rank, Theorem 1.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from theorems.notion_of_rank.constructions.bottleneck import Parts, identity_chain, norm_of_the_construction
from theorems.notion_of_rank.constructions.depths import Depth
from theorems.notion_of_rank.theorem_1.statement import DEEP, VARIABLES, identity_layers, is_deep_enough
from verify import Claim, Domain, Ours, Relation, Source, Tight, le
from verify.arithmetic import Array, rationals
from verify.matrices import rank, schatten_power
from verify.networks import FullyConnected


def sandwich(parts: Parts, x: Array, shift: Array, scale: Array, depth: Depth, exponent: Fraction | int = 2) -> Relation:
    """The Jacobian, the norm of the construction and the dimension of the bottleneck."""
    inner, outer = parts
    jacobian = outer.jacobian(inner(x)) @ inner.jacobian(x)
    norm = norm_of_the_construction(parts, shift, scale, identity_layers(parts, depth))
    found = rank(jacobian)
    cost = le(schatten_power(jacobian, Fraction(exponent, depth.depth)), norm / depth.depth, name="cost")
    return cost & le(found, 0 * found + shift.shape[-1], name="rank")


# False variants


def rank_is_the_dimension(parts: Parts, x: Array, shift: Array) -> Relation:
    """The rank of the Jacobian is at least k."""
    inner, outer = parts
    found = rank(outer.jacobian(inner(x)) @ inner.jacobian(x))
    return le(0 * found + shift.shape[-1], found)


def cost_without_the_constant(parts: Parts, x: Array, shift: Array, depth: Depth) -> Relation:
    """The Jacobian against k alone, at finite depth."""
    inner, outer = parts
    jacobian = outer.jacobian(inner(x)) @ inner.jacobian(x)
    left = schatten_power(jacobian, Fraction(2, depth.depth))
    return le(left, 0 * left + shift.shape[-1])


def identities(dimension: int, depth: int, factor: int = 1) -> dict[str, Any]:
    """Identity matrices in all layers, those of g and h times `factor`."""
    zero = rationals([0] * dimension)
    one = FullyConnected([factor * identity_chain(dimension, 1).weights[0]])
    return {"parts": (one, one), "x": zero + 1, "shift": zero, "scale": zero + 1, "depth": Depth(depth)}


CLAIM = Claim(
    id="notion_of_rank.theorem_1.sandwich",
    title="The cost of the construction lies between the Jacobian and the bottleneck",
    source=Source("notion_of_rank", "Theorem 1"),
    status=Ours(),
    statement=sandwich,
    domain=Domain(VARIABLES, {**DEEP, "bottleneck": (1, 2, 3)}, sizes_where=is_deep_enough),
    tight={
        "the identity of the line": Tight(partial(identities, 1, 2)),
        "the identity of space": Tight(partial(identities, 3, 7)),
        "the identity of the plane, deep": Tight(partial(identities, 2, 14)),
        "twice the identity twice": Tight(partial(identities, 2, 2, 2)),
    },
    false_neighbours={
        "the rank is k": rank_is_the_dimension,
        "without C": cost_without_the_constant,
    },
)
