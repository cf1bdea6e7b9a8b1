r"""Remark 4: local minima of the covariances and of the weights.

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
Tight
    W' without residuals.
Not checked
    The converse is false by `prop_19`.
Source
    feature_learning, Remark 4 and Appendix C.1. The correction is derived here.
"""

from itertools import pairwise

import numpy as np

from theorems.feature_learning.constructions.layers import WEIGHTS, gram
from theorems.feature_learning.constructions.reformulation import PROBLEMS, REPRESENTATIONS
from theorems.feature_learning.constructions.tuples import kernel_inverse
from theorems.feature_learning.prop_1.value import determined_weights
from verify import Claim, Domain, FalseAsPrinted, Source, integers, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import eq, inner, le, norm2, relu


def changes(problem, W, V):
    """Those of both losses from W to V."""
    of_covariances = problem.loss_of_covariances(problem.of_weights(V)) - problem.loss_of_covariances(problem.of_weights(W))
    return of_covariances, problem.loss(V) - problem.loss(W)


def loss_gains_more(problem, W, share, V):
    """From the weights W with a share of their residuals."""
    W = [kept + share * (own - kept) for own, kept in zip(W, problem.without_residuals(W), strict=True)]
    of_covariances, of_weights = changes(problem, W, V)
    return le(of_covariances, of_weights, name="changes")


def equal_changes(problem, W, V):
    return eq(*changes(problem, problem.without_residuals(W), V))


def the_other_way(problem, W, V):
    of_covariances, of_weights = changes(problem, problem.without_residuals(W), V)
    return le(of_weights, of_covariances)


def losses_agree(problem, Z):
    Z = problem.onto_the_constraints(Z)
    return eq(problem.loss_of_representations(Z), problem.loss_of_covariances(Z), name="losses")


def covariances_after_the_activation(problem, Z):
    r"""The traces with :math:`K_\ell^\sigma` in place of :math:`K_\ell`."""
    Z = problem.onto_the_constraints(Z)
    seen = [*problem.seen(Z), problem.activated(Z[-1])]
    traces = sum(inner(gram(after), kernel_inverse(before)) for before, after in pairwise(seen))
    return eq(problem.loss_of_representations(Z), problem.cost(Z[-1]) + problem.lam * traces)


def traces_of_covariances(problem, Z):
    Z = problem.onto_the_constraints(Z)
    return eq(problem.loss_of_representations(Z), problem.cost(Z[-1]) + problem.lam * sum(map(norm2, Z)))


def weights_are_a_minimum(c, t, step, lam, k, output):
    """No covariance k and output are better than those of the weights; and the weights beside those with a smaller t."""
    y = c**2 + lam
    stated = (c**2 - y) ** 2 + lam * (c**2 + relu(c) ** 2)
    other = (output - y) ** 2 + lam * (k + output**2 / k)
    here, there = ((c * relu(c) - y) ** 2 + lam * (c**2 + one**2 + c**2) for one in (t, (1 - step) * t))
    return le(stated, other, name="covariances") & le(here, there, name="weights")


def both_without_residuals():
    """Two weights that their representations determine."""
    found = determined_weights()
    Z = rationals([[1, 1], [2, -1]]), rationals([[0, 2], [1, 1]]), rationals([[2, 3]])
    return {**found, "share": 0, "V": tuple(found["problem"].to_weights(Z))}


SOURCE = Source("feature_learning", "Remark 4")
SIZES = {"depth": (1, 3, 5), "inputs": (2,), "width": (1, 3), "outputs": (2,), "points": (3,)}

CLAIM = Claim(
    id="feature_learning.remark_4",
    title="Without residuals the loss of weights moves more than of covariances",
    source=SOURCE,
    statement=loss_gains_more,
    domain=Domain(
        {"problem": PROBLEMS, "W": WEIGHTS, "share": integers(0, 1, role="free"), "V": WEIGHTS},
        SIZES,
        {"the weights have no residuals": lambda share: share == 0},
    ),
    needs=("the weights have no residuals",),
    tight={"neither has residuals": both_without_residuals},
    false_variants={"equal changes": equal_changes, "the other way": the_other_way},
)

REPRESENTATIONS_CLAIM = Claim(
    id="feature_learning.remark_4.representations",
    title="The loss of the representations is that of their covariances",
    source=SOURCE,
    statement=losses_agree,
    domain=Domain({"problem": PROBLEMS, "Z": REPRESENTATIONS}, SIZES),
    false_variants={
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
            "lam": interval(0, 2),
            "k": interval(0, np.inf),
            "output": reals(),
        },
        hypotheses={"lam, c, K are positive": lambda lam, c, k: (lam > 0) & (c > 0) & (k > 0)},
    ),
)
