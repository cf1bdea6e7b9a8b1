r"""Theorem 6 of the main text: the frames of Theorem 15 with one frame shared by neighbouring layers.

.. math:: \sum_\ell \|W_\ell - V_\ell V_{\ell-1}^T\|_F^2 \le B = \|\theta\|^2 - kL - 2\log|Jf(x)|_+ .

For slopes in [0, 1] of the activation this is true, with the biases on the left as well, and `shared_frames` are such frames:
:math:`V_0` spans :math:`(\ker Jf)^\perp`, and :math:`V_\ell` the image :math:`S_\ell` of :math:`D_\ell W_\ell V_{\ell-1}`,
rotated so that :math:`T_\ell = V_\ell^T W_\ell V_{\ell-1}` is triangular with a positive diagonal (Gram and Schmidt, for the
columns of :math:`S_\ell S_\ell^T W_\ell V_{\ell-1}`). Then :math:`\mathrm{tr}\, T_\ell \ge k + \log\det T_\ell`, and
:math:`\det T_\ell` is :math:`\det(S_\ell^T D_\ell W_\ell V_{\ell-1})` times :math:`\det(S_\ell^T D_\ell^{-1} S_\ell) \ge 1`;
for slope 0 the latter is the identity on :math:`S_\ell`.

For a negative slope a that factor may be less than 1, and the printed statement is false: for :math:`W_1 = (1, -1)^T`,
:math:`W_2 = (1, 1)` and x = 1 every choice of frames gives at least 2, but :math:`Jf = 1 - a` and
:math:`B = 2 - 2\log(1 - a)`. It is refuted where the least value over all frames has a closed form: in networks of depth 2
with one input and one output. (The talk prints :math:`V_\ell V_{\ell+1}^T`, whose shapes do not match.)

Source: bottleneck_structure, Theorem 6; the restriction to slopes that are not negative, and its proof, are ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.theorem_6 import (
    SIZES,
    around_identity,
    budget,
    has_nonzero_derivative,
    jacobian_rank,
    one_short_side,
    slope_between,
)
from verify import Claim, Domain, FalseAsPrinted, Networks, Ours, Relation, Source, Tight, derived, eq, integers, le, reals
from verify.arithmetic import Array, compare, is_exact, largest, maximum, rationals, sqrt
from verify.matrices import frobenius_norm_squared, rank
from verify.networks import FullyConnected
from verify.relation import Comparison


def orthogonal_columns(matrix: Array) -> Array:
    """Gram and Schmidt's columns, not normalised, so that they are rational for rationals; dependent columns become zero."""
    columns: list[Array] = []
    for place in range(matrix.shape[-1]):
        column = matrix[..., place]
        for _ in range(1 if is_exact(matrix) else 2):  # floats lose orthogonality in one pass
            for other in columns:
                column = column - _coefficient(other, column)[..., None] * other
        columns.append(column)
    return np.stack(columns, axis=-1)


def _coefficient(other: Array, column: Array) -> Array:
    square = (other * other).sum(axis=-1)
    return np.asarray((other * column).sum(axis=-1) / np.where(compare(square, 0) == 0, 1, square))


def normalised_columns(matrix: Array) -> Array:
    """Every column divided by its length; zero columns stay."""
    squares = (matrix * matrix).sum(axis=-2)
    return np.asarray(matrix / sqrt(np.where(compare(squares, 0) == 0, 1, squares))[..., None, :])


def row_space(matrix: Array) -> Array:
    """Orthogonal columns that span the image of the transpose, and perhaps zero columns."""
    if is_exact(matrix):
        return orthogonal_columns(np.swapaxes(matrix, -1, -2))
    rows = np.linalg.svd(matrix, full_matrices=False)[2]
    kept = np.arange(rows.shape[-2]) < rank(matrix)[..., None]
    return np.asarray(np.swapaxes(rows * kept[..., None], -1, -2))


def projection_to_image(matrix: Array) -> Array:
    """Orthogonal projection to the image of a matrix, shape ``(..., m, n) -> (..., m, m)``; rational for rationals."""
    columns = orthogonal_columns(matrix)
    squares = (columns * columns).sum(axis=-2)
    scaled = columns / np.where(compare(squares, 0) == 0, 1, squares)[..., None, :]
    return np.asarray(scaled @ np.swapaxes(columns, -1, -2))


def orthogonal_frames(network: FullyConnected, x: Array) -> list[Array]:
    """`shared_frames` before their columns are normalised: rational for rational networks."""
    frames = [row_space(network.jacobian(x))]
    for layer, weight in enumerate(network.weights, start=1):
        image = weight @ frames[-1]
        if layer < network.depth:
            slopes = network.activation.derivative(network.preactivations(x)[layer - 1])
            image = projection_to_image(slopes[..., None] * image) @ image
        frames.append(orthogonal_columns(image))
    return frames


def shared_frames(network: FullyConnected, x: Array) -> list[Array]:
    r"""Frames :math:`V_0, \ldots, V_L` of the main text at a point, shapes ``(..., n_l, n)``: k orthonormal columns, the
    others zero.

    For slopes in [0, 1], :math:`\sum_\ell \|W_\ell - V_\ell V_{\ell-1}^T\|_F^2 + \|b_\ell\|^2 \le B`. For rational networks the
    columns are rational up to their lengths, which are balls where they are not rational.

    Raises
    ------
    RankUndecided
        The rank of a Jacobian is undecided in floats: see `verify.matrices.rank`.
    """
    return [normalised_columns(frame) for frame in orthogonal_frames(network, x)]


