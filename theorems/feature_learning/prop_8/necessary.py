r"""Proposition 8, the other direction: no network has covariances of a rank above its width.

Statement
    The pair of a hidden layer of width n has a rank of at most n.
Checked
    For the rank itself where it is known: one point, two points with the ReLU, and the identity. Else for the largest of its
    lower bounds: the ranks of :math:`K_\ell` and of :math:`K_\ell^\sigma - \beta^211^T`, and the bound of the CP-rank of the
    latter for the ReLU. (With the bias, :math:`K_\ell^\sigma` may have the rank n + 1.)
Proof idea
    The n rows of the layer are such terms.
Sharp
    Independent neurons.
Source
    feature_learning, Proposition 8 (Proposition 20 in the appendix).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import SLOPES, homogeneous
from theorems.feature_learning.constructions.layers import DATA, WEIGHTS, gram, representations
from theorems.feature_learning.constructions.ranks import rank_of_layer
from verify import Claim, Domain, Relation, Source, Tight, le
from verify.arithmetic import Array, chosen_rationals, rationals
from verify.cones.support_graphs import like
from verify.matrices import rank


def hidden_rows(weights: Sequence[Array], points: Array, slopes: Array, bias: Array) -> list[Array]:
    """The representations of the hidden layers, on rationals: a rank is no matter of rounding."""
    exact = [chosen_rationals(weight) for weight in weights]
    inputs, exact_slopes, amount = (chosen_rationals(each) for each in (points, slopes, bias))
    return representations(exact, inputs, homogeneous(exact_slopes), amount)[0][:-1]


def ranks_are_at_most_the_width(weights: Sequence[Array], points: Array, slopes: Array, bias: Array) -> Relation:
    """The largest rank of a pair against the width of the hidden layers."""
    layers = hidden_rows(weights, points, slopes, bias)
    ranks = np.stack([rank_of_layer(rows, slopes) for rows in layers], axis=-1).max(axis=-1)
    return le(like(ranks, points), 0 * bias + layers[0].shape[-2])


# False variants


def rank_with_the_bias(weights: Sequence[Array], points: Array, slopes: Array, bias: Array) -> Relation:
    """The rank of the second covariance with its bias is at most the width."""
    seen = representations(weights, points, homogeneous(slopes), bias)[1][1]
    return le(like(rank(gram(seen)), points), 0 * bias + seen.shape[-2] - 1)


def rank_of_the_first_covariance(weights: Sequence[Array], points: Array, slopes: Array, bias: Array) -> Relation:
    """The rank of the pair is that of its first covariance."""
    rows = hidden_rows(weights, points, slopes, bias)[0]
    return le(like(rank_of_layer(rows, slopes), points), like(rank(gram(rows)), points))


def two_neurons() -> dict[str, Any]:
    """Two neurons for two points."""
    return {
        "weights": (rationals([[[1, 0, 0], [0, 1, 0]]]), rationals([[[1, 1, 1]]])),
        "points": rationals([[[1, 0], [0, 1]]]),
        "slopes": rationals([[1, 0]]),
        "bias": rationals([1]),
    }


def both_signs() -> dict[str, Any]:
    """A neuron of each sign for one point: rank 2, though the covariances have rank 1."""
    return {
        "weights": (rationals([[[1, 0], [-1, 0]]]), rationals([[[1, 1, 1]]])),
        "points": rationals([[[1]]]),
        "slopes": rationals([[1, 0]]),
        "bias": rationals([1]),
    }


NECESSARY = Claim(
    id="feature_learning.prop_8.necessary",
    title="No network has covariances of a rank above its width",
    source=Source("feature_learning", "Proposition 8"),
    statement=ranks_are_at_most_the_width,
    domain=Domain(
        {"weights": WEIGHTS, "slopes": SLOPES, **DATA},
        {"depth": (2, 3), "inputs": (1, 2, 3), "width": (1, 2, 3, 5), "outputs": (1, 2), "points": (1, 2, 4)},
    ),
    tight={"two neurons for two points": Tight(two_neurons), "both signs for one point": Tight(both_signs)},
    false_neighbours={
        "with the covariance of the biases": rank_with_the_bias,
        "the rank of the first covariance": rank_of_the_first_covariance,
    },
    cost=10,
)
