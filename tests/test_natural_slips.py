"""What people write as in NumPy works, or the message says what to write instead."""

import numpy as np
import pytest

from verify import attack, families, integers, interval, reals
from verify.words import eigenvalues, eq, exp, ge, le, least, norm2, psd_power, sqrt

MATRIX = {"A": families.positive_definite(2)}
VECTOR = {"x": reals(3)}


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        (lambda A: ge(np.linalg.cond(A), 1), MATRIX),
        (lambda A: eq(np.linalg.cholesky(A) @ np.linalg.cholesky(A).T, A), MATRIX),
        (lambda A: le(np.linalg.slogdet(A)[1], np.log(np.trace(A)) * 2), MATRIX),
        (lambda x: le(np.linalg.norm(x, 3), np.linalg.norm(x, 1)), VECTOR),
        (lambda x: ge(x.var(), 0), VECTOR),
        (lambda x: le(x.std() ** 2, norm2(x)), VECTOR),
        (lambda x: le(x.clip(0, 1), 1), VECTOR),
        (lambda x: le(np.cbrt(x), 1 + abs(x)), VECTOR),
        (lambda x: le(np.arcsin(x) + np.arccos(x), 2), {"x": interval(-1, 1)}),
        (lambda x, k: ge((1 + x) ** k, 1 + k * x), {"x": interval(-1, np.inf), "k": integers(1, 5)}),
        (lambda x, y: le(x**y, 1 + y * (x - 1)), {"x": interval(0, np.inf), "y": interval(0, 1)}),
        (lambda x: le(1 + x / 2, 2**x), {"x": interval(1, 8)}),
        (lambda x, y: le(x ** sqrt(y), 1 + x), {"x": interval(0, 8), "y": interval(0, 1)}),
        (
            lambda A, D: ge(least(eigenvalues(psd_power(A + D, 1) - psd_power(A, 1))), 0),
            {"A": families.positive_semidefinite(2), "D": families.positive_semidefinite(2)},
        ),
    ],
)
def test_what_numpy_has_works(statement, domain):
    result = attack(statement, domain)
    assert result.outcome == "survived", str(result)


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        (lambda x, k: ge((1 + x) ** k, 1 + k * x), {"x": reals(), "k": integers(1, 5)}),
        (lambda A: le(np.linalg.cond(A), 2), MATRIX),
        (lambda x: ge(x.clip(-1, 1).sum(), x.sum()), VECTOR),
        (lambda x: le(np.arcsin(x), x), {"x": interval(-1, 1)}),
    ],
)
def test_what_is_false_falls(statement, domain):
    assert attack(statement, domain).outcome == "refuted"


@pytest.mark.parametrize(
    ("statement", "domain", "advice"),
    [
        (lambda A: ge(np.linalg.eigh(A)[0], 0), MATRIX, "write eigenvalues(A) of verify.words"),
        (lambda A: ge(np.linalg.qr(A)[1][0, 0], 0), MATRIX, "R=upper_triangular('n')"),
        (lambda A: ge(np.linalg.svd(A)[1], 0), MATRIX, "write singular_values(A) of verify.words"),
        (lambda A: ge(np.linalg.eigvals(A), 0), MATRIX, "write eigenvalues(A) of verify.words"),
        (lambda A: ge(A + np.eye(2), 0), MATRIX, "np.eye makes floats: write eye of verify.words, or dtype=int"),
        (lambda x: ge(norm2(x), len(x) / 2 - 2), VECTOR, "a quotient of two integers of Python is a float"),
        (lambda x: ge(norm2(x) ** 0.5, 0), VECTOR, "write an exact constant, such as Q('1/10')"),
        (lambda x: eq(exp(x) * exp(1), exp(x + 1)), VECTOR, "no precision decides an identity between logarithms"),
    ],
)
@pytest.mark.filterwarnings("ignore:undecided")
def test_what_does_not_work_says_what_to_write(statement, domain, advice):
    result = attack(statement, domain)
    assert result.outcome == "undecided"
    assert advice in result.problems[0]


def test_what_is_beyond_the_largest_float_leaves_the_other_instances():
    from verify.words import determinant, expm

    result = attack(lambda A: ge(determinant(expm(A)), 0), {"A": families.symmetric(2)})
    assert result.outcome == "survived", str(result)
