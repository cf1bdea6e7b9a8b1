"""Reads random ONNX models beside onnxruntime: `python tests/benchmarks/random_onnx_models.py [COUNT] [FIRST SEED]`.

Counts what was read as onnxruntime computes it, what was refused and why, and what is wrong, of which there should be nothing:
other values, other shapes, models that onnxruntime refuses, tracebacks.
"""

from __future__ import annotations

import re
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "trained"))
from random_models import compared_with_onnxruntime


def main() -> None:
    count, first = (int(one) for one in [*sys.argv[1:], *["3000", "0"][len(sys.argv) - 1 :]])
    found: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(first, first + count):
            try:
                said = compared_with_onnxruntime(seed, Path(folder))
            except Exception:
                said = f"WRONG: {traceback.format_exc().splitlines()[-1]}"
            kind, _, reason = said.partition(": ")
            found[kind] += 1
            if kind == "WRONG":
                print(f"seed {seed}: {reason}")
            elif kind == "refused":
                reasons[re.sub(r"[-+]?\d[\d.e+-]*", "#", reason)[:100]] += 1
    print(", ".join(f"{number} {kind}" for kind, number in found.most_common()))
    for reason, number in reasons.most_common(20):
        print(f"  {number:5} {reason}")
    raise SystemExit(bool(found["WRONG"]))


if __name__ == "__main__":
    main()
