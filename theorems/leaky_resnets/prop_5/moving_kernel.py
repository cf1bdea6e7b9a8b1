r"""Proposition 5, the new neuron where the kernel moves.

Statement
    The new neuron is :math:`a_p = L\int_0^p t_q K_{p,i\cdot} e^{L(q-p)} dq`, and :math:`\partial_pa = L(tK_{p,i\cdot} - a)`.
Correction
    With the kernel at q in the integral, :math:`K_{q,i\cdot}`, the second follows. As printed, the kernel at p, it does not:
    :math:`\partial_pa` has :math:`m\,\partial_pK_{p,i\cdot}` besides, with the integral m of the rest (``.printed_kernel``).
Checked
    On the rising side of the triangle t, with :math:`x = (p - p_0)/r + 1` and m in closed form (s in ``neuron``): the
    derivative of the printed product against the printed equation, and the equation for kernels that are linear in x. That
    the closed form is the integral there is decided in sympy. Both derivatives are in x, r times those in p.
Source
    leaky_resnets, proof of Proposition 9.
"""

from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Q, Source, interval, reals
from verify.numbers.symbolic import identically_zero
from verify.words import eq, exp


def lag(x, rate):
    r""":math:`m = L\int_0^p t_q e^{L(q-p)}dq` for :math:`0 \le x \le 1`; the rate is Lr."""
    return x - (1 - exp(-rate * x)) / rate


def kernel_outside_the_integral(K, dK, x, rate, L):
    """The derivative of mK by the rule of products, with m' = L(t - m) and t = x; and the equation for a = mK."""
    m = lag(x, rate)
    return eq(m * dK + L * (x - m) * K, L * (x * K - m * K))


def new_neuron(K, dK, x, rate, m, squares=2):
    r""":math:`L\int_0^pt_qK_qe^{L(q-p)}dq` for the kernel that is linear, with the value K at x and the slope dK."""
    return (K - x * dK) * m + dK * (x**2 - squares * m / rate)


def derivative(K, dK, x, rate, rise):
    """Of the new neuron in x, along the same kernel, where m has the derivative `rise`."""
    return (K - x * dK) * rise + dK * (2 * x - 2 * rise / rate)


def kernel_inside_the_integral(K, dK, x, rate, squares=2):
    """The derivative of the new neuron, with m' = 1 - exp(-rate x), against the equation."""
    a = new_neuron(K, dK, x, rate, lag(x, rate), squares)
    return eq(derivative(K, dK, x, rate, 1 - exp(-rate * x)), rate * (x * K - a))


def integral_in_symbols():
    """The closed form is the integral, and its derivative is what is compared."""
    import sympy as sp

    x, y, rate = sp.symbols("x y rate", positive=True)
    start, dK = sp.symbols("start dK", real=True)
    m, K = x - (1 - sp.exp(-rate * x)) / rate, start + dK * x
    a = new_neuron(K, dK, x, rate, m)
    integral = sp.integrate(rate * y * (start + dK * y) * sp.exp(rate * (y - x)), (y, 0, x))
    return identically_zero(a - integral, a.diff(x) - derivative(K, dK, x, rate, m.diff(x)))


def with_the_last_kernel(K, dK, x, rate):
    m, rise = lag(x, rate), 1 - exp(-rate * x)
    return eq(K * rise + dK * m, rate * (x * K - K * m))


CLAIM = Claim(
    id="leaky_resnets.prop_5.moving_kernel",
    title="The new neuron follows the triangle, with the kernel inside",
    source=Source("leaky_resnets", "Proposition 9, proof"),
    status=DerivedHere(),
    statement=kernel_inside_the_integral,
    domain=Domain(
        {"K": reals("points"), "dK": reals("points"), "x": interval(0, 1), "rate": interval(Q("1/4"), 24)}, {"points": (1, 2)}
    ),
    false_variants={"with the last kernel, as printed": with_the_last_kernel, "once, not twice": {"squares": 1}},
    exact={"the closed form": integral_in_symbols},
)

PRINTED = Claim(
    id="leaky_resnets.prop_5.printed_kernel",
    title="The new neuron follows the triangle, with the last kernel",
    source=Source("leaky_resnets", "Proposition 9, proof"),
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=kernel_outside_the_integral,
    domain=Domain(
        {
            "K": interval(0, 4, "points"),
            "dK": reals("points"),
            "x": interval(0, 1),
            "rate": interval(Q("1/4"), 24),
            "L": interval(1, 16),
        },
        {"points": (1, 2)},
    ),
)
