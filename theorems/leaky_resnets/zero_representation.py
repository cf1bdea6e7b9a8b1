r"""From the zero representation a network learns constants only; but no network reaches it.

Equal columns of A stay equal, whatever the weights; in particular all columns are equal after :math:`A_p = 0`. There
:math:`K_p = 11^T`, so that a velocity of finite cost is :math:`v1^T`, and costs :math:`\|v\|^2`.

The converse (ours): columns that differ never meet. With :math:`\delta` their difference,
:math:`\langle\delta, \partial\delta\rangle \ge -(L + \|V_p\|_F)\|\delta\|^2`, so that
:math:`\|\delta_p\| \ge e^{-Lp - \int\|V\|}\|\delta_0\|`, and :math:`A_p = 0` is a limit that a finite regularisation excludes.

What is checked: equal columns of discrete networks of three layers, from two equal points and from zero; the velocity at zero
(``.velocity``); the inequality (``.injective``), and what follows for discrete networks with short steps:
:math:`\|\delta_M\| \ge \prod_\ell(1 - \rho_\ell(L + \|V_\ell\|_F))\|\delta_0\|` (``.steps``).

Source: leaky_resnets, Section 1.3.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np

from theorems.leaky_resnets.constructions.representations import fit, numbers_like, scaled
from verify import Claim, Domain, Ours, Relation, Sizes, Source, Tight, derived, eq, ge, integers, interval, reals
from verify.arithmetic import Array, compare, rationals, sqrt
from verify.networks.leaky_resnet import LeakyResNet, feature_matrix, inner, is_in_row_space, rectified, squared_norm

LAYERS = 3

Alike = Literal["equal points", "opposite points", "equal neurons"]


def network(weights: Array, leak: Array, steps: Array) -> LeakyResNet:
    """A discrete network; `weights` has an axis of layers before its last two."""
    return LeakyResNet([weights[..., k, :, :] for k in range(weights.shape[-3])], leak, steps)


def equal_points_stay_equal(net: LeakyResNet, x: Array, alike: Alike = "equal points", zero: int = 1) -> Relation:
    """All layers from two equal points, and from zero; false neighbours have other symmetries, or zero stays zero."""
    sign = -1 if alike == "opposite points" else 1
    start = np.concatenate([x[..., :1], sign * x[..., :1], x[..., 1:]], axis=-1)
    if alike == "equal neurons":
        start = x[..., :1, :] + 0 * x
    relation = Relation(())
    for A, Z in zip(net.activations(start)[1:], net.activations(0 * x)[1:], strict=True):
        pair = (A[..., 0, :], A[..., -1, :]) if alike == "equal neurons" else (A[..., 0], sign * A[..., 1])
        relation &= eq(*pair, over=1) & eq(Z, zero * Z[..., :1], over=2)
    return relation


def velocity_at_zero(v: Array, free: Array, kind: Array, power: int = 0, *, always: bool = False) -> Relation:
    """Which velocities have a finite cost at zero, and what constant ones cost, up to a power of the number of points."""
    constant, F = v[..., :, None] + 0 * free, feature_matrix(0 * free)
    moved = np.where(compare(kind, 0)[..., None, None] == 0, free, constant)
    equal = (compare(moved, moved[..., :1]) == 0).all(axis=(-2, -1)) | always
    finite = is_in_row_space(moved, F)
    cost = fit(constant, F).squared_norm * free.shape[-1] ** power
    indicators = (numbers_like(free, one.astype(np.int64)) for one in (finite, equal))
    return eq(*indicators) & eq(cost, (v**2).sum(axis=-1))


def difference_shrinks_slowly(
    first: Array, second: Array, weights: Array, leak: Array, percent: int = 100, leaks: int = 1
) -> Relation:
    """How fast two points come together at most; their neurons are the rows of matrices with one column."""
    apart = first - second
    moved = weights @ (rectified(first) - rectified(second)) - scaled(apart, leak)
    rate = percent * sqrt(squared_norm(weights)) / 100 + leaks * leak
    size = squared_norm(apart)
    return ge(inner(apart, moved), -rate * size, scale=size * (1 + rate))


def points_stay_apart(net: LeakyResNet, pair: Array, percent: int = 100, leaks: int = 1) -> Relation:
    """The distance of two points after the last layer against the bound."""
    last = net(pair)
    before, after = (squared_norm(one[..., :1] - one[..., 1:]) for one in (pair, last))
    kept = shrinking_factors(net, percent, leaks).prod(axis=-1)
    return ge(after, kept**2 * before, scale=squared_norm(last) + squared_norm(pair))


def shrinking_factors(net: LeakyResNet, percent: int = 100, leaks: int = 1) -> Array:
    r""":math:`1 - \rho_\ell(L + \|V_\ell\|_F)` of every layer, shape ``(..., M)``."""
    norms = np.stack([sqrt(squared_norm(weight[..., :-1])) for weight in net.weights], axis=-1)
    return np.asarray(1 - net.steps * (leaks * net.leak[..., None] + percent * norms / 100))


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
    net = LeakyResNet([rationals([[[-2, 0]]])] * LAYERS, rationals([1]), rationals([["1/8", "1/4", "1/8"]]))
    return {"net": net, "pair": rationals([[[1, 3]]])}


def _features(sizes: Sizes) -> int:
    return sizes["width"] + 1


def _networks(largest: float) -> Any:
    return derived(
        network,
        weights=interval(-2, 2, LAYERS, "width", _features),
        leak=interval(0, 2),
        steps=interval(1 / 64, largest, LAYERS),
    )


SOURCE = Source("leaky_resnets", "Section 1.3")
OURS = Source("leaky_resnets", "ours")

CLAIM = Claim(
    id="leaky_resnets.zero_representation",
    title="Equal points stay equal: from the zero representation only constants are learned",
    source=SOURCE,
    statement=equal_points_stay_equal,
    domain=Domain({"net": _networks(1), "x": reals("width", "points")}, {"width": range(2, 4), "points": range(1, 4)}),
    false_neighbours={
        "zero stays zero": partial(equal_points_stay_equal, zero=0),
        "opposite points stay opposite": partial(equal_points_stay_equal, alike="opposite points"),
        "equal neurons stay equal": partial(equal_points_stay_equal, alike="equal neurons"),
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
        "every velocity has a finite cost": partial(velocity_at_zero, always=True),
        "divided by the number of points": partial(velocity_at_zero, power=1),
        "divided by its square": partial(velocity_at_zero, power=2),
    },
)

INJECTIVE = Claim(
    id="leaky_resnets.zero_representation.injective",
    title="How fast two points come together at most",
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
    false_neighbours={
        "1 % slower": partial(difference_shrinks_slowly, percent=99),
        "without the leak": partial(difference_shrinks_slowly, leaks=0),
    },
)

STEPS = Claim(
    id="leaky_resnets.zero_representation.steps",
    title="Points that differ stay apart in short steps",
    source=OURS,
    status=Ours(),
    statement=points_stay_apart,
    domain=Domain(
        {"net": _networks(3 / 4), "pair": reals("width", 2)},
        {"width": range(1, 4)},
        {"steps are short": steps_are_short},
    ),
    needs=("steps are short",),
    tight={"inhibition": Tight(inhibiting_network)},
    false_neighbours={
        "1 % slower": partial(points_stay_apart, percent=99),
        "without the leak": partial(points_stay_apart, leaks=0),
    },
)
