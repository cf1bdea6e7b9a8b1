"""Live networks of PyTorch: traced with `torch.export`, followed as a program, and compared with the module itself."""

from __future__ import annotations

import copy
import logging
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from verify.networks import CircularCNN, FullyConnected, LeakyResNet
from verify.trained.checking import compared, random_points
from verify.trained.files import Unreadable
from verify.trained.networks import checked
from verify.trained.programs import (
    Activation,
    Convolution,
    Dense,
    Floats,
    Join,
    Largest,
    Mean,
    Operation,
    Product,
    Program,
    Scale,
    Shape,
    Sum,
    Window,
    batch_norm,
    rearranged,
)
from verify.trained.recognising import recognised, scaled
from verify.trained.traced import AnyNetwork, LayersAlone, NamedWeight

COUNT = 7
"""Points that a module is traced with: where a shape says 7 first, it is their number."""
READ = "linear layers, convolutions, BatchNorm, activations, pooling, sums and products, and what moves entries of a point"
OUTSIDE: Mapping[str, str] = {
    "layer_norm": "LayerNorm is outside of the theory",
    "rms_norm": "normalisation by the point is outside of the theory",
    "group_norm": "normalisation by the point is outside of the theory",
    "instance_norm": "normalisation by the point is outside of the theory",
    "softmax": "softmax, as attention has it, is outside of the theory",
    "log_softmax": "softmax is outside of the theory",
    "scaled_dot_product_attention": "attention is outside of the theory",
    "matmul": "a product of values, as attention has it, is outside of the theory",
    "bmm": "a product of values, as attention has it, is outside of the theory",
    "embedding": "an embedding of words is outside of the theory",
    "_native_multi_head_attention": "attention is outside of the theory",
}


@dataclass(frozen=True)
class Value:
    """What an argument refers to: the result of another call, the input, or a tensor, by name."""

    name: str


@dataclass(frozen=True)
class Call:
    """One operator of a traced module: its name without the overload, and its arguments in their order."""

    name: str
    operator: str
    arguments: Sequence[Any]
    options: Mapping[str, Any] = field(default_factory=dict)


def from_module(model: Any, shape: Shape | None = None) -> tuple[AnyNetwork, str]:
    """The network of a ``torch.nn.Module`` as it is when used (``eval``), or `model` itself if it is one of the engine; and
    what is folded, see `scaled`.

    Parameters
    ----------
    shape
        Of one point; by default that of the inputs of the first linear layer.

    Raises
    ------
    Unreadable
        An operator is not followed: it is named. Or the module gives something else at ten random points.
    TypeError
        It is no module at all.
    """
    if isinstance(model, FullyConnected | LeakyResNet | CircularCNN):
        return model, ""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(model, torch.nn.Module):
        raise TypeError(f"network must be one of verify.networks, a torch.nn.Module or a path, got {model!r}")
    return _traced(torch, model, shape)


def trusted_module(path: Path, shape: Shape | None, image: Sequence[int] | None) -> tuple[AnyNetwork, str]:
    """As `from_module`, of a whole module in a file, at points of this shape: loading it runs what the file names.

    Raises
    ------
    Unreadable
        PyTorch is missing, or it is no module.
    """
    try:
        import torch
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise Unreadable("reading a whole module needs PyTorch: pip install torch, or save model.state_dict()") from error
    try:
        model = torch.load(path, map_location="cpu", weights_only=False)
    except Exception as error:  # the file runs what it names, which raises what it likes
        raise Unreadable(f"the module cannot be loaded: {type(error).__name__}: {_first_line(error)}") from error
    if not isinstance(model, torch.nn.Module):
        raise Unreadable(f"this holds a {type(model).__name__}, no module")
    return _traced(torch, model, _shape_of(model, image) if shape is None else shape)


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0][:200]


def _shape_of(model: Any, image: Sequence[int] | None) -> Shape:
    """The shape of a point, as the first layer takes it."""
    for module in model.modules():
        if hasattr(module, "in_features"):
            return (int(module.in_features),)
        if hasattr(module, "in_channels"):
            if image is None:
                raise Unreadable(
                    "the module begins with a convolution: give points, or --image, which say how large images are"
                )
            return (int(module.in_channels), *image)
    raise Unreadable("the module has no linear layer: give points, which say what it takes")


