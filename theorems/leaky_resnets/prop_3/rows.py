r"""Along the path of Proposition 3 stationary points stay stationary.

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

from itertools import product

import numpy as np

from theorems.leaky_resnets.constructions import wide_layers
from theorems.leaky_resnets.constructions.representations import cost
from theorems.leaky_resnets.prop_3.path import cost_of_sizes, route, width
from verify import Claim, Domain, Q, Relation, Source, derived, integers, interval, reals
from verify.numbers.arithmetic import rational, rationals
from verify.numbers.symbolic import identically_zero
from verify.words import absolute, eq, le, lifted, pinv, relu, sqrt, where

path = lifted(wide_layers.path_to_dead_neuron)


def rows_move_by_roots(walk, t):
    """From the rows of the path, whose roots are balls for rationals."""
    A, a = walk
    moved, roots, (G, K) = path(A, t, a), sqrt(1 - t + t * a), gram(A)
    return (
        eq(gram(moved)[0], G, name="Gram matrix")
        & eq(gram(moved)[1], K, name="kernel")
        & eq(gradient(moved, G, K), roots[:, None] * gradient(A, G, K), name="gradient")
    )


def gram(A):
    """Both Gram matrices, that of A and that of its features."""
    return A.T @ A, relu(A).T @ relu(A) + 1


def gradient(A, G, K):
    r""":math:`2AP - 2\dot\sigma(A)\odot(\bar\sigma(A)PGP)` with :math:`P = K^{-1}`."""
    P = pinv(K)
    return 2 * A @ P - 2 * where(A > 0, relu(A) @ P @ G @ P, 0)


# False variants


def gradient_is_level(walk, t):
    """A gradient that does not change along the path."""
    A, a = walk
    return eq(gradient(path(A, t, a), *gram(A)), gradient(A, *gram(A)))


def gradient_moves_by_weights(walk, t):
    """A gradient that is multiplied by the weights, not by their roots."""
    A, a = walk
    return eq(gradient(path(A, t, a), *gram(A)), (1 - t + t * a)[:, None] * gradient(A, *gram(A)))


# Instances and exact parts


def any_or_repeated(A, kind):
    """Any representation for kind 3; else a multiple of N (N + 1) independent neurons and one of them again."""
    return route(where(kind == 3, A, A[0, 0] * wide_layers.one_neuron_twice(A.shape[1])))


def any_or_square(t, kind):
    r"""Any time for kind 3; else one for which :math:`1 + t` and :math:`1 - t` are squares of rationals."""
    return where(kind == 3, t, 4 * t * (1 - t**2) / (1 + t**2) ** 2)


def gradient_in_symbols():
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


def gradient_by_differences():
    """Two neurons and two points, one entry negative: the gradient against differences of the cost with the step 1/1000000."""
    A, step = rationals([[2, 1], ["-1/2", 3]]), rational("1/1000000")
    stated, relation = gradient(A, *gram(A)), Relation(())
    for place in np.ndindex(A.shape):
        entry = 0 * A
        entry[place] = step
        found = (cost(A + entry) - cost(A - entry)) / (2 * step)
        relation &= le(absolute(found - stated[place]), Q(1, 10**9))
    return relation


ROWS = Claim(
    id="leaky_resnets.prop_3.rows",
    title="Along the path the gradient is multiplied by the roots of the rows",
    source=Source("leaky_resnets", "Proposition 7, proof"),
    statement=rows_move_by_roots,
    domain=Domain(
        {
            "walk": derived(any_or_repeated, A=reals(width, "points"), kind=integers(0, 3)),
            "t": derived(any_or_square, t=interval(0, 1), kind=integers(0, 3)),
        },
        {"points": (1, 2), "more": (1,)},
    ),
    false_variants={
        "gradient without the roots": gradient_is_level,
        "gradient with the squares of the roots": gradient_moves_by_weights,
    },
    exact={"gradient by differences": gradient_by_differences, "gradient in symbols": gradient_in_symbols},
    cost=cost_of_sizes,
)
