r"""The map from a start to its losses has bottleneck rank two.

Statement
    A network learns :math:`v_0 \mapsto (C(v_1), \ldots, C(v_T))` for gradient descent on :math:`C(v) = \|vv^T - ww^T\|_F^2`
    through the summary statistics :math:`p = (w^Tv_0)^2` and :math:`q = \|(I - ww^T)v_0\|^2`: the map has rank min(2, T).
Checked
    For up to three steps :math:`\eta_t` and every start: the losses are those of the recursion of p and q, and the Jacobian has
    at most rank min(2, T). Where :math:`v_0` is neither along w nor across it, the rank is that of the losses as a
    function of p and q, and the Jacobian obeys the chain rule. The rank min(2, T) is attained for T = 1, 2, 3, 5.
Proof idea
    A step closes in p and q (``summary_statistics.descent``); the gradients of p and q are independent off both sets.
Tight
    A start in space, with one step, two and three.
Not checked
    That the map is the limit of piecewise linear ones with costs that stay bounded.
Source
    bottleneck_structure, Section 5, and symmetry_learning, Summary statistics.
"""

from functools import partial

import numpy as np

from theorems.shared.hidden_direction import PLANE, gradient, loss, statistics
from theorems.shared.vectors import unit_vector
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, derived, integers, interval
from verify.numbers.arithmetic import rationals
from verify.words import eq, eye, le, ones, rank, stack


def descend(v, w, eta):
    """The losses after each step, and their Jacobian in the start."""
    Dv, C, J = eye(len(v)), [], []
    for step in eta:
        hessian = 4 * ((v @ v) * eye(len(v)) + 2 * np.outer(v, v) - np.outer(w, w))
        Dv = Dv - step * hessian @ Dv
        v = v - step * gradient(v, w)
        C.append(loss(v, w))
        J.append(gradient(v, w) @ Dv)
    return stack(C), stack(J)


def recursion(p, q, eta):
    """The same from the statistics, with the Jacobian in p and q."""
    (dp, dq), C, J = eye(2), [], []
    for step in eta:
        a, b, dsum = 1 - 4 * step * (p + q - 1), 1 - 4 * step * (p + q), dp + dq
        dp, dq = a**2 * dp - 8 * step * p * a * dsum, b**2 * dq - 8 * step * q * b * dsum
        p, q = a**2 * p, b**2 * q
        C.append((p + q) ** 2 - 2 * p + 1)
        J.append(2 * (p + q) * (dp + dq) - 2 * dp)
    return stack(C), stack(J)


def factors_through_two_numbers(v, w, eta, most=2):
    C, J = descend(v, w, eta)
    return eq(C, recursion(*statistics(v, w), eta)[0], name="losses") & le(rank(J), min(most, len(eta)), name="rank")


def from_the_length(v, w, eta):
    return eq(descend(v, w, eta)[0], recursion(v @ v, 0, eta)[0])


def at_equal_steps(v, w, eta):
    return eq(descend(v, w, eta)[0], recursion(*statistics(v, w), eta[0] * ones(len(eta)))[0])


def rank_of_two_numbers(v, w, eta):
    (_, J), (_, K), a = descend(v, w, eta), recursion(*statistics(v, w), eta), w @ v
    return eq(rank(J), rank(K), name="rank") & eq(J, K @ stack([2 * a * w, 2 * (v - a * w)]), name="chain rule")


def as_many_as_losses(v, w, eta):
    return eq(rank(descend(v, w, eta)[1]), min(len(v), len(eta)))


def always_two(v, w, eta):
    return eq(rank(descend(v, w, eta)[1]), min(2, len(eta)))


def generic(v, w):
    p, q = statistics(v, w)
    least = Q(1, 2**80)  # of the fractions that are drawn, p and q are zero or larger; in floats zero is rounded
    return (p > least) & (q > least)


def in_space(T):
    return {"v": rationals(["1/2", "1/3", "1/4"]), "w": rationals([1, 0, 0]), "eta": rationals(["1/20"] * T)}


def ranks_of_a_start():
    return eq([rank(descend(**in_space(T))[1]) for T in (1, 2, 3, 5)], [1, 2, 2, 2])


SIZES = {"d": range(2, 5), "T": range(1, 4)}
GENERIC = "the start is neither along w nor across it"

CLAIM = Claim(
    id="symmetry_learning.dynamics_rank",
    title="The losses of a gradient descent depend on two numbers of the start",
    source=Source("bottleneck_structure", "Section 5"),
    statement=factors_through_two_numbers,
    domain=Domain({"v": interval(-1, 1, "d"), "w": PLANE["w"], "eta": interval(0, 1 / 8, "T")}, SIZES),
    tight={f"{T} steps": Tight(partial(in_space, T), of=("rank",)) for T in (1, 2, 3)},
    false_variants={"one number": {"most": 1}, "the length alone": from_the_length, "equal steps": at_equal_steps},
    exact={"ranks of a start": ranks_of_a_start},
    cost=3,
)

RANK = Claim(
    id="symmetry_learning.dynamics_rank.generic",
    title="Off two sets the rank of the losses is that of two numbers",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=rank_of_two_numbers,
    domain=Domain(
        {
            # small fractions, for which the rank is clear in floats
            "v": derived(lambda numerators: numerators / 8, numerators=integers(-8, 8, "d")),
            "w": derived(unit_vector, chart=integers(-2, 2, lambda sizes: sizes["d"] - 1)),
            "eta": derived(lambda numerators: numerators / 32, numerators=integers(0, 4, "T")),
        },
        SIZES,
        {GENERIC: generic},
    ),
    needs=(GENERIC,),
    false_variants={"as many as losses": as_many_as_losses, "always two": always_two},
    cost=3,
)
