r"""A homogeneous activation is a leaky ReLU up to signs and a factor.

Statement
    A function with :math:`\sigma(ct) = c\,\sigma(t)` for :math:`c \ge 0` is :math:`pt` for :math:`t \ge 0` and :math:`qt` for
    :math:`t < 0`. With the leaky ReLU :math:`\sigma_a` of slope a below zero it is, unless :math:`|p| = |q|`,

    .. math:: \sigma(t) = p\,\sigma_{q/p}(t) \quad (|p| > |q|), \qquad \sigma(t) = -q\,\sigma_{p/q}(-t) \quad (|q| > |p|),

    so that the theory needs :math:`\sigma_a` with :math:`|a| < 1` only.
Checked
    The two formulas. How far a is from 1: :math:`|a| = 1 - \bigl||p| - |q|\bigr| / \max(|p|, |q|)`; for :math:`p = \pm q`
    the function is linear or a multiple of the absolute value. The ReLU from two leaky ones,
    :math:`(1 - a^2) \max(t, 0) = \sigma_a(t) + a\,\sigma_a(-t)`: the networks of every such activation represent the same
    functions. The product of the layers at a kink, which is no derivative.
Proof idea
    On both half-lines the functions are linear.
Source
    bottleneck_structure, Section 2 (homogeneous nonlinearities).
"""

import numpy as np

from verify import Claim, DerivedHere, Domain, Source, interval, reals, slopes
from verify.networks import FullyConnected, HomogeneousActivation, leaky_relu
from verify.numbers.arithmetic import Array, compare, floats, rationals
from verify.numbers.symbolic import identically_zero
from verify.words import absolute, eq, lifted, relu


def normal_form(p: Array, q: Array) -> tuple[Array, Array, Array]:
    r"""Factor c, slope a in (-1, 1) and sign s in {1, -1} with :math:`\sigma(t) = c\,\sigma_a(st)`, arrays of one shape.

    p and q are the slopes of :math:`\sigma` above and below zero. With equal absolute values the slope a is 1 or -1, and 0 for
    the zero function.

    Raises
    ------
    ValueError
        A slope is infinite or NaN.

    Source: bottleneck_structure, Section 2.
    """
    if not (np.isfinite(floats(p)) & np.isfinite(floats(q))).all():
        raise ValueError(f"p and q must be finite, got {p} and {q}")
    steeper_above = compare(absolute(p), absolute(q)) >= 0
    c = np.where(steeper_above, p, -q)
    a = np.where(steeper_above, q, -p) / np.where(compare(c, 0) == 0, 1, c)
    return c, a, 2 * steeper_above.astype(np.int64) - 1


homogeneous, leaky, form = lifted(HomogeneousActivation), lifted(leaky_relu), lifted(normal_form)


def in_normal_form(p, q, t):
    c, a, s = form(p, q)
    return eq(homogeneous(p, q)(t), c * leaky(a)(s * t))


def without_reflection(p, q, t):
    c, a, _ = form(p, q)
    return eq(homogeneous(p, q)(t), c * leaky(a)(t))


def without_the_factor(p, q, t):
    _, a, s = form(p, q)
    return eq(homogeneous(p, q)(t), leaky(a)(s * t))


def below_one(p, q):
    c, a, _ = form(p, q)
    return eq(absolute(a) * absolute(c) + absolute(absolute(p) - absolute(q)), absolute(c))


def below_one_by_the_gap(p, q):
    _, a, _ = form(p, q)
    return eq(absolute(a) + absolute(absolute(p) - absolute(q)), 1)


def below_one_by_the_difference(p, q):
    c, a, _ = form(p, q)
    return eq(absolute(a) * absolute(c) + absolute(p - q), absolute(c))


def relu_recovered(a, t, power=2, sign=1):
    return eq((1 - a**power) * relu(t), leaky(a)(t) + sign * a * leaky(a)(-t))


def normal_form_in_symbols():
    """Both branches of both cases, and the recovery of the ReLU on both half-lines."""
    import sympy as sp

    p, q, a = sp.symbols("p q a", nonzero=True)
    t = sp.symbols("t", positive=True)
    steeper_above = [p * t - p * t, q * (-t) - p * (q / p) * (-t)]
    steeper_below = [p * t - (-q) * (p / q) * (-t), q * (-t) - (-q) * t]
    recovered = [(1 - a**2) * t - (t + a * (a * (-t))), a * (-t) + a * t]
    return identically_zero(*steeper_above, *steeper_below, *recovered)


def product_at_a_kink():
    r"""At the kink of its neurons, :math:`\sigma(x) - \sigma(-x) = x` has derivative 1; the product of the layers with
    :math:`\sigma'(0) = 0` is 0 and with :math:`\sigma'(0) = 1` it is 2, but it is 1 at every other point.
    """
    f = FullyConnected([rationals([[1], [-1]]), rationals([[1, -1]])])
    beside = [f.jacobian(rationals([x]))[0, 0] for x in (1, -1, "1/1000000", "-1/1000000")]
    return eq(beside, [1, 1, 1, 1]) & eq(f.jacobian(rationals([0]))[0, 0], 2)


SOURCE = Source("bottleneck_structure", "Section 2, homogeneous nonlinearities")
SLOPES = {"p": reals(role="1"), "q": reals(role="slope")}

CLAIM = Claim(
    id="bottleneck_structure.homogeneous_activations",
    title="Homogeneous activations are leaky ReLUs up to signs and a factor",
    source=SOURCE,
    statement=in_normal_form,
    domain=Domain(SLOPES | {"t": reals(3, role="three values at a point")}),
    false_variants={"without the reflection": without_reflection, "without the factor": without_the_factor},
    exact={"both cases in symbols": normal_form_in_symbols, "the product at a kink": product_at_a_kink},
)

BELOW_ONE = Claim(
    id="bottleneck_structure.homogeneous_activations.below_one",
    title="How near the slope of the normal form is to 1",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=below_one,
    domain=Domain(SLOPES),
    false_variants={"the gap itself": below_one_by_the_gap, "the difference of the slopes": below_one_by_the_difference},
)

RECOVERED = Claim(
    id="bottleneck_structure.homogeneous_activations.recovered",
    title="The ReLU from two leaky ReLUs",
    source=SOURCE,
    statement=relu_recovered,
    domain=Domain({"a": slopes(-2, 2, role="slope"), "t": interval(-8, 8, 3, role="three values at a point")}),
    false_variants={"the difference of the two": {"sign": -1}, "1 - a": {"power": 1}},
)
