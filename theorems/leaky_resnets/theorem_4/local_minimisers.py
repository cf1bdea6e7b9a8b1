r"""Theorem 4 as printed fails at strict local minimisers with an active neuron: one neuron, two points, two layers and more.

For points :math:`x = (x_1, x_2)` with :math:`x_1 > x_2 > 0`, M equal layers of length :math:`\rho = 1/M` and a number
:math:`\tau > 0`, put :math:`c = 1 - \rho L(1 - \tau) > 0`. The network with the weights :math:`W_\ell = (L\tau, 0)` has

.. math:: A_\ell = c^\ell x, \qquad B_\ell = \frac{\tau}{c^{\ell-1}(x_1 - x_2)}(1, -1), \qquad
          -\tfrac2L\mathcal H(A_{\ell-1}, B_\ell) = 1 - (1 - \tau)^2

and is critical for the target :math:`F = A_M + \lambda B_M`. The second derivative of the loss along a direction
:math:`\delta_\ell = (v_\ell, u_\ell)` is

.. math:: \frac{\rho\lambda}L\sum\|\delta_\ell\|^2
          + \frac{\lambda\rho^2\tau}c\Bigl[\sum v_\ell^2 - \bigl(\sum v_\ell\bigr)^2\Bigr]
          + \rho^2\Bigl\|\bigl(\sum v_\ell\bigr)c^{M-1}x + \sum c^{M-\ell}u_\ell\mathbf 1\Bigr\|^2 ,

at least :math:`\frac{\rho\lambda}L\sum\|\delta_\ell\|^2` for :math:`\lambda \le c^{2M-1}(x_1 - x_2)^2/(2\tau)`,
as the last square is at least half of :math:`(c^{M-1}(x_1 - x_2)\sum v_\ell)^2`. So the network is a strict local minimiser,
for every number of layers, with the same convexity in the scalar product of functions of p. The bound is attained where the
biases move without an effect on the outputs.

What is checked: that the derivative vanishes and the second derivative is that large along every direction, from values of the
loss, a polynomial along it; the closed form of the path; that the Hessian of a network of two layers is positive definite, by
its leading minors on rationals; and that the printed law for the speed fails at the layers of such networks.

Source: ours; the printed law is leaky_resnets, Theorem 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.critical_weights import loss
from theorems.leaky_resnets.regularised_problem import difference_weight
from theorems.leaky_resnets.theorem_4.global_minimisers import speed_by_root
from theorems.leaky_resnets.theorem_4.statement import Trajectories, norms_at
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, eq, ge, integers, interval
from verify.arithmetic import Array, compare, largest, rationals, smallest, sqrt
from verify.matrices import determinant
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import (
    CriticalNetwork,
    critical_weights,
    hamiltonian,
    inner,
    squared_norm,
    symplectic_euler_step,
)

STEP = 64
"""The loss is taken at multiples of the direction, divided by this: no activation becomes negative."""


def two_point_network(second: Array, gap: Array, rate: Array, leak: Array, depth: int) -> CriticalNetwork:
    r"""The network for the points (second + gap, second), with :math:`\tau` = `rate`; all batch-shaped and positive.

    Raises
    ------
    ValueError
        A number is not positive, or :math:`c = 1 - L(1 - \tau)/M` is not.
    """
    kept = np.asarray(1 - leak * (1 - rate) / depth)
    for name, value in (("second", second), ("gap", gap), ("rate", rate), ("leak", leak), ("1 - leak (1 - rate)/depth", kept)):
        if not (compare(value, 0) == 1).all():
            raise ValueError(f"{name} must be positive, got {value}")
    x = np.stack([second + gap, second], axis=-1)[..., None, :]
    opposite = np.stack([rate / gap, -rate / gap], axis=-1)[..., None, :]
    powers = [np.asarray(kept**layer) for layer in range(depth + 1)]
    activations = tuple(power[..., None, None] * x for power in powers)
    adjoints = tuple(np.asarray(kept / power)[..., None, None] * opposite for power in powers)
    weights = np.stack([leak * rate, 0 * rate], axis=-1)[..., None, :]
    steps = np.stack([0 * leak + 1] * depth, axis=-1) / depth
    return CriticalNetwork(LeakyResNet([weights] * depth, leak, steps), activations, adjoints)


@dataclass(frozen=True, eq=False)
class Varied:
    r"""The network, and others on a line through it: the multiples -M, ..., M of a direction, divided by `STEP`.

    Attributes
    ----------
    critical, gap, rate
        The network, :math:`x_1 - x_2` and :math:`\tau`.
    direction
        Shape ``(..., M, 1, 2)``: weight and bias of each layer.
    networks
        In the order of the multiples.
    positive
        Whether all activations before the outputs are positive in all of them, shape ``(...)``.
    """

    critical: CriticalNetwork
    gap: Array
    rate: Array
    direction: Array
    networks: tuple[LeakyResNet, ...]
    positive: Array

    def __getitem__(self, index: Any) -> Varied:
        found = self.critical
        values = tuple(one[index] for one in found.activations), tuple(one[index] for one in found.adjoints)
        networks = tuple(one[index] for one in self.networks)
        chosen = CriticalNetwork(found.network[index], *values)
        return Varied(chosen, self.gap[index], self.rate[index], self.direction[index], networks, self.positive[index])


def varied(second: Array, gap: Array, rate: Array, leak: Array, direction: Array) -> Varied:
    """The network of two points with as many layers as `direction` has."""
    critical = two_point_network(second, gap, rate, leak, direction.shape[-3])
    network, x = critical.network, critical.activations[0]
    positive = np.ones(gap.shape, dtype=bool)
    networks = []
    for multiple in range(-network.depth, network.depth + 1):
        weights = [one + multiple * direction[..., k, :, :] / STEP for k, one in enumerate(network.weights)]
        networks.append(network.with_parameters(weights))
        for values in networks[-1].activations(x)[1:-1]:
            positive = positive & (compare(values, 0) == 1).all(axis=(-2, -1))
    return Varied(critical, gap, rate, direction, tuple(networks), positive)


def varied_of_kind(second: Array, gap: Array, rate: Array, leak: Array, direction: Array, kind: Array) -> Varied:
    """Along any direction (0); along its biases, the last of which makes up for the others (1); along equal weights, for whose
    mean effect the last bias makes up (2).
    """
    depth = direction.shape[-3]
    kept = 1 - leak * (1 - rate) / depth
    equal = compare(kind, 2) == 0
    weights = [np.where(equal, 0 * kept + 1, 0 * kept)] * depth
    biases = [np.where(equal, 0 * kept, direction[..., layer, 0, 1]) for layer in range(depth)]
    moved = depth * weights[0] * kept ** (depth - 1) * (second + gap / 2)
    biases[-1] = -sum((kept ** (depth - 1 - layer) * biases[layer] for layer in range(depth - 1)), moved)
    special = np.stack([np.stack(pair, axis=-1) for pair in zip(weights, biases, strict=True)], axis=-2)[..., None, :]
    chosen = (compare(kind, 0) == 0)[..., None, None, None]
    return varied(second, gap, rate, leak, np.where(chosen, direction, special))


def derivatives(instance: Varied, target: Array, ridge: Array) -> tuple[Array, Array]:
    """First and second derivative of the loss along the direction: a polynomial of the degree 2M."""
    x, half = instance.critical.activations[0], instance.critical.network.depth
    values = [loss(one, x, target, ridge) for one in instance.networks]
    slope, curvature = 0 * ridge, 0 * ridge
    for place in range(1, half + 1):
        back, forth = values[half - place], values[half + place]
        weight = difference_weight(place, half)
        second = 2 * weight / place
        slope = slope + (forth - back) * weight.numerator / weight.denominator
        curvature = curvature + (forth + back - 2 * values[half]) * second.numerator / second.denominator
    return slope * STEP, curvature * STEP**2


def is_strict_minimum(
    instance: Varied, ridge: Array, percent: int = 100, shift: int = 100, energy: int = 100, steps: int = 1
) -> Relation:
    """No derivative, a second derivative that is large, and the closed form; the keywords are for false neighbours."""
    critical, depth = instance.critical, instance.critical.network.depth
    network, leak = critical.network, critical.network.leak
    x = critical.activations[0]
    target = critical.target(ridge * shift / 100)
    slope, curvature = derivatives(instance, target, ridge)
    bound = ridge * inner(instance.direction, instance.direction).sum(axis=-1) / (leak * depth**steps)
    size = (1 + squared_norm(x)) * (1 + squared_norm(target)) * (1 + ridge + ridge / leak) * (1 + leak) ** 2
    relation = eq(slope, 0 * slope, scale=size * STEP) & ge(curvature * 100, bound * percent, scale=100 * size * STEP**2)
    constant = (1 - (1 - instance.rate) ** 2) * energy / 100
    values = network.activations(x)
    for layer, weight in enumerate(network.weights):
        before, adjoint = critical.activations[layer], critical.adjoints[layer + 1]
        entries = ((1 + squared_norm(before)) * (1 + squared_norm(adjoint)) * (1 + leak))[..., None, None]
        after, pulled = symplectic_euler_step(before, adjoint, leak, network.steps[..., layer])
        relation &= eq(values[layer + 1], critical.activations[layer + 1], scale=entries, over=2)
        relation &= eq(critical_weights(before, adjoint, leak), weight, scale=entries, over=2)
        relation &= eq(after, critical.activations[layer + 1], scale=entries, over=2)
        relation &= eq(pulled, critical.adjoints[layer], scale=entries**2, over=2)
        relation &= eq(-2 * hamiltonian(before, adjoint), constant, scale=entries[..., 0, 0] ** 2)
    return relation


def stays_positive(instance: Varied) -> Array:
    """Whether the loss is a polynomial where it is taken."""
    return instance.positive


def ridge_is_small(instance: Varied, ridge: Array) -> Array:
    r"""Whether :math:`\lambda` is at most the bound of the statement."""
    depth, leak = instance.critical.network.depth, instance.critical.network.leak
    kept = 1 - leak * (1 - instance.rate) / depth
    return np.asarray(compare(kept ** (2 * depth - 1) * instance.gap**2, 2 * instance.rate * ridge) >= 0)


def balanced_biases() -> dict[str, Any]:
    """Biases of two layers that cancel at the outputs."""
    one = rationals([1])
    direction = rationals([[[[0, 1]], [[0, -1]]]])
    return {"instance": varied(one, one, one, one, direction), "ridge": one / 2}


def hessian_is_positive() -> Relation:
    r"""Two layers, L = 1, points 2 and 1, :math:`\tau = 1`, :math:`\lambda = \frac14`: no slope, positive leading minors."""
    pairs = [(i, j) for i in range(4) for j in range(i, 4)]
    directions = np.zeros((len(pairs), 4), dtype=int)
    for place, (i, j) in enumerate(pairs):
        directions[place, [i, j]] = 1
    one = rationals([1] * len(pairs))
    instance = varied(one, one, one, one, rationals(directions.reshape(-1, 2, 1, 2)))
    slope, curvature = derivatives(instance, instance.critical.target(one / 4), one / 4)
    along = dict(zip(pairs, curvature, strict=True))
    hessian = rationals(np.zeros((4, 4), dtype=int))
    for i, j in pairs:
        hessian[i, j] = hessian[j, i] = along[i, j] if i == j else (along[i, j] - along[i, i] - along[j, j]) / 2
    minors = np.array([determinant(hessian[:k, :k])[()] for k in range(1, 5)], dtype=object)
    return eq(slope, 0 * slope, over=1) & eq(rationals(compare(minors, 0)), rationals([1] * 4), over=1)


def layers_of(second: Array, gap: Array, rate: Array, leak: Array, root_gamma: Array, depth: int) -> Trajectories:
    r"""The network as Theorem 4 sees it, at the pairs :math:`(A_{\ell-1}, B_\ell)`, where :math:`\mathcal H` is the same."""
    critical = two_point_network(second, gap, rate, leak, depth)
    before = np.stack(critical.activations[:-1], axis=-3)
    after = np.stack(critical.adjoints[1:], axis=-3)
    at = norms_at(before, after, root_gamma[..., None] ** 2 + 0 * before[..., 0, 0])
    speeds = sqrt(at.speed)
    return Trajectories(
        energy=at.energy[..., 0],
        costs=at.cost,
        speeds=speeds,
        smallest_cost=smallest(at.cost),
        mean_speed=speeds.sum(axis=-1) / depth,
        adjoint=largest(np.stack([sqrt(squared_norm(one)) for one in critical.adjoints], axis=-1)),
        root_gamma=root_gamma,
        noise=0 * leak,
        genuine=np.ones(leak.shape, dtype=bool),
    )


PROBLEM = {
    "second": interval(1 / 4, 2),
    "gap": interval(1 / 4, 2),
    "rate": interval(1 / 2, 3 / 2),
    "leak": interval(1 / 4, 3 / 2),
}
POSITIVE = "no activation becomes negative"
SMALL = "the ridge is small enough"

CLAIM = Claim(
    id="leaky_resnets.theorem_4.local_minimiser",
    title="Strict local minimisers of the learning problem: one active neuron, two points",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=is_strict_minimum,
    domain=Domain(
        {
            "instance": derived(varied_of_kind, **PROBLEM, direction=interval(-1, 1, "depth", 1, 2), kind=integers(0, 2)),
            "ridge": interval(1 / 64, 2),
        },
        {"depth": (2, 3)},
        {POSITIVE: stays_positive, SMALL: ridge_is_small},
    ),
    needs=(SMALL,),
    tight={"biases without an effect": Tight(balanced_biases)},
    false_neighbours={
        "1 % more convex": partial(is_strict_minimum, percent=101),
        "convexity by the entries that does not fall with the steps": partial(is_strict_minimum, steps=0),
        "a target that is 1 % further": partial(is_strict_minimum, shift=101),
        "1 % more energy": partial(is_strict_minimum, energy=101),
    },
    exact={"a positive definite Hessian": hessian_is_positive},
    cost=16,
)

PRINTED = Claim(
    id="leaky_resnets.theorem_4.printed_at_local_minimisers",
    title="The printed law for the speed, at strict local minimisers",
    source=Source("leaky_resnets", "Theorem 4"),
    status=FalseAsPrinted(corrected_by="leaky_resnets.theorem_4"),
    statement=partial(speed_by_root, roots=2),
    domain=Domain(
        {"trajectory": derived(layers_of, **PROBLEM, root_gamma=interval(1 / 64, 3 / 2))},
        {"depth": (2, 3)},
    ),
    false_neighbours={},
)
