r"""Summary statistics under gradient descent: a step closes, and rotations about w do not change the losses.

Statement
    A step of gradient descent without noise takes :math:`a = w^Tv` and :math:`b = \|(I - ww^T)v\|` to
    :math:`a(1 - 4\eta(a^2 + b^2 - 1))` and :math:`b\,|1 - 4\eta(a^2 + b^2)|`. Two starts that a rotation about w takes into
    each other have the same losses at all times.
Checked
    The step; the losses of four steps from a start and from its reflection along a direction across w, which generate the
    rotations about w.
Proof idea
    The gradient is a combination of v and w.
Source
    bottleneck_structure, Section 5; the step is ours.
"""

from __future__ import annotations

import numpy as np

from theorems.symmetry_learning.constructions.hidden_direction import (
    DIMENSIONS,
    PLANE,
    gradient,
    inner,
    loss,
    no_noise,
    statistics,
)
from verify import Claim, Domain, Ours, Relation, Source, eq, interval, reals
from verify.arithmetic import Array, compare


def step_of_descent(v: Array, w: Array, learning_rate: Array) -> Array:
    """One step without noise."""
    return np.asarray(v - learning_rate[..., None] * gradient(v, w, no_noise(v)))


def step_closes(v: Array, w: Array, learning_rate: Array, factor: int = 4) -> Relation:
    """One step of gradient descent in the coordinates a and b."""
    p, q = statistics(v, w)
    stepped = step_of_descent(v, w, learning_rate)
    along = inner(w, v) * (1 - factor * learning_rate * (p + q - 1))
    across = q * (1 - factor * learning_rate * (p + q)) ** 2
    return eq(inner(w, stepped), along, name="along") & eq(statistics(stepped, w)[1], across, name="across")


def losses(v: Array, w: Array, learning_rate: Array) -> Array:
    """Losses at the start and after each of four steps, shape ``(..., 5)``."""
    curve = [loss(v, w, no_noise(v))]
    for _ in range(4):
        v = step_of_descent(v, w, learning_rate)
        curve.append(loss(v, w, no_noise(v)))
    return np.stack(curve, axis=-1)


def reflected(v: Array, normal: Array) -> Array:
    """The vector reflected along `normal`; one of length zero does not reflect."""
    square = inner(normal, normal)
    factor = 2 * inner(normal, v) / np.where(compare(square, 0) == 0, 1, square)
    return np.asarray(v - factor[..., None] * normal)


def losses_are_invariant(v: Array, w: Array, learning_rate: Array, direction: Array) -> Relation:
    """The losses from a start and from its reflection across w."""
    normal = direction - inner(w, direction)[..., None] * w
    return eq(losses(v, w, learning_rate), losses(reflected(v, normal), w, learning_rate), over=1)


# False variants


def step_of_the_flow(v: Array, w: Array, learning_rate: Array) -> Relation:
    """The rate 8 of the flow."""
    return step_closes(v, w, learning_rate, factor=8)


def step_to_a_longer_direction(v: Array, w: Array, learning_rate: Array) -> Relation:
    """As if a grew for p + q < 2."""
    p, q = statistics(v, w)
    along = inner(w, v) * (1 - 4 * learning_rate * (p + q - 2))
    return eq(inner(w, step_of_descent(v, w, learning_rate)), along)


def every_reflection(v: Array, w: Array, learning_rate: Array, direction: Array) -> Relation:
    """The reflection along any direction."""
    return eq(losses(v, w, learning_rate), losses(reflected(v, direction), w, learning_rate), over=1)


def only_the_length_counts(v: Array, w: Array, learning_rate: Array, direction: Array) -> Relation:
    """The reflection along w and back along another direction: only the length of v stays."""
    turned = reflected(reflected(v, w), direction)
    return eq(losses(v, w, learning_rate), losses(turned, w, learning_rate), over=1)


OURS = Source("bottleneck_structure", "ours")

GD_STEP = Claim(
    id="symmetry_learning.summary_statistics.gd_step",
    title="A step of gradient descent closes in the statistics",
    source=OURS,
    status=Ours(),
    statement=step_closes,
    domain=Domain({**PLANE, "learning_rate": interval(0, 1)}, DIMENSIONS),
    false_neighbours={"law of the flow": step_of_the_flow, "a grows for p + q < 2": step_to_a_longer_direction},
)

ROTATION = Claim(
    id="symmetry_learning.summary_statistics.rotation",
    title="Rotations about the hidden direction do not change the losses",
    source=Source("bottleneck_structure", "Section 5"),
    statement=losses_are_invariant,
    domain=Domain(
        {
            "v": interval(-2, 2, "dimension"),
            "w": PLANE["w"],
            "learning_rate": interval(0, 1 / 8),
            "direction": reals("dimension"),
        },
        DIMENSIONS,
    ),
    false_neighbours={"every reflection": every_reflection, "the length of the start": only_the_length_counts},
)
