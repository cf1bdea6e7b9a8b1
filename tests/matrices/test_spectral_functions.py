from __future__ import annotations

import importlib.util
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import scipy.linalg
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from verify.matrices import (
    determinant,
    frobenius_norm_squared,
    geometric_mean,
    gram_power,
    inverse,
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
from verify.numbers.arithmetic import (
    UNKNOWN,
    UndecidedInstances,
    ball,
    certain_order,
    compare,
    floats,
    precision,
    rationals,
    sqrt,
)

BACKENDS = [np]
if importlib.util.find_spec("cupy"):
    import cupy

    if cupy.cuda.is_available():
        BACKENDS.append(cupy)

ANY_SHAPE = {
    "singular_values": singular_values,
    "rank": rank,
    "schatten_power 2/50": lambda matrix: schatten_power(matrix, Fraction(2, 50)),
    "schatten_power 1": lambda matrix: schatten_power(matrix, 1),
    "schatten_power 2": lambda matrix: schatten_power(matrix, 2),
    "pseudo_determinant": pseudo_determinant,
    "log_pseudo_determinant": log_pseudo_determinant,
    "nuclear_norm": nuclear_norm,
    "operator_norm": operator_norm,
    "frobenius_norm_squared": frobenius_norm_squared,
    "stable_rank": stable_rank,
    "pseudo_inverse": pseudo_inverse,
    "polar_factor": polar_factor,
    "gram_power 1/3": lambda matrix: gram_power(matrix, Fraction(1, 3)),
    "gram_power -1": lambda matrix: gram_power(matrix, -1),
}
OF_GRAM = {
    "log_plus": log_plus,
    "psd_power 1/3": lambda matrix: psd_power(matrix, Fraction(1, 3)),
    "psd_power 2": lambda matrix: psd_power(matrix, 2),
    "psd_power 0": lambda matrix: psd_power(matrix, 0),
    "psd_power -1": lambda matrix: psd_power(matrix, -1),
    "psd_power -1/2": lambda matrix: psd_power(matrix, Fraction(-1, 2)),
}


def dyadic(rng, batch, rows, columns):
    return rng.integers(-16, 17, size=(*batch, rows, columns)) / 8


def full_rank(rng, batch):
    return dyadic(rng, batch, 3, 4)


def tall(rng, batch):
    return dyadic(rng, batch, 4, 2)


def rank_deficient(rng, batch):
    return dyadic(rng, batch, 4, 2) @ dyadic(rng, batch, 2, 3)


def repeated(rng, batch):
    return rng.integers(1, 9, size=(*batch, 1, 1)) / 4 * np.array([[0.0, 1, 0, 0], [1, 0, 0, 0], [0, 0, -1, 0]])


def row(rng, batch):
    return dyadic(rng, batch, 1, 3)


def zero(_, batch):
    return np.zeros((*batch, 2, 3))


KINDS = [full_rank, tall, rank_deficient, repeated, row, zero]
BATCHES = [(), (5,), (2, 3)]


def transpose(matrix):
    return matrix.swapaxes(-1, -2)


def on(backend, values):
    array = backend.asarray(values)
    if backend is np:
        array = array.copy()
        array.flags.writeable = False
    return array


def to_host(array):
    return array.get() if hasattr(array, "get") else array


def assert_close(found, expected, relative=1e-12):
    """Every result is within `relative` of the exact one, relative to the largest entry of that result."""
    found, expected = np.asarray(to_host(found)), floats(expected)
    assert found.shape == expected.shape
    scale = np.abs(expected).max() if expected.size else 0.0
    assert np.abs(found - expected).max() <= relative * scale


def assert_agree(left, right):
    """Exact values that are equal as far as their balls can tell, and balls that can tell a lot."""
    for a, b in np.broadcast(left, right):
        assert certain_order(a, b) in (0, UNKNOWN), (a, b)
        assert max(float(ball(a).rad()), float(ball(b).rad())) <= 2.0**-40 * (1 + abs(float(ball(b))))


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda backend: backend.__name__)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_floats_agree_with_rationals(backend, kind, batch):
    matrices = kind(np.random.default_rng(7), batch)
    for function in ANY_SHAPE.values():
        assert_close(function(on(backend, matrices)), function(rationals(matrices)))
    products = transpose(matrices) @ matrices
    for function in OF_GRAM.values():
        # dividing by the eigenvalues of a Gram matrix loses the square of the condition number
        assert_close(function(on(backend, products)), function(rationals(products)), relative=1e-11)


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda backend: backend.__name__)
@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_determinants_of_floats_agree_with_those_of_rationals(backend, batch):
    matrices = dyadic(np.random.default_rng(5), batch, 3, 3)
    assert_close(determinant(on(backend, matrices)), determinant(rationals(matrices)))


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda backend: backend.__name__)
@pytest.mark.parametrize("batch", BATCHES, ids=str)
@pytest.mark.parametrize("weight", [0, Fraction(1, 3), Fraction(1, 2), 1, -1], ids=str)
def test_geometric_means_of_floats_agree_with_those_of_rationals(backend, batch, weight):
    rng = np.random.default_rng(3)
    first, second = (transpose(factor) @ factor + np.eye(3) for factor in (dyadic(rng, batch, 3, 3), dyadic(rng, batch, 3, 3)))
    found = geometric_mean(on(backend, first), on(backend, second), weight=weight)
    assert_close(found, geometric_mean(rationals(first), rationals(second), weight=weight))


