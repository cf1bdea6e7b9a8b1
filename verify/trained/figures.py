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
from verify.trained.tables import OF_A_SERIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FAR = 4
"""Norms of untrained networks that are so many times the largest of the network are named, not drawn."""
LOWEST = 1e-6
"""Singular values below this are drawn as if they were this small."""
NOW, BIASES, BEFORE = "#2166ac", "#92c5de", "#b8b8b8"
"""Colours of the network, of its biases, and of untrained networks."""
BARS = 24
"""Claims whose slacks are drawn, at most."""
ALONG_DEPTH = (
    ("variance of the representation", "mean square of the representation"),
    ("cost of identity", "kinetic", "-2H/leak"),
    ("imbalance", "share of the kernel"),
    ("speed", "separation"),
)
"""Quantities of layers that stand in one picture."""


def svg(figure: Figure) -> str:
    """The picture as it stands in a page."""
    stream = StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None})
    _pyplot().close(figure)
    text = stream.getvalue()
    return text[text.index("<svg") :]


def spectra(measurement: Measurement) -> Figure:
    """Singular values by layer, each a dot, beside those of an untrained network of the same shape.

    Raises
    ------
    ModuleNotFoundError
        matplotlib is missing.
    """
    kinds = [(kind, rows) for kind, rows in measurement.quantities.spectra.items() if rows]
    figure, axes = _pyplot().subplots(
        1, len(kinds), figsize=(3.4 * len(kinds), 3.4), layout="constrained", squeeze=False, sharey=True
    )
    for ax, (kind, rows) in zip(axes[0], kinds, strict=True):
        before = measurement.untrained[0].spectra.get(kind, ()) if measurement.untrained else ()
        for values_by_layer, shift, colour, label in ((before, 0.15, BEFORE, "untrained"), (rows, -0.15, NOW, "this network")):
            if not len(values_by_layer):
                continue
            layers = np.concatenate(
                [np.full(len(values), place + shift) for place, values in enumerate(values_by_layer, start=1)]
            )
            values = np.concatenate(list(values_by_layer))
            shown = np.maximum(values, LOWEST)
            ax.plot(layers, shown, "o", color=colour, markersize=4, alpha=0.75, markeredgewidth=0, label=label)
        ax.set_yscale("log")
        ax.set_title(kind, fontsize="medium")
        ax.grid(axis="y", linewidth=0.4, alpha=0.5)
        if len(rows) > 1:
            ax.set_xlabel("layer")
            ax.locator_params(axis="x", integer=True, nbins=8)
        else:  # of the whole network
            ax.set_xticks([])
            ax.set_xlim(0, 2)
    axes[0][0].set_ylabel(f"singular values (at least {LOWEST:g})")
    _legend(figure, axes[0][0])
    result: Figure = figure
    return result


def _legend(figure: Figure, ax: Axes) -> None:
    """One legend for all pictures of a row, below them."""
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), fontsize="small", frameon=False)


def ranks(measurement: Measurement) -> Figure | None:
    """Ranks by layer of weights and of representations, beside those before training and the width; None if there are none."""
    rows = measurement.quantities.layers
    names = [name for name in ("rank", "representation rank", "activation rank") if any(name in row for row in rows)]
    if not names or len(rows) < 2:
        return None
    places = [row["layer"] for row in rows]
    figure, axes = _pyplot().subplots(
        1, len(names), figsize=(4.2 * len(names), 3.0), layout="constrained", squeeze=False, sharey=True
    )
    for ax, name in zip(axes[0], names, strict=True):
        if "outputs" in rows[0]:
            ax.step(
                places, [row["outputs"] for row in rows], where="mid", color=EDGE, linewidth=0.8, label="outputs of the layer"
            )
        if measurement.untrained:
            before = [
                float(np.mean([float(quantities.layers[k][name] or 0) for quantities in measurement.untrained]))
                for k in range(len(rows))
            ]
            ax.plot(places, before, "o", color=BEFORE, markersize=5, label="untrained")
        ax.bar(places, [row[name] for row in rows], width=0.6, color=NOW, label="this network")
        ax.set_title("weights" if name == "rank" else name.removesuffix(" rank"), fontsize="medium")
        ax.set_xlabel("layer")
        ax.locator_params(axis="both", integer=True, nbins=8)
    axes[0][0].set_ylabel("rank, where the gap is")
    _legend(figure, axes[0][0])
    result: Figure = figure
    return result


