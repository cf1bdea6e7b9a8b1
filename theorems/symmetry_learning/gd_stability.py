r"""Gradient descent with steps :math:`\eta` leaves a minimum whose Hessian is larger than :math:`2/\eta`.

Statement
    Gradient descent with learning rate :math:`\eta` cannot converge to a minimum with
    :math:`\frac2N \|J_\theta f_\theta(x_i)\|_{op}^2 \ge \eta^{-1}`.
Correction
    The threshold is :math:`2/\eta`. Between :math:`1/\eta` and :math:`2/\eta` descent converges, from both sides in turn: one
    weight and one datum of curvature :math:`1.5/\eta` come nearer by the factor 1/2 with every step.
Checked
    At a fit of N points the step of the loss :math:`\frac1N \sum_i \|f_\theta(x_i) - y_i\|^2` is to first order a product
    with :math:`I - \eta H`, :math:`H = \frac2N J_\theta f(X)^T J_\theta f(X)`. For every network and sample

    .. math:: \|I - \eta H\|_{op} \ge \frac{2\eta}N \|J_\theta f(x_i)\|_{op}^2 - 1 \quad\text{for all } i,

    which is above 1 beyond the threshold. On the features of a linear model, where the step is exact, no distance to the fit
    grows if :math:`\eta \|H\|_{op} \le 2`, and at :math:`\eta \|H\|_{op} > 2` some distance does.
Proof idea
    The eigenvalues of the step are :math:`1 - \eta\lambda`; the norm of the Jacobian at all points is at least that at one.
Sharp
    One datum; the threshold itself, at which the distance stays.
Not checked
    That descent of a network with a step that expands to first order does not converge: it may start on the stable manifold.
Source
    symmetry_learning, Minima stability; the Hessian at a fit is in bottleneck_structure.narrowness.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.narrowness.hessian import stacked_jacobian
from theorems.notion_of_rank.constructions.arrays import squares, transpose
from verify import Claim, Domain, FalseAsPrinted, Networks, Ours, Relation, Source, Tight, ge, interval, le, reals
from verify.arithmetic import Array, compare, largest, rationals
from verify.matrices import operator_norm
from verify.networks import FullyConnected


def curvatures(network: FullyConnected, points: Array) -> Array:
    r""":math:`\frac2N \|J_\theta f(x_i)\|_{op}^2` of each point, shape ``(..., N)``."""
    count = points.shape[-2]
    rows = [stacked_jacobian(network, points[..., place : place + 1, :]) for place in range(count)]
    return np.stack([2 * operator_norm(one @ transpose(one)) / count for one in rows], axis=-1)


def step_expands(network: FullyConnected, points: Array, rate: Array) -> Relation:
    """The norm of the step, on the span of the gradients, against the bound by the largest curvature of a point."""
    rows, count = stacked_jacobian(network, points), points.shape[-2]
    # I - eta H with the zero eigenvalues of H left out: on the gradients it acts as the Gram matrix
    gram = 2 * rows @ transpose(rows) / count
    step = np.eye(gram.shape[-1], dtype=np.int64) - rate[..., None, None] * gram
    return ge(operator_norm(step) + 1, rate * largest(curvatures(network, points)))


def hessian_of_features(features: Array) -> Array:
    r""":math:`\frac2N J^T J` of features J, shape ``(..., N, P)``, of a linear model."""
    return np.asarray(2 * transpose(features) @ features / features.shape[-2])


def after_a_step(features: Array, error: Array, rate: Array) -> Array:
    """The distance of the parameters to the fit after a step, from their distance `error` before."""
    labels_missed = (features @ error[..., None])[..., 0]
    gradient = 2 * (transpose(features) @ labels_missed[..., None])[..., 0] / features.shape[-2]
    return np.asarray(error - rate[..., None] * gradient)


def no_distance_grows(features: Array, error: Array, rate: Array) -> Relation:
    """The distance to the fit after a step and before."""
    return le(squares(after_a_step(features, error, rate)), squares(error))


def below_the_threshold(features: Array, rate: Array) -> npt.NDArray[np.bool_]:
    r"""Whether :math:`\eta \|H\|_{op} \le 2`."""
    return np.asarray(compare(rate * operator_norm(hessian_of_features(features)), 2) <= 0)


def one_weight_cannot_converge(inputs: Array, rate: Array) -> Relation:
    """What is printed, for one weight: its distance to the fit does not shrink."""
    one = 0 * inputs[..., :1] + 1
    return ge(squares(after_a_step(inputs[..., None], one, rate)), squares(one))


def some_point_is_steep(inputs: Array, rate: Array) -> npt.NDArray[np.bool_]:
    r"""Whether :math:`\frac2N x_i^2 \ge \eta^{-1}` for some i."""
    return np.asarray(compare(2 * rate * largest(inputs**2) / inputs.shape[-1], 1) >= 0)


# False variants


def without_the_two(network: FullyConnected, points: Array, rate: Array) -> Relation:
    """The step of the loss with 1/(2N) against the curvature of the loss with 1/N."""
    rows, count = stacked_jacobian(network, points), points.shape[-2]
    gram = rows @ transpose(rows) / count
    step = np.eye(gram.shape[-1], dtype=np.int64) - rate[..., None, None] * gram
    return ge(operator_norm(step) + 1, rate * largest(curvatures(network, points)))


def curvatures_of_all_points_added(network: FullyConnected, points: Array, rate: Array) -> Relation:
    """The sum over the points for the largest."""
    rows, count = stacked_jacobian(network, points), points.shape[-2]
    gram = 2 * rows @ transpose(rows) / count
    step = np.eye(gram.shape[-1], dtype=np.int64) - rate[..., None, None] * gram
    return ge(operator_norm(step) + 1, rate * curvatures(network, points).sum(axis=-1))


def half_the_distance(features: Array, error: Array, rate: Array) -> Relation:
    """A step halves the distance."""
    return le(4 * squares(after_a_step(features, error, rate)), squares(error))


def a_longer_step(features: Array, error: Array, rate: Array) -> Relation:
    """A step of the loss without the mean over the points."""
    return no_distance_grows(features, error, features.shape[-2] * rate)


def one_layer(weight: int, rate: int) -> dict[str, Any]:
    """One layer and one point, of curvature 2 * (3^2 + 1) = 20."""
    return {"network": FullyConnected([rationals([[weight]])]), "points": rationals([[3]]), "rate": rationals(rate)}


def orthogonal_points() -> dict[str, Any]:
    """One layer and three points whose gradients are orthogonal: the largest curvature, 6, is that of the kernel."""
    network = FullyConnected([rationals([[1, 2]])], [rationals([0])])
    return {"network": network, "points": rationals([[1, "-1/2"], ["-1/2", 1], [-2, -2]]), "rate": rationals(1)}


def at_the_threshold() -> dict[str, Any]:
    """Two data of one feature of curvature 4, and steps of 1/2."""
    return {"features": rationals([[2, 0], [0, 1]]), "error": rationals([1, 0]), "rate": rationals("1/2")}


SOURCE = Source("symmetry_learning", "Minima stability")

CLAIM = Claim(
    id="symmetry_learning.gd_stability",
    title="A point of curvature above 2/eta makes a step of gradient descent expand",
    source=SOURCE,
    statement=step_expands,
    domain=Domain(
        {
            "network": Networks(slope=(-1, 1)),
            "points": reals("samples", "inputs"),
            "rate": interval(0, 4),
        },
        {"depth": (1, 2, 3, 6), "inputs": range(1, 3), "width": range(2, 4), "outputs": range(1, 4), "samples": (1, 3)},
    ),
    tight={"one point": Tight(lambda: one_layer(2, 1)), "orthogonal gradients": Tight(orthogonal_points)},
    false_neighbours={
        "the step of half the loss": without_the_two,
        "the curvatures of all points added": curvatures_of_all_points_added,
    },
    cost=2,
)

STAYS = Claim(
    id="symmetry_learning.gd_stability.converges",
    title="Below the curvature 2/eta no step of gradient descent moves away from the fit",
    source=Source("symmetry_learning", "ours"),
    status=Ours(),
    statement=no_distance_grows,
    domain=Domain(
        {"features": reals("samples", "parameters"), "error": reals("parameters"), "rate": interval(0, 4)},
        {"samples": range(1, 5), "parameters": range(1, 4)},
        {"the curvature is at most 2/eta": below_the_threshold},
    ),
    needs=("the curvature is at most 2/eta",),
    tight={"at the threshold": Tight(at_the_threshold)},
    false_neighbours={"half the distance": half_the_distance, "a longer step": a_longer_step},
)

PRINTED = Claim(
    id="symmetry_learning.gd_stability.printed",
    title="Gradient descent does not converge where a point has curvature 1/eta",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=one_weight_cannot_converge,
    domain=Domain(
        {"inputs": reals("samples"), "rate": interval(0, 4)},
        {"samples": range(1, 4)},
        {"a point has curvature 1/eta": some_point_is_steep},
    ),
    false_neighbours={},
)
