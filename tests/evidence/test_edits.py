"""Whatever is edited of what a statement reaches, all evidence is of another statement; and of nothing else it is."""

from __future__ import annotations

import os
import re
import string
import subprocess
import sys

import numpy as np
import pytest
from edits import DOMAIN_EDITS, EDITS, Edit, claim_of, write
from typer.testing import CliRunner

from verify.checker.baseline import Quantity, compare, read_baseline, write_baseline
from verify.checker.bounds import strengths_of
from verify.checker.campaign import entry_of
from verify.checker.checking import Searched
from verify.checker.strength import Detected, Strength, read_strengths, write_strengths
from verify.claims.domain import Domain, Sample
from verify.claims.variables import reals
from verify.cli import app
from verify.cones import conical_hull
from verify.evidence import UnusableWitness, read_witness, recheck, write_witness
from verify.evidence.fingerprint import claim_fingerprint, source_fingerprint, strength_fingerprint
from verify.evidence.ledger import append
from verify.evidence.meaning import meaning
from verify.evidence.witness import Witness
from verify.instances import one_by_one
from verify.numbers.arithmetic import rationals
from verify.numbers.exactness import exact_evaluation
from verify.proofs.all_sizes import proof as all_sizes
from verify.proofs.certificate import Certificate, Deadline, Proof, UnusableCertificate, read_certificate, write_certificate
from verify.proofs.methods import check, prove
from verify.words import eq, le

PACKAGE = "edited_package"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    # files of a package are written from its own project only
    monkeypatch.chdir(tmp_path)
    # an edit within a tick of the clock, of equal length, is not seen by who keeps byte code
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return tmp_path


def quantity(claim):
    return {"smallest relative slack": Quantity(0.5, 0.0, "smaller", "none", claim_fingerprint(claim))}


def make_evidence(claim, folder):
    """Evidence of every kind, where its readers look for it."""
    for name in ("certificates", "witnesses"):
        (folder / PACKAGE / name).mkdir()
    append(folder / "ledger.jsonl", entry_of(claim, Searched("survived", drawn=1, feasible=1, evaluations=1), "quick", 0))
    coordinates = {
        name: np.array(one, dtype=object) for name, one in Sample({}, {"x": 1, "y.x": 1}).exact().coordinates.items()
    }
    write_witness(
        Witness(claim.id, "power 0", Sample({}, coordinates), "1", "2", claim_fingerprint(claim, "power 0")),
        folder / PACKAGE / "witnesses" / "edited.claim.json",
    )
    proof = Proof("identity", {}, "all real coordinates", (), {"pieces": []})
    write_certificate(
        Certificate(claim.id, claim_fingerprint(claim), (proof,)), folder / PACKAGE / "certificates" / "edited.claim.json"
    )
    known = Strength(strength_fingerprint(claim), {"": Detected("1e-6", "search: batched")})
    write_strengths(folder / PACKAGE / "strength.json", {claim.id: known})
    write_baseline(folder / PACKAGE / "baseline.json", {claim.id: quantity(claim)})


def believed(claim, folder):
    """Which readers take the evidence for that of the claim as it is."""
    found, said = set(), []
    shown = CliRunner().invoke(app, ["ledger", "show", str(folder / "ledger.jsonl"), "--package", PACKAGE])
    assert shown.exit_code == 0, shown.output
    if "void, the statement has changed since" not in shown.stdout:
        found.add("ledger")
    try:
        read_witness(folder / PACKAGE / "witnesses" / "edited.claim.json", {claim.id: claim})
        found.add("witness")
    except UnusableWitness as error:
        said.append(str(error))
    assert all("the statement of edited.claim has changed since" in one for one in said)
    certificate = read_certificate(folder / PACKAGE / "certificates" / "edited.claim.json")
    if certificate.fits(claim):
        found.add("certificate")
    else:
        with pytest.raises(UnusableCertificate, match="has changed since"):
            check(certificate, claim)
    if strengths_of(claim, read_strengths(folder / PACKAGE / "strength.json")[claim.id]):
        found.add("strength")
    (change,) = compare(read_baseline(folder / PACKAGE / "baseline.json"), {claim.id: quantity(claim)})
    if change.change == "unchanged":
        found.add("baseline")
    else:
        assert change.change == "statement changed"
    return found


