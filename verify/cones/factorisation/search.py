"""The search for exact terms of a doubly nonnegative matrix, or for an exact copositive matrix against it."""

from __future__ import annotations

import numpy as np

from verify.cones.copositive import is_copositive
from verify.cones.factorisation.closed_forms import Terms
from verify.cones.factorisation.cutting_planes import LARGEST_ORDER, Cut, cutting_planes, exposed_factor, supported_start
from verify.cones.factorisation.float_factor import descend, random_start
from verify.cones.factorisation.rounding import rounded_to_bits
from verify.cones.factorisation.target import Target
from verify.numbers.arithmetic import Array, chosen_rationals

ROUNDS = 60
FACE_ROUNDS = (12, 20, 30, 45)
"""Rounds of cutting planes, and those after which the face that they seem to expose is looked at."""
ITERATIONS = 2000
"""Steps of a descent. Longer ones are made in `target`, away from the boundary, where they converge."""
BITS = 30
"""Binary digits to which a copositive matrix is rounded."""


def search(matrix: Array) -> Terms | Array | None:
    """Terms of an irreducible doubly nonnegative matrix, or a copositive matrix with a negative product; None if not found."""
    target = Target.of(matrix)
    size, generator = len(matrix), np.random.default_rng(0)
    if size <= LARGEST_ORDER:
        for rows in (2 * size, size * (size + 1) // 2):
            factor, _ = descend(target.unit, random_start(target.unit, rows, generator), ITERATIONS)
            terms = target.terms(factor)
            if terms is not None:
                return terms
    cut = _cut(target) if size <= LARGEST_ORDER else None
    return target.reserved_terms(generator, 2 * size) if cut is None else cut


def _cut(target: Target) -> Terms | Array | None:
    for index, cut in enumerate(cutting_planes(target.unit, ROUNDS)):
        against = _copositive(target, cut)
        if against is not None:
            return against
        if index in FACE_ROUNDS:
            exposed = exposed_factor(target.unit, cut.best, supported_start(cut))
            terms = None if exposed is None else target.terms(np.abs(exposed), plausible=True)
            if terms is not None:
                return terms
    return None


def _copositive(target: Target, cut: Cut) -> Array | None:
    """The best matrix of a step, shifted to be copositive and rounded, if its product with the target is negative."""
    shifted = cut.best - 1.0001 * cut.lowest
    if (shifted * target.unit).sum() >= 0:
        return None
    rounded = rounded_to_bits(shifted / np.outer(target.sizes, target.sizes), BITS)
    exact = chosen_rationals(rounded)
    if (exact * target.matrix).sum() < 0 and is_copositive(exact).violation is None:
        return np.asarray(exact * np.outer(target.scale, target.scale))
    return None
