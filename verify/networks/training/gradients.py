"""Losses with their gradients, for networks of every class."""

from __future__ import annotations

from typing import Any

from verify.networks.circular import CircularCNN
from verify.networks.fully_connected import FullyConnected
from verify.networks.leaky_resnet import LeakyResNet
from verify.networks.training.losses import Loss, MeanSquaredError
from verify.networks.training.objectives import Objective
from verify.networks.training.of_circular_cnn import CircularCNNObjective
from verify.networks.training.of_fully_connected import FullyConnectedObjective
from verify.networks.training.of_leaky_resnet import LeakyResNetObjective
from verify.numbers.arguments import real_number
from verify.numbers.arithmetic import Array


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
        Arrays of the wrong shape or arithmetic, NaN or infinity, targets that the loss does not accept, or a ridge that is
        negative or not finite.
    TypeError
        `network` is of another class, or `ridge` a float beside an exact network.

    Examples
    --------
    For :math:`f(x) = wx + b` the derivatives of :math:`(f(2) - 3)^2` at w = 1 and b = 0 are -4 and -2:

    >>> network = FullyConnected([rationals([[1]])])
    >>> loss, gradient = loss_and_gradient(network, rationals([[2]]), rationals([[3]]))
    >>> print(loss, *gradient)
    1 [[-4]] [-2]
    """
    objective = objective_of(network, x, targets, MeanSquaredError() if loss is None else loss)
    value = objective.evaluate(_checked_ridge(ridge, exact=network.is_exact))
    return value, objective.gradient_arrays()


def _checked_ridge(ridge: Any, *, exact: bool) -> Any:
    number = real_number("ridge", ridge, exact=exact)
    if number < 0:
        raise ValueError(f"ridge must be a finite number that is not negative, got {ridge!r}")
    return number


def objective_of(network: Any, x: Array, targets: Array, loss: Loss) -> Objective:
    """The objective of a network of any class that can be trained; see `loss_and_gradient`."""
    for method in ("check", "__call__"):
        if not callable(getattr(loss, method, None)):
            raise TypeError(f"loss must be one (MeanSquaredError, CrossEntropy, ...), got {loss!r}")
    if isinstance(network, FullyConnected):
        return FullyConnectedObjective(network, x, targets, loss)
    if isinstance(network, LeakyResNet):
        return LeakyResNetObjective(network, x, targets, loss)
    if isinstance(network, CircularCNN):
        return CircularCNNObjective(network, x, targets, loss)
    raise TypeError(f"network must be a FullyConnected, LeakyResNet or CircularCNN, got {type(network).__name__}")
