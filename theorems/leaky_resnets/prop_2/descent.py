r"""Proposition 2: from every representation with a negative entry, an explicit direction leads down at once.

Statement
    All stable minima of the cost of identity are non-negative.
Correction
    The cost must be finite (see ``infinite_cost``).
Checked
    From every A of finite cost with a negative entry, `descent_direction` lowers the cost of (A; 0) with every step t in
    (0, 1). With the smallest weights, their bias b, :math:`c = 1^TK^+1`, and the point i with the largest
    :math:`n = \|A_{\cdot i}\|^2 - \|\bar\sigma(A_{\cdot i})\|^2`:

    - the new neuron :math:`\epsilon\bar K_{\cdot i}` saves :math:`\epsilon^2r/(1 + \epsilon^2q)` with
      :math:`r = n + 1 - c - 2A_{\cdot i}\cdot b + \|b\|^2` and :math:`q = \|\sigma(A_{\cdot i})\|^2 - 2 + c`;
    - the representation (1 - t)A saves at least :math:`(2t - t^2)\|b\|^2`.

    If :math:`r \ge n/2` the first saves at least :math:`t^2n/(2 + 2t^2\|\sigma(A_{\cdot i})\|^2)`, else the second at least
    :math:`(2t - t^2)n^2/(16\|A_{\cdot i}\|^2)`.
Proof idea
    If r < n/2 then :math:`2A_{\cdot i}\cdot b > n/2`, so that :math:`\|b\| \ge n/(4\|A_{\cdot i}\|)`.
Sharp
    A new neuron at the single point (1, 1, 1, -3), where r = n/2, as t goes to 0.
Source
    leaky_resnets, Proposition 2 (Proposition 6 of the appendix); the size of the descent is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    InverseKernel,
    bare_cost,
    cost_is_finite,
    scaled,
    with_rows,
    zeros_like_rows,
)
from theorems.leaky_resnets.prop_2.columns import column_neurons
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, interval
from verify.arithmetic import Array, compare, floats, rationals
from verify.matrices.arguments import checked
from verify.networks.leaky_resnet import rectified


@dataclass(frozen=True, eq=False)
class Descent:
    r"""A way down from a representation A with a negative entry; numbers are batch-shaped.

    Attributes
    ----------
    A, neuron
        The representation, and :math:`\bar K_{i\cdot}` of the point i with the largest n.
    appends
        Whether the neuron is appended; else A shrinks.
    negative, size, features
        :math:`n`, :math:`\|A_{\cdot i}\|^2` and :math:`\|\sigma(A_{\cdot i})\|^2`.
    rate, scale
        Of the neuron: r and q.
    kernel
        The scalar product at A.
    """

    A: Array
    neuron: Array
    appends: npt.NDArray[np.bool_]
    negative: Array
    size: Array
    features: Array
    rate: Array
    scale: Array
    kernel: InverseKernel

    @property
    def direction(self) -> Array:
        """What is added to (A; 0), shape ``(..., w + 1, N)``."""
        appended, shrunk = with_rows(0 * self.A, self.neuron), with_rows(-self.A, 0 * self.neuron)
        return np.asarray(np.where(self.appends[..., None, None], appended, shrunk))

    def saves(self, step: Array) -> Array:
        """What a step saves, exactly."""
        rest, square = (1 - step) ** 2, step**2
        shrunk = (1 - rest) * (self.kernel.bias**2).sum(axis=-1) / (rest + (1 - rest) * self.kernel.c)
        return np.asarray(np.where(self.appends, square * self.rate / (1 + square * self.scale), shrunk))

    def saved_by_neuron(self, step: Array) -> Array:
        """What a new neuron saves at least, where it is appended."""
        return np.asarray(step**2 * self.negative / (2 + 2 * step**2 * self.features))

    def saved_by_shrinking(self, step: Array) -> Array:
        """What shrinking saves at least, where no neuron is appended."""
        return np.asarray((2 * step - step**2) * self.negative**2 / (16 * self.size))


def descent(A: Array) -> Descent:
    """The better of the two ways down from representations with finite cost and a negative entry."""
    at, image = InverseKernel.at(A), rectified(A)
    negative, images = ((A - image) ** 2).sum(axis=-2), (image**2).sum(axis=-2)
    point = np.asarray(floats(negative).argmax(axis=-1))[..., None]

    def chosen(values: Array) -> Array:
        return np.asarray(np.take_along_axis(values, point, axis=-1)[..., 0])

    n, along = chosen(negative), chosen((A * at.bias[..., :, None]).sum(axis=-2))
    rate = n + 1 - at.c - 2 * along + (at.bias**2).sum(axis=-1)
    features = chosen(images) + 1
    neuron = np.take_along_axis(column_neurons(A), point[..., None], axis=-2)
    appends = np.asarray(compare(2 * rate, n) >= 0)
    return Descent(A, neuron, appends, n, n + chosen(images), features, rate, features - 2 + at.c, at)


def descent_direction(A: Array) -> Array:
    """The direction that leads down at once from a representation with a dead neuron more, ``(..., w, N) -> (..., w + 1, N)``.

    Every step t in (0, 1) along it, from (A; 0), lowers the cost of identity with bias: A shrinks, or has a neuron more.

    Raises
    ------
    ValueError
        A is no matrix of finite numbers, has an infinite cost, or no negative entry: then it may be a stable minimum.

    Source: leaky_resnets, Proposition 6, proof.
    """
    A = checked(A, "A")
    if not has_negative_entry(A).all():
        raise ValueError("A must have a negative entry, got a matrix without: it may be a stable minimum, with no way down")
    if not cost_is_finite(A).all():
        raise ValueError("A must have a finite cost of identity, got a matrix that no weights keep")
    return descent(A).direction


def has_negative_entry(A: Array) -> Array:
    """Whether an entry is negative."""
    return np.asarray((compare(A, 0) < 0).any(axis=(-2, -1)))


def leads_down(A: Array, step: Array) -> Relation:
    """The cost after a step against the cost before, and what the step saves at least."""
    return _goes_down(descent(A), step)


def _goes_down(down: Descent, step: Array) -> Relation:
    start = with_rows(down.A, zeros_like_rows(down.A, 1))
    after, saved = bare_cost(start + scaled(down.direction, step)).squared_norm, down.saves(step)
    neuron, shrinking = down.saved_by_neuron(step), down.saved_by_shrinking(step)
    return (
        eq(after + saved, down.kernel.cost, name="cost")
        & ge(np.where(down.appends, saved, neuron), neuron, name="a new neuron saves")
        & ge(np.where(down.appends, shrinking, saved), shrinking, name="shrinking saves")
    )


# False variants


def new_neurons_lead_down(A: Array, step: Array) -> Relation:
    """Always a new neuron."""
    down = descent(A)
    return _goes_down(replace(down, appends=np.full_like(down.appends, fill_value=True)), step)


def shrinking_leads_down(A: Array, step: Array) -> Relation:
    """Always smaller."""
    down = descent(A)
    return _goes_down(replace(down, appends=np.full_like(down.appends, fill_value=False)), step)


def neuron_saves_all(A: Array, step: Array) -> Relation:
    """n for n/2: as if r were at least n wherever a neuron is appended."""
    down = descent(A)
    bound = 2 * down.saved_by_neuron(step)
    return ge(np.where(down.appends, down.saves(step), bound), bound)


def barely_downwards() -> dict[str, Any]:
    """One point at which a new neuron saves half of n to first order, and a small step."""
    return {"A": rationals([[[1], [1], [1], [-3]]]), "step": rationals(["1/1000"])}


FINITE = "the cost is finite"

CLAIM = Claim(
    id="leaky_resnets.prop_2",
    title="No representation with a negative entry is a stable minimum of the cost of identity",
    source=Source("leaky_resnets", "Proposition 2"),
    status=Ours(),
    statement=leads_down,
    domain=Domain(
        {"A": REPRESENTATION, "step": interval(0, 63 / 64, role="step")},
        SHAPES,
        {FINITE: cost_is_finite, "an entry is negative": has_negative_entry},
    ),
    needs=(FINITE,),
    tight={
        "half of n": Tight(barely_downwards, 1e-5, "approached as the step goes to 0", of=("a new neuron saves",)),
    },
    loose={"shrinking saves": "the bound drops the square of b and 1 - c, which vanish only together with what is saved"},
    false_variants={
        "always a new neuron": new_neurons_lead_down,
        "always smaller": shrinking_leads_down,
        "all of n": neuron_saves_all,
    },
    cost=4,
)
