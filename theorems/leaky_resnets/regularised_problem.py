r"""The gradient of the regularised problem in L2: :math:`\frac\lambda LW_p` is the weight of the norm of functions of p.

Statement
    .. math:: J(W) = C(A_1) + \frac\lambda{2L}\int_0^1\|W_p\|^2dp, \qquad C(A) = \tfrac1N\|F - A\|^2 .

    The gradient in the scalar product :math:`\int\mathrm{Tr}[V_pW_p^T]dp` is
    :math:`\partial_{W_p}J = \partial_{W_p}C + \frac\lambda LW_p` with
    :math:`\partial_{W_p}C = -\lambda B_p\sigma(A_p)^T`. For a discrete network the scalar product is
    :math:`\sum_\ell\rho_\ell\mathrm{Tr}[V_\ell W_\ell^T]`.
Checked
    The derivative of J along a direction in which **all** layers move at once against that scalar product, by a central
    difference of as many points as the polynomial J has terms, which has no error as long as no activation changes its sign.
    One neuron with weights that are constant on two pieces of [0, 1], in sympy: the derivative by the weights of a piece is the
    integral of the gradient over it. The gradient at the first layer of discrete networks approaches that at p = 0 at the rate
    1/M.
Source
    leaky_resnets, Sections 1.1 and 1.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.constructions.losses import SMOOTH, STEP, difference_weight, keeps_signs, loss
from verify import Claim, Domain, Q, Rate, Relation, Sizes, Source, derived, eq, interval, reals
from verify.arithmetic import Array
from verify.networks import ContinuousLeakyResNet, LeakyResNet
from verify.networks.leaky_resnet import equidistant_steps, feature_matrix, inner, squared_norm
from verify.symbolic import identically_zero


def l2_gradient(network: LeakyResNet, x: Array, target: Array, ridge: Array) -> tuple[Array, ...]:
    r""":math:`\frac\lambda LW_\ell - \lambda B_\ell\sigma(A_{\ell-1})^T` for all layers, shapes ``(..., w, w + 1)``.

    `x` and `target` have the shape ``(..., w, N)`` and `ridge`, :math:`\lambda`, that of the batch. At an activation that is
    zero the derivative of the ReLU is taken as 0.
    """
    values = network.activations(x)
    rate, weight = network.leak[..., None, None], ridge[..., None, None]
    adjoints = network.adjoints(values, 2 * (target - values[-1]) / (weight * target.shape[-1]))
    return tuple(
        weight * (one / rate - adjoint @ feature_matrix(before, bias=network.has_bias).swapaxes(-1, -2))
        for one, adjoint, before in zip(network.weights, adjoints[1:], values[:-1], strict=True)
    )


@dataclass(frozen=True, eq=False)
class Line:
    """A network, and networks on a line through it: all layers move by multiples of a direction.

    Attributes
    ----------
    network, x, direction
        The network, its inputs ``(..., w, N)``, and the direction ``(..., M, w, w + 1)``.
    networks
        For each multiple from 1 to M, the networks in front and behind.
    smooth
        Whether no activation before the outputs is zero or changes its sign, shape ``(...)``.
    """

    network: LeakyResNet
    x: Array
    direction: Array
    networks: tuple[tuple[LeakyResNet, LeakyResNet], ...]
    smooth: Array

    def __getitem__(self, index: Any) -> Line:
        networks = tuple((front[index], behind[index]) for front, behind in self.networks)
        return Line(self.network[index], self.x[index], self.direction[index], networks, self.smooth[index])


def line(network: LeakyResNet, x: Array, direction: Array) -> Line:
    """The networks at the multiples of `direction` / `STEP`."""
    inner_values, smooth, networks = network.activations(x)[1:-1], np.asarray(True), []
    for multiple in range(1, network.depth + 1):
        front, behind = (
            network.with_parameters(
                [one + sign * multiple * direction[..., layer, :, :] / STEP for layer, one in enumerate(network.weights)]
            )
            for sign in (1, -1)
        )
        smooth = smooth & keeps_signs(inner_values, front.activations(x)[1:-1], behind.activations(x)[1:-1])
        networks.append((front, behind))
    return Line(network, x, direction, tuple(networks), np.broadcast_to(smooth, x.shape[:-2]))


def is_smooth(instance: Line) -> Array:
    """Whether the loss is a polynomial at the points where it is compared."""
    return instance.smooth


def slope(instance: Line, target: Array, ridge: Array) -> Array:
    """The derivative of the loss along the line: a polynomial of the degree 2M."""
    total, half = 0 * ridge, instance.network.depth
    for place, (front, behind) in enumerate(instance.networks, start=1):
        change = loss(front, instance.x, target, ridge) - loss(behind, instance.x, target, ridge)
        total = total + Q(difference_weight(place, half)) * STEP * change
    return np.asarray(total)


def along(instance: Line, gradients: tuple[Array, ...]) -> Array:
    """Inner products with the direction of each layer, shape ``(..., M)``."""
    pairs = ((one, instance.direction[..., layer, :, :]) for layer, one in enumerate(gradients))
    return np.stack([inner(one, change) for one, change in pairs], axis=-1)


def gradient_along(instance: Line, target: Array, ridge: Array) -> Relation:
    """The derivative of the loss along the line against the scalar product with the gradient."""
    products = along(instance, l2_gradient(instance.network, instance.x, target, ridge))
    return eq(slope(instance, target, ridge), (instance.network.steps * products).sum(axis=-1))


def gradient_over_a_piece() -> Relation:
    r"""One neuron, x > 0, weights (v, b) constant on [0, s] and on [s, 1]: :math:`\partial_vJ = \int(\partial_{V_p}J)dp`.

    In the symbols r = v - L and G, the exponential of r times the length T of a piece, whose derivative by r is TG. On it
    :math:`a = (a_0 + \frac br)e^{rp} - \frac br`, and adjoints are :math:`e^{r(T - p)}` times those at its end.
    """
    import sympy as sp

    x, target, ridge, leak, s = sp.symbols("x F lambda L s", positive=True)
    rates, biases, growths, lengths = sp.symbols("r1 r2"), sp.symbols("b1 b2"), sp.symbols("G1 G2"), (s, 1 - s)
    starts = [x]
    for r, b, growth in zip(rates, biases, growths, strict=True):
        starts.append((starts[-1] + b / r) * growth - b / r)
    norm = sum(length * ((r + leak) ** 2 + b**2) for r, b, length in zip(rates, biases, lengths, strict=True))
    value = (target - starts[-1]) ** 2 + ridge / (2 * leak) * norm
    adjoints = (2 * (target - starts[-1]) / ridge * growths[1], 2 * (target - starts[-1]) / ridge)
    remainders = []
    for k, (r, b, growth, length) in enumerate(zip(rates, biases, growths, lengths, strict=True)):
        by_rate = value.diff(r) + length * growth * value.diff(growth)
        # integrals of the adjoint, and of the adjoint times the activation, over the piece
        plain = adjoints[k] * (growth - 1) / r
        product = adjoints[k] * ((starts[k] + b / r) * growth * length - b / r * (growth - 1) / r)
        for derivative, weight, integral in ((by_rate, r + leak, product), (value.diff(b), b, plain)):
            remainders.append(derivative - ridge / leak * weight * length + ridge * integral)
    return identically_zero(*remainders)


def error_of_discrete_gradient(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of the gradients at the first layer of discrete networks from that at p = 0; all activations are positive."""
    first, second = np.array([[0.5, 0.25, 1.0], [0.75, 0.5, 0.25]]), np.array([[0.5, 1.0, 0.25], [0.25, 0.25, 0.5]])
    network = ContinuousLeakyResNet.piecewise_linear([first, second], 1.0)
    x, target, ridge = np.array([[1.0, 0.5], [0.5, 2.0]]), np.array([[0.5, 1.0], [1.5, 0.25]]), np.array(0.5)
    last = 2 * (target - network(x)) / (ridge * 2)
    exact = ridge * (first / network.leak - network.adjoints(x, last, [0.0]).values[0] @ feature_matrix(x).T)
    errors = []
    for count in counts:
        discrete = network.discretised(equidistant_steps(int(count)))
        errors.append(np.sqrt(squared_norm(l2_gradient(discrete, x, target, ridge)[0] - exact)))
    return np.asarray(errors)


