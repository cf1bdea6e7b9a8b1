import itertools

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from integer_networks import DATA, cases, cube, index, load, network, points_of, quick

from verify.networks import FullyConnected, relu
from verify.numbers.arithmetic import compare, rationals
from verify.piecewise import Polytope, TooManyRegions, linear_pieces, linear_regions

KNOWN = [("regions", entry["file"], entry["expected"]) for entry in index("regions")] + [
    ("random_networks", entry["net"], entry["value"]) for entry in index("random_networks")
]


@pytest.mark.parametrize(("folder", "file", "expected"), KNOWN)
def test_published_counts(folder, file, expected):
    f = load(DATA / folder / file)
    domain = cube(f.widths[0])
    regions = linear_regions(f, domain)
    assert sum(region.polytope.volume for region in regions) == domain.volume
    assert regions.count == expected
    assert regions.complete


def signs(f, x):
    return [compare(values, 0) for values in f.preactivations(x)[:-1]]


@quick
@given(cases(max_inputs=4))
def test_regions_cover_the_polytope_once_with_their_pattern_and_their_affine_map(drawn):
    f, domain, rng = drawn
    regions = list(linear_regions(f, domain))
    assert sum(region.polytope.volume for region in regions) == domain.volume
    for region in regions:
        assert all(map(domain.contains, region.polytope.vertices))
        inside = region.interior_point
        assert np.all(region.polytope.normals @ inside < region.polytope.offsets)
        for own, there in zip(region.pattern, signs(f, inside), strict=True):
            assert list(own) == there.tolist()
        hull = Polytope.from_vertices(region.polytope.vertices)
        assert (len(hull.vertices), len(hull.normals)) == (len(region.polytope.vertices), len(region.polytope.normals))
        points = np.vstack([region.polytope.vertices, inside[None]])
        assert np.all(f(points) == points @ region.matrix.T + region.offset)
    # random points see no other pattern
    patterns = {region.pattern for region in regions}
    assert len(patterns) == len(regions)
    for point in points_of(domain, rng):
        found = [region for region in regions if region.polytope.contains(point)]
        assert found
        assert any(
            all(np.all((values == own) | (values == 0)) for own, values in zip(r.pattern, signs(f, point), strict=True))
            for r in found
        )


@quick
@given(cases(max_inputs=1, outputs=1))
def test_pieces_of_one_variable_end_where_the_slope_changes(drawn):
    f, domain, _ = drawn
    pieces = linear_pieces(f, domain)
    ordered = sorted((min(region.polytope.vertices[:, 0]), piece) for piece in pieces for region in piece.regions[:1])
    assert sum(len(piece.regions) for piece in pieces) == len(list(linear_regions(f, domain)))
    assert all(one.matrix[0, 0] != other.matrix[0, 0] for (_, one), (_, other) in itertools.pairwise(ordered))


def test_cells_and_pieces_are_two_counts():
    # relu(x) - relu(-x) = x; mirrored and repeated neurons make no new cells
    f = FullyConnected([rationals([[1], [-1], [2]]), rationals([[1, -1, 0]])])
    assert len(list(linear_regions(f, cube(1)))) == 2
    (piece,) = linear_pieces(f, cube(1))
    assert piece.matrix.tolist() == [[1]]
    # |x| and |y| added: four cells, four pieces; max(0, x) alone: the cells of y are merged
    weights = rationals([[1, 0], [0, 1]])
    assert len(linear_pieces(FullyConnected([weights, rationals([[1, 1]])]), cube(2))) == 4
    assert len(linear_pieces(FullyConnected([weights, rationals([[1, 0]])]), cube(2))) == 2
    # one affine map on two separate sides: zero for x <= -1/2 and x >= 1/2
    hat = FullyConnected([rationals([[2], [2], [2]]), rationals([[1, -2, 1]])], [rationals([1, 0, -1]), rationals([0])])
    assert [piece.matrix[0, 0] for piece in linear_pieces(hat, cube(1))].count(0) == 2


def test_a_preactivation_that_vanishes_has_the_sign_zero():
    f = FullyConnected([rationals([[1]]), rationals([[1]]), rationals([[1]])])
    assert {region.pattern for region in linear_regions(f, cube(1))} == {((1,), (1,)), ((-1,), (0,))}


