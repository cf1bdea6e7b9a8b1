"""Networks and points with entries k/16: float64 computes with them without rounding, and they meet kinks and zeros often."""

import itertools

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from verify.networks import FullyConnected, absolute_value, identity, leaky_relu, relu

quick = settings(max_examples=60, deadline=None)

SLOPES = (relu(), leaky_relu(0.25), leaky_relu(-0.5), identity(), absolute_value())


def frozen(array):
    array.flags.writeable = False
    return array


def entries(rng, *shape):
    """Read-only multiples of 1/16 between -2 and 2, a fifth of them zero."""
    values = rng.integers(-32, 33, shape) / 16
    return frozen(np.where(rng.random(shape) < 0.2, 0.0, values))


def network(rng, widths, batch=(), activation=None):
    weights = [entries(rng, *batch, rows, columns) for columns, rows in itertools.pairwise(widths)]
    return FullyConnected(weights, [entries(rng, *batch, rows) for rows in widths[1:]], activation)


@st.composite
def networks(draw, widths=None, batch=(), activations=SLOPES, min_depth=1, max_depth=4):
    """A network and the generator that drew it, for more arrays."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if widths is None:
        widths = draw(st.lists(st.integers(1, 4), min_size=min_depth + 1, max_size=max_depth + 1))
    return network(rng, widths, batch, draw(st.sampled_from(activations))), rng