def _traced(torch: Any, model: Any, shape: Shape | None) -> tuple[AnyNetwork, str]:
    module = copy.deepcopy(model).cpu().eval()
    shape = _shape_of(module, None) if shape is None else tuple(shape)
    numbers = [parameter for parameter in module.parameters() if parameter.is_floating_point()]
    dtype = numbers[0].dtype if numbers else torch.float32
    if dtype not in (torch.float32, torch.float64) or any(number.dtype != dtype for number in numbers):
        raise Unreadable(
            f"the module must hold float32 or float64 alone, got {', '.join(sorted({str(n.dtype) for n in numbers}))}"
        )
    try:
        # it logs what it raises, many lines of it
        logging.disable(logging.CRITICAL)
        traced = torch.export.export(module, (torch.zeros((COUNT, *shape), dtype=dtype),))
    except Exception as error:  # the module raises what it likes, and the trace has many classes
        raise Unreadable(f"torch.export cannot trace the module: {_first_line(error)}") from error
    finally:
        logging.disable(logging.NOTSET)
    calls, tensors, names = _calls_of(torch, traced)
    program_or_layers = followed(calls, tensors, shape, names)
    if isinstance(program_or_layers, LayersAlone):
        named = [(name, parameter) for name, parameter in module.named_parameters() if parameter.dim() >= 2]
        layers = [
            NamedWeight(
                name, checked(name, parameter.detach().double().numpy()), _bias_of(dict(module.named_parameters()), name)
            )
            for name, parameter in named
        ]
        return LayersAlone(layers, program_or_layers.reason), ""
    network = recognised(program_or_layers)
    points = random_points(shape)
    with torch.no_grad():
        inputs = torch.as_tensor(points, dtype=dtype)
        try:
            outputs = [module(inputs), module(inputs[:1])]
        except Exception as error:  # as above
            raise Unreadable(f"the module refuses {len(points)} points: {_first_line(error)}") from error
    for batch, output in zip((inputs, inputs[:1]), outputs, strict=True):
        unit = 2.0**-24 if dtype == torch.float32 else 2.0**-53
        compared(program_or_layers, network, batch.double().numpy(), output.double().numpy(), "the module", unit)
    return network, scaled(program_or_layers, network)


def _bias_of(parameters: Mapping[str, Any], name: str) -> Floats | None:
    start, dot, last = name.rpartition(".")
    bias = parameters.get(f"{start}{dot}{last.replace('weight', 'bias')}") if "weight" in last else None
    return None if bias is None else checked(f"the bias of {name}", bias.detach().double().numpy())


def _calls_of(torch: Any, traced: Any) -> tuple[list[Call], dict[str, Floats], tuple[str, str]]:
    """The operators of a trace, the tensors by name, and the names of the input and of the output."""
    tensors: dict[str, Any] = {}
    signature = traced.graph_signature
    state_names = {
        **signature.inputs_to_parameters,
        **signature.inputs_to_buffers,
        **signature.inputs_to_lifted_tensor_constants,
    }
    state = {**traced.state_dict, **traced.constants}
    calls: list[Call] = []
    inputs, output = [], ""

    def plain(argument: Any) -> Any:
        if isinstance(argument, torch.fx.Node):
            return Value(argument.name)
        if isinstance(argument, list | tuple):
            return [plain(entry) for entry in argument]
        return argument if isinstance(argument, int | float | bool | str | None) else str(argument)

    for node in traced.graph.nodes:
        if node.op == "placeholder":
            if node.name in state_names:
                tensor = state[state_names[node.name]].detach()
                name = state_names[node.name]
                tensors[node.name] = (
                    tensor.numpy() if not tensor.is_floating_point() else checked(name, tensor.double().numpy())
                )
            else:
                inputs.append(node.name)
        elif node.op == "call_function":
            operator = str(getattr(node.target, "_opname", getattr(node.target, "__name__", node.target)))
            calls.append(
                Call(node.name, operator, plain(node.args), {key: plain(argument) for key, argument in node.kwargs.items()})
            )
        elif node.op == "output":
            results = plain(node.args)[0]
            if not isinstance(results, list) or len(results) != 1 or not isinstance(results[0], Value):
                raise Unreadable(f"a network has one output, the module gives {len(results)}")
            output = results[0].name
    if len(inputs) != 1:
        raise Unreadable(f"a network has one input, the module takes {len(inputs)}")
    return calls, tensors, (inputs[0], output)


