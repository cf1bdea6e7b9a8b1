r"""From the zero representation a network learns constants only; but no network reaches it.

Statement
    If :math:`A_p = 0`, then :math:`K_p = 11^T`, so that a velocity of finite cost is :math:`v1^T`, and from there on all
    columns are equal.
Checked
    Equal columns of discrete networks stay equal, in particular after zero. At zero exactly the velocities :math:`v1^T` have a
    finite cost, namely :math:`\|v\|^2`. The converse (ours): columns that differ never meet. With :math:`\delta` their
    difference,

    .. math:: \langle\delta, \partial\delta\rangle \ge -(L + \|V_p\|_F)\|\delta\|^2 , \qquad
              \|\delta_M\| \ge \prod_\ell(1 - \rho_\ell(L + \|V_\ell\|_F))\|\delta_0\|

    in networks with short steps; so :math:`A_p = 0` is a limit that a finite regularisation excludes.
Proof idea
    A layer does the same to all columns; the ReLU is Lipschitz.
Sharp
    One neuron that is active at both points and inhibits itself.
Source
    leaky_resnets, Section 1.3; that columns never meet is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks, leaky_network
from theorems.leaky_resnets.constructions.representations import fit, scaled
from verify import Claim, Domain, Ours, Relation, Sizes, Source, Tight, derived, eq, ge, integers, interval, reals
from verify.arithmetic import Array, absolute, compare, rationals, sqrt
from verify.networks.leaky_resnet import LeakyResNet, feature_matrix, inner, is_in_row_space, rectified, squared_norm


def equal_points_stay_equal(net: LeakyResNet, x: Array) -> Relation:
    """All layers from two equal points, and from zero."""
    start = np.concatenate([x[..., :1], x], axis=-1)
    pairs, zeros = np.stack(net.activations(start)[1:], axis=-3), np.stack(net.activations(0 * x)[1:], axis=-3)
    return eq(pairs[..., 0], pairs[..., 1], name="equal points", over=2) & eq(zeros, zeros[..., :1], name="zero", over=3)


def velocity_at_zero(v: Array, free: Array, kind: Array) -> Relation:
    """Which velocities have a finite cost at zero, and what constant ones cost."""
    constant, F = v[..., :, None] + 0 * free, feature_matrix(0 * free)
    moved = np.where(compare(kind, 0)[..., None, None] == 0, free, constant)
    equal = (compare(moved, moved[..., :1]) == 0).all(axis=(-2, -1))
    finite = is_in_row_space(moved, F)
    return eq(0 * kind + finite.astype(int), equal.astype(int), name="finite") & eq(
        fit(constant, F).squared_norm, (v**2).sum(axis=-1), name="cost"
    )


def difference_shrinks_slowly(first: Array, second: Array, weights: Array, leak: Array) -> Relation:
    """How fast two points come together at most; their neurons are the rows of matrices with one column."""
    apart, moved = difference(first, second, weights, leak)
    return ge(inner(apart, moved), -(leak + sqrt(squared_norm(weights))) * squared_norm(apart))


def difference(first: Array, second: Array, weights: Array, leak: Array) -> tuple[Array, Array]:
    """The difference of two points, and its velocity."""
    apart = first - second
    return apart, weights @ (rectified(first) - rectified(second)) - scaled(apart, leak)


def points_stay_apart(net: LeakyResNet, pair: Array) -> Relation:
    """The distance of two points after the last layer against the bound."""
    return _apart(net, pair, shrinking_factors(net))


def _apart(net: LeakyResNet, pair: Array, factors: Array) -> Relation:
    before, after = (squared_norm(one[..., :1] - one[..., 1:]) for one in (pair, net(pair)))
    return ge(after, (factors**2).prod(axis=-1) * before)


def shrinking_factors(net: LeakyResNet) -> Array:
    r""":math:`1 - \rho_\ell(L + \|V_\ell\|_F)` of every layer, shape ``(..., M)``."""
    return np.asarray(1 - net.steps * (net.leak[..., None] + _norms(net)))


def _norms(net: LeakyResNet) -> Array:
    return np.stack([sqrt(squared_norm(weight[..., :-1])) for weight in net.weights], axis=-1)


# False variants


def opposite_points_stay_opposite(net: LeakyResNet, x: Array) -> Relation:
    """Points of opposite signs."""
    last = net(np.concatenate([x[..., :1], -x[..., :1]], axis=-1))
    return eq(last[..., 0], -last[..., 1], over=1)


def equal_neurons_stay_equal(net: LeakyResNet, x: Array) -> Relation:
    """Rows for columns."""
    last = net(x[..., :1, :] + 0 * x)
    return eq(last[..., 0, :], last[..., -1, :], over=1)


def zero_stays_zero(net: LeakyResNet, x: Array) -> Relation:
    """As if nothing were learned from zero."""
    last = net(0 * x)
    return eq(last, 0 * last, over=2)


def every_velocity_is_finite(v: Array, free: Array, kind: Array) -> Relation:
    """As if the kernel at zero were invertible."""
    moved = np.where(compare(kind, 0)[..., None, None] == 0, free, v[..., :, None] + 0 * free)
    return eq(0 * kind + is_in_row_space(moved, feature_matrix(0 * free)).astype(int), 1)


def velocity_costs_its_norm(v: Array, free: Array, kind: Array) -> Relation:  # noqa: ARG001 (the statement's parameters)
    """The squared norm of the whole velocity, N times as much."""
    constant = v[..., :, None] + 0 * free
    return eq(fit(constant, feature_matrix(0 * free)).squared_norm, squared_norm(constant))


def shrinks_without_leak(first: Array, second: Array, weights: Array, leak: Array) -> Relation:
    """The bound without the leak."""
    apart, moved = difference(first, second, weights, leak)
    return ge(inner(apart, moved), -sqrt(squared_norm(weights)) * squared_norm(apart))


def shrinks_by_the_trace(first: Array, second: Array, weights: Array, leak: Array) -> Relation:
    """The trace for the norm."""
    apart, moved = difference(first, second, weights, leak)
    trace = absolute(np.trace(weights, axis1=-2, axis2=-1))
    return ge(inner(apart, moved), -(leak + trace) * squared_norm(apart))


def apart_without_leak(net: LeakyResNet, pair: Array) -> Relation:
    """The bound without the leak."""
    return _apart(net, pair, 1 - net.steps * _norms(net))


def steps_are_short(net: LeakyResNet) -> Array:
    """Whether no factor is negative."""
    return np.asarray((compare(shrinking_factors(net), 0) >= 0).all(axis=-1))


def active_pair() -> dict[str, Any]:
    """One neuron that is active at both points and inhibits itself."""
    return {
        "first": rationals([[[1]]]),
        "second": rationals([[[3]]]),
        "weights": rationals([[[-2]]]),
        "leak": rationals([1]),
    }


def inhibiting_network() -> dict[str, Any]:
    """The same in three short layers."""
    net = LeakyResNet([rationals([[[-2, 0]]])] * 3, rationals([1]), rationals([["1/8", "1/4", "1/8"]]))
    return {"net": net, "pair": rationals([[[1, 3]]])}


def _features(sizes: Sizes) -> int:
    return sizes["width"] + 1


SHORT = "steps are short"
SHORT_NETWORKS = derived(
    leaky_network,
    weights=interval(-2, 2, "depth", "width", _features),
    leak=interval(0, 2),
    steps=interval(1 / 64, 1 / 2, "depth"),
)
SOURCE = Source("leaky_resnets", "Section 1.3")
OURS = Source("leaky_resnets", "ours")

CLAIM = Claim(
    id="leaky_resnets.zero_representation",
    title="Equal points stay equal: from the zero representation only constants are learned",
    source=SOURCE,
    statement=equal_points_stay_equal,
    domain=Domain(
        {"net": drawn_networks(), "x": reals("width", "points")},
        {"depth": (1, 2, 6, 14), "width": range(2, 4), "points": range(1, 4)},
    ),
    false_neighbours={
        "zero stays zero": zero_stays_zero,
        "opposite points stay opposite": opposite_points_stay_opposite,
        "equal neurons stay equal": equal_neurons_stay_equal,
    },
)

VELOCITY = Claim(
    id="leaky_resnets.zero_representation.velocity",
    title="At zero, a velocity of finite cost is the same for all points",
    source=SOURCE,
    status=Ours(),
    statement=velocity_at_zero,
    domain=Domain(
        {"v": reals("width"), "free": reals("width", "points"), "kind": integers(0, 1)},
        {"width": range(1, 4), "points": range(1, 5)},
    ),
    false_neighbours={
        "every velocity has a finite cost": every_velocity_is_finite,
        "the norm of the velocity": velocity_costs_its_norm,
    },
)

INJECTIVE = Claim(
    id="leaky_resnets.zero_representation.injective",
    title="Two points come together at most exponentially fast",
    source=OURS,
    status=Ours(),
    statement=difference_shrinks_slowly,
    domain=Domain(
        {
            "first": reals("width", 1),
            "second": reals("width", 1),
            "weights": reals("width", "width"),
            "leak": interval(0, 4),
        },
        {"width": range(1, 5)},
    ),
    tight={"inhibition": Tight(active_pair)},
    false_neighbours={"without the leak": shrinks_without_leak, "the trace for the norm": shrinks_by_the_trace},
)

STEPS = Claim(
    id="leaky_resnets.zero_representation.steps",
    title="Points that differ stay apart in short steps",
    source=OURS,
    status=Ours(),
    statement=points_stay_apart,
    domain=Domain(
        {"net": SHORT_NETWORKS, "pair": reals("width", 2)},
        {"depth": range(1, 5), "width": range(1, 4)},
        {SHORT: steps_are_short},
    ),
    needs=(SHORT,),
    tight={"inhibition": Tight(inhibiting_network)},
    false_neighbours={"without the leak": apart_without_leak},
)
