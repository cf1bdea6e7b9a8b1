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

from verify import Claim, Domain, Source, reals
from verify.words import eq, norm2, pinv, trace


def norm_is_a_trace(Z, A):
    return eq(norm2(Z @ pinv(A)), trace(Z.T @ Z @ pinv(A.T @ A)))


def without_the_inverse(Z, A):
    return eq(norm2(Z @ pinv(A)), trace(Z.T @ Z @ A.T @ A))


def product_of_traces(Z, A):
    return eq(norm2(Z @ pinv(A)), trace(Z.T @ Z) * trace(pinv(A.T @ A)))


CLAIM = Claim(
    id="feature_learning.prop_3.trace_identity",
    title="The norm of a layer is a trace of covariances",
    source=Source("feature_learning", "Section 3.2"),
    statement=norm_is_a_trace,
    domain=Domain(
        {"Z": reals("rows", "points", role="values"), "A": reals("columns", "points", role="inputs of the layer")},
        {"rows": range(1, 4), "columns": range(1, 5), "points": range(1, 5)},
    ),
    false_variants={"without the pseudo-inverse": without_the_inverse, "a product of traces": product_of_traces},
)
