r"""Shift and scales of the construction of Theorem 1.

The construction (``theorem_1``) asks for a shift s with :math:`g + s \ge 0` on :math:`\Omega` and allows any scales c > 0.

On a box a shift is found without solving anything: interval arithmetic, layer by layer, gives lower bounds
:math:`m \le g` (`floor_on_a_box`), and s = -m will do. The bounds are exact where g is affine, else perhaps too low: the
construction stays valid, at a larger norm. Unbounded domains have no shift.

The scales act on two terms of the norm only, and by the inequality of means

.. math:: \sum_i c_i^2 (\|W^g_{i\cdot}\|^2 + (b^g_i + s_i)^2) + \sum_i \frac{\|W^h_{\cdot i}\|^2}{c_i^2}
          \ge 2 \sum_i \|W^h_{\cdot i}\| \sqrt{\|W^g_{i\cdot}\|^2 + (b^g_i + s_i)^2} ,

with equality for :math:`c_i^4 = \|W^h_{\cdot i}\|^2 / (\|W^g_{i\cdot}\|^2 + (b^g_i + s_i)^2)`. It is checked on the norm of the
network that is built.

Source: ours, beside Theorem 1 of notion_of_rank.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.bottleneck import Parts, constructed, joint, norm_of_other_layers
from theorems.notion_of_rank.theorem_1.statement import JOINT, SIZES
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, ge, interval, le, reals
from verify.arithmetic import Array, absolute, floats, maximum, minimum, rationals, sqrt
from verify.networks import FullyConnected


def scaled(parts: Parts, shift: Array, scale: Array, basis_points: int = 10_000) -> Relation:
    """No scales give a smaller norm than the best, up to a constant in units of 1/10000 for what they act on."""
    rows, columns, moved = joint(parts, shift)
    best = (2 * sqrt(rows * columns) * basis_points / 10_000).sum(axis=-1)
    norm = constructed(parts, 1, shift, scale).parameter_norm_squared
    acted_on = norm - norm_of_other_layers(parts) - moved - shift.shape[-1]
    return ge(acted_on, best, noise=2.0**-44 * floats(norm))


def scales_of_one_are_best(parts: Parts, shift: Array, scale: Array) -> Relation:
    """What is false: that scales do not help."""
    return ge(constructed(parts, 1, shift, scale).parameter_norm_squared, constructed(parts, 1, shift).parameter_norm_squared)


def floor_on_a_box(network: FullyConnected, centre: Array, radius: Array) -> Array:
    """Lower bounds of the outputs on the box ``|x - centre| <= radius``, shapes ``(..., n_0) -> (..., n_L)``.

    By interval arithmetic, layer by layer: exact for a network of one layer, else perhaps lower than the minimum. The shift
    ``-floor_on_a_box(g, centre, radius)`` makes g non-negative on the box.
    """
    for layer, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        if layer:
            lower, upper = centre - radius, centre + radius
            # the activation is monotone on each side of zero
            values = [network.activation(one) for one in (lower, minimum(maximum(lower, 0 * lower), upper), upper)]
            lower = minimum(minimum(values[0], values[1]), values[2])
            upper = maximum(maximum(values[0], values[1]), values[2])
            centre, radius = (lower + upper) / 2, (upper - lower) / 2
        centre = (weight * centre[..., None, :]).sum(axis=-1) + bias
        radius = (absolute(weight) * radius[..., None, :]).sum(axis=-1)
    return np.asarray(centre - radius)


def stays_above(network: FullyConnected, centre: Array, radius: Array, place: Array, basis_points: int = 10_000) -> Relation:
    """The bounds on the box against the value at one of its points, ``centre + place * radius``."""
    floor = floor_on_a_box(network, centre, radius * basis_points / 10_000)
    return le(floor, network(centre + place * radius), over=1)


def extreme_corners_suffice(network: FullyConnected, centre: Array, radius: Array, place: Array) -> Relation:
    """What is false: that the two extreme corners of a box give the minimum."""
    floor = minimum(network(centre - radius), network(centre + radius))
    return le(floor, network(centre + place * radius), over=1)


def rational_scales() -> dict[str, Any]:
    """Rational networks through a bottleneck of two neurons whose best scales, 2 and 1/2, are rational."""
    inner = FullyConnected([rationals([["3/5", 0], [0, 4]])], [rationals(["-1/5", 0])])
    outer = FullyConnected([rationals([[4, 1]])], [rationals([1])])
    return {"parts": (inner, outer), "shift": rationals([1, 0]), "scale": rationals([2, "1/2"]), "x": rationals([0, 0])}


def lowest_corner() -> dict[str, Any]:
    """An affine map at the corner where its first output is smallest."""
    network = FullyConnected([rationals([[1, -2]])], [rationals([1])])
    return {"network": network, "centre": rationals([0, 1]), "radius": rationals([2, 3]), "place": rationals([-1, 1])}


OURS = Source("notion_of_rank", "ours")

SCALES = Claim(
    id="notion_of_rank.theorem_1.scales",
    title="Best scales of the bottleneck",
    source=OURS,
    status=Ours(),
    statement=scaled,
    domain=Domain(JOINT, {**SIZES, "bottleneck": range(1, 3)}),
    tight={"scales 2 and 1/2": Tight(rational_scales)},
    false_neighbours={
        "constant 1.01": partial(scaled, basis_points=10_100),
        "constant 1.0001": partial(scaled, basis_points=10_001),
        "scales of one are best": scales_of_one_are_best,
    },
)

SHIFT = Claim(
    id="notion_of_rank.theorem_1.shift",
    title="Interval bounds on a box give a shift",
    source=OURS,
    status=Ours(),
    statement=stays_above,
    domain=Domain(
        {
            "network": Networks(slope=(-2, 2)),
            "centre": reals("inputs"),
            "radius": interval(0, np.inf, "inputs"),
            "place": interval(-1, 1, "inputs"),
        },
        {"depth": range(1, 4), "inputs": range(1, 3), "width": range(1, 3), "outputs": range(1, 3)},
    ),
    tight={"a corner, for an affine map": Tight(lowest_corner)},
    false_neighbours={
        "a box 1 percent smaller": partial(stays_above, basis_points=9_900),
        "a box 0.01 percent smaller": partial(stays_above, basis_points=9_999),
        "the two extreme corners": extreme_corners_suffice,
        "the value at the centre": partial(stays_above, basis_points=0),
    },
)
