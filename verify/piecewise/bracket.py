"""A number that is known exactly, or between two rationals."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from verify.arithmetic import Array


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
        How it was found: ``"regions"`` (every linear region) or ``"branch and bound"``.
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
