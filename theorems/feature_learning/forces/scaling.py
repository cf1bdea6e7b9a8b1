r"""The forces along the layer itself, and those of aligned neurons.

Statement
    For a homogeneous activation, with :math:`W_{\ell+1} = (V_{\ell+1}, b_{\ell+1})`, the bias weights last,

    .. math:: \langle Z_\ell, A_\ell \rangle = 2\|W_\ell\|^2, \qquad \langle Z_\ell, R_\ell \rangle = -2\|V_{\ell+1}\|^2 .

    If :math:`z_{k'} = \alpha z_k` for some real :math:`\alpha`, then :math:`A_{k'} = \alpha A_k` and :math:`R_{k'} = \alpha
    R_k`.
Correction
    The second statement holds for :math:`\alpha > 0`. For :math:`\alpha < 0` the activation is another linear map.
Checked
    Both, at any rank, for amounts of bias up to 2. Where A + R = 0 the first gives :math:`\|W_\ell\|^2 = \|V_{\ell+1}\|^2`.
    The second as printed is refuted for :math:`\alpha = -1`, at values that satisfy the constraints, away from kinks and at
    rank N; it holds for the identity and the absolute value.
Proof idea
    :math:`\dot\sigma(t)t = \sigma(t)`; and :math:`\dot\sigma(\alpha t) = \dot\sigma(t)`.
Source
    feature_learning, Section 3.1. The first statement, Euler's identity, is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.feature_learning.constructions.forces import LAYERS, Layer
from theorems.feature_learning.constructions.layers import matrix_like, trace_of_product
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, eq, interval
from verify.arithmetic import Array, compare
from verify.matrices import frobenius_norm_squared, rank


def forces_along_the_layer(layer: Layer) -> Relation:
    """Inner products of the values with both forces."""
    incoming, outgoing = layer.incoming(), layer.outgoing()[..., :-1]
    pulled, pushed = (trace_of_product(layer.values, force) for force in (layer.attraction(), layer.repulsion()))
    return eq(pulled, 2 * frobenius_norm_squared(incoming), name="attraction") & eq(
        pushed, -2 * frobenius_norm_squared(outgoing), name="repulsion"
    )


def aligned_forces(layer: Layer, factor: Array) -> list[tuple[Array, Array]]:
    r"""Attraction and repulsion of the first neuron, and of one more that is the first times :math:`\alpha`."""
    aligned = matrix_like(factor) * layer.values[..., :1, :]
    values = np.concatenate([layer.values, aligned], axis=-2)
    wider = Layer(layer.before, values, layer.after, layer.activation, layer.bias)
    return [(force[..., 0, :], force[..., -1, :]) for force in (wider.attraction(), wider.repulsion())]


def proportional_forces(layer: Layer, factor: Array) -> Relation:
    """The forces of two aligned neurons."""
    (pulled, pulled_too), (pushed, pushed_too) = aligned_forces(layer, factor)
    return eq(pulled_too, factor[..., None] * pulled, name="attraction", over=1) & eq(
        pushed_too, factor[..., None] * pushed, name="repulsion", over=1
    )


def is_homogeneous(layer: Layer) -> Any:
    """The hypothesis of the theorem."""
    return layer.activation.is_homogeneous


def is_differentiable(layer: Layer) -> Any:
    """Whether both terms have a derivative: no entry is at the kink, and the layer has rank N."""
    return (compare(layer.values, 0) != 0).all(axis=(-2, -1)) & (rank(layer.seen()) == layer.values.shape[-1])


def is_feasible(layer: Layer) -> Any:
    r"""Whether the rows of :math:`Z_\ell` are in the span of those of :math:`Z_{\ell-1}^\sigma`; the next are, at rank N."""
    return rank(np.concatenate([layer.before, layer.values], axis=-2)) == rank(layer.before)


# False variants


def with_the_bias_weights(layer: Layer) -> Relation:
    """The repulsion along the layer with all outgoing weights."""
    pushed = trace_of_product(layer.values, layer.repulsion())
    return eq(pushed, -2 * frobenius_norm_squared(layer.outgoing()))


def once_the_norm(layer: Layer) -> Relation:
    """The attraction along the layer without the factor 2."""
    return eq(trace_of_product(layer.values, layer.attraction()), frobenius_norm_squared(layer.incoming()))


def equal_repulsion(layer: Layer, factor: Array) -> Relation:
    """Aligned neurons are pushed alike, however large they are."""
    _, (pushed, pushed_too) = aligned_forces(layer, factor)
    return eq(pushed_too, pushed, over=1)


def inverse_repulsion(layer: Layer, factor: Array) -> Relation:
    """The smaller a neuron, the more it is pushed."""
    _, (pushed, pushed_too) = aligned_forces(layer, factor)
    return eq(factor[..., None] * pushed_too, pushed, over=1)


SOURCE = Source("feature_learning", "Section 3.1")
SIZES = {"inputs": (1, 3), "width": (1, 2, 4), "outputs": range(1, 4), "points": (1, 3, 4)}
LAYER_AND_FACTOR = {"layer": LAYERS, "factor": interval(-2, 2)}
HOMOGENEOUS = {"the activation is homogeneous": is_homogeneous}

EULER = Claim(
    id="feature_learning.forces.along_the_layer",
    title="The forces along a layer are the norms of the weights",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=forces_along_the_layer,
    domain=Domain({"layer": LAYERS}, SIZES, HOMOGENEOUS),
    needs=("the activation is homogeneous",),
    false_neighbours={"with the bias weights": with_the_bias_weights, "without the factor 2": once_the_norm},
)

ALIGNED = Claim(
    id="feature_learning.forces.aligned_neurons",
    title="Aligned neurons have aligned forces",
    source=SOURCE,
    statement=proportional_forces,
    domain=Domain(LAYER_AND_FACTOR, SIZES, {"alpha is positive": lambda factor: factor > 0, **HOMOGENEOUS}),
    needs=("alpha is positive", "the activation is homogeneous"),
    false_neighbours={"equal repulsion": equal_repulsion, "inversely proportional repulsion": inverse_repulsion},
)

PRINTED = Claim(
    id="feature_learning.forces.printed",
    title="Neurons with proportional values, of any sign, have proportional forces",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="feature_learning.forces.aligned_neurons"),
    statement=proportional_forces,
    domain=Domain(
        LAYER_AND_FACTOR,
        SIZES,
        {**HOMOGENEOUS, "the terms are differentiable": is_differentiable, "the constraints are satisfied": is_feasible},
    ),
    false_neighbours={},
)
