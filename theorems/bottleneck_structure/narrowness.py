r"""The neural tangent kernel as a sum over layers, the Hessian at a fit, and how small the kernel can be.

.. math:: \Theta(x, y) = J_\theta f(x)\, J_\theta f(y)^T = \sum_{\ell=1}^L (\alpha_{\ell-1}(x)^T \alpha_{\ell-1}(y) + 1)\,
          J(\tilde\alpha_\ell \to f)(x)\, J(\tilde\alpha_\ell \to f)(y)^T .

The 1 is the share of the biases; the proofs of the paper print the sum without it, which is not the kernel of a network with
biases (``.printed``). The left side is checked as it stands, with derivatives carried forward from every single parameter.

* ``.mixed_derivative``: in a linear region :math:`\partial^2_{xy}\Theta` is the sum of the Kronecker products
  :math:`(J\alpha_{\ell-1}^T J\alpha_{\ell-1}) \otimes (J(\tilde\alpha_\ell\to f) J(\tilde\alpha_\ell\to f)^T)`: mixed
  differences of the kernel there are exact, and the biases have no share.
* ``.hessian``: at a fit of N points the Hessian of :math:`\frac1N \sum_i \|f(x_i) - y_i\|^2` is
  :math:`\frac2N J_\theta^T J_\theta`; so it changes the loss in a direction v by at most
  :math:`\frac2N \|\Theta(X, X)\|_{op} \|v\|^2`, and gradient descent with steps eta can stay there only if
  :math:`\eta \|\Theta(X, X)\|_{op} \le N`. (The paper writes 1/N, which belongs to the loss :math:`\frac1{2N}\sum\|.\|^2`.)
  The second derivative of the loss is taken from the values of the network to second order, and is another away from a fit.
* ``.trace``: from :math:`\frac1N \|\Theta(X, X)\|_{op} \le cL` follows
  :math:`\frac1N \mathrm{Tr}\,\Theta(X, X) \le N d_{out} cL` and no more.
* ``.lower_bound``: a kernel much smaller than L is impossible for a ReLU network without biases,
  :math:`\mathrm{Tr}\,\Theta(x, x) \ge L\, \|f(x)\|^{2 - 2/L} \|x\|^{2/L}`, for
  :math:`\|f(x)\| \le \|J(\tilde\alpha_\ell \to f)\|\, \|\alpha_\ell\|` at every hidden layer and the inequality of means.

Source: bottleneck_structure, Section 4; the last three in this form are ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.theorem_1 import squares
from verify import Claim, Domain, FalseAsPrinted, Networks, Ours, Relation, Source, Tight, eq, integers, le, reals
from verify.arithmetic import Array, absolute, compare, power, rationals
from verify.matrices import operator_norm
from verify.networks import FullyConnected
from verify.networks.ntk import ntk, ntk_gram, ntk_mixed_derivative, ntk_trace


def parameter_jacobian(network: FullyConnected, x: Array) -> Array:
    r""":math:`J_\theta f(x)`, shape ``(..., n_0) -> (..., n_L, P)``: weights and biases of the first layer first.

    What one unit of a pre-activation gives is carried forward through the layers, with the slopes at x.
    """
    values, columns = network.activations(x), []
    slopes = [network.activation.derivative(one) for one in network.preactivations(x)[:-1]]
    for layer in range(network.depth):
        width = network.widths[layer + 1]
        pushed = 0 * values[layer][..., :1, None] + np.eye(width, dtype=np.int64)
        for later in range(layer, network.depth - 1):
            pushed = network.weights[later + 1] @ (slopes[later][..., :, None] * pushed)
        by_weights = pushed[..., :, :, None] * values[layer][..., None, None, :]
        columns += [by_weights.reshape(*by_weights.shape[:-2], -1), pushed]
    batch = np.broadcast_shapes(*(column.shape[:-1] for column in columns))
    return np.concatenate([np.broadcast_to(column, (*batch, column.shape[-1])) for column in columns], axis=-1)


def kernel_is_sum_over_layers(
    network: FullyConnected, x: Array, y: Array, biases: bool = True, transposed: bool = False
) -> Relation:
    """The kernel at two points from the parameter Jacobians, and as the sum over layers."""
    left, right = parameter_jacobian(network, x), parameter_jacobian(network, y)
    kernel = ntk(network, x, y, biases=biases)
    size = absolute(left) @ absolute(right).swapaxes(-1, -2)
    relation = eq(left @ right.swapaxes(-1, -2), kernel.swapaxes(-1, -2) if transposed else kernel, scale=size, over=2)
    trace = ntk_trace(network, x, biases=biases)
    return relation & eq(squares(left, (-2, -1)), trace, scale=squares(left, (-2, -1)))


def mixed_difference(
    network: FullyConnected, x: Array, u: Array, v: Array, others: bool = True, percent: int = 100
) -> Relation:
    """Mixed difference of the kernel at x, x + u/64 and x + v/64, times 64^2, and the Kronecker products along u and v."""
    first, second = x + u / 64, x + v / 64
    terms = [ntk(network, first, second), -ntk(network, first, x), -ntk(network, x, second)]
    if others:
        terms.append(ntk(network, x))
    blocks = ntk_mixed_derivative(network, x)
    inputs, outputs = network.widths[0], network.widths[-1]
    split = blocks.reshape(*blocks.shape[:-2], inputs, outputs, inputs, outputs)
    along = (split * u[..., :, None, None, None] * v[..., None, None, :, None]).sum(axis=(-4, -2))
    size = 64**2 * sum(absolute(term) for term in terms) + absolute(along)
    # the kernel is a sum of products: its rounding is relative to the products of norms
    norms = [np.asarray(squares(parameter_jacobian(network, point), (-2, -1))) for point in (x, first, second)]
    scale = size + 64**2 * np.asarray(sum(norms))[..., None, None]
    return eq(64**2 * sum(terms), along * percent / 100, scale=scale, over=2)


def pattern_is_constant(network: FullyConnected, x: Array, u: Array, v: Array) -> npt.NDArray[np.bool_]:
    """Whether no hidden neuron changes its sign between the three points, or is at its kink at x."""
    signs = [[compare(values, 0) for values in network.preactivations(point)[:-1]] for point in (x, x + u / 64, x + v / 64)]
    same = [((here != 0) & (here == first) & (here == second)).all(axis=-1) for here, first, second in zip(*signs, strict=True)]
    return np.asarray(np.logical_and.reduce(same))


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


def change_of_loss(
    network: FullyConnected, points: Array, direction: Array, misfit: Array, basis_points: int = 10_000, factor: int = 2
) -> Relation:
    r"""Second derivative of the loss in a direction v against `factor` :math:`\|J_\theta f(X) v\|^2/N`, and its bound.

    `points`, shape ``(..., N, n_0)``; `direction`, shape ``(..., P)``; the outputs are all too large by `misfit`.
    """
    count, derivative = points.shape[-2], 0 * misfit
    for i in range(count):
        _, first, second = values_along(network, points[..., i, :], direction)
        derivative = derivative + 2 * (squares(first) + 2 * misfit * second.sum(axis=-1)) / count
    rows = _stacked_jacobian(network, points)
    moved = squares((rows @ direction[..., None])[..., 0])
    bound = factor * operator_norm(rows @ rows.swapaxes(-1, -2)) * squares(direction) / count
    scale = squares(rows, (-2, -1)) * squares(direction)
    return eq(derivative, factor * moved / count, scale=scale) & le(derivative, bound * basis_points / 10_000, scale=scale)


def is_a_fit(misfit: Array) -> npt.NDArray[np.bool_]:
    """Whether the outputs are as they should be."""
    return np.asarray(compare(misfit, 0) == 0)


def _stacked_jacobian(network: FullyConnected, points: Array) -> Array:
    """Parameter Jacobians of the points of each network on top of each other, shape ``(..., N n_L, P)``."""
    rows = np.stack([parameter_jacobian(network, points[..., i, :]) for i in range(points.shape[-2])], axis=-3)
    return rows.reshape(*rows.shape[:-3], -1, rows.shape[-1])


def norm_against_trace(
    network: FullyConnected, points: Array, outputs: bool = True, samples: bool = True, percent: int = 100
) -> Relation:
    r""":math:`\mathrm{Tr}\,\Theta(X, X) \le N d_{out} \|\Theta(X, X)\|_{op}`, and the norm is at most the trace."""
    kernel = ntk_gram(network, points)
    norm, trace = operator_norm(kernel), np.trace(kernel, axis1=-2, axis2=-1)
    factor = (network.widths[-1] if outputs else 1) * (points.shape[-2] if samples else 1)
    return le(norm * percent / 100, trace) & le(trace, factor * norm)


def trace_is_not_small(network: FullyConnected, x: Array, basis_points: int = 10_000, more: int = 0) -> Relation:
    r"""Trace of the kernel without the share of the biases, against :math:`L \|f(x)\|^{2-2/L} \|x\|^{2/L}`.

    `more` makes the exponent of the first norm that much larger and the other smaller, by 2/L, in a false neighbour.
    """
    depth, trace = network.depth, ntk_trace(network, x, biases=False)
    value, point = squares(network(x)), squares(x)
    least = power(value, Fraction(depth - 1 + more, depth)) * power(point, Fraction(1 - more, depth))
    return le(depth * least * basis_points / 10_000, trace)


def scalar_chain(*weights: int | str, **others: Any) -> dict[str, Any]:
    """One neuron in every layer, without biases."""
    return {"network": FullyConnected([rationals([[weight]]) for weight in weights]), **others}


def steep_at_the_end() -> Relation:
    r"""f(x) = x with weights 1/d and d (twice): the trace at 0 is 1 + 2 d^2 with the biases, as small as 1 where d is."""
    network = FullyConnected([rationals([[100]]), rationals([[1]]), rationals([["1/100"]])])
    return eq(ntk_trace(network, rationals([0])), rationals("5001/5000"))


SOURCE = Source("bottleneck_structure", "Section 4")
OURS = Source("bottleneck_structure", "ours")
SIZES = {"depth": range(1, 4), "inputs": range(1, 3), "width": range(2, 3), "outputs": range(1, 3)}
DEEPER = SIZES | {"depth": range(2, 4)}
NETWORKS = Networks(slope=(-1, 1))


def parameters(sizes: Any) -> int:
    """Number of weights and biases."""
    widths = NETWORKS.widths(sizes)
    return sum(after * (before + 1) for before, after in pairwise(widths))


CLAIM = Claim(
    id="bottleneck_structure.narrowness",
    title="The neural tangent kernel is a sum over layers",
    source=SOURCE,
    statement=kernel_is_sum_over_layers,
    domain=Domain({"network": NETWORKS, "x": reals("inputs"), "y": reals("inputs")}, SIZES),
    tight={
        "three neurons": Tight(partial(scalar_chain, 2, 1, 3, x=rationals([1]), y=rationals([2]))),
    },
    false_neighbours={
        "without the share of the biases": partial(kernel_is_sum_over_layers, biases=False),
        "points exchanged": partial(kernel_is_sum_over_layers, transposed=True),
    },
)

PRINTED = Claim(
    id="bottleneck_structure.narrowness.printed",
    title="The kernel of a network with biases without their share",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="bottleneck_structure.narrowness"),
    statement=partial(kernel_is_sum_over_layers, biases=False),
    domain=Domain({"network": NETWORKS, "x": reals("inputs"), "y": reals("inputs")}, SIZES),
    false_neighbours={},
)

MIXED = Claim(
    id="bottleneck_structure.narrowness.mixed_derivative",
    title="The mixed derivative of the kernel in a linear region",
    source=SOURCE,
    statement=mixed_difference,
    domain=Domain(
        {"network": NETWORKS, "x": reals("inputs"), "u": reals("inputs"), "v": reals("inputs")},
        DEEPER,
        {"the activation pattern is constant": pattern_is_constant},
    ),
    needs=("the activation pattern is constant",),
    tight={
        "three neurons": Tight(partial(scalar_chain, 2, 1, 3, x=rationals([1]), u=rationals([1]), v=rationals([2]))),
    },
    false_neighbours={
        "1 percent less": partial(mixed_difference, percent=99),
        "without the kernel at x": partial(mixed_difference, others=False),
    },
)

HESSIAN = Claim(
    id="bottleneck_structure.narrowness.hessian",
    title="The Hessian at a fit is at most the norm of the kernel",
    source=SOURCE,
    statement=change_of_loss,
    domain=Domain(
        {"network": NETWORKS, "points": reals(2, "inputs"), "direction": reals(parameters), "misfit": integers(0, 1)},
        {"depth": range(1, 3), "inputs": range(1, 2), "width": range(2, 3), "outputs": range(1, 3)},
        {"all points are fitted": is_a_fit},
    ),
    needs=("all points are fitted",),
    tight={
        "one layer, along its gradient": Tight(
            partial(scalar_chain, 1, points=rationals([[1], [1]]), direction=rationals([1, 1]), misfit=rationals(0))
        ),
    },
    false_neighbours={
        "1/N, of the other loss": partial(change_of_loss, factor=1),
        "1 percent less": partial(change_of_loss, basis_points=9_900),
        "0.01 percent less": partial(change_of_loss, basis_points=9_999),
    },
)

TRACE = Claim(
    id="bottleneck_structure.narrowness.trace",
    title="What the norm of the kernel says of its trace",
    source=OURS,
    status=Ours(),
    statement=norm_against_trace,
    domain=Domain(
        {"network": NETWORKS, "points": reals(2, "inputs")},
        {"depth": range(1, 3), "inputs": range(1, 2), "width": range(2, 3), "outputs": range(1, 3)},
    ),
    tight={
        "two points orthogonal to each other, with the biases": Tight(
            partial(scalar_chain, 1, points=rationals([[1], [-1]])),
        ),
    },
    false_neighbours={
        "without the outputs": partial(norm_against_trace, outputs=False),
        "without the points": partial(norm_against_trace, samples=False),
        "norm 1 percent larger": partial(norm_against_trace, percent=101),
    },
)

LOWER = Claim(
    id="bottleneck_structure.narrowness.lower_bound",
    title="Without biases the kernel is at least of order L",
    source=OURS,
    status=Ours(),
    statement=trace_is_not_small,
    domain=Domain({"network": Networks(biases=False), "x": reals("inputs")}, SIZES | {"outputs": range(1, 2)}),
    tight={
        "a chain of equal weights": Tight(partial(scalar_chain, 2, 2, 2, x=rationals([3]))),
        "one layer": Tight(partial(scalar_chain, 2, x=rationals([3]))),
    },
    false_neighbours={
        "constant 1.01": partial(trace_is_not_small, basis_points=10_100),
        "constant 1.0001": partial(trace_is_not_small, basis_points=10_001),
        "the value alone": partial(trace_is_not_small, more=1),
    },
    exact={"small at one point with biases": steep_at_the_end},
)
