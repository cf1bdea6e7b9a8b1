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

from verify.arithmetic import Array, array_module
from verify.matrices import operator_norm
from verify.networks._arrays import eye, product, with_batch, zeros
from verify.networks._passes import Sample, as_rows, check_points, extra_first, row_slices, split_rows
from verify.networks.fully_connected import FullyConnected

ROWS_AT_ONCE = 2**21
"""Entries of the backward Jacobians that `ntk_trace_gram` holds at once: 16 MiB in float64."""

TILE = 2**16
"""Entries of a block of the kernel matrix below which it is not cut into smaller ones."""

LARGEST_DENSE = 256
"""Up to this size `ntk_operator_norm` forms the kernel matrix."""


def ntk(network: FullyConnected, x: Array, y: Array | None = None, /, *, biases: bool = True) -> Array:
    r""":math:`\Theta(x, y)`, shapes ``(..., n_0), (..., n_0) -> (..., n_L, n_L)``; without `y`, :math:`\Theta(x, x)`.

    Raises
    ------
    ValueError
        `x` or `y` is not an array that `network` accepts.
    """
    if y is None or y is x:
        left, right = Sample(network, x), None
    else:
        check_points(network, x)
        check_points(network, y, "y")
        shape = _common("the leading axes of x and y", x.shape[:-1], y.shape[:-1])
        left, right = (Sample(network, with_batch(points, shape, 1)) for points in (x, y))
    other = left if right is None else right
    outputs = network.widths[-1]
    result = zeros((*left.batch, left.count, outputs, outputs), network.weights[0])
    for depth, rows, pulled in _layers(left, right, slice(0, outputs)):
        inner = (left.activation(depth) * other.activation(depth)).sum(axis=-1)[..., None, None] + int(biases)
        result += inner * (eye(outputs, result) if rows is None else product(rows, pulled.swapaxes(-1, -2)))
    return _per_point(result, left)


def ntk_trace(network: FullyConnected, x: Array, /, *, biases: bool = True) -> Array:
    r""":math:`\mathrm{Tr}\,\Theta(x, x)`, shape ``(..., n_0) -> (...)``: the squared norm of the parameter Jacobian.

    Raises
    ------
    ValueError
        `x` is not an array that `network` accepts.
    """
    sample = Sample(network, x)
    result = zeros((*sample.batch, sample.count), network.weights[0])
    for chosen in _output_slices(sample):
        for depth, rows in zip(reversed(range(network.depth)), sample.backward(chosen), strict=True):
            activations = sample.activation(depth)
            squares = chosen.stop - chosen.start if rows is None else (rows * rows).sum(axis=(-2, -1))
            result += ((activations * activations).sum(axis=-1) + int(biases)) * squares
    return _per_point(result, sample)


def ntk_gram(network: FullyConnected, x: Array, y: Array | None = None, /, *, biases: bool = True) -> Array:
    r"""Kernel matrix of two samples: blocks :math:`\Theta(x_i, y_j)`, shapes ``(..., N, n_0), (..., N', n_0) ->
    (..., N n_L, N' n_L)``; output `o` of point `i` is row ``i * n_L + o``. Without `y`, of `x` with itself.

    Raises
    ------
    ValueError
        `x` or `y` is not an array that `network` accepts.
    """
    left, right = _pair(network, x, y)
    result = _kernel(left, right, network.widths[-1])
    _add_sweep(result, left, right, slice(0, network.widths[-1]), biases, traced=False)
    return _finished(result, left, right)


def ntk_trace_gram(network: FullyConnected, x: Array, y: Array | None = None, /, *, biases: bool = True) -> Array:
    r""":math:`\mathrm{Tr}\,\Theta(x_i, y_j)`, shapes ``(..., N, n_0), (..., N', n_0) -> (..., N, N')``.

    Of large samples it holds, besides the result, less than all their activations: some layers are computed again, and the
    backward Jacobians are those of a few outputs at a time.

    Raises
    ------
    ValueError
        `x` or `y` is not an array that `network` accepts.
    """
    left, right = _pair(network, x, y)
    result = _kernel(left, right, 1)
    for chosen in _output_slices(left):
        _add_sweep(result, left, right, chosen, biases, traced=True)
    return _finished(result, left, right)


