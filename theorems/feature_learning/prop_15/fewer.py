r"""Beyond Proposition 15: N neurons suffice for one output, for any number of inputs.

Statement
    A shallow network with a homogeneous activation and N points needs at most :math:`n_LN` hidden neurons: N for one output, in
    place of 4N.
Checked
    A network with balanced neurons is :math:`\sum_i r_iv_i\sigma(u_i \cdot x)` with unit vectors u and v, and its norm is
    :math:`2\sum_i r_i` (a constant input takes care of the biases). After pruning, outputs at the points are the same, the norm
    is not larger, and no more than :math:`n_LN` neurons are left; unit vectors are stereographic projections, so that they are
    rational. Every neuron that is left is evaluated as :math:`v\sigma(ru \cdot x)`.
Proof idea
    The contributions of the neurons to the outputs are vectors in :math:`n_LN` dimensions: Caratheodory's theorem.
Sharp
    One neuron for one point and one output.
Source
    feature_learning, Proposition 15; all of this is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, Activation, homogeneous
from theorems.feature_learning.constructions.pruning import number_in_use, pruned
from theorems.feature_learning.constructions.unit_vectors import unit_vector
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, integers, interval, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.cones.support_graphs import like
from verify.matrices import rank


def contributions(
    scale: Array, incoming: Array, outgoing: Array, flipped: Array, points: Array, activation: Activation
) -> Array:
    r""":math:`v_i\sigma(r_iu_i \cdot x)` at all points, shape ``(..., n, outputs * N)``, for the scales r."""
    zero = 0 * flipped
    ahead = (1 - 2 * flipped)[..., None] * unit_vector(outgoing, zero)
    values = activation(scale[..., None] * (unit_vector(incoming, zero) @ np.swapaxes(points, -1, -2)))
    vectors = ahead[..., :, :, None] * values[..., :, None, :]
    return np.asarray(vectors.reshape(*vectors.shape[:-2], -1))


def few_neurons_suffice(
    sizes: Array, incoming: Array, outgoing: Array, flipped: Array, points: Array, activation: Activation
) -> Relation:
    r"""Outputs, cost and number of the neurons after pruning; the last input may be constant, for the biases."""
    shape = (incoming, outgoing, flipped, points, activation)
    generators = contributions(0 * sizes + 1, *shape)
    kept = pruned(generators, sizes, 0 * sizes + 1)
    before, after = (contributions(each, *shape).sum(axis=-2) for each in (sizes, kept))
    count = number_in_use(kept)
    return (
        eq(after, before, name="outputs", over=1)
        & le(kept.sum(axis=-1), sizes.sum(axis=-1), name="norm")
        & le(count, 0 * count + generators.shape[-1], name="neurons")
    )


# False variants


def needed(generators: Array) -> Array:
    """How many neurons are needed: all where their contributions are independent, else 0, a lower bound."""
    number = generators.shape[-2]
    return like(np.where(rank(generators) == number, number, 0), generators)


def one_neuron_less(
    sizes: Array, incoming: Array, outgoing: Array, flipped: Array, points: Array, activation: Activation
) -> Relation:
    """One less of the given neurons is enough."""
    generators = contributions(0 * sizes + 1, incoming, outgoing, flipped, points, activation)
    positive = (compare(sizes, 0) > 0).all(axis=-1)
    count = np.where(positive, needed(generators), 0 * sizes[..., 0])
    return le(count, 0 * count + generators.shape[-1] - 1)


def as_many_as_points(
    sizes: Array, incoming: Array, outgoing: Array, flipped: Array, points: Array, activation: Activation
) -> Relation:
    """N of the given neurons are enough for any number of outputs."""
    generators = contributions(0 * sizes + 1, incoming, outgoing, flipped, points, activation)
    positive = (compare(sizes, 0) > 0).all(axis=-1)
    count = np.where(positive, needed(generators), 0 * sizes[..., 0])
    return le(count, 0 * count + points.shape[-2])


def one_neuron() -> dict[str, Any]:
    """One neuron, one input, one output."""
    numbers = {"sizes": [[2]], "flipped": [[0]], "points": [[[1]]]}
    empty = rationals(np.zeros((1, 1, 0), dtype=np.int64))
    found: dict[str, Any] = {name: rationals(number) for name, number in numbers.items()}
    return {**found, "incoming": empty, "outgoing": empty, "activation": homogeneous(rationals([[1, 0]]))}


FEWER = Claim(
    id="feature_learning.prop_15.fewer",
    title="As many neurons suffice as there are outputs at all points",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=few_neurons_suffice,
    domain=Domain(
        {
            "sizes": interval(0, 4, "neurons"),
            "incoming": reals("neurons", lambda sizes: sizes["inputs"] - 1),
            "outgoing": reals("neurons", lambda sizes: sizes["outputs"] - 1),
            "flipped": integers(0, 1, "neurons"),
            "points": reals("points", "inputs"),
            "activation": ACTIVATIONS,
        },
        {"neurons": (1, 3, 4, 8, 10), "inputs": (1, 2, 3), "outputs": (1, 2, 3), "points": (1, 3, 4)},
        {"the activation is homogeneous": lambda activation: activation.is_homogeneous},
    ),
    needs=("the activation is homogeneous",),
    tight={"one neuron": Tight(one_neuron, of=("norm", "neurons"))},
    false_variants={
        "one neuron less": one_neuron_less,
        "as many neurons as points, for any number of outputs": as_many_as_points,
    },
    cost=20,
)
