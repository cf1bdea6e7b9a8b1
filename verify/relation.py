"""A statement evaluated: two sides, the slack between them, and a verdict that may be "not decided in this precision"."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from flint import arb

from verify.arithmetic import UNKNOWN, Array, absolute, ball, compare, floats, is_exact, maximum, rational

FLOAT_ULPS = 256
"""Rounding errors allowed in a float64 side, in units of ``2**-52`` of the largest size that enters the difference.

A side of a theorem here is a few hundred operations (depth times width, twice), each wrong by half a unit at most; what a
statement knows to be worse (an integrator, a cancellation) it passes as `scale` or `noise`. A difference below the noise is
UNDECIDED and goes to the rationals, so that a value too large costs time, never truth.
"""

TIE = 2.0**-100
"""Two balls whose numbers differ by less than this, relative to their size, are a tie: more precision would not part them."""

Sense = Literal["le", "ge", "eq"]


class Verdict(IntEnum):
    """What one evaluation says of one instance."""

    FAILS = -1
    UNDECIDED = 0
    HOLDS = 1


@dataclass(frozen=True, eq=False)
class Comparison:
    """``left <= right``, ``left >= right`` or ``left = right`` over a batch; the last `over` axes must all hold."""

    sense: Sense
    left: Array
    right: Array
    scale: npt.NDArray[np.float64]
    noise: npt.NDArray[np.float64]
    over: int

    @property
    def is_exact(self) -> bool:
        """Whether a side consists of rationals or balls."""
        return is_exact(self.left) or is_exact(self.right)

    def slack(self) -> npt.NDArray[np.float64]:
        """How far the comparison is from failing, in float64, before the last axes are reduced; negative when violated."""
        left, right = np.broadcast_arrays(self.left, self.right)
        if self.is_exact:
            difference = floats(right - left)
        else:
            with np.errstate(invalid="ignore"):
                difference = right - left
            # two equal infinities are equal
            difference = np.where(np.isnan(difference) & (left == right), 0.0, difference)
        if self.sense == "le":
            return np.asarray(difference, dtype=np.float64)
        return np.asarray(-difference if self.sense == "ge" else -np.abs(difference), dtype=np.float64)

    def verdicts(self) -> npt.NDArray[np.int8]:
        """Verdict of every entry, before the last axes are reduced."""
        if self.is_exact:
            order = compare(*np.broadcast_arrays(self.left, self.right))
            fails = {"le": order == 1, "ge": order == -1, "eq": abs(order) == 1}[self.sense]
            return np.where(order == UNKNOWN, Verdict.UNDECIDED, np.where(fails, Verdict.FAILS, Verdict.HOLDS)).astype(np.int8)
        slack = self.slack()
        result = np.full(slack.shape, Verdict.UNDECIDED, dtype=np.int8)
        result[slack < -self.noise] = Verdict.FAILS
        result[slack > self.noise] = Verdict.HOLDS
        return result

    def undecided_gap(self) -> float:
        """Largest distance, relative to the size of the sides, that balls which were not decided leave open; 0 for floats."""
        if not self.is_exact:
            return 0.0
        left, right = np.broadcast_arrays(self.left, self.right)
        open_ones = self.verdicts() == Verdict.UNDECIDED
        gaps = [float((ball(a) - ball(b)).abs_upper()) for a, b in zip(left[open_ones], right[open_ones], strict=True)]
        scales = np.broadcast_to(self.scale, left.shape)[open_ones]
        return max((gap / scale if scale else np.inf for gap, scale in zip(gaps, scales, strict=True)), default=0.0)


@dataclass(frozen=True, eq=False)
class Relation:
    """One or several comparisons that must all hold, over a common batch of instances.

    Attributes
    ----------
    comparisons
        The parts; `&` joins two relations.
    """

    comparisons: tuple[Comparison, ...]

    def __and__(self, other: Relation) -> Relation:
        return Relation(self.comparisons + other.comparisons)

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """Shape of the batch of instances."""
        shapes = [_reduced(comparison).shape for comparison in self.comparisons]
        return np.broadcast_shapes(*shapes)

    @property
    def relative_slack(self) -> npt.NDArray[np.float64]:
        """Smallest slack divided by the size of the sides, batch-shaped; negative where some part is violated."""
        return np.asarray(self._parts().min(axis=0))

    @property
    def verdict(self) -> npt.NDArray[np.int8]:
        """`Verdict` of every instance: FAILS if a part fails, else UNDECIDED if a part is undecided, else HOLDS."""
        worst = np.full(self.batch_shape, Verdict.HOLDS, dtype=np.int8)
        for comparison in self.comparisons:
            verdicts = comparison.verdicts()
            axes = tuple(range(verdicts.ndim - comparison.over, verdicts.ndim))
            worst = np.minimum(worst, verdicts.min(axis=axes, initial=Verdict.HOLDS))
        return worst

    @property
    def tied(self) -> bool:
        """Whether all that is undecided in balls is a tie (see `TIE`), which raising the precision will not decide."""
        return all(comparison.undecided_gap() <= TIE for comparison in self.comparisons)

    @property
    def is_exact(self) -> bool:
        """Whether every part compares rationals or balls, and there is something to compare."""
        return all(one.is_exact and np.broadcast(one.left, one.right).size > 0 for one in self.comparisons)

    def worst(self) -> tuple[Any, Any, float]:
        """Both sides and the slack of the entry with the smallest relative slack; for a relation of one instance."""
        parts = [_relative(comparison) for comparison in self.comparisons]
        part = int(np.argmin([np.min(values, initial=np.inf) for values in parts]))
        comparison = self.comparisons[part]
        left, right = np.broadcast_arrays(comparison.left, comparison.right)
        if left.size == 0:
            raise ValueError("the relation has no entry to compare: its sides are empty")
        index = np.unravel_index(int(np.argmin(parts[part])), parts[part].shape)
        return left[index], right[index], float(comparison.slack()[index])

    def _parts(self) -> npt.NDArray[np.float64]:
        return np.stack([np.broadcast_to(_reduced(comparison), self.batch_shape) for comparison in self.comparisons])


def _relative(comparison: Comparison) -> npt.NDArray[np.float64]:
    slack = comparison.slack()
    scale = np.broadcast_to(comparison.scale, slack.shape)
    with np.errstate(invalid="ignore", divide="ignore"):
        relative = slack / scale
    relative = np.where(np.isinf(slack), np.sign(slack), relative)
    return np.where(slack == 0, 0.0, relative)


def _reduced(comparison: Comparison) -> npt.NDArray[np.float64]:
    relative = _relative(comparison)
    axes = tuple(range(relative.ndim - comparison.over, relative.ndim))
    # an empty family of comparisons holds
    initial = 1.0 if 0 in relative.shape[relative.ndim - comparison.over :] else np.inf
    return np.asarray(relative.min(axis=axes, initial=initial))


def _compare(sense: Sense, left: Any, right: Any, scale: Any, noise: Any, over: int) -> Relation:
    left, right = (side if is_exact(side) else np.asarray(_host(side)) for side in (left, right))
    if is_exact(left) or is_exact(right):
        left, right = _rational_entries(left), _rational_entries(right)
    shape = np.broadcast_shapes(left.shape, right.shape)
    if over > len(shape):
        raise ValueError(f"over must be at most the number of axes of the sides, got over={over} for sides of shape {shape}")
    size = np.asarray(floats(maximum(absolute(left), absolute(right))))
    if scale is not None:
        size = np.maximum(size, np.abs(floats(scale)))
    if sense == "eq" and over and size.size:
        # the entries of one matrix share their rounding errors
        size = np.broadcast_to(size, shape)
        size = np.broadcast_to(size.max(axis=tuple(range(-over, 0)), keepdims=True), shape)
    total = FLOAT_ULPS * 2.0**-52 * size + (0.0 if noise is None else floats(noise))
    return Relation((Comparison(sense, left, right, np.broadcast_to(size, shape), np.broadcast_to(total, shape), over),))


def _rational_entries(side: Array) -> Array:
    """A side beside an exact one: integers, such as sums over empty axes, become rationals.

    Raises
    ------
    TypeError
        The side holds floats, so that the relation would be no more exact than they are.
    """
    if side.dtype.kind not in "Oiub" or any(isinstance(entry, float) for entry in side.flat):
        raise TypeError(f"one side is exact and the other holds floats: both must be exact, got {side.dtype}")
    return np.asarray(
        np.frompyfunc(lambda entry: entry if isinstance(entry, arb) else rational(entry), 1, 1)(side), dtype=object
    )


def _host(side: Any) -> Any:
    return side.get() if type(side).__module__.split(".")[0] == "cupy" else side


def le(left: Any, right: Any, *, scale: Any = None, noise: Any = None, over: int = 0) -> Relation:
    """The relation ``left <= right`` (arrays of one batch shape, floats or exact).

    Parameters
    ----------
    scale
        Size of the quantities that were subtracted to get a side, where that is more than the sides themselves.
    noise
        Error of a side beyond rounding, absolute: a solver's stated accuracy.
    over
        Number of last axes (neurons, layers, entries) over which the relation must hold everywhere.
    """
    return _compare("le", left, right, scale, noise, over)


def ge(left: Any, right: Any, *, scale: Any = None, noise: Any = None, over: int = 0) -> Relation:
    """The relation ``left >= right``; see `le`."""
    return _compare("ge", left, right, scale, noise, over)


def eq(left: Any, right: Any, *, scale: Any = None, noise: Any = None, over: int = 0) -> Relation:
    """The relation ``left = right``; see `le`. In float64 it can fail or be undecided, never hold."""
    return _compare("eq", left, right, scale, noise, over)
