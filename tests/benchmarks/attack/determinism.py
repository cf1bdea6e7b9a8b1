"""One run in many environments: the same evidence, byte for byte. Run by hand: some minutes.

    python tests/benchmarks/attack/determinism.py [ID ...]

The claims (twelve of all papers, if none are named) are checked, and one is searched in a campaign of some shards, in new
processes that differ in the seed of Python's hashes, the threads and kernels of the linear algebra, the engine, the language,
the time zone, the folder, and ``python -O``. Times and versions aside, results and ledgers must be the same. The status is 1
where one differs.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
CLAIMS = (
    *("feature_learning.prop_18", "feature_learning.multiples", "notion_of_rank.prop_3", "notion_of_rank.prop_3.printed"),
    *("notion_of_rank.depth_expansion", "bottleneck_structure.corollary_8", "bottleneck_structure.theorem_6"),
    *("leaky_resnets.prop_10", "leaky_resnets.theorem_4.few_layers", "leaky_resnets.speed_law"),
    *("symmetry_learning.equivariance", "symmetry_learning.kernel_rate.printed"),
)
SEARCHED = "notion_of_rank.prop_3"
EVALUATIONS = 60_000
ENVIRONMENTS: dict[str, dict[str, str]] = {
    "as it is": {},
    "hash seed 1": {"PYTHONHASHSEED": "1"},
    "hash seed 2": {"PYTHONHASHSEED": "2"},
    "one thread": {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    "four threads": {"OPENBLAS_NUM_THREADS": "4", "OMP_NUM_THREADS": "4"},
    "kernels of Prescott": {"OPENBLAS_CORETYPE": "Prescott"},
    "kernels of Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "inline": {"ENGINE": "inline"},
    "two processes": {"ENGINE": "processes:2"},
    "Turkish, Kathmandu": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"},
    "no UTF-8": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    "another folder": {"FOLDER": "elsewhere"},
    "python -O": {"PYTHONOPTIMIZE": "1"},
    "development mode": {"PYTHONDEVMODE": "1"},
}
OF_KERNELS = ("kernels of Prescott", "kernels of Haswell")
"""Floats differ with the kernels: here outcomes, verdicts and witnesses must be the same."""
OF_THE_MOMENT = ("seconds", "versions", "when", "kept", "engine", "begun", "platform")


def _run(environment: dict[str, str], folder: Path, names: list[str]) -> tuple[Any, list[Any]]:
    where = folder / environment.get("FOLDER", ".")
    where.mkdir(exist_ok=True)
    known = {name: value for name, value in os.environ.items() if not name.startswith(("OPENBLAS", "OMP_", "PYTHON", "LC_"))}
    given = {name: value for name, value in environment.items() if name not in ("ENGINE", "FOLDER")}
    env = {**known, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache"), **given}
    engine = ["--engine", environment.get("ENGINE", "processes")]

    def verify(*arguments: str) -> str:
        command = [sys.executable, "-m", "verify", *arguments, "--package", "theorems"]
        done = subprocess.run(command, cwd=where, env=env, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
        return done.stdout

    document = json.loads(verify("run", *names, "--fresh", "-q", "--json", "-", *engine))
    ledger = folder / "ledger.jsonl"
    verify("search", SEARCHED, "--evaluations", str(EVALUATIONS), "--ledger", str(ledger), *engine)
    lines = [json.loads(line) for line in ledger.read_text(encoding="utf-8").splitlines()]
    # shards end in any order
    return _plain(document), sorted(map(_plain, lines), key=json.dumps)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items() if key not in OF_THE_MOMENT}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def _decided(document: Any, ledger: list[Any]) -> Any:
    """What no kernel may change."""
    kept = ("id", "outcome", "expected", "problems", "exact", "needs", "counterexample")
    claims = [
        {name: claim[name] for name in kept}
        | {"variants": {key: one["refuted"] for key, one in claim["false_variants"].items()}}
        for claim in document["claims"]
    ]
    return claims, [[line[name] for name in ("claim", "seed", "outcome")] for line in ledger]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def main() -> int:
    """Print the table."""
    names = sys.argv[1:] or list(CLAIMS)
    first: tuple[Any, list[Any]] | None = None
    different = 0
    for name, environment in ENVIRONMENTS.items():
        with tempfile.TemporaryDirectory() as folder:
            found = _run(environment, Path(folder), names)
        first = first or found
        if name in OF_KERNELS:
            same = _digest(_decided(*found)) == _digest(_decided(*first))
            said = "the same decisions" if same else "OTHER DECISIONS"
        else:
            same = _digest(found) == _digest(first)
            said = "the same" if same else "DIFFERENT"
        different += not same
        print(f"{name:24}{_digest(found[0])}  {_digest(found[1])}  {said}", flush=True)
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
