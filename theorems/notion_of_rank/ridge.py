r"""L2 regularisation of the parameters is regularisation of the function by its representation cost.

For every cost :math:`C \ge 0` that depends on the values of a function on :math:`\Omega` only, and every :math:`\lambda > 0`,

.. math:: \inf_w C(F_w) + \lambda \|w\|^2 = \inf_f C(f) + \lambda R(f; \Omega, \sigma, L),

where f runs over the functions that a network of depth L can represent. If :math:`\hat w` attains the left side, then
:math:`\|\hat w\|^2 = R(F_{\hat w})`, and :math:`F_{\hat w}` attains the right side. The widths may be fixed, if R is taken for
the same widths.

What is checked for every network is the chain

.. math:: C(F_w) + \lambda\|w\|^2 \ge C(F_w) + \lambda R(F_w) \ge \min_f C(f) + \lambda R(f),

with equality at minimisers, in two settings whose representation cost is known for every depth:

- linear networks and :math:`C(A) = \|A - T\|_F^2`: the minimum is :math:`\sum_i \varphi_L(s_i(T), \lambda)` (second step
  alone: ``.matrices``) with

  .. math:: \varphi_L(t, \lambda) = \min_a \, (a - t)^2 + \lambda L |a|^{2/L} = \min_{u \ge 0} (u^L - t)^2 + \lambda L u^2 ;

- one data point x with the label y (``.one_point``): any activation with slope 1 for t >= 0 and slopes of at most 1, no biases,
  R the cost :math:`L(\|z\| / \|x\|)^{2/L}` of the value z on :math:`\Omega = \{x\}`, and the minimum
  :math:`\min_{u \ge 0} (\|x\|u^L - \|y\|)^2 + \lambda L u^2`.

The scalar problem is decided exactly (`least_objective`): a minimiser is 0 or a positive root of
:math:`g^2u^{2L-2} - gtu^{L-2} + \lambda`, where g is 1 or :math:`\|x\|`; flint isolates the roots for rational t, g and
:math:`\lambda`. Its minimisers are the subject of ``ridge_threshold``.

Idea of the proof: the infimum over w is the infimum over f of that over the networks that represent f. Here the reduction to
singular values is the trace inequality :math:`\mathrm{Tr}[A^TT] \le \sum_i s_i(A)s_i(T)`.

The weight of R in the objective is :math:`\lambda` where the norm has the factor :math:`\lambda`; elsewhere the slides write
:math:`\lambda / L` for both.

Source: notion_of_rank, definition of the representation cost; the closed forms are those of its linear networks.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from flint import fmpq_poly

from theorems.feature_learning.prop_15_fewer_neurons import unit_vector
from theorems.notion_of_rank.given_depth import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.linear_networks import (
    balanced_factors,
    end_to_end,
    plane_rotations,
    rotation,
    rounding_of_schatten_power,
    transpose,
)
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, compare, floats, is_exact, minimum, power, rational, rationals
from verify.matrices import frobenius_norm_squared, schatten_power
from verify.networks import FullyConnected, leaky_relu

NEWTON_STEPS = 60
"""Enough for a float: on its way down to a simple root of a convex function, Newton's method at worst halves the distance."""


def objective(root: Array, target: Array, ridge: Array, depth: int, gain: Any = 1) -> Array:
    r""":math:`(gu^L - t)^2 + \lambda L u^2` at the root u >= 0, entrywise."""
    return np.asarray((gain * root**depth - target) ** 2 + depth * ridge * root**2)


