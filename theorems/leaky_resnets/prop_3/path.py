r"""The path of constant cost from any representation of a wide layer to one with a dead neuron.

Statement
    For :math:`w > N(N+1)` there is a continuous path :math:`A_t` of constant cost from :math:`A_0 = \hat A` to a representation
    with a dead neuron, and a stationary point stays stationary.
Checked
    From every :math:`\hat A`, not only from local minima:

    - by Caratheodory's theorem in the space of pairs of symmetric matrices there are :math:`a_i \ge 0`, at most N(N+1) of
      them not zero, with
      :math:`\sum_ia_i(\hat A_i^T\hat A_i, \bar\sigma(\hat A_i)^T\bar\sigma(\hat A_i)) = (\hat A^T\hat A, \bar K)`;
    - the rows :math:`A_{t,i} = \sqrt{(1-t) + ta_i}\,\hat A_i` keep both matrices, and so the cost
      :math:`\mathrm{Tr}[A^TAK^+]`, for all t; the gradient is the subject of ``rows``.
Proof idea
    Both matrices are sums over the neurons, of dimension N(N+1)/2 each.
Sharp
    N(N + 1) independent neurons, and one of them twice.
Source
    leaky_resnets, Proposition 3 (Proposition 7 of the appendix).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import fit, transposed
from verify import Claim, Domain, Relation, Sizes, Source, Tight, derived, eq, ge, interval, le, reals
from verify.arithmetic import Array, compare, floats, rationals, sqrt, where_positive
from verify.cones.conical_hull import caratheodory
from verify.matrices import pseudo_inverse
from verify.matrices.arguments import checked
from verify.networks.leaky_resnet import feature_matrix, rectified


def neuron_pairs(A: Array) -> Array:
    """Each neuron's part of both matrices, without repeated entries, ``(..., w, N) -> (..., w, N (N + 1))``."""
    upper = np.triu_indices(A.shape[-1])
    image = rectified(A)
    products = [one[..., upper[0]] * one[..., upper[1]] for one in (A, image)]
    return np.concatenate(products, axis=-1)


def neuron_weights(A: Array) -> Array:
    """Weights of the neurons, ``(..., w, N) -> (..., w)``, at most N (N + 1) of them not zero, that keep both matrices.

    Rationals are kept exactly, floats up to rounding errors.

    Raises
    ------
    ValueError
        A is no matrix of finite numbers.

    Source: leaky_resnets, Proposition 7, proof.
    """
    A = checked(A, "A")
    return _pruned(neuron_pairs(A))


def _pruned(generators: Array) -> Array:
    """Weights of the generators with the sum of all, on generators that are independent: ``(..., w, d) -> (..., w)``."""
    weights = 0 * generators[..., 0] + 1
    for index in np.ndindex(weights.shape[:-1]):
        weights[index] = caratheodory(generators[index], weights[index])
    return weights


def path_to_dead_neuron(A: Array, time: Array, weights: Array) -> Array:
    """The representation at a time on the path that `neuron_weights` gives, ``(..., w, N), (...), (..., w) -> (..., w, N)``.

    Raises
    ------
    ValueError
        A is no matrix of finite numbers, the time is not from 0 to 1, or a weight is negative or not one for each neuron.

    Source: leaky_resnets, Proposition 7, proof.
    """
    A = checked(A, "A")
    if not ((compare(time, 0) >= 0) & (compare(time, 1) <= 0)).all():
        raise ValueError(f"time must be from 0 to 1, got {floats(time)}")
    if weights.shape[-1] != A.shape[-2] or not (compare(weights, 0) >= 0).all():
        raise ValueError(f"weights must be {A.shape[-2]} numbers, none negative, got {floats(weights)}")
    return np.asarray(sqrt(root_weights(weights, time))[..., None] * A)


def root_weights(weights: Array, time: Array) -> Array:
    """The squares of the roots by which the rows are multiplied, shapes ``(..., w), (...) -> (..., w)``."""
    return np.asarray(1 - time[..., None] + time[..., None] * weights)


Route = tuple[Array, Array]
"""A representation and the weights of its neurons."""


def route(A: Array) -> Route:
    """A representation with the weights of its neurons."""
    return A, neuron_weights(A)


