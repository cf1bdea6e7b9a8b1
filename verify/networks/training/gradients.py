"""Losses with their gradients, for networks of every class."""

from __future__ import annotations

from typing import Any

from verify.arithmetic import Array
from verify.networks.circular import CircularCNN
from verify.networks.fully_connected import FullyConnected
from verify.networks.leaky_resnet import LeakyResNet
from verify.networks.training.losses import Loss, MeanSquaredError
from verify.networks.training.objectives import Objective
from verify.networks.training.of_circular_cnn import CircularCNNObjective
from verify.networks.training.of_fully_connected import FullyConnectedObjective
from verify.networks.training.of_leaky_resnet import LeakyResNetObjective


def loss_and_gradient(
    network: FullyConnected | LeakyResNet | CircularCNN,
    x: Array,
    targets: Array,
    /,
    loss: Loss | None = None,
    *,
    ridge: Any = 0,
) -> tuple[Array, tuple[Array, ...]]:
    r"""Loss of a sample plus `ridge` times the squared norm of the parameters, shape ``batch``, and its gradient, one array for
    each of ``network.parameters``.

    N points and their targets have the shapes

    - ``(..., N, n_0)`` and ``(..., N, n_L)`` for a `FullyConnected`,
    - ``(..., w, N)`` and ``(..., n, N)`` for a `LeakyResNet`, where the targets are compared with its first `n` outputs,
    - ``(..., N, c_0, *image)`` and ``(..., N, c_L, *image)`` for a `CircularCNN`;

    the axes before these broadcast with the batch, each network of which has its own objective. The squared norm is the
    network's `parameter_norm_squared`. The loss is `MeanSquaredError` unless given. At a kink the slope is that which the
    network's own derivatives take. Exact networks have exact gradients.

    Raises
    ------
    ValueError
        Arrays of the wrong shape or arithmetic, NaN or infinity, or targets that the loss does not accept.
    TypeError
        `network` is of another class.
    """
    objective = objective_of(network, x, targets, MeanSquaredError() if loss is None else loss)
    value = objective.evaluate(ridge)
    return value, objective.gradient_arrays()


def objective_of(network: Any, x: Array, targets: Array, loss: Loss) -> Objective:
    """The objective of a network of any class that can be trained; see `loss_and_gradient`."""
    if isinstance(network, FullyConnected):
        return FullyConnectedObjective(network, x, targets, loss)
    if isinstance(network, LeakyResNet):
        return LeakyResNetObjective(network, x, targets, loss)
    if isinstance(network, CircularCNN):
        return CircularCNNObjective(network, x, targets, loss)
    raise TypeError(f"network must be a FullyConnected, LeakyResNet or CircularCNN, got {type(network).__name__}")
