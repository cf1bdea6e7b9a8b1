r"""Proposition 8: no network has covariances of a rank above its width.

Statement
    The pair of a hidden layer of width n has a rank of at most n.
Checked
    For the rank itself where it is known: one point, two points with the ReLU, and the identity. Else for the largest of its
    lower bounds: the ranks of :math:`K_\ell` and of :math:`K_\ell^\sigma - \beta^211^T`, and the bound of the CP-rank of the
    latter for the ReLU. (With the bias, :math:`K_\ell^\sigma` may have the rank n + 1.)
Proof idea
    The n rows of the layer are such terms.
Tight
    Independent neurons.
Source
    feature_learning, Proposition 8 (Proposition 20 in the appendix).
"""

from theorems.feature_learning.constructions.activations import SLOPES, homogeneous
from theorems.feature_learning.constructions.layers import DATA, WEIGHTS, gram, representations
from theorems.feature_learning.constructions.ranks import rank_of_layer
from verify import Claim, Domain, Source
from verify.numbers.arithmetic import chosen_rationals, rationals
from verify.words import greatest, le, lifted, rank, stack

exact = lifted(chosen_rationals)


def hidden_layers(W, slopes, x, beta):
    """Their representations, on rationals: ranks are computed exactly."""
    return representations([exact(V) for V in W], exact(x), homogeneous(exact(slopes)), exact(beta))[0][:-1]


def ranks_are_at_most_the_width(W, slopes, x, beta):
    Z = hidden_layers(W, slopes, x, beta)
    return le(greatest(stack([rank_of_layer(own, slopes) for own in Z])), len(Z[0]))


def rank_with_the_bias(W, slopes, x, beta):
    Z_sigma = representations(W, x, homogeneous(slopes), beta)[1][1]
    return le(rank(gram(Z_sigma)), len(Z_sigma) - 1)


def rank_of_the_first_covariance(W, slopes, x, beta):
    Z = hidden_layers(W, slopes, x, beta)[0]
    return le(rank_of_layer(Z, slopes), rank(gram(Z)))


def two_neurons():
    W = (rationals([[1, 0, 0], [0, 1, 0]]), rationals([[1, 1, 1]]))
    return {"W": W, "slopes": [1, 0], "x": [[1, 0], [0, 1]], "beta": 1}


def both_signs():
    """Rank 2, though the covariances have rank 1."""
    W = (rationals([[1, 0], [-1, 0]]), rationals([[1, 1, 1]]))
    return {"W": W, "slopes": [1, 0], "x": [[1]], "beta": 1}


NECESSARY = Claim(
    id="feature_learning.prop_8.necessary",
    title="No hidden layer has a pair of a rank above its width",
    source=Source("feature_learning", "Proposition 8"),
    statement=ranks_are_at_most_the_width,
    domain=Domain(
        {"W": WEIGHTS, "slopes": SLOPES, **DATA},
        {"depth": (2, 3), "inputs": (1, 2, 3), "width": (1, 2, 3, 5), "outputs": (1, 2), "points": (1, 2, 4)},
    ),
    tight={"two neurons for two points": two_neurons, "both signs for one point": both_signs},
    false_variants={
        "with the covariance of the biases": rank_with_the_bias,
        "the rank of the first covariance": rank_of_the_first_covariance,
    },
    cost=10,
)
