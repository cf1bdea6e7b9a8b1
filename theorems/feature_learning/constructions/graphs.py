r"""Graphs and their matrices: incidence matrices E, :math:`E^TE`, and :math:`Y_N` of the complete bipartite graphs.

Source: feature_learning, Section 4.2.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.layers import gram
from verify import derived, integers
from verify.cones import support_graphs
from verify.numbers.arithmetic import Array, rationals
from verify.numbers.parameters import widened
from verify.words import lifted, maximum

support_graph = lifted(support_graphs.support_graph)
number_of_triangles = lifted(support_graphs.number_of_triangles)


@widened
def incidence_matrix(edges: Array) -> Array:
    """Ones at both ends of every edge, ``(N(N - 1)/2,) -> (N(N - 1)/2, N)``; the rows of absent edges are zero.

    `edges` is 1 for an edge and 0 for none, for the pairs of vertices in the order (0, 1), (0, 2), ..., (N - 2, N - 1).

    Raises
    ------
    ValueError
        The number of entries is not that of the pairs of some vertices.
    """
    pairs = len(edges)
    vertices = (1 + math.isqrt(1 + 8 * pairs)) // 2
    if pairs == 0 or vertices * (vertices - 1) // 2 != pairs:
        raise ValueError(f"edges must have an entry for each of the N(N - 1)/2 pairs of N >= 2 vertices, got {pairs}")
    rows = np.zeros((pairs, vertices), dtype=np.int64)
    for row, ends in enumerate(combinations(range(vertices), 2)):
        rows[row, list(ends)] = 1
    return edges[:, None] * rows


@widened
def mantel_matrix(vertices: int) -> Array:
    r"""The matrix :math:`Y_N`, of integers, shape ``(N, N)``: :math:`\frac N2 I` and :math:`11^T` in blocks.

    For odd N the blocks are :math:`\frac{N+1}2 I` for the smaller half and :math:`\frac{N-1}2 I` for the larger.

    Raises
    ------
    ValueError
        `vertices` is below 2.
    """
    if vertices < 2:
        raise ValueError(f"vertices must be at least 2, got {vertices}: a graph with fewer has no edges")
    small, large = vertices // 2, vertices - vertices // 2
    blocks = [
        [large * np.eye(small, dtype=np.int64), np.ones((small, large), dtype=np.int64)],
        [np.ones((large, small), dtype=np.int64), small * np.eye(large, dtype=np.int64)],
    ]
    return np.block(blocks).astype(np.int64)


@widened
def edges_of(adjacency: Array) -> Array:
    """The coordinates of a graph: the upper triangle in rows, ``(N, N) -> (N(N - 1)/2,)``."""
    rows, columns = np.triu_indices(len(adjacency), 1)
    return adjacency.reshape(-1)[rows * len(adjacency) + columns]


@widened
def graph(matrix: Any) -> Array:
    """The edges of a matrix with ones off the diagonal, as rationals."""
    return rationals(edges_of(np.asarray(matrix, dtype=np.int64)))


@widened
def edge_rows(vertices: int) -> Array:
    """The incidence matrix of the complete bipartite graph on halves, a row for each edge, as rationals."""
    rows = incidence_matrix(edges_of(support_graph(rationals(mantel_matrix(vertices)))))
    return np.asarray(rows[[bool(row.any()) for row in rows]])


@widened
def has_no_triangle(edges: Array) -> Any:
    """The hypothesis for graphs."""
    return number_of_triangles(support_graph(gram(incidence_matrix(edges)))) == 0


@widened
def sampled_graph(pairs: Array, colours: Array, bipartite: Array, complete: Array) -> Array:
    """The pairs that are drawn, or all of them; without those of one colour if the graph is to be bipartite."""
    first, second = np.triu_indices(len(colours), 1)
    different = (colours[first] - colours[second]) ** 2
    return maximum(pairs, complete) * (1 - bipartite * (1 - different))


@widened
def mantel_graph(vertices: int) -> dict[str, Array]:
    """The graph of Y_N."""
    return {"edges": graph(mantel_matrix(vertices))}


GRAPHS = {
    "edges": derived(
        sampled_graph,
        pairs=integers(0, 1, lambda sizes: sizes["vertices"] * (sizes["vertices"] - 1) // 2),
        colours=integers(0, 1, "vertices"),
        bipartite=integers(0, 1),
        complete=integers(0, 1),
    )
}
"""Graphs of which many are bipartite, on so many `vertices`."""
