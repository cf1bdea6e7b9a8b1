"""What a statement computes with while it is traced: arrays of one instance whose entries nobody sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpz

from verify.networks import FullyConnected, HomogeneousActivation, LeakyResNet
from verify.numbers.exactness import StandIn, asked_from_outside
from verify.proofs.all_sizes.letters import (
    DIAGONAL,
    LETTER,
    MASKED,
    ONE,
    Atom,
    NotWords,
    Size,
    Terms,
    Word,
    added,
    scaled,
    times,
)
from verify.proofs.all_sizes.reduction import TERMS, Reduction
from verify.proofs.all_sizes.rules import IDENTITY, Alphabet

Shape = tuple[Size, ...]

FUNCTIONS: dict[Any, Callable[..., Any]] = {}
"""What stands for functions of NumPy; `verify.proofs.all_sizes.vocabulary` fills it."""
UFUNCS: dict[Any, Callable[..., Any]] = {}
"""What stands for its entrywise functions."""


class Room:
    """The alphabet of one trace, and its normal forms."""

    def __init__(self) -> None:
        self.alphabet = Alphabet()
        self.reduce = Reduction(self.alphabet)
        self.positive: set[str] = set()
        """Letters whose entries are positive."""
        self.nonnegative: list[Terms] = []
        """What has no negative entry, by hypotheses; reduced."""
        self.known: set[tuple[str, str]] = set()
        """What was said of a letter once."""

    def number(self, value: Any) -> WordArray | None:
        """A number or a size as a scalar; None of anything else."""
        if isinstance(value, WordArray):
            return value if not value.ndim else None
        if isinstance(value, Size):
            return WordArray(self, self.alphabet.size_terms(value), ())
        fraction = as_fraction(value)
        return None if fraction is None else WordArray(self, {((), ()): fraction} if fraction else {}, ())

    def zeros(self, shape: Shape) -> WordArray:
        """Zeros."""
        return WordArray(self, {}, shape)

    def ones(self, *sizes: Size | int) -> WordArray:
        """Ones."""
        shape = tuple(map(Size.of, sizes))
        words = [self.alphabet.ones(size) for size in shape]
        if not shape:
            return WordArray(self, dict(IDENTITY), ())
        word = words[0] if len(words) == 1 else words[0] + self._row(words[1])
        return WordArray(self, {((), word): Fraction(1)}, shape)

    def _row(self, word: Word) -> Word:
        return tuple((kind, name, True, inside) for kind, name, _, inside in word)

    def eye(self, size: Size | int) -> WordArray:
        """The identity matrix."""
        return WordArray(self, dict(IDENTITY), (Size.of(size), Size.of(size)))


def as_fraction(value: Any) -> Fraction | None:
    """An exact number as a fraction; None of anything else."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool | np.bool_):
        return Fraction(int(value))
    if isinstance(value, int | np.integer):
        return Fraction(int(value))
    if isinstance(value, Fraction):
        return Fraction(value)
    if isinstance(value, fmpz):
        return Fraction(int(value))
    if isinstance(value, fmpq):
        return Fraction(int(value.p), int(value.q))
    return None


def _refused(question: str) -> Callable[..., Any]:
    def method(*_: Any, **__: Any) -> Any:
        raise NotWords(f"{question} is asked of a matrix of letters")

    return method


ANSWERED = frozenset(
    name
    for kind in (np.ndarray, FullyConnected, LeakyResNet, HomogeneousActivation)
    for name in (*dir(kind), *kind.__dict__.get("__dataclass_fields__", ()))
    if not name.startswith("_")
) | {"__array_function__", "__array_priority__", "__array_ufunc__"}
"""Attributes of arrays and networks, which letters have, too, or refuse."""


class UnknownAttribute(NotWords, AttributeError):
    """What letters do not have."""


class Questionless(StandIn):
    """What cannot be asked while the numbers are not known."""

    as_numbers = ANSWERED
    __hash__ = None  # type: ignore[assignment]
    __bool__ = _refused("a truth value")
    __float__ = _refused("a float")
    __int__ = _refused("an integer")
    __index__ = _refused("an index")
    __round__ = _refused("a rounded number")
    __abs__ = _refused("an absolute value")
    __eq__ = _refused("whether it is equal to another")
    __ne__ = _refused("whether it is equal to another")
    __ge__ = _refused("an order")
    __le__ = _refused("an order")
    __array__ = _refused("an array of numbers")
    __mod__ = _refused("a remainder")
    __floordiv__ = _refused("a quotient of integers")
    __setitem__ = _refused("an assignment")
    __contains__ = _refused("an entry")

    def __getattr__(self, name: str) -> Any:
        if asked_from_outside():
            self.told_apart(name)  # also by hasattr, which answers others with False
        raise UnknownAttribute(f"{name!r} is asked of a matrix of letters")

    def told_apart(self, name: str) -> None:
        """Raise what is asked, by isinstance, match and singledispatch, too."""
        raise NotWords(f"{'its type' if name == '__class__' else repr(name)} is asked of a matrix of letters")


