r"""Proposition 8, one direction: as many neurons as the rank of the pair suffice.

Statement
    A tuple of covariances whose pairs are sums of k terms is that of a network with any number of neurons from k on.
Checked
    The k terms and rows of zeros, as many as there is room for, are the representations of a network with exactly these
    covariances, outputs and cost, as in Proposition 3. It needs homogeneity.
Proof idea
    The pre-image of Proposition 3, and dead neurons.
Source
    feature_learning, Proposition 8 (Proposition 20 in the appendix).
"""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS, Activation
from theorems.feature_learning.constructions.layers import DATA
from theorems.feature_learning.constructions.tuples import Instance, inside_the_images, is_reached, pre_image
from verify import Claim, Domain, Relation, Source, eq, interval, reals
from verify.arithmetic import Array


def reached_with(new_rows: Array, kept: int, roots: Array, vectors: Array, outputs: Array, instance: Instance) -> Relation:
    """The tuple, and the network of its first `kept` terms and of `new_rows` as neurons."""
    inside, ends = inside_the_images(roots, vectors, outputs, instance)
    padded = [np.concatenate([each[..., :kept, :], 0 * each[..., :1, :] + new_rows], axis=-2) for each in inside]
    ones = 0 * new_rows[..., None, :, 0] + 1
    wide_roots = np.concatenate([roots[..., :kept], 0 * roots[..., :1] + ones], axis=-1)
    relation = is_reached(pre_image(wide_roots, padded, ends, instance), wide_roots, padded, ends, instance)
    for layer, own in enumerate(inside):
        wide = instance.pair(wide_roots[..., layer, :], padded[layer])
        relation = relation & eq(
            wide[0], instance.pair(roots[..., layer, :], own)[0], name=f"first of layer {layer + 1}", over=2
        )
        relation = relation & eq(
            wide[1], instance.pair(roots[..., layer, :], own)[1], name=f"second of layer {layer + 1}", over=2
        )
    return relation


def wide_network_reaches(
    roots: Array, vectors: Array, outputs: Array, room: Array, points: Array, activation: Activation, bias: Array
) -> Relation:
    """The network with rows of zeros in the `room` for more neurons has the tuple."""
    return reached_with(0 * room, roots.shape[-1], roots, vectors, outputs, Instance(points, activation, bias))


# False variants


def one_term_less(
    roots: Array, vectors: Array, outputs: Array, room: Array, points: Array, activation: Activation, bias: Array
) -> Relation:
    """The last of the terms is left out."""
    return reached_with(0 * room, roots.shape[-1] - 1, roots, vectors, outputs, Instance(points, activation, bias))


def any_new_neurons(
    roots: Array, vectors: Array, outputs: Array, room: Array, points: Array, activation: Activation, bias: Array
) -> Relation:
    """The new neurons need not be dead."""
    return reached_with(room, roots.shape[-1], roots, vectors, outputs, Instance(points, activation, bias))


CLAIM = Claim(
    id="feature_learning.prop_8",
    title="As many neurons as the rank of the pair suffice",
    source=Source("feature_learning", "Proposition 8"),
    statement=wide_network_reaches,
    domain=Domain(
        {
            "roots": interval(0, 2, lambda sizes: sizes["depth"] - 1, "terms"),
            "vectors": reals(lambda sizes: sizes["depth"] - 1, "terms", "points"),
            "outputs": reals("outputs", "points"),
            "room": reals("more", "points"),
            "activation": ACTIVATIONS,
            **DATA,
        },
        {"depth": (2, 3), "inputs": (1, 2, 3), "outputs": (1, 2, 3), "points": (1, 3, 4), "terms": (1, 2, 3), "more": (1, 2)},
        HOMOGENEOUS,
    ),
    needs=("the activation is homogeneous",),
    false_neighbours={"one neuron less than terms": one_term_less, "any new neurons": any_new_neurons},
)
