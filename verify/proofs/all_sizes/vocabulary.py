"""The words of a statement and the functions of the engine, as what they are of letters."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from verify import instances, matrices, words
from verify.networks import FullyConnected, HomogeneousActivation, LeakyResNet, _arrays, activations, combinations, leaky_resnet
from verify.networks.leaky_resnet import _features
from verify.numbers import arguments, arithmetic
from verify.numbers.relation import Relation
from verify.proofs.all_sizes.letters import LETTER, NotWords, Size
from verify.proofs.all_sizes.networks import LetterActivation, LetterLeakyResNet, LetterNetwork
from verify.proofs.all_sizes.values import (
    FUNCTIONS,
    UFUNCS,
    Mask,
    Questionless,
    Room,
    Table,
    WordArray,
    diagonal_matrix,
    entrywise_maximum,
    inverted,
    joined,
    mask_of,
    pseudo_inverse,
    rectified,
)


@dataclass(frozen=True, eq=False)
class LetterComparison:
    """Two sides, and how they are compared: ``le``, ``ge`` or ``eq``."""

    sense: str
    left: WordArray
    right: WordArray
    name: str
    batch_shape: tuple[int, ...] = ()
    """Letters stand for one instance."""


class Given(Questionless):
    """What a hypothesis says of letters: that sides are equal, and that letters or other arrays have no negative entry."""

    def __init__(
        self,
        equations: Sequence[tuple[WordArray, WordArray]],
        nonnegative: Sequence[str] = (),
        arrays: Sequence[WordArray] = (),
    ) -> None:
        self.equations, self.nonnegative, self.arrays = tuple(equations), tuple(nonnegative), tuple(arrays)

    def __and__(self, other: Any) -> Given:
        if isinstance(other, Given):
            fields = zip(*((answer.equations, answer.nonnegative, answer.arrays) for answer in (self, other)), strict=True)
            return Given(*(first + second for first, second in fields))
        if isinstance(other, bool | np.bool_) and other:
            return self
        raise NotWords("a hypothesis says more than letters tell")

    __rand__ = __and__

    def all(self, *_: Any, **__: Any) -> Given:
        """All of it."""
        return self


class _Rank(Questionless):
    """The rank of a matrix, of which only is asked whether it is as large as it can be."""

    def __init__(self, matrix: WordArray) -> None:
        self._matrix = matrix

    def __eq__(self, other: object) -> Any:
        matrix, inverse = self._matrix, pseudo_inverse(self._matrix)
        for place, square in ((0, matrix @ inverse), (1, inverse @ matrix)):
            if isinstance(other, int | Size) and matrix.shape[place].same(Size.of(other)):
                return Given([(square, matrix.room.eye(matrix.shape[place]))])
        raise NotWords("a rank")

    __hash__ = None


def mentions(value: Any) -> bool:
    """Whether there are letters in a value, or sizes that are no numbers."""
    if isinstance(value, Questionless | Size | LetterActivation):
        return True
    if isinstance(value, list | tuple):
        return any(map(mentions, value))
    if isinstance(value, Relation):
        return any(isinstance(comparison, LetterComparison) for comparison in value.comparisons)
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        return any(map(mentions, value.flat))
    return False


def _relation(sense: str) -> Callable[..., Relation]:
    def compare(room: Room, left: Any, right: Any, name: str = "", *, beside: Any = None, over: int = 0) -> Relation:  # noqa: ARG001 (a scale of slacks)
        return Relation(tuple(_comparisons(room, sense, left, right, name)))

    return compare


def _comparisons(room: Room, sense: str, left: Any, right: Any, name: str) -> list[Any]:
    if isinstance(left, Table) or isinstance(right, Table):
        if not (isinstance(left, Table) and isinstance(right, Table)):
            table, other = (left, right) if isinstance(left, Table) else (right, left)
            if room.number(other) is None:
                raise NotWords("a table is compared with a matrix")
            pairs = [(entry, other) if table is left else (other, entry) for entry in table.items]
        elif len(left) != len(right):
            if 1 not in (len(left), len(right)):
                raise NotWords(f"tables of {len(left)} and {len(right)} arrays are compared")
            count = max(len(left), len(right))
            pairs = [(left.items[k % len(left)], right.items[k % len(right)]) for k in range(count)]
        else:
            pairs = list(zip(left.items, right.items, strict=True))
        return [comparison for a, b in pairs for comparison in _comparisons(room, sense, a, b, name)]
    sides = [_side(room, side) for side in (left, right)]
    if sides[0].ndim and not sides[1].ndim:
        sides[1] = sides[1].broadcast(sides[0].shape) if sides[1].terms else sides[0].of({})
    elif sides[1].ndim and not sides[0].ndim:
        sides[0] = sides[0].broadcast(sides[1].shape) if sides[0].terms else sides[1].of({})
    return [LetterComparison(sense, sides[0], sides[1], name)]


def _side(room: Room, value: Any) -> WordArray:
    if isinstance(value, WordArray):
        return value
    if isinstance(value, Mask):
        return value.vector()
    number = room.number(value)
    if number is None:
        raise NotWords(f"a side is a {type(value).__name__}")
    return number


def _norm2(room: Room, array: Any) -> Any:
    if isinstance(array, Table):
        return _total(room, [_norm2(room, item) for item in array.items])
    return _inner(room, array, array)


def _total(room: Room, values: Sequence[Any]) -> Any:
    total: Any = room.number(0)
    for value in values:
        total = total + value
    return total


def _inner(room: Room, left: Any, right: Any) -> Any:
    if isinstance(left, Table) and isinstance(right, Table):
        return _total(room, [_inner(room, a, b) for a, b in zip(left.items, right.items, strict=True)])
    left, right = _side(room, left), _side(room, right)
    if not left.ndim:
        return left * right
    if left.ndim == 1:
        return left @ right
    return (left * right).sum()


def _where(room: Room, condition: Any, yes: Any, no: Any) -> Any:
    if isinstance(condition, Mask):
        branches = [_side(room, branch) for branch in (yes, no)]
        yes, no = (branch if branch.ndim else branch.broadcast(condition.shape) for branch in branches)
        return condition * yes + no - condition * no
    answers = np.asarray(condition)
    if answers.dtype.kind != "b":
        answers = answers.astype(bool)
    if answers.size == 1 or bool(answers.all()) or not answers.any():
        yes, no = (_same_shape(room, first, other) for first, other in ((yes, no), (no, yes)))
        return yes if bool(answers.reshape(-1)[0]) else no
    if answers.ndim == 1:
        tables = [branch if isinstance(branch, Table) else Table(room, [branch] * len(answers)) for branch in (yes, no)]
        return Table(room, [tables[0][k] if answer else tables[1][k] for k, answer in enumerate(answers)])
    raise NotWords("a choice between entries")


def _same_shape(room: Room, value: Any, other: Any) -> Any:
    """A number beside an array as an array, which a choice makes of it."""
    number = room.number(value)
    if number is not None and isinstance(other, WordArray) and other.ndim:
        return number.broadcast(other.shape) if number.terms else other.of({})
    return number if number is not None else value


def _in_row_space(room: Room, matrix: Any, features: Any) -> Given:
    if isinstance(matrix, Table) and isinstance(features, Table) and len(matrix) == len(features):
        answers = [_in_row_space(room, *pair) for pair in zip(matrix.items, features.items, strict=True)]
        return Given([pair for answer in answers for pair in answer.equations])
    if not (isinstance(matrix, WordArray) and isinstance(features, WordArray) and matrix.ndim == features.ndim == 2):
        raise NotWords("a row space")
    return Given([(matrix @ (pseudo_inverse(features) @ features), matrix)])


def _is_nonnegative(room: Room, array: Any) -> Given:
    side = _side(room, array)
    (((monomial, word), value),) = side.terms.items() if len(side.terms) == 1 else ((((), ()), 0),)
    letter = room.alphabet.letters.get(word[0][1]) if len(word) == 1 and word[0][0] == LETTER else None
    if letter is not None and not monomial and value == 1 and letter.definition == ("free",):
        return Given([], [letter.name])
    if not side.ndim:
        raise NotWords("whether a number is negative")
    return Given([], [], [side])


def _holds(room: Room, relation: Any) -> Given:  # noqa: ARG001 (as all words)
    if not isinstance(relation, Relation):
        raise NotWords(f"whether a {type(relation).__name__} holds")
    comparisons: list[Any] = list(relation.comparisons)
    if not all(isinstance(comparison, LetterComparison) and comparison.sense == "eq" for comparison in comparisons):
        raise NotWords("whether an inequality holds")
    return Given([(comparison.left, comparison.right) for comparison in comparisons])


def _stack(room: Room, arrays: Sequence[Any], axis: int = 0) -> Any:
    if isinstance(arrays, Table):
        arrays = arrays.items
    items: list[Any] = [room.number(array) if room.number(array) is not None else array for array in arrays]
    if axis in (0, -1) and all(isinstance(item, WordArray) and not item.ndim for item in items):
        return Table(room, items)
    if axis == 0:
        return Table(room, items)
    if axis in (1, -1) and all(isinstance(item, WordArray) and item.ndim == 1 for item in items):
        return joined(room, [item[:, None] for item in items], 1)
    raise NotWords(f"arrays are stacked along the axis {axis}")


def _concatenate(room: Room, arrays: Sequence[Any], axis: int = 0) -> Any:
    return joined(room, list(arrays), axis)


def _block(room: Room, rows: Sequence[Sequence[Any]]) -> Any:
    table = [list(row) for row in rows]
    heights = [next((block.shape[0] for block in row if getattr(block, "ndim", 0) == 2), 1) for row in table]
    widths = [next((row[k].shape[1] for row in table if getattr(row[k], "ndim", 0) == 2), 1) for k in range(len(table[0]))]
    joined_rows = []
    for row, height in zip(table, heights, strict=True):
        parts = [
            block if getattr(block, "ndim", 0) == 2 else _side(room, block) * room.ones(height, width)
            for block, width in zip(row, widths, strict=True)
        ]
        joined_rows.append(joined(room, parts, 1))
    return joined(room, joined_rows, 0)


def _zeros(room: Room, *shape: Any) -> Any:
    return room.zeros(tuple(map(Size.of, _lengths(shape))))


def _ones(room: Room, *shape: Any) -> Any:
    return room.ones(*_lengths(shape))


def _lengths(shape: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape


def _eye(room: Room, size: Any, *_: Any, **__: Any) -> Any:
    return room.eye(size)


def _diag(room: Room, values: Any) -> Any:
    if isinstance(values, WordArray) and values.ndim == 1:
        return diagonal_matrix(values)
    if isinstance(values, WordArray) and values.ndim == 2:
        return WordArray(room, values.terms, values.shape[:1], diagonal=True)
    raise NotWords("the diagonal matrix of what is no vector")


def _outer(room: Room, left: Any, right: Any) -> Any:
    first, second = (array if isinstance(array, WordArray) else joined(room, [array], 0) for array in (left, right))
    return first[:, None] @ second[None]


def _rectified(room: Room, values: Any) -> Any:
    if isinstance(values, Table):
        return values.map(lambda item: _rectified(room, item))
    return rectified(_side(room, values))


def _feature_matrix(room: Room, values: Any, *, bias: bool = True) -> Any:
    if isinstance(values, Table):
        return values.map(lambda item: _feature_matrix(room, item, bias=bias))
    features = rectified(values)
    return joined(room, [features, room.ones(1, features.shape[1])], 0) if bias else features


def _compose(room: Room, outer: Any, inner: Any, *, merge: bool) -> LetterNetwork:
    activation = _common_activation(outer, inner)
    if not merge:
        return LetterNetwork(room, [*inner.weights, *outer.weights], [*inner.biases, *outer.biases], activation)
    entry = outer.weights[0]
    weights = [*inner.weights[:-1], entry @ inner.weights[-1], *outer.weights[1:]]
    return LetterNetwork(
        room, weights, [*inner.biases[:-1], entry @ inner.biases[-1] + outer.biases[0], *outer.biases[1:]], activation
    )


def _through_bottleneck(room: Room, inner: Any, outer: Any, depth: Any, shift: Any = None, scale: Any = None) -> LetterNetwork:
    activation = _common_activation(outer, inner)
    if activation.positive.terms != {((), ()): 1}:
        raise NotWords("identity layers behind another slope than 1")
    count = int(depth) - inner.depth - outer.depth
    if count < 0:
        raise NotWords("a network through a bottleneck that is not deep enough")
    (W, b), (V, c) = (inner.weights[-1], inner.biases[-1]), (outer.weights[0], outer.biases[0])
    width = W.shape[0]
    if shift is not None:
        b, c = b + shift, c - V @ shift
    if scale is not None:
        W, b, V = W * scale[:, None], b * scale, V / scale[None]
    weights = [*inner.weights[:-1], W, *[room.eye(width)] * count, V, *outer.weights[1:]]
    biases = [*inner.biases[:-1], b, *[room.zeros((width,))] * count, c, *outer.biases[1:]]
    return LetterNetwork(room, weights, biases, activation)


def _add(room: Room, left: Any, right: Any) -> LetterNetwork:
    activation = _common_activation(left, right)
    if left.depth != right.depth:
        raise NotWords(f"networks of depths {left.depth} and {right.depth} are added")
    last = left.biases[-1] + right.biases[-1]
    if left.depth == 1:
        return LetterNetwork(room, [left.weights[0] + right.weights[0]], [last], activation)
    pairs = list(zip(left.weights, right.weights, strict=True))
    middle = [
        _block(room, [[A, room.zeros((A.shape[0], B.shape[1]))], [room.zeros((B.shape[0], A.shape[1])), B]])
        for A, B in pairs[1:-1]
    ]
    weights = [joined(room, list(pairs[0]), 0), *middle, joined(room, list(pairs[-1]), 1)]
    biases = [joined(room, list(pair), 0) for pair in zip(left.biases[:-1], right.biases[:-1], strict=True)]
    return LetterNetwork(room, weights, [*biases, last], activation)


def _common_activation(first: Any, second: Any) -> LetterActivation:
    if not (isinstance(first, LetterNetwork) and isinstance(second, LetterNetwork)):
        raise NotWords("a network of numbers and one of letters")
    for kind in ("positive", "negative"):
        if getattr(first.activation, kind).terms != getattr(second.activation, kind).terms:
            raise NotWords("networks with different activations")
    return first.activation


def _each(function: Callable[[Any], Any]) -> Callable[..., Any]:
    def word(room: Room, array: Any, *_: Any, **__: Any) -> Any:  # noqa: ARG001 (as all words)
        return array.map(function) if isinstance(array, Table) else function(array)

    return word


def _solve(room: Room, matrix: Any, right: Any) -> Any:  # noqa: ARG001 (as all words)
    return inverted(matrix) @ right


def _absolute(room: Room, value: Any) -> Any:
    if isinstance(value, Table):
        return value.map(lambda item: _absolute(room, item))
    if isinstance(value, WordArray) and value.ndim:
        return 2 * rectified(value) - value
    number = room.number(value)
    if number is None or any(
        factor < 0 or not room.alphabet.is_positive(monomial, strictly=False) for (monomial, _), factor in number.terms.items()
    ):
        raise NotWords("an absolute value")
    return number


def _sqrt(room: Room, value: Any) -> Any:
    """The root of the square of what is not negative."""
    from verify.proofs.all_sizes.values import as_fraction

    number = room.number(value)
    if number is None or number.ndim or len(number.terms) != 1:
        raise NotWords("a root")
    (monomial, _), factor = next(iter(number.terms.items()))
    half = tuple((generator, power // 2) for generator, power in monomial)
    root = arithmetic.sqrt(np.asarray(arithmetic.rational(factor), dtype=object))
    exact = as_fraction(root)
    if exact is None or any(power % 2 for _, power in monomial) or not room.alphabet.is_positive(half, strictly=False):
        raise NotWords("a root")
    return WordArray(room, {(half, ()): exact}, ())


def _maximum(room: Room, left: Any, right: Any) -> Any:
    return entrywise_maximum(_side(room, left), _side(room, right))


def _minimum(room: Room, left: Any, right: Any) -> Any:
    return -entrywise_maximum(-_side(room, left), -_side(room, right))


def _compare(room: Room, left: Any, right: Any) -> Any:
    """The sign of a number whose sign is known."""
    difference = _side(room, left) - _side(room, right)
    terms = difference.terms
    if difference.ndim:
        raise NotWords("an order is asked of a matrix of letters")
    if not terms:
        return np.asarray(0)
    for sign in (1, -1):
        if all(sign * value > 0 and room.alphabet.is_positive(monomial) for (monomial, _), value in terms.items()):
            return np.asarray(sign)
    raise NotWords("the sign of a number that is not known")


def _passed(place: int) -> Callable[..., Any]:
    return lambda room, *operands, **_: operands[place]  # noqa: ARG005 (as all words)


def _repeat(room: Room, array: Any, count: Any, axis: int | None = None) -> Any:
    size = Size.of(count)
    if not isinstance(array, WordArray) or axis is None or array.ndim != 2 or not array.shape[axis].same(Size.of(1)):
        raise NotWords("entries are repeated")
    return room.ones(size, 1) @ array if axis % 2 == 0 else array @ room.ones(1, size)


FUNCTIONS |= {
    np.concatenate: _concatenate,
    np.stack: _stack,
    np.where: _where,
    np.outer: _outer,
    np.swapaxes: lambda room, array, first, second: array.swapaxes(first, second),  # noqa: ARG005
    np.transpose: lambda room, array: array.T,  # noqa: ARG005
    np.sum: lambda room, array, axis=None, **options: array.sum(axis, **options),  # noqa: ARG005
    np.mean: lambda room, array, axis=None, **options: array.mean(axis, **options),  # noqa: ARG005
    np.trace: lambda room, array, *_, **__: array.trace(),  # noqa: ARG005
    np.zeros_like: lambda room, array, **_: array * 0,  # noqa: ARG005
    np.ones_like: lambda room, array, **_: array * 0 + 1,  # noqa: ARG005
    np.ndim: lambda room, array: array.ndim,  # noqa: ARG005
    np.shape: lambda room, array: array.shape,  # noqa: ARG005
    np.repeat: _repeat,
    np.cumsum: lambda room, array, axis=None: array.cumsum(axis),  # noqa: ARG005
    np.diag: _diag,
    np.broadcast_to: lambda room, array, shape: array.broadcast(tuple(map(Size.of, shape))),  # noqa: ARG005
}

UFUNCS |= {
    np.add: lambda room, a, b: _letters(room, a) + _letters(room, b),
    np.subtract: lambda room, a, b: _letters(room, a) - _letters(room, b),
    np.multiply: lambda room, a, b: _letters(room, a) * _letters(room, b),
    np.true_divide: lambda room, a, b: _letters(room, a) / _letters(room, b),
    np.matmul: lambda room, a, b: _letters(room, a) @ _letters(room, b),
    np.negative: lambda room, a: -a,  # noqa: ARG005
    np.positive: lambda room, a: a,  # noqa: ARG005
    np.square: lambda room, a: a**2,  # noqa: ARG005
    np.greater: lambda room, a, b: operator.gt(_letters(room, a), b),
    np.sqrt: _sqrt,
    np.absolute: _absolute,
}


def _letters(room: Room, value: Any) -> Any:
    """The first operand as letters, whose operators know the second."""
    if isinstance(value, Questionless):
        return value
    if isinstance(value, np.ndarray):
        if value.size == 1:
            inside = value.reshape(-1)[0]
            return inside if isinstance(inside, Questionless) else _side(room, value)
        if value.ndim == 1:
            return Table(room, [room.number(entry) for entry in value])
        if value.ndim == 2 and all(entry == 0 for entry in value.flat):
            return room.zeros(tuple(map(Size.of, value.shape)))
        raise NotWords("an array of numbers meets letters")
    return _side(room, value)


WORDS: dict[Any, Callable[..., Any]] = {
    words.eq: _relation("eq"),
    words.le: _relation("le"),
    words.ge: _relation("ge"),
    words.norm2: _norm2,
    words.inner: _inner,
    words.trace: _each(lambda array: array.trace()),
    words.relu: _rectified,
    words.where: _where,
    words.stack: _stack,
    words.vector: lambda room, *entries: _stack(room, entries),
    words.concatenate: _concatenate,
    words.block: _block,
    words.eye: _eye,
    words.zeros: _zeros,
    words.ones: _ones,
    words.diag: _diag,
    words.sqrt: _sqrt,
    words.absolute: _absolute,
    words.solve: _solve,
    matrices.pseudo_inverse: _each(pseudo_inverse),
    matrices.inverse: _each(inverted),
    matrices.solve: _solve,
    matrices.frobenius_norm_squared: _norm2,
    arithmetic.where_positive: lambda room, values, chosen: mask_of(values) * chosen,  # noqa: ARG005
    arithmetic.rationals: _passed(0),
    arithmetic.sqrt: _sqrt,
    arithmetic.compare: _compare,
    arithmetic.maximum: _maximum,
    arithmetic.minimum: _minimum,
    combinations.compose: _compose,
    combinations.add: _add,
    combinations.through_bottleneck: _through_bottleneck,
    words.positive: _is_nonnegative,
    words.nonnegative: _is_nonnegative,
    words.holds: _holds,
    matrices.rank: lambda room, matrix: _Rank(_side(room, matrix)),
    leaky_resnet.is_in_row_space: _in_row_space,
    words.maximum: _maximum,
    words.minimum: _minimum,
    arithmetic.absolute: _absolute,
    HomogeneousActivation: LetterActivation,
    FullyConnected: lambda room, weights, biases=None, activation=None: LetterNetwork(room, weights, biases, activation),
    LeakyResNet: LetterLeakyResNet,
    activations.leaky_relu: lambda room, slope: LetterActivation(room, 1, slope),
    leaky_resnet.rectified: _rectified,
    _features.rectified: _rectified,
    leaky_resnet.feature_matrix: _feature_matrix,
    _features.feature_matrix: _feature_matrix,
    leaky_resnet.active: _each(mask_of),
    _features.active: _each(mask_of),
    leaky_resnet.squared_norm: _norm2,
    _features.squared_norm: _norm2,
    leaky_resnet.inner: _inner,
    _features.inner: _inner,
    _features.checked_matrix: _passed(1),
    _features.checked_pair: lambda room, first, second: (first[1], second[1]),  # noqa: ARG005
    _features.shaped: _passed(1),
    _features.factor: _passed(1),
    arguments.real_array: _passed(1),
    arguments.real_arrays: lambda room, pairs, *_, **__: [value for _, value in pairs],  # noqa: ARG005
    _arrays.as_array: _passed(0),
    _arrays.number_like: _passed(1),
    _arrays.check_batches: lambda room, **_: None,  # noqa: ARG005
    _arrays.eye: lambda room, size, like: room.eye(size),  # noqa: ARG005
}
"""What stands for words and for functions of the engine, wherever a module of the package has a name for them."""


def lifted(room: Room, function: Callable[..., Any], find: Callable[[Any], Callable[..., Any]]) -> Callable[..., Any]:  # noqa: ARG001
    """A function of the engine, of letters."""
    plain = instances.lifted(function)

    def of_one(*operands: Any, **options: Any) -> Any:
        if mentions(operands) or mentions(tuple(options.values())):
            return find(function)(*operands, **options)
        return plain(*operands, **options)

    return of_one
