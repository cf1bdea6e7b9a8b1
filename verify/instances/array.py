"""Arrays of one instance: a statement sees one matrix, the engine evaluates ten thousand.

`InstanceArray` hides the leading batch axes of an array. Whatever NumPy does with an array of one instance (operators, slices,
``sum``, ``numpy.concatenate``, ``numpy.where``, ``numpy.einsum``) it does for every instance of the batch, in floats, on
rationals, on balls and on traced numbers alike. So a statement is a plain function of one instance, in NumPy's semantics.

What cannot be done for a batch at once (an ``if`` on a value, Python's ``max``, a function that is not known here) is done
instance by instance, with the same result: see `one_by_one`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Any, cast

import numpy as np
from flint import arb, fmpq, fmpz

from verify.instances import integers
from verify.numbers import arithmetic
from verify.numbers.arithmetic import Array, array_module, compare
from verify.numbers.exactness import ExactNumber, in_exact_evaluation
from verify.numbers.measured import Measured


class NeedsOneInstance(Exception):
    """A batch was asked for what only one instance can answer: a truth value, a float, an index."""


PLACES = {int, slice, type(None), type(Ellipsis)}
"""What an index is made of, where nothing is gathered."""
NUMBERS = (int, float, np.generic, Fraction, fmpq, fmpz, arb, ExactNumber)


INSTEAD: dict[Any, str] = {}
"""What to write for a function of NumPy that has no exact form here."""
COMPLEX = (np.linalg.eig, np.linalg.eigvals, np.roots)
"""Those whose floats are complex, which no statement compares."""
FUNCTIONS: dict[Any, Callable[..., Any]] = {}
"""What stands for functions of NumPy; `verify.instances.functions` fills it. All others are done instance by instance."""


def _operator(ufunc: Any, plain: Callable[[Any, Any], Any], *, reflected: bool = False) -> Callable[[InstanceArray, Any], Any]:
    def method(self: InstanceArray, other: Any) -> Any:
        # what statements do most, before the general way: it has to look at many cases
        values, lead, kind = self.values, self.lead, self.values.dtype.kind
        if type(other) is InstanceArray:
            if other.lead == lead and other.values.dtype.kind == kind and kind in "fO":
                others = other.values
                missing = others.ndim - values.ndim
                if missing > 0:
                    values = values.reshape(values.shape[:lead] + (1,) * missing + values.shape[lead:])
                elif missing < 0:
                    others = others.reshape(others.shape[:lead] + (1,) * -missing + others.shape[lead:])
                return InstanceArray(plain(others, values) if reflected else plain(values, others), lead)
        elif kind == "f":
            if type(other) is int or (
                type(other) is type(values) is np.ndarray and other.ndim + lead <= values.ndim and other.dtype.kind in "if"
            ):
                return InstanceArray(plain(other, values) if reflected else plain(values, other), lead)
        elif type(other) is int and kind == "O":
            return InstanceArray(plain(fmpq(other), values) if reflected else plain(values, fmpq(other)), lead)
        if isinstance(other, Measured):
            return NotImplemented
        return apply_ufunc(ufunc, other, self) if reflected else apply_ufunc(ufunc, self, other)

    return method


def _plain_operator(ufunc: Any, *, reflected: bool = False) -> Callable[[InstanceArray, Any], Any]:
    def method(self: InstanceArray, other: Any) -> Any:
        if ufunc is np.matmul and type(other) is InstanceArray:
            return _matmul(other, self) if reflected else _matmul(self, other)
        if ufunc in ORDERS and self.values.dtype.char == "d" and type(self.values) is np.ndarray and type(other) is int:
            return _ordered(ufunc, self.values, other, self.lead)
        return apply_ufunc(ufunc, other, self) if reflected else apply_ufunc(ufunc, self, other)

    return method


def _power(base: InstanceArray, exponent: Any) -> Any:
    if isinstance(exponent, int | np.integer) and not isinstance(exponent, bool):
        if base.values.dtype.kind in "biu":
            base = base.astype(float)
        return InstanceArray(array_of_number(base.values ** int(exponent)), base.lead)
    if isinstance(exponent, Fraction | fmpq):
        return InstanceArray(
            arithmetic.power(base.values, Fraction(int(exponent.numerator), int(exponent.denominator))), base.lead
        )
    return apply_ufunc(np.power, base, exponent)


class InstanceArray:
    """An array of one instance; the first `lead` axes of `values` are a batch that nobody sees.

    It has NumPy's interface as far as that is the same for every instance. It cannot be written to: `numpy.where`,
    `numpy.concatenate`, `numpy.stack` and `verify.words.block` build others.

    Parameters
    ----------
    values
        Floats (NumPy's or CuPy's), or an array of exact numbers.
    lead
        Number of batch axes.
    """

    __slots__ = ("lead", "values")
    __array_priority__ = 1000
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: Any, lead: int) -> None:
        if type(values) is not np.ndarray and (not hasattr(values, "ndim") or isinstance(values, np.generic)):
            values = array_of_number(values)
        self.values, self.lead = values, lead

    # what it is

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of one instance."""
        return tuple(self.values.shape[self.lead :])

    @property
    def ndim(self) -> int:
        """Number of axes of one instance."""
        return int(self.values.ndim) - self.lead

    @property
    def size(self) -> int:
        """Number of entries of one instance."""
        return math.prod(self.shape)

    @property
    def dtype(self) -> Any:
        """That of `values`."""
        return self.values.dtype

    @property
    def T(self) -> InstanceArray:
        """With the axes in reverse order."""
        return self.transpose()

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of a number")
        return self.shape[0]

    def __iter__(self) -> Iterator[InstanceArray]:
        return (self[place] for place in range(len(self)))

    def __repr__(self) -> str:
        batch = self.values.shape[: self.lead]
        return repr(self.values) if not batch else f"<array of shape {self.shape}, for {batch} instances>"

    def instances(self, index: Any) -> InstanceArray:
        """Those instances of the batch; with an integer, one of them."""
        values = self.values[index]
        return InstanceArray(values, self.lead - (values.ndim < self.values.ndim))

    @property
    def count(self) -> int:
        """Number of instances of the batch."""
        return int(self.values.shape[0]) if self.lead else 1

    def alone(self, place: int) -> Array:
        """The plain array of one instance."""
        if not self.lead:
            return self.values  # type: ignore[no-any-return]
        return self.values[place if self.values.shape[0] > 1 else 0]  # type: ignore[no-any-return]

    # truth values and numbers, which one instance has

    def _only(self, what: str) -> Any:
        if self.values.size != 1:
            if self.size == 1:
                raise NeedsOneInstance(f"{what} of a number of each instance")
            raise ValueError(
                f"the truth value of an array with {self.size} entries is ambiguous: write .all() or .any()"
                if what == "a truth value"
                else f"{what} is asked of an array of shape {self.shape}"
            )
        return self.values.reshape(-1)[0]

    def __bool__(self) -> bool:
        return bool(self._only("a truth value"))

    def __float__(self) -> float:
        return float(self._only("a float"))

    def __int__(self) -> int:
        return int(self._only("an integer"))

    def __index__(self) -> int:
        return operator.index(_integer(self._only("an index")))

    def __round__(self, digits: int | None = None) -> Any:
        return round(self._only("a rounded number"), digits)

    def __floor__(self) -> InstanceArray:
        return np.floor(self)  # type: ignore[no-any-return]

    def __ceil__(self) -> InstanceArray:
        return np.ceil(self)  # type: ignore[no-any-return]

    def item(self) -> Any:
        """The number, of an array with one entry."""
        return self._only("a number")

    # parts and shapes

    def __getitem__(self, key: Any) -> InstanceArray:
        keys = key if isinstance(key, tuple) else (key,)
        if all(type(key) in PLACES for key in keys):
            return InstanceArray(self.values[(slice(None),) * self.lead + keys], self.lead)
        gathered = [place for place, key in enumerate(keys) if isinstance(key, InstanceArray | np.ndarray | list)]
        if any(isinstance(keys[place], InstanceArray) for place in gathered) or (
            gathered and sum(not isinstance(key, slice) and key is not None and key is not Ellipsis for key in keys) > 1
        ):
            return one_by_one(lambda array, *keys: array[tuple(map(_places, keys))], self, *keys)  # type: ignore[no-any-return]
        return InstanceArray(self.values[(slice(None),) * self.lead + keys], self.lead)

    def reshape(self, *shape: Any) -> InstanceArray:
        """As `numpy.ndarray.reshape`, of one instance."""
        wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
        wanted = tuple(self.size // -int(math.prod(wanted)) if length == -1 else int(length) for length in wanted)
        return InstanceArray(self.values.reshape(self.values.shape[: self.lead] + wanted), self.lead)

    def ravel(self) -> InstanceArray:
        """All entries in a row."""
        return self.reshape(self.size)

    flatten = ravel

    def transpose(self, *axes: Any) -> InstanceArray:
        """As `numpy.ndarray.transpose`, of one instance."""
        order = axes[0] if len(axes) == 1 and isinstance(axes[0], tuple | list) else axes
        order = [axis % self.ndim for axis in order] or list(range(self.ndim))[::-1]
        return InstanceArray(self.values.transpose(*range(self.lead), *(self.lead + place for place in order)), self.lead)

    def swapaxes(self, first: int, second: int) -> InstanceArray:
        """As `numpy.ndarray.swapaxes`."""
        return InstanceArray(self.values.swapaxes(self._axis(first), self._axis(second)), self.lead)

    def diagonal(self) -> InstanceArray:
        """The diagonal of a matrix."""
        return InstanceArray(self.values.diagonal(0, self._axis(0), self._axis(1)), self.lead)

    def trace(self) -> InstanceArray:
        """The sum of the diagonal of a matrix."""
        return self.diagonal().sum()

    def copy(self) -> InstanceArray:
        """Itself: it is never written to."""
        return self

    def astype(self, dtype: Any) -> InstanceArray:
        """Integers and truth values as exact numbers or floats, after the evaluation; other numbers stay what they are."""
        if self.values.dtype.kind in "biu" and np.dtype(dtype).kind in "fO":
            return InstanceArray(exact_integers(self.values) if in_exact_evaluation() else self.values.astype(float), self.lead)
        if np.dtype(dtype).kind in "fO":
            return self
        return one_by_one(lambda array: array.astype(dtype), self)  # type: ignore[no-any-return]

    # reductions

    def _axis(self, axis: int) -> int:
        axis = operator.index(axis)
        if not -self.ndim <= axis < self.ndim:
            raise ValueError(f"axis must be one of the {self.ndim} axes of an array of shape {self.shape}, got {axis}")
        return self.lead + axis % self.ndim

    def _axes(self, axis: Any) -> tuple[int, ...]:
        if axis is None:
            return tuple(range(self.lead, self.values.ndim))
        return tuple(map(self._axis, axis)) if isinstance(axis, tuple | list) else (self._axis(axis),)

    def sum(self, axis: Any = None, keepdims: bool = False) -> InstanceArray:
        """Sum of the entries, or along axes."""
        total = self.values.sum(axis=self._axes(axis), keepdims=keepdims)
        if self.values.dtype.kind == "O" and not self.values.size:
            total = exact_integers(array_of_number(total))
        return InstanceArray(total, self.lead)

    def mean(self, axis: Any = None, keepdims: bool = False) -> InstanceArray:
        """Mean of the entries, or along axes."""
        count = math.prod(self.values.shape[own_axis] for own_axis in self._axes(axis))
        return self.sum(axis, keepdims) / count  # type: ignore[no-any-return]

    def var(self) -> InstanceArray:
        """Mean of the squared distances from the mean of all entries."""
        return cast(InstanceArray, FUNCTIONS[np.var](self))

    def std(self) -> InstanceArray:
        """Root of the mean of the squared distances from the mean of all entries."""
        return cast(InstanceArray, FUNCTIONS[np.std](self))

    def clip(self, least: Any = None, largest: Any = None) -> InstanceArray:
        """The entries, between two numbers or arrays."""
        above = self if least is None else apply_ufunc(np.maximum, self, least)
        return cast(InstanceArray, above if largest is None else apply_ufunc(np.minimum, above, largest))

    def round(self, decimals: int = 0) -> InstanceArray:
        """The nearest integers, the even one of two."""
        return cast(InstanceArray, np.round(self, decimals))  # type: ignore[call-overload]

    def prod(self, axis: Any = None, keepdims: bool = False) -> InstanceArray:
        """Product of the entries, or along axes."""
        product = self.values.prod(axis=self._axes(axis), keepdims=keepdims)
        if self.values.dtype.kind == "O" and not self.values.size:
            product = exact_integers(array_of_number(product))
        return InstanceArray(product, self.lead)

    def cumsum(self, axis: int | None = None) -> InstanceArray:
        """Sums of the first entries, along one axis."""
        array = self.ravel() if axis is None else self
        return InstanceArray(array.values.cumsum(axis=array._axis(axis or 0)), array.lead)

    def all(self, axis: Any = None) -> InstanceArray:
        """Whether all entries are true."""
        return InstanceArray(truth(self).all(axis=self._axes(axis)), self.lead)

    def any(self, axis: Any = None) -> InstanceArray:
        """Whether an entry is true."""
        return InstanceArray(truth(self).any(axis=self._axes(axis)), self.lead)

    def max(self, axis: Any = None) -> InstanceArray:
        """Largest entry."""
        return self._extreme(arithmetic.largest, axis)

    def min(self, axis: Any = None) -> InstanceArray:
        """Smallest entry."""
        return self._extreme(arithmetic.smallest, axis)

    def _extreme(self, function: Callable[[Array, int], Array], axis: Any) -> InstanceArray:
        axes = self._axes(axis)
        kept = [axis for axis in range(self.values.ndim) if axis not in axes]
        moved = self.values.transpose(*kept, *axes)
        return InstanceArray(function(moved.reshape(*moved.shape[: len(kept)], -1), -1), self.lead)

    def argmax(self, axis: int | None = None) -> InstanceArray:
        """Place of the largest entry, the first of several."""
        array = self.ravel() if axis is None else self
        return InstanceArray(array.values.argmax(axis=array._axis(axis or 0)), array.lead)

    def argmin(self, axis: int | None = None) -> InstanceArray:
        """Place of the smallest entry, the first of several."""
        return (-self).argmax(axis)

    def dot(self, other: Any) -> InstanceArray:
        """As `numpy.dot` of vectors and matrices."""
        return np.dot(self, other)  # type: ignore[no-any-return, call-overload]

    __add__, __radd__ = _operator(np.add, operator.add), _operator(np.add, operator.add, reflected=True)
    __sub__, __rsub__ = _operator(np.subtract, operator.sub), _operator(np.subtract, operator.sub, reflected=True)
    __mul__, __rmul__ = _operator(np.multiply, operator.mul), _operator(np.multiply, operator.mul, reflected=True)
    __truediv__ = _operator(np.true_divide, operator.truediv)
    __rtruediv__ = _operator(np.true_divide, operator.truediv, reflected=True)
    __matmul__, __rmatmul__ = _plain_operator(np.matmul), _plain_operator(np.matmul, reflected=True)
    __floordiv__, __rfloordiv__ = _plain_operator(np.floor_divide), _plain_operator(np.floor_divide, reflected=True)
    __mod__, __rmod__ = _plain_operator(np.remainder), _plain_operator(np.remainder, reflected=True)
    __and__, __rand__ = _plain_operator(np.bitwise_and), _plain_operator(np.bitwise_and, reflected=True)
    __or__, __ror__ = _plain_operator(np.bitwise_or), _plain_operator(np.bitwise_or, reflected=True)
    __xor__, __rxor__ = _plain_operator(np.bitwise_xor), _plain_operator(np.bitwise_xor, reflected=True)
    __lt__, __le__ = _plain_operator(np.less), _plain_operator(np.less_equal)
    __gt__, __ge__ = _plain_operator(np.greater), _plain_operator(np.greater_equal)
    __eq__, __ne__ = _plain_operator(np.equal), _plain_operator(np.not_equal)
    __pow__, __rpow__ = _power, _plain_operator(np.power, reflected=True)

    def __neg__(self) -> InstanceArray:
        return InstanceArray(-self.values, self.lead)

    def __pos__(self) -> InstanceArray:
        return self

    def __abs__(self) -> Any:
        return apply_ufunc(np.absolute, self)

    def __invert__(self) -> InstanceArray:
        return InstanceArray(~truth(self), self.lead)

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **options: Any) -> Any:
        if method != "__call__" or options.pop("out", None) is not None:
            return one_by_one(getattr(ufunc, method), *operands, **options)
        return apply_ufunc(ufunc, *operands, **options)

    def __array_function__(self, function: Any, types: Any, operands: Any, options: Any) -> Any:
        known = FUNCTIONS.get(function)
        if known is not None:
            answer = known(*operands, **options)
            if answer is not NotImplemented:
                return answer
        exact = any(leaf.dtype.kind == "O" for leaf in batch_leaves([*operands]))
        if function in INSTEAD and (exact or function in COMPLEX):
            name = f"{function.__module__}.{function.__name__}"
            raise TypeError(f"{name} has no exact form: {INSTEAD[function]}")
        return one_by_one(function, *operands, **options)


