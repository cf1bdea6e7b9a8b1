r"""Corollary 8: most pre-activations are nearly of rank k.

Statement
    For a balanced network of depth L with slopes in [-1, 1], and points :math:`x_1, \ldots, x_N` with
    :math:`\mathrm{rank}\, Jf(x_i) = k \ge 1`, put :math:`c_1 = \|\theta\|^2 - kL`, :math:`B = c_1 - 2\log|Jf(x)|_+` for any one
    of the points, and

    .. math:: C = \frac1N \sum_i \frac{c_i \max\{1, e^{c_1/k}\}}{k\, |Jf(x_i)|_+^{2/k}} .

    At most pL layers have :math:`s_{k+1}(N^{-1/2} \tilde\alpha_\ell(X)) > \sqrt B (\sqrt C + \sqrt p) / (p \sqrt L)`.
Correction
    The corollary is printed with one c, the average of :math:`c_i = \mathrm{Tr}\,\Theta(x_i, x_i) / L`, in place of each: see
    ``averages``. With the largest it is true. The proof claims (1 - 2p)L layers; (1 - p)L is right.
Checked
    A stronger form, for all j: of the j layers with the largest :math:`s_{k+1}`,

    .. math:: \Bigl(\sum_{\text{j largest}} s_{k+1}(N^{-1/2} \tilde\alpha_\ell(X))\Bigr)^2 \le B\,(LC + j) ,

    with the kernel without the share of the biases and the least B. Points may occur several times.
Proof idea
    :math:`s_{k+1}(W\alpha + b1^T) \le s_{k+1}(W) \|\alpha\| + \|b\|`, the theorem of Cauchy and Schwarz, Theorem 6 for the
    first factor and Theorem 7 at every point for the second.
Tight
    For j = 1: a small sample and a bias of its size across it. In C the norm of the sample stands for its operator norm: there
    the proof loses a factor of up to k + 1.
Not checked
    That balancedness is needed: it is known of Theorem 7, which enters.
Source
    bottleneck_structure, Corollary 17; the form for the j largest layers is derived here.
"""

from functools import partial

import numpy as np

from theorems.bottleneck_structure.constructions import samples
from theorems.bottleneck_structure.constructions.arrays import descending
from theorems.bottleneck_structure.constructions.balanced import BALANCED, partly_identity
from theorems.shared.activations import SLOPES
from verify import Claim, DerivedHere, Domain, Source, Tight, derived, integers, reals
from verify.claims.domain import Hypothesis
from verify.networks import FullyConnected, leaky_relu
from verify.numbers.arithmetic import rationals
from verify.words import exp, eye, greatest, le, lifted, log_pseudo_determinant, maximum, rank, stack, where

network, leaky, balanced_or_identity = lifted(FullyConnected), lifted(leaky_relu), lifted(partly_identity)
sorted_down, singular_values = lifted(descending), lifted(samples.singular_values_of_sample)
kernel_traces, are_smooth = lifted(samples.kernel_traces), lifted(samples.are_smooth)


def next_singular_values(f, X, shares, k):
    r""":math:`s_{k+1}` of the pre-activations of each layer, in descending order."""
    spectra = [singular_values(values, shares) for values in f.preactivations(X)]
    return sorted_down(stack([where(np.arange(len(s)) == k, s, 0).sum() for s in spectra]))


def log_volumes(f, X):
    r""":math:`\log|Jf(x_i)|_+`."""
    return log_pseudo_determinant(f.jacobian(X))


def excess(f, k):
    """:math:`c_1`."""
    return f.parameter_norm_squared - k * f.depth


def factors_of_kernel(f, volumes, k):
    r""":math:`\max\{1, e^{c_1/k}\} / (k |Jf(x_i)|_+^{2/k})`."""
    return exp(maximum(excess(f, k), 0) / k - 2 * volumes / k) / k


def sample_is_nearly_of_rank_k(f, X, copies, first=1, kernel=1, less=0, each=1):
    k, shares, volumes = rank(f.jacobian(X[0])), copies / copies.sum(), log_volumes(f, X)
    B = excess(f, k) - 2 * greatest(volumes)
    LC = (shares * kernel_traces(f, X, biases=False) * factors_of_kernel(f, volumes, k)).sum()
    values = next_singular_values(f, X, shares, k - less)
    return le(np.cumsum(values) ** 2, B * (kernel * LC + first + each * np.arange(f.depth)))


def equal_ranks(f, X):
    """The Jacobians at all points have one rank, which is not 0, and no hidden neuron is at its kink."""
    ranks = rank(f.jacobian(X))
    return (are_smooth(f, X) & (ranks > 0) & (ranks == ranks[0])).all()


