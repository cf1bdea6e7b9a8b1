r"""Proposition 3: every tuple of covariances has a network.

Statement
    For a tuple of :math:`\mathcal K_n(X)` with the terms :math:`\alpha_i(x_ix_i^T, \sigma(x_i)\sigma(x_i)^T)`, the rows
    :math:`\sqrt{\alpha_i}x_i` as representations and :math:`W_\ell = Z_\ell(Z_{\ell-1}^\sigma)^+` give a network of width
    :math:`n_\ell` with exactly its covariances and outputs, and :math:`\|W\|^2` is its cost.
Checked
    All covariances, the outputs and the norm. Cone weights are drawn as squares, to stay rational; vectors are projected to
    satisfy the conditions on the images. Without homogeneity, and without the conditions, it is false.
Proof idea
    The conditions on the images say that :math:`W_\ell Z_{\ell-1}^\sigma = Z_\ell`.
Source
    feature_learning, Proposition 3 (Proposition 17 in the appendix).
"""

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS
from theorems.feature_learning.constructions.layers import DATA
from theorems.feature_learning.constructions.tuples import inside_the_images, is_reached
from verify import Claim, Domain, Source, interval, reals


def every_tuple_is_reached(r, V, Z_L, x, sigma, beta):
    inside, ends = inside_the_images(r, V, Z_L, x, sigma, beta)
    return is_reached(r, inside, ends, x, sigma, beta)


def without_condition_on_outputs(r, V, Z_L, x, sigma, beta):
    inside, _ = inside_the_images(r, V, Z_L, x, sigma, beta)
    return is_reached(r, inside, Z_L, x, sigma, beta)


CLAIM = Claim(
    id="feature_learning.prop_3",
    title="Every tuple of covariances is that of a network with the same cost",
    source=Source("feature_learning", "Proposition 3"),
    statement=every_tuple_is_reached,
    domain=Domain(
        {
            "r": interval(0, 2, lambda sizes: sizes["depth"] - 1, "width", role="ones"),
            "V": reals(lambda sizes: sizes["depth"] - 1, "width", "points", role="values of all hidden layers"),
            "Z_L": reals("outputs", "points", role="outputs as columns"),
            "sigma": ACTIVATIONS,
            **DATA,
        },
        {"depth": (1, 2, 3, 4), "inputs": range(1, 4), "width": (1, 2, 3), "outputs": range(1, 4), "points": (1, 3, 4)},
        HOMOGENEOUS,
    ),
    needs=tuple(HOMOGENEOUS),
    false_variants={
        "no condition on the images of the covariances": is_reached,
        "no condition on the image of the outputs": without_condition_on_outputs,
    },
)
