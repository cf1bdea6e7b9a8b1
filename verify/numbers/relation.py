"""A statement evaluated: two sides, the slack between them, and a verdict that may be "not decided in this precision"."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from flint import arb, fmpq

from verify.numbers.arithmetic import (
    UNKNOWN,
    Array,
    absolute,
    ball,
    certain_order,
    floats,
    integer,
    is_exact,
    maximum,
    rational,
)
from verify.numbers.exactness import WRITE_EXACTLY, FloatOnExactSide, in_exact_evaluation, midpoint
from verify.numbers.measured import Measured

FLOAT_ULPS = 256
"""Rounding errors allowed in a float64 side, in units of ``2**-52`` of the larger side.

A side of a theorem here is a few hundred operations (depth times width, twice), each wrong by half a unit at most. What loses
more, by a cancellation, the checker measures (`verify.search.rounding`). A difference below the noise is UNDECIDED and
goes to the rationals, so that a value too large costs time, never truth.
"""

TIE = 2.0**-100
"""Two balls whose numbers differ by less than this, relative to their size, are a tie: more precision would not part them."""

SUSPECT = 2.0**-30
"""A slack larger than this, relative to the sides, is no rounding of numbers of one size, although it may be inside its error:
the sides vanish, or what is compared jumps."""

Sense = Literal["le", "ge", "eq"]


class Verdict(IntEnum):
    """What one evaluation says of one instance."""

    FAILS = -1
    UNDECIDED = 0
    HOLDS = 1


@dataclass(frozen=True, eq=False)
class Comparison:
    """``left <= right``, ``left >= right`` or ``left = right`` over a batch; the last `over` axes must all hold.

    Attributes
    ----------
    sense, left, right, over
        What is compared.
    noise
        Bound or estimate of the error of ``right - left`` in floats; not read where a side is exact.
    name
        What a report, a tight example or a false variant calls it; empty where the relation has no other.
    beside
        What both sides are small against: a difference is measured relative to it where it is the larger.
    """

    sense: Sense
    left: Array
    right: Array
    noise: npt.NDArray[np.float64]
    over: int
    name: str = ""
    beside: Array | None = None

    @property
    def is_exact(self) -> bool:
        """Whether a side consists of rationals or balls."""
        return is_exact(self.left) or is_exact(self.right)

    @functools.cached_property
    def shape(self) -> tuple[int, ...]:
        """Shape of the comparison, with the last axes."""
        return _broadcast(self.left.shape, self.right.shape)

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """Shape without the last axes."""
        return self.shape[: len(self.shape) - self.over]

    @property
    def last_axes(self) -> tuple[int, ...]:
        """The axes over which all must hold."""
        return tuple(range(len(self.shape) - self.over, len(self.shape)))

    @functools.cached_property
    def size(self) -> npt.NDArray[np.float64]:
        """The larger side, in float64; of an equality, the largest entry over the last axes, whose errors are shared."""
        return np.broadcast_to(_size(self.left, self.right, self.beside, self.over if self.sense == "eq" else 0), self.shape)

    @functools.cached_property
    def slack(self) -> npt.NDArray[np.float64]:
        """How far the comparison is from failing, in float64, before the last axes are reduced; negative when violated."""
        left, right = self._sides()
        if self.is_exact:
            difference = floats(right - left)
        else:
            with np.errstate(invalid="ignore"):
                difference = right - left
        undefined = difference != difference
        if undefined.any():  # two equal infinities are equal
            equal = certain_order(left, right) == 0 if self.is_exact else left == right
            difference = np.where(undefined & equal, 0.0, difference)
        return self._signed(difference)

    @functools.cached_property
    def relative(self) -> npt.NDArray[np.float64]:
        """The slack over the size of the sides: from -2 to 2 where both are finite, at any magnitude."""
        if self.is_exact:
            left, right = self._sides()
            shared = self.sense == "eq" and self.over > 0
            sizes = _exact_size(left, right, self.beside, self.last_axes if shared else ())
            return self._signed(np.asarray(np.frompyfunc(_quotient, 3, 1)(left, right, sizes), dtype=np.float64))
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            relative = self.slack / self.size
        if np.isfinite(relative).all() and np.isfinite(self.slack).all():
            return np.asarray(relative)
        relative = np.where(np.isinf(self.slack), np.sign(self.slack), relative)
        return np.where(self.slack == 0, 0.0, relative)

    def _sides(self) -> tuple[Array, Array]:
        """Both sides, of one shape."""
        if self.left.shape == self.right.shape:
            return self.left, self.right
        left, right = np.broadcast_arrays(self.left, self.right)
        return left, right

    def _signed(self, difference: Any) -> npt.NDArray[np.float64]:
        signed = {"le": difference, "ge": -difference, "eq": -np.abs(difference)}[self.sense]
        return np.asarray(signed + 0.0, dtype=np.float64)  # no zero has a sign

    @functools.cached_property
    def verdicts(self) -> npt.NDArray[np.int8]:
        """Verdict of every entry, before the last axes are reduced."""
        if self.is_exact:
            order = certain_order(*self._sides())
            fails = {"le": order == 1, "ge": order == -1, "eq": abs(order) == 1}[self.sense]
            return np.where(order == UNKNOWN, Verdict.UNDECIDED, np.where(fails, Verdict.FAILS, Verdict.HOLDS)).astype(np.int8)
        # 1 where it holds beyond the noise, -1 where it fails beyond it: see `Verdict`
        return np.asarray((self.slack > self.noise).view(np.int8) - (self.slack < -self.noise).view(np.int8))

    @functools.cached_property
    def known(self) -> npt.NDArray[np.float64]:
        """The relative slack as far as it is known: 0 inside its error, which is attained up to rounding.

        Infinite where the error is large beside both sides and says nothing, unless it is small beside the usual sides, for
        then both vanish.
        """
        undecided = self.verdicts == Verdict.UNDECIDED
        relative = self.relative
        if self.is_exact:  # whose slack is shown with fewer digits than it was decided with
            relative = np.where(self.verdicts == Verdict.HOLDS, np.maximum(relative, 0.0), relative)
        if not undecided.any():
            return relative
        if self.is_exact:
            attained = np.isfinite(self.gaps())
        else:
            finite = self.size[np.isfinite(self.size)]
            usual = float(np.median(finite)) if finite.size else 0.0
            with np.errstate(invalid="ignore"):
                attained = np.abs(self.slack) <= SUSPECT * np.maximum(self.size, usual)
        return np.where(undecided, np.where(attained, 0.0, np.inf), relative)

    def is_bounded_by_zero(self) -> bool:
        """Whether one side is zero at all instances, and the other one is not."""
        return bool(np.any(floats(self.left))) != bool(np.any(floats(self.right)))

    def gaps(self) -> npt.NDArray[np.float64]:
        """For every entry, the largest distance of the sides that balls leave open."""

        def gap(left: Any, right: Any) -> float:
            return midpoint((ball(left) - ball(right)).abs_upper())

        return np.asarray(np.frompyfunc(gap, 2, 1)(*self._sides()), dtype=np.float64)

    def undecided_gap(self) -> float:
        """Largest distance, relative to the size of the sides, that balls which were not decided leave open; 0 for floats."""
        open_ones = self.verdicts == Verdict.UNDECIDED if self.is_exact else None
        if open_ones is None or not open_ones.any():
            return 0.0
        gaps, sizes = self.gaps()[open_ones], np.broadcast_to(self.size, self.shape)[open_ones]
        known = (gap / size if size and gap < np.inf else np.inf for gap, size in zip(gaps, sizes, strict=True))
        return max(known, default=0.0)

    def is_number(self) -> npt.NDArray[np.bool_]:
        """For every instance, whether no side is NaN."""
        answer = np.ones(self.shape, dtype=bool)
        for side in (self.left, self.right):
            answer &= ~(_is_nan(side) if is_exact(side) else np.isnan(side))
        return np.asarray(answer.all(axis=self.last_axes))


def _broadcast(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    if left == right or not right:
        return left
    return np.broadcast_shapes(left, right) if left else right


def _is_nan(side: Array) -> npt.NDArray[np.bool_]:
    return np.asarray(np.frompyfunc(lambda entry: isinstance(entry, arb) and bool(entry.is_nan()), 1, 1)(side), dtype=bool)


def _quotient(left: Any, right: Any, size: Any) -> float:
    if isinstance(size, fmpq) and size == 0:
        return 0.0
    difference = right - left
    if isinstance(difference, fmpq) and isinstance(size, fmpq):
        ratio = difference / size
        return float(ratio.numerator) / float(ratio.denominator) if _is_small(ratio) else midpoint(ball(ratio))
    if difference == 0 if isinstance(difference, fmpq) else difference.is_zero():
        return 0.0
    if not ball(size).is_finite():
        return 0.0 if certain_order(left, right) == 0 else float(np.sign(midpoint(ball(difference))))
    ratio = ball(difference) / ball(size)
    # where both sides vanish in balls, their difference is inside its error
    return 0.0 if ratio.is_nan() and ball(difference).contains(0) else midpoint(ratio)


def _is_small(ratio: fmpq) -> bool:
    return max(int(ratio.numerator).bit_length(), int(ratio.denominator).bit_length()) < 1000


def _exact_size(left: Array, right: Array, beside: Array | None, shared: tuple[int, ...]) -> Array:
    sizes = maximum(absolute(left), absolute(right))
    if beside is not None:
        sizes = maximum(sizes, np.broadcast_to(absolute(beside), sizes.shape))
    if shared and sizes.size:
        nearest = floats(sizes)
        flat = sizes.reshape(*sizes.shape[: -len(shared)], -1)
        place = np.asarray(np.argmax(np.nan_to_num(nearest, posinf=np.inf).reshape(flat.shape), axis=-1), dtype=np.intp)
        chosen = np.take_along_axis(flat, place[..., None], axis=-1)
        sizes = np.broadcast_to(chosen.reshape(*chosen.shape[:-1], *(1,) * len(shared)), left.shape)
    return sizes


def _size(left: Array, right: Array, beside: Array | None, over: int) -> npt.NDArray[np.float64]:
    size = np.asarray(floats(maximum(absolute(left), absolute(right))))
    if beside is not None:
        size = np.maximum(size, np.abs(floats(beside)))
    if over and size.size:
        # the entries of one matrix share their rounding errors
        size = np.broadcast_to(size, _broadcast(left.shape, right.shape))
        size = size.max(axis=tuple(range(-over, 0)), keepdims=True)
    return size


@dataclass(frozen=True, eq=False)
class Relation:
    """One or several comparisons that must all hold, over a common batch of instances.

    Attributes
    ----------
    comparisons
        The parts; `&` joins two relations.

    Examples
    --------
    >>> relation = le([1, 2], [3, 2])
    >>> left, right, slack = relation.worst()
    >>> print(left, right, slack)
    2.0 2.0 0.0
    """

    comparisons: tuple[Comparison, ...]

    def __and__(self, other: Relation) -> Relation:
        if not isinstance(other, Relation):
            raise TypeError(
                f"& joins relations, got {type(other).__name__} beside one: write le(a, b) for a <= b, ge for >= and eq for =="
            )
        return Relation(self.comparisons + other.comparisons)

    __rand__ = __and__

    def __or__(self, other: object) -> Relation:
        raise TypeError(
            "relations are joined with & only: write `a or b` as one inequality, such as le(x, maximum(y, z)) for le(x, y) or "
            "le(x, z), or claim b under the hypothesis that a is false"
        )

    __ror__ = __or__

    def __bool__(self) -> bool:
        raise TypeError(
            "a relation holds for some instances and not for others: join two with &, not with `and`, and ask its `verdict`"
        )

    @property
    def names(self) -> tuple[str, ...]:
        """A name for every comparison: its own, or its place."""
        alone = len(self.comparisons) == 1
        return tuple(
            comparison.name or ("" if alone else f"#{place}") for place, comparison in enumerate(self.comparisons, start=1)
        )

    @functools.cached_property
    def batch_shape(self) -> tuple[int, ...]:
        """Shape of the batch of instances."""
        return functools.reduce(_broadcast, (comparison.batch_shape for comparison in self.comparisons), ())

    @functools.cached_property
    def relative_slack(self) -> npt.NDArray[np.float64]:
        """Smallest slack divided by the size of the sides, batch-shaped; negative where some part is violated."""
        if len(self.comparisons) == 1:
            return _reduced(self.comparisons[0])
        return np.asarray(self.relative_slacks().min(axis=0))

    @functools.cached_property
    def known_slack(self) -> npt.NDArray[np.float64]:
        """The smallest relative slack as far as it is known, batch-shaped (see `Comparison.known`)."""
        parts = (np.broadcast_to(_reduced(comparison, comparison.known), self.batch_shape) for comparison in self.comparisons)
        return functools.reduce(np.minimum, parts)

    def relative_slacks(self) -> npt.NDArray[np.float64]:
        """Relative slack of each part, shape ``(parts, *batch_shape)``."""
        return np.stack([np.broadcast_to(_reduced(comparison), self.batch_shape) for comparison in self.comparisons])

    @functools.cached_property
    def verdict(self) -> npt.NDArray[np.int8]:
        """`Verdict` of every instance: FAILS if a part fails, else UNDECIDED if a part is undecided, else HOLDS."""
        if len(self.comparisons) == 1 and not self.comparisons[0].over:
            return self.comparisons[0].verdicts
        worst = np.full(self.batch_shape, Verdict.HOLDS, dtype=np.int8)
        for comparison in self.comparisons:
            worst = np.minimum(worst, comparison.verdicts.min(axis=comparison.last_axes, initial=Verdict.HOLDS))
        return worst

    @functools.cached_property
    def tied(self) -> bool:
        """Whether all that is undecided in balls is a tie (see `TIE`), which raising the precision will not decide.

        Asked for at the precision of the evaluation, and kept: with fewer bits every gap is wide.
        """
        return all(comparison.undecided_gap() <= TIE for comparison in self.comparisons)

    @property
    def is_exact(self) -> bool:
        """Whether every part that compares something compares rationals or balls, and there is one."""
        return not self.is_empty and all(comparison.is_exact or 0 in comparison.shape for comparison in self.comparisons)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is compared at all: such a relation holds, and decides nothing."""
        return all(0 in comparison.shape for comparison in self.comparisons)

    def is_number(self) -> npt.NDArray[np.bool_]:
        """For every instance, whether no side is NaN."""
        answer = np.ones(self.batch_shape, dtype=bool)
        for comparison in self.comparisons:
            answer &= comparison.is_number()
        return answer

    def is_trivial(self, *, of_bounds: bool = True) -> npt.NDArray[np.bool_]:
        """For every instance, whether what is nearest to failing compares zero with zero.

        Without those `of_bounds`, a side that is zero at all instances is a bound: the other side attains it by being zero.
        """
        answer = np.zeros(self.batch_shape, dtype=bool)
        sharp = np.zeros(self.batch_shape, dtype=bool)
        for comparison in self.comparisons:
            tie = comparison.relative == 0
            zeros = tie & (comparison.size == 0) & (of_bounds or not comparison.is_bounded_by_zero())
            answer |= zeros.any(axis=comparison.last_axes)
            sharp |= (tie & ~zeros).any(axis=comparison.last_axes)
        return np.asarray(answer & ~sharp & (self.relative_slack == 0))

    def instance(self, place: int) -> Relation:
        """The relation of one instance of a batch with one axis, as of a batch of one."""
        return Relation(tuple(_of_instance(comparison, place) for comparison in self.comparisons))

    def with_noise(self, noise: Sequence[npt.NDArray[np.float64]]) -> Relation:
        """The relation whose comparisons have at least these errors."""
        return Relation(tuple(_with_noise(comparison, more) for comparison, more in zip(self.comparisons, noise, strict=True)))

    def worst(self) -> tuple[Any, Any, float]:
        """Both sides and the slack of the entry with the smallest relative slack; for a relation of one instance."""
        comparison, index = self.worst_place()
        left, right = np.broadcast_arrays(comparison.left, comparison.right)
        return left[index], right[index], float(comparison.slack[index])

    def worst_place(self) -> tuple[Comparison, tuple[Any, ...]]:
        """The entry with the smallest relative slack: its comparison, and its place there; for a relation of one instance."""
        parts = [comparison.relative for comparison in self.comparisons]
        part = int(np.argmin([np.min(values, initial=np.inf) for values in parts]))
        if parts[part].size == 0:
            raise ValueError("the relation has no entry to compare: its sides are empty")
        return self.comparisons[part], np.unravel_index(int(np.argmin(parts[part])), parts[part].shape)


