r"""Open: from every representation with a negative entry a small move makes the cost of identity smaller, or no larger.

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
    leaky_resnets, Proposition 3; the form with moves is ours.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.representations import bare_cost, cost_is_finite, transposed
from verify import Claim, Conjectured, Domain, Q, Relation, Source, le, reals
from verify.arithmetic import Array, compare, smallest
from verify.matrices import pseudo_inverse
from verify.networks.leaky_resnet import feature_matrix

STEP = Q("1/1024")
STEPS = (STEP, Q("1/64"))
INFINITE = 10**6


def along_entries(A: Array, step: Q = STEP) -> list[Array]:
    """A with one entry larger or smaller by a step."""
    moved = []
    for row, column in np.ndindex(*A.shape[-2:]):
        unit: Array = np.zeros(A.shape[-2:], dtype=np.int64)
        unit[row, column] = 1
        moved += [A + step * unit, A - step * unit]
    return moved


def gradient(A: Array) -> Array:
    """Half the gradient of the cost, where no entry is zero; zero in the entries that are."""
    inverse = pseudo_inverse(feature_matrix(A))
    weights = A @ inverse
    by_values = weights @ transposed(inverse)
    by_features = (transposed(weights) @ by_values)[..., : A.shape[-2], :]
    sign = compare(A, 0)
    return np.asarray(np.where(sign == 0, 0 * A, by_values - np.where(sign > 0, by_features, 0 * A)))


def cost(A: Array) -> Array:
    """The cost of identity; a million where it is infinite."""
    found = bare_cost(A).squared_norm
    return np.asarray(np.where(cost_is_finite(A), found, 0 * found + INFINITE))


def some_move_does_not_cost(A: Array) -> Relation:
    """The smallest cost after one of the moves, and the cost before."""
    slope = gradient(A)
    moved = [*along_entries(A), *(A - step * slope for step in STEPS), A - STEP * A]
    return le(smallest(np.stack([cost(one) for one in moved], axis=-1)), cost(A))


def has_a_negative_entry(A: Array) -> npt.NDArray[np.bool_]:
    """Whether an entry is negative."""
    return np.asarray((compare(A, 0) < 0).any(axis=(-2, -1)))


# False variants


def shrinking_alone(A: Array) -> Relation:
    """A step towards zero makes the cost smaller by a thousandth."""
    return le(cost(A - STEP * A), cost(A) * Q("999/1000"))


def gradient_saves_a_tenth(A: Array) -> Relation:
    """A step of 1/64 along the gradient makes the cost smaller by a tenth."""
    return le(cost(A - Q("1/64") * gradient(A)), cost(A) * Q("9/10"))


CLAIM = Claim(
    id="leaky_resnets.conjectures.negative_minimum",
    title="A representation with a negative entry is no minimum of the cost of identity",
    source=Source("leaky_resnets", "Proposition 3"),
    status=Conjectured(),
    statement=some_move_does_not_cost,
    domain=Domain(
        {"A": reals("width", "points", role="values")},
        {"width": range(2, 5), "points": (3, 4)},
        {"the cost is finite": cost_is_finite, "an entry is negative": has_a_negative_entry},
    ),
    loose={"": "nobody knows a representation from which no move lowers the cost"},
    false_variants={"towards zero alone": shrinking_alone, "a tenth by the gradient": gradient_saves_a_tenth},
    cost=60,
)
