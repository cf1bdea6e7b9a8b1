"""Certificates: they are written, read and checked, here and by the checker that imports nothing, and none that was changed."""

import json
import random
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from typer.testing import CliRunner

from tests.benchmarks import proofs_table
from verify import Claim, Domain, Q, Source, catalogue, integers, reals
from verify.cli import app
from verify.evidence.files import certificate_folder, witness_folder
from verify.proofs import enclosures, independent, squares
from verify.proofs.certificate import (
    ALL,
    GRID,
    WITH_A_VALUE,
    Certificate,
    Deadline,
    NotProved,
    Proof,
    Refuted,
    UnusableCertificate,
    certificate_of,
    document_of,
    read_certificate,
    write_certificate,
)
from verify.proofs.methods import check, evidence, prove, united
from verify.words import eq, eye, ge, le, norm2, pinv, power, rank

CLAIM = "leaky_resnets.adaptive_steps.cycle"
SCHEMA = Path(independent.__file__).parents[1] / "schemas" / "certificate.json"


def invoke(*arguments):
    return CliRunner().invoke(app, [*map(str, arguments), "--package", "theorems"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("certificates")
    result = invoke("prove", CLAIM, "--sizes", 1, "--out", made)
    assert result.exit_code == 0, result.output
    assert "1 of 1 claims are proved at some sizes" in result.stdout
    return made


def test_a_certificate_is_written_that_fits_its_schema_and_stands(folder):
    path = folder / f"{CLAIM}.json"
    document = json.loads(path.read_text())
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    assert json.loads(json.dumps(document_of(read_certificate(path)))) == document
    result = invoke("check", path)
    assert result.exit_code == 0, result.output
    assert "stands" in result.stdout
    assert "it has no value where m_0^2 - 15 = 0" in result.stdout


def test_the_independent_checker_runs_as_a_file_without_the_package(folder, tmp_path):
    result = subprocess.run(
        [sys.executable, "-I", "-S", independent.__file__, folder / f"{CLAIM}.json"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert CLAIM in result.stdout


def test_what_is_there_and_fits_is_left_out_on_request(folder):
    path = folder / f"{CLAIM}.json"
    before = path.stat().st_mtime_ns
    result = invoke("prove", CLAIM, "--out", folder, "--resume")
    assert result.exit_code == 0
    assert path.stat().st_mtime_ns == before


def test_a_weaker_proof_does_not_replace_a_stronger(folder, monkeypatch):
    path = folder / f"{CLAIM}.json"
    there = read_certificate(path)
    weaker = replace(there, proofs=tuple(replace(one, does_not_tell=("another",)) for one in there.proofs))
    monkeypatch.setattr("verify.proofs.methods.prove", lambda *_: (weaker, {}))
    result = invoke("prove", CLAIM, "--out", folder)
    assert result.exit_code == 0
    assert f"{CLAIM}: the certificate that is there shows as much, and stays" in result.stderr
    assert read_certificate(path) == there
    write_certificate(weaker, path)
    monkeypatch.setattr("verify.proofs.methods.prove", lambda *_: (there, {}))
    assert invoke("prove", CLAIM, "--out", folder).exit_code == 0
    assert read_certificate(path) == there


def test_what_is_refuted_is_said_and_has_no_certificate(folder, tmp_path, monkeypatch):
    def refuted(*_):
        raise Refuted("it is false at x = 0")

    path = tmp_path / f"{CLAIM}.json"
    path.write_bytes((folder / path.name).read_bytes())
    monkeypatch.setattr("verify.proofs.methods.prove", refuted)
    result = invoke("prove", CLAIM, "--out", tmp_path)
    assert result.exit_code == 1
    assert f"{CLAIM} is refuted: it is false at x = 0" in result.stdout
    assert not path.exists()


@pytest.mark.parametrize("earlier", [{"fingerprint": "0" * 16}, {"schema": 1}])
def test_what_is_stale_is_removed_where_nothing_is_proved(earlier, folder, tmp_path, monkeypatch):
    path = tmp_path / f"{CLAIM}.json"
    path.write_text(json.dumps({**json.loads((folder / path.name).read_text()), **earlier}))
    monkeypatch.setattr("verify.proofs.methods.prove", lambda *_: (None, {"n=1": "the time is over"}))
    result = invoke("prove", CLAIM, "--out", tmp_path, "--resume")
    assert "is void, and removed" in result.stderr
    assert not path.exists()


def test_what_breaks_down_removes_nothing(folder, tmp_path, monkeypatch):
    def broken(_):
        raise NotProved("it has not the form of a proof: KeyError: 'defined'")

    path = tmp_path / f"{CLAIM}.json"
    path.write_bytes((folder / path.name).read_bytes())
    before = path.read_bytes()
    monkeypatch.setattr("verify.proofs.independent.check_proof", broken)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    result = invoke("prove", CLAIM, "--out", tmp_path, "--engine", "inline")
    assert result.exit_code == 1
    assert "is not proved at all sizes: RuntimeError: what is found does not stand" in result.stdout
    assert path.read_bytes() == before


def test_proofs_at_other_sizes_stay():
    def proof(coverage, width, *untold):
        return Proof("identity", {"width": width}, "words", (), {}, coverage, (), "", untold)

    strong, weak = partial(proof, ALL), partial(proof, WITH_A_VALUE)
    known = Certificate("a.b", "0" * 16, (strong(1), weak(2), strong(4, "a variant")))
    found = united(known, Certificate("a.b", "0" * 16, (weak(1), strong(2), weak(3), weak(4))))
    assert found.proofs == (strong(1), strong(2), weak(4), weak(3))


def test_a_certificate_of_another_statement_is_unusable(folder):
    document = json.loads((folder / f"{CLAIM}.json").read_text())
    with pytest.raises(UnusableCertificate, match="has changed since"):
        check(certificate_of({**document, "fingerprint": "0" * 16}), catalogue()[CLAIM])


def mutated(document, rng):
    """A document in which one thing is changed: an entry dropped, doubled or replaced, a character or a number changed."""
    changed = json.loads(json.dumps(document))
    places = []

    def visit(value, parent, key):
        places.append((parent, key))
        for inner, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
            visit(one, value, inner)

    for key, value in changed.items():
        visit(value, changed, key)
    parent, key = rng.choice(places)
    value = parent[key]
    if isinstance(value, str) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        parent[key] = value[:place] + rng.choice("0123456789+-*/rqx, abc") + value[place + 1 :]
    elif isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.8:
        parent[key] = value + rng.choice([-2, -1, 1, 2, 10**6])
    elif isinstance(value, list) and value and rng.random() < 0.5:
        value.pop(rng.randrange(len(value)))
    elif rng.random() < 0.5:
        del parent[key]
    else:
        parent[key] = rng.choice([None, True, [], {}, "", 0, -1, "1/0", [value]])
    return changed


def accepted(document, claim):
    """Whether both checkers take a document for a certificate."""
    try:
        independent.check_document(document)
        check(certificate_of(document), claim)
    except (independent.Rejected, independent.NotChecked, ValueError, ArithmeticError):
        return False
    return True


def without_points(document):
    """What is left when the points at which cells were found are not looked at: others of the same cells are as good."""
    text = json.dumps(document, default=list)
    return json.loads(text, object_hook=lambda one: {name: value for name, value in one.items() if name != "point"})


@pytest.mark.parametrize("signed", [False, True])
def test_no_changed_certificate_is_accepted(folder, signed):
    document = json.loads((folder / f"{CLAIM}.json").read_text())
    claim = catalogue()[CLAIM]
    assert accepted(document, claim)
    rng = random.Random(0)
    tried = 0
    while tried < 200:
        changed = mutated(document, rng)
        if signed and isinstance(changed.get("proofs"), list):
            changed["digest"] = independent.digest(changed["proofs"])
        if changed == document or (
            signed and without_points(changed) == without_points({**document, "digest": changed["digest"]})
        ):
            continue
        tried += 1
        assert not accepted(changed, claim), changed


def test_certificates_of_the_catalogue_are_those_of_its_statements():
    claims = catalogue()
    found = sorted(certificate_folder("theorems").glob("*.json"))
    for path in found:
        certificate = read_certificate(path)
        assert path.stem == certificate.claim
        assert certificate.fits(claims[certificate.claim]), f"{path.name} is stale: `verify prove {certificate.claim}`"


def test_the_page_counts_the_certificates_of_the_catalogue():
    words = (Path(independent.__file__).parents[2] / "docs" / "proofs.md").read_text()
    table = words.partition("<!-- counted -->\n")[2].partition("<!-- end -->")[0]
    assert table == proofs_table.table(), "python tests/benchmarks/proofs_table.py writes it anew"


def test_the_evidence_is_that_of_the_strongest_proofs_at_their_largest_sizes():
    def proof(method, covers, width, *more):
        return Proof(method, {"width": width}, covers, (), {}, *more)

    def said(*proofs):
        return evidence(Certificate("a.b", "0" * 16, proofs))

    identity = proof("identity", "all real coordinates", 3)
    squares = proof("sum_of_squares", "all instances", 1)
    grid = proof("finite_cases", "a grid of 625 instances", 2, GRID)
    thin = proof("sum_of_squares", "all instances", 4, WITH_A_VALUE, ("x_0 = 0",))
    assert said(grid) == "on a grid of 625 instances at (width=2)"
    assert said(grid, identity) == "identity at (width=3)"
    assert said(grid, identity, squares) == "proved at (width=1)"
    assert said(thin) == "proved at (width=4) where it has a value"
    assert said(thin, squares) == "proved at (width=1) and 1 more"
    assert said(replace(identity, does_not_tell=("a variant",)), replace(squares, vacuous="one instance")) == ""


def test_what_is_proved_is_told_from_the_false_variants():
    sums = Domain({"x": reals("n")}, {"n": (1, 2, 3)})
    claim = Claim(
        "toy.tells", "", Source("toy", "derived here"), lambda x: ge(x.sum() ** 2, 2 * (x.sum() - Q("1/2"))), sums,
        {
            "a sum of squares": lambda x: ge(norm2(x), x.sum() ** 2),
            "less": lambda x: ge(x.sum() ** 2, 2 * x.sum()),
            # no method has floor
            "where the sum is": lambda x: ge(np.floor(x.sum()) * (x.sum() - x[0]), 0),
        },
    )  # fmt: skip
    certificate, _ = prove(claim, 1, 20)
    check(certificate, claim)
    assert [(one.sizes["n"], one.does_not_tell) for one in certificate.proofs] == [
        (1, ("a sum of squares", "where the sum is")),
        (2, ()),
    ]
    silent = replace(certificate, proofs=tuple(replace(one, does_not_tell=()) for one in certificate.proofs))
    with pytest.raises(NotProved, match="does not tell the statement from 'a sum of squares'"):
        check(silent, claim)
    unknown = replace(certificate, proofs=tuple(replace(one, does_not_tell=("another",)) for one in certificate.proofs))
    with pytest.raises(UnusableCertificate, match="no false variant 'another'"):
        check(unknown, claim)


@pytest.mark.parametrize(
    "name",
    [
        "notion_of_rank.rank_axioms.affine",
        "bottleneck_structure.homogeneous_activations.recovered",
        "notion_of_rank.prop_4.exponent",
        "bottleneck_structure.theorem_3.linear_maps.reciprocal",
    ],
)
def test_walls_are_decided_by_squares(name):
    certificate, _ = prove(catalogue()[name], 0, 20)
    assert [(one.method, one.coverage, one.exceptions) for one in certificate.proofs] == [("sum_of_squares", ALL, ())]


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("notion_of_rank.rank_axioms.sum", {"depth": 1, "inputs": 1, "width": 1, "outputs": 2}),
        ("bottleneck_structure.theorem_6.chain", {"depth": 2, "inputs": 1, "width": 1, "outputs": 1}),
    ],
)
def test_all_cells_of_small_sizes_are_decided_by_squares(name, sizes):
    found = squares.prove(catalogue()[name], sizes, Deadline(60))
    assert (found.coverage, found.exceptions) == (ALL, ())


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        (lambda x: eq(rank(x), 2), Domain({"x": reals(2, 2)})),
        (lambda x: eq(x @ pinv(x), eye(2)), Domain({"x": reals(2, 2)})),
        (lambda x: le(x, 17), Domain({"x": integers(0, 18)})),
        (lambda x: ge(x * power(x**4, Q("1/3")), 0), Domain({"x": reals()})),
        (lambda k, m: eq(np.where(k == m, 1, 0), 0), Domain({"k": integers(0, 150), "m": integers(0, 150)})),
    ],
)
def test_what_is_refuted_ends_the_proof(statement, domain):
    claim = Claim("toy.false", "", Source("toy", "derived here"), statement, domain, {"a": lambda x: le(x, 0 * x)})
    with pytest.raises(Refuted, match="false at"):
        prove(claim, 1, 20)


