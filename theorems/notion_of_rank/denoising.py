r"""Autoencoders that project reduce noise if they are not too oblique; a projection alone need not.

Statement
    With bottleneck rank k the autoencoder is locally an affine projection to a manifold of dimension k, which is equivalent to
    denoising.
Checked
    Noise of size s in all directions, :math:`x_0 + s\xi`, is left with the mean square :math:`s^2\|A\|_F^2` beside the
    :math:`s^2d` of no autoencoder, where A is the Jacobian, a projection of rank k. It is

    .. math:: \|A\|_F^2 = k + \tfrac12\|A - A^T\|_F^2 ,

    which is k for the orthogonal projection and has no upper limit for oblique ones: an autoencoder of rank k reduces the noise
    if and only if :math:`\frac12\|A - A^T\|_F^2 < d - k`. To denoise may mean to map to the manifold, which a projection does;
    it may leave more noise than there was: :math:`\|A\|_F^2 \le d` falls. Checked is the equality, for the autoencoders of
    ``autoencoders``, g*(z) = (z, S|z|) with the left inverses e(x, y) = x + C(y - S|x|).
Proof idea
    A = P + N with the orthogonal projection P onto its image and N = PN(I - P), so that :math:`\|A\|_F^2 = k + \|N\|_F^2`, and
    :math:`A - A^T = N - N^T`.
Source
    notion_of_rank, autoencoders; the equality is ours.
"""

from __future__ import annotations

from theorems.notion_of_rank.autoencoders import SIZES, SMOOTH, VARIABLES, autoencoder, is_off_the_kinks, manifold
from verify import Claim, Domain, Ours, Q, Relation, Source, eq, le
from verify.arithmetic import Array
from verify.matrices import frobenius_norm_squared

HALF = Q("1/2")


def projection_at(fold: Array, correction: Array, code: Array) -> Array:
    """The Jacobian of the autoencoder at the point of the code, shape ``(..., d, d)``."""
    return autoencoder(fold, correction).jacobian(manifold(fold)(code))


def noise_that_is_left(fold: Array, correction: Array, code: Array, half: Q = HALF) -> Relation:
    r""":math:`\|A\|_F^2` against k and the asymmetry."""
    a = projection_at(fold, correction, code)
    asymmetry = frobenius_norm_squared(a - a.swapaxes(-1, -2))
    return eq(frobenius_norm_squared(a), code.shape[-1] + half * asymmetry)


# False variants


def noise_along_the_manifold(fold: Array, correction: Array, code: Array) -> Relation:
    """What is left is the noise along the manifold."""
    left = frobenius_norm_squared(projection_at(fold, correction, code))
    return eq(left, 0 * left + code.shape[-1])


def noise_is_reduced(fold: Array, correction: Array, code: Array) -> Relation:
    """No more is left than there was."""
    left = frobenius_norm_squared(projection_at(fold, correction, code))
    return le(left, 0 * left + sum(fold.shape[-2:]))


def symmetric_part(fold: Array, correction: Array, code: Array) -> Relation:
    """The symmetric part of A in place of A."""
    a = projection_at(fold, correction, code)
    both, asymmetry = (frobenius_norm_squared(a + sign * a.swapaxes(-1, -2)) for sign in (1, -1))
    return eq(both / 4, code.shape[-1] + asymmetry / 2)


CLAIM = Claim(
    id="notion_of_rank.denoising",
    title="A projection leaves the noise along its image, and half its asymmetry",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=noise_that_is_left,
    domain=Domain(VARIABLES, SIZES, {SMOOTH: is_off_the_kinks}),
    needs=(SMOOTH,),
    false_neighbours={
        "along the manifold": noise_along_the_manifold,
        "no more than there was": noise_is_reduced,
        "the symmetric part": symmetric_part,
    },
)
