"""Small networks with integer parameters: their kinks meet, coincide and vanish often. And the networks of the data folder."""

import itertools
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
from flint import fmpq
from hypothesis import settings
from hypothesis import strategies as st

from verify.networks import FullyConnected, absolute_value, identity, leaky_relu, relu
from verify.numbers.arithmetic import rationals
from verify.piecewise import Polytope

DATA = Path(__file__).parent.parent / "data" / "piecewise"

quick = settings(max_examples=30, deadline=None)

ACTIVATIONS = (relu(), relu(), leaky_relu(Fraction(1, 4)), leaky_relu(Fraction(-1, 2)), absolute_value(), identity())


def generic(seed, widths, activation=None):
    rng = np.random.default_rng(seed)
    weights = [rng.standard_normal((n, m)) for m, n in itertools.pairwise(widths)]
    return FullyConnected(weights, [rng.standard_normal(n) for n in widths[1:]], activation)


def network(rng, widths, activation=None):
    def entries(*shape):
        return rationals(np.where(rng.random(shape) < 0.25, 0, rng.integers(-3, 4, shape)))

    weights = [entries(rows, columns) for columns, rows in itertools.pairwise(widths)]
    return FullyConnected(weights, [entries(rows) for rows in widths[1:]], activation)


def polytope(rng, dimension):
    """A box, or the hull of a few random points."""
    if rng.random() < 0.5:
        lower = rng.integers(-3, 1, dimension)
        return Polytope.box(lower, lower + rng.integers(1, 5, dimension))
    while True:
        points = rng.integers(-3, 4, (dimension + 3, dimension))
        if np.linalg.matrix_rank(points[1:] - points[0]) == dimension:
            return Polytope.from_vertices(points)


@st.composite
def cases(draw, activations=ACTIVATIONS, min_depth=1, max_depth=3, max_inputs=3, outputs=None):
    """A network, a polytope of its inputs, and the generator that drew them, for more."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    inputs = draw(st.integers(1, max_inputs))
    hidden = draw(st.lists(st.integers(0, 4), min_size=min_depth - 1, max_size=max_depth - 1))
    widths = (inputs, *hidden, outputs or draw(st.integers(1, 2)))
    return network(rng, widths, draw(st.sampled_from(activations))), polytope(rng, inputs), rng


def points_of(domain, rng, count=5):
    """Random rational points of a polytope, shape ``(count, d)``."""
    weights = rationals(rng.integers(1, 30, (count, len(domain.vertices))))
    return (weights @ domain.vertices) / weights.sum(axis=1)[:, None]


def load(path):
    with np.load(path) as arrays:
        count = len(arrays.files) // 2
        return FullyConnected([arrays[f"W{k}"] for k in range(count)], [arrays[f"b{k}"] for k in range(count)])


def cube(dimension):
    return Polytope.box([-1] * dimension, [1] * dimension)


def index(folder):
    return json.loads((DATA / folder / "index.json").read_text())


def variant(network, rng):
    """The same function: neurons permuted and rescaled by powers of two."""
    weights, biases = list(network.as_exact().weights), list(network.as_exact().biases)
    for layer in range(network.depth - 1):
        order = rng.permutation(len(biases[layer]))
        scale = np.array([fmpq(2) ** int(k) for k in rng.integers(-3, 4, len(order))], dtype=object)
        weights[layer] = weights[layer][order] * scale[:, None]
        biases[layer] = biases[layer][order] * scale
        weights[layer + 1] = weights[layer + 1][:, order] / scale
    return FullyConnected(weights, biases, network.activation.as_exact())
