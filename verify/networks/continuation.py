r"""Deeper networks from trained ones: layers that are the identity on the span of a layer's activations.

The constructive half of the statements on deep networks, and the fastest way to deep minima: a network of moderate depth is
trained, made deeper without a change of its values on the data, and trained on.
"""

from __future__ import annotations

from verify.matrices import pseudo_inverse
from verify.matrices import rank as matrix_rank
from verify.networks._arrays import equal, product, zeros
from verify.networks._passes import checked_points
from verify.networks.fully_connected import FullyConnected
from verify.numbers.arguments import instance
from verify.numbers.arithmetic import LARGEST_COUNT, Array, array_module, compare, integer, is_exact


def depth_continuation(
    network: FullyConnected, points: Array, layers: int, *, position: int | None = None, rank: int | None = None
) -> FullyConnected:
    r"""`layers` layers :math:`W = UU^T` without biases after layer `position` (the middle one unless given): the columns of U
    are an orthonormal basis of the span of that layer's activations on `points`, shape ``(..., N, n_0)``.

    The values on the points are kept: activations are not negative, and in the span. Each new layer adds the rank to the
    squared norm. `position` counts layers from 1; 0 is the input, which has to be non-negative.

    With `rank` given, U holds that many leading singular vectors, for trained activations whose spectrum has no gap; the values
    are then kept as far as the other singular values are negligible. Otherwise the rank is decided as in
    `verify.matrices.rank`, for each network of a batch; for exact networks exactly.

    Raises
    ------
    ValueError
        `points` are not accepted by the network; `layers` is negative; `position` is not one of 0, ..., ``depth - 1``; the
        slope of the activation for ``t >= 0`` is not 1; activations are negative; `rank` is not between 0 and the smaller of
        width and number of points, or is given for an exact network.
    RankUndecided
        The spectrum of the activations has no gap: give `rank`.

    Source: bottleneck_structure, Section 2 and Theorem 3 (identity layers in a bottleneck).

    Examples
    --------
    >>> short = from_matrix(rationals([[1, 0], [0, 4]]), depth=2)
    >>> depth_continuation(short, rationals([[1, 0], [0, 1]]), layers=3).depth
    5
    """
    points = checked_points(instance("network", network, FullyConnected), points, "points", point_axes=1)
    position = network.depth // 2 if position is None else position
    layers, position = integer("layers", layers, 0, most=LARGEST_COUNT), integer("position", position)
    if not 0 <= position < network.depth:
        raise ValueError(f"position must be between 0 and {network.depth - 1}, got {position}: {network.depth} layers")
    if not equal(network.activation.positive, 1):
        raise ValueError(f"identity layers need slope 1 for t >= 0, got {network.activation.positive}")
    columns = _activations(network, points, position)
    if not equal(network.activation.negative, 1) and not _nonnegative(columns):
        raise ValueError(f"the activations of layer {position} must not be negative on the points: no such layer keeps them")
    projection = _projection(columns, rank)
    offset = zeros(projection.shape[:-1], projection)
    return FullyConnected(
        [*network.weights[:position], *[projection] * layers, *network.weights[position:]],
        [*network.biases[:position], *[offset] * layers, *network.biases[position:]],
        network.activation,
    )


def _activations(network: FullyConnected, points: Array, position: int) -> Array:
    """Activations of the layer as columns, ``(*batch, n, N)``."""
    xp = array_module(points)
    # a network takes the axes of the points before those of the batch
    rows = network.activations(xp.moveaxis(points, -2, 0))[position]
    columns: Array = xp.moveaxis(rows, 0, -1)
    return columns


def _nonnegative(columns: Array) -> bool:
    return bool((compare(columns, 0) >= 0).all() if is_exact(columns) else (columns >= 0).all())


def _projection(columns: Array, rank: int | None) -> Array:
    """Orthogonal projection onto the span of the columns, ``(..., n, N) -> (..., n, n)``."""
    size = min(columns.shape[-2:])
    if is_exact(columns):
        if rank is not None:
            raise ValueError("rank is for float networks: the leading singular vectors of rationals are not rational")
        gram = product(columns, columns.swapaxes(-1, -2))
        return product(gram, pseudo_inverse(gram))
    if rank is not None and not 0 <= integer("rank", rank) <= size:
        raise ValueError(f"rank must be between 0 and {size}, the smaller of width and number of points, got {rank}")
    xp = array_module(columns)
    vectors = xp.linalg.svd(columns, full_matrices=False)[0]
    kept = matrix_rank(columns)[..., None] if rank is None else rank
    vectors = vectors * (xp.arange(size) < kept)[..., None, :]
    projection: Array = xp.matmul(vectors, vectors.swapaxes(-1, -2))
    return projection
