r"""Remark 11: why optimal pairs lie on the boundary of the cone.

Statement
    The cost is linear in :math:`K_\ell` with the slope :math:`M = (K_{\ell-1}^\sigma)^+`, which vanishes only where the
    representation before is zero; so from an inner point :math:`K_\ell - \epsilon M` costs :math:`\epsilon\|M\|_F^2` less.
Checked
    That decrease for the first layer, and that it is positive unless X = 0 and there is no bias.
Proof idea
    :math:`\mathrm{Tr}[M(K - \epsilon M)] = \mathrm{Tr}[MK] - \epsilon\|M\|_F^2`.
Source
    feature_learning, Remark 11; the exception is not printed.
"""

from theorems.feature_learning.constructions.layers import gram, with_bias_row
from theorems.feature_learning.constructions.tuples import kernel_inverse
from verify import Claim, Domain, Source, Tight, interval, reals
from verify.words import eq, inner, le, norm2, rank


def cost_descends(X, beta, Z, step):
    M, K = kernel_inverse(with_bias_row(X, beta)), gram(Z)
    less = step * norm2(M)
    # the cost may be zero, before or after
    descent = eq(inner(M, K) + less, inner(M, K - step * M) + 2 * less, name="descent")
    return descent & le(1, rank(M), name="M is not zero")


def along_the_covariance(X, beta, Z, step):
    X_sigma, K = with_bias_row(X, beta), gram(Z)
    M = kernel_inverse(X_sigma)
    return eq(inner(M, K), inner(M, K - step * gram(X_sigma)) + step * norm2(M))


def not_zero(X, beta):
    return (norm2(X) > 0) | (beta > 0)


BOUNDARY = Claim(
    id="feature_learning.remark_11.boundary",
    title="The cost has derivative 0 in a covariance only for X = 0, no bias",
    source=Source("feature_learning", "Remark 11"),
    statement=cost_descends,
    domain=Domain(
        {
            "X": reals("inputs", "points"),
            "beta": interval(0, 2),
            "Z": reals("vectors", "points"),
            "step": interval(0, 1),
        },
        {"inputs": (1, 2, 3), "points": (1, 3, 4), "vectors": (1, 2, 4)},
        {"X is not 0, or there is a bias": not_zero},
    ),
    needs=("X is not 0, or there is a bias",),
    tight={"one point": Tight(lambda: {"X": [[1]], "beta": 0, "Z": [[2]], "step": 1}, of=("M is not zero",))},
    false_variants={"along the covariance itself": along_the_covariance},
)
