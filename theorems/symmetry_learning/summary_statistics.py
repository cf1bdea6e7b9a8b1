r"""Summary statistics: two numbers close under the gradient descent that finds a hidden direction.

Statement
    The loss is :math:`C(v) = \|vv^T - (ww^T + E)\|_F^2` with :math:`\|w\| = 1`. Its gradient is
    :math:`4(vv^T - ww^T - E_s)v`, where :math:`E_s` is the symmetric part of the noise (``.gradient``). With
    :math:`p = (w^Tv)^2` and :math:`q = \|(I - ww^T)v\|^2`, gradient flow without noise obeys

    .. math:: p' = -8(p + q - 1)p, \qquad q' = -8(p + q)q, \qquad C = (p + q)^2 - 2p + 1,

    so the loss curve depends on the start only through (p, q): a map of bottleneck rank 2. Noise changes all three by O(E).
Checked
    The three equations. Noise moves :math:`p'` by at most :math:`8|w^Tv|\,\|v\|\,\|E_s\|_{op}`, :math:`q'` by at most
    :math:`8\sqrt q\,\|v\|\,\|E_s\|_{op}`, and C by :math:`\|E\|_F^2` and at most
    :math:`2\|vv^T - ww^T\|_F\,\|E_s\|_F` (``.noise``). In time t, :math:`p/q` grows by :math:`e^{8t}` and
    :math:`1/q = 1/q_0 + 8t + (p_0/q_0)(e^{8t} - 1)` (``.closed_form``). A step of gradient descent is closed as well, in
    :math:`a = w^Tv` and :math:`b = \|(I - ww^T)v\|` (``.gd_step``). Starts that are mirror images in
    a plane through w have the same losses after every step (``.reflections``); a mirror that moves w changes them.
Proof idea
    Noise enters the gradient linearly. Without it, every term is a multiple of v or of w.
Sharp
    Noise along w (for p), noise that is a multiple of the identity (for q), noise along the residual (for the loss).
Not checked
    What the noise does over a long time.
Source
    bottleneck_structure, Section 5 (the talk shows the same); the closed forms are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, absolute, compare, exp, rational, rationals, sqrt
from verify.matrices import operator_norm
from verify.symbolic import identically_zero


def unit_vector(chart: Array) -> Array:
    """Inverse stereographic projection, ``(..., d - 1) -> (..., d)``: a vector of length 1, rational where `chart` is."""
    square = (chart * chart).sum(axis=-1)[..., None]
    return np.asarray(np.concatenate([2 * chart, 1 - square], axis=-1) / (1 + square))


def inner(left: Array, right: Array) -> Array:
    """Scalar products along the last axis."""
    return np.asarray((left * right).sum(axis=-1))


def residual(v: Array, w: Array) -> Array:
    r""":math:`vv^T - ww^T`, batched."""
    return np.asarray(v[..., :, None] * v[..., None, :] - w[..., :, None] * w[..., None, :])


def squared_norm(matrix: Array) -> Array:
    """Sum of the squares of the entries of each matrix of a batch."""
    return np.asarray((matrix * matrix).sum(axis=(-2, -1)))


def loss(v: Array, w: Array, noise: Array) -> Array:
    r""":math:`C(v) = \|vv^T - (ww^T + E)\|_F^2`, batched."""
    return squared_norm(residual(v, w) - noise)


def symmetric_part(matrix: Array) -> Array:
    """Half the sum of a matrix and its transpose."""
    return np.asarray((matrix + np.swapaxes(matrix, -1, -2)) / 2)


def gradient(v: Array, w: Array, noise: Array, factor: int = 4) -> Array:
    r""":math:`4(vv^T - ww^T - E)v`, batched; `noise` must be symmetric."""
    along_w = inner(w, v)[..., None] * w
    return np.asarray(factor * (inner(v, v)[..., None] * v - along_w - inner(noise, v[..., None, :])))


def no_noise(v: Array) -> Array:
    """The zero matrix, for each vector of a batch."""
    return 0 * v[..., :, None] * v[..., None, :]


def statistics(v: Array, w: Array) -> tuple[Array, Array]:
    r"""The summary statistics p and q."""
    across = v - inner(w, v)[..., None] * w
    return inner(w, v) ** 2, inner(across, across)


def flow_of_statistics(v: Array, w: Array, noise: Array) -> tuple[Array, Array]:
    """Time derivatives of p and q along gradient flow, by the chain rule."""
    velocity = -gradient(v, w, symmetric_part(noise))
    across = v - inner(w, v)[..., None] * w
    return 2 * inner(w, v) * inner(w, velocity), 2 * inner(across, velocity)


def derivative_of_loss(v: Array, w: Array, noise: Array, direction: Array) -> Array:
    """The five-point difference of the loss: the derivative itself, for a polynomial of degree four."""
    values = [loss(v + step * direction, w, noise) for step in (-2, -1, 1, 2)]
    return np.asarray((8 * (values[2] - values[1]) - (values[3] - values[0])) / 12)


def gradient_is_exact(v: Array, w: Array, noise: Array, direction: Array, factor: int = 4) -> Relation:
    """The derivative of the loss against the stated gradient."""
    stated = inner(gradient(v, w, symmetric_part(noise), factor), direction)
    return eq(derivative_of_loss(v, w, noise, direction), stated)


def statistics_close(v: Array, w: Array, rate: int = 8, threshold: int = 1) -> Relation:
    """The three equations in p and q, without noise."""
    p, q = statistics(v, w)
    p_rate, q_rate = flow_of_statistics(v, w, no_noise(v))
    flow = eq(p_rate, -rate * (p + q - threshold) * p, name="p") & eq(q_rate, -rate * (p + q) * q, name="q")
    return flow & eq(loss(v, w, no_noise(v)), (p + q) ** 2 - 2 * p + 1, name="loss")


def noise_is_small(v: Array, w: Array, noise: Array, constant: int = 8, threshold: int = 1, loss_constant: int = 2) -> Relation:
    """How far noise moves p', q' and the loss from their laws."""
    (p, q), (p_rate, q_rate) = statistics(v, w), flow_of_statistics(v, w, noise)
    even = symmetric_part(noise)
    size = sqrt(inner(v, v)) * operator_norm(even)
    of_p = le(absolute(p_rate + 8 * (p + q - threshold) * p), constant * absolute(inner(w, v)) * size, name="p")
    of_q = le(absolute(q_rate + 8 * (p + q) * q), constant * sqrt(q) * size, name="q")
    moved = loss(v, w, noise) - ((p + q) ** 2 - 2 * p + 1) - squared_norm(noise)
    bound = loss_constant * sqrt(squared_norm(residual(v, w)) * squared_norm(even))
    return of_p & of_q & le(absolute(moved), bound, name="loss")


def gradient_step(v: Array, w: Array, learning_rate: Array) -> Array:
    """One step of gradient descent without noise."""
    return np.asarray(v - learning_rate[..., None] * gradient(v, w, no_noise(v)))


def step_closes(v: Array, w: Array, learning_rate: Array, threshold: int = 1, factor: int = 4) -> Relation:
    """One step of gradient descent in the coordinates a and b."""
    p, q = statistics(v, w)
    stepped = gradient_step(v, w, learning_rate)
    along = inner(w, v) * (1 - factor * learning_rate * (p + q - threshold))
    across = q * (1 - factor * learning_rate * (p + q)) ** 2
    return eq(inner(w, stepped), along, name="a") & eq(statistics(stepped, w)[1], across, name="b squared")


def reflected(v: Array, normal: Array) -> Array:
    """The mirror image of v in the plane orthogonal to `normal`."""
    return np.asarray(v - (2 * inner(normal, v) / inner(normal, normal))[..., None] * normal)


def normal_to(w: Array, direction: Array) -> Array:
    """The part of `direction` that is orthogonal to the unit vector w."""
    return np.asarray(direction - inner(w, direction)[..., None] * w)


def is_off_the_line(w: Array, direction: Array) -> Array:
    """Whether `direction` is no multiple of w, by a margin, so that it gives a reflection."""
    normal = normal_to(w, direction)
    return np.asarray(compare(inner(normal, normal), rational("1/64") if normal.dtype == object else 1 / 64) > 0)


def losses(v: Array, w: Array, learning_rate: Array) -> Array:
    """The loss before and after each of two steps of gradient descent, shape ``(..., 3)``."""
    points = [v]
    for _ in range(2):
        points.append(gradient_step(points[-1], w, learning_rate))
    return np.stack([loss(point, w, no_noise(point)) for point in points], axis=-1)


def reflections_keep_the_losses(v: Array, w: Array, direction: Array, learning_rate: Array) -> Relation:
    """The losses from v, and from its mirror image in a plane through w."""
    image = reflected(v, normal_to(w, direction))
    return eq(losses(v, w, learning_rate), losses(image, w, learning_rate), over=1)


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
    return eq(inverse_rate, rate * (p + q) / q, name="1/q") & eq(ratio_rate, rate * p / q, name="p/q")


def aligned_noise() -> dict[str, Array]:
    """Noise along w, and v along w: the bound on p' is attained."""
    w = rationals([1, 0])
    return {"v": rationals(["1/2", 0]), "w": w, "noise": rational("1/4") * w[:, None] * w[None, :]}


