"""The constructions of `theorems.leaky_resnets.constructions.trajectories`: against the integrator, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from theorems.leaky_resnets.constructions.trajectories import (
    Positions,
    Roots,
    diagonal_trajectory,
    integrated_trajectory,
    pure_bias_trajectory,
    scalar_trajectory,
    two_point_trajectory,
)
from verify.networks.leaky_resnet import integrate_hamiltonian
from verify.networks.leaky_resnet.hamiltonian import RELATIVE_ACCURACY
from verify.numbers.arithmetic import floats, rationals

LEAK, POSITIONS = 1.25, np.linspace(0, 1, 5)


def families(convert):
    times = Positions(convert(np.array([LEAK])), convert(POSITIONS[None]))
    return {
        "scalar": scalar_trajectory(convert(np.array([0.75])), convert(np.array([0.25])), times),
        "diagonal": diagonal_trajectory(convert(np.array([[0.5, 2.0]])), convert(np.array([[0.0, 1.5]])), times),
        "two points": two_point_trajectory(
            convert(np.array([[2.0, 1.0]])), convert(np.array([0.5])), convert(np.array([1.0])), times
        ),
        "pure bias": pure_bias_trajectory(
            convert(np.array([[[-1.0, -2.0], [-0.5, -3.0]]])),
            convert(np.array([[[0.25, -0.125], [-0.5, 0.25]]])),
            times,
        ),
    }


@pytest.mark.parametrize("name", families(np.asarray))
def test_closed_forms_are_what_is_integrated(name):
    closed = families(np.asarray)[name]
    assert closed.genuine.all()
    path = integrate_hamiltonian(
        closed.activations[:, 0], closed.adjoints[:, 0], np.array([LEAK]), len(POSITIONS), bias=closed.bias
    )
    # what some tens of steps make of the tolerance of one, with growth by less than e ** 3
    accuracy = 1000 * RELATIVE_ACCURACY
    np.testing.assert_allclose(path.activations, closed.activations, atol=accuracy)
    np.testing.assert_allclose(path.adjoints, closed.adjoints, atol=accuracy)


@pytest.mark.parametrize("name", families(np.asarray))
def test_balls_enclose_the_floats(name):
    closed, exact = families(np.asarray)[name], families(rationals)[name]
    for part in ("activations", "adjoints", "moved", "adjoints_moved", "constant", "trace", "weight_norm"):
        np.testing.assert_allclose(floats(getattr(exact, part)), getattr(closed, part), atol=1e-12)


def test_integrated_trajectories_say_where_they_are():
    path = integrated_trajectory(np.array([[[-1.0, 2.0]]]), np.array([[[0.5, -0.25]]]), np.array([1.0]), nodes=9)
    assert path.activations.shape == (1, 9, 1, 2)
    assert path[0].activations.shape == (9, 1, 2)


ONE, TIMES = np.array([1.0]), Positions(np.array([1.0]), np.array([[0.0, 1.0]]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: scalar_trajectory(np.array([0.0]), ONE, TIMES), "start must be positive"),
        (lambda: diagonal_trajectory(np.array([[1.0, -1.0]]), np.ones((1, 2)), TIMES), "start must be positive"),
        (lambda: two_point_trajectory(np.array([[1.0, 1.0]]), ONE, ONE, TIMES), r"ends\[0\] - ends\[1\] must be positive"),
        (lambda: two_point_trajectory(np.array([[1.0, -1.0]]), ONE, ONE, TIMES), "ends must be positive"),
        (lambda: two_point_trajectory(np.array([[2.0, 1.0]]), -ONE, ONE, TIMES), "offset must be positive"),
        (lambda: pure_bias_trajectory(np.ones((1, 1, 1)), np.ones((1, 1, 1)), TIMES), "-start must be positive"),
    ],
)
def test_starts_of_the_wrong_sign_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_roots_are_exponentials_of_half_of_the_time():
    roots = np.exp(LEAK * POSITIONS / 2)[None]
    for rate in (-2.0, -0.5, 0.0, 1.5):
        growth = Positions(np.array([LEAK]), POSITIONS[None]).growth(np.array([rate]))
        np.testing.assert_allclose(Roots(roots).growth(np.array([rate])), growth)


def test_roots_take_half_integer_rates_alone():
    with pytest.raises(ValueError, match=r"rate must be a half-integer from -2 to 2, got \[0.25\]"):
        Roots(np.ones((1, 2))).growth(np.array([0.25]))
