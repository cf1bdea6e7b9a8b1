r"""The end of the path of Proposition 3 is a saddle, its width is sharp, and wide layers have minima that are not stable.

*Saddle* (``.saddle``). From a stationary point with a negative entry and a dead neuron, Proposition 2 leads down, and
:math:`-\epsilon1` in place of the dead neuron leads up: it costs :math:`\epsilon^2 1^TP1 \ge \epsilon^2N^2/(1^TK1) > 0` more.

*Width* (``.sharp``). The parts of positive neurons and of negative neurons in the two matrices are independent, so that N(N+1)
neurons, half of them positive and half negative, may all be needed.

*Minima that are not stable* (``.wide_unstable``). The text says that strict local minima of wide layers are stable: true and
empty, as only A = 0 is strict (``prop_2.not_strict``). Thirteen positive combinations of (1, 2, 1) and (1, 4, 2) are a local
minimum of cost 2 (nearby representations are positive, too, and of rank 2 without the constants, or of rank 3), and the neuron
:math:`\frac1{10}(1, -\frac1{10}, 0)` more saves 1/1000.

Source: leaky_resnets, Proposition 3 (Proposition 7 of the appendix).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    bare_cost,
    cost_is_finite,
    fit,
    numbers_like,
    transposed,
    with_rows,
    zeros_like_rows,
)
from theorems.leaky_resnets.prop_2.minima import UNSTABLE_MINIMUM
from theorems.leaky_resnets.prop_3 import neuron_pairs
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, interval, le
from verify.arithmetic import Array, floats, rationals
from verify.matrices import rank
from verify.networks.leaky_resnet import activation_kernel, feature_matrix


def constant_neuron_costs(A: Array, step: Array, percent: int = 100, sign: int = -1) -> Relation:
    """The cost with a constant neuron, which is not active, and what it costs at least."""
    ones, before = zeros_like_rows(A, 1) + 1, bare_cost(A)
    constants = fit(ones, feature_matrix(A))
    after = bare_cost(with_rows(A, sign * step[..., None, None] * ones))
    extra, noise = step**2 * constants.squared_norm, constants.noise + before.noise + after.noise
    total = ((activation_kernel(A) @ transposed(ones))[..., 0]).sum(axis=-1)
    return eq(after.squared_norm, before.squared_norm + extra, scale=before.squared_norm + 1, noise=noise) & ge(
        constants.squared_norm * total, numbers_like(A, np.array(percent * A.shape[-1] ** 2)) / 100, noise=floats(total) * noise
    )


def independent_neurons(positive: Array, negative: Array, more: int = 0) -> Relation:
    """Dimensions of the pairs of positive and negative neurons together, and of each."""
    together = rank(neuron_pairs(with_rows(positive, -negative)))
    apart = rank(neuron_pairs(positive)) + rank(neuron_pairs(negative))
    return eq(numbers_like(positive, together), numbers_like(positive, apart - more))


def sharp_width(points: int) -> Array:
    """A representation with N (N + 1) neurons whose pairs are independent: half of them positive, half negative."""
    units = np.eye(points, dtype=np.int64)
    sums = [units[i] + units[j] for i in range(points) for j in range(i + 1)]
    return rationals(np.array([*sums, *(-one for one in sums)]))


def widths_are_sharp() -> Relation:
    """With N (N + 1) neurons the pairs may be independent: for 1, 2 and 3 points."""
    ranks = [int(rank(neuron_pairs(sharp_width(points)))) for points in (1, 2, 3)]
    return eq(rationals(ranks), rationals([2, 6, 12]), over=1)


WIDE_ROWS = np.array([[1, k] for k in range(1, 14)]) @ np.array(UNSTABLE_MINIMUM)
"""13 positive combinations of the rows of a minimum that is not stable: for 3 points, as wide as the proposition asks."""


def wide_minimum(move: Array, percent: int = 100, rank_cost: int = 2) -> Relation:
    """The cost near a wide representation of rank 2 without negative entries."""
    found = bare_cost(numbers_like(move, WIDE_ROWS) + move)
    least = numbers_like(move, np.array(percent * rank_cost)) / 100
    return ge(found.squared_norm, least, noise=found.noise)


def wide_minimum_is_not_stable() -> Relation:
    """The neuron (1, -1/10, 0)/10 more saves a little over 1/1000."""
    A = rationals([WIDE_ROWS])
    costs = [bare_cost(one).squared_norm for one in (A, with_rows(A, rationals([[["1/10", "-1/100", 0]]])))]
    return eq(costs[0], rationals([2])) & le(costs[1], rationals(["1999/1000"]))


def one_point() -> dict[str, Any]:
    """One point at which all neurons are dead: the constant neuron costs as little as it can."""
    return {"A": rationals([[[-2], [0]]]), "step": rationals([1])}


def not_moved() -> dict[str, Any]:
    """The minimum itself."""
    return {"move": rationals([0 * WIDE_ROWS])}


OURS = Source("leaky_resnets", "ours")

SADDLE = Claim(
    id="leaky_resnets.prop_3.saddle",
    title="A constant negative neuron in place of a dead one costs more",
    source=OURS,
    status=Ours(),
    statement=constant_neuron_costs,
    domain=Domain({"A": REPRESENTATION, "step": interval(1 / 16, 2)}, SHAPES, {"the cost is finite": cost_is_finite}),
    tight={"one point": Tight(one_point)},
    false_neighbours={
        "1 % more": partial(constant_neuron_costs, percent=101),
        "a positive one": partial(constant_neuron_costs, sign=1),
    },
    cost=4,
)

SHARP = Claim(
    id="leaky_resnets.prop_3.sharp",
    title="Positive and negative neurons are independent",
    source=OURS,
    status=Ours(),
    statement=independent_neurons,
    domain=Domain(
        {"positive": interval(0, np.inf, "count", "points"), "negative": interval(0, np.inf, "count", "points")},
        {"points": range(1, 4), "count": range(1, 5)},
    ),
    false_neighbours={
        "one dimension less": partial(independent_neurons, more=1),
        "two dimensions less": partial(independent_neurons, more=2),
    },
    exact={"N (N + 1) neurons, all needed": widths_are_sharp},
)

WIDE_UNSTABLE = Claim(
    id="leaky_resnets.prop_3.wide_unstable",
    title="A wide layer has a minimum of the cost that is not stable",
    source=OURS,
    status=Ours(),
    statement=wide_minimum,
    domain=Domain({"move": interval(-1 / 64, 1 / 64, *WIDE_ROWS.shape)}),
    tight={"not moved": Tight(not_moved)},
    false_neighbours={
        "1 % more": partial(wide_minimum, percent=101),
        "cost 3": partial(wide_minimum, rank_cost=3),
    },
    exact={"not stable": wide_minimum_is_not_stable},
    cost=8,
)
