"""All attacks, one after the other, each in a process and with a limit of time. Run by hand or by night: hours.

    python tests/benchmarks/attack/nightly.py FOLDER [--seed 0] [--small] [NAME ...]

What each prints goes to FOLDER/NAME.txt; a table says how they ended. ``--small`` takes a little of each, in half a minute,
but for determinism and coverage, which take minutes. The seed is that of the attacks that draw: a night after a night takes
another one. What needs a package that is not installed is named and not counted as passed. The status is 1 if one has found
something.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

BENCHMARKS = Path(__file__).parents[1]
LIMIT = 3600.0
"""Seconds that one attack may take."""


@dataclass(frozen=True)
class Attack:
    """A script, with what it is given by night and in small, and the package that it needs; ``SEED`` stands for the seed."""

    script: str
    whole: tuple[str, ...] = ()
    small: tuple[str, ...] = ()
    needs: str = ""


ATTACKS = {
    "files": Attack("attack/files.py", ("--count", "300", "--seed", "SEED"), ("--count", "5", "--seed", "SEED")),
    "false variants": Attack("attack/false_variants.py", (), ("--only", "leaky_resnets.prop_10")),
    "determinism": Attack("attack/determinism.py", (), ("leaky_resnets.prop_10.at_a_point",)),
    "piecewise": Attack(
        "attack/piecewise_z3.py", ("--count", "3000", "--seed", "SEED"), ("--count", "20", "--seed", "SEED"), needs="z3"
    ),
    "models": Attack("random_onnx_models.py", ("3000", "SEED"), ("30", "SEED"), needs="onnxruntime"),
    "corners": Attack("corner_variants.py", (), ("prop_10",)),
    "structure": Attack("structure_variants.py", (), ("prop_10",)),
    "narrow": Attack("narrow_variants.py", (), ("prop_10",)),
    "mutants": Attack(
        "attack/mutants.py",
        ("--count", "100", "--seed", "SEED", "--least", "0.8"),
        ("verify/numbers/relation.py", "--count", "1", "--seed", "SEED"),
    ),
    "coverage": Attack("attack/coverage_of_rooms.py", (), ("--only", "numbers", "--least", "0"), needs="coverage"),
}


def run(name: str, folder: Path, seed: int, *, small: bool) -> tuple[str, float]:
    """How an attack ended, in a word or two, and its seconds."""
    attack = ATTACKS[name]
    if attack.needs and importlib.util.find_spec(attack.needs) is None:
        return f"not run: {attack.needs} is not installed", 0.0
    arguments = [str(seed) if one == "SEED" else one for one in (attack.small if small else attack.whole)]
    begun = time.perf_counter()
    with (folder / f"{name.replace(' ', '_')}.txt").open("w") as output:
        try:
            done = subprocess.run(
                [sys.executable, BENCHMARKS / attack.script, *arguments],
                cwd=BENCHMARKS.parents[1],
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=LIMIT,
                check=False,
            )
            ended = "found nothing" if done.returncode == 0 else f"FOUND SOMETHING, status {done.returncode}"
        except subprocess.TimeoutExpired:
            ended = f"NOT DONE in {LIMIT:g} s"
    return ended, time.perf_counter() - begun


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ATTACKS)}; all by default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--small", action="store_true")
    arguments = parser.parse_intermixed_args()
    if unknown := sorted(set(arguments.names) - set(ATTACKS)):
        parser.error(f"no attack is called {unknown[0]!r}: there are {', '.join(ATTACKS)}")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    print(f"seed {arguments.seed}", flush=True)
    bad = 0
    for name in arguments.names or ATTACKS:
        ended, seconds = run(name, arguments.folder, arguments.seed, small=arguments.small)
        bad += ended.startswith(("FOUND", "NOT DONE"))
        print(f"{name:18}{seconds:8.0f} s  {ended}", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
