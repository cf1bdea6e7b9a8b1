r"""Summary statistics of a gradient descent that finds a hidden direction: two numbers close under the dynamics.

The loss is :math:`C(v) = \|vv^T - (ww^T + E)\|_F^2` with :math:`\|w\| = 1`. Its gradient is
:math:`4(vv^T - ww^T - E_s)v`, where :math:`E_s` is the symmetric part of the noise: E itself need not be symmetric. With
:math:`p = (w^Tv)^2` and :math:`q = \|(I - ww^T)v\|^2`, gradient flow without noise obeys

.. math:: p' = -8(p + q - 1)p, \qquad q' = -8(p + q)q, \qquad C = (p + q)^2 - 2p + 1,

so that the loss curve depends on the start only through (p, q): a map of bottleneck rank 2. Noise moves :math:`p'` by at most
:math:`8|w^Tv|\,\|v\|\,\|E_s\|`. In time t, :math:`p/q` grows by :math:`e^{8t}` and
:math:`1/q = 1/q_0 + 8t + (p_0/q_0)(e^{8t} - 1)`. A step of gradient descent is closed as well, in :math:`a = w^Tv` and
:math:`b = \|(I - ww^T)v\|`.

Source: bottleneck_structure, Section 5 (the talk shows the same); the closed forms are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, absolute, exp, rational, rationals, sqrt
from verify.symbolic import identically_zero


def unit_vector(chart: Array) -> Array:
    """Inverse stereographic projection, ``(..., d - 1) -> (..., d)``: a vector of length 1, rational where `chart` is."""
    square = (chart * chart).sum(axis=-1)[..., None]
    return np.asarray(np.concatenate([2 * chart, 1 - square], axis=-1) / (1 + square))


def inner(left: Array, right: Array) -> Array:
    """Scalar products along the last axis."""
    return np.asarray((left * right).sum(axis=-1))


def loss(v: Array, w: Array, noise: Array) -> Array:
    r""":math:`C(v) = \|vv^T - (ww^T + E)\|_F^2`, batched."""
    residual = v[..., :, None] * v[..., None, :] - w[..., :, None] * w[..., None, :] - noise
    return np.asarray((residual * residual).sum(axis=(-2, -1)))


def symmetric_part(matrix: Array) -> Array:
    """Half the sum of a matrix and its transpose."""
    return np.asarray((matrix + np.swapaxes(matrix, -1, -2)) / 2)


def gradient(v: Array, w: Array, noise: Array, factor: int = 4) -> Array:
    r""":math:`4(vv^T - ww^T - E_s)v`, batched; `noise` must be symmetric."""
    along_w = inner(w, v)[..., None] * w
    return np.asarray(factor * (inner(v, v)[..., None] * v - along_w - inner(noise, v[..., None, :])))


def statistics(v: Array, w: Array) -> tuple[Array, Array]:
    r"""The summary statistics p and q."""
    across = v - inner(w, v)[..., None] * w
    return inner(w, v) ** 2, inner(across, across)


def flow_of_statistics(v: Array, w: Array, noise: Array) -> tuple[Array, Array]:
    """Time derivatives of p and q along gradient flow, by the chain rule."""
    velocity = -gradient(v, w, symmetric_part(noise))
    across = v - inner(w, v)[..., None] * w
    return 2 * inner(w, v) * inner(w, velocity), 2 * inner(across, velocity)


def gradient_is_exact(
    v: Array, w: Array, noise: Array, direction: Array, factor: int = 4, symmetrised: bool = True
) -> Relation:
    """The five-point difference of the loss, exact for a polynomial of degree four, against the stated gradient."""
    values = [loss(v + step * direction, w, noise) for step in (-2, -1, 1, 2)]
    difference = (8 * (values[2] - values[1]) - (values[3] - values[0])) / 12
    slope = inner(gradient(v, w, symmetric_part(noise) if symmetrised else noise, factor), direction)
    return eq(difference, slope, scale=sum(values))


def statistics_close(v: Array, w: Array, rate: int = 8, shift: int = 1) -> Relation:
    """The three equations in p and q, without noise."""
    p, q = statistics(v, w)
    no_noise = 0 * v[..., :, None] * v[..., None, :]
    p_rate, q_rate = flow_of_statistics(v, w, no_noise)
    size = 8 * (1 + p + q) * (p + q)
    flow = eq(p_rate, -rate * (p + q - shift) * p, scale=size) & eq(q_rate, -rate * (p + q) * q, scale=size)
    return flow & eq(loss(v, w, no_noise), (p + q) ** 2 - 2 * p + 1, scale=(1 + p + q) ** 2)


def noise_moves_p(v: Array, w: Array, noise: Array, constant: int = 8, shift: int = 1) -> Relation:
    """How far noise moves p' from its law; the norm of the noise is that of Frobenius, no smaller than the operator norm."""
    p, q = statistics(v, w)
    p_rate, _ = flow_of_statistics(v, w, noise)
    size = sqrt((symmetric_part(noise) ** 2).sum(axis=(-2, -1)))
    bound = constant * absolute(inner(w, v)) * sqrt(inner(v, v)) * size
    return le(absolute(p_rate + 8 * (p + q - shift) * p), bound, scale=8 * (1 + p + q + size) * (p + q))


