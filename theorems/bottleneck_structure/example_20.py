r"""Example 20: a function of bottleneck rank 3 with :math:`R^{(1)} = 0` whose nearly optimal representations diverge.

On the cube :math:`[0, 1]^3`, :math:`f(x) = (x_1, x_2, x_3 + \sigma(x_1 - x_2))` with :math:`\sigma` the ReLU. With
:math:`\epsilon = \log t` and :math:`m = (L - 2)/2`, the network `diverging_network` of even depth L is f on the cube, its
first two hidden coordinates reach :math:`e^{m\epsilon} x`, and its squared norm exceeds :math:`3L` by

.. math:: E = m\,[4(\cosh 2\epsilon - 1) + 2(\cosh 4\epsilon - 1)] + 2 e^{-2m\epsilon} + e^{-4m\epsilon} .

The power series of the bracket gives :math:`24\epsilon^2(1 + \epsilon^2) \le [\ldots] \le 24\epsilon^2 e^{\epsilon^2}`. So for
:math:`\epsilon = L^{-\gamma}` the excess behaves like :math:`12 L^{1 - 2\gamma}` and vanishes exactly for
:math:`\gamma \in (1/2, 1)`: it tends to 12 for :math:`\gamma = 1/2`, to :math:`2/e + e^{-2}` for :math:`\gamma = 1`, to
infinity below and to 3 above. That is checked as inequalities for every depth, and the exponent is fitted over ladders.

The network equals f wherever no coordinate is negative, and not elsewhere. Both maps are affine on the two cells of the cube,
:math:`x_1 \le x_2` and :math:`x_1 \ge x_2`, so that their vertices decide. That no representation of nearly minimal norm
stays uniformly Lipschitz follows from Proposition 13 and is not checked here.

Source: bottleneck_structure, Appendix D.1, Example 20; the two-sided bound and the limits are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, Ours, Rate, Relation, Source, Tight, derived, eq, ge, integers, interval, le
from verify.arithmetic import Array, compare, exp, is_exact, largest, log, maximum, rational, rationals, smallest
from verify.networks import FullyConnected
from verify.symbolic import identically_zero


def shear_beyond_diagonal(x: Array) -> Array:
    """The function f, shape ``(..., 3) -> (..., 3)``."""
    return np.stack([x[..., 0], x[..., 1], x[..., 2] + maximum(x[..., 0] - x[..., 1], 0)], axis=-1)


def stretch(growth: Any) -> tuple[Any, Any, Any]:
    """Diagonal of the layers before the kink; those after it have the inverses."""
    return growth, growth, 1 / growth**2


def kink(growth: Any, middle: Any) -> tuple[list[list[Any]], list[list[Any]]]:
    """Rows of the two layers in the middle."""
    near, far = growth**-middle, growth ** (-2 * middle)
    return [[1, 0, 0], [0, 1, 0], [0, 0, 1], [near, -near, 0]], [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, far]]


def diverging_network(depth: int, growth: Any) -> FullyConnected:
    r"""ReLU network for f where no coordinate is negative, without biases; `growth` is :math:`t = e^\epsilon > 0`.

    With :math:`m = (L - 2)/2`: m layers :math:`\mathrm{diag}(t, t, t^{-2})`, the layer
    :math:`[I_3; (t^{-m}, -t^{-m}, 0)]`, the layer :math:`[e_1, e_2, e_3, t^{-2m} e_3]`, and m layers
    :math:`\mathrm{diag}(1/t, 1/t, t^2)`. The weights are powers of t: rational for rational t. The squared norm is
    :math:`m (2t^2 + t^{-4} + 2t^{-2} + t^4) + 6 + 2t^{-2m} + t^{-4m}`; :math:`t^{2m}` must not overflow. A `growth` of shape
    ``(*batch)`` gives a batch of networks.

    Raises
    ------
    ValueError
        `depth` is odd or below 2, or a `growth` is not positive.
    """
    if depth < 2 or depth % 2:
        raise ValueError(f"depth must be even and at least 2, got {depth}: the kink sits between two halves of equal depth")
    if not hasattr(growth, "dtype"):
        growth = np.asarray(growth) if isinstance(growth, float) else rationals(growth)
    if not np.all(compare(growth, 0) == 1):
        raise ValueError(f"growth must be positive, got {growth}: negative values do not pass through the ReLU")
    middle = (depth - 2) // 2
    up = stretch(growth)
    before, after = _diagonal(up), _diagonal([1 / entry for entry in up])
    layers = [*[before] * middle, *kink(growth, middle), *[after] * middle]
    return FullyConnected([_matrices(rows, growth) for rows in layers])


def _diagonal(entries: Sequence[Any]) -> list[list[Any]]:
    return [[entry if row == column else 0 for column in range(3)] for row, entry in enumerate(entries)]


def _matrices(rows: list[list[Any]], like: Array) -> Array:
    """The matrix with these entries, each a number or an array of the shape of `like`."""
    return np.stack([np.stack([entry + 0 * like for entry in row], axis=-1) for row in rows], axis=-2)


def cosh_minus_one(u: Array) -> Array:
    r""":math:`\cosh u - 1`, without cancellation in floats."""
    return (exp(u) + exp(-u)) / 2 - 1 if is_exact(u) else 2 * np.sinh(u / 2) ** 2


def remainder(middle: Array, epsilon: Array) -> Array:
    r""":math:`2 e^{-2m\epsilon} + e^{-4m\epsilon}`: the part of the excess in the two layers of the kink."""
    return np.asarray(2 * exp(-2 * middle * epsilon) + exp(-4 * middle * epsilon))


def excess(middle: Array, epsilon: Array) -> Array:
    r"""Squared norm of the network of depth :math:`L = 2m + 2` minus 3L, accurate also where :math:`\epsilon` is tiny."""
    stretching = 4 * cosh_minus_one(2 * epsilon) + 2 * cosh_minus_one(4 * epsilon)
    return np.asarray(middle * stretching + remainder(middle, epsilon))


def member(depth: int, growth: Array) -> tuple[FullyConnected, Array]:
    """The network together with the growth that it was made from."""
    return diverging_network(depth, growth), growth


def network_is_function(
    instance: tuple[FullyConnected, Array], x: Array, kinks: int = 1, halves: int = 2, outlet: int = 1
) -> Relation:
    """The network against f, and its squared norm against the closed form."""
    network, t = instance
    middle = (network.depth - 2) // 2
    expected = shear_beyond_diagonal(x)
    expected = expected + (kinks - 1) * (expected - x)
    stretching = 4 * ((t**2 + t**-2) / 2 - 1) + 2 * ((t**4 + t**-4) / 2 - 1)
    size = 3 * network.depth + (network.depth - 2) * stretching / halves + 2 * t ** (-2 * middle) + outlet * t ** (-4 * middle)
    return eq(network(x), expected, scale=1, over=1) & eq(network.parameter_norm_squared, size)


def no_negative_coordinate(x: Array) -> npt.NDArray[np.bool_]:
    """Whether the point lies where no ReLU but that of the kink cuts."""
    return np.asarray((compare(x, 0) >= 0).all(axis=-1))


def equal_on_both_cells() -> Relation:
    """For several rational t: on each cell no neuron changes its sign, and the vertices are mapped as by f.

    A map that is affine on a cell and has the values of another at its vertices is that map.
    """
    cube = rationals(list(product((0, 1), repeat=3)))
    relations = []
    for depth, growth in ((2, "3/2"), (4, "2"), (6, "1/2"), (8, "1"), (10, "5/4"), (12, "101/100")):
        network = diverging_network(depth, rational(growth))
        for cell in (cube[cube[:, 0] <= cube[:, 1]], cube[cube[:, 0] >= cube[:, 1]]):
            hidden = np.concatenate(network.preactivations(cell)[:-1], axis=-1)
            relations.append(ge(smallest(hidden, axis=0) * largest(hidden, axis=0), rationals(0), over=1))
            relations.append(eq(network(cell), shear_beyond_diagonal(cell), over=2))
    return Relation(tuple(comparison for relation in relations for comparison in relation.comparisons))


def equal_in_symbols() -> Relation:
    """The layers one after the other on each cell, and the norm, for symbolic t, m and x: this decides every depth.

    With d the distance to the diagonal, what enters a ReLU is nowhere negative but at the kink, on the cell where that
    receives -d. After l layers of a half the hidden values are powers of t times what they were: l to l + 1 is checked.
    """
    import sympy as sp

    t = sp.Symbol("t", positive=True)
    m, layer = sp.symbols("m l", integer=True, nonnegative=True)
    x1, x2, x3, d = sp.symbols("x1 x2 x3 d", nonnegative=True)
    up, (enter, leave) = stretch(t), (sp.Matrix(rows) for rows in kink(t, m))
    zero, positive = [], []
    for first, second, cut in ((x2 + d, x2, d), (x1, x1 + d, 0 * d)):
        before = [t**layer * first, t**layer * second, t ** (-2 * layer) * x3]
        # the same number of layers before the end
        after = [*before[:2], t ** (-2 * layer) * (x3 + cut)]
        for entry, value, image in zip(up, before, after, strict=True):
            zero.append(entry * value - value.subs(layer, layer + 1))
            zero.append(image.subs(layer, layer + 1) / entry - image)
        entered = enter * sp.Matrix([value.subs(layer, m) for value in before])
        zero.append(entered[3] - (first - second))
        rectified = sp.Matrix([*entered[:3], cut])
        zero += list(leave * rectified - sp.Matrix([value.subs(layer, m) for value in after]))
        positive += [*before, *after, *rectified]
    epsilon = sp.log(t)
    stretching = 4 * (sp.cosh(2 * epsilon) - 1) + 2 * (sp.cosh(4 * epsilon) - 1)
    norm = m * sum(entry**2 + entry**-2 for entry in up) + sum(entry**2 for entry in [*enter, *leave])
    closed = 3 * (2 * m + 2) + m * stretching + 2 * sp.exp(-2 * m * epsilon) + sp.exp(-4 * m * epsilon)
    signs = rationals([int(value.is_nonnegative is True) for value in positive])
    return identically_zero(*zero, (norm - closed).rewrite(sp.exp)) & eq(signs, rationals([1]), over=1)


def excess_between(middle: Array, epsilon: Array, lower: int = 2400, square: int = 100, upper: int = 100) -> Relation:
    """The two bounds on the excess without its remainder; the constants are given in hundredths."""
    cost, rest, squared = excess(middle, epsilon), remainder(middle, epsilon), epsilon * epsilon
    below = lower * middle * squared * (1 + square * squared / 100) / 100
    return ge(cost, below + rest) & le(cost, 24 * middle * squared * exp(upper * squared / 100) + rest)


def coefficients_of_the_series() -> Relation:
    r"""The bracket is :math:`\sum_n c_n \epsilon^{2n+2}` with :math:`c_n = (4 \cdot 4^{n+1} + 2 \cdot 16^{n+1})/(2n+2)!`.

    The first two are 24 and all are positive: the lower bound. The upper one is :math:`c_n \le 24/n!`: for n up to 2 by their
    values; from there on :math:`c_{n+1}/c_n \le 16/((2n+3)(2n+4))` is at most :math:`1/(n+1)`, because
    :math:`(2n+3)(2n+4) - 16(n+1)` has no negative coefficient in n - 2.
    """
    import sympy as sp

    n, u = sp.symbols("n u")
    first = [rational(4 * 4 ** (j + 1) + 2 * 16 ** (j + 1)) / rational(int(sp.factorial(2 * j + 2))) for j in range(3)]
    bounds = [rational(24) / rational(int(sp.factorial(j))) for j in range(3)]
    polynomial = sp.Poly(((2 * n + 3) * (2 * n + 4) - 16 * (n + 1)).subs(n, u + 2), u)
    coefficients = rationals([int(value) for value in polynomial.all_coeffs()])
    starts = eq(rationals(first[:2]), rationals([24, 24]), over=1) & le(rationals(first), rationals(bounds), over=1)
    return starts & ge(coefficients, rationals([0]), over=1)


def vanishes_between(
    middle: Array, gamma: Array, first: int = 50, last: int = 100, lower: int = 1200, upper: int = 1200
) -> Relation:
    r"""For :math:`\epsilon = L^{-\gamma}`: the excess lies between two sides of order :math:`12 L^{1 - 2\gamma}`, and does not
    fall below :math:`12(L-2)/L` for :math:`\gamma \le 1/2`, nor below :math:`2/e + e^{-2}` for :math:`\gamma \ge 1`.

    `first` and `last` are the ends of the range of exponents, `lower` and `upper` the constants, in hundredths.
    """
    depth = 2 * middle + 2
    epsilon = exp(-gamma * log(depth))
    cost, rest, squared = excess(middle, epsilon), remainder(middle, epsilon), epsilon * epsilon
    slow, fast = compare(100 * gamma, first) <= 0, compare(100 * gamma, last) >= 0
    one = 1 + 0 * gamma
    floor = np.where(slow, 12 * (depth - 2) / depth, np.where(fast, 2 * exp(-one) + exp(-2 * one), 0 * one))
    sides = ge(cost, lower * (depth - 2) * squared / 100 + rest)
    return sides & le(cost, upper * depth * squared * exp(squared) / 100 + rest) & ge(cost, floor)


def scaled_excess(gamma: Fraction, depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    r"""The excess for :math:`\epsilon = L^{-\gamma}` at each depth."""
    return excess((depths - 2) / 2, depths ** -float(gamma))


def limits_at_the_ends(middle: Array, slow: int = 1200, fast: int = 100) -> Relation:
    r"""How close the excess is to 12 for :math:`\gamma = 1/2`, and to :math:`2/e + e^{-2}` for :math:`\gamma = 1`.

    .. math:: |E - 12| \le \frac{12}{L} + \frac{24}{L^2} + 3 e^{-\sqrt L + 2/\sqrt L}, \qquad
        0 \le E - \frac2e - \frac1{e^2} \le \Bigl(12 + \frac4e + \frac4{e^2}\Bigr) \frac1L .

    `slow` is the first limit and `fast` the constant in front of 1/L, in hundredths.
    """
    depth = 2 * middle + 2
    one = 1 + 0 * depth
    root = exp(log(depth) / 2)
    near = 12 / depth + 24 / depth**2 + 3 * exp(2 / root - root)
    cost, limit = excess(middle, 1 / root), 2 * exp(-one) + exp(-2 * one)
    twelve = ge(100 * cost, slow - 100 * near) & le(100 * cost, slow + 100 * near)
    cost, width = excess(middle, 1 / depth), (12 + 4 * exp(-one) + 4 * exp(-2 * one)) / depth
    return twelve & ge(cost, limit) & le(cost, limit + fast * width / 100)


def distance_to_the_limit(depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    r"""The excess for :math:`\epsilon = 1/L` minus its limit, without cancellation."""
    middle = (depths - 2) / 2
    stretching = excess(middle, 1 / depths) - remainder(middle, 1 / depths)
    return np.asarray(stretching + 2 * np.exp(-1) * np.expm1(2 / depths) + np.exp(-2) * np.expm1(4 / depths))


def three_exponents() -> Relation:
    r"""At depth :math:`10^{40}`, the excess for the exponents 3/5, 3/4 and 9/10 is :math:`12 L^{1 - 2\gamma}` up to 1e-12."""
    gamma, middle = rationals(["3/5", "3/4", "9/10"]), rationals([10**40 // 2 - 1])
    length = log(2 * middle + 2)
    ratio = excess(middle, exp(-gamma * length)) / (12 * exp((1 - 2 * gamma) * length))
    return le(ratio, 1 + rationals(["1e-12"]), over=1) & ge(ratio, 1 - rationals(["1e-12"]), over=1)


def representation_grows(instance: tuple[FullyConnected, Array], x: Array, steps: int = 0, reach: int = 2) -> Relation:
    r"""The hidden values before the kink are :math:`(t^m x_1, t^m x_2, t^{-2m} x_3)`, and the third one counts :math:`t^{2m}`
    times in the output: as the depth grows, no constant bounds the one (t > 1) nor the other.

    `steps` layers more than there are, and powers of t in the output per layer, are what is altered in the false neighbours.
    """
    network, t = instance
    middle = (network.depth - 2) // 2
    grown, shrunk = t ** (middle + steps), t ** (-2 * middle)
    hidden = network.preactivations(x)[middle - 1]
    outward = network.jacobian_from_layer(middle, x)[..., 2, 2]
    expected = np.stack([grown * x[..., 0], grown * x[..., 1], shrunk * x[..., 2]], axis=-1)
    return eq(hidden, expected, over=1) & eq(outward, t ** (reach * middle))


SOURCE = Source("bottleneck_structure", "Example 20")
OURS = Source("bottleneck_structure", "ours")
INSIDE = {"no coordinate of x is negative": no_negative_coordinate}
GROWTH = interval(1 / 4, 4)
POINT = interval(-1 / 2, 1, 3)

CLAIM = Claim(
    id="bottleneck_structure.example_20",
    title="The diverging network is f on the cube, with a known norm",
    source=SOURCE,
    statement=network_is_function,
    domain=Domain({"instance": derived(member, growth=GROWTH), "x": POINT}, {"depth": range(2, 13, 2)}, INSIDE),
    needs=tuple(INSIDE),
    false_neighbours={
        "kink of slope 2": partial(network_is_function, kinks=2),
        "norm with L - 2 in place of (L - 2)/2": partial(network_is_function, halves=1),
        "norm without its last term": partial(network_is_function, outlet=0),
    },
    exact={"vertices of both cells": equal_on_both_cells, "in symbols": equal_in_symbols},
    proof="in symbols",
)

DEPTH = {"middle": integers(0, 2000)}

EXCESS = Claim(
    id="bottleneck_structure.example_20.excess",
    title="The excess over 3L lies between two power series",
    source=OURS,
    status=Ours(),
    statement=excess_between,
    domain=Domain({**DEPTH, "epsilon": interval(0, 1)}),
    tight={"no growth": Tight(lambda: {"middle": rationals([9]), "epsilon": rationals([0])})},
    false_neighbours={
        "24.01 below": partial(excess_between, lower=2401),
        "1 + 1.01 e^2 below": partial(excess_between, square=101),
        "exponent 0.99 e^2 above": partial(excess_between, upper=99),
        "no exponential above": partial(excess_between, upper=0),
    },
    exact={"coefficients of the series": coefficients_of_the_series},
    proof="coefficients of the series",
)

RATE = Claim(
    id="bottleneck_structure.example_20.rate",
    title="The excess vanishes like 12 L^(1 - 2g), exactly for growth exponents g between 1/2 and 1",
    source=SOURCE,
    statement=vanishes_between,
    domain=Domain({**DEPTH, "gamma": interval(0, 2)}),
    false_neighbours={
        "does not vanish for g = 0.51": partial(vanishes_between, first=51),
        "does not vanish for g = 0.99": partial(vanishes_between, last=99),
        "12.01 below": partial(vanishes_between, lower=1201),
        "11.99 above": partial(vanishes_between, upper=1199),
    },
    exact={"three exponents at depth 10^40": three_exponents},
    rate=Rate(partial(scaled_excess, Fraction(3, 4)), tuple(10**k for k in range(6, 20)), -0.5),
)

LIMITS = Claim(
    id="bottleneck_structure.example_20.limits",
    title="At the ends of the range the excess tends to 12 and to 2/e + 1/e^2",
    source=OURS,
    status=Ours(),
    statement=limits_at_the_ends,
    domain=Domain(DEPTH),
    false_neighbours={
        "limit 12.01": partial(limits_at_the_ends, slow=1201),
        "limit 11.99": partial(limits_at_the_ends, slow=1199),
        "1 percent less in front of 1/L": partial(limits_at_the_ends, fast=99),
    },
    rate=Rate(distance_to_the_limit, tuple(10**k for k in range(3, 13)), -1.0),
)

DIVERGING = Claim(
    id="bottleneck_structure.example_20.diverging",
    title="The hidden representation grows like e^((L - 2) eps / 2)",
    source=SOURCE,
    statement=representation_grows,
    domain=Domain({"instance": derived(member, growth=GROWTH), "x": POINT}, {"depth": range(4, 13, 2)}, INSIDE),
    needs=tuple(INSIDE),
    false_neighbours={
        "one step fewer": partial(representation_grows, steps=-1),
        "output as the first coordinates": partial(representation_grows, reach=1),
    },
    exact={"in symbols": equal_in_symbols},
)
