r"""The norm of a layer is a trace of covariances.

Statement
    :math:`\|ZA^+\|_F^2 = \mathrm{Tr}[Z^TZ(A^TA)^+]` for any two matrices with equally many columns.
Checked
    The identity, at any ranks.
Proof idea
    :math:`A^+(A^+)^T = (A^TA)^+`.
Source
    feature_learning, Section 3.2.
"""

from __future__ import annotations

from theorems.feature_learning.constructions.layers import gram, trace, trace_of_product
from verify import Claim, Domain, Relation, Source, eq, reals
from verify.arithmetic import Array
from verify.matrices import frobenius_norm_squared, pseudo_inverse


def norm_is_a_trace(values: Array, seen: Array) -> Relation:
    """Both sides."""
    return eq(frobenius_norm_squared(values @ pseudo_inverse(seen)), trace_of_product(gram(values), pseudo_inverse(gram(seen))))


# False variants


def without_the_inverse(values: Array, seen: Array) -> Relation:
    """The covariance in place of its pseudo-inverse."""
    return eq(frobenius_norm_squared(values @ pseudo_inverse(seen)), trace_of_product(gram(values), gram(seen)))


def product_of_traces(values: Array, seen: Array) -> Relation:
    """The product of the traces in place of the trace of the product."""
    return eq(frobenius_norm_squared(values @ pseudo_inverse(seen)), trace(gram(values)) * trace(pseudo_inverse(gram(seen))))


CLAIM = Claim(
    id="feature_learning.prop_3.trace_identity",
    title="The norm of a layer is a trace of covariances",
    source=Source("feature_learning", "Section 3.2"),
    statement=norm_is_a_trace,
    domain=Domain(
        {"values": reals("rows", "points"), "seen": reals("columns", "points")},
        {"rows": range(1, 4), "columns": range(1, 5), "points": range(1, 5)},
    ),
    false_neighbours={"without the pseudo-inverse": without_the_inverse, "a product of traces": product_of_traces},
)
