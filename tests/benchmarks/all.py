"""How fast everything is, in one table: ``python tests/benchmarks/all.py [NAME ...] [--peers PYTHON] [--before FOLDER]``.

Rows: `claims`, `ranges`, `cells`, `engine`, `commands`, `ledger` and `shard`. Seconds are of the processor, the smallest of
some repetitions; what waits for a disk is said to. The peers of the engine, torch and jax, are run by an interpreter of an
environment of their own, ``--peers peers/bin/python``; without one, their rows say so. ``--before FOLDER`` measures an older
checkout beside this one, by this script, with the same interpreter, one work after the other; what it cannot do is said to be
not measured, with the reason. ``--small`` takes little of everything, and shows that the benchmarks work. ``--every 10``
takes one claim in ten. OpenBLAS takes the kernels that it chooses for the machine by itself: where the environment chooses
others, this script starts itself anew without.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import itertools
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
DATA = HERE.parent / "data" / "piecewise"
KERNELS = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
"""What chooses other kernels than those of the machine; the peers have libraries of their own."""
LONG = 5.0
"""Seconds beyond which a call is made once."""
ROOM = 9 * 2**30
"""Bytes that cells may take: three times the goal, and more."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def home_of(name: str, *modules: str) -> Any:
    """`name` of the first of these modules that has it: older checkouts have some elsewhere."""
    for module in modules:
        try:
            return getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            continue
    raise ImportError(f"{name} is in none of {', '.join(modules)}")


one_blas_thread = home_of("one_blas_thread", "verify.engines.executors", "verify.engines")


@dataclass(frozen=True)
class Row:
    """What was measured of a work, and what it should be."""

    work: str
    measured: str
    goal: str


@dataclass(frozen=True)
class Options:
    """What is measured, and how much of it."""

    small: bool = False
    every: int = 1
    peers: str | None = None


def claims(options: Options) -> Iterator[Row]:
    """What `verify run` does for each claim, quick."""
    from verify.claims.catalogue import catalogue

    check = home_of("check", "verify.checker.running", "verify.running")
    every = list(catalogue())
    seconds = {}
    for name in every[:: 100 if options.small else options.every]:
        _, seconds[name] = _timed(lambda one=name: check("theorems", one, "quick", 0), 1)
    dearest = sorted(seconds, key=seconds.__getitem__)[-3:]
    told = ", ".join(f"{name} {seconds[name]:.1f}" for name in reversed(dearest))
    mean, median = statistics.mean(seconds.values()), statistics.median(seconds.values())
    yield Row(
        "quick run",
        f"{mean:.2f} s a claim ({len(seconds)} of {len(every)}), median {median:.2f} s, "
        f"{sum(one > 2 for one in seconds.values())} above 2 s; dearest: {told}",
        "0.12 s, none above 2 s",
    )


def ranges(options: Options) -> Iterator[Row]:
    """`range_over` of networks of two inputs, with thousands of cells."""
    from verify.piecewise import range_over

    for name in ("rand_d2_w20_L10", "rand_d2_w50_L3", "rand_d2_w100_L3")[: 1 if options.small else 3]:
        network = _network("larger_networks", name)
        found, seconds = _timed(lambda n=network: range_over(n, _cube(n)), 3)
        exact = all(bracket.exact for bracket in (*found.minima, *found.maxima))
        yield Row(f"range_over, {name}", f"{seconds:.2f} s, {'exact' if exact else 'not exact'}", "1 s, exact")


def cells(options: Options) -> Iterator[Row]:
    """Float cells, without and with their proof, and the largest memory, each in a process of its own."""
    sizes = ((2, 20, 10),) if options.small else ((2, 160, 3), (2, 320, 3), (2, 600, 3), (2, 20, 30))
    for size in sizes:
        try:
            found = json.loads(_output([__file__, "--in-a-process", "cells", *map(str, size)]))
        except RuntimeError as error:
            measured = not_measured(error)
        else:
            ratio = (found["proved"] - found["cells"]) / found["cells"]
            measured = f"{found['count']} in {found['cells']:.2f} s, with proof {found['proved']:.2f} s "
            measured += f"(proof / cells {ratio:.1f}), {found['mebibytes']:.0f} MiB"
        yield Row(f"cells, inputs-width-layers {'-'.join(map(str, size))}", measured, "10^6 in 30 s and 2 GB, proof / cells 3")


def not_measured(error: Exception) -> str:
    """What stands where a number would: the last line of an error."""
    return f"not measured: {str(error).strip().splitlines()[-1][:120]}"


