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
    return {label: part for name in derived for label, part in parts_of(name, values[name])}


def parts_of(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The numbers and arrays that a value consists of: of a network its weights, biases and slopes, of a tuple its entries."""
    from verify.networks import FullyConnected

    if isinstance(value, FullyConnected):
        for layer, (weight, bias) in enumerate(zip(value.weights, value.biases, strict=True), start=1):
            yield from ((f"{name}.W{layer}", _array(weight)), (f"{name}.b{layer}", _array(bias)))
        yield f"{name}.slopes", _array([value.activation.positive, value.activation.negative])
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from parts_of(f"{name}[{key!r}]", part)
    elif isinstance(value, tuple | list):
        for place, part in enumerate(value):
            yield from parts_of(f"{name}[{place}]", part)
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
