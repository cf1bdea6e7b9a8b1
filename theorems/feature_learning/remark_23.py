r"""Remark 23: N neurons are almost as good as N^2/4.

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
Tight
    The best t; the edges. (For N = 4 the edges are N neurons, too, with the norm 16.)
Source
    feature_learning, Remark 23; the lower bound and the best t are derived here.
"""

from functools import reduce
from operator import and_

import numpy as np

from theorems.feature_learning.constructions.graphs import edge_rows, mantel_matrix
from verify import Claim, DerivedHere, Domain, Source, derived, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import eq, eye, ge, le, norm2, relu, sqrt, trace


def norm_of(W_1):
    """That of W_1 = tI and W_2 = Y_N/t."""
    return norm2(W_1) + norm2(mantel_matrix(len(W_1)) / W_1[0, 0])


def proportional_weights_cost(W_1, excess=2):
    N, t, Y = len(W_1), W_1[0, 0], mantel_matrix(len(W_1))
    return (
        eq(Y / t @ relu(W_1), Y, name="outputs")
        & eq(norm_of(W_1), t**2 * N + norm2(Y) / t**2, name="norm")
        & ge(norm_of(W_1), sqrt(N**3 * (N + excess)), name="best scale")
    )


def choice_of_the_remark_is_best(W_1):
    N = len(W_1)
    return ge(norm_of(W_1), N**2 + N)


def trace_is_less(W_1, W_2):
    return le(2 * trace(W_2 @ relu(W_1)), norm2(W_1) + norm2(W_2))


def outgoing_weights_only(W_1, W_2):
    return le(trace(W_2 @ relu(W_1)), norm2(W_2))


def all_outputs(W_1, W_2):
    return le(2 * (W_2 @ relu(W_1)).sum(), norm2(W_1) + norm2(W_2))


def values_for_small_graphs():
    """For even N up to 10: N^2 + N, its excess over the best t, and outputs and norm N^2 of the edges."""
    parts = []
    for N in range(2, 11, 2):
        E, Y = edge_rows(N), rationals(mantel_matrix(N))
        printed = rationals(N) / 2 * N + norm2(Y) * 2 / N
        saved = printed - N**2 * sqrt(rationals(N + 2) / N)
        parts += [eq(E.T @ relu(E), Y), eq(len(E), N**2 // 4), eq(2 * trace(Y), N**2)]
        parts += [eq(printed, N**2 + N), eq(2 * norm2(E), N**2)]
        parts += [le(saved, rationals("1/2")), ge(saved, (1 - rationals(1) / N) / 2)]
    return reduce(and_, parts)


def edges_of_the_cycle():
    """The network of the edges for N = 4."""
    return {"W_1": edge_rows(4), "W_2": edge_rows(4).T}


CLAIM = Claim(
    id="feature_learning.remark_23",
    title="N neurons are almost optimal for the complete bipartite graph",
    source=Source("feature_learning", "Remark 23"),
    statement=proportional_weights_cost,
    domain=Domain({"W_1": derived(lambda t, half: t * eye(2 * half), t=interval(0.5, 4, role="free"))}, {"half": range(1, 6)}),
    tight={"the best scale": lambda: {"W_1": 12.0**0.25 * np.eye(6)}},
    false_variants={"N^2 + N": choice_of_the_remark_is_best, "N^2 sqrt(1 + 3/N)": {"excess": 3}},
    exact={"N up to 10": values_for_small_graphs},
)

LOWER_BOUND = Claim(
    id="feature_learning.remark_23.representation_cost",
    title="Twice the trace of the outputs on I bounds the norm",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=trace_is_less,
    domain=Domain(
        {"W_1": reals("neurons", "points"), "W_2": reals("points", "neurons")}, {"neurons": (1, 2, 4, 6), "points": (1, 3, 4)}
    ),
    tight={"edges of the cycle of length 4": edges_of_the_cycle},
    false_variants={"the outgoing weights only": outgoing_weights_only, "all outputs": all_outputs},
)
