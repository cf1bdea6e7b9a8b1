r"""Projected gradient descent where the rank is small: it is stuck in the direction in which it starts.

Statement
    For the widths (2, 1, 1), X = I, no bias and a homogeneous activation, take representations (z, bz) with positive entries
    of z. A step of the gradient of :math:`L^r` with the rate :math:`\eta`, followed by the sequential projection, leads to

    .. math:: \Bigl(1 - 2\eta\lambda\Bigl(1 - \frac{b^2}{\|z\|^2}\Bigr)\Bigr)z, \qquad
       \Bigl(b - 2\eta\Bigl(\frac{\lambda b}{\|z\|^2} + b - \frac{\langle Y, z \rangle}{\|z\|^2}\Bigr)\Bigr)z ,

    if the first factor is positive: both stay in the direction of z. In this direction, with :math:`u = z/\|z\|`,

    .. math:: L^r(z, bz) \ge \|Y\|^2 - (|\langle Y, u \rangle| - \lambda)_+^2 .
Checked
    Both. The gradient of the loss of the weights turns z, unless Y is in its direction. Outside the constraint set the formula
    of :math:`L^r` is smaller than all that it is inside.
Proof idea
    Both forces at :math:`Z_1` are multiples of z. Then the means of :math:`\|z\|^2` and :math:`b^2`, and a soft threshold.
Sharp
    :math:`\|z\| = b`, :math:`b^2 = \langle Y, u \rangle - \lambda`.
Source
    ours, an example for feature_learning, Section 3.3.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.forces import Layer
from theorems.feature_learning.constructions.layers import matrix_like
from theorems.feature_learning.constructions.reformulation import Problem
from theorems.feature_learning.constructions.tuples import onto_image
from theorems.feature_learning.constructions.unit_vectors import unit_vector
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, integers, interval, le, reals, slopes
from verify.arithmetic import Array, absolute, compare, maximum, rationals
from verify.cones.support_graphs import like


def direction_of(parameters: Array) -> Array:
    """A unit vector with entries that are not negative."""
    return unit_vector(parameters, 0 * parameters[..., 0])


def rows_of(values: Array, outgoing: Array) -> tuple[Array, Array]:
    """The representations (z, bz), shapes ``(..., 1, 2)``."""
    return values[..., None, :], np.asarray(outgoing[..., None] * values)[..., None, :]


def activation_with(slope: Array) -> Array:
    """Slopes 1 and `slope`."""
    return np.stack([0 * slope + 1, slope], axis=-1)


def identity_like(values: Array) -> Array:
    """X = I for every instance."""
    return np.asarray(like(np.eye(2, dtype=np.int64), values) + 0 * values[..., None, :])


def projected_step(values: Array, outgoing: Array, slope: Array, targets: Array, ridge: Array, rate: Array) -> list[Array]:
    """The representations after a step."""
    (first, last), none = rows_of(values, outgoing), np.asarray(0 * slope)
    activation, weight = homogeneous(activation_with(slope)), matrix_like(ridge)
    layer = Layer(identity_like(values), first, last, activation, none)
    pulled = Layer(activation(first), last, last, activation, none).attraction()
    gradients = [weight * (layer.attraction() + layer.repulsion()), weight * pulled + 2 * (last - targets[..., None, :])]
    moved = [row - matrix_like(rate) * gradient for row, gradient in zip((first, last), gradients, strict=True)]
    return [moved[0], onto_image(moved[1], activation(moved[0]))]


def kept_share(values: Array, outgoing: Array, ridge: Array, rate: Array) -> Array:
    r""":math:`1 - 2\eta\lambda(1 - b^2/\|z\|^2)`."""
    return np.asarray(1 - 2 * rate * ridge * (1 - outgoing**2 / (values**2).sum(axis=-1)))


def direction_stays(values: Array, outgoing: Array, slope: Array, targets: Array, ridge: Array, rate: Array) -> Relation:
    """Both layers after a step, as multiples of z."""
    first, last = projected_step(values, outgoing, slope, targets, ridge, rate)
    square = (values**2).sum(axis=-1)
    along = (targets * values).sum(axis=-1) / square
    factor = outgoing - 2 * rate * (ridge * outgoing / square + outgoing - along)
    kept = kept_share(values, outgoing, ridge, rate)
    return eq(first[..., 0, :], kept[..., None] * values, name="hidden layer", over=1) & eq(
        last[..., 0, :], factor[..., None] * values, name="outputs", over=1
    )


def problem_of(slope: Array, targets: Array, ridge: Array) -> Problem:
    """X = I without bias."""
    return Problem(
        identity_like(targets), np.asarray(0 * slope), homogeneous(activation_with(slope)), targets[..., None, :], ridge
    )


def loss_in_the_direction(
    direction: Array, length: Array, outgoing: Array, aside: Array, slope: Array, targets: Array, ridge: Array
) -> Relation:
    """The loss at (z, bz) against the bound; `aside` times a vector orthogonal to z is added to the outputs."""
    values = np.asarray(length[..., None] * direction)
    first, last = rows_of(values, outgoing)
    across = np.stack([-values[..., 1], values[..., 0]], axis=-1)[..., None, :]
    given = [first, last + matrix_like(aside) * across]
    excess = absolute((targets * direction).sum(axis=-1)) - ridge
    bound = (targets**2).sum(axis=-1) - maximum(excess, 0 * excess) ** 2
    return le(bound, problem_of(slope, targets, ridge).loss_of_representations(given), name="bound")


def does_not_turn(values: Array, outgoing: Array, ridge: Array, rate: Array) -> Any:
    """Whether a positive multiple of z is left."""
    square = (values**2).sum(axis=-1)
    # times the square, which may be zero outside the domain
    return compare(square - 2 * rate * ridge * (square - outgoing**2), 0) > 0


# False variants


def step_of_the_weights(values: Array, outgoing: Array, targets: Array, ridge: Array, rate: Array) -> Relation:
    r"""A step of gradient descent on the weights leaves :math:`W_1 = z` in its direction."""
    error = outgoing[..., None] * values - targets
    moved = values - rate[..., None] * (2 * outgoing[..., None] * error + 2 * ridge[..., None] * values)
    return eq(values[..., 0] * moved[..., 1], values[..., 1] * moved[..., 0])


def step_without_projection(values: Array, outgoing: Array, targets: Array, ridge: Array, rate: Array) -> Relation:
    """The outputs stay in the direction without the projection, too."""
    last = outgoing[..., None] * values
    pulled = ridge[..., None] * last / (values**2).sum(axis=-1)[..., None]
    moved = last - 2 * rate[..., None] * (pulled + last - targets)
    return eq(values[..., 0] * moved[..., 1], values[..., 1] * moved[..., 0])


def twice_the_threshold(
    direction: Array, length: Array, outgoing: Array, slope: Array, targets: Array, ridge: Array
) -> Relation:
    """The threshold as for a ridge half as large."""
    given = rows_of(np.asarray(length[..., None] * direction), outgoing)
    excess = absolute((targets * direction).sum(axis=-1)) - 2 * ridge
    bound = (targets**2).sum(axis=-1) - maximum(excess, 0 * excess) ** 2
    return le(bound, problem_of(slope, targets, ridge).loss_of_representations(given))


def zero_is_best(direction: Array, length: Array, outgoing: Array, slope: Array, targets: Array, ridge: Array) -> Relation:
    """No representation is better than zero."""
    given = rows_of(np.asarray(length[..., None] * direction), outgoing)
    return le((targets**2).sum(axis=-1), problem_of(slope, targets, ridge).loss_of_representations(given))


# Exact parts and tight examples


def weights_are_not_stuck() -> Relation:
    r"""Y = (0, 1), :math:`\lambda = 1/5`: from (3, 4) nothing is below 0.64; weights in the direction of Y reach 0.36."""
    targets, ridge = rationals([0, 1]), rationals("1/5")
    problem = problem_of(rationals(0), targets, ridge)
    best = [rationals([[0, "9/10"]]), rationals([[0, "4/5"]])]
    return le(problem.loss_of_representations(best), rationals("2/5")) & le(
        rationals("16/25"), 1 - (rationals("4/5") - ridge) ** 2
    )


def minimum_in_a_direction(target: str) -> dict[str, Array]:
    r"""The direction u = (3/5, 4/5), b = 1/2, and :math:`\langle Y, u \rangle = 1/4 + \lambda`."""
    numbers = {"length": "1/2", "outgoing": "1/2", "aside": 0, "slope": 0, "ridge": target}
    along = rationals(["3/5", "4/5"]) * (rationals("1/4") + rationals(target))
    across = rationals(["-4/5", "3/5"])
    return {name: rationals(number) for name, number in numbers.items()} | {
        "direction": rationals(["3/5", "4/5"]),
        "targets": along + across,
    }


SOURCE = Source("feature_learning", "ours")

STUCK = Claim(
    id="feature_learning.projected_gradient.direction",
    title="Projected gradient descent keeps the direction of a single neuron",
    source=SOURCE,
    status=Ours(),
    statement=direction_stays,
    domain=Domain(
        {
            "values": interval(0, np.inf, 2),
            "outgoing": reals(),
            "slope": slopes(),
            "targets": reals(2),
            "ridge": interval(0, 1),
            "rate": interval(0, 1),
        },
        hypotheses={
            "z is positive": lambda values: (compare(values, 0) > 0).all(axis=-1),
            "the step does not turn z around": does_not_turn,
        },
    ),
    needs=("the step does not turn z around",),
    false_variants={"of the weights": step_of_the_weights, "without the projection": step_without_projection},
)

BOUND = Claim(
    id="feature_learning.projected_gradient.bound",
    title="What projected gradient descent can reach from a direction",
    source=SOURCE,
    status=Ours(),
    statement=loss_in_the_direction,
    domain=Domain(
        {
            "direction": derived(direction_of, parameters=interval(0, 1, 1)),
            "length": interval(0, np.inf),
            "outgoing": reals(),
            "aside": integers(-1, 1),
            "slope": slopes(),
            "targets": reals(2),
            "ridge": interval(0, 1),
        },
        hypotheses={
            "the representations satisfy the constraints": lambda aside: compare(aside, 0) == 0,
        },
    ),
    needs=("the representations satisfy the constraints",),
    tight={
        "lam = 1/20": Tight(partial(minimum_in_a_direction, "1/20")),
        "lam = 1/2": Tight(partial(minimum_in_a_direction, "1/2")),
    },
    false_variants={"twice the threshold": twice_the_threshold, "zero is best": zero_is_best},
    exact={"weights are not stuck": weights_are_not_stuck},
)
