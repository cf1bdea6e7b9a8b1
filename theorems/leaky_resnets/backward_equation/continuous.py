"""The backward equation is dual to the linearised forward equation, and the limit of the discrete adjoints."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.backward_equation.statement import SOURCE
from verify import Claim, Domain, Rate, Relation, eq, interval, reals
from verify.arithmetic import Array
from verify.networks import ContinuousLeakyResNet
from verify.networks.leaky_resnet import active, equidistant_steps, inner, squared_norm


def adjoint_is_dual(A: Array, B: Array, change: Array, weights: Array, leak: Array) -> Relation:
    r"""The derivatives of the factors of :math:`\mathrm{Tr}[B^T\delta A]` along both equations cancel."""
    V, rate = weights[..., :-1], leak[..., None, None]
    forward = V @ (active(A) * change) - rate * change
    backward = active(A) * (np.swapaxes(V, -1, -2) @ B) - rate * B
    return eq(inner(backward, change), inner(B, forward))


def error_of_discrete_adjoints(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of the adjoints at p = 0 of discrete networks from the integrated ones; all activations are positive."""
    first, second = np.array([[0.5, 0.25, 1.0], [0.75, 0.5, 0.25]]), np.array([[0.5, 1.0, 0.25], [0.25, 0.25, 0.5]])
    network = ContinuousLeakyResNet.piecewise_linear([first, second], 1.0)
    x, last = np.array([[1.0, 0.5], [0.5, 2.0]]), np.array([[1.0, -1.0], [0.5, 0.25]])
    exact = network.adjoints(x, last, [0.0]).values[0]
    errors = []
    for count in counts:
        discrete = network.discretised(equidistant_steps(int(count)))
        errors.append(np.sqrt(squared_norm(discrete.adjoints(discrete.activations(x), last)[0] - exact)))
    return np.asarray(errors)


# False variants


def dual_without_mask(A: Array, B: Array, change: Array, weights: Array, leak: Array) -> Relation:
    """The derivative of the activation is forgotten on the way back."""
    V, rate = weights[..., :-1], leak[..., None, None]
    forward = V @ (active(A) * change) - rate * change
    return eq(inner(np.swapaxes(V, -1, -2) @ B - rate * B, change), inner(B, forward))


def dual_with_growth(A: Array, B: Array, change: Array, weights: Array, leak: Array) -> Relation:
    """The leak has the other sign on the way back."""
    V, rate = weights[..., :-1], leak[..., None, None]
    forward = V @ (active(A) * change) - rate * change
    return eq(inner(active(A) * (np.swapaxes(V, -1, -2) @ B) + rate * B, change), inner(B, forward))


def dual_without_transpose(A: Array, B: Array, change: Array, weights: Array, leak: Array) -> Relation:
    """The weights act on adjoints as on activations."""
    V, rate = weights[..., :-1], leak[..., None, None]
    forward = V @ (active(A) * change) - rate * change
    return eq(inner(active(A) * (V @ B) - rate * B, change), inner(B, forward))


CONTINUOUS = Claim(
    id="leaky_resnets.backward_equation.continuous",
    title="The backward equation is dual to the linearised forward equation",
    source=SOURCE,
    statement=adjoint_is_dual,
    domain=Domain(
        {
            "A": reals("width", "points"),
            "B": reals("width", "points"),
            "change": reals("width", "points"),
            "weights": reals("width", lambda sizes: sizes["width"] + 1),
            "leak": interval(0, 3),
        },
        {"width": range(1, 4), "points": range(1, 4)},
    ),
    false_neighbours={
        "no mask": dual_without_mask,
        "leak of the other sign": dual_with_growth,
        "weights not transposed": dual_without_transpose,
    },
    rate=Rate(error_of_discrete_adjoints, (8, 16, 32, 64, 128, 256, 512), -1.0),
)
