r"""Theorem 10: bottleneck rank 1 on data of higher rank, a large kernel.

Statement
    With high probability over a sample of :math:`f^*` of Jacobian rank :math:`k^* > 1`, every deep enough network of bottleneck
    rank 1 and norm :math:`L + c_1` that fits it has a point with
    :math:`\mathrm{Tr}\,\Theta(x, x) \ge c'' L e^{-c_1} N^{4 - 4/k^*}`.
Checked
    What holds at every depth. For every layer,

    .. math:: \|J\tilde\alpha_\ell(x)\|_{op} \le e^{(\sum_{m \le \ell} \|W_m\|^2 - \ell)/2} , \qquad
              \|f(x) - f(y)\| \le \|\alpha_\ell(x) - \alpha_\ell(y)\|\, e^{(\sum_{m > \ell} \|W_m\|^2 - (L - \ell))/2} ;

    for the kernel, without the share of the biases,

    .. math:: \mathrm{Tr}\,\Theta(x, x) \ge \sum_\ell \|\alpha_{\ell-1}(x)\|^2
              \frac{\|Jf(x)\|_{op}^2}{\|J\tilde\alpha_\ell(x)\|_{op}^2} ;

    and together, with :math:`c_1 = \sum_\ell \|W_\ell\|_F^2 - L`,

    .. math:: \frac{\mathrm{Tr}\,\Theta(x, x)}{\|Jf(x)\|_{op}^2} + \frac{\mathrm{Tr}\,\Theta(y, y)}{\|Jf(y)\|_{op}^2} \ge
              \tfrac12 \|f(x) - f(y)\|^2 e^{-c_1} \sum_\ell e^{1 - \|W_\ell\|_F^2} .
Proof idea
    :math:`\|W\|_{op} \le \|W\|_F \le e^{(\|W\|_F^2 - 1)/2}`; the layers before and from a layer on count it twice.
Tight
    Chains of layers of norm 1.
Not checked
    The probability, and the constant: the proof gives no number, and it says something only for :math:`c_1 < 4(1 -
    1/k^*)\log N`, while a rank-1 fit has :math:`c_1 \ge 2(1 - 1/k^*)\log N` up to a constant. Paths through random labels are
    in notion_of_rank, ``theorem_2.probability``; the frames of the layers are ``theorem_6``.
Source
    bottleneck_structure, Theorem 10 (Theorem 19 of the appendix), proof; the last inequality is derived here.
"""

import numpy as np

from theorems.bottleneck_structure.constructions.near_isometries import around_identity
from theorems.bottleneck_structure.theorem_6.statement import POINT, SLOPES, few_combinations
from verify import Claim, DerivedHere, Domain, Follows, Networks, Source, derived, integers, reals
from verify.networks import FullyConnected, identity
from verify.networks.ntk import ntk_trace
from verify.numbers.arithmetic import rationals
from verify.words import exp, ge, le, lifted, norm2, operator_norm, stack, where

kernel_trace = lifted(ntk_trace)


def excesses(f):
    r""":math:`\|W_\ell\|_F^2 - 1` for every layer."""
    return stack([norm2(W) for W in f.weights]) - 1


def squared_slopes(f, x):
    r""":math:`\|J\tilde\alpha_\ell(x)\|_{op}^2` for every layer."""
    return stack([operator_norm(f.jacobian_to_layer(ell, x)) ** 2 for ell in range(1, f.depth + 1)])


def squared_steps(f, x, y):
    r""":math:`\|\alpha_\ell(x) - \alpha_\ell(y)\|^2` for :math:`0 \le \ell < L`."""
    return stack([norm2(here - there) for here, there in zip(f.activations(x), f.activations(y), strict=True)])


def layers_grow_by_their_norms(f, x, y):
    before = np.cumsum(excesses(f))
    behind = before[-1] - before + excesses(f)
    return le(squared_slopes(f, x), exp(before), name="before") & le(
        norm2(f(x) - f(y)), squared_steps(f, x, y) * exp(behind), name="behind"
    )


def kernel_by_the_slopes(f, x):
    """Where one of the slopes is 0, so is that of f, and the quotient is 0."""
    slopes, sizes = squared_slopes(f, x), stack([norm2(alpha) for alpha in f.activations(x)])
    return ge(kernel_trace(f, x, biases=False), (sizes * slopes[-1] / where(slopes == 0, 1, slopes)).sum())


