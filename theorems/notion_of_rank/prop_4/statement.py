r"""Proposition 4: in a deep network of small norm, some hidden representation is nearly of rank one.

Statement
    The slides: for a global minimiser of norm L + C there is a hidden layer whose representation has
    :math:`s_2 / s_1 = O(L^{-1/4})`.
Correction
    Here for representations without their means, for all networks and in numbers. Let :math:`Z_\ell` hold the activations of N
    data in layer l as columns, :math:`Z_0 = X`, :math:`Z_L = F`, and let a c mark that the mean over the data is taken off. For
    an activation with slopes of at most 1 and outputs that are not all equal

    .. math:: \sum_{\ell=0}^{L-1} \log \frac{\|Z^c_\ell\|_F^2}{s_1(Z^c_\ell)^2} \le C' :=
              \sum_{\ell=1}^L \|W_\ell\|_F^2 - L + \log \frac{\|X^c\|_F^2}{\|F^c\|_F^2} ,
              \qquad
              \min_{1 \le \ell \le L-1} \frac{s_2(Z^c_\ell)^2}{s_1(Z^c_\ell)^2}
              \le \exp \frac{C' - \log (\|X^c\|_F^2 / s_1(X^c)^2)}{L-1} - 1 .

    For networks of norm L + C, in particular global minimisers (Proposition 2), C' is bounded, so that in some hidden layer
    :math:`s_2 / s_1 = O(L^{-1/2})`: more than the slides' rate, but without the means. With the means see ``uncentred``; that
    the exponent 1/2 is the best, ``exponent``.
Checked
    Both inequalities. What each layer contributes is the subject of ``layers``.
Proof idea
    :math:`\|Z^c_\ell\|_F \le \|W_\ell Z^c_{\ell-1}\|_F \le \|W_\ell\|_F \, s_1(Z^c_{\ell-1})` and :math:`t e^{1-t} \le 1`.
Sharp
    Data with equal singular values, and isometries of Frobenius norm 1 in every layer; in the plane for the second inequality.
Not checked
    The slides' sentence on representations with their means at global minimisers is open: their norm alone does not give it
    (``witnesses``).
Source
    notion_of_rank, Proposition 4; the inequality for centred representations is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.activations import SLOPES, has_slopes_at_most_one
from theorems.notion_of_rank.constructions.arrays import squares
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, interval, le, reals
from verify.arithmetic import Array, compare, exp, is_exact, largest, log, rationals, smallest, sqrt
from verify.matrices import frobenius_norm_squared, operator_norm, rank, singular_values
from verify.networks import FullyConnected


def representations(network: FullyConnected, points: Array) -> list[Array]:
    r""":math:`Z_0^T, \ldots, Z_L^T`, shapes ``(..., N, n_l)``, for data ``(..., N, n_0)``: data, activations, outputs."""
    moved = np.moveaxis(points, -2, 0)
    *hidden, outputs = network.preactivations(moved)
    return [points, *(np.moveaxis(one, 0, -2) for one in (*map(network.activation, hidden), outputs))]


def centred(rows: Array) -> Array:
    """The rows minus their mean."""
    return np.asarray(rows - rows.sum(axis=-2)[..., None, :] / rows.shape[-2])


def log_stable_rank(rows: Array) -> Array:
    """Logarithm of the stable rank."""
    return log(frobenius_norm_squared(rows) / squared_operator_norm(rows))


def squared_operator_norm(matrix: Array) -> Array:
    """Square of the largest singular value; rational for rationals of rank one."""
    found = operator_norm(matrix) ** 2
    if not is_exact(matrix):
        return np.asarray(found)
    return np.where(compare(rank(matrix), 1) <= 0, frobenius_norm_squared(matrix), found)


def total_energy(network: FullyConnected, values: list[Array]) -> Array:
    """C' from the representations, centred or not."""
    ratio = squares(values[0], (-2, -1)) / squares(values[-1], (-2, -1))
    return np.asarray(network.weight_norm_squared - network.depth + log(ratio))


def squared_ratios(values: list[Array]) -> Array:
    """Squared ratios of the second to the first singular value of hidden representations, shape ``(..., L - 1)``."""
    return np.stack([squared_ratio(rows) for rows in values[1:-1]], axis=-1)


def squared_ratio(rows: Array) -> Array:
    """Squared ratio of the second to the first singular value; 0 for a matrix of one row or column."""
    if min(rows.shape[-2:]) < 2:
        return 0 * squares(rows, (-2, -1))
    values = singular_values(rows)
    return np.asarray((values[..., 1] / values[..., 0]) ** 2)


def nearly_rank_one(network: FullyConnected, points: Array) -> Relation:
    """The sum over all layers, and the smallest ratio of a hidden layer."""
    return bounds(network, [centred(rows) for rows in representations(network, points)])


def bounds(network: FullyConnected, values: list[Array]) -> Relation:
    """Both inequalities for these representations, arranged such that no side is near zero."""
    ranks, total = [log_stable_rank(rows) for rows in values[:-1]], total_energy(network, values)
    share = (total - ranks[0]) / (network.depth - 1)
    weights = network.weight_norm_squared
    return le(sum(ranks) + weights - total, weights, name="sum") & le(
        1 + smallest(squared_ratios(values)), exp(share), name="one layer"
    )


def outputs_differ(network: FullyConnected, points: Array) -> Array:
    """Whether the outputs are not all equal, nor equal but for rounding errors."""
    spread = squares(centred(representations(network, points)[-1]), (-2, -1))
    return np.asarray(compare(spread, 0 if network.is_exact else 2.0**-80 * reach(network, points)[-1]) == 1)


