r"""Theorem 6 (Theorem 15 of the appendix): most weight matrices are nearly partial isometries of rank k.

For a network of depth L with :math:`\mathrm{rank}\, Jf(x) = k`, put

.. math:: B = \|\theta\|^2 - kL - 2\log|Jf(x)|_+ .

There are semi-orthonormal :math:`U_\ell, V_\ell` with k columns such that
:math:`\sum_\ell \|W_\ell - U_\ell V_\ell^T\|_F^2 + \|b_\ell\|^2 \le B`. The least value of a layer is known,
:math:`\|W_\ell\|_F^2 + k - 2\sum_{i \le k} s_i(W_\ell) + \|b_\ell\|^2`, so that the theorem is checked without its
existential, for every slope in [-1, 1] of the activation. Hence fewer than pL layers exceed :math:`B/(pL)`: that is checked
with the layers in descending order, and is sharp where pL is an integer.

The bound says :math:`\log|Jf(x)|_+ \le \sum_\ell \sum_{i \le k} (s_i(W_\ell) - 1)`: the volume of the Jacobian is at most the
product of those of the layers, and :math:`\log s \le s - 1`. For k = 0 both sides are equal. The product formula of the
Jacobian is all that is used, so that the point need not be smooth.

The form of the main text, with one frame between neighbouring layers, is in `theorem_6_shared_frames`; the steps of the proof
are in `theorem_6_steps`.

Source: bottleneck_structure, Theorem 15.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, Networks, Relation, Source, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, compare, is_exact, maximum, minimum, rationals
from verify.matrices import frobenius_norm_squared, log_pseudo_determinant, rank, singular_values
from verify.networks import FullyConnected


def jacobian_rank(network: FullyConnected, x: Array) -> Array:
    """The k of the theorem, batch-shaped."""
    return rank(network.jacobian(x))


def sum_of_largest(values: Array, count: Array) -> Array:
    """Sum of the first `count` of the descending `values`, shapes ``(..., n)`` and ``(...)``."""
    return np.asarray(np.where(np.arange(values.shape[-1]) < count[..., None], values, 0).sum(axis=-1))


def distances_to_isometries(network: FullyConnected, k: Array) -> Array:
    r"""Least :math:`\|W_\ell - UV^T\|_F^2 + \|b_\ell\|^2` over U and V with k orthonormal columns, shape ``(..., L)``."""
    costs = [
        frobenius_norm_squared(weight) + k - 2 * sum_of_largest(singular_values(weight), k) + (bias * bias).sum(axis=-1)
        for weight, bias in zip(network.weights, network.biases, strict=True)
    ]
    return np.stack(costs, axis=-1)


def budget(network: FullyConnected, x: Array, k: Array, log_factor: int = 200) -> tuple[Array, Array]:
    """The bound B, and the size of what is subtracted in it; the factor of the logarithm is given in hundredths."""
    norm, volume = network.parameter_norm_squared, log_pseudo_determinant(network.jacobian(x))
    return norm - k * network.depth - log_factor * volume / 100, norm + k * network.depth + maximum(volume, -volume)


def weights_are_nearly_isometries(
    network: FullyConnected, x: Array, log_factor: int = 200, percent: int = 100, more_rank: int = 0, biases: bool = True
) -> Relation:
    """Both sides of the theorem, with the best frames of every layer."""
    k = jacobian_rank(network, x)
    bound, size = budget(network, x, k, log_factor)
    if not biases:
        bound = bound - (network.parameter_norm_squared - network.weight_norm_squared)
    left = distances_to_isometries(network, k).sum(axis=-1)
    return le(left, percent * (bound - more_rank * network.depth) / 100, scale=size)


def share(depth: int, layers: Array, part: Array) -> Array:
    """A p in [0, 1]: pL is `layers` minus the positive part of `part`, an integer as often as not; there the bound is sharp."""
    # 0 * part keeps the arithmetic: the larger of a rational and 0 may be the integer
    return np.asarray((0 * part + minimum(layers, depth) - maximum(part, 0)) / depth)


def descending(values: Array) -> Array:
    """The entries of the last axis in descending order; balls that overlap are ordered by enclosures."""
    if not is_exact(values):
        return np.asarray(-np.sort(-values, axis=-1))
    entries = [values[..., place] for place in range(values.shape[-1])]
    for last in range(len(entries) - 1, 0, -1):
        for place in range(last):
            pair = entries[place], entries[place + 1]
            entries[place], entries[place + 1] = maximum(*pair), minimum(*pair)
    return np.stack(entries, axis=-1)


def few_bad_layers(
    network: FullyConnected, x: Array, p: Array, fewer: int = 0, percent: int = 100, share: bool = True
) -> Relation:
    r"""The j-th largest layer is at most :math:`B/(pL)` for every :math:`j \ge pL`: fewer than pL layers exceed it.

    `fewer` layers less are allowed, at `percent` of the bound, or at :math:`B/L` for ``share=False`` in false neighbours.
    """
    k, depth = jacobian_rank(network, x), network.depth
    bound, size = budget(network, x, k)
    ordered = descending(distances_to_isometries(network, k))
    counted = compare(np.arange(1, depth + 1) + fewer, (p * depth)[..., None]) >= 0
    weighted = (p if share else 1 + 0 * p)[..., None] * depth * ordered
    return le(np.where(counted, weighted, 0), percent * bound[..., None] / 100, scale=size[..., None], over=1)


def has_nonzero_derivative(network: FullyConnected, x: Array) -> npt.NDArray[np.bool_]:
    """Whether the Jacobian has a positive rank, at a point where no hidden neuron is at its kink.

    Of a neuron that is constantly zero near the point, as dead neurons are, the derivative is 0 on both sides.
    """
    smooth = np.asarray(jacobian_rank(network, x) > 0)
    for layer, values in enumerate(network.preactivations(x)[:-1], start=1):
        constant = (compare(network.jacobian_to_layer(layer, x), 0) == 0).all(axis=-1)
        smooth = smooth & ((compare(values, 0) != 0) | constant).all(axis=-1)
    return smooth


def slope_between(lower: int, upper: int, network: FullyConnected) -> npt.NDArray[np.bool_]:
    """Whether the slope of the activation for negative arguments lies in a closed interval."""
    slope = network.activation.negative
    return np.asarray((compare(slope, lower) >= 0) & (compare(slope, upper) <= 0))


def around_identity(network: FullyConnected, kind: Array) -> FullyConnected:
    """The network itself (0); with the identity added to every weight matrix (1); the identity, with a bias at the end (2)."""
    identity, free = minimum(kind, 1), minimum(2 - kind, 1)
    weights = [
        free[..., None, None] * weight + identity[..., None, None] * np.eye(*weight.shape[-2:], dtype=np.int64)
        for weight in network.weights
    ]
    biases = [*(free[..., None] * bias for bias in network.biases[:-1]), network.biases[-1]]
    return FullyConnected(weights, biases, network.activation)


def one_short_side() -> dict[str, Any]:
    r""":math:`W_1 = \mathrm{diag}(1, d)`, :math:`W_2 = (1, 0)`: both sides are :math:`d^2` for :math:`d \le 1`."""
    weights = [rationals([[[1, 0], [0, "1/2"]]]), rationals([[[1, 0]]])]
    return {"network": FullyConnected(weights), "x": rationals([[1, 1]])}


WIDTHS = range(1, 5)
SIZES = {"depth": range(2, 7), "inputs": WIDTHS, "width": WIDTHS, "outputs": WIDTHS}
NETWORKS = Networks(slope=(-2, 2))
AT_A_POINT = {"network": derived(around_identity, network=NETWORKS, kind=integers(0, 1)), "x": reals("inputs")}
# identities with one bias make the bound on the number of layers sharp
WITH_A_SHARE = {
    "network": derived(around_identity, network=NETWORKS, kind=integers(0, 2)),
    "x": reals("inputs"),
    "p": derived(share, layers=integers(1, 6), part=interval(-1, 1)),
}
HYPOTHESES: dict[str, Callable[..., Any]] = {
    "f has a derivative at x that is not zero": has_nonzero_derivative,
    "the slope is between -1 and 1": partial(slope_between, -1, 1),
}
NEEDED = ("the slope is between -1 and 1",)
SOURCE = Source("bottleneck_structure", "Theorem 15")

CLAIM = Claim(
    id="bottleneck_structure.theorem_6",
    title="Most weight matrices are nearly partial isometries of rank k",
    source=SOURCE,
    statement=weights_are_nearly_isometries,
    domain=Domain(AT_A_POINT, SIZES, HYPOTHESES),
    needs=NEEDED,
    tight={"one short side": Tight(one_short_side)},
    false_neighbours={
        "99 percent of B": partial(weights_are_nearly_isometries, percent=99),
        "2.02 log": partial(weights_are_nearly_isometries, log_factor=202),
        "1.98 log": partial(weights_are_nearly_isometries, log_factor=198),
        "no log": partial(weights_are_nearly_isometries, log_factor=0),
        "k + 1 in B": partial(weights_are_nearly_isometries, more_rank=1),
        "biases not in B": partial(weights_are_nearly_isometries, biases=False),
    },
)

BAD_LAYERS = Claim(
    id="bottleneck_structure.theorem_6.bad_layers",
    title="Fewer than pL layers exceed B/(pL)",
    source=SOURCE,
    statement=few_bad_layers,
    domain=Domain(WITH_A_SHARE, SIZES, HYPOTHESES),
    needs=NEEDED,
    tight={"one short side": Tight(lambda: {**one_short_side(), "p": rationals(["1/2"])})},
    false_neighbours={
        "fewer than pL - 1 layers": partial(few_bad_layers, fewer=1),
        "99 percent of the bound": partial(few_bad_layers, percent=99),
        "bound B/L": partial(few_bad_layers, share=False),
    },
)