class WordArray(Questionless):
    """A scalar, a vector or a matrix: a sum of words.

    Parameters
    ----------
    terms
        The polynomial. That of a vector has one column; with `diagonal` the vector is the diagonal of a square one.
    shape
        Sizes.
    """

    __array_priority__ = 2000

    def __init__(self, room: Room, terms: Terms, shape: Shape, *, diagonal: bool = False) -> None:
        if len(terms) > TERMS:
            raise NotWords(f"a polynomial has more than {TERMS} terms")
        self.room, self.terms, self.shape, self.diagonal_of = room, terms, shape, diagonal

    # what it is

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def dtype(self) -> Any:
        """That of exact numbers."""
        return np.dtype(object)

    @property
    def rows(self) -> Size:
        """Rows of its words."""
        return self.shape[0] if self.shape else ONE

    @property
    def columns(self) -> Size:
        """Columns of its words."""
        return self.shape[1] if self.ndim == 2 else ONE

    def __repr__(self) -> str:
        if asked_from_outside():
            raise NotWords("a text is asked of a matrix of letters")
        from verify.proofs.all_sizes.texts import terms_text

        return f"<{' x '.join(map(str, self.shape)) or 'scalar'}: {' + '.join(terms_text(self.terms)) or '0'}>"

    def of(self, terms: Terms, shape: Shape | None = None) -> WordArray:
        """Another in the same room, of the same shape if none is given."""
        return WordArray(self.room, terms, self.shape if shape is None else shape, diagonal=self.diagonal_of and shape is None)

    def length(self) -> Size:
        """What ``len`` says."""
        if not self.shape:
            raise NotWords("a number has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(int(self.length())))

    # sums and products with scalars

    def _operand(self, other: Any) -> Any:
        if isinstance(other, WordArray):
            return other
        if isinstance(other, np.ndarray) and other.dtype.kind == "O" and other.size == 1:
            inside = other.reshape(-1)[0]
            if isinstance(inside, WordArray):
                return inside
        return self.room.number(other)

    def broadcast(self, shape: Shape) -> WordArray:
        """As NumPy broadcasts."""
        if len(shape) == self.ndim and all(a.same(b) for a, b in zip(shape, self.shape, strict=True)):
            return self
        if self.diagonal_of:
            raise NotWords("the diagonal of a product is broadcast")
        alphabet = self.room.alphabet

        def ones(size: Size, *, row: bool) -> Word:
            word = alphabet.ones(size)
            return self.room._row(word) if row else word

        if not self.ndim:
            filled: WordArray = self.room.ones(*shape) * self
            return filled
        if self.ndim == 1 and len(shape) == 2:
            if not shape[1].same(self.shape[0]) and not self.shape[0].same(ONE):
                raise NotWords(f"shapes do not fit: {_shape(self.shape)} and {_shape(shape)}")
            row = self.of(alphabet.transposed(self.terms), (ONE, self.shape[0]))
            return row.broadcast(shape)
        if self.ndim == len(shape) == 2:
            terms = self.terms
            if not shape[0].same(self.shape[0]):
                if not self.shape[0].same(ONE):
                    raise NotWords(f"shapes do not fit: {_shape(self.shape)} and {_shape(shape)}")
                before = ones(shape[0], row=False)
                terms = {(monomial, before + word): value for (monomial, word), value in terms.items()}
            if not shape[1].same(self.shape[1]):
                if not self.shape[1].same(ONE):
                    raise NotWords(f"shapes do not fit: {_shape(self.shape)} and {_shape(shape)}")
                behind = ones(shape[1], row=True)
                terms = {(monomial, word + behind): value for (monomial, word), value in terms.items()}
            return self.of(terms, shape)
        if self.ndim == len(shape) == 1 and self.shape[0].same(ONE):
            word = alphabet.ones(shape[0])
            return self.of({(m, word + inner): value for (m, inner), value in self.terms.items()}, shape)
        raise NotWords(f"shapes do not fit: {_shape(self.shape)} and {_shape(shape)}")

    def _common(self, other: WordArray) -> Shape:
        if self.ndim != other.ndim:
            small, large = sorted((self.shape, other.shape), key=len)
            small = (ONE,) * (len(large) - len(small)) + small
        else:
            small, large = self.shape, other.shape
        shape = []
        for a, b in zip(small, large, strict=True):
            if a.same(b) or b.same(ONE):
                shape.append(a)
            elif a.same(ONE):
                shape.append(b)
            else:
                raise NotWords(f"shapes do not fit: {_shape(self.shape)} and {_shape(other.shape)}")
        return tuple(shape)

    def _plus(self, other: Any, sign: int) -> Any:
        other = self._operand(other)
        if other is None:
            return NotImplemented
        shape = self._common(other)
        left, right = self, other
        if left.diagonal_of != right.diagonal_of:
            left, right = left.as_diagonal(shape), right.as_diagonal(shape)
        else:
            left, right = left.broadcast(shape), right.broadcast(shape)
        return WordArray(self.room, added(left.terms, scaled(right.terms, sign)), shape, diagonal=left.diagonal_of)

    def as_diagonal(self, shape: Shape) -> WordArray:
        """A vector as the diagonal of a square matrix."""
        if self.diagonal_of:
            return self
        vector = self.broadcast(shape)
        result: Terms = {}
        for (monomial, word), value in vector.terms.items():
            # diag(a) w is the diagonal of w a', and w that of w 1'
            first = word[:1] if word and word[0][0] == DIAGONAL and len(word) > 1 else ()
            row = ((LETTER, first[0][1], True, ()),) if first else self.room._row(self.room.alphabet.ones(shape[0]))
            key = (monomial, (*word[len(first) :], *row))
            result[key] = result.get(key, Fraction(0)) + value
        return WordArray(self.room, result, shape, diagonal=True)

    def __add__(self, other: Any) -> Any:
        return self._plus(other, 1)

    def __radd__(self, other: Any) -> Any:
        return self._plus(other, 1)

    def __sub__(self, other: Any) -> Any:
        return self._plus(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return (-self)._plus(other, 1)

    def __neg__(self) -> WordArray:
        return self.of(scaled(self.terms, -1))

    def __pos__(self) -> WordArray:
        return self

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Mask | Entrywise | Table):
            return NotImplemented
        if isinstance(other, np.ndarray) and other.ndim == 1 and other.dtype.kind in "iub" and not self.ndim:
            return Table(self.room, [self.room.number(entry) for entry in other]) * self
        other = self._operand(other)
        if other is None:
            return NotImplemented
        if not other.ndim or not self.ndim:
            number, array = (other, self) if not other.ndim else (self, other)
            return array.of(_times_scalar(array.terms, number.terms))
        shape = self._common(other)
        if self.diagonal_of or other.diagonal_of:
            product, vector = (self, other) if self.diagonal_of else (other, self)
            if vector.diagonal_of or vector.ndim != 1 or not product.shape[0].same(vector.shape[0]):
                raise NotWords("the diagonal of a product is multiplied by another")
            return product.of(_product(diagonal_matrix(vector).terms, product.terms))
        if len(shape) == 1:
            first, second = self.broadcast(shape), other.broadcast(shape)
            if not _is_simple(first) and _is_simple(second):
                first, second = second, first
            if not _is_simple(first):
                across = self.room.alphabet.transposed(second.terms)
                return WordArray(self.room, _product(first.terms, across), shape, diagonal=True)
            return diagonal_matrix(first) @ second
        for first, second in ((self, other), (other, self)):
            if first.ndim == 1 or (first.shape[0].same(ONE) and not shape[0].same(ONE)):
                row = first if first.ndim == 1 else first._flat()
                return second.broadcast(shape) @ diagonal_matrix(row)
            if first.shape[1].same(ONE) and not shape[1].same(ONE):
                return diagonal_matrix(first._flat()) @ second.broadcast(shape)
        return Entrywise(self.room, [(Fraction(1), self.broadcast(shape), other.broadcast(shape))], shape)

    __rmul__ = __mul__

    def _flat(self) -> WordArray:
        """A matrix of one row or one column as a vector."""
        if self.shape[1].same(ONE):
            return self.of(self.terms, self.shape[:1])
        return self.of(self.room.alphabet.transposed(self.terms), self.shape[1:])

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Table):
            return NotImplemented
        other = self._operand(other)
        if other is None:
            return NotImplemented
        if other.ndim:
            return self * _entrywise_reciprocal(other)
        return self * reciprocal(other)

    def __rtruediv__(self, other: Any) -> Any:
        number = self._operand(other)
        if number is None:
            return NotImplemented
        return number * (_entrywise_reciprocal(self) if self.ndim else reciprocal(self))

    def __pow__(self, power: Any) -> Any:
        exponent = as_fraction(power)
        if exponent is None or exponent.denominator != 1:
            raise NotWords("a power that is no integer")
        count = int(exponent)
        if self.ndim:
            if count == 1:
                return self
            if count == 2:
                return self * self
            raise NotWords(f"the power {count} of every entry")
        base = self if count >= 0 else reciprocal(self)
        result: Any = self.room.number(1)
        for _ in range(abs(count)):
            result = result * base
        return result

    # products of matrices

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, Table):
            return NotImplemented
        other = self._operand(other)
        if other is None or not other.ndim or not self.ndim:
            raise NotWords("a product with @ of what is no letter")
        if self.diagonal_of or other.diagonal_of:
            raise NotWords("the diagonal of a product is multiplied")
        left = self if self.ndim == 2 else self.of(self.room.alphabet.transposed(self.terms), (ONE, self.shape[0]))
        right = other if other.ndim == 2 else other.of(other.terms, (other.shape[0], ONE))
        if not left.columns.same(right.rows):
            raise NotWords(f"shapes do not fit: {_shape(self.shape)} @ {_shape(other.shape)}")
        terms = _product(left.terms, right.terms)
        if self.ndim == other.ndim == 1:
            return WordArray(self.room, self.room.reduce.trace(terms, ONE), ())
        if self.ndim == 1:
            return WordArray(self.room, self.room.alphabet.transposed(terms), (right.columns,))
        return WordArray(self.room, terms, (left.rows,) if other.ndim == 1 else (left.rows, right.columns))

    def __rmatmul__(self, other: Any) -> Any:
        operand = self._operand(other)
        if operand is None:
            raise NotWords("a product with @ of what is no letter")
        return operand @ self

    @property
    def T(self) -> WordArray:
        """The transpose; a vector stays."""
        if self.ndim < 2:
            return self
        return self.of(self.room.alphabet.transposed(self.terms), (self.shape[1], self.shape[0]))

    def swapaxes(self, first: int, second: int) -> WordArray:
        """As NumPy's."""
        if self.ndim != 2 or {first % 2, second % 2} != {0, 1}:
            raise NotWords("axes of a vector are swapped")
        return self.T

    def transpose(self, *axes: Any) -> WordArray:
        """As NumPy's, of all axes."""
        if axes and list(np.ravel(axes)) not in ([1, 0], [-1, -2]):
            raise NotWords(f"axes are put in the order {axes}")
        return self.T

    def copy(self) -> WordArray:
        """Itself."""
        return self

    def astype(self, dtype: Any, **_: Any) -> WordArray:  # noqa: ARG002 (NumPy's signature)
        """Itself."""
        return self

    def trace(self, *_: Any, **__: Any) -> WordArray:
        """The sum of the diagonal."""
        if self.ndim != 2 or not self.rows.same(self.columns):
            raise NotWords(f"the trace of what has the shape {_shape(self.shape)}")
        return WordArray(self.room, self.room.reduce.trace(self.terms, self.rows), ())

    def sum(self, axis: Any = None, keepdims: bool = False) -> WordArray:
        """Sum of the entries, or along axes."""
        axes = set(range(self.ndim)) if axis is None else {place % self.ndim for place in np.atleast_1d(axis)}
        if self.diagonal_of:
            return WordArray(self.room, self.room.reduce.trace(self.terms, self.shape[0]), ())
        if axes == set(range(self.ndim)):
            result = self
            for _ in range(self.ndim):
                result = self.room.ones(result.shape[0]) @ result
            return self.room.ones(*[1] * self.ndim) * result if keepdims else result
        result = self @ self.room.ones(self.shape[1]) if axes == {1} else self.room.ones(self.shape[0]) @ self
        total: WordArray = (result[:, None] if axes == {1} else result[None]) if keepdims else result
        return total

    def mean(self, axis: Any = None, keepdims: bool = False) -> WordArray:
        """Mean of the entries, or along an axis."""
        axes = range(self.ndim) if axis is None else [place % self.ndim for place in np.atleast_1d(axis)]
        total: Any = self.sum(axis, keepdims)
        for place in axes:
            total = total / self.shape[place]
        return total  # type: ignore[no-any-return]

    # parts

    def __getitem__(self, key: Any) -> WordArray:
        keys = list(key) if isinstance(key, tuple) else [key]
        count = sum(key is not None and key is not Ellipsis for key in keys)
        if Ellipsis in [key for key in keys if key is Ellipsis]:
            place = next(k for k, key in enumerate(keys) if key is Ellipsis)
            keys[place : place + 1] = [slice(None)] * (self.ndim - count)
        keys += [slice(None)] * (self.ndim - sum(key is not None for key in keys))
        if sum(key is not None for key in keys) != self.ndim:
            raise NotWords(f"an index with more axes than {_shape(self.shape)}")
        if not self.ndim:
            return self  # a number, whatever axes of length one it is given
        if self.diagonal_of and any(key != slice(None) for key in keys):
            raise NotWords("an entry of the diagonal of a product")
        result, fates, axis = self, [], 0
        for index in keys:
            if index is None:
                fates.append("new")
                continue
            if isinstance(index, slice) and index == slice(None):
                fates.append("kept")
            elif isinstance(index, slice) and index == slice(None, None, -1):
                result = result._reversed(axis)
                fates.append("kept")
            elif isinstance(index, slice):
                result = result._part(axis, *_parts_of_slice(index, result.shape[axis]))
                fates.append("kept")
            else:
                result = result._part(axis, *_parts_of_index(index, result.shape[axis]))
                fates.append("gone")
            axis += 1
        return result._with_axes(fates)

    def _part(self, axis: int, sizes: tuple[Size, ...], place: int) -> WordArray:
        if len(sizes) == 1:
            return self
        embedding = self.room.alphabet.parts(sizes)[place]
        shape = (*self.shape[:axis], sizes[place], *self.shape[axis + 1 :])
        if axis == 0:
            row = self.room._row(embedding)
            return self.of({(m, row + word): value for (m, word), value in self.terms.items()}, shape)
        return self.of({(m, word + embedding): value for (m, word), value in self.terms.items()}, shape)

    def _reversed(self, axis: int) -> WordArray:
        size = self.shape[axis]
        word = self.room.alphabet.reversal(size)
        if axis == 0:
            return self.of({(m, word + inner): value for (m, inner), value in self.terms.items()}, self.shape)
        return self.of({(m, inner + word): value for (m, inner), value in self.terms.items()}, self.shape)

    def _with_axes(self, fates: list[str]) -> WordArray:
        """Axes of length one that go, and new ones; `fates` has "kept", "gone" or "new" for each index in turn."""
        alphabet = self.room.alphabet
        old_fates = [fate for fate in fates if fate != "new"]
        if "new" not in fates and "gone" not in fates:
            return self
        if self.ndim == 2 and "gone" in old_fates:
            remaining = self
            if old_fates == ["gone", "gone"]:
                remaining = WordArray(self.room, self.room.reduce.trace(self.terms, ONE), ())
            elif old_fates == ["gone", "kept"]:
                remaining = self.of(alphabet.transposed(self.terms), self.shape[1:])
            else:
                remaining = self.of(self.terms, self.shape[:1])
        elif self.ndim == 1 and old_fates == ["gone"]:
            remaining = WordArray(self.room, self.room.reduce.trace(self.terms, ONE), ())
        else:
            remaining = self
        final_fates = [fate for fate in fates if fate != "gone"]
        if "new" not in final_fates or not remaining.ndim:
            return remaining
        if remaining.diagonal_of:
            raise NotWords("the diagonal of a product as a matrix")
        if final_fates == ["kept", "new"]:
            return remaining.of(remaining.terms, (remaining.shape[0], ONE))
        if final_fates == ["new", "kept"]:
            return remaining.of(alphabet.transposed(remaining.terms), (ONE, remaining.shape[0]))
        if final_fates == ["new", "kept", "kept"]:
            return Table(self.room, [remaining])  # type: ignore[return-value]
        raise NotWords("an index makes more than two axes")

    def __gt__(self, other: Any) -> Any:
        if as_fraction(other) != 0:
            raise NotWords("an order is asked of a matrix of letters")
        return mask_of(self)

    def __lt__(self, other: Any) -> Any:
        if as_fraction(other) != 0:
            raise NotWords("an order is asked of a matrix of letters")
        return mask_of(-self)

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **options: Any) -> Any:
        known = UFUNCS.get(ufunc)
        if method != "__call__" or known is None or options:
            raise NotWords(f"numpy.{ufunc.__name__} of letters")
        return known(self.room, *operands)

    def __array_function__(self, function: Any, types: Any, operands: Any, options: Any) -> Any:
        known = FUNCTIONS.get(function)
        if known is None:
            raise NotWords(f"numpy.{function.__name__} of letters")
        return known(self.room, *operands, **options)


