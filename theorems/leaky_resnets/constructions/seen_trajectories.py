r"""Hamiltonian trajectories as Theorem 4 sees them: costs, speeds and adjoints in the norm of :math:`K + \gamma I`.

Where all activations are negative, K = 11^T. Two families are exact there, with :math:`E = e^{Lp}` and :math:`g = e^L`:

- *pure bias*: one neuron, one point, :math:`B = B_0E`, :math:`A = PE + Q/E` with :math:`P = B_0/2`;
- *leak alone*: any neurons and points, :math:`B_0\mathbf 1 = 0`, so that the weights vanish: :math:`A = A_0/E`,
  :math:`B = B_0E`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from verify import Domain, Measured, Q, Sizes, derived, interval, measured
from verify.networks import leaky_resnet
from verify.numbers.arithmetic import Array, compare, is_exact
from verify.numbers.arithmetic import sqrt as root
from verify.numbers.parameters import widened
from verify.words import absolute, inner, lifted, log, minimum, norm, norm2, sqrt, vector, where

kernel = lifted(leaky_resnet.activation_kernel)
velocity = lifted(leaky_resnet.velocity)
r""":math:`\frac1L\partial_pA = BK - A`."""
kernel_norm2 = lifted(leaky_resnet.stable_kernel_norm_squared)
r"""Of M, K and :math:`\gamma`: :math:`\|M\|^2 = \mathrm{Tr}[M(K + \gamma I)^{-1}M^T]`."""


class SeenTrajectory(NamedTuple):
    """What the theorem says something about. Energy, speeds and their mean are divided by L, their squares by its square."""

    H: Array
    norms2: Measured
    r""":math:`\|A_p\|^2` at some positions p."""
    speeds2: Measured
    r""":math:`\|\frac1L\partial_pA_p\|^2` there."""
    least_norm2: Measured
    r""":math:`\min_p\|A_p\|^2`, over all p."""
    ell: Array
    r""":math:`\frac1L\int_0^1\|\partial_pA_p\|dp`."""
    length: Array
    r""":math:`\int_0^1\|\partial_pA_p\|_Fdp`, not divided."""
    c: Array
    r""":math:`\max_p\|B_p\|`."""
    L: Array
    root_gamma: Array
    genuine: Array | np.bool_
    """Whether the activations of a closed form stay negative."""


@lifted
@widened
def positive_root(square: Measured | Array) -> Measured:
    r""":math:`\sqrt{[x]_+}`, entrywise."""
    square = measured(square)
    value = np.asarray(square.value)
    value = np.where(compare(value, 0) > 0, value, 0 * value)
    return measured(root(value)) if is_exact(value) else measured(value, square.error).sqrt()


@widened
def pure_bias_trajectory(A: Array, B: Array, g: Array, root_gamma: Array) -> SeenTrajectory:
    """From the numbers :math:`A_0` and :math:`B_0` at p = 0."""
    P, Q, size, L = B / 2, A - B / 2, 1 + root_gamma**2, log(g)
    end = P * g + Q / g
    turns = (P * Q > 0) & (P**2 < P * Q) & (P**2 * g**2 > P * Q)
    # where it turns, |A| is smallest, 2 sqrt(PQ); else A is monotone
    smallest = where(turns, 4 * P * Q, minimum(A**2, end**2))
    between = where(turns, -2 * sqrt(absolute(P * Q)), A)
    length = absolute(between - A) + absolute(end - between)
    E = vector(1, (1 + g) / 2, g)
    return SeenTrajectory(
        H=-2 * P * Q,
        norms2=measured((P * E + Q / E) ** 2 / size),
        speeds2=measured((P * E - Q / E) ** 2 / size),
        least_norm2=measured(smallest / size),
        ell=length / sqrt(size) / L,
        length=length,
        c=absolute(B) * g,
        L=L,
        root_gamma=root_gamma,
        genuine=(A < 0) & (end < 0),
    )


@widened
def cancelling_trajectory(g: Array, root_gamma: Array) -> SeenTrajectory:
    r"""The pure-bias trajectory with :math:`B_1 = A_1/(1 + \gamma)`: at its end :math:`\frac1L\partial A + \gamma B = 0`."""
    return pure_bias_trajectory(-Q("1/2") - g**2 * (root_gamma**2 + Q("1/2")), g / g * -1, g, root_gamma)


@widened
def leak_alone_trajectory(A: Array, share: Array, g: Array, root_gamma: Array) -> SeenTrajectory:
    r"""From negative activations, with adjoints along their differences between points.

    :math:`B_0 = \frac{t}{\gamma g^2}(A_0 - \text{its mean over the points})` for t = `share`.
    """
    gamma, points, L = root_gamma**2, A.shape[1], log(g)
    sums = A.sum(axis=1, keepdims=True)
    B = share / (gamma * g**2) * (A - sums / points)
    # the norm of K + gamma I for K = 11^T
    cost = (norm2(A) - norm2(sums) / (points + gamma)) / gamma
    E = vector(1, (1 + g) / 2, g)
    return SeenTrajectory(
        H=-inner(B, A),
        norms2=measured(cost / E**2),
        speeds2=measured(cost / E**2),
        least_norm2=measured(cost / g**2),
        ell=sqrt(cost) * (1 - 1 / g) / L,
        length=(1 - 1 / g) * norm(A),
        c=norm(B) * g,
        L=L,
        root_gamma=root_gamma,
        genuine=(A < 0).all(),
    )


@lifted
@widened
def integrated_trajectory(A: Array, B: Array, L: Array, root_gamma: Array) -> SeenTrajectory:
    """From any initial values, shapes ``(w, N)``, or a batch of them; floats only. The integrals are by Simpson's rule."""
    from scipy.integrate import simpson

    path = leaky_resnet.integrate_hamiltonian(A, B, L)
    at, adjoints = path.activations, path.adjoints
    K, moved, gamma = leaky_resnet.activation_kernel(at), leaky_resnet.velocity(at, adjoints), root_gamma[..., None] ** 2
    gamma = gamma + 0 * at[..., 0, 0]
    norms2, speeds2 = (leaky_resnet.stable_kernel_norm_squared(one, K, gamma) for one in (at, moved))
    B2, speeds = (
        leaky_resnet.squared_norm(adjoints),
        (np.sqrt(speeds2), L[..., None] * np.sqrt(leaky_resnet.squared_norm(moved))),
    )

    def seen(every: int) -> tuple[Array, ...]:
        """Smallest cost, both lengths and largest adjoint from all positions, or from fewer."""
        step = every / (at.shape[-3] - 1)
        means = [simpson(values[..., ::every], axis=-1) * step for values in speeds]
        return norms2[..., ::every].min(axis=-1), *means, np.sqrt(B2[..., ::every]).max(axis=-1)

    least_norm2, ell, length, c = fine = seen(1)
    size = 1 + norms2.max(axis=-1) + speeds2.max(axis=-1) + B2.max(axis=-1)
    unseen = sum(np.abs(one - other) for one, other in zip(fine, seen(2), strict=True))
    error = np.asarray((unseen + path.accuracy / root_gamma**2) * size)
    return SeenTrajectory(
        H=leaky_resnet.hamiltonian(at, adjoints)[..., 0],
        norms2=measured(norms2, error[..., None]),
        speeds2=measured(speeds2, error[..., None]),
        least_norm2=measured(least_norm2, error),
        ell=ell,
        length=length,
        c=c,
        L=L,
        root_gamma=root_gamma,
        genuine=np.ones(np.shape(L), dtype=bool),
    )


