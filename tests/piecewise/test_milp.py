import functools
import itertools
import math
import pickle

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from integer_networks import ACTIVATIONS, network, polytope, quick

from verify.networks import FullyConnected, leaky_relu, relu
from verify.numbers.arithmetic import rational, rationals
from verify.piecewise import Polytope, is_nonnegative, maximum, minimum_shift, range_over, simplify
from verify.piecewise.maximisation.relaxation import Parts, Relaxation
from verify.piecewise.milp import maximum_by_search
from verify.piecewise.properties import SignUndecided

SEEDS = st.integers(0, 2**32 - 1)


def random_network(widths, seed=0, activation=None):
    rng = np.random.default_rng(seed)
    weights = [rng.normal(size=(n, m)) * math.sqrt(2 / m) for m, n in itertools.pairwise(widths)]
    return FullyConnected(weights, [0.3 * rng.normal(size=n) for n in widths[1:]], activation)


def cube(dimension):
    return Polytope.box([-1] * dimension, [1] * dimension)


@quick
@given(SEEDS, st.integers(1, 3), st.lists(st.integers(1, 5), min_size=1, max_size=3), st.sampled_from(ACTIVATIONS))
def test_the_search_finds_what_the_regions_say(seed, inputs, hidden, activation):
    rng = np.random.default_rng(seed)
    f, domain = network(rng, (inputs, *hidden, 2), activation), polytope(rng, inputs)
    functional = rationals(rng.integers(-3, 4, 2))
    expected = maximum(f, domain, functional)
    found = maximum_by_search(f, domain, functional, seconds=0)
    assert found.open_parts == 0
    assert found.bracket.lower == found.bracket.upper == expected.value
    assert functional @ f(found.bracket.argument) == expected.value
    assert domain.contains(found.bracket.argument)


@pytest.mark.parametrize("activation", [relu(), leaky_relu(0.125), leaky_relu(-0.5)], ids=str)
def test_more_regions_than_can_be_enumerated(activation):
    f = random_network((6, 12, 12, 1), activation=activation)
    found = maximum_by_search(f, cube(6), seconds=0)
    assert found.bracket.exact
    assert found.bracket.method == "branch and bound"
    assert found.solver_bound is None
    samples = np.random.default_rng(1).uniform(-1, 1, (20_000, 6))
    assert f(samples).max() < float(f(found.bracket.argument.astype(float))[0]) + 1e-12


def test_a_search_that_stops_gives_a_bracket():
    f = random_network((6, 12, 12, 1))
    exact = maximum_by_search(f, cube(6), seconds=0).bracket.value
    found = maximum_by_search(f, cube(6), parts=1, seconds=0)
    assert found.open_parts > 0
    assert found.bracket.lower <= exact < found.bracket.upper
    assert found.bracket.gap == found.bracket.upper - found.bracket.lower
    more = maximum_by_search(f, cube(6), parts=30, seconds=0)
    assert more.parts > found.parts
    assert more.bracket.upper < found.bracket.upper


@pytest.mark.parametrize("activation", [relu(), leaky_relu(-0.5)], ids=str)
@pytest.mark.parametrize("triangle", [False, True])
def test_the_mixed_integer_programme_agrees_up_to_its_tolerances(activation, triangle):
    f = random_network((2, 6, 6, 1), seed=3, activation=activation)
    domain = Polytope.from_vertices([[-1, -1], [1, -0.5], [0, 1]]) if triangle else cube(2)
    exact = maximum(f, domain).value
    found = maximum_by_search(f, domain, parts=1, seconds=60)
    assert found.bracket.lower == exact  # the point that it finds, and from there a vertex of its region
    # HiGHS: feasible within 1e-6 for each of the constraints, which are scaled to size 1
    largest = float(np.prod([1 + np.abs(weight).sum() for weight in f.weights]))
    assert found.solver_bound == pytest.approx(float(exact.p) / float(exact.q), abs=1e-6 * largest)


