r"""Multiples of the outputs: the cost is homogeneous of degree 2/L.

Statement
    For a homogeneous activation without bias, :math:`R_n(X, tY) = |t|^{2/L} R_n(X, Y)` for all real t.
Checked
    For all weights W and :math:`|t| = s^L`: the weights sW, with the last layer times the sign of t, have the outputs
    :math:`tZ_L` and the squared norm :math:`s^2\|W\|^2`. This gives one inequality, and 1/t the other. With a bias the outputs
    are others.
Proof idea
    :math:`\sigma(st) = s\sigma(t)` in each hidden layer.
Source
    Derived here, beside the representation cost in feature_learning, Section 2.1.
"""

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS
from theorems.feature_learning.constructions.layers import WEIGHTS, representations
from verify import Claim, DerivedHere, Domain, Source, integers, interval, reals
from verify.words import eq, norm2


def compared(W, V, t, s, x, sigma, beta):
    """Outputs and norm of the weights V against those of W."""
    (Z, _), (Z_new, _) = representations(W, x, sigma, beta), representations(V, x, sigma, beta)
    return eq(Z_new[-1], t * Z[-1], name="outputs") & eq(sum(map(norm2, V)), s**2 * sum(map(norm2, W)), name="norm")


def multiples_of_weights(W, x, sigma, beta, s, sign):
    *hidden, last = W
    return compared(W, [*(s * V for V in hidden), sign * s * last], sign * s ** len(W), s, x, sigma, beta)


def only_the_last_layer(W, x, sigma, beta, s):
    *hidden, last = W
    return compared(W, [*hidden, s * last], s, s, x, sigma, beta)


def sign_of_the_first_layer(W, x, sigma, beta, sign):
    first, *others = W
    return compared(W, [sign * first, *others], sign, 1, x, sigma, beta)


CLAIM = Claim(
    id="feature_learning.multiples",
    title="Without bias the representation cost is homogeneous of degree 2/L",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=multiples_of_weights,
    domain=Domain(
        {
            "W": WEIGHTS,
            "x": reals("points", "inputs", role="points"),
            "sigma": ACTIVATIONS,
            "beta": interval(0, 1, often=(0,), role="1"),
            "s": interval(0, 3, role="free"),
            "sign": integers(-1, 1, role="free"),
        },
        {"depth": (1, 2, 3, 6), "inputs": (1, 3), "width": (1, 3), "outputs": (1, 3), "points": (1, 3)},
        {
            "there is no bias": lambda beta: beta == 0,
            "the sign is 1 or -1": lambda sign: sign * sign == 1,
            **HOMOGENEOUS,
        },
    ),
    needs=("there is no bias", "the sign is 1 or -1", *HOMOGENEOUS),
    false_variants={"only the last layer": only_the_last_layer, "the sign in the first layer": sign_of_the_first_layer},
)
