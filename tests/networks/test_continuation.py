import numpy as np
import pytest
from dyadic import entries, frozen, network, networks, quick
from hypothesis import assume, given

from verify.matrices import RankUndecided
from verify.matrices import rank as matrix_rank
from verify.networks import FullyConnected, identity, leaky_relu, relu
from verify.networks.continuation import depth_continuation
from verify.networks.training import Adam, Cosine, finish, he_network, train
from verify.numbers.arithmetic import rationals


@quick
@given(networks(activations=(relu(), identity(), leaky_relu(0.25)), min_depth=2, max_depth=4))
def test_values_are_kept_exactly_and_each_layer_adds_the_rank(drawn):
    f, rng = drawn
    f = f.as_exact()
    x = rationals(np.abs(entries(rng, 4, f.widths[0])))
    position = int(rng.integers(0, f.depth))
    activations = f.activations(x)[position]
    assume(f.activation.negative == 1 or all(entry >= 0 for entry in activations.flat))
    g = depth_continuation(f, x, 3, position=position)
    assert g.depth == f.depth + 3
    assert np.all(g(x) == f(x))
    assert g.parameter_norm_squared - f.parameter_norm_squared == 3 * int(matrix_rank(activations))


@pytest.mark.parametrize("batch", [(), (3,)])
def test_floats_keep_values_up_to_rounding(library, batch):
    rng = np.random.default_rng(3)
    f = network(rng, (3, 6, 6, 2), batch)
    f = FullyConnected([*map(library.asarray, f.weights)], [*map(library.asarray, f.biases)])
    x = library.asarray(rng.standard_normal((*batch, 4, 3)))
    g = depth_continuation(f, x, 5)
    moved = library.asarray(np.moveaxis(library.on_host(x), -2, 0))
    before, after = library.on_host(f(moved)), library.on_host(g(moved))
    np.testing.assert_allclose(after, before, rtol=1e-13, atol=1e-13 * np.abs(before).max())
    ranks = library.on_host(matrix_rank(g.weights[2]))
    added = library.on_host(g.parameter_norm_squared) - library.on_host(f.parameter_norm_squared)
    np.testing.assert_allclose(added, 5 * ranks, rtol=1e-12)


def test_a_trained_network_is_made_deeper_and_trained_on():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((60, 4))
    y = np.maximum(x @ rng.standard_normal((4, 1)), 0) @ np.array([[1.0, -0.5, 2.0]])
    ridge = 0.002
    f = he_network(rng, (4, *[12] * 8, 3))
    f = train(f, x, y, steps=1500, optimiser=Adam(Cosine(0.01, 1500, warm_up=50)), ridge=ridge).network
    f = finish(f, x, y, ridge=ridge, iterations=300).network
    values = np.linalg.svd(f.activations(x)[4], compute_uv=False)
    assert values[1] < 0.05 * values[0]  # the bottleneck: the values depend on one direction of the input
    g = depth_continuation(f, x, 8, rank=1)
    assert g.depth == 17
    assert g.parameter_norm_squared == pytest.approx(float(f.parameter_norm_squared) + 8, rel=1e-12)
    assert np.abs(g(x) - f(x)).max() < 3 * values[1] / values[0] * np.abs(f(x)).max()
    further = train(g, x, y, steps=300, optimiser=Adam(Cosine(0.001, 300)), ridge=ridge)
    assert further.history[-1] < further.history[0]
    middle = np.linalg.svd(further.network.weights[8], compute_uv=False)
    assert abs(middle[0] - 1) < 0.05
    assert middle[1] < 0.05


F = network(np.random.default_rng(1), (2, 3, 2))
X = frozen(np.ones((4, 2)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: depth_continuation(F, np.ones(2), 1), r"points must have shape \(..., N, 2\), got \(2,\)"),
        (lambda: depth_continuation(F, X, -1), "layers must be at least 0, got -1"),
        (lambda: depth_continuation(F, X, 1, position=2), "position must be between 0 and 1, got 2: 2 layers"),
        (lambda: depth_continuation(F, -X, 1, position=0), "the activations of layer 0 must not be negative on the points"),
        (
            lambda: depth_continuation(F, X, 1, rank=4),
            "rank must be between 0 and 3, the smaller of width and number of points",
        ),
        (
            lambda: depth_continuation(F.as_exact(), rationals(X), 1, rank=1),
            "rank is for float networks: the leading singular vectors of rationals are not rational",
        ),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_activations_without_a_gap_ask_for_a_rank():
    f = FullyConnected([np.diag([1.0, 1e-11]), np.ones((1, 2))])
    with pytest.raises(RankUndecided):
        depth_continuation(f, np.eye(2), 1)
    assert depth_continuation(f, np.eye(2), 1, rank=1).depth == 3