def array_of_number(value: Any) -> Array:
    """A number, or what a reduction left of an array of objects, as an array."""
    if isinstance(value, np.ndarray) or array_module(value) is not np:
        return value  # type: ignore[no-any-return]
    if isinstance(value, fmpq | arb | fmpz | ExactNumber | Fraction):
        result = np.empty((), dtype=object)
        result[()] = arithmetic.rational(value) if isinstance(value, fmpz | Fraction) else value
        return result
    return np.asarray(value)


def _integer(value: Any) -> Any:
    return int(value.p) if isinstance(value, fmpq) and value.q == 1 else value


def exact_integers(values: Array) -> Array:
    """Integers and truth values as rationals; what is exact already stays."""
    entries = np.frompyfunc(lambda entry: fmpq(int(entry)) if isinstance(entry, int | np.integer | np.bool_) else entry, 1, 1)
    return array_of_number(entries(values)).astype(object)


def truth(array: InstanceArray) -> Array:
    values = array.values
    if values.dtype.kind == "O":  # the answers of objects
        if not all(isinstance(entry, bool | np.bool_) for entry in values.flat):
            return np.asarray(compare(values, 0) != 0)
        return values.astype(bool)  # type: ignore[no-any-return]
    return values  # type: ignore[no-any-return]


# Operators


