"""What a network gives at its points, for the claims that speak of nothing else of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from verify.numbers.arithmetic import Array, is_exact, rationals
from verify.trained.programs import Activation, Convolution, Dense, Floats
from verify.trained.traced import TracedNetwork

LARGEST_DERIVATIVES = 2**26
"""Numbers of the derivatives that are computed at a point, at most: entries of a value times those of the largest value."""


@dataclass(frozen=True, eq=False)
class Evaluated:
    """The values of a network at its points, as numbers of their own: skips, pooling and any activation may be behind them.

    Attributes
    ----------
    values
        Of the layers, each with its bias and before its activation, ``(N, n_l)``; the last are the outputs.
    jacobians
        Derivatives of the outputs by the inputs and by these values, ``(N, n_L, n_l)``; None where they are too large.
    slope
        Below zero, of the homogeneous activation that all layers share; else what they have, in words.
    """

    values: tuple[Array, ...]
    jacobians: tuple[Array | None, ...]
    slope: float | str

    @property
    def depth(self) -> int:
        """Number of layers."""
        return len(self.values)

    @property
    def parameters(self) -> Sequence[Array]:
        """All arrays."""
        return [*self.values, *(jacobian for jacobian in self.jacobians if jacobian is not None)]

    @property
    def is_exact(self) -> bool:
        """Whether its numbers are rationals."""
        return is_exact(self.values[0])

    @cached_property
    def neurons(self) -> int:
        """Number of hidden values at a point."""
        return sum(value.shape[1] for value in self.values[:-1])

    def changed(self, change: Callable[[Array], Array]) -> Evaluated:
        """With other numbers."""
        jacobians = tuple(None if jacobian is None else change(jacobian) for jacobian in self.jacobians)
        return replace(self, values=tuple(change(value) for value in self.values), jacobians=jacobians)

    def at(self, kept: Sequence[int]) -> Evaluated:
        """At these points only."""
        return self.changed(lambda array: array[[*kept]])

    def as_exact(self) -> Evaluated:
        """The same numbers as rationals."""
        return self.changed(rationals)


def evaluated(network: TracedNetwork, points: Floats) -> Evaluated:
    """A network at points ``(N, *input_shape)``."""
    program, count = network.program, len(points)
    layers = [place for place, step in enumerate(program.steps, start=1) if isinstance(step.operation, Dense | Convolution)]
    layers = [*(layer for layer in layers if layer != program.output), program.output]
    values = program.values(points)
    largest = max(map(math.prod, program.shapes))
    jacobians = tuple(
        program.jacobians(points, place) if math.prod(program.shapes[place]) * largest <= LARGEST_DERIVATIVES else None
        for place in (0, *layers)
    )
    return Evaluated(tuple(values[layer].reshape(count, -1) for layer in layers), jacobians, _slope(network))


def _slope(network: TracedNetwork) -> float | str:
    activations = [step.operation for step in network.program.steps if isinstance(step.operation, Activation)]
    slopes = {activation.slope for activation in activations}
    if len(slopes) == 1 and all(activation.is_homogeneous for activation in activations):
        return slopes.pop()
    return ", ".join(network.activations) or "none"