EVERYTHING = {"ledger", "witness", "certificate", "strength", "baseline"}


@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_makes_all_evidence_void(kind, folder):
    edit = EDITS[kind]
    write(folder, edit.files(after=False), PACKAGE)
    before = claim_of(PACKAGE)
    make_evidence(before, folder)
    print_ = claim_fingerprint(before)
    again = claim_of(PACKAGE)
    assert believed(again, folder) == EVERYTHING
    write(folder, edit.files(after=True), PACKAGE)
    after = claim_of(PACKAGE)
    assert believed(after, folder) == set()
    # each part alone has detected it
    pairs = zip(print_.split("-"), claim_fingerprint(after).split("-"), strict=True)
    assert [one == other for one, other in pairs] == [False, False]


@pytest.mark.parametrize("kind", DOMAIN_EDITS)
def test_an_edit_of_the_domain_makes_all_evidence_void(kind, folder):
    files = EDITS["a constant"].files(after=False)
    files["claims.py"] = "from fractions import Fraction\n" + files["claims.py"]
    write(folder, files, PACKAGE)
    make_evidence(claim_of(PACKAGE), folder)
    assert believed(claim_of(PACKAGE), folder) == EVERYTHING
    assert DOMAIN_EDITS[kind][0] in files["claims.py"]
    write(folder, files | {"claims.py": files["claims.py"].replace(*DOMAIN_EDITS[kind])}, PACKAGE)
    assert believed(claim_of(PACKAGE), folder) == set()


def rewritten(code):
    """The code of the claim written otherwise: other names, another order of the sides, and a comparison over an axis."""
    changed = code.replace("return ge((FACTOR) * x**power + y - y, x)", "return le(x[None], times(x, power)[None])")
    assert changed != code
    return changed.replace("import ge\n", "import le\n") + "\n\ndef times(x, exponent):\n    return x**exponent + x**exponent\n"


def carry(*arguments):
    result = CliRunner().invoke(app, ["carry", "--package", PACKAGE, *arguments])
    # other steps may lead to the same statement
    assert ("verify check says which" in result.stderr) == bool(
        re.search(r"certificate(?: for all sizes)? +carried", result.stdout)
    )
    return result.exit_code, result.stdout


def test_evidence_is_carried_over_to_a_statement_that_is_written_otherwise(folder):
    files = EDITS["a constant"].files(after=False)
    write(folder, files, PACKAGE)
    before = claim_of(PACKAGE)
    make_evidence(before, folder)
    print_ = claim_fingerprint(before)
    write(folder, files | {"claims.py": rewritten(files["claims.py"])}, PACKAGE)
    after = claim_of(PACKAGE)
    source, meaning = claim_fingerprint(after).split("-")
    assert source != print_.split("-")[0]
    assert meaning == print_.split("-")[1]
    assert believed(after, folder) == set()
    status, said = carry("--ledger", str(folder / "ledger.jsonl"))
    assert status == 0
    assert "5 pieces of evidence: 0 unchanged, 5 carried, 0 void" in said
    assert print_ in said
    assert f"{source}-{meaning}" in said
    assert believed(claim_of(PACKAGE), folder) == EVERYTHING
    assert "5 unchanged, 0 carried" in carry("--ledger", str(folder / "ledger.jsonl"))[1]


LETTERS = string.Template("""
from verify import Claim, Domain, Source, integers, interval, reals
from verify.words import ge


def statement($a, $t, $z):
    return ge($t * ($a * $a).sum() + $z, 0)


def positive($a, $t):
    return ge($a[0] * $t, 0)


DOMAIN = Domain({"$a": reals("$n"), "$t": interval(0, 1), "$z": integers(0, 1)}, {"$n": (1, 2)})
CLAIM = Claim("edited.claim", "t", Source("edited", "claim"), statement, DOMAIN, false_variants={"positive": positive})
""")


ON_LETTERS = """
from verify import Claim, Domain, Source, reals
from verify.words import eq, norm2, trace

CLAIM = Claim(
    "edited.claim",
    "t",
    Source("edited", "claim"),
    lambda A: {statement},
    Domain({{"A": reals("m", "n")}}, {{"m": range(1, 4), "n": range(1, 4)}}),
    false_variants={{"twice": lambda A: eq(norm2(A), 2 * norm2(A))}},
)
"""


