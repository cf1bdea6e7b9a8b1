"""The first ten theorems of each field of docs/classics.md with other tools, beside ours. Run by hand, half an hour.

    python -m venv peers && peers/bin/pip install hypothesis sympy z3-solver PEPit scipy
    python tests/benchmarks/beside/run.py --peers peers/bin/python [--tools z3,sympy] [--theorems hadamard,cauchy]
    python tests/benchmarks/beside/page.py

Each theorem, and the first false variant that its claim declares, is said to each tool as a user of the tool would say it in
a few lines: `with_hypothesis.py`, `with_sympy.py`, `with_z3.py`, `with_pepit.py`. Seconds are of the processor, one thread,
without imports. What is found goes to `results.json` beside this script, from which `page.py` makes docs/beside_other_tools.md.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import importlib
import json
import os
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

from said import lines_of, reasons

from verify.engines.machine import REFERENCE
from verify.engines.machine import _loop as loop

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
TOOLS = ("pepit", "hypothesis", "sympy", "z3", "ours")
PACKAGES = ("PEPit", "hypothesis", "sympy", "z3-solver", "cvxpy", "numpy", "scipy")
BY_CHANCE = ("hypothesis", "ours")
"""Tools that search the false variant with several seeds."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(HERE.parents[2])}


VERSIONS = """
import importlib.metadata, json, sys

found = {}
for name in sys.argv[1:]:
    try:
        found[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        found[name] = "not installed"
print(json.dumps(found))
"""


@functools.cache
def versions(python):
    done = subprocess.run([python, "-c", VERSIONS, *PACKAGES], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def measured(python, tool, seeds, names):
    """What one tool finds of theorems, one after the other, as it comes; without any it is not asked."""
    if not names:
        return
    command = [
        sys.executable if tool == "ours" else python,
        str(HERE / "with_one_tool.py"),
        tool,
        str(seeds),
        *names,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | ONE_THREAD, cwd=HERE) as process:
        for line in process.stdout:
            if line.startswith("["):
                yield json.loads(line)
    if process.returncode:
        raise RuntimeError(f"{tool} ended with status {process.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", required=True, metavar="PYTHON", help="an interpreter that has the other tools")
    parser.add_argument("--tools", default=",".join(TOOLS), help="some of them: %(default)s")
    parser.add_argument("--theorems", default="", help="some of them; all by default")
    parser.add_argument("--seeds", default=3, type=int, help="for false variants, where chance decides: %(default)s")
    parser.add_argument("--out", default=RESULTS, type=Path, help="where the results are kept: %(default)s")
    given = parser.parse_args()
    ours = importlib.import_module("with_ours")
    kept = json.loads(given.out.read_text(encoding="utf-8")) if given.out.exists() else {"fields": {}}
    rows = {}
    for field in ours.FIELDS:
        of_field = kept["fields"].setdefault(field, {})
        for name in ours.first_of(field):
            claim = ours.CLAIMS[f"classics.{name}"]
            rows[name] = of_field.setdefault(name, {})
            rows[name] |= {"title": claim.title, "false": next(iter(claim.false_variants)), "field": field}
    names = given.theorems.split(",") if given.theorems else list(rows)
    for tool in given.tools.split(","):
        why = {name: reasons(HERE / f"with_{tool}.py", name) for name in names}
        for name in names:
            if why[name]:
                rows[name][tool] = {"cannot": why[name]}
        seeds = given.seeds if tool in BY_CHANCE else 1
        for name, found in measured(given.peers, tool, seeds, [name for name in names if not why[name]]):
            rows[name][tool] = found | {"lines": lines_of(*place(tool, name, rows[name]["field"]))}
            print(name, tool, json.dumps(found), flush=True)
            keep(kept, given)
        keep(kept, given)  # also what a tool cannot say


def keep(kept, given):
    """Write what is known so far."""
    kept["made"] = made(given.peers)
    given.out.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def place(tool, name, field):
    """The file of a formulation, and how it begins."""
    if tool == "ours":
        return HERE.parents[2] / "docs" / "examples" / "classics" / f"{field}.py", f'"classics.{name}"'
    return HERE / f"with_{tool}.py", f"def {name}("


def of_the_processor():
    """Seconds of the processor for the small work by which machines are compared."""
    begun = time.process_time()
    loop()
    return time.process_time() - begun


@functools.cache
def made(python):
    """When, and by what."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "python": sys.version.split()[0],
        "versions": versions(python) | {"deep-l2-verify": metadata.version("deep-l2-verify")},
        "slowness": round(min(of_the_processor() for _ in range(9)) / REFERENCE, 2),
    }


if __name__ == "__main__":
    main()
