r"""Hamiltonian trajectories: four families in closed form, and integrated ones, on which other statements are checked.

With E = exp of a rate times p, and :math:`-\frac2L\mathcal H` the constant that is the dimension of a bottleneck:

- *scalar*: one neuron, one point, a > 0. In :math:`a = \sinh\theta` the energy is that of a particle in the potential
  :math:`-\frac L2\tanh^2\theta`, which makes a a solution of :math:`a'' = \kappa^2a`:
  :math:`a = PE + Q/E`, :math:`\kappa = L/s`, :math:`s^2 = 1 + 4PQ`, :math:`b = (a'/L + a)/(a^2 + 1)`; the constant is
  :math:`1 - 1/s^2`. Every start a > 0, b gives one.
- *diagonal*, without bias: :math:`a_i = x_ie^{-L(1-\tau_i)p}`, :math:`b_i = \tau_i/a_i`, W = L diag(tau); the constant is
  :math:`\sum_i(1 - (1-\tau_i)^2)`, and a mode with :math:`\tau_i = 0` is dead.
- *two points*, with bias: :math:`A = (a\alpha_1, a\alpha_2; d, d)`, :math:`B = (\beta, -\beta; 0, 0)` with
  :math:`a = e^{-L(1-\tau)p}`, :math:`d = d_0e^{-Lp}`, :math:`\beta = \tau/(a(\alpha_1-\alpha_2))`; the biases vanish.
- *pure bias*: all activations negative, so that only the bias acts: :math:`B = B_0E`, :math:`A = PE + Q/E` with
  :math:`E = e^{Lp}`, :math:`P = \frac12B_0\mathbf 1\mathbf 1^T`; the constant is :math:`2\mathrm{Tr}[B_0Q^T]`.

The claims on them are in `theorems.leaky_resnets.trajectories`. They are seen at positions p for a leak L, or where
:math:`e^{Lp}` has given roots: then all is rational for half-integer rates (see `Positions` and `Roots`).

Source: ours; the equations are leaky_resnets, Section 1.5.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from verify import Domain, Q, Sizes, derived, integers, interval
from verify.networks.leaky_resnet import (
    adjoint_velocity,
    critical_weights,
    hamiltonian,
    inner,
    integrate_hamiltonian,
    squared_norm,
    velocity,
)
from verify.numbers.arithmetic import Array, compare, exp, is_exact, log, rationals, sqrt
from verify.numbers.parameters import widened
from verify.words import lifted


@dataclass(frozen=True, eq=False)
class Trajectory:
    r"""A batch of Hamiltonian trajectories, seen at T positions.

    Attributes
    ----------
    activations, adjoints
        A and B at the positions, shape ``(..., T, w, N)``.
    moved, adjoints_moved
        :math:`\frac1L\partial_pA` and :math:`\frac1L\partial_pB`, by the closed form.
    constant
        :math:`-\frac2L\mathcal H`, shape ``(...)``.
    trace, weight_norm
        :math:`\mathrm{Tr}[BA^T]` and :math:`\|W\|^2/L^2`, shape ``(..., T)``.
    drift
        How far an integration can have moved :math:`\frac2L\mathcal H`, shape ``(...)``; 0 for closed forms.
    genuine
        Whether the activations keep the signs for which the closed form is one, shape ``(...)``.
    bias
        Whether the network has a bias.
    """

    activations: Array
    adjoints: Array
    moved: Array
    adjoints_moved: Array
    constant: Array
    trace: Array
    weight_norm: Array
    drift: Array
    genuine: Array
    bias: bool = True

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """Shape of the batch of trajectories."""
        return self.constant.shape

    def __getitem__(self, index: Any) -> Trajectory:
        return replace(self, **{one.name: getattr(self, one.name)[index] for one in fields(self) if one.name != "bias"})


@dataclass(frozen=True, eq=False)
class Positions:
    """Where trajectories of the leak L, shape ``(...)``, are seen: p from 0 to 1, shape ``(..., T)``."""

    leak: Array
    positions: Array

    def growth(self, rate: Array) -> Array:
        r""":math:`e^{rLp}` for a rate r of batch shape, shape ``(..., T)``."""
        return np.asarray(exp((rate * self.leak)[..., None] * self.positions))

    def single(self, rate: Array) -> Array:
        """The same, of a trajectory that has one rate alone."""
        return self.growth(rate)


@dataclass(frozen=True, eq=False)
class Roots:
    r"""Where trajectories are seen: at the given :math:`e^{Lp/2}`, shape ``(..., T)``."""

    roots: Array

    def growth(self, rate: Array) -> Array:
        r""":math:`e^{rLp}` for half-integers r from -2 to 2 of batch shape, shape ``(..., T)``.

        Raises
        ------
        ValueError
            A rate is not such a half-integer.
        """
        result, found = 0 * self.roots, np.zeros(np.shape(rate), dtype=bool)
        for power in range(-4, 5):
            chosen = compare(2 * rate, power) == 0
            result, found = np.where(chosen[..., None], self.roots**power, result), found | chosen
        if not found.all():
            raise ValueError(f"rate must be a half-integer from -2 to 2, got {rate}")
        return np.asarray(result)

    def single(self, rate: Array) -> Array:
        """The roots themselves: they are exponentials of any one rate, for another leak."""
        return np.asarray(self.roots + 0 * rate[..., None])


Times = Positions | Roots


@widened
def scalar_trajectory(start: Array, adjoint: Array, times: Times) -> Trajectory:
    r"""One neuron and one point: from :math:`a_0 > 0` and any :math:`b_0`, shapes ``(...)``.

    Genuine as long as a stays positive.
    """
    _require_positive("start", start)
    # 2 H / L, above -1 for every start
    excess = adjoint**2 * (start**2 + 1) - 2 * start * adjoint
    ratio = 1 / sqrt(1 + excess)
    pace = adjoint * (start**2 + 1) - start
    P, Q = (start + ratio * pace) / 2, (start - ratio * pace) / 2
    E = times.single(1 / ratio)
    grown, shrunk = P[..., None] * E, Q[..., None] / E
    a, moved = grown + shrunk, (grown - shrunk) / ratio[..., None]
    b = (moved + a) / (a**2 + 1)
    return Trajectory(
        activations=a[..., None, None],
        adjoints=b[..., None, None],
        moved=moved[..., None, None],
        adjoints_moved=(b * (1 - a * b))[..., None, None],
        constant=-excess,
        trace=a * b,
        weight_norm=b**2 * (a**2 + 1),
        drift=np.zeros(np.shape(start)),
        genuine=_all_positive(a),
    )


@widened
def diagonal_trajectory(start: Array, rates: Array, times: Times) -> Trajectory:
    r"""Without bias, as many neurons as points: from :math:`x > 0` with :math:`\tau`, ``(..., k)``."""
    _require_positive("start", start)
    left = 1 - rates[..., None, :]
    decay = np.stack([times.growth(rates[..., mode] - 1) for mode in range(rates.shape[-1])], axis=-1)
    a = start[..., None, :] * decay
    b = rates[..., None, :] / a
    total, squares, lost = (each.sum(axis=-1) for each in (rates, rates**2, 1 - (1 - rates) ** 2))
    steady = 0 * a[..., 0]
    return Trajectory(
        activations=_diagonal(a),
        adjoints=_diagonal(b),
        moved=_diagonal(-left * a),
        adjoints_moved=_diagonal(left * b),
        constant=lost,
        trace=total[..., None] + steady,
        weight_norm=squares[..., None] + steady,
        drift=np.zeros(np.shape(start[..., 0])),
        genuine=_all_positive(start),
        bias=False,
    )


@widened
def two_point_trajectory(ends: Array, offset: Array, rate: Array, times: Times) -> Trajectory:
    r"""Two neurons and two points: :math:`\alpha_1 > \alpha_2 > 0`, shape ``(..., 2)``; :math:`d_0 > 0` and :math:`\tau`."""
    distance = ends[..., 0] - ends[..., 1]
    _require_positive("ends", ends)
    _require_positive("ends[0] - ends[1]", distance)
    _require_positive("offset", offset)
    left = (1 - rate)[..., None]
    a, d = times.growth(rate - 1), offset[..., None] * times.growth(0 * rate - 1)
    first = a[..., None] * ends[..., None, :]
    b = rate[..., None] / (a * distance[..., None])
    A = np.stack([first, np.stack([d, d], axis=-1)], axis=-2)
    B = np.stack([np.stack([b, -b], axis=-1), 0 * first], axis=-2)
    # of the first neuron, the points come apart at the rate 1 - tau; the second decays
    pace = np.stack([left, 0 * left + 1], axis=-1)[..., None]
    steady = 0 * d
    return Trajectory(
        activations=A,
        adjoints=B,
        moved=-pace * A,
        adjoints_moved=left[..., None, None] * B,
        constant=1 - (1 - rate) ** 2,
        trace=rate[..., None] + steady,
        weight_norm=rate[..., None] ** 2 + steady,
        drift=np.zeros(np.shape(rate)),
        genuine=_all_positive(ends),
    )


@widened
def pure_bias_trajectory(start: Array, adjoint: Array, times: Times) -> Trajectory:
    r"""Any neurons and points, all activations negative: from :math:`A_0 < 0` and :math:`B_0`, shapes ``(..., w, N)``.

    Genuine as long as no activation becomes positive.
    """
    _require_positive("-start", -start)
    biases = adjoint.sum(axis=-1, keepdims=True)
    P = biases / 2 + 0 * start
    Q = start - P
    E = times.growth(0 * start[..., 0, 0] + 1)
    grown, shrunk = P[..., None, :, :] * E[..., None, None], Q[..., None, :, :] / E[..., None, None]
    A, B = grown + shrunk, adjoint[..., None, :, :] * E[..., None, None]
    norm = squared_norm(biases)[..., None] * E**2
    return Trajectory(
        activations=A,
        adjoints=B,
        moved=grown - shrunk,
        adjoints_moved=B,
        constant=2 * inner(adjoint, Q),
        trace=norm / 2 + inner(adjoint, Q)[..., None],
        weight_norm=norm,
        drift=np.zeros(np.shape(start[..., 0, 0])),
        genuine=_all_positive(-A.reshape(*A.shape[:-3], -1)),
    )


@widened
def integrated_trajectory(start: Array, adjoint: Array, leak: Array, nodes: int = 33) -> Trajectory:
    r"""Any start, shape ``(..., w, N)``, integrated: floats only. What closed forms state is computed from A and B."""
    path = integrate_hamiltonian(start, adjoint, leak, nodes)
    A, B = path.activations, path.adjoints
    moved, adjoints_moved = velocity(A, B), adjoint_velocity(A, B)
    # the gradient of the energy is as large as the velocity
    gradient = np.sqrt((squared_norm(moved) + squared_norm(adjoints_moved)).max(axis=-1))
    return Trajectory(
        activations=A,
        adjoints=B,
        moved=moved,
        adjoints_moved=adjoints_moved,
        constant=-2 * hamiltonian(A, B)[..., 0],
        trace=inner(A, B),
        weight_norm=squared_norm(critical_weights(A, B, 1)),
        drift=2 * gradient * path.step_errors,
        genuine=np.ones(A.shape[:-3], dtype=bool),
    )


def _diagonal(values: Array) -> Array:
    """Diagonal matrices, ``(..., k) -> (..., k, k)``."""
    size = values.shape[-1]
    identity = np.eye(size, dtype=np.int64)
    return np.asarray(values[..., None, :] * (rationals(identity) if is_exact(values) else identity))


def _all_positive(values: Array) -> npt.NDArray[np.bool_]:
    return np.asarray((compare(values, 0) == 1).all(axis=-1))


def _require_positive(name: str, values: Array) -> None:
    if not (compare(values, 0) == 1).all():
        raise ValueError(f"{name} must be positive, got {values}")


FAMILIES = {0: (1, 1), 1: (2, 2), 2: (2, 2), 3: (2, 3)}
"""Neurons and points of the scalar, diagonal, two-point and pure-bias family, as they are drawn."""
INTEGRATED = {4: (1, 4), 5: (2, 3), 6: (3, 2)}
"""Neurons and points of trajectories that are integrated, from activations of both signs."""
KINDS = {0: "one neuron, one point", 1: "diagonal, 2 x 2", 2: "two points", 3: "pure bias, 2 x 3"}
"""The closed forms in words."""
INTEGRATED_KINDS = {4: "integrated, 1 x 4", 5: "integrated, 2 x 3", 6: "integrated, 3 x 2"}
"""Those that are integrated: neurons x points."""


@widened
def scalar_start(grown: Array, s: Array, halves: Array) -> tuple[Array, Array]:
    """Start and adjoint of the scalar trajectory with the coefficients `grown` and (s^2 - 1)/(4 `grown`), in either order.

    s is rational for rationals, and so is the trajectory at rational exponentials.
    """
    shrunk = (s * s - 1) / (4 * grown)
    pace = np.where(compare(halves, 1) == 1, -1, 1) * (grown - shrunk) / s
    start = grown + shrunk
    return start, (pace + start) / (start * start + 1)


@widened
def closed_form(u: Array, v: Array, halves: Array, root: Array, share: Array, family: int) -> Trajectory:
    """A member of a family from positive numbers u and any numbers v, shapes ``(..., w, N)``, seen at three positions.

    Rates are 1 - `halves` / 2; `root` is that of :math:`e^L`, and `share` says where the trajectory is seen in between.
    """
    if family in INTEGRATED:
        return integrated_trajectory(u - 1, v, 2 * log(root))
    times, rates = Roots(np.stack([0 * root + 1, 1 + (root - 1) * share, root], axis=-1)), 1 - halves / 2
    if family == 0:
        return scalar_trajectory(*scalar_start(u[..., 0, 0] + Q("1/4"), v[..., 0, 0] + Q("5/4"), halves[..., 0]), times)
    if family == 1:
        return diagonal_trajectory(u[..., 0, :], rates, times)
    if family == 2:
        ends = np.stack([u[..., 0, 0] + u[..., 0, 1], u[..., 0, 1]], axis=-1)
        return two_point_trajectory(ends, u[..., 1, 1], rates[..., 0], times)
    return pure_bias_trajectory(-u, v, times)


def _neurons(sizes: Sizes) -> int:
    return {**FAMILIES, **INTEGRATED}[sizes["family"]][0]


def _points(sizes: Sizes) -> int:
    return {**FAMILIES, **INTEGRATED}[sizes["family"]][1]


@widened
def cost(sizes: Sizes) -> int:
    """An integration costs more than a closed form."""
    return 256 if sizes["family"] in INTEGRATED else 1


GENUINE = "the activations keep their signs"
CLOSED_FORMS = Domain(
    {
        "trajectory": derived(
            lifted(closed_form),
            u=interval(1 / 4, 2, _neurons, _points),
            v=interval(-1, 1, _neurons, _points),
            halves=integers(-1, 4, _points),
            root=interval(9 / 8, 4),
            share=interval(0, 1),
        )
    },
    {"family": KINDS},
    {GENUINE: lambda trajectory: trajectory.genuine},
)
ALL_TRAJECTORIES = replace(CLOSED_FORMS, sizes={"family": KINDS | INTEGRATED_KINDS})
