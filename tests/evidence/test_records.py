"""Results are kept from one run to the next, and believed only as long as nothing has changed that they depend on."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from verify import Claim, Domain, Source, interval
from verify.checker import baseline, records
from verify.checker.baseline import NOTHING_KNOWN, measure
from verify.checker.checking import Checker
from verify.checker.records import KeptRecords
from verify.checker.running import check, claims_in, record_of_checker
from verify.cli import app
from verify.words import eq, le

TOY = "toy_claims"
ALL = ("toy.means", "toy.means.cubes", "toy.squares", "toy.squares.printed")


def known(tmp_path, **options):
    return KeptRecords(options.pop("budget", "quick"), options.pop("seed", 0), cache=tmp_path, **options)


@pytest.fixture(scope="module")
def made():
    return {name: check(TOY, name, "quick", 0) for name in ALL}


@pytest.mark.parametrize("name", ALL)
def test_what_is_found_is_what_was_kept(tmp_path, made, name):
    claim = claims_in(TOY)[name]
    assert known(tmp_path).find(TOY, claim) is None
    known(tmp_path).keep(TOY, claim, made[name])
    found = known(tmp_path).find(TOY, claim)
    assert found.kept.endswith(" UTC")
    before, after = (json.loads(json.dumps(dataclasses.asdict(one))) for one in (made[name], found))
    assert {**after, "kept": None} == before
    assert found.as_expected
    assert hash(found.problems) is not None
    for other in ({"seed": 1}, {"budget": "standard"}, {"fresh": True}):
        assert known(tmp_path, **other).find(TOY, claim) is None


def test_what_is_not_as_expected_or_of_another_machine_is_not_kept(tmp_path, made):
    claim, record = claims_in(TOY)["toy.means"], made["toy.means"]
    for other in (
        {"problems": ("expected holds, got refuted",)},
        {"error": "a traceback"},
        {"versions": {**record.versions, "blas": "openblas of another machine"}},
        {"versions": {}},
        {"kept": "2026-01-01 00:00 UTC"},
    ):
        known(tmp_path).keep(TOY, claim, dataclasses.replace(record, **other))
        assert known(tmp_path).find(TOY, claim) is None, other


def test_an_engine_or_a_package_that_changed_has_nothing_kept(tmp_path, made, monkeypatch):
    claim = claims_in(TOY)["toy.means"]
    known(tmp_path).keep(TOY, claim, made["toy.means"])
    for name, other in (
        ("_engine", lambda latest: "another engine"),  # noqa: ARG005
        ("_data", lambda package: [["table.csv", 1, 2]]),  # noqa: ARG005
        ("_installed", lambda package: ["other 1.0"]),  # noqa: ARG005
        ("versions", lambda: {**made["toy.means"].versions, "numpy": "99"}),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(records, name, other)
            assert known(tmp_path).find(TOY, claim) is None, name
    assert known(tmp_path).find(TOY, claim) is not None
    # a file of the engine that was written since the process began is not what is in memory
    assert known(tmp_path, begun=0.0).find(TOY, claim) is None


def test_what_is_installed_beside_the_requirements_is_nothing_to_the_catalogue():
    ours, anybody = records._installed("theorems"), records._installed(TOY)
    assert {one.split()[0] for one in ours} >= {"deep-l2-verify", "numpy", "python-flint", "mpmath"}
    assert not {"mypy", "ruff", "onnx", "docutils", "rich"} & {one.split()[0] for one in ours}
    assert {"mypy", "ruff"} <= {one.split()[0] for one in anybody}


def small(x, factor=1):
    return le(factor * x * x, x)


def half():
    return {"x": "1/2"}


def one():
    return {"x": 1}


def claim_of(**changes):
    parts = {
        "statement": small,
        "domain": Domain({"x": interval(0, 1)}),
        "tight": {"one": one},
        "false_variants": {"twice": {"factor": 2}},
        "exact": {"one": lambda: eq(1, 1)},
    }
    return Claim(id="kept.claim", title="Small", source=Source("toy", "Lemma"), **(parts | changes))


def by_the_surroundings(x, factor=1):
    return le(factor * x * x, x + (os.environ.get("NOBODY_SETS_THIS") is not None))


def by_a_file(x, factor=1):
    return le(factor * x * x, x + ("nobody " + "writes this" in FILE.read_text()))


FILE = Path(__file__)


@pytest.mark.parametrize("statement", [by_the_surroundings, by_a_file])
def test_what_no_key_knows_is_not_kept(tmp_path, statement):
    module, claim = __name__.partition(".")[0], claim_of(statement=statement)
    record = record_of_checker(Checker(claim))
    assert record.as_expected, record.problems
    known(tmp_path).keep(module, claim, record)
    assert known(tmp_path).find(module, claim) is None


CHANGES = {
    "a false variant": {"false_variants": {"twice": {"factor": 3}}},
    "a variant that is a function": {"false_variants": {"twice": lambda x: le(x, x * x)}},
    "a tight example": {"tight": {"one": half}},
    "an exact part": {"exact": {"one": lambda: eq(2, 2)}},
    "the domain": {"domain": Domain({"x": interval(0, Fraction(1, 2))})},
    "a hypothesis": {"domain": Domain({"x": interval(0, 1)}, hypotheses={"small": lambda x: x < 1})},
    "what is loose": {"not_known_tight": {"": "nobody knows"}},
}


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES)
def test_any_part_of_a_claim_that_changes_makes_another_result(tmp_path, changes):
    module = __name__.partition(".")[0]
    record = record_of_checker(Checker(claim_of()))
    assert record.as_expected, record.problems
    known(tmp_path).keep(module, claim_of(), record)
    assert known(tmp_path).find(module, claim_of()) is not None
    assert known(tmp_path).find(module, claim_of(**changes)) is None


def test_a_file_that_was_changed_is_thrown_away(tmp_path, made, capsys):
    claim = claims_in(TOY)["toy.means"]
    for change in (
        lambda text: text.replace('"outcome": "survived"', '"outcome": "proved"'),
        lambda text: text[: len(text) // 2],
        lambda text: "[]",  # noqa: ARG005
    ):
        known(tmp_path).keep(TOY, claim, made["toy.means"])
        (path,) = tmp_path.rglob("toy.means.quick.0.json")
        path.write_text(change(path.read_text()))
        assert known(tmp_path).find(TOY, claim) is None
        assert "thrown away" in capsys.readouterr().err
        assert not path.exists()


def test_without_a_home_or_a_folder_nothing_is_kept_and_nothing_fails(tmp_path, made, monkeypatch):
    claim = claims_in(TOY)["toy.means"]
    (tmp_path / "records").write_text("a file where the folder should be")
    known(tmp_path).keep(TOY, claim, made["toy.means"])
    assert known(tmp_path).find(TOY, claim) is None
    monkeypatch.setattr(records, "cache_folder", lambda: None)
    homeless = KeptRecords("quick", 0)
    homeless.keep(TOY, claim, made["toy.means"])
    assert homeless.find(TOY, claim) is None


def test_a_run_takes_what_is_kept_until_the_module_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    package = f"kept_of_{os.getpid()}_{time.monotonic_ns()}"
    (tmp_path / package).mkdir()

    def run(bound, *options):
        for name in [name for name in sys.modules if name.partition(".")[0] == package]:
            del sys.modules[name]
        claims_in.cache_clear()
        (tmp_path / package / "__init__.py").write_text(
            f"""
