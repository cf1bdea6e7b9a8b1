r"""Steps of the proof of Theorem 6 (Theorem 15), with the chain of projections corrected.

*Singular values.* For all U and V with k orthonormal columns,
:math:`\|W - UV^T\|_F^2 \ge \sum_{i \le k} (s_i(W) - 1)^2 + \sum_{i > k} s_i(W)^2`, with equality for singular vectors: so k
singular values of most layers are near 1 and the others near 0.

*Scalar inequality.* :math:`\|A\|_F^2 - k - 2\log|A|_+ \ge \|A - UV^T\|_F^2` for :math:`A = USV^T` of rank k, because
:math:`s - 1 \ge \log s`.

*Chain.* Let :math:`E_0 = (\ker Jf)^\perp`, :math:`F_\ell = W_\ell E_{\ell-1}`, :math:`E_\ell = D_\ell F_\ell`, all of dimension
k. Then

.. math:: |Jf|_+ = \prod_\ell |W_\ell P_{E_{\ell-1}}|_+ \prod_\ell |D_\ell P_{F_\ell}|_+ ,

the last factors are at most 1 for slopes in [-1, 1], and the scalar inequality for :math:`A = W_\ell P_{E_{\ell-1}}` gives the
theorem, with the frames :math:`U_\ell, V_\ell` of these A. Indeed :math:`0 \le k - \|D_\ell P\|_F^2 \le -2\log|D_\ell P|_+`.

The printed proof projects from the left as well, to the images of :math:`J(\tilde\alpha_\ell \to f)^T` and
:math:`J(\alpha_\ell \to f)^T`, and uses the images of all of :math:`J\alpha_{\ell-1}`. That chain is false: it loses the cosine
of the angle between the two spaces twice at a hidden layer. For :math:`W_1 = (1, 2)^T` and :math:`W_2 = (1, 0)` it gives 1/5
in place of :math:`|Jf|_+ = 1`, and the frames of its factors give 5.1 where the theorem allows 4. With the frames above, the
theorem stands.

Source: bottleneck_structure, proof of Theorem 15; the corrected chain is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from theorems.bottleneck_structure.theorem_6 import (
    AT_A_POINT,
    HYPOTHESES,
    NEEDED,
    budget,
    has_nonzero_derivative,
    jacobian_rank,
    one_short_side,
)
from theorems.bottleneck_structure.theorem_6_shared_frames import projection_to_image, row_space, slope_inside
from verify import Claim, Domain, FalseAsPrinted, Networks, Ours, Relation, Source, Tight, derived, eq, ge, le, reals
from verify.arithmetic import Array, absolute, compare, floats, is_exact, rationals
from verify.matrices import (
    frobenius_norm_squared,
    log_pseudo_determinant,
    polar_factor,
    pseudo_determinant,
    pseudo_inverse,
    rank,
    singular_values,
)
from verify.networks import FullyConnected


def reflected_frame(mirrors: Array) -> Array:
    """First k unit vectors after k reflections, shape ``(..., k, m) -> (..., m, k)``; every frame is reached, rationally.

    A mirror of length zero does not reflect.
    """
    count, length = mirrors.shape[-2:]
    frame: Array = np.eye(length, count, dtype=np.int64) + 0 * mirrors[..., :1, 0, None]
    for place in range(count):
        normal = mirrors[..., place, :]
        square = (normal * normal).sum(axis=-1)
        scaled = normal / np.where(compare(square, 0) == 0, 1, square)[..., None]
        frame = frame - 2 * scaled[..., :, None] * (normal[..., None, :] @ frame)
    return frame


def singular_values_are_near(
    weight: Array, left: Array, right: Array, ones: int = 0, tails: int = 1, percent: int = 100
) -> Relation:
    """The distance to a partial isometry against the singular values.

    In false neighbours `ones` more values are compared with 1, the others count `tails` times, or `percent` is not 100.
    """
    values = singular_values(weight)
    k = left.shape[-1]
    head = ((values[..., : k + ones] - 1) ** 2).sum(axis=-1)
    rest = (values[..., k + ones :] ** 2).sum(axis=-1)
    distance = frobenius_norm_squared(weight - left @ np.swapaxes(right, -1, -2))
    return le(percent * (head + tails * rest) / 100, distance, scale=frobenius_norm_squared(weight) + k)


def logarithm_is_less(left: Array, right: Array, log_factor: int = 200, more_rank: int = 0) -> Relation:
    """The scalar inequality for the product of two matrices; the factor of the logarithm is given in hundredths."""
    matrix = left @ right
    k, norm, volume = rank(matrix), frobenius_norm_squared(matrix), log_pseudo_determinant(matrix)
    distance = frobenius_norm_squared(matrix - polar_factor(matrix))
    return ge(norm - k - more_rank - log_factor * volume / 100, distance, scale=norm + k + absolute(volume))


def slopes_at(network: FullyConnected, x: Array) -> list[Array]:
    r"""Diagonals of :math:`D_1, \ldots, D_{L-1}` at a point."""
    return [network.activation.derivative(values) for values in network.preactivations(x)[:-1]]


Chain = tuple[list[Array], list[Array]]
"""Factors that hold the weight matrices, and factors that hold the slopes."""


def image_chain(network: FullyConnected, x: Array) -> Chain:
    r"""All :math:`W_\ell P_{E_{\ell-1}}`, and all :math:`D_\ell P_{F_\ell}` but the last, where :math:`D_L = I`."""
    columns, weights, slopes = row_space(network.jacobian(x)), [], []
    for weight, slope in zip(network.weights, [*slopes_at(network, x), None], strict=True):
        weights.append(weight @ projection_to_image(columns))
        columns = weight @ columns
        if slope is not None:
            slopes.append(slope[..., None] * projection_to_image(columns))
            columns = slope[..., None] * columns
    return weights, slopes


def whole_image_chain(network: FullyConnected, x: Array) -> Chain:
    r"""The same with the images of all of :math:`J\alpha_{\ell-1}` and :math:`J\tilde\alpha_\ell`."""
    weights, slopes = [network.weights[0]], []
    for layer, slope in enumerate(slopes_at(network, x), start=1):
        before = network.jacobian_to_layer(layer, x)
        slopes.append(slope[..., None] * _onto_image(before))
        weights.append(network.weights[layer] @ _onto_image(slope[..., None] * before))
    return weights, slopes


def printed_chain(network: FullyConnected, x: Array) -> Chain:
    r"""The factors of `whole_image_chain`, projected to the images of :math:`J(\tilde\alpha_\ell \to f)^T` and
    :math:`J(\alpha_\ell \to f)^T`.
    """
    weights, slopes = whole_image_chain(network, x)
    after = network.weights[-1]
    for layer in range(network.depth - 1, 0, -1):
        slope = slopes_at(network, x)[layer - 1]
        slopes[layer - 1] = _onto_image(np.swapaxes(after, -1, -2)) @ slopes[layer - 1]
        after = after * slope[..., None, :]
        weights[layer - 1] = _onto_image(np.swapaxes(after, -1, -2)) @ weights[layer - 1]
        after = after @ network.weights[layer - 1]
    return weights, slopes


def _onto_image(matrix: Array) -> Array:
    return np.asarray(matrix @ pseudo_inverse(matrix))


def squared_volume(matrix: Array) -> Array:
    """Square of the pseudo-determinant; rational for rationals."""
    if is_exact(matrix):
        return pseudo_determinant(np.swapaxes(matrix, -1, -2) @ matrix)
    return pseudo_determinant(matrix) ** 2


def spread(matrix: Array, k: Array) -> Array:
    """Ratio of the largest to the k-th singular value, in float64: how many rounding errors a volume has."""
    values = np.linalg.svd(floats(matrix), compute_uv=False)
    return np.asarray(values[..., 0] / np.take_along_axis(values, k[..., None] - 1, axis=-1)[..., 0])


def volume_is_product(
    network: FullyConnected, x: Array, chain: Callable[[FullyConnected, Array], Chain] = image_chain, kinks: bool = True
) -> Relation:
    """The square of the pseudo-determinant of the Jacobian against those of the factors."""
    weights, slopes = chain(network, x)
    factors, k = [*weights, *(slopes if kinks else [])], jacobian_rank(network, x)
    total = np.stack([squared_volume(factor) for factor in factors], axis=-1).prod(axis=-1)
    errors = np.stack([spread(factor, k) for factor in factors], axis=-1).prod(axis=-1)
    return eq(squared_volume(network.jacobian(x)), total, scale=floats(total) * errors)


def slopes_contract(network: FullyConnected, x: Array, log_factor: int = 200) -> Relation:
    """How much the slopes contract the spaces of the chain: by their norm, and more so by their volume."""
    k = jacobian_rank(network, x)[..., None]
    factors = image_chain(network, x)[1]
    loss = k - np.stack([frobenius_norm_squared(factor) for factor in factors], axis=-1)
    volumes = np.stack([log_pseudo_determinant(factor) for factor in factors], axis=-1)
    return ge(loss, 0, scale=k, over=1) & le(loss, -log_factor * volumes / 100, scale=k, over=1)


def frames_of_factors_are_near(
    network: FullyConnected, x: Array, chain: Callable[[FullyConnected, Array], Chain] = image_chain, percent: int = 100
) -> Relation:
    """The theorem with the frames of the factors, rather than the best ones."""
    bound, size = budget(network, x, jacobian_rank(network, x))
    left = network.parameter_norm_squared - network.weight_norm_squared
    for weight, factor in zip(network.weights, chain(network, x)[0], strict=True):
        left = left + frobenius_norm_squared(weight - polar_factor(factor))
    return le(left, percent * bound / 100, scale=size)


def unequal_singular_values() -> dict[str, Any]:
    """A diagonal matrix and its first singular vectors."""
    first = rationals([[[1], [0]]])
    return {"weight": rationals([[[3, 0], [0, "1/2"]]]), "left": first, "right": first}


def permutation() -> dict[str, Any]:
    """A partial isometry: both sides are 0."""
    return {"left": rationals([[[0, 1], [1, 0], [0, 0]]]), "right": rationals([[[1, 0], [0, 1]]])}


SMALL = {"depth": range(2, 5), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)}
PRINTED_POINT = {"network": Networks(slope=(-1, 1)), "x": reals("inputs")}
PRINTED_HYPOTHESES: dict[str, Callable[..., Any]] = {
    "f has a derivative at x that is not zero": has_nonzero_derivative,
    "the slope is strictly between -1 and 1": slope_inside,
}
SOURCE = Source("bottleneck_structure", "Theorem 15, proof")
OURS = Source("bottleneck_structure", "ours")

SINGULAR_VALUES = Claim(
    id="bottleneck_structure.theorem_6.singular_values",
    title="Near a partial isometry, k singular values are near 1 and the others near 0",
    source=OURS,
    status=Ours(),
    statement=singular_values_are_near,
    domain=Domain(
        {
            "weight": reals("rows", "columns"),
            "left": derived(reflected_frame, mirrors=reals("k", "rows")),
            "right": derived(reflected_frame, mirrors=reals("k", "columns")),
        },
        {"rows": range(1, 5), "columns": range(1, 5), "k": range(1, 5)},
        sizes_where=lambda sizes: sizes["k"] <= min(sizes["rows"], sizes["columns"]),
    ),
    tight={"diagonal matrix": Tight(unequal_singular_values)},
    false_neighbours={
        "k + 1 values near 1": partial(singular_values_are_near, ones=1),
        "the others counted twice": partial(singular_values_are_near, tails=2),
        "1 percent more": partial(singular_values_are_near, percent=101),
    },
)

SCALAR_INEQUALITY = Claim(
    id="bottleneck_structure.theorem_6.scalar_inequality",
    title="Norm and pseudo-determinant bound the distance to a partial isometry",
    source=SOURCE,
    statement=logarithm_is_less,
    domain=Domain(
        {"left": reals("rows", "inner"), "right": reals("inner", "columns")},
        {"rows": range(1, 4), "inner": range(1, 4), "columns": range(1, 4)},
    ),
    tight={"permutation": Tight(permutation)},
    false_neighbours={
        "2.02 log": partial(logarithm_is_less, log_factor=202),
        "1.98 log": partial(logarithm_is_less, log_factor=198),
        "k + 1": partial(logarithm_is_less, more_rank=1),
    },
)

CHAIN = Claim(
    id="bottleneck_structure.theorem_6.chain",
    title="The pseudo-determinant of the Jacobian is a product over the layers",
    source=OURS,
    status=Ours(),
    statement=volume_is_product,
    domain=Domain(AT_A_POINT, SMALL, HYPOTHESES),
    false_neighbours={
        "images of all of the layers": partial(volume_is_product, chain=whole_image_chain),
        "without the slopes": partial(volume_is_product, kinks=False),
    },
)

SLOPES = Claim(
    id="bottleneck_structure.theorem_6.slopes",
    title="The slopes of the activation contract the spaces of the chain",
    source=OURS,
    status=Ours(),
    statement=slopes_contract,
    domain=Domain(AT_A_POINT, SMALL, HYPOTHESES),
    needs=NEEDED,
    tight={"one short side": Tight(one_short_side)},
    false_neighbours={
        "1.98 log": partial(slopes_contract, log_factor=198),
        "half of the log": partial(slopes_contract, log_factor=100),
    },
)

PRINTED_CHAIN = Claim(
    id="bottleneck_structure.theorem_6.chain.printed",
    title="The product over the layers, projected from both sides",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CHAIN.id),
    statement=partial(volume_is_product, chain=printed_chain),
    domain=Domain(PRINTED_POINT, SMALL, PRINTED_HYPOTHESES),
    false_neighbours={},
)

IMAGE_FRAMES = Claim(
    id="bottleneck_structure.theorem_6.image_frames",
    title="The frames of the corrected chain satisfy the theorem",
    source=OURS,
    status=Ours(),
    statement=frames_of_factors_are_near,
    domain=Domain(AT_A_POINT, {**SMALL, "width": range(2, 4), "outputs": range(1, 3)}, HYPOTHESES),
    needs=NEEDED,
    tight={"one short side": Tight(one_short_side)},
    false_neighbours={
        "frames of the printed chain": partial(frames_of_factors_are_near, chain=printed_chain),
        "99 percent of B": partial(frames_of_factors_are_near, percent=99),
    },
)
