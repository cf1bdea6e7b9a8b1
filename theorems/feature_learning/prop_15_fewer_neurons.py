r"""Proposition 15 improved: N neurons suffice for one output, for any number of inputs; and lower bounds.

*Fewer.* A shallow network with a homogeneous activation and balanced neurons is :math:`\sum_i r_iv_i\sigma(u_i \cdot x)` with
unit vectors u and v, and its norm is :math:`2\sum_i r_i` (a constant input takes care of the biases). The contributions of the
neurons to the outputs at N points are vectors in :math:`n_LN` dimensions, so that by Caratheodory's theorem at most
:math:`n_LN` of the neurons suffice, at a cost that is not larger: N for one output, in place of 4N. Without costs that are
rational nothing could be decided exactly, so the unit vectors are stereographic projections.

*Lower bounds* for ReLU networks with one input. Each neuron gives one cusp: outputs that alternate at N points need N - 2
neurons, and with three neurons five points can alternate. For the points -1, 0, 1 and the bias 1 every network has

.. math:: 2(f(-1) - 3f(0) + f(1)) - 1 \le \|W\|^2 ,

by :math:`|\sigma(c - b) - 3\sigma(c) + \sigma(c + b)| \le \|(b, c)\|` and :math:`-2b_0 - 1 \le b_0^2`. So the outputs 5, -5, 5
cost at least 49 at every width; three neurons attain it (with rational weights: outputs 4, -5, 4 at the norm 45).

*Two neurons* reach 5, -5, 5 with norm 65 at best, so that N neurons are needed for N = 3. There are four forms, up to mirror
images. As the second difference of the outputs is 20 and the ends are equal, either both neurons have a cusp between the
points, in opposite directions with equal signs or in one direction with opposite signs; or one of them has a cusp, and the
other one is active at all points, with either sign.

Source: feature_learning, Proposition 15; all of this is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.prop_15_one_dimension import length, rectified
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, is_exact, rationals
from verify.cones.conical_hull import caratheodory


def unit_vector(parameters: Array, zero: Array) -> Array:
    """Stereographic projection, rational for rationals, shape ``(..., n, d - 1) -> (..., n, d)``; `zero` has shape (..., n)."""
    square = (parameters * parameters).sum(axis=-1) + zero
    return np.asarray(np.concatenate([2 * parameters, (1 - square)[..., None]], axis=-1) / (1 + square)[..., None])


def few_neurons_suffice(
    sizes: Array,
    incoming: Array,
    outgoing: Array,
    flipped: Array,
    slopes: Array,
    points: Array,
    fewer: int = 0,
    percent: int = 100,
    inputs: bool = False,
) -> Relation:
    r"""Outputs, cost and number of the neurons :math:`r_iv_i\sigma(u_i \cdot x)` after pruning; u and v are unit vectors.

    The last input may be constant: it is the one of the biases.
    """
    ahead = (1 - 2 * flipped)[..., None] * unit_vector(outgoing, 0 * sizes)
    seen = unit_vector(incoming, 0 * sizes) @ np.swapaxes(points, -1, -2)
    values = seen * np.where(compare(seen, 0) > 0, slopes[..., 0, None, None], slopes[..., 1, None, None])
    vectors = ahead[..., :, :, None] * values[..., :, None, :]
    generators = vectors.reshape(*vectors.shape[:-2], -1)
    kept = np.stack([caratheodory(*one, cost=0 * one[1] + 1) for one in zip(generators, sizes, strict=True)])
    before, after = ((each[..., None] * generators).sum(axis=-2) for each in (sizes, kept))
    size = (sizes[..., None] * absolute(generators)).sum(axis=(-2, -1))
    number = np.asarray(compare(kept, 0) > 0).sum(axis=-1)
    allowed = (points.shape[-1] if inputs else generators.shape[-1]) - fewer
    count = rationals(number) if is_exact(sizes) else number.astype(np.float64)
    cost = sizes.sum(axis=-1)
    # the solver's accuracy in floats; rationals are exact
    noise = None if is_exact(sizes) else 1e-9 * (size + cost)
    same = eq(after, before, noise=None if noise is None else noise[..., None], over=1)
    return same & le(kept.sum(axis=-1), cost * percent / 100, noise=noise) & le(count, 0 * cost + allowed)


def three_points(weights: Array, output_bias: Array, price: int = 100, constant: int = 100) -> Relation:
    r"""A bound for every width: 2(f(-1) - 3f(0) + f(1)) - 1 is at most the norm, for the bias 1.

    So outputs 5, -5, 5 cost at least 49: by :math:`|\sigma(c - b) - 3\sigma(c) + \sigma(c + b)| \le \|(b, c)\|`.
    """
    at = np.array([[-1, 0, 1], [1, 1, 1]])
    values = (weights[..., 0, None] * rectified(weights[..., 1:] @ (at + 0 * output_bias[..., None, None]))).sum(axis=-2)
    values = values + output_bias[..., None]
    norm = output_bias**2 + (weights * weights).sum(axis=(-2, -1))
    gain = 2 * (values[..., 0] - 3 * values[..., 1] + values[..., 2])
    return le(gain * price / 100 - 1 + 0 * norm, norm * constant / 100, scale=norm + 1)


def three_neurons() -> dict[str, Any]:
    """Outputs 4, -5, 4 with norm 45: slopes to both sides, and a constant neuron, which is cheaper than the bias alone."""
    return {"weights": rationals([[[3, 3, 0], [3, -3, 0], [-2, 0, 2]]]), "output_bias": rationals([-1])}


def alternations(weights: Array, steps: Array, fewer: int = 0, strict: bool = True) -> Relation:
    """How often the slope between neighbouring points changes its sign strictly, against the number of neurons."""
    points = steps.cumsum(axis=-1)
    at = np.stack([points, 0 * points + 1], axis=-2)
    values = (weights[..., 0, None] * rectified(weights[..., 1:] @ at)).sum(axis=-2)
    slopes = values[..., 1:] - values[..., :-1]
    changes = np.asarray(compare(slopes[..., 1:] * slopes[..., :-1], 0) < int(not strict)).sum(axis=-1)
    number = rationals(changes) if is_exact(steps) else changes.astype(np.float64)
    return le(number, 0 * number + weights.shape[-2] - fewer)


def zigzag() -> dict[str, Any]:
    """Three neurons and five points with the slopes 1, -2, 1/2, -1/2 between them."""
    return {"weights": rationals([[[-3, 1, -1], ["5/2", 1, -2], [-1, -1, 3]]]), "steps": rationals([[0, 1, 1, 1, 1]])}


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


def cusps_between_the_points(form: Array, middle: Array, other: Array) -> Any:
    """The neurons with a cusp are not active at the far end."""
    vectors, _, _ = two_neurons(form, middle, other)
    far = np.stack([vectors[..., 0, 1] - vectors[..., 0, 0], vectors[..., 1, 1] + vectors[..., 1, 0]], axis=-1)
    return (far[..., 0] <= 0) & ((form != 0) | (far[..., 1] <= 0))


def two_neurons_cost(form: Array, middle: Array, other: Array, percent: int = 10_000, biases: bool = True) -> Relation:
    """The outputs are 5, -5, 5, and the norm is at least 65."""
    vectors, signs, offset = two_neurons(form, middle, other)
    at = np.array([[-1, 0, 1], [1, 1, 1]]) + 0 * offset[..., None, None]
    outputs = (signs[..., None] * rectified(vectors @ at)).sum(axis=-2) + offset[..., None]
    size = absolute(vectors).sum(axis=(-2, -1)) + absolute(offset)
    norm = 2 * length(vectors).sum(axis=-1) + (offset**2 if biases else 0)
    bound = 65 + 0 * offset
    return eq(outputs, at[..., 0, :] * (10 * at[..., 0, :]) - 5, scale=size[..., None], over=1) & le(
        bound * percent / 10_000, norm
    )


OURS = Source("feature_learning", "ours")

FEWER = Claim(
    id="feature_learning.prop_15.fewer",
    title="As many neurons suffice as there are outputs at all points",
    source=OURS,
    status=Ours(),
    statement=few_neurons_suffice,
    domain=Domain(
        {
            "sizes": interval(0, 4, "neurons"),
            "incoming": reals("neurons", lambda sizes: sizes["inputs"] - 1),
            "outgoing": reals("neurons", lambda sizes: sizes["outputs"] - 1),
            "flipped": integers(0, 1, "neurons"),
            "slopes": interval(-1, 1, 2),
            "points": reals("points", "inputs"),
        },
        {"neurons": range(4, 8), "inputs": range(1, 4), "outputs": range(1, 3), "points": range(1, 4)},
    ),
    false_neighbours={
        "one neuron less": partial(few_neurons_suffice, fewer=1),
        "99 percent of the cost": partial(few_neurons_suffice, percent=99),
        "as many neurons as points, for any number of outputs": partial(few_neurons_suffice, inputs=True),
    },
    cost=120,
)

THREE_POINTS = Claim(
    id="feature_learning.prop_15.three_points",
    title="A dual bound for the points -1, 0, 1",
    source=OURS,
    status=Ours(),
    statement=three_points,
    domain=Domain({"weights": reals("neurons", 3), "output_bias": reals()}, {"neurons": range(1, 5)}),
    tight={"three neurons": Tight(three_neurons)},
    false_neighbours={
        "1 percent more gain": partial(three_points, price=101),
        "99 percent of the norm": partial(three_points, constant=99),
    },
)

ALTERNATING = Claim(
    id="feature_learning.prop_15.alternating",
    title="Outputs that alternate at N points need N - 2 neurons",
    source=OURS,
    status=Ours(),
    statement=alternations,
    domain=Domain(
        {"weights": reals("neurons", 3), "steps": interval(0, 2, "points")}, {"neurons": range(1, 4), "points": range(3, 7)}
    ),
    tight={"zigzag": Tight(zigzag)},
    false_neighbours={
        "N neurons": partial(alternations, fewer=2),
        "where slopes may vanish": partial(alternations, strict=False),
    },
)

# as far as cusps that leave the gap
FOURFOLD = derived(lambda number: 4 * number, number=reals())

TWO_NEURONS = Claim(
    id="feature_learning.prop_15.two_neurons",
    title="Two neurons are not enough for three points",
    source=OURS,
    status=Ours(),
    statement=two_neurons_cost,
    domain=Domain(
        {"form": integers(0, 3), "middle": FOURFOLD, "other": FOURFOLD},
        hypotheses={"the cusps are between the points": cusps_between_the_points},
    ),
    tight={
        "cusps at 0": Tight(lambda: {name: rationals([0]) for name in ("form", "middle", "other")}),
    },
    needs=("the cusps are between the points",),
    false_neighbours={
        "0.01 percent more": partial(two_neurons_cost, percent=10_001),
        "without the output bias": partial(two_neurons_cost, biases=False),
    },
)
