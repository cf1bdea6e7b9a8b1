"""The reference solvers against each other, against closed forms and published values, and where a solver fails."""

from fractions import Fraction

import numpy as np
import pytest

from verify.cones.hidden_layers import regularised_norm
from verify.cones.reference import (
    conic_frank_wolfe,
    largest_ratio,
    line_socp,
    linear_network,
    one_point,
    shallow_sdp,
)
from verify.cones.shallow import conic
from verify.cones.shallow.problem import shallow_problem
from verify.networks import HomogeneousActivation, absolute_value, identity, leaky_relu, relu
from verify.numbers.arithmetic import rationals

ACTIVATIONS = [relu(), leaky_relu(0.1), absolute_value(), identity()]
IDS = ["relu", "leaky", "absolute value", "identity"]


def check_network(optimum, inputs, targets, bias=0.0, ridge=None, fit=1.0):
    """The network has the value that is reported."""
    norm = float(regularised_norm(optimum.network, bias=bias))
    difference = optimum.network(inputs) - targets
    if ridge is None:
        assert np.abs(difference).max() <= 1e-7 * (1 + np.abs(targets).max())
        assert norm == pytest.approx(optimum.value, rel=1e-9)
    else:
        assert fit * (difference**2).sum() + ridge * norm == pytest.approx(optimum.value, rel=1e-9)


@pytest.mark.parametrize("ridge", [None, 0.1])
@pytest.mark.parametrize("activation", ACTIVATIONS, ids=IDS)
@pytest.mark.parametrize(
    ("points", "inputs", "outputs", "bias"), [(2, 2, 1, 0.0), (3, 2, 2, 1.0), (4, 2, 1, 0.5), (4, 4, 3, 0.0)]
)
def test_semidefinite_programme_agrees_with_frank_wolfe(points, inputs, outputs, bias, activation, ridge):
    random = np.random.default_rng(points + inputs)
    X, Y = random.standard_normal((points, inputs)), random.standard_normal((points, outputs))
    fit = 1.0 if ridge is None else 1 / points
    one = shallow_sdp(X, Y, activation, bias=bias, ridge=ridge, fit=fit)
    other = conic_frank_wolfe(X, Y, activation, bias=bias, ridge=ridge, fit=fit)
    assert one.status == other.status
    if one.status == "infeasible":
        assert activation is ACTIVATIONS[3]  # beyond the range of a linear network
        return
    assert one.status == "optimal"
    assert one.value == pytest.approx(other.value, rel=1e-6)
    assert one.bound <= one.value * (1 + 1e-9)
    assert other.bound <= one.value * (1 + 1e-9)
    assert one.bound <= other.value * (1 + 1e-9)
    check_network(other, X, Y, bias, ridge, fit)


@pytest.mark.parametrize("ridge", [None, 0.1])
@pytest.mark.parametrize("bias", [0.0, 1.0])
def test_line_agrees_with_the_other_two(bias, ridge):
    random = np.random.default_rng(1)
    for points in (1, 2, 4, 6):
        X = random.standard_normal((points, 1))
        Y = random.standard_normal((points, 1)) if bias else np.maximum(X, 0) * 2 - np.maximum(-X, 0)
        line = line_socp(X, Y, bias=bias, ridge=ridge)
        assert line.status == "optimal"
        check_network(line, X, Y, bias, ridge)
        assert line.value == pytest.approx(conic_frank_wolfe(X, Y, relu(), bias=bias, ridge=ridge).value, rel=1e-6)
        if points <= 4:
            assert line.value == pytest.approx(shallow_sdp(X, Y, relu(), bias=bias, ridge=ridge).value, rel=1e-6)


def test_line_with_many_points():
    X = np.linspace(-1, 1, 40)[:, None]
    for ridge in (None, 0.01):
        line = line_socp(X, np.sin(5 * X), bias=1, ridge=ridge)
        assert line.status == "optimal"
        check_network(line, X, np.sin(5 * X), 1, ridge)


@pytest.mark.parametrize("activation", [*ACTIVATIONS, HomogeneousActivation(-1.0, 0.5), leaky_relu(-3)])
def test_one_point(activation):
    random = np.random.default_rng(2)
    x, y = random.standard_normal((1, 2)), random.standard_normal((1, 3))
    strongest = max(abs(float(activation.positive)), abs(float(activation.negative)))
    for depth in (1, 2, 3, 4):
        deep = one_point(x, y, activation, depth)
        formula = depth * (np.linalg.norm(y) / (strongest ** (depth - 1) * np.linalg.norm(x))) ** (2 / depth)
        assert deep.status == "optimal"
        assert deep.value == pytest.approx(formula, rel=1e-12)
        check_network(deep, x, y)
    shallow = one_point(x, y, activation, 2).value
    assert shallow_sdp(x, y, activation).value == pytest.approx(shallow, rel=1e-6)
    assert conic_frank_wolfe(x, y, activation).value == pytest.approx(shallow, rel=1e-7)


