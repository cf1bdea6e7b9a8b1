import math
import pickle

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st
from integer_networks import cube, quick
from scipy.spatial import ConvexHull

from verify.numbers.arithmetic import floats, rationals
from verify.piecewise import Polytope


def as_set(points):
    return {tuple(map(str, point)) for point in points}


@st.composite
def point_sets(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    dimension = draw(st.integers(1, 4))
    points = rng.integers(-4, 5, (dimension + 1 + draw(st.integers(0, 6)), dimension))
    points[-1] = points[0]
    return np.vstack([points, np.eye(dimension, dtype=int) * 3, -3 * np.ones((1, dimension), dtype=int)])


@quick
@given(point_sets())
def test_hulls_agree_with_qhull(points):
    hull = Polytope.from_vertices(points)
    assert all(hull.contains(point) for point in points)
    assert np.all(hull.normals @ hull.interior_point < hull.offsets)
    if points.shape[1] == 1:
        assert as_set(hull.vertices) == as_set(rationals([[points.min()], [points.max()]]))
        assert hull.volume == int(points.max() - points.min())
        return
    float_hull = ConvexHull(points)
    assert as_set(hull.vertices) == as_set(rationals(points[float_hull.vertices]))
    assert float(hull.volume.p) / float(hull.volume.q) == pytest.approx(float_hull.volume, rel=1e-12)


@quick
@given(point_sets())
def test_inequalities_and_vertices_describe_the_same_polytope(points):
    hull = Polytope.from_vertices(points)
    # redundant rows: one facet twice, and one that touches a vertex only
    normals = np.vstack([hull.normals, 2 * hull.normals[:1], hull.normals.sum(axis=0)[None]])
    touching = max(hull.vertices @ normals[-1])
    keep = slice(None) if any(normals[-1]) else slice(-1)
    offsets = np.concatenate([hull.offsets, 2 * hull.offsets[:1], [touching]])
    again = Polytope.from_inequalities(normals[keep], offsets[keep])
    assert as_set(again.vertices) == as_set(hull.vertices)
    assert len(again.normals) == len(hull.normals)
    assert again.volume == hull.volume


@pytest.mark.parametrize("dimension", [1, 2, 3, 4, 5])
def test_cubes_and_cross_polytopes(dimension):
    box = Polytope.box([-1] * dimension, [2] * dimension)
    assert box.volume == 3**dimension == Polytope.from_vertices(box.vertices).volume
    assert len(box.vertices) == 2**dimension
    cross = Polytope.from_vertices(np.vstack([np.eye(dimension), -np.eye(dimension)]))
    assert cross.volume == fmpq(2**dimension, math.factorial(dimension))
    assert len(cross.normals) == 2**dimension
    assert len(cross.vertices) == 2 * dimension
    assert not any(cross.interior_point)


def test_an_inequality_that_touches_a_face_of_many_vertices_is_no_facet():
    normals = np.vstack([np.eye(4), -np.eye(4), [[1, 1, 0, 0]]])
    box = Polytope.from_inequalities(normals, [1] * 8 + [2])
    assert len(box.normals) == 8
    assert box.volume == 16


def test_a_box_of_many_dimensions_is_not_enumerated():
    box = Polytope.box([0] * 50, [2] * 50)
    assert box.dimension == 50
    assert box.volume == 2**50
    assert box.contains([1] * 50)
    assert not box.contains([1] * 49 + [fmpq(5, 2)])
    with pytest.raises(
        ValueError, match=r"a box of dimension 50 has 2\^50 vertices: vertices and linear regions are enumerated up"
    ):
        _ = box.vertices


def test_polygons_go_around():
    rng = np.random.default_rng(0)
    polygon = Polytope.from_vertices(rng.integers(-9, 10, (12, 2)))
    x, y = polygon.vertices.T
    area = (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2
    assert area == polygon.volume > 0


def test_floats_are_the_rationals_that_they_are():
    box = Polytope.box([0.0], [0.1])
    assert box.volume == fmpq(*(0.1).as_integer_ratio()) != fmpq(1, 10)
    assert not box.contains([fmpq(1, 10) + fmpq(1, 2**50)])


def test_a_sliver_has_interior_points():
    """Thinner than any tolerance; its mean in floats lies outside."""
    thin = fmpq(1, 2**80)
    points = rationals([[0, 0], [1, 0], [1, 0]])
    points[0] = [fmpq(1, 3), fmpq(1, 3)]
    points[1] = [fmpq(4, 3), fmpq(4, 3)]
    points[2] = [fmpq(1), fmpq(1) + thin]
    sliver = Polytope.from_vertices(points)
    assert sliver.volume == thin / 2
    assert np.all(sliver.normals @ sliver.interior_point < sliver.offsets)
    # beyond the largest float
    assert Polytope.box([0], [fmpq(10) ** 400]).volume == fmpq(10) ** 400
    far = Polytope.from_vertices(rationals([[0], [1]]) * fmpq(10) ** 400)
    assert far.contains(far.interior_point)


def test_arrays_are_read_only_and_polytopes_pickle():
    triangle = Polytope.from_vertices([[0, 0], [1, 0], [0, 1]])
    for array in (triangle.vertices, triangle.normals, triangle.offsets, triangle.interior_point):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    again = pickle.loads(pickle.dumps(triangle))
    assert as_set(again.vertices) == as_set(triangle.vertices)
    assert repr(again) == "Polytope(dimension=2, facets=3)"
    assert np.array_equal(floats(cube(2).interior_point), [0, 0])


SQUARE = [[1, 0], [-1, 0], [0, 1], [0, -1]]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Polytope.from_inequalities(SQUARE[:3], [1, 1, 1]), "the polytope is unbounded: the 3 inequalities must"),
        (lambda: Polytope.from_inequalities(SQUARE[:2], [1, 1]), "the polytope is unbounded: the 2 inequalities must"),
        (lambda: Polytope.from_inequalities(SQUARE, [0, -1, 1, 1]), "the polytope is empty: no point satisfies the 4"),
        (lambda: Polytope.from_inequalities(SQUARE[:2], [0, -1]), "the polytope is empty: no point satisfies the 2"),
        (
            lambda: Polytope.from_inequalities(SQUARE, [1, -1, 1, 1]),
            r"no interior points: the inequalities \[0, 1\] hold with equality on all of it",
        ),
        (lambda: Polytope.from_inequalities([[0, 0], *SQUARE], [1] * 5), r"normals\[0\] must not be zero"),
        (lambda: Polytope.from_inequalities(SQUARE, [1, 1, 1]), "offsets must be one for each of 4 normals, got 3"),
        (lambda: Polytope.from_inequalities([1, 2], [1, 1]), r"normals must have 2 axes, got shape \(2,\)"),
        (lambda: Polytope.from_inequalities([[1, 2], [1]], [1, 1]), "normals must be an array, or lists of equal lengths"),
        (lambda: Polytope.from_inequalities(SQUARE, [1, 1, np.nan, 1]), "offsets must be finite, got .*(NaN|nan|inf)"),
        (lambda: Polytope.box([0, 0], [1]), r"lower and upper must have the same shape, got \(2,\) and \(1,\)"),
        (lambda: Polytope.box([0, 2], [1, 2]), r"lower must be below upper, got lower\[1\] = 2 and upper\[1\] = 2"),
        (lambda: Polytope.box([0], [np.inf]), "upper must be finite, got .*(NaN|nan|inf)"),
        (lambda: Polytope.box([], []), r"lower must not be empty, got shape \(0,\)"),
        (lambda: Polytope.box(["a"], [1]), "lower must hold real numbers"),
        (lambda: Polytope.box([1j], [1]), "lower must hold real numbers .* got dtype complex128"),
        (
            lambda: Polytope.from_vertices([[0, 0], [1, 1], [2, 2], [2, 2]]),
            "points must span the space, got 3 different points of dimension 2 that lie in a hyperplane",
        ),
        (lambda: cube(2).contains([1]), r"x must have shape \(2,\), got \(1,\)"),
        (lambda: cube(1).contains([np.nan]), "x must be finite, got .*(NaN|nan|inf)"),
    ],
)
def test_arguments_are_validated(build, message):
    with pytest.raises(ValueError, match=message):
        build()


def test_balls_are_no_coordinates():
    with pytest.raises(TypeError, match="lower must hold floats or rationals, got balls"):
        Polytope.box(np.array([arb(0)], dtype=object), [1])
