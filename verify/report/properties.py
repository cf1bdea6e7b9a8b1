"""A claim as a Hypothesis test: its instances drawn and shrunk by Hypothesis, its statement decided on rationals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from verify.claims.claim import Claim
from verify.claims.domain import Sample
from verify.linting.lint import BrokenStatement, explained
from verify.numbers.relation import Verdict
from verify.search.batch import judged, prepare
from verify.search.decide import Refutation, decide_sample, verdict_of
from verify.search.samples import generator

EXAMPLES = {"quick": 5, "standard": 50, "deep": 500}
"""Examples by budget, where the profile of Hypothesis leaves their number at `UNSAID`; another one says how many it wants."""
UNSAID = 100
"""What the profiles that Hypothesis brings have, `default` and, on a server of continuous integration, `ci`."""


class StatementFails(AssertionError):
    """The statement is false at an instance of its domain; the message shows the instance and both sides."""


def assert_statement(claim: Claim, sample: Sample) -> None:
    """Decide the statement of `claim` at one instance on rationals; in floats if it has no exact evaluation.

    Raises
    ------
    StatementFails
        It is false there.
    BrokenStatement
        It is broken as code.
    """
    from verify.report import words

    try:
        decision = decide_sample(claim.statement, claim.domain, sample)
    except Exception as error:  # whatever a statement raises, in a sentence
        raise BrokenStatement(explained(error, claim.statement)) from error
    if decision.relation is not None and verdict_of(decision.relation) == Verdict.FAILS:
        raise StatementFails(
            f"{claim.id} fails at\n\n{words.indented(words.refutation(Refutation(sample, decision.relation), claim.domain))}"
        )
    if not decision.floats_only:
        return
    batch = prepare(claim.domain, sample.as_floats()[None])
    evaluated = (
        None
        if batch is None
        else judged(claim.statement, claim.domain, batch, batch.chosen(None), generator(0, claim.id, "property"))
    )
    if evaluated is not None and np.any(evaluated[0].verdict == Verdict.FAILS):
        raise StatementFails(f"{claim.id} fails in floats at\n\n{words.indented(words.of_domain(claim.domain, sample))}")


def property_test(claim: Claim, budget: str, known: Sample | None = None) -> Callable[[], None]:
    """The Hypothesis test of a claim; of one expected to be refuted, that it is (`known` is tried first)."""
    from hypothesis import HealthCheck, example, given, settings

    def statement_holds(sample: Sample) -> None:
        assert_statement(claim, sample)

    # of all claims the test has one body: the name tells them apart in reports and in the example database
    statement_holds.__name__ = statement_holds.__qualname__ = claim.id.replace(".", "_")
    statement_holds._hypothesis_internal_add_digest = claim.id.encode()  # type: ignore[attr-defined]
    examples = EXAMPLES[budget] if settings().max_examples == UNSAID else settings().max_examples
    relaxed = settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    test: Callable[[], None] = relaxed(given(claim.domain.strategy())(statement_holds))
    if claim.expected != "refuted":
        return test
    if known is not None:
        test = example(known)(test)

    def refuted_by_hypothesis() -> None:
        try:
            test()
        except StatementFails:
            return
        raise AssertionError(f"{claim.id} is expected to be refuted, and {examples} examples of Hypothesis do not refute it")

    return refuted_by_hypothesis
