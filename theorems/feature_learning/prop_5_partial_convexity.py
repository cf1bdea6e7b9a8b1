r"""Proposition 5: the covariances of networks of any width are a translated convex cone, on which the cost is partially convex.

Let :math:`\mathcal K(X)` be the set of Proposition 3 without a bound on the widths. Subtract :math:`\beta^211^T` from every
:math:`K_\ell^\sigma`: then for tuples A, B and :math:`t_1, t_2 \ge 0` the tuple :math:`t_1A + t_2B` is in the set again. Its
terms are those of A and of B with weights multiplied, and the image of a sum of positive semi-definite matrices is the sum of
their images, so that the conditions on the images hold; both are checked, for all hidden layers and the outputs.

In one pair :math:`(K_\ell, K_\ell^\sigma)`, with everything else fixed, the cost is

.. math:: \mathrm{Tr}[K_\ell G] + \mathrm{Tr}[K_{\ell+1}(K_\ell^\sigma)^+] + \text{const}, \qquad G = (K_{\ell-1}^\sigma)^+ ,

convex where it is finite. (In the outputs :math:`L^k` is convex if the cost C is, which is not printed.) More is true: as
:math:`\mathrm{Tr}[ZQ^+Z^T]` is jointly convex in (Z, Q), the sum of the last two traces is convex in
:math:`(K_{L-1}, K_{L-1}^\sigma, Z_L)` together. For L = 2 this is everything. For L = 3 the cost is not jointly convex: for one
point and :math:`K^\sigma = K` it is :math:`a + b/a + 1/b`, convex in a and in b, but at the midpoint of (1, 2) and (2, 11)
above the mean of the values there.

Shares are squares of :math:`2u/(1+u^2)` and :math:`(1-u^2)/(1+u^2)`: the rows of a mixture, scaled by these roots, stay
rational.

Source: feature_learning, Proposition 5; joint convexity and its failure for L = 3 are ours.
"""

from __future__ import annotations

from functools import partial, reduce
from operator import and_

import numpy as np

from theorems.feature_learning.prop_3_covariances import condition, cone_pairs, into_the_images
from theorems.feature_learning.prop_13_cp_rank_of_graphs import gram
from theorems.feature_learning.weight_decomposition import for_entries, with_bias_row
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, minimum, rationals, sqrt
from verify.matrices import frobenius_norm_squared, pseudo_inverse
from verify.networks import HomogeneousActivation


def combinations_stay_in_the_set(
    roots: Array,
    vectors: Array,
    outputs: Array,
    factors: Array,
    points: Array,
    slopes: Array,
    bias: Array,
    translated: bool = True,
    first: bool = False,
) -> Relation:
    """Terms and images of :math:`t_1A + t_2B`; A and B are along the first axis, and t the squares of `factors`.

    In false neighbours the covariances are added with their bias, or only the images of A are allowed.
    """
    tuples, pairs, instance = [], [], (points, slopes, bias)
    for one in range(2):
        own = roots[..., one, :, :]
        inside, ends = into_the_images(own**2, vectors[..., one, :, :, :], outputs[..., one, :, :], *instance)
        tuples.append((own * factors[..., one, None, None], inside, ends))
        pairs.append(cone_pairs(own**2, inside, slopes, bias))
    shares = factors**2
    all_roots = np.concatenate([own for own, _, _ in tuples], axis=-1)
    all_vectors = [np.concatenate(layers, axis=-2) for layers in zip(*(inside for _, inside, _ in tuples), strict=True)]
    sums: Array = np.asarray(sum(for_entries(shares[..., one]) * tuples[one][2] for one in range(2)))
    parts, offset = [], for_entries(bias**2)
    for layer, (own, image) in enumerate(cone_pairs(all_roots**2, all_vectors, slopes, bias)):
        mixed = [sum(for_entries(shares[..., one]) * pairs[one][layer][place] for one in range(2)) for place in range(2)]
        if translated:
            mixed[1] = mixed[1] + offset * (1 - for_entries(shares.sum(axis=-1)))
        size = for_entries(
            (1 + shares.sum(axis=-1)) * (bias**2 + sum(frobenius_norm_squared(pair[layer][0]) for pair in pairs) + 1)
        )
        parts += [eq(mixed[0], own, scale=size, over=2), eq(mixed[1], image, scale=size, over=2)]
    used = all_roots * np.concatenate([0 * tuples[0][0] + 1, 0 * tuples[1][0] + (0 if first else 1)], axis=-1)
    again, ends = into_the_images(used**2, np.stack(all_vectors, axis=-3), sums, *instance)
    # vectors without weight are no part of the tuple
    alive = np.where(np.asarray(all_roots != 0), 1, 0)
    size = _size_of_projections(used, again, vectors, outputs, factors, *instance)
    for layer, (before, after) in enumerate(zip(all_vectors, again, strict=True)):
        weights = alive[..., layer, :, None]
        parts.append(eq(weights * after, weights * before, scale=size, over=2))
    return reduce(and_, [*parts, eq(ends, sums, scale=size, over=2)])


