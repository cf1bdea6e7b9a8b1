r"""Frank-Wolfe: the loss without the outputs is smooth in the covariance.

Statement
    The smallest loss over the outputs Z = VS of hidden rows S is, with :math:`K^\sigma = S^TS` and :math:`\mu = \lambda/\rho`,

    .. math:: \min_V \rho\|VS - Y\|^2 + \lambda\|V\|^2 = \lambda\,\mathrm{Tr}[Y(K^\sigma + \mu)^{-1}Y^T] .
Checked
    No V has a smaller loss, and :math:`V = Y(K^\sigma + \mu)^{-1}S^T` has this one.
Proof idea
    The loss is quadratic in V.
Sharp
    The best V.
Source
    feature_learning, Section 3.3; the formula is ours.
"""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.layers import gram, matrix_like
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, rationals
from verify.cones.support_graphs import like
from verify.matrices import frobenius_norm_squared, inverse


def loss(outgoing: Array, rows: Array, targets: Array, lam: Array, rho: Array) -> Array:
    r""":math:`\rho\|VS - Y\|^2 + \lambda\|V\|^2`."""
    return np.asarray(rho * frobenius_norm_squared(outgoing @ rows - targets) + lam * frobenius_norm_squared(outgoing))


def resolvent(rows: Array, mu: Array) -> Array:
    r""":math:`(K^\sigma + \mu)^{-1}`."""
    return inverse(gram(rows) + matrix_like(mu) * like(np.eye(rows.shape[-1], dtype=np.int64), rows))


def smallest_with(inner: Array, rows: Array, outgoing: Array, targets: Array, lam: Array, rho: Array) -> Relation:
    """The loss of any outgoing weights against the smallest one, which those with this inner matrix attain."""
    smallest = lam * (targets * (targets @ inner)).sum(axis=(-2, -1))
    best = targets @ inner @ np.swapaxes(rows, -1, -2)
    return le(smallest, loss(outgoing, rows, targets, lam, rho), name="smallest") & eq(
        loss(best, rows, targets, lam, rho), smallest, name="attained"
    )


def outputs_are_eliminated(rows: Array, outgoing: Array, targets: Array, lam: Array, rho: Array) -> Relation:
    """The loss of any outgoing weights against the smallest one, which the best attain."""
    return smallest_with(resolvent(rows, lam / rho), rows, outgoing, targets, lam, rho)


# False variants


def inverted_ratio(rows: Array, outgoing: Array, targets: Array, lam: Array, rho: Array) -> Relation:
    """The inverted ratio, rho / lam."""
    return smallest_with(resolvent(rows, rho / lam), rows, outgoing, targets, lam, rho)


def ridge_without_the_error(rows: Array, outgoing: Array, targets: Array, lam: Array, rho: Array) -> Relation:
    """The ridge itself, lam in place of lam / rho."""
    return smallest_with(resolvent(rows, lam), rows, outgoing, targets, lam, rho)


def best_weights() -> dict[str, Array]:
    """S = (1, 0; 0, 2), Y = (3, 5), lam = rho = 1: V = (3/2, 2)."""
    numbers = {"rows": [[1, 0], [0, 2]], "outgoing": [["3/2", 2]], "targets": [[3, 5]], "lam": 1, "rho": 1}
    return {name: rationals(number) for name, number in numbers.items()}


ELIMINATED = Claim(
    id="feature_learning.frank_wolfe.eliminated",
    title="The loss without the outputs is a trace of a resolvent",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=outputs_are_eliminated,
    domain=Domain(
        {
            "rows": reals("neurons", "points", role="last activations"),
            "outgoing": reals("outputs", "neurons", role="last weights"),
            "targets": reals("outputs", "points", role="targets as columns"),
            "lam": interval(0.25, 2, role="ridge"),
            "rho": interval(0.25, 2, role="free"),
        },
        {"neurons": (1, 2, 4), "points": (1, 3, 4), "outputs": range(1, 4)},
    ),
    tight={"the best weights": Tight(best_weights)},
    false_variants={"rho / lam in place of lam / rho": inverted_ratio, "lam in place of lam / rho": ridge_without_the_error},
)
