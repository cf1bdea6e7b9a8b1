"""Affine maps of a network on cells given by their signs: in floats with error bounds, modulo a prime, and exactly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from flint import fmpq, fmpz, fmpz_mat

from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, rational
from verify.piecewise.cells.integer_network import IntegerNetwork, read_only
from verify.piecewise.skeleton.bounds import Sizes
from verify.piecewise.skeleton.cut import Floats, activation_slopes

Signs = Sequence[npt.NDArray[np.bool_]]
"""Which hidden pre-activations are positive, one array ``(n, n_l)`` for each hidden layer."""

PRIMES = (2097143, 2097133)
"""Below 2^21, so that sums of 2048 products of remainders are exact in floats."""

TERMS = 2048


def affine_maps(network: FullyConnected, signs: Signs) -> tuple[Floats, Floats, Floats]:
    """``A``, shape ``(n, n_L, d)``, and ``c``, shape ``(n, n_L)``, and a bound of the Frobenius norm of the error of A.

    The maps are multiplied up from the side with fewer rows.
    """
    positive, negative = activation_slopes(network)
    largest = max(abs(positive), abs(negative))
    slopes = [np.where(layer, positive, negative) for layer in signs]
    count = len(signs[0]) if signs else 1
    error = np.zeros(count)
    if network.widths[-1] <= network.widths[0]:
        matrix, offset = (np.repeat(last[None], count, axis=0) for last in (network.weights[-1], network.biases[-1]))
        for slope, weight, bias in zip(slopes[::-1], network.weights[-2::-1], network.biases[-2::-1], strict=True):
            matrix = matrix * slope[:, None, :]
            offset = offset + matrix @ bias
            error = _error_after(Sizes.of(weight, bias), largest, error, matrix)
            matrix = matrix @ weight
        return matrix, offset, error
    columns = np.concatenate([network.weights[0], network.biases[0][:, None]], axis=1).T
    columns = np.repeat(columns[None], count, axis=0)
    for slope, weight, bias in zip(slopes, network.weights[1:], network.biases[1:], strict=True):
        columns = columns * slope[:, None, :]
        error = _error_after(Sizes.of(weight, bias), largest, error, columns[:, :-1])
        columns = columns @ weight.T
        columns[:, -1] += bias
    return np.ascontiguousarray(columns[:, :-1].swapaxes(1, 2)), columns[:, -1].copy(), error


def _error_after(size: Sizes, slope: float, error: Floats, matrix: Floats) -> Floats:
    """Error of a matrix with a given error after a slope and one more weight; the slope is in `matrix` already."""
    norms: Floats = np.sqrt(np.einsum("ijk,ijk->i", matrix, matrix))
    return size.spectral * slope * error + size.rounding * size.frobenius * norms


def jacobians_modulo(network: FullyConnected, signs: Signs, prime: int) -> npt.NDArray[np.int64]:
    """Jacobians modulo a prime, shape ``(n, n_L, d)``: floats are fractions with powers of two, which have inverses."""
    activation = network.activation
    positive, negative = (_remainder_of(rational(slope), prime) for slope in (activation.positive, activation.negative))
    weights = [_remainders(weight, prime) for weight in network.weights]
    slopes = [np.where(layer, positive, negative) for layer in signs]
    count = len(signs[0]) if signs else 1
    if network.widths[-1] <= network.widths[0]:
        rows = np.repeat(weights[-1][None], count, axis=0)
        for slope, weight in zip(slopes[::-1], weights[-2::-1], strict=True):
            rows = _product_modulo(_reduced(rows * slope[:, None, :], prime), weight, prime)
        return rows.astype(np.int64)
    rows = np.repeat(weights[0].T[None], count, axis=0)
    for slope, weight in zip(slopes, weights[1:], strict=True):
        rows = _product_modulo(_reduced(rows * slope[:, None, :], prime), weight.T, prime)
    return rows.swapaxes(1, 2).astype(np.int64)


def _remainder_of(value: fmpq, prime: int) -> float:
    if value.q % prime == 0:
        raise ValueError(f"the denominator of the slope {value} is a multiple of {prime}")
    return float(int(value.p) * pow(int(value.q), -1, prime) % prime)


def _remainders(matrix: Floats, prime: int) -> Floats:
    fraction, exponent = np.frexp(matrix)
    mantissa = (fraction * 2.0**53).astype(np.int64) % prime
    shifts, place = np.unique(exponent - 53, return_inverse=True)
    powers = np.array([pow(2, int(shift), prime) for shift in shifts], dtype=np.int64)
    return (mantissa * powers[place.reshape(matrix.shape)] % prime).astype(np.float64)


def _reduced(values: Floats, prime: int) -> Floats:
    """Remainders of integers below 2^53, exactly."""
    values = values - np.floor(values / prime) * prime  # the quotient may be off by one
    values += np.where(values < 0, prime, 0)
    values -= np.where(values >= prime, prime, 0)
    return values


def _product_modulo(left: Floats, right: Floats, prime: int) -> Floats:
    total = np.zeros((*left.shape[:-1], right.shape[-1]))
    for start in range(0, len(right), TERMS):
        part = slice(start, start + TERMS)
        total = _reduced(total + _reduced(left[..., part] @ right[part], prime), prime)
    return total


def ranks_modulo(matrices: npt.NDArray[np.int64], prime: int) -> npt.NDArray[np.int64]:
    """Ranks modulo a prime, shape ``(n, r, c) -> (n,)``, by elimination in all matrices at once."""
    if matrices.shape[1] < matrices.shape[2]:
        matrices = matrices.swapaxes(1, 2)
    matrices = matrices % prime
    is_pivot = np.zeros(matrices.shape[:2], dtype=bool)
    numbers = np.arange(len(matrices))
    for column in range(matrices.shape[2]):
        possible = (matrices[:, :, column] != 0) & ~is_pivot
        pivot = possible.argmax(axis=1)
        has_pivot = possible.any(axis=1)
        row = matrices[numbers, pivot]
        # multiplied by the pivot instead of divided: the other rows keep their span
        eliminated = matrices * row[:, None, column, None] % prime - matrices[:, :, column, None] * row[:, None, :] % prime
        is_pivot[numbers[has_pivot], pivot[has_pivot]] = True
        matrices = np.where((has_pivot[:, None] & ~is_pivot)[..., None], eliminated % prime, matrices)
    ranks: npt.NDArray[np.int64] = is_pivot.sum(axis=1)
    return ranks


def exact_preactivations(network: IntegerNetwork, signs: Signs) -> list[tuple[fmpz_mat, fmpz]]:
    """All pre-activations and the outputs on one cell, layer by layer: integer rows over ``(x, 1)``, and their denominator.

    The signs have shapes ``(1, n_l)``.
    """
    result = [network.first()]
    for layer, positive in enumerate(signs):
        rows, scale = result[-1]
        result.append(network.following(layer, rows.tolist(), scale, tuple(np.where(positive[0], 1, -1).tolist())))
    return result


def exact_jacobian(network: IntegerNetwork, signs: Signs) -> Array:
    """The Jacobian on one cell, in rationals, shape ``(n_L, d)``."""
    rows, scale = exact_preactivations(network, signs)[-1]
    return read_only([fmpq(x, scale) for row in rows.tolist() for x in row[:-1]], (rows.nrows(), network.inputs))
