r"""Frank-Wolfe on the cone of covariances: the linear minimisation, a smooth objective, and a certificate of the optimum.

The document suggests Frank-Wolfe for the second reformulation and prints no formula. Here it is for shallow networks with
the data X, amount of bias b, and the loss :math:`\rho\|Z - Y\|^2 + \lambda\|W\|^2`, where :math:`\mu = \lambda/\rho`.

- *eliminated*: the smallest loss over the outputs Z = VS of hidden rows S is smooth in :math:`K^\sigma = S^TS`,

  .. math:: \min_V \rho\|VS - Y\|^2 + \lambda\|V\|^2 = \lambda\,\mathrm{Tr}[Y(K^\sigma + \mu)^{-1}Y^T] .

- The linear minimisation is the largest :math:`\|U\sigma(z)\|^2/z^T(K_0^\sigma)^+z` for :math:`U = Y(K^\sigma + \mu)^{-1}`: on
  each of the :math:`3^N` sign faces a quotient of quadratic forms, whose best eigenvector counts if its signs are those of the
  face. Checked: no vector has a larger quotient than `largest_ratio` finds, and the one that it returns has this quotient.
- *certificate*: for all neurons with incoming weights :math:`v_i` and masses :math:`\alpha_i`, and for every U,

  .. math:: F(\alpha) - D(U) = \sum_i\alpha_i(\|v_i\|^2 - \|U\sigma(z_i)\|^2) + \mathrm{Tr}[RM^{-1}R^T], \qquad
     D(U) = 2\langle U, Y\rangle - \mu\|U\|^2 - b^2\|U1\|^2 ,

  with :math:`F = \sum\alpha_i\|v_i\|^2 + \mathrm{Tr}[YM^{-1}Y^T]`, :math:`M = K^\sigma + \mu`, R = Y - UM. So where the largest
  quotient is at most 1, :math:`\lambda D(U)` is a lower bound of the loss for every width.

That the method finds the optimum is checked in `frank_wolfe_solver`.

Source: feature_learning, Section 3.3; the formulas are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.weight_decomposition import with_bias_row
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, interval, le, reals
from verify.arithmetic import Array, UndecidedInstances, chosen_rationals, floats, is_exact, rationals
from verify.cones.covariance_pairs import covariance_pair
from verify.cones.reference import largest_ratio
from verify.cones.support_graphs import like
from verify.matrices import frobenius_norm_squared, inverse
from verify.networks import HomogeneousActivation, identity, relu

ACCURACY = 10**6
"""One over the relative accuracy that is asked of the solver; the linear minimisation is far more accurate.

