r"""Proposition 13: graphs without triangles give completely positive matrices whose CP-rank is the number of edges.

A is completely positive if :math:`A = B^TB` for some B without negative entries; its CP-rank is the smallest number of rows of
such a B. For a simple graph with k edges, let E have a row for each edge, with ones at its two ends. Without triangles,

.. math:: \mathrm{Rank}_{cp}(E^TE) = k .

Upper bound: E is such a factor. Lower bound: the support of a row of any such B is a clique of the support graph of A, and
these cliques cover its edges; without triangles, a clique covers one edge. So the CP-rank is at least the smallest number of
cliques that cover all edges, here a mixed-integer programme, and at least the rank. What is checked: that E is a factor with k
rows, and that the larger of the two lower bounds is k. Also, for any B without negative entries such that the support graph of
:math:`B^TB` has no triangle: no row has more than two non-zeros, and at least as many rows as there are edges have two.

The triangle itself satisfies the formula: one clique covers it, but its matrix has rank 3 = k. The smallest graph that does
not is the diamond, two triangles with a common edge: 5 edges, and a factor with 4 rows. Complete graphs have factors with
N + 1 rows. (For other graphs with triangles the search shows that the bounds leave a gap, no more.)

Mantel: without triangles there are at most :math:`\lfloor N^2/4 \rfloor` edges, and the complete bipartite graph on two halves
has them; its matrix :math:`Y_N` consists of the blocks :math:`\frac N2 I` and :math:`11^T` (for odd N, of
:math:`\frac{N+1}2 I` for the smaller half and :math:`\frac{N-1}2 I` for the larger).

Source: feature_learning, Definition 12, Proposition 13 and the display after it (Proposition 21 in the appendix).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial, reduce
from itertools import combinations
from operator import and_
from typing import Any

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, integers, le
from verify.arithmetic import Array, absolute, maximum, rationals, where_positive
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.cones.support_graphs import like, number_of_triangles, support_graph
from verify.matrices import rank


def incidence_matrix(edges: Array) -> Array:
    """Ones at both ends of every edge, ``(..., N(N - 1)/2) -> (..., N(N - 1)/2, N)``; the rows of absent edges are zero.

    `edges` is 1 for an edge and 0 for none, for the pairs of vertices in the order (0, 1), (0, 2), ..., (N - 2, N - 1).
    """
    pairs = edges.shape[-1]
    vertices = (1 + math.isqrt(1 + 8 * pairs)) // 2
    if pairs == 0 or vertices * (vertices - 1) // 2 != pairs:
        raise ValueError(f"edges must have an entry for each of the N(N - 1)/2 pairs of N >= 2 vertices, got {pairs}")
    rows = np.zeros((pairs, vertices), dtype=np.int64)
    for row, ends in enumerate(combinations(range(vertices), 2)):
        rows[row, list(ends)] = 1
    return np.asarray(edges[..., None] * like(rows, edges))


def gram(factor: Array) -> Array:
    """``B^T B``, shape ``(..., k, N) -> (..., N, N)``."""
    return np.asarray(np.swapaxes(factor, -1, -2) @ factor)


def ones_where(values: Array) -> Array:
    """1 where an entry is positive, else 0."""
    return where_positive(values, 0 * values + 1)


def mantel_matrix(vertices: int) -> Array:
    """The matrix :math:`Y_N`, of integers, shape ``(N, N)``."""
    if vertices < 2:
        raise ValueError(f"vertices must be at least 2, got {vertices}: a graph with fewer has no edges")
    small, large = vertices // 2, vertices - vertices // 2
    blocks = [
        [large * np.eye(small, dtype=np.int64), np.ones((small, large), dtype=np.int64)],
        [np.ones((large, small), dtype=np.int64), small * np.eye(large, dtype=np.int64)],
    ]
    return np.block(blocks).astype(np.int64)


def edges_of(adjacency: Array) -> Array:
    """The coordinates of a graph: the upper triangle in rows, ``(..., N, N) -> (..., N(N - 1)/2)``."""
    rows, columns = np.triu_indices(adjacency.shape[-1], 1)
    return np.asarray(adjacency[..., rows, columns])


def number_of_edges(edges: Array) -> Array:
    """Number of edges of every graph."""
    return np.asarray(edges.sum(axis=-1))


def number_of_vertices(edges: Array) -> Array:
    """Number of vertices of every graph, isolated ones included."""
    return np.asarray(0 * number_of_edges(edges) + incidence_matrix(edges).shape[-1])


def rank_of_matrix(edges: Array) -> Array:
    """Rank of ``E^T E``: the number of vertices less that of the bipartite components."""
    return like(rank(gram(incidence_matrix(edges))), edges)


def more_of_vertices_and_edges(edges: Array) -> Array:
    """The CP-rank of non-singular matrices of connected graphs without triangles (Drew, Johnson and Loewy)."""
    return maximum(number_of_vertices(edges), number_of_edges(edges))


def has_no_triangle(edges: Array) -> Any:
    """The hypothesis for graphs."""
    return number_of_triangles(support_graph(gram(incidence_matrix(edges)))) == 0


def cp_rank_is(edges: Array, count: Callable[[Array], Array] = number_of_edges, shift: int = 0) -> Relation:
    """E is a factor of the matrix of degrees and adjacencies with at most `count` rows, and no factor has fewer."""
    factor, claimed = incidence_matrix(edges), count(edges) + shift
    matrix = gram(factor)
    adjacency, identity = support_graph(matrix), like(np.eye(matrix.shape[-1], dtype=np.int64), edges)
    rows = ones_where(factor.sum(axis=-1)).sum(axis=-1)
    return (
        eq(edges_of(adjacency), edges, over=1)
        & eq(matrix, adjacency + identity * adjacency.sum(axis=-1)[..., None], over=2)
        & ge(factor, 0 * factor, over=2)
        & le(rows, claimed)
        & ge(cp_rank_lower_bound(matrix), claimed)
    )


def rows_are_edges(factor: Array, largest: int = 2, percent: int = 100, more: int = 0) -> Relation:
    """No row of `factor` has more than two non-zeros, and as many rows as there are edges have two."""
    present = ones_where(absolute(factor)).sum(axis=-1)
    with_two = ones_where(present - 1).sum(axis=-1)
    edges = number_of_edges(edges_of(support_graph(gram(factor))))
    return le(present, 0 * present + largest, over=1) & le(edges + more, with_two * percent / 100)


def mantel(edges: Array, slope: int = 0, ratio: int = 1000, less: int = 0) -> Relation:
    """The number of edges against ``floor(N^2/4) - less``, or ``slope * N - less``."""
    vertices = incidence_matrix(edges).shape[-1]
    largest = slope * vertices if slope else vertices**2 // 4
    return le(number_of_edges(edges), like(largest - less, edges) * ratio / 1000)


def sampled_graph(pairs: Array, colours: Array, bipartite: Array, complete: Array) -> Array:
    """The pairs that are drawn, or all of them; without those of one colour if the graph is to be bipartite."""
    first, second = np.triu_indices(colours.shape[-1], 1)
    different = (colours[..., first] - colours[..., second]) ** 2
    return np.asarray(maximum(pairs, complete[..., None]) * (1 - bipartite[..., None] * (1 - different)))


def sampled_factor(pattern: Array, values: Array, signed: Array) -> Array:
    """A matrix with zeros where the pattern has them, and perhaps more; with signs or without."""
    sizes = absolute(values)
    return np.asarray(pattern * (sizes + signed[..., None, None] * (values - sizes)))


def in_the_support(factor: Array) -> Any:
    """The hypothesis for factors: the support graph of ``B^T B`` has no triangle."""
    return number_of_triangles(support_graph(gram(factor))) == 0


def graph(matrix: Any) -> Array:
    """The edges of a matrix with ones off the diagonal as rationals, a batch of one."""
    return rationals(edges_of(np.asarray(matrix, dtype=np.int64)))[None]


def decided(family: Callable[[], Iterable[Any]]) -> Relation:
    """The proposition for every graph of a family, and in integers that it has no triangle: each of its cliques is an edge."""
    import networkx as nx

    adjacencies = [nx.to_numpy_array(one, nodelist=sorted(one), dtype=np.int64) for one in family()]
    triangles = rationals([number_of_triangles(adjacency) for adjacency in adjacencies])
    return reduce(and_, map(cp_rank_is, map(graph, adjacencies)), eq(triangles, 0 * triangles, over=1))


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
    return cp_rank_is(cycle) & eq(cp_rank_lower_bound(gram(incidence_matrix(cycle))), 4) & eq(rank_of_matrix(cycle), 3)


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


def mantel_matrices() -> Relation:
    """For N up to 14, Y_N is the matrix of the complete bipartite graph on halves, and its CP-rank is floor(N^2/4)."""
    parts = []
    for vertices in range(2, 15):
        matrix, edges = mantel_matrix(vertices), graph(mantel_matrix(vertices))
        parts += [eq(gram(incidence_matrix(edges))[0], rationals(matrix), over=2), cp_rank_is(edges)]
        parts += [eq(number_of_edges(edges), vertices**2 // 4), eq(number_of_triangles(support_graph(rationals(matrix))), 0)]
    return reduce(and_, parts)


def mantel_graph(vertices: int) -> dict[str, Array]:
    """The graph of Y_N."""
    return {"edges": graph(mantel_matrix(vertices))}


SOURCE = Source("feature_learning", "Proposition 13")
GRAPHS = {
    "edges": derived(
        sampled_graph,
        pairs=integers(0, 1, lambda sizes: sizes["vertices"] * (sizes["vertices"] - 1) // 2),
        colours=integers(0, 1, "vertices"),
        bipartite=integers(0, 1),
        complete=integers(0, 1),
    )
}

CLAIM = Claim(
    id="feature_learning.prop_13",
    title="CP-rank of graphs without triangles",
    source=SOURCE,
    statement=cp_rank_is,
    domain=Domain(GRAPHS, {"vertices": range(2, 7)}, hypotheses={"no triangle": has_no_triangle}),
    tight={"Y_5": Tight(partial(mantel_graph, 5))},
    false_neighbours={
        "one row less": partial(cp_rank_is, shift=-1),
        "the rank": partial(cp_rank_is, count=rank_of_matrix),
        "the number of vertices": partial(cp_rank_is, count=number_of_vertices),
        "the larger of both numbers": partial(cp_rank_is, count=more_of_vertices_and_edges),
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

SUPPORTS = Claim(
    id="feature_learning.prop_13.supports",
    title="Rows of a factor are the edges of its support graph",
    source=SOURCE,
    status=Ours(),
    statement=rows_are_edges,
    domain=Domain(
        {
            "factor": derived(
                sampled_factor,
                pattern=integers(0, 1, "rows", "vertices"),
                values=integers(-2, 2, "rows", "vertices"),
                signed=integers(0, 1),
            )
        },
        {"rows": range(1, 6), "vertices": range(2, 6)},
        hypotheses={
            "no triangle": in_the_support,
            "no negative entry": lambda factor: (factor >= 0).all(axis=(-2, -1)),
        },
    ),
    tight={"the star": Tight(lambda: {"factor": rationals([[1, 2, 0, 0], [1, 0, 3, 0], ["1/2", 0, 0, 1]])})},
    false_neighbours={
        "at most one non-zero": partial(rows_are_edges, largest=1),
        "one edge more": partial(rows_are_edges, more=1),
        "99 percent of the rows": partial(rows_are_edges, percent=99),
    },
    needs=("no triangle", "no negative entry"),
)

MANTEL = Claim(
    id="feature_learning.prop_13.mantel",
    title="At most floor(N^2/4) edges without a triangle",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=mantel,
    domain=Domain(GRAPHS, {"vertices": range(2, 9)}, hypotheses={"no triangle": has_no_triangle}),
    tight={f"Y_{n}": Tight(partial(mantel_graph, n)) for n in (2, 5, 8)},
    false_neighbours={
        "one edge less": partial(mantel, less=1),
        "0.1 percent less": partial(mantel, ratio=999),
        "2N - 4 edges": partial(mantel, slope=2, less=4),
        "N edges": partial(mantel, slope=1),
    },
    needs=("no triangle",),
    exact={"CP-rank of Y_N for N up to 14": mantel_matrices},
)
