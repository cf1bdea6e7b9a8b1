r"""Proposition 3: every network has a tuple of covariances.

Statement
    The covariances and outputs of a network satisfy the conditions on the images, and

    .. math:: \|W\|^2 = \sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+] + \sum_\ell \|\tilde W_\ell\|_F^2 .
Checked
    Both, for any activation, homogeneous or not.
Proof idea
    The decomposition of the weights, and :math:`Z_\ell = W_\ell Z_{\ell-1}^\sigma`.
Source
    feature_learning, Proposition 3 (Proposition 17 in the appendix).
"""

from functools import reduce
from operator import and_

from theorems.feature_learning.constructions.activations import ACTIVATIONS
from theorems.feature_learning.constructions.layers import DATA, WEIGHTS, gram, representations, row_costs
from theorems.feature_learning.constructions.tuples import onto_image
from verify import Claim, Domain, Source
from verify.words import eq, norm2, pinv


def cost(Z, Z_sigma):
    r""":math:`\sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+]`."""
    return sum(row_costs(own, before).sum() for own, before in zip(Z, Z_sigma, strict=True))


def networks_reach_the_set(W, x, sigma, beta):
    Z, Z_sigma = representations(W, x, sigma, beta)
    K = [gram(own) for own in Z]
    images = (
        eq(onto_image(own, before), own, name=f"image {layer}")
        for layer, (own, before) in enumerate(zip(K, Z_sigma, strict=True), start=1)
    )
    residuals = sum(norm2(V - V @ (before @ pinv(before))) for V, before in zip(W, Z_sigma, strict=True))
    return reduce(and_, images) & eq(cost(Z, Z_sigma) + residuals, sum(map(norm2, W)), name="cost")


def without_residuals(W, x, sigma, beta):
    return eq(cost(*representations(W, x, sigma, beta)), sum(map(norm2, W)))


def of_the_layer_itself(W, x, sigma, beta):
    Z, Z_sigma = representations(W, x, sigma, beta)
    images = (eq(onto_image(gram(own), after), gram(own)) for own, after in zip(Z[:-1], Z_sigma[1:], strict=True))
    return reduce(and_, images, eq(beta, beta))


CLAIM = Claim(
    id="feature_learning.prop_3.image",
    title="Covariances of a network cost what its norm is without the residuals",
    source=Source("feature_learning", "Proposition 3"),
    statement=networks_reach_the_set,
    domain=Domain(
        {"W": WEIGHTS, "sigma": ACTIVATIONS, **DATA},
        {"depth": (1, 2, 3, 6), "inputs": range(1, 4), "width": (1, 2, 4), "outputs": range(1, 4), "points": (1, 3, 4)},
    ),
    false_variants={
        "no residuals": without_residuals,
        "in the image of the covariance after the layer": of_the_layer_itself,
    },
)
