r"""Weights split into a part that the representations determine, and a residual that no representation of the data sees.

A network with data X (one column for each of N points), a homogeneous activation (:math:`\sigma(t) = at` for t > 0, :math:`dt`
for t < 0) and an amount of bias :math:`\beta \ge 0` has the representations

.. math:: Z_0^\sigma = \binom{X}{\beta 1^T}, \qquad Z_\ell = W_\ell Z_{\ell-1}^\sigma, \qquad
   Z_\ell^\sigma = \binom{\sigma(Z_\ell)}{\beta 1^T} ;

the last column of :math:`W_\ell` holds the bias weights and counts in its norm. Then in every layer

.. math:: W_\ell = Z_\ell (Z_{\ell-1}^\sigma)^+ + \tilde W_\ell, \qquad \tilde W_\ell Z_{\ell-1}^\sigma = 0, \qquad
   \|W_\ell\|_F^2 = \|Z_\ell (Z_{\ell-1}^\sigma)^+\|_F^2 + \|\tilde W_\ell\|_F^2 ,

because :math:`P = Z^\sigma Z^{\sigma+}` is the orthogonal projection to the image of :math:`Z^\sigma`, and
:math:`\tilde W = W(I - P)`. Checked are these equations for all layers; that the first terms alone have the same
representations and outputs on the data (elsewhere they need not); and that among all W' with :math:`W'Z^\sigma = Z` the first
term has the smallest norm, by :math:`\|W' - Z Z^{\sigma+}\|_F^2`. Nothing in the first and last depends on what the activation
is: they hold for any matrices :math:`Z^\sigma`.

In floats P is known up to rounding times the condition number of :math:`Z^\sigma`. So :math:`\|Z^\sigma\|_F\|Z^{\sigma+}\|_F`,
which bounds it, is a factor of every scale; instances whose rank floats do not decide are dropped.

Source: feature_learning, Section 3.1, before Proposition 1. The minimality is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import and_
from typing import Any

import numpy as np

from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, rationals, sqrt
from verify.matrices import frobenius_norm_squared, pseudo_inverse
from verify.networks import FullyConnected, HomogeneousActivation


def with_bias_row(values: Array, bias: Array) -> Array:
    r""":math:`\binom{Z}{\beta 1^T}`, shapes ``(..., n, N), (...) -> (..., n + 1, N)``."""
    return np.asarray(np.concatenate([values, 0 * values[..., :1, :] + bias[..., None, None]], axis=-2))


def with_bias_column(network: FullyConnected) -> tuple[Array, ...]:
    """The matrices ``(W_l, b_l)``: what `network` adds as a bias becomes the weight of an amount of bias."""
    return tuple(np.concatenate([w, b[..., None]], axis=-1) for w, b in zip(network.weights, network.biases, strict=True))


def representations(weights: Sequence[Array], points: Array, slopes: Array, bias: Array) -> tuple[list[Array], list[Array]]:
    r""":math:`(Z_1, \ldots, Z_L)` and :math:`(Z_0^\sigma, \ldots, Z_{L-1}^\sigma)`, batched.

    `points` has one row for each, shape ``(..., N, n_0)``; `slopes` are those for t > 0 and for t < 0, shape ``(..., 2)``.
    """
    activation = HomogeneousActivation(slopes[..., :1], slopes[..., 1:])
    given, seen = [], [with_bias_row(np.swapaxes(points, -1, -2), bias)]
    for weight in weights:
        given.append(weight @ seen[-1])
        seen.append(with_bias_row(activation(given[-1]), bias))
    return given, seen[:-1]


def for_entries(size: Any) -> Array:
    """A scale that all entries of a matrix share, shape ``(...) -> (..., 1, 1)``."""
    return np.asarray(size)[..., None, None]


def split(weight: Array, seen: Array, transposed: bool = False) -> tuple[Array, Array, Array]:
    r""":math:`ZZ^{\sigma+}` for :math:`Z = WZ^\sigma`, the residual :math:`W(I - Z^\sigma Z^{\sigma+})`, a condition number.

    The last is :math:`\|Z^\sigma\|_F\|Z^{\sigma+}\|_F`, at least the ratio of the extreme non-zero singular values.
    """
    inverse = pseudo_inverse(seen)
    condition = sqrt(frobenius_norm_squared(seen) * frobenius_norm_squared(inverse))
    used = np.swapaxes(seen, -1, -2) if transposed else inverse
    return (weight @ seen) @ used, weight - weight @ (seen @ used), condition


def weights_decompose(
    weights: Sequence[Array],
    points: Array,
    slopes: Array,
    bias: Array,
    ratio: int = 10_000,
    counted: bool = True,
    transposed: bool = False,
) -> Relation:
    """The three equations in every layer."""
    parts = []
    for weight, seen in zip(weights, representations(weights, points, slopes, bias)[1], strict=True):
        determined, residual, condition = split(weight, seen, transposed)
        size = frobenius_norm_squared(weight)
        total = frobenius_norm_squared(determined) + frobenius_norm_squared(residual) * ratio / 10_000
        norm = size if counted else frobenius_norm_squared(weight[..., :-1])
        entries = condition * sqrt(size)
        image = entries * sqrt(frobenius_norm_squared(seen))
        parts += [
            eq(determined + residual, weight, scale=for_entries(entries), over=2),
            eq(residual @ seen, 0 * (weight @ seen), scale=for_entries(image), over=2),
            eq(norm, total, scale=condition * size),
        ]
    return reduce(and_, parts)


def residuals_are_unseen(
    weights: Sequence[Array],
    points: Array,
    slopes: Array,
    bias: Array,
    elsewhere: Array,
    on_data: bool = True,
    ratio: int = 10_000,
) -> Relation:
    """The network of the first terms has the same representations on the data, `points`."""
    determined, errors, error = [], [], 0 * bias
    for weight, seen in zip(weights, representations(weights, points, slopes, bias)[1], strict=True):
        first, _, condition = split(weight, seen)
        determined.append(first * ratio / 10_000)
        # of this layer, and of those before through this one; the slopes are at most 1
        error = sqrt(frobenius_norm_squared(weight)) * (condition * sqrt(frobenius_norm_squared(seen)) + error)
        errors.append(for_entries(error))
    compared = points if on_data else elsewhere
    old, new = (representations(each, compared, slopes, bias)[0] for each in (weights, determined))
    return reduce(and_, (eq(*pair, scale=size, over=2) for *pair, size in zip(old, new, errors, strict=True)))


def first_term_is_minimal(
    weight: Array, seen: Array, other: Array, ratio: int = 10_000, constrained: bool = True, around: bool = True
) -> Relation:
    r"""All W' with :math:`W'Z^\sigma = Z` are :math:`ZZ^{\sigma+} + V(I - Z^\sigma Z^{\sigma+})` for some V, here `other`."""
    first, own, condition = split(weight, seen)
    candidate = first + split(other, seen)[1] if constrained else other
    centre = first if around else first + own
    smallest, norm = frobenius_norm_squared(first), frobenius_norm_squared(candidate)
    size = condition * (frobenius_norm_squared(weight) + frobenius_norm_squared(other))
    relation = le(smallest * ratio / 10_000, norm, scale=size)
    if not constrained:
        return relation
    image = sqrt(size * condition * frobenius_norm_squared(seen))
    same = eq(candidate @ seen, weight @ seen, scale=for_entries(image), over=2)
    return relation & same & eq(norm, smallest + frobenius_norm_squared(candidate - centre), scale=size)


def two_layers(points: Any, bias: int = 1) -> dict[str, Any]:
    """A network of widths (2, 3, 1) with integer weights and the activation max(t, 0)."""
    weights = ([[1, -2, 1], [0, 3, -1], [-2, 1, 2]], [[2, -1, 1, 3]])
    return {
        "weights": tuple(rationals(weight) for weight in weights),
        "points": rationals(points),
        "slopes": rationals([1, 0]),
        "bias": rationals(bias),
    }


DEGENERATE: dict[str, dict[str, Any]] = {
    "two equal points": two_layers([[1, 2], [1, 2]]),
    "points on a ray": two_layers([[1, 2], [2, 4], [3, 6]], bias=0),
    "X = 0": two_layers([[0, 0], [0, 0]]),
    "X = 0 without bias": two_layers([[0, 0]], bias=0),
    "six points": two_layers([[1, 2], [-3, 1], [0, 5], [4, -1], [2, 2], [-1, -1]]),
}


def on_rationals(name: str) -> Relation:
    """A degenerate network, exactly; the pseudo-inverses agree with those of sympy."""
    import sympy as sp

    instance = DEGENERATE[name]
    relation = weights_decompose(**instance)
    for seen in representations(**instance)[1]:
        theirs = rationals(np.array(sp.Matrix(seen.shape[0], seen.shape[1], [sp.Rational(str(e)) for e in seen.flat]).pinv()))
        relation = relation & eq(pseudo_inverse(seen), theirs, over=2)
    return relation


def residual_of(name: str, layer: int, everything: bool) -> Relation:
    """The residual of a layer is all of its weights (or none of them)."""
    instance = DEGENERATE[name]
    weight, seen = instance["weights"][layer], representations(**instance)[1][layer]
    return eq(split(weight, seen)[1], weight if everything else 0 * weight, over=2)


SOURCE = Source("feature_learning", "Section 3.1")
NETWORKS = {
    "weights": derived(with_bias_column, network=Networks(slope=0)),
    "points": reals("points", "inputs"),
    "slopes": interval(-1, 1, 2),
    "bias": interval(0, 2),
}
SIZES = {"depth": range(1, 5), "inputs": range(1, 4), "width": range(1, 5), "outputs": range(1, 3), "points": range(1, 7)}

CLAIM = Claim(
    id="feature_learning.weight_decomposition",
    title="Weights are a part seen by the data and an orthogonal residual",
    source=SOURCE,
    statement=weights_decompose,
    domain=Domain(NETWORKS, SIZES),
    false_neighbours={
        "residual 0.01 percent larger": partial(weights_decompose, ratio=10_001),
        "no residual": partial(weights_decompose, ratio=0),
        "bias weights not counted": partial(weights_decompose, counted=False),
        "transpose in place of pseudo-inverse": partial(weights_decompose, transposed=True),
    },
    exact={name: partial(on_rationals, name) for name in DEGENERATE}
    | {
        "X = 0 without bias: all is residual": partial(residual_of, "X = 0 without bias", 0, everything=True),
        "six points: nothing is residual": partial(residual_of, "six points", 0, everything=False),
    },
)

UNSEEN = Claim(
    id="feature_learning.weight_decomposition.representations",
    title="The residuals change no representation of the data",
    source=SOURCE,
    statement=residuals_are_unseen,
    domain=Domain({**NETWORKS, "elsewhere": reals("points", "inputs")}, SIZES),
    false_neighbours={
        "nor any other representation": partial(residuals_are_unseen, on_data=False),
        "first terms 0.01 percent larger": partial(residuals_are_unseen, ratio=10_001),
    },
)

MINIMAL = Claim(
    id="feature_learning.weight_decomposition.minimal",
    title="The first term is the smallest matrix with these representations",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=first_term_is_minimal,
    domain=Domain(
        {"weight": reals("rows", "columns"), "seen": reals("columns", "points"), "other": reals("rows", "columns")},
        {"rows": range(1, 4), "columns": range(1, 6), "points": range(1, 7)},
    ),
    tight={
        "no residual": Tight(
            lambda: {
                "weight": rationals([[1, 2, 3]]),
                "seen": rationals([[1, 0], [2, 1], [1, 1]]),
                "other": rationals([[0, 0, 0]]),
            }
        )
    },
    false_neighbours={
        "0.01 percent more": partial(first_term_is_minimal, ratio=10_001),
        "among all matrices": partial(first_term_is_minimal, constrained=False),
        "by the distance to W": partial(first_term_is_minimal, around=False),
    },
)
