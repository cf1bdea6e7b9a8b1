"""Extreme rays of a cone of inequalities by the double description method, in integers (Fukuda and Prodon 1996)."""

from __future__ import annotations

from flint import fmpq_mat, fmpz, fmpz_mat

from verify.matrices.exact import pivots
from verify.piecewise.cells.convex import Row, between, edges, primitive


def independent(rows: list[Row]) -> list[int]:
    """Indices of the first rows that span all of them."""
    reduced, _, rank = fmpz_mat(len(rows), len(rows[0]), [x for row in rows for x in row]).transpose().rref()
    return pivots(reduced, rank)


def extreme_rays(rows: list[Row]) -> tuple[list[Row], list[int]]:
    """Extreme rays of ``{y : row . y >= 0 for every row}`` and, as bits, the rows that vanish on each.

    The rows span the space, so that the cone holds no line; it may be the origin alone, without rays.
    """
    size = len(rows[0])
    basis = independent(rows)
    inverse = fmpq_mat(fmpz_mat(size, size, [x for i in basis for x in rows[i]])).inv()
    numerators, _ = inverse.numer_denom()
    basis_bits = sum(1 << i for i in basis)
    rays = [primitive(tuple(numerators[i, j] for i in range(size))) for j in range(size)]
    masks = [basis_bits & ~(1 << i) for i in basis]
    for i, row in enumerate(rows):
        if basis_bits >> i & 1:
            continue
        values = [_dot(row, ray) for ray in rays]
        plus = [v for v, value in enumerate(values) if value > 0]
        minus = [v for v, value in enumerate(values) if value < 0]
        new_rays, new_masks = list[Row](), list[int]()
        for u, v in edges(plus, minus, masks, list(range(len(rays))), size - 1):
            new_rays.append(between(rays[u], rays[v], values[u], values[v]))
            new_masks.append(masks[u] & masks[v] | 1 << i)
        kept = [v for v, value in enumerate(values) if value >= 0]
        rays, masks = (
            [rays[v] for v in kept] + new_rays,
            [masks[v] | (1 << i if values[v] == 0 else 0) for v in kept] + new_masks,
        )
    return rays, masks


def _dot(row: Row, ray: Row) -> fmpz:
    return sum((x * y for x, y in zip(row, ray, strict=True)), fmpz(0))
