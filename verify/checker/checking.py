"""Check a claim: its statement, its tight examples, the false statements beside it, its exact parts and its rate."""

from __future__ import annotations

import functools
import inspect
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

import numpy as np

from verify.checker.batches import COMPARED, answers_otherwise, depends_on_the_batch, first_answers, floats_disagree, true_again
from verify.checker.void import of_one_instance, says_nothing
from verify.claims.claim import Claim, Statement, Tight
from verify.claims.domain import Domain, Sample
from verify.claims.rate import FittedRate, fit
from verify.claims.variables import call_with
from verify.linting.lint import BrokenStatement, check_parameters, check_sources, explained, name_of
from verify.numbers.arithmetic import is_exact
from verify.numbers.exactness import exact_evaluation
from verify.numbers.relation import FLOAT_ULPS, TIE, Comparison, Relation, Verdict
from verify.search import BUDGETS, Budget, Findings, Refutation, SampleCache, attack, decide, shrink
from verify.search.portfolio import decide_some
from verify.search.rationals import decide_one
from verify.search.samples import generator, samples_of
from verify.search.state import Search

STATEMENT = "holds"
"""What seeds the instances of the statement itself; another text would draw others."""
REFUTED_BEFORE = "refuted before"
"""What stands for the phase where an earlier run had found the counterexample."""
OutcomeName = Literal["survived", "refuted", "undecided"]
Evidence = Literal["searched", "exact", "argued"]


LARGEST_SEED = 2**63
"""Seeds are below it."""
DRAWINGS = 4
"""How often instances are drawn for a statement that nothing refutes, a claim or a false variant: with one in eight seeds a
statement that is false at rare instances survives one drawing, with one in four thousand all of them."""
FEW, MOST_DRAWINGS = 200, 16
"""Where so few feasible instances were met, as of a slow statement, more are drawn, up to so many times."""
PATIENCE: Mapping[str, float] = {"quick": 60.0, "standard": 600.0, "deep": np.inf}
"""Seconds of the processor, by budget, after which no further drawing begins; a statement takes less in all but rare cases."""


@dataclass(frozen=True, eq=False)
class Searched:
    """What came of searching for an instance that breaks a statement.

    Attributes
    ----------
    outcome
        "refuted" with an exact instance; "survived" if there was none and some instances were decided; else "undecided".
    drawn, feasible, evaluations
        Instances drawn for the claim, those that satisfied all hypotheses, evaluations made.
    broken
        How many of the drawn instances broke each hypothesis.
    relative_slack
        The smallest found: slack over the size of the sides; 0 where it is inside its error: attained, up to rounding.
    worst
        Where it was found.
    beside_zeros
        The smallest where more than zero is compared with zero; larger than `relative_slack` if that is attained by zeros only.
    in_floats
        Valid drawn instances that floats decide beyond their error.
    decided
        Instances decided on rationals or by balls that separate.
    undecided
        Valid drawn instances that neither has decided.
    not_a_number
        Valid drawn instances at which a side is NaN in floats.
    nowhere
        Instances at which a side is no number in the exact arithmetic.
    refutation, by
        The exact instance, and the phase that found it.
    problems
        What keeps the outcome from being "survived", in words.
    error
        That of them which stopped the search.
    names, bounds
        Names of the comparisons that were met, and of the inequalities among them.
    slacks
        How many feasible drawn instances have which relative slack (see `verify.search.slack_classes`).
    exhausted
        The sizes of which all instances were evaluated, in words such as "n = 6", and how many these are.
    void
        Which inequalities say nothing at any instance that was decided, by name, and why.
    """

    outcome: OutcomeName
    drawn: int = 0
    feasible: int = 0
    evaluations: int = 0
    broken: Mapping[str, int] = field(default_factory=dict)
    relative_slack: float = np.inf
    worst: Sample | None = None
    beside_zeros: float = np.inf
    in_floats: int = 0
    decided: int = 0
    undecided: int = 0
    not_a_number: int = 0
    nowhere: int = 0
    refutation: Refutation | None = None
    by: str | None = None
    problems: tuple[str, ...] = ()
    error: str = ""
    names: frozenset[str] = frozenset()
    bounds: frozenset[str] = frozenset()
    slacks: tuple[int, ...] = ()
    exhausted: Mapping[str, int] = field(default_factory=dict)
    void: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TightResult:
    """How tight a bound is at a named instance, which comparisons it attains, and whether that is what the claim says."""

    relative_slack: float
    as_expected: bool
    why: str = ""
    reached: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()


