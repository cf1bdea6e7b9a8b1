"""What a gamma in proportion to the kernel gives: the condition number, a bound of the weights, invariance."""

from __future__ import annotations

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES
from theorems.leaky_resnets.gamma_choice.statement import GAMMA, OURS, chosen_gamma, printed_gamma
from verify import Claim, Domain, Ours, Relation, Tight, eq, interval, le, reals
from verify.arithmetic import Array, rationals
from verify.matrices import operator_norm
from verify.networks.leaky_resnet import (
    activation_kernel,
    critical_weights,
    inner,
    squared_norm,
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


PHASE_SPACE = {"A": reals("width", "points", role="values"), "B": reals("width", "points", role="adjoint"), "gamma": GAMMA}

CONDITION = Claim(
    id="leaky_resnets.gamma_choice.condition",
    title="The stable kernel is well-conditioned, by as much as gamma says",
    source=OURS,
    status=Ours(),
    statement=condition,
    domain=Domain(
        {"A": reals("width", "points", role="values"), "R": reals("width", "points", role="second values"), "gamma": GAMMA},
        PHASE_SIZES,
    ),
    tight={
        "along the ones": Tight(along_the_ones, of=("lower",)),
        "against the ones": Tight(against_the_ones, of=("upper",)),
    },
    false_variants={
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
    false_variants={
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
    domain=Domain({**PHASE_SPACE, "factor": interval(1 / 4, 4, role="free")}, PHASE_SIZES),
    false_variants={
        "the square of the norm, as printed": invariance_of_the_print,
        "with bias": invariance_with_bias,
    },
)
