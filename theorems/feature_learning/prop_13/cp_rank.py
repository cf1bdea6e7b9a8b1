r"""Proposition 13: the CP-rank of a triangle-free graph is its edges.

Statement
    For a simple graph with k edges, let E have a row for each edge, with ones at its two ends. Without triangles,

    .. math:: \mathrm{Rank}_{cp}(E^TE) = k .
Checked
    E is a factor with k rows; and k is at most the larger of two lower bounds of the CP-rank: the smallest number of cliques
    that cover all edges, by a mixed-integer programme, and the rank.
Proof idea
    The support of a row of any factor is a clique of the support graph, and these cliques cover its edges; without triangles, a
    clique covers one edge.
Tight
    The triangle itself satisfies the formula: one clique covers it, but its matrix has rank 3 = k. The smallest graph that does
    not is the diamond, two triangles with a common edge: 5 edges, and a factor with 4 rows. Complete graphs have factors with
    N + 1 rows.
Not checked
    Graphs with triangles where the two bounds leave a gap: the search shows that there are some, no more.
Source
    feature_learning, Definition 12, Proposition 13 (Proposition 21 in the appendix).
"""

from functools import partial, reduce
from operator import and_

import numpy as np

from theorems.feature_learning.constructions.graphs import (
    GRAPHS,
    edges_of,
    graph,
    has_no_triangle,
    incidence_matrix,
    mantel_graph,
    number_of_triangles,
    support_graph,
)
from theorems.feature_learning.constructions.layers import gram
from verify import Claim, Domain, Source, Tight
from verify.cones import completely_positive
from verify.numbers.arithmetic import rationals
from verify.words import diag, eq, ge, le, lifted, maximum, rank

cp_rank_lower_bound = lifted(completely_positive.cp_rank_lower_bound)


def rows_in_use(E):
    return (E.sum(axis=1) > 0).sum()


def cp_rank_is_number_of_edges(edges):
    """E is a factor of the matrix of degrees and adjacencies with as many rows as edges, and no factor has fewer."""
    E, k = incidence_matrix(edges), edges.sum()
    adjacency = support_graph(gram(E))
    return (
        eq(edges_of(adjacency), edges, name="graph")
        & eq(gram(E), adjacency + diag(adjacency.sum(axis=1)), name="degrees and adjacencies")
        & ge(E, 0, name="no negative entry")
        & eq(rows_in_use(E), k, name="rows")
        & ge(cp_rank_lower_bound(gram(E)), k, name="lower bound")
    )


def cp_rank_is(count, edges):
    """No factor has fewer rows than a `count` of E, and E has no more."""
    E = incidence_matrix(edges)
    return ge(cp_rank_lower_bound(gram(E)), count(E)) & le(rows_in_use(E), count(E))


def larger_of_vertices_and_edges(E):
    """The CP-rank of non-singular matrices of connected graphs without triangles (Drew, Johnson and Loewy)."""
    return maximum(E.shape[1], rows_in_use(E))


def decided(family):
    """The proposition for every graph of a family, and in integers that it has no triangle: each of its cliques is an edge."""
    import networkx as nx

    adjacencies = [nx.to_numpy_array(one, nodelist=sorted(one), dtype=np.int64) for one in family()]
    triangles = [int(number_of_triangles(rationals(adjacency))) for adjacency in adjacencies]
    return reduce(and_, map(cp_rank_is_number_of_edges, map(graph, adjacencies)), eq(triangles, 0))


def small_graphs(largest=6):
    """Every graph without triangles on two to `largest` vertices (at most seven), up to isomorphism."""
    import networkx as nx

    return (one for one in nx.graph_atlas_g() if 1 < len(one) <= largest and not any(nx.triangles(one).values()))


def complete_bipartite_graphs(largest=14):
    """All of them with at most `largest` vertices."""
    import networkx as nx

    return (nx.complete_bipartite_graph(a, b) for b in range(1, largest) for a in range(1, b + 1) if a + b <= largest)


