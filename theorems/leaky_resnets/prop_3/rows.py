r"""The gradient of the cost along the path of Proposition 3: a stationary point stays stationary.

Statement
    On the path of ``path`` the gradient of the cost,

    .. math:: 2AP - 2\dot\sigma(A)\odot(\bar\sigma(A)PA^TAP) , \qquad P = K^{-1} ,

    is multiplied in row i by the root :math:`\sqrt{(1-t) + ta_i}`.
Checked
    From the rows themselves; that the Gram matrices stay. Balls never decide an equality of irrational roots: in a part of the
    instances the roots are rational. The gradient exactly against differences of the cost, and in symbols for small sizes and
    every pattern of signs.
Source
    leaky_resnets, Proposition 7 of the appendix, proof.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from theorems.leaky_resnets.constructions.representations import bare_cost, transposed
from theorems.leaky_resnets.prop_3.path import (
    Route,
    one_neuron_twice,
    path_to_dead_neuron,
    price,
    root_weights,
    route,
    weighted_pair,
    width,
)
from verify import Claim, Domain, Relation, Source, derived, eq, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, rational, rationals, sqrt
from verify.matrices import pseudo_inverse
from verify.networks.leaky_resnet import active, rectified
from verify.symbolic import identically_zero


def rows_move_by_roots(walk: Route, time: Array) -> Relation:
    """Gram matrices and gradient on the path from its rows, whose roots are balls for rationals."""
    A, weights = walk
    moved, roots = path_to_dead_neuron(A, time, weights), sqrt(root_weights(weights, time))[..., None]
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
    P, along = pseudo_inverse(kernel), root_weights(weights, time)[..., None]
    return eq(gradient(path_to_dead_neuron(A, time, weights), plain, P), along * gradient(A, plain, P), over=2)


# Instances


def any_or_repeated(A: Array, kind: Array) -> Route:
    """Any representation for kind 3; else a multiple of N (N + 1) independent neurons and one of them again."""
    repeated = A[..., :1, :1] * one_neuron_twice(A.shape[-1])
    return route(np.where(compare(kind, 3)[..., None, None] == 0, A, repeated))


def any_or_square(time: Array, kind: Array) -> Array:
    r"""Any time for kind 3; else one for which :math:`1 + t` and :math:`1 - t` are squares of rationals."""
    return np.where(compare(kind, 3) == 0, time, 4 * time * (1 - time**2) / (1 + time**2) ** 2)


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


def gradient_by_differences() -> Relation:
    """Two neurons and two points, one entry negative: the gradient against differences of the cost with the step 1/1000000."""
    A, step = rationals([[2, 1], ["-1/2", 3]]), rational("1/1000000")
    plain, kernel = weighted_pair(A, rationals([1, 1]))
    stated, relation = gradient(A, plain, pseudo_inverse(kernel)), Relation(())
    for index in np.ndindex(A.shape):
        entry = 0 * A
        entry[index] = step
        found = (bare_cost(A + entry).squared_norm - bare_cost(A - entry).squared_norm) / (2 * step)
        relation &= le(absolute(found - stated[index]), rationals("1/1000000000"))
    return relation


ROWS = Claim(
    id="leaky_resnets.prop_3.rows",
    title="Along the path the gradient of the cost is multiplied by the same roots as the rows",
    source=Source("leaky_resnets", "Proposition 7, proof"),
    statement=rows_move_by_roots,
    domain=Domain(
        {
            "walk": derived(any_or_repeated, A=reals(width, "points"), kind=integers(0, 3)),
            "time": derived(any_or_square, time=interval(0, 1), kind=integers(0, 3)),
        },
        {"points": (1, 2), "more": (1,)},
    ),
    false_variants={
        "gradient without the roots": gradient_is_level,
        "gradient with the squares of the roots": gradient_moves_by_weights,
    },
    exact={"gradient by differences": gradient_by_differences, "gradient in symbols": gradient_in_symbols},
    cost=price,
)
