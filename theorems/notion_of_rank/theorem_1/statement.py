r"""Theorem 1: the cost per layer of a function, as the depth grows, lies between its two ranks.

Statement
    For a continuous, piecewise linear f on a bounded :math:`\Omega` that is the closure of its interior

    .. math:: \mathrm{Rank}_J(f; \Omega) \le \liminf_L \frac{R(f; \Omega, \sigma, L)}{L}
              \le \limsup_L \frac{R(f; \Omega, \sigma, L)}{L} \le \mathrm{Rank}_{BN}(f; \Omega) .

    The limit satisfies the properties of a rank: compositions, sums and affine maps (``finite_depth_axioms``, ``affine_map``).
Correction
    The slides write a limit, whose existence nobody has proved, and ask for a homogeneous activation only; it must be the
    identity for t >= 0, with a slope a below, :math:`|a| < 1`. They ask for a bounded :math:`\Omega` only: on a single point
    every f costs what a constant does, and R/L tends to 0 whatever its Jacobian is. Their construction lacks the shift: without
    it the network does not represent f (``.printed``), and its norm is no upper bound for R (``interval``).
Checked
    A limit is not an inequality. The left side is Proposition 3 with L to infinity. The right side is a construction: let
    f = h(g(x)) through dimension k, with networks of depths :math:`L_g` and :math:`L_h` for g and h. For every
    :math:`L \ge L_g + L_h`, every shift s with :math:`g + s \ge 0` on :math:`\Omega` and all scales c > 0,
    `through_bottleneck` is a network of depth L that equals f on :math:`\Omega`, with the squared norm

    .. math:: N(L; s, c) = [\text{other layers of } g, h] + \sum_{i=1}^k c_i^2 (\|W^g_{i\cdot}\|^2 + (b^g_i + s_i)^2)
              + \sum_{i=1}^k \frac{\|W^h_{\cdot i}\|^2}{c_i^2} + \|b^h - W^h s\|^2 + k (L - L_g - L_h) ,

    with the last layer :math:`W^g, b^g` of g and the first, :math:`W^h, b^h`, of h. Function and norm are compared for any
    widths and slopes, k = 0 (a constant) included. So N grows by exactly k per layer (``.affine_in_depth``).
Proof idea
    Identity layers of k neurons, which pass on what is not negative.
Not checked
    The existence of the limit. It follows where both ranks are equal.
Source
    notion_of_rank, Theorem 1 and its proof sketch; shift and scales are ours.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.arrays import squares
from theorems.notion_of_rank.constructions.bottleneck import (
    Parts,
    constructed,
    joint,
    norm_of_the_construction,
    with_common_slope,
)
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from verify import (
    Claim,
    Domain,
    FalseAsPrinted,
    Networks,
    Q,
    Rate,
    Relation,
    Sizes,
    Source,
    derived,
    eq,
    interval,
    reals,
    slopes,
)
from verify.arithmetic import Array, compare
from verify.matrices import rank
from verify.networks import FullyConnected


def construction(parts: Parts, x: Array, shift: Array, scale: Array, depth: Depth) -> Relation:
    """Value at x and norm of the network."""
    inner, outer = parts
    identities = identity_layers(parts, depth)
    network = constructed(parts, identities, shift, scale)
    value = eq(network(x), outer(inner(x)), name="value", over=1)
    return value & eq(network.parameter_norm_squared, norm_of_the_construction(parts, shift, scale, identities), name="norm")


def identity_layers(parts: Parts, depth: Depth) -> int:
    """L - L_g - L_h."""
    return depth.depth - sum(part.depth for part in parts)


def is_lifted(parts: Parts, x: Array, shift: Array) -> Array:
    """Whether g(x) + s has no negative entry."""
    return np.asarray((compare(parts[0](x) + shift, 0) >= 0).all(axis=-1))


def growth(parts: Parts, shift: Array, scale: Array, depth: Depth) -> Relation:
    """The norm at one depth and the next."""
    return grows_by(shift.shape[-1], parts, shift, scale, depth)


def grows_by(each: Array | int, parts: Parts, shift: Array, scale: Array, depth: Depth) -> Relation:
    """The norm at the next depth is larger by `each`."""
    identities = identity_layers(parts, depth)
    before, after = (constructed(parts, count, shift, scale).parameter_norm_squared for count in (identities, identities + 1))
    return eq(after, before + each)


def excess_per_layer(depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """N(L) / L - k of one network with k = 2, for a ladder of depths."""
    parts = FullyConnected([np.array([[1.0, 2.0], [-1.0, 1.0]])]), FullyConnected([np.array([[1.0, -1.0]])])
    shift = np.array([3.0, 2.0])
    norms = [constructed(parts, int(depth) - 2, shift).parameter_norm_squared for depth in depths]
    return np.asarray(norms / depths - 2)


def printed_construction(parts: Parts, x: Array, depth: Depth) -> Relation:
    """The construction of the slides, without a shift, against the composition."""
    return eq(constructed(parts, identity_layers(parts, depth))(x), parts[1](parts[0](x)), over=1)


# False variants


def identity_layers_are_free(parts: Parts, shift: Array, scale: Array, depth: Depth) -> Relation:
    """The norm without the identity layers."""
    network = constructed(parts, identity_layers(parts, depth), shift, scale)
    return eq(network.parameter_norm_squared, norm_of_the_construction(parts, shift, scale, 0))


def bias_not_moved(parts: Parts, shift: Array, scale: Array, depth: Depth) -> Relation:
    """The norm with the bias of h as it is."""
    identities = identity_layers(parts, depth)
    norm = norm_of_the_construction(parts, shift, scale, identities) - joint(parts, shift)[2] + squares(parts[1].biases[0])
    return eq(constructed(parts, identities, shift, scale).parameter_norm_squared, norm)


def one_dimension_less(parts: Parts, shift: Array, scale: Array, depth: Depth) -> Relation:
    """K - 1 per layer."""
    return grows_by(shift.shape[-1] - 1, parts, shift, scale, depth)


def rank_of_the_jacobian(parts: Parts, x: Array, shift: Array, scale: Array, depth: Depth) -> Relation:
    """The rank of the Jacobian per layer."""
    inner, outer = parts
    return grows_by(rank(outer.jacobian(inner(x)) @ inner.jacobian(x)), parts, shift, scale, depth)


def is_deep_enough(sizes: Sizes) -> bool:
    """Whether L >= L_g + L_h."""
    return sizes["depth"] >= sizes["inner_depth"] + sizes["outer_depth"]


PARTS = derived(
    with_common_slope,
    inner=Networks(depth="inner_depth", outputs="bottleneck", slope=0, role="first part"),
    outer=Networks(depth="outer_depth", inputs="bottleneck", slope=0, role="second part"),
    slope=slopes(-1, 1, role="slope"),
)
SIZES = {
    "inner_depth": (1, 2, 3),
    "outer_depth": (1, 2, 3),
    "inputs": (1, 2, 3),
    "width": (1, 3),
    "bottleneck": (0, 1, 2, 3),
    "outputs": (1, 2),
}
VARIABLES = {
    "parts": PARTS,
    "x": reals("inputs", role="point"),
    "shift": reals("bottleneck", role="shift of the first part"),
    "scale": interval(Q("1/4"), Q("17/4"), "bottleneck", role="ones"),
    "depth": GIVEN_DEPTH,
}
DEEP = {**SIZES, "depth": (2, 3, 4, 6, 14)}
LIFTED = "the shift makes g non-negative"
SOURCE = Source("notion_of_rank", "Theorem 1")

CLAIM = Claim(
    id="notion_of_rank.theorem_1",
    title="Identity layers carry a bottleneck of dimension k",
    source=SOURCE,
    statement=construction,
    domain=Domain(VARIABLES, DEEP, {LIFTED: is_lifted}, is_deep_enough),
    needs=(LIFTED,),
    false_variants={
        "without the shift": printed_construction,
        "identity layers cost nothing": identity_layers_are_free,
        "bias of h not moved": bias_not_moved,
    },
)

AFFINE_IN_DEPTH = Claim(
    id="notion_of_rank.theorem_1.affine_in_depth",
    title="Every further layer costs the dimension of the bottleneck",
    source=SOURCE,
    statement=growth,
    domain=Domain(VARIABLES, DEEP, sizes_where=is_deep_enough),
    false_variants={
        "k - 1 per layer": one_dimension_less,
        "rank of the Jacobian per layer": rank_of_the_jacobian,
    },
    rate=Rate(excess_per_layer, (4, 8, 16, 32, 64, 128, 256, 512), -1.0),
)

PRINTED = Claim(
    id="notion_of_rank.theorem_1.printed",
    title="Without a shift the construction equals h after g",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="notion_of_rank.theorem_1"),
    statement=printed_construction,
    domain=Domain(
        {"parts": PARTS, "x": reals("inputs", role="point"), "depth": GIVEN_DEPTH},
        DEEP,
        # with bare identity layers between them
        sizes_where=lambda sizes: sizes["depth"] > sizes["inner_depth"] + sizes["outer_depth"],
    ),
    false_variants={},
)