def _size_of_projections(
    roots: Array, inside: list[Array], vectors: Array, outputs: Array, factors: Array, points: Array, slopes: Array, bias: Array
) -> Array:
    """What rounding errors of projected vectors are proportional to."""
    activation = HomogeneousActivation(slopes[..., :1], slopes[..., 1:])
    seen, total = with_bias_row(np.swapaxes(points, -1, -2), bias), 0 * bias + 1
    for layer, rows in enumerate(inside):
        total = total * condition(seen) ** 2
        seen = with_bias_row(activation(roots[..., layer, :, None] * rows), bias)
    entries = (vectors**2).sum(axis=(-4, -3, -2, -1)) + (1 + (factors**2).sum(axis=-1)) ** 2 * (outputs**2).sum(
        axis=(-3, -2, -1)
    )
    return for_entries(total * condition(seen) ** 2 * sqrt(1 + entries))


def mixture_costs_less(
    rows: Array,
    before: Array,
    weights: Array,
    slopes: Array,
    bias: Array,
    share: Array,
    fixed: bool = False,
    ratio: int = 10_000,
    smaller: bool = False,
    rooted: bool = False,
) -> Relation:
    r"""The cost of a mixture against the mean of two costs, for pairs of `rows` and for outputs, with G the Gram of `before`.

    Outputs are `weights` times the representations; or, with ``fixed=True``, the same outputs in the images of both.
    """
    activation = HomogeneousActivation(slopes[..., :1], slopes[..., 1:])
    roots = np.stack([2 * share, 1 - share**2], axis=-1) / (1 + share**2)[..., None]
    shares = [for_entries(roots[..., one] ** 2) for one in range(2)]
    seen = [with_bias_row(activation(rows[..., one, :, :]), bias) for one in range(2)]
    if fixed:
        kernels = [gram(each) for each in seen]
        # the image of the parallel sum is the intersection of the images
        common = kernels[0] @ pseudo_inverse(kernels[0] + kernels[1]) @ kernels[1]
        outputs = [weights[..., 0, :, :] @ seen[0] @ common] * 2
    else:
        outputs = [weights[..., one, :, :] @ seen[one] for one in range(2)]
    moves = [frobenius_norm_squared(before @ np.swapaxes(rows[..., one, :, :], -1, -2)) for one in range(2)]
    costs = [move + frobenius_norm_squared(z @ pseudo_inverse(a)) for move, z, a in zip(moves, outputs, seen, strict=True)]
    stacked = np.concatenate([for_entries(roots[..., one]) * seen[one] for one in range(2)], axis=-2)
    scales = [for_entries(roots[..., one]) if rooted else shares[one] for one in range(2)]
    mixed = scales[0] * outputs[0] + scales[1] * outputs[1]
    weighted = [roots[..., one] ** 2 for one in range(2)]
    mean = weighted[0] * costs[0] + weighted[1] * costs[1]
    mixture = weighted[0] * moves[0] + weighted[1] * moves[1] + frobenius_norm_squared(mixed @ pseudo_inverse(stacked))
    size = (mean + sum(costs)) * (condition(stacked) * condition(seen[0]) * condition(seen[1])) ** 2
    return le(mixture * ratio / 10_000, minimum(*costs) if smaller else mean, scale=size)


def convex_in_one_number(first: Array, second: Array, share: Array, jointly: bool = False, ratio: int = 10_000) -> Relation:
    """``a + b/a + 1/b`` in a with b fixed, and in b with a fixed; in false neighbours in both."""

    def cost(pair: Array) -> Array:
        return np.asarray(pair[..., 0] + pair[..., 1] / pair[..., 0] + 1 / pair[..., 1])

    def convex(one: Array, other: Array) -> Relation:
        mixture = share[..., None] * one + (1 - share)[..., None] * other
        return le(cost(mixture) * ratio / 10_000, share * cost(one) + (1 - share) * cost(other))

    if jointly:
        return convex(first, second)
    crossed = np.stack([first[..., 0], second[..., 1]], axis=-1)
    return convex(first, crossed) & convex(crossed, second)


