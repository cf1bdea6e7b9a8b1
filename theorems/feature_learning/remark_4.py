r"""Remark 4: weights whose covariances are a local minimum are a local minimum themselves, if they have no residuals.

Statement
    The map from W to the covariances is continuous; so if (K(W), Z_L(W)) is a local minimum of :math:`L^k`, then W is a local
    minimum of L. The converse is not true.
Correction
    W must have no residuals, :math:`W = \phi(\psi(W))`. Representations with these covariances are a local minimum of
    :math:`L^r` without any condition (Appendix C.1).
Checked
    For all weights W without residuals and all W'

    .. math:: L(W') - L(W) \ge L^k(K(W'), Z_L(W')) - L^k(K(W), Z_L(W)) ,

    so that L does not descend near W if :math:`L^k` does not; with residuals this is false. For all Z in the constraint set
    :math:`L^r(Z) = L^k(K(Z), Z_L)` (``.representations``). The printed form is refuted at one data point x = (1, 0), where
    the covariances :math:`(c^2, c^2)` and the output :math:`c^2` are a global minimum of :math:`L^k` for
    :math:`y = c^2 + \lambda`: the weights :math:`W_1 = (c, t)`, :math:`W_2 = c` have them, and no :math:`t \ne 0` is a local
    minimum.
Proof idea
    :math:`L(W) \ge L^k(K(W), Z_L(W))`, with equality without residuals.
Sharp
    W' without residuals.
Not checked
    The converse is false by `prop_19`.
Source
    feature_learning, Remark 4 and Appendix C.1. The correction is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.layers import WEIGHTS, gram, matrix_like, trace, trace_of_product
from theorems.feature_learning.constructions.reformulation import (
    PROBLEMS,
    REPRESENTATIONS,
    Problem,
    Representations,
)
from theorems.feature_learning.constructions.tuples import kernel_inverse
from theorems.feature_learning.prop_1.value import determined_weights, without_residuals
from verify import Claim, Domain, FalseAsPrinted, Relation, Source, Tight, eq, integers, interval, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.networks import relu


def with_residuals(problem: Problem, weights: Sequence[Array], share: Array) -> list[Array]:
    """The weights with a share of their residuals."""
    kept = without_residuals(problem, weights)
    return [own + matrix_like(share) * (weight - own) for weight, own in zip(weights, kept, strict=True)]


def loss_gains_more(problem: Problem, weights: Sequence[Array], share: Array, others: Sequence[Array]) -> Relation:
    """The change of the loss of the weights, from W with a share of its residuals to W', against that of the covariances."""
    here = with_residuals(problem, weights, share)
    given, there = problem.of_weights(here), problem.of_weights(others)
    gain = problem.loss_of_covariances(there) - problem.loss_of_covariances(given)
    return le(gain, problem.loss(others) - problem.loss(here), name="changes")


def no_residuals(share: Array) -> Any:
    """Whether the weights have no residuals."""
    return compare(share, 0) == 0


def losses_agree(problem: Problem, any_representations: Representations) -> Relation:
    """Both losses for representations that satisfy the constraints."""
    given = problem.onto_the_constraints(any_representations)
    return eq(problem.loss_of_representations(given), problem.loss_of_covariances(given), name="losses")


# The printed form


def weights_are_a_minimum(c: Array, t: Array, step: Array, ridge: Array, covariance: Array, output: Array) -> Relation:
    """No covariance and output are better than those of the weights; the weights themselves, and with t changed by a share."""
    hidden, target = relu()(c), c**2 + ridge
    stated = (c**2 - target) ** 2 + ridge * (c**2 + hidden**2)
    other = (output - target) ** 2 + ridge * (covariance + output**2 / covariance)
    norms = [c**2 + one**2 + c**2 for one in (t, (1 - step) * t)]
    here, there = ((c * hidden - target) ** 2 + ridge * norm for norm in norms)
    return le(stated, other, name="covariances") & le(here, there, name="weights")


