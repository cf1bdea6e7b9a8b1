"""Paths of linear networks, and the cross term of the Lagrangian along them: by Gauss' rule, and enclosed rigorously."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import flint
import numpy as np
from flint import acb, acb_mat, arb

from theorems.leaky_resnets.constructions.representations import cut_to_rank, ones_like_row, with_rows
from verify import Measured, derived, integers, interval, measured, reals
from verify.arithmetic import Array, ball, is_exact, precision
from verify.matrices import pseudo_inverse
from verify.matrices.exact import each
from verify.networks.leaky_resnet import inner

NODES = (10, 14)
"""Numbers of nodes of two quadratures: what they differ by is taken for the error."""

EVALUATIONS = 20_000
"""After so many evaluations an enclosure stays as wide as it is."""


@dataclass(frozen=True, eq=False)
class LinearPath:
    """:math:`A_p = (I + pE + p^2G)A_0`: arrays of shapes ``(..., w, N)`` and twice ``(..., w, w)``."""

    start: Array
    first: Array
    second: Array

    def __getitem__(self, index: Any) -> LinearPath:
        return LinearPath(*(getattr(self, one.name)[index] for one in fields(self)))

    def flow(self, position: Any) -> Array:
        """:math:`I + pE + p^2G`."""
        unit = np.eye(self.first.shape[-1], dtype=int)
        return np.asarray(unit + position * self.first + position**2 * self.second)

    def at(self, position: Any) -> Array:
        """A."""
        return np.asarray(self.flow(position) @ self.start)

    def derivative(self, position: Any) -> Array:
        """The derivative of A."""
        return np.asarray((self.first + 2 * position * self.second) @ self.start)


def linear_path(left: Array, right: Array, drop: Array, first: Array, second: Array) -> LinearPath:
    """A path from a product of two matrices, of lower rank where `drop` is 0."""
    return LinearPath(cut_to_rank(left, right, drop), first, second)


LINEAR_PATHS = derived(
    linear_path,
    left=reals("width", "width"),
    right=reals("width", "points"),
    drop=integers(0, 1),
    first=interval(-1 / 8, 1 / 8, "width", "width"),
    second=interval(-1 / 8, 1 / 8, "width", "width"),
)
"""Paths from matrices of any rank, with E and G so small that no rank changes."""


def with_ones(A: Array) -> Array:
    """A with the row of ones that stands for the bias."""
    return with_rows(A, ones_like_row(A))


def cross_term(path: LinearPath, *, bias: bool) -> Measured:
    """The integral of the cross term, shape ``(...)``, with the error of the quadrature; balls know theirs."""
    if is_exact(path.start):
        return measured(each(partial(_enclosed, bias), path.start, path.first, path.second))
    values = []
    for count in NODES:
        nodes, weights = np.polynomial.legendre.leggauss(count)
        total: Any = 0.0
        for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
            A = path.at(node)
            inverse = pseudo_inverse(with_ones(A) if bias else A)
            total = total + weight * inner(path.derivative(node) @ inverse, A @ inverse)
        values.append(total)
    return measured(values[-1], abs(values[1] - values[0]))


def _far_from_dependent(basis: list[list[Any]]) -> acb_mat:
    """Another basis of the same space, nearly orthonormal: on one that is nearly dependent, enclosures are wide."""
    values = np.array([[float(entry.p) / float(entry.q) for entry in row] for row in basis])
    change = np.linalg.inv(np.linalg.qr(values)[1])
    return acb_mat(basis) * acb_mat([[acb(float(entry)) for entry in row] for row in change])


def _enclosed(bias: bool, start: Any, first: Any, second: Any) -> arb:
    """The integral for one path of rationals: with the columns C of a basis of A (and the ones), all is a function of XC."""
    width, points = start.nrows(), start.ncols()
    rows = start.tolist() + ([[1] * points] if bias else [])
    columns, rank = type(start)(rows).transpose().rref()
    if rank == 0:
        return ball(0)
    height = len(rows)
    basis = _far_from_dependent([[columns[j, i] for j in range(rank)] for i in range(height)])

    def extended(matrix: Any) -> acb_mat:
        return acb_mat([[matrix[i, j] if max(i, j) < width else 0 for j in range(height)] for i in range(height)])

    E, G, unit = extended(first), extended(second), acb_mat(height, height, 1)

    def integrand(p: acb, _: bool) -> acb:
        X, moved = (unit + p * E + p * p * G) * basis, (E + 2 * p * G) * basis
        try:
            inverse = (X.transpose() * X).inv()
        except ZeroDivisionError:  # the ball of p is so large that it cannot be told from a pole
            return acb("nan")
        product = moved * inverse * X.transpose()
        return sum((product[i, i] for i in range(width)), acb(0))

    wanted = flint.ctx.prec
    # more bits than are asked for, or the goal may be out of reach
    with precision(wanted + 64):
        goal = arb(2) ** -wanted
        return ball(acb.integral(integrand, 0, 1, rel_tol=goal, abs_tol=goal, eval_limit=EVALUATIONS).real)
