"""The benchmarks work, at a small scale: what they measure is in docs/benchmarks.md."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXPECTED = {
    "claims": r"quick run \| \d+\.\d\d s a claim \(\d+ of \d+\), median \d+\.\d\d s, \d+ above 2 s; dearest: .+",
    "ranges": r"range_over, rand_d2_w20_L10 \| \d+\.\d\d s, exact",
    "cells": r"cells, inputs-width-layers 2-20-10 \| 7012 in .+ s, with proof .+ MiB",
    "engine": r"engine, 10-20-100-3-3, forward \| .+ ms; no peers: --peers PYTHON",
    "commands": r"verify list \| \d+\.\d\d s",
    "ledger": r"ledger, merge \| .+ s for 10\^6 lines \(measured 1000\)",
    "shard": r"quick shard of notion_of_rank\.theorem_1\.chain \| \d+ MiB, .+ s",
}


def run(*arguments):
    command = [sys.executable, ROOT / "tests" / "benchmarks" / "all.py", *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_CORETYPE": "Prescott"}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_benchmark_of_everything_at_a_small_scale(name):
    done = run(name, "--small")
    assert done.returncode == 0, done.stderr
    first, *_, last = done.stdout.splitlines()
    assert re.fullmatch(r".+, \d+ cores, load .+; blas .+, simd .+, python .+; one thread", first)
    assert "Prescott" not in first  # measured with the kernels of the machine
    assert last.startswith("load at the end")
    assert re.search(rf"^\| {EXPECTED[name]} \| .+ \|$", done.stdout, re.MULTILINE)


def test_what_no_benchmark_takes():
    assert "there is no benchmark speed; there are claims, ranges" in run("speed").stderr


def test_an_older_checkout_is_measured_beside_this_one(tmp_path):
    assert (
        f"--before must be a checkout of this project, with a folder verify, got {tmp_path}" in run("--before", tmp_path).stderr
    )
    (tmp_path / "verify").mkdir()
    (tmp_path / "verify" / "__init__.py").touch()
    lines = run("ledger", "--small", "--before", ROOT).stdout.splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ledger")]
    assert [row[0] for row in rows] == ["ledger, append 1 at once", "ledger, append 32 at once", "ledger, merge"]
    assert all(len(row) == 4 and re.match(r"\d+\.\d+ (m?s)\b", row[1]) for row in rows)
    lines = run("ledger", "--small", "--before", tmp_path).stdout
    assert "| ledger, merge | not measured: ImportError: one_blas_thread is in none of " in lines


def test_what_a_quick_run_costs_before_and_now():
    command = [sys.executable, ROOT / "tests" / "benchmarks" / "speed_table.py", "--before", ROOT]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    cheap = "symmetry_learning.kernel_rate.printed"
    done = subprocess.run([*command, cheap, "--errors"], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr
    assert re.search(
        r"^\| quick run, a claim \(1 of \d+\), mean \| \d+\.\d\d s \| \d+\.\d\d s \| .+ \| 0\.20 s \|$",
        done.stdout,
        re.MULTILINE,
    )
    assert done.stdout.endswith("All is found by both.\n")
    unknown = subprocess.run([*command, "no.claim"], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert "both checkouts must have the claim no.claim" in unknown.stderr


def test_a_campaign_on_a_cluster_at_a_small_scale():
    command = [sys.executable, ROOT / "tests" / "benchmarks" / "cluster.py", "--evaluations", "5000", "--budget", "quick"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    roles = re.findall(
        r"^\| (scheduler|worker|verify search) \| \d+\.\d s \| \d+\.\d ms \| \d+ MiB \|$", done.stdout, re.MULTILINE
    )
    assert roles == ["scheduler", "worker", "worker", "verify search"]


BESIDE = ROOT / "tests" / "benchmarks" / "beside"


@pytest.mark.parametrize(
    ("script", "arguments", "count"),
    [
        ("corner_variants", ["--seeds", "0"], 62),
        ("structure_variants", ["--seeds", "0"], 79),
        ("natural_variants", ["--seeds", "0"], 110),
        ("narrow_variants", ["half_bottleneck", "--seeds", "1"], 1),
    ],
)
def test_each_corner_variant_is_false_and_narrow_ones_are_searched_for(script, arguments, count):
    command = [sys.executable, ROOT / "tests" / "benchmarks" / f"{script}.py", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stderr) == (0, "")
    assert f"\n{count} of {count} are as they should be" in done.stdout


def test_other_tools_are_asked_for_a_theorem_and_its_false_variant(tmp_path):
    out = tmp_path / "results.json"
    # PEPit and Z3 are no dependencies
    given = ["--peers", sys.executable, "--theorems", "cauchy", "--seeds", "1", "--out", out]
    command = [sys.executable, BESIDE / "run.py", "--tools", "hypothesis,sympy,ours,pepit", *given]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    found = json.loads(out.read_text(encoding="utf-8"))
    row = found["fields"]["norms"]["cauchy"]
    assert row["pepit"] == {"cannot": "not made for it"}
    assert row["hypothesis"]["theorem"]["verdict"] == "nothing in 1000 examples"
    assert row["sympy"]["theorem"]["verdict"] == "proved"
    assert row["ours"]["theorem"]["verdict"] == "survived"
    assert row["ours"]["proof"]["verdict"].startswith("proved at ")
    for tool in ("hypothesis", "sympy", "ours"):
        assert all(one["verdict"].startswith("counterexample") for one in row[tool]["false"]), tool
        assert row[tool]["lines"] >= 4
    assert found["made"]["versions"]["sympy"]


def test_the_page_of_other_tools_is_made_from_what_was_measured(monkeypatch):
    monkeypatch.syspath_prepend(BESIDE)
    import page

    results = json.loads(page.RESULTS.read_text(encoding="utf-8"))
    assert page.PAGE.read_text(encoding="utf-8") == page.page(results), "python tests/benchmarks/beside/page.py writes it anew"
    for of_field in results["fields"].values():
        assert len(of_field) <= 10
        assert all(tool in row for row in of_field.values() for tool in page.TOOLS)


def test_the_attacks_of_a_night_at_a_small_scale(tmp_path):
    command = [sys.executable, "tests/benchmarks/attack/nightly.py", str(tmp_path / "night"), "--small", "narrow", "models"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("found nothing") + done.stdout.count("not run: onnxruntime") == 2
    assert {path.name for path in (tmp_path / "night").iterdir()} >= {"narrow.txt"}
