r"""Proposition 2, the constants: how long the row of ones is for the kernel with bias.

Statement
    :math:`c = 1^TK^+1 \le 1`, with equality if and only if :math:`1 \notin \mathrm{Im}\,\bar K`.
Checked
    :math:`c = s/(1 + s)` with :math:`s = 1^T\bar K^+1` if :math:`1 \in \mathrm{Im}\,\bar K`, and c = 1 else; at most 1.
Proof idea
    :math:`K = \bar K + 11^T`: Sherman and Morrison inside of the image, a projection outside.
Sharp
    Constants that are no combination of the features without bias.
Source
    leaky_resnets, Proposition 6 (Proposition 2 of the main text), proof.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES, InverseKernel, fit, ones_like_row
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, le
from verify.arithmetic import Array, rationals
from verify.networks.leaky_resnet import is_in_row_space, rectified


def norm_of_ones(A: Array) -> Relation:
    """The number c against s, and against 1."""
    c = InverseKernel.at(A).c
    s = fit(ones_like_row(A), rectified(A)).squared_norm
    stated = np.where(is_in_row_space(ones_like_row(A), rectified(A)), s / (1 + s), 0 * s + 1)
    return eq(c, stated, name="value") & le(c, 1, name="at most 1")


# False variants


def ones_without_denominator(A: Array) -> Relation:
    """s for s / (1 + s)."""
    s = fit(ones_like_row(A), rectified(A)).squared_norm
    return eq(InverseKernel.at(A).c, np.where(is_in_row_space(ones_like_row(A), rectified(A)), s, 0 * s + 1))


def ones_always_inside(A: Array) -> Relation:
    """As if the constants were always a combination of the features."""
    s = fit(ones_like_row(A), rectified(A)).squared_norm
    return eq(InverseKernel.at(A).c, s / (1 + s))


def constants_outside() -> dict[str, Any]:
    """Two neurons, three points; the constants are no combination of the features without bias."""
    return {"A": rationals([[[1, 0, 2], [0, 0, -1]]])}


ONES = Claim(
    id="leaky_resnets.prop_2.ones",
    title="The kernel gives constants a squared norm of at most 1",
    source=Source("leaky_resnets", "Proposition 6, proof"),
    status=Ours(),
    statement=norm_of_ones,
    domain=Domain({"A": REPRESENTATION}, SHAPES),
    tight={"constants outside": Tight(constants_outside, of=("at most 1",))},
    false_variants={"s for s / (1 + s)": ones_without_denominator, "wherever the constants lie": ones_always_inside},
    cost=4,
)
