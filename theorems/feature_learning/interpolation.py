r"""Multiplicative interpolation of the covariances of a linear network.

Statement
    For the identity activation without bias and :math:`\lambda > 0`, at every global minimum the covariances are, with
    :math:`A = Z_L X^+`,

    .. math:: K_\ell = X^T (A^TA)^{\ell/L} X .

    If X is invertible, this is the weighted geometric mean :math:`K_0 \#_{\ell/L} K_L = K_0 (K_0^{-1} K_L)^{\ell/L}`.
Checked
    The formula at every layer of balanced networks without residuals, of ranks 1 to 3, with fewer points than inputs and with
    more. Every critical point is one (``.balanced``): whatever the cost,

    .. math:: W_{\ell+1}^T \partial_{W_{\ell+1}}L - \partial_{W_\ell}L \, W_\ell^T
       = 2\lambda(W_{\ell+1}^TW_{\ell+1} - W_\ell W_\ell^T) ,

    and residuals are zero at a critical point by `prop_1.local_minima`. The geometric mean (``.geometric_mean``) for as many
    points as inputs.
Proof idea
    Balanced weights have :math:`(W_\ell \cdots W_1)^T W_\ell \cdots W_1 = (W_1^TW_1)^\ell`.
Tight
    X = (1, 1; 0, 1), A = diag(4, 1), L = 2 give :math:`K_1 = (4, 4; 4, 5)`; the product
    :math:`K_0^{1/2}K_2^{1/2}` of powers is another matrix, since the two do not commute.
Source
    feature_learning, Section 3.1, item 2; in the copy at hand the formula is lost.
"""

from functools import reduce
from itertools import pairwise
from operator import and_

import numpy as np

from theorems.feature_learning.constructions.layers import gram
from theorems.shared.balanced import rotation as rotations
from verify import Claim, Domain, Networks, Q, Source, derived, integers, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import eq, eye, geometric_mean, gram_power, lifted, pinv, psd_power, rank

rotation = lifted(rotations)


def representations(linear):
    r""":math:`X, Z_1, \ldots, Z_L`."""
    W, X, _ = linear
    Z = [X]
    for weight in W:
        Z.append(weight @ Z[-1])
    return Z


def hidden_covariances(linear, wanted):
    r"""Those of all hidden layers against what is `wanted` of the layer, from :math:`\ell/L` and all representations."""
    Z, L = representations(linear), len(linear[0])
    parts = (eq(gram(Z[layer]), wanted(Q(layer, L), Z), name=f"layer {layer}") for layer in range(1, L))
    return reduce(and_, parts)


def covariances_interpolate(linear):
    X, L = linear[1], len(linear[0])
    return hidden_covariances(linear, lambda share, Z: X.T @ gram_power(Z[L] @ pinv(X), share) @ X)


def without_the_data(linear):
    """As for X = I."""
    return hidden_covariances(linear, lambda share, Z: gram_power(Z[-1], share))


def exponent_from_the_last_layer(linear):
    X, L = linear[1], len(linear[0])
    return hidden_covariances(linear, lambda share, Z: X.T @ gram_power(Z[L] @ pinv(X), 1 - share + Q(1, L)) @ X)


def additive(linear):
    return hidden_covariances(linear, lambda share, Z: (1 - share) * gram(Z[0]) + share * gram(Z[-1]))


def covariances_are_means(linear):
    return hidden_covariances(linear, lambda share, Z: geometric_mean(gram(Z[0]), gram(Z[-1]), share))


def product_of_powers(linear):
    r"""The symmetric part of the product :math:`K_0^{1-\ell/L} K_L^{\ell/L}` in place of the mean."""

    def product(share, Z):
        P = psd_power(gram(Z[0]), 1 - share) @ psd_power(gram(Z[-1]), share)
        return (P + P.T) / 2

    return hidden_covariances(linear, product)


def gradients(W, G, lam):
    r"""Of :math:`\langle G, W_L \cdots W_1\rangle + \lambda\|W\|^2`: to first order every cost is linear."""
    found = []
    for place, weight in enumerate(W):
        pulled = G
        for before in W[:place]:
            pulled = pulled @ before.T
        for after in reversed(W[place + 1 :]):
            pulled = after.T @ pulled
        found.append(pulled + 2 * lam * weight)
    return found


def critical_points_are_balanced(f, G, lam):
    """Both sides are zero at a critical point."""
    W, dW = f.weights, gradients(f.weights, G, lam)
    parts = (
        eq(
            W[layer].T @ dW[layer] - dW[layer - 1] @ W[layer - 1].T,
            2 * lam * (W[layer].T @ W[layer] - W[layer - 1] @ W[layer - 1].T),
            name=f"layer {layer}",
        )
        for layer in range(1, f.depth)
    )
    return reduce(and_, parts)


def sum_of_both(f, G, lam):
    """As if the gradients had opposite signs."""
    W, dW = f.weights, gradients(f.weights, G, lam)
    return eq(W[1].T @ dW[1] + dW[0] @ W[0].T, 2 * lam * (W[1].T @ W[1] + W[0] @ W[0].T))


