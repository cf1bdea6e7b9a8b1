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
Sharp
    Scales 2 and 1/2 that are rational; an affine map at the corner where its first output is smallest.
Not checked
    Bounds of deeper networks are perhaps too low: the construction stays valid, at a larger norm. Unbounded domains have no
    shift.
Source
    ours, beside Theorem 1 of notion_of_rank.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.bottleneck import Parts, constructed, joint, norm_of_other_layers
from theorems.notion_of_rank.constructions.depths import Depth
from theorems.notion_of_rank.theorem_1.statement import DEEP, VARIABLES, identity_layers, is_deep_enough
from verify import Claim, Domain, Networks, Ours, Q, Relation, Source, Tight, ge, interval, le, reals
from verify.arithmetic import Array, absolute, maximum, minimum, rationals, sqrt
from verify.networks import FullyConnected


def scaled(parts: Parts, shift: Array, scale: Array, depth: Depth, factor: Q | int = 2) -> Relation:
    """No scales give a smaller norm than the best; `factor` is that of the sum."""
    rows, columns, moved = joint(parts, shift)
    identities = identity_layers(parts, depth)
    rest = norm_of_other_layers(parts) + moved + identities * shift.shape[-1]
    norm = constructed(parts, identities, shift, scale).parameter_norm_squared
    return ge(norm, rest + factor * sqrt(rows * columns).sum(axis=-1))


def floor_on_a_box(network: FullyConnected, centre: Array, radius: Array) -> Array:
    """Lower bounds of the outputs on the box ``|x - centre| <= radius``, shapes ``(..., n_0) -> (..., n_L)``.

    By interval arithmetic, layer by layer: exact for a network of one layer, else perhaps lower than the minimum. The shift
    ``-floor_on_a_box(g, centre, radius)`` makes g non-negative on the box.
    """
    for layer, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        if layer:
            lower, upper = centre - radius, centre + radius
            # the activation is monotone on each side of zero, and increases on the right
            nearest = minimum(maximum(lower, 0 * lower), upper)
            first, middle, last = (network.activation(one) for one in (lower, nearest, upper))
            lower, upper = minimum(first, middle), maximum(first, last)
            centre, radius = (lower + upper) / 2, (upper - lower) / 2
        centre = (weight * centre[..., None, :]).sum(axis=-1) + bias
        radius = (absolute(weight) * radius[..., None, :]).sum(axis=-1)
    return np.asarray(centre - radius)


def stays_above(network: FullyConnected, centre: Array, radius: Array, place: Array) -> Relation:
    """The bounds on the box against the value at one of its points, ``centre + place * radius``."""
    return le(floor_on_a_box(network, centre, radius), network(centre + place * radius), over=1)


# False variants


def scales_of_one_are_best(parts: Parts, shift: Array, scale: Array, depth: Depth) -> Relation:
    """Scales do not help."""
    identities = identity_layers(parts, depth)
    found, plain = constructed(parts, identities, shift, scale), constructed(parts, identities, shift)
    return ge(found.parameter_norm_squared, plain.parameter_norm_squared)


def bounds_of_a_smaller_box(network: FullyConnected, centre: Array, radius: Array, place: Array) -> Relation:
    """The bounds of a box whose sides are shorter by a hundredth."""
    return le(floor_on_a_box(network, centre, Q("99/100") * radius), network(centre + place * radius), over=1)


def extreme_corners_suffice(network: FullyConnected, centre: Array, radius: Array, place: Array) -> Relation:
    """The two extreme corners of a box give the minimum."""
    floor = minimum(network(centre - radius), network(centre + radius))
    return le(floor, network(centre + place * radius), over=1)


# Tight examples


def rational_scales() -> dict[str, Any]:
    """Rational networks through a bottleneck of two neurons whose best scales, 2 and 1/2, are rational."""
    inner = FullyConnected([rationals([["3/5", 0], [0, 4]])], [rationals(["-1/5", 0])])
    outer = FullyConnected([rationals([[4, 1]])], [rationals([1])])
    numbers = {"shift": rationals([1, 0]), "scale": rationals([2, "1/2"]), "x": rationals([0, 0])}
    return {"parts": (inner, outer), "depth": Depth(3), **numbers}


def lowest_corner() -> dict[str, Any]:
    """An affine map at the corner where its first output is smallest."""
    network = FullyConnected([rationals([[1, -2]])], [rationals([1])])
    return {"network": network, "centre": rationals([0, 1]), "radius": rationals([2, 3]), "place": rationals([-1, 1])}


OURS = Source("notion_of_rank", "ours")

SCALES = Claim(
    id="notion_of_rank.theorem_1.scales",
    title="The best scales of the bottleneck give twice the product of the norms before and after it",
    source=OURS,
    status=Ours(),
    statement=scaled,
    domain=Domain(VARIABLES, {**DEEP, "bottleneck": (1, 2, 3)}, sizes_where=is_deep_enough),
    tight={"scales 2 and 1/2": Tight(rational_scales)},
    false_variants={
        "21/10 times the sum": partial(scaled, factor=Q("21/10")),
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
            "centre": reals("inputs", role="point"),
            "radius": interval(0, np.inf, "inputs", role="ones"),
            "place": interval(-1, 1, "inputs", role="ones"),
        },
        {"depth": (1, 2, 3, 6), "inputs": range(1, 4), "width": (1, 3), "outputs": range(1, 3)},
    ),
    tight={"a corner, for an affine map": Tight(lowest_corner)},
    false_variants={
        "a smaller box": bounds_of_a_smaller_box,
        "the two extreme corners": extreme_corners_suffice,
    },
)
