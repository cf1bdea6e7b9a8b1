r"""Proposition 6: dead neurons change neither the function nor the norm.

Statement
    If :math:`n_\ell \le n'_\ell` for all layers, with equal numbers of inputs and of outputs, then
    :math:`\inf_W L_{\lambda, n}(W) \ge \inf_W L_{\lambda, n'}(W)` and :math:`R_n(X, Y) \ge R_{n'}(X, Y)`, for every cost, every
    :math:`\lambda`, every amount of bias and every activation, homogeneous or not.
Checked
    Neurons without incoming and without outgoing weights change neither the function, here at points that have nothing to do
    with any data, nor the norm. The activations are :math:`c_0 + c_1t + c_2|t| + c_3t^2`; for :math:`c_0 \ne 0` a dead neuron
    is not zero, and the zero outgoing weights are what counts.
Proof idea
    A narrow network is a wide one.
Source
    feature_learning, Proposition 6.
"""

from theorems.feature_learning.constructions.layers import DATA, WEIGHTS, with_bias_column, with_bias_row
from verify import Claim, Domain, Networks, Q, Source, derived, interval
from verify.words import absolute, block, concatenate, eq, norm2


def outputs(W, c, x, beta):
    """The last column of a weight matrix belongs to the amount of bias."""
    Z = x.T
    for layer, V in enumerate(W):
        Z_sigma = c[0] + c[1] * Z + c[2] * absolute(Z) + c[3] * Z**2 if layer else Z
        Z = V @ with_bias_row(Z_sigma, beta)
    return Z


def in_parallel(W, V):
    """The hidden neurons of two networks side by side, without weights between them; the output bias is that of the first."""
    (first, *inner, last), (first_V, *inner_V, last_V) = W, V
    wide = [block([[A[:, :-1], 0, A[:, -1:]], [0, B[:, :-1], B[:, -1:]]]) for A, B in zip(inner, inner_V, strict=True)]
    return [concatenate([first, first_V]), *wide, concatenate([last[:, :-1], last_V[:, :-1], last[:, -1:]], axis=1)]


def dead_neurons_change_nothing(W, V, c, x, beta, incoming=0):
    """The neurons of V beside those of W, without incoming and without outgoing weights."""
    wide = in_parallel(W, [*(incoming * weight for weight in V[:-1]), 0 * V[-1]])
    same = eq(outputs(wide, c, x, beta), outputs(W, c, x, beta), name="outputs")
    return same & eq(sum(map(norm2, wide)), sum(map(norm2, W)), name="norm")


def any_outgoing_weights(W, V, c, x, beta):
    wide = in_parallel(W, [*(0 * weight for weight in V[:-1]), V[-1]])
    return eq(outputs(wide, c, x, beta), outputs(W, c, x, beta))


def split_neurons(W, c, x, beta):
    """Every hidden neuron in two, with shares 3/5 and 4/5 of its weights: as for homogeneous activations."""
    shares = Q(3, 5), Q(4, 5)
    first, *others = W
    others = [concatenate([*(share * A[:, :-1] for share in shares), A[:, -1:]], axis=1) for A in others]
    *hidden, last = first, *others
    split = [*(concatenate([share * A for share in shares]) for A in hidden), last]
    return eq(outputs(split, c, x, beta), outputs(W, c, x, beta))


CLAIM = Claim(
    id="feature_learning.prop_6",
    title="Wider networks are never worse",
    source=Source("feature_learning", "Proposition 6"),
    statement=dead_neurons_change_nothing,
    domain=Domain(
        {
            "W": WEIGHTS,
            "V": derived(with_bias_column, network=Networks(width="more", slope=0)),
            "c": interval(-1, 1, 4, role="ones"),
            **DATA,
        },
        {"depth": (2, 3, 4, 6), "inputs": range(1, 4), "width": (1, 2, 4), "outputs": range(1, 4)}
        | {"more": range(1, 4), "points": (1, 3)},
    ),
    false_variants={
        "incoming weights need not be zero": {"incoming": 1},
        "outgoing weights need not be zero": any_outgoing_weights,
        "neurons may be split for any activation": split_neurons,
    },
)
