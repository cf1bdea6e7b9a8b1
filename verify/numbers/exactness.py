"""What keeps floats off the exact side: constants that fit both arithmetics, balls that refuse floats, and a marked evaluation.

An *exact evaluation* is one whose result counts: a decision, a witness, an exact part. Inside it integers stay exact through
square roots and logarithms, a float is not taken for a rational, and a comparison of balls that overlap is an error rather
than ``False``.
"""

from __future__ import annotations

import operator
import re
import reprlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from flint import arb, fmpq, fmpz


class FloatOnExactSide(TypeError):
    """A float met a rational or a ball in an exact evaluation, whose result would be no more exact than the float."""


class UndecidedInstances(ArithmeticError):
    """Some instances of a batch cannot be evaluated in this precision, though others can.

    Attributes
    ----------
    where
        Boolean array with the batch's shape (perhaps with further axes at the end): which instances.
    """

    def __init__(self, message: str, where: npt.NDArray[np.bool_]) -> None:
        super().__init__(message)
        self.where = where


_EXACT: ContextVar[bool] = ContextVar("verify_exact_evaluation", default=False)


@contextmanager
def exact_evaluation(active: bool = True) -> Iterator[None]:
    """Mark what runs inside the block as an exact evaluation; with ``active=False``, as none: a search in floats inside one."""
    token = _EXACT.set(active)
    try:
        yield
    finally:
        _EXACT.reset(token)


_CHOICES: ContextVar[list[bool] | None] = ContextVar("verify_choices", default=None)


@contextmanager
def noting_choices() -> Iterator[list[bool]]:
    """A list that is empty as long as no float was chosen for a rational (see `verify.numbers.arithmetic.chosen_rationals`)."""
    choices: list[bool] = []
    token = _CHOICES.set(choices)
    try:
        yield choices
    finally:
        _CHOICES.reset(token)


def note_choice() -> None:
    """What is evaluated depends on floats that were chosen: a solver on another machine may choose others."""
    choices = _CHOICES.get()
    if choices is not None:
        choices.append(True)


def in_exact_evaluation() -> bool:
    """Whether the running code belongs to an exact evaluation."""
    return _EXACT.get()


WRITE_EXACTLY = (
    "write an exact constant, such as Q('1/10') for 0.1, and sqrt, exp, log, power and pi of verify.words for NumPy's"
)


def is_float(value: Any) -> bool:
    """Whether `value` is a float, of Python or of NumPy, or an array of floats."""
    if isinstance(value, float | complex | np.inexact):
        return True
    return isinstance(value, np.ndarray) and value.dtype.kind in "fc"


class NoValue(UndecidedInstances):
    """Some instances of a batch have no value, in any precision: a matrix that is inverted is singular there."""


_ENGINE = frozenset({"verify", "numpy", "flint", "fractions"})


def asked_from_outside(*also: str) -> bool:
    """Whether what asks the method that calls this is code of a statement, and not of the engine (see `is_of_a_statement`)."""
    return is_of_a_statement(sys._getframe(2), *also)


def is_of_a_statement(frame: Any, *also: str) -> bool:
    """Whether running code is that of a statement, or called by it, and not of the engine.

    Python's own library asks for whoever calls it, as `functools.singledispatch` and abstract classes do; so do packages that
    are named.
    """
    while frame is not None:
        top = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if top not in also and top in _ENGINE and _has_its_names(frame):
            return False
        if top not in also and top not in sys.stdlib_module_names:
            return True
        frame = frame.f_back
    return False


def _has_its_names(frame: Any) -> bool:
    """Whether running code has the names of the module that it is said to be of; any code may have its name."""
    module = sys.modules.get(frame.f_globals["__name__"])
    return module is not None and vars(module) is frame.f_globals


