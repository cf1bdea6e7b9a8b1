r"""Proposition 4: some hidden representation is nearly of rank one.

Statement
    The slides: for a global minimiser of norm L + C there is a hidden layer whose representation has
    :math:`s_2 / s_1 = O(L^{-1/4})`.
Correction
    Here for representations without their means, for all networks and in numbers. Let :math:`Z_\ell` hold the activations of N
    data in layer :math:`\ell` as columns, :math:`Z_0 = X`, :math:`Z_L = F`, and let a c mark that the mean over the data is
    taken off. For an activation with slopes of at most 1 and outputs that are not all equal

    .. math:: \sum_{\ell=0}^{L-1} \log \frac{\|Z^c_\ell\|_F^2}{s_1(Z^c_\ell)^2} \le C' :=
              \sum_{\ell=1}^L \|W_\ell\|_F^2 - L + \log \frac{\|X^c\|_F^2}{\|F^c\|_F^2} ,
              \qquad
              \min_{1 \le \ell \le L-1} \frac{s_2(Z^c_\ell)^2}{s_1(Z^c_\ell)^2}
              \le \exp \frac{C' - \log (\|X^c\|_F^2 / s_1(X^c)^2)}{L-1} - 1 .

    For networks of norm L + C, in particular global minimisers (Proposition 2), C' is bounded, so that in some hidden layer
    :math:`s_2 / s_1 = O(L^{-1/2})`: more than the slides' rate, but without the means. With the means see ``uncentred``; that
    the exponent 1/2 is the best, ``exponent``.
Checked
    Both inequalities. What each layer contributes is the subject of ``layers``.
Proof idea
    :math:`\|Z^c_\ell\|_F \le \|W_\ell Z^c_{\ell-1}\|_F \le \|W_\ell\|_F \, s_1(Z^c_{\ell-1})` and :math:`t e^{1-t} \le 1`.
Tight
    Data with equal singular values, and isometries of Frobenius norm 1 in every layer; in the plane for the second inequality.
Not checked
    The slides' sentence on representations with their means at global minimisers is open: their norm alone does not give it
    (``witnesses``).
Source
    notion_of_rank, Proposition 4; the inequality for centred representations is derived here.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.prop_3 import slopes_at_most_one
from theorems.shared.activations import SLOPES
from verify import Claim, DerivedHere, Domain, Networks, Source, Tight, derived, integers, interval, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import exp, eye, greatest, le, least, lifted, log, norm2, singular_values, sqrt, stable_rank, stack, where

network_of = lifted(FullyConnected)


def representations(f, X):
    r""":math:`Z_0^T, \ldots, Z_L^T`: a row for each of the N data."""
    return [*f.activations(X), f(X)]


def centred(Z):
    return Z - Z.sum(axis=0) / len(Z)


def centred_representations(f, X):
    return [centred(Z) for Z in representations(f, X)]


def energy(f, Z):
    """C' of these representations, centred or not."""
    return f.weight_norm_squared - f.depth + log(norm2(Z[0]) / norm2(Z[-1]))


def squared_ratio(Z):
    s = singular_values(Z)
    return (s[1] / s[0]) ** 2 if len(s) > 1 else 0


def squared_ratios(Z):
    """Of the hidden layers."""
    return stack([squared_ratio(one) for one in Z[1:-1]])


def log_stable_ranks(Z):
    return [log(stable_rank(one)) for one in Z[:-1]]


def bounds(f, Z):
    """Both inequalities for these representations, arranged such that no side is near zero."""
    weights = f.weight_norm_squared
    return le(sum(log_stable_ranks(Z)) + weights - energy(f, Z), weights, name="sum") & le(
        1 + least(squared_ratios(Z)), bound_of_one_layer(f, Z), name="one layer"
    )


def bound_of_one_layer(f, Z):
    return exp((energy(f, Z) - log(stable_rank(Z[0]))) / (f.depth - 1))


def nearly_rank_one(f, X):
    return bounds(f, centred_representations(f, X))


def with_the_means(f, X):
    """In spite of the biases."""
    return bounds(f, representations(f, X))


def chosen_layer(f, X, place):
    ratio = squared_ratios(centred_representations(f, X))[place]
    return le(1 + ratio, bound_of_one_layer(f, centred_representations(f, X)))


def first_layer(f, X):
    return chosen_layer(f, X, 0)


