"""What is promised of faults: what was finished is kept, nothing goes on without its parent, nothing prints a traceback."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from machine_speed import patient

from verify.checker.campaign import ShardFailed, campaign
from verify.checker.running import claims_in
from verify.engines.executors import abandon, open_executor
from verify.evidence.ledger import read_ledger

TESTS = Path(__file__).parents[1]
ENDLESS = 10**12
KILLS = 10
"""Of each kind: of the parent, of a worker, and during a write."""


def command(*arguments, package="toy_claims"):
    options = [] if "--help" in arguments else ["--package", package]
    return [sys.executable, "-m", "verify", *map(str, arguments), *options]


def environment(**more):
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)]), "NO_COLOR": "1"} | more


def verify(*arguments, cwd, package="toy_claims", **options):
    options = {"env": environment(), "capture_output": True, "text": True, "timeout": patient(120)} | options
    return subprocess.run(command(*arguments, package=package), cwd=cwd, check=False, **options)


def processes_with(mark):
    """The processes that have `mark` in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (
                mark.encode() in (folder / "environ").read_bytes()
                and "Z" not in (folder / "stat").read_text().split(") ")[1][:1]
            ):
                found.append(int(folder.name))
        except OSError:  # it has ended meanwhile
            continue
    return found


def assert_the_same_as_undisturbed(ledger):
    """What the ledger holds is what a campaign without faults writes."""
    entries = read_ledger(ledger)
    assert [entry.seed for entry in entries] == list(range(len(entries)))
    whole = ledger.with_name("whole.jsonl")
    with open_executor("inline") as executor:
        total = sum(entry.evaluations for entry in entries)
        for _ in campaign(claims_in("toy_claims")["toy.squares"], total, whole, executor, package="toy_claims"):
            pass
    assert ledger.read_bytes() == whole.read_bytes()


