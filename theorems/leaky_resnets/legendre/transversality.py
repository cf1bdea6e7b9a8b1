r"""At the end of an optimal path the momentum is that of the loss, :math:`B_1 = \frac2{\lambda N}(F - A_1)`.

With the target :math:`F = A_1 + \frac{\lambda N}2B` the end of a discrete path is optimal: moving it by D costs
:math:`\frac1N\|D\|^2 + \frac\lambda{2L\rho}\|D\|_K^2` more, without a term of first order.
"""

from __future__ import annotations

import numpy as np

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES
from theorems.leaky_resnets.legendre.transform import Motion, momentum, motion
from verify import Claim, Domain, Ours, Q, Relation, Source, derived, eq, interval, reals
from verify.arithmetic import Array
from verify.networks.leaky_resnet import feature_matrix, smallest_weights, squared_norm

HALF = Q("1/2")


def cost_of_an_end(moved: Motion, end: Array, target: Array, rate: tuple[Array, Array, Array]) -> Array:
    r""":math:`\frac1N\|F - A_1\|^2 + \frac{\lambda\rho}{2L}\|LA + (A_1 - A)/\rho\|_K^2`; `rate` is L, :math:`\lambda`, rho."""
    A, (leak, penalty, step) = moved[0], rate
    driving = leak[..., None, None] * A + (end - A) / step[..., None, None]
    price = penalty * step / (2 * leak) * squared_norm(smallest_weights(driving, feature_matrix(A)))
    return np.asarray(squared_norm(target - end) / A.shape[-1] + price)


def end_is_optimal(
    moved: Motion, away: Array, leak: Array, penalty: Array, step: Array, half: Q = HALF, target_half: Q = HALF
) -> Relation:
    r"""What it costs to move the end of a path away, where :math:`F = A_1 + \frac{\lambda N}2B`."""
    A, V = moved
    F, points = feature_matrix(A), A.shape[-1]
    end, direction = A + (leak * step)[..., None, None] * V, away @ F
    target = end + target_half * penalty[..., None, None] * points * momentum(A, V)
    rate = leak, penalty, step
    more = cost_of_an_end(moved, end + direction, target, rate) - cost_of_an_end(moved, end, target, rate)
    price = half * penalty / (leak * step) * squared_norm(smallest_weights(direction, F))
    return eq(more, squared_norm(direction) / points + price)


# False variants


def momentum_of_other_sign(moved: Motion, away: Array, leak: Array, penalty: Array, step: Array) -> Relation:
    """The target on the other side of the end."""
    return end_is_optimal(moved, away, leak, penalty, step, target_half=Q("-1/2"))


def momentum_does_not_count(moved: Motion, away: Array, leak: Array, penalty: Array, step: Array) -> Relation:
    """The end is optimal where it meets the target."""
    return end_is_optimal(moved, away, leak, penalty, step, target_half=Q(0))


CLAIM = Claim(
    id="leaky_resnets.legendre.transversality",
    title="At the end of an optimal path the momentum is that of the loss",
    source=Source("leaky_resnets", "Section 1.5"),
    status=Ours(),
    statement=end_is_optimal,
    domain=Domain(
        {
            "moved": derived(motion, A=REPRESENTATION, weights=reals("width", lambda sizes: sizes["width"] + 1)),
            "away": reals("width", lambda sizes: sizes["width"] + 1),
            "leak": interval(1 / 4, 4),
            "penalty": interval(1 / 8, 2),
            "step": interval(1 / 8, 1),
        },
        SHAPES,
    ),
    false_neighbours={
        "the other sign": momentum_of_other_sign,
        "no momentum": momentum_does_not_count,
    },
    cost=2,
)
