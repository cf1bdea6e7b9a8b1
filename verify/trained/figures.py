"""Pictures of what was measured: spectra by layer, energies along the depth, slacks, curves over a series; regions."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np

from verify.networks import FullyConnected
from verify.report.figures import EDGE, FAILS, HOLDS, _pyplot
from verify.trained.asking import Answer
from verify.trained.layers import regions
from verify.trained.measurement import Measurement

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

UNMET = "#cccccc"
"""Of claims whose hypotheses are not met."""
LOWEST = 1e-6
"""Singular values below this part of the largest are drawn as if they were this small."""
BARS = 40
"""Claims whose slacks are drawn, at most."""
ALONG_DEPTH = (
    ("norm", "bias", "representation", "centred"),
    ("cost of identity", "kinetic", "-2H/leak"),
    ("balance", "kernel share"),
    ("speed", "separation"),
)
"""Quantities of layers that stand in one picture."""
OVER_SERIES = (
    ("squared norm", "mean squared error", "loss"),
    ("Jacobian rank", "bottleneck rank"),
    ("bottleneck bound B", "excess over k depth", "2 log |Jf|_+"),
    ("largest imbalance", "-2H/leak in the middle", "path length"),
)
"""Quantities of networks that stand in one picture."""


def svg(figure: Figure) -> str:
    """The picture as it stands in a page."""
    out = StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    _pyplot().close(figure)
    text = out.getvalue()
    return text[text.index("<svg") :]


def spectra(one: Measurement) -> Figure:
    """Heat maps of the singular values: layers to the right, their order downwards, magnitudes as colours.

    Raises
    ------
    ModuleNotFoundError
        matplotlib is missing.
    """
    kinds = [(kind, rows) for kind, rows in one.quantities.spectra.items() if rows]
    figure, axes = _pyplot().subplots(1, len(kinds), figsize=(3.4 * len(kinds), 3.2), layout="constrained", squeeze=False)
    for ax, (kind, rows) in zip(axes[0], kinds, strict=True):
        height = max(len(row) for row in rows)
        grid = np.full((height, len(rows)), np.nan)
        for place, row in enumerate(rows):
            grid[: len(row), place] = row
        largest = float(np.nanmax(grid)) or 1.0
        shown = np.log10(np.maximum(grid, LOWEST * largest))
        drawn = ax.imshow(
            shown, aspect="auto", cmap="viridis", extent=(0.5, len(rows) + 0.5, height + 0.5, 0.5), interpolation="nearest"
        )
        ax.set_title(kind, fontsize="medium")
        ax.set_xlabel("layer")
        ax.locator_params(axis="both", integer=True, nbins=8)
        figure.colorbar(drawn, ax=ax, label="log10")
    axes[0][0].set_ylabel("singular value")
    found: Figure = figure
    return found


def along_depth(one: Measurement) -> Figure | None:
    """Curves over the layers, those of one kind in one picture; None if there are none."""
    rows = one.quantities.layers
    groups = [[name for name in group if any(row.get(name) is not None for row in rows)] for group in ALONG_DEPTH]
    return _curves([row["layer"] for row in rows], [group for group in groups if group], rows, "layer")


def over_series(found: Sequence[Measurement]) -> Figure | None:
    """Curves of the whole network over the files, in their order."""
    rows = [one.quantities.whole for one in found]
    groups = [[name for name in group if any(row.get(name) is not None for row in rows)] for group in OVER_SERIES]
    return _curves(list(range(1, len(rows) + 1)), [group for group in groups if group], rows, "file")


def _curves(places: Sequence[Any], groups: Sequence[Sequence[str]], rows: Sequence[Any], label: str) -> Figure | None:
    if not groups or len(places) < 2:
        return None
    figure, axes = _pyplot().subplots(1, len(groups), figsize=(3.6 * len(groups), 3.0), layout="constrained", squeeze=False)
    for ax, group in zip(axes[0], groups, strict=True):
        for name in group:
            values = np.array([np.nan if row.get(name) is None else float(row[name]) for row in rows])
            ax.plot(places, values, marker="o", markersize=3, linewidth=1.2, label=name)
        drawn = np.concatenate([line.get_ydata() for line in ax.get_lines()])
        drawn = drawn[np.isfinite(drawn)]
        if len(drawn) and drawn.min() > 0 and drawn.max() > 100 * drawn.min():
            ax.set_yscale("log")
        ax.set_xlabel(label)
        ax.locator_params(axis="x", integer=True, nbins=8)
        ax.legend(fontsize="small", frameon=False)
    found: Figure = figure
    return found


def slacks(answers: Sequence[Answer], ax: Axes | None = None) -> Figure | None:
    """Of each bound a bar: its smaller side over its larger, so that a sharp bound reaches 1, and a broken one beyond it.

    The ones that reach furthest are drawn; None if there are none.
    """
    bounds = [one for one in answers if one.sense in ("le", "ge") and _ratio(one) is not None]
    bounds = sorted(bounds, key=lambda one: -(_ratio(one) or 0.0))[:BARS]
    if not bounds:
        return None
    pyplot = _pyplot()
    figure = None
    if ax is None:
        figure, ax = pyplot.subplots(figsize=(8.5, 1.0 + 0.22 * len(bounds)), layout="constrained")
    colours = [UNMET if one.outcome == "hypothesis" else FAILS if one.outcome == "fails" else HOLDS for one in bounds]
    ratios = [min(_ratio(one) or 0.0, 2.0) for one in bounds]
    names = [one.claim for one in bounds]
    ax.barh(range(len(bounds)), ratios, color=colours, edgecolor=EDGE, linewidth=0.4)
    ax.set_yticks(range(len(bounds)), names, fontsize=7)
    ax.invert_yaxis()
    ax.axvline(1, color=EDGE, linestyle="--", linewidth=1)
    ax.set_xlabel("bounded side over its bound: 1 is sharp\n(grey: a hypothesis is not met; red: it fails)")
    ax.margins(y=0.01)
    return figure


def _ratio(one: Answer) -> float | None:
    small, large = (one.left, one.right) if one.sense == "le" else (one.right, one.left)
    return small / large if np.isfinite(small) and np.isfinite(large) and large > 0 and small >= 0 else None


def plane(one: Measurement) -> Figure | None:
    """The linear regions of a network of two inputs, and its classes with their tripoints; None for other networks."""
    network = one.network
    if not isinstance(network, FullyConnected):
        return None
    found = regions(network, one.points.inputs)
    if found is None:
        return None
    from verify.piecewise.plotting import plot_regions

    kinds = ["pattern", "rank"] + (["class"] if network.widths[-1] > 1 else [])
    figure, axes = _pyplot().subplots(1, len(kinds), figsize=(3.6 * len(kinds), 3.8), layout="constrained", squeeze=False)
    for ax, kind in zip(axes[0], kinds, strict=True):
        plot_regions(network, found.box, kind, ax)  # type: ignore[arg-type]
        ax.plot(*one.points.inputs.T, ".", color=EDGE, markersize=3)
    if found.tripoints is not None:
        axes[0][-1].plot(*found.tripoints.T, "o", markersize=9, markerfacecolor="none", markeredgecolor="black")
    shown: Figure = figure
    return shown
