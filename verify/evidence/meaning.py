"""What a statement says at fixed instances: both sides of every comparison, and which hypotheses hold, as one short text.

It depends on the coordinates of the domain, in their order, and on what is computed from them, and on nothing else: a statement
that is written otherwise, with other letters, and says the same has the same meaning. So sides are compared as numbers, in any
arithmetic they are, in no order and however they are repeated; ``a <= b`` and ``b >= a`` say the same.
"""

from __future__ import annotations

import functools
import hashlib
import math
import sys
import types
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from verify.claims.claim import Statement
from verify.claims.domain import Domain, Sample
from verify.claims.variables import Coordinate, Sizes, call_with
from verify.linting.installed import is_followed
from verify.numbers.arithmetic import FloatOnly, UndecidedInstances, ball, precision, rational
from verify.numbers.exactness import FloatOnExactSide, exact_evaluation, noting_choices
from verify.numbers.relation import Comparison, Relation

VALID = 4
"""Instances of each combination of sizes at which the sides are computed, as far as so many satisfy the hypotheses."""
CANDIDATES = 12
"""Instances of each combination of sizes that are tried."""
BITS = (320, 1280)
"""Precisions of the balls; what the last does not tell is written down as open."""
PLACES = 128
"""Binary places of what is exact: 38 digits, of which the balls are far surer."""
FLOAT_PLACES = 10
"""Binary places where floats are all there is: what solvers and other kernels change stays far below."""
_COMPUTING = ("verify.cones", "verify.matrices", "verify.networks", "verify.piecewise")
"""Where the engine caches numbers that statements compare."""
OFFSET = Fraction(math.isqrt(5 << 800), 1 << 400) / 2
"""What is added before rounding down, so that no simple number lies on an edge: half of the root of five, nearly."""


def meaning(statement: Statement, domain: Domain) -> str:
    """What `statement` says at the fixed instances of `domain`, as text; the same on every machine."""
    _forget(statement)
    lines = []
    for sizes in chosen_sizes(domain):
        feasible = 0
        for place in range(CANDIDATES):
            sample = instance(domain, sizes, place)
            answers, sides = at_instance(statement, domain, sample)
            lines.append(f"{[*sizes.values()]} {place}: {answers} {sides}")
            feasible += bool(sides)
            if feasible == VALID:
                break
    return "\n".join(lines)


def meaning_at(statement: Statement, variables: Callable[[], Mapping[str, Any]]) -> str:
    """What a statement says at variables that are given, rationals or floats."""

    def evaluated(places: int) -> tuple[str, str]:
        return "", _relation_text(call_with(statement, variables()), places)

    _forget(statement)
    return _in_either_arithmetic(evaluated, evaluated)[1]


def _forget(statement: Statement) -> None:
    """Clear what functions have cached: an answer from there does not say which floats were chosen on the way to it."""
    own = (getattr(statement, "__module__", None) or "").partition(".")[0]
    for name, module in list(sys.modules.items()):
        top = name.partition(".")[0]
        if name.startswith(_COMPUTING) if top == "verify" else top == own or is_followed(top):
            for function in _cached_functions(module, len(vars(module))):
                function.cache_clear()


@functools.lru_cache(maxsize=4096)
def _cached_functions(module: types.ModuleType, names: int) -> list[Any]:  # noqa: ARG001 (with more names it is another list)
    """What of a module, and of its classes, remembers its answers."""
    cached = []
    for value in list(vars(module).values()):
        inside = vars(value).values() if isinstance(value, type) and value.__module__ == module.__name__ else (value,)
        cached += [value for value in inside if isinstance(value, functools._lru_cache_wrapper)]
    return cached


