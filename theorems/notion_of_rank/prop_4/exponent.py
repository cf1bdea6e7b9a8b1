r"""Proposition 4: the exponent 1/2 of centred representations is the best.

Statement
    `chain_with_a_kink` carries the data 0, 1, 2 by one neuron of weight 1, with a second neuron
    :math:`\varepsilon \max(t - 1, 0)` in every hidden layer. All its hidden representations are equal, and

    .. math:: C' = \varepsilon^2 (L - 1), \qquad
              \frac{s_2(Z^c_\ell)^2}{s_1(Z^c_\ell)^2} \ge \frac{s_1^2 s_2^2}{(s_1^2 + s_2^2)^2}
              = \frac{3 \varepsilon^2}{4 (3 + \varepsilon^2)^2},

    so that :math:`s_2/s_1` is of the order :math:`L^{-1/2}` for bounded C', as in the bound of ``statement``.
Checked
    Both equalities, and the rate.
Source
    Derived here, beside Proposition 4 of notion_of_rank.
"""

import numpy as np

from theorems.notion_of_rank.prop_4.statement import OURS, centred_representations, energy, network_of, squared_ratio
from verify import Claim, DerivedHere, Domain, Q, Rate, interval
from verify.words import eq, stack, vector, zeros


def chain_with_a_kink(eps, L):
    r"""ReLU network for the identity on x >= 0, with a second neuron :math:`\varepsilon \max(x - 1, 0)` in each hidden layer.

    The squared norm is :math:`L + 2 \varepsilon^2 (L - 1)`.
    """
    entry, first = vector(1, eps)[:, None], vector(1, 0)[None, :]
    return network_of([entry, *[entry @ first] * (L - 2), first], [*[vector(0, -eps)] * (L - 1), zeros(1)])


def data_of_the_kink(f):
    """The centred representations of 0, 1 and 2."""
    return centred_representations(f, vector(0, 1, 2)[:, None])


def share(Z):
    """The product of the squared singular values over the square of their sum."""
    G = Z.T @ Z
    return (G[0, 0] * G[1, 1] - G[0, 1] ** 2) / (G[0, 0] + G[1, 1]) ** 2


def kink_in_every_layer(eps, depth):
    L, f = depth, chain_with_a_kink(eps, depth)
    Z = data_of_the_kink(f)
    return eq(L + energy(f, Z), L + eps**2 * (L - 1), name="energy") & eq(
        stack([share(one) for one in Z[1:-1]]), 3 * eps**2 / (4 * (3 + eps**2) ** 2), name="ratio"
    )


def energy_of_all_layers(eps, depth):
    """C' as if the last layer had a second neuron, too."""
    f = chain_with_a_kink(eps, depth)
    return eq(energy(f, data_of_the_kink(f)), eps**2 * depth)


def ratio_of_first_order(eps, depth):
    """The ratio without its denominator's second order."""
    return eq(share(data_of_the_kink(chain_with_a_kink(eps, depth))[1]), eps**2 / 12)


def smallest_ratio_of_the_kink(layers):
    """The smallest ratio of singular values of a hidden representation, by the number of hidden layers, for C' = 1."""
    data = [data_of_the_kink(chain_with_a_kink(1 / np.sqrt(count), int(count) + 1)) for count in layers]
    return np.array([min(np.sqrt(squared_ratio(Z)) for Z in one[1:-1]) for one in data])


EXPONENT = Claim(
    id="notion_of_rank.prop_4.exponent",
    title="The exponent 1/2 of centred representations is the best",
    source=OURS,
    status=DerivedHere(),
    statement=kink_in_every_layer,
    domain=Domain({"eps": interval(Q("1/64"), 4)}, {"depth": (2, 3, 6, 14)}),
    false_variants={
        "energy of L layers": energy_of_all_layers,
        "ratio of first order": ratio_of_first_order,
    },
    rate=Rate(smallest_ratio_of_the_kink, (8, 16, 32, 64, 128, 256, 512), -0.5),
    cost=4,
)