def _shape(shape: Shape) -> str:
    return f"({', '.join(map(str, shape))})"


def _times_scalar(terms: Terms, scalar: Terms) -> Terms:
    result: Terms = {}
    for (first, word), a in terms.items():
        for (second, _), b in scalar.items():
            key = (times(first, second), word)
            result[key] = result.get(key, Fraction(0)) + a * b
    return {key: value for key, value in result.items() if value}


def _product(left: Terms, right: Terms) -> Terms:
    if len(left) * len(right) > 20 * TERMS:
        raise NotWords(f"a product has more than {TERMS} terms")
    result: Terms = {}
    for (first, before), a in left.items():
        for (second, behind), b in right.items():
            key = (times(first, second), before + behind)
            result[key] = result.get(key, Fraction(0)) + a * b
    return {key: value for key, value in result.items() if value}


def _is_simple(vector: WordArray) -> bool:
    """Whether the words of a vector are letters, perhaps times diagonal matrices."""
    return all(
        all(_is_diagonal(vector.room.alphabet, atom) for atom in word[:-1]) and word[-1:] and word[-1][0] == LETTER
        for _, word in vector.terms
    )


def _is_diagonal(alphabet: Alphabet, atom: Atom) -> bool:
    """Whether it is a diagonal matrix, or the inverse of one."""
    (word,) = [word for _, word in alphabet.inverses[atom[1]]] if len(alphabet.inverses.get(atom[1], ())) == 1 else [()]
    return atom[0] == DIAGONAL or (atom[0] == LETTER and bool(word) and all(letter[0] == DIAGONAL for letter in word))


