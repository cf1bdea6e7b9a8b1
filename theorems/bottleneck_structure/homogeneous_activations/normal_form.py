r"""Every positively homogeneous activation is a leaky ReLU up to signs and a factor.

Statement
    A function with :math:`\sigma(ct) = c\,\sigma(t)` for :math:`c \ge 0` is :math:`pt` for :math:`t \ge 0` and :math:`qt` for
    :math:`t < 0`. With the leaky ReLU :math:`\sigma_a` of slope a below zero it is, unless :math:`|p| = |q|`,

    .. math:: \sigma(t) = p\,\sigma_{q/p}(t) \quad (|p| > |q|), \qquad \sigma(t) = -q\,\sigma_{p/q}(-t) \quad (|q| > |p|),

    so that the theory needs :math:`\sigma_a` with :math:`|a| < 1` only.
Checked
    The two formulas. How far a is from 1: for :math:`p = \pm q` the slope is 1 or -1, a linear function or a multiple of the
    absolute value. The ReLU from two leaky ones, :math:`(1 - a^2) \max(t, 0) = \sigma_a(t) + a\,\sigma_a(-t)`: the networks of
    every such activation represent the same functions. The product of the layers at a kink, which is no derivative.
Proof idea
    On both half-lines the functions are linear.
Sharp
    The gap of the slopes at the steeper slope.
Source
    bottleneck_structure, Section 2 (homogeneous nonlinearities).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le, reals, slopes
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


def in_normal_form(positive: Array, negative: Array, t: Array) -> Relation:
    """Both sides of the normal form at the points `t`."""
    factor, slope, sign = normal_form(positive, negative)
    normal = factor[..., None] * leaky_relu(slope)(sign[..., None] * t)
    return eq(HomogeneousActivation(positive, negative)(t), normal, over=1)


def below_one(positive: Array, negative: Array) -> Relation:
    """The slope of the normal form is below 1 in absolute value by the difference of the two slopes over the larger one."""
    factor, slope, _ = normal_form(positive, negative)
    gap = absolute(absolute(positive) - absolute(negative))
    return le(absolute(slope) * absolute(factor) + gap, absolute(factor))


def relu_recovered(slope: Array, t: Array) -> Relation:
    r"""The ReLU at `t` from two leaky ones, times :math:`1 - a^2`."""
    a, activation = slope[..., None], leaky_relu(slope)
    return eq((1 - a * a) * maximum(t, 0 * t), activation(t) + a * activation(-t), over=1)


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


# False variants


def without_reflection(positive: Array, negative: Array, t: Array) -> Relation:
    """The same sign of the argument in both cases."""
    factor, slope, _ = normal_form(positive, negative)
    return eq(HomogeneousActivation(positive, negative)(t), factor[..., None] * leaky_relu(slope)(t), over=1)


def without_the_factor(positive: Array, negative: Array, t: Array) -> Relation:
    """The leaky ReLU itself."""
    _, slope, sign = normal_form(positive, negative)
    return eq(HomogeneousActivation(positive, negative)(t), leaky_relu(slope)(sign[..., None] * t), over=1)


def below_one_by_the_gap(positive: Array, negative: Array) -> Relation:
    """The gap itself, not over the larger slope."""
    _, slope, _ = normal_form(positive, negative)
    return le(absolute(slope) + absolute(absolute(positive) - absolute(negative)), 0 * slope + 1)


def below_one_by_the_difference(positive: Array, negative: Array) -> Relation:
    """The difference of the slopes themselves."""
    factor, slope, _ = normal_form(positive, negative)
    return le(absolute(slope) * absolute(factor) + absolute(positive - negative), absolute(factor))


def difference_of_two(slope: Array, t: Array) -> Relation:
    """The difference of the two leaky ReLUs."""
    a, activation = slope[..., None], leaky_relu(slope)
    return eq((1 - a * a) * maximum(t, 0 * t), activation(t) - a * activation(-t), over=1)


def without_the_square(slope: Array, t: Array) -> Relation:
    """1 - a for 1 - a^2."""
    a, activation = slope[..., None], leaky_relu(slope)
    return eq((1 - a) * maximum(t, 0 * t), activation(t) + a * activation(-t), over=1)


def steep_slopes() -> dict[str, Any]:
    """The slopes 100 and 99."""
    return {"positive": rationals(100), "negative": rationals(99)}


SOURCE = Source("bottleneck_structure", "Section 2, homogeneous nonlinearities")
SLOPES = {"positive": reals(), "negative": reals()}

CLAIM = Claim(
    id="bottleneck_structure.homogeneous_activations",
    title="Homogeneous activations are leaky ReLUs up to signs and a factor",
    source=SOURCE,
    statement=in_normal_form,
    domain=Domain(SLOPES | {"t": reals(3)}),
    false_neighbours={"without the reflection": without_reflection, "without the factor": without_the_factor},
    exact={"both cases in symbols": normal_form_in_symbols, "the product at a kink": product_at_a_kink},
)

BELOW_ONE = Claim(
    id="bottleneck_structure.homogeneous_activations.below_one",
    title="How near the slope of the normal form is to 1",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=below_one,
    domain=Domain(SLOPES),
    tight={"slopes 100 and 99": Tight(steep_slopes)},
    false_neighbours={"the gap itself": below_one_by_the_gap, "the difference of the slopes": below_one_by_the_difference},
)

RECOVERED = Claim(
    id="bottleneck_structure.homogeneous_activations.recovered",
    title="The ReLU from two leaky ReLUs",
    source=SOURCE,
    statement=relu_recovered,
    domain=Domain({"slope": slopes(-2, 2), "t": interval(-8, 8, 3)}),
    false_neighbours={"the difference of the two": difference_of_two, "1 - a": without_the_square},
)
