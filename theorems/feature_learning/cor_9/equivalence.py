r"""Corollary 9 in a family of examples: width 1 is on the plateau if and only if the global minimiser has rank 1.

Statement
    A width n is on the plateau if and only if there is a global minimiser of which no hidden pair has a rank above n.
Checked
    ReLU networks of widths (1, n, 1) without bias on X = (1, -1), Y = (1, y), :math:`|y| \le 1`, with the ridge
    :math:`\lambda < 1`. The smallest loss of width 1 is :math:`1 - (1 - \lambda)^2 + y^2`, that of any width is less by
    :math:`(|y| - \lambda)_+^2`; and the minimiser, which has a neuron for each point with a positive output, has rank 1 if and
    only if both are equal. For that the rank of its pair is found from the pair.
Proof idea
    A neuron sees one data point, and each output is a soft threshold.
Sharp
    The best single neuron, and the best pair of neurons.
Source
    feature_learning, Corollary 9; the family is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.ranks import rank_of_layer
from theorems.feature_learning.constructions.segment import INPUTS, regularised_loss, segment_value
from verify import Claim, Domain, Relation, Source, Tight, derived, eq, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, maximum, rationals
from verify.cones.support_graphs import like

Problem = tuple[Array, Array, Array]
"""The roots c and d of the minimiser, whose neurons have the weights c and -d, and y."""


def drawn_problem(c: Array, d: Array, small: Array, share: Array) -> Problem:
    r""":math:`\lambda = 1 - c^2`, and :math:`|y| = \lambda + d^2`; or for `small` y, d = 0 and :math:`y = share\,\lambda`."""
    lam, tip = 1 - c**2, np.where(compare(small, 1) == 0, 0 * d, d)
    sign = np.where(compare(share, 0) < 0, 0 * share - 1, 0 * share + 1)
    return c, tip, np.where(compare(small, 1) == 0, share * lam, sign * (lam + tip**2))


def losses(problem: Problem) -> tuple[Array, Array]:
    """The smallest loss of width 1, and of any width."""
    c, _, y = problem
    lam = 1 - c**2
    excess = absolute(y) - lam
    single = segment_value(lam, 1, y)
    return single, single - maximum(excess, 0 * excess) ** 2


def rank_of_minimiser(problem: Problem) -> Array:
    """The rank of the pair of the neurons c(1, -1) and d(-1, 1)."""
    c, d, _ = problem
    rows = np.stack([c, -d], axis=-1)[..., None] * np.array(INPUTS)
    slopes = like(np.array([1, 0]), c) + 0 * c[..., None]
    return like(rank_of_layer(rows, slopes), c)


def width_one_is_on_the_plateau(problem: Problem) -> Array:
    """1 where the smallest loss of width 1 is that of any width, else 0."""
    single, smallest = losses(problem)
    return like(compare(single, smallest) == 0, problem[0])


def minimiser_loss(problem: Problem) -> Array:
    """The loss of the minimiser."""
    c, d, y = problem
    sign = np.where(compare(y, 0) < 0, 0 * y - 1, 0 * y + 1)
    one = 1 + 0 * c
    return regularised_loss(np.stack([c, -d], axis=-1), np.stack([c, sign * d], axis=-1), 1 - c**2, one, y)


def rank_decides_the_plateau(problem: Problem, weight: Array, outgoing: Array, incoming: Array, wide: Array) -> Relation:
    """Losses of a single neuron and of any network, and whether width 1 is on the plateau."""
    c, _, y = problem
    single, smallest = losses(problem)
    lam, one = 1 - c**2, 1 + 0 * c
    of_one = regularised_loss(weight[..., None], outgoing[..., None], lam, one, y)
    return (
        le(single, of_one, name="width 1")
        & le(smallest, regularised_loss(incoming, wide, lam, one, y), name="any width")
        & eq(minimiser_loss(problem), smallest, name="minimiser")
        & eq(width_one_is_on_the_plateau(problem), 2 - rank_of_minimiser(problem), name="equivalence")
    )


# False variants


def always_on_the_plateau(problem: Problem, weight: Array, outgoing: Array, incoming: Array, wide: Array) -> Relation:
    """One neuron is enough for every y."""
    del weight, outgoing, incoming, wide
    return eq(width_one_is_on_the_plateau(problem), 0 * problem[0] + 1)


def never_on_the_plateau(problem: Problem, weight: Array, outgoing: Array, incoming: Array, wide: Array) -> Relation:
    """Two points need two neurons."""
    del weight, outgoing, incoming, wide
    return eq(width_one_is_on_the_plateau(problem), 0 * problem[0])


def instance(c: str, d: str, y: str, weights: list[str], outgoing: list[str]) -> dict[str, Any]:
    """A problem, a single neuron with both weights c, and a network."""
    problem = (rationals([c]), rationals([d]), rationals([y]))
    single = {"weight": rationals([c]), "outgoing": rationals([c])}
    return {"problem": problem, **single, "incoming": rationals([weights]), "wide": rationals([outgoing])}


EQUIVALENCE = Claim(
    id="feature_learning.cor_9.equivalence",
    title="A width is on the plateau if and only if a global minimiser has its rank",
    source=Source("feature_learning", "Corollary 9"),
    statement=rank_decides_the_plateau,
    domain=Domain(
        {
            "problem": derived(
                drawn_problem, c=interval(0.25, 1), d=interval(0, 1), small=integers(0, 1), share=interval(-1, 1)
            ),
            "weight": reals(),
            "outgoing": reals(),
            "incoming": reals("width"),
            "wide": reals("width"),
        },
        {"width": (2, 3, 4)},
        {"|y| is at most 1": lambda problem: compare(absolute(problem[2]), 1) <= 0},
    ),
    needs=("|y| is at most 1",),
    tight={
        "rank 2": Tight(partial(instance, "4/5", "1/2", "61/100", ["4/5", "-1/2"], ["4/5", "1/2"])),
        "rank 1": Tight(partial(instance, "4/5", "0", "1/5", ["4/5", "0"], ["4/5", "0"])),
    },
    false_neighbours={"always": always_on_the_plateau, "never": never_on_the_plateau},
    cost=4,
)