def reciprocal(number: WordArray) -> WordArray:
    """One over a scalar: where it is not zero, else nothing has a value."""
    room = number.room
    terms = room.reduce(number.terms)
    if not terms:
        raise NotWords("something is divided by zero")
    if len(terms) != 1:
        raise NotWords("something is divided by a sum")
    (monomial, _), value = next(iter(terms.items()))
    if any(not isinstance(generator, str) for generator, _ in monomial):
        raise NotWords("something is divided by a trace")
    if not room.alphabet.is_invertible(monomial):
        names = ", ".join(str(generator) for generator, _ in monomial if not room.alphabet.is_positive(((generator, 1),)))
        raise NotWords(f"something is divided by {names}, which may be zero")
    return WordArray(room, {(tuple((generator, -power) for generator, power in monomial), ()): 1 / value}, ())


def _entrywise_reciprocal(array: WordArray) -> WordArray:
    """One over every entry of a power of a vector of positive numbers: inverses of its diagonal matrix, times ones."""
    room = array.room
    vector = array if array.ndim == 1 else array._flat() if any(length.same(ONE) for length in array.shape) else None
    terms = {} if vector is None else room.reduce(vector.terms)
    words = [word for (monomial, word), value in terms.items() if value == 1 and not monomial]
    names = [name for word in words for _, name, *_ in word]
    if vector is None or len(terms) != 1 or not names or not _is_simple(vector) or not set(names) <= room.positive:
        raise NotWords("something is divided by an array")
    result: WordArray = room.ones(vector.shape[0])
    for name in names:
        diagonal = WordArray(room, {((), ((DIAGONAL, name, False, ()),)): Fraction(1)}, (vector.shape[0],) * 2)
        result = inverted(diagonal) @ result
    if array.ndim == 1:
        return result
    return result[:, None] if array.shape[1].same(ONE) else result[None]


def scaling_of(array: WordArray) -> tuple[WordArray, WordArray] | None:
    """A diagonal matrix of positive numbers with which all words begin, and what stands behind it."""
    letters = {word[0] for _, word in array.terms if word}
    if len(letters) != 1 or any(not word for _, word in array.terms):
        return None
    first = letters.pop()
    if first[0] != DIAGONAL or first[1] not in array.room.positive:
        return None
    before = WordArray(array.room, {((), (first,)): Fraction(1)}, (array.shape[0],) * 2)
    return before, array.of({(monomial, word[1:]): value for (monomial, word), value in array.terms.items()})


def is_known_nonnegative(array: WordArray) -> bool:
    """Whether a hypothesis says that no entry is negative, of a positive multiple."""
    terms = array.room.reduce(array.terms)
    return any(
        terms.keys() == known.keys() and len({value / known[key] for key, value in terms.items()}) == 1
        for known in array.room.nonnegative
        if terms and all(value * known.get(key, 0) > 0 for key, value in terms.items())
    )


def _parts_of_slice(key: slice, size: Size) -> tuple[tuple[Size, ...], int]:
    """The parts of a size that a slice cuts, and which of them it is."""
    if key.step is not None:
        raise NotWords("a slice has a step")
    start = None if key.start is None or (isinstance(key.start, int) and key.start == 0) else _place(key.start, size)
    stop = None if key.stop is None else _place(key.stop, size)
    if start is None and stop is None:
        return (size,), 0
    if start is None and stop is not None:
        return _nonempty(((stop, size - stop), 0), size)
    if stop is None and start is not None:
        return _nonempty(((start, size - start), 1), size)
    raise NotWords("a slice has two ends")


def _nonempty(parts: tuple[tuple[Size, ...], int], size: Size) -> tuple[tuple[Size, ...], int]:
    first, second = parts[0]
    if second.same(Size()) and parts[1] == 0:
        return (size,), 0
    for length in (first, second):
        if length.is_number and length.constant <= 0:
            raise NotWords("a slice is empty")
        if any(count < 0 for _, count in length.symbols) or sum(count for _, count in length.symbols) + length.constant < 0:
            raise NotWords(f"a slice may not fit: {length} of {size}")
    return parts


def _place(value: Any, size: Size) -> Size:
    if isinstance(value, Size):
        return value
    number = as_fraction(value)
    if number is None or number.denominator != 1:
        raise NotWords("an index is no integer")
    return size + int(number) if number < 0 else Size((), int(number))


def _parts_of_index(index: Any, size: Size) -> tuple[tuple[Size, ...], int]:
    number = as_fraction(index)
    if number is None or isinstance(index, np.ndarray) or number.denominator != 1:
        raise NotWords("an entry is read at a place that is no number")
    if size.same(ONE) and number in (0, -1):
        return (size,), 0
    if number == 0:
        return _nonempty(((ONE, size - 1), 0), size)
    if number == -1:
        return _nonempty(((size - 1, ONE), 1), size)
    raise NotWords(f"the entry at {number} is read")


def diagonal_matrix(vector: WordArray) -> WordArray:
    """The diagonal matrix of a vector."""
    if vector.diagonal_of:
        raise NotWords("the diagonal matrix of a diagonal")
    room, size = vector.room, vector.shape[0]
    alphabet = vector.room.alphabet
    result: Terms = {}
    for (monomial, word), value in room.reduce(vector.terms).items():
        atoms: Word
        if not word:
            atoms = ()
        elif all(_is_diagonal(alphabet, atom) for atom in word[:-1]) and word[-1][0] == LETTER:
            name = word[-1][1]
            last: Word = () if alphabet.letters[name].definition[0] == "ones" else ((DIAGONAL, name, False, ()),)
            if word[-1][2]:
                raise NotWords("the diagonal matrix of a row")
            atoms = word[:-1] + last
        else:
            named = alphabet.named({((), word): Fraction(1)}, size, ONE, [])
            atoms = ((DIAGONAL, named[0][1], False, ()),)
        result[monomial, atoms] = result.get((monomial, atoms), Fraction(0)) + value
    return WordArray(room, result, (size, size))


