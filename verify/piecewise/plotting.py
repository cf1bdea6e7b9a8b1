"""Pictures of the linear regions of networks of two inputs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from flint import fmpz_mat

from verify.matrices.exact import flint_matrix
from verify.networks import FullyConnected
from verify.numbers.arguments import choice
from verify.numbers.arithmetic import floats
from verify.piecewise._arguments import one_network
from verify.piecewise.cells.convex import Cell, Row, split
from verify.piecewise.polytope import Polytope
from verify.piecewise.regions import LIMIT, Region, check_polytope, linear_regions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TINTS = ("#b9d4ea", "#f7d9b5", "#c5e3c4", "#e9c6cf", "#d9cfe8", "#f2edb6", "#c3e4e4", "#dcd3c6")
"""Of regions: neighbours get different ones."""
RANKS = ("#f0f0ea", "#9ecae1", "#2c6ca6")
"""Of Jacobian ranks 0, 1 and 2."""
CLASSES = ("#77aadd", "#eedd88", "#ee8866", "#44bb99", "#ffaabb", "#bbcc33", "#99ddff", "#aaaa00")
"""Of classes (the light scheme of Paul Tol, told apart also by colour-blind readers); beyond these they repeat."""
TIE = "#dddddd"
EDGE = "#30343b"

Face = tuple[Cell, Any]
"""A convex polygon and what it shows."""


def plot_regions(
    network: FullyConnected,
    polytope: Polytope,
    color: Literal["pattern", "rank", "class"] = "pattern",
    ax: Axes | None = None,
    *,
    limit: int = LIMIT,
) -> Axes:
    """Draw the linear regions of a network of two inputs on a polygon, all of them and exactly; the axes that hold the picture.

    - ``"pattern"``: every region (there is one for each activation pattern) in a tint that differs from its neighbours'.
    - ``"rank"``: by the rank of the Jacobian, with a legend; thin lines between regions.
    - ``"class"``: by the index of the largest output, with a legend and thick lines between classes; where several outputs are
      the largest on a set with interior, their tie is hatched.

    With `ax` the picture is drawn there, else in a figure of its own.

    Raises
    ------
    ValueError
        A polytope that is no polygon or beyond the largest float, a network of other inputs, another `color`, or classes of
        fewer than two outputs; as for `linear_regions`.
    TypeError
        As for `linear_regions`.
    ModuleNotFoundError
        The package matplotlib is missing: ``pip install 'deep-l2-verify[plots]'``.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> network = FullyConnected([rationals([[1, 0], [0, 1]])] * 2)
    >>> axes = plot_regions(network, Polytope.box([-1, -1], [1, 1]), "rank", ax=Figure().subplots())
    >>> print([text.get_text() for text in axes.get_legend().get_texts()])
    ['rank 0', 'rank 1', 'rank 2']
    """
    choice("color", color, ("pattern", "rank", "class"))
    single = one_network(network)
    check_polytope(polytope, single.widths[0])
    if polytope.dimension != 2:
        raise ValueError(f"polytope must be a polygon, of dimension 2, got dimension {polytope.dimension}")
    if color == "class" and single.widths[-1] < 2:
        raise ValueError(f"classes need a network of at least 2 outputs, got {single.widths[-1]}")
    corners = floats(polytope.vertices)
    if not np.isfinite(corners).all():
        raise ValueError("polytope must lie within the range of floats to be drawn: its numbers are beyond it")
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        message = "plot_regions needs the package matplotlib: pip install 'deep-l2-verify[plots]'"
        raise ModuleNotFoundError(message, name="matplotlib") from error
    if ax is not None and not hasattr(ax, "add_collection"):
        raise TypeError(f"ax must be the axes of a matplotlib figure, got {ax!r}")
    if ax is None:
        ax = pyplot.subplots(figsize=(4.2, 4.2), layout="constrained")[1]
    regions = list(linear_regions(single, polytope, limit=limit))
    cells = [region.cell for region in regions]
    if color == "pattern":
        styles_of_tints = {index: (tint, "") for index, tint in enumerate(TINTS)}
        _draw(ax, cells, list(zip(cells, tints(cells), strict=True)), styles_of_tints, widths=(0.7, 0.7))
    elif color == "rank":
        ranks = [int(flint_matrix(region.matrix).rank()) for region in regions]
        styles = {rank: (RANKS[rank], f"rank {rank}") for rank in sorted(set(ranks))}
        _draw(ax, cells, list(zip(cells, ranks, strict=True)), styles, widths=(0.4, 0.9))
    else:
        faces = [face for region in regions for face in _classified(region)]
        winners = sorted({winner for _, winner in faces}, key=lambda winner: (len(winner), winner))
        _draw(ax, cells, faces, {winner: _class_style(winner) for winner in winners}, widths=(0.2, 1.6))
    low, high = (end(corners, axis=0) for end in (np.min, np.max))
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    ax.tick_params(direction="out", length=3, labelsize=8)
    ax.locator_params(nbins=5)
    return ax


def tints(cells: list[Cell]) -> list[int]:
    """For each cell, those of many neighbours first, the tint used least of those that no neighbour has, if there is one."""
    neighbours: list[set[int]] = [set() for _ in cells]
    for sides in _edges(cells).values():
        for i, j in combinations(sides, 2):
            neighbours[i].add(j)
            neighbours[j].add(i)
    tints: dict[int, int] = {}
    uses = [0] * len(TINTS)
    for i in sorted(range(len(cells)), key=lambda i: -len(neighbours[i])):
        taken = {tints[j] for j in neighbours[i] if j in tints}
        tints[i] = min(range(len(TINTS)), key=lambda tint: (tint in taken, uses[tint], tint))
        uses[tints[i]] += 1
    return [tints[i] for i in range(len(cells))]


def _classified(region: Region) -> list[Face]:
    """The parts of a region where the largest output is the same, with the indices of those that are equal to it."""
    rows = [tuple(row) for row in region._rows.tolist()]
    distinct = list(dict.fromkeys(rows))
    classes = [tuple(i for i, row in enumerate(rows) if row == distinct_row) for distinct_row in distinct]
    pairs = list(combinations(range(len(distinct)), 2))
    if not pairs:
        return [(region.cell, classes[0])]
    differences = [x - y for i, j in pairs for x, y in zip(distinct[i], distinct[j], strict=True)]
    faces: list[Face] = []
    for signs, part in split(region.cell, fmpz_mat(len(pairs), len(distinct[0]), differences)):
        beaten = {j if sign > 0 else i for (i, j), sign in zip(pairs, signs, strict=True)}
        (winner,) = set(range(len(distinct))) - beaten
        faces.append((part, classes[winner]))
    return faces


def _class_style(winner: tuple[int, ...]) -> tuple[str, str]:
    if len(winner) == 1:
        return CLASSES[winner[0] % len(CLASSES)], f"class {winner[0]}"
    return TIE, f"tie of {', '.join(map(str, winner))}"


def _edges(cells: Iterable[Cell]) -> dict[frozenset[Row], list[int]]:
    """For every edge, by its ends, the indices of the polygons that it bounds: polygons meet edge to edge."""
    result: dict[frozenset[Row], list[int]] = {}
    for index, cell in enumerate(cells):
        for members in cell.members():
            ends = frozenset(vertex for v, vertex in enumerate(cell.vertices) if members >> v & 1)
            result.setdefault(ends, []).append(index)
    return result


def _draw(
    ax: Axes, cells: list[Cell], faces: list[Face], styles: dict[Any, tuple[str, str]], *, widths: tuple[float, float]
) -> None:
    """Fill faces in the colours of what they show; lines of these widths between cells, and where what is shown changes."""
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.patches import Patch

    labels = []
    for shown, (tint, label) in styles.items():
        polygons = [floats(Polytope._of_cell(cell).vertices) for cell, content in faces if content == shown]
        if tint == TIE:
            ax.add_collection(PolyCollection(polygons, facecolors=tint, edgecolors="#a0a0a0", linewidths=0, hatch="////"))
        else:  # edges in the colour of the face close the hair lines between neighbours
            ax.add_collection(PolyCollection(polygons, facecolors=tint, edgecolors=tint, linewidths=0.4))
        if label:
            hatch = "////" if tint == TIE else None
            labels.append(Patch(facecolor=tint, edgecolor=EDGE, linewidth=0.5, hatch=hatch, label=label))
    between = _edges(cells)
    inner = [ends for ends, sides in between.items() if len(sides) > 1]
    outline = [ends for ends, sides in between.items() if len(sides) == 1]
    changes = [ends for ends, sides in _edges(cell for cell, _ in faces).items() if len({faces[i][1] for i in sides}) > 1]
    for lines, width in ((inner, widths[0]), (outline, 0.9), (changes, widths[1])):
        segments = [[[int(x) / int(row[-1]) for x in row[:-1]] for row in ends] for ends in lines]
        ax.add_collection(LineCollection(segments, colors=EDGE, linewidths=width, capstyle="round"))
    if labels:
        ax.legend(
            handles=labels, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, frameon=False, fontsize=8, handlelength=1.2
        )
