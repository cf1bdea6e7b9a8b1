"""The array libraries that tests run on, and a line on those that they do not."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from array_libraries import LIBRARIES, Library, stand_in, why_not_on_cuda
from hypothesis import HealthCheck, settings
from threadpoolctl import threadpool_limits

from verify.checker import strength
from verify.checker.running import claims_in
from verify.checker.strength import present_strengths
from verify.claims.packages import CHECKED_CERTIFICATES, cache_folder
from verify.report import index
from verify.site import atlas

ROOT = Path(__file__).resolve().parent.parent

# a busy machine is slow, and nothing else is wrong with it
settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machine")


# workers with as many threads as there are cores wait for each other: a product of matrices takes ten times as long
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    threadpool_limits(1)

# a shell starts what runs in the background with interrupts ignored, and processes inherit that: tests send interrupts
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def cache_of_the_session(tmp_path_factory):
    """Runs that tests make are not what the user last ran."""
    before = os.environ.get("XDG_CACHE_HOME")
    cache = os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    yield cache
    if before is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = before


def pytest_addoption(parser):
    parser.addoption("--turn", default="0", help="which of the tests marked `one_of` are run: a number, or all")


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "one_of(number): one in so many of the cases is run, the same ones each time; others by --turn"
    )
    if not (config.option.turn == "all" or config.option.turn.isdecimal()):
        raise pytest.UsageError(f"--turn must be a number from 0, or all, got {config.option.turn!r}")


def pytest_collection_modifyitems(config, items):
    """Of tests with many like cases some are run; those that are named are."""
    if config.option.turn == "all":
        return
    turn, left_out = int(config.option.turn), []
    for item in items:
        mark = item.get_closest_marker("one_of")
        if mark is not None and item.nodeid not in config.args:
            (number,) = mark.args
            if zlib.crc32(item.nodeid.encode()) % number != turn % number:
                left_out.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def once(function, place, *more):
    """`function` of a package and of claims, which stand at this place among its arguments: called once for the catalogue."""
    found = {}

    def called(*arguments):
        if "theorems" not in arguments:
            return function(*arguments)
        claims = arguments[place]
        key = (*map(id, claims.values()), *(part() for part in more))
        if key not in found:
            found[key] = (function(*arguments), list(claims.values()))  # the claims live on: their ids are theirs
        return found[key][0]

    return called


@pytest.fixture(autouse=True, scope="session")
def _read_the_catalogue_once():
    """What the catalogue's claims declare, and which strengths are of them, takes half a minute: no test changes them."""
    strengths = once(present_strengths, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strength, "present_strengths", strengths)
        patch.setattr(atlas, "present_strengths", strengths)
        patch.setattr(index, "_declarations", once(index._declarations, 0, index._checked))
        yield


@pytest.fixture(autouse=True, scope="session")
def _fingerprints_of_the_catalogue(tmp_path_factory, cache_of_the_session):
    """A process of its own lists the catalogue, once for all workers; its index and its fingerprints are of the same files."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    session, listed = Path(cache_of_the_session) / "deep-l2-verify", shared / "listed" / "deep-l2-verify"
    module = sys.modules["verify.evidence.fingerprint"]  # its function has the name of the module
    known, read, plain = {}, index._read, module.kept

    def list_once():
        with (shared / "listed.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not listed.exists():
                environment = os.environ | {"XDG_CACHE_HOME": str(listed.parent)}
                command = [sys.executable, "-m", "verify", "list", "--package", "theorems"]
                subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
        shutil.copytree(listed, session, dirs_exist_ok=True)
        claims = claims_in("theorems")
        for file in listed.glob("theorems-*.fingerprints.json"):  # none where a file was written a moment ago
            for name, value in json.loads(file.read_text())["fingerprints"].items():
                claim_id, _, kind = name.partition(" ")
                known[claim_id, kind] = (claims[claim_id], value)

    def read_once(file, package, folders):
        if package == "theorems" and not known:
            list_once()
        return read(file, package, folders)

    def kept(claim, kind, compute):
        ours = f"{claim.statement.__module__}".startswith("theorems.")
        if ours and not known and "PYTEST_XDIST_WORKER" in os.environ:
            list_once()
        same, value = known.get((claim.id, kind), (None, ""))
        if same is claim:
            return value
        value = plain(claim, kind, compute)
        if ours and claims_in("theorems").get(claim.id) is claim:
            known[claim.id, kind] = (claim, value)
        return value

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "_read", read_once)
        patch.setattr(module, "kept", kept)
        yield


@pytest.fixture(autouse=True)
def _nothing_is_checked(cache_of_the_session):  # noqa: ARG001 (the cache is of the session by then)
    """What an earlier test of the same process checked says nothing of another test's."""
    (cache_folder() / CHECKED_CERTIFICATES).unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def _no_width(monkeypatch):
    """Tables are as wide as they take: workers of pytest-xdist set the width of the terminal, others do not."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture(autouse=True)
def _path_as_it_was(monkeypatch):
    """Commands put the folder in which they run in front of the path of modules, on which this folder is."""
    monkeypatch.setattr(sys, "path", [*sys.path])


@pytest.fixture(params=LIBRARIES, ids=lambda name: name.replace(" ", "-"))
def library(request, monkeypatch):
    """An array library, one after the other."""
    if request.param == "strict stand-in":
        monkeypatch.setitem(sys.modules, "cupy", stand_in())
    return Library(request.param)


def pytest_terminal_summary(terminalreporter):
    """Say what was not run, also where the header is not shown."""
    ran = [report for report in terminalreporter.stats.get("passed", []) if "strict-stand-in" in report.nodeid]
    if ran and (reason := why_not_on_cuda()):
        terminalreporter.write_line(f"array libraries: not run on CUDA, since {reason}; a strict stand-in took its place")
