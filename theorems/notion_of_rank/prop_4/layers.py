r"""Proposition 4, layer by layer: the cost beyond one dimension.

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
Tight
    Data with equal singular values and isometries of Frobenius norm 1; data on a line and a single neuron in each layer.
Source
    Derived here, beside Proposition 4 of notion_of_rank.
"""

from functools import partial

from theorems.notion_of_rank.prop_4.statement import (
    HYPOTHESES,
    LENGTHS,
    OURS,
    VARIABLES,
    centred_representations,
    chain_on_a_line,
    isotropic_network,
    representations,
)
from theorems.shared.activations import SLOPES
from verify import Claim, DerivedHere, Domain, Tight
from verify.numbers.symbolic import identically_zero
from verify.words import exp, ge, le, log, norm2, stable_rank, stack


def squared_norm(A):
    r""":math:`\|A\|_{op}^2`, rational for rationals of rank one."""
    return norm2(A) / stable_rank(A)


def single_layers(f, X):
    """The inequality of every layer, without its logarithms."""
    Z = centred_representations(f, X)
    bounds = [squared_norm(before) * exp(norm2(W) - 1) for before, W in zip(Z[:-1], f.weights, strict=True)]
    return le(stack([norm2(after) for after in Z[1:]]), stack(bounds))


def parts_of_the_energy(f, X):
    """No part is negative."""
    sizes = stack([norm2(Z) for Z in centred_representations(f, X)])
    weights, p = stack([norm2(W) for W in f.weights]), stack([squared_norm(W) for W in f.weights])
    return (
        ge(weights, p, name="rank one")
        & le(1 + log(p), p, name="size one")
        & le(sizes[1:], p * sizes[:-1], name="nothing lost")
    )


def layers_with_the_means(f, X):
    before, after = representations(f, X)[:2]
    return le(norm2(after), squared_norm(before) * exp(norm2(f.weights[0]) - 1))


def layers_with_half_the_exponent(f, X):
    before, after = centred_representations(f, X)[:2]
    return le(norm2(after), squared_norm(before) * exp((norm2(f.weights[0]) - 1) / 2))


def parts_with_the_means(f, X):
    """That no layer gains norm with the means, in spite of the biases."""
    before, after = representations(f, X)[:2]
    return le(norm2(after), squared_norm(f.weights[0]) * norm2(before))


def weights_lose_nothing(f, X):
    """That a layer keeps the norm that its operator norm allows."""
    before, after = centred_representations(f, X)[:2]
    return ge(norm2(after), squared_norm(f.weights[0]) * norm2(before))


def parts_in_symbols():
    """The three parts of one layer are its energy, for all values of the norms."""
    import sympy as sp

    weights, largest, before, after = sp.symbols("w p b a", positive=True)
    lost = 2 * sp.log(1 / (sp.sqrt(after) / (sp.sqrt(largest) * sp.sqrt(before))))
    parts = (weights - largest) + (largest - 1 - sp.log(largest)) + lost
    difference = parts - (weights - 1 + sp.log(before) - sp.log(after))
    return identically_zero(sp.expand_log(difference, force=True))


ENERGY = Claim(
    id="notion_of_rank.prop_4.energy_identity",
    title="A layer costs one dimension and three non-negative parts",
    source=OURS,
    status=DerivedHere(),
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
    status=DerivedHere(),
    statement=single_layers,
    domain=Domain(VARIABLES, {"depth": (1, 2, 3), **LENGTHS}, HYPOTHESES),
    needs=(SLOPES,),
    cost=2,
    tight={
        "isotropic, depth 1": partial(isotropic_network, 4, 1),
        "isotropic, depth 3": partial(isotropic_network, 4, 3),
    },
    false_variants={
        "with the means": layers_with_the_means,
        "half the exponent": layers_with_half_the_exponent,
    },
)