def largest_stationary_root(target: Array, ridge: Array, depth: int, gain: Any = 1) -> Array:
    r"""The local minimiser u > 0 of `objective`, or 0 where there is none, entrywise.

    It is the largest positive root of :math:`g^2u^{2L-2} - gtu^{L-2} + \lambda` (for L = 1, :math:`gt / (g^2 + \lambda)`).
    `target` is t >= 0, `ridge` is positive, and so is `gain`. Rationals give rationals or balls.

    Raises
    ------
    ValueError
        `depth` is below 1, `target` is negative, `ridge` or `gain` is not positive, or one of them is not finite.
    """
    if depth < 1:
        raise ValueError(f"depth must be at least 1, got {depth}")
    target, ridge, gain = map(np.asarray, (target, ridge, gain))
    for name, values, zero in (("target", target, True), ("ridge", ridge, False), ("gain", gain, False)):
        _check_numbers(name, values, zero)
    target, ridge, gain = np.broadcast_arrays(target, ridge, gain)
    if depth == 1:
        return np.asarray(gain * target / (gain**2 + ridge))
    if is_exact(target):
        result = np.empty(target.shape, dtype=object)
        for index in np.ndindex(target.shape):
            result[index] = _isolated(depth, target[index], ridge[index], gain[index])
        return result
    if depth == 2:
        return np.asarray(np.sqrt(np.maximum(target / gain - ridge / gain**2, 0.0)))
    # the polynomial is convex and increasing between its positive minimum and (t/g)**(1/L)
    upper = power(target / gain, Fraction(1, depth))
    lower = power(target / gain * (depth - 2) / (2 * depth - 2), Fraction(1, depth))
    root = upper
    for _ in range(NEWTON_STEPS):
        value = gain**2 * root ** (2 * depth - 2) - gain * target * root ** (depth - 2) + ridge
        slope = (2 * depth - 2) * gain**2 * root ** (2 * depth - 3)
        slope = slope - (depth - 2) * gain * target * root ** (depth - 3)
        root = np.clip(root - value / np.where(slope > 0, slope, np.inf), lower, upper)
    return np.asarray(root)


def _check_numbers(name: str, values: Array, zero: bool) -> None:
    if not is_exact(values) and not np.isfinite(values).all():
        raise ValueError(f"{name} must be finite, got NaN or infinity")
    order = compare(values, 0)
    if not ((order == 1) | (zero & (order == 0))).all():
        raise ValueError(f"{name} must be {'at least' if zero else 'above'} 0, got an entry that is not")


def _isolated(depth: int, target: Any, ridge: Any, gain: Any) -> Any:
    gain = rational(gain)
    coefficients = [rational(0)] * (2 * depth - 1)
    coefficients[0] = rational(ridge)
    coefficients[depth - 2] -= gain * target
    coefficients[2 * depth - 2] = gain**2
    # flint finds the roots of irreducible factors, and gives real ones an imaginary part of exactly zero
    found: Any = rational(0)
    for factor, _ in fmpq_poly(coefficients).factor()[1]:
        if factor.degree() == 1:
            roots = [-factor[0] / factor[1]]
        else:
            roots = [root.real for root, _ in factor.complex_roots() if root.imag.is_zero()]
        for root in roots:
            if compare(root, found) == 1:
                found = root
    return found


def least_objective(target: Array, ridge: Array, depth: int, gain: Any = 1) -> Array:
    r""":math:`\min_{u \ge 0} (gu^L - t)^2 + \lambda L u^2`, entrywise; arguments as for `largest_stationary_root`."""
    found = objective(largest_stationary_root(target, ridge, depth, gain), target, ridge, depth, gain)
    return np.asarray(minimum(found, target * target + 0 * found))


def rotated(left: Array, values: Array, right: Array) -> Array:
    """The matrix with these frames and singular values, ``(..., m, r), (..., r), (..., n, r) -> (..., m, n)``."""
    return np.asarray((left * values[..., None, :]) @ transpose(right))


def minimum_over_functions(
    matrix: Array,
    left: Array,
    targets: Array,
    right: Array,
    ridge: Array,
    depth: Depth,
    ridge_of_the_minimum: int = 10_000,
    depth_of_the_minimum: int | None = None,
) -> Relation:
    """The minimum against the objective of a matrix, for the matrix T of rotated `targets`.

    False neighbours take the minimum for another ridge, in units of 1/10000, or for another depth.
    """
    layers = depth.depth
    own = frobenius_norm_squared(matrix - rotated(left, targets, right))
    own = own + ridge * layers * schatten_power(matrix, Fraction(2, layers))
    weight = np.asarray(ridge * ridge_of_the_minimum / 10_000)
    least = least_objective(targets, weight[..., None], depth_of_the_minimum or layers).sum(axis=-1)
    noise = floats(ridge) * layers * rounding_of_schatten_power(matrix, Fraction(2, layers))
    return le(least, own, scale=own + frobenius_norm_squared(matrix) + (targets * targets).sum(axis=-1), noise=noise)


