r"""Theorem 3, first bound: the cost is at least that of the Jacobian along the domain.

Statement
    For a network of depth L that is f on :math:`\Omega`, and the projection P to the tangent space of :math:`\Omega` at x, with
    :math:`k = \mathrm{rank}\, Jf(x)P`,

    .. math:: \|\theta\|^2 \ge L\, \|Jf(x) P\|_{2/L}^{2/L} \ge kL + 2\log|Jf(x) P|_+ .
Correction
    The contributions have :math:`R^{(1)}(f) \ge 2\log|Jf(x)|_+` for all x. For :math:`f(x) = (x_1, \delta\sigma(x_2))` on
    :math:`[0, 1] \times [-1, 1]` the rank is 1 and the volume 1 where :math:`x_2 < 0`, but diagonal networks show
    :math:`R^{(1)} \le 2\log\delta`. As printed there it is false; with the hypothesis of Theorem 3 that x has the rank
    :math:`R^{(0)}(f)`, which is surely meant, it is true.
Checked
    Both inequalities without the biases, for the product of the layers, on subspaces of one to three dimensions.
Proof idea
    Proposition 3 of notion_of_rank, which a projection only helps; :math:`L s^{2/L} \ge L + 2\log s`.
Sharp
    Balanced weights, which keep the sign of all hidden values; singular values 1.
Source
    bottleneck_structure, Theorem 3; the finite form stands in the proof of Theorem 11.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.frames import projection_to_image
from theorems.bottleneck_structure.constructions.near_isometries import around_identity, diagonal_layers
from theorems.bottleneck_structure.constructions.points import slope_between
from theorems.notion_of_rank.constructions.balanced import balanced_network
from verify import Claim, Domain, FalseAsPrinted, Networks, Relation, Source, Tight, derived, ge, integers, interval, reals
from verify.arithmetic import Array, rationals
from verify.matrices import log_pseudo_determinant, rank, schatten_power
from verify.networks import FullyConnected


def along(network: FullyConnected, x: Array, tangent: Array) -> Array:
    """The Jacobian times the projection to the columns of `tangent`."""
    return np.asarray(network.jacobian(x) @ projection_to_image(tangent))


def jacobian_bounds_the_cost(network: FullyConnected, x: Array, tangent: Array) -> Relation:
    """Both inequalities."""
    jacobian, depth = along(network, x, tangent), network.depth
    norm = depth * schatten_power(jacobian, Fraction(2, depth))
    volume = rank(jacobian) * depth + 2 * log_pseudo_determinant(jacobian)
    return ge(network.weight_norm_squared, norm, name="norm") & ge(norm, volume, name="volume")


def printed_for_all_points(network: FullyConnected) -> Relation:
    r"""The print on the flat side of the kink of :math:`(x_1, \delta\sigma(x_2))`, where R0 = 2.

    The excess of the network falls as the depth grows, so that it bounds the first correction from above.
    """
    flat = (1 + 0 * network.weights[0][..., 0]) * np.array([1, -1])
    excess = network.weight_norm_squared - 2 * network.depth
    return ge(excess, 2 * log_pseudo_determinant(network.jacobian(flat)))


# False variants


def four_times_the_logarithm(network: FullyConnected, x: Array, tangent: Array) -> Relation:
    """The logarithm with the factor 4."""
    jacobian = along(network, x, tangent)
    return ge(network.weight_norm_squared, rank(jacobian) * network.depth + 4 * log_pseudo_determinant(jacobian))


def exponent_without_two(network: FullyConnected, x: Array, tangent: Array) -> Relation:
    """The exponent 1/L in place of 2/L."""
    jacobian = along(network, x, tangent)
    return ge(network.weight_norm_squared, network.depth * schatten_power(jacobian, Fraction(1, network.depth)))


def without_the_lengths(network: FullyConnected, x: Array, tangent: Array) -> Relation:
    """The Jacobian times vectors that span the tangent space but are not orthonormal."""
    jacobian = network.jacobian(x) @ tangent
    return ge(network.weight_norm_squared, network.depth * schatten_power(jacobian, Fraction(2, network.depth)))


def rank_of_the_space(network: FullyConnected, x: Array, tangent: Array) -> Relation:
    """The dimension of the tangent space in place of the rank of the Jacobian along it."""
    jacobian = along(network, x, tangent)
    return ge(network.weight_norm_squared, rank(tangent) * network.depth + 2 * log_pseudo_determinant(jacobian))


def balanced(*roots: object, depth: int = 4) -> dict[str, Any]:
    """Balanced factors, and the whole space."""
    return {**balanced_network(depth, *roots), "tangent": rationals(np.eye(3, dtype=int))}


def identities_along_a_line() -> dict[str, Any]:
    """Three times the identity of the plane on the first of which only a line counts: two of the singular values are lost."""
    layer = rationals([[[1, 0], [0, 0]]])
    return {"network": FullyConnected([layer] * 3), "x": rationals([[1, 1]]), "tangent": rationals([[[3], [0]]])}


SLOPES = {"the slope is between -1 and 1": partial(slope_between, -1, 1)}
SIZES = {
    "depth": (1, 2, 3, 6, 13),
    "inputs": (1, 2, 3),
    "width": (1, 2, 4),
    "outputs": (1, 2, 3),
    "dimension": (1, 2, 3),
}
SOURCE = Source("bottleneck_structure", "Theorem 3")


def few_combinations(sizes: Any) -> bool:
    """Subspaces of the inputs, and narrow networks where they are deep."""
    small = sizes["depth"] < 13 or sizes["width"] * sizes["outputs"] <= 4
    return bool(sizes["dimension"] <= sizes["inputs"] and small)


CLAIM = Claim(
    id="bottleneck_structure.theorem_3.lower_bound",
    title="The Jacobian along the domain bounds the cost and its first correction",
    source=SOURCE,
    statement=jacobian_bounds_the_cost,
    domain=Domain(
        {
            "network": derived(around_identity, network=Networks(slope=(-2, 2)), kind=integers(0, 2), role="network"),
            "x": reals("inputs", role="point"),
            "tangent": reals("inputs", "dimension", role="directions"),
        },
        SIZES,
        SLOPES,
        few_combinations,
    ),
    needs=tuple(SLOPES),
    tight={
        "balanced": Tight(partial(balanced, 2, 1, "1/2"), of=("norm",)),
        "balanced, depth 6": Tight(partial(balanced, "5/3", "1/2", depth=6), of=("norm",)),
        "balanced, depth 13": Tight(partial(balanced, "11/10", depth=13), of=("norm",)),
        "singular values 1": Tight(partial(balanced, 1, 1)),
        "along a line": Tight(identities_along_a_line),
    },
    cost=3,
    false_variants={
        "four times the logarithm": four_times_the_logarithm,
        "exponent 1/L": exponent_without_two,
        "without the lengths": without_the_lengths,
        "the dimension of the space": rank_of_the_space,
    },
)

PRINTED = Claim(
    id="bottleneck_structure.theorem_3.lower_bound.printed",
    title="The volume of the Jacobian bounds the first correction at all points",
    source=Source("bottleneck_structure", "Contributions"),
    status=FalseAsPrinted(corrected_by="bottleneck_structure.theorem_3.lower_bound"),
    statement=printed_for_all_points,
    domain=Domain({"network": derived(diagonal_layers, root=interval(Fraction(1, 4), 1))}, {"depth": (2, 3, 4, 6, 13)}),
    false_variants={},
)
