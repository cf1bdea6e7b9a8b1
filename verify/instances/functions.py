"""The functions of NumPy that are known for batches of instances; `FUNCTIONS` holds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from flint import arb, fmpq

from verify.instances.array import (
    FUNCTIONS,
    InstanceArray,
    aligned,
    apply_ufunc,
    array_of_number,
    core_ndim,
    exact_integers,
    gathered,
    in_one_library,
    lead_of,
    number_beside,
    operand,
    truth,
)
from verify.instances.integers import in_order
from verify.numbers.arithmetic import Array, any_traced, array_module
from verify.numbers.exactness import ExactNumber, in_exact_evaluation


def _parts(arrays: Any) -> tuple[list[Any], int, tuple[int, ...]]:
    parts = [gathered(array) for array in arrays]
    parts = [part if isinstance(part, InstanceArray) else InstanceArray(np.asarray(part), 0) for part in parts]
    lead = max(part.lead for part in parts)
    batches = {part.values.shape[: part.lead] for part in parts if part.lead == lead}
    return parts, lead, batches.pop() if len(batches) == 1 else np.broadcast_shapes(*batches)


def joined(arrays: Any) -> tuple[list[Array], int]:
    """Arrays in one arithmetic, with the same batch axes."""
    parts, lead, batch = _parts(arrays)
    raw = []
    exact = in_exact_evaluation() or any(part.values.dtype.kind == "O" for part in parts)
    for part in parts:
        values = part.values
        if exact and values.dtype.kind in "biu":
            values = exact_integers(values)
        raw.append(values)
    xp, raw = in_one_library(raw)
    shapes = [(*batch, *part.shape) for part in parts]
    return [
        array if array.shape == shape else xp.broadcast_to(array, shape) for array, shape in zip(raw, shapes, strict=True)
    ], lead


def _concatenate(arrays: Any, axis: int | None = 0) -> Any:
    raw, lead = joined([array.ravel() for array in map(gathered, arrays)] if axis is None else arrays)
    ndim = raw[0].ndim - lead
    return InstanceArray(array_module(raw[0]).concatenate(raw, axis=lead + (axis or 0) % max(ndim, 1)), lead)


def stack(arrays: Any, axis: int = 0) -> Any:
    raw, lead = joined(arrays)
    ndim = raw[0].ndim - lead + 1
    return InstanceArray(array_module(raw[0]).stack(raw, axis=lead + axis % ndim), lead)


def _where(condition: Any, *choices: Any) -> Any:
    if len(choices) != 2:
        return NotImplemented
    operands = [operand(gathered(value)) for value in (condition, *choices)]
    if any(value is NotImplemented for value in operands):
        return NotImplemented
    lead, ndim = lead_of(*operands), max(map(core_ndim, operands))
    raw = [aligned(value, ndim) for value in operands]
    kinds = [getattr(getattr(value, "dtype", None), "kind", "") for value in raw[1:]]
    exact = "O" in kinds or any(isinstance(value, fmpq | arb | ExactNumber) for value in raw[1:])
    if exact or (in_exact_evaluation() and "f" not in kinds):
        raw[1:] = [
            exact_integers(value) if kind and kind in "biu" else value for value, kind in zip(raw[1:], kinds, strict=True)
        ]
        raw[1:] = [array_of_number(number_beside(value, ["O"])) for value in raw[1:]]
    else:
        raw[1:] = [number_beside(value, kinds) for value in raw[1:]]
    raw[0] = truth(operands[0]).reshape(raw[0].shape) if isinstance(operands[0], InstanceArray) else raw[0]
    xp, raw = in_one_library(raw)
    return InstanceArray(xp.where(*raw), lead)


def _einsum(subscripts: Any, *operands: Any, **options: Any) -> Any:
    if not isinstance(subscripts, str) or "." in subscripts or options.get("out") is not None:
        return NotImplemented
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    if not arrow:
        letters = "".join(terms)
        right = "".join(sorted(letter for letter in set(letters) if letters.count(letter) == 1))
    raw, lead = joined(operands)
    return InstanceArray(
        array_of_number(array_module(raw[0]).einsum(f"{','.join('...' + term for term in terms)}->...{right}", *raw)), lead
    )


def _dot(left: Any, right: Any) -> Any:
    if 0 in (core_ndim(left), core_ndim(right)):
        return apply_ufunc(np.multiply, left, right)
    if core_ndim(right) > 2:
        return NotImplemented
    return apply_ufunc(np.matmul, left, right)


def _reduction(name: str) -> Callable[..., Any]:
    def function(array: Any, axis: Any = None, **options: Any) -> Any:
        array = gathered(array)
        if not isinstance(array, InstanceArray) or any(value not in (None, np._NoValue) for value in options.values()):
            return NotImplemented
        return getattr(array, name)(axis)

    return function


def _method(name: str) -> Callable[..., Any]:
    return lambda array, *operands, **options: getattr(gathered(array), name)(*operands, **options)


def _diag(array: Any, k: int = 0) -> Any:
    if k or array.ndim > 2:
        return NotImplemented
    if array.ndim == 2:
        return array.diagonal()
    return array[:, None] * np.eye(len(array), dtype=np.int64)


def _moveaxis(array: InstanceArray, source: Any, destination: Any) -> Any:
    places = [tuple(array._axes(axes)) for axes in (source, destination)]
    return InstanceArray(np.moveaxis(array.values, *places), array.lead)


def _expand_dims(array: InstanceArray, axis: int) -> Any:
    return InstanceArray(np.expand_dims(array.values, array.lead + axis % (array.ndim + 1)), array.lead)


def _broadcast_to(array: InstanceArray, shape: Any) -> Any:
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    raw = aligned(array, len(shape))
    return InstanceArray(np.broadcast_to(raw, raw.shape[: array.lead] + shape), array.lead)


def _like(fill: int) -> Callable[..., Any]:
    def function(array: InstanceArray, *_: Any, **__: Any) -> Any:
        whole = np.full(array.values.shape, fill, dtype=np.int64)
        if array.values.dtype.kind == "O":
            return InstanceArray(exact_integers(whole), array.lead)
        return InstanceArray(whole.astype(array.values.dtype if array.values.dtype.kind == "f" else np.int64), array.lead)

    return function


def _flip(array: InstanceArray, axis: Any = None) -> Any:
    return InstanceArray(np.flip(array.values, axis=array._axes(axis)), array.lead)


def _roll(array: InstanceArray, shift: Any, axis: Any = None) -> Any:
    if axis is None:
        return NotImplemented
    axes = array._axes(axis)
    return InstanceArray(np.roll(array.values, shift, axis=axes if isinstance(shift, tuple) else axes[0]), array.lead)


def _repeat(array: InstanceArray, repeats: Any, axis: Any = None) -> Any:
    if axis is None:
        return NotImplemented
    return InstanceArray(np.repeat(array.values, repeats, axis=array._axis(axis)), array.lead)


def _sort(array: Any, axis: int | None = -1, **options: Any) -> Any:
    array = gathered(array)
    if options or axis is None or any_traced(array.values):
        return NotImplemented
    if array.values.dtype.kind == "O":
        return InstanceArray(in_order(array.values, array._axis(axis)), array.lead)
    return InstanceArray(np.sort(array.values, axis=array._axis(axis)), array.lead)


def _round(array: Any, decimals: int = 0, **options: Any) -> Any:
    return NotImplemented if options or decimals else apply_ufunc(np.rint, gathered(array))


def _masked(function: Any) -> Callable[..., Any]:
    return lambda array, k=0: array * function(np.ones(array.shape[-2:], dtype=np.int64), k)


FUNCTIONS |= {
    np.concatenate: _concatenate,
    np.stack: stack,
    np.where: _where,
    np.einsum: _einsum,
    np.dot: _dot,
    np.diag: _diag,
    np.moveaxis: _moveaxis,
    np.expand_dims: _expand_dims,
    np.broadcast_to: _broadcast_to,
    np.zeros_like: _like(0),
    np.ones_like: _like(1),
    np.flip: _flip,
    np.sort: _sort,
    np.round: _round,
    np.roll: _roll,
    np.repeat: _repeat,
    np.tril: _masked(np.tril),
    np.triu: _masked(np.triu),
    np.outer: lambda left, right: gathered(left).ravel()[:, None] * gathered(right).ravel()[None, :],
    np.vdot: lambda left, right: gathered(left).ravel() @ gathered(right).ravel(),
    np.amax: _reduction("max"),
    np.amin: _reduction("min"),
    np.max: _reduction("max"),
    np.min: _reduction("min"),
    np.shape: lambda array: array.shape,
    np.ndim: lambda array: array.ndim,
    np.size: lambda array: array.size,
}
FUNCTIONS |= {
    getattr(np, _name): _reduction(_name) for _name in ("sum", "mean", "prod", "all", "any", "cumsum", "argmax", "argmin")
}
FUNCTIONS |= {
    getattr(np, _name): _method(_name) for _name in ("reshape", "ravel", "transpose", "swapaxes", "trace", "diagonal")
}
