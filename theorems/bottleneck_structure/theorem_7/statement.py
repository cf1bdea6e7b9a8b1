r"""Theorem 7: the kernel bounds the sum of the squared representations.

Statement
    For a balanced network of depth L with slopes in [-1, 1], :math:`\mathrm{rank}\, Jf(x) = k \ge 1` and
    :math:`c_1 = \|\theta\|^2 - kL`,

    .. math:: k\, |Jf(x)|_+^{2/k}\, \sum_{\ell=1}^L \|\alpha_{\ell-1}(x)\|^2
              \le \max\{1, e^{c_1/k}\}\, \mathrm{Tr}\,\Theta(x, x) .
Correction
    The talk has :math:`e^{2c_1/k}` without the maximum, which is false for :math:`c_1 < 0`.
Checked
    With the kernel without the share of the biases, which is smaller, and divided by the exponential. The form of the talk is
    refuted with the whole kernel.
Proof idea
    See ``steps``. The paper notes that balancedness may be weakened; it cannot be dropped.
Tight
    Identities at a non-negative point; one layer near the identity, to first order.
Source
    bottleneck_structure, Theorem 16; the form of the talk is in symmetry_learning, convergence of the representations.
"""

from functools import partial

from theorems.bottleneck_structure.constructions.balanced import BALANCED, partly_identity, small_depths
from theorems.bottleneck_structure.constructions.points import has_nonzero_derivative
from theorems.shared.activations import SLOPES
from verify import Claim, Domain, FalseAsPrinted, Networks, Source, Tight, derived, integers, interval, reals
from verify.claims.domain import Hypothesis
from verify.networks import FullyConnected
from verify.networks.ntk import ntk_trace
from verify.numbers.arithmetic import rationals
from verify.words import diag, exp, eye, le, lifted, log_pseudo_determinant, maximum, norm2, rank, stack

kernel_trace, has_derivative = lifted(ntk_trace), lifted(has_nonzero_derivative)


def excess_per_dimension(f, k):
    """:math:`c_1 / k`."""
    return f.parameter_norm_squared / k - f.depth


def log_mean_volume(f, x, k):
    r""":math:`\frac2k \log|Jf(x)|_+`."""
    return 2 * log_pseudo_determinant(f.jacobian(x)) / k


def squared_activations(f, x):
    r""":math:`\|\alpha_0\|^2, \ldots, \|\alpha_{L-1}\|^2`."""
    return stack([norm2(alpha) for alpha in f.activations(x)])


def if_positive(excess):
    return maximum(excess, 0)


def representations_are_bounded(f, x, growth=if_positive, biases=False):
    """The theorem, divided by the exponential."""
    k = rank(f.jacobian(x))
    factor = exp(log_mean_volume(f, x, k) - growth(excess_per_dimension(f, k)))
    return le(k * squared_activations(f, x).sum() * factor, kernel_trace(f, x, biases=biases))


def volume_not_averaged(f, x):
    k = rank(f.jacobian(x))
    factor = exp(k * log_mean_volume(f, x, k) - if_positive(excess_per_dimension(f, k)))
    return le(k * squared_activations(f, x).sum() * factor, kernel_trace(f, x, biases=False))


def identities(depth, kept, lost, **others):
    """Layers that keep the first coordinates, which are positive; the others are zero, and the last layer has none."""
    layer = rationals(diag([1] * kept + [0] * lost))
    x = [*range(2, 2 + kept), *[0] * lost]
    return {"f": FullyConnected([*[layer] * (depth - 1), layer[:kept]]), "x": x, **others}


def one_layer_near_identity(**others):
    """One layer, a little more than the identity of two coordinates."""
    return {"f": FullyConnected([rationals("4194305/4194304") * rationals(eye(2))]), "x": [2, 3], **others}


IDENTITIES = {
    "identities": partial(identities, 4, 2, 0),
    "one coordinate of two, depth 13": partial(identities, 13, 1, 1),
    "two coordinates of three, depth 2": partial(identities, 2, 2, 1),
    "three coordinates, depth 6": partial(identities, 6, 3, 0),
}
"""Tight examples, of each rank."""
FIRST_ORDER = "s^2 exp(1 - s^2) is 1 to first order"
SIZES = {"depth": (2, 3, 4, 6, 13), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)}
VARIABLES = {
    "f": derived(
        lifted(partly_identity), network=BALANCED, kind=integers(0, 2), scale=interval(0.5, 2, often=(1,)), role="network"
    ),
    "x": reals("inputs", role="point"),
}
RANK: dict[str, Hypothesis] = {
    "f has a derivative at x that is not zero": lambda f, x: has_derivative(f, x),
    SLOPES: lambda f: f.activation.lipschitz_constant <= 1,
}
HYPOTHESES: dict[str, Hypothesis] = {**RANK, "balanced": lambda f: f.is_balanced()}
ANY = {"f": Networks(slope=(-2, 2)), "x": reals("inputs", role="point")}

CLAIM = Claim(
    id="bottleneck_structure.theorem_7",
    title="Where the kernel is of order L the representations stay bounded",
    source=Source("bottleneck_structure", "Theorem 16"),
    statement=representations_are_bounded,
    cost=2,
    domain=Domain(VARIABLES, SIZES, HYPOTHESES, small_depths),
    needs=("balanced", SLOPES),
    tight={**IDENTITIES, "one layer near the identity": Tight(one_layer_near_identity, 1e-12, FIRST_ORDER)},
    false_variants={
        "without the maximum": {"growth": lambda excess: excess},
        "without the excess": {"growth": lambda excess: 0 * excess},
        "the volume itself": volume_not_averaged,
    },
)

PRINTED = Claim(
    id="bottleneck_structure.theorem_7.printed",
    title="Theorem 7 as in the talk, without the maximum",
    source=Source("symmetry_learning", "Convergence of the representations"),
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=partial(representations_are_bounded, growth=lambda excess: 2 * excess, biases=True),
    domain=Domain(ANY, {**SIZES, "depth": range(1, 3)}, HYPOTHESES),
)