def isotropic_noise() -> dict[str, Array]:
    """Noise that is a multiple of the identity, and v orthogonal to w: the bound on q' is attained."""
    return {"v": rationals([0, "1/2"]), "w": rationals([1, 0]), "noise": rationals([["1/4", 0], [0, "1/4"]])}


def noise_along_residual() -> dict[str, Array]:
    """Noise in the direction of the residual: the bound on the loss is attained."""
    v, w = rationals(["1/2", "2/3"]), rationals([1, 0])
    return {"v": v, "w": w, "noise": rational("1/4") * residual(v, w)}


# False variants


def noise_not_symmetrised(v: Array, w: Array, noise: Array, direction: Array) -> Relation:
    """The noise itself would stand in the gradient, not its symmetric part."""
    return eq(derivative_of_loss(v, w, noise, direction), inner(gradient(v, w, noise), direction))


def loss_without_square_of_noise(v: Array, w: Array, noise: Array) -> Relation:
    """The loss would move by the first order in the noise only."""
    p, q = statistics(v, w)
    moved = loss(v, w, noise) - ((p + q) ** 2 - 2 * p + 1)
    return le(absolute(moved), 2 * sqrt(squared_norm(residual(v, w)) * squared_norm(symmetric_part(noise))))


def any_reflection_keeps_the_losses(v: Array, w: Array, direction: Array, learning_rate: Array) -> Relation:
    """The loss curve would depend on the norm p + q of the start alone: a map of rank 1."""
    return eq(losses(v, w, learning_rate), losses(reflected(v, direction), w, learning_rate), over=1)


