"""The published schemas are of what is written."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from schema_files import schema, validator
from typer.testing import CliRunner

from verify.checker.baseline import Quantity, read_baseline, write_baseline
from verify.checker.record import Record
from verify.cli import app

TESTS = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _in_a_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def invoke(*arguments):
    result = CliRunner().invoke(app, [*map(str, arguments), "--package", "toy_claims"])
    assert result.exit_code in (0, 1), result.stderr
    return result


def only_numbers(constant):
    pytest.fail(f"{constant} is no JSON")


def read(path):
    return json.loads(Path(path).read_text(), parse_constant=only_numbers)


def test_every_file_that_is_written_fits_its_schema():
    invoke("run", "--json", "run.json", "--witnesses", "w", "--engine", "inline")
    validator("run").validate(read("run.json"))
    validator("witness").validate(read("w/toy.squares.printed.json"))
    invoke("search", "toy.squares.printed", "--evaluations", 3000, "--ledger", "l.jsonl")
    for line in Path("l.jsonl").read_text().splitlines():
        validator("ledger_line").validate(json.loads(line, parse_constant=only_numbers))
    for kind in ("largest", "smallest"):
        validator("witness").validate(read(f"toy.squares.printed.{kind}.json"))
    validator("claims").validate(json.loads(invoke("list", "--json").stdout))
    invoke("bounds", "update", "--baseline", "b.json")
    validator("baseline").validate(read("b.json"))
    invoke("bounds", "check", "toy.squares", "--baseline", "b.json", "--json", "changes.json")
    validator("bounds").validate(read("changes.json"))


def test_what_is_listed_of_the_catalogue_fits_its_schema():
    listed = CliRunner().invoke(app, ["list", "--json", "--package", "theorems"]).stdout
    validator("claims").validate(json.loads(listed))
    for word in ("Coq (all sizes)", "certificate not checked here", '"grade"'):
        assert word in listed


@pytest.mark.parametrize(
    ("evidence", "fits"),
    [
        ("searched, certificate is stale", True),
        ("proved at (width=2), Coq, Coq (all sizes)", True),
        ("proved (all sizes): every width", True),
        ("on a grid of 625 instances at (points=2)", True),
        ("proved", False),
        ("searched, kernel", False),
        ("verified", False),
    ],
)
def test_the_schema_has_the_words_of_evidence_and_no_others(evidence, fits):
    (entry, *_) = json.loads(invoke("list", "--json").stdout)
    assert validator("claims").is_valid([entry | {"evidence": evidence}]) is fits


def test_the_packaged_files_fit_their_schemas():
    theorems = TESTS.parent / "theorems"
    validator("baseline").validate(read(theorems / "baseline.json"))
    witnesses = list((theorems / "witnesses").glob("*.json"))
    assert witnesses
    for path in witnesses:
        validator("witness").validate(read(path))


def test_a_record_has_the_fields_of_the_schema():
    of_a_claim = schema("run")["properties"]["claims"]["items"]
    assert set(of_a_claim["properties"]) == {field.name for field in dataclasses.fields(Record)}


def test_a_noise_without_bound_is_written_and_read():
    quantity = Quantity(0.5, float("inf"), "smaller", "quick", "0" * 16)
    write_baseline(Path("b.json"), {"a.b": {"slack": quantity}})
    validator("baseline").validate(read("b.json"))
    assert read_baseline(Path("b.json")) == {"a.b": {"slack": quantity}}
