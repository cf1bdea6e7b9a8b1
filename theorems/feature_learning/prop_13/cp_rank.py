r"""Proposition 13: graphs without triangles give completely positive matrices whose CP-rank is the number of edges.

Statement
    For a simple graph with k edges, let E have a row for each edge, with ones at its two ends. Without triangles,

    .. math:: \mathrm{Rank}_{cp}(E^TE) = k .
Checked
    E is a factor with k rows; and k is at most the larger of two lower bounds of the CP-rank: the smallest number of cliques
    that cover all edges, by a mixed-integer programme, and the rank.
Proof idea
    The support of a row of any factor is a clique of the support graph, and these cliques cover its edges; without triangles, a
    clique covers one edge.
Sharp
    The triangle itself satisfies the formula: one clique covers it, but its matrix has rank 3 = k. The smallest graph that does
    not is the diamond, two triangles with a common edge: 5 edges, and a factor with 4 rows. Complete graphs have factors with
    N + 1 rows.
Not checked
    Graphs with triangles where the two bounds leave a gap: the search shows that there are some, no more.
Source
    feature_learning, Definition 12, Proposition 13 (Proposition 21 in the appendix).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, reduce
from operator import and_
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.graphs import (
    GRAPHS,
    edges_of,
    graph,
    has_no_triangle,
    incidence_matrix,
    mantel_graph,
    number_of_edges,
)
from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.constructions.pruning import in_use, number_in_use
from verify import Claim, Domain, Relation, Source, Tight, eq, ge, le
from verify.arithmetic import Array, maximum, rationals
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.cones.support_graphs import like, number_of_triangles, support_graph
from verify.matrices import rank


def cp_rank_is_number_of_edges(edges: Array) -> Relation:
    """E is a factor of the matrix of degrees and adjacencies with as many rows as edges, and no factor has fewer."""
    factor = incidence_matrix(edges)
    matrix = gram(factor)
    adjacency, identity = support_graph(matrix), like(np.eye(matrix.shape[-1], dtype=np.int64), edges)
    degrees = identity * adjacency.sum(axis=-1)[..., None]
    return (
        eq(edges_of(adjacency), edges, name="graph", over=1)
        & eq(matrix, adjacency + degrees, name="degrees and adjacencies", over=2)
        & ge(factor, 0 * factor, name="no negative entry", over=2)
        & le(number_in_use(factor.sum(axis=-1)), number_of_edges(edges), name="rows")
        & ge(cp_rank_lower_bound(matrix), number_of_edges(edges), name="lower bound")
    )


# False variants


def cp_rank_is(count: Callable[[Array], Array], edges: Array) -> Relation:
    """No factor has fewer rows than a `count`, and E has no more."""
    factor = incidence_matrix(edges)
    return ge(cp_rank_lower_bound(gram(factor)), count(edges)) & le(in_use(factor.sum(axis=-1)).sum(axis=-1), count(edges))


def number_of_vertices(edges: Array) -> Array:
    """Number of vertices of every graph, isolated ones included."""
    return np.asarray(0 * number_of_edges(edges) + incidence_matrix(edges).shape[-1])


def rank_of_matrix(edges: Array) -> Array:
    """Rank of ``E^T E``: the number of vertices less that of the bipartite components."""
    return like(rank(gram(incidence_matrix(edges))), edges)


def more_of_vertices_and_edges(edges: Array) -> Array:
    """The CP-rank of non-singular matrices of connected graphs without triangles (Drew, Johnson and Loewy)."""
    return maximum(number_of_vertices(edges), number_of_edges(edges))


# Exact parts and sharp instances


def decided(family: Callable[[], Iterable[Any]]) -> Relation:
    """The proposition for every graph of a family, and in integers that it has no triangle: each of its cliques is an edge."""
    import networkx as nx

    adjacencies = [nx.to_numpy_array(one, nodelist=sorted(one), dtype=np.int64) for one in family()]
    triangles = rationals([int(number_of_triangles(rationals(adjacency))) for adjacency in adjacencies])
    return reduce(and_, map(cp_rank_is_number_of_edges, map(graph, adjacencies)), eq(triangles, 0 * triangles, over=1))


def small_graphs(largest: int = 6) -> Iterable[Any]:
    """Every graph without triangles on two to `largest` vertices (at most seven), up to isomorphism."""
    import networkx as nx

    return (one for one in nx.graph_atlas_g() if 1 < len(one) <= largest and not any(nx.triangles(one).values()))


def complete_bipartite_graphs(largest: int = 14) -> Iterable[Any]:
    """All of them with at most `largest` vertices."""
    import networkx as nx

    return (nx.complete_bipartite_graph(a, b) for b in range(1, largest) for a in range(1, b + 1) if a + b <= largest)


def random_bipartite_graphs(largest: int = 14) -> Iterable[Any]:
    """Two with each number of vertices from four to `largest`, every second edge at random."""
    import networkx as nx

    halves = [(part, total - part) for total in range(4, largest + 1) for part in (total // 3, total // 2)]
    return (nx.bipartite.random_graph(*parts, 0.5, seed=seed) for seed, parts in enumerate(halves))


def petersen_graph() -> Iterable[Any]:
    """Ten vertices, fifteen edges, no cycle shorter than five."""
    import networkx as nx

    return [nx.petersen_graph()]


def odd_cycles() -> Iterable[Any]:
    """Cycles of 5, 7 and 9 vertices, which are not bipartite."""
    import networkx as nx

    return map(nx.cycle_graph, (5, 7, 9))


def graphs_in_pieces(*pieces: tuple[int, int]) -> Iterable[Any]:
    """The disjoint union of complete bipartite graphs; of halves of which one is empty, isolated vertices."""
    import networkx as nx

    return [nx.disjoint_union_all([nx.complete_bipartite_graph(a, b) for a, b in pieces])]


def four_cycle() -> Relation:
    """The cycle of four vertices: rank 3 and CP-rank 4."""
    cycle = graph([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    lower = cp_rank_lower_bound(gram(incidence_matrix(cycle)))
    return cp_rank_is_number_of_edges(cycle) & eq(lower, 4) & eq(rank_of_matrix(cycle), 3)


def factor_of_the_diamond() -> tuple[Array, Array]:
    r"""Four weights and rows with :math:`E^TE = \sum_i \alpha_i x_ix_i^T` for two triangles with a common edge: five edges."""
    return rationals(["1/2", "1/2", 2, 2]), rationals([[1, 1, 2, 0], [1, 1, 0, 2], [1, 0, 0, 0], [0, 1, 0, 0]])


def factor_of_a_complete_graph(vertices: int) -> tuple[Array, Array]:
    """The same for ``E^T E = (N - 2) I + 11^T``, with N + 1 rows; there are more edges for N of at least 4."""
    rows = np.vstack([np.eye(vertices, dtype=np.int64), np.ones((1, vertices), dtype=np.int64)])
    return rationals([vertices - 2] * vertices + [1]), rationals(rows)


def triangles_save_rows() -> Relation:
    """Graphs for which the formula is false: a factor without negative entries has fewer rows than there are edges."""
    diamond = [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0]]
    shorter: list[tuple[Any, tuple[Array, Array]]] = [(diamond, factor_of_the_diamond())]
    shorter += [(np.ones((n, n), dtype=np.int64), factor_of_a_complete_graph(n)) for n in range(4, 7)]
    parts = []
    for adjacency, (weights, rows) in shorter:
        edges = graph(adjacency)
        parts += [eq((rows.T * weights) @ rows, gram(incidence_matrix(edges))[0], over=2)]
        parts += [ge(weights, 0 * weights, over=1), ge(rows, 0 * rows, over=2), le(len(rows), number_of_edges(edges) - 1)]
    return reduce(and_, parts)


CLAIM = Claim(
    id="feature_learning.prop_13",
    title="Without triangles, the CP-rank of a graph is the number of its edges",
    source=Source("feature_learning", "Proposition 13"),
    statement=cp_rank_is_number_of_edges,
    domain=Domain(GRAPHS, {"vertices": range(2, 8)}, hypotheses={"no triangle": has_no_triangle}),
    tight={"Y_5": Tight(partial(mantel_graph, 5), of=("no negative entry", "rows", "lower bound"), partly=True)},
    false_neighbours={
        "the rank": partial(cp_rank_is, rank_of_matrix),
        "the number of vertices": partial(cp_rank_is, number_of_vertices),
        "the larger of both numbers": partial(cp_rank_is, more_of_vertices_and_edges),
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
