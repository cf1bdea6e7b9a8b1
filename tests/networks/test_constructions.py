from fractions import Fraction
from math import ceil, log2

import numpy as np
import pytest
from dyadic import entries, quick
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from verify.matrices import schatten_power
from verify.networks import (
    HomogeneousActivation,
    absolute_value,
    from_affine_pieces,
    from_matrix,
    leaky_relu,
    relu,
)
from verify.numbers.arithmetic import UNKNOWN, certain_order, floats, rationals

SEEDS = st.integers(0, 2**32 - 1)


def low_rank(rng, rows, columns, rank, batch=()):
    return entries(rng, *batch, rows, rank) @ entries(rng, *batch, rank, columns)


@quick
@given(SEEDS, st.integers(1, 4), st.integers(1, 4), st.integers(1, 3), st.integers(1, 6), st.sampled_from([(), (3,)]))
def test_balanced_factors_have_the_least_norm(seed, rows, columns, rank, depth, batch):
    rng = np.random.default_rng(seed)
    matrix = low_rank(rng, rows, columns, rank, batch)
    f = from_matrix(matrix, depth)
    x = entries(rng, 5, *batch, columns)
    np.testing.assert_allclose(f(x), (matrix @ x[..., None])[..., 0], atol=1e-12)
    np.testing.assert_allclose(f.jacobian(x)[0], matrix, atol=1e-12)
    np.testing.assert_allclose(f.parameter_norm_squared, depth * schatten_power(matrix, Fraction(2, depth)), rtol=1e-7)
    assert np.all(f.is_balanced())
    assert f.depth == depth
    assert all(width <= min(rank, rows, columns) for width in f.widths[1:-1])


def test_rounding_errors_of_lower_ranks_in_a_batch_do_not_count():
    matrices = np.stack([low_rank(np.random.default_rng(8), 4, 4, rank) / 3 for rank in (1, 2, 4)])
    f = from_matrix(matrices, 50)
    assert f.widths[1] == 4
    np.testing.assert_allclose(f.parameter_norm_squared, 50 * schatten_power(matrices, Fraction(2, 50)), rtol=1e-10)


@quick
@given(SEEDS, st.integers(1, 3), st.integers(1, 3), st.integers(2, 4))
def test_balanced_factors_of_rationals_hold_the_matrix(seed, rows, columns, depth):
    matrix = rationals(low_rank(np.random.default_rng(seed), rows, columns, 2))
    f = from_matrix(matrix, depth)
    product = f.jacobian(rationals(np.zeros(columns)))
    assert np.isin(certain_order(product, matrix), [0, UNKNOWN]).all()
    np.testing.assert_allclose(floats(product), floats(matrix), atol=1e-12)
    norm = depth * schatten_power(matrix, Fraction(2, depth))
    assert np.isin(certain_order(f.parameter_norm_squared, norm), [0, UNKNOWN]).all()


def test_perfect_powers_have_rational_factors():
    f = from_matrix(rationals([[8, 0, 0], [0, fmpq(1, 27), 0]]), 3)
    assert f.weights[1].tolist() == [[2, 0], [0, fmpq(1, 3)]]
    assert f.is_balanced()
    assert f.parameter_norm_squared == 3 * (4 + fmpq(1, 9))
    assert f(rationals([1, 1, 1])).tolist() == [8, fmpq(1, 27)]


def test_factors_with_relu_are_the_matrix_on_its_positive_part():
    f = from_matrix(np.diag([2.0, 3.0]), 4, relu())
    np.testing.assert_allclose(f(np.array([1.0, 2.0])), [2, 6])
    assert f(np.array([-1.0, -2.0])).tolist() == [0, 0]


PIECES = st.tuples(SEEDS, st.integers(1, 7), st.integers(1, 3), st.sampled_from(["max", "min"]))
SLOPES = st.sampled_from(
    [relu(), leaky_relu(0.25), leaky_relu(-0.5), HomogeneousActivation(0, 2), HomogeneousActivation(-3, 0.5)]
)


@quick
@given(PIECES, SLOPES)
def test_pieces_exactly(drawn, activation):
    seed, count, inputs, kind = drawn
    rng = np.random.default_rng(seed)
    matrix, offsets, x = entries(rng, count, inputs), entries(rng, count), entries(rng, 6, inputs)
    values = x @ matrix.T + offsets
    expected = (values.max(axis=1) if kind == "max" else values.min(axis=1))[:, None]
    f = from_affine_pieces(matrix, offsets, kind, activation)
    assert f.depth == ceil(log2(count)) + 1
    np.testing.assert_allclose(f(x), expected, atol=1e-12)
    exact = from_affine_pieces(rationals(matrix), rationals(offsets), kind, activation.as_exact())
    assert np.all(exact(rationals(x)) == rationals(expected))


@quick
@given(PIECES)
def test_pieces_in_a_batch(drawn):
    seed, count, inputs, kind = drawn
    rng = np.random.default_rng(seed)
    matrix, offsets, x = entries(rng, 2, count, inputs), entries(rng, 2, count), entries(rng, 6, 2, inputs)
    f = from_affine_pieces(matrix, offsets, kind, leaky_relu(np.array([0.25, 0.5])))
    for k in range(2):
        one = from_affine_pieces(matrix[k], offsets[k], kind)
        np.testing.assert_allclose(f(x)[:, k], one(x[:, k]), atol=1e-12)


def test_relu_takes_the_maximum_of_two_with_three_neurons():
    f = from_affine_pieces(np.array([[1.0], [-1.0]]), np.zeros(2), "max")
    assert f.widths == (1, 3, 1)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: from_matrix(np.eye(2), 0), "depth must be at least 1, got 0: a network has an output layer"),
        (lambda: from_matrix(np.full((1, 1), np.nan), 2), "finite"),
        (lambda: from_affine_pieces(np.eye(2), np.zeros(2), "mean"), "kind must be 'max' or 'min', got 'mean'"),
        (lambda: from_affine_pieces(np.zeros((0, 2)), np.zeros(0), "max"), r"with k >= 1, got \(0, 2\) and \(0,\)"),
        (lambda: from_affine_pieces(np.eye(2), np.zeros(3), "max"), r"with k >= 1, got \(2, 2\) and \(3,\)"),
        (
            lambda: from_affine_pieces(np.eye(2), np.zeros(2), "max", absolute_value()),
            "the slopes must differ in absolute value, got 1 and -1",
        ),
    ],
)
def test_arguments_are_validated(build, message):
    with pytest.raises(ValueError, match=message):
        build()
