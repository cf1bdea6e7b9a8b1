r"""Beside Proposition 15: the cost of 5, -5, 5 at -1, 0, 1.

Statement
    For the points -1, 0, 1 and the bias 1 every network has

    .. math:: 2(f(-1) - 3f(0) + f(1)) - 1 \le \|W\|^2 + b_0^2 .

    So the outputs 5, -5, 5 cost at least 49 at every width.
Checked
    The inequality for any network. (With rational weights: outputs 4, -5, 4 at the norm 45.)
Proof idea
    :math:`|\sigma(c - b) - 3\sigma(c) + \sigma(c + b)| \le \|(b, c)\|` and :math:`-2b_0 - 1 \le b_0^2`.
Tight
    Three neurons.
Source
    feature_learning, Proposition 15; the bound is derived here.
"""

from theorems.feature_learning.constructions.one_dimension import hidden_outputs
from verify import Claim, DerivedHere, Domain, Source, reals
from verify.words import ge, norm2


def three_points(W, b_0, factor=3, saved=1):
    left, middle, right = hidden_outputs(W, [-1, 0, 1], 1) + b_0
    return ge(b_0**2 + norm2(W), 2 * (left - factor * middle + right) - saved)


def three_neurons():
    """Outputs 4, -5, 4 with norm 45: slopes to both sides, and a constant neuron, which costs less than the bias alone."""
    return {"W": [[3, 3, 0], [3, -3, 0], [-2, 0, 2]], "b_0": -1}


THREE_POINTS = Claim(
    id="feature_learning.prop_15.three_points",
    title="Three outputs bound the norm of a network from below",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=three_points,
    domain=Domain({"W": reals("neurons", 3), "b_0": reals()}, {"neurons": (1, 2, 3, 4, 6)}),
    tight={"three neurons": three_neurons},
    false_variants={"without the 1 of the bias": {"saved": 0}, "factor 4 in the middle": {"factor": 4, "saved": 4}},
)
