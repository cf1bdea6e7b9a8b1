r"""Proposition 18: local minima from their pre-images.

Statement
    A tuple of covariances and outputs is a local minimum of :math:`L^k` if all representations with these covariances are local
    minima of :math:`L^r`.
Checked
    What the proof needs to go from near covariances to near representations. The loss is the same for all pre-images
    (`remark_4.representations`). Pre-images are bounded, and the covariances depend continuously on them: for activations
    with slopes of at most 1 in absolute value

    .. math:: \mathrm{Tr}\,K^\sigma - N\beta^2 \le \mathrm{Tr}\,K = \|Z\|^2, \qquad
       \|K' - K\|, \ \|K'^\sigma - K^\sigma\| \le (\|Z\| + \|Z'\|)\,\|Z' - Z\| .

    So pre-images of a sequence of tuples have a limit, which is a pre-image of the limit. It cannot be chosen: in Proposition
    19 it is the end of the segment, and all other pre-images are local minima (`prop_1.local_minima`, `prop_19`).
    "All" is needed, therefore, and by continuity the converse holds as well.
Proof idea
    :math:`2(K' - K) = (Z' + Z)^T(Z' - Z) + (Z' - Z)^T(Z' + Z)`.
Tight
    One neuron, and its double.
Not checked
    The choice of a subsequence.
Source
    feature_learning, Proposition 18. The constants are derived here.
"""

from theorems.feature_learning.constructions.activations import ACTIVATIONS, homogeneous
from theorems.feature_learning.constructions.layers import gram, with_bias_row
from verify import Claim, DerivedHere, Domain, Source, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import absolute, greatest, le, norm, trace


def covariances_are_continuous(Z, D, sigma, beta, bias=1):
    """For Z' = Z + D."""
    N = Z.shape[1]
    K, K_new = gram(Z), gram(Z + D)
    K_sigma, K_sigma_new = gram(with_bias_row(sigma(Z), beta)), gram(with_bias_row(sigma(Z + D), beta))
    bound = (norm(Z) + norm(Z + D)) * norm(D)
    return (
        le(trace(K_sigma) - bias * N * beta**2, trace(K), name="traces")
        & le(norm(K_new - K), bound, name="before the activation")
        & le(norm(K_sigma_new - K_sigma), bound, name="after the activation")
    )


def lipschitz(Z, D):
    return le(norm(gram(Z + D) - gram(Z)), norm(D))


def by_the_first_alone(Z, D):
    return le(norm(gram(Z + D) - gram(Z)), 2 * norm(Z) * norm(D))


def by_the_sum(Z, D, sigma):
    return le(norm(gram(sigma(Z + D)) - gram(sigma(Z))), norm(2 * Z + D) * norm(D))


def doubled():
    return {"Z": [[3, 4]], "D": [[3, 4]], "sigma": homogeneous(rationals([1, 1])), "beta": 1}


SLOPES = "slopes of at most 1"

CLAIM = Claim(
    id="feature_learning.prop_18",
    title="Covariances bound their pre-images, and change continuously with them",
    source=Source("feature_learning", "Proposition 18, proof"),
    status=DerivedHere(),
    statement=covariances_are_continuous,
    domain=Domain(
        {
            "Z": reals("width", "points", role="values"),
            "D": reals("width", "points", role="change of values"),
            "sigma": ACTIVATIONS,
            "beta": interval(0, 2, role="1"),
        },
        {"width": range(1, 5), "points": (1, 3, 4)},
        {SLOPES: lambda sigma: greatest(absolute(sigma.slopes)) <= 1},
    ),
    needs=(SLOPES,),
    tight={"the double": doubled},
    false_variants={
        "without the amount of bias": {"bias": 0},
        "a Lipschitz map": lipschitz,
        "by the norm of Z alone": by_the_first_alone,
        "by the norm of the sum": by_the_sum,
    },
)
