r"""Shallow networks, what constants cost: the representation cost is no norm.

Statement
    On every domain that contains 0, for slopes of at most 1, the constant c (one output) costs

    .. math:: R(c; 1) = c^2, \qquad
              R(c; L) = \begin{cases} c^2 & |c| \le 1 \\ 2|c| - 1 & 1 \le |c| \le 2 \end{cases} \quad (L \ge 2),

    and beyond :math:`|c| = 2` still :math:`2|c| - 1` at depth 2, but at depth 3 only :math:`r^{-2} + 3r^2 - 1` for the root
    r >= 1 of :math:`r^3 + 1/r = |c|`, which is :math:`\min_u (u^3 - |c|)^2 + 3u^2 - 1`: the problem of ``ridge`` again. At
    larger depths this is an upper bound, and the cost for :math:`|c| = 2` a lower one.
    At no depth L >= 2 is R a norm: R(2) = 3 is more than 2 R(1) = 2, and R(1/2) = 1/4 less than R(1)/2. The slides say of
    shallow networks, in a line on earlier work, that R takes the form of a norm; that needs an output bias without a penalty
    (``statement``).
Checked
    Every network costs at least this for its value at 0 (``.constants``; at another point, or with larger slopes, it may cost
    less), and `constant_network` attains it (``.constants_attained``).
Proof idea
    With :math:`V_1(y) = y^2`, a value y of layer l + 1 at 0 costs at least
    :math:`V_{l+1}(y) = \min_z (y - z)^2 + \min_x z^2/x^2 + V_l(x)`: output bias, weights, and the layers before.
Sharp
    The cheapest networks for constants.
Source
    notion_of_rank, representation cost of shallow networks; the values are ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.notion_of_rank.constructions.activations import SLOPES, has_slopes_at_most_one
from theorems.notion_of_rank.constructions.constants import LARGEST_DEPTH, constant_network, cost_of_a_constant
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from verify import (
    Claim,
    Domain,
    Networks,
    Ours,
    Relation,
    Source,
    Tight,
    derived,
    eq,
    integers,
    interval,
    le,
    reals,
)
from verify.arithmetic import Array, absolute, compare, minimum, rationals
from verify.networks import FullyConnected


def cost_of_the_value(network: FullyConnected) -> Relation:
    """The norm against the cost of the constant that the network is at 0."""
    size = value_at(0, network)
    if network.depth > LARGEST_DEPTH:
        least = cost_of_a_constant(minimum(size, 0 * size + 2), 2)
    else:
        least = cost_of_a_constant(size, network.depth)
    return le(least, network.parameter_norm_squared)


def value_at(place: int, network: FullyConnected) -> Array:
    """Size of the value of a network of one output where all inputs are `place`."""
    return np.asarray(absolute(network(0 * network.weights[0][..., 0, :] + place)[..., 0]))


def attained(constant: Array, x: Array, depth: Depth) -> Relation:
    """Value and norm of `constant_network`."""
    network = constant_network(constant, depth.depth)
    value = eq(network(x[..., None])[..., 0], constant, name="value")
    return value & eq(network.parameter_norm_squared, cost_of_a_constant(constant, depth.depth), name="cost")


def constant_with_roots(root: Array, piece: Array, negative: Array, depth: int) -> Array:
    """A constant up to 1, up to 2 or beyond, by the `piece`, whose cheapest network is rational."""
    k = root / 2
    r = (1 + k * k) / (1 - k * k)
    beyond = 1 + (2 + root) ** 2 if depth == 2 else r**3 + 1 / r
    size = np.where(compare(piece, 0) == 0, root, np.where(compare(piece, 1) == 0, 1 + root * root, beyond))
    return np.asarray(size * (1 - 2 * negative))


# False variants


def size_of_the_value(network: FullyConnected) -> Relation:
    """A norm: the size of the value."""
    return le(value_at(0, network), network.parameter_norm_squared)


def square_of_the_value(network: FullyConnected) -> Relation:
    """The square at every depth."""
    return le(value_at(0, network) ** 2, network.parameter_norm_squared)


def depth_two_at_every_depth(network: FullyConnected) -> Relation:
    """The cost of depth 2."""
    return le(cost_of_a_constant(value_at(0, network), 2), network.parameter_norm_squared)


def value_at_one(network: FullyConnected) -> Relation:
    """The value at 1 in place of that at 0."""
    size = value_at(1, network)
    return le(cost_of_a_constant(minimum(size, 0 * size + 2), 2), network.parameter_norm_squared)


def without_the_output_bias(network: FullyConnected) -> Relation:
    """The norm without the output bias."""
    size = value_at(0, network)
    paid = network.parameter_norm_squared - network.biases[-1][..., 0] ** 2
    return le(cost_of_a_constant(minimum(size, 0 * size + 2), 2), paid)


def norm_of_constants(constant: Array, depth: Depth) -> Relation:
    """The cost of a constant is its size."""
    return eq(constant_network(constant, depth.depth).parameter_norm_squared, absolute(constant))


def squares_of_constants(constant: Array, depth: Depth) -> Relation:
    """The cost of a constant is its square."""
    return eq(constant_network(constant, depth.depth).parameter_norm_squared, constant * constant)


def constant(depth: int, value: object) -> dict[str, FullyConnected]:
    """The cheapest network for a constant."""
    return {"network": constant_network(rationals(value), depth)}


SOURCE = Source("notion_of_rank", "Representation cost, shallow networks")
OURS = Source("notion_of_rank", "ours")

CONSTANTS = Claim(
    id="notion_of_rank.shallow_networks.constants",
    title="The value at zero costs at least what the constant does",
    source=OURS,
    status=Ours(),
    statement=cost_of_the_value,
    domain=Domain(
        {"network": Networks(outputs=1, slope=(-2, 2))},
        {"depth": (1, 2, 3, 4, 6, 13), "inputs": (1, 2, 3), "width": (1, 2, 3)},
        {SLOPES: has_slopes_at_most_one},
    ),
    needs=(SLOPES,),
    tight={
        "1/2 at depth 2": Tight(partial(constant, 2, "1/2")),
        "2 at depth 2": Tight(partial(constant, 2, 2)),
        "-5 at depth 2": Tight(partial(constant, 2, -5)),
        "5/4 at depth 3": Tight(partial(constant, 3, "5/4")),
        "881/320 at depth 3": Tight(partial(constant, 3, "881/320")),
        "5/4 at depth 7": Tight(partial(constant, 7, "5/4")),
    },
    false_variants={
        "a norm": size_of_the_value,
        "the square at every depth": square_of_the_value,
        "depth 2 at every depth": depth_two_at_every_depth,
        "the value at 1": value_at_one,
        "output bias not counted": without_the_output_bias,
    },
)

ATTAINED = Claim(
    id="notion_of_rank.shallow_networks.constants_attained",
    title="Networks of single neurons attain the cost of constants",
    source=OURS,
    status=Ours(),
    statement=attained,
    domain=Domain(
        {
            "constant": derived(constant_with_roots, root=interval(0, 1), piece=integers(0, 2), negative=integers(0, 1)),
            "x": reals(),
            "depth": GIVEN_DEPTH,
        },
        {"depth": range(1, 4)},
    ),
    false_variants={
        "the square": squares_of_constants,
        "a norm": norm_of_constants,
    },
)
