r"""Proposition 8: as many neurons as the rank of the pair suffice.

Statement
    A tuple of covariances whose pairs are sums of k terms is that of a network with any number of neurons from k on.
Checked
    The k terms and rows of zeros, as many as there is room for, are the representations of a network with exactly these
    covariances, outputs and cost, as in Proposition 3. It needs homogeneity.
Proof idea
    The pre-image of Proposition 3, and dead neurons.
Source
    feature_learning, Proposition 8 (Proposition 20 in the appendix).
"""

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS
from theorems.feature_learning.constructions.layers import DATA
from theorems.feature_learning.constructions.tuples import inside_the_images, is_reached, pair
from verify import Claim, Domain, Source, interval, reals
from verify.words import concatenate, eq, ones


def wide_network_reaches(r, V, Z_L, room, x, sigma, beta, alive=0, dropped=0):
    """The network has the neurons `alive` * `room` beside those of the terms."""
    inside, ends = inside_the_images(r, V, Z_L, x, sigma, beta)
    kept = r.shape[1] - dropped
    wide_r = concatenate([r[:, :kept], ones(len(r), len(room))], axis=1)
    wide = [concatenate([own[:kept], alive * room]) for own in inside]
    relation = is_reached(wide_r, wide, ends, x, sigma, beta)
    for layer, own in enumerate(inside):
        (K, K_sigma), (K_wide, K_sigma_wide) = pair(r[layer], own, sigma, beta), pair(wide_r[layer], wide[layer], sigma, beta)
        relation = relation & eq(K_wide, K, name=f"first of layer {layer + 1}")
        relation = relation & eq(K_sigma_wide, K_sigma, name=f"second of layer {layer + 1}")
    return relation


CLAIM = Claim(
    id="feature_learning.prop_8",
    title="As many neurons as the rank of the pair suffice",
    source=Source("feature_learning", "Proposition 8"),
    statement=wide_network_reaches,
    domain=Domain(
        {
            "r": interval(0, 2, lambda sizes: sizes["depth"] - 1, "terms", role="ones"),
            "V": reals(lambda sizes: sizes["depth"] - 1, "terms", "points", role="values of all hidden layers"),
            "Z_L": reals("outputs", "points", role="outputs as columns"),
            "room": reals("more", "points", role="values of one neuron"),
            "sigma": ACTIVATIONS,
            **DATA,
        },
        {"depth": (2, 3), "inputs": (1, 2, 3), "outputs": (1, 2, 3), "points": (1, 3, 4), "terms": (1, 2, 3), "more": (1, 2)},
        HOMOGENEOUS,
    ),
    needs=tuple(HOMOGENEOUS),
    false_variants={"one neuron less than terms": {"dropped": 1}, "any new neurons": {"alive": 1}},
)
