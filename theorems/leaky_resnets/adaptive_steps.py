r"""Adaptive steps, :math:`\rho_\ell = c_\ell^{-1} / \sum_j c_j^{-1}`: best for the present speeds, no guarantee for the next.

With the relative distances :math:`c_\ell = \|A_\ell - A_{\ell-1}\| / (\rho_\ell \|A_\ell\|)` of the present layers, taken as
fixed numbers, these steps have the smallest :math:`\max_\ell \rho_\ell c_\ell` of all positive steps that add up to 1, namely
:math:`1 / \sum_j c_j^{-1}`, the same in every layer.

The document chooses the steps so "to guarantee that the distances are approximately the same" and repeats the update. On a
path :math:`p \mapsto A_p` that stays as it is, the speeds change with the steps, and steps that two updates reproduce need not
have equal distances (``.printed``): on a path that is fast in the middle, from (1, 0) to (-1, 0) through (15, 8)/17 at p = 1/3
and (-15, 8)/17 at p = 2/3, two layers go on from steps (1/3, 2/3) to (2/3, 1/3) and back for ever, with distances 1 : 4 and
4 : 1. (All norms are 1 at these points, so that the relative distances are the distances.)

Source: leaky_resnets, Section 3; the optimality for fixed speeds is stated there, the cycle is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, FalseAsPrinted, Relation, Source, Tight, derived, eq, interval, le
from verify.arithmetic import Array, compare, is_exact, largest, rationals
from verify.networks.leaky_resnet import adaptive_steps


def best_for_fixed_speeds(distances: Array, shares: Array, basis_points: int = 10_000, square: bool = False) -> Relation:
    """The largest distance of the adaptive steps and of any others, and the common value; `shares` are made to add up to 1."""
    other = shares / np.asarray(shares.sum(axis=-1))[..., None]
    steps = adaptive_steps(distances**2 if square else distances)
    common = 1 / np.asarray((1 / distances).sum(axis=-1))
    reached = steps * distances
    return le(common * basis_points / 10_000, largest(other * distances)) & eq(reached, common[..., None] + 0 * reached, over=1)


@dataclass(frozen=True, eq=False)
class TwoLayerCycle:
    """Two layers on a half circle of radius 1, at the steps (1/3, 2/3) and (2/3, 1/3) in turn.

    Attributes
    ----------
    squares
        Squared distances of the two layers for either choice of the steps, shape ``(..., 2, 2)``.
    genuine
        Whether the angles are such that two updates give the steps back, shape ``(...)``.
    """

    squares: Array
    genuine: Array

    def __getitem__(self, index: Any) -> TwoLayerCycle:
        return TwoLayerCycle(self.squares[index], self.genuine[index])


def point_on_circle(tangent: Array) -> Array:
    """The point at twice the angle with this tangent, shape ``(..., 2)``."""
    square = tangent * tangent
    return np.stack([(1 - square) / (1 + square), 2 * tangent / (1 + square)], axis=-1)


def turned(point: Array, by: Array) -> Array:
    """The point turned by the angle of another."""
    x, y = point[..., 0], point[..., 1]
    c, s = by[..., 0], by[..., 1]
    return np.stack([x * c - y * s, x * s + y * c], axis=-1)


def cycle(slope: Array) -> TwoLayerCycle:
    r"""Cycle from a number m: half angles with the tangents :math:`t = 2m/(15 + m^2)` and :math:`T = 4t/(1 - mt)`.

    :math:`1 - 15t^2 = (1 - mt)^2`, so that the chord of the second angle is four times that of the first.
    """
    short = 2 * slope / (15 + slope * slope)
    root = 1 - slope * short
    long = 4 * short / np.where(compare(root, 0) == 0, 1, root)
    start = np.stack([0 * slope + 1, 0 * slope], axis=-1)
    first, second = point_on_circle(short), point_on_circle(long)
    places = [start, first, second, turned(first, second)]  # at p = 0, 1/3, 2/3 and 1

    def square(i: int, j: int) -> Array:
        difference = places[i] - places[j]
        return np.asarray((difference * difference).sum(axis=-1))

    squares = np.stack(
        [np.stack([square(1, 0), square(3, 1)], axis=-1), np.stack([square(2, 0), square(3, 2)], axis=-1)], axis=-2
    )
    # an update turns the steps (1/3, 2/3) into (2/3, 1/3) if the second distance is four times the first, and back
    gaps = np.stack([squares[..., 0, 1] - 16 * squares[..., 0, 0], squares[..., 1, 0] - 16 * squares[..., 1, 1]], axis=-1)
    # a dozen roundings of numbers up to 4 * 16 in floats; none on rationals
    rounding = 0 if is_exact(slope) else 2.0**-44
    nearly = (compare(gaps, rounding) <= 0) & (compare(-gaps, rounding) <= 0)
    apart = (compare(squares, rounding) > 0).all(axis=(-2, -1))
    return TwoLayerCycle(squares, np.asarray(nearly.all(axis=-1) & apart))


def returns_to_its_steps(path: TwoLayerCycle) -> npt.NDArray[np.bool_]:
    """Whether two updates give the steps back."""
    return np.asarray(path.genuine)


def distances_are_equal(path: TwoLayerCycle) -> Relation:
    """What is printed: steps that the update reproduces have equal distances (squared here; all norms are 1)."""
    return eq(path.squares[..., 0], path.squares[..., 1], over=1)


def three_layers(shares: list[int]) -> dict[str, Array]:
    """Speeds 1, 2 and 3 with steps in given proportions."""
    return {"distances": rationals([[1, 2, 3]]), "shares": rationals([shares])}


SOURCE = Source("leaky_resnets", "Section 3")

CLAIM = Claim(
    id="leaky_resnets.adaptive_steps",
    title="Adaptive steps are the best for fixed speeds",
    source=SOURCE,
    statement=best_for_fixed_speeds,
    domain=Domain(
        {"distances": interval(1 / 16, 16, "layers"), "shares": interval(1 / 16, 16, "layers")}, {"layers": range(1, 7)}
    ),
    tight={"the adaptive steps themselves": Tight(partial(three_layers, [6, 3, 2]))},
    false_neighbours={
        "constant 1.01": partial(best_for_fixed_speeds, basis_points=10_100),
        "constant 1.0001": partial(best_for_fixed_speeds, basis_points=10_001),
        "the squares of the speeds": partial(best_for_fixed_speeds, square=True),
    },
)

PRINTED = Claim(
    id="leaky_resnets.adaptive_steps.printed",
    title="Repeated updates guarantee equal distances",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.adaptive_steps"),
    statement=distances_are_equal,
    domain=Domain(
        {"path": derived(cycle, slope=interval(1, 8))}, hypotheses={"two updates give the steps back": returns_to_its_steps}
    ),
    false_neighbours={},
)
