import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import minimum_spanning_tree

from theorems.notion_of_rank.constructions.snake import SnakeInterpolant
from theorems.shared.paths import (
    grid_points,
    nearest_distances,
    path_length,
    shortest_path,
    spanning_tree,
    squared_distances,
)
from theorems.shared.segments import nodes_on_segment
from verify.networks import FullyConnected
from verify.numbers.arithmetic import compare, rationals

SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.integers(2, 30), st.integers(1, 3))
def test_spanning_trees_are_those_of_scipy(seed, count, dimension):
    points = np.random.default_rng(seed).standard_normal((count, dimension))
    theirs = minimum_spanning_tree(np.sqrt(squared_distances(points))).sum()
    np.testing.assert_allclose(spanning_tree(points), theirs, rtol=1e-12)


def test_a_batch_gives_what_its_members_give():
    points = np.random.default_rng(0).standard_normal((4, 3, 6, 2))
    for function in (shortest_path, spanning_tree, nearest_distances, path_length):
        batched = function(points)
        for index in np.ndindex(4, 3):
            np.testing.assert_allclose(batched[index], function(points[index]), rtol=1e-14)


def test_twelve_points_of_a_grid():
    points = grid_points(4, 2)[:12]
    assert compare(shortest_path(points[np.random.default_rng(1).permutation(12)]), rationals(11) / 3) == 0


def test_repeated_points_cost_nothing():
    points = rationals([[0, 0], [0, 0], [3, 4], [0, 0]])
    assert compare(shortest_path(points), 5) == 0
    assert compare(spanning_tree(points), 5) == 0
    assert compare(shortest_path(points[:1]), 0) == 0


def test_what_paths_do_not_accept():
    with pytest.raises(ValueError, match="points must be at most 12, got 13: spanning_tree"):
        shortest_path(np.zeros((13, 2)))
    with pytest.raises(ValueError, match="points must be at least 2, got 1"):
        nearest_distances(np.zeros((1, 2)))
    with pytest.raises(ValueError, match="points must be finite"):
        spanning_tree(np.array([[0.0], [np.inf]]))
    with pytest.raises(ValueError, match="points must have at least one row"):
        shortest_path(np.zeros((0, 2)))
    with pytest.raises(ValueError, match="side must be at least 2 and dimension at least 1, got 1 and 2"):
        grid_points(1, 2)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_between_its_nodes_a_network_is_affine(seed):
    rng = np.random.default_rng(seed)
    network = FullyConnected([rng.standard_normal(shape) for shape in ((4, 2), (3, 4), (2, 3))])
    start, end = rng.standard_normal((2, 2))
    places = nodes_on_segment(network, start, end)
    left, right = places[:-1, None], places[1:, None]
    inside = rng.uniform(size=left.shape)
    ends = [network(start + place * (end - start)) for place in (left, right)]
    middle = network(start + (left + inside * (right - left)) * (end - start))
    np.testing.assert_allclose(middle, ends[0] + inside * (ends[1] - ends[0]), atol=1e-10)


def test_the_snake_takes_points_of_the_square_only():
    snake = SnakeInterpolant(4)
    np.testing.assert_allclose(snake(np.array([[0.0, 1 / 3], [1 / 3, 1 / 3]])), [[0, 1 / 3], [1 / 3, 1 / 3]], atol=1e-15)
    with pytest.raises(ValueError, match="not between 0 and 1"):
        snake(np.array([1.5, 0.0]))
    with pytest.raises(ValueError, match="not between 0 and 1"):
        snake(np.array([np.nan, 0.0]))
    with pytest.raises(ValueError, match="points of the plane"):
        snake(np.zeros(3))
    with pytest.raises(ValueError, match="side must be an integer, at least 2, got 1"):
        SnakeInterpolant(1)
