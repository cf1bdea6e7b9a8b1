r"""Theorem 4 as printed fails at global minimisers: one neuron, one point, input and target negative.

Statement
    For an input :math:`x \le 0` and a target :math:`F \le 0` the least loss
    :math:`(F - a_1)^2 + \frac\lambda{2L}\int_0^1\|W_p\|^2dp` is reached by weights that only have a bias,
    :math:`b = L\beta e^{Lp}`, on a path that stays negative: the pure bias trajectory with the adjoint
    :math:`b_p = \beta e^{Lp}`. With :math:`E = e^{Lp}`, :math:`g = e^L` and

    .. math:: G(E, a) = \frac{\lambda g^2R^2}{\lambda g^2 + g^2 - E^2}, \qquad R = F - \frac Eg\min(a, 0), \qquad
              \beta = \frac{2gR(1, x)}{\lambda g^2 + g^2 - 1} ,

    the least loss is G(1, x). On such trajectories the printed law for the speed fails, where its radicand is not negative.
Checked
    Both inequalities of the proof at all (E, a, m); that the trajectory has this loss and is critical; the derivatives of G in
    sympy; and the printed law.
Proof idea
    Along any path, with :math:`m = a + \frac1L\partial_pa`, the regulariser is at least
    :math:`\frac\lambda2\int\frac{m^2}{1 + \bar\sigma(a)^2}\frac{dE}E`, and

    .. math:: \frac\lambda2\frac{m^2}{1 + \bar\sigma(a)^2} + E\,\partial_EG + (m - a)\,\partial_aG \ge 0, \qquad
              G(g, a) \le (F - a)^2 .

    For :math:`a \le 0` the first side is :math:`\frac\lambda2(m - 2gER/(\lambda g^2 + g^2 - E^2))^2`; for a > 0, G does not
    depend on a and grows with E. Integrated over the path, the loss is at least G(1, x).
Sharp
    Both inequalities, as the minimiser moves. For a > 0 the first has room: it holds without the price of moving.
Source
    Ours; the printed law is leaky_resnets, Theorem 4.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.seen_trajectories import (
    GENUINE,
    SeenTrajectories,
    is_trajectory,
    pure_bias_trajectories,
)
from theorems.leaky_resnets.theorem_4.statement import NOT_NEGATIVE, printed_speed_law, radicand_is_not_negative
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, eq, ge, interval, le, reals
from verify.arithmetic import Array, compare, maximum, minimum, rationals
from verify.symbolic import identically_zero


@dataclass(frozen=True, eq=False)
class Problem:
    r"""One neuron, one point: the input x, the target F, :math:`\lambda` and :math:`e^L`, batch-shaped."""

    x: Array
    target: Array
    ridge: Array
    growth: Array

    def __getitem__(self, index: Any) -> Problem:
        return Problem(*(getattr(self, one.name)[index] for one in fields(self)))

    @property
    def minimal_adjoint(self) -> Array:
        r""":math:`\beta`, the adjoint of the minimiser at p = 0."""
        g = self.growth
        return np.asarray(2 * g * (self.target - self.x / g) / (self.ridge * g**2 + g**2 - 1))

    @property
    def minimal_end(self) -> Array:
        r""":math:`a_1` of the minimiser."""
        g = self.growth
        return np.asarray((self.x + self.minimal_adjoint * (g**2 - 1) / 2) / g)


def least_loss_from(problem: Problem, place: Array, a: Array) -> tuple[Array, Array, Array]:
    """G and its derivatives by E and by a, at E = `place` and a."""
    acts = np.where(compare(a, 0) == 1, 0 * a, 0 * a + 1)
    value, by_place, by_a = least_loss_from_negative(problem, place, minimum(a, 0 * a))
    return value, by_place, acts * by_a


def least_loss_from_negative(problem: Problem, place: Array, a: Array) -> tuple[Array, Array, Array]:
    """The same for a <= 0."""
    g, weight = problem.growth, problem.ridge * problem.growth**2
    left, rest = problem.target - a * place / g, weight + g**2 - place**2
    by_place = weight * (2 * place * left**2 / rest**2 - 2 * left * a / (g * rest))
    return weight * left**2 / rest, by_place, -weight * 2 * left * place / (g * rest)


def position(problem: Problem, share: Array) -> Array:
    """E, between 1 and its end."""
    return np.asarray(1 + (problem.growth - 1) * share)


def price_of_moving(problem: Problem, a: Array, m: Array) -> Array:
    r""":math:`\frac\lambda2\frac{m^2}{1 + \bar\sigma(a)^2}`."""
    return np.asarray(problem.ridge / 2 * m**2 / (1 + maximum(a, 0 * a) ** 2))


def no_path_is_better(problem: Problem, share: Array, a: Array, m: Array) -> Relation:
    """What moving costs against what G loses; the end; the loss of the trajectory, and that it is critical."""
    g, ridge, beta = problem.growth, problem.ridge, problem.minimal_adjoint
    place = position(problem, share)
    _, by_place, by_a = least_loss_from(problem, place, a)
    misfit = problem.target - problem.minimal_end
    end, start = least_loss_from(problem, g, a)[0], least_loss_from(problem, 0 * g + 1, problem.x)[0]
    return (
        ge(price_of_moving(problem, a, m), -(place * by_place + (m - a) * by_a), name="path")
        & le(end, (problem.target - a) ** 2, name="end")
        & eq(start, misfit**2 + ridge / 4 * beta**2 * (g**2 - 1), name="loss")
        & eq(ridge * g * beta, 2 * misfit, name="critical")
    )


def target_is_not_positive(problem: Problem) -> Array:
    """Whether the target is 0 or negative."""
    return np.asarray(compare(problem.target, 0) <= 0)


def on_the_minimiser() -> dict[str, Any]:
    """Points that move as the minimiser does: the rate along the path is 0 there."""
    one = rationals([1, 1])
    problem = Problem(x=-one, target=-2 * one, ridge=one / 2, growth=2 * one)
    share, a = rationals(["0", "1/2"]), rationals([-1, "-3/2"])
    g, place = problem.growth, 1 + share
    left = problem.target - a * place / g
    return {
        "problem": problem,
        "share": share,
        "a": a,
        "m": 2 * g * place * left / (problem.ridge * g**2 + g**2 - place**2),
    }


def derivatives_in_symbols() -> Relation:
    """Those of G where a is negative, those where it is positive, and the square."""
    import sympy as sp

    place, a, m, target, ridge, g = sp.symbols("E a m F lambda g", real=True)
    rest = ridge * g**2 + g**2 - place**2
    remainders = []
    for below in (a, sp.Integer(0)):
        left = target - below * place / g
        value = ridge * g**2 * left**2 / rest
        by_place = ridge * g**2 * (2 * place * left**2 / rest**2 - 2 * left * below / (g * rest))
        by_a = -ridge * g**2 * 2 * left * place / (g * rest) * (0 if below == 0 else 1)
        remainders += [value.diff(place) - by_place, value.diff(a) - by_a]
        if below != 0:
            square = ridge / 2 * (m - 2 * g * place * left / rest) ** 2
            remainders.append(ridge / 2 * m**2 + place * by_place + (m - a) * by_a - square)
    return identically_zero(*(sp.numer(sp.together(one)) for one in remainders))


def minimiser(problem: Problem, root_gamma: Array) -> SeenTrajectories:
    """The trajectory of least loss, as Theorem 4 sees it; the input and the target must not be positive."""
    return pure_bias_trajectories(problem.x, problem.minimal_adjoint, problem.growth, root_gamma)


def minimiser_of(x: Array, target: Array, ridge: Array, growth: Array, root_gamma: Array) -> SeenTrajectories:
    """The same for the negatives of positive numbers."""
    return minimiser(Problem(-x, -target, ridge, growth), root_gamma)


def problem_of(x: Array, target: Array, ridge: Array, growth: Array) -> Problem:
    """With the input minus a positive number."""
    return Problem(-x, target, ridge, growth)


# False variants


def positive_activations_as_negative(problem: Problem, share: Array, a: Array, m: Array) -> Relation:
    """The value of negative activations for positive ones, too."""
    place = position(problem, share)
    _, by_place, by_a = least_loss_from_negative(problem, place, a)
    return ge(price_of_moving(problem, a, m), -(place * by_place + (m - a) * by_a))


def path_without_leak(problem: Problem, share: Array, a: Array, m: Array) -> Relation:
    """As if the weights alone moved the activation."""
    place = position(problem, share)
    _, by_place, by_a = least_loss_from(problem, place, a)
    return ge(price_of_moving(problem, a, m), -(place * by_place + m * by_a))


def bias_is_free(problem: Problem) -> Relation:
    """The loss of the trajectory is its misfit alone."""
    start = least_loss_from(problem, 0 * problem.growth + 1, problem.x)[0]
    return eq(start, (problem.target - problem.minimal_end) ** 2)


NEGATIVE = "the target is not positive"

CLAIM = Claim(
    id="leaky_resnets.theorem_4.global_minimiser",
    title="Where input and target are negative, only the bias acts at the global minimiser",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=no_path_is_better,
    domain=Domain(
        {
            "problem": derived(
                problem_of, x=interval(0, 2), target=interval(-2, 2), ridge=interval(1 / 8, 2), growth=interval(9 / 8, 150)
            ),
            "share": interval(0, 1),
            "a": reals(),
            "m": reals(),
        },
        {},
        {NEGATIVE: target_is_not_positive},
    ),
    needs=(NEGATIVE,),
    tight={"as the minimiser moves": Tight(on_the_minimiser, of=("path", "end"))},
    false_variants={
        "the value of negative activations for positive ones, too": positive_activations_as_negative,
        "no leak": path_without_leak,
        "the bias is free": bias_is_free,
    },
    exact={"in symbols": derivatives_in_symbols},
    cost=4,
)

PRINTED = Claim(
    id="leaky_resnets.theorem_4.printed_at_global_minimisers",
    title="At global minimisers the law for the speed holds with gamma for its root",
    source=Source("leaky_resnets", "Theorem 4"),
    status=FalseAsPrinted(corrected_by="leaky_resnets.theorem_4"),
    statement=printed_speed_law,
    domain=Domain(
        {
            "trajectory": derived(
                minimiser_of,
                x=interval(0, 2),
                target=interval(0, 2),
                ridge=interval(1 / 8, 2),
                growth=interval(9 / 8, 150),
                root_gamma=interval(1 / 64, 3 / 2),
            )
        },
        {},
        {GENUINE: is_trajectory, NOT_NEGATIVE: radicand_is_not_negative},
    ),
    false_variants={},
)
