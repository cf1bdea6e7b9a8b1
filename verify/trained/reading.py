"""From a file to a network: one door for all formats, which says what it had to assume."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from verify.trained.files import Unreadable, check_names, check_parts
from verify.trained.networks import (
    NUMBERS,
    OTHERWISE,
    Layer,
    check_chain,
    checked,
    circular_cnn,
    fully_connected,
    layers_of,
    leaky_resnet,
    number,
)
from verify.trained.programs import Activation, Dense, Program
from verify.trained.recognising import recognised
from verify.trained.states import is_module, of_torch
from verify.trained.tensors import Tensors, of_numpy, of_safetensors
from verify.trained.traced import AnyNetwork, LayersAlone, NamedWeight

ACTIVATIONS: Mapping[str, Activation] = {
    "relu": Activation("slopes"),
    "leaky_relu": Activation("slopes", 0.01),
    "linear": Activation("slopes", 1.0),
    "tanh": Activation("tanh"),
    "sigmoid": Activation("sigmoid"),
    "gelu": Activation("gelu"),
    "gelu_tanh": Activation("gelu_tanh"),
    "silu": Activation("silu"),
    "elu": Activation("elu", numbers=(1.0,)),
    "softplus": Activation("softplus"),
}
"""Activations by the names of ``--activation``; the numbers are PyTorch's defaults."""


@dataclass(frozen=True, eq=False)
class Reading:
    """A network, and what it was taken for.

    Attributes
    ----------
    words
        What it was read as, where a file of weights does not say what they compute: "a chain of ReLU layers".
    details
        In which order, and with what beside; of any file, what is folded into layers.
    assumed
        Whether the words are a guess: neither the file nor an argument says so.
    """

    network: AnyNetwork
    words: str = ""
    details: str = ""
    assumed: bool = False


def activation_named(name: str, slope: float | None = None) -> Activation:
    """The activation of this name; `slope` is that of the leaky ReLU.

    Raises
    ------
    ValueError
        There is none of this name.
    """
    if name not in ACTIVATIONS:
        raise ValueError(f"activation must be one of {', '.join(ACTIVATIONS)}, got {name!r}")
    if slope is not None and name != "leaky_relu":
        raise ValueError(f"slope is that of the activation leaky_relu, got the slope {slope} and the activation {name}")
    if slope is not None and not np.isfinite(slope):
        raise ValueError(f"slope must be a finite number, got {slope}")
    return ACTIVATIONS[name] if slope is None else Activation("slopes", float(slope))


def read(
    path: Path,
    *,
    slope: float | None = None,
    image: Sequence[int] | None = None,
    activation: str | None = None,
    trust: bool = False,
    shape: tuple[int, ...] | None = None,
) -> Reading:
    """The network in a file .npz, .safetensors, .pt, .pth or .onnx, and what was assumed of it.

    Parameters
    ----------
    slope
        Of the activation for negative arguments, where the file does not say.
    image
        Lengths of the images of a convolutional network, where the file does not say.
    activation
        One of `ACTIVATIONS`, where the file does not say; with neither, ReLU is assumed.
    trust
        Whether a whole module may be loaded, which runs code that the file names; needs PyTorch.
    shape
        Of a point, which a whole module does not say, nor each .onnx file.

    Raises
    ------
    Unreadable
        The file holds no network that can be read: one line, which names the layer.
    OSError
        The file cannot be opened.
    ValueError
        There is no such activation.
    """
    said = None
    if activation is not None or slope is not None:
        said = activation_named("leaky_relu" if activation is None else activation, slope)
    if path.suffix == ".onnx":
        from verify.trained.onnx import from_onnx

        if said is not None:
            raise Unreadable("a .onnx file says what its activations are: --activation and --slope are for files of weights")
        network, folded = from_onnx(path, image, shape)
        return Reading(network, details=folded)
    if trust and path.suffix in (".pt", ".pth"):
        from verify.trained.modules import trusted_module

        if is_module(path):
            network, folded = trusted_module(path, shape, image)
            return Reading(network, details=folded)
    return of_tensors(read_tensors(path), said, image)


def read_tensors(path: Path) -> Tensors:
    """The tensors of a file with one of the endings .npz, .safetensors, .pt or .pth.

    Raises
    ------
    Unreadable
        Another ending, or the file is not what its ending says.
    OSError
        The file cannot be opened.
    """
    readers = {".npz": of_numpy, ".safetensors": of_safetensors, ".pt": of_torch, ".pth": of_torch}
    if path.suffix not in readers:
        raise Unreadable(f"a network must be a file .npz, .safetensors, .pt, .pth or .onnx, got {path.name!r}")
    tensors = readers[path.suffix](path)
    check_parts(len(tensors), "tensors")
    check_names(tensors)
    return tensors


