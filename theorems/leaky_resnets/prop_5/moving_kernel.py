r"""Proposition 5, the new neuron where the kernel moves.

Statement
    The new neuron is :math:`a_p = L\int_0^p t_q K_{p,i\cdot} e^{L(q-p)} dq`, and :math:`\partial_pa = L(tK_{p,i\cdot} - a)`.
Correction
    With the kernel at q in the integral, :math:`K_{q,i\cdot}`, the second follows. As printed, the kernel at p, it does not:
    :math:`\partial_pa` has :math:`m\,\partial_pK_{p,i\cdot}` besides, with the integral m of the rest (``.printed_kernel``).
Checked
    On the rising side of the triangle t, with :math:`x = (p - p_0)/r + 1` and m in closed form (s in ``neuron``): the
    derivative of the printed product against the printed equation.
Source
    leaky_resnets, proof of Proposition 9.
"""

from verify import Claim, Domain, FalseAsPrinted, Q, Source, interval, reals
from verify.words import eq, exp


def lag(x, rate):
    r""":math:`m = L\int_0^p t_q e^{L(q-p)}dq` for :math:`0 \le x \le 1`; the rate is Lr."""
    return x - (1 - exp(-rate * x)) / rate


def kernel_outside_the_integral(K, dK, x, rate, L):
    """The derivative of mK by the rule of products, with m' = L(t - m) and t = x; and the equation for a = mK."""
    m = lag(x, rate)
    return eq(m * dK + L * (x - m) * K, L * (x * K - m * K))


PRINTED = Claim(
    id="leaky_resnets.prop_5.printed_kernel",
    title="The new neuron follows the triangle, with the last kernel",
    source=Source("leaky_resnets", "Proposition 9, proof"),
    status=FalseAsPrinted(corrected_by="leaky_resnets.prop_5.neuron"),
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
