"""The cheapest shallow interpolation against the reference solver, its certificates, and what it refuses."""

import numpy as np
import pytest

from theorems.notion_of_rank.constructions.shallow import balanced_neurons, response, response_squared
from theorems.notion_of_rank.shallow_networks import cheapest_interpolation as method
from theorems.notion_of_rank.shallow_networks.cheapest_interpolation import GAP, NotSolved, cheapest_interpolation
from verify.cones.reference import line_socp
from verify.numbers.arithmetic import floats, rationals


def data(seed, count):
    rng = np.random.default_rng(seed)
    return rng.choice(np.arange(-8, 9), count, replace=False) / 2, rng.integers(-4, 5, count) / 2


@pytest.mark.parametrize(("seed", "count"), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)])
def test_against_the_reference_solver(seed, count):
    points, values = data(seed, count)
    found = cheapest_interpolation(points, values)
    reference = line_socp(points[:, None], values[:, None], bias=1)
    assert float(found.cost) == pytest.approx(reference.value, rel=1e-6)
    assert float(found.bound) <= reference.value * (1 + 1e-6)
    assert float(found.cost) - float(found.bound) <= GAP * float(found.cost)


@pytest.mark.parametrize("seed", range(4))
def test_the_network_interpolates_exactly_and_its_balanced_form_has_the_cost(seed):
    points, values = data(seed, 4)
    found = cheapest_interpolation(points, values)
    assert found.network.is_exact
    assert (found.network(rationals(points)[:, None])[:, 0] == rationals(values)).all()
    assert balanced_neurons(found.network.as_float()).parameter_norm_squared == pytest.approx(float(found.cost), rel=1e-12)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_data_of_other_sizes(scale):
    points, values = scale * np.array([-1.0, 0.5, 2.0]), np.array([1.0, -1.0, 0.5]) / scale
    found = cheapest_interpolation(points, values)
    assert float(found.cost) - float(found.bound) <= GAP * float(found.cost)


def test_zeros_cost_nothing_and_one_point_at_zero_costs_what_a_constant_does():
    assert cheapest_interpolation(np.array([1.0, 2.0]), np.zeros(2)).cost == 0
    found = cheapest_interpolation(np.array([0.0]), np.array([3.0]))
    assert float(found.cost) == pytest.approx(5, rel=GAP)


def test_kinks_at_the_points_are_dearer():
    points, values = np.array([0.5, 2.0]), np.array([0.0, 1.0])
    best = cheapest_interpolation(points, values)
    dotted = cheapest_interpolation(points, values, neurons_at_points=True)
    assert (dotted.network(rationals(points)[:, None])[:, 0] == rationals(values)).all()
    assert float(dotted.cost) > 1.01 * float(best.cost)


@pytest.mark.parametrize("slope", [0, 0.5, -1])
def test_the_supremum_of_the_response(slope):
    rng = np.random.default_rng(7)
    points, multipliers = rng.standard_normal((20, 4)), rng.standard_normal((20, 4))
    angles = np.linspace(0, 2 * np.pi, 20_001)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    sampled = np.abs(response(points, multipliers, np.broadcast_to(circle, (20, *circle.shape)), slope)).max(axis=-1)
    exact = np.sqrt(response_squared(points, multipliers, slope))
    assert (sampled <= exact * (1 + 1e-12)).all()
    # the response is Lipschitz in the angle, and about flat at a supremum
    assert (exact - sampled <= 1e-3 * exact).all()
    assert float(response_squared(rationals(points[0]), rationals(multipliers[0]), rationals(slope)[()])) == pytest.approx(
        exact[0] ** 2, rel=1e-12
    )


@pytest.mark.parametrize(
    ("points", "values", "message"),
    [
        ([0.0, 1.0], [1.0], r"points and values must have one shape \(n,\), n >= 1, got \(2,\) and \(1,\)"),
        ([], [], "n >= 1"),
        ([[0.0]], [[1.0]], r"got \(1, 1\)"),
        ([0.0, 0.0], [1.0, 1.0], "points must be distinct"),
        ([0.0, np.nan], [1.0, 1.0], "finite"),
        ([0.0, 1.0], [1.0, np.inf], "finite"),
    ],
)
def test_bad_arguments(points, values, message):
    with pytest.raises(ValueError, match=message):
        cheapest_interpolation(np.array(points), np.array(values))


def test_bounds_that_do_not_meet_are_an_error(monkeypatch):
    monkeypatch.setattr(method, "ROUNDS", 1)
    with pytest.raises(NotSolved, match="have not met after 1 rounds"):
        cheapest_interpolation(np.array([0.25, 1.0, 7.0]), np.array([1.0, -3.0, 2.0]))


def test_what_solved_data_give_is_not_written_to():
    points, values = data(9, 3)
    points.flags.writeable = values.flags.writeable = False
    assert floats(cheapest_interpolation(points, values).multipliers).shape == (3,)