def core_ndim(value: Any) -> int:
    """Number of axes of one instance."""
    return int(value.ndim) if isinstance(value, InstanceArray) else np.ndim(value)


def aligned(value: Any, ndim: int) -> Any:
    """The batch axes, then axes of length one, then those of the instance, `ndim` in all behind the batch."""
    if not isinstance(value, InstanceArray):
        return value
    missing = ndim - value.ndim
    if missing <= 0:
        return value.values
    shape = value.values.shape
    return value.values.reshape(shape[: value.lead] + (1,) * missing + shape[value.lead :])


def gathered(value: Any) -> Any:
    """`value`; of lists and arrays of objects that hold arrays of instances, one array of instances."""
    if type(value) is InstanceArray:
        return value
    if holds_instances(value):
        return FUNCTIONS[np.stack]([gathered(entry) for entry in value])
    if isinstance(value, list | tuple) and _mentions(value):
        return FUNCTIONS[np.stack]([gathered(entry) for entry in value])
    return value


def _mentions(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_mentions, value))
    return isinstance(value, InstanceArray) or (
        isinstance(value, np.ndarray) and value.dtype.kind == "O" and holds_instances(value)
    )


def holds_instances(value: Any) -> bool:
    """Whether it is an array of objects that NumPy made of arrays of instances."""
    if not isinstance(value, np.ndarray) or value.dtype.kind != "O":
        return False
    return any(isinstance(entry, InstanceArray) for entry in value.flat)


