"""The parts of a check beside its search: exact parts, rates, tight examples, and what is said of what a search leaves open."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from verify import Claim, Domain, FalseAsPrinted, Q, Rate, Source, Tight, interval, reals
from verify.checker.batches import answers_otherwise, depends_on_the_batch, first_answers, floats_disagree, true_again
from verify.checker.checking import LEFT_OPEN, Checker, open_questions
from verify.checker.strength import measure_strength, with_error
from verify.claims.domain import Sample
from verify.numbers.arithmetic import is_exact, rationals
from verify.numbers.exactness import Ball
from verify.numbers.relation import Verdict
from verify.search import Findings, Refutation
from verify.search.decide import decide_sample
from verify.words import eq, ge, le, lifted, sqrt

LADDER = (2, 4, 8, 16, 32, 64)
MEANS = Claim(
    id="toy.means",
    title="The product of two numbers",
    source=Source("toy", "derived here"),
    statement=lambda x, y: le(2 * x * y, x * x + y * y),
    domain=Domain({"x": reals(), "y": reals()}),
    tight={"equal": {"x": 1, "y": 1}},
    false_variants={"three": lambda x, y: le(3 * x * y, x * x + y * y)},
)


def problems(**more):
    return Checker(replace(MEANS, **more)).everything().problems()


def test_an_exact_part_that_fails_refutes_the_claim():
    outcome = Checker(replace(MEANS, exact={"one": lambda: le(rationals(2), rationals(1))})).everything()
    assert outcome.searched.outcome == "survived"
    assert outcome.outcome == "refuted"
    assert outcome.problems() == ["expected survived, got refuted", "exact part 'one': FAILS"]


@pytest.mark.parametrize(
    ("argument", "verdict", "evidence"), [("It is all there is.", 1, "argued"), (" ", 1, "exact"), ("It is all.", 2, "exact")]
)
def test_what_a_part_decides_is_argued_by_an_argument(argument, verdict, evidence):
    part = {"one": lambda: eq(rationals(verdict), rationals(1))}
    outcome = Checker(replace(MEANS, exact=part, proof="one", argument=argument)).everything()
    assert outcome.evidence == evidence
    asked = "proof='one' names a part that is not derived from the statement: say in argument= why it decides it"
    assert (asked in outcome.problems()) == (argument == " ")


def test_without_a_decision_on_rationals_the_evidence_is_a_search():
    outcome = Checker(MEANS).everything()
    assert outcome.evidence == "exact"
    assert replace(outcome, searched=replace(outcome.searched, decided=0)).evidence == "searched"
    part = {"one": Checker(replace(MEANS, exact={"one": lambda: eq(rationals(1), rationals(1))})).exact("one")}
    assert replace(outcome, searched=replace(outcome.searched, decided=0), exact=part).evidence == "exact"


def test_an_exact_part_compares_something():
    found = problems(exact={"nothing": lambda: le(rationals([]), rationals([]))})
    (said,) = found
    assert "the exact part 'nothing' must compare rationals or balls, and at least one pair" in said


@pytest.mark.parametrize(
    ("rate", "said"),
    [
        (Rate(lambda n: n**-2.0, LADDER, -2), None),
        (Rate(lambda n: n**-2.0, LADDER, -1), r"rate -2\.0000 \+- 0\.0000, stated -1$"),
        (Rate(lambda n: 0 * n, LADDER, -1), "rate: .*quantity must give a positive number for every size"),
        (Rate(lambda n: n.chalk, LADDER, -1), "rate: .*chalk"),
    ],
)
def test_a_rate_is_fitted_and_what_is_wrong_with_it_is_told(rate, said):
    found = problems(rate=rate)
    assert len(found) == (said is not None)
    assert all(re.match(said, problem) for problem in found)


def test_a_claim_without_a_rate_has_none():
    with pytest.raises(ValueError, match=r"toy\.means states no rate"):
        Checker(MEANS).rate()


def test_a_claim_is_complete_when_all_that_it_promises_was_checked():
    claim = replace(MEANS, rate=Rate(lambda n: n**-2.0, LADDER, -2), exact={"one": lambda: eq(rationals(1), rationals(1))})
    checker = Checker(claim)
    parts = (checker.searched, lambda: checker.tight("equal"), lambda: checker.refutes("three"), checker.rate)
    for part in (*parts, lambda: checker.exact("one")):
        assert not checker.is_complete
        part()
    assert checker.is_complete
    seconds = checker.seconds
    checker.refutes("three")
    assert checker.seconds == seconds > 0


PART = {"x": 1, "y": 1}
POSITIVE = Domain(
    {"x": interval(0, np.inf), "y": reals()}, hypotheses={"x above y": lambda x, y: x >= y, "small": lambda x: x < 9}
)


@pytest.mark.parametrize(
    ("instance", "options", "said"),
    [
        (PART, {}, ""),
        ({"x": 2, "y": 1}, {}, "relative slack 0.2"),
        ({"x": 2, "y": 1}, {"relative_slack": Q("1/5"), "why": "It is near."}, ""),
        ({"x": 2, "y": 1}, {"relative_slack": Q("1/6"), "why": "It is near."}, "relative slack 0.2 (It is near.)"),
        ({"x": 1, "y": 2}, {}, "the instance breaks: x above y"),
        ({"x": 9, "y": 10}, {}, "the instance breaks: x above y, small"),
        ({"x": -1, "y": -1}, {}, "the instance is outside the domain: x"),
        (PART, {"of": ("sum",)}, "of= names ['sum'], the comparisons are ''"),
    ],
)  # fmt: skip
def test_a_tight_example_lies_in_the_domain_and_attains_what_it_names(instance, options, said):
    found = Checker(replace(MEANS, domain=POSITIVE, tight={"one": Tight(lambda: instance, **options)})).tight("one")
    outcome = replace(Checker(MEANS).everything(), tight={"one": found})
    told = [problem for problem in outcome.problems() if problem.startswith("not tight at 'one'")]
    assert found.as_expected == (said == "")
    assert [problem.startswith(f"not tight at 'one': {said}") for problem in told] == [True] * (said != "")


def test_a_tight_example_of_floats_is_attained_up_to_rounding():
    third = {"x": 1 / 3, "y": 1 / 3}
    lost = lambda x, y: le(2 * x * y, (x * x + y * y) * (1 + 2.0**-30))  # noqa: E731
    assert Checker(replace(MEANS, tight={"third": third})).tight("third").as_expected
    found = Checker(replace(MEANS, statement=lost, tight={"third": third})).tight("third")
    assert not found.as_expected
    assert found.relative_slack == pytest.approx(2.0**-30, rel=1e-6)
    failing = Checker(replace(MEANS, statement=lambda x, y: le(2 * x * y * Q("11/10"), x * x + y * y))).tight("equal")
    assert (failing.as_expected, failing.relative_slack < -0.05) == (False, True)


@pytest.mark.parametrize(("partly", "tight"), [(False, False), (True, True)])
def test_some_entries_are_enough_where_that_is_said(partly, tight):
    claim = replace(
        MEANS,
        statement=lambda x: le(x, 1, name="entries"),
        domain=Domain({"x": interval(0, 1, 3)}),
        tight={"one": Tight(lambda: {"x": [1, "1/2", 1]}, partly=partly)},
        false_variants={"less": lambda x: le(x + 1, 1)},
    )
    assert Checker(claim).tight("one").as_expected == tight


def test_a_tight_example_speaks_for_the_comparisons_that_it_names():
    def both(x, y):
        return le(2 * x * y, x * x + y * y, name="means") & le(x, x + 1, name="more") & eq(x + y, y + x, name="sum")

    def named(*of):
        return Checker(replace(MEANS, statement=both, tight={"one": Tight(lambda: PART, of=of)})).tight("one")

    assert (named().as_expected, named().reached, named().bounds) == (True, ("means",), ("means", "more"))
    assert (named("means").as_expected, named("means").relative_slack) == (True, 0)
    assert (named("means", "more").as_expected, named("means", "more").relative_slack) == (False, 1 / 2)
    assert named("sum").as_expected


def test_what_returns_no_relation_at_floats_is_told():
    claim = replace(MEANS, statement=lambda x, y: 7 if x == 0.25 else le(2 * x * y, x * x + y * y))
    found = Checker(replace(claim, tight={"quarter": {"x": 0.25, "y": 0.25}})).tight("quarter")
    assert "the statement must return a relation, it returned int" in found.why


def questions(**more):
    findings = Findings(feasible=10, in_floats=5)
    for name, value in more.items():
        setattr(findings, name, value)
    return open_questions(findings, decided=more.pop("decided", 4), drawn=20, broken_by={"such": 3, "other": 0})


def test_what_a_search_leaves_open_is_said():
    assert questions() == []
    (nothing,) = questions(feasible=0)
    assert "no drawn instance satisfied the hypotheses" in nothing
    assert "(of 20 drawn, broken: 'such' by 3)" in nothing
    findings = Findings(feasible=10)
    (undecided,) = open_questions(findings, 0, 20, {})
    assert undecided.endswith("floats decide none of 10 feasible instances, and rationals none of 0 that were taken to them")
    findings.exactly[Verdict.UNDECIDED] = 3
    relation = decide_sample(lambda x: le(sqrt(x) * sqrt(x + 1), sqrt(x * (x + 1))), Domain({"x": reals()}), sample(3)).relation
    findings.settled = [(sample(3), relation)]
    assert "at 3 of them both sides agree to hundreds of digits" in open_questions(findings, 0, 20, {})[0]
    wide = np.array([Ball(arb(0, 1))], dtype=object)
    findings.settled.append((sample(1), le(wide, 0)))
    assert open_questions(findings, 0, 20, {})[0].endswith(f"at 3 of them {LEFT_OPEN}")


def sample(x):
    return Sample({}, {"x": rationals(x)})


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"unknown_domain": 1}, None),
        ({"unknown_domain": 2}, "at 2 of the instances .* the hypotheses themselves are not decided"),
        ({"unknown_inside": 1}, "at 1 of the instances that were taken to the rationals a comparison inside the statement"),
        ({"nowhere": [1, 2]}, "at 2 feasible instances a side is no number in the exact arithmetic either"),
        ({"unconfirmed": [1]}, "1 instances fail in floats beyond their error; rationals neither confirm nor refute them"),
        ({"unconfirmed": [1], "unexamined": 5}, "1 instances fail in floats beyond their error; rationals neither"),
        ({"unexamined": 5}, "5 more instances fail in floats beyond their error and were not decided on rationals$"),
    ],
)  # fmt: skip
def test_each_open_question_is_one_problem(found, said):
    told = questions(**found)
    assert len(told) == (said is not None)
    assert all(re.match(said, problem) for problem in told)


def test_how_many_of_what_fails_in_floats_hold_is_said():
    findings = Findings(feasible=10, in_floats=5, unexamined=2)
    findings.exactly[Verdict.HOLDS] = 7
    (said,) = open_questions(findings, 7, 20, {})
    assert "the 7 that were decided hold, so that floats seem to cancel here" in said


def test_instances_that_are_no_numbers_and_have_no_exact_evaluation_are_counted():
    findings = Findings(feasible=10, in_floats=5)
    findings.not_a_number_of[3,] += 4
    findings.not_a_number_of[2,] += 4
    findings.without_exact[3,] += 1
    (said,) = open_questions(findings, 4, 20, {})
    assert said.startswith("at 4 feasible instances a side is no number in floats, and there is no exact evaluation")


class Counted:
    """A statement that says something else from a call on."""

    def __init__(self, calls, first, then):
        self.calls, self.first, self.then = calls, first, then

    def __call__(self, x):
        self.calls -= 1
        return (self.first if self.calls >= 0 else self.then)(x)


LINE = Domain({"x": reals()})


@pytest.mark.parametrize(
    ("then", "said"),
    [
        (lambda x: le(x, x + 1), None),
        (lambda x: le(x, x + 2), "the right side is another number when it is asked again"),
        (lambda x: le(x, x + 1) & le(x, x + 1, name="more"), "answers otherwise when it is asked again"),
    ],
)
def test_a_statement_that_answers_otherwise_later_is_told(then, said):
    claim = replace(
        MEANS, domain=LINE, tight={}, statement=lambda x: le(x, x + 1), false_variants={"a": lambda x: le(x + 1, x)}
    )
    cache = Checker(claim).cache
    statement = Counted(1, claim.statement, then)
    first = first_answers(statement, cache)
    answer = answers_otherwise(statement, cache, first)
    assert answer == "" if said is None else said in answer
    assert answers_otherwise(statement, cache, None) == ""


def test_a_refutation_that_is_none_when_it_is_asked_again_is_told():
    false, true = (lambda x: le(x, x - 1)), (lambda x: le(x, x + 1))
    refutation = Refutation(sample(1), decide_sample(false, LINE, sample(1)).relation)
    assert true_again(false, LINE, refutation) == ""
    for calls in (0, 1, 2):
        assert "not when it is asked again of it" in true_again(Counted(calls, false, true), LINE, refutation)
    assert true_again(Counted(3, false, true), LINE, refutation) == ""


def test_another_number_of_comparisons_on_rationals_is_told():
    def statement(x):
        return le(x, x + 1) if is_exact(x) else le(x, x + 1) & ge(x + 1, x, name="more")

    claim = replace(MEANS, domain=LINE, tight={}, statement=statement, false_variants={"a": lambda x: le(x + 1, x)})
    settled = [(sample(k), decide_sample(statement, LINE, sample(k)).relation) for k in range(4)]
    said = floats_disagree(statement, Checker(claim).cache, settled)
    assert "it has 2 comparisons in floats and 1 on rationals: both must be one statement" in said


def with_several_answers(x):
    """Another shape, or another number of comparisons, for one instance than for several."""
    return lifted(lambda values: values if len(values) > 1 else np.stack([values, values], -1))(x)


def test_what_has_another_form_for_one_instance_is_told():
    def shaped(x):
        return le(with_several_answers(x), with_several_answers(x) + 1)

    def counted(x):
        lengths = []
        y = lifted(lambda values: (lengths.append(len(values)), values)[1])(x)
        both = le(y, y + 1)
        return both & le(y, y + 2, name="more") if lengths == [1] else both

    cache = Checker(replace(MEANS, domain=LINE, tight={}, statement=counted, false_variants={"a": counted})).cache
    assert "has another shape for one instance than in a batch" in depends_on_the_batch(shaped, cache)
    said = depends_on_the_batch(counted, cache)
    assert "it has 2 comparisons for one instance and 1 for the batch: the number must not depend on the batch" in said
    assert depends_on_the_batch(lambda x: le(x, x + 1), cache) == ""


def test_a_hypothesis_that_answers_otherwise_later_is_told():
    limit = [-1]
    statement = lambda x: le(x, x + 1)  # noqa: E731
    domain = Domain({"x": reals()}, hypotheses={"fickle": lambda x: x > limit[0]})
    cache = Checker(replace(MEANS, domain=domain, tight={}, statement=statement, false_variants={"a": le})).cache
    first = first_answers(statement, cache)
    assert answers_otherwise(statement, cache, first) == ""
    limit[0] = 1
    said = answers_otherwise(statement, cache, first)
    assert "the hypothesis 'fickle' answers otherwise when it is asked again of the same instances" in said


def test_only_the_comparison_that_is_named_is_moved_the_wrong_way():
    def both(x):
        return le(x, 2, name="upper") & ge(x, 1, name="lower")

    for name, slacks in (("upper", [0.3, 0.5]), ("lower", [0.5, 0.35]), ("none", [0.5, 0.5])):
        for x in (np.array([1.5]), rationals(["3/2"])):
            moved = with_error(both, name, Fraction(1, 10))(x=x)
            assert [float(part.slack[0]) for part in moved.comparisons] == pytest.approx(slacks)
    by_a_unit = with_error(both, "upper", Fraction(1, 10), Fraction(4))(x=np.array([1.5]))
    assert float(by_a_unit.comparisons[0].slack[0]) == pytest.approx(0.1)


def test_of_what_is_false_nothing_is_measured():
    found = measure_strength(replace(MEANS, status=FalseAsPrinted("toy.corrected"), false_variants={}, tight={}))
    assert (found.comparisons, found.constants, found.in_a_word()) == ({}, {}, "-")
    assert found.fingerprint
