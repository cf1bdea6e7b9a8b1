r"""Theorem 2 on grids: deficient rank is steep on fine grids.

Statement
    Let f be Lipschitz with constant :math:`\Lambda` on :math:`[0, 1]^k` with an image of measure zero, for instance piecewise
    linear of bottleneck rank or of Jacobian rank below k. Then on the grid of spacing h (``.deficient_rank``)

    .. math:: \max_i \|f(x_i) - x_i\|_\infty + \tfrac12 (\Lambda + 1) h \sqrt k \ge \tfrac12 ,

    so that an f that is the identity on the grid has :math:`\Lambda \ge 1 / (h \sqrt k) - 1`, of the order :math:`N^{1/k}`.
Checked
    The bound for networks with a hidden layer of fewer than k neurons, with the product of the norms of the layers for
    :math:`\Lambda`; and for the interpolants of Proposition 2 of the grid and of the grid contracted to its centre, with their
    exact Lipschitz constant (``.grid_interpolants``): there the term of :math:`\Lambda` is needed.
Proof idea
    If :math:`\|f(x) - x\|_\infty \le \frac12 - \delta` on the cube, then for every c within :math:`\delta` of the centre
    x - f(x) + c maps the cube into itself and has a fixed point (Brouwer), so that c is in the image.
Tight
    The constant 1/2, as the grid becomes finer.
Source
    derived here, beside Theorem 2 of notion_of_rank.
"""

from itertools import product

import numpy as np

from theorems.notion_of_rank.prop_2.statement import separates
from theorems.notion_of_rank.theorem_2.interpolants import extent
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, derived, interval, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import absolute, ge, greatest, lifted, norm2, operator_norm, sqrt, vector, where

HALF = Q(1, 2)
network = lifted(FullyConnected)


def low_dimensional_network(bottleneck, dimension, entry, exit_weight, entry_bias, exit_bias):
    """The first coordinates, and 1/2 for the others, through a hidden layer, plus an eighth of what is given."""
    start, centre = np.eye(bottleneck, dimension, dtype=int), where(np.arange(dimension) < bottleneck, 0, HALF)
    return network([start + entry / 8, start.T + exit_weight / 8], [entry_bias / 8, centre + exit_bias / 8])


def grid(side, dimension):
    """The points of the grid, in a unit cube."""
    places = vector(*[Q(place, side - 1) for place in range(side)])
    return places[np.array(list(product(range(side), repeat=dimension)))]


def sum_of_both(displaced, slope, side, k):
    r""":math:`\max_i \|f(x_i) - x_i\|_\infty + \tfrac12 (\Lambda + 1) h \sqrt k`."""
    return displaced + (slope + 1) * sqrt(k) / (2 * (side - 1))


def displacement(f, side):
    X = grid(side, f.widths[0])
    return greatest(absolute(f(X) - X))


def misses_the_identity(f, side):
    slope = operator_norm(f.weights[0]) * operator_norm(f.weights[1])
    return ge(sum_of_both(displacement(f, side), slope, side, f.widths[0]), HALF)


def three_quarters(f, side):
    slope = operator_norm(f.weights[0]) * operator_norm(f.weights[1])
    return ge(sum_of_both(displacement(f, side), slope, side, f.widths[0]), Q(3, 4))


def twice_the_displacement(f, side):
    """The displacement alone is 1."""
    return ge(displacement(f, side), 1)


def contracted_grid(u, share, side):
    """The largest displacement of a point by the contraction, and the slope of the interpolant along u of what it gives."""
    X = grid(side, len(u))
    Y = share * X + (1 - share) / 2
    return greatest(absolute(Y - X)), sqrt(extent(X, Y, u)[1] * norm2(u))


def interpolant_misses_the_identity(u, share, side):
    displaced, slope = contracted_grid(u, share, side)
    return ge(sum_of_both(displaced, slope, side, len(u)), HALF)


def displacement_alone(u, share, side):
    return ge(contracted_grid(u, share, side)[0], HALF)


def slope_alone(u, share, side):
    return ge(sum_of_both(0, contracted_grid(u, share, side)[1], side, len(u)), HALF)


def constant_centre():
    """The network of the plane with the one value (1/2, 1/2)."""
    nothing = rationals([[0, 0]])
    return {"f": FullyConnected([nothing, nothing.T], [rationals([0]), rationals(["1/2", "1/2"])]), "side": 161}


def constant_layers(dimension, bottleneck):
    """The free numbers of the network with the one value (1/2, ..., 1/2), of each width."""
    start, lifted_by = np.eye(bottleneck, dimension, dtype=int), 4 * (np.arange(dimension) < bottleneck)
    numbers = {"entry": -8 * start, "exit_weight": -8 * start.T, "entry_bias": [0] * bottleneck, "exit_bias": lifted_by}
    return {f"f.{name}": value for name, value in numbers.items()}


GRIDS = {2: 9, 3: 5}
"""Points in a row of the grids of the plane and of space, as they are drawn."""
NARROW = "a layer narrower than the inputs"
OURS = Source("notion_of_rank", "derived here")

DEFICIENT = Claim(
    id="notion_of_rank.theorem_2.deficient_rank",
    title="What has not full rank is far from the identity, or steep",
    source=OURS,
    status=DerivedHere(),
    statement=misses_the_identity,
    domain=Domain(
        {
            "f": derived(
                low_dimensional_network,
                entry=reals("bottleneck", "dimension"),
                exit_weight=reals("dimension", "bottleneck"),
                entry_bias=reals("bottleneck"),
                exit_bias=reals("dimension"),
            )
        },
        {"dimension": tuple(GRIDS), "bottleneck": (1, 2, 3), "side": tuple(GRIDS.values())},
        {NARROW: lambda f: f.widths[1] < f.widths[0]},
        sizes_where=lambda sizes: sizes["bottleneck"] <= sizes["dimension"] and sizes["side"] == GRIDS[sizes["dimension"]],
    ),
    needs=(NARROW,),
    tight={"the centre": Tight(constant_centre, 0.01, "approached by the constant as the grid becomes finer")},
    not_known_tight={"": "Brouwer's theorem has a whole cell to spare: the bound is approached on fine grids only"},
    false_variants={
        "3/4 in place of 1/2": three_quarters,
        "the displacement alone is 1": twice_the_displacement,
    },
    examples=[constant_layers(k, narrow) for k in GRIDS for narrow in range(1, k)],
    cost=4,
)

INTERPOLANTS = Claim(
    id="notion_of_rank.theorem_2.grid_interpolants",
    title="Rank-one interpolants of a grid are steep, or far from the identity",
    source=OURS,
    status=DerivedHere(),
    statement=interpolant_misses_the_identity,
    domain=Domain(
        {"u": reals("dimension", role="direction"), "share": interval(0, 1, role="free")},
        {"dimension": tuple(GRIDS), "side": (3, 4)},
        {"distinct projections": lambda u, side: separates(grid(side, len(u)), u)},
    ),
    not_known_tight={"": "the slopes along one direction are far larger than those of the best function"},
    false_variants={
        "the displacement alone": displacement_alone,
        "the slope alone": slope_alone,
    },
    cost=4,
)
