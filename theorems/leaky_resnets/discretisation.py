r"""The discretisation of leaky ResNets: critical networks are the symplectic Euler method on Hamilton's equations.

With steps :math:`\rho_\ell`, :math:`\alpha_{p_\ell} = (1 - \rho_\ell L)\alpha_{p_{\ell-1}} + \rho_\ell W_\ell
\sigma(\alpha_{p_{\ell-1}})` and the loss :math:`C(A_M) + \frac\lambda{2L} \sum_\ell \rho_\ell \|W_\ell\|^2`. That a layer is an
explicit Euler step, of order 1, is in the module ``ode``, the derivative of the loss in ``critical_weights``. Here:

* a layer with the critical weights :math:`W_\ell = L B_\ell \sigma(A_{\ell-1})^T` and its adjoint are one step of the
  symplectic Euler method, :math:`A_\ell = A_{\ell-1} + \rho\,\partial_B H(A_{\ell-1}, B_\ell)`,
  :math:`B_{\ell-1} = B_\ell + \rho\,\partial_A H(A_{\ell-1}, B_\ell)`;
* in such a step :math:`\mathrm{Tr}[B_\ell A_\ell^T] - \mathrm{Tr}[B_{\ell-1} A_{\ell-1}^T] = \rho_\ell \|b_\ell\|^2 / L`,
  exactly and across kinks (``.trace``);
* :math:`H(A_{\ell-1}, B_\ell)` is constant along a critical network up to an error of the order of the step (a fitted rate);
* where :math:`W\sigma(A) = LA`, as in the bottleneck, a step of any length is exact: it does nothing (``.bottleneck``). So the
  condition :math:`\rho_\ell L < 1` (a positive factor before the old activations) is not needed there; without weights the
  activations stay bounded for :math:`\rho_\ell L \le 2` (``.leak``).

Source: leaky_resnets, Section 3; the symplectic form and what follows from it are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.drawn_networks import leaky_network
from verify import Claim, Domain, Ours, Rate, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, compare, rationals
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


def sizes(A: Array, B: Array, leak: Array) -> Array:
    """Size of what is added in a step, batch-shaped."""
    return np.asarray((1 + squared_norm(A)) ** 2 * (1 + squared_norm(B)) ** 2 * (1 + leak) ** 2)


def step_is_symplectic(A: Array, B: Array, leak: Array, step: Array, later: bool = False, twice: int = 1) -> Relation:
    """Activations after a critical layer and adjoints before it, against the step of the symplectic Euler method.

    In false neighbours the energy is taken at the activations after the layer, or the weights are multiplied.
    """
    network = LeakyResNet([twice * critical_weights(A, B, leak)], leak, step[..., None])
    after = network(A)
    before = network.adjoints((A, after), B)[0]
    stepped, pulled = symplectic_euler_step(A, B, leak, step)
    if later:
        _, pulled = symplectic_euler_step(stepped, B, leak, step)
    scale = sizes(A, B, leak)[..., None, None]
    return eq(after, stepped, scale=scale, over=2) & eq(before, pulled, scale=scale, over=2)


def trace_grows_by_biases(A: Array, B: Array, leak: Array, step: Array, factor: int = 1, before: bool = False) -> Relation:
    r"""The growth of :math:`\mathrm{Tr}[BA^T]` in a step against :math:`\rho \|b\|^2 / L` with :math:`b = LB\mathbf 1`."""
    after, pulled = symplectic_euler_step(A, B, leak, step)
    bias = leak[..., None] * (pulled if before else B).sum(axis=-1)
    stated = factor * step * (bias * bias).sum(axis=-1) / leak
    return eq(inner(B, after) - inner(pulled, A), stated, scale=sizes(A, B, leak))


def bottleneck_is_still(A: Array, leak: Array, steps: Array, percent: int = 100, negative: bool = False) -> Relation:
    r"""A network with W = L (I, 0) on non-negative activations; on their negatives in a false neighbour."""
    width = A.shape[-2]
    identity = np.concatenate([np.eye(width, dtype=np.int64), np.zeros((width, 1), dtype=np.int64)], axis=-1)
    weights = (leak[..., None, None] * identity)[..., None, :, :] * np.ones((steps.shape[-1], 1, 1), dtype=np.int64)
    x = -A if negative else A
    network = leaky_network(weights * percent / 100, leak, steps)
    return eq(network(x), x, scale=np.asarray((1 + squared_norm(A)) * (1 + leak) ** steps.shape[-1])[..., None, None], over=2)


def leak_alone(x: Array, leak: Array, step: Array, steps: int = 4, percent: int = 100) -> Relation:
    r"""Without weights :math:`\|A_M\| \le \|A_0\|`, if :math:`\rho L \le 2`."""
    network = leaky_network(
        0 * x[..., None, :1, :1] * np.ones((steps, 1, 2), dtype=np.int64),
        leak,
        step[..., None] * np.ones(steps, dtype=np.int64),
    )
    return le(squared_norm(network(x)), squared_norm(x) * percent / 100)


def leak_is_stable(leak: Array, step: Array) -> npt.NDArray[np.bool_]:
    r"""Whether :math:`\rho L \le 2`."""
    return np.asarray(compare(leak * step, 2) <= 0)


def drift_of_the_energy(layers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    r"""Range of :math:`H(A_{\ell-1}, B_\ell)/L` along one critical network, for a ladder of depths."""
    A, B = np.array([[1.0, 0.5], [0.25, 1.0]]), np.array([[0.5, -0.25], [0.125, 0.25]])
    ranges = []
    for count in layers:
        found = critical_network(A, B, 1.0, equidistant_steps(int(count)))
        energies = [
            hamiltonian(before, after) for before, after in zip(found.activations[:-1], found.adjoints[1:], strict=True)
        ]
        ranges.append(np.ptp(energies))
    return np.asarray(ranges)


def one_neuron(**others: Any) -> dict[str, Any]:
    """One neuron at two points."""
    return {"A": rationals([[[1, 2]]]), "leak": rationals([3]), **others}


SOURCE = Source("leaky_resnets", "Section 3")
OURS = Source("leaky_resnets", "ours")
PHASE_SPACE = {
    "A": reals("width", "points"),
    "B": reals("width", "points"),
    "leak": interval(1 / 4, 3),
    "step": interval(1 / 16, 1),
}
SIZES = {"width": range(1, 4), "points": range(1, 5)}

CLAIM = Claim(
    id="leaky_resnets.discretisation",
    title="Critical layers are steps of the symplectic Euler method",
    source=OURS,
    status=Ours(),
    statement=step_is_symplectic,
    domain=Domain(PHASE_SPACE, SIZES),
    false_neighbours={
        "the energy after the layer": partial(step_is_symplectic, later=True),
        "twice the weights": partial(step_is_symplectic, twice=2),
    },
    rate=Rate(drift_of_the_energy, (4, 8, 16, 32, 64, 128, 256), -1.0),
)

TRACE = Claim(
    id="leaky_resnets.discretisation.trace",
    title="The trace of a critical network grows by its biases",
    source=OURS,
    status=Ours(),
    statement=trace_grows_by_biases,
    domain=Domain(PHASE_SPACE, SIZES),
    false_neighbours={
        "twice": partial(trace_grows_by_biases, factor=2),
        "the bias of the layer before": partial(trace_grows_by_biases, before=True),
    },
)

BOTTLENECK = Claim(
    id="leaky_resnets.discretisation.bottleneck",
    title="In the bottleneck a step of any length is exact",
    source=SOURCE,
    statement=bottleneck_is_still,
    domain=Domain(
        {"A": interval(0, np.inf, "width", "points"), "leak": interval(1 / 4, 3), "steps": interval(1 / 16, 4, "depth")},
        {"width": range(1, 4), "points": range(1, 3), "depth": range(1, 4)},
    ),
    tight={"one neuron": Tight(partial(one_neuron, steps=rationals([[2, 3]])))},
    false_neighbours={
        "weights 1 percent larger": partial(bottleneck_is_still, percent=101),
        "negative activations": partial(bottleneck_is_still, negative=True),
    },
)

LEAK = Claim(
    id="leaky_resnets.discretisation.leak",
    title="How long steps may be where the leak acts alone",
    source=OURS,
    status=Ours(),
    statement=leak_alone,
    domain=Domain(
        {"x": reals(1, "points"), "leak": interval(1 / 4, 4), "step": interval(1 / 16, 1)},
        {"points": range(1, 3)},
        {"rho L is at most 2": leak_is_stable},
    ),
    needs=("rho L is at most 2",),
    tight={
        "rho L = 2": Tight(lambda: {"x": rationals([[[1]]]), "leak": rationals([4]), "step": rationals(["1/2"])}),
    },
    false_neighbours={"1 percent smaller": partial(leak_alone, percent=99)},
)
