r"""Autoencoders: one of rank k that is the identity on a k-dimensional manifold projects onto it, obliquely in general.

Statement
    Let M be the image of a piecewise linear map g* from R^k, :math:`x_0` in the interior of a flat piece of M with the tangent
    space T of dimension k, and let :math:`\hat f` be affine near :math:`x_0`, the identity on M there, with a Jacobian A of
    rank at most k. Then :math:`A^2 = A` and the image of A is T: near :math:`x_0`, :math:`\hat f(x_0 + \xi) = x_0 + A\xi` is a
    projection onto the piece. It need not be orthogonal. Among the projections onto T the orthogonal one has the smallest
    :math:`\|A\|_F^2`, namely k, and the smallest :math:`\|A\|_{2/L}^{2/L}`, k too (``.oblique``). So the implicit bias of deep
    networks favours it (Proposition 3) and does not force it.
Checked
    g*(z) = (z, S|z|) and the left inverses e(x, y) = x + C(y - S|x|) for any S and C; the power of the Schatten quasi-norm for
    L = 1, 2, 4 and 13 (every positive exponent would do). The error of a noisy input,
    :math:`E\|\hat f(x_0 + s\xi) - x_0\|^2 = s^2 \|A\|_F^2` for standard normal :math:`\xi`, may be larger than that of no
    denoising, :math:`s^2 d`: it is so for one curve (exact).
    At a kink the product of the layers is no projection.
Proof idea
    A is the identity on T, which is all of its image. All non-zero singular values of a projection are at least 1.
Sharp
    The orthogonal projections onto the two tangents of the curve (z, |z|).
Source
    notion_of_rank, autoencoders; the inequalities are ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import frobenius_norm_squared, schatten_power
from verify.networks import FullyConnected, compose


def _eye(count: int, like: Array) -> Array:
    return np.asarray(np.eye(count, dtype=np.int64) + 0 * like[..., :1, :1])


def _blocks(rows: list[list[Array]]) -> Array:
    return np.concatenate([np.concatenate(row, axis=-1) for row in rows], axis=-2)


def manifold(fold: Array) -> FullyConnected:
    """Network for ``z -> (z, S |z|)``, with S of shape ``(..., d - k, k)``."""
    if fold.ndim < 2:
        raise ValueError(f"fold must have the shape (..., d - k, k), got {fold.shape}")
    one, zero = _eye(fold.shape[-1], fold), 0 * fold
    return FullyConnected([_blocks([[one], [-one]]), _blocks([[one, -one], [zero + fold, fold]])])


def left_inverse(fold: Array, correction: Array) -> FullyConnected:
    """Network for ``(x, y) -> x + C (y - S |x|)``, with C of shape ``(..., k, d - k)``: `manifold` backwards.

    Raises
    ------
    ValueError
        C has not the shape of the transpose of S.
    """
    if fold.ndim < 2 or correction.shape[-2:] != fold.shape[:-3:-1]:
        raise ValueError(
            f"fold and correction must have the shapes (..., d - k, k) and (..., k, d - k), got {fold.shape} "
            f"and {correction.shape}"
        )
    rest, k = fold.shape[-2:]
    one, other, zero = _eye(k, fold), _eye(rest, fold), 0 * fold.swapaxes(-1, -2)
    first = _blocks([[one, zero], [-one, zero], [zero.swapaxes(-1, -2), other], [zero.swapaxes(-1, -2), -other]])
    moved = correction @ fold
    return FullyConnected([first, np.concatenate([one - moved, -one - moved, correction, -correction], axis=-1)])


def autoencoder(fold: Array, correction: Array) -> FullyConnected:
    """The decoder `manifold` after the encoder `left_inverse`."""
    return compose(manifold(fold), left_inverse(fold, correction), merge=True)


def jacobian_projects(fold: Array, correction: Array, code: Array) -> Relation:
    """The identity at the point of the code, the square of the Jacobian there, its image and its rank."""
    network, decoder = autoencoder(fold, correction), manifold(fold)
    x = decoder(code)
    a, tangent = network.jacobian(x), decoder.jacobian(code)
    # the rank of a projection is its trace
    rank = np.trace(a, axis1=-2, axis2=-1)
    return (
        eq(network(x), x, name="identity on the manifold", over=1)
        & eq(a @ a, a, name="projection", over=2)
        & eq(rank, 0 * rank + code.shape[-1], name="rank")
        & eq(a @ tangent, tangent, name="image", over=2)
    )


def is_off_the_kinks(fold: Array, code: Array) -> npt.NDArray[np.bool_]:
    """Whether no hidden neuron of the autoencoder is at its kink: no entry of z and of S|z| is 0."""
    return np.asarray((compare(manifold(fold)(code), 0) != 0).all(axis=-1))


def oblique_costs_more(fold: Array, correction: Array, code: Array, depth: Depth) -> Relation:
    r""":math:`\|A\|_{2/L}^{2/L}` against k."""
    a = autoencoder(fold, correction).jacobian(manifold(fold)(code))
    size = schatten_power(a, Fraction(2, depth.depth))
    return ge(size, 0 * size + code.shape[-1])


# False variants


def symmetric_projection(fold: Array, correction: Array, code: Array) -> Relation:
    """The projection is orthogonal."""
    a = autoencoder(fold, correction).jacobian(manifold(fold)(code))
    return eq(a, a.swapaxes(-1, -2), over=2)


def every_direction_is_kept(fold: Array, correction: Array, code: Array) -> Relation:
    """The Jacobian is the identity."""
    a = autoencoder(fold, correction).jacobian(manifold(fold)(code))
    return eq(a, 0 * a + np.eye(a.shape[-1], dtype=int), over=2)


def equal_to_the_dimension(fold: Array, correction: Array, code: Array) -> Relation:
    """Every projection has the Frobenius norm of the orthogonal one."""
    size = frobenius_norm_squared(autoencoder(fold, correction).jacobian(manifold(fold)(code)))
    return eq(size, 0 * size + code.shape[-1])


def a_dimension_more(fold: Array, correction: Array, code: Array) -> Relation:
    """K + 1 in place of k."""
    size = frobenius_norm_squared(autoencoder(fold, correction).jacobian(manifold(fold)(code)))
    return ge(size, 0 * size + code.shape[-1] + 1)


# A curve


def half_line(side: int, depth: int) -> dict[str, Any]:
    """The curve (z, |z|) at z = 1 or -1, with the orthogonal projection onto its tangent."""
    return {
        "fold": rationals([[[1]]]),
        "correction": rationals([[[side]]]) / 2,
        "code": rationals([[side]]),
        "depth": Depth(depth),
    }


def more_noise_than_without() -> Relation:
    r"""On the curve (z, |z|) with C = 2: :math:`\|A\|_F^2 = 10`, more than the two dimensions of the input."""
    a = autoencoder(rationals([[1]]), rationals([[2]])).jacobian(rationals([1, 1]))
    return eq(a, rationals([[-1, 2], [-1, 2]]), over=2) & eq(frobenius_norm_squared(a), rationals(10))


OURS = Source("notion_of_rank", "ours")
SIZES = {"k": range(1, 4), "rest": range(1, 4)}
VARIABLES = {"fold": reals("rest", "k"), "correction": reals("k", "rest"), "code": reals("k")}
SMOOTH = "no neuron is at its kink"

CLAIM = Claim(
    id="notion_of_rank.autoencoders",
    title="An autoencoder of rank k projects onto its manifold",
    source=Source("notion_of_rank", "Autoencoders"),
    statement=jacobian_projects,
    domain=Domain(VARIABLES, SIZES, {SMOOTH: is_off_the_kinks}),
    needs=(SMOOTH,),
    false_neighbours={
        "a symmetric projection": symmetric_projection,
        "the identity": every_direction_is_kept,
    },
)

OBLIQUE = Claim(
    id="notion_of_rank.autoencoders.oblique",
    title="Oblique projections cost more than orthogonal ones",
    source=OURS,
    status=Ours(),
    statement=oblique_costs_more,
    cost=2,
    domain=Domain({**VARIABLES, "depth": GIVEN_DEPTH}, {**SIZES, "depth": (1, 2, 4, 13)}, {SMOOTH: is_off_the_kinks}),
    tight={
        "right of the curve (z, |z|), L = 1": Tight(partial(half_line, 1, 1)),
        "left of it, L = 2": Tight(partial(half_line, -1, 2)),
        "left of it, L = 13": Tight(partial(half_line, -1, 13)),
    },
    false_neighbours={
        "k + 1": a_dimension_more,
        "equal to k": equal_to_the_dimension,
    },
    exact={"more noise than without": more_noise_than_without},
)
