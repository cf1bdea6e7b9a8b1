import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from integer_networks import DATA, cases, cube, load, network, points_of, polytope, quick, variant

from verify.networks import FullyConnected, HomogeneousActivation, absolute_value, compose, leaky_relu, relu, through_bottleneck
from verify.numbers.arithmetic import rational, rationals
from verify.piecewise import Polytope, TooManyRegions, equal, minimum_shift, simplify
from verify.piecewise.cells.integer_network import integer_network
from verify.piecewise.equality import by_regions


def regions_alone(f, g, domain):
    return by_regions(integer_network(f), integer_network(g), domain.cell, 10_000)


def is_witness(result, f, g, domain):
    values = f.as_exact()(result.witness), g.as_exact()(result.witness)
    return (
        domain.contains(result.witness)
        and any(values[0] != values[1])
        and all(np.all(one == own) for one, own in zip(values, result.values, strict=True))
    )


@quick
@given(cases())
def test_the_same_function_in_another_form(drawn):
    f, domain, rng = drawn
    g = variant(f, rng)
    found = equal(f, g, domain)
    assert found
    assert (found.method, found.witness, found.values) == ("structure", None, None)
    assert regions_alone(f, g, domain)


@quick
@given(cases(outputs=1), cases(outputs=1))
def test_any_two_networks(left, right):
    """A structure that is the same is a proof; else the answer is that of all regions, and a difference has a witness."""
    f, domain, rng = left
    g = network(rng, (f.widths[0], *right[0].widths[1:]), right[0].activation)
    found, alone = equal(f, g, domain), regions_alone(f, g, domain)
    assert found.equal == alone.equal
    points = points_of(domain, rng)
    if found:
        assert np.all(f(points) == g(points))
    else:
        assert is_witness(found, f, g, domain)
        assert is_witness(alone, f, g, domain)


@quick
@given(cases(min_depth=2, activations=(relu(), leaky_relu(fmpq(1, 4)))))
def test_a_changed_bias(drawn):
    f, domain, rng = drawn
    biases = list(f.biases)
    biases[-1] = biases[-1] + np.array([fmpq(0)] * (len(biases[-1]) - 1) + [fmpq(1, 2**60)], dtype=object)
    g = FullyConnected(f.weights, biases, f.activation)
    for found in (equal(f, variant(g, rng), domain), regions_alone(f, g, domain)):
        assert not found
        assert is_witness(found, f, g, domain)


def test_a_difference_on_a_small_set_is_found():
    """The positive part of 1/1000 - |x - 1/3| - |y - 1/5|."""
    bump = FullyConnected(
        [rationals([[1, 0], [-1, 0], [0, 1], [0, -1]]), rationals([[-1, -1, -1, -1]]), rationals([[1]])],
        [rationals(["-1/3", "1/3", "-1/5", "1/5"]), rationals(["1/1000"]), rationals([0])],
    )
    zero = FullyConnected([rationals([[0, 0]])])
    found = equal(bump, zero, cube(2))
    assert (found.equal, found.method) == (False, "regions")
    assert is_witness(found, bump, zero, cube(2))
    assert equal(bump, zero, Polytope.box([-1, -1], ["1/4", 1])).method == "structure"


def test_different_depths_and_activations():
    x = rationals([[1]])
    # |x| as relu(x) + relu(-x), and relu of x from |x|
    absolute = FullyConnected([x, x], activation=absolute_value())
    two = FullyConnected([rationals([[1], [-1]]), rationals([[1, 1]])])
    assert equal(absolute, two, cube(1)).method == "structure"
    leaky = FullyConnected([x, x], activation=leaky_relu(fmpq(1, 3)))
    assert equal(leaky, FullyConnected([rationals([[1], [-1]]), rationals([[1, "-1/3"]])]), cube(1)).method == "structure"
    assert equal(leaky, FullyConnected([x]), Polytope.box([0], [1])).method == "structure"
    assert not equal(leaky, FullyConnected([x]), cube(1))
    # max(x, y) in two ways: only the regions know
    higher = FullyConnected([rationals([[1, -1], [0, 1], [0, -1]]), rationals([[1, 1, -1]])])
    symmetric = FullyConnected([rationals([[1, -1], [-1, 1], [1, 1], [-1, -1]]), rationals([["1/2", "1/2", "1/2", "-1/2"]])])
    assert equal(higher, symmetric, cube(2))
    assert regions_alone(higher, symmetric, cube(2)).regions == 6


