"""The split of the weights, and what the residuals do."""

from functools import partial, reduce
from operator import and_

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, homogeneous
from theorems.feature_learning.constructions.layers import DATA, WEIGHTS, representations
from verify import Claim, Domain, Source, reals
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, norm2, pinv, zeros


def projection(S):
    r""":math:`P = SS^+`, as :math:`P^2(3 - 2P)`: in floats that is a projection to far more digits."""
    P = S @ pinv(S)
    P = (P + P.T) / 2
    square = P @ P
    return 3 * square - 2 * square @ P


def first_term(W, S):
    r""":math:`ZS^+` for Z = WS."""
    return W @ projection(S)


def split_of(W, first, rest, S):
    return (
        eq(first + rest, W, name="sum")
        & eq(rest @ S, 0, name="unseen", beside=norm2(W) + norm2(S))
        & eq(norm2(W), norm2(first) + norm2(rest), name="norms")
    )


def seen_by(W, x, sigma, beta):
    r"""The layers as pairs of :math:`W_\ell` and :math:`Z_{\ell-1}^\sigma`."""
    return [*zip(W, representations(W, x, sigma, beta)[1], strict=True)]


def weights_decompose(W, x, sigma, beta):
    layers = seen_by(W, x, sigma, beta)
    return reduce(and_, (split_of(V, first_term(V, S), V - first_term(V, S), S) for V, S in layers))


def transposed_in_place_of_inverted(W, x, sigma, beta):
    layers = seen_by(W, x, sigma, beta)
    return reduce(and_, (split_of(V, V @ S @ S.T, V - first_term(V, S), S) for V, S in layers))


def bias_weights_not_counted(W, x, sigma, beta):
    layers = seen_by(W, x, sigma, beta)
    parts = ((V[:, :-1], first_term(V, S), V - first_term(V, S)) for V, S in layers)
    return reduce(and_, (eq(norm2(kept), norm2(first) + norm2(rest)) for kept, first, rest in parts))


def no_residual(W, x, sigma, beta):
    return reduce(and_, (eq(first_term(V, S), V) for V, S in seen_by(W, x, sigma, beta)))


def same_representations(W, V, x, sigma, beta):
    (Z, _), (Z_new, _) = representations(W, x, sigma, beta), representations(V, x, sigma, beta)
    pairs = enumerate(zip(Z, Z_new, strict=True), start=1)
    return reduce(and_, (eq(*pair, name=f"layer {layer}") for layer, pair in pairs))


def residuals_are_unseen(W, x, sigma, beta):
    first = [first_term(V, S) for V, S in seen_by(W, x, sigma, beta)]
    return same_representations(W, first, x, sigma, beta)


def same_representations_elsewhere(W, x, sigma, beta, elsewhere):
    first = [first_term(V, S) for V, S in seen_by(W, x, sigma, beta)]
    return same_representations(W, first, elsewhere, sigma, beta)


def without_the_bias_weights(W, x, sigma, beta):
    first = [first_term(V, S) for V, S in seen_by(W, x, sigma, beta)]
    first = [concatenate([V[:, :-1], zeros(len(V), 1)], axis=1) for V in first]
    return same_representations(W, first, x, sigma, beta)


def two_layers(x, beta=1):
    """A network of widths (2, 3, 1) with integer weights and the ReLU."""
    W = rationals([[1, -2, 1], [0, 3, -1], [-2, 1, 2]]), rationals([[2, -1, 1, 3]])
    return {"W": W, "x": rationals(x), "sigma": homogeneous(rationals([1, 0])), "beta": rationals(beta)}


DEGENERATE = {
    "two equal points": two_layers([[1, 2], [1, 2]]),
    "points on a ray": two_layers([[1, 2], [2, 4], [3, 6]], beta=0),
    "X = 0": two_layers([[0, 0], [0, 0]]),
    "X = 0 without bias": two_layers([[0, 0]], beta=0),
    "six points": two_layers([[1, 2], [-3, 1], [0, 5], [4, -1], [2, 2], [-1, -1]]),
}


def on_rationals(name):
    """A degenerate network, exactly; the pseudo-inverses agree with those of sympy."""
    import sympy as sp

    relation = weights_decompose(**DEGENERATE[name])
    for _, S in seen_by(**DEGENERATE[name]):
        theirs = sp.Matrix(*S.shape, [sp.Rational(str(entry)) for entry in S.flat]).pinv()
        relation = relation & eq(pinv(S), rationals(np.array(theirs)))
    return relation


def share_of_the_first_layer(name, share):
    """The first term of the first layer is this share of it."""
    W, S = seen_by(**DEGENERATE[name])[0]
    return eq(first_term(W, S), share * W)


SOURCE = Source("feature_learning", "Section 3.1")
NETWORKS = {"W": WEIGHTS, "sigma": ACTIVATIONS, **DATA}
SIZES = {"depth": (1, 2, 3, 6), "inputs": range(1, 4), "width": (1, 2, 3), "outputs": range(1, 4), "points": (1, 3, 4, 6)}

CLAIM = Claim(
    id="feature_learning.weight_decomposition",
    title="Weights are a part seen by the data and an orthogonal residual",
    source=SOURCE,
    statement=weights_decompose,
    domain=Domain(NETWORKS, SIZES),
    false_variants={
        "no residual": no_residual,
        "bias weights not counted": bias_weights_not_counted,
        "transpose in place of pseudo-inverse": transposed_in_place_of_inverted,
    },
    exact={name: partial(on_rationals, name) for name in DEGENERATE}
    | {
        "X = 0 without bias: all is residual": partial(share_of_the_first_layer, "X = 0 without bias", 0),
        "six points: nothing is residual": partial(share_of_the_first_layer, "six points", 1),
    },
)

UNSEEN = Claim(
    id="feature_learning.weight_decomposition.representations",
    title="The residuals change no representation of the data",
    source=SOURCE,
    statement=residuals_are_unseen,
    domain=Domain({**NETWORKS, "elsewhere": reals("points", "inputs", role="other points")}, SIZES),
    false_variants={
        "nor any other representation": same_representations_elsewhere,
        "nor do the bias weights": without_the_bias_weights,
    },
)