def lead_of(*values: Any) -> int:
    """The number of batch axes."""
    return max((value.lead for value in values if isinstance(value, InstanceArray)), default=0)


LOGICAL = {
    *(np.logical_and, np.logical_or, np.logical_xor, np.logical_not),
    *(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert),
}
OPERATORS: dict[Any, Callable[..., Any]] = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.true_divide: operator.truediv,
    np.negative: operator.neg,
    np.absolute: abs,
    np.greater: operator.gt,
    np.greater_equal: operator.ge,
    np.less: operator.lt,
    np.less_equal: operator.le,
    np.equal: operator.eq,
    np.not_equal: operator.ne,
    np.bitwise_and: operator.and_,
    np.bitwise_or: operator.or_,
    np.bitwise_xor: operator.xor,
}
"""Of arrays of another library, whose own functions have other names."""
ORDERS: dict[Any, Callable[[Any], Any]] = {
    np.greater: lambda sign: sign > 0,
    np.greater_equal: lambda sign: sign >= 0,
    np.less: lambda sign: sign < 0,
    np.less_equal: lambda sign: sign <= 0,
    np.equal: lambda sign: sign == 0,
    np.not_equal: lambda sign: sign != 0,
}
"""Of exact numbers and of floats alike: where an order is not known, the instance is not decided."""
OF_TRUTH = {np.add, np.subtract, np.multiply, np.maximum, np.minimum}
"""Of truth values NumPy gives a truth value, the sum of two as their disjunction, or an error."""
UPWARD = {np.less: True, np.less_equal: True, np.greater: False, np.greater_equal: False}
"""Whether the second side is the larger one."""
_MARGINS: ContextVar[list[Array] | None] = ContextVar("verify_margins", default=None)
_DIFFERENCES: ContextVar[list[Array] | None] = ContextVar("verify_differences", default=None)
EXACT: dict[Any, Callable[..., Array]] = {
    np.sqrt: arithmetic.sqrt,
    np.log: arithmetic.log,
    np.exp: arithmetic.exp,
    np.floor: arithmetic.floor,
    np.sin: arithmetic.sin,
    np.cos: arithmetic.cos,
    np.tan: arithmetic.tan,
    np.arctan: arithmetic.arctan,
    np.sinh: arithmetic.sinh,
    np.cosh: arithmetic.cosh,
    np.tanh: arithmetic.tanh,
    np.absolute: arithmetic.absolute,
    np.fabs: arithmetic.absolute,
    np.maximum: arithmetic.maximum,
    np.minimum: arithmetic.minimum,
    np.fmax: arithmetic.maximum,
    np.fmin: arithmetic.minimum,
    np.square: lambda values: values * values,
    np.reciprocal: lambda values: 1 / values,
    np.floor_divide: integers.quotient,
    np.remainder: integers.remainder,
    np.rint: integers.nearest_integer,
    np.heaviside: lambda values, at_zero: np.where(compare(values, 0) == 0, at_zero, exact_integers(compare(values, 0) > 0)),
    np.sign: lambda values: exact_integers(compare(values, 0)),
    np.float_power: lambda base, exponent: _raised(base, exponent),
    np.power: lambda base, exponent: _raised(base, exponent),
}
"""What stands for a function of NumPy where entries are exact."""
OF_SCIPY: dict[str, Callable[..., Array]] = {}
"""What stands for a function of `scipy.special` where entries are exact, by its name: SciPy is not imported for it."""
OF_INTEGERS: dict[Any, Callable[..., Array]] = {np.gcd: arithmetic.gcd, np.lcm: integers.lcm}
"""What stands for a function of NumPy that takes integers only: here they are floats or rationals."""