@dataclass(frozen=True)
class VariantResult:
    """Whether a false variant was refuted, by which phase, after how many evaluations, and how near the search came."""

    refuted: bool
    by: str | None
    evaluations: int
    relative_slack: float = float("nan")
    worst: Sample | None = field(default=None, compare=False)
    refutation: Refutation | None = field(default=None, compare=False)
    problem: str = ""


@dataclass(frozen=True)
class ExactResult:
    """Verdict of one exact part."""

    verdict: Verdict
    problem: str = ""


@dataclass(frozen=True)
class Outcome:
    """Everything that checking one claim gave."""

    claim: Claim
    searched: Searched
    tight: Mapping[str, TightResult] = field(default_factory=dict)
    false_variants: Mapping[str, VariantResult] = field(default_factory=dict)
    needs: Mapping[str, VariantResult] = field(default_factory=dict)
    exact: Mapping[str, ExactResult] = field(default_factory=dict)
    rate: FittedRate | None = None
    rate_problem: str = ""
    seconds: float = 0.0

    @property
    def outcome(self) -> OutcomeName:
        """The outcome for the claim itself; an exact part that fails refutes it."""
        if any(result.verdict == Verdict.FAILS for result in self.exact.values()):
            return "refuted"
        return self.searched.outcome

    @property
    def evidence(self) -> Evidence:
        """What stands behind the outcome: "exact" where rationals decided instances, "argued" where they decide a part from
        which, by an argument that a person vouches for, the whole statement follows.
        """
        claim = self.claim
        if self.outcome == "survived" and claim.argument.strip() and claim.proof is not None:
            part = self.exact.get(claim.proof)
            if part is not None and part.verdict == Verdict.HOLDS:
                return "argued"
        decided = self.searched.decided > 0 or self.searched.refutation is not None
        return "exact" if decided or any(part.verdict == Verdict.HOLDS for part in self.exact.values()) else "searched"

    def remarks(self) -> list[str]:
        """What is missing, though nothing is wrong: an inequality says nothing, or nobody knows how tight it is."""
        claim = self.claim
        if claim.expected == "refuted" or self.searched.refutation is not None:
            return []
        void = [why for name, why in self.searched.void.items() if not self._can_fail(name)]
        return void if claim.tight else [*void, *self._untight()]

    def _can_fail(self, name: str) -> bool:
        """Whether an inequality fails where a needed hypothesis is left out, or a false variant breaks it and nothing else."""
        without = (part.refutation.relation for part in self.needs.values() if part.refutation is not None)
        variants = (part.refutation.relation for part in self.false_variants.values() if part.refutation is not None)
        # with one comparison alone a variant is false, whatever the statement says
        alone = (relation for relation in variants if len(relation.names) > 1 and len(_broken(relation)) == 1)
        return any(name in _broken(relation) for relation in (*without, *alone))

    def _untight(self) -> list[str]:
        claim = self.claim
        return [
            f"no tight example shows how tight the inequality{f' {name!r}' if name else ''} is: add one, or say why none is "
            f"known, in not_known_tight={{{name!r}: ...}}"
            for name in sorted(self.searched.bounds - set(claim.not_known_tight))
        ]

    def problems(self) -> list[str]:
        """What is not as expected, in words; empty if all is."""
        claim = self.claim
        problems = []
        if self.outcome != claim.expected:
            problems.append(f"expected {claim.expected}, got {self.outcome}")
        problems += self.searched.problems
        problems += [
            f"not tight at {name!r}: {r.why if np.isnan(r.relative_slack) else f'relative slack {r.relative_slack:.3g}'}"
            + (f" ({r.why})" if r.why and not np.isnan(r.relative_slack) else "")
            for name, r in self.tight.items()
            if not r.as_expected
        ]
        problems += [
            f"no tight example reaches the comparison{f' {name!r}' if name else ''}: add one, or say why in "
            f"not_known_tight={{{name!r}: ...}}"
            for name in unreached(claim, self.tight)
        ]
        known = {*self.searched.names, *(name for r in self.tight.values() for name in r.bounds), *constants_of(claim)}
        problems += [
            f"not_known_tight names {name!r}, which is no comparison and no constant: there are "
            f"{', '.join(map(repr, sorted(known)))}"
            for name in claim.not_known_tight
            if name not in known and self.searched.names
        ]
        problems += [
            f"false variant {name!r} was not refuted{f': {r.problem}' if r.problem else ''}"
            for name, r in self.false_variants.items()
            if not r.refuted
        ]
        problems += [
            f"hypothesis {name!r} was not shown to be needed{f': {r.problem}' if r.problem else ''}"
            for name, r in self.needs.items()
            if name in claim.needs and not r.refuted
        ]
        problems += [
            f"exact part {name!r}: {r.problem or r.verdict.name}"
            for name, r in self.exact.items()
            if r.verdict != Verdict.HOLDS
        ]
        if claim.proof is not None and not claim.argument.strip():
            problems.append(
                f"proof={claim.proof!r} names a part that is not derived from the statement: say in argument= why it decides it"
            )
        if self.rate_problem:
            problems.append(f"rate: {self.rate_problem}")
        elif self.rate is not None and not self.rate.as_expected:
            problems.append(f"rate {self.rate.exponent:.4f} +- {self.rate.uncertainty:.4f}, stated {self.rate.stated}")
        return problems


