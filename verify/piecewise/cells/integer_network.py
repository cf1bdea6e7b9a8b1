"""A network in integers: what the tree of its cells is walked with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq, fmpz, fmpz_mat

from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, is_exact, object_array, rational
from verify.piecewise.cells.convex import Row, primitive


@dataclass(frozen=True, eq=False, slots=True)
class IntegerNetwork:
    """``layers[l] / denominators[l]`` is ``(W | b)`` of layer ``l + 1``; the slopes are integers over ``slope_denominator``."""

    layers: tuple[fmpz_mat, ...]
    denominators: tuple[fmpz, ...]
    positive: fmpz
    negative: fmpz
    slope_denominator: fmpz
    inputs: int

    @property
    def depth(self) -> int:
        """Number of layers, the output layer included."""
        return len(self.layers)

    def first(self) -> tuple[fmpz_mat, fmpz]:
        """The pre-activations of the first layer as integer rows over ``(x, 1)``, and what to divide them by."""
        return self.layers[0], self.denominators[0]

    def following(self, layer: int, rows: list[list[fmpz]], scale: fmpz, signs: tuple[int, ...]) -> tuple[fmpz_mat, fmpz]:
        """The pre-activations after layer ``layer + 1`` where its pre-activations, ``rows / scale``, have these signs."""
        zero_row = [0] * (self.inputs + 1)
        entries: list[Any] = []
        for row, sign in zip(rows, signs, strict=True):
            slope = self.positive if sign > 0 else self.negative
            entries += zero_row if slope == 0 else row if slope == 1 else [slope * x for x in row]
        scale = self.slope_denominator * scale
        entries += [*zero_row[1:], scale]
        through = fmpz_mat(len(signs) + 1, len(zero_row), entries)
        return self.layers[layer + 1] * through, self.denominators[layer + 1] * scale

    def value(self, point: Row) -> list[fmpq]:
        """The outputs at a point, see `verify.piecewise.cells.convex`."""
        column = fmpz_mat(len(point), 1, point)
        rows, scale = self.layers[0] * column, self.denominators[0] * point[-1]
        for layer, denominator in zip(self.layers[1:], self.denominators[1:], strict=True):
            scale *= self.slope_denominator
            values = [(self.positive if x > 0 else self.negative) * x for x in rows.entries()]
            rows, scale = layer * fmpz_mat(len(values) + 1, 1, [*values, scale]), scale * denominator
        return [fmpq(x, scale) for x in rows.entries()]


def integer_network(network: FullyConnected) -> IntegerNetwork:
    """`network`, whose parameters are floats or rationals, in integers; nothing is rounded."""
    layers = [_integers(np.concatenate([w, b[:, None]], axis=1)) for w, b in zip(network.weights, network.biases, strict=True)]
    slopes = [rational(slope) for slope in (network.activation.positive, network.activation.negative)]
    denominator = common_denominator(slopes)
    positive, negative = ((slope * denominator).p for slope in slopes)
    return IntegerNetwork(
        tuple(matrix for matrix, _ in layers), tuple(d for _, d in layers), positive, negative, denominator, network.widths[0]
    )


def common_denominator(values: Iterable[fmpq]) -> fmpz:
    """Least positive integer that makes every value an integer."""
    result = fmpz(1)
    for value in values:
        if value.q != 1:
            result = result.lcm(value.q)
    return result


def _integers(matrix: Array) -> tuple[fmpz_mat, fmpz]:
    entries = matrix.ravel().tolist()
    if is_exact(matrix):
        denominator = common_denominator(entries)
        return fmpz_mat(
            *matrix.shape, [x.p for x in entries] if denominator == 1 else [(x * denominator).p for x in entries]
        ), denominator
    ratios = [x.as_integer_ratio() for x in entries]
    # the denominators of floats are powers of two
    largest = max((q for _, q in ratios), default=1)
    return fmpz_mat(*matrix.shape, [p * (largest // q) for p, q in ratios]), fmpz(largest)


def homogeneous(point: Iterable[fmpq]) -> Row:
    """A rational point as a tuple of integers, see `verify.piecewise.cells.convex`."""
    coordinates = list(point)
    denominator = common_denominator(coordinates)
    return (*((x * denominator).p for x in coordinates), denominator)


def affine(point: Row) -> list[fmpq]:
    """The coordinates of a point."""
    return [fmpq(x, point[-1]) for x in point[:-1]]


def inequality(normal: Iterable[fmpq], offset: fmpq) -> Row:
    """``normal . x <= offset`` as a row that is not negative there."""
    values = [*(-x for x in normal), offset]
    denominator = common_denominator(values)
    return primitive(tuple((x * denominator).p for x in values))


def read_only(entries: list[Any], shape: tuple[int, ...]) -> Array:
    """Object array of `shape` that cannot be written to."""
    result = object_array(entries, shape)
    result.flags.writeable = False
    return result
