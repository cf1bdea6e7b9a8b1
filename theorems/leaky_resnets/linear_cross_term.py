r"""The cross term of the Lagrangian can be integrated in linear networks, and not in others.

On a path of constant rank, without bias and activation,

.. math:: \int_0^1\mathrm{Tr}[\partial_pA\,A^+A^{+T}A^T]dp = \log|A_1|_+ - \log|A_0|_+

with the product of the non-zero singular values; with a bias, :math:`K = A^TA + 11^T`, it is
:math:`\frac12\log(|K_1|_+/|K_0|_+)` (``.with_bias``), which is the same if :math:`1 \notin \mathrm{Im}\,A^T` and another number
in general (``.outside``). The rank is constant on paths of finite cost, :math:`A_p = \Phi_pA_0`. Where it changes, the footnote
is false: for diag(1, p) the integrand is 1/p (exact part).

What is checked: paths :math:`(I + pE + p^2G)A_0` with matrices E, G so small that no rank changes, for :math:`A_0` of any rank.
The integral is by Gauss' rule in floats and a rigorous enclosure on rationals, the other side by singular values. The idea: the
integrand is the derivative of the logarithm, in sympy for 2 x 2. With ReLUs the term depends on the path, in one orthant
already: from b = c = 1 to b = c = 2 in [[1, -b], [c, 1]] it is 4 if b moves first, and 19/2 if c does (exact part).

Source: leaky_resnets, Section 1.3, footnote; the form with bias is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import flint
import numpy as np
from flint import acb, acb_mat, arb

from theorems.leaky_resnets.constructions.representations import cut_to_rank, rounding, with_rows, zeros_like_rows
from verify import Claim, Domain, Ours, Relation, Source, derived, eq, ge, integers, interval, reals
from verify.arithmetic import Array, absolute, floats, is_exact, log, precision, rationals
from verify.matrices import determinant, log_pseudo_determinant, pseudo_inverse
from verify.matrices.exact import each
from verify.networks.leaky_resnet import activation_kernel, inner, is_in_row_space, squared_norm
from verify.symbolic import identically_zero

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
        unit = np.eye(self.first.shape[-1], dtype=np.int64)
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


def with_ones(A: Array) -> Array:
    """A with the row of ones that stands for the bias."""
    return with_rows(A, zeros_like_rows(A, 1) + 1)


def cross_term(path: LinearPath, *, bias: bool) -> tuple[Array, Array]:
    """The integral of the cross term, shape ``(...)``, and its error: 0 for balls, which know theirs."""
    if is_exact(path.start):
        enclosed = each(partial(_enclosed, bias), path.start, path.first, path.second)
        return enclosed, np.zeros(enclosed.shape)
    values = []
    for count in NODES:
        nodes, weights = np.polynomial.legendre.leggauss(count)
        total: Any = 0.0
        for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
            A = path.at(node)
            inverse = pseudo_inverse(with_ones(A) if bias else A)
            total = total + weight * inner(path.derivative(node) @ inverse, A @ inverse)
        values.append(total)
    inverse = pseudo_inverse(with_ones(path.start) if bias else path.start)
    size = np.sqrt(1 + squared_norm(path.first) + squared_norm(path.second)) * path.start.shape[-2]
    noise = rounding(size * (1 + squared_norm(path.start) * squared_norm(inverse)), path.start, inverse)
    return values[-1], np.asarray(abs(values[1] - values[0]) + noise)


def _enclosed(bias: bool, start: Any, first: Any, second: Any) -> arb:
    """The integral for one path of rationals: with the columns C of a basis of A (and the ones), all is a function of XC."""
    width, points = start.nrows(), start.ncols()
    rows = start.tolist() + ([[1] * points] if bias else [])
    # the columns of the reduced echelon form: the identity in some rows, so that they are far from dependent
    columns, rank = type(start)(rows).transpose().rref()
    if rank == 0:
        return arb(0)
    height = len(rows)
    basis = acb_mat([[columns[j, i] for j in range(rank)] for i in range(height)])

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
        return acb.integral(integrand, 0, 1, rel_tol=goal, abs_tol=goal, eval_limit=EVALUATIONS).real


def logarithm_of_the_ends(
    path: LinearPath, halves: int = 2, *, bias: bool = False, stated_bias: bool | None = None, flow: bool = False
) -> Relation:
    """The integral against the logarithms at the ends, which count `halves` / 2; of A, of A with ones, or of the flow."""
    found, error = cross_term(path, bias=bias)
    ends = [path.at(position) for position in (0, 1)]
    if flow:
        logs = [log(absolute(determinant(path.flow(position)))) for position in (0, 1)]
    else:
        with_bias = bias if stated_bias is None else stated_bias
        logs = [log_pseudo_determinant(with_ones(one) if with_bias else one) for one in ends]
    return eq(found, halves * (logs[1] - logs[0]) / 2, scale=1 + floats(absolute(logs[0]) + absolute(logs[1])), noise=error)


def biases_do_not_matter(path: LinearPath, halves: int = 2) -> Relation:
    """The logarithms of the ends with ones against those without, which count `halves` / 2."""
    ratios = []
    for extended in (with_ones, np.asarray):
        before, after = (log_pseudo_determinant(extended(path.at(position))) for position in (0, 1))
        ratios.append(after - before)
    ends = [with_ones(path.at(position)) for position in (0, 1)]
    spread = sum(squared_norm(one) * squared_norm(pseudo_inverse(one)) for one in ends)
    return eq(ratios[0], halves * ratios[1] / 2, scale=floats(spread))


def ones_are_outside(path: LinearPath) -> Array:
    """Whether the constants are no combination of the rows."""
    return ~is_in_row_space(zeros_like_rows(path.start, 1) + 1, path.start)


def derivative_in_symbols() -> Relation:
    """The derivative of log |det A| along B is Tr[A^-1 B] for 2 x 2, and Tr[B A^-1 A^-T A^T] is the same."""
    import sympy as sp

    A, B = (sp.Matrix(2, 2, sp.symbols(f"{name}:4", real=True)) for name in "ab")
    along = sum((sp.log(A.det() ** 2).diff(a) / 2 * b for a, b in zip(A, B, strict=True)), sp.Integer(0))
    inverse = A.inv()
    return identically_zero(along - (inverse * B).trace(), (B * inverse * inverse.T * A.T).trace() - (inverse * B).trace())


def rank_that_changes() -> Relation:
    """From p = 2**-64 to 1 the cross term of diag(1, p) is 64 log 2, more than 44; the logarithms of the ends are 0 and 0."""
    inner_part = acb.integral(lambda p, _: 1 / p, arb(2) ** -64, 1).real
    ends = [log_pseudo_determinant(rationals([[[1, 0], [0, entry]]])) for entry in (0, 1)]
    return ge(np.array([inner_part], dtype=object), rationals([44])) & eq(ends[0], ends[1])


def depends_on_the_path() -> Relation:
    """With ReLUs and no bias: b first or c first. The integrand is linear in b, so that its middle gives the integral."""
    values = []
    for c in (1, 2):
        A, moved = rationals([[[1, "-3/2"], [c, 1]]]), rationals([[[0, -1], [0, 0]]])
        values.append(inner(moved @ pseudo_inverse(activation_kernel(A, bias=False)), A))
    # while c moves, the integrand is zero
    still = rationals([[[0, 0], [1, 0]]])
    for b in (1, 2):
        A = rationals([[[1, -b], ["3/2", 1]]])
        values.append(inner(still @ pseudo_inverse(activation_kernel(A, bias=False)), A))
    return eq(np.concatenate(values), rationals([4, "19/2", 0, 0]), over=1)


def _paths(points: Any) -> dict[str, Any]:
    return {
        "path": derived(
            linear_path,
            left=reals("width", "width"),
            right=reals("width", points),
            drop=integers(0, 1),
            first=interval(-1 / 8, 1 / 8, "width", "width"),
            second=interval(-1 / 8, 1 / 8, "width", "width"),
        )
    }


SIZES = {"width": range(1, 4), "points": range(1, 4)}
SOURCE = Source("leaky_resnets", "Section 1.3, footnote")
OURS = Source("leaky_resnets", "ours")

CLAIM = Claim(
    id="leaky_resnets.linear_cross_term",
    title="The cross term of a linear network depends on the ends of a path alone",
    source=SOURCE,
    statement=logarithm_of_the_ends,
    domain=Domain(_paths("points"), SIZES),
    false_neighbours={
        "half of it": partial(logarithm_of_the_ends, halves=1),
        "determinant of the flow": partial(logarithm_of_the_ends, flow=True),
        "logarithm with ones": partial(logarithm_of_the_ends, stated_bias=True),
    },
    exact={
        "derivative in symbols": derivative_in_symbols,
        "a rank that changes": rank_that_changes,
        "with ReLUs it depends on the path": depends_on_the_path,
    },
    cost=20,
)

WITH_BIAS = Claim(
    id="leaky_resnets.linear_cross_term.with_bias",
    title="The cross term of a linear network with bias",
    source=OURS,
    status=Ours(),
    statement=partial(logarithm_of_the_ends, bias=True),
    domain=Domain(_paths("points"), SIZES),
    false_neighbours={
        "half of it": partial(logarithm_of_the_ends, bias=True, halves=1),
        "logarithm without ones": partial(logarithm_of_the_ends, bias=True, stated_bias=False),
    },
    cost=20,
)

OUTSIDE = Claim(
    id="leaky_resnets.linear_cross_term.outside",
    title="Where constants are no combination of the rows, the bias does not matter",
    source=OURS,
    status=Ours(),
    statement=biases_do_not_matter,
    domain=Domain(_paths("points"), SIZES, {"the constants are outside": ones_are_outside}),
    needs=("the constants are outside",),
    false_neighbours={"half of it": partial(biases_do_not_matter, halves=1)},
)
