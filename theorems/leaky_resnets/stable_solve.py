r"""Solving with :math:`K + \gamma I` in place of a pseudo-inverse: near where K is well conditioned, stable everywhere.

Statement
    The norm with :math:`(K + \gamma I)^{-1}`, which is computed by solving, stands for the norm with :math:`K^+`, which is
    numerically unstable.
Checked
    For invertible K with the smallest eigenvalue k, and every M,

    .. math:: \frac k{k + \gamma}\|M\|_K^2 \le \|M\|_{K+\gamma I}^2 \le \|M\|_K^2 ,

    so that both agree as :math:`\gamma \to 0`. For any two kernels, singular or not,

    .. math:: \bigl|\|M\|_{K+\gamma I}^2 - \|M\|_{K'+\gamma I}^2\bigr| \le \frac{\|K - K'\|_{op}}{\gamma^2}\|M\|_F^2 ,

    while the formula with the pseudo-inverse obeys no such bound: for M = (0, 1) it is :math:`10^9` at
    diag(1, :math:`10^{-9}`) and 0 at diag(1, 0).
Proof idea
    Eigenvalues; the resolvent identity.
Sharp
    The direction of the smallest eigenvalue; a large kernel; kernels that come together in the direction of a kernel vector.
Source
    leaky_resnets, Appendix B (and the remark in Section 1.3); the constants are ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES, fit, scaled
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, rationals
from verify.matrices import operator_norm, pseudo_inverse, rank, singular_values
from verify.networks.leaky_resnet import activation_kernel, feature_matrix, inner, squared_norm, stable_kernel_norm_squared


def near_the_inverse(A: Array, M: Array, gamma: Array) -> Relation:
    """The norm with gamma against the norm without."""
    norm, stable = fit(M, feature_matrix(A)).squared_norm, stable_kernel_norm_squared(M, activation_kernel(A), gamma)
    smallest = singular_values(feature_matrix(A))[..., -1] ** 2
    return le(stable, norm, name="smaller") & ge(stable, smallest / (smallest + gamma) * norm, name="near")


Pair = tuple[Array, Array]
"""Two representations."""


def moves_little(pair: Pair, M: Array, gamma: Array) -> Relation:
    """The difference of the norms of two kernels against its bound."""
    return le(stable_difference(pair, M, gamma), distance(pair) * squared_norm(M) / gamma**2)


def stable_difference(pair: Pair, M: Array, gamma: Array) -> Array:
    """How far the norms with gamma are apart."""
    first, second = (stable_kernel_norm_squared(M, activation_kernel(one), gamma) for one in pair)
    return absolute(first - second)


def distance(pair: Pair) -> Array:
    """How far the kernels are apart."""
    return operator_norm(activation_kernel(pair[0]) - activation_kernel(pair[1]))


# False variants


def near_by_the_largest_eigenvalue(A: Array, M: Array, gamma: Array) -> Relation:
    """The largest eigenvalue for the smallest."""
    norm, stable = fit(M, feature_matrix(A)).squared_norm, stable_kernel_norm_squared(M, activation_kernel(A), gamma)
    largest = operator_norm(feature_matrix(A)) ** 2
    return ge(stable, largest / (largest + gamma) * norm)


def moves_by_gamma(pair: Pair, M: Array, gamma: Array) -> Relation:
    """Gamma for its square."""
    return le(stable_difference(pair, M, gamma), distance(pair) * squared_norm(M) / gamma)


def pseudo_inverse_moves_little(pair: Pair, M: Array, gamma: Array) -> Relation:
    """The norm with the pseudo-inverse."""
    first, second = (fit(M, feature_matrix(one)).squared_norm for one in pair)
    return le(absolute(first - second), distance(pair) * squared_norm(M) / gamma**2)


def kernel_is_invertible(A: Array) -> Array:
    """Whether the features have as many dimensions as there are points."""
    return np.asarray(rank(feature_matrix(A)) == A.shape[-1])


def beside(A: Array, move: Array, near: Array) -> Pair:
    """A and a representation nearby, or where `near` is 0 far from it."""
    fraction = np.where(compare(near, 0) == 0, near * 0 + 1, (near * 0 + 1) / 64)
    return A, A + scaled(move, fraction)


def nearly_singular() -> Relation:
    """For M = (0, 1): the pseudo-inverse at diag(1, 1e-9) and diag(1, 0), and the stable norms for gamma = 1/1000."""
    M, gamma = rationals([[[0, 1]]]), rationals(["1/1000"])
    kernels = [rationals([[[1, 0], [0, entry]]]) for entry in ("1/1000000000", 0)]
    bare = [inner(M @ pseudo_inverse(kernel), M) for kernel in kernels]
    stable = [stable_kernel_norm_squared(M, kernel, gamma) for kernel in kernels]
    jump = eq(np.concatenate(bare), rationals([10**9, 0]), over=1)
    return jump & le(absolute(stable[0] - stable[1]), rationals(["1/1000"])) & eq(stable[1], rationals([1000]))


def smallest_direction() -> dict[str, Any]:
    """Two neurons, each active for one point: (1, -1) has the eigenvalue 1."""
    return {"A": rationals([[[1, 0], [0, 1]]]), "M": rationals([[[1, -1], [2, -2]]]), "gamma": rationals(["1/4"])}


def large_kernel() -> dict[str, Any]:
    """The same with a kernel that is large beside gamma."""
    return {"A": rationals([[[1000, 0], [0, 1000]]]), "M": rationals([[[1, -1], [2, -2]]]), "gamma": rationals(["1/64"])}


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
    tight={
        "smallest eigenvalue": Tight(smallest_direction, of=("near",)),
        "large kernel": Tight(large_kernel, 1e-7, "approached as the kernel grows", of=("smaller",)),
    },
    false_neighbours={"largest eigenvalue": near_by_the_largest_eigenvalue},
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
    false_neighbours={"gamma for its square": moves_by_gamma, "pseudo-inverse": pseudo_inverse_moves_little},
    exact={"diag(1, 1e-9)": nearly_singular},
    cost=2,
)
