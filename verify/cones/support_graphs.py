"""Graphs of the non-zero entries of symmetric matrices: their triangles, and the fewest cliques that cover their edges."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from verify.matrices.arguments import check_square, checked_entries
from verify.numbers.arithmetic import Array, absolute, is_exact, rationals, where_positive

SOLVER_ACCURACY = 1e-6
"""Feasibility and integrality that HiGHS guarantees; covers are counted in integers, so that anything below 1/2 would do."""


def like(values: Any, pattern: Array) -> Array:
    """Integers in the arithmetic of `pattern`."""
    return rationals(values) if is_exact(pattern) else np.asarray(values, dtype=np.float64)


def support_graph(matrix: Array) -> Array:
    """Adjacency matrix, of zeros and ones: which off-diagonal entries are not zero, ``(..., N, N) -> (..., N, N)``."""
    matrix = checked_entries(matrix)
    check_square(matrix, "matrix")
    return where_positive(absolute(matrix), like(1 - np.eye(matrix.shape[-1], dtype=np.int64), matrix))


def number_of_triangles(adjacency: Array) -> Array:
    """A sixth of the trace of the cube, ``(..., N, N) -> (...)``."""
    adjacency = _checked_adjacency(adjacency)
    return np.asarray((adjacency @ adjacency * adjacency).sum(axis=(-2, -1)) / 6)


def edge_clique_cover(adjacency: Array) -> tuple[frozenset[int], ...]:
    """A smallest family of cliques that contains both ends of every edge, shape ``(N, N)``.

    Raises
    ------
    ArithmeticError
        The solver does not decide the size of the smallest family.
    """
    adjacency = _checked_adjacency(adjacency)
    if adjacency.ndim != 2:
        raise ValueError(f"adjacency must be one matrix, got shape {adjacency.shape}")
    present = np.argwhere(np.triu(np.asarray(adjacency != 0, dtype=bool), 1))
    return _edge_clique_cover(tuple((int(i), int(j)) for i, j in present))


def _checked_adjacency(adjacency: Any) -> Array:
    array = checked_entries(adjacency, "adjacency")
    check_square(array, "adjacency")
    return array


@lru_cache(maxsize=2**16)
def _edge_clique_cover(edges: tuple[tuple[int, int], ...]) -> tuple[frozenset[int], ...]:
    import networkx as nx
    from scipy.optimize import Bounds, LinearConstraint, milp

    if not edges:
        return ()
    cliques = [frozenset(clique) for clique in nx.find_cliques(nx.Graph(edges))]
    covers = np.array([[edge <= clique for clique in cliques] for edge in map(frozenset, edges)], dtype=np.float64)
    integral, cover = np.ones(len(cliques), dtype=np.int64), LinearConstraint(covers, lb=1)
    solution = milp(np.ones(len(cliques)), integrality=integral, bounds=Bounds(0, 1), constraints=cover)
    if solution.status != 0 or solution.x is None:
        raise ArithmeticError(f"the solver did not find a smallest edge clique cover: {solution.message}")
    chosen = np.rint(solution.x).astype(np.int64)
    count = int(chosen.sum())
    covered = bool((covers.astype(np.int64) @ chosen >= 1).all())
    # no cover with one clique less: its size would have to be at least the dual bound
    decided = solution.mip_dual_bound > count - 1 + SOLVER_ACCURACY
    if not covered or not decided or np.abs(solution.x - chosen).max() > SOLVER_ACCURACY:
        raise ArithmeticError(
            f"the smallest edge clique cover is undecided: {count} cliques, covering: {covered}, "
            f"bound {solution.mip_dual_bound}"
        )
    return tuple(clique for clique, used in zip(cliques, chosen, strict=True) if used)
