"""The helpers of the experiment on the flight of a ball."""

import dataclasses

import numpy as np

from theorems.symmetry_learning.experiments.newtonian import (
    AXES,
    EXPERIMENT,
    affine_prediction,
    bumps,
    by_group,
    near_one,
    positions,
    sample,
    squared_error,
)
from verify.experiments import Table
from verify.networks.circular import CircularCNN

RECIPE = EXPERIMENT.recipes["smoke"]


def test_a_flight_is_a_parabola_that_two_frames_determine():
    places = positions(dataclasses.replace(RECIPE, frames=5), np.random.default_rng(0))
    fall = places[:, 2:] - 2 * places[:, 1:-1] + places[:, :-2]
    np.testing.assert_allclose(fall, np.broadcast_to([RECIPE.gravity, 0], fall.shape), atol=1e-12)


def test_frames_move_with_the_ball_and_have_norm_one():
    frames = bumps(RECIPE, np.array([[0.3, 1.7], [1.3, 3.7]]))
    np.testing.assert_allclose(np.roll(frames[0], (1, 2), (0, 1)), frames[1], atol=1e-12)
    np.testing.assert_allclose(frames.mean(axis=(-2, -1)), 0, atol=1e-12)
    np.testing.assert_allclose((frames**2).sum(axis=(-2, -1)), 1)
    assert np.unravel_index(frames[0].argmax(), frames[0].shape) == (0, 2)


def test_linear_maps_that_commute_with_shifts_are_recovered():
    generator = np.random.default_rng(1)
    network = CircularCNN([generator.standard_normal((3, 2, 4, 4))])
    x, new_x = (generator.standard_normal((20, 2, 4, 4)) for _ in range(2))
    np.testing.assert_allclose(affine_prediction(x, network(x), new_x), network(new_x), atol=1e-10)


def test_a_flight_is_no_affine_function_of_two_frames():
    recipe = dataclasses.replace(RECIPE, points=200, speed=3.0)
    (x, y), (new_x, new_y) = (sample(recipe, np.random.default_rng(seed)) for seed in range(2))
    assert squared_error(affine_prediction(x, y, new_x), new_y) > 0.3


def test_singular_values_are_grouped_by_frequency_with_one_of_each_pair():
    # the value at (a, b) says where it is from; -1 stands for side - 1
    side = 5
    names = np.array([[[10 * min(a, side - a) + min(b, side - b)] for b in range(side)] for a in range(side)])
    groups = by_group(names)
    assert {name: values.tolist() for name, values in groups.items() if name != "higher"} == {
        "zero": [0],
        AXES[0]: [10],
        AXES[1]: [1],
    }
    # 25 frequencies are one alone and 12 pairs, of which the axes have two
    assert groups["higher"].tolist() == sorted([20, 2, 11, 11, 12, 12, 21, 21, 22, 22], reverse=True)


def test_values_near_one_are_counted_for_each_seed():
    values = {0: [2.1, 1.9, 0.6, 0.4], 1: [0.5, 0.3, 0.2, 0.1]}
    rows = [{"seed": seed, "singular_value": value} for seed, found in values.items() for value in found]
    assert near_one(Table(rows)) == [2, 1]