def test_linear_networks():
    random = np.random.default_rng(3)
    X, Y = random.standard_normal((4, 4)), random.standard_normal((4, 3))
    for depth in (1, 2, 3, 5):
        deep = linear_network(X, Y, depth)
        singular = np.linalg.svd(np.linalg.solve(X, Y), compute_uv=False)
        assert deep.value == pytest.approx(depth * (singular ** (2 / depth)).sum(), rel=1e-9)
        check_network(deep, X, Y)
    assert linear_network(X, Y, 2).value == pytest.approx(shallow_sdp(X, Y, identity()).value, rel=1e-6)
    assert linear_network(np.eye(2), np.diag([8.0, 1.0]), 3).value == pytest.approx(15)
    assert linear_network(X, Y, 2, [2]).status == "infeasible"
    assert linear_network(X, Y, 2, [3]).status == "optimal"


@pytest.mark.parametrize(("half", "value"), [(2, 16), (3, 36)])
def test_bipartite_targets_cost_the_square_of_the_number_of_points(half, value):
    ones, unit = np.ones((half, half)), half * np.eye(half)
    Y = np.block([[unit, ones], [ones, unit]])
    found = conic_frank_wolfe(np.eye(2 * half), Y, relu())
    assert found.status == "optimal"
    assert found.value == pytest.approx(value, rel=1e-6)


@pytest.mark.parametrize("difference", [1e-14, 1e-12, 1e-10])
def test_a_network_leaves_out_what_its_pair_leaves_out(difference):
    # vectors that differ by rounding errors only: they fit the difference of the targets at any cost
    vectors = np.array([[1.0, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 1, difference]])
    targets = np.array([[2.0, 0, 1, 1], [0, 2, 1, 1], [1, 1, 2, 0], [1, 1, 0, 2]])
    problem = shallow_problem(np.eye(4), targets, relu(), 0, None, 1)
    weights = np.array([1.0, 1, 1, 1, 1e-5])
    pair = problem.pair(weights, vectors)
    network, norm = problem.network(weights, vectors, problem.fitted(pair[1])[2])
    assert norm == pytest.approx(problem.value(*pair), rel=1e-12)
    assert norm == pytest.approx(regularised_norm(network), rel=1e-12)
    assert norm == pytest.approx(16, rel=1e-4)
    assert np.abs(network(np.eye(4)) - targets).max() <= 1e-9


def test_values_of_the_catalogue():
    found = conic_frank_wolfe(np.array([[-1.0], [1.0]]), np.array([[6.0], [6.0]]), relu(), bias=1 / np.sqrt(3))
    assert found.value == pytest.approx(19.784610, abs=1e-6)
    line = np.array([[-1.0], [0.0], [1.0]]), np.array([[5.0], [-5.0], [5.0]])
    assert line_socp(*line, bias=1).value == pytest.approx(49, rel=1e-7)
    assert shallow_sdp(*line, relu(), bias=1).value == pytest.approx(49, rel=1e-6)


@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_units_do_not_matter(scale):
    random = np.random.default_rng(8)
    X, Y = random.standard_normal((3, 2)), random.standard_normal((3, 2))
    reference = shallow_sdp(X, Y, relu())
    scaled = shallow_sdp(scale * X, Y / scale, relu())
    assert scaled.status == "optimal"
    assert scaled.value == pytest.approx(reference.value / scale**2, rel=1e-6)


@pytest.mark.parametrize("ridge", [None, 0.05])
@pytest.mark.parametrize("activation", ACTIVATIONS[:3], ids=IDS[:3])
@pytest.mark.parametrize(
    ("X", "Y", "bias"),
    [
        ([[1], [1], [2]], [[1], [1], [0]], 1),  # a point twice
        ([[1], [2], [3]], [[1], [2], [3]], 0),  # rank one
        ([[0], [0], [0]], [[1], [1], [1]], 1),  # the bias only
        ([[0], [1], [-1]], [[0], [1], [1]], 0),
        ([[0], [0]], [[0], [0]], 0),
        ([[1, 2], [2, 4], [3, 1]], [[1, 1], [2, 2], [0, 5]], 0),
    ],
)
def test_singular_covariances(X, Y, bias, activation, ridge):
    X, Y = np.array(X, dtype=float), np.array(Y, dtype=float)
    one = shallow_sdp(X, Y, activation, bias=bias, ridge=ridge)
    other = conic_frank_wolfe(X, Y, activation, bias=bias, ridge=ridge)
    assert one.status == other.status == "optimal"
    assert one.value == pytest.approx(other.value, rel=1e-6)


