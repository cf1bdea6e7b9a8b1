r"""Solving with :math:`K + \gamma I` in place of a pseudo-inverse: near where K is well conditioned, stable everywhere.

For invertible K with the smallest eigenvalue k, and every M,

.. math:: 0 \le \|M\|_K^2 - \|M\|_{K+\gamma I}^2 \le \frac\gamma{k + \gamma}\|M\|_K^2 \le \gamma\|K^{-1}\|_{op}\|M\|_K^2 ,

so that both agree as :math:`\gamma \to 0`. For any two kernels, singular or not (``.stable``),

.. math:: \bigl|\|M\|_{K+\gamma I}^2 - \|M\|_{K'+\gamma I}^2\bigr| \le \frac{\|K - K'\|_{op}}{\gamma^2}\|M\|_F^2 ,

while the formula with the pseudo-inverse obeys no such bound: for M = (0, 1) it is :math:`10^9` at diag(1, :math:`10^{-9}`)
and 0 at diag(1, 0). What is checked: both bounds for kernels of activations, and diag(1, :math:`10^{-9}`) exactly.

Source: leaky_resnets, Appendix B (and the remark in Section 1.3); the constants are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES, fit, rounding, scaled
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, floats, rationals
from verify.matrices import operator_norm, pseudo_inverse, rank, singular_values
from verify.networks.leaky_resnet import activation_kernel, feature_matrix, squared_norm, stable_kernel_norm_squared


def near_the_inverse(A: Array, M: Array, gamma: Array, percent: int = 100, *, largest: bool = False) -> Relation:
    """The difference of both norms against its bound; in a false neighbour, with the largest eigenvalue."""
    F = feature_matrix(A)
    inverse, found = pseudo_inverse(F), fit(M, F)
    stable = stable_kernel_norm_squared(M, activation_kernel(A), gamma)
    eigenvalue = singular_values(F)[..., 0 if largest else -1] ** 2
    difference = found.squared_norm - stable
    bound = percent * gamma * found.squared_norm / (100 * (eigenvalue + gamma))
    noise = rounding(squared_norm(M) * squared_norm(inverse), F, inverse, 2)
    size = found.squared_norm
    return ge(difference, 0 * difference, scale=size, noise=noise) & le(difference, bound, scale=size, noise=noise)


def kernel_is_invertible(A: Array) -> Array:
    """Whether the features have as many dimensions as there are points."""
    return np.asarray(rank(feature_matrix(A)) == A.shape[-1])


Pair = tuple[Array, Array]
"""Two representations."""


def beside(A: Array, move: Array, near: Array) -> Pair:
    """A and a representation nearby, or where `near` is 0 far from it."""
    fraction = np.where(compare(near, 0) == 0, near * 0 + 1, (near * 0 + 1) / 64)
    return A, A + scaled(move, fraction)


def moves_little(pair: Pair, M: Array, gamma: Array, percent: int = 100, power: int = 2, *, stable: bool = True) -> Relation:
    """The difference of the norms of two kernels against its bound; in false neighbours with pseudo-inverses."""
    kernels = [activation_kernel(one) for one in pair]
    if stable:
        norms = [stable_kernel_norm_squared(M, kernel, gamma) for kernel in kernels]
        noise = 2.0**-44 * (1 + floats((squared_norm(kernels[0]) + squared_norm(kernels[1])) / gamma**2))
    else:
        found = [fit(M, feature_matrix(one)) for one in pair]
        norms, noise = [one.squared_norm for one in found], found[0].noise + found[1].noise
    size = squared_norm(M) / gamma
    bound = percent * operator_norm(kernels[0] - kernels[1]) * squared_norm(M) / gamma**power / 100
    return le(absolute(norms[0] - norms[1]), bound, noise=noise * floats(size))


def nearly_singular() -> Relation:
    """For M = (0, 1): the pseudo-inverse at diag(1, 1e-9) and diag(1, 0), and the stable norms for gamma = 1/1000."""
    M, gamma = rationals([[[0, 1]]]), rationals(["1/1000"])
    kernels = [rationals([[[1, 0], [0, entry]]]) for entry in ("1/1000000000", 0)]
    bare = [((M @ pseudo_inverse(kernel)) * M).sum(axis=(-2, -1)) for kernel in kernels]
    stable = [stable_kernel_norm_squared(M, kernel, gamma) for kernel in kernels]
    jump = eq(np.concatenate(bare), rationals([10**9, 0]), over=1)
    return jump & le(absolute(stable[0] - stable[1]), rationals(["1/1000"])) & eq(stable[1], rationals([1000]))


def smallest_direction() -> dict[str, Any]:
    """Two neurons, each active for one point: (1, -1) has the eigenvalue 1."""
    return {"A": rationals([[[1, 0], [0, 1]]]), "M": rationals([[[1, -1], [2, -2]]]), "gamma": rationals(["1/4"])}


def out_of_the_kernel() -> dict[str, Any]:
    """From equal activations, whose kernel is singular, a little apart in the direction of its kernel."""
    t = rationals(["1/100000"])[0]
    A, move = rationals([[[1, 1], [1, 1]]]), rationals([[[1, -1], [-1, 1]]])
    return {"pair": (A, A + t * move), "M": rationals([[[1, -1]]]), "gamma": rationals([1])}


INVERTIBLE = {"the kernel is invertible": kernel_is_invertible}
SOURCE = Source("leaky_resnets", "Appendix B")

CLAIM = Claim(
    id="leaky_resnets.stable_solve",
    title="The norm with gamma is near the norm of an invertible kernel",
    source=SOURCE,
    status=Ours(),
    statement=near_the_inverse,
    domain=Domain({"A": REPRESENTATION, "M": reals(2, "points"), "gamma": interval(1 / 64, 2)}, SHAPES, INVERTIBLE),
    needs=tuple(INVERTIBLE),
    tight={"smallest eigenvalue": Tight(smallest_direction)},
    false_neighbours={
        "1 % less": partial(near_the_inverse, percent=99),
        "largest eigenvalue": partial(near_the_inverse, largest=True),
    },
    cost=2,
)

STABLE = Claim(
    id="leaky_resnets.stable_solve.stable",
    title="The norm with gamma is Lipschitz in the kernel",
    source=SOURCE,
    status=Ours(),
    statement=moves_little,
    domain=Domain(
        {
            "pair": derived(beside, A=REPRESENTATION, move=reals("width", "points"), near=integers(0, 1)),
            "M": reals(1, "points"),
            "gamma": interval(1 / 4, 2),
        },
        SHAPES,
    ),
    tight={"out of the kernel": Tight(out_of_the_kernel, 1e-8, "approached as the kernels come together")},
    false_neighbours={
        "half of the bound": partial(moves_little, percent=50),
        "gamma for its square": partial(moves_little, power=1),
        "pseudo-inverse": partial(moves_little, stable=False),
    },
    exact={"diag(1, 1e-9)": nearly_singular},
    cost=2,
)
