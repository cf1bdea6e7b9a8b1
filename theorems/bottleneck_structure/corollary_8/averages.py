r"""Corollary 8 as printed: the average of the kernel over a sample.

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
    display holds for the j-th largest layer and :math:`p = j/L`, with the kernel without the share of the biases, for
    activations with slopes in [-1, 1].
Proof idea
    Theorem 7 at every point, and the smallest volume for all of them.
Tight
    Identities for all layers, a large sample for one.
Source
    bottleneck_structure, Corollary 17 and the display after Theorem 16.
"""

import numpy as np

from theorems.bottleneck_structure.constructions.balanced import BALANCED
from theorems.bottleneck_structure.corollary_8.statement import (
    CLAIM,
    HYPOTHESES,
    SOURCE,
    balanced_or_identity,
    excess,
    factors_of_kernel,
    few_points_of_many,
    kernel_traces,
    leaky,
    log_volumes,
    network,
    next_singular_values,
    sorted_down,
)
from theorems.shared.activations import SLOPES
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source, Tight, derived, integers, interval, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import diag, exp, eye, greatest, le, least, maximum, rank, sqrt, stack, vector


def with_the_average(f, X, copies):
    """The printed bound for the j-th largest layer and p = j/L, times j; it is decreasing in p, and the limit of smaller p.

    The volume is the smallest of the sample, which makes the bound largest.
    """
    k, shares, volumes = rank(f.jacobian(X[0])), copies / copies.sum(), log_volumes(f, X)
    average = (shares * kernel_traces(f, X, biases=True)).sum() * (shares * factors_of_kernel(f, volumes, k)).sum()
    B, j = maximum(excess(f, k) - 2 * least(volumes), 0), np.arange(1, f.depth + 1)
    return le(j * next_singular_values(f, X, shares, k), sqrt(B) * (sqrt(average) + sqrt(j)))


def averaged_activations(f, X, copies):
    r""":math:`\frac1N \|\alpha_{\ell-1}(X)\|_F^2` in descending order, times j."""
    norms = stack([(copies * (values**2).sum(axis=1)).sum() for values in f.activations(X)])
    return sorted_down(norms / copies.sum()) * np.arange(1, f.depth + 1)


def average_trace(f, X, copies, biases=False):
    return (copies * kernel_traces(f, X, biases)).sum() / copies.sum()


def activations_of_sample(f, X, copies):
    factors = factors_of_kernel(f, log_volumes(f, X), rank(f.jacobian(X[0])))
    return le(averaged_activations(f, X, copies), average_trace(f, X, copies) * greatest(factors))


def activations_as_printed(f, X, copies):
    """With the whole kernel and the volume at the first point."""
    factors = factors_of_kernel(f, log_volumes(f, X), rank(f.jacobian(X[0])))
    return le(averaged_activations(f, X, copies), average_trace(f, X, copies, biases=True) * factors[0])


def without_the_excess(f, X, copies):
    k = rank(f.jacobian(X[0]))
    factors = exp(-2 * log_volumes(f, X) / k) / k
    return le(averaged_activations(f, X, copies), average_trace(f, X, copies) * greatest(factors))


def two_regions(flat):
    """Depth 2 with a neuron for each of two coordinates: weights 1 before and after the first, `flat` for the second."""
    weights = vector(1, flat)
    return network([diag(weights), weights[None]])


def three_chains(flat):
    """Depth 5 with three chains: weights 1 along the first coordinate, `flat` along the others; the output is their sum.

    The activation has the slope 1/64 below zero, so that no neuron that is not active stays at its kink.
    """
    weights = vector(1, flat, flat)
    return network([diag(weights)] * 4 + [weights[None]], activation=leaky(weights[0] / 64))


def points_of_chains(near, far):
    """Of each chain a point at which it alone is active: at the distance `near` of the first, 2^24 `far` of the others."""
    places = vector(near, 2**24 * far, 2**24 * far)[:, None]
    return places * eye(3) - places / 64 * (1 - eye(3))


def many_and_two(copies):
    """How often the three points occur: the first one 10^7 times `copies`."""
    return vector(10**7 * copies, 1, 1)


def one_point_in_each(near, far):
    """A point at the distance `near` where only the first neuron is active, and one at `far` for the second."""
    return stack([vector(near, -near / 64), vector(-far / 64, far)])


def many_and_one(copies):
    """How often the two points occur."""
    return vector(copies, 1)


def identities():
    """Three layers that keep two coordinates, and a non-negative sample."""
    return {"f": FullyConnected([rationals(eye(2))] * 3), "X": [[1, 2], [3, 1], [2, 5]], "copies": [1, 2, 1]}


def large_sample():
    """Three layers that keep one coordinate of two, and a sample with large values in the other."""
    layer = rationals([[1, 0], [0, 0]])
    X = [[1, 2**24], [2, -(2**24)], [1, 3]]
    return {"f": FullyConnected([layer, layer, layer[:1]]), "X": X, "copies": [1, 2, 1]}


DISPLAY_SOURCE = Source("bottleneck_structure", "display after Theorem 16")

PRINTED = Claim(
    id="bottleneck_structure.corollary_8.printed",
    title="Corollary 8 with the average of the kernel over the sample",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=with_the_average,
    domain=Domain(
        {
            "f": derived(three_chains, flat=interval(0.1875, 0.3125), role="network"),
            "X": derived(points_of_chains, near=integers(1, 2), far=integers(4, 64), role="three points"),
            "copies": derived(many_and_two, copies=integers(1, 100), role="three ones"),
        },
        hypotheses=HYPOTHESES,
    ),
)

DISPLAY = Claim(
    id="bottleneck_structure.corollary_8.display",
    title="The average kernel bounds the average representation",
    source=DISPLAY_SOURCE,
    status=DerivedHere(),
    statement=activations_of_sample,
    cost=2,
    domain=Domain(
        {
            "f": derived(balanced_or_identity, network=BALANCED, kind=integers(0, 2), scale=interval(0.5, 2), role="network"),
            "X": reals(3, "inputs", role="few points"),
            "copies": integers(1, 3, 3, role="ones"),
        },
        {"depth": (2, 3, 6), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)},
        HYPOTHESES,
        few_points_of_many,
    ),
    needs=(SLOPES,),
    tight={
        "identities": Tight(identities, partly=True),
        "a large sample": Tight(large_sample, 1e-12, "approached as all other layers are small", partly=True),
    },
    false_variants={"the volume at the first point": activations_as_printed, "without the excess": without_the_excess},
)

PRINTED_DISPLAY = Claim(
    id="bottleneck_structure.corollary_8.display.printed",
    title="The average kernel bounds the average representation, at any point",
    source=DISPLAY_SOURCE,
    status=FalseAsPrinted(corrected_by=DISPLAY.id),
    statement=activations_as_printed,
    domain=Domain(
        {
            "f": derived(two_regions, flat=interval(0.125, 0.5), role="network"),
            "X": derived(one_point_in_each, near=interval(1, 256), far=interval(1, 16384), role="three points"),
            "copies": derived(many_and_one, copies=integers(1, 1000), role="three ones"),
        },
        hypotheses=HYPOTHESES,
    ),
)
