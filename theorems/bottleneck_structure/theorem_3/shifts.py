r"""Theorem 3 (3) with a shift: it costs nothing at infinite depth.

Statement
    Under conditions on the domain :math:`R^{(1)}(x \mapsto Ax + b) = 2\log|A|_+` (talk, first correction).
Correction
    Not for A = 0: the constant 1 costs 1 at every depth (``known_costs.constants``).
Checked
    For :math:`b \ge 0` and :math:`x \ge 0` in k dimensions: m layers shrink x by q, one adds :math:`q^{-m}b`, and m layers
    stretch by q. The network is :math:`x + b` at depth L = 2m + 1, and its norm is

    .. math:: kL + km(q - q^{-1})^2 + q^{-2m}\|b\|^2 ,

    at least kL. For :math:`q = e^\epsilon`, :math:`\epsilon = L^{-\gamma}` with :math:`\gamma \in (1/2, 1)`, the excess tends
    to 0, like :math:`2kL^{1 - 2\gamma}`: the rate, for :math:`\gamma = 2/3`. So :math:`R^{(1)}(x \mapsto x + b) = 0` on cubes,
    although a bias in the last layer alone costs :math:`\|b\|^2`.
Proof idea
    What is small when it is added is small in the norm; to stretch by a factor over many layers costs little, as in
    Example 20.
Tight
    b = 0 and q = 1.
Source
    derived here, beside Theorem 3 (3) of bottleneck_structure and the talk.
"""

import numpy as np

from verify import Claim, DerivedHere, Domain, Rate, Source, interval, slopes
from verify.networks import FullyConnected, leaky_relu
from verify.words import eq, eye, ge, le, lifted, norm2

network, leaky = lifted(FullyConnected), lifted(leaky_relu)


def shrunk_and_stretched(b, q, alpha, m):
    """The network: m layers that shrink by q, one with the bias, and m that stretch."""
    none = [0 * b] * m
    weights = [*[eye(len(b)) / q] * m, eye(len(b)), *[eye(len(b)) * q] * m]
    return network(weights, [*none, b / q**m, *none], leaky(alpha))


def network_shifts(b, x, q, alpha, k, depth):
    L, m = depth, depth // 2
    f = shrunk_and_stretched(b, q, alpha, m)
    norm = f.parameter_norm_squared
    return (
        eq(f(x), x + b, name="value")
        & eq(norm, k * L + k * m * (q - 1 / q) ** 2 + norm2(b) / q ** (2 * m), name="norm")
        & ge(norm, k * L, name="rank")
    )


def free_bias(b, q, alpha, k, depth):
    m = depth // 2
    return le(shrunk_and_stretched(b, q, alpha, m).parameter_norm_squared, k * depth + k * m * (q - 1 / q) ** 2)


def shift_in_the_last_layer(b, q, alpha, k, depth):
    """Whatever the factor."""
    return le(shrunk_and_stretched(b, q, alpha, depth // 2).parameter_norm_squared, k * depth + norm2(b))


def any_point(b, x, q, alpha, depth):
    return eq(shrunk_and_stretched(b, q, alpha, depth // 2)(-x), b - x)


def excesses(depths):
    r"""The excess for a shift by 3 of one number, with :math:`\epsilon = L^{-2/3}`."""
    m, epsilon = (depths - 1) / 2, depths ** (-2 / 3)
    return 4 * m * np.sinh(epsilon) ** 2 + 9 * np.exp(-2 * m * epsilon)


CLAIM = Claim(
    id="bottleneck_structure.theorem_3.shifts",
    title="A shift of a non-negative domain costs nothing in the limit",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=network_shifts,
    domain=Domain(
        {"b": interval(0, np.inf, "k"), "x": interval(0, np.inf, "k"), "q": interval(1, 4), "alpha": slopes()},
        {"k": (1, 2, 3), "depth": (1, 3, 5, 9)},
    ),
    tight={"without shift": {"b": [0, 0], "x": [1, 2], "q": 1, "alpha": 0, "depth": 5}},
    false_variants={
        "the bias is free": free_bias,
        "the shift in the last layer": shift_in_the_last_layer,
        "at any point": any_point,
    },
    rate=Rate(excesses, tuple(2**power + 1 for power in range(14, 26)), -1 / 3),
)
