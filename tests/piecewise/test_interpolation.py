import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.networks import absolute_value, from_lattice, leaky_relu, relu
from verify.numbers.arithmetic import rationals
from verify.piecewise import Polytope, linear_regions
from verify.piecewise.interpolation import from_breakpoints, from_pieces, triangulated_interpolant

quick = settings(max_examples=40, deadline=None)
SEEDS = st.integers(0, 2**32 - 1)
ACTIVATIONS = st.sampled_from([None, relu(), leaky_relu(0.25), leaky_relu(-2)])

L_SHAPE = (
    [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1], [0, 2], [1, 2]],
    [[0, 1, 3], [1, 4, 3], [1, 2, 4], [2, 5, 4], [3, 4, 6], [4, 7, 6]],
)
# a star that is not convex: the point 0 sees four arms of different lengths
DART = ([[0, 0], [4, 0], [1, 1], [0, 4], [-1, 1], [-4, 0], [0, -1]], [[0, i, i % 6 + 1] for i in range(1, 7)])


def square_annulus():
    outer = [(2, 2), (0, 2), (-2, 2), (-2, 0), (-2, -2), (0, -2), (2, -2), (2, 0)]
    inner = [(x // 2, y // 2) for x, y in outer]
    around = [(i, (i + 1) % 8) for i in range(8)]
    return outer + inner, [[i, j, 8 + i] for i, j in around] + [[j, 8 + j, 8 + i] for i, j in around]


def random_points(rng, count, dimension):
    return rationals(np.unique(rng.integers(-40, 41, (count, dimension)), axis=0)) / 7


def random_pieces(rng, count, dimension):
    return [(rng.integers(-8, 9, dimension) / 4, int(rng.integers(-8, 9))) for _ in range(count)]


def value(pieces, x):
    return [sum(rationals(a) * x) + fmpq(b) for a, b in pieces]


@quick
@given(SEEDS, st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(1, 3), ACTIVATIONS)
def test_pieces(seed, sizes, dimension, activation):
    rng = np.random.default_rng(seed)
    groups = [random_pieces(rng, size, dimension) for size in sizes]
    x = rationals(rng.integers(-20, 21, dimension)) / 3
    f = from_pieces(groups, "max of mins", activation)
    assert f(x)[0] == max(min(value(group, x)) for group in groups)
    assert f.depth == math.ceil(math.log2(max(sizes))) + math.ceil(math.log2(len(sizes))) + 1
    assert from_pieces(groups[0], "max", activation)(x)[0] == max(value(groups[0], x))
    assert from_pieces(groups[0], "min", activation)(x)[0] == min(value(groups[0], x))


@pytest.mark.parametrize("kind", ["max", "min"])
@pytest.mark.parametrize("levels", [1, 2, 3, 4])
def test_the_norm_of_a_power_of_two_of_pieces(kind, levels):
    rows = rationals(np.random.default_rng(levels).integers(-5, 6, (2**levels, 3)))
    f = from_pieces([(row[:2], row[2]) for row in rows], kind)
    first = sum(sum((a - b) ** 2) + 2 * sum(b**2) for a, b in zip(rows[::2], rows[1::2], strict=True))
    assert f.parameter_norm_squared == first + 6 * 2**levels - 9


def test_outputs_of_a_lattice_share_pieces():
    matrix, offsets = rationals([[1], [-1], [0]]), rationals([0, 0, 2])
    f = from_lattice(matrix, offsets, [[[0], [1]], [[0, 1]], [[0, 2], [1, 2]], [[2]]])
    for t in (-3, -1, 0, fmpq(1, 2), 5):
        assert f(rationals([t])).tolist() == [abs(t), -abs(t), min(abs(t), 2), 2]


@quick
@given(SEEDS, st.integers(1, 6), st.integers(1, 3), ACTIVATIONS)
def test_breakpoints(seed, count, outputs, activation):
    rng = np.random.default_rng(seed)
    knots = rationals(np.sort(rng.choice(60, count, replace=False))) / 7
    values, left, right = (rationals(rng.integers(-3, 4, shape)) for shape in ((count, outputs), outputs, outputs))
    f = from_breakpoints(knots, values, left_slope=left, right_slope=right, activation=activation)
    assert f.depth == 2
    for i, (knot, expected) in enumerate(zip(knots, values, strict=True)):
        assert np.all(f(knot[None] if isinstance(knot, np.ndarray) else rationals([knot])) == expected)
        if i + 1 < count:
            middle = rationals([(knot + knots[i + 1]) / 2])
            assert np.all(f(middle) == (expected + values[i + 1]) / 2)
    assert np.all(f(rationals([knots[0] - 5])) == values[0] - 5 * left)
    assert np.all(f(rationals([knots[-1] + 5])) == values[-1] + 5 * right)
    bends = linear_regions(f, Polytope.box([knots[0] - 1], [knots[-1] + 1]))
    slopes = {tuple(map(str, region.matrix.ravel())) for region in bends}
    assert len(slopes) <= count + 1


def test_the_norm_of_a_tent_and_kinks_that_are_none():
    tent = from_breakpoints([-1, 0, 1, 2], [0, 1, 0, 0])
    assert tent.widths == (1, 3, 1)  # the knot at 2 is no kink
    assert tent.parameter_norm_squared == sum(1 + t**2 + c**2 for t, c in ((-1, 1), (0, -2), (1, 1)))
    assert from_breakpoints([Fraction(1, 3)], ["5/7"]).widths == (1, 0, 1)
    line = from_breakpoints([0, 1], [0, 2], left_slope=2, right_slope=2)
    assert linear_regions(line, Polytope.box([-1], [1])).__next__().matrix[0, 0] == 2


def check_interpolant(points, values, simplices, f):
    """On every simplex, all linear regions have the affine map that the corners determine."""
    points, values = rationals(points), rationals(values)
    values = values[:, None] if values.ndim == 1 else values
    for corners in simplices:
        for region in linear_regions(f, Polytope.from_vertices(points[corners])):
            for vertex in corners:
                assert np.all(region.matrix @ points[vertex] + region.offset == values[vertex])


@pytest.mark.parametrize("shape", [L_SHAPE, DART, square_annulus()], ids=["L", "dart", "annulus"])
def test_triangulations_that_are_not_convex(shape):
    points, simplices = shape
    values = np.random.default_rng(0).integers(-4, 5, (len(points), 2))
    check_interpolant(points, values, simplices, triangulated_interpolant(points, values, simplices))


@pytest.mark.parametrize(("seed", "count", "dimension"), [(0, 6, 2), (1, 9, 2), (2, 6, 3)])
def test_delaunay(seed, count, dimension):
    from scipy.spatial import Delaunay

    rng = np.random.default_rng(seed)
    points = random_points(rng, count, dimension)
    values = rng.integers(-4, 5, len(points))
    f = triangulated_interpolant(points, values, activation=leaky_relu(0.5) if seed == 0 else None)
    check_interpolant(points, values, Delaunay(points.astype(float)).simplices, f)


def test_thirds_on_an_edge_give_no_flat_triangle():
    points = rationals([["0", "1"], ["1/3", "2/3"], ["2/3", "1/3"], ["1", "0"], ["0", "0"], ["1/7", "1/7"]])
    values = rationals(["1/3", "5", "-1/7", "2", "1/2", "1"])
    f = triangulated_interpolant(points, values)
    assert np.all(f(points)[:, 0] == values)
    # affine on the edge of thirds
    assert np.all(f((points[:-3] + points[1:-2]) / 2)[:, 0] == (values[:-3] + values[1:-2]) / 2)


def test_a_convex_star_is_one_minimum():
    points = [[0, 0], [1, 0], [1, 1], [0, 1], [-1, 0], [-1, -1], [0, -1]]
    hexagon = [[0, i, i % 6 + 1] for i in range(1, 7)]
    hat = triangulated_interpolant(points, [1, 0, 0, 0, 0, 0, 0], hexagon)
    assert hat.depth == 3 + 1 + 1  # the minimum of six, the maximum with zero, the output
    assert hat(rationals([[0, 0], [5, 0], [fmpq(1, 2), fmpq(1, 4)]]))[:, 0].tolist() == [1, 0, fmpq(1, 2)]


def test_one_dimension_takes_points_in_any_order_and_gaps():
    f = triangulated_interpolant([[3], [0], [1], [5]], [7, 1, 2, 9], [[1, 2], [0, 3]])
    assert f.depth == 2
    assert [f(rationals([t]))[0] for t in (0, fmpq(1, 2), 1, 4, 5)] == [1, fmpq(3, 2), 2, 8, 9]


def test_zero_values():
    f = triangulated_interpolant([[0, 0], [1, 0], [0, 1]], [[0, 0]] * 3)
    assert f(rationals([1, 2])).tolist() == [0, 0]


TRIANGLE = [[0, 0], [4, 0], [0, 4]]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: from_pieces([], "max"), "pieces must be at least one pair"),
        (lambda: from_pieces([[]], "max of mins"), "pieces must be at least one pair"),
        (lambda: from_pieces([([1], 0)], "mean"), "kind must be 'max', 'min' or 'max of mins', got 'mean'"),
        (lambda: from_pieces([([1], 0), 3], "max"), "pieces must hold pairs .* got 3"),
        (lambda: from_pieces([([1], 0), ([1, 2], 0)], "max"), "vectors a of the pieces must be"),
        (lambda: from_pieces([([1], math.nan)], "max"), "numbers b of the pieces must be finite"),
        (lambda: from_pieces([([1], 0)], "max", absolute_value()), "slopes must differ in absolute value"),
        (lambda: from_lattice(np.eye(2), np.zeros(2), [[[2]]]), r"indices of the 2 pieces, 0 to 1, got \[2\]"),
        (lambda: from_lattice(np.eye(2), np.zeros(2), [[]]), "at least one list of at least one group"),
        (lambda: from_breakpoints([], []), "knots must not be empty"),
        (lambda: from_breakpoints([0, 1], [1]), "values must be one for each of 2 knots, got 1"),
        (lambda: from_breakpoints([0, 0], [1, 2]), "knots must increase, got 0 before 0 at index 0"),
        (lambda: from_breakpoints([0, math.inf], [1, 2]), "knots must be finite"),
        (lambda: from_breakpoints([0], [[1, 2]], left_slope=[1]), "left_slope must be a number or have 2 entries"),
        (lambda: from_breakpoints([0], [1], activation=absolute_value()), "slopes must differ in absolute value"),
        (lambda: triangulated_interpolant([[0, 0], [1, 1]], [0, 1]), r"at least d \+ 1 in d dimensions, got 2 in 2"),
        (lambda: triangulated_interpolant([[0, 0], [1, 1], [2, 2]], [0, 1, 2]), "must not lie in a hyperplane"),
        (lambda: triangulated_interpolant([[0, 0], [10**400, 0], [0, 1]], [0, 1, 2]), "must not lie in a hyperplane"),
        (
            lambda: triangulated_interpolant([[0], [2], [1]], [0, 1, 5], [[1, 0], [0, 2]]),
            r"simplices must share a face or nothing, got simplices\[0\] = \[1, 0\] with points\[2\] = 1 inside",
        ),
        (
            lambda: triangulated_interpolant([[0], [1]], [0, 1], [[0, 1], [1]]),
            "simplices must be rows of 2 integers, got rows of",
        ),
        (lambda: from_breakpoints([0, 1], [[0], [1, 2]]), "values must be an array, or lists of equal lengths"),
        (
            lambda: from_breakpoints([0, 1], [0, 1], activation=leaky_relu(np.array([0.1, 0.2]))),
            r"activation must be one activation, got a batch of shape \(2,\)",
        ),
        (lambda: triangulated_interpolant(TRIANGLE, [0, 1]), "values must be one for each of 3 points, got 2"),
        (lambda: triangulated_interpolant([[0, 0], [4, 0], [0, 4], [4, 0]], [0, 1, 2, 1]), r"points\[1\] = points\[3\]"),
        (lambda: triangulated_interpolant(TRIANGLE, [0, 1, 2], [[0, 1]]), r"integers of shape \(M, 3\)"),
        (lambda: triangulated_interpolant(TRIANGLE, [0, 1, 2], [[0, 1, 3]]), "indices of the 3 points, got 0 to 3"),
        (lambda: triangulated_interpolant([*TRIANGLE, [8, 0]], [0, 1, 2, 3], [[0, 1, 3], [0, 1, 2]]), r"\[0, 1, 3\] is flat"),
        (lambda: triangulated_interpolant([*TRIANGLE, [9, 9]], [0, 1, 2, 3], [[0, 1, 2]]), r"points\[3\] is not"),
        (
            lambda: triangulated_interpolant([*TRIANGLE, [1, 1]], [1, 1, 1, 2], [[0, 1, 2], [0, 1, 3]]),
            "overlap or meet elsewhere",
        ),
        (  # the corner (2, 0) lies inside an edge of the first triangle
            lambda: triangulated_interpolant([*TRIANGLE, [2, 0], [2, -2]], [1, 1, 1, 3, 1], [[0, 1, 2], [0, 3, 4], [3, 1, 4]]),
            "overlap or meet elsewhere",
        ),
    ],
)
def test_arguments_are_validated(build, message):
    with pytest.raises(ValueError, match=message):
        build()


def test_overlaps_are_found_whichever_simplex_comes_first():
    points, values = [*TRIANGLE, [1, 1], [5, 5]], [0, 0, 0, 1, 0]
    for order in itertools.permutations([[0, 1, 2], [1, 3, 4]]):
        with pytest.raises(ValueError, match="overlap or meet elsewhere"):
            triangulated_interpolant(points, values, list(order))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: from_pieces(3, "max"), "pieces must be pairs .* got 3"),
        (lambda: from_pieces([3], "max of mins"), "pieces must be pairs .* got 3"),
        (lambda: from_pieces([([1], 0)], "max", "relu"), "activation must be a HomogeneousActivation .* got 'relu'"),
        (lambda: from_breakpoints([0, 1], [0, 1], activation=np.tanh), "activation must be a HomogeneousActivation"),
        (lambda: from_breakpoints([0, 1], [0, 1], activation=leaky_relu(arb(2))), "activation must have .* got balls"),
        (
            lambda: triangulated_interpolant(TRIANGLE, [0, 0, 0], activation="relu"),
            "activation must be a HomogeneousActivation",
        ),
    ],
)
def test_types_are_validated(build, message):
    with pytest.raises(TypeError, match=message):
        build()
