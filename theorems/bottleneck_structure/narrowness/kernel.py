r"""The neural tangent kernel is a sum over layers.

Statement
    .. math:: \Theta(x, y) = J_\theta f(x)\, J_\theta f(y)^T = \sum_{\ell=1}^L (\alpha_{\ell-1}(x)^T \alpha_{\ell-1}(y) + 1)\,
              J(\tilde\alpha_\ell \to f)(x)\, J(\tilde\alpha_\ell \to f)(y)^T ,

    and in a linear region :math:`\partial^2_{xy}\Theta` is the sum of the Kronecker products
    :math:`(J\alpha_{\ell-1}^T J\alpha_{\ell-1}) \otimes (J(\tilde\alpha_\ell\to f) J(\tilde\alpha_\ell\to f)^T)`.
Correction
    The 1 is the share of the biases; the proofs of the paper print the sum without it.
Checked
    The left side as it stands, with derivatives carried forward from every single parameter; the form without the share of the
    biases is refuted. Mixed differences of the kernel in a linear region, which are exact: the biases have no share there.
Proof idea
    Every parameter of a layer reaches the output through its pre-activations.
Source
    bottleneck_structure, Section 4 and proofs of Theorem 16 and Proposition 18.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import squares
from verify import Claim, Domain, FalseAsPrinted, Networks, Relation, Source, eq, reals
from verify.arithmetic import Array, compare
from verify.networks import FullyConnected
from verify.networks.ntk import ntk, ntk_mixed_derivative, ntk_trace


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


def kernel_is_sum_over_layers(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The kernel at two points from the parameter Jacobians, and as the sum over layers."""
    left, right = parameter_jacobian(network, x), parameter_jacobian(network, y)
    kernel = eq(left @ right.swapaxes(-1, -2), ntk(network, x, y), over=2, name="kernel")
    return kernel & eq(squares(left, (-2, -1)), ntk_trace(network, x), name="trace")


def kernel_without_biases(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The sum without the share of the biases."""
    left, right = parameter_jacobian(network, x), parameter_jacobian(network, y)
    return eq(left @ right.swapaxes(-1, -2), ntk(network, x, y, biases=False), over=2)


def along(network: FullyConnected, x: Array, u: Array, v: Array) -> Array:
    """The Kronecker products along u and v, shape ``(..., n_L, n_L)``."""
    blocks = ntk_mixed_derivative(network, x)
    inputs, outputs = network.widths[0], network.widths[-1]
    split = blocks.reshape(*blocks.shape[:-2], inputs, outputs, inputs, outputs)
    return np.asarray((split * u[..., :, None, None, None] * v[..., None, None, :, None]).sum(axis=(-4, -2)))


def mixed_difference(network: FullyConnected, x: Array, u: Array, v: Array) -> Relation:
    """Mixed difference of the kernel at x, x + u/8 and x + v/8, times 8^2, and the derivative along u and v."""
    first, second = x + u / 8, x + v / 8
    difference = ntk(network, first, second) - ntk(network, first, x) - ntk(network, x, second) + ntk(network, x)
    # beside the traces of the kernel, of which the difference is a small part
    size = 8**2 * (ntk_trace(network, first) + ntk_trace(network, second) + ntk_trace(network, x))[..., None, None]
    return eq(8**2 * difference + size, along(network, x, u, v) + size, over=2)


# False variants


def points_exchanged(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The kernel at y and x."""
    left, right = parameter_jacobian(network, x), parameter_jacobian(network, y)
    return eq(left @ right.swapaxes(-1, -2), ntk(network, y, x), over=2)


def without_kernel_at_x(network: FullyConnected, x: Array, u: Array, v: Array) -> Relation:
    """The mixed difference without its last term."""
    first, second = x + u / 8, x + v / 8
    difference = ntk(network, first, second) - ntk(network, first, x) - ntk(network, x, second)
    return eq(8**2 * difference, along(network, x, u, v), over=2)


def of_last_layer(network: FullyConnected, x: Array, u: Array, v: Array) -> Relation:
    """The share of the last layer alone."""
    first, second = x + u / 8, x + v / 8
    difference = ntk(network, first, second) - ntk(network, first, x) - ntk(network, x, second) + ntk(network, x)
    last = network.jacobian_to_layer(network.depth - 1, x)
    slopes = network.activation.derivative(network.preactivations(x)[-2])
    moved = [slopes * (last @ one[..., None])[..., 0] for one in (u, v)]
    share = (moved[0] * moved[1]).sum(axis=-1)[..., None, None] * np.eye(network.widths[-1], dtype=np.int64)
    return eq(8**2 * difference, share, over=2)


def pattern_is_constant(network: FullyConnected, x: Array, u: Array, v: Array) -> npt.NDArray[np.bool_]:
    """Whether no hidden neuron changes its sign between the three points, or is at its kink at x."""
    signs = [[compare(values, 0) for values in network.preactivations(point)[:-1]] for point in (x, x + u / 8, x + v / 8)]
    same = [((here != 0) & (here == first) & (here == second)).all(axis=-1) for here, first, second in zip(*signs, strict=True)]
    return np.asarray(np.logical_and.reduce(same))


SOURCE = Source("bottleneck_structure", "Section 4")
SIZES = {"depth": (1, 2, 3, 6), "inputs": range(1, 3), "width": range(2, 4), "outputs": range(1, 4)}
NETWORKS = Networks(slope=(-1, 1))
TWO_POINTS = {"network": NETWORKS, "x": reals("inputs"), "y": reals("inputs")}

CLAIM = Claim(
    id="bottleneck_structure.narrowness",
    title="The neural tangent kernel is a sum over layers",
    source=SOURCE,
    statement=kernel_is_sum_over_layers,
    domain=Domain(TWO_POINTS, SIZES),
    false_neighbours={"without the share of the biases": kernel_without_biases, "points exchanged": points_exchanged},
)

PRINTED = Claim(
    id="bottleneck_structure.narrowness.printed",
    title="The kernel of a network with biases without their share",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=kernel_without_biases,
    domain=Domain(TWO_POINTS, SIZES),
    false_neighbours={},
)

MIXED = Claim(
    id="bottleneck_structure.narrowness.mixed_derivative",
    title="The mixed derivative of the kernel in a linear region",
    source=SOURCE,
    statement=mixed_difference,
    domain=Domain(
        {"network": NETWORKS, "x": reals("inputs"), "u": reals("inputs"), "v": reals("inputs")},
        {**SIZES, "depth": (2, 3, 4)},
        {"the activation pattern is constant": pattern_is_constant},
    ),
    needs=("the activation pattern is constant",),
    false_neighbours={"without the kernel at x": without_kernel_at_x, "the last layer alone": of_last_layer},
)
