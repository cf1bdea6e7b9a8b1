r"""What a constant costs at every depth.

Statement
    On every domain that contains 0, for slopes of at most 1, the constant c has the cost :math:`V_1(c) = c^2` at depth 1, and

    .. math:: V_L(c) = \min_{g \ge 0} \frac{c^2}{1 + g^2} + V_{L-1}(g) .

    So :math:`V_L(c) = c^2` for :math:`c \le 1`, and :math:`2c - 1` for :math:`1 \le c \le 2` and L >= 2. From a depth on, which
    depends on c, the cost is that of the depth before: :math:`R^{(0)} = R^{(2)} = 0`, and :math:`R^{(1)}` is the cost.
Checked
    Every network that has the size c at 0 costs at least :math:`V_L(c)`, for every c and L: in terms of a rational parameter
    s >= 1 the constants that take l layers are :math:`c_1 = \sqrt{s-1}`, :math:`c_2 = s`, :math:`c_3 = (1 + s^2)/\sqrt s`, and
    so on (`cheapest_constant`); for s <= 2 no further layer saves anything. To compare with any network, its last layer is
    scaled to that size. That three layers attain it, and where l layers end and l + 1 begin.
Proof idea
    :math:`\|f(0)\| \le \|b_L\| + \|W_L\|(\|b_{L-1}\| + \dots)`, so that one neuron in each layer is best. Then
    :math:`w_\ell : b_\ell = c_{\ell-1} : 1`, and neighbouring layers are balanced.
Tight
    The cheapest networks, for s = 25/16.
Source
    derived here, beside the representation cost in Section 2.1 of bottleneck_structure.
"""

from functools import partial

import numpy as np

from theorems.bottleneck_structure.constructions.cheapest_constants import cheapest_constant, cost_at_the_value
from verify import Claim, DerivedHere, Domain, Networks, Relation, Source, interval
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import eq, ge, norm2, ones, zeros


def cost_of_the_constant(f, s, layers, point=zeros):
    c2, p = cheapest_constant(s, layers)
    return ge(cost_at_the_value(f, point(f.widths[0]), c2[-1]), p.sum())


def square_of_the_constant(f, s, layers):
    c2, _ = cheapest_constant(s, layers)
    return ge(cost_at_the_value(f, zeros(f.widths[0]), c2[-1]), c2[-1])


def without_the_output_bias(f, s, layers):
    (c2, p), x = cheapest_constant(s, layers), zeros(f.widths[0])
    free = c2[-1] / norm2(f(x)) * norm2(f.biases[-1])
    return ge(cost_at_the_value(f, x, c2[-1]) - free, p.sum())


def slopes_at_most_one(f):
    return f.activation.negative**2 <= 1


def no_layer_is_missing(f, s, layers):
    return (s <= 2) | (layers == f.depth)


def not_zero_at_the_origin(f):
    """The network can be scaled to a size at 0."""
    return (f(zeros(f.widths[0])) != 0).any()


def chain(layers, depth):
    """The cheapest network for s = 25/16, up to a factor in the last layer from four layers on, behind layers of zeros."""
    front = ["0"] * (depth - layers)
    weights, biases = ["0", "3/4", "5/4", "881/320"][:layers], ["3/4", "1", "4/5", "1"][:layers]
    return FullyConnected([rationals([[w]]) for w in front + weights], [rationals([b]) for b in front + biases])


def attained(layers, depth):
    return {"f": chain(layers, depth), "s": "25/16", "layers": layers}


def three_layers_attain_it():
    """Value and norm of the networks for s = 25/16 with up to three layers; from four on the ratio in the last layer."""
    relation, s = Relation(()), rationals("25/16")
    for layers in (1, 2, 3):
        f, (c2, p) = chain(layers, layers), cheapest_constant(s, layers)
        relation &= eq(f(rationals([0]))[0] ** 2, c2[-1]) & eq(f.parameter_norm_squared, p.sum())
    return relation & eq(rationals("881/320") ** 2, cheapest_constant(s, 3)[0][-1])


def pieces_meet():
    """The largest constant of l layers, s = 2, is the smallest of l + 1 layers, s = 1, at the same cost, for l up to 6."""
    relation = Relation(())
    for layers in range(1, 7):
        (c2, p), (d2, q) = cheapest_constant(rationals(2), layers), cheapest_constant(rationals(1), layers + 1)
        relation &= eq(c2[-1], d2[-1]) & eq(p.sum(), q.sum())
    return relation


CLAIM = Claim(
    id="bottleneck_structure.known_costs.constants",
    title="What a constant costs at every depth",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=cost_of_the_constant,
    domain=Domain(
        {"f": Networks(slope=(-2, 2)), "s": interval(1, np.inf, often=(1, 2), role="free")},
        {"depth": (1, 2, 3, 4, 6, 13), "layers": (1, 2, 3, 4, 5), "inputs": (1, 2), "width": (1, 2, 3), "outputs": (1, 2, 3)},
        {
            "slopes at most 1": slopes_at_most_one,
            "no layer is missing": no_layer_is_missing,
            "not zero at the origin": not_zero_at_the_origin,
        },
        sizes_where=lambda sizes: sizes["layers"] <= sizes["depth"],
    ),
    needs=("slopes at most 1", "no layer is missing"),
    tight={
        f"{layers} layers, depth {depth}": partial(attained, layers, depth)
        for layers, depth in ((1, 1), (1, 4), (2, 2), (2, 7), (3, 3), (3, 5), (4, 4))
    },
    false_variants={
        "the size at another point": {"point": ones},
        "the square at every depth": square_of_the_constant,
        "output bias not counted": without_the_output_bias,
    },
    exact={"three layers attain it": three_layers_attain_it, "the pieces meet": pieces_meet},
)
