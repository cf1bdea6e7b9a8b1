"""The table of depth windows as documented, and what its functions refuse."""

import numpy as np
import pytest

from theorems.notion_of_rank.constructions.rank_one import best_scales, rank_one_interpolant
from theorems.notion_of_rank.depth_window import table as module
from theorems.notion_of_rank.depth_window.table import depth_window, rows_direction, rows_excess, window_table
from theorems.shared.paths import grid_points
from verify.numbers.arithmetic import floats


def test_the_table_of_the_docstring():
    example = module.__doc__.split(">>> print(window_table((3, 9, 33)))\n")[1]
    assert window_table((3, 9, 33)) == example.rstrip()


@pytest.mark.parametrize("side", [2, 3, 5])
def test_the_excess_is_that_of_a_network_that_interpolates_the_grid(side):
    points, direction = floats(grid_points(side, 2)), floats(rows_direction(side))
    curve = module.curve_along(side, direction[None])
    # within a row nothing bends: the coefficient there is zero up to rounding, and its neuron should cost nothing
    bends = np.linalg.norm(curve.coefficients[0], axis=-1) > 1e-9
    scales = np.where(bends, best_scales(curve, 5)[0], 1e-6)
    network = rank_one_interpolant(points, points, 5, direction, scales)
    assert abs(network(points) - points).max() <= 1e-12
    assert network.parameter_norm_squared - 5 == pytest.approx(float(rows_excess(side)), rel=1e-9)


def test_at_the_depths_of_the_window_the_costs_cross():
    last, first = depth_window(7)
    assert last * (8**2 / 2) ** (1 / last) > 2 * last
    assert (last + 1) * (8**2 / 2) ** (1 / (last + 1)) <= 2 * (last + 1)
    assert first + float(rows_excess(7)) < 2 * first
    assert first - 1 + float(rows_excess(7)) > 2 * (first - 1)


@pytest.mark.parametrize("side", [1, 0, 2.5, "3"])
@pytest.mark.parametrize("call", [depth_window, rows_direction, rows_excess])
def test_a_grid_has_two_points_in_a_row(side, call):
    with pytest.raises(ValueError, match="side must be an integer of at least 2, got"):
        call(side)
