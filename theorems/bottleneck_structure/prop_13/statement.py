r"""Proposition 13: the difference of two Jacobians costs extra.

Statement
    For a network with a slope in [0, 1] of the activation, and any two points,

    .. math:: \|\theta\|^2 \ge \frac L2 \Bigl(\|Jf(x)\|_{2/L}^{2/L} + \|Jf(y)\|_{2/L}^{2/L}\Bigr)
              + \frac{\|Jf(x) - Jf(y)\|_*}{G}, \qquad
              G = \max_{1 \le \ell < L} \|J(\tilde\alpha_{\ell+1} \to f)(y)\|_{op}\, \|J\alpha_{\ell-1}(x)\|_{op} \le C^2 ,

    and, where both Jacobians have rank k, :math:`\|\theta\|^2 \ge kL + \log|Jf(x)|_+ + \log|Jf(y)|_+ + \|Jf(x) - Jf(y)\|_*/G`.
Correction
    As printed, without the equal ranks, the second inequality is false; with the hypothesis of Theorem 11 that both ranks are
    :math:`R^{(0)}(f)` it is true. The proposition has any x and y, and its proof uses the hypothesis without a word: where the
    rank at x is less, :math:`\frac L2\|Jf(x)\|_{2/L}^{2/L} - \frac L2R^{(0)}(f)` tends to :math:`-\infty` and not to
    :math:`\log|Jf(x)|_+`. The paper has the ReLU; slopes between 0 and 1 do no harm, negative ones break both.
Checked
    Both inequalities times G, without the biases, for the product of the layers, so that the points need not be smooth. The
    printed form for networks of the function of the correction, whose cost falls with the depth.
Proof idea
    For the ReLU :math:`L\|Jf\|_{2/L}^{2/L} \le \sum_\ell \|D_\ell W_\ell D_{\ell-1}\|_F^2` at both points. The telescoping sum
    bounds the nuclear norm by G times :math:`\sum_\ell \|D_{\ell+1}(y) W_{\ell+1} \Delta_\ell\|_F \|\Delta_\ell W_\ell
    D_{\ell-1}(x)\|_F`, :math:`\Delta_\ell = D_\ell(x) - D_\ell(y)`. An entry of a weight matrix counts there at most as often
    as it is missing in the two sums of the norms: 1 where one of its neurons changes or both change alike, at most 2 where they
    change in opposite directions.
Tight
    The absolute value, at depth 2. The second one where the singular values are 1, too.
Source
    bottleneck_structure, Proposition 13; the form with G and without a rank, the slopes and the proof of the constant are
    derived here.
"""

from functools import partial
from itertools import pairwise

import numpy as np

from theorems.bottleneck_structure.constructions.near_isometries import around_identity, diagonal_layers
from theorems.bottleneck_structure.constructions.points import stretching
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Networks, Source, Tight, derived, integers, interval, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import Q, eye, ge, lifted, log_pseudo_determinant, nuclear_norm, ones, rank, schatten_power, vector, zeros

G = lifted(stretching)


def volumes(f, x, y):
    r""":math:`\log|Jf(x)|_+ + \log|Jf(y)|_+`."""
    return log_pseudo_determinant(f.jacobian(x)) + log_pseudo_determinant(f.jacobian(y))


def change(f, x, y):
    return nuclear_norm(f.jacobian(x) - f.jacobian(y))


def mean_norm(f, x, y):
    L = f.depth
    return L * (schatten_power(f.jacobian(x), Q(2, L)) + schatten_power(f.jacobian(y), Q(2, L))) / 2


def beyond_the_volumes(f, x, y, volume=1, difference=1):
    extra = f.weight_norm_squared - rank(f.jacobian(x)) * f.depth - volume * volumes(f, x, y)
    return ge(extra * G(f, x, y), difference * change(f, x, y))


def beyond_the_norms(f, x, y):
    return ge((f.weight_norm_squared - mean_norm(f, x, y)) * G(f, x, y), change(f, x, y))


def without_the_constant(f, x, y):
    return ge(f.weight_norm_squared - mean_norm(f, x, y), change(f, x, y))


def sum_of_both_norms(f, x, y):
    return ge(f.weight_norm_squared, 2 * mean_norm(f, x, y))


def any_ranks(f):
    r"""The print on both sides of the kink of :math:`f(x) = (x_1, \delta\sigma(x_2))`, where R0 = 2 and C = 1.

    The left side falls to :math:`2\log\delta` as the depth grows, so that it bounds the first correction from above.
    """
    x, y = ones(2), vector(1, -1)
    return ge(f.weight_norm_squared - 2 * f.depth, volumes(f, x, y) + change(f, x, y))


def absolute_value(weight):
    """The network of depth 2 for a multiple of the absolute value, on both sides of the kink."""
    w = rationals(weight)
    return {"f": FullyConnected([w * rationals([[1], [-1]]), w * rationals([[1, 1]])]), "x": [1], "y": [-1]}


