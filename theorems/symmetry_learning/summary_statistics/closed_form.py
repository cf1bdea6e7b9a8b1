r"""Summary statistics: closed form of the flow of p and q.

Statement
    At time t

    .. math:: \frac pq = \frac{p_0}{q_0} e^{8t}, \qquad \frac1q = \frac1{q_0} + 8t + \frac{p_0}{q_0}(e^{8t} - 1) .
Checked
    The equations of the flow, through the derivatives of 1/q and p/q, and in symbols with the start.
Proof idea
    :math:`(p/q)' = 8 p/q` and :math:`(1/q)' = 8(p + q)/q`.
Source
    bottleneck_structure, Section 5; the closed form is derived here.
"""

from verify import Claim, DerivedHere, Domain, Source, interval
from verify.numbers.symbolic import identically_zero
from verify.words import eq, exp


def at_time(t, p0, q0, growth):
    """p and q at time t, with growth = exp(8t)."""
    q = 1 / (1 / q0 + 8 * t + p0 / q0 * (growth - 1))
    return p0 / q0 * growth * q, q


def closed_form(t, p0, q0, rate=8, time=8):
    growth = exp(8 * t)
    p, q = at_time(t, p0, q0, growth)
    dratio = 8 * p0 / q0 * growth
    return eq(time + dratio, rate * (p + q) / q, name="1/q") & eq(dratio, rate * p / q, name="p/q")


def in_symbols():
    """The closed form solves the equations for p and q, from the right start."""
    import sympy as sp

    t, p0, q0 = sp.symbols("t p0 q0", positive=True)
    p, q = at_time(t, p0, q0, sp.exp(8 * t))
    return identically_zero(p.diff(t) + 8 * (p + q - 1) * p, q.diff(t) + 8 * (p + q) * q, p.subs(t, 0) - p0, q.subs(t, 0) - q0)


CLOSED_FORM = Claim(
    id="symmetry_learning.summary_statistics.closed_form",
    title="The flow of p and q has a closed form",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=closed_form,
    # where the exponential is rational, rationals decide
    domain=Domain({"t": interval(0, 1, often=(0,)), "p0": interval(1 / 16, 4), "q0": interval(1 / 16, 4)}),
    false_variants={"rate 4": {"rate": 4}, "without the time": {"time": 0}},
    exact={"in symbols": in_symbols},
    proof="in symbols",
    argument="the closed form is put into the equations for symbolic t, p0 and q0, and has the right start",
)
