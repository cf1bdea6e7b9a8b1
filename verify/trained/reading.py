"""From a file to a network of the engine: one door for all formats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from verify.trained.networks import Network, from_tensors
from verify.trained.tensors import read_tensors


def read_network(path: Path, slope: float | None = None, image: Sequence[int] | None = None) -> Network:
    """The network in a file .npz, .safetensors, .pt, .pth or .onnx.

    Parameters
    ----------
    slope
        Of the activation for negative arguments, where the file does not say; 0 (ReLU) by default.
    image
        Lengths of the images of a convolutional network, where the file does not say.

    Raises
    ------
    Unreadable
        The file holds no network that can be read: one line, which names the layer.
    OSError
        The file cannot be opened.
    """
    if path.suffix == ".onnx":
        from verify.trained.onnx import from_onnx

        return from_onnx(path, image)
    return from_tensors(read_tensors(path), slope, image)
