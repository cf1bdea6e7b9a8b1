"""ONNX models: the operators are followed as steps of a program, and compared with the format's own evaluator."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.trained.checking import compared, random_points
from verify.trained.files import MOST_BYTES, MOST_NUMBERS, Unreadable, check_names, check_parts, content, opened
from verify.trained.networks import checked
from verify.trained.programs import (
    AT_ONCE,
    Activation,
    Convolution,
    Dense,
    Floats,
    Join,
    Largest,
    Mean,
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

READ = (
    "Gemm, MatMul, Conv, BatchNormalization, activations of one number, Add, Sub, Mul, Div, pooling, Pad, and what moves "
    "entries without mixing points"
)
"""The operators that are followed."""
OUTSIDE = {
    "Softmax": "Softmax is outside of the theory",
    "LogSoftmax": "LogSoftmax is outside of the theory",
    "LayerNormalization": "LayerNorm is outside of the theory",
    "InstanceNormalization": "normalisation by image is outside of the theory",
    "GroupNormalization": "normalisation by group is outside of the theory",
    "ReduceMean": "means over entries, as LayerNorm takes them, are outside of the theory",
    "Sqrt": "a root of values, as in LayerNorm, is outside of the theory",
    "Pow": "a power of values, as in LayerNorm, is outside of the theory",
    "MatMul": "attention multiplies values by one another, which is outside of the theory",
    "Div": "a division by values, as in LayerNorm, is outside of the theory",
}
"""Operators after which only the layers are known, each by itself."""
ALWAYS_OUTSIDE = frozenset({"Softmax", "LogSoftmax", "LayerNormalization", "InstanceNormalization", "GroupNormalization"})
OPSETS = range(9, 27)
"""Versions of the operators whose meaning is followed."""
IR_VERSIONS = range(4, 15)
DYNAMIC = 7919
"""The number of points that stands for any: a prime that no shape has."""


@dataclass(eq=False)
class _Outside:
    """A value that is not followed, and why; its shape is not known."""

    reason: str


@dataclass(eq=False)
class _Graph:
    """What is known while the operators are followed."""

    program: Program
    count: int
    constants: dict[str, npt.NDArray[Any]]
    values: dict[str, int | _Outside] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    computed: int = 0


@dataclass(frozen=True, eq=False)
class _Node:
    """One operator, with what its inputs are: a value of the network, or numbers, or nothing."""

    operator: str
    name: str
    attributes: Mapping[str, Any]
    inputs: Sequence[str]
    values: Sequence[int | None]
    numbers: Sequence[npt.NDArray[Any] | None]

    def number(self, place: int) -> npt.NDArray[Any] | None:
        """The numbers at an input, if it is given."""
        if place >= len(self.inputs) or not self.inputs[place]:
            return None
        number = self.numbers[place]
        if number is None:
            raise Unreadable(f"{self.name} is not followed: its input {self.inputs[place]} is computed")
        return number

    def axes(self, place: int) -> npt.NDArray[np.int64] | None:
        """Axes, or other integers, that are an input or an attribute, as versions have it."""
        axes = self.number(place)
        if axes is None and "axes" in self.attributes:
            axes = np.asarray(self.attributes["axes"])
        return None if axes is None else np.atleast_1d(axes).astype(np.int64)


def from_onnx(path: Path, image: Sequence[int] | None = None, shape: Shape | None = None) -> tuple[AnyNetwork, str]:
    """The network of an ONNX model, which gives what the model gives at ten random points; and what is folded, see `scaled`.

    Parameters
    ----------
    image, shape
        Lengths of images, and the shape of a point, where the model does not say.

    Raises
    ------
    Unreadable
        The package onnx is missing, the file is no model, an operator is not followed (the node is named), or the format's own
        evaluator gives something else.
    OSError
        The file cannot be opened.
    """
    try:
        import onnx
    except ModuleNotFoundError as error:
        if error.name != "onnx":
            raise
        raise Unreadable("reading a .onnx file needs the package onnx: pip install 'deep-l2-verify[onnx]'") from error
    data = content(path)
    try:
        model = onnx.ModelProto.FromString(data)
    except Exception as error:  # protobuf's errors have no common class
        raise Unreadable(f"this is no ONNX model: {_first_line(error)}") from error
    del data
    _check_head(model)
    _load_numbers(model, path.parent)
    _check(model, full=False)
    graph = _followed(model, image, shape)
    result = graph.values.get(model.graph.output[0].name)
    if result is None:
        raise Unreadable(f"the output {model.graph.output[0].name} does not depend on the input")
    if isinstance(result, _Outside):
        layers = _layers_of(model.graph.node, graph.constants)
        if not layers:
            raise Unreadable(f"{result.reason}, and there are no layers")
        return LayersAlone(layers, result.reason), ""
    graph.program.output = result
    if not any(isinstance(step.operation, Dense | Convolution) for step in graph.program.needed().steps):
        raise Unreadable("there is no layer with weights between the input and the output")
    network = recognised(graph.program)
    _compare(model, graph, network)
    # last, for the inference of shapes ends the process at sizes that fit nowhere
    _check(model, full=True)
    return network, scaled(graph.program, network)


def _check(model: Any, *, full: bool) -> None:
    """What the format's checker says; `full` compares the shapes and types that the model states with those that follow."""
    from onnx import checker

    try:
        checker.check_model(model, full_check=full)
    except Exception as error:  # the checker's and those of the inference of shapes have no common class
        raise Unreadable(f"this is no ONNX model: {_first_line(error)}") from error


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:200]


