"""The cost of rank one and of the identity on the grid."""

from theorems.notion_of_rank.depth_window.table import the_rows, the_table
from theorems.notion_of_rank.prop_2.minimisers import least_norm
from theorems.notion_of_rank.prop_2.statement import curve, separates
from theorems.shared.paths import grid_points, path_length, shortest_path, squared_distances
from verify import Claim, DerivedHere, Domain, Q, Relation, Source, Tight, reals
from verify.words import eq, ge, greatest, le, power, vector


def grid(n):
    """The n^2 points of [0, 1]^2, row by row, each second row backwards."""
    steps = [(j if i % 2 == 0 else n - 1 - j, i) for i in range(n) for j in range(n)]
    return vector(*(Q(k, n - 1) for step in steps for k in step)).reshape(-1, 2)


def R(u, n, L):
    """What the interpolant along u costs with the best scales."""
    X = grid(n)
    return least_norm(curve(X, X, u), u, L)


def is_dearer(n, L):
    r"""Whether :math:`L < 2\log_2(n + 1) - 1`."""
    return (n + 1) ** 2 > 2 ** (L + 1)


def squared_ratio(n):
    """Of the shortest path through the grid and the diameter of the square."""
    return Q((n + 1) ** 2, 2)


def dearer_than_rank_two(u, side, depth):
    """Both bounds, the second inside the window."""
    L, cost = depth, R(u, side, depth)
    of_rank_two = 2 * L if is_dearer(side, L) else 0
    return le(L * power(squared_ratio(side), Q(1, L)), cost, name="path") & le(of_rank_two, cost, name="inside the window")


def dearer_at_every_depth(u, side, depth):
    return le(2 * depth, R(u, side, depth))


def a_much_longer_path(u, side, depth):
    """The bound for a path through the grid of a length like its 24th power."""
    return le(depth * power(squared_ratio(side), Q(12, depth)), R(u, side, depth))


def deep_interpolant():
    """The interpolant of the square's corners at a large depth: the costs on both sides are L up to a constant."""
    return {"u": [2, 1], "side": 2, "depth": 3_000_000}


def the_grid():
    """Shortest path by all orders for n = 2, 3, length of the snake for n = 2, ..., 33, diameter, and size of the bound.

    The bound of `is_dearer` is that for the path: :math:`2^{L+1} < (n + 1)^2` if and only if :math:`(P/D)^2 > 2^L`.
    """
    relation, depths = Relation(()), range(1, 14)
    for n in range(2, 34):
        points = grid_points(n, 2)
        relation &= eq(path_length(points), n + 1)
        if n <= 3:
            relation &= eq(shortest_path(points), n + 1)
        if n <= 6:
            relation &= eq((n + 1) ** 2, squared_ratio(n) * greatest(squared_distances(points)))
        if n >= 3:
            relation &= le(squared_ratio(n), n**2) & ge(2 * squared_ratio(n), n**2)
        relation &= eq([is_dearer(n, L) for L in depths], [squared_ratio(n) > 2**L for L in depths])
    return relation


SEPARATED = "distinct projections"
OURS = Source("notion_of_rank", "derived here")

CLAIM = Claim(
    id="notion_of_rank.depth_window",
    title="Up to depth ~ log N, rank one costs more than the identity",
    source=Source("notion_of_rank", "Rank recovery"),
    status=DerivedHere(),
    statement=dearer_than_rank_two,
    domain=Domain(
        {"u": reals(2)}, {"side": (2, 3, 5), "depth": (2, 4, 30)}, {SEPARATED: lambda u, side: separates(grid(side), u)}
    ),
    tight={"depth 3000000": Tight(deep_interpolant, 1e-5, "L + O(1) on both sides", of=("path",))},
    not_known_tight={"inside the window": "an interpolant costs L + C_n, which is far beyond 2 L there"},
    false_variants={
        "at every depth": dearer_at_every_depth,
        "a much longer path": a_much_longer_path,
    },
    exact={"the grid": the_grid, "the rows": the_rows, "table for n = 3, ..., 33": the_table},
)
