r"""Proposition 3: the two Gram matrices differ where an entry is negative.

Statement
    A has no negative entry if and only if :math:`A^TA = \bar K`, so that the path, which keeps both, keeps this, too.
Correction
    The print has :math:`K = \bar K + 11^T`, for which this fails at the single activation -1.
Checked
    :math:`\|A - \bar\sigma(A)\|_F^4 \le N\|A^TA - \bar K\|_F^2`.
Proof idea
    The traces differ by :math:`\|A - \bar\sigma(A)\|_F^2`.
Sharp
    Minus the identity; one point.
Source
    leaky_resnets, Proposition 7, proof; the size of the difference is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import transposed
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, le, reals
from verify.arithmetic import Array, rationals
from verify.networks.leaky_resnet import activation_kernel, rectified, squared_norm


def kernels_tell_signs(A: Array) -> Relation:
    """The negative part of A against the difference of both Gram matrices."""
    difference = squared_norm(transposed(A) @ A - activation_kernel(A, bias=False))
    return le(squared_norm(A - rectified(A)) ** 2, A.shape[-1] * difference)


def kernels_with_bias_tell_signs(A: Array) -> Relation:
    """The same with the ones of the bias in the kernel: as printed."""
    difference = squared_norm(transposed(A) @ A - activation_kernel(A))
    return le(squared_norm(A - rectified(A)) ** 2, A.shape[-1] * difference)


# False variants


def without_the_number_of_points(A: Array) -> Relation:
    """As if the trace were at most the Frobenius norm."""
    difference = squared_norm(transposed(A) @ A - activation_kernel(A, bias=False))
    return le(squared_norm(A - rectified(A)) ** 2, difference)


def minus_identity() -> dict[str, Any]:
    """As many neurons as points, each negative for one point."""
    return {"A": rationals(-np.eye(3, dtype=int)[None])}


def one_point() -> dict[str, Any]:
    """One point, with a negative and a positive neuron."""
    return {"A": rationals([[[-3], [2]]])}


KERNELS = Claim(
    id="leaky_resnets.prop_3.kernels",
    title="Without bias, the two Gram matrices differ where an entry is negative",
    source=Source("leaky_resnets", "Proposition 7, proof"),
    status=Ours(),
    statement=kernels_tell_signs,
    domain=Domain({"A": reals("width", "points", role="values")}, {"width": range(1, 4), "points": range(1, 5)}),
    tight={"minus the identity": Tight(minus_identity), "one point": Tight(one_point)},
    false_variants={
        "the kernel with bias": kernels_with_bias_tell_signs,
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
