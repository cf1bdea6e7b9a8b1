"""What the solvers of `verify.cones.reference` give for a batch, and how accurate they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from verify import Q
from verify.arithmetic import Array, chosen_rationals, is_exact, widened

ACCURACY = Q(1, 10**6)
"""Relative accuracy that is asked of a solver; what it returns is a candidate, checked to this accuracy."""


@widened
def in_arithmetic_of(values: Any, pattern: Array) -> Array:
    """Floats, as the rationals that they are where `pattern` is exact."""
    return chosen_rationals(np.asarray(values)) if is_exact(pattern) else np.asarray(values, dtype=np.float64)
