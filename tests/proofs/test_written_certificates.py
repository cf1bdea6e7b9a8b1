"""Certificates: they are written, read and checked, here and by the checker that imports nothing, and none that was changed."""

import json
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from verify import catalogue, enclosures, independent
from verify.checker.evidence.files import certificate_folder, witness_folder
from verify.cli import app
from verify.proofs.certificate import (
    Certificate,
    Proof,
    UnusableCertificate,
    certificate_of,
    document_of,
    read_certificate,
    write_certificate,
)
from verify.proofs.methods import check, strongest_kind, tier, united

CLAIM = "leaky_resnets.adaptive_steps.cycle"
SCHEMA = Path(independent.__file__).parent / "schemas" / "certificate.json"


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
    assert "no pivot or denominator vanishes" in result.stdout


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
    weaker = replace(
        there, proofs=tuple(replace(one, covers="the 1 cells that 9 random points of the domain met") for one in there.proofs)
    )
    assert (strongest_kind(there), strongest_kind(weaker)) == ("identity", "identity on some cells")
    monkeypatch.setattr("verify.proofs.methods.prove", lambda *_: (weaker, {}))
    result = invoke("prove", CLAIM, "--out", folder)
    assert result.exit_code == 0
    assert f"{CLAIM}: the certificate that is there shows as much, and stays" in result.stderr
    assert read_certificate(path) == there
    write_certificate(weaker, path)
    monkeypatch.setattr("verify.proofs.methods.prove", lambda *_: (there, {}))
    assert invoke("prove", CLAIM, "--out", folder).exit_code == 0
    assert read_certificate(path) == there


def test_proofs_at_other_sizes_stay():
    def proof(covers, width):
        return Proof("identity", {"width": width}, covers, (), {})

    strong, weak = "all real coordinates", "the 2 cells that 8 random points of the domain met"
    known = Certificate("a.b", "0" * 16, (proof(strong, 1), proof(weak, 2)))
    found = united(known, Certificate("a.b", "0" * 16, (proof(weak, 1), proof(strong, 2), proof(weak, 3))))
    assert found.proofs == (proof(strong, 1), proof(strong, 2), proof(weak, 3))


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
    except (independent.Rejected, ValueError, ArithmeticError):
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
    words = (Path(independent.__file__).parents[1] / "docs" / "proofs.md").read_text()
    total = next(line for line in words.splitlines() if line.startswith("| together"))
    claims, *proved = map(int, total.strip("| ").split("|")[1:])
    assert claims == sum(one.expected == "holds" for one in catalogue().values())
    assert sum(proved) == len(list(certificate_folder("theorems").glob("*.json")))
    on_some_cells = [
        one for path in certificate_folder("theorems").glob("*.json") if "on some cells" in tier(one := read_certificate(path))
    ]
    assert len(on_some_cells) == proved[-1]


def test_the_tier_is_that_of_the_strongest_proofs_at_their_largest_sizes():
    def proof(covers, width):
        return Proof("identity", {"width": width}, covers, (), {})

    weak, strong = proof("the 2 cells that 8 random points of the domain met", 3), proof("all real coordinates", 2)
    assert tier(Certificate("a.b", "0" * 16, (weak,))) == "identity on some cells at (width=3)"
    assert tier(Certificate("a.b", "0" * 16, (weak, strong))) == "identity at (width=2)"
    squares = Proof("sum_of_squares", {"width": 1}, "all instances", (), {})
    assert tier(Certificate("a.b", "0" * 16, (weak, strong, squares))) == "proved at (width=1)"


@pytest.mark.parametrize("path", sorted(certificate_folder("theorems").glob("*.json")), ids=lambda path: path.stem)
def test_the_independent_checker_accepts_the_certificates_of_the_catalogue(path):
    assert path.stem in independent.check_document(json.loads(path.read_text()))


def test_the_independent_checker_says_where_witnesses_are_evaluated():
    path = min(witness_folder("theorems").glob("*.json"))
    assert "not checked here: run verify/second_evaluations.py" in independent.check_document(json.loads(path.read_text()))


@pytest.mark.parametrize(("module", "lines"), [(independent, 760), (enclosures, 260)])
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