def unreached(claim: Claim, results: Mapping[str, TightResult]) -> list[str]:
    """Names of the inequalities that no tight example attains, and of which the claim says nothing."""
    bounds = {name: None for result in results.values() for name in result.bounds}
    reached = {name for result in results.values() for name in result.reached}
    return [name for name in bounds if name not in reached and name not in claim.not_known_tight]


def constants_of(claim: Claim) -> dict[str, Fraction | int]:
    """The constants of the printed theorem: parameters of the statement with a number as default that are no variables."""
    function: Any = claim.statement
    given: dict[str, Any] = {}
    while isinstance(function, functools.partial):
        given = {**function.keywords, **given}
        function = function.func
    constants: dict[str, Fraction | int] = {}
    for parameter in inspect.signature(function).parameters.values():
        value = given.get(parameter.name, parameter.default)
        number = isinstance(value, int | Fraction) and not isinstance(value, bool)
        if number and parameter.name not in claim.domain.variables:
            constants[parameter.name] = value
    return constants


_P = ParamSpec("_P")
_T = TypeVar("_T")


def _once(part: Callable[Concatenate[Checker, _P], _T]) -> Callable[Concatenate[Checker, _P], _T]:
    """A part of a check, which is done the first time that it is asked for; what it takes counts to the whole."""

    @functools.wraps(part)
    def asked(checker: Checker, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        key = (part.__name__, *args, *kwargs.items())
        if key not in checker.done:
            start = time.perf_counter()
            checker.done[key] = part(checker, *args, **kwargs)
            checker.seconds += time.perf_counter() - start
        result: _T = checker.done[key]
        return result

    return asked


class Checker:
    """Checks the parts of one claim under one budget and seed; the instances are drawn once for all of them.

    Instances at which the statement was false `before` are decided first.

    Attributes
    ----------
    done, seconds
        The parts that were checked, by name and arguments, and what they took.
    """

    def __init__(self, claim: Claim, budget: str = "quick", seed: int = 0, before: Sequence[Sample] = ()) -> None:
        if budget not in BUDGETS:
            raise ValueError(f"budget must be one of {', '.join(BUDGETS)}, got {budget!r}")
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < LARGEST_SEED:
            raise ValueError(f"seed must be an integer from 0 to 2**63 - 1, got {seed!r}")
        self.claim, self.budget_name, self.seed = claim, budget, int(seed)
        self._before = before
        self._budget: Budget = BUDGETS[budget].divided(claim.least_cost)
        self._caches = [samples_of(claim, BUDGETS[budget], seed)]
        self.done: dict[tuple[Any, ...], Any] = {}
        self.seconds = 0.0

    def attack(
        self,
        statement: Statement,
        purpose: str,
        budget: Budget,
        without: str | None = None,
        *,
        thorough: bool = False,
        at_once: bool = False,
        drawing: int = 0,
        whole: bool = True,
    ) -> Findings:
        """Search for an instance that breaks `statement` among those of the claim; `purpose` names the random numbers.

        Of a drawing after the first that is not taken as a `whole` only instances are drawn, and no ascent begins.
        """
        seed = self.seed + drawing * LARGEST_SEED
        while len(self._caches) <= drawing:
            self._caches.append(samples_of(self.claim, BUDGETS[self.budget_name], seed))
        rng = generator(seed, self.claim.id, purpose)
        cache = self._caches[drawing]
        again = 0 if whole else drawing
        return attack(statement, cache, budget, rng, without=without, thorough=thorough, at_once=at_once, again=again)

    def _further_drawings(self, findings: Findings, drawings: int) -> Iterator[int]:
        """Numbers of the drawings after the first, while nothing refutes the statement and there is time."""
        start = time.process_time()
        for drawing in range(1, MOST_DRAWINGS):
            late = time.process_time() - start > PATIENCE[self.budget_name]
            enough = drawing >= drawings and (findings.feasible >= FEW or drawings == 1)
            # all instances were met
            exhausted = len(findings.exhausted) == len(self.claim.domain.all_sizes())
            if findings.refutation is not None or enough or late or exhausted:
                return
            yield drawing

    def _floats_disagree(self, findings: Findings) -> str:
        """See `floats_disagree`. With few instances, more are decided before it is said that floats and rationals disagree."""
        statement, cache = self.claim.statement, self.cache
        said = floats_disagree(statement, cache, findings.settled)
        if not said or len(findings.settled) >= COMPARED:
            return said
        others = Findings()
        if self._decide_some("batched", COMPARED, others) and findings.refutation is None:
            findings.refutation, findings.by = others.refutation, others.by
        return floats_disagree(statement, cache, findings.settled + others.settled)

    def _is_void(self, findings: Findings) -> tuple[str, dict[str, str]]:
        """See `verify.checker.void`. More instances are decided before it is said that something is void."""
        settled = findings.settled
        if of_one_instance(settled) or says_nothing(settled):
            others = Findings()
            self._decide_some("batched", COMPARED, others)
            settled = settled + others.settled
        return of_one_instance(settled), says_nothing(settled)

    def _refuted_before(self) -> Findings | None:
        """What an earlier counterexample gives, where the statement is false there now; nothing of the others is counted."""
        for sample in self._before:
            search = Search(self.claim.statement, self.cache, self._budget, generator(self.seed, self.claim.id, STATEMENT))
            search.findings.evaluations += 1
            if decide_one(search, sample, REFUTED_BEFORE):
                return search.findings
        return None

    def _decide_some(self, phase: str, count: int, findings: Findings) -> bool:
        rng = generator(self.seed, self.claim.id, STATEMENT)
        return decide_some(Search(self.claim.statement, self.cache, self._budget, rng, findings=findings), phase, count)

    @property
    def cache(self) -> SampleCache:
        """The instances drawn for the claim."""
        return self._caches[0]

    @property
    def budget(self) -> Budget:
        """How hard the statement itself is tried."""
        return self._budget

    @_once
    def searched(self, drawings: int = DRAWINGS) -> Searched:
        """Search for an instance that breaks the statement, decide some on rationals, and say what is left open.

        Instances are drawn several times, as for a false variant, unless one of them refutes the statement.
        """
        statement, cache = self.claim.statement, self.cache
        try:
            check_parameters(statement, (*self.claim.domain.variables, *self.claim.domain.told), "the statement")
            check_sources(statement, *self.claim.domain.functions())
            first = first_answers(statement, cache)
            dependence = depends_on_the_batch(statement, cache)
            if dependence:
                return self._undecided(dependence)
            thorough = self.claim.expected != "refuted"
            findings = self._refuted_before() or self.attack(statement, STATEMENT, self._budget, thorough=thorough)
            used = 1
            for drawing in self._further_drawings(findings, drawings):
                used += 1
                # the first drawing that has feasible instances is searched as a whole
                whole = not findings.feasible
                findings.join(self.attack(statement, STATEMENT, self._budget, thorough=thorough, drawing=drawing, whole=whole))
            if findings.refutation is None:
                self._decide_some("structured", self._budget.exact, findings)
            alone, void = self._is_void(findings) if findings.refutation is None else ("", {})
            disagreement = answers_otherwise(statement, cache, first) or self._floats_disagree(findings)
            if not disagreement and findings.refutation is not None:
                disagreement = true_again(statement, self.claim.domain, findings.refutation)
        except Exception as error:  # whatever a statement raises is a problem of this part
            return self._undecided(explained(error, statement))
        if disagreement:
            return self._undecided(disagreement)
        refutation = findings.refutation
        worst_slack = findings.relative_slack if refutation is None else min(refutation.relative_slack, 0.0)
        decided = findings.exactly[Verdict.HOLDS] + findings.exactly[Verdict.FAILS]
        caches = self._caches[:used]
        drawn, broken_by = sum(cache.drawn for cache in caches), sum((cache.broken for cache in caches), Counter())
        problems = [] if refutation is not None else open_questions(findings, decided, drawn, broken_by)
        if alone and not findings.exhausted:
            problems.append(alone)
        if refutation is not None:
            refutation, broken = shrink(refutation, statement, self.claim.domain)
            if broken is not None:
                problems.append(explained(broken, statement))
        return Searched(
            outcome="refuted" if refutation is not None else "undecided" if problems else "survived",
            drawn=drawn,
            feasible=findings.feasible,
            evaluations=findings.evaluations,
            broken={name: broken_by[name] for name in cache.broken},
            relative_slack=worst_slack,
            worst=findings.worst,
            beside_zeros=findings.met[0] if findings.attained_by_zeros_only else worst_slack,
            in_floats=findings.in_floats,
            decided=decided,
            undecided=max(0, findings.feasible - findings.in_floats - decided),
            not_a_number=findings.not_a_number,
            nowhere=len(findings.nowhere),
            refutation=refutation,
            by=findings.by,
            problems=tuple(problems),
            names=frozenset(findings.names),
            bounds=frozenset(findings.bounds),
            slacks=tuple(findings.slacks.tolist()),
            exhausted={_in_words(self.claim.domain, sizes): count for sizes, count in findings.exhausted.items()},
            void=void,
        )

    def _undecided(self, problem: str) -> Searched:
        cache = self.cache
        return Searched("undecided", drawn=cache.drawn, broken=dict(cache.broken), problems=(problem,), error=problem)

    @_once
    def tight(self, name: str) -> TightResult:
        """Evaluate the statement at a named tight example, exactly where the instance is given on rationals."""
        try:
            return tight_result(self.claim, self.claim.tight[name])
        except Exception as error:  # a problem of this part
            return TightResult(float("nan"), as_expected=False, why=explained(error, self.claim.tight[name].instance))

    @_once
    def refutes(self, name: str) -> VariantResult:
        """Search for an instance that breaks a false variant."""
        return self._variant(self.claim.false_variants[name], f"refutes {name}", None, insist=True)

    @_once
    def needs(self, name: str) -> VariantResult:
        """Search for an instance that breaks the statement and the hypothesis `name`, and no other hypothesis."""
        return self._variant(self.claim.statement, f"needs {name}", name, insist=name in self.claim.needs)

    def _variant(self, statement: Statement, purpose: str, without: str | None, *, insist: bool) -> VariantResult:
        """What is expected to be refuted is tried on other instances, drawn like those of the claim, before that is denied."""
        budget = self._budget.persistent() if insist else self._budget
        tried: list[Findings] = []
        try:
            check_sources(statement)
            for drawing in range(DRAWINGS if insist else 1):
                tried.append(self.attack(statement, purpose, budget, without, at_once=True, drawing=drawing))
                if tried[-1].refutation is not None:
                    break
        except Exception as error:  # a problem of this part
            return VariantResult(refuted=False, by=None, evaluations=0, problem=explained(error, statement))
        last, evaluations = tried[-1], sum(findings.evaluations for findings in tried)
        if last.refutation is not None:
            slack = last.refutation.relative_slack
            return VariantResult(True, last.by, evaluations, slack, last.worst, refutation=last.refutation)
        nearest = min(tried, key=lambda findings: findings.relative_slack)
        return VariantResult(False, None, evaluations, nearest.relative_slack, nearest.worst)

    @_once
    def exact(self, name: str) -> ExactResult:
        """Decide an exact part."""
        part = self.claim.exact[name]
        try:
            check_parameters(part, (), f"the exact part {name!r},")
            check_sources(part)
            relation = decide(part, {})
            if not relation.is_exact:
                raise BrokenStatement(f"the exact part {name!r} must compare rationals or balls, and at least one pair")
        except Exception as error:  # a problem of this part
            return ExactResult(Verdict.UNDECIDED, explained(error, part))
        return ExactResult(Verdict(int(np.min(relation.verdict))))

    @_once
    def rate(self) -> FittedRate:
        """Fit the rate of the claim."""
        if self.claim.rate is None:
            raise ValueError(f"{self.claim.id} states no rate")
        return fit(self.claim.rate)

    @property
    def is_complete(self) -> bool:
        """Whether all parts were checked that the claim promises."""
        claim = self.claim
        promised = [
            ("tight", *claim.tight),
            ("refutes", *claim.false_variants),
            ("needs", *claim.needs),
            ("exact", *claim.exact),
        ]
        parts = {("searched",), *((part, name) for part, *names in promised for name in names)}
        return parts | ({("rate",)} if claim.rate is not None else set()) <= set(self.done)

    def everything(self) -> Outcome:
        """Check all parts; an error in one is a problem of that one."""
        claim = self.claim
        rate, rate_problem = None, ""
        if claim.rate is not None:
            try:
                rate = self.rate()
            except Exception as error:  # a problem of this part
                rate_problem = explained(error, claim.rate.quantity)
        outcome = Outcome(
            claim=claim,
            searched=self.searched(),
            tight={name: self.tight(name) for name in claim.tight},
            false_variants={name: self.refutes(name) for name in claim.false_variants},
            needs={name: self.needs(name) for name in claim.domain.hypotheses if claim.expected != "refuted"},
            exact={name: self.exact(name) for name in claim.exact},
            rate=rate,
            rate_problem=rate_problem,
        )
        return replace(outcome, seconds=self.seconds)


def _broken(relation: Relation) -> set[str]:
    """Names of the comparisons that fail."""
    pairs = zip(relation.names, relation.comparisons, strict=True)
    return {name for name, comparison in pairs if (comparison.verdicts == Verdict.FAILS).any()}


def _in_words(domain: Domain, sizes: tuple[int, ...]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in zip(domain.sizes, sizes, strict=True))


TIED = (
    "both sides agree to hundreds of digits: no precision decides an identity between logarithms, exponentials and roots; "
    "write it without them, or as an inequality that is seldom attained"
)
LEFT_OPEN = "the sides differ by less than the errors that are stated, or that balls are left with"


def open_questions(findings: Findings, decided: int, drawn: int, broken_by: Mapping[str, int]) -> list[str]:
    """Why a search without a refutation does not let a claim hold; empty if it does."""
    if findings.feasible == 0:
        broken = ", ".join(f"{name!r} by {count}" for name, count in broken_by.items() if count)
        return [
            "no drawn instance satisfied the hypotheses: the claim was not tested at all"
            + (f" (of {drawn} drawn, broken: {broken})" if broken else "")
            + "; build instances that satisfy them: a family of verify.families, or derived(...) of free numbers"
        ]
    problems = []
    if findings.in_floats + decided == 0:
        ties, taken = findings.exactly[Verdict.UNDECIDED], findings.exactly.total()
        tied = all(relation.tied for _, relation in findings.settled)
        problems.append(
            f"floats decide none of {findings.feasible} feasible instances, and rationals none of {taken} that were taken to "
            "them" + (f"; at {ties} of them {TIED if tied else LEFT_OPEN}" if ties else "")
        )
    if 4 * findings.unknown_domain > decided:
        problems.append(
            f"at {findings.unknown_domain} of the instances that were taken to the rationals the hypotheses themselves are not "
            "decided: say them without roots, such as x * x < y for x < sqrt(y)"
        )
    if findings.unknown_inside:
        problems.append(
            f"at {findings.unknown_inside} of the instances that were taken to the rationals a comparison inside the statement "
            "is a tie that balls do not decide: say it without roots, logarithms and exponentials, such as x * x < y for "
            "x < sqrt(y), write minimum(a, b) for min(a, b) and maximum(a, b) for max(a, b), or exclude the tie by a hypothesis"
        )
    if findings.nowhere:
        problems.append(
            f"at {len(findings.nowhere)} feasible instances a side is no number in the exact arithmetic either (a division by "
            "zero, or the inverse of a singular matrix): exclude them by a hypothesis, or say what the side is there "
            "(numpy.where evaluates both branches, so that the one that is not taken must not divide by zero, either; for "
            "x * log(x), which is 0 at 0, write xlogx(x) of verify.words)"
        )
    if findings.lost:
        problems.append(
            f"at {findings.lost} feasible instances a side is no number in floats, and there is no exact evaluation that says "
            "what it is: exclude them by a hypothesis, or say what the side is there"
        )
    if findings.unconfirmed:
        problems.append(
            f"{len(findings.unconfirmed)} instances fail in floats beyond their error; rationals neither confirm nor refute "
            "them"
        )
    elif findings.unexamined > 0:
        examined = findings.exactly[Verdict.HOLDS]
        problems.append(
            f"{findings.unexamined} more instances fail in floats beyond their error and were not decided on rationals"
            + (
                f"; the {examined} that were decided hold, so that floats seem to cancel here: write differences of numbers "
                "that are nearly equal in another form"
                if examined
                else ""
            )
        )
    return problems


def tight_result(claim: Claim, tight: Tight) -> TightResult:
    """Evaluate a claim at a tight example: it lies in the domain, the statement holds there, and the slack is as stated.

    An instance speaks for the comparisons that it names by `of`; if it names none, for those that it attains, of which there
    must be one. A comparison over several entries is attained where all of them are; `partly` says that some are enough.
    """
    variables = tight.variables()
    missing = [name for name in claim.domain.variables if name not in variables]
    if missing:
        raise BrokenStatement(f"{name_of(tight.instance)} does not give the variable {missing[0]!r}")
    check_parameters(claim.statement, {*variables, *claim.domain.told}, "the statement")
    outside = claim.domain.outside(variables)
    given = claim.domain.given(variables)
    if outside:
        return TightResult(float("nan"), as_expected=False, why=f"the instance is outside the domain: {'; '.join(outside)}")
    with exact_evaluation() if _on_rationals(given) else nullcontext():
        broken = claim.domain.violated(given)
    if broken:
        return TightResult(float("nan"), as_expected=False, why=f"the instance breaks: {', '.join(broken)}")
    relation = evaluated(claim.statement, given, lambda: claim.domain.given(tight.variables()))
    if relation.is_empty or 0 in relation.batch_shape:
        return TightResult(float("nan"), as_expected=False, why="the statement compares nothing at the instance")
    names = relation.names
    unknown = [name for name in tight.of if name not in names]
    if unknown:
        known = ", ".join(map(repr, names))
        return TightResult(float("nan"), as_expected=False, why=f"of= names {unknown}, the comparisons are {known}")
    slacks = {name: _attained(comparison, tight.partly) for name, comparison in zip(names, relation.comparisons, strict=True)}
    # an equality beside a bound is always attained, and says nothing of the bound
    bounds = (
        tuple(name for name, comparison in zip(names, relation.comparisons, strict=True) if comparison.sense != "eq") or names
    )
    spoken = tight.of or bounds
    allowed = {
        name: tight.relative_slack + (TIE if comparison.is_exact else _rounding(comparison))
        for name, comparison in zip(names, relation.comparisons, strict=True)
    }
    reached = tuple(name for name in spoken if slacks[name] <= allowed[name])
    fails = bool(np.any(relation.verdict == Verdict.FAILS))
    sharp = len(reached) == len(tight.of) if tight.of else bool(reached)
    worst = [slacks[name] for name in spoken if tight.of or name not in reached] or [slacks[name] for name in spoken]
    shown = float(max(worst) if tight.of else min(slacks[name] for name in spoken))
    negative = float(np.min(relation.known_slack))
    return TightResult(
        negative if fails or negative < 0 else shown,
        not fails and sharp,
        tight.why,
        reached,
        tuple(name for name in bounds if name in names and (name != "" or len(names) == 1)),
    )


def _attained(comparison: Comparison, partly: bool) -> float:
    """The largest distance from equality over a batch of instances: of all entries, or of the nearest one of each."""
    relative = np.abs(comparison.known)
    if not relative.size:
        return 1.0
    return float(np.max(relative.min(axis=comparison.last_axes) if partly else relative))


def _rounding(comparison: Any) -> float:
    with np.errstate(invalid="ignore", divide="ignore"):
        noise = np.where(comparison.size > 0, comparison.noise / comparison.size, 0.0)
    return float(np.max(noise, initial=FLOAT_ULPS * 2.0**-52))


def _on_rationals(variables: Mapping[str, Any]) -> bool:
    return any(is_exact(value) or getattr(value, "is_exact", False) for value in variables.values())


def evaluated(
    statement: Statement, variables: Mapping[str, Any], anew: Callable[[], Mapping[str, Any]] | None = None
) -> Relation:
    """The relation of `statement`, decided with growing precision where a variable is exact; `anew` makes variables again."""
    exact = _on_rationals(variables)
    relation: Relation = decide(statement, anew or variables) if exact else call_with(statement, variables)
    if not isinstance(relation, Relation):
        raise BrokenStatement(f"the statement must return a relation, it returned {type(relation).__name__}")
    return relation
