r"""Theorem 2: a function of bottleneck rank one that fits data of higher dimension is steep, and therefore costs more.

Printed: for a true function of Jacobian rank k on a bounded domain, i.i.d. data, and every :math:`\epsilon > 0` there is a c
such that with probability :math:`1 - \epsilon` all functions f of bottleneck rank one through the data have
:math:`R(f)/L > c N^{\frac2L(1 - \frac1k)}`. It consists of two parts.

Deterministic (this module). Let f = h(g(x)) with g scalar, g and h continuous, have the values :math:`y_i` at N points
:math:`x_i` of a convex set B, and let P be the length of the shortest open path through the :math:`y_i`. Then

.. math:: P \le \mathrm{length}(f \circ \gamma) \le \|x_b - x_a\| \sup_{\gamma} \|Jf\|_{op}
          \le \mathrm{diam}(B) \sup_B \|Jf\|_{op}

for the segment :math:`\gamma` from the point :math:`x_a` with the smallest :math:`g(x_i)` to that with the largest, so that

.. math:: \frac RL \ge \Bigl(\frac P{\mathrm{diam} B}\Bigr)^{2/L}, \qquad R - L \ge 2 \log \frac P{\mathrm{diam} B}

by Proposition 3. Every step is checked for networks with one neuron in a layer: length and slopes along the segment are exact,
from all its kinks (`nodes_on_segment`). Equality for data on a line. For the interpolants of Proposition 2 (``.interpolants``)
the supremum is the largest slope between two neighbours, times the norm of the direction; the bounds for R are attained by the
identity of two points.

Probabilistic (``theorem_2_probability``): P is at least of the order :math:`N^{1 - 1/k}` with probability
:math:`1 - \epsilon` if the labels have a bounded density in k dimensions; with atoms it is not. That the exponent is sharp for
k = 2, and what holds for other ranks than one, is in ``theorem_2_grids``.

Idea of the proof: on the segment g takes all values between the smallest and the largest :math:`g(x_i)`, so that
:math:`f \circ \gamma` meets all :math:`y_i`.

Source: notion_of_rank, Theorem 2.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import squares, values_at
from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from theorems.notion_of_rank.constructions.paths import path_length, shortest_path, squared_distances
from theorems.notion_of_rank.constructions.rank_one import mean_labels, norm_of_network, rank_one_curve, rank_one_interpolant
from theorems.notion_of_rank.prop_2.statement import DATA, SEPARATED, are_separated
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, exp, floats, largest, rationals, sqrt, where_positive
from verify.networks import FullyConnected, compose


def nodes_on_segment(network: FullyConnected, start: Array, end: Array) -> Array:
    """Places in [0, 1], ascending, between which the network is affine on the segment from `start` to `end`.

    Shapes ``(..., n_0), (..., n_0) -> (..., K)``: as many places for every instance, with repetitions; exact for rationals.
    """
    zero = 0 * start[..., :1]
    places = np.concatenate([zero, zero + 1], axis=-1)
    for layer in range(network.depth - 1):
        values = on_segment(lambda x, layer=layer: network.preactivations(x)[layer], start, end, places)
        left, right = values[..., :-1, :], values[..., 1:, :]
        crosses = left * right < 0
        fraction = np.where(crosses, left, 0 * left) / np.where(crosses, left - right, 0 * left + 1)
        gaps = (places[..., 1:] - places[..., :-1])[..., None]
        crossings = (places[..., :-1, None] + fraction * gaps).reshape(*places.shape[:-1], -1)
        places = np.sort(np.concatenate([places, crossings], axis=-1), axis=-1)
    return places


def on_segment(function: Any, start: Array, end: Array, places: Array) -> Array:
    """`function`, which takes points with their axis first, at the places of the segments, shape ``(..., K, n)``."""
    points = start[..., None, :] + places[..., None] * (end - start)[..., None, :]
    return np.asarray(np.moveaxis(function(np.moveaxis(points, -2, 0)), 0, places.ndim - 1))


def length_and_steepness(network: FullyConnected, start: Array, end: Array) -> tuple[Array, Array]:
    """Length of the image of the segment, and the largest squared Frobenius norm of the Jacobian on it.

    That is the operator norm where the Jacobian has rank one.
    """
    places = nodes_on_segment(network, start, end)
    gaps = places[..., 1:] - places[..., :-1]
    length = path_length(on_segment(network, start, end, places))
    jacobians = on_segment(network.jacobian, start, end, places[..., :-1] + gaps / 2)
    return length, largest(where_positive(gaps, squares(jacobians, (-2, -1))))


def pick(points: Array, places: Array) -> Array:
    """One point of each instance, shapes ``(..., N, d), (...) -> (..., d)``."""
    return np.take_along_axis(points, np.asarray(places)[..., None, None], axis=-2)[..., 0, :]


def steep(
    parts: Parts, points: Array, basis_points: int = 10_000, percent: int = 100, closed: bool = False, sort: bool = True
) -> Relation:
    """The path through the values, its length on the segment, the slopes there, and the cost."""
    inner, outer = parts
    network = compose(outer, inner, merge=False)
    values, coordinate = values_at(network, points), values_at(inner, points)[..., 0]
    start, end = (pick(points, which(coordinate, axis=-1)) for which in (np.argmin, np.argmax))
    path = (shortest_path(values) if sort else path_length(values)) * basis_points / 10_000
    if closed:
        path = path + sqrt(squares(values[..., 0, :] - values[..., -1, :]))
    length, steepest = length_and_steepness(network, start, end)
    straight, size = sqrt(squares(end - start)) * percent / 100, size_of_values(network, points)
    diameter = largest(largest(squared_distances(points))) * percent**2 / 10_000
    cost = network.weight_norm_squared
    return (
        le(path, length, scale=size)
        & le(length, straight * sqrt(steepest), scale=size)
        & le(path**2, diameter * (cost / network.depth) ** network.depth, scale=size**2)
        & le(path**2, diameter * exp(cost - network.depth), scale=size**2)
    )


def size_of_values(network: FullyConnected, points: Array) -> Array:
    """Size of what cancels in the network: products of the norms of its layers."""
    total = 1 + floats(squares(points, (-2, -1)))
    for weight, bias in zip(network.weights, network.biases, strict=True):
        total = total * (1 + floats(squares(weight, (-2, -1))) + floats(squares(bias)))
    return np.sqrt(total)


def has_one_neuron(parts: Parts) -> Array:
    """Whether the networks are joined by one neuron."""
    inner, _ = parts
    return np.full(inner.batch_shape, inner.widths[-1] == 1)


def steep_interpolant(
    points: Array, labels: Array, direction: Array, basis_points: int = 10_000, closed: bool = False, sort: bool = True
) -> Relation:
    """The path through the labels against the slopes of the interpolant, and against its norm for several depths."""
    fitted, curve = mean_labels(points, labels), rank_one_curve(points, labels, direction)
    path = (shortest_path(fitted) if sort else path_length(fitted)) * basis_points / 10_000
    if closed:
        path = path + sqrt(squares(fitted[..., 0, :] - fitted[..., -1, :]))
    diameter = largest(largest(squared_distances(points)))
    size = floats(path) ** 2
    relation = le(path**2, curve.longest * curve.steepest, scale=size)
    relation &= le(path**2, diameter * squares(direction) * curve.steepest, scale=size)
    for depth in (2, 3, 5):
        norm = norm_of_network(curve, depth, 0 * points[..., 1:, 0] + 1)
        relation &= le(path**2, diameter * (norm / depth) ** depth, scale=size)
        relation &= le(path**2, diameter * exp(norm - depth), scale=size)
    return relation


def one_point() -> Relation:
    """One point is fitted by a constant of the same norm at every depth, and the path has length 0: nothing is necessary."""
    point, label = rationals([[1, 2]]), rationals([["3/5", "4/5"]])
    norms = [rank_one_interpolant(point, label, depth).parameter_norm_squared for depth in (2, 3, 100)]
    return eq(np.array(norms), rationals([1, 1, 1]), over=1) & eq(shortest_path(label), rationals(0))


def chain_on_a_line() -> dict[str, Any]:
    """A chain of weights of norm one, and points on its line where all hidden values are positive."""
    inner = FullyConnected([rationals([["3/5", "4/5"]]), rationals([[1]])])
    outer = FullyConnected([rationals([[1]]), rationals([["5/13"], ["12/13"]])])
    return {"parts": (inner, outer), "points": rationals([[3, 4], [0, 0], [6, 8]])}


def labels_on_a_line() -> dict[str, Any]:
    """Points and labels on lines, in the same order."""
    return {
        "points": rationals([[[0, 0], [3, 4], [9, 12]]]),
        "labels": rationals([[[1], [3], [7]]]),
        "direction": rationals([["3/5", "4/5"]]),
    }


def identity_of_two_points() -> dict[str, Any]:
    """The labels 0 and 1 of (0, 0) and (1, 0): an interpolant of norm L at every depth."""
    points = rationals([[[0, 0], [1, 0]]])
    return {"points": points, "labels": points[..., :1], "direction": rationals([[1, 0]])}


PARTS = derived(
    with_common_slope,
    inner=Networks(depth=2, inputs=2, width=2, outputs="bottleneck"),
    outer=Networks(depth=2, inputs="bottleneck", width=2, outputs="outputs"),
    slope=interval(-1, 1),
)
ONE_NEURON = "one neuron in a layer"
SOURCE = Source("notion_of_rank", "Theorem 2")

CLAIM = Claim(
    id="notion_of_rank.theorem_2",
    title="Bottleneck rank one makes an interpolant steep",
    source=SOURCE,
    statement=steep,
    domain=Domain(
        {"parts": PARTS, "points": reals("count", 2)},
        {"count": (2, 3, 5), "bottleneck": (1, 2), "outputs": (1, 2)},
        {ONE_NEURON: has_one_neuron},
    ),
    needs=(ONE_NEURON,),
    tight={"a line": Tight(chain_on_a_line)},
    false_neighbours={
        "the path 1 percent longer": partial(steep, basis_points=10_100),
        "segment and diameter 1 percent shorter": partial(steep, percent=99),
        "closed paths": partial(steep, closed=True),
        "the labels in the order of the data": partial(steep, sort=False),
    },
    cost=4,
)

INTERPOLANTS = Claim(
    id="notion_of_rank.theorem_2.interpolants",
    title="How steep the interpolants of Proposition 2 are",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=steep_interpolant,
    domain=Domain(DATA, {"count": (2, 3, 5), "outputs": (1, 2)}, {SEPARATED: are_separated}),
    needs=(SEPARATED,),
    tight={"lines": Tight(labels_on_a_line), "two points": Tight(identity_of_two_points)},
    exact={"one point": one_point},
    false_neighbours={
        "the path 1 percent longer": partial(steep_interpolant, basis_points=10_100),
        "closed paths": partial(steep_interpolant, closed=True),
        "the labels in the order of the data": partial(steep_interpolant, sort=False),
    },
    cost=4,
)
