r"""Proposition 5, the cost: convex in each pair of covariances, and in the last pair and the outputs together.

Statement
    In one pair :math:`(K_\ell, K_\ell^\sigma)`, with everything else fixed, the cost is convex where it is finite:

    .. math:: \mathrm{Tr}[K_\ell G] + \mathrm{Tr}[K_{\ell+1}(K_\ell^\sigma)^+] + \text{const}, \quad G = (K_{\ell-1}^\sigma)^+ .
Checked
    The cost of a mixture of two pairs against the mean of their costs, with one output that both reach; and (ours) with an
    output for each, which is mixed as well. Shares are the squares of :math:`2u/(1+u^2)` and :math:`(1-u^2)/(1+u^2)`, so that
    the rows of a mixture, scaled by these roots, stay rational.
Proof idea
    :math:`\mathrm{Tr}[ZQ^+Z^T]` is jointly convex in (Z, Q).
Sharp
    Two equal pairs.
Source
    feature_learning, Proposition 5; joint convexity is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, Activation, homogeneous
from theorems.feature_learning.constructions.layers import gram, matrix_like, with_bias_row
from verify import Claim, Domain, Ours, Relation, Source, Tight, interval, le, reals
from verify.arithmetic import Array, minimum, rationals
from verify.matrices import frobenius_norm_squared, pseudo_inverse


def roots_of_shares(share: Array) -> tuple[Array, Array]:
    """2u/(1+u^2) and (1-u^2)/(1+u^2), whose squares add to one."""
    return 2 * share / (1 + share**2), (1 - share**2) / (1 + share**2)


def features(rows: Array, activation: Activation, bias: Array) -> list[Array]:
    r"""Rows whose Gram matrices are both :math:`K^\sigma`."""
    return [with_bias_row(activation(rows[..., one, :, :]), bias) for one in range(2)]


def own_outputs(weights: Array, seen: list[Array]) -> list[Array]:
    """Outputs of both pairs, each with its weights."""
    return [weights[..., one, :, :] @ seen[one] for one in range(2)]


def common_output(weights: Array, seen: list[Array]) -> list[Array]:
    """The same output in the images of both: that of the parallel sum is the intersection of the images."""
    kernels = [gram(each) for each in seen]
    common = kernels[0] @ pseudo_inverse(kernels[0] + kernels[1]) @ kernels[1]
    return [weights[..., 0, :, :] @ seen[0] @ common] * 2


def costs(rows: Array, before: Array, seen: list[Array], outputs: list[Array]) -> list[Array]:
    """What both pairs cost, with G the Gram matrix of `before`."""
    moves = [frobenius_norm_squared(before @ np.swapaxes(rows[..., one, :, :], -1, -2)) for one in range(2)]
    lasts = [frobenius_norm_squared(z @ pseudo_inverse(each)) for z, each in zip(outputs, seen, strict=True)]
    return [move + last for move, last in zip(moves, lasts, strict=True)]


def mixture_cost(rows: Array, before: Array, seen: list[Array], mixed: Array, share: Array) -> Array:
    """What the mixture of the pairs costs, with these outputs."""
    roots = [matrix_like(root) for root in roots_of_shares(share)]
    stacked = [
        np.concatenate([root * each for root, each in zip(roots, of, strict=True)], axis=-2) for of in (seen, pair(rows))
    ]
    moves = frobenius_norm_squared(before @ np.swapaxes(stacked[1], -1, -2))
    return np.asarray(moves + frobenius_norm_squared(mixed @ pseudo_inverse(stacked[0])))


def pair(values: Array) -> list[Array]:
    """Both entries along the first axis."""
    return [values[..., one, :, :] for one in range(2)]


def mean(numbers: list[Array], share: Array) -> Array:
    """Mean of two numbers by the shares."""
    one, other = roots_of_shares(share)
    return np.asarray(one**2 * numbers[0] + other**2 * numbers[1])


def mixed_outputs(outputs: list[Array], share: Array) -> Array:
    """Mean of two outputs by the shares."""
    one, other = (matrix_like(root**2) for root in roots_of_shares(share))
    return np.asarray(one * outputs[0] + other * outputs[1])


def convex_in_a_pair(rows: Array, before: Array, weights: Array, activation: Activation, bias: Array, share: Array) -> Relation:
    """The cost of a mixture with the same output against the mean of both costs."""
    seen = features(rows, activation, bias)
    outputs = common_output(weights, seen)
    return le(mixture_cost(rows, before, seen, outputs[0], share), mean(costs(rows, before, seen, outputs), share), name="mean")


def jointly_convex(rows: Array, before: Array, weights: Array, activation: Activation, bias: Array, share: Array) -> Relation:
    """The cost of a mixture of pairs and outputs against the mean of both costs."""
    seen = features(rows, activation, bias)
    outputs = own_outputs(weights, seen)
    mixed = mixed_outputs(outputs, share)
    return le(mixture_cost(rows, before, seen, mixed, share), mean(costs(rows, before, seen, outputs), share), name="mean")


# False variants


def pair_below_both(rows: Array, before: Array, weights: Array, activation: Activation, bias: Array, share: Array) -> Relation:
    """A mixture with the same output costs less than both."""
    seen = features(rows, activation, bias)
    outputs = common_output(weights, seen)
    return le(mixture_cost(rows, before, seen, outputs[0], share), minimum(*costs(rows, before, seen, outputs)))


def pair_linear(rows: Array, before: Array, weights: Array, activation: Activation, bias: Array, share: Array) -> Relation:
    """The cost of a mixture with the same output is at least the mean."""
    seen = features(rows, activation, bias)
    outputs = common_output(weights, seen)
    return le(mean(costs(rows, before, seen, outputs), share), mixture_cost(rows, before, seen, outputs[0], share))


def jointly_below_both(
    rows: Array, before: Array, weights: Array, activation: Activation, bias: Array, share: Array
) -> Relation:
    """A mixture of pairs and outputs costs less than both."""
    seen = features(rows, activation, bias)
    outputs = own_outputs(weights, seen)
    mixed = mixed_outputs(outputs, share)
    return le(mixture_cost(rows, before, seen, mixed, share), minimum(*costs(rows, before, seen, outputs)))


def outputs_mixed_by_the_roots(
    rows: Array, before: Array, weights: Array, activation: Activation, bias: Array, share: Array
) -> Relation:
    """The outputs are mixed by the roots of the shares."""
    seen = features(rows, activation, bias)
    outputs = own_outputs(weights, seen)
    one, other = (matrix_like(root) for root in roots_of_shares(share))
    mixed = np.asarray(one * outputs[0] + other * outputs[1])
    return le(mixture_cost(rows, before, seen, mixed, share), mean(costs(rows, before, seen, outputs), share))


def both_alike() -> dict[str, Any]:
    """Two equal pairs and outputs of a ReLU layer."""
    return {
        "rows": rationals([[[1, 2]], [[1, 2]]]),
        "before": rationals([[1, 0], [0, 1]]),
        "weights": rationals([[[1, 1]], [[1, 1]]]),
        "share": rationals("1/2"),
        "activation": homogeneous(rationals([1, 0])),
        "bias": rationals(1),
    }


MIXTURES = Domain(
    {
        "rows": reals(2, "width", "points"),
        "before": reals("points", "points"),
        "weights": reals(2, "outputs", lambda sizes: sizes["width"] + 1),
        "share": interval(0, 1),
        "activation": ACTIVATIONS,
        "bias": interval(0, 2),
    },
    {"width": (1, 2, 4), "points": (1, 3, 4), "outputs": range(1, 4)},
)

CONVEX = Claim(
    id="feature_learning.prop_5.convex",
    title="The cost is convex in each pair of covariances",
    source=Source("feature_learning", "Proposition 5"),
    statement=convex_in_a_pair,
    domain=MIXTURES,
    tight={"both alike": Tight(both_alike)},
    false_variants={"the mixture costs less than both": pair_below_both, "the mixture costs the mean": pair_linear},
)

JOINTLY_CONVEX = Claim(
    id="feature_learning.prop_5.jointly_convex",
    title="The cost is convex in the last pair and the outputs together",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=jointly_convex,
    domain=MIXTURES,
    tight={"both alike": Tight(both_alike)},
    false_variants={
        "the mixture costs less than both": jointly_below_both,
        "outputs mixed by the roots of the shares": outputs_mixed_by_the_roots,
    },
)
