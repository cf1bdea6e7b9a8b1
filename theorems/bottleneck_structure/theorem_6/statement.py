r"""Theorem 15: weights near partial isometries, summed over the layers.

Statement
    For a network of depth L with :math:`\mathrm{rank}\, Jf(x) = k` there are :math:`U_\ell, V_\ell` with k orthonormal
    columns such that

    .. math:: \sum_\ell \|W_\ell - U_\ell V_\ell^T\|_F^2 + \|b_\ell\|^2 \le B = \|\theta\|^2 - kL - 2\log|Jf(x)|_+ .
Checked
    The inequality at the best frames, where a layer costs
    :math:`\|W_\ell\|_F^2 + k - 2\sum_{i \le k} s_i(W_\ell) + \|b_\ell\|^2`: nothing existential is left. Every slope in [-1, 1]
    is allowed, the paper's (-1, 1) is not needed; slopes beyond break it.
Proof idea
    The bound says :math:`\log|Jf(x)|_+ \le \sum_\ell \sum_{i \le k} (s_i(W_\ell) - 1)`: the volume of the Jacobian is at most
    the product of those of the layers, and :math:`\log s \le s - 1`. Only the product formula of the Jacobian is used, so that
    the point need not be smooth. For k = 0 both sides are equal.
Tight
    Layers whose k largest singular values are 1.
Source
    bottleneck_structure, Theorem 15.
"""

from functools import partial

import numpy as np

from theorems.bottleneck_structure.constructions.near_isometries import around_identity
from theorems.bottleneck_structure.constructions.points import has_nonzero_derivative
from verify import Claim, Domain, Networks, Source, Tight, derived, integers, reals
from verify.claims.domain import Hypothesis
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import eye, le, lifted, log_pseudo_determinant, norm2, rank, singular_values, stack, where

has_derivative = lifted(has_nonzero_derivative)


def sum_of_largest(s, k):
    return where(np.arange(len(s)) < k, s, 0).sum()


def distances(f, k):
    r"""For each layer the least :math:`\|W_\ell - U_\ell V_\ell^T\|_F^2 + \|b_\ell\|^2` over all frames with k columns."""
    pairs = zip(f.weights, f.biases, strict=True)
    return stack([norm2(W) + k - 2 * sum_of_largest(singular_values(W), k) + norm2(b) for W, b in pairs])


def bound(f, x, log_factor=2):
    r""":math:`B = \|\theta\|^2 - kL - 2\log|Jf(x)|_+`."""
    J = f.jacobian(x)
    return f.parameter_norm_squared - rank(J) * f.depth - log_factor * log_pseudo_determinant(J)


def weights_are_nearly_isometries(f, x, log_factor=2):
    return le(distances(f, rank(f.jacobian(x))).sum(), bound(f, x, log_factor))


def with_one_more_dimension(f, x):
    return le(distances(f, rank(f.jacobian(x))).sum(), bound(f, x) - f.depth)


def biases_are_free(f, x):
    left = distances(f, rank(f.jacobian(x))).sum()
    return le(left, bound(f, x) - (f.parameter_norm_squared - f.weight_norm_squared))


def one_short_side(long=1, **others):
    r""":math:`W_1 = \mathrm{diag}(s, d)`, :math:`W_2 = (1, 0)`, d = 1/2: for s = 1 both sides are :math:`d^2`."""
    weights = [rationals([[long, 0], [0, "1/2"]]), rationals([[1, 0]])]
    return {"f": FullyConnected(weights), "x": [1, 1], **others}


def identities_with_biases(depth=3, kept=2):
    """Layers that keep some coordinates, with biases of squared norms 1 and 4, and then 0."""
    basis = rationals(eye(kept))
    biases = [basis[0], 2 * basis[-1], *[0 * basis[0]] * (depth - 2)]
    return {"f": FullyConnected([basis] * depth, biases), "x": [1] * kept}


def few_combinations(sizes):
    """Depth 13 for narrow networks only."""
    return sizes["depth"] < 13 or sizes["width"] * sizes["inputs"] * sizes["outputs"] <= 2


POINT = reals("inputs", role="point")
SIZES = {"depth": (2, 3, 4, 6, 13), "inputs": range(1, 4), "width": range(1, 5), "outputs": range(1, 4)}
SLOPES: dict[str, Hypothesis] = {
    "the slope is between -1 and 1": lambda f: (f.activation.negative >= -1) & (f.activation.negative <= 1)
}
DERIVATIVE: dict[str, Hypothesis] = {"f has a derivative at x that is not zero": lambda f, x: has_derivative(f, x)}
NEARLY_ONE = Tight(partial(one_short_side, "2097153/2097152"), 1e-12, "log s is s - 1 to first order, up to 2^-42")
"""The volume of the Jacobian has a logarithm that is not 0."""

CLAIM = Claim(
    id="bottleneck_structure.theorem_6",
    title="Most weight matrices are nearly partial isometries of rank k",
    source=Source("bottleneck_structure", "Theorem 15"),
    statement=weights_are_nearly_isometries,
    domain=Domain(
        {
            "f": derived(lifted(around_identity), network=Networks(slope=(-2, 2)), kind=integers(0, 1), role="network"),
            "x": POINT,
        },
        SIZES,
        {**DERIVATIVE, **SLOPES},
        few_combinations,
    ),
    needs=tuple(SLOPES),
    tight={
        "one short side": one_short_side,
        "identities with biases": identities_with_biases,
        "three coordinates, depth 6": partial(identities_with_biases, 6, 3),
        "one coordinate, depth 13": partial(identities_with_biases, 13, 1),
        "one short side, the other nearly 1": NEARLY_ONE,
    },
    false_variants={
        "without the volume": {"log_factor": 0},
        "k + 1 in B": with_one_more_dimension,
        "biases not in B": biases_are_free,
    },
)
