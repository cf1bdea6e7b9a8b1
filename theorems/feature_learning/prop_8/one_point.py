r"""Proposition 8 for one data point, where the rank of a pair is known.

Statement
    For one data point, without bias, the rank is 0 for K = 0, 1 if :math:`K^\sigma` is :math:`a^2K` or :math:`d^2K`, else 2 for
    what is between. Rows of n numbers never have a rank above n, and as many terms as the rank give back the pair.
Checked
    Both directions, for any rows.
Proof idea
    Terms are on the rays :math:`(1, a^2)` and :math:`(1, d^2)`.
Tight
    Neurons on both sides, of which two are needed; and between the rays nothing is left to spare.
Source
    feature_learning, Proposition 8. The formula for one point is derived here.
"""

from theorems.feature_learning.constructions.activations import SLOPES
from verify import Claim, DerivedHere, Domain, Source, Tight, reals
from verify.numbers.arithmetic import chosen_rationals, floats, is_exact
from verify.words import eq, ge, le, lifted, norm2, relu, stack, where

exact = lifted(chosen_rationals)
in_arithmetic_of = lifted(lambda pattern, values: values if is_exact(pattern) else floats(values))


def covariances(z, slopes):
    a, d = slopes
    return norm2(z), norm2(a * relu(z) - d * relu(-z))


def rank_of_pair(z, slopes):
    """From the pair alone, on rationals: ranks are computed exactly."""
    (K, K_sigma), rays = covariances(exact(z), exact(slopes)), exact(slopes) ** 2
    return where(K == 0, 0, where((rays * K == K_sigma).any(), 1, 2))


def terms_on_the_rays(z, slopes):
    """Shares of K on both rays, on rationals; where both rays are one, all of it on the first."""
    (K, K_sigma), (first, second) = covariances(exact(z), exact(slopes)), exact(slopes) ** 2
    share = where(first == second, K, (K_sigma - second * K) / where(first == second, 1, first - second))
    return stack([share, K - share])


def rank_decides_one_point(z, slopes):
    found, terms = rank_of_pair(z, slopes), terms_on_the_rays(z, slopes)
    shares = in_arithmetic_of(z, terms)
    return (
        ge(shares, 0, name="no negative term")
        & eq(shares @ slopes**2, covariances(z, slopes)[1], name="second number")
        & eq((terms > 0).sum(), found, name="as many terms")
        & le(found, len(z), name="width")
    )


def rank_is_one(z, slopes):
    return le((terms_on_the_rays(z, slopes) > 0).sum(), 1)


def rank_is_two(z, slopes):
    return le(2, rank_of_pair(z, slopes))


def relu_neurons(*values):
    return lambda: {"z": list(values), "slopes": [1, 0]}


ONE_POINT = Claim(
    id="feature_learning.prop_8.one_point",
    title="The rank of a pair decides the width at one point",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=rank_decides_one_point,
    domain=Domain({"z": reals("width", role="values at a point"), "slopes": SLOPES}, {"width": (1, 2, 4)}),
    tight={
        "neurons on both sides": Tight(relu_neurons(3, -1), of=("as many terms", "width")),
        "neurons on one side": Tight(relu_neurons(3, 1), of=("no negative term", "as many terms"), partly=True),
        "no neuron": Tight(relu_neurons(0, 0), of=("as many terms",)),
    },
    false_variants={"the rank is one": rank_is_one, "the rank is two": rank_is_two},
)
