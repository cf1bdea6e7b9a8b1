import itertools
import pickle

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.cones._exact import null_space
from verify.networks import FullyConnected, absolute_value, add, compose, leaky_relu, relu
from verify.numbers.arithmetic import rationals
from verify.piecewise import (
    Factorisation,
    NotAFactorisation,
    Polytope,
    bottleneck_rank_upper_bound,
    equal,
    factor_through,
    from_breakpoints,
    from_pieces,
    linear_regions,
)

quick = settings(max_examples=25, deadline=None)
SEEDS = st.integers(0, 2**32 - 1)
SQUARE = Polytope.box([-2, -2], [2, 2])


def random_network(rng, widths, activation=None):
    weights = [rationals(rng.integers(-4, 5, (n, m))) / 3 for m, n in itertools.pairwise(widths)]
    return FullyConnected(weights, [rationals(rng.integers(-3, 4, n)) / 2 for n in widths[1:]], activation)


def check_witness(result, f, g):
    x, y = result.witness
    assert not result
    assert np.all(g(x) == g(y))
    assert np.any(f(x) != f(y))
    assert np.all(result.values[0] == f(x))
    assert np.all(result.values[1] == f(y))
    return x, y


@quick
@given(SEEDS, st.sampled_from([relu(), leaky_relu(fmpq(1, 4))]), st.integers(1, 2))
def test_what_is_composed_factors_and_the_outer_function_comes_back(seed, activation, outputs):
    rng = np.random.default_rng(seed)
    g, h = random_network(rng, (2, 3, 1), activation), random_network(rng, (1, 3, outputs), activation)
    f = compose(h, g, merge=True)
    result = factor_through(f, g, SQUARE)
    assert result
    assert result.witness is None
    found = Factorisation(g, result.outer)
    assert bottleneck_rank_upper_bound(f, found, SQUARE) == 1
    assert np.all(h(result.knots[:, None]) == result.heights)
    middles = (result.knots[1:] + result.knots[:-1])[:, None] / 2
    assert np.all(h(middles) == (result.heights[1:] + result.heights[:-1]) / 2)


@quick
@given(SEEDS, st.integers(1, 2))
def test_a_change_beside_the_factorisation_is_refuted(seed, dimension):
    rng = np.random.default_rng(seed)
    g = random_network(rng, (3, 3, dimension))
    box = Polytope.box([-2] * 3, [2] * 3)
    f = compose(random_network(rng, (dimension, 3, 2)), g, merge=True)
    # a small linear function that changes along the kernel of g in one region
    matrix = next(linear_regions(g, box)).matrix
    direction = null_space(matrix)[0]
    small = FullyConnected([np.stack([direction / 1000, 0 * direction])]).insert_identity_layers(0, 2, rationals([2, 2, 2]))
    check_witness(factor_through(add(f, small), g, box), add(f, small), g)


def test_two_cells_that_are_sent_to_the_same_interval():
    interval = Polytope.box([-1], [2])
    absolute = from_pieces([([1], 0), ([-1], 0)], "max")
    positive = from_pieces([([1], 0), ([0], 0)], "max")
    x, y = check_witness(factor_through(positive, absolute, interval), positive, absolute)
    assert x[0] == -y[0]
    assert not factor_through(absolute, from_pieces([([1], 0), ([0], 0)], "max"), interval)
    square = from_breakpoints([-2, -1, 0, 1, 2], [4, 1, 0, 1, 4])
    result = factor_through(square, absolute, interval)
    assert result.knots.tolist() == [0, 1, 2]
    assert result.heights.tolist() == [[0], [1], [4]]


def test_a_constant_inner_function():
    constant = FullyConnected([rationals([[0, 0]])], [rationals([7])])
    f = FullyConnected([rationals([[0, 0]])], [rationals([5])])
    result = factor_through(f, constant, SQUARE)
    assert result.knots.tolist() == [7]
    assert result.outer(rationals([7])).tolist() == [5]
    check_witness(
        factor_through(from_pieces([([1, 0], 0)], "max"), constant, SQUARE), from_pieces([([1, 0], 0)], "max"), constant
    )


def fold():
    """(|x_1|, x_2)"""
    return FullyConnected([rationals([[1, 0], [-1, 0], [0, 1], [0, -1]]), rationals([[1, 1, 0, 0], [0, 0, 1, -1]])])


