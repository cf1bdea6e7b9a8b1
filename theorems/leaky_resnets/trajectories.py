r"""The closed forms of the constructions solve Hamilton's equations, with the stated energies.

What is checked: that each solves Hamilton's equations at three positions, its constant, :math:`\mathrm{Tr}[BA^T]` and
:math:`\|W\|^2/L^2`; in sympy for all positions; and that the diagonal family meets its bottleneck at the rate L to the -2:
:math:`-\frac2L\mathcal H = k - L^{-2}\sum\log^2(a_i(1)/a_i(0))` over its k modes that are not dead.

Source: ours; the equations are leaky_resnets, Section 1.5.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.trajectories import CLOSED_FORMS, GENUINE, Trajectory, diagonal_trajectory
from verify import Claim, Domain, Ours, Rate, Relation, Source, eq, interval
from verify.arithmetic import Array, log, where_positive
from verify.networks.leaky_resnet import adjoint_velocity, critical_weights, hamiltonian, inner, squared_norm, velocity
from verify.symbolic import identically_zero


def solves_the_equations(
    trajectory: Trajectory, percent: Array | int = 100, adjoint_percent: int = 100, flip: int = 0
) -> Relation:
    """Both of Hamilton's equations at every position; the integers are 100, and `flip` gives and takes the bias."""
    A, B, size = trajectory.activations, trajectory.adjoints, trajectory.sizes[..., None, None]
    forward = velocity(A, B, bias=trajectory.bias is not bool(flip))
    return eq(forward, trajectory.moved * percent / 100, scale=size, over=3) & eq(
        adjoint_velocity(A, B), trajectory.adjoints_moved * adjoint_percent / 100, scale=size, over=3
    )


def stated_values(trajectory: Trajectory, percent: int = 100, trace_percent: int = 100, norm_percent: int = 100) -> Relation:
    """The constant, the trace and the norm of the weights; the integers are 100."""
    A, B, size = trajectory.activations, trajectory.adjoints, trajectory.sizes
    weights = squared_norm(critical_weights(A, B, 1, bias=trajectory.bias))
    energy = -2 * hamiltonian(A, B, bias=trajectory.bias)
    return (
        eq(energy, trajectory.constant[..., None] * percent / 100, scale=size, over=1)
        & eq(inner(B, A), trajectory.trace * trace_percent / 100, scale=size, over=1)
        & eq(weights, trajectory.weight_norm * norm_percent / 100, scale=size, over=1)
    )


def families_in_symbols() -> list[tuple[Any, ...]]:
    """A, B, mask, bias, constant, trace and squared norm of the weights, for all p and parameters, at the sizes drawn."""
    import sympy as sp

    L, p, s, P, d, tau, first, second = sp.symbols("L p s P d tau alpha1 alpha2", positive=True)
    x, t = sp.symbols("x:2", positive=True), sp.symbols("t:2", real=True)
    A0, B0 = (sp.Matrix(2, 3, sp.symbols(f"{name}:6", real=True)) for name in "ab")
    E, Q = sp.exp(L * p / s), (s**2 - 1) / (4 * P)
    a = P * E + Q / E
    b = (sp.diff(a, p) / L + a) / (a**2 + 1)
    decay = sp.exp(-L * (1 - tau) * p)
    beta = tau / (decay * (first - second))
    grown = B0 * sp.ones(3, 3) / 2
    modes = [x[i] * sp.exp(-L * (1 - t[i]) * p) for i in range(2)]
    free, norm = (B0 * (A0 - grown).T).trace(), (grown * B0.T).trace() * 2 * sp.exp(2 * L * p)
    return [
        (sp.Matrix([[a]]), sp.Matrix([[b]]), 1, 1, 1 - 1 / s**2, a * b, b**2 * (a**2 + 1)),
        (
            sp.diag(*modes),
            sp.diag(*(t[i] / modes[i] for i in range(2))),
            *(1, 0, 2 - (1 - t[0]) ** 2 - (1 - t[1]) ** 2, sum(t), t[0] ** 2 + t[1] ** 2),
        ),
        (
            sp.Matrix([[decay * first, decay * second], [d * sp.exp(-L * p)] * 2]),
            sp.Matrix([[beta, -beta], [0, 0]]),
            *(1, 1, 1 - (1 - tau) ** 2, tau, tau**2),
        ),
        (
            grown * sp.exp(L * p) + (A0 - grown) * sp.exp(-L * p),
            B0 * sp.exp(L * p),
            *(0, 1, 2 * free, norm / 2 + free, norm),
        ),
    ]


def numerator(expression: Any) -> Any:
    """What has to be zero for a fraction to be so: polynomials in exponentials, which sympy only has to expand."""
    import sympy as sp

    return sp.numer(sp.together(expression))


def equations_in_symbols() -> Relation:
    """Both equations of all families."""
    import sympy as sp

    L, p = sp.symbols("L p", positive=True)
    remainders = []
    for A, B, mask, bias, *_ in families_in_symbols():
        features = mask * A
        kernel = features.T * features + bias * sp.ones(A.cols, A.cols)
        remainders += list(A.diff(p) / L - (B * kernel - A))
        remainders += list(B.diff(p) / L - (B - mask * features * B.T * B))
    return identically_zero(*map(numerator, remainders))


