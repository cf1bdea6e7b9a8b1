r"""Proposition 19: in the weights, only the ends of the segment show that it is spurious.

Statement
    At :math:`W_1 = (\sqrt{1-\lambda}, -\epsilon)^T`, :math:`W_2 = (\sqrt{1-\lambda}, \epsilon)` the loss changes by
    :math:`\epsilon^2(\epsilon^2 + 2\lambda - 2)`.
Checked
    The change, and that it is a descent for :math:`\epsilon^2 \le 2 - 2\lambda`.
Sharp
    :math:`\epsilon^2 = 2 - 2\lambda`, up to the rationals.
Source
    feature_learning, proof of Proposition 19.
"""

from __future__ import annotations

from theorems.feature_learning.constructions.segment import (
    INPUTS,
    change_at_the_end,
    end_of_segment,
    regularised_loss,
    segment_value,
)
from verify import Claim, Domain, Relation, Source, Tight, eq, integers, interval, le
from verify.arithmetic import Array, rationals
from verify.symbolic import identically_zero


def end_descends(end: Array, epsilon: Array, divisor: Array) -> Relation:
    r"""The change of the loss at the end of the segment for :math:`\lambda = 1 - end^2`, and its sign."""
    before, after = change_at_the_end(end, epsilon, divisor)
    change = epsilon**2 * (epsilon**2 - 2 * end**2) / divisor
    return eq(after, before + change, name="change") & le(after, before, name="descent")


# False variants


def to_the_same_side(end: Array, epsilon: Array, divisor: Array) -> Relation:
    """Both weights of the new neuron are epsilon, so that it sees the first point."""
    lam, (edge, tip) = (1 - end**2) / divisor, end_of_segment(end, epsilon)
    before = regularised_loss(edge, edge, lam, divisor)
    return le(regularised_loss(edge + tip, edge + tip, lam, divisor), before)


def change_of_second_order(end: Array, epsilon: Array, divisor: Array) -> Relation:
    """The change without its part of fourth order."""
    before, after = change_at_the_end(end, epsilon, divisor)
    return eq(after, before - 2 * epsilon**2 * end**2 / divisor)


def end_in_symbols() -> Relation:
    """The change of the loss at the end of the segment, factorised."""
    import sympy as sp

    epsilon, c, N = sp.symbols("epsilon c N", positive=True)
    lam = (1 - c**2) / N
    outputs = [c * sp.Max(c * x, 0) + epsilon * sp.Max(-epsilon * x, 0) for x in INPUTS]
    after = sum((z - 1) ** 2 for z in outputs) / N + 2 * lam * (c**2 + epsilon**2)
    return identically_zero(after - segment_value(lam, N) - epsilon**2 * (epsilon**2 + 2 * N * lam - 2) / N)


def longest_step() -> dict[str, Array]:
    """A rational just below sqrt(2) times the end."""
    return {"end": rationals("1/2"), "epsilon": rationals("275807/195025") / 2, "divisor": rationals(1)}


ENDPOINT = Claim(
    id="feature_learning.prop_19.endpoint",
    title="The ends of the segment are not local minima",
    source=Source("feature_learning", "Proposition 19"),
    statement=end_descends,
    domain=Domain(
        {"end": interval(0, 1), "epsilon": interval(0, 2), "divisor": integers(1, 2)},
        hypotheses={"epsilon^2 <= 2 - 2 lam": lambda end, epsilon: epsilon**2 <= 2 * end**2},
    ),
    tight={"the longest step": Tight(longest_step, 1e-9, "the longest step is not rational")},
    false_variants={"W_1 moves to the other side": to_the_same_side, "of second order only": change_of_second_order},
    needs=("epsilon^2 <= 2 - 2 lam",),
    exact={"in symbols": end_in_symbols},
    proof="in symbols",
    argument="The change is decided for all positive numbers, and its sign is that of its second factor.",
)
