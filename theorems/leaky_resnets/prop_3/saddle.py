r"""The end of the path of Proposition 3 is a saddle.

Statement
    The end of the path, with a dead neuron, is a saddle. Strict local minima of wide layers are stable.
Checked
    *Saddle.* From a stationary point with a negative entry and a dead neuron, Proposition 2 leads down, and :math:`-\epsilon1`
    in place of the dead neuron leads up: it costs :math:`\epsilon^2 1^TK^+1 \ge \epsilon^2N^2/(1^TK1) > 0` more;
    also the bare :math:`\|A\sigma(A)^+\|_F^2` of an infinite cost grows by as much.

    *Width.* The parts of positive neurons and of negative neurons in the two matrices are independent, so that N(N+1) neurons,
    half of them positive and half negative, may all be needed.

    *Minima that are not stable.* Thirteen positive combinations of (1, 2, 1) and (1, 4, 2) are a local minimum of cost 2
    (nearby representations are positive, too, and of rank 2 without the constants, or of rank 3), and the neuron
    :math:`\frac1{10}(1, -\frac1{10}, 0)` more saves 1/1000.
Proof idea
    A constant negative neuron has no features. For the width: the second matrix does not see negative neurons.
Tight
    The identity, of whose kernel the constants are an eigenvector; the minimum itself.
Source
    leaky_resnets, Proposition 3 (Proposition 7 of the appendix); the examples are derived here.
"""

import numpy as np

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES, cost, is_finite, sigma
from theorems.leaky_resnets.constructions.wide_layers import independent_neurons, neuron_pairs
from theorems.leaky_resnets.prop_2.minima import UNSTABLE_MINIMUM
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, interval
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, ge, le, norm2, ones, pinv, rank, relu, stack


def norm_of_constants(A):
    r""":math:`1^TK^+1`."""
    return norm2(ones(1, A.shape[1]) @ pinv(sigma(A)))


def constant_neuron_costs(A, epsilon, sign=-1):
    N, least = A.shape[1], norm_of_constants(A)
    after = cost(concatenate([A, sign * epsilon * ones(1, N)]))
    return eq(after, cost(A) + epsilon**2 * least, name="cost") & ge(least * (sigma(A).T @ sigma(A)).sum(), N**2, name="price")


def constant_neuron_without_bias(A):
    """The kernel without bias in the bound."""
    return ge(norm_of_constants(A) * (relu(A).T @ relu(A)).sum(), A.shape[1] ** 2)


def neurons_are_independent(positive, negative, sign=-1):
    together = concatenate([positive, sign * negative])
    return eq(rank(neuron_pairs(together)), rank(neuron_pairs(positive)) + rank(neuron_pairs(negative)))


def gram_matrices_are_independent(positive, negative):
    """Without the second matrix of each pair."""
    half = positive.shape[1] * (positive.shape[1] + 1) // 2
    together, *apart = (rank(neuron_pairs(A)[:, :half]) for A in (concatenate([positive, -negative]), positive, -negative))
    return eq(together, apart[0] + apart[1])


WIDE_ROWS = tuple(tuple(a + k * b for a, b in zip(*UNSTABLE_MINIMUM, strict=True)) for k in range(1, 14))
"""13 positive combinations of the rows of a minimum that is not stable: for 3 points, as wide as the proposition asks."""


def wide_minimum(move, excess=0):
    return ge(cost(WIDE_ROWS + move), 2 + excess * norm2(move))


def wide_minimum_costs_all_features(move):
    """The rank of the features with their ones."""
    return ge(cost(WIDE_ROWS + move), rank(sigma(WIDE_ROWS + move)))


def widths_are_sharp():
    """With N (N + 1) neurons the pairs may be independent: for 1, 2 and 3 points."""
    return eq(stack([rank(neuron_pairs(rationals(independent_neurons(N)))) for N in (1, 2, 3)]), rationals([2, 6, 12]))


def wide_minimum_is_not_stable():
    """The neuron (1, -1/10, 0)/10 more saves a little over 1/1000."""
    A, neuron = rationals(WIDE_ROWS), rationals([["1/10", "-1/100", 0]])
    return eq(cost(A), 2) & le(cost(concatenate([A, neuron])), Q(1999, 1000))


OURS = Source("leaky_resnets", "derived here")

SADDLE = Claim(
    id="leaky_resnets.prop_3.saddle",
    title="A constant negative neuron in place of a dead one costs more",
    source=OURS,
    status=DerivedHere(),
    statement=constant_neuron_costs,
    domain=Domain(
        {"A": REPRESENTATION, "epsilon": interval(1 / 16, 2, role="step")}, SHAPES, {"the cost is finite": is_finite}
    ),
    tight={"identity": Tight(lambda: {"A": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "epsilon": 1}, of=("price",))},
    false_variants={"a positive one": {"sign": 1}, "kernel without bias": constant_neuron_without_bias},
    cost=4,
)

SHARP = Claim(
    id="leaky_resnets.prop_3.sharp",
    title="Positive and negative neurons are independent",
    source=OURS,
    status=DerivedHere(),
    statement=neurons_are_independent,
    domain=Domain(
        {"positive": interval(0, np.inf, "count", "points"), "negative": interval(0, np.inf, "count", "points")},
        {"points": range(1, 4), "count": range(1, 5)},
    ),
    false_variants={
        "two families of positive neurons": {"sign": 1},
        "without the kernel": gram_matrices_are_independent,
    },
    exact={"N (N + 1) neurons, all needed": widths_are_sharp},
)

WIDE_UNSTABLE = Claim(
    id="leaky_resnets.prop_3.wide_unstable",
    title="A wide layer has a minimum of the cost that is not stable",
    source=OURS,
    status=DerivedHere(),
    statement=wide_minimum,
    domain=Domain({"move": interval(-1 / 64, 1 / 64, 13, 3)}),
    tight={"not moved": lambda: {"move": np.zeros((13, 3), dtype=int)}},
    false_variants={"strict": {"excess": Q(1, 1000)}, "the rank of the features": wide_minimum_costs_all_features},
    exact={"not stable": wide_minimum_is_not_stable},
    cost=8,
)
