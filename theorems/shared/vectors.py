"""Unit vectors and reflections that are rational for rationals."""

from __future__ import annotations

from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened
from verify.words import concatenate, norm2, vector, where


@widened
def unit_vector(chart: Array) -> Array:
    """Inverse stereographic projection, ``(d - 1,) -> (d,)``: a vector of length 1."""
    return concatenate([2 * chart, vector(1 - norm2(chart))]) / (1 + norm2(chart))


@widened
def reflected(v: Array, u: Array) -> Array:
    """The vector v reflected along u; u = 0 does not reflect."""
    return v - 2 * (u @ v) / where(norm2(u) == 0, 1, norm2(u)) * u
