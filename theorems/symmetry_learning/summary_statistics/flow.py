r"""Summary statistics: two numbers close under the gradient flow.

Statement
    Without noise

    .. math:: p' = -8(p + q - 1)p, \qquad q' = -8(p + q)q, \qquad C = (p + q)^2 - 2p + 1 .

    The gradient is :math:`4(vv^T - ww^T - E_s)v` with the symmetric part :math:`E_s` of the noise.
Checked
    The three equations, in symbols for all of them. The gradient against the five-point difference of the loss, which is exact
    for a polynomial of degree four. E need not be symmetric.
Proof idea
    The chain rule.
Source
    bottleneck_structure, Section 5.
"""

from theorems.shared.hidden_direction import (
    PLANE,
    SIZES,
    flow,
    gradient,
    loss,
    statistics,
    symmetric_part,
)
from verify import Claim, Domain, Source, reals
from verify.numbers.symbolic import identically_zero
from verify.words import eq


def difference(v, w, E, u):
    """Twelve times the derivative of the loss along u."""
    C = {step: loss(v + step * u, w, E) for step in (-2, -1, 1, 2)}
    return 8 * (C[1] - C[-1]) - (C[2] - C[-2])


def gradient_is_exact(v, w, E, u, factor=4):
    size = loss(v + 2 * u, w, E) + loss(v - 2 * u, w, E)
    return eq(difference(v, w, E, u), 3 * factor * (gradient(v, w, symmetric_part(E)) @ u), beside=size)


def not_symmetrised(v, w, E, u):
    return eq(difference(v, w, E, u), 12 * (gradient(v, w, E) @ u))


def statistics_close(v, w, rate=8, one=1):
    (p, q), (dp, dq) = statistics(v, w), flow(v, w)
    return (
        eq(dp, -rate * (p + q - one) * p, name="p")
        & eq(dq, -rate * (p + q) * q, name="q")
        & eq(loss(v, w), (p + q) ** 2 - 2 * p + 1, name="loss")
    )


def in_symbols():
    """In the plane of v and w, with w = (1, 0)."""
    import sympy as sp

    a, b = sp.symbols("a b", real=True)
    v, w = sp.Matrix([a, b]), sp.Matrix([1, 0])
    residual = v * v.T - w * w.T
    C, p, q = sp.trace(residual.T * residual), a**2, b**2
    return identically_zero(
        -p.diff(a) * C.diff(a) + 8 * (p + q - 1) * p,
        -q.diff(b) * C.diff(b) + 8 * (p + q) * q,
        C - ((p + q) ** 2 - 2 * p + 1),
    )


SOURCE = Source("bottleneck_structure", "Section 5")

GRADIENT = Claim(
    id="symmetry_learning.summary_statistics.gradient",
    title="The gradient of the loss sees only the symmetric part of the noise",
    source=SOURCE,
    statement=gradient_is_exact,
    domain=Domain({**PLANE, "E": reals("d", "d"), "u": reals("d")}, SIZES),
    false_variants={"factor 2": {"factor": 2}, "noise not symmetrised": not_symmetrised},
)

CLAIM = Claim(
    id="symmetry_learning.summary_statistics",
    title="Two statistics close under the gradient flow",
    source=SOURCE,
    statement=statistics_close,
    domain=Domain(PLANE, SIZES),
    false_variants={"rate 4": {"rate": 4}, "p grows for p + q < 2": {"one": 2}},
    exact={"in symbols": in_symbols},
    proof="in symbols",
    argument="loss, flow, p and q are invariant under rotations, and every pair can be rotated into the plane with w = (1, 0)",
)
