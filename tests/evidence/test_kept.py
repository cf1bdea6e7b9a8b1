"""Fingerprints are kept from one command to the next, and believed only as long as no file has changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest
from edits import EDITS, write

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


def test_what_is_kept_is_not_computed_again_until_a_file_changes(ask):
    first, computed = ask()
    assert computed == ["fresh_source", "_meaning"]
    assert ask() == [first, []]
    # of equal length and time, and no file that the statement is in
    other, computed = ask(parts="FACTOR = 3")
    assert computed == ["fresh_source", "_meaning"]
    assert other != first
    assert ask(parts="FACTOR = 2")[0] == first


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
