r"""Example 20: the diverging network is f on the cube, with a known norm.

Statement
    The network `diverging_network` of even depth L equals :math:`f(x) = (x_1, x_2, x_3 + \sigma(x_1 - x_2))` on
    :math:`[0, 1]^3`, and its squared norm is, for :math:`m = (L - 2)/2` and :math:`t = e^\epsilon`,

    .. math:: 3L + m\,[4(\cosh 2\epsilon - 1) + 2(\cosh 4\epsilon - 1)] + 2 t^{-2m} + t^{-4m} .

Checked
    The two equalities wherever no coordinate is negative (elsewhere the network is another function); for every depth in
    symbols.
Proof idea
    Both maps are affine on the two cells :math:`x_1 \le x_2` and :math:`x_1 \ge x_2` of the cube, so that their vertices
    decide.
Source
    bottleneck_structure, Appendix D.1, Example 20.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.diverging import (
    diverging_network,
    kink,
    shear_beyond_diagonal,
    stretch,
)
from verify import Claim, Domain, Relation, Source, derived, eq, ge, interval
from verify.arithmetic import Array, compare, largest, rational, rationals, smallest
from verify.networks import FullyConnected
from verify.symbolic import identically_zero


def member(depth: int, growth: Array) -> tuple[FullyConnected, Array]:
    """The network together with the growth t that it was made from."""
    return diverging_network(depth, growth), growth


def squared_norm(depth: int, t: Array) -> Array:
    """The closed form of the squared norm."""
    middle = (depth - 2) // 2
    stretching = 4 * ((t**2 + t**-2) / 2 - 1) + 2 * ((t**4 + t**-4) / 2 - 1)
    return np.asarray(3 * depth + middle * stretching + 2 * t ** (-2 * middle) + t ** (-4 * middle))


def network_is_function(instance: tuple[FullyConnected, Array], x: Array) -> Relation:
    """The network against f, and its squared norm against the closed form."""
    network, t = instance
    values = eq(network(x), shear_beyond_diagonal(x), over=1, name="values")
    return values & eq(network.parameter_norm_squared, squared_norm(network.depth, t), name="norm")


# False variants


def kink_of_slope_two(instance: tuple[FullyConnected, Array], x: Array) -> Relation:
    """Twice the shear."""
    return eq(instance[0](x), 2 * shear_beyond_diagonal(x) - x, over=1)


def norm_of_all_layers(instance: tuple[FullyConnected, Array], x: Array) -> Relation:
    """L - 2 in place of (L - 2)/2."""
    network, t = instance
    middle = (network.depth - 2) // 2
    twice = 2 * squared_norm(network.depth, t) - 3 * network.depth - 2 * t ** (-2 * middle) - t ** (-4 * middle)
    return eq(network.parameter_norm_squared, twice + 0 * x[..., 0])


def norm_without_last_term(instance: tuple[FullyConnected, Array], x: Array) -> Relation:
    """Without the weight behind the kink."""
    network, t = instance
    last = t ** (-2 * (network.depth - 2))
    return eq(network.parameter_norm_squared, squared_norm(network.depth, t) - last + 0 * x[..., 0])


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


SOURCE = Source("bottleneck_structure", "Example 20")
INSIDE = {"no coordinate of x is negative": no_negative_coordinate}
INSTANCE = {"instance": derived(member, growth=interval(1 / 4, 4)), "x": interval(-1 / 2, 1, 3)}

CLAIM = Claim(
    id="bottleneck_structure.example_20",
    title="The diverging network is f on the cube, with a known norm",
    source=SOURCE,
    statement=network_is_function,
    domain=Domain(INSTANCE, {"depth": range(2, 15, 2)}, INSIDE),
    needs=tuple(INSIDE),
    false_variants={
        "kink of slope 2": kink_of_slope_two,
        "norm with L - 2 in place of (L - 2)/2": norm_of_all_layers,
        "norm without its last term": norm_without_last_term,
    },
    exact={"vertices of both cells": equal_on_both_cells, "in symbols": equal_in_symbols},
    proof="in symbols",
    argument=(
        "the layers are applied one after the other for symbolic t, m and x on each cell, where the signs of the hidden values "
        "are seen from their factors; the squared norm is summed for symbolic m"
    ),
)
