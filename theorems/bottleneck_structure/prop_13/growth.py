r"""Representations that are stretched cost extra.

Statement
    For a network with slopes in [-1, 1] of the activation, any point x, :math:`k = \mathrm{rank}\, Jf(x)`, and every hidden
    layer :math:`\ell`,

    .. math:: \|\theta\|^2 \ge kL + 2\log|Jf(x)|_+ + \frac2\ell \log_+^2 \|J\alpha_\ell(x)\|_{op} , \qquad
              \|\theta\|^2 \ge kL + 2\log|Jf(x)|_+ + \frac2{L - \ell} \log_+^2 \|J(\alpha_\ell \to f)(x)\|_{op} ,

    where :math:`\log_+ t = \log\max(1, t)`.
Checked
    Both, at all hidden layers, without the biases. Points need not be smooth.
Proof idea
    Let :math:`e^{\beta_i}` and :math:`e^{\gamma_i}` be the k largest singular values of the two factors of Jf. The layers up to
    :math:`\ell` cost at least :math:`\sum_i \ell e^{2\beta_i/\ell} \ge \sum_i (\ell + 2\beta_i) + 2\beta_1^2/\ell` where
    :math:`\beta_1 \ge 0`, the others :math:`\sum_i (L - \ell) + 2\gamma_i`, and
    :math:`\sum_i \beta_i + \gamma_i \ge \log|Jf|_+` (Horn).
Tight
    Where the singular values are 1; the square where the other factor is much deeper.
Source
    derived here, for Example 20 of bottleneck_structure.
"""

from functools import partial

import numpy as np

from theorems.bottleneck_structure.constructions.near_isometries import around_identity
from theorems.bottleneck_structure.prop_13.statement import SIZES, few_combinations
from verify import Claim, DerivedHere, Domain, Networks, Source, Tight, derived, integers, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import eye, ge, lifted, log, log_pseudo_determinant, maximum, operator_norm, rank, stack, where


def slopes(f, x, layer):
    return f.activation.derivative(f.preactivations(x)[layer - 1])


def stretch_before(f, x):
    r""":math:`\|J\alpha_\ell(x)\|_{op}` for :math:`1 \le \ell < L`."""
    layers = range(1, f.depth)
    return stack([operator_norm(slopes(f, x, layer)[:, None] * f.jacobian_to_layer(layer, x)) for layer in layers])


def stretch_behind(f, x):
    r""":math:`\|J(\alpha_\ell \to f)(x)\|_{op}` for :math:`1 \le \ell < L`."""
    norms, product = [], f.weights[-1]
    for layer in range(f.depth - 1, 0, -1):
        norms.append(operator_norm(product))
        product = (product * slopes(f, x, layer)) @ f.weights[layer - 1]
    return stack(norms[::-1])


def rank_and_volume(f, x):
    """What the Jacobian costs in any case."""
    J = f.jacobian(x)
    return rank(J) * f.depth + 2 * log_pseudo_determinant(J)


def stretching_costs(f, x):
    least, ell = rank_and_volume(f, x), np.arange(1, f.depth)
    before = least + 2 * log(maximum(stretch_before(f, x), 1)) ** 2 / ell
    behind = least + 2 * log(maximum(stretch_behind(f, x), 1)) ** 2 / (f.depth - ell)
    return ge(f.weight_norm_squared, before, name="before") & ge(f.weight_norm_squared, behind, name="behind")


def three_times_the_square(f, x):
    square = log(maximum(stretch_before(f, x), 1)) ** 2 / np.arange(1, f.depth)
    return ge(f.weight_norm_squared, rank_and_volume(f, x) + 3 * square)


def contraction_too(f, x):
    """The square of the logarithm also where the last representation contracts."""
    norm = stretch_before(f, x)[-1]
    return ge(f.weight_norm_squared, rank_and_volume(f, x) + 2 * log(where(norm > 0, norm, 1)) ** 2 / (f.depth - 1))


def number_of_the_other_layers(f, x):
    square = log(maximum(stretch_before(f, x), 1)) ** 2 / (f.depth - np.arange(1, f.depth))
    return ge(f.weight_norm_squared, rank_and_volume(f, x) + 2 * square)


def without_the_volume(f, x):
    square = log(maximum(stretch_behind(f, x)[0], 1)) ** 2 / (f.depth - 1)
    return ge(f.weight_norm_squared, rank(f.jacobian(x)) * f.depth + 2 * square)


def identities():
    """Layers that keep two coordinates, with biases of squared norms 1 and 4, and then 0."""
    biases = [rationals(bias) for bias in ([1, 0], [0, 2], [0, 0])]
    return {"f": FullyConnected([rationals(eye(2))] * 3, biases), "x": [1, 1]}


def one_layer_stretches(place):
    """One of 64 scalar layers stretches by 65/64, and the others take that back together."""
    weights = [rationals([["4031/4032"]])] * 64
    weights[place] = rationals([["65/64"]])
    return {"f": FullyConnected(weights), "x": [1]}


def nearly(place, side):
    """Tight but for what the other layers pay."""
    return Tight(partial(one_layer_stretches, place), 3e-7, "the other 63 layers", of=(side,), partly=True)


SLOPES = "the slope is between -1 and 1"

GROWTH = Claim(
    id="bottleneck_structure.prop_13.growth",
    title="A representation that is stretched costs the square of the logarithm",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=stretching_costs,
    domain=Domain(
        {
            "f": derived(lifted(around_identity), network=Networks(slope=(-2, 2)), kind=integers(0, 1), role="network"),
            "x": reals("inputs", role="point"),
        },
        SIZES,
        {SLOPES: lambda f: (f.activation.negative >= -1) & (f.activation.negative <= 1)},
        few_combinations,
    ),
    needs=(SLOPES,),
    cost=3,
    tight={
        "identities": identities,
        "the first layer stretches": nearly(0, "before"),
        "the last layer stretches": nearly(-1, "behind"),
    },
    false_variants={
        "three times the square": three_times_the_square,
        "contraction, too": contraction_too,
        "the number of the other layers": number_of_the_other_layers,
        "without the volume": without_the_volume,
    },
)