def through_fifty_inputs(activation, width):
    """Networks g and h, the padded composition as a function of the shift, a box of 50 dimensions, and scales."""
    rng = np.random.default_rng(width)
    inner = FullyConnected([rng.integers(-64, 65, (width, 50)) / 64], [rng.integers(-64, 65, width) / 64], activation)
    outer = FullyConnected(
        [rng.normal(size=(8, width)), rng.normal(size=(2, 8))], [rng.normal(size=8), rng.normal(size=2)], activation
    )
    return inner.as_exact(), outer.as_exact(), Polytope.box([-1] * 50, [2] * 50), rationals(rng.integers(1, 5, width))


@pytest.mark.parametrize(("activation", "width"), [(relu(), 200), (leaky_relu(0.25), 200), (relu(), 3)])
def test_depth_60_is_decided_by_structure(activation, width):
    """Theorem 1 of notion_of_rank: identity layers between g + s >= 0 and h, against h after g."""
    inner, outer, domain, scale = through_fifty_inputs(activation, width)
    built = through_bottleneck(inner, outer, 60, minimum_shift(inner, domain), scale)
    plain = compose(outer, inner, merge=True)
    assert (built.depth, plain.depth) == (60, 2)
    found = equal(built, plain, domain)
    assert (found.equal, found.method) == (True, "structure")
    assert simplify(built, domain).widths == simplify(plain, domain).widths == (50, 8, 2)


@pytest.mark.parametrize("activation", [relu(), leaky_relu(0.25)])
def test_depth_60_with_too_small_a_shift_is_refuted(activation):
    inner, outer, domain, scale = through_fifty_inputs(activation, 3)
    built = through_bottleneck(inner, outer, 60, minimum_shift(inner, domain) * fmpq(1, 2), scale)
    plain = compose(outer, inner, merge=True)
    found = equal(built, plain, domain)
    assert (found.equal, found.method) == (False, "points")
    assert is_witness(found, built, plain, domain)


def test_published_networks_with_an_identity_layer():
    f = load(DATA / "random_networks" / "rand_d2_w10_L3.npz")
    g = load(DATA / "regions" / "identity_insert_k1_rand_d2_w10_L3.npz")
    assert equal(f, g, cube(2)).method == "structure"
    found = regions_alone(f, g, cube(2))
    assert (found.equal, found.regions) == (True, 293)
    with pytest.raises(TooManyRegions, match="there are more than limit = 292 linear regions"):
        by_regions(integer_network(f), integer_network(g), cube(2).cell, 292)


ONE = FullyConnected([np.ones((1, 2))])


@pytest.mark.parametrize(
    ("f", "g", "domain", "error", "message"),
    [
        (
            ONE,
            FullyConnected([np.ones((1, 3))]),
            cube(2),
            ValueError,
            "f and g must have the same number of inputs, got 2 and 3",
        ),
        (
            ONE,
            FullyConnected([np.ones((3, 2))]),
            cube(2),
            ValueError,
            "f and g must have the same number of outputs, got 1 and 3",
        ),
        (ONE, ONE, cube(1), ValueError, "the polytope has dimension 1 but the network takes 2 inputs"),
        (ONE, 3, cube(2), TypeError, r"g must be a FullyConnected or have a method as_network\(\) that gives one, got int"),
        (FullyConnected([np.ones((2, 1, 2))]), ONE, cube(2), ValueError, r"f must be one network, got a batch of shape \(2,\)"),
        (ONE, ONE, None, TypeError, "polytope must be a Polytope"),
    ],
)
def test_arguments_are_validated(f, g, domain, error, message):
    with pytest.raises(error, match=message):
        equal(f, g, domain)


@quick
@given(cases(min_depth=2))
def test_simplified_networks_are_the_same_function(drawn):
    f, domain, rng = drawn
    # dead, repeated and mirrored neurons, and identity layers
    wide = FullyConnected(
        [
            np.vstack([f.weights[0], 2 * f.weights[0], 0 * f.weights[0]]),
            np.hstack([f.weights[1], f.weights[1], f.weights[1]]),
            *f.weights[2:],
        ],
        [np.concatenate([f.biases[0], 2 * f.biases[0], f.biases[0]]), *f.biases[1:]],
        f.activation,
    )
    small = simplify(wide, domain)
    assert regions_alone(small, wide, domain)
    assert small.depth <= f.depth
    assert sum(small.widths[1:-1]) <= sum(f.widths[1:-1])
    again = simplify(variant(wide, rng), domain)
    assert [w.tolist() for w in again.weights] == [w.tolist() for w in small.weights]
    assert [b.tolist() for b in again.biases] == [b.tolist() for b in small.biases]


