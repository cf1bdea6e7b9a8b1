r"""Corollary 9 in an example: width 1 and minimisers of rank 1.

Statement
    A width n is on the plateau if and only if there is a global minimiser of which no hidden pair has a rank above n.
Checked
    ReLU networks of widths (1, n, 1) without bias on X = (1, -1), Y = (1, y), :math:`|y| \le 1`, with the ridge
    :math:`\lambda < 1`. The smallest loss of width 1 is :math:`1 - (1 - \lambda)^2 + y^2`, that of any width is less by
    :math:`(|y| - \lambda)_+^2`; and the minimiser, which has a neuron for each point with a positive output, has rank 1 if and
    only if both are equal. For that the rank of its pair is found from the pair.
Proof idea
    A neuron sees one data point, and each output is a soft threshold.
Tight
    The best single neuron, and the best pair of neurons.
Source
    feature_learning, Corollary 9; the family is derived here.
"""

from functools import partial

from theorems.feature_learning.constructions.ranks import rank_of_layer
from theorems.feature_learning.constructions.segment import regularised_loss
from verify import Claim, DerivedHere, Domain, Q, Source, derived, integers, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import absolute, eq, le, relu, stack, vector, where


def drawn_problem(c, d, small, share):
    r"""c, d and y: :math:`\lambda = 1 - c^2`, and :math:`|y| = \lambda + d^2`, at `small` 2 with d = c, so that |y| is 1.

    For `small` 1, d = 0 and y is a share of lambda.

    The neurons of the minimiser have the weights c and -d.
    """
    d, lam = where(small == 1, 0, where(small == 2, c, d)), 1 - c**2
    return c, d, where(small == 1, share * lam, where(share < 0, -1, 1) * (lam + d**2))


def smallest_losses(c, y):
    """Those of width 1, and of any width."""
    lam = 1 - c**2
    single = 1 - (1 - lam) ** 2 + y**2
    return single, single - relu(absolute(y) - lam) ** 2


def rank_of_minimiser(c, d):
    """That of the pair of the neurons c(1, -1) and d(-1, 1)."""
    return rank_of_layer(stack([c, -d])[:, None] * vector(1, -1), vector(1, 0))


def rank_decides_the_plateau(problem, w, v, incoming, outgoing):
    """A single neuron has the weights w and v."""
    c, d, y = problem
    lam, (single, smallest) = 1 - c**2, smallest_losses(c, y)
    minimiser = regularised_loss(vector(c, -d), vector(c, where(y < 0, -1, 1) * d), lam, 1, y)
    return (
        le(single, regularised_loss(vector(w), vector(v), lam, 1, y), name="width 1")
        & le(smallest, regularised_loss(incoming, outgoing, lam, 1, y), name="any width")
        & eq(minimiser, smallest, name="minimiser")
        & eq(single == smallest, 2 - rank_of_minimiser(c, d), name="equivalence")
    )


def for_larger_outputs(problem, w, v, incoming, outgoing):
    """|y| up to 1001/1000 and more: with d larger by a thousandth."""
    c, d, y = problem
    d = Q("1.001") * d
    larger = where(d == 0, y, where(y < 0, -1, 1) * (1 - c**2 + d**2))
    return rank_decides_the_plateau((c, d, larger), w, v, incoming, outgoing)


def always_on_the_plateau(problem):
    single, smallest = smallest_losses(problem[0], problem[2])
    return eq(single == smallest, 1)


def never_on_the_plateau(problem):
    single, smallest = smallest_losses(problem[0], problem[2])
    return eq(single == smallest, 0)


def instance(c, d, y):
    """A problem, its best single neuron, and its minimiser."""
    problem = tuple(map(rationals, (c, d, y)))
    return {"problem": problem, "w": c, "v": c, "incoming": rationals([c, d]) * [1, -1], "outgoing": [c, d]}


EQUIVALENCE = Claim(
    id="feature_learning.cor_9.equivalence",
    title="In a family, width 1 is on the plateau iff the minimiser has rank 1",
    source=Source("feature_learning", "Corollary 9"),
    status=DerivedHere(),
    statement=rank_decides_the_plateau,
    domain=Domain(
        {
            "problem": derived(
                drawn_problem, c=interval(0.25, 1), d=interval(0, 1), small=integers(0, 2), share=interval(-1, 1)
            ),
            "w": reals(),
            "v": reals(),
            "incoming": reals("width"),
            "outgoing": reals("width"),
        },
        {"width": (2, 3, 4)},
        {"|y| is at most 1": lambda problem: absolute(problem[2]) <= 1},
    ),
    needs=("|y| is at most 1",),
    tight={"rank 2": partial(instance, "4/5", "1/2", "61/100"), "rank 1": partial(instance, "4/5", "0", "1/5")},
    false_variants={"|y| above 1": for_larger_outputs, "always": always_on_the_plateau, "never": never_on_the_plateau},
    cost=4,
)
