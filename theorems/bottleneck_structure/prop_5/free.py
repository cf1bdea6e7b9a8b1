r"""Proposition 5, "if": on a completely positive domain.

Statement
    Let O be a linear isometry of the span of :math:`\Omega` with :math:`O\Omega \ge 0`. The network :math:`W_1 = O`,
    :math:`W_\ell = OO^T`, :math:`W_L = O^T` is the identity on :math:`\Omega` and has the squared norm kL, at every depth from
    2 on, so that :math:`R^{(1)} = R^{(2)} = 0`.
Checked
    Value and norm. That no network that is the identity along k dimensions costs less than kL is ``identity_dimension``.
Source
    bottleneck_structure, Proposition 5.
"""

from theorems.bottleneck_structure.constructions.frames import reflected_frame
from verify import Claim, Domain, Source, derived, reals, slopes
from verify.networks import FullyConnected, leaky_relu
from verify.words import eq, lifted, nonnegative

network, leaky, frame = lifted(FullyConnected), lifted(leaky_relu), lifted(reflected_frame)


def free_identity(depth, span, isometry, place, slope):
    """The network for the span and the image with these mirrors, and the point with these coordinates in the span."""
    U, V = frame(span), frame(isometry)
    embedding = V @ U.T
    return network([embedding, *[V @ V.T] * (depth - 2), embedding.T], activation=leaky(slope)), U @ place


def identity_is_free(planar, k, fewer=0):
    f, x = planar
    return eq(f(x), x, name="value") & eq(f.parameter_norm_squared, k * (f.depth - fewer), name="norm")


def norm_by_width(planar):
    f, _ = planar
    return eq(f.parameter_norm_squared, f.widths[1] * f.depth)


def image_is_positive(planar):
    f, x = planar
    return nonnegative(f.weights[0] @ x)


POSITIVE = "the isometry makes the point non-negative"

CLAIM = Claim(
    id="bottleneck_structure.prop_5",
    title="The identity of a completely positive k-dimensional domain costs kL",
    source=Source("bottleneck_structure", "Proposition 5"),
    statement=identity_is_free,
    domain=Domain(
        {
            "planar": derived(
                free_identity, span=reals("k", "inputs"), isometry=reals("k", "width"), place=reals("k"), slope=slopes(-2, 2)
            )
        },
        {"depth": (2, 3, 6, 13), "k": (1, 2, 3), "inputs": (2, 3), "width": (1, 2, 3)},
        {POSITIVE: image_is_positive},
        lambda sizes: sizes["k"] <= min(sizes["inputs"], sizes["width"]),
    ),
    needs=(POSITIVE,),
    false_variants={"k(L - 1)": {"fewer": 1}, "the width": norm_by_width},
)
