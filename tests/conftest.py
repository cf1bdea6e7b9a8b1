"""The array libraries that tests run on, and a line on those that they do not."""

import os
import signal
import sys

import pytest
from array_libraries import LIBRARIES, Library, stand_in, why_not_on_cuda
from hypothesis import HealthCheck, settings

# a busy machine is slow, and nothing else is wrong with it
settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machine")


# a shell starts what runs in the background with interrupts ignored, and processes inherit that: tests send interrupts
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def _cache_of_its_own(tmp_path_factory):
    """Runs that tests make are not what the user last ran."""
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    yield
    if before is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = before


@pytest.fixture(autouse=True)
def _no_width(monkeypatch):
    """Tables are as wide as they take: workers of pytest-xdist set the width of the terminal, others do not."""
    monkeypatch.delenv("COLUMNS", raising=False)


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
