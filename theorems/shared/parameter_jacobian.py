"""The derivative of the outputs by all weights and biases, from the network itself: not by the kernel's formula."""

from __future__ import annotations

from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened
from verify.words import concatenate, eye


@widened
def parameter_jacobian(f: FullyConnected, x: Array) -> Array:
    r""":math:`J_\theta f(x)`, shape ``(n_L, P)``: weights and biases of the first layer first.

    What one unit of a pre-activation gives is carried forward through the layers, with the slopes at x.
    """
    values, columns = f.activations(x), []
    slopes = [f.activation.derivative(before) for before in f.preactivations(x)[:-1]]
    for layer in range(f.depth):
        pushed = eye(f.widths[layer + 1])
        for later in range(layer, f.depth - 1):
            pushed = f.weights[later + 1] @ (slopes[later][:, None] * pushed)
        columns += [(pushed[:, :, None] * values[layer]).reshape(len(pushed), -1), pushed]
    return concatenate(columns, axis=1)


@widened
def stacked_jacobian(f: FullyConnected, X: Array) -> Array:
    """Parameter Jacobians of the points on top of each other, shape ``(N n_L, P)``."""
    return concatenate([parameter_jacobian(f, x) for x in X])
