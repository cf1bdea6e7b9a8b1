"""Check a claim: its statement, its sharp instances, the false statements beside it, its exact parts and its rate."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from verify.arithmetic import is_exact
from verify.checker.search import BUDGETS, Attack, Budget, Pool, Refutation, attack, decide, shrink
from verify.checker.search.portfolio import exact_verdicts, generator, pool_of
from verify.claim import Claim, Statement, Tight
from verify.domain import Sample, call_with
from verify.rate import FittedRate, fit
from verify.relation import FLOAT_ULPS, TIE, Relation, Verdict

OutcomeName = Literal["holds", "refuted", "undecided"]
Tier = Literal["searched", "exact", "proved"]


@dataclass(frozen=True, eq=False)
class Searched:
    """What came of searching for an instance that breaks a statement.

    Attributes
    ----------
    outcome
        "refuted" with an exact instance; "holds" if there was none; "undecided" if a float instance fails and the rationals
        could neither confirm nor refute it.
    drawn, valid, evaluations
        Instances drawn for the claim, those that satisfied all hypotheses, evaluations made.
    broken
        How many of the drawn instances broke each hypothesis.
    relative_slack
        The smallest found: slack over the size of the sides.
    worst
        Where it was found.
    decided
        Structured instances decided on rationals.
    refutation, by
        The exact instance, and the tier that found it.
    """

    outcome: OutcomeName
    drawn: int
    valid: int
    evaluations: int
    broken: Mapping[str, int]
    relative_slack: float
    worst: Sample | None
    decided: int
    refutation: Refutation | None
    by: str | None


@dataclass(frozen=True)
class TightResult:
    """How sharp a bound is at a named instance, and whether that is what the claim says."""

    relative_slack: float
    as_expected: bool
    why: str = ""


@dataclass(frozen=True)
class NeighbourResult:
    """Whether a false neighbour was refuted, by which tier, after how many evaluations, and how near the search came."""

    refuted: bool
    by: str | None
    evaluations: int
    relative_slack: float = float("nan")
    worst: Sample | None = field(default=None, compare=False)


@dataclass(frozen=True)
class ExactResult:
    """Verdict of one exact part."""

    verdict: Verdict


@dataclass(frozen=True)
class Outcome:
    """Everything that checking one claim gave."""

    claim: Claim
    searched: Searched
    tight: Mapping[str, TightResult] = field(default_factory=dict)
    false_neighbours: Mapping[str, NeighbourResult] = field(default_factory=dict)
    needs: Mapping[str, NeighbourResult] = field(default_factory=dict)
    exact: Mapping[str, ExactResult] = field(default_factory=dict)
    rate: FittedRate | None = None
    seconds: float = 0.0

    @property
    def outcome(self) -> OutcomeName:
        """The outcome for the claim itself; an exact part that fails refutes it."""
        if any(result.verdict == Verdict.FAILS for result in self.exact.values()):
            return "refuted"
        return self.searched.outcome

    @property
    def tier(self) -> Tier:
        """How far the outcome is from a proof: exact where rationals decided, proved where an exact part covers it all."""
        if self.outcome == "holds" and self.claim.proof is not None and self.exact[self.claim.proof].verdict == Verdict.HOLDS:
            return "proved"
        decided = self.searched.decided > 0 or self.searched.refutation is not None
        return "exact" if decided or any(one.verdict == Verdict.HOLDS for one in self.exact.values()) else "searched"

    def problems(self) -> list[str]:
        """What is not as expected, in words; empty if all is."""
        found = []
        if self.outcome != self.claim.expected:
            found.append(f"expected {self.claim.expected}, got {self.outcome}")
        if self.searched.valid == 0:
            found.append("no drawn instance satisfied the hypotheses: the claim was not tested at all")
        found += [
            f"not tight at {name!r}: relative slack {r.relative_slack:.3g}{f' ({r.why})' if r.why else ''}"
            for name, r in self.tight.items()
            if not r.as_expected
        ]
        found += [f"false neighbour {name!r} was not refuted" for name, r in self.false_neighbours.items() if not r.refuted]
        found += [
            f"hypothesis {name!r} was not shown to be needed"
            for name, r in self.needs.items()
            if name in self.claim.needs and not r.refuted
        ]
        found += [f"exact part {name!r}: {r.verdict.name}" for name, r in self.exact.items() if r.verdict != Verdict.HOLDS]
        if self.rate is not None and not self.rate.as_expected:
            found.append(f"rate {self.rate.exponent:.4f} +- {self.rate.uncertainty:.4f}, stated {self.rate.stated}")
        return found


class Checker:
    """Checks the parts of one claim under one budget and seed; the instances are drawn once for all of them."""

    def __init__(self, claim: Claim, budget: str = "quick", seed: int = 0) -> None:
        if budget not in BUDGETS:
            raise ValueError(f"budget must be one of {', '.join(BUDGETS)}, got {budget!r}")
        if not 0 <= seed < 2**63:
            raise ValueError(f"seed must be from 0 to 2**63 - 1, got {seed}")
        self.claim, self.budget_name, self.seed = claim, budget, seed
        self._budget: Budget = BUDGETS[budget].divided(claim.least_cost)
        self._pool: Pool = pool_of(claim, BUDGETS[budget], seed)

    def _attack(self, statement: Statement, purpose: str, budget: Budget, without: str | None = None) -> Attack:
        rng = generator(self.seed, self.claim.id, purpose)
        return attack(statement, self._pool, budget, rng, without=without)

    def holds(self) -> Searched:
        """Search for an instance that breaks the statement, and decide some on rationals."""
        found = self._attack(self.claim.statement, "holds", self._budget)
        verdicts: Mapping[int, int] = {}
        refutation = found.refutation
        if refutation is None:
            verdicts, refutation = exact_verdicts(self.claim.statement, self._pool, self._budget.exact)
        worst_slack = found.relative_slack if refutation is None else refutation.relative_slack
        if refutation is not None:
            refutation = shrink(refutation, self.claim.statement, self.claim.domain)
        left_open = found.unconfirmed or found.unexamined
        outcome: OutcomeName = "refuted" if refutation is not None else "undecided" if left_open else "holds"
        return Searched(
            outcome=outcome,
            drawn=self._pool.drawn,
            valid=found.valid,
            evaluations=found.evaluations,
            broken=dict(self._pool.broken),
            relative_slack=worst_slack,
            worst=found.worst,
            decided=verdicts.get(Verdict.HOLDS, 0),
            refutation=refutation,
            by=found.by or ("structured" if refutation is not None else None),
        )

    def tight(self, name: str) -> TightResult:
        """Evaluate the statement at a named sharp instance, exactly where the instance is given on rationals."""
        return tight_result(self.claim, self.claim.tight[name])

    def refutes(self, name: str) -> NeighbourResult:
        """Search for an instance that breaks a false neighbour."""
        statement = self.claim.false_neighbours[name]
        return _neighbour(self._attack(statement, f"refutes {name}", self._budget.persistent()))

    def needs(self, name: str) -> NeighbourResult:
        """Search for an instance that breaks the statement and the hypothesis `name`, and no other hypothesis."""
        budget = self._budget.persistent() if name in self.claim.needs else self._budget
        return _neighbour(self._attack(self.claim.statement, f"needs {name}", budget, without=name))

    def exact(self, name: str) -> ExactResult:
        """Decide an exact part."""
        relation = decide(self.claim.exact[name], {})
        if not relation.is_exact:
            raise TypeError(f"{self.claim.id}: the exact part {name!r} must compare rationals or balls, and at least one pair")
        return ExactResult(Verdict(int(np.min(relation.verdict))))

    def rate(self) -> FittedRate:
        """Fit the rate of the claim."""
        if self.claim.rate is None:
            raise ValueError(f"{self.claim.id} states no rate")
        return fit(self.claim.rate)

    def everything(self) -> Outcome:
        """Check all parts."""
        start = time.perf_counter()
        claim = self.claim
        return Outcome(
            claim=claim,
            searched=self.holds(),
            tight={name: self.tight(name) for name in claim.tight},
            false_neighbours={name: self.refutes(name) for name in claim.false_neighbours},
            needs={name: self.needs(name) for name in claim.domain.hypotheses if claim.expected == "holds"},
            exact={name: self.exact(name) for name in claim.exact},
            rate=None if claim.rate is None else self.rate(),
            seconds=time.perf_counter() - start,
        )


def _neighbour(found: Attack) -> NeighbourResult:
    slack = found.relative_slack if found.refutation is None else found.refutation.relative_slack
    return NeighbourResult(found.refutation is not None, found.by, found.evaluations, slack, found.worst)


def tight_result(claim: Claim, tight: Tight) -> TightResult:
    """Evaluate a claim at a sharp instance: the hypotheses must hold, the statement too, and the slack must be as stated."""
    variables = tight.instance()
    broken = claim.domain.violated(variables)
    if broken:
        return TightResult(float("nan"), as_expected=False, why=f"the instance breaks: {', '.join(broken)}")
    relation = evaluated(claim.statement, variables)
    # an equality beside a bound is always sharp, and says nothing of the bound
    bounds = tuple(one for one in relation.comparisons if one.sense != "eq")
    slacks = Relation(bounds or relation.comparisons).relative_slack
    slack = float(np.max(np.abs(slacks)))
    exact = any(comparison.is_exact for comparison in relation.comparisons)
    noise = TIE if exact else FLOAT_ULPS * 2.0**-52
    fails = bool(np.any(relation.verdict == Verdict.FAILS))
    return TightResult(float(np.min(slacks)), not fails and slack <= tight.relative_slack + noise, tight.why)


def evaluated(statement: Statement, variables: Mapping[str, Any]) -> Relation:
    """The relation of `statement`, decided with growing precision where a variable is exact."""
    exact = any(is_exact(value) or getattr(value, "is_exact", False) for value in variables.values())
    return decide(statement, variables) if exact else call_with(statement, variables)