def _check_head(model: Any) -> None:
    for named in [*model.opset_import, *model.graph.node]:
        if named.domain == "ai.onnx":
            named.domain = ""  # the two names of the standard
    foreign = sorted({node.domain for node in model.graph.node} - {""})
    # exporters import domains of which they use nothing
    versions = {imported.version for imported in model.opset_import if not imported.domain}
    if foreign or len(versions) != 1 or model.functions:
        others = f": it has operators of {', '.join(foreign)[:100]}" if foreign else ""
        raise Unreadable(f"this is no ONNX model with the operators of the standard alone{others}")
    (version,) = versions
    if version not in OPSETS or model.ir_version not in IR_VERSIONS:
        raise Unreadable(
            f"the model has the version {version} of the operators and {model.ir_version} of the format: {OPSETS[0]} to "
            f"{OPSETS[-1]} and {IR_VERSIONS[0]} to {IR_VERSIONS[-1]} are read"
        )
    if model.graph.sparse_initializer or model.training_info:
        raise Unreadable("the model has sparse weights or a part for training, which are not read")


def _tensors(model: Any) -> list[Any]:
    constants = [attribute.t for node in model.graph.node for attribute in node.attribute if attribute.HasField("t")]
    return [*model.graph.initializer, *constants]


def _load_numbers(model: Any, folder: Path) -> None:
    """The numbers that stand in another file of the same folder; sizes are checked before."""
    from onnx import TensorProto, external_data_helper

    tensors = _tensors(model)
    check_parts(max(len(tensors), len(model.graph.node)), "nodes or tensors")
    check_names(named.name for named in [*tensors, *model.graph.node])
    total = 0
    for tensor in tensors:
        if any(length < 0 for length in tensor.dims):
            raise Unreadable(f"this is no ONNX model: {tensor.name} has the shape {tuple(tensor.dims)}")
        total += math.prod(tensor.dims)
    if total > MOST_NUMBERS:
        raise Unreadable(f"this has {total} numbers, at most {MOST_NUMBERS} are read")
    for tensor in tensors:
        if tensor.data_location != TensorProto.EXTERNAL:
            continue
        location = {entry.key: entry.value for entry in tensor.external_data}.get("location", "")
        if not location or Path(location).name != location:
            raise Unreadable(f"the numbers of {tensor.name} are said to be in {location!r}, which is no file beside the model")
        opened(folder / location, MOST_BYTES).close()
        try:
            external_data_helper.load_external_data_for_tensor(tensor, str(folder))
        except Exception as error:  # the helper raises what it meets
            raise Unreadable(f"the numbers of {tensor.name} cannot be read: {_first_line(error)}") from error
        tensor.data_location = TensorProto.DEFAULT
        del tensor.external_data[:]


def _followed(model: Any, image: Sequence[int] | None, shape: Shape | None) -> _Graph:
    from onnx import TensorProto, helper, numpy_helper

    graph = model.graph
    try:
        constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    except (ValueError, TypeError) as error:
        raise Unreadable(f"this is no ONNX model: {_first_line(error)}") from error
    inputs = [value for value in graph.input if value.name not in constants]
    if len(inputs) != 1 or len(graph.output) != 1:
        raise Unreadable(f"a network has one input and one output, this model has {len(inputs)} and {len(graph.output)}")
    kind = inputs[0].type.tensor_type
    if kind.elem_type not in (TensorProto.FLOAT, TensorProto.DOUBLE):
        named = TensorProto.DataType.Name(kind.elem_type)
        raise Unreadable(f"the input {inputs[0].name} must hold float or double, got the type {named}")
    lengths = [dimension.dim_value for dimension in kind.shape.dim]
    if len(lengths) < 2:
        raise Unreadable(
            f"the input {inputs[0].name} has {len(lengths)} axes: the first is that of the points, then come others"
        )
    if len(lengths) > 2 and not all(lengths[2:]) and image is not None and len(image) == len(lengths) - 2:
        lengths[2:] = image
    if shape is not None and len(shape) == len(lengths) - 1:
        lengths[1:] = [stated or given for stated, given in zip(lengths[1:], shape, strict=True)]
    if not all(lengths[1:]):
        raise Unreadable(f"the input {inputs[0].name} does not say how large the points are: give points, or --image")
    state = _Graph(Program(tuple(lengths[1:])), lengths[0] or DYNAMIC, constants)
    if math.prod(lengths[1:]) > MOST_NUMBERS:
        raise Unreadable(f"the input {inputs[0].name} has the shape {tuple(lengths[1:])}")
    state.values[inputs[0].name] = 0
    state.kinds[inputs[0].name] = kind.elem_type
    outside_node = next((node for node in graph.node if node.op_type in ALWAYS_OUTSIDE), None)
    if outside_node is not None:
        state.values[graph.output[0].name] = _Outside(
            f"the node {outside_node.name or outside_node.output[0]} ({outside_node.op_type}): {OUTSIDE[outside_node.op_type]}"
        )
        return state
    for place, node in enumerate(graph.node):
        name = f"the node {node.name or f'{place + 1} of {len(graph.node)}'} ({node.op_type})"
        attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
        try:
            _follow(state, node, attributes, name, numpy_helper.to_array)
        except Unreadable:
            raise
        except (ValueError, TypeError, IndexError, KeyError, OverflowError, ZeroDivisionError, MemoryError) as error:
            raise Unreadable(f"{name} cannot be followed: {_first_line(error)}") from error
    return state


