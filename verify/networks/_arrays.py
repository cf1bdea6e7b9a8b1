"""What activations and networks share about arrays: frozen copies, zeros of the right arithmetic, products."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, fmpq

from verify.numbers.arguments import listed, real_array, real_arrays, real_number
from verify.numbers.arithmetic import (
    UNKNOWN,
    Array,
    UndecidedInstances,
    array_module,
    certain_order,
    compare,
    is_exact,
    is_number,
    rationals,
)
from verify.numbers.exactness import ExactNumber


def frozen_copy(name: str, values: Any) -> Array:
    """Read-only copy of `values`: float32 for float32, float64 for other numbers, or an object array of rationals and balls.

    Raises
    ------
    TypeError, ValueError
        As for `verify.numbers.arguments.real_array`.
    """
    array = real_array(name, values)
    return frozen(array_module(array).array(array))


def frozen_copies(named: Iterable[tuple[str, Any]]) -> list[Array]:
    """`frozen_copy` of each, all in one arithmetic: see `verify.numbers.arguments.real_arrays`."""
    return [frozen(array_module(array).array(array)) for array in real_arrays(named)]


def named_list(name: str, values: Any) -> list[tuple[str, Any]]:
    """The entries of a list, each with the name that it has in an error.

    Raises
    ------
    TypeError
        `values` is no list.
    """
    return [(f"{name}[{k}]", value) for k, value in enumerate(listed(name, values))]


def frozen(array: Array) -> Array:
    """`array` itself, made read-only where it can be: CuPy's arrays have no such flag."""
    if isinstance(array, np.ndarray):
        array.flags.writeable = False
    return array


def as_float64(array: Array) -> Array:
    """`array` in float64, itself where it is."""
    return array.astype("float64", copy=False)


def zeros(shape: tuple[int, ...], like: Array) -> Array:
    """Zeros in the arithmetic and on the device of `like`, writable."""
    if is_exact(like):
        return np.full(shape, fmpq(0), dtype=object)
    xp = array_module(like)
    return xp.zeros(shape, dtype=like.dtype)  # type: ignore[no-any-return]


def eye(size: int, like: Array) -> Array:
    """Identity matrix in the arithmetic and on the device of `like`."""
    if is_exact(like):
        return rationals(np.eye(size, dtype=np.int64))
    xp = array_module(like)
    return xp.eye(size, dtype=like.dtype)  # type: ignore[no-any-return]


def product(left: Array, right: Array) -> Array:
    """``left @ right``; over an empty inner axis the zeros are of the right arithmetic (NumPy's are integers there)."""
    result: Array = left @ right
    if left.shape[-1] == 0 and is_exact(left):
        return zeros(result.shape, left)
    return result


def apply_to_vector(matrix: Array, vector: Array) -> Array:
    """``matrix @ vector``, shapes ``(..., m, n)`` and ``(..., n)``."""
    return product(matrix, vector[..., None])[..., 0]


def with_batch(array: Array, batch: tuple[int, ...], trailing: int) -> Array:
    """`array` as a view whose batch axes, all but the `trailing` ones, are `batch`."""
    shape = batch + array.shape[array.ndim - trailing :]
    if array.shape == shape:
        return array
    view: Array = array_module(array).broadcast_to(array, shape)
    return view


def chosen_networks(index: Any, batch: tuple[int, ...], like: Array) -> Callable[[Array], Array]:
    """What takes the networks at `index` of the batch out of an array ``(*batch, ...)`` of the library of `like`.

    Raises
    ------
    TypeError
        There are no batch axes.
    """
    if not batch:
        raise TypeError("the batch shape of this network is (): it cannot be indexed")
    count = math.prod(batch)
    places = array_module(like).arange(count).reshape(batch)[index]  # the index can then not reach the last axes
    return lambda array: array.reshape(count, *array.shape[len(batch) :])[places]


def nonzero(array: Array) -> Array:
    """Boolean array: entries that are not zero, or not known to be."""
    if is_exact(array):
        # whether a ball is known to be zero, which a comparison would refuse to say of one that may be
        known = np.frompyfunc(lambda entry: entry.is_zero() if isinstance(entry, arb) else entry == 0, 1, 1)(array)
        return ~np.asarray(known, dtype=bool)
    differs: Array = array != 0
    return differs


def positive(name: str, array: Array) -> Array:
    """Boolean array: entries above zero.

    Raises
    ------
    UndecidedInstances
        The sign of a ball is not decided.
    """
    if not is_exact(array):
        above: Array = array > 0
        return above
    return decided(f"the sign of {name}", certain_order(array, 0)) > 0


def decided(name: str, order: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """`order`, a result of `certain_order`, when it is known everywhere.

    Raises
    ------
    UndecidedInstances
        It is not.
    """
    undecided = order == UNKNOWN
    if undecided.any():
        raise UndecidedInstances(
            f"{name} is not decided at the working precision: see verify.numbers.arithmetic.precision", undecided
        )
    return order


def equal(left: Any, right: Any) -> bool:
    """Whether two arrays or scalars are equal after broadcasting."""
    if (
        is_exact(left)
        or is_exact(right)
        or isinstance(left, fmpq | arb | ExactNumber)
        or isinstance(right, fmpq | arb | ExactNumber)
    ):
        return bool((compare(left, right) == 0).all())
    return bool(array_module(left if hasattr(left, "dtype") else right).all(left == right))


def as_array(values: Any) -> Array:
    """`values` as an array of its library: NumPy returns a bare entry where no axes are left."""
    if isinstance(values, fmpq | arb | ExactNumber):
        entry = np.empty((), dtype=object)
        entry[()] = values
        return entry
    array: Array = array_module(values).asarray(values)
    return array


def check_batches(**shapes: tuple[int, ...]) -> None:
    """The batch axes of what the arguments name broadcast together.

    Raises
    ------
    ValueError
        They do not.
    """
    try:
        np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{shape} of {name}" for name, shape in shapes.items())
        raise ValueError(f"batch axes must broadcast, got {listed}") from None


def real_points(name: str, values: Any, *, exact: bool) -> Array:
    """Points as by `verify.numbers.arguments.real_array`, in the arithmetic of a network."""
    return real_array(name, values, exact, "the network")


def checked_shift(name: str, values: Any, width: int, like: Array) -> Array:
    """One number for each neuron, shape ``(*batch, width)``, in the arithmetic of `like`.

    Raises
    ------
    TypeError, ValueError
        As for `real_points`, or another shape.
    """
    array = real_points(name, values, exact=is_exact(like))
    if array.shape[-1:] != (width,):
        raise ValueError(f"{name} must have shape (*batch, {width}), one number for each neuron, got {array.shape}")
    return array


def number_like(name: str, value: Any, like: Array) -> Array:
    """A number, or one for each instance of a batch, as an array in the arithmetic and on the device of `like`.

    Integers, `Fraction` and `flint.fmpq` are at home in both arithmetics; a float, and an array of floats, in floats only.

    Raises
    ------
    TypeError
        `value` is no number and no array of numbers.
    ValueError
        It is not finite, or a float where `like` is exact, or exact where `like` holds floats.
    """
    exact, xp = is_exact(like), array_module(like)
    if is_number(value) and not isinstance(value, arb | np.generic | float):
        number = real_number(name, value, exact=exact)
        return rationals(number) if exact else xp.asarray(number, dtype=like.dtype)
    array = real_array(name, value, exact)
    return array if exact else xp.asarray(array, dtype=like.dtype)
