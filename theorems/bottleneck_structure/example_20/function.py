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

from itertools import product

from theorems.bottleneck_structure.constructions.diverging import diverging_network, kink, stretch
from verify import Claim, Domain, Relation, Source, interval
from verify.numbers.arithmetic import rational, rationals
from verify.numbers.symbolic import identically_zero
from verify.words import concatenate, eq, ge, greatest, least, lifted, maximum, nonnegative, stack, vector

diverging = lifted(diverging_network)


def f(x):
    return vector(x[0], x[1], x[2] + maximum(x[0] - x[1], 0))


def halves(t, m):
    r""":math:`m\,[4(\cosh 2\epsilon - 1) + 2(\cosh 4\epsilon - 1)]`: what the layers before and after the kink cost over 3."""
    return m * (4 * ((t**2 + t**-2) / 2 - 1) + 2 * ((t**4 + t**-4) / 2 - 1))


def network_is_function(t, x, depth):
    L, m, network = depth, (depth - 2) // 2, diverging(depth, t)
    cost = 3 * L + halves(t, m) + 2 * t ** (-2 * m) + t ** (-4 * m)
    return eq(network(x), f(x), name="values") & eq(network.parameter_norm_squared, cost, name="norm")


def kink_of_slope_two(t, x, depth):
    return eq(diverging(depth, t)(x), 2 * f(x) - x)


def norm_of_all_layers(t, depth):
    L, m = depth, (depth - 2) // 2
    cost = 3 * L + halves(t, L - 2) + 2 * t ** (-2 * m) + t ** (-4 * m)
    return eq(diverging(L, t).parameter_norm_squared, cost)


def norm_without_last_term(t, depth):
    """Without the weight behind the kink."""
    L, m = depth, (depth - 2) // 2
    return eq(diverging(L, t).parameter_norm_squared, 3 * L + halves(t, m) + 2 * t ** (-2 * m))


def equal_on_both_cells():
    """For several rational t: on each cell no neuron changes its sign, and the vertices are mapped as by f.

    A map that is affine on a cell and has the values of another at its vertices is that map.
    """
    cube, relation = rationals(list(product((0, 1), repeat=3))), Relation(())
    for depth, t in ((2, "3/2"), (4, "2"), (6, "1/2"), (8, "1"), (10, "5/4"), (12, "101/100")):
        network = diverging(depth, rational(t))
        for cell in (cube[cube[:, 0] <= cube[:, 1]], cube[cube[:, 0] >= cube[:, 1]]):
            hidden = concatenate(network.preactivations(cell)[:-1], axis=1)
            relation &= ge(least(hidden, axis=0) * greatest(hidden, axis=0), 0)
            relation &= eq(network(cell), stack([f(x) for x in cell]))
    return relation


def equal_in_symbols():
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
    return identically_zero(*zero, (norm - closed).rewrite(sp.exp)) & eq(signs, 1)


INSIDE = {"no coordinate of x is negative": lambda x: nonnegative(x)}
SOURCE = Source("bottleneck_structure", "Example 20")
VARIABLES = {"t": interval(1 / 4, 4), "x": interval(-1 / 2, 1, 3)}

CLAIM = Claim(
    id="bottleneck_structure.example_20",
    title="The diverging network is f on the cube, with a known norm",
    source=SOURCE,
    statement=network_is_function,
    domain=Domain(VARIABLES, {"depth": range(2, 15, 2)}, INSIDE),
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