def test_an_affine_network_and_a_constant_one():
    affine = FullyConnected([rationals([[1, -2]])], [rationals([3])])
    found = maximum_by_search(affine, cube(2))
    assert found.bracket.value == 6
    assert found.bracket.argument.tolist() == [1, -1]
    dead = FullyConnected([np.ones((1, 2)), np.ones((1, 1))], [np.array([-5.0]), np.array([2.0])])
    assert maximum_by_search(dead, cube(2)).bracket.value == 2


def test_a_plateau():
    # the smaller of a network and of a value in the middle of its range: the maximum is taken on many regions
    f = random_network((3, 8, 8, 1), seed=5)
    ends = range_over(f, cube(3))
    low = (ends.lower[0] + 2 * ends.upper[0]) / 3
    clipped = FullyConnected(
        [*f.as_exact().weights[:-1], -f.as_exact().weights[-1], rationals([[-1]])],
        [*f.as_exact().biases[:-1], low - f.as_exact().biases[-1], rationals([low])],
    )
    found = maximum_by_search(clipped, cube(3), seconds=0)
    assert found.bracket.value == low


@pytest.mark.parametrize("activation", [relu(), leaky_relu(0.1), leaky_relu(-0.7)], ids=str)
@pytest.mark.parametrize("triangle", [False, True])
def test_bounds_of_parts_hold_with_their_rounding_errors(activation, triangle):
    f = random_network((2, 9, 9, 9, 1), seed=7, activation=activation)
    domain = Polytope.from_vertices([["-1/3", "-1"], ["1", "-1/2"], ["0", "6/7"]]) if triangle else cube(2)
    relaxation = Relaxation(simplify(f, domain), domain)
    whole = relaxation.whole()
    rng = np.random.default_rng(0)
    signs = np.where(rng.random((20, relaxation.count)) < 0.15, rng.choice([-1, 1], (20, relaxation.count)), 0).astype(np.int8)
    again = whole.where(np.zeros(20, dtype=np.intp))
    parts = relaxation.narrowed(Parts(again.lower, again.upper, signs, again.alpha, again.beta))
    parts = parts.where(np.flatnonzero(np.all(parts.lower <= parts.upper, axis=1)))
    found = relaxation.bounds(parts, 20, np.full(len(parts.lower), np.inf))
    corners = domain.vertices.astype(float)
    points = rng.dirichlet(np.full(len(corners), 0.5), 2000) @ corners
    signals = np.concatenate(relaxation.network.as_float().preactivations(points)[:-1], axis=1)
    values = relaxation.network.as_float()(points)[:, 0]
    inside = 0
    for i, bound in enumerate(found.values):
        exact = relaxation.exact_bound(found.parts, i)
        assert exact <= rational(bound) <= exact + rational(1e-11)
        in_part = np.all(signals * parts.signs[i] >= 0, axis=1)
        inside += in_part.sum()
        assert np.all(values[in_part] <= bound + 1e-12)
        assert np.all(signals[in_part] >= parts.lower[i] - 1e-12)
        assert np.all(signals[in_part] <= parts.upper[i] + 1e-12)
    assert inside > 1000


@settings(max_examples=8, deadline=None)
@given(SEEDS, st.sampled_from(ACTIVATIONS))
def test_properties_search_where_there_are_many_regions(seed, activation):
    rng = np.random.default_rng(seed)
    f, domain = network(rng, (2, 4, 3, 2), activation), polytope(rng, 2)
    by_regions, searched = range_over(f, domain), range_over(f, domain, limit=1)
    assert np.all(by_regions.lower == searched.lower)
    assert np.all(by_regions.upper == searched.upper)
    assert np.all(minimum_shift(f, domain, limit=1) == -by_regions.lower)
    # just not negative, and just below zero
    for margin in (0, fmpq(1, 1000)):
        shifted = FullyConnected(f.weights, [*f.biases[:-1], f.biases[-1] - by_regions.lower - margin], f.activation)
        found = is_nonnegative(shifted, domain, limit=1)
        assert bool(found) == (margin == 0)
        if not found:
            assert min(shifted(found.witness)) == found.value < 0
            assert domain.contains(found.witness)


