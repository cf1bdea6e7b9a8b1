"""What checking gave, as a value for people: short text, HTML for notebooks, sentences, pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from verify.checker.checking import Outcome
from verify.checker.record import record_of
from verify.checker.search import Pool
from verify.domain import Sample
from verify.relation import Comparison, Relation
from verify.report import console, words
from verify.representation import card, said_by
from verify.variables import call_with

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
    """

    sample: Sample
    variables: Mapping[str, Any]
    relation: Relation

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
        """The slack over the size of the sides; negative where the statement fails."""
        return float(np.min(self.relation.relative_slack))

    @property
    def comparison(self) -> Comparison:
        """The comparison that is nearest to failing."""
        slacks = self.relation.relative_slacks()
        return self.relation.comparisons[int(np.argmin(slacks.reshape(len(slacks), -1).min(axis=1)))]

    def __repr__(self) -> str:
        numbers = words.instance(self.sample.sizes, self.sample.coordinates)
        return f"{numbers}\n\n{words.sides(self.relation)}"

    def _repr_html_(self) -> str:
        rows = {**self.sample.sizes, **self.sample.coordinates}
        sides = f"{words.number(self.left)} {SIGNS[self.comparison.sense]} {words.number(self.right)}"
        return card("", rows | {"sides": sides, "relative slack": f"{self.relative_slack:.3g}"})


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """What `verify.check` and `verify.attack` return.

    Attributes
    ----------
    found
        All that was found, part by part.
    pool
        The instances that were drawn.
    budget, seed
        How hard it was tried.
    of_a_claim
        Whether it was a claim, or a statement alone.
    """

    found: Outcome
    pool: Pool
    budget: str
    seed: int
    of_a_claim: bool

    @property
    def outcome(self) -> str:
        """``"holds"``, ``"unrefuted"``, ``"refuted"`` or ``"undecided"``."""
        return self.found.outcome

    @property
    def problems(self) -> list[str]:
        """What is not as expected, in words; of a statement alone, why it is undecided."""
        return self.found.problems() if self.of_a_claim else list(self.found.searched.problems)

    @property
    def as_expected(self) -> bool:
        """Whether there is no problem and, for a statement alone, no refutation."""
        return not self.problems and (self.of_a_claim or self.outcome == "unrefuted")

    @property
    def relative_slack(self) -> float:
        """The smallest that was met."""
        return self.found.searched.relative_slack

    @cached_property
    def witness(self) -> Instance | None:
        """The smallest instance on rationals that refutes the statement; None if none was found."""
        refutation = self.found.searched.refutation
        if refutation is None:
            return None
        variables = self.found.claim.domain.build(refutation.sample)
        return Instance(refutation.sample, variables, refutation.relation)

    @cached_property
    def worst(self) -> Instance | None:
        """The instance nearest to failing, in floats; None if none could be evaluated."""
        claim, sample = self.found.claim, self.found.searched.worst
        if sample is None:
            return None
        one = Sample(sample.sizes, {name: np.asarray(values)[None] for name, values in sample.coordinates.items()})
        with np.errstate(all="ignore"):
            variables = claim.domain.build(one)
            relation = call_with(claim.statement, variables)
        return Instance(sample, variables, relation)

    def slacks(self) -> npt.NDArray[np.float64]:
        """Relative slack of every valid instance that was drawn, in floats; shape ``(instances,)``."""
        found = []
        for name in ("structured", "batched"):
            for batch in self.pool.tier(name):
                with np.errstate(all="ignore"):
                    relation = call_with(self.found.claim.statement, batch.variables)
                kept = np.broadcast_to(relation.relative_slack, (len(batch.places),))[batch.chosen(None)]
                found.append(kept[np.isfinite(kept)])
        return np.concatenate(found) if found else np.empty(0)

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
            return f"{record.title}: {self.in_words()}" if shown is None else f"{self._headline()}\n\n{shown!r}"
        text = console.table([record]).fitted(None).plain
        if not record.as_expected:
            return (text + console.problems([record], self.budget, self.seed, "").plain).rstrip()
        if self.witness is not None:
            text += f"\nrefuted at\n\n{words.indented(repr(self.witness))}"
        return text.rstrip()

    def _headline(self) -> str:
        searched = self.found.searched
        return (
            f"{self._title()}: {self.outcome} ({searched.valid} instances, {searched.evaluations} evaluations, "
            f"{searched.decided} decided on rationals; smallest relative slack {words.slack(self.relative_slack)})"
        )

    def _repr_html_(self) -> str:
        claim, searched = self.found.claim, self.found.searched
        function = words.unwrapped(claim.statement)
        refuted = sum(one.refuted for one in self.found.false_neighbours.values())
        neighbours = f"{refuted} of {len(self.found.false_neighbours)} refuted"
        rows = {
            "outcome": self.outcome,
            "instances": f"{searched.drawn} drawn, {searched.valid} valid, {searched.decided} decided on rationals",
            "smallest relative slack": words.slack(self.relative_slack),
            "false neighbours": neighbours if self.found.false_neighbours else None,
            "problems": "; ".join(self.problems) or None,
        }
        said = said_by(function.__module__) if self.of_a_claim else words.docstring(claim.statement)
        shown = self.witness or self.worst
        instance = "" if shown is None else shown._repr_html_()
        where = "the smallest witness" if self.witness is not None else "the worst instance"
        return card(claim.title, rows, said) + (f"<div>{where}:</div>{instance}" if instance else "")

    def in_words(self) -> str:
        """What was found, in sentences."""
        return " ".join(self._sentences())

    def _sentences(self) -> list[str]:
        searched, claim = self.found.searched, self.found.claim
        said = [f"{self._title()}: {claim.title}." if self.of_a_claim else f"{self._title()}."]
        if self.witness is not None:
            lines = words.instance(self.witness.sample.sizes, self.witness.sample.coordinates)
            # the rows of a matrix go on in lines of their own
            numbers = re.sub(r"\n +", " ", lines).replace("\n", "; ")
            said.append(
                f"It is false: at {numbers} it says {words.number(self.witness.left)} "
                f"{SIGNS[self.witness.comparison.sense]} {words.number(self.witness.right)}, which rationals decide."
            )
            if self.of_a_claim and claim.expected == "refuted":
                said.append("That is expected: it is known to be false as it is printed.")
        elif self.outcome == "refuted":
            said.append(f"It is refuted by an exact part: {'; '.join(self.problems)}.")
        elif self.outcome == "undecided":
            said.append(f"It is neither refuted nor does it hold: {'; '.join(self.problems)}.")
        else:
            said.append(
                f"Nothing refutes it: of {searched.valid} valid instances ({searched.drawn} drawn) floats decide "
                f"{searched.in_floats} and rationals {searched.decided}, and {searched.undecided} are left open."
            )
            if abs(self.relative_slack) <= ATTAINED:
                said.append(
                    f"The smallest relative slack, {words.slack(self.relative_slack)}, is rounding: the bound is attained."
                )
            else:
                smallest = words.slack(self.relative_slack)
                said.append(f"The bound is not attained on what was tried: the smallest relative slack is {smallest}.")
            if self.found.tier != "argued":
                said.append("This is a search, not a proof.")
        if self.found.false_neighbours:
            left = [repr(name) for name, one in self.found.false_neighbours.items() if not one.refuted]
            total = len(self.found.false_neighbours)
            said.append(
                f"Not refuted, though they should be: {', '.join(left)}."
                if left
                else f"The same search refutes all {total} false statements beside it, so that it can tell."
            )
        if self.of_a_claim and self.problems and self.outcome != "undecided":
            said.append(f"Not as expected: {'; '.join(self.problems)}.")
        return said