def _cells_in_a_process(*size: int) -> dict[str, float]:
    from verify.networks import FullyConnected
    from verify.piecewise.skeleton import float_cells

    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    inputs, width, layers = size
    random = np.random.default_rng(0)
    widths = (inputs, *[width] * layers, 1)
    weights = [random.standard_normal((n, m)) * np.sqrt(2 / m) for m, n in itertools.pairwise(widths)]
    network = FullyConnected(weights, [random.uniform(-0.5, 0.5, n) for n in widths[1:]])
    _, unproved = _timed(lambda: float_cells(network, _cube(network), prove=False).count, 1)
    count, proved = _timed(lambda: float_cells(network, _cube(network)).count, 1)
    return {"count": count, "cells": unproved, "proved": proved, "mebibytes": _peak()}


def engine(options: Options) -> Iterator[Row]:
    """The engine beside torch and jax, of all sizes, in float64; the table for float32, too, is that of `engine.py`."""
    command = [str(HERE / "engine.py"), "--dtypes", "float64"]
    command += ["--sizes", "10-20-100-3-3", "--rounds", "1", "--budget", "0.02"] if options.small else ["--budget", "0.5"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "engine.json"
        _output([*command, "--json", str(file), *(["--peers", options.peers] if options.peers else [])])
        times = {(one["size"], one["work"], one["library"]): one["seconds"] for one in json.loads(file.read_text())["times"]}
    for (size, work, library), seconds in times.items():
        if library == "ours":
            others = {name: other for (*what, name), other in times.items() if what == [size, work] and name != "ours"}
            beside = ", ".join(f"{name} / ours {other / seconds:.2f}" for name, other in others.items())
            yield Row(
                f"engine, {size}, {work}",
                f"{1000 * seconds:.2f} ms; {beside or 'no peers: --peers PYTHON'}",
                "torch / ours 1.1, jax / ours 1.0",
            )


def commands(options: Options) -> Iterator[Row]:
    """What is started again and again, in the folder where this is."""
    repetitions = 1 if options.small else 7
    numpy = min(_seconds_of(["-c", "import numpy"]) for _ in range(repetitions))
    package = min(_seconds_of(["-c", "import verify"]) for _ in range(repetitions))
    yield Row("import verify", f"{package / numpy:.1f} times import numpy, which takes {numpy:.2f} s", "3 times")
    works = {
        "verify list": (["-m", "verify", "list", "--package", "theorems"], "0.5 s"),
        "verify show": (["-m", "verify", "show", "notion_of_rank.prop_3", "--package", "theorems"], "0.5 s"),
    }
    for work, (command, goal) in works.items():
        _output(command)  # with the index of the declarations
        seconds = min(_seconds_of(command) for _ in range(repetitions))
        yield Row(work, f"{seconds:.2f} s", goal)


def ledger(options: Options) -> Iterator[Row]:
    """Lines that are on the disk when the call returns, and the union of ledgers."""
    homes = ("verify.evidence.ledger", "verify.evidence.ledger")
    functions = ("append", "merged", "read_ledger", "write_ledger")
    append, merged, read_ledger, write_ledger = (home_of(name, *homes) for name in functions)
    entry, versions = home_of("Entry", *homes), home_of("versions", "verify.engines.machine", "verify.record")
    what = ("quick", "survived", "searched", 400, 300, 2400, 16, (0.25).hex(), dict(versions()))
    one = entry("a.b", "0" * 16, 0, *what)
    repetitions, lines = (3, 1000) if options.small else (100, 100_000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.jsonl"
        # an older form takes one line at a time
        for together in (1, 32) if "entries" in inspect.signature(append).parameters else (1,):
            start = time.perf_counter()
            for number in range(repetitions):
                append(path, *(replace(one, seed=together * number + k) for k in range(together)))
            each = (time.perf_counter() - start) / repetitions / together
            yield Row(f"ledger, append {together} at once", f"{1000 * each:.2f} ms a line, disk included", "0.5 ms")
        write_ledger(path, (replace(one, seed=number) for number in range(lines)))
        _, seconds = _timed(lambda: write_ledger(path.with_name("union"), merged([read_ledger(path)])), 1)
        yield Row("ledger, merge", f"{seconds / lines * 1e6:.1f} s for 10^6 lines (measured {lines})", "15 s")


def shard(options: Options) -> Iterator[Row]:
    """The largest memory of a worker."""
    budget, claim = "quick" if options.small else "deep", "notion_of_rank.theorem_1.chain"
    found = json.loads(_output([__file__, "--in-a-process", "shard", budget, claim]))
    yield Row(f"{budget} shard of {claim}", f"{found['mebibytes']:.0f} MiB, {found['seconds']:.1f} s", "300 MB (deep)")


def _shard_in_a_process(budget: str, claim: str) -> dict[str, float]:
    run_shard = home_of("run_shard", "verify.checker.campaign", "verify.campaign")
    _, seconds = _timed(lambda: run_shard("theorems", claim, budget, 0), 1)
    return {"mebibytes": _peak(), "seconds": seconds}


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _timed(call, repetitions):
    """What a call returns, and its seconds of the processor: the fewest of some repetitions; what is long is not repeated."""
    least = float("inf")
    for _ in range(repetitions):
        start = time.process_time()
        result = call()
        least = min(least, time.process_time() - start)
        if least > LONG:
            break
    return result, least


def _output(arguments: list[str]) -> str:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def _seconds_of(arguments: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _output(arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _network(folder: str, name: str):
    from verify.networks import FullyConnected

    arrays = np.load(DATA / folder / f"{name}.npz")
    count = len(arrays.files) // 2
    weights = [arrays[f"W{k}"] for k in range(count)]
    return FullyConnected(weights, [arrays[f"b{k}"] for k in range(count)])


def _cube(network):
    from verify.piecewise import Polytope

    return Polytope.box([-1] * network.widths[0], [1] * network.widths[0])


def machine() -> str:
    """Processor, kernels, versions and load."""
    from verify.engines.machine import versions

    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    models = {line.partition(":")[2].strip() for line in lines if line.startswith("model name")}
    found = versions()
    kernels = ", ".join(f"{name} {found[name]}" for name in ("blas", "simd", "python", "numpy", "scipy", "python-flint"))
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    return f"{', '.join(models) or platform.processor()}, {os.cpu_count()} cores, load {load}; {kernels}; one thread"


BENCHMARKS = {one.__name__: one for one in (claims, ranges, cells, engine, commands, ledger, shard)}


def rows(name: str, options: Options, folder: Path) -> Iterator[Row]:
    """The rows of a benchmark, by the code of the checkout in `folder`, in a process of its own, as they are measured."""
    arguments = ["--in-a-process", "rows", name, json.dumps(asdict(options))]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, __file__, *arguments]
    with subprocess.Popen(command, cwd=folder, env=environment, text=True, stdout=-1, stderr=subprocess.PIPE) as child:
        for line in child.stdout:
            yield Row(**json.loads(line))
        problem = child.stderr.read()
    if child.returncode:
        raise RuntimeError(f"{name} of {folder} ended with {child.returncode}:\n{problem}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--small", action="store_true", help="little of everything")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of the claims, one in N")
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter with torch and jax")
    parser.add_argument("--before", metavar="FOLDER", type=Path, help="an older checkout, measured beside this one")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in BENCHMARKS]:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    if given.every < 1:
        parser.error(f"--every must be at least 1, got {given.every}")
    if given.before is not None and not (given.before / "verify" / "__init__.py").is_file():
        parser.error(f"--before must be a checkout of this project, with a folder verify, got {given.before}")
    if any(name in os.environ for name in KERNELS):
        left = {name: value for name, value in os.environ.items() if name not in KERNELS}
        os.execve(sys.executable, [sys.executable, *sys.argv], left)
    options = Options(given.small, given.every, given.peers)
    os.environ.update(ONE_THREAD)
    heads = ["work", *(["before"] if given.before else []), "measured", "goal"]
    print(f"{machine()}\n\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}", flush=True)
    for name in given.names or BENCHMARKS:
        earlier: dict[str, str] = {}
        missing = "-"
        if given.before:
            try:
                # the peers are measured once, beside the present form
                earlier = {row.work: row.measured for row in rows(name, replace(options, peers=None), given.before.resolve())}
            except RuntimeError as error:
                missing = not_measured(error)
        for row in rows(name, options, HERE.parents[1]):
            before = [earlier.get(row.work, missing)] if given.before else []
            print(f"| {' | '.join([row.work, *before, row.measured, row.goal])} |", flush=True)
    print(f"\nload at the end {' '.join(f'{one:.1f}' for one in os.getloadavg())}")


def in_a_process(work: str, *arguments: str) -> None:
    """One work, of which a line of JSON is printed for each row."""
    if work == "cells":
        print(json.dumps(_cells_in_a_process(*map(int, arguments))))
    elif work == "shard":
        print(json.dumps(_shard_in_a_process(*arguments)))
    else:
        name, options = arguments
        with one_blas_thread():
            for row in BENCHMARKS[name](Options(**json.loads(options))):
                print(json.dumps(asdict(row)), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--in-a-process"]:
        in_a_process(*sys.argv[2:])
    else:
        main()
