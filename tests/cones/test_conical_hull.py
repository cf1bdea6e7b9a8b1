"""Conical hulls: certificates either way, exact pruning, and what floats mean."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize

from verify import Verdict
from verify.cones import conical_hull
from verify.cones._exact import independent_rows
from verify.cones.conical_hull import OutsideConicalHull, caratheodory, contains, decompose
from verify.numbers.arithmetic import ball, rational, rationals

BALLS = np.array([[ball(2).sqrt(), ball(1)]], dtype=object)


def random_case(seed, largest=3):
    generator = np.random.default_rng(seed)
    size, count = generator.integers(1, 6), generator.integers(1, 10)
    return rationals(generator.integers(-largest, largest + 1, (count, size))), generator


def independent(generators):
    return len(independent_rows(generators)) == len(generators)


@pytest.mark.parametrize("seed", range(40))
def test_a_combination_is_contained(seed):
    generators, generator = random_case(seed)
    point = rationals(generator.integers(0, 4, len(generators))) @ generators
    found = contains(generators, point)
    assert found.verdict == found.verify() == Verdict.HOLDS
    assert min(found.weights) >= 0
    assert np.all(found.weights @ generators == point)
    assert found.functional is None
    assert independent(generators[found.weights != 0])


@pytest.mark.parametrize("seed", range(200))
def test_floats_and_the_rational_simplex_method_agree(seed, monkeypatch):
    generators, generator = random_case(seed)
    point = rationals(generator.integers(-2, 3, generators.shape[1]))
    by_floats = contains(generators, point)
    monkeypatch.setattr(conical_hull, "_vertex", lambda *_: None)
    monkeypatch.setattr(conical_hull, "_minus_residual", lambda *_: None)
    by_rationals = contains(generators, point)
    assert by_floats.verdict == by_floats.verify() == by_rationals.verdict == by_rationals.verify() != Verdict.UNDECIDED


def test_a_point_outside_is_separated():
    found = contains(np.eye(2), np.array([1.0, -1.0]))
    assert found.verdict == found.verify() == Verdict.FAILS
    assert found.functional @ found.point < 0
    assert str(found) == "outside the conical hull of 2 generators in 2 dimensions: a functional separates the point"


def test_a_point_beside_the_hull_by_one_part_in_10_to_the_40_is_outside():
    generators, epsilon = rationals([[1, 0, 0], [1, 1, 0], [1, 0, 1]]), rational("1/" + "1" + 40 * "0")
    assert contains(generators, rationals([2, 1, 1])).verdict == Verdict.HOLDS
    outside = contains(generators, np.array([rational(2) - epsilon, rational(1), rational(1)], dtype=object))
    assert outside.verdict == outside.verify() == Verdict.FAILS


def test_numbers_beyond_the_range_of_floats():
    huge, tiny = rational(10) ** 400, rational("1/" + "1" + 400 * "0")
    generators = np.array([[huge, tiny * 0], [huge, tiny]], dtype=object)
    assert contains(generators, np.array([2 * huge, tiny], dtype=object)).verify() == Verdict.HOLDS
    assert contains(generators, np.array([huge, 2 * tiny], dtype=object)).verify() == Verdict.FAILS


def test_zero_is_contained_with_weights_zero():
    assert not contains(rationals([[1, 2]]), rationals([0, 0])).weights.any()


def test_zero_generators_contain_zero_only():
    assert contains(np.zeros((2, 2)), np.array([1.0, 0.0])).verify() == Verdict.FAILS


def test_a_hull_that_is_the_whole_space():
    generators = rationals([[1, 0], [0, 1], [-1, -1]])
    assert contains(generators, rationals([-7, 3])).verify() == Verdict.HOLDS


def test_floats_are_the_rationals_that_they_are():
    # 0.1 + 0.2 is not 0.3
    generators = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])
    assert contains(generators, np.array([0.1 + 0.2, 0.1, 0.2])).verdict == Verdict.FAILS
    assert np.allclose(decompose(generators, np.array([0.1 + 0.2, 0.1, 0.2])), [0.1, 0.2], atol=1e-15)


def test_without_pivots_the_answer_may_be_undecided(monkeypatch):
    monkeypatch.setattr(conical_hull, "_vertex", lambda *_: None)
    monkeypatch.setattr(conical_hull, "MAX_PIVOTS", 0)
    found = contains(rationals([[1, 0], [0, 1]]), rationals([1, 2]))
    assert found.verdict == found.verify() == Verdict.UNDECIDED
    assert "not decided by floats and 0 rational pivots" in str(found)


def test_failures_of_the_solvers_are_made_up_for_in_rationals(monkeypatch):
    def limit_of_iterations(*_):
        raise RuntimeError("Maximum number of iterations reached.")

    def infeasible(*_, **__):
        return scipy.optimize.OptimizeResult(status=2, x=None)

    monkeypatch.setattr(scipy.optimize, "nnls", limit_of_iterations)
    monkeypatch.setattr(scipy.optimize, "linprog", infeasible)
    generators, weights = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([1.0, 2.0, 3.0])
    assert contains(generators, np.array([4.0, 5.0])).verify() == Verdict.HOLDS
    assert contains(generators, np.array([-4.0, 5.0])).verify() == Verdict.FAILS
    assert np.all(decompose(generators, np.array([4.0, 5.0])) @ generators == [4, 5])
    for cost in (None, np.ones(3)):
        pruned = caratheodory(generators, weights, cost=cost)
        assert np.count_nonzero(pruned) == 2
        assert np.all(pruned @ generators == [4, 5])


def test_a_certificate_that_was_tampered_with_proves_nothing():
    found = contains(rationals([[1, 0], [0, 1]]), rationals([1, 2]))
    wrong = conical_hull.Membership(Verdict.HOLDS, found.generators, found.point + 1, found.weights, None, "")
    assert wrong.verify() == Verdict.UNDECIDED


@pytest.mark.parametrize("exact", [True, False], ids=["rationals", "floats"])
@pytest.mark.parametrize("seed", range(10))
def test_decompositions_have_few_weights(seed, exact):
    generator = np.random.default_rng(seed)
    generators, weights = generator.standard_normal((60, 7)), generator.random(60)
    if exact:
        generators, weights = rationals(generators), rationals(weights)
    point = weights @ generators
    found = decompose(generators, point)
    assert np.count_nonzero(found) <= 7
    assert min(found) >= 0
    error = np.abs(found @ generators - point).max()
    assert error == 0 if exact else error < 1e-12


def test_no_decomposition_outside():
    with pytest.raises(OutsideConicalHull, match="outside the conical hull of 2 generators") as raised:
        decompose(np.eye(2), np.array([1.0, -1.0]))
    assert raised.value.membership.verify() == Verdict.FAILS


@pytest.mark.parametrize("cost", [False, True], ids=["plain", "with a cost"])
@pytest.mark.parametrize("quick", [True, False], ids=["by a vertex", "step by step"])
@pytest.mark.parametrize("seed", range(15))
def test_pruning_keeps_the_point(seed, quick, cost, monkeypatch):
    generators, generator = random_case(seed)
    weights = rationals(generator.integers(0, 4, len(generators)))
    costs = rationals(generator.integers(0, 4, len(generators))) if cost else None
    if not quick:
        monkeypatch.setattr(conical_hull, "_vertex", lambda *_: None)
    pruned = caratheodory(generators, weights, cost=costs)
    assert np.all(pruned @ generators == weights @ generators)
    assert min(pruned) >= 0
    assert independent(generators[pruned != 0]) or not pruned.any()
    assert not pruned[weights == 0].any()
    if costs is not None:
        assert costs @ pruned <= costs @ weights


def test_pruning_to_the_last_digit():
    generator = np.random.default_rng(0)
    generators, weights = rationals(generator.standard_normal((120, 20))), rationals(generator.random(120))
    pruned = caratheodory(generators, weights)
    assert np.all(pruned @ generators == weights @ generators)
    assert np.count_nonzero(pruned) == 20


def test_pruning_floats():
    generator = np.random.default_rng(0)
    generators, weights, costs = generator.standard_normal((500, 12)), generator.random(500), generator.random(500)
    for cost in (None, costs):
        pruned = caratheodory(generators, weights, cost=cost)
        assert pruned.dtype == np.float64
        assert np.count_nonzero(pruned) <= 12
        assert np.abs(pruned @ generators - weights @ generators).max() < 1e-10
    assert costs @ pruned <= costs @ weights


def test_the_sum_of_the_unit_vectors_needs_all_of_them():
    weights = rationals(np.ones(9))
    assert np.all(caratheodory(rationals(np.eye(9)), weights) == weights)


def test_pruning_nothing():
    assert not caratheodory(np.eye(2), np.zeros(2)).any()


def test_the_inputs_are_not_written_to():
    generators, weights = rationals([[1, 0], [0, 1], [1, 1]]), rationals([1, 1, 1])
    copies = generators.copy(), weights.copy()
    for array in (generators, weights):
        array.flags.writeable = False
    caratheodory(generators, weights, cost=weights)
    contains(generators, rationals([1, 2]))
    assert np.all(generators == copies[0])
    assert np.all(weights == copies[1])


UNUSABLE = {
    "no generators": (np.ones((0, 2)), np.ones(2), ValueError, r"generators must have at least one row and one column"),
    "one vector": (np.ones(2), np.ones(2), ValueError, r"generators must have at least 2 axes"),
    "a batch": (np.ones((2, 2, 2)), np.ones(2), ValueError, r"generators must be one matrix, .* got shape \(2, 2, 2\)"),
    "NaN": (np.array([[np.nan, 1.0]]), np.ones(2), ValueError, r"generators must be finite, got 1 of 2 entries"),
    "complex": (np.ones((1, 2), dtype=complex), np.ones(2), ValueError, r"generators must hold real numbers .* complex128"),
    "text": (np.array([["a", "b"]], dtype=object), np.ones(2), ValueError, r"generators must hold real numbers"),
    "balls": (BALLS, np.ones(2), TypeError, r"generators holds balls"),
    "long point": (np.eye(2), np.ones(3), ValueError, r"point must have shape \(2,\), got shape \(3,\)"),
    "infinite point": (np.eye(2), np.array([1.0, np.inf]), ValueError, r"point must be finite, got 1 of 2 entries"),
}


@pytest.mark.parametrize("function", [contains, decompose])
@pytest.mark.parametrize("name", UNUSABLE)
def test_unusable_arguments_are_named(function, name):
    generators, point, error, message = UNUSABLE[name]
    with pytest.raises(error, match=message):
        function(generators, point)


def test_negative_weights_and_costs_are_named():
    with pytest.raises(ValueError, match=r"weights must not be negative, got -2"):
        caratheodory(np.eye(2), np.array([1.0, -2.0]))
    with pytest.raises(ValueError, match=r"cost must not be negative, got -1"):
        caratheodory(rationals(np.eye(2)), rationals([1, 1]), cost=rationals([0, -1]))
    with pytest.raises(ValueError, match=r"weights must have shape \(2,\), got shape \(3,\)"):
        caratheodory(np.eye(2), np.ones(3))
