r"""Theorem 1: the limit of the cost per layer is between two ranks.

Statement
    For a continuous, piecewise linear f on a bounded :math:`\Omega` that is the closure of its interior

    .. math:: \mathrm{Rank}_J(f; \Omega) \le \liminf_L \frac{R(f; \Omega, \sigma, L)}{L}
              \le \limsup_L \frac{R(f; \Omega, \sigma, L)}{L} \le \mathrm{Rank}_{BN}(f; \Omega) .

    The upper limit satisfies the properties of a rank: compositions, sums and affine maps (``finite_depth_axioms``,
    ``affine_map``).
Correction
    The slides write a limit (that it exists is not proved, as they say), and ask for a homogeneous activation only; it must
    be the identity for t >= 0, with a slope a below, :math:`|a| < 1`. They ask for a bounded :math:`\Omega` only: on a
    single point every f costs what a constant does, and R/L tends to 0 whatever its Jacobian is. Their construction lacks
    the shift: without it the network does not represent f (``.printed``), and its norm is no upper bound for R
    (``interval``).
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
    notion_of_rank, Theorem 1 and its proof sketch; shift and scales are derived here.
"""

import numpy as np

from theorems.shared.bottleneck import with_common_slope
from verify import Claim, Domain, FalseAsPrinted, Networks, Q, Rate, Source, derived, interval, reals, slopes
from verify.networks import FullyConnected, through_bottleneck
from verify.words import eq, lifted, nonnegative, norm2, rank

through = lifted(through_bottleneck)


def before(parts, s):
    r""":math:`\|W^g_{i\cdot}\|^2 + (b^g_i + s_i)^2` for each neuron of the bottleneck."""
    g, _ = parts
    return (g.weights[-1] ** 2).sum(axis=1) + (g.biases[-1] + s) ** 2


def after(parts):
    r""":math:`\|W^h_{\cdot i}\|^2` for each neuron of the bottleneck."""
    _, h = parts
    return (h.weights[0] ** 2).sum(axis=0)


def rest(parts, s, L, identity=1, moved=1):
    """The terms of N(L; s, c) without the scales."""
    g, h = parts
    others = [*g.weights[:-1], *g.biases[:-1], *h.weights[1:], *h.biases[1:]]
    identities = identity * len(s) * (L - g.depth - h.depth)
    return sum(map(norm2, others)) + norm2(h.biases[0] - moved * (h.weights[0] @ s)) + identities


def N(parts, s, c, L, identity=1, moved=1):
    return rest(parts, s, L, identity, moved) + (c**2 * before(parts, s)).sum() + (after(parts) / c**2).sum()


def construction(parts, x, s, c, depth, identity=1, moved=1):
    (g, h), f = parts, through(*parts, depth, s, c)
    norm = N(parts, s, c, depth, identity, moved)
    return eq(f(x), h(g(x)), name="value") & eq(f.parameter_norm_squared, norm, name="norm")


def growth(parts, s, c, depth, less=0):
    now, next_ = (through(*parts, L, s, c).parameter_norm_squared for L in (depth, depth + 1))
    return eq(next_, now + len(s) - less)


def growth_by_the_rank_of_the_jacobian(parts, x, s, c, depth):
    (g, h), k = parts, len(s)
    return growth(parts, s, c, depth, k - rank(h.jacobian(g(x)) @ g.jacobian(x)))


def printed_construction(parts, x, depth):
    g, h = parts
    return eq(through(g, h, depth)(x), h(g(x)))


def excess_per_layer(depths):
    """N(L) / L - k of one network with k = 2, for a ladder of depths."""
    parts = FullyConnected([np.array([[1.0, 2.0], [-1.0, 1.0]])]), FullyConnected([np.array([[1.0, -1.0]])])
    norms = [through_bottleneck(*parts, int(L), np.array([3.0, 2.0])).parameter_norm_squared for L in depths]
    return norms / depths - 2


def is_deep_enough(sizes):
    return sizes["depth"] >= sizes["inner_depth"] + sizes["outer_depth"]


PARTS = derived(
    lifted(with_common_slope),
    inner=Networks(depth="inner_depth", outputs="bottleneck", slope=0, role="first part"),
    outer=Networks(depth="outer_depth", inputs="bottleneck", slope=0, role="second part"),
    slope=slopes(-2, 2, role="slope"),
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
    "s": reals("bottleneck", role="shift of the first part"),
    "c": interval(Q("1/4"), Q("17/4"), "bottleneck", role="ones"),
}
DEEP = {**SIZES, "depth": (2, 3, 4, 6, 14)}
LIFTED = "the shift makes g non-negative"
SOURCE = Source("notion_of_rank", "Theorem 1")

CLAIM = Claim(
    id="notion_of_rank.theorem_1",
    title="Identity layers carry a bottleneck of dimension k",
    source=SOURCE,
    statement=construction,
    domain=Domain(VARIABLES, DEEP, {LIFTED: lambda parts, x, s: nonnegative(parts[0](x) + s)}, is_deep_enough),
    needs=(LIFTED,),
    false_variants={
        "without the shift": printed_construction,
        "identity layers cost nothing": {"identity": 0},
        "bias of h not moved": {"moved": 0},
    },
)

AFFINE_IN_DEPTH = Claim(
    id="notion_of_rank.theorem_1.affine_in_depth",
    title="Every further layer costs the dimension of the bottleneck",
    source=SOURCE,
    statement=growth,
    domain=Domain(VARIABLES, DEEP, sizes_where=is_deep_enough),
    false_variants={
        "k - 1 per layer": {"less": 1},
        "rank of the Jacobian per layer": growth_by_the_rank_of_the_jacobian,
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
        {"parts": PARTS, "x": reals("inputs", role="point")},
        DEEP,
        # with bare identity layers between them
        sizes_where=lambda sizes: sizes["depth"] > sizes["inner_depth"] + sizes["outer_depth"],
    ),
    false_variants={},
)
