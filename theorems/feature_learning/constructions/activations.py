"""Activations as the theorems draw them: kinds that are met often, and one that is not homogeneous."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from verify import derived, integers, interval
from verify.instances import lifted
from verify.networks import HomogeneousActivation
from verify.numbers.arithmetic import Array, absolute, compare, is_exact, maximum, minimum
from verify.numbers.parameters import widened

SATURATING = 5
"""The kind of activation that is not homogeneous."""


@dataclass(frozen=True, eq=False)
class Activation:
    """The function with the slope a for t > 0 and d for t < 0, homogeneous; or one that stays constant for |t| > 1.

    Attributes
    ----------
    slopes
        a and d, shape ``(..., 2)``.
    saturates
        1 where it is constant for |t| > 1, else 0, shape ``(...)``.
    """

    slopes: Array
    saturates: Array

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """The leading axes: where there are some, a statement of one instance does not see them."""
        return self.saturates.shape

    @property
    def is_exact(self) -> bool:
        """Whether the slopes are rationals."""
        return is_exact(self.slopes)

    @property
    def is_homogeneous(self) -> Any:
        """For every instance, whether it does not saturate."""
        return compare(self.saturates, 0) == 0

    def __getitem__(self, index: Any) -> Activation:
        return Activation(self.slopes[index], self.saturates[index])

    @lifted
    def __call__(self, values: Array, /) -> Array:
        """The value at every entry, shape ``(..., n, N)``."""
        saturating = np.asarray(~self.is_homogeneous)[..., None, None]
        limited = np.where(saturating, maximum(minimum(values, 0 * values + 1), 0 * values - 1), values)
        return HomogeneousActivation(self.slopes[..., :1], self.slopes[..., 1:])(limited)

    @lifted
    def derivative(self, values: Array, /) -> Array:
        """The slope at every entry, shape ``(..., n, N)``; at a kink one of the two."""
        slopes = HomogeneousActivation(self.slopes[..., :1], self.slopes[..., 1:]).derivative(values)
        constant = np.asarray(~self.is_homogeneous)[..., None, None] & (compare(absolute(values), 1) > 0)
        return np.where(constant, 0 * slopes, slopes)


@lifted
@widened
def homogeneous(slopes: Array) -> Activation:
    """The homogeneous activation with these slopes, shape ``(..., 2)``."""
    return Activation(slopes, np.asarray(0 * slopes[..., 0]))


@lifted
@widened
def drawn_slopes(kind: Array, numbers: Array) -> Array:
    """Slopes for t > 0 and t < 0: ReLU (kind 0), absolute value (1), identity (2), leaky ReLU (3), else any two."""
    one = 0 * kind + 1
    result = numbers
    for place, slope in enumerate((0 * one, -one, one, numbers[..., 1])):
        result = np.where(compare(kind, place)[..., None] == 0, np.stack([one, slope], axis=-1), result)
    return np.asarray(result)


@lifted
@widened
def drawn_activation(kind: Array, numbers: Array) -> Activation:
    """Of a kind as for `drawn_slopes`; the last kind saturates."""
    one = 0 * kind + 1
    return Activation(drawn_slopes(kind, numbers), np.asarray(np.where(compare(kind, SATURATING) == 0, one, 0 * one)))


NUMBERS = interval(-2, 2, 2, role="slopes")
SLOPES = derived(drawn_slopes, kind=integers(0, SATURATING - 1), numbers=NUMBERS, role="slopes")
"""Slopes of homogeneous activations."""
ACTIVATIONS = derived(drawn_activation, kind=integers(0, SATURATING, role="4"), numbers=NUMBERS)
"""Activations of which a sixth is not homogeneous."""


HOMOGENEOUS = {"the activation is homogeneous": lambda sigma: sigma.is_homogeneous}
"""The hypothesis of the theorems."""


@lifted
@widened
def drawn_negative_slope(kind: Array, number: Array) -> Array:
    """The slope for t < 0 of an activation with slope 1 for t > 0: ReLU, absolute value, identity, else any."""
    result = number
    for place, slope in enumerate((0, -1, 1)):
        result = np.where(compare(kind, place) == 0, 0 * number + slope, result)
    return np.asarray(result)


NEGATIVE_SLOPES = derived(drawn_negative_slope, kind=integers(0, 4), number=interval(-2, 2), role="slope")
"""Slopes for t < 0 beside the slope 1 for t > 0."""
