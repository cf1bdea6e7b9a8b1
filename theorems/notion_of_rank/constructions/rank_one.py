r"""The interpolant of bottleneck rank one: all data on one direction, a piecewise linear curve through the labels.

With a direction u in which distinct points have distinct projections, :math:`z_i = u^T x_i + c`, :math:`c = -\min_j u^T x_j`,
in ascending order, and the changes of slope :math:`m_j`, the function is :math:`h(u^T x + c)` with
:math:`h(z) = \beta + \sum_{j < N} m_j \sigma(z - z_j)`. Source: notion_of_rank, Proposition 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from theorems.shared.arrays import squares
from verify.matrices.arguments import checked
from verify.networks import FullyConnected, leaky_relu
from verify.numbers.arithmetic import Array, chosen_rationals, compare, is_exact, smallest, sqrt, where_positive
from verify.numbers.parameters import widened


@dataclass(frozen=True, eq=False)
class PiecewiseCurve:
    r""":math:`h(z) = \beta + \sum_j m_j \sigma(z - z_j)` for data of N points, and the direction that gives z.

    Attributes
    ----------
    direction, offset
        u and c, shapes ``(..., d)`` and ``(...)``: z = u x + c.
    knots
        :math:`z_j` in ascending order without the last, shape ``(..., N - 1)``; the first is 0.
    coefficients, value
        :math:`m_j` and :math:`\beta`, shapes ``(..., N - 1, m)`` and ``(..., m)``.
    longest
        The square of the last knot, shape ``(...)``.
    steepest
        The square of the largest slope between two knots, shape ``(...)``.
    """

    direction: Array
    offset: Array
    knots: Array
    coefficients: Array
    value: Array
    longest: Array
    steepest: Array


@widened
def mean_labels(points: Array, labels: Array) -> Array:
    """For every point the mean of the labels of all points equal to it, shapes ``(..., N, d), (..., N, m) -> (..., N, m)``."""
    one = points[..., :1, :1] * 0 + 1
    differences = squares(points[..., :, None, :] - points[..., None, :, :])
    same = one - where_positive(differences, np.broadcast_to(one, differences.shape))
    return np.asarray((same @ labels) / same.sum(axis=-1)[..., None])


@widened
def separates(points: Array, direction: Array) -> Array:
    """Whether distinct points have distinct projections on `direction`, shapes ``(..., N, d), (..., d) -> (...)``.

    Floats: projections that differ by less than 1e-6 of the distance of the points (times the norm of `direction`) do not count
    as distinct.
    """
    apart = points[..., :, None, :] - points[..., None, :, :]
    projected = (apart * direction[..., None, None, :]).sum(axis=-1) ** 2
    if not is_exact(points):
        projected = projected - 1e-12 * squares(apart) * squares(direction)[..., None, None]
    clear = (compare(projected, 0) == 1) | (compare(squares(apart), 0) == 0)
    return np.asarray(clear.all(axis=(-2, -1)))


@widened
def separating_direction(points: Array) -> Array:
    """A direction ``(1, t, t^2, ...)`` that separates the points, shape ``(N, d) -> (d,)``, t the first of 0, 1, -1, 2, ...

    Raises
    ------
    ValueError
        `points` is not a finite matrix with at least one row and one column.
    """
    points = one_matrix("points", points)
    dimension, t = points.shape[-1], 0
    while True:
        powers = np.array([float(t) ** k for k in range(dimension)])
        direction = chosen_rationals(powers) if is_exact(points) else powers
        if separates(points, direction):
            return direction
        # for two distinct points at most d - 1 of all t fail
        t = -t if t > 0 else 1 - t


@widened
def one_matrix(name: str, matrix: Array) -> Array:
    """`matrix`, checked: finite numbers, two axes, neither of length 0."""
    array = checked(matrix, name)
    if array.ndim != 2:
        raise ValueError(f"{name} must have two axes, got the shape {array.shape}: one set of data is accepted, no batch")
    return array


@widened
def is_finite(values: Array) -> bool:
    """Whether no entry is infinite or NaN."""
    return is_exact(values) or bool(np.isfinite(values).all())


@widened
def rank_one_curve(points: Array, labels: Array, direction: Array, slope: Any = 0) -> PiecewiseCurve:
    """The curve of the theorem, for a batch of data; `slope`, not 1, is that of the activation below zero, batch-shaped."""
    labels = mean_labels(points, labels)
    projections = (points * direction[..., None, :]).sum(axis=-1)
    order = np.argsort(projections, axis=-1, kind="stable")
    labels = np.broadcast_to(labels, (*projections.shape, labels.shape[-1]))
    labels = np.take_along_axis(labels, order[..., None], axis=-2)
    offset = np.asarray(-smallest(projections))
    z = np.take_along_axis(projections, order, axis=-1) + offset[..., None]
    gaps = z[..., 1:] - z[..., :-1]
    one = gaps * 0 + 1
    repeated = one - where_positive(gaps, one)
    slopes = (labels[..., 1:, :] - labels[..., :-1, :]) / (gaps + repeated)[..., None]
    steepest = squares(labels[..., 0, :]) * 0
    if slopes.shape[-2]:
        # between equal points the slope stays as it is, so that nothing happens there
        for j in range(1, slopes.shape[-2]):
            slopes[..., j, :] = slopes[..., j, :] + repeated[..., j, None] * slopes[..., j - 1, :]
        largest = squares(slopes)
        steepest = -smallest(-largest)
    a = np.asarray(slope)[..., None, None]
    bends = slopes.copy()
    bends[..., 1:, :] = (slopes[..., 1:, :] - slopes[..., :-1, :]) / (1 - a)
    bends[..., :1, :] = slopes[..., :1, :] - a * bends[..., 1:, :].sum(axis=-2)[..., None, :]
    lifted = (bends * z[..., :-1, None]).sum(axis=-2)
    return PiecewiseCurve(
        direction, offset, z[..., :-1], bends, labels[..., 0, :] + a[..., 0] * lifted, z[..., -1] ** 2, steepest
    )


@widened
def network_of_curve(curve: PiecewiseCurve, depth: int, scales: Array, slope: Any = 0) -> FullyConnected:
    r"""The network of `depth` layers for ``h(u x + c)``; `scales` are the :math:`a_j`, positive, shape ``(..., N - 1)``."""
    outputs = np.swapaxes(curve.coefficients / scales[..., None], -1, -2)
    zero = curve.offset[..., None] * 0
    if depth == 2:
        entry = [scales[..., None] * curve.direction[..., None, :]]
        shifts = [scales * (curve.offset[..., None] - curve.knots)]
    else:
        one = zero[..., None] + 1
        entry = [curve.direction[..., None, :], *[one] * (depth - 3), scales[..., None]]
        shifts = [curve.offset[..., None], *[zero] * (depth - 3), -scales * curve.knots]
    return FullyConnected([*entry, outputs], [*shifts, curve.value], leaky_relu(slope))


@widened
def entry_squares(curve: PiecewiseCurve, depth: int) -> tuple[Array, Array]:
    """Squared weights and bias that enter each of the N - 1 neurons before scaling, and the squared norm of what is before."""
    if depth == 2:
        return squares(curve.direction)[..., None] + (curve.offset[..., None] - curve.knots) ** 2, 0 * curve.offset
    return 1 + curve.knots**2, squares(curve.direction) + curve.offset**2 + (depth - 3)


@widened
def norm_of_network(curve: PiecewiseCurve, depth: int, scales: Array) -> Array:
    """The squared norm of `network_of_curve`, by the formula."""
    entry, extra = entry_squares(curve, depth)
    ends = squares(curve.value) + extra + (squares(curve.coefficients) / scales**2).sum(axis=-1)
    return np.asarray(ends + (scales**2 * entry).sum(axis=-1))


@widened
def least_norm(curve: PiecewiseCurve, depth: int) -> Array:
    """L + C_N: the smallest squared norm that scales of the neurons give the interpolant."""
    entry, extra = entry_squares(curve, depth)
    both = 2 * sqrt(squares(curve.coefficients) * entry)
    return np.asarray(squares(curve.value) + extra + both.sum(axis=-1))


@widened
def best_scales(curve: PiecewiseCurve, depth: int) -> Array:
    """The scales of smallest norm, shape ``(..., N - 1)``; 1 where the coefficient is zero: that neuron is dead."""
    entry, _ = entry_squares(curve, depth)
    bends = squares(curve.coefficients)
    dead = 1 - where_positive(bends, 1 + 0 * bends)
    return sqrt(sqrt((bends + dead * entry) / entry))


@widened
def rank_one_interpolant(
    points: Array, labels: Array, depth: int, direction: Array | None = None, scales: Array | None = None, slope: Any = 0
) -> FullyConnected:
    """Network of `depth` layers and bottleneck rank one through the data, shapes ``(N, d)`` and ``(N, m)``.

    The data are floats or rationals. Equal points get the mean of their labels. The last hidden layer has N - 1 neurons, those
    before it one. `direction` separates the points (`separating_direction` unless given); the neurons have the `scales`, shape
    ``(N - 1,)``, all 1 unless given (`best_scales` in ``prop_2_minimisers`` makes the norm least); `slope` is that of the
    activation below zero. For one point it is a constant, of squared norm ``|y|^2``.

    Raises
    ------
    ValueError
        `depth` is below 2; data that are no finite matrices with one label for each point, or of two arithmetics; `direction`
        does not separate the points; a scale is not positive; the slope is 1.
    """
    if not isinstance(depth, int) or depth < 2:
        raise ValueError(f"depth must be an integer, at least 2, got {depth}: an affine map does not interpolate")
    if slope == 1:
        raise ValueError("slope must not be 1, got 1: a linear network does not interpolate")
    points, labels = one_matrix("points", points), one_matrix("labels", labels)
    if len(points) != len(labels):
        raise ValueError(f"labels must be one for each of {len(points)} points, got {len(labels)}")
    if is_exact(points) != is_exact(labels):
        raise ValueError("points and labels must both be floats or both be rationals, got one of each")
    direction = separating_direction(points) if direction is None else direction
    if not is_finite(direction) or direction.shape != points.shape[-1:] or not separates(points, direction):
        raise ValueError(f"direction must have {points.shape[-1]} entries and separate the points, got {direction}")
    scales = points[1:, 0] * 0 + 1 if scales is None else scales
    if scales.shape != (len(points) - 1,) or not is_finite(scales) or not (compare(scales, 0) == 1).all():
        raise ValueError(f"scales must be {len(points) - 1} positive numbers, got {scales}")
    if len(points) == 1:
        entry, square = 0 * labels.T @ points, 0 * labels.T @ labels
        biases = [0 * labels[0]] * (depth - 1)
        return FullyConnected([entry, *[square] * (depth - 1)], [*biases, labels[0]], leaky_relu(slope))
    curve = rank_one_curve(points[None], labels[None], direction[None], slope)
    return network_of_curve(curve, depth, scales[None], slope)[0]


@widened
def moved(start: FullyConnected, other: FullyConnected, step: Array) -> FullyConnected:
    """The network `start` moved towards `other`, with the widths of `other`.

    Its parameters are multiplied by ``1 - step / 4``, and ``step / 8`` times those of the other are added.
    """
    start, kept, added = start.embed(other.widths), 1 - step / 4, step / 8
    weights = [
        kept[..., None, None] * a + added[..., None, None] * b for a, b in zip(start.weights, other.weights, strict=True)
    ]
    biases = [kept[..., None] * a + added[..., None] * b for a, b in zip(start.biases, other.biases, strict=True)]
    return FullyConnected(weights, biases, start.activation)
