r"""Linear networks on a domain that does not span the inputs.

Statement
    Let P be the orthogonal projection onto the span of :math:`\Omega`. For linear networks

    .. math:: R(A; \Omega, L) = L \sum_i s_i(A P)^{2/L} \le L \sum_i s_i(A)^{2/L} .
Checked
    That every network costs at least this for the matrix that it is on the domain. Balanced factors of AP equal A on the domain
    and attain it (``cost``).
Proof idea
    Networks that agree on :math:`\Omega` have the same product with P, and :math:`s_i(W P) \le s_i(W)`.
Tight
    Balanced factors, and points that span all inputs.
Source
    notion_of_rank, representation cost of linear networks; the domains are derived here.
"""

from theorems.notion_of_rank.linear_networks.cost import FACTORS, product, rational
from verify import Claim, DerivedHere, Domain, Q, Source, reals
from verify.words import le, norm2, pinv, schatten_power


def cost_on_a_domain(f, X):
    """The domain is spanned by the columns of X."""
    L = f.depth
    return le(L * schatten_power(product(f) @ (X @ pinv(X)), Q(2, L)), f.weight_norm_squared)


def values_at_the_points(f, X):
    L = f.depth
    return le(L * schatten_power(product(f) @ X, Q(2, L)), f.weight_norm_squared)


def last_layer_is_free(f, X):
    L = f.depth
    return le(L * schatten_power(product(f) @ (X @ pinv(X)), Q(2, L)), f.weight_norm_squared - norm2(f.weights[-1]))


def factors_and_points():
    return {**rational(3, 2, 1, "1/2"), "X": [[1, 0, 1], [0, 1, 1], [0, 0, 2]]}


DOMAINS = Claim(
    id="notion_of_rank.linear_networks.domains",
    title="The cost on a domain is at least that of the matrix on its span",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=cost_on_a_domain,
    domain=Domain(
        {"f": FACTORS, "X": reals("inputs", "points", role="points as columns")},
        {"depth": (1, 2, 3, 6), "width": (1, 2, 4), "inputs": (2, 3), "outputs": (1, 2, 3), "points": (1, 2, 3)},
    ),
    tight={"depth 3": factors_and_points},
    false_variants={"the values at the points": values_at_the_points, "the last layer is free": last_layer_is_free},
)
