r"""A layer that keeps a shape costs at least the dimension of a space into which the shape embeds.

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
Sharp
    Shapes in a plane with no negative coordinate.
Source
    ours; symmetry_learning, Infinite depth limit (Conjecture).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, ge, interval, reals
from verify.arithmetic import Array, compare, maximum, rationals
from verify.matrices import frobenius_norm_squared, pseudo_inverse, rank, singular_values

Shape = Array
"""Points as columns, for each layer of a cycle, shape ``(..., layers, width, points)``."""


def rectified(values: Array) -> Array:
    """Positive parts."""
    return np.asarray(maximum(values, 0))


def next_layer(shapes: Shape) -> Shape:
    """The shapes that come after each."""
    return np.roll(shapes, -1, axis=-3)


def from_first_point(shapes: Shape) -> Shape:
    """Differences of the other points and the first, which no bias sees."""
    return shapes[..., 1:] - shapes[..., :1]


def is_mapped(features: Array, values: Array) -> npt.NDArray[np.bool_]:
    """Whether a matrix takes the features to the values in every layer."""
    both = rank(np.concatenate([features, values], axis=-2))
    return np.asarray((compare(both, rank(features)) == 0).all(axis=-1))


def weights_of_rays(shapes: Shape) -> Array:
    """The smallest weights that take rays to the rays after them."""
    return np.asarray(next_layer(shapes) @ pseudo_inverse(rectified(shapes)))


def weights_of_points(shapes: Shape) -> Array:
    """The smallest weights that take points to the points after them, with a bias that costs nothing."""
    features = from_first_point(rectified(shapes))
    return np.asarray(from_first_point(next_layer(shapes)) @ pseudo_inverse(features))


def rays_are_mapped(shapes: Shape) -> npt.NDArray[np.bool_]:
    """Whether there are weights for rays."""
    return is_mapped(rectified(shapes), next_layer(shapes))


def points_are_mapped(shapes: Shape) -> npt.NDArray[np.bool_]:
    """Whether there are weights for points."""
    return is_mapped(from_first_point(rectified(shapes)), from_first_point(next_layer(shapes)))


def are_different_rays(shapes: Shape) -> npt.NDArray[np.bool_]:
    """Whether no two columns are on one ray, in any layer; a zero column is on all."""
    different = np.ones(shapes.shape[:-3], dtype=bool)
    for i in range(shapes.shape[-1]):
        for j in range(i):
            first, second = shapes[..., i], shapes[..., j]
            product = (first * second).sum(axis=-1)
            lengths = (first * first).sum(axis=-1) * (second * second).sum(axis=-1)
            different &= ((compare(product * product, lengths) != 0) | (compare(product, 0) < 0)).all(axis=-1)
    return np.asarray(different)


def keep_their_patterns(shapes: Shape) -> npt.NDArray[np.bool_]:
    """Whether no coordinate changes its sign along an edge, from each point to the next and from the last to the first."""
    return np.asarray((compare(shapes * np.roll(shapes, -1, axis=-1), 0) >= 0).all(axis=(-3, -2, -1)))


def are_triangles(shapes: Shape) -> npt.NDArray[np.bool_]:
    """Whether the points span a plane in each layer."""
    return np.asarray((compare(rank(from_first_point(shapes)), 2) == 0).all(axis=-1))


def kept_rays_cost_two(shapes: Shape) -> Relation:
    """The second singular value and the squared norm of the weights that keep three rays."""
    weights = weights_of_rays(shapes)
    second = singular_values(weights)[..., 0, 1]
    return ge(second, 1, name="second singular value") & ge(frobenius_norm_squared(weights).sum(axis=-1), 2, name="norm")


def cycles_of_triangles(shapes: Shape) -> Relation:
    """The squared norms of the weights that take triangles round a cycle."""
    return ge(frobenius_norm_squared(weights_of_points(shapes)).sum(axis=-1), 2 * shapes.shape[-3])


# False variants


def kept_rays_cost_three(shapes: Shape) -> Relation:
    """As if three rays cost three."""
    return ge(frobenius_norm_squared(weights_of_rays(shapes)).sum(axis=-1), 3)


def both_singular_values_are_one(shapes: Shape) -> Relation:
    """The third singular value in place of the second."""
    values = singular_values(weights_of_rays(shapes))
    return ge(values[..., 0, 2], 1) if values.shape[-1] > 2 else ge(values[..., 0, 1], values[..., 0, 0])


def cycles_cost_the_points(shapes: Shape) -> Relation:
    """As if every point of a triangle cost one."""
    return ge(frobenius_norm_squared(weights_of_points(shapes)).sum(axis=-1), 3 * shapes.shape[-3])


def every_layer_costs_two(shapes: Shape) -> Relation:
    """As if every layer of a cycle cost two."""
    return ge(frobenius_norm_squared(weights_of_points(shapes)), 2, over=1)


def lifted_loop(values: Array, lift: Array) -> Shape:
    """Points to which a number is added, with entries set to zero so that no coordinate changes its sign along an edge."""
    columns = [(values + lift[..., None, None, None])[..., place] for place in range(values.shape[-1])]
    for place in range(1, len(columns)):
        neighbours = [columns[place - 1]] + ([columns[0]] if place == len(columns) - 1 else [])
        for other in neighbours:
            columns[place] = np.where(compare(other * columns[place], 0) < 0, 0 * columns[place], columns[place])
    return np.stack(columns, axis=-1)


def in_a_plane(layers: int) -> dict[str, Any]:
    """Three rays in a quadrant, or a triangle there, that stay as they are."""
    return {"shapes": rationals([[[[1, 1, 0], [0, 1, 1]]] * layers])}


SOURCE = Source("symmetry_learning", "ours")
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
    status=Ours(),
    statement=kept_rays_cost_two,
    domain=Domain({"shapes": reals(1, "width", 3)}, {"width": range(2, 6)}, RAYS),
    needs=("the rays are different",),
    tight={"rays of a quadrant": Tight(partial(in_a_plane, 1))},
    false_variants={"three": kept_rays_cost_three, "the third singular value": both_singular_values_are_one},
    cost=4,
)

CYCLES = Claim(
    id="notion_of_rank.conjectures.kept_triangles",
    title="A cycle of layers that keeps a triangle costs two for each layer",
    source=SOURCE,
    status=Ours(),
    statement=cycles_of_triangles,
    domain=Domain(
        {"shapes": derived(lifted_loop, values=reals("layers", "width", 3), lift=interval(0, 2))},
        {"layers": range(1, 4), "width": range(2, 5)},
        TRIANGLES,
    ),
    tight={f"a triangle, {layers} layers": Tight(partial(in_a_plane, layers)) for layers in (1, 3)},
    false_variants={"three for each layer": cycles_cost_the_points, "two in every layer": every_layer_costs_two},
    cost=4,
)