def two_absolute_values():
    """Two of them side by side, with a change of sign in both coordinates: rank 2."""
    first, second = rationals([[1, 0], [-1, 0], [0, 1], [0, -1]]), rationals([[1, 1, 0, 0], [0, 0, 1, 1]])
    return {"f": FullyConnected([first, second]), "x": [1, 2], "y": [-1, -3]}


def kink_between_scalars(outer, inner):
    """A multiple of the absolute value at depth 4, whose first and last layer scale by `outer`, those at the kink by `inner`.

    G is the square of the larger of them. A bias lifts the values before the kink above 0, and is taken back there.
    """
    end, kink = rationals([[outer]]), rationals(inner)
    weights = [end, kink * np.array([[1], [-1]]), kink * np.array([[1, 1]]), end]
    biases = [rationals([3]), 3 * kink * np.array([-1, 1]), rationals([0]), rationals([0])]
    return {"f": FullyConnected(weights, biases), "x": [1], "y": [-1]}


def kink_before_identities(depth, width):
    """The free numbers of the absolute value at a depth of 3 or more: lifted by 3, taken back, and passed on by one neuron."""
    widths, kink = [1, *[width] * (depth - 1), 1], {}
    for layer, (n, m) in enumerate(pairwise(widths), start=1):
        kink[f"W{layer}"], kink[f"b{layer}"] = np.outer(eye(m)[0], eye(n)[0]), zeros(m)
    one, two = eye(width)[:2]
    kink |= {"b1": 3 * one, "b2": 3 * (two - one), "W2": np.outer(one - two, one), "W3": kink["W3"] + kink["W3"][:, :1] * two}
    network = {f"f.network.{name}": values for name, values in kink.items()}
    return {**network, "f.network.slope": 0, "f.kind": 0, "x": [1], "y": [-1]}


def few_combinations(sizes):
    """Beyond depth 4 narrow networks only."""
    return sizes["depth"] <= 4 or sizes["width"] * sizes["inputs"] * sizes["outputs"] <= (8 if sizes["depth"] < 13 else 2)


STRETCHED = {
    f"between layers that stretch a little, {name}": Tight(
        partial(kink_between_scalars, "1048577/1048576", inner), 1e-11, "equal up to the square of 2^-20"
    )
    for name, inner in {"less at the kink": "1048575/1048576", "as much at the kink": "1048577/1048576"}.items()
}
EXAMPLES = [kink_before_identities(depth, width) for depth, width in ((3, 2), (3, 4), (4, 2), (4, 4), (6, 2), (6, 4), (13, 2))]
NETWORK = derived(lifted(around_identity), network=Networks(slope=(-2, 2)), kind=integers(0, 1), role="network")
PAIRS = {"f": NETWORK, "x": reals("inputs", role="point"), "y": reals("inputs", role="second point")}
SIZES = {"depth": (2, 3, 4, 6, 13), "inputs": (1, 2, 3), "width": (1, 2, 4), "outputs": (1, 3)}
NOT_NEGATIVE = {"the slope is between 0 and 1": lambda f: (f.activation.negative >= 0) & (f.activation.negative <= 1)}
RANKS = {"the Jacobians have the same rank": lambda f, x, y: rank(f.jacobian(x)) == rank(f.jacobian(y))}
SOURCE = Source("bottleneck_structure", "Proposition 13")

CLAIM = Claim(
    id="bottleneck_structure.prop_13",
    title="Two Jacobians of one rank that differ cost more than their volumes",
    source=SOURCE,
    statement=beyond_the_volumes,
    domain=Domain(PAIRS, SIZES, {**NOT_NEGATIVE, **RANKS}, few_combinations),
    needs=(*NOT_NEGATIVE, *RANKS),
    cost=3,
    examples=EXAMPLES,
    tight={"absolute value": partial(absolute_value, 1), "two absolute values": two_absolute_values, **STRETCHED},
    false_variants={"twice the difference": {"difference": 2}, "twice the volumes": {"volume": 2}},
)

NORMS = Claim(
    id="bottleneck_structure.prop_13.norms",
    title="Two Jacobians that differ cost more than their mean Schatten norm",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=beyond_the_norms,
    domain=Domain(PAIRS, SIZES, NOT_NEGATIVE, few_combinations),
    needs=tuple(NOT_NEGATIVE),
    cost=3,
    examples=EXAMPLES,
    tight={
        "half the absolute value": partial(absolute_value, "1/2"),
        "two absolute values": two_absolute_values,
        "between layers that stretch": partial(kink_between_scalars, "2", "2"),
        **STRETCHED,
    },
    false_variants={"without the constant": without_the_constant, "the sum of both norms": sum_of_both_norms},
)

PRINTED = Claim(
    id="bottleneck_structure.prop_13.printed",
    title="The bound of Proposition 13 holds for Jacobians of any ranks",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=any_ranks,
    domain=Domain({"f": derived(lifted(diagonal_layers), root=interval(Q(1, 4), 1))}, {"depth": (2, 3, 4, 6, 13)}),
)
