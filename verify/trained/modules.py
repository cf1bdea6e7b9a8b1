"""Live networks of PyTorch, by what they look like: nothing here imports it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.networks import CircularCNN, FullyConnected, LeakyResNet
from verify.trained.networks import Layer, Network, checked, circular_cnn, fully_connected, same
from verify.trained.tensors import Unreadable

IGNORED = ("Identity", "Flatten", "Dropout")
READ = "Linear, Conv1d and Conv2d with padding_mode='circular', ReLU, LeakyReLU, Identity, Flatten, Dropout"


def from_module(model: Any, image: tuple[int, ...] | None = None) -> Network:
    """The network of a ``torch.nn.Sequential`` (or of one inside others), or `model` itself if it is one of the engine.

    Raises
    ------
    Unreadable
        Another module, a layer that is not read, or shapes that do not chain: the layer is named.
    TypeError
        It is no module at all.
    """
    if isinstance(model, FullyConnected | LeakyResNet | CircularCNN):
        return model
    if type(model).__name__ not in ("Sequential", "Linear", "Conv1d", "Conv2d"):
        if hasattr(model, "state_dict"):
            raise Unreadable(
                f"a module {type(model).__name__} may compute anything: what is read are torch.nn.Sequential and files; "
                "torch.onnx.export writes what it computes to a file"
            )
        raise TypeError(f"network must be one of verify.networks, a torch.nn.Sequential or a path, got {model!r}")
    layers: list[Layer] = []
    slopes: list[float] = []
    for name, module in _flat(model, ""):
        kind = type(module).__name__
        if kind in ("Linear", "Conv1d", "Conv2d"):
            if len(slopes) < len(layers):
                slopes.append(1.0)
            layers.append(_layer(name, module))
        elif kind in ("ReLU", "LeakyReLU"):
            if len(slopes) != len(layers) - 1:
                raise Unreadable(f"the layer {name} ({kind}) follows no linear layer")
            slopes.append(float(getattr(module, "negative_slope", 0.0)))
        elif kind not in IGNORED:
            raise Unreadable(f"the layer {name} ({kind}) is not read: what is read are {READ}")
    if not layers:
        raise Unreadable("there is no linear layer")
    if len(slopes) == len(layers):
        raise Unreadable("the last layer ends with an activation: the networks of the theorems have none there")
    if len(set(slopes)) > 1:
        raise Unreadable(f"the layers must share one activation, got the slopes below zero {slopes} (1: there is none)")
    slope = slopes[0] if slopes else 0.0
    build = circular_cnn if layers[0].weight.ndim > 2 else None
    return fully_connected(layers, slope) if build is None else build(layers, slope, image)


def _flat(module: Any, name: str) -> Iterator[tuple[str, Any]]:
    if type(module).__name__ != "Sequential":
        yield name or "0", module
        return
    for inner, child in module.named_children():
        yield from _flat(child, f"{name}.{inner}" if name else inner)


def _layer(name: str, module: Any) -> Layer:
    weight = checked(f"{name}.weight", _numbers(module.weight))
    bias = None if module.bias is None else checked(f"{name}.bias", _numbers(module.bias))
    if weight.ndim == 2:
        return Layer(name, weight, bias)
    if getattr(module, "padding_mode", "zeros") != "circular":
        raise Unreadable(f"the layer {name} pads with {module.padding_mode}: only padding_mode='circular' is read")
    for attribute in ("stride", "dilation", "groups"):
        if np.any(np.asarray(getattr(module, attribute)) != 1):
            raise Unreadable(f"the layer {name} has {attribute} {getattr(module, attribute)}: it must be 1")
    padding = module.padding
    before = same(weight) if padding == "same" else () if isinstance(padding, str) else tuple(int(one) for one in padding)
    if len(before) != weight.ndim - 2 or (
        padding != "same" and any(2 * p != k - 1 for p, k in zip(before, weight.shape[2:], strict=True))
    ):
        raise Unreadable(f"the layer {name} changes the size of images: padding {padding} with filters {weight.shape[2:]}")
    return Layer(name, weight, bias, before)


def _numbers(tensor: Any) -> Any:
    """A tensor as an array; ``numpy`` alone would refuse one that is trained."""
    return np.asarray(tensor.detach().cpu().double().numpy() if hasattr(tensor, "detach") else tensor)
