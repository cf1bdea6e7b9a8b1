"""Tests that send interrupts pass also where they are ignored: under `nohup`, behind `&`, on many runners of CI."""

import signal
import subprocess
import sys
from pathlib import Path

SENDING = (
    "tests/checker/test_engines.py::test_inline_lets_an_interrupt_through",
    "tests/networks/test_training.py::test_an_interruption_leaves_the_last_checkpoint",
)


def test_tests_pass_where_interrupts_are_ignored():
    ignoring = ["sh", "-c", "trap '' INT; exec \"$@\"", "sh", sys.executable]
    root = Path(__file__).parents[1]
    handler = "import signal; print(signal.getsignal(signal.SIGINT) == signal.SIG_IGN)"
    assert subprocess.run([*ignoring, "-c", handler], capture_output=True, text=True, check=True).stdout == "True\n"
    command = [*ignoring, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SENDING]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    assert "2 passed" in result.stdout


def test_interrupts_reach_this_run():
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler
