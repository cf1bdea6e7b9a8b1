"""What checking gave, as a value for people: short text, HTML for notebooks, sentences, pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from verify.checker.checking import Outcome
from verify.checker.record import record_of
from verify.claims.domain import Sample
from verify.claims.shown import derived_values
from verify.notation.representation import card, said_by
from verify.numbers.relation import Comparison, Relation
from verify.report import console, words
from verify.search import SampleCache
from verify.search.batch import judged, judged_alone

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIGNS: Mapping[str, str] = {"le": "≤", "ge": "≥", "eq": "="}
ATTAINED = 1e-9
"""A relative slack that a bound which is attained reaches by a search in floats."""


@dataclass(frozen=True, eq=False, repr=False)
class Instance:
    """One instance, and the statement evaluated there.

    Attributes
    ----------
    sample
        Sizes and coordinates: rationals where the statement is refuted, else floats.
    variables
        What the statement takes, by name.
    relation
        What it said.
    derived
        The parts of those variables that are derived from others, by the names that are printed.
    attained
        Whether the search knows that the slack is inside its error, as where both sides vanish; one instance need not show it.
    """

    sample: Sample
    variables: Mapping[str, Any]
    relation: Relation
    derived: Mapping[str, Any] = field(default_factory=dict)
    attained: bool = False

    def in_words(self) -> str:
        """The sizes, the free parameters, and the variables that are derived from them."""
        return words.instance(self.sample.sizes, {**self.sample.coordinates, **self.derived})

    @property
    def left(self) -> Any:
        """The left side of what is nearest to failing."""
        return self.relation.worst()[0]

    @property
    def right(self) -> Any:
        """The right side of what is nearest to failing."""
        return self.relation.worst()[1]

    @property
    def relative_slack(self) -> float:
        """The slack over the size of the sides; negative where the statement fails, 0 inside its error."""
        return 0.0 if self.attained else float(np.min(self.relation.known_slack))

    @property
    def comparison(self) -> Comparison:
        """The comparison that is nearest to failing."""
        slacks = self.relation.relative_slacks()
        return self.relation.comparisons[int(np.argmin(slacks.reshape(len(slacks), -1).min(axis=1)))]

    def __repr__(self) -> str:
        return f"{self.in_words()}\n\n{words.sides(self.relation)}"

    def _repr_html_(self) -> str:
        rows = {**self.sample.sizes, **self.sample.coordinates, **self.derived}
        sides = f"{words.number(self.left)} {SIGNS[self.comparison.sense]} {words.number(self.right)}"
        return card("", rows | {"sides": sides, "relative slack": f"{self.relative_slack:.3g}"})


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """What `verify.check` and `verify.attack` return.

    Attributes
    ----------
    found
        All that was found, part by part.
    cache
        The instances that were drawn.
    budget, seed
        How hard it was tried.
    of_a_claim
        Whether it was a claim, or a statement alone.

    Examples
    --------
    >>> result = attack(lambda x: ge(x**2, x), {"x": reals()})
    >>> result.outcome, result.as_expected
    ('refuted', False)
    >>> print(result.witness.left, result.witness.right)
    1/4 1/2
    """

    found: Outcome
    cache: SampleCache
    budget: str
    seed: int
    of_a_claim: bool

    @property
    def outcome(self) -> str:
        """``"survived"``, ``"refuted"`` or ``"undecided"``."""
        return self.found.outcome

    @property
    def problems(self) -> list[str]:
        """What is not as expected, in words; of a statement alone, why it is undecided."""
        return self.found.problems() if self.of_a_claim else list(self.found.searched.problems)

    @property
    def remarks(self) -> list[str]:
        """What a claim lacks, though nothing is wrong; a statement alone need not have it."""
        return self.found.remarks() if self.of_a_claim else []

    @property
    def as_expected(self) -> bool:
        """Whether there is no problem and, for a statement alone, no refutation."""
        return not self.problems and (self.of_a_claim or self.outcome == "survived")

    @property
    def relative_slack(self) -> float:
        """The smallest that was met; 0 where it is inside its error: attained, up to rounding."""
        return self.found.searched.relative_slack

    @cached_property
    def witness(self) -> Instance | None:
        """The smallest instance on rationals that refutes the statement; None if none was found."""
        refutation = self.found.searched.refutation
        if refutation is None:
            return None
        return self._instance(refutation.sample, refutation.relation)

    @cached_property
    def worst(self) -> Instance | None:
        """The instance nearest to failing, in floats; None if none could be evaluated."""
        claim, sample = self.found.claim, self.found.searched.worst
        relation = None if sample is None else judged_alone(claim.statement, claim.domain, sample)
        if sample is None or relation is None:
            return None
        return self._instance(sample, relation, attained=self.relative_slack == 0)

    def _instance(self, sample: Sample, relation: Relation, *, attained: bool = False) -> Instance:
        domain = self.found.claim.domain
        return Instance(sample, domain.instance(sample), relation, derived_values(domain, sample), attained)

    def slacks(self) -> npt.NDArray[np.float64]:
        """Relative slack of every feasible instance that was drawn, in floats, 0 inside its error; shape ``(instances,)``."""
        claim, slacks = self.found.claim, []
        for name in ("structured", "batched", "all"):
            for batch in self.cache.phase(name):
                evaluated = judged(claim.statement, claim.domain, batch, batch.chosen(None), np.random.default_rng(0))
                if evaluated is not None:
                    known_slack = evaluated[0].known_slack
                    slacks.append(known_slack[np.isfinite(known_slack)])
        return np.concatenate(slacks) if slacks else np.empty(0)

    def plot_slack(self, ax: Axes | None = None) -> Axes:
        """A histogram of `slacks`; see `verify.report.figures.slack_histogram`."""
        from verify.report.figures import slack_histogram

        return slack_histogram(self.slacks(), self.relative_slack, title=self._title(), ax=ax)

    def plot_worst(self) -> Figure:
        """A picture of the witness, or of the worst instance: its coordinates and both sides.

        Raises
        ------
        ValueError
            There is none: no instance could be evaluated.
        """
        from verify.report.figures import picture

        shown = self.witness or self.worst
        if shown is None:
            raise ValueError(f"there is no instance to draw, for none could be evaluated: {'; '.join(self.problems)}")
        return picture(shown.sample, shown.comparison, shown.relative_slack, title=self._title())

    def _title(self) -> str:
        return self.found.claim.id if self.of_a_claim else self.found.claim.title

    def __repr__(self) -> str:
        record = record_of(self.found)
        if not self.of_a_claim:
            shown = self.witness or self.worst
            if shown is None:
                return f"{record.title}: {self.in_words()}"
            label = "" if self.witness is not None else "nearest to failing:\n"
            return f"{self._headline()}\n\n{label}{shown!r}"
        text = console.table([record]).fitted(None).plain
        if not record.as_expected:
            return (text + console.problems([record], self.budget, self.seed, "").plain).rstrip()
        if self.witness is not None:
            text += f"\nrefuted at\n\n{words.indented(repr(self.witness))}"
        return text.rstrip()

    def _headline(self) -> str:
        searched = self.found.searched
        return (
            f"{self._title()}: {self.outcome} ({searched.feasible} instances, {searched.evaluations} evaluations, "
            f"{self._decided} decided on rationals; smallest relative slack {self._smallest_slack()}"
            f"{f'; {words.exhausted(searched.exhausted)}' if searched.exhausted else ''})"
        )

    def _smallest_slack(self) -> str:
        """Of a false statement that of the witness, which is shown beside it."""
        if self.witness is not None:
            return words.slack(self.witness.relative_slack)
        if self.found.searched.beside_zeros > self.relative_slack:
            return f"0 (where both sides are 0{self._beside_zeros()})"
        return words.smallest_slack(self.relative_slack)

    def _beside_zeros(self) -> str:
        beside = self.found.searched.beside_zeros
        return f"; elsewhere the smallest is {words.slack(beside)}" if np.isfinite(beside) else ", and nowhere else"

    @property
    def _decided(self) -> int:
        """Instances that rationals decided: a witness is one."""
        return max(self.found.searched.decided, int(self.found.searched.refutation is not None))

    def _repr_html_(self) -> str:
        claim, searched = self.found.claim, self.found.searched
        function = words.unwrapped(claim.statement)
        refuted = sum(variant.refuted for variant in self.found.false_variants.values())
        variants = f"{refuted} of {len(self.found.false_variants)} refuted"
        rows = {
            "outcome": self.outcome,
            "instances": f"{searched.drawn} drawn, {searched.feasible} feasible, {self._decided} decided on rationals",
            "exhausted": words.exhausted(searched.exhausted) or None,
            "smallest relative slack": self._smallest_slack(),
            "false variants": variants if self.found.false_variants else None,
            "problems": "; ".join(self.problems) or None,
        }
        description = said_by(function.__module__) if self.of_a_claim else words.docstring(claim.statement)
        shown = self.witness or self.worst
        instance = "" if shown is None else shown._repr_html_()
        where = "the smallest witness" if self.witness is not None else "the worst instance"
        return card(claim.title, rows, description) + (f"<div>{where}:</div>{instance}" if instance else "")

    def in_words(self) -> str:
        """What was found, in sentences."""
        return " ".join(self._sentences())

    def _sentences(self) -> list[str]:
        searched, claim = self.found.searched, self.found.claim
        sentences = [f"{self._title()}: {claim.title}."] if self.of_a_claim else []
        if self.witness is not None:
            lines = self.witness.in_words()
            # the rows of a matrix go on in lines of their own
            numbers = re.sub(r"\n +", " ", lines).replace("\n", "; ")
            sentences.append(
                f"It is false: at {numbers} it says {words.number(self.witness.left)} "
                f"{SIGNS[self.witness.comparison.sense]} {words.number(self.witness.right)}, which rationals decide."
            )
            if self.of_a_claim and claim.expected == "refuted":
                sentences.append("That is expected: it is known to be false as it is printed.")
        elif self.outcome == "refuted":
            sentences.append(f"It is refuted by an exact part: {'; '.join(self.problems)}.")
        elif self.outcome == "undecided":
            sentences.append(f"It is undecided: {'; '.join(self.problems)}.")
        else:
            sentences.append(
                f"{searched.drawn} instances were drawn, and {searched.feasible} of them "
                f"{'is' if searched.feasible == 1 else 'are'} feasible. "
                f"Floats decided {searched.in_floats}, rationals {searched.decided}, and none refutes it."
            )
            if searched.undecided:
                sentences.append(f"At {searched.undecided} floats cannot tell the two sides apart; these are undecided.")
            if searched.exhausted:
                sentences.append(f"Among them are {words.exhausted(searched.exhausted)}.")
            smallest = words.slack(self.relative_slack)
            if self.found.searched.beside_zeros > self.relative_slack:
                sentences.append(
                    f"The bound is attained where both sides are 0, which tells nothing of a constant{self._beside_zeros()}."
                )
            elif self.relative_slack == 0:
                sentences.append("The bound is attained, up to rounding.")
            elif not np.isfinite(self.relative_slack):
                sentences.append("No instance tells how near the bound is to being attained.")
            elif self.relative_slack <= ATTAINED:
                sentences.append(f"The bound is attained, or nearly: the smallest relative slack is {smallest}.")
            else:
                sentences.append(f"The bound is not attained on what was tried: the smallest relative slack is {smallest}.")
            if self.found.evidence != "argued":
                sentences.append("This is a search, not a proof.")
        if self.found.false_variants:
            survivors = [repr(name) for name, variant in self.found.false_variants.items() if not variant.refuted]
            total = len(self.found.false_variants)
            every = "its false variant" if total == 1 else f"all {total} false variants"
            sentences.append(
                f"Not refuted, though they should be: {', '.join(survivors)}."
                if survivors
                else f"The same search refutes {every}, so the check can fail."
            )
        if self.of_a_claim and self.problems and self.outcome != "undecided":
            sentences.append(f"Not as expected: {'; '.join(self.problems)}.")
        if self.remarks:
            sentences.append(f"Missing: {'; '.join(self.remarks)}.")
        return sentences
