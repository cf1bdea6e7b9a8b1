r"""Proposition 14: a network attains twice the nuclear norm.

Statement
    For :math:`A = \sqrt{Y^TY} = B^TB` with B without negative entries, :math:`W_1 = B, W_2 = YB^+` has the outputs Y on X = I,
    and the squared norm :math:`2\,\mathrm{Tr}\,A`.
Checked
    Both, for B without negative entries and any Y with this root.
Proof idea
    The rows of Y are in the image of A, which is that of :math:`B^T`.
Source
    feature_learning, Proposition 14 (Proposition 22 in the appendix).
"""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.layers import gram, trace
from theorems.feature_learning.constructions.outputs_on_identity import SIZES, reflected
from verify import Claim, Domain, Relation, Source, derived, eq, integers, interval, reals
from verify.arithmetic import Array, compare
from verify.cones.support_graphs import like
from verify.matrices import pseudo_inverse
from verify.networks import FullyConnected


def outputs_and_norm(outgoing: Array, factor: Array, normal: Array) -> Relation:
    """Outputs on X = I and squared norm of the network with these outgoing weights."""
    network = FullyConnected([factor, outgoing])
    unit = like(np.eye(factor.shape[-1], dtype=np.int64), factor)
    reached = np.stack([network(unit[i] + 0 * normal) for i in range(len(unit))], axis=-1)
    root = gram(factor)
    same = eq(reached, reflected(root, normal), name="outputs", over=2)
    return same & eq(network.weight_norm_squared, 2 * trace(root), name="norm")


def construction_attains(factor: Array, normal: Array) -> Relation:
    r"""The network :math:`W_1 = B, W_2 = YB^+`."""
    return outputs_and_norm(reflected(gram(factor), normal) @ pseudo_inverse(factor), factor, normal)


# False variants


def transposed(factor: Array, normal: Array) -> Relation:
    """The transpose of B in place of its pseudo-inverse."""
    return outputs_and_norm(reflected(gram(factor), normal) @ np.swapaxes(factor, -1, -2), factor, normal)


def perhaps_signed(sizes: Array, signs: Array, signed: Array) -> Array:
    """Entries without signs, or with some."""
    return np.asarray(np.where(compare(signed, 1)[..., None, None] == 0, sizes * signs, sizes))


ATTAINED = Claim(
    id="feature_learning.prop_14.attained",
    title="A network attains twice the nuclear norm",
    source=Source("feature_learning", "Proposition 14"),
    statement=construction_attains,
    domain=Domain(
        {
            "factor": derived(
                perhaps_signed,
                sizes=interval(0, np.inf, "neurons", "points"),
                signs=integers(-1, 1, "neurons", "points"),
                signed=integers(0, 1),
            ),
            "normal": reals("points"),
        },
        SIZES,
        {"no negative entry": lambda factor: (factor >= 0).all(axis=(-2, -1))},
    ),
    needs=("no negative entry",),
    false_variants={"transpose in place of pseudo-inverse": transposed},
)