FAMILIES = {0: (1, 1), 1: (1, 2), 2: (2, 3), 3: (1, 1), 4: (1, 2), 5: (2, 2), 6: (2, 3), 7: (3, 2)}
"""Neurons and points of the families: 0 is pure bias, 1 and 2 leak alone, the others are integrated."""
CLOSED = (0, 1, 2)
CLOSED_KINDS = {0: "pure bias, 1 x 1", 1: "leak alone, 1 x 2", 2: "leak alone, 2 x 3"}
KINDS = CLOSED_KINDS | {
    3: "integrated, 1 x 1",
    4: "integrated, 1 x 2",
    5: "integrated, 2 x 2",
    6: "integrated, 2 x 3",
    7: "integrated, 3 x 2",
}
"""The families in words: neurons x points."""


@widened
def seen_trajectory(A: Array, B: Array, root_growth: Array, root_gamma: Array, family: int) -> SeenTrajectory:
    r"""The trajectory of a family from the same coordinates; :math:`e^L` is the fourth power of `root_growth`."""
    g = root_growth**4
    if family == 0:
        return pure_bias_trajectory(A[0, 0], B[0, 0], g, root_gamma)
    if family in CLOSED:
        return leak_alone_trajectory(-absolute(A) - Q("1/8"), 4 * B[0, 0], g, root_gamma)
    # adjoints grow at most as fast as the leak: they are of order 1 at the end
    trajectory: SeenTrajectory = integrated_trajectory(A, B / g, log(g), root_gamma)
    return trajectory


@widened
def price(sizes: Sizes) -> int:
    """A closed form costs little, an integration much."""
    return 1 if sizes["family"] in CLOSED else 16


GENUINE = "Hamiltonian trajectory"
COORDINATES = {
    "A": interval(-2, 2, lambda sizes: FAMILIES[sizes["family"]][0], lambda sizes: FAMILIES[sizes["family"]][1]),
    "B": interval(-1, 1, lambda sizes: FAMILIES[sizes["family"]][0], lambda sizes: FAMILIES[sizes["family"]][1]),
    "root_growth": interval(1 + 2.0**-22, 7 / 2),
}
ROOT_GAMMA = interval(2.0**-20, 3 / 2)
SEEN_TRAJECTORIES = Domain(
    {"trajectory": derived(seen_trajectory, **COORDINATES, root_gamma=ROOT_GAMMA)},
    {"family": KINDS},
    {GENUINE: lambda trajectory: trajectory.genuine},
)
