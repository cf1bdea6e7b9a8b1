r"""What the identity costs: a part of Theorem 1, and why the norm printed there is too small.

On :math:`[0, 1]^k` the identity costs exactly kL, for every depth: k identity weights in each layer do it, and for every
network of k inputs and k outputs at every point without a kink (``.identity_on_cube``: Proposition 3, inequality of means)

.. math:: k \, |\det JF_w(x)|^{2 / (kL)} \le \frac1L \sum_\ell \|W_\ell\|_F^2 .

On [-1, 1] it costs more, for a ReLU network has to pay for biases there (``.interval_identity``): for L >= 2,

.. math:: L \, (\|F_w'(1)\|^2 + \|F_w'(-1)\|^2)^{1/L} \le \|b_1\|^2 + \sum_\ell \|W_\ell\|_F^2 ,

so that :math:`R(x; [-1, 1], L) \ge L\, 2^{1/L}`. (At a kink a unit of value 0 counts as active. For the derivatives from inside
the interval the same holds: apply the inequality to :math:`F_w((1 - \varepsilon)x)`, which has no kink at 1 and -1 for small
:math:`\varepsilon > 0`.) For L = 2 the cost of the identity is exactly :math:`2\sqrt 2` (`identity_on_interval`), where the
slides' :math:`\|w_g\|^2 + k(L - L_g - L_h) + \|w_h\|^2` is 2 for g = h = id: as an upper bound for R it is false
(``.printed_norm``).

With a shift s the identity on :math:`[-s, \infty)` is a chain of single neurons (``.chain``): with positive weights
:math:`w_1, \ldots, w_L` of product 1 and the biases :math:`w_1 s` and -s at the ends its squared norm is

.. math:: w_1^2 (1 + s^2) + w_2^2 + \dots + w_L^2 + s^2 \ge L (1 + s^2)^{1/L} + s^2 ,

with equality at :math:`w_1 \sqrt{1 + s^2} = w_2 = \dots = w_L`; this is :math:`L + s^2 + \log(1 + s^2) + O(1/L)`. So on [-1, 1]
the cost of the identity beyond L lies, for large L, between log 2 and 1 + log 2.

Idea of the proof for the interval: a unit of the first layer that is active at 1 and at -1 has :math:`|b_i| \ge |w_i|`, so that
:math:`\|D_1(1) W_1\|^2 + \|D_1(-1) W_1\|^2 \le \|W_1\|_F^2 + \|b_1\|^2`; then :math:`\|F_w'\| \le \|D_1 W_1\| \prod_{l \ge 2}
\|W_\ell\|_F` and the inequality of means. With another slope below zero the first step fails.

Source: notion_of_rank, Theorem 1; the bounds are ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.linear_networks import rotation
from theorems.notion_of_rank.prop_3 import is_smooth, weight_cost
from theorems.notion_of_rank.theorem_1 import squares
from verify import (
    Claim,
    Domain,
    FalseAsPrinted,
    Networks,
    Ours,
    Rate,
    Relation,
    Source,
    Tight,
    derived,
    eq,
    ge,
    integers,
    interval,
    le,
)
from verify.arithmetic import Array, compare, minimum, power, rationals
from verify.domain import reals
from verify.matrices import determinant
from verify.networks import FullyConnected, leaky_relu
from verify.symbolic import identically_zero


def volume_at_a_point(
    network: FullyConnected, x: Array, basis_points: int = 10_000, exponent: int = 2, last: bool = True
) -> Relation:
    """The bound by the determinant of the Jacobian; the constant is given in units of 1/10000."""
    dimension = network.widths[0]
    volume = determinant(network.jacobian(x)) ** 2
    least = dimension * power(volume, Fraction(exponent, 2 * dimension * network.depth))
    return le(least * basis_points / 10_000, weight_cost(network, last))


def identity_chain(dimension: int, depth: int) -> FullyConnected:
    """ReLU network of `depth` identity matrices: the identity where no input is negative, squared norm ``dimension * depth``.

    Raises
    ------
    ValueError
        `depth` or `dimension` is below 1.
    """
    if dimension < 1 or depth < 1:
        raise ValueError(f"dimension and depth must be at least 1, got {dimension} and {depth}")
    return FullyConnected([rationals(np.eye(dimension, dtype=int))] * depth)


def chains_are_the_identity() -> Relation:
    """Values at the corners of the cube, between which the network is affine, and norms, for small dimensions and depths."""
    relation = Relation(())
    for dimension, depth in product(range(1, 4), range(1, 7)):
        network, corners = identity_chain(dimension, depth), rationals(list(product((0, 1), repeat=dimension)))
        relation &= eq(network(corners), corners, over=2)
        relation &= eq(network.parameter_norm_squared, rationals(dimension * depth))
    return relation


def steepness(network: FullyConnected, percent: int = 100) -> tuple[Array, Array]:
    """Squared derivatives at `percent` of 1 and of -1, of a network of one input."""
    ones = 0 * network.weights[0][..., 0, :] + 1
    return squares(network.jacobian(ones * percent / 100), (-2, -1)), squares(network.jacobian(-ones * percent / 100), (-2, -1))


def at_both_ends(network: FullyConnected, basis_points: int = 10_000, bias: bool = True) -> Relation:
    """The bound by the derivatives at 1 and -1."""
    paid = network.weight_norm_squared + (squares(network.biases[0]) if bias else 0)
    least = network.depth * power(sum(steepness(network)), Fraction(1, network.depth))
    return le(least * basis_points / 10_000, paid)


def further_inside(network: FullyConnected, percent: int) -> Relation:
    """What is false: the bound by twice the smaller derivative at points closer together."""
    least = network.depth * power(2 * minimum(*steepness(network, percent)), Fraction(1, network.depth))
    return le(least, network.weight_norm_squared + squares(network.biases[0]))


def has_slope_zero(network: FullyConnected) -> Array:
    """Whether the activation is the ReLU."""
    return np.asarray(compare(network.activation.negative, 0) == 0)


def is_not_flat(network: FullyConnected) -> Array:
    """Whether a derivative at 1 or -1 is not zero; else there is nothing to show."""
    return np.asarray(compare(sum(steepness(network)), 0) > 0)


def with_lifted_units(network: FullyConnected, lifts: Array, halves: Array) -> FullyConnected:
    """The network with `lifts` times the first weights added to the first biases, and the slope ``halves / 2`` below zero."""
    first, *others = network.biases
    activation = leaky_relu(halves / 2)
    return FullyConnected(network.weights, [first + lifts * network.weights[0][..., 0], *others], activation)


def identity_on_interval() -> FullyConnected:
    r"""ReLU network of depth 2 that is the identity on [-1, 1], of the smallest squared norm, :math:`2\sqrt 2`.

    :math:`W_1 = (w, -w)`, :math:`b_1 = (w, w)`, :math:`W_2 = (q, -q)` with :math:`w^2 = 1/\sqrt 8` and q = 1 / (2 w).
    """
    w = 8**-0.25
    q = 1 / (2 * w)
    return FullyConnected([np.array([[w], [-w]]), np.array([[q, -q]])], [np.array([w, w]), np.array([0.0])])


def cost_on_interval_in_symbols() -> Relation:
    """Value on [-1, 1], where both neurons are active, and squared norm of `identity_on_interval`."""
    import sympy as sp

    x = sp.symbols("x", real=True)
    w = sp.root(8, 4) ** -1
    q = 1 / (2 * w)
    return identically_zero(q * (w * x + w) - q * (w - w * x) - x, 4 * w**2 + 2 * q**2 - 2 * sp.sqrt(2))


def printed_norm_suffices(inner: FullyConnected, outer: FullyConnected) -> Relation:
    """The lower bound for the affine function h(g(x)) on [-1, 1] at depth 2 against the norm of the slides."""
    slope = outer.weights[0] @ inner.weights[0]
    return le(
        2 * power(2 * squares(slope, (-2, -1)), Fraction(1, 2)), inner.parameter_norm_squared + outer.parameter_norm_squared
    )


def lifted_chain(shift: Array, weights: Array) -> FullyConnected:
    r"""ReLU network of one neuron in each of L layers, the identity on :math:`[-s, \infty)` for a shift s of at least 0.

    `shift` has shape ``(...)``; `weights`, ``(..., L - 1)``, are those of all layers but the last, positive; the last is 1 over
    their product. The biases are :math:`w_1 s`, zeros, and -s, so that the squared norm is :math:`\|w\|^2 + (1 + w_1^2) s^2`.
    """
    exit_weight = 1 / np.prod(weights, axis=-1)
    layers = [*np.moveaxis(weights, -1, 0), exit_weight]
    biases = [weights[..., 0] * shift, *[0 * shift] * (len(layers) - 2), -shift]
    return FullyConnected([np.asarray(w)[..., None, None] for w in layers], [np.asarray(b)[..., None] for b in biases])


def chain_cost(shift: Array, weights: Array, basis_points: int = 10_000, biases: int = 1) -> Relation:
    """The bound for the norm of a chain."""
    network, square = lifted_chain(shift, weights), shift * shift
    least = network.depth * power(1 + square, Fraction(1, network.depth)) * basis_points / 10_000 + biases * square
    return ge(network.parameter_norm_squared, least)


def chains_are_the_identity_above() -> Relation:
    """Values of rational chains at the shift and at two points above it, where they are affine."""
    relation = Relation(())
    for shift, weights in product(("0", "3/4", "2"), (["1/2"], [2, "1/3"], ["3/4", 1, 1, "7/5"])):
        start = rationals(shift)
        network, points = lifted_chain(start, rationals(weights)), rationals([[0], [1], [5]]) - start
        relation &= eq(network(points), points, over=2)
    return relation


def excess_of_the_chain(depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """How much the best chain for s = 1 costs beyond L + 1 + log 2."""
    costs = []
    for depth in depths:
        weight = 2 ** (1 / (2 * depth))
        network = lifted_chain(np.array(1.0), np.array([weight / np.sqrt(2), *[weight] * (int(depth) - 2)]))
        costs.append(float(network.parameter_norm_squared))
    return np.asarray(np.array(costs) - depths - 1 - np.log(2))


def identity_of_the_cube(dimension: int, depth: int) -> dict[str, Any]:
    """The identity chain at an interior point of the cube."""
    return {"network": identity_chain(dimension, depth), "x": rationals([f"1/{k + 2}" for k in range(dimension)])}


def rotation_of_the_plane() -> dict[str, Any]:
    """Three identity layers and a rotation at the end: the cost is that of the identity."""
    chain = identity_chain(3, 3)
    turned = FullyConnected([*chain.weights, rotation(rationals(["1/2", 1, "-1/3"]))])
    return {"network": turned, "x": rationals([1, 2, 3])}


def doubled_input() -> dict[str, FullyConnected]:
    """Depth 2 and one neuron, active on all of [-1, 1]: x goes to (x + 1, x + 1)."""
    return {"network": FullyConnected([rationals([[1]]), rationals([[1], [1]])], [rationals([1]), rationals([0, 0])])}


def twice_the_input() -> dict[str, FullyConnected]:
    """Depth 3: x goes to 2 (x + 1) through two equal neurons."""
    weights = [rationals([[1]]), rationals([[1], [1]]), rationals([[1, 1]])]
    return {"network": FullyConnected(weights, [rationals([1]), rationals([0, 0]), rationals([0])])}


def one_sided() -> dict[str, FullyConnected]:
    """Depth 3: the positive part of x, for which no bias is needed."""
    return {"network": FullyConnected([rationals([[1]])] * 3)}


def best_chain(depth: int) -> dict[str, Any]:
    """The chain of smallest norm for s = 1."""
    weight = 2 ** (1 / (2 * depth))
    weights = np.array([weight / np.sqrt(2), *[weight] * (depth - 2)])
    return {"shift": np.array(1.0), "weights": weights}


SOURCE = Source("notion_of_rank", "Theorem 1")
OURS = Source("notion_of_rank", "ours")
AFFINE = Networks(depth=1, inputs=1, width=1, outputs=1)

CUBE = Claim(
    id="notion_of_rank.theorem_1.identity_on_cube",
    title="The identity on a cube costs k L",
    source=OURS,
    status=Ours(),
    statement=volume_at_a_point,
    domain=Domain(
        {
            "network": Networks(inputs="dimension", outputs="dimension", slope=(-1, 1)),
            "x": reals("dimension"),
        },
        {"depth": range(2, 5), "dimension": range(1, 4), "width": range(1, 4)},
        {"no hidden neuron at its kink": is_smooth},
    ),
    tight={
        "k = 1, L = 1": Tight(partial(identity_of_the_cube, 1, 1)),
        "k = 2, L = 3": Tight(partial(identity_of_the_cube, 2, 3)),
        "k = 3, L = 6": Tight(partial(identity_of_the_cube, 3, 6)),
        "a rotation": Tight(rotation_of_the_plane),
    },
    false_neighbours={
        "constant 1.01": partial(volume_at_a_point, basis_points=10_100),
        "constant 1.0001": partial(volume_at_a_point, basis_points=10_001),
        "half the exponent": partial(volume_at_a_point, exponent=1),
        "last layer not counted": partial(volume_at_a_point, last=False),
    },
    exact={"corners of the cube": chains_are_the_identity},
)

INTERVAL = Claim(
    id="notion_of_rank.theorem_1.interval_identity",
    title="Derivatives at both ends of an interval cost a bias",
    source=OURS,
    status=Ours(),
    statement=at_both_ends,
    domain=Domain(
        {
            "network": derived(
                with_lifted_units,
                network=Networks(inputs=1, slope=0),
                lifts=reals("width"),
                halves=integers(-1, 1),
            )
        },
        {"depth": range(2, 5), "width": range(1, 3), "outputs": range(1, 3)},
        {"ReLU": has_slope_zero, "not flat at both ends": is_not_flat},
    ),
    needs=("ReLU",),
    tight={
        "the identity at depth 2": Tight(lambda: {"network": identity_on_interval()}),
        "two outputs at depth 2": Tight(doubled_input),
        "depth 3": Tight(twice_the_input),
        "the positive part": Tight(one_sided),
    },
    false_neighbours={
        "constant 1.01": partial(at_both_ends, basis_points=10_100),
        "constant 1.0001": partial(at_both_ends, basis_points=10_001),
        "without the bias": partial(at_both_ends, bias=False),
        "derivatives at 0.99 and -0.99": partial(further_inside, percent=99),
        "derivatives at 1/2 and -1/2": partial(further_inside, percent=50),
    },
    exact={"the identity in symbols": cost_on_interval_in_symbols},
)

PRINTED_NORM = Claim(
    id="notion_of_rank.theorem_1.printed_norm",
    title="The norm of the slides as an upper bound for the cost",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="notion_of_rank.theorem_1"),
    statement=printed_norm_suffices,
    domain=Domain({"inner": AFFINE, "outer": AFFINE}),
    false_neighbours={},
)

CHAIN = Claim(
    id="notion_of_rank.theorem_1.chain",
    title="A chain of single neurons with a shift",
    source=OURS,
    status=Ours(),
    statement=chain_cost,
    domain=Domain(
        {
            "shift": interval(0, np.inf),
            "weights": interval(0.25, 4.25, lambda sizes: sizes["depth"] - 1),
        },
        {"depth": range(2, 7)},
    ),
    tight={"depth 2": Tight(partial(best_chain, 2)), "depth 9": Tight(partial(best_chain, 9))},
    false_neighbours={
        "constant 1.01": partial(chain_cost, basis_points=10_100),
        "constant 1.0001": partial(chain_cost, basis_points=10_001),
        "twice the squared shift": partial(chain_cost, biases=2),
    },
    exact={"identity above the shift": chains_are_the_identity_above},
    rate=Rate(excess_of_the_chain, (8, 16, 32, 64, 128, 256, 512, 1024), -1.0),
)
