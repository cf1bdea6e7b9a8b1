r"""The gamma that scales with the kernel, :math:`\gamma_p = \gamma_0\|\sigma(A_p)\|_{op}^2 = \gamma_0\|K_p\|_{op}`.

Statement
    To balance the errors of Theorem 4 one may choose
    :math:`\gamma_p = \gamma_0\|\sigma(A_p)\|_{op}^2 = \gamma_0\|K_p\|_{op}^2`.
Correction
    K is the square of the features: :math:`\|\sigma(A_p)\|_{op}^2 = \|K_p\|_{op}`. For one neuron and A = (1, 0) the printed
    sides are 2.618 and 6.854 times :math:`\gamma_0`. What the corrected choice gives:

    * no entry of K is below 1, so that (``.bounds``)
      :math:`N \le N + \frac1N\|\bar\sigma(A)\mathbf 1\|^2 \le \|K\|_{op} \le N + \|\bar\sigma(A)\|_{op}^2`;
    * the condition number of :math:`K + \gamma I` is at most :math:`1 + 1/\gamma_0` (``.condition``):
      :math:`\frac{\|M\|^2}{(1 + \gamma_0)\|K\|_{op}} \le \|M\|_{K+\gamma I}^2 \le \frac{\|M\|^2}{\gamma_0\|K\|_{op}}`;
    * :math:`\gamma_p\|B_p\|^2`, which bounds the errors of Theorem 4, is at least :math:`\gamma_0\|W_p\|^2/L^2` (``.weights``);
      without bias it does not change when A is multiplied by a number and B divided by it, which leaves the weights as they are
      (``.invariance``). With the square of the norm it would be multiplied by the square of the number.
Checked
    The equality of the norms, and on rationals that of the characteristic polynomials of :math:`\sigma\sigma^T` and
    :math:`\sigma^T\sigma` (``.spectrum``); the bounds, for all activations, and the invariance.
Sharp
    The bounds at points that coincide; the condition along the ones and against them.
Source
    leaky_resnets, Section 2.1, after Theorem 4; the consequences are ours.
"""

from __future__ import annotations

