r"""Proposition 15, the step of the proof: two neurons with cusps in one gap of the data merge.

Statement
    Balanced, with :math:`u_i = |a_i|(b_i, c_i)`, a neuron is :math:`\pm\sigma(u_i \cdot (x, \beta))` and costs
    :math:`2\|u_i\|`; its cusp is :math:`-\beta c_i/b_i`. Two neurons with equal signs of a and of b and with cusps in one gap
    [p, q] of the data can be replaced by :math:`u_1 + u_2`: the outputs outside the open gap are the same, the cusp stays in
    the gap, and the cost does not grow.
Checked
    All three.
Proof idea
    Outside the gap both neurons are active, or none; the rest is the triangle inequality.
Sharp
    Equal cusps; cusps at an end of the gap.
Source
    feature_learning, Proposition 15 (Proposition 24 in the appendix).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.one_dimension import length, rectified
from verify import Claim, Domain, Relation, Source, Tight, eq, ge, integers, interval, le, reals
from verify.arithmetic import Array, rationals


def neurons(slopes: Array, places: Array, gap: Array, side: Array, bias: Array) -> tuple[Array, Array]:
    r"""Cusps t, and vectors u of the neurons :math:`\sigma(\pm s_i(x - t_i))`."""
    low, high = gap.min(axis=-1), gap.max(axis=-1)
    cusps = low[..., None] + places * (high - low)[..., None]
    signed = np.where(side[..., None] > 0, slopes, -slopes)
    return np.asarray(cusps), np.stack([signed, -signed * cusps / bias[..., None]], axis=-1)


def outputs(vectors: Array, x: Array, bias: Array) -> tuple[Array, Array]:
    """The sum of both neurons at x, and the merged one."""
    at = np.stack([x, bias], axis=-1)
    before = rectified((vectors * at[..., None, :]).sum(axis=-1)).sum(axis=-1)
    return np.asarray(before), rectified((vectors.sum(axis=-2) * at).sum(axis=-1))


def two_neurons_merge(slopes: Array, places: Array, gap: Array, side: Array, x: Array, bias: Array) -> Relation:
    """Outputs at x, the cusp, and the cost."""
    cusps, vectors = neurons(slopes, places, gap, side, bias)
    before, after = outputs(vectors, x, bias)
    # the cusp is the average of both with the slopes as weights
    total, weight = (slopes * cusps).sum(axis=-1), slopes.sum(axis=-1)
    return (
        eq(after, before, name="outputs")
        & ge(total, gap.min(axis=-1) * weight, name="cusp, from below")
        & le(total, gap.max(axis=-1) * weight, name="cusp, from above")
        & le(length(vectors.sum(axis=-2)), length(vectors).sum(axis=-1), name="cost")
    )


# False variants


def cusp_of_the_first(slopes: Array, places: Array, gap: Array, side: Array, x: Array, bias: Array) -> Relation:
    """The merged neuron keeps the cusp of the first one."""
    del side, x, bias
    low, high = gap.min(axis=-1), gap.max(axis=-1)
    cusps = low[..., None] + places * (high - low)[..., None]
    return eq((slopes * cusps).sum(axis=-1), cusps[..., 0] * slopes.sum(axis=-1))


def cost_stays(slopes: Array, places: Array, gap: Array, side: Array, x: Array, bias: Array) -> Relation:
    """The merged neuron costs what both cost."""
    del x
    vectors = neurons(slopes, places, gap, side, bias)[1]
    return ge(length(vectors.sum(axis=-2)), length(vectors).sum(axis=-1))


def outside_the_gap(x: Array, gap: Array) -> Any:
    """The hypothesis on x."""
    return (x <= gap.min(axis=-1)) | (x >= gap.max(axis=-1))


def inside_the_gap(places: Array) -> Any:
    """The hypothesis on the cusps."""
    return ((places >= 0) & (places <= 1)).all(axis=-1)


def parallel_neurons(place: str) -> dict[str, Any]:
    """Two neurons with a cusp in the gap from 0 to 8/3: in the middle, their vectors are multiples of (3, -4)."""
    numbers = {"slopes": ["3", "6"], "places": [place, place], "gap": ["0", "8/3"], "side": 1, "x": 3, "bias": 1}
    return {name: rationals([value]) for name, value in numbers.items()}


MERGING = Claim(
    id="feature_learning.prop_15.merging",
    title="Two neurons with cusps in one gap of the data merge",
    source=Source("feature_learning", "Proposition 15"),
    statement=two_neurons_merge,
    domain=Domain(
        {
            "slopes": interval(0, np.inf, 2),
            "places": interval(-0.5, 1.5, 2),
            "gap": reals(2),
            "side": integers(0, 1),
            "x": reals(),
            "bias": interval(0.25, 2),
        },
        hypotheses={
            "x is not inside the gap": outside_the_gap,
            "the cusps are in the gap": inside_the_gap,
        },
    ),
    tight={
        "equal cusps": Tight(partial(parallel_neurons, "1/2"), of=("cost",)),
        "cusps at the lower end": Tight(partial(parallel_neurons, "0"), of=("cusp, from below", "cost")),
        "cusps at the upper end": Tight(partial(parallel_neurons, "1"), of=("cusp, from above",)),
    },
    needs=("x is not inside the gap", "the cusps are in the gap"),
    false_variants={"the cusp of the first": cusp_of_the_first, "the cost stays": cost_stays},
)
