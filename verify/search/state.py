"""A search under way: what it is of, what it has found, and what one phase leaves for the next."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from verify.claims.claim import Statement
from verify.claims.domain import Domain, Sample
from verify.search.batch import Candidate, Comparisons
from verify.search.findings import Findings
from verify.search.samples import Budget, SampleCache


@dataclass
class Pending:
    """Instances that the draws leave to later phases.

    Attributes
    ----------
    undecided
        For each batch, instances that floats do not decide, the nearest to failing first.
    float_counterexamples
        Instances that fail in floats, beside the worst of their batch, which are confirmed at once.
    suspects
        Instances that seem to fail by far, and that floats do not decide because a small move changes the answer as much.
    worst
        For each batch and objective, the smallest slack, the worst instances, and the comparisons of the objective.
    """

    undecided: list[list[Sample]] = field(default_factory=list)
    float_counterexamples: list[Sample] = field(default_factory=list)
    suspects: list[Sample] = field(default_factory=list)
    worst: list[tuple[float, Sample, Comparisons]] = field(default_factory=list)


@dataclass
class Search:
    """A search for an instance at which `statement` fails.

    Attributes
    ----------
    cache
        The drawn instances, and the domain that they are of.
    without
        Name of the hypothesis that instances must break, and no other; None where they must satisfy all.
    thorough
        For a statement that is expected to hold: the rounding of all that fails in floats is measured.
    at_once
        For what is expected to be refuted: the search does not wait for the worst instance of a phase.
    best
        Candidates so far, the smallest slack first: ascents begin there.
    """

    statement: Statement
    cache: SampleCache
    budget: Budget
    rng: np.random.Generator
    without: str | None = None
    thorough: bool = False
    at_once: bool = False
    findings: Findings = field(default_factory=Findings)
    pending: Pending = field(default_factory=Pending)
    best: list[Candidate] = field(default_factory=list)

    @property
    def domain(self) -> Domain:
        """The domain of the instances."""
        return self.cache.domain

    @property
    def is_refuted(self) -> bool:
        """Whether an instance is found at which the statement is certainly false."""
        return self.findings.refutation is not None

    def add_candidates(self, candidates: list[Candidate]) -> None:
        """Note where ascents may begin."""
        self.best = sorted(self.best + candidates, key=lambda candidate: candidate.relative_slack)
