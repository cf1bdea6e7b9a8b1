r"""Proposition 3 for convolutional networks, counted per pixel.

Statement
    For every circular convolutional network on images of :math:`n^2` pixels with slopes in [-1, 1], and every x,

    .. math:: \frac{1}{n^2} \sum_i s_i(Jf(x))^{2/L} \le \frac1L \sum_\ell \|k_\ell\|^2 .

    So the rank that the cost of deep convolutional networks counts is in units of :math:`1/n^2`.
Checked
    The inequality, times :math:`L n^2`, for every network, minimal or not, with as many channels in every layer. Biases do not
    enter. Slopes beyond [-1, 1] break it.
Proof idea
    The dense matrix of a layer has :math:`n^2` times the squared norm of its filters. The rest is Proposition 3 of
    notion_of_rank.
Tight
    Balanced linear factors where all activations are non-negative.
Source
    symmetry_learning, the section on convolutional networks; the inequality is derived here.
"""

from functools import partial

from theorems.symmetry_learning.constructions.convolutions import activation, network
from verify import Claim, DerivedHere, Domain, Source, derived, reals, slopes
from verify.numbers.arithmetic import rationals
from verify.words import Q, le, norm2, schatten_power, stack, zeros


def with_one_bias(k, b, slope):
    """The network with the filters k and the biases b in every layer."""
    return network([*k], [b] * len(k), activation(slope))


def jacobian_costs_per_pixel(f, x, n, p=2, axes=2):
    L = f.depth
    return le(L * schatten_power(f.jacobian(x), Q(p, L)), n**axes * sum(norm2(k) for k in f.kernels))


def without_the_last_layer(f, x, n):
    L = f.depth
    return le(L * schatten_power(f.jacobian(x), Q(2, L)), n**2 * sum(norm2(k) for k in f.kernels[:-1]))


def multiplying_layers(L, factor):
    k = rationals([[[[factor, 0], [0, 0]]]])
    return {"f": with_one_bias(stack([k] * L), rationals(zeros(1)), rationals(0)), "x": [[[1, 2], [3, 4]]]}


SLOPE = "the slope is between -1 and 1"

CLAIM = Claim(
    id="symmetry_learning.cnn_prop_3",
    title="The Schatten norm of the Jacobian bounds the cost per pixel of a CNN",
    source=Source("symmetry_learning", "derived here"),
    status=DerivedHere(),
    statement=jacobian_costs_per_pixel,
    domain=Domain(
        {
            "f": derived(
                with_one_bias,
                k=reals("depth", "channels", "channels", "n", "n"),
                b=reals("channels"),
                slope=slopes(-2, 2),
                role="circular network",
            ),
            "x": reals("channels", "n", "n", role="image"),
        },
        {"depth": (1, 2, 3, 6), "channels": range(1, 3), "n": range(1, 4)},
        {SLOPE: lambda f: f.activation.negative**2 <= 1},
        lambda sizes: sizes["n"] < 3 or sizes["channels"] == 1,
    ),
    needs=(SLOPE,),
    tight={
        "layers that change nothing": partial(multiplying_layers, 2, 1),
        "three layers that double": partial(multiplying_layers, 3, 2),
        "three layers that halve": partial(multiplying_layers, 3, "1/2"),
        "thirteen layers that halve": partial(multiplying_layers, 13, "1/2"),
    },
    false_variants={
        "not per pixel": {"axes": 0},
        "exponent 1/L": {"p": 1},
        "without the last layer": without_the_last_layer,
    },
)