def _follow(state: _Graph, proto: Any, attributes: Mapping[str, Any], name: str, to_array: Callable[[Any], Any]) -> None:
    operator, result = proto.op_type, proto.output[0]
    if operator == "Constant":
        state.constants[result] = _constant(attributes, name, to_array)
        return
    input_values = [state.values.get(name) for name in proto.input]
    outside = next((value for value in input_values if isinstance(value, _Outside)), None)
    if outside is None and any(proto.output[1:]) and not (operator == "Dropout" and len(proto.output) == 2):
        raise Unreadable(f"{name} has {len(proto.output)} results, of which one is followed")
    numbers = [state.constants.get(name) if name else None for name in proto.input]
    values = [value if isinstance(value, int) else None for value in input_values]
    node = _Node(operator, name, attributes, list(proto.input), values, numbers)
    if outside is not None:
        _check_padding(node)
        state.values.update(dict.fromkeys(proto.output, outside))
        return
    if all(value is None for value in input_values):
        state.constants[result] = _folded(node)
        state.computed += state.constants[result].size
        if state.computed > MOST_NUMBERS:
            raise Unreadable(f"{name} computes more than {MOST_NUMBERS} numbers of others")
        return
    if operator == "Shape":
        shape = [state.count, *state.program.shapes[_value(node, 0)]]
        state.constants[result] = np.array(
            shape[attributes.get("start", 0) : attributes.get("end", len(shape))], dtype=np.int64
        )
        return
    kinds = {state.kinds[name] for name in proto.input if name in state.kinds}
    kinds |= {_kind_of(number) for number in numbers if number is not None and number.dtype.kind == "f"}
    if len(kinds) > 1 and operator not in ("Dropout", "Clip"):
        raise Unreadable(f"{name} mixes numbers of different precisions")
    (kind,) = kinds or {1}
    if kind == DOUBLE and operator not in IN_DOUBLE:
        raise Unreadable(f"{name} works on double: evaluators have it for float only")
    followed = _operator(state, node)
    if followed is None:
        if operator in OUTSIDE:
            state.values[result] = _Outside(f"{name}: {OUTSIDE[operator]}")
            return
        raise Unreadable(f"{name} is not one of the operators that are read: {READ}")
    state.values[result] = followed
    state.kinds[result] = kind


FLOAT, DOUBLE = 1, 11
IN_DOUBLE = frozenset(
    {
        "Add",
        "BatchNormalization",
        "Concat",
        "Div",
        "Dropout",
        "Flatten",
        "Gemm",
        "Identity",
        "MatMul",
        "Mul",
        "Pad",
        "Relu",
        "Reshape",
        "Sigmoid",
        "Slice",
        "Squeeze",
        "Sub",
        "Tanh",
        "Transpose",
        "Unsqueeze",
    }
)
"""Operators that evaluators have in double precision, too."""


def _kind_of(array: npt.NDArray[Any]) -> int:
    return {np.dtype("f4"): FLOAT, np.dtype("f8"): DOUBLE}.get(array.dtype, 0)


def _constant(attributes: Mapping[str, Any], name: str, to_array: Callable[[Any], Any]) -> npt.NDArray[Any]:
    kinds = {"value_float": np.float32, "value_floats": np.float32, "value_int": np.int64, "value_ints": np.int64}
    if "value" in attributes:
        return np.asarray(to_array(attributes["value"]))
    for key, kind in kinds.items():
        if key in attributes:
            return np.asarray(attributes[key], dtype=kind)
    raise Unreadable(f"{name} holds no numbers")


def _value(node: _Node, place: int) -> int:
    value = node.values[place] if place < len(node.values) else None
    if value is None:
        raise Unreadable(f"{node.name} is not followed: its input {place + 1} is no value of the network")
    return value


def _layers_of(nodes: Sequence[Any], known: Mapping[str, npt.NDArray[Any]]) -> list[NamedWeight]:
    """The weights of all layers, where what is around them, as the transpositions of attention, is not followed."""
    from onnx import helper, numpy_helper

    constants = dict(known)
    layers: dict[str, NamedWeight] = {}
    for proto in nodes:
        attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in proto.attribute}
        numbers = [constants.get(name) for name in proto.input]
        if proto.op_type == "Constant" and "value" in attributes:
            constants[proto.output[0]] = numpy_helper.to_array(attributes["value"])
        elif proto.op_type == "Transpose" and numbers[0] is not None:
            constants[proto.output[0]] = np.transpose(numbers[0], attributes.get("perm"))
        elif proto.op_type == "Add":
            summed = next((name for name in proto.input if name in layers), "")
            _note_layer(layers, summed, layers.get(summed), next((one for one in numbers if one is not None), None))
        elif proto.op_type in ("Gemm", "MatMul", "Conv") and len(numbers) > 1 and numbers[1] is not None:
            weight = checked(proto.input[1], numbers[1])
            if weight.ndim >= 2:
                turned = weight if proto.op_type == "Conv" or attributes.get("transB", 0) else np.swapaxes(weight, -1, -2)
                layer = NamedWeight(proto.input[1], attributes.get("alpha", 1.0) * turned, None)
                bias = None if len(numbers) < 3 or numbers[2] is None else attributes.get("beta", 1.0) * numbers[2]
                _note_layer(layers, proto.output[0], layer, bias)
    return list(layers.values())


def _note_layer(
    layers: dict[str, NamedWeight], output: str, layer: NamedWeight | None, summand: npt.NDArray[Any] | None
) -> None:
    """A layer, with what is added to its outputs if that is a bias."""
    if layer is not None:
        layers[output] = layer
        if summand is not None and summand.size == len(layer.weight):
            added = checked(f"the bias of {layer.name}", summand).ravel()
            layers[output] = NamedWeight(layer.name, layer.weight, added if layer.bias is None else layer.bias + added)