def step_closes(v: Array, w: Array, learning_rate: Array, shift: int = 1, factor: int = 4) -> Relation:
    """One step of gradient descent in the coordinates a and b."""
    no_noise = 0 * v[..., :, None] * v[..., None, :]
    p, q = statistics(v, w)
    stepped = v - learning_rate[..., None] * gradient(v, w, no_noise)
    new_p, new_q = statistics(stepped, w)
    along = inner(w, v) * (1 - factor * learning_rate * (p + q - shift))
    across = q * (1 - factor * learning_rate * (p + q)) ** 2
    size = (1 + p + q) * (1 + 4 * absolute(learning_rate) * (1 + p + q)) ** 2
    return eq(inner(w, stepped), along, scale=size) & eq(new_p, along**2, scale=size) & eq(new_q, across, scale=size)


def aligned_noise() -> dict[str, Array]:
    """Noise along w, and v along w: the bound on p' is attained."""
    w = rationals([1, 0])
    return {"v": rationals(["1/2", 0]), "w": w, "noise": rational("1/4") * w[:, None] * w[None, :]}


def flow_in_symbols() -> Relation:
    """The equations for p and q for symbolic v, in the plane of v and w, into which every instance can be rotated."""
    import sympy as sp

    a, b = sp.symbols("a b", real=True)
    v, w = sp.Matrix([a, b]), sp.Matrix([1, 0])
    residual = v * v.T - w * w.T
    cost = sp.trace(residual.T * residual)
    p, q = a**2, b**2
    return identically_zero(
        -p.diff(a) * cost.diff(a) + 8 * (p + q - 1) * p,
        -q.diff(b) * cost.diff(b) + 8 * (p + q) * q,
        cost - ((p + q) ** 2 - 2 * p + 1),
    )


def closed_form(t: Any, p0: Any, q0: Any, growth: Any) -> tuple[Any, Any]:
    """P and q at time t of the flow from (p0, q0), where `growth` is exp(8t)."""
    q = 1 / (1 / q0 + 8 * t + p0 / q0 * (growth - 1))
    return p0 / q0 * growth * q, q


def closed_form_in_symbols() -> Relation:
    """The closed form solves the equations for p and q, from the right start."""
    import sympy as sp

    t, p0, q0 = sp.symbols("t p0 q0", positive=True)
    p, q = closed_form(t, p0, q0, sp.exp(8 * t))
    return identically_zero(p.diff(t) + 8 * (p + q - 1) * p, q.diff(t) + 8 * (p + q) * q, p.subs(t, 0) - p0, q.subs(t, 0) - q0)


def closed_form_solves(t: Array, p0: Array, q0: Array, rate: int = 8) -> Relation:
    """The closed form against its equation, through the derivatives of 1/q and p/q."""
    growth = exp(8 * t)
    p, q = closed_form(t, p0, q0, growth)
    inverse_rate = 8 + 8 * p0 / q0 * growth
    ratio_rate = 8 * p0 / q0 * growth
    size = rate * (1 + (p + q) / q)
    return eq(inverse_rate, rate * (p + q) / q, scale=size) & eq(ratio_rate, rate * p / q, scale=size)


PLANE = {"v": reals("dimension"), "w": derived(unit_vector, chart=reals(lambda sizes: sizes["dimension"] - 1))}
DIMENSIONS = {"dimension": range(2, 6)}
NOISE = {"noise": reals("dimension", "dimension")}
SOURCE = Source("bottleneck_structure", "Section 5")

GRADIENT = Claim(
    id="symmetry_learning.summary_statistics.gradient",
    title="Gradient of the loss under noise",
    source=SOURCE,
    statement=gradient_is_exact,
    domain=Domain({**PLANE, **NOISE, "direction": reals("dimension")}, DIMENSIONS),
    false_neighbours={
        "factor 2": partial(gradient_is_exact, factor=2),
        "noise not symmetrised": partial(gradient_is_exact, symmetrised=False),
    },
)

CLAIM = Claim(
    id="symmetry_learning.summary_statistics",
    title="Two statistics close under the gradient flow",
    source=SOURCE,
    statement=statistics_close,
    domain=Domain(PLANE, DIMENSIONS),
    false_neighbours={
        "rate 4": partial(statistics_close, rate=4),
        "p grows for p + q < 2": partial(statistics_close, shift=2),
    },
    exact={"in symbols": flow_in_symbols},
    proof="in symbols",
)

NOISY = Claim(
    id="symmetry_learning.summary_statistics.noise",
    title="How far noise moves the law of p",
    source=SOURCE,
    statement=noise_moves_p,
    domain=Domain({**PLANE, **NOISE}, DIMENSIONS),
    tight={"noise along w": Tight(aligned_noise)},
    false_neighbours={
        "constant 7": partial(noise_moves_p, constant=7),
        "law of p + q < 2": partial(noise_moves_p, shift=2),
    },
)

CLOSED_FORM = Claim(
    id="symmetry_learning.summary_statistics.closed_form",
    title="Closed form of the flow of p and q",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=closed_form_solves,
    domain=Domain({"t": interval(0, 1), "p0": interval(1 / 16, 4), "q0": interval(1 / 16, 4)}),
    false_neighbours={
        "rate 4": partial(closed_form_solves, rate=4),
        "rate 9": partial(closed_form_solves, rate=9),
    },
    exact={"in symbols": closed_form_in_symbols},
    proof="in symbols",
)

GD_STEP = Claim(
    id="symmetry_learning.summary_statistics.gd_step",
    title="A step of gradient descent closes in the statistics",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=step_closes,
    domain=Domain({**PLANE, "learning_rate": interval(0, 1)}, DIMENSIONS),
    false_neighbours={
        "law of the flow": partial(step_closes, factor=8),
        "p grows for p + q < 2": partial(step_closes, shift=2),
    },
)