def of_tensors(tensors: Tensors, said: Activation | None = None, image: Sequence[int] | None = None) -> Reading:
    """The network whose weights these are, with the activation `said`, or what the file says, or ReLU.

    Raises
    ------
    Unreadable
        They are none; the tensor is named.
    """
    numbers: dict[str, Any] = {}
    for name, value in tensors.items():
        short = name.rpartition(".")[2]
        if short in NUMBERS and not np.array_equal(numbers.setdefault(short, value), value):
            raise Unreadable(f"{name} is another {short} than the one before: only one for all layers is read")
    weights = {name: tensor for name, tensor in tensors.items() if name.rpartition(".")[2] not in NUMBERS}
    for name in weights:
        other = next((reason for pattern, reason in OTHERWISE.items() if re.search(pattern, name)), None)
        if other is not None:
            raise Unreadable(f"{name} {other}, or export to .onnx")
    outside = _outside(weights)
    if outside is not None:
        return Reading(LayersAlone(_alone(weights), outside))
    layers = layers_of(weights)
    if "leak" in numbers:
        if said not in (None, ACTIVATIONS["relu"]):
            raise Unreadable(f"the activation of a leaky ResNet is the ReLU, not {said.words if said else ''}")
        own = _own_activation(numbers)
        if own not in (None, ACTIVATIONS["relu"]):
            raise Unreadable(f"the activation of a leaky ResNet is the ReLU, the file says {own.words if own else ''}")
        return Reading(leaky_resnet(layers, numbers))
    own_activation = _own_activation(numbers)
    if own_activation is not None and said not in (None, own_activation):
        raise Unreadable(f"the file says that the activation is {own_activation.words}, not {said.words if said else ''}")
    activation = said or own_activation or ACTIVATIONS["relu"]
    convolutions = any(layer.weight.ndim > 2 for layer in layers)
    kind = "circular convolutions" if convolutions and layers[0].before is not None else "layers"
    names = [layer.name.removesuffix(".weight") for layer in layers]
    details = f"in the order {', '.join(names if len(names) <= 12 else [*names[:6], '...', *names[-6:]])}"
    norms = [name.removesuffix(".running_mean") for name in weights if name.endswith("running_mean")]
    if norms:
        details += f", with {', '.join(norms[:6])} as BatchNorm before the activation and 1e-5 beside its variance"
    linear = activation.is_homogeneous and activation.slope == 1
    words = f"a chain of linear {kind}" if linear else f"a chain of {activation.words} {kind}"
    return Reading(_network(layers, activation, image), words, details, said is None and own_activation is None)


def _own_activation(numbers: Mapping[str, Any]) -> Activation | None:
    slope = number("slope", numbers["slope"]) if "slope" in numbers and numbers["slope"].dtype.kind != "U" else None
    if "slope" in numbers and slope is None:
        try:
            slope = number("slope", np.asarray(float(str(numbers["slope"]))))
        except ValueError as error:
            raise Unreadable(f"slope must be a number, got {str(numbers['slope'])[:40]!r}") from error
    if "activation" not in numbers:
        return None if slope is None else Activation("slopes", slope)
    name = numbers["activation"]
    if name.dtype.kind != "U" or name.size != 1:
        raise Unreadable(f"activation must be one of {', '.join(ACTIVATIONS)}, got an array of {name.dtype}")
    try:
        return activation_named(str(name.reshape(())), slope)
    except ValueError as error:
        raise Unreadable(str(error)) from error


def _network(layers: Sequence[Layer], activation: Activation, image: Sequence[int] | None) -> AnyNetwork:
    if any(layer.weight.ndim > 2 for layer in layers):
        if any(layer.weight.ndim == 2 for layer in layers):
            check_chain(layers)
        if not activation.is_homogeneous:
            raise Unreadable(f"convolutions with {activation.words} are read of .onnx files, which say how they pad")
        return circular_cnn(layers, activation.slope, image)
    check_chain(layers)
    if activation.is_homogeneous:
        return fully_connected(layers, activation.slope)
    program = Program((layers[0].weight.shape[1],))
    value = 0
    for place, layer in enumerate(layers):
        if place:
            value = program.add(f"the activation before {layer.name}", activation, value)
        bias = np.zeros(len(layer.weight)) if layer.bias is None else layer.bias
        value = program.add(layer.name, Dense(layer.weight, bias), value)
    program.output = value
    return recognised(program)


ATTENTION = re.compile(r"in_proj_weight|(^|[._])(attn|attention|self_attn|[qkv]_proj|to_[qkv]|query|key)([._]|$)")


def _outside(tensors: Tensors) -> str | None:
    """Why nothing is known but the layers: attention, or a normalisation that depends on the point."""
    attention = next((name for name in tensors if ATTENTION.search(name)), None)
    if attention is not None:
        return f"{attention} belongs to attention, which is outside of the theory"
    for name, values in tensors.items():
        start, _, last = name.rpartition(".")
        if last == "weight" and values.ndim == 1 and f"{start}.running_mean" not in tensors:
            if f"{start}.bias" in tensors:
                return f"{name}, of shape {values.shape}, belongs to LayerNorm or the like, which is outside of the theory"
            return (
                f"{name}, of shape {values.shape}, is the slope of a PReLU or of a normalisation; names do not say which, nor "
                "where it stands: export the network to .onnx"
            )
    return None


def _alone(tensors: Tensors) -> list[NamedWeight]:
    """All matrices and filters by name; of joined queries, keys and values each."""
    weights = []
    for name, values in tensors.items():
        if values.ndim < 2:
            continue
        weight = checked(name, values)
        if 0 in weight.shape:
            raise Unreadable(f"{name} has the shape {weight.shape}: it is empty")
        start, dot, last = name.rpartition(".")
        bias = tensors.get(f"{start}{dot}{last.replace('weight', 'bias')}") if "weight" in last else None
        if bias is not None and bias.shape != weight.shape[:1]:
            transposed = "; save the transpose: weights are outputs x inputs" if bias.shape == weight.shape[1:] else ""
            raise Unreadable(f"the bias of {name} has the shape {bias.shape} for {len(weight)} outputs{transposed}")
        vector = None if bias is None else checked(f"the bias of {name}", bias)
        if last == "in_proj_weight" and len(weight) == 3 * weight.shape[1]:
            for part, word in enumerate(("queries", "keys", "values")):
                rows = slice(part * weight.shape[1], (part + 1) * weight.shape[1])
                weights.append(NamedWeight(f"{start}{dot}{word}", weight[rows], None if vector is None else vector[rows]))
        else:
            weights.append(NamedWeight(name, weight, vector))
    if not weights:
        raise Unreadable("there are no weights here")
    return weights