def _raised(base: Any, exponent: Any) -> Any:
    numbers = np.asarray(exponent, dtype=object).flat
    return base**exponent if any(isinstance(number, float) for number in numbers) else arithmetic.raised(base, exponent)


def operand(value: Any) -> Any:
    if type(value) is InstanceArray or type(value) is int:
        return value
    if isinstance(value, Measured):
        return NotImplemented
    if isinstance(value, (*NUMBERS, np.ndarray)):
        return value
    if type(value).__module__.partition(".")[0] == "cupy":
        return value
    if isinstance(value, list | tuple):
        return gathered(value) if _mentions(value) else np.asarray(value)
    return NotImplemented


def _places(key: Any) -> Any:
    """Integers of floats or rationals as integers: the numbers of an arrangement are places, too."""
    if isinstance(key, float | fmpq):
        return int(key) if float(key).is_integer() else key
    if (
        not isinstance(key, np.ndarray)
        or key.dtype.kind not in "fO"
        or not all(float(entry).is_integer() for entry in key.flat)
    ):
        return key
    return np.array([int(entry) for entry in key.flat], dtype=np.intp).reshape(key.shape)


def apply_ufunc(ufunc: Any, *operands: Any, **options: Any) -> Any:
    """A function of NumPy, entrywise or the product of matrices, for every instance."""
    operands = tuple(operand(gathered(value)) for value in operands)
    if any(operand_ is NotImplemented for operand_ in operands):
        return NotImplemented
    if ufunc is np.matmul:
        return _matmul(*operands)
    lead = lead_of(*operands)
    ndim = max(map(core_ndim, operands))
    raw = [aligned(value, ndim) for value in operands]
    kinds = [getattr(getattr(value, "dtype", None), "kind", "") for value in raw]
    if ufunc in ORDERS:
        if all(kind == "b" or isinstance(value, bool) for kind, value in zip(kinds, raw, strict=True)):
            return InstanceArray(ufunc(*raw), lead)
        xp, raw = in_one_library([number_beside(value, kinds) for value in raw])
        if xp is not np:
            return InstanceArray(OPERATORS[ufunc](*raw), lead)
        left, right = raw
        return _ordered(ufunc, left, right, lead)
    xp, raw = in_one_library(raw)
    if xp is not np:
        function = OPERATORS.get(ufunc) or getattr(xp, ufunc.__name__)
        return InstanceArray(function(*(number_beside(value, kinds) for value in raw), **options), lead)
    if ufunc in LOGICAL:
        return InstanceArray(ufunc(*raw), lead)
    if ufunc in OF_TRUTH and all(kind == "b" or isinstance(value, bool) for kind, value in zip(kinds, raw, strict=True)):
        return InstanceArray(np.asarray(ufunc(*raw)), lead)
    exact = "O" in kinds or any(isinstance(value, fmpq | arb | ExactNumber) for value in raw)
    if exact or (in_exact_evaluation() and "f" not in kinds):
        raw = [exact_integers(value) if kind in "biu" and kind else value for value, kind in zip(raw, kinds, strict=True)]
        raw = [number_beside(value, ["O"]) for value in raw]
        function = OF_INTEGERS.get(ufunc) or EXACT.get(ufunc) or OF_SCIPY.get(ufunc.__name__, ufunc)
        return InstanceArray(array_of_number(function(*raw)), lead)
    raw = [number_beside(value, kinds) for value in raw]
    if ufunc in OF_INTEGERS:
        return InstanceArray(OF_INTEGERS[ufunc](*raw), lead)
    return InstanceArray(ufunc(*raw, **options), lead)


