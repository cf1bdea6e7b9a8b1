"""Of tests with many like cases some are run; by turns all are."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CASES = "tests/test_verdicts.py::test_the_verdict_is_the_known_one_with_every_seed"


def collected(*arguments):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--collect-only", "-q", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def items(*arguments):
    return [line for line in collected(*arguments).stdout.splitlines() if "::" in line]


@pytest.fixture(scope="module")
def every():
    return items(CASES, "--turn", "all")


@pytest.fixture(scope="module")
def first():
    return items(CASES)


def test_each_case_has_its_turn(every, first):
    # of three turns the fifth is the second
    turns = [first, *(items(CASES, "--turn", turn) for turn in ("4", "2"))]
    assert all(turns)
    assert sorted(name for names in turns for name in names) == sorted(every)


def test_a_case_that_is_named_is_run(every, first):
    left_out = next(name for name in every if name not in first)
    assert items(left_out) == [left_out]


def test_a_turn_is_a_number_or_all():
    result = collected(CASES, "--turn", "first")
    assert result.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--turn must be a number from 0, or all, got 'first'" in result.stderr