def chosen_sizes(domain: Domain) -> list[Sizes]:
    """The smallest combination of sizes, the smallest in which every size that can be 2 is 2 or more, and the middle one."""
    every = domain.all_sizes()
    two = {name for name, values in domain.sizes.items() if max(values) >= 2}
    large = [sizes for sizes in every if all(sizes[name] >= 2 for name in two)]
    result: list[Sizes] = []
    for combination in (*every[:1], *large[:1], *every[len(every) // 2 :][:1]):
        if combination not in result:
            result.append(combination)
    return result


def instance(domain: Domain, sizes: Sizes, place: int) -> Sample:
    """One of the fixed instances: small rationals, which depend on the sizes and the order of the coordinates, not on names."""
    coordinates = {}
    for number, (name, coordinate) in enumerate(domain.layout(sizes).items()):
        count = math.prod(coordinate.shape)
        data = hashlib.shake_256(f"{[*sizes.values()]} {number} {place}".encode()).digest(8 * count)
        numbers = np.empty(count, dtype=object)
        for k in range(count):
            numbers[k] = _number(coordinate, int.from_bytes(data[8 * k : 8 * k + 8], "big"))
        coordinates[name] = numbers.reshape(coordinate.shape)
    return Sample(sizes, coordinates)


def _number(coordinate: Coordinate, chance: int) -> fmpq:
    """A multiple of 1/4 up to 8, a sixteenth of an interval, or an integer."""
    lower, upper = coordinate.lower, coordinate.upper
    if coordinate.integer:
        return fmpq(int(lower) + chance % (int(upper) - int(lower) + 1))
    step = chance // 4 % 17
    if np.isfinite(lower) and np.isfinite(upper):
        return rational(lower) + (rational(upper) - rational(lower)) * fmpq(step, 16)
    value = fmpq(step - 8, (1, 2, 4, 1)[chance % 4])
    if np.isfinite(lower):
        return rational(lower) + abs(value)
    return rational(upper) - abs(value) if np.isfinite(upper) else value


def at_instance(statement: Statement, domain: Domain, sample: Sample) -> tuple[str, str]:
    """Which hypotheses hold, and the sides; without sides where one does not hold."""

    def evaluated(instance: Sample, places: int) -> tuple[str, str]:
        variables = domain.build(instance[None])
        holds = {name: bool(np.all(answer)) for name, answer in sorted(domain.validity(variables).items())}
        answers = "".join(f"{name}: {holds[name]}; " for name in holds)
        if not all(holds.values()):
            return answers, ""
        return answers, _relation_text(call_with(statement, variables), places)

    return _in_either_arithmetic(lambda places: evaluated(sample, places), lambda places: evaluated(sample.as_floats(), places))


Evaluation = Callable[[int], tuple[str, str]]
"""Gives the answers of the hypotheses and the sides, these on a grid of so many binary places."""


def _in_either_arithmetic(exactly: Evaluation, in_floats: Evaluation) -> tuple[str, str]:
    try:
        with noting_choices() as choices:
            answers, sides = _exactly(exactly, choices)
        return answers, sides and f"{'chosen ' if choices else ''}{sides}"
    except (FloatOnly, FloatOnExactSide):
        pass
    try:
        with np.errstate(all="ignore"):
            answers, sides = in_floats(FLOAT_PLACES)
    except Exception as error:  # whatever a statement raises, which is then what it says
        return "", _raised(error)
    return answers, sides and f"floats {sides}"


def _exactly(evaluate: Evaluation, choices: list[bool]) -> tuple[str, str]:
    """What is computed with as many bits as it takes; floats are left to the caller.

    What was computed from floats that were chosen is no surer than they are.
    """
    answer = ("", "")
    for bits in BITS:
        try:
            with precision(bits), exact_evaluation():
                answer = evaluate(PLACES)
                if choices:
                    answer = evaluate(FLOAT_PLACES)
        except (FloatOnly, FloatOnExactSide):
            raise
        except Exception as error:  # see `_in_either_arithmetic`
            answer = "", _raised(error)
            if not isinstance(error, UndecidedInstances):
                return answer
        if OPEN not in answer[1]:
            break
    return answer


def _raised(error: Exception) -> str:
    if isinstance(error, UndecidedInstances):
        return OPEN
    return "undefined" if isinstance(error, ArithmeticError) else f"raises {type(error).__name__}"


OPEN = "<open>"


def _relation_text(relation: Relation, places: int) -> str:
    parts = sorted(
        f"{name} {'eq' if comparison.sense == 'eq' else 'le'} {_comparison(comparison, places)}"
        for name, comparison in zip(relation.names, relation.comparisons, strict=True)
    )
    return "; ".join(parts) or "nothing"


def _comparison(comparison: Comparison, places: int) -> str:
    """Both sides of every entry as numbers on a grid: each pair once, in the order of their texts."""
    if 0 in comparison.shape:
        return "nothing"
    left, right = (np.broadcast_to(side, comparison.shape) for side in (comparison.left, comparison.right))
    if comparison.sense == "ge":
        left, right = right, left
    text = _pair if comparison.is_exact else _pair_of_floats
    pairs = zip(left.flat, right.flat, strict=True)
    return " ".join(sorted({text(a, b, places, equal=comparison.sense == "eq") for a, b in pairs}))


def _pair(left: Any, right: Any, places: int, *, equal: bool) -> str:
    """Two sides of which the first should be the smaller: what they differ by and their sum, to their size, and their size."""
    a, b = ball(left), ball(right)
    if not (a.is_finite() and b.is_finite()):
        return f"{_endless(a)},{_endless(b)}"
    size = arb.max(abs(a), abs(b))
    if size.abs_upper() < _nothing(places):
        return "0"
    if not size > 0:
        return OPEN
    difference = abs(b - a) if equal else b - a
    numbers = [difference / size, (a + b) / size]
    if places == PLACES or (a != 0 and b != 0):  # the size of what was chosen, beside zero, is a choice, too
        numbers.append(arb.log(size) / arb.log(arb(2)))
    return ",".join(_cell(number, places) for number in numbers)


def _nothing(places: int) -> float:
    """Smaller sides are zero: what cancels leaves a ball, or the errors of a solver, of no size of their own."""
    return float(2.0 ** (-places if places == FLOAT_PLACES else -2 * places))


def _endless(value: arb) -> str:
    return str(value) if not value.is_finite() and value.is_exact() else OPEN


def _cell(value: arb, places: int) -> str:
    number = arb.floor(value * 2**places + arb(fmpq(OFFSET.numerator, OFFSET.denominator))).unique_fmpz()
    return OPEN if number is None else f"{int(number):x}"


def _pair_of_floats(left: Any, right: Any, places: int, *, equal: bool) -> str:
    a, b = float(left), float(right)
    if not (math.isfinite(a) and math.isfinite(b)):
        return f"{a},{b}"
    size = max(abs(a), abs(b))
    if size < _nothing(places):
        return "0"
    difference = abs(b - a) if equal else b - a
    cells = (number * 2**places + float(OFFSET) for number in (difference / size, (a + b) / size, math.log2(size)))
    return ",".join(f"{math.floor(cell):x}" for cell in cells)
