r"""One-hot outputs: the plateau starts at the number of classes.

Statement
    For Y with one-hot columns, :math:`m_c` of them in class c, let :math:`1_c` be the indicator of the class. Then

    .. math:: \sqrt{Y^TY} = \sum_{m_c > 0} \frac{1_c1_c^T}{\sqrt{m_c}}, \qquad
       \mathrm{Rank}_{cp}\sqrt{Y^TY} = \#\{c : m_c > 0\}, \qquad R(I, Y) = 2\sum_c \sqrt{m_c} ,

    the last for shallow ReLU networks without bias and with the inputs X = I, by Proposition 14.
Checked
    The sum is completely positive with that square, and has as many terms as its rank, so that no factor without negative
    entries has fewer rows. No pair of covariances that gives the outputs Y costs less,

    .. math:: \mathrm{Tr}\,K + \mathrm{Tr}[Y^TY(K^\sigma)^+] \ge 2\sum_c\sqrt{m_c} ,

    nor has fewer neurons than there are classes that occur.
Proof idea
    :math:`\mathrm{Tr}\,K \ge \mathrm{Tr}\,K^\sigma`, and the rest is smallest for the square root.
Tight
    The neurons :math:`m_c^{-1/4}1_c`.
Source
    feature_learning, Section 4.2 after Proposition 14, and Appendix D.1 (which speaks of one-hot lines and means columns).
"""

from functools import partial

import numpy as np

from theorems.feature_learning.constructions.layers import row_costs
from theorems.feature_learning.constructions.outputs_on_identity import reached
from verify import Claim, DerivedHere, Domain, Source, Tight, derived, integers, interval
from verify.numbers.arithmetic import rationals
from verify.numbers.symbolic import identically_zero
from verify.words import absolute, concatenate, eq, ge, minimum, nuclear_norm, rank, relu, sqrt, trace, where

CLASSES = 4


def one_hot(labels, classes=CLASSES):
    """Columns with a one at the place of the label."""
    return 1 - minimum(absolute(labels[None] - np.arange(classes)[:, None]), 1)


def sizes_of_classes(Y):
    return Y.sum(axis=1)


def inverse_roots(m):
    r""":math:`m_c^{-1/2}`, and 0 for empty classes."""
    return where(m > 0, 1 / sqrt(where(m > 0, m, 1)), 0)


def root_is_a_sum_of_blocks(Y):
    """There are as many blocks as the rank."""
    m = sizes_of_classes(Y)
    weights, K = inverse_roots(m), Y.T @ Y
    root = Y.T @ (weights[:, None] * Y)
    return (
        eq(root @ root, K, name="root")
        & ge(weights, 0, name="no negative weight")
        & eq(rank(K), (m > 0).sum(), name="number of terms")
    )


def blocks_divided_by_the_size(Y):
    root = Y.T @ (inverse_roots(sizes_of_classes(Y))[:, None] ** 2 * Y)
    return eq(root @ root, Y.T @ Y)


def empty_classes_count(Y):
    return eq(rank(Y.T @ Y), len(Y))


def cost(Y, V, alpha):
    r""":math:`\mathrm{Tr}\,K + \mathrm{Tr}[Y^TY(K^\sigma)^+]` of the pair of neurons V with weights."""
    return trace(V.T @ (alpha[:, None] * V)) + row_costs(Y, relu(V), alpha).sum()


def neurons_in_use(V, alpha):
    """How many are active at some point and have a weight."""
    return (alpha * relu(V).sum(axis=1) > 0).sum()


def cost_of_classes(classified, alpha):
    (Y, V), m = classified, sizes_of_classes(classified[0])
    costs = ge(cost(Y, V, alpha), 2 * sqrt(m).sum(), name="cost")
    return costs & ge(neurons_in_use(V, alpha), (m > 0).sum(), name="neurons")


def sizes_in_place_of_roots(classified, alpha):
    Y, V = classified
    return ge(cost(Y, V, alpha), 2 * sizes_of_classes(Y).sum())


