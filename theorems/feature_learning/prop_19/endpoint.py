r"""Proposition 19: in the weights, only the ends of the segment show it.

Statement
    At :math:`W_1 = (\sqrt{1-\lambda}, -\epsilon)^T`, :math:`W_2 = (\sqrt{1-\lambda}, \epsilon)` the loss changes by
    :math:`\epsilon^2(\epsilon^2 + 2\lambda - 2)`.
Checked
    The change, and that it is a descent for :math:`\epsilon^2 \le 2 - 2\lambda`.
Tight
    :math:`\epsilon^2 = 2 - 2\lambda`, up to the rationals.
Source
    feature_learning, proof of Proposition 19.
"""

from theorems.feature_learning.constructions.segment import INPUTS, change_at_the_end, segment_value
from verify import Claim, Domain, Q, Source, Tight, integers, interval
from verify.numbers.symbolic import identically_zero
from verify.words import eq, le, relu


def end_descends(end, epsilon, divisor, side=-1, fourth_order=1):
    r"""For :math:`\lambda = 1 - end^2`; W_1 moves to the `side`."""
    before, after = change_at_the_end(end, epsilon, divisor, side)
    change = epsilon**2 * (fourth_order * epsilon**2 - 2 * end**2) / divisor
    return eq(after, before + change, name="change") & le(after, before, name="descent")


def end_in_symbols():
    """The change of the loss at the end of the segment, factorised."""
    import sympy as sp

    epsilon, c, N = sp.symbols("epsilon c N", positive=True)
    lam = (1 - c**2) / N
    outputs = [c * sp.Max(c * x, 0) + epsilon * sp.Max(-epsilon * x, 0) for x in INPUTS]
    after = sum((z - 1) ** 2 for z in outputs) / N + 2 * lam * (c**2 + epsilon**2)
    return identically_zero(after - segment_value(lam, N) - epsilon**2 * (epsilon**2 + 2 * N * lam - 2) / N)


def longest_step():
    """A rational just below sqrt(2) times the end."""
    return {"end": "1/2", "epsilon": Q("275807/195025") / 2, "divisor": 1}


ENDPOINT = Claim(
    id="feature_learning.prop_19.endpoint",
    title="The ends of the segment are not local minima",
    source=Source("feature_learning", "Proposition 19"),
    statement=end_descends,
    domain=Domain(
        {"end": interval(0, 1), "epsilon": interval(0, 2), "divisor": integers(1, 2)},
        # of a positive part, a proof is asked one question less than of an order
        hypotheses={"epsilon^2 <= 2 - 2 lam": lambda end, epsilon: relu(epsilon**2 - 2 * end**2) == 0},
    ),
    tight={"the longest step": Tight(longest_step, 1e-9, "the longest step is not rational")},
    false_variants={"W_1 moves to the other side": {"side": 1}, "of second order only": {"fourth_order": 0}},
    needs=("epsilon^2 <= 2 - 2 lam",),
    exact={"in symbols": end_in_symbols},
    proof="in symbols",
    argument="The change is decided for all positive numbers, and its sign is that of its second factor.",
)