class StandIn:
    """What takes the place of a number or an array while something is proved, and is not to be told from it.

    An attribute that is asked for by its name tells them apart, also by ``hasattr``, a pattern of ``match`` or the field of a
    format: one has it and the other has not, or it says something else, as ``__module__`` does. So from outside no
    name is answered.

    Attributes
    ----------
    as_numbers
        Names of those that answer as those of numbers or arrays do.
    """

    __slots__ = ()
    as_numbers: ClassVar[frozenset[str]] = frozenset()

    def __getattribute__(self, name: str) -> Any:
        get = object.__getattribute__
        if name not in get(self, "as_numbers") and asked_from_outside():
            get(self, "told_apart")(name)
        return get(self, name)

    def told_apart(self, name: str) -> None:
        """Keep that an attribute was asked for, or raise it."""
        raise NotImplementedError(name)


class ExactNumber(StandIn):
    """Another kind of exact number, beside rationals and balls: what carries more than a value, such as degrees.

    It brings its own operations with integers and rationals. FLINT's matrices and balls do not take it, so that nothing it
    carries is lost unseen; what it cannot do raises what it likes.

    Attributes
    ----------
    matrix
        Matrices of such numbers, with the interface of `flint.fmpq_mat` as far as `verify.matrices` uses it.
    sqrt, log, exp, power
        Methods behind the functions of `verify.numbers.arithmetic`.
    choose
        The first argument where the number is not negative, else the second.
    """

    __slots__ = ()
    matrix: ClassVar[Callable[[int, int, list[Any]], Any]]
    sqrt: Callable[[], Any]
    log: Callable[[], Any]
    exp: Callable[[], Any]
    power: Callable[[Fraction], Any]
    choose: Callable[[Any, Any], Any]

    def analytic(self, name: str) -> Any:
        """A sine and its like: nothing that carries more than a value knows them."""
        raise TypeError(f"{name} of a number that depends on the coordinates is not known to the prover")


class Ball(arb):  # type: ignore[misc]
    """A ball that takes no float as a partner, and whose comparisons are decided or raise.

    All balls of `verify.numbers.arithmetic` and `verify.matrices` are of this type, and so is what is computed from them.

    Raises
    ------
    FloatOnExactSide
        The partner of an operation is a float.
    UndecidedInstances
        A comparison of two numbers that overlap, or a rounding to an integer of one that contains an integer and what is below.
    """

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(str(self))

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __float__(self) -> float:
        if in_exact_evaluation():
            raise FloatOnExactSide(
                f"the ball {self} is taken for a float, by float or a function of the module math: {WRITE_EXACTLY}, and "
                "numpy.floor, numpy.ceil and numpy.trunc for arrays and numbers of them"
            )
        return midpoint(self)

    def __floor__(self) -> fmpq:
        number = arb.unique_fmpz(arb.floor(self))
        if number is None:
            raise UndecidedInstances(f"the integer below {self} is not decided in this precision", np.array(True))
        return fmpq(number)

    def __ceil__(self) -> fmpq:
        return -(-self).__floor__()

    def __trunc__(self) -> fmpq:
        return self.__ceil__() if self < 0 else self.__floor__()


def midpoint(ball: arb) -> float:
    """The float nearest to the middle of a ball, to show it or to measure with it; never to compute with on the exact side."""
    return float(arb.__float__(ball))


def _partner(value: Any, symbol: str) -> Any:
    if isinstance(value, int | fmpq | fmpz | arb | np.integer | np.bool_):
        return value
    if isinstance(value, Fraction):
        return fmpq(value.numerator, value.denominator)
    # numbers of mpmath and sympy, too: FLINT takes them for the floats that they may hold
    if isinstance(value, float | complex | np.inexact) or type(value).__module__.partition(".")[0] in ("mpmath", "sympy"):
        raise FloatOnExactSide(f"the {type(value).__name__} {value!r} meets a ball ({symbol}): {WRITE_EXACTLY}")
    return value


def _wrapped(value: Any) -> Any:
    if type(value) is arb:
        return Ball(value)
    return tuple(map(_wrapped, value)) if type(value) is tuple else value


def _operation(name: str, symbol: str) -> Callable[[arb, Any], Any]:
    plain = getattr(arb, name)

    def method(self: arb, other: Any) -> Any:
        return _wrapped(plain(self, _partner(other, symbol)))

    method.__name__ = name
    return method


