r"""Proposition 19, the weights: a segment of local minima.

Statement
    For :math:`0 < \lambda < 1` and a, b > 0 with :math:`a^2 + b^2 = 1 - \lambda`, the weights :math:`W_1 = (a, b)^T`,
    :math:`W_2 = (a, b)` are a local minimum of :math:`\|Z_2 - Y\|^2 + \lambda\|W\|^2`.
Checked
    The loss is not smaller after changes of at most min(a, b) in each weight, and has the form below there.
Proof idea
    Where no weight is negative, with :math:`p = W_2W_1` and :math:`q = \|W_1 - W_2^T\|^2`,

    .. math:: L = (p - 1)^2 + 1 + \lambda(2p + q), \qquad L - L(a, b) = (p - 1 + \lambda)^2 + \lambda q \ge 0 .
Tight
    Along the circle.
Source
    feature_learning, Proposition 19. The sum of squares is derived here.
"""

from theorems.feature_learning.constructions.segment import INPUTS, regularised_loss, segment_value
from verify import Claim, Domain, Q, Source, integers, interval
from verify.numbers.symbolic import identically_zero
from verify.words import eq, le, minimum, norm2


def losses(ends, step, divisor, share=1):
    r"""The weights :math:`W_1, W_2` after a step in units of min(a, b), the ridge, and the losses before and after the step."""
    lam, change = share * (1 - norm2(ends)) / divisor, step * minimum(ends[0], ends[1])
    W_1, W_2 = ends + change[:2], ends + change[2:]
    return W_1, W_2, lam, regularised_loss(ends, ends, lam, divisor), regularised_loss(W_1, W_2, lam, divisor)


def segment_is_a_local_minimum(ends, step, divisor, share=1):
    """The ends are (a, b); lam is a share of that of their circle."""
    W_1, W_2, lam, here, there = losses(ends, step, divisor, share)
    p, q = W_1 @ W_2, norm2(W_1 - W_2)
    return le(here, there, name="minimum") & eq(there, ((p - 1) ** 2 + 1) / divisor + lam * (2 * p + q), name="form")


def isolated_minimum(ends, step, divisor):
    """The loss grows with the square of the change in every direction."""
    W_1, W_2, lam, here, there = losses(ends, step, divisor)
    return le(here + lam * (norm2(W_1 - ends) + norm2(W_2 - ends)) / 2, there)


def sum_of_squares():
    """The identities of the local minimum, with the rectifiers written out."""
    import sympy as sp

    w1, w2, v1, v2 = weights = sp.symbols("w1 w2 v1 v2", nonnegative=True)
    lam, N = sp.symbols("lam N", positive=True)
    a, b = sp.symbols("a b", nonnegative=True)
    outputs = [v1 * sp.Max(w1 * x, 0) + v2 * sp.Max(w2 * x, 0) for x in INPUTS]
    loss = sum((z - 1) ** 2 for z in outputs) / N + lam * sum(weight**2 for weight in weights)
    p, q = w1 * v1 + w2 * v2, (w1 - v1) ** 2 + (w2 - v2) ** 2
    on_the_segment = {w1: a, w2: b, v1: a, v2: b, lam: (1 - a**2 - b**2) / N}
    return identically_zero(
        loss - ((p - 1) ** 2 + 1) / N - lam * (2 * p + q),
        loss - segment_value(lam, N) - (p - 1 + N * lam) ** 2 / N - lam * q,
        (loss - segment_value(lam, N)).subs(on_the_segment),
    )


def hessian_in_symbols():
    """The Hessian at (a, b, a, b) has the eigenvalues 4(a^2 + b^2), 4 lam (twice), and 0 along the tangent of the circle."""
    import sympy as sp

    w1, w2, v1, v2 = weights = sp.symbols("w1 w2 v1 v2", positive=True)
    a, b = sp.symbols("a b", positive=True)
    lam = 1 - a**2 - b**2
    loss = (w1 * v1 + w2 * v2 - 1) ** 2 + 1 + lam * sum(weight**2 for weight in weights)
    hessian = sp.hessian(loss, weights).subs({w1: a, w2: b, v1: a, v2: b})
    pairs = {(a, b, a, b): 4 * (1 - lam), (1, 0, -1, 0): 4 * lam, (0, 1, 0, -1): 4 * lam, (-b, a, -b, a): 0}
    return identically_zero(*(e for v, value in pairs.items() for e in (hessian - value * sp.eye(4)) * sp.Matrix(v)))


CLAIM = Claim(
    id="feature_learning.prop_19",
    title="A segment of local minima in the weights",
    source=Source("feature_learning", "Proposition 19"),
    statement=segment_is_a_local_minimum,
    domain=Domain(
        {"ends": interval(0, 1, 2), "step": interval(-1.5, 1.5, 4), "divisor": integers(1, 2)},
        hypotheses={
            "lam is not negative": lambda ends: norm2(ends) <= 1,
            "each weight changes by at most min(a, b)": lambda step: (step**2 <= 1).all(),
        },
    ),
    # from (3/10, 4/10) to (4/10, 3/10), for lam = 3/8
    tight={"along the circle": {"ends": ["3/10", "4/10"], "step": ["1/3", "-1/3", "1/3", "-1/3"], "divisor": 2}},
    false_variants={"an isolated minimum": isolated_minimum, "half the lam of the circle": {"share": Q(1, 2)}},
    needs=("lam is not negative", "each weight changes by at most min(a, b)"),
    exact={"sum of squares": sum_of_squares, "Hessian": hessian_in_symbols},
    proof="sum of squares",
    argument="Steps of at most min(a, b) leave no weight negative, so that the rectifiers are as written out there.",
)
