r"""Proposition 5 without limits: another neuron improves a path that rests or moves slowly where an entry is negative.

Statement
    Let :math:`A_p = gA` from :math:`p_0 - r` to :math:`p_0 + r`, with :math:`g = 1 + \nu x`, :math:`x = (p - p_0)/r`; it rests
    if :math:`\nu = 0`. Let m = Lr, s = 1 - |x|, and :math:`t = s + (s' + 2s\nu/g)/m` with s' the slope of s in x. The weights
    of the construction, with ts in the place of :math:`t^2`, move the path *not at all*, and the new neuron is
    :math:`\varepsilon sg^2\bar K_{i\cdot}`, zero at both ends. With :math:`n = \|A_{\cdot i}\|^2`,
    :math:`k = \|\bar\sigma(A_{\cdot i})\|^2` and :math:`\beta = A_{\cdot i}^Tb/L`, the integral of the squared norm of the
    weights falls by :math:`rL^2` times

    .. math:: \varepsilon^2\Bigl[\Bigl(\frac{10 + \nu^2}{15} + \frac{4\nu}{3m}\Bigr)(n - k - 2\beta)
              - \frac2{m^2}\bigl(n + (1 + \nu^2)k + \nu^2\beta\bigr)\Bigr] - \varepsilon^4nk\int_{-1}^1(tsg^2)^2dx .

    The cost at the end does not change. Without bias n - k is positive if the column has a negative entry: the path is no
    stable local minimum as soon as m is large.
Checked
    The velocities at nodes on both halves, and the integral by a rule that is exact for it, for rest and for slow motion, with
    and without bias; that the norm falls if the bracket outweighs the last term.
Proof idea
    :math:`\partial(sg^2) = L(t - s)g^2`, so that what the new neuron gives to the path is what the corner takes.
Sharp
    At rest at (-2, 1) for m = 3, and the largest neuron.
Not checked
    Motion that is not a change of scale.
Source
    leaky_resnets, Proposition 5 (Proposition 9 of the appendix); the finite form is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, ones_like_row
from theorems.leaky_resnets.prop_5.construction import POINT, kernel_row, widened_activations, widened_weights
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, integers, interval, le
from verify.arithmetic import Array, compare, rationals
from verify.matrices import pseudo_inverse
from verify.networks.leaky_resnet import feature_matrix, is_in_row_space, rectified, squared_norm


@dataclass(frozen=True, eq=False)
class Held:
    r"""A representation and the weights [V, b] that hold it for L = 1: :math:`V\bar\sigma(A) + b\mathbf 1^T = A`.

    Attributes
    ----------
    A, weights
        Shapes ``(..., w, N)`` and ``(..., w, w + 1)``.
    finite
        Whether these weights do hold it, shape ``(...)``.
    """

    A: Array
    weights: Array
    finite: Array

    def __getitem__(self, index: Any) -> Held:
        return Held(self.A[index], self.weights[index], self.finite[index])

    @property
    def numbers(self) -> tuple[Array, Array, Array]:
        r""":math:`\|A_{\cdot i}\|^2`, :math:`\|\bar\sigma(A_{\cdot i})\|^2` and :math:`A_{\cdot i}^Tb`."""
        column = self.A[..., POINT]
        kept, bias = rectified(self.A)[..., POINT], self.weights[..., -1]
        return (column * column).sum(axis=-1), (kept * kept).sum(axis=-1), (column * bias).sum(axis=-1)


def held(A: Array, bias: Array, biased: Array) -> Held:
    """A, shape ``(..., w, N)``, with the bias of shape ``(..., w)``, or none where `biased` is 0."""
    bias = np.where(compare(biased, 0)[..., None] == 0, 0 * bias, bias)
    features, moved = rectified(A), A - bias[..., None] * ones_like_row(A)
    weights = np.concatenate([moved @ pseudo_inverse(features), bias[..., None]], axis=-1)
    return Held(A, weights, is_in_row_space(moved, features))


NEWTON_COTES = (989, 5888, -928, 10496, -4540, 10496, -928, 5888, 989)
"""Nine nodes, of sum 28350: exact for polynomials of degree nine. The norm has degree eight on both halves of the triangle."""


@dataclass(frozen=True, eq=False)
class Node:
    r"""The construction at a node of one half of the triangle, shapes ``(...)``.

    Attributes
    ----------
    weight
        In the integral over x from -1 to 1.
    g, pace
        g, and :math:`g + \nu/m`.
    s, slope, t, corner
        The triangle, its slope in x, and what the new weights have for it and for its square.
    """

    weight: Array
    g: Array
    pace: Array
    s: Array
    slope: int
    t: Array
    corner: Array


def nodes(drift: Array, rate: Array) -> list[Node]:
    r"""On both halves of the triangle, for :math:`\nu` = `drift` and m = `rate`."""
    found = []
    for slope in (1, -1):
        for place, weight in enumerate(NEWTON_COTES):
            s = (0 * rate + place) / 8
            g = 1 + drift * slope * (s - 1)
            t = s + (slope + 2 * s * drift / g) / rate
            found.append(Node((0 * rate + weight) / 28350, g, g + drift / rate, s, slope, t, t * s))
    return found


def wider(at: Held, node: Node, size: Array) -> tuple[Array, Array, Array]:
    """At a node, for L = 1: the weights before, the weights with the new neuron, and the activations with it."""
    share, columns = node.pace / node.g, at.weights.shape[-1] - 1
    before = at.weights * np.stack([share] * columns + [node.pace], axis=-1)[..., None, :]
    A, one = node.g[..., None, None] * at.A, 0 * size + 1
    after = widened_weights(A, before, one, size, node.t, corner=node.corner)
    return before, after, widened_activations(A, (size * node.s)[..., None] * kernel_row(A))


def another_neuron_helps(at: Held, drift: Array, size: Array, rate: Array) -> Relation:
    """Nothing moves but the new neuron, as it should, and the norm falls."""
    along = nodes(drift, rate)
    norms = [0 * size, 0 * size]
    for node in along:
        before, after, _ = wider(at, node, size)
        norms = [norm + node.weight * squared_norm(one) for norm, one in zip(norms, (before, after), strict=True)]
    gain, price = gain_and_price(at, drift, rate)
    return (
        _moves(at, drift, size, rate, along)
        & eq(norms[1] + gain * size**2, norms[0] + price * size**4, name="norm")
        & le(norms[1], norms[0], name="better")
    )


def _moves(at: Held, drift: Array, size: Array, rate: Array, along: list[Node]) -> Relation:
    """The velocities at the nodes: of g A, and of the new neuron."""
    found, stated = [], []
    for node in along:
        _, after, activations = wider(at, node, size)
        moved = (drift / rate)[..., None, None] * at.A
        neuron = (size * (node.slope * node.g**2 + 2 * node.s * node.g * drift) / rate)[..., None] * kernel_row(at.A)
        found.append(after @ feature_matrix(activations))
        stated.append(activations + widened_activations(moved, neuron))
    return eq(np.stack(found, axis=-3), np.stack(stated, axis=-3), name="velocity", over=3)


def gain_and_price(at: Held, drift: Array, rate: Array) -> tuple[Array, Array]:
    r"""What stands before :math:`\varepsilon^2` and :math:`-\varepsilon^4`."""
    own, kept, pulled = at.numbers
    level = own - kept - 2 * pulled
    first = ((10 + drift**2) / 15 + 4 * drift / (3 * rate)) * level
    gain = first - 2 * (own + (1 + drift**2) * kept + drift**2 * pulled) / rate**2
    quartic = sum(node.weight * (node.t * node.s * node.g**2) ** 2 for node in nodes(drift, rate))
    return np.asarray(gain), np.asarray(own * kept * quartic)


# False variants


def square_in_the_corner(at: Held, drift: Array, size: Array, rate: Array) -> Relation:
    """The square of t in the corner, as the print means it: the path moves."""
    along = [replace(node, corner=node.t**2) for node in nodes(drift, rate)]
    return _moves(at, drift, size, rate, along)


def neuron_lags(at: Held, drift: Array, size: Array, rate: Array) -> Relation:
    """s for t: the new neuron lags behind the triangle."""
    along = [replace(node, t=node.s, corner=node.s**2) for node in nodes(drift, rate)]
    return _moves(at, drift, size, rate, along)


def is_held(at: Held) -> Array:
    """Whether the weights hold the representation."""
    return at.finite


def is_slow_and_small(at: Held, drift: Array, size: Array, rate: Array) -> Array:
    """Whether the bracket outweighs the term of fourth order."""
    gain, price = gain_and_price(at, drift, rate)
    return np.asarray(compare(gain, price * size**2) >= 0)


def largest_neuron() -> dict[str, Any]:
    r"""At rest at A = (-2, 1) without bias, for m = 3 and the largest :math:`\varepsilon`."""
    A, zero = rationals([[[-2], [1]]]), rationals([0])
    return {"at": held(A, 0 * A[..., 0], zero), "drift": zero, "size": rationals(["3/4"]), "rate": rationals(["3"])}


def three_points_improve() -> Relation:
    r"""At rest at A = (-1/2, 1, 0; 1, 3/10, 0), b = 0, whose cost with bias no factor lowers: m = 6 is enough."""
    A, zero = rationals([[["-1/2", "1", "0"], ["1", "3/10", "0"]]]), rationals([0])
    at, size, rate = held(A, 0 * A[..., 0], zero), rationals(["1/4"]), rationals(["6"])
    if not (is_held(at) & is_slow_and_small(at, zero, size, rate)).all():
        raise ArithmeticError("the instance does not satisfy the hypotheses")
    return another_neuron_helps(at, zero, size, rate)


HELD = "the weights hold the representation"
SLOW = "the path is slow, and the neuron is small enough"

CLAIM = Claim(
    id="leaky_resnets.prop_5",
    title="Another neuron improves a path that rests or moves slowly where an entry is negative",
    source=Source("leaky_resnets", "Proposition 5"),
    status=Ours(),
    statement=another_neuron_helps,
    domain=Domain(
        {
            "at": derived(held, A=REPRESENTATION, bias=interval(-1 / 2, 1 / 2, "width"), biased=integers(0, 1)),
            "drift": interval(-1 / 2, 1 / 2, often=(0,)),
            "size": interval(1 / 16, 1),
            "rate": interval(3, 24),
        },
        {"width": range(1, 4), "points": range(1, 5)},
        {HELD: is_held, SLOW: is_slow_and_small},
    ),
    needs=(HELD, SLOW),
    tight={"the largest neuron": Tight(largest_neuron, of=("better",))},
    false_variants={
        "the square of t in the corner: the path moves": square_in_the_corner,
        "s for t: the neuron lags": neuron_lags,
    },
    exact={"three points": three_points_improve},
    cost=12,
)