PLANE = {"v": reals("dimension"), "w": derived(unit_vector, chart=reals(lambda sizes: sizes["dimension"] - 1))}
DIMENSIONS = {"dimension": range(2, 6)}
NOISE = {"noise": reals("dimension", "dimension")}
SOURCE = Source("bottleneck_structure", "Section 5")

GRADIENT = Claim(
    id="symmetry_learning.summary_statistics.gradient",
    title="The gradient of the loss sees the symmetric part of the noise",
    source=SOURCE,
    statement=gradient_is_exact,
    domain=Domain({**PLANE, **NOISE, "direction": reals("dimension")}, DIMENSIONS),
    false_neighbours={
        "factor 2": partial(gradient_is_exact, factor=2),
        "noise not symmetrised": noise_not_symmetrised,
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
        "p grows for p + q < 2": partial(statistics_close, threshold=2),
    },
    exact={"in symbols": flow_in_symbols},
    proof="in symbols",
    argument="a rotation takes v and w into a plane with w as its first axis, and changes neither p, q nor the loss",
)

NOISY = Claim(
    id="symmetry_learning.summary_statistics.noise",
    title="Noise moves the two statistics and the loss by no more than its norm",
    source=SOURCE,
    statement=noise_is_small,
    domain=Domain({**PLANE, **NOISE}, DIMENSIONS),
    tight={
        "noise along w": Tight(aligned_noise, of=("p",)),
        "noise in all directions": Tight(isotropic_noise, of=("q",)),
        "noise along the residual": Tight(noise_along_residual, of=("loss",)),
    },
    false_neighbours={
        "law of p + q < 2": partial(noise_is_small, threshold=2),
        "without the square of the noise": loss_without_square_of_noise,
    },
)

CLOSED_FORM = Claim(
    id="symmetry_learning.summary_statistics.closed_form",
    title="The flow of the two statistics has a closed form",
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
    argument="the statement is the two equations for 1/q and p/q, which follow from those for p and q since q is positive",
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
        "p grows for p + q < 2": partial(step_closes, threshold=2),
    },
)

REFLECTIONS = Claim(
    id="symmetry_learning.summary_statistics.reflections",
    title="The loss curve depends on the start through the two statistics alone",
    source=SOURCE,
    statement=reflections_keep_the_losses,
    domain=Domain(
        {**PLANE, "direction": reals("dimension"), "learning_rate": interval(0, 1)},
        DIMENSIONS,
        {"direction off the line of w": is_off_the_line},
    ),
    false_neighbours={"every reflection": any_reflection_keeps_the_losses},
)
