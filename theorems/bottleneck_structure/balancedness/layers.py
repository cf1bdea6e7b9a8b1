r"""Balancedness: the norms of the layers grow by their biases.

Statement
    For a balanced network :math:`\|W_\ell\|_F^2 + \|b_\ell\|^2 = \|W_{\ell+1}\|_F^2`, hence
    :math:`\frac1\ell \sum_{m \le \ell} \|W_m\|_F^2 \le \frac1L \|\theta\|^2`.
Checked
    The equality between neighbouring layers, and the inequality for every number :math:`\ell` of layers.
Proof idea
    The sum over the neurons; the norms do not fall from layer to layer.
Tight
    Networks without biases.
Source
    bottleneck_structure, Section 2 (balancedness).
"""

import numpy as np

from theorems.bottleneck_structure.balancedness.rescaling import SIZES, identity_chain
from theorems.bottleneck_structure.constructions.balanced import BALANCED
from verify import Claim, Domain, Source, Tight, derived, integers
from verify.networks import FullyConnected
from verify.words import eq, le, lifted, norm2, stack

network = lifted(FullyConnected)


def averages(f, norms):
    """The average of the first norms against that of all parameters."""
    L = f.depth
    return le(L * np.cumsum(norms), np.arange(1, L + 1) * f.parameter_norm_squared, name="average")


def layers_grow(f, biases=1):
    norms = stack([norm2(W) for W in f.weights])
    growth = biases * stack([norm2(b) for b in f.biases[:-1]])
    return eq(norms[:-1] + growth, norms[1:], name="neighbours") & averages(f, norms)


def last_layers_are_small(f):
    return averages(f, stack([norm2(W) for W in f.weights])[::-1])


def with_output_bias(f, kept):
    """The network with its last bias, which balancedness leaves free (`kept` is 1), or without it (0)."""
    return network(f.weights, [*f.biases[:-1], kept * f.biases[-1]], f.activation)


LAYERS = Claim(
    id="bottleneck_structure.balancedness.layers",
    title="In a balanced network the norms of the layers grow by their biases",
    source=Source("bottleneck_structure", "Section 2, balancedness"),
    statement=layers_grow,
    domain=Domain({"f": derived(with_output_bias, f=BALANCED, kept=integers(0, 1), role="balanced network")}, SIZES),
    tight={"identities": Tight(lambda: identity_chain(3), of=("average",))},
    false_variants={"without the biases": {"biases": 0}, "the last layers": last_layers_are_small},
)
