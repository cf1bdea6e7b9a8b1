"""The lint of a statement: usual mistakes, each in one sentence that says what to write instead."""

from __future__ import annotations

import ast
import difflib
import functools
import inspect
import re
import sys
import sysconfig
import textwrap
import traceback
import types
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import flint
from flint import arb

from verify.linting.calls import misleading_call
from verify.linting.literals import float_equality
from verify.numbers.arguments import printable
from verify.numbers.exactness import WRITE_EXACTLY, FloatOnExactSide
from verify.numbers.relation import Relation


class BrokenStatement(Exception):
    """What was evaluated is not a statement that can be checked; the message is one sentence that says what to change."""


def name_of(function: Callable[..., Any]) -> str:
    """How a reader finds `function`: its name, its file and line."""
    while isinstance(function, functools.partial):
        function = function.func
    if function is dict:  # a tight example whose variables are written down
        return "the instance"
    code = getattr(inspect.unwrap(function), "__code__", None)
    name = getattr(function, "__name__", type(function).__name__)
    return name if code is None else f"{name} ({Path(code.co_filename).name}:{code.co_firstlineno})"


def check_parameters(function: Callable[..., Any], available: Iterable[str], what: str) -> None:
    """Every parameter of `function` without a default is a variable.

    Raises
    ------
    BrokenStatement
        One is not.
    """
    known = set(available)
    parameters = inspect.signature(function).parameters.values()
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    missing = [
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty and parameter.name not in known and parameter.kind not in kinds
    ]
    if missing:
        names = ", ".join(map(repr, missing))
        raise BrokenStatement(
            f"{what} {name_of(function)} takes {names}, and the domain has no such variable: it has {', '.join(sorted(known))}"
        )


COMPARED = ": write le(a, b) for a <= b, ge for >= and eq for =="
RETURN = ": write return le(a, b)"


def check_relation(relation: Any, statement: Callable[..., Any], count: int) -> Relation:
    """`relation`, if it is one and has one answer for each of `count` instances.

    Raises
    ------
    BrokenStatement
        It is none, or has another shape.
    """
    if not isinstance(relation, Relation):
        raise BrokenStatement(
            f"{name_of(statement)} must return a relation, made by le, ge or eq of verify and joined by &, "
            f"it returned {type(relation).__name__}{COMPARED if type(relation).__name__ == 'InstanceArray' else RETURN}"
        )
    if not relation.comparisons:
        raise BrokenStatement(f"{name_of(statement)} returned a relation without a comparison: it would hold whatever is said")
    names = Counter(relation.names)
    # equalities, one for each layer say, may share a name: no tight example speaks for them
    twice = [
        name
        for name, comparison in zip(relation.names, relation.comparisons, strict=True)
        if names[name] > 1 and comparison.sense != "eq"
    ]
    if twice:
        raise BrokenStatement(
            f"{name_of(statement)} gives {twice[0]!r} as the name of several comparisons: give each inequality its own, for a "
            "tight example speaks for it by its name"
        )
    if relation.batch_shape != (count,):
        parts = {name: comparison.batch_shape for name, comparison in zip(relation.names, relation.comparisons, strict=True)}
        shapes = ", ".join(f"{name} {shape}".strip() for name, shape in parts.items())
        raise BrokenStatement(
            f"{name_of(statement)} must give one answer for each instance: of {count} instances the sides have the shape "
            f"{shapes or relation.batch_shape}; compare what depends on the instance, by le, ge or eq of verify.words"
        )
    return relation