# False variants


def gradient_by_the_entries(instance: Line, target: Array, ridge: Array) -> Relation:
    """Derivatives by the entries of the layers in place of their gradient in L2."""
    products = along(instance, l2_gradient(instance.network, instance.x, target, ridge))
    return eq(slope(instance, target, ridge), products.sum(axis=-1))


def ridge_without_leak(instance: Line, target: Array, ridge: Array) -> Relation:
    """The ridge is not divided by the leak."""
    network = instance.network
    missing = (ridge - ridge / network.leak)[..., None] * along(instance, network.weights)
    products = along(instance, l2_gradient(network, instance.x, target, ridge)) + missing
    return eq(slope(instance, target, ridge), (network.steps * products).sum(axis=-1))


def bias_not_regularised(instance: Line, target: Array, ridge: Array) -> Relation:
    """The last column of the weights is free."""
    network = instance.network
    biases = tuple(np.concatenate([0 * one[..., :-1], one[..., -1:]], axis=-1) for one in network.weights)
    spared = (ridge / network.leak)[..., None] * along(instance, biases)
    products = along(instance, l2_gradient(network, instance.x, target, ridge)) - spared
    return eq(slope(instance, target, ridge), (network.steps * products).sum(axis=-1))


def price(sizes: Sizes) -> int:
    """Rationals grow from layer to layer."""
    return sizes["depth"] ** 2


CLAIM = Claim(
    id="leaky_resnets.regularised_problem",
    title="The gradient of the regularised loss is that of the loss plus the ridge times the weights",
    source=Source("leaky_resnets", "Section 1.1"),
    statement=gradient_along,
    domain=Domain(
        {
            "instance": derived(
                line,
                network=drawn_networks(),
                x=reals("width", "points"),
                direction=interval(-1, 1, "depth", "width", lambda sizes: sizes["width"] + 1),
            ),
            "target": reals("width", "points"),
            "ridge": interval(1 / 8, 2),
        },
        {"depth": (1, 2, 3, 5), "width": range(1, 4), "points": range(1, 4)},
        {SMOOTH: is_smooth},
    ),
    needs=(SMOOTH,),
    false_neighbours={
        "derivatives by the entries, for their gradient in L2": gradient_by_the_entries,
        "ridge not divided by the leak": ridge_without_leak,
        "bias not regularised": bias_not_regularised,
    },
    exact={"one neuron, two pieces": gradient_over_a_piece},
    rate=Rate(error_of_discrete_gradient, (8, 16, 32, 64, 128, 256, 512), -1.0),
    cost=price,
)
