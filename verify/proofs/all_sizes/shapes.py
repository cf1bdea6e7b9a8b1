"""The shapes of a derived variable, as sizes: those that it has at a dozen combinations of sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from verify.claims.draws import structured_numbers
from verify.claims.variables import Derived, built, coordinates_of
from verify.proofs.all_sizes.letters import NotWords, Size

VALUES = (2, 3, 5, 4, 7)
"""Values of the sizes that are symbols, different for each."""


def shapes_of(variable: Derived, sizes: Mapping[str, Any]) -> Any:
    """A tuple of sizes for an array, a list of shapes for a tuple of arrays.

    Raises
    ------
    NotWords
        It is something else, or its shape is none of the sizes.
    """
    symbols = [name for name, size in sizes.items() if isinstance(size, Size)]
    if len(symbols) > len(VALUES):
        raise NotWords("a derived variable has too many sizes")
    examples: list[tuple[Mapping[str, int], Any]] = []
    for turn in range(len(VALUES)):
        numbers = {name: VALUES[(place + turn) % len(VALUES)] for place, name in enumerate(symbols)}
        examples.append((numbers, _shape_at(variable, {**sizes, **numbers})))
    return _common(examples)


def _shape_at(variable: Derived, sizes: Mapping[str, int]) -> Any:
    rng = np.random.default_rng(0)
    layout = coordinates_of({"": variable}, sizes)
    coordinates = {name: structured_numbers(rng, coordinate, 1) for name, coordinate in layout.items()}
    try:
        with np.errstate(all="ignore"):
            value = built({"": variable}, sizes, coordinates)[""]
    except Exception as error:
        raise NotWords(f"a derived variable has no value: {type(error).__name__}: {error}") from error
    return _shape_of(value)


def _shape_of(value: Any) -> Any:
    if isinstance(value, tuple | list) and (type(value) in (tuple, list)):
        return [_shape_of(entry) for entry in value]
    shape = getattr(value, "shape", None)
    if type(value).__name__ not in ("InstanceArray", "ndarray") or not isinstance(shape, tuple):
        raise NotWords(f"a derived variable is a {type(value).__name__}")
    return shape


def _common(examples: list[tuple[Mapping[str, int], Any]]) -> Any:
    shapes = [shape for _, shape in examples]
    if isinstance(shapes[0], list):
        if not all(isinstance(shape, list) and len(shape) == len(shapes[0]) for shape in shapes):
            raise NotWords("a derived variable is a tuple of another length at other sizes")
        return [_common([(numbers, shape[k]) for numbers, shape in examples]) for k in range(len(shapes[0]))]
    if not all(isinstance(shape, tuple) and len(shape) == len(shapes[0]) for shape in shapes):
        raise NotWords("a derived variable has another number of axes at other sizes")
    return tuple(_size([(numbers, shape[axis]) for numbers, shape in examples]) for axis in range(len(shapes[0])))


def _size(examples: list[tuple[Mapping[str, int], int]]) -> Size | int:
    lengths = {length for _, length in examples}
    if len(lengths) == 1:
        return lengths.pop()
    for name in examples[0][0]:
        differences = {length - numbers[name] for numbers, length in examples}
        if len(differences) == 1:
            return Size(((name, 1),), differences.pop())
    raise NotWords(f"a derived variable has a length that is no size: {sorted(lengths)}")
