r"""The momentum of a velocity, and the energy of the pair."""

from theorems.leaky_resnets.constructions.phase_points import hamiltonian
from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES, sigma
from verify import Claim, DerivedHere, Domain, Source, derived, interval, reals
from verify.networks.leaky_resnet import activation_kernel
from verify.numbers.symbolic import identically_zero
from verify.words import eq, inner, le, lifted, norm2, pinv, relu

kernel = lifted(activation_kernel)


def motion(A, W):
    r"""A representation that is moved by weights, and its velocity over L, :math:`V = \frac1L\dot A`."""
    return A, W @ sigma(A) - A


def lagrangian(A, V):
    r""":math:`\frac1L\ell = \frac12\|A + V\|_K^2` by the bare formula."""
    return norm2((A + V) @ pinv(sigma(A))) / 2


def momentum(A, V):
    r""":math:`B = (A + V)K^+`: of all momenta of a velocity the smallest."""
    S = pinv(sigma(A))
    return (A + V) @ S @ S.T


def seen(B, A):
    r"""The part of B in the image of K, :math:`BK^+K`."""
    return B @ pinv(sigma(A)) @ sigma(A)


def lacking(A, V, B):
    r""":math:`\frac1L(\ell + \mathcal H - \langle B, \dot A\rangle)`."""
    return lagrangian(A, V) + hamiltonian(A, B) - inner(B, V)


def transform(moved, B1):
    """Velocity and energy of the momentum, and what another momentum lacks."""
    A, V = moved
    B = momentum(A, V)
    return (
        eq(B @ kernel(A) - A, V, name="velocity")
        & eq(hamiltonian(A, B), inner(B, V) - lagrangian(A, V), name="energy")
        & eq(lacking(A, V, B1), norm2((B1 - B) @ sigma(A).T) / 2, name="gap")
    )


def slope_of_the_lagrangian(A, R, S, D):
    """For the velocity V = RK - A and the momentum with any part of S in the kernel: both belong together.

    The Lagrangian is a quadratic function of the velocity, so that a central difference is its derivative.
    """
    V, change = R @ kernel(A) - A, D @ kernel(A)
    B = momentum(A, V) + S - seen(S, A)
    slope = (lagrangian(A, V + change) - lagrangian(A, V - change)) / 2
    return eq(B @ kernel(A) - A, V, name="velocity") & eq(slope, inner(B, change), name="momentum")


def momentum_of_velocity(A, B):
    return eq(momentum(A, B @ kernel(A) - A), seen(B, A))


def transform_in_symbols():
    """The momentum, its velocity and the transform for one neuron and one point, active or not."""
    import sympy as sp

    A, V, B = sp.symbols("A v B", real=True)
    L = sp.symbols("L", positive=True)
    remainders = []
    for image in (A, sp.Integer(0)):
        K = image**2 + 1
        price = (L * A + V) ** 2 / (2 * L * K)
        energy = L * B**2 * K / 2 - L * A * B
        best = sp.diff(price, V)
        remainders += [
            best - (L * A + V) / (L * K),
            sp.diff(energy, B).subs(B, best) - V,
            energy.subs(B, best) - (best * V - price),
            price - (B * V - energy) - L * K * (B - best) ** 2 / 2,
        ]
    return identically_zero(*remainders)


# False variants


def equality_at_every_momentum(moved, B1):
    A, V = moved
    return le(lacking(A, V, B1), 0)


def gap_of_the_activations_alone(moved, B1):
    A, V = moved
    return eq(lacking(A, V, B1), norm2((B1 - momentum(A, V)) @ relu(A).T) / 2)


def momentum_free_in_the_image(A, R, S):
    V = R @ kernel(A) - A
    return eq((momentum(A, V) + S) @ kernel(A) - A, V)


def lagrangian_without_leak(A, R, D):
    V, change = R @ kernel(A) - A, D @ kernel(A)
    slope = (lagrangian(0 * A, V + change) - lagrangian(0 * A, V - change)) / 2
    return eq(slope, inner(momentum(A, V), change))


def velocity_tells_all(A, B):
    return eq(momentum(A, B @ kernel(A) - A), B)


def momentum_without_leak(A, B):
    return eq(momentum(0 * A, B @ kernel(A) - A), seen(B, A))


OURS = Source("leaky_resnets", "derived here")
MOTION = derived(
    motion, A=REPRESENTATION, W=reals("width", lambda sizes: sizes["width"] + 1, role="weights of a residual layer")
)

CLAIM = Claim(
    id="leaky_resnets.legendre",
    title="The Hamiltonian is the Legendre transform of the Lagrangian",
    source=OURS,
    status=DerivedHere(),
    statement=transform,
    domain=Domain({"moved": MOTION, "B1": reals("width", "points", role="second values")}, SHAPES),
    false_variants={
        "equality at every momentum": equality_at_every_momentum,
        "a gap without the biases": gap_of_the_activations_alone,
    },
    exact={"one neuron in symbols": transform_in_symbols},
    cost=2,
)

DERIVATIVE = Claim(
    id="leaky_resnets.legendre.derivative",
    title="Momenta are derivatives of the Lagrangian, free in the kernel",
    source=OURS,
    status=DerivedHere(),
    statement=slope_of_the_lagrangian,
    domain=Domain(
        {
            "A": reals("width", "points", role="values"),
            "R": reals("width", "points", role="second values"),
            "S": reals("width", "points", role="third values"),
            "D": interval(-1, 1, "width", "points", role="small change of values"),
        },
        SHAPES,
    ),
    false_variants={
        "a free part in the image, too": momentum_free_in_the_image,
        "Lagrangian without the leak": lagrangian_without_leak,
    },
    cost=4,
)

MOMENTUM = Claim(
    id="leaky_resnets.legendre.momentum",
    title="A velocity determines its momentum in the image of the kernel",
    source=OURS,
    status=DerivedHere(),
    statement=momentum_of_velocity,
    domain=Domain({"A": reals("width", "points", role="values"), "B": reals("width", "points", role="adjoint")}, SHAPES),
    false_variants={"all of the momentum": velocity_tells_all, "without the leak": momentum_without_leak},
    cost=4,
)
