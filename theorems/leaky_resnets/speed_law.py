r"""The Hamiltonian is kinetic plus potential energy, so that the speed measures how much the cost of the identity exceeds it.

If :math:`\mathrm{Im}A^T \subset \mathrm{Im}\sigma(A)^T`, that is if the cost :math:`\|A\|_K^2` is finite, then along a
critical path

.. math:: \mathcal H = \tfrac1{2L}\|\partial_pA\|_K^2 - \tfrac L2\|A\|_K^2, \qquad
          \|\partial_pA\|_K = L\sqrt{\|A\|_K^2 + \tfrac2L\mathcal H} .

Always :math:`-\frac2L\mathcal H \le \|A_p\|_K^2`, for every p, with an infinite cost where there is no W with
:math:`W\sigma(A) = A`. Both are facts on a point of phase space, for any A and B with :math:`\partial_pA = L(BK - A)`: from
:math:`BK = A + \frac1L\partial_pA` the norm of :math:`B\sigma(A)^T` is that of the sum, and its cross terms cancel. As H is
constant along a path, the bound is one on the minimum over p. For a critical discrete network they hold at the pair
:math:`(A_{\ell-1}, B_\ell)` with :math:`\partial_pA = (A_\ell - A_{\ell-1})/\rho_\ell`.

What is checked: the identity of squares at such pairs, for activations of mixed and of one sign, and that it fails where the
cost is infinite and a pseudo-inverse is taken all the same; the bound for all A and B.

Source: leaky_resnets, Section 2.1; the discrete form and the bound are ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, rationals
from verify.matrices import inverse, pseudo_inverse
from verify.networks.leaky_resnet import (
    activation_kernel,
    cost_of_identity,
    feature_matrix,
    hamiltonian,
    is_in_row_space,
    smallest_weights,
    squared_norm,
    symplectic_euler_step,
)


def is_finite(A: Array) -> Array:
    """Whether the cost of the identity is finite."""
    return is_in_row_space(A, feature_matrix(A))


def energies_add_up(
    A: Array, B: Array, leak: Array, step: Array, potential: int = 1, kinetic: int = 100, *, bias: bool = True
) -> Relation:
    r""":math:`\frac2L\mathcal H` against the difference of the squares; norms through the pseudo-inverse, finite or not."""
    after, _ = symplectic_euler_step(A, B, leak, step)
    moved = (after - A) / (leak * step)[..., None, None]
    features = feature_matrix(A, bias=bias)
    speed, cost = (squared_norm(smallest_weights(one, features)) for one in (moved, A))
    size = conditioning(features) * (squared_norm(moved) + squared_norm(A)) + squared_norm(B @ features.swapaxes(-1, -2))
    return eq(2 * hamiltonian(A, B), speed * kinetic / 100 - potential * cost, scale=size)


def conditioning(features: Array) -> Array:
    """How much rounding errors of a norm through the pseudo-inverse of the features can grow."""
    inverse_norm = squared_norm(pseudo_inverse(features))
    return np.asarray(inverse_norm * (1 + squared_norm(features) * inverse_norm))


def constant_is_below_cost(point: tuple[Array, Array], ten_thousandths: int = 10_000, pseudo: bool = False) -> Relation:
    r""":math:`-\frac2L\mathcal H` against the cost of the identity (through the pseudo-inverse, finite or not, if `pseudo`)."""
    A, B = point
    features = feature_matrix(A)
    cost = squared_norm(smallest_weights(A, features)) if pseudo else cost_of_identity(A)
    size = 1 + conditioning(features) * squared_norm(A) + squared_norm(A) + squared_norm(B @ features.swapaxes(-1, -2))
    return le(-2 * hamiltonian(A, B), cost * ten_thousandths / 10_000, scale=size)


def of_one_sign(A: Array, kind: Array) -> Array:
    """The activations (0), or their absolute values (1)."""
    return np.asarray(np.where((compare(kind, 0) == 1)[..., None, None], absolute(A), A))


def phase_point(A: Array, B: Array, rest: Array) -> tuple[Array, Array]:
    r"""A and B (0); a point at which nothing moves, as far as the kernel sees, :math:`B = AK^+` (1), moved by B / 64 (2); the
    same with what the kernel does not see of A added to B (3).
    """
    kernel = activation_kernel(A)
    kinds = [(compare(rest, kind) == 0)[..., None, None] for kind in range(4)]
    resting = A @ pseudo_inverse(kernel)
    return A, np.where(kinds[0], B, resting + np.where(kinds[2], B / 64, 0) + np.where(kinds[3], A - resting @ kernel, 0))


def resting_point() -> dict[str, tuple[Array, Array]]:
    """B = A times the inverse kernel: nothing moves, and all energy is potential."""
    A = rationals([[[1, 2], [2, 1]], [[1, 3], [-1, 2]]])
    return {"point": (A, A @ inverse(activation_kernel(A)))}


PHASE_SIZES = {"width": range(1, 4), "points": range(1, 5)}
FINITE = "the cost of the identity is finite"
SOURCE = Source("leaky_resnets", "Section 2.1")
ACTIVATIONS = derived(of_one_sign, A=reals("width", "points"), kind=integers(0, 1))

CLAIM = Claim(
    id="leaky_resnets.speed_law",
    title="The Hamiltonian is kinetic plus potential energy",
    source=SOURCE,
    statement=energies_add_up,
    domain=Domain(
        {
            "A": ACTIVATIONS,
            "B": reals("width", "points"),
            "leak": interval(1 / 4, 3),
            "step": interval(1 / 16, 1),
        },
        PHASE_SIZES,
        {FINITE: is_finite},
    ),
    needs=(FINITE,),
    false_neighbours={
        "no potential energy": partial(energies_add_up, potential=0),
        "potential energy of the other sign": partial(energies_add_up, potential=-1),
        "1 % more kinetic energy": partial(energies_add_up, kinetic=101),
        "kernel without the bias": partial(energies_add_up, bias=False),
    },
    cost=4,
)

LOWER_BOUND = Claim(
    id="leaky_resnets.speed_law.lower_bound",
    title="The cost of the identity is at least -2H/L, everywhere",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=constant_is_below_cost,
    domain=Domain(
        {"point": derived(phase_point, A=ACTIVATIONS, B=reals("width", "points"), rest=integers(0, 3))},
        PHASE_SIZES,
    ),
    tight={"resting points": Tight(resting_point)},
    false_neighbours={
        "0.01 % less": partial(constant_is_below_cost, ten_thousandths=9_999),
        "1 % less": partial(constant_is_below_cost, ten_thousandths=9_900),
        "a pseudo-inverse in place of infinity": partial(constant_is_below_cost, pseudo=True),
    },
    cost=4,
)
