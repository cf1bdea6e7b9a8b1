r"""A bottleneck is finer than the symmetry of the values, and equal to it where the outer map is injective.

Statement
    The full symmetry of f is :math:`x \sim_{full} y \iff f(x) = f(y)`; every symmetry of f, with f(x) = f(y) for
    :math:`x \sim y`, is finer. With a half bottleneck, :math:`\dim \Omega/{\sim} \ge d_{out}`, networks learn
    :math:`\sim_{full}` in place of :math:`\sim` in the bottleneck.
Checked
    For f = h(g(x)) through a bottleneck, with :math:`x \sim_g y \iff g(x) = g(y)`, on the points of a sample: :math:`\sim_g` is
    finer than :math:`\sim_{full}`, and f has at most as many values as g. If h is affine and injective, as it may be for
    :math:`\dim \ge d_{out}` (h = id, g = f), they are equal: nothing else of x is left. For functions that do not change when
    coordinates are exchanged, the orbits are finer than :math:`\sim_{full}`, and the sum of the coordinates has fewer values
    than orbits. g is a network of depth 2 with small integers, and h is linear, so that equal values are exactly equal.
Proof idea
    g(x) = g(y) gives h(g(x)) = h(g(y)), and the converse for injective h.
Sharp
    As many values of f as of g: h = id.
Not checked
    That trained networks have such an h: the talk gives it as an observation.
Source
    symmetry_learning, Impact of the output dimension.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.arrays import values_at
from verify import Claim, Domain, Relation, Source, Tight, derived, eq, integers, le
from verify.arithmetic import Array, compare, is_exact, rationals
from verify.matrices import rank
from verify.networks import FullyConnected, leaky_relu
from verify.variables import Variable

Partition = npt.NDArray[np.bool_]
"""Which pairs of points are equivalent, shape ``(..., N, N)``."""


def shallow(first: Array, bias: Array, last: Array, slope: Array) -> FullyConnected:
    """A network of depth 2. With integers its values have no rounding, so that equal ones are equal in floats, too."""
    return FullyConnected([first, last], [bias, 0 * last[..., 0]], leaky_relu(slope))


def partition(values: Array) -> Partition:
    """Which points have equal values, shape ``(..., N, m) -> (..., N, N)``."""
    return np.asarray((compare(values[..., :, None, :], values[..., None, :, :]) == 0).all(axis=-1))


def numbers(like: Array, found: npt.NDArray[Any]) -> Array:
    """Counts and truth values in the arithmetic of `like`."""
    return rationals(found.astype(np.int64)) if is_exact(like) else found.astype(np.float64)


def classes(found: Partition) -> npt.NDArray[np.int64]:
    """Number of classes: of points that are equivalent to none before them."""
    earlier = np.tril(np.ones(found.shape[-2:], dtype=bool), -1)
    return np.asarray((~(found & earlier).any(axis=-1)).sum(axis=-1))


def bottleneck_is_finer(inner: FullyConnected, outer: Array, points: Array) -> Relation:
    """What g takes for equal f takes for equal; the numbers of values."""
    hidden = values_at(inner, points)
    before, after = partition(hidden), partition(hidden @ np.swapaxes(outer, -1, -2))
    finer = le(numbers(points, before), numbers(points, after), over=2, name="finer")
    return finer & le(numbers(points, classes(after)), numbers(points, classes(before)), name="values")


def nothing_else_is_left(inner: FullyConnected, outer: Array, points: Array) -> Relation:
    """What g takes for equal and what f takes for equal."""
    hidden = values_at(inner, points)
    after = partition(hidden @ np.swapaxes(outer, -1, -2))
    return eq(numbers(points, partition(hidden)), numbers(points, after), over=2)


def is_injective(outer: Array) -> npt.NDArray[np.bool_]:
    """Whether the outer matrix has a rank as large as the bottleneck."""
    return np.asarray(rank(outer) == outer.shape[-1]) if not is_exact(outer) else compare(rank(outer), outer.shape[-1]) == 0


def symmetrised(network: FullyConnected, points: Array) -> Array:
    """Sum of the values over all orders of the coordinates, shape ``(..., N, n_L)``."""
    orders = [list(order) for order in permutations(range(points.shape[-1]))]
    return np.asarray(sum(values_at(network, points[..., order]) for order in orders))


def orbits_are_finer(network: FullyConnected, points: Array) -> Relation:
    """Points that are equal up to the order of their coordinates have one value."""
    orbits = partition(np.sort(points, axis=-1))
    return le(numbers(points, orbits), numbers(points, partition(symmetrised(network, points))), over=2)


def sum_has_fewer_values() -> Relation:
    """On the grid {0, 1, 2, 3}^2 the sum has 7 values, sum and product together have 10, and there are 10 orbits."""
    grid = rationals(list(np.ndindex(4, 4)))
    total, product = grid.sum(axis=-1), grid[:, 0] * grid[:, 1]
    counts = [classes(partition(one)) for one in (total[:, None], np.stack([total, product], axis=-1), np.sort(grid, axis=-1))]
    return eq(rationals(counts), rationals([7, 10, 10]), over=1)


# False variants


def bottleneck_is_coarser(inner: FullyConnected, outer: Array, points: Array) -> Relation:
    """The other way round."""
    hidden = values_at(inner, points)
    before, after = partition(hidden), partition(hidden @ np.swapaxes(outer, -1, -2))
    return le(numbers(points, after), numbers(points, before), over=2)


def finer_than_the_points(inner: FullyConnected, points: Array) -> Relation:
    """As if g told all points apart."""
    return le(numbers(points, partition(values_at(inner, points))), numbers(points, partition(points)), over=2)


def by_one_value(inner: FullyConnected, outer: Array, points: Array) -> Relation:
    """The first output alone."""
    hidden = values_at(inner, points)
    after = partition((hidden @ np.swapaxes(outer, -1, -2))[..., :1])
    return eq(numbers(points, partition(hidden)), numbers(points, after), over=2)


def orbits_are_all(network: FullyConnected, points: Array) -> Relation:
    """The value tells the orbits apart."""
    orbits = partition(np.sort(points, axis=-1))
    return le(numbers(points, partition(symmetrised(network, points))), numbers(points, orbits), over=2)


def without_the_sum(network: FullyConnected, points: Array) -> Relation:
    """The orbits of a function that is not symmetric."""
    orbits = partition(np.sort(points, axis=-1))
    return le(numbers(points, orbits), numbers(points, partition(values_at(network, points))), over=2)


def plain_identity() -> dict[str, Any]:
    """The identity of the plane twice, and three points of which two are equal."""
    one = rationals([[1, 0], [0, 1]])
    return {"inner": FullyConnected([one]), "outer": one, "points": rationals([[1, 0], [1, 0], [0, 2]])}


SOURCE = Source("symmetry_learning", "Impact of the output dimension")


def integer_networks(outputs: str) -> Variable:
    """Shallow networks of small integers."""
    return derived(
        shallow,
        first=integers(-2, 2, "width", "inputs"),
        bias=integers(-2, 2, "width"),
        last=integers(-2, 2, outputs, "width"),
        slope=integers(-1, 1),
    )


BOTTLENECK = Domain(
    {
        "inner": integer_networks("bottleneck"),
        "outer": integers(-1, 2, "outputs", "bottleneck"),
        "points": integers(-1, 2, 5, "inputs"),
    },
    {"inputs": range(1, 4), "width": (2, 4), "bottleneck": range(1, 4), "outputs": range(1, 4)},
)
INJECTIVE = {"the outer map is injective": is_injective}

CLAIM = Claim(
    id="symmetry_learning.half_bottleneck",
    title="What a bottleneck takes for equal has equal values",
    source=SOURCE,
    statement=bottleneck_is_finer,
    domain=BOTTLENECK,
    tight={"the identity": Tight(plain_identity)},
    false_neighbours={"the bottleneck is coarser": bottleneck_is_coarser, "it tells all points apart": finer_than_the_points},
)

INJECTION = Claim(
    id="symmetry_learning.half_bottleneck.injective",
    title="Before an injective map a bottleneck keeps the values and nothing else",
    source=SOURCE,
    statement=nothing_else_is_left,
    domain=Domain(BOTTLENECK.variables, BOTTLENECK.sizes, INJECTIVE),
    needs=tuple(INJECTIVE),
    false_neighbours={"the first output": by_one_value},
)

ORBITS = Claim(
    id="symmetry_learning.half_bottleneck.orbits",
    title="A true symmetry is finer than the symmetry of the values",
    source=SOURCE,
    statement=orbits_are_finer,
    domain=Domain(
        {"network": integer_networks("outputs"), "points": integers(-1, 2, 5, "inputs")},
        {"inputs": range(2, 4), "width": (2, 3), "outputs": range(1, 4)},
    ),
    false_neighbours={"the values tell orbits apart": orbits_are_all, "without the sum": without_the_sum},
    exact={"sum and product on a grid": sum_has_fewer_values},
)
