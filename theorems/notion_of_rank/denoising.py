r"""Autoencoders reduce noise if they are not too oblique.

Statement
    With bottleneck rank k the autoencoder is locally an affine projection to a manifold of dimension k, which is equivalent to
    denoising.
Correction
    Where to denoise means that less noise is left than there was, an oblique projection need not do it (``.printed``).
Checked
    Noise of size s in all directions, :math:`x_0 + s\xi`, is left with the mean square :math:`s^2\|A\|_F^2` beside the
    :math:`s^2d` of no autoencoder, where A is the Jacobian, a projection of rank k. It is

    .. math:: \|A\|_F^2 = k + \tfrac12\|A - A^T\|_F^2 ,

    which is k for the orthogonal projection and has no upper limit for oblique ones: an autoencoder of rank k reduces the noise
    if and only if :math:`\frac12\|A - A^T\|_F^2 < d - k`. The statement is right where to denoise means to map to the manifold,
    which a projection does. The equality is checked for the autoencoders of ``autoencoders``, :math:`g^*(z) = (z, S|z|)` with
    the left inverses :math:`e(x, y) = x + C(y - S|x|)`.
Proof idea
    A = P + N with the orthogonal projection P onto its image and N = PN(I - P), so that :math:`\|A\|_F^2 = k + \|N\|_F^2`, and
    :math:`A - A^T = N - N^T`.
Source
    notion_of_rank, autoencoders; the equality is derived here.
"""

from theorems.notion_of_rank.autoencoders import NO_KINK, SIZES, VARIABLES, jacobian_at
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source
from verify.words import eq, le, norm2


def noise_that_is_left(S, C, z):
    A = jacobian_at(S, C, z)
    return eq(norm2(A), len(z) + norm2(A - A.T) / 2)


def along_the_manifold(S, C, z):
    return eq(norm2(jacobian_at(S, C, z)), len(z))


def no_more_than_there_was(S, C, z):
    return le(norm2(jacobian_at(S, C, z)), sum(S.shape))


def symmetric_part(S, C, z):
    A = jacobian_at(S, C, z)
    return eq(norm2(A + A.T) / 4, len(z) + norm2(A - A.T) / 2)


CLAIM = Claim(
    id="notion_of_rank.denoising",
    title="A projection leaves the noise along its image, and half its asymmetry",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=noise_that_is_left,
    domain=Domain(VARIABLES, SIZES, NO_KINK),
    needs=(*NO_KINK,),
    false_variants={
        "along the manifold": along_the_manifold,
        "the symmetric part": symmetric_part,
    },
)

PRINTED = Claim(
    id="notion_of_rank.denoising.printed",
    title="An autoencoder that projects leaves no more noise than there was",
    source=Source("notion_of_rank", "Autoencoders"),
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=no_more_than_there_was,
    domain=Domain(VARIABLES, SIZES, NO_KINK),
)
