"""What follows from another claim is proved with it, and with nothing else."""

import json
import random
from dataclasses import replace

import pytest

from verify import Claim, Domain, Follows, Source, catalogue, integers, reals
from verify.proofs import independent, references
from verify.proofs.certificate import Certificate, Deadline, NotProved, Proof
from verify.proofs.methods import prove
from verify.proofs.smtlib import smtlib
from verify.words import exp, ge, le


def claim(name, statement, domain, *follows):
    return Claim(
        f"toy.{name}", "", Source("toy", "derived here"), statement, domain, {"a": lambda x: le(x, 0 * x)}, follows=follows
    )


LINE = Domain({"x": reals()})
PLANE = Domain({"x": reals(), "y": reals()})
KNOWN = claim("known", lambda x: ge(exp(x * x - 1), x * x), LINE)
OTHER = Follows(KNOWN, lambda coordinates: {"x": coordinates["y"]})
BOTH = claim("both", lambda x, y: ge(exp(x * x - 1) + exp(y * y - 1), x * x + y * y), PLANE, Follows(KNOWN), OTHER)


def written(found):
    return Proof(found.method, found.sizes, found.covers, tuple(found.hypotheses), json.loads(json.dumps(found.data)))


def test_a_sum_follows_from_its_parts():
    found = written(references.prove(BOTH, {}, Deadline(60)))
    references.check(BOTH, found)
    assert found.covers == "all instances"
    with pytest.raises(independent.NotChecked, match="what is given is what the tree assumes"):
        independent.check_by_reference(found.data)
    assert [one["claim"] for one in found.data["given"]] == ["toy.known", "toy.known"]
    certificate, reasons = prove(BOTH, 1, 60)
    assert not reasons
    assert [one.method for one in certificate.proofs] == ["by_reference"]


def test_both_are_exported():
    script = smtlib(Certificate("toy.both", "0" * 16, (written(references.prove(BOTH, {}, Deadline(60))),)))
    assert script.count("(check-sat)") >= 2


def test_what_does_not_follow_is_not_proved():
    stronger = replace(BOTH, statement=lambda x, y: ge(exp(x * x - 1) + exp(y * y - 1), x * x + y * y + x - x * x * y))
    with pytest.raises(NotProved):
        references.prove(stronger, {}, Deadline(5))
    with pytest.raises(NotProved, match="names no other claim"):
        references.prove(KNOWN, {}, Deadline(20))


def test_sizes_that_the_other_claim_does_not_have():
    known = claim("sized", lambda x: ge(x * x, 0), Domain({"x": reals("n")}, {"n": (2,)}))
    one = claim("one", lambda x: ge(x * x, 0), Domain({"x": reals("n")}, {"n": (1, 2)}), Follows(known))
    with pytest.raises(NotProved, match=r"toy\.sized has no sizes"):
        references.prove(one, {"n": 1}, Deadline(5))


def test_what_is_false_is_no_ground():
    false = claim("false", lambda x: ge(exp(x * x - 1), x * x + 1), LINE)
    with pytest.raises(NotProved, match=r"toy\.false is not proved"):
        references.prove(replace(BOTH, follows=(Follows(false),)), {}, Deadline(20))


def test_outside_its_domain_nothing_is_assumed():
    positive = claim(
        "positive",
        lambda x: ge(x, 0),
        Domain({"x": reals()}, hypotheses={"x is not negative": lambda x: x >= 0}),
    )
    with pytest.raises(NotProved, match="no sum of squares"):
        references.prove(claim("all", lambda x: ge(x, 0), LINE, Follows(positive)), {}, Deadline(20))
    whole = claim("whole", lambda k: ge(k * k, k), Domain({"k": integers(0, 3)}))
    with pytest.raises(NotProved, match=r"k of toy\.whole must be integers"):
        references.prove(
            claim("all", lambda x: ge(x * x, x), LINE, Follows(whole, lambda given: {"k": given["x"]})), {}, Deadline(20)
        )


def test_other_claims_are_no_ground():
    found = written(references.prove(BOTH, {}, Deadline(60)))
    given = found.data["given"]
    for changed in ([], given[:1], [*given, given[0]], [{**given[0], "claim": "toy.other"}, given[1]]):
        with pytest.raises(NotProved):
            references.check(BOTH, replace(found, data={**found.data, "given": changed}))
    with pytest.raises(NotProved):  # without what follows, the tree has other assumptions
        references.check(replace(BOTH, follows=()), found)
    with pytest.raises(independent.Rejected, match="taken for known"):
        independent.check_by_reference({**found.data, "given": []})
    bad = json.loads(json.dumps(given))
    bad[0]["proof"]["method"] = "identity"
    with pytest.raises(independent.Rejected):
        independent.check_by_reference({**found.data, "given": bad})


def test_no_changed_proof_of_what_is_given_stands():
    found = written(references.prove(BOTH, {}, Deadline(60)))
    rng = random.Random(0)
    text = json.dumps(found.data["given"])
    places = [place for place, character in enumerate(text) if character.isdigit()]
    for place in rng.sample(places, min(40, len(places))):
        digit = str((int(text[place]) + 1) % 10)
        data = {**found.data, "given": json.loads(text[:place] + digit + text[place + 1 :])}
        with pytest.raises((NotProved, ValueError, KeyError, TypeError, IndexError, AttributeError, ZeroDivisionError)):
            references.check(BOTH, replace(found, data=data))


def test_the_conclusion_of_theorem_10_follows_from_its_steps():
    one = catalogue()["bottleneck_structure.theorem_10"]
    found = written(references.prove(one, {"depth": 1, "inputs": 1, "width": 1, "outputs": 1}, Deadline(60)))
    references.check(one, found)
    assert [given["claim"].split(".")[-1] for given in found.data["given"]] == ["growth", "kernel", "kernel"]
    variant = next(iter(one.false_variants.values()))
    with pytest.raises(NotProved):
        references.prove(replace(one, statement=variant), found.sizes, Deadline(10))
