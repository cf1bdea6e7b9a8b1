r"""Axioms (2) and (3) of a rank, in a form for every depth.

Statement
    Two networks of depths :math:`L_1` and :math:`L_2` with the functions g and f merge into one of depth :math:`L_1 + L_2 - 1`
    for :math:`f \circ g`, everywhere and without a shift, with the squared norm

    .. math:: \|\theta_f\|^2 + \|\theta_g\|^2 - \|W^f_1\|^2 - \|b^f_1\|^2 - \|W^g_{L_1}\|^2 - \|b^g_{L_1}\|^2
              + \|W^f_1 W^g_{L_1}\|^2 + \|W^f_1 b^g_{L_1} + b^f_1\|^2 .

    Two networks of one depth :math:`L \ge 2` side by side give f + g with the squared norm :math:`\|\theta_f\|^2 +
    \|\theta_g\|^2 + 2 \langle b^f_L, b^g_L \rangle` (``.sum``). Divided by L, these are axioms (2) and (3) for the upper limit
    of R / L: in (2) one of the two networks may be made deep by identity layers while the other stays.

    At L = 2 a constant c costs :math:`\min_s s^2 + 2|c - s|` on sets that contain 0: an output bias s and a neuron without
    input (``shallow_networks.constants``). Two of them cost together at most the sum and the product of these output biases,
    twice (``.sum_of_constants``).
Correction
    :math:`R(f + g; L) \le R(f; L) + R(g; L)` as it stands is false: the output biases of two constants add. At L = 1 the
    constant 1 costs 1 and the constant 2 costs 4; at L = 2 they cost 1 and 3.
Checked
    Values and norms of the networks; the bound for constants.
Proof idea
    Two layers with nothing between them are one; :math:`2 \|a\| \|b\| \le \|a\|^2 + \|b\|^2`.
Tight
    Two constants whose sum is at most 1 in absolute value; any constant and 0.
Source
    notion_of_rank, axioms of a rank; the finite forms are derived here.
"""

from theorems.notion_of_rank.constructions.constants import cost_of_a_constant
from theorems.shared.bottleneck import with_common_slope
from verify import Claim, DerivedHere, Domain, Networks, Source, derived, networks, reals, slopes
from verify.networks import FullyConnected
from verify.words import eq, inner, le, lifted, maximum, minimum, norm2

network, compose, add = lifted(FullyConnected), lifted(networks.compose), lifted(networks.add)
cost = lifted(cost_of_a_constant)


def composition(parts, x):
    g, f = parts
    V, c, W, b, merged = f.weights[0], f.biases[0], g.weights[-1], g.biases[-1], compose(f, g, merge=True)
    others = f.parameter_norm_squared - norm2(V) - norm2(c) + g.parameter_norm_squared - norm2(W) - norm2(b)
    return eq(merged(x), f(g(x)), name="value") & eq(
        merged.parameter_norm_squared, others + norm2(V @ W) + norm2(V @ b + c), name="norm"
    )


def norms_add(parts):
    g, f = parts
    return eq(compose(f, g, merge=True).parameter_norm_squared, f.parameter_norm_squared + g.parameter_norm_squared)


def bias_of_g_not_moved(parts, x):
    g, f = parts
    merged = compose(f, g, merge=True)
    biases = [*merged.biases[: g.depth - 1], f.biases[0], *merged.biases[g.depth :]]
    return eq(network(merged.weights, biases, merged.activation)(x), f(g(x)))


def side_by_side(parts, x, cross=2):
    f, g = parts
    both, norms = add(f, g), f.parameter_norm_squared + g.parameter_norm_squared
    return eq(both(x), f(x) + g(x), name="value") & eq(
        both.parameter_norm_squared, norms + cross * inner(f.biases[-1], g.biases[-1]), name="norm"
    )


def output_bias(c):
    return maximum(minimum(c, 1), -1)


def sum_of_constants(c, d, cross=2):
    return le(cost(c + d, 2), cost(c, 2) + cost(d, 2) + cross * output_bias(c) * output_bias(d))


OURS = Source("notion_of_rank", "derived here")
CHAIN = derived(
    lifted(with_common_slope),
    inner=Networks(depth="inner_depth", outputs="middle", slope=0, role="first part"),
    outer=Networks(depth="outer_depth", inputs="middle", slope=0, role="second part"),
    slope=slopes(-2, 2, role="slope"),
)
BESIDE = derived(lifted(with_common_slope), inner=Networks(slope=0), outer=Networks(slope=0), slope=slopes(-2, 2, role="slope"))
LENGTHS = {"inputs": (1, 2, 3), "width": (1, 3), "outputs": (1, 2)}

CLAIM = Claim(
    id="notion_of_rank.finite_depth_axioms",
    title="Two networks merge where they meet: the two layers multiply",
    source=OURS,
    status=DerivedHere(),
    statement=composition,
    domain=Domain(
        {"parts": CHAIN, "x": reals("inputs", role="point")},
        {"inner_depth": (1, 2, 6), "outer_depth": (1, 2, 7), "middle": (1, 2, 3), **LENGTHS},
    ),
    false_variants={"the bias of g not moved": bias_of_g_not_moved, "the norms add": norms_add},
)

SUM = Claim(
    id="notion_of_rank.finite_depth_axioms.sum",
    title="A sum is two networks side by side; only output biases interact",
    source=OURS,
    status=DerivedHere(),
    statement=side_by_side,
    domain=Domain({"parts": BESIDE, "x": reals("inputs", role="point")}, {"depth": (2, 3, 6, 13), **LENGTHS}),
    false_variants={"without the output biases": {"cross": 0}, "their product once": {"cross": 1}},
)

SUM_OF_CONSTANTS = Claim(
    id="notion_of_rank.finite_depth_axioms.sum_of_constants",
    title="The costs of constants add up to the product of their output biases",
    source=OURS,
    status=DerivedHere(),
    statement=sum_of_constants,
    domain=Domain({"c": reals(), "d": reals()}),
    tight={
        "1/2 and 1/2": {"c": "1/2", "d": "1/2"},
        "5 and 0": {"c": 5, "d": 0},
        "1/2 and -1/3": {"c": "1/2", "d": "-1/3"},
    },
    false_variants={"without the output biases": {"cross": 0}, "their product once": {"cross": 1}},
)
