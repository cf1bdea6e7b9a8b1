r"""Neural tangent kernel of fully connected networks, without the parameter Jacobian.

.. math:: \Theta(x, y) = J_\theta f(x) J_\theta f(y)^T
    = \sum_{\ell=1}^L (\alpha_{\ell-1}(x)^T\alpha_{\ell-1}(y) + 1)\,
      J(\tilde\alpha_\ell\to f)(x)\, J(\tilde\alpha_\ell\to f)(y)^T ;

the 1 is the share of the biases. So the kernel is a sum over layers of a Gram matrix of activations times one of backward
Jacobians. Everything takes batches of networks and works in floats and in exact arithmetic; at a kink the slope is that of
`HomogeneousActivation.derivative`. With ``biases=False`` the biases are no parameters.

Functions of single points take points as a network does, with leading axes that broadcast with the batch. Functions of a
sample take all its points in the axis before the last, ``(..., N, n_0)``; the axes before that broadcast with the batch.

Source: bottleneck_structure, Section 4 (its proofs print the sum without the share of the biases).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from verify.matrices import operator_norm
from verify.networks._arrays import eye, product, real_points, with_batch, zeros
from verify.networks._passes import as_columns, checked_points, pieces
from verify.networks._samples import Sample
from verify.networks.fully_connected import FullyConnected
from verify.numbers.arguments import flag, instance, real_number
from verify.numbers.arithmetic import Array, array_module

ROWS_AT_ONCE = 2**21
"""Entries of the backward Jacobians that `ntk_trace_gram` holds at once: 16 MiB in float64."""

TILE = 512
"""Rows of the kernel matrix that are computed at a time, and columns."""

LARGEST_DENSE = 256
"""Up to this size `ntk_operator_norm` forms the kernel matrix."""


def ntk(network: FullyConnected, x: Array, y: Array | None = None, /, *, biases: bool = True) -> Array:
    r""":math:`\Theta(x, y)`, shapes ``(..., n_0), (..., n_0) -> (..., n_L, n_L)``; without `y`, :math:`\Theta(x, x)`.

    Raises
    ------
    ValueError
        `x` or `y` is not an array that `network` accepts.

    Examples
    --------
    >>> network = from_matrix(rationals([[1, 0], [0, 1]]), depth=2)
    >>> print(ntk(network, rationals([1, 2])))
    [[12 0]
     [0 12]]
    """
    original = x
    biases = flag("biases", biases)
    x = _points(network, x)
    if y is None or y is original:
        left = right = Sample(network, x)
    else:
        y = checked_points(network, y, "y")
        shape = _common("the leading axes of x and y", x.shape[:-1], y.shape[:-1])
        left, right = (Sample(network, with_batch(points, shape, 1)) for points in (x, y))
    outputs = network.widths[-1]
    result = zeros((*left.points.batch, left.points.count, outputs, outputs), network.weights[0])
    for depth, left_rows, right_rows in _layers(left, right, slice(0, outputs), by_point=True):
        inner = (left.activation(depth, biases) * right.activation(depth, biases)).sum(axis=-2)[..., None, None]
        result += inner * (
            eye(outputs, result)
            if left_rows is None
            else product(_of_points(left_rows), _of_points(right_rows).swapaxes(-1, -2))
        )
    return left.points.split(result)


def ntk_trace(network: FullyConnected, x: Array, /, *, biases: bool = True) -> Array:
    r""":math:`\mathrm{Tr}\,\Theta(x, x)`, shape ``(..., n_0) -> (...)``: the squared norm of the parameter Jacobian.

    Raises
    ------
    ValueError
        `x` is not an array that `network` accepts.

    Examples
    --------
    >>> ntk_trace(from_matrix(rationals([[1, 0], [0, 1]]), depth=2), rationals([1, 2]))
    array(24, dtype=object)
    """
    biases = flag("biases", biases)
    x = _points(network, x)
    sample = Sample(network, x)
    result = zeros((*sample.points.batch, sample.points.count), network.weights[0])
    for chosen in _output_slices(sample):
        for depth, rows, _ in _layers(sample, sample, chosen):
            activations = sample.activation(depth, biases)
            squares = chosen.stop - chosen.start if rows is None else (rows * rows).sum(axis=(-3, -2))
            result += (activations * activations).sum(axis=-2) * squares
    return sample.points.split(result)


def ntk_gram(network: FullyConnected, x: Array, y: Array | None = None, /, *, biases: bool = True) -> Array:
    r"""Kernel matrix of two samples: blocks :math:`\Theta(x_i, y_j)`, shapes ``(..., N, n_0), (..., N', n_0) ->
    (..., N n_L, N' n_L)``; output `o` of point `i` is row ``i * n_L + o``. Without `y`, of `x` with itself.

    Raises
    ------
    ValueError
        `x` or `y` is not an array that `network` accepts.

    Examples
    --------
    >>> ntk_gram(from_matrix(rationals([[1, 0], [0, 1]]), depth=2), rationals([[1, 2], [0, 1]])).shape
    (4, 4)
    """
    biases = flag("biases", biases)
    left, right = _pair(network, x, y)
    outputs = network.widths[-1]
    result = _kernel(left, right, outputs)
    _add_sweep(result, left, right, slice(0, outputs), biases, traced=False)
    return _finished(result, left, right, outputs)


def ntk_trace_gram(network: FullyConnected, x: Array, y: Array | None = None, /, *, biases: bool = True) -> Array:
    r""":math:`\mathrm{Tr}\,\Theta(x_i, y_j)`, shapes ``(..., N, n_0), (..., N', n_0) -> (..., N, N')``.

    Of large samples it holds, besides the result, less than all their activations: some layers are computed again, and the
    backward Jacobians are those of a few outputs at a time.

    Raises
    ------
    ValueError
        `x` or `y` is not an array that `network` accepts.

    Examples
    --------
    >>> print(ntk_trace_gram(from_matrix(rationals([[1]]), depth=2), rationals([[1], [2]])))
    [[4 6]
     [6 10]]
    """
    biases = flag("biases", biases)
    left, right = _pair(network, x, y)
    result = _kernel(left, right, 1)
    for chosen in _output_slices(left):
        _add_sweep(result, left, right, chosen, biases, traced=True)
    return _finished(result, left, right, 1)


def ntk_mixed_derivative(network: FullyConnected, x: Array, /) -> Array:
    r""":math:`\partial^2_{xy}\Theta` at ``y = x``, shape ``(..., n_0) -> (..., n_0 n_L, n_0 n_L)``, where the activation
    pattern does not change around `x`:

    .. math:: \sum_\ell (J\alpha_{\ell-1}^T J\alpha_{\ell-1})\otimes
        (J(\tilde\alpha_\ell\to f)J(\tilde\alpha_\ell\to f)^T) .

    Row ``i * n_L + o`` stands for :math:`\partial/\partial x_i` of output `o`. The biases have no share in it.

    Raises
    ------
    ValueError
        `x` is not an array that `network` accepts.

    Source: bottleneck_structure, Proposition 9.

    Examples
    --------
    For :math:`f(x) = wvx` with :math:`w = v = 2` the kernel is :math:`8xy`, and 5 more with the biases:

    >>> network = FullyConnected([rationals([[2]]), rationals([[2]])])
    >>> print(ntk(network, rationals([1]), rationals([3])), ntk_mixed_derivative(network, rationals([1])))
    [[29]] [[8]]
    """
    x = _points(network, x)
    sample = Sample(network, x)
    inputs, outputs = network.widths[0], network.widths[-1]
    grams = []
    for _, rows, _ in _layers(sample, sample, slice(0, outputs), by_point=True):
        pulled = None if rows is None else _of_points(rows)
        grams.append(eye(outputs, network.weights[0]) if pulled is None else product(pulled, pulled.swapaxes(-1, -2)))
    result = zeros((*sample.points.batch, sample.points.count, inputs, outputs, inputs, outputs), network.weights[0])
    forward: Array | None = None  # transposed Jacobian of the activations, (*batch, M, n_0, n_l)
    for depth, gram in enumerate(reversed(grams)):
        if depth:
            matrix = network.weights[depth - 1].swapaxes(-1, -2)[..., None, :, :]
            forward = (matrix if forward is None else product(forward, matrix)) * sample.slopes(depth).swapaxes(-1, -2)[
                ..., None, :
            ]
        inner = eye(inputs, result) if forward is None else product(forward, forward.swapaxes(-1, -2))
        result += inner[..., :, None, :, None] * gram[..., None, :, None, :]
    return sample.points.split(result.reshape((*result.shape[:-4], inputs * outputs, inputs * outputs)))


def ntk_matvec(network: FullyConnected, x: Array, vector: Array, /, *, biases: bool = True) -> Array:
    r""":math:`\Theta(X, X) v`, shapes ``(..., N, n_0), (..., N n_L) -> (..., N n_L)``, by one pass backward and one forward:
    the kernel matrix is not formed.

    Raises
    ------
    ValueError
        `x` is not an array that `network` accepts, or `vector` does not have one entry for each output of each point.

    Examples
    --------
    >>> print(ntk_matvec(from_matrix(rationals([[1]]), depth=2), rationals([[1], [2]]), rationals([1, 0])))
    [4 6]
    """
    biases = flag("biases", biases)
    x = _points(network, x, point_axes=1)
    vector = real_points("vector", vector, exact=network.is_exact)
    outputs = network.widths[-1]
    size, batch = x.shape[-2] * outputs, np.broadcast_shapes(x.shape[:-2], network.batch_shape)
    if vector.shape[-1:] != (size,):
        raise ValueError(f"vector must have shape (..., {size}), one entry for each output of each point, got {vector.shape}")
    if _common("the axes of x and vector before their points", batch, vector.shape[:-1]) != batch:
        raise ValueError(f"vector must have shape {(*batch, size)}, or broadcast to it, got {vector.shape}")
    sample = Sample(network, with_batch(x, batch, 2), point_axes=1)
    vector = with_batch(vector, batch, 1).reshape((*batch, x.shape[-2], outputs))
    columns, _ = as_columns(vector, len(network.batch_shape), point_axes=1)
    return sample.points.returned(_product_with(sample, columns, biases)).reshape((*batch, size))


def ntk_operator_norm(network: FullyConnected, x: Array, /, *, biases: bool = True, accuracy: float = 1e-10) -> Array:
    r"""Largest eigenvalue of the kernel matrix of a sample, shape ``(..., N, n_0) -> (...)``.

    Small matrices are formed (for rationals all are, and the result is a ball). Of large float ones the eigenvalue is found by
    Lanczos' method, from products with the matrix, to a relative `accuracy`.

    Raises
    ------
    ValueError
        `x` is not an array that `network` accepts, or `accuracy` is not between 0 and 1.

    Examples
    --------
    >>> round(float(ntk_operator_norm(from_matrix(np.array([[1.0]]), depth=2), np.array([[1.0]]))), 6)
    4.0
    """
    if not 0 < real_number("accuracy", accuracy) < 1:
        raise ValueError(f"accuracy must be between 0 and 1, got {accuracy}")
    biases = flag("biases", biases)
    x = _points(network, x, point_axes=1)
    size = x.shape[-2] * network.widths[-1]
    if network.is_exact or size <= LARGEST_DENSE:
        return operator_norm(ntk_gram(network, x, biases=biases))
    batch = np.broadcast_shapes(x.shape[:-2], network.batch_shape)
    points = with_batch(x, batch, 2)
    result = zeros(batch, network.weights[0])
    for index in np.ndindex(batch):
        network_at = network[index[len(index) - len(network.batch_shape) :]] if network.batch_shape else network
        result[index] = _lanczos(Sample(network_at, points[index], point_axes=1), size, biases, accuracy)
    return result


def _lanczos(sample: Sample, size: int, biases: bool, accuracy: float) -> Any:
    network = sample.network
    xp, dtype = array_module(network.weights[0]), network.weights[0].dtype
    sparse = import_module("scipy.sparse.linalg" if xp is np else "cupyx.scipy.sparse.linalg")

    def product_with(vector: Array) -> Array:
        columns = vector.reshape(-1, network.widths[-1]).swapaxes(0, 1)
        return _product_with(sample, columns, biases).swapaxes(0, 1).reshape(size)

    # drawn, and drawn the same way every time: a constant vector may be orthogonal to the eigenvector
    start = xp.asarray(np.random.default_rng(0).standard_normal(size), dtype=dtype)
    start_product = product_with(start)
    if not start_product.any():
        return 0  # the matrix is positive semi-definite, and the vector in general position
    operator = sparse.LinearOperator((size, size), matvec=product_with, dtype=dtype)
    tolerance = max(accuracy, 4 * float(np.finfo(dtype).eps))
    if xp is not np:
        # CuPy's is absolute; the eigenvalue is at least the growth of any vector
        tolerance *= float(((start_product * start_product).sum() / (start * start).sum()) ** 0.5)
    return sparse.eigsh(operator, k=1, v0=start, tol=tolerance, return_eigenvectors=False)[0]


def _product_with(sample: Sample, columns: Array, biases: bool) -> Array:
    """Kernel matrix of every sample times a vector given as columns ``(*batch, n_L, M)``, of the same shape."""
    layers = sample.points.layers
    gradients = []
    for depth in range(layers.depth, 0, -1):
        activations = sample.grouped(sample.activation(depth - 1, biases))
        gradients.append(layers.multiply(sample.grouped(columns), activations.swapaxes(-1, -2)))
        if depth > 1:
            columns = layers.multiply(layers.transposed[depth - 1], columns) * sample.slopes(depth - 1)
    pushed = None
    for depth, gradient in enumerate(reversed(gradients), start=1):
        change = sample.ungrouped(layers.multiply(gradient, sample.grouped(sample.activation(depth - 1, biases))))
        if pushed is not None:
            change = change + layers.multiply(layers.weights[depth - 1], pushed)
        pushed = change * sample.slopes(depth) if depth < layers.depth else change
    return change


def _points(network: Any, x: Any, point_axes: int = 0) -> Array:
    return checked_points(instance("network", network, FullyConnected), x, point_axes=point_axes)


def _pair(network: FullyConnected, x: Array, y: Array | None) -> tuple[Sample, Sample]:
    original = x
    x = _points(network, x, point_axes=1)
    if y is None or y is original:
        sample = Sample(network, x, point_axes=1)
        return sample, sample
    y = checked_points(network, y, "y", point_axes=1)
    _common("the axes of x and y before their points", x.shape[:-2], y.shape[:-2])
    axes = max(x.ndim, y.ndim)
    x, y = (points.reshape((1,) * (axes - points.ndim) + points.shape) for points in (x, y))
    most = max(math.prod(points.shape[:-1]) for points in (x, y))
    return Sample(network, x, point_axes=1, most=most), Sample(network, y, point_axes=1, most=most)


def _common(name: str, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(left, right)
    except ValueError:
        raise ValueError(f"{name} must broadcast, got {left} and {right}") from None


def _layers(left: Sample, right: Sample, outputs: slice, *, by_point: bool = False) -> Iterator[tuple[int, Any, Any]]:
    """``(l - 1, J(pre-activation l -> outputs) at the left and at the right points)`` for ``l = L, ..., 1``."""
    depths = reversed(range(left.network.depth))
    if left is right:
        for depth, rows in zip(depths, left.backward(outputs, by_point=by_point), strict=True):
            yield depth, rows, rows
    else:
        sweeps = (sample.backward(outputs, by_point=by_point) for sample in (left, right))
        yield from zip(depths, *sweeps, strict=True)


def _of_points(rows: Array) -> Array:
    """Backward Jacobians ``(*batch, n, M, c)`` as matrices ``(*batch, M, c, n)``."""
    xp = array_module(rows)
    return xp.ascontiguousarray(xp.moveaxis(rows, -3, -1))  # type: ignore[no-any-return]


def _output_slices(sample: Sample) -> list[slice]:
    widths = sample.network.widths
    per_output = math.prod(sample.points.batch) * sample.points.count * max(widths[1:])
    return pieces(widths[-1], ROWS_AT_ONCE // max(per_output, 1))


def _kernel(left: Sample, right: Sample, outputs: int) -> Array:
    """Zeros, shape ``(*batch, *extra, N * outputs, N' * outputs)``."""
    batch = np.broadcast_shapes(left.points.batch, right.points.batch)
    extra = np.broadcast_shapes(left.points.shape[:-1], right.points.shape[:-1])
    sizes = (points.shape[-1] * outputs for points in (left.points, right.points))
    return zeros((*batch, *extra, *sizes), left.network.weights[0])


def _add_sweep(result: Array, left: Sample, right: Sample, outputs: slice, biases: bool, *, traced: bool) -> None:
    """Add the layers' shares of `outputs` to the kernel matrix `result`; of a symmetric one, to the blocks on and below the
    diagonal.
    """
    for depth, left_rows, right_rows in _layers(left, right, outputs, by_point=not traced):
        first, second = (sample.grouped(sample.activation(depth, biases)) for sample in (left, right))
        if left_rows is None:
            _add_last_layer(result, left, right, (first, second), outputs.stop - outputs.start, traced=traced)
        else:
            _add_layer(result, left, right, (first, second), (left_rows, right_rows), traced=traced)
        del first, second  # or their segment would stay in memory beside the next one


def _add_layer(
    result: Array, left: Sample, right: Sample, activations: tuple[Array, Array], rows: tuple[Array, Array], *, traced: bool
) -> None:
    multiply = left.points.layers.multiply
    per_point = 1 if traced else rows[0].shape[-1]  # rows of the kernel matrix for each point
    factors = [
        sample.grouped(_flat(sample_rows, traced), per_point) for sample, sample_rows in zip((left, right), rows, strict=True)
    ]
    for part, columns in _tiles(left.points.shape[-1], right.points.shape[-1], per_point, symmetric=left is right):
        inner = multiply(activations[0][..., part].swapaxes(-1, -2), activations[1][..., columns])
        block = [slice(s.start * per_point, s.stop * per_point) for s in (part, columns)]
        gram = multiply(factors[0][..., block[0]].swapaxes(-1, -2), factors[1][..., block[1]])
        if traced:
            gram *= inner
        else:
            blocks = gram.reshape(
                (*gram.shape[:-2], part.stop - part.start, per_point, columns.stop - columns.start, per_point)
            )
            gram = (blocks * inner[..., :, None, :, None]).reshape(gram.shape)
        result[..., block[0], block[1]] += gram


def _add_last_layer(
    result: Array, left: Sample, right: Sample, activations: tuple[Array, Array], outputs: int, *, traced: bool
) -> None:
    """The share of the last layer: the Gram matrix of activations times the identity of the outputs."""
    multiply, per_point = left.points.layers.multiply, 1 if traced else outputs
    for part, columns in _tiles(left.points.shape[-1], right.points.shape[-1], per_point, symmetric=left is right):
        inner = multiply(activations[0][..., part].swapaxes(-1, -2), activations[1][..., columns])
        if traced:
            inner *= outputs
            result[..., part, columns] += inner
            continue
        for k in range(outputs):
            rows, across = (slice(s.start * outputs + k, s.stop * outputs, outputs) for s in (part, columns))
            result[..., rows, across] += inner


def _flat(rows: Array, traced: bool) -> Array:
    """``(*batch, n, c, M) -> (*batch, n * c, M)``, or ``(*batch, n, M, c) -> (*batch, n, M * c)``."""
    *batch, n, a, b = rows.shape
    return rows.reshape((*batch, n * a, b) if traced else (*batch, n, a * b))


def _tiles(rows: int, columns: int, per_point: int, *, symmetric: bool) -> list[tuple[slice, slice]]:
    """Blocks of a kernel matrix with `per_point` rows for each point; on and below the diagonal only for a symmetric one.

    The factors of a block on the diagonal are the same array, of whose product BLAS computes one half.
    """
    step = TILE // per_point
    row_parts, column_parts = pieces(rows, step), pieces(columns, step)
    return [
        (row_part, column_part)
        for row_part in row_parts
        for column_part in column_parts
        if not symmetric or column_part.stop <= row_part.stop
    ]


def _finished(result: Array, left: Sample, right: Sample, outputs: int) -> Array:
    """The blocks above the diagonal of a symmetric matrix from those below, and the axes as the points came."""
    if left is right:
        for part, columns in _tiles(left.points.shape[-1], left.points.shape[-1], outputs, symmetric=True):
            if columns.stop < part.stop:
                rows, across = (slice(s.start * outputs, s.stop * outputs) for s in (part, columns))
                result[..., across, rows] = result[..., rows, across].swapaxes(-1, -2)
    axes, extra = len(np.broadcast_shapes(left.points.batch, right.points.batch)), len(left.points.shape) - 1
    if not axes or not extra:
        return result
    return array_module(result).moveaxis(result, (*range(axes, axes + extra),), (*range(extra),))  # type: ignore[no-any-return]
