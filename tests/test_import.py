"""What is imported when, in processes of their own."""

import subprocess
import sys
import time

import pytest

SLOW = ("scipy", "sympy", "cvxpy", "networkx", "hypothesis", "matplotlib", "distributed", "mpi4py", "rich", "typer", "pytest")


def loaded(code):
    report = f"import sys\n{code}\nprint(*[name for name in {SLOW!r} if name in sys.modules])"
    return subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True).stdout.split()


def test_the_package_loads_nothing_slow():
    assert loaded("import verify") == []


def test_the_plugin_loads_no_search():
    code = (
        "import verify.pytest_plugin\n"
        "assert not {'verify.checker.search', 'verify.checker.checking'} & set(sys.modules), 'the search is loaded'"
    )
    assert set(loaded(code)) <= {"pytest", "rich"}


def test_the_command_line_loads_what_it_needs_when_it_needs_it():
    assert set(loaded("import verify.cli")) <= {"typer", "rich"}


@pytest.mark.parametrize("package", ["verify"])
def test_the_package_loads_fast(package):
    def seconds(code):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - start

    # the best of three, less the start of the interpreter, with room for a busy machine
    best = min(seconds(f"import {package}") for _ in range(3)) - min(seconds("pass") for _ in range(3))
    assert best < 1.0
