r"""Open: a cycle of layers that keeps a tripod, or a closed curve, costs two for each layer.

Statement
    Conjecture. Let m layers take three different rays from the origin to three others and in the end to themselves, without
    biases. Then :math:`\sum_\ell \|W_\ell\|_F^2 \ge 2m`. The same holds for a closed quadrangle that is in no plane and whose
    edges each keep their activation pattern, with any biases.
Checked
    Cycles of two and three layers with the smallest weights, for rays and for quadrangles. A cheaper cycle refutes the
    conjecture :math:`R^{(0)} = \mathrm{Rank}_{BN}`: for the tripod, or the ring clipped to the boundary of a square, a deep
    network repeats it, and :math:`R^{(0)} < 2`, while the bottleneck rank is 2 and the rank of the Jacobian 1. (Scaled down, a
    shape needs biases as small as one likes.) For a single layer, and for triangles, it is a theorem (``kept_shapes``).
Sharp
    Rays of a quadrant.
Not checked
    Networks whose representations do not return.
Source
    symmetry_learning, Infinite depth limit (Conjecture); the form with cycles is ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.conjectures.kept_shapes import (
    RAYS,
    Shape,
    from_first_point,
    in_a_plane,
    keep_their_patterns,
    lifted_loop,
    points_are_mapped,
    rectified,
    weights_of_points,
    weights_of_rays,
)
from verify import Claim, Conjectured, Domain, Relation, Source, Tight, derived, ge, interval, reals
from verify.arithmetic import compare
from verify.matrices import frobenius_norm_squared, rank


def cycles_of_rays(shapes: Shape) -> Relation:
    """The squared norms of the weights that take three rays round a cycle."""
    return ge(frobenius_norm_squared(weights_of_rays(shapes)).sum(axis=-1), 2 * shapes.shape[-3])


def cycles_of_quadrangles(shapes: Shape) -> Relation:
    """The squared norms of the weights that take a quadrangle round a cycle, with biases that cost nothing."""
    return ge(frobenius_norm_squared(weights_of_points(shapes)).sum(axis=-1), 2 * shapes.shape[-3])


def are_in_space(shapes: Shape) -> npt.NDArray[np.bool_]:
    """Whether the positive parts of the four points span a space in each layer: the quadrangle does not meet itself."""
    return np.asarray((compare(rank(from_first_point(rectified(shapes))), 3) == 0).all(axis=-1))


# False variants


def every_ray_costs_one(shapes: Shape) -> Relation:
    """As if every ray cost one."""
    return ge(frobenius_norm_squared(weights_of_rays(shapes)).sum(axis=-1), 3 * shapes.shape[-3])


def no_layer_of_rays_is_cheap(shapes: Shape) -> Relation:
    """As if every layer of a cycle of rays cost two."""
    return ge(frobenius_norm_squared(weights_of_rays(shapes)), 2, over=1)


def every_point_costs_one(shapes: Shape) -> Relation:
    """As if every point of a quadrangle cost one."""
    return ge(frobenius_norm_squared(weights_of_points(shapes)).sum(axis=-1), 4 * shapes.shape[-3])


def no_layer_of_quadrangles_is_cheap(shapes: Shape) -> Relation:
    """As if every layer of a cycle of quadrangles cost two."""
    return ge(frobenius_norm_squared(weights_of_points(shapes)), 2, over=1)


SOURCE = Source("symmetry_learning", "Infinite depth limit")

TRIPOD = Claim(
    id="notion_of_rank.conjectures.tripod",
    title="A cycle of layers that keeps a tripod costs two for each layer",
    source=SOURCE,
    status=Conjectured(),
    statement=cycles_of_rays,
    domain=Domain({"shapes": reals("layers", "width", 3)}, {"layers": (2, 3), "width": range(2, 6)}, RAYS),
    tight={f"rays of a quadrant, {layers} layers": Tight(partial(in_a_plane, layers)) for layers in (2, 3)},
    false_variants={"three for each layer": every_ray_costs_one, "two in every layer": no_layer_of_rays_is_cheap},
    cost=4,
)

RING = Claim(
    id="notion_of_rank.conjectures.clipped_ring",
    title="A cycle of layers that keeps a closed curve costs two for each layer",
    source=SOURCE,
    status=Conjectured(),
    statement=cycles_of_quadrangles,
    domain=Domain(
        {"shapes": derived(lifted_loop, values=reals("layers", "width", 4), lift=interval(0, 2))},
        {"layers": (2, 3), "width": range(3, 7)},
        {
            "weights map the points": points_are_mapped,
            "edges keep their patterns": keep_their_patterns,
            "the points span a space": are_in_space,
        },
    ),
    loose={"": "planar quadrangles attain it, and only quadrangles in space are told from arcs by their rank"},
    false_variants={"four for each layer": every_point_costs_one, "two in every layer": no_layer_of_quadrangles_is_cheap},
    cost=10,
)
