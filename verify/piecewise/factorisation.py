r"""Factorisations of piecewise linear functions through few dimensions, checked and decided exactly.

The bottleneck rank of f on a set is the least k for which :math:`f = h \circ g` there with piecewise linear
:math:`g : \mathbb R^d \to \mathbb R^k` and h (notion_of_rank, Section 2): every factorisation is an upper bound.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from flint import fmpq

from verify.cones._exact import null_space
from verify.cones.conical_hull import contains
from verify.networks import FullyConnected, compose, relu
from verify.numbers.arithmetic import Array, rational, rationals
from verify.numbers.relation import Verdict
from verify.piecewise._arguments import check_limit, one_network
from verify.piecewise.cells.integer_network import read_only
from verify.piecewise.equality import Equality, equal
from verify.piecewise.interpolation import from_breakpoints
from verify.piecewise.polytope import Polytope
from verify.piecewise.regions import LIMIT, TooManyRegions, check_polytope, linear_regions


@dataclass(frozen=True, eq=False)
class Factorisation:
    """The function ``outer(inner(x))`` through ``inner.widths[-1]`` dimensions.

    Raises
    ------
    TypeError
        One of the two is no network with homogeneous activation.
    ValueError
        A batch of networks, `outer` does not take what `inner` gives, the activations differ, or one is exact and the other
        float.
    """

    inner: FullyConnected
    outer: FullyConnected

    def __post_init__(self) -> None:
        one_network(self.inner, "inner")
        one_network(self.outer, "outer")
        compose(self.outer, self.inner, merge=True)

    @property
    def dimension(self) -> int:
        """Number k of outputs of `inner`."""
        return self.inner.widths[-1]

    @property
    def network(self) -> FullyConnected:
        """Network for ``outer(inner(x))``, of depth ``inner.depth + outer.depth - 1``."""
        return compose(self.outer.as_exact(), self.inner.as_exact(), merge=True)


class NotAFactorisation(ArithmeticError):
    """The function differs from ``outer(inner(x))`` at a point of the polytope: `equality` has the point and the two values."""

    def __init__(self, equality: Equality) -> None:
        if equality.witness is None or equality.values is None:
            raise ValueError("equality must be a refutation with a witness, got functions that are equal")
        point, left, right = (f"({', '.join(map(str, text))})" for text in (equality.witness, *equality.values))
        super().__init__(f"the function is {left} at x = {point} but outer(inner(x)) is {right}")
        self.equality = equality

    def __reduce__(self) -> tuple[type[NotAFactorisation], tuple[Equality]]:
        return NotAFactorisation, (self.equality,)


def bottleneck_rank_upper_bound(
    f: FullyConnected, factorisation: Factorisation, polytope: Polytope, *, limit: int = LIMIT
) -> int:
    """Dimension k of a factorisation, once ``f(x) = outer(inner(x))`` is proved for every x in `polytope`.

    Raises
    ------
    NotAFactorisation
        They differ at a rational point, which the exception names.
    ValueError, TypeError
        As for `equal`; `TypeError` also for what is no `Factorisation`.

    Source: notion_of_rank, Definition of the bottleneck rank.

    Examples
    --------
    >>> f = FullyConnected([rationals([[1, 2], [2, 4]])])
    >>> inner, outer = FullyConnected([rationals([[1, 2]])]), FullyConnected([rationals([[1], [2]])])
    >>> bottleneck_rank_upper_bound(f, Factorisation(inner, outer), Polytope.box([-1, -1], [1, 1]))
    1
    """
    if not isinstance(factorisation, Factorisation):
        raise TypeError(f"factorisation must be a Factorisation(inner, outer), got {type(factorisation).__name__}")
    result = equal(f, factorisation.network, polytope, limit=limit)
    if not result:
        raise NotAFactorisation(result)
    return factorisation.dimension


@dataclass(frozen=True, eq=False)
class FactorThrough:
    """Whether f is a function of g on a polytope: ``f(x) = f(y)`` wherever ``g(x) = g(y)``; true in conditions if so.

    Attributes
    ----------
    holds
        Whether there is such a function h with ``f = h o g``; it is then continuous and piecewise linear on the image of g.
    witness
        Two rational points of the polytope with ``g(x) = g(y)`` and ``f(x) != f(y)``, shapes ``(d,)``; None if `holds`.
    values
        ``f(x)`` and ``f(y)`` at the witness.
    knots, heights
        For a g with one output: h has the values `heights`, shape ``(n, n_L)``, at the increasing `knots`, shape ``(n,)``, from
        one end of the image of g to the other, and is affine between them. Else None.
    outer
        For a g with one output: h as a network of depth 2, with the activation of g (or ReLU, where the slopes of that have
        equal absolute values). Else None.
    cells
        Number of cells of the common refinement.
    """

    holds: bool
    witness: tuple[Array, Array] | None
    values: tuple[Array, Array] | None
    knots: Array | None
    heights: Array | None
    outer: FullyConnected | None
    cells: int

    def __bool__(self) -> bool:
        return self.holds


@dataclass(frozen=True, eq=False)
class _Piece:
    """A cell on which ``f(x) = matrix @ x + offset`` and ``g(x) = inner @ x + inner_offset``."""

    polytope: Polytope
    matrix: Array
    offset: Array
    inner: Array
    inner_offset: Array

    def image(self) -> Array:
        """Inner function at the vertices, shape ``(n, k)``."""
        return self.polytope.vertices @ self.inner.T + self.inner_offset

    def values(self) -> Array:
        """Outer values at the vertices, shape ``(n, n_L)``."""
        return self.polytope.vertices @ self.matrix.T + self.offset


def factor_through(f: FullyConnected, inner: FullyConnected, polytope: Polytope, *, limit: int = LIMIT) -> FactorThrough:
    """Whether `f` is a function of the values of `inner` on `polytope`, decided exactly for any number of outputs.

    On every cell of the common refinement the kernel of the derivative of `inner` must lie in that of `f`; then f is an affine
    function of g on the cell, and these functions must agree where the images of cells overlap. For one output the images are
    intervals, and the outer function comes out. For more, two cells are settled if one affine function serves both, and
    otherwise by an exact decision for each output of f (a conical membership, with points x and y as weights).

    Raises
    ------
    ValueError
        A batch of networks, different numbers of inputs, or a polytope of another dimension.
    TypeError
        No network, no polytope, an activation that is not homogeneous, or parameters that are balls.
    TooManyRegions
        The common refinement has more cells than `limit`.
    ArithmeticError
        The exact decision for two cells was given up (see `verify.cones.conical_hull.MAX_PIVOTS`).

    Examples
    --------
    >>> absolute, line = from_pieces([([1], 0), ([-1], 0)], "max"), FullyConnected([rationals([[1]])])
    >>> box = Polytope.box([-1], [1])
    >>> print(bool(factor_through(absolute, line, box)))
    True
    >>> print(factor_through(line, absolute, box).witness)
    (array([1], dtype=object), array([-1], dtype=object))
    """
    exact_f, exact_inner = one_network(f, "f").as_exact(), one_network(inner, "inner").as_exact()
    if exact_f.widths[0] != exact_inner.widths[0]:
        raise ValueError(
            f"f and inner must have the same number of inputs, got {exact_f.widths[0]} and {exact_inner.widths[0]}"
        )
    check_polytope(polytope, exact_f.widths[0])
    check_limit(limit)
    pieces: list[_Piece] = []
    for piece in _common_refinement(exact_f, exact_inner, polytope, limit):
        if len(pieces) == limit:
            raise TooManyRegions(limit)
        pair = _pair_in(piece)
        if pair is not None:
            return _refuted(exact_f, pair, len(pieces) + 1)
        pieces.append(piece)
    if exact_inner.widths[-1] == 1:
        return _through_one_dimension(exact_f, exact_inner, pieces)
    for pair in _pairs_between(pieces):
        return _refuted(exact_f, pair, len(pieces))
    return FactorThrough(True, None, None, None, None, None, len(pieces))


def _common_refinement(f: FullyConnected, inner: FullyConnected, polytope: Polytope, limit: int) -> Iterator[_Piece]:
    for coarse in linear_regions(inner, polytope, limit=limit):
        for fine in linear_regions(f, coarse.polytope, limit=limit):
            yield _Piece(fine.polytope, fine.matrix, fine.offset, coarse.matrix, coarse.offset)


def _refuted(f: FullyConnected, pair: tuple[Array, Array], cells: int) -> FactorThrough:
    x, y = (read_only(list(point), point.shape) for point in pair)
    return FactorThrough(False, (x, y), (f(x), f(y)), None, None, None, cells)


def _pair_in(piece: _Piece) -> tuple[Array, Array] | None:
    """Two points of one cell with the same value of g and different values of f."""
    direction = next((direction for direction in null_space(piece.inner) if (piece.matrix @ direction).any()), None)
    if direction is None:
        return None
    start = piece.polytope.interior_point
    speeds, distances = piece.polytope.normals @ direction, piece.polytope.offsets - piece.polytope.normals @ start
    # the polytope is bounded: some facet is ahead
    step = min(distance / speed for speed, distance in zip(speeds, distances, strict=True) if speed > 0)
    return start, start + step / 2 * direction


@dataclass(frozen=True, eq=False)
class _Segment:
    """A cell over an interval: the interval, f at its ends, and points of the cell that are sent there."""

    ends: tuple[fmpq, fmpq]
    heights: tuple[Array, Array]
    points: tuple[Array, Array]

    def share(self, place: fmpq) -> fmpq:
        """How far `place` is on the way from the lower end to the upper one."""
        low, high = self.ends
        return (place - low) / (high - low) if high > low else fmpq(0)

    def height(self, place: fmpq) -> Array:
        """Value of f where g is `place`."""
        return np.asarray(self.heights[0] + self.share(place) * (self.heights[1] - self.heights[0]))

    def point(self, place: fmpq) -> Array:
        """A point where g is `place`."""
        return np.asarray(self.points[0] + self.share(place) * (self.points[1] - self.points[0]))


def _through_one_dimension(f: FullyConnected, inner: FullyConnected, pieces: list[_Piece]) -> FactorThrough:
    segments: dict[tuple[str, ...], _Segment] = {}
    for piece in pieces:
        places, heights, vertices = piece.image()[:, 0], piece.values(), piece.polytope.vertices
        low, high = int(np.argmin(places)), int(np.argmax(places))
        segment = _Segment((places[low], places[high]), (heights[low], heights[high]), (vertices[low], vertices[high]))
        segments.setdefault(tuple(map(str, (*segment.ends, *heights[low], *heights[high]))), segment)
    ends = sorted({end for segment in segments.values() for end in segment.ends})
    known: dict[fmpq, tuple[Array, _Segment]] = {}
    for segment in segments.values():
        for place in ends[bisect_left(ends, segment.ends[0]) : bisect_left(ends, segment.ends[1]) + 1]:
            height = segment.height(place)
            if place not in known:
                known[place] = (height, segment)
            elif np.any(known[place][0] != height):
                return _refuted(f, (known[place][1].point(place), segment.point(place)), len(pieces))
    knots, heights = _without_straight_knots(ends, [known[end][0] for end in ends])
    slopes = [rational(slope) for slope in (inner.activation.positive, inner.activation.negative)]
    activation = inner.activation if slopes[0] ** 2 != slopes[1] ** 2 else relu()
    outer = from_breakpoints(knots, heights, activation=activation)
    return FactorThrough(True, None, None, knots, heights, outer, len(pieces))


def _without_straight_knots(ends: list[fmpq], heights: list[Array]) -> tuple[Array, Array]:
    kept = [0]
    for i in range(1, len(ends)):
        if i + 1 < len(ends):
            before = (heights[i] - heights[kept[-1]]) / (ends[i] - ends[kept[-1]])
            if np.all(before == (heights[i + 1] - heights[i]) / (ends[i + 1] - ends[i])):
                continue
        kept.append(i)
    knots = read_only([ends[i] for i in kept], (len(kept),))
    return knots, read_only([x for i in kept for x in heights[i]], (len(kept), len(heights[0])))


def _pairs_between(pieces: list[_Piece]) -> Iterator[tuple[Array, Array]]:
    """Points of two cells with the same value of g and different values of f."""
    images, values = [piece.image() for piece in pieces], [piece.values() for piece in pieces]
    lows, highs = (np.array([end(image, axis=0) for image in images]) for end in (np.min, np.max))
    for i, j in combinations(range(len(pieces)), 2):
        if np.any(lows[i] > highs[j]) or np.any(lows[j] > highs[i]) or _one_function(pieces[i], pieces[j]):
            continue
        ones = [rationals(np.full((len(image), 1), sign)) for image, sign in ((images[i], 1), (images[j], -1))]
        for output in range(values[i].shape[1]):
            # weights of the vertices of both cells that give points with the same g, and values of f that differ
            generators = np.concatenate(
                [
                    np.concatenate([images[i], ones[0], values[i][:, output, None]], axis=1),
                    np.concatenate([-images[j], ones[1], -values[j][:, output, None]], axis=1),
                ]
            )
            for sign in (1, -1):
                target = rationals([0] * (generators.shape[1] - 1) + [sign])
                membership = contains(generators, target)
                if membership.verdict is Verdict.UNDECIDED:
                    raise ArithmeticError(f"whether f is a function of inner is not decided on two cells: {membership.reason}")
                if membership.weights is not None:
                    count = len(images[i])
                    total = membership.weights[:count].sum()
                    x = membership.weights[:count] @ pieces[i].polytope.vertices / total
                    yield x, membership.weights[count:] @ pieces[j].polytope.vertices / total


def _one_function(first: _Piece, second: _Piece) -> bool:
    """Whether one affine function h has ``f = h o g`` on both cells."""
    size = first.matrix.shape[1] + 1
    bottom_row: Any = [0] * (size - 1) + [1]
    inner, outer = (
        np.concatenate([np.concatenate([matrix, offset[:, None]], axis=1) for matrix, offset in pairs], axis=1)
        for pairs in (
            ((first.inner, first.inner_offset), (second.inner, second.inner_offset)),
            ((first.matrix, first.offset), (second.matrix, second.offset)),
        )
    )
    kernel = null_space(np.concatenate([inner, rationals([bottom_row * 2])]))
    return len(kernel) == 0 or not (kernel @ outer.T).any()
