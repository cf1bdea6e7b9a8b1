r"""Corollary 8: in most layers the pre-activations of a sample are nearly of rank k.

Statement
    For a balanced network of depth L and points :math:`x_1, \ldots, x_N` with :math:`\mathrm{rank}\, Jf(x_i) = k \ge 1`, put
    :math:`c_1 = \|\theta\|^2 - kL`, :math:`B = c_1 - 2\log|Jf(x)|_+` for any one of the points, and

    .. math:: C = \frac1N \sum_i \frac{c_i \max\{1, e^{c_1/k}\}}{k\, |Jf(x_i)|_+^{2/k}} .

    At most pL layers have :math:`s_{k+1}(N^{-1/2} \tilde\alpha_\ell(X)) > \sqrt B (\sqrt C + \sqrt p) / (p \sqrt L)`.
Correction
    The corollary is printed with one c, the average of :math:`c_i = \mathrm{Tr}\,\Theta(x_i, x_i) / L`, in place of each: see
    ``averages``. With the largest it is true. The proof claims (1 - 2p)L layers; (1 - p)L is right.
Checked
    A stronger form, for all j: of the j layers with the largest :math:`s_{k+1}`,

    .. math:: \Bigl(\sum_{\text{j largest}} s_{k+1}(N^{-1/2} \tilde\alpha_\ell(X))\Bigr)^2 \le B\,(LC + j) ,

    with the kernel without the share of the biases and the least B. Points may occur several times.
Proof idea
    :math:`s_{k+1}(W\alpha + b1^T) \le s_{k+1}(W) \|\alpha\| + \|b\|`, the theorem of Cauchy and Schwarz, Theorem 6 for the
    first factor and Theorem 7 at every point for the second.
Sharp
    For j = 1: a small sample and a bias of its size across it. In C the norm of the sample stands for its operator norm: there
    the proof loses a factor of up to k + 1.
Not checked
    That balancedness is needed: it is known of Theorem 7, which enters.
Source
    bottleneck_structure, Corollary 17; the form for the j largest layers is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import descending
from theorems.bottleneck_structure.constructions.balanced import BALANCED, is_balanced, partly_identity
from theorems.bottleneck_structure.constructions.points import is_smooth, jacobian_rank
from verify import Claim, Domain, Relation, Sizes, Source, Tight, derived, integers, le, reals
from verify.arithmetic import Array, compare, exp, is_exact, maximum, rationals, smallest, sqrt
from verify.matrices import log_pseudo_determinant, singular_values
from verify.networks import FullyConnected, leaky_relu
from verify.networks.ntk import ntk_trace


def points_first(points: Array) -> Array:
    """Points of each network, shape ``(*batch, N, n_0)``, as a network takes them: ``(N, *batch, n_0)``."""
    return np.moveaxis(points, -2, 0)


def shares_of(copies: Array) -> Array:
    """The shares of points that occur several times, shape ``(..., N)``."""
    return np.asarray(copies / np.asarray(copies.sum(axis=-1))[..., None])


def next_singular_values(network: FullyConnected, points: Array, shares: Array, k: Array) -> Array:
    r""":math:`s_{k+1}` of the pre-activations of each layer, descending, shape ``(..., L)``; point i has the share
    :math:`N_i / N`.
    """
    columns = []
    for values in network.preactivations(points_first(points)):
        rows = np.moveaxis(values, 0, -1)
        if is_exact(rows):
            # the shares have roots, their squares have none
            singular = sqrt(singular_values((rows * shares[..., None, :]) @ rows.swapaxes(-1, -2)))
        else:
            singular = singular_values(rows * sqrt(shares)[..., None, :])
        columns.append(np.where(np.arange(singular.shape[-1]) == k[..., None], singular, 0).sum(axis=-1))
    return descending(np.stack(columns, axis=-1))


def kernel_traces(network: FullyConnected, points: Array, *, biases: bool) -> Array:
    """Traces of the kernel at the points, with or without the share of the biases, shape ``(..., N)``."""
    return np.moveaxis(np.asarray(ntk_trace(network, points_first(points), biases=biases)), 0, -1)


def log_volumes(network: FullyConnected, points: Array) -> Array:
    r""":math:`\log|Jf(x_i)|_+`, shape ``(..., N)``."""
    return np.moveaxis(log_pseudo_determinant(network.jacobian(points_first(points))), 0, -1)


def excess(network: FullyConnected, k: Array) -> Array:
    r""":math:`c_1`, batch-shaped."""
    return np.asarray(network.parameter_norm_squared - k * network.depth)


def factors_of_kernel(network: FullyConnected, volumes: Array, k: Array) -> Array:
    r""":math:`\max\{1, e^{c_1/k}\} / (k |Jf(x_i)|_+^{2/k})`, shape ``(..., N)``."""
    growth = maximum(excess(network, k), 0) / k
    return np.asarray(exp(growth[..., None] - 2 * volumes / k[..., None]) / k[..., None])


def bound_of_sample(network: FullyConnected, points: Array, shares: Array, k: Array) -> tuple[Array, Array]:
    """The least B and LC, batch-shaped."""
    volumes = log_volumes(network, points)
    traces = kernel_traces(network, points, biases=False)
    reach = (shares * traces * factors_of_kernel(network, volumes, k)).sum(axis=-1)
    return np.asarray(excess(network, k) + 2 * smallest(-volumes)), np.asarray(reach)


def sample_is_nearly_of_rank_k(network: FullyConnected, points: Array, copies: Array) -> Relation:
    """Both sides for every number of layers; `copies` says how often each point occurs in the sample."""
    k, shares = jacobian_rank(network, points[..., 0, :]), shares_of(copies)
    budget, reach = bound_of_sample(network, points, shares, k)
    left = np.cumsum(next_singular_values(network, points, shares, k), axis=-1) ** 2
    return le(left, budget[..., None] * (reach[..., None] + np.arange(1, network.depth + 1)), over=1)


# False variants


def one_layer_fewer(network: FullyConnected, points: Array, copies: Array) -> Relation:
    """One layer fewer on the right."""
    k, shares = jacobian_rank(network, points[..., 0, :]), shares_of(copies)
    budget, reach = bound_of_sample(network, points, shares, k)
    left = np.cumsum(next_singular_values(network, points, shares, k), axis=-1) ** 2
    return le(left, budget[..., None] * (reach[..., None] + np.arange(network.depth)), over=1)


def without_the_kernel(network: FullyConnected, points: Array, copies: Array) -> Relation:
    """As if the points were small."""
    k, shares = jacobian_rank(network, points[..., 0, :]), shares_of(copies)
    budget, _ = bound_of_sample(network, points, shares, k)
    left = np.cumsum(next_singular_values(network, points, shares, k), axis=-1) ** 2
    return le(left, budget[..., None] * np.arange(1, network.depth + 1), over=1)


def of_rank_one_less(network: FullyConnected, points: Array, copies: Array) -> Relation:
    """The singular value k for k + 1."""
    k, shares = jacobian_rank(network, points[..., 0, :]), shares_of(copies)
    budget, reach = bound_of_sample(network, points, shares, k)
    left = np.cumsum(next_singular_values(network, points, shares, k - 1), axis=-1) ** 2
    return le(left, budget[..., None] * (reach[..., None] + np.arange(1, network.depth + 1)), over=1)


def equal_ranks(network: FullyConnected, points: Array) -> npt.NDArray[np.bool_]:
    """Whether the Jacobians at all points have one rank, which is not 0, and no hidden neuron is at its kink."""
    at = points_first(points)
    ranks = np.asarray(jacobian_rank(network, at))
    return np.asarray((is_smooth(network, at) & (ranks > 0) & (ranks == ranks[:1])).all(axis=0))


def with_small_bias(network: FullyConnected, kind: Array, bias: Array, halvings: Array) -> FullyConnected:
    """The network (kind 0), with another balance (1), or identities with a linear activation (2) or the ReLU (3); with a small
    bias at the end.

    The bias is halved `halvings` times and once more. Balancedness says nothing of it, and across what the identities keep it
    nearly attains the bounds for small points. With the ReLU points of different quadrants have Jacobians of rank 1 and span
    more dimensions, the larger the farther they are: what the kernel is for.
    """
    identity, linear = (np.where(found, kind * 0 + 1, kind * 0) for found in (compare(kind, 1) > 0, compare(kind, 2) == 0))
    chain = partly_identity(network, np.where(compare(kind, 2) > 0, kind - 1, kind), 1 + 0 * kind)
    slope = (1 - identity) * network.activation.negative + linear
    kept = np.arange(network.widths[-1]) < min(network.widths)
    across = np.where(kept, (1 - identity)[..., None], 1)
    *others, last = chain.biases
    return FullyConnected(chain.weights, [*others, last + across * halved(bias, halvings) / 2], leaky_relu(slope))


def halved(values: Array, halvings: Array) -> Array:
    """Arrays halved a number of times each, from 0 to 10, shapes ``(..., *one)`` and ``(...)``."""
    times = halvings.reshape(*halvings.shape, *[1] * (values.ndim - halvings.ndim))
    for count in range(10):
        values = np.where(compare(times, count) > 0, values / 2, values)
    return values


def near_or_far(points: Array, halvings: Array) -> Array:
    """Points with entries from some dozens to some hundredths."""
    return halved(16 * points, halvings)


def orthogonal_bias(depth: int = 1) -> dict[str, Any]:
    """Linear layers that keep one coordinate, and at the end a bias of the size of the sample across it."""
    small = rationals("1/2097152")
    layer, zero = rationals([[[1, 0], [0, 0]]]), rationals([[0, 0]])
    biases = [*[zero] * (depth - 1), small * rationals([[0, 1]])]
    return {
        "network": FullyConnected([layer] * depth, biases, leaky_relu(1)),
        "points": small * rationals([[[1, 0], [-1, 0]]]),
        "copies": rationals([[1, 1]]),
    }


def few_points_of_many(sizes: Sizes) -> bool:
    """Depth 6 for two inputs and outputs only."""
    return sizes["depth"] < 6 or sizes["inputs"] == sizes["outputs"] == 2


SOURCE = Source("bottleneck_structure", "Corollary 17")
ONE_RANK = {"the Jacobians have one rank": equal_ranks}
SMALL_SAMPLES = "equality is approached for small samples"

CLAIM = Claim(
    id="bottleneck_structure.corollary_8",
    title="In most layers a sample is nearly of rank k",
    source=SOURCE,
    statement=sample_is_nearly_of_rank_k,
    cost=3,
    domain=Domain(
        {
            "network": derived(
                with_small_bias, network=BALANCED, kind=integers(0, 3), bias=reals("outputs"), halvings=integers(0, 6)
            ),
            "points": derived(near_or_far, points=reals(3, "inputs"), halvings=integers(0, 10)),
            "copies": integers(1, 3, 3),
        },
        {"depth": (2, 3, 6), "inputs": range(1, 4), "width": range(2, 4), "outputs": range(2, 4)},
        ONE_RANK | {"balanced": is_balanced},
        few_points_of_many,
    ),
    tight={
        "an orthogonal bias": Tight(orthogonal_bias, 1e-12, SMALL_SAMPLES),
        "an orthogonal bias at the end": Tight(partial(orthogonal_bias, 3), 1e-12, SMALL_SAMPLES, partly=True),
    },
    false_neighbours={"j - 1 in place of j": one_layer_fewer, "j alone": without_the_kernel, "s_k": of_rank_one_less},
)