def random_bipartite_graphs(largest=14):
    """Two with each number of vertices from four to `largest`, every second edge at random."""
    import networkx as nx

    halves = [(part, total - part) for total in range(4, largest + 1) for part in (total // 3, total // 2)]
    return (nx.bipartite.random_graph(*parts, 0.5, seed=seed) for seed, parts in enumerate(halves))


def petersen_graph():
    """Ten vertices, fifteen edges, no cycle shorter than five."""
    import networkx as nx

    return [nx.petersen_graph()]


def odd_cycles():
    """Cycles of 5, 7 and 9 vertices, which are not bipartite."""
    import networkx as nx

    return map(nx.cycle_graph, (5, 7, 9))


def graphs_in_pieces(*pieces):
    """The disjoint union of complete bipartite graphs; of halves of which one is empty, isolated vertices."""
    import networkx as nx

    return [nx.disjoint_union_all([nx.complete_bipartite_graph(a, b) for a, b in pieces])]


def four_cycle():
    """The cycle of four vertices: rank 3 and CP-rank 4."""
    cycle = graph([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    K = gram(incidence_matrix(cycle))
    return cp_rank_is_number_of_edges(cycle) & eq(cp_rank_lower_bound(K), 4) & eq(rank(K), 3)


def triangles_save_rows():
    r"""Graphs for which the formula is false: :math:`E^TE = \sum_i \alpha_i x_ix_i^T` with fewer rows than there are edges.

    Two triangles with a common edge have five edges and four rows, :math:`E^TE = (N - 2) I + 11^T` has N + 1 rows.
    """
    diamond = graph([[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0]])
    rows = rationals([[1, 1, 2, 0], [1, 1, 0, 2], [1, 0, 0, 0], [0, 1, 0, 0]])
    shorter = [(diamond, rationals(["1/2", "1/2", 2, 2]), rows)]
    for N in range(4, 7):
        rows = rationals(np.vstack([np.eye(N, dtype=np.int64), np.ones((1, N), dtype=np.int64)]))
        shorter.append((graph(np.ones((N, N))), rationals([N - 2] * N + [1]), rows))
    parts = []
    for edges, alpha, x in shorter:
        parts += [eq((x.T * alpha) @ x, gram(incidence_matrix(edges)))]
        parts += [ge(alpha, 0), ge(x, 0), le(len(x), edges.sum() - 1)]
    return reduce(and_, parts)


CLAIM = Claim(
    id="feature_learning.prop_13",
    title="Without triangles, the CP-rank of a graph is the number of its edges",
    source=Source("feature_learning", "Proposition 13"),
    statement=cp_rank_is_number_of_edges,
    domain=Domain(GRAPHS, {"vertices": range(2, 8)}, {"no triangle": has_no_triangle}),
    tight={"Y_5": Tight(partial(mantel_graph, 5), of=("no negative entry", "rows", "lower bound"), partly=True)},
    false_variants={
        "the rank": partial(cp_rank_is, lambda E: rank(gram(E))),
        "the number of vertices": partial(cp_rank_is, lambda E: E.shape[1]),
        "the larger of both numbers": partial(cp_rank_is, larger_of_vertices_and_edges),
    },
    needs=("no triangle",),
    exact={
        "all graphs on at most 6 vertices": partial(decided, small_graphs),
        "complete bipartite graphs on at most 14 vertices": partial(decided, complete_bipartite_graphs),
        "random bipartite graphs on at most 14 vertices": partial(decided, random_bipartite_graphs),
        "Petersen graph": partial(decided, petersen_graph),
        "odd cycles": partial(decided, odd_cycles),
        "no edges": partial(decided, partial(graphs_in_pieces, (4, 0))),
        "isolated vertices": partial(decided, partial(graphs_in_pieces, (2, 2), (3, 0))),
        "disconnected": partial(decided, partial(graphs_in_pieces, (2, 3), (1, 1), (1, 4))),
        "C4 has rank 3 and CP-rank 4": four_cycle,
        "shorter factors for graphs with triangles": triangles_save_rows,
    },
    cost=2,
)
