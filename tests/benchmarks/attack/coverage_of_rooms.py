"""How much of the checker, the search, evidence, proofs and numbers their own tests run, branches included. Run by hand: long.

    python tests/benchmarks/attack/coverage_of_rooms.py [--only ROOM] [--least 95] [--missing]

Needs the package coverage. Processes that the tests start count, but not those that are killed, nor checkers on the standard
library, which run without anything else. The status is 1 if the tests fail, or a room has less than ``--least`` per cent.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
ROOMS = {
    "numbers": "tests/test_relation.py tests/test_exactness.py tests/test_words.py tests/test_arguments.py tests/test_rate.py "
    "tests/test_random_expressions.py tests/test_arrays_of_one_instance.py tests/theorems/test_narrow_numbers.py "
    "tests/theorems/test_bad_calls.py tests/test_verdicts.py",
    "search": "tests/search tests/checker/test_checking.py tests/test_verdicts.py",
    "checker": "tests/checker tests/evidence/test_baseline.py tests/evidence/test_records.py tests/test_verdicts.py "
    "tests/test_cli.py tests/test_cli_evidence.py tests/test_cli_tables.py tests/test_index.py",
    "evidence": "tests/evidence tests/checker/test_campaign.py tests/checker/test_same_ledger.py",
    "proofs": "tests/proofs",
}
"""The tests of a room, as pytest is asked for them."""
SETTINGS = """
[run]
branch = True
parallel = True
source = verify
patch = subprocess
[report]
exclude_also =
    if TYPE_CHECKING:
    @overload
    @abstractmethod
"""


def covered(room: str, folder: Path, *, missing: bool) -> tuple[float, str]:
    """The per cent of the lines and branches of a room that its tests run, and what pytest said last."""
    settings, data = folder / "settings", folder / room / "data"
    settings.write_text(SETTINGS)
    data.parent.mkdir()
    environment = os.environ | {"COVERAGE_FILE": str(data), "PYTHONPATH": str(ROOT)}

    def coverage(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "coverage", *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    run = coverage("run", f"--rcfile={settings}", "-m", "pytest", "-q", "-p", "no:cacheprovider", *shlex.split(ROOMS[room]))
    said = (run.stdout.splitlines() or [run.stderr])[-1]
    if run.returncode:
        return 0.0, said
    coverage("combine", "-q", f"--rcfile={settings}")
    only = [f"--rcfile={settings}", f"--include=verify/{room}/*"]
    coverage("json", "-q", *only, f"-o{folder / room}.json")
    if missing:
        print(coverage("report", "-m", "--skip-covered", *only).stdout)
    return float(json.loads((folder / f"{room}.json").read_text())["totals"]["percent_covered"]), said


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=ROOMS)
    parser.add_argument("--least", type=float, default=95.0)
    parser.add_argument("--missing", action="store_true", help="print the lines and branches that are not run")
    arguments = parser.parse_args()
    few = 0
    print("| room | lines and branches | tests |\n|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for room in [arguments.only] if arguments.only else ROOMS:
            share, said = covered(room, Path(folder), missing=arguments.missing)
            few += share < arguments.least or not share
            print(f"| {room} | {share:.1f} % | {said} |", flush=True)
    return int(few > 0)


if __name__ == "__main__":
    sys.exit(main())
