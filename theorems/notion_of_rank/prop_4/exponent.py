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
    ours, beside Proposition 4 of notion_of_rank.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.prop_4.statement import OURS, centred, representations, squared_ratio, total_energy
from verify import Claim, Domain, Ours, Q, Rate, Relation, eq, interval
from verify.arithmetic import Array
from verify.networks import FullyConnected


def chain_with_a_kink(amplitude: Array, depth: int) -> FullyConnected:
    r"""ReLU network for the identity on x >= 0, with a second neuron :math:`\varepsilon \max(x - 1, 0)` in each hidden layer.

    The squared norm is :math:`L + 2 \varepsilon^2 (L - 1)` for the amplitude :math:`\varepsilon`.

    Raises
    ------
    ValueError
        `depth` is below 2.
    """
    if depth < 2:
        raise ValueError(f"depth must be at least 2, got {depth}: there is no hidden layer")
    one, zero = 0 * amplitude + 1, 0 * amplitude
    entry = np.stack([one, amplitude], axis=-1)[..., None]
    middle = np.concatenate([entry, 0 * entry], axis=-1)
    bias = np.stack([zero, -amplitude], axis=-1)
    exit_weight = np.stack([one, zero], axis=-1)[..., None, :]
    return FullyConnected([entry, *[middle] * (depth - 2), exit_weight], [*[bias] * (depth - 1), zero[..., None]])


def data_of_the_kink(network: FullyConnected) -> list[Array]:
    """The centred representations of 0, 1 and 2."""
    like = network.weights[0][..., :1, :]
    points = np.concatenate([0 * like + value for value in range(3)], axis=-2)
    return [centred(rows) for rows in representations(network, points)]


def kink_in_every_layer(amplitude: Array, depth: Depth) -> Relation:
    """C', and the product of the squared singular values over the square of their sum."""
    square, network = amplitude**2, chain_with_a_kink(amplitude, depth.depth)
    values = data_of_the_kink(network)
    hidden = np.stack(values[1:-1], axis=-3)
    gram = np.swapaxes(hidden, -1, -2) @ hidden
    minor = gram[..., 0, 0] * gram[..., 1, 1] - gram[..., 0, 1] ** 2
    share = minor / (gram[..., 0, 0] + gram[..., 1, 1]) ** 2
    energy = eq(depth.depth + total_energy(network, values), depth.depth + square * (depth.depth - 1), name="energy")
    return energy & eq(share, (3 * square / (4 * (3 + square) ** 2))[..., None], name="ratio", over=1)


def smallest_ratio_of_the_kink(layers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The smallest ratio of singular values of a hidden representation, by the number of hidden layers, for C' = 1."""
    found = []
    for count in layers:
        values = data_of_the_kink(chain_with_a_kink(np.array(1 / np.sqrt(count)), int(count) + 1))
        found.append(min(float(np.sqrt(squared_ratio(rows))) for rows in values[1:-1]))
    return np.array(found)


# False variants


def energy_of_all_layers(amplitude: Array, depth: Depth) -> Relation:
    """C' as if the last layer had a second neuron, too."""
    network = chain_with_a_kink(amplitude, depth.depth)
    return eq(total_energy(network, data_of_the_kink(network)), amplitude**2 * depth.depth)


def ratio_of_first_order(amplitude: Array, depth: Depth) -> Relation:
    """The ratio without its denominator's second order."""
    network = chain_with_a_kink(amplitude, depth.depth)
    values = data_of_the_kink(network)[1]
    gram = np.swapaxes(values, -1, -2) @ values
    minor = gram[..., 0, 0] * gram[..., 1, 1] - gram[..., 0, 1] ** 2
    return eq(minor / (gram[..., 0, 0] + gram[..., 1, 1]) ** 2, amplitude**2 / 12)


EXPONENT = Claim(
    id="notion_of_rank.prop_4.exponent",
    title="The exponent 1/2 of centred representations is the best",
    source=OURS,
    status=Ours(),
    statement=kink_in_every_layer,
    domain=Domain({"amplitude": interval(Q("1/64"), 4), "depth": GIVEN_DEPTH}, {"depth": (2, 3, 6, 14)}),
    false_variants={
        "energy of L layers": energy_of_all_layers,
        "ratio of first order": ratio_of_first_order,
    },
    rate=Rate(smallest_ratio_of_the_kink, (8, 16, 32, 64, 128, 256, 512), -0.5),
    cost=4,
)
