r"""Minima of the cost of identity: a condition for stable ones, two stable ones, and one that is not stable.

Statement
    Stability matters in Proposition 2: some local minima are stable, and some are not.
Checked
    *A sufficient condition.* Let A > 0 have w rows and w + 1 points, and :math:`\mathrm{rank}\,\sigma(A) = w + 1`. New neurons
    with positive parts v and negative parts u (rows, one for each) cost

    .. math:: \|(A; v - u)\|_K^2 = w + 1 - 1^TQ1 + \mathrm{Tr}[uQu^T] - 2\mathrm{Tr}[uQv^T], \qquad
              Q = (A^TA + 11^T + v^Tv)^{-1} ,

    which is at least w if no entry of Q off the diagonal is positive. If :math:`K^{-1}` has negative entries off the diagonal,
    the condition holds near A, which costs w: A is a stable minimum. The third example shows that it is needed.

    *Stable minima.* For (1, 2) and [[1, 2, 2], [1, 1, 2]] the inverse kernels are the integer matrices [[5, -3], [-3, 2]] and
    [[5, -1, -2], [-1, 2, -1], [-2, -1, 2]]. The cost is at least w wherever no entry moves by more than 1/1024.

    *A minimum that is not stable.* [[1, 2, 1], [1, 4, 2]] is positive, so that its neighbours, which have the same rank, cost
    2 as well. Its inverse kernel has the entry 2 off the diagonal, and the new neuron :math:`\epsilon(1, -1/10, 0)` costs
    :math:`-\epsilon^2(19 - 3\epsilon^2)/(50(1 + 5\epsilon^2))`: -271/75000 for 1/10.
Proof idea
    :math:`1^TQ1 \le 1`, and u and v share no place, so that no diagonal entry of Q enters the last term.
Sharp
    Dead neurons; in the box, the minima themselves.
Source
    leaky_resnets, Proposition 2; the condition and the examples are ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb, arb_mat

from theorems.leaky_resnets.constructions.representations import bare_cost, scaled, transposed, with_rows
from verify import Claim, Domain, Ours, Q, Relation, Sizes, Source, Tight, derived, eq, ge, integers, interval, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import inverse, pseudo_inverse, rank
from verify.networks.leaky_resnet import activation_kernel, feature_matrix, inner, rectified, squared_norm

STABLE_MINIMA = (((1, 2),), ((1, 2, 2), (1, 1, 2)))
"""Stable minima of the cost of identity with one neuron and with two."""
UNSTABLE_MINIMUM = ((1, 2, 1), (1, 4, 2))
"""A local minimum that a new neuron destroys."""
RADIUS = Q(1, 1024)
"""How far the entries of a stable minimum may move."""


def inverse_with_neurons(A: Array, neurons: Array) -> Array:
    """Q: the inverse of the kernel of A with new neurons, through the features."""
    P = pseudo_inverse(feature_matrix(with_rows(A, neurons)))
    return np.asarray(P @ transposed(P))


def cost_with_neurons(A: Array, neurons: Array) -> Relation:
    """The cost with new neurons in closed form, and its lower bound."""
    Q, v, u = inverse_with_neurons(A, neurons), rectified(neurons), rectified(-neurons)
    cost = bare_cost(with_rows(A, neurons)).squared_norm
    saved = Q.sum(axis=(-2, -1)) + 2 * inner(u @ Q, v)
    return eq(cost + saved, A.shape[-1] + inner(u @ Q, u), name="closed form") & ge(cost, A.shape[-2], name="at least w")


def costs_at_least_the_rank(move: Array) -> Relation:
    """The cost near a stable minimum, of one neuron fewer than `move` has rows."""
    return ge(bare_cost(near(move)).squared_norm, move.shape[-2] - 1)


def near(move: Array) -> Array:
    """The stable minimum with a dead neuron, moved."""
    rows = STABLE_MINIMA[move.shape[-2] - 2]
    return np.asarray(move + np.array([*rows, (0,) * move.shape[-1]]))


def unstable_minimum(move: Array, step: Array) -> Relation:
    """The cost near the minimum that is not stable, and the cost with a new neuron."""
    square = step**2
    still = bare_cost(np.array(UNSTABLE_MINIMUM) + move).squared_norm
    moved = bare_cost(with_neuron(move, step)).squared_norm
    return eq(still, 2, name="without") & eq(moved, 2 - square * (19 - 3 * square) / (50 * (1 + 5 * square)), name="with")


def with_neuron(move: Array, step: Array) -> Array:
    r"""The minimum that is not stable, with the neuron :math:`\epsilon(1, -1/10, 0)` more."""
    neuron = np.stack([step, -step / 10, 0 * step], axis=-1)[..., None, :]
    return with_rows(np.array(UNSTABLE_MINIMUM) + 0 * move, neuron)


# False variants


def cost_without_products(A: Array, neurons: Array) -> Relation:
    """The closed form without the products of positive and negative parts."""
    Q, u = inverse_with_neurons(A, neurons), rectified(-neurons)
    cost = bare_cost(with_rows(A, neurons)).squared_norm
    return eq(cost, A.shape[-1] - Q.sum(axis=(-2, -1)) + inner(u @ Q, u))


def positive_parts_cost(A: Array, neurons: Array) -> Relation:
    """As if new positive parts cost something beside what A costs."""
    Q, v = inverse_with_neurons(A, neurons), rectified(neurons)
    return ge(bare_cost(with_rows(A, neurons)).squared_norm, A.shape[-2] + inner(v @ Q, v))


def minimum_is_strict(move: Array) -> Relation:
    """As if the cost grew with the distance, by a thousandth of its square."""
    return ge(bare_cost(near(move)).squared_norm, move.shape[-2] - 1 + squared_norm(move) / 1000)


def unstable_one_is_stable(move: Array) -> Relation:
    """The other minimum with two neurons in place of the stable one."""
    rows = UNSTABLE_MINIMUM if move.shape[-2] == len(UNSTABLE_MINIMUM) + 1 else STABLE_MINIMA[move.shape[-2] - 2]
    return ge(bare_cost(np.array([*rows, (0,) * move.shape[-1]]) + move).squared_norm, move.shape[-2] - 1)


def neuron_saves_to_second_order(move: Array, step: Array) -> Relation:
    """The saving without its fourth order."""
    return eq(bare_cost(with_neuron(move, step)).squared_norm, 2 - 19 * step**2 / (50 * (1 + 5 * step**2)))


def neuron_saves_nothing(move: Array, step: Array) -> Relation:
    """As if the minimum were stable."""
    return ge(bare_cost(with_neuron(move, step)).squared_norm, 2)


def is_positive(A: Array) -> Array:
    """Whether all activations are positive."""
    return np.asarray((compare(A, 0) > 0).all(axis=(-2, -1)))


def features_are_complete(A: Array) -> Array:
    """Whether the features have as many dimensions as there are points."""
    return np.asarray(rank(feature_matrix(A)) == A.shape[-1])


def no_positive_entry_off_the_diagonal(A: Array, neurons: Array) -> Array:
    """Whether no entry of Q off its diagonal is positive."""
    return np.asarray((compare(off_diagonal(inverse_with_neurons(A, neurons)), 0) <= 0).all(axis=-1))


def off_diagonal(matrix: Array) -> Array:
    """The entries off the diagonal, shape ``(..., n, n) -> (..., n (n - 1))``."""
    return matrix[..., ~np.eye(matrix.shape[-1], dtype=bool)]


def inverse_kernels_are_integers() -> Relation:
    """The inverse kernels of all examples."""
    stated = ([[5, -3], [-3, 2]], [[5, -1, -2], [-1, 2, -1], [-2, -1, 2]], [[5, 2, -7], [2, 2, -5], [-7, -5, 14]])
    relation = Relation(())
    for rows, entries in zip((*STABLE_MINIMA, UNSTABLE_MINIMUM), stated, strict=True):
        relation &= eq(inverse(activation_kernel(rationals([rows]))), rationals([entries]), over=2)
    return relation


def box_of_stable_minima() -> Relation:
    """In the whole box the entries of Q off the diagonal are negative, and the activations positive: enclosed by balls."""
    relation = Relation(())
    for rows in STABLE_MINIMA:
        points = len(rows[0])
        entries = [[arb(entry, float(RADIUS)) for entry in row] for row in rows]
        # positive parts of a new neuron lie between 0 and the radius
        neuron = [arb(float(RADIUS / 2), float(RADIUS / 2))] * points
        enclosed = arb_mat([*entries, [arb(1)] * points, neuron])
        Q = (enclosed.transpose() * enclosed).inv()
        # Q is symmetric, and elimination encloses the entries below the diagonal better
        off = np.array([Q[i, j] for i in range(points) for j in range(i)], dtype=object)
        relation &= le(off, rationals([0]), over=1)
        relation &= ge(rationals(rows) - rationals(RADIUS), rationals([[0]]), over=2)
    return relation


def reached_with_a_tenth() -> Relation:
    """The new neuron with 1/10 in front."""
    neuron = rationals([[["1/10", "-1/100", 0]]])
    cost = bare_cost(with_rows(rationals([UNSTABLE_MINIMUM]), neuron)).squared_norm
    return eq(cost - 2, rationals(["-271/75000"]))


def with_faint_negative_parts(entries: Array, faint: Array) -> Array:
    """New neurons whose negative entries are divided by 8 where `faint` is 0: in first order these may save."""
    fraction = np.where(compare(faint, 0) == 0, (0 * faint + 1) / 8, 0 * faint + 1)
    return np.asarray(rectified(entries) - scaled(rectified(-entries), fraction))


def without_a_neuron() -> dict[str, Any]:
    """The stable minimum with two neurons, and a dead neuron more."""
    return {"A": rationals([STABLE_MINIMA[1]]), "neurons": rationals([[[0, 0, 0]]])}


def not_moved() -> dict[str, Any]:
    """The same."""
    return {"move": rationals([np.zeros((3, 3), dtype=int)])}


def _points(sizes: Sizes) -> int:
    return sizes["width"] + 1


NO_POSITIVE_ENTRY = "no entry of the inverse kernel off the diagonal is positive"
OURS = Source("leaky_resnets", "ours")

CONDITION = Claim(
    id="leaky_resnets.prop_2.stable_condition",
    title="Positive representations whose inverse kernel is negative off its diagonal are stable minima",
    source=OURS,
    status=Ours(),
    statement=cost_with_neurons,
    domain=Domain(
        {
            "A": interval(0, np.inf, "width", _points),
            "neurons": derived(with_faint_negative_parts, entries=reals("neurons", _points), faint=integers(0, 1)),
        },
        {"width": range(1, 4), "neurons": range(1, 3)},
        {
            "activations are positive": is_positive,
            "the features are complete": features_are_complete,
            NO_POSITIVE_ENTRY: no_positive_entry_off_the_diagonal,
        },
    ),
    tight={"dead neuron": Tight(without_a_neuron, of=("at least w",))},
    false_variants={
        "without the products of positive and negative parts": cost_without_products,
        "with what the positive parts cost": positive_parts_cost,
    },
    cost=4,
)

STABLE = Claim(
    id="leaky_resnets.prop_2.stable_minimum",
    title="Two representations are stable minima of the cost of identity",
    source=OURS,
    status=Ours(),
    statement=costs_at_least_the_rank,
    domain=Domain({"move": interval(-RADIUS, RADIUS, lambda sizes: sizes["width"] + 1, _points)}, {"width": (1, 2)}),
    tight={"not moved": Tight(not_moved)},
    false_variants={"strict": minimum_is_strict, "the minimum that is not stable": unstable_one_is_stable},
    exact={
        "inverse kernels": inverse_kernels_are_integers,
        "the condition holds in the whole box": box_of_stable_minima,
    },
)

UNSTABLE = Claim(
    id="leaky_resnets.prop_2.unstable_minimum",
    title="A positive minimum of the cost of identity need not be stable",
    source=OURS,
    status=Ours(),
    statement=unstable_minimum,
    domain=Domain({"move": interval(-1 / 64, 1 / 64, 2, 3), "step": interval(0, 1)}),
    false_variants={"without the fourth order": neuron_saves_to_second_order, "stable": neuron_saves_nothing},
    exact={"1/10": reached_with_a_tenth},
)
