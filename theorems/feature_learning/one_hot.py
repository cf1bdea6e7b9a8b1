r"""One-hot outputs: the square root of the outputs' covariance is a sum of blocks, and the plateau starts at the classes.

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
Sharp
    The neurons :math:`m_c^{-1/4}1_c`.
Source
    feature_learning, Section 4.2 after Proposition 14, and Appendix D.1 (which speaks of one-hot lines and means columns).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.layers import gram, row_costs, trace
from theorems.feature_learning.constructions.outputs_on_identity import reached
from theorems.feature_learning.constructions.pruning import in_use, number_in_use
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, integers, interval
from verify.arithmetic import Array, compare, rationals, sqrt
from verify.cones.covariance_pairs import covariance_pair
from verify.cones.support_graphs import like
from verify.matrices import nuclear_norm, rank
from verify.networks import relu
from verify.symbolic import identically_zero

CLASSES = 4


def one_hot(labels: Array, classes: int = CLASSES) -> Array:
    """Columns with a one at the place of the label, ``(..., N) -> (..., classes, N)``."""
    places = like(np.arange(classes)[:, None], labels)
    return like(compare(labels[..., None, :], places) == 0, labels)


def class_sizes(outputs: Array) -> Array:
    """How many columns every class has, ``(..., C, N) -> (..., C)``."""
    return np.asarray(outputs.sum(axis=-1))


def one_for_empty(sizes: Array) -> Array:
    """The sizes, with 1 for empty classes, so that divisions have a value."""
    return np.asarray(sizes + 1 - in_use(sizes))


def block_weights(sizes: Array) -> Array:
    r""":math:`m_c^{-1/2}`, and 0 for empty classes."""
    return np.asarray(in_use(sizes) / sqrt(one_for_empty(sizes)))


def blocks(outputs: Array, weights: Array) -> Array:
    """The sum of the weighted blocks of ones, shapes ``(..., C, N), (..., C) -> (..., N, N)``."""
    return np.asarray(np.swapaxes(outputs, -1, -2) @ (weights[..., None] * outputs))


def root_is_a_sum_of_blocks(outputs: Array) -> Relation:
    """The blocks square to the covariance, and there are as many as the rank."""
    sizes = class_sizes(outputs)
    weights, covariance = block_weights(sizes), gram(outputs)
    root = blocks(outputs, weights)
    return (
        eq(root @ root, covariance, name="root", over=2)
        & ge(weights, 0 * weights, name="no negative weight", over=1)
        & eq(like(rank(covariance), outputs), number_in_use(sizes), name="number of terms")
    )


def cost_of_pair(outputs: Array, vectors: Array, weights: Array) -> Array:
    """The cost of a pair for the inputs X = I."""
    K, _ = covariance_pair(vectors, relu(), weights=weights)
    return np.asarray(trace(K) + row_costs(outputs, relu()(vectors), weights).sum(axis=-1))


def neurons_in_use(vectors: Array, weights: Array) -> Array:
    """How many of the neurons are active at some point and have a weight."""
    return number_in_use(weights * relu()(vectors).sum(axis=-1))


def cost_of_classes(classified: tuple[Array, Array], weights: Array) -> Relation:
    """The cost of a pair that reaches the outputs, and the number of its neurons."""
    outputs, vectors = classified
    sizes = class_sizes(outputs)
    cost = ge(cost_of_pair(outputs, vectors, weights), 2 * sqrt(sizes).sum(axis=-1), name="cost")
    return cost & ge(neurons_in_use(vectors, weights), number_in_use(sizes), name="neurons")


# False variants


def blocks_divided_by_the_size(outputs: Array) -> Relation:
    """The blocks with the weights 1/m_c are the root."""
    sizes = class_sizes(outputs)
    root = blocks(outputs, in_use(sizes) / one_for_empty(sizes))
    return eq(root @ root, gram(outputs), over=2)


def empty_classes_count(outputs: Array) -> Relation:
    """The rank is the number of all classes."""
    found = like(rank(gram(outputs)), outputs)
    return eq(found, 0 * found + outputs.shape[-2])


def cost_by_the_sizes(classified: tuple[Array, Array], weights: Array) -> Relation:
    """The cost is at least twice the number of points."""
    outputs, vectors = classified
    return ge(cost_of_pair(outputs, vectors, weights), 2 * class_sizes(outputs).sum(axis=-1))


def neuron_for_an_empty_class(classified: tuple[Array, Array], weights: Array) -> Relation:
    """There is a neuron for every class."""
    outputs, vectors = classified
    found = neurons_in_use(vectors, weights)
    return ge(found, 0 * found + outputs.shape[-2])


# Instances and exact parts


def outputs_are_reached(classified: tuple[Array, Array], weights: Array) -> Any:
    """Whether the outputs are combinations of the rectified vectors with positive weights."""
    outputs, vectors = classified
    return reached(outputs, relu()(vectors), weights)


def labelled_neurons(labels: Array, others: Array, aligned: Array, further: Array) -> tuple[Array, Array]:
    """Outputs, and vectors: the indicators of the classes, or what is drawn in their place, and perhaps further ones."""
    outputs, share = one_hot(labels), aligned[..., None, None]
    first = share * outputs + (1 - share) * others[..., :CLASSES, :]
    return outputs, np.concatenate([first, further[..., None, None] * others[..., CLASSES:, :]], axis=-2)


def optimal_neurons(sizes: Sequence[int]) -> dict[str, Any]:
    """Classes of these sizes, perfect squares for rationals, with the optimal pair."""
    outputs = one_hot(rationals(np.repeat(np.arange(len(sizes)), sizes)), len(sizes))
    return {"classified": (outputs, outputs), "weights": block_weights(class_sizes(outputs))}


def cost_is_attained(sizes: Sequence[int], value: int) -> Relation:
    r"""The nuclear norm, and the cost of the optimal pair, are :math:`2\sum\sqrt{m_c}`: `value`, of perfect squares."""
    (outputs, vectors), weights = optimal_neurons(sizes).values()
    return eq(cost_of_pair(outputs, vectors, weights), value) & eq(2 * nuclear_norm(outputs), value)


def blocks_in_symbols(largest: int = 6) -> Relation:
    """A block of any size m: its square, and its part of the cost at a weight w, which is smallest for the square root."""
    import sympy as sp

    w = sp.Symbol("w", positive=True)
    expressions: list[Any] = []
    for m in range(1, largest + 1):
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
    domain=Domain({"outputs": derived(one_hot, labels=integers(0, CLASSES - 1, "points"))}, {"points": range(1, 10)}),
    tight={
        "classes of 4, 0, 1": Tight(
            lambda: {"outputs": optimal_neurons([4, 0, 1])["classified"][0]}, of=("no negative weight",), partly=True
        )
    },
    false_neighbours={
        "blocks divided by the size of the class": blocks_divided_by_the_size,
        "empty classes count": empty_classes_count,
    },
    exact={"blocks of up to 6 points": blocks_in_symbols},
)

COST = Claim(
    id="feature_learning.one_hot.cost",
    title="One-hot outputs cost twice the sum of the roots of the class sizes",
    source=SOURCE,
    status=Ours(),
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
            "weights": interval(0, np.inf, lambda sizes: CLASSES + sizes["more"]),
        },
        {"points": (1, 3, 4, 6), "more": range(3)},
        hypotheses={"the outputs are reached": outputs_are_reached},
    ),
    needs=("the outputs are reached",),
    tight={
        f"classes of {sizes}": Tight(partial(optimal_neurons, sizes), of=("cost", "neurons"))
        for sizes in ([1], [4, 1], [4, 9, 0, 1])
    },
    false_neighbours={
        "sizes in place of their roots": cost_by_the_sizes,
        "a neuron for an empty class": neuron_for_an_empty_class,
    },
    exact={
        "classes of 4 and 1 cost 6": partial(cost_is_attained, [4, 1], 6),
        "classes of 9, 4 and 1 cost 12": partial(cost_is_attained, [9, 4, 1], 12),
        "classes of 16 cost 8": partial(cost_is_attained, [16], 8),
    },
)
