"""What is said of proofs: their words and rules, typeset, and what Coq accepted."""

import re

import pytest

from verify.checker.running import claims_in
from verify.claims.packages import ALL_SIZES
from verify.evidence.files import certificate_folder
from verify.notation.formulas import readable
from verify.proofs import methods
from verify.proofs.certificate import document_of, read_certificate
from verify.proofs.coq import by_hand
from verify.proofs.coq.kernel import Accepted, Record, exporter, write_record
from verify.report.description import describe
from verify.report.evidence import evidence_of
from verify.report.fragments import inline
from verify.report.proved import METHODS, Proofs, proofs

EVERYWHERE = sorted(path.stem for path in (certificate_folder() / ALL_SIZES).glob("*.json"))


@pytest.mark.parametrize("name", EVERYWHERE)
def test_proofs_for_all_sizes_read_as_words_and_rules(name):
    found = proofs(claims_in("theorems")[name], "theorems")
    assert found.head.startswith("proved (all sizes)"), "its certificate is of an earlier statement"
    text = "\n".join(found.lines)
    assert "on letters, for every " in text
    assert re.search("both sides are|are the same words|which is not negative", text)
    # every formula can be shown, on a page and in a terminal
    assert all("<math" in inline(line) for line in found.lines if ":math:`" in line)
    assert "\\" not in "".join(map(readable, found.lines))


def test_a_proof_as_one_reads_it():
    lines = proofs(claims_in("theorems")["feature_learning.weight_decomposition.minimal"], "theorems").lines
    assert ":math:`P_{1}` is the pseudo-inverse of :math:`S`" in "\n".join(lines)
    (smallest,) = [line for line in lines if line.startswith("smallest: ")]
    assert readable(smallest).endswith("right less left is ‖− V S P₁ + V‖², which is not negative")
    (rules,) = [line for line in lines if line.startswith("rules: ")]
    assert "Penrose's equations" in rules


def test_what_a_hypothesis_gives_is_said():
    lines = proofs(claims_in("theorems")["leaky_resnets.cost_of_identity"], "theorems").lines
    assert any(line.startswith("by hypothesis (the cost is finite): ") for line in lines)


def test_what_coq_accepted_is_said_and_what_it_did_not_is_not(tmp_path, monkeypatch):
    claim = claims_in("theorems")["leaky_resnets.adaptive_steps.cycle"]
    file = tmp_path / "kernel.json"
    monkeypatch.setattr("verify.proofs.coq.kernel.kernel_file", lambda _: file)
    before = proofs(claim, "theorems")
    assert before.head
    assert "Coq" not in str(before)
    digest = document_of(read_certificate(certificate_folder() / f"{claim.id}.json"))["digest"]
    write_record(Record(exporter(), (), {claim.id: Accepted(digest, 7, True, "8.16.1")}), file)
    after = proofs(claim, "theorems")
    assert after.head == f"{before.head}, Coq"
    assert after.lines == (*before.lines, "Coq 8.16.1: its kernel accepted all of this, as 7 theorems")
    assert "its kernel accepted" in describe(claim, {claim.id: claim})
    write_record(Record(exporter(), (), {claim.id: Accepted("0" * 64, 7, True, "8.16.1")}), file)
    assert proofs(claim, "theorems") == before


def test_every_method_has_words():
    assert set(METHODS) == {method.METHOD for method in methods.METHODS}


def test_a_claim_without_certificate_has_no_proofs():
    claim = claims_in("theorems")["leaky_resnets.adaptive_steps.cycle"]
    assert proofs(claim, "tests.toy_claims") == Proofs("", ())


def test_a_theorem_in_coq_counts_where_it_is_recorded(tmp_path, monkeypatch):
    claim = claims_in("theorems")["leaky_resnets.theorem_4.pointwise"]
    assert evidence_of(claim, "theorems").endswith("Coq (all sizes)")
    known = proofs(claim, "theorems")
    assert known.for_all_sizes
    assert any("theorem_4_pointwise in coq/StableKernel.v" in line for line in known.lines)
    assert "theorem_4_pointwise in coq/StableKernel.v" in describe(claim, {claim.id: claim})
    monkeypatch.setattr(by_hand, "folder_of", lambda _: tmp_path)
    _read_anew()
    try:
        assert "Coq" not in evidence_of(claim, "theorems")
        assert not proofs(claim, "theorems").is_proved
    finally:
        _read_anew()


def _read_anew():
    by_hand._record.cache_clear()
    # read with the other folder, where a test module that has it by name makes `meaning` forget it
    by_hand.theorems_by_hand.cache_clear()


def test_the_command_that_checks_a_certificate_stands_beside_what_is_not_checked(monkeypatch):
    claim = claims_in("theorems")["leaky_resnets.legendre.duality"]
    monkeypatch.setattr("verify.proofs.checked._kept", frozenset)
    monkeypatch.setattr("verify.checker.last_run.last_results", lambda _: {})
    shown = describe(claim, {claim.id: claim}, for_a_terminal=True)
    said, *_ = [line.strip() for line in shown.splitlines() if "certificate" in line or "Coq" in line]
    assert said.startswith("exact, certificate not checked here, Coq (all sizes): `verify check ")
    assert said.endswith(f"{claim.id}.json` does it")
