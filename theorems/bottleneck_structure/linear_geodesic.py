r"""A linear network of least norm moves along a straight line in log space.

Statement
    Where the norm is the least for the product A, the kernels of the layers are

    .. math:: \Sigma_\ell(x, y) = \alpha_\ell(x)^T\alpha_\ell(y) = x^T(A^TA)^{\ell/L}y .

    The limit for :math:`\ell/L \to p` is :math:`K_p = (A^TA)^p`. The map to it and the map from it share the corrections of A:
    :math:`R^{(1)}` in the proportions p and 1 - p, :math:`R^{(2)}` in the proportions :math:`p^2` and :math:`(1-p)^2`.
Checked
    :math:`\Sigma_\ell^L = (A^TA)^\ell`, which determines the positive semi-definite :math:`\Sigma_\ell`, for every layer from 0
    to L; the power 0 is the identity there. Where A is not injective and the power is taken of the non-zero eigenvalues only,
    the formula fails at the input: :math:`(A^TA)^0` would be a projection. For :math:`R^{(2)}` (``.second_correction``), for
    all invertible matrices M and N, and p in (0, 1),

    .. math:: R^{(2)}(NM) \le \frac{R^{(2)}(M)}p + \frac{R^{(2)}(N)}{1 - p} ,

    so that no other representation shares :math:`R^{(2)}` better. That :math:`R^{(1)}` adds up is ``geodesic_limits``.
Proof idea
    Layers of least norm are balanced, so that the Gram of :math:`W_\ell\cdots W_1` is a power of that of the first layer.
    :math:`\sqrt{2R^{(2)}(A)}` is the distance of I and :math:`A^TA` in the affine-invariant metric.
Sharp
    The shares p and 1 - p of one matrix.
Source
    bottleneck_structure, talk, representation geodesics; Section 3.2. The inequality is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.corrections import gram, second_correction
from theorems.bottleneck_structure.constructions.linear_networks import LEAST, LINEAR, SIZES, has_room, partial_products
from theorems.notion_of_rank.constructions.balanced import plane_rotations, rotated, rotation
from verify import Claim, Domain, Ours, Q, Relation, Sizes, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, rationals
from verify.networks import FullyConnected


def kernels(network: FullyConnected) -> Array:
    r""":math:`\Sigma_\ell` for :math:`0 \le \ell \le L` as matrices, shape ``(..., L + 1, n_0, n_0)``."""
    start = 0 * gram(network.weights[0]) + np.eye(network.widths[0], dtype=np.int64)
    return np.stack([start, *map(gram, partial_products(network))], axis=-3)


def to_the_power(matrix: Array, exponent: int) -> Array:
    """A power of square matrices, by multiplication."""
    result = 0 * matrix + np.eye(matrix.shape[-1], dtype=np.int64)
    for _ in range(exponent):
        result = result @ matrix
    return result


def powers_of_the_gram(network: FullyConnected) -> Relation:
    r""":math:`\Sigma_\ell^L = \Sigma_L^\ell`."""
    found = kernels(network)
    powers = [to_the_power(found[..., -1, :, :], layer) for layer in range(network.depth + 1)]
    return eq(to_the_power(found, network.depth), np.stack(powers, axis=-3), over=3)


def shares_of_the_second_correction(first: Array, second: Array, share: Array) -> Relation:
    """The second correction of a product, and of its factors."""
    parts = second_correction(first) / share + second_correction(second) / (1 - share)
    return le(second_correction(second @ first), parts)


# False variants


def straight_line(network: FullyConnected) -> Relation:
    """A straight line of kernels, without the logarithm."""
    found, depth = kernels(network), network.depth
    shares = np.arange(depth + 1)[:, None, None]
    return eq(depth * found, (depth - shares) * found[..., :1, :, :] + shares * found[..., -1:, :, :], over=3)


def two_steps_at_first(network: FullyConnected) -> Relation:
    """The first kernel as a power of the last to the exponent 2/L."""
    found = kernels(network)
    return eq(to_the_power(found[..., 1, :, :], network.depth), to_the_power(found[..., -1, :, :], 2), over=2)


def half_of_the_parts(first: Array, second: Array, share: Array) -> Relation:
    """As if the second correction added up."""
    return le(second_correction(second @ first), second_correction(first) + second_correction(second) + 0 * share)


def shares_exchanged(first: Array, second: Array, share: Array) -> Relation:
    """The shares p and 1 - p in the other order, multiplied by the parts."""
    parts = second_correction(first) / share**2 * (1 - share) + second_correction(second) / (1 - share)
    return le(second_correction(second @ first), parts)


# Sharp instances


def powers_of_one_matrix(before: int, after: int) -> dict[str, Any]:
    """Powers of one matrix with the singular values 2 and 1/3."""
    frame, values = rotation(rationals(["1/2"])), rationals([2, "1/3"])
    matrix, length = rotated(frame, values, frame), before + after
    parts = {"first": to_the_power(matrix, before), "second": to_the_power(matrix, after)}
    return {**parts, "share": rationals(before) / length}


def price(sizes: Sizes) -> int:
    """The powers of all layers; deep networks have long numbers."""
    return sizes["depth"] ** 2


FRAME = derived(rotation, chart=reals(plane_rotations("dimension")))
INVERTIBLE = derived(rotated, left=FRAME, values=interval(Q("1/8"), 8, "dimension"), right=FRAME)

CLAIM = Claim(
    id="bottleneck_structure.linear_geodesic",
    title="The kernels of a linear network of least norm are powers of the last",
    source=Source("bottleneck_structure", "Talk, representation geodesics"),
    statement=powers_of_the_gram,
    domain=Domain({"network": LINEAR}, SIZES, LEAST, sizes_where=has_room),
    needs=tuple(LEAST),
    cost=price,
    false_neighbours={"a straight line of kernels": straight_line, "the exponent 2/L at the first layer": two_steps_at_first},
)

SECOND = Claim(
    id="bottleneck_structure.linear_geodesic.second_correction",
    title="The second correction of a product is at most that of its factors by their shares",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=shares_of_the_second_correction,
    domain=Domain(
        {"first": INVERTIBLE, "second": INVERTIBLE, "share": interval(Q("1/16"), Q("15/16"))}, {"dimension": range(1, 4)}
    ),
    tight={
        "halves": Tight(partial(powers_of_one_matrix, 1, 1)),
        "a third and two thirds": Tight(partial(powers_of_one_matrix, 1, 2)),
    },
    false_neighbours={"the parts add up": half_of_the_parts, "shares exchanged": shares_exchanged},
)
