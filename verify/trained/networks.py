"""Networks of the engine from named tensors: fully connected, leaky ResNets, circular convolutional networks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from verify.networks import CircularCNN, FullyConnected, HomogeneousActivation, LeakyResNet
from verify.trained.files import Unreadable
from verify.trained.tensors import Tensors

Network: TypeAlias = FullyConnected | LeakyResNet | CircularCNN
Floats: TypeAlias = npt.NDArray[np.float64]

KINDS: Mapping[type, str] = {
    FullyConnected: "fully connected",
    LeakyResNet: "leaky ResNet",
    CircularCNN: "circular CNN",
}


@dataclass(frozen=True, eq=False)
class Layer:
    """One affine map, and the name that an error gives it.

    Attributes
    ----------
    weight
        A matrix ``(outputs, inputs)``, or a kernel ``(outputs, inputs, *lengths)``.
    before
        Of a cross-correlation, as PyTorch's and ONNX's convolutions are: how many values of the image stand before it in its
        padding, by axis. None for a matrix, and for a kernel of the engine, which is as long as the image.
    normalised
        Whether a BatchNorm is folded into it.
    """

    name: str
    weight: Floats
    bias: Floats | None
    before: tuple[int, ...] | None = None
    normalised: bool = False


NUMBERS = ("leak", "steps", "slope", "activation")
"""Names of what is no weight and says how the weights are used."""
EPSILON = 1e-5
"""What PyTorch's BatchNorm adds to variances, which its state dict does not say."""


def _names(tensors: Tensors) -> str:
    names = list(tensors)
    return ", ".join(names[:6]) + (", ..." if len(names) > 6 else "") or "nothing"


def layers_of(tensors: Tensors) -> list[Layer]:
    """Weights with their biases, in the order of the weights; BatchNorm is folded into the layer before it.

    Raises
    ------
    Unreadable
        There are none, one is missing, or a tensor belongs to none.
    """
    remaining = {name: checked(name, values) for name, values in tensors.items()}
    layers: list[Layer] = []
    for name, values in tensors.items():
        if values.ndim >= 2 and _short(name) in _BIASES:
            weight = remaining.pop(name)
            if values.dtype.kind == "b" or (values.dtype.kind in "iu" and values.dtype.itemsize == 1):
                raise Unreadable(f"{name} holds {values.dtype}: quantised weights are not read")
            bias = _bias_of(name)
            before = None if _short(name) in _ENGINE else same(weight)
            layers.append(Layer(name, weight, remaining.pop(bias, None) if bias else None, before))
        elif name.rpartition(".")[2] == "running_mean":
            _fold_batch_norm(layers, remaining, name.rpartition(".")[0])
    if remaining:
        name = next(iter(remaining))
        raise Unreadable(
            f"{name}, of shape {remaining[name].shape}, belongs to no weight matrix: what is read are linear layers and "
            "circular convolutions with their biases, and BatchNorm; weights are called W1, b1, ... or 0.weight, 0.bias, ..."
        )
    if not layers:
        raise Unreadable(
            f"there are no weights here: they are called W1, b1, ... or 0.weight, 0.bias, ..., got {_names(tensors)}"
        )
    _check_none_missing(layers)
    _check_no_copies(layers)
    return layers


OTHERWISE: Mapping[str, str] = {
    r"(^|[./])kernel(:0)?$": "is named as Keras and Flax name weights, which are inputs x outputs there: save its transpose as "
    "W1, W2, ...",
    r"(^|\.)(weight_(g|v|u|orig|mask)|parametrizations\..*)$": "is what a weight is computed of, by weight_norm, spectral_norm "
    "or pruning: remove that before saving",
}
"""Names of what is no weight outputs x inputs, and what to do."""
COPIES = re.compile(
    "ema|opt|optim|optimi[sz]er|mu|nu|exp_avg(_sq)?|momentum(_buffer)?|shadow|teacher|lora_([AB]|up|down)|adapters?"
    "|(.*_)?(ema|target|swa)(_.*)?"
)
"""Parts of names of what stands beside the weights of a network."""


