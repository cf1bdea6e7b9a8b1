r"""Proposition 3: the two Gram matrices differ where an entry is negative.

Statement
    A has no negative entry if and only if :math:`A^TA = \bar K`, so that the path, which keeps both, keeps this, too.
Correction
    The print has :math:`K = \bar K + 11^T`, for which this fails at the single activation -1.
Checked
    :math:`\|A - \bar\sigma(A)\|_F^4 \le N\|A^TA - \bar K\|_F^2`.
Proof idea
    The traces differ by :math:`\|A - \bar\sigma(A)\|_F^2`.
Tight
    Minus the identity; one point.
Source
    leaky_resnets, Proposition 7, proof; the size of the difference is derived here.
"""

from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source, reals
from verify.words import le, norm2, relu


def kernels_tell_signs(A, bias=0):
    return le(norm2(A - relu(A)) ** 2, A.shape[1] * norm2(A.T @ A - (relu(A).T @ relu(A) + bias)))


def kernels_with_bias_tell_signs(A):
    """As printed: with the ones of the bias in the kernel."""
    return kernels_tell_signs(A, bias=1)


def without_the_number_of_points(A):
    """As if the trace were at most the Frobenius norm."""
    return le(norm2(A - relu(A)) ** 2, norm2(A.T @ A - relu(A).T @ relu(A)))


KERNELS = Claim(
    id="leaky_resnets.prop_3.kernels",
    title="Without bias, the two Gram matrices differ where an entry is negative",
    source=Source("leaky_resnets", "Proposition 7, proof"),
    status=DerivedHere(),
    statement=kernels_tell_signs,
    domain=Domain({"A": reals("width", "points", role="values")}, {"width": range(1, 4), "points": range(1, 5)}),
    tight={
        "minus the identity": {"A": [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]},
        "one point": {"A": [[-3], [2]]},
    },
    false_variants={
        "the kernel with bias": {"bias": 1},
        "without the number of points": without_the_number_of_points,
    },
)

PRINTED_KERNELS = Claim(
    id="leaky_resnets.prop_3.kernels.printed",
    title="With bias, the two Gram matrices differ where an entry is negative",
    source=Source("leaky_resnets", "Proposition 7, proof"),
    status=FalseAsPrinted(corrected_by=KERNELS.id),
    statement=kernels_with_bias_tell_signs,
    domain=KERNELS.domain,
    false_variants={},
)
