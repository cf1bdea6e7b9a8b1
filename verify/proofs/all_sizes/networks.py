"""Networks of letters, of fixed depth and any width: what the engine's networks compute, on words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from verify.numbers.exactness import StandIn
from verify.proofs.all_sizes.letters import DIAGONAL, NotWords
from verify.proofs.all_sizes.values import (
    ANSWERED,
    Mask,
    Questionless,
    Room,
    Table,
    WordArray,
    each_block,
    is_known_nonnegative,
    mask_of,
    masked,
    nonnegative_mask_of,
    rectified,
    scaling_of,
    slopes_letter,
)


class LetterActivation(StandIn):
    """A homogeneous activation with these slopes for t >= 0 and t < 0."""

    as_numbers = ANSWERED

    def __init__(self, room: Room, positive: Any, negative: Any) -> None:
        self.room = room
        self.positive, self.negative = (_scalar_slope(room, slope) for slope in (positive, negative))

    def told_apart(self, name: str) -> None:
        """Raise what is asked."""
        raise NotWords(f"{'its type' if name == '__class__' else repr(name)} is asked of an activation of letters")

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """It is of one instance."""
        return ()

    @property
    def are_numbers(self) -> bool:
        """Whether the slopes are rational numbers."""
        return all(not monomial for slope in (self.positive, self.negative) for monomial, _ in slope.terms)

    def __call__(self, values: Any) -> Any:
        """The value at every entry."""
        if isinstance(values, Table):
            return values.map(self)
        difference = self.positive - self.negative
        if not difference.terms:
            return self.positive * values
        if not self.are_numbers and values.ndim:
            values = values.of(self.room.reduce(values.terms))
            if not values.terms or is_known_nonnegative(values):
                return self.positive * values
            if (scaling := scaling_of(values)) is not None:
                return scaling[0] @ self(scaling[1])
            if (blocks := each_block(values, self)) is not None:
                return blocks
            return masked(slopes_letter(values, self.positive, self.negative), values)
        return self.negative * values + difference * rectified(values)

    def derivative(self, values: Any) -> Any:
        """The slope at every entry; at zero that of positive numbers."""
        if isinstance(values, Table):
            return values.map(self.derivative)
        zero = self.room.number(0)
        difference = self.positive - self.negative
        if zero is None or not difference.terms:
            return Mask(self.room, self.positive, {}, values.shape)
        if not self.are_numbers:
            one = self.room.number(1)
            name = slopes_letter(values, self.positive, self.negative)
            return Mask(self.room, zero, {name: _scalar_slope(self.room, one)}, values.shape)
        return nonnegative_mask_of(values) * difference + self.negative


def _scalar_slope(room: Room, value: Any) -> WordArray:
    while isinstance(value, Table) and len(value) == 1:
        value = value.items[0]
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.reshape(-1)[0]
    number = room.number(value)
    if number is None:
        raise NotWords(f"a slope is a {type(value).__name__}")
    return number


class LetterNetwork(Questionless):
    """A fully connected network; see `verify.networks.FullyConnected`."""

    def __init__(self, room: Room, weights: Sequence[Any], biases: Sequence[Any] | None, activation: Any) -> None:
        self.room, self.weights = room, tuple(weights)
        self.biases = tuple(biases) if biases is not None else tuple(room.zeros(W.shape[:1]) for W in self.weights)
        self.activation = activation if isinstance(activation, LetterActivation) else _activation(room, activation)

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """It is of one instance."""
        return ()

    @property
    def depth(self) -> int:
        """Number of layers."""
        return len(self.weights)

    @property
    def widths(self) -> tuple[Any, ...]:
        """Inputs, hidden neurons, outputs."""
        return (self.weights[0].shape[1], *(W.shape[0] for W in self.weights))

    @property
    def parameters(self) -> tuple[Any, ...]:
        """Weights, then biases."""
        return (*self.weights, *self.biases)

    def _layer(self, layer: int, values: Any) -> Any:
        W, b = self.weights[layer], self.biases[layer]
        return W @ values + b if values.ndim == 1 else values @ W.T + b

    def preactivations(self, x: Any) -> tuple[Any, ...]:
        """The values of all layers before the activation."""
        values_by_layer, values = [], x
        for layer in range(self.depth):
            values_by_layer.append(self._layer(layer, values))
            values = self.activation(values_by_layer[-1])
        return tuple(values_by_layer)

    def activations(self, x: Any) -> tuple[Any, ...]:
        """The input, and the values of the hidden layers."""
        return (x, *(self.activation(values) for values in self.preactivations(x)[:-1]))

    def __call__(self, x: Any) -> Any:
        """The value."""
        return self.preactivations(x)[-1]

    def _slopes(self, layer: int, x: Any) -> Any:
        """The diagonal matrix of the slopes of a hidden layer."""
        mask = self.activation.derivative(self.preactivations(x)[layer - 1])
        size = mask.shape[0]
        total = self.room.eye(size) * mask.constant
        for name, factor in mask.parts.items():
            diagonal = WordArray(self.room, {((), ((DIAGONAL, name, False, ()),)): Fraction(1)}, (size, size))
            total = total + diagonal * factor
        return total

    def _chain(self, first: int, last: int, x: Any) -> Any:
        if x.ndim != 1:
            raise NotWords("the Jacobians at several points")
        result = self.weights[first - 1]
        for layer in range(first, last):
            result = self.weights[layer] @ (self._slopes(layer, x) @ result)
        return result

    def jacobian(self, x: Any) -> Any:
        """The derivative of the value."""
        return self._chain(1, self.depth, x)

    def jacobian_to_layer(self, layer: int, x: Any) -> Any:
        """The derivative of the values of a layer before the activation."""
        return self._chain(1, layer, x)

    def jacobian_from_layer(self, layer: int, x: Any) -> Any:
        """The derivative of the value by those of a layer before the activation."""
        if layer == self.depth:
            return self.room.eye(self.widths[-1])
        return self._chain(layer + 1, self.depth, x) @ self._slopes(layer, x)

    @property
    def weight_norm_squared(self) -> Any:
        """Sum of the squares of all weights."""
        return sum((W * W).sum() for W in self.weights)

    @property
    def parameter_norm_squared(self) -> Any:
        """Sum of the squares of all weights and biases."""
        return self.weight_norm_squared + sum(b @ b for b in self.biases)


def _activation(room: Room, activation: Any) -> LetterActivation:
    if activation is None:
        return LetterActivation(room, 1, 0)
    return LetterActivation(room, activation.positive, activation.negative)


class LetterLeakyResNet(Questionless):
    """A leaky ResNet; see `verify.networks.LeakyResNet`."""

    def __init__(self, room: Room, weights: Sequence[Any], leak: Any, steps: Any = None) -> None:
        self.room, self.weights = room, tuple(weights)
        number = room.number(leak)
        if number is None:
            raise NotWords("the leak is no number")
        self.leak = number
        lengths = [Fraction(1, len(self.weights))] * len(self.weights) if steps is None else list(steps)
        self.steps = Table(room, [room.number(length) for length in lengths])
        extra = self.weights[0].shape[1] - self.weights[0].shape[0]
        if not extra.is_number or extra.constant not in (0, 1):
            raise NotWords("weights of another shape")
        self.has_bias = extra.constant == 1

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """It is of one instance."""
        return ()

    @property
    def depth(self) -> int:
        """Number of layers."""
        return len(self.weights)

    @property
    def width(self) -> Any:
        """Neurons of every layer."""
        return self.weights[0].shape[0]

    def with_parameters(self, parameters: Sequence[Any]) -> LetterLeakyResNet:
        """With other weights."""
        return LetterLeakyResNet(self.room, parameters, self.leak, self.steps)

    def _parts(self, layer: int) -> tuple[Any, Any, Any]:
        W, rho = self.weights[layer], self.steps.items[layer]
        matrix, bias = (W[:, :-1], W[:, -1:]) if self.has_bias else (W, None)
        return 1 - rho * self.leak, rho * matrix, None if bias is None else rho * bias

    def activations(self, x: Any) -> tuple[Any, ...]:
        """The activations of all layers, the first is x."""
        path = [x]
        for layer in range(self.depth):
            kept, matrix, bias = self._parts(layer)
            after = matrix @ rectified(path[-1]) + kept * path[-1]
            path.append(after if bias is None else after + bias)
        return tuple(path)

    def __call__(self, x: Any) -> Any:
        """The value."""
        return self.activations(x)[-1]

    def adjoints(self, activations: Sequence[Any], last: Any) -> tuple[Any, ...]:
        """The derivatives by the chain rule, from the last."""
        path = [last]
        for layer in reversed(range(self.depth)):
            kept, matrix, _ = self._parts(layer)
            path.append(mask_of(activations[layer]) * (matrix.T @ path[-1]) + kept * path[-1])
        return tuple(reversed(path))

    @property
    def weight_norms_squared(self) -> Table:
        """Of all layers."""
        return Table(self.room, [(W * W).sum() for W in self.weights])

    @property
    def parameter_norm_squared(self) -> Any:
        """Their sum, times the steps."""
        return (self.steps * self.weight_norms_squared).sum()
