r"""Critical layers are steps of the symplectic Euler method on Hamilton's equations.

Statement
    A discrete leaky ResNet has steps :math:`\rho_\ell` and layers
    :math:`\alpha_{p_\ell} = (1 - \rho_\ell L)\alpha_{p_{\ell-1}} + \rho_\ell W_\ell\sigma(\alpha_{p_{\ell-1}})`, with the loss
    :math:`C(A_M) + \frac\lambda{2L} \sum_\ell \rho_\ell \|W_\ell\|^2`.

    * A layer with the critical weights :math:`W_\ell = L B_\ell \sigma(A_{\ell-1})^T` and its adjoint are the step
      :math:`A_\ell = A_{\ell-1} + \rho\,\partial_B\mathcal H(A_{\ell-1}, B_\ell)`,
      :math:`B_{\ell-1} = B_\ell + \rho\,\partial_A\mathcal H(A_{\ell-1}, B_\ell)`.
    * In it :math:`\mathrm{Tr}[B_\ell A_\ell^T] - \mathrm{Tr}[B_{\ell-1} A_{\ell-1}^T] = \rho_\ell \|b_\ell\|^2 / L`, exactly
      and across kinks (``.trace``).
    * :math:`\mathcal H(A_{\ell-1}, B_\ell)` is constant along a critical network up to an error of the order of the step.
    * Where :math:`W\sigma(A) = LA`, as in the bottleneck, a step of any length does nothing (``.bottleneck``): the condition
      :math:`\rho_\ell L < 1` is not needed there. Where the leak acts alone, the activations stay bounded for
      :math:`\rho_\ell L \le 2` (``.leak``).
Checked
    All of this; the order of the drift is fitted. That a layer is an explicit Euler step is in ``ode``, the derivative of the
    loss in ``critical_weights``.
Sharp
    The bound of the leak, at :math:`\rho L = 2`.
Source
    leaky_resnets, Section 3; the symplectic form and what follows from it are ours.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.drawn_networks import leaky_network
from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES
from verify import Claim, Domain, Ours, Rate, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, compare, exp, rationals
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import (
    critical_network,
    critical_weights,
    equidistant_steps,
    hamiltonian,
    inner,
    squared_norm,
    symplectic_euler_step,
)


def critical_layer(A: Array, B: Array, leak: Array, step: Array) -> tuple[Array, Array]:
    """Activations after the network of one critical layer, and adjoints before it."""
    network = LeakyResNet([critical_weights(A, B, leak)], leak, step[..., None])
    after = network(A)
    return after, network.adjoints((A, after), B)[0]


def step_is_symplectic(A: Array, B: Array, leak: Array, step: Array) -> Relation:
    """A critical layer against the step of the symplectic Euler method."""
    after, before = critical_layer(A, B, leak, step)
    stepped, pulled = symplectic_euler_step(A, B, leak, step)
    return eq(after, stepped, name="activations", over=2) & eq(before, pulled, name="adjoints", over=2)


def squared_bias(B: Array, leak: Array) -> Array:
    r""":math:`\|b\|^2` for :math:`b = LB\mathbf 1`."""
    bias = leak[..., None] * B.sum(axis=-1)
    return np.asarray((bias * bias).sum(axis=-1))


def trace_grows_by_biases(A: Array, B: Array, leak: Array, step: Array) -> Relation:
    r"""The growth of :math:`\mathrm{Tr}[BA^T]` in a step against :math:`\rho\|b\|^2/L`."""
    after, before = symplectic_euler_step(A, B, leak, step)
    return eq(inner(B, after) - inner(before, A), step * squared_bias(B, leak) / leak)


def still_network(width: int, leak: Array, steps: Array) -> LeakyResNet:
    """The network with the weights L (I, 0) in every layer."""
    identity = np.concatenate([np.eye(width, dtype=np.int64), np.zeros((width, 1), dtype=np.int64)], axis=-1)
    layers = np.ones((steps.shape[-1], 1, 1), dtype=np.int64)
    return leaky_network((leak[..., None, None] * identity)[..., None, :, :] * layers, leak, steps)


def bottleneck_is_still(A: Array, leak: Array, steps: Array) -> Relation:
    """The network on non-negative activations."""
    return eq(still_network(A.shape[-2], leak, steps)(A), A, over=2)


def without_weights(x: Array, leak: Array, steps: Array) -> Array:
    """What the leak alone makes of one neuron, in layers of these lengths."""
    weights = 0 * x[..., None, :1, :1] * np.ones((steps.shape[-1], 1, 2), dtype=np.int64)
    return leaky_network(weights, leak, steps)(x)


def leak_alone(x: Array, leak: Array, steps: Array) -> Relation:
    r"""Without weights :math:`\|A_M\| \le \|A_0\|`, if :math:`\rho_\ell L \le 2`."""
    return le(squared_norm(without_weights(x, leak, steps)), squared_norm(x))


def leak_is_stable(leak: Array, steps: Array) -> npt.NDArray[np.bool_]:
    r"""Whether :math:`\rho_\ell L \le 2` in all layers."""
    return np.asarray((compare(leak[..., None] * steps, 2) <= 0).all(axis=-1))


def drift_of_the_energy(layers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    r"""Range of :math:`\mathcal H(A_{\ell-1}, B_\ell)/L` along one critical network, for a ladder of depths."""
    A, B = np.array([[1.0, 0.5], [0.25, 1.0]]), np.array([[0.5, -0.25], [0.125, 0.25]])
    ranges = []
    for count in layers:
        found = critical_network(A, B, 1.0, equidistant_steps(int(count)))
        energies = [
            hamiltonian(before, after) for before, after in zip(found.activations[:-1], found.adjoints[1:], strict=True)
        ]
        ranges.append(np.ptp(energies))
    return np.asarray(ranges)


def longest_stable_steps() -> dict[str, Array]:
    """Steps of twice the time of the leak: every layer turns the sign."""
    return {"x": rationals([[[1, -3]]]), "leak": rationals([4]), "steps": rationals([["1/2", "1/2"]])}


# False variants


def energy_after_the_layer(A: Array, B: Array, leak: Array, step: Array) -> Relation:
    """The adjoints move by the energy at the activations after the layer."""
    after, before = critical_layer(A, B, leak, step)
    return eq(before, symplectic_euler_step(after, B, leak, step)[1], over=2)


def explicit_euler(A: Array, B: Array, leak: Array, step: Array) -> Relation:
    """The activations move by the energy at the adjoints before the layer."""
    after, before = critical_layer(A, B, leak, step)
    return eq(after, symplectic_euler_step(A, before, leak, step)[0], over=2)


def bias_of_the_layer_before(A: Array, B: Array, leak: Array, step: Array) -> Relation:
    """The trace grows by the biases that belong to the adjoints before the layer."""
    after, before = symplectic_euler_step(A, B, leak, step)
    return eq(inner(B, after) - inner(before, A), step * squared_bias(before, leak) / leak)


def trace_grows_by_the_step_squared(A: Array, B: Array, leak: Array, step: Array) -> Relation:
    """The growth in a layer whose weights are those of the difference, not of the derivative."""
    after, before = symplectic_euler_step(A, B, leak, step)
    return eq(inner(B, after) - inner(before, A), step**2 * squared_bias(B, leak) / leak)


def negative_activations_are_still(A: Array, leak: Array, steps: Array) -> Relation:
    """The network on activations that the ReLU does not let through."""
    return eq(still_network(A.shape[-2], leak, steps)(-A), -A, over=2)


def identity_is_still(A: Array, leak: Array, steps: Array) -> Relation:
    """The weights (I, 0), as in a network without a leak."""
    network = still_network(A.shape[-2], leak, steps)
    weights = [weight / leak[..., None, None] for weight in network.weights]
    return eq(network.with_parameters(weights)(A), A, over=2)


def leaks_as_the_equation(x: Array, leak: Array, steps: Array) -> Relation:
    r"""Steps shrink the activations at least as much as the equation does in the same time, by :math:`e^{-L\sum\rho}`."""
    return le(squared_norm(without_weights(x, leak, steps)), squared_norm(x) * exp(-2 * leak * steps.sum(axis=-1)))


SOURCE = Source("leaky_resnets", "Section 3")
OURS = Source("leaky_resnets", "ours")
PHASE_SPACE = {
    "A": reals("width", "points"),
    "B": reals("width", "points"),
    "leak": interval(1 / 4, 3),
    "step": interval(1 / 16, 1),
}
STABLE = "rho L is at most 2"

CLAIM = Claim(
    id="leaky_resnets.discretisation",
    title="Critical layers are steps of the symplectic Euler method",
    source=OURS,
    status=Ours(),
    statement=step_is_symplectic,
    domain=Domain(PHASE_SPACE, PHASE_SIZES),
    false_neighbours={"the energy after the layer": energy_after_the_layer, "explicit Euler": explicit_euler},
    rate=Rate(drift_of_the_energy, (4, 8, 16, 32, 64, 128, 256), -1.0),
)

TRACE = Claim(
    id="leaky_resnets.discretisation.trace",
    title="The trace of a critical network grows by its biases",
    source=OURS,
    status=Ours(),
    statement=trace_grows_by_biases,
    domain=Domain(PHASE_SPACE, PHASE_SIZES),
    false_neighbours={
        "the bias of the layer before": bias_of_the_layer_before,
        "step squared": trace_grows_by_the_step_squared,
    },
)

BOTTLENECK = Claim(
    id="leaky_resnets.discretisation.bottleneck",
    title="In the bottleneck a step of any length is exact",
    source=SOURCE,
    statement=bottleneck_is_still,
    domain=Domain(
        {"A": interval(0, np.inf, "width", "points"), "leak": interval(1 / 4, 3), "steps": interval(1 / 16, 4, "depth")},
        {"width": range(1, 4), "points": range(1, 3), "depth": (1, 2, 3, 6, 14)},
    ),
    false_neighbours={
        "negative activations": negative_activations_are_still,
        "weights without the leak": identity_is_still,
    },
)

LEAK = Claim(
    id="leaky_resnets.discretisation.leak",
    title="Where the leak acts alone, steps up to twice its time keep the activations bounded",
    source=OURS,
    status=Ours(),
    statement=leak_alone,
    domain=Domain(
        {"x": reals(1, "points"), "leak": interval(1 / 4, 4), "steps": interval(1 / 16, 1, "depth")},
        {"points": range(1, 3), "depth": (1, 2, 3, 6, 14)},
        {STABLE: leak_is_stable},
    ),
    needs=(STABLE,),
    tight={"rho L = 2": Tight(longest_stable_steps)},
    false_neighbours={"as fast as the equation": leaks_as_the_equation},
)
