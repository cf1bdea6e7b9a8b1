"""A statement run on letters: its variables as letters of its domain, and its words as those of letters.

While a statement is traced, the names that modules have for words of `verify.words` and for functions of the engine stand for
what these are of letters; operands without letters go to the words themselves. After it all names are what they were.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from verify import instances
from verify.claims.claim import Claim, Statement
from verify.claims.domain import Domain
from verify.claims.variables import Derived, Networks, Numbers, Variable, call_with
from verify.networks import HomogeneousActivation
from verify.numbers.relation import Relation
from verify.proofs.all_sizes.letters import ONE, NeedsNumber, NotWords, Size
from verify.proofs.all_sizes.networks import LetterActivation, LetterNetwork
from verify.proofs.all_sizes.values import Room, Table, WordArray
from verify.proofs.all_sizes.vocabulary import WORDS, Given, LetterComparison, lifted, mentions
from verify.proofs.errors import ended, errors_met

ENGINE = ("verify.networks.leaky_resnet", "verify.words", "verify.matrices")
"""Modules of the engine whose functions are run on letters as they are."""


@dataclass(frozen=True)
class Plan:
    """What is fixed while a statement is traced.

    Attributes
    ----------
    fixed
        Sizes that are numbers.
    opaque
        Derived variables that are letters of their own: whatever their parameters are.
    integers
        Values of single integers, by the name of the coordinate.
    """

    fixed: Mapping[str, int]
    opaque: frozenset[str] = frozenset()
    integers: Mapping[str, int] = ()  # type: ignore[assignment]


class OpaqueVariable(NotWords):
    """A derived variable is computed by something that letters do not know."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")
        self.name = name


@dataclass(frozen=True, eq=False)
class Traced:
    """A statement on letters."""

    room: Room
    comparisons: tuple[LetterComparison, ...]
    outside: tuple[str, ...] = ()
    """Hypotheses that are false for these integers."""
    given: tuple[tuple[WordArray, WordArray], ...] = ()
    """Sides that are equal by hypotheses."""
    hypotheses: tuple[str, ...] = ()
    """Names of the hypotheses that were used."""


def trace(claim: Claim, statement: Statement, plan: Plan) -> Traced:
    """The comparisons of a statement, on letters.

    Raises
    ------
    NotWords
        It asks for something that is not the same for every width.
    """
    room, domain = Room(), claim.domain
    sizes: dict[str, Any] = {name: plan.fixed.get(name, Size(((name, 1),))) for name in domain.sizes}
    home = inspect.unwrap(_plain(claim.statement)).__module__.partition(".")[0]
    equations: list[tuple[WordArray, WordArray]] = []
    used: list[str] = []
    with _letters(room, home):
        values: dict[str, Any] = dict(sizes)
        for name, variable in domain.variables.items():
            values[name] = _built(room, name, variable, sizes, plan, domain)
        outside = []
        for name, hypothesis in domain.hypotheses.items():
            try:
                answer = _answer(hypothesis, values)
                if isinstance(answer, Given):
                    equations += _assumed(room, answer)
                    used.append(name)
                elif _is_false(answer):
                    outside.append(name)
            except Exception:  # a hypothesis that is not read is not used
                continue
        if outside:
            return Traced(room, (), tuple(outside))
        relation = _answer(statement, values)
    if not isinstance(relation, Relation):
        raise NotWords(f"the statement returns a {type(relation).__name__}")
    if not all(isinstance(comparison, LetterComparison) for comparison in relation.comparisons):
        raise NotWords("a comparison has no letters")
    if not relation.comparisons:
        raise NotWords("nothing is compared")
    return Traced(room, tuple(relation.comparisons), given=tuple(equations), hypotheses=tuple(used))  # type: ignore[arg-type]


def _answer(function: Any, values: Mapping[str, Any]) -> Any:
    """What a statement or a hypothesis gives, without an error that ends inside it."""
    with errors_met() as met:
        answer = call_with(function, values)
    if (over := ended(met)) is not None:
        raise NotWords(f"it goes on after {type(over).__name__}: {over}")
    return answer


def _assumed(room: Room, answer: Given) -> list[tuple[WordArray, WordArray]]:
    """Use what a hypothesis says; its equations that are not known already."""
    equations = []
    room.alphabet.nonnegative.update(answer.nonnegative)
    room.nonnegative += [room.reduce(array.terms) for array in answer.arrays]
    room.alphabet.version += 1
    for left, right in answer.equations:
        if left.ndim != 2 or right.ndim not in (0, 2):
            raise NotWords("a hypothesis on what is no matrix")
        right = right if right.ndim else right.broadcast(left.shape) if right.terms else left.of({})
        terms = room.reduce((left - right).terms)
        if not terms:
            continue
        # read before they are used: used, they are the same
        equations.append((left, right))
        room.alphabet.assume(terms)
        if turned := room.reduce(room.alphabet.transposed(terms)):
            room.alphabet.assume(turned)
    return equations