def reach(network: FullyConnected, points: Array) -> list[Array]:
    """Bounds of the squared norms of the representations: what their rounding errors are proportional to."""
    sizes = [squares(points, (-2, -1))]
    for weight, bias in zip(network.weights, network.biases, strict=True):
        sizes.append(2 * squares(weight, (-2, -1)) * sizes[-1] + 2 * points.shape[-2] * squares(bias))
    return sizes


# False variants


def with_the_means(network: FullyConnected, points: Array) -> Relation:
    """Both inequalities for the representations with their means, in spite of the biases."""
    return bounds(network, representations(network, points))


def every_layer(network: FullyConnected, points: Array) -> Relation:
    """The second inequality for the largest ratio of a hidden layer."""
    values = [centred(rows) for rows in representations(network, points)]
    share = (total_energy(network, values) - log_stable_rank(values[0])) / (network.depth - 1)
    return le(largest(squared_ratios(values)), exp(share) - 1)


def ratio_itself(network: FullyConnected, points: Array) -> Relation:
    """The second inequality for the ratio in place of its square: the rate 1 / L."""
    values = [centred(rows) for rows in representations(network, points)]
    share = (total_energy(network, values) - log_stable_rank(values[0])) / (network.depth - 1)
    return le(sqrt(smallest(squared_ratios(values))), exp(share) - 1)


def without_the_change_of_norm(network: FullyConnected, points: Array) -> Relation:
    """The sum with the norm of the weights alone."""
    values = [centred(rows) for rows in representations(network, points)]
    return le(sum(log_stable_rank(rows) for rows in values[:-1]), network.weight_norm_squared - network.depth)


def stable_ranks_less_one(network: FullyConnected, points: Array) -> Relation:
    """That the stable ranks minus one, more than their logarithms, have the sum C' at most."""
    values = [centred(rows) for rows in representations(network, points)]
    ranks = sum(frobenius_norm_squared(rows) / squared_operator_norm(rows) - 1 for rows in values[:-1])
    return le(ranks, total_energy(network, values))


# Symbols, and tight examples

ISOTROPIC_WEIGHTS = {
    2: rationals([[1, 1], [1, -1]]) / 2,
    4: rationals([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]) / 4,
}
"""By the dimension, a multiple of an orthogonal matrix, of Frobenius norm 1."""


def isotropic_network(dimension: int, depth: int) -> dict[str, Any]:
    """`ISOTROPIC_WEIGHTS` in every layer, and data with equal singular values: equality in all layers."""
    points = rationals(np.vstack([np.eye(dimension, dtype=int), -np.eye(dimension, dtype=int)]))
    # biases keep the hidden values positive
    biases = [rationals([1] * dimension)] * depth
    return {"network": FullyConnected([ISOTROPIC_WEIGHTS[dimension]] * depth, biases), "points": points}


def chain_on_a_line(weight: str, depth: int) -> dict[str, Any]:
    """One neuron of this weight in every layer; for the weight 1, C' is zero."""
    return {"network": FullyConnected([rationals([[weight]])] * depth), "points": rationals([[0], [1], [3]])}


def near_a_line(network: FullyConnected, distance: Array, nearness: Array) -> FullyConnected:
    """The network, in whose layers one neuron passes on the first one all the more, the smaller their `distance` is.

    All distances are multiplied by `nearness`.
    """
    weights = []
    for layer, weight in enumerate(network.weights):
        passes_on = 0 * weight
        passes_on[..., 0, 0] = passes_on[..., 0, 0] + 1
        share = (nearness[..., None, None] * distance[..., layer, None, None]) ** 2
        weights.append((1 - share) * passes_on + share * weight)
    return FullyConnected(weights, network.biases, network.activation)


NETWORKS = derived(
    near_a_line, network=Networks(slope=(-2, 2)), distance=interval(0, 1, "depth"), nearness=interval(0, 1), role="network"
)

VARIABLES = {"network": NETWORKS, "points": reals("points", "inputs", role="points")}

LENGTHS = {"inputs": (1, 2, 3), "width": (2, 3), "outputs": (1, 2), "points": (2, 3, 4)}

HYPOTHESES: Mapping[str, Callable[..., Any]] = {SLOPES: has_slopes_at_most_one, "the outputs are not all equal": outputs_differ}

SOURCE = Source("notion_of_rank", "Proposition 4")

OURS = Source("notion_of_rank", "ours")

CLAIM = Claim(
    id="notion_of_rank.prop_4",
    title="Some hidden representation without its mean is nearly of rank one",
    source=SOURCE,
    status=Ours(),
    statement=nearly_rank_one,
    domain=Domain(VARIABLES, {"depth": (2, 3, 6, 14), **LENGTHS}, HYPOTHESES),
    needs=(SLOPES,),
    cost=2,
    tight={
        "isotropic in four dimensions": Tight(partial(isotropic_network, 4, 3), of=("sum",)),
        "isotropic in the plane, depth 2": Tight(partial(isotropic_network, 2, 2), of=("sum", "one layer")),
        "isotropic in the plane, depth 9": Tight(partial(isotropic_network, 2, 9), of=("sum", "one layer")),
    },
    false_variants={
        "with the means": with_the_means,
        "every hidden layer": every_layer,
        "the ratio itself, so that the rate is 1 / L": ratio_itself,
        "without the change of norm": without_the_change_of_norm,
        "stable ranks minus one": stable_ranks_less_one,
    },
)
