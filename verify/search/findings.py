"""What a search found: counts, the instance nearest to failing, and the refutation if there is one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from verify.claims.domain import Sample
from verify.numbers.arithmetic import Array
from verify.numbers.relation import SUSPECT, Relation, Verdict
from verify.search.batch import Candidate
from verify.search.decide import Refutation

SLACK_EDGES = 10.0 ** np.arange(-15, 1)
"""Where one class of relative slacks ends and the next begins."""
CLASSES = 2 + len(SLACK_EDGES) + 1
"""Those that fail in floats, those that floats leave open, and the others by powers of ten."""


def slack_classes(slack: Array, verdict: Array) -> npt.NDArray[np.intp]:
    """How many instances fail in floats, how many are open there, and how many hold, by the power of ten of the slack."""
    holds = 2 + np.digitize(slack, SLACK_EDGES)
    classes = np.where(verdict == Verdict.HOLDS, holds, np.where(verdict == Verdict.FAILS, 0, 1))
    return np.bincount(classes, minlength=CLASSES)


WITHOUT_EXACT = 4
"""Instances of a combination of sizes that have no exact evaluation, after which no other one of these sizes is decided."""

SUMMED = (
    *(
        "evaluations",
        "feasible",
        "in_floats",
        "exactly",
        "not_a_number",
        "not_a_number_of",
        "nowhere",
        "settled",
        "unconfirmed",
    ),
    *("unexamined", "without_exact", "unknown_domain", "unknown_inside", "slacks"),
)
"""What two searches found together is the sum of what each found."""


def sizes_of(sample: Sample) -> tuple[int, ...]:
    """The sizes of an instance, in the order of the domain."""
    return tuple(sample.sizes.values())


@dataclass
class Findings:
    """What a search found.

    Attributes
    ----------
    refutation
        An instance on rationals at which the statement certainly fails, or None.
    by
        The phase that found it; "exact" where floats do not decide it.
    evaluations, feasible
        Instances evaluated, and how many drawn instances satisfied the hypotheses.
    in_floats
        Feasible drawn instances that floats decide beyond their error.
    exactly
        How many instances were decided on rationals, by verdict.
    not_a_number, not_a_number_of
        Feasible drawn instances at which a side is NaN in floats; the same by combination of sizes.
    nowhere
        Instances at which a side is no number in exact arithmetic either.
    met
        The smallest relative slack that is known, as far as it is (see `Relation.known_slack`), the slack in floats, and the
        instance; of those that compare more than zero with zero.
    vanishing
        An instance at which what is nearest to failing compares zero with zero: it tells nothing of a constant.
    failing
        The smallest relative slack of what fails in floats beyond its error, and the instance.
    unconfirmed
        Candidates that fail in floats and that rationals neither confirm nor refute.
    unexamined
        How many instances fail in floats and were not decided on rationals, because there are too many.
    settled
        Instances that rationals decided, with their relations: what floats say there is compared with them.
    without_exact
        For each combination of sizes, how many instances turned out to have no exact evaluation.
    unknown_domain, unknown_inside
        Instances of which rationals do not decide a hypothesis, or a comparison inside the statement.
    names, bounds
        Names of the comparisons, and of the inequalities among them.
    all_equalities
        Whether the statement consists of equalities only.
    slacks
        How many feasible drawn instances have which relative slack, in the classes of `slack_classes`.
    exhausted
        Combinations of sizes of which all instances were evaluated in floats, and how many these are.
    """

    refutation: Refutation | None = None
    by: str | None = None
    evaluations: int = 0
    feasible: int = 0
    in_floats: int = 0
    exactly: Counter[int] = field(default_factory=Counter)
    not_a_number: int = 0
    not_a_number_of: Counter[tuple[int, ...]] = field(default_factory=Counter)
    nowhere: list[Sample] = field(default_factory=list)
    settled: list[tuple[Sample, Relation]] = field(default_factory=list)
    met: tuple[float, float, Sample | None] = (np.inf, np.inf, None)
    vanishing: Sample | None = None
    failing: tuple[float, Sample | None] = (np.inf, None)
    unconfirmed: list[Candidate] = field(default_factory=list)
    unexamined: int = 0
    without_exact: Counter[tuple[int, ...]] = field(default_factory=Counter)
    unknown_domain: int = 0
    unknown_inside: int = 0
    names: set[str] = field(default_factory=set)
    bounds: set[str] = field(default_factory=set)
    all_equalities: bool = False
    slacks: npt.NDArray[np.intp] = field(default_factory=lambda: np.zeros(CLASSES, dtype=np.intp))
    exhausted: dict[tuple[int, ...], int] = field(default_factory=dict)

    @property
    def relative_slack(self) -> float:
        """The smallest that was met: of a failure in floats that is not explained, else as far as it is known."""
        if self._unexplained:
            return self.failing[0]
        return 0.0 if self.attained_by_zeros_only else self.met[0]

    @property
    def worst(self) -> Sample | None:
        """The instance at which it was met."""
        if self._unexplained:
            return self.failing[1]
        return self.vanishing if self.attained_by_zeros_only else self.met[2]

    @property
    def attained_by_zeros_only(self) -> bool:
        """Whether it was attained where zero is compared with zero, and nowhere else, and nothing seems to fail."""
        return self.vanishing is not None and self.met[0] > 0 and not self._unexplained

    @property
    def _unexplained(self) -> bool:
        return self.failing[1] is not None and bool(self.unconfirmed or self.unexamined > 0 or self.refutation is not None)

    def meet(self, known: float, slack: float, sample: Sample, *, vanishes: bool = False) -> None:
        """Note an instance that holds or is open, if it is the nearest to failing so far."""
        if vanishes:
            self.vanishing = self.vanishing or sample
        elif (known, slack < -SUSPECT, slack) < (self.met[0], self.met[1] < -SUSPECT, self.met[1]):
            self.met = known, slack, sample

    def meet_failing(self, slack: float, sample: Sample) -> None:
        """Note an instance that fails in floats, if it fails by more than those before."""
        if slack < self.failing[0]:
            self.failing = slack, sample

    def refuted(self, refutation: Refutation, by: str) -> None:
        """Note a refutation: what floats leave open beside it matters no more."""
        self.refutation, self.by = refutation, by
        # an example that is given is feasible, too, and was not drawn
        self.feasible = max(self.feasible, 1)
        self.unconfirmed.clear()
        self.unexamined = 0

    def join(self, other: Findings) -> None:
        """Take over what a search among other instances found."""
        for name in SUMMED:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.names |= other.names
        self.bounds |= other.bounds
        self.exhausted |= other.exhausted
        if other.failing[1] is not None:
            self.meet_failing(other.failing[0], other.failing[1])
        known, slack, sample = other.met
        if sample is not None:
            self.meet(known, slack, sample)
        self.vanishing = self.vanishing or other.vanishing
        if other.refutation is not None:
            self.refuted(other.refutation, other.by or "")

    @property
    def lost(self) -> int:
        """Feasible drawn instances at which a side is NaN in floats, of sizes without an exact evaluation."""
        return sum(count for sizes, count in self.not_a_number_of.items() if self.without_exact[sizes])

    def has_floats_only(self, sample: Sample) -> bool:
        """Whether enough instances of these sizes showed that there is no exact evaluation; of other sizes there may be one."""
        return self.without_exact[sizes_of(sample)] >= WITHOUT_EXACT
