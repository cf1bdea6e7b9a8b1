r"""Frank-Wolfe: the loss without the outputs is smooth in the covariance.

Statement
    The smallest loss over the outputs Z = VS of hidden rows S is, with :math:`K^\sigma = S^TS` and :math:`\mu = \lambda/\rho`,

    .. math:: \min_V \rho\|VS - Y\|^2 + \lambda\|V\|^2 = \lambda\,\mathrm{Tr}[Y(K^\sigma + \mu)^{-1}Y^T] .
Checked
    No V has a smaller loss, and :math:`V = Y(K^\sigma + \mu)^{-1}S^T` has this one.
Proof idea
    The loss is quadratic in V.
Tight
    The best V.
Source
    feature_learning, Section 3.3; the formula is derived here.
"""

from theorems.feature_learning.constructions.layers import gram
from verify import Claim, DerivedHere, Domain, Source, interval, reals
from verify.words import eq, eye, inner, inverse, le, norm2


def loss(V, S, Y, lam, rho):
    return rho * norm2(V @ S - Y) + lam * norm2(V)


def smallest_with(mu, S, V, Y, lam, rho):
    """The loss of any outgoing weights V against the smallest one, which the best attain."""
    resolvent = inverse(gram(S) + mu * eye(S.shape[1]))
    smallest = lam * inner(Y, Y @ resolvent)
    best = Y @ resolvent @ S.T
    return le(smallest, loss(V, S, Y, lam, rho), name="smallest") & eq(loss(best, S, Y, lam, rho), smallest, name="attained")


def outputs_are_eliminated(S, V, Y, lam, rho):
    return smallest_with(lam / rho, S, V, Y, lam, rho)


def inverted_ratio(S, V, Y, lam, rho):
    return smallest_with(rho / lam, S, V, Y, lam, rho)


def ridge_without_the_error(S, V, Y, lam, rho):
    return smallest_with(lam, S, V, Y, lam, rho)


ELIMINATED = Claim(
    id="feature_learning.frank_wolfe.eliminated",
    title="The loss without the outputs is a trace of a resolvent",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=outputs_are_eliminated,
    domain=Domain(
        {
            "S": reals("neurons", "points", role="last activations"),
            "V": reals("outputs", "neurons", role="last weights"),
            "Y": reals("outputs", "points", role="targets as columns"),
            "lam": interval(0.25, 2, role="ridge"),
            "rho": interval(0.25, 2, role="free"),
        },
        {"neurons": (1, 2, 4), "points": (1, 3, 4), "outputs": range(1, 4)},
    ),
    tight={"the best weights": {"S": [[1, 0], [0, 2]], "V": [["3/2", 2]], "Y": [[3, 5]], "lam": 1, "rho": 1}},
    false_variants={"rho / lam in place of lam / rho": inverted_ratio, "lam in place of lam / rho": ridge_without_the_error},
)
