"""Units of comparison: networks of the same shape before training, and the least that the data allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, overload

import numpy as np

from verify.networks import CircularCNN, FullyConnected, LeakyResNet
from verify.networks.training import he_network
from verify.trained.networks import Network
from verify.trained.points import Points
from verify.trained.programs import Convolution, Dense, Operation, Program
from verify.trained.quantities import Quantities, chosen, quantities
from verify.trained.traced import TracedNetwork
from verify.trained.traced_quantities import of_traced

DRAWS, LARGE = 5, 100_000
"""Untrained networks that are drawn; one of a network with more parameters."""
PAIRED = 500
"""Points between which slopes are taken, at most; evenly chosen."""


AnyFunction: TypeAlias = Network | TracedNetwork
"""A network that gives outputs at points."""


@overload
def untrained(network: Network, generator: np.random.Generator) -> Network: ...
@overload
def untrained(network: TracedNetwork, generator: np.random.Generator) -> TracedNetwork: ...
def untrained(network: AnyFunction, generator: np.random.Generator) -> AnyFunction:
    """A network of the same shape with He's initialisation: weights from N(0, 2 / inputs), and no biases."""
    if isinstance(network, TracedNetwork):
        return TracedNetwork(_untrained_program(network.program, generator))
    if isinstance(network, FullyConnected):
        return he_network(generator, network.widths, network.activation)
    if isinstance(network, CircularCNN):
        kernels = [generator.standard_normal(kernel.shape) * np.sqrt(2 / kernel[0].size) for kernel in network.kernels]
        return CircularCNN(kernels, None, network.activation, axes=network.axes)
    weights = [generator.standard_normal(weight.shape) * np.sqrt(2 / network.width) for weight in network.weights]
    if network.has_bias:
        for weight in weights:
            weight[..., -1] = 0
    return LeakyResNet(weights, network.leak, network.steps)


def _untrained_program(program: Program, generator: np.random.Generator) -> Program:
    def drawn(operation: Operation) -> Operation:
        if not isinstance(operation, Dense | Convolution):
            return operation
        weight = generator.standard_normal(operation.weight.shape) * np.sqrt(2 / operation.weight[0].size)
        return replace(operation, weight=weight, bias=np.zeros_like(operation.bias))

    return replace(program, steps=[replace(step, operation=drawn(step.operation)) for step in program.steps])


def untrained_quantities(network: AnyFunction, points: Points) -> Sequence[Quantities]:
    """The quantities of such networks at the points of this one."""
    generator = np.random.default_rng(0)
    if isinstance(network, TracedNetwork):
        size = sum(layer.weight.size for layer in network.layers)
        return [of_traced(untrained(network, generator), points) for _ in range(DRAWS if size <= LARGE else 1)]
    size = sum(int(parameter.size) for parameter in network.parameters)
    return [quantities(untrained(network, generator), points, brief=True) for _ in range(DRAWS if size <= LARGE else 1)]


def mean_of(several: Sequence[Quantities], name: str) -> float | None:
    """The mean over networks of a quantity of the whole; None where one does not have it."""
    values = [quantities.whole.get(name) for quantities in several]
    return None if not values or any(value is None for value in values) else float(np.mean(values))  # type: ignore[arg-type]


def least(network: AnyFunction, points: Points) -> Mapping[str, float]:
    """The least value of quantities that the data allow, by name.

    Of the squared norm: every network of depth L with slopes in [-1, 1] and the values of this one at the points has a squared
    norm of at least L times the largest slope between two points to the power 2/L. Of the mean squared error: the variance
    of what is wanted at equal points.
    """
    least_values: dict[str, float] = {}
    inputs = points.inputs.reshape(len(points.inputs), -1)
    if isinstance(network, FullyConnected) and abs(float(network.activation.negative)) <= 1 and len(inputs) > 1:
        few_inputs = inputs[chosen(len(inputs), PAIRED)]
        outputs = network(few_inputs)
        input_distances = np.linalg.norm(few_inputs[:, None] - few_inputs[None], axis=-1)
        output_distances = np.linalg.norm(outputs[:, None] - outputs[None], axis=-1)
        steepest = float((output_distances / np.where(input_distances > 0, input_distances, np.inf)).max())
        least_values["squared norm of weights and biases"] = network.depth * steepest ** (2 / network.depth)
    if points.targets is not None:
        _, group = np.unique(inputs, axis=0, return_inverse=True)
        targets = points.targets.reshape(len(inputs), -1)
        counts = np.bincount(group.ravel())
        means = np.stack([np.bincount(group.ravel(), column) / counts for column in targets.T], axis=-1)
        least_values["mean squared error"] = float(((targets - means[group.ravel()]) ** 2).sum(axis=1).mean())
    return least_values
