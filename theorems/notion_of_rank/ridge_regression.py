r"""Rank recovery: linear ridge regression overestimates the rank.

Statement
    For data X, Y with N columns and :math:`\lambda > 0` the linear map that minimises
    :math:`\|WX - Y\|_F^2 + \lambda\|W\|_F^2` is :math:`W = YX^T(XX^T + \lambda I)^{-1}`, and for every ridge

    .. math:: \mathrm{rank}\, W = \mathrm{rank}(YX^T) .

    Let :math:`y_i = h(g(x_i))` for a true function of bottleneck rank one, :math:`h(t) = \sum_j a_j\sigma(t - t_j)` with a
    linear g, with independent :math:`a_j`, and with data beyond each :math:`t_j`. Then the rank is still the largest possible,
    unless the data lie in a set of measure zero.
Checked
    That W is a minimiser, and its rank, for labels of such functions. An exact example with two inputs and two outputs, whose
    W is of rank 2 for every ridge. At depth 2 and beyond a ridge lowers the rank: see ``ridge.threshold`` and ``ridge.jump``.
Proof idea
    The last factor is invertible. Where the data stay on the same sides of all :math:`t_j` the determinant of a square part of
    :math:`YX^T` is a polynomial in them, which does not vanish identically if it does not vanish for one choice.
Tight
    The minimiser itself.
Not checked
    That data with a smaller rank are of measure zero, but for the example.
Source
    notion_of_rank, rank recovery: too shallow models often overestimate the rank.
"""

from verify import Claim, Domain, Source, Tight, derived, integers, reals
from verify.numbers.arithmetic import rationals
from verify.words import eq, eye, ge, inverse, le, norm2, rank, relu


def of_rank_one(X, u, t, a):
    """Data as columns, and the labels sum_j a_j relu(u @ x - t_j)."""
    return X, a @ relu((u @ X)[None, :] - t[:, None])


def solution(data, ridge):
    X, Y = data
    return Y @ X.T @ inverse(X @ X.T + ridge * eye(len(X)))


def loss(W, data, ridge):
    X, Y = data
    return norm2(W @ X - Y) + ridge * norm2(W)


def keeps_the_rank(data, ridge, V):
    (X, Y), W = data, solution(data, ridge)
    return le(loss(W, data, ridge), loss(W + V, data, ridge), name="minimiser") & eq(rank(W), rank(Y @ X.T), name="rank")


def rank_of_the_true_function(data, ridge):
    return le(rank(solution(data, ridge)), 1)


def rank_of_the_labels(data, ridge):
    return eq(rank(solution(data, ridge)), rank(data[1]))


def overestimated():
    """Four points of the plane, the function x -> (t, relu(t)) of t = x_1 + 2 x_2: rank 2 for ridges of all sizes."""
    X = rationals([[1, 0, -1, 1], [0, 1, 0, -1]])
    data = of_rank_one(X, rationals([1, 2]), rationals([-8, 0]), rationals([[1, 0], [0, 1]]))
    return ge([rank(solution(data, ridge)) for ridge in rationals(["1/1000000", 1, 1000000])], 2)


POSITIVE = "the ridge is positive"

CLAIM = Claim(
    id="notion_of_rank.ridge_regression",
    title="Linear ridge regression has the rank of the labels' moments",
    source=Source("notion_of_rank", "Rank recovery"),
    statement=keeps_the_rank,
    domain=Domain(
        {
            "data": derived(
                of_rank_one,
                X=integers(-3, 3, "inputs", "points"),
                u=integers(-2, 2, "inputs"),
                t=integers(-4, 2, "pieces"),
                a=integers(-3, 3, "outputs", "pieces"),
            ),
            "ridge": reals(),
            "V": reals("outputs", "inputs"),
        },
        {"inputs": (1, 2, 3), "points": (1, 3, 6), "pieces": (1, 3), "outputs": (1, 2, 3)},
        {POSITIVE: lambda ridge: ridge > 0},
    ),
    needs=(POSITIVE,),
    tight={
        "the solution": Tight(
            lambda: {"data": (rationals([[1, 2]]), rationals([[3, 1]])), "ridge": 1, "V": [[0]]}, of=("minimiser",)
        )
    },
    false_variants={
        "the rank of the true function": rank_of_the_true_function,
        "the rank of the labels": rank_of_the_labels,
    },
    exact={"two outputs": overestimated},
)
