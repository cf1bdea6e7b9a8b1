r"""Proposition 15, proof: two neurons with cusps in one gap merge.

Statement
    Balanced, with :math:`u_i = |a_i|(b_i, c_i)`, a neuron is :math:`\pm\sigma(u_i \cdot (x, \beta))` and costs
    :math:`2\|u_i\|`; its cusp is :math:`-\beta c_i/b_i`. Two neurons with equal signs of a and of b and with cusps in one gap
    [p, q] of the data can be replaced by :math:`u_1 + u_2`: the outputs outside the open gap are the same, the cusp stays in
    the gap, and the cost does not grow.
Checked
    All three.
Proof idea
    Outside the gap both neurons are active, or none; the rest is the triangle inequality.
Tight
    Equal cusps; cusps at an end of the gap.
Source
    feature_learning, Proposition 15 (Proposition 24 in the appendix).
"""

from functools import partial

import numpy as np

from verify import Claim, Domain, Source, Tight, integers, interval, reals
from verify.words import eq, ge, greatest, le, least, norm, relu, stack, vector, where


def neurons(s, places, gap, side, beta):
    r"""Cusps t, and as rows the vectors u of the neurons :math:`\sigma(\pm s_i(x - t_i))`."""
    p, q = least(gap), greatest(gap)
    t, signed = p + places * (q - p), where(side > 0, s, -s)
    return t, stack([signed, -signed * t / beta], axis=1)


def two_neurons_merge(s, places, gap, side, x, beta):
    t, u = neurons(s, places, gap, side, beta)
    at = vector(x, beta)
    # the cusp is the average of both with the slopes as weights
    return (
        eq(relu((u[0] + u[1]) @ at), relu(u[0] @ at) + relu(u[1] @ at), name="outputs")
        & ge((s * t).sum(), least(gap) * s.sum(), name="cusp, from below")
        & le((s * t).sum(), greatest(gap) * s.sum(), name="cusp, from above")
        & le(norm(u[0] + u[1]), norm(u[0]) + norm(u[1]), name="cost")
    )


def cusp_of_the_first(s, places, gap, side, beta):
    t, _ = neurons(s, places, gap, side, beta)
    return eq((s * t).sum(), t[0] * s.sum())


def cost_stays(s, places, gap, side, beta):
    _, u = neurons(s, places, gap, side, beta)
    return ge(norm(u[0] + u[1]), norm(u[0]) + norm(u[1]))


def outside_the_gap(x, gap):
    return (x <= least(gap)) | (x >= greatest(gap))


def inside_the_gap(places):
    return ((places >= 0) & (places <= 1)).all()


def parallel_neurons(place):
    """Two neurons with a cusp in the gap from 0 to 8/3: in the middle, their vectors are multiples of (3, -4)."""
    return {"s": [3, 6], "places": [place, place], "gap": [0, "8/3"], "side": 1, "x": 3, "beta": 1}


MERGING = Claim(
    id="feature_learning.prop_15.merging",
    title="Two neurons with cusps in one gap of the data merge",
    source=Source("feature_learning", "Proposition 15"),
    statement=two_neurons_merge,
    domain=Domain(
        {
            "s": interval(0, np.inf, 2),
            "places": interval(-0.5, 1.5, 2),
            "gap": reals(2),
            "side": integers(0, 1),
            "x": reals(),
            "beta": interval(0.25, 2),
        },
        hypotheses={"x is not inside the gap": outside_the_gap, "the cusps are in the gap": inside_the_gap},
    ),
    tight={
        "equal cusps": Tight(partial(parallel_neurons, "1/2"), of=("cost",)),
        "cusps at the lower end": Tight(partial(parallel_neurons, 0), of=("cusp, from below", "cost")),
        "cusps at the upper end": Tight(partial(parallel_neurons, 1), of=("cusp, from above",)),
    },
    needs=("x is not inside the gap", "the cusps are in the gap"),
    false_variants={"the cusp of the first": cusp_of_the_first, "the cost stays": cost_stays},
)
