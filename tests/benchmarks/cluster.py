"""A campaign on a dask cluster of this machine: ``python tests/benchmarks/cluster.py [--claim ID] [--evaluations N]``.

The scheduler and the workers are processes of their own, as they are on a cluster, and `verify search` is one more. What is
printed for each: seconds of the processor, since the cluster is up, and the largest memory; and the ledger. Linux only: both
are read from /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verify.engines.machine import versions
from verify.evidence.ledger import read_ledger

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
WAIT = 60.0
"""Seconds until a cluster is up."""


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[tuple[str, dict[str, list[int]]]]:
    """The address of a scheduler with its workers, and the processes by role."""
    file = folder / "scheduler.json"
    command = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(file),
    ]
    worker = [
        sys.executable,
        "-m",
        "distributed.cli.dask_worker",
        "--scheduler-file",
        str(file),
        "--nthreads",
        "1",
        "--no-dashboard",
    ]
    worker += ["--no-nanny", "--local-directory", str(folder)]
    with (folder / "cluster.log").open("w") as log:
        started = [
            subprocess.Popen(one, stdout=log, stderr=log, env=os.environ | ONE_THREAD) for one in [command, *[worker] * workers]
        ]
        try:
            yield _address(file), {"scheduler": [started[0].pid], "worker": [one.pid for one in started[1:]]}
        finally:
            for one in started:  # a worker that is asked to end may wait for a scheduler that has ended
                one.kill()
                one.wait()


def _address(file: Path) -> str:
    until = time.monotonic() + WAIT
    while not file.exists() or not file.read_text():
        if time.monotonic() > until:
            raise TimeoutError(f"no scheduler after {WAIT:.0f} s")
        time.sleep(0.1)
    return str(json.loads(file.read_text())["address"])


def seconds_and_mebibytes(process: int) -> tuple[float, float]:
    """Seconds of the processor of a running process, and the largest memory that it had."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    status = Path(f"/proc/{process}/status").read_text()
    return seconds, int(status.split("VmHWM:")[1].split()[0]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claim", default="bottleneck_structure.theorem_6.scalar_inequality", metavar="ID")
    parser.add_argument("--evaluations", type=int, default=10**8, metavar="N")
    parser.add_argument("--budget", default="deep", choices=("quick", "standard", "deep"))
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ledger = folder / "ledger.jsonl"
        search = [sys.executable, "-m", "verify", "search", given.claim, "--package", "theorems", "--budget", given.budget]
        search += ["--evaluations", str(given.evaluations), "--ledger", str(ledger), "--witnesses", str(folder)]
        with cluster(folder, given.workers) as (address, processes):
            before = {one: seconds_and_mebibytes(one)[0] for found in processes.values() for one in found}
            start = time.perf_counter()
            client = subprocess.Popen(
                [*search, "--engine", f"dask:{address}"], stdout=subprocess.DEVNULL, env=os.environ | ONE_THREAD
            )
            measured = (0.0, 0.0)
            while client.poll() is None:
                # a process that has ended has no numbers any more: the last ones before are a tenth of a second old
                try:
                    measured = seconds_and_mebibytes(client.pid)
                except (FileNotFoundError, IndexError):
                    break
                time.sleep(0.1)
            status = client.wait()
            wall = time.perf_counter() - start
            after = {one: seconds_and_mebibytes(one) for one in before}
        if status:
            raise RuntimeError(f"verify search ended with {status}")
        entries = read_ledger(ledger)
        size = ledger.stat().st_size
    evaluations = sum(one.evaluations for one in entries)
    kernels = versions()
    print(f"{given.claim}, {given.budget}: {evaluations} evaluations in {len(entries)} shards, {wall:.0f} s by the clock")
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{os.cpu_count()} cores, load {load}; blas {kernels['blas']}, numpy {kernels['numpy']}\n")
    print("| process | seconds of the processor | a shard | largest memory |\n|---|---|---|---|")
    rows = [(role, after[one][0] - before[one], after[one][1]) for role, found in processes.items() for one in found]
    for role, seconds, mebibytes in (*rows, ("verify search", *measured)):
        print(f"| {role} | {seconds:.1f} s | {1000 * seconds / len(entries):.1f} ms | {mebibytes:.0f} MiB |")
    print(f"\nledger: {size} bytes, {size / len(entries):.0f} a shard")


if __name__ == "__main__":
    main()