@pytest.mark.parametrize("exact", [False, True], ids=["floats", "rationals"])
def test_batches_give_what_their_matrices_give(exact):
    matrices = rank_deficient(np.random.default_rng(1), (2, 3))
    matrices = rationals(matrices) if exact else matrices
    for function in ANY_SHAPE.values():
        together = function(matrices)
        for index in np.ndindex(2, 3):
            assert_close(floats(together[index]), function(matrices[index]))


@pytest.mark.parametrize("exact", [False, True], ids=["floats", "rationals"])
def test_an_empty_batch_gives_an_empty_result(exact):
    matrices = np.empty((0, 2, 2), dtype=object if exact else float)
    for function in (ANY_SHAPE | OF_GRAM).values():
        assert function(matrices).shape[0] == 0
    assert determinant(matrices).shape == (0,)
    assert geometric_mean(matrices, matrices).shape == (0, 2, 2)


def test_float32_stays_float32():
    matrix = np.array([[2, 1], [1, 1]], dtype=np.float32)
    for name, function in (ANY_SHAPE | OF_GRAM).items():
        assert function(matrix).dtype == (np.int64 if name == "rank" else np.float32), name
    assert determinant(matrix).dtype == geometric_mean(matrix, matrix).dtype == np.float32


def test_integers_are_floats():
    assert nuclear_norm(np.array([[3, 0], [0, -4]])) == 7
    assert singular_values([[3, 0], [0, -4]]).tolist() == [4, 3]


def test_zero_matrices():
    for matrix in (np.zeros((2, 3)), rationals(np.zeros((2, 3)))):
        assert rank(matrix) == 0
        assert pseudo_determinant(matrix) == 1
        for function in (log_pseudo_determinant, nuclear_norm, operator_norm, stable_rank, frobenius_norm_squared):
            assert function(matrix) == 0
        assert schatten_power(matrix, Fraction(2, 50)) == 0
        assert (pseudo_inverse(matrix) == np.zeros((3, 2), dtype=int)).all()
        assert (polar_factor(matrix) == np.zeros((2, 3), dtype=int)).all()
        assert (log_plus(matrix[:, :2]) == np.zeros((2, 2), dtype=int)).all()
        assert (psd_power(matrix[:, :2], 0) == np.zeros((2, 2), dtype=int)).all()