def _comparison(name: str, symbol: str) -> Callable[[arb, Any], Any]:
    certain, contrary = getattr(arb, name), getattr(arb, {"__lt__": "__ge__", "__le__": "__gt__"}.get(name, "__lt__"))
    if name in ("__gt__", "__ge__"):
        contrary = getattr(arb, "__le__" if name == "__gt__" else "__lt__")

    def method(self: arb, other: Any) -> Any:
        other = _partner(other, symbol)
        answer = certain(self, other)
        if answer is False and contrary(self, other) is not True:
            raise UndecidedInstances(f"{self} {symbol} {other} is not decided in this precision", np.array(True))
        return answer

    method.__name__ = name
    return method


def _equality(*, equal: bool) -> Callable[[arb, Any], Any]:
    def method(self: arb, other: Any) -> Any:
        other = _partner(other, "==" if equal else "!=")
        if arb.__eq__(self, other) is True:
            return equal
        if arb.__ne__(self, other) is True:
            return not equal
        if isinstance(other, int | fmpq | fmpz | arb | np.integer):
            raise UndecidedInstances(f"{self} == {other} is not decided in this precision", np.array(True))
        return NotImplemented

    return method


def _unary(name: str) -> Callable[[arb], Any]:
    plain = getattr(arb, name)

    def method(self: arb, *arguments: Any, **options: Any) -> Any:
        return _wrapped(plain(self, *(_partner(argument, name) for argument in arguments), **options))

    method.__name__ = name
    return method


