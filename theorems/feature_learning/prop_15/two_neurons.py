r"""Lower bounds beside Proposition 15: two neurons are not enough for three points.

Statement
    Two neurons reach 5, -5, 5 at -1, 0, 1 with the norm 65 at best, where three attain 49 (see `three_points`): so N neurons
    are needed for N = 3.
Checked
    Outputs and norm of all networks of two balanced neurons that reach the outputs, in four forms, up to mirror images.
Proof idea
    As the second difference of the outputs is 20 and the ends are equal, either both neurons have a cusp between the points, in
    opposite directions with equal signs or in one direction with opposite signs; or one of them has a cusp, and the other one
    is active at all points, with either sign.
Sharp
    Cusps at 0.
Source
    feature_learning, Proposition 15; all of this is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.feature_learning.constructions.one_dimension import length, rectified
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, integers, reals
from verify.arithmetic import Array, absolute, compare, rationals
from verify.cones.support_graphs import like


def two_neurons(form: Array, middle: Array, other: Array) -> tuple[Array, Array, Array]:
    r"""Balanced neurons u, signs of their outgoing weights and :math:`b_0` for the outputs 5, -5, 5 at -1, 0, 1.

    Shapes ``(..., 2, 2), (..., 2), (...)``. The values of the first neuron at 0 and 1 are the positive part of `middle`, and p.
    The second one has the positive part of `other` at 0 and p at -1 (form 0); 10 more than the first at 0, and p at 1 (form 1);
    or its lower end is |`other`|, at 1 (form 2) or at -1 (form 3).
    """
    at_zero, second, low = (rectified(each) for each in (middle, other, absolute(other)))
    p = np.where(form == 0, 10 + at_zero + second, np.where(form == 1, 20 + 2 * at_zero + low, 20 + 2 * at_zero))
    first = np.stack([p - middle, middle], axis=-1)
    shapes = [
        (other - p, other),
        (p - at_zero - 10, at_zero + 10),
        (-p / 2, low + p / 2),
        (p / 2, low + p / 2),
    ]
    partners = np.stack([np.stack(each, axis=-1) for each in shapes], axis=-2)
    chosen = sum(np.where((form == k)[..., None], partners[..., k, :], 0 * partners[..., k, :]) for k in range(4))
    positive = np.where((form == 1) | (form == 3), -1, 1)
    offset = np.where(form == 0, 5 - p, np.where(form == 1, 5 + 0 * p, np.where(form == 2, 5 - low - p, 5 + low)))
    return np.stack([first, chosen], axis=-2), np.stack([0 * positive + 1, positive], axis=-1), offset


def norm_squared(vectors: Array, offset: Array) -> Array:
    """Of balanced neurons, with that of the output bias."""
    return np.asarray(2 * length(vectors).sum(axis=-1) + offset**2)


def two_neurons_cost(form: Array, middle: Array, other: Array) -> Relation:
    """The outputs are 5, -5, 5, and the norm is at least 65."""
    vectors, signs, offset = two_neurons(form, middle, other)
    at = like(np.array([[-1, 0, 1], [1, 1, 1]]), middle)
    outputs = (signs[..., None] * rectified(vectors @ at)).sum(axis=-2) + offset[..., None]
    wanted = like(np.array([5, -5, 5]), middle) + 0 * outputs
    return eq(outputs, wanted, name="outputs", over=1) & ge(norm_squared(vectors, offset), 0 * offset + 65, name="norm")


# False variants


def without_the_output_bias(form: Array, middle: Array, other: Array) -> Relation:
    """The weights of the neurons alone cost 65."""
    vectors, _, _ = two_neurons(form, middle, other)
    bound = 2 * length(vectors).sum(axis=-1)
    return ge(bound, 0 * bound + 65)


def cusps_between_the_points(form: Array, middle: Array, other: Array) -> Any:
    """The neurons with a cusp are not active at the far end."""
    vectors, _, _ = two_neurons(form, middle, other)
    far = np.stack([vectors[..., 0, 1] - vectors[..., 0, 0], vectors[..., 1, 1] + vectors[..., 1, 0]], axis=-1)
    return (compare(far[..., 0], 0) <= 0) & ((compare(form, 0) != 0) | (compare(far[..., 1], 0) <= 0))


# as far as cusps that leave the gap
FOURFOLD = derived(lambda number: 4 * number, number=reals())

TWO_NEURONS = Claim(
    id="feature_learning.prop_15.two_neurons",
    title="Two neurons are not enough for three points",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=two_neurons_cost,
    domain=Domain(
        {"form": integers(0, 3), "middle": FOURFOLD, "other": FOURFOLD},
        hypotheses={"the cusps are between the points": cusps_between_the_points},
    ),
    tight={"cusps at 0": Tight(lambda: {name: rationals([0]) for name in ("form", "middle", "other")})},
    needs=("the cusps are between the points",),
    false_variants={"without the output bias": without_the_output_bias},
)
