import math

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st
from integer_networks import DATA, cases, cube, generic, index, load, network, points_of, quick

from verify.networks import FullyConnected, absolute_value, leaky_relu, relu, through_bottleneck
from verify.numbers.arithmetic import floats, rationals
from verify.piecewise import (
    Bracket,
    Polytope,
    TooManyRegions,
    equal,
    is_nonnegative,
    jacobian_rank,
    linear_regions,
    lipschitz_constant,
    maximum,
    minimum_shift,
    range_over,
)


@quick
@given(cases())
def test_range_is_that_of_the_vertices_of_all_regions(drawn):
    f, domain, _ = drawn
    values = np.vstack([f(region.polytope.vertices) for region in linear_regions(f, domain)])
    found = range_over(f, domain)
    assert found.lower.tolist() == values.min(axis=0).tolist()
    assert found.upper.tolist() == values.max(axis=0).tolist()
    for brackets, bounds in ((found.minima, found.lower), (found.maxima, found.upper)):
        for k, bracket in enumerate(brackets):
            assert domain.contains(bracket.argument)
            assert f(bracket.argument)[k] == bounds[k] == bracket.value
            assert (bracket.exact, bracket.gap, bracket.method) == (True, 0, "regions")


@quick
@given(cases(max_depth=2))
def test_maximum_of_a_functional(drawn):
    f, domain, rng = drawn
    functional = rationals(rng.integers(-2, 3, f.widths[-1]))
    found = maximum(f, domain, functional)
    assert domain.contains(found.argument)
    assert f(found.argument) @ functional == found.value
    corners = np.vstack([region.polytope.vertices for region in linear_regions(f, domain)])
    assert max(f(corners) @ functional) == found.value


@quick
@given(cases())
def test_the_shift_is_the_least_one(drawn):
    f, domain, rng = drawn
    shift = minimum_shift(f, domain)
    lifted = FullyConnected(f.weights, [*f.biases[:-1], f.biases[-1] + shift], f.activation)
    assert is_nonnegative(lifted, domain)
    assert np.all(range_over(lifted, domain).lower == 0)
    low = shift - rationals([0] * (len(shift) - 1) + ["1/1000000007"])
    lower = FullyConnected(f.weights, [*f.biases[:-1], f.biases[-1] + low], f.activation)
    found = is_nonnegative(lower, domain)
    assert not found
    assert fmpq(-1, 1000000007) <= min(lower(found.witness)) == found.value < 0
    assert domain.contains(found.witness)
    if f.activation.negative == 0:
        outer = network(rng, (f.widths[-1], 2, 1), f.activation)
        built = through_bottleneck(f, outer, f.depth + 4, shift)
        points = points_of(domain, rng)
        assert np.all(built(points) == outer(f(points)))


def methods(found):
    return {bracket.method for bracket in (*found.minima, *found.maxima)}


@quick
@given(st.integers(0, 10**6), st.integers(1, 3), st.lists(st.integers(1, 4), min_size=1, max_size=3), st.sampled_from(range(3)))
def test_the_vertices_of_float_cells_give_the_range_of_the_regions(seed, inputs, hidden, slope):
    f = generic(seed, (inputs, *hidden, 2), (relu(), leaky_relu(-0.5), absolute_value())[slope])
    domain = Polytope.box([fmpq(-4, 3)] * inputs, [fmpq(1, 7)] * inputs)  # no floats
    found, exact = range_over(f, domain), range_over(f.as_exact(), domain)
    assert methods(found) <= {"cells", "regions"}
    assert methods(exact) == {"regions"}
    for bracket, other, k in zip(found.minima + found.maxima, exact.minima + exact.maxima, (0, 1, 0, 1), strict=True):
        assert bracket.value == other.value == f.as_exact()(bracket.argument)[k]
        assert domain.contains(bracket.argument)
    assert minimum_shift(f, domain).tolist() == [-bracket.value for bracket in exact.minima]
    functional = rationals(["1/3", -1])
    assert maximum(f, domain, functional).value == maximum(f.as_exact(), domain, functional).value
    for above in (0.5, -0.5):  # of the second output
        bias = f.biases[-1] + floats(minimum_shift(f, domain)) + [1, above]
        moved = FullyConnected(f.weights, [*f.biases[:-1], bias], f.activation)
        answer = is_nonnegative(moved, domain)
        assert bool(answer) == (above > 0)
        if not answer:
            assert domain.contains(answer.witness)
            assert moved.as_exact()(answer.witness).min() == answer.value < 0


def test_the_range_over_thousands_of_cells():
    f = load(DATA / "larger_networks" / "rand_d2_w20_L10.npz")
    found = range_over(f, cube(2))
    assert methods(found) == {"cells"}
    # from the exact splitter, in seconds
    assert floats(found.lower).tolist() == [-4.546807614739132]
    assert floats(found.upper).tolist() == [-1.9197270624262164]


