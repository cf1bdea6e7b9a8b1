r"""Proposition 14 with a ridge: the loss by singular values.

Statement
    With the outputs eliminated (see `frank_wolfe`), the loss :math:`\frac1N\|Z_2 - Y\|^2 + \lambda\|W\|^2` of a pair satisfies

    .. math:: \lambda\mathrm{Tr}\,K + \lambda\mathrm{Tr}[Y^TY(K^\sigma + N\lambda)^{-1}] \ge \sum_s g(s), \qquad
       g(s) = 2\lambda s - N\lambda^2 \;(s \ge N\lambda), \quad s^2/N \;(s \le N\lambda) ,

    for the singular values s of Y.
Checked
    The bound for all vectors. It is attained where the matrix A with its eigenvalues lowered by :math:`N\lambda` (to no less
    than 0) is completely positive. For Y = Y_4, of CP-rank 4, this happens at :math:`\lambda = 1/4` with three neurons,
    exactly: the ridge up to which rank 4 is needed is at most 1/4.
Tight
    Three neurons for Y_4 at :math:`\lambda = 1/4`.
Not checked
    Whether the largest ridge is 1/4 is known from numerical optimisation only.
Source
    feature_learning, Proposition 14 (Proposition 22 in the appendix). The bound with a ridge is derived here.
"""

from theorems.feature_learning.constructions.graphs import mantel_matrix
from theorems.feature_learning.constructions.outputs_on_identity import PROBLEM, SIZES, WEIGHTS, covariances
from verify import Claim, DerivedHere, Domain, Q, Source, interval
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.numbers.arithmetic import rationals
from verify.words import eq, eye, inner, inverse, le, maximum, pinv, rank, singular_values, trace


def loss_of_pair(K, K_sigma, Y, lam):
    """The smallest loss with these covariances."""
    N = len(K)
    return lam * (trace(K) + inner(Y, Y @ inverse(K_sigma + N * lam * eye(N))))


def loss(V, alpha, Y, lam):
    return loss_of_pair(*covariances(V, alpha), Y, lam)


def cost_of_singular_values(Y, lam, N):
    r""":math:`\sum_s g(s)`, as :math:`s^2/N - (s - N\lambda)_+^2/N`."""
    s = singular_values(Y)
    return (s**2 - maximum(s - N * lam, 0) ** 2).sum() / N


def loss_is_at_least(problem, alpha, lam):
    _, Y, V = problem
    return le(cost_of_singular_values(Y, lam, len(V[0])), loss(V, alpha, Y, lam))


def twice_the_nuclear_norm(problem, alpha, lam):
    _, Y, V = problem
    return le(2 * lam * singular_values(Y).sum(), loss(V, alpha, Y, lam))


def sum_of_squares(problem, alpha, lam):
    _, Y, V = problem
    return le(cost_of_singular_values(Y, lam, 1), loss(V, alpha, Y, lam))


VECTORS = ((0, 1, 0, 1), (1, 0, Q(1, 3), Q(2, 3)), (Q(1, 3), Q(2, 3), 1, 0))
MASSES = (Q(3, 4), Q(9, 8), Q(9, 8))
r"""Three neurons whose matrix is Y_4 with its eigenvalues lowered by one: they are best for Y_4 at :math:`\lambda = 1/4`."""


def three_neurons():
    Y = rationals(mantel_matrix(4))
    return {"problem": (Y, Y, rationals(VECTORS)), "alpha": rationals(MASSES), "lam": rationals("1/4")}


def nothing_is_learned():
    r"""One point with the output 1/4, :math:`\lambda = 1`, and no neuron in use."""
    Y = rationals([["1/4"]])
    return {"problem": (Y, Y, rationals([[1]])), "alpha": [0], "lam": 1}


def threshold_of_three_neurons():
    """The lowered matrix has rank 3 and a factor with three rows, though that of Y_4 itself has four."""
    instance = three_neurons()
    (A, _, V), alpha = instance["problem"], instance["alpha"]
    lowered = covariances(V, alpha)[1]
    # A less the projection to its range
    smaller = eq(lowered, A - pinv(A) @ A) & eq(rank(lowered), 3)
    return smaller & eq(cp_rank_lower_bound(A), 4) & loss_is_at_least(**instance)


RIDGE = Claim(
    id="feature_learning.prop_14.ridge",
    title="The loss is at least that of the singular values of the outputs",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=loss_is_at_least,
    domain=Domain(
        {"problem": PROBLEM, "alpha": WEIGHTS, "lam": interval(0, 1)},
        SIZES,
        hypotheses={"lam is positive": lambda lam: lam > 0},
    ),
    tight={"three neurons for Y_4 at lam = 1/4": three_neurons, "a small output at lam = 1": nothing_is_learned},
    false_variants={
        "twice lam times the nuclear norm": twice_the_nuclear_norm,
        "for the sum of squares": sum_of_squares,
    },
    exact={"three neurons at lam = 1/4": threshold_of_three_neurons},
)