from verify import Claim, Domain, Source, interval, le

def small(x, bound={bound}):
    return le(x, bound)

CLAIM = Claim(
    id="{package}.small", title="Small", source=Source("toy", "Lemma"), statement=small, domain=Domain({{"x": interval(0, 1)}}),
    tight={{"end": {{"x": 1}}}} if {bound} == 1 else {{}}, false_variants={{"half": lambda x: le(2 * x, 1)}},
    not_known_tight={{}} if {bound} == 1 else {{"": "anybody sees"}},
)
"""
        )
        arguments = ["run", "--package", package, "--engine", "inline", "--json", "-", "-q", *options]
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output + result.stderr
        document = json.loads(result.stdout)
        (record,) = document["claims"]
        assert document["summary"]["kept"] == int(record["kept"] is not None)
        assert ("kept from an earlier run" in result.stderr) == (record["kept"] is not None)
        return record["kept"] is not None

    assert [run(1), run(1), run(1, "--seed", "1"), run(1, "--fresh"), run(1)] == [False, True, False, False, True]
    assert [run(2), run(2), run(1)] == [False, True, False]


def test_bounds_are_those_of_a_run_that_is_kept(made, monkeypatch):
    for name in ALL:
        claim, record = claims_in(TOY)[name], made[name]
        measured = measure(claim)
        with monkeypatch.context() as patched:
            patched.setattr(baseline, "Checker", None)
            again = measure(claim, known=measured, record=record)
        assert again.keys() == measured.keys()
        for key, quantity in again.items():
            assert abs(quantity.value - measured[key].value) <= measured[key].noise
            assert quantity.fingerprint == measured[key].fingerprint
    # a bound that is not what the record says is measured
    key = baseline.VIOLATION if claim.expected == "refuted" else baseline.SLACK
    other = {**measured, key: dataclasses.replace(measured[key], value=measured[key].value + 1)}
    assert measure(claim, known=other, record=record)[key].value == measured[key].value
    assert measure(claim, known=NOTHING_KNOWN, record=record)[key].value == measured[key].value