def test_two_dimensions_through_a_fold():
    # ||x_1| - 1| + x_2: cells whose images meet in a line only, with different affine functions
    h = FullyConnected(
        [rationals([[1, 0], [-1, 0], [0, 1], [0, -1]]), rationals([[1, 1, 1, -1]])], [rationals([-1, 1, 0, 0]), rationals([0])]
    )
    f = compose(h, fold(), merge=True)
    result = factor_through(f, fold(), SQUARE)
    assert result
    assert result.outer is None
    assert result.cells > 4
    assert bottleneck_rank_upper_bound(f, Factorisation(fold(), h), SQUARE) == 2
    first = FullyConnected([rationals([[1, 0]])])
    x, y = check_witness(factor_through(first, fold(), SQUARE), first, fold())
    assert x[0] == -y[0] != 0
    # the difference is seen only where the images overlap: on x_1 < 0 < x_1 + x_2 < 0.01
    corner = FullyConnected([rationals([[1, 1], [-1, 0]]), rationals([[0, 1]])], [rationals([-2, -1]), rationals([0])])
    check_witness(factor_through(corner, fold(), SQUARE), corner, fold())


def test_the_tripod_is_not_a_function_of_its_own_maximum_but_of_itself():
    tripod = FullyConnected(
        [rationals([[1, 0], [0, 1], [-1, -1]]), rationals([[1, 0, 0], [0, 1, 0], [0, 0, 1]])], [rationals([0] * 3)] * 2
    )
    total = FullyConnected([tripod.weights[0], rationals([[1, 1, 1]])], [rationals([0] * 3), rationals([0])])
    check_witness(factor_through(tripod, total, SQUARE), tripod, total)
    assert factor_through(total, tripod, SQUARE)
    assert factor_through(tripod, tripod, SQUARE)


def test_the_limit_holds_for_the_common_refinement(monkeypatch):
    monkeypatch.setattr("verify.piecewise.regions.linear_regions.__kwdefaults__", {"limit": 1})
    g = from_pieces([([1, 0], 0), ([0, 1], 0)], "max")
    assert factor_through(g, g, SQUARE, limit=10).cells == 4


def test_an_activation_whose_slopes_have_equal_absolute_values():
    g = FullyConnected([rationals([[1, 1]]), rationals([[2]])], activation=absolute_value())
    f = FullyConnected([rationals([[1, 1]]), rationals([[3]])], [rationals([0]), rationals([1])], absolute_value())
    result = factor_through(f, g, SQUARE)
    assert result.outer.activation.negative == 0
    assert result.outer(rationals([2])).tolist() == [4]


def test_a_wrong_factorisation_names_the_point():
    g = from_pieces([([1, 0], 0), ([0, 1], 0)], "max")
    h = from_breakpoints([-2, 0, 2], [0, 1, 3])
    right = Factorisation(g, h)
    assert right.dimension == 1
    assert equal(right.network, compose(h, g, merge=True), SQUARE)
    wrong = Factorisation(g, from_breakpoints([-2, 0, 2], [0, 1, fmpq(301, 100)]))
    assert bottleneck_rank_upper_bound(right.network, right, SQUARE) == 1
    with pytest.raises(NotAFactorisation, match=r"the function is \(.*\) at x = \(.*\) but outer\(inner\(x\)\) is") as raised:
        bottleneck_rank_upper_bound(right.network, wrong, SQUARE)
    point = raised.value.equality.witness
    assert right.network(point) != wrong.network(point)
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (lambda g: Factorisation(g, g), ValueError, "outer takes 2 inputs but inner gives 1 outputs"),
        (lambda g: Factorisation(g, from_breakpoints([0], [1]).as_float()), ValueError, "one network is exact"),
        (
            lambda g: Factorisation(g, from_breakpoints([0], [1], activation=leaky_relu(2))),
            ValueError,
            "the activations must agree",
        ),
        (lambda g: Factorisation("g", g), TypeError, "inner must be a FullyConnected"),
        (lambda g: factor_through(g, from_breakpoints([0], [1]), SQUARE), ValueError, "same number of inputs, got 2 and 1"),
        (lambda g: factor_through(g, g, Polytope.box([0], [1])), ValueError, "the polytope has dimension 1"),
        (lambda g: factor_through(g, g, SQUARE, limit=1), ValueError, "more than limit = 1"),
        (lambda g: factor_through(g, 3, SQUARE), TypeError, "inner must be a FullyConnected"),
        (
            lambda g: bottleneck_rank_upper_bound(g, (g, from_breakpoints([0], [1])), SQUARE),
            TypeError,
            r"factorisation must be a Factorisation\(inner, outer\), got tuple",
        ),
    ],
)
def test_arguments_are_validated(build, error, message):
    g = from_pieces([([1, 0], 0), ([0, 1], 0)], "max")
    with pytest.raises(error, match=message):
        build(g)
