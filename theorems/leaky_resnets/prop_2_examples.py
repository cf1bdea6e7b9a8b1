r"""Minima of the cost of identity: stable ones, one that is not stable, and ones of infinite cost.

*A sufficient condition* (``.stable_condition``). Let A have w rows and w + 1 points, all activations positive and
:math:`\mathrm{rank}\,\sigma(A) = w + 1`. New neurons with positive parts v and negative parts u (rows, one for each) cost

.. math:: \|(A; v - u)\|_K^2 = w + 1 - 1^TQ1 + \mathrm{Tr}[uQu^T] - 2\mathrm{Tr}[uQv^T], \qquad
          Q = (A^TA + 11^T + v^Tv)^{-1} ,

where :math:`1^TQ1 \le 1`, and u and v share no place: the cost is at least w if no entry of Q off the diagonal is positive.
This is an open condition, which holds near A if :math:`K^{-1}` has negative entries off the diagonal: then A, which costs w,
is a stable minimum.

*Stable minima* (``.stable_minimum``). For (1, 2) and for [[1, 2, 2], [1, 1, 2]] the inverse kernels are the integer matrices
[[5, -3], [-3, 2]] and [[5, -1, -2], [-1, 2, -1], [-2, -1, 2]]. The cost is at least w wherever no entry moves by more than
1/1024: in this box Q is enclosed by balls.

*A minimum that is not stable* (``.unstable_minimum``). [[1, 2, 1], [1, 4, 2]] is positive, so that its neighbours, which have
the same rank, cost 2 as well: a local minimum. Its inverse kernel has the entry 2 off the diagonal, and the new neuron
:math:`\epsilon(1, -1/10, 0)` costs :math:`-\epsilon^2(19 - 3\epsilon^2)/(50(1 + 5\epsilon^2))`: -271/75000 for 1/10.

*Infinite cost* (``.infinite``). If all activations are negative and :math:`\mathrm{rank}(A; 1) \ge 3`, no new neuron makes the
cost finite. This stays so nearby: A is a stable minimum in the words of Proposition 2 as printed, and negative (``.printed``).

Source: leaky_resnets, Proposition 2; the examples are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from flint import arb, arb_mat

from theorems.leaky_resnets.constructions.representations import (
    bare_cost,
    numbers_like,
    rounding,
    scaled,
    transposed,
    with_rows,
    zeros_like_rows,
)
from theorems.leaky_resnets.prop_2 import CLAIM as CORRECTED
from verify import (
    Claim,
    Domain,
    FalseAsPrinted,
    Ours,
    Q,
    Relation,
    Sizes,
    Source,
    Tight,
    derived,
    eq,
    ge,
    integers,
    interval,
    le,
    reals,
)
from verify.arithmetic import Array, compare, rationals, smallest
from verify.matrices import inverse, pseudo_inverse, rank
from verify.networks.leaky_resnet import activation_kernel, feature_matrix, rectified, squared_norm

STABLE_MINIMA = (((1, 2),), ((1, 2, 2), (1, 1, 2)))
"""Stable minima of the cost of identity with one neuron and with two."""
UNSTABLE_MINIMUM = ((1, 2, 1), (1, 4, 2))
"""A local minimum that a new neuron destroys."""
RADIUS = Q(1, 1024)
"""How far the entries of a stable minimum may move."""


def inverse_with_neurons(A: Array, neurons: Array) -> Array:
    """Q: the inverse of the kernel of A with new neurons."""
    image = rectified(neurons)
    return inverse(activation_kernel(A) + transposed(image) @ image)


def is_positive(A: Array) -> Array:
    """Whether all activations are positive."""
    return np.asarray((compare(A, 0) > 0).all(axis=(-2, -1)))


def features_are_complete(A: Array) -> Array:
    """Whether the features have as many dimensions as there are points."""
    return np.asarray(rank(feature_matrix(A)) == A.shape[-1])


def no_positive_entry_off_the_diagonal(A: Array, neurons: Array) -> Array:
    """Whether no entry of Q off its diagonal is positive."""
    Q = inverse_with_neurons(A, neurons)
    return np.asarray((compare(off_diagonal(Q), 0) <= 0).all(axis=-1))


def off_diagonal(matrix: Array) -> Array:
    """The entries off the diagonal, shape ``(..., n, n) -> (..., n (n - 1))``."""
    return matrix[..., ~np.eye(matrix.shape[-1], dtype=bool)]


def cost_with_neurons(A: Array, neurons: Array, percent: int = 100, *, cross: bool = True) -> Relation:
    """The cost with new neurons in closed form, and its lower bound."""
    Q, positive, negative = inverse_with_neurons(A, neurons), rectified(neurons), rectified(-neurons)
    whole, ones = with_rows(A, neurons), zeros_like_rows(A, 1) + 1

    def product(left: Array, right: Array) -> Array:
        return np.asarray(((left @ Q) * right).sum(axis=(-2, -1)))

    stated = A.shape[-1] - product(ones, ones) + product(negative, negative) - 2 * cross * product(negative, positive)
    inverse_features = pseudo_inverse(feature_matrix(whole))
    size = (squared_norm(whole) + A.shape[-1]) * squared_norm(inverse_features)
    noise = rounding(size, feature_matrix(whole), inverse_features, 2)
    cost, least = squared_norm(whole @ inverse_features), numbers_like(A, np.array(A.shape[-2]))
    return eq(cost, stated, scale=least, noise=noise) & ge(cost, percent * least / 100, scale=least, noise=noise)


def near(move: Array, *, unstable: bool = False) -> Array:
    """The example with as many neurons as `move` has rows, but one, with a dead neuron more, and its entries moved."""
    neurons = move.shape[-2] - 1
    rows = UNSTABLE_MINIMUM if unstable and neurons == len(UNSTABLE_MINIMUM) else STABLE_MINIMA[neurons - 1]
    A = numbers_like(move, np.array(rows))
    return np.asarray(move + with_rows(A, zeros_like_rows(A, 1)))


def costs_at_least_the_rank(move: Array, growth: int = 0, *, unstable: bool = False) -> Relation:
    """The cost near a stable minimum; in false neighbours the minimum is strict, or not stable."""
    found = bare_cost(near(move, unstable=unstable))
    least = numbers_like(move, np.array(move.shape[-2] - 1))
    return ge(found.squared_norm, least + growth * squared_norm(move) / 1000, scale=least, noise=found.noise)


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


def unstable_minimum(move: Array, step: Array, slope: int = 19, cost: int = 2) -> Relation:
    """The cost near the minimum that is not stable, without a new neuron, and with one."""
    A = numbers_like(move, np.array(UNSTABLE_MINIMUM))
    z = numbers_like(move, np.array([[10, -1, 0]])) / 10
    still, square = bare_cost(A + move), step**2
    moved = bare_cost(with_rows(A + 0 * move, scaled(z, step)))
    two = numbers_like(move, np.array(cost))
    saved = square * (slope - 3 * square) / (50 * (1 + 5 * square))
    return eq(still.squared_norm, two, noise=still.noise) & eq(moved.squared_norm, two - saved, noise=moved.noise)


def reached_with_a_tenth() -> Relation:
    """The new neuron with 1/10 in front."""
    z = rationals([[["1/10", "-1/100", 0]]])
    cost = bare_cost(with_rows(rationals([UNSTABLE_MINIMUM]), z)).squared_norm
    return eq(cost - 2, rationals(["-271/75000"]))


def missing_beside_neuron(A: Array, neuron: Array, neurons: int = 2) -> Relation:
    """The dimensions that the features of A, all of it negative, and of one neuron more lack to give A."""
    whole = with_rows(A, neuron[..., None, :])
    F, ones = feature_matrix(whole), zeros_like_rows(A, 1) + 1
    missing, bound = rank(with_rows(F, whole)) - rank(F), rank(with_rows(A, ones)) - neurons
    return ge(numbers_like(A, missing), numbers_like(A, bound))


def is_negative(A: Array) -> Array:
    """Whether all activations are negative."""
    return is_positive(-A)


def is_stable_minimum(A: Array) -> Array:
    """Whether one of two conditions shows that A is a stable local minimum, of finite cost or of infinite cost."""
    none = zeros_like_rows(A, 1)
    infinite = is_negative(A) & np.asarray(rank(with_rows(A, none + 1)) >= 3)
    finite = is_positive(A) & features_are_complete(A)
    finite[finite] = (compare(off_diagonal(inverse_with_neurons(A[finite], none[finite])), 0) < 0).all(axis=-1)
    return np.asarray(infinite | finite)


def smallest_entry_is_not_negative(A: Array) -> Relation:
    """Proposition 2 as printed."""
    return ge(smallest(A.reshape(*A.shape[:-2], -1)), numbers_like(A, np.array(0)))


def signed(magnitudes: Array, sign: Array) -> Array:
    """A matrix with the given absolute values, negative where `sign` is 0."""
    return np.where(compare(sign, 0)[..., None, None] == 0, -magnitudes, magnitudes)


def with_faint_negative_parts(entries: Array, faint: Array) -> Array:
    """New neurons whose negative entries are divided by 8 where `faint` is 0: in first order these may save."""
    fraction = np.where(compare(faint, 0) == 0, (0 * faint + 1) / 8, 0 * faint + 1)
    return np.asarray(rectified(entries) - scaled(rectified(-entries), fraction))


def without_a_neuron() -> dict[str, Any]:
    """The stable minimum with two neurons, and a dead neuron more."""
    return {"A": rationals([STABLE_MINIMA[1]]), "neurons": rationals([[[0, 0, 0]]])}


def not_moved() -> dict[str, Any]:
    """The same."""
    return {"move": rationals([np.zeros((3, 3), dtype=np.int64)])}


def one_neuron_helps() -> dict[str, Any]:
    """Two negative neurons; the new one is, up to a constant, one of them."""
    return {"A": rationals([[[-1, -1, -2], [-1, -2, -1]]]), "neuron": rationals([[1, 1, 0]])}


def _points(sizes: Sizes) -> int:
    return sizes["width"] + 1


SOURCE = Source("leaky_resnets", "Proposition 2")
OURS = Source("leaky_resnets", "ours")

CONDITION = Claim(
    id="leaky_resnets.prop_2.stable_condition",
    title="A sufficient condition for stable minima of the cost of identity",
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
            "no entry of the inverse kernel off the diagonal is positive": no_positive_entry_off_the_diagonal,
        },
    ),
    needs=("no entry of the inverse kernel off the diagonal is positive",),
    tight={"dead neuron": Tight(without_a_neuron)},
    false_neighbours={
        "1 % more": partial(cost_with_neurons, percent=101),
        "without the products of positive and negative parts": partial(cost_with_neurons, cross=False),
    },
    cost=2,
)

STABLE = Claim(
    id="leaky_resnets.prop_2.stable_minimum",
    title="Two stable minima of the cost of identity",
    source=OURS,
    status=Ours(),
    statement=costs_at_least_the_rank,
    domain=Domain({"move": interval(-RADIUS, RADIUS, lambda sizes: sizes["width"] + 1, _points)}, {"width": (1, 2)}),
    tight={"not moved": Tight(not_moved)},
    false_neighbours={
        "strict": partial(costs_at_least_the_rank, growth=1),
        "the minimum that is not stable": partial(costs_at_least_the_rank, unstable=True),
    },
    exact={
        "inverse kernels": inverse_kernels_are_integers,
        "the condition holds in the whole box": box_of_stable_minima,
    },
)

UNSTABLE = Claim(
    id="leaky_resnets.prop_2.unstable_minimum",
    title="A positive minimum of the cost of identity that is not stable",
    source=OURS,
    status=Ours(),
    statement=unstable_minimum,
    domain=Domain({"move": interval(-1 / 64, 1 / 64, 2, 3), "step": interval(0, 1)}),
    false_neighbours={
        "saves 18/19": partial(unstable_minimum, slope=18),
        "costs 3": partial(unstable_minimum, cost=3),
    },
    exact={"1/10": reached_with_a_tenth},
)

INFINITE = Claim(
    id="leaky_resnets.prop_2.infinite",
    title="Where no new neuron makes the cost of identity finite",
    source=OURS,
    status=Ours(),
    statement=missing_beside_neuron,
    domain=Domain(
        {
            "A": derived(signed, magnitudes=interval(0, np.inf, "width", "points"), sign=integers(0, 1)),
            "neuron": reals("points"),
        },
        {"width": range(1, 4), "points": range(2, 5)},
        {"activations are negative": is_negative},
    ),
    needs=("activations are negative",),
    tight={"one neuron helps": Tight(one_neuron_helps)},
    false_neighbours={
        "one dimension more": partial(missing_beside_neuron, neurons=1),
        "the new neuron is no use": partial(missing_beside_neuron, neurons=0),
    },
)

PRINTED = Claim(
    id="leaky_resnets.prop_2.printed",
    title="Stable minima are not negative, also those of infinite cost",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CORRECTED.id),
    statement=smallest_entry_is_not_negative,
    domain=Domain(
        {"A": derived(signed, magnitudes=interval(0, np.inf, "width", _points), sign=integers(0, 1))},
        {"width": range(2, 4)},
        {"a stable local minimum": is_stable_minimum},
    ),
    false_neighbours={},
)
