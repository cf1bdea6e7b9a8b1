r"""The end of the path of Proposition 3 is a saddle, its width is sharp, and wide layers have minima that are not stable.

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
Sharp
    The identity, of whose kernel the constants are an eigenvector; the minimum itself.
Source
    leaky_resnets, Proposition 3 (Proposition 7 of the appendix); the examples are ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    bare_cost,
    cost_is_finite,
    fit,
    ones_like_row,
    scaled,
    with_rows,
)
from theorems.leaky_resnets.prop_2.minima import UNSTABLE_MINIMUM
from theorems.leaky_resnets.prop_3.path import independent_neurons, neuron_pairs
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, interval, le
from verify.arithmetic import Array, rationals
from verify.matrices import rank
from verify.networks.leaky_resnet import activation_kernel, feature_matrix, squared_norm


def constant_neuron_costs(A: Array, step: Array) -> Relation:
    """The cost with a constant neuron, which is not active, and what it costs at least."""
    ones, before = ones_like_row(A), bare_cost(A).squared_norm
    price = fit(ones, feature_matrix(A)).squared_norm
    after = bare_cost(with_rows(A, scaled(-ones, step))).squared_norm
    return eq(after, before + step**2 * price, name="cost") & ge(
        price * activation_kernel(A).sum(axis=(-2, -1)), A.shape[-1] ** 2, name="price"
    )


def neurons_are_independent(positive: Array, negative: Array) -> Relation:
    """Dimensions of the pairs of positive and negative neurons together, and of each."""
    together = rank(neuron_pairs(with_rows(positive, -negative)))
    return eq(together, rank(neuron_pairs(positive)) + rank(neuron_pairs(negative)))


WIDE_ROWS = tuple(tuple(a + k * b for a, b in zip(*UNSTABLE_MINIMUM, strict=True)) for k in range(1, 14))
"""13 positive combinations of the rows of a minimum that is not stable: for 3 points, as wide as the proposition asks."""


def wide_minimum(move: Array) -> Relation:
    """The cost near a wide representation of rank 2 without negative entries."""
    return ge(bare_cost(np.array(WIDE_ROWS) + move).squared_norm, 2)


# False variants


def positive_neuron_costs(A: Array, step: Array) -> Relation:
    """A positive constant neuron, which is active."""
    ones, before = ones_like_row(A), bare_cost(A).squared_norm
    after = bare_cost(with_rows(A, scaled(ones, step))).squared_norm
    return eq(after, before + step**2 * fit(ones, feature_matrix(A)).squared_norm)


def constant_neuron_without_bias(A: Array, step: Array) -> Relation:  # noqa: ARG001 (the parameters of the statement)
    """The kernel without bias in the bound."""
    price = fit(ones_like_row(A), feature_matrix(A)).squared_norm
    return ge(price * activation_kernel(A, bias=False).sum(axis=(-2, -1)), A.shape[-1] ** 2)


def positive_neurons_are_independent(positive: Array, negative: Array) -> Relation:
    """Two families of positive neurons."""
    together = rank(neuron_pairs(with_rows(positive, negative)))
    return eq(together, rank(neuron_pairs(positive)) + rank(neuron_pairs(negative)))


def gram_matrices_are_independent(positive: Array, negative: Array) -> Relation:
    """Without the second matrix of each pair."""
    parts = [neuron_pairs(one) for one in (with_rows(positive, -negative), positive, -negative)]
    together, *apart = (rank(one[..., : one.shape[-1] // 2]) for one in parts)
    return eq(together, apart[0] + apart[1])


def wide_minimum_is_strict(move: Array) -> Relation:
    """As if the cost grew with the distance, by a thousandth of its square."""
    return ge(bare_cost(np.array(WIDE_ROWS) + move).squared_norm, 2 + squared_norm(move) / 1000)


def wide_minimum_costs_all_features(move: Array) -> Relation:
    """The rank of the features with their ones."""
    A = np.array(WIDE_ROWS) + move
    return ge(bare_cost(A).squared_norm, rank(feature_matrix(A)))


def widths_are_sharp() -> Relation:
    """With N (N + 1) neurons the pairs may be independent: for 1, 2 and 3 points."""
    ranks = [rank(neuron_pairs(rationals(independent_neurons(points))))[()] for points in (1, 2, 3)]
    return eq(np.array(ranks), rationals([2, 6, 12]), over=1)


def wide_minimum_is_not_stable() -> Relation:
    """The neuron (1, -1/10, 0)/10 more saves a little over 1/1000."""
    A = rationals([WIDE_ROWS])
    costs = [bare_cost(one).squared_norm for one in (A, with_rows(A, rationals([[["1/10", "-1/100", 0]]])))]
    return eq(costs[0], rationals([2])) & le(costs[1], rationals(["1999/1000"]))


def identity() -> dict[str, Any]:
    """As many neurons as points, each active for one point."""
    return {"A": rationals(np.eye(3, dtype=int)[None]), "step": rationals([1])}


def not_moved() -> dict[str, Any]:
    """The minimum itself."""
    return {"move": rationals(np.zeros((1, 13, 3), dtype=int))}


OURS = Source("leaky_resnets", "ours")

SADDLE = Claim(
    id="leaky_resnets.prop_3.saddle",
    title="A constant negative neuron in place of a dead one costs more",
    source=OURS,
    status=Ours(),
    statement=constant_neuron_costs,
    domain=Domain(
        {"A": REPRESENTATION, "step": interval(1 / 16, 2, role="step")}, SHAPES, {"the cost is finite": cost_is_finite}
    ),
    tight={"identity": Tight(identity, of=("price",))},
    false_variants={"a positive one": positive_neuron_costs, "kernel without bias": constant_neuron_without_bias},
    cost=4,
)

SHARP = Claim(
    id="leaky_resnets.prop_3.sharp",
    title="Positive and negative neurons are independent",
    source=OURS,
    status=Ours(),
    statement=neurons_are_independent,
    domain=Domain(
        {"positive": interval(0, np.inf, "count", "points"), "negative": interval(0, np.inf, "count", "points")},
        {"points": range(1, 4), "count": range(1, 5)},
    ),
    false_variants={
        "two families of positive neurons": positive_neurons_are_independent,
        "without the kernel": gram_matrices_are_independent,
    },
    exact={"N (N + 1) neurons, all needed": widths_are_sharp},
)

WIDE_UNSTABLE = Claim(
    id="leaky_resnets.prop_3.wide_unstable",
    title="A wide layer has a minimum of the cost that is not stable",
    source=OURS,
    status=Ours(),
    statement=wide_minimum,
    domain=Domain({"move": interval(-1 / 64, 1 / 64, 13, 3)}),
    tight={"not moved": Tight(not_moved)},
    false_variants={"strict": wide_minimum_is_strict, "the rank of the features": wide_minimum_costs_all_features},
    exact={"not stable": wide_minimum_is_not_stable},
    cost=8,
)
