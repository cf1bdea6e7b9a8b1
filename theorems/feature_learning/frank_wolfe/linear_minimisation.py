r"""Frank-Wolfe: the linear minimisation over pairs is exact.

Statement
    The linear minimisation is the largest :math:`\|U\sigma(z)\|^2/z^T(K_0^\sigma)^+z`: on each of the :math:`3^N` sign faces a
    quotient of quadratic forms, whose best eigenvector counts if its signs are those of the face.
Checked
    No neuron has a larger quotient than the solver finds, and the one that it returns has this quotient, to the accuracy
    that is asked of the solver.
Tight
    X = I, U = (1, 1): the neuron (1, 1) has the largest quotient, 2.
Source
    feature_learning, Section 3.3; no oracle is printed, so that all of it is derived here.
"""

from theorems.feature_learning.constructions.activations import NEGATIVE_SLOPES, homogeneous
from theorems.feature_learning.constructions.layers import with_bias_row
from theorems.feature_learning.constructions.pairs import slopes_of
from theorems.feature_learning.constructions.solvers import ACCURACY, best_neurons
from verify import Claim, DerivedHere, Domain, Source, Tight, interval, reals
from verify.words import ge, le, norm2


def quotient(v, S, U, d):
    """Numerator and denominator for a neuron with these incoming weights."""
    return norm2(U @ homogeneous(slopes_of(d))(v[None] @ S)[0]), norm2(v)


def linear_minimisation_is_exact(X, b, U, v, d):
    S = with_bias_row(X, b)
    largest, best = best_neurons(S, U, d)
    (above, below), (best_above, best_below) = quotient(v, S, U, d), quotient(best, S, U, d)
    # a quotient of 0 comes out as a rounding error of the largest that these sizes allow
    error = ACCURACY * largest + ACCURACY**2 * norm2(U) * norm2(S)
    return (
        le(above, (largest + error) * below, name="any neuron")
        & le(best_above, (largest + error) * best_below, name="best neuron, above")
        & ge(best_above, (largest - error) * best_below, name="best neuron, below")
    )


def largest_for_the_identity(X, b, U, v, d):
    """The largest quotient is that of a linear network."""
    S = with_bias_row(X, b)
    (largest, _), (_, best) = best_neurons(S, U, 1), best_neurons(S, U, d)
    (above, below), (best_above, best_below) = quotient(v, S, U, d), quotient(best, S, U, d)
    return le(above, largest * below) & ge(best_above, (1 - ACCURACY) * largest * best_below)


def one_sign_only(X, b, U, v, d):
    """The largest quotient is found for the opposite slope, where negative and positive values change places."""
    S = with_bias_row(X, b)
    (largest, _), (_, best) = best_neurons(S, U, -d), best_neurons(S, U, d)
    (above, below), (best_above, best_below) = quotient(v, S, U, d), quotient(best, S, U, d)
    return le(above, (1 + ACCURACY) * largest * below) & le(best_above, (1 + ACCURACY) * largest * best_below)


def best_neuron():
    """X = I, U = (1, 1): the largest quotient 2, of the neuron (1, 1)."""
    return {"X": [[1, 0], [0, 1]], "b": 0, "U": [[1, 1]], "v": [1, 1, 0], "d": 0}


CLAIM = Claim(
    id="feature_learning.frank_wolfe",
    title="The linear minimisation over pairs of covariances is exact",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=linear_minimisation_is_exact,
    domain=Domain(
        {
            "X": reals("inputs", "points", role="points as columns"),
            "b": interval(0, 2, role="1"),
            "U": reals("outputs", "points", role="residuals"),
            "v": reals(lambda sizes: sizes["inputs"] + 1, role="first neuron"),
            "d": NEGATIVE_SLOPES,
        },
        {"inputs": (1, 2, 3), "points": (1, 2, 3, 4), "outputs": (1, 2, 3)},
    ),
    tight={"the neuron (1, 1)": Tight(best_neuron, 3e-6, "the solver's accuracy is allowed for")},
    false_variants={"as for the identity": largest_for_the_identity, "for the opposite slope": one_sign_only},
    cost=20,
)
