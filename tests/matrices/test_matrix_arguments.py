from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from verify.matrices import (
    RankUndecided,
    determinant,
    frobenius_norm_squared,
    geometric_mean,
    gram_power,
    log_plus,
    log_pseudo_determinant,
    nuclear_norm,
    operator_norm,
    polar_factor,
    psd_power,
    pseudo_determinant,
    pseudo_inverse,
    rank,
    schatten_power,
    singular_values,
    solve,
    spectral_radius,
    stable_rank,
)
from verify.numbers.arithmetic import ball, is_exact, rationals

ONE_MATRIX = {
    "singular_values": singular_values,
    "rank": rank,
    "schatten_power": lambda matrix: schatten_power(matrix, 1),
    "pseudo_determinant": pseudo_determinant,
    "log_pseudo_determinant": log_pseudo_determinant,
    "nuclear_norm": nuclear_norm,
    "operator_norm": operator_norm,
    "frobenius_norm_squared": frobenius_norm_squared,
    "stable_rank": stable_rank,
    "pseudo_inverse": pseudo_inverse,
    "polar_factor": polar_factor,
    "determinant": determinant,
    "spectral_radius": spectral_radius,
    "log_plus": log_plus,
    "psd_power": lambda matrix: psd_power(matrix, 1),
    "gram_power": lambda matrix: gram_power(matrix, 1),
}
BALLS = np.array([[ball(2).sqrt(), ball(0)], [ball(0), ball(1)]], dtype=object)

UNUSABLE = {
    "scalar": (np.array(1.0), r"must have at least 2 axes .* got shape \(\)"),
    "vector": (np.ones(3), r"must have at least 2 axes .* got shape \(3,\)"),
    "exact vector": (rationals([1, 2]), r"must have at least 2 axes .* got shape \(2,\)"),
    "no rows": (np.ones((4, 0, 3)), r"must have at least one row and one column, got shape \(4, 0, 3\)"),
    "no columns, exact": (rationals(np.ones((2, 0))), r"must have at least one row and one column, got shape \(2, 0\)"),
    "NaN": (np.array([[1.0, np.nan], [np.inf, 0]]), "must be finite, got 2 of 4 entries that are NaN or infinite"),
    "complex": (np.eye(2) * 1j, r"must hold real numbers \(floats, integers or flint.fmpq\), got dtype complex128"),
    "text": (np.array([["1", "2"]]), "must hold real numbers .* got dtype <U1"),
    "objects": (np.array([[None, 1]], dtype=object), "must hold real numbers .* got None"),
    "exact NaN": (np.array([[float("nan")]], dtype=object), "must hold floats or exact numbers, got the float nan"),
}


@pytest.mark.parametrize("function", ONE_MATRIX.values(), ids=ONE_MATRIX)
@pytest.mark.parametrize(("argument", "message"), UNUSABLE.values(), ids=UNUSABLE)
def test_an_unusable_matrix_is_named_with_what_is_accepted(function, argument, message):
    with pytest.raises(ValueError, match=f"^matrix {message}"):
        function(argument)


TAKE_BALLS = {"frobenius_norm_squared", "determinant", "spectral_radius", "singular_values", "nuclear_norm", "operator_norm"}


@pytest.mark.parametrize("name", sorted(ONE_MATRIX.keys() - TAKE_BALLS))
def test_balls_are_not_accepted_where_a_rank_is_decided(name):
    with pytest.raises(
        TypeError, match=r"^matrix holds balls \(flint.arb\), and the rank .* rationals \(flint.fmpq\) are accepted"
    ):
        ONE_MATRIX[name](BALLS)


def test_balls_must_be_finite():
    with pytest.raises(ValueError, match=r"^matrix must be finite, got a ball that is not"):
        frobenius_norm_squared(BALLS / ball(0))


@pytest.mark.parametrize("convert", [np.asarray, rationals])
@pytest.mark.parametrize("name", ["determinant", "log_plus", "psd_power"])
def test_square_matrices_are_required(name, convert):
    with pytest.raises(ValueError, match=r"^matrix must be square, got 2 rows and 3 columns"):
        ONE_MATRIX[name](convert(np.ones((2, 3))))


