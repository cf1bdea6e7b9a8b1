"""The command line, on the toy claims."""

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

from verify.checker.checking import Checker
from verify.claims.catalogue import catalogue
from verify.cli import app

TESTS = Path(__file__).parent
WITNESS = TESTS / "toy_claims" / "witnesses" / "toy.squares.printed.json"


@pytest.fixture(autouse=True)
def _without_colours(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")


def invoke(*arguments, package="toy_claims"):
    return CliRunner().invoke(app, [*map(str, arguments), "--package", package])


def test_run_prints_a_row_for_each_claim_and_a_summary():
    result = invoke("run", "--seed", 3)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split()[:4] == ["claim", "status", "outcome", "evidence"]
    assert [line.split()[0] for line in lines[1:5]] == ["toy.means", "toy.means.cubes", "toy.squares", "toy.squares.printed"]
    assert lines[-1].startswith("4 claims, all as expected: 3 survived, 1 refuted, 0 undecided; budget quick, seed 3")
    assert "\x1b" not in result.stdout
    assert all(line == line.rstrip() for line in lines)


def test_run_writes_the_json_of_the_contract(tmp_path):
    path = tmp_path / "found.json"
    assert invoke("run", "--json", path).exit_code == 0
    found = json.loads(path.read_text())
    assert (found["schema"], found["budget"], found["seed"], found["interrupted"]) == (2, "quick", 0, False)
    made_by = {"python", "numpy", "scipy", "python-flint", "deep-l2-verify", "platform", "blas", "simd"}
    assert set(found["versions"]) == made_by
    assert all(claim["versions"] == found["versions"] for claim in found["claims"])
    assert (found["summary"]["claims"], found["summary"]["as_expected"]) == (4, 4)
    claims = {claim["id"]: claim for claim in found["claims"]}
    means, printed = claims["toy.means"], claims["toy.squares.printed"]
    assert (means["paper"], means["label"], means["status"]) == ("notion_of_rank", "derived here", "stated")
    assert (means["outcome"], means["expected"], means["evidence"]) == ("survived", "survived", "exact")
    assert means["tight"] == {"equal numbers": 0.0}
    variant = means["false_variants"]["constant larger by 1e-6"]
    assert variant["refuted"] is True
    assert variant["by"] in ("structured", "batched", "ascent")
    assert 0 < means["feasible"] <= means["drawn"]
    assert claims["toy.means.cubes"]["needs"] == {"the sum is not negative": "needed"}
    assert (printed["outcome"], printed["expected"], printed["witness"]) == ("refuted", "refuted", str(WITNESS))
    assert printed["counterexample"]["coordinates"] == {"x": "1/2"}
    assert list(tmp_path.iterdir()) == [path]


def test_run_is_the_same_for_a_seed(tmp_path):
    found = []
    for name in ("first", "second"):
        invoke("run", "--fresh", "--json", tmp_path / name, "--seed", 5)
        claims = json.loads((tmp_path / name).read_text())["claims"]
        found.append([{key: value for key, value in claim.items() if key != "seconds"} for claim in claims])
    assert found[0] == found[1]


def test_run_writes_witnesses_that_check_accepts(tmp_path):
    assert invoke("run", "toy.squares.printed", "--witnesses", tmp_path / "new" / "folder").exit_code == 0
    path = tmp_path / "new" / "folder" / "toy.squares.printed.json"
    result = invoke("check", path)
    assert result.exit_code == 0
    assert "x = 1/2" in result.stdout
    assert "stands: the statement is false here" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["toy.mean"], "no claim or folder is called 'toy.mean'; nearest: toy.means"),
        (["--budget", "fast"], "'fast' is not one of 'quick', 'standard', 'deep'"),
        (["--seed", "-1"], "seed must be from 0 to 2**63 - 1, got -1"),
        (["--engine", "foo"], "engine must be one of inline, processes, processes:N, dask:tcp://HOST:PORT, mpi, got 'foo'"),
        (["--json", "/no/such/folder/x.json"], "there is no folder /no/such/folder"),
        (["--json", str(TESTS)], "is a folder; a file is wanted"),
        (["--html", __file__], "cannot be made a folder"),
        (["--witnesses", __file__], "cannot be made a folder"),
    ],
)
def test_run_refuses_unusable_input_before_any_work(arguments, message, monkeypatch):
    monkeypatch.setattr(Checker, "everything", lambda self: pytest.fail(f"{self.claim.id} was checked"))
    result = invoke("run", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert (arguments[0] if arguments[0].startswith("-") else "ID") in result.stderr


def test_run_refuses_an_unknown_package():
    result = invoke("run", package="no_such_package_of_claims")
    assert result.exit_code == 2
    assert "no package is called 'no_such_package_of_claims'" in result.stderr


def test_run_reports_what_is_not_as_expected(tmp_path, monkeypatch):
    text = (TESTS / "toy_claims" / "squares.py").read_text().replace("interval(1, np.inf)", "interval(0, np.inf)")
    (tmp_path / "wrong_claims").mkdir()
    (tmp_path / "wrong_claims" / "__init__.py").touch()
    (tmp_path / "wrong_claims" / "squares.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    result = invoke("run", "toy.squares", "--json", tmp_path / "found.json", package="wrong_claims")
    assert result.exit_code == 1
    assert "toy.squares: Squares are larger beyond 1\n  expected survived, got refuted\n" in result.stdout
    assert "again: verify run toy.squares --budget quick --seed 0 --package wrong_claims" in result.stdout
    claims = {claim["id"]: claim for claim in json.loads((tmp_path / "found.json").read_text())["claims"]}
    assert claims["toy.squares"]["problems"][0] == "expected survived, got refuted"


def test_a_check_that_raises_is_a_problem_and_hides_no_other(tmp_path, monkeypatch):
    everything = Checker.everything

    def broken(self):
        if self.claim.id == "toy.squares":
            raise RuntimeError("out of chalk")
        return everything(self)

    monkeypatch.setattr(Checker, "everything", broken)
    result = invoke("run", "--fresh", "--engine", "inline", "--json", tmp_path / "found.json", "--html", tmp_path)
    assert result.exit_code == 1
    assert "the check raised RuntimeError: out of chalk" in result.stdout
    assert json.loads((tmp_path / "found.json").read_text())["summary"] | {"seconds": 0} == {
        "claims": 4,
        "as_expected": 3,
        "survived": 2,
        "refuted": 1,
        "undecided": 1,
        "kept": 0,
        "seconds": 0,
    }


def test_an_interrupt_keeps_what_is_done(tmp_path, monkeypatch):
    everything = Checker.everything

    def interrupted(self):
        if self.claim.id == "toy.squares":
            raise KeyboardInterrupt
        return everything(self)

    monkeypatch.setattr(Checker, "everything", interrupted)
    result = invoke("run", "--fresh", "--engine", "inline", "--json", tmp_path / "found.json")
    assert result.exit_code == 130
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["interrupted"] is True
    assert [claim["id"] for claim in found["claims"]] == ["toy.means", "toy.means.cubes"]
    assert "interrupted, 2 claims not checked" in result.stdout


SLOW_CLAIM = """
import pathlib, time
from verify import Claim, Domain, Source, reals
from verify.words import le

def slow(x):
    pathlib.Path("started").touch()
    time.sleep(600)
    return le(x, x)

CLAIM = Claim("slow.one", "Slow", Source("toy", "derived here"), slow, Domain({"x": reals()}), {"a": slow})
"""


@pytest.mark.parametrize("ignored", [False, True], ids=["", "started with interrupts ignored"])
def test_an_interrupt_ends_the_workers(tmp_path, ignored):
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "__init__.py").write_text(SLOW_CLAIM)
    arguments = [sys.executable, "-m", "verify", "run", "--package", "slow", "--engine", "processes:1", "--json", "found.json"]
    if ignored:
        arguments = ["sh", "-c", "trap '' INT; exec \"$@\"", "sh", *arguments]
    process = subprocess.Popen(arguments, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + patient(60)
    while not (tmp_path / "started").exists():
        assert time.monotonic() < deadline, "the claim was not begun"
        assert process.poll() is None
        time.sleep(0.05)
    # a second one must not end the writing that the first one begins
    for _ in range(20):
        process.send_signal(signal.SIGINT)
        time.sleep(0.01)
    output, _ = process.communicate(timeout=patient(60))
    assert process.returncode == 130
    assert "interrupted, 1 claims not checked" in output
    assert json.loads((tmp_path / "found.json").read_text())["interrupted"] is True


def test_list_gives_every_claim():
    lines = invoke("list").stdout.splitlines()
    ids = ["toy.means", "toy.means.cubes", "toy.squares", "toy.squares.printed"]
    assert [line.split()[0] for line in lines[:-1]] == ["id", *ids]
    assert lines[-1] == "toy.inequality_of_means -> toy.means"
    entries = json.loads(invoke("list", "--json").stdout)
    assert entries[0] == {
        "id": "toy.means",
        "title": "Two <means>",
        "paper": "notion_of_rank",
        "label": "derived here",
        "status": "stated",
        "evidence": "exact",
        "corrected_by": None,
        "witness": None,
        "aliases": ["toy.inequality_of_means"],
    }
    assert entries[1]["aliases"] == []


def test_list_of_what_is_false_gives_correction_and_witness(monkeypatch):
    monkeypatch.chdir(TESTS)
    lines = invoke("list", "--status", "false_as_printed").stdout.splitlines()
    assert len(lines) == 2
    assert lines[1].split()[0] == "toy.squares.printed"
    assert "toy.squares " in lines[1]
    assert lines[1].endswith(f"  {WITNESS.relative_to(TESTS)}")


def test_a_part_of_a_theorem_is_shown_with_the_theorem():
    text = CliRunner().invoke(app, ["show", "leaky_resnets.theorem_4.pointwise"]).stdout
    assert "theorem theorems.leaky_resnets.theorem_4:\n  Theorem 4: separation of time scales." in text
    assert "theorem theorems" not in CliRunner().invoke(app, ["show", "notion_of_rank.prop_3"]).stdout


def test_show_gives_all_about_a_claim():
    text = invoke("show", "toy.means").stdout
    for part in (
        "Two <means>",
        "The geometric mean is at most the arithmetic mean.",
        "x: real number from 0",
        "equal numbers  (x = 3, y = 3)",
        "constant larger by 1e-6",
        "the square",
        "exponent -2",
        "return le(factor * sqrt(x * y)",
    ):
        assert part in text
    assert "the sum is not negative  (needed)" in invoke("show", "toy.means.cubes").stdout
    printed = invoke("show", "toy.squares.printed").stdout
    assert "corrected by toy.squares" in printed
    assert '"x": "1/2"' in printed
    assert "corrects toy.squares.printed" in invoke("show", "toy.squares").stdout


def test_an_alias_is_shown_and_run_as_the_claim_it_stands_for(tmp_path):
    text = invoke("show", "toy.inequality_of_means").stdout
    assert text == f"toy.inequality_of_means stands for toy.means\n\n{invoke('show', 'toy.means').stdout}"
    assert invoke("run", "toy.inequality_of_means", "--json", tmp_path / "found.json").exit_code == 0
    assert json.loads((tmp_path / "found.json").read_text())["claims"][0]["id"] == "toy.means"
    assert "nearest: toy.inequality_of_means" in invoke("run", "toy.inequality_of_mean").stderr


def test_an_alias_of_what_is_no_claim_is_a_problem(tmp_path, monkeypatch):
    (tmp_path / "astray").mkdir()
    (tmp_path / "astray" / "squares.py").write_text((TESTS / "toy_claims" / "squares.py").read_text())
    (tmp_path / "astray" / "__init__.py").write_text('ALIASES = {"toy.a": "toy.b", "toy.squares": "toy.squares.printed"}\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    found = catalogue("astray")
    assert found.aliases == {}
    assert found.problems == (
        "the alias toy.a stands for toy.b, which does not exist",
        "the alias toy.squares is the id of a claim, too; the claim is meant",
    )
    result = invoke("run", "toy.squares.printed", package="astray")
    assert result.exit_code == 1
    assert "problem: the alias toy.a stands for toy.b, which does not exist" in result.stderr


def test_show_refuses_folders_and_unknown_names():
    result = invoke("show", "toy")
    assert result.exit_code == 2
    assert "'toy' names several claims: toy.means, " in result.stderr
    assert invoke("show", "toy.cubes").exit_code == 2


def test_check_tells_what_does_not_stand_from_what_is_unusable(tmp_path):
    document = json.loads(WITNESS.read_text())
    fallen, broken = tmp_path / "fallen.json", tmp_path / "broken.json"
    fallen.write_text(json.dumps(document | {"coordinates": {"x": "2"}}))
    broken.write_text(WITNESS.read_text()[:40])
    assert invoke("check", WITNESS).exit_code == 0
    result = invoke("check", WITNESS, fallen)
    assert result.exit_code == 1
    assert "does not stand: the statement does not fail here" in result.stdout
    result = invoke("check", broken, fallen)
    assert result.exit_code == 2
    assert f"{broken}: not a witness file" in result.stderr


def test_a_folder_may_be_given_as_a_path():
    result = invoke("run", "toy_claims/toy/means")
    assert result.exit_code == 0
    assert "2 claims" in result.stdout


def test_the_module_is_the_command(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(TESTS)}
    arguments = [sys.executable, "-m", "verify", "list", "--package", "toy_claims", "--json"]
    result = subprocess.run(arguments, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert len(json.loads(result.stdout)) == len(catalogue("toy_claims"))


def test_a_check_that_takes_too_long_is_ended_and_said():
    certificate = TESTS.parent / "theorems" / "certificates" / "feature_learning.frank_wolfe.eliminated.json"
    result = invoke("check", "--timeout", "0.1", certificate, package="theorems")
    assert result.exit_code == 1
    assert "longer than the time limit of 0.1 s" in result.stderr
