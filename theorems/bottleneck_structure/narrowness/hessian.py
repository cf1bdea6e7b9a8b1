r"""The Hessian at a fit is at most the norm of the kernel.

Statement
    At a fit of N points the Hessian of :math:`\frac1N \sum_i \|f(x_i) - y_i\|^2` is :math:`\frac2N J_\theta^T J_\theta`, its
    norm :math:`\frac2N \|\Theta(X, X)\|_{op}`, and its trace :math:`\frac2N \mathrm{Tr}\,\Theta(X, X)`. From
    :math:`\frac1N \|\Theta(X, X)\|_{op} \le cL` follows :math:`\frac1N \mathrm{Tr}\,\Theta(X, X) \le N d_{out} cL`.
Correction
    The paper writes 1/N for 2/N, which belongs to the loss with 1/(2N).
Checked
    The second derivative of the loss in any direction v, from the values of the network to second order, and that it is at most
    :math:`\frac2N \|\Theta(X, X)\|_{op} \|v\|^2`: gradient descent with steps :math:`\eta` can stay at the fit only if
    :math:`\eta \|\Theta(X, X)\|_{op} \le N`. Away from a fit it is another, but with the same trace (``.hessian_trace``): its
    diagonal is that of the fit, because no parameter occurs twice in a product. Norm and trace of the kernel against each
    other.
Proof idea
    The terms with second derivatives of the network vanish with the misfit.
Sharp
    The gradient of one layer at one point, twice, and of three layers; two points whose features are orthogonal; one output of
    one point.
Source
    bottleneck_structure, Section 4; the inequalities between norm and trace are ours in this form.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import squares
from theorems.bottleneck_structure.narrowness.kernel import NETWORKS, SOURCE, parameter_jacobian
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, integers, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import operator_norm
from verify.networks import FullyConnected
from verify.networks.ntk import ntk_gram


def values_along(network: FullyConnected, x: Array, direction: Array) -> tuple[Array, Array, Array]:
    r"""The coefficients of 1, t and t^2 in :math:`f_{\theta + tv}(x)`, with the slopes at x; v as in `parameter_jacobian`."""
    zeroth, first, second, start = x, 0 * x, 0 * x, 0
    for layer, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        outputs, inputs = weight.shape[-2:]
        end = start + outputs * inputs
        by_weight = direction[..., start:end].reshape(*direction.shape[:-1], outputs, inputs)
        by_bias, start = direction[..., end : end + outputs], end + outputs
        second = (weight @ second[..., None] + by_weight @ first[..., None])[..., 0]
        first = (weight @ first[..., None] + by_weight @ zeroth[..., None])[..., 0] + by_bias
        zeroth = (weight @ zeroth[..., None])[..., 0] + bias
        if layer < network.depth - 1:
            slope = network.activation.derivative(zeroth)
            zeroth, first, second = slope * zeroth, slope * first, slope * second
    return zeroth, first, second


def second_derivative(network: FullyConnected, points: Array, direction: Array, misfit: Array) -> Array:
    """Of the loss along a direction, where all outputs are too large by `misfit`; shapes ``(..., N, n_0)``, ``(..., P)``."""
    count, derivative = points.shape[-2], 0 * misfit
    for place in range(count):
        _, first, second = values_along(network, points[..., place, :], direction)
        derivative = derivative + 2 * (squares(first) + 2 * misfit * second.sum(axis=-1)) / count
    return np.asarray(derivative)


def stacked_jacobian(network: FullyConnected, points: Array) -> Array:
    """Parameter Jacobians of the points of each network on top of each other, shape ``(..., N n_L, P)``."""
    rows = np.stack([parameter_jacobian(network, points[..., place, :]) for place in range(points.shape[-2])], axis=-3)
    return rows.reshape(*rows.shape[:-3], -1, rows.shape[-1])


def hessian_is_the_kernel(network: FullyConnected, points: Array, direction: Array, misfit: Array, factor: int = 2) -> Relation:
    r"""The second derivative of the loss against :math:`\frac2N \|J_\theta f(X) v\|^2`, and its bound."""
    count, rows = points.shape[-2], stacked_jacobian(network, points)
    derivative = second_derivative(network, points, direction, misfit)
    moved = squares((rows @ direction[..., None])[..., 0])
    bound = factor * operator_norm(rows @ rows.swapaxes(-1, -2)) * squares(direction) / count
    return eq(derivative, factor * moved / count, name="Hessian") & le(derivative, bound, name="bound")


def trace_of_hessian(network: FullyConnected, points: Array, misfit: Array) -> Array:
    """The second derivatives of the loss along all weights and biases added up."""
    units = np.eye(stacked_jacobian(network, points).shape[-1], dtype=np.int64)
    return np.asarray(sum(second_derivative(network, points, unit, misfit) for unit in units))


def trace_is_that_of_the_kernel(network: FullyConnected, points: Array, misfit: Array, factor: int = 2) -> Relation:
    r"""The trace of the Hessian against :math:`\frac2N \mathrm{Tr}\,\Theta(X, X)`."""
    kernel = ntk_gram(network, points)
    return eq(trace_of_hessian(network, points, misfit), factor * np.trace(kernel, axis1=-2, axis2=-1) / points.shape[-2])


def trace_and_norm(network: FullyConnected, points: Array) -> Relation:
    r""":math:`\|\Theta(X, X)\|_{op} \le \mathrm{Tr}\,\Theta(X, X) \le N d_{out} \|\Theta(X, X)\|_{op}`."""
    kernel = ntk_gram(network, points)
    norm, trace = operator_norm(kernel), np.trace(kernel, axis1=-2, axis2=-1)
    return le(norm, trace, name="norm") & le(trace, network.widths[-1] * points.shape[-2] * norm, name="trace")


# False variants


def of_the_other_loss(network: FullyConnected, points: Array, direction: Array, misfit: Array) -> Relation:
    """1/N, of the loss with 1/(2N)."""
    return hessian_is_the_kernel(network, points, direction, misfit, factor=1)


def trace_of_the_other_loss(network: FullyConnected, points: Array, misfit: Array) -> Relation:
    """1/N, of the loss with 1/(2N)."""
    return trace_is_that_of_the_kernel(network, points, misfit, factor=1)


def trace_is_the_norm(network: FullyConnected, points: Array, misfit: Array) -> Relation:
    """The norm of the kernel in place of its trace."""
    return eq(trace_of_hessian(network, points, misfit), 2 * operator_norm(ntk_gram(network, points)) / points.shape[-2])


def trace_of_one_output(network: FullyConnected, points: Array) -> Relation:
    """Without the number of outputs."""
    kernel = ntk_gram(network, points)
    return le(np.trace(kernel, axis1=-2, axis2=-1), points.shape[-2] * operator_norm(kernel))


def trace_of_one_point(network: FullyConnected, points: Array) -> Relation:
    """Without the number of points."""
    kernel = ntk_gram(network, points)
    return le(np.trace(kernel, axis1=-2, axis2=-1), network.widths[-1] * operator_norm(kernel))


def is_a_fit(misfit: Array) -> npt.NDArray[np.bool_]:
    """Whether the outputs are as they should be."""
    return np.asarray(compare(misfit, 0) == 0)


def three_layers() -> dict[str, Any]:
    """Three layers of one weight 1, a point that occurs three times, where all derivatives are 1, and their direction."""
    network = FullyConnected([rationals([[1]])] * 3)
    return {"network": network, "points": rationals([[1]] * 3), "direction": rationals([1] * 6), "misfit": rationals(0)}


def one_layer(weight: int, points: Any, **others: Any) -> dict[str, Any]:
    """One layer of one weight, and points."""
    return {"network": FullyConnected([rationals([[weight]])]), "points": rationals(points), **others}


def along_the_gradient() -> dict[str, Any]:
    """A point that occurs twice, and the direction of its gradient."""
    return one_layer(1, [[1], [1]], direction=rationals([1, 1]), misfit=rationals(0))


def parameters(sizes: Any) -> int:
    """Number of weights and biases."""
    return sum(after * (before + 1) for before, after in pairwise(NETWORKS.widths(sizes)))


SIZES = {"depth": (1, 2, 3), "inputs": range(1, 3), "width": range(2, 3), "outputs": range(1, 4), "samples": (1, 3)}

HESSIAN = Claim(
    id="bottleneck_structure.narrowness.hessian",
    title="The Hessian at a fit is at most the norm of the kernel",
    source=SOURCE,
    statement=hessian_is_the_kernel,
    domain=Domain(
        {
            "network": NETWORKS,
            "points": reals("samples", "inputs"),
            "direction": reals(parameters),
            "misfit": integers(0, 1),
        },
        SIZES,
        {"all points are fitted": is_a_fit},
    ),
    needs=("all points are fitted",),
    tight={
        "one layer, along its gradient": Tight(along_the_gradient, of=("bound",)),
        "three layers, along the gradient": Tight(three_layers, of=("bound",)),
    },
    false_neighbours={"1/N, of the other loss": of_the_other_loss},
)

HESSIAN_TRACE = Claim(
    id="bottleneck_structure.narrowness.hessian_trace",
    title="The trace of the Hessian is that of the kernel",
    source=SOURCE,
    statement=trace_is_that_of_the_kernel,
    domain=Domain({"network": NETWORKS, "points": reals("samples", "inputs"), "misfit": reals()}, SIZES),
    false_neighbours={"1/N, of the other loss": trace_of_the_other_loss, "the norm": trace_is_the_norm},
    cost=4,
)

TRACE = Claim(
    id="bottleneck_structure.narrowness.trace",
    title="What the norm of the kernel says of its trace",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=trace_and_norm,
    domain=Domain({"network": NETWORKS, "points": reals("samples", "inputs")}, SIZES),
    tight={
        "two points with orthogonal features": Tight(partial(one_layer, 1, [[1], [-1]]), of=("trace",)),
        "one point": Tight(partial(one_layer, 1, [[1]]), of=("norm", "trace")),
    },
    false_neighbours={"without the outputs": trace_of_one_output, "without the points": trace_of_one_point},
)