# False variants


def equal_changes(problem: Problem, weights: Sequence[Array], others: Sequence[Array]) -> Relation:
    """Both losses change alike."""
    here = without_residuals(problem, weights)
    given, there = problem.of_weights(here), problem.of_weights(others)
    gain = problem.loss_of_covariances(there) - problem.loss_of_covariances(given)
    return eq(gain, problem.loss(others) - problem.loss(here))


def the_other_way(problem: Problem, weights: Sequence[Array], others: Sequence[Array]) -> Relation:
    """The loss of the covariances changes by more, as the converse would need."""
    here = without_residuals(problem, weights)
    given, there = problem.of_weights(here), problem.of_weights(others)
    gain = problem.loss_of_covariances(there) - problem.loss_of_covariances(given)
    return le(problem.loss(others) - problem.loss(here), gain)


def covariances_after_the_activation(problem: Problem, any_representations: Representations) -> Relation:
    r"""The traces with :math:`K_\ell^\sigma` in place of :math:`K_\ell`."""
    given = problem.onto_the_constraints(any_representations)
    seen = [*problem.seen(given), problem.activated(given[-1])]
    traces = sum(trace_of_product(gram(after), kernel_inverse(before)) for before, after in pairwise(seen))
    return eq(problem.loss_of_representations(given), problem.cost(given[-1]) + problem.ridge * traces)


def traces_of_covariances(problem: Problem, any_representations: Representations) -> Relation:
    r"""The traces without the inverses."""
    given = problem.onto_the_constraints(any_representations)
    traces = sum(trace(gram(values)) for values in given)
    return eq(problem.loss_of_representations(given), problem.cost(given[-1]) + problem.ridge * traces)


# Sharp instance


def both_without_residuals() -> dict[str, Any]:
    """Two weights that their representations determine."""
    found = determined_weights()
    problem = found["problem"]
    rows = [rationals([[1, 1], [2, -1]]), rationals([[0, 2], [1, 1]]), rationals([[2, 3]])]
    return {**found, "share": rationals(0), "others": tuple(problem.to_weights(rows))}


SOURCE = Source("feature_learning", "Remark 4")
SIZES = {"depth": (1, 3, 5), "inputs": (2,), "width": (1, 3), "outputs": (2,), "points": (3,)}

CLAIM = Claim(
    id="feature_learning.remark_4",
    title="Without residuals the loss of the weights changes by more than that of the covariances",
    source=SOURCE,
    statement=loss_gains_more,
    domain=Domain(
        {"problem": PROBLEMS, "weights": WEIGHTS, "share": integers(0, 1), "others": WEIGHTS},
        SIZES,
        {"the weights have no residuals": no_residuals},
    ),
    needs=("the weights have no residuals",),
    tight={"neither has residuals": Tight(both_without_residuals)},
    false_neighbours={"equal changes": equal_changes, "the other way": the_other_way},
)

REPRESENTATIONS_CLAIM = Claim(
    id="feature_learning.remark_4.representations",
    title="The loss of the representations is that of their covariances",
    source=SOURCE,
    statement=losses_agree,
    domain=Domain({"problem": PROBLEMS, "any_representations": REPRESENTATIONS}, SIZES),
    false_neighbours={
        "covariances after the activation": covariances_after_the_activation,
        "without the inverses": traces_of_covariances,
    },
)

PRINTED = Claim(
    id="feature_learning.remark_4.printed",
    title="Weights whose covariances are a local minimum are a local minimum",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="feature_learning.remark_4"),
    statement=weights_are_a_minimum,
    domain=Domain(
        {
            "c": interval(0, 2),
            "t": reals(),
            "step": interval(0, 1),
            "ridge": interval(0, 2),
            "covariance": interval(0, np.inf),
            "output": reals(),
        },
        hypotheses={"lam, c, K are positive": lambda ridge, c, covariance: (ridge > 0) & (c > 0) & (covariance > 0)},
    ),
    false_neighbours={},
)
