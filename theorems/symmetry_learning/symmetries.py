r"""A symmetry leaves as many dimensions as its orbits have fewer than the space.

Statement
    If f(gx) = f(x) for all g of a group G, then :math:`f: \Omega \to \Omega/G \to \mathbb{R}^{d_{out}}`, so that
    :math:`\mathrm{Rank}_{BN}(f; \Omega) \le \dim \Omega/G`.
Correction
    The dimension must be that of a space into which :math:`\Omega/G` embeds. The boundary of a square with the trivial group
    has dimension one, but its identity has bottleneck rank two: no continuous number tells all of its points apart.
Checked
    Rotations of some coordinates that leave the others still: all rotations (one invariant, the norm), those that fix a
    direction w (two: :math:`w^Tx` and :math:`\|x - ww^Tx\|`), and with more directions fixed. For a function of the invariants
    f(gx) = f(x), f factors through the half plane of the still coordinates and the norm, and
    :math:`\mathrm{Rank}\,Jf(x) \le d - \dim T_x(Gx)`, where the tangent space of the orbit is that of all skew matrices applied
    to x. For a network summed over all orders of its inputs f(x) = f(sort x): the orbits are the sorted vectors.
Proof idea
    f is constant along the orbit, so that Jf(x) is zero on its tangent space; a set with one point of each orbit stands for
    :math:`\Omega/G`.
Sharp
    The norm and the still coordinates themselves.
Not checked
    Other groups.
Source
    symmetry_learning, Infinite depth limit (symmetries lead to low BN-rank).
"""

from __future__ import annotations

from functools import partial
from itertools import combinations, permutations
from typing import Any

import numpy as np

from verify import Claim, Domain, Networks, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import rank
from verify.networks import FullyConnected


def still_coordinates(network: FullyConnected) -> int:
    """How many coordinates stay: all inputs of the network but the last, which is the squared norm of the others."""
    return network.widths[0] - 1


def invariants(x: Array, still: int) -> Array:
    """The still coordinates, and the squared norm of the others, shape ``(..., d) -> (..., still + 1)``."""
    square = (x[..., still:] ** 2).sum(axis=-1)
    return np.concatenate([x[..., :still], square[..., None]], axis=-1)


def value(network: FullyConnected, x: Array) -> Array:
    """The function: a network of the invariants."""
    return network(invariants(x, still_coordinates(network)))


def jacobian(network: FullyConnected, x: Array) -> Array:
    """Jacobian of the function, shape ``(..., n_L, d)``."""
    still, outer = still_coordinates(network), network.jacobian(invariants(x, still_coordinates(network)))
    turning = outer[..., still:] * (2 * x[..., None, still:])
    return np.concatenate([outer[..., :still] + 0 * turning[..., :1], turning], axis=-1)


def tangents(x: Array, still: int) -> Array:
    """Skew matrices of the turning coordinates applied to x, as rows, shape ``(..., pairs, d)``."""
    rows = []
    for i, j in combinations(range(still, x.shape[-1]), 2):
        unit = np.eye(x.shape[-1], dtype=np.int64)
        rows.append(x[..., i, None] * unit[j] - x[..., j, None] * unit[i])
    return np.stack(rows, axis=-2)


def turned(x: Array, first: Array, second: Array, still: int) -> Array:
    """The turning coordinates rotated by two reflections; vectors of length zero do not reflect."""
    part = x[..., still:]
    for normal in (first, second):
        square = (normal * normal).sum(axis=-1)
        factor = 2 * (normal * part).sum(axis=-1) / np.where(compare(square, 0) == 0, 1, square)
        part = part - factor[..., None] * normal
    return np.concatenate([x[..., :still], part], axis=-1)


def dimension_of_the_quotient(network: FullyConnected, x: Array, first: Array, second: Array) -> Relation:
    """The values on an orbit; the rank of the Jacobian against the dimension less that of the orbit."""
    still = still_coordinates(network)
    same = eq(value(network, turned(x, first, second, still)), value(network, x), over=1, name="orbit")
    return same & le(rank(jacobian(network, x)), x.shape[-1] - rank(tangents(x, still)), name="rank")


def point_on_orbit(kept: Array, radius: Array, chart: Array) -> tuple[Array, Array]:
    """A point whose turning part has a rational length, and the point of its orbit with that part along the first axis."""
    square = (chart * chart).sum(axis=-1)[..., None]
    direction = np.concatenate([2 * chart, 1 - square], axis=-1) / (1 + square)
    axis = 0 * direction + (np.arange(direction.shape[-1]) == 0)
    length = radius[..., None]
    return np.concatenate([kept, length * direction], axis=-1), np.concatenate([kept, length * axis], axis=-1)


def one_point_of_each_orbit(network: FullyConnected, pair: tuple[Array, Array]) -> Relation:
    """The value at a point, and at the point of its orbit that the half plane has."""
    return eq(value(network, pair[0]), value(network, pair[1]), over=1)


def summed_over_orders(network: FullyConnected, x: Array) -> Array:
    """Sum of a network over all orders of the coordinates."""
    orders = [list(order) for order in permutations(range(x.shape[-1]))]
    return np.asarray(sum(network(x[..., order]) for order in orders))