def _pair(network: FullyConnected, x: Array, y: Array | None) -> tuple[Sample, Sample | None]:
    if y is None or y is x:
        return Sample(network, x, point_axes=1), None
    check_points(network, x, "x", 1)
    check_points(network, y, "y", 1)
    _common("the axes of x and y before their points", x.shape[:-2], y.shape[:-2])
    axes = max(x.ndim, y.ndim)
    x, y = (points.reshape((1,) * (axes - points.ndim) + points.shape) for points in (x, y))
    return Sample(network, x, point_axes=1), Sample(network, y, point_axes=1)


def _common(what: str, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(left, right)
    except ValueError:
        raise ValueError(f"{what} must broadcast, got {left} and {right}") from None


def _layers(left: Sample, right: Sample | None, outputs: slice) -> Iterator[tuple[int, Any, Any]]:
    """``(l - 1, J(pre-activation l -> outputs) at the left and at the right points)`` for ``l = L, ..., 1``."""
    depths = reversed(range(left.network.depth))
    if right is None:
        for depth, rows in zip(depths, left.backward(outputs), strict=True):
            yield depth, rows, rows
    else:
        yield from zip(depths, left.backward(outputs), right.backward(outputs), strict=True)


def _per_point(result: Array, sample: Sample) -> Array:
    """``(*batch, M, ...)`` as the points came."""
    return extra_first(split_rows(result, sample.points, sample.batch_axes), sample.batch_axes, len(sample.points))


def _output_slices(sample: Sample) -> list[slice]:
    widths = sample.network.widths
    per_output = math.prod(sample.batch) * sample.count * max(widths[1:])
    return row_slices(widths[-1], ROWS_AT_ONCE // max(per_output, 1))


def _kernel(left: Sample, right: Sample | None, outputs: int) -> Array:
    """Zeros, shape ``(*batch, *extra, N * outputs, N' * outputs)``."""
    other = left if right is None else right
    batch = np.broadcast_shapes(left.batch, other.batch)
    extra = np.broadcast_shapes(left.points[:-1], other.points[:-1])
    return zeros((*batch, *extra, left.points[-1] * outputs, other.points[-1] * outputs), left.network.weights[0])


def _add_sweep(result: Array, left: Sample, right: Sample | None, outputs: slice, biases: bool, *, traced: bool) -> None:
    """Add the layers' shares of `outputs` to the kernel matrix `result`; of a symmetric one, to the blocks on and below the
    diagonal.
    """
    other = left if right is None else right
    for depth, rows, pulled in _layers(left, right, outputs):
        first = split_rows(left.activation(depth), left.points, left.batch_axes)
        second = first if right is None else split_rows(other.activation(depth), other.points, other.batch_axes)
        per_point = 1 if traced else outputs.stop - outputs.start
        factors = None
        if rows is not None:
            factors = (_stacked(rows, left, per_point), _stacked(pulled, other, per_point))
        for part, columns in _tiles(left.points[-1], other.points[-1], symmetric=right is None):
            inner = product(first[..., part, :], second[..., columns, :].swapaxes(-1, -2))
            if biases:
                inner += 1
            if factors is None:
                _add_identity(result, inner, part, columns, outputs.stop - outputs.start, traced=traced)
                continue
            block_rows, block_columns = (slice(s.start * per_point, s.stop * per_point) for s in (part, columns))
            gram = product(factors[0][..., block_rows, :], factors[1][..., block_columns, :].swapaxes(-1, -2))
            if per_point > 1:
                blocks = gram.reshape(*gram.shape[:-2], part.stop - part.start, per_point, -1, per_point)
                blocks *= inner[..., :, None, :, None]
            else:
                gram *= inner
            result[..., block_rows, block_columns] += gram


def _stacked(rows: Array, sample: Sample, per_point: int) -> Array:
    """``(*batch, M, c, n)`` as ``(*batch, *extra, N * per_point, c * n / per_point)``."""
    *batch, _, outputs, width = rows.shape
    *extra, count = sample.points
    return rows.reshape(*batch, *extra, count * per_point, outputs * width // per_point)


def _add_identity(result: Array, inner: Array, part: slice, columns: slice, outputs: int, *, traced: bool) -> None:
    """The last layer's share: `inner` times the identity of the outputs."""
    if traced:
        inner *= outputs
        result[..., part, columns] += inner
        return
    for k in range(outputs):
        rows, across = (slice(s.start * outputs + k, s.stop * outputs, outputs) for s in (part, columns))
        result[..., rows, across] += inner


def _tiles(rows: int, columns: int, *, symmetric: bool) -> list[tuple[slice, slice]]:
    """Blocks of a kernel matrix, each about an eighth of it; on and below the diagonal only for a symmetric one."""
    parts = row_slices(rows, max(-(-rows // 8), TILE // max(columns, 1)))
    return [(part, slice(0, part.stop if symmetric else columns)) for part in parts]


def _finished(result: Array, left: Sample, right: Sample | None) -> Array:
    if right is None:
        outputs = result.shape[-1] // left.points[-1]
        for part, _ in _tiles(left.points[-1], left.points[-1], symmetric=True):
            rows, after = slice(part.start * outputs, part.stop * outputs), slice(part.stop * outputs, None)
            result[..., rows, after] = result[..., after, rows].swapaxes(-1, -2)
    return extra_first(result, left.batch_axes, len(left.points) - 1)


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
    """
    sample = Sample(network, x)
    inputs, outputs = network.widths[0], network.widths[-1]
    backward = [
        eye(outputs, network.weights[0]) if rows is None else product(rows, rows.swapaxes(-1, -2)) for rows in sample.backward()
    ]
    result = zeros((*sample.batch, sample.count, inputs, outputs, inputs, outputs), network.weights[0])
    forward: Array | None = None  # transposed Jacobian of the activations, (*batch, M, n_0, n_l)
    for depth, gram in enumerate(reversed(backward)):
        if depth:
            matrix = network.weights[depth - 1].swapaxes(-1, -2)[..., None, :, :]
            forward = (matrix if forward is None else product(forward, matrix)) * sample.slopes(depth)[..., None, :]
        inner = eye(inputs, result) if forward is None else product(forward, forward.swapaxes(-1, -2))
        result += inner[..., :, None, :, None] * gram[..., None, :, None, :]
    return _per_point(result.reshape(*result.shape[:-4], inputs * outputs, inputs * outputs), sample)


def ntk_matvec(network: FullyConnected, x: Array, vector: Array, /, *, biases: bool = True) -> Array:
    r""":math:`\Theta(X, X) v`, shapes ``(..., N, n_0), (..., N n_L) -> (..., N n_L)``, by one pass backward and one forward:
    the kernel matrix is not formed.

    Raises
    ------
    ValueError
        `x` is not an array that `network` accepts, or `vector` does not have one entry for each output of each point.
    """
    sample = Sample(network, x, point_axes=1)
    outputs = network.widths[-1]
    size, lead = sample.points[-1] * outputs, np.broadcast_shapes(x.shape[:-2], network.batch_shape)
    if vector.shape[-1:] != (size,):
        raise ValueError(f"vector must have shape (..., {size}), one entry for each output of each point, got {vector.shape}")
    if _common("the axes of x and vector before their points", lead, vector.shape[:-1]) != lead:
        raise ValueError(f"vector must have shape {(*lead, size)}, or broadcast to it, got {vector.shape}")
    vector = with_batch(vector, lead, 1).reshape(*lead, sample.points[-1], outputs)
    rows, _ = as_rows(vector, sample.batch_axes, point_axes=1)
    result = extra_first(_product_with(sample, rows, biases), sample.batch_axes, len(sample.points) - 1)
    return result.reshape(*lead, size)


def ntk_operator_norm(network: FullyConnected, x: Array, /, *, biases: bool = True, accuracy: float = 1e-10) -> Array:
    r"""Largest eigenvalue of the kernel matrix of a sample, shape ``(..., N, n_0) -> (...)``.

    Small matrices are formed (balls for rationals). Of large float ones the eigenvalue is found by Lanczos' method, products
    with the matrix, to a relative `accuracy`.

    Raises
    ------
    ValueError
        `x` is not an array that `network` accepts, or `accuracy` is not between 0 and 1.
    """
    if not 0 < accuracy < 1:
        raise ValueError(f"accuracy must be between 0 and 1, got {accuracy}")
    check_points(network, x, "x", 1)
    size = x.shape[-2] * network.widths[-1]
    if network.is_exact or size <= LARGEST_DENSE:
        return operator_norm(ntk_gram(network, x, biases=biases))
    lead = np.broadcast_shapes(x.shape[:-2], network.batch_shape)
    points = with_batch(x, lead, 2)
    result = zeros(lead, network.weights[0])
    for index in np.ndindex(lead):
        one = network[index[len(index) - len(network.batch_shape) :]] if network.batch_shape else network
        result[index] = _lanczos(Sample(one, points[index], point_axes=1), size, biases, accuracy)
    return result


def _lanczos(sample: Sample, size: int, biases: bool, accuracy: float) -> Any:
    xp = array_module(sample.rows)
    sparse = import_module("scipy.sparse.linalg" if xp is np else "cupyx.scipy.sparse.linalg")
    outputs = sample.network.widths[-1]

    def product_with(vector: Array) -> Array:
        return _product_with(sample, vector.reshape(-1, outputs), biases).reshape(size)

    dtype = sample.network.weights[0].dtype
    # drawn, and drawn the same way every time: a constant vector may be orthogonal to the eigenvector
    start = xp.asarray(np.random.default_rng(0).standard_normal(size), dtype=dtype)
    if not product_with(start).any():
        return 0  # the matrix is positive semi-definite, and the vector in general position
    operator = sparse.LinearOperator((size, size), matvec=product_with, dtype=dtype)
    reachable = max(accuracy, 4 * float(np.finfo(dtype).eps))
    return sparse.eigsh(operator, k=1, v0=start, tol=reachable, return_eigenvectors=False)[0]


def _product_with(sample: Sample, rows: Array, biases: bool) -> Array:
    """Kernel matrix of every sample times a vector given as rows ``(*batch, M, n_L)``, shape ``(*batch, *points, n_L)``."""
    network, axes = sample.network, sample.batch_axes
    activations = [split_rows(sample.activation(depth), sample.points, axes) for depth in range(network.depth)]
    slopes = [sample.slopes(depth) for depth in range(1, network.depth)]
    gradients = []
    for depth in range(network.depth - 1, -1, -1):
        pulled = split_rows(rows, sample.points, axes)
        gradients.append((product(pulled.swapaxes(-1, -2), activations[depth]), pulled.sum(axis=-2)[..., None, :]))
        if depth:
            rows = product(rows, network.weights[depth]) * slopes[depth - 1]
    pushed = None
    for depth, (weight_share, bias_share) in enumerate(reversed(gradients)):
        change = product(activations[depth], weight_share.swapaxes(-1, -2))
        if biases:
            change = change + bias_share
        if pushed is not None:
            change = change + split_rows(product(pushed, network.weights[depth].swapaxes(-1, -2)), sample.points, axes)
        if depth + 1 < network.depth:
            flat = change.reshape(*change.shape[:axes], sample.count, change.shape[-1])
            pushed = flat * slopes[depth]
    return change
