r"""Proposition 2: a direction of descent at a negative entry.

Statement
    All stable minima of the cost of identity are non-negative.
Correction
    The cost must be finite (see ``infinite_cost``).
Checked
    From every A of finite cost with a negative entry, `descent_direction` lowers the cost of (A; 0) with every step t in
    (0, 1). With the smallest weights, their bias b, :math:`c = 1^TK^+1`, and the point i with the largest
    :math:`n = \|A_{\cdot i}\|^2 - \|\bar\sigma(A_{\cdot i})\|^2`:

    - the new neuron :math:`\epsilon\bar K_{\cdot i}` saves :math:`\epsilon^2r/(1 + \epsilon^2q)` with
      :math:`r = n + 1 - c - 2A_{\cdot i}\cdot b + \|b\|^2` and :math:`q = \|\sigma(A_{\cdot i})\|^2 - 2 + c`;
    - the representation (1 - t)A saves at least :math:`(2t - t^2)\|b\|^2`.

    If :math:`r \ge n/2` the first saves at least :math:`t^2n/(2 + 2t^2\|\sigma(A_{\cdot i})\|^2)`, else the second at least
    :math:`(2t - t^2)n^2/(16\|A_{\cdot i}\|^2)`.
Proof idea
    If r < n/2 then :math:`2A_{\cdot i}\cdot b > n/2`, so that :math:`\|b\| \ge n/(4\|A_{\cdot i}\|)`.
Tight
    A new neuron at the single point (1, 1, 1, -3), where r = n/2, as t goes to 0.
Source
    leaky_resnets, Proposition 2 (Proposition 6 of the appendix); the size of the descent is derived here.
"""

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    cost,
    inverse_kernel,
    is_finite,
)
from verify import Claim, DerivedHere, Domain, Source, Tight, interval
from verify.instances import InstanceArray
from verify.matrices.arguments import checked
from verify.numbers.arithmetic import Array
from verify.words import concatenate, eq, ge, inner, norm2, ones, relu, where, zeros


def largest_negative_part(A):
    """1 at the point i with the largest n, else 0."""
    negative = (relu(-A) ** 2).sum(axis=0)
    return 1 * (np.arange(A.shape[1]) == negative.argmax())


def numbers(A):
    r""":math:`n, r, q, \|b\|^2, c` and :math:`\|A_{\cdot i}\|^2`."""
    P, one, a = inverse_kernel(A), ones(A.shape[1]), A @ largest_negative_part(A)
    b, c, n = A @ P @ one, one @ P @ one, norm2(relu(-a))
    return n, n + 1 - c - 2 * inner(a, b) + norm2(b), norm2(relu(a)) - 1 + c, norm2(b), c, norm2(a)


def appends_a_neuron(A):
    n, r, *_ = numbers(A)
    return 2 * r >= n


def direction(A, appends):
    neuron = relu(A).T @ relu(A) @ largest_negative_part(A)
    return concatenate([where(appends, 0, -A), where(appends, neuron, 0)[None, :]])


def leads_down(A, t, appends=appends_a_neuron, part=1):
    """The cost after a step and what it saves, exactly and at least."""
    n, r, q, bias, c, size = numbers(A)
    way, left = appends(A), (1 - t) ** 2
    saved = where(way, t**2 * r / (1 + t**2 * q), (1 - left) * bias / (left + (1 - left) * c))
    neuron, shrinking = part * t**2 * n / (2 + 2 * t**2 * (size - n + 1)), (2 * t - t**2) * n**2 / (16 * size)
    after = cost(concatenate([A, zeros(1, A.shape[1])]) + t * direction(A, way))
    return (
        eq(after + saved, cost(A), name="cost")
        & ge(where(way, saved, neuron), neuron, name="a new neuron saves")
        & ge(where(way, shrinking, saved), shrinking, name="shrinking saves")
    )


def has_negative_entry(A):
    return (A < 0).any()


def descent_direction(A: Array) -> Array:
    """The direction that leads down at once from a representation with a dead neuron more, ``(..., w, N) -> (..., w + 1, N)``.

    Every step t in (0, 1) along it, from (A; 0), lowers the cost of identity with bias: A shrinks, or has a neuron more.

    Raises
    ------
    ValueError
        A is no matrix of finite numbers, has an infinite cost, or no negative entry: then it may be a stable minimum.

    Source: leaky_resnets, Proposition 6, proof.
    """
    A = checked(A, "A")
    instances: Any = InstanceArray(A, A.ndim - 2)
    if not has_negative_entry(instances).values.all():
        raise ValueError("A must have a negative entry, got a matrix without: it may be a stable minimum, with no way down")
    finite: Any = is_finite(instances)
    if not finite.values.all():
        raise ValueError("A must have a finite cost of identity, got a matrix that no weights keep")
    return np.asarray(direction(instances, appends_a_neuron(instances)).values)


FINITE = "the cost is finite"

CLAIM = Claim(
    id="leaky_resnets.prop_2",
    title="Stable minima of the cost of identity have no negative entry",
    source=Source("leaky_resnets", "Proposition 2"),
    status=DerivedHere(),
    statement=leads_down,
    domain=Domain(
        {"A": REPRESENTATION, "t": interval(0, 63 / 64, role="step")},
        SHAPES,
        {FINITE: is_finite, "an entry is negative": has_negative_entry},
    ),
    needs=(FINITE,),
    tight={
        # one point at which a new neuron saves half of n to first order, and a small step
        "half of n": Tight(
            lambda: {"A": [[1], [1], [1], [-3]], "t": "1/1000"},
            1e-5,
            "approached as the step goes to 0",
            of=("a new neuron saves",),
        ),
    },
    not_known_tight={
        "shrinking saves": "the bound drops the square of b and 1 - c, which vanish only together with what is saved"
    },
    false_variants={
        "always a new neuron": {"appends": lambda _: True},
        "always smaller": {"appends": lambda _: False},
        "all of n": {"part": 2},
    },
    cost=4,
)
