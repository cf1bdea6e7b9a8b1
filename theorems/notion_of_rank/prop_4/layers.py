r"""Proposition 4, layer by layer: what a layer costs beyond carrying one dimension.

Statement
    With the notation of ``statement`` let
    :math:`\tau_\ell = \|W_\ell\|_F^2 - 1 + \log (\|Z^c_{\ell-1}\|_F^2 / \|Z^c_\ell\|_F^2)`,
    :math:`p_\ell = \|W_\ell\|_{op}^2` and :math:`\kappa_\ell = \|Z^c_\ell\|_F / (\sqrt{p_\ell} \|Z^c_{\ell-1}\|_F)`. Then
    (``.layer``)

    .. math:: \log \frac{\|Z^c_{\ell-1}\|_F^2}{s_1(Z^c_{\ell-1})^2} \le \tau_\ell ,

    and (``.energy_identity``)

    .. math:: \tau_\ell = (\|W_\ell\|_F^2 - p_\ell) + (p_\ell - 1 - \log p_\ell) + 2 \log \frac1{\kappa_\ell}, \qquad
              \sum_\ell \tau_\ell = C' ,

    where none of the three parts is negative.
Checked
    The inequality of every layer, and that no part is negative. The identity is one of symbols; the sum telescopes.
Proof idea
    :math:`\|Z^c_\ell\|_F \le \|W_\ell Z^c_{\ell-1}\|_F \le \|W_\ell\|_F \, s_1(Z^c_{\ell-1})` and :math:`t e^{1-t} \le 1`.
Sharp
    Data with equal singular values and isometries of Frobenius norm 1; data on a line and a single neuron in each layer.
Source
    ours, beside Proposition 4 of notion_of_rank.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.notion_of_rank.constructions.activations import SLOPES
from theorems.notion_of_rank.constructions.arrays import squares
from theorems.notion_of_rank.prop_4.statement import (
    HYPOTHESES,
    LENGTHS,
    OURS,
    VARIABLES,
    centred,
    chain_on_a_line,
    isotropic_network,
    representations,
    squared_operator_norm,
)
from verify import Claim, Domain, Ours, Relation, Tight, ge, le
from verify.arithmetic import Array, exp, log
from verify.networks import FullyConnected
from verify.symbolic import identically_zero


def single_layers(network: FullyConnected, points: Array) -> Relation:
    """The inequality of every layer, without its logarithms."""
    values = [centred(rows) for rows in representations(network, points)]
    largest = np.stack([squared_operator_norm(rows) for rows in values[:-1]], axis=-1)
    weights = np.stack([squares(weight, (-2, -1)) for weight in network.weights], axis=-1)
    after = np.stack([squares(rows, (-2, -1)) for rows in values[1:]], axis=-1)
    return le(after, largest * exp(weights - 1), over=1)


def parts_of_the_energy(network: FullyConnected, points: Array) -> Relation:
    """No part is negative."""
    values = [centred(rows) for rows in representations(network, points)]
    sizes = np.stack([squares(rows, (-2, -1)) for rows in values], axis=-1)
    weights = np.stack([squares(weight, (-2, -1)) for weight in network.weights], axis=-1)
    p = np.stack([squared_operator_norm(weight) for weight in network.weights], axis=-1)
    return (
        ge(weights, p, name="rank one", over=1)
        & le(1 + log(p), p, name="size one", over=1)
        & le(sizes[..., 1:], p * sizes[..., :-1], name="nothing lost", over=1)
    )


# False variants


def layers_with_the_means(network: FullyConnected, points: Array) -> Relation:
    """The inequality of the first layer for the representations with their means."""
    before, after = representations(network, points)[:2]
    return le(squares(after, (-2, -1)), squared_operator_norm(before) * exp(squares(network.weights[0], (-2, -1)) - 1))


def layers_with_half_the_exponent(network: FullyConnected, points: Array) -> Relation:
    """The inequality of the first layer with half the exponent."""
    before, after = (centred(rows) for rows in representations(network, points)[:2])
    weight = squares(network.weights[0], (-2, -1))
    return le(squares(after, (-2, -1)), squared_operator_norm(before) * exp((weight - 1) / 2))


def parts_with_the_means(network: FullyConnected, points: Array) -> Relation:
    """That no layer gains norm with the means, in spite of the biases."""
    before, after = (squares(rows, (-2, -1)) for rows in representations(network, points)[:2])
    return le(after, squared_operator_norm(network.weights[0]) * before)


def weights_lose_nothing(network: FullyConnected, points: Array) -> Relation:
    """That a layer keeps the norm that its operator norm allows."""
    before, after = (squares(centred(rows), (-2, -1)) for rows in representations(network, points)[:2])
    return ge(after, squared_operator_norm(network.weights[0]) * before)


# Symbols, and tight examples


def parts_in_symbols() -> Relation:
    """The three parts of one layer are its energy, for all values of the norms."""
    import sympy as sp

    weights, largest, before, after = sp.symbols("w p b a", positive=True)
    lost = 2 * sp.log(1 / (sp.sqrt(after) / (sp.sqrt(largest) * sp.sqrt(before))))
    parts = (weights - largest) + (largest - 1 - sp.log(largest)) + lost
    difference = parts - (weights - 1 + sp.log(before) - sp.log(after))
    return identically_zero(sp.expand_log(difference, force=True))


ENERGY = Claim(
    id="notion_of_rank.prop_4.energy_identity",
    title="What a layer costs beyond one dimension has three parts, none of them negative",
    source=OURS,
    status=Ours(),
    statement=parts_of_the_energy,
    domain=Domain(VARIABLES, {"depth": (1, 2, 3, 6), **LENGTHS}, HYPOTHESES),
    needs=(SLOPES,),
    cost=2,
    tight={
        "the identity on a line": Tight(partial(chain_on_a_line, "1", 5), of=("rank one", "nothing lost")),
        "nearly the identity": Tight(
            partial(chain_on_a_line, "1000001/1000000", 5), 1e-11, "log p = p - 1 to second order", of=("size one",)
        ),
    },
    false_variants={
        "with the means": parts_with_the_means,
        "no layer loses norm": weights_lose_nothing,
    },
    exact={"one layer in symbols": parts_in_symbols},
)

LAYER = Claim(
    id="notion_of_rank.prop_4.layer",
    title="A layer of small energy has an input of nearly rank one",
    source=OURS,
    status=Ours(),
    statement=single_layers,
    domain=Domain(VARIABLES, {"depth": (1, 2, 3), **LENGTHS}, HYPOTHESES),
    needs=(SLOPES,),
    cost=2,
    tight={
        "isotropic, depth 1": Tight(partial(isotropic_network, 4, 1)),
        "isotropic, depth 3": Tight(partial(isotropic_network, 4, 3)),
    },
    false_variants={
        "with the means": layers_with_the_means,
        "half the exponent": layers_with_half_the_exponent,
    },
)
