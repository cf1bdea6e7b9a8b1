r"""Proposition 13, proof: rows of a factor are edges of the graph.

Statement
    For any B without negative entries such that the support graph of :math:`B^TB` has no triangle, no row has more than two
    non-zeros, and at least as many rows as there are edges have two.
Checked
    Both, for matrices with and without signs.
Proof idea
    The support of a row is a clique.
Tight
    The star.
Source
    feature_learning, proof of Proposition 13.
"""

from functools import partial

from theorems.feature_learning.constructions.graphs import edges_of, number_of_triangles, support_graph
from theorems.feature_learning.constructions.layers import gram
from verify import Claim, DerivedHere, Domain, Source, Tight, derived, integers
from verify.numbers.arithmetic import rationals
from verify.words import absolute, le, nonnegative


def non_zeros(B):
    """Of every row."""
    return (absolute(B) > 0).sum(axis=1)


def rows_are_edges(B):
    """As many rows as there are edges have two non-zeros, or more."""
    edges = edges_of(support_graph(gram(B))).sum()
    return le(non_zeros(B), 2, name="non-zeros") & le(edges, (non_zeros(B) > 1).sum(), name="edges")


def one_non_zero(B):
    return le(non_zeros(B), 1)


def every_row_is_another_edge(B):
    return le((non_zeros(B) > 1).sum(), edges_of(support_graph(gram(B))).sum())


def sampled_factor(pattern, values, signed):
    """A matrix with zeros where the pattern has them, and perhaps more; with signs or without."""
    return pattern * (absolute(values) + signed * (values - absolute(values)))


CYCLES = [
    {
        "B.pattern": [[int((column - row) % n < 2) for column in range(n)] for row in range(n)],
        "B.values": [[1] * n] * n,
        "B.signed": 0,
    }
    for n in (4, 5)
]
"""Every vertex has two edges."""


def the_star(*others):
    """Three edges with one common vertex, and other rows."""
    return {"B": rationals([[1, 2, 0, 0], [1, 0, 3, 0], ["1/2", 0, 0, 1], *others])}


SUPPORTS = Claim(
    id="feature_learning.prop_13.supports",
    title="Rows of a factor are the edges of its support graph",
    source=Source("feature_learning", "Proposition 13"),
    status=DerivedHere(),
    statement=rows_are_edges,
    domain=Domain(
        {
            "B": derived(
                sampled_factor,
                pattern=integers(0, 1, "rows", "vertices"),
                values=integers(-2, 2, "rows", "vertices"),
                signed=integers(0, 1),
            )
        },
        {"rows": range(1, 6), "vertices": range(2, 6)},
        {
            "no triangle": lambda B: number_of_triangles(support_graph(gram(B))) == 0,
            "no negative entry": lambda B: nonnegative(B),
        },
    ),
    tight={
        "the star": Tight(the_star, of=("non-zeros", "edges")),
        "the star and a single entry": Tight(partial(the_star, [0, 2, 0, 0]), of=("edges",)),
    },
    false_variants={"at most one non-zero": one_non_zero, "every row is another edge": every_row_is_another_edge},
    needs=("no triangle", "no negative entry"),
    examples=CYCLES,
)
