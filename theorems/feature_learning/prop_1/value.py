r"""Proposition 1, the value: the loss of the weights and the loss of the representations have the same infimum.

Statement
    In the notation of `constructions.reformulation`, for every cost C, every :math:`\lambda \ge 0` and every activation,

    .. math:: \inf_W L_\lambda(W) = \inf_{Z \in \mathcal Z} L^r(Z), \qquad
       R_n(X, Y) = \min_{Z \in \mathcal Z, \, Z_L = Y} \sum_\ell \|Z_\ell (Z_{\ell-1}^\sigma)^+\|_F^2 .
Checked
    For all weights :math:`L^r(\psi(W)) \le L(W)`, with the difference :math:`\lambda\|W - \phi(\psi(W))\|^2`, at the same
    outputs; so equality holds if and only if W is in the image of :math:`\phi`, for :math:`\lambda > 0`. For all Z in the
    constraint set (``.attained``) :math:`\psi(\phi(Z)) = Z` and :math:`L(\phi(Z)) = L^r(Z)`; outside it both are false. C is
    the squared distance from targets; since the outputs are the same, any other C is, too.
Proof idea
    The weights are split as in `weight_decomposition`.
Sharp
    Weights without residuals.
Source
    feature_learning, Proposition 1 (Proposition 16 in the appendix).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
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
from verify.matrices import pseudo_inverse


def without_residuals(problem: Problem, weights: Sequence[Array]) -> list[Array]:
    r""":math:`\phi(\psi(W))`."""
    return problem.to_weights(problem.of_weights(weights))


def representations_cost_less(problem: Problem, weights: Sequence[Array]) -> Relation:
    """The loss of the representations of any weights against that of the weights; their difference; the outputs."""
    given, determined = problem.of_weights(weights), without_residuals(problem, weights)
    below, above = problem.loss_of_representations(given), problem.loss(weights)
    residuals = squared_norm([w - kept for w, kept in zip(weights, determined, strict=True)])
    return (
        le(below, above, name="losses")
        & eq(above, below + problem.ridge * residuals, name="difference")
        & eq(problem.of_weights(determined)[-1], given[-1], name="outputs", over=2)
    )


def same_representations(problem: Problem, given: Representations) -> Relation:
    """The weights of these representations have these representations."""
    again = problem.of_weights(problem.to_weights(given))
    pairs = enumerate(zip(again, given, strict=True), start=1)
    return reduce(and_, (eq(new, old, name=f"layer {layer}", over=2) for layer, (new, old) in pairs))


def weights_attain_it(problem: Problem, any_representations: Representations) -> Relation:
    """For representations that satisfy the constraints: their weights have them, and the same loss."""
    given = problem.onto_the_constraints(any_representations)
    weights = problem.to_weights(given)
    return same_representations(problem, given) & eq(problem.loss(weights), problem.loss_of_representations(given), name="loss")


# False variants


def inverse_of_the_same_layer(problem: Problem, weights: Sequence[Array]) -> Relation:
    r"""The pseudo-inverse of :math:`Z_\ell^\sigma` in place of :math:`Z_{\ell-1}^\sigma`, with one more at the first layer."""
    given = problem.of_weights(weights)
    costs = squared_norm([values @ pseudo_inverse(problem.activated(values)) for values in given])
    return le(problem.cost(given[-1]) + problem.ridge * costs, problem.loss(weights))


def covariances_in_place_of_inverses(problem: Problem, weights: Sequence[Array]) -> Relation:
    r"""The transpose in place of the pseudo-inverse."""
    given = problem.of_weights(weights)
    pairs = zip(given, problem.seen(given), strict=True)
    costs = squared_norm([values @ np.swapaxes(before, -1, -2) for values, before in pairs])
    return le(problem.cost(given[-1]) + problem.ridge * costs, problem.loss(weights))


def equal_losses(problem: Problem, weights: Sequence[Array]) -> Relation:
    """No weights have residuals."""
    return eq(problem.loss_of_representations(problem.of_weights(weights)), problem.loss(weights))


def without_the_constraints(problem: Problem, any_representations: Representations) -> Relation:
    """Any matrices are the representations of their weights."""
    return same_representations(problem, any_representations)


def loss_without_the_constraints(problem: Problem, any_representations: Representations) -> Relation:
    """The loss of any matrices is that of their weights."""
    weights = problem.to_weights(any_representations)
    return eq(problem.loss(weights), problem.loss_of_representations(any_representations))


def projected_all_at_once(problem: Problem, any_representations: Representations) -> Relation:
    """Every layer projected to the image of what the layer before was, not of what it has become."""
    seen = problem.seen(any_representations)
    given = [values @ pseudo_inverse(before) @ before for values, before in zip(any_representations, seen, strict=True)]
    return same_representations(problem, given)


# Sharp instance


def determined_weights() -> dict[str, Any]:
    """Two points, three leaky layers: weights that the representations determine."""
    problem = Problem(
        rationals([[1, 2], [-1, 1]]), homogeneous(rationals([1, "1/2"])), rationals(0), rationals([[3, -1]]), rationals("1/3")
    )
    hidden = (rationals([[1, 2], [-1, 3]]), rationals([[2, 1], [1, -1]]))
    return {"problem": problem, "weights": tuple(problem.to_weights((*hidden, rationals([[1, 4]]))))}


SOURCE = Source("feature_learning", "Proposition 1")
SIZES = {"depth": (1, 2, 3, 6), "inputs": (1, 3), "width": (1, 3), "outputs": (1, 2), "points": (1, 3)}

CLAIM = Claim(
    id="feature_learning.prop_1.value",
    title="The representations of weights have no larger a loss",
    source=SOURCE,
    statement=representations_cost_less,
    domain=Domain({"problem": PROBLEMS, "weights": WEIGHTS}, SIZES),
    tight={"weights without residuals": Tight(determined_weights, of=("losses",))},
    false_neighbours={
        "the pseudo-inverse of the same layer": inverse_of_the_same_layer,
        "the transpose in place of the pseudo-inverse": covariances_in_place_of_inverses,
        "no residuals": equal_losses,
    },
)

ATTAINED = Claim(
    id="feature_learning.prop_1.value.attained",
    title="Representations that satisfy the constraints are those of weights with their loss",
    source=SOURCE,
    statement=weights_attain_it,
    domain=Domain({"problem": PROBLEMS, "any_representations": REPRESENTATIONS}, SIZES),
    false_neighbours={
        "without the constraints": without_the_constraints,
        "the loss without the constraints": loss_without_the_constraints,
        "all layers projected at once": projected_all_at_once,
    },
)