def without_the_ridge(f, G, lam):
    W, dW = f.weights, gradients(f.weights, G, lam)
    return eq(W[1].T @ dW[1], dW[0] @ W[0].T)


def drawn_linear(rank, frames, last, first, roots, coordinates, scale):
    r"""Weights :math:`Q_\ell\,\mathrm{diag}(\mathrm{roots})\,Q_{\ell-1}^T`; the first times a scale, the last over it.

    Q are rotations, the points combinations of the first columns of :math:`Q_0`. The scale is kept: balanced networks have 1.
    """
    frames = [rotation(first), *rotation(frames), rotation(last)]
    W = [(after[:, :rank] * roots) @ before[:, :rank].T for before, after in pairwise(frames)]
    return (scale * W[0], *W[1:-1], W[-1] / scale), frames[0][:, : len(coordinates)] @ coordinates, scale


def by_hand():
    r"""X = (1, 1; 0, 1), A = diag(4, 1), L = 2: :math:`K_1 = (4, 4; 4, 5)`."""
    root, X = rationals([[2, 0], [0, 1]]), rationals([[1, 1], [0, 1]])
    linear = ((root, root), X, rationals(1))
    return covariances_interpolate(linear) & eq(gram(representations(linear)[1]), rationals([[4, 4], [4, 5]]))


def chart_of(size, extra):
    """Coordinates of a rotation of a layer with `extra` more neurons than `size`."""
    return lambda sizes: (sizes[size] + sizes[extra]) * (sizes[size] + sizes[extra] - 1) // 2


def few_sizes(sizes):
    """The rank fits; the deeper networks are the narrow ones."""
    fits = sizes["rank"] <= sizes["seen"] <= sizes["points"] <= sizes["seen"] + 1
    return fits and sizes["wider"] + sizes["unseen"] <= 1 and (sizes["depth"] < 4 or sizes["wider"] + sizes["unseen"] == 0)


FRAMES = {
    "frames": reals(lambda sizes: sizes["depth"] - 1, chart_of("rank", "wider")),
    "last": reals(chart_of("rank", "wider")),
    "first": reals(chart_of("seen", "unseen")),
    "scale": integers(1, 2),
}
LINEAR = derived(drawn_linear, **FRAMES, roots=interval(0, 2, "rank"), coordinates=reals("seen", "points"))
INVERTIBLE = derived(
    drawn_linear,
    **FRAMES,
    roots=interval(Q("1/4"), 2, "rank"),
    coordinates=derived(lambda entries: np.triu(entries, 1) + eye(len(entries)), entries=reals("seen", "points")),
)
"""As many points as inputs, and invertible matrices."""
SOURCE = Source("feature_learning", "Section 3.1, item 2")
BALANCED_ONES = {"the network is balanced": lambda linear: linear[2] == 1}
SEES_ONLY_DATA = {"the network sees only the data": lambda linear, seen: rank(linear[1]) == seen}

CLAIM = Claim(
    id="feature_learning.interpolation",
    title="Covariances of linear networks interpolate between inputs and outputs",
    source=SOURCE,
    statement=covariances_interpolate,
    domain=Domain(
        {"linear": LINEAR},
        {"depth": (2, 3, 6), "rank": (1, 2, 3), "wider": (0, 1), "seen": (1, 2, 3), "unseen": (0, 1), "points": (1, 2, 3, 4)},
        BALANCED_ONES | SEES_ONLY_DATA,
        sizes_where=few_sizes,
    ),
    needs=tuple(BALANCED_ONES | SEES_ONLY_DATA),
    false_variants={
        "without the data": without_the_data,
        "the exponent from the last layer": exponent_from_the_last_layer,
        "additive": additive,
    },
    exact={"X = (1, 1; 0, 1), A = diag(4, 1)": by_hand},
)

MEAN = Claim(
    id="feature_learning.interpolation.geometric_mean",
    title="For invertible data the covariances are geometric means",
    source=SOURCE,
    statement=covariances_are_means,
    domain=Domain(
        {"linear": INVERTIBLE},
        {"depth": (2, 3, 4), "rank": (1, 2, 3), "wider": (0,), "seen": (1, 2, 3), "unseen": (0,), "points": (1, 2, 3)},
        BALANCED_ONES,
        sizes_where=lambda sizes: sizes["rank"] == sizes["seen"] == sizes["points"],
    ),
    needs=tuple(BALANCED_ONES),
    false_variants={"a product of powers": product_of_powers, "additive": additive},
)

BALANCED = Claim(
    id="feature_learning.interpolation.balanced",
    title="Critical points of linear networks are balanced",
    source=SOURCE,
    statement=critical_points_are_balanced,
    domain=Domain(
        {
            "f": Networks(slope=1, biases=False),
            "G": reals("outputs", "inputs", role="Jacobian"),
            "lam": interval(0, 2, role="ridge"),
        },
        {"depth": (2, 3, 6), "inputs": range(1, 4), "width": (2, 3), "outputs": range(2, 4)},
        sizes_where=lambda sizes: sizes["width"] == 2 or sizes["depth"] < 4,
    ),
    false_variants={"the sum of both": sum_of_both, "without the ridge": without_the_ridge},
)