def values_in_symbols() -> Relation:
    """Energy, trace and norm of all families."""
    import sympy as sp

    remainders = []
    for A, B, mask, bias, constant, trace, norm in families_in_symbols():
        kernel = mask * A.T * A + bias * sp.ones(A.cols, A.cols)
        quadratic = (B * kernel * B.T).trace()
        remainders += [2 * (B * A.T).trace() - quadratic - constant, (B * A.T).trace() - trace, quadratic - norm]
    return identically_zero(*map(numerator, remainders))


def bottleneck_gap(start: Array, rates: Array, leak: Array, percent: int = 100, power: int = 2, dead: bool = False) -> Relation:
    r""":math:`-\frac2L\mathcal H = k - L^{-2}\sum\log^2(a_i(1)/a_i(0))` over the modes that are not dead.

    With `dead`, for a false neighbour, k counts all modes.
    """
    path = diagonal_trajectory(start, rates, leak, np.stack([0 * leak, 0 * leak + 1], axis=-1))
    A, B = path.activations[..., 0, :, :], path.adjoints[..., 0, :, :]
    ends = np.diagonal(path.activations, axis1=-2, axis2=-1)
    alive = where_positive(rates**2, 0 * rates + 1)
    turns = (alive * log(ends[..., 1, :] / ends[..., 0, :]) ** 2).sum(axis=-1)
    modes = (0 * alive + 1 if dead else alive).sum(axis=-1)
    gap = modes - turns * percent / 100 / leak**power
    return eq(-2 * hamiltonian(A, B, bias=False), gap, scale=1 + path.sizes[..., 0] + turns / leak**2)


def gap_in_symbols() -> Relation:
    """The same for two modes that are not dead."""
    import sympy as sp

    L, p = sp.symbols("L p", positive=True)
    A, *_, constant, _, _ = families_in_symbols()[1]
    turns = sum(sp.log(A[i, i].subs(p, 1) / A[i, i].subs(p, 0)) ** 2 for i in range(2))
    return identically_zero(sp.expand_log(2 - turns / L**2 - constant, force=True))


def gap_of_fixed_ends(leaks: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    r"""The gap :math:`k + \frac2L\mathcal H` of the trajectory from diag(1, 1) to diag(2, 1/3), for a ladder of leaks."""
    rates = 1 + np.log([2, 1 / 3]) / leaks[:, None]
    path = diagonal_trajectory(np.ones((len(leaks), 2)), rates, leaks, np.zeros((len(leaks), 1)))
    A, B = path.activations[:, 0], path.adjoints[:, 0]
    return np.asarray(2 + 2 * hamiltonian(A, B, bias=False))


SOURCE = Source("leaky_resnets", "ours")

CLAIM = Claim(
    id="leaky_resnets.trajectories",
    title="Four families of Hamiltonian trajectories in closed form",
    source=SOURCE,
    status=Ours(),
    statement=solves_the_equations,
    domain=CLOSED_FORMS,
    needs=(GENUINE,),
    false_neighbours={
        "1 % faster": partial(solves_the_equations, percent=101),
        "adjoints 1 % slower": partial(solves_the_equations, adjoint_percent=99),
        "bias where there is none, and none where there is": partial(solves_the_equations, flip=1),
    },
    exact={"in symbols": equations_in_symbols},
    proof="in symbols",
)

VALUES = Claim(
    id="leaky_resnets.trajectories.values",
    title="Energies, traces and norms of the closed forms",
    source=SOURCE,
    status=Ours(),
    statement=stated_values,
    domain=CLOSED_FORMS,
    needs=(GENUINE,),
    false_neighbours={
        "1 % more energy": partial(stated_values, percent=101),
        "1 % less trace": partial(stated_values, trace_percent=99),
        "1 % more weights": partial(stated_values, norm_percent=101),
    },
    exact={"in symbols": values_in_symbols},
    proof="in symbols",
)

GAP = Claim(
    id="leaky_resnets.trajectories.bottleneck_gap",
    title="The constant of a diagonal trajectory meets its dimension from below",
    source=SOURCE,
    status=Ours(),
    statement=bottleneck_gap,
    domain=Domain(
        {"start": interval(1 / 4, 2, "modes"), "rates": interval(-1, 3, "modes"), "leak": interval(1 / 4, 3)},
        {"modes": range(1, 4)},
    ),
    false_neighbours={
        "1 % more": partial(bottleneck_gap, percent=101),
        "power 1 of the leak": partial(bottleneck_gap, power=1),
        "dead modes counted in k": partial(bottleneck_gap, dead=True),
    },
    exact={"two modes in symbols": gap_in_symbols},
    rate=Rate(gap_of_fixed_ends, (4, 8, 16, 32, 64, 128, 256, 512), -2.0),
)
