r"""The map from a start to the losses of a gradient descent has bottleneck rank two: it factors through two statistics.

Statement
    A network learns :math:`v_0 \mapsto (C(v_1), \ldots, C(v_T))` for gradient descent on :math:`C(v) = \|vv^T - ww^T\|_F^2`
    through the summary statistics :math:`p = (w^Tv_0)^2` and :math:`q = \|(I - ww^T)v_0\|^2`: the map has rank min(2, T).
Checked
    For up to three steps, each of its own size, and every start: the losses are those of the recursion of p and q, and the
    Jacobian of the map has at most rank min(2, T). Where :math:`v_0` is neither along w nor across it, the rank is that of the
    losses as a function of p and q, and the Jacobian obeys the chain rule. The rank min(2, T) is attained for T = 1, 2, 3, 5.
Proof idea
    A step closes in p and q (``summary_statistics.descent``); the gradients of p and q are independent off both sets.
Sharp
    A start in space, with one step, two and three.
Not checked
    That the map is the limit of piecewise linear ones with costs that stay bounded.
Source
    bottleneck_structure, Section 5, and symmetry_learning, Summary statistics.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.symmetry_learning.constructions.hidden_direction import (
    PLANE,
    gradient,
    inner,
    loss,
    no_noise,
    statistics,
    unit_vector,
)
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, integers, interval, le
from verify.arithmetic import Array, compare, is_exact, rationals
from verify.matrices import rank


def outer(left: Array, right: Array) -> Array:
    """Outer products of vectors."""
    return np.asarray(left[..., :, None] * right[..., None, :])


def descend(v: Array, w: Array, rates: Array) -> tuple[Array, Array]:
    """The losses after each step, and their Jacobian in the start, shapes ``(..., T)`` and ``(..., T, d)``."""
    one = np.eye(v.shape[-1], dtype=np.int64)
    moved, losses, rows = no_noise(v) + one, [], []
    for step in range(rates.shape[-1]):
        rate = rates[..., step, None]
        hessian = 4 * (inner(v, v)[..., None, None] * one + 2 * outer(v, v) - outer(w, w))
        moved = moved - rate[..., None] * (hessian @ moved)
        v = v - rate * gradient(v, w, no_noise(v))
        losses.append(loss(v, w, no_noise(v)))
        rows.append((gradient(v, w, no_noise(v))[..., None, :] @ moved)[..., 0, :])
    return np.stack(losses, axis=-1), np.stack(rows, axis=-2)


def descend_statistics(p: Array, q: Array, rates: Array) -> tuple[Array, Array]:
    """The same from the statistics alone, and the Jacobian in p and q, shapes ``(..., T)`` and ``(..., T, 2)``."""
    one = 0 * (p + q + rates[..., 0]) + 1
    p_by, q_by, losses, rows = np.stack([one, 0 * one], axis=-1), np.stack([0 * one, one], axis=-1), [], []
    for step in range(rates.shape[-1]):
        rate, total = rates[..., step], p + q
        along, across = 1 - 4 * rate * (total - 1), 1 - 4 * rate * total
        total_by = p_by + q_by
        p_by = (along**2)[..., None] * p_by - (8 * rate * p * along)[..., None] * total_by
        q_by = (across**2)[..., None] * q_by - (8 * rate * q * across)[..., None] * total_by
        p, q = p * along**2, q * across**2
        losses.append((p + q) ** 2 - 2 * p + 1)
        rows.append((2 * (p + q))[..., None] * (p_by + q_by) - 2 * p_by)
    return np.stack(losses, axis=-1), np.stack(rows, axis=-2)


def factors_through_two_numbers(v: Array, w: Array, rates: Array) -> Relation:
    """The losses from the start and from p and q; the rank of their Jacobian."""
    losses, jacobian = descend(v, w, rates)
    from_statistics, _ = descend_statistics(*statistics(v, w), rates)
    found = rank(jacobian)
    same = eq(losses, from_statistics, over=1, name="losses")
    return same & le(found, 0 * found + min(2, rates.shape[-1]), name="rank")


def rank_of_two_numbers(v: Array, w: Array, rates: Array) -> Relation:
    """The rank of the Jacobian in the start, and in p and q; and the Jacobian by the chain rule."""
    jacobian, in_numbers = descend(v, w, rates)[1], descend_statistics(*statistics(v, w), rates)[1]
    along = inner(w, v)[..., None] * w
    numbers_in_start = np.stack([2 * along, 2 * (v - along)], axis=-2)
    ranks = eq(rank(jacobian), rank(in_numbers), name="rank")
    return ranks & eq(jacobian, in_numbers @ numbers_in_start, over=2, name="chain rule")


def is_generic(v: Array, w: Array) -> npt.NDArray[np.bool_]:
    """Whether the start is neither along w nor across it; in floats, by more than rounding."""
    p, q = statistics(v, w)
    least = 0 if is_exact(v) else 2.0**-80
    return np.asarray((compare(p, least) > 0) & (compare(q, least) > 0))


def ranks_of_a_start() -> Relation:
    """One start in space: the ranks after 1, 2, 3 and 5 steps of size 1/20."""
    found = [rank(descend(**in_space(steps))[1]) for steps in (1, 2, 3, 5)]
    return eq(np.concatenate(found), rationals([1, 2, 2, 2]), over=1)


# False variants


def rank_of_one_number(v: Array, w: Array, rates: Array) -> Relation:
    """Rank one."""
    found = rank(descend(v, w, rates)[1])
    return le(found, 0 * found + 1)


def as_many_as_losses(v: Array, w: Array, rates: Array) -> Relation:
    """As if the rank grew with the number of losses."""
    found = rank(descend(v, w, rates)[1])
    return eq(found, 0 * found + min(v.shape[-1], rates.shape[-1]))


def from_the_length(v: Array, w: Array, rates: Array) -> Relation:
    """The losses from the length of the start alone, as if it were along w."""
    p, q = statistics(v, w)
    return eq(descend(v, w, rates)[0], descend_statistics(p + q, 0 * q, rates)[0], over=1)


def at_equal_steps(v: Array, w: Array, rates: Array) -> Relation:
    """All steps of the size of the first."""
    same = 0 * rates + rates[..., :1]
    return eq(descend(v, w, rates)[0], descend_statistics(*statistics(v, w), same)[0], over=1)


def always_two(v: Array, w: Array, rates: Array) -> Relation:
    """Rank min(2, T) for every generic start and all steps."""
    found = rank(descend(v, w, rates)[1])
    return eq(found, 0 * found + min(2, rates.shape[-1]))


def in_space(steps: int) -> dict[str, Any]:
    """A start in space, neither along w nor across it, and steps of size 1/20."""
    return {
        "v": rationals([["1/2", "1/3", "1/4"]]),
        "w": rationals([[1, 0, 0]]),
        "rates": rationals([["1/20"] * steps]),
    }


def part_of(numerators: Array, whole: int) -> Array:
    """Small fractions, for which the rank is clear in floats."""
    return np.asarray(numerators / whole)


VARIABLES = {"v": interval(-1, 1, "dimension"), "w": PLANE["w"], "rates": interval(0, 1 / 8, "steps")}
SIZES = {"dimension": range(2, 5), "steps": range(1, 4)}
FRACTIONS = {
    "v": derived(partial(part_of, whole=8), numerators=integers(-8, 8, "dimension")),
    "w": derived(unit_vector, chart=integers(-2, 2, lambda sizes: sizes["dimension"] - 1)),
    "rates": derived(partial(part_of, whole=32), numerators=integers(0, 4, "steps")),
}
GENERIC = "the start is neither along w nor across it"

CLAIM = Claim(
    id="symmetry_learning.dynamics_rank",
    title="The losses of a gradient descent depend on two numbers of the start",
    source=Source("bottleneck_structure", "Section 5"),
    statement=factors_through_two_numbers,
    domain=Domain(VARIABLES, SIZES),
    tight={f"{steps} steps": Tight(partial(in_space, steps), of=("rank",)) for steps in (1, 2, 3)},
    false_neighbours={
        "one number": rank_of_one_number,
        "the length alone": from_the_length,
        "equal steps": at_equal_steps,
    },
    exact={"ranks of a start": ranks_of_a_start},
    cost=3,
)

RANK = Claim(
    id="symmetry_learning.dynamics_rank.generic",
    title="Off two sets the losses have the rank that they have as a function of two numbers",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=rank_of_two_numbers,
    domain=Domain(FRACTIONS, SIZES, {GENERIC: is_generic}),
    needs=(GENERIC,),
    false_neighbours={"as many as losses": as_many_as_losses, "always two": always_two},
    cost=3,
)
