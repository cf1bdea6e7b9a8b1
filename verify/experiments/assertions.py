"""What a figure shows, as assertions on medians over seeds, each with variants that the same numbers must refute.

The uncertainty of a median is an order-statistic interval: of n independent values the median of their law lies between the
(j+1)-th smallest and the (j+1)-th largest with probability ``1 - 2 P(B <= j)``, B binomial of n and 1/2, whatever the law. The
narrowest one of at least `CONFIDENCE` is taken, else all values with the confidence that they give: 94 % for five seeds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from verify.experiments.table import Table

Measure: TypeAlias = Callable[[Table], Mapping[str, Sequence[float] | npt.NDArray[np.float64]]]
"""What is asserted of: for each case (a depth, a layer, ...) one number for each seed."""
CONFIDENCE = 0.9
FEWEST = 3
"""Seeds that an assertion needs: it is never about one run."""


@dataclass(frozen=True)
class Within:
    """That the medians of a measure lie between two numbers, in every case."""

    measure: Measure
    low: float = -math.inf
    high: float = math.inf

    def __post_init__(self) -> None:
        if not self.low <= self.high or (math.isinf(self.low) and math.isinf(self.high)):
            raise ValueError(f"low and high must be in order, and one of them finite, got {self.low} and {self.high}")


@dataclass(frozen=True)
class Assertion:
    """What a figure shows.

    Attributes
    ----------
    name
        A sentence.
    true
        It holds if the median over the seeds lies between the two numbers, in every case.
    false
        Variants by name, at least one. The same numbers refute one where the whole interval of a median lies outside.
    scales
        The scales at which it can be expected: not at all in seconds, for some.
    """

    name: str
    true: Within
    false: Mapping[str, Within]
    scales: Sequence[str] = ("smoke", "laptop", "paper")

    def __post_init__(self) -> None:
        if not self.false:
            raise ValueError(f"{self.name!r} needs a false variant: numbers that agree with everything show nothing")


@dataclass(frozen=True)
class Interval:
    """A median over seeds: it lies between `low` and `high` with this confidence.

    Attributes
    ----------
    seeds
        How many values there are.
    """

    median: float
    low: float
    high: float
    confidence: float
    seeds: int

    def inside(self, bounds: Within) -> bool:
        """Whether the median lies within the bounds."""
        return bounds.low <= self.median <= bounds.high

    def wholly_inside(self, bounds: Within) -> bool:
        """Whether the interval does."""
        return bounds.low <= self.low and self.high <= bounds.high

    def outside(self, bounds: Within) -> bool:
        """Whether the interval lies outside of them."""
        return self.seeds >= FEWEST and (self.high < bounds.low or self.low > bounds.high)


def median_interval(values: Sequence[float] | npt.NDArray[np.float64]) -> Interval:
    """The median of the values, one for each seed, with its interval (see above).

    Raises
    ------
    ValueError
        There are none, or one is not finite.

    Examples
    --------
    The interval of five seeds, with the confidence :math:`1 - 2/2^5`:

    >>> interval = median_interval([5, 1, 4, 2, 3])
    >>> print(interval.median, interval.low, interval.high, interval.confidence)
    3.0 1.0 5.0 0.9375
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64).ravel())
    count = len(ordered)
    if not count or not np.isfinite(ordered).all():
        raise ValueError(f"values must be finite numbers, one for each seed, got {values!r}")
    left_out, confidence = 0, 1 - 2.0 ** (1 - count)
    while True:
        wider = 1 - 2 * sum(math.comb(count, k) for k in range(left_out + 2)) / 2**count
        if wider < CONFIDENCE:
            break
        left_out, confidence = left_out + 1, wider
    return Interval(
        float(np.median(ordered)), float(ordered[left_out]), float(ordered[count - 1 - left_out]), confidence, count
    )


@dataclass(frozen=True)
class Judged:
    """What became of an assertion.

    Attributes
    ----------
    cases
        The median of each case.
    refuted
        For each false variant the case that refutes it, with its median; None if none does.
    problem
        Why nothing could be measured; empty if all could.
    """

    assertion: Assertion
    cases: Mapping[str, Interval]
    refuted: Mapping[str, tuple[str, Interval] | None] = field(default_factory=dict)
    problem: str = ""

    @property
    def holds(self) -> bool:
        """Whether every median lies within the bounds."""
        return not self.problem and all(case.inside(self.assertion.true) for case in self.cases.values())

    @property
    def certain(self) -> bool:
        """Whether every interval does, too."""
        return self.holds and all(case.wholly_inside(self.assertion.true) for case in self.cases.values())

    @property
    def as_asserted(self) -> bool:
        """Whether it holds, and every false variant is refuted."""
        return self.holds and all(case is not None for case in self.refuted.values())


def judge(assertion: Assertion, table: Table) -> Judged:
    """Judge an assertion by the numbers of a table.

    Examples
    --------
    >>> table = Table([{"seed": seed, "depth": 8, "rank": 2} for seed in range(5)])
    >>> def ranks(table):
    ...     return table.each("depth", "rank")
    >>> judged = judge(Assertion("The rank is 2.", Within(ranks, 1.5, 2.5), {"full rank": Within(ranks, 4.5)}), table)
    >>> print(judged.cases["depth 8"].median, judged.holds, judged.as_asserted)
    2.0 True True
    """
    cases, problem = _cases(assertion.true, table)
    refuted: dict[str, tuple[str, Interval] | None] = {}
    for name, variant in assertion.false.items():
        variant_cases = cases if variant.measure is assertion.true.measure else _cases(variant, table)[0]
        refuted[name] = next(((case, interval) for case, interval in variant_cases.items() if interval.outside(variant)), None)
    return Judged(assertion, cases, refuted, problem)


def _cases(within: Within, table: Table) -> tuple[dict[str, Interval], str]:
    measured = {case: np.asarray(values, dtype=np.float64) for case, values in within.measure(table).items()}
    cases = {case: median_interval(values) for case, values in measured.items() if values.size}
    if not cases:
        return {}, "there is nothing to measure"
    few = [f"{case} ({median.seeds})" for case, median in cases.items() if median.seeds < FEWEST]
    return cases, f"fewer than {FEWEST} seeds: {', '.join(few)}" if few else ""
