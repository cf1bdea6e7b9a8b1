"""Features and kernel have one norm, and what it is between."""

from __future__ import annotations

import numpy as np

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, eq, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, rationals
from verify.matrices import determinant, operator_norm
from verify.networks.leaky_resnet import (
    activation_kernel,
    feature_matrix,
    rectified,
)


def chosen_gamma(A: Array, gamma: Array, *, bias: bool = True) -> Array:
    r""":math:`\gamma_0\|K\|_{op}`, ``(..., w, N), (...) -> (...)``."""
    return np.asarray(gamma * operator_norm(activation_kernel(A, bias=bias)))


def printed_gamma(A: Array, gamma: Array, *, bias: bool = True) -> Array:
    r""":math:`\gamma_0\|K\|_{op}^2`."""
    return np.asarray(gamma * operator_norm(activation_kernel(A, bias=bias)) ** 2)


def norms_agree(A: Array, gamma: Array) -> Relation:
    """Both forms of the choice, from the features and from the kernel."""
    return eq(gamma * operator_norm(feature_matrix(A)) ** 2, chosen_gamma(A, gamma))


def printed_norms_agree(A: Array, gamma: Array) -> Relation:
    """What is printed."""
    return eq(gamma * operator_norm(feature_matrix(A)) ** 2, printed_gamma(A, gamma))


def characteristic(matrix: Array, t: Array) -> Array:
    """The characteristic polynomial at t."""
    return determinant(t[..., None, None] * np.eye(matrix.shape[-1], dtype=np.int64) - matrix)


def spectra_agree(A: Array, t: Array) -> Relation:
    r""":math:`t^{w+1}\det(tI - \sigma^T\sigma) = t^N\det(tI - \sigma\sigma^T)`: the same eigenvalues, but for zeros."""
    features = feature_matrix(A)
    rows, points = features.shape[-2:]
    covariance = features @ features.swapaxes(-1, -2)
    return eq(t**rows * characteristic(activation_kernel(A), t), t**points * characteristic(covariance, t))


def bounds_of_the_norm(A: Array) -> Relation:
    """The chain from the number of points to the sum of the norms of both parts."""
    points, features = A.shape[-1], rectified(A)
    norm, sums = operator_norm(activation_kernel(A)), features.sum(axis=-1)
    mean = points + (sums * sums).sum(axis=-1) / points
    return (
        le(points, mean, name="points")
        & le(mean, norm, name="mean")
        & le(norm, points + operator_norm(features) ** 2, name="sum")
    )


def coinciding_points() -> dict[str, Array]:
    """Points that coincide, positive in one neuron."""
    return {"A": rationals([[[2, 2, 2], [-1, -1, -1]]])}


def no_active_neuron() -> dict[str, Array]:
    """Activations that the ReLU does not let through."""
    return {"A": rationals([[[-1, -2, -3], [0, 0, 0]]])}


# False variants


def norms_without_bias_agree(A: Array, gamma: Array) -> Relation:
    """The features without the ones."""
    return eq(gamma * operator_norm(rectified(A)) ** 2, chosen_gamma(A, gamma))


def spectra_of_the_squared_kernel(A: Array, t: Array) -> Relation:
    """The kernel has the squared eigenvalues."""
    features, kernel = feature_matrix(A), activation_kernel(A)
    rows, points = features.shape[-2:]
    covariance = features @ features.swapaxes(-1, -2)
    return eq(t**rows * characteristic(kernel @ kernel, t), t**points * characteristic(covariance, t))


def spectra_without_bias(A: Array, t: Array) -> Relation:
    """The kernel without the ones has the eigenvalues of all features."""
    features = feature_matrix(A)
    rows, points = features.shape[-2:]
    covariance = features @ features.swapaxes(-1, -2)
    return eq(t**rows * characteristic(activation_kernel(A, bias=False), t), t**points * characteristic(covariance, t))


def norms_add_up(A: Array) -> Relation:
    """The norm of the kernel is at least N and the squared norm of the features together."""
    return le(A.shape[-1] + operator_norm(rectified(A)) ** 2, operator_norm(activation_kernel(A)))


def norm_is_that_of_the_mean(A: Array) -> Relation:
    """The norm of the kernel is at most what the mean of the points gives."""
    sums = rectified(A).sum(axis=-1)
    return le(operator_norm(activation_kernel(A)), A.shape[-1] + (sums * sums).sum(axis=-1) / A.shape[-1])


def any_or_with_a_rational_norm(A: Array, kind: Array) -> Array:
    r"""Any activations; for kind 0 one neuron with the value a at all points, such that :math:`1 + a^2` is a square."""
    other = 1 + absolute(A[..., :1, :1])
    first = np.arange(A.shape[-2])[:, None] == 0
    return np.where(compare(kind, 0)[..., None, None] == 0, first * (other - 1 / other) / 2 + 0 * A, A)


GAMMA = interval(1 / 64, 2, role="free")

SOURCE, OURS = Source("leaky_resnets", "Section 2.1"), Source("leaky_resnets", "ours")

CHOICES = Domain({"A": reals("width", "points", role="values"), "gamma": GAMMA}, PHASE_SIZES)

CLAIM = Claim(
    id="leaky_resnets.gamma_choice",
    title="The squared norm of the features is the norm of the kernel",
    source=SOURCE,
    status=Ours(),
    statement=norms_agree,
    # balls never decide an equality of irrational norms: for one point and for four, kind 0 has rational ones
    domain=Domain(
        {
            "A": derived(
                any_or_with_a_rational_norm, A=reals("width", "points", role="values"), kind=integers(0, 1, role="free")
            ),
            "gamma": GAMMA,
        },
        PHASE_SIZES,
    ),
    false_variants={
        "the square of the norm, as printed": printed_norms_agree,
        "features without the bias": norms_without_bias_agree,
    },
)

SPECTRUM = Claim(
    id="leaky_resnets.gamma_choice.spectrum",
    title="The kernel has the eigenvalues of the squared features",
    source=OURS,
    status=Ours(),
    statement=spectra_agree,
    domain=Domain({"A": reals("width", "points", role="values"), "t": reals(role="free")}, PHASE_SIZES),
    false_variants={
        "the squared kernel": spectra_of_the_squared_kernel,
        "the kernel without the bias": spectra_without_bias,
    },
)

BOUNDS = Claim(
    id="leaky_resnets.gamma_choice.bounds",
    title="The norm of the kernel is at least the number of points",
    source=OURS,
    status=Ours(),
    statement=bounds_of_the_norm,
    domain=Domain({"A": reals("width", "points", role="values")}, PHASE_SIZES),
    tight={
        "points that coincide": Tight(coinciding_points, of=("mean", "sum")),
        "no active neuron": Tight(no_active_neuron),
    },
    false_variants={
        "the norms of both parts add up": norms_add_up,
        "the mean of the points for all of them": norm_is_that_of_the_mean,
    },
    cost=4,
)

PRINTED = Claim(
    id="leaky_resnets.gamma_choice.printed",
    title="The squared norm of the features is the square of the norm of the kernel",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.gamma_choice"),
    statement=printed_norms_agree,
    domain=CHOICES,
    false_variants={},
)
