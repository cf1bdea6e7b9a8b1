r"""The activation twice in the last hidden layer is once for the ReLU.

Statement
    The talk writes :math:`\alpha_\ell = \sigma(W_\ell \alpha_{\ell-1} + b_\ell)` and
    :math:`f = W_L \sigma(\alpha_{L-1}) + b_L`.
Correction
    As printed this has the activation twice, a slip in a definition. That is the network of the paper for the ReLU, and where
    nothing is negative; for other slopes it is another function.
Checked
    The equality of the two networks there; without the hypothesis it is refuted.
Proof idea
    The ReLU is idempotent.
Source
    symmetry_learning, definition of the network.
"""

from verify import Claim, Domain, FalseAsPrinted, Networks, Source, reals
from verify.words import eq, nonnegative


def activation_once_or_twice(f, x):
    twice = f.activation(f.activations(x)[-1])
    return eq(f(x), f.weights[-1] @ twice + f.biases[-1])


def without_activation(f, x):
    return eq(f(x), f.weights[-1] @ f.preactivations(x)[-2] + f.biases[-1])


def idempotent_at(f, x):
    a = f.activation.negative
    return (a * a == a) | nonnegative(f.preactivations(x)[-2])


HIDDEN = {"f": Networks(slope=(-2, 2)), "x": reals("inputs", role="point")}
SIZES = {"depth": (2, 3, 6), "inputs": range(1, 3), "width": range(1, 4), "outputs": range(1, 4)}
SOURCE = Source("symmetry_learning", "definition of the network")
IDEMPOTENT_THERE = "ReLU or linear, or nothing below zero"

IDEMPOTENT = Claim(
    id="bottleneck_structure.homogeneous_activations.idempotent",
    title="The activation twice in the last hidden layer is once for the ReLU",
    source=SOURCE,
    statement=activation_once_or_twice,
    domain=Domain(HIDDEN, SIZES, {IDEMPOTENT_THERE: idempotent_at}),
    needs=(IDEMPOTENT_THERE,),
    false_variants={"no activation": without_activation},
)

PRINTED = Claim(
    id="bottleneck_structure.homogeneous_activations.printed",
    title="The talk's network, with the activation twice in the last layer",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=IDEMPOTENT.id),
    statement=activation_once_or_twice,
    domain=Domain(HIDDEN, SIZES),
)