def test_networks_of_one_layer_and_of_no_neurons():
    affine = FullyConnected([rationals([[1, 2]])], [rationals([3])])
    empty = FullyConnected([np.zeros((0, 2)), np.zeros((1, 0))], [np.zeros(0), np.array([3.0])])
    for f, matrix in ((affine, [[1, 2]]), (empty, [[0, 0]])):
        (region,) = linear_regions(f, cube(2))
        assert region.matrix.tolist() == matrix
        assert region.offset.tolist() == [3]
        assert region.polytope.volume == 4


def test_floats_are_taken_as_they_are():
    third = FullyConnected([np.array([[1.0]]), np.array([[1.0]])], [np.array([-1 / 3]), np.array([0.0])])
    kinks = [region.polytope.vertices for region in linear_regions(third, cube(1))]
    assert fmpq(*(1 / 3).as_integer_ratio()) in kinks[0]
    assert fmpq(1, 3) not in kinks[0]


def test_the_count_grows_and_the_limit_holds():
    f = network(np.random.default_rng(0), (2, 5, 5, 1))
    total = len(list(linear_regions(f, cube(2))))
    regions = linear_regions(f, cube(2), limit=total)
    next(regions)
    assert (regions.count, regions.complete) == (1, False)
    assert sum(1 for _ in regions) == total - 1
    assert regions.complete
    short = linear_regions(f, cube(2), limit=total - 1)
    for _ in range(2):
        with pytest.raises(
            TooManyRegions, match=f"there are more than limit = {total - 1} linear regions: give a larger limit"
        ):
            list(short)
    assert (short.count, short.complete) == (total - 1, False)


ONE = FullyConnected([np.ones((1, 2))])


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (lambda: linear_regions(ONE, cube(3)), ValueError, "the polytope has dimension 3 but the network takes 2 inputs"),
        (
            lambda: linear_regions(FullyConnected([np.ones((4, 1, 2))]), cube(2)),
            ValueError,
            r"network must be one network, got a batch of shape \(4,\): choose one with network\[i\]",
        ),
        (
            lambda: linear_regions(FullyConnected([np.ones((1, 0))]), cube(2)),
            ValueError,
            "network must have at least one input",
        ),
        (lambda: linear_regions(np.ones((1, 2)), cube(2)), TypeError, r"network must be a FullyConnected or .*, got ndarray"),
        (
            lambda: linear_regions(ONE, ([-1, -1], [1, 1])),
            TypeError,
            r"polytope must be a Polytope \(Polytope.box, .*got tuple",
        ),
        (
            lambda: linear_regions(FullyConnected([np.array([[arb(2).sqrt()]], dtype=object)]), cube(1)),
            TypeError,
            "network must have floats or rationals as parameters and slopes, got balls",
        ),
        (lambda: linear_regions(ONE, cube(2), limit=0), ValueError, "limit must be at least 1, got 0"),
        (lambda: linear_regions(ONE, cube(2), limit=2.5), TypeError, "limit must be an integer, at least 1, got 2.5"),
        (
            lambda: linear_regions(FullyConnected([np.ones((1, 50))]), Polytope.box([0] * 50, [1] * 50)),
            ValueError,
            "of dimension 50",
        ),
        (
            lambda: linear_regions(FullyConnected([np.ones((1, 2))], activation=np.tanh), cube(2)),
            TypeError,
            "activation must be",
        ),
    ],
)
def test_arguments_are_validated(build, error, message):
    with pytest.raises(error, match=message):
        build()


def test_the_first_regions_and_the_limit_come_long_before_the_last_region():
    """The first layer alone has more than 200 000 regions."""
    f = network(np.random.default_rng(3), (4, 60, 1), relu())
    f = FullyConnected(f.weights, [b / 7 for b in f.biases])
    regions = linear_regions(f, cube(4), limit=20)
    assert len({next(regions).pattern for _ in range(20)}) == 20
    assert (regions.count, regions.complete) == (20, False)
    with pytest.raises(TooManyRegions):
        next(regions)


def test_objects_that_are_networks():
    class Factors:
        def __init__(self, network):
            self.network = network

        def as_network(self):
            return self.network

    f = network(np.random.default_rng(1), (2, 4, 1), relu())
    assert len(list(linear_regions(Factors(f), cube(2)))) == len(list(linear_regions(f, cube(2))))
    with pytest.raises(TypeError, match=r"network.as_network\(\) must give a FullyConnected, got int"):
        linear_regions(Factors(3), cube(2))
