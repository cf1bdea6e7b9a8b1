from __future__ import annotations

import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

import pytest

from verify import catalogue
from verify.checker.campaign import ShardFailed, ShardResult, campaign, run_shard
from verify.engines.executors import open_executor
from verify.evidence.ledger import append, read_ledger

CLAIM = catalogue()["symmetry_learning.summary_statistics.gd_step"]
FALSE = catalogue()["leaky_resnets.prop_10.printed"]
EVALUATIONS = 12_000


def run(ledger, **options):
    with open_executor("inline") as executor:
        return list(campaign(CLAIM, EVALUATIONS, ledger, executor, **options))


def test_a_campaign_counts_its_evaluations_and_fills_the_ledger(tmp_path):
    steps = run(tmp_path / "ledger.jsonl")
    assert steps[-1].evaluations >= EVALUATIONS > steps[-2].evaluations
    entries = read_ledger(tmp_path / "ledger.jsonl")
    assert [entry.seed for entry in entries] == list(range(len(steps)))
    assert sum(entry.evaluations for entry in entries) == steps[-1].evaluations
    assert not any(step.resumed for step in steps)


def test_a_campaign_that_is_stopped_goes_on_where_it_was(tmp_path):
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    run(whole)
    with open_executor("inline") as executor:
        steps = campaign(CLAIM, EVALUATIONS, parts, executor)
        next(steps)
        next(steps)
        steps.close()
    assert len(read_ledger(parts)) == 2
    resumed = run(parts)
    assert [step.resumed for step in resumed] == [True, True] + [False] * (len(resumed) - 2)
    assert parts.read_bytes() == whole.read_bytes()


def test_any_number_of_workers_gives_the_same_ledger(tmp_path):
    inline, cache = tmp_path / "inline.jsonl", tmp_path / "cache.jsonl"
    run(inline)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        list(campaign(CLAIM, EVALUATIONS, cache, executor, in_flight=4))
    assert cache.read_bytes() == inline.read_bytes()


def test_a_campaign_survives_being_killed(tmp_path):
    whole, killed = tmp_path / "whole.jsonl", tmp_path / "killed.jsonl"
    run(whole)
    code = (
        "from test_campaign import *; import pathlib, time\n"
        "with open_executor('inline') as executor:\n"
        f"    for step in campaign(CLAIM, EVALUATIONS, pathlib.Path({str(killed)!r}), executor):\n"
        "        time.sleep(0.2)\n"
    )
    for lines in (1, 3):
        process = subprocess.Popen([sys.executable, "-c", code], cwd=__file__.rsplit("/", 1)[0])
        while not killed.exists() or killed.read_bytes().count(b"\n") < lines:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
    run(killed)
    assert killed.read_bytes() == whole.read_bytes()


def test_a_refutation_leaves_its_largest_and_its_smallest_instance():
    result = run_shard("theorems", FALSE.id, "quick", 0)
    assert isinstance(result, ShardResult)
    assert result.entry.outcome == "refuted"
    assert result.largest is not None
    assert result.smallest is not None


@pytest.mark.parametrize("wrong", [{"evaluations": 0}, {"in_flight": 0}])
def test_a_campaign_without_work_is_refused(tmp_path, wrong):
    arguments = {"evaluations": 1, "in_flight": 1} | wrong
    with open_executor("inline") as executor, pytest.raises(ValueError, match="must be at least 1"):
        next(campaign(CLAIM, ledger=tmp_path / "ledger.jsonl", executor=executor, **arguments))


class _DyingExecutor(Executor):
    """Does two shards, and then loses its workers."""

    def __init__(self):
        self.done = 0

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        self.done += 1
        if self.done > 2:
            future.set_exception(BrokenProcessPool("a process was terminated abruptly"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_a_campaign_whose_worker_dies_says_which_shard_and_keeps_the_others(tmp_path):
    ledger = tmp_path / "ledger.jsonl"
    with pytest.raises(ShardFailed, match=r"the shard of seed 2 failed: BrokenProcessPool: a process was terminated abruptly"):
        list(campaign(CLAIM, EVALUATIONS, ledger, _DyingExecutor()))
    assert [entry.seed for entry in read_ledger(ledger)] == [0, 1]


def test_shards_that_are_there_wait_for_the_disk_once(tmp_path, monkeypatch):
    run(tmp_path / "one.jsonl")
    sizes = []

    def counted(path, *entries):
        sizes.append(len(entries))
        append(path, *entries)

    monkeypatch.setattr("verify.checker.campaign.append", counted)
    run(tmp_path / "many.jsonl", in_flight=50)
    assert sizes == [len(read_ledger(tmp_path / "one.jsonl"))]
    assert (tmp_path / "many.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()
