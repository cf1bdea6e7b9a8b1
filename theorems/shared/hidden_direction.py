"""The loss of a hidden direction w under noise E, its gradient, and its two summary statistics p and q."""

from __future__ import annotations

import numpy as np

from theorems.shared.vectors import unit_vector
from verify import derived, reals
from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened
from verify.words import norm2


@widened
def loss(v: Array, w: Array, E: Array | int = 0) -> Array:
    r""":math:`C(v) = \|vv^T - (ww^T + E)\|_F^2`."""
    return norm2(np.outer(v, v) - (np.outer(w, w) + E))


@widened
def gradient(v: Array, w: Array, E: Array | None = None) -> Array:
    r""":math:`4(vv^T - ww^T - E)v`; `E` must be symmetric."""
    noiseless = (v @ v) * v - (w @ v) * w
    return 4 * (noiseless if E is None else noiseless - E @ v)


@widened
def symmetric_part(E: Array) -> Array:
    """Half the sum of a matrix and its transpose."""
    return (E + E.T) / 2


@widened
def statistics(v: Array, w: Array) -> tuple[Array, Array]:
    r""":math:`p = (w^Tv)^2` and :math:`q = \|(I - ww^T)v\|^2`."""
    return (w @ v) ** 2, norm2(v - (w @ v) * w)


@widened
def flow(v: Array, w: Array, E: Array | None = None) -> tuple[Array, Array]:
    """The derivatives p' and q' along gradient flow, by the chain rule."""
    dv = -gradient(v, w, E)
    return 2 * (w @ v) * (w @ dv), 2 * (v - (w @ v) * w) @ dv


PLANE = {"v": reals("d"), "w": derived(unit_vector, chart=reals(lambda sizes: sizes["d"] - 1))}
SIZES = {"d": range(2, 7)}
