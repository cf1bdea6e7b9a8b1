"""The neurons of networks as affine forms over the inputs and over positive parts of earlier forms.

``relu(z)`` becomes a new symbol only where the sign of z is not known on the polytope, and no positive multiple of z or -z has
one already: ``relu(c z) = c relu(z)`` for c > 0, ``relu(-z) = relu(z) - z``. Any activation of slopes p and q is
``q z + (p - q) relu(z)``, and ``p relu(z)`` is the positive part of that if p and q are positive. Two networks whose outputs
are the same forms are equal on the polytope, whatever their depths, their widths, the order and the scales of their neurons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from flint import fmpq, fmpq_mat

from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, is_exact, rational
from verify.piecewise.polytope import Polytope

Terms: TypeAlias = list[tuple[int, fmpq]]
"""The non-zero entries of a row, by column."""

MATRIX_WORK = 200_000
"""Number of multiplications of dictionary entries from which a product of matrices is faster."""

ZERO = fmpq(0)


@dataclass(frozen=True, slots=True)
class Key:
    """A form, hashable."""

    symbols: tuple[int, ...]
    coefficients: tuple[fmpq, ...]
    constant: fmpq

    def __hash__(self) -> int:
        # by a few numbers only: to hash a rational, its denominator is inverted
        last = self.coefficients[-1]
        return hash((self.symbols, last.p, last.q, self.constant.p))

    def negated(self) -> Key:
        """The form times -1."""
        return Key(self.symbols, tuple(-c for c in self.coefficients), -self.constant)


@dataclass(frozen=True, slots=True)
class Form:
    """``constant + sum of coefficients[s] * symbol s``, without zero coefficients."""

    coefficients: dict[int, fmpq]
    constant: fmpq

    def normalised(self) -> tuple[Key, fmpq]:
        """The positive multiple whose first coefficient is 1 or -1, hashable, and what it was divided by."""
        symbols = tuple(sorted(self.coefficients))
        scale = abs(self.coefficients[symbols[0]])
        return Key(symbols, tuple(self.coefficients[s] / scale for s in symbols), self.constant / scale), scale

    def plus(self, other: Form, factor: fmpq) -> Form:
        """``self + factor * other``."""
        return combination([(0, fmpq(1)), (1, factor)], [self, other], ZERO)

    def times(self, factor: fmpq) -> Form:
        """``factor * self``."""
        return combination([(0, factor)], [self], ZERO)


def combination(terms: Terms, forms: Sequence[Form], constant: fmpq) -> Form:
    """``constant + sum of c * forms[k]`` over the terms (k, c); the form itself if it is one of them."""
    if len(terms) == 1 and constant == 0 and terms[0][1] == 1:
        return forms[terms[0][0]]
    total: dict[int, fmpq] = {}
    for k, factor in terms:
        form = forms[k]
        constant = constant + factor * form.constant
        for symbol, coefficient in form.coefficients.items():
            before = total.get(symbol)
            total[symbol] = factor * coefficient if before is None else before + factor * coefficient
    return Form({s: c for s, c in total.items() if c != 0}, constant)


def combinations(rows: list[Terms], forms: Sequence[Form], constants: Sequence[fmpq]) -> list[Form]:
    """`combination` for every row."""
    work = sum(len(forms[k].coefficients) for terms in rows for k, _ in terms)
    if work < MATRIX_WORK:
        return [combination(terms, forms, constant) for terms, constant in zip(rows, constants, strict=True)]
    symbols = sorted({s for form in forms for s in form.coefficients})
    weights = fmpq_mat(len(rows), len(forms))
    for i, terms in enumerate(rows):
        for k, factor in terms:
            weights[i, k] = factor
    table = fmpq_mat(
        len(forms),
        len(symbols) + 1,
        [c for form in forms for c in [*(form.coefficients.get(s, ZERO) for s in symbols), form.constant]],
    )
    result = list[Form]()
    for row, constant in zip((weights * table).tolist(), constants, strict=True):
        result.append(Form({s: c for s, c in zip(symbols, row, strict=False) if c != 0}, row[-1] + constant))
    return result


@dataclass(eq=False)
class Symbols:
    """Inputs (0, ..., d - 1) and positive parts, shared by networks on one polytope, with the ranges they stay in."""

    polytope: Polytope
    ranges: list[tuple[fmpq, fmpq]] = field(default_factory=list)
    _positive_parts: dict[Key, Form] = field(default_factory=dict)
    _known: dict[Key, tuple[fmpq, fmpq]] = field(default_factory=dict)
    _range_of: dict[int, tuple[Form, tuple[fmpq, fmpq]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        d = self.polytope.dimension
        self.ranges = [self.polytope.range_of_row([fmpq(int(i == j)) for j in range(d)], ZERO) for i in range(d)]

    def inputs(self) -> list[Form]:
        """The forms ``x_1, ..., x_d``."""
        return [Form({i: fmpq(1)}, ZERO) for i in range(self.polytope.dimension)]

    def range_of(self, form: Form) -> tuple[fmpq, fmpq]:
        """Bounds of a form: exact for affine functions of the inputs, else by interval arithmetic over the symbols."""
        if id(form) not in self._range_of:  # identity layers hand on the same form, which is kept, so that its id is its own
            self._range_of[id(form)] = form, self._computed_range(form)
        return self._range_of[id(form)][1]

    def _computed_range(self, form: Form) -> tuple[fmpq, fmpq]:
        if not form.coefficients:
            return form.constant, form.constant
        if self._known:
            key, scale = form.normalised()
            if key in self._known:
                low, high = self._known[key]
                return low * scale, high * scale
        d = self.polytope.dimension
        row = [form.coefficients.get(i, ZERO) for i in range(d)]
        low, high = self.polytope.range_of_row(row, form.constant) if any(row) else (form.constant, form.constant)
        for symbol, coefficient in form.coefficients.items():
            if symbol >= d:
                a, b = self.ranges[symbol]
                low, high = (
                    low + coefficient * (a if coefficient > 0 else b),
                    high + coefficient * (b if coefficient > 0 else a),
                )
        return low, high

    def layer(self, rows: list[Terms], forms: Sequence[Form], constants: Sequence[fmpq]) -> list[Form]:
        """`combinations`, whose ranges are the smaller of those of the new forms and of interval arithmetic over the old ones.

        Neither is always the smaller: symbols cancel in the new forms, but ``relu(-z)`` is no symbol where ``relu(z)`` is one.
        """
        result = combinations(rows, forms, constants)
        for form, terms, constant in zip(result, rows, constants, strict=True):
            if id(form) in self._range_of:
                continue
            low, high = self.range_of(form)
            below = above = constant
            for k, factor in terms:
                a, b = self.range_of(forms[k])
                below, above = (
                    (below + factor * a, above + factor * b) if factor > 0 else (below + factor * b, above + factor * a)
                )
            self._range_of[id(form)] = form, (max(low, below), min(high, above))
        return result

    def activated(self, form: Form, positive: fmpq, negative: fmpq) -> Form:
        """The activation of these slopes applied to a form."""
        low, high = self.range_of(form)
        if low >= 0 or high <= 0 or positive == negative:
            slope = positive if low >= 0 else negative
            return form if slope == 1 else form.times(slope)
        part = self._positive_part(form, high)
        result = part.times(positive - negative).plus(form, negative)
        if result.coefficients:
            ends = [positive * high, ZERO, negative * low]
            key, scale = result.normalised()
            self._known[key] = (min(ends) / scale, max(ends) / scale)
            if positive > 0 and negative > 0:  # the sign is kept
                self._positive_parts.setdefault(key, part.times(positive / scale))
        return result

    def _positive_part(self, form: Form, high: fmpq) -> Form:
        key, scale = form.normalised()
        if key in self._positive_parts:
            return self._positive_parts[key].times(scale)
        opposite = key.negated()
        if opposite in self._positive_parts:
            return form.plus(self._positive_parts[opposite], scale)
        symbol = len(self.ranges)
        self._positive_parts[key] = Form({symbol: fmpq(1)}, ZERO)
        self.ranges.append((ZERO, high / scale))
        return Form({symbol: scale}, ZERO)

    def outputs(self, network: FullyConnected) -> list[Form]:
        """The outputs of a network as forms."""
        positive, negative = (rational(slope) for slope in (network.activation.positive, network.activation.negative))
        forms = self.inputs()
        for layer, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
            if layer:
                forms = [self.activated(form, positive, negative) for form in forms]
            forms = self.layer(sparse_rows(weight), forms, exact_entries(bias))
        return forms


def exact_entries(array: Array) -> list[fmpq]:
    """The entries of a flat array as rationals."""
    entries = array.tolist()
    return entries if is_exact(array) else [fmpq(*x.as_integer_ratio()) for x in entries]


def sparse_rows(matrix: Array) -> list[Terms]:
    """The non-zero entries of every row, as rationals."""
    result: list[Terms] = [[] for _ in range(matrix.shape[0])]
    rows, columns = np.nonzero(matrix != 0)
    for i, j, value in zip(rows.tolist(), columns.tolist(), exact_entries(matrix[rows, columns]), strict=True):
        result[i].append((j, value))
    return result
