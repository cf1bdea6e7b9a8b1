r"""Theorem 2: a function of bottleneck rank one that fits data of higher dimension is steep, and therefore costs more.

Statement
    For a true function of Jacobian rank k on a bounded domain, i.i.d. data, and every :math:`\epsilon > 0` there is a c such
    that with probability :math:`1 - \epsilon` all functions f of bottleneck rank one through the data have
    :math:`R(f)/L > c N^{\frac2L(1 - \frac1k)}`.
Correction
    The labels need a bounded density in k dimensions, and N >= 2: see ``probability`` and ``random_labels``.
Checked
    The deterministic part. Let f = h(g(x)) with g scalar, g and h continuous, have the values :math:`y_i` at N points
    :math:`x_i` of a convex set B, and let P be the length of the shortest open path through the :math:`y_i`. Then

    .. math:: P \le \mathrm{length}(f \circ \gamma) \le \|x_b - x_a\| \sup_{\gamma} \|Jf\|_{op}
              \le \mathrm{diam}(B) \sup_B \|Jf\|_{op}

    for the segment :math:`\gamma` from the point :math:`x_a` with the smallest :math:`g(x_i)` to that with the largest, so that

    .. math:: \frac RL \ge \Bigl(\frac P{\mathrm{diam} B}\Bigr)^{2/L}, \qquad R - L \ge 2 \log \frac P{\mathrm{diam} B}

    by Proposition 3. Every step is checked for networks with one neuron in a layer: length and slopes along the segment are
    exact, from all its kinks (`nodes_on_segment`).
Proof idea
    On the segment g takes all values between the smallest and the largest :math:`g(x_i)`, so that :math:`f \circ \gamma` meets
    all :math:`y_i`.
Sharp
    Data on a line, and a chain of equal weights; the second bound of R where the path is nearly as long as the diameter.
Source
    notion_of_rank, Theorem 2.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import squares, values_at
from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from theorems.notion_of_rank.constructions.paths import path_length, shortest_path, squared_distances
from verify import Claim, Domain, Networks, Relation, Source, Tight, derived, le, reals, slopes
from verify.arithmetic import Array, exp, largest, power, rational, rationals, sqrt, where_positive
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


def steep(parts: Parts, points: Array, logs: Fraction | int = 2) -> Relation:
    """The path through the values, its length on the segment, the slopes there, and the cost; `logs` is the factor of log."""
    inner, outer = parts
    network, path = compose(outer, inner, merge=False), shortest_path(values_of(parts, points))
    start, end = ends_of_the_segment(inner, points)
    length, steepest = length_and_steepness(network, start, end)
    segment = le(length, sqrt(squares(end - start) * steepest), name="segment")
    return le(path, length, name="path") & segment & costs(path, points, network.weight_norm_squared, network.depth, logs)


def values_of(parts: Parts, points: Array) -> Array:
    """The values of the joined network."""
    return values_at(compose(parts[1], parts[0], merge=False), points)


def ends_of_the_segment(inner: FullyConnected, points: Array) -> tuple[Array, Array]:
    """The points with the smallest and the largest value of g."""
    coordinate = values_at(inner, points)[..., 0]
    return pick(points, np.argmin(coordinate, axis=-1)), pick(points, np.argmax(coordinate, axis=-1))


def costs(path: Array, points: Array, cost: Array, depth: int, logs: Fraction | int = 2) -> Relation:
    """Both bounds of the cost by a path through the values, without roots and logarithms."""
    diameter = largest(largest(squared_distances(points)))
    by_layer = le(path**2, diameter * (cost / depth) ** depth, name="cost per layer")
    # of the squares, so that a path of rational length stays rational
    scaled = power(path**2, Fraction(logs, 2))
    return by_layer & le(scaled, power(diameter, Fraction(logs, 2)) * exp(cost - depth), name="beyond the depth")


def has_one_neuron(parts: Parts) -> Array:
    """Whether the networks are joined by one neuron."""
    inner, _ = parts
    return np.full(inner.batch_shape, inner.widths[-1] == 1)


# False variants


def closed_paths(parts: Parts, points: Array) -> Relation:
    """The first step for closed paths."""
    network, values = compose(parts[1], parts[0], merge=False), values_of(parts, points)
    length, _ = length_and_steepness(network, *ends_of_the_segment(parts[0], points))
    return le(shortest_path(values) + sqrt(squares(values[..., 0, :] - values[..., -1, :])), length)


def in_the_order_of_the_data(parts: Parts, points: Array) -> Relation:
    """The first step for the path through the values in the order of the data."""
    network = compose(parts[1], parts[0], merge=False)
    length, _ = length_and_steepness(network, *ends_of_the_segment(parts[0], points))
    return le(path_length(values_of(parts, points)), length)


def average_slope(parts: Parts, points: Array) -> Relation:
    """The second step with half the slope."""
    start, end = ends_of_the_segment(parts[0], points)
    length, steepest = length_and_steepness(compose(parts[1], parts[0], merge=False), start, end)
    return le(length, sqrt(squares(end - start) * steepest) / 2)


# Tight examples


def chain_on_a_line(root: str, longer: int = 0, places: tuple[int, ...] = (1, 0, 2)) -> dict[str, Any]:
    """A chain whose weights have the norm `root`, and points on its line where all hidden values are positive."""
    q = rational(root)
    inner = FullyConnected([q * rationals([["3/5", "4/5"]]), q * rationals([[1]])])
    outer = FullyConnected([*[q * rationals([[1]])] * (1 + longer), q * rationals([["5/13"], ["12/13"]])])
    return {"parts": (inner, outer), "points": rationals([[3 * place, 4 * place] for place in places])}


PARTS = derived(
    with_common_slope,
    inner=Networks(depth="inner_depth", outputs="bottleneck", role="first part"),
    outer=Networks(depth="outer_depth", inputs="bottleneck", role="second part"),
    slope=slopes(-1, 1, role="slope"),
)

ONE_NEURON = "one neuron in a layer"

CLAIM = Claim(
    id="notion_of_rank.theorem_2",
    title="Bottleneck rank one makes an interpolant steep",
    source=Source("notion_of_rank", "Theorem 2"),
    statement=steep,
    domain=Domain(
        {"parts": PARTS, "points": reals("count", "inputs", role="few points")},
        {
            "inner_depth": (1, 2),
            "outer_depth": (1, 2, 4),
            "inputs": (2, 3),
            "width": (2,),
            "count": (2, 3, 5),
            "bottleneck": (1, 2),
            "outputs": (1, 2, 3),
        },
        {ONE_NEURON: has_one_neuron},
    ),
    needs=(ONE_NEURON,),
    tight={
        "a line": Tight(partial(chain_on_a_line, "1")),
        "five points, six layers": Tight(partial(chain_on_a_line, "1", 2, (1, 0, 4, 2, 7))),
        "a steep line": Tight(partial(chain_on_a_line, "2"), of=("path", "segment", "cost per layer")),
        "a line, a little steeper": Tight(
            partial(chain_on_a_line, "10000001/10000000"),
            1e-13,
            "log and square agree to second order",
            of=("beyond the depth",),
        ),
        "a line, a little flatter": Tight(
            partial(chain_on_a_line, "9999999/10000000"),
            1e-13,
            "log and square agree to second order",
            of=("beyond the depth",),
        ),
    },
    false_variants={
        "closed paths": closed_paths,
        "the labels in the order of the data": in_the_order_of_the_data,
        "half the slope": average_slope,
    },
    cost=4,
)
