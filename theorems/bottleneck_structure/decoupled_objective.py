r"""The loss decoupled into rank and regularity is unbounded from below.

Statement
    Deep networks minimise :math:`C(f(X)) + \lambda L R^{(0)}(f) + \lambda R^{(1)}(f)`, approximately. Where the rank is an
    integer this is :math:`\min_k \lambda Lk + \min_{f : R^{(0)}(f) = k} C(f(X)) + \lambda R^{(1)}(f)`.
Checked
    On linear maps, where both corrections are known, with the mean square over N points as the cost. For every map A of rank
    k > 0, any data, every :math:`\lambda > 0`, depth and j >= 0, the value of the multiple :math:`2^{-j}A` is at most

    .. math:: \frac2N(\|AX\|_F^2 + \|Y\|_F^2) + \lambda Lk + 2\lambda\log|A|_+ - 2\lambda k j\log 2 ,

    which tends to :math:`-\infty`, because :math:`R^{(1)}(cf) = R^{(1)}(f) + 2k\log c`. So for k > 0 the inner minimum is not
    attained among the linear maps, whatever the data: the bound is below the value of A once
    :math:`2\lambda k j\log 2 > \frac1N\|AX + Y\|_F^2`. The paper speaks of inner minima that are attained; as local minima they
    are (``truncated_objective``).
Proof idea
    The multiples have the rank of A, and :math:`|cA|_+ = c^k|A|_+`. The cost is bounded.
Tight
    AX = -Y, and j = 0.
Not checked
    Nonlinear f: the same holds for the multiples of any f with a finite :math:`R^{(1)}`.
Source
    bottleneck_structure, Section 3.1, equation (1).
"""

import numpy as np

from verify import Claim, DerivedHere, Domain, Q, Source, integers, interval, reals
from verify.numbers.arithmetic import chosen_rationals, floats, is_exact
from verify.words import floor, le, lifted, log, log_pseudo_determinant, norm2, rank


@lifted
def halvings(j):
    """The number 2^-j: a power of two is a float, and exact."""
    factor = 0.5 ** floats(j)
    return chosen_rationals(factor) if is_exact(np.asarray(j)) else factor


def decoupled(A, X, Y, lam, depth):
    return norm2(A @ X - Y) / X.shape[1] + lam * (depth * rank(A) + 2 * log_pseudo_determinant(A))


def value_of_a_multiple(A, X, Y, lam, j, depth, share=1, speed=2):
    N, k, R1 = X.shape[1], rank(A), 2 * log_pseudo_determinant(A)
    bound = 2 * (share * norm2(A @ X) + norm2(Y)) / N + lam * (depth * k + R1) - speed * lam * k * j * log(2)
    return le(decoupled(halvings(j) * A, X, Y, lam, depth), bound)


def better_than_its_multiple(A, X, Y, lam, depth):
    above = norm2(A @ X + Y) / X.shape[1]
    j = 1 - floor(-above / (2 * lam * rank(A) * log(2)))
    return le(decoupled(A, X, Y, lam, depth), decoupled(halvings(j) * A, X, Y, lam, depth))


def opposite_labels():
    A, X, Y = [[1, 2], [0, 3]], [[1, 0, "1/2"], ["-1/2", 1, 0]], [[0, -2, "-1/2"], ["3/2", -3, 0]]
    return {"A": A, "X": X, "Y": Y, "lam": "1/2", "j": 0, "depth": 4}


PROBLEM = {
    "A": reals("outputs", "inputs", role="Jacobian"),
    "X": reals("inputs", "points", role="points as columns"),
    "Y": reals("outputs", "points", role="targets as columns"),
    "lam": interval(Q("1/4"), 4, role="ridge"),
}
SIZES = {"inputs": (1, 2, 3), "outputs": (1, 2, 3), "points": (1, 3, 4), "depth": (1, 2, 4, 12)}
NOT_ZERO = {"A is not zero": lambda A: (A != 0).any()}

CLAIM = Claim(
    id="bottleneck_structure.decoupled_objective",
    title="The loss decoupled into rank and regularity is not bounded from below",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=value_of_a_multiple,
    domain=Domain({**PROBLEM, "j": integers(0, 40, role="free")}, SIZES, NOT_ZERO),
    tight={"opposite labels": opposite_labels},
    examples=[opposite_labels()],
    false_variants={
        "twice as fast": {"speed": 4},
        "the cost of the labels": {"share": 0},
        "no multiple is better": better_than_its_multiple,
    },
)