def norms(measurement: Measurement) -> Figure | None:
    """Squared norms by layer, of the biases apart, beside those before training and the bounds on their mean."""
    rows = measurement.quantities.layers
    if len(rows) < 2 or not all("squared norm" in row for row in rows):
        return None
    figure, ax = _pyplot().subplots(figsize=(6.8, 3.0), layout="constrained")
    places = [row["layer"] for row in rows]
    biases = np.array([float(row.get("of it biases") or 0) for row in rows])
    total = np.array([float(row["squared norm"] or 0) for row in rows])
    ax.bar(places, total - biases, width=0.6, color=NOW, label="weights")
    if biases.any():
        ax.bar(places, biases, width=0.6, bottom=total - biases, color=BIASES, label="biases")
    if measurement.untrained:
        before = [
            float(np.mean([float(quantities.layers[k]["squared norm"] or 0) for quantities in measurement.untrained]))
            for k in range(len(rows))
        ]
        if max(before) <= FAR * total.max():
            ax.plot(places, before, "o", color=BEFORE, markersize=5, label="untrained")
        else:
            ax.plot([], [], " ", label=f"untrained: up to {max(before):.3g}, far above")
    depth = len(rows)
    for value, label, line in (
        (measurement.quantities.whole.get("squared norm, mean over layers"), "mean over layers", "-"),
        (
            measurement.quantities.whole.get("lower bound of the squared norm by the Jacobian"),
            "bound of the mean by the Jacobian",
            "--",
        ),
        (measurement.least.get("squared norm of weights and biases"), "bound of the mean by the data", ":"),
    ):
        if value is not None:
            ax.axhline(float(value) / (1 if line == "-" else depth), color=EDGE, linestyle=line, linewidth=1.2, label=label)
    ax.set_xlabel("layer")
    ax.set_ylabel("squared norm")
    ax.locator_params(axis="x", integer=True, nbins=10)
    ax.legend(fontsize="small", frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    result: Figure = figure
    return result


def along_depth(measurement: Measurement) -> Figure | None:
    """Curves over the layers, those of one kind in one picture; None if there are none."""
    rows = measurement.quantities.layers
    groups = [[name for name in group if any(row.get(name) is not None for row in rows)] for group in ALONG_DEPTH]
    return _curves([row["layer"] for row in rows], [group for group in groups if group], rows, "layer")


def over_series(measurements: Sequence[Measurement]) -> Figure | None:
    """Curves of the main quantities over the files, in their order."""
    rows = [measurement.quantities.whole for measurement in measurements]
    names = [name for name in OF_A_SERIES if any(row.get(name) is not None for row in rows)]
    if not names or len(rows) < 2:
        return None
    columns = min(len(names), 4)
    height = -(-len(names) // columns)
    figure, axes = _pyplot().subplots(
        height, columns, figsize=(3.2 * columns, 2.6 * height), layout="constrained", squeeze=False
    )
    for ax, name in zip(axes.flat, names, strict=False):
        _draw(ax, list(range(1, len(rows) + 1)), [(name, rows)])
        ax.set_title(name, fontsize="small", wrap=True)
        ax.set_xlabel("file")
    for ax in axes.flat[len(names) :]:
        ax.set_axis_off()
    drawn: Figure = figure
    return drawn


def _curves(places: Sequence[Any], groups: Sequence[Sequence[str]], rows: Sequence[Any], label: str) -> Figure | None:
    if not groups or len(places) < 2:
        return None
    figure, axes = _pyplot().subplots(1, len(groups), figsize=(3.6 * len(groups), 3.0), layout="constrained", squeeze=False)
    for ax, group in zip(axes[0], groups, strict=True):
        _draw(ax, places, [(name, rows) for name in group])
        ax.set_xlabel(label)
        ax.legend(fontsize="small", frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.2))
    result: Figure = figure
    return result


def _draw(ax: Axes, places: Sequence[Any], curves: Sequence[tuple[str, Sequence[Any]]]) -> None:
    """Curves, on a logarithmic scale where they go over two decades."""
    finite_values = []
    for name, rows in curves:
        values = np.array([np.nan if row.get(name) is None else float(row[name]) for row in rows])
        ax.plot(places, values, marker="o", markersize=3, linewidth=1.2, label=name)
        finite_values.append(values[np.isfinite(values)])
    all_values = np.concatenate(finite_values)
    if len(all_values) and all_values.min() > 0 and all_values.max() > 100 * all_values.min():
        ax.set_yscale("log")
    elif len(all_values) and (all_values == np.rint(all_values)).all():
        ax.locator_params(axis="y", integer=True)
    ax.locator_params(axis="x", integer=True, nbins=8)


def slacks(bounds: Sequence[Answer], ax: Axes | None = None) -> Figure | None:
    """Of each bound (see `Measurement.bounds`) a bar: its smaller side over its larger, so that a broken one is beyond 1.

    The ones that reach furthest are drawn; None if there are none.
    """
    bounds = sorted(bounds, key=lambda bound: -(bound.used or 0.0))[:BARS]
    if not bounds:
        return None
    pyplot = _pyplot()
    figure = None
    if ax is None:
        figure, ax = pyplot.subplots(figsize=(8.5, 1.0 + 0.22 * len(bounds)), layout="constrained")
    colours = [FAILS if bound.outcome == "fails" else HOLDS for bound in bounds]
    ratios = [min(bound.used or 0.0, 2.0) for bound in bounds]
    names = [bound.claim for bound in bounds]
    ax.barh(range(len(bounds)), ratios, color=colours, edgecolor=EDGE, linewidth=0.4)
    ax.set_yticks(range(len(bounds)), names, fontsize=7)
    ax.invert_yaxis()
    ax.axvline(1, color=EDGE, linestyle="--", linewidth=1)
    ax.set_xlabel("bounded side over its bound: 1 is attained")
    ax.margins(y=0.01)
    return figure


def plane(measurement: Measurement) -> Figure | None:
    """The linear regions of a network of two inputs, and its classes with their tripoints; None for other networks."""
    network = measurement.network
    if not isinstance(network, FullyConnected):
        return None
    cells = regions(network, measurement.points.inputs)
    if cells is None:
        return None
    from verify.piecewise.plotting import plot_regions

    kinds = ["pattern", "rank"] + (["class"] if network.widths[-1] > 1 else [])
    figure, axes = _pyplot().subplots(1, len(kinds), figsize=(3.6 * len(kinds), 3.8), layout="constrained", squeeze=False)
    for ax, kind in zip(axes[0], kinds, strict=True):
        plot_regions(network, cells.box, kind, ax)  # type: ignore[arg-type]
        ax.plot(*measurement.points.inputs.T, ".", color=EDGE, markersize=3)
    if cells.tripoints is not None:
        axes[0][-1].plot(*cells.tripoints.T, "o", markersize=9, markerfacecolor="none", markeredgecolor="black")
    shown: Figure = figure
    return shown
