r"""Remark 23: N neurons are almost as good as the N^2/4 that the optimum needs.

For N even, the matrix :math:`Y_N` with the blocks :math:`\frac N2 I` and :math:`11^T` (`mantel_matrix`) has the representation
cost :math:`R(I_N, Y_N) = N^2` for shallow ReLU networks without bias. For all weights,

.. math:: 2\,\mathrm{Tr}[W_2\sigma(W_1)] \le \|W_2\|_F^2 + \|\sigma(W_1)\|_F^2 \le \|W\|^2 ,

and :math:`2\,\mathrm{Tr}\,Y_N = N^2`; the incidence matrix E of the complete bipartite graph attains it with N^2/4 neurons,
:math:`W_1 = E` and :math:`W_2 = E^T`. With N neurons, :math:`W_1 = \sqrt{N/2}\,I` and :math:`W_2 = \sqrt{2/N}\,Y_N` have the
norm :math:`N^2 + N`. All :math:`W_1 = tI`, :math:`W_2 = Y_N/t` have the norm :math:`t^2N + \|Y_N\|_F^2/t^2`, at least

.. math:: 2\sqrt N\,\|Y_N\|_F = N^2\sqrt{1 + 2/N} < N^2 + N ,

so that the choice of the remark is not the best of this form: that saves nearly 1/2 (between :math:`\frac12 - \frac1{2N}` and
1/2) of the excess N. (For N = 4 the edges are N neurons, too, with the norm 16.)

Source: feature_learning, Remark 23; the lower bound and the best t are ours.
"""

from __future__ import annotations

from functools import partial, reduce
from operator import and_

import numpy as np

from theorems.feature_learning.prop_13_cp_rank_of_graphs import edges_of, incidence_matrix, mantel_matrix
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, interval, le, reals
from verify.arithmetic import Array, is_exact, maximum, rationals, sqrt
from verify.matrices import frobenius_norm_squared


def in_arithmetic_of(values: Array, pattern: Array) -> Array:
    """Integers as rationals or floats."""
    return rationals(values) if is_exact(pattern) else np.asarray(values, dtype=np.float64)


def proportional_weights(t: Array, vertices: int) -> tuple[Array, Array]:
    """``(t I, Y_N / t)``: a network of N neurons with the outputs Y_N on the inputs I."""
    identity = in_arithmetic_of(np.eye(vertices, dtype=np.int64), t)
    scale = t[..., None, None]
    return scale * identity, in_arithmetic_of(mantel_matrix(vertices), t) / scale


def outputs_on_identity(first: Array, second: Array) -> Array:
    r""":math:`W_2\sigma(W_1)`: the outputs on X = I."""
    return np.asarray(second @ maximum(first, 0 * first))


def norm_of_proportional_weights(square: Array, vertices: int) -> Array:
    """The norm as a function of the square of t."""
    return np.asarray(square * vertices + in_arithmetic_of(np.sum(mantel_matrix(vertices) ** 2), square) / square)


def edges_network(vertices: int) -> tuple[Array, Array]:
    """The incidence matrix of the complete bipartite graph on halves, and its transpose, as rationals: N^2/4 neurons."""
    rows = incidence_matrix(rationals(edges_of(mantel_matrix(vertices)) > 0))
    rows = rows[[bool(row.any()) for row in rows]]
    return rows, rows.T


def scaled_identity(t: Array, half: int) -> Array:
    """``t I`` for N = 2 `half`."""
    return proportional_weights(t, 2 * half)[0]


def proportional_weights_cost(first: Array, ratio: int = 10_000, root: int = 2, outputs: bool = True) -> Relation:
    """Outputs and norm of ``first = t I`` and ``Y_N / t``, and the smallest such norm."""
    vertices, t = first.shape[-1], first[..., 0, 0]
    ours, second = proportional_weights(t, vertices)
    norm = frobenius_norm_squared(ours) + frobenius_norm_squared(second)
    square = 0 * t + vertices**2
    bound = sqrt(square * vertices * (vertices + root)) if root else square + vertices
    relation = ge(norm, bound * ratio / 10_000)
    if not outputs:
        return relation
    wanted = in_arithmetic_of(mantel_matrix(vertices), t)
    same = eq(outputs_on_identity(ours, second), wanted + 0 * first, over=2)
    return relation & same & eq(norm, norm_of_proportional_weights(t * t, vertices))


def trace_is_less(first: Array, second: Array, ratio: int = 10_000, incoming: int = 100) -> Relation:
    r""":math:`2\,\mathrm{Tr}[W_2\sigma(W_1)] \le \|W\|^2`, a lower bound for all networks with given outputs on I."""
    trace = outputs_on_identity(first, second).trace(axis1=-2, axis2=-1)
    norm = frobenius_norm_squared(first) * incoming / 100 + frobenius_norm_squared(second)
    return le(2 * trace * ratio / 10_000, norm, scale=norm)


def values_for_small_graphs() -> Relation:
    """For even N up to 10: N^2 + N, its excess over the best t, and outputs and norm N^2 of the edges."""
    parts = []
    for vertices in range(2, 11, 2):
        edges, matrix = edges_network(vertices), rationals(mantel_matrix(vertices))
        total = frobenius_norm_squared(edges[0]) + frobenius_norm_squared(edges[1])
        printed = norm_of_proportional_weights(rationals([vertices]) / 2, vertices)
        saved = printed - vertices**2 * sqrt(rationals([vertices + 2]) / vertices)
        counted = rationals([len(edges[0]), 2 * matrix.trace(), printed[0], total])
        wanted = rationals([vertices**2 // 4, vertices**2, vertices**2 + vertices, vertices**2])
        parts += [eq(outputs_on_identity(*edges), matrix, over=2), eq(counted, wanted, over=1)]
        parts += [le(saved, rationals(["1/2"])), ge(saved, (rationals([1]) - rationals([1]) / vertices) / 2)]
    return reduce(and_, parts)


def edges_attain_it() -> dict[str, Array]:
    """The network of the edges for N = 4."""
    first, second = edges_network(4)
    return {"first": first[None], "second": second[None]}


def best_scale() -> dict[str, Array]:
    """N = 6, with the square of t equal to sqrt(12)."""
    return {"first": scaled_identity(np.array([12.0**0.25]), 3)}


CLAIM = Claim(
    id="feature_learning.remark_23",
    title="N neurons are almost optimal for the complete bipartite graph",
    source=Source("feature_learning", "Remark 23"),
    statement=proportional_weights_cost,
    domain=Domain({"first": derived(scaled_identity, t=interval(0.5, 4))}, {"half": range(1, 6)}),
    tight={"the best scale": Tight(best_scale)},
    false_neighbours={
        "1.0001 times the norm": partial(proportional_weights_cost, ratio=10_001, outputs=False),
        "N^2 + N": partial(proportional_weights_cost, root=0, outputs=False),
        "N^2 sqrt(1 + 3/N)": partial(proportional_weights_cost, root=3, outputs=False),
    },
    exact={"N up to 10": values_for_small_graphs},
)

LOWER_BOUND = Claim(
    id="feature_learning.remark_23.representation_cost",
    title="Twice the trace of the outputs on I bounds the norm",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=trace_is_less,
    domain=Domain(
        {"first": reals("neurons", "points"), "second": reals("points", "neurons")},
        {"neurons": range(1, 5), "points": range(1, 5)},
    ),
    tight={"edges of the cycle of length 4": Tight(edges_attain_it)},
    false_neighbours={
        "0.01 percent more": partial(trace_is_less, ratio=10_001),
        "99 percent of the incoming weights": partial(trace_is_less, incoming=99),
    },
)