def _ordered(ufunc: Any, left: Any, right: Any, lead: int) -> InstanceArray:
    margins = _MARGINS.get()
    if margins is not None and ufunc in UPWARD and lead == 1:
        with np.errstate(all="ignore"):
            margin = right - left if UPWARD[ufunc] else left - right
        margins.append(np.asarray(margin, dtype=float).reshape(len(margin), -1))
    differences = _DIFFERENCES.get()
    if differences is not None and ufunc is np.equal and lead == 1:
        difference = np.asarray(left - right)
        differences.append(difference.reshape(len(difference), -1))
    return InstanceArray(ORDERS[ufunc](compare(left, right)), lead)


def recorded_margins(*, active: bool) -> AbstractContextManager[list[Array]]:
    """By how much each comparison of orders that is made inside holds, batch x entries: negative where it does not.

    Nothing is recorded where it is not `active`.
    """
    return _recorded(_MARGINS, active=active)


def recorded_differences() -> AbstractContextManager[list[Array]]:
    """The differences of both sides of each equality that is asked inside, batch x entries, in the arithmetic of the sides."""
    return _recorded(_DIFFERENCES, active=True)


@contextmanager
def _recorded(place: ContextVar[list[Array] | None], *, active: bool) -> Iterator[list[Array]]:
    found: list[Array] = []
    token = place.set(found if active else None)
    try:
        yield found
    finally:
        place.reset(token)


