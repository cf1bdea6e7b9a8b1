"""Numbers that change while training: learning rates and ridges as functions of the step, counted from 0."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from verify.numbers.arguments import real_number
from verify.numbers.arithmetic import integer

Schedule: TypeAlias = float | Callable[[int], float]
"""A constant, or a function of the step; to be resumed from a checkpoint its ``repr`` has to name what it does."""


@dataclass(frozen=True)
class Cosine:
    """From 0 up to `peak` in `warm_up` steps, then half a cosine down to ``final * peak`` at the step `steps`, and constant.

    Raises
    ------
    ValueError
        `steps` is not above `warm_up`, or `warm_up` or `final` is negative.
    """

    peak: float
    steps: int
    warm_up: int = 0
    final: float = 0.01

    def __post_init__(self) -> None:
        real_number("peak", self.peak, exact=False)
        for name in ("warm_up", "steps"):
            object.__setattr__(self, name, integer(name, getattr(self, name)))
        if not 0 <= self.warm_up < self.steps:
            raise ValueError(f"warm_up must be at least 0 and below steps, got {self.warm_up} and {self.steps}")
        if real_number("final", self.final, exact=False) < 0:
            raise ValueError(f"final must not be negative, got {self.final}")

    def __call__(self, step: int) -> float:
        """The value at a step."""
        if step < self.warm_up:
            return self.peak * (step + 1) / self.warm_up
        done = min((step - self.warm_up) / (self.steps - self.warm_up), 1.0)
        return self.peak * (self.final + (1 - self.final) * (1 + math.cos(math.pi * done)) / 2)


@dataclass(frozen=True)
class Linear:
    """From 0 up to `peak` in `warm_up` steps, constant, and in the last `decay` of `steps` steps down to 0.

    Raises
    ------
    ValueError
        `decay` is below 1, `warm_up` is negative, or together they are more than `steps`.
    """

    peak: float
    steps: int
    decay: int
    warm_up: int = 0

    def __post_init__(self) -> None:
        real_number("peak", self.peak, exact=False)
        for name, least in (("steps", 1), ("decay", 1), ("warm_up", 0)):
            object.__setattr__(self, name, integer(name, getattr(self, name), least))
        if self.warm_up + self.decay > self.steps:
            raise ValueError(f"warm_up and decay must be at most steps, got {self.warm_up} + {self.decay} and {self.steps}")

    def __call__(self, step: int) -> float:
        """The value at a step."""
        if step < self.warm_up:
            return self.peak * (step + 1) / self.warm_up
        return self.peak * min(max((self.steps - step) / self.decay, 0.0), 1.0)


@dataclass(frozen=True)
class WarmUp:
    """0 before the step `start`, then linearly up to `value` in `steps` steps, and constant: for a ridge that is to come late.

    Raises
    ------
    ValueError
        `start` is negative or `steps` below 1.
    """

    value: float
    steps: int
    start: int = 0

    def __post_init__(self) -> None:
        real_number("value", self.value, exact=False)
        object.__setattr__(self, "start", integer("start", self.start, 0))
        object.__setattr__(self, "steps", integer("steps", self.steps, 1))

    def __call__(self, step: int) -> float:
        """The value at a step."""
        return self.value * min(max((step - self.start) / self.steps, 0.0), 1.0)


def checked_schedule(name: str, value: Schedule) -> Schedule:
    """`value` itself, where it is a function or a finite number that is not negative.

    Raises
    ------
    TypeError, ValueError
        It is neither.
    """
    return value if callable(value) else checked_constant(name, value)


def checked_constant(name: str, value: Any) -> float:
    """`value` as a float, finite and not negative.

    Raises
    ------
    TypeError, ValueError
        It is no such number.
    """
    number: float = real_number(name, value, exact=False)
    if number < 0:
        raise ValueError(f"{name} must be a finite number that is not negative, got {value!r}")
    return number


def at(schedule: Schedule, step: int) -> float:
    """The value of a schedule at a step."""
    return float(schedule(step)) if callable(schedule) else float(schedule)
