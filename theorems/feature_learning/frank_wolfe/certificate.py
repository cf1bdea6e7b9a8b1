r"""Frank-Wolfe: when the largest quotient is at most 1, the loss is optimal.

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
Sharp
    The last term vanishes for :math:`U = YM^{-1}`.
Source
    feature_learning, Section 3.3; the formulas are ours.
"""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.layers import matrix_like, with_bias_row
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, interval, reals
from verify.arithmetic import Array, rationals
from verify.cones.covariance_pairs import covariance_pair
from verify.cones.support_graphs import like
from verify.matrices import frobenius_norm_squared, inverse
from verify.networks import relu


def regularised_covariance(inputs: Array, bias: Array, incoming: Array, masses: Array, mu: Array) -> Array:
    r""":math:`M = K^\sigma + \mu`."""
    image = covariance_pair(incoming @ with_bias_row(inputs, bias), relu(), weights=masses)[1]
    unit = like(np.eye(inputs.shape[-1], dtype=np.int64), inputs)
    return np.asarray(image + matrix_like(bias**2) + matrix_like(mu) * unit)


def bound(dual: Array, targets: Array, bias: Array, mu: Array) -> Array:
    """D(U)."""
    biases = bias**2 * (dual.sum(axis=-1) ** 2).sum(axis=-1)
    return np.asarray(2 * (dual * targets).sum(axis=(-2, -1)) - mu * frobenius_norm_squared(dual) - biases)


def gap_of(
    lower: Array, inputs: Array, bias: Array, incoming: Array, masses: Array, targets: Array, dual: Array, mu: Array
) -> tuple[Array, Array, Array]:
    """F less a lower bound, the sum over the neurons, and the distance."""
    M = regularised_covariance(inputs, bias, incoming, masses, mu)
    inner, norms = inverse(M), (incoming**2).sum(axis=-1)
    value = (masses * norms).sum(axis=-1) + (targets * (targets @ inner)).sum(axis=(-2, -1))
    hidden = relu()(incoming @ with_bias_row(inputs, bias))
    slackness = (masses * (norms - ((hidden @ np.swapaxes(dual, -1, -2)) ** 2).sum(axis=-1))).sum(axis=-1)
    rest = targets - dual @ M
    return value - lower, slackness, (rest * (rest @ inner)).sum(axis=(-2, -1))


def gap_is_a_sum(
    inputs: Array, bias: Array, incoming: Array, masses: Array, targets: Array, dual: Array, mu: Array
) -> Relation:
    """The identity, and that its last term is not negative."""
    lower = bound(dual, targets, bias, mu)
    gap, slackness, distance = gap_of(lower, inputs, bias, incoming, masses, targets, dual, mu)
    return eq(gap, slackness + distance, name="identity") & ge(distance, 0 * distance, name="distance")


# False variants


def bound_without_the_bias(
    inputs: Array, bias: Array, incoming: Array, masses: Array, targets: Array, dual: Array, mu: Array
) -> Relation:
    """D(U) without the term of the bias."""
    lower = bound(dual, targets, 0 * bias, mu)
    gap, slackness, distance = gap_of(lower, inputs, bias, incoming, masses, targets, dual, mu)
    return eq(gap, slackness + distance)


def gap_of_the_neurons_only(
    inputs: Array, bias: Array, incoming: Array, masses: Array, targets: Array, dual: Array, mu: Array
) -> Relation:
    """The gap is what the neurons leave, for any U."""
    lower = bound(dual, targets, bias, mu)
    gap, slackness, _ = gap_of(lower, inputs, bias, incoming, masses, targets, dual, mu)
    return eq(gap, slackness)


def best_dual() -> dict[str, Array]:
    """One point, one neuron of value 1, mu = 1: M = 2, and U = Y / 2."""
    numbers = {"inputs": [[1]], "bias": 0, "incoming": [[1, 0]], "masses": [1], "targets": [[3]], "dual": [["3/2"]], "mu": 1}
    return {name: rationals(number) for name, number in numbers.items()}


CERTIFICATE = Claim(
    id="feature_learning.frank_wolfe.certificate",
    title="The gap of the linear minimisation certifies an optimum",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=gap_is_a_sum,
    domain=Domain(
        {
            "inputs": reals("inputs", "points", role="points as columns"),
            "bias": interval(0, 2, role="1"),
            "incoming": reals("neurons", lambda sizes: sizes["inputs"] + 1, role="first weights with biases"),
            "masses": interval(0, np.inf, "neurons", role="ones"),
            "targets": reals("outputs", "points", role="targets as columns"),
            "dual": reals("outputs", "points", role="residuals"),
            "mu": interval(0.25, 2, role="ridge"),
        },
        {"inputs": (1, 2, 3), "points": (1, 3, 4), "outputs": (1, 2, 3), "neurons": (1, 2, 4)},
    ),
    tight={"the best dual": Tight(best_dual, of=("distance",))},
    false_variants={"without the bias": bound_without_the_bias, "without the distance": gap_of_the_neurons_only},
)
