r"""After Proposition 13: no triangles, so at most floor(N^2/4) edges.

Statement
    Without triangles there are at most :math:`\lfloor N^2/4 \rfloor` edges (Mantel), and the complete bipartite graph on two
    halves has them, with the matrix :math:`Y_N`.
Checked
    The bound for any graph; exactly that :math:`Y_N` has this CP-rank for N up to 14.
Tight
    :math:`Y_N`.
Source
    feature_learning, the display after Proposition 13; Mantel's theorem is not named there.
"""

from functools import partial, reduce
from operator import and_

from theorems.feature_learning.constructions.graphs import (
    GRAPHS,
    graph,
    has_no_triangle,
    incidence_matrix,
    mantel_graph,
    mantel_matrix,
    number_of_triangles,
    support_graph,
)
from theorems.feature_learning.constructions.layers import gram
from verify import Claim, DerivedHere, Domain, Source
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.numbers.arithmetic import rationals
from verify.words import eq, le


def number_of_vertices(edges):
    return incidence_matrix(edges).shape[1]


def at_most_a_quarter_of_the_square(edges):
    return le(edges.sum(), number_of_vertices(edges) ** 2 // 4)


def as_many_edges_as_vertices(edges):
    return le(edges.sum(), number_of_vertices(edges))


def as_for_planar_graphs(edges):
    """The bound for planar graphs without triangles, for three vertices and more."""
    return le(edges.sum(), max(2 * number_of_vertices(edges) - 4, 2))


def mantel_matrices():
    """For N up to 14, Y_N is the matrix of the complete bipartite graph on halves, and its CP-rank is floor(N^2/4)."""
    parts = []
    for N in range(2, 15):
        Y, edges = rationals(mantel_matrix(N)), graph(mantel_matrix(N))
        parts += [eq(gram(incidence_matrix(edges)), Y), eq(edges.sum(), N**2 // 4)]
        parts += [eq(cp_rank_lower_bound(Y), N**2 // 4), eq(number_of_triangles(support_graph(Y)), 0)]
    return reduce(and_, parts)


MANTEL = Claim(
    id="feature_learning.prop_13.mantel",
    title="At most floor(N^2/4) edges without a triangle",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=at_most_a_quarter_of_the_square,
    domain=Domain(GRAPHS, {"vertices": range(2, 9)}, {"no triangle": has_no_triangle}),
    tight={f"Y_{n}": partial(mantel_graph, n) for n in (2, 5, 8)},
    false_variants={"N edges": as_many_edges_as_vertices, "2N - 4 edges": as_for_planar_graphs},
    needs=("no triangle",),
    exact={"CP-rank of Y_N for N up to 14": mantel_matrices},
)
