r"""Frank-Wolfe: a largest quotient of at most 1 shows optimality.

Statement
    For all neurons with incoming weights :math:`v_i`, values :math:`z_i` and masses :math:`\alpha_i`, and for every U,

    .. math:: F(\alpha) - D(U) = \sum_i\alpha_i(\|v_i\|^2 - \|U\sigma(z_i)\|^2) + \mathrm{Tr}[RM^{-1}R^T], \qquad
       D(U) = 2\langle U, Y\rangle - \mu\|U\|^2 - b^2\|U1\|^2 ,

    with :math:`F = \sum\alpha_i\|v_i\|^2 + \mathrm{Tr}[YM^{-1}Y^T]`, :math:`M = K^\sigma + \mu`, R = Y - UM. So where the
    largest quotient :math:`\|U\sigma(z)\|^2/\|v\|^2` is at most 1, :math:`\lambda D(U)` is a lower bound of the loss for every
    width.
Checked
    The identity for ReLU networks, and that its last term is not negative.
Proof idea
    Complete the square in U.
Tight
    The last term vanishes for :math:`U = YM^{-1}`.
Source
    feature_learning, Section 3.3; the formulas are derived here.
"""

import numpy as np

from theorems.feature_learning.constructions.layers import with_bias_row
from verify import Claim, DerivedHere, Domain, Source, Tight, interval, reals
from verify.words import eq, eye, ge, inner, inverse, norm2, relu


def gap_is_a_sum(X, b, v, alpha, Y, U, mu, biases=1, distances=1):
    S, costs = relu(v @ with_bias_row(X, b)), (v**2).sum(axis=1)
    M = S.T @ (alpha[:, None] * S) + b**2 + mu * eye(X.shape[1])
    R, resolvent = Y - U @ M, inverse(M)
    F = (alpha * costs).sum() + inner(Y, Y @ resolvent)
    D = 2 * inner(U, Y) - mu * norm2(U) - biases * b**2 * norm2(U.sum(axis=1))
    slack, distance = (alpha * (costs - ((S @ U.T) ** 2).sum(axis=1))).sum(), inner(R, R @ resolvent)
    return eq(F - D, slack + distances * distance, name="identity") & ge(distance, 0, name="distance")


def best_dual():
    """One point, one neuron of value 1, mu = 1: M = 2, and U = Y / 2."""
    return {"X": [[1]], "b": 0, "v": [[1, 0]], "alpha": [1], "Y": [[3]], "U": [["3/2"]], "mu": 1}


CERTIFICATE = Claim(
    id="feature_learning.frank_wolfe.certificate",
    title="The gap of the linear minimisation certifies an optimum",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=gap_is_a_sum,
    domain=Domain(
        {
            "X": reals("inputs", "points", role="points as columns"),
            "b": interval(0, 2, role="1"),
            "v": reals("neurons", lambda sizes: sizes["inputs"] + 1, role="first weights with biases"),
            "alpha": interval(0, np.inf, "neurons", role="ones"),
            "Y": reals("outputs", "points", role="targets as columns"),
            "U": reals("outputs", "points", role="residuals"),
            "mu": interval(0.25, 2, role="ridge"),
        },
        {"inputs": (1, 2, 3), "points": (1, 3, 4), "outputs": (1, 2, 3), "neurons": (1, 2, 4)},
    ),
    tight={"the best dual": Tight(best_dual, of=("distance",))},
    false_variants={"without the bias": {"biases": 0}, "without the distance": {"distances": 0}},
)
