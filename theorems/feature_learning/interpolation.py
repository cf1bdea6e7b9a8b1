r"""Multiplicative interpolation: the covariances of a linear network lie on the geometric path from inputs to outputs.

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
Sharp
    X = (1, 1; 0, 1), A = diag(4, 1), L = 2 give :math:`K_1 = (4, 4; 4, 5)`; the product
    :math:`K_0^{1/2}K_2^{1/2}` of powers is another matrix, since the two do not commute.
Source
    feature_learning, Section 3.1, item 2; in the copy at hand the formula is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import and_
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.layers import gram, matrix_like
from theorems.notion_of_rank.constructions.arrays import transpose
from theorems.notion_of_rank.constructions.balanced import balanced_factors, rotation
from verify import Claim, Domain, Networks, Q, Relation, Sizes, Source, derived, eq, integers, interval, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import geometric_mean, gram_power, psd_power, pseudo_inverse, rank
from verify.networks import FullyConnected, identity


@dataclass(frozen=True, eq=False)
class Linear:
    r"""A linear network on data.

    Attributes
    ----------
    network, points
        Without biases; X, a column for each point.
    scale
        What the first layer was multiplied by, and the last divided by: balanced networks have 1.
    seen
        The number of inputs in whose span X lies, and which the network sees.
    """

    network: FullyConnected
    points: Array
    scale: Array
    seen: int

    def __getitem__(self, index: Any) -> Linear:
        return Linear(self.network[index], self.points[index], self.scale[index], self.seen)

    def representations(self) -> list[Array]:
        r""":math:`X, Z_1, \ldots, Z_L`."""
        found = [self.points]
        for weight in self.network.weights:
            found.append(np.asarray(weight @ found[-1]))
        return found


def covariances_interpolate(linear: Linear) -> Relation:
    """The covariances of all layers against powers of that of A."""
    given, depth = linear.representations(), linear.network.depth
    product = given[-1] @ pseudo_inverse(linear.points)
    return interpolated(given, [gram_power(product, Fraction(layer, depth)) for layer in range(1, depth)], linear.points)


def interpolated(given: list[Array], powers: list[Array], points: Array) -> Relation:
    r"""The hidden covariances against :math:`X^T P_\ell X`."""
    pairs = enumerate(zip(given[1:-1], powers, strict=True), start=1)
    parts = (eq(gram(z), transpose(points) @ p @ points, name=f"layer {layer}", over=2) for layer, (z, p) in pairs)
    return reduce(and_, parts)


def covariances_are_means(linear: Linear) -> Relation:
    """The covariances of all layers against the geometric means of the first and the last."""
    given, depth = linear.representations(), linear.network.depth
    first, last = gram(given[0]), gram(given[-1])
    means = ((layer, geometric_mean(first, last, Fraction(layer, depth))) for layer in range(1, depth))
    return reduce(and_, (eq(gram(given[layer]), mean, name=f"layer {layer}", over=2) for layer, mean in means))


def gradients(weights: Sequence[Array], slope: Array, ridge: Array) -> list[Array]:
    r"""The gradients of :math:`\langle slope, W_L \cdots W_1\rangle + \lambda\|W\|^2`: to first order every cost is linear."""
    found = []
    for place, weight in enumerate(weights):
        pulled = slope
        for before in weights[:place]:
            pulled = pulled @ transpose(before)
        for after in reversed(weights[place + 1 :]):
            pulled = transpose(after) @ pulled
        found.append(np.asarray(pulled + 2 * matrix_like(ridge) * weight))
    return found


def critical_points_are_balanced(network: FullyConnected, slope: Array, ridge: Array) -> Relation:
    """The gradients of two layers against what they lack of balance; both sides are zero at a critical point."""
    weights = network.weights
    slopes = gradients(weights, slope, ridge)
    parts = []
    for layer in range(1, network.depth):
        own, after = weights[layer - 1], weights[layer]
        lack = 2 * matrix_like(ridge) * (transpose(after) @ after - own @ transpose(own))
        difference = transpose(after) @ slopes[layer] - slopes[layer - 1] @ transpose(own)
        parts.append(eq(difference, lack, name=f"layer {layer}", over=2))
    return reduce(and_, parts)


# False variants


def product_of_powers(linear: Linear) -> Relation:
    r"""The symmetric part of the product :math:`K_0^{1-\ell/L} K_L^{\ell/L}` in place of the mean."""
    given, depth = linear.representations(), linear.network.depth
    first, last = gram(given[0]), gram(given[-1])
    parts = []
    for layer in range(1, depth):
        product = psd_power(first, 1 - Fraction(layer, depth)) @ psd_power(last, Fraction(layer, depth))
        parts.append(eq(gram(given[layer]), (product + transpose(product)) / 2, over=2))
    return reduce(and_, parts)


def without_the_data(linear: Linear) -> Relation:
    """Powers of the covariance of the outputs, as for X = I."""
    given, depth = linear.representations(), linear.network.depth
    powers = (gram_power(given[-1], Fraction(layer, depth)) for layer in range(1, depth))
    return reduce(and_, (eq(gram(own), power, over=2) for own, power in zip(given[1:-1], powers, strict=True)))


def exponent_from_the_end(linear: Linear) -> Relation:
    """The exponent (L - l + 1)/L, from the last layer."""
    given, depth = linear.representations(), linear.network.depth
    product = given[-1] @ pseudo_inverse(linear.points)
    powers = [gram_power(product, 1 - Fraction(layer - 1, depth)) for layer in range(1, depth)]
    return interpolated(given, powers, linear.points)


def additive_interpolation(linear: Linear) -> Relation:
    r"""The mean :math:`(1 - \ell/L)K_0 + (\ell/L)K_L`."""
    given, depth = linear.representations(), linear.network.depth
    first, last = gram(given[0]), gram(given[-1])
    parts = (
        eq(gram(given[layer]), Q(f"{depth - layer}/{depth}") * first + Q(f"{layer}/{depth}") * last, over=2)
        for layer in range(1, depth)
    )
    return reduce(and_, parts)


def sum_of_the_gradients(network: FullyConnected, slope: Array, ridge: Array) -> Relation:
    """The sum of both norms in place of the difference, as if the gradients had opposite signs."""
    weights = network.weights
    slopes = gradients(weights, slope, ridge)
    norms = transpose(weights[1]) @ weights[1] + weights[0] @ transpose(weights[0])
    gained = transpose(weights[1]) @ slopes[1] + slopes[0] @ transpose(weights[0])
    return eq(gained, 2 * matrix_like(ridge) * norms, over=2)


def without_the_ridge(network: FullyConnected, slope: Array, ridge: Array) -> Relation:
    """The difference of the gradients is zero, whatever the weights."""
    weights = network.weights
    slopes = gradients(weights, slope, ridge)
    return eq(transpose(weights[1]) @ slopes[1], slopes[0] @ transpose(weights[0]), over=2)


# Instances


def drawn_linear(rank: int, frames: Array, last: Array, first: Array, roots: Array, coordinates: Array, scale: Array) -> Linear:
    r"""Factors :math:`Q_\ell\,\mathrm{diag}(roots)\,Q_{\ell-1}^T` between rotations, the first and last of them scaled.

    The points are combinations of the first columns of :math:`Q_0`.
    """
    inputs = rotation(first)
    network = balanced_factors(rotation(last), roots[..., :rank], inputs, rotation(frames))
    start, *middle, end = network.weights
    weights = [matrix_like(scale) * start, *middle, end / matrix_like(scale)]
    seen = coordinates.shape[-2]
    return Linear(FullyConnected(weights, activation=network.activation), inputs[..., :seen] @ coordinates, scale, seen)


def two_layers() -> dict[str, Linear]:
    """X = (1, 1; 0, 1), A = diag(4, 1), L = 2."""
    root, points = rationals([[2, 0], [0, 1]]), rationals([[1, 1], [0, 1]])
    return {"linear": Linear(FullyConnected([root, root], activation=identity()), points, rationals(1), 2)}


def by_hand() -> Relation:
    r"""There :math:`K_1 = (4, 4; 4, 5)`."""
    linear = two_layers()["linear"]
    return covariances_interpolate(linear) & eq(gram(linear.representations()[1]), rationals([[4, 4], [4, 5]]), over=2)


def is_balanced(linear: Linear) -> Any:
    """Whether the first layer was not scaled."""
    return compare(linear.scale, 1) == 0


def sees_only_data(linear: Linear) -> Any:
    """Whether the data span the inputs that the network sees, so that no weights are residuals."""
    return np.asarray(rank(linear.points)) == linear.seen


def frame_of(size: str, extra: str) -> Callable[[Sizes], int]:
    """Coordinates of a rotation of a layer with `extra` more neurons than `size`."""
    return lambda sizes: (sizes[size] + sizes[extra]) * (sizes[size] + sizes[extra] - 1) // 2


def unit_triangular(entries: Array) -> Array:
    """The entries above the diagonal, ones on it, and zeros below, shape ``(..., n, n)``: an invertible matrix."""
    return np.asarray(
        entries * np.triu(np.ones(entries.shape[-2:], dtype=np.int64), 1) + np.eye(entries.shape[-1], dtype=np.int64)
    )


FRAMES = {
    "frames": reals(lambda sizes: sizes["depth"] - 1, frame_of("rank", "wider")),
    "last": reals(frame_of("rank", "wider")),
    "first": reals(frame_of("seen", "unseen")),
    "scale": integers(1, 2),
}
LINEAR = derived(drawn_linear, **FRAMES, roots=interval(0, 2, "rank"), coordinates=reals("seen", "points"))
INVERTIBLE = derived(
    drawn_linear,
    **FRAMES,
    roots=interval(Q("1/4"), 2, "rank"),
    coordinates=derived(unit_triangular, entries=reals("seen", "points")),
)
"""As many points as inputs, and invertible matrices."""
SOURCE = Source("feature_learning", "Section 3.1, item 2")
CRITICAL = {"the network is balanced": is_balanced, "the network sees only the data": sees_only_data}
SIZES = {"rank": (1, 2, 3), "wider": (0, 1), "seen": (1, 2, 3), "unseen": (0, 1), "points": (1, 2, 3, 4)}


def few_sizes(sizes: Sizes) -> bool:
    """The rank fits; the deeper networks are the narrow ones."""
    fits = sizes["rank"] <= sizes["seen"] <= sizes["points"] <= sizes["seen"] + 1
    return fits and sizes["wider"] + sizes["unseen"] <= 1 and (sizes["depth"] < 4 or sizes["wider"] + sizes["unseen"] == 0)


CLAIM = Claim(
    id="feature_learning.interpolation",
    title="Covariances of linear networks interpolate between inputs and outputs",
    source=SOURCE,
    statement=covariances_interpolate,
    domain=Domain({"linear": LINEAR}, {"depth": (2, 3, 6), **SIZES}, CRITICAL, sizes_where=few_sizes),
    needs=tuple(CRITICAL),
    false_neighbours={
        "without the data": without_the_data,
        "the exponent from the last layer": exponent_from_the_end,
        "additive": additive_interpolation,
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
        {"the network is balanced": is_balanced},
        sizes_where=lambda sizes: sizes["rank"] == sizes["seen"] == sizes["points"],
    ),
    needs=("the network is balanced",),
    false_neighbours={"a product of powers": product_of_powers, "additive": additive_interpolation},
)

BALANCED = Claim(
    id="feature_learning.interpolation.balanced",
    title="Critical points of linear networks are balanced",
    source=SOURCE,
    statement=critical_points_are_balanced,
    domain=Domain(
        {
            "network": Networks(slope=1, biases=False),
            "slope": reals("outputs", "inputs"),
            "ridge": interval(0, 2),
        },
        {"depth": (2, 3, 6), "inputs": range(1, 4), "width": (2, 3), "outputs": range(2, 4)},
        sizes_where=lambda sizes: sizes["width"] == 2 or sizes["depth"] < 4,
    ),
    false_neighbours={"the sum of both": sum_of_the_gradients, "without the ridge": without_the_ridge},
)