def sorted_vectors_suffice(network: FullyConnected, x: Array) -> Relation:
    """The values at x and at the sorted x."""
    return eq(summed_over_orders(network, x), summed_over_orders(network, np.sort(x, axis=-1)), over=1)


# False variants


def a_dimension_less(network: FullyConnected, x: Array) -> Relation:
    """One dimension less."""
    return le(rank(jacobian(network, x)) + 1, x.shape[-1] - rank(tangents(x, still_coordinates(network))))


def dimension_of_the_group(network: FullyConnected, x: Array) -> Relation:
    """The dimension of the group for that of the orbit."""
    return le(rank(jacobian(network, x)), x.shape[-1] - tangents(x, still_coordinates(network)).shape[-2])


def everything_turns(network: FullyConnected, x: Array, first: Array) -> Relation:
    """A reflection of all coordinates."""
    normal = np.concatenate([0 * x[..., : still_coordinates(network)] + 1, first], axis=-1)
    return eq(value(network, turned(x, normal, 0 * normal, 0)), value(network, x), over=1)


def without_the_length(network: FullyConnected, pair: tuple[Array, Array]) -> Relation:
    """The still coordinates alone."""
    x, _ = pair
    still = still_coordinates(network)
    return eq(value(network, x), value(network, np.concatenate([x[..., :still], 0 * x[..., still:]], axis=-1)), over=1)


def without_the_still(network: FullyConnected, pair: tuple[Array, Array]) -> Relation:
    """The whole length along the first turning axis."""
    x, other = pair
    still = still_coordinates(network)
    return eq(value(network, x), value(network, np.concatenate([0 * other[..., :still], other[..., still:]], axis=-1)), over=1)


def sum_of_the_coordinates(network: FullyConnected, x: Array) -> Relation:
    """All coordinates replaced by their mean."""
    mean = 0 * x + x.sum(axis=-1)[..., None] / x.shape[-1]
    return eq(summed_over_orders(network, x), summed_over_orders(network, mean), over=1)


def one_order(network: FullyConnected, x: Array) -> Relation:
    """The network itself."""
    return eq(network(x), network(np.sort(x, axis=-1)), over=1)


def invariants_themselves(still: int) -> dict[str, Any]:
    """The identity of the invariants, at a point with no coordinate zero."""
    x = rationals([range(1, still + 4)])
    turning = x[:, still:]
    return {
        "network": FullyConnected([rationals([np.eye(still + 1, dtype=int)])]),
        "x": x,
        "first": turning - 2,
        "second": turning + 1,
    }


SOURCE = Source("symmetry_learning", "Infinite depth limit")
FUNCTION = Networks(inputs=lambda sizes: sizes["still"] + 1, slope=(-1, 1))
SIZES = {"depth": (1, 3), "still": range(3), "turning": (2, 3), "width": (3,), "outputs": (1, 3)}


def all_coordinates(sizes: Any) -> int:
    """Number of coordinates."""
    return int(sizes["still"] + sizes["turning"])


CLAIM = Claim(
    id="symmetry_learning.symmetries",
    title="A symmetry leaves at most as many dimensions as the space has more than its orbits",
    source=SOURCE,
    statement=dimension_of_the_quotient,
    domain=Domain(
        {
            "network": FUNCTION,
            "x": reals(all_coordinates),
            "first": reals("turning"),
            "second": reals("turning"),
        },
        SIZES,
    ),
    cost=2,
    tight={
        "the norm": Tight(partial(invariants_themselves, 0), of=("rank",)),
        "a fixed direction": Tight(partial(invariants_themselves, 1), of=("rank",)),
        "two fixed directions": Tight(partial(invariants_themselves, 2), of=("rank",)),
    },
    false_neighbours={
        "a dimension less": a_dimension_less,
        "the dimension of the group": dimension_of_the_group,
        "everything turns": everything_turns,
    },
)

QUOTIENT = Claim(
    id="symmetry_learning.symmetries.rotations",
    title="A function with a rotation symmetry factors through the norm and the fixed coordinates",
    source=SOURCE,
    statement=one_point_of_each_orbit,
    domain=Domain(
        {
            "network": FUNCTION,
            "pair": derived(
                point_on_orbit,
                kept=reals("still"),
                radius=interval(0, 4),
                chart=reals(lambda sizes: sizes["turning"] - 1),
            ),
        },
        SIZES,
    ),
    false_neighbours={"without the norm": without_the_length, "without the fixed coordinates": without_the_still},
)

PERMUTATIONS = Claim(
    id="symmetry_learning.symmetries.permutations",
    title="A function with all permutations as symmetries factors through the sorted vector",
    source=SOURCE,
    statement=sorted_vectors_suffice,
    domain=Domain(
        {"network": Networks(slope=(-1, 1)), "x": reals("inputs")},
        {"depth": (1, 2, 4), "inputs": (2, 3), "width": range(2, 4), "outputs": range(1, 4)},
    ),
    false_neighbours={"the mean": sum_of_the_coordinates, "one order": one_order},
)