def chain_of_inequalities(
    network: FullyConnected,
    left: Array,
    targets: Array,
    right: Array,
    ridge: Array,
    cost: int = 10_000,
    ridge_of_the_minimum: int = 10_000,
    per_layer: bool = False,
    last: bool = True,
    depth_of_the_minimum: int | None = None,
) -> Relation:
    """Objective of a linear network, objective of its matrix, and the minimum, for the matrix T of rotated `targets`.

    False neighbours change the factors of R in units of 1/10000, or count less of the norm.
    """
    product, depth = end_to_end(network), network.depth
    norm = network.weight_norm_squared - (0 if last else frobenius_norm_squared(network.weights[-1]))
    distance = frobenius_norm_squared(product - rotated(left, targets, right))
    own = distance + ridge * depth * schatten_power(product, Fraction(2, depth)) * cost / 10_000
    noise = floats(ridge) * depth * rounding_of_schatten_power(product, Fraction(2, depth))
    size = frobenius_norm_squared(product) + (targets * targets).sum(axis=-1) + ridge * network.weight_norm_squared
    loss = distance + ridge * norm / (depth if per_layer else 1)
    minimum_over_matrices = minimum_over_functions(
        product, left, targets, right, ridge, Depth(depth), ridge_of_the_minimum, depth_of_the_minimum
    )
    return le(own, loss, scale=size, noise=noise) & minimum_over_matrices


def at_one_point(
    network: FullyConnected,
    size: Array,
    direction: Array,
    length: Array,
    label: Array,
    ridge: Array,
    cost: int = 10_000,
    ridge_of_the_minimum: int = 10_000,
    last: bool = True,
    normalised: bool = True,
) -> Relation:
    """The chain for one point ``size * direction`` with the label ``length * label``, both times a unit vector."""
    value, depth = network(size[..., None] * direction), network.depth
    norm = network.weight_norm_squared - (0 if last else frobenius_norm_squared(network.weights[-1]))
    distance = ((value - length[..., None] * label) ** 2).sum(axis=-1)
    reach = (value * value).sum(axis=-1) / (size * size)
    own = distance + ridge * depth * power(reach, Fraction(1, depth)) * cost / 10_000
    weight = ridge * ridge_of_the_minimum / 10_000
    least = least_objective(length, weight, depth, size if normalised else 0 * size + 1)
    total = (value * value).sum(axis=-1) + length * length + ridge * network.weight_norm_squared
    return le(own, distance + ridge * norm, scale=total) & le(least, own, scale=total)


def direction_of(chart: Array, flip: Array) -> Array:
    """A unit vector, shape ``(..., d - 1), (...) -> (..., d)``, rational for rationals; opposite where `flip` is 1."""
    return np.asarray((1 - 2 * flip)[..., None] * unit_vector(chart, 0 * flip))


def linear_minimiser(depth: int, *roots: object) -> dict[str, Any]:
    r"""A minimiser for :math:`\lambda = 1/8`, and its targets: :math:`t = u^L + \lambda u^{2-L}` for roots u > 0.

    Where u is the local minimiser that is not global, the targets have another one: see ``ridge_threshold``.
    """
    frames = rotation(rationals([["1/2"], [1], ["-1/3"]]))
    u, weight = rationals(roots), rationals("1/8")
    targets = u**depth + weight * np.array([0 if root == 0 else root ** (2 - depth) for root in u], dtype=object)
    hidden = np.broadcast_to(frames[1], (depth - 1, 2, 2))
    network = balanced_factors(frames[0], u, frames[-1], hidden)
    found = {"network": network, "matrix": end_to_end(network), "depth": Depth(depth)}
    return {**found, "left": frames[0], "targets": targets, "right": frames[-1], "ridge": weight}


def minimiser_at_one_point(depth: int, root: object, size: object, ridge: object) -> dict[str, Any]:
    r"""A chain of single neurons between two unit vectors, and the label :math:`t = \|x\|u^L + \lambda u^{2-L} / \|x\|`."""
    u, length, weight = rationals(root)[()], rationals(size)[()], rationals(ridge)[()]
    direction, label = rationals(["3/5", "-4/5"]), rationals(["5/13", "12/13"])
    middle = [rationals([[1]]) * u] * (depth - 2)
    network = FullyConnected([u * direction[None, :], *middle, u * label[:, None]], activation=leaky_relu(rational("1/2")))
    target = length * u**depth + weight * u ** (2 - depth) / length
    numbers = {"size": length, "length": target, "ridge": weight}
    return {"network": network, "direction": direction, "label": label, **{k: rationals(v) for k, v in numbers.items()}}


