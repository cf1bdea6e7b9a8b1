r"""Proposition 2: the constant C_N of given data, and what follows for global minimisers.

The scales act on two terms of the norm of the interpolant (``prop_2``). By the inequality of means, for :math:`L \ge 3`,

.. math:: \|w\|^2 \ge L + C_N, \qquad
          C_N = \|u\|^2 + c^2 - 3 + 2 \sum_j \|m_j\| \sqrt{1 + z_j^2} + \|\beta\|^2 ,

with equality for :math:`a_j^2 = \|m_j\| / \sqrt{1 + z_j^2}` (`best_scales`; for L = 2 with :math:`\|u\|^2 + (c - z_j)^2` for
:math:`1 + z_j^2`). For data on the line y = x >= 0 that begin at 0 it is :math:`C_N = 0`, so that the 1 of the proposition
cannot be smaller.

A global minimiser is used for one thing only: its loss is no larger than that of the interpolant and that of the zero network.
Every network w with this property satisfies

.. math:: \|w\|^2 \le L + C_N \qquad\text{and}\qquad \|w\|^2 \le \frac{L}{\lambda N} \sum_i \|y_i\|^2 ,

because no function has a smaller data loss than one that takes the mean label at every point. This is checked for networks
near the interpolant and far from it, with repeated points and conflicting labels; equality in both for the interpolant, where
it has the loss of zero. The second bound says that for large :math:`\lambda` the cost per layer of a minimiser is below 1.

Source: notion_of_rank, Proposition 2.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import is_at_most, squares
from theorems.notion_of_rank.constructions.rank_one import (
    best_scales,
    entry_squares,
    least_norm,
    mean_labels,
    network_of_curve,
    norm_of_network,
    rank_one_curve,
)
from theorems.notion_of_rank.prop_2.statement import DATA, DEPTHS
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, ge, integers, interval, le
from verify.arithmetic import Array, compare, floats, rationals, sqrt
from verify.networks import FullyConnected

DEPTH = 3


def no_scales_are_better(
    points: Array, labels: Array, direction: Array, scales: Array, basis_points: int = 10_000, rooted: bool = True
) -> Relation:
    """The lower bound for the norm, for several depths; the constant of what the scales act on in units of 1/10000."""
    curve, relation = rank_one_curve(points, labels, direction), Relation(())
    for depth in DEPTHS:
        entry, extra = entry_squares(curve, depth)
        fixed, bends = squares(curve.value) + extra, sqrt(squares(curve.coefficients))
        both = 2 * bends * (sqrt(entry) if rooted else entry)
        relation &= ge(norm_of_network(curve, depth, scales), fixed + both.sum(axis=-1) * basis_points / 10_000)
    return relation


def unit_scales_are_best(points: Array, labels: Array, direction: Array, scales: Array) -> Relation:
    """What is false: that scales do not help."""
    curve = rank_one_curve(points, labels, direction)
    return ge(norm_of_network(curve, DEPTH, scales), norm_of_network(curve, DEPTH, 1 + 0 * scales))


def beside_the_interpolant(
    points: Array, labels: Array, direction: Array, scales: Array, step: Array, network: FullyConnected
) -> FullyConnected:
    """The interpolant of depth 3, with as many neurons as points, moved towards another network.

    Its parameters are multiplied by ``1 - step / 4``, and ``step / 8`` times those of the other are added.
    """
    curve = rank_one_curve(points, labels, direction)
    start = network_of_curve(curve, DEPTH, scales).embed(network.widths)
    kept, moved = 1 - step / 4, step / 8
    return FullyConnected(
        [
            kept[..., None, None] * one + moved[..., None, None] * other
            for one, other in zip(start.weights, network.weights, strict=True)
        ],
        [kept[..., None] * one + moved[..., None] * other for one, other in zip(start.biases, network.biases, strict=True)],
    )


@dataclass(frozen=True, eq=False)
class Candidate:
    """A network that is compared with the interpolant and with zero; all arrays are batch-shaped.

    Attributes
    ----------
    norm, loss
        Its squared norm, and its loss.
    interpolant_norm, interpolant_loss
        Those of the interpolant: its data loss is that of the mean labels.
    first_label_norm
        That of the interpolant of the labels with the first one for the last, where these two points are equal.
    zero_loss
        The loss of the zero network.
    ridge
        The weight lambda.
    """

    norm: Array
    loss: Array
    interpolant_norm: Array
    interpolant_loss: Array
    first_label_norm: Array
    zero_loss: Array
    ridge: Array

    def __getitem__(self, index: Any) -> Candidate:
        return Candidate(*(getattr(self, one.name)[index] for one in fields(self)))


def candidate(
    points: Array, labels: Array, direction: Array, scales: Array, step: Array, network: FullyConnected, root: Array
) -> Candidate:
    """The candidate for the ridge ``root ** 4``."""
    tested = beside_the_interpolant(points, labels, direction, scales, step, network)
    count, ridge = points.shape[-2], np.asarray(root**4)
    values = np.moveaxis(tested(np.moveaxis(points, -2, 0)), 0, -2)
    norm = tested.parameter_norm_squared
    equal = compare(squares(points[..., 0, :] - points[..., -1, :]), 0) == 0
    last = np.where(equal[..., None], labels[..., 0, :], labels[..., -1, :])
    first = np.concatenate([labels[..., :-1, :], last[..., None, :]], axis=-2)
    norms = [norm_of_network(rank_one_curve(points, fitted, direction), DEPTH, scales) for fitted in (labels, first)]
    conflict = squares(mean_labels(points, labels) - labels, (-2, -1)) / count
    return Candidate(
        norm=norm,
        loss=squares(values - labels, (-2, -1)) / count + ridge * norm / DEPTH,
        interpolant_norm=norms[0],
        interpolant_loss=conflict + ridge * norms[0] / DEPTH,
        first_label_norm=norms[1],
        zero_loss=squares(labels, (-2, -1)) / count,
        ridge=ridge,
    )


def not_above_interpolant(candidate: Candidate) -> Array:
    """Whether the loss is at most that of the interpolant."""
    return is_at_most(candidate.loss, candidate.interpolant_loss)


def not_above_zero(candidate: Candidate) -> Array:
    """Whether the loss is at most that of the zero network."""
    return is_at_most(candidate.loss, candidate.zero_loss)


def norm_of_minimiser(candidate: Candidate, basis_points: int = 10_000, mean: bool = True) -> Relation:
    """Both bounds for the norm."""
    bound = candidate.interpolant_norm if mean else candidate.first_label_norm
    by_zero = DEPTH * candidate.zero_loss / candidate.ridge
    noise = 2.0**-40 * (floats(candidate.loss) + floats(candidate.zero_loss)) / floats(candidate.ridge)
    relation = le(candidate.norm, bound * basis_points / 10_000, noise=noise)
    return relation & le(candidate.norm, by_zero * basis_points / 10_000, noise=noise)


def pythagorean_knots() -> dict[str, Any]:
    """Knots 0 and 3/4, where the roots of 1 + z^2 are rational, and coefficients 4 and 5: the best scales are 2 and 2."""
    return {
        "points": rationals([[[0], ["3/4"], [2]]]),
        "labels": rationals([[[0], [3], ["57/4"]]]),
        "direction": rationals([[1]]),
        "scales": rationals([[2, 2]]),
    }


def identity_data() -> dict[str, Any]:
    """The data (0, 0) and (1, 1): C_N is zero."""
    points = rationals([[[0], [1]]])
    return {"points": points, "labels": points, "direction": rationals([[1]]), "scales": rationals([[1]])}


def the_interpolant_itself() -> dict[str, Any]:
    """The identity as the network that is compared, for a ridge at which zero is no better."""
    network = FullyConnected([rationals([[[0]] * 2]), rationals([[[0, 0]] * 2]), rationals([[[0, 0]]])])
    return {"candidate": candidate(**identity_data(), step=rationals([0]), network=network, root=rationals(["1/2"]))}


def no_better_than_zero() -> dict[str, Any]:
    """The interpolant of (0, 0) and (1, 2), of squared norm 6, which for the ridge 1 has the loss of zero."""
    data = {**identity_data(), "labels": rationals([[[0], [2]]])}
    network = FullyConnected([rationals([[[0]] * 2]), rationals([[[0, 0]] * 2]), rationals([[[0, 0]]])])
    return {"candidate": candidate(**data, step=rationals([0]), network=network, root=rationals([1]))}


def smallest_constant() -> Relation:
    """L + C_N for the identity on two points, and the norm with the best scales."""
    data = identity_data()
    curve = rank_one_curve(data["points"], data["labels"], data["direction"])
    relation = Relation(())
    for depth in (3, 4, 9):
        network = network_of_curve(curve, depth, best_scales(curve, depth))
        relation &= eq(least_norm(curve, depth), rationals([depth])) & eq(network.parameter_norm_squared, rationals([depth]))
    return relation


SCALES = {"scales": interval(0.25, 4.25, lambda sizes: sizes["count"] - 1)}
SOURCE = Source("notion_of_rank", "Proposition 2")

CONSTANT = Claim(
    id="notion_of_rank.prop_2.constant",
    title="The best scales of the interpolant give L + C_N",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=no_scales_are_better,
    domain=Domain({**DATA, **SCALES}, {"count": (2, 3, 5), "outputs": (1, 2)}),
    tight={"Pythagorean knots": Tight(pythagorean_knots), "the identity": Tight(identity_data)},
    false_neighbours={
        "constant 1.01": partial(no_scales_are_better, basis_points=10_100),
        "constant 1.0001": partial(no_scales_are_better, basis_points=10_001),
        "no root": partial(no_scales_are_better, rooted=False),
        "scales of one are best": unit_scales_are_best,
    },
    exact={"C_N = 0 for the identity": smallest_constant},
)

MINIMISERS = Claim(
    id="notion_of_rank.prop_2.minimisers",
    title="The norm of a global minimiser",
    source=SOURCE,
    statement=norm_of_minimiser,
    domain=Domain(
        {
            "candidate": derived(
                candidate,
                **DATA,
                **SCALES,
                step=integers(0, 4),
                network=Networks(depth=DEPTH, inputs=2, width="count"),
                root=interval(1 / 8, 1.5),
            )
        },
        {"count": (2, 3, 4), "outputs": (1, 2)},
        {
            "the loss is at most that of the interpolant": not_above_interpolant,
            "the loss is at most that of zero": not_above_zero,
        },
    ),
    needs=("the loss is at most that of the interpolant", "the loss is at most that of zero"),
    tight={
        "the interpolant itself": Tight(the_interpolant_itself),
        "as good as zero": Tight(no_better_than_zero),
    },
    false_neighbours={
        "constant 0.99": partial(norm_of_minimiser, basis_points=9_900),
        "constant 0.9999": partial(norm_of_minimiser, basis_points=9_999),
        "the first of conflicting labels": partial(norm_of_minimiser, mean=False),
    },
)
