"""What a report prints of an instance beside its free parameters: the values of the variables that are derived from them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from verify.claims.variables import Derived
from verify.numbers.arithmetic import is_exact, is_number

if TYPE_CHECKING:
    from verify.claims.domain import Domain, Sample

ENTRIES = 96
"""Arrays with more entries are described and not printed."""


def derived_values(domain: Domain, sample: Sample) -> dict[str, Any]:
    """The parts of the derived variables of one instance, by the names that a reader gives them.

    A part is a number, an array, or a few words where a value is neither or is too large.
    """
    derived = [name for name, variable in domain.variables.items() if isinstance(variable, Derived)]
    values = domain.instance(sample) if derived else {}
    shown: dict[str, Any] = {}
    for name in derived:
        for label, part in parts_of(name, values[name]):
            if label not in sample.coordinates:
                shown[label] = part
            elif not _same(part, sample.coordinates[label]):
                # a free parameter has this name, and repeats the instance: it is not to be hidden
                shown[f"{label} (derived)"] = part
    return shown


def _same(part: Any, given: Any) -> bool:
    """Whether an array is printed as a free parameter is."""
    return np.shape(part) == np.shape(given) and list(map(str, np.ravel(part))) == list(map(str, np.ravel(given)))


def parts_of(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The numbers and arrays that a value consists of: of a network its weights, biases and slopes, of a tuple its entries.

    Entries of a named tuple have their names. A measured value without an error is its value.
    """
    from verify.networks import FullyConnected
    from verify.numbers.measured import Measured

    if isinstance(value, FullyConnected):
        for layer, (weight, bias) in enumerate(zip(value.weights, value.biases, strict=True), start=1):
            yield from ((f"{name}.W{layer}", _array(weight)), (f"{name}.b{layer}", _array(bias)))
        yield f"{name}.slopes", _array([value.activation.positive, value.activation.negative])
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from parts_of(f"{name}[{key!r}]", part)
    elif isinstance(value, tuple | list):
        fields = getattr(value, "_fields", None)
        for place, part in enumerate(value):
            yield from parts_of(f"{name}[{place}]" if fields is None else f"{name}.{fields[place]}", part)
    elif isinstance(value, Measured) and str(value.error) in ("0", "0.0"):
        yield from parts_of(name, value.value)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            if not field.name.startswith("_"):
                yield from parts_of(f"{name}.{field.name}", getattr(value, field.name))
    else:
        yield name, _array(value)


def _array(value: Any) -> Any:
    array = np.asarray(value, dtype=object if _holds_exact(value) else None)
    plain = array.dtype.kind in "biuf" or (is_exact(array) and all(map(is_number, array.flat)))
    if not plain:
        return f"a value of the type {type(value).__name__}"
    return array if array.size <= ENTRIES else f"an array of shape {array.shape}"


def _holds_exact(value: Any) -> bool:
    return isinstance(value, list) and any(is_exact(np.asarray(entry)) for entry in value)
