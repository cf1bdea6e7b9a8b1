r"""Lemma 10: from any neurons, at most N(N+1) are left, and no fewer than the ranks of the covariances.

Statement
    .. math:: \mathrm{Rank}\,K \le \mathrm{Rank}_\sigma(K, K^\sigma) \le N(N+1)

    for :math:`K = \sum_i z_iz_i^T`, :math:`K^\sigma = \sum_i\sigma(z_i)\sigma(z_i)^T + \beta^211^T`.
Checked
    For any rows, scaled rows with the same pair are left after pruning, and their number is between the bounds; also (ours)
    above the rank of :math:`K^\sigma - \beta^211^T`.
Proof idea
    Pairs without bias are a cone in N(N+1) dimensions, and Caratheodory's theorem leaves that many of any number of terms,
    which homogeneity turns into scaled rows. k terms have rank at most k, and so has :math:`K^\sigma - \beta^211^T`.
Sharp
    One row has rank 1 and one term. For one point, rows of both signs have rank 2 = N(N+1).
Not checked
    For two and more points N(N+1) - 1 suffice by the theorem of Fenchel and Bunt, but not always from among the given rows, so
    that pruning does not show it.
Source
    feature_learning, Lemma 10. The bound by the rank of the second covariance is ours.
"""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS, Activation, homogeneous
from theorems.feature_learning.constructions.layers import gram, matrix_like
from theorems.feature_learning.constructions.pairs import second_parts
from theorems.feature_learning.constructions.pruning import keep_pair, number_in_use
from theorems.feature_learning.constructions.tuples import near_roots
from verify import Claim, Domain, Relation, Source, Tight, eq, ge, integers, interval, le
from verify.arithmetic import Array, rationals
from verify.cones.support_graphs import like
from verify.matrices import rank
from verify.variables import Sizes


def weighted_gram(rows: Array, weights: Array) -> Array:
    """The sum of the weighted products."""
    return np.asarray(np.swapaxes(rows, -1, -2) @ (weights[..., None] * rows))


def terms_between_the_bounds(rows: Array, activation: Activation, bias: Array) -> Relation:
    """The number of rows that are left after pruning, with the same pair, against both bounds."""
    image = activation(rows)
    weights = keep_pair(rows, image)
    # scaled rows, and what the rounding of the roots leaves
    roots, left = near_roots(weights)
    scaled = roots[..., None] * rows
    offset = matrix_like(bias**2)
    terms, count = number_in_use(weights), rows.shape[-1]
    lower = like(np.maximum(rank(rows), rank(image)), rows)
    return (
        eq(weighted_gram(scaled, left), gram(rows), name="first covariance", over=2)
        & eq(weighted_gram(activation(scaled), left) + offset, gram(image) + offset, name="second covariance", over=2)
        & ge(weights, 0 * weights, name="no negative weight", over=1)
        & le(lower, terms, name="lower bound")
        & le(terms, 0 * terms + count * (count + 1), name="upper bound")
    )


# False variants


def one_row_fewer(rows: Array, activation: Activation, bias: Array) -> Relation:
    """N(N + 1) - 1 of the rows are enough; all are needed where their pairs are independent."""
    generators = np.concatenate([second_parts(rows), second_parts(activation(rows))], axis=-1)
    number, count = rows.shape[-2], rows.shape[-1]
    needed = like(np.where(rank(generators) == number, number, 0), bias)
    return le(needed, 0 * needed + count * (count + 1) - 1)


def as_many_terms_as_the_rank(rows: Array, activation: Activation, bias: Array) -> Relation:
    """No more of the rows than the rank of K are needed."""
    del bias
    generators = np.concatenate([second_parts(rows), second_parts(activation(rows))], axis=-1)
    number = rows.shape[-2]
    needed = like(np.where(rank(generators) == number, number, 0), rows)
    return le(needed, like(rank(rows), rows))


def both_signs() -> dict[str, Array | Activation]:
    """Four rows for one point, of both signs."""
    return {
        "rows": rationals([[[1], [-2], [3], [-1]]]),
        "activation": homogeneous(rationals([[1, 0]])),
        "bias": rationals([1]),
    }


def one_row() -> dict[str, Array | Activation]:
    """One row for two points."""
    return {"rows": rationals([[[1, -2]]]), "activation": homogeneous(rationals([[1, 0]])), "bias": rationals([0])}


ROWS = {1: (1, 2, 4, 5), 2: (1, 4, 6, 9), 3: (1, 5, 12, 15), 4: (2, 20, 22)}
"""By the number of points: up to a few more rows than the bound."""


def around_the_bound(sizes: Sizes) -> bool:
    """The numbers of rows for the number of points."""
    return sizes["rows"] in ROWS[sizes["points"]]


CLAIM = Claim(
    id="feature_learning.lemma_10",
    title="The rank of a pair is between the rank of K and N(N + 1)",
    source=Source("feature_learning", "Lemma 10"),
    statement=terms_between_the_bounds,
    domain=Domain(
        {"rows": integers(-4, 4, "rows", "points"), "activation": ACTIVATIONS, "bias": interval(0, 2)},
        {"rows": sorted({number for numbers in ROWS.values() for number in numbers}), "points": tuple(ROWS)},
        HOMOGENEOUS,
        sizes_where=around_the_bound,
    ),
    needs=("the activation is homogeneous",),
    tight={
        "both signs": Tight(both_signs, of=("upper bound", "no negative weight"), partly=True),
        "one row": Tight(one_row, of=("lower bound",)),
    },
    false_neighbours={
        "N(N + 1) - 1 of the rows": one_row_fewer,
        "as many of the rows as the rank of K": as_many_terms_as_the_rank,
    },
    cost=40,
)
