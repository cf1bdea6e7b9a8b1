"""Networks as ONNX models, for the tools that read them."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpq

from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, floats, rational
from verify.piecewise._arguments import one_network

OPSET = 13


def to_onnx(network: FullyConnected, path: str | Path | None = None) -> Any:
    r"""ONNX model (`onnx.ModelProto`) of a network, saved at `path` if one is given.

    One ``Gemm`` for each layer, and between two of them ``Relu`` or ``LeakyRelu``, or nothing for the identity. A scale that
    neither has (slopes :math:`p \ne 1` for ``t >= 0``) goes into the weights around it: :math:`\sigma(t) = p\,
    \mathrm{LeakyRelu}_{q/p}(t)`, and :math:`-q\,\mathrm{Relu}(-t)` for p = 0. The input ``x`` has shape ``(N, n_0)`` and the
    output ``y`` shape ``(N, n_L)``, for any N. All numbers are rounded once, to float32.

    Raises
    ------
    ModuleNotFoundError
        The package onnx is missing: ``pip install 'deep-l2-verify[onnx]'``.
    ValueError
        A batch of networks, or a parameter that float32 cannot hold.
    TypeError
        No network, parameters that are balls, or a path that is neither text nor a `Path`.

    Examples
    --------
    >>> model = to_onnx(from_pieces([([1], 0), ([-1], 0)], "max"))
    >>> print([node.op_type for node in model.graph.node])
    ['Gemm', 'Relu', 'Gemm']
    """
    if path is not None and not isinstance(path, str | Path):
        raise TypeError(f"path must be text or a pathlib.Path, got {path!r}")
    exact = one_network(network).as_exact()
    try:
        from onnx import TensorProto, checker, helper, numpy_helper, save
    except ModuleNotFoundError as error:
        if error.name != "onnx":
            raise
        raise ModuleNotFoundError("to_onnx needs the package onnx: pip install 'deep-l2-verify[onnx]'", name="onnx") from error
    before, kind, alpha, after = _activation(rational(exact.activation.positive), rational(exact.activation.negative))
    nodes, tensors, value = [], [], "x"
    for layer, (weight, bias) in enumerate(zip(exact.weights, exact.biases, strict=True), start=1):
        last = layer == exact.depth
        own_factor, incoming_factor = fmpq(1) if last else before, fmpq(1) if layer == 1 else after
        tensors.append(
            numpy_helper.from_array(_float32(weight * (own_factor * incoming_factor), f"weights[{layer - 1}]"), f"W{layer}")
        )
        tensors.append(numpy_helper.from_array(_float32(bias * own_factor, f"biases[{layer - 1}]"), f"b{layer}"))
        result = "y" if last else f"z{layer}"
        nodes.append(helper.make_node("Gemm", [value, f"W{layer}", f"b{layer}"], [result], transB=1))
        value = result
        if not last and kind is not None:
            value = f"a{layer}"
            nodes.append(helper.make_node(kind, [result], [value], **({"alpha": alpha} if kind == "LeakyRelu" else {})))
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", width])
        for name, width in (("x", exact.widths[0]), ("y", exact.widths[-1]))
    ]
    graph = helper.make_graph(nodes, "network", ends[:1], ends[1:], initializer=tensors)
    imports = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(
        graph,
        opset_imports=imports,
        ir_version=helper.find_min_ir_version_for(imports),
        producer_name="deep-l2-verify",
        producer_version=version("deep-l2-verify"),
    )
    checker.check_model(model)
    if path is not None:
        save(model, str(path))
    return model


def _activation(positive: fmpq, negative: fmpq) -> tuple[fmpq, str | None, float, fmpq]:
    """Factor of the pre-activations, ONNX operator (None: none), its slope below zero, and factor of its values."""
    if positive == negative:
        return fmpq(1), None, 1.0, positive
    if positive == 0:
        return fmpq(-1), "Relu", 0.0, -negative
    if negative == 0:
        return fmpq(1), "Relu", 0.0, positive
    ratio = negative / positive
    return fmpq(1), "LeakyRelu", int(ratio.p) / int(ratio.q), positive


def _float32(array: Array, name: str) -> np.typing.NDArray[np.float32]:
    with np.errstate(over="ignore"):
        rounded = floats(array).astype(np.float32)
    if not np.isfinite(rounded).all():
        raise ValueError(f"{name} has an entry beyond the range of float32, whose largest number is {np.finfo(np.float32).max}")
    return rounded
