r"""Every positively homogeneous activation is a leaky ReLU up to signs and a factor, and the ReLU can be recovered from it.

A function with :math:`\sigma(ct) = c\,\sigma(t)` for :math:`c \ge 0` is :math:`pt` for :math:`t \ge 0` and :math:`qt` for
:math:`t < 0`. With the leaky ReLU :math:`\sigma_a` of slope a below zero it is, unless :math:`|p| = |q|`,

.. math:: \sigma(t) = p\,\sigma_{q/p}(t) \quad (|p| > |q|), \qquad \sigma(t) = -q\,\sigma_{p/q}(-t) \quad (|q| > |p|),

so that the theory needs :math:`\sigma_a` with :math:`|a| < 1` only. For :math:`p = \pm q` the slope is a = 1 or -1: a linear
function or a multiple of the absolute value, which the condition leaves out.

For :math:`a^2 \ne 1` a pair of leaky ReLUs gives the ReLU back,
:math:`\max(t, 0) = (\sigma_a(t) + a\,\sigma_a(-t)) / (1 - a^2)`: the networks of every such activation represent
the same functions.

The talk of the same author writes :math:`\alpha_\ell = \sigma(W_\ell \alpha_{\ell-1} + b_\ell)` and
:math:`f = W_L \sigma(\alpha_{L-1}) + b_L`, with the activation twice in the last hidden layer. That changes nothing for the
ReLU (``.idempotent``) and is another function for every other slope below 1 (``.printed``).

Source: bottleneck_structure, Section 2 (homogeneous nonlinearities); the definition of the network in symmetry_learning.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, FalseAsPrinted, Networks, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, absolute, compare, floats, maximum, rationals
from verify.networks import FullyConnected, HomogeneousActivation, leaky_relu
from verify.symbolic import identically_zero


def normal_form(positive: Array, negative: Array) -> tuple[Array, Array, Array]:
    r"""Factor c, slope a in (-1, 1) and sign s in {1, -1} with :math:`\sigma(t) = c\,\sigma_a(st)`, arrays of one shape.

    `positive` and `negative` are the slopes p and q of :math:`\sigma`. With equal absolute values the slope a is 1 or -1, and
    0 for the zero function.

    Raises
    ------
    ValueError
        A slope is infinite or NaN.

    Source: bottleneck_structure, Section 2.
    """
    if not (np.isfinite(floats(positive)) & np.isfinite(floats(negative))).all():
        raise ValueError(f"positive and negative must be finite, got {positive} and {negative}")
    steeper_above = compare(absolute(positive), absolute(negative)) >= 0
    factor = np.where(steeper_above, positive, -negative)
    slope = np.where(steeper_above, negative, -positive) / np.where(compare(factor, 0) == 0, 1, factor)
    return factor, slope, 2 * steeper_above.astype(np.int64) - 1


def in_normal_form(positive: Array, negative: Array, t: Array, flip: bool = True, slope_percent: int = 100) -> Relation:
    """Both sides of the normal form at the points `t`."""
    factor, slope, sign = normal_form(positive, negative)
    if not flip:
        sign = sign * sign
    general = HomogeneousActivation(positive, negative)(t)
    slope = slope * slope_percent / 100
    normal = factor[..., None] * leaky_relu(slope)(sign[..., None] * t)
    return eq(general, normal, over=1)


def below_one(positive: Array, negative: Array, basis_points: int = 10_000) -> Relation:
    """The slope of the normal form is below 1 in absolute value by the difference of the two slopes over the larger one."""
    factor, slope, _ = normal_form(positive, negative)
    gap = absolute(absolute(positive) - absolute(negative))
    return le(absolute(slope) * absolute(factor) + gap * basis_points / 10_000, absolute(factor))


def relu_recovered(slope: Array, t: Array, basis_points: int = 10_000, difference: bool = False) -> Relation:
    r"""The ReLU at `t` from two leaky ones, times :math:`1 - a^2`."""
    a = slope[..., None]
    activation = leaky_relu(slope)
    mirrored = a * activation(-t)
    pair = activation(t) - mirrored if difference else activation(t) + mirrored
    return eq((1 - a * a) * maximum(t, 0 * t) * basis_points / 10_000, pair, scale=absolute(t), over=1)


def network_of_the_talk(network: FullyConnected, x: Array) -> Array:
    r""":math:`W_L \sigma(\alpha_{L-1}) + b_L` with :math:`\alpha_{L-1} = \sigma(W_{L-1}\alpha_{L-2} + b_{L-1})`."""
    twice = network.activation(network.activations(x)[-1])
    return np.asarray((network.weights[-1] @ twice[..., None])[..., 0] + network.biases[-1])


def activation_once_or_twice(network: FullyConnected, x: Array, basis_points: int = 10_000) -> Relation:
    """The value as the paper and as the talk define it, the latter in `basis_points`."""
    value, size = network_of_the_talk(network, x), absolute(network.weights[-1]).sum(axis=-1)
    largest = maximum(absolute(network.activations(x)[-1]), 0).sum(axis=-1)
    return eq(
        network(x), value * basis_points / 10_000, scale=size * (1 + largest[..., None]) + absolute(network.biases[-1]), over=1
    )


def idempotent_at(network: FullyConnected, x: Array) -> npt.NDArray[np.bool_]:
    """Whether the activation is a ReLU, or the last hidden pre-activations at `x` are all at least zero."""
    not_negative = (compare(network.preactivations(x)[-2], 0) >= 0).all(axis=-1)
    return np.asarray((compare(network.activation.negative, 0) == 0) | not_negative)


def normal_form_in_symbols() -> Relation:
    """Both branches of both cases, and the recovery of the ReLU on both half-lines."""
    import sympy as sp

    p, q, a = sp.symbols("p q a", nonzero=True)
    t = sp.symbols("t", positive=True)
    steeper_above = [p * t - p * t, q * (-t) - p * (q / p) * (-t)]
    steeper_below = [p * t - (-q) * (p / q) * (-t), q * (-t) - (-q) * t]
    recovered = [(1 - a**2) * t - (t + a * (a * (-t))), a * (-t) + a * t]
    return identically_zero(*steeper_above, *steeper_below, *recovered)


def product_at_a_kink() -> Relation:
    r"""At the kink of its neurons, :math:`\sigma(x) - \sigma(-x) = x` has derivative 1; the product of the layers with
    :math:`\sigma'(0) = 0` is 0 and with :math:`\sigma'(0) = 1` it is 2, but it is 1 at every other point.
    """
    network = FullyConnected([rationals([[1], [-1]]), rationals([[1, -1]])])
    points = rationals([[1], [-1], ["1/1000000"], ["-1/1000000"]])
    return eq(network.jacobian(points)[..., 0, 0], rationals([1, 1, 1, 1]), over=1) & eq(
        network.jacobian(rationals([0]))[0, 0], rationals(2)
    )


def one_slope(positive: int, negative: int) -> dict[str, Any]:
    """The two slopes, and a point on either side of zero."""
    return {"positive": rationals(positive), "negative": rationals(negative), "t": rationals([-1, 0, 1])}


SOURCE = Source("bottleneck_structure", "Section 2, homogeneous nonlinearities")
SLOPES = {"positive": reals(), "negative": reals()}
HIDDEN = {"network": Networks(slope=(-1, 1)), "x": reals("inputs")}
HIDDEN_SIZES = {"depth": range(2, 4), "inputs": range(1, 3), "width": range(1, 3), "outputs": range(1, 2)}

CLAIM = Claim(
    id="bottleneck_structure.homogeneous_activations",
    title="Homogeneous activations are leaky ReLUs up to signs and a factor",
    source=SOURCE,
    statement=in_normal_form,
    domain=Domain(SLOPES | {"t": reals(3)}),
    tight={
        "the steeper slope above zero": Tight(partial(one_slope, 2, -1)),
        "the steeper slope below zero": Tight(partial(one_slope, 1, -3)),
    },
    false_neighbours={
        "without the reflection": partial(in_normal_form, flip=False),
        "slope 1 percent smaller": partial(in_normal_form, slope_percent=99),
    },
    exact={"both cases in symbols": normal_form_in_symbols, "the product at a kink": product_at_a_kink},
)

BELOW_ONE = Claim(
    id="bottleneck_structure.homogeneous_activations.below_one",
    title="How near the slope of the normal form is to 1",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=below_one,
    domain=Domain(SLOPES),
    tight={"slopes 100 and 99": Tight(lambda: {"positive": rationals(100), "negative": rationals(99)})},
    false_neighbours={
        "a gap of 1.01": partial(below_one, basis_points=10_100),
        "a gap of 1.0001": partial(below_one, basis_points=10_001),
    },
)

RECOVERED = Claim(
    id="bottleneck_structure.homogeneous_activations.recovered",
    title="The ReLU from two leaky ReLUs",
    source=SOURCE,
    statement=relu_recovered,
    domain=Domain({"slope": interval(-2, 2), "t": reals(3)}),
    tight={"slope 1/2": Tight(lambda: {"slope": rationals("1/2"), "t": rationals([-1, 0, 1])})},
    false_neighbours={
        "constant 1.01": partial(relu_recovered, basis_points=10_100),
        "constant 1.0001": partial(relu_recovered, basis_points=10_001),
        "the difference of the two": partial(relu_recovered, difference=True),
    },
)

IDEMPOTENT = Claim(
    id="bottleneck_structure.homogeneous_activations.idempotent",
    title="The activation twice in the last hidden layer is once for the ReLU",
    source=Source("symmetry_learning", "definition of the network"),
    statement=activation_once_or_twice,
    domain=Domain(HIDDEN, HIDDEN_SIZES, {"ReLU, or nothing below zero": idempotent_at}),
    needs=("ReLU, or nothing below zero",),
    false_neighbours={
        "1.01 times": partial(activation_once_or_twice, basis_points=10_100),
        "1.0001 times": partial(activation_once_or_twice, basis_points=10_001),
    },
)

PRINTED = Claim(
    id="bottleneck_structure.homogeneous_activations.printed",
    title="The network of the talk, with the activation twice in the last hidden layer",
    source=Source("symmetry_learning", "definition of the network"),
    status=FalseAsPrinted(corrected_by="bottleneck_structure.homogeneous_activations.idempotent"),
    statement=activation_once_or_twice,
    domain=Domain(HIDDEN, HIDDEN_SIZES),
    false_neighbours={},
)
