"""The published matrices of ``tests/data/cones``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from verify.numbers.arithmetic import rationals

DATA = Path(__file__).parents[1] / "data" / "cones"


def published(file):
    """The cases of a file by id, each with its matrix as rationals."""
    cases = json.loads((DATA / file).read_text())
    return {case["id"]: case | {"matrix": rationals(np.array(case["matrix"], dtype=object))} for case in cases}