def _of_instance(comparison: Comparison, place: int) -> Comparison:
    if comparison.batch_shape in ((), (1,)):  # the same for all
        return comparison

    def chosen(side: Array) -> Array:
        # a side that all instances share has no axis for them, or one of length 1
        return side if side.ndim < len(comparison.shape) or side.shape[0] == 1 else side[place : place + 1]

    beside = None if comparison.beside is None else chosen(comparison.beside)
    return replace(
        comparison, left=chosen(comparison.left), right=chosen(comparison.right), noise=chosen(comparison.noise), beside=beside
    )


def _with_noise(comparison: Comparison, noise: npt.NDArray[np.float64]) -> Comparison:
    shape = np.broadcast_shapes(comparison.shape, noise.shape)
    left, right = (np.broadcast_to(side, shape) for side in (comparison.left, comparison.right))
    return replace(comparison, left=left, right=right, noise=np.broadcast_to(np.maximum(comparison.noise, noise), shape))


def _reduced(comparison: Comparison, relative: npt.NDArray[np.float64] | None = None) -> npt.NDArray[np.float64]:
    relative = comparison.relative if relative is None else relative
    if not comparison.over:
        return relative
    # an empty family of comparisons holds
    initial = 1.0 if 0 in comparison.shape[len(comparison.shape) - comparison.over :] else np.inf
    return np.asarray(relative.min(axis=comparison.last_axes, initial=initial))


