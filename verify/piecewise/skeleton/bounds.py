"""Pre-activations at many points in floats, with bounds of their errors that hold for every order of summation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.networks import FullyConnected
from verify.piecewise.cells.convex import Cell
from verify.piecewise.skeleton.cut import EPSILON, Floats, activated, activation_slopes
from verify.piecewise.skeleton.layout import Indices, Layout

SMALLEST = 1e-300
"""Added to every bound: products below it may be lost to underflow."""


@dataclass(frozen=True, eq=False)
class Values:
    """Pre-activations of a layer (the slacks of the facets, for layer 0) at points, those named as zero set to zero.

    A value is within ``error[n]`` of the true one; so was, before it was set to zero, the value ``residuals[n, k]`` of the k-th
    hyperplane named for point n if it belongs to this layer (0 if not).
    """

    layer: int
    values: Floats
    error: Floats
    residuals: Floats


class Evaluator:
    r"""Evaluates the slacks of a polytope's facets and the hidden pre-activations of a network.

    The error of :math:`W h + b` in floats is at most :math:`\gamma (|W| |h| + |b|)` entrywise, with
    :math:`\gamma = n u / (1 - n u)` for n operations and :math:`u = 2^{-53}` (Higham, Accuracy and Stability of Numerical
    Algorithms, Section 3.1; the order of summation and fused operations do not matter). An error of the layer before is
    multiplied by the norm of a row, or, for the error as a vector, by the spectral norm. For a longer `number` than float64, u
    is smaller.
    """

    def __init__(
        self, network: FullyConnected, cell: Cell, layout: Layout, number: type[np.floating[Any]] = np.float64
    ) -> None:
        self.layout, self.number = layout, number
        self.slopes = activation_slopes(network)
        rows = np.array([[number(int(x)) / number(int(max(map(abs, row)))) for x in row] for row in cell.facets])
        layers = [(rows[:, :-1], rows[:, -1]), *zip(network.weights[:-1], network.biases[:-1], strict=True)]
        self.layers = [(weight.astype(number, copy=False), bias.astype(number, copy=False)) for weight, bias in layers]
        epsilon = float(np.finfo(number).eps)
        self.sizes = [Sizes.of(weight.astype(np.float64), bias.astype(np.float64), epsilon) for weight, bias in layers]

    def at(self, points: Floats, zeros: Indices | None = None) -> Iterator[Values]:
        """Layer by layer; shape ``(n, d)``, and the hyperplanes ``(n, k)`` on which the points are to lie."""
        slope = max(map(abs, self.slopes))
        inputs, before = points.astype(self.number, copy=False), np.zeros(len(points))
        for layer, ((weight, bias), size) in enumerate(zip(self.layers, self.sizes, strict=True)):
            values = inputs @ weight.T
            values += bias
            norms = np.sqrt(np.einsum("ij,ij->i", inputs, inputs))
            error = size.row * before + size.rounding * (size.row * norms + size.offset) + SMALLEST
            residuals = self._set_to_zero(layer, values, zeros) if zeros is not None else np.zeros((len(points), 0))
            yield Values(layer, values, error, residuals)
            if layer == 0:  # the facets lead nowhere
                continue
            vector = size.spectral * before + size.rounding * (size.frobenius * norms + size.offset_norm) + SMALLEST
            before = slope * (vector + np.sqrt(np.einsum("ij,ij->i", residuals, residuals)))
            inputs = activated(values, *self.slopes)

    def _set_to_zero(self, layer: int, values: Floats, zeros: Indices) -> Floats:
        residuals = np.zeros(zeros.shape)
        first = 0 if layer == 0 else self.layout.first[layer - 1]
        for k, hyperplanes in enumerate(zeros.T):
            rows = np.flatnonzero(self.layout.layer_of[hyperplanes] == layer)
            places = rows, hyperplanes[rows] - first
            residuals[rows, k] = values[places]
            values[places] = 0.0
        return residuals


@dataclass(frozen=True)
class Sizes:
    row: float
    offset: float
    spectral: float
    frobenius: float
    offset_norm: float
    rounding: float

    @staticmethod
    def of(weight: Floats, bias: Floats, epsilon: float = EPSILON) -> Sizes:
        # four operations more: the bias, the slope of the activation, and the entries of a rational polytope
        operations = (weight.shape[1] + 4) * epsilon / 2
        above = 1 + 100 * max(weight.shape) * EPSILON  # the norms are floats, too
        if not weight.size:
            return Sizes(0.0, float(np.abs(bias).max(initial=0.0)), 0.0, 0.0, float(np.linalg.norm(bias)), operations)
        return Sizes(
            row=above * float(np.linalg.norm(weight, axis=1).max()),
            offset=float(np.abs(bias).max()),
            spectral=above * float(np.linalg.norm(weight, 2)),
            frobenius=above * float(np.linalg.norm(weight)),
            offset_norm=above * float(np.linalg.norm(bias)),
            rounding=above * operations / (1 - operations),
        )


def smallest_sizes(values: Floats, apart: npt.NDArray[np.bool_]) -> Floats:
    """Smallest absolute value in each row where `apart` is False; infinity for empty rows."""
    sizes = np.abs(values)
    sizes[apart] = np.inf
    smallest: Floats = sizes.min(axis=1, initial=np.inf)
    return smallest
