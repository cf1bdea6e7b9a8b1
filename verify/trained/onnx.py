"""ONNX models as networks of the engine: the operators are followed as affine maps between activations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.networks import LeakyResNet
from verify.trained.networks import Layer, Network, checked, circular_cnn, fully_connected
from verify.trained.tensors import Unreadable

READ = "Gemm, MatMul, Add, Sub, Mul, Div, Relu, LeakyRelu, Identity, Flatten, and Conv with circular padding"
"""The operators that are followed; padding is Pad, or Slice and Concat."""
SAME = 1e-6
"""Two numbers of float32 that should be one differ by less, relative to the larger."""


@dataclass(eq=False)
class Atom:
    """The input, or the values of an activation (slope 1: of none) at the affine map `source`."""

    name: str
    slope: float = 1.0
    source: Value | None = None
    lengths: tuple[int, ...] = ()


@dataclass(eq=False)
class Value:
    """A sum of atoms, each times a number and perhaps behind a linear layer, plus a constant.

    Attributes
    ----------
    terms
        Of each atom the number and the layer, whose weight is a matrix or a kernel; None for the identity.
    bias
        The constant, a number for each output, or 0.
    places
        Of values of images, by axis, which entries of the image of the atom they are: what padding and slicing make of it.
    """

    terms: dict[Atom, tuple[float, Layer | None]]
    bias: Any = 0.0
    places: tuple[npt.NDArray[np.int64], ...] = ()
    name: str = ""

    @property
    def atom(self) -> Atom | None:
        """The atom that this is, if it is one."""
        if len(self.terms) == 1 and not np.any(self.bias):
            ((atom, (scale, layer)),) = self.terms.items()
            if scale == 1 and layer is None:
                return atom
        return None

    def times(self, factor: float) -> Value:
        """The value times a number."""
        terms = {atom: (factor * scale, layer) for atom, (scale, layer) in self.terms.items()}
        return Value(terms, factor * self.bias, self.places, self.name)


@dataclass(eq=False)
class _Graph:
    """What is known while the operators are followed."""

    constants: dict[str, npt.NDArray[Any]]
    values: dict[str, Value] = field(default_factory=dict)
    atoms: list[Atom] = field(default_factory=list)


def from_onnx(path: Path, image: Sequence[int] | None = None) -> Network:
    r"""The network of an ONNX model.

    A chain of Gemm (or MatMul and Add) and one activation is a `FullyConnected`, one of Conv a `CircularCNN`, and residual
    additions :math:`A_l = c_l A_{l-1} + V_l \mathrm{Relu}(A_{l-1}) + b_l` a `LeakyResNet` whose steps sum up to 1.

    Raises
    ------
    Unreadable
        The package onnx is missing, the file is no model, or an operator is not one of these: the node is named.
    """
    try:
        import onnx
        from onnx import numpy_helper
    except ModuleNotFoundError as error:
        if error.name != "onnx":
            raise
        raise Unreadable("reading a .onnx file needs the package onnx: pip install 'deep-l2-verify[onnx]'") from error
    try:
        graph = onnx.load(str(path)).graph
        constants = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    except OSError:
        raise
    except Exception as error:  # protobuf's errors have no common class
        raise Unreadable(f"this is no ONNX model: {str(error).partition(chr(10))[0]}") from error
    inputs = [one for one in graph.input if one.name not in constants]
    if len(inputs) != 1 or len(graph.output) != 1:
        raise Unreadable(f"a network has one input and one output, this model has {len(inputs)} and {len(graph.output)}")
    lengths = tuple(one.dim_value for one in inputs[0].type.tensor_type.shape.dim)[2:]
    if lengths and not all(lengths):
        if image is None:
            raise Unreadable(f"the input {inputs[0].name} does not say how large the images are: give points, or --image")
        lengths = tuple(image)
    start = Atom("input", lengths=lengths)
    state = _Graph(constants, {inputs[0].name: _bare(start)}, [start])
    for place, node in enumerate(graph.node):
        attributes = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
        name = node.name or f"{place + 1} of {len(graph.node)}"
        _follow(state, node, attributes, f"the node {name} ({node.op_type})", numpy_helper.to_array)
    found = state.values.get(graph.output[0].name)
    if found is None:
        raise Unreadable(f"the output {graph.output[0].name} does not depend on the input")
    return _network(found, state.atoms[1:], start)


def _bare(atom: Atom) -> Value:
    return Value({atom: (1.0, None)}, places=tuple(np.arange(length) for length in atom.lengths), name=atom.name)


def _follow(state: _Graph, node: Any, attributes: Mapping[str, Any], name: str, to_array: Any) -> None:
    operator, result = node.op_type, node.output[0]
    if operator == "Constant":
        if "value" not in attributes:
            numbers = next(iter(attributes.values()), None)
            state.constants[result] = np.asarray(numbers)
        else:
            state.constants[result] = to_array(attributes["value"])
        return
    known = [state.values.get(one) for one in node.input]
    variables = [one for one in known if one is not None]
    numbers = [state.constants.get(one) if one else None for one in node.input]
    if not variables:
        folded = _folded(operator, numbers, attributes)
        if folded is None:
            raise Unreadable(f"{name} is not followed: what is read are {READ}")
        state.constants[result] = folded
        return
    first = variables[0]
    if operator in ("Identity", "Dropout", "Cast") or (operator == "Flatten" and not first.places):
        state.values[result] = first
    elif operator in ("Relu", "LeakyRelu"):
        state.values[result] = _activated(
            state, first, float(attributes.get("alpha", 0.01)) if operator == "LeakyRelu" else 0.0, name
        )
    elif operator == "Gemm" and known[0] is not None and numbers[1] is not None:
        if attributes.get("transA", 0):
            raise Unreadable(f"{name} multiplies points from the wrong side (transA)")
        weight = numbers[1] if attributes.get("transB", 0) else numbers[1].T
        bias = numbers[2] if len(numbers) > 2 and numbers[2] is not None else np.zeros(len(weight))
        weight, bias = float(attributes.get("alpha", 1)) * weight, float(attributes.get("beta", 1)) * bias
        state.values[result] = _linear(state, first, Layer(node.input[1], checked(node.input[1], weight), None), bias, name)
    elif operator == "MatMul" and known[0] is not None and numbers[1] is not None:
        layer = Layer(node.input[1], checked(node.input[1], numbers[1].T), None)
        state.values[result] = _linear(state, first, layer, np.zeros(len(layer.weight)), name)
    elif operator == "Conv" and known[0] is not None and numbers[1] is not None:
        state.values[result] = _convolved(state, first, node, numbers, attributes, name)
    elif operator in ("Pad", "Slice", "Concat"):
        state.values[result] = _moved(operator, known, numbers, attributes, name)
    elif operator in ("Mul", "Div", "Add", "Sub") and len(known) == 2:
        state.values[result] = _combined(operator, known, numbers, name)
    else:
        raise Unreadable(f"{name} is not one of the operators that are read: {READ}")


def _folded(operator: str, numbers: Sequence[Any], attributes: Mapping[str, Any]) -> npt.NDArray[Any] | None:
    """What an operator makes of constants, where exporters are known to write it."""
    if any(one is None for one in numbers):
        return None
    if operator == "Transpose":
        return np.transpose(numbers[0], attributes.get("perm"))
    if operator in ("Identity", "Cast"):
        return np.asarray(numbers[0])
    arithmetic = {"Mul": np.multiply, "Div": np.divide, "Add": np.add, "Sub": np.subtract}
    return np.asarray(arithmetic[operator](*numbers)) if operator in arithmetic else None


def _activated(state: _Graph, value: Value, slope: float, name: str) -> Value:
    if value.places and any(len(place) != length for place, length in zip(value.places, _lengths(value), strict=True)):
        raise Unreadable(f"{name} acts on an image with padding")
    atom = Atom(name, slope, value, _lengths(value))
    state.atoms.append(atom)
    return _bare(atom)


def _lengths(value: Value) -> tuple[int, ...]:
    return next(iter(value.terms)).lengths


def _before_layer(state: _Graph, value: Value, name: str) -> tuple[Atom, tuple[npt.NDArray[np.int64], ...]]:
    """The atom that a layer acts on; a layer on a layer has the identity between them."""
    if value.atom is None:
        value = _activated(state, value, 1.0, name)
    atom = value.atom
    assert atom is not None
    return atom, value.places


def _linear(state: _Graph, value: Value, layer: Layer, bias: Any, name: str) -> Value:
    if value.places:
        raise Unreadable(f"{name} is a matrix on images: convolutions followed by linear layers are not read")
    atom, _ = _before_layer(state, value, name)
    return Value({atom: (1.0, layer)}, np.asarray(bias, dtype=np.float64), name=name)


def _convolved(
    state: _Graph, value: Value, node: Any, numbers: Sequence[Any], attributes: Mapping[str, Any], name: str
) -> Value:
    weight = checked(node.input[1], numbers[1])
    for attribute in ("strides", "dilations", "group"):
        if np.any(np.asarray(attributes.get(attribute, 1)) != 1):
            raise Unreadable(f"{name} has {attribute} {attributes[attribute]}: it must be 1")
    if np.any(np.asarray(attributes.get("pads", 0)) != 0) or attributes.get("auto_pad", b"NOTSET") not in (b"NOTSET", b"VALID"):
        raise Unreadable(f"{name} pads with zeros: only circular padding is read")
    atom, places = _before_layer(state, value, name)
    before = []
    for place, length, size in zip(places, atom.lengths, weight.shape[2:], strict=True):
        shift = -int(place[0]) % length
        if len(place) != length + size - 1 or np.any(place != (np.arange(len(place)) - shift) % length):
            raise Unreadable(f"{name} has no circular padding: {len(place)} values of {length} meet filters of {size}")
        before.append(shift)
    layer = Layer(node.input[1], weight, None, tuple(before))
    bias = numbers[2] if len(numbers) > 2 and numbers[2] is not None else np.zeros(len(weight))
    return Value({atom: (1.0, layer)}, np.asarray(bias, dtype=np.float64), tuple(map(np.arange, atom.lengths)), name)


def _moved(
    operator: str, known: Sequence[Value | None], numbers: Sequence[Any], attributes: Mapping[str, Any], name: str
) -> Value:
    """Padding, slices and their joins: only which entries of the image are where changes."""
    first = next(one for one in known if one is not None)
    places = list(first.places)
    if not places:
        raise Unreadable(f"{name} is not one of the operators that are read: {READ}")
    if operator == "Concat":
        parts = [one for one in known if one is not None]
        axis = int(attributes["axis"]) % (len(places) + 2) - 2
        if axis < 0 or len(parts) != len(known) or any(one.terms != first.terms for one in parts):
            raise Unreadable(f"{name} joins other values than parts of one image")
        places[axis] = np.concatenate([one.places[axis] for one in parts])
    elif operator == "Pad":
        if attributes.get("mode", b"constant") != b"wrap" or numbers[1] is None:
            raise Unreadable(
                f"{name} pads in the mode {attributes.get('mode', b'constant').decode()}: only circular padding is read"
            )
        axes = numbers[3] if len(numbers) > 3 and numbers[3] is not None else np.arange(len(places) + 2)
        low, high = np.split(np.asarray(numbers[1]), 2)
        for axis, start, end in zip(axes, low, high, strict=True):
            if start or end:
                place = places[int(axis) % (len(places) + 2) - 2]
                places[int(axis) % (len(places) + 2) - 2] = place[np.arange(-int(start), len(place) + int(end)) % len(place)]
    else:
        if any(one is None for one in numbers[1:]):
            raise Unreadable(f"{name} is not followed: its ends are computed")
        starts, ends, axes = (np.atleast_1d(one) for one in numbers[1:4])
        for axis, start, end in zip(axes, starts, ends, strict=True):
            which = int(axis) % (len(places) + 2) - 2
            places[which] = places[which][int(start) : int(end)]
    return Value(first.terms, first.bias, tuple(places), first.name)


def _combined(operator: str, known: Sequence[Value | None], numbers: Sequence[Any], name: str) -> Value:
    left, right = known
    if left is not None and right is not None:
        if operator not in ("Add", "Sub"):
            raise Unreadable(f"{name} multiplies two values of the network")
        return _sum(left, right if operator == "Add" else right.times(-1.0), name)
    value, number = (left, numbers[1]) if left is not None else (right, numbers[0])
    assert value is not None
    if number is None:
        raise Unreadable(f"{name} is not followed: one side is computed")
    number = np.asarray(number, dtype=np.float64)
    if operator in ("Mul", "Div"):
        if number.size != 1 or (operator == "Div" and left is None):
            raise Unreadable(f"{name} scales neurons by different numbers")
        factor = float(number.reshape(()))
        return value.times(factor if operator == "Mul" else 1 / factor)
    signed = value.times(-1.0) if operator == "Sub" and left is None else value
    shift = number if value.places and number.ndim <= 1 else np.reshape(number, -1) if number.size > 1 else number
    shift = -shift if operator == "Sub" and left is not None else shift
    return Value(
        signed.terms,
        signed.bias + (shift.reshape(-1) if np.size(shift) > 1 else float(np.reshape(shift, ()))),
        signed.places,
        name,
    )


def _sum(left: Value, right: Value, name: str) -> Value:
    terms = dict(left.terms)
    for atom, (scale, layer) in right.terms.items():
        if atom not in terms:
            terms[atom] = (scale, layer)
            continue
        other, before = terms[atom]
        if layer is None and before is None:
            terms[atom] = (other + scale, None)
        elif layer is not None and before is not None:
            joined = (other * before.weight + scale * layer.weight) if before.weight.shape == layer.weight.shape else None
            if joined is None or before.before != layer.before:
                raise Unreadable(f"{name} adds {before.name} and {layer.name} of different shapes")
            terms[atom] = (1.0, Layer(before.name, joined, None, before.before))
        else:
            raise Unreadable(f"{name} adds an activation to a layer of it: only residual additions of leaky ResNets are read")
    return Value(terms, left.bias + right.bias, left.places, name)


def _network(output: Value, atoms: Sequence[Atom], start: Atom) -> Network:
    values = [*(atom.source for atom in atoms if atom.source is not None), output]
    before = [start, *atoms]
    chain = all(
        len(value.terms) == 1 and atom in value.terms and value.terms[atom][1] is not None
        for value, atom in zip(values, before, strict=True)
    )
    if not chain:
        return _leaky_resnet(output, atoms, start)
    slopes = {atom.slope for atom in atoms}
    if len(slopes) > 1:
        names = ", ".join(f"{slope:g} at {next(one.name for one in atoms if one.slope == slope)}" for slope in sorted(slopes))
        raise Unreadable(f"the layers must share one activation, its slopes below zero are {names} (1: there is none)")
    layers = []
    for value, atom in zip(values, before, strict=True):
        scale, layer = value.terms[atom]
        assert layer is not None
        bias = np.broadcast_to(np.asarray(value.bias, dtype=np.float64), (len(layer.weight),))
        layers.append(Layer(layer.name, scale * layer.weight, checked(f"the bias of {layer.name}", bias), layer.before))
    slope = slopes.pop() if slopes else 0.0
    return circular_cnn(layers, slope, start.lengths) if start.lengths else fully_connected(layers, slope)


def _leaky_resnet(output: Value, atoms: Sequence[Atom], start: Atom) -> LeakyResNet:
    """Layers ``A_l = c_l A_(l-1) + V_l Relu(A_(l-1)) + b_l``: the steps and the leak follow from the c_l."""
    values = [_bare(start), *(atom.source for atom in atoms[1:] if atom.source is not None), output]
    if not atoms or atoms[0].source is None or atoms[0].source.atom is not start:
        if output.atom is not None:
            raise Unreadable(
                f"the last layer ends with an activation, {output.name}: the networks of the theorems have none there"
            )
        raise Unreadable("this is neither a chain of layers and activations nor a leaky ResNet")
    if any(atom.slope != 0 for atom in atoms):
        raise Unreadable("the activation of a leaky ResNet is the ReLU")
    kept, weights = [], []
    for before, atom, after in zip(values[:-1], atoms, values[1:], strict=True):
        ratio = (
            after.terms.get(start, (0.0, None))[0] / before.terms[start][0] if before.terms.get(start, (0.0, None))[0] else 0.0
        )
        layer = after.terms.get(atom, (0.0, None))
        if layer[1] is None or set(after.terms) - {atom} != (set(before.terms) if ratio else set()):
            raise Unreadable(f"{after.name} is no layer of a leaky ResNet: c A + V Relu(A) + b of the values A before it")
        for other, (scale, _) in before.terms.items():
            if ratio and abs(after.terms[other][0] - ratio * scale) > SAME * abs(scale):
                raise Unreadable(f"{after.name} is no layer of a leaky ResNet: it reaches past the layer before it")
        matrix = layer[0] * layer[1].weight
        bias = np.broadcast_to(np.asarray(after.bias - ratio * before.bias, dtype=np.float64), (len(matrix),))
        kept.append(ratio)
        weights.append(np.concatenate([matrix, bias[:, None]], axis=1))
    lost = 1 - np.array(kept)
    leak = float(lost.sum())
    if np.any(lost < 0) or (np.any(lost == 0) and leak > 0):
        raise Unreadable(
            f"a leaky ResNet keeps less than its activations in each layer, got the factors {', '.join(f'{c:g}' for c in kept)}"
        )
    steps = lost / leak if leak > 0 else np.full(len(lost), 1 / len(lost))
    try:
        return LeakyResNet([weight / step for weight, step in zip(weights, steps, strict=True)], np.asarray(leak), steps)
    except ValueError as error:
        raise Unreadable(f"this is no leaky ResNet: {error}") from error