def _compare(sense: Sense, left: Any, right: Any, name: str, over: int) -> Relation:
    errors = [side.error for side in (left, right) if isinstance(side, Measured)]
    left, right = (side.value if isinstance(side, Measured) else side for side in (left, right))
    return compared_entries(sense, left, right, name, over, errors)


def compared_entries(
    sense: Sense, left: Any, right: Any, name: str, over: int, errors: Sequence[Any] = (), beside: Any = None
) -> Relation:
    """The relation of two sides with batch axes, and `over` axes at the end over which it must hold.

    Parameters
    ----------
    errors
        Bounds of the errors of the sides, beyond rounding.
    beside
        See `Comparison`.
    """
    if _are_float_arrays(left, right) and beside is None and not errors:
        return Relation((_of_floats(sense, left, right, name, integer("over", over, 0)),))
    left, right = _side(_beside(left, right)), _side(_beside(right, left))
    if not in_exact_evaluation() and is_exact(left) != is_exact(right):
        left, right = _integers_as_floats(left), _integers_as_floats(right)
    integers = left.dtype.kind in "biu" and right.dtype.kind in "biu"
    if is_exact(left) or is_exact(right) or (integers and in_exact_evaluation()):
        left, right = _exact_entries(left), _exact_entries(right)
    elif integers:  # whose differences would wrap around
        left, right = left.astype("float64"), right.astype("float64")
    shape = _broadcast(left.shape, right.shape)
    if integer("over", over, 0) > len(shape):
        raise ValueError(f"over must be at most the number of axes of the sides, got over={over} for sides of shape {shape}")
    if is_exact(left):
        # what is exact is decided without regard to rounding
        beside = None if beside is None else _exact_entries(_side(beside))
        error = np.broadcast_to(np.asarray(sum(errors, 0.0)), shape)
        if error.any():
            left = np.asarray(np.frompyfunc(_widened, 2, 1)(left, error), dtype=object)
        return Relation((Comparison(sense, left, right, error, over, name, beside),))
    beside = None if beside is None else np.asarray(_side(_beside(beside, left)))
    size = np.broadcast_to(_size(left, right, beside, over if sense == "eq" else 0), shape)
    compared = Comparison(sense, left, right, FLOAT_ULPS * 2.0**-52 * size + sum(errors), over, name, beside)
    compared.__dict__["size"] = size  # the cached property, which every verdict asks for
    return Relation((compared,))


