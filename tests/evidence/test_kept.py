"""Fingerprints are kept from one command to the next, and believed only as long as no file has changed."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import time

import pytest
from edits import EDITS, write

from verify.evidence import kept
from verify.evidence.kept import surroundings

PACKAGE = "kept_package"
COMPUTED = """
import json, sys
from verify.evidence import fingerprint, kept
computed = []
for name in ("fresh_source", "_meaning"):
    def counted(claim, variant, plain=getattr(fingerprint_module := sys.modules[fingerprint.__module__], name), name=name):
        computed.append(name)
        return plain(claim, variant)
    setattr(fingerprint_module, name, counted)
with kept.keeping():
    from verify import catalogue
    found = fingerprint_module.claim_fingerprint(catalogue(sys.argv[1])["edited.claim"])
print(json.dumps([found, computed]))
"""


@pytest.fixture
def ask(tmp_path):
    """The fingerprint in a new process, and what of it was computed there."""
    (tmp_path / "files").mkdir()

    def run(**files):
        for name, text in files.items():
            (tmp_path / "files" / PACKAGE / f"{name}.py").write_text(text)
        # what was written a moment ago is not believed to be what is in memory
        before = time.time() - 60
        for path in (tmp_path / "files").rglob("*"):
            os.utime(path, (before, before))
        environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", COMPUTED, PACKAGE]
        done = subprocess.run(command, cwd=tmp_path / "files", env=environment, check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    write(tmp_path / "files", EDITS["a constant of another module"].files(after=False), PACKAGE)
    return run


def kept_file(tmp_path):
    (path,) = (tmp_path / "cache" / "deep-l2-verify").iterdir()
    return path


def test_a_module_that_is_run_as_a_program_is_no_package_in_memory(tmp_path):
    (tmp_path / "program.py").write_text(
        "import multiprocessing\nfrom verify.evidence import kept\nprint(sorted(kept._followed()))\n"
    )
    for how in (["-m", "program"], ["program.py"]):
        done = subprocess.run([sys.executable, *how], cwd=tmp_path, check=True, capture_output=True, text=True)
        assert done.stdout == "[]\n"


def test_only_what_is_opened_by_an_import_is_noted(tmp_path, monkeypatch):
    (tmp_path / "read.txt").write_text("1")
    (tmp_path / "reads_a_text.py").write_text("with open('read.txt') as file:\n    NUMBER = file.read()\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(kept, "OPENED", {})
    kept._note_files()
    exec(compile("open('read.txt').close()", "a worker", "exec"), {"__name__": "a_worker"})
    assert kept.OPENED == {}
    importlib.import_module("reads_a_text")
    noted = {str(tmp_path / "read.txt"): "reads_a_text"}
    assert noted == kept.OPENED
    monkeypatch.delitem(sys.modules, "reads_a_text")


def test_what_is_kept_is_not_computed_again_until_a_file_changes(ask):
    first, computed = ask()
    assert computed == ["fresh_source", "_meaning"]
    assert ask() == [first, []]
    # of equal length and time, and no file that the statement is in
    other, computed = ask(parts="FACTOR = 3")
    assert computed == ["fresh_source", "_meaning"]
    assert other != first
    assert ask(parts="FACTOR = 2")[0] == first


FROM_ELSEWHERE = {
    "a variable of the surroundings": "import os\nFACTOR = int(os.environ.get('VERIFY_FACTOR', 2))",
    "a file elsewhere": "from pathlib import Path\nFACTOR = int((Path(__file__).parents[1] / 'factor.txt').read_text())",
}


@pytest.mark.parametrize("kind", FROM_ELSEWHERE)
def test_what_a_module_takes_from_elsewhere_counts(kind, ask, tmp_path, monkeypatch):
    def elsewhere(number):
        monkeypatch.setenv("VERIFY_FACTOR", number)
        (tmp_path / "files" / "factor.txt").write_text(number)

    elsewhere("2")
    first, computed = ask(parts=FROM_ELSEWHERE[kind])
    assert computed == ["fresh_source", "_meaning"]
    assert ask() == [first, []]
    elsewhere("3")
    other, computed = ask()
    assert computed == ["fresh_source", "_meaning"]
    assert other != first


@pytest.mark.parametrize(
    ("parts", "computed"),
    [
        ("import time\nFACTOR = 2 + (time.time() < 0)", 2),
        ("from random import random\nclass Thing:\n    one = random()\nFACTOR = 2", 2),
        ("import time\ndef later(now=time.time()):\n    return now\nFACTOR = 2", 2),
        ("import time\ndef later():\n    return time.time()\nFACTOR = 2", 0),
    ],
)
def test_what_asks_the_clock_when_it_is_imported_is_not_kept(parts, computed, ask):
    ask(parts=parts)
    assert len(ask()[1]) == computed


def test_a_cache_that_is_none_is_thrown_away(ask, tmp_path):
    first, _ = ask()
    path = kept_file(tmp_path)
    good = json.loads(path.read_text())
    for text in (
        "",
        "[]",
        json.dumps(good | {"schema": 0}),
        json.dumps(good | {"contents": "0" * 64}),
        json.dumps(good | {"fingerprints": dict.fromkeys(good["fingerprints"], 3)}),
        json.dumps(good | {"fingerprints": 3}),
    ):
        path.write_text(text)
        assert ask() == [first, ["fresh_source", "_meaning"]]
        assert json.loads(path.read_text()) == good


def test_a_cache_that_cannot_be_written_is_none(ask, tmp_path):
    (tmp_path / "cache").write_text("a file, where a folder should be")
    first, _ = ask()
    assert ask() == [first, ["fresh_source", "_meaning"]]


def test_a_claim_that_was_made_in_memory_is_not_kept(ask, tmp_path):
    ask()
    code = COMPUTED.replace(
        'catalogue(sys.argv[1])["edited.claim"]',
        '__import__("dataclasses").replace(catalogue(sys.argv[1])["edited.claim"], statement=lambda x, y: x)',
    )
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", code, PACKAGE]
    done = subprocess.run(command, cwd=tmp_path / "files", env=environment, check=True, capture_output=True, text=True)
    assert json.loads(done.stdout)[1] == ["fresh_source", "_meaning"]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("import time\nN = time.time()", True),
        ("from time import time as now\nN = now()", True),
        ("import os\nN = os.urandom(3)", True),
        ("import random\ndef draw():\n    return random.random()\nN = draw()", True),
        ("import random\ndef draw():\n    return random.random()\ndef twice():\n    return 2 * draw()\nN = twice()", True),
        ("import numpy as np\nN = np.random.default_rng().normal()", True),
        ("import numpy as np\nN = np.random.default_rng(None).normal()", True),
        ("import numpy as np\nN = np.random.normal()", True),
        ("import numpy as np\nN = np.random.default_rng(3).normal()", False),
        ("import time\ndef seconds():\n    return time.time()", False),
        ("import numpy as np\ndef zeros(rng: np.random.Generator):\n    return 0", False),
    ],
)
def test_chance_and_clocks_at_import_are_seen(text, asks, tmp_path):
    assert (surroundings(tmp_path / "module.py", text.encode()) is None) == asks
