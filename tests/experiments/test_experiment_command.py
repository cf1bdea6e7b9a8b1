"""The command experiment and what it is made of, on toy experiments."""

import json
import os
import signal
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from machine_speed import patient
from typer.testing import CliRunner

from verify.cli import app

TESTS = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def _in_a_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)


def invoke(*arguments):
    return CliRunner().invoke(app, ["experiment", *map(str, arguments), "--package", "toy_experiments"])


def table(folder="experiments", name="toy.means"):
    return (Path(folder) / name / "table.csv").read_bytes()


def test_without_a_name_experiments_are_listed_with_their_last_result():
    assert invoke("toy.means", "--scale", "smoke").exit_code == 0
    lines = invoke().stdout.splitlines()
    assert lines[0].split() == ["experiment", "figure", "smoke", "laptop", "paper", "last", "result", "title"]
    assert lines[2].startswith("toy.means")
    assert "smoke: 1 of 1 as asserted" in lines[2]
    assert lines[3].startswith("toy.wrong")
    assert " none " in lines[3]
    listed = json.loads(invoke("--json").stdout)
    assert [one["name"] for one in listed] == ["toy.broken", "toy.means", "toy.wrong"]
    assert listed[1]["last"]["as_asserted"] is True
    assert listed[2]["last"] is None


def test_figure_table_and_result_are_written():
    result = invoke("toy.means", "--scale", "smoke", "--seeds", "3..7,9", "--json")
    assert result.exit_code == 0
    folder = Path("experiments/toy.means")
    assert {path.name for path in folder.iterdir()} == {"figure.png", "figure.svg", "result.json", "runs.jsonl", "table.csv"}
    assert "A falling curve on a dashed one." in (folder / "figure.svg").read_text()
    lines = table().decode().splitlines()
    assert lines[0] == "size,seed,spread"
    assert [line.split(",")[:2] for line in lines[1:]] == [[size, seed] for size in ("1", "4", "16") for seed in "345679"]
    document = json.loads((folder / "result.json").read_text())
    assert [document] == json.loads(result.stdout)
    assert (document["scale"], document["seeds"], document["runs"]) == ("smoke", [3, 4, 5, 6, 7, 9], 3)
    assert document["recipe"] == {"sizes": [1, 4, 16], "means": 400, "seconds": 0.0}
    assert document["read_off"] == {"law": "one over the root"}
    assert set(document["versions"][0]) >= {"numpy", "blas", "simd"}
    jsonschema.validate(document, json.loads((files("verify") / "schemas" / "experiment.json").read_text()))
    (assertion,) = document["assertions"]
    assert (assertion["outcome"], assertion["within"]) == ("holds", [0.9, 1.1])
    assert list(assertion["medians"]) == ["size 1", "size 4", "size 16"]
    assert assertion["medians"]["size 4"]["confidence"] == 0.9688
    assert assertion["false"]["it does not fall"]["refuted"] is True
    assert list(assertion["false"]["it does not fall"]["by"]) == ["size 4"]


def test_engines_give_the_same_table():
    invoke("toy.means", "--scale", "smoke")
    invoke("toy.means", "--scale", "smoke", "--engine", "processes:2", "--out", "other")
    assert table() == table("other")


def test_a_failed_assertion_and_a_variant_that_is_not_refuted_give_1():
    result = invoke("toy.wrong", "--scale", "smoke")
    assert result.exit_code == 1
    assert "failed: the spread is two (from 1.9 to 2.1)" in result.stdout
    assert "false: so it is (from 0.5 to 2); NOT refuted" in result.stdout
    assert "0 of 2 as asserted" in result.stdout


def test_too_few_seeds_assert_nothing():
    result = invoke("toy.means", "--scale", "smoke", "--seeds", "0,1")
    assert result.exit_code == 1
    assert "failed: fewer than 3 seeds: size 1 (2), size 4 (2), size 16 (2)" in result.stdout


def test_a_run_that_raises_is_named_and_the_others_are_kept():
    result = invoke("toy.broken", "toy.means", "--scale", "smoke")
    assert result.exit_code == 1
    failed = '{"seeds":[0,1,2,3,4],"size":4}'
    assert f"the run {failed} of toy.broken failed: ArithmeticError: four is too much; the runs that" in result.stderr
    assert len(Path("experiments/toy.broken/runs.jsonl").read_text().splitlines()) == 1
    assert not Path("experiments/toy.broken/table.csv").exists()
    assert table()


