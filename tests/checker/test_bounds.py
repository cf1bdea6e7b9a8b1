"""What the baseline guards beside the bounds: the strength of a check."""

from dataclasses import replace

from verify import catalogue
from verify.checker.bounds import UNNOTICED, measured_by_id, strengths_of
from verify.checker.evidence.baseline import compare, regressed
from verify.checker.strength import NOTHING, Noticed, known_strengths

CLAIM = catalogue()["notion_of_rank.prop_3"]
KNOWN = known_strengths("theorems")[CLAIM.id]


def test_a_strength_that_falls_is_a_regression():
    before = strengths_of(CLAIM, KNOWN)
    assert before["strength of comparison"].value == 1e-6
    for amount, value in (("1e-2", 1e-2), (NOTHING, UNNOTICED)):
        now = strengths_of(CLAIM, replace(KNOWN, comparisons={"": Noticed(amount)}))
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
    assert {"smallest relative slack", "strength of comparison", "strength of constant exponent"} <= set(found)


def test_all_strengths_of_the_catalogue_are_of_the_present_claims():
    claims, known = catalogue(), known_strengths("theorems")
    assert set(known) == set(claims)
    stale = [name for name, claim in claims.items() if claim.expected == "holds" and not strengths_of(claim, known[name])]
    assert stale == []
    silent = [name for name, one in known.items() if one.worst is not None and one.worst.size > 1]
    assert silent == [], "what nothing notices says why it is loose"