@pytest.mark.parametrize("plateau", [False, True])
def test_what_floats_do_not_decide_is_gone_through_exactly(plateau, monkeypatch):
    f = generic(3, (2, 8, 1, 1))
    if plateau:  # the last hidden neuron is zero on a third of all cells, and as many vertices are where the minimum is taken
        monkeypatch.setattr("verify.piecewise.skeleton.extremes.CANDIDATES", 5)
    else:  # kinks that meet: without biases
        f = FullyConnected(f.weights, [np.zeros(8), np.zeros(1), np.zeros(1)])
    found = range_over(f, cube(2))
    assert methods(found) == {"regions"}
    exact = range_over(f.as_exact(), cube(2))
    assert (found.lower.tolist(), found.upper.tolist()) == (exact.lower.tolist(), exact.upper.tolist())


def test_parameters_and_polytopes_that_floats_do_not_take():
    f = generic(1, (3, 4, 1))
    octahedron = Polytope.from_vertices([[s * (i == j) for j in range(3)] for i in range(3) for s in (1, -1)])
    assert not octahedron.is_simple
    assert cube(3).is_simple
    assert methods(range_over(f, octahedron)) == {"regions"}
    assert range_over(f, octahedron).upper.tolist() == range_over(f.as_exact(), octahedron).upper.tolist()
    for factor in (fmpq(10) ** 400, fmpq(10) ** -400):
        found = maximum(f, cube(3), [factor])
        assert (found.method, found.value) == ("regions", factor * range_over(f, cube(3)).upper[0])


def test_a_limit_holds_for_cells_in_floats(monkeypatch):
    f = generic(4, (2, 6, 1))
    count = len(list(linear_regions(f, cube(2))))
    assert range_over(f, cube(2), limit=count).maxima[0].method == "cells"
    assert range_over(f, cube(2), limit=count - 1).maxima[0].method == "branch and bound"
    monkeypatch.setattr("verify.piecewise.properties.MANY_VERTICES", 5)
    assert range_over(f, cube(2)).maxima[0].method == "regions"


@quick
@given(cases())
def test_jacobians_of_all_regions(drawn):
    f, domain, _ = drawn
    regions = list(linear_regions(f, domain))
    matrices = np.array([floats(region.matrix) for region in regions])
    rank = jacobian_rank(f, domain)
    assert rank.value == max(fmpq_mat(*region.matrix.shape, list(region.matrix.flat)).rank() for region in regions)
    for norm in (1, 2, math.inf):
        found = lipschitz_constant(f, domain, norm)
        largest = np.linalg.norm(matrices, norm, axis=(1, 2)).max()
        assert float(floats(np.array([found.lower]))[0]) == pytest.approx(largest, rel=1e-12, abs=1e-12)
        assert found.gap <= found.upper * fmpq(1, 2**120)
        assert found.exact or norm == 2
        here = np.linalg.norm(floats(f.as_exact().jacobian(found.argument)), norm)
        assert here == pytest.approx(largest, rel=1e-12, abs=1e-12)
        assert sum(region.polytope.contains(found.argument) for region in regions) == 1
    assert np.linalg.matrix_rank(floats(f.jacobian(rank.argument))) == rank.value
    assert sum(region.polytope.contains(rank.argument) for region in regions) == 1


def test_the_point_of_a_jacobian_is_on_no_kink_even_where_the_function_is_affine():
    # relu(x) - relu(-x) = x, and the middle of the interval is the kink of its neurons
    f = FullyConnected([rationals([[1], [-1]]), rationals([[1, -1]])])
    for found in (jacobian_rank(f, cube(1)), lipschitz_constant(f, cube(1))):
        assert found.value == 1
        assert f.jacobian(found.argument) == 1


def test_a_network_without_outputs():
    f = FullyConnected([np.zeros((0, 2))])
    assert [lipschitz_constant(f, cube(2), norm).value for norm in (1, 2, math.inf)] == [0, 0, 0]


def test_jacobian_rank_through_a_bottleneck():
    rng = np.random.default_rng(5)
    f = network(rng, (3, 6, 1, 6, 3), relu())
    assert jacobian_rank(f, cube(3)).value == 1
    found = jacobian_rank(FullyConnected([rationals(np.eye(3, dtype=int))] * 2), cube(3))
    assert found.value == 3
    assert all(found.argument > 0)


def test_known_lipschitz_constants():
    """Slopes of the sawtooth networks by construction; the others were computed with lipMIP and with HiGHS."""
    for entry in index("regions"):
        if entry["lipschitz"] is not None:
            f = load(DATA / "regions" / entry["file"])
            assert lipschitz_constant(f, cube(1), 1).value == fmpq(*entry["lipschitz"].as_integer_ratio())
    for file, known in (("rand_d2_w10_L3.npz", 4.919950596), ("rand_d2_w20_L3.npz", 4.235184)):
        f = load(DATA / "random_networks" / file)
        bracket = lipschitz_constant(f, cube(2), math.inf)
        assert float(floats(np.array([bracket.value]))[0]) == pytest.approx(known, abs=1e-6)


