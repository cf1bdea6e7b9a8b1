"""Networks that are none of the engine's kinds: what they compute, and their layers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from verify.networks import FullyConnected, HomogeneousActivation
from verify.trained.networks import Network
from verify.trained.programs import (
    Activation,
    Convolution,
    Dense,
    Floats,
    Join,
    Largest,
    Product,
    Program,
    Shape,
    Step,
    Sum,
    _Linear,
)

LARGEST_MATRICES = 2**22
"""Entries of the matrices that convolutions and pooling are written out as, at most."""


@dataclass(frozen=True, eq=False)
class NamedWeight:
    """A weight as it is saved, and its bias: a matrix, or filters ``(outputs, inputs, *lengths)``."""

    name: str
    weight: Floats
    bias: Floats | None

    @property
    def matrix(self) -> Floats:
        """Outputs by all that one output sees."""
        return self.weight.reshape(len(self.weight), -1)

    @property
    def squared_norm(self) -> float:
        """Of the weight and the bias."""
        return float((self.weight**2).sum()) + (0.0 if self.bias is None else float((self.bias**2).sum()))


@dataclass(frozen=True, eq=False)
class TracedNetwork:
    """A network by the steps that it computes: convolutions with zero padding, skips, pooling, any activation.

    BatchNorm is a part of the layer before it, as it is when a trained network is used.
    """

    program: Program

    def __call__(self, x: Any) -> Floats:
        """Outputs at points ``(N, *input_shape)``."""
        return self.program(x)

    @property
    def input_shape(self) -> Shape:
        """Shape of one point."""
        return self.program.input_shape

    @property
    def output_shape(self) -> Shape:
        """Shape of one output."""
        return self.program.output_shape

    @cached_property
    def layers(self) -> Sequence[NamedWeight]:
        """The weights, in the order in which they are used."""
        layers = []
        for step in self.program.steps:
            operation = step.operation
            if isinstance(operation, Dense | Convolution):
                layers.append(NamedWeight(step.name, operation.weight, operation.bias))
        return layers

    @property
    def depth(self) -> int:
        """How many layers have weights."""
        return len(self.layers)

    @cached_property
    def parameter_norm_squared(self) -> float:
        """Of all weights and biases, each layer once."""
        return sum(layer.squared_norm for layer in self.layers)

    @cached_property
    def activations(self) -> tuple[str, ...]:
        """The activations by name, each once."""
        return tuple(
            dict.fromkeys(step.operation.words for step in self.program.steps if isinstance(step.operation, Activation))
        )

    @property
    def description(self) -> str:
        """Sizes and activations, in a line."""
        ends = ["x".join(map(str, shape)) for shape in (self.input_shape, self.output_shape)]
        kinds = [type(step.operation) for step in self.program.steps]
        counts = {"skip": kinds.count(Sum), "product": kinds.count(Product), "join": kinds.count(Join)}
        counts["max pooling"] = kinds.count(Largest)
        beside = [f"{count} {name}{'s' if count > 1 else ''}" for name, count in counts.items() if count]
        parts = [f"{ends[0]} to {ends[1]} in {self.depth} layers", ", ".join(self.activations) or "linear"]
        return ", ".join(parts + beside)

    def as_float(self) -> TracedNetwork:
        """Itself: it is in floats."""
        return self

    @cached_property
    def chain(self) -> FullyConnected | None:
        """The same function as a chain of matrices with one homogeneous activation, if it is one and not too large.

        Points and outputs are flat. Its matrices write out convolutions and pooling: their norm is not that of the parameters.
        """
        stretches = _stretches(self.program)
        if stretches is None:
            return None
        linear, slopes = stretches
        if len(set(slopes)) > 1:
            return None
        weights, biases, shape = [], [], self.program.input_shape
        entries = 0
        for steps in linear:
            size = math.prod(shape)
            outputs = math.prod(self._shape_after(steps, shape))
            entries += size * outputs
            widest = max([size, *(math.prod(self._shape_after(steps[: k + 1], shape)) for k in range(len(steps)))])
            if entries > LARGEST_MATRICES or size * widest > LARGEST_MATRICES:
                return None
            columns, zero = np.eye(size).reshape(size, *shape), np.zeros((1, *shape))
            for step in steps:
                operation = step.operation
                assert isinstance(operation, _Linear)
                columns, zero = operation.linear(columns), operation(zero)
            weights.append(columns.reshape(size, -1).T)
            biases.append(zero.ravel())
            shape = zero.shape[1:]
        return FullyConnected(weights, biases, HomogeneousActivation(1, slopes[0] if slopes else 0.0))

    @cached_property
    def has_matrices(self) -> bool:
        """Whether the chain has the parameters of this network: reshaping aside, there are matrices only."""
        return (
            self.chain is not None
            and len(self.layers) == self.chain.depth
            and all(
                layer.weight.ndim == 2 and layer.weight.shape == weight.shape and np.array_equal(layer.weight, weight)
                for layer, weight in zip(self.layers, self.chain.weights, strict=True)
            )
        )

    @staticmethod
    def _shape_after(steps: Sequence[Step], shape: Shape) -> Shape:
        for step in steps:
            shape = step.operation.shape(shape)
        return shape


def _stretches(program: Program) -> tuple[list[list[Step]], list[float]] | None:
    """The linear steps between activations, and the slopes of these; None if this is no such chain."""
    linear: list[list[Step]] = [[]]
    slopes: list[float] = []
    for place, step in enumerate(program.steps):
        if step.sources != (place,):
            return None
        operation = step.operation
        if isinstance(operation, Activation) and operation.is_homogeneous:
            if not any(isinstance(step.operation, Dense | Convolution) for step in linear[-1]):
                return None
            slopes.append(operation.slope)
            linear.append([])
        elif isinstance(operation, _Linear):
            linear[-1].append(step)
        else:
            return None
    return (linear, slopes) if any(isinstance(step.operation, Dense | Convolution) for step in linear[-1]) else None


@dataclass(frozen=True, eq=False)
class LayersAlone:
    """Weights whose order and use are not known, or not those of the theory: each is measured by itself.

    Attributes
    ----------
    reason
        Why nothing is said of the whole.
    """

    layers: Sequence[NamedWeight]
    reason: str

    @property
    def depth(self) -> int:
        """How many layers have weights."""
        return len(self.layers)

    @cached_property
    def parameter_norm_squared(self) -> float:
        """Of these weights and biases."""
        return sum(layer.squared_norm for layer in self.layers)

    @property
    def description(self) -> str:
        """In a line."""
        return f"{self.depth} weight{'s' if self.depth > 1 else ''} alone, as {self.reason}"

    def as_float(self) -> LayersAlone:
        """Itself: it is in floats."""
        return self


AnyNetwork: TypeAlias = Network | TracedNetwork | LayersAlone
"""What is read of a file: one of the engine's kinds, or what it computes, or its layers alone."""