def test_infeasible_targets():
    X, Y = np.array([[1.0], [1.0], [2.0]]), np.array([[1.0], [2.0], [0.0]])
    for found in (shallow_sdp(X, Y, relu(), bias=1), conic_frank_wolfe(X, Y, relu(), bias=1), line_socp(X, Y, bias=1)):
        assert (found.status, found.value, found.bound, found.gap) == ("infeasible", np.inf, np.inf, 0)
    assert one_point(np.zeros((1, 1)), np.ones((1, 1)), relu(), 2).status == "infeasible"
    assert linear_network(X, Y, 2).status == "infeasible"
    assert shallow_sdp(X, Y, relu(), bias=1, ridge=0.1).status == "optimal"


@pytest.mark.parametrize("status", ["infeasible", "unbounded", "infeasible_inaccurate", "solver error: stopped"])
def test_any_other_status_of_a_solver_leaves_the_problem_undecided(monkeypatch, status):
    monkeypatch.setattr(conic, "_solve", lambda _: status)
    X, Y = np.array([[1.0], [-1.0]]), np.array([[1.0], [2.0]])
    for found in (shallow_sdp(X, Y, relu()), line_socp(X, Y)):
        assert (found.status, found.solver_status) == ("undecided", status)
        assert found.bound <= 6 <= found.value


def test_poor_solution_is_undecided(monkeypatch):
    import cvxpy

    def solve(programme):
        programme.solve(solver=cvxpy.CLARABEL, max_iter=3)
        return "optimal"  # which is not true

    monkeypatch.setattr(conic, "_solve", solve)
    random = np.random.default_rng(0)
    with pytest.warns(UserWarning, match="inaccurate"):
        found = shallow_sdp(random.standard_normal((3, 2)), random.standard_normal((3, 2)), relu())
    assert found.status == "undecided"


def test_largest_ratio_is_a_maximum():
    random = np.random.default_rng(6)
    for rows in (2, 4, 6):
        features, U = random.standard_normal((rows, 4)), random.standard_normal((2, 4))
        for activation in ACTIVATIONS[:3]:
            largest, best = largest_ratio(features, U, activation)
            weights = np.concatenate([best[None], random.standard_normal((20_000, rows))])
            ratios = ((activation.as_float()(weights @ features) @ U.T) ** 2).sum(axis=1) / (weights**2).sum(axis=1)
            assert ratios[0] == pytest.approx(largest, rel=1e-8)
            assert ratios.max() <= largest * (1 + 1e-8)


def test_the_largest_ratio_of_neighbouring_points():
    # the smaller eigenvalue of their Gram matrix is 2.5e-19
    largest, weights = largest_ratio(np.array([[1.0, 1.0], [0.0, 1e-9]]), np.array([[-1e9, 1e9]]), identity())
    assert largest == pytest.approx(1, rel=1e-6)
    assert np.abs(weights) == pytest.approx([0, 1], abs=1e-6)


def test_errors():
    good = np.ones((2, 1))
    with pytest.raises(ValueError, match="at most 4 rows for this solver, got 5"):
        shallow_sdp(np.ones((5, 1)), np.ones((5, 1)), relu())
    with pytest.raises(ValueError, match="at most 10 rows for this solver, got 11"):
        conic_frank_wolfe(np.ones((11, 1)), np.ones((11, 1)), relu())
    with pytest.raises(ValueError, match="one row for each point, got 2 and 3 rows"):
        shallow_sdp(good, np.ones((3, 1)), relu())
    with pytest.raises(ValueError, match="ridge must be finite and positive, got 0"):
        shallow_sdp(good, good, relu(), ridge=0)
    with pytest.raises(ValueError, match="bias must be finite and not negative, got -1"):
        shallow_sdp(good, good, relu(), bias=-1)
    with pytest.raises(ValueError, match="fit must be finite, got nan"):
        shallow_sdp(good, good, relu(), fit=float("nan"))
    with pytest.raises(ValueError, match="targets must be finite"):
        shallow_sdp(good, np.array([[1.0], [np.inf]]), relu())
    with pytest.raises(TypeError, match="inputs must hold floats, got exact entries"):
        shallow_sdp(rationals(good), good, relu())
    with pytest.raises(ValueError, match="inputs must have one column"):
        line_socp(np.ones((2, 2)), good)
    with pytest.raises(ValueError, match="inputs must have one row"):
        one_point(good, good, relu(), 2)
    with pytest.raises(ValueError, match="depth must be at least 1, got 0"):
        one_point(good[:1], good[:1], relu(), 0)
    with pytest.raises(ValueError, match="hidden_widths must be 2 positive integers"):
        linear_network(good, good, 3, [1])
    with pytest.raises(ValueError, match="tolerance must be positive"):
        conic_frank_wolfe(good, good, relu(), tolerance=0)
    with pytest.raises(ValueError, match="activation must be one activation"):
        shallow_sdp(good, good, leaky_relu(np.array([0.1, 0.2])))
    assert shallow_sdp(good[:1], good[:1], leaky_relu(Fraction(1, 2))).status == "optimal"
