r"""L2 regularisation of the parameters is regularisation of the function by its representation cost.

Statement
    For every cost :math:`C \ge 0` that depends on the values of a function on :math:`\Omega` only, and every
    :math:`\lambda > 0`,

    .. math:: \inf_w C(F_w) + \lambda \|w\|^2 = \inf_f C(f) + \lambda R(f; \Omega, \sigma, L),

    where f runs over the functions that a network of depth L can represent. If :math:`\hat w` attains the left side, then
    :math:`\|\hat w\|^2 = R(F_{\hat w})`, and :math:`F_{\hat w}` attains the right side.
Checked
    For every linear network with layers of equal widths, with :math:`C(A) = \|A - T\|_F^2` and
    :math:`R(A) = L \sum_i s_i(A)^{2/L}`, the chain

    .. math:: C(F_w) + \lambda\|w\|^2 \ge C(F_w) + \lambda R(F_w) \ge \min_f C(f) + \lambda R(f)
              = \sum_i \min_{u \ge 0} \, (u^L - s_i(T))^2 + \lambda L u^2

    with equality at minimisers; the second step alone for every square matrix (``.matrices``). The scalar problem is decided
    exactly: a minimiser is 0 or a positive root of :math:`u^{2L-2} - tu^{L-2} + \lambda`, which is isolated for rational t and
    :math:`\lambda`. A nonlinear setting is ``one_point``; what the minimisers are is ``threshold`` and ``jump``.
Proof idea
    The infimum over w is the infimum over f of that over the networks that represent f. To singular values: the trace
    inequality :math:`\mathrm{Tr}[A^TT] \le \sum_i s_i(A)s_i(T)`.
Sharp
    Balanced factors of a minimiser, at the depths 2, 3, 4 and 13.
Not checked
    Other costs C. The slides write :math:`\lambda / L` for :math:`\lambda` elsewhere; the factor of the norm is that of R.
Source
    notion_of_rank, definition of the representation cost; the closed forms are those of its linear networks.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.balanced import balanced_factors, end_to_end, plane_rotations, rotated, rotation
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.scalars import least_objective
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, interval, le, reals
from verify.arithmetic import Array, rationals
from verify.matrices import frobenius_norm_squared, schatten_power
from verify.networks import FullyConnected


def chain_of_inequalities(network: FullyConnected, left: Array, targets: Array, right: Array, ridge: Array) -> Relation:
    """Objective of a linear network, objective of its matrix, and the minimum, for the matrix T of rotated `targets`."""
    product, depth = end_to_end(network), Depth(network.depth)
    distance = frobenius_norm_squared(product - rotated(left, targets, right))
    of_matrix = distance + ridge * cost_of_matrix(product, depth)
    first = le(of_matrix, distance + ridge * network.weight_norm_squared, name="networks above matrices")
    return first & minimum_over_functions(product, left, targets, right, ridge, depth)


def cost_of_matrix(matrix: Array, depth: Depth) -> Array:
    """The representation cost of linear networks."""
    return np.asarray(depth.depth * schatten_power(matrix, Fraction(2, depth.depth)))


def minimum_over_functions(matrix: Array, left: Array, targets: Array, right: Array, ridge: Array, depth: Depth) -> Relation:
    """The minimum against the objective of a matrix, for the matrix T of rotated `targets`."""
    distance = frobenius_norm_squared(matrix - rotated(left, targets, right))
    least = least_objective(targets, ridge[..., None], depth.depth).sum(axis=-1)
    return le(least, distance + ridge * cost_of_matrix(matrix, depth), name="matrices above the minimum")


# False variants


def norm_divided_by_the_depth(network: FullyConnected, left: Array, targets: Array, right: Array, ridge: Array) -> Relation:
    """The first step with lambda / L on the norm, and lambda on R."""
    product, depth = end_to_end(network), Depth(network.depth)
    distance = frobenius_norm_squared(product - rotated(left, targets, right))
    loss = distance + ridge * network.weight_norm_squared / network.depth
    return le(distance + ridge * cost_of_matrix(product, depth), loss)


def last_layer_is_free(network: FullyConnected, left: Array, targets: Array, right: Array, ridge: Array) -> Relation:
    """The first step without the cost of the last layer."""
    product, depth = end_to_end(network), Depth(network.depth)
    distance = frobenius_norm_squared(product - rotated(left, targets, right))
    paid = network.weight_norm_squared - frobenius_norm_squared(network.weights[-1])
    return le(distance + ridge * cost_of_matrix(product, depth), distance + ridge * paid)


def soft_threshold_at_every_depth(
    matrix: Array, left: Array, targets: Array, right: Array, ridge: Array, depth: Depth
) -> Relation:
    """The minimum of depth 2."""
    distance = frobenius_norm_squared(matrix - rotated(left, targets, right))
    least = least_objective(targets, ridge[..., None], 2).sum(axis=-1)
    return le(least, distance + ridge * cost_of_matrix(matrix, depth))


def nothing_below_the_target(matrix: Array, left: Array, targets: Array, right: Array, ridge: Array, depth: Depth) -> Relation:
    """That no matrix is better than zero."""
    distance = frobenius_norm_squared(matrix - rotated(left, targets, right))
    return le((targets * targets).sum(axis=-1), distance + ridge * cost_of_matrix(matrix, depth))


# Tight examples


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


SOURCE = Source("notion_of_rank", "Representation cost")
POSITIVE = interval(Fraction(1, 16), 4, role="ridge")
FRAME = derived(rotation, chart=reals(plane_rotations("dimension")))
TARGETS = {"left": FRAME, "targets": interval(0, np.inf, "dimension"), "right": FRAME, "ridge": POSITIVE}
SIZES = {"depth": (1, 2, 3, 4, 6), "dimension": range(1, 4)}

CLAIM = Claim(
    id="notion_of_rank.ridge",
    title="Regularised parameters are regularised matrices",
    source=SOURCE,
    statement=chain_of_inequalities,
    domain=Domain(
        {
            "network": Networks(inputs="dimension", width="dimension", outputs="dimension", slope=1, biases=False),
            **TARGETS,
        },
        SIZES,
    ),
    tight={
        "depth 2": Tight(partial(linear_minimiser, 2, "3/2", "1/2")),
        "depth 3": Tight(partial(linear_minimiser, 3, "3/2", 1)),
        "depth 4, one value at zero": Tight(partial(linear_minimiser, 4, "5/4", 0)),
        "depth 13": Tight(partial(linear_minimiser, 13, "9/8", "5/4")),
    },
    false_variants={
        "lambda / L on the norm, lambda on R": norm_divided_by_the_depth,
        "the last layer is free": last_layer_is_free,
    },
)

MATRICES = Claim(
    id="notion_of_rank.ridge.matrices",
    title="The minimum over matrices is that over singular values, one at a time",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=minimum_over_functions,
    domain=Domain({"matrix": reals("dimension", "dimension"), "depth": GIVEN_DEPTH, **TARGETS}, SIZES),
    tight={
        "depth 2": Tight(partial(linear_minimiser, 2, "3/2", "1/2")),
        "depth 3": Tight(partial(linear_minimiser, 3, "3/2", 1)),
        "depth 4, one value at zero": Tight(partial(linear_minimiser, 4, "5/4", 0)),
    },
    false_variants={
        "soft threshold at every depth": soft_threshold_at_every_depth,
        "zero is best": nothing_below_the_target,
    },
)
