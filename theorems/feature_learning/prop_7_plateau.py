r"""Proposition 7: the plateau begins at N(N+1) hidden neurons; in fact at N(N+1)/2.

If two networks have equally many inputs and outputs, and each hidden layer of both has at least N(N+1) neurons, then their
infima of :math:`L_\lambda` are equal, and so are their representation costs on N points, for homogeneous activations: the pairs
:math:`(K_\ell, K_\ell^\sigma)` lie in N(N+1) dimensions, and Caratheodory's theorem leaves that many neurons of any layer with
positive weights (see `caratheodory`, and `prop_3_covariances` for the network that belongs to these weights).

Half of them suffice: in the linear programme

.. math:: \min_{\alpha \ge 0} \sum_i \alpha_i x_i^T(K_{\ell-1}^\sigma)^+x_i \quad\text{subject to}\quad
   \sum_i \alpha_i\sigma(x_i)\sigma(x_i)^T = K_\ell^\sigma - \beta^211^T

only :math:`K_\ell^\sigma` is kept. The later layers do not notice, the cost of layer l does not grow, and some solution has at
most N(N+1)/2 positive weights. What is checked, for any network of any width: after pruning all hidden layers, outputs are the
same at the points, :math:`\sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+]` is not larger (it is :math:`\|W\|^2` without the
residuals), and in the first form the covariances are the same. With Proposition 6, the values at all larger widths are equal.

Scaled by :math:`\sqrt{\alpha_i}`, a neuron is irrational. The network that is evaluated has unscaled neurons, hence the same
outputs, and the norm of the scaled one is the sum of traces; so rationals stay rationals.

Source: feature_learning, Proposition 7; N(N+1)/2 is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import and_

import numpy as np

from theorems.feature_learning.prop_3_covariances import condition, row_costs
from theorems.feature_learning.prop_13_cp_rank_of_graphs import gram
from theorems.feature_learning.weight_decomposition import NETWORKS, for_entries, representations
from verify import Claim, Domain, Ours, Relation, Source, eq, le
from verify.arithmetic import Array, compare, is_exact, rationals
from verify.cones.conical_hull import caratheodory
from verify.domain import Sizes
from verify.matrices import frobenius_norm_squared, pseudo_inverse

SOLVER_ACCURACY = 1e-6
"""Of the weights in floats, relative; rationals are exact."""


def half_of(products: Array) -> Array:
    """The entries on and above the diagonal, shape ``(..., N, N) -> (..., N(N + 1)/2)``."""
    rows, columns = np.triu_indices(products.shape[-1])
    return np.asarray(products[..., rows, columns])


def pruned_layer(values: Array, image: Array, before: Array, pairs: bool) -> Array:
    r"""New weights of the neurons of a layer, at most N(N + 1) or N(N + 1)/2 of them not zero, shape ``(..., n)``.

    `values` and `image` have the rows :math:`x_i` and :math:`\sigma(x_i)`; `before` is :math:`Z_{\ell-1}^\sigma`.
    """
    own, after = (half_of(rows[..., :, None] * rows[..., None, :]) for rows in (values, image))
    generators = np.concatenate([own, after], axis=-1) if pairs else after
    costs = row_costs(values, before)
    ones = 0 * costs + 1
    return np.stack([caratheodory(*one[:2], cost=one[2]) for one in zip(generators, ones, costs, strict=True)])


def with_one(weights: Array) -> Array:
    """The weights of the neurons, and 1 for the row of the bias, shape ``(..., n) -> (..., n + 1)``."""
    return np.concatenate([weights, 0 * weights[..., :1] + 1], axis=-1)


def pruned_covariances(weights: Array, values: Array, seen: Array) -> tuple[Array, Array]:
    """The pair of a layer whose neurons have these weights; `seen` ends with the row of the bias."""
    scaled = with_one(weights)[..., None] * seen
    return np.swapaxes(values, -1, -2) @ (weights[..., None] * values), np.swapaxes(seen, -1, -2) @ scaled


def pruned_network(given: Sequence[Array], seen: Sequence[Array], chosen: Sequence[Array]) -> list[Array]:
    r"""Weights for unscaled neurons: :math:`Z_{\ell+1}(K_\ell^\sigma)^+` times :math:`\alpha_i\sigma(x_i)`.

    In floats they are :math:`Z_{\ell+1}S^+` times :math:`\sqrt{\alpha_i}`, for S with the rows
    :math:`\sqrt{\alpha_i}\sigma(x_i)`.
    """
    result = [given[0] @ pseudo_inverse(seen[0])]
    for values, image, weights in zip(given[1:], seen[1:], chosen, strict=True):
        if is_exact(values):
            scaled = with_one(weights)[..., None] * image
            result.append(values @ pseudo_inverse(np.swapaxes(image, -1, -2) @ scaled) @ np.swapaxes(scaled, -1, -2))
        else:
            roots = np.sqrt(with_one(weights))
            result.append(values @ pseudo_inverse(roots[..., None] * image) * roots[..., None, :])
    return result


def layers_can_be_pruned(
    weights: Sequence[Array],
    points: Array,
    slopes: Array,
    bias: Array,
    pairs: bool = True,
    keep: bool | None = None,
    fewer: int = 0,
    percent: int = 100,
    elsewhere: bool = False,
) -> Relation:
    """Outputs, cost, covariances and numbers of neurons after pruning every hidden layer."""
    given, seen = representations(weights, points, slopes, bias)
    count, exact = points.shape[-2], is_exact(points)
    images = [image[..., :-1, :] for image in seen[1:]]
    chosen = [pruned_layer(*layer, pairs) for layer in zip(given, images, seen, strict=False)]
    after = [pruned_covariances(*layer) for layer in zip(chosen, given, seen[1:], strict=False)]
    parts, before, cost, size = [], 0 * bias, 0 * bias, 0 * bias
    for layer, values in enumerate(given):
        old_costs = row_costs(values, seen[layer])
        new_costs = row_costs(values, seen[layer], with_one(chosen[layer - 1])) if layer else old_costs
        before = before + old_costs.sum(axis=-1)
        cost = cost + ((chosen[layer] * new_costs) if layer < len(after) else new_costs).sum(axis=-1)
        size = size + frobenius_norm_squared(weights[layer]) * condition(seen[layer]) ** 4
        if layer < len(after) and (pairs if keep is None else keep):
            for kept, old in zip(after[layer], (gram(values), gram(seen[layer + 1])), strict=True):
                parts.append(eq(kept, old, noise=None if exact else SOLVER_ACCURACY * for_entries(size + 1), over=2))
    noise = None if exact else SOLVER_ACCURACY * size
    parts.append(le(cost, before * percent / 100, noise=noise))
    bound = count * (count + 1) // (1 if pairs else 2) - fewer
    for alpha in chosen:
        number = np.asarray(compare(alpha, 0) > 0).sum(axis=-1)
        parts.append(le(rationals(number) if exact else number.astype(np.float64), 0 * bias + bound))
    compared = points + 1 if elsewhere else points
    old, new = (representations(each, compared, slopes, bias)[0][-1] for each in (weights, pruned_network(given, seen, chosen)))
    error = None if exact else SOLVER_ACCURACY * for_entries((1 + size) * (1 + frobenius_norm_squared(old)))
    return reduce(and_, [*parts, eq(new, old, noise=error, over=2)])


def price(sizes: Sizes) -> int:
    """Solving for the weights of a layer is what takes time."""
    return 60 * (sizes["depth"] - 1) * sizes["points"]


HALF = partial(layers_can_be_pruned, pairs=False)
SIZES = {"depth": (2, 3), "inputs": (1, 2), "width": (2, 4, 7, 8), "outputs": (1, 2), "points": (1, 2, 3)}


def wide_enough(sizes: Sizes) -> bool:
    """Layers that are wider than a bound, and some that are not."""
    return sizes["width"] >= sizes["points"] ** 2 and (sizes["width"] <= 4 or sizes["points"] > 1)


CLAIM = Claim(
    id="feature_learning.prop_7",
    title="N(N + 1) neurons of each layer suffice",
    source=Source("feature_learning", "Proposition 7"),
    statement=layers_can_be_pruned,
    domain=Domain(NETWORKS, {**SIZES, "points": (1, 2)}, sizes_where=wide_enough),
    false_neighbours={
        "one neuron less": partial(layers_can_be_pruned, fewer=1),
        "N(N + 1)/2 neurons with the same covariances": partial(HALF, keep=True),
        "99 percent of the cost": partial(layers_can_be_pruned, percent=99),
        "the function does not change": partial(layers_can_be_pruned, elsewhere=True),
    },
    cost=price,
)

HALF_CLAIM = Claim(
    id="feature_learning.prop_7.half",
    title="N(N + 1)/2 neurons of each layer suffice",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=HALF,
    domain=Domain(NETWORKS, SIZES, sizes_where=wide_enough),
    false_neighbours={
        "one neuron less": partial(HALF, fewer=1),
        "99 percent of the cost": partial(HALF, percent=99),
        "the function does not change": partial(HALF, elsewhere=True),
    },
    cost=price,
)
