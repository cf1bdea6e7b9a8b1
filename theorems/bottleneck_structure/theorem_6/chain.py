r"""Theorem 6, proof: the volume of the Jacobian is a product over the layers.

Statement
    In the proof of Theorem 15, :math:`|Jf(x)|_+` is the product of the volumes of the layers, projected to the images of the
    Jacobians before them and of the transposed Jacobians behind them; the frames of the factors are those of the theorem.
Correction
    That chain is false: it loses the cosine of the angle between the two spaces twice at a hidden layer. For
    :math:`W_1 = (1, 2)^T` and :math:`W_2 = (1, 0)` it gives 1/5 in place of :math:`|Jf|_+ = 1`, and the frames of its factors
    give 5.1 where the theorem allows 4. With :math:`E_0 = (\ker Jf)^\perp`, :math:`F_\ell = W_\ell E_{\ell-1}` and
    :math:`E_\ell = D_\ell F_\ell`, all of dimension k,

    .. math:: |Jf|_+ = \prod_\ell |W_\ell P_{E_{\ell-1}}|_+ \prod_\ell |D_\ell P_{F_\ell}|_+ , \qquad
              0 \le k - \|D_\ell P_{F_\ell}\|_F^2 \le -2\log|D_\ell P_{F_\ell}|_+ .
Checked
    The corrected product, what the slopes contract, and Theorem 15 at the frames of the factors; the printed product is
    refuted. The product needs no bound on the slopes.
Proof idea
    Volumes multiply along the spaces. The last factors are at most 1 for slopes in [-1, 1], and the scalar inequality of
    ``singular_values`` for :math:`A = W_\ell P_{E_{\ell-1}}` gives the theorem.
Sharp
    The slopes: where they are 1 on the spaces, and to first order where they are nearly so.
Source
    bottleneck_structure, proof of Theorem 15; the corrected chain is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.frames import projection_to_image, row_space
from theorems.bottleneck_structure.constructions.near_isometries import (
    around_identity,
    excess_over_volume,
    one_short_side,
)
from theorems.bottleneck_structure.constructions.points import has_nonzero_derivative, jacobian_rank, slope_inside
from theorems.bottleneck_structure.theorem_6.statement import DERIVATIVE, SLOPES
from verify import Claim, Domain, FalseAsPrinted, Networks, Ours, Relation, Source, Tight, derived, eq, ge, integers, le, reals
from verify.arithmetic import Array, is_exact, rationals
from verify.matrices import (
    frobenius_norm_squared,
    log_pseudo_determinant,
    polar_factor,
    pseudo_determinant,
    pseudo_inverse,
)
from verify.networks import FullyConnected, leaky_relu


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


def product_of_volumes(factors: list[Array]) -> Array:
    """Product of the squared volumes."""
    return np.asarray(np.stack([squared_volume(factor) for factor in factors], axis=-1).prod(axis=-1))


def volume_is_product(network: FullyConnected, x: Array) -> Relation:
    """The square of the pseudo-determinant of the Jacobian against those of the factors."""
    weights, slopes = image_chain(network, x)
    return eq(squared_volume(network.jacobian(x)), product_of_volumes([*weights, *slopes]))


def printed_product(network: FullyConnected, x: Array) -> Relation:
    """The same for the chain of the paper."""
    weights, slopes = printed_chain(network, x)
    return eq(squared_volume(network.jacobian(x)), product_of_volumes([*weights, *slopes]))


def slopes_contract(network: FullyConnected, x: Array, log_factor: int = 2) -> Relation:
    """How much the slopes contract the spaces of the chain: by their norm, and more so by their volume."""
    k = jacobian_rank(network, x)[..., None]
    factors = image_chain(network, x)[1]
    norms = np.stack([frobenius_norm_squared(factor) for factor in factors], axis=-1)
    volumes = np.stack([log_pseudo_determinant(factor) for factor in factors], axis=-1)
    return le(norms, k, name="norm", over=1) & le(k - norms, -log_factor * volumes, name="volume", over=1)


def frames_of_factors_are_near(network: FullyConnected, x: Array) -> Relation:
    """The theorem with the frames of the factors, rather than the best ones."""
    return _near_frames_of(image_chain, network, x)


def _near_frames_of(chain: Callable[[FullyConnected, Array], Chain], network: FullyConnected, x: Array) -> Relation:
    left = network.parameter_norm_squared - network.weight_norm_squared
    for weight, factor in zip(network.weights, chain(network, x)[0], strict=True):
        left = left + frobenius_norm_squared(weight - polar_factor(factor))
    return le(left, excess_over_volume(network, x, jacobian_rank(network, x)))


# False variants


def product_with_whole_images(network: FullyConnected, x: Array) -> Relation:
    """The images of all of the layers, also where they have more than k dimensions."""
    weights, slopes = whole_image_chain(network, x)
    return eq(squared_volume(network.jacobian(x)), product_of_volumes([*weights, *slopes]))


def product_without_slopes(network: FullyConnected, x: Array) -> Relation:
    """The weight matrices alone."""
    return eq(squared_volume(network.jacobian(x)), product_of_volumes(image_chain(network, x)[0]))


def slopes_lose_half_the_volume(network: FullyConnected, x: Array) -> Relation:
    """The logarithm without its factor 2."""
    return slopes_contract(network, x, log_factor=1)


def slopes_lose_nothing(network: FullyConnected, x: Array) -> Relation:
    """As if the slopes kept the norm."""
    factors = image_chain(network, x)[1]
    norms = np.stack([frobenius_norm_squared(factor) for factor in factors], axis=-1)
    return ge(norms, jacobian_rank(network, x)[..., None], over=1)


def frames_of_printed_factors_are_near(network: FullyConnected, x: Array) -> Relation:
    """The frames of the printed chain."""
    return _near_frames_of(printed_chain, network, x)


def slope_nearly_one() -> dict[str, Any]:
    """Depth 2, one neuron with a negative pre-activation and a slope a little less than 1."""
    slope = rationals(["1048575/1048576"])
    return {"network": FullyConnected([rationals([[[1]]])] * 2, activation=leaky_relu(slope)), "x": rationals([[-1]])}


SMALL = {"depth": (2, 3, 4, 6), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)}
AT_A_POINT = {
    "network": derived(around_identity, network=Networks(slope=(-2, 2)), kind=integers(0, 1), role="network"),
    "x": reals("inputs", role="point"),
}
HYPOTHESES: dict[str, Callable[..., Any]] = {**DERIVATIVE, **SLOPES}
PRINTED_HYPOTHESES: dict[str, Callable[..., Any]] = {
    "f has a derivative at x that is not zero": has_nonzero_derivative,
    "the slope is strictly between -1 and 1": slope_inside,
}
SOURCE = Source("bottleneck_structure", "Theorem 15, proof")
OURS = Source("bottleneck_structure", "ours")

CHAIN = Claim(
    id="bottleneck_structure.theorem_6.chain",
    title="The pseudo-determinant of the Jacobian is a product over the layers",
    source=OURS,
    status=Ours(),
    statement=volume_is_product,
    domain=Domain(AT_A_POINT, SMALL, DERIVATIVE),
    false_variants={
        "images of all of the layers": product_with_whole_images,
        "without the slopes": product_without_slopes,
    },
)

CONTRACTION = Claim(
    id="bottleneck_structure.theorem_6.slopes",
    title="The slopes of the activation contract the spaces of the chain",
    source=OURS,
    status=Ours(),
    statement=slopes_contract,
    domain=Domain(AT_A_POINT, SMALL, HYPOTHESES),
    needs=tuple(SLOPES),
    tight={
        "one short side": Tight(one_short_side, of=("norm", "volume")),
        "a slope nearly 1": Tight(slope_nearly_one, relative_slack=2e-6, why="-log s is 1 - s to first order", of=("volume",)),
    },
    false_variants={"half of the volume": slopes_lose_half_the_volume, "nothing lost": slopes_lose_nothing},
)

PRINTED_CHAIN = Claim(
    id="bottleneck_structure.theorem_6.chain.printed",
    title="The product over the layers, projected from both sides",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CHAIN.id),
    statement=printed_product,
    domain=Domain({"network": Networks(slope=(-1, 1)), "x": reals("inputs", role="point")}, SMALL, PRINTED_HYPOTHESES),
    false_variants={},
)

IMAGE_FRAMES = Claim(
    id="bottleneck_structure.theorem_6.image_frames",
    title="The frames of the corrected chain satisfy the theorem",
    source=OURS,
    status=Ours(),
    statement=frames_of_factors_are_near,
    domain=Domain(AT_A_POINT, {**SMALL, "depth": (2, 3, 4), "width": range(2, 4), "outputs": range(1, 3)}, HYPOTHESES),
    needs=tuple(SLOPES),
    tight={"one short side": Tight(one_short_side)},
    false_variants={"frames of the printed chain": frames_of_printed_factors_are_near},
)
