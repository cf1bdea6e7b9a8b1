"""Points of a leaf in floats, by which what is false there is seen before it is searched for; nothing rests on them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from flint import fmpq, fmpq_mpoly

from verify.proofs.expressions import UNKNOWNS, Path

Floats = npt.NDArray[np.float64]
POINTS = 4000
"""Points that are drawn; those at which an assumption fails are left out."""


def points_of(path: Path) -> Floats | None:
    """Random points, ``(n, unknowns and coordinates)``, at which a path's assumptions hold strictly; none with eigenvalues."""
    if not all(path.defined):
        return None
    generator = np.random.default_rng(0)
    count = len(path.names) - UNKNOWNS
    points = np.zeros((POINTS, len(path.names)))
    scales = 2.0 ** generator.integers(-3, 4, (POINTS, 1))
    points[:, UNKNOWNS:] = scales * generator.standard_normal((POINTS, count))
    for place in range(UNKNOWNS, len(path.names)):
        low, high = _ends(path, place)
        if low > high:
            return points[:0]
        if np.isfinite(low) and np.isfinite(high):
            points[:, place] = generator.uniform(low, high, POINTS)
        elif np.isfinite(low):
            points[:, place] = low + abs(points[:, place])
        elif np.isfinite(high):
            points[:, place] = high - abs(points[:, place])
    with np.errstate(all="ignore"):
        for number, (kind, *words) in enumerate(path.defined):
            if kind == "between":
                values = np.full(POINTS, float(words[0].p) / float(words[0].q))
            else:
                inside = values_of(words[-1], points)
                values = np.exp(inside) if kind == "exp" else np.log(inside) if kind == "log" else inside ** (1 / words[0])
            points[:, UNKNOWNS - 1 - number] = values
        holds = np.isfinite(points).all(axis=1)
        for assumption in path.assumptions:
            if not assumption.equal:
                values = values_of(assumption.polynomial, points)
                holds &= values > 1e-9
            elif all(not any(exponents[:UNKNOWNS]) for exponents in assumption.polynomial.to_dict()):
                holds &= values_of(assumption.polynomial, points) == 0  # no equation of an unknown, but of coordinates
    return points[holds]


def values_of(polynomial: fmpq_mpoly, points: Floats) -> Floats:
    """The values of a polynomial."""
    total = np.zeros(len(points))
    for exponents, coefficient in polynomial.to_dict().items():
        term = np.full(len(points), float(coefficient.p) / float(coefficient.q))
        for place, exponent in enumerate(exponents):
            if exponent:
                term = term * points[:, place] ** int(exponent)
        total += term
    return total


def _ends(path: Path, place: int) -> tuple[float, float]:
    """The interval that what is assumed of one coordinate leaves."""
    ends = [-np.inf, np.inf]
    for assumption in path.assumptions:
        degrees = assumption.polynomial.degrees()
        if assumption.equal or degrees[place] != 1 or sum(degrees) != 1:
            continue
        slope = constant = fmpq(0)
        for exponents, coefficient in assumption.polynomial.to_dict().items():
            slope, constant = (coefficient, constant) if exponents[place] else (slope, coefficient)
        at = -constant / slope
        value = float(at.p) / float(at.q)
        ends = [max(ends[0], value), ends[1]] if slope > 0 else [ends[0], min(ends[1], value)]
    return ends[0], ends[1]
