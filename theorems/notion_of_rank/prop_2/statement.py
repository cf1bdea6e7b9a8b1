r"""Proposition 2: any data are fitted by a network of bottleneck rank one.

Statement
    For data :math:`(x_i, y_i)_{i \le N}` and :math:`\lambda > 0` let w be a global minimiser of
    :math:`\frac1N \sum_i \|F_w(x_i) - y_i\|^2 + \frac\lambda L \|w\|^2` at depth L. Then, with a constant that depends on the
    data only,

    .. math:: \frac{R(F_w)}{L} \le 1 + \frac{C_N}{L} .
Checked
    The network that shows it; ``minimisers`` has the constant and the bound. Let u be a direction in which distinct points have
    distinct projections, :math:`c = -\min_j u^T x_j`, and :math:`z_i = u^T x_i + c` in ascending order. In
    :math:`h(z) = \beta + \sum_{j < N} m_j \sigma(z - z_j)` the coefficients are chosen such that :math:`h(z_i) = y_i`, and h is
    carried to any depth by layers of one neuron, which are the identity because no z is negative. Where equal points have other
    labels, y is their mean. With scales :math:`a_j > 0` of the N - 1 neurons, for L >= 3,

    .. math:: \|w\|^2 = L - 3 + \|u\|^2 + c^2 + \sum_j a_j^2 (1 + z_j^2) + \sum_j \frac{\|m_j\|^2}{a_j^2} + \|\beta\|^2 ,

    and for L = 2 :math:`\sum_j a_j^2 (\|u\|^2 + (c - z_j)^2) + \sum_j \|m_j\|^2/a_j^2 + \|\beta\|^2`. Values and norm are
    compared at all depths, for every slope a < 1 below zero, with repeated points and conflicting labels. For a slope other
    than 0 the coefficients are :math:`m_j = (v_j - v_{j-1}) / (1 - a)` with the slopes :math:`v_j` of the curve for j > 1,
    :math:`m_1 = v_1 - a \sum_{j>1} m_j`, and :math:`\beta = y_{(1)} + a \sum_j m_j z_j`.
Proof idea
    The piecewise linear curve through the labels, and identity layers.
Source
    notion_of_rank, Proposition 2 and its proof sketch; the constant is ours.
"""

from __future__ import annotations

import numpy as np

from theorems.notion_of_rank.constructions.arrays import values_at
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.rank_one import (
    mean_labels,
    network_of_curve,
    norm_of_network,
    rank_one_curve,
    rank_one_interpolant,
    separates,
)
from verify import Claim, Domain, Q, Relation, Source, derived, eq, integers, interval, reals, slopes
from verify.arithmetic import Array, compare, rationals
from verify.networks import FullyConnected


def interpolates(points: Array, labels: Array, direction: Array, scales: Array, slope: Array, depth: Depth) -> Relation:
    """Values at all data, and norm of the network."""
    curve = rank_one_curve(points, labels, direction, slope)
    network = network_of_curve(curve, depth.depth, scales, slope)
    values = eq(values_at(network, points), mean_labels(points, labels), name="values", over=2)
    return values & eq(network.parameter_norm_squared, norm_of_network(curve, depth.depth, scales), name="norm")


def are_separated(points: Array, direction: Array) -> Array:
    """Whether the direction separates the points."""
    return separates(points, direction)


def with_repetition(points: Array, repeated: Array) -> Array:
    """The points, the last of them equal to the first where `repeated` is 1."""
    last = np.where(compare(repeated, 0)[..., None] > 0, points[..., 0, :], points[..., -1, :])
    return np.asarray(np.concatenate([points[..., :-1, :], last[..., None, :]], axis=-2))


# False variants


def coefficients_of_the_relu(
    points: Array, labels: Array, direction: Array, scales: Array, slope: Array, depth: Depth
) -> Relation:
    """The network of the ReLU with another slope."""
    network = network_of_curve(rank_one_curve(points, labels, direction), depth.depth, scales, slope)
    return eq(values_at(network, points), mean_labels(points, labels), over=2)


def every_label_is_fitted(
    points: Array, labels: Array, direction: Array, scales: Array, slope: Array, depth: Depth
) -> Relation:
    """Conflicting labels of one point are all fitted."""
    network = network_of_curve(rank_one_curve(points, labels, direction, slope), depth.depth, scales, slope)
    return eq(values_at(network, points), labels, over=2)


def without_the_shift(points: Array, labels: Array, direction: Array, scales: Array, slope: Array, depth: Depth) -> Relation:
    """The network without c."""
    network = network_of_curve(rank_one_curve(points, labels, direction, slope), depth.depth, scales, slope)
    unshifted = FullyConnected(network.weights, [network.biases[0] * 0, *network.biases[1:]], network.activation)
    return eq(values_at(unshifted, points), mean_labels(points, labels), over=2)


# Single data sets


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
    "points": derived(with_repetition, points=reals("count", "inputs"), repeated=integers(0, 1), role="few points"),
    "labels": reals("count", "outputs", role="few targets"),
    "direction": reals("inputs", role="direction"),
}
SCALES = interval(Q("1/4"), Q("17/4"), lambda sizes: sizes["count"] - 1)
LENGTHS = {"count": (2, 3, 5), "inputs": range(1, 4), "outputs": range(1, 4)}
SEPARATED = "the direction separates the points"

CLAIM = Claim(
    id="notion_of_rank.prop_2",
    title="A network of bottleneck rank one fits any data",
    source=Source("notion_of_rank", "Proposition 2"),
    statement=interpolates,
    domain=Domain(
        {**DATA, "scales": SCALES, "slope": slopes(-2, Q("3/4")), "depth": GIVEN_DEPTH},
        {**LENGTHS, "depth": (2, 3, 4, 6, 13), "count": (1, 2, 3, 5)},
        {SEPARATED: are_separated},
    ),
    needs=(SEPARATED,),
    false_variants={
        "coefficients for the ReLU with another slope": coefficients_of_the_relu,
        "conflicting labels are fitted": every_label_is_fitted,
        "without the shift": without_the_shift,
    },
    exact={"degenerate data": degenerate_data},
)
