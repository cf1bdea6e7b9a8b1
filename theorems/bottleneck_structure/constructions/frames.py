"""Orthogonal columns that span images, rational for rationals, and the frames that neighbouring layers of a network share."""

from __future__ import annotations

import numpy as np

from verify.matrices import singular_values
from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, compare, is_exact, sqrt
from verify.numbers.parameters import widened


@widened
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


@widened
def normalised_columns(matrix: Array) -> Array:
    """Every column divided by its length; zero columns stay."""
    squares = (matrix * matrix).sum(axis=-2)
    return np.asarray(matrix / sqrt(np.where(compare(squares, 0) == 0, 1, squares))[..., None, :])


@widened
def row_space(matrix: Array) -> Array:
    """Orthogonal columns that span the image of the transpose, and perhaps zero columns."""
    columns = orthogonal_columns(np.swapaxes(matrix, -1, -2))
    if is_exact(matrix):
        return columns
    # what rounding leaves of dependent columns
    squares = (columns * columns).sum(axis=-2, keepdims=True)
    return np.where(squares > 2.0**-60 * squares.max(axis=-1, keepdims=True), columns, 0.0)


@widened
def projection_to_image(matrix: Array) -> Array:
    """Orthogonal projection to the image of a matrix, shape ``(..., m, n) -> (..., m, m)``; rational for rationals."""
    columns = orthogonal_columns(matrix)
    squares = (columns * columns).sum(axis=-2)
    scaled = columns / np.where(compare(squares, 0) == 0, 1, squares)[..., None, :]
    return np.asarray(scaled @ np.swapaxes(columns, -1, -2))


@widened
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


@widened
def shared_frames(network: FullyConnected, x: Array) -> list[Array]:
    r"""Frames :math:`V_0, \ldots, V_L` of the main text at a point, shapes ``(..., n_l, n)``: k orthonormal columns, the
    others zero.

    For slopes in [0, 1], :math:`\sum_\ell \|W_\ell - V_\ell V_{\ell-1}^T\|_F^2 + \|b_\ell\|^2 \le B` with the B of Theorem 6.
    For rational networks the columns are rational up to their lengths, which are balls where they are not rational.

    Raises
    ------
    RankUndecided
        The rank of a Jacobian is undecided in floats: see `verify.matrices.rank`.
    """
    return [normalised_columns(frame) for frame in orthogonal_frames(network, x)]


@widened
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


@widened
def sines_of_angles(first: Array, second: Array) -> Array:
    """Sines of the principal angles between the images of two matrices, and zeros, ``(..., n, k), (..., n, k) -> (..., n)``.

    They are the singular values of the projection to the second image, projected away from the first: angles near 0 keep their
    digits. For images of equal dimensions the order of the two does not matter.
    """
    away = np.eye(first.shape[-2], dtype=np.int64) - projection_to_image(first)
    return singular_values(away @ projection_to_image(second))
