r"""Proposition 14 with a ridge: the loss is at least what the singular values of the outputs cost one by one.

Statement
    With the outputs eliminated (see `frank_wolfe`), the loss :math:`\frac1N\|Z_2 - Y\|^2 + \lambda\|W\|^2` of a pair satisfies

    .. math:: \lambda\mathrm{Tr}\,K + \lambda\mathrm{Tr}[Y^TY(K^\sigma + N\lambda)^{-1}] \ge \sum_s g(s), \qquad
       g(s) = 2\lambda s - N\lambda^2 \;(s \ge N\lambda), \quad s^2/N \;(s \le N\lambda) ,

    for the singular values s of Y.
Checked
    The bound for all vectors. It is attained where the matrix A with its eigenvalues lowered by :math:`N\lambda` (to no less
    than 0) is completely positive. For Y = Y_4, of CP-rank 4, this happens at :math:`\lambda = 1/4` with three neurons,
    exactly: the ridge up to which rank 4 is needed is at most 1/4.
Sharp
    Three neurons for Y_4 at :math:`\lambda = 1/4`.
Not checked
    Whether the largest ridge is 1/4 is known from numerical optimisation only.
Source
    feature_learning, Proposition 14 (Proposition 22 in the appendix). The bound with a ridge is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.feature_learning.constructions.graphs import mantel_matrix
from theorems.feature_learning.constructions.layers import matrix_like, trace
from theorems.feature_learning.constructions.outputs_on_identity import PROBLEM, SIZES, WEIGHTS, Problem
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le
from verify.arithmetic import Array, maximum, rationals
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.cones.covariance_pairs import covariance_pair
from verify.cones.support_graphs import like
from verify.matrices import inverse, pseudo_inverse, rank, singular_values
from verify.networks import relu


def loss_of_pair(K: Array, K_sigma: Array, outputs: Array, lam: Array) -> Array:
    """The smallest loss with these covariances."""
    count = outputs.shape[-1]
    inverted = inverse(K_sigma + count * matrix_like(lam) * like(np.eye(count, dtype=np.int64), outputs))
    return np.asarray(lam * (trace(K) + (outputs * (outputs @ inverted)).sum(axis=(-2, -1))))


def loss(vectors: Array, weights: Array, outputs: Array, lam: Array) -> Array:
    """The smallest loss with these neurons."""
    return loss_of_pair(*covariance_pair(vectors, relu(), weights=weights), outputs, lam)


def cost_of_singular_values(outputs: Array, lam: Array, divisor: int) -> Array:
    r""":math:`\sum_s g(s)` over the singular values of Y, as :math:`s^2/N - (s - N\lambda)_+^2/N`."""
    values = singular_values(outputs)
    above = maximum(values - divisor * np.asarray(lam)[..., None], 0 * values)
    return np.asarray((values**2 - above**2).sum(axis=-1) / divisor)


def loss_is_at_least(problem: Problem, weights: Array, lam: Array) -> Relation:
    """The bound for the loss with a ridge, ReLU."""
    _, outputs, vectors = problem
    return le(cost_of_singular_values(outputs, lam, outputs.shape[-1]), loss(vectors, weights, outputs, lam))


# False variants


def twice_the_nuclear_norm(problem: Problem, weights: Array, lam: Array) -> Relation:
    r"""The bound :math:`2\lambda\|Y\|_*`, as without the error."""
    _, outputs, vectors = problem
    return le(2 * lam * singular_values(outputs).sum(axis=-1), loss(vectors, weights, outputs, lam))


def sum_of_squares(problem: Problem, weights: Array, lam: Array) -> Relation:
    """The bound for the sum of the squared errors in place of their mean."""
    _, outputs, vectors = problem
    return le(cost_of_singular_values(outputs, lam, 1), loss(vectors, weights, outputs, lam))


def three_neurons() -> dict[str, Any]:
    r"""Y_4 at :math:`\lambda = 1/4`: three vectors and weights whose matrix is A with its eigenvalues lowered by one."""
    outputs = rationals(mantel_matrix(4))
    vectors = rationals([[0, 1, 0, 1], [1, 0, "1/3", "2/3"], ["1/3", "2/3", 1, 0]])
    problem = (outputs[None], outputs[None], vectors[None])
    return {"problem": problem, "weights": rationals([["3/4", "9/8", "9/8"]]), "lam": rationals(["1/4"])}


def nothing_is_learned() -> dict[str, Any]:
    r"""One point with the output 1/4, :math:`\lambda = 1`, and no neuron in use."""
    problem = (rationals([[["1/4"]]]), rationals([[["1/4"]]]), rationals([[[1]]]))
    return {"problem": problem, "weights": rationals([[0]]), "lam": rationals([1])}


def threshold_of_three_neurons() -> Relation:
    """The lowered matrix has rank 3 and a factor with three rows, though that of Y_4 itself has four."""
    instance = three_neurons()
    outputs, _, vectors = (one[0] for one in instance["problem"])
    lowered = covariance_pair(vectors, relu(), weights=instance["weights"][0])[1]
    # A less the projection to its range
    expected = outputs - pseudo_inverse(outputs) @ outputs
    bounds = rationals([int(rank(lowered)), int(cp_rank_lower_bound(outputs))])
    return eq(lowered, expected, over=2) & eq(bounds, rationals([3, 4]), over=1) & loss_is_at_least(**instance)


RIDGE = Claim(
    id="feature_learning.prop_14.ridge",
    title="The loss is at least that of the singular values of the outputs",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=loss_is_at_least,
    domain=Domain(
        {"problem": PROBLEM, "weights": WEIGHTS, "lam": interval(0, 1)},
        SIZES,
        hypotheses={"lam is positive": lambda lam: lam > 0},
    ),
    tight={
        "three neurons for Y_4 at lam = 1/4": Tight(three_neurons),
        "a small output at lam = 1": Tight(nothing_is_learned),
    },
    false_variants={
        "twice lam times the nuclear norm": twice_the_nuclear_norm,
        "for the sum of squares": sum_of_squares,
    },
    exact={"three neurons at lam = 1/4": threshold_of_three_neurons},
)