def in_one_library(arrays: Sequence[Any]) -> tuple[Any, list[Any]]:
    """The library of the arrays, and all of them in it: constants are NumPy's, and no other library takes these."""
    xp = next((found for array in arrays if (found := array_module(array)) is not np), np)
    if xp is np:
        return np, list(arrays)
    return xp, [xp.asarray(array) if isinstance(array, np.ndarray) else array for array in arrays]


def number_beside(value: Any, kinds: Sequence[str]) -> Any:
    """A constant in the arithmetic of what stands beside it."""
    if isinstance(value, Fraction):
        return fmpq(value.numerator, value.denominator) if "O" in kinds or in_exact_evaluation() else float(value)
    if "O" in kinds and isinstance(value, bool | int | np.integer | np.bool_ | fmpz):
        return fmpq(int(value))
    return value


def _matmul(left: Any, right: Any) -> InstanceArray:
    if type(left) is type(right) is InstanceArray and left.lead == right.lead and left.ndim == right.ndim:
        # vectors or matrices of one batch, as most are
        first, second = left.values, right.values
        both = first.dtype.kind + second.dtype.kind
        if left.ndim == 2 and first.shape[-1] == second.shape[-2] > 0 and both in ("ff", "OO"):
            return InstanceArray(first @ second, left.lead)
        if left.ndim == 1 and first.shape[-1] == second.shape[-1] > 0 and both == "ff" and array_module(first) is np:
            return InstanceArray(np.vecdot(first, second), left.lead)
    lead, dims = lead_of(left, right), (core_ndim(left), core_ndim(right))
    if 0 in dims:
        raise ValueError("@ takes vectors and matrices, and a number is none: write *")
    if dims[0] == 1:
        left = left[None, :]
    if dims[1] == 1:
        right = right[:, None]
    ndim = max(core_ndim(left), core_ndim(right))
    _, raw = in_one_library([aligned(left, ndim), aligned(right, ndim)])
    kinds = [array.dtype.kind for array in raw]
    if "O" in kinds or (in_exact_evaluation() and "f" not in kinds):
        raw = [exact_integers(array) if array.dtype.kind in "biu" else array for array in raw]
    if raw[0].shape[-1] != raw[1].shape[-2]:
        # a vector on the right stands as a column
        shapes = [raw[0].shape[-max(dims[0], 1) :], raw[1].shape[-2:-1] if dims[1] == 1 else raw[1].shape[-dims[1] :]]
        raise ValueError(f"@ takes as many columns as the other has rows, got the shapes {shapes[0]} and {shapes[1]}")
    result = raw[0] @ raw[1] if raw[0].shape[-1] else _empty_product(*raw)
    if dims[1] == 1:
        result = result[..., 0]
    if dims[0] == 1:
        result = result[..., 0] if dims[1] == 1 else result[..., 0, :]
    return InstanceArray(array_of_number(result), lead)


