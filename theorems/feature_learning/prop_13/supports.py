r"""Proposition 13, the step of its proof: rows of a factor are the edges of its support graph.

Statement
    For any B without negative entries such that the support graph of :math:`B^TB` has no triangle, no row has more than two
    non-zeros, and at least as many rows as there are edges have two.
Checked
    Both, for matrices with and without signs.
Proof idea
    The support of a row is a clique.
Sharp
    The star.
Source
    feature_learning, proof of Proposition 13.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.graphs import edges_of, number_of_edges
from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.constructions.pruning import in_use, number_in_use
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, integers, le
from verify.arithmetic import Array, absolute, rationals
from verify.cones.support_graphs import number_of_triangles, support_graph


def non_zeros(factor: Array) -> Array:
    """Of every row."""
    return number_in_use(absolute(factor))


def number_of_support_edges(factor: Array) -> Array:
    """Of the support graph of ``B^T B``."""
    return number_of_edges(edges_of(support_graph(gram(factor))))


def rows_are_edges(factor: Array) -> Relation:
    """No row of `factor` has more than two non-zeros, and as many rows as there are edges have two."""
    present = non_zeros(factor)
    with_two = in_use(present - 1).sum(axis=-1)
    at_most_two = le(present, 0 * present + 2, name="non-zeros", over=1)
    return at_most_two & le(number_of_support_edges(factor), with_two, name="edges")


# False variants


def one_non_zero(factor: Array) -> Relation:
    """No row has two non-zeros."""
    present = non_zeros(factor)
    return le(present, 0 * present + 1, over=1)


def every_row_is_another_edge(factor: Array) -> Relation:
    """There are as many edges as rows with two non-zeros."""
    with_two = in_use(non_zeros(factor) - 1).sum(axis=-1)
    return le(with_two, number_of_support_edges(factor))


def sampled_factor(pattern: Array, values: Array, signed: Array) -> Array:
    """A matrix with zeros where the pattern has them, and perhaps more; with signs or without."""
    sizes = absolute(values)
    return np.asarray(pattern * (sizes + signed[..., None, None] * (values - sizes)))


def in_the_support(factor: Array) -> Any:
    """The hypothesis for factors: the support graph of ``B^T B`` has no triangle."""
    return number_of_triangles(support_graph(gram(factor))) == 0


def the_star(*others: list[int]) -> dict[str, Array]:
    """Three edges with one common vertex, and other rows."""
    return {"factor": rationals([[1, 2, 0, 0], [1, 0, 3, 0], ["1/2", 0, 0, 1], *others])}


SUPPORTS = Claim(
    id="feature_learning.prop_13.supports",
    title="Rows of a factor are the edges of its support graph",
    source=Source("feature_learning", "Proposition 13"),
    status=Ours(),
    statement=rows_are_edges,
    domain=Domain(
        {
            "factor": derived(
                sampled_factor,
                pattern=integers(0, 1, "rows", "vertices"),
                values=integers(-2, 2, "rows", "vertices"),
                signed=integers(0, 1),
            )
        },
        {"rows": range(1, 6), "vertices": range(2, 6)},
        hypotheses={
            "no triangle": in_the_support,
            "no negative entry": lambda factor: (factor >= 0).all(axis=(-2, -1)),
        },
    ),
    tight={
        "the star": Tight(the_star, of=("non-zeros", "edges")),
        "the star and a single entry": Tight(partial(the_star, [0, 2, 0, 0]), of=("edges",)),
    },
    false_neighbours={"at most one non-zero": one_non_zero, "every row is another edge": every_row_is_another_edge},
    needs=("no triangle", "no negative entry"),
)