def _are_float_arrays(left: Any, right: Any) -> bool:
    return type(left) is type(right) is np.ndarray and left.dtype.char == right.dtype.char == "d"


def _of_floats(sense: Sense, left: Array, right: Array, name: str, over: int) -> Comparison:
    """What most comparisons are, without looking at what else the sides may be."""
    shape = _broadcast(left.shape, right.shape)
    if over > len(shape):
        raise ValueError(f"over must be at most the number of axes of the sides, got over={over} for sides of shape {shape}")
    size = np.maximum(np.abs(left), np.abs(right))
    if over and sense == "eq" and size.size:
        # the entries of one matrix share their rounding errors
        size = np.broadcast_to(size.max(axis=tuple(range(-over, 0)), keepdims=True), shape)
    compared = Comparison(sense, left, right, FLOAT_ULPS * 2.0**-52 * size, over, name)
    compared.__dict__.update(size=size, shape=shape)  # the cached properties, which every verdict asks for
    return compared


def _beside(side: Any, other: Any) -> Any:
    """A constant in the arithmetic of the other side."""
    if not isinstance(side, Fraction):
        return side
    exact = in_exact_evaluation() or is_exact(other) or isinstance(other, fmpq | arb)
    return rational(side) if exact else float(side)


def _side(side: Any) -> Array:
    if isinstance(side, np.ma.MaskedArray):
        raise TypeError("a side must not be a masked array, whose masked entries would be taken for numbers: write numpy.where")
    if is_exact(side):
        return np.asarray(side, dtype=object)
    array = np.asarray(_host(side))
    if array.dtype.kind == "O":
        # a bare rational or ball, which NumPy returns where no axes are left
        return array
    if array.dtype.kind not in "iufb":
        raise TypeError(f"a side must hold real numbers, got {side!r}")
    return array


