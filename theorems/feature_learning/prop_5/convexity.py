r"""Proposition 5, the cost: convex in each pair.

Statement
    In one pair :math:`(K_\ell, K_\ell^\sigma)`, with everything else fixed, the cost is convex where it is finite:

    .. math:: \mathrm{Tr}[K_\ell G] + \mathrm{Tr}[K_{\ell+1}(K_\ell^\sigma)^+] + \text{const}, \quad G = (K_{\ell-1}^\sigma)^+ .
Checked
    The cost of a mixture of two pairs against the mean of their costs, with one output that both reach; and (derived here) with
    an output for each, which is mixed as well. Shares are the squares of :math:`2u/(1+u^2)` and :math:`(1-u^2)/(1+u^2)`, so
    that the rows of a mixture, scaled by these roots, stay rational.
Proof idea
    :math:`\mathrm{Tr}[ZQ^+Z^T]` is jointly convex in (Z, Q).
Tight
    Two equal pairs.
Source
    feature_learning, Proposition 5; joint convexity is derived here.
"""

from theorems.feature_learning.constructions.activations import ACTIVATIONS, homogeneous
from theorems.feature_learning.constructions.layers import gram, with_bias_row
from verify import Claim, DerivedHere, Domain, Source, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, le, minimum, norm2, pinv


def roots_of_shares(u):
    """2u/(1+u^2) and (1-u^2)/(1+u^2), whose squares add to one."""
    return 2 * u / (1 + u**2), (1 - u**2) / (1 + u**2)


def features(Z, sigma, beta):
    r"""Rows whose Gram matrices are both :math:`K^\sigma`."""
    return [with_bias_row(sigma(one), beta) for one in Z]


def cost(before, Z, S, Z_L):
    r""":math:`\mathrm{Tr}[KG] + \mathrm{Tr}[Z_L^TZ_L(K^\sigma)^+]` for Gram matrices K, :math:`K^\sigma`, G of Z, S, before."""
    return norm2(before @ Z.T) + norm2(Z_L @ pinv(S))


def mixed(rows, roots):
    """Rows of the mean of two Gram matrices."""
    return concatenate([root * one for root, one in zip(roots, rows, strict=True)])


def costs_in_a_pair(Z, before, V, sigma, beta, u):
    """Of the mixture, and of both pairs, with an output in the images of both; and the shares."""
    roots, (S, T) = roots_of_shares(u), features(Z, sigma, beta)
    # the image of the parallel sum is the intersection of the images
    Z_L = V[0] @ S @ gram(S) @ pinv(gram(S) + gram(T)) @ gram(T)
    both = [cost(before, Z[0], S, Z_L), cost(before, Z[1], T, Z_L)]
    return cost(before, mixed(Z, roots), mixed((S, T), roots), Z_L), both, [root**2 for root in roots]


def convex_in_a_pair(Z, before, V, sigma, beta, u):
    mixture, (one, other), (s, t) = costs_in_a_pair(Z, before, V, sigma, beta, u)
    return le(mixture, s * one + t * other, name="mean")


def pair_below_both(Z, before, V, sigma, beta, u):
    mixture, both, _ = costs_in_a_pair(Z, before, V, sigma, beta, u)
    return le(mixture, minimum(*both))


def pair_linear(Z, before, V, sigma, beta, u):
    mixture, (one, other), (s, t) = costs_in_a_pair(Z, before, V, sigma, beta, u)
    return le(s * one + t * other, mixture)


def joint_costs(Z, before, V, sigma, beta, u, power=2):
    """Of the mixture, and of both pairs, each with its outputs; and the shares."""
    roots, (S, T) = roots_of_shares(u), features(Z, sigma, beta)
    Y = V[0] @ S, V[1] @ T
    mixture = cost(before, mixed(Z, roots), mixed((S, T), roots), roots[0] ** power * Y[0] + roots[1] ** power * Y[1])
    return mixture, [cost(before, Z[0], S, Y[0]), cost(before, Z[1], T, Y[1])], [root**2 for root in roots]


def jointly_convex(Z, before, V, sigma, beta, u, power=2):
    """The outputs are mixed by this power of the roots."""
    mixture, (one, other), (s, t) = joint_costs(Z, before, V, sigma, beta, u, power)
    return le(mixture, s * one + t * other, name="mean")


def jointly_below_both(Z, before, V, sigma, beta, u):
    mixture, both, _ = joint_costs(Z, before, V, sigma, beta, u)
    return le(mixture, minimum(*both))


def both_alike():
    """Two equal pairs and outputs of a ReLU layer."""
    relu = homogeneous(rationals([1, 0]))
    pairs = {"Z": [[[1, 2]], [[1, 2]]], "before": [[1, 0], [0, 1]], "V": [[[1, 1]], [[1, 1]]]}
    return {**pairs, "u": "1/2", "sigma": relu, "beta": 1}


MIXTURES = Domain(
    {
        "Z": reals(2, "width", "points"),
        "before": reals("points", "points"),
        "V": reals(2, "outputs", lambda sizes: sizes["width"] + 1),
        "u": interval(0, 1),
        "sigma": ACTIVATIONS,
        "beta": interval(0, 2),
    },
    {"width": (1, 2, 4), "points": (1, 3, 4), "outputs": range(1, 4)},
)

CONVEX = Claim(
    id="feature_learning.prop_5.convex",
    title="The cost is convex in each pair of covariances",
    source=Source("feature_learning", "Proposition 5"),
    statement=convex_in_a_pair,
    domain=MIXTURES,
    tight={"both alike": both_alike},
    false_variants={"the mixture costs less than both": pair_below_both, "the mixture costs the mean": pair_linear},
)

JOINTLY_CONVEX = Claim(
    id="feature_learning.prop_5.jointly_convex",
    title="The cost is convex in the last pair and the outputs together",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=jointly_convex,
    domain=MIXTURES,
    tight={"both alike": both_alike},
    false_variants={
        "the mixture costs less than both": jointly_below_both,
        "outputs mixed by the roots of the shares": {"power": 1},
    },
)
