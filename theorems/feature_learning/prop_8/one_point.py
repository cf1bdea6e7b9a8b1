r"""Proposition 8 for one data point, where the rank of a pair is known.

Statement
    For one data point, without bias, the rank is 0 for K = 0, 1 if :math:`K^\sigma` is :math:`a^2K` or :math:`d^2K`, else 2 for
    what is between. Rows of n numbers never have a rank above n, and as many terms as the rank give back the pair.
Checked
    Both directions, for any rows.
Proof idea
    Terms are on the rays :math:`(1, a^2)` and :math:`(1, d^2)`.
Sharp
    Neurons on both sides, of which two are needed; and between the rays nothing is left to spare.
Source
    feature_learning, Proposition 8. The formula for one point is ours.
"""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.activations import SLOPES
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, le, reals
from verify.arithmetic import Array, chosen_rationals, compare, floats, is_exact, rationals
from verify.cones.support_graphs import like
from verify.networks import HomogeneousActivation


def numbers_of(row: Array, slopes: Array) -> tuple[Array, Array]:
    r"""K and :math:`K^\sigma` without bias."""
    image = HomogeneousActivation(slopes[..., :1], slopes[..., 1:])(row[..., None])[..., 0]
    return (row**2).sum(axis=-1), (image**2).sum(axis=-1)


def rank_of_one_point(row: Array, slopes: Array) -> Array:
    """The rank of the pair, from the pair alone, on rationals: a rank is no matter of rounding."""
    exact = chosen_rationals(slopes)
    covariance, rectified = numbers_of(chosen_rationals(row), exact)
    on_a_ray = (compare(rectified[..., None], exact**2 * covariance[..., None]) == 0).any(axis=-1)
    return like(np.where(compare(covariance, 0) == 0, 0, np.where(on_a_ray, 1, 2)), row)


def terms_on_the_rays(row: Array, slopes: Array) -> Array:
    """Shares of K on both rays; where both are one, all of it on the first."""
    covariance, rectified = numbers_of(row, slopes)
    squares = slopes**2
    difference = squares[..., 0] - squares[..., 1]
    alike = compare(difference, 0) == 0
    share = (rectified - squares[..., 1] * covariance) / np.where(alike, 0 * difference + 1, difference)
    first = np.where(alike, covariance, share)
    return np.stack([first, covariance - first], axis=-1)


def rank_decides_one_point(row: Array, slopes: Array) -> Relation:
    """The width against the rank, and the pair of one neuron for each ray, or for one of them if the rank is one."""
    found = rank_of_one_point(row, slopes)
    exact = terms_on_the_rays(chosen_rationals(row), chosen_rationals(slopes))
    terms = exact if is_exact(row) else floats(exact)
    used = like((compare(exact, 0) > 0).sum(axis=-1), row)
    return (
        ge(terms, 0 * terms, name="no negative term", over=1)
        & eq((terms * slopes**2).sum(axis=-1), numbers_of(row, slopes)[1], name="second number")
        & le(used, found, name="as many terms")
        & le(found, 0 * found + row.shape[-1], name="width")
    )


# False variants


def rank_is_one(row: Array, slopes: Array) -> Relation:
    """One term is enough."""
    exact = terms_on_the_rays(chosen_rationals(row), chosen_rationals(slopes))
    used = like((compare(exact, 0) > 0).sum(axis=-1), row)
    return le(used, 0 * used + 1)


def rank_is_two(row: Array, slopes: Array) -> Relation:
    """Two neurons are always needed."""
    found = rank_of_one_point(row, slopes)
    return le(0 * found + 2, found)


def two_neurons(first: int, second: int) -> dict[str, Array]:
    """Two ReLU neurons with these values."""
    return {"row": rationals([[first, second]]), "slopes": rationals([[1, 0]])}


ONE_POINT = Claim(
    id="feature_learning.prop_8.one_point",
    title="The rank of a pair decides the width at one point",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=rank_decides_one_point,
    domain=Domain({"row": reals("width"), "slopes": SLOPES}, {"width": (1, 2, 4)}),
    tight={
        "neurons on both sides": Tight(lambda: two_neurons(3, -1), of=("as many terms", "width")),
        "neurons on one side": Tight(lambda: two_neurons(3, 1), of=("no negative term", "as many terms"), partly=True),
        "no neuron": Tight(lambda: two_neurons(0, 0), of=("as many terms",)),
    },
    false_neighbours={"the rank is one": rank_is_one, "the rank is two": rank_is_two},
)
