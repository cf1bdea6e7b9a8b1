r"""Proposition 9 (Proposition 18 of the appendix): where a network is steep its neural tangent kernel changes by order L.

For a ReLU network of depth L, where the activation pattern does not change around x (1), or between x and y (2),

.. math:: \|\partial^2_{xy}\Theta(x, x)\|_{op} \ge L\, \|Jf(x)\|_{op}^{2 - 2/L} , \qquad
          \max\{\|\Theta(x, x)\|_{op}, \|\Theta(y, y)\|_{op}\} \ge \frac L4 \|x - y\|^2 \|Jf(x)u\|^{2 - 2/L}

with :math:`u = (y - x) / \|y - x\|`. For a leaky ReLU of slope a in [-1, 1] below zero the right sides take the factor
:math:`|a|^{2(L-1)/L}`, which for some instances is too small (that form is ours, and safe). The statement prints (1) with a
factor 2, the proof with 1; 2 is false (``.printed``). (2) is printed for constant pre-activations, for which x and y would give
the same value; the pattern is meant.

Attained in (1) by chains of equal weights and in (2) by linear chains of equal weights and x = -y, without the share of the
biases in the kernel, which is what is checked. For ReLU networks the factor 1/4 may be :math:`2^{-(1 + 1/L)}`
(``.improved``): hidden activations are not negative, so that their squared norms at x and y add up to at least that of their
difference.

Idea of the proof: for a unit vector v of outputs the quadratic form of :math:`\partial^2_{xy}\Theta` at :math:`u \otimes v` is
:math:`\sum_\ell \|J\alpha_{\ell-1} u\|^2 \|J(\tilde\alpha_\ell \to f)^T v\|^2`; neighbouring factors have products of at least
:math:`(v^T Jf u)^2`, and the inequality of means gives the root. Along the segment :math:`v^T\Theta v` is a quadratic
function whose second derivative is at least twice that, and such a function exceeds an eighth of it at one of its ends.

Source: bottleneck_structure, Proposition 18; the leaky and the improved form are ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.theorem_1 import squares
from verify import Claim, Domain, FalseAsPrinted, Networks, Ours, Relation, Source, Tight, derived, integers, le, reals
from verify.arithmetic import Array, absolute, compare, floats, maximum, power, rationals
from verify.matrices import operator_norm
from verify.networks import FullyConnected, leaky_relu
from verify.networks.ntk import ntk, ntk_mixed_derivative


def with_identities(network: FullyConnected, kind: Array) -> FullyConnected:
    """The network (kind 0), or equal diagonal weights 2 in every layer and no biases (1)."""
    chain = kind[..., None, None]
    weights = [(1 - chain) * weight + 2 * chain * np.eye(*weight.shape[-2:], dtype=np.int64) for weight in network.weights]
    biases = [(1 - kind)[..., None] * bias for bias in network.biases]
    return FullyConnected(weights, biases, network.activation)


def leaky_factor(network: FullyConnected) -> Array:
    r""":math:`|a|^{2(L-1)/L}`, or 1 for the ReLU."""
    slope = absolute(network.activation.negative) + 0 * network.weights[0][..., 0, 0]
    slope = np.where(compare(slope, 0) == 0, 0 * slope + 1, slope)
    return power(slope, Fraction(2 * (network.depth - 1), network.depth))


def kernel_bends(network: FullyConnected, x: Array, basis_points: int = 10_000, leaky: bool = True) -> Relation:
    """Both sides of the first inequality, with the constant in units of 1/10000."""
    steep = power(operator_norm(network.jacobian(x)), Fraction(2 * (network.depth - 1), network.depth))
    least = network.depth * steep * (leaky_factor(network) if leaky else 1)
    mixed = operator_norm(ntk_mixed_derivative(network, x))
    return le(least * basis_points / 10_000, mixed)


def kernel_is_large_at_one_end(
    network: FullyConnected,
    x: Array,
    y: Array,
    basis_points: int = 10_000,
    leaky: bool = True,
    improved: bool = False,
) -> Relation:
    """Both sides of the second inequality, times the power of the length of the segment that makes u a unit vector."""
    depth, step = network.depth, y - x
    length, moved = squares(step), squares((network.jacobian(x) @ step[..., None])[..., 0])
    # ||x - y||^2 ||J u||^(2 - 2/L) = ||x - y||^(2/L) ||J (y - x)||^(2 - 2/L)
    least = depth * power(length, Fraction(1, depth)) * power(moved, Fraction(depth - 1, depth))
    factor = power(rationals(2), Fraction(-(depth + 1), depth)) if improved else rationals("1/4")
    if not network.is_exact:
        factor = floats(factor)
    ends = [operator_norm(ntk(network, point, biases=False)) for point in (x, y)]
    return le(basis_points * factor * least * (leaky_factor(network) if leaky else 1) / 10_000, maximum(*ends))


def same_pattern(network: FullyConnected, x: Array, y: Array) -> npt.NDArray[np.bool_]:
    """Whether x and y differ, and no hidden neuron changes its slope between them; zero goes with either sign."""
    same = np.asarray((compare(x, y) != 0).any(axis=-1))
    linear = compare(network.activation.negative, 1) == 0
    for here, there in zip(network.preactivations(x)[:-1], network.preactivations(y)[:-1], strict=True):
        # at x the slope is that for t >= 0: a neuron at its kink there must not become negative
        first, second = compare(here, 0), compare(there, 0)
        same = same & (linear | (((first >= 0) & (second >= 0)) | ((first < 0) & (second <= 0))).all(axis=-1))
    return same


def with_slope(network: FullyConnected, slope: Array) -> FullyConnected:
    """The network with a quarter of `slope` below zero."""
    return FullyConnected(network.weights, network.biases, leaky_relu(slope / 4))


def chain(*weights: int, slope: int = 0, **others: Any) -> dict[str, Any]:
    """One neuron in every layer."""
    network = FullyConnected([rationals([[[weight]]]) for weight in weights], activation=leaky_relu(rationals(slope)))
    return {"network": network, **others}


def folded_interval() -> dict[str, Any]:
    r"""Depth 2: two neurons that are not negative on [-1, 1], each zero at one end, :math:`W_1 = s(-1, 1)^T`,
    :math:`b_1 = (s, s)`, :math:`W_2 = (-1, 1)`; the best s is :math:`1/\sqrt 2`, here 70/99.
    """
    s = rationals("70/99")
    network = FullyConnected(
        [s * rationals([[[-1], [1]]]), rationals([[[-1, 1]]])], [s * rationals([[1, 1]]), rationals([[0]])]
    )
    return {"network": network, "x": rationals([[-1]]), "y": rationals([[1]])}


SOURCE = Source("bottleneck_structure", "Proposition 18")
OURS = Source("bottleneck_structure", "ours")
SIZES = {"depth": range(1, 4), "inputs": range(1, 3), "width": range(1, 3), "outputs": range(1, 2)}
RELU = derived(with_identities, network=Networks(), kind=integers(0, 1))
LEAKY = derived(with_slope, network=RELU, slope=integers(-4, 4))
PATTERN = {"the activation pattern is the same": same_pattern}

CLAIM = Claim(
    id="bottleneck_structure.prop_9",
    title="Where a network is steep its kernel bends by order L",
    source=SOURCE,
    statement=kernel_bends,
    domain=Domain({"network": LEAKY, "x": reals("inputs")}, SIZES),
    tight={"a chain of weights 2": Tight(lambda: chain(2, 2, 2, x=rationals([[1]])))},
    false_neighbours={
        "constant 1.01": partial(kernel_bends, basis_points=10_100),
        "constant 1.0001": partial(kernel_bends, basis_points=10_001),
        "leaky, without the factor": partial(kernel_bends, leaky=False),
    },
)

PRINTED = Claim(
    id="bottleneck_structure.prop_9.printed",
    title="The first inequality with the factor 2",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="bottleneck_structure.prop_9"),
    statement=partial(kernel_bends, basis_points=20_000),
    domain=Domain({"network": Networks(), "x": reals("inputs")}, SIZES),
    false_neighbours={},
)

ENDS = Claim(
    id="bottleneck_structure.prop_9.ends",
    title="The kernel is large at one end of a linear segment",
    source=SOURCE,
    statement=kernel_is_large_at_one_end,
    domain=Domain({"network": LEAKY, "x": reals("inputs"), "y": reals("inputs")}, SIZES, PATTERN),
    tight={
        "one layer, opposite points": Tight(lambda: chain(1, x=rationals([[-1]]), y=rationals([[1]]))),
        "three linear layers": Tight(lambda: chain(2, 2, 2, slope=1, x=rationals([[-1]]), y=rationals([[1]]))),
    },
    false_neighbours={
        "constant 1.01": partial(kernel_is_large_at_one_end, basis_points=10_100),
        "constant 1.0001": partial(kernel_is_large_at_one_end, basis_points=10_001),
        "leaky, without the factor": partial(kernel_is_large_at_one_end, leaky=False),
        "leaky, with the improved constant": partial(kernel_is_large_at_one_end, basis_points=20_000, improved=True),
    },
)

IMPROVED = Claim(
    id="bottleneck_structure.prop_9.improved",
    title="The kernel at one end, with the constant of ReLU networks",
    source=OURS,
    status=Ours(),
    statement=partial(kernel_is_large_at_one_end, improved=True),
    domain=Domain({"network": RELU, "x": reals("inputs"), "y": reals("inputs")}, SIZES, PATTERN),
    tight={
        "one layer, opposite points": Tight(lambda: chain(1, x=rationals([[-1]]), y=rationals([[1]]))),
        "a folded interval": Tight(folded_interval, relative_slack=1.31e-9, why="70/99 in place of the root of 1/2"),
    },
    false_neighbours={
        "constant 1.01": partial(kernel_is_large_at_one_end, improved=True, basis_points=10_100),
        "constant 1.0001": partial(kernel_is_large_at_one_end, improved=True, basis_points=10_001),
        "1/2": partial(kernel_is_large_at_one_end, basis_points=20_000),
    },
)