def followed(
    calls: Sequence[Call], tensors: Mapping[str, Any], shape: Shape, names: tuple[str, str], count: int = COUNT
) -> Program | LayersAlone:
    """The program of the operators of a trace with `count` points; of what is outside of the theory the reason only.

    Raises
    ------
    Unreadable
        An operator is not followed.
    """
    program = Program(shape)
    values: dict[str, Any] = {names[0]: 0}
    outside = next((call for call in calls if call.operator in OUTSIDE), None)
    if outside is not None:
        return LayersAlone([], f"{outside.name}: {OUTSIDE[outside.operator]}")
    for call in calls:
        state = _State(program, values, tensors, count)
        try:
            values[call.name] = _follow(state, call)
        except Unreadable:
            raise
        except (ValueError, TypeError, IndexError, KeyError, OverflowError) as error:
            raise Unreadable(f"{call.name} ({call.operator}) cannot be followed: {_first_line(error)}") from error
    if not isinstance(values.get(names[1]), int):
        raise Unreadable("the output does not depend on the input")
    program.output = values[names[1]]
    if not any(isinstance(step.operation, Dense | Convolution) for step in program.needed().steps):
        raise Unreadable("there is no layer with weights between the input and the output")
    return program


@dataclass(frozen=True)
class _State:
    program: Program
    values: Mapping[str, Any]
    tensors: Mapping[str, Any]
    count: int

    def value(self, argument: Any) -> int:
        """The place of a value of the network."""
        if isinstance(argument, Value) and argument.name in self.values:
            return int(self.values[argument.name])
        raise Unreadable(f"{argument!r} is no value of the network")

    def numbers(self, argument: Any) -> Floats | None:
        """The numbers of a tensor, or None for none."""
        if argument is None:
            return None
        if isinstance(argument, Value) and argument.name in self.tensors:
            return checked(argument.name, self.tensors[argument.name])
        raise Unreadable(f"{argument!r} is computed, and no tensor of the module")

    def shape(self, argument: Any) -> Shape:
        """Shape of one point of a value."""
        return self.program.shapes[self.value(argument)]


def _follow(state: _State, call: Call) -> int:
    name, arguments = f"{call.name} ({call.operator})", list(call.arguments)
    operator = call.operator
    if operator in ("add", "sub", "mul", "div"):
        return _combined(state, call, name)
    if operator in ("cat", "concat"):
        parts, axis = arguments[0], int(call.options.get("dim", arguments[1] if len(arguments) > 1 else 0))
        axis %= len(state.shape(parts[0])) + 1
        if not axis:
            raise Unreadable(f"{name} joins points")
        return state.program.add(name, Join(axis - 1), *map(state.value, parts))
    value = state.value(arguments[0])
    operation = _operation(state, call, name)
    if operation is None:
        return value
    label = arguments[1].name if operator in _LAYERS and isinstance(arguments[1], Value) else name
    return state.program.add(label, operation, value)


_LAYERS = ("linear", "conv1d", "conv2d", "conv3d")
_SAME = (
    "dropout",
    "alias",
    "clone",
    "contiguous",
    "detach",
    "detach_",
    "identity",
    "feature_dropout",
    "alpha_dropout",
    "dropout_",
)
_FUNCTIONS = {"tanh": "tanh", "sigmoid": "sigmoid", "silu": "silu", "erf": "erf"}
_MOVING = ("flatten", "view", "reshape", "unsqueeze", "squeeze", "permute", "transpose", "pad", "slice", "_unsafe_view")


