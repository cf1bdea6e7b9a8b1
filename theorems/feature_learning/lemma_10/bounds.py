r"""Lemma 10: at most N(N+1) neurons are left, at least the ranks.

Statement
    .. math:: \mathrm{Rank}\,K \le \mathrm{Rank}_\sigma(K, K^\sigma) \le N(N+1)

    for :math:`K = \sum_i z_iz_i^T`, :math:`K^\sigma = \sum_i\sigma(z_i)\sigma(z_i)^T + \beta^211^T`.
Checked
    For any rows, scaled rows with the same pair are left after pruning, and their number is between the bounds; also
    (derived here) above the rank of :math:`K^\sigma - \beta^211^T`.
Proof idea
    Pairs without bias are a cone in N(N+1) dimensions, and Caratheodory's theorem leaves that many of any number of terms,
    which homogeneity turns into scaled rows. k terms have rank at most k, and so has :math:`K^\sigma - \beta^211^T`.
Tight
    One row has rank 1 and one term. For one point, rows of both signs have rank 2 = N(N+1).
Not checked
    For two and more points N(N+1) - 1 suffice by the theorem of Fenchel and Bunt, but not always from among the given rows, so
    that pruning does not show it.
Source
    feature_learning, Lemma 10. The bound by the rank of the second covariance is derived here.
"""

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS, homogeneous
from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.constructions.pairs import second_parts
from theorems.feature_learning.constructions.pruning import keep_pair
from theorems.feature_learning.constructions.tuples import near_roots
from verify import Claim, Domain, Source, Tight, integers, interval
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, ge, le, maximum, rank, where


def weighted_gram(Z, weights):
    return Z.T @ (weights[:, None] * Z)


def terms_between_the_bounds(Z, sigma, beta):
    weights, N = keep_pair(Z, sigma(Z)), Z.shape[1]
    terms = (weights > 0).sum()
    # scaled rows, and what the rounding of the roots leaves
    roots, left = near_roots(weights)
    scaled = roots[:, None] * Z
    return (
        eq(weighted_gram(scaled, left), gram(Z), name="first covariance")
        & eq(weighted_gram(sigma(scaled), left) + beta**2, gram(sigma(Z)) + beta**2, name="second covariance")
        & ge(weights, 0, name="no negative weight")
        & le(maximum(rank(Z), rank(sigma(Z))), terms, name="lower bound")
        & le(terms, N * (N + 1), name="upper bound")
    )


def needed(Z, sigma):
    """All rows where their pairs are independent, else as if none."""
    pairs = concatenate([second_parts(Z), second_parts(sigma(Z))], axis=1)
    return where(rank(pairs) == len(Z), len(Z), 0)


def one_row_fewer(Z, sigma):
    N = Z.shape[1]
    return le(needed(Z, sigma), N * (N + 1) - 1)


def as_many_terms_as_the_rank(Z, sigma):
    return le(needed(Z, sigma), rank(Z))


def both_signs():
    """Four rows for one point."""
    return {"Z": [[1], [-2], [3], [-1]], "sigma": homogeneous(rationals([1, 0])), "beta": 1}


def one_row():
    """For two points."""
    return {"Z": [[1, -2]], "sigma": homogeneous(rationals([1, 0])), "beta": 0}


ROWS = {1: (1, 2, 4, 5), 2: (1, 4, 6, 9), 3: (1, 5, 12, 15), 4: (2, 20, 22)}
"""By the number of points: up to a few more rows than the bound."""

CLAIM = Claim(
    id="feature_learning.lemma_10",
    title="The rank of a pair is between the rank of K and N(N + 1)",
    source=Source("feature_learning", "Lemma 10"),
    statement=terms_between_the_bounds,
    domain=Domain(
        {
            "Z": integers(-4, 4, "rows", "points", role="few values"),
            "sigma": ACTIVATIONS,
            "beta": interval(0, 2, role="1"),
        },
        {"rows": sorted({number for numbers in ROWS.values() for number in numbers}), "points": tuple(ROWS)},
        HOMOGENEOUS,
        sizes_where=lambda sizes: sizes["rows"] in ROWS[sizes["points"]],
    ),
    needs=tuple(HOMOGENEOUS),
    tight={
        "both signs": Tight(both_signs, of=("upper bound", "no negative weight"), partly=True),
        "one row": Tight(one_row, of=("lower bound",)),
    },
    false_variants={
        "N(N + 1) - 1 of the rows": one_row_fewer,
        "as many of the rows as the rank of K": as_many_terms_as_the_rank,
    },
    cost=40,
)
