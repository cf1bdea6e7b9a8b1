"""Figures of experiments: six inches wide, legible at 600 pixels and in print, in colours that differ for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from verify.experiments.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 6.0
"""Of figures, in inches: that of the text of a page."""
INK = "#222222"
RANGE = "range of the seeds"
"""What a legend calls a band."""
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Of Okabe and Ito: they differ for readers who do not see all colours, and most of them in grey, too."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_RANKS = ("#999999", "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")

_PLACES = ("largest", "second", "third", "fourth", "fifth", "sixth", "seventh and on")


def rank_colour(rank: int) -> str:
    """The colour of a rank, the same in all figures; black for 7 and more.

    Examples
    --------
    >>> print(rank_colour(1), rank_colour(7), rank_colour(8))
    #D55E00 #000000 #000000
    """
    return _RANKS[rank] if 0 <= rank < len(_RANKS) else "#000000"


@contextmanager
def naming_the_extra() -> Iterator[None]:
    """Around an import of matplotlib: its absence ends in an error that says how to install it.

    Examples
    --------
    >>> with naming_the_extra():
    ...     raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: figures need the package matplotlib, the extra `plots` of this project: pip install matplotlib
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        message = "figures need the package matplotlib, the extra `plots` of this project: pip install matplotlib"
        raise ModuleNotFoundError(message, name="matplotlib") from error


@contextmanager
def style() -> Iterator[None]:
    """Sizes and the like while a figure is made and saved.

    Raises
    ------
    ModuleNotFoundError
        matplotlib is missing.

    Examples
    --------
    >>> import matplotlib
    >>> with style():
    ...     print(matplotlib.rcParams["font.size"], matplotlib.rcParams["axes.spines.top"])
    9.0 False
    """
    with naming_the_extra():
        import matplotlib
    settings: Any = {
        "font.size": 9,
        "axes.titlesize": 9,
        "axes.labelsize": 9,
        "legend.fontsize": 8,
        "xtick.labelsize": 8,
        "ytick.labelsize": 8,
        "lines.linewidth": 1.4,
        "lines.markersize": 5,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
        # words stay words, and the same figure has the same bytes
        "svg.fonttype": "none",
        "svg.hashsalt": "verify",
    }
    with matplotlib.rc_context(settings):
        yield


def panels(rows: int = 1, columns: int = 1, height: float = 2.8, **settings: Any) -> tuple[Figure, npt.NDArray[Any]]:
    """A figure of `WIDTH` with rows of panels of this height in inches, and its axes, shape ``(rows, columns)``.

    Examples
    --------
    >>> figure, axes = panels(2, 3, height=2)
    >>> print(axes.shape, figure.get_size_inches())
    (2, 3) [6. 4.]
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height * rows), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **settings)


def mosaic(layout: Sequence[Sequence[str]], heights: Sequence[float], **settings: Any) -> tuple[Figure, dict[str, Axes]]:
    """A figure of `WIDTH` with named panels, of which one may take several places, in rows of these heights in inches.

    Examples
    --------
    >>> figure, axes = mosaic([["all", "all"], ["left", "right"]], [1, 2])
    >>> print(list(axes), figure.get_size_inches())
    ['all', 'left', 'right'] [6. 3.]
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
    axes: dict[str, Axes] = figure.subplot_mosaic([list(row) for row in layout], height_ratios=heights, **settings)
    return figure, axes


def band(
    ax: Axes, table: Table, x: str, y: str, *, colour: str = COLOURS[0], marker: str = "", line: str = "-", label: str = ""
) -> None:
    """The median of the column `y` over the rows with the same `x`, in a band from the least to the largest.

    Examples
    --------
    >>> from verify.experiments import Table
    >>> table = Table([{"depth": depth, "loss": depth * seed} for depth in (1, 2) for seed in (1, 2, 3)])
    >>> figure, axes = panels()
    >>> band(axes[0, 0], table, "depth", "loss")
    >>> print(axes[0, 0].lines[0].get_ydata())
    [2. 4.]
    """
    places = table.distinct(x)
    values = [table.where(**{x: place}).column(y) for place in places]
    middle = [float(np.median(value)) for value in values]
    ax.fill_between(
        places, [value.min() for value in values], [value.max() for value in values], color=colour, alpha=0.2, linewidth=0
    )
    ax.plot(places, middle, color=colour, marker=marker, linestyle=line, label=label or None)


def range_entry(ax: Axes) -> None:
    """Say in the legend what the bands are.

    Examples
    --------
    >>> figure, axes = panels()
    >>> range_entry(axes[0, 0])
    >>> print(axes[0, 0].get_legend_handles_labels()[1])
    ['range of the seeds']
    """
    ax.fill_between([], [], color="#888888", alpha=0.4, linewidth=0, label=RANGE)


def value_label(place: int) -> str:
    """What the legend calls the singular value of this place; empty beyond the seventh, which has the colour of the rest.

    Examples
    --------
    >>> value_label(1), value_label(2), value_label(8)
    ('largest', 'second', '')
    """
    return _PLACES[place - 1] if place <= len(_PLACES) else ""


def relation(ax: Axes, x: Sequence[float] | npt.NDArray[np.float64], y: Any, label: str = "", *, colour: str = INK) -> None:
    """A relation that the paper states, as a dashed line.

    Examples
    --------
    >>> figure, axes = panels()
    >>> relation(axes[0, 0], [1, 2, 3], 2.5, "rank")
    >>> print(axes[0, 0].lines[0].get_ydata())
    [2.5 2.5 2.5]
    """
    ax.plot(x, np.broadcast_to(y, np.shape(x)), color=colour, linestyle="--", linewidth=1.1, label=label or None)


def save(figure: Figure, folder: Path, title: str, text: str) -> None:
    """Write ``figure.svg`` and ``figure.png`` with a title and a text alternative, when both are whole.

    Raises
    ------
    OSError
        They cannot be written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> figure, axes = panels()
    >>> with TemporaryDirectory() as folder:
    ...     save(figure, Path(folder), "A panel", "A panel without lines.")
    ...     print(sorted(path.name for path in Path(folder).iterdir()))
    ['figure.png', 'figure.svg']
    """
    kinds: dict[str, dict[str, Any]] = {
        "svg": {"metadata": {"Title": title, "Description": text, "Date": None, "Creator": None}},
        "png": {"metadata": {"Title": title, "Description": text, "Software": None}, "dpi": 200},
    }
    drafts = {kind: folder / f".figure.part.{kind}" for kind in kinds}
    try:
        for kind, settings in kinds.items():
            figure.savefig(drafts[kind], **settings)
        for kind, draft in drafts.items():
            draft.replace(folder / f"figure.{kind}")
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)
