"""Mutants of the engine: a place of a module changed at random, and its tests asked. Run by hand: a minute for four mutants.

    python tests/benchmarks/attack/mutants.py [FILE ...] [--count 100] [--seed 0] [--least 0.8] [--json FILE] [--again FILE]

A comparison is turned or moved by its end, `and` is `or`, a constant is one more, `not` is left out, an arithmetic operator is
its inverse, what a function returns is None, a statement is left out: one place at a time, drawn from all places of the files.
What is said (docstrings, messages of errors, annotations) is not changed. All happens in a copy of the checkout. A mutant is
killed when a test of its module fails, or when they take five times as long as without it. What survives is printed as a diff:
it is equivalent, or nothing tests what it changes. FILE may be a folder; by default `FILES`. The status is 1 if the tests
of a module fail as it is, or fewer than the share `--least` of the mutants are killed; survivors are to be read.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FILES = (
    "verify/checker",
    "verify/search",
    "verify/evidence/fingerprint.py",
    "verify/evidence/kept.py",
    "verify/evidence/meaning.py",
    "verify/evidence/sources.py",
    "verify/numbers/relation.py",
    "verify/proofs/independent.py",
    "verify/proofs/independent_words.py",
)
TESTS = {
    "verify/checker": "tests/checker -k 'not killed and not cluster and not disk and not catalogue'",
    "verify/checker/baseline.py": "tests/evidence/test_baseline.py tests/checker/test_bounds.py -k 'not of_the_catalogue'",
    "verify/checker/batches.py": "tests/checker/test_mixed_instances.py tests/checker/test_checking.py tests/test_verdicts.py",
    "verify/checker/bounds.py": "tests/checker/test_bounds.py -k 'not of_the_catalogue'",
    "verify/checker/campaign.py": "tests/checker/test_campaign.py -k 'not workers and not disk and not killed'",
    "verify/checker/checking.py": "tests/checker/test_void.py tests/checker/test_checking.py tests/test_verdicts.py",
    "verify/checker/excluded.py": "tests/checker/test_excluded.py",
    "verify/checker/last_run.py": "tests/evidence/test_records.py tests/test_cli.py",
    "verify/checker/record.py": "tests/evidence/test_records.py tests/test_verdicts.py",
    "verify/checker/records.py": "tests/evidence/test_records.py",
    "verify/checker/refuted_before.py": "tests/checker/test_refuted_before.py -k 'not pytest'",
    "verify/checker/running.py": "tests/checker/test_engines.py tests/checker/test_containment.py",
    "verify/checker/strength.py": "tests/checker/test_strength.py",
    "verify/checker/void.py": "tests/checker/test_void.py",
    "verify/search": "tests/search",
    "verify/evidence": "tests/evidence/test_fingerprint.py tests/evidence/test_edits.py -k 'not every_process'",
    "verify/evidence/kept.py": "tests/evidence/test_kept.py",
    "verify/numbers/relation.py": "tests/test_relation.py tests/test_words.py",
    "verify/proofs": "tests/proofs",
    "verify/proofs/independent.py": "tests/proofs/test_independent.py "
    "tests/proofs/test_hostile_certificates.py::test_no_hostile_certificate_is_accepted "
    "tests/proofs/test_hostile_certificates.py::test_what_is_no_certificate_is_said "
    "tests/proofs/test_written_certificates.py::test_the_independent_checker_accepts_the_certificates_of_the_catalogue",
    "verify/proofs/independent_words.py": "tests/proofs/test_independent_words.py "
    "tests/proofs/test_hostile_certificates.py::test_no_hostile_certificate_for_all_sizes_is_accepted "
    "tests/proofs/test_all_sizes.py::test_the_certificates_of_the_catalogue_are_right_without_the_package",
}
"""The tests of a file or a folder, as pytest is asked for them; the last that fits. Those that take long are left out."""
TURNED: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.Mult,),
    ast.Pow: (ast.Mult,),
}
"""An operator, and what may stand in its place."""
SLOWER, LEAST = 5.0, 60.0
"""How much longer the tests of a mutant may take than without it, and the seconds that they may take anyway."""


@dataclass(frozen=True)
class Mutant:
    """A file of which the bytes from `start` to `stop` are replaced."""

    path: str
    kind: str
    start: int
    stop: int
    text: str

    def of(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.stop :]


def said(node: ast.AST) -> Iterator[ast.AST | None]:
    """Parts of a node that only say something, or are no code of the function."""
    if isinstance(node, ast.Raise):
        yield from (node.exc, node.cause)
    if isinstance(node, ast.FunctionDef):
        yield from (node.returns, *node.decorator_list)
    if isinstance(node, ast.arg | ast.AnnAssign):
        yield node.annotation
    if isinstance(node, ast.JoinedStr):
        yield from node.values  # whose places Python 3.11 does not tell
    if isinstance(node, ast.Assert):
        yield node.msg


def changed(node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    """The kind of a change, what it replaces, and by what."""
    match node:
        case ast.Compare(ops=ops):
            for place, one in enumerate(ops):
                for other in TURNED[type(one)]:
                    new = [*ops[:place], other(), *ops[place + 1 :]]
                    yield "comparison", node, f"({ast.unparse(ast.Compare(node.left, new, node.comparators))})"
        case ast.BoolOp(op=op, values=values):
            yield "and, or", node, f"({ast.unparse(ast.BoolOp(TURNED[type(op)][0](), values))})"
        case ast.BinOp(op=op) if type(op) in TURNED and not any(map(is_text, (node.left, node.right))):
            yield "arithmetic", node, f"({ast.unparse(ast.BinOp(node.left, TURNED[type(op)][0](), node.right))})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not", node, f"({ast.unparse(operand)})"
        case ast.Constant(value=bool()):
            yield "constant", node, str(not node.value)
        case ast.Constant(value=int() | float()):
            yield "constant", node, repr(node.value + 1)
        case ast.Return(value=ast.expr()) if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield "returned", node, "return None"
        case (
            ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom())
            | ast.AugAssign()
            | ast.Raise()
            | ast.Continue()
            | ast.Break()
        ):
            yield "statement", node, "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "statement", node, "pass"


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def mutants(path: str, source: bytes) -> Iterator[Mutant]:
    """All mutants of a file."""
    begins, at = [], 0
    for line in source.splitlines(keepends=True):
        begins.append(at)
        at += len(line)
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        left_out = [id(one) for one in said(node)]
        waiting += [one for one in ast.iter_child_nodes(node) if id(one) not in left_out]
        for kind, old, text in changed(node):
            start, stop = begins[old.lineno - 1] + old.col_offset, begins[old.end_lineno - 1] + old.end_col_offset
            yield Mutant(path, kind, start, stop, text)


def tests_of(path: str) -> list[str]:
    """The tests of a file."""
    return shlex.split([tests for prefix, tests in TESTS.items() if path.startswith(prefix)][-1])


def fails(tree: Path, tests: list[str], limit: float) -> tuple[str, float]:
    """What kills: the first test that fails, or the limit of time; empty if nothing does. And the seconds that it took."""
    begun = time.perf_counter()
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider", *tests]
    # a group of its own: what a test has started ends with it
    with subprocess.Popen(
        command, cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        try:
            told, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return "time", time.perf_counter() - begun
    lines = [line for line in told.splitlines() if line.startswith(("FAILED", "ERROR"))]
    by = "" if process.returncode == 0 else (lines or told.splitlines()[-1:] or ["no test could be run"])[0]
    return by, time.perf_counter() - begun


def diff(mutant: Mutant, source: bytes) -> str:
    before, after = (text.decode().splitlines() for text in (source, mutant.of(source)))
    return "\n".join(difflib.unified_diff(before, after, mutant.path, mutant.path, n=1, lineterm=""))


def copied(folder: Path) -> Path:
    """The checkout without what it has built, its modules compiled."""
    tree = folder / "tree"
    left_out = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "_build", "dist", "build")
    shutil.copytree(ROOT, tree, ignore=left_out)
    subprocess.run([sys.executable, "-m", "compileall", "-q", "verify", "theorems"], cwd=tree, check=True)
    return tree


def main() -> int:
    """Print what became of each mutant, the table, and the survivors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", default=FILES)
    parser.add_argument("--count", type=int, default=100, help="of mutants, of all files together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=float, default=0.0, help="share of the mutants that must be killed")
    parser.add_argument("--json", type=Path, help="a file for what became of each")
    parser.add_argument(
        "--again", type=Path, metavar="FILE", help="only those that survived in a file of --json, of this count and seed"
    )
    arguments = parser.parse_args()
    paths = [
        path for name in arguments.files for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py"))
    ]
    sources = {str(path.relative_to(ROOT)): path.read_bytes() for path in sorted(paths)}
    every = [mutant for path, source in sources.items() for mutant in mutants(path, source)]
    drawn = random.Random(arguments.seed).sample(every, min(arguments.count, len(every)))
    if arguments.again:
        survived = {(row["file"], row["diff"]) for row in json.loads(arguments.again.read_text()) if not row["by"]}
        drawn = [mutant for mutant in drawn if (mutant.path, diff(mutant, sources[mutant.path])) in survived]
    print(f"seed {arguments.seed}: {len(drawn)} of {len(every)} mutants of {len(sources)} files", flush=True)
    limits: dict[str, float] = {}
    ended: list[tuple[Mutant, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        tree = copied(Path(folder))
        for place, mutant in enumerate(sorted(drawn, key=lambda one: (one.path, one.start)), start=1):
            tests, file = tests_of(mutant.path), tree / mutant.path
            if (group := " ".join(tests)) not in limits:
                by, seconds = fails(tree, tests, 3600)
                if by:
                    print(f"{group}, without a mutant: {by}")
                    return 1
                limits[group] = max(LEAST, SLOWER * seconds)
            before = file.stat()
            file.write_bytes(mutant.of(sources[mutant.path]))
            by, seconds = fails(tree, tests, limits[group])
            file.write_bytes(sources[mutant.path])
            os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))  # what was compiled is of this time
            ended.append((mutant, by))
            line = sources[mutant.path].count(b"\n", 0, mutant.start) + 1
            print(f"{place:4} {mutant.path}:{line} {mutant.kind}: {by or 'SURVIVED'} ({seconds:.0f} s)", flush=True)
            if not by:
                print(diff(mutant, sources[mutant.path]), flush=True)
            if arguments.json:
                rows = [
                    {"file": one.path, "kind": one.kind, "by": by, "diff": diff(one, sources[one.path])} for one, by in ended
                ]
                arguments.json.write_text(json.dumps(rows, indent=1))
    print("\n| module | mutants | killed | survived |\n|---|---|---|---|")
    modules = sorted({mutant.path for mutant, _ in ended})
    for name in (*modules, "all"):
        of_it = [by for mutant, by in ended if name in (mutant.path, "all")]
        print(f"| {name} | {len(of_it)} | {sum(map(bool, of_it))} | {of_it.count('')} |")
    return int(sum(bool(by) for _, by in ended) < arguments.least * len(ended))


if __name__ == "__main__":
    sys.exit(main())
