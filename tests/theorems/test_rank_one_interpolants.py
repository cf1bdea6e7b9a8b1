import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theorems.notion_of_rank.constructions.rank_one import (
    best_scales,
    least_norm,
    rank_one_curve,
    rank_one_interpolant,
    separates,
    separating_direction,
)
from verify.matrices import rank
from verify.numbers.arithmetic import compare, rationals

POINTS = np.array([[0.0, 1.0], [1.0, 2.0], [-2.0, 1.0]])
LABELS = np.array([[1.0], [2.0], [0.5]])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 3), st.integers(2, 6), st.sampled_from([0, 0.5, -1, -3]))
def test_it_fits_and_its_jacobian_has_rank_one(seed, count, dimension, depth, slope):
    rng = np.random.default_rng(seed)
    points = np.asarray(rng.integers(-8, 9, size=(count, dimension)), dtype=float)
    labels = points @ rng.integers(-2, 3, size=(dimension, 2)) + np.sin(points[:, :1])
    network = rank_one_interpolant(points, labels, depth, slope=slope)
    np.testing.assert_allclose(network(points), labels, atol=1e-9 * (1 + np.abs(labels).max()) * 4 ** (2 * dimension))
    assert network.depth == depth
    assert np.all(rank(network.jacobian(rng.standard_normal((5, dimension)))) <= 1)


def test_exact_data_are_fitted_exactly():
    x, y = rationals([[0, 1], ["1/3", 0], [2, 5]]), rationals([["1/7", 2], [0, 0], [-1, "3/2"]])
    assert (compare(rank_one_interpolant(x, y, 4)(x), y) == 0).all()


def test_the_best_scales_give_the_least_norm():
    direction = separating_direction(POINTS)
    curve = rank_one_curve(POINTS[None], LABELS[None], direction[None])
    for depth in (2, 3, 6):
        network = rank_one_interpolant(POINTS, LABELS, depth, direction, best_scales(curve, depth)[0])
        np.testing.assert_allclose(network.parameter_norm_squared, least_norm(curve, depth)[0], rtol=1e-12)
        np.testing.assert_allclose(network(POINTS), LABELS, atol=1e-12)


def test_the_direction_separates_points_that_agree_in_many_coordinates():
    points = np.array([[0.0, 0.0, k] for k in range(4)] + [[0.0, k, -k] for k in range(1, 4)])
    assert separates(points, separating_direction(points))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"depth": 1}, "depth must be an integer, at least 2, got 1"),
        ({"depth": float("nan")}, "depth must be an integer"),
        ({"slope": 1}, "slope must not be 1"),
        ({"points": np.zeros((0, 2))}, "points must have at least one row"),
        ({"points": np.full((3, 2), np.nan)}, "points must be finite"),
        ({"points": POINTS[None]}, "points must have two axes"),
        ({"labels": LABELS[:2]}, "labels must be one for each of 3 points, got 2"),
        ({"labels": rationals([[1], [2], [3]])}, "both be floats or both be rationals"),
        ({"direction": np.array([0.0, 1.0])}, "direction must have 2 entries and separate the points"),
        ({"direction": np.array([np.nan, 1.0])}, "direction must be finite"),
        ({"direction": np.ones(3)}, "direction must have 2 entries"),
        ({"scales": np.array([1.0, 0.0])}, "scales must be 2 positive numbers"),
        ({"scales": np.array([1.0, np.nan])}, "scales must be finite"),
    ],
)
def test_what_it_does_not_accept(changed, message):
    arguments = {"points": POINTS, "labels": LABELS, "depth": 3, **changed}
    with pytest.raises((ValueError, TypeError), match=message):
        rank_one_interpolant(**arguments)
