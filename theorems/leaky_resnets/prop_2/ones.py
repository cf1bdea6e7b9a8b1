r"""Proposition 2: the length of the row of ones for the kernel with bias.

Statement
    :math:`c = 1^TK^+1 \le 1`, with equality if and only if :math:`1 \notin \mathrm{Im}\,\bar K`.
Checked
    :math:`c = s/(1 + s)` with :math:`s = 1^T\bar K^+1` if :math:`1 \in \mathrm{Im}\,\bar K`, and c = 1 else; at most 1.
Proof idea
    :math:`K = \bar K + 11^T`: Sherman and Morrison inside of the image, a projection outside.
Tight
    Constants that are no combination of the features without bias.
Source
    leaky_resnets, Proposition 6 (Proposition 2 of the main text), proof.
"""

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES, has_constants, inverse_kernel
from verify import Claim, DerivedHere, Domain, Source, Tight
from verify.words import eq, le, norm2, ones, pinv, relu, where


def norm_of_ones(A):
    one = ones(A.shape[1])
    c, s = one @ inverse_kernel(A) @ one, norm2(one @ pinv(relu(A)))
    return eq(c, where(has_constants(relu(A)), s / (1 + s), 1), name="value") & le(c, 1, name="at most 1")


def ones_without_denominator(A):
    one = ones(A.shape[1])
    return eq(one @ inverse_kernel(A) @ one, where(has_constants(relu(A)), norm2(one @ pinv(relu(A))), 1))


def ones_always_inside(A):
    """As if the constants were always a combination of the features."""
    one = ones(A.shape[1])
    s = norm2(one @ pinv(relu(A)))
    return eq(one @ inverse_kernel(A) @ one, s / (1 + s))


ONES = Claim(
    id="leaky_resnets.prop_2.ones",
    title="The kernel gives constants a squared norm of at most 1",
    source=Source("leaky_resnets", "Proposition 6, proof"),
    status=DerivedHere(),
    statement=norm_of_ones,
    domain=Domain({"A": REPRESENTATION}, SHAPES),
    tight={"constants outside": Tight(lambda: {"A": [[1, 0, 2], [0, 0, -1]]}, of=("at most 1",))},
    false_variants={"s for s / (1 + s)": ones_without_denominator, "wherever the constants lie": ones_always_inside},
    cost=4,
)