@pytest.mark.one_of(4)
@pytest.mark.parametrize("path", sorted(certificate_folder("theorems").glob("*.json")), ids=lambda path: path.stem)
def test_the_independent_checker_accepts_the_certificates_of_the_catalogue(path):
    document = json.loads(path.read_text())
    beyond = {one["method"] for one in document["proofs"]} & {"finite_cases", "by_reference"}
    if beyond:
        with pytest.raises(independent.NotChecked, match=path.stem):
            independent.check_document(document)
    else:
        assert path.stem in independent.check_document(document)


def test_the_independent_checker_says_where_witnesses_are_evaluated():
    path = min(witness_folder("theorems").glob("*.json"))
    with pytest.raises(independent.NotChecked, match=r"a witness: run theorems/second_evaluations.py"):
        independent.check_document(json.loads(path.read_text()))


@pytest.mark.parametrize(("module", "lines"), [(independent, 1050), (enclosures, 290)])
def test_the_checker_needs_the_standard_library_only(module, lines):
    source = Path(module.__file__).read_text()
    assert sum(map(bool, source.splitlines())) <= lines
    imported = {line.split()[1].split(".")[0] for line in source.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names


def test_boxes_are_checked_by_the_file_alone(tmp_path):
    path = certificate_folder("theorems") / "notion_of_rank.infinite_depth_limit.unit_determinant.json"
    assert '"boxes"' in path.read_text()
    command = [sys.executable, "-I", "-S", independent.__file__, path]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "sum_of_squares" in result.stdout
