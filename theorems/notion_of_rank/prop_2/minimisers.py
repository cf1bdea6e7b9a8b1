r"""Proposition 2: the constant C_N of given data, and what follows for global minimisers.

Statement
    The scales act on two terms of the norm of the interpolant (``statement``). For L >= 3 (``.constant``)

    .. math:: \|w\|^2 \ge L + C_N, \qquad
              C_N = \|u\|^2 + c^2 - 3 + 2 \sum_j \|m_j\| \sqrt{1 + z_j^2} + \|\beta\|^2 ,

    with equality for :math:`a_j^2 = \|m_j\| / \sqrt{1 + z_j^2}`; for L = 2 with :math:`\|u\|^2 + (c - z_j)^2` for
    :math:`1 + z_j^2`. Every global minimiser w satisfies

    .. math:: \|w\|^2 \le L + C_N \qquad\text{and}\qquad \|w\|^2 \le \frac{L}{\lambda N} \sum_i \|y_i\|^2 .

    By the second bound the cost per layer of a minimiser is below 1 for large :math:`\lambda`.
Checked
    The lower bound for all scales. Of a minimiser one thing is used: its loss is no larger than that of the interpolant (with
    any scales, whose norm then bounds that of w) and that of the zero network. The bounds are checked for all networks with
    this property, near the interpolant and far from it, with repeated points and conflicting labels. The activation is the
    ReLU.
Proof idea
    The inequality of means. No function has a smaller data loss than one that takes the mean label at every point.
Sharp
    Knots where the roots are rational; the interpolant itself, and where it has the loss of zero. :math:`C_N = 0` for data on
    the line y = x that begin at 0, so that the 1 of the proposition cannot be smaller.
Source
    notion_of_rank, Proposition 2.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import is_at_most, squares, values_at
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.rank_one import (
    best_scales,
    entry_squares,
    least_norm,
    mean_labels,
    moved,
    network_of_curve,
    norm_of_network,
    rank_one_curve,
)
from theorems.notion_of_rank.prop_2.statement import DATA, LENGTHS, SCALES
from verify import Claim, Domain, Networks, Ours, Q, Relation, Source, Tight, derived, eq, ge, integers, interval, le
from verify.arithmetic import Array, rationals, sqrt
from verify.networks import FullyConnected


def no_scales_are_better(
    points: Array, labels: Array, direction: Array, scales: Array, depth: Depth, factor: Q | int = 2
) -> Relation:
    """The lower bound for the norm; `factor` is that of the sum."""
    curve = rank_one_curve(points, labels, direction)
    entry, before = entry_squares(curve, depth.depth)
    both = sqrt(squares(curve.coefficients) * entry).sum(axis=-1)
    norm = network_of_curve(curve, depth.depth, scales).parameter_norm_squared
    return ge(norm, squares(curve.value) + before + factor * both)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A network that is compared with the interpolant and with zero; all arrays are batch-shaped.

    Attributes
    ----------
    norm, loss
        Its squared norm, and its loss.
    interpolant_norm, interpolant_loss
        Those of the interpolant: its data loss is that of the mean labels.
    zero_loss
        The loss of the zero network.
    ridge, depth
        The weight lambda, and L.
    """

    norm: Array
    loss: Array
    interpolant_norm: Array
    interpolant_loss: Array
    zero_loss: Array
    ridge: Array
    depth: Array

    def __getitem__(self, index: Any) -> Candidate:
        return Candidate(*(getattr(self, one.name)[index] for one in fields(self)))


def norm_of_minimiser(candidate: Candidate) -> Relation:
    """Both bounds for the norm."""
    by_interpolant = le(candidate.norm, candidate.interpolant_norm, name="interpolant")
    return by_interpolant & le(candidate.norm, candidate.depth * candidate.zero_loss / candidate.ridge, name="zero")


def not_above_interpolant(candidate: Candidate) -> Array:
    """Whether the loss is at most that of the interpolant."""
    return is_at_most(candidate.loss, candidate.interpolant_loss)


def not_above_zero(candidate: Candidate) -> Array:
    """Whether the loss is at most that of the zero network."""
    return is_at_most(candidate.loss, candidate.zero_loss)


def candidate(
    points: Array, labels: Array, direction: Array, scales: Array, step: Array, network: FullyConnected, root: Array
) -> Candidate:
    """The interpolant moved towards `network`, for the ridge ``root ** 4``.

    Its parameters are multiplied by ``1 - step / 4``, and ``step / 8`` times those of the other are added.
    """
    curve, ridge = rank_one_curve(points, labels, direction), np.asarray(root**4)
    tested = moved(network_of_curve(curve, network.depth, scales), network, step)
    count, norm, norm_of_curve = points.shape[-2], tested.parameter_norm_squared, norm_of_network(curve, network.depth, scales)
    conflict = squares(mean_labels(points, labels) - labels, (-2, -1)) / count
    return Candidate(
        norm=norm,
        loss=squares(values_at(tested, points) - labels, (-2, -1)) / count + ridge * norm / network.depth,
        interpolant_norm=norm_of_curve,
        interpolant_loss=conflict + ridge * norm_of_curve / network.depth,
        zero_loss=squares(labels, (-2, -1)) / count,
        ridge=ridge,
        depth=0 * ridge + network.depth,
    )


