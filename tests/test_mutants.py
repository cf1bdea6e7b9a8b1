"""The script that mutates the engine: what it changes, what it leaves alone, and what it says of the tests of a toy."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "benchmarks" / "attack"))
import mutants

SOURCE = b'''"""A docstring with 1 < 2."""

LIMIT: int = 3


def small(number: int, *more: "1 + 1") -> bool:
    """Whether 0 < number."""
    if not number < LIMIT and more:
        raise ValueError(f"{number + 1} is not below {LIMIT}" + " or 4")
    return number - 1 == 0
'''
WANTED = {
    ("constant", "4"),
    ("not", "(number < LIMIT)"),
    ("comparison", "(number <= LIMIT)"),
    ("comparison", "(number >= LIMIT)"),
    ("comparison", "(number - 1 != 0)"),
    ("and, or", "(not number < LIMIT or more)"),
    ("arithmetic", "(number + 1)"),
    ("constant", "2"),
    ("constant", "1"),
    ("returned", "return None"),
    ("statement", "pass"),
}


def test_what_is_said_is_not_changed():
    found = list(mutants.mutants("one.py", SOURCE))
    assert {(one.kind, one.text) for one in found} == WANTED
    assert len(found) == len(WANTED)
    for one in found:
        changed = one.of(SOURCE)
        compile(changed, "one.py", "exec")
        assert changed != SOURCE
        (line,) = [text for text in mutants.diff(one, SOURCE).splitlines() if text.startswith(("+ ", "+L"))]
        assert line[1:].encode() in changed


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A checkout with one module, and a test that sees one of its two functions."""
    for name, text in {
        "engine/one.py": "def seen(x):\n    return x + 1\n\n\ndef unseen(x):\n    return x * 2\n",
        "verify/__init__.py": "",
        "theorems/__init__.py": "",
        "tests/test_one.py": "from engine.one import seen\n\n\ndef test_seen():\n    assert seen(1) == 2\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # the plugin of this package is not in the toy
    monkeypatch.setattr(mutants, "TESTS", {"engine": "tests"})
    return tmp_path


def test_mutants_are_killed_by_tests_or_shown(toy, monkeypatch, capsys):
    command = ["mutants", "engine", "--count", "2", "--seed", "1", "--json", str(toy / "found.json")]
    monkeypatch.setattr(sys, "argv", [*command, "--least", "0.6"])
    before = (toy / "engine" / "one.py").read_text()
    assert mutants.main() == 1  # one of two is less
    said = capsys.readouterr().out
    assert "seed 1: 2 of 6 mutants of 1 files" in said
    killed = said.count("FAILED tests/test_one.py::test_seen")
    assert f"| engine/one.py | 2 | {killed} | {2 - killed} |" in said
    assert killed == 1
    assert said.count("SURVIVED") == said.count("--- engine/one.py") == 2 - killed
    assert "+    return x" not in said
    assert (toy / "engine" / "one.py").read_text() == before
    assert (toy / "found.json").read_text().count('"kind"') == 2
    # a test is written, and the survivor asked again
    (toy / "tests" / "test_one.py").write_text(
        "from engine.one import unseen\n\n\ndef test_unseen():\n    assert unseen(3) == 6\n"
    )
    monkeypatch.setattr(sys, "argv", [*command[:-2], "--again", command[-1]])
    assert mutants.main() == 0
    assert "| all | 1 | 1 | 0 |" in capsys.readouterr().out


def test_tests_that_fail_without_a_mutant_kill_nothing(toy, monkeypatch, capsys):
    (toy / "tests" / "test_one.py").write_text("def test_false():\n    assert False\n")
    monkeypatch.setattr(sys, "argv", ["mutants", "engine", "--count", "1"])
    assert mutants.main() == 1
    assert "tests, without a mutant: FAILED tests/test_one.py::test_false" in capsys.readouterr().out


def test_what_takes_too_long_is_killed(toy):
    (toy / "tests" / "test_one.py").write_text("import time\n\n\ndef test_slow():\n    time.sleep(60)\n")
    by, seconds = mutants.fails(toy, ["tests"], 0.5)
    assert by == "time"
    assert seconds < 10


def test_each_file_of_the_engine_has_tests_that_are_there():
    for name in mutants.FILES:
        path = mutants.ROOT / name
        assert path.exists()
        for file in [path] if path.suffix else path.rglob("*.py"):
            tests = [one for one in mutants.tests_of(str(file.relative_to(mutants.ROOT))) if one.startswith("tests")]
            assert tests
            assert all((mutants.ROOT / one.partition("::")[0]).exists() for one in tests)
