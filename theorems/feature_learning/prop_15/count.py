r"""Proposition 15: merged by class, 4N - 2 neurons suffice.

Statement
    On N points, a shallow ReLU network with one input and one output can be replaced by one with at most 4N hidden neurons,
    the same outputs and no larger norm.
Checked
    The greedy merger with classes, on any network: outputs at the points, norm, and the number of neurons that are left, for 4N
    classes and for 4N - 2. In fact N neurons suffice: see `fewer`.
Proof idea
    With four classes in each of N - 1 gaps, and for each sign of a one class of neurons that are active at all points for b >
    0 and one for :math:`b \le 0`, at most 4N neurons are left; what was inactive is gone. The change to balanced neurons does
    not increase the norm, as :math:`a^2 + b^2 + c^2 \ge 2|a|\|(b, c)\|`. Neurons that are active at all points are one class,
    whatever the sign of b: so at most 4N - 2.
Tight
    A neuron of each class: nothing merges.
Source
    feature_learning, Proposition 15 (Proposition 24 in the appendix). The count 4N - 2 is derived here.
"""

from functools import partial

from theorems.feature_learning.constructions.one_dimension import at_points, hidden_outputs, lengths
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, interval, reals
from verify.words import absolute, concatenate, eq, le, norm2, relu, stack, vector, where


def balanced(W):
    """The vectors u of neurons with the rows (a, b, c)."""
    return absolute(W[:, :1]) * W[:, 1:]


def classes(W, x, beta, joined):
    """Which neurons are in each class, and the sign of their outgoing weights.

    Classes are told by the number of points at which a neuron is active, by the sign of b, and by the sign of a; neurons that
    are active at all points are `joined`, whatever the sign of b.
    """
    active = (balanced(W) @ at_points(x, beta) > 0).sum(axis=1)
    positive, rising, found = W[:, 0] > 0, W[:, 1] > 0, []
    for number in range(1, len(x) + 1):
        for sign, same in ((1, positive), (-1, ~positive)):
            here = (active == number) & same
            together = joined and number == len(x)
            found += [(part, sign) for part in ([here] if together else [here & rising, here & ~rising])]
    return found


def merged_neurons(W, x, beta, joined):
    """The sum of the vectors in every class as rows, and the signs of their outgoing weights."""
    u, chosen = balanced(W), classes(W, x, beta, joined)
    return stack([where(members[:, None], u, 0).sum(axis=0) for members, _ in chosen]), vector(*(sign for _, sign in chosen))


def network_merges(W, x, beta, joined=False, less=0):
    """Outputs, norm and number of neurons after merging; the output bias stays as it is."""
    u, signs = merged_neurons(W, x, beta, joined)
    return (
        eq(signs @ relu(u @ at_points(x, beta)), hidden_outputs(W, x, beta), name="outputs")
        & le(2 * lengths(u).sum(), norm2(W), name="norm")
        & le((u != 0).any(axis=1).sum(), 4 * len(x) - less, name="neurons")
    )


def joined_network_merges(W, x, beta, less=2):
    return network_merges(W, x, beta, joined=True, less=less)


def same_function(W, x, beta, elsewhere, joined):
    u, signs = merged_neurons(W, x, beta, joined)
    return eq(signs @ relu(u @ at_points(elsewhere, beta)), hidden_outputs(W, elsewhere, beta))


def signs_do_not_count(W, x, beta):
    positive = concatenate([absolute(W[:, :1]), W[:, 1:]], axis=1)
    u, _ = merged_neurons(positive, x, beta, False)
    return eq(relu(u @ at_points(x, beta)).sum(axis=0), hidden_outputs(W, x, beta))


def one_of_each_class(*W):
    """Balanced neurons that are active at the only point 0."""
    return {"W": [*W], "x": [0], "beta": 1, "elsewhere": [0]}


def all_classes(points):
    """At the points 0, 1, ... a neuron of each of the 4N classes, beside others that are 0: kinks between the points."""
    rising = [[1, Q(2 * number + 1, 2) - points] for number in range(1, points + 1)]
    falling = [[-1, Q(2 * number - 1, 2)] for number in range(1, points + 1)]
    W = [[sign, b, c] for sign in (1, -1) for b, c in [*rising, *falling]]
    return {"W": W + [[0, 0, 0]] * (16 - len(W)), "x": [*range(points)], "beta": 1, "elsewhere": [*range(points)]}


DOMAIN = Domain(
    {
        "W": reals("neurons", 3, role="neurons of the line"),
        "x": reals("points", role="points of the line"),
        "beta": interval(0, 2, role="1"),
        "elsewhere": reals("points", role="other points of the line"),
    },
    {"neurons": (2, 7, 16), "points": range(1, 5)},
)
EXAMPLES = [all_classes(points) for points in range(2, 5)]
"""Chance draws no neuron of each class where there are three points or more."""
ALL_SIGNS = partial(one_of_each_class, [5, 3, 4], [5, -3, 4], [-5, 3, 4], [-5, -3, 4])

CLAIM = Claim(
    id="feature_learning.prop_15",
    title="Networks of one input and one output need at most 4N neurons",
    source=Source("feature_learning", "Proposition 15"),
    statement=network_merges,
    domain=DOMAIN,
    tight={"one neuron of each class": Tight(ALL_SIGNS, of=("norm", "neurons"))},
    false_variants={
        "merging leaves at most 4N - 1": {"less": 1},
        "the function does not change": partial(same_function, joined=False),
        "whatever the signs of a": signs_do_not_count,
    },
    examples=EXAMPLES,
)

JOINED = Claim(
    id="feature_learning.prop_15.joined",
    title="Networks of one input and one output need at most 4N - 2 neurons",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=joined_network_merges,
    domain=DOMAIN,
    tight={"one neuron of each class": Tight(partial(one_of_each_class, [5, 3, 4], [-5, 3, 4]), of=("norm", "neurons"))},
    false_variants={
        "merging leaves at most 4N - 3": {"less": 3},
        "the function does not change": partial(same_function, joined=True),
    },
    examples=EXAMPLES,
)
