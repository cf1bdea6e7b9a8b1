"""The backward equation is dual to the linearised forward equation."""

import numpy as np

from theorems.leaky_resnets.backward_equation.statement import SOURCE
from verify import Claim, Domain, Rate, interval, reals
from verify.networks import ContinuousLeakyResNet
from verify.networks.leaky_resnet import equidistant_steps
from verify.words import eq, inner, norm


def adjoint_is_dual(A, B, D, W, L, leak=1):
    r"""The derivatives of the factors of :math:`\mathrm{Tr}[B^TD]` along both equations cancel."""
    V = W[:, :-1]
    return eq(inner((A > 0) * (V.T @ B) - leak * L * B, D), inner(B, V @ ((A > 0) * D) - L * D))


def dual_without_mask(A, B, D, W, L):
    V = W[:, :-1]
    return eq(inner(V.T @ B - L * B, D), inner(B, V @ ((A > 0) * D) - L * D))


def dual_without_transpose(A, B, D, W, L):
    V = W[:, :-1]
    return eq(inner((A > 0) * (V @ B) - L * B, D), inner(B, V @ ((A > 0) * D) - L * D))


def error_of_discrete_adjoints(counts):
    """Distance of the adjoints at p = 0 of discrete networks from the integrated ones; all activations are positive."""
    first, second = np.array([[0.5, 0.25, 1.0], [0.75, 0.5, 0.25]]), np.array([[0.5, 1.0, 0.25], [0.25, 0.25, 0.5]])
    f = ContinuousLeakyResNet.piecewise_linear([first, second], 1.0)
    X, last = np.array([[1.0, 0.5], [0.5, 2.0]]), np.array([[1.0, -1.0], [0.5, 0.25]])
    B0 = f.adjoints(X, last, [0.0]).values[0]
    discrete = [f.discretised(equidistant_steps(int(M))) for M in counts]
    return np.array([norm(one.adjoints(one.activations(X), last)[0] - B0) for one in discrete])


CONTINUOUS = Claim(
    id="leaky_resnets.backward_equation.continuous",
    title="The backward equation is dual to the linearised forward equation",
    source=SOURCE,
    statement=adjoint_is_dual,
    domain=Domain(
        {
            "A": reals("width", "points", role="values"),
            "B": reals("width", "points", role="adjoint"),
            "D": reals("width", "points", role="change of values"),
            "W": reals("width", lambda sizes: sizes["width"] + 1, role="weights of a residual layer"),
            "L": interval(0, 3, role="leak"),
        },
        {"width": range(1, 4), "points": range(1, 4)},
    ),
    false_variants={
        "no mask": dual_without_mask,
        "leak of the other sign": {"leak": -1},
        "weights not transposed": dual_without_transpose,
    },
    rate=Rate(error_of_discrete_adjoints, (8, 16, 32, 64, 128, 256, 512), -1.0),
)