def test_a_certificate_for_all_sizes_is_carried_over(folder):
    write(folder, {"__init__.py": "", "claims.py": ON_LETTERS.format(statement="eq(norm2(A), trace(A.T @ A))")}, PACKAGE)
    path = folder / PACKAGE / "certificates" / "all_sizes" / "edited.claim.json"
    path.parent.mkdir(parents=True)
    all_sizes.write(all_sizes.prove(claim_of(PACKAGE), Deadline(30)), path)
    write(folder, {"claims.py": ON_LETTERS.format(statement="eq(norm2(A), trace(A @ A.T))")}, PACKAGE)
    after = claim_of(PACKAGE)
    assert "0 unchanged, 1 carried, 0 void" in carry()[1]
    all_sizes.check(all_sizes.read(path), after)
    assert "1 unchanged, 0 carried, 0 void" in carry()[1]


def test_what_is_carried_over_takes_the_present_letters_by_place(folder):
    write(folder, {"__init__.py": "", "claims.py": LETTERS.substitute(a="a", t="t", z="z", n="n")}, PACKAGE)
    before = claim_of(PACKAGE)
    certificates, witnesses = (folder / PACKAGE / name for name in ("certificates", "witnesses"))
    certificates.mkdir()
    witnesses.mkdir()
    certificate, _ = prove(before, 2, 60.0)
    write_certificate(certificate, certificates / "edited.claim.json")
    coordinates = {"a": rationals([-1, 2]), "t": rationals(1), "z": rationals(0)}
    print_ = claim_fingerprint(before, "positive")
    write_witness(
        Witness(before.id, "positive", Sample({"n": 2}, coordinates), "-1", "0", print_), witnesses / "edited.claim.json"
    )
    write(folder, {"claims.py": LETTERS.substitute(a="m", t="eta", z="k", n="d")}, PACKAGE)
    after = claim_of(PACKAGE)
    assert "0 unchanged, 2 carried, 0 void" in carry()[1]
    carried = read_certificate(certificates / "edited.claim.json")
    assert [proof.sizes for proof in carried.proofs] == [{"d": 1}, {"d": 2}]
    check(carried, after)
    witness, _ = read_witness(witnesses / "edited.claim.json", {after.id: after})
    assert list(witness.sample.coordinates) == ["m", "eta", "k"]
    assert recheck(witness, after).verdict == -1


def test_evidence_of_a_statement_that_says_something_else_stays_void(folder):
    edit = EDITS["a default of a dataclass"]
    write(folder, edit.files(after=False), PACKAGE)
    make_evidence(claim_of(PACKAGE), folder)
    write(folder, edit.files(after=True), PACKAGE)
    kept = {path: path.read_bytes() for path in folder.rglob("*.json*")}
    claim_of(PACKAGE)
    status, said = carry("--ledger", str(folder / "ledger.jsonl"))
    assert status == 1
    assert "5 pieces of evidence: 0 unchanged, 0 carried, 5 void" in said
    assert {path: path.read_bytes() for path in folder.rglob("*.json*")} == kept
    assert believed(claim_of(PACKAGE), folder) == set()


def test_evidence_with_the_fingerprint_of_an_earlier_version_is_void(folder):
    write(folder, EDITS["a constant"].files(after=False), PACKAGE)
    claim = claim_of(PACKAGE)
    make_evidence(claim, folder)
    for path in folder.rglob("*.json*"):
        for print_ in (claim_fingerprint(claim), claim_fingerprint(claim, "power 0"), strength_fingerprint(claim)):
            path.write_text(path.read_text().replace(print_, print_[:16]))
    assert believed(claim, folder) == set()
    assert "0 unchanged, 0 carried, 5 void" in carry("--ledger", str(folder / "ledger.jsonl"))[1]