# False variants


def unit_scales_are_best(points: Array, labels: Array, direction: Array, scales: Array, depth: Depth) -> Relation:
    """Scales do not help."""
    curve = rank_one_curve(points, labels, direction)
    return ge(norm_of_network(curve, depth.depth, scales), norm_of_network(curve, depth.depth, 1 + 0 * scales))


def without_the_root(points: Array, labels: Array, direction: Array, scales: Array, depth: Depth) -> Relation:
    """The lower bound with 1 + z^2 in place of its root."""
    curve = rank_one_curve(points, labels, direction)
    entry, before = entry_squares(curve, depth.depth)
    both = 2 * (sqrt(squares(curve.coefficients)) * entry).sum(axis=-1)
    return ge(norm_of_network(curve, depth.depth, scales), squares(curve.value) + before + both)


def one_layer_less(candidate: Candidate) -> Relation:
    """The norm of the interpolant with an identity layer less."""
    return le(candidate.norm, candidate.interpolant_norm - 1)


def ridge_not_divided_by_the_depth(candidate: Candidate) -> Relation:
    """The bound by zero for a ridge without the factor 1 / L."""
    return le(candidate.norm, candidate.zero_loss / candidate.ridge)


# Tight examples


def pythagorean_knots() -> dict[str, Any]:
    """Knots 0 and 3/4, where the roots of 1 + z^2 are rational, and coefficients 4 and 5: the best scales are 2 and 2."""
    return {
        "points": rationals([[[0], ["3/4"], [2]]]),
        "labels": rationals([[[0], [3], ["57/4"]]]),
        "direction": rationals([[1]]),
        "scales": rationals([[2, 2]]),
        "depth": Depth(4),
    }


def identity_data() -> dict[str, Any]:
    """The data (0, 0) and (1, 1): C_N is zero."""
    points = rationals([[[0], [1]]])
    return {"points": points, "labels": points, "direction": rationals([[1]]), "scales": rationals([[1]])}


def interpolant_of_two(depth: int, label: int, root: str) -> dict[str, Any]:
    """The interpolant of (0, 0) and (1, label) as the network that is compared, for the ridge ``root ** 4``.

    It costs L for the label 1. For the label 2 and the ridge 1 it costs L + 3, and the zero network has the loss 2.
    """
    sizes = [1, *[2] * (depth - 1), 1]
    zero = FullyConnected([rationals(np.zeros((1, b, a), dtype=int)) for a, b in pairwise(sizes)])
    data = {**identity_data(), "labels": rationals([[[0], [label]]])}
    return {"candidate": candidate(**data, step=rationals([0]), network=zero, root=rationals([root]))}


def smallest_constant() -> Relation:
    """L + C_N for the identity on two points, and the norm with the best scales."""
    data = identity_data()
    curve = rank_one_curve(data["points"], data["labels"], data["direction"])
    relation = Relation(())
    for depth in (3, 4, 9):
        network = network_of_curve(curve, depth, best_scales(curve, depth))
        relation &= eq(least_norm(curve, depth), rationals([depth])) & eq(network.parameter_norm_squared, rationals([depth]))
    return relation


CONSTANT = Claim(
    id="notion_of_rank.prop_2.constant",
    title="The best scales of the interpolant give L + C_N",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=no_scales_are_better,
    domain=Domain({**DATA, "scales": SCALES, "depth": GIVEN_DEPTH}, {"depth": (2, 3, 4, 6, 13), **LENGTHS}),
    tight={
        "Pythagorean knots": Tight(pythagorean_knots),
        "the identity": Tight(lambda: {**identity_data(), "depth": Depth(3)}),
    },
    false_variants={
        "21/10 times the sum": partial(no_scales_are_better, factor=Q("21/10")),
        "without the root": without_the_root,
        "scales of one are best": unit_scales_are_best,
    },
    exact={"C_N = 0 for the identity": smallest_constant},
)

MINIMISERS = Claim(
    id="notion_of_rank.prop_2.minimisers",
    title="The interpolant and zero bound the norm of a global minimiser",
    source=Source("notion_of_rank", "Proposition 2"),
    statement=norm_of_minimiser,
    domain=Domain(
        {
            "candidate": derived(
                candidate,
                **DATA,
                scales=SCALES,
                step=integers(0, 4),
                network=Networks(width="count"),
                root=interval(Q("1/8"), Q("3/2")),
            )
        },
        {"depth": (2, 3, 4, 6), **LENGTHS},
        {
            "the loss is at most that of the interpolant": not_above_interpolant,
            "the loss is at most that of zero": not_above_zero,
        },
    ),
    needs=("the loss is at most that of the interpolant", "the loss is at most that of zero"),
    tight={
        "the interpolant itself": Tight(partial(interpolant_of_two, 3, 1, "1/2"), of=("interpolant",)),
        "the interpolant, depth 5": Tight(partial(interpolant_of_two, 5, 1, "1/2"), of=("interpolant",)),
        "as good as zero": Tight(partial(interpolant_of_two, 3, 2, "1"), of=("interpolant", "zero")),
    },
    false_variants={
        "an identity layer less": one_layer_less,
        "lambda not divided by L": ridge_not_divided_by_the_depth,
    },
)
