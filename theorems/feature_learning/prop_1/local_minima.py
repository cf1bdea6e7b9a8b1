r"""Proposition 1, the local minima: those of both losses correspond.

Statement
    For :math:`\lambda > 0`, a continuous activation and a lower semi-continuous cost: if W is a local minimum of :math:`L`,
    then :math:`\psi(W)` is one of :math:`L^r` on :math:`\mathcal Z`; if Z is a local minimum of :math:`L^r` on
    :math:`\mathcal Z`, then :math:`\phi(Z)` is one of :math:`L`.
Checked
    Both losses on the segment of local minima of Proposition 19, which are not global: neither is smaller after changes of at
    most min(a, b) in each number, those of the representations followed by the projection to :math:`\mathcal Z`. At the end
    of the segment, where b = 0, both descend, and by the same amount. For all networks the step that leads from Z to
    :math:`\phi(Z)` (``.weights``): for :math:`Z \in \mathcal Z` and any weights W'

    .. math:: L(W') - L(\phi(Z)) \ge L^r(\psi(W')) - L^r(Z) ,

    where :math:`\psi(W')` is near Z if W' is near :math:`\phi(Z)`. And a consequence (``.residuals``): with the residuals
    :math:`\tilde W = W - \phi(\psi(W))`,

    .. math:: L(W - t\tilde W) = L(W) - \lambda t(2 - t)\|\tilde W\|^2 ,

    so that a local minimum of L has none.
Proof idea
    The inequality is Proposition 1 for the values. The other way needs that :math:`\phi` of a sequence with smaller losses is
    bounded, and that a limit W' of it has the representations Z and no larger a norm than :math:`\phi(Z)`, so is
    :math:`\phi(Z)`.
Sharp
    Along the segment's hyperbola :math:`Z_2 = \|W_1\|^2`; weights without residuals.
Not checked
    That :math:`\psi` of a local minimum is one, but on the segment. The limit: :math:`\phi` is not continuous where the rank of
    a representation drops.
Source
    feature_learning, Proposition 1 (Proposition 16 in the appendix). The inequality for all W' is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.layers import WEIGHTS, matrix_like
from theorems.feature_learning.constructions.reformulation import (
    PROBLEMS,
    REPRESENTATIONS,
    Problem,
    Representations,
    squared_norm,
)
from theorems.feature_learning.constructions.segment import INPUTS
from theorems.feature_learning.prop_1.value import SIZES, SOURCE, determined_weights, without_residuals
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, eq, interval, le
from verify.arithmetic import Array, minimum, rationals
from verify.cones.support_graphs import like


def problem_of_the_segment(ends: Array) -> Problem:
    r"""X = (1, -1), Y = (1, 1), ReLU, no bias, and the ridge :math:`1 - a^2 - b^2`."""
    zero = np.asarray(0 * ends[..., 0])
    points = like(np.array(INPUTS)[:, None], ends) + matrix_like(zero)
    slopes = np.stack([zero + 1, zero], axis=-1)
    targets = np.swapaxes(0 * points + 1, -1, -2)
    return Problem(points, homogeneous(slopes), zero, targets, np.asarray(1 - (ends**2).sum(axis=-1)))


def weights_of_the_segment(ends: Array, change: Array) -> list[Array]:
    """The weights (a, b)^T and (a, b), changed by four numbers."""
    return [(ends + change[..., :2])[..., :, None], (ends + change[..., 2:])[..., None, :]]


def bias_columns(weights: Sequence[Array]) -> list[Array]:
    """The weights with a last column of zeros, which belongs to the bias."""
    return [np.concatenate([weight, 0 * weight[..., :1]], axis=-1) for weight in weights]


def both_are_local_minima(ends: Array, reach: Array, change: Array, first: Array, last: Array) -> Relation:
    """The loss at weights and at representations near those of the segment; `reach` is in units of min(a, b)."""
    problem, unit = problem_of_the_segment(ends), np.asarray(reach * minimum(ends[..., 0], ends[..., 1]))
    here = bias_columns(weights_of_the_segment(ends, 0 * change))
    there = bias_columns(weights_of_the_segment(ends, unit[..., None] * change))
    given = problem.of_weights(here)
    steps = [matrix_like(unit) * step for step in (first, last)]
    near = problem.onto_the_constraints([values + step for values, step in zip(given, steps, strict=True)])
    return le(problem.loss(here), problem.loss(there), name="weights") & le(
        problem.loss_of_representations(given), problem.loss_of_representations(near), name="representations"
    )


def weights_gain_more(problem: Problem, any_representations: Representations, weights: Sequence[Array]) -> Relation:
    r"""The change of the loss from :math:`\phi(Z)` to any weights against that from Z to their representations."""
    given = problem.onto_the_constraints(any_representations)
    before, after = problem.loss_of_representations(given), problem.loss_of_representations(problem.of_weights(weights))
    return le(after - before, problem.loss(weights) - problem.loss(problem.to_weights(given)), name="changes")


def residuals_only_cost(problem: Problem, weights: Sequence[Array], share: Array) -> Relation:
    """The loss after a share of the residuals is taken away."""
    residuals = [w - kept for w, kept in zip(weights, without_residuals(problem, weights), strict=True)]
    fewer = [w - matrix_like(share) * rest for w, rest in zip(weights, residuals, strict=True)]
    gain = problem.ridge * share * (2 - share) * squared_norm(residuals)
    return eq(problem.loss(fewer), problem.loss(weights) - gain, name="law")


# False variants


def without_the_projection(ends: Array, reach: Array, first: Array, last: Array) -> Relation:
    """The loss of any representations near those of the segment, in the constraint set or not."""
    problem, unit = problem_of_the_segment(ends), np.asarray(reach * minimum(ends[..., 0], ends[..., 1]))
    given = problem.of_weights(bias_columns(weights_of_the_segment(ends, 0 * np.concatenate([ends, ends], axis=-1))))
    near = [values + matrix_like(unit) * step for values, step in zip(given, (first, last), strict=True)]
    return le(problem.loss_of_representations(given), problem.loss_of_representations(near))


def isolated(ends: Array, reach: Array, first: Array, last: Array) -> Relation:
    """The loss of the representations grows with the square of their change."""
    problem, unit = problem_of_the_segment(ends), np.asarray(reach * minimum(ends[..., 0], ends[..., 1]))
    given = problem.of_weights(bias_columns(weights_of_the_segment(ends, 0 * np.concatenate([ends, ends], axis=-1))))
    steps = [matrix_like(unit) * step for step in (first, last)]
    near = problem.onto_the_constraints([values + step for values, step in zip(given, steps, strict=True)])
    distance = squared_norm([new - old for new, old in zip(near, given, strict=True)])
    return le(problem.loss_of_representations(given) + problem.ridge * distance / 2, problem.loss_of_representations(near))


def from_any_weights(problem: Problem, any_representations: Representations, weights: Sequence[Array]) -> Relation:
    """The change from given weights, with their residuals, to those of representations."""
    given, own = problem.onto_the_constraints(any_representations), problem.of_weights(weights)
    change = problem.loss_of_representations(given) - problem.loss_of_representations(own)
    return le(change, problem.loss(problem.to_weights(given)) - problem.loss(weights))


def equal_changes(problem: Problem, any_representations: Representations, weights: Sequence[Array]) -> Relation:
    """Both losses change by the same."""
    given = problem.onto_the_constraints(any_representations)
    before, after = problem.loss_of_representations(given), problem.loss_of_representations(problem.of_weights(weights))
    return eq(after - before, problem.loss(weights) - problem.loss(problem.to_weights(given)))


def linear_gain(problem: Problem, weights: Sequence[Array], share: Array) -> Relation:
    """The law without its part of second order."""
    residuals = [w - kept for w, kept in zip(weights, without_residuals(problem, weights), strict=True)]
    fewer = [w - matrix_like(share) * rest for w, rest in zip(weights, residuals, strict=True)]
    return eq(problem.loss(fewer), problem.loss(weights) - 2 * problem.ridge * share * squared_norm(residuals))


def residuals_of_the_last_layer(problem: Problem, weights: Sequence[Array], share: Array) -> Relation:
    """Only the last layer has residuals that cost."""
    residuals = [w - kept for w, kept in zip(weights, without_residuals(problem, weights), strict=True)]
    fewer = [w - matrix_like(share) * rest for w, rest in zip(weights, residuals, strict=True)]
    gain = problem.ridge * share * (2 - share) * squared_norm(residuals[-1:])
    return eq(problem.loss(fewer), problem.loss(weights) - gain)


# Exact parts and sharp instances


def end_of_the_segment() -> Relation:
    """At the end, a = 1/2 and b = 0, both losses descend along the same path by eps^2 (2 a^2 - eps^2), for eps = 1/4."""
    ends, epsilon = rationals(["1/2", 0]), Q("1/4")
    problem = problem_of_the_segment(ends)
    here = bias_columns(weights_of_the_segment(ends, rationals([0, 0, 0, 0])))
    there = bias_columns(weights_of_the_segment(ends, rationals([0, -1, 0, 1]) * epsilon))
    descent = epsilon**2 * (2 * Q("1/4") - epsilon**2)
    losses = [problem.loss_of_representations(problem.of_weights(each)) for each in (here, there)]
    return eq(problem.loss(there), problem.loss(here) - descent) & eq(losses[1], losses[0] - descent)


def along_the_segment() -> dict[str, Any]:
    r"""The weights from (3/10, 4/10) to (4/10, 3/10); the representations where they are."""
    numbers = {
        "ends": ["3/10", "2/5"],
        "reach": 1,
        "change": ["1/3", "-1/3", "1/3", "-1/3"],
        "first": [[0, 0], [0, 0]],
        "last": [[0, 0]],
    }
    return {name: rationals(values) for name, values in numbers.items()}


def on_the_hyperbola() -> dict[str, Any]:
    r"""(3/10, 4/10) moved to :math:`W_1 = (4/10, 3/10)`, and the outputs as they are."""
    steps = rationals([["1/3", "-1/3"], ["-1/3", "1/3"]])
    return {**along_the_segment(), "first": steps, "last": rationals([[0, 1]])}


def weights_without_residuals() -> dict[str, Any]:
    """Weights that the representations determine, beside others."""
    found = determined_weights()
    rows = (rationals([[2, 1], [1, 5]]), rationals([[1, 0], [2, 1]]), rationals([[0, 2]]))
    return {**found, "any_representations": rows}


CLAIM = Claim(
    id="feature_learning.prop_1.local_minima",
    title="Local minima of both losses correspond",
    source=SOURCE,
    statement=both_are_local_minima,
    domain=Domain(
        {
            "ends": interval(0, 1, 2),
            "reach": interval(0, 3),
            "change": interval(-1, 1, 4),
            "first": interval(-1, 1, 2, 2),
            "last": interval(-1, 1, 1, 2),
        },
        hypotheses={
            "lam is not negative": lambda ends: (ends**2).sum(axis=-1) <= 1,
            "each number changes by at most min(a, b)": lambda reach: reach <= 1,
        },
    ),
    tight={"along the circle": Tight(along_the_segment), "on the hyperbola": Tight(on_the_hyperbola)},
    needs=("lam is not negative", "each number changes by at most min(a, b)"),
    false_neighbours={"outside the constraint set": without_the_projection, "isolated minima": isolated},
    exact={"at the end of the segment both descend": end_of_the_segment},
)

GAIN = Claim(
    id="feature_learning.prop_1.local_minima.weights",
    title="The loss of the weights changes by more than that of their representations",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=weights_gain_more,
    domain=Domain({"problem": PROBLEMS, "any_representations": REPRESENTATIONS, "weights": WEIGHTS}, SIZES),
    tight={"weights without residuals": Tight(weights_without_residuals)},
    false_neighbours={"from any weights": from_any_weights, "equal changes": equal_changes},
)

RESIDUALS = Claim(
    id="feature_learning.prop_1.local_minima.residuals",
    title="A local minimum has no residuals",
    source=SOURCE,
    statement=residuals_only_cost,
    domain=Domain({"problem": PROBLEMS, "weights": WEIGHTS, "share": interval(0, 2)}, SIZES),
    false_neighbours={"without the square": linear_gain, "residuals of the last layer": residuals_of_the_last_layer},
)
