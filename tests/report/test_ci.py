"""What a run tells GitHub and GitLab."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from verify import catalogue
from verify.cli import app
from verify.report import ci

ENTRY = {
    "type": "object",
    "required": ["description", "check_name", "fingerprint", "severity", "location"],
    "properties": {"severity": {"enum": ["info", "minor", "major", "critical", "blocker"]}},
}


@pytest.fixture
def failing(tmp_path, monkeypatch):
    """A package with one claim, which is false."""
    (tmp_path / "failing").mkdir()
    (tmp_path / "failing" / "__init__.py").touch()
    (tmp_path / "failing" / "squares.py").write_text(
        "from verify import Claim, Domain, Source, reals\n"
        "from verify.words import le\n\n\n"
        "def squares(x):\n    return le(x, x**2)\n\n\n"
        "CLAIM = Claim(\n"
        '    id="failing.squares",\n    title="100 % false: x <= x^2",\n    source=Source("failing", "Squares"),\n'
        '    statement=squares,\n    domain=Domain({"x": reals()}),\n    false_variants={"itself": squares},\n)\n'
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_failure_is_told_beside_its_line(failing, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(failing / "summary.md"))
    files = ["--badge", "badge.json", "--code-quality", "quality.json"]
    result = CliRunner().invoke(app, ["run", "--package", "failing", "--github", "--engine", "inline", *files])
    assert result.exit_code == 1
    (told,) = [line for line in result.stderr.splitlines() if line.startswith("::error")]
    place = str(Path("failing") / "squares.py")
    assert told.startswith(f"::error file={place},line=10,title=failing.squares::")
    assert "%0A  x = 1/2" in told
    summary = (failing / "summary.md").read_text()
    assert "1 claim, 1 NOT as expected" in summary
    assert "| `failing.squares` | refuted | survived |" in summary
    badge = json.loads((failing / "badge.json").read_text())
    assert badge == {"schemaVersion": 1, "label": "verify", "message": "1 of 1 claim not as expected", "color": "red"}
    (entry,) = json.loads((failing / "quality.json").read_text())
    jsonschema.validate(entry, ENTRY)
    assert entry["location"] == {"path": place, "lines": {"begin": 10}}


def run(*arguments):
    """The command in a process of its own, which imports the package anew."""
    return subprocess.run([sys.executable, "-m", "verify", *arguments], capture_output=True, text=True, check=False)


def test_a_module_that_cannot_be_imported_is_told_everywhere(failing, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(failing / "summary.md"))
    monkeypatch.setenv("PYTHONPATH", str(failing))
    true = (failing / "failing" / "squares.py").read_text().replace("le(x, x**2)", "le(0 * x, x**2)")
    (failing / "failing" / "squares.py").write_text(true.replace('"itself": squares', '"twice": lambda x: le(x, 2 * x)'))
    (failing / "failing" / "broken.py").write_text("import nosuchmodule\n")
    command = ["run", "--package", "failing", "--engine", "inline"]
    result = run(*command, "--github", "--badge", "badge.json", "--code-quality", "quality.json")
    assert result.returncode == 1
    (told,) = [line for line in result.stderr.splitlines() if line.startswith("::error")]
    assert told.startswith(f"::error file={Path('failing') / 'broken.py'},line=1,title=verify::")
    assert "failing.broken cannot be imported: broken.py:1: ModuleNotFoundError" in told
    summary = (failing / "summary.md").read_text()
    assert "NOT as expected: 1 module could not be imported" in summary
    assert "- failing.broken cannot be imported" in summary
    badge = json.loads((failing / "badge.json").read_text())
    assert badge["message"] == "1 claim as expected, 1 problem of the package"
    assert badge["color"] == "red"
    (entry,) = json.loads((failing / "quality.json").read_text())
    jsonschema.validate(entry, ENTRY)
    assert entry["location"]["path"] == "failing/broken.py"
    assert run(*command, "--last-failed").returncode == 1


def test_an_id_that_is_used_twice_and_a_folder_that_is_no_package_are_told(failing, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(failing))
    text = (failing / "failing" / "squares.py").read_text()
    (failing / "failing" / "zero.py").write_text(text)
    (failing / "failing" / "deep").mkdir()
    (failing / "failing" / "deep" / "cubes.py").write_text(text.replace("failing.squares", "failing.cubes"))
    (failing / "failing" / "other").mkdir()
    (failing / "failing" / "other" / "test_cubes.py").write_text(text.replace("failing.squares", "failing.tests"))
    result = run("run", "--package", "failing", "--engine", "inline", "--github", "--code-quality", "quality.json")
    assert result.returncode == 1
    told = [line for line in result.stderr.splitlines() if line.startswith("::error") and "title=verify" in line]
    place = Path("failing") / "zero.py"
    twice = "failing.zero: the id failing.squares is that of a claim in failing.squares, which is kept: take another"
    hidden = "failing.deep has claims, and no __init__.py: make one, else they are not found"
    assert told == [f"::error file={place},line=10,title=verify::{twice}", f"::error title=verify::{hidden}"]
    entries = json.loads((failing / "quality.json").read_text())
    assert [entry["location"]["path"] for entry in entries[:2]] == [str(place), "."]


def test_of_a_package_that_cannot_be_imported_no_earlier_badge_stands(failing, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(failing))
    (failing / "failing" / "__init__.py").write_text("raise RuntimeError\n")
    (failing / "badge.json").write_text('{"color": "brightgreen"}')
    result = run("run", "--package", "failing", "--badge", "badge.json", "--code-quality", "quality.json")
    assert result.returncode == 2
    badge = json.loads((failing / "badge.json").read_text())
    assert (badge["message"], badge["color"]) == ("0 claims as expected, 1 problem of the package", "red")
    (entry,) = json.loads((failing / "quality.json").read_text())
    assert "'failing' is not a package of claims" in entry["description"]


def test_a_baseline_keeps_what_cannot_be_imported_and_records_nothing_false(failing, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(failing))
    statement, baseline = failing / "failing" / "squares.py", failing / "baseline.json"
    bounds = ["--package", "failing", "--baseline", "baseline.json", "--engine", "inline"]
    result = run("bounds", "update", *bounds)
    assert result.returncode == 1
    assert "failing.squares is not recorded: it fails" in result.stderr
    assert json.loads(baseline.read_text())["claims"] == {}
    statement.write_text(statement.read_text().replace("le(x, x**2)", "le(0 * x, x**2)"))
    assert run("bounds", "update", *bounds).returncode == 0
    before = baseline.read_bytes()
    assert b"failing.squares" in before
    (failing / "failing" / "others.py").write_text(statement.read_text().replace("failing.squares", "failing.others"))
    statement.write_text("import nosuchmodule\n" + statement.read_text())
    for command in ("check", "update"):
        result = run("bounds", command, *bounds)
        assert result.returncode == 1, command
        assert "verify bounds update" not in result.stderr
        assert set(json.loads(before)["claims"]) <= set(json.loads(baseline.read_text())["claims"])


def test_files_are_relative_to_the_repository(monkeypatch):
    claim = catalogue("theorems")["notion_of_rank.prop_3"]
    here = ci.place(claim)[0]
    monkeypatch.setenv("GITHUB_WORKSPACE", str(Path.cwd().parent))
    assert ci.place(claim)[0] == str(Path(Path.cwd().name) / here)


def test_the_line_of_a_claim_is_that_of_its_id():
    claim = catalogue("theorems")["notion_of_rank.prop_3"]
    file, line = ci.place(claim)
    assert 'id="notion_of_rank.prop_3"' in Path(file).read_text(encoding="utf-8").splitlines()[line - 1]
