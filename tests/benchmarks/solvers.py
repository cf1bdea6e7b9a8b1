"""Certificates handed to an SMT solver, which finds proofs of its own or does not. Run by hand.

    verify export --out smtlib
    python tests/benchmarks/solvers.py smtlib --solver PATH_OF_Z3 [--seconds 5] [--json FILE]

Each obligation is given so many seconds; what is sat would be an error of ours.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

ANSWERS = ("unsat", "sat", "unknown")


def answers(solver: str, script: Path, seconds: int) -> Counter[str]:
    """How often the solver gave which answer; obligations it did not come to count as unknown."""
    obligations = script.read_text(encoding="utf-8").splitlines().count("(check-sat)")
    found = subprocess.run(
        [solver, "-smt2", f"-t:{1000 * seconds}", f"-T:{20 * seconds}", str(script)],
        capture_output=True,
        text=True,
        check=False,
    )
    lines = found.stdout.splitlines()  # the end of all time shows as an error in the middle of something
    errors = [line for line in lines if line not in {*ANSWERS, "timeout"} and "canceled" not in line]
    if errors:
        raise RuntimeError(f"{script}: {errors[0]}")
    result = Counter({one: lines.count(one) for one in ANSWERS})
    result["unknown"] = obligations - result["unsat"] - result["sat"]
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--solver", default="z3")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = {}
    for script in sorted(options.folder.glob("*.smt2")):
        begin = time.monotonic()
        found[script.stem] = dict(answers(options.solver, script, options.seconds))
        print(f"{script.stem}: {found[script.stem]}, {time.monotonic() - begin:.1f} s", flush=True)
    total = sum(map(Counter, found.values()), Counter())
    whole = sum(one["unsat"] == sum(one.values()) for one in found.values())
    print(f"{len(found)} certificates, {whole} of them proved whole; obligations: {dict(total)}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    return int(total["sat"] > 0)


if __name__ == "__main__":
    sys.exit(main())