def test_results_beyond_the_largest_float_are_infinite():
    matrix = np.diag([1e200, 1e200])
    assert pseudo_determinant(matrix) == np.inf
    assert frobenius_norm_squared(matrix) == np.inf
    assert schatten_power(matrix, 2) == np.inf
    assert determinant(matrix) == np.inf
    assert stable_rank(matrix) == 2
    assert log_pseudo_determinant(matrix) == pytest.approx(400 * np.log(10))
    assert not np.isfinite(pseudo_inverse(np.diag([5e-324, 5e-324]))).any()
    assert stable_rank(np.diag([5e-324, 0])) == 1


# exact results


def test_singular_values_of_a_shear_are_the_golden_ratio_and_its_inverse():
    golden = (1 + ball(5).sqrt()) / 2
    assert_agree(singular_values(rationals([[1, 1], [0, 1]])), [golden, 1 / golden])


def test_rational_singular_values_are_rationals_with_multiplicity():
    matrix = rationals([["0", "3/2", "0"], ["3/2", "0", "0"], ["0", "0", "0"], ["0", "0", "-2"]])
    assert singular_values(matrix).tolist() == [fmpq(2), fmpq(3, 2), fmpq(3, 2)]
    assert singular_values(rationals([[3, 4]])).tolist() == [fmpq(5)]
    assert stable_rank(matrix) == fmpq(17, 8)


def test_even_schatten_powers_are_rational_although_the_singular_values_are_not():
    matrix = rationals([[1, 1], [0, 1]])
    assert schatten_power(matrix, 2) == frobenius_norm_squared(matrix) == 3
    assert schatten_power(matrix, 4) == 7


def test_the_frobenius_norm_takes_balls():
    root = ball(2).sqrt()
    assert_agree(frobenius_norm_squared(np.array([[root, fmpq(1)]], dtype=object)), 3)


def test_exact_functions_at_rational_eigenvalues():
    shear, scaling = rationals([[1, 1], [0, 1]]), rationals([[4, 0], [0, 1]])
    first, last = shear.T @ shear, (scaling @ shear).T @ (scaling @ shear)
    assert geometric_mean(first, last).tolist() == [[4, 4], [4, 5]]
    assert psd_power(last, 2).tolist() == (last @ last).tolist()
    assert psd_power(rationals([[5, 4], [4, 5]]), Fraction(1, 2)).tolist() == [[2, 1], [1, 2]]
    assert polar_factor(rationals([[0, 2], [-3, 0], [0, 0]])).tolist() == [[0, 1], [-1, 0], [0, 0]]
    assert log_plus(rationals([["1/2", "1/2"], ["1/2", "1/2"]])).tolist() == [[0, 0], [0, 0]]


def test_powers_of_a_gram_matrix_keep_singular_values_whose_squares_are_lost_in_rounding():
    factor = rationals([[1, 0], [1, 2**-27]])
    here, exact = gram_power(factor.astype(float), Fraction(1, 6)), gram_power(factor, Fraction(1, 6))
    assert_close(here, exact, relative=1e-6)
    assert psd_power((factor.T @ factor).astype(float), Fraction(1, 6))[1, 1] < 1e-3 < here[1, 1]
    assert gram_power(rationals([[0, 2], [0, 0], [0, 0]]), Fraction(-1, 2)).tolist() == [[0, 0], [0, fmpq(1, 2)]]


def test_the_float_path_agrees_with_scipy():
    rng = np.random.default_rng(11)
    factor = rng.normal(size=(4, 4))
    definite = factor @ factor.T + np.eye(4)
    assert_close(polar_factor(factor), scipy.linalg.polar(factor)[0])
    assert_close(log_plus(definite), scipy.linalg.logm(definite))
    assert_close(psd_power(definite, Fraction(2, 5)), scipy.linalg.fractional_matrix_power(definite, 0.4))
    assert_close(pseudo_inverse(factor), scipy.linalg.inv(factor))


