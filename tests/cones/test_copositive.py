"""Copositive matrices: published ones, all small ones against the definition, and certificates."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from published_matrices import published

from verify import Verdict
from verify.cones.copositive import Copositivity, is_copositive
from verify.matrices.exact import flint_matrix
from verify.numbers.arithmetic import ball, rational, rationals

CASES = published("copositive.json")
HORN = CASES["Horn_5"]["matrix"]


@pytest.mark.parametrize("name", CASES)
def test_published_matrices(name):
    case = CASES[name]
    decided = is_copositive(case["matrix"])
    assert (decided.verdict == Verdict.HOLDS) == case["copositive"]
    assert decided.strict == case["strictly_copositive"]
    assert decided.verify() == decided.verdict


def violated(matrix):
    """By the definition through supports: some regular principal submatrix B has ``B^-1 1 < 0``."""
    size = len(matrix)
    for count in range(1, size + 1):
        for support in combinations(range(size), count):
            block = flint_matrix(matrix[np.ix_(support, support)])
            if block.det() != 0 and max((block.inv() * flint_matrix(rationals(np.ones((count, 1))))).entries()) < 0:
                return True
    return False


@pytest.mark.parametrize("seed", range(12))
def test_random_matrices_by_the_definition(seed):
    generator = np.random.default_rng(seed)
    for _ in range(25):
        size = generator.integers(1, 6)
        matrix = generator.integers(-3, 4, (size, size))
        matrix = matrix + matrix.T
        matrix[np.diag_indices(size)] = generator.integers(seed % 3, 8, size)
        decided = is_copositive(rationals(matrix))
        assert (decided.verdict == Verdict.FAILS) == violated(rationals(matrix))
        assert decided.verify() == decided.verdict


def test_the_zeros_of_horns_matrix():
    zeros = is_copositive(HORN).zeros
    neighbours = {tuple(np.roll([1, 1, 0, 0, 0], k)) for k in range(5)}
    assert {tuple(int(entry.p) for entry in zero) for zero in zeros} == neighbours
    assert not is_copositive(HORN).strict


@pytest.mark.parametrize("seed", range(5))
def test_permutations_and_scalings_keep_the_zeros(seed):
    generator = np.random.default_rng(seed)
    order, scale = generator.permutation(5), rationals(generator.integers(1, 9, 5)) / 7
    moved = (HORN * np.outer(scale, scale))[np.ix_(order, order)]
    decided = is_copositive(moved)
    assert decided.verdict == Verdict.HOLDS
    assert len(decided.zeros) == 5
    assert all(zero @ moved @ zero == 0 for zero in decided.zeros)


def test_below_horns_matrix_by_one_part_in_10_to_the_30():
    below = HORN - rationals(np.eye(5)) / rational(10) ** 30
    decided = is_copositive(below)
    assert decided.verdict == decided.verify() == Verdict.FAILS
    assert min(decided.violation) >= 0


def test_a_zero_that_a_negative_entry_turns_into_a_violation():
    decided = is_copositive(rationals([[0, -1], [-1, 1000]]))
    assert decided.verdict == decided.verify() == Verdict.FAILS
    assert str(decided).startswith("not copositive (order 2): the form is -")


def test_semidefinite_matrices_and_nonnegative_ones():
    generator = np.random.default_rng(0)
    factor = generator.integers(-3, 4, (3, 7))
    assert is_copositive(factor.T @ factor).verdict == Verdict.HOLDS
    nonnegative = generator.integers(0, 4, (7, 7))
    assert is_copositive(nonnegative + nonnegative.T).verdict == Verdict.HOLDS


def test_the_order_zero_of_zero():
    decided = is_copositive(np.zeros((3, 3)))
    assert decided.verdict == Verdict.HOLDS
    assert np.all(decided.zeros == rationals(np.eye(3)))


def test_a_wrong_vector_proves_nothing():
    assert Copositivity(Verdict.FAILS, HORN, rationals([1, 0, 0, 0, 0]), None).verify() == Verdict.UNDECIDED
    assert Copositivity(Verdict.FAILS, -HORN, rationals([-1, 0, 0, 0, 0]), None).verify() == Verdict.UNDECIDED


UNUSABLE = {
    "asymmetric": (np.array([[1.0, 2.0], [0.0, 1.0]]), ValueError, r"matrix must be symmetric"),
    "asymmetric rationals": (rationals([[1, 2], [0, 1]]), ValueError, r"matrix must be symmetric"),
    "not square": (np.ones((2, 3)), ValueError, r"matrix must be square, got 2 rows and 3 columns"),
    "NaN": (np.array([[np.nan]]), ValueError, r"matrix must be finite, got 1 of 1 entries"),
    "empty": (np.ones((0, 0)), ValueError, r"matrix must have at least one row and one column, got shape \(0, 0\)"),
    "a batch": (np.ones((2, 2, 2)), ValueError, r"matrix must be one matrix, .* got shape \(2, 2, 2\)"),
    "complex": (np.ones((1, 1), dtype=complex), ValueError, r"matrix must hold real numbers .* complex128"),
    "balls": (np.array([[ball(2).sqrt()]], dtype=object), TypeError, r"matrix holds balls"),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_unusable_matrices_are_named(name):
    matrix, error, message = UNUSABLE[name]
    with pytest.raises(error, match=message):
        is_copositive(matrix)
