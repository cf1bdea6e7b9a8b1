r"""Theorem 1, shift and scales of its construction.

Statement
    On a box a shift is found without solving anything: interval arithmetic, layer by layer, gives lower bounds
    :math:`m \le g` (`floor_on_a_box`), and s = -m will do (``.shift``). The scales act on two terms of the norm only
    (``.scales``):

    .. math:: \sum_i c_i^2 (\|W^g_{i\cdot}\|^2 + (b^g_i + s_i)^2) + \sum_i \frac{\|W^h_{\cdot i}\|^2}{c_i^2}
              \ge 2 \sum_i \|W^h_{\cdot i}\| \sqrt{\|W^g_{i\cdot}\|^2 + (b^g_i + s_i)^2} ,

    with equality for :math:`c_i^4 = \|W^h_{\cdot i}\|^2 / (\|W^g_{i\cdot}\|^2 + (b^g_i + s_i)^2)`.
Checked
    The bounds at all points of a box. The inequality on the norm of the network that is built.
Proof idea
    The inequality of means.
Tight
    Scales 2 and 1/2 that are rational; an affine map at the corner where its output is smallest.
Not checked
    Bounds of deeper networks are perhaps too low: the construction stays valid, at a larger norm. Unbounded domains have no
    shift.
Source
    Derived here, beside Theorem 1 of notion_of_rank.
"""

import numpy as np

from theorems.notion_of_rank.theorem_1.statement import DEEP, VARIABLES, after, before, is_deep_enough, rest, through
from verify import Claim, DerivedHere, Domain, Networks, Q, Source, interval, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import absolute, ge, le, maximum, minimum, sqrt


def scaled(parts, s, c, depth, factor=2):
    N = through(*parts, depth, s, c).parameter_norm_squared
    return ge(N, rest(parts, s, depth) + factor * sqrt(after(parts) * before(parts, s)).sum())


def scales_of_one_are_best(parts, s, c, depth):
    return ge(through(*parts, depth, s, c).parameter_norm_squared, through(*parts, depth, s).parameter_norm_squared)


def floor_on_a_box(f, centre, radius):
    """Lower bounds of the outputs where no input is further than the radius from the centre: exact for one layer."""
    for layer, (W, b) in enumerate(zip(f.weights, f.biases, strict=True)):
        if layer:
            lower, upper = centre - radius, centre + radius
            # the activation is monotone on each side of zero, and increases on the right
            nearest = minimum(maximum(lower, 0), upper)
            first, middle, last = (f.activation(one) for one in (lower, nearest, upper))
            lower, upper = minimum(first, middle), maximum(first, last)
            centre, radius = (lower + upper) / 2, (upper - lower) / 2
        centre, radius = W @ centre + b, absolute(W) @ radius
    return centre - radius


def stays_above(network, centre, radius, place, share=1):
    """The bounds on a share of the box against the value at one of its points."""
    return le(floor_on_a_box(network, centre, share * radius), network(centre + place * radius))


def extreme_corners_suffice(network, centre, radius, place):
    return le(minimum(network(centre - radius), network(centre + radius)), network(centre + place * radius))


def rational_scales():
    """Rational networks through a bottleneck of two neurons whose best scales, 2 and 1/2, are rational."""
    g = FullyConnected([rationals([["3/5", 0], [0, 4]])], [rationals(["-1/5", 0])])
    h = FullyConnected([rationals([[4, 1]])], [rationals([1])])
    return {"parts": (g, h), "x": [0, 0], "s": [1, 0], "c": [2, "1/2"], "depth": 3}


def lowest_corner():
    """An affine map at the corner where its output is smallest."""
    f = FullyConnected([rationals([[1, -2]])], [rationals([1])])
    return {"network": f, "centre": [0, 1], "radius": [2, 3], "place": [-1, 1]}


SCALES = Claim(
    id="notion_of_rank.theorem_1.scales",
    title="With the best scales a bottleneck costs twice the product of norms",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=scaled,
    domain=Domain(VARIABLES, {**DEEP, "bottleneck": (1, 2, 3)}, sizes_where=is_deep_enough),
    tight={"scales 2 and 1/2": rational_scales},
    false_variants={"21/10 times the sum": {"factor": Q("21/10")}, "scales of one are best": scales_of_one_are_best},
)

SHIFT = Claim(
    id="notion_of_rank.theorem_1.shift",
    title="Interval bounds on a box give a shift",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=stays_above,
    domain=Domain(
        {
            "network": Networks(slope=(-2, 2)),
            "centre": reals("inputs", role="point"),
            "radius": interval(0, np.inf, "inputs", role="ones"),
            "place": interval(-1, 1, "inputs", role="ones"),
        },
        {"depth": (1, 2, 3, 6), "inputs": range(1, 4), "width": (1, 3), "outputs": range(1, 3)},
    ),
    tight={"a corner, for an affine map": lowest_corner},
    false_variants={"a smaller box": {"share": Q("99/100")}, "the two extreme corners": extreme_corners_suffice},
)