def _folded(node: _Node) -> npt.NDArray[Any]:
    """What an operator makes of constants, where exporters are known to write it."""
    numbers = [number for number in node.numbers if number is not None]
    if len(numbers) != len(node.inputs) or not numbers:
        raise Unreadable(f"{node.name} is not followed: what is read are {READ}")
    result = _view_of(node, numbers[0])
    if result is None and sum(number.size for number in numbers) > MOST_NUMBERS:
        raise Unreadable(f"{node.name} would have more than {MOST_NUMBERS} numbers")
    for make in (_gathered, _computed):
        result = make(node, numbers) if result is None else result
    if result is None:
        raise Unreadable(f"{node.name} is not followed: what is read are {READ}")
    return result


def _view_of(node: _Node, first: npt.NDArray[Any]) -> npt.NDArray[Any] | None:
    """The same numbers in another order, shape or type."""
    operator, attributes = node.operator, node.attributes
    if operator == "Transpose":
        return np.transpose(first, attributes.get("perm"))
    if operator == "Identity":
        return first
    if operator == "Cast":
        kinds = {1: np.float32, 11: np.float64, 6: np.int32, 7: np.int64}
        if attributes.get("to") in kinds and not (first.dtype.kind == "f" and attributes["to"] in (6, 7)):
            return first.astype(kinds[attributes["to"]])
    axes = node.axes(1) if operator in ("Unsqueeze", "Squeeze") else None
    if operator == "Squeeze":
        return np.squeeze(first, None if axes is None else tuple(axes.tolist()))
    if operator == "Unsqueeze" and axes is not None:
        return np.expand_dims(first, tuple(axes.tolist()))
    return None


def _gathered(node: _Node, numbers: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any] | None:
    """Some of the numbers, or all, put together."""
    first, operator, attributes = numbers[0], node.operator, node.attributes
    if operator == "Concat":
        return np.concatenate(numbers, axis=int(attributes["axis"]))
    if operator == "Gather" and first.size * numbers[1].size <= MOST_NUMBERS:
        return np.take(first, numbers[1].astype(np.int64), axis=int(attributes.get("axis", 0)))
    if operator == "Reshape" and not np.any(numbers[1] == 0):
        return first.reshape(numbers[1].astype(int).tolist())
    if operator == "Slice" and len(numbers) > 2:
        return _sliced(node, first.shape)(first)
    return None


def _computed(node: _Node, numbers: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any] | None:
    """What arithmetic makes of the numbers."""
    first, operator = numbers[0], node.operator
    arithmetic = {"Mul": np.multiply, "Div": np.divide, "Add": np.add, "Sub": np.subtract}
    if operator in arithmetic and len(numbers) == 2 and first.dtype == numbers[1].dtype:
        if math.prod(np.broadcast_shapes(first.shape, numbers[1].shape)) > MOST_NUMBERS:
            raise Unreadable(f"{node.name} would have more than {MOST_NUMBERS} numbers")
        if operator == "Div" and first.dtype.kind == "i":
            return np.asarray(np.trunc(first / numbers[1])).astype(first.dtype)
        if first.dtype.kind in "fi":
            return np.asarray(arithmetic[operator](*numbers), dtype=first.dtype)
    if operator == "Sqrt" and first.dtype.kind == "f":
        return np.asarray(np.sqrt(first))
    return None


SIMPLE = {
    "Tanh": "tanh",
    "Sigmoid": "sigmoid",
    "Erf": "erf",
    "Softplus": "softplus",
}


def _operator(state: _Graph, node: _Node) -> int | None:
    """The value that an operator makes, or None if it is none of those that are followed."""
    operator = node.operator
    if operator in ("Gemm", "MatMul"):
        return _matrix(state, node)
    if operator == "Conv":
        return _convolved(state, node)
    if operator == "BatchNormalization":
        return _normalised(state, node)
    if operator in ("Add", "Sub", "Mul", "Div"):
        return _combined(state, node)
    if operator in MOVING or (operator == "Cast" and node.attributes.get("to") == state.kinds[node.inputs[0]]):
        return _moved(state, node)
    if operator in ("AveragePool", "MaxPool", "GlobalAveragePool", "GlobalMaxPool"):
        return _pooled(state, node)
    if operator == "ReduceMean":
        return _mean(state, node)
    if operator == "Concat":
        return _joined(state, node)
    activation = _activation(node)
    return None if activation is None else state.program.add(node.name, activation, _value(node, 0))


def _activation(node: _Node) -> Activation | None:
    operator, attributes = node.operator, node.attributes
    if operator in SIMPLE:
        return Activation(SIMPLE[operator])
    if operator == "Relu":
        return Activation("slopes")
    if operator == "LeakyRelu":
        return Activation("slopes", _real(node, "alpha", 0.01))
    if operator == "PRelu":
        slope = node.number(1)
        if slope is None or slope.size != 1:
            raise Unreadable(f"{node.name} has a slope for each neuron: one for all is followed")
        return Activation("slopes", float(checked(node.inputs[1], slope).reshape(())))
    if operator == "Gelu":
        return Activation("gelu_tanh" if attributes.get("approximate", b"none") == b"tanh" else "gelu")
    if operator == "Elu":
        return Activation("elu", numbers=(_real(node, "alpha", 1.0),))
    if operator == "Selu":
        alpha, gamma = 1.67326319217681884765625, 1.05070102214813232421875
        return Activation("selu", numbers=(_real(node, "alpha", alpha), _real(node, "gamma", gamma)))
    if operator == "Clip":
        low, high = (
            _real(node, key, default) if (limit := node.number(place)) is None else float(limit.reshape(()))
            for place, key, default in ((1, "min", -math.inf), (2, "max", math.inf))
        )
        if low == 0 and high >= np.finfo(np.float32).max:  # as exporters write infinity
            return Activation("slopes")
        return Activation("cut", numbers=(low, high))
    return None


