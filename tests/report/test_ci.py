"""What a run tells GitHub and GitLab."""

import json
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
    summary = (failing / "summary.md").read_text()
    assert "1 claim, 1 NOT as expected" in summary
    assert "| `failing.squares` | refuted | survived |" in summary
    badge = json.loads((failing / "badge.json").read_text())
    assert badge == {"schemaVersion": 1, "label": "verify", "message": "1 of 1 claim not as expected", "color": "red"}
    (entry,) = json.loads((failing / "quality.json").read_text())
    jsonschema.validate(entry, ENTRY)
    assert entry["location"] == {"path": place, "lines": {"begin": 10}}


def test_the_line_of_a_claim_is_that_of_its_id():
    claim = catalogue("theorems")["notion_of_rank.prop_3"]
    file, line = ci.place(claim)
    assert 'id="notion_of_rank.prop_3"' in Path(file).read_text(encoding="utf-8").splitlines()[line - 1]
