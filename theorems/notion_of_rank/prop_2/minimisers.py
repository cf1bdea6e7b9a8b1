r"""Proposition 2: the constant C_N, and global minimisers.

Statement
    The scales act on two terms of the norm of the interpolant (``statement``). For L >= 3 (``.constant``)

    .. math:: \|w\|^2 \ge L + C_N, \qquad
              C_N = \|u\|^2 + c^2 - 3 + 2 \sum_j \|m_j\| \sqrt{1 + z_j^2} + \|\beta\|^2 ,

    with equality for :math:`a_j^2 = \|m_j\| / \sqrt{1 + z_j^2}`; for L = 2 with :math:`\|u\|^2 + (c - z_j)^2` for
    :math:`1 + z_j^2`. Every global minimiser w satisfies

    .. math:: \|w\|^2 \le L + C_N \qquad\text{and}\qquad \|w\|^2 \le \frac{L}{\lambda N} \sum_i \|y_i\|^2 .

    By the second bound the cost per layer of a minimiser is below 1 for large :math:`\lambda`.
Checked
    The lower bound for all scales. Of a minimiser one thing is used: its loss is no larger than that of the interpolant (with
    any scales, whose norm then bounds that of w) and that of the zero network. The bounds are checked for all networks with
    this property, near the interpolant and far from it, with repeated points and conflicting labels. The activation is the
    ReLU.
Proof idea
    The inequality of means. No function has a smaller data loss than one that takes the mean label at every point.
Tight
    Knots where the roots are rational; the interpolant itself, and where it has the loss of zero. :math:`C_N = 0` for data on
    the line y = x that begin at 0, so that the 1 of the proposition cannot be smaller.
Source
    notion_of_rank, Proposition 2.
"""

from functools import partial

from theorems.notion_of_rank.constructions import rank_one
from theorems.notion_of_rank.prop_2.statement import (
    LENGTHS,
    SCALES,
    VARIABLES,
    curve,
    interpolant,
    mean_labels,
    norm_before,
    squared_norm,
)
from verify import Claim, DerivedHere, Domain, Networks, Q, Relation, Source, Tight, derived, integers, interval
from verify.numbers.arithmetic import rationals
from verify.words import eq, ge, holds, le, lifted, norm2, ones, sqrt

moved = lifted(rank_one.moved)


def least_norm(h, u, L, factor=2):
    """L + C_N."""
    (before, entering), (_, _, m, beta) = norm_before(h, u, L), h
    return before + factor * sqrt((m**2).sum(axis=1) * entering).sum() + norm2(beta)


def no_scales_are_better(X, Y, u, a, depth, factor=2):
    h = curve(X, Y, u)
    return ge(interpolant(h, u, a, depth).parameter_norm_squared, least_norm(h, u, depth, factor))


def unit_scales_are_best(X, Y, u, a, depth):
    h = curve(X, Y, u)
    return ge(squared_norm(h, u, a, depth), squared_norm(h, u, ones(len(a)), depth))


def without_the_root(X, Y, u, a, depth):
    h = curve(X, Y, u)
    (before, entering), (_, _, m, beta) = norm_before(h, u, depth), h
    bound = before + 2 * (sqrt((m**2).sum(axis=1)) * entering).sum() + norm2(beta)
    return ge(squared_norm(h, u, a, depth), bound)


def smallest_constant():
    """L + C_N for the identity on two points, and the norm with the best scales."""
    X, u, a = rationals([[0], [1]]), rationals([1]), rationals([1])
    h, relation = curve(X, X, u), Relation(())
    for L in (3, 4, 9):
        relation &= eq(least_norm(h, u, L), L) & eq(interpolant(h, u, a, L).parameter_norm_squared, L)
    return relation


def case(points, labels, direction, scales, step, network, root):
    """What is given: the data, curve, direction and scales of the interpolant, another network, and the ridge."""
    h = curve(points, labels, direction)
    start = interpolant(h, direction, scales, network.depth)
    return points, labels, h, direction, scales, moved(start, network, step), root**4


def norm_of_interpolant(case):
    _, _, h, u, a, F, _ = case
    return squared_norm(h, u, a, F.depth)


