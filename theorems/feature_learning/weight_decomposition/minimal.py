"""The first term is the smallest with these representations."""

from theorems.feature_learning.weight_decomposition.statement import first_term
from verify import Claim, DerivedHere, Domain, Source, Tight, reals
from verify.words import eq, le, norm2


def first_term_is_minimal(W, S, V):
    r"""All W' with :math:`W'S = WS` are :math:`WSS^+ + V(I - SS^+)` for some V."""
    first = first_term(W, S)
    other = first + (V - first_term(V, S))
    # beside the norms of W and V, of which both may be differences
    given = norm2(W) + norm2(V)
    smallest, norm = given + norm2(first), given + norm2(other)
    return (
        le(smallest, norm, name="smallest")
        # the same representations, beside those of V
        & eq((other - V) @ S, (W - V) @ S, name="same representations")
        & eq(norm, smallest + norm2(other - first), name="distance")
    )


def smallest_of_all_matrices(W, S, V):
    return le(norm2(first_term(W, S)), norm2(V))


def distance_from_the_weights(W, S, V):
    first = first_term(W, S)
    other = first + (V - first_term(V, S))
    return eq(norm2(other), norm2(first) + norm2(other - W))


MINIMAL = Claim(
    id="feature_learning.weight_decomposition.minimal",
    title="The first term is the smallest matrix with these representations",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=first_term_is_minimal,
    domain=Domain(
        {
            "W": reals("rows", "columns", role="weights with biases"),
            "S": reals("columns", "points", role="inputs of the layer"),
            "V": reals("rows", "columns", role="weights with biases"),
        },
        {"rows": range(1, 4), "columns": range(1, 6), "points": range(1, 7)},
    ),
    tight={
        "V = 0": Tight(lambda: {"W": [[1, 2, 3]], "S": [[1, 0], [2, 1], [1, 1]], "V": [[0, 0, 0]]}, of=("smallest",)),
    },
    false_variants={"among all matrices": smallest_of_all_matrices, "by the distance to W": distance_from_the_weights},
)