import numpy as np

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, rationals
from verify.matrices import determinant, operator_norm
from verify.networks.leaky_resnet import (
    activation_kernel,
    critical_weights,
    feature_matrix,
    inner,
    rectified,
    squared_norm,
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


def energy_of(A: Array, R: Array, chosen: Array) -> tuple[Array, Array]:
    r""":math:`\|M\|_{K+\gamma I}^2` and :math:`\|M\|^2` for :math:`M = R(K + \gamma I)` and the chosen gamma."""
    M = R @ activation_kernel(A) + chosen[..., None, None] * R
    return inner(R, M), squared_norm(M)


def condition(A: Array, R: Array, gamma: Array) -> Relation:
    r"""Bounds on :math:`\|M\|_{K+\gamma I}^2`, multiplied by the norm of the kernel."""
    norm = operator_norm(activation_kernel(A))
    found, size = energy_of(A, R, chosen_gamma(A, gamma))
    return le(size, (1 + gamma) * norm * found, name="lower") & le(gamma * norm * found, size, name="upper")


def weights_bound(A: Array, B: Array, gamma: Array) -> Relation:
    r""":math:`\gamma_0\|W\|^2/L^2` against :math:`\gamma\|B\|^2`."""
    return le(gamma * squared_norm(critical_weights(A, B, 1)), chosen_gamma(A, gamma) * squared_norm(B))


def invariance(A: Array, B: Array, gamma: Array, factor: Array) -> Relation:
    r""":math:`\gamma\|B\|^2` and the weights, without bias, of A and B and of cA and B/c."""
    c = factor[..., None, None]
    errors = [chosen_gamma(one, gamma, bias=False) * squared_norm(other) for one, other in ((A, B), (c * A, B / c))]
    first, second = (critical_weights(one, other, 1, bias=False) for one, other in ((A, B), (c * A, B / c)))
    return eq(errors[0], errors[1], name="error") & eq(first, second, name="weights", over=2)


def coinciding_points() -> dict[str, Array]:
    """Points that coincide, positive in one neuron."""
    return {"A": rationals([[[2, 2, 2], [-1, -1, -1]]])}


def no_active_neuron() -> dict[str, Array]:
    """Activations that the ReLU does not let through."""
    return {"A": rationals([[[-1, -2, -3], [0, 0, 0]]])}


def without_features(direction: list[int]) -> dict[str, Array]:
    """No features but the bias, two points: M along the ones (the lower bound) or against them (the upper bound)."""
    return {"A": rationals([[[0, 0]]]), "R": rationals([[direction]]), "gamma": rationals(["1/4"])}


def along_the_ones() -> dict[str, Array]:
    """M along the ones."""
    return without_features([1, 1])


def against_the_ones() -> dict[str, Array]:
    """M against the ones."""
    return without_features([1, -1])


def adjoints_along_the_ones() -> dict[str, Array]:
    """Points that coincide, and adjoints that do: all of B is seen by the kernel."""
    return {"A": rationals([[[2, 2], [-1, -1]]]), "B": rationals([[[1, 1], [3, 3]]]), "gamma": rationals(["1/4"])}


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


def condition_of_the_print(A: Array, R: Array, gamma: Array) -> Relation:
    """The lower bound for the printed gamma."""
    found, size = energy_of(A, R, printed_gamma(A, gamma))
    return le(size, (1 + gamma) * operator_norm(activation_kernel(A)) * found)


def condition_without_shift(A: Array, R: Array, gamma: Array) -> Relation:
    """The upper bound of a kernel without small eigenvalues."""
    found, size = energy_of(A, R, chosen_gamma(A, gamma))
    return le((1 + gamma) * operator_norm(activation_kernel(A)) * found, size)


def weights_bound_without_bias(A: Array, B: Array, gamma: Array) -> Relation:
    """The norm of the kernel without the ones."""
    return le(gamma * squared_norm(critical_weights(A, B, 1)), chosen_gamma(A, gamma, bias=False) * squared_norm(B))


def weights_bound_by_the_points(A: Array, B: Array) -> Relation:
    """The number of points for the norm of the kernel."""
    return le(squared_norm(critical_weights(A, B, 1)), A.shape[-1] * squared_norm(B))


def invariance_of_the_print(A: Array, B: Array, gamma: Array, factor: Array) -> Relation:
    """The error with the printed gamma."""
    c = factor[..., None, None]
    errors = [printed_gamma(one, gamma, bias=False) * squared_norm(other) for one, other in ((A, B), (c * A, B / c))]
    return eq(errors[0], errors[1])


def invariance_with_bias(A: Array, B: Array, gamma: Array, factor: Array) -> Relation:
    """The error with bias."""
    c = factor[..., None, None]
    errors = [chosen_gamma(one, gamma) * squared_norm(other) for one, other in ((A, B), (c * A, B / c))]
    return eq(errors[0], errors[1])


GAMMA = interval(1 / 64, 2)
PHASE_SPACE = {"A": reals("width", "points"), "B": reals("width", "points"), "gamma": GAMMA}
SOURCE, OURS = Source("leaky_resnets", "Section 2.1"), Source("leaky_resnets", "ours")
CHOICES = Domain({"A": reals("width", "points"), "gamma": GAMMA}, PHASE_SIZES)

CLAIM = Claim(
    id="leaky_resnets.gamma_choice",
    title="The squared norm of the features is the norm of the kernel",
    source=SOURCE,
    status=Ours(),
    statement=norms_agree,
    domain=CHOICES,
    false_neighbours={
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
    domain=Domain({"A": reals("width", "points"), "t": reals()}, PHASE_SIZES),
    false_neighbours={
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
    domain=Domain({"A": reals("width", "points")}, PHASE_SIZES),
    tight={
        "points that coincide": Tight(coinciding_points, of=("mean", "sum")),
        "no active neuron": Tight(no_active_neuron),
    },
    false_neighbours={
        "the norms of both parts add up": norms_add_up,
        "the mean of the points for all of them": norm_is_that_of_the_mean,
    },
    cost=4,
)

CONDITION = Claim(
    id="leaky_resnets.gamma_choice.condition",
    title="The stable kernel is well-conditioned, by as much as gamma says",
    source=OURS,
    status=Ours(),
    statement=condition,
    domain=Domain({"A": reals("width", "points"), "R": reals("width", "points"), "gamma": GAMMA}, PHASE_SIZES),
    tight={
        "along the ones": Tight(along_the_ones, of=("lower",)),
        "against the ones": Tight(against_the_ones, of=("upper",)),
    },
    false_neighbours={
        "gamma as printed": condition_of_the_print,
        "no small eigenvalues": condition_without_shift,
    },
    cost=4,
)

WEIGHTS = Claim(
    id="leaky_resnets.gamma_choice.weights",
    title="The error of Theorem 4 is at least as large as the weights",
    source=OURS,
    status=Ours(),
    statement=weights_bound,
    domain=Domain(PHASE_SPACE, PHASE_SIZES),
    tight={"all of B along the ones": Tight(adjoints_along_the_ones)},
    false_neighbours={
        "kernel without the bias": weights_bound_without_bias,
        "the number of points for the norm": weights_bound_by_the_points,
    },
)

INVARIANCE = Claim(
    id="leaky_resnets.gamma_choice.invariance",
    title="Without bias the error does not see the size of the activations",
    source=OURS,
    status=Ours(),
    statement=invariance,
    domain=Domain({**PHASE_SPACE, "factor": interval(1 / 4, 4)}, PHASE_SIZES),
    false_neighbours={
        "the square of the norm, as printed": invariance_of_the_print,
        "with bias": invariance_with_bias,
    },
)

PRINTED = Claim(
    id="leaky_resnets.gamma_choice.printed",
    title="The squared norm of the features is the square of the norm of the kernel",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.gamma_choice"),
    statement=printed_norms_agree,
    domain=CHOICES,
    false_neighbours={},
)