def neuron_for_an_empty_class(classified, alpha):
    return ge(neurons_in_use(classified[1], alpha), len(classified[0]))


def labelled_neurons(labels, others, aligned, further):
    """Y, and vectors: the indicators of the classes, or what is drawn in their place, and perhaps further ones."""
    Y = one_hot(labels)
    first = aligned * Y + (1 - aligned) * others[:CLASSES]
    return Y, concatenate([first, further * others[CLASSES:]])


def optimal_neurons(*sizes):
    """Classes of these sizes, perfect squares for rationals, with the optimal pair."""
    Y = one_hot(rationals(np.repeat(np.arange(len(sizes)), sizes)), len(sizes))
    return {"classified": (Y, Y), "alpha": inverse_roots(sizes_of_classes(Y))}


def cost_is(value, a, b=0, c=0):
    """The cost of the optimal pair, and twice the nuclear norm, for classes of three sizes."""
    (Y, V), alpha = optimal_neurons(a, b, c).values()
    return eq(cost(Y, V, alpha), value) & eq(2 * nuclear_norm(Y), value)


def blocks_in_symbols():
    """A block of any size m: its square, and its part of the cost at a weight w, which is smallest for the square root."""
    import sympy as sp

    w = sp.Symbol("w", positive=True)
    expressions = []
    for m in range(1, 7):
        ones = sp.ones(m, m)
        block = ones / sp.sqrt(m)
        cost = sp.trace(w * ones) + sp.trace(ones * (w * ones).pinv())
        expressions += [*(block * block - ones), cost - (m * w - sp.sqrt(m)) ** 2 / (m * w) - 2 * sp.sqrt(m)]
    return identically_zero(*expressions)


SOURCE = Source("feature_learning", "Section 4.2")

CLAIM = Claim(
    id="feature_learning.one_hot",
    title="The square root of a one-hot covariance is made of blocks",
    source=SOURCE,
    statement=root_is_a_sum_of_blocks,
    domain=Domain(
        {"Y": derived(one_hot, labels=integers(0, CLASSES - 1, "points"), role="one-hot targets")}, {"points": range(1, 10)}
    ),
    tight={
        "classes of 4, 0, 1": Tight(
            lambda: {"Y": optimal_neurons(4, 0, 1)["classified"][0]}, of=("no negative weight",), partly=True
        )
    },
    false_variants={
        "blocks divided by the size of the class": blocks_divided_by_the_size,
        "empty classes count": empty_classes_count,
    },
    exact={"blocks of up to 6 points": blocks_in_symbols},
)

COST = Claim(
    id="feature_learning.one_hot.cost",
    title="One-hot outputs cost twice the sum of the roots of the class sizes",
    source=SOURCE,
    status=DerivedHere(),
    statement=cost_of_classes,
    domain=Domain(
        {
            "classified": derived(
                labelled_neurons,
                labels=integers(0, CLASSES - 1, "points"),
                others=integers(-3, 3, lambda sizes: CLASSES + sizes["more"], "points"),
                aligned=integers(0, 1),
                further=integers(0, 1),
            ),
            "alpha": interval(0, np.inf, lambda sizes: CLASSES + sizes["more"]),
        },
        {"points": (1, 3, 4, 6), "more": range(3)},
        {"the outputs are reached": lambda classified, alpha: reached(classified[0], relu(classified[1]), alpha)},
    ),
    needs=("the outputs are reached",),
    tight={
        f"classes of {sizes}": Tight(partial(optimal_neurons, *sizes), of=("cost", "neurons"))
        for sizes in ([1], [4, 1], [4, 9, 0, 1])
    },
    false_variants={
        "sizes in place of their roots": sizes_in_place_of_roots,
        "a neuron for an empty class": neuron_for_an_empty_class,
    },
    exact={
        "classes of 4 and 1 cost 6": partial(cost_is, 6, 4, 1),
        "classes of 9, 4 and 1 cost 12": partial(cost_is, 12, 9, 4, 1),
        "classes of 16 cost 8": partial(cost_is, 8, 16),
    },
)
