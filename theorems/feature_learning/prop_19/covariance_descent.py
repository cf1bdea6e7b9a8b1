r"""Proposition 19, the covariances: those of the segment are not a local minimum.

Statement
    The covariances :math:`K_1 = (1 - \lambda)G`, :math:`K_1^\sigma = (1 - \lambda)e_1e_1^T`, :math:`G = X^TX`, and the outputs
    :math:`Z_2 = (1 - \lambda)e_1^T` of the segment are not a local minimum of :math:`L^k`.
Checked
    In the set for width 2 lies the line with the law

    .. math:: K_1 + \delta G, \quad K_1^\sigma + \delta e_2e_2^T, \quad Z_2 + \delta e_2^T, \qquad
       L^k(\delta) - L^k(0) = \delta^2 - 2(1 - \lambda)\delta ,

    and up to :math:`\delta = 1 - \lambda` the loss descends by at least :math:`(1 - \lambda)\delta`. For :math:`\lambda \ge 1`
    the segment has shrunk to zero weights, from where there is no descent.
Sharp
    The minimum of the line.
Source
    feature_learning, Proposition 19.
"""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.constructions.segment import INPUTS, segment_value
from verify import Claim, Domain, Relation, Source, Tight, eq, integers, interval, le
from verify.arithmetic import Array, absolute, maximum, rationals
from verify.cones.support_graphs import like
from verify.matrices import pseudo_inverse
from verify.symbolic import identically_zero


def cone_point(weights: Array, generators: Array) -> tuple[Array, Array]:
    r"""The covariances :math:`\sum_i \alpha_i (x_ix_i^T, \sigma(x_i)\sigma(x_i)^T)` for ReLU, shapes ``(..., k), (k, N)``."""
    first, second = (
        (weights[..., :, None] * rows).swapaxes(-1, -2) @ rows for rows in (generators, maximum(generators, 0 * generators))
    )
    return first, second


def covariance_loss(weights: Array, lam: Array, divisor: Array) -> Array:
    r""":math:`L^k` at `cone_point` for the rows (1, -1) and (-1, 1), with :math:`Z_2` the cone weights, shape ``(..., 2)``."""
    rows = like(np.array([INPUTS, INPUTS[::-1]]), weights)
    covariance, rectified = cone_point(weights, rows)
    of_inputs = gram(rows[:1])
    first = (covariance * pseudo_inverse(of_inputs)).sum(axis=(-2, -1))
    last = (weights[..., :, None] * weights[..., None, :] * pseudo_inverse(rectified)).sum(axis=(-2, -1))
    return np.asarray(((weights - 1) ** 2).sum(axis=-1) / divisor + lam * (first + last))


def losses_on_the_line(lam: Array, share: Array, divisor: Array) -> tuple[Array, Array, Array]:
    r"""The loss on the segment and after a step, and the step :math:`\delta`, a share of :math:`|1 - \lambda|`."""
    gap = 1 - divisor * lam
    height, delta = maximum(gap, 0 * gap), share * absolute(gap)
    before = covariance_loss(np.stack([height, 0 * delta], axis=-1), lam, divisor)
    return before, covariance_loss(np.stack([height, delta], axis=-1), lam, divisor), delta


def covariances_descend(lam: Array, share: Array, divisor: Array) -> Relation:
    """The law of the line, and its descent."""
    (before, after, delta), gap = losses_on_the_line(lam, share, divisor), 1 - divisor * lam
    law = eq(after, before + (delta**2 - 2 * gap * delta) / divisor, name="law")
    return law & le(after + absolute(gap) * delta / divisor, before, name="descent")


# False variants


def ascent(lam: Array, share: Array, divisor: Array) -> Relation:
    """The slope 2 - 2 lam."""
    (before, after, delta), gap = losses_on_the_line(lam, share, divisor), 1 - divisor * lam
    return eq(after, before + (delta**2 + 2 * gap * delta) / divisor)


def straight_line(lam: Array, share: Array, divisor: Array) -> Relation:
    """The law without the square."""
    (before, after, delta), gap = losses_on_the_line(lam, share, divisor), 1 - divisor * lam
    return eq(after, before - 2 * gap * delta / divisor)


def line_in_symbols() -> Relation:
    r"""Covariances of the segment, rows that realise the line at width 2, and the law of the line for every y."""
    import sympy as sp

    a, b, c, d, N = sp.symbols("a b c d N", positive=True)  # c^2 = 1 - N lam, d^2 = delta
    y, lam = sp.Symbol("y", real=True), (1 - c**2) / N
    x = sp.Matrix([INPUTS])
    of_inputs, segment, rows = x.T * x, sp.Matrix([a, b]) * x, sp.Matrix([c, -d]) * x
    rectified, outputs = rows.applyfunc(lambda entry: sp.Max(entry, 0)), sp.Matrix([[c**2, d**2]])
    of_rectified = rectified.T * rectified
    cost = sp.trace(rows.T * rows * of_inputs.pinv()) + (outputs * of_rectified.inv() * outputs.T)[0]
    value = ((c**2 - 1) ** 2 + (d**2 - y) ** 2) / N + lam * cost
    return identically_zero(
        *(segment.T * segment - (a**2 + b**2) * of_inputs),
        *(rows.T * rows - (c**2 + d**2) * of_inputs),
        *(of_rectified - sp.diag(c**2, d**2)),
        value - segment_value(lam, N, y) - (d**4 - 2 * (y - N * lam) * d**2) / N,
    )


COVARIANCES = Claim(
    id="feature_learning.prop_19.covariance_descent",
    title="The covariances of the segment are not a local minimum",
    source=Source("feature_learning", "Proposition 19"),
    statement=covariances_descend,
    domain=Domain(
        {"lam": interval(0, 2), "share": interval(0, 1.5), "divisor": integers(1, 2)},
        hypotheses={
            "lam < 1": lambda lam, divisor: divisor * lam < 1,
            "delta is at most 1 - lam": lambda share: share <= 1,
        },
    ),
    tight={"minimum of the line": Tight(lambda: {"lam": rationals("1/4"), "share": rationals(1), "divisor": rationals(1)})},
    false_variants={"slope 2 - 2 lam": ascent, "a straight line": straight_line},
    needs=("lam < 1", "delta is at most 1 - lam"),
    exact={"in symbols": line_in_symbols},
    proof="in symbols",
    argument="The law of the line is decided for every delta, and delta^2 - 2g delta is at most -g delta for delta up to g.",
)