def norm_of_minimiser(case):
    X, Y, _, _, _, F, ridge = case
    return le(F.parameter_norm_squared, norm_of_interpolant(case), name="interpolant") & le(
        F.parameter_norm_squared, F.depth / (ridge * len(X)) * norm2(Y), name="zero"
    )


def one_layer_less(case):
    """The norm of the interpolant with an identity layer less."""
    return le(case[5].parameter_norm_squared, norm_of_interpolant(case) - 1)


def ridge_not_divided_by_the_depth(case):
    X, Y, _, _, _, F, ridge = case
    return le(F.parameter_norm_squared, norm2(Y) / (ridge * len(X)))


def loss(case, values, norm):
    X, Y, _, _, _, F, ridge = case
    return norm2(values - Y) / len(X) + ridge / F.depth * norm


def loss_of_network(case):
    X, _, _, _, _, F, _ = case
    return loss(case, F(X), F.parameter_norm_squared)


def not_above_interpolant(case):
    X, Y, *_ = case
    return holds(le(loss_of_network(case), loss(case, mean_labels(X, Y), norm_of_interpolant(case))))


def not_above_zero(case):
    return holds(le(loss_of_network(case), loss(case, 0, 0)))


def interpolant_of_two(L, label, root):
    """The interpolant of (0, 0) and (1, label) as the network that is compared, for the ridge ``root ** 4``.

    It costs L for the label 1. For the label 2 and the ridge 1 it costs L + 3, and the zero network has the loss 2.
    """
    X, Y, one = rationals([[0], [1]]), rationals([[0], [label]]), rationals([1])
    h = curve(X, Y, one)
    return {"case": (X, Y, h, one, one, interpolant(h, one, one, L), Q(root) ** 4)}


CONSTANT = Claim(
    id="notion_of_rank.prop_2.constant",
    title="The best scales of the interpolant give L + C_N",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=no_scales_are_better,
    domain=Domain({**VARIABLES, "a": SCALES}, {"depth": (2, 3, 4, 6, 13), **LENGTHS}),
    tight={
        # the roots of 1 + z^2 are rational, the coefficients 4 and 5, and the best scales 2 and 2
        "Pythagorean knots": {"X": [[0], ["3/4"], [2]], "Y": [[0], [3], ["57/4"]], "u": [1], "a": [2, 2], "depth": 4},
        "the identity": {"X": [[0], [1]], "Y": [[0], [1]], "u": [1], "a": [1], "depth": 3},
    },
    false_variants={
        "21/10 times the sum": {"factor": Q("21/10")},
        "without the root": without_the_root,
        "scales of one are best": unit_scales_are_best,
    },
    exact={"C_N = 0 for the identity": smallest_constant},
)

MINIMISERS = Claim(
    id="notion_of_rank.prop_2.minimisers",
    title="The interpolant and zero bound the norm of a global minimiser",
    source=Source("notion_of_rank", "Proposition 2"),
    statement=norm_of_minimiser,
    domain=Domain(
        {
            "case": derived(
                case,
                points=VARIABLES["X"],
                labels=VARIABLES["Y"],
                direction=VARIABLES["u"],
                scales=SCALES,
                step=integers(0, 4),
                network=Networks(width="count"),
                root=interval(Q("1/8"), Q("3/2")),
            )
        },
        {"depth": (2, 3, 4, 6), **LENGTHS},
        {
            "the loss is at most that of the interpolant": not_above_interpolant,
            "the loss is at most that of zero": not_above_zero,
        },
    ),
    needs=("the loss is at most that of the interpolant", "the loss is at most that of zero"),
    tight={
        "the interpolant itself": Tight(partial(interpolant_of_two, 3, 1, "1/2"), of=("interpolant",)),
        "the interpolant, depth 5": Tight(partial(interpolant_of_two, 5, 1, "1/2"), of=("interpolant",)),
        "as good as zero": partial(interpolant_of_two, 3, 2, "1"),
    },
    false_variants={
        "an identity layer less": one_layer_less,
        "lambda not divided by L": ridge_not_divided_by_the_depth,
    },
)
