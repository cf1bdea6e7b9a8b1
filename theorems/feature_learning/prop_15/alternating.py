r"""Beside Proposition 15: alternating outputs need N - 2 neurons.

Statement
    Shallow ReLU networks with one input whose outputs rise and fall in turn at N points have at least N - 2 hidden neurons.
Checked
    For any network, how often the slope between neighbouring points changes its sign is at most the number of neurons. Many
    networks are drawn with alternating outputs: neurons with a cusp at each inner point.
Proof idea
    Each neuron gives one cusp.
Tight
    Zigzags of any length.
Source
    feature_learning, Proposition 15; the bound is derived here.
"""

from functools import partial

import numpy as np

from theorems.feature_learning.constructions.one_dimension import hidden_outputs
from verify import Claim, DerivedHere, Domain, Source, derived, integers, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, le, stack, where


def slopes(neurons, x):
    """Differences of the outputs at neighbouring points."""
    f = hidden_outputs(neurons, x, 1)
    return f[1:] - f[:-1]


def alternations(data, less=0):
    neurons, x = data
    s = slopes(neurons, x)
    return le((s[1:] * s[:-1] < 0).sum(), len(neurons) - less)


def where_slopes_vanish(data):
    neurons, x = data
    s = slopes(neurons, x)
    return le((s[1:] * s[:-1] <= 0).sum(), len(neurons))


def zigzag(x, heights):
    r"""As many neurons as heights, of at least three, with cusps at inner points, whose slopes are :math:`\pm` the heights.

    Between the points the slopes are h_0, -h_1, h_2, -h_3, ... with h_0 = h_2 + h_3: the neuron at the third cusp is active to
    the left of it, where it gives the first slope, and all others to the right.
    """
    n = len(heights)
    s = concatenate([heights[1:2] + heights[2:3], (-1) ** np.arange(1, n + 1) * heights])
    cusps, incoming = x[1 : n + 1], np.where(np.arange(n) == 2, -1, 1)
    # a neuron that is active to the left has the slope -a there
    return stack([s[1:] - s[:-1], incoming, -incoming * cusps], axis=1)


def drawn_data(neurons, steps, heights, zigzags):
    """Any network and points; or a zigzag, where there are enough neurons and points."""
    x, n = steps.cumsum(), len(neurons)
    if n < 3 or len(x) < n + 2:
        return neurons, x
    return where(zigzags == 1, zigzag(x, heights), neurons), x


def sharp_zigzag(n, scale="1"):
    """Heights of 1, 2, 3, ... times `scale` at the points 0, 1, 2, ..."""
    x, heights = rationals(range(n + 2)), rationals(scale) * rationals(range(1, n + 1))
    return {"data": (zigzag(x, heights), x)}


ALTERNATING = Claim(
    id="feature_learning.prop_15.alternating",
    title="Outputs that alternate at N points need N - 2 neurons",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=alternations,
    domain=Domain(
        {
            "data": derived(
                drawn_data,
                neurons=reals("neurons", 3),
                steps=interval(0, 2, "points"),
                heights=interval(0, np.inf, "neurons"),
                zigzags=integers(0, 1),
            )
        },
        {"neurons": (1, 2, 3, 4, 5), "points": (3, 5, 6, 7)},
    ),
    tight={f"zigzag of {n} neurons": partial(sharp_zigzag, n) for n in (3, 4, 6)}
    | {"a flat zigzag": partial(sharp_zigzag, 3, "1/8")},
    false_variants={"one change less than neurons": {"less": 1}, "where slopes may vanish": where_slopes_vanish},
)
