"""What a construction is given, checked by the annotations of its parameters: one sentence for all of them.

A construction of a theorem is a few lines of mathematics, for arrays of floats, of rationals, of balls, of many instances and
of letters. What none of them may be (nothing, text, NaN, a matrix where a network should be) is refused before it is called;
what does not fit together is told when it fails, with what it was given. Values of the engine for many instances, and letters,
come in as they are.
"""

from __future__ import annotations

import functools
import inspect
import re
import reprlib
import types
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numpy as np
from flint import arb, fmpq, fmpz
from flint.utils.flint_exceptions import DomainError

from verify.numbers.arguments import real_array
from verify.numbers.arithmetic import LARGEST_COUNT, integer, is_number
from verify.numbers.exactness import in_exact_evaluation

_P = ParamSpec("_P")
_T = TypeVar("_T")
Check: TypeAlias = Callable[[str, Any], Any]

_NOTHING = (types.NoneType, str, bytes, bytearray, dict, set, frozenset, complex, types.FunctionType, types.BuiltinFunctionType)
_NUMBERS = (bool, int, float, Fraction, fmpq, fmpz, arb, np.generic)
_VIEWS = "verify.instances.views"
_OURS = frozenset({"verify", "theorems", "flint", "numpy", "cupy", "torch", "jax", "jaxlib"})
_TOLD = (ValueError, TypeError, AttributeError, IndexError, KeyError, OverflowError, RecursionError)
_EXACTLY = frozenset({*_TOLD, np.exceptions.AxisError, np.linalg.LinAlgError, DomainError})


def array(name: str, value: Any) -> Any:
    """An array or a number as it is, lists of numbers as an array.

    Raises
    ------
    TypeError, ValueError
        It is none, has entries that are no real numbers, or NaN or infinity.
    """
    kind = type(value)
    if kind is np.ndarray:
        if value.dtype.kind == "f":
            return value if np.isfinite(value).all() else real_array(name, value)
        if value.dtype.kind != "O":
            return value if value.dtype.kind in "biu" else real_array(name, value)
        kinds = set(map(type, value.flat))
        bad = any(issubclass(kind, _NOTHING) for kind in kinds)
        # a ball that nothing bounds is a question that an exact evaluation leaves open
        if not bad and not in_exact_evaluation() and any(issubclass(kind, arb) for kind in kinds):
            bad = not all(entry.is_finite() for entry in value.flat if isinstance(entry, arb))
        return real_array(name, value) if bad else value
    if kind.__module__ == "verify.instances.array":
        return value
    if kind in (list, tuple, range):
        return real_array(name, value) if all(map(_is_plain, _entries(value))) else value
    if isinstance(value, float) and not np.isfinite(value):
        raise ValueError(f"{name} must be finite, got {value}")
    if isinstance(value, arb) and not in_exact_evaluation() and not value.is_finite():
        raise ValueError(f"{name} must be finite, got {value}")
    if isinstance(value, (*_NOTHING, np.ma.MaskedArray)) or _is_foreign(value):
        raise TypeError(f"{name} must be an array or a number, got {reprlib.repr(value)}")
    return value


def count(name: str, value: Any) -> Any:
    """An integer of at most `LARGEST_COUNT`, or what stands for one.

    Raises
    ------
    TypeError, ValueError
        It is none, or larger.
    """
    if type(value) is int and 0 < value <= LARGEST_COUNT:  # the common case
        return value
    if isinstance(value, (*_NOTHING, *_NUMBERS, np.ndarray, list, tuple)) or _is_foreign(value):
        number = integer(name, value)
        if abs(number) > LARGEST_COUNT:
            raise ValueError(f"{name} must be from -{LARGEST_COUNT} to {LARGEST_COUNT}, got {reprlib.repr(number)}")
        if number < 1 and name in ("depth", "L"):
            raise ValueError(f"{name} must be at least 1, got {number}: a network has an output layer")
    return value


def counts(name: str, value: Any) -> Any:
    """One integer, or several."""
    if type(value) in (list, tuple):
        for place, entry in enumerate(value):
            if type(entry) is not int or abs(entry) > LARGEST_COUNT:
                count(f"{name}[{place}]", entry)
        return value
    return count(name, value)


