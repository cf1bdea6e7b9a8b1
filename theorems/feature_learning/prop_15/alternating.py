r"""Lower bounds beside Proposition 15: outputs that alternate at N points need N - 2 neurons.

Statement
    Shallow ReLU networks with one input whose outputs alternate at N points have at least N - 2 hidden neurons.
Checked
    For any network, how often the slope between neighbouring points changes its sign is at most the number of neurons. Many
    networks are drawn with alternating outputs: neurons with a cusp at each inner point.
Proof idea
    Each neuron gives one cusp.
Sharp
    Zigzags of any length.
Source
    feature_learning, Proposition 15; the bound is ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.feature_learning.constructions.one_dimension import hidden_outputs
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.cones.support_graphs import like

Data = tuple[Array, Array]
"""Neurons with the rows (a, b, c), and points."""


def slope_signs(data: Data) -> Array:
    """Differences of the outputs at neighbouring points."""
    weights, points = data
    values = hidden_outputs(weights, points, 0 * points[..., 0] + 1)
    return np.asarray(values[..., 1:] - values[..., :-1])


def changes_of_sign(data: Data) -> Array:
    """How often the slope changes its sign strictly."""
    slopes = slope_signs(data)
    return like((compare(slopes[..., 1:] * slopes[..., :-1], 0) < 0).sum(axis=-1), data[1])


def alternations(data: Data) -> Relation:
    """The changes of sign against the number of neurons."""
    number = changes_of_sign(data)
    return le(number, 0 * number + data[0].shape[-2])


# False variants


def one_change_less(data: Data) -> Relation:
    """Outputs that alternate at N points need N - 1 neurons: there is one change less than neurons."""
    number = changes_of_sign(data)
    return le(number, 0 * number + data[0].shape[-2] - 1)


def where_slopes_vanish(data: Data) -> Relation:
    """Also where slopes vanish."""
    slopes = slope_signs(data)
    number = like((compare(slopes[..., 1:] * slopes[..., :-1], 0) <= 0).sum(axis=-1), data[1])
    return le(number, 0 * number + data[0].shape[-2])


def zigzag(points: Array, heights: Array) -> Array:
    r"""As many neurons as heights, of at least three, with cusps at inner points, whose slopes are :math:`\pm` the heights.

    Between the points the slopes are h_0, -h_1, h_2, -h_3, ... with h_0 = h_2 + h_3: the neuron at the third cusp is active to
    the left of it, where it gives the first slope, and all others to the right.
    """
    count = heights.shape[-1]
    signs = np.array([(-1) ** (place + 1) for place in range(count)])
    slopes = np.concatenate([heights[..., 1:2] + heights[..., 2:3], signs * heights], axis=-1)
    jumps, cusps = slopes[..., 1:] - slopes[..., :-1], points[..., 1 : count + 1]
    left = np.arange(count) == 2
    incoming = np.where(left, -1, 1) + 0 * cusps
    # a neuron that is active to the left has the slope -a there
    return np.stack([jumps, incoming, -incoming * cusps], axis=-1)


def drawn_data(weights: Array, steps: Array, heights: Array, zigzags: Array) -> Data:
    """Any network and points; or a zigzag, where there are enough neurons and points."""
    points, count = steps.cumsum(axis=-1), weights.shape[-2]
    if count < 3 or points.shape[-1] < count + 2:
        return weights, points
    chosen = compare(zigzags, 1)[..., None, None] == 0
    return np.asarray(np.where(chosen, zigzag(points, heights), weights)), points


def sharp_zigzag(count: int, scale: str = "1") -> dict[str, Data]:
    """Heights of 1, 2, 3, ... times `scale` at the points 0, 1, 2, ..."""
    points, heights = rationals([[*range(count + 2)]]), rationals(scale) * rationals([[*range(1, count + 1)]])
    return {"data": (zigzag(points, heights), points)}


ALTERNATING = Claim(
    id="feature_learning.prop_15.alternating",
    title="Outputs that alternate at N points need N - 2 neurons",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=alternations,
    domain=Domain(
        {
            "data": derived(
                drawn_data,
                weights=reals("neurons", 3),
                steps=interval(0, 2, "points"),
                heights=interval(0, np.inf, "neurons"),
                zigzags=integers(0, 1),
            )
        },
        {"neurons": (1, 2, 3, 4, 5), "points": (3, 5, 6, 7)},
    ),
    tight={f"zigzag of {count} neurons": Tight(partial(sharp_zigzag, count)) for count in (3, 4, 6)}
    | {"a flat zigzag": Tight(partial(sharp_zigzag, 3, "1/8"))},
    false_variants={"one change less than neurons": one_change_less, "where slopes may vanish": where_slopes_vanish},
)
