r"""Reparametrised paths and the norm of critical weights.

Statement
    For an increasing r from [0, 1] onto itself put

    .. math:: \tilde V_q = r'(q) V_{r(q)} , \qquad \tilde b_q = r'(q) e^{L(r(q) - q)} b_{r(q)} .

    Then :math:`\tilde A_q = e^{L(r(q) - q)} A_{r(q)}` solves the equation of these weights, with the same ends. So at a
    critical point the integral of :math:`r'^2 (\|V_r\|^2 + e^{2L(r-q)} \|b_r\|^2)` is stationary at r = id.
Correction
    With :math:`n = \|V\|^2 + \|b\|^2` the first variation along :math:`\delta` with :math:`\delta(0) = \delta(1) = 0` is
    (``.first_variation``)

    .. math:: \int_0^1 \delta\, (-n' + 2L\|b\|^2)\, dp , \qquad \text{hence}\quad n' = 2L\|b\|^2 .

    The printed variation forgets the term :math:`\delta\, n'` from n being evaluated at r(q), and has :math:`-2n'`: from it
    comes the factor 1 in the printed Proposition 10.
Checked
    The product rule at every point of phase space, with :math:`e^{L(r - q)}` and r' as any positive numbers; the variation for
    polynomial norms and variations, whose integrals are exact, and in sympy.
Proof idea
    The ReLU is homogeneous, a constant is not: the bias has to be scaled, and the weights must not be.
Source
    leaky_resnets, proof of Proposition 10.
"""

import numpy as np

from verify import Claim, Domain, FalseAsPrinted, Source, interval, reals
from verify.numbers.symbolic import identically_zero
from verify.words import concatenate, eq, relu, zeros


def velocity(A, V, b, L, pace, growth):
    r"""Derivative of :math:`\tilde A` by q, with r' = `pace` and :math:`e^{L(r - q)}` = `growth`."""
    return L * (pace - 1) * growth * A + growth * pace * (V @ relu(A) + b - L * A)


def path_is_reparametrised(A, V, b, L, pace, growth):
    """The derivative by q against the equation of the scaled weights."""
    stated = pace * V @ relu(growth * A) + pace * growth * b - L * growth * A
    return eq(velocity(A, V, b, L, pace, growth), stated)


def integral(p):
    """From 0 to 1 of a polynomial with these coefficients, constant first."""
    return (p / np.arange(1, len(p) + 1)).sum()


def derivative(p):
    return p[1:] * np.arange(1, len(p))


def product(p, q):
    return sum(concatenate([zeros(i), p[i] * q, zeros(len(p) - 1 - i)]) for i in range(len(p)))


def slope_of_the_integral(v, b, delta, L):
    r"""Derivative by :math:`\varepsilon` of the integral at :math:`r = q + \varepsilon\delta`, of
    :math:`(1 + \varepsilon\delta')^2 (\|V\|^2 + e^{2L\varepsilon\delta}\|b\|^2)(q + \varepsilon\delta)`.

    v and b are the coefficients of :math:`\|V\|^2` and :math:`\|b\|^2`.
    """
    n = v + b
    return (
        integral(product(2 * derivative(delta), n))
        + integral(product(delta, derivative(n)))
        + integral(product(delta, 2 * L * b))
    )


def first_variation(v, b, d, L, norm=1, bias=2):
    r"""The derivative of the integral against :math:`\int\delta(-n' + 2L\|b\|^2)`, for :math:`\delta = q(1 - q)d`."""
    delta = product(np.array([0, 1, -1]), d)
    stated = integral(product(delta, bias * L * b)) - norm * integral(product(delta, derivative(v + b)))
    return eq(slope_of_the_integral(v, b, delta, L), stated)


def printed_variation(v, b, d, L):
    return first_variation(v, b, d, L, norm=2)


def variation_in_symbols():
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


# False variants


def bias_not_scaled(A, V, b, L, pace, growth):
    """The bias of the path at r(q), times r' alone."""
    return eq(velocity(A, V, b, L, pace, growth), pace * V @ relu(growth * A) + pace * b - L * growth * A)


def weights_scaled_too(A, V, b, L, pace, growth):
    stated = pace * growth * V @ relu(growth * A) + pace * growth * b - L * growth * A
    return eq(velocity(A, V, b, L, pace, growth), stated)


SOURCE = Source("leaky_resnets", "proof of Proposition 10")
POLYNOMIALS = Domain({"v": reals(3), "b": reals(3), "d": reals(2), "L": interval(1 / 4, 3)})

CLAIM = Claim(
    id="leaky_resnets.reparametrisation",
    title="A reparametrised path solves the equation of scaled weights",
    source=SOURCE,
    statement=path_is_reparametrised,
    domain=Domain(
        {
            "A": reals("width", "points", role="values"),
            "V": reals("width", "width", role="square weights of a residual layer"),
            "b": reals("width", 1, role="bias column of a residual layer"),
            "L": interval(1 / 4, 3, role="leak"),
            "pace": interval(1 / 16, 4, role="free"),
            "growth": interval(1 / 4, 4, role="free"),
        },
        {"width": range(1, 4), "points": range(1, 4)},
    ),
    false_variants={"the bias not scaled": bias_not_scaled, "the weights scaled, too": weights_scaled_too},
)

VARIATION = Claim(
    id="leaky_resnets.reparametrisation.first_variation",
    title="To first order a reparametrisation adds 2L|b|^2 - n' to the norm",
    source=SOURCE,
    statement=first_variation,
    domain=POLYNOMIALS,
    false_variants={"twice the derivative of the norm": {"norm": 2}, "the biases once": {"bias": 1}},
    exact={"the derivative of the integrand": variation_in_symbols},
)

PRINTED = Claim(
    id="leaky_resnets.reparametrisation.first_variation.printed",
    title="To first order a reparametrisation adds 2L|b|^2 - 2n' to the norm",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=VARIATION.id),
    statement=printed_variation,
    domain=POLYNOMIALS,
)
