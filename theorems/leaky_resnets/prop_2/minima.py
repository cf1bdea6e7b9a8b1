r"""Minima of the cost of identity: stable ones, and one that is not.

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
Tight
    Dead neurons; in the box, the minima themselves.
Source
    leaky_resnets, Proposition 2; the condition and the examples are derived here.
"""

import numpy as np
from flint import arb, arb_mat

from theorems.leaky_resnets.constructions.representations import cost, inverse_kernel, sigma
from verify import Claim, DerivedHere, Domain, Q, Relation, Source, Tight, derived, integers, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import (
    concatenate,
    eq,
    ge,
    inverse,
    le,
    norm2,
    positive,
    rank,
    relu,
    trace,
    vector,
    where,
    zeros,
)

STABLE_MINIMA = (((1, 2),), ((1, 2, 2), (1, 1, 2)))
"""Stable minima of the cost of identity with one neuron and with two."""
UNSTABLE_MINIMUM = ((1, 2, 1), (1, 4, 2))
"""A local minimum that a new neuron destroys."""
RADIUS = Q(1, 1024)
"""How far the entries of a stable minimum may move."""


def parts(A, neurons):
    """Q, and the positive and negative parts v and u of the new neurons."""
    return inverse_kernel(concatenate([A, neurons])), relu(neurons), relu(-neurons)


def cost_with_neurons(A, neurons):
    (w, N), (Q, v, u), found = A.shape, parts(A, neurons), cost(concatenate([A, neurons]))
    saved = Q.sum() + 2 * trace(u @ Q @ v.T)
    return eq(found + saved, N + trace(u @ Q @ u.T), name="closed form") & ge(found, w, name="at least w")


def cost_near(A, move):
    """With a dead neuron, near A."""
    return cost(concatenate([np.array(A), zeros(1, len(A[0]))]) + move)


def costs_at_least_the_rank(move, width, excess=0):
    return ge(cost_near(STABLE_MINIMA[width - 1], move), width + excess * norm2(move))


def cost_at_unstable_minimum(epsilon):
    r"""With the neuron :math:`\epsilon(1, -1/10, 0)`."""
    return cost(concatenate([UNSTABLE_MINIMUM, epsilon * vector(1, -Q(1, 10), 0)[None, :]]))


def unstable_minimum(move, epsilon, fourth=3):
    saved = epsilon**2 * (19 - fourth * epsilon**2) / (50 * (1 + 5 * epsilon**2))
    return eq(cost(UNSTABLE_MINIMUM + move), 2, name="without") & eq(cost_at_unstable_minimum(epsilon), 2 - saved, name="with")


# False variants


def cost_without_products(A, neurons):
    Q, _, u = parts(A, neurons)
    return eq(cost(concatenate([A, neurons])), A.shape[1] - Q.sum() + trace(u @ Q @ u.T))


def positive_parts_cost(A, neurons):
    """As if new positive parts cost something beside what A costs."""
    Q, v, _ = parts(A, neurons)
    return ge(cost(concatenate([A, neurons])), len(A) + trace(v @ Q @ v.T))


def unstable_one_is_stable(move, width):
    """The other minimum with two neurons in place of the stable one."""
    return ge(cost_near(UNSTABLE_MINIMUM if width == 2 else STABLE_MINIMA[0], move), width)


def neuron_saves_nothing(epsilon):
    return ge(cost_at_unstable_minimum(epsilon), 2)


# Hypotheses and exact parts


def features_are_complete(A):
    return rank(sigma(A)) == A.shape[1]


def off_diagonal(Q):
    return Q[~np.eye(len(Q), dtype=bool)]


def no_positive_entry_off_the_diagonal(A, neurons):
    return (off_diagonal(parts(A, neurons)[0]) <= 0).all()


