"""What is minimised on the data: means over the points.

Values and targets are columns, shape ``(*batch, n, N)``: outputs by points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from verify.numbers.arguments import flag
from verify.numbers.arithmetic import Array, array_module, exp, is_exact, log


class Loss(Protocol):
    """A loss: how it is evaluated, and what targets it accepts."""

    def check(self, targets: Array) -> None:
        """Raise `ValueError` where `targets`, columns, are not what the loss compares with."""

    def __call__(self, values: Array, targets: Array) -> tuple[Array, Array]:
        """The loss, shape ``batch``, and its derivative by `values`, which may be overwritten."""


@dataclass(frozen=True)
class MeanSquaredError:
    r""":math:`\frac1N\sum_i\|f(x_i) - y_i\|^2`; with `per_output` also divided by the number of outputs.

    Source: bottleneck_structure, Section 4 (with the factor 1/N); feature_learning, Introduction.
    """

    per_output: bool = False

    def __post_init__(self) -> None:
        flag("per_output", self.per_output)

    def check(self, targets: Array) -> None:
        """Any finite numbers."""

    def __call__(self, values: Array, targets: Array) -> tuple[Array, Array]:
        """The loss, shape ``batch``, and its derivative by `values`."""
        count = values.shape[-1] * (values.shape[-2] if self.per_output else 1)
        if is_exact(values):
            difference = values - targets
            return np.asarray((difference * difference).sum(axis=(-2, -1)) / count, dtype=object), difference * 2 / count
        xp = array_module(values)
        values -= targets
        total = xp.einsum("...ij,...ij->...", values, values) / count
        values *= 2 / count
        return total, values


@dataclass(frozen=True)
class CrossEntropy:
    r""":math:`-\frac1N\sum_i\sum_o y_{io}\log p_{io}` for the softmax p of the outputs; targets are probabilities (a one-hot
    vector for a class). Of exact networks it is a ball.
    """

    def check(self, targets: Array) -> None:
        """Columns of probabilities."""
        if is_exact(targets):
            fits = all(entry >= 0 for entry in targets.flat) and bool(np.all(targets.sum(axis=-2) == 1))
        else:
            rounding = 4 * targets.shape[-2] * float(np.finfo(targets.dtype if targets.dtype.kind == "f" else np.float64).eps)
            fits = bool((targets >= 0).all()) and bool((abs(targets.sum(axis=-2) - 1) <= rounding).all())
        if not fits:
            raise ValueError("targets must be probabilities for CrossEntropy: not negative, and of sum 1 for each point")

    def __call__(self, values: Array, targets: Array) -> tuple[Array, Array]:
        """The loss, shape ``batch``, and its derivative by `values`."""
        count = values.shape[-1]
        if is_exact(values):
            exponentials = exp(values)
            totals = exponentials.sum(axis=-2)[..., None, :]
            entropy = (targets.sum(axis=-2) * log(totals[..., 0, :])).sum(axis=-1) - (targets * values).sum(axis=(-2, -1))
            return np.asarray(entropy / count, dtype=object), (exponentials / totals - targets) / count
        xp = array_module(values)
        shifted = values - values.max(axis=-2, keepdims=True)
        exponentials = xp.exp(shifted)
        totals = exponentials.sum(axis=-2, keepdims=True)
        entropy = (xp.log(totals) - (targets * shifted).sum(axis=-2, keepdims=True)).sum(axis=(-2, -1)) / count
        exponentials /= totals
        exponentials -= targets
        exponentials /= count
        return entropy, exponentials
