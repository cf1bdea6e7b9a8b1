r"""Adaptive steps, :math:`\rho_\ell = c_\ell^{-1} / \sum_j c_j^{-1}`, are the best for the present speeds.

Statement
    With :math:`c_\ell = \|A_\ell - A_{\ell-1}\| / (\rho_\ell \|A_\ell\|)` of the present layers, taken as fixed numbers, it is
    optimal to choose these steps, so that the relative distances :math:`\rho_\ell c_\ell` are the same.
Checked
    Of all positive steps that add up to 1, these have the smallest :math:`\max_\ell \rho_\ell c_\ell`, namely
    :math:`1 / \sum_j c_j^{-1}`, which is their :math:`\rho_\ell c_\ell` in every layer.
Sharp
    The adaptive steps themselves.
Not checked
    That repeated updates make the distances approximately equal while the path is trained: nothing precise is printed. On a
    path that stays as it is they need not: in a family of paths of speed 1, 4, 1 (half circles among them) two layers go from
    the steps (1/3, 2/3) to (2/3, 1/3) and back for ever, with distances 1 : 4 and 4 : 1 (``.cycle``).
Source
    leaky_resnets, Section 3; the cycle is ours.
"""

from __future__ import annotations

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le
from verify.arithmetic import Array, largest, rationals
from verify.networks.leaky_resnet import adaptive_steps


def made_to_sum_to_one(shares: Array) -> Array:
    """Steps in the proportions of positive shares."""
    return np.asarray(shares / np.asarray(shares.sum(axis=-1))[..., None])


def best_for_fixed_speeds(speeds: Array, shares: Array) -> Relation:
    """The largest distance of any steps against the common one of the adaptive steps."""
    common = 1 / np.asarray((1 / speeds).sum(axis=-1))
    others = largest(made_to_sum_to_one(shares) * speeds)
    return le(common, others, name="best") & eq(adaptive_steps(speeds) * speeds, common[..., None], name="equal", over=1)


def point_on_circle(tangent: Array) -> Array:
    """The point at twice the angle with this tangent, shape ``(..., 2)``."""
    square = tangent * tangent
    return np.stack([(1 - square) / (1 + square), 2 * tangent / (1 + square)], axis=-1)


def turned(point: Array, by: Array) -> Array:
    """The point turned by the angle of another."""
    x, y, c, s = point[..., 0], point[..., 1], by[..., 0], by[..., 1]
    return np.stack([x * c - y * s, x * s + y * c], axis=-1)


def points_of_the_path(slope: Array) -> list[Array]:
    r"""At p = 0, 1/3, 2/3 and 1: half angles with the tangents :math:`t = 2m/(15 + m^2)` and :math:`4t/(1 - mt)`, then both.

    :math:`1 - 15t^2 = (1 - mt)^2`, so that the chord of the second angle is four times that of the first. Norms are 1.
    """
    short = 2 * slope / (15 + slope * slope)
    first, second = point_on_circle(short), point_on_circle(4 * short / (1 - slope * short))
    return [np.stack([0 * slope + 1, 0 * slope], axis=-1), first, second, turned(first, second)]


def squared_distances(slope: Array, middle: int) -> Array:
    """Of the two layers that meet at p = `middle` / 3, shape ``(..., 2)``."""
    start, between, end = (points_of_the_path(slope)[place] for place in (0, middle, 3))
    return np.stack([(difference * difference).sum(axis=-1) for difference in (between - start, end - between)], axis=-1)


def update_cycles(slope: Array, four: int = 4) -> Relation:
    r"""Distances are as 1 to 4 for the steps (1/3, 2/3), and as 4 to 1 for (2/3, 1/3).

    An update makes the steps proportional to :math:`\rho_\ell/d_\ell`: to 1 and 2/4, then to 2/4 and 1.
    """
    early, late = squared_distances(slope, 1), squared_distances(slope, 2)
    return eq(four**2 * early[..., 0], early[..., 1], name="forth") & eq(late[..., 0], four**2 * late[..., 1], name="back")


def three_layers() -> dict[str, Array]:
    """Speeds 1, 2 and 3 with steps in inverse proportion."""
    return {"speeds": rationals([[1, 2, 3]]), "shares": rationals([[6, 3, 2]])}


# False variants


def equidistant_steps_are_best(speeds: Array, shares: Array) -> Relation:
    """No steps do better than equal ones."""
    return le(largest(speeds) / speeds.shape[-1], largest(made_to_sum_to_one(shares) * speeds))


def steps_by_squared_speeds(speeds: Array, shares: Array) -> Relation:
    """No steps do better than those in inverse proportion to the squares."""
    return le(largest(adaptive_steps(speeds**2) * speeds), largest(made_to_sum_to_one(shares) * speeds))


def update_keeps_the_steps(slope: Array) -> Relation:
    """An update gives the steps (1/3, 2/3) back: distances are equal."""
    early = squared_distances(slope, 1)
    return eq(early[..., 0], early[..., 1])


def update_makes_distances_equal(slope: Array) -> Relation:
    """Distances are equal after one update."""
    late = squared_distances(slope, 2)
    return eq(late[..., 0], late[..., 1])


SOURCE = Source("leaky_resnets", "Section 3")

CLAIM = Claim(
    id="leaky_resnets.adaptive_steps",
    title="Adaptive steps are the best for fixed speeds",
    source=SOURCE,
    statement=best_for_fixed_speeds,
    domain=Domain(
        {"speeds": interval(1 / 16, 16, "layers"), "shares": interval(1 / 16, 16, "layers")},
        {"layers": (1, 2, 3, 4, 6, 14)},
    ),
    tight={"the adaptive steps themselves": Tight(three_layers, of=("best",))},
    false_neighbours={
        "equidistant steps": equidistant_steps_are_best,
        "the squares of the speeds": steps_by_squared_speeds,
    },
)

CYCLE = Claim(
    id="leaky_resnets.adaptive_steps.cycle",
    title="Repeated updates can go in a cycle, with distances as 1 to 4",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=update_cycles,
    domain=Domain({"slope": interval(1, 8)}),
    false_neighbours={
        "equal distances": update_makes_distances_equal,
        "the steps are kept": update_keeps_the_steps,
    },
)