def fraction(name: str, value: Any) -> Any:
    """A number that is no float: an exponent, a constant; or what stands for one."""
    if isinstance(value, (*_NOTHING, bool, float, np.ndarray, list, tuple)) or _is_foreign(value):
        raise TypeError(f"{name} must be an integer or a fraction, got {reprlib.repr(value)}")
    return value


def truth(name: str, value: Any) -> Any:
    """True or False."""
    if isinstance(value, bool | np.bool_):
        return value
    if isinstance(value, (*_NOTHING, *_NUMBERS, np.ndarray, list, tuple)) or _is_foreign(value):
        raise TypeError(f"{name} must be True or False, got {reprlib.repr(value)}")
    return value


def text(name: str, value: Any) -> Any:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, got {reprlib.repr(value)}")
    return value


def function(name: str, value: Any) -> Any:
    """What can be called."""
    if not callable(value):
        raise TypeError(f"{name} must be a function, got {reprlib.repr(value)}")
    return value


def mapping(name: str, value: Any) -> Any:
    """Numbers by name."""
    if type(value) is not dict and not isinstance(value, Mapping):
        raise TypeError(f"{name} must be numbers by name, got {reprlib.repr(value)}")
    return value


def arrays(name: str, value: Any) -> Any:
    """Several arrays."""
    if isinstance(value, (*_NOTHING, *_NUMBERS)) or _is_foreign(value):
        raise TypeError(f"{name} must be a list of arrays, got {reprlib.repr(value)}")
    if type(value) in (list, tuple):
        for place, entry in enumerate(value):
            array(f"{name}[{place}]", entry)
    return value


def anything(name: str, value: Any) -> Any:
    """What a parameter without a kind takes; if it is a number, it is finite."""
    return array(name, value) if isinstance(value, (float, arb, np.ndarray)) else value


def of_class(wanted: str) -> Check:
    """What an object of this class is, or what stands for it."""

    def check(name: str, value: Any) -> Any:
        kind = type(value)
        # the common cases: what stands for many instances looks like what it stands for, which takes long to ask
        if kind.__module__ == _VIEWS or kind.__name__ == wanted:
            return value
        if isinstance(value, (*_NOTHING, *_NUMBERS, np.ndarray)) or type(value) in (list, tuple) or _is_foreign(value):
            raise TypeError(f"{name} must be a {wanted}, got {reprlib.repr(value)}")
        return value

    return check


def check_of(annotation: str, names: Mapping[str, Any], *, optional: bool) -> Check:
    """How a parameter with this annotation is checked; `optional` ones may be None.

    `names` are those of its module: what is no class there, or a class that is imported for types alone, is no alias.
    """
    kinds = [part.strip() for part in annotation.split("|")]
    optional = optional or "None" in kinds
    kinds = [kind for kind in kinds if kind != "None"]
    known = {"int": count, "bool": truth, "str": text, "Sizes": mapping, "Fraction": fraction, "Q": fraction}
    if kinds and all(kind == "int" or kind.startswith("tuple[int") for kind in kinds) and kinds != ["int"]:
        check: Check = counts
    elif "Any" in kinds or "object" in kinds or any(kind.startswith(("tuple", "int |")) for kind in kinds):
        check = anything
    elif any(kind in ("Array", "Measured") for kind in kinds):
        check = array
    elif kinds and set(kinds) <= set(known):
        check = fraction if len(kinds) > 1 else known[kinds[0]]
    elif any(kind.startswith(("Sequence", "list")) for kind in kinds):
        check = arrays
    elif any(kind.startswith("Callable") for kind in kinds):
        check = function
    elif len(kinds) == 1 and kinds[0].isidentifier() and isinstance(names.get(kinds[0], object), type):
        check = of_class(kinds[0])
    else:
        check = anything
    if not optional or check is anything:
        return check
    return lambda name, value: None if value is None else check(name, value)


