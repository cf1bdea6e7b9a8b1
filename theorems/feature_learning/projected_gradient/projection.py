r"""The sequential projection to the constraint set.

Statement
    A projection P to :math:`\mathcal Z` maps :math:`Z_\ell` to its product with the orthogonal projection to the image of
    :math:`(Z_{\ell-1}^\sigma)^T`, for :math:`\ell = 1, \ldots, L` in this order.
Checked
    P is idempotent and ends in :math:`\mathcal Z`. Every layer of P(Z) is the nearest to that of Z among all
    :math:`VZ_{\ell-1}^\sigma`, with the layer before it as it is in P(Z). The tuple as a whole is not the nearest in
    :math:`\mathcal Z`. Where all hidden :math:`Z_\ell^\sigma` have rank N, and X with the row of the bias, too, P(Z) = Z
    (``.full_rank``): no projection is needed there.
Proof idea
    Pythagoras in each layer.
Sharp
    V = the weights of P(Z).
Not checked
    For which learning rates the loss decreases.
Source
    feature_learning, Section 3.3; the print omits the transpose. The distances are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import and_
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.layers import WEIGHTS
from theorems.feature_learning.constructions.reformulation import (
    PROBLEMS,
    REPRESENTATIONS,
    Problem,
    Representations,
    squared_norm,
)
from verify import Claim, Domain, Relation, Source, Tight, eq, le
from verify.arithmetic import Array, rationals
from verify.matrices import frobenius_norm_squared, pseudo_inverse, rank


def same_layers(new: Representations, old: Representations) -> Relation:
    """All layers agree."""
    pairs = enumerate(zip(new, old, strict=True), start=1)
    return reduce(and_, (eq(*pair, name=f"layer {layer}", over=2) for layer, pair in pairs))


def nearest_in_each_layer(problem: Problem, given: Representations, weights: Sequence[Array]) -> Relation:
    """P is idempotent; distances of every layer from P(Z), and from what any weights make of the layer before."""
    projected = problem.onto_the_constraints(given)
    relation = same_layers(problem.onto_the_constraints(projected), projected)
    layers = zip(given, projected, problem.seen(projected), weights, strict=True)
    for layer, (own, nearest, before, weight) in enumerate(layers, start=1):
        distances = [frobenius_norm_squared(own - other) for other in (nearest, weight @ before)]
        between = frobenius_norm_squared(nearest - weight @ before)
        relation &= le(*distances, name=f"nearest in layer {layer}")
        relation &= eq(distances[1], distances[0] + between, name=f"distance in layer {layer}")
    return relation


def nothing_to_project(problem: Problem, given: Representations) -> Relation:
    """P(Z) = Z."""
    return same_layers(problem.onto_the_constraints(given), given)


def full_rank(problem: Problem, given: Representations) -> Any:
    """Whether the data and all hidden layers have rank N after the activation."""
    points = problem.x.shape[-2]
    return np.logical_and.reduce([np.asarray(rank(seen)) == points for seen in problem.seen(given)])


# False variants


def nearest_tuple(problem: Problem, given: Representations, weights: Sequence[Array]) -> Relation:
    """P(Z) is the nearest tuple of the constraint set."""
    projected, other = problem.onto_the_constraints(given), problem.of_weights(weights)
    distances = [squared_norm([z - near for z, near in zip(given, each, strict=True)]) for each in (projected, other)]
    return le(*distances)


def all_layers_at_once(problem: Problem, given: Representations) -> Relation:
    """Idempotent, too: every layer projected to the image of the layer before as it was."""

    def projected(values: Representations) -> list[Array]:
        return [z @ pseudo_inverse(seen) @ seen for z, seen in zip(values, problem.seen(values), strict=True)]

    return same_layers(projected(projected(given)), projected(given))


def without_the_transpose(problem: Problem, given: Representations) -> Relation:
    """Nothing to project where the rows of every layer span all neurons: the print without the transpose."""
    projected = [seen @ pseudo_inverse(seen) for seen in problem.seen(given)]
    unit = [0 * each + np.eye(each.shape[-1], dtype=np.int64) for each in projected]
    return same_layers(projected, unit)


def loss_of_the_projection(problem: Problem, given: Representations) -> Relation:
    """P does not increase the loss."""
    projected = problem.onto_the_constraints(given)
    return le(problem.loss_of_representations(projected), problem.loss_of_representations(given))


# Exact parts and tight examples


def unstable() -> Relation:
    r"""For :math:`Z^\sigma = \mathrm{diag}(1, d)` the next layer (1, e) costs :math:`1 + e^2/d^2`, here for d = 1/1000."""
    before, after = rationals([[1, 0], [0, "1/1000"]]), rationals([[1, "1/100"]])
    return eq(frobenius_norm_squared(after @ pseudo_inverse(before)), rationals(101))


def weights_of_the_projection(depth: int) -> dict[str, Any]:
    """Two points on a line without bias, and representations of rank two; V are the weights of their projection."""
    points, targets = rationals([[1], [2]]), rationals([[1, 1]])
    problem = Problem(points, rationals(0), homogeneous(rationals([1, "1/2"])), targets, rationals(1))
    given = (*[rationals([[1, 3], [2, -1]])] * (depth - 1), rationals([[3, -1]]))
    weights = tuple(problem.to_weights(problem.onto_the_constraints(given)))
    return {"problem": problem, "given": given, "weights": weights}


SOURCE = Source("feature_learning", "Section 3.3")
SIZES = {"depth": (1, 2, 3, 5), "inputs": (1, 3), "width": (1, 3), "outputs": (1, 2), "points": (1, 3)}

CLAIM = Claim(
    id="feature_learning.projected_gradient",
    title="The sequential projection is the nearest in each layer",
    source=SOURCE,
    statement=nearest_in_each_layer,
    domain=Domain({"problem": PROBLEMS, "given": REPRESENTATIONS, "weights": WEIGHTS}, SIZES),
    tight={
        f"its own weights, {depth} layers": Tight(
            partial(weights_of_the_projection, depth), of=tuple(f"nearest in layer {layer + 1}" for layer in range(depth))
        )
        for depth in (2, 5)
    },
    false_variants={
        "the nearest tuple": nearest_tuple,
        "all layers at once": all_layers_at_once,
        "the loss does not grow": loss_of_the_projection,
    },
    exact={"unstable where a rank is nearly deficient": unstable},
)

FULL_RANK = Claim(
    id="feature_learning.projected_gradient.full_rank",
    title="At full rank there is nothing to project",
    source=SOURCE,
    statement=nothing_to_project,
    domain=Domain(
        {"problem": PROBLEMS, "given": REPRESENTATIONS},
        {"depth": (1, 2, 3, 5), "inputs": (2, 3), "width": (2, 3, 4), "outputs": (1, 3), "points": (2, 3)},
        {"all layers have rank N": full_rank},
    ),
    needs=("all layers have rank N",),
    false_variants={"without the transpose": without_the_transpose},
)