@pytest.mark.parametrize(
    "kind", ["a helper", "a default of a dataclass", "a property", "a nested function", "a class attribute"]
)
def test_words_and_layout_do_not_count(kind, folder):
    files = EDITS[kind].files(after=False)
    write(folder, files, PACKAGE)
    print_ = claim_fingerprint(claim_of(PACKAGE))
    code = re.sub(r"(?m)^( *)(def |return )", r"\n\1# a comment\n\1\2", files["claims.py"])
    code = code.replace(
        "def statement(x, y, power=1):", 'def statement(x: "a number", y, power: int = 1) -> object:\n    """Words."""'
    )
    code = code.replace("class Thing:", 'class Thing:\n    """Words."""\n')
    write(folder, files | {"claims.py": code}, PACKAGE)
    assert claim_fingerprint(claim_of(PACKAGE)) == print_


def test_running_a_statement_leaves_its_fingerprint_alone(folder):
    memory = """
    from functools import cached_property
    MEMORY, COUNTS = {}, [0]
    class Thing:
        def __init__(self):
            self.memory, self.last = {}, None
        @cached_property
        def one(self):
            return 1
        def give(self, x):
            if self.last is None:
                self.last = 1
            self.memory[len(self.memory)] = x
            return self.one * self.last
    THING = Thing()
    def remembering(function):
        store = {}
        def inner(x):
            COUNTS[0] += 1
            MEMORY[len(MEMORY)] = store[len(store)] = x
            inner.last = x
            return function(x)
        return inner
    @remembering
    def helper(x):
        return 2 * THING.give(x)
    """
    write(folder, Edit("helper(x)", memory).files(after=False), PACKAGE)
    claim = claim_of(PACKAGE)
    print_ = source_fingerprint(claim)
    claim.statement(1.5, 0.5)
    claim.statement(1.25, 0.5)
    assert source_fingerprint(claim) == print_ == source_fingerprint(claim_of(PACKAGE))


def test_fingerprints_are_the_same_in_every_process(folder):
    names = [f"package_{place}" for place in range(len(EDITS))]
    for name, edit in zip(names, EDITS.values(), strict=True):
        write(folder, edit.files(after=False), name)
    code = (
        "import sys; from verify import catalogue; from verify.evidence import claim_fingerprint\n"
        f"for name in {names}: print(claim_fingerprint(catalogue(name)['edited.claim']))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=folder,
            env=os.environ | {"PYTHONHASHSEED": seed, "OPENBLAS_CORETYPE": kernel},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed, kernel in (("1", "Prescott"), ("2", "Haswell"))
    }
    assert len(found) == 1
    assert len(found.pop().split()) == len(EDITS)


def test_what_was_computed_before_does_not_change_the_meaning(folder):
    cached = """
    from functools import lru_cache
    import numpy as np
    from verify.numbers.arithmetic import chosen_rationals
    @lru_cache
    def factor(n):
        return chosen_rationals(np.sqrt(4.0))[()]
    def helper(x):
        return factor(1)
    """
    write(folder, Edit("helper(x)", cached, old="4.0", new="9.0").files(after=False), PACKAGE)
    claim = claim_of(PACKAGE)
    assert "chosen" in meaning(claim.statement, claim.domain)
    assert claim_fingerprint(claim) == claim_fingerprint(claim)
    assert strength_fingerprint(claim) == strength_fingerprint(claim)
    with exact_evaluation():
        claim.statement(rationals(1), rationals(1))
    assert claim_fingerprint(claim) == claim_fingerprint(claim_of(PACKAGE))


def test_the_meaning_does_not_depend_on_the_face_that_a_solver_chooses(monkeypatch):
    """Three generators of a plane hold a point in two ways, and versions of a solver choose differently."""
    generators = rationals([[1, 0], [0, 1], [1, 1]])
    solve = conical_hull.least_squares

    def said(order, least, factor=1):
        def chosen(columns, point):
            weights = np.zeros(3)
            weights[order] = solve(columns[order], point)
            return weights

        def statement(x):
            point = rationals([2, 1]) + 0 * x
            found = factor * one_by_one(lambda one: conical_hull.contains(generators, one).weights, point)
            return le(least, found, name="weights") & eq((found @ generators).sum(), factor * 3)

        monkeypatch.setattr(conical_hull, "least_squares", chosen)
        return meaning(statement, Domain({"x": reals()}))

    assert "chosen" in said([0, 1], 0)
    assert said([0, 1], 0) == said([0, 2], 0)
    assert said([0, 1], 0) != said([0, 1], 0, factor=2)
    assert said([0, 1], 0) != said([0, 1], 1)
