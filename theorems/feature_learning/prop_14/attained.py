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

import numpy as np

from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.constructions.outputs_on_identity import SIZES, reflected
from verify import Claim, Domain, Source, derived, integers, interval, reals
from verify.words import eq, norm2, pinv, relu, trace, where


def outputs_and_norm(W_2, B, normal):
    A = gram(B)
    same = eq(W_2 @ relu(B), reflected(A, normal), name="outputs")
    return same & eq(norm2(B) + norm2(W_2), 2 * trace(A), name="norm")


def construction_attains(B, normal):
    return outputs_and_norm(reflected(gram(B), normal) @ pinv(B), B, normal)


def transposed(B, normal):
    return outputs_and_norm(reflected(gram(B), normal) @ B.T, B, normal)


def perhaps_signed(sizes, signs, signed):
    return where(signed == 1, sizes * signs, sizes)


ATTAINED = Claim(
    id="feature_learning.prop_14.attained",
    title="A network attains twice the nuclear norm",
    source=Source("feature_learning", "Proposition 14"),
    statement=construction_attains,
    domain=Domain(
        {
            "B": derived(
                perhaps_signed,
                sizes=interval(0, np.inf, "neurons", "points"),
                signs=integers(-1, 1, "neurons", "points"),
                signed=integers(0, 1),
            ),
            "normal": reals("points"),
        },
        SIZES,
        {"no negative entry": lambda B: (B >= 0).all()},
    ),
    needs=("no negative entry",),
    false_variants={"transpose in place of pseudo-inverse": transposed},
)
