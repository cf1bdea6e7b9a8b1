r"""Remark 23: N neurons are almost as good as the N^2/4 that the optimum needs.

Statement
    For N even, :math:`Y_N` has the representation cost :math:`R(I_N, Y_N) = N^2` for shallow ReLU networks without bias. With N
    neurons, :math:`W_1 = \sqrt{N/2}\,I` and :math:`W_2 = \sqrt{2/N}\,Y_N` have the norm :math:`N^2 + N`.
Checked
    All :math:`W_1 = tI`, :math:`W_2 = Y_N/t` have the outputs :math:`Y_N` and the norm :math:`t^2N + \|Y_N\|_F^2/t^2`, at least

    .. math:: 2\sqrt N\,\|Y_N\|_F = N^2\sqrt{1 + 2/N} < N^2 + N ,

    so that the choice of the remark is not the best of this form: that saves nearly 1/2 (between
    :math:`\frac12 - \frac1{2N}` and 1/2) of the excess N. For all weights,

    .. math:: 2\,\mathrm{Tr}[W_2\sigma(W_1)] \le \|W_2\|_F^2 + \|\sigma(W_1)\|_F^2 \le \|W\|^2 ,

    and :math:`2\,\mathrm{Tr}\,Y_N = N^2`; the incidence matrix E of the complete bipartite graph attains it with N^2/4 neurons,
    :math:`W_1 = E` and :math:`W_2 = E^T`.
Proof idea
    The inequality of the means, twice.
Sharp
    The best t; the edges. (For N = 4 the edges are N neurons, too, with the norm 16.)
Source
    feature_learning, Remark 23; the lower bound and the best t are ours.
"""

from __future__ import annotations

from functools import reduce
from operator import and_

import numpy as np

from theorems.feature_learning.constructions.graphs import edge_rows, mantel_matrix
from theorems.feature_learning.constructions.layers import trace
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, interval, le, reals
from verify.arithmetic import Array, maximum, rationals, sqrt
from verify.cones.support_graphs import like
from verify.matrices import frobenius_norm_squared


def proportional_weights(t: Array, vertices: int) -> tuple[Array, Array]:
    """``(t I, Y_N / t)``: a network of N neurons with the outputs Y_N on the inputs I."""
    scale = t[..., None, None]
    return scale * like(np.eye(vertices, dtype=np.int64), t), like(mantel_matrix(vertices), t) / scale


def outputs_on_identity(first: Array, second: Array) -> Array:
    r""":math:`W_2\sigma(W_1)`: the outputs on X = I."""
    return np.asarray(second @ maximum(first, 0 * first))


def norm_of_proportional_weights(square: Array, vertices: int) -> Array:
    """The norm as a function of the square of t."""
    return np.asarray(square * vertices + like(np.sum(mantel_matrix(vertices) ** 2), square) / square)


def scaled_identity(t: Array, half: int) -> Array:
    """``t I`` for N = 2 `half`."""
    return proportional_weights(t, 2 * half)[0]


def norm_of(first: Array) -> Array:
    """The norm of ``first = t I`` and ``Y_N / t``."""
    ours, second = proportional_weights(first[..., 0, 0], first.shape[-1])
    return frobenius_norm_squared(ours) + frobenius_norm_squared(second)


def proportional_weights_cost(first: Array) -> Relation:
    """Outputs and norm of ``first = t I`` and ``Y_N / t``, and the smallest such norm, :math:`N^2 sqrt(1 + 2/N)`."""
    vertices, t = first.shape[-1], first[..., 0, 0]
    ours, second = proportional_weights(t, vertices)
    bound = sqrt(0 * t + vertices**3 * (vertices + 2))
    return (
        eq(outputs_on_identity(ours, second), like(mantel_matrix(vertices), t) + 0 * first, name="outputs", over=2)
        & eq(norm_of(first), norm_of_proportional_weights(t * t, vertices), name="norm")
        & ge(norm_of(first), bound, name="best scale")
    )


def trace_is_less(first: Array, second: Array) -> Relation:
    r""":math:`2\,\mathrm{Tr}[W_2\sigma(W_1)] \le \|W\|^2`, a lower bound for all networks with given outputs on I."""
    norm = frobenius_norm_squared(first) + frobenius_norm_squared(second)
    return le(2 * trace(outputs_on_identity(first, second)), norm)


# False variants


def choice_of_the_remark_is_best(first: Array) -> Relation:
    """The norm is at least N^2 + N."""
    vertices = first.shape[-1]
    return ge(norm_of(first), 0 * first[..., 0, 0] + vertices**2 + vertices)


def outgoing_weights_are_all(first: Array, second: Array) -> Relation:
    """Twice the trace is at most twice the norm of the outgoing weights."""
    return le(trace(outputs_on_identity(first, second)), frobenius_norm_squared(second))


def sum_of_all_outputs(first: Array, second: Array) -> Relation:
    """All outputs count, in place of those on the diagonal."""
    norm = frobenius_norm_squared(first) + frobenius_norm_squared(second)
    return le(2 * outputs_on_identity(first, second).sum(axis=(-2, -1)), norm)


def other_root(first: Array) -> Relation:
    """The norm is at least :math:`N^2 sqrt(1 + 3/N)`."""
    vertices = first.shape[-1]
    return ge(norm_of(first), sqrt(0 * first[..., 0, 0] + vertices**3 * (vertices + 3)))


# Exact parts and sharp instances


def values_for_small_graphs() -> Relation:
    """For even N up to 10: N^2 + N, its excess over the best t, and outputs and norm N^2 of the edges."""
    parts = []
    for vertices in range(2, 11, 2):
        edges, matrix = edge_rows(vertices), rationals(mantel_matrix(vertices))
        printed = norm_of_proportional_weights(rationals([vertices]) / 2, vertices)
        saved = printed - vertices**2 * sqrt(rationals([vertices + 2]) / vertices)
        counted = rationals([len(edges), 2 * matrix.trace(), printed[0], 2 * frobenius_norm_squared(edges)])
        wanted = rationals([vertices**2 // 4, vertices**2, vertices**2 + vertices, vertices**2])
        parts += [eq(outputs_on_identity(edges, edges.T), matrix, over=2), eq(counted, wanted, over=1)]
        parts += [le(saved, rationals(["1/2"])), ge(saved, (rationals([1]) - rationals([1]) / vertices) / 2)]
    return reduce(and_, parts)


def edges_attain_it() -> dict[str, Array]:
    """The network of the edges for N = 4."""
    rows = edge_rows(4)
    return {"first": rows[None], "second": rows.T[None]}


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
    false_neighbours={"N^2 + N": choice_of_the_remark_is_best, "N^2 sqrt(1 + 3/N)": other_root},
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
        {"neurons": (1, 2, 4, 6), "points": (1, 3, 4)},
    ),
    tight={"edges of the cycle of length 4": Tight(edges_attain_it)},
    false_neighbours={"the outgoing weights only": outgoing_weights_are_all, "all outputs": sum_of_all_outputs},
)
