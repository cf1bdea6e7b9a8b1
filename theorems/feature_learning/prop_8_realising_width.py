r"""Proposition 8: a tuple of covariances is that of a network of width n if and only if no hidden layer is below the rank.

:math:`\mathrm{Rank}_\sigma(K, K^\sigma)` is the smallest k with :math:`K = \sum_{i \le k} z_iz_i^T` and
:math:`K^\sigma = \sum_{i \le k}\sigma(z_i)\sigma(z_i)^T + \beta^211^T`. Checked are

- *sufficient*: k terms and rows of zeros, as many as there is room for, are the representations of a network of width n with
  exactly these covariances, outputs and cost, as in Proposition 3;
- *necessary*: the n rows of a hidden layer are such terms, so that neither :math:`K_\ell` nor
  :math:`K_\ell^\sigma - \beta^211^T` has a rank above n. (With the bias the latter may: :math:`K_\ell^\sigma` may have n + 1.)

For one data point the rank is known: 0 for K = 0, 1 if :math:`K^\sigma - \beta^2` is :math:`a^2K` or :math:`d^2K`, else 2 for
what is between. There, both directions are checked with the rank itself: rows of n numbers never have a rank above n, and as
many terms as the rank give back the pair.

Source: feature_learning, Proposition 8 (Proposition 20 in the appendix). The formula for one point is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import and_

import numpy as np

from theorems.feature_learning.prop_3_covariances import cone_pairs, into_the_images, is_reached, pre_image
from theorems.feature_learning.prop_13_cp_rank_of_graphs import gram
from theorems.feature_learning.weight_decomposition import NETWORKS, representations
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, absolute, compare, is_exact, rationals
from verify.matrices import rank
from verify.networks import HomogeneousActivation


def with_more_rows(values: Array, rows: Array) -> Array:
    """`rows`, of the same length, below `values`: shapes ``(..., k, N), (..., m, N) -> (..., k + m, N)``."""
    return np.asarray(np.concatenate([values, rows], axis=-2))


def wide_network_reaches(
    roots: Array,
    vectors: Array,
    outputs: Array,
    room: Array,
    points: Array,
    slopes: Array,
    bias: Array,
    dead: bool = True,
    copied: bool = False,
    fewer: int = 0,
) -> Relation:
    """The tuple of the cone weights `roots` squared, and the network with more neurons than it has terms.

    In false neighbours the new rows are not zero (`room`, or copies of the first), or terms are left out.
    """
    instance = (points, slopes, bias)
    inside, ends = into_the_images(roots**2, vectors, outputs, *instance)
    pairs = cone_pairs(roots**2, inside, slopes, bias)
    kept = roots.shape[-1] - fewer
    rows = [each[..., :1, :] + 0 * room if copied else room * int(not dead) for each in inside]
    padded = [with_more_rows(each[..., :kept, :], new) for each, new in zip(inside, rows, strict=True)]
    new_roots = 0 * roots[..., :1] + 0 * room[..., None, :, 0] + 1
    wide_roots = np.concatenate([roots[..., :kept], new_roots], axis=-1)
    return is_reached(pre_image(wide_roots**2, padded, ends, *instance), pairs, ends, *instance)


def number_like(counts: Array, pattern: Array) -> Array:
    """Integers in the arithmetic of `pattern`."""
    return rationals(counts) if is_exact(pattern) else np.asarray(counts, dtype=np.float64)


def ranks_are_at_most_the_width(
    weights: Sequence[Array], points: Array, slopes: Array, bias: Array, fewer: int = 0, with_bias: bool = False
) -> Relation:
    r"""Ranks of :math:`K_\ell` and :math:`K_\ell^\sigma - \beta^211^T` against the width of the hidden layers."""
    given, seen = representations(weights, points, slopes, bias)
    parts = []
    for values, image in zip(given, seen[1:], strict=False):
        # the Gram matrix of the other rows is the covariance without the bias
        found = np.maximum(rank(gram(values)), rank(gram(image if with_bias else image[..., :-1, :])))
        parts.append(le(number_like(found, points), 0 * bias + values.shape[-2] - fewer))
    return reduce(and_, parts)


def rank_of_one_point(covariance: Array, rectified: Array, slopes: Array) -> Array:
    """The rank of a pair of numbers without bias that has one, shapes ``(...)`` and ``(..., 2)``.

    In floats, numbers are equal up to rounding errors.
    """
    tolerance = 0 * covariance if is_exact(covariance) else 1e-10 * (covariance + rectified)
    gaps = absolute(rectified[..., None] - slopes**2 * covariance[..., None])
    on_a_ray = (compare(gaps, tolerance[..., None]) <= 0).any(axis=-1)
    return number_like(np.where(compare(covariance, 0) == 0, 0, np.where(on_a_ray, 1, 2)), covariance)


def rank_decides_one_point(row: Array, slopes: Array, more: int = 0, always: int | None = None, split: int = 100) -> Relation:
    """The width against the rank, and the pair of one neuron for each sign, or for one of them if the rank is one."""
    activation, squares = HomogeneousActivation(slopes[..., :1], slopes[..., 1:]), slopes**2
    covariance, rectified = (row**2).sum(axis=-1), (activation(row[..., None]) ** 2).sum(axis=(-2, -1))
    found = rank_of_one_point(covariance, rectified, slopes)
    claimed = found if always is None else 0 * found + always
    # shares of the covariance on the two sides; where both slopes are alike, all of it on the first
    difference = squares[..., 0] - squares[..., 1]
    alike = compare(difference, 0) == 0
    share = (rectified - squares[..., 1] * covariance) / np.where(alike, 1, difference)
    first = np.where(alike, covariance, share) * split / 100
    terms = np.stack([first, covariance - first], axis=-1)
    size = rectified + (squares.sum(axis=-1) + 1) * covariance
    tolerance = 0 * size if is_exact(size) else 1e-10 * size / np.where(alike, 1, absolute(difference))
    used = number_like((compare(terms, tolerance[..., None]) > 0).sum(axis=-1), covariance)
    image = (terms * squares).sum(axis=-1)
    possible = le(-tolerance[..., None], terms, over=1)
    return possible & eq(image, rectified, scale=size) & le(used, claimed) & le(claimed + more, 0 * found + row.shape[-1])


SOURCE = Source("feature_learning", "Proposition 8")
HIDDEN = {"points": reals("points", "inputs"), "slopes": interval(-1, 1, 2), "bias": interval(0, 2)}
SIZES = {"depth": (2, 3), "inputs": range(1, 4), "outputs": range(1, 3), "points": range(1, 4)}

CLAIM = Claim(
    id="feature_learning.prop_8",
    title="As many neurons as the rank of the pair suffice",
    source=SOURCE,
    statement=wide_network_reaches,
    domain=Domain(
        {
            "roots": interval(0, 2, lambda sizes: sizes["depth"] - 1, "terms"),
            "vectors": reals(lambda sizes: sizes["depth"] - 1, "terms", "points"),
            "outputs": reals("outputs", "points"),
            "room": reals("more", "points"),
            **HIDDEN,
        },
        {**SIZES, "terms": range(1, 4), "more": range(1, 3)},
    ),
    false_neighbours={
        "one neuron less than terms": partial(wide_network_reaches, fewer=1),
        "any new neurons": partial(wide_network_reaches, dead=False),
        "copies of a neuron": partial(wide_network_reaches, copied=True),
    },
)

NECESSARY = Claim(
    id="feature_learning.prop_8.necessary",
    title="No network has covariances of a rank above its width",
    source=SOURCE,
    statement=ranks_are_at_most_the_width,
    domain=Domain(NETWORKS, {**SIZES, "width": range(1, 5)}),
    tight={
        "two neurons for two points": Tight(
            lambda: {
                "weights": (rationals([[[1, 0, 0], [0, 1, 0]]]), rationals([[[1, 1, 1]]])),
                "points": rationals([[[1, 0], [0, 1]]]),
                "slopes": rationals([[1, 0]]),
                "bias": rationals([1]),
            }
        )
    },
    false_neighbours={
        "one neuron less": partial(ranks_are_at_most_the_width, fewer=1),
        "with the covariance of the biases": partial(ranks_are_at_most_the_width, with_bias=True),
    },
)

ONE_POINT = Claim(
    id="feature_learning.prop_8.one_point",
    title="The rank of a pair decides the width at one point",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=rank_decides_one_point,
    domain=Domain({"row": reals("width"), "slopes": interval(-1, 1, 2)}, {"width": range(1, 5)}),
    tight={
        "neurons on both sides": Tight(lambda: {"row": rationals([[3, -1]]), "slopes": rationals([[1, 0]])}),
    },
    false_neighbours={
        "one neuron more is needed": partial(rank_decides_one_point, more=1),
        "the rank is one": partial(rank_decides_one_point, always=1),
        "the rank is two": partial(rank_decides_one_point, always=2),
        "1 percent of K to the other side": partial(rank_decides_one_point, split=99),
    },
)
