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

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.rank_one import (
    PiecewiseCurve,
    mean_labels,
    network_of_curve,
    norm_of_network,
    rank_one_curve,
    rank_one_interpolant,
    separates,
)
from verify import Claim, Domain, Relation, Source, Tight, derived, eq, integers, interval, reals
from verify.arithmetic import Array, absolute, compare, floats, rationals
from verify.networks import FullyConnected

DEPTHS = (2, 3, 5)


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