def check_sources(*functions: Callable[..., Any]) -> None:
    """No function of the package of `functions` does what exact numbers answer in silence, and wrongly.

    That is to use `flint.arb` by itself beside floats, to ask whether a number equals a float or a `Fraction`, of which a
    rational of FLINT equals neither, and what `misleading_call` sees.

    Raises
    ------
    BrokenStatement
        One does.
    """
    package = (getattr(_unwrapped(functions[0]), "__module__", None) or "").partition(".")[0]
    waiting, seen = list(functions), set()
    while waiting:
        function = _unwrapped(waiting.pop())
        if (
            not isinstance(function, types.FunctionType)
            or function in seen
            or (function.__module__ or "").partition(".")[0] != package
        ):
            continue
        seen.add(function)
        named = {name: function.__globals__[name] for name in _names(function.__code__) if name in function.__globals__}
        unequal = float_equality(function)
        if unequal:
            raise BrokenStatement(
                f"{name_of(function)} compares by {unequal}, which no rational equals: write Q('1/2') for 0.5 and for "
                "Fraction(1, 2)"
            )
        misleading = misleading_call(function)
        if misleading:
            raise BrokenStatement(f"{name_of(function)} {misleading}")
        if any(value is arb or value is flint for value in named.values()):
            literal = _float_beside(function, {name for name, value in named.items() if value is arb})
            if literal:
                raise BrokenStatement(
                    f"{name_of(function)} computes with flint.arb, which takes the float {literal} in silence: make "
                    f"balls by ball of verify.words, and {WRITE_EXACTLY}"
                )
        waiting += [value for value in named.values() if callable(value)]


def _unwrapped(function: Callable[..., Any]) -> Any:
    while isinstance(function, functools.partial):
        function = function.func
    return inspect.unwrap(function)


