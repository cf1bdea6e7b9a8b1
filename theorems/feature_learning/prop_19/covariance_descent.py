r"""Proposition 19: the covariances are no local minimum.

Statement
    The covariances :math:`K_1 = (1 - \lambda)G`, :math:`K_1^\sigma = (1 - \lambda)e_1e_1^T`, :math:`G = X^TX`, and the outputs
    :math:`Z_2 = (1 - \lambda)e_1^T` of the segment are not a local minimum of :math:`L^k`.
Checked
    In the set for width 2 lies the line with the law

    .. math:: K_1 + \delta G, \quad K_1^\sigma + \delta e_2e_2^T, \quad Z_2 + \delta e_2^T, \qquad
       L^k(\delta) - L^k(0) = \delta^2 - 2(1 - \lambda)\delta ,

    and up to :math:`\delta = 1 - \lambda` the loss descends by at least :math:`(1 - \lambda)\delta`. For :math:`\lambda \ge 1`
    the segment has shrunk to zero weights, from where there is no descent.
Tight
    The minimum of the line.
Source
    feature_learning, Proposition 19.
"""

from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.constructions.segment import INPUTS, segment_value
from verify import Claim, Domain, Source, integers, interval
from verify.numbers.symbolic import identically_zero
from verify.words import absolute, eq, inner, le, norm2, pinv, relu, stack, vector


def covariance_loss(alpha, lam, divisor):
    r""":math:`L^k` at the covariances :math:`\sum_i \alpha_i (x_ix_i^T, \sigma(x_i)\sigma(x_i)^T)` and :math:`Z_2 = \alpha`."""
    x = stack([INPUTS, INPUTS[::-1]])
    K, K_sigma = (rows.T @ (alpha[:, None] * rows) for rows in (x, relu(x)))
    return norm2(alpha - 1) / divisor + lam * (inner(K, pinv(gram(x[:1]))) + alpha @ pinv(K_sigma) @ alpha)


def covariances_descend(lam, share, divisor, square=1, slope=-2):
    r"""The step :math:`\delta` is a share of :math:`|1 - \lambda|`."""
    gap = 1 - divisor * lam
    delta = share * absolute(gap)
    before, after = (covariance_loss(vector(relu(gap), second), lam, divisor) for second in (0, delta))
    law = eq(after, before + (square * delta**2 + slope * gap * delta) / divisor, name="law")
    return law & le(after + absolute(gap) * delta / divisor, before, name="descent")


def line_in_symbols():
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
    tight={"minimum of the line": {"lam": "1/4", "share": 1, "divisor": 1}},
    false_variants={"slope 2 - 2 lam": {"slope": 2}, "a straight line": {"square": 0}},
    needs=("lam < 1", "delta is at most 1 - lam"),
    exact={"in symbols": line_in_symbols},
    proof="in symbols",
    argument="The law of the line is decided for every delta, and delta^2 - 2g delta is at most -g delta for delta up to g.",
)
