import numpy as np
import pytest
from dyadic import SLOPES, entries, network, networks, quick
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from verify.networks import FullyConnected, HomogeneousActivation, add, compose, leaky_relu, relu, through_bottleneck
from verify.numbers.arithmetic import rationals

BATCHES = st.sampled_from([((), ()), ((3,), ()), ((2, 1), (3,))])


def partner(draw_rng, f, inputs, outputs, batch=()):
    widths = (inputs, *draw_rng.integers(1, 4, draw_rng.integers(0, 3)), outputs)
    return network(draw_rng, tuple(map(int, widths)), batch, f.activation)


def squares(*arrays):
    return sum((array**2).sum() for array in arrays)


@quick
@given(networks(max_depth=3), BATCHES, st.booleans())
def test_merged_composition(drawn, batches, exact):
    f, rng = drawn
    inner = network(rng, f.widths, batches[0], f.activation)
    outer = partner(rng, f, f.widths[-1], 2, batches[1])
    x = entries(rng, 5, 1, 1, f.widths[0])
    if exact:
        inner, outer, x = inner.as_exact(), outer.as_exact(), rationals(x)
    g = compose(outer, inner, merge=True)
    assert g.depth == inner.depth + outer.depth - 1
    assert g.batch_shape == np.broadcast_shapes(*batches)
    assert np.all(g(x) == outer(inner(x)))


@quick
@given(networks(max_depth=3))
def test_composition_with_the_activation_between(drawn):
    inner, rng = drawn
    outer = partner(rng, inner, inner.widths[-1], 2)
    x = entries(rng, 5, inner.widths[0])
    g = compose(outer, inner, merge=False)
    assert g.depth == inner.depth + outer.depth
    assert np.array_equal(g(x), outer(inner.activation(inner(x))))
    assert g.parameter_norm_squared == inner.parameter_norm_squared + outer.parameter_norm_squared


@quick
@given(networks(max_depth=3), BATCHES, st.booleans())
def test_sum(drawn, batches, exact):
    f, rng = drawn
    widths = (f.widths[0], *(int(n) for n in rng.integers(1, 4, f.depth - 1)), f.widths[-1])
    left, right = network(rng, f.widths, batches[0], f.activation), network(rng, widths, batches[1], f.activation)
    x = entries(rng, 5, 1, 1, f.widths[0])
    if exact:
        left, right, x = left.as_exact(), right.as_exact(), rationals(x)
    g = add(left, right)
    assert g.depth == f.depth
    assert np.all(g(x) == left(x) + right(x))
    if f.depth > 1:
        cross = 2 * (left.biases[-1] * right.biases[-1]).sum(axis=-1)
        assert np.all(g.parameter_norm_squared == left.parameter_norm_squared + right.parameter_norm_squared + cross)


@quick
@given(networks(max_depth=2, activations=SLOPES[:4]), st.integers(0, 3), st.booleans())
def test_through_a_bottleneck(drawn, extra, exact):
    """The function, and the exact norm of notion_of_rank, Theorem 1."""
    inner, rng = drawn
    k = inner.widths[-1]
    outer = partner(rng, inner, k, 2)
    x = entries(rng, 5, inner.widths[0])
    shift, scale = np.maximum(0, -inner(x).min(axis=0)), 2.0 ** rng.integers(-3, 4, k)
    if exact:
        inner, outer, x, shift, scale = inner.as_exact(), outer.as_exact(), *map(rationals, (x, shift, scale / 3))
    depth = inner.depth + outer.depth + extra
    g = through_bottleneck(inner, outer, depth, shift, scale)
    assert g.depth == depth
    assert np.all(g(x) == outer(inner(x)))

    rest = squares(*inner.weights[:-1], *inner.biases[:-1], *outer.weights[1:], *outer.biases[1:])
    rows = (inner.weights[-1] ** 2).sum(axis=1) + (inner.biases[-1] + shift) ** 2
    columns = (outer.weights[0] ** 2).sum(axis=0)
    joint = (scale**2 * rows).sum() + (columns / scale**2).sum() + squares(outer.biases[0] - outer.weights[0] @ shift)
    assert g.parameter_norm_squared == rest + joint + k * extra


@quick
@given(networks(max_depth=2, activations=(relu(),)), st.integers(0, 3))
def test_through_a_bottleneck_without_shift_and_scale(drawn, extra):
    inner, rng = drawn
    outer = partner(rng, inner, inner.widths[-1], 2)
    g = through_bottleneck(inner, outer, inner.depth + outer.depth + extra)
    x = entries(rng, 5, inner.widths[0])
    assert np.array_equal(g(x), outer(np.maximum(inner(x), 0)))
    assert g.parameter_norm_squared == inner.parameter_norm_squared + outer.parameter_norm_squared + extra * inner.widths[-1]


def test_through_a_bottleneck_of_width_zero_is_the_constant():
    inner, outer = FullyConnected([np.zeros((0, 3))]), FullyConnected([np.zeros((2, 0))], [np.array([3.0, 4.0])])
    g = through_bottleneck(inner.as_exact(), outer.as_exact(), 7)
    assert g(rationals(np.ones(3))).tolist() == [3, 4]
    assert g.parameter_norm_squared == 25
    merged = compose(outer.as_exact(), inner.as_exact(), merge=True)
    assert all(isinstance(entry, fmpq) for entry in merged.weights[0].flat)


def one_layer(outputs, inputs, activation=None):
    return FullyConnected([np.ones((outputs, inputs))], activation=activation)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: compose(one_layer(1, 3), one_layer(4, 2), merge=True), "outer takes 3 inputs but inner gives 4 outputs"),
        (
            lambda: compose(one_layer(1, 1), one_layer(1, 1, leaky_relu(0.5)), merge=False),
            r"the activations must agree, got HomogeneousActivation\(positive=1, negative=0\) and .*negative=0.5",
        ),
        (
            lambda: compose(one_layer(1, 1), one_layer(1, 1).as_exact(), merge=True),
            "one network is exact and the other float: convert with",
        ),
        (
            lambda: add(one_layer(1, 1), one_layer(1, 1).pad_to_depth(2)),
            "depth must agree, got left 1 and right 2: see pad_to_depth",
        ),
        (lambda: add(one_layer(1, 1), one_layer(1, 2)), "inputs must agree, got left 1 and right 2"),
        (lambda: add(one_layer(1, 1), one_layer(2, 1)), "outputs must agree, got left 1 and right 2"),
        (lambda: through_bottleneck(one_layer(1, 1), one_layer(1, 2), 3), "outer takes 2 inputs but inner gives 1 outputs"),
        (lambda: through_bottleneck(one_layer(1, 1), one_layer(1, 1), 1), r"depth must be at least 1 \+ 1 .*, got 1"),
        (
            lambda: through_bottleneck(one_layer(1, 1), one_layer(1, 1), 2, scale=np.array([-1.0])),
            "scale must be positive: a negative scale does not pass through the activation",
        ),
        (
            lambda: through_bottleneck(*[one_layer(1, 1, HomogeneousActivation(2, 0))] * 2, 2),
            "identity layers need slope 1 for t >= 0, got 2",
        ),
    ],
)
def test_arguments_are_validated(build, message):
    with pytest.raises(ValueError, match=message):
        build()


def test_equal_slopes_of_a_batch_agree():
    slopes = np.array([0.25, 0.5])
    f, g = (one_layer(1, 1, leaky_relu(slopes)).as_exact() for _ in range(2))
    assert compose(f, g, merge=False).batch_shape == (2,)
