r"""Corollary 8 (Corollary 17 of the appendix): in most layers the pre-activations of a sample are nearly of rank k.

For a balanced network of depth L and points :math:`x_1, \ldots, x_N` with :math:`\mathrm{rank}\, Jf(x_i) = k \ge 1`, put
:math:`c_1 = \|\theta\|^2 - kL`, :math:`B = c_1 - 2\log|Jf(x)|_+` for any one of the points, :math:`c_i L = \mathrm{Tr}\,
\Theta(x_i, x_i)` and

.. math:: C = \frac1N \sum_i \frac{c_i \max\{1, e^{c_1/k}\}}{k\, |Jf(x_i)|_+^{2/k}} .

At most pL layers have :math:`s_{k+1}(N^{-1/2} \tilde\alpha_\ell(X)) > \sqrt B (\sqrt C + \sqrt p) / (p \sqrt L)`. What is
checked is stronger, and holds for all j: of the j layers with the largest :math:`s_{k+1}`,

.. math:: \Bigl(\sum_{\text{j largest}} s_{k+1}(N^{-1/2} \tilde\alpha_\ell(X))\Bigr)^2 \le B\,(LC + j) ,

with the kernel without the share of the biases. Idea of the proof: :math:`s_{k+1}(W\alpha + b1^T) \le s_{k+1}(W) \|\alpha\| +
\|b\|`, the theorem of Cauchy and Schwarz, Theorem 6 for the first factor and Theorem 7 at every point for the second.

The corollary is printed with one c, the average of the :math:`c_i`, in place of each of them. That is false (``.printed``): two
kinds of points, many where the network is steep and the kernel small and few where it is flat and the kernel large, make the
average of the quotients larger than the quotient with the average. With the largest :math:`c_i` it is true. The proof claims
(1 - 2p)L layers; (1 - p)L is right.

Source: bottleneck_structure, Corollary 17; the form for the j largest layers is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.balancedness import BALANCED
from theorems.bottleneck_structure.theorem_6 import descending, jacobian_rank
from theorems.bottleneck_structure.theorem_7 import partly_identity
from verify import Claim, Domain, FalseAsPrinted, Relation, Source, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, compare, exp, floats, is_exact, maximum, rationals, smallest, sqrt
from verify.matrices import log_pseudo_determinant, singular_values
from verify.networks import FullyConnected, leaky_relu
from verify.networks.ntk import ntk_trace


def points_first(points: Array) -> Array:
    """Points of each network, shape ``(*batch, N, n_0)``, as a network takes them: ``(N, *batch, n_0)``."""
    return np.moveaxis(points, -2, 0)


def next_singular_values(network: FullyConnected, points: Array, shares: Array, k: Array) -> Array:
    r""":math:`s_{k+1}` of the pre-activations of each layer, shape ``(..., L)``; point i has the share :math:`N_i / N`."""
    columns = []
    for values in network.preactivations(points_first(points)):
        rows = np.moveaxis(values, 0, -1)
        if is_exact(rows):
            singular = sqrt(singular_values((rows * shares[..., None, :]) @ rows.swapaxes(-1, -2)))
        else:
            singular = singular_values(rows * np.sqrt(shares)[..., None, :])
        columns.append(np.where(np.arange(singular.shape[-1]) == k[..., None], singular, 0).sum(axis=-1))
    return np.stack(columns, axis=-1)


def bounds_at_points(network: FullyConnected, points: Array, k: Array, biases: bool) -> tuple[Array, Array, Array]:
    r"""Traces of the kernel and the factors that they take in LC, shapes ``(..., N)``, and the least B, shape ``(...)``."""
    at = points_first(points)
    traces = np.moveaxis(np.asarray(ntk_trace(network, at, biases=biases)), 0, -1)
    volumes = np.moveaxis(log_pseudo_determinant(network.jacobian(at)), 0, -1)
    excess = np.asarray(network.parameter_norm_squared - k * network.depth)
    growth = (maximum(excess, 0) / k)[..., None] - 2 * volumes / k[..., None]
    return traces, exp(growth) / k[..., None], np.asarray(excess + 2 * smallest(-volumes))


def sample_is_nearly_of_rank_k(
    network: FullyConnected, points: Array, copies: Array, percent: int = 100, less: int = 0
) -> Relation:
    """Both sides for every number of layers; `copies` says how often each point occurs in the sample."""
    k, shares, values = _ordered(network, points, copies)
    traces, factors, best = bounds_at_points(network, points, k, biases=False)
    reach = np.asarray((shares * traces * factors).sum(axis=-1))[..., None] + np.arange(1, network.depth + 1)
    size = np.asarray(network.parameter_norm_squared + k * network.depth)[..., None] * reach
    # exponentials are rounded relative to the size of their exponents
    exponents = np.abs(np.log(np.maximum(floats(factors), np.finfo(np.float64).tiny))).max(axis=-1)
    noise = floats(size) * (1 + exponents)[..., None] * 2.0**-46
    left = np.cumsum(values, axis=-1) ** 2
    return le(left, best[..., None] * (reach - less) * percent / 100, scale=size, noise=noise, over=1)


def with_the_average(network: FullyConnected, points: Array, copies: Array) -> Relation:
    """The printed bound for the j-th largest layer and p = j/L, times j; it is decreasing in p, and the limit of smaller p."""
    k, shares, values = _ordered(network, points, copies)
    traces, factors, best = bounds_at_points(network, points, k, biases=True)
    average = (shares * traces).sum(axis=-1) * (shares * factors).sum(axis=-1)
    numbers = 0 * values + np.arange(1, network.depth + 1)
    bound = sqrt(maximum(best, 0))[..., None] * (sqrt(average)[..., None] + sqrt(numbers))
    return le(numbers * values, bound, scale=numbers * values + bound, over=1)


def _ordered(network: FullyConnected, points: Array, copies: Array) -> tuple[Array, Array, Array]:
    """The rank, the shares of the points, and the singular values of the layers in descending order."""
    k = np.asarray(jacobian_rank(network, points[..., 0, :]))
    shares = copies / np.asarray(copies.sum(axis=-1))[..., None]
    return k, shares, descending(next_singular_values(network, points, shares, k))


def equal_ranks(network: FullyConnected, points: Array) -> npt.NDArray[np.bool_]:
    """Whether the Jacobians at all points have one rank, which is not 0, and no hidden neuron is at its kink."""
    at = points_first(points)
    ranks = np.asarray(jacobian_rank(network, at))
    smooth = np.ones(ranks.shape, dtype=bool)
    for layer, values in enumerate(network.preactivations(at)[:-1], start=1):
        constant = (compare(network.jacobian_to_layer(layer, at), 0) == 0).all(axis=-1)
        smooth = smooth & ((compare(values, 0) != 0) | constant).all(axis=-1)
    return np.asarray((smooth & (ranks > 0) & (ranks == ranks[:1])).all(axis=0))


def with_small_bias(network: FullyConnected, kind: Array, bias: Array, halvings: Array) -> FullyConnected:
    """A bias at the output, `bias` halved `halvings` times and once more: what balancedness says nothing of.

    Of kind 1, identities in place of the network, with a linear activation, and a bias across what they keep: there the bounds
    are nearly attained for small points.
    """
    chain = partly_identity(network, 2 * kind, 1 + 0 * kind)
    slope = (1 - kind) * network.activation.negative + kind
    kept = np.arange(network.widths[-1]) < min(network.widths)
    across = np.where(kept, (1 - kind)[..., None], 1)
    *others, last = chain.biases
    return FullyConnected(chain.weights, [*others, last + across * halved(bias, halvings) / 2], leaky_relu(slope))


def halved(values: Array, halvings: Array) -> Array:
    """Arrays halved a number of times each, from 0 to 6, shapes ``(..., *one)`` and ``(...)``."""
    times = halvings.reshape(*halvings.shape, *[1] * (values.ndim - halvings.ndim))
    for count in range(6):
        values = np.where(compare(times, count) > 0, values / 2, values)
    return values


def two_regions(flat: Array) -> FullyConnected:
    """Depth 2 with a neuron for each of two coordinates: weights 1 before and after the first, `flat` for the second."""
    zero, one = 0 * flat, 0 * flat + 1
    first = np.stack([np.stack([one, zero], axis=-1), np.stack([zero, flat], axis=-1)], axis=-2)
    return FullyConnected([first, np.stack([one, flat], axis=-1)[..., None, :]])


def one_point_in_each(near: Array, far: Array) -> Array:
    """A point at the distance `near` where only the first neuron is active, and one at `far` for the second."""
    return np.stack([np.stack([near, -near / 64], axis=-1), np.stack([-far / 64, far], axis=-1)], axis=-2)


def many_and_one(copies: Array) -> Array:
    """How often the two points occur."""
    return np.stack([copies, 0 * copies + 1], axis=-1)


def orthogonal_bias() -> dict[str, Any]:
    """One layer that keeps one coordinate, and a bias of the size of the sample across it."""
    small = rationals("1/1000")
    return {
        "network": FullyConnected([rationals([[[1, 0], [0, 0]]])], [small * rationals([[0, 1]])]),
        "points": small * rationals([[[1, 0], [-1, 0]]]),
        "copies": rationals([[1, 1]]),
    }


SOURCE = Source("bottleneck_structure", "Corollary 17")
SIZES = {"depth": range(2, 4), "inputs": range(1, 3), "width": range(2, 3), "outputs": range(2, 3)}
HYPOTHESES = {"the Jacobians have one rank": equal_ranks}

CLAIM = Claim(
    id="bottleneck_structure.corollary_8",
    title="In most layers a sample is nearly of rank k",
    source=SOURCE,
    statement=sample_is_nearly_of_rank_k,
    cost=2,
    domain=Domain(
        {
            "network": derived(
                with_small_bias, network=BALANCED, kind=integers(0, 1), bias=reals("outputs"), halvings=integers(0, 6)
            ),
            "points": derived(halved, values=reals(3, "inputs"), halvings=integers(0, 6)),
            "copies": integers(1, 3, 3),
        },
        SIZES,
        HYPOTHESES,
    ),
    tight={"an orthogonal bias": Tight(orthogonal_bias, relative_slack=1e-6, why="equality is approached for small samples")},
    false_neighbours={
        "a quarter of the bound": partial(sample_is_nearly_of_rank_k, percent=25),
        "1 percent less": partial(sample_is_nearly_of_rank_k, percent=99),
        "j - 1 in place of j": partial(sample_is_nearly_of_rank_k, less=1),
    },
)

PRINTED = Claim(
    id="bottleneck_structure.corollary_8.printed",
    title="Corollary 8 with the average of the kernel over the sample",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="bottleneck_structure.corollary_8"),
    statement=with_the_average,
    domain=Domain(
        {
            "network": derived(two_regions, flat=interval(0.125, 0.5)),
            "points": derived(one_point_in_each, near=interval(1, 256), far=interval(1, 16384)),
            "copies": derived(many_and_one, copies=integers(1, 1000)),
        },
        hypotheses=HYPOTHESES,
    ),
    false_neighbours={},
)
