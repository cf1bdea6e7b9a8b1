r"""Theorem 6: neighbouring layers share a frame; for slopes that are not negative.

Statement
    For a network of depth L with :math:`\mathrm{rank}\, Jf(x) = k` there are
    :math:`V_0, \ldots, V_L` with k orthonormal columns such that

    .. math:: \sum_\ell \|W_\ell - V_\ell V_{\ell-1}^T\|_F^2 \le B = \|\theta\|^2 - kL - 2\log|Jf(x)|_+ .
Correction
    True for slopes in [0, 1] of the activation, with the biases on the left as well. For a negative slope a it is false: for
    :math:`W_1 = (1, -1)^T`, :math:`W_2 = (1, 1)` and x = 1 every choice of frames gives at least 2, but :math:`Jf = 1 - a` and
    :math:`B = 2 - 2\log(1 - a)`.
Checked
    For slopes in [0, 1] the inequality at the frames of ``constructions.frames.shared_frames``, and that these are
    orthonormal. The printed form is refuted at the best of all frames, where they have a closed form: in networks of depth 2
    with one input and one output.
Proof idea
    :math:`V_0` spans :math:`(\ker Jf)^\perp`, and :math:`V_\ell` the image :math:`S_\ell` of :math:`D_\ell W_\ell V_{\ell-1}`,
    rotated so that :math:`T_\ell = V_\ell^T W_\ell V_{\ell-1}` is triangular with a positive diagonal (Gram and Schmidt, for
    the columns of :math:`S_\ell S_\ell^T W_\ell V_{\ell-1}`). Then :math:`\mathrm{tr}\, T_\ell \ge k + \log\det T_\ell`, and
    :math:`\det T_\ell` is :math:`\det(S_\ell^T D_\ell W_\ell V_{\ell-1})` times
    :math:`\det(S_\ell^T D_\ell^{-1} S_\ell) \ge 1`; for slope 0 the latter is the identity on :math:`S_\ell`.
Sharp
    Layers whose k largest singular values are 1, and identities with biases.
Source
    bottleneck_structure, Theorem 6; the restriction to slopes that are not negative, and its proof, are ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.bottleneck_structure.constructions.frames import orthogonal_frames, shared_frames
from theorems.bottleneck_structure.constructions.near_isometries import (
    around_identity,
    excess_over_volume,
    identities_with_biases,
    nearly_one,
    one_short_side,
)
from theorems.bottleneck_structure.constructions.points import jacobian_rank, slope_between, slope_inside
from theorems.bottleneck_structure.theorem_6.statement import DERIVATIVE, SIZES, few_combinations
from verify import Claim, Domain, FalseAsPrinted, Networks, Ours, Relation, Source, Tight, derived, eq, integers, le, reals
from verify.arithmetic import Array, compare, maximum, sqrt
from verify.matrices import frobenius_norm_squared
from verify.networks import FullyConnected


def shared_frames_are_near(network: FullyConnected, x: Array, log_factor: int = 2) -> Relation:
    """The form of the main text, biases on the left too, at the frames of `shared_frames`."""
    k, frames = jacobian_rank(network, x), shared_frames(network, x)
    left = network.parameter_norm_squared - network.weight_norm_squared
    for weight, before, after in zip(network.weights, frames[:-1], frames[1:], strict=True):
        left = left + frobenius_norm_squared(weight - after @ np.swapaxes(before, -1, -2))
    return le(left, excess_over_volume(network, x, k, log_factor))


def frames_are_orthonormal(network: FullyConnected, x: Array) -> Relation:
    """The columns of every frame are orthogonal, and k of them are not zero."""
    relation = Relation(())
    for layer, frame in enumerate(orthogonal_frames(network, x)[1:], start=1):
        gram = np.swapaxes(frame, -1, -2) @ frame
        lengths = np.diagonal(gram, axis1=-2, axis2=-1)
        # beside the largest entry, which is on the diagonal
        diagonal = gram * np.eye(gram.shape[-1], dtype=np.int64)
        columns = (compare(lengths, 0) != 0).sum(axis=-1)
        relation &= eq(gram, diagonal, name=f"orthogonal in layer {layer}", over=2)
        relation &= eq(columns, jacobian_rank(network, x), name=f"columns in layer {layer}")
    return relation


def best_shared_frames_are_near(network: FullyConnected, x: Array) -> Relation:
    r"""The form of the main text, at the best of all frames, for depth 2 with one input and one output.

    There :math:`V_0` and :math:`V_2` are signs, and the least value over the unit vectors :math:`V_1` is
    :math:`\|W_1\|^2 + \|W_2\|^2 + 2 - 2\max(\|W_1 + W_2^T\|, \|W_1 - W_2^T\|)`.
    """
    first, second = network.weights[0][..., 0], network.weights[1][..., 0, :]
    plus, minus = ((first + sign * second) ** 2 for sign in (1, -1))
    longest = sqrt(maximum(plus.sum(axis=-1), minus.sum(axis=-1)))
    bound = excess_over_volume(network, x, jacobian_rank(network, x))
    return le(network.weight_norm_squared + 2 - 2 * longest, bound)


# False variants


def without_the_volume(network: FullyConnected, x: Array) -> Relation:
    """The norm alone as the bound."""
    return shared_frames_are_near(network, x, log_factor=0)


def frames_not_rotated(network: FullyConnected, x: Array) -> Relation:
    """Frames of the right spaces, each mirrored."""
    k, frames = jacobian_rank(network, x), shared_frames(network, x)
    left = network.parameter_norm_squared - network.weight_norm_squared
    for weight, before, after in zip(network.weights, frames[:-1], frames[1:], strict=True):
        left = left + frobenius_norm_squared(weight + after @ np.swapaxes(before, -1, -2))
    return le(left, excess_over_volume(network, x, k))


def one_column_more(network: FullyConnected, x: Array) -> Relation:
    """One column more that is not zero."""
    lengths = [(frame * frame).sum(axis=-2) for frame in orthogonal_frames(network, x)[1:]]
    relation = Relation(())
    for one in lengths:
        relation &= eq((compare(one, 0) != 0).sum(axis=-1), jacobian_rank(network, x) + 1)
    return relation


def weights_have_orthogonal_columns(network: FullyConnected, x: Array) -> Relation:
    """The columns of the weight matrices themselves."""
    relation = Relation(())
    for weight in network.weights:
        gram = np.swapaxes(weight, -1, -2) @ weight + 0 * x[..., :1, None]
        relation &= eq(gram, gram * np.eye(gram.shape[-1], dtype=np.int64), over=2)
    return relation


NETWORK = derived(around_identity, network=Networks(slope=(-1, 1)), kind=integers(0, 1), role="network")
NOT_NEGATIVE = {"the slope is between 0 and 1": partial(slope_between, 0, 1)}
INSIDE = {"the slope is strictly between -1 and 1": slope_inside}
SOURCE = Source("bottleneck_structure", "Theorem 6")

SHARED = Claim(
    id="bottleneck_structure.theorem_6.shared",
    title="Neighbouring layers share their frames, for slopes that are not negative",
    source=SOURCE,
    status=Ours(),
    statement=shared_frames_are_near,
    domain=Domain(
        {"network": NETWORK, "x": reals("inputs", role="point")}, SIZES, {**DERIVATIVE, **NOT_NEGATIVE}, few_combinations
    ),
    needs=tuple(NOT_NEGATIVE),
    tight={
        "one short side": Tight(one_short_side),
        "identities with biases": Tight(identities_with_biases),
        "one short side, the other nearly 1": Tight(
            nearly_one, relative_slack=1e-12, why="log s is s - 1 to first order, up to 2^-42"
        ),
    },
    false_variants={"without the volume": without_the_volume, "mirrored frames": frames_not_rotated},
)

FRAMES = Claim(
    id="bottleneck_structure.theorem_6.frames",
    title="The shared frames have k orthonormal columns",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=frames_are_orthonormal,
    domain=Domain(
        {"network": NETWORK, "x": reals("inputs", role="point")}, SIZES, {**DERIVATIVE, **NOT_NEGATIVE}, few_combinations
    ),
    false_variants={"k + 1 columns": one_column_more, "columns of the weights": weights_have_orthogonal_columns},
)

PRINTED = Claim(
    id="bottleneck_structure.theorem_6.printed",
    title="Neighbouring layers share their frames, for every slope",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="bottleneck_structure.theorem_6.shared"),
    statement=best_shared_frames_are_near,
    domain=Domain(
        {"network": Networks(depth=2, inputs=1, outputs=1, slope=(-1, 1), biases=False), "x": reals(1)},
        {"width": range(2, 5)},
        {**DERIVATIVE, **INSIDE},
    ),
    false_variants={},
)
