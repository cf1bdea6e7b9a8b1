"""The commands search, ledger and bounds, on the toy claims."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from machine_speed import patient
from typer.testing import CliRunner

from verify.cli import app
from verify.evidence.files import write_whole
from verify.evidence.ledger import read_ledger

TESTS = Path(__file__).parent


@pytest.fixture(autouse=True)
def _in_a_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)


def invoke(*arguments, package="toy_claims"):
    options = [] if package is None else ["--package", package]
    return CliRunner().invoke(app, [*map(str, arguments), *options])


def test_a_campaign_says_what_it_did_and_goes_on(tmp_path):
    first = invoke("search", "toy.means", "--evaluations", 6_000)
    assert first.exit_code == 0
    path = tmp_path / "toy.means.ledger.jsonl"
    before = path.read_bytes()
    again = invoke("search", "toy.means", "--evaluations", 6_000)
    assert again.exit_code == 0
    assert path.read_bytes() == before
    further = invoke("search", "toy.means", "--evaluations", 12_000)
    assert further.exit_code == 0
    assert path.read_bytes().startswith(before)
    total = sum(entry.evaluations for entry in read_ledger(path))
    assert total >= 12_000
    assert str(total) in further.stdout


def test_a_false_statement_leaves_two_witnesses(tmp_path):
    result = invoke("search", "toy.squares.printed", "--evaluations", 1_000)
    assert result.exit_code == 0
    for kind in ("largest", "smallest"):
        path = tmp_path / f"toy.squares.printed.{kind}.json"
        assert f"witness: {path.name}" in result.stdout
        assert invoke("check", path).exit_code == 0


def test_an_interrupted_campaign_keeps_what_it_has(tmp_path):
    command = [sys.executable, "-m", "verify", "search", "toy.means", "--evaluations", "100000000", "--package", "toy_claims"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(TESTS)}, stdout=subprocess.PIPE, text=True
    )
    path = tmp_path / "toy.means.ledger.jsonl"
    while not path.exists() or path.read_bytes().count(b"\n") < 2:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=patient(60))
    assert process.returncode == 130
    assert "the same command goes on from there" in output
    assert len(read_ledger(path)) >= 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["toy.mean"], "nearest: toy.means"),
        (["toy"], "'toy' is a folder"),
        (["toy.means", "--evaluations", "0"], "evaluations must be at least 1, got 0"),
        (["toy.means", "--engine", "cloud"], "engine must be one of inline"),
        (["toy.means", "--ledger", "nowhere/ledger.jsonl"], "not a folder to write to"),
        (["toy.means", "--witnesses", "nowhere"], "not a folder to write to"),
    ],
)
def test_unusable_campaigns_are_refused_before_any_work(tmp_path, arguments, reason):
    result = invoke("search", *arguments)
    assert result.exit_code == 2
    assert reason in " ".join(result.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_ledger_is_refused_and_kept(tmp_path):
    path = tmp_path / "toy.means.ledger.jsonl"
    path.write_text("notes\n")
    result = invoke("search", "toy.means", "--evaluations", 10)
    assert result.exit_code == 2
    assert "line 1: not JSON" in " ".join(result.stderr.split())
    assert path.read_text() == "notes\n"


def test_merging_ledgers(tmp_path):
    invoke("search", "toy.means", "--evaluations", 6_000, "--ledger", "a.jsonl")
    invoke("search", "toy.squares", "--evaluations", 2_000, "--ledger", "b.jsonl")
    for name, files in {"ab": ["a.jsonl", "b.jsonl"], "ba": ["b.jsonl", "a.jsonl", "b.jsonl"]}.items():
        assert invoke("ledger", "merge", *files, "--out", f"{name}.jsonl", package=None).exit_code == 0
    assert (tmp_path / "ab.jsonl").read_bytes() == (tmp_path / "ba.jsonl").read_bytes()
    shown = invoke("ledger", "show", "ab.jsonl")
    assert shown.exit_code == 0
    assert [line.split()[0] for line in shown.stdout.splitlines()[1:]] == ["toy.means", "toy.squares"]
    assert "void" not in shown.stdout


def test_evidence_for_an_earlier_statement_is_void_and_a_torn_line_is_said(tmp_path):
    invoke("search", "toy.means", "--evaluations", 2_000, "--ledger", "a.jsonl")
    path = tmp_path / "a.jsonl"
    (entry,) = read_ledger(path)
    path.write_text(path.read_text().replace(entry.fingerprint, "0" * 16) + '{"torn')
    shown = invoke("ledger", "show", "a.jsonl")
    assert "toy.means: void, the statement has changed since (it was 0000000000000000)" in shown.stdout
    assert "the last line is torn" in shown.stderr


def test_missing_ledgers_are_refused():
    for command in (["merge", "none.jsonl", "--out", "u.jsonl"], ["show", "none.jsonl"]):
        result = invoke("ledger", *command, package=None)
        assert result.exit_code == 2
        assert "there is no file none.jsonl" in " ".join(result.stderr.split())


def test_bounds_are_written_compared_and_regress(tmp_path):
    path = tmp_path / "baseline.json"
    assert invoke("bounds", "check", "--baseline", path).exit_code == 2
    updated = invoke("bounds", "update", "--baseline", path)
    assert updated.exit_code == 0
    assert "of 4 claims" in updated.stdout
    same = invoke("bounds", "check", "--baseline", path)
    assert same.exit_code == 0
    assert "REGRESSED" not in same.stdout
    document = json.loads(path.read_text())
    slack = document["claims"]["toy.means"]["slack at equal numbers"]
    assert slack["value"] == 0.0
    # a baseline that was much tighter, one that was looser, and one for another statement
    violation = document["claims"]["toy.squares.printed"]["largest violation"]
    violation["value"], violation["noise"] = 2 * violation["value"], 0.0
    document["claims"]["toy.squares"]["smallest relative slack"]["fingerprint"] = "0" * 16
    path.write_text(json.dumps(document))
    worse = invoke("bounds", "check", "--baseline", path, "--json", "changes.json")
    changes = {(one["claim"], one["quantity"]): one["change"] for one in json.loads((tmp_path / "changes.json").read_text())}
    assert changes["toy.squares", "smallest relative slack"] == "statement changed"
    assert "statement changed" in worse.stdout
    assert changes["toy.squares.printed", "largest violation"] in ("REGRESSED", "within noise")
    assert worse.exit_code == int("REGRESSED" in changes.values())


def test_bounds_that_are_lost_are_warnings_or_with_strict_failures(tmp_path):
    path = tmp_path / "baseline.json"
    invoke("bounds", "update", "toy.squares", "--baseline", path)
    document = json.loads(path.read_text())
    slack = document["claims"]["toy.squares"]["smallest relative slack"]
    cases = {
        "statement changed": {"smallest relative slack": slack | {"fingerprint": "0" * 16}},
        "gone": {"smallest relative slack": slack, "slack at nothing": slack},
    }
    for change, quantities in cases.items():
        path.write_text(json.dumps(document | {"claims": {"toy.squares": quantities}}))
        for options, status, word in (([], 0, "warning"), (["--strict"], 1, "failure")):
            result = invoke("bounds", "check", "toy.squares", "--baseline", path, *options)
            assert result.exit_code == status
            assert change in result.stdout
            assert f"{word}: bounds that the baseline no longer guards: 1;" in result.stderr
    path.write_text(json.dumps(document))
    assert invoke("bounds", "check", "toy.squares", "--baseline", path, "--strict").exit_code == 0


def test_bounds_of_some_claims_leave_the_others_alone(tmp_path):
    path = tmp_path / "baseline.json"
    invoke("bounds", "update", "--baseline", path)
    before = path.read_bytes()
    assert invoke("bounds", "update", "toy.means", "--baseline", path).exit_code == 0
    assert path.read_bytes() == before
    checked = invoke("bounds", "check", "toy.squares", "--baseline", path)
    assert checked.exit_code == 0
    assert "gone" not in checked.stdout


def test_a_damaged_baseline_is_refused_and_kept(tmp_path):
    path = tmp_path / "baseline.json"
    path.write_text("[]")
    for command in ("check", "update"):
        result = invoke("bounds", command, "--baseline", path)
        assert result.exit_code == 2
        assert "not a baseline" in " ".join(result.stderr.split())
    assert path.read_text() == "[]"


def test_a_campaign_on_a_statement_that_raises_ends_in_a_message(tmp_path):
    folder = tmp_path / "broken_claims"
    folder.mkdir()
    (folder / "__init__.py").write_text('"""Claims."""\n')
    (folder / "raising.py").write_text(
        "from verify import Claim, Domain, Source, reals\nfrom verify.words import le\n\n\n"
        "def raising(x):\n    raise ArithmeticError('no value here')\n\n\n"
        "def other(x):\n    return le(x, x - 1)\n\n\n"
        "def another(x):\n    return le(x, x - 2)\n\n\n"
        "CLAIM = Claim(id='broken.raising', title='Raises', source=Source('notion_of_rank', 'ours'), statement=raising,\n"
        "              domain=Domain({'x': reals()}), false_variants={'other': other, 'another': another})\n"
    )
    result = invoke("search", "broken.raising", package="broken_claims")
    assert result.exit_code == 1
    assert "broken.raising: the shard of seed 0 failed: " in result.stderr
    assert "ArithmeticError: no value here" in result.stderr
    assert "the same command goes on from there" in result.stderr


def test_a_file_behind_a_link_is_written_and_the_link_stays(tmp_path):
    (tmp_path / "target.txt").write_text("old")
    link = tmp_path / "link.txt"
    link.symlink_to("target.txt")
    write_whole(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "target.txt").read_text() == "new"
