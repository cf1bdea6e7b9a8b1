"""Pictures of what a search met: how near to failing the instances come, and the worst of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from verify.claims.domain import Sample
from verify.numbers.arithmetic import floats
from verify.numbers.relation import Comparison

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HOLDS, FAILS, EDGE = "#77aadd", "#ee8866", "#30343b"
SMALLEST = 1e-17
"""Relative slacks below this are drawn as if they were zero: they are rounding."""


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        message = "pictures need the package matplotlib, the extra `plots` of this project: pip install matplotlib"
        raise ModuleNotFoundError(message, name="matplotlib") from error
    return pyplot


def slack_histogram(slacks: npt.NDArray[np.float64], smallest: float, title: str = "", ax: Axes | None = None) -> Axes:
    """How many instances have which relative slack, on logarithmic scales; violations stand to the left of zero.

    `smallest` is what the whole search reached, and is marked. With `ax` the picture is drawn there.

    Raises
    ------
    ModuleNotFoundError
        matplotlib is missing.
    """
    pyplot = _pyplot()
    if ax is None:
        ax = pyplot.subplots(figsize=(6, 3.2), layout="constrained")[1]
    edges = np.concatenate([[0.0], np.geomspace(SMALLEST, 2.0, 60)])
    for values, color, label in ((slacks[slacks >= 0], HOLDS, "holds"), (-slacks[slacks < 0], FAILS, "below zero")):
        if len(values):
            counts, _ = np.histogram(np.minimum(values, 2.0), edges)
            sign = 1 if color == HOLDS else -1
            widths = np.diff(edges)
            ax.bar(
                sign * edges[:-1],
                counts,
                sign * widths,
                align="edge",
                color=color,
                edgecolor="white",
                linewidth=0.3,
                label=label,
            )
    ax.set_xscale("symlog", linthresh=SMALLEST, linscale=0.5)
    ax.set_xticks([-1, -1e-5, -1e-10, -1e-15, 0, 1e-15, 1e-10, 1e-5, 1])
    ax.set_yscale("log")
    if np.isfinite(smallest):
        ax.axvline(smallest, color=EDGE, linestyle="--", linewidth=1, label=f"smallest met: {smallest:.3g}")
    ax.set_xlabel("relative slack")
    ax.set_ylabel("instances")
    ax.set_title(title, fontsize="medium")
    ax.legend(fontsize="small")
    return ax


def picture(sample: Sample, comparison: Comparison, slack: float, title: str = "") -> Figure:
    """The coordinates of one instance, bars for vectors and tints for matrices, and both sides of the comparison.

    Raises
    ------
    ModuleNotFoundError
        matplotlib is missing.
    """
    pyplot = _pyplot()
    coordinates = {name: floats(np.asarray(values)) for name, values in sample.coordinates.items()}
    figure: Figure
    figure, axes = pyplot.subplots(
        1, len(coordinates) + 1, figsize=(2.4 * (len(coordinates) + 1), 2.8), layout="constrained", squeeze=False
    )
    for ax, (name, values) in zip(axes[0], coordinates.items(), strict=False):
        _draw(ax, np.asarray(values))
        ax.set_title(name, fontsize="medium")
    sides_ax = axes[0][-1]
    place = np.unravel_index(int(np.argmin(comparison.relative)), comparison.shape)
    left, right = (
        float(floats(np.broadcast_to(side, comparison.shape))[place]) for side in (comparison.left, comparison.right)
    )
    sides_ax.bar(["left", "right"], [left, right], color=[HOLDS if slack >= 0 else FAILS, "#dddddd"], edgecolor=EDGE)
    sides_ax.set_title(f"relative slack {slack:.3g}", fontsize="medium")
    sizes = ", ".join(f"{name} = {value}" for name, value in sample.sizes.items())
    figure.suptitle(f"{title}{f' ({sizes})' if sizes else ''}", fontsize="medium")
    return figure


def _draw(ax: Axes, values: npt.NDArray[np.float64]) -> None:
    if values.ndim < 2:
        flat = np.atleast_1d(values)
        ax.bar(np.arange(1, len(flat) + 1), flat, color=HOLDS, edgecolor=EDGE)
        ax.axhline(0, color=EDGE, linewidth=0.8)
        ax.set_xticks(np.arange(1, len(flat) + 1))
        return
    matrix = values.reshape(-1, values.shape[-1])
    reach = float(np.max(np.abs(matrix), initial=0.0)) or 1.0
    ax.imshow(matrix, cmap="RdBu_r", vmin=-reach, vmax=reach)
    ax.set_xticks([])
    ax.set_yticks([])
    if matrix.size <= 64:
        for (row, column), value in np.ndenumerate(matrix):
            ax.text(column, row, f"{value:.3g}", ha="center", va="center", fontsize="small")
