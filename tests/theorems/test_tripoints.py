"""Points where three classes meet, counted in rationals."""

import numpy as np
import pytest

from theorems.notion_of_rank.no_tripoints.statement import tripod
from theorems.shared.tripoints import tripoints
from verify.networks import FullyConnected
from verify.networks.training import he_network
from verify.numbers.arithmetic import rationals
from verify.piecewise import Polytope

SQUARE = Polytope.box([-1, -1], [1, 1])


def test_the_tripod_has_one_at_the_origin():
    assert (tripoints(tripod(), SQUARE) == rationals([[0, 0]])).all()


def test_a_point_of_four_classes_counts_once():
    # the four quadrants: x + y, x - y, -x + y, -x - y
    scores = FullyConnected([rationals([[1, 1], [1, -1], [-1, 1], [-1, -1]])], [rationals([0, 0, 0, 0])])
    assert (tripoints(scores, SQUARE) == rationals([[0, 0]])).all()


def test_classes_in_strips_have_none_and_those_of_a_corner_have_one():
    strips = FullyConnected([rationals([[-1, 0], [0, 0], [1, 0]])], [rationals([0, "1/4", 0])])
    assert len(tripoints(strips, SQUARE)) == 0
    # where the second score is below the others near x = 0, the first and the third meet
    corner = FullyConnected([rationals([[-1, 0], [0, 1], [1, 0]])])
    assert (tripoints(corner, SQUARE) == rationals([[0, 0]])).all()


def test_a_tie_on_a_whole_region_is_no_class():
    # outside of one strip two of the scores agree
    scores = FullyConnected([rationals([[1, 0], [0, 1]]), rationals([[1, 0], [1, 0], [0, 1]])])
    assert len(tripoints(scores, SQUARE)) == 0


@pytest.mark.parametrize("seed", range(3))
def test_float_networks_are_taken_as_they_are_and_a_grid_sees_the_same(seed):
    network = he_network(np.random.default_rng(seed), (2, 12, 12, 4), dtype=np.float32)
    network = network.with_parameters([array + np.float32(0.1) for array in network.parameters])
    found = tripoints(network, SQUARE).astype(np.float64)
    scores = np.sort(network.as_exact().as_float()(found), axis=-1)
    assert np.allclose(scores[:, -1], scores[:, -3], atol=1e-9)
    ticks = np.linspace(-1, 1, 801)
    labels = network.as_exact().as_float()(np.stack(np.meshgrid(ticks, ticks, indexing="ij"), axis=-1)).argmax(axis=-1)
    corners = np.stack([labels[:-1, :-1], labels[1:, :-1], labels[:-1, 1:], labels[1:, 1:]])
    three = sum((corners == c).any(axis=0).astype(int) for c in range(4)) >= 3
    places = ticks[np.argwhere(three)]
    # each point has such a square of the grid beside it, and each square such a point
    for one in found:
        assert np.abs(places - one).max(axis=1).min() < 0.01
    for place in places:
        assert np.abs(found - place).max(axis=1).min() < 0.01


def test_another_network_is_refused():
    with pytest.raises(ValueError, match=r"three outputs or more, got the widths \(2, 2\)"):
        tripoints(FullyConnected([rationals([[1, 0], [0, 1]])]), SQUARE)
