r"""Open: a cycle of layers that keeps a tripod costs two for each layer.

Statement
    Conjecture. Let m layers take three different rays from the origin to three others and in the end to themselves, without
    biases. Then :math:`\sum_\ell \|W_\ell\|_F^2 \ge 2m`. The same holds for a closed quadrangle that is in no plane and whose
    edges each keep their activation pattern, with any biases.
Checked
    Cycles of two and three layers with the smallest weights, for rays and for quadrangles. A cycle that costs less refutes the
    conjecture :math:`R^{(0)} = \mathrm{Rank}_{BN}`: for the tripod, or the ring clipped to the boundary of a square, a deep
    network repeats it, and :math:`R^{(0)} < 2`, while the bottleneck rank is 2 and the rank of the Jacobian 1. (Scaled down, a
    shape needs biases as small as one likes.) For a single layer, and for triangles, it is a theorem (``kept_shapes``).
Tight
    Rays of a quadrant.
Not checked
    Networks whose representations do not return.
Source
    symmetry_learning, Infinite depth limit (Conjecture); the form with cycles is derived here.
"""

from functools import partial

from theorems.notion_of_rank.conjectures.kept_shapes import (
    RAYS,
    from_first_point,
    in_a_plane,
    keep_their_patterns,
    lifted_loop,
    norms,
    points_are_mapped,
    weights_of_points,
    weights_of_rays,
)
from verify import Claim, Conjectured, Domain, Source, derived, interval, reals
from verify.words import ge, norm2, rank, relu


def cycles_of_rays(Z, k=2):
    return ge(norm2(weights_of_rays(Z)), k * len(Z))


def no_layer_of_rays_is_cheap(Z):
    return ge(norms(weights_of_rays(Z)), 2)


def cycles_of_quadrangles(Z, k=2):
    return ge(norm2(weights_of_points(Z)), k * len(Z))


def no_layer_of_quadrangles_is_cheap(Z):
    return ge(norms(weights_of_points(Z)), 2)


def are_in_space(Z):
    """Whether the positive parts of the four points span a space in each layer: the quadrangle does not meet itself."""
    return (rank(from_first_point(relu(Z))) == 3).all()


SOURCE = Source("symmetry_learning", "Infinite depth limit")

TRIPOD = Claim(
    id="notion_of_rank.conjectures.tripod",
    title="A cycle of layers that keeps a tripod costs two for each layer",
    source=SOURCE,
    status=Conjectured(),
    statement=cycles_of_rays,
    domain=Domain({"Z": reals("layers", "width", 3)}, {"layers": (2, 3), "width": range(2, 6)}, RAYS),
    tight={f"rays of a quadrant, {layers} layers": partial(in_a_plane, layers) for layers in (2, 3)},
    false_variants={"three for each layer": {"k": 3}, "two in every layer": no_layer_of_rays_is_cheap},
    cost=4,
)

RING = Claim(
    id="notion_of_rank.conjectures.clipped_ring",
    title="A cycle of layers that keeps a closed curve costs two for each layer",
    source=SOURCE,
    status=Conjectured(),
    statement=cycles_of_quadrangles,
    domain=Domain(
        {"Z": derived(lifted_loop, values=reals("layers", "width", 4), lift=interval(0, 2))},
        {"layers": (2, 3), "width": range(3, 7)},
        {
            "weights map the points": points_are_mapped,
            "edges keep their patterns": keep_their_patterns,
            "the points span a space": are_in_space,
        },
    ),
    not_known_tight=dict.fromkeys(
        ("", "k"), "planar quadrangles attain it, and only quadrangles in space are told from arcs by their rank"
    ),
    false_variants={"four for each layer": {"k": 4}, "two in every layer": no_layer_of_quadrangles_is_cheap},
    cost=10,
)
