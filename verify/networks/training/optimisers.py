"""Steps on a flat vector of parameters, in place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from verify.networks._passes import pieces
from verify.networks.training.schedules import Schedule, at, checked_schedule
from verify.numbers.arguments import real_number
from verify.numbers.arithmetic import Array, array_module

ENTRIES_AT_A_TIME = 2**14
"""Parameters that go through all operations of a step together: they stay in the cache of a core."""


class Optimiser(Protocol):
    """What `train` needs of an optimiser."""

    @property
    def slots(self) -> int:
        """Number of vectors, of the size of the parameters, that it remembers; they start as zeros."""

    def step(self, step: int, parameters: Array, gradient: Array, memory: list[Array]) -> None:
        """Change the parameters and the memory, all one-dimensional, in place; steps are counted from 0."""


@dataclass(frozen=True)
class GradientDescent:
    r""":math:`\theta \leftarrow \theta - \eta\nabla` with the learning rate :math:`\eta`, a number or a schedule."""

    learning_rate: Schedule

    def __post_init__(self) -> None:
        checked_schedule("learning_rate", self.learning_rate)

    @property
    def slots(self) -> int:
        """It remembers nothing."""
        return 0

    def step(self, step: int, parameters: Array, gradient: Array, memory: list[Array]) -> None:  # noqa: ARG002
        """One step, in place."""
        parameters -= at(self.learning_rate, step) * gradient


@dataclass(frozen=True)
class Adam:
    """Adam with the usual corrections for the start; `learning_rate` is a number or a schedule.

    Raises
    ------
    ValueError
        The learning rate is negative or not finite, `first` or `second` is not in [0, 1), or `epsilon` is not positive.
    """

    learning_rate: Schedule
    first: float = 0.9
    second: float = 0.999
    epsilon: float = 1e-8

    def __post_init__(self) -> None:
        checked_schedule("learning_rate", self.learning_rate)
        for name in ("first", "second"):
            if not 0 <= real_number(name, getattr(self, name), exact=False) < 1:
                raise ValueError(f"{name} must be at least 0 and below 1, got {getattr(self, name)}")
        if not real_number("epsilon", self.epsilon, exact=False) > 0:
            raise ValueError(f"epsilon must be positive, got {self.epsilon}")

    @property
    def slots(self) -> int:
        """Weighted sums of the gradients and of their squares."""
        return 2

    def step(self, step: int, parameters: Array, gradient: Array, memory: list[Array]) -> None:
        """One step, in place."""
        xp = array_module(parameters)
        size = parameters.shape[0]
        # the memory holds m / (1 - first) and v / (1 - second), which saves two passes
        correction = ((1 - self.second ** (step + 1)) / (1 - self.second)) ** 0.5
        rate = at(self.learning_rate, step) * (1 - self.first) / (1 - self.first ** (step + 1)) * correction
        scratch = xp.empty(min(size, ENTRIES_AT_A_TIME) if xp is np else size, dtype=parameters.dtype)
        for part in pieces(size, scratch.shape[0]):
            theta, slope, mean, square = parameters[part], gradient[part], memory[0][part], memory[1][part]
            work = scratch[: theta.shape[0]]
            mean *= self.first
            mean += slope
            square *= self.second
            xp.multiply(slope, slope, out=work)
            square += work
            xp.sqrt(square, out=work)
            work += self.epsilon * correction
            xp.divide(mean, work, out=work)
            work *= rate
            theta -= work
