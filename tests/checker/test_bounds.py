"""What the baseline guards beside the bounds: the strength of a check."""

from dataclasses import replace

import pytest

from verify import catalogue
from verify.checker.baseline import SEEDS, SLACK, Quantity, compare, measure, regressed
from verify.checker.bounds import NOT_REFUTED, measured_by_id, strengths_of
from verify.checker.checking import Checker
from verify.checker.strength import NOTHING, Detected, known_strengths
from verify.evidence.fingerprint import claim_fingerprint

CLAIM = catalogue()["notion_of_rank.prop_3"]
KNOWN = known_strengths("theorems")[CLAIM.id]


def test_a_strength_that_falls_is_a_regression():
    before = strengths_of(CLAIM, KNOWN)
    assert before["strength of comparison"].value == 1e-6
    for amount, value in (("1e-2", 1e-2), (NOTHING, NOT_REFUTED)):
        now = strengths_of(CLAIM, replace(KNOWN, comparisons={"": Detected(amount)}))
        (found,) = regressed(compare({CLAIM.id: before}, {CLAIM.id: now}))
        assert (found.quantity, found.now.value) == ("strength of comparison", value)


def test_what_was_measured_of_another_claim_guards_nothing():
    assert strengths_of(CLAIM, replace(KNOWN, fingerprint="0" * 16)) == {}
    assert strengths_of(CLAIM, replace(KNOWN, problem="KeyError: 'x'")) == {}
    assert strengths_of(CLAIM, None) == {}
    before = {CLAIM.id: strengths_of(CLAIM, KNOWN)}
    assert {one.change for one in compare(before, {CLAIM.id: {}})} == {"gone"}


def test_bounds_and_strength_stand_side_by_side():
    found = measured_by_id("theorems", CLAIM.id)
    assert {"smallest relative slack", "strength of comparison", "strength of constant p"} <= set(found)


def test_all_strengths_of_the_catalogue_are_of_the_present_claims():
    claims, known = catalogue(), known_strengths("theorems")
    assert set(known) == set(claims)
    stale = [name for name, claim in claims.items() if claim.expected == "survived" and not strengths_of(claim, known[name])]
    assert stale == []
    silent = [name for name, one in known.items() if one.worst is not None and one.worst.size > 1]
    assert silent == [], "what nothing notices says why it is loose"


@pytest.mark.parametrize(("ratio", "searches"), [(1.0, 1), (2.0, 1), (0.5, 3)])
def test_other_seeds_are_searched_with_only_where_one_comes_less_near_than_before(monkeypatch, ratio, searches):
    claim = catalogue()["notion_of_rank.theorem_1.chain"]
    seeds = []

    least = replace(Checker(claim, "quick", 0).searched(), relative_slack=0.25)
    monkeypatch.setattr(Checker, "searched", lambda checker, drawings: seeds.append(checker.seed) or least)  # noqa: ARG005
    before = {SLACK: Quantity(0.25 * ratio, 0.0, "smaller", "before", claim_fingerprint(claim))}
    now = measure(claim, known=before)
    assert now[SLACK].value == 0.25
    assert seeds == list(SEEDS[:searches])
    (found,) = compare({claim.id: before}, {claim.id: {SLACK: now[SLACK]}})
    assert (found.change == "REGRESSED") is (searches == 3)


def test_of_another_statement_all_seeds_are_searched_with(monkeypatch):
    seeds = []
    least = Checker(CLAIM, "quick", 0).searched()
    monkeypatch.setattr(Checker, "searched", lambda checker, drawings: seeds.append(checker.seed) or least)  # noqa: ARG005
    measure(CLAIM, known={SLACK: Quantity(1e9, 0.0, "smaller", "before", "0" * 16)})
    assert seeds == list(SEEDS)
