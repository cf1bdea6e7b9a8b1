r"""Proposition 2 as printed: infinite costs give stable minima.

Statement
    All stable local minima of the cost of identity are non-negative.
Correction
    As printed, with the convention that the cost is infinite where no weights keep A, a point around which it is infinite is a
    local minimum in the words of the proposition. With minima of finite cost it is true (``descent``): only the value
    :math:`+\infty` is at stake.
Checked
    If all activations are negative, the features with one more neuron lack at least rank (A; 1) - 2 dimensions to give A. From
    rank (A; 1) = 3 on the cost of (A; z) is infinite for every z, and this stays so nearby: A is a stable minimum, and
    negative. The printed statement is refuted on such A, and on the finite minima of ``minima``, of which none is negative.
Tight
    Two negative neurons, one of which the new one gives up to a constant.
Source
    leaky_resnets, Proposition 2; the examples are derived here.
"""

import numpy as np

from theorems.leaky_resnets.constructions.representations import inverse_kernel, sigma
from theorems.leaky_resnets.prop_2.minima import features_are_complete, off_diagonal
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source, derived, integers, interval, reals
from verify.words import concatenate, ge, least, ones, positive, rank, where, zeros


def missing_beside_neuron(A, z, less=2):
    """The dimensions that the features of (A; z) lack to give A; all of A is negative."""
    whole = concatenate([A, z[None, :]])
    F = sigma(whole)
    return ge(rank(concatenate([F, whole])) - rank(F), rank(with_constants(A)) - less)


def with_constants(A):
    return concatenate([A, ones(1, A.shape[1])])


def smallest_entry_is_not_negative(A):
    return ge(least(A), 0)


def is_stable_minimum(A):
    """Whether one of two conditions shows that A is a stable local minimum, of infinite cost or of finite cost."""
    infinite = positive(-A) & (rank(with_constants(A)) >= 3)
    P = inverse_kernel(concatenate([A, zeros(1, A.shape[1])]))
    return infinite | (positive(A) & features_are_complete(A) & (off_diagonal(P) < 0).all())


def signed(magnitudes, sign):
    """A matrix with the given absolute values, negative where `sign` is 0."""
    return where(sign == 0, -magnitudes, magnitudes)


NEGATIVE = "activations are negative"

INFINITE = Claim(
    id="leaky_resnets.prop_2.infinite",
    title="Where no new neuron makes the cost of identity finite",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=missing_beside_neuron,
    domain=Domain(
        {
            "A": derived(signed, magnitudes=interval(0, np.inf, "width", "points"), sign=integers(0, 1), role="values"),
            "z": reals("points", role="values of a neuron"),
        },
        {"width": range(1, 4), "points": range(2, 6)},
        {NEGATIVE: lambda A: positive(-A)},
    ),
    needs=(NEGATIVE,),
    # the new neuron is, up to a constant, one of the two
    tight={"one neuron helps": {"A": [[-1, -1, -2], [-1, -2, -1]], "z": [1, 1, 0]}},
    false_variants={"the new neuron is no use": {"less": 1}},
)

PRINTED = Claim(
    id="leaky_resnets.prop_2.printed",
    title="Stable minima are not negative, also where the cost is infinite",
    source=Source("leaky_resnets", "Proposition 2"),
    status=FalseAsPrinted(corrected_by="leaky_resnets.prop_2"),
    statement=smallest_entry_is_not_negative,
    domain=Domain(
        {
            "A": derived(
                signed,
                magnitudes=interval(0, np.inf, "width", lambda sizes: sizes["width"] + 1),
                sign=integers(0, 1),
                role="values",
            )
        },
        {"width": range(2, 4)},
        {"a stable local minimum": is_stable_minimum},
    ),
    false_variants={},
)
