"""Claims with a known verdict: the checker is not led to a wrong or an empty one."""

import dataclasses
import re

import numpy as np
import pytest
from toy_claims import means, squares
from verdict_cases import attacks, claims, hidden, lint, misuse, rounded, ties, vanishing

from verify import Conjectured, Domain, Q, interval
from verify.checker.checking import FEW, Checker
from verify.checker.record import record_of
from verify.claims.catalogue import claims_of
from verify.words import le

CASES = [
    (claim, module.EXPECTED[claim.id])
    for module in (claims, lint, ties, attacks, misuse, hidden, rounded, vanishing)
    for claim in claims_of(module)
    if claim.id in module.EXPECTED
]
SENTENCES = lint.SENTENCES | misuse.SENTENCES | hidden.SENTENCES | rounded.SENTENCES
SEEDS = range(3)


@pytest.mark.one_of(3)
@pytest.mark.filterwarnings("ignore::verify.instances.SlowerOneByOne")
@pytest.mark.parametrize(("claim", "expected"), CASES, ids=lambda value: getattr(value, "id", ""))
def test_the_verdict_is_the_known_one_with_every_seed(claim, expected):
    outcomes, problem = expected
    for seed in SEEDS if claim.id not in SENTENCES else (0,):
        record = record_of(Checker(claim, "quick", seed).everything())
        assert record.outcome in outcomes, (seed, record.problems)
        assert problem in (None, bool(record.problems)), (seed, record.problems)
        if claim.id in SENTENCES:
            assert re.search(re.escape(SENTENCES[claim.id]).replace(r"\|", "|"), "\n".join(record.problems)), record.problems


def test_a_refutation_is_exact_and_can_be_decided_again():
    record = record_of(Checker(ties.GREAT_AND_FALSE, "quick", 0).everything())
    assert record.counterexample is not None
    assert -2 <= record.relative_slack < 0


def test_what_floats_leave_open_is_taken_to_the_rationals_for_every_size():
    record = record_of(Checker(ties.CONSTANT, "quick", 0).everything())
    assert record.decided > 0
    assert record.in_floats + record.decided + record.undecided >= record.feasible


@pytest.mark.parametrize(("claim", "outcome"), [(means.CLAIM, "survived"), (squares.PRINTED, "refuted")])
def test_a_conjecture_never_holds(claim, outcome):
    conjecture = dataclasses.replace(claim, status=Conjectured(), false_variants=means.CLAIM.false_variants)
    record = record_of(Checker(conjecture, "quick", 0).everything())
    assert (record.expected, record.outcome) == ("survived", outcome)
    assert record.as_expected == (outcome == "survived")


def rare(x):
    """False on a part of 1/4000 of the interval, with nothing beside it that leads there."""
    return le(np.where((x > Q("1234/1000")) & (x < Q("1238/1000")), 1, 0), 0)


def test_a_claim_is_drawn_as_often_as_its_false_variants():
    claim = dataclasses.replace(means.CLAIM, statement=rare, domain=Domain({"x": interval(-8, 8)}), false_variants={"it": rare})
    claim = dataclasses.replace(claim, tight={}, exact={}, needs=())
    once, often = ([Checker(claim, seed=seed).searched(count).outcome for seed in range(12)] for count in (1, 4))
    assert once.count("refuted") < 9 < often.count("refuted")
    variant = [Checker(claim, seed=seed).refutes("it").refuted for seed in range(12)]
    assert sum(variant) - often.count("refuted") <= 2


def test_of_a_slow_statement_more_is_drawn():
    slow = dataclasses.replace(means.CLAIM, cost=1000)
    assert Checker(slow).searched().feasible > 3 * Checker(slow).searched(1).feasible
    assert Checker(slow).searched().feasible >= FEW
