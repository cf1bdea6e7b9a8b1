"""Pairs of covariances: published cases, random pairs of every rank, certificates decided again, and ranks."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.cones.covariance_pairs import (
    contains,
    covariance_pair,
    is_dual,
    largest_rank,
    rank_of_pair,
    two_point_vectors,
)
from verify.networks import HomogeneousActivation, absolute_value, identity, leaky_relu, relu
from verify.numbers.arithmetic import floats, rationals
from verify.numbers.relation import Verdict

CASES = json.loads((Path(__file__).parents[1] / "data" / "cones" / "covariance_pairs.json").read_text())

SLOW = {
    # 10 s: an extreme matrix of order 9, with a unique factorisation
    "diag:jucprank:ex25_n9_zd2.0_r9_ucpr26#_14BSUmex2",
}

UNDECIDED: set[str] = set()
"""Published cases that are not decided."""

ACTIVATIONS = {
    "relu": relu(),
    "leaky": leaky_relu(Fraction(1, 10)),
    "absolute value": absolute_value(),
    "steep": leaky_relu(2),
    "identity": identity(),
    "negative side": HomogeneousActivation(0, 3),
}


@pytest.mark.parametrize("case", [case for case in CASES if case["id"] not in SLOW], ids=lambda case: case["id"])
def test_published_case(case):
    K, K_sigma = rationals(np.array(case["A"])), rationals(np.array(case["B"]))
    found = contains(K, K_sigma, relu())
    expected = Verdict.HOLDS if case["member"] else Verdict.FAILS
    assert found.verdict == (Verdict.UNDECIDED if case["id"] in UNDECIDED else expected), str(found)
    # certificates of non-members of order 6 and more take 3^N supports: decided once, when they were found
    if found.verdict == Verdict.HOLDS or len(K) <= 6:
        assert found.verify() == found.verdict
    if case["rank"] is not None and found.verdict == Verdict.HOLDS:
        rank = rank_of_pair(K, K_sigma, relu(), membership=found)
        assert rank.lower <= case["rank"] <= rank.upper


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("bias", [0, Fraction(1, 2)])
def test_sums_of_vectors_are_members(name, bias):
    activation = ACTIVATIONS[name]
    random = np.random.default_rng(len(name))
    for size in (1, 2, 3, 4):
        for count in (0, 1, 2, size, size + 1, 3 * size):
            vectors = rationals(random.integers(-3, 4, (count, size)))
            K, K_sigma = covariance_pair(vectors, activation, bias)
            found = contains(K, K_sigma, activation, bias=bias)
            assert found.verdict == Verdict.HOLDS == found.verify(), f"{size} {count} {found}"
            rank = rank_of_pair(K, K_sigma, activation, bias=bias, membership=found)
            assert rank.lower <= min(count, rank.upper) <= rank.upper <= largest_rank(size, activation)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_pairs_beyond_a_separating_form_are_outside(name):
    activation = ACTIVATIONS[name]
    random = np.random.default_rng(7)
    outside = 0
    for size in (2, 3, 4):
        for _ in range(3):
            vectors = rationals(random.integers(-3, 4, (3 * size, size)))
            K, K_sigma = covariance_pair(vectors, activation)
            change = random.integers(-30, 31, (size, size))
            found = contains(K, K_sigma + rationals(change + change.T), activation)
            assert found.verdict != Verdict.UNDECIDED
            assert found.verify() == found.verdict
            outside += found.verdict == Verdict.FAILS
            if found.verdict == Verdict.FAILS:
                assert found.weights is None
                assert found.product < 0
    assert outside >= 2


def test_random_interior_pair_of_eight_points():
    vectors = rationals(np.random.default_rng(0).integers(-5, 6, (150, 8)))
    found = contains(*covariance_pair(vectors, relu()), relu())
    assert found.verdict == Verdict.HOLDS == found.verify()
    assert len(found.weights) <= 72


def test_pair_of_floats_is_that_of_their_rationals():
    vectors = np.random.default_rng(1).standard_normal((40, 3))
    vectors.flags.writeable = False
    K, K_sigma = covariance_pair(vectors, relu(), 1.0)
    found = contains((K + K.T) / 2, (K_sigma + K_sigma.T) / 2, relu(), bias=1)
    assert found.verdict == Verdict.HOLDS == found.verify()


def test_equal_diagonals_make_complete_positivity():
    circle = rationals(np.array([[2, 1, 0, 1], [1, 2, 1, 0], [0, 1, 2, 1], [1, 0, 1, 2]]))
    rank = rank_of_pair(circle, circle, relu())
    assert (rank.lower, rank.upper, rank.is_exact) == (4, 4, True)
    # the other side: all coordinates negative
    zero = rationals(np.zeros((4, 4), dtype=int))
    mirrored = contains(circle, zero, relu())
    assert mirrored.verdict == Verdict.HOLDS == mirrored.verify()
    assert all(entry <= 0 for entry in mirrored.vectors.flat)


def test_dual_forms():
    two = np.eye(2)
    assert is_dual(two, 0 * two, relu())
    assert is_dual(two, -two, relu())  # z^2 >= relu(z)^2
    assert not is_dual(two, -1.01 * two, relu())
    assert is_dual(two, -two, leaky_relu(Fraction(-1, 2)))
    assert not is_dual(two, -two, leaky_relu(2))
    cross = np.array([[0, 1], [1, 0]])
    assert is_dual(0 * cross, cross, relu())
    assert not is_dual(0 * cross, cross, leaky_relu(Fraction(1, 9)))


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=0, max_size=5))
@settings(max_examples=150, deadline=None)
def test_two_points_need_at_most_three_vectors(rows):
    vectors = rationals(np.array(rows, dtype=np.int64).reshape(-1, 2))
    for activation in (relu(), HomogeneousActivation(0, 3)):
        K, K_sigma = covariance_pair(vectors, activation, 1)
        rank = rank_of_pair(K, K_sigma, activation, bias=1)
        assert rank.is_exact
        assert rank.lower <= min(3, len(rows))
        built = two_point_vectors(K, K_sigma, activation, bias=1)
        assert rank.lower <= len(built) <= 3
        for part, wanted in zip(covariance_pair(built, activation.as_float(), 1), (K, K_sigma), strict=True):
            np.testing.assert_allclose(part, floats(wanted), atol=1e-12 * (1 + float(np.abs(floats(wanted)).max())))


def test_formula_for_two_points_agrees_with_membership():
    random = np.random.default_rng(3)
    verdicts = set()
    for _ in range(60):
        K, K_sigma = (part + part.T for part in random.integers(-2, 5, (2, 2, 2)))
        K = K + np.diag(np.diag(K_sigma) * (np.diag(K_sigma) > 0))
        found = contains(K, K_sigma, relu())
        assert rank_of_pair(K, K_sigma, relu(), membership=found).member == found.verdict
        verdicts.add(found.verdict)
    assert verdicts == {Verdict.HOLDS, Verdict.FAILS}


@pytest.mark.parametrize(
    ("rows", "rank"),
    [
        ([[0, 0]], 0),
        ([[1, 2]], 1),
        ([[1, -2]], 1),
        ([[1, 2], [2, 4]], 1),
        ([[1, 2], [-1, -2]], 2),
        ([[1, 2], [2, -1], [-2, 1]], 3),
    ],
)
def test_rank_of_two_points(rows, rank):
    found = rank_of_pair(*covariance_pair(rationals(np.array(rows)), relu()), relu())
    assert (found.lower, found.upper) == (rank, rank)


@pytest.mark.parametrize(
    ("activation", "K", "K_sigma", "rank"),
    [
        (relu(), 2, 1, 2),
        (relu(), 2, 2, 1),
        (relu(), 2, 0, 1),
        (relu(), 0, 0, 0),
        (leaky_relu(Fraction(1, 10)), 2, "101/100", 2),
    ],
)
def test_rank_of_one_point(activation, K, K_sigma, rank):
    found = rank_of_pair(rationals(np.array([[K]])), rationals(np.array([[K_sigma]])), activation)
    assert (found.lower, found.upper) == (rank, rank)


def test_rank_of_a_pair_outside():
    found = rank_of_pair(np.array([[1.0]]), np.array([[2.0]]), relu())
    assert (found.upper, found.member) == (None, Verdict.FAILS)


def test_open_sets_of_rank_above_the_number_of_points():
    vectors = rationals(np.array([[-2, -1], [2, 1], [-3, 3]]))
    rank = rank_of_pair(*covariance_pair(vectors, relu()), relu())
    assert (rank.lower, rank.upper) == (3, 3)


def test_errors():
    good = np.eye(2)
    with pytest.raises(ValueError, match="K must be symmetric"):
        contains(np.array([[1.0, 2.0], [0.0, 1.0]]), good, relu())
    with pytest.raises(ValueError, match="K_sigma must be square, got 2 rows and 3 columns"):
        contains(good, np.ones((2, 3)), relu())
    with pytest.raises(ValueError, match="K and K_sigma must have the same size, got 2 and 3"):
        contains(good, np.eye(3), relu())
    with pytest.raises(ValueError, match="K must be finite"):
        contains(np.full((2, 2), np.nan), good, relu())
    with pytest.raises(ValueError, match="activation must be one activation, got a batch of shape \\(2,\\)"):
        contains(good, good, leaky_relu(np.array([0.1, 0.2])))
    with pytest.raises(ValueError, match="rounds must be at least 0, got -1"):
        contains(good, good, relu(), rounds=-1)
    with pytest.raises(TypeError, match="holds balls"):
        contains(np.full((1, 1), arb(1), dtype=object), good, relu())
    with pytest.raises(ValueError, match="S and T must have the same size"):
        is_dual(good, np.eye(3), relu())
    with pytest.raises(ValueError, match="vectors must have shape"):
        covariance_pair(np.ones(3), relu())
    with pytest.raises(ValueError, match="weights must be one for each of 2 vectors"):
        covariance_pair(good, relu(), 0, np.ones(3))
    with pytest.raises(ValueError, match="zero on exactly one side"):
        two_point_vectors(good, good, absolute_value())
    with pytest.raises(ValueError, match="must be a pair of the cone"):
        two_point_vectors(good, 2 * good, relu())


def test_certificate_of_nothing_is_undecided():
    found = contains(rationals(np.eye(2, dtype=int)), rationals(np.eye(2, dtype=int)), relu(), rounds=0)
    tampered = type(found)(
        Verdict.HOLDS,
        found.K,
        found.K_sigma,
        found.activation,
        found.bias,
        np.array([fmpq(1)], dtype=object),
        found.K[:1],
        None,
        "tampered",
    )
    assert tampered.verify() == Verdict.UNDECIDED


@pytest.mark.parametrize("slope", [Fraction(1, 10), Fraction(-1, 2), 0])
def test_signs_that_the_diagonal_fixes_give_the_cp_rank(slope):
    """The matrix of the complete bipartite graph on four vertices has rank 3 and CP-rank 4."""
    Y = np.array([[2, 0, 1, 1], [0, 2, 1, 1], [1, 1, 2, 0], [1, 1, 0, 2]])
    positive = rank_of_pair(rationals(Y), rationals(Y), leaky_relu(slope))
    assert positive.lower == 4
    negative = rank_of_pair(rationals(Y), rationals(Y) * rationals(slope) ** 2, leaky_relu(slope))
    assert negative.lower == 4
