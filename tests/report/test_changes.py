"""What changed since an earlier run."""

import dataclasses
import json

import pytest
from typer.testing import CliRunner

from verify.checker.baseline import read_baseline
from verify.checker.record import Record
from verify.cli import app
from verify.evidence.files import UnusableFile, witness_folder
from verify.report.changes import Run, read_run, since

GOOD = Record("toy.good", "Good", "toy", "1", "stated", "survived", outcome="survived", relative_slack=0.5)


def changes(before, now, known=("toy.good",), budget="quick"):
    earlier = Run("old.json", "quick", 0, {one.id: one for one in before})
    found = since(earlier, now, known, dict.fromkeys(known, "theorems"), budget)
    return [(one.claim, one.what, one.before, one.now) for one in found.changes], found.in_words


def test_nothing_changed():
    assert changes([GOOD], [GOOD]) == ([], "since old.json (1 claims in both): nothing changed")


@pytest.mark.parametrize(
    ("now", "what", "before", "after"),
    [
        ({"outcome": "undecided"}, "outcome", "survived", "undecided"),
        ({"evidence": "exact"}, "evidence", "searched", "exact"),
        ({"status": "false_as_printed"}, "status", "stated", "false as printed"),
        ({"relative_slack": 0.25}, "relative slack", "0.5", "0.25"),
        ({"problems": ("not tight",)}, "problem", "as expected", "not tight"),
    ],
)
def test_what_is_otherwise_is_told(now, what, before, after):
    found, said = changes([GOOD], [dataclasses.replace(GOOD, **now)])
    assert found == [("toy.good", what, before, after)]
    assert said.endswith(f": 1 {what}")


def test_rounding_is_no_change():
    assert changes([GOOD], [dataclasses.replace(GOOD, relative_slack=0.5 + 1e-16)])[0] == []


def test_the_noise_is_that_of_the_baseline():
    bounds = read_baseline(witness_folder("theorems").with_name("baseline.json"))
    known = {claim: found["smallest relative slack"] for claim, found in bounds.items() if "smallest relative slack" in found}
    noisiest = max(known, key=lambda claim: known[claim].noise if known[claim].noise < 1 else 0)
    noise = known[noisiest].noise
    assert noise > 1e-6
    before = dataclasses.replace(GOOD, id=noisiest)
    for moved, told in ((noise / 2, 0), (noise * 2, 1)):
        assert len(changes([before], [dataclasses.replace(before, relative_slack=0.5 + moved)], (noisiest,))[0]) == told


def test_new_and_gone():
    other = dataclasses.replace(GOOD, id="toy.other")
    assert changes([other], [GOOD])[0] == [("toy.good", "new", "", "survived"), ("toy.other", "gone", "survived", "")]
    # what was not asked for is not gone
    assert changes([GOOD, other], [GOOD], known=("toy.good", "toy.other"))[0] == []


def test_slacks_of_another_budget_are_not_compared():
    found, said = changes([GOOD], [dataclasses.replace(GOOD, relative_slack=0.1)], budget="deep")
    assert found == []
    assert "slacks are not compared, for it had the budget quick" in said


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[", "not JSON"),
        ('{"schema": 1, "claims": []}', "not what `verify run --json` writes"),
        ('{"schema": 2, "claims": [3]}', "not a claim of a run: '3'"),
        ('{"schema": 2, "claims": [{"id": "a.b"}]}', "not a claim of a run"),
    ],
)
def test_a_file_that_is_no_run_is_refused(tmp_path, text, why):
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(UnusableFile, match=why):
        read_run(path)


def test_fields_that_are_missing_or_unknown_are_passed_over(tmp_path):
    document = {key: value for key, value in dataclasses.asdict(GOOD).items() if key not in ("slacks", "needed_at")}
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"schema": 2, "budget": "quick", "seed": 0, "claims": [document | {"unknown": 1}]}))
    assert read_run(path).records["toy.good"].outcome == "survived"


def test_the_command_says_what_changed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["leaky_resnets.irregular_steps.printed", "leaky_resnets.irregular_steps.extremes"]

    def run(*arguments):
        return CliRunner().invoke(app, ["run", *map(str, arguments), "--json", "run.json"])

    assert run(*names[:1]).exit_code == 0
    document = json.loads((tmp_path / "run.json").read_text())
    document["claims"][0]["evidence"] = "searched"
    (tmp_path / "run.json").write_text(json.dumps(document))
    result = run(*names, "--since", "run.json", "--html", "page")
    assert result.exit_code == 0, result.output
    assert "since run.json (1 claims in both): 1 new, 1 evidence" in result.output
    assert f"  {names[0]}: evidence, searched -> exact\n" in result.output
    text = (tmp_path / "page" / "index.html").read_text()
    assert f'<a href="#{names[1]}"><code>{names[1]}</code></a></td><td data-label="what">new</td>' in text
    missing = CliRunner().invoke(app, ["run", names[0], "--since", "nothing.json"])
    assert missing.exit_code == 2
    assert "'--since': nothing.json: there is no such file" in missing.stderr