def _check_no_copies(layers: Sequence[Layer]) -> None:
    """No averages, moments of an optimiser or adapters among the weights: whose shapes fit would be further layers."""
    names = [layer.name for layer in layers]
    inside: dict[str, set[tuple[str, tuple[int, ...]]]] = {}
    for layer in layers:
        for dot in re.finditer(r"\.", layer.name):
            inside.setdefault(layer.name[: dot.start()], set()).add((layer.name[dot.end() :], layer.weight.shape))
    alike: dict[tuple[str, frozenset[tuple[str, tuple[int, ...]]]], str] = {}
    for start, content in inside.items():
        other = alike.setdefault((start.rpartition(".")[0], frozenset(content)), start)
        # blocks that a number tells apart are one network
        if len(content) > 1 and re.sub("[0-9]+", "", start) != re.sub("[0-9]+", "", other):
            raise Unreadable(f"{other} and {start} have layers of the same names and shapes, as two networks have: save one")
    for name in names:
        parts = name.split(".")
        starts = [f"{'.'.join(parts[:k])}." for k in range(1, len(parts))]
        others = [[other for other in names if not other.startswith(start)] for start in starts]
        copied = any(
            rest and all(f"{start}{other}" in names for other in rest) for start, rest in zip(starts, others, strict=True)
        )
        if copied or any(map(COPIES.fullmatch, parts[:-1])):
            raise Unreadable(f"{name} seems to stand beside the weights of the network, as a copy or an addition: leave it out")


def _fold_batch_norm(layers: list[Layer], remaining: dict[str, Floats], name: str) -> None:
    """The last layer times the factors, and with the constants, of the BatchNorm of this name."""
    start = f"{name}." if name else ""
    if not layers:
        raise Unreadable(f"{name or 'BatchNorm'} stands before all layers: export to .onnx, which says where it acts")
    layer = layers[-1]
    outputs = len(layer.weight)
    mean, variance = (remaining.pop(f"{start}{key}", None) for key in ("running_mean", "running_var"))
    scale, shift = remaining.pop(f"{start}weight", np.ones(outputs)), remaining.pop(f"{start}bias", np.zeros(outputs))
    remaining.pop(f"{start}num_batches_tracked", None)
    if mean is None or variance is None or not {array.shape for array in (mean, variance, scale, shift)} == {(outputs,)}:
        raise Unreadable(f"{name}, which is BatchNorm, does not fit the {outputs} outputs of {layer.name} before it")
    if np.any(variance < 0):
        raise Unreadable(f"{name} has a negative variance")
    if layer.normalised or not _stands_behind(name, layer.name.rpartition(".")[0] or layer.name):
        raise Unreadable(
            f"{name} is BatchNorm, and its name does not say whether it stands behind {layer.name}: export to .onnx, which does"
        )
    factor = scale / np.sqrt(variance + EPSILON)
    bias = shift - factor * mean + (0.0 if layer.bias is None else factor * layer.bias)
    weight = layer.weight * factor.reshape(-1, *[1] * (layer.weight.ndim - 1))
    layers[-1] = Layer(layer.name, weight, bias, layer.before, normalised=True)


def _stands_behind(name: str, layer: str) -> bool:
    """Whether a name is that of what follows a layer: of the same count (bn1, fc1), or the next in one (net.0, net.1)."""
    parts, others = (re.split(r"([0-9]+)", one) for one in (name, layer))
    for place, (part, other) in enumerate(zip(parts, others, strict=False)):
        if part != other and place % 2:
            # what stands between net.0 and net.2 is not known
            is_next = max(len(part), len(other)) < 10 and int(part) == int(other) + 1
            return is_next and parts[place + 1 :] == others[place + 1 :] == [""]
        if part != other:
            return parts[1::2] == others[1::2]
    return parts[1::2] == others[1::2]


