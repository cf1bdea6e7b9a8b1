r"""Proposition 3: in a wide layer, a path of constant cost leads from any representation to one with a dead neuron.

If :math:`w > N(N+1)` and :math:`\hat A` is a local minimum of the cost of identity with a negative entry, there is a continuous
path of constant cost from :math:`\hat A` to a saddle. The path exists for every representation, and is checked as such:

- (i) by Caratheodory's theorem in the space of pairs of symmetric matrices there are :math:`a_i \ge 0`, at most N(N+1) of them
  not zero, with :math:`\sum_ia_i(\hat A_i^T\hat A_i, \bar\sigma(\hat A_i)^T\bar\sigma(\hat A_i)) = (\hat A^T\hat A, \bar K)`;
- (ii) the rows :math:`A_{t,i} = \sqrt{(1-t) + ta_i}\,\hat A_i` keep both matrices, and so the cost
  :math:`\mathrm{Tr}[A^TAK^+]`, for all t;
- (iii) they keep the signs; and A has no negative entry if and only if :math:`A^TA = \bar K` (``.kernels``):
  :math:`\|A - \bar\sigma(A)\|_F^4 \le N\|A^TA - \bar K\|_F^2`. The print has K for :math:`\bar K`, which fails for the single
  activation -1 (``.kernels.printed``);
- (iv) the gradient of the cost, :math:`2AP - 2\dot\sigma(A)\odot(\bar\sigma(A)PA^TAP)`, is multiplied in row i by the same
  root, so that a stationary point stays stationary (``.rows``);
- (v) the end has a dead neuron: a saddle, see the module ``prop_3_saddle``.

Source: leaky_resnets, Proposition 3 (Proposition 7 of the appendix).
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np

from theorems.feature_learning.caratheodory import in_use, pruned
from theorems.leaky_resnets.constructions.representations import (
    numbers_like,
    rounding,
    transposed,
)
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Sizes, Source, Tight, derived, eq, ge, interval, le, reals
from verify.arithmetic import Array, compare, floats, rationals, sqrt
from verify.matrices import pseudo_inverse
from verify.matrices.arguments import checked
from verify.networks.leaky_resnet import active, feature_matrix, rectified, squared_norm
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
    pairs = neuron_pairs(A)
    ones = 0 * A[..., 0] + 1
    silent = np.asarray((pairs == 0).all(axis=-1))
    return pruned(pairs, np.where(silent, 0 * ones, ones))


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
    return np.asarray(sqrt(1 - time[..., None] + time[..., None] * weights)[..., None] * A)


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


def path_is_level(walk: Route, time: Array, fewer: int = 0, *, rooted: bool = True, both: bool = True) -> Relation:
    """What the path keeps, and how many neurons it leaves alive; in false neighbours roots are missing, or one matrix."""
    A, weights = walk
    if not both:
        pairs = neuron_pairs(A)
        weights = pruned(pairs[..., pairs.shape[-1] // 2 :], 0 * weights + 1)
    along = 1 - time[..., None] + time[..., None] * weights
    plain, kernel = weighted_pair(A, 0 * along + 1)
    plain_along, kernel_along = weighted_pair(A, along if rooted else along**2)
    F = feature_matrix(A)
    inverse = pseudo_inverse(F)
    size = squared_norm(A) * squared_norm(inverse)
    cost = (plain_along * pseudo_inverse(kernel_along)).sum(axis=(-2, -1))
    scale = (squared_norm(A) + A.shape[-1])[..., None, None]
    alive = numbers_like(A, np.array(A.shape[-1] * (A.shape[-1] + 1) - fewer))
    return (
        eq(plain_along, plain, scale=scale, over=2)
        & eq(kernel_along, kernel, scale=scale, over=2)
        & ge(weights, 0 * weights, over=1)
        & le(in_use(weights).sum(axis=-1), alive)
        & eq(cost, squared_norm(A @ inverse), scale=size, noise=rounding(size, F, inverse, 2))
    )


def rows_move_by_roots(walk: Route, time: Array, power: int = 1) -> Relation:
    """Gram matrices and gradient on the path from its rows, whose roots are balls for rationals."""
    A, weights = walk
    moved = path_to_dead_neuron(A, time, weights)
    roots = sqrt(1 - time[..., None] + time[..., None] * weights)[..., None]
    plain, kernel = weighted_pair(A, 0 * weights + 1)
    image = rectified(moved)
    P = pseudo_inverse(kernel)
    scale = (squared_norm(A) + A.shape[-1])[..., None, None]
    size = np.sqrt(floats(squared_norm(A) * squared_norm(P))) * (1 + floats(squared_norm(P)) * floats(scale[..., 0, 0]) ** 2)
    return (
        eq(transposed(moved) @ moved, plain, scale=scale, over=2)
        & eq(transposed(image) @ image + 1, kernel, scale=scale, over=2)
        & eq(gradient(moved, plain, P), roots**power * gradient(A, plain, P), scale=size[..., None, None], over=2)
    )


def gradient(A: Array, plain: Array, inverse: Array) -> Array:
    r""":math:`2AP - 2\dot\sigma(A)\odot(\bar\sigma(A)PGP)` for the Gram matrix G of A and :math:`P = K^{-1}`."""
    return np.asarray(2 * A @ inverse - 2 * active(A) * (rectified(A) @ inverse @ plain @ inverse))


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


def kernels_tell_signs(A: Array, percent: int = 100, points: int = 0, *, bias: bool = False) -> Relation:
    """The negative part of A against the difference of both Gram matrices; in the print, that of the features has ones."""
    image = rectified(A)
    difference = squared_norm(transposed(A) @ A - transposed(image) @ image - int(bias))
    factor = points or A.shape[-1]
    return le(percent * squared_norm(A - image) ** 2 / 100, factor * difference, scale=squared_norm(A) ** 2)


def one_point_by_hand() -> Relation:
    """For the activations 1, -1, 2 of one point, the weights 5, 1, 0 keep both sums of squares."""
    A = rationals([[[1], [-1], [2]]])
    given, kept = (weighted_pair(A, rationals([weights])) for weights in ([1, 1, 1], [5, 1, 0]))
    return eq(kept[0], given[0], over=2) & eq(kept[1], given[1], over=2)


def one_negative_point() -> dict[str, Any]:
    """One neuron, one point, negative."""
    return {"A": rationals([[[-3]]])}


def _width(sizes: Sizes) -> int:
    return sizes["points"] * (sizes["points"] + 1) + sizes["more"]


def _price(sizes: Sizes) -> int:
    return (8, 16, 64)[sizes["points"] - 1]


WALK = {"walk": derived(route, A=reals(_width, "points")), "time": interval(0, 1)}
WALK_SIZES = {"points": (1, 2, 3), "more": (1, 2)}
SOURCE = Source("leaky_resnets", "Proposition 3")
PROOF = Source("leaky_resnets", "Proposition 7, proof")

CLAIM = Claim(
    id="leaky_resnets.prop_3",
    title="A path of constant cost to a dead neuron",
    source=SOURCE,
    statement=path_is_level,
    domain=Domain(WALK, WALK_SIZES),
    false_neighbours={
        "one neuron fewer": partial(path_is_level, fewer=1),
        "without the roots": partial(path_is_level, rooted=False),
        "only the kernel is kept": partial(path_is_level, both=False),
    },
    exact={"1, -1, 2": one_point_by_hand},
    cost=_price,
)

ROWS = Claim(
    id="leaky_resnets.prop_3.rows",
    title="The rows of the path, and its gradient",
    source=PROOF,
    statement=rows_move_by_roots,
    domain=Domain(WALK, {"points": (1, 2), "more": (1,)}),
    false_neighbours={
        "gradient without the roots": partial(rows_move_by_roots, power=0),
        "gradient with the squares of the roots": partial(rows_move_by_roots, power=2),
    },
    exact={"gradient in symbols": gradient_in_symbols},
    cost=_price,
)

KERNELS = Claim(
    id="leaky_resnets.prop_3.kernels",
    title="Without bias, the two Gram matrices differ where an entry is negative",
    source=PROOF,
    status=Ours(),
    statement=kernels_tell_signs,
    domain=Domain({"A": reals("width", "points")}, {"width": range(1, 4), "points": range(1, 5)}),
    tight={"one negative activation": Tight(one_negative_point)},
    false_neighbours={
        "1 % more": partial(kernels_tell_signs, percent=101),
        "without the number of points": partial(kernels_tell_signs, points=1),
    },
)

PRINTED_KERNELS = Claim(
    id="leaky_resnets.prop_3.kernels.printed",
    title="With bias, the two Gram matrices differ where an entry is negative",
    source=PROOF,
    status=FalseAsPrinted(corrected_by=KERNELS.id),
    statement=partial(kernels_tell_signs, bias=True),
    domain=KERNELS.domain,
    false_neighbours={},
)
