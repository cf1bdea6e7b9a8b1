r"""Hamilton's equations of a leaky ResNet.

Statement
    With :math:`W_p = LB_p\sigma(A_p)^T` the forward and the backward equation of a leaky ResNet are

    .. math:: \partial_p A = \partial_B\mathcal H = L(BK - A), \qquad
              -\partial_p B = \partial_A\mathcal H = L(\dot\sigma(A)\odot[\bar\sigma(A)B^TB] - B)

    for :math:`\mathcal H(A, B) = \frac L2\|B\sigma(A)^T\|^2 - L\,\mathrm{Tr}[BA^T]`, wherever no activation is zero.
Correction
    The print has :math:`\sigma(A)B^TB`, which has w + 1 rows beside the w rows of B: the row of the bias is dropped.
Checked
    Both equations, divided by L, along a direction D. While no activation changes its sign, :math:`\mathcal H` is a quadratic
    function of A and of B, so that a central difference is its derivative without error. The engine's velocities are the same.
    In symbols: the derivatives themselves, for small w and N and every pattern of signs.
Proof idea
    The derivative of :math:`\bar\sigma` is a mask; the row of ones does not depend on A.
Source
    leaky_resnets, Section 1.5.
"""

from itertools import product

from theorems.leaky_resnets.constructions.phase_points import (
    PHASE_SIZES,
    SMOOTH,
    hamiltonian,
    has_no_zero,
    safe_step,
)
from theorems.leaky_resnets.constructions.representations import sigma
from verify import Claim, Domain, Source, reals
from verify.networks import leaky_resnet
from verify.numbers.symbolic import identically_zero
from verify.words import eq, inner, lifted, relu

velocity, adjoint_velocity = lifted(leaky_resnet.velocity), lifted(leaky_resnet.adjoint_velocity)


def slope_in_A(A, B, D):
    """Central difference of H / L by the activations."""
    h = safe_step(A, D)
    return (hamiltonian(A + h * D, B) - hamiltonian(A - h * D, B)) / (2 * h)


def slope_in_B(A, B, D):
    """Central difference of H / L by the adjoints."""
    return (hamiltonian(A, B + D) - hamiltonian(A, B - D)) / 2


def equations_of_motion(A, B, D):
    forward = B @ (relu(A).T @ relu(A) + 1) - A
    backward = (A > 0) * (relu(A) @ B.T @ B) - B
    return (
        eq(slope_in_B(A, B, D), inner(forward, D), name="forward")
        & eq(slope_in_A(A, B, D), inner(backward, D), name="backward")
        & eq(velocity(A, B), forward, name="engine forward")
        & eq(-adjoint_velocity(A, B), backward, name="engine backward")
    )


def equations_in_symbols(shapes=((1, 1), (1, 2), (2, 1), (2, 2), (2, 3))):
    """Both equations with symbolic A and B, for each (w, N) in `shapes` and every pattern of signs of A."""
    import sympy as sp

    remainders = []
    for w, N in shapes:
        A, B = (sp.Matrix(w, N, sp.symbols(f"{name}:{w * N}", real=True)) for name in "ab")
        for pattern in product((0, 1), repeat=w * N):
            mask = sp.Matrix(w, N, pattern)
            bar = mask.multiply_elementwise(A)
            K = bar.T * bar + sp.ones(N, N)
            H = (B * K * B.T).trace() / 2 - (B * A.T).trace()
            forward, backward = B * K - A, mask.multiply_elementwise(bar * B.T * B) - B
            remainders += [H.diff(b) - one for b, one in zip(B, forward, strict=True)]
            remainders += [H.diff(a) - one for a, one in zip(A, backward, strict=True)]
    return identically_zero(*remainders)


# False variants


def forward_without_leak(A, B, D):
    return eq(slope_in_B(A, B, D), inner(B @ (relu(A).T @ relu(A) + 1), D))


def forward_without_bias(A, B, D):
    return eq(slope_in_B(A, B, D), inner(B @ relu(A).T @ relu(A) - A, D))


def backward_without_leak(A, B, D):
    return eq(slope_in_A(A, B, D), inner((A > 0) * (relu(A) @ B.T @ B), D))


def backward_without_mask(A, B, D):
    return eq(slope_in_A(A, B, D), inner(relu(A) @ B.T @ B - B, D))


def backward_with_ones(A, B, D):
    """One reading of the print: the row of ones is added to every neuron."""
    return eq(slope_in_A(A, B, D), inner((A > 0) * ((relu(A) + sigma(A)[-1]) @ B.T @ B) - B, D))


CLAIM = Claim(
    id="leaky_resnets.hamiltonian",
    title="Activations and adjoints of critical weights obey Hamilton's equations",
    source=Source("leaky_resnets", "Section 1.5"),
    statement=equations_of_motion,
    domain=Domain(
        {
            "A": reals("width", "points", role="values"),
            "B": reals("width", "points", role="adjoint"),
            "D": reals("width", "points", role="small change of values"),
        },
        PHASE_SIZES,
        {SMOOTH: has_no_zero},
    ),
    needs=(SMOOTH,),
    false_variants={
        "no leak in the forward equation": forward_without_leak,
        "no bias in the forward equation": forward_without_bias,
        "no leak in the backward equation": backward_without_leak,
        "derivative of the activation forgotten": backward_without_mask,
        "bias row kept in the backward equation": backward_with_ones,
    },
    exact={"in symbols": equations_in_symbols},
)