def _integers_as_floats(side: Array) -> Array:
    """A side beside one of floats; integers of Python, which may be too long for NumPy's, make an array of objects."""
    if is_exact(side) and all(isinstance(entry, int) for entry in side.flat):
        return side.astype("float64")
    return side


def _exact_entries(side: Array) -> Array:
    """A side beside an exact one: integers, such as sums over empty axes, become rationals.

    Raises
    ------
    FloatOnExactSide
        The side holds floats, so that the relation would be no more exact than they are.
    """
    if side.dtype.kind == "f":
        raise FloatOnExactSide(f"one side is exact and the other holds floats: {WRITE_EXACTLY}")
    return np.asarray(np.frompyfunc(_exact_entry, 1, 1)(side), dtype=object)


def _exact_entry(entry: Any) -> Any:
    if isinstance(entry, arb):
        return ball(entry)
    if isinstance(entry, float | np.floating):
        raise FloatOnExactSide(
            f"a side is an array of objects with the float {entry!r}: write 0 for 0.0 in numpy.where and its like; and "
            "Fraction * array makes one, Q('1/3') * array does not"
        )
    return rational(entry)


def _widened(entry: Any, error: float) -> Any:
    """All that an exact value may be that is known to an error only, which was computed in floats."""
    return ball(entry) + ball(arb(0, (1 + FLOAT_ULPS * 2.0**-52) * error)) if error else entry


def _host(side: Any) -> Any:
    return side.get() if type(side).__module__.split(".")[0] == "cupy" else side


def le(left: Any, right: Any, *, name: str = "", over: int = 0) -> Relation:
    """The relation ``left <= right`` (arrays of one batch shape, floats or exact, or `Measured`).

    Parameters
    ----------
    name
        What reports and tight examples call this comparison, where it is joined with others.
    over
        Number of last axes (neurons, layers, entries) over which the relation must hold everywhere.
    """
    return _compare("le", left, right, name, over)


def ge(left: Any, right: Any, *, name: str = "", over: int = 0) -> Relation:
    """The relation ``left >= right``; see `le`."""
    return _compare("ge", left, right, name, over)


def eq(left: Any, right: Any, *, name: str = "", over: int = 0) -> Relation:
    """The relation ``left = right``; see `le`. In float64 it can fail or be undecided, never hold."""
    return _compare("eq", left, right, name, over)
