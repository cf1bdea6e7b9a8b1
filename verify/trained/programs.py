"""What a network computes, step by step: linear maps of any shape, functions of one number, sums, pooling.

A front end (`verify.trained.onnx`, `verify.trained.modules`) writes a program; `verify.trained.recognising` finds the networks
of the engine in it. Values have the shape of one point; the axis of the points comes first in what is computed, and no step
sees it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from verify.trained.files import MOST_NUMBERS, Unreadable

Floats: TypeAlias = npt.NDArray[np.float64]
Shape: TypeAlias = tuple[int, ...]
AT_ONCE = 2**22
"""Numbers that one value has for all points that are computed together, at most."""


class Operation(Protocol):
    """One step: a function of the values of others."""

    def shape(self, *shapes: Shape) -> Shape:
        """Shape of one point of the result; a ValueError where the shapes do not fit."""
        ...

    def __call__(self, *values: Floats) -> Floats:
        """The values, for all points."""
        ...

    def tangent(self, values: Sequence[Floats], tangents: Sequence[Floats]) -> Floats:
        """The derivative in the direction `tangents`."""
        ...

    def error(self, values: Sequence[Floats], errors: Sequence[Floats], unit: float) -> Floats:
        """What an evaluation with this unit of rounding may be off by, where its arguments are off by `errors`."""
        ...


class _Linear:
    """A linear map and a constant: `linear`, `absolute` (the map with the sizes of its numbers), `terms` in one sum."""

    @property
    def constant(self) -> Any:
        """What is added."""
        return 0.0

    @property
    def terms(self) -> int:
        """Products in one sum."""
        return 1

    def linear(self, value: Floats) -> Floats:
        raise NotImplementedError

    def absolute(self, value: Floats) -> Floats:
        return self.linear(value)

    def __call__(self, *values: Floats) -> Floats:
        return np.asarray(self.linear(values[0]) + self.constant)

    def tangent(self, values: Sequence[Floats], tangents: Sequence[Floats]) -> Floats:  # noqa: ARG002
        return self.linear(tangents[0])

    def error(self, values: Sequence[Floats], errors: Sequence[Floats], unit: float) -> Floats:
        # the usual bound of a sum of n products, and two roundings for constants that were folded
        sizes = self.absolute(np.abs(values[0])) + np.abs(self.constant)
        return np.asarray(self.absolute(errors[0]) + (self.terms + 3) * unit * sizes)


@dataclass(frozen=True, eq=False)
class Dense(_Linear):
    """A matrix ``(outputs, inputs)`` on the last axis."""

    weight: Floats
    bias: Floats

    def shape(self, *shapes: Shape) -> Shape:
        (inside,) = shapes
        if not inside or inside[-1] != self.weight.shape[1]:
            raise ValueError(f"a matrix of shape {self.weight.shape} meets values of shape {inside}")
        return (*inside[:-1], self.weight.shape[0])

    @property
    def constant(self) -> Floats:
        return self.bias

    @property
    def terms(self) -> int:
        return int(self.weight.shape[1])

    def linear(self, value: Floats) -> Floats:
        return np.asarray(value @ self.weight.T)

    def absolute(self, value: Floats) -> Floats:
        return np.asarray(value @ np.abs(self.weight).T)


@dataclass(frozen=True, eq=False)
class Window:
    """How filters, or windows of pooling, move over an image: one number for each axis."""

    lengths: Shape
    strides: Shape
    before: Shape
    after: Shape
    dilations: Shape

    def image(self, image: Shape) -> Shape:
        """Lengths of the result."""
        if len(image) != len(self.lengths):
            raise ValueError(f"filters of the lengths {self.lengths} meet images of {image}")
        lengths = []
        for length, size, stride, low, high, gap in zip(
            image, self.lengths, self.strides, self.before, self.after, self.dilations, strict=True
        ):
            room = length + low + high - gap * (size - 1) - 1
            if min(low, high) < 0 or min(size, stride, gap) < 1 or room < 0:
                raise ValueError(
                    f"filters of the lengths {self.lengths} with strides {self.strides}, padding {self.before} and "
                    f"{self.after} and dilations {self.dilations} meet images of {image}"
                )
            lengths.append(room // stride + 1)
        return tuple(lengths)

    def views(self, value: Floats, fill: float = 0.0) -> Floats:
        """All windows of values ``(N, channels, *image)``: ``(N, channels, *result, *lengths)``."""
        axes = len(self.lengths)
        pads = [(0, 0), (0, 0), *zip(self.before, self.after, strict=True)]
        padded = np.pad(value, pads, constant_values=fill) if any(map(any, pads)) else value
        reach = tuple(gap * (size - 1) + 1 for size, gap in zip(self.lengths, self.dilations, strict=True))
        windows = np.lib.stride_tricks.sliding_window_view(padded, reach, axis=tuple(range(2, 2 + axes)))
        steps = [slice(None, None, stride) for stride in self.strides] + [slice(None, None, gap) for gap in self.dilations]
        return np.asarray(windows[(slice(None), slice(None), *steps)])


@dataclass(frozen=True, eq=False)
class Convolution(_Linear):
    """A cross-correlation with filters ``(outputs, inputs / groups, *lengths)`` and zeros around the image."""

    weight: Floats
    bias: Floats
    window: Window
    groups: int = 1

    def shape(self, *shapes: Shape) -> Shape:
        (inside,) = shapes
        outputs, channels = self.weight.shape[:2]
        if len(inside) != self.weight.ndim - 1 or inside[0] != channels * self.groups or outputs % self.groups:
            raise ValueError(f"filters of shape {self.weight.shape} in {self.groups} groups meet values of shape {inside}")
        return (outputs, *self.window.image(inside[1:]))

    @property
    def constant(self) -> Floats:
        return self.bias.reshape(-1, *[1] * (self.weight.ndim - 2))

    @property
    def terms(self) -> int:
        return math.prod(self.weight.shape[1:])

    def linear(self, value: Floats) -> Floats:
        return self._with(self.weight, value)

    def absolute(self, value: Floats) -> Floats:
        return self._with(np.abs(self.weight), value)

    def _with(self, weight: Floats, value: Floats) -> Floats:
        views = self.window.views(value)
        axes = weight.ndim - 2
        outputs = len(weight) // self.groups
        channels = weight.shape[1]
        parts = []
        for group in range(self.groups):
            filters = weight[group * outputs : (group + 1) * outputs]
            group_views = views[:, group * channels : (group + 1) * channels]
            contracted = [1, *range(2 + axes, 2 + 2 * axes)]
            parts.append(np.tensordot(group_views, filters, axes=(contracted, list(range(1, 2 + axes)))))
        return np.moveaxis(np.concatenate(parts, axis=-1), -1, 1)


@dataclass(frozen=True, eq=False)
class Scale(_Linear):
    """Each value times a number of its own, and a number added: arrays that are broadcast against one point.

    `sizes` are those of the terms of the shift, where it is a sum that others compute in another order.
    """

    factor: Floats
    shift: Floats
    sizes: Floats | None = None

    def shape(self, *shapes: Shape) -> Shape:
        (inside,) = shapes
        if np.broadcast_shapes(inside, self.factor.shape, self.shift.shape) != inside:
            raise ValueError(f"numbers of shape {self.factor.shape} and {self.shift.shape} meet values of shape {inside}")
        return inside

    @property
    def constant(self) -> Floats:
        return self.shift

    def error(self, values: Sequence[Floats], errors: Sequence[Floats], unit: float) -> Floats:
        sizes = 0.0 if self.sizes is None else self.sizes
        return np.asarray(super().error(values, errors, unit) + 4 * unit * sizes)

    def linear(self, value: Floats) -> Floats:
        return np.asarray(value * self.factor)

    def absolute(self, value: Floats) -> Floats:
        return np.asarray(value * np.abs(self.factor))


@dataclass(frozen=True, eq=False)
class Rearrange(_Linear):
    """Each entry of the result is one of the argument, or 0: reshaping, slices, transposition, padding.

    `index` has the shape of one point of the result, and counts the entries of one point of the argument; -1 is a zero.
    """

    index: npt.NDArray[np.int64]
    source: Shape

    def shape(self, *shapes: Shape) -> Shape:
        if shapes != (self.source,):
            raise ValueError(f"entries of values of shape {self.source} are taken of {shapes}")
        return self.index.shape

    def linear(self, value: Floats) -> Floats:
        flat = value.reshape(len(value), -1)[:, np.maximum(self.index, 0).ravel()].reshape(len(value), *self.index.shape)
        return np.where(self.index < 0, 0.0, flat) if (self.index < 0).any() else flat

    @property
    def keeps_all(self) -> bool:
        """Whether it changes nothing."""
        return self.index.shape == self.source and bool(np.array_equal(self.index.ravel(), np.arange(math.prod(self.source))))


@dataclass(frozen=True, eq=False)
class Mean(_Linear):
    """The mean over windows; zeros around the image count if `with_padding`."""

    window: Window
    with_padding: bool

    def shape(self, *shapes: Shape) -> Shape:
        (inside,) = shapes
        if len(inside) < 2:
            raise ValueError(f"pooling meets values of shape {inside}")
        return (inside[0], *self.window.image(inside[1:]))

    @property
    def terms(self) -> int:
        return math.prod(self.window.lengths) + 1

    def linear(self, value: Floats) -> Floats:
        axes = tuple(range(-len(self.window.lengths), 0))
        sums = self.window.views(value).sum(axis=axes)
        if self.with_padding:
            return np.asarray(sums / math.prod(self.window.lengths))
        return np.asarray(sums / self.window.views(np.ones((1, 1, *value.shape[2:]))).sum(axis=axes))


@dataclass(frozen=True, eq=False)
class Largest:
    """The largest value of each window."""

    window: Window

    def shape(self, *shapes: Shape) -> Shape:
        (inside,) = shapes
        if len(inside) < 2:
            raise ValueError(f"pooling meets values of shape {inside}")
        for size, low, high in zip(self.window.lengths, self.window.before, self.window.after, strict=True):
            if max(low, high) >= size:
                raise ValueError(f"windows of the lengths {self.window.lengths} would see padding only")
        return (inside[0], *self.window.image(inside[1:]))

    def _flat(self, value: Floats, fill: float) -> Floats:
        views = self.window.views(value, fill)
        return views.reshape(*views.shape[: -len(self.window.lengths)], -1)

    def __call__(self, *values: Floats) -> Floats:
        return np.asarray(self._flat(values[0], -np.inf).max(axis=-1))

    def tangent(self, values: Sequence[Floats], tangents: Sequence[Floats]) -> Floats:
        winners = self._flat(values[0], -np.inf).argmax(axis=-1)[..., None]
        return np.take_along_axis(self._flat(tangents[0], 0.0), winners, axis=-1)[..., 0]

    def error(self, values: Sequence[Floats], errors: Sequence[Floats], unit: float) -> Floats:  # noqa: ARG002
        return np.asarray(self._flat(errors[0], 0.0).max(axis=-1))


@dataclass(frozen=True, eq=False)
class Sum:
    """The sum, or the difference, of two values of one shape."""

    sign: float = 1.0

    def shape(self, *shapes: Shape) -> Shape:
        if shapes[0] != shapes[1]:
            raise ValueError(f"values of shape {shapes[0]} and {shapes[1]} are added")
        return shapes[0]

    def __call__(self, *values: Floats) -> Floats:
        return np.asarray(values[0] + self.sign * values[1])

    def tangent(self, values: Sequence[Floats], tangents: Sequence[Floats]) -> Floats:  # noqa: ARG002
        return self(*tangents)

    def error(self, values: Sequence[Floats], errors: Sequence[Floats], unit: float) -> Floats:
        return np.asarray(errors[0] + errors[1] + unit * (np.abs(values[0]) + np.abs(values[1])))


@dataclass(frozen=True, eq=False)
class Product:
    """The product of two values of one shape, entry by entry."""

    def shape(self, *shapes: Shape) -> Shape:
        if shapes[0] != shapes[1]:
            raise ValueError(f"values of shape {shapes[0]} and {shapes[1]} are multiplied")
        return shapes[0]

    def __call__(self, *values: Floats) -> Floats:
        return np.asarray(values[0] * values[1])

    def tangent(self, values: Sequence[Floats], tangents: Sequence[Floats]) -> Floats:
        return np.asarray(values[0] * tangents[1] + tangents[0] * values[1])

    def error(self, values: Sequence[Floats], errors: Sequence[Floats], unit: float) -> Floats:
        sizes = np.abs(values[0]), np.abs(values[1])
        return np.asarray(sizes[0] * errors[1] + sizes[1] * errors[0] + errors[0] * errors[1] + unit * sizes[0] * sizes[1])


@dataclass(frozen=True, eq=False)
class Join:
    """Values one after another along an axis of a point."""

    axis: int

    def shape(self, *shapes: Shape) -> Shape:
        other_lengths = {(*shape[: self.axis], *shape[self.axis + 1 :]) for shape in shapes}
        if len(other_lengths) != 1 or any(self.axis >= len(shape) for shape in shapes):
            raise ValueError(f"values of the shapes {shapes} are joined along axis {self.axis + 1}")
        return (*shapes[0][: self.axis], sum(shape[self.axis] for shape in shapes), *shapes[0][self.axis + 1 :])

    def __call__(self, *values: Floats) -> Floats:
        return np.concatenate(values, axis=self.axis + 1)

    def tangent(self, values: Sequence[Floats], tangents: Sequence[Floats]) -> Floats:  # noqa: ARG002
        return self(*tangents)

    def error(self, values: Sequence[Floats], errors: Sequence[Floats], unit: float) -> Floats:  # noqa: ARG002
        return self(*errors)


@dataclass(frozen=True)
class Activation:
    """A function of one number, by its name.

    Attributes
    ----------
    name
        One of `FUNCTIONS`, or ``"slopes"``.
    slope
        Below zero, of the function ``"slopes"`` that is the identity above: 0 is the ReLU.
    numbers
        Others that the function needs.
    """

    name: str
    slope: float = 0.0
    numbers: tuple[float, ...] = ()

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0]

    @property
    def is_homogeneous(self) -> bool:
        """Whether ``f(c t) = c f(t)`` for positive c."""
        return self.name == "slopes"

    @property
    def words(self) -> str:
        """How people call it."""
        if self.name != "slopes":
            return FUNCTIONS[self.name].words
        return {0.0: "ReLU", 1.0: "linear"}.get(self.slope, f"leaky ReLU with the slope {self.slope:g}")

    def __call__(self, *values: Floats) -> Floats:
        if self.is_homogeneous:
            return np.where(values[0] > 0, values[0], self.slope * values[0])
        return FUNCTIONS[self.name].value(values[0], *self.numbers)

    def derivative(self, value: Floats) -> Floats:
        """The derivative; at a kink that of the right side, and 0 for the ReLU at 0, as PyTorch has it."""
        if self.is_homogeneous:
            return np.where(value > 0, 1.0, self.slope)
        return FUNCTIONS[self.name].derivative(value, *self.numbers)

    def tangent(self, values: Sequence[Floats], tangents: Sequence[Floats]) -> Floats:
        return np.asarray(self.derivative(values[0]) * tangents[0])

    def error(self, values: Sequence[Floats], errors: Sequence[Floats], unit: float) -> Floats:
        if self.is_homogeneous:
            return np.asarray(max(1.0, abs(self.slope)) * errors[0] + unit * np.abs(values[0]))
        function = FUNCTIONS[self.name]
        # libraries state a few units for functions; what they see of the argument may be halved, doubled and shifted by 1
        return np.asarray(function.steepest(*self.numbers) * errors[0] + FUNCTION_UNITS * unit * (1 + np.abs(values[0])))


FUNCTION_UNITS = 16
"""Units in the last place that evaluations of a function such as tanh may be off by, relative to ``1 + |t|``."""


@dataclass(frozen=True)
class Function:
    """A function of one number with its derivative."""

    words: str
    value: Callable[..., Floats]
    derivative: Callable[..., Floats]
    steepest: Callable[..., float]


def _constant(slope: float) -> Callable[..., float]:
    return lambda *_: slope


def _sigmoid(t: Floats) -> Floats:
    from scipy.special import expit

    return np.asarray(expit(t))


def _erf(t: Floats) -> Floats:
    from scipy.special import erf

    return np.asarray(erf(t))


def _normal(t: Floats) -> Floats:
    return np.asarray(0.5 * (1 + _erf(t / math.sqrt(2))))


def _density(t: Floats) -> Floats:
    return np.asarray(np.exp(-t * t / 2) / math.sqrt(2 * math.pi))


def _gelu_inside(t: Floats) -> Floats:
    return np.asarray(math.sqrt(2 / math.pi) * (t + 0.044715 * t**3))


def _gelu_by_tanh(t: Floats) -> Floats:
    return np.asarray(0.5 * t * (1 + np.tanh(_gelu_inside(t))))


def _gelu_by_tanh_derivative(t: Floats) -> Floats:
    tanh = np.tanh(_gelu_inside(t))
    return np.asarray(0.5 * (1 + tanh) + 0.5 * t * (1 - tanh**2) * math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * t**2))


def _silu_derivative(t: Floats) -> Floats:
    s = _sigmoid(t)
    return np.asarray(s + t * s * (1 - s))


def _elu(t: Floats, alpha: float) -> Floats:
    return np.where(t > 0, t, alpha * np.expm1(np.minimum(t, 0)))


def _selu(t: Floats, alpha: float, gamma: float) -> Floats:
    return np.asarray(gamma * _elu(t, alpha))


def _cut(t: Floats, low: float, high: float) -> Floats:
    return np.clip(t, low, high)


FUNCTIONS: Mapping[str, Function] = {
    "tanh": Function("tanh", np.tanh, lambda t: 1 - np.tanh(t) ** 2, _constant(1.0)),
    "sigmoid": Function("sigmoid", _sigmoid, lambda t: _sigmoid(t) * _sigmoid(-t), _constant(0.25)),
    "gelu": Function("GELU", lambda t: t * _normal(t), lambda t: _normal(t) + t * _density(t), _constant(1.13)),
    "gelu_tanh": Function("GELU by its tanh formula", _gelu_by_tanh, _gelu_by_tanh_derivative, _constant(1.13)),
    "silu": Function("SiLU", lambda t: t * _sigmoid(t), _silu_derivative, _constant(1.1)),
    "erf": Function("erf", _erf, lambda t: 2 / math.sqrt(math.pi) * np.exp(-t * t), _constant(1.13)),
    "softplus": Function("softplus", lambda t: np.logaddexp(0, t), _sigmoid, _constant(1.0)),
    "elu": Function(
        "ELU",
        _elu,
        lambda t, alpha: np.where(t > 0, 1.0, alpha * np.exp(np.minimum(t, 0))),
        lambda alpha: max(1.0, abs(alpha)),
    ),
    "selu": Function(
        "SELU",
        _selu,
        lambda t, alpha, gamma: gamma * np.where(t > 0, 1.0, alpha * np.exp(np.minimum(t, 0))),
        lambda alpha, gamma: abs(gamma) * max(1.0, abs(alpha)),
    ),
    "cut": Function(
        "ReLU6 or another that is cut off", _cut, lambda t, low, high: 1.0 * ((t > low) & (t < high)), _constant(1.0)
    ),
}


@dataclass(frozen=True, eq=False)
class Step:
    """An operation on the results of others, by their place; 0 is the input."""

    name: str
    operation: Operation
    sources: tuple[int, ...]


@dataclass
class Program:
    """Steps in an order in which they can be computed.

    Attributes
    ----------
    input_shape
        Shape of one point.
    steps
        The result of ``steps[k]`` is the value ``k + 1``.
    shapes
        Of one point of all values, the input first.
    output
        The value that is the result.
    """

    input_shape: Shape
    steps: list[Step] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    output: int = 0

    def __post_init__(self) -> None:
        if not self.shapes:
            self.shapes = [self.input_shape]

    def add(self, name: str, operation: Operation, *sources: int) -> int:
        """One more step; the place of its result.

        Raises
        ------
        Unreadable
            The shapes do not fit, or a value would be too large.
        """
        try:
            shape = operation.shape(*(self.shapes[source] for source in sources))
        except (ValueError, IndexError) as error:
            raise Unreadable(f"{name} cannot be followed: {error}") from error
        if not 0 < math.prod(shape) <= AT_ONCE:
            raise Unreadable(f"{name} has values of shape {shape}: between 1 and {AT_ONCE} are followed")
        self.steps.append(Step(name, operation, sources))
        self.shapes.append(shape)
        return len(self.steps)

    @property
    def output_shape(self) -> Shape:
        """Shape of one point of the result."""
        return self.shapes[self.output]

    def __call__(self, x: Any) -> Floats:
        """Outputs at points ``(N, *input_shape)``."""
        points = np.asarray(x, dtype=np.float64)
        count = self._points_at_once(1)
        parts = [self.values(points[k : k + count])[self.output] for k in range(0, len(points), count)]
        return np.concatenate(parts) if parts else np.zeros((0, *self.output_shape))

    def _points_at_once(self, copies: int) -> int:
        return max(1, AT_ONCE // (copies * max(map(math.prod, self.shapes))))

    def values(self, x: Floats) -> list[Floats]:
        """All values, the input first."""
        results = [x]
        for step in self.steps:
            results.append(step.operation(*(results[source] for source in step.sources)))
        return results

    def errors(self, values: Sequence[Floats], unit: float) -> Floats:
        """What an evaluation with this unit of rounding may be off by in the output."""
        errors = [np.zeros_like(values[0])]
        for step in self.steps:
            sources = step.sources
            errors.append(
                step.operation.error([values[source] for source in sources], [errors[source] for source in sources], unit)
            )
        return errors[self.output]

    def jacobians(self, x: Floats, place: int = 0) -> Floats:
        """Derivatives of the outputs by the value at `place`, in a row each: shape ``(N, outputs, entries)``."""
        size, outputs = math.prod(self.shapes[place]), math.prod(self.output_shape)
        count = self._points_at_once(size)
        jacobian = np.zeros((len(x), outputs, size))
        for begin in range(0, len(x), count):
            values = self.values(x[begin : begin + count])
            batch_size = len(values[0])
            tangents: list[Floats | None] = [None] * len(values)
            directions = np.broadcast_to(np.eye(size), (batch_size, size, size)).reshape(batch_size * size, *self.shapes[place])
            tangents[place] = directions
            for step_place, step in enumerate(self.steps, start=1):
                if step_place <= place or all(tangents[source] is None for source in step.sources):
                    continue
                repeated = [np.repeat(values[source], size, axis=0) for source in step.sources]
                source_tangents = [
                    np.zeros_like(value) if (source_tangent := tangents[source]) is None else source_tangent
                    for source, value in zip(step.sources, repeated, strict=True)
                ]
                tangents[step_place] = step.operation.tangent(repeated, source_tangents)
            output_tangents = tangents[self.output]
            if output_tangents is not None:
                jacobian[begin : begin + batch_size] = np.swapaxes(output_tangents.reshape(batch_size, size, outputs), 1, 2)
        return jacobian

    def needed(self) -> Program:
        """The program without steps that the output does not need."""
        kept, waiting = set(), [self.output]
        while waiting:
            place = waiting.pop()
            if place and place not in kept:
                kept.add(place)
                waiting += self.steps[place - 1].sources
        places = {0: 0}
        program = Program(self.input_shape)
        for place in sorted(kept):
            step = self.steps[place - 1]
            places[place] = program.add(step.name, step.operation, *(places[source] for source in step.sources))
        program.output = places[self.output]
        return program


def rearranged(shape: Shape, change: Callable[[npt.NDArray[np.int64]], npt.NDArray[np.int64]]) -> Rearrange:
    """What a function of NumPy, which moves entries only, does to one point of this shape."""
    index = np.arange(math.prod(shape)).reshape(shape)
    places = np.asarray(change(index))
    if places.size > MOST_NUMBERS:
        raise Unreadable(f"a value would have {places.size} entries")
    return Rearrange(places, shape)


def batch_norm(name: str, scale: Floats, shift: Floats, mean: Floats, variance: Floats, epsilon: float) -> Scale:
    """BatchNorm as it is when a trained network is used: a factor and a constant for each channel."""
    if np.any(variance + epsilon <= 0):
        raise Unreadable(f"{name} has a variance that is not positive")
    factor = scale / np.sqrt(variance + epsilon)
    return Scale(factor, shift - factor * mean, np.abs(shift) + np.abs(factor * mean))