def middle_layer(f, X):
    return chosen_layer(f, X, (f.depth - 2) // 2)


def last_layer(f, X):
    return chosen_layer(f, X, f.depth - 2)


def divided_by_the_depth(f, X):
    """The bound e^(C'/L) - 1."""
    Z = centred_representations(f, X)
    return le(1 + least(squared_ratios(Z)), exp(energy(f, Z) / f.depth))


def every_layer(f, X):
    Z = centred_representations(f, X)
    return le(greatest(squared_ratios(Z)), bound_of_one_layer(f, Z) - 1)


def ratio_itself(f, X):
    Z = centred_representations(f, X)
    return le(sqrt(least(squared_ratios(Z))), bound_of_one_layer(f, Z) - 1)


def without_the_change_of_norm(f, X):
    return le(sum(log_stable_ranks(centred_representations(f, X))), f.weight_norm_squared - f.depth)


def stable_ranks_less_one(f, X):
    """That the stable ranks minus one, more than their logarithms, have the sum C' at most."""
    Z = centred_representations(f, X)
    return le(sum(stable_rank(one) - 1 for one in Z[:-1]), energy(f, Z))


def rounding(f, X):
    """What may be a rounding error of the squared norm of each representation; 0 for rationals."""
    sizes = [norm2(X)]
    for W, b in zip(f.weights, f.biases, strict=True):
        sizes.append(2 * norm2(W) * sizes[-1] + 2 * len(X) * norm2(b))
    return (0 if f.is_exact else 2.0**-80) * stack(sizes)


def outputs_differ(f, X):
    return norm2(centred(f(X))) > rounding(f, X)[-1]


ISOTROPIC_WEIGHTS = {
    2: rationals([[1, 1], [1, -1]]) / 2,
    4: rationals([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]) / 4,
}
"""By the dimension, a multiple of an orthogonal matrix, of Frobenius norm 1."""


def isotropic_network(n, L):
    """`ISOTROPIC_WEIGHTS` in every layer, and data with equal singular values: equality in all layers."""
    # biases keep the hidden values positive
    f = FullyConnected([ISOTROPIC_WEIGHTS[n]] * L, [rationals([1] * n)] * L)
    return {"f": f, "X": np.vstack([eye(n), -eye(n)]).tolist()}


def chain_on_a_line(weight, L):
    """One neuron of this weight in every layer; for the weight 1, C' is zero."""
    return {"f": FullyConnected([rationals([[weight]])] * L), "X": [[0], [1], [3]]}


def passing_on(shape):
    """The matrix that passes on the first of its inputs as the first of its outputs."""
    return eye(max(shape))[: shape[0], :1] * eye(shape[1])[:1]


def near_a_line(network, distance, nearness):
    """In each layer one neuron passes on the first one all the more, the smaller its `distance` is, times `nearness`."""
    weights = []
    for W, share in zip(network.weights, (nearness * distance) ** 2, strict=True):
        weights.append((1 - share) * passing_on(W.shape) + share * W)
    return network_of(weights, network.biases, network.activation)


def with_kink(network, distance, nearness, bent, place, height, kink):
    """`near_a_line`; where `bent` is 1, a chain of one neuron, and in one hidden layer another one, which nobody reads.

    The other neuron has its kink where the input has the first coordinate `kink`, so that the representation of its layer is
    bent, and no other. It stands in the first hidden layer, in the middle, or in the last (places 0, 1, 2).
    """
    f, last, weights, biases = near_a_line(network, distance, nearness), network.depth - 2, [], []
    for layer, (W, b, near) in enumerate(zip(network.weights, network.biases, f.weights, strict=True)):
        here = sum((place == one) * height for one, there in enumerate((0, last // 2, last)) if there == layer)
        second = here * eye(max(W.shape))[: W.shape[0], 1:2] * eye(W.shape[1])[:1]
        # the values of the chain are positive
        start = SHIFT * passing_on(W.shape)[:, 0] if layer == 0 else 0 * b
        level = kink + (SHIFT if layer else 0)
        weights.append(where(bent == 1, passing_on(W.shape) + second, near))
        biases.append(where(bent == 1, start - level * second[:, 0], b))
    return network_of(weights, biases, network.activation)


def perhaps_gathered(X, gathered):
    """The points; where `gathered` is 1, one of them, its opposite, and all others at 0."""
    place = np.arange(len(X))[:, None]
    return where((gathered == 1) & (place > 0), where(place == 1, -X[:1], 0), X)


SHIFT = 8
NETWORKS = derived(
    near_a_line, network=Networks(slope=(-2, 2)), distance=interval(0, 1, "depth"), nearness=interval(0, 1), role="network"
)
BENT_NETWORKS = derived(
    with_kink,
    network=Networks(slope=(-2, 2)),
    distance=interval(0, 1, "depth"),
    nearness=interval(0, 1),
    bent=integers(0, 1),
    place=integers(0, 2),
    height=interval(0, 1),
    kink=reals(),
    role="network",
)
VARIABLES = {"f": NETWORKS, "X": reals("points", "inputs", role="points")}
LENGTHS = {"inputs": (1, 2, 3), "width": (2, 3), "outputs": (1, 2), "points": (2, 3, 4)}
HYPOTHESES: dict[str, Callable[..., Any]] = {SLOPES: slopes_at_most_one, "the outputs are not all equal": outputs_differ}
SOURCE, OURS = Source("notion_of_rank", "Proposition 4"), Source("notion_of_rank", "derived here")

CLAIM = Claim(
    id="notion_of_rank.prop_4",
    title="Some hidden representation without its mean is nearly of rank one",
    source=SOURCE,
    status=DerivedHere(),
    statement=nearly_rank_one,
    domain=Domain(
        {
            "f": BENT_NETWORKS,
            "X": derived(perhaps_gathered, X=reals("points", "inputs"), gathered=integers(0, 1), role="points"),
        },
        {"depth": (2, 3, 6, 14), **LENGTHS, "points": (2, 3, 5)},
        HYPOTHESES,
    ),
    needs=(SLOPES,),
    cost=2,
    tight={
        "isotropic in four dimensions": Tight(partial(isotropic_network, 4, 3), of=("sum",)),
        "isotropic in the plane, depth 2": partial(isotropic_network, 2, 2),
        "isotropic in the plane, depth 9": partial(isotropic_network, 2, 9),
    },
    false_variants={
        "with the means": with_the_means,
        "every hidden layer": every_layer,
        "the first hidden layer": first_layer,
        "the hidden layer in the middle": middle_layer,
        "the last hidden layer": last_layer,
        "C' divided by L": divided_by_the_depth,
        "the ratio itself, so that the rate is 1 / L": ratio_itself,
        "without the change of norm": without_the_change_of_norm,
        "stable ranks minus one": stable_ranks_less_one,
    },
)
