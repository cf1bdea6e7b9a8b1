r"""Example 20: no network that is f costs less than 3L, so that :math:`R^{(0)} = 3` and :math:`R^{(1)} = 0`.

Statement
    :math:`R^{(0)}(f) = 3` and :math:`R^{(1)}(f) = 0`.
Checked
    The lower bound of the cost per layer, :math:`\|Jf(x)\|_{2/L}^{2/L} \ge 3`, at every point beside the diagonal. The upper
    bound is the norm of the networks in ``function``, whose excess vanishes (``excess``).
Proof idea
    The Jacobian of f has determinant 1; the inequality of means. That the quasi-norm bounds the cost of every network is
    Proposition 3 of notion_of_rank.
Sharp
    Where f is the identity.
Source
    bottleneck_structure, Appendix D.1, Example 20.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from theorems.bottleneck_structure.example_20.function import SOURCE
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from verify import Claim, Domain, Relation, Tight, derived, ge, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import frobenius_norm_squared, schatten_power


def jacobian_of_function(x: Array) -> Array:
    """The Jacobian of f beside the diagonal, shape ``(..., 3) -> (..., 3, 3)``."""
    beyond = (compare(x[..., 0], x[..., 1]) > 0)[..., None, None]
    sheared = np.array([[1, 0, 0], [0, 1, 0], [1, -1, 1]])
    # 0 * x keeps the arithmetic
    return np.asarray(np.where(beyond, sheared, np.eye(3, dtype=np.int64)) + 0 * x[..., None])


def layers_cost_the_rank(jacobian: Array, depth: Depth, rank: int = 3) -> Relation:
    """The lower bound of the cost per layer."""
    return ge(schatten_power(jacobian, Fraction(2, depth.depth)), 0 * jacobian[..., 0, 0] + rank)


# False variants


def layers_cost_the_norm(jacobian: Array, depth: Depth) -> Relation:
    """As if the cost per layer were the squared norm."""
    return ge(schatten_power(jacobian, Fraction(2, depth.depth)), frobenius_norm_squared(jacobian))


def layers_cost_no_more(jacobian: Array, depth: Depth) -> Relation:
    """As if the shear cost nothing."""
    return le(schatten_power(jacobian, Fraction(2, depth.depth)), 0 * jacobian[..., 0, 0] + 3)


def where_it_is_the_identity() -> dict[str, Any]:
    """Depth 6, and a point where f is the identity."""
    return {"jacobian": jacobian_of_function(rationals([0, 1, 0])), "depth": Depth(6)}


CORRECTION = Claim(
    id="bottleneck_structure.example_20.correction",
    title="No representation costs less than 3 per layer",
    source=SOURCE,
    statement=layers_cost_the_rank,
    domain=Domain(
        {"jacobian": derived(jacobian_of_function, x=reals(3)), "depth": GIVEN_DEPTH}, {"depth": (1, 2, 3, 4, 6, 13)}
    ),
    tight={"where f is the identity": Tight(where_it_is_the_identity)},
    false_variants={"the squared norm": layers_cost_the_norm, "no more than the rank": layers_cost_no_more},
)