Numbers that may vanish are known up to its square, relative to the sizes that they come from."""


def in_arithmetic_of(values: Any, pattern: Array) -> Array:
    """Floats, as the rationals that they are where `pattern` is exact."""
    return chosen_rationals(np.asarray(values)) if is_exact(pattern) else np.asarray(values, dtype=np.float64)


def best_vectors(extended: Array, dual: Array, slope: Array, linear: bool = False) -> tuple[Array, Array]:
    """The largest quotient, and incoming weights that attain it, for each of a batch: shapes ``(...)``, ``(..., n)``."""
    seen, forms, slopes = floats(extended), floats(dual), floats(slope)
    quotients, weights = np.zeros(seen.shape[:-2]), np.zeros(seen.shape[:-1])
    undecided = np.zeros(quotients.shape, dtype=bool)
    for index in np.ndindex(quotients.shape):
        activation = identity() if linear else HomogeneousActivation(1.0, float(slopes[index]))
        try:
            quotients[index], weights[index] = largest_ratio(seen[index], forms[index], activation)
        except UndecidedInstances:
            undecided[index] = True
            continue
    if undecided.any():
        raise UndecidedInstances(f"{int(undecided.sum())} input covariances have no certain rank", undecided)
    return in_arithmetic_of(quotients, extended), in_arithmetic_of(weights, extended)


def linear_minimisation_is_exact(
    inputs: Array, bias: Array, dual: Array, incoming: Array, slope: Array, ratio: int = 10_000, linear: bool = False
) -> Relation:
    """The quotient of any neuron, and that of the best, against the largest."""
    extended = with_bias_row(inputs, bias)
    largest, best = best_vectors(extended, dual, slope)
    if linear:
        largest = best_vectors(extended, dual, slope, linear)[0]
    activation = HomogeneousActivation(1, slope[..., None])

    def parts(weights: Array) -> tuple[Array, Array]:
        image = activation(weights[..., None, :] @ extended)
        return frobenius_norm_squared(image @ np.swapaxes(dual, -1, -2)), (weights**2).sum(axis=-1)

    (above, below), (best_above, best_below) = parts(incoming), parts(best)
    size = frobenius_norm_squared(dual) * frobenius_norm_squared(extended)
    # a quotient of 0 comes out as a rounding error of the largest that these sizes allow
    error = (largest * ACCURACY + size) / ACCURACY**2
    highest, lowest = largest + error, largest - error
    relation = le(above * ratio / 10_000, highest * below, scale=size * below)
    relation = relation & le(best_above * ratio / 10_000, highest * best_below, scale=size * best_below)
    return relation if linear else relation & ge(best_above, lowest * best_below, scale=size * best_below)


def outputs_are_eliminated(
    rows: Array, outgoing: Array, targets: Array, lam: Array, rho: Array, ratio: int = 10_000, inverted: bool = False
) -> Relation:
    """The loss of any outgoing weights against the smallest one, which the best attain."""
    mu = rho / lam if inverted else lam / rho
    transposed = np.swapaxes(rows, -1, -2)
    unit = like(np.eye(rows.shape[-1], dtype=np.int64), rows)
    inner = inverse(transposed @ rows + mu[..., None, None] * unit)
    smallest = lam * (targets * (targets @ inner)).sum(axis=(-2, -1))

    def loss(weights: Array) -> Array:
        return np.asarray(rho * frobenius_norm_squared(weights @ rows - targets) + lam * frobenius_norm_squared(weights))

    any_loss, best = loss(outgoing), loss(targets @ inner @ transposed)
    size = (any_loss + best) * (1 + frobenius_norm_squared(rows) / mu)
    return le(smallest * ratio / 10_000, any_loss, scale=size) & eq(best, smallest, scale=size)


def gap_is_a_sum(
    inputs: Array,
    bias: Array,
    incoming: Array,
    masses: Array,
    targets: Array,
    dual: Array,
    mu: Array,
    ratio: int = 10_000,
    biased: bool = True,
) -> Relation:
    """The identity of the certificate, ReLU; and that the rest of it is not negative."""
    vectors = incoming @ with_bias_row(inputs, bias)
    K_sigma = covariance_pair(vectors, relu(), weights=masses)[1] + (bias**2)[..., None, None]
    M = K_sigma + mu[..., None, None] * like(np.eye(inputs.shape[-1], dtype=np.int64), inputs)
    inner = inverse(M)
    norms = (incoming**2).sum(axis=-1)
    value = (masses * norms).sum(axis=-1) + (targets * (targets @ inner)).sum(axis=(-2, -1))
    constant = bias**2 * (dual.sum(axis=-1) ** 2).sum(axis=-1)
    quadratic = mu * frobenius_norm_squared(dual) + constant
    bound = 2 * (dual * targets).sum(axis=(-2, -1)) - (quadratic if biased else quadratic - constant)
    seen = ((relu()(vectors) @ np.swapaxes(dual, -1, -2)) ** 2).sum(axis=-1)
    rest = targets - dual @ M
    distance = (rest * (rest @ inner)).sum(axis=(-2, -1))
    slackness = (masses * (norms - seen)).sum(axis=-1)
    size = (value + quadratic + (masses * seen).sum(axis=-1) + distance) * (1 + frobenius_norm_squared(M) / mu**2)
    return eq(value - bound, slackness * ratio / 10_000 + distance, scale=size) & ge(distance, 0 * distance, scale=size)


def best_neuron() -> dict[str, Array]:
    """X = I, U = (1, 1): the largest quotient 2, of the neuron (1, 1)."""
    return {
        "inputs": rationals([[[1, 0], [0, 1]]]),
        "bias": rationals([0]),
        "dual": rationals([[[1, 1]]]),
        "incoming": rationals([[1, 1, 0]]),
        "slope": rationals([0]),
    }


SOURCE = Source("feature_learning", "Section 3.3")
DATA = {"inputs": reals("inputs", "points"), "bias": interval(0, 2)}
SIZES = {"inputs": range(1, 3), "points": range(1, 4), "outputs": range(1, 3)}

CLAIM = Claim(
    id="feature_learning.frank_wolfe",
    title="The linear minimisation over pairs of covariances is exact",
    source=SOURCE,
    statement=linear_minimisation_is_exact,
    domain=Domain(
        {
            **DATA,
            "dual": reals("outputs", "points"),
            "incoming": reals(lambda sizes: sizes["inputs"] + 1),
            "slope": interval(-1, 1),
        },
        SIZES,
    ),
    tight={"the neuron (1, 1)": Tight(best_neuron, 1e-5, "the solver's accuracy is allowed for")},
    false_neighbours={
        "0.01 percent less": partial(linear_minimisation_is_exact, ratio=10_001),
        "as for the identity": partial(linear_minimisation_is_exact, linear=True),
    },
    cost=20,
)

ELIMINATED = Claim(
    id="feature_learning.frank_wolfe.eliminated",
    title="The loss without the outputs",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=outputs_are_eliminated,
    domain=Domain(
        {
            "rows": reals("neurons", "points"),
            "outgoing": reals("outputs", "neurons"),
            "targets": reals("outputs", "points"),
            "lam": interval(0.25, 2),
            "rho": interval(0.25, 2),
        },
        {"neurons": range(1, 4), "points": range(1, 4), "outputs": range(1, 3)},
    ),
    false_neighbours={
        "0.01 percent more": partial(outputs_are_eliminated, ratio=10_001),
        "rho / lam in place of lam / rho": partial(outputs_are_eliminated, inverted=True),
    },
)

CERTIFICATE = Claim(
    id="feature_learning.frank_wolfe.certificate",
    title="The gap of the linear minimisation",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=gap_is_a_sum,
    domain=Domain(
        {
            **DATA,
            "incoming": reals("neurons", lambda sizes: sizes["inputs"] + 1),
            "masses": interval(0, np.inf, "neurons"),
            "targets": reals("outputs", "points"),
            "dual": reals("outputs", "points"),
            "mu": interval(0.25, 2),
        },
        {**SIZES, "neurons": range(1, 4)},
    ),
    false_neighbours={
        "0.01 percent more": partial(gap_is_a_sum, ratio=10_001),
        "without the bias": partial(gap_is_a_sum, biased=False),
    },
)
