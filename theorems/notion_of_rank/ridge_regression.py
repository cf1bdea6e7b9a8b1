r"""Rank recovery: linear ridge regression keeps the rank of the labels' moments, and so overestimates the rank of a function.

Statement
    For data X, Y with N columns and :math:`\lambda > 0` the linear map that minimises
    :math:`\|WX - Y\|_F^2 + \lambda\|W\|_F^2` is :math:`W = YX^T(XX^T + \lambda I)^{-1}`, and for every ridge

    .. math:: \mathrm{rank}\, W = \mathrm{rank}(YX^T) .

    Let :math:`y_i = h(g(x_i))` for a true function of bottleneck rank one, :math:`h(t) = \sum_j a_j\sigma(t - t_j)` with a
    linear g. Then the rank is still the largest possible, unless the data lie in a set of measure zero, if the :math:`a_j` are
    independent and each :math:`t_j` is passed by data.
Checked
    That W is a minimiser, and its rank, for labels of such functions. An exact example with two inputs and two outputs, whose
    W is of rank 2 for every ridge. At depth 2 and beyond a ridge lowers the rank: see ``ridge.threshold`` and ``ridge.jump``.
Proof idea
    The last factor is invertible. Where the data stay on the same sides of all :math:`t_j` the determinant of a square part of
    :math:`YX^T` is a polynomial in them, which does not vanish identically if it does not vanish for one choice.
Sharp
    The minimiser itself.
Not checked
    That data with a smaller rank are of measure zero, but for the example.
Source
    notion_of_rank, rank recovery: too shallow models often overestimate the rank.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import squares, transpose
from verify import Claim, Domain, Relation, Source, Tight, derived, eq, ge, integers, le, reals
from verify.arithmetic import Array, compare, rationals, where_positive
from verify.matrices import inverse, rank


def of_rank_one(inputs: Array, direction: Array, knots: Array, slopes: Array) -> tuple[Array, Array]:
    """Data, and the labels of a function of bottleneck rank one: ``(..., d, N), (..., d), (..., p), (..., m, p)``."""
    coordinate = (direction[..., :, None] * inputs).sum(axis=-2)
    beyond = coordinate[..., None, :] - knots[..., :, None]
    return inputs, np.asarray(slopes @ where_positive(beyond, beyond))


Data = tuple[Array, Array]
"""Inputs and labels, a point in each column."""


def ridge_solution(data: Data, ridge: Array) -> Array:
    """The minimiser."""
    X, Y = data
    gram = X @ transpose(X) + ridge[..., None, None] * np.eye(X.shape[-2], dtype=np.int64)
    return np.asarray(Y @ transpose(X) @ inverse(gram))


def loss(W: Array, data: Data, ridge: Array) -> Array:
    """The squared error with the ridge."""
    X, Y = data
    return np.asarray(squares(W @ X - Y, (-2, -1)) + ridge * squares(W, (-2, -1)))


def keeps_the_rank(data: Data, ridge: Array, other: Array) -> Relation:
    """The loss of the solution and of any other map, and the rank."""
    X, Y = data
    W = ridge_solution(data, ridge)
    minimal = le(loss(W, data, ridge), loss(W + other, data, ridge), name="minimiser")
    return minimal & eq(rank(W), rank(Y @ transpose(X)), name="rank")


def is_positive(ridge: Array) -> Array:
    """Whether the ridge is positive."""
    return np.asarray(compare(ridge, 0) == 1)


def overestimated() -> Relation:
    """Four points of the plane, the function x -> (t, sigma(t)) of t = x_1 + 2 x_2: the rank is 2 for ridges of all sizes."""
    inputs = rationals([[1, 0, -1, 1], [0, 1, 0, -1]])
    data = of_rank_one(inputs, rationals([1, 2]), rationals([-8, 0]), rationals([[1, 0], [0, 1]]))
    ranks = [rank(ridge_solution(data, rationals(ridge)))[()] for ridge in ("1/1000000", 1, 1000000)]
    return ge(rationals(ranks), 2, over=1)


# False variants


def rank_of_the_true_function(data: Data, ridge: Array, other: Array) -> Relation:
    """The rank of the true function."""
    del other
    found = rank(ridge_solution(data, ridge))
    return le(found, 0 * found + 1)


def rank_of_the_labels(data: Data, ridge: Array, other: Array) -> Relation:
    """The rank of the labels, though their moments with the inputs may vanish."""
    del other
    return eq(rank(ridge_solution(data, ridge)), rank(data[1]))


def solution_itself() -> dict[str, Any]:
    """Two points of a line, nothing added."""
    data = rationals([[[1, 2]]]), rationals([[[3, 1]]])
    return {"data": data, "ridge": rationals([1]), "other": rationals([[[0]]])}


CLAIM = Claim(
    id="notion_of_rank.ridge_regression",
    title="Linear ridge regression has the rank of the labels' moments, whatever the rank of the true function",
    source=Source("notion_of_rank", "Rank recovery"),
    statement=keeps_the_rank,
    domain=Domain(
        {
            "data": derived(
                of_rank_one,
                inputs=integers(-3, 3, "inputs", "points"),
                direction=integers(-2, 2, "inputs"),
                knots=integers(-4, 2, "pieces"),
                slopes=integers(-3, 3, "outputs", "pieces"),
            ),
            "ridge": reals(),
            "other": reals("outputs", "inputs"),
        },
        {"inputs": (1, 2, 3), "points": (1, 3, 6), "pieces": (1, 3), "outputs": (1, 2, 3)},
        {"the ridge is positive": is_positive},
    ),
    needs=("the ridge is positive",),
    tight={"the solution": Tight(solution_itself, of=("minimiser",))},
    false_neighbours={
        "the rank of the true function": rank_of_the_true_function,
        "the rank of the labels": rank_of_the_labels,
    },
    exact={"two outputs": overestimated},
)
