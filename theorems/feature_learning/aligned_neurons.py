r"""Aligned neurons: a group of them can be replaced by one without changing the function.

Statement
    For a homogeneous activation, neurons :math:`p_iz` with :math:`p_i \ge 0` are replaced by the single neuron
    :math:`\|p\|z`. For two, z and :math:`\alpha z` become :math:`\sqrt{1 + \alpha^2}\,z`.
Checked
    Between any neighbours, the covariances before and after the activation stay, and so do both costs in which the layer
    stands. In a network (``.network``), neurons with the incoming weights :math:`p_iw` and the outgoing weights :math:`c_i`
    become one with :math:`\|p\|w` and :math:`\sum_ip_ic_i/\|p\|`: the function is the same at all points, and the norm does
    not grow. For neurons that are aligned on the data only, the covariances stay, but not the function elsewhere: that is the
    exact part.
Proof idea
    :math:`\sum_ip_i^2 = \|p\|^2`, and :math:`\|\sum_ip_ic_i\| \le \|p\|\,\|c\|`.
Sharp
    Outgoing weights :math:`c_i = p_ic`, as at every local minimum.
Source
    feature_learning, Section 3.1, after item 5. The norms are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS, Activation, homogeneous
from theorems.feature_learning.constructions.forces import Layer
from theorems.feature_learning.constructions.layers import gram, representations
from theorems.feature_learning.constructions.reformulation import squared_norm
from theorems.feature_learning.constructions.unit_vectors import unit_vector
from verify import Claim, Domain, Q, Relation, Sizes, Source, Tight, derived, eq, ge, interval, le, reals
from verify.arithmetic import Array, compare, rationals


@dataclass(frozen=True, eq=False)
class Multiples:
    """The factors p of a group of neurons, shape ``(..., k)``, and their length, which is rational as they are."""

    factors: Array
    length: Array

    def __getitem__(self, index: Any) -> Multiples:
        return Multiples(self.factors[index], self.length[index])

    def of(self, row: Array) -> Array:
        """The rows of the group, shape ``(..., d) -> (..., k, d)``."""
        return np.asarray(self.factors[..., None] * row[..., None, :])

    def merged(self, row: Array) -> Array:
        """The single row that replaces it, shape ``(..., d) -> (..., 1, d)``."""
        return np.asarray(self.length[..., None, None] * row[..., None, :])


def multiples(parameters: Array, length: Array) -> Multiples:
    """A multiple of the unit vector with these stereographic coordinates."""
    return Multiples(np.asarray(length[..., None] * unit_vector(parameters, 0 * length)), length)


def stacked(*rows: Array) -> Array:
    """Rows above each other."""
    return np.concatenate(rows, axis=-2)


def group_is_one_neuron(
    group: Multiples, row: Array, others: Array, before: Array, after: Array, activation: Activation, bias: Array
) -> Relation:
    """Covariances and costs of a layer with a group of aligned neurons, and with the single one."""
    values = (stacked(rows, others) for rows in (group.of(row), group.merged(row)))
    old, new = (Layer(before, each, after, activation, bias) for each in values)
    (pulled, pushed), (pulled_too, pushed_too) = old.costs(), new.costs()
    return (
        eq(gram(new.values), gram(old.values), name="covariance", over=2)
        & eq(gram(new.seen()), gram(old.seen()), name="covariance after the activation", over=2)
        & eq(pulled_too, pulled, name="cost of the layer")
        & eq(pushed_too, pushed, name="cost of the next layer")
    )


def function_and_norm(
    group: Multiples,
    row: Array,
    outgoing: Array,
    others: Array,
    last: Array,
    points: Array,
    activation: Activation,
    bias: Array,
) -> Relation:
    """Outputs at any points and norms of a network with a group of aligned neurons, and with the single one."""
    single = (group.factors[..., None] * outgoing).sum(axis=-2) / group.length[..., None]
    old = shallow(stacked(group.of(row), others), outgoing, last)
    new = shallow(stacked(group.merged(row), others), single[..., None, :], last)
    outputs = [representations(weights, points, activation, bias)[0][-1] for weights in (old, new)]
    return eq(outputs[1], outputs[0], name="outputs", over=2) & le(squared_norm(new), squared_norm(old), name="norm")


def shallow(incoming: Array, outgoing: Array, last: Array) -> list[Array]:
    """Weights of both layers; the outgoing weights of the first neurons are rows, the others are the columns of `last`."""
    return [incoming, np.concatenate([np.swapaxes(outgoing, -1, -2), last], axis=-1)]


def same_direction(group: Multiples) -> Any:
    """Whether no factor is negative."""
    return (compare(group.factors, 0) >= 0).all(axis=-1)


# False variants


def added(
    group: Multiples, row: Array, others: Array, before: Array, after: Array, activation: Activation, bias: Array
) -> Relation:
    """The sum of the neurons in place of the root of the sum of squares."""
    values = (stacked(rows, others) for rows in (group.of(row), group.of(row).sum(axis=-2)[..., None, :]))
    old, new = (Layer(before, each, after, activation, bias) for each in values)
    return eq(gram(new.seen()), gram(old.seen()), over=2)


def largest_is_kept(group: Multiples, row: Array, others: Array) -> Relation:
    """The first neuron of the group alone."""
    return eq(gram(stacked(group.of(row)[..., :1, :], others)), gram(stacked(group.of(row), others)), over=2)


def outgoing_weights_added(
    group: Multiples,
    row: Array,
    outgoing: Array,
    others: Array,
    last: Array,
    points: Array,
    activation: Activation,
    bias: Array,
) -> Relation:
    """The sum of the outgoing weights."""
    old = shallow(stacked(group.of(row), others), outgoing, last)
    new = shallow(stacked(group.merged(row), others), outgoing.sum(axis=-2)[..., None, :], last)
    outputs = [representations(weights, points, activation, bias)[0][-1] for weights in (old, new)]
    return eq(outputs[1], outputs[0], over=2)


def norm_stays(group: Multiples, row: Array, outgoing: Array) -> Relation:
    """The norm is the same."""
    single = (group.factors[..., None] * outgoing).sum(axis=-2) / group.length[..., None]
    return eq(squared_norm([group.merged(row), single[..., None, :]]), squared_norm([group.of(row), outgoing]))


# Exact parts and sharp instances


def aligned_on_the_data_only() -> Relation:
    """The weights (1, 0) and (3/4, 1) are aligned on the point (1, 0), and become (5/4, 0): at (0, 1) outputs differ by 3/4."""
    relu, none = homogeneous(rationals([1, 0])), rationals(0)
    old = [rationals([[1, 0, 0], ["3/4", 1, 0]]), rationals([[1, "3/4", 0]])]
    new = [rationals([["5/4", 0, 0]]), rationals([["5/4", 0]])]
    here, there = ([representations(w, rationals([point]), relu, none)[0] for w in (old, new)] for point in ([1, 0], [0, 1]))
    same = [eq(gram(here[1][layer]), gram(here[0][layer]), over=2) for layer in range(2)]
    return same[0] & same[1] & ge(there[0][1] - there[1][1], rationals([["3/4"]]), over=2)


def balanced_group() -> dict[str, Any]:
    """The factors 1 and 3/4, and outgoing weights in this proportion."""
    group = Multiples(rationals([1, "3/4"]), rationals("5/4"))
    return {
        "group": group,
        "row": rationals([2, -1, 1]),
        "outgoing": group.of(rationals([1, 2])),
        "others": rationals([[1, 1, 0]]),
        "last": rationals([[1, 0], [1, 1]]),
        "points": rationals([[1, 2], [3, -1]]),
        "activation": homogeneous(rationals([1, 0])),
        "bias": rationals(1),
    }


GROUP = derived(multiples, parameters=interval(-1, 1, lambda sizes: sizes["group"] - 1), length=interval(Q("1/4"), 2))
SOURCE = Source("feature_learning", "Section 3.1, after item 5")
HYPOTHESES: Mapping[str, Callable[..., Any]] = {"the neurons have the same direction": same_direction, **HOMOGENEOUS}
ROWS = {"group": (2, 3), "others": (0, 2), "inputs": (1, 3), "outputs": range(1, 4), "points": (1, 3, 4)}

CLAIM = Claim(
    id="feature_learning.aligned_neurons",
    title="Aligned neurons have the covariances and the cost of a single one",
    source=SOURCE,
    statement=group_is_one_neuron,
    domain=Domain(
        {
            "group": GROUP,
            "row": reals("points"),
            "others": reals("others", "points"),
            "before": reals("inputs", "points"),
            "after": reals("outputs", "points"),
            "activation": ACTIVATIONS,
            "bias": interval(0, 2),
        },
        ROWS,
        HYPOTHESES,
    ),
    needs=tuple(HYPOTHESES),
    false_neighbours={"their sum": added, "the first of them": largest_is_kept},
)


def one_more(size: str) -> Callable[[Sizes], int]:
    """A length for the bias weights, too."""
    return lambda sizes: sizes[size] + 1


NETWORK = Claim(
    id="feature_learning.aligned_neurons.network",
    title="A single neuron in place of a group leaves the function, and no larger a norm",
    source=SOURCE,
    statement=function_and_norm,
    domain=Domain(
        {
            "group": GROUP,
            "row": reals(one_more("inputs")),
            "outgoing": reals("group", "outputs"),
            "others": reals("others", one_more("inputs")),
            "last": reals("outputs", one_more("others")),
            "points": reals("points", "inputs"),
            "activation": ACTIVATIONS,
            "bias": interval(0, 2),
        },
        ROWS,
        HYPOTHESES,
    ),
    needs=tuple(HYPOTHESES),
    tight={"balanced outgoing weights": Tight(balanced_group, of=("norm",))},
    false_neighbours={"the outgoing weights are added": outgoing_weights_added, "the norm stays": norm_stays},
    exact={"not if they are aligned on the data only": aligned_on_the_data_only},
)
