"""The same ledger of some twenty shards from processes and from a dask cluster, also when one of its workers is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import partial

import pytest

from verify import catalogue
from verify.checker.campaign import campaign
from verify.checker.running import prepare
from verify.engines.executors import open_executor

CLAIM = catalogue()["symmetry_learning.summary_statistics.gd_step"]
SHARDS = range(15, 27)
EVALUATIONS = 63_000
"""About three thousand for a shard."""


@pytest.fixture(scope="module")
def cluster():
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as running:
        yield running


@pytest.fixture(scope="module")
def inline_ledger(tmp_path_factory):
    path = tmp_path_factory.mktemp("inline") / "ledger.jsonl"
    with open_executor("inline") as executor:
        assert len(list(campaign(CLAIM, EVALUATIONS, path, executor))) in SHARDS
    return path.read_bytes()


@pytest.mark.parametrize("killed", [False, True], ids=["undisturbed", "worker killed"])
def test_a_dask_cluster_gives_the_same_ledger(tmp_path, cluster, inline_ledger, killed):
    path = tmp_path / "ledger.jsonl"
    executor = open_executor(f"dask:{cluster.scheduler_address}")
    steps = campaign(CLAIM, EVALUATIONS, path, executor, in_flight=6)
    try:
        for number, _ in enumerate(steps):
            if killed and number == 5:
                nanny = next(iter(cluster.workers.values()))
                threading.Thread(target=os.kill, args=(nanny.process.pid, signal.SIGKILL)).start()
                time.sleep(0.2)
    finally:
        executor.shutdown()
    assert path.read_bytes() == inline_ledger


def test_processes_give_the_same_ledger(tmp_path, inline_ledger):
    path = tmp_path / "ledger.jsonl"
    with open_executor("processes:2", prepare=partial(prepare, ["theorems"])) as executor:
        assert len(list(campaign(CLAIM, EVALUATIONS, path, executor, in_flight=6))) in SHARDS
    assert path.read_bytes() == inline_ledger
