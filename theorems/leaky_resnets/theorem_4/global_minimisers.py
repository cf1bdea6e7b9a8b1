r"""Theorem 4 as printed fails at global minimisers.

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
Tight
    Both inequalities, as the minimiser moves. For a > 0 the first has room: it holds without the cost of moving.
Source
    Derived here; the printed law is leaky_resnets, Theorem 4.
"""

from theorems.leaky_resnets.constructions.seen_trajectories import GENUINE, pure_bias_trajectory
from theorems.leaky_resnets.theorem_4.statement import NOT_NEGATIVE, printed_speed_law, radicand_is_not_negative
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Q, Source, Tight, derived, interval, reals
from verify.numbers.symbolic import identically_zero
from verify.words import eq, ge, le, minimum, relu, where


def adjoint(x, F, lam, g):
    r""":math:`\beta`, the adjoint of the minimiser at p = 0; R(1, x) is F - x/g for an input that is not positive."""
    return 2 * g * (F - x / g) / (lam * g**2 + g**2 - 1)


def end(x, F, lam, g):
    r""":math:`a_1` of the minimiser."""
    return (x + adjoint(x, F, lam, g) * (g**2 - 1) / 2) / g


def G(E, a, F, lam, g):
    R = F - E / g * minimum(a, 0)
    return lam * g**2 * R**2 / (lam * g**2 + g**2 - E**2)


def slopes(E, a, F, lam, g):
    r""":math:`\partial_EG` and :math:`\partial_aG`, for a < 0."""
    R, rest = F - E / g * a, lam * g**2 + g**2 - E**2
    return lam * g**2 * (2 * E * R**2 / rest**2 - 2 * R * a / (g * rest)), -2 * lam * g * E * R / rest


def price_of_moving(a, m, lam):
    return lam / 2 * m**2 / (1 + relu(a) ** 2)


def problem_of(x, target, ridge, growth):
    return -x, target, ridge, growth


def no_path_is_better(problem, share, a, m):
    """E is 1 + (g - 1) share. "loss" and "critical" are of the trajectory that is claimed to be best."""
    x, F, lam, g = problem
    E, beta, misfit = 1 + (g - 1) * share, adjoint(x, F, lam, g), F - end(x, F, lam, g)
    by_E, by_a = slopes(E, minimum(a, 0), F, lam, g)
    return (
        ge(price_of_moving(a, m, lam), -(E * by_E + (m - a) * where(a > 0, 0, by_a)), name="path")
        & le(G(g, a, F, lam, g), (F - a) ** 2, name="end")
        & eq(G(1, x, F, lam, g), misfit**2 + lam / 4 * beta**2 * (g**2 - 1), name="loss")
        & eq(lam * g * beta, 2 * misfit, name="critical")
    )


def on_the_minimiser():
    """A point that moves as the minimiser does: the rate along the path is 0 there."""
    F, lam, g, share, a = -2, Q(1, 2), 2, Q(1, 2), Q(-3, 2)
    E = 1 + share
    m = 2 * g * E * (F - a * E / g) / (lam * g**2 + g**2 - E**2)
    return {"problem": (-1, F, lam, g), "share": share, "a": a, "m": m}


def derivatives_in_symbols():
    """Those of G where a is negative, those where it is positive, and the square."""
    import sympy as sp

    E, a, m, F, lam, g = sp.symbols("E a m F lambda g", real=True)
    rest = lam * g**2 + g**2 - E**2
    remainders = []
    for below in (a, sp.Integer(0)):
        left = F - below * E / g
        value = lam * g**2 * left**2 / rest
        by_place = lam * g**2 * (2 * E * left**2 / rest**2 - 2 * left * below / (g * rest))
        by_a = -lam * g**2 * 2 * left * E / (g * rest) * (0 if below == 0 else 1)
        remainders += [value.diff(E) - by_place, value.diff(a) - by_a]
        if below != 0:
            square = lam / 2 * (m - 2 * g * E * left / rest) ** 2
            remainders.append(lam / 2 * m**2 + E * by_place + (m - a) * by_a - square)
    return identically_zero(*(sp.numer(sp.together(one)) for one in remainders))


# False variants


def positive_activations_as_negative(problem, share, a, m):
    """The value of negative activations for positive ones, too."""
    _, F, lam, g = problem
    E = 1 + (g - 1) * share
    by_E, by_a = slopes(E, a, F, lam, g)
    return ge(price_of_moving(a, m, lam), -(E * by_E + (m - a) * by_a))


def path_without_leak(problem, share, a, m):
    """As if the weights alone moved the activation."""
    _, F, lam, g = problem
    E = 1 + (g - 1) * share
    by_E, by_a = slopes(E, minimum(a, 0), F, lam, g)
    return ge(price_of_moving(a, m, lam), -(E * by_E + m * where(a > 0, 0, by_a)))


def bias_is_free(problem):
    """The loss of the trajectory is its misfit alone."""
    x, F, lam, g = problem
    return eq(G(1, x, F, lam, g), (F - end(x, F, lam, g)) ** 2)


def minimiser(x, target, ridge, growth, root_gamma):
    """The trajectory of least loss, as Theorem 4 sees it, for the negatives of a positive input and target."""
    return pure_bias_trajectory(-x, adjoint(-x, -target, ridge, growth), growth, root_gamma)


NEGATIVE = "the target is not positive"

CLAIM = Claim(
    id="leaky_resnets.theorem_4.global_minimiser",
    title="For negative input and target only the bias acts at the minimiser",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
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
        {NEGATIVE: lambda problem: problem[1] <= 0},
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
    title="The law for the speed with gamma for its root, at global minimisers",
    source=Source("leaky_resnets", "Theorem 4"),
    status=FalseAsPrinted(corrected_by="leaky_resnets.theorem_4"),
    statement=printed_speed_law,
    domain=Domain(
        {
            "trajectory": derived(
                minimiser,
                x=interval(0, 2),
                target=interval(0, 2),
                ridge=interval(1 / 8, 2),
                growth=interval(9 / 8, 150),
                root_gamma=interval(1 / 64, 3 / 2),
            )
        },
        {},
        {GENUINE: lambda trajectory: trajectory.genuine, NOT_NEGATIVE: radicand_is_not_negative},
    ),
    false_variants={},
)
