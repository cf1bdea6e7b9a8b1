"""ReLU layers of few neurons with integer values, as pairs of covariances."""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.feature_learning.constructions.layers import matrix_like
from theorems.feature_learning.constructions.pruning import number_in_use
from theorems.feature_learning.constructions.ranks import rank_of_layer
from verify import integers
from verify.arithmetic import Array, absolute, rationals, widened
from verify.cones.covariance_pairs import covariance_pair
from verify.cones.support_graphs import like
from verify.networks import relu


@widened
def biased_pair(vectors: Array, bias: Array) -> tuple[Array, Array]:
    """The pair of these neurons of a ReLU layer, for a batch of biases, ``(..., k, N), (...) -> (..., N, N)`` twice."""
    K, K_sigma = covariance_pair(vectors, relu())
    return K, K_sigma + matrix_like(bias**2)


@widened
def fewest_terms(vectors: Array) -> Array:
    """The rank of the pair where it is known, for one and two points; else the number of the terms that are given."""
    given = number_in_use(absolute(vectors).sum(axis=-1))
    if vectors.shape[-1] > 2:
        return given
    return like(rank_of_layer(vectors, np.array([1, 0]) + np.zeros((*vectors.shape[:-2], 2), dtype=np.int64)), vectors)


def one_neuron(values: Any, bias: Any = 0) -> dict[str, Array]:
    """A layer with a single neuron that has these values at the data points."""
    return {"vectors": rationals([[values]]), "bias": rationals([bias])}


VECTORS = integers(-2, 2, "neurons", "points", role="few values")
SIZES = {"neurons": range(1, 6), "points": range(1, 5)}
