r"""The rank of a pair for one data point.

Statement
    For a single data point and slopes 1 and d, |d| < 1, the pairs are those with :math:`d^2k \le q \le k`, q the second number
    less :math:`b^2`; the rank is 1 if k > 0, and one more if :math:`d^2k < q < k`. So the lower bounds of `lower_bounds` are
    not sharp: (2, 1) has rank 2 for the ReLU.
Checked
    How any sum splits into both signs, from the pair alone, and that no sum has fewer terms than that.
Proof idea
    Neurons with values of equal signs make one.
Tight
    Two neurons of different signs.
Source
    feature_learning, equation (4.1); all of this is derived here.
"""

from theorems.feature_learning.constructions.activations import NEGATIVE_SLOPES
from verify import Claim, DerivedHere, Domain, Source, Tight, interval, reals
from verify.numbers.symbolic import identically_zero
from verify.words import absolute, eq, le, norm2, relu, vector


def squares_of_each_sign(z):
    return norm2(relu(z)), norm2(relu(-z))


def pair_of(z, d, b):
    positive, negative = squares_of_each_sign(z)
    return norm2(z), positive + d**2 * negative + b**2


def two_neurons_at_most(z, d, b, most=2):
    (k, second), (positive, negative) = pair_of(z, d, b), squares_of_each_sign(z)
    # from the pair alone: how the sum splits into both signs
    forward = (second - b**2 - d**2 * k) / (1 - d**2)
    needed = (vector(positive, negative) > 0).sum()
    return (
        eq(forward, positive, name="positive part", beside=k + b**2 + positive)
        & eq(k - forward, negative, name="negative part", beside=k + b**2 + negative)
        & le(needed, (z != 0).sum(), name="terms")
        & le(needed, most, name="two")
    )


def bias_is_not_taken_off(z, d, b):
    (k, second), (positive, _) = pair_of(z, d, b), squares_of_each_sign(z)
    return eq((second - d**2 * k) / (1 - d**2), positive)


def one_term_in_symbols():
    """A single term for one data point has q = k or q = d^2 k, so that (2, 1) is not one for the ReLU."""
    import sympy as sp

    z, d = sp.symbols("z d", real=True)
    image = (1 + d) / 2 * z + (1 - d) / 2 * sp.Abs(z)
    return identically_zero((image**2 - z**2) * (image**2 - d**2 * z**2))


ONE_POINT = Claim(
    id="feature_learning.rank_of_pair.one_point",
    title="The rank of a pair for one data point",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=two_neurons_at_most,
    domain=Domain(
        {"z": reals("neurons", role="values at a point"), "d": NEGATIVE_SLOPES, "b": interval(0, 2, role="1")},
        {"neurons": (1, 2, 3, 5)},
        hypotheses={"|d| < 1": lambda d: absolute(d) < 1},
    ),
    tight={"both signs": Tight(lambda: {"z": [1, -1], "d": 0, "b": 1}, of=("terms", "two"))},
    false_variants={"one neuron suffices": {"most": 1}, "the bias is not taken off": bias_is_not_taken_off},
    exact={"a single term": one_term_in_symbols},
)