@pytest.mark.parametrize("convert", [np.asarray, rationals])
@pytest.mark.parametrize("name", ["log_plus", "psd_power"])
def test_symmetric_semidefinite_matrices_are_required(name, convert):
    with pytest.raises(ValueError, match=r"^matrix must be symmetric, got a matrix that differs from its transpose"):
        ONE_MATRIX[name](convert(np.array([[1.0, 2], [2.5, 1]])))
    with pytest.raises(ValueError, match=r"^matrix must be positive semi-definite, got .*eigenvalue"):
        ONE_MATRIX[name](convert(np.array([[[1.0, 0], [0, 1]], [[1, 2], [2, 1]]])))


def test_rounding_errors_are_not_asymmetry_in_floats_and_are_in_rationals():
    nearly = np.array([[1.0, 0.25 + 2.0**-54], [0.25, 1.0]])
    assert nearly[0, 1] != nearly[1, 0]
    psd_power(nearly, 2)
    with pytest.raises(ValueError, match="must be symmetric"):
        psd_power(rationals(nearly), 2)


@pytest.mark.parametrize("convert", [np.asarray, rationals])
def test_solutions_check_both_matrices(convert):
    with pytest.raises(ValueError, match=r"^matrix must be square, got 2 rows and 3 columns"):
        solve(convert(np.ones((2, 3))), convert(np.ones((2, 1))))
    with pytest.raises(ValueError, match=r"^right must have 2 rows, one for each row of matrix, got shape \(3, 1\)"):
        solve(convert(np.eye(2)), convert(np.ones((3, 1))))
    with pytest.raises(ValueError, match=r"^right must be finite|^right must hold floats or exact numbers"):
        solve(convert(np.eye(2)), np.array([[np.nan], [1.0]], dtype=object if convert is rationals else float))


def test_solutions_do_not_mix_floats_and_rationals():
    with pytest.raises(ValueError, match="right is exact but matrix is float"):
        solve(np.eye(2), rationals(np.ones((2, 1))))


@pytest.mark.parametrize("convert", [np.asarray, rationals])
def test_geometric_means_check_both_matrices(convert):
    good, asymmetric, indefinite, singular = (
        convert(np.array(entries, dtype=float))
        for entries in ([[2, 1], [1, 2]], [[2, 1], [0, 2]], [[1, 2], [2, 1]], [[1, 1], [1, 1]])
    )
    for name, order in (("first", 1), ("second", -1)):
        with pytest.raises(ValueError, match=f"^{name} must be symmetric"):
            geometric_mean(*(asymmetric, good)[::order])
        with pytest.raises(ValueError, match=f"^{name} must be positive definite, got an eigenvalue that is not positive"):
            geometric_mean(*(indefinite, good)[::order])
        # floats cannot tell a singular matrix from one that is nearly so
        with pytest.raises(ValueError if is_exact(singular) else RankUndecided):
            geometric_mean(*(singular, good)[::order])
    with pytest.raises(ValueError, match=r"^first and second must have the same size, got 2 and 3"):
        geometric_mean(good, convert(np.eye(3)))


def test_geometric_means_do_not_mix_floats_and_rationals():
    with pytest.raises(ValueError, match="second is exact but first is float"):
        geometric_mean(np.eye(2), rationals(np.eye(2)))


@pytest.mark.parametrize("convert", [np.asarray, rationals])
def test_exponents_are_rational_numbers(convert):
    matrix = convert(np.eye(2))
    with pytest.raises(TypeError, match=r"^exponent must be an int or a Fraction, got 0\.5"):
        schatten_power(matrix, 0.5)
    with pytest.raises(TypeError, match=r"^exponent must be an int or a Fraction, got 0\.5"):
        psd_power(matrix, 0.5)
    with pytest.raises(TypeError, match=r"^weight must be an int or a Fraction, got 0\.5"):
        geometric_mean(matrix, matrix, weight=0.5)
    for exponent in (0, Fraction(-1, 2)):
        with pytest.raises(ValueError, match=f"^exponent must be positive, got {exponent}: use rank"):
            schatten_power(matrix, exponent)
