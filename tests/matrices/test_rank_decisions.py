from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest

from verify.matrices import (
    RankUndecided,
    geometric_mean,
    log_plus,
    log_pseudo_determinant,
    polar_factor,
    psd_power,
    pseudo_determinant,
    pseudo_inverse,
    rank,
    schatten_power,
    singular_values,
)
from verify.numbers.arithmetic import rationals

DECIDING = [
    rank,
    pseudo_determinant,
    log_pseudo_determinant,
    pseudo_inverse,
    polar_factor,
    log_plus,
    lambda matrix: schatten_power(matrix, Fraction(2, 50)),
    lambda matrix: psd_power(matrix, Fraction(1, 2)),
]


def diagonals(*ratios, dtype=float):
    return np.array([np.diag([1, ratio]) for ratio in ratios], dtype=dtype)


@pytest.mark.parametrize("function", DECIDING)
@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_a_value_inside_the_gap_is_undecided_and_the_rest_of_the_batch_can_be_kept(function, scale):
    matrices = scale * diagonals(1e-18, 1e-12, 1e-3).reshape(3, 1, 2, 2)
    with pytest.raises(RankUndecided) as caught:
        function(matrices)
    assert caught.value.where.tolist() == [[False], [True], [False]]
    assert function(matrices[~caught.value.where]).shape[0] == 2


def test_the_message_has_the_number_of_matrices_and_both_values():
    with pytest.raises(RankUndecided, match=r"rank of 2 of 3 matrices is undecided: the value 2e-12 .* the largest, 2;"):
        rank(2 * diagonals(1e-12, 1e-3, 1e-13))
    with pytest.raises(RankUndecided) as caught:
        rank(diagonals(1e-12)[0])
    assert caught.value.where.shape == ()
    assert caught.value.where


def test_the_error_travels_between_processes():
    with pytest.raises(RankUndecided) as caught:
        rank(diagonals(1e-12, 1.0))
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value)
    assert copy.where.tolist() == [True, False]


def test_zeros_are_dropped_before_powers_are_taken():
    column = np.array([[1 / 3], [1 / 7], [1 / 11]])
    matrix = column @ column.T
    assert 0 < singular_values(matrix)[1] < 1e-16
    assert schatten_power(matrix, Fraction(2, 50)) == pytest.approx(np.sum(column**2) ** 0.04, rel=1e-14)
    assert rank(matrix) == 1


@pytest.mark.parametrize("depth", [2, 10, 50])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_through_a_bottleneck_have_its_rank(depth, dtype):
    rng = np.random.default_rng(depth)
    product = rng.normal(size=(100, 5, 2)).astype(dtype) @ rng.normal(size=(100, 2, 5)).astype(dtype)
    for _ in range(depth - 2):
        product = np.linalg.qr(rng.normal(size=(100, 5, 5)))[0].astype(dtype) @ product
    assert (rank(product) == 2).all()


def test_float32_has_a_gap_of_its_own():
    matrices = diagonals(1e-7, 1e-3, dtype=np.float32)
    assert rank(matrices).tolist() == [1, 2]
    with pytest.raises(RankUndecided):
        rank(diagonals(1e-5, dtype=np.float32))


@pytest.mark.parametrize("digits", [5, 19, 60, 400])
def test_rationals_are_always_decided(digits):
    tiny = Fraction(1, 10**digits)
    matrix = rationals(np.array([[1, 0], [0, tiny]], dtype=object))
    assert rank(matrix) == 2
    assert pseudo_determinant(matrix) == rationals(tiny)
    assert polar_factor(matrix).tolist() == [[1, 0], [0, 1]]


def test_singular_values_that_overflow_are_undecided():
    with pytest.raises(RankUndecided, match="the value inf"):
        rank(np.full((2, 2), 1e308))


def test_a_geometric_mean_of_matrices_too_far_apart_is_undecided():
    first, second = np.diag([1.0, 1e-7]), np.diag([1e-7, 1.0])
    with pytest.raises(RankUndecided):
        geometric_mean(first, second)
    with pytest.raises(RankUndecided):
        geometric_mean(diagonals(1e-12)[0], np.eye(2))
    with pytest.raises(RankUndecided) as caught:
        geometric_mean(np.eye(2), diagonals(1.0, 1e-12))
    assert caught.value.where.tolist() == [False, True]
    with pytest.raises(RankUndecided) as caught:
        geometric_mean(diagonals(1.0, 0.5), diagonals(1e-12)[0])
    assert caught.value.where.tolist() == [True, True]