def _operation(state: _State, call: Call, name: str) -> Operation | None:
    """What an operator of one value computes; None if it is the value itself."""
    operator, arguments, options = call.operator.removesuffix("_"), list(call.arguments), dict(call.options)
    shape = state.shape(arguments[0])
    if operator in _SAME:
        train = options.get("train", arguments[2] if len(arguments) > 2 else False)
        if "dropout" in operator and train:
            raise Unreadable(f"{name} draws numbers: the module is in training mode")
        return None
    if operator == "to" and not any(isinstance(argument, str) and "float" not in argument for argument in arguments[1:]):
        return None
    if operator == "linear":
        weight, bias = state.numbers(arguments[1]), state.numbers(arguments[2] if len(arguments) > 2 else None)
        assert weight is not None
        return Dense(weight, np.zeros(len(weight)) if bias is None else bias)
    if operator in _LAYERS:
        return _convolution(state, arguments, options, shape)
    if operator == "batch_norm":
        return _normalisation(state, arguments, name, shape)
    if operator in _MOVING:
        return _moved(state, operator, arguments, options, name, shape)
    if "pool" in operator or operator == "mean":
        return _pooling(operator, arguments, options, name, shape)
    operation = _activation(operator, arguments, options, state)
    if operation is None:
        raise Unreadable(f"{name} is not one of the operators that are read: {READ}")
    if unknown := sorted(set(options) - ({"approximate"} if operator == "gelu" else set())):
        raise Unreadable(f"{name} has the option {unknown[0]}={options[unknown[0]]}, which is not followed")
    return operation


def _activation(operator: str, arguments: Sequence[Any], options: Mapping[str, Any], state: _State) -> Activation | None:
    settings = list(arguments[1:])
    if operator in _FUNCTIONS:
        return Activation(_FUNCTIONS[operator])
    if operator == "relu":
        return Activation("slopes")
    if operator == "leaky_relu":
        return Activation("slopes", float(settings[0] if settings else 0.01))
    if operator == "prelu":
        slope = state.numbers(settings[0])
        if slope is None or slope.size != 1:
            raise Unreadable("prelu has a slope for each channel: one for all is followed")
        return Activation("slopes", float(slope.reshape(())))
    if operator == "gelu":
        return Activation("gelu_tanh" if options.get("approximate", settings[0] if settings else "none") == "tanh" else "gelu")
    if operator == "elu" and settings[1:] in ([], [1], [1, 1]):
        return Activation("elu", numbers=(float(settings[0] if settings else 1.0),))
    if operator == "selu":
        return Activation("selu", numbers=(1.6732632423543772, 1.0507009873554805))
    if operator == "softplus" and not settings:
        return Activation("softplus")
    if operator == "relu6":
        return Activation("cut", numbers=(0.0, 6.0))
    if operator == "hardtanh":
        low, high = [*settings, -1.0, 1.0][:2] if not settings else settings[:2]
        return Activation("cut", numbers=(float(low), float(high)))
    return None


def _numbers_of(setting: Any, axes: int) -> Shape:
    numbers = [setting] * axes if isinstance(setting, int) else list(setting)
    return tuple(int(length) for length in (numbers * axes if len(numbers) == 1 else numbers))


