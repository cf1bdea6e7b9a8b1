r"""Theorem 1: what the identity costs on [-1, 1].

Statement
    A ReLU network :math:`F_w` of L >= 2 layers has to pay for biases where it is steep at both ends of an interval:

    .. math:: L \, (\|F_w'(1)\|^2 + \|F_w'(-1)\|^2)^{1/L} \le \|b_1\|^2 + \sum_\ell \|W_\ell\|_F^2 ,

    so that :math:`R(x; [-1, 1], L) \ge L\, 2^{1/L}`, with equality for L = 2 (`identity_on_interval`). The slides have a
    network of norm :math:`\|w_g\|^2 + k(L - L_g - L_h) + \|w_h\|^2` for h(g(x)). For g = h = id and L = 2 this is 2, less than
    :math:`2\sqrt 2`: as an upper bound for R it is false (``.printed_norm``; ``statement`` has the norm with the shift).
Checked
    The inequality for every network of one input. At a kink a unit of value 0 counts as active. For the derivatives from inside
    the interval apply it to :math:`F_w((1 - \varepsilon)x)`, which has no kink at 1 and -1 for small :math:`\varepsilon > 0`.
Proof idea
    A unit of the first layer that is active at 1 and at -1 has :math:`|b_i| \ge |w_i|`, so that
    :math:`\|D_1(1) W_1\|^2 + \|D_1(-1) W_1\|^2 \le \|W_1\|_F^2 + \|b_1\|^2`; then :math:`\|F_w'\| \le \|D_1 W_1\|
    \prod_{\ell \ge 2} \|W_\ell\|_F` and the inequality of means. With another slope below zero the first step fails.
Tight
    The identity at depth 2; two equal neurons at depth 3; the positive part, which needs no bias.
Source
    notion_of_rank, Theorem 1 (the norm); the bound is derived here.
"""

import numpy as np

from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Networks, Q, Source, derived, reals, slopes
from verify.networks import FullyConnected, leaky_relu
from verify.numbers.arithmetic import rationals
from verify.numbers.symbolic import identically_zero
from verify.words import le, lifted, minimum, norm2, ones, power, sqrt


def slopes_at(f, t):
    """Squared derivatives at t and at -t."""
    return norm2(f.jacobian(t * ones(1))), norm2(f.jacobian(-t * ones(1)))


def at_both_ends(network):
    f, L = network, network.depth
    return le(L * power(sum(slopes_at(f, 1)), Q(1, L)), f.weight_norm_squared + norm2(f.biases[0]))


def without_the_bias(network):
    f, L = network, network.depth
    return le(L * power(sum(slopes_at(f, 1)), Q(1, L)), f.weight_norm_squared)


def further_inside(network):
    """Twice the smaller derivative at 3/5 and -3/5."""
    f, L = network, network.depth
    return le(L * power(2 * minimum(*slopes_at(f, Q("3/5"))), Q(1, L)), f.weight_norm_squared + norm2(f.biases[0]))


def printed_norm_suffices(inner, outer):
    """The lower bound for the affine function h(g(x)) on [-1, 1] at depth 2 against the norm of the slides."""
    g, h = inner, outer
    return le(2 * sqrt(2 * norm2(h.weights[0] @ g.weights[0])), g.parameter_norm_squared + h.parameter_norm_squared)


def identity_on_interval():
    r"""ReLU network of depth 2 that is the identity on [-1, 1], of the smallest squared norm, :math:`2\sqrt 2`.

    :math:`W_1 = (w, -w)`, :math:`b_1 = (w, w)`, :math:`W_2 = (q, -q)` with :math:`w^2 = 1/\sqrt 8` and q = 1 / (2 w).
    """
    w = 8**-0.25
    q = 1 / (2 * w)
    return FullyConnected([np.array([[w], [-w]]), np.array([[q, -q]])], [np.array([w, w]), np.array([0.0])])


def cost_on_interval_in_symbols():
    """Value on [-1, 1], where both neurons are active, and squared norm of `identity_on_interval`."""
    import sympy as sp

    x = sp.symbols("x", real=True)
    w = sp.root(8, 4) ** -1
    q = 1 / (2 * w)
    return identically_zero(q * (w * x + w) - q * (w - w * x) - x, 4 * w**2 + 2 * q**2 - 2 * sp.sqrt(2))


def doubled_input():
    """Depth 2 and one neuron, active on all of [-1, 1]: x goes to (x + 1, x + 1)."""
    return {"network": FullyConnected([rationals([[1]]), rationals([[1], [1]])], [rationals([1]), rationals([0, 0])])}


def twice_the_input():
    """Depth 3: x goes to 2 (x + 1) through two equal neurons."""
    weights = [rationals([[1]]), rationals([[1], [1]]), rationals([[1, 1]])]
    return {"network": FullyConnected(weights, [rationals([1]), rationals([0, 0]), rationals([0])])}


def one_sided():
    """Depth 3: the positive part of x, for which no bias is needed."""
    return {"network": FullyConnected([rationals([[1]])] * 3)}


def with_lifted_units(network, lifts, slope):
    """The network with `lifts` times the first weights added to the first biases, and this slope below zero."""
    W, b = network.weights, network.biases
    return lifted(FullyConnected)(W, [b[0] + lifts * W[0][:, 0], *b[1:]], lifted(leaky_relu)(slope))


INTERVAL = Claim(
    id="notion_of_rank.theorem_1.interval_identity",
    title="Derivatives at both ends of an interval cost a bias",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=at_both_ends,
    domain=Domain(
        {
            "network": derived(
                with_lifted_units,
                network=Networks(inputs=1, slope=0),
                lifts=reals("width"),
                slope=slopes(-2, 2),
                role="network of the line",
            )
        },
        {"depth": (2, 3, 4, 6, 13), "width": (1, 2, 3), "outputs": (1, 2)},
        {"ReLU": lambda network: network.activation.negative == 0},
    ),
    needs=("ReLU",),
    tight={
        "the identity at depth 2": lambda: {"network": identity_on_interval()},
        "two outputs at depth 2": doubled_input,
        "depth 3": twice_the_input,
        "the positive part": one_sided,
    },
    false_variants={"without the bias": without_the_bias, "derivatives at 3/5 and -3/5": further_inside},
    exact={"the identity in symbols": cost_on_interval_in_symbols},
)

PRINTED_NORM = Claim(
    id="notion_of_rank.theorem_1.printed_norm",
    title="Without a shift the norm of the construction bounds the cost",
    source=Source("notion_of_rank", "Theorem 1"),
    status=FalseAsPrinted(corrected_by="notion_of_rank.theorem_1"),
    statement=printed_norm_suffices,
    domain=Domain(
        {
            "inner": Networks(depth=1, inputs=1, width=1, outputs=1, role="first part"),
            "outer": Networks(depth=1, inputs=1, width=1, outputs=1, role="second part"),
        }
    ),
    false_variants={},
)