def not_jointly_convex() -> Relation:
    """The values 7/2 at (1, 2), 167/22 at (2, 11), and 467/78 at their midpoint, more than their mean 61/11."""
    points = rationals([[1, 2], [2, 11], ["3/2", "13/2"]])
    values = points[:, 0] + points[:, 1] / points[:, 0] + 1 / points[:, 1]
    mean = (values[:1] + values[1:2]) / 2
    return eq(values, rationals(["7/2", "167/22", "467/78"]), over=1) & le(mean * 107 / 100, values[2:])


SOURCE, OURS = Source("feature_learning", "Proposition 5"), Source("feature_learning", "ours")
HIDDEN = {"slopes": interval(-1, 1, 2), "bias": interval(0, 2)}
MIXTURES = Domain(
    {
        "rows": reals(2, "width", "points"),
        "before": reals("points", "points"),
        "weights": reals(2, "outputs", lambda sizes: sizes["width"] + 1),
        "share": interval(0, 1),
        **HIDDEN,
    },
    {"width": range(1, 4), "points": range(1, 4), "outputs": range(1, 3)},
)

CLAIM = Claim(
    id="feature_learning.prop_5",
    title="Covariances of networks of any width are a translated convex cone",
    source=SOURCE,
    statement=combinations_stay_in_the_set,
    domain=Domain(
        {
            "roots": interval(0, 2, 2, lambda sizes: sizes["depth"] - 1, "width"),
            "vectors": reals(2, lambda sizes: sizes["depth"] - 1, "width", "points"),
            "outputs": reals(2, "outputs", "points"),
            "factors": interval(0, 2, 2),
            "points": reals("points", "inputs"),
            **HIDDEN,
        },
        {"depth": (2, 3), "inputs": range(1, 3), "width": range(1, 3), "outputs": range(1, 3), "points": range(1, 4)},
    ),
    false_neighbours={
        "a cone without the translation": partial(combinations_stay_in_the_set, translated=False),
        "in the images of the first tuple": partial(combinations_stay_in_the_set, first=True),
    },
)

CONVEX = Claim(
    id="feature_learning.prop_5.convex",
    title="The cost is convex in each pair of covariances",
    source=SOURCE,
    statement=partial(mixture_costs_less, fixed=True),
    domain=MIXTURES,
    false_neighbours={
        "0.01 percent more": partial(mixture_costs_less, fixed=True, ratio=10_001),
        "the mixture costs less than both": partial(mixture_costs_less, fixed=True, smaller=True),
    },
)

JOINTLY_CONVEX = Claim(
    id="feature_learning.prop_5.jointly_convex",
    title="The cost is convex in the last pair and the outputs together",
    source=OURS,
    status=Ours(),
    statement=mixture_costs_less,
    domain=MIXTURES,
    tight={
        "both alike": Tight(
            lambda: {
                "rows": rationals([[[[1, 2]], [[1, 2]]]]),
                "before": rationals([[[1, 0], [0, 1]]]),
                "weights": rationals([[[[1, 1]], [[1, 1]]]]),
                "share": rationals(["1/2"]),
                "slopes": rationals([[1, 0]]),
                "bias": rationals([1]),
            }
        )
    },
    false_neighbours={
        "0.01 percent more": partial(mixture_costs_less, ratio=10_001),
        "the mixture costs less than both": partial(mixture_costs_less, smaller=True),
        "outputs mixed by the roots of the shares": partial(mixture_costs_less, rooted=True),
    },
)

DEPTH_THREE = Claim(
    id="feature_learning.prop_5.depth_three",
    title="For three layers, convex in each pair and not in both together",
    source=OURS,
    status=Ours(),
    statement=convex_in_one_number,
    domain=Domain({"first": interval(0.25, 16, 2), "second": interval(0.25, 16, 2), "share": interval(0, 1)}),
    tight={
        "no mixture": Tight(
            lambda: dict(zip(("first", "second", "share"), map(rationals, ([[1, 2]], [[2, 11]], [1])), strict=True))
        )
    },
    false_neighbours={
        "jointly convex": partial(convex_in_one_number, jointly=True),
        "0.01 percent more": partial(convex_in_one_number, ratio=10_001),
    },
    exact={"above the mean at a midpoint": not_jointly_convex},
)
