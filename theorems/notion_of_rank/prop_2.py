r"""Proposition 2: any data are fitted by a network of bottleneck rank one, so that global minimisers cost L + C_N at most.

For data :math:`(x_i, y_i)_{i \le N}` and a :math:`\lambda > 0` let w be a global minimiser of
:math:`\frac1N \sum_i \|F_w(x_i) - y_i\|^2 + \frac\lambda L \|w\|^2` at depth L. Then

.. math:: \frac{R(F_w)}{L} \le 1 + \frac{C_N}{L}

with a constant that depends on the data only. The construction (`rank_one_interpolant`): let u be a direction in which distinct
points have distinct projections, :math:`z_i = u^T x_i - \min_j u^T x_j`, and order the points by it. In
:math:`h(z) = \beta + \sum_{j < N} m_j \sigma(z - z_j)` the coefficients can be chosen such that :math:`h(z_i) = y_i`, and h is
carried to any depth :math:`L \ge 2` by layers of one neuron, which are the identity because no z is negative. Where equal
points have other labels, y is their mean. With scales :math:`a_j > 0` of the N - 1 neurons and :math:`c = -\min_j u^T x_j`

.. math:: \|w\|^2 = L - 3 + \|u\|^2 + c^2 + \sum_j a_j^2 (1 + z_j^2) + \sum_j \frac{\|m_j\|^2}{a_j^2} + \|\beta\|^2
          \qquad (L \ge 3),

and for L = 2, where the two first layers are one, :math:`\sum_j a_j^2 (\|u\|^2 + (c - z_j)^2) + \sum_j \|m_j\|^2/a_j^2 +
\|\beta\|^2`. Values at all data and norm are compared for L = 2, ..., 5, for every slope a < 1 below zero, with
repeated points and conflicting labels. The best scales, hence :math:`C_N`, and what follows for minimisers are in the module
``prop_2_minimisers``.

For another slope a than zero the coefficients are not the changes of slope :math:`v_j - v_{j-1}`, because the last hidden layer
has negative values: they are :math:`m_j = (v_j - v_{j-1}) / (1 - a)` for j > 1, :math:`m_1 = v_1 - a \sum_{j>1} m_j`, and
:math:`\beta = y_{(1)} + a \sum_j m_j z_j`. That the network for the ReLU also serves with a slope is a false neighbour.

Source: notion_of_rank, Proposition 2 and its proof sketch; the constant is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.theorem_1 import squares
from verify import Claim, Domain, Relation, Source, Tight, derived, eq, integers, interval, reals
from verify.arithmetic import Array, absolute, chosen_rationals, compare, floats, is_exact, rationals, smallest, where_positive
from verify.matrices.arguments import checked
from verify.networks import FullyConnected, leaky_relu

DEPTHS = (2, 3, 5)


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


def mean_labels(points: Array, labels: Array) -> Array:
    """For every point the mean of the labels of all points equal to it, shapes ``(..., N, d), (..., N, m) -> (..., N, m)``."""
    one = points[..., :1, :1] * 0 + 1
    differences = squares(points[..., :, None, :] - points[..., None, :, :])
    same = one - where_positive(differences, np.broadcast_to(one, differences.shape))
    return np.asarray((same @ labels) / same.sum(axis=-1)[..., None])


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


def one_matrix(name: str, matrix: Array) -> Array:
    """`matrix`, checked: finite numbers, two axes, neither of length 0."""
    array = checked(matrix, name)
    if array.ndim != 2:
        raise ValueError(f"{name} must have two axes, got the shape {array.shape}: one set of data is accepted, no batch")
    return array


def rank_one_curve(points: Array, labels: Array, direction: Array, slope: Any = 0) -> PiecewiseCurve:
    """The curve of the theorem, for a batch of data; `slope`, not 1, is that of the activation below zero, batch-shaped."""
    labels = mean_labels(points, labels)
    projections = (points * direction[..., None, :]).sum(axis=-1)
    order = np.argsort(projections, axis=-1, kind="stable")
    labels = np.take_along_axis(labels, order[..., None], axis=-2)
    offset = -smallest(projections)
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


def norm_of_network(curve: PiecewiseCurve, depth: int, scales: Array) -> Array:
    """The squared norm of `network_of_curve`, by the formula."""
    entry, extra = entry_squares(curve, depth)
    ends = squares(curve.value) + extra + (squares(curve.coefficients) / scales**2).sum(axis=-1)
    return np.asarray(ends + (scales**2 * entry).sum(axis=-1))


def entry_squares(curve: PiecewiseCurve, depth: int) -> tuple[Array, Array]:
    """Squared weights and bias that enter each of the N - 1 neurons before scaling, and the squared norm of what is before."""
    if depth == 2:
        return squares(curve.direction)[..., None] + (curve.offset[..., None] - curve.knots) ** 2, 0 * curve.offset
    return 1 + curve.knots**2, squares(curve.direction) + curve.offset**2 + (depth - 3)


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
    if direction.shape != points.shape[-1:] or not separates(points, direction):
        raise ValueError(f"direction must have {points.shape[-1]} entries and separate the points, got {direction}")
    scales = points[1:, 0] * 0 + 1 if scales is None else scales
    if scales.shape != (len(points) - 1,) or not (compare(scales, 0) == 1).all():
        raise ValueError(f"scales must be {len(points) - 1} positive numbers, got {scales}")
    if len(points) == 1:
        entry, square = 0 * labels.T @ points, 0 * labels.T @ labels
        biases = [0 * labels[0]] * (depth - 1)
        return FullyConnected([entry, *[square] * (depth - 1)], [*biases, labels[0]], leaky_relu(slope))
    curve = rank_one_curve(points[None], labels[None], direction[None], slope)
    return network_of_curve(curve, depth, scales[None], slope)[0]


def interpolates(
    points: Array,
    labels: Array,
    direction: Array,
    scales: Array,
    slope: Array,
    *,
    keep_slope: bool = True,
    mean: bool = True,
    shift: bool = True,
    extra: int = 0,
) -> Relation:
    """Values at all data and norm of the network, for several depths."""
    curve = rank_one_curve(points, labels, direction, slope if keep_slope else 0 * slope)
    target, size = mean_labels(points, labels) if mean else labels, size_of(curve, slope)
    relation = Relation(())
    for depth in DEPTHS:
        network = network_of_curve(curve, depth, scales, slope)
        if not shift:
            network = FullyConnected(network.weights, [network.biases[0] * 0, *network.biases[1:]], network.activation)
        # one more batch axis in front: N points of each network
        values = np.moveaxis(network(np.moveaxis(points, -2, 0)), 0, -2)
        relation &= eq(values, target, scale=size[..., None, None], over=2)
        if shift:
            norm = norm_of_network(curve, depth, scales) + extra
            relation &= eq(network.parameter_norm_squared, norm, scale=floats(norm))
    return relation


def size_of(curve: PiecewiseCurve, slope: Array) -> npt.NDArray[np.float64]:
    """Size of what cancels between the neurons of the last hidden layer."""
    reach = 1 + floats(curve.offset**2 + curve.longest)
    bends = floats(absolute(curve.coefficients)).sum(axis=(-2, -1)) + floats(absolute(curve.value)).sum(axis=-1)
    return np.asarray(reach * bends * (1 + np.abs(floats(slope))))


def are_separated(points: Array, direction: Array) -> Array:
    """Whether the direction separates the points."""
    return separates(points, direction)


def with_repetition(points: Array, repeated: Array) -> Array:
    """The points, the last of them equal to the first where `repeated` is 1."""
    last = np.where(compare(repeated, 0)[..., None] > 0, points[..., 0, :], points[..., -1, :])
    return np.asarray(np.concatenate([points[..., :-1, :], last[..., None, :]], axis=-2))


def line() -> dict[str, Any]:
    """The data (0, 0), (1, 1), (3, 3): the network is the identity."""
    points = rationals([[[0], [1], [3]]])
    return {
        "points": points,
        "labels": points,
        "direction": rationals([[1]]),
        "scales": rationals([[1, 1]]),
        "slope": rationals([0]),
    }


def degenerate_data() -> Relation:
    """Values at the data and norm for one point, for equal points with other labels, on a line, and for equal labels."""
    cases = {
        "one point": ([[1, 2]], [[3, 4]], [[3, 4]]),
        "conflict": ([[1, 1], [2, 0], [1, 1], [1, 1]], [[0], [5], [3], [6]], [[3], [5], [3], [3]]),
        "on a line": ([[0, 0], [2, 4], [-1, -2]], [[1], [-2], [1]], [[1], [-2], [1]]),
        "equal labels": ([[0], [1], [2]], [[2], [2], [2]], [[2], [2], [2]]),
        "on a hyperplane of all small t": ([[1, -1, 0], [0, 0, 0], [0, 1, -1]], [[1], [0], [2]], [[1], [0], [2]]),
    }
    relation = Relation(())
    for points, labels, fitted in cases.values():
        x, y = rationals(points), rationals(labels)
        for depth in (2, 3, 6):
            relation &= eq(rank_one_interpolant(x, y, depth)(x), rationals(fitted), over=2)
    constant = rank_one_interpolant(rationals([[1, 2]]), rationals([[3, 4]]), 5)
    return relation & eq(constant.parameter_norm_squared, rationals(25))


DATA = {
    "points": derived(with_repetition, points=reals("count", 2), repeated=integers(0, 1)),
    "labels": reals("count", "outputs"),
    "direction": reals(2),
}
SEPARATED = "the direction separates the points"
SOURCE = Source("notion_of_rank", "Proposition 2")

CLAIM = Claim(
    id="notion_of_rank.prop_2",
    title="A network of bottleneck rank one through any data",
    source=SOURCE,
    statement=interpolates,
    domain=Domain(
        {**DATA, "scales": interval(0.25, 4.25, lambda sizes: sizes["count"] - 1), "slope": interval(-2, 0.75)},
        {"count": (2, 3, 5), "outputs": (1, 2)},
        {SEPARATED: are_separated},
    ),
    needs=(SEPARATED,),
    tight={"a line": Tight(line)},
    false_neighbours={
        "coefficients for the ReLU with another slope": partial(interpolates, keep_slope=False),
        "conflicting labels are fitted": partial(interpolates, mean=False),
        "without the shift": partial(interpolates, shift=False),
        "one more in the norm": partial(interpolates, extra=1),
    },
    exact={"degenerate data": degenerate_data},
)
