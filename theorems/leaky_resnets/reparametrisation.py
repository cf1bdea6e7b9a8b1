r"""Reparametrising a path of a leaky ResNet, in the proof of Proposition 10.

For an increasing r from [0, 1] onto itself put

.. math:: \tilde V_q = r'(q) V_{r(q)} , \qquad \tilde b_q = r'(q) e^{L(r(q) - q)} b_{r(q)} .

Then :math:`\tilde A_q = e^{L(r(q) - q)} A_{r(q)}` solves the equation of these weights, with the same ends. At every point of
phase space this is the product rule, with :math:`e^{L(r - q)}` and r' as any positive numbers, and is checked as such. (The
scaling of the bias is needed, and that of the weights must not be there: the ReLU is homogeneous, a constant is not.)

So at a critical point the integral of :math:`r'^2 (\|V_r\|^2 + e^{2L(r-q)} \|b_r\|^2)` is stationary at r = id. With
:math:`n = \|V\|^2 + \|b\|^2` its first variation along :math:`\delta` with :math:`\delta(0) = \delta(1) = 0` is

.. math:: \int_0^1 \delta\, (-n' + 2L\|b\|^2)\, dp ,

hence :math:`n' = 2L\|b\|^2`. The printed variation forgets the term :math:`\delta\, n'` from n being evaluated at r(q), and has
:math:`-2n'` (``.first_variation.printed``): from it comes the factor 1 in the printed Proposition 10. Checked for polynomial
norms and variations, whose integrals are exact.

Source: leaky_resnets, proof of Proposition 10.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from verify import Claim, Domain, FalseAsPrinted, Relation, Source, Tight, eq, interval, reals
from verify.arithmetic import Array, rationals
from verify.networks.leaky_resnet import rectified, squared_norm
from verify.symbolic import identically_zero


def path_is_reparametrised(
    A: Array, V: Array, b: Array, leak: Array, pace: Array, growth: Array, bias_power: int = 1, weight_power: int = 0
) -> Relation:
    r"""Derivative of :math:`\tilde A` by q, with r' = `pace` and :math:`e^{L(r - q)}` = `growth`, against its equation.

    The powers of the growth in the bias and in the weights are for false neighbours.
    """
    rate, r, g = (one[..., None, None] for one in (leak, pace, growth))
    moved = -rate * A + V @ rectified(A) + b
    derivative = rate * (r - 1) * g * A + g * r * moved
    stated = -rate * g * A + r * g**weight_power * V @ rectified(g * A) + r * g**bias_power * b
    size = (1 + squared_norm(A)) * (1 + squared_norm(V)) * (1 + squared_norm(b)) * (1 + leak) * (1 + pace) * (1 + growth) ** 2
    return eq(derivative, stated, scale=np.asarray(size)[..., None, None], over=2)


def integral(polynomial: Array) -> Array:
    """Integral from 0 to 1 of a polynomial with the coefficients ``(..., degree + 1)``, constant first."""
    degrees = np.arange(1, polynomial.shape[-1] + 1)
    return np.asarray((polynomial / degrees).sum(axis=-1))


def derivative(polynomial: Array) -> Array:
    """Coefficients of the derivative."""
    return np.asarray(polynomial[..., 1:] * np.arange(1, polynomial.shape[-1]))


def product(left: Array, right: Array) -> Array:
    """Coefficients of the product."""
    total = 0 * (left[..., :1] * right[..., :1]) * np.ones(left.shape[-1] + right.shape[-1] - 1, dtype=np.int64)
    for place in range(left.shape[-1]):
        shifted = left[..., place : place + 1] * right
        zeros = 0 * total[..., : total.shape[-1] - right.shape[-1]]
        total = total + np.concatenate([zeros[..., :place], shifted, zeros[..., place:]], axis=-1)
    return total


def first_variation(weights: Array, biases: Array, variation: Array, leak: Array, norm: int = 1, twice: int = 2) -> Relation:
    r"""Derivative of the integral at r = id along :math:`\delta = q(1 - q)` times `variation`, and the formula.

    Coefficients of :math:`\|V\|^2`, :math:`\|b\|^2` and of the factor, shapes ``(..., degree + 1)``. Along
    :math:`r = q + \varepsilon\delta` the derivative is that of
    :math:`(1 + \varepsilon\delta')^2 (\|V\|^2 + e^{2L\varepsilon\delta}\|b\|^2)(q + \varepsilon\delta)`.
    """
    delta = product(np.array([0, 1, -1]) + 0 * variation[..., :1], variation)
    n = weights + biases
    rate = leak[..., None]
    terms = (product(2 * derivative(delta), n), product(delta, derivative(n)), product(delta, 2 * rate * biases))
    found = sum(integral(term) for term in terms)
    stated = integral(product(delta, -norm * derivative(n))) + integral(product(delta, twice * rate * biases))
    size = np.asarray(sum(integral(abs(term)) for term in terms))
    return eq(found, stated, scale=size + integral(abs(product(delta, derivative(n)))) * 2)


def variation_in_symbols() -> Relation:
    r"""The derivative by :math:`\varepsilon` of the integrand at 0, less the integrand of the formula, is that of
    :math:`2 \delta n`, which vanishes at the ends; here for quadratic norms and a cubic variation.
    """
    import sympy as sp

    q, e, leak = sp.symbols("q epsilon L")
    weights, biases = (sum(c * q**power for power, c in enumerate(sp.symbols(f"{name}:3"))) for name in "vb")
    delta = q * (1 - q) * (sp.Symbol("c") + sp.Symbol("d") * q)
    moved = weights.subs(q, q + e * delta) + sp.exp(2 * leak * e * delta) * biases.subs(q, q + e * delta)
    found = sp.diff((1 + e * sp.diff(delta, q)) ** 2 * moved, e).subs(e, 0)
    norm = weights + biases
    formula = delta * (-sp.diff(norm, q) + 2 * leak * biases)
    return identically_zero(found - formula - sp.diff(2 * delta * norm, q))


def constant_norms() -> dict[str, Array]:
    """Norms 1 and 1, and q(1 - q): both sides are L/3."""
    one = rationals([[1, 0]])
    return {"weights": one, "biases": one, "variation": one, "leak": rationals([1])}


SOURCE = Source("leaky_resnets", "proof of Proposition 10")
POLYNOMIALS = Domain({"weights": reals(3), "biases": reals(3), "variation": reals(2), "leak": interval(1 / 4, 3)})

CLAIM = Claim(
    id="leaky_resnets.reparametrisation",
    title="A reparametrised path solves the equation of scaled weights",
    source=SOURCE,
    statement=path_is_reparametrised,
    domain=Domain(
        {
            "A": reals("width", "points"),
            "V": reals("width", "width"),
            "b": reals("width", 1),
            "leak": interval(1 / 4, 3),
            "pace": interval(1 / 16, 4),
            "growth": interval(1 / 4, 4),
        },
        {"width": range(1, 4), "points": range(1, 4)},
    ),
    false_neighbours={
        "the bias not scaled": partial(path_is_reparametrised, bias_power=0),
        "the weights scaled, too": partial(path_is_reparametrised, weight_power=1),
    },
)

VARIATION = Claim(
    id="leaky_resnets.reparametrisation.first_variation",
    title="The first variation of the squared norm by a reparametrisation",
    source=SOURCE,
    statement=first_variation,
    domain=POLYNOMIALS,
    tight={"constant norms": Tight(constant_norms)},
    false_neighbours={
        "twice the derivative of the norm": partial(first_variation, norm=2),
        "the biases once": partial(first_variation, twice=1),
    },
    exact={"the derivative of the integrand": variation_in_symbols},
)

PRINTED = Claim(
    id="leaky_resnets.reparametrisation.first_variation.printed",
    title="The first variation without the change of the norm along the path",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.reparametrisation.first_variation"),
    statement=partial(first_variation, norm=2),
    domain=POLYNOMIALS,
    false_neighbours={},
)
