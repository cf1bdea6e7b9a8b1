"""Instances as a reader wants them: named numbers, vectors and matrices, in MathML."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

import numpy as np

from verify.numbers.arithmetic import floats, is_exact, is_number
from verify.numbers.measured import Measured
from verify.report import words
from verify.report.pictures import line_of

COLUMNS, ENTRIES = 9, 96
"""Matrices with more columns, and arrays with more entries, are described and not shown; long lists are a line."""
FEW = 16
"""Numbers of an instance that is shown at once; others are folded."""


def instance(variables: Mapping[str, Any], sizes: Mapping[str, Any] | None = None) -> str:
    """A list of variables by name, as HTML: networks by their weights and biases, other values by their parts."""
    named = ", ".join(f"{escape(name)} {escape(str(value))}" for name, value in (sizes or {}).items())
    shown = [f'<li class="quiet">{named}</li>'] if named else []
    for name, value in variables.items():
        shown += _lines(escape(name), value)
    return f'<ul class="instance">{"".join(shown)}</ul>'


def numbers_in(coordinates: Mapping[str, Any]) -> int:
    """How many numbers an instance has."""
    return sum(np.asarray(values, dtype=object).size for values in coordinates.values())


def _line(name: str, value: str) -> str:
    # said once for all its numbers
    sign = "≈" if "≈ " in value else "="
    return f"<li><math><mtext>{name}</mtext><mo>{sign}</mo>{value.replace('≈ ', '')}</math></li>"


def _lines(name: str, value: Any) -> Iterator[str]:
    # networks are imported when a claim has one: `verify list` needs none of them
    from verify.networks import FullyConnected

    if isinstance(value, FullyConnected):
        yield from _network(name, value)
    elif isinstance(value, Measured) and not np.any(value.error):
        yield from _lines(name, value.value)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        for part in value._fields:
            yield from _lines(f"{name}.{escape(part)}", getattr(value, part))
    elif isinstance(value, tuple | list) and len(value) <= COLUMNS:
        for place, part in enumerate(value, start=1):
            yield from _lines(f"{name}, {place}", part)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = {
            attribute.name: getattr(value, attribute.name)
            for attribute in dataclasses.fields(value)
            if not attribute.name.startswith("_")
        }
        for part, inner in parts.items():
            # a value of one part has the name of that part already
            yield from _lines(name if [part] == list(parts) else f"{name}.{escape(part)}", inner)
    elif isinstance(value, bool | np.bool_):
        yield f"<li>{name}: {'yes' if value else 'no'}</li>"
    elif is_number_or_array(value):
        shown = line_of(value, name) if np.size(value) > COLUMNS else ""
        yield _line(name, array(value)).removesuffix("</li>") + shown + "</li>"
    elif isinstance(value, str):  # an exact number, as it is written
        yield _line(name, _number(value))
    else:
        yield f"<li>{name}: {escape(type(value).__name__)}</li>"


def is_number_or_array(value: Any) -> bool:
    """Whether `value` is made of numbers, in one of our arithmetics."""
    values = np.asarray(value)
    return values.dtype.kind in "biuf" or (is_exact(values) and all(map(is_number, values.flat)))


def _network(name: str, network: Any) -> Iterator[str]:
    no_biases = all(not np.any(floats(bias)) for bias in network.biases)
    parts = []
    for layer, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True), start=1):
        parts += [_equation("W", layer, weight), *([] if no_biases else [_equation("b", layer, bias)])]
    positive, negative = (array(getattr(network.activation, part)) for part in ("positive", "negative"))
    biases = ", no biases" if no_biases else ""
    slopes = f"slopes <math>{positive}</math> and <math>{negative}</math> of the activation{biases}"
    yield f'<li class="network">{name}: {", ".join([*parts, slopes])}</li>'


def _equation(letter: str, layer: int, value: Any) -> str:
    shown = array(value)
    sign = "≈" if "≈ " in shown else "="
    name = f"<msub><mi>{letter}</mi><mn>{layer}</mn></msub>"
    return f"<math>{name}<mo>{sign}</mo>{shown.replace('≈ ', '')}</math>"


def array(value: Any) -> str:
    """MathML of a number, a vector, a matrix, or a list of these; one that is too large is described by its shape."""
    values = np.asarray(value)
    if values.size > ENTRIES or values.shape[-1:] > (COLUMNS,):
        shape = " × ".join(map(str, values.shape))
        ends = " to ".join(words.short_number(_end(values, place_of)) for place_of in (np.argmin, np.argmax))
        return f"<mtext>{shape} numbers from {ends}</mtext>"
    return _array(values)


def _end(values: Any, place_of: Any) -> Any:
    return values.flat[int(place_of(floats(values)))]


def _array(values: Any) -> str:
    if values.ndim == 0:
        return _number(values[()])
    if values.ndim == 1:
        return f"<mrow><mo>(</mo>{'<mo>,</mo>'.join(map(_number, values))}<mo>)</mo></mrow>"
    if values.ndim == 2:
        rows = "".join(f"<mtr>{''.join(f'<mtd>{_number(entry)}</mtd>' for entry in row)}</mtr>" for row in values)
        return f"<mrow><mo>(</mo><mtable>{rows}</mtable><mo>)</mo></mrow>"
    return f"<mrow><mo>[</mo>{'<mo>,</mo>'.join(map(_array, values))}<mo>]</mo></mrow>"


def _number(value: Any) -> str:
    text = words.short_number(value.item() if isinstance(value, np.generic) else value)
    sign, text = ("<mo>−</mo>", text[1:]) if text.startswith("-") else ("", text)
    top, slash, bottom = text.partition("/")
    if slash and top.isdigit() and bottom.isdigit():
        return f"<mrow>{sign}<mfrac><mn>{top}</mn><mn>{bottom}</mn></mfrac></mrow>"
    shown = f"<mn>{escape(text)}</mn>" if text.replace(".", "").isdigit() else f"<mtext>{escape(text)}</mtext>"
    return f"<mrow>{sign}{shown}</mrow>" if sign else shown