class Entrywise(Questionless):
    """A sum of entrywise products of two matrices, of which sums can be asked."""

    __array_ufunc__ = None

    def __init__(self, room: Room, parts: list[tuple[Any, WordArray, WordArray]], shape: Shape) -> None:
        self.room, self.parts, self.shape = room, parts, shape

    ndim = 2

    @property
    def dtype(self) -> Any:
        """That of exact numbers."""
        return np.dtype(object)

    def sum(self, axis: Any = None, keepdims: bool = False) -> WordArray:
        """Sum of the entries, or along an axis."""
        axes = {0, 1} if axis is None else {place % 2 for place in np.atleast_1d(axis)}
        if keepdims:
            raise NotWords("a sum of products that keeps its axes")
        total: Any = None
        for factor, left, right in self.parts:
            if axes == {0, 1}:
                part_sum: Any = (left.T @ right).trace()
            else:
                product = left @ right.T if axes == {1} else left.T @ right
                part_sum = WordArray(self.room, product.terms, product.shape[:1], diagonal=True)
            total = part_sum * factor if total is None else total + part_sum * factor
        return total  # type: ignore[no-any-return]

    def __getitem__(self, key: Any) -> Any:
        parts = [(factor, left[key], right[key]) for factor, left, right in self.parts]
        if parts[0][1].ndim == 2:
            return Entrywise(self.room, parts, parts[0][1].shape)
        total: Any = 0
        for factor, left, right in parts:
            total = total + left * right * factor
        return total

    def _plus(self, other: Any, sign: int) -> Any:
        if isinstance(other, Entrywise):
            return Entrywise(self.room, [*self.parts, *((f * sign, a, b) for f, a, b in other.parts)], self.shape)
        if isinstance(other, WordArray) and other.ndim == 2:
            return Entrywise(self.room, [*self.parts, (sign, other, self.room.ones(*self.shape))], self.shape)
        raise NotWords("an entrywise product of two matrices is added to something")

    def __add__(self, other: Any) -> Any:
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._plus(other, -1)

    def __neg__(self) -> Entrywise:
        return Entrywise(self.room, [(factor * -1, a, b) for factor, a, b in self.parts], self.shape)

    def __rsub__(self, other: Any) -> Any:
        return (-self)._plus(other, 1)

    def __mul__(self, other: Any) -> Any:
        number = self.room.number(other)
        if number is not None:
            return Entrywise(self.room, [(number * f, a, b) for f, a, b in self.parts], self.shape)
        if isinstance(other, Mask):
            return Entrywise(self.room, [(f, other * a, b) for f, a, b in self.parts], self.shape)
        raise NotWords("an entrywise product of three matrices")

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        number = self.room.number(other)
        if number is None:
            raise NotWords("an entrywise product is divided by an array")
        return self * reciprocal(number)


class Mask(Questionless):
    """A number plus multiples of masks, entrywise: what slopes of an activation are.

    Parameters
    ----------
    constant
        The number.
    parts
        Numbers by the name of a mask.
    """

    __array_ufunc__ = None

    def __init__(self, room: Room, constant: WordArray, parts: dict[str, WordArray], shape: Shape) -> None:
        self.room, self.constant, self.parts, self.shape = room, constant, parts, shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def dtype(self) -> Any:
        """That of exact numbers."""
        return np.dtype(object)

    def astype(self, *_: Any, **__: Any) -> Mask:
        """Itself."""
        return self

    def __getitem__(self, key: Any) -> Any:
        keys = key if isinstance(key, tuple) else (key,)
        if all(key is Ellipsis or (isinstance(key, slice) and key == slice(None)) for key in keys):
            return self
        if self.ndim == 1 and len(keys) == 2 and keys[0] == slice(None) and keys[1] is None:
            return self.vector()[:, None]
        if self.ndim == 1 and len(keys) == 2 and keys[0] is Ellipsis and keys[1] is None:
            return self.vector()[:, None]
        raise NotWords("a part of a mask")

    def vector(self) -> WordArray:
        """The mask of a vector as a vector."""
        if self.ndim != 1:
            raise NotWords("a mask as a matrix")
        total: Any = self.constant * self.room.ones(*self.shape)
        for name, factor in self.parts.items():
            total = total + factor * WordArray(self.room, {((), ((LETTER, name, False, ()),)): Fraction(1)}, self.shape)
        return total  # type: ignore[no-any-return]

    def __mul__(self, other: Any) -> Any:
        number = self.room.number(other)
        if number is not None:
            return Mask(
                self.room, self.constant * number, {name: factor * number for name, factor in self.parts.items()}, self.shape
            )
        if isinstance(other, Entrywise):
            return other * self
        if isinstance(other, Mask):
            return self._times_mask(other)
        if not isinstance(other, WordArray):
            raise NotWords("a mask is multiplied by what is no letter")
        if self.ndim == 1:
            return self.vector() * other
        other = other.broadcast(self.shape)
        total: Any = other * self.constant
        for name, factor in self.parts.items():
            total = total + factor * masked(name, other)
        return total

    __rmul__ = __mul__

    def _times_mask(self, other: Mask) -> Mask:
        parts: dict[str, Any] = {}

        def add(name: str, value: Any) -> None:
            parts[name] = parts[name] + value if name in parts else value

        for name, factor in self.parts.items():
            add(name, factor * other.constant)
            for other_name, other_factor in other.parts.items():
                if name != other_name:
                    raise NotWords("a product of two different masks")
                add(name, factor * other_factor)
        for other_name, other_factor in other.parts.items():
            add(other_name, self.constant * other_factor)
        return Mask(self.room, self.constant * other.constant, parts, self.shape)

    def __add__(self, other: Any) -> Any:
        number = self.room.number(other)
        if number is not None:
            return Mask(self.room, self.constant + number, self.parts, self.shape)
        if isinstance(other, Mask):
            parts = dict(self.parts)
            for name, factor in other.parts.items():
                parts[name] = parts[name] + factor if name in parts else factor
            return Mask(self.room, self.constant + other.constant, parts, self.shape)
        if self.ndim == 1:
            return self.vector() + other
        raise NotWords("a mask is added to a matrix")

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __matmul__(self, other: Any) -> Any:
        return self.vector() @ other

    def __rmatmul__(self, other: Any) -> Any:
        return other @ self.vector()

    @property
    def T(self) -> Any:
        """Refused but for vectors."""
        if self.ndim == 1:
            return self
        raise NotWords("the transpose of a mask")


def masked(name: str, array: WordArray) -> WordArray:
    """The entrywise product with a mask."""
    if array.columns.same(ONE):
        diagonal = WordArray(array.room, {((), ((DIAGONAL, name, False, ()),)): Fraction(1)}, (array.shape[0],) * 2)
        return diagonal @ array  # type: ignore[no-any-return]
    room = array.room
    result: Terms = {}
    for (monomial, word), value in array.terms.items():
        key = (monomial, ((MASKED, name, False, room_word(array, word)),))
        result[key] = result.get(key, Fraction(0)) + value
    return WordArray(room, result, array.shape)


