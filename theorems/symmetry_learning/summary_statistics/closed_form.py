r"""Summary statistics: closed form of the flow of p and q.

Statement
    In time t, :math:`p/q` grows by :math:`e^{8t}` and :math:`1/q = 1/q_0 + 8t + (p_0/q_0)(e^{8t} - 1)`.
Checked
    The equations of the flow, through the derivatives of 1/q and p/q, and in symbols with the start.
Proof idea
    :math:`(p/q)' = 8 p/q` and :math:`(1/q)' = 8(p + q)/q`.
Source
    bottleneck_structure, Section 5; the closed form is ours.
"""

from __future__ import annotations

from typing import Any

from verify import Claim, Domain, Ours, Relation, Source, eq, interval
from verify.arithmetic import Array, exp
from verify.symbolic import identically_zero


def closed_form(t: Any, p0: Any, q0: Any, growth: Any) -> tuple[Any, Any]:
    """P and q at time t of the flow from (p0, q0), where `growth` is exp(8t)."""
    q = 1 / (1 / q0 + 8 * t + p0 / q0 * (growth - 1))
    return p0 / q0 * growth * q, q


def closed_form_in_symbols() -> Relation:
    """The closed form solves the equations for p and q, from the right start."""
    import sympy as sp

    t, p0, q0 = sp.symbols("t p0 q0", positive=True)
    p, q = closed_form(t, p0, q0, sp.exp(8 * t))
    return identically_zero(p.diff(t) + 8 * (p + q - 1) * p, q.diff(t) + 8 * (p + q) * q, p.subs(t, 0) - p0, q.subs(t, 0) - q0)


def closed_form_solves(t: Array, p0: Array, q0: Array, rate: int = 8) -> Relation:
    """The closed form against its equation, through the derivatives of 1/q and p/q."""
    growth = exp(8 * t)
    p, q = closed_form(t, p0, q0, growth)
    ratio_rate = 8 * p0 / q0 * growth
    return eq(8 + ratio_rate, rate * (p + q) / q, name="1/q") & eq(ratio_rate, rate * p / q, name="p/q")


# False variants


def half_the_rate(t: Array, p0: Array, q0: Array) -> Relation:
    """The rate 4."""
    return closed_form_solves(t, p0, q0, rate=4)


def without_the_linear_term(t: Array, p0: Array, q0: Array) -> Relation:
    """The derivative of 1/q without the share of the time."""
    growth = exp(8 * t)
    p, q = closed_form(t, p0, q0, growth)
    return eq(8 * p0 / q0 * growth, 8 * (p + q) / q)


CLOSED_FORM = Claim(
    id="symmetry_learning.summary_statistics.closed_form",
    title="The flow of p and q has a closed form",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=closed_form_solves,
    # where the exponential is rational, rationals decide
    domain=Domain({"t": interval(0, 1, often=(0,)), "p0": interval(1 / 16, 4), "q0": interval(1 / 16, 4)}),
    false_neighbours={"rate 4": half_the_rate, "without the time": without_the_linear_term},
    exact={"in symbols": closed_form_in_symbols},
    proof="in symbols",
    argument="the closed form is put into the equations for symbolic t, p0 and q0, and has the right start",
)
