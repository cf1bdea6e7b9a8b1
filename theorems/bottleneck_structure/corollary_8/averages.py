r"""Corollary 8 as printed, and the display after Theorem 16: the average of the kernel over a sample.

Statement
    Corollary 8 takes one c with :math:`\frac1N \mathrm{Tr}\,\Theta(X, X) \le cL` for all points. The display after Theorem 16
    has, for :math:`\mathrm{Tr}\,\Theta(X, X) \le cNL`, at least (1 - p)L layers with

    .. math:: \frac1N \|\alpha_{\ell-1}(X)\|_F^2 \le \frac1p\, \frac{c \max\{1, e^{c_1/k}\}}{k\, |Jf(x)|_+^{2/k}} .
Correction
    The corollary is false: two kinds of points, many where the network is steep and the kernel small and few where it is flat
    and the kernel large, make the average of the quotients larger than the quotient with the average. It is refuted for every
    point in :math:`\log|Jf(x)|_+`: with the one that makes the bound largest. The display does not say which
    point x is. As printed it is read for any point of the sample, and false for the same reason; for the point with the
    smallest volume, which may be meant, it is true.
Checked
    The printed corollary is refuted on exactly balanced networks of depth 5 with k = 1, the display at depth 2. The corrected
    display holds for the j-th largest layer and :math:`p = j/L`, with the kernel without the share of the biases.
Proof idea
    Theorem 7 at every point, and the smallest volume for all of them.
Sharp
    Identities for all layers, a large sample for one.
Source
    bottleneck_structure, Corollary 17 and the display after Theorem 16.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.arrays import descending, squares
from theorems.bottleneck_structure.constructions.balanced import BALANCED, is_balanced, partly_identity
from theorems.bottleneck_structure.constructions.points import jacobian_rank
from theorems.bottleneck_structure.corollary_8.statement import (
    CLAIM,
    ONE_RANK,
    SOURCE,
    excess,
    factors_of_kernel,
    few_points_of_many,
    kernel_traces,
    log_volumes,
    next_singular_values,
    points_first,
    shares_of,
)
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, largest, maximum, rationals, sqrt
from verify.networks import FullyConnected, leaky_relu


def with_the_average(network: FullyConnected, points: Array, copies: Array) -> Relation:
    """The printed bound for the j-th largest layer and p = j/L, times j; it is decreasing in p, and the limit of smaller p.

    The volume is the smallest of the sample, which makes the bound largest.
    """
    k, shares = jacobian_rank(network, points[..., 0, :]), shares_of(copies)
    values, volumes = next_singular_values(network, points, shares, k), log_volumes(network, points)
    factors, traces = factors_of_kernel(network, volumes, k), kernel_traces(network, points, biases=True)
    average = (shares * traces).sum(axis=-1) * (shares * factors).sum(axis=-1)
    budget = maximum(excess(network, k) + 2 * largest(-volumes), 0)
    numbers = np.arange(1, network.depth + 1)
    bound = sqrt(budget)[..., None] * (sqrt(average)[..., None] + sqrt(numbers))
    return le(numbers * values, bound, over=1)


def averaged_activations(network: FullyConnected, points: Array, shares: Array) -> Array:
    r""":math:`\frac1N \|\alpha_{\ell-1}(X)\|_F^2` in descending order, times j, shape ``(..., L)``."""
    norms = [np.moveaxis(np.asarray(squares(values)), 0, -1) for values in network.activations(points_first(points))]
    sums = [np.asarray((shares * norm).sum(axis=-1)) for norm in norms]
    return np.asarray(descending(np.stack(sums, axis=-1)) * np.arange(1, network.depth + 1))


def activations_of_sample(network: FullyConnected, points: Array, copies: Array) -> Relation:
    """The display with the smallest volume."""
    k, shares = jacobian_rank(network, points[..., 0, :]), shares_of(copies)
    factor = largest(factors_of_kernel(network, log_volumes(network, points), k))
    bound = (shares * kernel_traces(network, points, biases=False)).sum(axis=-1) * factor
    return le(averaged_activations(network, points, shares), bound[..., None], over=1)


def activations_as_printed(network: FullyConnected, points: Array, copies: Array) -> Relation:
    """The display with the whole kernel and the volume at the first point."""
    k, shares = jacobian_rank(network, points[..., 0, :]), shares_of(copies)
    factor = factors_of_kernel(network, log_volumes(network, points), k)[..., 0]
    bound = (shares * kernel_traces(network, points, biases=True)).sum(axis=-1) * factor
    return le(averaged_activations(network, points, shares), bound[..., None], over=1)


# False variants


def volume_at_first_point(network: FullyConnected, points: Array, copies: Array) -> Relation:
    """The volume at the first point in place of the smallest."""
    return activations_as_printed(network, points, copies)


def without_the_excess(network: FullyConnected, points: Array, copies: Array) -> Relation:
    """Without the exponential."""
    k, shares = jacobian_rank(network, points[..., 0, :]), shares_of(copies)
    factor = largest(factors_of_kernel(network, log_volumes(network, points), k))
    factor = factor / maximum(1, factors_of_kernel(network, 0 * log_volumes(network, points), k)[..., 0] * k)
    bound = (shares * kernel_traces(network, points, biases=False)).sum(axis=-1) * factor
    return le(averaged_activations(network, points, shares), bound[..., None], over=1)


def two_regions(flat: Array) -> FullyConnected:
    """Depth 2 with a neuron for each of two coordinates: weights 1 before and after the first, `flat` for the second."""
    zero, one = 0 * flat, 0 * flat + 1
    first = np.stack([np.stack([one, zero], axis=-1), np.stack([zero, flat], axis=-1)], axis=-2)
    return FullyConnected([first, np.stack([one, flat], axis=-1)[..., None, :]])


def three_chains(flat: Array) -> FullyConnected:
    """Depth 5 with three chains: weights 1 along the first coordinate, `flat` along the others; the output is their sum.

    The activation has the slope 1/64 below zero, so that no neuron that is not active stays at its kink.
    """
    weights = np.stack([0 * flat + 1, flat, flat], axis=-1)
    layer = weights[..., None, :] * np.eye(3, dtype=np.int64)
    return FullyConnected([layer] * 4 + [weights[..., None, :]], activation=leaky_relu((0 * flat + 1) / 64))


def points_of_chains(near: Array, far: Array) -> Array:
    """Of each chain a point at which it alone is active: at the distance `near` of the first, 2^24 `far` of the others."""
    active = np.eye(3, dtype=np.int64)
    places = np.stack([near, 2**24 * far, 2**24 * far], axis=-1)
    return np.asarray(places[..., :, None] * active - (places / 64)[..., :, None] * (1 - active))


def many_and_two(copies: Array) -> Array:
    """How often the three points occur: the first one 10^7 times `copies`."""
    return np.stack([10**7 * copies, 0 * copies + 1, 0 * copies + 1], axis=-1)


def one_point_in_each(near: Array, far: Array) -> Array:
    """A point at the distance `near` where only the first neuron is active, and one at `far` for the second."""
    return np.stack([np.stack([near, -near / 64], axis=-1), np.stack([-far / 64, far], axis=-1)], axis=-2)


def many_and_one(copies: Array) -> Array:
    """How often the two points occur."""
    return np.stack([copies, 0 * copies + 1], axis=-1)


def identities() -> dict[str, Any]:
    """Three layers that keep two coordinates, and a non-negative sample."""
    return {
        "network": FullyConnected([rationals([[[1, 0], [0, 1]]])] * 3),
        "points": rationals([[[1, 2], [3, 1], [2, 5]]]),
        "copies": rationals([[1, 2, 1]]),
    }


def large_sample() -> dict[str, Any]:
    """Three layers that keep one coordinate of two, and a sample with large values in the other."""
    layer = rationals([[[1, 0], [0, 0]]])
    return {
        "network": FullyConnected([layer, layer, layer[:, :1]]),
        "points": rationals([[[1, 2**24], [2, -(2**24)], [1, 3]]]),
        "copies": rationals([[1, 2, 1]]),
    }


TWO_REGIONS = Domain(
    {
        "network": derived(two_regions, flat=interval(0.125, 0.5)),
        "points": derived(one_point_in_each, near=interval(1, 256), far=interval(1, 16384)),
        "copies": derived(many_and_one, copies=integers(1, 1000)),
    },
    hypotheses=ONE_RANK | {"balanced": is_balanced},
)
DISPLAY_SOURCE = Source("bottleneck_structure", "display after Theorem 16")

PRINTED = Claim(
    id="bottleneck_structure.corollary_8.printed",
    title="Corollary 8 with the average of the kernel over the sample",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=with_the_average,
    domain=Domain(
        {
            "network": derived(three_chains, flat=interval(0.1875, 0.3125)),
            "points": derived(points_of_chains, near=integers(1, 2), far=integers(4, 64)),
            "copies": derived(many_and_two, copies=integers(1, 100)),
        },
        hypotheses=ONE_RANK | {"balanced": is_balanced},
    ),
    false_neighbours={},
)

DISPLAY = Claim(
    id="bottleneck_structure.corollary_8.display",
    title="The average kernel bounds the average representation, at the smallest volume",
    source=DISPLAY_SOURCE,
    status=Ours(),
    statement=activations_of_sample,
    cost=2,
    domain=Domain(
        {
            "network": derived(partly_identity, network=BALANCED, kind=integers(0, 2), scale=interval(0.5, 2)),
            "points": reals(3, "inputs"),
            "copies": integers(1, 3, 3),
        },
        {"depth": (2, 3, 6), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)},
        ONE_RANK | {"balanced": is_balanced},
        few_points_of_many,
    ),
    tight={
        "identities": Tight(identities, partly=True),
        "a large sample": Tight(large_sample, 1e-12, "approached as all other layers are small", partly=True),
    },
    false_neighbours={"the volume at the first point": volume_at_first_point, "without the excess": without_the_excess},
)

PRINTED_DISPLAY = Claim(
    id="bottleneck_structure.corollary_8.display.printed",
    title="The average kernel bounds the average representation, at any point",
    source=DISPLAY_SOURCE,
    status=FalseAsPrinted(corrected_by=DISPLAY.id),
    statement=activations_as_printed,
    domain=TWO_REGIONS,
    false_neighbours={},
)
