r"""After Proposition 13: a graph without triangles has at most floor(N^2/4) edges, which bounds its CP-rank.

Statement
    Without triangles there are at most :math:`\lfloor N^2/4 \rfloor` edges (Mantel), and the complete bipartite graph on two
    halves has them, with the matrix :math:`Y_N`.
Checked
    The bound for any graph; exactly that :math:`Y_N` has this CP-rank for N up to 14.
Sharp
    :math:`Y_N`.
Source
    feature_learning, the display after Proposition 13; Mantel's theorem is not named there.
"""

from __future__ import annotations

from functools import partial, reduce
from operator import and_

from theorems.feature_learning.constructions.graphs import (
    GRAPHS,
    graph,
    has_no_triangle,
    incidence_matrix,
    mantel_graph,
    mantel_matrix,
    number_of_edges,
)
from theorems.feature_learning.constructions.layers import gram
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, le
from verify.arithmetic import Array, rationals
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.cones.support_graphs import like, number_of_triangles, support_graph


def mantel(edges: Array) -> Relation:
    """The number of edges against ``floor(N^2/4)``."""
    return le(number_of_edges(edges), like(incidence_matrix(edges).shape[-1] ** 2 // 4, edges))


# False variants


def as_many_edges_as_vertices(edges: Array) -> Relation:
    """At most N edges."""
    return le(number_of_edges(edges), like(incidence_matrix(edges).shape[-1], edges))


def as_for_planar_graphs(edges: Array) -> Relation:
    """At most 2N - 4 edges, the bound for planar graphs without triangles, for three vertices and more."""
    return le(number_of_edges(edges), like(max(2 * incidence_matrix(edges).shape[-1] - 4, 2), edges))


def mantel_matrices() -> Relation:
    """For N up to 14, Y_N is the matrix of the complete bipartite graph on halves, and its CP-rank is floor(N^2/4)."""
    parts = []
    for vertices in range(2, 15):
        matrix, edges = rationals(mantel_matrix(vertices)), graph(mantel_matrix(vertices))
        parts += [eq(gram(incidence_matrix(edges))[0], matrix, over=2), eq(number_of_edges(edges), vertices**2 // 4)]
        parts += [eq(cp_rank_lower_bound(matrix), vertices**2 // 4), eq(number_of_triangles(support_graph(matrix)), 0)]
    return reduce(and_, parts)


MANTEL = Claim(
    id="feature_learning.prop_13.mantel",
    title="At most floor(N^2/4) edges without a triangle",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=mantel,
    domain=Domain(GRAPHS, {"vertices": range(2, 9)}, hypotheses={"no triangle": has_no_triangle}),
    tight={f"Y_{n}": Tight(partial(mantel_graph, n)) for n in (2, 5, 8)},
    false_neighbours={"N edges": as_many_edges_as_vertices, "2N - 4 edges": as_for_planar_graphs},
    needs=("no triangle",),
    exact={"CP-rank of Y_N for N up to 14": mantel_matrices},
)
