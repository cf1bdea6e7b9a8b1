r"""A layer that keeps a shape costs at least a dimension.

Statement
    Let :math:`W\sigma(z) + b = z` for all z of a compact set K, and :math:`|\sigma(s) - \sigma(t)| \le |s - t|`. If no
    continuous map of K to :math:`\mathbb{R}^{k-1}` is injective, :math:`s_k(W) \ge 1`, so that :math:`\|W\|_F^2 \ge k`.
Checked
    Three different rays from the origin, the tripod: :math:`s_2(W) \ge 1`, and the cost is at least 2. Triangles whose edges
    each keep their activation pattern, through a cycle of m layers: the cost is at least 2m. Scaling the shape down makes its
    biases as small as one likes: they do not count.
Proof idea
    The k - 1 largest singular directions, applied to :math:`\sigma(z)`, are not injective: two points z, z' of K have
    :math:`\sigma(z) - \sigma(z')` across them, and :math:`\|z - z'\| \le s_k(W) \|\sigma(z) - \sigma(z')\|`. On an edge of one
    pattern :math:`\|z - z'\|^2 = \|\sigma(z) - \sigma(z')\|^2 + \|\sigma(-z) - \sigma(-z')\|^2`. Three edges fix a quadratic
    form on a plane: the activation makes no triangle larger, and the determinants of a cycle have a product of at least 1.
Tight
    Shapes in a plane with no negative coordinate.
Source
    Derived here; symmetry_learning, Infinite depth limit (Conjecture).
"""

from functools import partial
from itertools import combinations

import numpy as np

from verify import Claim, DerivedHere, Domain, Source, derived, interval, reals
from verify.words import concatenate, ge, norm2, pinv, rank, relu, singular_values, stack, where


def after(Z):
    """The shapes that come after each: Z holds the points of each layer as columns, layers x width x points."""
    return np.roll(Z, -1, axis=0)


def from_first_point(Z):
    """Differences of the other points and the first, which no bias sees."""
    return Z[:, :, 1:] - Z[:, :, :1]


def weights_of_rays(Z):
    """The smallest weights that take rays to the rays after them."""
    return after(Z) @ pinv(relu(Z))


def weights_of_points(Z):
    """The smallest weights that take points to the points after them, with a bias that costs nothing."""
    return from_first_point(after(Z)) @ pinv(from_first_point(relu(Z)))


def norms(W):
    """The squared norm of each layer's weights."""
    return (W * W).sum(axis=(1, 2))


def is_mapped(features, values):
    """Whether a matrix takes the features to the values in every layer."""
    return (rank(concatenate([features, values], axis=1)) == rank(features)).all()


def rays_are_mapped(Z):
    return is_mapped(relu(Z), after(Z))


def points_are_mapped(Z):
    return is_mapped(from_first_point(relu(Z)), from_first_point(after(Z)))


def are_different_rays(Z):
    """Whether no two columns are on one ray, in any layer; a zero column is on all."""
    different = True
    for i, j in combinations(range(Z.shape[2]), 2):
        s, t = Z[:, :, i], Z[:, :, j]
        inner, lengths = (s * t).sum(axis=1), (s * s).sum(axis=1) * (t * t).sum(axis=1)
        different = different & ((inner**2 != lengths) | (inner < 0)).all()
    return different


def keep_their_patterns(Z):
    """Whether no coordinate changes its sign along an edge, from each point to the next and from the last to the first."""
    return (Z * np.roll(Z, -1, axis=2) >= 0).all()


def are_triangles(Z):
    return (rank(from_first_point(Z)) == 2).all()


def kept_rays_cost_two(Z):
    W = weights_of_rays(Z)[0]
    return ge(singular_values(W)[1], 1, name="second singular value") & ge(norm2(W), 2, name="norm")


def kept_rays_cost_three(Z):
    return ge(norm2(weights_of_rays(Z)), 3)


def third_singular_value_is_one(Z):
    s = singular_values(weights_of_rays(Z)[0])
    return ge(s[2], 1) if len(s) > 2 else ge(s[1], s[0])


def cycles_of_triangles(Z, k=2):
    return ge(norm2(weights_of_points(Z)), k * len(Z))


def every_layer_costs_two(Z):
    return ge(norms(weights_of_points(Z)), 2)


def lifted_loop(values, lift):
    """Points to which a number is added, with entries set to zero so that no coordinate changes its sign along an edge."""
    columns = [values[:, :, place] + lift for place in range(values.shape[2])]
    for place in range(1, len(columns)):
        for other in (columns[place - 1], *columns[: place == len(columns) - 1]):
            columns[place] = where(other * columns[place] < 0, 0, columns[place])
    return stack(columns, axis=2)


def in_a_plane(layers):
    """Three rays in a quadrant, or a triangle there, that stay as they are."""
    return {"Z": [[[1, 1, 0], [0, 1, 1]]] * layers}


SOURCE = Source("symmetry_learning", "derived here")
RAYS = {"weights map the rays": rays_are_mapped, "the rays are different": are_different_rays}
TRIANGLES = {
    "weights map the points": points_are_mapped,
    "edges keep their patterns": keep_their_patterns,
    "the points span a plane": are_triangles,
}

KEPT = Claim(
    id="notion_of_rank.conjectures.kept_rays",
    title="A layer that keeps three rays costs at least two",
    source=SOURCE,
    status=DerivedHere(),
    statement=kept_rays_cost_two,
    domain=Domain({"Z": reals(1, "width", 3)}, {"width": range(2, 6)}, RAYS),
    needs=("the rays are different",),
    tight={"rays of a quadrant": partial(in_a_plane, 1)},
    false_variants={"three": kept_rays_cost_three, "the third singular value": third_singular_value_is_one},
    cost=4,
)

CYCLES = Claim(
    id="notion_of_rank.conjectures.kept_triangles",
    title="A cycle of layers that keeps a triangle costs two for each layer",
    source=SOURCE,
    status=DerivedHere(),
    statement=cycles_of_triangles,
    domain=Domain(
        {"Z": derived(lifted_loop, values=reals("layers", "width", 3), lift=interval(0, 2))},
        {"layers": range(1, 4), "width": range(2, 5)},
        TRIANGLES,
    ),
    tight={f"a triangle, {layers} layers": partial(in_a_plane, layers) for layers in (1, 3)},
    false_variants={"three for each layer": {"k": 3}, "two in every layer": every_layer_costs_two},
    cost=4,
)
