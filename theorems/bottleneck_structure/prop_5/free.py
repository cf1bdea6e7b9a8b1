r"""Proposition 5, "if": on a completely positive domain that spans k dimensions the identity costs kL.

Statement
    Let O be a linear isometry of the span of :math:`\Omega` with :math:`O\Omega \ge 0`. The network :math:`W_1 = O`,
    :math:`W_\ell = OO^T`, :math:`W_L = O^T` is the identity on :math:`\Omega` and has the squared norm kL, at every depth from
    2 on, so that :math:`R^{(1)} = R^{(2)} = 0`.
Checked
    Value and norm. That no network that is the identity along k dimensions costs less than kL is ``identity_dimension``.
Source
    bottleneck_structure, Proposition 5.
"""

from __future__ import annotations

import numpy as np

from theorems.bottleneck_structure.constructions.frames import reflected_frame
from theorems.notion_of_rank.constructions.arrays import transpose
from verify import Claim, Domain, Relation, Source, derived, eq, reals, slopes
from verify.arithmetic import Array, compare
from verify.networks import FullyConnected, leaky_relu

Planar = tuple[FullyConnected, Array, Array]
"""The network, a point of the span, and its k coordinates there."""


def free_identity(depth: int, span: Array, isometry: Array, place: Array, slope: Array) -> Planar:
    """The network of the theorem for the span and the isometry with these mirrors, and the point with these coordinates."""
    basis, image = reflected_frame(span), reflected_frame(isometry)
    embedding = image @ transpose(basis)
    projection = image @ transpose(image)
    weights = [embedding, *[projection] * (depth - 2), transpose(embedding)]
    return FullyConnected(weights, activation=leaky_relu(slope)), (basis @ place[..., None])[..., 0], place


def identity_is_free(planar: Planar) -> Relation:
    """Value and norm of the network."""
    network, point, place = planar
    norm = network.depth * place.shape[-1] + 0 * place[..., 0]
    return eq(network(point), point, name="value", over=1) & eq(network.parameter_norm_squared, norm, name="norm")


def is_positive(planar: Planar) -> Array:
    """Whether the image under the isometry has no negative coordinate."""
    network, point, _ = planar
    return np.asarray((compare(network.weights[0] @ point[..., None], 0) >= 0).all(axis=(-2, -1)))


# False variants


def one_layer_is_free(planar: Planar) -> Relation:
    """The norm k(L - 1)."""
    network, _, place = planar
    return eq(network.parameter_norm_squared, (network.depth - 1) * place.shape[-1] + 0 * place[..., 0])


def norm_by_width(planar: Planar) -> Relation:
    """The width of the hidden layers in place of k."""
    network, point, _ = planar
    return eq(network.parameter_norm_squared, network.depth * network.widths[1] + 0 * point[..., 0])


POSITIVE = {"the isometry makes the point non-negative": is_positive}

CLAIM = Claim(
    id="bottleneck_structure.prop_5",
    title="On a completely positive domain that spans k dimensions the identity costs kL",
    source=Source("bottleneck_structure", "Proposition 5"),
    statement=identity_is_free,
    domain=Domain(
        {
            "planar": derived(
                free_identity,
                span=reals("k", "inputs"),
                isometry=reals("k", "width"),
                place=reals("k"),
                slope=slopes(-1, 1),
            )
        },
        {"depth": (2, 3, 6, 13), "k": (1, 2, 3), "inputs": (2, 3), "width": (1, 2, 3)},
        POSITIVE,
        lambda sizes: sizes["k"] <= min(sizes["inputs"], sizes["width"]),
    ),
    needs=tuple(POSITIVE),
    false_neighbours={"k(L - 1)": one_layer_is_free, "the width": norm_by_width},
)
