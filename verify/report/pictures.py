"""Small pictures in SVG, for the report and the site: how near a search came, and what an instance looks like.

They are drawn in the colours of the page, light or dark, and each says in words what it shows.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.numbers.arithmetic import floats, is_exact
from verify.report import words
from verify.search import SLACK_EDGES

Floats = npt.NDArray[np.float64]

SIDE = 150
"""Width and height of a picture of a plane."""
REACH = 2
"""Maps are drawn on the interval, or the square, from -2 to 2, unless a point of the instance lies beyond it."""
REGIONS = 400
"""A network with more linear regions is not drawn."""
CELLS = 200
"""Arrays with more entries are not drawn."""


def drawn(paths: str, width: float, height: float, says: str) -> str:
    """An SVG element that is read out as `says`."""
    return (
        f'<svg role="img" aria-label="{escape(says)}" viewBox="0 0 {_n(width)} {_n(height)}" width="{_n(width)}" '
        f'height="{_n(height)}">{paths}</svg>'
    )


def figure(svg: str, caption: str) -> str:
    """A picture with words below it; the caption is HTML."""
    return f'<figure class="picture">{svg}<figcaption>{caption}</figcaption></figure>'


def side_by_side(figures: Iterable[str]) -> str:
    """Pictures in a row, or below each other where there is no room; empty if there is none."""
    joined = "".join(figures)
    return f'<div class="pictures">{joined}</div>\n' if joined else ""


def _n(value: float) -> str:
    """A coordinate, with one digit."""
    return f"{value:.1f}".removesuffix(".0")


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}">{escape(text)}</text>'


# How near to failing


def slack_histogram(counts: Sequence[int]) -> str:
    """How many of the drawn instances have which relative slack, as in `Record.slacks`; empty if there is none."""
    total = sum(counts)
    if not total:
        return ""
    fails, tie, powers = counts[0], counts[1], counts[2:]
    step, high, floor = 10.0, 54.0, 58.0
    paths = ""
    for kind, first, values in (("f", 0, [fails]), ("q", 1, [tie]), ("b", 2, powers)):
        bars = ""
        for place, count in enumerate(values, start=first):
            if count:
                # a root, so that one instance of thousands is seen
                tall = max(2.0, high * math.sqrt(count / max(counts)))
                x = step * place + (6 if place > 1 else 3 * place)
                bars += f"M{_n(x)} {_n(floor)}v-{_n(tall)}h{_n(step - 1)}V{_n(floor)}z"
        paths += f'<path class="{kind}" d="{bars}"/>' if bars else ""
    width = step * len(counts) + 8
    paths += f'<path class="l" d="M0 {_n(floor)}h{_n(width)}"/>'
    first_power = step * 2 + 6
    paths += _text(step * 1.5 + 3, floor + 12, "0") + (_text(4, floor + 12, "<0") if fails else "")
    for exponent in (-10, -5, 0):
        paths += _text(first_power + step * (exponent + len(SLACK_EDGES)), floor + 12, "1" if not exponent else f"1e{exponent}")
    return drawn(paths, width, floor + 16, _in_words(fails, tie, powers))


def _in_words(fails: int, tie: int, powers: Sequence[int]) -> str:
    """The histogram in words."""
    total = fails + tie + sum(powers)
    occupied = [place for place, count in enumerate(powers) if count]
    text = f"Relative slack of {total} feasible instances: {fails} fail in floats, {tie} are undecided in floats"
    if not occupied:
        return f"{text}."
    # a slack is at most the sum of both sides, and so twice the larger one
    ends = ["0", *(f"{edge:.0e}".replace("e-0", "e-") for edge in SLACK_EDGES[:-1]), "1", "2"]
    middle = int(np.searchsorted(np.cumsum(powers), sum(powers) / 2))
    return (
        f"{text}, and {sum(powers)} hold with slacks from {ends[occupied[0]]} to {ends[occupied[-1] + 1]}, half of them below "
        f"{ends[middle + 1]}."
    )


# Instances


def pictures(variables: Mapping[str, Any]) -> list[str]:
    """Pictures of those variables of one instance that can be drawn, each a figure.

    A network by its weights and, with one or two inputs, by its map or its linear regions; points of the plane; graphs.
    """
    # networks are imported when a claim has one: `verify list` needs none of them
    from verify.networks import FullyConnected

    figures: list[str] = []
    networks = [network for name, value in variables.items() for network in _networks(name, value, FullyConnected)]
    for name, network in networks[:2]:
        points = _points(variables, network.widths[0])
        figures += filter(None, (_weights(name, network), _map(name, network, points), _regions(name, network, points)))
    if not networks:
        plane = _points(variables, 2, ("points",))
        if len(plane) > 1:
            says = f"{len(plane)} points of the plane: {_listed(plane)}"
            figures.append(figure(_plane("", plane, says), "points"))
    if "edges" in variables:
        figures += filter(None, [_graph(variables["edges"])])
    return figures


def _networks(name: str, value: Any, kind: type[Any]) -> Iterator[tuple[str, Any]]:
    """The fully connected networks in a variable, the first of a batch, in floats."""
    if isinstance(value, kind):
        while value.batch_shape:
            value = value[0]
        yield name, value.as_float()
    elif isinstance(value, tuple | list):
        for place, part in enumerate(value, start=1):
            yield from _networks(f"{name}, {place}", part, kind)


def _points(variables: Mapping[str, Any], dimension: int, names: Sequence[str] = ("x", "y", "points")) -> Floats:
    """The points of an instance with this many coordinates, shape ``(points, dimension)``."""
    arrays = [np.zeros((0, dimension))]
    for name in names:
        value = variables.get(name)
        if value is None or isinstance(value, tuple | list):
            continue
        array = np.asarray(value)
        if array.ndim >= 1 and array.shape[-1] == dimension and array.size <= CELLS:
            # of a batch, the first instance
            array = array[(0,) * max(0, array.ndim - 2)]
            numbers = array.dtype.kind in "iuf" or is_exact(array)
            arrays += [np.atleast_2d(floats(array)).astype(np.float64)] if numbers else []
    points = np.concatenate(arrays)
    return points[np.isfinite(points).all(axis=1)]


def _listed(points: Floats) -> str:
    shown = "; ".join(f"({', '.join(f'{value:.3g}' for value in point)})" for point in points[:6])
    return shown + (" and so on" if len(points) > 6 else "")


def _reach(points: Floats) -> float:
    return float(max(REACH, 1.2 * np.abs(points).max(initial=0.0)))


def _plane(inside: str, points: Floats, says: str, reach: float | None = None) -> str:
    """A square around zero with dots in it."""
    reach = _reach(points) if reach is None else reach
    dots = "".join(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="3"/>' for x, y in _placed(points, reach))
    half = SIDE / 2
    axes = f'<path class="a" d="M0 {_n(half)}H{SIDE}M{_n(half)} 0V{SIDE}"/>'
    frame = f'<path class="l" d="M0 0H{SIDE}V{SIDE}H0z"/>'
    ends = _text(2, half - 4, f"−{reach:.3g}", "start") + _text(SIDE - 2, half - 4, f"{reach:.3g}", "end")
    return drawn(f"{inside or axes}{frame}{ends}{dots}", SIDE, SIDE, says)


def _placed(points: Floats, reach: float) -> Floats:
    """Points of the square as places in the picture: up is down there."""
    return np.asarray(SIDE / 2 + points * np.array([1, -1]) * SIDE / (2 * reach))


def _weights(name: str, network: Any) -> str:
    """The matrices side by side, tinted by their entries."""
    matrices = [np.asarray(weight, dtype=np.float64) for weight in network.weights]
    sizes = [matrix.size for matrix in matrices]
    if not 2 < sum(sizes) <= CELLS:
        return ""
    tallest = max(len(matrix) for matrix in matrices)
    cell = min(18.0, 90 / tallest, 320 / sum(matrix.shape[1] + 0.7 for matrix in matrices))
    largest = max(float(np.abs(matrix).max()) for matrix in matrices) or 1.0
    x, cells = 0.5, ""
    for layer, matrix in enumerate(matrices, start=1):
        y = (tallest - len(matrix)) * cell / 2 + 0.5
        rows, columns = matrix.shape
        for (row, column), value in np.ndenumerate(matrix):
            if value:
                place = f'x="{_n(x + column * cell)}" y="{_n(y + row * cell)}" width="{_n(cell)}" height="{_n(cell)}"'
                sign = "n" if value < 0 else "p"
                cells += f'<rect class="{sign}" fill-opacity="{0.15 + 0.85 * abs(value) / largest:.2f}" {place}/>'
        cells += f'<path class="l" d="M{_n(x)} {_n(y)}h{_n(columns * cell)}v{_n(rows * cell)}h-{_n(columns * cell)}z"/>'
        cells += _text(x + columns * cell / 2, tallest * cell + 14, f"W{layer}") if len(matrices) <= 8 else ""
        x += (columns + 0.7) * cell
    shapes = ", ".join(f"{rows} × {columns}" for rows, columns in (matrix.shape for matrix in matrices))
    says = f"The weight matrices of {name} as tints, of the shapes {shapes}; the largest entry has the size {largest:.3g}."
    svg = drawn(cells, max(x - 0.7 * cell + 1, 24), tallest * cell + 18, says)
    signs = '<span class="p">positive</span>, <span class="n">negative</span>'
    return figure(svg, f"weights of {escape(name)}: {signs}, up to {largest:.3g}")


def _map(name: str, network: Any, points: Floats) -> str:
    """The outputs of a network of one input."""
    if network.widths[0] != 1 or network.widths[-1] > 4:
        return ""
    reach = _reach(points)
    kinks = [region.polytope.vertices for region in _linear_regions(network, reach)]
    x = np.unique(np.concatenate([[-reach, reach], *(floats(kink).ravel() for kink in kinks)]))
    values = np.asarray(network(x[:, None]), dtype=np.float64)
    if not kinks or not np.isfinite(values).all():
        return ""
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    span = (high - low) or 1.0
    across = (x + reach) * SIDE / (2 * reach)
    up = 6 + (high - values) * (SIDE - 12) / span
    zero = 6 + high * (SIDE - 12) / span
    paths = f'<path class="a" d="M0 {_n(zero)}H{SIDE}M{_n(SIDE / 2)} 0V{SIDE}"/>'
    for output in range(values.shape[1]):
        line = "L".join(f"{_n(pixel_x)} {_n(pixel_y)}" for pixel_x, pixel_y in zip(across, up[:, output], strict=True))
        paths += f'<path class="g{output}" d="M{line}"/>'
    at_points = np.asarray(network(points), dtype=np.float64) if len(points) else np.zeros((0, values.shape[1]))
    for (place,), heights in zip(points, at_points, strict=True):
        for height in heights:
            paths += (
                f'<circle cx="{_n((place + reach) * SIDE / (2 * reach))}" '
                f'cy="{_n(6 + (high - height) * (SIDE - 12) / span)}" r="3"/>'
            )
    paths += _text(2, min(SIDE - 2, zero + 12), f"−{reach:.3g}", "start") + _text(
        SIDE - 2, min(SIDE - 2, zero + 12), f"{reach:.3g}", "end"
    )
    paths += _text(SIDE / 2 + 3, 11, f"{high:.3g}", "start") if high > 0 else ""
    inner = len(x) - 2
    outputs = f"{values.shape[1]} outputs" if values.shape[1] > 1 else "the output"
    says = (
        f"The map of {name}: {outputs} from {low:.3g} to {high:.3g} on the interval from {-reach:.3g} to {reach:.3g}, with "
        f"{inner} kink{'s' * (inner != 1)} in it."
    )
    return figure(drawn(paths, SIDE, SIDE, says), f"map of {escape(name)}")


def _regions(name: str, network: Any, points: Floats) -> str:
    """The linear regions of a network of two inputs, in tints."""
    if network.widths[0] != 2:
        return ""
    from verify.piecewise.plotting import tints

    reach = _reach(points)
    regions = _linear_regions(network, reach)
    if len(regions) < 2:
        return ""
    paths = ""
    for region, tint in zip(regions, tints([region.cell for region in regions]), strict=True):
        corners = _around(np.asarray(floats(region.polytope.vertices), dtype=np.float64))
        line = "L".join(f"{_n(x)} {_n(y)}" for x, y in _placed(corners, reach))
        paths += f'<path class="t{tint}" d="M{line}z"/>'
    listed = f" Points: {_listed(points)}." if len(points) else ""
    says = f"The {len(regions)} linear regions of {name} on the square from {-reach:.3g} to {reach:.3g}.{listed}"
    counted = f"{len(regions)} linear region{'s' * (len(regions) != 1)} of {escape(name)}"
    return figure(_plane(paths, points, says, reach), counted + (", and the points" if len(points) else ""))


def _linear_regions(network: Any, reach: float) -> list[Any]:
    """The regions on a box around zero; none if there are too many."""
    from verify.piecewise import Polytope, TooManyRegions, linear_regions

    box = Polytope.box([-reach] * network.widths[0], [reach] * network.widths[0])
    try:
        return list(linear_regions(network, box, limit=REGIONS))
    except TooManyRegions:
        return []


def _around(corners: Floats) -> Floats:
    """The corners of a convex polygon in their order around it."""
    offsets = corners - corners.mean(axis=0)
    return corners[np.argsort(np.arctan2(offsets[:, 1], offsets[:, 0]))]


def _graph(edges: Any) -> str:
    """A graph on a circle, from a 1 or 0 for each pair of vertices."""
    chosen = floats(np.asarray(edges))
    chosen = chosen[(0,) * (chosen.ndim - 1)]
    vertices = (1 + math.isqrt(1 + 8 * len(chosen))) // 2
    if vertices * (vertices - 1) // 2 != len(chosen) or not np.isin(chosen, (0, 1)).all():
        return ""
    angles = 2 * np.pi * np.arange(vertices) / vertices
    places = SIDE / 2 + (SIDE / 2 - 8) * np.stack([np.sin(angles), -np.cos(angles)], axis=1)
    pairs = [pair for pair, is_edge in zip(itertools.combinations(range(vertices), 2), chosen, strict=True) if is_edge]
    lines = "".join(f"M{_n(places[a][0])} {_n(places[a][1])}L{_n(places[b][0])} {_n(places[b][1])}" for a, b in pairs)
    dots = "".join(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="4"/>' for x, y in places)
    named = ", ".join(f"{a + 1}–{b + 1}" for a, b in pairs)
    says = f"A graph of {vertices} vertices with {len(pairs)} edges: {named}."
    return figure(
        drawn(f'<path class="g0" d="{lines}"/>{dots}', SIDE, SIDE, says), f"graph: {vertices} vertices, {len(pairs)} edges"
    )


def line_of(values: Any, name: str) -> str:
    """A long list of numbers as a line; empty if it is none."""
    numbers = np.asarray(floats(np.asarray(values)), dtype=np.float64)
    if numbers.ndim != 1 or len(numbers) < 3 or not np.isfinite(numbers).all():
        return ""
    low, high = float(numbers.min()), float(numbers.max())
    up = 3 + (high - numbers) * 30 / ((high - low) or 1.0)
    across = np.linspace(2, 158, len(numbers))
    line = "L".join(f"{_n(x)} {_n(y)}" for x, y in zip(across, up, strict=True))
    says = f"{name}: {len(numbers)} numbers from {words.short_number(low)} to {words.short_number(high)}, as a line."
    return drawn(f'<path class="g0" d="M{line}"/>', 160, 36, says)
