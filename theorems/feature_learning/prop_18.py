r"""Proposition 18: covariances are a local minimum if all their pre-images are.

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
Sharp
    One neuron, and its double.
Not checked
    The choice of a subsequence.
Source
    feature_learning, Proposition 18. The constants are ours.
"""

from __future__ import annotations

from typing import Any

from theorems.feature_learning.constructions.activations import ACTIVATIONS, Activation, homogeneous
from theorems.feature_learning.constructions.layers import gram, trace, with_bias_row
from verify import Claim, Domain, Relation, Source, Tight, interval, le, reals
from verify.arithmetic import Array, rationals, sqrt
from verify.matrices import frobenius_norm_squared


def norm(matrix: Array) -> Array:
    """Frobenius norm."""
    return sqrt(frobenius_norm_squared(matrix))


def covariances_are_continuous(values: Array, step: Array, activation: Activation, bias: Array) -> Relation:
    """The traces of the covariances of Z; distances of the covariances of Z' = Z + step from them."""
    near = values + step
    here, there = (with_bias_row(activation(each), bias) for each in (values, near))
    bound = (norm(values) + norm(near)) * norm(step)
    return (
        le(trace(gram(here)) - values.shape[-1] * bias**2, trace(gram(values)), name="traces")
        & le(norm(gram(near) - gram(values)), bound, name="before the activation")
        & le(norm(gram(there) - gram(here)), bound, name="after the activation")
    )


# False variants


def without_the_bias(values: Array, activation: Activation, bias: Array) -> Relation:
    """The trace of the activated covariance, the amount of bias included."""
    return le(trace(gram(with_bias_row(activation(values), bias))), trace(gram(values)))


def lipschitz(values: Array, step: Array) -> Relation:
    """The distance of the covariances is at most that of the representations."""
    return le(norm(gram(values + step) - gram(values)), norm(step))


def by_the_first_alone(values: Array, step: Array) -> Relation:
    """Twice the norm of Z in place of the sum of both."""
    return le(norm(gram(values + step) - gram(values)), 2 * norm(values) * norm(step))


def by_the_sum(values: Array, step: Array, activation: Activation) -> Relation:
    r"""The norm of Z + Z' in place of the sum of the norms, after the activation."""
    near = values + step
    change = gram(activation(near)) - gram(activation(values))
    return le(norm(change), norm(values + near) * norm(step))


def doubled() -> dict[str, Any]:
    """Z = (3, 4), and twice that, for the identity."""
    values = rationals([[3, 4]])
    return {"values": values, "step": values, "activation": homogeneous(rationals([1, 1])), "bias": rationals(1)}


CLAIM = Claim(
    id="feature_learning.prop_18",
    title="Pre-images of near covariances are bounded, and their limits are pre-images",
    source=Source("feature_learning", "Proposition 18"),
    statement=covariances_are_continuous,
    domain=Domain(
        {
            "values": reals("width", "points"),
            "step": reals("width", "points"),
            "activation": ACTIVATIONS,
            "bias": interval(0, 2),
        },
        {"width": range(1, 5), "points": (1, 3, 4)},
    ),
    tight={"the double": Tight(doubled)},
    false_neighbours={
        "without the amount of bias": without_the_bias,
        "a Lipschitz map": lipschitz,
        "by the norm of Z alone": by_the_first_alone,
        "by the norm of the sum": by_the_sum,
    },
)