def inverse_kernels_are_integers():
    stated = ([[5, -3], [-3, 2]], [[5, -1, -2], [-1, 2, -1], [-2, -1, 2]], [[5, 2, -7], [2, 2, -5], [-7, -5, 14]])
    relation = Relation(())
    for rows, entries in zip((*STABLE_MINIMA, UNSTABLE_MINIMUM), stated, strict=True):
        F = sigma(rationals(rows))
        relation &= eq(inverse(F.T @ F), rationals(entries))
    return relation


def box_of_stable_minima():
    """In the whole box the entries of Q off the diagonal are negative, and the activations positive: enclosed by balls."""
    relation = Relation(())
    for rows in STABLE_MINIMA:
        N = len(rows[0])
        entries = [[arb(entry, float(RADIUS)) for entry in row] for row in rows]
        # positive parts of a new neuron lie between 0 and the radius
        neuron = [arb(float(RADIUS / 2), float(RADIUS / 2))] * N
        enclosed = arb_mat([*entries, [arb(1)] * N, neuron])
        Q = (enclosed.transpose() * enclosed).inv()
        # Q is symmetric, and elimination encloses the entries below the diagonal better
        off = np.array([Q[i, j] for i in range(N) for j in range(i)], dtype=object)
        relation &= le(off, rationals([0])) & ge(rationals(rows) - rationals(RADIUS), rationals([[0]]))
    return relation


def reached_with_a_tenth():
    return eq(cost_at_unstable_minimum(rationals("1/10")) - 2, Q("-271/75000"))


def with_faint_negative_parts(entries, faint):
    """New neurons whose negative entries are divided by 8 where `faint` is 0: in first order these may save."""
    return relu(entries) - where(faint == 0, Q(1, 8), 1) * relu(-entries)


def _points(sizes):
    return sizes["width"] + 1


NO_POSITIVE_ENTRY = "no entry of the inverse kernel off the diagonal is positive"
OURS = Source("leaky_resnets", "derived here")

CONDITION = Claim(
    id="leaky_resnets.prop_2.stable_condition",
    title="If A > 0 and K^(-1) < 0 off its diagonal, A is a stable minimum",
    source=OURS,
    status=DerivedHere(),
    statement=cost_with_neurons,
    domain=Domain(
        {
            "A": interval(0, np.inf, "width", _points),
            "neurons": derived(with_faint_negative_parts, entries=reals("neurons", _points), faint=integers(0, 1)),
        },
        {"width": range(1, 4), "neurons": range(1, 3)},
        {
            "activations are positive": lambda A: positive(A),
            "the features are complete": features_are_complete,
            NO_POSITIVE_ENTRY: no_positive_entry_off_the_diagonal,
        },
    ),
    tight={"dead neuron": Tight(lambda: {"A": STABLE_MINIMA[1], "neurons": [[0, 0, 0]]}, of=("at least w",))},
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
    status=DerivedHere(),
    statement=costs_at_least_the_rank,
    domain=Domain({"move": interval(-RADIUS, RADIUS, _points, _points)}, {"width": (1, 2)}),
    tight={"not moved": {"move": [[0, 0, 0], [0, 0, 0], [0, 0, 0]], "width": 2}},
    false_variants={"strict": {"excess": Q(1, 1000)}, "the minimum that is not stable": unstable_one_is_stable},
    exact={
        "inverse kernels": inverse_kernels_are_integers,
        "the condition holds in the whole box": box_of_stable_minima,
    },
)

UNSTABLE = Claim(
    id="leaky_resnets.prop_2.unstable_minimum",
    title="A positive minimum of the cost of identity need not be stable",
    source=OURS,
    status=DerivedHere(),
    statement=unstable_minimum,
    domain=Domain({"move": interval(-1 / 64, 1 / 64, 2, 3), "epsilon": interval(0, 1)}),
    false_variants={"without the fourth order": {"fourth": 0}, "stable": neuron_saves_nothing},
    exact={"1/10": reached_with_a_tenth},
)
