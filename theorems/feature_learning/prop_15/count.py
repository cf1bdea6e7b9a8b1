r"""Proposition 15: neurons of one class merge, so that 4N - 2 neurons suffice.

Statement
    On N points, shallow ReLU networks with one input and one output need at most 4N hidden neurons.
Checked
    The greedy merger with classes, on any network: outputs at the points, norm, and the number of neurons that are left, for 4N
    classes and for 4N - 2. In fact N neurons suffice: see `fewer`.
Proof idea
    With four classes in each of N - 1 gaps, and for each sign of a one class of neurons that are active at all points for b > 0
    and one for :math:`b \le 0`, at most 4N neurons are left; what was inactive is gone. The change to balanced neurons reduces
    the norm by :math:`a^2 + b^2 + c^2 \ge 2|a|\|(b, c)\|`. Neurons that are active at all points are one class, whatever the
    sign of b: so at most 4N - 2.
Sharp
    A neuron of each class: nothing merges.
Source
    feature_learning, Proposition 15 (Proposition 24 in the appendix). The count 4N - 2 is ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.feature_learning.constructions.one_dimension import at_points, hidden_outputs, length, rectified
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, absolute, compare, rationals
from verify.cones.support_graphs import like


def balanced(weights: Array) -> Array:
    """The vectors u of neurons with the rows (a, b, c)."""
    return np.asarray(absolute(weights[..., 0])[..., None] * weights[..., 1:])


def classes(weights: Array, points: Array, bias: Array, joined: bool) -> list[tuple[Array, int]]:
    """Which neurons are in each class, and the sign of their outgoing weights.

    Classes are told by the number of points at which a neuron is active, by the sign of b, and by the sign of a; neurons that
    are active at all points are `joined`, whatever the sign of b.
    """
    active = (compare(balanced(weights) @ at_points(points, bias), 0) > 0).sum(axis=-1)
    rising, signs = compare(weights[..., 1], 0) > 0, compare(weights[..., 0], 0) > 0
    found = []
    for number in range(1, points.shape[-1] + 1):
        for sign in (True, False):
            here = (active == number) & (signs == sign)
            together = joined and number == points.shape[-1]
            parts = [here] if together else [here & rising, here & ~rising]
            found += [(part, 1 if sign else -1) for part in parts]
    return found


def merged_neurons(joined: bool, weights: Array, points: Array, bias: Array) -> tuple[Array, Array]:
    """The sum of the vectors in every class, ``(..., k, 2)``, and the signs of their outgoing weights, ``(k,)``."""
    vectors, chosen = balanced(weights), classes(weights, points, bias, joined)
    merged = [np.where(mask[..., None], vectors, 0 * vectors).sum(axis=-2) for mask, _ in chosen]
    return np.stack(merged, axis=-2), np.array([sign for _, sign in chosen])


def same_outputs(joined: bool, weights: Array, points: Array, compared: Array, bias: Array) -> Relation:
    """The network merged at `points` has the same outputs at the points `compared`."""
    merged, signs = merged_neurons(joined, weights, points, bias)
    after = (signs[:, None] * rectified(merged @ at_points(compared, bias))).sum(axis=-2)
    return eq(after, hidden_outputs(weights, compared, bias), name="outputs", over=1)


def at_most(number: int, joined: bool, weights: Array, points: Array, bias: Array) -> Relation:
    """Merging leaves at most this number of neurons."""
    merged, _ = merged_neurons(joined, weights, points, bias)
    left = like((compare((merged * merged).sum(axis=-1), 0) != 0).sum(axis=-1), points)
    return le(left, 0 * left + number, name="neurons")


def network_merges(number: int, joined: bool, weights: Array, points: Array, bias: Array) -> Relation:
    """Outputs, norm and number of neurons after merging; the output bias stays as it is."""
    merged, _ = merged_neurons(joined, weights, points, bias)
    norm = le(2 * length(merged).sum(axis=-1), (weights * weights).sum(axis=(-2, -1)), name="norm")
    return same_outputs(joined, weights, points, points, bias) & norm & at_most(number, joined, weights, points, bias)


def at_most_four_times(weights: Array, points: Array, bias: Array) -> Relation:
    """Merging in 4N classes."""
    return network_merges(4 * points.shape[-1], False, weights, points, bias)


def at_most_two_less(weights: Array, points: Array, bias: Array) -> Relation:
    """Merging in 4N - 2 classes."""
    return network_merges(4 * points.shape[-1] - 2, True, weights, points, bias)


# False variants


def same_function(joined: bool, weights: Array, points: Array, bias: Array, elsewhere: Array) -> Relation:
    """The merged network has the same outputs at other points."""
    return same_outputs(joined, weights, points, elsewhere, bias)


def fewer_are_left(joined: bool, weights: Array, points: Array, bias: Array) -> Relation:
    """Merging leaves one neuron less."""
    return at_most(4 * points.shape[-1] - (3 if joined else 1), joined, weights, points, bias)


def signs_do_not_count(weights: Array, points: Array, bias: Array) -> Relation:
    """Neurons merge whatever the signs of their outgoing weights."""
    vectors = balanced(np.concatenate([absolute(weights[..., :1]), weights[..., 1:]], axis=-1))
    rows = np.concatenate([absolute(weights[..., :1]), weights[..., 1:]], axis=-1)
    parts = [np.where(mask[..., None], vectors, 0 * vectors).sum(axis=-2) for mask, _ in classes(rows, points, bias, False)]
    after = rectified(np.stack(parts, axis=-2) @ at_points(points, bias)).sum(axis=-2)
    return eq(after, hidden_outputs(weights, points, bias), over=1)


def one_of_each_class(rows: list[list[int]]) -> dict[str, Array]:
    """Balanced neurons that are active at the only point 0."""
    return {"weights": rationals([rows]), "points": rationals([[0]]), "bias": rationals([1]), "elsewhere": rationals([[0]])}


DOMAIN = Domain(
    {
        "weights": reals("neurons", 3, role="neurons of the line"),
        "points": reals("points", role="points of the line"),
        "bias": interval(0, 2, role="1"),
        "elsewhere": reals("points", role="other points of the line"),
    },
    {"neurons": (2, 7, 16), "points": range(1, 5)},
)

CLAIM = Claim(
    id="feature_learning.prop_15",
    title="Networks of one input and one output need at most 4N neurons",
    source=Source("feature_learning", "Proposition 15"),
    statement=at_most_four_times,
    domain=DOMAIN,
    tight={
        "one neuron of each class": Tight(
            partial(one_of_each_class, [[5, 3, 4], [5, -3, 4], [-5, 3, 4], [-5, -3, 4]]), of=("norm", "neurons")
        )
    },
    false_variants={
        "merging leaves at most 4N - 1": partial(fewer_are_left, False),
        "the function does not change": partial(same_function, False),
        "whatever the signs of a": signs_do_not_count,
    },
)

JOINED = Claim(
    id="feature_learning.prop_15.joined",
    title="Networks of one input and one output need at most 4N - 2 neurons",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=at_most_two_less,
    domain=DOMAIN,
    tight={"one neuron of each class": Tight(partial(one_of_each_class, [[5, 3, 4], [-5, 3, 4]]), of=("norm", "neurons"))},
    false_variants={
        "merging leaves at most 4N - 3": partial(fewer_are_left, True),
        "the function does not change": partial(same_function, True),
    },
)
