r"""Example 20: no network of f costs less than 3L.

Statement
    :math:`R^{(0)}(f) = 3` and :math:`R^{(1)}(f) = 0`.
Checked
    The lower bound of the cost per layer, :math:`\|Jf(x)\|_{2/L}^{2/L} \ge 3`, at every point beside the diagonal. The upper
    bound is the norm of the networks in ``function``, whose excess vanishes (``excess``).
Proof idea
    The Jacobian of f has determinant 1; the inequality of means. That the quasi-norm bounds the cost of every network is
    Proposition 3 of notion_of_rank.
Tight
    Where f is the identity.
Source
    bottleneck_structure, Appendix D.1, Example 20.
"""

import numpy as np

from theorems.bottleneck_structure.example_20.function import SOURCE
from verify import Claim, Domain, Q, reals
from verify.words import eye, ge, le, norm2, schatten_power, where


def jacobian(x):
    """The Jacobian of f beside the diagonal."""
    return where(x[0] > x[1], np.array([[1, 0, 0], [0, 1, 0], [1, -1, 1]]), eye(3))


def layers_cost_the_rank(x, depth, rank=3):
    return ge(schatten_power(jacobian(x), Q(2, depth)), rank)


def layers_cost_the_norm(x, depth):
    return ge(schatten_power(jacobian(x), Q(2, depth)), norm2(jacobian(x)))


def layers_cost_no_more(x, depth):
    """As if the shear cost nothing."""
    return le(schatten_power(jacobian(x), Q(2, depth)), 3)


CORRECTION = Claim(
    id="bottleneck_structure.example_20.correction",
    title="No representation costs less than 3 per layer",
    source=SOURCE,
    statement=layers_cost_the_rank,
    domain=Domain({"x": reals(3)}, {"depth": (1, 2, 3, 4, 6, 13)}),
    tight={"where f is the identity": {"x": [0, 1, 0], "depth": 6}},
    false_variants={"the squared norm": layers_cost_the_norm, "no more than the rank": layers_cost_no_more},
)
