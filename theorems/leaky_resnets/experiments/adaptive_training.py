"""Training of leaky ResNets whose steps follow the path.

Points are columns: inputs have the shape ``(*batch, w, N)``, as many rows as the network has neurons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.experiments.batches import each_seed
from verify.networks.leaky_resnet import LeakyResNet, adaptive_steps
from verify.networks.training import Adam, TrainingStep, train

Array = npt.NDArray[Any]
EVERY = 50
"""Training steps from one change of the steps to the next."""
MIXING = 0.3
"""How far the steps go to the adaptive ones at once: without damping they may swing."""
SLOWEST = 0.01
"""A layer counts as moving at least this much as fast as the fastest one: one that rests would ask for an infinite step."""


def standardised(values: Array) -> Array:
    """Each row with mean 0 and variance 1."""
    return np.asarray((values - values.mean(axis=-1, keepdims=True)) / values.std(axis=-1, keepdims=True))


def padded(values: Array, rows: int) -> Array:
    """Rows of zeros below, up to so many: the fixed linear map into the width of a network."""
    missing = rows - values.shape[-2]
    return np.pad(values, [(0, 0)] * (values.ndim - 2) + [(0, missing), (0, 0)])


def initial_weights(seeds: Sequence[int], stream: int, leak: float, width: int, layers: int) -> list[Array]:
    """L times the identity plus noise, shape ``(seeds, w, w + 1)`` for each layer: from noise alone deep networks collapse."""

    def draw(generator: np.random.Generator) -> list[Array]:
        noise = generator.standard_normal((layers, width, width + 1)) / (2 * width**0.5)
        return list((leak * (np.eye(width, width + 1) + noise)).astype(np.float32))

    return each_seed(seeds, stream, draw)


@dataclass
class Continued:
    """Adam that goes on where it stopped: `train` begins anew at each call."""

    adam: Adam
    taken: int = 0
    memory: list[Array] = field(default_factory=list)
    slots: int = 0

    def step(self, step: int, parameters: Array, gradient: Array, memory: list[Array]) -> None:  # noqa: ARG002
        """One step, in place."""
        if not self.memory:
            self.memory = [np.zeros_like(parameters) for _ in range(self.adam.slots)]
        self.adam.step(self.taken, parameters, gradient, self.memory)
        self.taken += 1


def train_adaptively(
    network: LeakyResNet, x: Array, y: Array, *, steps: int, optimiser: Continued, ridge: float, adaptive: Any = True
) -> LeakyResNet:
    """Train, and every `EVERY` training steps move the steps of the networks that are `adaptive` towards `adaptive_steps`.

    `adaptive` is true or false, or an array of them of batch shape.
    """
    for done in range(0, steps, EVERY):
        if done:
            speeds = network.relative_distances(network.activations(x))
            speeds = np.maximum(speeds, SLOWEST * speeds.max(axis=-1, keepdims=True))
            mixed = (1 - MIXING) * network.steps + MIXING * adaptive_steps(speeds)
            chosen = np.where(np.asarray(adaptive)[..., None], mixed, network.steps)
            network = LeakyResNet(network.weights, network.leak, chosen)
        network = train(network, x, y, steps=min(EVERY, steps - done), optimiser=optimiser, ridge=ridge).network
    return network


@dataclass(frozen=True)
class Path:
    """A trained network, and its activations and adjoints at the ends of all layers, shape ``(layers + 1, *batch, w, N)``."""

    network: LeakyResNet
    activations: Array
    adjoints: Array


def adjoints(network: LeakyResNet, activations: Sequence[Array], y: Array, ridge: float) -> tuple[Array, ...]:
    r""":math:`B_\ell = -\frac1\lambda\partial_{A_\ell}C` for the mean squared error C and `ridge` :math:`\lambda/(2L)`."""
    strength = 2 * network.leak[..., None, None] * ridge
    last = np.zeros_like(activations[-1])
    rows, points = y.shape[-2:]
    last[..., :rows, :] = 2 / (strength * points) * (y - activations[-1][..., :rows, :])
    return network.adjoints(activations, last)


def averaged_path(
    network: LeakyResNet, x: Array, y: Array, *, steps: int, optimiser: Continued, ridge: float, every: int = 5
) -> Path:
    """Train on, and average activations and adjoints on the way.

    At a minimum some activations are zero. There the adjoints of one backward pass jump between those of both sides, and only
    their mean solves the equation of critical weights.
    """
    sums: list[Array] = []

    def add(now: TrainingStep) -> None:
        if now.step % every == 0:
            passed = now.network.activations(x)
            both = np.stack([np.stack(passed), np.stack(adjoints(now.network, passed, y, ridge))])
            sums[:] = [sums[0] + both, sums[1] + 1] if sums else [both, np.ones(())]

    trained = train(network, x, y, steps=steps, optimiser=optimiser, ridge=ridge, callbacks=[add]).network
    mean = sums[0] / sums[1]
    return Path(trained, mean[0], mean[1])
