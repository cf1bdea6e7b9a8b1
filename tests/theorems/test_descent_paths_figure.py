"""What the figure of paths of gradient descent measures."""

import numpy as np
import pytest

from theorems.bottleneck_structure.experiments.fig_2 import EXPERIMENT, crossing_pairs, starts, task_of


def line(*points):
    return np.array(points, dtype=float)


def test_pairs_of_paths_that_cross_are_counted():
    level, rising, above = line((0, 0), (1, 0), (2, 0)), line((0, -1), (1, 0.5), (2, 2)), line((0, 3), (1, 3), (2, 3))
    assert crossing_pairs(np.stack([level, rising, above])) == pytest.approx(1 / 3)
    assert crossing_pairs(np.stack([level, above])) == 0


@pytest.mark.parametrize(("least", "found"), [(40, 1), (50, 0)])
def test_only_crossings_at_a_large_angle_are_counted_when_asked_to(least, found):
    both = np.stack([line((-1, 0), (1, 0)), line((-1, -1), (1, 1))])
    assert crossing_pairs(both, least_angle=least) == found
    # at 135 degrees
    assert crossing_pairs(np.stack([both[0], both[1][::-1]]), least_angle=least) == 1


def test_statistics_do_not_change_under_the_rotations_and_paths_without_noise_hardly_cross_in_them():
    recipe = EXPERIMENT.recipes["smoke"]
    generator = np.random.default_rng(0)
    task = task_of(recipe, generator)
    v = starts(recipe, 40, generator)
    statistics = task.statistics(v)
    np.testing.assert_allclose(task.statistics(task.rotated(v, generator)), statistics, atol=1e-12)
    np.testing.assert_allclose(statistics.sum(axis=-1), (v**2).sum(axis=-1))
    quiet = type(task)(task.w, 0 * task.noise)
    shares = []
    for one in (task, quiet):
        path = np.stack(list(one.descent(v, recipe.times * recipe.gap, recipe.rate)), axis=1)
        shares.append(crossing_pairs(one.statistics(path)))
    assert shares[1] < 0.002 < shares[0]
