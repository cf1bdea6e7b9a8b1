r"""Open: no minimum of the cost of identity has a negative entry.

Statement
    Proposition 3 starts at a local minimum of :math:`\|A\|_K^2` with a negative entry. For one point and for two there is none
    (``prop_3.two_points``); for three points and more it is open. Conjecture, a little stronger than that there is none: if A
    has a finite cost and a negative entry, then one of these moves does not make the cost larger: a step along an entry, up or
    down; along the gradient, in the entries that are not zero; or towards zero.
Checked
    Steps of 1/1024 and, along the gradient, of 1/64 and 1/1024, for three points and four. Where a move makes the cost infinite
    it counts as a million. A counterexample is a candidate for a minimum of the kind that the proposition needs.
Proof idea
    None is known. Where no entry is zero, the cost is smooth, and a minimum is a critical point.
Source
    leaky_resnets, Proposition 3; the form with moves is derived here.
"""

import numpy as np

from theorems.leaky_resnets.constructions import representations
from theorems.leaky_resnets.constructions.representations import is_finite, sigma
from verify import Claim, Conjectured, Domain, Q, Source, reals
from verify.words import le, least, pinv, stack, where

STEP, LONGER = Q(1, 1024), Q(1, 64)
INFINITE = 10**6


def along_entries(A):
    """A with one entry larger or smaller by a step."""
    moved = []
    for place in np.ndindex(A.shape):
        unit = np.zeros(A.shape, dtype=int)
        unit[place] = 1
        moved += [A + STEP * unit, A - STEP * unit]
    return moved


def gradient(A):
    """Half the gradient of the cost, where no entry is zero; zero in the entries that are."""
    S = pinv(sigma(A))
    W = A @ S
    by_values = W @ S.T
    by_features = (W.T @ by_values)[: len(A)]
    return where(A == 0, 0, by_values - where(A > 0, by_features, 0))


def cost(A):
    """The cost of identity; a million where it is infinite."""
    return where(is_finite(A), representations.cost(A), INFINITE)


def some_move_does_not_cost(A):
    slope = gradient(A)
    moved = [*along_entries(A), A - STEP * slope, A - LONGER * slope, A - STEP * A]
    return le(least(stack([cost(one) for one in moved])), cost(A))


def shrinking_alone(A):
    """A step towards zero makes the cost smaller by a thousandth."""
    return le(cost(A - STEP * A), cost(A) * Q(999, 1000))


def gradient_saves_a_tenth(A):
    """A step of 1/64 along the gradient makes the cost smaller by a tenth."""
    return le(cost(A - LONGER * gradient(A)), cost(A) * Q(9, 10))


CLAIM = Claim(
    id="leaky_resnets.conjectures.negative_minimum",
    title="No minimum of the cost of identity has a negative entry",
    source=Source("leaky_resnets", "Proposition 3"),
    status=Conjectured(),
    statement=some_move_does_not_cost,
    domain=Domain(
        {"A": reals("width", "points", role="values")},
        {"width": range(2, 5), "points": (3, 4)},
        {"the cost is finite": is_finite, "an entry is negative": lambda A: (A < 0).any()},
    ),
    not_known_tight={"": "nobody knows a representation from which no move lowers the cost"},
    false_variants={"towards zero alone": shrinking_alone, "a tenth by the gradient": gradient_saves_a_tenth},
    cost=60,
)
