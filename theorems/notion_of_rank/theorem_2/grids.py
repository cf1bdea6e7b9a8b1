r"""Theorem 2 on grids: functions of deficient rank must be steep on every fine grid.

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
Sharp
    The constant 1/2, as the grid becomes finer.
Source
    ours, beside Theorem 2 of notion_of_rank.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import squares, values_at
from theorems.notion_of_rank.constructions.paths import grid_points
from theorems.notion_of_rank.constructions.rank_one import PiecewiseCurve, rank_one_curve, separates
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, derived, ge, interval, reals
from verify.arithmetic import Array, absolute, floats, is_exact, largest, rationals, sqrt
from verify.matrices import operator_norm
from verify.networks import FullyConnected


@dataclass(frozen=True)
class Side:
    """How many points a grid has in a row: a size of a domain, for all instances of a batch the same."""

    side: int

    def __getitem__(self, index: Any) -> Side:
        return self


def low_dimensional_network(
    bottleneck: int, dimension: int, entry: Array, exit_weight: Array, entry_bias: Array, exit_bias: Array
) -> FullyConnected:
    """The first coordinates, and 1/2 for the others, through a hidden layer, plus an eighth of what is given."""
    start = np.eye(bottleneck, dimension, dtype=int)
    centre = np.array([0 if i < bottleneck else 1 for i in range(dimension)])
    exact = is_exact(entry)
    start, centre = (rationals(start), rationals(centre) / 2) if exact else (start.astype(float), centre / 2)
    return FullyConnected([start + entry / 8, start.T + exit_weight / 8], [entry_bias / 8, centre + exit_bias / 8])


def constant_centre(side: int) -> dict[str, Any]:
    """The network of the plane with the one value (1/2, 1/2)."""
    entry, centre = rationals([[-8, 0]]), rationals([4, 0])
    return {"network": low_dimensional_network(1, 2, entry, entry.T, rationals([0]), centre), "grid": Side(side)}


def has_deficient_rank(network: FullyConnected) -> Array:
    """Whether the hidden layer has fewer neurons than there are inputs."""
    return np.full(network.batch_shape, network.widths[1] < network.widths[0])


def misses_the_identity(network: FullyConnected, grid: Side) -> Relation:
    """The displacement of the grid points and the slopes, against 1/2."""
    points = points_of(grid, network.widths[0], network.weights[0])
    displaced = largest(largest(absolute(values_at(network, points) - points)))
    slope = operator_norm(network.weights[0]) * operator_norm(network.weights[1])
    return displacement_and_slope(displaced, slope, grid, network.widths[0])


def displacement_and_slope(displaced: Array, slope: Array, grid: Side, dimension: int) -> Relation:
    """The inequality for the largest displacement of a grid point and a Lipschitz constant."""
    step = sqrt(0 * slope + dimension) / (2 * (grid.side - 1))
    return ge(displaced + (slope + 1) * step, (0 * displaced + 1) / 2)


def points_of(grid: Side, dimension: int, like: Array) -> Array:
    """The grid in the arithmetic of the matrices `like`, for each of them."""
    points = grid_points(grid.side, dimension)
    points = points if is_exact(like) else floats(points)
    return np.broadcast_to(points, (*like.shape[:-2], *points.shape))


def interpolant_misses_the_identity(direction: Array, share: Array, grid: Side) -> Relation:
    """The same for the interpolant, along a direction, of the grid contracted to its centre by `share`."""
    displaced, curve = contracted_grid(direction, share, grid)
    return displacement_and_slope(displaced, sqrt(curve.steepest * squares(direction)), grid, direction.shape[-1])


def contracted_grid(direction: Array, share: Array, grid: Side) -> tuple[Array, PiecewiseCurve]:
    """The largest displacement of a grid point, and the curve through the contracted grid."""
    points = points_of(grid, direction.shape[-1], direction[..., None, :])
    labels = share[..., None, None] * (points - HALF) + HALF
    return largest(largest(absolute(labels - points))), rank_one_curve(points, labels, direction)


def separates_the_grid(direction: Array, grid: Side) -> Array:
    """Whether the points of the grid have distinct projections on the direction."""
    return separates(points_of(grid, direction.shape[-1], direction[..., None, :]), direction)


# False variants


def three_quarters(network: FullyConnected, grid: Side) -> Relation:
    """3/4 in place of 1/2."""
    points = points_of(grid, network.widths[0], network.weights[0])
    displaced = largest(largest(absolute(values_at(network, points) - points)))
    slope = operator_norm(network.weights[0]) * operator_norm(network.weights[1])
    step = sqrt(0 * slope + network.widths[0]) / (2 * (grid.side - 1))
    return ge(displaced + (slope + 1) * step, (0 * displaced + 3) / 4)


def twice_the_displacement(network: FullyConnected, grid: Side) -> Relation:
    """The displacement alone is 1."""
    points = points_of(grid, network.widths[0], network.weights[0])
    displaced = largest(largest(absolute(values_at(network, points) - points)))
    return ge(displaced, 0 * displaced + 1)


def displacement_alone(direction: Array, share: Array, grid: Side) -> Relation:
    """The bound without the slope."""
    displaced, _ = contracted_grid(direction, share, grid)
    return ge(displaced, (0 * displaced + 1) / 2)


def slope_alone(direction: Array, share: Array, grid: Side) -> Relation:
    """The bound without the displacement."""
    displaced, curve = contracted_grid(direction, share, grid)
    return displacement_and_slope(0 * displaced, sqrt(curve.steepest * squares(direction)), grid, direction.shape[-1])


HALF = Q("1/2")

GRIDS = {2: 9, 3: 5}
"""Points in a row of the grids of the plane and of space, as they are drawn."""

OURS = Source("notion_of_rank", "ours")

DEFICIENT = Claim(
    id="notion_of_rank.theorem_2.deficient_rank",
    title="What has not full rank is far from the identity, or steep",
    source=OURS,
    status=Ours(),
    statement=misses_the_identity,
    domain=Domain(
        {
            "network": derived(
                low_dimensional_network,
                entry=reals("bottleneck", "dimension"),
                exit_weight=reals("dimension", "bottleneck"),
                entry_bias=reals("bottleneck"),
                exit_bias=reals("dimension"),
            ),
            "grid": derived(Side),
        },
        {"dimension": tuple(GRIDS), "bottleneck": (1, 2, 3), "side": tuple(GRIDS.values())},
        {"a layer narrower than the inputs": has_deficient_rank},
        sizes_where=lambda sizes: sizes["bottleneck"] <= sizes["dimension"] and sizes["side"] == GRIDS[sizes["dimension"]],
    ),
    needs=("a layer narrower than the inputs",),
    tight={"the centre": Tight(partial(constant_centre, 161), 0.01, "approached by the constant as the grid becomes finer")},
    loose={"": "Brouwer's theorem has a whole cell to spare: the bound is approached on fine grids only"},
    false_variants={
        "3/4 in place of 1/2": three_quarters,
        "the displacement alone is 1": twice_the_displacement,
    },
    cost=4,
)

INTERPOLANTS = Claim(
    id="notion_of_rank.theorem_2.grid_interpolants",
    title="Interpolants of a grid of bottleneck rank one are far from the identity, or steep",
    source=OURS,
    status=Ours(),
    statement=interpolant_misses_the_identity,
    domain=Domain(
        {"direction": reals("dimension", role="direction"), "share": interval(0, 1, role="free"), "grid": derived(Side)},
        {"dimension": tuple(GRIDS), "side": (3, 4)},
        {"distinct projections": separates_the_grid},
    ),
    loose={"": "the slopes along one direction are far larger than those of the best function"},
    false_variants={
        "the displacement alone": displacement_alone,
        "the slope alone": slope_alone,
    },
    cost=4,
)
