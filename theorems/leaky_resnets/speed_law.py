r"""Speed law: the speed measures the extra cost of the identity.

Statement
    If :math:`\mathrm{Im}A^T \subset \mathrm{Im}\sigma(A)^T`, that is if the cost :math:`\|A\|_K^2` is finite, then along a
    critical path

    .. math:: \mathcal H = \tfrac1{2L}\|\partial_pA\|_K^2 - \tfrac L2\|A\|_K^2, \qquad
              \|\partial_pA\|_K = L\sqrt{\|A\|_K^2 + \tfrac2L\mathcal H} .

    Always :math:`-\frac2L\mathcal H \le \|A_p\|_K^2`, for every p, where a cost may be infinite (``.lower_bound``).
Checked
    The identity of squares at the pairs :math:`(A_{\ell-1}, B_\ell)` of critical discrete networks, with
    :math:`\partial_pA = (A_\ell - A_{\ell-1})/\rho_\ell`, for activations of mixed and of one sign; that it fails where the
    cost is infinite and a pseudo-inverse is taken all the same. The bound at every point of phase space.
Proof idea
    Both hold at a point, for any A and B with :math:`\partial_pA = L(BK - A)`: the norm of :math:`B\sigma(A)^T` is that of
    :math:`A + \frac1L\partial_pA`, and its cross terms cancel. As H is constant along a path, the bound is one on the
    least cost.
Tight
    The bound, where nothing moves: :math:`B = AK^{-1}`.
Source
    leaky_resnets, Section 2.1; the discrete form and the bound are derived here.
"""

from theorems.leaky_resnets.constructions.phase_points import ACTIVATIONS, PHASE_SIZES, hamiltonian, phase_point
from theorems.leaky_resnets.constructions.representations import sigma
from verify import Claim, DerivedHere, Domain, Source, derived, integers, interval, reals
from verify.networks.leaky_resnet import cost_of_identity, is_in_row_space, symplectic_euler_step
from verify.numbers.arithmetic import rationals
from verify.words import eq, inverse, le, lifted, norm2, pinv, relu, sqrt

cost = lifted(cost_of_identity)


def moved_in_a_layer(A, B, L, rho):
    r""":math:`\frac1L(A_\ell - A_{\ell-1})/\rho_\ell` of the critical layer."""
    after, _ = lifted(symplectic_euler_step)(A, B, L, rho)
    return (after - A) / (L * rho)


def energies_add_up(A, B, L, rho, potential=1):
    S, dA = pinv(sigma(A)), moved_in_a_layer(A, B, L, rho)
    return eq(2 * hamiltonian(A, B), norm2(dA @ S) - potential * norm2(A @ S))


def energies_without_bias(A, B, L, rho):
    S, dA = pinv(relu(A)), moved_in_a_layer(A, B, L, rho)
    return eq(2 * hamiltonian(A, B), norm2(dA @ S) - norm2(A @ S))


def constant_is_below_cost(point):
    A, B = point
    return le(-2 * hamiltonian(A, B), cost(A))


def constant_is_below_bare_cost(point):
    A, B = point
    return le(-2 * hamiltonian(A, B), norm2(A @ pinv(sigma(A))))


def constant_is_below_norm(point):
    A, B = point
    return le(-2 * hamiltonian(A, B), sqrt(cost(A)))


def resting_point(A):
    """B = A times the inverse kernel: nothing moves, and all energy is potential."""
    A = rationals(A)
    return {"point": (A, A @ inverse(sigma(A).T @ sigma(A)))}


FINITE = "the cost of the identity is finite"

CLAIM = Claim(
    id="leaky_resnets.speed_law",
    title="The Hamiltonian is kinetic plus potential energy",
    source=Source("leaky_resnets", "Section 2.1"),
    statement=energies_add_up,
    domain=Domain(
        {
            "A": ACTIVATIONS,
            "B": reals("width", "points", role="adjoint"),
            "L": interval(1 / 4, 3, role="leak"),
            "rho": interval(1 / 16, 1, role="step"),
        },
        PHASE_SIZES,
        {FINITE: lambda A: lifted(is_in_row_space)(A, sigma(A))},
    ),
    needs=(FINITE,),
    false_variants={
        "no potential energy": {"potential": 0},
        "potential energy of the other sign": {"potential": -1},
        "kernel without the bias": energies_without_bias,
    },
    cost=4,
)

LOWER_BOUND = Claim(
    id="leaky_resnets.speed_law.lower_bound",
    title="The cost of the identity is at least -2H/L, everywhere",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=constant_is_below_cost,
    domain=Domain(
        {
            "point": derived(
                phase_point, A=ACTIVATIONS, B=reals("width", "points", role="adjoint"), rest=integers(0, 3, role="free")
            )
        },
        PHASE_SIZES,
    ),
    tight={
        "resting points": lambda: resting_point([[1, 2], [2, 1]]),
        "resting points of both signs": lambda: resting_point([[1, 3], [-1, 2]]),
    },
    false_variants={
        "a pseudo-inverse in place of infinity": constant_is_below_bare_cost,
        "the norm for its square": constant_is_below_norm,
    },
    cost=4,
)