def halved(values, times):
    """Halved so many times, from 0 to 10."""
    counts = np.arange(11)
    return values / where(counts == times, 2**counts, 0).sum()


def with_small_bias(f, kind, bias, halvings):
    """The network (kind 0), with another balance (1), or identities with a linear activation (2) or the ReLU (3); with a small
    bias at the end.

    The bias is halved `halvings` times and once more. Balancedness says nothing of it, and across what the identities keep it
    nearly attains the bounds for small points. With the ReLU points of different quadrants have Jacobians of rank 1 and span
    more dimensions, the larger the farther they are: what the kernel is for.
    """
    identity, linear = 1 * (kind > 1), 1 * (kind == 2)
    chain = balanced_or_identity(f, where(kind > 2, kind - 1, kind), 1 + 0 * kind)
    across = where(np.arange(f.widths[-1]) < min(f.widths), 1 - identity, 1)
    biases = [*chain.biases[:-1], chain.biases[-1] + across * halved(bias, halvings) / 2]
    return network(chain.weights, biases, leaky((1 - identity) * f.activation.negative + linear))


def with_bias_pairs(f, kind, bias, halvings, paired):
    """`with_small_bias`; or, at depth 2 where `paired` is 1, a linear network that keeps one coordinate, with biases.

    Two hidden neurons have a bias and no weights before them, and cancel behind: the network stays balanced. Another bias of
    this size stands at the end, across what is kept.
    """
    other = with_small_bias(f, kind, bias, halvings)
    if f.depth > 2 or f.widths[1] < 3:
        return other
    h = halved(bias[0], halvings) / 64
    first, second = ((0 * W) for W in f.weights)
    e, g = eye(f.widths[1]), eye(f.widths[2])
    first = first + e[:, :1] * eye(f.widths[0])[:1]
    second = second + g[:, :1] * (e[0] + h * e[1] - h * e[2])
    weights = [where(paired == 1, one, W) for one, W in zip((first, second), other.weights, strict=True)]
    shifts = (h * (e[1] + e[2]), h * g[1])
    biases = [where(paired == 1, one, b) for one, b in zip(shifts, other.biases, strict=True)]
    return network(weights, biases, leaky(where(paired == 1, 1, other.activation.negative)))


def near_or_far(X, halvings):
    """Points with entries from some dozens to some hundredths."""
    return halved(16 * X, halvings)


def orthogonal_bias(depth):
    """Linear layers that keep one coordinate, and at the end a bias of the size of the sample across it."""
    small, zero = rationals("1/2097152"), rationals([0, 0])
    biases = [*[zero] * (depth - 1), small * rationals([0, 1])]
    f = FullyConnected([rationals([[1, 0], [0, 0]])] * depth, biases, leaky_relu(1))
    return {"f": f, "X": small * rationals([[1, 0], [-1, 0]]), "copies": [1, 1]}


def few_points_of_many(sizes):
    """Depth 6 for two inputs and outputs only."""
    return sizes["depth"] < 6 or sizes["inputs"] == sizes["outputs"] == 2


SOURCE = Source("bottleneck_structure", "Corollary 17")
HYPOTHESES: dict[str, Hypothesis] = {
    "the Jacobians have one rank": equal_ranks,
    "balanced": lambda f: f.is_balanced(),
    SLOPES: lambda f: f.activation.lipschitz_constant <= 1,
}
SMALL_SAMPLES = "equality is approached for small samples"

CLAIM = Claim(
    id="bottleneck_structure.corollary_8",
    title="In most layers a sample is nearly of rank k",
    source=SOURCE,
    status=DerivedHere(),
    statement=sample_is_nearly_of_rank_k,
    cost=3,
    domain=Domain(
        {
            "f": derived(
                with_bias_pairs,
                f=BALANCED,
                kind=integers(0, 3),
                bias=reals("outputs"),
                halvings=integers(0, 6),
                paired=integers(0, 1),
                role="network",
            ),
            "X": derived(near_or_far, X=reals(3, "inputs", role="few points"), halvings=integers(0, 10, role="free")),
            "copies": integers(1, 3, 3, role="ones"),
        },
        {"depth": (2, 3, 6), "inputs": range(1, 4), "width": range(2, 4), "outputs": range(2, 4)},
        HYPOTHESES,
        few_points_of_many,
    ),
    needs=(SLOPES,),
    tight={
        "an orthogonal bias": Tight(partial(orthogonal_bias, 1), 1e-12, SMALL_SAMPLES),
        "an orthogonal bias at the end": Tight(partial(orthogonal_bias, 3), 1e-12, SMALL_SAMPLES, partly=True),
    },
    false_variants={
        "j - 1 in place of j": {"first": 0},
        "j alone": {"kernel": 0},
        "s_k": {"less": 1},
        "1 in place of j": {"each": 0},
    },
)