class Parameters:
    """The parameters of a function by name, with the check of each."""

    def __init__(self, called: Any) -> None:
        self.name = called.__name__
        self.positional: list[tuple[str, Check]] = []
        self.checks: dict[str, Check] = {}
        self.numbers: set[str] = set()
        for parameter in inspect.signature(called).parameters.values():
            check = check_of(str(parameter.annotation), called.__globals__, optional=parameter.default is None)
            if check in (array, anything):
                self.numbers.add(parameter.name)
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                self.positional.append((parameter.name, check))
            if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
                self.checks[parameter.name] = check

    def checked(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arguments, lists of numbers as arrays.

        Raises
        ------
        TypeError, ValueError
            One is not what its annotation says.
        """
        arguments = [check(name, value) for (name, check), value in zip(self.positional, args, strict=False)]
        arguments += args[len(arguments) :]
        named = {name: self.checks[name](name, value) if name in self.checks else value for name, value in kwargs.items()}
        return arguments, named

    def told(self, error: Exception, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Exception:
        """What is raised in place of an error: itself where it names an argument, or where not all arguments are plain."""
        if type(error) not in _EXACTLY:
            return error
        given = dict(zip((name for name, _ in self.positional), args, strict=False)) | dict(kwargs)
        if not given or not all(map(_is_plain, _entries(list(given.values())))):
            return error
        plain = isinstance(error, ValueError | TypeError) and not isinstance(error, LookupError)
        if plain and any(re.search(rf"(?<![A-Za-z_]){re.escape(name)}(?![A-Za-z_])", str(error)) for name in given):
            return error
        for name, value in given.items():
            try:
                if name in self.numbers and isinstance(value, (np.ndarray, *_NOTHING)):
                    real_array(name, value)
            except (TypeError, ValueError) as reason:
                return reason
        arguments = ", ".join(f"{name} {_said(value)}" for name, value in given.items())
        sentence = f"{self.name} takes no {arguments}: {' '.join(str(error).split()) or type(error).__name__}"
        return TypeError(sentence) if type(error) is TypeError else ValueError(sentence)


def _said(value: Any) -> str:
    """A value in a few words: the shape of an array."""
    return f"of shape {value.shape}" if isinstance(value, np.ndarray) else reprlib.repr(value)


def _entries(value: Any) -> list[Any]:
    """What stands in lists and tuples, however deep."""
    if type(value) in (list, tuple):
        return [inner for entry in value for inner in _entries(entry)]
    return [value]


def _is_plain(value: Any) -> bool:
    """Whether it is what a caller has: no letter, and no array of many instances."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind != "O" or all(map(_is_plain, value.flat))
    if is_number(value):
        return not type(value).__module__.startswith("verify.proofs")
    kind = type(value).__module__
    return not kind.startswith(("verify.instances", "verify.proofs", "verify.numbers.symbolic", "sympy"))


def _is_foreign(value: Any) -> bool:
    """Whether it is an object of which nothing is known here."""
    kind = type(value)
    top = kind.__module__.partition(".")[0]
    return top not in _OURS and not is_number(value) and kind not in (list, tuple, range) and not hasattr(value, "dtype")


def widened(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """`function` with its arrays of narrow integers as int64 and of half floats as float64: 100 * 100 is -16 in eight bits.

    Arrays in tuples and lists of arguments, too; booleans may be masks. What is no number at all is refused by the annotations
    of its parameters.
    """
    parameters = Parameters(function)

    @functools.wraps(function)
    def of_wide(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        given: Any
        given, named = parameters.checked([*map(_wide, args)], {name: _wide(value) for name, value in kwargs.items()})
        try:
            return function(*given, **named)
        except Exception as error:
            told = parameters.told(error, given, named)
            if told is error:
                raise
            raise told from error

    return of_wide


def _wide(value: Any) -> Any:
    if type(value).__module__ == _VIEWS:
        return value
    if type(value) in (tuple, list):
        return type(value)(map(_wide, value))
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if kind == "f":
        return value.astype("float64") if value.dtype.itemsize < 4 else value
    # what is unsigned becomes huge below zero
    if kind == "u" or (kind == "i" and value.dtype.itemsize < 8):
        return value if kind == "u" and value.size and value.max() >= 2**63 else value.astype("int64")
    return value