def _real(node: _Node, key: str, default: float) -> float:
    number = float(node.attributes.get(key, default))
    if math.isnan(number) or (math.isinf(number) and key not in ("min", "max")):
        raise Unreadable(f"{node.name} has {key} {number}")
    return number


def _matrix(state: _Graph, node: _Node) -> int | None:
    weight = node.numbers[1] if len(node.numbers) > 1 else None
    if weight is None or node.values[0] is None:
        if node.operator == "MatMul" and all(value is not None for value in node.values):
            return None
        raise Unreadable(f"{node.name} multiplies points from the wrong side")
    value = _value(node, 0)
    matrix = checked(node.inputs[1], weight)
    if matrix.ndim != 2:
        raise Unreadable(f"{node.name} multiplies by {node.inputs[1]} of shape {matrix.shape}: a matrix is followed")
    if node.operator == "MatMul":
        return _layer(state, node, value, matrix.T, np.zeros(matrix.shape[1]))
    if node.attributes.get("transA", 0):
        raise Unreadable(f"{node.name} multiplies points from the wrong side (transA)")
    if len(state.program.shapes[value]) != 1:
        raise Unreadable(f"{node.name} meets points of shape {state.program.shapes[value]}: it takes rows")
    matrix = matrix if node.attributes.get("transB", 0) else matrix.T
    summand = node.number(2)
    bias = np.zeros(1) if summand is None else _for_each_point(node, 2, (len(matrix),))
    bias = np.broadcast_to(bias, (len(matrix),))
    return _layer(
        state, node, value, _real(node, "alpha", 1.0) * matrix, _real(node, "beta", 1.0) * np.asarray(bias, dtype=np.float64)
    )


def _layer(state: _Graph, node: _Node, value: int, matrix: Floats, bias: Floats) -> int:
    place = state.program.add(node.name, Dense(matrix, bias), value)
    state.program.steps[-1] = _renamed(state.program.steps[-1], node.inputs[1])
    return place


def _renamed(step: Any, name: str) -> Any:
    from dataclasses import replace

    return replace(step, name=name)


def _for_each_point(node: _Node, place: int, shape: Shape) -> Floats:
    """Numbers that are broadcast against values of shape ``(N, *shape)``: those of one point, the same for all."""
    numbers = checked(node.inputs[place], node.numbers[place])
    if numbers.ndim > len(shape) + 1:
        raise Unreadable(f"{node.name} has numbers of shape {numbers.shape} for points of shape {shape}")
    if numbers.ndim == len(shape) + 1:
        if len(numbers) != 1:
            raise Unreadable(f"{node.name} has numbers of shape {numbers.shape}: other ones for each point")
        numbers = numbers[0]
    if np.broadcast_shapes(numbers.shape, shape) != shape:
        raise Unreadable(f"{node.name} has numbers of shape {numbers.shape} for points of shape {shape}: they do not fit")
    return numbers


