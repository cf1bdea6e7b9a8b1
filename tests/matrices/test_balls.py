"""Matrices of balls: determinants, solutions, spectra and exponentials enclose the numbers that more precision gives."""

import numpy as np
import pytest
from flint import arb

from verify import Domain, Q, attack, families
from verify.matrices import determinant, eigenvalues, exponential, inverse, nuclear_norm, singular_values, solve
from verify.numbers.arithmetic import ball, precision, rationals
from verify.numbers.exactness import UndecidedInstances
from verify.words import determinant as det_of
from verify.words import eigenvalues as spectrum_of
from verify.words import expm, eye, ge, le, least, operator_norm, trace

ENTRIES = np.array([[[2, 1], [1, 3]], [[5, 0], [0, 5]], [[1, 2], [2, 4]]])


def matrices(bits):
    """Roots of integers, as balls of so many bits."""
    with precision(bits):
        return np.vectorize(lambda entry: ball(int(entry)).sqrt(), otypes=[object])(ENTRIES)


FUNCTIONS = {
    "determinant": determinant,
    "eigenvalues": eigenvalues,
    "singular_values": singular_values,
    "nuclear_norm": nuclear_norm,
    "exponential": exponential,
    "inverse": lambda batch: inverse(batch[:2]),
    "solve": lambda batch: solve(batch[:2], np.ones((2, 1), dtype=int)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_more_bits_give_a_number_inside_the_balls_of_fewer(name):
    with precision(64):
        rough = np.ravel(FUNCTIONS[name](matrices(64)))
    with precision(512):
        fine = np.ravel(FUNCTIONS[name](matrices(512)))
    assert len(rough) == len(fine)
    for one, other in zip(rough, fine, strict=True):
        assert arb(one).contains(arb(other).mid())
        assert float(arb(one).rad()) < 1e-12
        assert float(arb(other).rad()) < 1e-140


@pytest.mark.parametrize("name", FUNCTIONS)
def test_they_agree_with_floats(name):
    floats = np.sqrt(ENTRIES.astype(float))
    with precision(128):
        found = np.ravel(FUNCTIONS[name](matrices(128)))
    wanted = np.ravel(FUNCTIONS[name](floats))
    assert np.allclose([float(arb(one).mid()) for one in found], wanted, atol=1e-12)


def test_a_singular_matrix_of_balls_is_not_decided():
    with pytest.raises(UndecidedInstances, match="invertible is not decided"):
        inverse(matrices(64)[2:])


def test_a_matrix_that_is_not_symmetric_is_refused():
    with pytest.raises(ValueError, match="must be symmetric"):
        eigenvalues(matrices(64) * rationals([[1, 2], [1, 1]]))


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        (lambda A: ge(det_of(expm(A) + eye(2)), 1), "survived"),
        (lambda A: ge(least(spectrum_of(expm(A))), 0), "survived"),
        (lambda A: le(operator_norm(expm(A)), 1 + trace(A)), "refuted"),
        (lambda A: ge(det_of(expm(A) + eye(2)), Q("1.001") * (1 + det_of(expm(A)))), "refuted"),
    ],
)
def test_statements_about_exponentials_are_decided(statement, outcome):
    result = attack(statement, Domain({"A": families.symmetric(2)}))
    assert result.outcome == outcome, str(result)
