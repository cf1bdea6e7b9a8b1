"""What a quick run costs and finds, an older checkout and this one beside each other. Run by hand.

    python tests/benchmarks/speed_table.py --before FOLDER [ID ...] [--every 20] [--errors] [--commands]

Each claim is checked by both, one right after the other and the first of them by turns, each in a process that does nothing
else, with the same interpreter; seconds are of the processor, so that what else the machine does matters little. Beside the
seconds stand what was found: outcomes, false variants, needed hypotheses and tight examples that differ are listed, and with
``--errors`` every bound is made stricter, by 1e-1 to 1e-6, and it is counted which of these errors the search of each checkout
refutes. Machines differ by more than what is measured: the ratios count.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
ROOT = HERE.parents[2]
ERRORS = (1, 2, 4, 6)
COMMANDS = {"import verify": ("-c", "import verify"), "verify list": ("-m", "verify", "list")}
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class Checkout:
    """A process that checks claims with the code of one checkout."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", str(HERE), "--in-a-process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=environment(folder),
        )

    def ask(self, *question: Any) -> Any:
        """The answer of the process, from a line of JSON to a line of JSON."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(question), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of {self.folder} ended")
        return json.loads(line)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def environment(folder: Path) -> dict[str, str]:
    """The environment of a process that imports the code of a checkout, and has one thread."""
    return os.environ | ONE_THREAD | {"PYTHONPATH": str(folder)}


def in_a_process() -> None:
    """Answer questions: which claims there are, and what the check of one finds and takes."""
    from verify.checker.running import prepare
    from verify.claims.catalogue import catalogue
    from verify.engines.executors import one_blas_thread

    prepare(["theorems"])
    claims = catalogue()
    with one_blas_thread():
        for line in sys.stdin:
            question, *arguments = json.loads(line)
            if question == "claims":
                answer: Any = list(claims)
            elif question == "check":
                answer = checked(claims[arguments[0]])
            else:
                answer = refuted_errors(claims[arguments[0]])
            print(json.dumps(answer), flush=True)


def checked(claim: Any) -> dict[str, Any]:
    """What the check of a claim takes and finds."""
    from verify.checker.checking import Checker

    start = time.process_time()
    outcome = Checker(claim, "quick", 0).everything()
    seconds = time.process_time() - start
    found = outcome.searched
    return {
        "seconds": seconds,
        "evaluations": found.evaluations,
        "feasible": found.feasible,
        "decided": found.decided,
        "found": {
            "outcome": outcome.outcome,
            "problems": outcome.problems(),
            "tight": {name: one.as_expected for name, one in outcome.tight.items()},
            "false variants": {name: one.refuted for name, one in outcome.false_variants.items()},
            "needs": {name: one.refuted for name, one in outcome.needs.items() if name in claim.needs},
        },
    }


def refuted_errors(claim: Any) -> dict[str, Any]:
    """Which errors of the bounds of a tight claim the search refutes, and what that takes."""
    from planted_errors import by_search, stricter

    if not claim.tight or claim.expected != "survived":
        return {"seconds": 0.0, "found": {}}
    start = time.process_time()
    found = {f"1e-{digits}": by_search(claim, stricter(claim.statement, digits))[0].by or "" for digits in ERRORS}
    return {"seconds": time.process_time() - start, "found": found}


def seconds_of(folder: Path, cache: str, *arguments: str) -> float:
    """The least seconds of the processor, of three runs, that a command of a checkout takes."""
    taken = []
    for _ in range(3):
        before = os.times()
        there = environment(folder) | {"XDG_CACHE_HOME": cache}
        done = subprocess.run([sys.executable, *arguments], cwd=folder, env=there, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(arguments)} in {folder}: {done.stderr[-400:]}")
        after = os.times()
        taken.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(taken)


def compared(checkouts: list[Checkout], question: str, claims: list[str]) -> list[list[Any]]:
    """The answers of all checkouts for each claim, one right after the other."""
    rows = []
    for place, name in enumerate(claims):
        order = range(len(checkouts)) if place % 2 == 0 else reversed(range(len(checkouts)))
        answers = {one: checkouts[one].ask(question, name) for one in order}
        rows.append([answers[one] for one in range(len(checkouts))])
        shown = " ".join(f"{answer['seconds']:7.2f}" for answer in rows[-1])
        print(f"{shown}  {name}", file=sys.stderr, flush=True)
    return rows


def row(work: str, values: list[float], goal: str, form: str = "{:.2f} s") -> str:
    """A row of the table: before, after, the ratio."""
    ratio = f"{values[0] / values[1]:.2f}" if values[1] else "-"
    return f"| {' | '.join([work, *map(form.format, values), ratio, goal])} |"


def table(claims: list[str], rows: list[list[Any]], every: int) -> list[str]:
    """What the checks of the claims take, as rows."""
    seconds = [[answers[side]["seconds"] for answers in rows] for side in (0, 1)]
    ratios = sorted(one["seconds"] / max(other["seconds"], 1e-9) for one, other in rows)
    decided, met = ([sum(answers[side][part] for answers in rows) for side in (0, 1)] for part in ("decided", "feasible"))
    shares = [100 * one / max(other, 1) for one, other in zip(decided, met, strict=True)]
    dearest = sorted(range(len(claims)), key=lambda place: -seconds[1][place])[:3]
    told = ", ".join(f"{claims[place]} {seconds[0][place]:.1f} to {seconds[1][place]:.1f}" for place in dearest)
    return [
        row(f"quick run, a claim ({len(claims)} of {every}), mean", [*map(statistics.mean, seconds)], "0.20 s"),
        row("quick run, a claim, median", [*map(statistics.median, seconds)], "0.10 s"),
        row("quick run, the dearest", [*map(max, seconds)], "3 s"),
        f"| claims that take more than 3 s | {' | '.join(str(sum(one > 3 for one in side)) for side in seconds)} | | none |",
        (
            f"| ratio of a claim, median (least to largest) | | | {statistics.median(ratios):.2f} ({ratios[0]:.2f} to "
            f"{ratios[-1]:.2f}) | |"
        ),
        row("evaluations in floats", [sum(answers[side]["evaluations"] for answers in rows) for side in (0, 1)], "", "{:.0f}"),
        f"| instances decided exactly, of those met | {' | '.join(map('{:.1f} %'.format, shares))} | | 20 % |",
        f"| dearest | | {told} | | |",
    ]


def differences(claims: list[str], rows: list[list[Any]]) -> list[str]:
    """What one checkout finds and the other does not, in lines."""
    found = []
    for name, (before, now) in zip(claims, rows, strict=True):
        for part, value in before["found"].items():
            if now["found"].get(part) != value:
                found.append(f"{name}: {part} {value} before, {now['found'].get(part)} now")
    return found


def errors(claims: list[str], rows: list[list[Any]]) -> list[str]:
    """Print how many planted errors are found; what one checkout finds and the other does not, in lines."""
    counts = [sum(bool(by) for answers in rows for by in answers[side]["found"].values()) for side in (0, 1)]
    taken = [sum(answers[side]["seconds"] for answers in rows) for side in (0, 1)]
    total = sum(len(answers[1]["found"]) for answers in rows)
    print(row(f"planted errors that are found, of {total}", [*map(float, counts)], "none lost", "{:.0f}"))
    speeds = [count / seconds if seconds else 0.0 for count, seconds in zip(counts, taken, strict=True)]
    print(row("planted errors found, in a second", speeds, "", "{:.2f}"), flush=True)
    return [
        f"{name}: the error {error} was found by {by or 'nothing'}, and is by {now['found'][error] or 'nothing'}"
        for name, (before, now) in zip(claims, rows, strict=True)
        for error, by in before["found"].items()
        if bool(by) != bool(now["found"][error])
    ]


def main() -> int:
    """Print the table; the exit status says whether something is found no more."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", nargs="*", help="claims (default: one in --every)")
    parser.add_argument("--before", type=Path, required=True, help="an older checkout")
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--from", type=int, default=0, dest="first", help="place of the first claim of those")
    parser.add_argument("--errors", action="store_true", help="plant errors, too")
    parser.add_argument("--commands", action="store_true", help="measure commands, too, with an empty cache")
    given = parser.parse_args()
    if not (given.before / "verify" / "__init__.py").is_file():
        parser.error(f"--before must be a checkout of this project, with a folder verify, got {given.before}")
    if given.every < 1:
        parser.error(f"--every must be at least 1, got {given.every}")
    folders = [given.before.resolve(), ROOT]
    checkouts = [*map(Checkout, folders)]
    both = [one.ask("claims") for one in checkouts]
    known = [name for name in both[1] if name in both[0]]
    if unknown := [name for name in given.ids if name not in known]:
        parser.error(f"both checkouts must have the claim {unknown[0]}")
    claims = given.ids or known[given.first :: given.every]
    print("| work | before | now | ratio | goal |\n|---|---|---|---|---|")
    checks = compared(checkouts, "check", claims)
    print("\n".join(table(claims, checks, len(known))), flush=True)
    lost = differences(claims, checks)
    if given.errors:
        lost += errors(claims, compared(checkouts, "errors", claims))
    for one in checkouts:
        one.close()
    with tempfile.TemporaryDirectory() as cache:
        for work, arguments in COMMANDS.items() if given.commands else ():
            print(row(work, [seconds_of(folder, cache, *arguments) for folder in folders], ""), flush=True)
    print("\n".join(["", "What differs:", *lost] if lost else ["", "All is found by both."]))
    return bool(lost)


if __name__ == "__main__":
    if sys.argv[1:] == ["--in-a-process"]:
        in_a_process()
    else:
        sys.exit(main())
