"""Matrices of rationals beside SymPy, and functions of their singular values beside mpmath: small ones, drawn at random."""

import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy

from verify.matrices import (
    determinant,
    frobenius_norm_squared,
    inverse,
    nuclear_norm,
    operator_norm,
    pseudo_inverse,
    rank,
    schatten_power,
    singular_values,
    solve,
)
from verify.numbers.arithmetic import fraction, rationals


def matrix(rng, rows, columns, below):
    """Entries with small numerators, of a rank of at most `below`."""
    left = [[Fraction(rng.randint(-4, 4), rng.randint(1, 3)) for _ in range(below)] for _ in range(rows)]
    right = [[Fraction(rng.randint(-4, 4)) for _ in range(columns)] for _ in range(below)]
    return [[sum(a * row[j] for a, row in zip(one, right, strict=True)) for j in range(columns)] for one in left]


def of_sympy(found):
    return [[Fraction(int(entry.p), int(entry.q)) for entry in found.row(i)] for i in range(found.rows)]


def plain(array):
    return [[fraction(entry) for entry in row] for row in array]


@pytest.mark.parametrize("seed", range(30))
def test_matrices_of_rationals(seed):
    rng = random.Random(seed)
    rows, columns = rng.randint(1, 4), rng.randint(1, 4)
    entries = matrix(rng, rows, columns, rng.randint(1, 4))
    ours, theirs = (
        rationals(np.array(entries, dtype=object)),
        sympy.Matrix(rows, columns, lambda i, j: sympy.Rational(str(entries[i][j]))),
    )
    assert int(rank(ours)) == theirs.rank()
    assert plain(pseudo_inverse(ours)) == of_sympy(theirs.pinv())
    assert fraction(np.asarray(frobenius_norm_squared(ours)).item()) == sum(entry**2 for row in entries for entry in row)
    square = matrix(rng, rows, rows, rows)
    exact, other = (
        rationals(np.array(square, dtype=object)),
        sympy.Matrix(rows, rows, lambda i, j: sympy.Rational(str(square[i][j]))),
    )
    wanted = other.det()
    assert fraction(np.asarray(determinant(exact)).item()) == Fraction(int(wanted.p), int(wanted.q))
    if wanted:
        assert plain(inverse(exact)) == of_sympy(other.inv())
        assert plain(solve(exact, ours)) == of_sympy(other.LUsolve(theirs))


@pytest.mark.parametrize("seed", range(15))
def test_functions_of_singular_values(seed):
    rng = random.Random(seed)
    rows, columns = rng.randint(1, 4), rng.randint(1, 4)
    entries = matrix(rng, rows, columns, 4)
    floats = np.array(entries, dtype=float)
    with mpmath.workdps(40):
        theirs = mpmath.matrix([[mpmath.mpf(entry.numerator) / entry.denominator for entry in row] for row in entries])
        values = sorted(map(float, mpmath.svd_r(theirs, compute_uv=False)), reverse=True)
    most = max(values[0], 1e-300)
    assert np.allclose(singular_values(floats), values, rtol=1e-12, atol=1e-13 * most)
    assert np.isclose(operator_norm(floats), values[0], rtol=1e-12)
    assert np.isclose(nuclear_norm(floats), sum(values), rtol=1e-12)
    if values[-1] > 1e-3 * most:
        assert np.isclose(schatten_power(floats, Fraction(2, 3)), sum(value ** (2 / 3) for value in values), rtol=1e-10)