def _plain(function: Any) -> Any:
    while isinstance(function, functools.partial):
        function = function.func
    return function


def _is_false(answer: Any) -> bool:
    return isinstance(answer, bool | np.bool_ | np.ndarray) and not mentions(answer) and not np.all(answer)


def counts_layers(name: str) -> bool:
    """Whether a size is a number of layers, which is a number in every proof."""
    return "depth" in name or "layer" in name or name in ("L", "Lf", "Lg")


# Variables


def small_integers(variables: Mapping[str, Variable], opaque: frozenset[str], most: int) -> dict[str, range]:
    """The values of the single integers among variables, by the names of their coordinates."""
    ranges: dict[str, range] = {}
    for name, variable in variables.items():
        if name in opaque:
            continue
        if isinstance(variable, Derived):
            inner = {name_of_part.partition(".")[2] for name_of_part in opaque if name_of_part.startswith(f"{name}.")}
            for part, values in small_integers(variable.variables, frozenset(inner), most).items():
                ranges[f"{name}.{part}"] = values
        elif isinstance(variable, Numbers) and variable._integer and not variable.axes:
            lower, upper = variable._limits
            if upper - lower < most:
                ranges[name] = range(int(lower), int(upper) + 1)
    return ranges


def _built(room: Room, name: str, variable: Variable, sizes: Mapping[str, Any], plan: Plan, domain: Domain) -> Any:
    if name in plan.opaque:
        return _opaque(room, name, variable, sizes)
    if isinstance(variable, Numbers):
        return _numbers(room, name, variable, sizes, plan)
    if isinstance(variable, Networks):
        return _network(room, name, variable, sizes)
    if isinstance(variable, Derived):
        inner = {
            part: _built(room, f"{name}.{part}", part_variable, sizes, plan, domain)
            for part, part_variable in variable.variables.items()
        }
        try:
            return call_with(variable.function, {**sizes, **inner})
        except NeedsNumber as error:
            if counts_layers(error.name):
                raise
            raise OpaqueVariable(name, str(error)) from error
        except OpaqueVariable:
            raise
        except Exception as error:
            raise OpaqueVariable(name, f"{type(error).__name__}: {error}") from error
    raise NotWords(f"{name} is a {type(variable).__name__}")


def _length(dimension: Any, sizes: Mapping[str, Any]) -> tuple[Any, bool]:
    """A length, and whether it is a number because a size was fixed."""
    if isinstance(dimension, str):
        value = sizes[dimension]
        return value, isinstance(value, int)
    if callable(dimension):
        value = dimension(sizes)
        return value, not isinstance(value, Size)
    return int(dimension), False


def _numbers(room: Room, name: str, variable: Numbers, sizes: Mapping[str, Any], plan: Plan) -> Any:
    if variable._integer:
        if name in plan.integers:
            return plan.integers[name]
        raise NotWords(f"{name} consists of integers")
    lengths = [_length(dimension, sizes) for dimension in variable.dimensions]
    lower, _ = variable._limits
    if not (lower > -np.inf and lower >= 0):
        lower = -1
    return _array(room, name, lengths, positive=lower > 0, nonnegative=lower >= 0)


def _array(room: Room, name: str, lengths: list[tuple[Any, bool]], *, positive: bool, nonnegative: bool) -> Any:
    if not lengths:
        return WordArray(room, room.alphabet.scalar(name, positive=positive, nonnegative=nonnegative), ())
    first, fixed = lengths[0]
    if isinstance(first, int) and (len(lengths) > 2 or fixed or len(lengths) == 1):
        return Table(
            room,
            [
                _array(room, f"{name}{place}", lengths[1:], positive=positive, nonnegative=nonnegative)
                for place in range(1, first + 1)
            ],
        )
    if len(lengths) > 2 and isinstance(first, Size) and not first.is_number:
        raise NeedsNumber(first.symbols[0][0])
    if len(lengths) > 2:
        raise NotWords(f"{name} has {len(lengths)} axes")
    shape = tuple(Size.of(length) for length, _ in lengths)
    atom = room.alphabet.letter(name, shape[0], shape[1] if len(shape) == 2 else ONE)
    if nonnegative:
        room.alphabet.nonnegative.add(name)
    if positive:
        room.positive.add(name)
    return WordArray(room, {((), (atom,)): 1}, shape)  # type: ignore[dict-item]


def _network(room: Room, name: str, variable: Networks, sizes: Mapping[str, Any]) -> LetterNetwork:
    depth, _ = _length(variable.depth, sizes)
    if isinstance(depth, Size):
        raise NeedsNumber(depth.symbols[0][0])
    widths = [_length(variable.inputs, sizes)[0]]
    widths += [_length(variable.width, sizes)[0]] * (depth - 1) + [_length(variable.outputs, sizes)[0]]
    shapes = list(map(Size.of, widths))
    weights, biases = [], []
    for layer in range(1, depth + 1):
        rows, columns = shapes[layer], shapes[layer - 1]
        weights.append(_array(room, f"{name}.W{layer}", [(rows, False), (columns, False)], positive=False, nonnegative=False))
        if variable.biases:
            biases.append(_array(room, f"{name}.b{layer}", [(rows, False)], positive=False, nonnegative=False))
    slope: Any = variable.slope
    if isinstance(slope, tuple):
        slope = _array(room, f"{name}.slope", [], positive=slope[0] > 0, nonnegative=slope[0] >= 0)
    return LetterNetwork(room, weights, biases if variable.biases else None, LetterActivation(room, 1, slope))