def room_word(array: WordArray, word: Word) -> Word:
    """A word that may stand behind a mask."""
    if not word:
        raise NotWords(f"a mask of the identity matrix of shape {_shape(array.shape)}")
    return word


def mask_of(array: WordArray) -> Mask:
    """Where an array is positive."""
    room = array.room
    if not array.ndim:
        raise NotWords("whether a number is positive")
    if array.diagonal_of:
        raise NotWords("the mask of the diagonal of a product")
    terms = room.reduce(array.terms)
    if not terms:
        return Mask(room, _number(room, 0), {}, array.shape)
    name = room.alphabet.mask(terms, array.rows, array.columns)
    return Mask(room, _number(room, 0), {name: _number(room, 1)}, array.shape)


def nonnegative_mask_of(array: WordArray) -> Mask:
    """Where an array is not negative. On the array itself it does what the mask of positive entries does."""
    room = array.room
    if not array.ndim or array.diagonal_of:
        raise NotWords("whether a number is not negative")
    terms = room.reduce(array.terms)
    zero, one = _number(room, 0), _number(room, 1)
    if not terms:
        return Mask(room, one, {}, array.shape)
    array = array.of(terms)
    name = room.alphabet.mask(terms, array.rows, array.columns, strict=False)
    if (name, "own") not in room.known:
        room.known.add((name, "own"))
        strict = rectified(array)
        word, value, monomial, remaining = room.alphabet.solved_for_lead(terms)
        lead = masked_or_diagonal(name, array.of({((), word): Fraction(1)})).terms
        masked_remaining = masked_or_diagonal(name, array.of(remaining))
        inverse = tuple((generator, -power) for generator, power in monomial)
        right = scaled((strict - masked_remaining).terms, 1 / value, inverse)
        room.alphabet.rule(next(iter(lead))[1], right)
    return Mask(room, zero, {name: one}, array.shape)


def _number(room: Room, value: int) -> WordArray:
    return WordArray(room, {((), ()): Fraction(value)} if value else {}, ())


def rectified(array: WordArray) -> WordArray:
    """Every entry where it is positive, else zero."""
    room = array.room
    if not array.ndim:
        return _rectified_number(array)
    if array.diagonal_of:
        raise NotWords("the ReLU of the diagonal of a product")
    alphabet = room.alphabet
    terms = room.reduce(array.terms)
    array = array.of(terms)
    if all(
        value > 0 and alphabet.is_positive(monomial, strictly=False) and alphabet.is_nonnegative_word(word)
        for (monomial, word), value in terms.items()
    ):
        return array
    if all(
        value < 0 and alphabet.is_positive(monomial, strictly=False) and alphabet.is_nonnegative_word(word)
        for (monomial, word), value in terms.items()
    ):
        return array.of({})
    if is_known_nonnegative(array):
        return array
    if (scaling := scaling_of(array)) is not None:
        return scaling[0] @ rectified(scaling[1])  # type: ignore[no-any-return]
    chosen = _selected(array)
    if chosen is not None:
        before, inside, behind = chosen
        return before @ rectified(inside) @ behind  # type: ignore[no-any-return]
    if (blocks := each_block(array, rectified)) is not None:
        return blocks
    monomial = next(iter(terms))[0]
    if monomial and all(scalars == monomial for scalars, _ in terms) and alphabet.is_positive(monomial, strictly=False):
        inside = array.of({((), word): value for (_, word), value in terms.items()})
        multiple: WordArray = rectified(inside) * WordArray(room, {(monomial, ()): Fraction(1)}, ())
        return multiple
    first = min(terms, key=lambda key: (len(key[1]), key[1], str(key[0])))
    if terms[first] < 0:  # relu(-A) = relu(A) - A
        opposite: WordArray = rectified(-array) + array
        return opposite
    for name, argument in alphabet.argument.items():
        letter = alphabet.letters[name]
        if len(argument) == len(terms) and letter.rows.same(array.rows) and letter.columns.same(array.columns):
            masked_argument = room.reduce(masked_or_diagonal(name, array.of(argument)).terms)
            if masked_argument == terms:
                return array
    mask = mask_of(array)
    return mask * array  # type: ignore[no-any-return]


def masked_or_diagonal(name: str, array: WordArray) -> WordArray:
    """The product with a mask, of a matrix or of a vector."""
    if array.ndim == 1:
        diagonal = WordArray(array.room, {((), ((DIAGONAL, name, False, ()),)): Fraction(1)}, (array.shape[0],) * 2)
        return diagonal @ array  # type: ignore[no-any-return]
    return masked(name, array)


def _rectified_number(number: WordArray) -> WordArray:
    alphabet = number.room.alphabet
    terms = number.room.reduce(number.terms)
    if all(value > 0 and alphabet.is_positive(monomial, strictly=False) for (monomial, _), value in terms.items()):
        return number
    if all(value < 0 and alphabet.is_positive(monomial, strictly=False) for (monomial, _), value in terms.items()):
        return number.of({})
    raise NotWords("the ReLU of a number")


def _selected(array: WordArray) -> tuple[WordArray, WordArray, WordArray] | None:
    """A matrix of which all words select rows, or columns, of a matrix by the same letter: that letter, and the matrix."""
    room, alphabet = array.room, array.room.alphabet
    if array.ndim != 2 or not array.terms:
        return None
    for last in (True, False):
        letters = {word[-1 if last else 0] for _, word in array.terms if word}
        atoms = {atom for atom in letters if _selects(alphabet, atom, last=last)}
        if len(atoms) != 1:
            continue
        atom = atoms.pop()
        rows, columns = alphabet.shape(atom)
        selector = WordArray(room, {((), (atom,)): Fraction(1)}, (rows, columns))
        terms: Terms = {}
        for (monomial, word), value in array.terms.items():
            remaining = _without_end(room, word, atom, array.columns) if last else word[1:] if word[:1] == (atom,) else None
            if not remaining:
                return None
            terms[monomial, remaining] = terms.get((monomial, remaining), Fraction(0)) + value
        if last:
            return room.eye(array.rows), WordArray(room, terms, (array.rows, rows)), selector
        return selector, WordArray(room, terms, (columns, array.columns)), room.eye(array.columns)
    return None


def _selects(alphabet: Alphabet, atom: Atom, *, last: bool) -> bool:
    """Whether a letter at the end, or at the beginning, of a word selects columns, or rows."""
    if atom[0] != LETTER:
        return False
    kind = alphabet.letters[atom[1]].definition[0]
    return kind == "reversal" or (kind == "part" and atom[2] is not last)


def _without_end(room: Room, word: Word, atom: Atom, columns: Size) -> Word | None:
    """What a letter that selects columns is behind; a row of ones is one of whatever columns are selected."""
    if word[-1:] == (atom,):
        return word[:-1]
    row = room._row(room.alphabet.ones(room.alphabet.shape(atom)[0]))
    if columns.same(ONE):
        return word + row
    return word[:-1] + row if word[-1:] == room._row(room.alphabet.ones(columns)) else None


