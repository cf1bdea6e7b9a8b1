r"""Proposition 3: the regularised loss as a function of covariances and outputs, and the set that networks reach.

With the notation of `weight_decomposition`, let :math:`K_\ell = Z_\ell^TZ_\ell`,
:math:`K_\ell^\sigma = (Z_\ell^\sigma)^TZ_\ell^\sigma`. For any matrices,
:math:`\|ZA^+\|_F^2 = \mathrm{Tr}[Z^TZ(A^TA)^+]`. So for a positively homogeneous activation
:math:`\inf_W L_\lambda` is the infimum of

.. math:: C(Z_L) + \lambda\sum_{\ell=1}^L \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+]

over the set :math:`\mathcal K_n(X)` of tuples with :math:`(K_\ell, K_\ell^\sigma) - (0, \beta^211^T)` a sum of at most
:math:`n_\ell` terms :math:`\alpha(xx^T, \sigma(x)\sigma(x)^T)`, :math:`\alpha \ge 0`, with the image of
:math:`K_\ell` in that of :math:`K_{\ell-1}^\sigma`, and the image of :math:`Z_L^T` in that of
:math:`K_{L-1}^\sigma` (the transpose is not printed). Checked are both inclusions between this set and that of the networks:

- *image*: a network has such a tuple, and its cost is less than :math:`\|W\|^2` by the norm of its residuals;
- *pre-image*: the rows :math:`\sqrt{\alpha_i}x_i` as representations, and :math:`W_\ell = Z_\ell(Z_{\ell-1}^\sigma)^+`, give a
  network of width :math:`n_\ell` with exactly the covariances and outputs of a tuple, and :math:`\|W\|^2` is its cost. (Cone
  weights are drawn as squares, to stay rational; vectors are projected to satisfy the conditions on the images.)

For one data point, set and smallest cost are in `prop_3_one_point`.

Source: feature_learning, Proposition 3 (Proposition 17 in the appendix).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import and_

import numpy as np

from theorems.feature_learning.prop_13_cp_rank_of_graphs import gram
from theorems.feature_learning.weight_decomposition import NETWORKS, SIZES, for_entries, representations, split, with_bias_row
from verify import Claim, Domain, Relation, Source, eq, interval, reals
from verify.arithmetic import Array, is_exact, sqrt
from verify.matrices import frobenius_norm_squared, pseudo_inverse
from verify.networks import HomogeneousActivation


def trace_of_product(first: Array, second: Array) -> Array:
    """``Tr[A B]`` for symmetric A, shape ``(..., N, N), (..., N, N) -> (...)``."""
    return np.asarray((first * second).sum(axis=(-2, -1)))


def condition(seen: Array) -> Array:
    r""":math:`\|A\|_F\|A^+\|_F`, at least the ratio of the extreme non-zero singular values."""
    return sqrt(frobenius_norm_squared(seen) * frobenius_norm_squared(pseudo_inverse(seen)))


def norm_is_a_trace(values: Array, seen: Array, ratio: int = 10_000, inverted: bool = True, joint: bool = True) -> Relation:
    r""":math:`\|ZA^+\|_F^2 = \mathrm{Tr}[Z^TZ(A^TA)^+]` for any two matrices with equally many columns."""
    inverse = pseudo_inverse(seen)
    norm, of_gram = frobenius_norm_squared(values @ inverse), pseudo_inverse(gram(seen)) if inverted else gram(seen)
    ours = gram(values)
    trace = trace_of_product(ours, of_gram) if joint else ours.trace(axis1=-2, axis2=-1) * of_gram.trace(axis1=-2, axis2=-1)
    size = frobenius_norm_squared(values) * frobenius_norm_squared(inverse) * condition(seen) ** 2
    return eq(norm, trace * ratio / 10_000, scale=size)


def row_costs(values: Array, seen: Array, weights: Array | None = None) -> Array:
    r""":math:`z^T(A^TDA)^+z` for every row z of a matrix, shapes ``(..., n, N), (..., k, N), (..., k) -> (..., n)``.

    D has the `weights` on its diagonal, ones by default. In floats it is the squared length of :math:`z^T(\sqrt{D}A)^+`: the
    Gram matrix shows nothing of small singular values.
    """
    if is_exact(values):
        right = seen if weights is None else weights[..., None] * seen
        return np.asarray(((values @ pseudo_inverse(np.swapaxes(seen, -1, -2) @ right)) * values).sum(axis=-1))
    rows = seen if weights is None else np.sqrt(weights)[..., None] * seen
    return np.asarray(((values @ pseudo_inverse(rows)) ** 2).sum(axis=-1))


def tuple_cost(layers: Sequence[tuple[Array, Array]]) -> Array:
    r""":math:`\sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+]` for the pairs :math:`(K_\ell, K_{\ell-1}^\sigma)`."""
    return np.asarray(sum(trace_of_product(own, pseudo_inverse(before)) for own, before in layers))


def networks_reach_the_set(
    weights: Sequence[Array],
    points: Array,
    slopes: Array,
    bias: Array,
    residual: bool = True,
    outer: bool = True,
    ratio: int = 10_000,
) -> Relation:
    """The conditions on the images, the cost and the norm of the residuals add to the norm of the network."""
    given, seen = representations(weights, points, slopes, bias)
    layers = [(gram(own), gram(before)) for own, before in zip(given, seen, strict=True)]
    parts, norm, error, unseen = [], 0 * bias, 0 * bias, 0 * bias
    for weight, before, (own, kernel) in zip(weights, seen, layers, strict=True):
        conditions, size = condition(before) ** 2, frobenius_norm_squared(weight)
        # the image of the kernel is that of the transpose of the matrix it is made of
        range_of = pseudo_inverse(before) @ before if outer else kernel
        image = size * frobenius_norm_squared(before)
        parts.append(eq(own @ range_of, own, scale=for_entries(conditions * image), over=2))
        norm, error = norm + size, error + conditions * size
        unseen = unseen + frobenius_norm_squared(split(weight, before)[1])
    cost = sum(row_costs(own, before).sum(axis=-1) for own, before in zip(given, seen, strict=True)) * ratio / 10_000
    parts.append(eq(cost + unseen, norm, scale=error) if residual else eq(cost, norm, scale=error))
    return reduce(and_, parts)


def pre_image(
    cone_weights: Array, vectors: Sequence[Array], outputs: Array, points: Array, slopes: Array, bias: Array
) -> list[Array]:
    r"""Weights of a network whose covariances are those of the conical combinations, shapes ``(..., L - 1, k), (..., k, N)``.

    The rows of :math:`Z_\ell` are :math:`\sqrt{\alpha_i}x_i`, the last representation is `outputs`, and
    :math:`W_\ell = Z_\ell(Z_{\ell-1}^\sigma)^+`. It is one if the images are contained as in the proposition.
    """
    activation = HomogeneousActivation(slopes[..., :1], slopes[..., 1:])
    seen, weights = with_bias_row(np.swapaxes(points, -1, -2), bias), []
    rows = [sqrt(cone_weights[..., layer, :])[..., None] * each for layer, each in enumerate(vectors)]
    for values in [*rows, outputs]:
        weights.append(values @ pseudo_inverse(seen))
        seen = with_bias_row(activation(values), bias)
    return weights


def cone_pairs(cone_weights: Array, vectors: Sequence[Array], slopes: Array, bias: Array) -> list[tuple[Array, Array]]:
    r""":math:`\sum_i \alpha_i(x_ix_i^T, \sigma(x_i)\sigma(x_i)^T) + (0, \beta^211^T)` for every hidden layer."""
    activation, pairs = HomogeneousActivation(slopes[..., :1], slopes[..., 1:]), []
    for layer, each in enumerate(vectors):
        scales, image = cone_weights[..., layer, :, None], activation(each)
        offset = for_entries(bias**2)
        pairs.append((np.swapaxes(each, -1, -2) @ (scales * each), np.swapaxes(image, -1, -2) @ (scales * image) + offset))
    return pairs


def into_the_images(
    cone_weights: Array, vectors: Array, outputs: Array, points: Array, slopes: Array, bias: Array
) -> tuple[list[Array], Array]:
    """Vectors and outputs projected, layer by layer, to the image of the covariance before."""
    activation = HomogeneousActivation(slopes[..., :1], slopes[..., 1:])
    seen, result = with_bias_row(np.swapaxes(points, -1, -2), bias), []
    for layer in range(vectors.shape[-3]):
        inside = vectors[..., layer, :, :] @ (pseudo_inverse(seen) @ seen)
        result.append(inside)
        seen = with_bias_row(activation(sqrt(cone_weights[..., layer, :])[..., None] * inside), bias)
    return result, outputs @ (pseudo_inverse(seen) @ seen)


def is_reached(
    weights: Sequence[Array],
    pairs: Sequence[tuple[Array, Array]],
    outputs: Array,
    points: Array,
    slopes: Array,
    bias: Array,
    percent: int = 10_000,
) -> Relation:
    """The network has these pairs and outputs, and its norm is the cost of the tuple."""
    given, seen = representations(weights, points, slopes, bias)
    owns, befores = [*(own for own, _ in pairs), gram(outputs)], [gram(seen[0]), *(image for _, image in pairs)]
    parts, error, norm_error = [], 0 * bias, 0 * bias
    for weight, values, before, own, wanted in zip(weights, given, seen, owns, befores, strict=True):
        size = frobenius_norm_squared(weight)
        error = sqrt(size) * (condition(before) ** 2 * sqrt(frobenius_norm_squared(before)) + error)
        norm_error = norm_error + size * condition(before) ** 4
        scale = for_entries(error * (error + sqrt(frobenius_norm_squared(values))))
        parts += [eq(gram(values), own, scale=scale, over=2)]
        # the covariance after the activation, of the layer before
        parts += [eq(gram(before), wanted, scale=for_entries(error**2 + frobenius_norm_squared(before)), over=2)]
    parts.append(eq(given[-1], outputs, scale=for_entries(error), over=2))
    norm: Array = np.asarray(sum(frobenius_norm_squared(weight) for weight in weights))
    if is_exact(outputs):
        cost = tuple_cost(list(zip(owns, befores, strict=True)))
    else:  # of the same covariances, which the parts above compare
        cost = np.asarray(sum(row_costs(*each).sum(axis=-1) for each in zip(given, seen, strict=True)))
    cost = cost * percent / 10_000
    return reduce(and_, parts) & eq(norm, cost, scale=norm_error)


def every_tuple_is_reached(
    roots: Array,
    vectors: Array,
    outputs: Array,
    points: Array,
    slopes: Array,
    bias: Array,
    contained: bool = True,
    last: bool = True,
    percent: int = 10_000,
) -> Relation:
    """Covariances, outputs and norm of the pre-image of a tuple with the cone weights `roots` squared."""
    cone_weights, instance = roots**2, (points, slopes, bias)
    inside, ends = into_the_images(cone_weights, vectors, outputs, *instance)
    if not contained:
        inside = [vectors[..., layer, :, :] for layer in range(vectors.shape[-3])]
    ends = ends if last else outputs
    pairs = cone_pairs(cone_weights, inside, slopes, bias)
    return is_reached(pre_image(cone_weights, inside, ends, *instance), pairs, ends, *instance, percent=percent)


SOURCE = Source("feature_learning", "Proposition 3")

CLAIM = Claim(
    id="feature_learning.prop_3",
    title="Every tuple of covariances is that of a network with the same cost",
    source=SOURCE,
    statement=every_tuple_is_reached,
    domain=Domain(
        {
            "roots": interval(0, 2, lambda sizes: sizes["depth"] - 1, "width"),
            "vectors": reals(lambda sizes: sizes["depth"] - 1, "width", "points"),
            "outputs": reals("outputs", "points"),
            "points": reals("points", "inputs"),
            "slopes": interval(-1, 1, 2),
            "bias": interval(0, 2),
        },
        {"depth": range(1, 4), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 3), "points": range(1, 4)},
    ),
    false_neighbours={
        "no condition on the images of the covariances": partial(every_tuple_is_reached, contained=False),
        "no condition on the image of the outputs": partial(every_tuple_is_reached, last=False),
        "a cost 0.01 percent less": partial(every_tuple_is_reached, percent=9_999),
    },
)

IMAGE = Claim(
    id="feature_learning.prop_3.image",
    title="Covariances of a network cost what its norm is without the residuals",
    source=SOURCE,
    statement=networks_reach_the_set,
    domain=Domain(NETWORKS, {**SIZES, "depth": range(1, 4), "points": range(1, 5), "width": range(1, 4)}),
    false_neighbours={
        "no residuals": partial(networks_reach_the_set, residual=False),
        "a projection without the pseudo-inverse": partial(networks_reach_the_set, outer=False),
        "a cost 0.01 percent more": partial(networks_reach_the_set, ratio=10_001),
    },
)

TRACE = Claim(
    id="feature_learning.prop_3.trace_identity",
    title="The norm of a layer is a trace of covariances",
    source=Source("feature_learning", "Section 3.2"),
    statement=norm_is_a_trace,
    domain=Domain(
        {"values": reals("rows", "points"), "seen": reals("columns", "points")},
        {"rows": range(1, 4), "columns": range(1, 5), "points": range(1, 5)},
    ),
    false_neighbours={
        "0.01 percent more": partial(norm_is_a_trace, ratio=10_001),
        "without the pseudo-inverse": partial(norm_is_a_trace, inverted=False),
        "a product of traces": partial(norm_is_a_trace, joint=False),
    },
)