def test_affine_functions_of_many_variables():
    rng = np.random.default_rng(0)
    matrix = rng.integers(-3, 4, (2, 40))
    f = FullyConnected([rationals(matrix), rationals(np.eye(2, dtype=int))], [rationals([500, 500]), rationals([0, 1])])
    domain = Polytope.box([-1] * 40, [2] * 40)
    found = range_over(f, domain)
    highest = np.where(matrix > 0, 2 * matrix, -matrix).sum(axis=1) + np.array([500, 501])
    assert found.upper.tolist() == highest.tolist()
    assert f(found.minima[1].argument)[1] == found.lower[1]
    assert jacobian_rank(f, domain).value == 2
    assert lipschitz_constant(f, domain, 1).value == abs(matrix).sum(axis=0).max()
    assert lipschitz_constant(f, domain, math.inf).value == abs(matrix).sum(axis=1).max()


def test_two_norm_is_exact_where_it_is_rational():
    f = FullyConnected([rationals([[3, 0], [4, 0]]), rationals([[1, 0], [0, 1]])])
    assert lipschitz_constant(f, cube(2)).value == 5
    g = FullyConnected([rationals([[1, 1], [0, 1]]), rationals([[1, 0], [0, 1]])])
    found = lipschitz_constant(g, cube(2))
    assert not found.exact
    # the golden ratio
    assert found.lower**2 < found.lower + 1
    assert found.upper**2 > found.upper + 1
    with pytest.raises(ValueError, match=r"the number is known to lie between .* only: see lower and upper"):
        _ = found.value


def test_the_largest_frobenius_norm_need_not_have_the_largest_two_norm():
    """Jacobians diag(4, 0), diag(3, 3) and diag(3, 0): for x_1 < 0, and for 0 < x_2 < x_1, and for x_2 < 0 < x_1."""
    f = FullyConnected(
        [
            rationals([[1, 0], [-1, 0], [1, -1]]),
            rationals([[1, 0, 0], [0, 1, 0], [1, 0, -1]]),
            rationals([[3, -4, 0], [0, 0, 3]]),
        ]
    )
    domain = Polytope.from_vertices([[-1, -1], [1, -1], [1, 1]])
    found = lipschitz_constant(f, domain, 2)
    assert found.value == 4
    assert found.argument[0] < 0


def test_brackets_have_two_ends_in_order():
    with pytest.raises(ValueError, match="lower must not exceed upper, got 2 and 1"):
        Bracket(fmpq(2), fmpq(1), None, "regions")


F = FullyConnected([np.ones((2, 2)), np.ones((2, 2))])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: maximum(F, cube(2)), ValueError, "functional must be given for a network of 2 outputs"),
        (lambda: maximum(F, cube(2), [1]), ValueError, r"functional must have shape \(2,\), got \(1,\)"),
        (lambda: maximum(F, cube(2), [1, np.nan]), ValueError, "functional must be finite, got .*(NaN|nan|inf)"),
        (lambda: lipschitz_constant(F, cube(2), 3), ValueError, "norm must be 1, 2 or inf, got 3"),
        (lambda: lipschitz_constant(F, cube(2), np.ones(2)), ValueError, "norm must be 1, 2 or inf, got array"),
        (lambda: range_over(F, cube(3)), ValueError, "the polytope has dimension 3 but the network takes 2 inputs"),
        (lambda: jacobian_rank(F, cube(2), limit=0), ValueError, "limit must be at least 1, got 0"),
        (lambda: minimum_shift([F], cube(2)), TypeError, "network must be a FullyConnected"),
        (lambda: range_over(F, cube(2), limit=0), ValueError, "limit must be at least 1, got 0"),
        (lambda: lipschitz_constant(F, cube(2), limit=1), TooManyRegions, "there are more than limit = 1 linear regions"),
    ],
)
def test_arguments_are_validated(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_equality_of_bounds_with_an_equal_network():
    f = network(np.random.default_rng(2), (2, 6, 6, 1), relu())
    top = range_over(f, cube(2)).upper[0]
    capped = FullyConnected(
        [*f.weights[:-1], -f.weights[-1], rationals([[-1]])],
        [*f.biases[:-1], top - f.biases[-1], rationals([top])],
        f.activation,
    )
    assert equal(f, capped, cube(2))
    lower = FullyConnected(
        capped.weights, [*f.biases[:-1], top - fmpq(1, 1000) - f.biases[-1], rationals([top - fmpq(1, 1000)])]
    )
    found = equal(f, lower, cube(2))
    assert not found
    assert f(found.witness)[0] > top - fmpq(1, 1000)
