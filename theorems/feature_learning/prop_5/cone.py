r"""Proposition 5, the set: covariances of networks of any width are a translated convex cone.

Statement
    Subtract :math:`\beta^211^T` from every :math:`K_\ell^\sigma`: then for tuples A, B of :math:`\mathcal K(X)` and
    :math:`t_1, t_2 \ge 0` the tuple :math:`t_1A + t_2B` is in the set again.
Checked
    That its pairs are those of the neurons of both, scaled by :math:`\sqrt{t_i}`, side by side; and the conditions on the
    images, for all hidden layers and the outputs. The factors are drawn as squares, to stay rational.
Proof idea
    The activation is homogeneous, and the image of a sum of positive semi-definite matrices is the sum of their images.
Source
    feature_learning, Proposition 5.
"""

from __future__ import annotations

from functools import reduce
from operator import and_

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS, Activation
from theorems.feature_learning.constructions.layers import DATA, gram, matrix_like, with_bias_row
from theorems.feature_learning.constructions.tuples import Instance, inside_the_images, onto_image
from verify import Claim, Domain, Relation, Source, eq, interval, reals
from verify.arithmetic import Array

Tuple = tuple[Array, list[Array], Array]
"""Roots of the cone weights, vectors of each layer, and outputs."""


def two_tuples(roots: Array, vectors: Array, outputs: Array, instance: Instance) -> list[Tuple]:
    """Both tuples with their vectors and outputs in the images; A and B are along the first axis."""
    found: list[Tuple] = []
    for one in range(2):
        own = roots[..., one, :, :]
        inside, ends = inside_the_images(own, vectors[..., one, :, :, :], outputs[..., one, :, :], instance)
        found.append((own, inside, ends))
    return found


def sum_of_pairs(tuples: list[Tuple], factors: Array, layer: int, instance: Instance, offset: Array) -> list[Array]:
    """The pair of t_1 A + t_2 B in a hidden layer, with what `offset` adds to its second covariance."""
    pairs = [instance.pair(own[..., layer, :], inside[layer]) for own, inside, _ in tuples]
    shares = [matrix_like(factors[..., one] ** 2) for one in range(2)]
    first, second = (shares[0] * pairs[0][place] + shares[1] * pairs[1][place] for place in range(2))
    return [first, second + matrix_like(offset)]


def is_in_the_set(
    wanted: list[list[Array]], tuples: list[Tuple], factors: Array, allowed: tuple[int, ...], instance: Instance
) -> Relation:
    """The `wanted` pairs are those of the scaled neurons side by side, which lie in the images of the `allowed` tuples."""
    activation, bias = instance.activation, instance.bias
    # 0 for the tuples whose images do not count
    counted = [int(one in allowed) for one in range(2)]
    seen, parts = instance.inputs(), []
    for layer, (first, second) in enumerate(wanted):
        scaled = [factors[..., one, None, None] * own[..., layer, :, None] * v[layer] for one, (own, v, _) in enumerate(tuples)]
        rows = np.concatenate(scaled, axis=-2)
        image = with_bias_row(activation(rows), bias)
        parts += [
            eq(gram(rows), first, name=f"first of layer {layer + 1}", over=2),
            eq(gram(image), second, name=f"second of layer {layer + 1}", over=2),
            eq(onto_image(rows, seen), rows, name=f"image in layer {layer + 1}", over=2),
        ]
        seen = with_bias_row(np.concatenate([activation(c * one) for c, one in zip(counted, scaled, strict=True)], -2), bias)
    ends = sum(matrix_like(factors[..., one] ** 2) * tuples[one][2] for one in range(2))
    return reduce(and_, [*parts, eq(onto_image(np.asarray(ends), seen), ends, name="image of the outputs", over=2)])


def combinations_stay_in_the_set(
    roots: Array, vectors: Array, outputs: Array, factors: Array, points: Array, activation: Activation, bias: Array
) -> Relation:
    """Terms and images of :math:`t_1A + t_2B`, t the squares of `factors`."""
    instance = Instance(points, activation, bias)
    tuples = two_tuples(roots, vectors, outputs, instance)
    # each bias counts once
    offset = bias**2 * (1 - (factors**2).sum(axis=-1))
    wanted = [sum_of_pairs(tuples, factors, layer, instance, offset) for layer in range(vectors.shape[-3])]
    return is_in_the_set(wanted, tuples, factors, (0, 1), instance)


# False variants


def without_the_translation(
    roots: Array, vectors: Array, outputs: Array, factors: Array, points: Array, activation: Activation, bias: Array
) -> Relation:
    """The covariances are added with their biases."""
    instance = Instance(points, activation, bias)
    tuples = two_tuples(roots, vectors, outputs, instance)
    wanted = [sum_of_pairs(tuples, factors, layer, instance, 0 * bias) for layer in range(vectors.shape[-3])]
    return is_in_the_set(wanted, tuples, factors, (0, 1), instance)


def in_the_images_of_the_first(
    roots: Array, vectors: Array, outputs: Array, factors: Array, points: Array, activation: Activation, bias: Array
) -> Relation:
    """Everything lies in the images of the first tuple."""
    instance = Instance(points, activation, bias)
    tuples = two_tuples(roots, vectors, outputs, instance)
    offset = bias**2 * (1 - (factors**2).sum(axis=-1))
    wanted = [sum_of_pairs(tuples, factors, layer, instance, offset) for layer in range(vectors.shape[-3])]
    return is_in_the_set(wanted, tuples, factors, (0,), instance)


CLAIM = Claim(
    id="feature_learning.prop_5",
    title="Covariances of networks of any width are a translated convex cone",
    source=Source("feature_learning", "Proposition 5"),
    statement=combinations_stay_in_the_set,
    domain=Domain(
        {
            "roots": interval(0, 2, 2, lambda sizes: sizes["depth"] - 1, "width"),
            "vectors": reals(2, lambda sizes: sizes["depth"] - 1, "width", "points"),
            "outputs": reals(2, "outputs", "points"),
            "factors": interval(0, 2, 2),
            "activation": ACTIVATIONS,
            **DATA,
        },
        {"depth": (2, 3, 4), "inputs": (1, 2, 3), "width": (1, 2, 3), "outputs": (1, 2, 3), "points": (1, 3, 4)},
        HOMOGENEOUS,
    ),
    needs=("the activation is homogeneous",),
    false_neighbours={
        "a cone without the translation": without_the_translation,
        "in the images of the first tuple": in_the_images_of_the_first,
    },
)