# precision


FIBONACCI = [0, 1]
while len(FIBONACCI) < 103:
    FIBONACCI.append(FIBONACCI[-1] + FIBONACCI[-2])


@pytest.mark.parametrize("n", [100, 101])
def test_irrational_and_rational_singular_values_that_are_closer_than_the_working_precision(n):
    """The convergents of the golden ratio lie on alternating sides of it, here at a distance of 1e-42."""
    convergent = Fraction(FIBONACCI[n + 1], FIBONACCI[n])
    matrix = rationals(np.array([[1, 1, 0], [1, 0, 0], [0, 0, convergent]], dtype=object))
    golden = (1 + ball(5).sqrt()) / 2
    values = singular_values(matrix)
    rational_one, irrational_one = (0, 1) if n % 2 == 0 else (1, 0)
    assert values[rational_one] == fmpq(convergent.numerator, convergent.denominator)
    assert values[irrational_one].overlaps(golden)
    assert rank(matrix) == 3
    gram = matrix.T @ matrix
    for bits in (53, 200):
        with precision(bits):
            images = log_plus(gram), psd_power(gram, Fraction(1, 3)), polar_factor(matrix)
            for image in images:
                assert max(float(ball(entry).rad()) for entry in image.flat) <= 2.0 ** (2 - bits)
    fifth = 1 / ball(5).sqrt()
    assert_agree(images[2], [[fifth, 2 * fifth, 0], [2 * fifth, -fifth, 0], [0, 0, 1]])


