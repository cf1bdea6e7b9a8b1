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
      :math:`\mathrm{Tr}[A^TAK^+]`, for all t;
    - the gradient of the cost, :math:`2AP - 2\dot\sigma(A)\odot(\bar\sigma(A)PA^TAP)` with :math:`P = K^+`, is multiplied in
      row i by the same root.
Proof idea
    Both matrices are sums over the neurons, of dimension N(N+1)/2 each.
Sharp
    N(N + 1) independent neurons, and one of them twice.
Source
    leaky_resnets, Proposition 3 (Proposition 7 of the appendix).
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import fit, transposed
from verify import Claim, Domain, Relation, Sizes, Source, Tight, derived, eq, ge, interval, le, reals
from verify.arithmetic import Array, compare, floats, rationals, sqrt, where_positive
from verify.cones.conical_hull import caratheodory
from verify.matrices import pseudo_inverse
from verify.matrices.arguments import checked
from verify.networks.leaky_resnet import active, feature_matrix, rectified
from verify.symbolic import identically_zero


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
    return np.asarray(sqrt(_along(weights, time))[..., None] * A)


def _along(weights: Array, time: Array) -> Array:
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
        _keeps(A, _along(weights, time))
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


def rows_move_by_roots(walk: Route, time: Array) -> Relation:
    """Gram matrices and gradient on the path from its rows, whose roots are balls for rationals."""
    A, weights = walk
    moved, roots = path_to_dead_neuron(A, time, weights), sqrt(_along(weights, time))[..., None]
    plain, kernel = weighted_pair(A, 0 * weights + 1)
    image, P = rectified(moved), pseudo_inverse(kernel)
    return (
        eq(transposed(moved) @ moved, plain, name="Gram matrix", over=2)
        & eq(transposed(image) @ image + 1, kernel, name="kernel", over=2)
        & eq(gradient(moved, plain, P), roots * gradient(A, plain, P), name="gradient", over=2)
    )


def gradient(A: Array, plain: Array, inverse: Array) -> Array:
    r""":math:`2AP - 2\dot\sigma(A)\odot(\bar\sigma(A)PGP)` for the Gram matrix G of A and :math:`P = K^{-1}`."""
    return np.asarray(2 * A @ inverse - 2 * active(A) * (rectified(A) @ inverse @ plain @ inverse))


# False variants


def one_neuron_fewer(walk: Route, time: Array) -> Relation:  # noqa: ARG001 (the parameters of the statement)
    """One neuron fewer than N (N + 1)."""
    A, weights = walk
    return le(where_positive(weights, 0 * weights + 1).sum(axis=-1), A.shape[-1] * (A.shape[-1] + 1) - 1)


def path_without_roots(walk: Route, time: Array) -> Relation:
    """Rows multiplied by the weights, not by their roots."""
    A, weights = walk
    return _keeps(A, _along(weights, time) ** 2)


def path_of_the_kernel(walk: Route, time: Array) -> Relation:
    """Weights that keep the kernel alone."""
    A, _ = walk
    pairs = neuron_pairs(A)
    return _keeps(A, _along(_pruned(pairs[..., pairs.shape[-1] // 2 :]), time))


def gradient_is_level(walk: Route, time: Array) -> Relation:
    """A gradient that does not change along the path."""
    A, weights = walk
    plain, kernel = weighted_pair(A, 0 * weights + 1)
    P = pseudo_inverse(kernel)
    return eq(gradient(path_to_dead_neuron(A, time, weights), plain, P), gradient(A, plain, P), over=2)


def gradient_moves_by_weights(walk: Route, time: Array) -> Relation:
    """A gradient that is multiplied by the weights, not by their roots."""
    A, weights = walk
    plain, kernel = weighted_pair(A, 0 * weights + 1)
    P, along = pseudo_inverse(kernel), _along(weights, time)[..., None]
    return eq(gradient(path_to_dead_neuron(A, time, weights), plain, P), along * gradient(A, plain, P), over=2)


def gradient_in_symbols() -> Relation:
    """The gradient against the derivatives in sympy, for small sizes and every pattern of signs."""
    import sympy as sp

    remainders = []
    for w, n in ((1, 1), (2, 1), (1, 2), (2, 2)):
        A = sp.Matrix(w, n, sp.symbols(f"a:{w * n}", real=True))
        for pattern in product((0, 1), repeat=w * n):
            mask = sp.Matrix(w, n, pattern)
            image = mask.multiply_elementwise(A)
            kernel = image.T * image + sp.ones(n, n)
            # everything times the square of the determinant is a polynomial
            adjugate, det = kernel.adjugate(), sp.expand(kernel.det())
            total = (A.T * A * adjugate).trace()
            stated = 2 * det * A * adjugate - 2 * mask.multiply_elementwise(image * adjugate * A.T * A * adjugate)
            if det != 0:
                pairs = zip(A, stated, strict=True)
                remainders += [sp.expand(total.diff(a) * det - total * det.diff(a) - one) for a, one in pairs]
    return identically_zero(*remainders)


def one_point_by_hand() -> Relation:
    """For the activations 1, -1, 2 of one point, the weights 5, 1, 0 keep both sums of squares."""
    A = rationals([[[1], [-1], [2]]])
    given, kept = (weighted_pair(A, rationals([weights])) for weights in ([1, 1, 1], [5, 1, 0]))
    return eq(kept[0], given[0], over=2) & eq(kept[1], given[1], over=2)


def independent_neurons(points: int) -> Array:
    """N (N + 1) neurons whose pairs are independent: half of them positive, half negative."""
    units = np.eye(points, dtype=int)
    sums = [units[i] + units[j] for i in range(points) for j in range(i + 1)]
    return rationals(np.array([*sums, *(-one for one in sums)]))


def one_neuron_twice() -> dict[str, Any]:
    """Two points, six independent neurons, and the last of them again."""
    A = independent_neurons(2)
    return {"walk": route(np.concatenate([A, A[-1:]])[None]), "time": rationals(["1/2"])}


def _width(sizes: Sizes) -> int:
    return sizes["points"] * (sizes["points"] + 1) + sizes["more"]


def _price(sizes: Sizes) -> int:
    return (8, 16, 64)[sizes["points"] - 1]


WALK = {"walk": derived(route, A=reals(_width, "points")), "time": interval(0, 1)}

CLAIM = Claim(
    id="leaky_resnets.prop_3",
    title="A path of constant cost leads from any representation of a wide layer to a dead neuron",
    source=Source("leaky_resnets", "Proposition 3"),
    statement=path_is_level,
    domain=Domain(WALK, {"points": (1, 2, 3), "more": (1, 2)}),
    tight={"one neuron twice": Tight(one_neuron_twice, of=("neurons in use",))},
    loose={"weights": "weights that are zero have no size by which the other side could be moved"},
    false_neighbours={
        "one neuron fewer": one_neuron_fewer,
        "without the roots": path_without_roots,
        "only the kernel is kept": path_of_the_kernel,
    },
    exact={"1, -1, 2": one_point_by_hand},
    cost=_price,
)

ROWS = Claim(
    id="leaky_resnets.prop_3.rows",
    title="The rows of the path, and its gradient",
    source=Source("leaky_resnets", "Proposition 7, proof"),
    statement=rows_move_by_roots,
    domain=Domain(WALK, {"points": (1, 2), "more": (1,)}),
    false_neighbours={
        "gradient without the roots": gradient_is_level,
        "gradient with the squares of the roots": gradient_moves_by_weights,
    },
    exact={"gradient in symbols": gradient_in_symbols},
    cost=_price,
)
