r"""The regularised problem, its L2 gradient: :math:`\frac\lambda L` is the weight that belongs to the norm of functions of p.

.. math:: J(W) = C(A_1) + \frac\lambda{2L}\int_0^1\|W_p\|^2dp, \qquad C(A) = \tfrac1N\|F - A\|^2 .

The gradient in the scalar product :math:`\int\mathrm{Tr}[V_pW_p^T]dp` is
:math:`\partial_{W_p}J = \partial_{W_p}C + \frac\lambda LW_p` with :math:`\partial_{W_p}C = -\lambda B_p\sigma(A_p)^T`. For a
discrete network the scalar product is :math:`\sum_\ell\rho_\ell\mathrm{Tr}[V_\ell W_\ell^T]`, so that the gradient by the
entries of a layer is divided by its step; without that it would vanish with the steps.

What is checked: the derivative of J along a direction in which **all** layers move at once against that scalar product, by a
central difference of as many points as the polynomial J has terms, which has no error as long as no activation changes its
sign; for one neuron and weights that are constant on each of two pieces of [0, 1], in sympy, that the derivative by the
weights of a piece is the integral of the gradient over it; and that the gradient at the first layer of discrete networks
approaches the gradient at p = 0 at the rate 1/M.

Source: leaky_resnets, Sections 1.1 and 1.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import factorial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.backward_equation import SMOOTH, STEP
from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.constructions.losses import loss
from theorems.leaky_resnets.ode import sizes
from verify import Claim, Domain, Rate, Relation, Source, derived, eq, interval, reals
from verify.arithmetic import Array, compare
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
        As many in front as behind, from the last behind; M each.
    smooth
        Whether no activation before the outputs is zero or changes its sign, shape ``(...)``.
    """

    network: LeakyResNet
    x: Array
    direction: Array
    networks: tuple[LeakyResNet, ...]
    smooth: Array

    def __getitem__(self, index: Any) -> Line:
        networks = tuple(one[index] for one in self.networks)
        return Line(self.network[index], self.x[index], self.direction[index], networks, self.smooth[index])


def line(network: LeakyResNet, x: Array, direction: Array) -> Line:
    """The networks at the multiples -M, ..., -1, 1, ..., M of `direction` / `STEP`."""
    signs = [compare(values, 0) for values in network.activations(x)[1:-1]]
    smooth = np.ones(x.shape[:-2], dtype=bool)
    for before in signs:
        smooth = smooth & (before != 0).all(axis=(-2, -1))
    networks = []
    for multiple in _multiples(network.depth):
        weights = [one + multiple * direction[..., layer, :, :] / STEP for layer, one in enumerate(network.weights)]
        networks.append(network.with_parameters(weights))
        for before, values in zip(signs, networks[-1].activations(x)[1:-1], strict=True):
            smooth = smooth & (compare(values, 0) == before).all(axis=(-2, -1))
    return Line(network, x, direction, tuple(networks), smooth)


def _multiples(depth: int) -> list[int]:
    return [*range(-depth, 0), *range(1, depth + 1)]


def difference_weight(place: int, half: int) -> Fraction:
    """Of the value at `place`: the sum over -half, ..., half is the derivative at 0 of any polynomial of degree 2 half."""
    size = abs(place)
    sign = (1 if size % 2 else -1) * (1 if place > 0 else -1)
    return Fraction(sign * factorial(half) ** 2, size * factorial(half - size) * factorial(half + size))


def is_smooth(instance: Line) -> Array:
    """Whether the loss is a polynomial at the points where it is compared."""
    return instance.smooth


def gradient_along(
    instance: Line, target: Array, ridge: Array, steps: int = 1, percent: int = 100, leak: int = 1, bias: int = 1
) -> Relation:
    """The derivative of the loss along the line against the scalar product; the keywords are for false neighbours."""
    network, x, half = instance.network, instance.x, instance.network.depth
    slope = 0 * ridge
    for place, one in zip(_multiples(half), instance.networks, strict=True):
        weight = difference_weight(place, half)
        slope = slope + loss(one, x, target, ridge) * weight.numerator * STEP / weight.denominator
    stated = 0 * ridge
    for layer, gradient in enumerate(l2_gradient(network, x, target, ridge)):
        change = instance.direction[..., layer, :, :]
        # what the regulariser contributes is counted once more, or less
        own = inner(network.weights[layer], change)
        own_bias = inner(network.weights[layer][..., -1:], change[..., -1:])
        excess = ridge * (own * percent / 100 / network.leak**leak - own / network.leak - (1 - bias) * own_bias / network.leak)
        stated = stated + network.steps[..., layer] ** steps * (inner(gradient, change) + excess)
    size = (sizes(network, x) * (1 + squared_norm(target))) ** 2 * (1 + inner(instance.direction, instance.direction).sum(-1))
    return eq(slope, stated, scale=size * STEP * (1 + ridge))


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


CLAIM = Claim(
    id="leaky_resnets.regularised_problem",
    title="The L2 gradient of the regularised loss",
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
        {"depth": range(1, 4), "width": range(1, 3), "points": range(1, 3)},
        {SMOOTH: is_smooth},
    ),
    needs=(SMOOTH,),
    false_neighbours={
        "derivatives by the entries, for their gradient in L2": partial(gradient_along, steps=2),
        "1 % more ridge": partial(gradient_along, percent=101),
        "ridge not divided by the leak": partial(gradient_along, leak=0),
        "bias not regularised": partial(gradient_along, bias=0),
    },
    exact={"one neuron, two pieces": gradient_over_a_piece},
    rate=Rate(error_of_discrete_gradient, (8, 16, 32, 64, 128, 256, 512), -1.0),
)
