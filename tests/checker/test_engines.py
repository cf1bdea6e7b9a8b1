"""Executors by name, and what travels through them."""

import concurrent.futures
import json
import os
import pickle
import signal
import subprocess
import sys
import time

import pytest
from machine_speed import patient

from verify.checker.running import check, checked, claims_in
from verify.engines.executors import InlineExecutor, MissingExtra, TimeLimitExceeded, abandon, one_blas_thread, open_executor
from verify.engines.machine import versions


def test_inline_does_the_work_at_once_and_keeps_errors():
    with open_executor("inline") as executor:
        assert executor.submit(divmod, 7, 2).result() == (3, 1)
        with pytest.raises(ZeroDivisionError):
            executor.submit(divmod, 7, 0).result()


def test_inline_lets_an_interrupt_through():
    with pytest.raises(KeyboardInterrupt), open_executor("inline") as executor:
        executor.submit(signal.raise_signal, signal.SIGINT)


@pytest.mark.parametrize("name", ["", "process", "processes:", "processes:0", "processes:-1", "dask", "dask:host", "INLINE"])
def test_unknown_engines_are_refused_with_what_is_accepted(name):
    with pytest.raises(ValueError, match=r"engine must be one of inline, processes, processes:N, .*, mpi, got "):
        open_executor(name)


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("dask:tcp://localhost:8786", "distributed", "distributed"), ("mpi", "mpi4py.futures", "mpi")],
)
def test_a_missing_package_names_its_extra(name, module, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'deep-l2-verify\[{extra}\]'"):
        open_executor(name)


def test_dask_is_reached_through_its_executor(monkeypatch):
    events = []

    class Client:
        status = "running"

        def __init__(self, address):
            events.append(address)
            self.futures = {"a": 1}

        def get_executor(self, pure):
            assert not pure, "a check is done each time it is asked for"
            return InlineExecutor()

        def scheduler_info(self):
            return {"workers": {"one": {}}}

        def cancel(self, futures, force):
            events.append((futures, force))

        def close(self):
            events.append("closed")

    monkeypatch.setitem(sys.modules, "distributed", type("distributed", (), {"Client": Client}))
    executor = open_executor("dask:tcp://host:8786")
    assert executor.submit(len, "four").result() == 4
    abandon(executor)
    assert events == ["tcp://host:8786", (["a"], True), "closed"]


def blas_threads():
    import numpy as np  # noqa: F401 (loads the library that is asked)
    from threadpoolctl import threadpool_info

    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_the_work_is_done_on_one_blas_thread_and_the_caller_keeps_his():
    before = blas_threads()
    with one_blas_thread():
        assert blas_threads() == {1}
    assert blas_threads() == before


def test_records_travel_and_are_the_same_on_every_engine():
    claims = list(claims_in("toy_claims").values())
    found = []
    for engine in ("inline", "processes:2"):
        records = checked(open_executor(engine), "toy_claims", claims, "quick", 1)
        found.append({record.id: {**vars(record), "seconds": 0} for record in records})
    assert found[0] == found[1]
    assert set(found[0]) == {claim.id for claim in claims}
    record = check("toy_claims", "toy.squares.printed", "quick", 1)
    assert pickle.loads(pickle.dumps(record)) == record


@pytest.mark.parametrize("timeout", [0, -1.0, float("nan"), float("inf")])
def test_a_time_limit_is_a_positive_number(timeout):
    with pytest.raises(ValueError, match=r"timeout must be a positive number of seconds, got "):
        open_executor("processes:1", timeout)


@pytest.mark.parametrize("name", ["mpi", "dask:tcp://localhost:8786"])
def test_a_time_limit_is_for_engines_that_can_end_their_work(name):
    with pytest.raises(ValueError, match=r"timeout is for the engines inline and processes, .* got the engine"):
        open_executor(name, 1.0)


def test_work_that_takes_too_long_takes_nothing_with_it():
    limit = patient(2)
    with open_executor("processes:1", limit) as executor:
        late, good = executor.submit(time.sleep, 600), executor.submit(divmod, 7, 2)
        with pytest.raises(TimeLimitExceeded, match=f"longer than the time limit of {limit:g} s"):
            late.result()
        assert good.result() == (3, 1)


def test_errors_travel_from_workers_and_what_cannot_travel_is_said():
    with open_executor("processes:1") as executor:
        with pytest.raises(ZeroDivisionError):
            executor.submit(divmod, 7, 0).result()
        with pytest.raises(RuntimeError, match="UnicodeError"):
            executor.submit(exec, "raise type('UnicodeError', (Exception,), {})('not to be pickled')").result()
        with pytest.raises(RuntimeError, match="SystemExit: 3"):
            executor.submit(sys.exit, 3).result()


def test_what_computes_is_said_and_differs_with_the_kernel():
    command = [sys.executable, "-c", "import json; from verify.engines.machine import versions; print(json.dumps(versions()))"]
    said = []
    for kernel in ("Prescott", "Haswell"):
        environment = os.environ | {"OPENBLAS_CORETYPE": kernel}
        said.append(json.loads(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout))
    assert {key for key in said[0] if said[0][key] != said[1][key]} == {"blas"}
    assert "Haswell" in said[1]["blas"]
    assert said[0].keys() == versions().keys()


def test_a_worker_that_dies_is_a_problem_of_its_claims():
    class Dying(concurrent.futures.Executor):
        def submit(self, *_):
            future = concurrent.futures.Future()
            future.set_exception(concurrent.futures.BrokenExecutor("the worker is gone"))
            return future

    records = list(checked(Dying(), "toy_claims", list(claims_in("toy_claims").values()), "quick", 0))
    assert len(records) == 4
    assert records[0].problems == ("the check raised BrokenExecutor: the worker is gone",)


def test_a_solver_with_a_library_of_its_own_changes_no_version():
    told = "import json; from verify.engines.machine import versions; print(json.dumps(versions()))"
    found = [
        subprocess.run([sys.executable, "-c", begin + told], capture_output=True, text=True, check=True).stdout
        for begin in ("", "import scs; ")
    ]
    assert found[0] == found[1]
