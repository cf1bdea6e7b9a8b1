r"""Proposition 5: the loss is convex in the outputs if the cost is.

Statement
    The cost :math:`L^k(K, Z_L) = C(Z_L) + \lambda\bigl(\ldots + \mathrm{Tr}[(K_{L-1}^\sigma)^{-1} Z_L^T Z_L]\bigr)` is convex
    in the outputs, with all covariances fixed.
Correction
    It is, if C is. The paper has a general cost, and the trace does not repair one that is not convex: for
    :math:`C(y) = (y^2 - 1)^2` the loss has two minima (``.printed``).
Checked
    At the midpoint, for the squared error; the printed form for :math:`C(Z) = (\|Z\|_F^2 - a)^2`.
Proof idea
    A sum of convex functions.
Tight
    Equal outputs.
Source
    feature_learning, Proposition 5. The example is derived here.
"""

from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Q, Source, interval, reals
from verify.words import eye, inverse, le, norm2, trace


def loss(C, Z, F, lam):
    """What depends on the outputs; the covariance is the identity and the Gram matrix of F."""
    return C(Z) + lam * trace(Z @ inverse(eye(F.shape[1]) + F.T @ F) @ Z.T)


def at_the_midpoint(C, Z, Z_other, F, lam, share=1):
    return le(2 * loss(C, (Z + Z_other) / 2, F, lam), share * (loss(C, Z, F, lam) + loss(C, Z_other, F, lam)))


def squared_error(Z, Z_other, F, Y, lam, share=1):
    return at_the_midpoint(lambda one: norm2(one - Y), Z, Z_other, F, lam, share)


def concave_ridge(Z, Z_other, F, Y, lam):
    """With a ridge of the wrong sign, which outweighs the cost."""
    return at_the_midpoint(lambda one: norm2(one - Y), Z, Z_other, F, -9 * lam)


def any_cost(Z, Z_other, F, a, lam):
    return at_the_midpoint(lambda one: (norm2(one) - a) ** 2, Z, Z_other, F, lam)


SOURCE = Source("feature_learning", "Proposition 5")
VARIABLES = {"Z": reals("outputs", "points"), "Z_other": reals("outputs", "points"), "F": reals("neurons", "points")}
SIZES = {"outputs": (1, 2), "points": (1, 2), "neurons": (1, 2)}

CLAIM = Claim(
    id="feature_learning.prop_5.outputs",
    title="The loss is convex in the outputs, if the cost is",
    source=SOURCE,
    status=DerivedHere(),
    statement=squared_error,
    domain=Domain({**VARIABLES, "Y": reals("outputs", "points"), "lam": interval(0, 4)}, SIZES),
    tight={"equal outputs": {"Z": [[1, 2]], "Z_other": [[1, 2]], "F": [[1, -1]], "Y": [[0, 1]], "lam": "1/2"}},
    false_variants={"99 % of the mean": {"share": Q("99/100")}, "a ridge of the wrong sign": concave_ridge},
)

PRINTED = Claim(
    id="feature_learning.prop_5.printed",
    title="The loss is convex in the outputs, for every cost",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=any_cost,
    domain=Domain({**VARIABLES, "a": interval(0, 4), "lam": interval(0, 4)}, SIZES),
)
