r"""Summary statistics: two numbers close under the gradient flow.

Statement
    Without noise :math:`p' = -8(p + q - 1)p`, :math:`q' = -8(p + q)q` and :math:`C = (p + q)^2 - 2p + 1`. The gradient is
    :math:`4(vv^T - ww^T - E_s)v`, where :math:`E_s` is the symmetric part of the noise: E itself need not be symmetric.
Checked
    The three equations, in symbols for all of them. The gradient against the five-point difference of the loss, which is exact
    for a polynomial of degree four.
Proof idea
    The chain rule.
Source
    bottleneck_structure, Section 5.
"""

from __future__ import annotations

import numpy as np

from theorems.symmetry_learning.constructions.hidden_direction import (
    DIMENSIONS,
    PLANE,
    flow_of_statistics,
    gradient,
    inner,
    loss,
    no_noise,
    statistics,
    symmetric_part,
)
from verify import Claim, Domain, Relation, Source, eq, reals
from verify.arithmetic import Array
from verify.symbolic import identically_zero


def five_point_difference(v: Array, w: Array, noise: Array, direction: Array) -> Array:
    """Twelve times the derivative of the loss along a direction."""
    values = [loss(v + step * direction, w, noise) for step in (-2, -1, 1, 2)]
    return np.asarray(8 * (values[2] - values[1]) - (values[3] - values[0]))


def gradient_is_exact(v: Array, w: Array, noise: Array, direction: Array) -> Relation:
    """The difference of the loss against the gradient; beside the losses, of which it is a difference."""
    size = loss(v + 2 * direction, w, noise) + loss(v - 2 * direction, w, noise)
    slope = 12 * inner(gradient(v, w, symmetric_part(noise)), direction)
    return eq(five_point_difference(v, w, noise, direction) + size, slope + size)


def statistics_close(v: Array, w: Array, rate: int = 8) -> Relation:
    """The three equations in p and q, without noise."""
    p, q = statistics(v, w)
    p_rate, q_rate = flow_of_statistics(v, w, no_noise(v))
    return (
        eq(p_rate, -rate * (p + q - 1) * p, name="p")
        & eq(q_rate, -rate * (p + q) * q, name="q")
        & eq(loss(v, w, no_noise(v)), (p + q) ** 2 - 2 * p + 1, name="loss")
    )


def flow_in_symbols() -> Relation:
    """The equations for p and q for symbolic v, in the plane of v and w, into which every instance can be rotated."""
    import sympy as sp

    a, b = sp.symbols("a b", real=True)
    v, w = sp.Matrix([a, b]), sp.Matrix([1, 0])
    residual = v * v.T - w * w.T
    cost = sp.trace(residual.T * residual)
    p, q = a**2, b**2
    return identically_zero(
        -p.diff(a) * cost.diff(a) + 8 * (p + q - 1) * p,
        -q.diff(b) * cost.diff(b) + 8 * (p + q) * q,
        cost - ((p + q) ** 2 - 2 * p + 1),
    )


# False variants


def half_of_the_gradient(v: Array, w: Array, noise: Array, direction: Array) -> Relation:
    """The factor 2."""
    slope = 6 * inner(gradient(v, w, symmetric_part(noise)), direction)
    return eq(five_point_difference(v, w, noise, direction), slope)


def noise_not_symmetrised(v: Array, w: Array, noise: Array, direction: Array) -> Relation:
    """The noise itself."""
    return eq(five_point_difference(v, w, noise, direction), 12 * inner(gradient(v, w, noise), direction))


def half_the_rate(v: Array, w: Array) -> Relation:
    """The rate 4."""
    return statistics_close(v, w, rate=4)


def direction_grows_longer(v: Array, w: Array) -> Relation:
    """As if p grew for p + q < 2."""
    p, q = statistics(v, w)
    return eq(flow_of_statistics(v, w, no_noise(v))[0], -8 * (p + q - 2) * p)


SOURCE = Source("bottleneck_structure", "Section 5")

GRADIENT = Claim(
    id="symmetry_learning.summary_statistics.gradient",
    title="The gradient of the loss sees only the symmetric part of the noise",
    source=SOURCE,
    statement=gradient_is_exact,
    domain=Domain({**PLANE, "noise": reals("dimension", "dimension"), "direction": reals("dimension")}, DIMENSIONS),
    false_neighbours={"factor 2": half_of_the_gradient, "noise not symmetrised": noise_not_symmetrised},
)

CLAIM = Claim(
    id="symmetry_learning.summary_statistics",
    title="Two statistics close under the gradient flow",
    source=SOURCE,
    statement=statistics_close,
    domain=Domain(PLANE, DIMENSIONS),
    false_neighbours={"rate 4": half_the_rate, "p grows for p + q < 2": direction_grows_longer},
    exact={"in symbols": flow_in_symbols},
    proof="in symbols",
    argument="loss, flow, p and q are invariant under rotations, and every pair can be rotated into the plane with w = (1, 0)",
)
