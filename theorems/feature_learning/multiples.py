r"""Multiples of the outputs: without bias the representation cost is homogeneous of degree 2/L.

Statement
    For a homogeneous activation without bias, :math:`R_n(X, tY) = |t|^{2/L} R_n(X, Y)` for all real t.
Checked
    For all weights: those times s > 0, with the last layer times the sign of t, have the outputs :math:`tZ_L` for
    :math:`|t| = s^L`, and the squared norm :math:`s^2\|W\|^2`. This gives one inequality, and 1/t the other. With a bias the
    outputs are others.
Proof idea
    :math:`\sigma(st) = s\sigma(t)` in each hidden layer.
Source
    ours, beside the representation cost in feature_learning, Section 2.1.
"""

from __future__ import annotations

from collections.abc import Sequence

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS, Activation
from theorems.feature_learning.constructions.layers import WEIGHTS, matrix_like, representations
from theorems.feature_learning.constructions.reformulation import squared_norm
from verify import Claim, Domain, Ours, Relation, Source, eq, integers, interval, reals
from verify.arithmetic import Array, compare


def multiples_of_weights(
    weights: Sequence[Array], points: Array, activation: Activation, bias: Array, s: Array, sign: Array
) -> Relation:
    """Outputs and norm of the weights times s, the last layer times a sign."""
    scaled = [matrix_like(s) * weight for weight in weights[:-1]] + [matrix_like(sign * s) * weights[-1]]
    old, new = (representations(each, points, activation, bias)[0][-1] for each in (weights, scaled))
    factor = matrix_like(sign * s ** len(weights))
    return eq(new, factor * old, name="outputs", over=2) & eq(squared_norm(scaled), s**2 * squared_norm(weights), name="norm")


# False variants


def only_the_last_layer(weights: Sequence[Array], points: Array, activation: Activation, bias: Array, s: Array) -> Relation:
    """The last layer times s."""
    scaled = [*weights[:-1], matrix_like(s) * weights[-1]]
    old, new = (representations(each, points, activation, bias)[0][-1] for each in (weights, scaled))
    return eq(new, matrix_like(s) * old, over=2) & eq(squared_norm(scaled), s**2 * squared_norm(weights))


def sign_of_the_first_layer(
    weights: Sequence[Array], points: Array, activation: Activation, bias: Array, sign: Array
) -> Relation:
    """The sign in the first layer in place of the last."""
    scaled = [matrix_like(sign) * weights[0], *weights[1:]]
    old, new = (representations(each, points, activation, bias)[0][-1] for each in (weights, scaled))
    return eq(new, matrix_like(sign) * old, over=2)


CLAIM = Claim(
    id="feature_learning.multiples",
    title="Without bias the representation cost is homogeneous of degree 2/L",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=multiples_of_weights,
    domain=Domain(
        {
            "weights": WEIGHTS,
            "points": reals("points", "inputs"),
            "activation": ACTIVATIONS,
            "bias": interval(0, 1, often=(0,)),
            "s": interval(0, 3),
            "sign": integers(-1, 1),
        },
        {"depth": (1, 2, 3, 6), "inputs": (1, 3), "width": (1, 3), "outputs": (1, 3), "points": (1, 3)},
        {
            "there is no bias": lambda bias: compare(bias, 0) == 0,
            "the sign is 1 or -1": lambda sign: sign * sign == 1,
            **HOMOGENEOUS,
        },
    ),
    needs=("there is no bias", "the sign is 1 or -1", *HOMOGENEOUS),
    false_neighbours={"only the last layer": only_the_last_layer, "the sign in the first layer": sign_of_the_first_layer},
)
