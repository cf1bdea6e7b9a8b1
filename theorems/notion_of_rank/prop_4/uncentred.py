r"""Proposition 4 for representations with their means.

Statement
    Without biases the inequalities of ``statement`` hold as they are for the representations themselves (``.bias_free``), for
    every activation with slopes of at most 1 and all data with outputs that are not all zero. With biases each layer can add to
    the mean. For representations that are not zero (``.with_biases``)

    .. math:: \sum_{\ell=0}^{L-1} \log \frac{\|Z_\ell\|_F^2}{s_1(Z_\ell)^2}
              \le \sum_\ell \|W_\ell\|_F^2 - L + \log \frac{\|X\|_F^2}{\|F\|_F^2}
                + 2 \sqrt N \sum_{\ell=1}^L \frac{\|b_\ell\|}{s_1(Z_{\ell-1})} .

    The last sum is at most :math:`2 \sqrt{N L B} / z` with :math:`B = \sum_\ell \|b_\ell\|^2` and z the smallest
    :math:`s_1(Z_\ell)`. With C'' for the right side then, :math:`\min_\ell (s_2/s_1)^2 \le
    \exp ((C'' - \log (\|X\|_F^2 / s_1(X)^2)) / (L-1)) - 1` over the hidden layers. So for networks of norm L + C whose
    representations do not become small, :math:`s_2/s_1 = O(L^{-1/4})` in some hidden layer, the rate that the slides print.
Checked
    All inequalities. Without a lower bound z the rate is false for networks of norm L + C: see ``witnesses``.
Proof idea
    :math:`\|Z_\ell\|_F \le \|W_\ell\|_F \, s_1(Z_{\ell-1}) + \sqrt N \|b_\ell\|`, and :math:`2 \log(t + g) \le t^2 - 1 + 2 g`
    for t, g >= 0 with t + g > 0: least at :math:`t (t + g) = 1`, where the difference grows from 0 with g.
Tight
    Isotropic networks without biases; for the terms of the biases one neuron with small biases.
Source
    Derived here, beside Proposition 4 of notion_of_rank.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from theorems.notion_of_rank.prop_3 import slopes_at_most_one
from theorems.notion_of_rank.prop_4.statement import (
    ISOTROPIC_WEIGHTS,
    OURS,
    bounds,
    energy,
    log_stable_ranks,
    near_a_line,
    network_of,
    representations,
    rounding,
    squared_ratios,
)
from theorems.shared.activations import SLOPES
from verify import Claim, DerivedHere, Domain, Networks, Q, Tight, derived, integers, interval, reals
from verify.networks import FullyConnected, identity
from verify.numbers.arithmetic import rationals
from verify.numbers.symbolic import identically_zero
from verify.words import exp, eye, le, least, log, norm2, sqrt, stable_rank, stack


def without_means_taken_off(f, X):
    return bounds(f, representations(f, X))


def with_biases(f, X, factor=2):
    Z, N, L, weights = representations(f, X), len(X), f.depth, f.weight_norm_squared
    # s_1 is the norm over the root of the stable rank
    r, B = stack([stable_rank(one) for one in Z[:-1]]), stack([norm2(b) for b in f.biases])
    s, logs = sqrt(stack([norm2(one) for one in Z[:-1]]) / r), log(r)
    each, together = (sqrt(N * B) / s).sum(), sqrt(N * L * B.sum()) / least(s)
    lost = energy(f, Z) - weights
    share = (weights + lost + factor * together - logs[0]) / (L - 1)
    # the loss of norm stands on the left: both sides of a chain with small biases are then near L
    return (
        le(logs.sum() - lost, weights + factor * each, name="layers")
        & le(logs.sum() - lost, weights + factor * together, name="smallest representation")
        & le(1 + least(squared_ratios(Z)), exp(share), name="one layer")
    )


def without_the_change_of_norm(f, X):
    return le(sum(log_stable_ranks(representations(f, X))), f.weight_norm_squared - f.depth)


def has_no_bias(f):
    return sum(norm2(b) for b in f.biases) == 0


def nothing_vanishes(f, X):
    """The outputs are one of the representations."""
    return (stack([norm2(Z) for Z in representations(f, X)]) > rounding(f, X)).all()


def largest_excess_in_symbols():
    """The difference t^2 - 1 + 2 g - 2 log(t + g) is least, for given g, at t = 1 / y with g = y - 1 / y.

    There it is 0 for y = 1, and the factors of its derivative are not negative for y >= 1.
    """
    import sympy as sp

    y, t, g = sp.symbols("y t g", positive=True)
    difference = t**2 - 1 + 2 * g - 2 * sp.log(t + g)
    at_least = difference.subs({t: 1 / y, g: y - 1 / y})
    stationary = sp.diff(difference, t).subs({t: 1 / y, g: y - 1 / y})
    return identically_zero(at_least.subs(y, 1), sp.diff(at_least, y) - 2 * (1 - 1 / y) * (1 + 1 / y**2), stationary)


def with_some_biases(network, distance, nearness, biased):
    """The network near a line, with its biases times `biased`, 0 or 1."""
    near = near_a_line(network, distance, nearness)
    return network_of(near.weights, [biased * b for b in near.biases], near.activation)


def isotropic_weights(n, L):
    """An orthogonal matrix of Frobenius norm 1 in every layer, no biases, an activation without a kink: equality."""
    return {"f": FullyConnected([ISOTROPIC_WEIGHTS[n]] * L, activation=identity()), "X": eye(n).tolist()}


def growing_chain(inverse):
    """One neuron and one point: x to x + 1 / inverse, twice."""
    return {"f": FullyConnected([rationals([[1]])] * 2, [rationals([Q(1, inverse)])] * 2), "X": [[1]]}


NETWORKS = derived(
    with_some_biases,
    network=Networks(slope=(-2, 2)),
    distance=interval(0, 1, "depth"),
    nearness=interval(0, 1),
    biased=integers(0, 1),
    role="network",
)
VARIABLES = {"f": NETWORKS, "X": reals("points", "inputs", role="points")}
SIZES = {"depth": (2, 3, 6, 14), "inputs": (1, 2, 3), "width": (2, 3), "outputs": (1, 2), "points": (1, 3, 4)}
HYPOTHESES: dict[str, Callable[..., Any]] = {SLOPES: slopes_at_most_one, "no representation is zero": nothing_vanishes}

BIAS_FREE = Claim(
    id="notion_of_rank.prop_4.bias_free",
    title="Without biases some hidden representation is nearly of rank one",
    source=OURS,
    status=DerivedHere(),
    statement=without_means_taken_off,
    domain=Domain(VARIABLES, SIZES, {**HYPOTHESES, "no biases": has_no_bias}),
    needs=(SLOPES, "no biases"),
    cost=2,
    tight={
        "isotropic in four dimensions": Tight(partial(isotropic_weights, 4, 3), of=("sum",)),
        "isotropic in the plane": partial(isotropic_weights, 2, 5),
    },
    false_variants={"without the change of norm": without_the_change_of_norm},
)

WITH_BIASES = Claim(
    id="notion_of_rank.prop_4.with_biases",
    title="Biases loosen the bound by their size relative to the representations",
    source=OURS,
    status=DerivedHere(),
    statement=with_biases,
    domain=Domain(VARIABLES, SIZES, HYPOTHESES),
    needs=(SLOPES,),
    cost=2,
    tight={
        "isotropic in the plane": partial(isotropic_weights, 2, 5),
        "a chain that grows": Tight(
            partial(growing_chain, 10_000_000),
            2e-14,
            "the biases enter to second order",
            of=("layers", "smallest representation"),
        ),
    },
    false_variants={
        "half the term of the biases": {"factor": 1},
        "no term of the biases": without_means_taken_off,
    },
    exact={"least excess in symbols": largest_excess_in_symbols},
)
