"""Every write, fsync and rename of evidence fails once: nothing that was there is lost, and one sentence says it."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
import time
import warnings
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from test_ledger import entry
from typer.testing import CliRunner

from verify.checker.baseline import Quantity, read_baseline, write_baseline
from verify.checker.strength import Strength, read_strengths, write_strengths
from verify.cli import app
from verify.evidence.files import write_whole
from verify.evidence.ledger import TornLedgerWarning, append, read_ledger
from verify.networks.training.checkpoints import State, load, save

TESTS = Path(__file__).parents[1]
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
FAULTS = [FULL, MemoryError(), KeyboardInterrupt()]
ONE_BY_ONE = ("open", "write", "fsync", "replace", "ftruncate")
"""Functions of `os` that evidence is written by; `io.open`, and what it gives, is the other way."""


@contextmanager
def failing(turn, fault, folder):
    """Let the operation with this number fail, of those on files in `folder`; what is yielded says whether there was one.

    A write to a descriptor that fails has written a part.
    """
    state = {"count": -1, "struck": False}
    inside: set[int] = set()

    def strikes():
        state["count"] += 1
        if state["count"] == turn:
            state["struck"] = True
            raise fault

    def within(target):
        return (target in inside) if isinstance(target, int) else Path(target).absolute().is_relative_to(folder)

    def one(name):
        original = getattr(os, name)

        def operation(target, *others, **options):
            if within(target):
                try:
                    strikes()
                except BaseException:
                    if name == "write":
                        original(target, others[0][: len(others[0]) // 2])
                    raise
            result = original(target, *others, **options)
            if name == "open" and within(target):
                inside.add(result)
            return result

        return operation

    class Written:
        """A file of which every write may fail, half done."""

        def __init__(self, file):
            self.file = file
            inside.add(file.fileno())

        def __getattr__(self, name):
            return getattr(self.file, name)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.file.close()

        def write(self, data):
            try:
                strikes()
            except BaseException:
                self.file.write(data[: len(data) // 2])
                raise
            return self.file.write(data)

        def writelines(self, parts):
            for part in parts:
                self.write(part)

    opened = io.open

    def open_file(file, mode="r", *others, **options):
        if not within(file) or not set(mode) & set("wax+"):
            return opened(file, mode, *others, **options)
        strikes()
        return Written(opened(file, mode, *others, **options))

    with pytest.MonkeyPatch.context() as patch:
        for name in ONE_BY_ONE:
            patch.setattr(os, name, one(name))
        patch.setattr(io, "open", open_file)
        yield state


def every_turn(write, check, folder, fault, most=60):
    """Call `write` with the first operation failing, then the second, until none fails; `check` what is there each time."""
    for turn in range(most):
        error = None
        with failing(turn, fault, folder) as state:
            try:
                write()
            except BaseException as raised:  # an interrupt is a fault, too
                error = raised
        if not state["struck"]:
            assert error is None
            return turn
        if error is not None:
            assert isinstance(error, type(fault))
            if fault is FULL:
                assert "\n" not in str(error)
        check(error is None)
        assert [path.name for path in folder.iterdir() if path.name.endswith(".part")] == []
    raise AssertionError(f"more than {most} operations")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: type(one).__name__)
def test_a_file_is_the_old_one_or_the_new_one(tmp_path, fault):
    path = tmp_path / "file"

    def check(whole):
        assert path.read_text() in (("new" * 9,) if whole else ("old", "new" * 9))
        path.write_text("old")

    path.write_text("old")
    assert every_turn(lambda: write_whole(path, ["new"] * 9), check, tmp_path, fault) > 9


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: type(one).__name__)
def test_a_ledger_keeps_every_line_that_was_there(tmp_path, fault):
    path = tmp_path / "ledger"
    for seed in range(3):
        append(path, entry(seed))
    before = path.read_bytes()

    def check(whole):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TornLedgerWarning)
            found = read_ledger(path)
        assert found[:3] == [entry(seed) for seed in range(3)]
        append(path, entry(4))  # it goes on after whatever is there
        seeds = [one.seed for one in read_ledger(path)]
        assert seeds in ([0, 1, 2, 3, 4],) if whole else ([0, 1, 2, 4], [0, 1, 2, 3, 4])
        path.write_bytes(before)

    # to open it, to write, and to wait for the disk
    assert every_turn(lambda: append(path, entry(3)), check, tmp_path, fault) >= 3


def a_quantity(value):
    return {"toy.means": {"slack": Quantity(value, float("inf"), "smaller", "quick", "f" * 16)}}


VECTOR = np.arange(6.0)
FORMATS = {
    "baseline": (lambda path, one: write_baseline(path, a_quantity(one)), lambda path: read_baseline(path) == a_quantity),
    "strengths": (
        lambda path, one: write_strengths(path, {"toy.means": Strength("0" * 16, problem=f"{one}")}),
        lambda path: read_strengths(path)["toy.means"].problem,
    ),
    "checkpoint": (
        lambda path, one: save(path, State(3, VECTOR + one, [], np.ones(3)), "mark"),
        lambda path: load(path, "mark", VECTOR, 0, ()).parameters[0],
    ),
}


@pytest.mark.parametrize("name", FORMATS)
def test_files_of_evidence_are_the_old_ones_or_the_new_ones(tmp_path, name):
    write, read = FORMATS[name]
    path = tmp_path / "file"
    write(path, 1.0)
    old = path.read_bytes()
    write(path, 2.0)
    new = path.read_bytes()
    assert old != new
    path.write_bytes(old)

    def check(whole):
        read(path)
        assert path.read_bytes() in ((new,) if whole else (old, new))
        path.write_bytes(old)

    assert every_turn(lambda: write(path, 2.0), check, tmp_path, FULL) >= 3


@pytest.fixture
def _toy(monkeypatch, tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path / "here")


@pytest.mark.usefixtures("_toy")
def test_a_run_says_what_it_found_whatever_cannot_be_written(tmp_path):
    arguments = ["run", "-q", "toy.squares.printed", "--json", "found.json", "--witnesses", "w", "--engine", "inline"]
    results = []

    def run():
        result = CliRunner().invoke(app, [*arguments, "--package", "toy_claims"])
        results.append(result)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        if result.exit_code:
            raise OSError(result.stderr.strip())

    def check(whole):
        result = results[-1]
        assert "1 claim, all as expected: 0 survived, 1 refuted" in result.stdout
        assert result.exit_code == (0 if whole else 2)
        assert "Traceback" not in result.stderr
        assert result.stderr.count("\n") == (0 if whole else 1), result.stderr
        for path in Path.cwd().rglob("*.json"):
            json.loads(path.read_text())

    run()
    assert every_turn(run, check, tmp_path / "here", FULL) >= 6


@pytest.mark.usefixtures("_toy")
def test_a_campaign_goes_on_after_any_write_that_failed(tmp_path):
    arguments = ["search", "toy.squares", "--evaluations", "6000", "--ledger", "ledger.jsonl", "--engine", "inline"]
    results = []

    def search():
        result = CliRunner().invoke(app, [*arguments, "--package", "toy_claims"])
        results.append(result)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        if result.exit_code:
            raise OSError(result.stderr.strip())

    search()
    ledger = Path.cwd() / "ledger.jsonl"
    whole = ledger.read_bytes()
    ledger.unlink()

    def check(finished):
        assert "Traceback" not in results[-1].stderr
        assert finished or (results[-1].exit_code == 2 and results[-1].stderr.count("\n") == 1), results[-1].stderr
        search()
        assert ledger.read_bytes() == whole
        ledger.unlink()

    assert every_turn(search, check, tmp_path / "here", FULL) >= 6


@pytest.mark.usefixtures("_toy")
@pytest.mark.parametrize("behind", [3600, 10**9])
def test_a_clock_that_goes_back_changes_no_result(monkeypatch, behind):
    arguments = ["run", "-q", "toy.squares.printed", "--json", "found.json", "--engine", "inline", "--package", "toy_claims"]
    found = []
    for shift in (0, behind):
        now = time.time
        monkeypatch.setattr(time, "time", lambda now=now, shift=shift: now() - shift)
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
        (claim,) = json.loads(Path("found.json").read_text())["claims"]
        found.append({name: value for name, value in claim.items() if name not in ("seconds", "kept", "versions")})
    assert found[0] == found[1]


ODD = {
    "assertions are off": (["-O"], {}),
    "no home": ([], {"HOME": None, "XDG_CACHE_HOME": None}),
    "a cache that is a file": ([], {"XDG_CACHE_HOME": "/dev/null"}),
    "another language": ([], {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_surroundings_change_no_result(tmp_path, name):
    options, changes = ODD[name]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)]), "NO_COLOR": "1"} | changes
    done = subprocess.run(
        [
            sys.executable,
            *options,
            "-m",
            "verify",
            "run",
            "-q",
            "toy.squares.printed",
            "--json",
            "found.json",
            "--package",
            "toy_claims",
        ],
        cwd=tmp_path,
        env={key: value for key, value in environment.items() if value is not None},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    (claim,) = json.loads((tmp_path / "found.json").read_text())["claims"]
    assert (claim["outcome"], claim["evaluations"] > 0) == ("refuted", True)
