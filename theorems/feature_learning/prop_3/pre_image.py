r"""Proposition 3, one inclusion: every tuple of covariances is that of a network whose norm is the cost of the tuple.

Statement
    For a tuple of :math:`\mathcal K_n(X)` with the terms :math:`\alpha_i(x_ix_i^T, \sigma(x_i)\sigma(x_i)^T)`, the rows
    :math:`\sqrt{\alpha_i}x_i` as representations and :math:`W_\ell = Z_\ell(Z_{\ell-1}^\sigma)^+` give a network of width
    :math:`n_\ell` with exactly its covariances and outputs, and :math:`\|W\|^2` is its cost.
Checked
    All covariances, the outputs and the norm. Cone weights are drawn as squares, to stay rational; vectors are projected to
    satisfy the conditions on the images. Without homogeneity, and without the conditions, it is false.
Proof idea
    The conditions on the images say that :math:`W_\ell Z_{\ell-1}^\sigma = Z_\ell`.
Source
    feature_learning, Proposition 3 (Proposition 17 in the appendix).
"""

from __future__ import annotations

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS, Activation
from theorems.feature_learning.constructions.layers import DATA
from theorems.feature_learning.constructions.tuples import Instance, inside_the_images, is_reached, pre_image
from verify import Claim, Domain, Relation, Source, interval, reals
from verify.arithmetic import Array


def every_tuple_is_reached(
    roots: Array, vectors: Array, outputs: Array, points: Array, activation: Activation, bias: Array
) -> Relation:
    """Covariances, outputs and norm of the pre-image of a tuple with the cone weights `roots` squared."""
    instance = Instance(points, activation, bias)
    inside, ends = inside_the_images(roots, vectors, outputs, instance)
    return is_reached(pre_image(roots, inside, ends, instance), roots, inside, ends, instance)


# False variants


def without_conditions_on_covariances(
    roots: Array, vectors: Array, outputs: Array, points: Array, activation: Activation, bias: Array
) -> Relation:
    """The covariances may have any images."""
    instance = Instance(points, activation, bias)
    given = [vectors[..., layer, :, :] for layer in range(vectors.shape[-3])]
    return is_reached(pre_image(roots, given, outputs, instance), roots, given, outputs, instance)


def without_condition_on_outputs(
    roots: Array, vectors: Array, outputs: Array, points: Array, activation: Activation, bias: Array
) -> Relation:
    """The outputs may have any image."""
    instance = Instance(points, activation, bias)
    inside, _ = inside_the_images(roots, vectors, outputs, instance)
    return is_reached(pre_image(roots, inside, outputs, instance), roots, inside, outputs, instance)


CLAIM = Claim(
    id="feature_learning.prop_3",
    title="Every tuple of covariances is that of a network with the same cost",
    source=Source("feature_learning", "Proposition 3"),
    statement=every_tuple_is_reached,
    domain=Domain(
        {
            "roots": interval(0, 2, lambda sizes: sizes["depth"] - 1, "width"),
            "vectors": reals(lambda sizes: sizes["depth"] - 1, "width", "points"),
            "outputs": reals("outputs", "points"),
            "activation": ACTIVATIONS,
            **DATA,
        },
        {"depth": (1, 2, 3, 4), "inputs": range(1, 4), "width": (1, 2, 3), "outputs": range(1, 4), "points": (1, 3, 4)},
        HOMOGENEOUS,
    ),
    needs=("the activation is homogeneous",),
    false_neighbours={
        "no condition on the images of the covariances": without_conditions_on_covariances,
        "no condition on the image of the outputs": without_condition_on_outputs,
    },
)
