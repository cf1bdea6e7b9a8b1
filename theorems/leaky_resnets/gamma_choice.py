r"""The choice of gamma that scales with the kernel: :math:`\gamma_p = \gamma_0\|\sigma(A_p)\|_{op}^2 = \gamma_0\|K_p\|_{op}`.

Printed is :math:`\gamma_0\|\sigma(A_p)\|_{op}^2 = \gamma_0\|K_p\|_{op}^2`; but K is the square of the features, not the
same: for one neuron and A = (1, 0) the sides are 2.618 and 6.854 times :math:`\gamma_0`. What the corrected choice gives:

- no entry of K is below 1, so that it is bounded below,
  :math:`N \le N + \frac1N\|\bar\sigma(A)\mathbf 1\|^2 \le \|K\|_{op} \le N + \|\bar\sigma(A)\|_F^2`;
- the condition number of :math:`K + \gamma I` is at most :math:`1 + 1/\gamma_0`:
  :math:`\frac{\|M\|^2}{(1 + \gamma_0)\|K\|_{op}} \le \|M\|_{K+\gamma I}^2 \le \frac{\|M\|^2}{\gamma_0\|K\|_{op}}`;
- :math:`\gamma_p\|B_p\|^2`, which bounds the errors of Theorem 4, is at least :math:`\gamma_0\|W_p\|^2/L^2`; and without bias
  it does not change when A is multiplied by a number and B divided by it, which leaves the weights as they are. With the
  square of the norm it would be multiplied by the square of the number.

What is checked: the equality of the norms, and on rationals that of the characteristic polynomials of
:math:`\sigma\sigma^T` and :math:`\sigma^T\sigma`; the bounds, for all activations, and the invariance.

Source: leaky_resnets, Section 2.1, after Theorem 4; the consequences are ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, absolute, rationals
from verify.matrices import determinant, operator_norm
from verify.networks.leaky_resnet import (
    activation_kernel,
    critical_weights,
    feature_matrix,
    inner,
    rectified,
    squared_norm,
)


def chosen_gamma(A: Array, gamma: Array, *, power: int = 1, bias: bool = True) -> Array:
    r""":math:`\gamma_0\|K\|_{op}`, ``(..., w, N), (...) -> (...)``; `power` 2 for the print."""
    return np.asarray(gamma * operator_norm(activation_kernel(A, bias=bias)) ** power)


def norms_agree(A: Array, gamma: Array, power: int = 1, ten_thousandths: int = 10_000, bias: bool = True) -> Relation:
    """Both forms of the choice, from the features and from the kernel."""
    by_features = gamma * operator_norm(feature_matrix(A, bias=bias)) ** 2
    return eq(by_features, chosen_gamma(A, gamma, power=power) * ten_thousandths / 10_000)


def spectra_agree(A: Array, t: Array, kernels: int = 1, bias: bool = True) -> Relation:
    r""":math:`t^{w+1}\det(tI - \sigma^T\sigma) = t^N\det(tI - \sigma\sigma^T)`: the same eigenvalues, but for zeros."""
    features = feature_matrix(A)
    left = activation_kernel(A, bias=bias)
    if kernels == 2:
        left = left @ left
    right = features @ features.swapaxes(-1, -2)
    rows, points = features.shape[-2:]
    size = (1 + absolute(t) + squared_norm(features)) ** (rows + points)
    shifted = [t[..., None, None] * np.eye(one.shape[-1], dtype=np.int64) - one for one in (left, right)]
    return eq(t**rows * determinant(shifted[0]), t**points * determinant(shifted[1]), scale=size)


def bounds_of_the_norm(A: Array, lower: int = 10_000, upper: int = 10_000, aligned: bool = True) -> Relation:
    """The chain; the integers are its constants in parts of 10000, and ``aligned=False`` adds up both norms below."""
    points, features = A.shape[-1], rectified(A)
    norm = operator_norm(activation_kernel(A))
    sums = features.sum(axis=-1)
    mean = (sums * sums).sum(axis=-1) / points if aligned else operator_norm(features) ** 2
    size = points + squared_norm(features)
    return (
        le(points * lower + 0 * size, (points + mean) * 10_000, scale=10_000 * size)
        & le((points + mean) * lower, norm * 10_000, scale=10_000 * size)
        & le(norm * 10_000, size * upper, scale=10_000 * size)
    )


def flat_activations() -> dict[str, Array]:
    """Points that coincide, positive in some neurons; in a chain that is attained up to its first link."""
    return {"A": rationals([[[2, 2, 2], [-1, -1, -1]], [[-1, -2, -3], [0, 0, 0]]])}


def condition(A: Array, R: Array, gamma: Array, power: int = 1, lower: int = 10_000, upper: int = 10_000) -> Relation:
    r"""Bounds on :math:`\|M\|_{K+\gamma I}^2` for :math:`M = R(K + \gamma I)` and the chosen gamma; `power` 2 for the print."""
    kernel = activation_kernel(A)
    norm, chosen = operator_norm(kernel), chosen_gamma(A, gamma, power=power)
    M = R @ kernel + chosen[..., None, None] * R
    found, size = inner(R, M), squared_norm(M)
    return le(size * lower, (1 + gamma) * norm * found * 10_000, scale=10_000 * size) & le(
        gamma * norm * found * 10_000, size * upper, scale=10_000 * size
    )


def along_and_against() -> dict[str, Array]:
    """No features but the bias, two points: M along the ones (the lower bound) and against them (the upper bound)."""
    return {
        "A": rationals(np.zeros((2, 1, 2))),
        "R": rationals([[[1, 1]], [[1, -1]]]),
        "gamma": rationals(["1/4", "1/4"]),
    }


def weights_bound(A: Array, B: Array, gamma: Array, percent: int = 100, bias: bool = True) -> Relation:
    r""":math:`\gamma_0\|W\|^2/L^2` against :math:`\gamma\|B\|^2`."""
    chosen = chosen_gamma(A, gamma, bias=bias) * squared_norm(B)
    return le(gamma * squared_norm(critical_weights(A, B, 1)) * 100, chosen * percent)


def along_the_ones() -> dict[str, Array]:
    """Points that coincide, and adjoints that do: all of B is seen by the kernel."""
    return {"A": rationals([[[2, 2], [-1, -1]]]), "B": rationals([[[1, 1], [3, 3]]]), "gamma": rationals(["1/4"])}


def invariance(A: Array, B: Array, gamma: Array, factor: Array, power: int = 1, bias: bool = False) -> Relation:
    r""":math:`\gamma\|B\|^2` and the weights, of A and B and of cA and B/c."""
    scale = factor[..., None, None]
    points = (A, B), (scale * A, B / scale)
    sizes = [chosen_gamma(one, gamma, power=power, bias=bias) * squared_norm(other) for one, other in points]
    first, second = (critical_weights(one, other, 1, bias=bias) for one, other in points)
    return eq(sizes[0], sizes[1]) & eq(first, second, scale=(squared_norm(A) + squared_norm(B))[..., None, None], over=2)


SIZES = {"width": range(1, 4), "points": range(1, 5)}
PHASE_SPACE = {"A": reals("width", "points"), "B": reals("width", "points"), "gamma": interval(1 / 64, 2)}
SOURCE = Source("leaky_resnets", "Section 2.1")
CHOICES = Domain({"A": reals("width", "points"), "gamma": interval(1 / 64, 2)}, SIZES)

CLAIM = Claim(
    id="leaky_resnets.gamma_choice",
    title="Gamma in proportion to the kernel",
    source=SOURCE,
    status=Ours(),
    statement=norms_agree,
    domain=CHOICES,
    false_neighbours={
        "the square of the norm, as printed": partial(norms_agree, power=2),
        "0.01 % more": partial(norms_agree, ten_thousandths=10_001),
        "features without the bias": partial(norms_agree, bias=False),
    },
)

SPECTRUM = Claim(
    id="leaky_resnets.gamma_choice.spectrum",
    title="The kernel has the eigenvalues of the squared features",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=spectra_agree,
    domain=Domain({"A": reals("width", "points"), "t": reals()}, SIZES),
    false_neighbours={
        "the squared kernel": partial(spectra_agree, kernels=2),
        "the kernel without the bias": partial(spectra_agree, bias=False),
    },
)

BOUNDS = Claim(
    id="leaky_resnets.gamma_choice.bounds",
    title="The norm of the kernel is at least the number of points",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=bounds_of_the_norm,
    domain=Domain({"A": reals("width", "points")}, SIZES),
    tight={"points that coincide": Tight(flat_activations)},
    false_neighbours={
        "lower bounds 0.01 % higher": partial(bounds_of_the_norm, lower=10_001),
        "upper bound 0.01 % lower": partial(bounds_of_the_norm, upper=9_999),
        "the norms of both parts add up": partial(bounds_of_the_norm, aligned=False),
    },
    cost=4,
)

CONDITION = Claim(
    id="leaky_resnets.gamma_choice.condition",
    title="The stable kernel is well-conditioned, by as much as gamma says",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=condition,
    domain=Domain({"A": reals("width", "points"), "R": reals("width", "points"), "gamma": interval(1 / 64, 2)}, SIZES),
    tight={"along the ones and against them": Tight(along_and_against)},
    false_neighbours={
        "gamma as printed": partial(condition, power=2),
        "lower bound 1 % higher": partial(condition, lower=10_100),
        "upper bound 1 % lower": partial(condition, upper=9_900),
    },
    cost=4,
)

WEIGHTS = Claim(
    id="leaky_resnets.gamma_choice.weights",
    title="The error of Theorem 4 is at least as large as the weights",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=weights_bound,
    domain=Domain(PHASE_SPACE, SIZES),
    tight={"all of B along the ones": Tight(along_the_ones)},
    false_neighbours={
        "1 % less": partial(weights_bound, percent=99),
        "kernel without the bias": partial(weights_bound, bias=False),
    },
)

INVARIANCE = Claim(
    id="leaky_resnets.gamma_choice.invariance",
    title="Without bias the error does not see the size of the activations",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=invariance,
    domain=Domain({**PHASE_SPACE, "factor": interval(1 / 4, 4)}, SIZES),
    false_neighbours={
        "the square of the norm, as printed": partial(invariance, power=2),
        "with bias": partial(invariance, bias=True),
    },
)

PRINTED = Claim(
    id="leaky_resnets.gamma_choice.printed",
    title="The squared norm of the features is that of the kernel",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.gamma_choice"),
    statement=partial(norms_agree, power=2),
    domain=CHOICES,
    false_neighbours={},
)
