r"""Proposition 5, the new neuron where the kernel moves.

Statement
    The new neuron is :math:`a_p = L\int_0^p t_q K_{p,i\cdot} e^{L(q-p)} dq`, and :math:`\partial_pa = L(tK_{p,i\cdot} - a)`.
Correction
    With the kernel at q in the integral, :math:`K_{q,i\cdot}`, the second follows. As printed, the kernel at p, it does not:
    :math:`\partial_pa` has :math:`m\,\partial_pK_{p,i\cdot}` besides, with the integral m of the rest (``.printed_kernel``).
Checked
    On the rising side of the triangle t, with :math:`x = (p - p_0)/r + 1` and m in closed form (s in ``neuron``): the
    derivative of the printed product against the printed equation, and the equation for kernels that are linear in x, whose
    integral has a closed form. Both derivatives are in x, r times those in p.
Source
    leaky_resnets, proof of Proposition 9.
"""

from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Q, Source, interval, reals
from verify.words import eq, exp


def lag(x, rate):
    r""":math:`m = L\int_0^p t_q e^{L(q-p)}dq` for :math:`0 \le x \le 1`; the rate is Lr."""
    return x - (1 - exp(-rate * x)) / rate


def kernel_outside_the_integral(K, dK, x, rate, L):
    """The derivative of mK by the rule of products, with m' = L(t - m) and t = x; and the equation for a = mK."""
    m = lag(x, rate)
    return eq(m * dK + L * (x - m) * K, L * (x * K - m * K))


def new_neuron(K, dK, x, rate, squares=2):
    r""":math:`L\int_0^pt_qK_qe^{L(q-p)}dq` for the kernel that is linear, with the value K at x and the slope dK."""
    m = lag(x, rate)
    return (K - x * dK) * m + dK * (x**2 - squares * m / rate)


def kernel_inside_the_integral(K, dK, x, rate, squares=2):
    """The derivative of the new neuron, term by term with m' = 1 - exp(-rate x), against the equation."""
    rise = 1 - exp(-rate * x)
    derivative = (K - x * dK) * rise + dK * (2 * x - 2 * rise / rate)
    return eq(derivative, rate * (x * K - new_neuron(K, dK, x, rate, squares)))


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
    false_variants={"with the last kernel, as printed": with_the_last_kernel, "the mean of squares once": {"squares": 1}},
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