@pytest.mark.parametrize("name", ["singular_values", "schatten_power 2/50", "pseudo_determinant", "polar_factor", "log_plus"])
def test_balls_tighten_with_the_precision(name):
    matrix = rationals([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    matrix = matrix @ matrix.T if name == "log_plus" else matrix
    radii = []
    for bits in (64, 256):
        with precision(bits):
            image = (ANY_SHAPE | OF_GRAM)[name](matrix)
            radii.append(max(float(ball(entry).rad()) for entry in image.flat))
            assert radii[-1] <= 2.0 ** (8 - bits)
    assert radii[1] <= radii[0] * 2.0**-180


# properties on small integers


def integers(*shape):
    return arrays(np.int64, shape, elements=st.integers(-3, 3))


MATRICES = st.one_of(integers(2, 2), integers(2, 3), integers(3, 2), integers(3, 3), integers(1, 3))
cheap = settings(max_examples=40, deadline=None)


@cheap
@given(MATRICES)
def test_moore_penrose_identities_hold_exactly(entries):
    matrix = rationals(entries)
    inverse = pseudo_inverse(matrix)
    assert (matrix @ inverse @ matrix == matrix).all()
    assert (inverse @ matrix @ inverse == inverse).all()
    for projection in (matrix @ inverse, inverse @ matrix):
        assert (projection == projection.T).all()


@cheap
@given(MATRICES)
def test_the_polar_factor_is_a_partial_isometry_with_the_ranges_of_the_matrix(entries):
    matrix = rationals(entries)
    factor = polar_factor(matrix)
    assert_agree(factor.T @ factor, pseudo_inverse(matrix) @ matrix)
    assert_agree(factor @ factor.T, matrix @ pseudo_inverse(matrix))
    assert_agree(factor @ psd_power(matrix.T @ matrix, Fraction(1, 2)), matrix)


@cheap
@given(MATRICES)
def test_quantities_that_are_functions_of_each_other(entries):
    matrix = rationals(entries)
    values, number = singular_values(matrix), int(rank(matrix))
    assert [compare(value, 0) for value in values] == [1] * number + [0] * (len(values) - number)
    assert all(certain_order(larger, smaller) in (0, 1, UNKNOWN) for larger, smaller in pairwise(values))
    assert_agree((values**2).sum(), frobenius_norm_squared(matrix))
    assert_agree(np.prod(values[:number]), pseudo_determinant(matrix))
    assert_agree(log_pseudo_determinant(matrix), ball(pseudo_determinant(matrix).item()).log())
    assert_agree(nuclear_norm(matrix), schatten_power(matrix, 1))
    assert_agree(stable_rank(matrix) * operator_norm(matrix) ** 2, frobenius_norm_squared(matrix))
    assert_agree(np.trace(log_plus(matrix.T @ matrix)), 2 * log_pseudo_determinant(matrix))
    if matrix.shape[0] == matrix.shape[1] == number:
        assert pseudo_determinant(matrix) == abs(determinant(matrix).item())


@cheap
@given(MATRICES, st.integers(-3, 3))
def test_invariances(entries, multiple):
    matrix = rationals(entries)
    signs_and_order = rationals(np.eye(len(entries), dtype=int)[::-1] * [[(-1) ** k] for k in range(len(entries))])
    for name in ("rank", "schatten_power 2/50", "pseudo_determinant", "nuclear_norm", "operator_norm"):
        assert_agree(ANY_SHAPE[name](matrix.T), ANY_SHAPE[name](matrix))
        assert_agree(ANY_SHAPE[name](signs_and_order @ matrix), ANY_SHAPE[name](matrix))
    assert_agree(nuclear_norm(multiple * matrix), abs(multiple) * nuclear_norm(matrix))
    assert_agree(polar_factor(signs_and_order @ matrix), signs_and_order @ polar_factor(matrix))


@cheap
@given(integers(3, 2), integers(2, 3))
def test_pseudo_determinants_multiply_when_the_range_of_one_is_the_complement_of_the_kernel_of_the_other(left, right):
    """Image of the right factor and complement of the kernel of the left one are both R^2."""
    left, right = rationals(left), rationals(right)
    if rank(left) == rank(right) == 2:
        assert_agree(pseudo_determinant(left @ right), pseudo_determinant(left) * pseudo_determinant(right))


@cheap
@given(MATRICES, st.fractions(-2, 2, max_denominator=5), st.fractions(-2, 2, max_denominator=5))
def test_powers_of_a_semidefinite_matrix_add_up(entries, first, second):
    gram = rationals(entries.T @ entries)
    # the product of two powers loses as many digits as their sizes differ by
    with precision(160):
        assert_agree(psd_power(gram, first) @ psd_power(gram, second), psd_power(gram, first + second))


@cheap
@given(integers(3, 3), integers(3, 3), st.fractions(0, 1, max_denominator=4))
def test_geometric_means(left, right, weight):
    first, second = (rationals(factor.T @ factor + np.eye(3, dtype=int)) for factor in (left, right))
    with precision(160):
        mean = geometric_mean(first, second, weight=weight)
        assert_agree(mean, mean.T)
        assert_agree(mean, geometric_mean(second, first, weight=1 - weight))
        assert_agree(geometric_mean(first, first @ first, weight=weight), psd_power(first, 1 + weight))
        if weight == Fraction(1, 2):
            assert_agree(mean @ pseudo_inverse(first) @ mean, second)


def rounding_of_solving(matrix, largest):
    """A bound for the error in floats of a solution with this largest entry: 8 n ulps, times the condition."""
    return 8 * len(matrix) * np.linalg.cond(matrix) * np.finfo(float).eps * largest


@cheap
@given(integers(3, 3))
def test_inverses(entries):
    gram = entries.T @ entries + np.eye(3, dtype=int)
    exact = inverse(rationals(gram))
    assert (exact @ rationals(gram) == rationals(np.eye(3))).all()
    wanted = floats(exact)
    error = rounding_of_solving(gram, np.abs(wanted).max())
    np.testing.assert_allclose(inverse(gram.astype(float)), wanted, rtol=0, atol=error)


def test_singular_matrices_of_a_batch_have_no_inverse():
    batch = np.array([np.eye(2), np.ones((2, 2))])
    for matrices in (batch, rationals(batch)):
        with pytest.raises(UndecidedInstances, match="1 of 2 matrices are singular") as caught:
            inverse(matrices)
        assert caught.value.where.tolist() == [False, True]
        with pytest.raises(UndecidedInstances, match="1 of 2 matrices are singular") as caught:
            solve(matrices, matrices)
        assert caught.value.where.tolist() == [False, True]


@cheap
@given(integers(3, 3), integers(3, 2))
def test_solutions(entries, right):
    gram = entries.T @ entries + np.eye(3, dtype=int)
    exact = solve(rationals(gram), rationals(right))
    assert (rationals(gram) @ exact == rationals(right)).all()
    batch = np.stack([right, 2 * right]).astype(float)
    wanted = np.stack([floats(exact), 2 * floats(exact)])
    error = rounding_of_solving(gram, np.abs(wanted).max())
    np.testing.assert_allclose(solve(gram.astype(float), batch), wanted, rtol=0, atol=error)


@pytest.mark.parametrize(
    ("matrix", "radius"),
    [
        ([[0, -4], [1, 0]], 2),
        ([[0, 0, 1], [1, 0, 0], [0, 1, 0]], 1),
        ([[1, 5], [0, -3]], 3),
        ([["1/2", 1], [0, "1/2"]], Fraction(1, 2)),
        ([[0, 1], [0, 0]], 0),
        ([[3, -4], [4, 3]], 5),
    ],
)
def test_a_spectral_radius_is_exact_where_it_is_rational(matrix, radius):
    exactly = spectral_radius(rationals(matrix)).item()
    assert not isinstance(exactly, arb)
    assert exactly == fmpq(radius.numerator, radius.denominator)


def test_a_spectral_radius_encloses_that_of_floats():
    rng = np.random.default_rng(3)
    for size in range(1, 6):
        matrix = rng.integers(-4, 5, size=(4, size, size))
        exactly = spectral_radius(rationals(matrix))
        # Elsner: eigenvalues move by at most (|A| + |B|)^(1 - 1/n) |A - B|^(1/n); LAPACK's are of a matrix n eps |A| away
        norms = np.linalg.norm(matrix, axis=(1, 2))
        moved = (2.01 * norms) ** (1 - 1 / size) * (16 * size * np.finfo(float).eps * norms) ** (1 / size)
        assert (np.abs(floats(exactly) - spectral_radius(matrix.astype(float))) <= moved).all()
        powers = np.linalg.norm(np.linalg.matrix_power(matrix.astype(float), 64), axis=(1, 2)) ** (1 / 64)
        assert (floats(exactly) <= powers * (1 + 1e-9)).all()  # Gelfand
        apart = np.abs(matrix) + np.diag(20 * np.arange(size))
        with precision(20):
            wide = spectral_radius(sqrt(rationals(apart * apart)) * (1 + 0 * ball(2).sqrt()))
        for ours, plain in zip(wide, spectral_radius(rationals(apart)), strict=True):
            assert arb(ours).overlaps(arb(plain))


def test_a_spectral_radius_of_balls_may_be_that_of_a_complex_pair():
    # eigenvalues of modulus 5^(1/2), with the real part 2^(1/2), and the eigenvalue 2
    turned = sqrt(rationals([[2, 3, 0], [3, 2, 0], [0, 0, 4]])) * rationals([[1, -1, 1], [1, 1, 1], [1, 1, 1]])
    found = spectral_radius(turned).item()
    assert arb(found).overlaps(arb(5).sqrt())
    assert float(arb(found).rad()) < 1e-12


def test_a_spectral_radius_of_balls_that_are_not_enclosed_is_undecided():
    nilpotent = rationals([[0, 1], [0, 0]]) * (1 + 0 * ball(2).sqrt())
    with pytest.raises(UndecidedInstances, match="eigenvalues of a matrix of balls are not enclosed"):
        spectral_radius(nilpotent)
