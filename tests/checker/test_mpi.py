"""The same ledger from three ranks of an MPI world."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from machine_speed import patient

TESTS = Path(__file__).parents[1]
ENVIRONMENT = os.environ | {
    "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")]),
    "NO_COLOR": "1",
    # Open MPI refuses to run as root, and to run more ranks than there are cores, unless told
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    # and it looks for ssh, though all ranks are here
    "OMPI_MCA_plm_rsh_agent": "",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


def on_three_ranks(*arguments, cwd, package):
    command = ["mpiexec", "-n", "3", sys.executable, "-m", "mpi4py.futures", "-m", "verify", *arguments, "--package", package]
    options = {"cwd": cwd, "env": ENVIRONMENT, "text": True, "start_new_session": True}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    try:
        output, errors = process.communicate(timeout=patient(90))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        pytest.fail("mpiexec did not end")
    return process.returncode, output, errors


def test_three_ranks_give_the_same_ledger_as_this_process(tmp_path):
    search = ["search", "toy.squares", "--evaluations", "60000", "--ledger"]
    status, _, errors = on_three_ranks(*search, "mpi.jsonl", "--engine", "mpi", cwd=tmp_path, package="toy_claims")
    assert (status, errors) == (0, "")
    inline = [sys.executable, "-m", "verify", *search, "inline.jsonl", "--package", "toy_claims"]
    subprocess.run(inline, cwd=tmp_path, env=ENVIRONMENT, check=True, capture_output=True)
    ledger = (tmp_path / "mpi.jsonl").read_bytes()
    assert ledger.count(b"\n") > 10
    assert ledger == (tmp_path / "inline.jsonl").read_bytes()


def test_a_statement_that_exits_is_a_problem_of_its_claim(tmp_path):
    arguments = ["run", "faulty.fine", "faulty.exits", "faulty.eats", "--engine", "mpi"]
    status, output, _ = on_three_ranks(*arguments, cwd=tmp_path, package="faulty_claims")
    assert status == 1
    assert "3 claims, 2 NOT as expected" in output
    assert "SystemExit: 3" in output
