"""Paths of linear networks, and the cross term of the Lagrangian along them: by Gauss' rule, and enclosed rigorously."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import flint
import numpy as np
from flint import acb, acb_mat, arb

from theorems.leaky_resnets.constructions.representations import cut_to_rank
from verify import Measured, derived, integers, interval, measured, reals
from verify.matrices import operator_norm, pseudo_determinant, pseudo_inverse
from verify.matrices.exact import each
from verify.networks.leaky_resnet import inner
from verify.numbers.arithmetic import Array, ball, is_exact, precision
from verify.numbers.parameters import widened
from verify.words import concatenate, eye, lifted, ones

NODES = (10, 14)
"""Numbers of nodes of two quadratures: what they differ by is taken for the error."""

EVALUATIONS = 20_000
"""After so many evaluations an enclosure stays as wide as it is."""


class LinearPath(NamedTuple):
    """:math:`A_p = (I + pE + p^2G)A_0`: a matrix ``(w, N)`` and two ``(w, w)``."""

    A0: Array
    E: Array
    G: Array

    def flow(self, p: int) -> Array:
        """:math:`I + pE + p^2G`."""
        return eye(len(self.E)) + p * self.E + p**2 * self.G

    def at(self, p: int) -> Array:
        """A."""
        return self.flow(p) @ self.A0


@widened
def linear_path(left: Array, right: Array, drop: Array, E: Array, G: Array) -> LinearPath:
    """A path from a product of two matrices, of lower rank where `drop` is 0."""
    return LinearPath(cut_to_rank(left, right, drop), E, G)


LINEAR_PATHS = derived(
    linear_path,
    left=reals("width", "width"),
    right=reals("width", "points"),
    drop=integers(0, 1),
    E=interval(-1 / 8, 1 / 8, "width", "width"),
    G=interval(-1 / 8, 1 / 8, "width", "width"),
)
"""Paths from matrices of any rank, with E and G so small that no rank changes."""


@widened
def with_ones(A: Array) -> Array:
    """A with the row of ones that stands for the bias."""
    return concatenate([A, ones(1, A.shape[1])])


@widened
def cross_term(path: LinearPath, *, bias: bool) -> Measured:
    """The integral of the cross term, with the error of the quadrature; balls know theirs."""
    integral: Measured = lifted(_cross_term)(*path, bias=bias)
    return integral


def _cross_term(start: Array, first: Array, second: Array, *, bias: bool) -> Measured:
    """Of a batch of paths."""
    if is_exact(start):
        return measured(each(partial(_enclosed, bias), start, first, second))
    values, unit = [], np.eye(first.shape[-1])
    for count in NODES:
        nodes, weights = np.polynomial.legendre.leggauss(count)
        total: Any = 0.0
        for p, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
            A = (unit + p * first + p**2 * second) @ start
            inverse = pseudo_inverse(_with_ones(A) if bias else A)
            total = total + weight * inner((first + 2 * p * second) @ start @ inverse, A @ inverse)
        values.append(total)
    return measured(values[-1], abs(values[1] - values[0]))


def _with_ones(A: Array) -> Array:
    """`with_ones` of a batch."""
    return np.concatenate([A, 0 * A[..., :1, :] + 1], axis=-2)


@lifted
@widened
def squared_determinant(A: Array) -> Measured:
    """The square of the pseudo-determinant: for rationals that of the Gram matrix, which is rational.

    In floats small singular values are known up to the rounding errors of the largest.
    """
    if is_exact(A):
        return measured(pseudo_determinant(np.swapaxes(A, -1, -2) @ A))
    condition = operator_norm(A) * operator_norm(pseudo_inverse(A))
    return measured(pseudo_determinant(A) ** 2, 2.0**-46 * condition * pseudo_determinant(A) ** 2)


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
