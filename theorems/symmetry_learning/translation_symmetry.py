r"""Networks learn translation symmetries in the first layer: projecting it there keeps the function and costs nothing.

Statement
    Shallow networks learn functions f = h(Ax) with Rank A below the dimension: f(x + v) = f(x) for all v in the kernel of A.
Checked
    For networks of every depth, with first weights :math:`W_1` and the projection :math:`P = W_1^+ W_1`:
    f(x + v) = f(x) for v in the kernel of :math:`W_1`, f(x) = f(Px), and :math:`\mathrm{Rank}\,Jf(x) \le \mathrm{Rank}\,W_1`.
    The other way round, ours: if f is invariant under a subspace V, then the network with :math:`W_1 P_{V^\perp}` in place of
    :math:`W_1` has the same values and no larger a norm. So minimisers have :math:`W_1 V = 0`. The networks have neurons that
    see V and whose outputs cancel. They have depth 2, and V is a line: a larger V is projected out line by line.
Proof idea
    :math:`f(x) = f(P_{V^\perp} x)`, and a projection makes no norm larger.
Sharp
    One neuron, for the rank; first weights across V.
Not checked
    That training finds a minimiser.
Source
    symmetry_learning, the slides on low-dimensional structure (shallow networks); the converse is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, integers, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import pseudo_inverse, rank
from verify.networks import FullyConnected


def applied(matrix: Array, vector: Array) -> Array:
    """Matrix times vector, batched."""
    return np.asarray((matrix @ vector[..., None])[..., 0])


def onto_rows(matrix: Array) -> Array:
    """The orthogonal projection onto the span of the rows."""
    return pseudo_inverse(matrix) @ matrix


def kernel_is_not_seen(network: FullyConnected, x: Array, z: Array) -> Relation:
    """Values at x, at x moved within the kernel of the first weights, and at the projection of x; the rank of the Jacobian."""
    first = network.weights[0]
    rows, value = onto_rows(first), network(x)
    return (
        eq(network(x + z - applied(rows, z)), value, over=1, name="kernel")
        & eq(network(applied(rows, x)), value, over=1, name="projection")
        & le(rank(network.jacobian(x)), rank(first), name="rank")
    )


def with_first_weights(network: FullyConnected, weights: Array) -> FullyConnected:
    """The network with other weights in the first layer."""
    return FullyConnected([weights, *network.weights[1:]], network.biases, network.activation)


def projected(network: FullyConnected, direction: Array) -> FullyConnected:
    """The network whose first layer does not see the direction."""
    along = onto_rows(direction[..., None, :])
    first = network.weights[0]
    return with_first_weights(network, first - first @ along)


Moved = tuple[FullyConnected, Array]
"""A network, and a direction along which its inputs move."""


def projection_costs_nothing(moved: Moved, x: Array) -> Relation:
    """Values and norm of the network with projected first weights."""
    network, direction = moved
    other = projected(network, direction)
    values = eq(other(x), network(x), over=1, name="values")
    return values & le(other.parameter_norm_squared, network.parameter_norm_squared, name="norm")


def with_cancelling_neurons(
    network: FullyConnected, direction: Array, seen: Array, coefficient: Array, cancels: Array
) -> Moved:
    """A shallow network that does not see the direction, joined with two equal neurons that do.

    Their outputs cancel where `cancels` is 1.
    """
    still, (first, last) = projected(network, direction), network.biases
    outgoing = still.weights[1]
    opposite = -cancels[..., None] * coefficient
    rows = [still.weights[0], seen[..., None, :], seen[..., None, :]]
    zero = 0 * seen[..., :1]
    weights = [np.concatenate(rows, axis=-2), np.concatenate([outgoing, coefficient[..., None], opposite[..., None]], axis=-1)]
    biases = [np.concatenate([first, zero, zero], axis=-1), last]
    return FullyConnected(weights, biases, network.activation), direction


def is_invariant(moved: Moved) -> npt.NDArray[np.bool_]:
    """Whether the last two neurons are across the direction, or cancel."""
    network, direction = moved
    seen = (network.weights[0][..., -1, :] * direction).sum(axis=-1)
    total = network.weights[1][..., -2:].sum(axis=-1)
    return np.asarray((compare(seen, 0) == 0) | (compare(total, 0) == 0).all(axis=-1))


# False variants


def every_direction(network: FullyConnected, x: Array, z: Array) -> Relation:
    """Any translation."""
    return eq(network(x + z), network(x), over=1)


def onto_columns(network: FullyConnected, x: Array, z: Array) -> Relation:
    """A translation within the row space."""
    return eq(network(x + applied(onto_rows(network.weights[0]), z)), network(x), over=1)


def rank_one_less(network: FullyConnected, x: Array) -> Relation:
    """The rank less one."""
    return le(rank(network.jacobian(x)), rank(network.weights[0]) - 1)


def projection_is_smaller(moved: Moved) -> Relation:
    """The projection leaves at most half of the first weights."""
    network, direction = moved
    before, after = network.weights[0], projected(network, direction).weights[0]
    return le(2 * (after * after).sum(axis=(-2, -1)), (before * before).sum(axis=(-2, -1)))


def first_coordinate_instead(moved: Moved, x: Array) -> Relation:
    """The first coordinate projected out, whatever the direction."""
    network, direction = moved
    first = 0 * direction + (np.arange(direction.shape[-1]) == 0)
    return eq(projected(network, first)(x), network(x), over=1)


def one_neuron(depth: int) -> dict[str, Any]:
    """One neuron in each layer, active, with weights along one axis of the plane."""
    layers = [rationals([[2, 0]]), *[rationals([[1]])] * (depth - 1)]
    return {"network": FullyConnected(layers), "x": rationals([1, 5]), "z": rationals([1, 1])}


def across() -> dict[str, Any]:
    """First weights across the direction, which the projection leaves alone."""
    network = FullyConnected([rationals([[2, 0], [1, 0], [1, 0]]), rationals([[1, 3, 4]])])
    return {"moved": (network, rationals([0, 1])), "x": rationals([1, 1])}


SOURCE = Source("symmetry_learning", "Shallow networks")

CLAIM = Claim(
    id="symmetry_learning.translation_symmetry",
    title="A network does not change along the kernel of its first weights",
    source=SOURCE,
    statement=kernel_is_not_seen,
    domain=Domain(
        {"network": Networks(slope=(-1, 1)), "x": reals("inputs"), "z": reals("inputs")},
        {"depth": (1, 2, 3, 6), "inputs": range(1, 5), "width": range(1, 4), "outputs": range(1, 4)},
    ),
    tight={"one neuron": Tight(partial(one_neuron, 3), of=("rank",))},
    false_neighbours={
        "every direction": every_direction,
        "the row space": onto_columns,
        "the rank less one": rank_one_less,
    },
)

CONVERSE = Claim(
    id="symmetry_learning.translation_symmetry.projection",
    title="Projecting out a translation symmetry keeps the function and never costs",
    source=Source("symmetry_learning", "ours"),
    status=Ours(),
    statement=projection_costs_nothing,
    domain=Domain(
        {
            "moved": derived(
                with_cancelling_neurons,
                network=Networks(depth=2, slope=(-1, 1)),
                direction=reals("inputs"),
                seen=reals("inputs"),
                coefficient=reals("outputs"),
                cancels=integers(0, 1),
            ),
            "x": reals("inputs"),
        },
        {"inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)},
        {"the function does not see the direction": is_invariant},
    ),
    needs=("the function does not see the direction",),
    tight={"weights across the direction": Tight(across, of=("norm",))},
    false_neighbours={"half of the weights": projection_is_smaller, "the first coordinate": first_coordinate_instead},
)
