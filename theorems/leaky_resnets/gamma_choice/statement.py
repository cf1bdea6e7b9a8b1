"""Features and kernel have one norm, and what it is between."""

import numpy as np

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES
from theorems.leaky_resnets.constructions.representations import sigma
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source, Tight, derived, integers, interval, reals
from verify.words import absolute, determinant, eq, eye, le, norm2, operator_norm, relu, where


def kernel(A, bias=1):
    return relu(A).T @ relu(A) + bias


def chosen_gamma(A, gamma, bias=1, power=1):
    r""":math:`\gamma_0\|K\|_{op}`."""
    return gamma * operator_norm(kernel(A, bias)) ** power


def norms_agree(A, gamma, power=1, features=sigma):
    return eq(gamma * operator_norm(features(A)) ** 2, chosen_gamma(A, gamma, power=power))


def printed_norms_agree(A, gamma):
    return norms_agree(A, gamma, power=2)


def characteristic(M, t):
    """The characteristic polynomial at t."""
    return determinant(t * eye(len(M)) - M)


def spectra_agree(A, t, K=kernel):
    r""":math:`t^{w+1}\det(tI - \sigma^T\sigma) = t^N\det(tI - \sigma\sigma^T)`: the same eigenvalues, but for zeros."""
    F = sigma(A)
    rows, N = F.shape
    return eq(t**rows * characteristic(K(A), t), t**N * characteristic(F @ F.T, t))


def bounds_of_the_norm(A):
    N = A.shape[1]
    mean, norm = N + norm2(relu(A).sum(axis=1)) / N, operator_norm(kernel(A))
    return le(N, mean, name="points") & le(mean, norm, name="mean") & le(norm, N + operator_norm(relu(A)) ** 2, name="sum")


# False variants


def norms_add_up(A):
    return le(A.shape[1] + operator_norm(relu(A)) ** 2, operator_norm(kernel(A)))


def norm_is_that_of_the_mean(A):
    N = A.shape[1]
    return le(operator_norm(kernel(A)), N + norm2(relu(A).sum(axis=1)) / N)


def any_or_with_a_rational_norm(A, kind):
    r"""Any activations; for kind 0 one neuron with the value a at all points, such that :math:`1 + a^2` is a square."""
    other = 1 + absolute(A[0, 0])
    first = (np.arange(len(A)) == 0)[:, None]
    return where(kind == 0, where(first, (other - 1 / other) / 2, 0), A)


GAMMA = interval(1 / 64, 2, role="free")
VALUES = reals("width", "points", role="values")

SOURCE, OURS = Source("leaky_resnets", "Section 2.1"), Source("leaky_resnets", "derived here")

CLAIM = Claim(
    id="leaky_resnets.gamma_choice",
    title="The squared norm of the features is the norm of the kernel",
    source=SOURCE,
    status=DerivedHere(),
    statement=norms_agree,
    # balls never decide an equality of irrational norms: for one point and for four, kind 0 has rational ones
    domain=Domain(
        {"A": derived(any_or_with_a_rational_norm, A=VALUES, kind=integers(0, 1, role="free")), "gamma": GAMMA}, PHASE_SIZES
    ),
    false_variants={
        "the square of the norm, as printed": {"power": 2},
        "features without the bias": {"features": relu},
    },
)

SPECTRUM = Claim(
    id="leaky_resnets.gamma_choice.spectrum",
    title="The kernel has the eigenvalues of the squared features",
    source=OURS,
    status=DerivedHere(),
    statement=spectra_agree,
    domain=Domain({"A": VALUES, "t": reals(role="free")}, PHASE_SIZES),
    false_variants={
        "the squared kernel": {"K": lambda A: kernel(A) @ kernel(A)},
        "the kernel without the bias": {"K": lambda A: kernel(A, bias=0)},
    },
)

BOUNDS = Claim(
    id="leaky_resnets.gamma_choice.bounds",
    title="The norm of the kernel is at least the number of points",
    source=OURS,
    status=DerivedHere(),
    statement=bounds_of_the_norm,
    domain=Domain({"A": VALUES}, PHASE_SIZES),
    tight={
        "points that coincide": Tight(lambda: {"A": [[2, 2, 2], [-1, -1, -1]]}, of=("mean", "sum")),
        "no active neuron": {"A": [[-1, -2, -3], [0, 0, 0]]},
    },
    false_variants={
        "the norms of both parts add up": norms_add_up,
        "the mean of the points for all of them": norm_is_that_of_the_mean,
    },
    cost=4,
)

PRINTED = Claim(
    id="leaky_resnets.gamma_choice.printed",
    title="The squared norm of the features is the squared norm of the kernel",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.gamma_choice"),
    statement=printed_norms_agree,
    domain=Domain({"A": VALUES, "gamma": GAMMA}, PHASE_SIZES),
    false_variants={},
)
