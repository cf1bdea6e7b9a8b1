r"""The gradient of the regularised problem in L2.

Statement
    .. math:: J(W) = C(A_1) + \frac\lambda{2L}\int_0^1\|W_p\|^2dp, \qquad C(A) = \tfrac1N\|F - A\|^2 .

    The gradient in the scalar product :math:`\int\mathrm{Tr}[V_pW_p^T]dp` is
    :math:`\partial_{W_p}J = \partial_{W_p}C + \frac\lambda LW_p` with
    :math:`\partial_{W_p}C = -\lambda B_p\sigma(A_p)^T`. For a discrete network the scalar product is
    :math:`\sum_\ell\rho_\ell\mathrm{Tr}[V_\ell W_\ell^T]`.
Checked
    The derivative of J along a direction in which **all** layers move at once against that scalar product, by a central
    difference of as many points as the polynomial J has terms, which has no error as long as no activation changes its sign.
    One neuron with weights that are constant on two pieces of [0, 1], in symbols: the derivative by the weights of a piece is
    the integral of the gradient over it. The gradient at the first layer of discrete networks approaches that at p = 0 at the
    rate 1/M.
Source
    leaky_resnets, Sections 1.1 and 1.5.
"""

from typing import Any, NamedTuple

import numpy as np

from theorems.leaky_resnets.constructions import losses
from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.constructions.losses import SMOOTH, STEP, difference_weight
from theorems.leaky_resnets.constructions.representations import sigma
from verify import Claim, Domain, Q, Rate, Source, derived, interval, reals
from verify.networks import ContinuousLeakyResNet, LeakyResNet
from verify.networks.leaky_resnet import equidistant_steps
from verify.numbers.arithmetic import Array
from verify.numbers.symbolic import identically_zero
from verify.words import eq, inner, lifted, norm

keeps_signs, loss, network = lifted(losses.keeps_signs), lifted(losses.loss), lifted(LeakyResNet)


def gradient(f, X, F, lam):
    r""":math:`\frac\lambda LW_\ell - \lambda B_\ell\sigma(A_{\ell-1})^T` for all layers."""
    A, L = f.activations(X), f.leak
    B = f.adjoints(A, 2 * (F - A[-1]) / (lam * F.shape[1]))
    return [lam / L * f.weights[k] - lam * B[k + 1] @ sigma(A[k]).T for k in range(f.depth)]


class Line(NamedTuple):
    """A network, and networks on a line through it: all layers move by multiples of a direction D."""

    f: Any
    X: Array
    D: Array
    """Shape ``(M, w, w + 1)``."""
    networks: tuple[tuple[Any, Any], ...]
    """For each multiple from 1 to M, the networks in front and behind."""
    smooth: Array
    """Whether no activation before the outputs is zero or changes its sign."""


def line(f, X, D):
    """The networks at the multiples of D / `STEP`."""
    smooth, networks = (X == X).all(), []
    for multiple in range(1, f.depth + 1):
        front, behind = (
            network([W + sign * multiple * V / STEP for W, V in zip(f.weights, D, strict=True)], f.leak, f.steps)
            for sign in (1, -1)
        )
        smooth = smooth & keeps_signs(*(one.activations(X)[1:-1] for one in (f, front, behind)))
        networks.append((front, behind))
    return Line(f, X, D, tuple(networks), smooth)


def slope(path, F, lam):
    """The derivative of the loss along the line: a polynomial of the degree 2M."""
    changes = [loss(front, path.X, F, lam) - loss(behind, path.X, F, lam) for front, behind in path.networks]
    return STEP * sum(Q(difference_weight(k, len(changes))) * change for k, change in enumerate(changes, start=1))


def along(path, gradients, power=1):
    r""":math:`\sum_\ell\rho_\ell\mathrm{Tr}[V_\ell W_\ell^T]` with the direction."""
    return sum(rho**power * inner(G, V) for rho, G, V in zip(path.f.steps, gradients, path.D, strict=True))


def gradient_along(path, F, lam, power=1):
    return eq(slope(path, F, lam), along(path, gradient(path.f, path.X, F, lam), power))


def gradient_over_a_piece():
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


def error_of_discrete_gradient(counts):
    """Distance of the gradients at the first layer of discrete networks from that at p = 0; all activations are positive."""
    first, second = np.array([[0.5, 0.25, 1.0], [0.75, 0.5, 0.25]]), np.array([[0.5, 1.0, 0.25], [0.25, 0.25, 0.5]])
    f = ContinuousLeakyResNet.piecewise_linear([first, second], 1.0)
    X, F, lam = np.array([[1.0, 0.5], [0.5, 2.0]]), np.array([[0.5, 1.0], [1.5, 0.25]]), 0.5
    last = 2 * (F - f(X)) / (lam * 2)
    exact = lam * (first / f.leak - f.adjoints(X, last, [0.0]).values[0] @ sigma(X).T)
    return np.array([norm(gradient(f.discretised(equidistant_steps(int(M))), X, F, lam)[0] - exact) for M in counts])


# False variants


def ridge_without_leak(path, F, lam):
    f = path.f
    missing = (lam - lam / f.leak) * along(path, f.weights)
    return eq(slope(path, F, lam), along(path, gradient(f, path.X, F, lam)) + missing)


def bias_not_regularised(path, F, lam):
    f = path.f
    spared = lam / f.leak * sum(rho * (W[:, -1] @ V[:, -1]) for rho, W, V in zip(f.steps, f.weights, path.D, strict=True))
    return eq(slope(path, F, lam), along(path, gradient(f, path.X, F, lam)) - spared)


def rationals_grow(sizes):
    return sizes["depth"] ** 2


CLAIM = Claim(
    id="leaky_resnets.regularised_problem",
    title="The gradient of the regularised loss in L2",
    source=Source("leaky_resnets", "Section 1.1"),
    statement=gradient_along,
    domain=Domain(
        {
            "path": derived(
                line,
                f=drawn_networks(),
                X=reals("width", "points", role="start of the path"),
                D=interval(-1, 1, "depth", "width", lambda sizes: sizes["width"] + 1, role="small weights"),
            ),
            "F": reals("width", "points", role="targets as columns"),
            "lam": interval(1 / 8, 2, role="ridge"),
        },
        {"depth": (1, 2, 3, 5), "width": range(1, 4), "points": range(1, 4)},
        {SMOOTH: lambda path: path.smooth},
    ),
    needs=(SMOOTH,),
    false_variants={
        "derivatives by the entries, for their gradient in L2": {"power": 0},
        "ridge not divided by the leak": ridge_without_leak,
        "bias not regularised": bias_not_regularised,
    },
    exact={"one neuron, two pieces": gradient_over_a_piece},
    rate=Rate(error_of_discrete_gradient, (8, 16, 32, 64, 128, 256, 512), -1.0),
    cost=rationals_grow,
)
