r"""The rank of a pair for one data point.

Statement
    For a single data point and slopes 1 and d, |d| < 1, the pairs are those with :math:`d^2k \le q \le k`, q the second number
    less :math:`b^2`; the rank is 1 if k > 0, and one more if :math:`d^2k < q < k`. So the lower bounds of `lower_bounds` are
    not sharp: (2, 1) has rank 2 for the ReLU.
Checked
    How any sum splits into both signs, from the pair alone, and that no sum has fewer terms than that.
Proof idea
    Neurons with values of equal signs make one.
Sharp
    Two neurons of different signs.
Source
    feature_learning, equation (4.1); all of this is ours.
"""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.activations import NEGATIVE_SLOPES
from theorems.feature_learning.constructions.pruning import in_use, number_in_use
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, absolute, compare, maximum, rationals
from verify.symbolic import identically_zero


def squares_of_each_sign(vector: Array) -> tuple[Array, Array]:
    """Sums over the positive and over the negative values."""
    signs = (vector, -vector)
    positive, negative = (np.asarray((maximum(each, 0 * each) ** 2).sum(axis=-1)) for each in signs)
    return positive, negative


def pair_of(vector: Array, slope: Array, bias: Array) -> tuple[Array, Array]:
    """k, and the second number."""
    positive, negative = squares_of_each_sign(vector)
    return (vector**2).sum(axis=-1), positive + slope**2 * negative + bias**2


def two_neurons_at_most(vector: Array, slope: Array, bias: Array) -> Relation:
    """The pair of neurons with these values at one data point, and how many neurons it needs."""
    (k, second), (positive, negative) = pair_of(vector, slope, bias), squares_of_each_sign(vector)
    # from the pair alone: how the sum splits into both signs
    forward = (second - bias**2 - slope**2 * k) / (1 - slope**2)
    needed = in_use(positive) + in_use(negative)
    # both parts beside the numbers of which they are differences
    total = k + bias**2
    return (
        eq(total + forward, total + positive, name="positive part")
        & eq(total + k - forward, total + negative, name="negative part")
        & le(needed, number_in_use(absolute(vector)), name="terms")
        & le(needed, 0 * needed + 2, name="two")
    )


# False variants


def one_neuron_suffices(vector: Array, slope: Array, bias: Array) -> Relation:
    """One neuron has any pair of one data point."""
    del slope, bias
    positive, negative = squares_of_each_sign(vector)
    needed = in_use(positive) + in_use(negative)
    return le(needed, 0 * needed + 1)


def bias_is_not_taken_off(vector: Array, slope: Array, bias: Array) -> Relation:
    """How the sum splits, from the second number with its bias."""
    (k, second), (positive, _) = pair_of(vector, slope, bias), squares_of_each_sign(vector)
    return eq((second - slope**2 * k) / (1 - slope**2), positive)


def one_term_in_symbols() -> Relation:
    """A single term for one data point has q = k or q = d^2 k, so that (2, 1) is not one for the ReLU."""
    import sympy as sp

    z, d = sp.symbols("z d", real=True)
    image = (1 + d) / 2 * z + (1 - d) / 2 * sp.Abs(z)
    return identically_zero((image**2 - z**2) * (image**2 - d**2 * z**2))


def both_signs() -> dict[str, Array]:
    """The values 1 and -1."""
    return {"vector": rationals([[1, -1]]), "slope": rationals([0]), "bias": rationals([1])}


ONE_POINT = Claim(
    id="feature_learning.rank_of_pair.one_point",
    title="The rank of a pair for one data point",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=two_neurons_at_most,
    domain=Domain(
        {"vector": reals("neurons", role="values at a point"), "slope": NEGATIVE_SLOPES, "bias": interval(0, 2, role="1")},
        {"neurons": (1, 2, 3, 5)},
        hypotheses={"|d| < 1": lambda slope: compare(absolute(slope), 1) < 0},
    ),
    tight={"both signs": Tight(both_signs, of=("terms", "two"))},
    false_variants={"one neuron suffices": one_neuron_suffices, "the bias is not taken off": bias_is_not_taken_off},
    exact={"a single term": one_term_in_symbols},
)