def _window(node: _Node, lengths: Shape, image: Shape) -> Window:
    axes = len(lengths)
    attributes = node.attributes
    strides, dilations = (tuple(attributes.get(key, (1,) * axes)) for key in ("strides", "dilations"))
    pads = tuple(attributes.get("pads", (0,) * (2 * axes)))
    if len(strides) != axes or len(dilations) != axes or len(pads) != 2 * axes or len(image) != axes:
        raise Unreadable(f"{node.name} has {axes} axes, strides {strides}, dilations {dilations} and padding {pads}")
    if min(strides) < 1 or min(dilations) < 1 or min(pads) < 0 or min(lengths) < 1:
        raise Unreadable(f"{node.name} has lengths {lengths}, strides {strides}, dilations {dilations} and padding {pads}")
    auto = attributes.get("auto_pad", b"NOTSET").decode()
    before, after = pads[:axes], pads[axes:]
    if auto != "NOTSET" and ("pads" in attributes or (auto != "VALID" and max(dilations) > 1)):
        raise Unreadable(f"{node.name} has {auto} beside padding of its own, or dilations")
    if auto in ("SAME_UPPER", "SAME_LOWER"):
        low, high = [], []
        for length, size, stride, gap in zip(image, lengths, strides, dilations, strict=True):
            wanted = max(0, (-(-length // stride) - 1) * stride + gap * (size - 1) + 1 - length)
            less, more = wanted // 2, wanted - wanted // 2
            low.append(less if auto == "SAME_UPPER" else more)
            high.append(more if auto == "SAME_UPPER" else less)
        before, after = tuple(low), tuple(high)
    elif auto not in ("NOTSET", "VALID"):
        raise Unreadable(f"{node.name} has auto_pad {auto}")
    if attributes.get("ceil_mode", 0):
        for length, size, stride, gap, less, more in zip(image, lengths, strides, dilations, before, after, strict=True):
            if (length + less + more - gap * (size - 1) - 1) % stride:
                raise Unreadable(f"{node.name} lets windows end outside of the image (ceil_mode)")
    return Window(tuple(lengths), strides, before, after, dilations)


def _convolved(state: _Graph, node: _Node) -> int:
    value = _value(node, 0)
    filters = node.number(1)
    if filters is None:
        raise Unreadable(f"{node.name} has no filters")
    weight = checked(node.inputs[1], filters)
    if weight.ndim < 3 or tuple(node.attributes.get("kernel_shape", weight.shape[2:])) != weight.shape[2:]:
        raise Unreadable(f"{node.name} has filters of shape {weight.shape}, and says that they are others")
    window = _window(node, weight.shape[2:], state.program.shapes[value][1:])
    bias_numbers = node.number(2)
    bias = np.zeros(len(weight)) if bias_numbers is None else checked(node.inputs[2], bias_numbers)
    if bias.shape != (len(weight),):
        raise Unreadable(f"{node.name} has a bias of shape {bias.shape} for {len(weight)} channels")
    groups = int(node.attributes.get("group", 1))
    if groups < 1:
        raise Unreadable(f"{node.name} has {groups} groups")
    place = state.program.add(node.name, Convolution(weight, bias, window, groups), value)
    state.program.steps[-1] = _renamed(state.program.steps[-1], node.inputs[1])
    return place


def _normalised(state: _Graph, node: _Node) -> int:
    if node.attributes.get("training_mode", 0) or node.attributes.get("spatial", 1) != 1:
        raise Unreadable(f"{node.name} is in training mode: it depends on the other points")
    value = _value(node, 0)
    shape = state.program.shapes[value]
    arrays = []
    for place in range(1, 5):
        numbers = node.number(place)
        if numbers is None or numbers.shape != shape[:1]:
            raise Unreadable(f"{node.name} has numbers that do not fit {shape[0]} channels")
        arrays.append(checked(node.inputs[place], numbers).reshape(-1, *[1] * (len(shape) - 1)))
    scale, shift, mean, variance = arrays
    return state.program.add(
        node.name, batch_norm(node.name, scale, shift, mean, variance, _real(node, "epsilon", 1e-5)), value
    )


def _combined(state: _Graph, node: _Node) -> int | None:
    operator = node.operator
    if len(node.inputs) != 2:
        raise Unreadable(f"{node.name} has {len(node.inputs)} inputs")
    left, right = node.values
    program = state.program
    if left is not None and right is not None:
        if operator == "Div":
            return None
        if program.shapes[left] != program.shapes[right]:
            raise Unreadable(f"{node.name} combines values of the shapes {program.shapes[left]} and {program.shapes[right]}")
        if operator == "Mul":
            return program.add(node.name, Product(), left, right)
        return program.add(node.name, Sum(1.0 if operator == "Add" else -1.0), left, right)
    value = left if left is not None else right
    assert value is not None
    place = 1 if left is not None else 0
    if node.numbers[place] is None:
        raise Unreadable(f"{node.name} is not followed: its input {node.inputs[place]} is computed")
    numbers = _for_each_point(node, place, program.shapes[value])
    unit_factor, no_shift = np.ones(1), np.zeros(1)
    if operator == "Div":
        if left is None:
            raise Unreadable(f"{node.name} divides by values of the network")
        if np.any(numbers == 0):
            raise Unreadable(f"{node.name} divides by 0")
        return program.add(node.name, Scale(1 / numbers, no_shift), value)
    if operator == "Mul":
        return program.add(node.name, Scale(numbers, no_shift), value)
    if operator == "Add":
        return program.add(node.name, Scale(unit_factor, numbers), value)
    return program.add(node.name, Scale(unit_factor, -numbers) if left is not None else Scale(-unit_factor, numbers), value)


MOVING = frozenset(["Identity", "Dropout", "Flatten", "Reshape", "Squeeze", "Unsqueeze", "Transpose", "Slice", "Pad"])


def _moved(state: _Graph, node: _Node) -> int:
    """What moves entries of points: the axis of the points stays the first."""
    value = _value(node, 0)
    operator, shape = node.operator, state.program.shapes[value]
    rank = len(shape) + 1
    if operator in ("Identity", "Cast"):
        return value
    if operator == "Dropout":
        training = node.number(2)
        if training is not None and np.any(training):
            raise Unreadable(f"{node.name} is in training mode: it draws numbers")
        return value
    if operator == "Flatten":
        axis = int(node.attributes.get("axis", 1))
        if axis % rank != 1 or not -rank <= axis <= rank:
            raise Unreadable(f"{node.name} joins the axis of the points with others (axis {axis})")
        change = rearranged(shape, np.ravel)
    elif operator in ("Reshape", "Squeeze", "Unsqueeze"):
        wanted = _wanted_shape(state, node, shape)
        change = rearranged(shape, lambda index: index.reshape(wanted))
    elif operator == "Transpose":
        order = list(node.attributes.get("perm", range(rank)[::-1]))
        if sorted(order) != list(range(rank)) or order[0] != 0:
            raise Unreadable(f"{node.name} moves the axis of the points (perm {order})")
        change = rearranged(shape, lambda index: np.transpose(index, [axis - 1 for axis in order[1:]]))
    elif operator == "Slice":
        move = _sliced(node, (state.count, *shape))
        change = rearranged(shape, lambda index: move(index[None])[0])
    else:
        change = rearranged(shape, _padded(node, shape))
    return state.program.add(node.name, change, value)


def _wanted_shape(state: _Graph, node: _Node, shape: Shape) -> Shape:
    full = [state.count, *shape]
    if node.operator == "Reshape":
        target = node.number(1)
        wanted = [] if target is None or target.ndim != 1 else [int(number) for number in target]
        if not node.attributes.get("allowzero", 0):
            wanted = [full[place] if length == 0 and place < len(full) else length for place, length in enumerate(wanted)]
        if wanted.count(-1) > 1 or any(number < -1 for number in wanted):
            raise Unreadable(f"{node.name} reshapes to {wanted}")
        if -1 in wanted:
            known_size = math.prod(number for number in wanted if number != -1)
            wanted[wanted.index(-1)] = state.count * math.prod(shape) // known_size if known_size else -1
    else:
        axes = node.axes(1)
        if node.operator == "Squeeze":
            places = [k for k in range(1, len(full)) if full[k] == 1] if axes is None else [int(k) % len(full) for k in axes]
            if axes is None and state.count in (1, DYNAMIC):
                raise Unreadable(f"{node.name} does not say which axes go: with one point it takes that of the points, too")
            if any(full[place] != 1 or not place for place in places):
                raise Unreadable(f"{node.name} takes away axes that are not of length 1, or that of the points")
            wanted = [length for place, length in enumerate(full) if place not in places]
        else:
            if axes is None:
                raise Unreadable(f"{node.name} does not say where axes come")
            rank = len(full) + len(axes)
            places = [int(k) % rank for k in axes]
            lengths = iter(full)
            wanted = [1 if place in places else next(lengths) for place in range(rank)]
    if not wanted or wanted[0] != state.count or math.prod(wanted) != math.prod(full):
        raise Unreadable(f"{node.name} reshapes points of shape {shape} to {tuple(wanted[1:])} or mixes points")
    return tuple(wanted[1:])


def _sliced(node: _Node, shape: Shape) -> Callable[[npt.NDArray[Any]], npt.NDArray[Any]]:
    """A slice of an array; the axis of `shape` that is that of the points must be kept whole."""
    if "starts" in node.attributes:
        starts, ends = (np.asarray(node.attributes[key]) for key in ("starts", "ends"))
        steps = None
    else:
        bounds = [node.number(place) for place in (1, 2)]
        if any(array is None for array in bounds):
            raise Unreadable(f"{node.name} does not say where it begins and ends")
        starts, ends = (np.atleast_1d(np.asarray(array)) for array in bounds)
        steps = node.number(4)
    axes = node.axes(3)
    sliced_axes = list(range(len(starts))) if axes is None else [int(axis) % len(shape) for axis in axes]
    step_sizes = [1] * len(starts) if steps is None else [int(number) for number in np.atleast_1d(steps)]
    if not len(sliced_axes) == len(starts) == len(ends) == len(step_sizes) or len(set(sliced_axes)) < len(sliced_axes):
        raise Unreadable(f"{node.name} has {len(starts)} beginnings and {len(ends)} ends for the axes {sliced_axes}")
    slices = [slice(None)] * len(shape)
    for axis, start, end, step in zip(sliced_axes, starts, ends, step_sizes, strict=True):
        if step < 1:
            raise Unreadable(f"{node.name} goes backwards")
        slices[axis] = slice(int(start), int(end), step)
        if axis == 0 and node.values[0] is not None and range(shape[0])[slices[0]] != range(shape[0]):
            raise Unreadable(f"{node.name} leaves out points")
        if axis == 0 and node.values[0] is not None:
            slices[0] = slice(None)
    return lambda array: array[tuple(slices)]


def _padded(node: _Node, shape: Shape) -> Callable[[npt.NDArray[np.int64]], npt.NDArray[np.int64]]:
    mode = node.attributes.get("mode", b"constant").decode()
    pads = np.asarray(node.attributes["pads"]) if "pads" in node.attributes else node.number(1)
    fill = node.number(2)
    value = float(node.attributes.get("value", 0.0)) if fill is None else float(np.asarray(fill).reshape(()))
    if pads is None or (mode == "constant" and value != 0):
        raise Unreadable(f"{node.name} pads with other numbers than 0")
    axes = node.axes(3)
    rank = len(shape) + 1
    padded_axes = list(range(rank)) if axes is None else [int(axis) % rank for axis in axes]
    if len(pads) != 2 * len(padded_axes) or len(set(padded_axes)) < len(padded_axes):
        raise Unreadable(f"{node.name} has {len(pads)} numbers for {len(padded_axes)} axes")
    widths = [(0, 0)] * rank
    for axis, low, high in zip(padded_axes, pads[: len(padded_axes)], pads[len(padded_axes) :], strict=True):
        widths[axis] = (int(low), int(high))
    if any(widths[0]) or min(map(min, widths)) < 0:
        raise Unreadable(f"{node.name} pads points, or cuts off")
    if math.prod(length + low + high for length, (low, high) in zip(shape, widths[1:], strict=True)) > MOST_NUMBERS:
        raise Unreadable(f"{node.name} pads by {widths[1:]}")
    if mode == "constant":
        return lambda index: np.pad(index, widths[1:], constant_values=-1)
    modes: Mapping[str, Any] = {"wrap": "wrap", "reflect": "reflect", "edge": "edge"}
    if mode not in modes:
        raise Unreadable(f"{node.name} pads in the mode {mode}")
    reach = {"wrap": 0, "reflect": 1, "edge": -math.inf}[mode]
    for length, ends in zip(shape, widths[1:], strict=True):
        if any(ends) and max(ends) > length - reach:
            raise Unreadable(f"{node.name} pads {length} entries by {max(ends)} in the mode {mode}")
    return lambda index: np.pad(index, widths[1:], mode=modes[mode])


def _check_padding(node: _Node) -> None:
    """Windows of pooling that would see padding only: evaluators refuse what could have some."""
    lengths, pads = node.attributes.get("kernel_shape", ()), node.attributes.get("pads", ())
    if any(pad >= size for pad, size in zip(pads, [*lengths, *lengths], strict=False)):
        raise Unreadable(f"{node.name} pads by as much as its windows are long")


def _pooled(state: _Graph, node: _Node) -> int:
    value = _value(node, 0)
    image = state.program.shapes[value][1:]
    if not image:
        raise Unreadable(f"{node.name} meets points of shape {state.program.shapes[value]}: it takes images")
    if node.operator.startswith("Global"):
        window = Window(image, (1,) * len(image), (0,) * len(image), (0,) * len(image), (1,) * len(image))
    else:
        lengths = tuple(node.attributes.get("kernel_shape", ()))
        if len(lengths) != len(image) or node.attributes.get("storage_order", 0):
            raise Unreadable(f"{node.name} has windows of the lengths {lengths} for images of {image}")
        _check_padding(node)
        window = _window(node, lengths, image)
    if node.operator.endswith("MaxPool"):
        return state.program.add(node.name, Largest(window), value)
    return state.program.add(node.name, Mean(window, bool(node.attributes.get("count_include_pad", 0))), value)


def _mean(state: _Graph, node: _Node) -> int | None:
    """A mean over all places of an image, which is pooling; over channels it is what LayerNorm takes, and not followed."""
    value = _value(node, 0)
    shape = state.program.shapes[value]
    axes = node.axes(1)
    if axes is None or sorted(int(axis) % (len(shape) + 1) for axis in axes) != list(range(2, len(shape) + 1)) or not shape[1:]:
        return None
    image = shape[1:]
    window = Window(image, (1,) * len(image), (0,) * len(image), (0,) * len(image), (1,) * len(image))
    place = state.program.add(node.name, Mean(window, True), value)
    if node.attributes.get("keepdims", 1):
        return place
    return state.program.add(node.name, rearranged(state.program.shapes[place], np.ravel), place)


def _joined(state: _Graph, node: _Node) -> int:
    values = [_value(node, place) for place in range(len(node.inputs))]
    rank = len(state.program.shapes[values[0]]) + 1
    axis = int(node.attributes["axis"])
    if not -rank <= axis < rank or axis % rank == 0:
        raise Unreadable(f"{node.name} joins along the axis {axis}")
    axis = axis % rank - 1
    # parts of one value, as older exporters write circular padding, are one step
    sources = [_part(state.program, value) for value in values]
    origins = {origin for origin, _ in sources}
    if len(origins) == 1:
        (origin,) = origins
        parts = [index for _, index in sources]
        return state.program.add(
            node.name, rearranged(state.program.shapes[origin], lambda _: np.concatenate(parts, axis=axis)), origin
        )
    return state.program.add(node.name, Join(axis), *values)


def _part(program: Program, value: int) -> tuple[int, npt.NDArray[np.int64]]:
    """The value that this one moves entries of, and which."""
    from verify.trained.programs import Rearrange

    shape = program.shapes[value]
    index = np.arange(math.prod(shape)).reshape(shape)
    while value and isinstance(move := program.steps[value - 1].operation, Rearrange):
        index = np.where(index < 0, -1, move.index.ravel()[np.maximum(index, 0)])
        (value,) = program.steps[value - 1].sources
    return value, index


def _compare(model: Any, graph: _Graph, network: AnyNetwork) -> None:
    """What was read gives what the format's own evaluator gives, at ten random points, or it is refused."""
    for batch, output in _evaluated(model, graph):
        unit = 2.0**-53 if batch.dtype == np.float64 else 2.0**-24
        compared(graph.program, network, batch, output, "the format's own evaluator", unit)


def _evaluated(model: Any, graph: _Graph) -> list[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
    """Ten random points, in batches that the model takes, and what the format's own evaluator makes of them."""
    from onnx import reference
    from onnx.reference.op_run import OpRun
    from onnx.reference.ops.op_batch_normalization import BatchNormalization_14

    class BatchNormalization(OpRun):  # type: ignore[misc]
        """That of version 14: the evaluator takes the older ones for training, and mixes points."""

        op_domain = ""

        def _run(self, *values: Any, epsilon: float = 1e-5, **_: Any) -> Any:
            return BatchNormalization_14._run(self, *values, epsilon=epsilon, training_mode=0)

    name = next(iter(graph.values))
    double = graph.kinds[name] == DOUBLE
    points = random_points(graph.program.input_shape).astype(np.float64 if double else np.float32)
    total = sum(map(math.prod, graph.program.shapes))
    count = min(len(points), max(1, AT_ONCE // total)) if graph.count == DYNAMIC else graph.count
    if count * total > MOST_NUMBERS:
        raise Unreadable(
            f"the model takes {count} points at once, with {total} values each: at most {MOST_NUMBERS} are followed"
        )
    batches = [np.resize(points[k : k + count], (count, *points.shape[1:])) for k in range(0, len(points), count)]
    if graph.count == DYNAMIC and count > 1:
        batches.append(points[:1])
    try:
        evaluator = reference.ReferenceEvaluator(model, new_ops=[BatchNormalization])
        with np.errstate(all="ignore"):  # the evaluator lets functions overflow on its way to what is finite
            outputs = [np.asarray(evaluator.run(None, {name: batch})[0]) for batch in batches]
    except Exception as error:  # operators of the evaluator raise what they meet
        raise Unreadable(f"the format's own evaluator (onnx.reference) refuses the model: {_first_line(error)}") from error
    return list(zip(batches, outputs, strict=True))
