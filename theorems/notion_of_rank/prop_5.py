r"""Proposition 5: a true function of bottleneck rank k bounds the cost of minimisers, independently of the number of data.

Statement
    Let f* = h(g(x)) through dimension k, with networks of depths :math:`L_g, L_h` for g and h, let the labels be
    :math:`y_i = f^*(x_i)`, and let w be a global minimiser of
    :math:`\frac1N \sum_i \|F_w(x_i) - y_i\|^2 + \frac\lambda L \|w\|^2` at a depth :math:`L \ge L_g + L_h` and the widths of
    Theorem 1. Then

    .. math:: \frac{R(F_w)}{L} \le k + \frac CL, \quad \frac1N \sum_i \|F_w(x_i) - y_i\|^2 \le \lambda \Bigl(k + \frac CL\Bigr),

    with C = N(L_0; s, 1) - k L_0 at :math:`L_0 = L_g + L_h` for the norm N of Theorem 1: it depends on f*, the domain and the
    activation only. With labels :math:`y_i = f^*(x_i) + e_i` the bound needs one more term (``.noise``),

    .. math:: \frac{R(F_w)}{L} \le k + \frac CL + \frac1{\lambda N} \sum_i \|e_i\|^2 .

    The slides do not say how the labels are made from f*. Without noise is the reading under which the bound is true.
Checked
    Of a minimiser only one thing is used: its loss is no larger than that of the network of Theorem 1. The bounds are checked
    for all networks with this property, near that network and far from it.
Proof idea
    The ridge bounds the norm, and the data loss is not negative.
Sharp
    The identity of the unit square, where C = 0; with noise a constant that fits a label and has the loss of the network of
    Theorem 1; for the data loss the zero network, where it has that loss.
Source
    notion_of_rank, Proposition 5; the term for the noise is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import is_at_most, squares, values_at
from theorems.notion_of_rank.constructions.bottleneck import (
    Parts,
    constructed,
    identity_chain,
    norm_of_the_construction,
    with_common_slope,
)
from theorems.notion_of_rank.constructions.rank_one import moved
from verify import Claim, Domain, Networks, Ours, Q, Relation, Source, Tight, derived, integers, interval, le, reals, slopes
from verify.arithmetic import Array, compare, rationals
from verify.networks import FullyConnected


@dataclass(frozen=True, eq=False)
class Candidate:
    """A network that is compared with that of Theorem 1; all arrays are batch-shaped.

    Attributes
    ----------
    norm, data_loss, loss
        Its squared norm, its mean squared error, and its loss with the ridge.
    true_loss
        The loss of the network of Theorem 1.
    dimensions, constant
        k L and C.
    noise
        Mean squared difference of the labels and the true function.
    ridge, depth
        The weight lambda, and L.
    lifted
        Whether the shift makes g non-negative at the data.
    """

    norm: Array
    data_loss: Array
    loss: Array
    true_loss: Array
    dimensions: Array
    constant: Array
    noise: Array
    ridge: Array
    depth: Array
    lifted: Array

    def __getitem__(self, index: Any) -> Candidate:
        return Candidate(*(getattr(self, one.name)[index] for one in fields(self)))


def cost_of_minimiser(candidate: Candidate) -> Relation:
    """Bounds of norm and data loss."""
    return bounded_by(candidate, candidate.dimensions + candidate.constant)


def cost_with_noise(candidate: Candidate) -> Relation:
    """The same with the term of the noise."""
    noise = candidate.depth * candidate.noise / candidate.ridge
    return bounded_by(candidate, candidate.dimensions + candidate.constant + noise)


def bounded_by(candidate: Candidate, bound: Array) -> Relation:
    """Norm and data loss against a bound of the norm."""
    norm = le(candidate.norm, bound, name="norm")
    return norm & le(candidate.data_loss * candidate.depth, candidate.ridge * bound, name="data loss")


def is_no_worse(candidate: Candidate) -> Array:
    """Whether the loss is at most that of the network of Theorem 1."""
    return is_at_most(candidate.loss, candidate.true_loss)


def is_lifted(candidate: Candidate) -> Array:
    """Whether the shift suffices at the data."""
    return np.asarray(candidate.lifted, dtype=bool)


def has_no_noise(candidate: Candidate) -> Array:
    """Whether the labels are the values of the true function."""
    return np.asarray(compare(candidate.noise, 0) == 0)


def candidate(
    parts: Parts,
    points: Array,
    shift: Array,
    noise: Array,
    noisy: Array,
    step: Array,
    network: FullyConnected,
    root: Array,
    identities: int,
) -> Candidate:
    """The network of Theorem 1 moved towards `network`, for the ridge ``root ** 4``.

    There is noise in the labels where `noisy` is 1.
    """
    true_network = constructed(parts, identities, shift)
    tested = moved(true_network, network, step)
    return compared(parts, true_network, tested, points, shift, noisy[..., None, None] * noise, np.asarray(root**4))


def compared(
    parts: Parts,
    true_network: FullyConnected,
    tested: FullyConnected,
    points: Array,
    shift: Array,
    noise: Array,
    ridge: Array,
) -> Candidate:
    """What is compared of two networks of one depth, for the labels ``h(g(x)) + noise``."""
    inner, outer = parts
    depth, (count, bottleneck) = tested.depth, (points.shape[-2], shift.shape[-1])
    hidden = values_at(inner, points)
    labels = values_at(outer, hidden) + noise
    errors = [squares(values_at(network, points) - labels, (-2, -1)) / count for network in (tested, true_network)]
    one = 0 * ridge + 1
    norms = [one * network.parameter_norm_squared for network in (tested, true_network)]
    losses = [error + ridge * norm / depth for error, norm in zip(errors, norms, strict=True)]
    least = norm_of_the_construction(parts, shift, 0 * shift + 1, 0)
    return Candidate(
        norm=norms[0],
        data_loss=errors[0],
        loss=losses[0],
        true_loss=losses[1],
        dimensions=one * (bottleneck * depth),
        constant=one * least - bottleneck * (inner.depth + outer.depth),
        noise=squares(noise, (-2, -1)) / count,
        ridge=ridge,
        depth=one * depth,
        lifted=np.asarray((compare(hidden + shift[..., None, :], 0) >= 0).all(axis=(-2, -1))),
    )


# False variants


def a_dimension_less(candidate: Candidate) -> Relation:
    """The bound with k - 1 per layer."""
    return bounded_by(candidate, candidate.dimensions - candidate.depth + candidate.constant)


def without_the_constant(candidate: Candidate) -> Relation:
    """The bound without C."""
    return bounded_by(candidate, candidate.dimensions)


def half_the_noise(candidate: Candidate) -> Relation:
    """The bound with half the term of the noise."""
    noise = candidate.depth * candidate.noise / candidate.ridge
    return bounded_by(candidate, candidate.dimensions + candidate.constant + noise / 2)


# Sharp instances


def identity_of_the_square() -> dict[str, Candidate]:
    """The identity of the plane as the true function and as the network that is compared: C = 0, k L = 8."""
    chain, points = identity_chain(2, 4), rationals([[[0, 0], [1, 0], ["1/2", "1/3"]]])
    parts = (identity_chain(2, 2), identity_chain(2, 1))
    return {"candidate": compared(parts, chain, chain, points, rationals([[0, 0]]), 0 * points, rationals(["1/8"]))}


def constant_through_a_noisy_label() -> dict[str, Candidate]:
    """The identity of norm 4 at the point 0 with the label 4, and the constant 4: for the ridge 16/3 both losses are 64/3."""
    parts, chain = (identity_chain(1, 2), identity_chain(1, 1)), identity_chain(1, 4)
    zero, point = rationals([0]), rationals([[[0]]])
    constant = FullyConnected([rationals([[0]])] * 4, [zero, zero, zero, zero + 4])
    return {"candidate": compared(parts, chain, constant, point, rationals([[0]]), point + 4, rationals(["16/3"]))}


def zero_network(label: int, ridge: int) -> dict[str, Candidate]:
    """The identity of norm 4 at the point 1 with the given label, and the network 0: both losses are the label squared."""
    parts, zero, one = (identity_chain(1, 2), identity_chain(1, 1)), rationals([[0]]), rationals([[[1]]])
    nothing = FullyConnected([zero] * 4)
    return {"candidate": compared(parts, identity_chain(1, 4), nothing, one, zero, (label - 1) * one, rationals([ridge]))}


LIFTED = "the shift makes g non-negative"
NO_WORSE = "the loss is at most that of the network of Theorem 1"
NO_NOISE = "the labels have no noise"
DOMAIN = Domain(
    {
        "candidate": derived(
            candidate,
            parts=derived(
                with_common_slope,
                inner=Networks(depth="inner_depth", inputs=2, width=2, outputs="bottleneck", slope=0),
                outer=Networks(depth="outer_depth", inputs="bottleneck", width=2, slope=0),
                slope=slopes(-1, 1),
            ),
            points=reals("count", 2),
            shift=reals("bottleneck"),
            noise=reals("count", "outputs"),
            noisy=integers(0, 1),
            step=integers(0, 4),
            network=Networks(
                depth=lambda sizes: sizes["inner_depth"] + sizes["outer_depth"] + sizes["identities"], inputs=2, width=3
            ),
            root=interval(Q("1/8"), Q("3/2")),
        )
    },
    {
        "count": (1, 3, 4),
        "inner_depth": (1, 2),
        "outer_depth": (1, 2),
        "bottleneck": (1, 2, 3),
        "identities": (0, 2, 9),
        "outputs": (1, 2),
    },
    {NO_WORSE: is_no_worse, LIFTED: is_lifted, NO_NOISE: has_no_noise},
)

CLAIM = Claim(
    id="notion_of_rank.prop_5",
    title="A true function of bottleneck rank k bounds the cost of minimisers",
    source=Source("notion_of_rank", "Proposition 5"),
    statement=cost_of_minimiser,
    domain=DOMAIN,
    needs=(NO_WORSE, LIFTED, NO_NOISE),
    tight={
        "the identity of the square": Tight(identity_of_the_square, of=("norm",)),
        "the zero network": Tight(partial(zero_network, 1, 1), of=("data loss",)),
    },
    false_neighbours={
        "k - 1 per layer": a_dimension_less,
        "without C": without_the_constant,
    },
    cost=2,
)

NOISE = Claim(
    id="notion_of_rank.prop_5.noise",
    title="Noise in the labels adds its energy over the ridge to the cost of minimisers",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=cost_with_noise,
    domain=replace(DOMAIN, hypotheses={NO_WORSE: is_no_worse, LIFTED: is_lifted}),
    needs=(NO_WORSE, LIFTED),
    tight={
        "a constant through a label": Tight(constant_through_a_noisy_label, of=("norm",)),
        "the zero network": Tight(partial(zero_network, 2, 3), of=("data loss",)),
    },
    false_neighbours={
        "no term for the noise": cost_of_minimiser,
        "half the term for the noise": half_the_noise,
    },
    cost=2,
)
