"""A number that is known exactly, or between two rationals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import fmpq

from verify.notation.representation import card
from verify.numbers.arithmetic import Array, fraction, is_number, rational


@dataclass(frozen=True, eq=False)
class Bracket:
    """``lower <= number <= upper``, both proved.

    Attributes
    ----------
    lower, upper
        Rationals; equal when the number is known exactly.
    argument
        A rational point of the polytope for the end that was found there: where a maximum has at least the value `lower`, a
        minimum at most the value `upper`; for a property of the Jacobian a point inside a region; None without a point.
    method
        How it was found: ``"cells"`` (every vertex of the float cells), ``"regions"`` (every linear region) or ``"branch and
        bound"``.
    """

    lower: fmpq
    upper: fmpq
    argument: Array | None
    method: str

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise ValueError(f"lower must not exceed upper, got {self.lower} and {self.upper}")

    @property
    def exact(self) -> bool:
        """Whether the number is known exactly."""
        return bool(self.lower == self.upper)

    @property
    def gap(self) -> fmpq:
        """``upper - lower``."""
        return self.upper - self.lower

    @property
    def value(self) -> fmpq:
        """The number.

        Raises
        ------
        ValueError
            It is not known exactly.
        """
        if not self.exact:
            raise ValueError(f"the number is known to lie between {self.lower} and {self.upper} only: see lower and upper")
        return self.lower

    # A number in arithmetic where it is known exactly; where it is not, `value` says so.

    def __float__(self) -> float:
        return float(fraction(self.value))

    def __add__(self, other: Any) -> Any:
        return self.value + _number(other)

    def __sub__(self, other: Any) -> Any:
        return self.value - _number(other)

    def __rsub__(self, other: Any) -> Any:
        return _number(other) - self.value

    def __mul__(self, other: Any) -> Any:
        return self.value * _number(other)

    def __truediv__(self, other: Any) -> Any:
        return self.value / _number(other)

    def __rtruediv__(self, other: Any) -> Any:
        return _number(other) / self.value

    def __neg__(self) -> fmpq:
        return -self.value

    def __abs__(self) -> fmpq:
        return abs(self.value)

    __radd__ = __add__
    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        """Brackets are equal by content; to a number, where the bracket is exactly that."""
        if isinstance(other, Bracket):
            return (self.lower, self.upper) == (other.lower, other.upper)
        if not is_number(other):
            return NotImplemented
        return self.exact and bool(self.lower == _number(other))

    def __hash__(self) -> int:
        return hash(fraction(self.lower)) if self.exact else hash((fraction(self.lower), fraction(self.upper)))

    def __lt__(self, other: Any) -> bool:
        return _decided(self.upper < _ends(other)[0], self.lower >= _ends(other)[1], self, other)

    def __le__(self, other: Any) -> bool:
        return _decided(self.upper <= _ends(other)[0], self.lower > _ends(other)[1], self, other)

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __repr__(self) -> str:
        number = str(self.lower) if self.exact else f"from {self.lower} to {self.upper}"
        return f"<Bracket {number}, by {self.method}>"

    def _repr_html_(self) -> str:
        rows = {"exact": self.exact, "lower": self.lower, "upper": self.upper, "point": self.argument, "method": self.method}
        return card(str(self.lower) if self.exact else f"from {self.lower} to {self.upper}", rows)


def _number(value: Any) -> fmpq:
    return value.value if isinstance(value, Bracket) else rational(value)


def _ends(value: Any) -> tuple[fmpq, fmpq]:
    return (value.lower, value.upper) if isinstance(value, Bracket) else (_number(value), _number(value))


def _decided(yes: bool, no: bool, bracket: Bracket, other: Any) -> bool:
    if not (yes or no):
        raise ValueError(f"{bracket!r} and {other!r} cannot be compared: the interval between the bounds holds both answers")
    return yes