def squared_slope(f, x):
    r""":math:`\|Jf(x)\|_{op}^2`."""
    return operator_norm(f.jacobian(x)) ** 2


def kernels(f, x, y):
    """Both quotients of the conclusion, times both squared slopes of f."""
    return kernel_trace(f, x, biases=False) * squared_slope(f, y) + kernel_trace(f, y, biases=False) * squared_slope(f, x)


def shares(f):
    r""":math:`e^{-c_1} \sum_\ell e^{1 - \|W_\ell\|_F^2}`."""
    return exp(-excesses(f) - excesses(f).sum()).sum()


def one_of_two_kernels_is_large(f, x, y):
    return ge(2 * kernels(f, x, y), norm2(f(x) - f(y)) * squared_slope(f, x) * squared_slope(f, y) * shares(f))


def half_of_the_exponent(f, x):
    return le(squared_slopes(f, x), exp(np.cumsum(excesses(f)) / 2))


def one_layer_fewer(f, x, y):
    """The layers behind without the first of them."""
    before = np.cumsum(excesses(f))
    return le(norm2(f(x) - f(y)), squared_steps(f, x, y) * exp(before[-1] - before))


def slopes_as_factors(f, x):
    sizes = stack([norm2(alpha) for alpha in f.activations(x)])
    return ge(kernel_trace(f, x, biases=False), (sizes * squared_slopes(f, x)).sum())


def last_layer_twice(f, x):
    return ge(kernel_trace(f, x, biases=False), 2 * norm2(f.activations(x)[-1]) * f.widths[-1])


def every_kernel_is_large(f, x, y):
    """The kernel at x alone."""
    return ge(4 * kernel_trace(f, x, biases=False), norm2(f(x) - f(y)) * squared_slope(f, x) * shares(f))


def without_the_norms(f, x, y):
    """L in place of the exponentials."""
    return ge(2 * kernels(f, x, y), norm2(f(x) - f(y)) * squared_slope(f, x) * squared_slope(f, y) * f.depth)


def unit_chain():
    """Four layers of rank 1 and norm 1, linear, at opposite points of the plane."""
    layer, last = rationals([["9/25", "12/25"], ["12/25", "16/25"]]), rationals([["3/5", "4/5"]])
    return {"f": FullyConnected([layer, layer, layer, last], activation=identity()), "x": [3, 4], "y": [-3, -4]}


def at_the_other_point(coordinates):
    """The coordinates of the kernel at y."""
    return {**coordinates, "x": coordinates["y"]}


SIZES = {"depth": (1, 2, 3, 6, 13), "inputs": (1, 2), "width": (1, 2, 3), "outputs": (1, 2, 3)}
NETWORK = derived(lifted(around_identity), network=Networks(slope=(-2, 2)), kind=integers(0, 1), role="network")
PAIR = {"f": NETWORK, "x": POINT, "y": reals("inputs", role="second point")}
SOURCE = Source("bottleneck_structure", "Theorem 19, proof")

GROWTH = Claim(
    id="bottleneck_structure.theorem_10.growth",
    title="Layers grow by the exponential of their norms",
    source=SOURCE,
    statement=layers_grow_by_their_norms,
    domain=Domain(PAIR, SIZES, SLOPES, few_combinations),
    needs=tuple(SLOPES),
    tight={"layers of norm 1": unit_chain},
    cost=3,
    false_variants={"half of the exponent": half_of_the_exponent, "one layer fewer": one_layer_fewer},
)

KERNEL = Claim(
    id="bottleneck_structure.theorem_10.kernel",
    title="The slopes up to the layers bound the kernel from below",
    source=SOURCE,
    statement=kernel_by_the_slopes,
    domain=Domain({"f": NETWORK, "x": POINT}, SIZES, {}, few_combinations),
    tight={"layers of norm 1": unit_chain},
    cost=3,
    false_variants={"slopes as factors": slopes_as_factors, "twice the last layer": last_layer_twice},
)

CLAIM = Claim(
    id="bottleneck_structure.theorem_10",
    title="One of two kernels is large if the values differ at a small norm",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=one_of_two_kernels_is_large,
    domain=Domain(PAIR, SIZES, SLOPES, few_combinations),
    needs=tuple(SLOPES),
    tight={"layers of norm 1": unit_chain},
    cost=3,
    follows=(Follows(GROWTH), Follows(KERNEL), Follows(KERNEL, at_the_other_point)),
    false_variants={"the kernel at x alone": every_kernel_is_large, "L in place of the norms": without_the_norms},
)
