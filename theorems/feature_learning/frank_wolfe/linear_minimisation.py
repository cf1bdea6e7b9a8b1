r"""Frank-Wolfe: the linear minimisation over pairs of covariances is exact.

Statement
    The linear minimisation is the largest :math:`\|U\sigma(z)\|^2/z^T(K_0^\sigma)^+z`: on each of the :math:`3^N` sign faces a
    quotient of quadratic forms, whose best eigenvector counts if its signs are those of the face.
Checked
    No neuron has a larger quotient than `largest_ratio` finds, and the one that it returns has this quotient, to the accuracy
    that is asked of the solver.
Sharp
    X = I, U = (1, 1): the neuron (1, 1) has the largest quotient, 2.
Source
    feature_learning, Section 3.3; no oracle is printed, so that all of it is ours.
"""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.activations import NEGATIVE_SLOPES
from theorems.feature_learning.constructions.layers import with_bias_row
from theorems.feature_learning.constructions.solvers import ACCURACY, in_arithmetic_of
from verify import Claim, Domain, Ours, Relation, Source, Tight, ge, interval, le, reals
from verify.arithmetic import Array, UndecidedInstances, floats, rationals
from verify.cones.reference import largest_ratio
from verify.matrices import frobenius_norm_squared
from verify.networks import HomogeneousActivation


def best_vectors(extended: Array, dual: Array, slope: Array) -> tuple[Array, Array]:
    """The largest quotient, and incoming weights that attain it, for each of a batch: shapes ``(...)``, ``(..., n)``."""
    seen, forms, slopes = floats(extended), floats(dual), floats(slope)
    quotients, weights = np.zeros(seen.shape[:-2]), np.zeros(seen.shape[:-1])
    undecided = np.zeros(quotients.shape, dtype=bool)
    for index in np.ndindex(quotients.shape):
        activation = HomogeneousActivation(1.0, float(slopes[index]))
        try:
            quotients[index], weights[index] = largest_ratio(seen[index], forms[index], activation)
        except UndecidedInstances:
            undecided[index] = True
    if undecided.any():
        raise UndecidedInstances(f"{int(undecided.sum())} input covariances have no certain rank", undecided)
    return in_arithmetic_of(quotients, extended), in_arithmetic_of(weights, extended)


def image_and_norm(weights: Array, extended: Array, dual: Array, slope: Array) -> tuple[Array, Array]:
    """Numerator and denominator of the quotient of a neuron with these incoming weights."""
    image = HomogeneousActivation(1, slope[..., None])(weights[..., None, :] @ extended)
    return frobenius_norm_squared(image @ np.swapaxes(dual, -1, -2)), (weights**2).sum(axis=-1)


def linear_minimisation_is_exact(inputs: Array, bias: Array, dual: Array, incoming: Array, slope: Array) -> Relation:
    """The quotient of any neuron, and that of the best, against the largest."""
    extended = with_bias_row(inputs, bias)
    largest, best = best_vectors(extended, dual, slope)
    above, below = image_and_norm(incoming, extended, dual, slope)
    best_above, best_below = image_and_norm(best, extended, dual, slope)
    # a quotient of 0 comes out as a rounding error of the largest that these sizes allow
    error = ACCURACY * largest + ACCURACY**2 * frobenius_norm_squared(dual) * frobenius_norm_squared(extended)
    return (
        le(above, (largest + error) * below, name="any neuron")
        & le(best_above, (largest + error) * best_below, name="best neuron, above")
        & ge(best_above, (largest - error) * best_below, name="best neuron, below")
    )


# False variants


def largest_for_the_identity(inputs: Array, bias: Array, dual: Array, incoming: Array, slope: Array) -> Relation:
    """The largest quotient is that of a linear network."""
    extended = with_bias_row(inputs, bias)
    largest = best_vectors(extended, dual, 0 * slope + 1)[0]
    above, below = image_and_norm(incoming, extended, dual, slope)
    best_above, best_below = image_and_norm(best_vectors(extended, dual, slope)[1], extended, dual, slope)
    return le(above, largest * below) & ge(best_above, (1 - ACCURACY) * largest * best_below)


def one_sign_only(inputs: Array, bias: Array, dual: Array, incoming: Array, slope: Array) -> Relation:
    """The largest quotient is found for the opposite slope, where negative and positive values change places."""
    extended = with_bias_row(inputs, bias)
    largest = best_vectors(extended, dual, -slope)[0]
    above, below = image_and_norm(incoming, extended, dual, slope)
    best_above, best_below = image_and_norm(best_vectors(extended, dual, slope)[1], extended, dual, slope)
    return le(above, (1 + ACCURACY) * largest * below) & le(best_above, (1 + ACCURACY) * largest * best_below)


def best_neuron() -> dict[str, Array]:
    """X = I, U = (1, 1): the largest quotient 2, of the neuron (1, 1)."""
    numbers = {"inputs": [[[1, 0], [0, 1]]], "bias": [0], "dual": [[[1, 1]]], "incoming": [[1, 1, 0]], "slope": [0]}
    return {name: rationals(number) for name, number in numbers.items()}


CLAIM = Claim(
    id="feature_learning.frank_wolfe",
    title="The linear minimisation over pairs of covariances is exact",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=linear_minimisation_is_exact,
    domain=Domain(
        {
            "inputs": reals("inputs", "points", role="points as columns"),
            "bias": interval(0, 2, role="1"),
            "dual": reals("outputs", "points", role="residuals"),
            "incoming": reals(lambda sizes: sizes["inputs"] + 1, role="first neuron"),
            "slope": NEGATIVE_SLOPES,
        },
        {"inputs": (1, 2, 3), "points": (1, 2, 3, 4), "outputs": (1, 2, 3)},
    ),
    tight={"the neuron (1, 1)": Tight(best_neuron, 3e-6, "the solver's accuracy is allowed for")},
    false_variants={"as for the identity": largest_for_the_identity, "for the opposite slope": one_sign_only},
    cost=20,
)
