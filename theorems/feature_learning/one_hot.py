r"""One-hot outputs: the square root of the outputs' covariance is a sum of blocks, and the plateau starts at the classes.

For Y with one-hot columns, :math:`m_c` of them in class c, let :math:`1_c` be the indicator of the class. Then

.. math:: \sqrt{Y^TY} = \sum_{m_c > 0} \frac{1_c1_c^T}{\sqrt{m_c}}, \qquad
   \mathrm{Rank}_{cp}\sqrt{Y^TY} = \#\{c : m_c > 0\}, \qquad R(I, Y) = 2\sum_c \sqrt{m_c} ,

the last for shallow ReLU networks without bias and with the inputs X = I, by Proposition 14. Checked are: that the sum is
completely positive with that square, that it has as many terms as its rank (so no factor without negative entries has fewer
rows); and that no pair of covariances that gives the outputs Y costs less,

.. math:: \mathrm{Tr}\,K + \mathrm{Tr}[Y^TY(K^\sigma)^+] \ge 2\sum_c\sqrt{m_c} ,

nor has fewer neurons than there are classes that occur. Both bounds are attained by the neurons :math:`m_c^{-1/4}1_c`. The idea
of the second: :math:`\mathrm{Tr}\,K \ge \mathrm{Tr}\,K^\sigma`, and the rest is smallest for the square root. (The appendix
speaks of one-hot lines, but means columns: a column is the output at a data point.)

Source: feature_learning, Section 4.2 after Proposition 14, and Appendix D.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.feature_learning.caratheodory import in_use
from theorems.feature_learning.prop_3_covariances import row_costs
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, integers, interval, le
from verify.arithmetic import Array, compare, maximum, rationals, sqrt
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


def occurring(sizes: Array) -> Array:
    """How many classes are not empty."""
    return np.asarray(in_use(sizes).sum(axis=-1))


def block_weights(sizes: Array, degree: int = 2) -> Array:
    r""":math:`m_c^{-1/2}` (or, for false neighbours, :math:`m_c^{-1}`), and 0 for empty classes."""
    present = in_use(sizes)
    # 1 in place of 0, so that the division has a value
    roots = sqrt(sizes + 1 - present) if degree == 2 else sizes + 1 - present
    return np.asarray(present / roots)


def blocks(outputs: Array, weights: Array) -> Array:
    """The sum of the weighted blocks of ones, shapes ``(..., C, N), (..., C) -> (..., N, N)``."""
    return np.asarray(np.swapaxes(outputs, -1, -2) @ (weights[..., None] * outputs))


def root_is_a_sum_of_blocks(
    outputs: Array, degree: int = 2, ratio: int = 10_000, less: int = 0, empty: bool = False
) -> Relation:
    """The blocks square to the covariance, and there are as many as the rank."""
    sizes = class_sizes(outputs)
    weights = block_weights(sizes, degree) * ratio / 10_000
    root, covariance = blocks(outputs, weights), np.swapaxes(outputs, -1, -2) @ outputs
    terms = 0 * occurring(sizes) + outputs.shape[-2] if empty else occurring(sizes)
    return (
        eq(root @ root, covariance, over=2)
        & ge(weights, 0 * weights, over=1)
        & eq(like(rank(covariance), outputs), terms - less)
    )


def covariance_cost(outputs: Array, vectors: Array, weights: Array) -> tuple[Array, Array]:
    """The cost of the pair of vectors with weights for the inputs X = I, and its size in a comparison: times a condition."""
    K, K_sigma = covariance_pair(vectors, relu(), weights=weights)
    rectified, unit = relu()(vectors), like(np.eye(vectors.shape[-1], dtype=np.int64), vectors)
    cost = np.trace(K, axis1=-2, axis2=-1) + row_costs(outputs, rectified, weights).sum(axis=-1)
    condition = np.trace(K_sigma, axis1=-2, axis2=-1) * row_costs(unit, rectified, weights).sum(axis=-1)
    return cost, cost * maximum(condition, 0 * condition + 1)


def neurons_in_use(vectors: Array, weights: Array) -> Array:
    """The rectified vectors, those without weight set to 0, ``(..., k, N)``."""
    return np.asarray(in_use(weights)[..., None] * relu()(vectors))


def cost_of_classes(
    classified: tuple[Array, Array],
    weights: Array,
    ratio: int = 10_000,
    rooted: bool = True,
    more: int = 0,
    empty: bool = False,
) -> Relation:
    """The cost of a pair that reaches the outputs, and the number of its neurons."""
    outputs, vectors = classified
    sizes = class_sizes(outputs)
    cost, scale = covariance_cost(outputs, vectors, weights)
    bound = 2 * (sqrt(sizes) if rooted else sizes).sum(axis=-1)
    neurons = in_use(neurons_in_use(vectors, weights).sum(axis=-1)).sum(axis=-1)
    needed = 0 * neurons + outputs.shape[-2] if empty else occurring(sizes)
    return le(bound * ratio / 10_000, cost, scale=scale) & ge(neurons, needed + more)


def reached(classified: tuple[Array, Array], weights: Array) -> npt.NDArray[np.bool_]:
    """Whether the outputs are combinations of the rectified vectors with positive weights."""
    rectified = neurons_in_use(classified[1], weights)
    return np.asarray(rank(np.concatenate([rectified, classified[0]], axis=-2)) == rank(rectified))


def labelled_neurons(labels: Array, others: Array, aligned: Array, further: Array) -> tuple[Array, Array]:
    """Outputs, and vectors: the indicators of the classes, or what is drawn in their place, and perhaps further ones."""
    outputs, share = one_hot(labels), aligned[..., None, None]
    first = share * outputs + (1 - share) * others[..., :CLASSES, :]
    return outputs, np.concatenate([first, further[..., None, None] * others[..., CLASSES:, :]], axis=-2)


def optimal_neurons(sizes: Sequence[int]) -> dict[str, Any]:
    """Classes of these sizes, perfect squares for rationals, with the optimal pair."""
    outputs = one_hot(rationals(np.repeat(np.arange(len(sizes)), sizes)))
    return {"classified": (outputs, outputs), "weights": block_weights(class_sizes(outputs))}


def cost_is_attained(sizes: Sequence[int], value: Any) -> Relation:
    r"""The nuclear norm, and the cost of the optimal pair, are :math:`2\sum\sqrt{m_c}`: `value`, of perfect squares."""
    (outputs, vectors), weights = optimal_neurons(sizes).values()
    cost = covariance_cost(outputs, vectors, weights)[0]
    return eq(cost, value) & eq(2 * nuclear_norm(outputs), value)


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
    domain=Domain({"outputs": derived(one_hot, labels=integers(0, CLASSES - 1, "points"))}, {"points": range(1, 9)}),
    tight={"classes of 4, 1, 1": Tight(lambda: {"outputs": optimal_neurons([4, 1, 1])["classified"][0]})},
    false_neighbours={
        "blocks divided by the size of the class": partial(root_is_a_sum_of_blocks, degree=1),
        "0.01 percent larger blocks": partial(root_is_a_sum_of_blocks, ratio=10_001),
        "one row less": partial(root_is_a_sum_of_blocks, less=1),
        "empty classes count": partial(root_is_a_sum_of_blocks, empty=True),
    },
    exact={"blocks of up to 6 points": blocks_in_symbols},
)

COST = Claim(
    id="feature_learning.one_hot.cost",
    title="Representation cost and width of one-hot outputs",
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
        {"points": range(1, 6), "more": range(3)},
        hypotheses={"the outputs are reached": reached},
    ),
    needs=("the outputs are reached",),
    tight={f"classes of {sizes}": Tight(partial(optimal_neurons, sizes)) for sizes in ([1], [4, 1], [4, 9, 0, 1])},
    false_neighbours={
        "0.01 percent more": partial(cost_of_classes, ratio=10_001),
        "sizes in place of their roots": partial(cost_of_classes, rooted=False),
        "one neuron more": partial(cost_of_classes, more=1),
        "a neuron for an empty class": partial(cost_of_classes, empty=True),
    },
    exact={
        "classes of 4 and 1 cost 6": partial(cost_is_attained, [4, 1], 6),
        "classes of 9, 4 and 1 cost 12": partial(cost_is_attained, [9, 4, 1], 12),
        "classes of 16 cost 8": partial(cost_is_attained, [16], 8),
    },
)