def test_a_parent_that_is_killed_leaves_no_worker_and_loses_no_shard(tmp_path):
    rng = random.Random(0)
    ledger = tmp_path / "ledger.jsonl"
    mark = f"FAULTS_MARK={tmp_path}"
    arguments = ["search", "toy.squares", "--evaluations", ENDLESS, "--engine", "processes:1", "--ledger", ledger]
    lines = 0
    for kill in range(KILLS):
        process = subprocess.Popen(
            command(*arguments),
            cwd=tmp_path,
            env=environment(FAULTS_MARK=str(tmp_path)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # a moment of the start, or one of the work
        until = time.monotonic() + (patient(60) if kill % 2 else rng.uniform(0.1, 0.8))
        while time.monotonic() < until and (not ledger.exists() or ledger.read_bytes().count(b"\n") == lines):
            time.sleep(0.02)
        time.sleep(rng.uniform(0, 0.1))
        process.kill()
        process.wait()
        deadline = time.monotonic() + patient(30)
        while processes_with(mark) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert processes_with(mark) == []
        lines = ledger.read_bytes().count(b"\n") if ledger.exists() else 0
    assert lines > 0
    with open_executor("inline") as executor:  # a torn line goes
        next(steps := campaign(claims_in("toy_claims")["toy.squares"], ENDLESS, ledger, executor, package="toy_claims"))
        for _ in range(lines):
            next(steps)
        steps.close()
    assert_the_same_as_undisturbed(ledger)


def test_workers_that_are_killed_lose_no_shard(tmp_path):
    rng = random.Random(1)
    ledger = tmp_path / "ledger.jsonl"
    claim = claims_in("toy_claims")["toy.squares"]
    executor = open_executor("processes:2")
    killed, failures = [], []
    finished = threading.Event()

    def kill_workers():
        while len(killed) < KILLS and not finished.is_set():
            time.sleep(rng.uniform(0.05, 0.4))
            running = [worker.process for worker in list(executor._workers) if worker.process.is_alive()]
            if running:
                victim = rng.choice(running)
                victim.kill()
                killed.append(victim.pid)

    killer = threading.Thread(target=kill_workers)
    killer.start()
    try:
        while len(killed) < KILLS or not ledger.exists():
            try:
                for _ in campaign(claim, ENDLESS, ledger, executor, package="toy_claims", in_flight=3):
                    if len(killed) >= KILLS:
                        break
            except ShardFailed as error:  # a shard that lost its worker twice; the campaign goes on with the same call
                failures.append(str(error))
    finally:
        finished.set()
        killer.join()
        abandon(executor)
    assert all("WorkerDied: its process ended (signal 9), and again when it was tried once more" in one for one in failures)
    assert_the_same_as_undisturbed(ledger)


WRITES = """
import dataclasses, os, pathlib, random, signal, sys, warnings
sys.path.insert(0, {tests!r})
from evidence.test_ledger import entry
from verify.evidence import ledger

path, write, rng = pathlib.Path("ledger.jsonl"), os.write, random.Random(2)
kept = []
for seed in range({kills}):
    child = os.fork()
    if not child:
        def torn(descriptor, data):
            write(descriptor, data[: rng.randrange(len(data) + 1)])
            os.kill(os.getpid(), signal.SIGKILL)
        rng = random.Random(seed)
        os.write = torn
        ledger.append(path, entry(seed))
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ledger.TornLedgerWarning)
        found = ledger.read_ledger(path)
    assert found in (kept, [*kept, entry(seed)]), (seed, found)
    if found == kept:
        ledger.append(path, entry(seed))
    kept.append(entry(seed))
assert ledger.read_ledger(path) == kept
print("kept", len(kept))
"""


def test_a_write_that_is_killed_loses_nothing_that_was_written(tmp_path):
    code = WRITES.format(tests=str(Path(__file__).parent), kills=KILLS)
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert (result.stdout, result.stderr) == (f"kept {KILLS}\n", "")


ENOUGH = 40_000
"""Evaluations of a campaign that needs more room than the full disks below have."""


def test_a_disk_that_is_full_ends_a_campaign_in_a_line_and_it_goes_on(tmp_path):
    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

    arguments = ["search", "toy.squares", "--evaluations", ENOUGH, "--ledger", "ledger.jsonl"]
    full = verify(*arguments, cwd=tmp_path, preexec_fn=little_room)
    assert full.returncode == 2
    assert full.stderr.count("\n") == 1
    assert "ledger.jsonl: File too large; the ledger holds every finished shard, and the same command goes on" in full.stderr
    entries = read_ledger(tmp_path / "ledger.jsonl")
    assert entries
    assert (tmp_path / "ledger.jsonl").stat().st_size <= 3000
    again = verify(*arguments, cwd=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    assert read_ledger(tmp_path / "ledger.jsonl")[: len(entries)] == entries
    assert_the_same_as_undisturbed(tmp_path / "ledger.jsonl")


MOUNTS = ["unshare", "--mount", "--map-root-user", "sh", "-ec"]
IN_A_SMALL_DISK = """
mkdir disk && mount -t tmpfs -o size=4k none disk && cd disk
set +e; {search}; echo "full $?"; set -e
wc -l < ledger.jsonl
mount -o remount,size=1m .
{search} > /dev/null; cp ledger.jsonl ..
"""


def _may_mount():
    """Whether this machine lets us mount a small disk: not all do, and the limit of file sizes is the same fault elsewhere."""
    try:
        trial = subprocess.run([*MOUNTS, "mount -t tmpfs none /mnt"], capture_output=True, check=False, timeout=patient(10))
    except (OSError, subprocess.TimeoutExpired):
        return False
    return trial.returncode == 0


if _may_mount():

    def test_a_small_disk_that_fills_up_loses_nothing(tmp_path):
        search = " ".join(command("search", "toy.squares", "--evaluations", ENOUGH, "--ledger", "ledger.jsonl"))
        script = IN_A_SMALL_DISK.format(search=search)
        result = subprocess.run([*MOUNTS, script], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        assert "full 2\n" in result.stdout
        assert result.stderr.count("\n") == 1
        assert "ledger.jsonl: No space left on device" in result.stderr
        assert_the_same_as_undisturbed(tmp_path / "ledger.jsonl")


def test_a_full_device_is_an_error_wherever_something_is_written(tmp_path):
    for arguments in (
        ["list", "--json"],
        ["search", "toy.squares", "--ledger", "/dev/full"],
        ["--help"],
    ):
        with Path("/dev/full").open("w") as full:
            result = verify(*arguments, cwd=tmp_path, capture_output=False, stdout=full, stderr=subprocess.PIPE)
        assert (arguments, result.returncode) == (arguments, 2)
        assert result.stderr.startswith("Error: ")
        assert result.stderr.count("\n") == 1
    assert Path("/dev/full").is_char_device()


def test_a_run_whose_files_cannot_be_written_still_says_what_it_found(tmp_path):
    result = verify("run", "-q", "toy.squares.printed", "--json", "/dev/full", cwd=tmp_path)
    assert result.returncode == 2
    assert "1 claim, all as expected" in result.stdout
    assert result.stderr == "Error: not written: /dev/full: No space left on device\n"


def test_one_broken_statement_is_a_problem_of_its_claim_alone(tmp_path):
    names = [f"faulty.{name}" for name in ("fine", "exits", "hangs", "dies", "dies_once", "eats")]
    limit = patient(6)
    options = ["-q", "--engine", "processes:2", "--timeout", limit, "--json", "found.json"]
    result = verify(
        "run", *names, *options, cwd=tmp_path, package="faulty_claims", env=environment(FAULTY_FOLDER=str(tmp_path))
    )
    assert result.returncode == 1, result.stderr
    assert result.stderr == ""
    found = {claim["id"]: claim["problems"] for claim in json.loads((tmp_path / "found.json").read_text())["claims"]}
    assert found["faulty.fine"] == found["faulty.dies_once"] == []
    assert "SystemExit: 3" in found["faulty.exits"][0]
    assert f"TimeLimitExceeded: it took longer than the time limit of {limit:g} s" in found["faulty.hangs"][0]
    assert "WorkerDied: its process ended (signal 9), and again when it was tried once more" in found["faulty.dies"][0]
    assert any("MemoryError" in problem for problem in found["faulty.eats"])


@pytest.mark.parametrize(("name", "why"), [("exits", "SystemExit: 3"), ("hangs", "it took longer than the time limit")])
def test_a_campaign_on_a_broken_statement_ends_in_a_message(tmp_path, name, why):
    options = ["--timeout", patient(3)]
    result = verify("search", f"faulty.{name}", *options, cwd=tmp_path, package="faulty_claims")
    assert result.returncode == 1
    assert f"faulty.{name}: its fingerprint cannot be computed: {why}" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_dask_cluster_that_lost_its_workers_is_given_up(tmp_path, monkeypatch):
    from distributed import LocalCluster

    monkeypatch.setattr("verify.engines.executors.PATIENCE", 1.0)
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster:
        executor = open_executor(f"dask:{cluster.scheduler_address}")
        steps = campaign(
            claims_in("toy_claims")["toy.squares"], ENDLESS, tmp_path / "l.jsonl", executor, package="toy_claims", in_flight=4
        )
        next(steps)
        cluster.scale(0)
        with pytest.raises(ShardFailed, match="WorkerDied: the dask cluster has lost its workers for 1 s"):
            for _ in steps:
                pass
        abandon(executor)
    assert read_ledger(tmp_path / "l.jsonl")


HOOK = """
import importlib.abc, os, sys

class Interrupts(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == os.environ["INTERRUPTED_IMPORT"]:
            raise KeyboardInterrupt
        return None

sys.meta_path.insert(0, Interrupts())
"""


@pytest.mark.parametrize(
    "name", ["numpy", "verify.claims.claim", "typer", "verify.cli.evidence", "toy_claims.means", "verify.checker.running"]
)
def test_an_interrupt_while_something_is_imported_leaves_no_traceback(tmp_path, name):
    (tmp_path / "sitecustomize.py").write_text(textwrap.dedent(HOOK))
    paths = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    result = verify("run", "toy.squares", cwd=tmp_path, env=environment(PYTHONPATH=paths, INTERRUPTED_IMPORT=name))
    assert result.returncode == 130
    assert "Traceback" not in result.stderr
    assert result.stderr in ("", "interrupted\n")


def test_a_reader_that_has_gone_ends_the_command_as_others_end(tmp_path):
    for arguments in (["list"], ["show", "toy.squares"], ["--help"]):
        reader, writer = os.pipe()
        os.close(reader)
        try:
            result = verify(*arguments, cwd=tmp_path, capture_output=False, stdout=writer, stderr=subprocess.PIPE)
        finally:
            os.close(writer)
        assert (result.returncode, result.stderr) == (128 + signal.SIGPIPE, "")


@pytest.mark.parametrize("columns", ["0", "1", "many"])
def test_a_terminal_of_any_width_gets_the_whole_output(tmp_path, columns):
    result = verify("list", cwd=tmp_path, env=environment(COLUMNS=columns))
    assert (result.returncode, result.stderr) == (0, "")
    claims = claims_in("toy_claims")
    assert len(result.stdout.splitlines()) == 1 + len(claims) + len(claims.aliases)