@quick
@given(cases(min_depth=2, activations=(relu(),)))
def test_identity_layers_go(drawn):
    f, domain, rng = drawn
    padded = f.insert_identity_layers(1, 3)
    assert equal(padded, f, domain).method == "structure"
    assert simplify(padded, domain).widths == simplify(f, domain).widths
    bounds = polytope(rng, f.widths[0])
    assert regions_alone(simplify(padded, bounds), f, bounds)


SLOPES = [(1, 0), (1, "1/4"), (1, "-1/2"), (1, -1), (0, 1), (2, 3), (-1, 2)]


@pytest.mark.parametrize("slopes", SLOPES)
@pytest.mark.parametrize("seed", range(12))
def test_deep_sparse_networks(slopes, seed):
    """Mostly one weight for each neuron and no bias: forms return as they are, with a factor, negated, and clipped."""
    rng = np.random.default_rng([seed, SLOPES.index(slopes)])
    activation = HomogeneousActivation(*map(rational, slopes))
    domain = polytope(rng, 2)

    def sparse():
        weights = [rationals(rng.permuted(np.diag(rng.choice([-2, -1, 1, 1, 1, 3], 2)), axis=0)) for _ in range(5)]
        biases = [rationals(np.where(rng.random(2) < 0.8, 0, rng.integers(-1, 2, 2))) for _ in range(5)]
        return FullyConnected(weights, biases, activation)

    f, g = sparse(), sparse()
    assert regions_alone(simplify(f, domain), f, domain)
    assert equal(f, g, domain).equal == regions_alone(f, g, domain).equal
    longer = FullyConnected([*f.weights[:2], rationals(np.eye(2, dtype=int)), *f.weights[2:]], activation=activation)
    shorter = FullyConnected(f.weights, activation=activation)
    assert equal(longer, shorter, domain).equal == regions_alone(longer, shorter, domain).equal


@pytest.mark.parametrize("slopes", [(1, 0), (1, "1/4"), (2, 3)])
def test_what_keeps_its_sign_is_not_clipped_again(slopes):
    """relu(p x) = p relu(x), of either sign of x, decided by the structure alone."""
    activation = HomogeneousActivation(*map(rational, slopes))
    one = FullyConnected([rationals([[1], [-1]]), rationals([[1, 2]])], activation=activation)
    positive, negative = map(rational, slopes)
    twice = FullyConnected([rationals([[1], [-1]]), rationals([[1, 0], [0, 1]]), rationals([[1, 2]])], activation=activation)
    again = HomogeneousActivation(positive**2, negative**2)
    assert equal(twice, FullyConnected(one.weights, activation=again), cube(1)).method == "structure"
    assert equal(twice, one, cube(1)).equal == (slopes == (1, 0))


def test_maps_that_differ_but_not_at_the_mean():
    up, down = FullyConnected([rationals([[1]])]), FullyConnected([rationals([[-1]])])
    found = regions_alone(up, down, cube(1))
    assert (found.equal, found.regions) == (False, 1)
    assert is_witness(found, up, down, cube(1))


def test_what_simplify_leaves():
    x = rationals([[1, 0], [0, 1], [1, 1]])
    # on x, y > 0 all neurons keep their sign
    f = FullyConnected([x, rationals([[1, 2, 3]])], [rationals([0, 0, 0]), rationals([1])])
    positive = Polytope.box([1, 1], [2, 2])
    assert simplify(f, positive).weights[0].tolist() == [[4, 5]]
    # the third neuron is the sum of two that keep their sign; the first does not
    mixed = Polytope.box([-1, 1], [2, 2])
    h = FullyConnected([rationals([[1, 0], [0, 1], [0, 3]]), rationals([[1, 2, 3]])], [rationals([0, 0, 1]), rationals([1])])
    assert simplify(h, mixed).widths == (2, 2, 1)
    # normal form: integers without common factor, in lexicographic order
    g = FullyConnected([rationals([["1/2", "3/4"], [-4, 2]]), rationals([[1, 1]])])
    assert simplify(g, cube(2)).weights[0].tolist() == [[-2, 1], [2, 3]]
    assert simplify(g, cube(2)).weights[1].tolist() == [[2, fmpq(1, 4)]]
    # an output on which nothing depends
    constant = FullyConnected([x, rationals([[0, 0, 0]])], [rationals([0, 0, 0]), rationals([7])])
    assert simplify(constant, cube(2)).widths == (2, 1)
    assert simplify(constant, cube(2)).biases[0].tolist() == [7]