def weighted_pair(A: Array, weights: Array) -> tuple[Array, Array]:
    """The Gram matrices of A and of its features, with weights for the neurons."""
    image = rectified(A)
    plain, kernel = (transposed(one) @ (weights[..., None] * one) for one in (A, image))
    return np.asarray(plain), np.asarray(kernel + 1)


def path_is_level(walk: Route, time: Array) -> Relation:
    """What the path keeps, and how many neurons it leaves alive."""
    A, weights = walk
    in_use = where_positive(weights, 0 * weights + 1).sum(axis=-1)
    return (
        _keeps(A, root_weights(weights, time))
        & ge(weights, 0, name="weights", over=1)
        & le(in_use, A.shape[-1] * (A.shape[-1] + 1), name="neurons in use")
    )


def _keeps(A: Array, along: Array) -> Relation:
    """Both matrices and the cost, with and without the weights `along` of the neurons."""
    plain, kernel = weighted_pair(A, 0 * along + 1)
    plain_along, kernel_along = weighted_pair(A, along)
    cost = (plain_along * pseudo_inverse(kernel_along)).sum(axis=(-2, -1))
    return (
        eq(plain_along, plain, name="Gram matrix", over=2)
        & eq(kernel_along, kernel, name="kernel", over=2)
        & eq(cost, fit(A, feature_matrix(A)).squared_norm, name="cost")
    )


# False variants


def one_neuron_fewer(walk: Route, time: Array) -> Relation:  # noqa: ARG001 (the parameters of the statement)
    """One neuron fewer than N (N + 1)."""
    A, weights = walk
    return le(where_positive(weights, 0 * weights + 1).sum(axis=-1), A.shape[-1] * (A.shape[-1] + 1) - 1)


def path_without_roots(walk: Route, time: Array) -> Relation:
    """Rows multiplied by the weights, not by their roots."""
    A, weights = walk
    return _keeps(A, root_weights(weights, time) ** 2)


def path_of_the_kernel(walk: Route, time: Array) -> Relation:
    """Weights that keep the kernel alone."""
    A, _ = walk
    pairs = neuron_pairs(A)
    return _keeps(A, root_weights(_pruned(pairs[..., pairs.shape[-1] // 2 :]), time))


def one_point_by_hand() -> Relation:
    """For the activations 1, -1, 2 of one point, the weights 5, 1, 0 keep both sums of squares."""
    A = rationals([[[1], [-1], [2]]])
    given, kept = (weighted_pair(A, rationals([weights])) for weights in ([1, 1, 1], [5, 1, 0]))
    return eq(kept[0], given[0], over=2) & eq(kept[1], given[1], over=2)


def independent_neurons(points: int) -> Array:
    """N (N + 1) neurons whose pairs are independent: half of them positive, half negative."""
    units = np.eye(points, dtype=int)
    sums = [units[i] + units[j] for i in range(points) for j in range(i + 1)]
    return np.array([*sums, *(-one for one in sums)])


def one_neuron_twice(points: int) -> Array:
    """As many independent neurons, and the last of them again."""
    A = independent_neurons(points)
    return np.concatenate([A, A[-1:]])


def two_points() -> dict[str, Any]:
    """Six independent neurons, and the last of them again, half way."""
    return {"walk": route(rationals(one_neuron_twice(2))[None]), "time": rationals(["1/2"])}


def width(sizes: Sizes) -> int:
    """Neurons: more than N (N + 1)."""
    return sizes["points"] * (sizes["points"] + 1) + sizes["more"]


def price(sizes: Sizes) -> int:
    return (8, 16, 64)[sizes["points"] - 1]


WALK = {"walk": derived(route, A=reals(width, "points")), "time": interval(0, 1)}

CLAIM = Claim(
    id="leaky_resnets.prop_3",
    title="A path of constant cost leads from any representation of a wide layer to a dead neuron",
    source=Source("leaky_resnets", "Proposition 3"),
    statement=path_is_level,
    domain=Domain(WALK, {"points": (1, 2, 3), "more": (1, 2)}),
    tight={"one neuron twice": Tight(two_points, of=("neurons in use",))},
    loose={"weights": "weights that are zero have no size by which the other side could be moved"},
    false_variants={
        "one neuron fewer": one_neuron_fewer,
        "without the roots": path_without_roots,
        "only the kernel is kept": path_of_the_kernel,
    },
    exact={"1, -1, 2": one_point_by_hand},
    cost=price,
)
