r"""Theorem 6 (Theorem 15 of the appendix): most weight matrices are nearly partial isometries of rank k.

For a network of depth L with :math:`\mathrm{rank}\, Jf(x) = k`, put

.. math:: B = \|\theta\|^2 - kL - 2\log|Jf(x)|_+ .

There are semi-orthonormal :math:`U_\ell, V_\ell` with k columns such that
:math:`\sum_\ell \|W_\ell - U_\ell V_\ell^T\|_F^2 + \|b_\ell\|^2 \le B`. The least value of a layer is known,
:math:`\|W_\ell\|_F^2 + k - 2\sum_{i \le k} s_i(W_\ell) + \|b_\ell\|^2`, so that the theorem is checked without its
existential, for every slope in [-1, 1] of the activation. Hence fewer than pL layers exceed :math:`B/(pL)`.

The main text, and the talk, share one frame between neighbouring layers, :math:`\sum_\ell \|W_\ell - V_\ell V_{\ell-1}^T\|_F^2`
(the talk prints :math:`V_\ell V_{\ell+1}^T`, whose shapes do not match). For slopes in [0, 1] this is true, with the biases
on the left as well, and `shared_frames` are such frames: :math:`V_0` spans :math:`(\ker Jf)^\perp`, and :math:`V_\ell` the
image :math:`S_\ell` of :math:`D_\ell W_\ell V_{\ell-1}`, rotated so that :math:`T_\ell = V_\ell^T W_\ell V_{\ell-1}` is
triangular with a positive diagonal. Then :math:`\mathrm{tr}\, T_\ell \ge k + \log\det T_\ell`, and :math:`\det T_\ell` is
:math:`\det(S_\ell^T D_\ell W_\ell V_{\ell-1})` times :math:`\det(S_\ell^T D_\ell^{-1} S_\ell) \ge 1`.

For a negative slope a that factor may be less than 1, and the form of the main text is false: for :math:`W_1 = (1, -1)^T`,
:math:`W_2 = (1, 1)` and x = 1 every choice of frames gives at least 2, but :math:`Jf = 1 - a` and
:math:`B = 2 - 2\log(1 - a)`. It is refuted where the least value over all frames has a closed form: in networks of depth 2
with one input and one output.

Source: bottleneck_structure, Theorem 6 and Theorem 15. The steps of the proof are in `theorem_6_steps`.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from verify import (
    Claim,
    Domain,
    FalseAsPrinted,
    Networks,
    Ours,
    Relation,
    Source,
    Tight,
    derived,
    eq,
    integers,
    interval,
    le,
    reals,
)
from verify.arithmetic import Array, compare, is_exact, largest, maximum, minimum, rationals, sqrt
from verify.matrices import frobenius_norm_squared, log_pseudo_determinant, rank, singular_values
from verify.networks import FullyConnected
from verify.relation import Comparison


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


def slope_inside(network: FullyConnected) -> npt.NDArray[np.bool_]:
    """Whether the slope lies strictly between -1 and 1."""
    slope = network.activation.negative
    return np.asarray((compare(slope, -1) > 0) & (compare(slope, 1) < 0))


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


DEPTHS = range(2, 7)
WIDTHS = range(1, 5)
SIZES = {"depth": DEPTHS, "inputs": WIDTHS, "width": WIDTHS, "outputs": WIDTHS}
DEEP, STEEP = Networks(slope=(-1, 1)), Networks(slope=(-2, 2))
CORRECTED = {"network": derived(around_identity, network=DEEP, kind=integers(0, 1)), "x": reals("inputs")}
GENERAL = {"network": derived(around_identity, network=STEEP, kind=integers(0, 1)), "x": reals("inputs")}
# identities with one bias make the bound on the number of layers sharp
SHARED_OUT = {**GENERAL, "network": derived(around_identity, network=STEEP, kind=integers(0, 2))}
SCALAR = {"network": Networks(depth=2, inputs=1, outputs=1, slope=(-1, 1), biases=False), "x": reals(1)}
SHARES = derived(share, layers=integers(1, 6), part=interval(-1, 1))
POINT = {"f has a derivative at x that is not zero": has_nonzero_derivative}
CONTRACTING = {"the slope is between -1 and 1": partial(slope_between, -1, 1)}
NOT_NEGATIVE = {"the slope is between 0 and 1": partial(slope_between, 0, 1)}
SOURCE = Source("bottleneck_structure", "Theorem 6")
APPENDIX = Source("bottleneck_structure", "Theorem 15")

CLAIM = Claim(
    id="bottleneck_structure.theorem_6",
    title="Most weight matrices are nearly partial isometries of rank k",
    source=APPENDIX,
    statement=weights_are_nearly_isometries,
    domain=Domain(GENERAL, SIZES, {**POINT, **CONTRACTING}),
    needs=tuple(CONTRACTING),
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
    source=APPENDIX,
    statement=few_bad_layers,
    domain=Domain({**SHARED_OUT, "p": SHARES}, SIZES, {**POINT, **CONTRACTING}),
    needs=tuple(CONTRACTING),
    tight={"one short side": Tight(lambda: {**one_short_side(), "p": rationals(["1/2"])})},
    false_neighbours={
        "fewer than pL - 1 layers": partial(few_bad_layers, fewer=1),
        "99 percent of the bound": partial(few_bad_layers, percent=99),
        "bound B/L": partial(few_bad_layers, share=False),
    },
)

SHARED = Claim(
    id="bottleneck_structure.theorem_6.shared",
    title="Neighbouring layers share their frames, for slopes that are not negative",
    source=SOURCE,
    status=Ours(),
    statement=shared_frames_are_near,
    domain=Domain(CORRECTED, SIZES, {**POINT, **NOT_NEGATIVE}),
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
    source=SOURCE,
    status=Ours(),
    statement=frames_are_orthonormal,
    domain=Domain(CORRECTED, SIZES, {**POINT, **NOT_NEGATIVE}),
    needs=tuple(NOT_NEGATIVE),
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
    domain=Domain(SCALAR, {"width": range(2, 5)}, {**POINT, "the slope is strictly between -1 and 1": slope_inside}),
    false_neighbours={},
)
