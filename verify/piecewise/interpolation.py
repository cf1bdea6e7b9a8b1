"""Networks from pieces and from values: maxima and minima of affine functions, and piecewise linear interpolants, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from verify.networks import FullyConnected, HomogeneousActivation, compose, from_affine_pieces, from_lattice, relu
from verify.numbers.arguments import choice
from verify.numbers.arithmetic import Array, rational, rationals
from verify.piecewise._arguments import one_activation, shaped_rationals
from verify.piecewise._triangulations import Triangulation, delaunay, lattice_of_hat_functions


def from_pieces(
    pieces: Sequence[Any], kind: Literal["max", "min", "max of mins"], activation: HomogeneousActivation | None = None
) -> FullyConnected:
    """Network of one output for the maximum or the minimum of the functions ``x -> a . x + b``, with rational weights.

    `pieces` are pairs ``(a, b)``, with `a` of length d; for the maximum of minima, a list of lists of pairs: the maximum over
    the lists of the minimum in each. Floats are taken as the rationals that they are. Depth and norm: see
    `verify.networks.from_lattice`; the depth is ``ceil(log2 k) + 1`` for k pieces, and ``ceil(log2 m) + ceil(log2 n) + 1`` for
    n lists of at most m.

    Raises
    ------
    ValueError
        No pieces, a piece that is no pair, slopes of different lengths, numbers that are not finite, another `kind`, or a
        batch of activations or one whose slopes are equal in absolute value.
    TypeError
        `pieces` are no sequence, or `activation` is none.

    Examples
    --------
    >>> absolute = from_pieces([([1], 0), ([-1], 0)], "max")
    >>> print(absolute(rationals([[-3], [2]])))
    [[3]
     [2]]
    """
    choice("kind", kind, ("max", "min", "max of mins"))
    groups = [_listed(group) for group in _listed(pieces)] if kind == "max of mins" else [_listed(pieces)]
    if not groups or not all(groups):
        raise ValueError(f"pieces must be at least one pair (a, b){' in each list' * (len(groups) > 1)}, got {pieces!r}")
    all_pieces = [piece for group in groups for piece in group]
    for piece in all_pieces:
        if not isinstance(piece, tuple | list) or len(piece) != 2:
            raise ValueError(f"pieces must hold pairs (a, b) of a vector and a number, got {piece!r}")
    matrix = shaped_rationals([a for a, _ in all_pieces], 2, "the vectors a of the pieces")
    offsets = shaped_rationals([b for _, b in all_pieces], 1, "the numbers b of the pieces")
    activation = one_activation(activation)
    if kind != "max of mins":
        return from_affine_pieces(matrix, offsets, kind, activation)
    ends = np.cumsum([len(group) for group in groups]).tolist()
    outputs = [[range(end - len(group), end) for group, end in zip(groups, ends, strict=True)]]
    return from_lattice(matrix, offsets, outputs, activation)


def from_breakpoints(
    knots: Any, values: Any, *, left_slope: Any = 0, right_slope: Any = 0, activation: HomogeneousActivation | None = None
) -> FullyConnected:
    r"""Network of depth 2 for the piecewise linear function of one variable with these values at the `knots`, exactly.

    `knots` increase, shape ``(n,)``; `values` have shape ``(n,)``, or ``(n, k)`` for k outputs; the slopes to the left of the
    first knot and to the right of the last, numbers or shape ``(k,)``, are zero unless given. With the slopes
    :math:`v_0, \dots, v_n` from left to right, knots :math:`t_1 < \dots < t_n` and values :math:`y_1, \dots, y_n`,

    .. math:: f(t) = y_1 - v_0 \max(t_1 - t, 0) + v_1 \max(t - t_1, 0) + \sum_{i \ge 2} (v_i - v_{i-1}) \max(t - t_i, 0) .

    Terms that vanish have no neurons. With ReLU the squared norm is, over the terms that are left,
    :math:`\|y_1\|^2 + \sum (1 + t_i^2 + \|c_i\|^2)` with their knots and coefficients; with another activation every term has
    two neurons (see `verify.networks.from_lattice`).

    Raises
    ------
    ValueError
        No knots, knots that do not increase, other shapes, numbers that are not finite, or a batch of activations or one whose
        slopes are equal in absolute value.
    TypeError
        `activation` is none.

    Source: notion_of_rank, Proposition 2 (the outer function of its interpolant).

    Examples
    --------
    >>> tent = from_breakpoints([0, 1, 2], [0, 1, 0])
    >>> print(tent(rationals([["1/2"], [3]])))
    [[1/2]
     [0]]
    """
    places, heights = shaped_rationals(knots, 1, "knots"), _vector_values(values)
    if len(heights) != len(places):
        raise ValueError(f"values must be one for each of {len(places)} knots, got {len(heights)}")
    for i in range(len(places) - 1):
        if not places[i] < places[i + 1]:
            raise ValueError(f"knots must increase, got {places[i]} before {places[i + 1]} at index {i}")
    outputs = heights.shape[1]
    first_slope, last_slope = (
        _slope(name, slope, outputs) for name, slope in (("left_slope", left_slope), ("right_slope", right_slope))
    )
    inner = (heights[1:] - heights[:-1]) / (places[1:] - places[:-1])[:, None]
    slopes = np.concatenate([inner, last_slope[None]])
    upward = np.concatenate([slopes[:1], slopes[1:] - slopes[:-1]])  # coefficients of max(t - t_i, 0)
    signals = rationals(np.array([[1], [-1]] * len(places)))
    shifts = np.stack([-places, places], axis=1).ravel()
    downward = 0 * upward
    downward[0] = -first_slope
    activation = one_activation(activation) or relu()
    p, q = rational(activation.positive), rational(activation.negative)
    if p * p == q * q:
        raise ValueError(f"the slopes must differ in absolute value, got {p} and {q}")
    on_plus, on_minus = ((p * array + q * other) / (p * p - q * q) for array, other in ((upward, downward), (downward, upward)))
    exit_weights = np.stack([on_plus, on_minus], axis=1).reshape(-1, outputs).T
    return FullyConnected([signals, exit_weights], [shifts, heights[0]], activation).prune()


def triangulated_interpolant(
    points: Any, values: Any, simplices: Any = None, activation: HomogeneousActivation | None = None
) -> FullyConnected:
    r"""Network for the continuous function that is affine on every simplex and has these values at the points, exactly.

    `points` have shape ``(N, d)``; `values` have shape ``(N,)``, or ``(N, k)`` for k outputs; `simplices` are the ``d + 1``
    indices of the corners of each, shape ``(M, d + 1)``, any two of them sharing a face or nothing (their union need be neither
    convex nor connected); unless given, a Delaunay triangulation of the points in floats without the simplices that are flat in
    rationals, or in one dimension the intervals between them. Floats are taken as the rationals that they are. Beyond the
    simplices the network goes on in some way.

    In one dimension the depth is 2 (see `from_breakpoints`; constant outside). Otherwise the network adds hat functions, 1 at a
    vertex and 0 at all others, each :math:`\max(0, \max_i \min_{j \in G_i} \lambda_j)` for the simplices i around the vertex
    and their affine functions :math:`\lambda_j`; where the star of the vertex is convex, one minimum of all of them. It has
    depth ``ceil(log2 m) + ceil(log2(n + 1)) + 1`` for minima of at most m functions and maxima of at most n of them; every
    value is checked on the way, so that the result is a proof. Its last weights are the values, without a bias; the other
    weights do not depend on the values (other than zero), and the norm is `FullyConnected.parameter_norm_squared`.

    Raises
    ------
    ValueError
        Fewer than d + 1 points, points that coincide or belong to no simplex, values that are not as many, simplices that are
        flat, overlap or meet in something other than a common face (unless all values at their corners are zero), indices of
        no point, numbers that are not finite, or a batch of activations or one whose slopes are equal in absolute value.
    TypeError
        `activation` is none.

    Examples
    --------
    A pyramid over a square:

    >>> points = [[0, 0], [2, 0], [2, 2], [0, 2], [1, 1]]
    >>> sides = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]
    >>> pyramid = triangulated_interpolant(points, [0, 0, 0, 0, 1], sides)
    >>> print(pyramid(rationals([[1, 1], [1, "1/2"], [0, 1]])))
    [[1]
     [1/2]
     [0]]
    """
    activation = one_activation(activation)
    places, heights = shaped_rationals(points, 2, "points"), _vector_values(values)
    if len(heights) != len(places):
        raise ValueError(f"values must be one for each of {len(places)} points, got {len(heights)}")
    triangulation = delaunay(places) if simplices is None else Triangulation(places, simplices)
    if places.shape[1] == 1:
        triangulation.check_intervals()
        order = np.array(sorted(range(len(places)), key=lambda i: places[i, 0]))
        return from_breakpoints(places[order, 0], heights[order], activation=activation)
    used = [vertex for vertex in range(len(places)) if any(heights[vertex])]
    if not used:
        zero = rationals(np.zeros((heights.shape[1], places.shape[1]), dtype=np.int64))
        return FullyConnected([zero], activation=activation)
    functions, outputs = lattice_of_hat_functions(triangulation, used)
    hats = from_lattice(functions[:, :-1], functions[:, -1], outputs, activation)
    return compose(FullyConnected([heights[used].T], activation=hats.activation), hats, merge=True)


def _vector_values(values: Any) -> Array:
    """Values of one or several outputs, shape ``(n,)`` or ``(n, k)``, as rationals of shape ``(n, k)``."""
    if _axes(values) == 1:
        return shaped_rationals(values, 1, "values")[:, None]
    return shaped_rationals(values, 2, "values")


def _axes(values: Any) -> int | None:
    """Number of axes; None for rows of different lengths."""
    try:
        return np.ndim(values)
    except ValueError:
        return None


def _listed(pieces: Any) -> list[Any]:
    if not isinstance(pieces, Iterable):
        raise TypeError(f"pieces must be pairs (a, b), or lists of pairs for 'max of mins', got {pieces!r}")
    return list(pieces)


def _slope(name: str, slope: Any, outputs: int) -> Array:
    array = shaped_rationals([slope] * outputs if _axes(slope) == 0 else slope, 1, name)
    if len(array) != outputs:
        raise ValueError(f"{name} must be a number or have {outputs} entries, as the values have, got {len(array)}")
    return array