def _empty_product(left: Array, right: Array) -> Array:
    """Of matrices without inner axis: zeros, exact ones where the matrices are."""
    zeros = left.astype(float) @ right.astype(float) if "O" in (left.dtype.kind, right.dtype.kind) else left @ right
    return exact_integers(zeros.astype(np.int64)) if "O" in (left.dtype.kind, right.dtype.kind) else zeros


# Instance by instance


def batch_leaves(value: Any) -> Iterator[Any]:
    """The arrays and networks of one instance in a value, however deep."""
    if hasattr(value, "alone"):
        yield value
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from batch_leaves(entry)
    elif isinstance(value, Mapping):
        yield from batch_leaves(list(value.values()))
    elif isinstance(value, Measured):
        yield from batch_leaves((value.value, value.error))
    elif holds_instances(value):
        yield from (entry for entry in value.flat if isinstance(entry, InstanceArray))


def one_of(value: Any, place: int) -> Any:
    """One instance of a batch, as plain arrays and networks, which NumPy and the engine take as they are."""
    if hasattr(value, "alone"):
        return value.alone(place)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(one_of(entry, place) for entry in value))
    if isinstance(value, list | tuple):
        return type(value)(one_of(entry, place) for entry in value)
    if isinstance(value, Mapping):
        return {name: one_of(entry, place) for name, entry in value.items()}
    if isinstance(value, Measured):
        return Measured(one_of(value.value, place), one_of(value.error, place))
    return one_of(gathered(value), place) if holds_instances(value) else value


def one_by_one(function: Callable[..., Any], *operands: Any, **options: Any) -> Any:
    """`function` of plain arrays, of each instance by itself, and the answers as of one instance again."""
    leaves = [*batch_leaves([*operands, *options.values()])]
    batches = [leaf.count for leaf in leaves if leaf.lead]
    answers = []
    for place in range(max(batches, default=1)):
        chosen = {name: one_of(option, place) for name, option in options.items()}
        answers.append(function(*(one_of(value, place) for value in operands), **chosen))
    return together(answers, 1 if batches else 0)


def together(answers: Sequence[Any], lead: int) -> Any:
    """The answers for single instances as one for a batch."""
    first = answers[0]
    if isinstance(first, tuple | list):
        parts = (together([answer[place] for answer in answers], lead) for place in range(len(first)))
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    if first is None or isinstance(first, str):
        return first
    arrays = [array_of_number(answer.values if isinstance(answer, InstanceArray) else answer) for answer in answers]
    if len({array.shape for array in arrays}) > 1:
        raise NeedsOneInstance("an array whose shape depends on the instance")
    if any(array.dtype.kind == "O" for array in arrays) and not all(array.dtype.kind == "O" for array in arrays):
        arrays = [exact_integers(array) for array in arrays]
    return InstanceArray(np.stack(arrays) if lead else arrays[0], lead)
