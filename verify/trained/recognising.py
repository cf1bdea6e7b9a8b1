"""The networks of the engine in a program: chains of matrices, circular convolutions, leaky ResNets."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from verify.networks import LeakyResNet
from verify.trained.networks import Layer, Network, circular_cnn, fully_connected
from verify.trained.programs import Activation, Convolution, Dense, Floats, Program, Rearrange, Scale, Step, Sum
from verify.trained.traced import AnyNetwork, TracedNetwork

SAME = 1e-6
"""Two numbers of float32 that should be one differ by less, relative to the larger."""


def recognised(program: Program) -> AnyNetwork:
    """The network of the engine that computes this, or the program as a `TracedNetwork`."""
    folded = fold(program)
    return _chain(folded) or _circular(folded) or _leaky_resnet(folded) or TracedNetwork(folded)


def scaled(program: Program, network: AnyNetwork) -> str:
    """Which factors and constants of a program are no biases, in a line: norms have them inside; empty where there are none."""
    if isinstance(network, LeakyResNet):
        return ""  # its leak and steps are made of them
    steps = program.needed().steps
    names = [step.name for step in steps if isinstance(step.operation, Scale) and not _is_bias(step, steps)]
    if not names:
        return ""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    remains = isinstance(network, TracedNetwork) and any(isinstance(one.operation, Scale) for one in network.program.steps)
    left = ", and what has no layer beside it is in none" if remains else ""
    return f"folded into the layers beside: {', '.join(names[:3])}{more}; norms are those of the folded weights{left}"


def _is_bias(step: Step, steps: Sequence[Step]) -> bool:
    """Whether a scale adds to a layer without a bias, and nothing else."""
    layer = steps[step.sources[0] - 1].operation if step.sources[0] else None
    is_free = isinstance(layer, Dense | Convolution) and not np.any(layer.bias)
    return is_free and isinstance(step.operation, Scale) and bool(np.all(step.operation.factor == 1))


def fold(program: Program) -> Program:
    """The program with factors and constants, such as those of BatchNorm, inside the layers beside them."""
    steps = program.needed()
    while True:
        users = Counter(source for step in steps.steps for source in step.sources) + Counter([steps.output])
        folded = Program(steps.input_shape)
        places = {0: 0}
        for place, step in enumerate(steps.steps, start=1):
            sources = tuple(places[source] for source in step.sources)
            before = folded.steps[sources[0] - 1] if sources[0] else None
            if isinstance(step.operation, Rearrange) and step.operation.keeps_all:
                places[place] = sources[0]
                continue
            if before is not None and users[step.sources[0]] == 1 and (joined := _joined(before, step)) is not None:
                places[place] = folded.add(joined.name, joined.operation, *before.sources)
            else:
                places[place] = folded.add(step.name, step.operation, *sources)
        folded.output = places[steps.output]
        shorter = folded.needed()
        if len(shorter.steps) == len(steps.steps):
            return shorter
        steps = shorter


def _joined(before: Step, after: Step) -> Step | None:
    """One step for a layer and a scale beside it, or for two scales; None if it takes both."""
    first, second = before.operation, after.operation
    if isinstance(second, Scale):
        if isinstance(first, Scale):
            return Step(before.name, Scale(first.factor * second.factor, first.shift * second.factor + second.shift), ())
        if isinstance(first, Dense | Convolution):
            axes = 0 if isinstance(first, Dense) else first.weight.ndim - 2
            factor, shift = (_by_output(array, len(first.weight), axes) for array in (second.factor, second.shift))
            if factor is not None and shift is not None:
                weight = first.weight * factor.reshape(-1, *[1] * (first.weight.ndim - 1))
                bias = np.broadcast_to(first.bias * factor + shift, (len(weight),))
                if isinstance(first, Dense):
                    return Step(before.name, Dense(weight, bias), ())
                return Step(before.name, Convolution(weight, bias, first.window, first.groups), ())
    if isinstance(first, Scale) and isinstance(second, Dense):
        factor, shift = (_by_output(array, second.weight.shape[1], 0) for array in (first.factor, first.shift))
        if factor is not None and shift is not None:
            inside = np.broadcast_to(shift, (second.weight.shape[1],))
            return Step(after.name, Dense(second.weight * factor, second.bias + second.weight @ inside), ())
    return None


def _by_output(numbers: Floats, count: int, axes: int) -> Floats | None:
    """Numbers that differ by channel only, with `axes` axes behind the channel, one for each; None if they differ otherwise."""
    if numbers.size == 1:
        return numbers.reshape(1)
    axis = numbers.ndim - 1 - axes
    if axis < 0 or numbers.shape[axis] != count or numbers.size != count:
        return None
    return numbers.reshape(-1)


def _chain(program: Program) -> Network | None:
    """Matrices with one homogeneous activation between them."""
    if len(program.input_shape) != 1 or any(len(shape) != 1 for shape in program.shapes):
        return None
    alternating = _alternating(program)
    if alternating is None:
        return None
    layers = [
        Layer(step.name, step.operation.weight, step.operation.bias)
        for step in alternating[0]
        if isinstance(step.operation, Dense)
    ]
    return fully_connected(layers, alternating[1])


def _alternating(program: Program) -> tuple[list[Step], float] | None:
    """The matrices of a chain that share one activation, and its slope; without activations, 1."""
    layers: list[Step] = []
    slopes: list[float] = []
    for place, step in enumerate(program.steps):
        operation = step.operation
        if step.sources != (place,):
            return None
        if isinstance(operation, Dense):
            if len(slopes) < len(layers):
                slopes.append(1.0)
            layers.append(step)
        elif isinstance(operation, Activation) and operation.is_homogeneous and len(slopes) == len(layers) - 1:
            slopes.append(operation.slope)
        else:
            return None
    if not layers or len(slopes) != len(layers) - 1 or len(set(slopes)) > 1:
        return None
    return layers, slopes[0] if slopes else 0.0


def _circular(program: Program) -> Network | None:
    """Convolutions with circular padding that keep the size of images."""
    image = program.input_shape[1:]
    if not image or any(len(shape) != len(program.input_shape) for shape in program.shapes):
        return None
    layers: list[Layer] = []
    slopes: list[float] = []
    shift: tuple[int, ...] | None = None
    for place, step in enumerate(program.steps):
        operation = step.operation
        if step.sources != (place,):
            return None
        if isinstance(operation, Rearrange):
            shift = _wrapped(operation)
            if shift is None or program.shapes[place][1:] != image:
                return None
            if len(slopes) < len(layers):
                slopes.append(1.0)
        elif isinstance(operation, Convolution):
            if shift is None:
                if math.prod(operation.window.lengths) != 1:
                    return None
                shift = (0,) * len(image)
            plain = operation.groups == 1 and set(operation.window.strides) == set(operation.window.dilations) == {1}
            if not plain or any(operation.window.before + operation.window.after) or program.shapes[place + 1][1:] != image:
                return None
            if len(slopes) < len(layers):
                slopes.append(1.0)
            layers.append(Layer(step.name, operation.weight, operation.bias, shift))
            shift = None
        elif (
            isinstance(operation, Activation) and operation.is_homogeneous and len(slopes) == len(layers) - 1 and shift is None
        ):
            slopes.append(operation.slope)
        else:
            return None
    if not layers or len(slopes) != len(layers) - 1 or len(set(slopes)) > 1 or shift is not None:
        return None
    return circular_cnn(layers, slopes[0] if slopes else 0.0, image)


def _wrapped(operation: Rearrange) -> tuple[int, ...] | None:
    """By how much a circular padding begins before the image, by axis; None if this is none."""
    channels, *image = operation.source
    if operation.index.ndim != len(operation.source) or len(operation.index) != channels:
        return None
    places = np.unravel_index(np.maximum(operation.index, 0), operation.source)
    first = [int(place[(0,) * operation.index.ndim]) for place in places[1:]]
    shift = tuple(-start % length for start, length in zip(first, image, strict=True))
    axes = [np.arange(channels)] + [
        (np.arange(wide) - low) % length for wide, low, length in zip(operation.index.shape[1:], shift, image, strict=True)
    ]
    expected = np.ravel_multi_index(np.ix_(*axes), operation.source)
    return shift if np.array_equal(expected, operation.index) else None


@dataclass(frozen=True, eq=False)
class _Combination:
    """Of the input (None) and of activations, by their place, the factor or the matrix; and a constant."""

    factors: Mapping[int, float] = field(default_factory=dict)
    matrices: Mapping[int, Floats] = field(default_factory=dict)
    bias: Floats | float = 0.0

    def times(self, factor: float) -> _Combination:
        return _Combination(
            {place: factor * number for place, number in self.factors.items()},
            {place: factor * matrix for place, matrix in self.matrices.items()},
            factor * self.bias,
        )

    def plus(self, other: _Combination) -> _Combination:
        factors, matrices = dict(self.factors), dict(self.matrices)
        for place, factor in other.factors.items():
            factors[place] = factors.get(place, 0.0) + factor
        for place, matrix in other.matrices.items():
            matrices[place] = matrices[place] + matrix if place in matrices else matrix
        return _Combination(factors, matrices, self.bias + other.bias)


def _leaky_resnet(program: Program) -> LeakyResNet | None:
    """Layers ``A_l = c_l A_(l-1) + V_l Relu(A_(l-1)) + b_l``: the steps and the leak follow from the c_l."""
    if len(program.input_shape) != 1 or any(shape != program.input_shape for shape in program.shapes):
        return None
    combined = _combinations(program)
    if combined is None:
        return None
    values, activated = combined
    order = [*activated, None]
    before = _Combination({0: 1.0})
    ratios: list[float] = []
    weights: list[Floats] = []
    for place, following in zip(activated, order[1:], strict=True):
        source = program.steps[place - 1].sources[0]
        if not _equal(values[source], before):
            return None
        after = values[program.output if following is None else program.steps[following - 1].sources[0]]
        layer = after.matrices.get(place)
        ratio = _ratio(after, before, place)
        if layer is None or ratio is None:
            return None
        width = len(layer)
        bias = np.broadcast_to(np.asarray(after.bias) - ratio * np.asarray(before.bias), (width,))
        ratios.append(ratio)
        weights.append(np.concatenate([layer, bias[:, None]], axis=1))
        before = after
    return _with_leak(ratios, weights)


def leaky_part(program: Program) -> tuple[LeakyResNet, Dense] | None:
    """The leaky ResNet between the first step and the last, where these are matrices, and the first; None if there is none."""
    if len(program.steps) < 3 or program.output != len(program.steps):
        return None
    first, *middle, last = program.steps
    if not (isinstance(first.operation, Dense) and isinstance(last.operation, Dense) and last.sources == (len(middle) + 1,)):
        return None
    if any(0 in step.sources for step in middle) or first.sources != (0,):
        return None
    part = Program(program.shapes[1])
    for step in middle:
        part.output = part.add(step.name, step.operation, *(source - 1 for source in step.sources))
    network = _leaky_resnet(part)
    return None if network is None else (network, first.operation)


def _combinations(program: Program) -> tuple[dict[int, _Combination], list[int]] | None:
    """All values as combinations, and the places of the activations."""
    values = {0: _Combination({0: 1.0})}
    activated: list[int] = []
    for place, step in enumerate(program.steps, start=1):
        operation = step.operation
        inputs = [values[source] for source in step.sources]
        if isinstance(operation, Activation) and operation.is_homogeneous and operation.slope == 0:
            activated.append(place)
            values[place] = _Combination({place: 1.0})
        elif isinstance(operation, Dense):
            if list(inputs[0].factors.values()) != [1.0] or inputs[0].matrices or np.any(inputs[0].bias):
                return None
            (atom,) = inputs[0].factors
            values[place] = _Combination({}, {atom: operation.weight}, operation.bias)
        elif isinstance(operation, Scale) and operation.factor.size == 1 and operation.shift.ndim <= 1:
            scaled = inputs[0].times(float(operation.factor.reshape(())))
            values[place] = scaled.plus(_Combination(bias=operation.shift))
        elif isinstance(operation, Sum):
            values[place] = inputs[0].plus(inputs[1].times(operation.sign))
        else:
            return None
    return (values, activated) if activated else None


def _equal(first: _Combination, second: _Combination) -> bool:
    if first is second:
        return True
    return (
        dict(first.factors) == dict(second.factors)
        and first.matrices.keys() == second.matrices.keys()
        and all(np.array_equal(matrix, second.matrices[place]) for place, matrix in first.matrices.items())
        and bool(np.array_equal(first.bias, second.bias))
    )


def _ratio(after: _Combination, before: _Combination, place: int) -> float | None:
    """The number c with ``after = c before + matrix times the activation at place + constant``; None if there is none."""
    first, second = before.factors.get(0, 0.0), after.factors.get(0, 0.0)
    ratio = second / first if first else 0.0
    if set(after.factors) - {0} or set(before.factors) - {0} or place in before.matrices:
        return None
    other_places = set(after.matrices) - {place}
    if other_places != (set(before.matrices) if ratio else set()):
        return None
    for other_place in other_places:
        matrix = before.matrices[other_place]
        if np.abs(after.matrices[other_place] - ratio * matrix).max() > SAME * abs(ratio) * np.abs(matrix).max():
            return None
    return ratio


def _with_leak(ratios: Sequence[float], weights: Sequence[Floats]) -> LeakyResNet | None:
    losses: npt.NDArray[np.float64] = 1 - np.array(ratios)
    leak = float(losses.sum())
    # a residual network without a leak is one, too: all its steps are of one length
    if np.any(losses < 0) or (np.any(losses == 0) and leak > 0):
        return None
    steps = losses / leak if leak > 0 else np.full(len(losses), 1 / len(losses))
    try:
        return LeakyResNet([weight / step for weight, step in zip(weights, steps, strict=True)], np.asarray(leak), steps)
    except ValueError:
        return None