def _convolution(state: _State, arguments: Sequence[Any], options: Mapping[str, Any], shape: Shape) -> Operation:
    keys = ("bias", "stride", "padding", "dilation", "groups")
    settings = dict(zip(keys, arguments[2:], strict=False)) | dict(options)
    weight, bias = state.numbers(arguments[1]), state.numbers(settings.get("bias"))
    assert weight is not None
    lengths = weight.shape[2:]
    axes = len(lengths)
    strides, dilations = _numbers_of(settings.get("stride", 1), axes), _numbers_of(settings.get("dilation", 1), axes)
    padding = settings.get("padding", 0)
    before: Sequence[int]
    after: Sequence[int]
    if padding == "same":
        wanted = [gap * (size - 1) for gap, size in zip(dilations, lengths, strict=True)]
        before, after = [padding // 2 for padding in wanted], [padding - padding // 2 for padding in wanted]
    else:
        before = after = _numbers_of(0 if padding == "valid" else padding, axes)
    window = Window(lengths, strides, tuple(before), tuple(after), dilations)
    if len(shape) != axes + 1:
        raise ValueError(f"filters of shape {weight.shape} meet points of shape {shape}")
    return Convolution(weight, np.zeros(len(weight)) if bias is None else bias, window, int(settings.get("groups", 1)))


def _normalisation(state: _State, arguments: Sequence[Any], name: str, shape: Shape) -> Operation:
    if arguments[5]:
        raise Unreadable(f"{name} is in training mode, or keeps no statistics: it depends on the other points")
    scale, shift, mean, variance = (state.numbers(argument) for argument in arguments[1:5])
    if mean is None or variance is None:
        raise Unreadable(f"{name} keeps no statistics: it depends on the other points")
    by_channel = (-1, *[1] * (len(shape) - 1))
    scale = np.ones_like(mean) if scale is None else scale
    shift = np.zeros_like(mean) if shift is None else shift
    scale, shift, mean, variance = (array.reshape(by_channel) for array in (scale, shift, mean, variance))
    return batch_norm(name, scale, shift, mean, variance, float(arguments[7]))


def _moved(
    state: _State, operator: str, arguments: Sequence[Any], options: Mapping[str, Any], name: str, shape: Shape
) -> Operation | None:
    settings = list(arguments[1:])
    if operator in ("flatten", "view", "reshape", "_unsafe_view", "unsqueeze", "squeeze"):
        return _reshaped(state.count, operator, settings, name, shape)
    if operator in ("permute", "transpose"):
        return _turned(operator, settings, name, shape)
    if operator == "slice":
        return _sliced(state.count, settings, name, shape)
    return _padding(settings, options, name, shape)


def _reshaped(count: int, operator: str, settings: Sequence[Any], name: str, shape: Shape) -> Operation:
    rank = len(shape) + 1
    if operator == "flatten":
        first, last = (int(place) % rank for place in [*settings, *[0, -1][len(settings) :]][:2])
        if not first:
            raise Unreadable(f"{name} joins points with others")
        wanted = (*shape[: first - 1], math.prod(shape[first - 1 : last]), *shape[last:])
        return rearranged(shape, lambda index: index.reshape(wanted))
    if operator == "unsqueeze":
        place = int(settings[0]) % (rank + 1)
        if not place:
            raise Unreadable(f"{name} puts an axis before that of the points")
        return rearranged(shape, lambda index: np.expand_dims(index, place - 1))
    if operator == "squeeze":
        places = settings[0] if settings and isinstance(settings[0], list) else settings
        axes = [int(place) % rank for place in places] if settings else [k for k in range(1, rank) if shape[k - 1] == 1]
        if not settings or 0 in axes:
            raise Unreadable(f"{name} takes away the axis of the points where there is one point")
        kept = tuple(length for k, length in enumerate(shape, start=1) if k not in axes or length != 1)
        return rearranged(shape, lambda index: index.reshape(kept))
    target = [int(place) for place in settings[0]]
    if -1 in target:
        target[target.index(-1)] = count * math.prod(shape) // abs(math.prod(target))
    if target[0] != count or math.prod(target) != count * math.prod(shape):
        raise Unreadable(f"{name} reshapes points of shape {shape} to {target[1:]}, or mixes points")
    return rearranged(shape, lambda index: index.reshape(target[1:]))


def _turned(operator: str, settings: Sequence[Any], name: str, shape: Shape) -> Operation:
    rank = len(shape) + 1
    order = list(range(rank))
    if operator == "permute":
        order = [int(place) % rank for place in settings[0]]
    else:
        first, second = (int(place) % rank for place in settings[:2])
        order[first], order[second] = order[second], order[first]
    if order[0]:
        raise Unreadable(f"{name} moves the axis of the points")
    return rearranged(shape, lambda index: np.transpose(index, [axis - 1 for axis in order[1:]]))


def _sliced(count: int, settings: Sequence[Any], name: str, shape: Shape) -> Operation | None:
    axis, start, end, step = [*settings, *[0, None, None, 1][len(settings) :]][:4]
    axis = int(axis or 0) % (len(shape) + 1)
    if not axis:
        if start in (None, 0) and (end is None or end >= count) and step == 1:
            return None
        raise Unreadable(f"{name} leaves out points")
    slices = [slice(None)] * len(shape)
    slices[axis - 1] = slice(start, end, step)
    return rearranged(shape, lambda index: index[tuple(slices)])


def _padding(settings: Sequence[Any], options: Mapping[str, Any], name: str, shape: Shape) -> Operation:
    """Widths come from the last axis to the first, two for each."""
    mode = options.get("mode", settings[1] if len(settings) > 1 else "constant")
    value = options.get("value", settings[2] if len(settings) > 2 else None)
    widths = [(0, 0)] * len(shape)
    for place in range(len(settings[0]) // 2):
        widths[len(shape) - 1 - place] = (int(settings[0][2 * place]), int(settings[0][2 * place + 1]))
    modes: Mapping[str, Any] = {"circular": "wrap", "reflect": "reflect", "replicate": "edge"}
    if min(map(min, widths)) < 0 or (mode == "constant" and value) or (mode != "constant" and mode not in modes):
        raise Unreadable(f"{name} pads in a way that is not followed: {mode}, {widths}")
    if mode == "constant":
        return rearranged(shape, lambda index: np.pad(index, widths, constant_values=-1))
    return rearranged(shape, lambda index: np.pad(index, widths, mode=modes[mode]))


def _pooling(operator: str, arguments: Sequence[Any], options: Mapping[str, Any], name: str, shape: Shape) -> Operation:
    image = shape[1:]
    axes = len(image)
    positional = list(arguments[1:])
    zeros, ones = (0,) * axes, (1,) * axes
    global_mean = Mean(Window(image, ones, zeros, zeros, ones), True)
    if operator == "mean":
        places = sorted(
            int(place) % (len(shape) + 1)
            for place in (positional[0] if positional and isinstance(positional[0], list) else positional[:1])
        )
        keeps = options.get("keepdim", positional[1] if len(positional) > 1 else False)
        if places != list(range(2, len(shape) + 1)) or not axes or not keeps:
            raise Unreadable(f"{name} takes other means than over all places of an image, with their axes kept")
        return global_mean
    if operator.startswith("adaptive_avg_pool"):
        lengths = _numbers_of(positional[0], axes)
        if any(length % size for length, size in zip(image, lengths, strict=True)):
            raise Unreadable(f"{name} pools {image} to {lengths}: windows would differ in size")
        parts = tuple(length // size for length, size in zip(image, lengths, strict=True))
        return Mean(Window(parts, parts, zeros, zeros, ones), True)
    largest = operator.startswith("max_pool")
    if not largest and not operator.startswith("avg_pool"):
        raise Unreadable(f"{name} is not one of the operators that are read: {READ}")
    keys = (
        ("kernel", "stride", "padding", "dilation", "ceil_mode")
        if largest
        else ("kernel", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override")
    )
    settings = dict(zip(keys, positional, strict=False)) | dict(options)
    lengths = _numbers_of(settings["kernel"], axes)
    strides = _numbers_of(settings.get("stride") or list(lengths), axes)
    pads, dilations = _numbers_of(settings.get("padding", 0), axes), _numbers_of(settings.get("dilation", 1), axes)
    if settings.get("ceil_mode") or settings.get("divisor_override"):
        raise Unreadable(f"{name} lets windows end outside of the image, or divides by another number")
    window = Window(lengths, strides, pads, pads, dilations)
    return Largest(window) if largest else Mean(window, bool(settings.get("count_include_pad", True)))


def _combined(state: _State, call: Call, name: str) -> int:
    left, right = call.arguments[:2]
    program = state.program
    if call.options.get("alpha", 1) != 1 or call.options.get("rounding_mode") is not None:
        raise Unreadable(f"{name} has options that are not followed: {dict(call.options)}")
    are_values = [isinstance(side, Value) and side.name in state.values for side in (left, right)]
    if all(are_values):
        places = state.value(left), state.value(right)
        if call.operator == "div":
            raise Unreadable(f"{name} divides by values of the network")
        if call.operator == "mul":
            return program.add(name, Product(), *places)
        return program.add(name, Sum(1.0 if call.operator == "add" else -1.0), *places)
    value, operand = (left, right) if are_values[0] else (right, left)
    shape = state.shape(value)
    numbers = np.asarray(float(operand)) if isinstance(operand, int | float) else state.numbers(operand)
    assert numbers is not None
    if numbers.ndim == len(shape) + 1 and len(numbers) == 1:
        numbers = numbers[0]
    unit_factor, no_shift = np.ones(1), np.zeros(1)
    build: Mapping[str, Callable[[], Scale]] = {
        "add": lambda: Scale(unit_factor, numbers),
        "sub": lambda: Scale(unit_factor, -numbers) if are_values[0] else Scale(-unit_factor, numbers),
        "mul": lambda: Scale(numbers, no_shift),
        "div": lambda: Scale(1 / numbers, no_shift),
    }
    if call.operator == "div" and (not are_values[0] or np.any(numbers == 0)):
        raise Unreadable(f"{name} divides by values of the network, or by 0")
    return program.add(name, build[call.operator](), state.value(value))
