"""What a gamma in proportion to the kernel gives."""

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES
from theorems.leaky_resnets.gamma_choice.statement import GAMMA, OURS, VALUES, chosen_gamma, kernel
from verify import Claim, DerivedHere, Domain, Tight, interval, reals
from verify.networks import leaky_resnet
from verify.words import eq, inner, le, lifted, norm2, operator_norm

critical_weights = lifted(leaky_resnet.critical_weights)


def condition(A, R, gamma, power=1):
    r"""For :math:`M = R(K + \gamma I)`, with :math:`\|M\|_{K+\gamma I}^2 = \mathrm{Tr}[RM^T]`."""
    M, norm = R @ kernel(A) + chosen_gamma(A, gamma, power=power) * R, operator_norm(kernel(A))
    return le(norm2(M), (1 + gamma) * norm * inner(R, M), name="lower") & le(gamma * norm * inner(R, M), norm2(M), name="upper")


def condition_without_shift(A, R, gamma):
    """The upper bound of a kernel without small eigenvalues."""
    M = R @ kernel(A) + chosen_gamma(A, gamma) * R
    return le((1 + gamma) * operator_norm(kernel(A)) * inner(R, M), norm2(M))


def weights_bound(A, B, gamma, bias=1):
    r""":math:`\gamma_0\|W\|^2/L^2` against :math:`\gamma\|B\|^2`."""
    return le(gamma * norm2(critical_weights(A, B, 1)), chosen_gamma(A, gamma, bias) * norm2(B))


def weights_bound_by_the_points(A, B):
    return le(norm2(critical_weights(A, B, 1)), A.shape[1] * norm2(B))


def invariance(A, B, gamma, c, bias=0, power=1):
    r"""Error and weights of A and B and of cA and B/c, without bias."""
    before, after = (critical_weights(*one, 1, bias=False) for one in ((A, B), (c * A, B / c)))
    return eq(
        chosen_gamma(A, gamma, bias, power) * norm2(B),
        chosen_gamma(c * A, gamma, bias, power) * norm2(B / c),
        name="error",
    ) & eq(before, after, name="weights")


PHASE_SPACE = {"A": VALUES, "B": reals("width", "points", role="adjoint"), "gamma": GAMMA}

CONDITION = Claim(
    id="leaky_resnets.gamma_choice.condition",
    title="The stable kernel is well-conditioned, by as much as gamma says",
    source=OURS,
    status=DerivedHere(),
    statement=condition,
    domain=Domain({"A": VALUES, "R": reals("width", "points", role="second values"), "gamma": GAMMA}, PHASE_SIZES),
    # no features but the bias
    tight={
        "along the ones": Tight(lambda: {"A": [[0, 0]], "R": [[1, 1]], "gamma": "1/4"}, of=("lower",)),
        "against the ones": Tight(lambda: {"A": [[0, 0]], "R": [[1, -1]], "gamma": "1/4"}, of=("upper",)),
    },
    false_variants={
        "gamma as printed": {"power": 2},
        "no small eigenvalues": condition_without_shift,
    },
    cost=4,
)

WEIGHTS = Claim(
    id="leaky_resnets.gamma_choice.weights",
    title="The error of Theorem 4 is at least as large as the weights",
    source=OURS,
    status=DerivedHere(),
    statement=weights_bound,
    domain=Domain(PHASE_SPACE, PHASE_SIZES),
    # points that coincide: all of B is seen by the kernel
    tight={"all of B along the ones": {"A": [[2, 2], [-1, -1]], "B": [[1, 1], [3, 3]], "gamma": "1/4"}},
    false_variants={
        "kernel without the bias": {"bias": 0},
        "the number of points for the norm": weights_bound_by_the_points,
    },
)

INVARIANCE = Claim(
    id="leaky_resnets.gamma_choice.invariance",
    title="Without bias the error does not see the size of the activations",
    source=OURS,
    status=DerivedHere(),
    statement=invariance,
    domain=Domain({**PHASE_SPACE, "c": interval(1 / 4, 4, role="free")}, PHASE_SIZES),
    false_variants={
        "the square of the norm, as printed": {"power": 2},
        "with bias": {"bias": 1},
    },
)