def entrywise_maximum(left: WordArray, right: WordArray) -> WordArray:
    """The larger of two entries: a letter of which nothing is known."""
    room, shape = left.room, left._common(right)
    sides = [room.reduce(side.broadcast(shape).terms) for side in (left, right)]
    if not shape or left.diagonal_of or right.diagonal_of:
        raise NotWords("the larger of two numbers")
    if not sides[1]:
        return rectified(left.broadcast(shape))
    from verify.proofs.all_sizes.texts import terms_text

    texts = [terms_text(side) for side in sides]
    columns = shape[1] if len(shape) == 2 else ONE
    atom = room.alphabet.letter("X", shape[0], columns, ("maximum", str(len(texts[0])), *texts[0], *texts[1]))
    return WordArray(room, {((), (atom,)): Fraction(1)}, shape)


def slopes_letter(array: WordArray, positive: WordArray, negative: WordArray) -> str:
    """The letter of the slopes at an array: one number where it is not negative, another where it is."""
    from verify.proofs.all_sizes.texts import terms_text

    room, alphabet = array.room, array.room.alphabet
    mask = nonnegative_mask_of(array)
    name = next(iter(mask.parts), None)
    if name is None:
        raise NotWords("the slopes at zero")
    letter = alphabet.letters[name]
    mask_array = WordArray(room, {((), ((LETTER, name, False, ()),)): Fraction(1)}, array.shape)
    terms = (room.ones(*array.shape) * negative + mask_array * (positive - negative)).terms
    return alphabet.letter("G", letter.rows, letter.columns, ("sum", *terms_text(terms)))[1]


def _blocks(array: WordArray) -> list[tuple[Word, WordArray]] | None:
    """The parts of an array whose words all begin with embeddings of one sum of sizes; None of others."""
    room, alphabet = array.room, array.room.alphabet
    names: set[str] = set()
    for _, word in array.terms:
        if not word or word[0][0] != LETTER or word[0][2] or alphabet.letters[word[0][1]].definition[0] != "part":
            return None
        names.add(alphabet.letters[word[0][1]].definition[1])
    if len(names) != 1:
        return None
    sizes = tuple(map(Size.read, names.pop().split("|")))
    blocks = []
    for embedding, size in zip(alphabet.parts(sizes), sizes, strict=True):
        terms = {(monomial, word[1:]): value for (monomial, word), value in array.terms.items() if word[:1] == embedding}
        blocks.append((embedding, WordArray(room, terms, (size, *array.shape[1:]))))
    return blocks


def each_block(array: WordArray, function: Callable[[WordArray], WordArray]) -> WordArray | None:
    """A function of the parts of an array, put together again; None where it has none."""
    blocks = _blocks(array)
    if blocks is None:
        return None
    total: Any = None
    for embedding, part in blocks:
        block = WordArray(array.room, {((), embedding): Fraction(1)}, (array.shape[0], part.rows)) @ function(part)
        total = block if total is None else total + block
    return total  # type: ignore[no-any-return]


def blocks_of(array: WordArray) -> list[tuple[Word, Terms]]:
    """See `_blocks`; empty where there are none."""
    return [(embedding, part.terms) for embedding, part in _blocks(array) or []]


def pseudo_inverse(array: WordArray) -> WordArray:
    """The pseudo-inverse of a matrix."""
    room, alphabet = array.room, array.room.alphabet
    if array.ndim != 2:
        raise NotWords("the pseudo-inverse of what is no matrix")
    array = array.of(room.reduce(array.terms))
    terms, shape = array.terms, (array.shape[1], array.shape[0])
    if not terms:
        return room.zeros(shape)
    if len(terms) > 1 and (factor := _gram_factor(array)) is not None:
        array = array.of(room.reduce(factor.terms), factor.shape)
        inverse = pseudo_inverse(factor)
        return inverse @ inverse.T  # type: ignore[no-any-return]
    if len(terms) > 1:
        word = alphabet.named(terms, array.rows, array.columns, blocks_of(array))
        return WordArray(room, {((), alphabet.pinv(word[0], (array.rows, array.columns))): Fraction(1)}, shape)
    (monomial, word), value = next(iter(terms.items()))
    inverse = reciprocal(WordArray(room, {(monomial, ()): value}, ()))
    if not word:
        return room.eye(array.rows) * inverse  # type: ignore[no-any-return]
    if len(word) == 1:
        return WordArray(room, {((), alphabet.pinv(word[0], (array.rows, array.columns))): Fraction(1)}, shape) * inverse  # type: ignore[no-any-return]
    half = len(word) // 2
    if len(word) % 2 == 0 and alphabet.transposed({((), word[half:]): Fraction(1)}) == {((), word[:half]): Fraction(1)}:
        # (V'V)+ = V+ (V+)'
        V = WordArray(room, {((), word[half:]): Fraction(1)}, (alphabet.shape(word[half])[0], array.columns))
        half_inverse = pseudo_inverse(V)
        return (half_inverse @ half_inverse.T) * inverse  # type: ignore[no-any-return]
    named = alphabet.named({((), word): Fraction(1)}, array.rows, array.columns, [])
    return WordArray(room, {((), alphabet.pinv(named[0], (array.rows, array.columns))): Fraction(1)}, shape) * inverse  # type: ignore[no-any-return]


def _gram_factor(array: WordArray) -> WordArray | None:
    """F with F'F the matrix, if that is a sum of Gram matrices of words."""
    room, alphabet = array.room, array.room.alphabet
    if not array.rows.same(array.columns):
        return None
    parts = []
    for (monomial, word), value in array.terms.items():
        half = len(word) // 2
        if monomial or value != 1 or not word or len(word) % 2:
            return None
        if alphabet.transposed({((), word[half:]): Fraction(1)}) != {((), word[:half]): Fraction(1)}:
            return None
        parts.append(WordArray(room, {((), word[half:]): Fraction(1)}, (alphabet.shape(word[half])[0], array.columns)))
    # the constants last, as for a row that stands for the bias
    parts.sort(key=lambda part: (part.rows.is_number, str(part.terms)))
    factor: WordArray = joined(room, parts, 0)
    return factor


def inverted(array: WordArray) -> WordArray:
    """The inverse of a square matrix; where there is none, the statement has no value."""
    room, alphabet = array.room, array.room.alphabet
    if array.ndim != 2 or not array.rows.same(array.columns):
        raise NotWords(f"the inverse of what has the shape {_shape(array.shape)}")
    terms = room.reduce(array.terms)
    if not terms:
        raise NotWords("the inverse of zero")
    if len(terms) == 1 and not next(iter(terms))[1]:
        (monomial, _), value = next(iter(terms.items()))
        return room.eye(array.rows) * reciprocal(WordArray(room, {(monomial, ()): value}, ()))  # type: ignore[no-any-return]
    word = alphabet.inverse(terms, array.rows)
    if not _is_definite(room, terms):
        from verify.proofs.all_sizes.texts import terms_text

        alphabet.assumptions.append(f"{' + '.join(terms_text(terms))} is invertible: elsewhere the statement has no value")
    return WordArray(room, {((), word): Fraction(1)}, array.shape)


def _is_definite(room: Room, terms: Terms) -> bool:
    """Whether it is a positive multiple of the identity and of Gram matrices, or a diagonal matrix of positive numbers."""
    alphabet, identity = room.alphabet, False
    if len(terms) == 1 and all(atom[0] == DIAGONAL and atom[1] in room.positive for atom in next(iter(terms))[1]):
        return next(iter(terms.values())) > 0 and alphabet.is_positive(next(iter(terms))[0])
    for (monomial, word), value in terms.items():
        half = len(word) // 2
        if value <= 0 or not alphabet.is_positive(monomial, strictly=not word):
            return False
        identity |= not word
        if len(word) % 2 or alphabet.transposed({((), word[half:]): Fraction(1)}) != {((), word[:half]): Fraction(1)}:
            return False
    return identity