def shared_frames_are_near(network: FullyConnected, x: Array, log_factor: int = 200, percent: int = 100) -> Relation:
    """The form of the main text, biases on the left too, at the frames of `shared_frames`."""
    k, frames = jacobian_rank(network, x), shared_frames(network, x)
    bound, size = budget(network, x, k, log_factor)
    left = network.parameter_norm_squared - network.weight_norm_squared
    for weight, before, after in zip(network.weights, frames[:-1], frames[1:], strict=True):
        left = left + frobenius_norm_squared(weight - after @ np.swapaxes(before, -1, -2))
    return le(left, percent * bound / 100, scale=size)


def frames_are_orthonormal(network: FullyConnected, x: Array, more: int = 0, orthogonal: bool = True) -> Relation:
    """The columns of every frame are orthogonal, and k of them are not zero."""
    k = jacobian_rank(network, x)
    comparisons: list[Comparison] = []
    for frame, weight in zip(orthogonal_frames(network, x)[1:], network.weights, strict=True):
        columns = frame if orthogonal else weight
        gram = np.swapaxes(columns, -1, -2) @ columns
        lengths = np.diagonal(gram, axis1=-2, axis2=-1)
        mixed = gram * (1 - np.eye(gram.shape[-1], dtype=np.int64))
        comparisons += eq(mixed, 0 * gram, scale=largest(lengths)[..., None, None], over=2).comparisons
        count = (compare(lengths, 0) != 0).sum(axis=-1)
        comparisons += eq(rationals(count), rationals(k + more)).comparisons
    return Relation(tuple(comparisons))


def best_shared_frames_are_near(network: FullyConnected, x: Array) -> Relation:
    r"""The form of the main text, at the best of all frames, for depth 2 with one input and one output.

    There :math:`V_0` and :math:`V_2` are signs, and the least value over the unit vectors :math:`V_1` is
    :math:`\|W_1\|^2 + \|W_2\|^2 + 2 - 2\max(\|W_1 + W_2^T\|, \|W_1 - W_2^T\|)`.
    """
    first, second = network.weights[0][..., 0], network.weights[1][..., 0, :]
    plus, minus = ((first + sign * second) ** 2 for sign in (1, -1))
    longest = sqrt(maximum(plus.sum(axis=-1), minus.sum(axis=-1)))
    bound, size = budget(network, x, jacobian_rank(network, x))
    return le(network.weight_norm_squared + 2 - 2 * longest, bound, scale=size)


def slope_inside(network: FullyConnected) -> npt.NDArray[np.bool_]:
    """Whether the slope lies strictly between -1 and 1."""
    slope = network.activation.negative
    return np.asarray((compare(slope, -1) > 0) & (compare(slope, 1) < 0))


NETWORK = derived(around_identity, network=Networks(slope=(-1, 1)), kind=integers(0, 1))
SCALAR = {"network": Networks(depth=2, inputs=1, outputs=1, slope=(-1, 1), biases=False), "x": reals(1)}
POINT = {"f has a derivative at x that is not zero": has_nonzero_derivative}
NOT_NEGATIVE = {"the slope is between 0 and 1": partial(slope_between, 0, 1)}
INSIDE = {"the slope is strictly between -1 and 1": slope_inside}
SOURCE = Source("bottleneck_structure", "Theorem 6")

SHARED = Claim(
    id="bottleneck_structure.theorem_6.shared",
    title="Neighbouring layers share their frames, for slopes that are not negative",
    source=SOURCE,
    status=Ours(),
    statement=shared_frames_are_near,
    domain=Domain({"network": NETWORK, "x": reals("inputs")}, SIZES, {**POINT, **NOT_NEGATIVE}),
    needs=tuple(NOT_NEGATIVE),
    tight={"one short side": Tight(one_short_side)},
    false_neighbours={
        "99 percent of B": partial(shared_frames_are_near, percent=99),
        "2.02 log": partial(shared_frames_are_near, log_factor=202),
        "1.98 log": partial(shared_frames_are_near, log_factor=198),
        "no log": partial(shared_frames_are_near, log_factor=0),
    },
)

FRAMES = Claim(
    id="bottleneck_structure.theorem_6.frames",
    title="The shared frames have k orthonormal columns",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=frames_are_orthonormal,
    domain=Domain({"network": NETWORK, "x": reals("inputs")}, SIZES, {**POINT, **NOT_NEGATIVE}),
    false_neighbours={
        "k + 1 columns": partial(frames_are_orthonormal, more=1),
        "columns of the weights": partial(frames_are_orthonormal, orthogonal=False),
    },
)

PRINTED = Claim(
    id="bottleneck_structure.theorem_6.printed",
    title="Neighbouring layers share their frames, for every slope",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="bottleneck_structure.theorem_6.shared"),
    statement=best_shared_frames_are_near,
    domain=Domain(SCALAR, {"width": range(2, 5)}, {**POINT, **INSIDE}),
    false_neighbours={},
)