for _name, _symbol in {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**"}.items():
    for _prefix in ("__", "__r"):
        setattr(Ball, f"{_prefix}{_name}__", _operation(f"{_prefix}{_name}__", _symbol))
for _name, _symbol in {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(Ball, f"__{_name}__", _comparison(f"__{_name}__", _symbol))
Ball.__eq__ = _equality(equal=True)  # type: ignore[method-assign]
Ball.__ne__ = _equality(equal=False)  # type: ignore[method-assign]
_others = {"unique_fmpz", "man_exp", "fmpq", "fmpz", "mid_rad_10exp", "repr", "str", "contains", "overlaps"}
# static methods, such as arb.pi, make plain balls: `verify.numbers.arithmetic` has its own
_methods = {name for name, method in vars(arb).items() if callable(method) and not isinstance(method, staticmethod)}
for _name in sorted(_methods - _others):
    if not _name.startswith(("_", "is_", "contains_")):
        setattr(Ball, _name, _unary(_name))
for _name in ("__neg__", "__pos__"):
    setattr(Ball, _name, _unary(_name))

_ASSUMED: ContextVar[list[str] | None] = ContextVar("verify_assumed_signs", default=None)


@contextmanager
def assumed_signs() -> Iterator[list[str]]:
    """Inside the block, note every ball with negative numbers of which a root was taken, as if it had none.

    Where the number is zero, and so are its roots, no precision tells it from a negative one, which has none. A decision that
    rests on such a root waits for more precision, and is none where no precision is left.
    """
    noted: list[str] = []
    token = _ASSUMED.set(noted)
    try:
        yield noted
    finally:
        _ASSUMED.reset(token)


def _from_zero(upper: arb) -> Ball:
    """The interval from 0 to a number, exactly from 0."""
    return Ball(arb(0, upper.abs_upper()).nonnegative_part())


def _root_of_ball(self: arb, plain: Callable[[arb], arb]) -> Ball:
    """A root, or another power with a positive exponent, which FLINT takes of positive balls only.

    Of a ball that holds 0 it is that of the part that is not negative.
    """
    if not self.is_finite() or not self.contains(0):
        return Ball(plain(self))
    noted = _ASSUMED.get()
    if noted is not None and not arb.__ge__(self, 0):
        noted.append(str(self))
    upper = arb.upper(self)
    return _from_zero(plain(upper)) if arb.__gt__(upper, 0) else Ball(0)


_plain_power = Ball.__pow__


def _power(self: Ball, exponent: Any) -> Any:
    """A power; FLINT takes that of a ball around 0 by its logarithm, which is no number, although the power is one."""
    if isinstance(exponent, np.integer | fmpz):
        exponent = int(exponent)
    if isinstance(exponent, Fraction | fmpq):
        exponent = fmpq(exponent.numerator, exponent.denominator)
        exponent = int(exponent.p) if exponent.q == 1 else exponent
    if not isinstance(exponent, int | fmpq) or exponent <= 0:
        return _plain_power(self, exponent)
    if isinstance(exponent, fmpq):
        return _root_of_ball(self, lambda ball: arb.__pow__(ball, exponent))
    if not self.is_finite() or not self.contains(0):
        return _plain_power(self, exponent)
    if exponent % 2 == 0:
        return _from_zero(arb.__pow__(arb.abs_upper(self), exponent))
    return Ball(arb.__pow__(arb.lower(self), exponent).union(arb.__pow__(arb.upper(self), exponent)))


def _absolute(self: Ball) -> Ball:
    """The absolute value, without negative numbers."""
    return _from_zero(arb.abs_upper(self)) if self.is_finite() and self.contains(0) else Ball(arb.__abs__(self))


Ball.__pow__ = _power
Ball.__abs__ = _absolute
Ball.sqrt = lambda self: _root_of_ball(self, arb.sqrt)
Ball.root = lambda self, degree: _root_of_ball(self, lambda ball: arb.root(ball, degree))


_TOLD: ContextVar[list[BaseException] | None] = ContextVar("verify_told_precisions", default=None)


class PrecisionAsked(ArithmeticError):
    """A statement asks for what depends on the precision of a ball, and not on its number."""


@contextmanager
def noting_precision(noted: list[BaseException]) -> Iterator[None]:
    """Inside the block, note where code of a statement asks for what another precision answers otherwise."""
    token = _TOLD.set(noted)
    try:
        yield
    finally:
        _TOLD.reset(token)


def _of_the_precision(name: str) -> Callable[..., Any]:
    plain = getattr(Ball, name)

    def method(self: Ball, *arguments: Any, **options: Any) -> Any:
        noted = _TOLD.get()
        if noted is not None and asked_from_outside("numpy"):  # which makes texts of arrays
            noted.append(PrecisionAsked(f"{name} of a ball depends on the precision"))
        return plain(self, *arguments, **options)

    return method


_TELLING = re.compile(
    "(abs_|contains|is_|rel_|man_|mid|rad|unique_).*|bits|fmpq|fmpz|intersection|lower|nonnegative_part|overlaps|trim|union|upper"
    "|repr|str|__(repr|str)__"
)
"""Methods of balls that answer otherwise in another precision."""
for _name in filter(_TELLING.fullmatch, vars(arb)):
    setattr(Ball, _name, _of_the_precision(_name))


LONGEST_EXPONENT = 5
"""Characters of an exponent of ten, with its sign: "1e1000000000" has a billion digits, and nobody means it."""


def written_fraction(text: str) -> Fraction:
    """The number that is written, such as ``"-3/4"``, ``"1.01"`` or ``"1e-6"``.

    Raises
    ------
    ValueError
        It is none, or one with an exponent of more than `LONGEST_EXPONENT` characters, which is not expanded.
    ZeroDivisionError
        It is a quotient by zero.
    """
    exponent = text.strip().lower().partition("e")[2]
    if len(exponent) > LONGEST_EXPONENT:
        raise ValueError(f"a number must have an exponent of at most {LONGEST_EXPONENT} characters, got {reprlib.repr(text)}")
    return Fraction(text)


class Q(Fraction):
    """An exact constant: ``Q("101/100") * x`` is right for floats, for rationals and for balls.

    A `Fraction` times an array of floats would be an array of objects; this number looks at what stands beside it.

    Parameters
    ----------
    value
        An integer, a fraction, or text such as ``"101/100"`` or ``"1.01"``; no float, which is seldom the number that is meant.
    denominator
        As for `Fraction`.

    Raises
    ------
    TypeError
        `value` is a float.

    Examples
    --------
    >>> Q(1, 3) + Q("0.5")
    Q('5/6')
    >>> Q(1, 3) * 0.5
    0.16666666666666666
    """

    __slots__ = ()
    # arrays leave every operation to this class
    __array_ufunc__ = None

    def __new__(cls, value: Any = 0, denominator: Any = None) -> Q:
        """See the class."""
        if isinstance(value, float | np.floating) or isinstance(denominator, float | np.floating):
            raise TypeError(f"a constant is written as text or as integers, such as Q('1/10'), got the float {value!r}")
        if isinstance(value, fmpq):
            value = Fraction(int(value.p), int(value.q))
        if isinstance(value, np.integer | fmpz):
            value = int(value)
        if isinstance(value, str | Decimal):
            value = written_fraction(str(value))
        return super().__new__(cls, value, denominator)

    def beside(self, other: Any) -> Any:
        """The number in the arithmetic of `other`: a `flint.fmpq` beside exact numbers, else a float.

        Beside integers, which are at home in both, it is exact in an exact evaluation only.
        """
        if isinstance(other, fmpq | arb | fmpz | ExactNumber):
            return fmpq(self.numerator, self.denominator)
        kind = getattr(getattr(other, "dtype", None), "kind", "")
        if kind == "O" or (kind in "iub" and in_exact_evaluation()):
            return fmpq(self.numerator, self.denominator)
        return float(self)

    def __repr__(self) -> str:
        return f"Q('{self}')"

    def __reduce__(self) -> tuple[type[Q], tuple[str]]:
        return Q, (str(self),)

    __hash__ = Fraction.__hash__


def is_number_of_arrays(value: Any) -> bool:
    """Whether `value` is an array, or a number of one, beside which a constant takes the arithmetic of the other."""
    return isinstance(value, fmpq | arb | fmpz | float | np.generic | ExactNumber) or hasattr(value, "dtype")


def _entries(value: Any) -> Any:
    """Integer arrays beside a rational: NumPy's integers are none of FLINT's."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "iub" and in_exact_evaluation():
        return np.frompyfunc(lambda entry: fmpq(int(entry)), 1, 1)(value)
    return fmpq(int(value)) if isinstance(value, np.integer | np.bool_) and in_exact_evaluation() else value


def _constant_operation(name: str, function: Callable[[Any, Any], Any], *, reflected: bool) -> Callable[[Q, Any], Any]:
    plain = getattr(Fraction, f"__{'r' if reflected else ''}{name}__")

    def method(self: Q, other: Any) -> Any:
        if is_number_of_arrays(other):
            mine, other = self.beside(other), _entries(other)
            return function(other, mine) if reflected else function(mine, other)
        result = plain(self, other)
        return Q(result) if isinstance(result, Fraction) else result

    return method


for _name, _function in {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv}.items():
    setattr(Q, f"__{_name}__", _constant_operation(_name, _function, reflected=False))
    setattr(Q, f"__r{_name}__", _constant_operation(_name, _function, reflected=True))


def _constant_comparison(name: str, function: Callable[[Any, Any], Any]) -> Callable[[Q, Any], Any]:
    plain = getattr(Fraction, f"__{name}__")

    def method(self: Q, other: Any) -> Any:
        return function(self.beside(other), other) if is_number_of_arrays(other) else plain(self, other)

    return method


for _name, _function in {
    "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge, "eq": operator.eq, "ne": operator.ne,
}.items():  # fmt: skip
    setattr(Q, f"__{_name}__", _constant_comparison(_name, _function))


def _constant_sign(name: str) -> Callable[[Q], Q]:
    plain = getattr(Fraction, f"__{name}__")
    return lambda self: Q(plain(self))


for _name in ("neg", "pos", "abs"):
    setattr(Q, f"__{_name}__", _constant_sign(_name))


_fraction_power = Fraction.__pow__
Q.__pow__ = lambda self, other: Q(result) if isinstance(result := _fraction_power(self, other), Fraction) else result  # type: ignore[method-assign, assignment]
