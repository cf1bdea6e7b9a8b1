"""What the figure of the plateau measures."""

import numpy as np
import pytest

from theorems.feature_learning.experiments import fig_2
from verify.experiments import Table

LOSSES = {
    # width: the trials of two seeds
    1: ([9.0, 5.0], [2.0, 3.0]),
    2: ([4.0, 6.0], [1.5, 1.0]),
    3: ([1.03, 4.0], [1.2, 1.004]),
    4: ([1.0, 1.01], [1.0, 1.0]),
}
KNOWN = {"task": "digits", "ridge": 0.001, "reference": 2, "points": 8}
TABLE = Table(
    [
        {**KNOWN, "width": width, "seed": seed, "trial": trial, "loss": loss}
        for width, seeds in LOSSES.items()
        for seed, trials in enumerate(seeds)
        for trial, loss in enumerate(trials)
    ]
)
CASE = "digits, ridge 0.001"


def test_the_best_trial_of_a_seed_counts():
    assert fig_2.losses(fig_2.curves(TABLE)[CASE]) == pytest.approx(np.array([[5, 2], [4, 1], [1.03, 1.004], [1, 1]]))


def test_the_plateau_begins_where_a_hundredth_of_the_fall_is_left():
    assert list(fig_2.beginnings(fig_2.curves(TABLE)[CASE])) == [3, 2]
    assert list(fig_2.over_reference(TABLE)[CASE]) == [1.5, 1]
    assert list(fig_2.over_points(TABLE)[CASE]) == [3 / 8, 2 / 8]
    assert fig_2.over_bound(TABLE)[CASE] == pytest.approx([3 / 36, 2 / 36])


def test_rises_and_spreads():
    assert fig_2.rises(TABLE)[f"{CASE}, from 2 to 3"] == pytest.approx([-2.97, 0.004])
    assert fig_2.spread_of_the_last(TABLE)[CASE] == pytest.approx([3, 0.004])
    assert fig_2.spread_of_the_first(TABLE)[CASE] == pytest.approx([3.97, 1])


def test_the_teacher_is_a_network_of_its_width():
    recipe = fig_2.EXPERIMENT.recipes["smoke"]
    x, y, other, values = fig_2.teacher(np.random.default_rng(0), recipe)
    assert x.shape == y.shape == other.shape == values.shape == (recipe.points, recipe.dimension)
    assert (y**2).sum(axis=1).mean() == pytest.approx(1)
    assert np.linalg.matrix_rank(values) == min(recipe.teacher, recipe.dimension)
    assert np.linalg.lstsq(other, values)[1].sum() > 0.1 * (values**2).sum()  # no linear map