def test_an_experiment_that_failed_is_in_the_document():
    result = invoke("toy.broken", "toy.means", "--scale", "smoke", "--json")
    broken, means = json.loads(result.stdout)
    assert (broken["name"], broken["as_asserted"], means["name"]) == ("toy.broken", False, "toy.means")
    assert broken["problem"].startswith("a run failed")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["toy.mean"], "no experiment is called 'toy.mean'; nearest: toy.means"),
        (["toy.means", "--seeds", "4..1"], "seeds must be numbers such as 0..4 or 0,3,5, at most 1000, got '4..1'"),
        (["toy.means", "--seeds", "0..2,1"], "seeds must be different, got '0..2,1'"),
        (["toy.means", "--scale", "large"], "'large' is not one of 'smoke', 'laptop', 'paper'"),
        (["toy.means", "--engine", "foo"], "engine must be one of inline"),
        (["toy.means", "--out", __file__], "cannot be made a folder"),
        (["toy.means", "--plot-only"], "table.csv: there is no such file"),
        (["toy.means", "--plot-only", "--resume"], "give one of the two"),
    ],
)
def test_unusable_input_gives_2(arguments, message):
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_plot_only_judges_and_draws_what_is_there():
    invoke("toy.means", "--scale", "smoke")
    folder = Path("experiments/toy.means")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in ("figure.png", "figure.svg", "runs.jsonl"):
        (folder / name).unlink()
    assert invoke("toy.means", "--plot-only").exit_code == 0
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert after == {name: data for name, data in before.items() if name != "runs.jsonl"}
    (folder / "table.csv").write_text("size,seed,spread\n" + "".join(f"1,{seed},2.0\n" for seed in range(5)))
    assert invoke("toy.means", "--plot-only").exit_code == 1


@pytest.mark.parametrize("text", ["seed,spread\n0,1.0\n", "size,seed,spread\n1,0,many\n", "", "size,seed,spread\n1,0,nan\n"])
def test_a_table_of_something_else_is_told_in_a_line(text):
    invoke("toy.means", "--scale", "smoke")
    Path("experiments/toy.means/table.csv").write_text(text)
    result = invoke("toy.means", "--plot-only")
    assert result.exit_code == 2 or (result.exit_code == 1 and "there is nothing to measure" in result.stdout)
    assert "Traceback" not in result.stderr
    assert result.exit_code == 1 or "table.csv" in result.stderr


def test_resume_after_a_torn_line_gives_the_same_table():
    invoke("toy.means", "--scale", "smoke")
    journal = Path("experiments/toy.means/runs.jsonl")
    whole, lines = table(), journal.read_text().splitlines(keepends=True)
    journal.write_text(lines[2] + lines[0][:40])
    result = invoke("toy.means", "--scale", "smoke", "--resume")
    assert result.exit_code == 0
    assert table() == whole
    assert len(journal.read_text().splitlines()) == 3


def test_a_journal_of_another_recipe_is_not_used():
    invoke("toy.means", "--scale", "laptop", "--seeds", "0..2")
    lines = Path("experiments/toy.means/runs.jsonl").read_text().splitlines()
    result = invoke("toy.means", "--scale", "smoke", "--seeds", "0..2", "--resume")
    assert "its runs are of another recipe or of other code, and none is used" in result.stderr
    assert len(Path("experiments/toy.means/runs.jsonl").read_text().splitlines()) == len(lines) + 3


def test_what_is_no_journal_gives_2():
    Path("experiments/toy.means").mkdir(parents=True)
    Path("experiments/toy.means/runs.jsonl").write_text('{"run": 3}\n')
    result = invoke("toy.means", "--scale", "smoke", "--resume")
    assert result.exit_code == 2
    assert "runs.jsonl, line 1: not a run of an experiment" in result.stderr


def start(*arguments):
    """The command in a process of its own; it has done a run when this returns."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])}
    process = subprocess.Popen(
        [sys.executable, "-m", "verify", "experiment", "toy.means", *arguments, "--package", "toy_experiments"],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    journal = Path("experiments/toy.means/runs.jsonl")
    end = time.monotonic() + patient(60)
    while not journal.exists() or not journal.read_text().endswith("\n"):
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < end, "no run was finished"
        time.sleep(0.01)
    return process


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_after_a_signal_resume_gives_the_same_table(sent, status):
    process = start()
    process.send_signal(sent)
    _, stderr = process.communicate(timeout=patient(60))
    assert process.returncode == status
    done = len(Path("experiments/toy.means/runs.jsonl").read_text().splitlines())
    assert done < 4
    if sent == signal.SIGINT:
        assert "toy.means: interrupted; the runs that are finished are kept, and --resume does the others" in stderr
    assert invoke("toy.means", "--resume").exit_code == 0
    assert len(Path("experiments/toy.means/runs.jsonl").read_text().splitlines()) == 4
    invoke("toy.means", "--out", "whole")
    assert table() == table("whole")
