r"""Lower bounds beside Proposition 15: what the outputs 5, -5, 5 at -1, 0, 1 cost.

Statement
    For the points -1, 0, 1 and the bias 1 every network has

    .. math:: 2(f(-1) - 3f(0) + f(1)) - 1 \le \|W\|^2 .

    So the outputs 5, -5, 5 cost at least 49 at every width.
Checked
    The inequality for any network. (With rational weights: outputs 4, -5, 4 at the norm 45.)
Proof idea
    :math:`|\sigma(c - b) - 3\sigma(c) + \sigma(c + b)| \le \|(b, c)\|` and :math:`-2b_0 - 1 \le b_0^2`.
Sharp
    Three neurons.
Source
    feature_learning, Proposition 15; the bound is ours.
"""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.one_dimension import hidden_outputs
from verify import Claim, Domain, Ours, Relation, Source, Tight, ge, reals
from verify.arithmetic import Array, rationals
from verify.cones.support_graphs import like


def outputs(weights: Array, output_bias: Array) -> Array:
    """At -1, 0 and 1."""
    points = like(np.array([-1, 0, 1]), output_bias) + 0 * output_bias[..., None]
    return np.asarray(hidden_outputs(weights, points, 0 * output_bias + 1) + output_bias[..., None])


def norm_squared(weights: Array, output_bias: Array) -> Array:
    """The squared norm, that of the output bias included."""
    return np.asarray(output_bias**2 + (weights * weights).sum(axis=(-2, -1)))


def three_points(weights: Array, output_bias: Array) -> Relation:
    """The norm against the second difference with the factor 3 in the middle."""
    values = outputs(weights, output_bias)
    gain = values[..., 0] - 3 * values[..., 1] + values[..., 2]
    return ge(norm_squared(weights, output_bias), 2 * gain - 1)


# False variants


def bias_saves_nothing(weights: Array, output_bias: Array) -> Relation:
    """The bound without the 1 that the output bias saves."""
    values = outputs(weights, output_bias)
    return ge(norm_squared(weights, output_bias), 2 * (values[..., 0] - 3 * values[..., 1] + values[..., 2]))


def factor_four(weights: Array, output_bias: Array) -> Relation:
    """The factor 4 in the middle."""
    values = outputs(weights, output_bias)
    return ge(norm_squared(weights, output_bias), 2 * (values[..., 0] - 4 * values[..., 1] + values[..., 2]) - 4)


def three_neurons() -> dict[str, Array]:
    """Outputs 4, -5, 4 with norm 45: slopes to both sides, and a constant neuron, which is cheaper than the bias alone."""
    return {"weights": rationals([[[3, 3, 0], [3, -3, 0], [-2, 0, 2]]]), "output_bias": rationals([-1])}


THREE_POINTS = Claim(
    id="feature_learning.prop_15.three_points",
    title="Three outputs bound the norm of a network from below",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=three_points,
    domain=Domain({"weights": reals("neurons", 3), "output_bias": reals()}, {"neurons": (1, 2, 3, 4, 6)}),
    tight={"three neurons": Tight(three_neurons)},
    false_variants={"without the 1 of the bias": bias_saves_nothing, "factor 4 in the middle": factor_four},
)
