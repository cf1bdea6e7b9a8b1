"""What the figure of attraction and repulsion measures."""

import numpy as np
import pytest

from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.forces import Layer
from theorems.feature_learning.experiments.fig_1 import Forces, angles, forces, measured, rays, within_classes
from verify.networks import FullyConnected


def test_the_forces_are_those_of_the_claims_where_no_covariance_is_singular():
    draw = np.random.default_rng(0).standard_normal
    weights, biases = [draw((6, 5)), draw((7, 6)), draw((3, 7))], [draw(6), draw(7), draw(3)]
    x = draw((4, 5))
    below, relu = np.vstack([x.T, np.ones(4)]), homogeneous(np.array([1.0, 0.0]))
    found = forces(FullyConnected(weights, biases), x, 1e-12)
    assert len(found) == 2
    for k, force in enumerate(found):
        values = np.hstack([weights[k], biases[k][:, None]]) @ below
        below_next = np.vstack([np.maximum(values, 0), np.ones(4)])
        after = np.hstack([weights[k + 1], biases[k + 1][:, None]]) @ below_next
        layer = Layer(below, values, after, relu, np.array(1.0))
        assert force.values == pytest.approx(values)
        assert force.attraction == pytest.approx(layer.attraction(), rel=1e-6, abs=1e-6)
        assert force.repulsion == pytest.approx(layer.repulsion(), rel=1e-6, abs=1e-6)
        assert np.abs(layer.repulsion()).max() > 0.1
        below = below_next


def test_rays_are_those_of_directions():
    rows = np.array([[1.0, 0, 0], [5, 0, 0], [3, 0.1, 0], [0, 2, 0], [0, 0, 1], [-1, 0, 0]])
    assert rays(rows) == 4
    assert angles(rows) == pytest.approx([0, 0, np.degrees(np.arctan(0.1 / 3)), 90 - np.degrees(np.arctan(0.1 / 3)), 90, 90])


def test_dead_neurons_are_left_out_and_net_forces_are_relative():
    values = np.array([[3.0, 4, 0, 0], [6, 8, 0, 0], [0.01, 0, 0, 0]])
    attraction = 2 * values
    repulsion = -1.5 * values + np.array([[4.0, -3, 0, 0], [0, 0, 0, 0], [7, 7, 7, 7]])
    found = measured(Forces(values, attraction, repulsion), np.array([0, 0, 1, 1]))
    assert (found["live"], found["rays"]) == (2, 1)
    assert found["net_along"] == pytest.approx(0.25)
    assert found["net_whole"] == pytest.approx((np.hypot(2.5, 5) / 10 + 0.25) / 2)


@pytest.mark.parametrize(("spread", "share"), [(0, 0), (1, 1 / 10), (3, 9 / 18)])
def test_variance_within_classes(spread, share):
    columns = np.array([[-3.0 - spread, -3 + spread, 3 - spread, 3 + spread]])
    assert within_classes(columns, np.array([0, 0, 1, 1])) == pytest.approx(share)