def test_what_decides():
    f = random_network((2, 20, 20, 1))
    assert maximum(f, cube(2)).method == "cells"
    assert maximum(f.as_exact(), cube(2)).method == "regions"
    searched = maximum(f, cube(2), limit=10)
    assert searched.method == "branch and bound"
    assert searched.value == maximum(f, cube(2)).value
    # too many vertices to enumerate even one cell
    wide = random_network((18, 4, 1))
    assert maximum(wide, cube(18)).exact
    assert is_nonnegative(wide, cube(18)).value < 0


def test_a_sign_that_the_search_does_not_decide(monkeypatch):
    f = random_network((4, 12, 12, 1)).as_exact()
    lowest = -maximum_by_search(f, cube(4), [-1], seconds=0).bracket.value
    f = FullyConnected(f.weights, [*f.biases[:-1], f.biases[-1] - lowest])
    assert is_nonnegative(f, cube(4), limit=1)
    short = functools.partial(maximum_by_search, parts=1, seconds=0)
    monkeypatch.setattr("verify.piecewise.properties.maximum_by_search", short)
    with pytest.raises(
        SignUndecided, match="whether output 0 is negative somewhere is not decided: its minimum lies"
    ) as raised:
        is_nonnegative(f, cube(4), limit=1)
    assert raised.value.minimum.lower < 0 <= raised.value.minimum.upper
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_a_threshold_ends_the_search_early():
    f = random_network((6, 12, 12, 1))
    whole = maximum_by_search(f, cube(6), seconds=0)
    top = whole.bracket.value
    for threshold, reached in ((top / 2, True), (top, False), (2 * top, False)):
        found = maximum_by_search(f, cube(6), seconds=0, threshold=threshold)
        assert (found.bracket.lower > threshold) == reached
        assert (found.bracket.upper <= threshold) != reached
        assert found.bracket.lower <= top <= found.bracket.upper
        assert found.parts < whole.parts or threshold == top


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((cube(2), [1, 2]), {}, ValueError, r"functional must have shape \(1,\), got \(2,\)"),
        ((cube(2), [math.nan]), {}, ValueError, "functional must be finite"),
        ((cube(3),), {}, ValueError, "the polytope has dimension 3 but the network takes 2 inputs"),
        ((3,), {}, TypeError, "polytope must be a Polytope"),
        ((cube(2),), {"parts": 0}, ValueError, "parts must be at least 1, got 0"),
        ((cube(2),), {"parts": 1.5}, TypeError, "parts must be an integer, at least 1, got 1.5"),
        ((cube(2),), {"seconds": -1}, ValueError, "seconds must be a time that is not negative, got -1"),
        ((cube(2),), {"threshold": math.nan}, ValueError, "threshold must be finite"),
        ((cube(2),), {"seconds": math.nan}, ValueError, "seconds must be finite, got .*(NaN|nan|inf)"),
        ((cube(2),), {"seconds": math.inf}, ValueError, "seconds must be finite, got .*(NaN|nan|inf)"),
        ((Polytope.box([0, 0], [1, 10**400]),), {}, ValueError, "polytope must lie within the range of floats"),
        ((cube(2),), {"seconds": None}, TypeError, "seconds must be a real number"),
        ((cube(2),), {"seconds": [1]}, TypeError, "seconds must be a real number"),
    ],
)
def test_arguments_are_validated(arguments, options, error, message):
    with pytest.raises(error, match=message):
        maximum_by_search(random_network((2, 3, 1)), *arguments, **options)


def test_a_functional_is_asked_for():
    with pytest.raises(ValueError, match="functional must be given for a network of 2 outputs"):
        maximum_by_search(random_network((2, 3, 2)), cube(2))
    with pytest.raises(TypeError, match="network must be a FullyConnected"):
        maximum_by_search("network", cube(2))
