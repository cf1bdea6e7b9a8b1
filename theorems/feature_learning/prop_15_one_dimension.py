r"""Proposition 15: shallow networks with one input and one output need at most 4N hidden neurons.

On N points, :math:`f(x) = \beta b_0 + \sum_i a_i\sigma(b_ix + \beta c_i)` with the ReLU. Balanced, with
:math:`u_i = |a_i|(b_i, c_i)`, a neuron is :math:`\pm\sigma(u_i \cdot (x, \beta))` and costs :math:`2\|u_i\|`; the change of
scale reduces the norm to that by :math:`a^2 + b^2 + c^2 \ge 2|a|\|(b, c)\|`. Its cusp is :math:`-\beta c_i/b_i`.

*Merging.* Two neurons with equal signs of a and of b and with cusps in one gap [p, q] of the data can be replaced by
:math:`u_1 + u_2`: the outputs outside the open gap are the same, the cusp stays in the gap, and the cost does not grow, by the
triangle inequality.

*Count.* With four classes in each of N - 1 gaps, and for each sign of a one class of neurons that are active at all points for
b > 0 and one for :math:`b \le 0`, at most 4N neurons are left; what was inactive is gone. Neurons that are active at all points
are one class, whatever the sign of b: so at most 4N - 2. Checked is the greedy merger with classes, on any network.

In fact N neurons suffice: see `prop_15_fewer_neurons`, which also has lower bounds.

Source: feature_learning, Proposition 15 (Proposition 24 in the appendix). The count 4N - 2 is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.weight_decomposition import with_bias_row
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, is_exact, maximum, rationals, sqrt


def rectified(values: Array) -> Array:
    """The ReLU."""
    return maximum(values, 0 * values)


def length(vectors: Array) -> Array:
    """Euclidean norms, shape ``(..., d) -> (...)``."""
    return sqrt((vectors * vectors).sum(axis=-1))


def outside_the_gap(x: Array, gap: Array) -> Any:
    """The hypothesis on x."""
    return (x <= gap.min(axis=-1)) | (x >= gap.max(axis=-1))


def two_neurons_merge(
    slopes: Array, places: Array, gap: Array, side: Array, x: Array, bias: Array, reach: int = 100, percent: int = 100
) -> Relation:
    r"""Two balanced neurons :math:`\sigma(\pm s_i(x - t_i))`, with cusps t in the gap, and their sum."""
    low, high = gap.min(axis=-1), gap.max(axis=-1)
    cusps = low[..., None] + places * (high - low)[..., None] * reach / 100
    signed = np.where(side[..., None] > 0, slopes, -slopes)
    vectors = np.stack([signed, -signed * cusps / bias[..., None]], axis=-1)
    merged, at = vectors.sum(axis=-2), np.stack([x, bias], axis=-1)
    before = rectified((vectors * at[..., None, :]).sum(axis=-1)).sum(axis=-1)
    after = rectified((merged * at).sum(axis=-1))
    size = (absolute(vectors) * absolute(at)[..., None, :]).sum(axis=(-2, -1))
    # the cusp is an average with positive weights
    left, right, total = low * slopes.sum(axis=-1), high * slopes.sum(axis=-1), (slopes * cusps).sum(axis=-1)
    stays = ge(total, left, scale=absolute(left) + absolute(right)) & le(total, right, scale=absolute(left) + absolute(right))
    return eq(after, before, scale=size) & stays & le(length(merged), length(vectors).sum(axis=-1) * percent / 100)


def parallel_neurons() -> dict[str, Any]:
    """Two neurons with the cusp 4/3: their vectors are multiples of (3, -4), of rational length."""
    numbers = {"slopes": ["3", "6"], "places": ["1/2", "1/2"], "gap": ["0", "8/3"], "side": 1, "x": 3, "bias": 1}
    return {name: rationals([value]) for name, value in numbers.items()}


def merged_neurons(vectors: Array, positive: Array, points: Array, bias: Array, joined: bool = True) -> tuple[Array, Array]:
    """Sums of the balanced neurons u in every class, ``(..., n, 2) -> (..., k, 2)``, and the signs of their outgoing weights.

    Classes are told by the number of points at which a neuron is active, by the sign of b where these are not all points, and
    by the sign of a; so k is 4N - 2. With ``joined=False``, the sign of b counts for all points, too: then k is 4N.
    """
    at = np.swapaxes(with_bias_row(points[..., None, :], bias), -1, -2)
    count, number = points.shape[-1], (compare(vectors @ np.swapaxes(at, -1, -2), 0) > 0).sum(axis=-1)
    rising, signs = compare(vectors[..., 0], 0) > 0, positive > 0
    chosen, outgoing = [], []
    for active in range(1, count + 1):
        whole = joined and active == count
        for sign in (True, False):
            for direction in (True,) if whole else (True, False):
                chosen.append((number == active) & (signs == sign) & (whole | (rising == direction)))
                outgoing.append(1 if sign else -1)
    mask = np.stack(chosen, axis=-2)
    kept = [(np.where(mask[..., place, :, None], vectors, 0 * vectors)).sum(axis=-2) for place in range(mask.shape[-2])]
    return np.stack(kept, axis=-2), np.array(outgoing)


def network_merges(
    weights: Array,
    points: Array,
    output_bias: Array,
    bias: Array,
    joined: bool = True,
    fewer: int = 0,
    percent: int = 100,
    new: bool = False,
) -> Relation:
    """Outputs, norm and number of neurons after merging; `weights` has a row (a, b, c) for each neuron."""
    outgoing, incoming = weights[..., 0], weights[..., 1:]
    vectors = absolute(outgoing)[..., None] * incoming
    merged, signs = merged_neurons(vectors, outgoing, points, bias, joined)
    at = with_bias_row((points + new)[..., None, :], bias)
    offset = (bias * output_bias)[..., None]
    before = (outgoing[..., None] * rectified(incoming @ at)).sum(axis=-2) + offset
    after = (signs[:, None] * rectified(merged @ at)).sum(axis=-2) + offset
    size = (absolute(vectors) @ absolute(at)).sum(axis=(-2, -1)) + absolute(offset[..., 0])
    neurons = np.asarray(compare((merged * merged).sum(axis=-1), 0) != 0).sum(axis=-1)
    allowed = 4 * points.shape[-1] - (2 if joined else 0) - fewer
    norms = output_bias**2 + (weights * weights).sum(axis=(-2, -1)), output_bias**2 + 2 * length(merged).sum(axis=-1)
    number = rationals(neurons) if is_exact(points) else neurons.astype(np.float64)
    same = eq(after, before, scale=size[..., None], over=1)
    return same & le(norms[1], norms[0] * percent / 100) & le(number, 0 * bias + allowed)


SOURCE, OURS = Source("feature_learning", "Proposition 15"), Source("feature_learning", "ours")
POSITIVE = interval(0.25, 2)
ROWS = {"weights": reals("neurons", 3), "points": reals("points"), "output_bias": reals(), "bias": interval(0, 2)}
NUMBERS = {"neurons": (2, 7, 16), "points": range(1, 5)}

MERGING = Claim(
    id="feature_learning.prop_15.merging",
    title="Two neurons with cusps in one gap of the data merge",
    source=SOURCE,
    statement=two_neurons_merge,
    domain=Domain(
        {
            "slopes": interval(0, 4, 2),
            "places": interval(0, 1, 2),
            "gap": reals(2),
            "side": integers(-1, 1),
            "x": reals(),
            "bias": POSITIVE,
        },
        hypotheses={
            "x is not inside the gap": outside_the_gap,
            "both neurons have the same direction": lambda side: side != 0,
        },
    ),
    tight={"equal cusps": Tight(parallel_neurons)},
    needs=("x is not inside the gap",),
    false_neighbours={
        "gaps 1 percent longer": partial(two_neurons_merge, reach=101),
        "99 percent of the cost": partial(two_neurons_merge, percent=99),
    },
)

CLAIM = Claim(
    id="feature_learning.prop_15",
    title="Networks of one input and one output need at most 4N neurons",
    source=SOURCE,
    statement=partial(network_merges, joined=False),
    domain=Domain(ROWS, NUMBERS),
    false_neighbours={
        "classes leave at most 4N - 1": partial(network_merges, joined=False, fewer=1),
        "the function does not change": partial(network_merges, joined=False, new=True),
        "99 percent of the norm": partial(network_merges, joined=False, percent=99),
    },
)

JOINED = Claim(
    id="feature_learning.prop_15.joined",
    title="At most 4N - 2 neurons",
    source=OURS,
    status=Ours(),
    statement=network_merges,
    domain=Domain(ROWS, NUMBERS),
    false_neighbours={
        "classes leave at most 4N - 3": partial(network_merges, fewer=1),
        "the function does not change": partial(network_merges, new=True),
        "99 percent of the norm": partial(network_merges, percent=99),
    },
)