def _check_none_missing(layers: Sequence[Layer]) -> None:
    """Names such as W1, W2, ... and fc1, fc2, ... count their layers: none may be left out."""
    counted: dict[str, dict[int, Layer]] = {}
    for layer in layers:
        matched = _NUMBERED.fullmatch(layer.name.removesuffix(".weight"))
        if matched is not None:
            counted.setdefault(matched[1], {})[int(matched[2])] = layer
    all_counts = {count for by_count in counted.values() for count in by_count}
    for stem, by_count in counted.items():
        for count in sorted(by_count):
            # a name may go on counting where another left off: conv1, conv2, fc3
            if count > 1 and count - 1 not in (by_count if min(by_count) < count else all_counts):
                name = by_count[count].name
                raise Unreadable(f"{name.replace(f'{stem}{count}', f'{stem}{count - 1}', 1)} is missing: there is {name}")
        with_bias = {count for count, layer in by_count.items() if layer.bias is not None}
        if stem in ("W", "k") and with_bias and with_bias != set(by_count):
            count = min(set(by_count) - with_bias)
            raise Unreadable(f"b{count} is missing: other layers have a bias, and zeros say that this one has none")


_NUMBERED = re.compile(r"(.*[^\W\d])([0-9]{1,9})")


def same(weight: Floats) -> tuple[int, ...]:
    """Values before the image where the padding is "same"."""
    return tuple((length - 1) // 2 for length in weight.shape[2:])


def _short(name: str) -> str:
    return re.sub(r"[0-9]+$", "", name.rpartition(".")[2])


_ENGINE = ("k", "kernels")
_BIASES = {"W": "b", "k": "b", "weight": "bias", "kernels": "biases", "weights": "biases"}


def _bias_of(name: str) -> str | None:
    start, dot, last = name.rpartition(".")
    short = _short(name)
    return f"{start}{dot}{_BIASES[short]}{last[len(short) :]}" if short in _BIASES else None


def checked(name: str, values: Any) -> Floats:
    """Finite float64.

    Raises
    ------
    Unreadable
        NaN, infinity, or no real numbers.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "fiub":
        raise Unreadable(f"{name} must hold real numbers, got {array.dtype}")
    with np.errstate(over="ignore"):
        array = array.astype(np.float64, copy=False)
    not_finite = int(np.size(array) - np.isfinite(array).sum())
    if not_finite:
        raise Unreadable(f"{name} has {not_finite} of {array.size} entries that are NaN or infinite")
    return array


def number(name: str, values: Any) -> float:
    """A finite number; errors as for `checked`."""
    array = checked(name, values)
    if array.size != 1:
        raise Unreadable(f"{name} must be a number, got the shape {array.shape}")
    return float(array.reshape(()))


def check_chain(layers: Sequence[Layer]) -> None:
    """Each layer takes what the one before gives, and has a bias as long as its outputs.

    Raises
    ------
    Unreadable
        It does not; both layers are named.
    """
    for place, layer in enumerate(layers):
        if layer.weight.ndim != layers[0].weight.ndim:
            raise Unreadable(
                f"{layer.name} has the shape {layer.weight.shape}, and {layers[0].name} has {layers[0].weight.shape}"
            )
        outputs, inputs = layer.weight.shape[:2]
        if place and inputs != (before := layers[place - 1]).weight.shape[0]:
            widths = f"{layer.name} takes {inputs} inputs but {before.name} gives {before.weight.shape[0]} outputs"
            transposed = before.weight.ndim == layer.weight.ndim == 2 and outputs == before.weight.shape[1]
            raise Unreadable(widths + "; save the transposes: weights are outputs x inputs" * transposed)
        if 0 in layer.weight.shape:
            raise Unreadable(f"{layer.name} has the shape {layer.weight.shape}: it is empty")
        if layer.bias is not None and layer.bias.shape != (outputs,):
            transposed = layer.weight.ndim == 2 and layer.bias.shape == (inputs,)
            raise Unreadable(
                f"the bias of {layer.name} has the shape {layer.bias.shape} for {outputs} outputs"
                + "; save the transpose: weights are outputs x inputs" * transposed
            )


def fully_connected(layers: Sequence[Layer], slope: float) -> FullyConnected:
    """The network of these layers; errors as for `check_chain`."""
    check_chain(layers)
    biases = [np.zeros(len(layer.weight)) if layer.bias is None else layer.bias for layer in layers]
    return FullyConnected([layer.weight for layer in layers], biases, HomogeneousActivation(1, float(slope)))


def leaky_resnet(layers: Sequence[Layer], numbers: Mapping[str, Any]) -> LeakyResNet:
    """The leaky ResNet of these layers, with the numbers `leak` and perhaps `steps`; errors as for `check_chain`."""
    weights = []
    width = layers[0].weight.shape[0]
    for layer in layers:
        weight = layer.weight
        if (
            weight.ndim != 2
            or len(weight) != width
            or weight.shape[1] - width not in ((0,) if layer.bias is not None else (0, 1))
        ):
            raise Unreadable(
                f"{layer.name} has the shape {weight.shape}: the layers of a leaky ResNet of width {width} have "
                f"({width}, {width}) and a bias, or ({width}, {width + 1})"
            )
        if layer.bias is not None:
            if layer.bias.shape != (width,):
                raise Unreadable(f"the bias of {layer.name} has the shape {layer.bias.shape} for {width} outputs")
            weight = np.concatenate([weight, layer.bias[:, None]], axis=1)
        weights.append(weight)
    if any(weight.shape != weights[0].shape for weight in weights):
        weights = [
            weight if weight.shape[1] > width else np.concatenate([weight, np.zeros((width, 1))], axis=1) for weight in weights
        ]
    steps = checked("steps", numbers["steps"]) if "steps" in numbers else None
    if steps is not None and steps.shape != (len(layers),):
        raise Unreadable(f"steps must be one for each of {len(layers)} layers, got the shape {steps.shape}")
    try:
        return LeakyResNet(weights, np.asarray(number("leak", numbers["leak"])), steps)
    except ValueError as error:
        raise Unreadable(str(error)) from error


def circular_cnn(layers: Sequence[Layer], slope: float, image: Sequence[int] | None) -> CircularCNN:
    """The network of these kernels on images of the lengths `image`; errors as for `check_chain`."""
    check_chain(layers)
    axes = layers[0].weight.ndim - 2
    if all(layer.before is None for layer in layers):
        image = layers[0].weight.shape[2:] if image is None else image
    if image is None:
        raise Unreadable(
            f"{layers[0].name} is a convolution, and nothing says how large the images are: give points of the shape "
            f"(N, channels, {', '.join(['length'] * axes)}), or --image"
        )
    if len(image) != axes:
        raise Unreadable(f"{layers[0].name} acts on images with {axes} axes, got the image {'x'.join(map(str, image))}")
    kernels = [_full_kernel(layer, tuple(image)) for layer in layers]
    biases = [np.zeros(len(layer.weight)) if layer.bias is None else layer.bias for layer in layers]
    return CircularCNN(kernels, biases, HomogeneousActivation(1, float(slope)), axes=axes)


def _full_kernel(layer: Layer, image: tuple[int, ...]) -> Floats:
    """The kernel k with ``y[i] = sum_j k[i - j] x[j]``, as long as the image."""
    lengths = layer.weight.shape[2:]
    if layer.before is None:
        if lengths != image:
            raise Unreadable(f"{layer.name} has filters of {lengths}: those of the engine are as long as the images, {image}")
        return layer.weight
    full = np.zeros((*layer.weight.shape[:2], *image))
    # a cross-correlation: y[i] = sum_m w[m] x[i + m - p], with p values before the image
    for offset in np.ndindex(*lengths):
        place = tuple((p - m) % n for m, p, n in zip(offset, layer.before, image, strict=True))
        full[(..., *place)] += layer.weight[(..., *offset)]
    return full


def each_parameter(network: Network, change: Callable[[Any], Any]) -> Network:
    """The network with other arrays of parameters, leak and steps included."""
    if isinstance(network, LeakyResNet):
        return LeakyResNet([*map(change, network.weights)], change(network.leak), change(network.steps))
    return network.with_parameters([*map(change, network.parameters)])
