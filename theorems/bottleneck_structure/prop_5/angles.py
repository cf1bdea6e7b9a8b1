r"""Proposition 5, "only if": two tangent spaces cost the angles between them.

Statement
    For k-dimensional tangent spaces at x and y with the principal angles :math:`\theta_i`,

    .. math:: R^{(1)}(id; \Omega) \ge \sum_i \log(1 + \sin\theta_i) .
Checked
    The steps. For every network, k-dimensional T and point x where Jf keeps the dimension of :math:`A = J\alpha_{L-1}(x)P_T`,

    .. math:: \|\theta\|^2 \ge \|W_L\|_F^2 + k(L - 1) + 2\log|A|_+ , \qquad |A|_+ \ge |W_L^+ W_L A|_+ ,

    so that for a network that is the identity on :math:`\Omega`, with :math:`M = W_LW_L^T` and orthonormal bases :math:`T_z` of
    both tangent spaces, :math:`\|\theta\|^2 \ge \mathrm{Tr}\,M + k(L - 1) + \max_z \log\det(T_z^T M^{-1} T_z)`. And for every
    positive definite M,

    .. math:: \mathrm{Tr}\,M + \max_z \log\det(T_z^T M^{-1} T_z) \ge k + \sum_i \log(1 + \sin\theta_i) .

    The whole for networks that are the identity on two rays (``.broken_line``), where k = 1.
Proof idea
    In the plane of a pair of principal vectors the maximum is least at :math:`M = \mathrm{diag}(\cos\frac\theta2,
    \sin\frac\theta2)/(\cos\frac\theta2 + \sin\frac\theta2)` along the bisectors, where it is
    :math:`1 + \log(1 + \sin\theta)`.
Sharp
    That M. For networks nothing is known to attain it.
Source
    bottleneck_structure, Proposition 12, proof; the least value over M is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.frames import projection_to_image, sines_of_angles
from theorems.bottleneck_structure.constructions.near_isometries import around_identity
from theorems.bottleneck_structure.constructions.points import slope_between
from theorems.bottleneck_structure.theorem_3.linear_maps import legs
from theorems.notion_of_rank.constructions.arrays import transpose
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, ge, integers, interval, le, reals
from verify.arithmetic import Array, compare, log, maximum, rationals
from verify.matrices import (
    determinant,
    frobenius_norm_squared,
    inverse,
    log_pseudo_determinant,
    pseudo_inverse,
    rank,
)
from verify.networks import FullyConnected


def log_volume(matrix: Array, basis: Array) -> Array:
    """Log det of the restriction of the inverse of `matrix` to the span of `basis`."""
    seen = transpose(basis) @ inverse(matrix) @ basis
    return np.asarray(log(determinant(seen) / determinant(transpose(basis) @ basis)))


def angles(first: Array, second: Array) -> Array:
    """The sum of log(1 + sin) over the principal angles."""
    return np.asarray(log(1 + sines_of_angles(first, second)).sum(axis=-1))


def square(root: Array) -> Array:
    """The matrix M."""
    return np.asarray(transpose(root) @ root)


def trace(matrix: Array) -> Array:
    """Sum of the diagonal."""
    return np.asarray(np.diagonal(matrix, axis1=-2, axis2=-1).sum(axis=-1))


def two_spaces_cost_their_angles(matrix: Array, first: Array, second: Array) -> Relation:
    """Both sides of the inequality for M."""
    larger = maximum(log_volume(matrix, first), log_volume(matrix, second))
    return ge(trace(matrix) + larger, first.shape[-1] + angles(first, second))


def are_bases(matrix: Array, first: Array, second: Array) -> Array:
    """Whether M is invertible, and the columns are independent."""
    k, n = first.shape[-2:][1], matrix.shape[-1]
    return np.asarray((rank(matrix) == n) & (rank(first) == k) & (rank(second) == k))


def last_representation(network: FullyConnected, x: Array, tangent: Array) -> Array:
    """Jacobian of the last hidden layer, times the projection to the columns of `tangent`."""
    slopes_there = network.activation.derivative(network.preactivations(x)[-2])
    return np.asarray(slopes_there[..., None] * network.jacobian_to_layer(network.depth - 1, x) @ projection_to_image(tangent))


def last_layer_and_volume(network: FullyConnected, x: Array, tangent: Array) -> Relation:
    """The cost of the other layers, and the volume that the last one leaves."""
    seen, last = last_representation(network, x, tangent), network.weights[-1]
    others = rank(seen) * (network.depth - 1) + 2 * log_pseudo_determinant(seen)
    left = log_pseudo_determinant(pseudo_inverse(last) @ last @ seen)
    return ge(network.weight_norm_squared, frobenius_norm_squared(last) + others, name="cost") & ge(
        log_pseudo_determinant(seen), left, name="volume"
    )


def last_layer_keeps_the_rank(network: FullyConnected, x: Array, tangent: Array) -> Array:
    """Whether the last layer maps the image of the tangent space injectively."""
    seen = last_representation(network, x, tangent)
    return np.asarray(rank(network.weights[-1] @ seen) == rank(seen))


def on_two_rays(depth: int, shift: Array, directions: Array) -> tuple[FullyConnected, Array]:
    """The network that is the identity on the segments from 0 to two vectors of the plane, and the vectors, as columns."""
    plane, spread = legs(depth, shift), inverse(directions)
    weights = [plane.weights[0] @ spread, *plane.weights[1:-1], directions @ plane.weights[-1]]
    return FullyConnected(weights, plane.biases), directions


def broken_line_costs_its_angle(instance: tuple[FullyConnected, Array]) -> Relation:
    """The norm of the network against the angle of the two rays."""
    network, directions = instance
    least = network.depth + angles(directions[..., :1], directions[..., 1:])
    differs = (compare(network(directions[..., 0]), directions[..., 0]) != 0).any(axis=-1)
    return ge(network.parameter_norm_squared, np.where(differs, 0 * least, least))


# False variants


def sines_without_one(matrix: Array, first: Array, second: Array) -> Relation:
    """log(1 + 2 sin) in place of log(1 + sin)."""
    larger = maximum(log_volume(matrix, first), log_volume(matrix, second))
    bound = log(1 + 2 * sines_of_angles(first, second)).sum(axis=-1)
    return ge(trace(matrix) + larger, first.shape[-1] + bound)


def mean_of_both(matrix: Array, first: Array, second: Array) -> Relation:
    """One of both spaces in place of the maximum."""
    return ge(trace(matrix) + log_volume(matrix, first), first.shape[-1] + angles(first, second))


def volume_without_projection(network: FullyConnected, x: Array, tangent: Array) -> Relation:
    """The volume of the pseudo-inverse as a factor."""
    seen, last = last_representation(network, x, tangent), network.weights[-1]
    return ge(log_pseudo_determinant(seen), log_pseudo_determinant(last) + log_pseudo_determinant(last @ seen))


def all_layers(network: FullyConnected, x: Array, tangent: Array) -> Relation:
    """KL in place of k(L - 1)."""
    seen, last = last_representation(network, x, tangent), network.weights[-1]
    others = rank(seen) * network.depth + 2 * log_pseudo_determinant(seen)
    return ge(network.weight_norm_squared, frobenius_norm_squared(last) + others)


def planar(instance: tuple[FullyConnected, Array]) -> Relation:
    """As if the broken line were free."""
    network, directions = instance
    return le(network.parameter_norm_squared, network.depth + 0 * directions[..., 0, 0])


def rank_two(instance: tuple[FullyConnected, Array]) -> Relation:
    """As if it cost its span."""
    network, directions = instance
    return ge(network.parameter_norm_squared, 2 * network.depth + 0 * directions[..., 0, 0])


def best_matrix() -> dict[str, Any]:
    """The best M for two lines with cosine 4/5 and sine 3/5 of half the angle."""
    return {
        "matrix": rationals([["4/7", 0], [0, "3/7"]]),
        "first": rationals([[4], [3]]),
        "second": rationals([[4], [-3]]),
    }


def two_pairs() -> dict[str, Any]:
    """Two of them in four dimensions."""
    matrix = np.diag(rationals(["4/7", "3/7", "12/17", "5/17"]))
    first, second = (rationals([[4, 0], [3 * sign, 0], [0, 12], [0, 5 * sign]]) for sign in (1, -1))
    return {"matrix": matrix, "first": first, "second": second}


def identities() -> dict[str, Any]:
    """Three identities of the plane."""
    layer = rationals([[[1, 0], [0, 1]]])
    return {"network": FullyConnected([layer] * 3), "x": rationals([[1, 1]]), "tangent": rationals([[[3, 1], [0, 1]]])}


def nearly_identities() -> dict[str, Any]:
    """Six layers, all but the last of which stretch by a ten-thousandth: the volume is not 1, and the means nearly agree."""
    layers = [rationals([[[stretch, 0], [0, stretch]]]) for stretch in ["10001/10000"] * 5 + [1]]
    return {"network": FullyConnected(layers), "x": rationals([[1, 1]]), "tangent": rationals([[[3, 1], [0, 1]]])}


SOURCE = Source("bottleneck_structure", "Proposition 12, proof")
OURS = Source("bottleneck_structure", "ours")
BASES = {"M is invertible and the columns are independent": are_bases}
KEPT = {"the last layer keeps the rank": last_layer_keeps_the_rank}
SLOPES = {"the slope is between -1 and 1": partial(slope_between, -1, 1)}

ANGLES = Claim(
    id="bottleneck_structure.prop_5.angles",
    title="Two tangent spaces cost the logarithms of 1 and the sines of their angles",
    source=OURS,
    status=Ours(),
    statement=two_spaces_cost_their_angles,
    domain=Domain(
        {
            "matrix": derived(square, root=reals("dimension", "dimension")),
            "first": reals("dimension", "k"),
            "second": reals("dimension", "k"),
        },
        {"dimension": (1, 2, 3, 4), "k": (1, 2)},
        BASES,
        lambda sizes: sizes["k"] <= sizes["dimension"],
    ),
    tight={"the best matrix": Tight(best_matrix), "two pairs": Tight(two_pairs)},
    false_neighbours={"log(1 + 2 sin)": sines_without_one, "one of both spaces": mean_of_both},
)

LAST_LAYER = Claim(
    id="bottleneck_structure.prop_5.last_layer",
    title="The last layer and the volume of the last representation bound the cost",
    source=SOURCE,
    statement=last_layer_and_volume,
    domain=Domain(
        {
            "network": derived(around_identity, network=Networks(slope=(-2, 2)), kind=integers(0, 2)),
            "x": reals("inputs"),
            "tangent": reals("inputs", "k"),
        },
        {"depth": (2, 3, 6), "inputs": (2, 3), "width": (2, 4), "outputs": (1, 2, 3), "k": (1, 2)},
        {**KEPT, **SLOPES},
    ),
    needs=(*KEPT, *SLOPES),
    tight={
        "identities": Tight(identities),
        "nearly identities": Tight(
            nearly_identities, relative_slack=2e-8, why="the logarithm is below its tangent by a square", of=("cost",)
        ),
    },
    cost=3,
    false_neighbours={"the volume as a factor": volume_without_projection, "kL": all_layers},
)

BROKEN = Claim(
    id="bottleneck_structure.prop_5.broken_line",
    title="The identity of a broken line costs its angle",
    source=OURS,
    status=Ours(),
    statement=broken_line_costs_its_angle,
    domain=Domain(
        {"instance": derived(on_two_rays, shift=interval(1, 2), directions=reals(2, 2))},
        {"depth": (3, 4, 6, 13)},
        {"the rays are independent": lambda instance: rank(instance[1]) == 2},
    ),
    loose={"": "the networks that we know cost much more"},
    false_neighbours={"as if it were free": planar, "as if it cost its span": rank_two},
)