def _names(code: types.CodeType) -> set[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return {*code.co_names}.union(*map(_names, inner))


def _float_beside(function: types.FunctionType, balls: set[str]) -> str:
    """A float literal of a function that is no argument of a ball's constructor."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):  # no source, or a lambda in the middle of a line
        return next((repr(const) for const in function.__code__.co_consts if isinstance(const, float)), "")
    allowed = {
        id(part)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in balls
        for part in ast.walk(call)
    }
    floats = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, float)]
    return next((repr(node.value) for node in floats if id(node) not in allowed), "")


def explained(error: BaseException, function: Callable[..., Any] | None = None) -> str:
    """One sentence for `error`, with the line of the statement where it can be told."""
    text = printable(str(error))
    where = _place(error)
    sentence = _sentence(error, text) or f"{type(error).__name__}: {text}{_word_for(error)}"
    if "float" in sentence and re.search(r"(shape\[\d\]|len\([^()]*\)|\b[0-9a-z])\)? */ *[(0-9a-z]", where):
        sentence += "; a quotient of two integers of Python is a float: write Q(a, b) for a / b"
    maker = re.search(r"\b(?:np|numpy)\.(eye|identity|zeros|ones)\((?![^()]*dtype)", where) if "float" in sentence else None
    if maker:
        word = "eye" if maker[1] == "identity" else maker[1]
        sentence += f"; np.{maker[1]} makes floats: write {word} of verify.words, or dtype=int"
    function_of_numpy = (
        re.search(r"\b(?:np|numpy|math)\.(sqrt|log|exp|pi|sin|cos|tan)\b", where) if "float" in sentence else None
    )
    if function_of_numpy:
        name = function_of_numpy[1]
        sentence += f"; {function_of_numpy[0]}{'' if name == 'pi' else ' of an integer'} is a float: write {name}"
        sentence += "() of verify.words" if name == "pi" else " of verify.words"
    # of a module, but for a sentence that speaks of one of its functions anyway
    of_a_module = "" if sentence == _OF_NUMPY else r"\w\."
    sentence += "".join(
        f"; verify.words has {name}" if word == name else f"; write {word} for {name}"
        for name, word in _WORDS.items()
        if sentence and re.search(rf"{of_a_module}\b{name}\(", where)
    )
    owner = f"{name_of(function)}: " if function is not None and not isinstance(error, BrokenStatement) else ""
    return f"{owner}{sentence}{f' [{where}]' if where else ''}"


_NUMBERS = "(flint|fmpq|arb|fmpz)"
_OPERATOR = "(unsupported operand type|not supported between instances)"
_FLOAT = r"'(float|numpy\.float\d+)'"
_OF_NUMPY = (
    "a function of NumPy was given exact numbers: write sqrt, exp, log or power of verify.words for it, and singular_values, "
    "rank, pinv, solve or another word for one of matrices"
)
_WORDS = {
    "det": "determinant",
    "inv": "inverse",
    "eigvalsh": "eigenvalues",
    "svd": "singular_values",
    "svdvals": "singular_values",
    "matrix_rank": "rank",
    "matrix_power": "`@`, as often as it takes",
    "rel_entr": "relative_entropy",
    "logm": "matrix_log",
    "sqrtm": "psd_sqrt",
    "fractional_matrix_power": "psd_power",
    "cond": "condition_number",
    "arctan2": "arctan(y / x), plus pi() or minus pi() where x < 0,",
    "vector_norm": "norm",
    "matrix_norm": "norm",
} | {
    name: name
    for name in (
        "beta",
        "digamma",
        "logsumexp",
        "expm",
        "gcd",
        "pinv",
        "solve",
        "kron",
        "cholesky",
        "entropy",
        "softmax",
    )
}
"""What to write for a function of NumPy or SciPy whose word has another name, or which has none."""

_POWER = (
    "a power of exact numbers has no float as its exponent: write power(x, Fraction(1, 2)) of verify.words for a root, and "
    "Q('1/3') for other exponents"
)
_ONE_TRUTH = (
    "an array was asked for one truth value (by `if`, `and`, or by Python's `max` or `min`): write .all() or .any(), &, or "
    "where, maximum and minimum of verify.words, which answer for each entry"
)
_OF_FLOATS = (
    "an array of floats, such as numpy.zeros or numpy.empty makes, cannot take exact numbers: write zeros, ones, eye, vector "
    "or stack of verify.words, and write nothing into an array"
)
_OF_Q = "a function of NumPy was given a Q: write maximum, minimum and power of verify.words"
_FLOOR = (
    "exact numbers have no divmod, fmod and modf: write x // y, x % y, numpy.round(x), or numpy.floor, numpy.ceil and "
    "numpy.trunc"
)
_INTEGERS = (
    "numpy.floor and its like give integers of FLINT, which divide only without a remainder: write Q('1/2') * numpy.floor(x) "
    "for numpy.floor(x) / 2"
)
_COMPLEX = (
    "exact numbers are real: write a complex number as two arrays, and its modulus as sqrt(a * a + b * b); complex_matrix, "
    "hermitian and unitary of verify.families are real matrices of twice the size"
)
_SHAPES = (
    "arrays of different shapes meet: {text}; where a shape has an axis more than the arrays of one instance, its first axis "
    "counts instances"
)
_NO_METHOD = (
    "an array of an instance has no such method: write a function of NumPy that gives another array, such as numpy.sort(x) for "
    "x.sort(), or a word of verify.words ({text})"
)
_OF_MATH = (
    "a function of Python's math has no value here: write sqrt, exp, log or power of verify.words, which take the numbers of "
    "an instance, and exclude by a hypothesis where they are not defined"
)
_OF_NOTHING = (
    "a maximum, minimum or mean of nothing, for at an instance nothing is left: say what stands for it, as in "
    "max(..., default=0), or exclude such instances by a hypothesis"
)
_A_FUNCTION = "a function stands where a number is meant: call it, as in pi() for pi"
_NO_NUMBER = f"an array meets what is no number of Python, NumPy or FLINT: {WRITE_EXACTLY}"
_FOREIGN = (
    "a library was given exact numbers, which it does not know: give it integers, such as x.astype(int) where x consists of "
    "them, or raise FloatOnly of verify.numbers.arithmetic where x is exact"
)
_READ_ONLY = "the variables are written to, which others look at, too: write y = 2 * x for x *= 2, or take x.copy() first"
_OF_A_BATCH = (
    "since version 0.2 a statement speaks of one instance: leave out over= and the axis of the batch (axis=-1, [..., None]), "
    "and take le, ge and eq from verify.words"
)
_SENTENCES: tuple[tuple[str, str], ...] = (
    (r"^(le|ge|eq)\(\) got an unexpected keyword argument 'over'", _OF_A_BATCH),
    (r"(array|destination) is read-only|does not support item assignment", _READ_ONLY),
    (r"Cannot cast ufunc '\w+' output from dtype\('O'\)|setting an array element", _OF_FLOATS),
    (r"operand type.*complex|complex.*(fmpq|arb|Ball)|'InstanceArray' object has no attribute '(real|imag)'", _COMPLEX),
    ("'InstanceArray' object has no attribute", _NO_METHOD),
    (f"{_OPERATOR}.*'(function|builtin_function_or_method)'", _A_FUNCTION),
    (f"{_OPERATOR}.*InstanceArray", _NO_NUMBER),
    (r"operand 'Q' does not support ufuncs", _OF_Q),
    (r"unsupported operand type.*NoneType|'NoneType' object", "a function returned None: end it with return"),
    (f"{_OPERATOR}.*({_NUMBERS}.*Fraction|Fraction.*{_NUMBERS})", "a Fraction meets an exact number: write Q('1/3') instead"),
    (f"{_OPERATOR}.*({_NUMBERS}.*{_FLOAT}|{_FLOAT}.*{_NUMBERS})", f"a float meets an exact number: {WRITE_EXACTLY}"),
    (r"unsupported operand type\(s\) for (//|%|divmod)|(method|loop|ufunc).*(rint|fmod|divmod|remainder|modf)", _FLOOR),
    (r"fmpz division is not exact|negative exponent", _INTEGERS),
    (r"could not be broadcast|cannot be broadcast|mismatch in its core dimension", _SHAPES),
    (r"does not support dtype object|dtype.? object not supported|'float' object has no attribute", _FOREIGN),
    (r"unsupported operand type\(s\) for \*\* or pow\(\).*(fmpq|arb|Ball)", _POWER),
    (
        r"not a square number|square root of a negative|no callable \w+ method|(fmpq|arb|fmpz)'? object.? has no attribute",
        _OF_NUMPY,
    ),
    ("truth value of an array", _ONE_TRUTH),
    (r"^math (range|domain) error|^expected a (positive|nonnegative) input", _OF_MATH),
    (r"^(max|min)\(\) .*(argument is|arg is an) empty|^zero-size array to reduction operation", _OF_NOTHING),
    (r"not supported for the input types|Cannot cast ufunc|No loop matching|did not contain a loop", _OF_NUMPY),
    (r"array type object|dtype\('O'\)|Cannot convert .*(fmpq|arb)|(fmpq|arb).*to (a )?(float|numpy)", _OF_NUMPY),
)


def _sentence(error: BaseException, text: str) -> str:
    if isinstance(error, BrokenStatement | FloatOnExactSide):
        return text
    for pattern, sentence in _SENTENCES:
        if re.search(pattern, text, re.DOTALL):
            return sentence.replace("{text}", text.strip())
    return ""


def _word_for(error: BaseException) -> str:
    """Of a name that is not known: what in `verify.words` or `verify.families` has it, or nearly so."""
    if not isinstance(error, NameError | AttributeError) or not error.name:
        return ""
    if isinstance(error, AttributeError) and (not isinstance(error.obj, types.ModuleType) or error.name in _WORDS):
        return ""
    # what statements are written with stands above this room: what a process has loaded of it
    loaded = filter(None, map(sys.modules.get, ("verify.families", "verify.words")))
    homes = {name: home for home in loaded for name in home.__all__}
    if error.name in homes:
        return f": write `from {homes[error.name].__name__} import {error.name}`"
    near = difflib.get_close_matches(error.name, homes, n=1, cutoff=0.75)
    return f": {homes[near[0]].__name__} has {near[0]}" if near else ""


def _place(error: BaseException) -> str:
    """File, line and text of the last line outside the engine that led to `error`."""
    if isinstance(error, BrokenStatement):
        return ""
    elsewhere = (str(Path(__file__).parents[1]), sysconfig.get_path("stdlib"), "<")
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(elsewhere) and "site-packages" not in frame.filename and frame.filename.endswith(".py")
    ]
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}: {(frames[-1].line or '').strip()}" if frames else ""
