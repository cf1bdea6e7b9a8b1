r"""Proposition 2: stable minima of the cost of identity are not negative, and cost their rank, with bias and without.

A local minimum A of the cost with bias is stable if it remains one with a dead neuron more, :math:`(A; 0)`. In the statement
"with finite cost" is missing: where the cost is infinite in a neighbourhood, every point is a stable minimum (``.printed``, see
``prop_2_examples``).

*No negative entries.* From every A of finite cost with a negative entry, `descent_direction` leads from (A; 0) down at once.
With the smallest weights and their bias b, :math:`c = 1^TK^+1`, and the point i with the largest
:math:`n = \|A_{\cdot i}\|^2 - \|\bar\sigma(A_{\cdot i})\|^2`,

- the new neuron :math:`\epsilon\bar K_{\cdot i}` costs :math:`-\epsilon^2r/(1 + \epsilon^2q)` with
  :math:`r = n + 1 - c - 2A_{\cdot i}\cdot b + \|b\|^2` and :math:`q = \|\sigma(A_{\cdot i})\|^2 - 2 + c`;
- the representation (1 - t)A costs less by at least :math:`(2t - t^2)\|b\|^2`.

One of them is downwards: if r < n/2 then :math:`\|b\| \ge n/(4\|A_{\cdot i}\|)`. So a step t saves at least

.. math:: \min\Bigl(\frac{t^2n}{2(1 + t^2\|\sigma(A_{\cdot i})\|^2)}, \frac{(2t - t^2)n^2}{16\|A_{\cdot i}\|^2}\Bigr) > 0 ,

which is checked for t from 1/64 to 3/4 (the claim itself). The first of both is approached as t goes to 0: for the single
point (1, 1, 1, -3), r = n/2.

*Costs* (``.value``). For :math:`A \ge 0`, with :math:`s = 1^T\bar K^+1`, the bias b has the squared norm :math:`s/(1 + s)^2` if
:math:`1 \in \mathrm{Im}\,A^T` and 0 else: where b = 0, which a local minimum needs, both costs are the rank, at most N - 1.

The identities that the proof uses are in ``prop_2_steps``, what it says of the kernel in ``prop_2_kernel``; minima that are
stable and minima that are not are in ``prop_2_examples``.

Source: leaky_resnets, Proposition 2 (Proposition 6 of the appendix); the size of the descent is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    InverseKernel,
    bare_cost,
    cost_is_finite,
    fit,
    numbers_like,
    scaled,
    with_rows,
    zeros_like_rows,
)
from theorems.leaky_resnets.cost_of_identity_rank import DOMAIN as PRODUCTS
from theorems.leaky_resnets.prop_2_steps import column_neurons
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, interval, le
from verify.arithmetic import Array, compare, floats, minimum, rationals
from verify.matrices import rank
from verify.matrices.arguments import checked
from verify.networks.leaky_resnet import is_in_row_space, rectified

Way = Literal["better", "append", "shrink"]


@dataclass(frozen=True, eq=False)
class Descent:
    r"""A way down from a representation A with a negative entry; all is batch-shaped unless said.

    Attributes
    ----------
    direction
        Shape ``(..., w + 1, N)``, to be added to (A; 0).
    appends
        Whether a neuron is appended; else A shrinks.
    negative, size, features
        :math:`n`, :math:`\|A_{\cdot i}\|^2` and :math:`\|\sigma(A_{\cdot i})\|^2` of the point with the largest n.
    rate, scale
        Of the neuron: r and q.
    kernel
        The scalar product at A.
    """

    direction: Array
    appends: npt.NDArray[np.bool_]
    negative: Array
    size: Array
    features: Array
    rate: Array
    scale: Array
    kernel: InverseKernel

    def saves(self, step: Array) -> Array:
        """What a step below 1 saves, exactly."""
        at, square = self.kernel, step**2
        rest = (1 - step) ** 2
        shrunk = (1 - rest) * (at.bias**2).sum(axis=-1) / (rest + (1 - rest) * at.c)
        return np.asarray(np.where(self.appends, square * self.rate / (1 + square * self.scale), shrunk))

    def assured(self, step: Array) -> Array:
        """What it saves at least: positive for every representation with a negative entry."""
        appended = step**2 * self.negative / (2 * (1 + step**2 * self.features))
        return minimum(appended, (2 * step - step**2) * self.negative**2 / (16 * self.size))


def descent(A: Array, way: Way = "better") -> Descent:
    """The better of the two ways down from representations with finite cost and a negative entry."""
    at, image = InverseKernel.at(A), rectified(A)
    negative, images = ((A - image) ** 2).sum(axis=-2), (image**2).sum(axis=-2)
    point = np.asarray(floats(negative).argmax(axis=-1))[..., None]

    def chosen(values: Array) -> Array:
        return np.asarray(np.take_along_axis(values, point, axis=-1)[..., 0])

    n, along = chosen(negative), chosen((A * at.bias[..., :, None]).sum(axis=-2))
    rate = n + 1 - at.c - 2 * along + (at.bias**2).sum(axis=-1)
    appends = np.asarray(compare(2 * rate, n) >= 0)
    if way != "better":
        appends = np.full(appends.shape, way == "append")
    neuron = np.take_along_axis(column_neurons(A), point[..., None], axis=-2)
    direction = np.where(appends[..., None, None], with_rows(0 * A, neuron), with_rows(-A, zeros_like_rows(A, 1)))
    ones = chosen(images) + 1
    return Descent(direction, appends, n, n + chosen(images), ones, rate, ones - 2 + at.c, at)


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


def leads_down(A: Array, step: Array, percent: int = 100, assured: int = 100, way: Way = "better") -> Relation:
    """The cost after a step against the cost before, and what the step saves at least; both in percent."""
    down = descent(A, way)
    start = with_rows(A, zeros_like_rows(A, 1))
    after, before = bare_cost(start + scaled(down.direction, step)), down.kernel.cost
    noise = after.noise + down.kernel.noise(A, column_neurons(A), factors=2)
    saved = down.saves(step)
    return eq(after.squared_norm, before - percent * saved / 100, scale=before, noise=noise) & ge(
        saved, assured * down.assured(step) / 100, scale=before, noise=noise
    )


def costs_are_the_rank(A: Array, *, squared: bool = True, free: bool = True, less: int = 0) -> Relation:
    """Bias of the smallest weights, both costs, and the rank, for a representation that is not negative."""
    at, ones = InverseKernel.at(A), zeros_like_rows(A, 1) + 1
    constants = fit(ones, A)
    inside = is_in_row_space(ones, A)
    s = np.where(inside, constants.squared_norm, 0 * constants.squared_norm)
    without, dimension = bare_cost(A, bias=False), numbers_like(A, rank(A))
    noise = at.noise(A, ones) + constants.noise + without.noise
    saved = s / (1 + s)
    largest = numbers_like(A, A.shape[-1] - 1 + inside.astype(np.int64) - less)
    return (
        eq((at.bias**2).sum(axis=-1), saved / (1 + s if squared else 1), scale=dimension + 1, noise=noise)
        & eq(without.squared_norm, dimension, noise=noise)
        & eq(at.cost, dimension - (saved if free else 0), scale=dimension, noise=noise)
        & le(dimension, largest)
    )


def barely_downwards() -> dict[str, Any]:
    """One point at which a new neuron saves half of n to first order, and a small step."""
    return {"A": rationals([[[1], [1], [1], [-3]]]), "step": rationals(["1/1000"])}


def constants_inside() -> dict[str, Any]:
    """Two neurons, two points: the constants are combinations of the rows, and the rank is the number of points."""
    return {"A": rationals([[[1, 2], [2, 1]]])}


CLAIM = Claim(
    id="leaky_resnets.prop_2",
    title="No representation with a negative entry is a stable minimum of the cost of identity",
    source=Source("leaky_resnets", "Proposition 2"),
    status=Ours(),
    statement=leads_down,
    domain=Domain(
        {"A": REPRESENTATION, "step": interval(1 / 64, 3 / 4)},
        SHAPES,
        {"the cost is finite": cost_is_finite, "an entry is negative": has_negative_entry},
    ),
    needs=("the cost is finite",),
    tight={"half of n": Tight(barely_downwards, 1e-10, "approached as the step goes to 0; slack relative to the cost")},
    false_neighbours={
        "saves 1 % more": partial(leads_down, percent=101),
        "at least twice as much": partial(leads_down, assured=200),
        "always a new neuron": partial(leads_down, way="append"),
        "always smaller": partial(leads_down, way="shrink"),
    },
    cost=4,
)

VALUE = Claim(
    id="leaky_resnets.prop_2.value",
    title="Where the smallest weights have no bias, both costs are the rank",
    source=Source("leaky_resnets", "Proposition 2"),
    status=Ours(),
    statement=costs_are_the_rank,
    domain=PRODUCTS,
    needs=tuple(PRODUCTS.hypotheses),
    tight={"rank equals the number of points": Tight(constants_inside)},
    false_neighbours={
        "bias of squared norm s/(1 + s)": partial(costs_are_the_rank, squared=False),
        "the rank, whatever the bias": partial(costs_are_the_rank, free=False),
        "at most N - 2": partial(costs_are_the_rank, less=1),
    },
    cost=4,
)