def _opaque(room: Room, name: str, variable: Variable, sizes: Mapping[str, Any]) -> Any:
    """Letters of the shapes that a derived variable has."""
    if not isinstance(variable, Derived):
        raise NotWords(f"{name} cannot be a letter of its own")
    from verify.proofs.all_sizes.shapes import shapes_of

    return _shaped(room, name, shapes_of(variable, sizes))


def _shaped(room: Room, name: str, shape: Any) -> Any:
    if isinstance(shape, list):
        return tuple(_shaped(room, f"{name}{place}", inner) for place, inner in enumerate(shape, start=1))
    return _array(room, name, [(length, False) for length in shape], positive=False, nonnegative=False)


# Words


class _Numpy:
    """NumPy, whose arrays are made of numbers: letters stay what they are."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def __getattr__(self, name: str) -> Any:
        value = getattr(np, name)
        if name in ("asarray", "array", "ascontiguousarray"):
            return lambda entries, *a, **k: (
                entries if mentions(entries) and not isinstance(entries, list | tuple) else value(entries, *a, **k)
            )
        word = {"eye": "eye", "identity": "eye", "zeros": "zeros", "ones": "ones"}.get(name)
        if word is None:
            return value
        maker = WORDS[getattr(sys.modules["verify.words"], word)]
        return lambda shape, *a, **k: maker(self._room, shape) if mentions(shape) else value(shape, *a, **k)


def _length_of(value: Any) -> Any:
    return value.length() if isinstance(value, WordArray | Table) else builtins.len(value)


@contextmanager
def _letters(room: Room, home: str) -> Iterator[None]:
    """In the modules of the package and of the engine words are those of letters."""
    changed: list[tuple[dict[str, Any], str, Any]] = []
    missing = object()
    replacements: dict[int, Any] = {}
    kept = list(WORDS)
    handlers = {id(function): handler for function, handler in WORDS.items()}

    def find(function: Any) -> Callable[..., Any]:
        """What a function is of letters: itself, where nothing else is known."""
        inner = function
        while inner is not None:
            if id(inner) in handlers:
                handler = handlers[id(inner)]
                return lambda *operands, **options: handler(room, *operands, **options)
            inner = getattr(inner, "__wrapped__", None)
        return function  # type: ignore[no-any-return]

    def replaced(function: Any) -> Any:
        if id(function) not in replacements:
            replacements[id(function)] = _replacement(function, find) if find(function) is not function else None
        return replacements[id(function)]

    spellings = _Numpy(room)
    try:
        for module in _modules(home):
            names = vars(module)
            for name, value in list(names.items()):
                if value is np:
                    new: Any = spellings
                elif value is instances.lifted:
                    new = lambda function: lifted(room, function, find)  # noqa: E731
                elif callable(value) and not name.startswith("__"):
                    new = replaced(value)
                else:
                    new = None
                if new is not None:
                    changed.append((names, name, value))
                    names[name] = new
            if module.__name__.partition(".")[0] == home and home != "verify":
                changed.append((names, "len", names.get("len", missing)))
                names["len"] = _length_of
        yield
    finally:
        for names, name, value in reversed(changed):
            if value is missing:
                names.pop(name, None)
            else:
                names[name] = value
        del kept


def _modules(home: str) -> list[ModuleType]:
    return [
        module
        for name, module in list(sys.modules.items())
        if module is not None and (name == home or name.startswith(f"{home}.") or name.startswith(ENGINE))
        if name not in ("verify.words",)
    ]


def _replacement(function: Any, find: Callable[[Any], Callable[..., Any]]) -> Any:
    of_letters = find(function)
    if isinstance(function, type):

        class _Kind(type):
            def __call__(cls, *operands: Any, **options: Any) -> Any:
                if function is HomogeneousActivation:  # whose values may be letters though its slopes are numbers
                    return of_letters(*operands, **options)
                return _either(function, of_letters, operands, options)

            def __instancecheck__(cls, instance: Any) -> bool:
                return isinstance(instance, function)

            def __getattr__(cls, name: str) -> Any:
                return getattr(function, name)

        return _Kind(function.__name__, (), {})

    @functools.wraps(function)
    def word(*operands: Any, **options: Any) -> Any:
        return _either(function, of_letters, operands, options)

    return word


def _either(function: Any, of_letters: Any, operands: tuple[Any, ...], options: dict[str, Any]) -> Any:
    if mentions(operands) or mentions(tuple(options.values())):
        return of_letters(*operands, **options)
    return function(*operands, **options)