SOURCE = Source("notion_of_rank", "Representation cost")
POSITIVE = interval(1 / 16, 4)
TARGETS = {
    "left": derived(rotation, chart=reals(plane_rotations("dimension"))),
    "targets": interval(0, np.inf, "dimension"),
    "right": derived(rotation, chart=reals(plane_rotations("dimension"))),
    "ridge": POSITIVE,
}

CLAIM = Claim(
    id="notion_of_rank.ridge",
    title="Regularised parameters and regularised matrices",
    source=SOURCE,
    statement=chain_of_inequalities,
    domain=Domain(
        {
            "network": Networks(inputs="dimension", width="dimension", outputs="dimension", slope=1, biases=False),
            **TARGETS,
        },
        {"depth": range(1, 6), "dimension": range(1, 3)},
    ),
    tight={
        "depth 2": Tight(partial(linear_minimiser, 2, "3/2", "1/2")),
        "depth 3": Tight(partial(linear_minimiser, 3, "3/2", 1)),
        "depth 4, one value at zero": Tight(partial(linear_minimiser, 4, "5/4", 0)),
        "depth 7": Tight(partial(linear_minimiser, 7, "9/8", "5/4")),
    },
    false_neighbours={
        "cost 1.01 R": partial(chain_of_inequalities, cost=10_100),
        "cost 1.0001 R": partial(chain_of_inequalities, cost=10_001),
        "minimum with 1.01 lambda": partial(chain_of_inequalities, ridge_of_the_minimum=10_100),
        "lambda / L on the norm, lambda on R": partial(chain_of_inequalities, per_layer=True),
        "last layer not counted": partial(chain_of_inequalities, last=False),
        "soft threshold at every depth": partial(chain_of_inequalities, depth_of_the_minimum=2),
    },
)

MATRICES = Claim(
    id="notion_of_rank.ridge.matrices",
    title="The minimum over matrices, one singular value at a time",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=minimum_over_functions,
    domain=Domain(
        {"matrix": reals("dimension", "dimension"), "depth": GIVEN_DEPTH, **TARGETS},
        {"depth": range(1, 6), "dimension": range(1, 3)},
    ),
    tight={
        "depth 2": Tight(partial(linear_minimiser, 2, "3/2", "1/2")),
        "depth 3": Tight(partial(linear_minimiser, 3, "3/2", 1)),
        "depth 4, one value at zero": Tight(partial(linear_minimiser, 4, "5/4", 0)),
    },
    false_neighbours={
        "1.01 lambda": partial(minimum_over_functions, ridge_of_the_minimum=10_100),
        "1.0001 lambda": partial(minimum_over_functions, ridge_of_the_minimum=10_001),
        "soft threshold at every depth": partial(minimum_over_functions, depth_of_the_minimum=2),
    },
)

ONE_POINT = Claim(
    id="notion_of_rank.ridge.one_point",
    title="Regularised parameters and one data point",
    source=SOURCE,
    statement=at_one_point,
    domain=Domain(
        {
            "network": Networks(slope=(-1, 1), biases=False),
            "size": interval(1 / 4, 4),
            "direction": derived(direction_of, chart=reals(lambda sizes: sizes["inputs"] - 1), flip=integers(0, 1)),
            "length": interval(0, np.inf),
            "label": derived(direction_of, chart=reals(lambda sizes: sizes["outputs"] - 1), flip=integers(0, 1)),
            "ridge": POSITIVE,
        },
        {"depth": range(2, 5), "inputs": range(1, 3), "width": (2,), "outputs": range(1, 3)},
    ),
    tight={
        "depth 2": Tight(partial(minimiser_at_one_point, 2, "3/2", 2, "1/3")),
        "depth 3": Tight(partial(minimiser_at_one_point, 3, "3/2", "1/2", "1/8")),
        "depth 6": Tight(partial(minimiser_at_one_point, 6, "5/4", 1, "1/2")),
    },
    false_neighbours={
        "cost 1.01 R": partial(at_one_point, cost=10_100),
        "cost 1.0001 R": partial(at_one_point, cost=10_001),
        "minimum with 1.01 lambda": partial(at_one_point, ridge_of_the_minimum=10_100),
        "last layer not counted": partial(at_one_point, last=False),
        "length of the point left out": partial(at_one_point, normalised=False),
    },
)
