r"""Locality: the loss of the representations couples only neighbouring layers; its constraints couple more.

Statement
    All terms and constraints depend on the outputs or on two neighbouring layers. As a result the (projected) gradient of
    :math:`L^r` by :math:`Z_\ell` depends only on :math:`Z_{\ell-1}`, :math:`Z_\ell` and :math:`Z_{\ell+1}`, unlike that of
    the loss by :math:`W_\ell`.
Correction
    The gradient of the formula is local. So is its projection to what the constraints leave to :math:`Z_\ell` while the other
    layers stay, and with that reading the sentence is true. As printed it may also mean the gradient on the set of all layers
    that satisfy the constraints, projected to its tangent space: that is not local.
Checked
    The change of :math:`L^r` when one layer is replaced by any other matrix: it does not depend on the layers two or more
    away, and on the targets only for the last; so no derivative does. Refuted is the gradient on the set (``.printed``): for
    widths (2, 1, 1, 1), X = I and the identity activation the representations are (u, au, bu), the tangent space is spanned
    by the changes of u, a and b, and the part that belongs to :math:`Z_1` depends on b and on the targets. A step with the
    sequential projection, of which the sentence does not speak, need not be local either: :math:`Z_1` moves first, and with it
    what :math:`Z_2` is projected to. Two such steps that differ in X alone are on rationals.
Proof idea
    No term has more than two neighbouring layers in it.
Source
    feature_learning, Section 3.1, item 1. The correction is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.forces import Layer
from theorems.feature_learning.constructions.layers import matrix_like
from theorems.feature_learning.constructions.reformulation import PROBLEMS, REPRESENTATIONS, Problem, Representations
from theorems.feature_learning.constructions.tuples import onto_image
from verify import Claim, Domain, FalseAsPrinted, Relation, Sizes, Source, derived, eq, interval, reals
from verify.arithmetic import Array, compare, rationals
from verify.cones.support_graphs import like
from verify.matrices import pseudo_inverse


@dataclass(frozen=True, eq=False)
class NewLayer:
    """What replaces a layer, counted from 1."""

    place: int
    values: Array

    def __getitem__(self, index: Any) -> NewLayer:
        return NewLayer(self.place, self.values[index])


def new_layer(layer: int, values: Array) -> NewLayer:
    """The layer of that size."""
    return NewLayer(layer, values)


def change_of_loss(problem: Problem, given: Representations, new: NewLayer) -> Array:
    r"""What :math:`L^r` changes by when a layer is replaced."""
    replaced = [*given[: new.place - 1], new.values, *given[new.place :]]
    return np.asarray(problem.loss_of_representations(replaced) - problem.loss_of_representations(given))


def with_others_far_away(given: Representations, elsewhere: Representations, place: int) -> list[Array]:
    """The layer at `place` and its neighbours are those given, all others are from elsewhere."""
    pairs = enumerate(zip(given, elsewhere, strict=True), start=1)
    return [own if abs(layer - place) <= 1 else other for layer, (own, other) in pairs]


def other_targets(problem: Problem, targets: Array, place: int, depth: int) -> Problem:
    """Other targets, unless the layer is the last."""
    numbers = (problem.bias, problem.targets if place == depth else targets, problem.ridge)
    return Problem(problem.points, problem.activation, *numbers)


def far_layers_do_not_matter(
    problem: Problem, given: Representations, new: NewLayer, elsewhere: Representations, targets: Array
) -> Relation:
    """The change of the loss by a new layer, with the layers far away and the targets as they are, and with others."""
    far = with_others_far_away(given, elsewhere, new.place)
    there = other_targets(problem, targets, new.place, len(given))
    return eq(change_of_loss(there, far, new), change_of_loss(problem, given, new), name="change")


# The refuted reading


def projected_gradient(u: Array, a: Array, b: Array, targets: Array, ridge: Array) -> Array:
    """The part of the gradient on the set that belongs to the first layer, for the representations (u, au, bu) of X = I."""
    rows = [np.asarray(factor[..., None] * u)[..., None, :] for factor in (0 * a + 1, a, b)]
    unit = like(np.eye(2, dtype=np.int64), u) + 0 * rows[0]
    one = np.asarray(0 * a)
    befores, linear = (unit, *rows[:2]), homogeneous(np.stack([one + 1, one + 1], axis=-1))
    layers = [
        Layer(before, own, after, linear, one) for before, own, after in zip(befores, rows, rows[1:] + rows[-1:], strict=True)
    ]
    forces = [matrix_like(ridge) * (layer.attraction() + layer.repulsion()) for layer in layers[:-1]]
    last = matrix_like(ridge) * layers[-1].attraction() + 2 * (rows[-1] - targets)
    gradient = np.concatenate([*forces, last], axis=-1)
    zero = 0 * unit
    moves = [unit, matrix_like(a) * unit, matrix_like(b) * unit]
    along = [[*moves], [zero[..., :1, :], rows[0], zero[..., :1, :]], [zero[..., :1, :], zero[..., :1, :], rows[0]]]
    tangents = np.concatenate([np.concatenate(parts, axis=-1) for parts in along], axis=-2)
    return np.asarray((gradient @ pseudo_inverse(tangents) @ tangents)[..., 0, :2])


def projected_gradient_is_local(u: Array, a: Array, b: Array, targets: Array, ridge: Array) -> Relation:
    r"""The gradient by :math:`Z_1` on the set does not depend on :math:`Z_3`, here one of two numbers b, nor on the targets."""
    here, there = (projected_gradient(u, a, b[..., i], targets[..., i, None, :], ridge) for i in range(2))
    return eq(here, there, over=1)


def projected_step(u: Array, a: Array, points: Array, targets: Array, rate: Array) -> Array:
    r"""A step of the second layer from (u, au) for ridge 1, with the sequential projection."""
    rows = [u[..., None, :], np.asarray(a[..., None] * u)[..., None, :]]
    one = np.asarray(0 * a)
    first = Layer(points, rows[0], rows[1], homogeneous(np.stack([one + 1, one + 1], axis=-1)), one)
    last = 2 * (rows[1] - targets) + Layer(rows[0], rows[1], rows[1], first.activation, one).attraction()
    # X is invertible, so that the first layer needs no projection
    moved = rows[0] - matrix_like(rate) * (first.attraction() + first.repulsion())
    return onto_image(rows[1] - matrix_like(rate) * last, moved)


def two_projected_steps() -> Relation:
    r"""Those of :math:`Z_2` from :math:`Z_1 = Z_2 = (1, 0)` to itself, with the rate 1/4, for two X: they differ."""
    one, stay = rationals(1), rationals([1, 0])
    points = [rationals([[1, 0], [0, 1]]), rationals([[1, 0], [1, 1]])]
    steps = [projected_step(stay, one, x, stay[None, :], one / 4) for x in points]
    return eq(np.stack(steps), rationals([[["1/2", 0]], [["2/5", "1/5"]]]), over=3)


# False variants


def neighbours_do_not_matter(problem: Problem, given: Representations, new: NewLayer, elsewhere: Representations) -> Relation:
    """The neighbours are from elsewhere, too."""
    others = [*elsewhere[: new.place - 1], given[new.place - 1], *elsewhere[new.place :]]
    return eq(change_of_loss(problem, others, new), change_of_loss(problem, given, new))


def targets_never_matter(problem: Problem, given: Representations, new: NewLayer, targets: Array) -> Relation:
    """The targets do not matter, even for the last layer."""
    there = other_targets(problem, targets, new.place, 0)
    return eq(change_of_loss(there, given, new), change_of_loss(problem, given, new))


def weights_are_local(problem: Problem, given: Representations, new: NewLayer, elsewhere: Representations) -> Relation:
    """The loss of the weights, too, changes by what does not depend on weights two or more layers away."""
    own, other = problem.to_weights(given), problem.to_weights(elsewhere)
    far = with_others_far_away(own, other, new.place)
    changed = new.values @ pseudo_inverse(problem.seen(given)[new.place - 1])

    def change(weights: list[Array]) -> Array:
        replaced = [*weights[: new.place - 1], changed, *weights[new.place :]]
        return np.asarray(problem.loss(replaced) - problem.loss(weights))

    return eq(change(far), change(own))


def rows_of_the_layer(sizes: Sizes) -> int:
    """Neurons of the layer that is replaced."""
    return sizes["outputs"] if sizes["layer"] == sizes["depth"] else sizes["width"]


SOURCE = Source("feature_learning", "Section 3.1, item 1")

CLAIM = Claim(
    id="feature_learning.locality",
    title="The loss of the representations couples only neighbouring layers",
    source=SOURCE,
    statement=far_layers_do_not_matter,
    domain=Domain(
        {
            "problem": PROBLEMS,
            "given": REPRESENTATIONS,
            "new": derived(new_layer, values=reals(rows_of_the_layer, "points")),
            "elsewhere": REPRESENTATIONS,
            "targets": reals("outputs", "points"),
        },
        {
            "depth": (3, 4, 6),
            "layer": range(1, 7),
            "inputs": (1, 2),
            "width": (1, 3),
            "outputs": (1, 2),
            "points": (1, 3),
        },
        sizes_where=lambda sizes: sizes["layer"] <= sizes["depth"],
    ),
    false_neighbours={
        "nor on the neighbours": neighbours_do_not_matter,
        "nor on the targets": targets_never_matter,
        "of the weights": weights_are_local,
    },
    exact={"two steps with the sequential projection": two_projected_steps},
)

PRINTED = Claim(
    id="feature_learning.locality.printed",
    title="The gradient on the set of all layers is local",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="feature_learning.locality"),
    statement=projected_gradient_is_local,
    domain=Domain(
        {"u": reals(2), "a": reals(), "b": reals(2), "targets": reals(2, 2), "ridge": interval(0, 1)},
        hypotheses={
            "lam is positive": lambda ridge: ridge > 0,
            "no representation is zero": lambda u, a, b: (
                (compare(u, 0) != 0).any(axis=-1) & (compare(a, 0) != 0) & (compare(b, 0) != 0).all(axis=-1)
            ),
        },
    ),
    false_neighbours={},
)