def joined(room: Room, arrays: Sequence[Any], axis: int) -> Any:
    """Arrays one after the other."""
    if all(
        isinstance(array, Table) or (isinstance(array, np.ndarray) and array.ndim == 1 and array.dtype != object)
        for array in arrays
    ):
        items = [item for array in arrays for item in (array.items if isinstance(array, Table) else map(room.number, array))]
        return Table(room, items)
    parts = [_as_block(room, array) for array in arrays]
    ndim = parts[0].ndim
    if any(part.ndim != ndim or part.diagonal_of for part in parts) or not ndim:
        raise NotWords("arrays with different numbers of axes are joined")
    axis %= ndim
    sizes = tuple(part.shape[axis] for part in parts)
    other_length = next((part.shape[1 - axis] for part in parts), ONE) if ndim == 2 else ONE
    if ndim == 2 and not all(part.shape[1 - axis].same(other_length) for part in parts):
        raise NotWords(f"shapes do not fit where arrays are joined: {', '.join(_shape(part.shape) for part in parts)}")
    total: Size = Size()
    for size in sizes:
        total = total + size
    result: Terms = {}
    for embedding, part in zip(room.alphabet.parts(sizes), parts, strict=True):
        row = room._row(embedding)
        result = added(
            result,
            {(m, embedding + word if not axis else word + row): value for (m, word), value in part.terms.items()},
        )
    return WordArray(room, result, (total,) if ndim == 1 else (total, other_length) if not axis else (other_length, total))


def _as_block(room: Room, value: Any) -> WordArray:
    if isinstance(value, Mask):
        return value.vector()
    if isinstance(value, WordArray):
        return value
    if isinstance(value, Table):
        return joined(room, [room.ones(1) * item for item in value.items], 0)  # type: ignore[no-any-return]
    if isinstance(value, np.ndarray) and value.ndim in (1, 2) and all(entry == 0 for entry in value.flat):
        return room.zeros(tuple(map(Size.of, value.shape)))
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.size == 1:
        number = room.number(value[0])
        if number is not None:
            return room.ones(1) * number  # type: ignore[no-any-return]
    raise NotWords(f"a {type(value).__name__} is joined with letters")


class Table(Questionless):
    """Arrays along a first axis whose length is a number: layers, or the entries of a short vector."""

    __array_priority__ = 2100
    __array_ufunc__ = None

    def __init__(self, room: Room, items: Sequence[Any]) -> None:
        self.room, self.items = room, list(items)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return 1 + int(self.items[0].ndim) if self.items else 1

    @property
    def shape(self) -> tuple[Any, ...]:
        """Its length, and the shape of what it holds."""
        return (len(self.items), *(self.items[0].shape if self.items else ()))

    @property
    def dtype(self) -> Any:
        """That of exact numbers."""
        return np.dtype(object)

    def __len__(self) -> int:
        return len(self.items)

    def length(self) -> int:
        """What ``len`` says."""
        return len(self.items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def map(self, function: Callable[[Any], Any]) -> Table:
        """A function of each."""
        return Table(self.room, [function(item) for item in self.items])

    def __getitem__(self, key: Any) -> Any:
        keys = list(key) if isinstance(key, tuple) else [key]
        if any(key is Ellipsis for key in keys):
            place = next(k for k, key in enumerate(keys) if key is Ellipsis)
            missing = self.ndim - sum(key is not None and key is not Ellipsis for key in keys)
            keys[place : place + 1] = [slice(None)] * missing
        first, inner_keys = keys[0], tuple(keys[1:])
        if first is None:
            inner = self[inner_keys] if inner_keys else self
            return Table(self.room, [inner])
        if isinstance(first, slice):
            chosen = self.items[first]
            return Table(self.room, [item[inner_keys] if inner_keys else item for item in chosen])
        if isinstance(first, np.ndarray | list | tuple):
            return Table(self.room, [self.items[int(place)] for place in first])
        item = self.items[int(first)]
        return item[inner_keys] if inner_keys else item

    def _with(self, other: Any, function: Callable[[Any, Any], Any]) -> Any:
        if isinstance(other, np.ndarray) and other.ndim == 1 and other.dtype.kind in "iub":
            other = Table(self.room, [self.room.number(entry) for entry in other])
        if isinstance(other, Table):
            if len(other) == len(self):
                return Table(self.room, [function(a, b) for a, b in zip(self.items, other.items, strict=True)])
            if len(other) == 1:
                return self.map(lambda item: function(item, other.items[0]))
            if len(self) == 1:
                return other.map(lambda item: function(self.items[0], item))
            raise NotWords(f"shapes do not fit: {len(self)} and {len(other)} arrays")
        if isinstance(other, WordArray) and other.ndim > max(0, self.ndim - 1):
            raise NotWords("a table of numbers meets a matrix")
        return self.map(lambda item: function(item, other))

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b - a)

    def __neg__(self) -> Any:
        return self.map(lambda item: -item)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b / a)

    def __pow__(self, power: Any) -> Any:
        return self.map(lambda item: item**power)

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, Table) and self.ndim == other.ndim == 1 and len(self) == len(other):
            return (self * other).sum()
        if self.ndim != 3:
            raise NotWords("a product with @ of a short vector")
        return self._with(other, lambda a, b: a @ b)

    def __rmatmul__(self, other: Any) -> Any:
        if self.ndim != 3:
            raise NotWords("a product with @ of a short vector")
        return self._with(other, lambda a, b: b @ a)

    def __gt__(self, other: Any) -> Any:
        return self.map(lambda item: item > other)

    def sum(self, axis: Any = None, keepdims: bool = False) -> Any:
        """Sum of all entries, or along axes."""
        if keepdims:
            raise NotWords("a sum of a table that keeps its axes")
        axes = set(range(self.ndim)) if axis is None else {place % self.ndim for place in np.atleast_1d(axis)}
        inside = tuple(sorted(place - 1 for place in axes if place))
        items = [item.sum(inside if len(inside) > 1 else inside[0]) for item in self.items] if inside else self.items
        if 0 not in axes:
            return Table(self.room, items)
        total: Any = _number(self.room, 0)
        for item in items:
            total = total + item
        return total

    def prod(self, axis: Any = None) -> Any:
        """Product of numbers."""
        if self.ndim > 1 or axis not in (None, 0, -1):
            raise NotWords("a product of matrices along an axis")
        total: Any = _number(self.room, 1)
        for item in self.items:
            total = total * item
        return total

    def cumsum(self, axis: Any = None) -> Any:
        """Sums of the first numbers."""
        if self.ndim > 1 or axis not in (None, 0, -1):
            raise NotWords("sums of matrices along an axis")
        return Table(self.room, [Table(self.room, self.items[: k + 1]).sum() for k in range(len(self))])

    def swapaxes(self, first: int, second: int) -> Any:
        """As NumPy's, of the last two axes."""
        if self.ndim != 3 or {first % 3, second % 3} != {1, 2}:
            raise NotWords("the first axis of a table is swapped")
        return self.map(lambda item: item.T)

    def copy(self) -> Table:
        """Itself."""
        return self

    def astype(self, *_: Any, **__: Any) -> Table:
        """Itself."""
        return self

    __array_function__ = WordArray.__array_function__
