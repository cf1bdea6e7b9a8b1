r"""What follows from Theorem 4: the stable Hamiltonian, how few layers are fast, and the length in the Frobenius norm.

With the norm of :math:`K + \gamma I`, put :math:`u = \frac1L\|\partial A\|` and :math:`x^2 = \|A\|^2 + \frac2L\mathcal H`,
which may be negative. At every point of phase space, for :math:`\frac1L\partial A = BK - A`:

* the stable Hamiltonian :math:`H_\gamma = \frac1{2L}\|\partial A\|^2 - \frac L2\|A\|^2` differs from H by

  .. math:: \tfrac2L(\mathcal H - H_\gamma) = x^2 - u^2
            = 2\gamma\langle\tfrac1L\partial A, B\rangle_{K+\gamma I} - \gamma\mathrm{Tr}[BK(K + \gamma I)^{-1}B^T] ,

  at most :math:`2\sqrt\gamma\|B\|u + \gamma\|B\|^2` in absolute value (``.stable_hamiltonian``);
* :math:`x \le u + \sqrt\gamma\|B\|`, so that of any number of layers with :math:`\sqrt\gamma\|B\| \le G` at most
  :math:`\sum u / (\delta - G)` have :math:`x \ge \delta > G`: the cost of the identity is nearly optimal in most layers of a
  path of bounded length (``.few_layers``, the theorem of Markov);
* :math:`\|\partial A\|_{K+\gamma I} \le \gamma^{-1/2}\|\partial A\|_F`, with equality where K vanishes on it (``.length``); so
  for :math:`\gamma = 1/L` and a length :math:`\ell_F` in the Frobenius norm, Theorem 4 bounds
  :math:`|{-\frac2L\mathcal H} - \min_p\|A_p\|^2|` by :math:`\max(\ell_F^2 + 2c\ell_F, c^2)/L`.

Source: leaky_resnets, Theorem 4 and Section 2.1; the finite forms are ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, absolute, compare, floats, is_exact, maximum, rationals, sqrt
from verify.matrices import solve
from verify.networks.leaky_resnet import (
    activation_kernel,
    hamiltonian,
    inner,
    squared_norm,
    stable_kernel_norm_squared,
    velocity,
)


def speed_and_excess(A: Array, B: Array, gamma: Array) -> tuple[Array, Array]:
    r""":math:`u^2` and :math:`x^2`, batch-shaped."""
    kernel = activation_kernel(A)
    speed = stable_kernel_norm_squared(velocity(A, B), kernel, gamma)
    return speed, stable_kernel_norm_squared(A, kernel, gamma) + 2 * hamiltonian(A, B)


def sizes(A: Array, B: Array, gamma: Array) -> Array:
    """Size of what is subtracted, batch-shaped."""
    return np.asarray((1 + squared_norm(A)) ** 3 * (1 + squared_norm(B)) * (1 + 1 / gamma))


def stable_hamiltonian_differs(A: Array, B: Array, gamma: Array, cross: int = 2, projected: bool = True) -> Relation:
    """The formula for the difference of the two Hamiltonians; the keywords are for false neighbours."""
    kernel, V = activation_kernel(A), velocity(A, B)
    speed, excess = speed_and_excess(A, B, gamma)
    identity = np.eye(A.shape[-1], dtype=np.int64)
    stable = kernel + gamma[..., None, None] * identity
    solved = solve(stable, B.swapaxes(-1, -2)).swapaxes(-1, -2)  # B (K + gamma)^-1
    kept = inner(solved @ kernel, B) if projected else squared_norm(B)
    return eq(excess - speed, cross * gamma * inner(solved, V) - gamma * kept, scale=sizes(A, B, gamma))


def difference_is_small(A: Array, B: Array, gamma: Array, percent: int = 100, linear: bool = True) -> Relation:
    r"""Its absolute value against :math:`2\sqrt\gamma\|B\|u + \gamma\|B\|^2`."""
    speed, excess = speed_and_excess(A, B, gamma)
    square = gamma * squared_norm(B)
    bound = square + (2 * sqrt(square * maximum(speed, 0 * speed)) if linear else 0)
    return le(absolute(excess - speed), bound * percent / 100, scale=sizes(A, B, gamma))


def few_layers(A: Array, B: Array, gamma: Array, delta: Array, percent: int = 100, adjoint: bool = True) -> Relation:
    r"""Number of layers with :math:`x \ge \delta` times :math:`\delta - G` against the sum of u; shapes ``(..., T, w, N)``."""
    rate = gamma[..., None] + 0 * A[..., 0, 0]
    speed, excess = speed_and_excess(A, B, rate)
    most = _largest(gamma[..., None] * squared_norm(B))
    room = delta - (sqrt(most) if adjoint else 0)
    count = (compare(excess, (delta * delta)[..., None]) >= 0).sum(axis=-1)
    many = rationals(count) if is_exact(A) else count.astype(np.float64)
    total = np.asarray(sqrt(maximum(speed, 0 * speed)).sum(axis=-1))
    size = np.asarray(sizes(A, B, rate).sum(axis=-1)) + delta
    # a square that is zero up to rounding has a root as large as that of the rounding
    noise = 0 * floats(size) if is_exact(A) else np.sqrt(2.0**-48 * floats(size) * A.shape[-3]) * 2.0**-10
    return le(many * room, total * percent / 100, scale=size, noise=noise)


def _largest(values: Array) -> Array:
    result = values[..., 0]
    for place in range(1, values.shape[-1]):
        result = maximum(result, values[..., place])
    return np.asarray(result)


def threshold_is_above(B: Array, gamma: Array, delta: Array) -> npt.NDArray[np.bool_]:
    r"""Whether :math:`\delta > G`, the largest :math:`\sqrt\gamma\|B\|` of the layers."""
    return np.asarray(compare(delta * delta, _largest(gamma[..., None] * squared_norm(B))) > 0)


def length_in_the_frobenius_norm(A: Array, B: Array, gamma: Array, percent: int = 100, power: int = 1) -> Relation:
    """Squared speed in the norm of the kernel against the squared Frobenius norm over gamma."""
    V = velocity(A, B)
    speed = stable_kernel_norm_squared(V, activation_kernel(A), gamma)
    return le(speed * gamma**power, squared_norm(V) * percent / 100, scale=sizes(A, B, gamma) * gamma**power)


def unseen_velocity() -> dict[str, Array]:
    r"""One neuron that is negative at two points, :math:`K = 11^T`, and the velocity (-1, 1), on which K vanishes."""
    return {"A": rationals([[[-1, -3]]]), "B": rationals([[[-1, -1]]]), "gamma": rationals(["1/4"])}


OURS = Source("leaky_resnets", "ours")
SIZES = {"width": range(1, 4), "points": range(1, 5)}
POINT = {"A": reals("width", "points"), "B": reals("width", "points"), "gamma": interval(1 / 16, 2)}
LAYERS = {
    "A": reals("layers", "width", "points"),
    "B": reals("layers", "width", "points"),
    "gamma": interval(1 / 256, 1 / 4),
    "delta": interval(1 / 8, 4),
}
ABOVE = "delta is above the largest adjoint"

STABLE = Claim(
    id="leaky_resnets.theorem_4.stable_hamiltonian",
    title="The stable Hamiltonian and the Hamiltonian",
    source=OURS,
    status=Ours(),
    statement=stable_hamiltonian_differs,
    domain=Domain(POINT, SIZES),
    false_neighbours={
        "the inner product once": partial(stable_hamiltonian_differs, cross=1),
        "the whole norm of the adjoint": partial(stable_hamiltonian_differs, projected=False),
    },
)

SMALL = Claim(
    id="leaky_resnets.theorem_4.stable_difference",
    title="How far the stable Hamiltonian is from the Hamiltonian",
    source=OURS,
    status=Ours(),
    statement=difference_is_small,
    domain=Domain(POINT, SIZES),
    false_neighbours={
        "without the linear term": partial(difference_is_small, linear=False),
        "a third of the bound": partial(difference_is_small, percent=33),
    },
)

FEW = Claim(
    id="leaky_resnets.theorem_4.few_layers",
    title="Few layers are far from the optimal cost of the identity",
    source=OURS,
    status=Ours(),
    statement=few_layers,
    cost=3,
    domain=Domain(LAYERS, {"layers": range(1, 4), "width": range(1, 3), "points": range(1, 3)}, {ABOVE: threshold_is_above}),
    false_neighbours={
        "without the adjoints": partial(few_layers, adjoint=False),
        "half of the sum": partial(few_layers, percent=50),
    },
)

LENGTH = Claim(
    id="leaky_resnets.theorem_4.length",
    title="The speed in the norm of the kernel and in the Frobenius norm",
    source=OURS,
    status=Ours(),
    statement=length_in_the_frobenius_norm,
    domain=Domain(POINT, SIZES),
    tight={"a velocity that the kernel does not see": Tight(unseen_velocity)},
    false_neighbours={
        "1 percent less": partial(length_in_the_frobenius_norm, percent=99),
        "without gamma": partial(length_in_the_frobenius_norm, power=0),
    },
)
